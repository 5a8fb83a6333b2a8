"""The same scene moved by phyzctl, through its public names, and by MuJoCo."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
from mujoco import rollout

import phyzctl
from phyzctl.spatial import Array
from tests.anchors.beside import Beside

_THEIR_INTEGRATORS = {
    "euler": mujoco.mjtIntegrator.mjINT_EULER,
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "rk4": mujoco.mjtIntegrator.mjINT_RK4,
}
_FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


class Motion(NamedTuple):
    """Samples of a run, of which the first is its start; `complete` unless it broke off."""

    times: Array
    """(n,) [s]."""
    q: Array
    """(n, nq)."""
    v: Array
    """(n, nv)."""
    complete: bool = True


class Start(NamedTuple):
    """Where a scene starts and what acts, where that is not the reference pose and nothing."""

    q: Sequence[float] | Array | None = None
    v: Sequence[float] | Array | None = None
    ctrl: Any = None
    """(nu,) for every step, or (steps, nu)."""
    force: Array | None = None
    """(nbody, 6) at the centres of mass, world axes."""


REST = Start()


def model(text: str) -> phyzctl.Model:
    """The Model of an MJCF."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.xml"
        path.write_text(text)
        return phyzctl.compile(phyzctl.load(path))


def ours(
    scene: str | phyzctl.Model,
    seconds: float,
    start: Start = REST,
    *,
    dt: float,
    integrator: str = "best",
    every: int = 1,
    stiff: bool = False,
) -> Motion:
    """What phyzctl makes of a scene."""
    subject = model(scene) if isinstance(scene, str) else scene
    state = subject.default_state()
    if start.q is not None:
        state.q[:] = start.q
    if start.v is not None:
        state.v[:] = start.v
    if start.force is not None:
        state.xfrc_applied[:] = start.force
    trace = phyzctl.simulate(
        subject,
        steps=round(seconds / dt),
        state=state,
        control=start.ctrl,
        dt=dt,
        integrator=integrator,
        every=every,
        stiff=stiff,
    )
    return Motion(trace.times, trace.values["q"], trace.values["v"], trace.header.complete)


def theirs(
    text: str,
    seconds: float,
    start: Start = REST,
    *,
    dt: float,
    integrator: str = "euler",
    every: int = 1,
) -> Motion:
    """What MuJoCo makes of a scene."""
    subject = mujoco.MjModel.from_xml_string(text)
    subject.opt.timestep = dt
    subject.opt.integrator = _THEIR_INTEGRATORS[integrator]
    data = mujoco.MjData(subject)
    if start.q is not None:
        data.qpos[:] = start.q
    if start.v is not None:
        data.qvel[:] = start.v
    steps = round(seconds / dt)
    first = np.empty(mujoco.mj_stateSize(subject, _FULL))
    mujoco.mj_getState(subject, data, first, _FULL)
    spec, control = _acting(subject, start, steps)
    mujoco.set_mju_user_warning(lambda _: None)  # which would be written to a file
    states, _ = rollout.rollout(subject, data, first[None], control, control_spec=spec, nstep=steps)
    mujoco.set_mju_user_warning(None)
    whole = np.concatenate([first[None], states[0]])[::every]
    complete = bool(np.allclose(np.diff(whole[:, 0]), every * dt))  # a reset begins anew
    nq, nv = subject.nq, subject.nv
    return Motion(whole[:, 0], whole[:, 1 : 1 + nq], whole[:, 1 + nq : 1 + nq + nv], complete)


def _acting(subject: Any, start: Start, steps: int) -> tuple[int, Array | None]:
    """What rollout takes: the kinds of controls, and their numbers."""
    parts, spec = [], 0
    if start.ctrl is not None:
        ctrl = np.atleast_2d(np.asarray(start.ctrl, dtype=float))
        parts.append(np.broadcast_to(ctrl, (steps, subject.nu)))
        spec |= int(mujoco.mjtState.mjSTATE_CTRL)
    if start.force is not None:
        wrenches = np.concatenate([np.zeros((1, 6)), start.force]).ravel()
        parts.append(np.broadcast_to(wrenches, (steps, len(wrenches))))
        spec |= int(mujoco.mjtState.mjSTATE_XFRC_APPLIED)
    if not parts:
        return int(mujoco.mjtState.mjSTATE_CTRL), None
    return spec, np.concatenate(parts, axis=1)[None]


def turned(q: Array, x: Array) -> Array:
    """Vectors x (n, 3) turned by quaternions w x y z (n, 4)."""
    axis = q[:, 1:]
    twice = 2.0 * np.cross(axis, x)
    result: Array = x + q[:, :1] * twice + np.cross(axis, twice)
    return result


class Both(NamedTuple):
    """A scene moved by MuJoCo, where that has the integrator, and by phyzctl."""

    theirs: Motion | None
    ours: Motion

    def measured(self, measure: Callable[[Motion], float]) -> Beside:
        """One figure of each."""
        return Beside(None if self.theirs is None else measure(self.theirs), measure(self.ours))


def both(
    scene: str,
    seconds: float,
    start: Start = REST,
    *,
    dt: float,
    integrator: str = "best",
    instead: str | None = None,
    every: int = 1,
    stiff: bool = False,
) -> Both:
    """The same run twice; MuJoCo by the integrator `instead` where it lacks ours."""
    theirs_by = instead or (integrator if integrator in _THEIR_INTEGRATORS else None)
    their = None
    if theirs_by is not None:
        their = theirs(scene, seconds, start, dt=dt, integrator=theirs_by, every=every)
    found = ours(scene, seconds, start, dt=dt, integrator=integrator, every=every, stiff=stiff)
    return Both(their, found)
