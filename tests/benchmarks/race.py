"""A scene's steps by us and by MuJoCo, as fast as each goes: CPU time of one thread in one run.

Both start from the scene's first keyframe, with the file's own settings, and start again from there
before every round. MuJoCo makes all its steps in one call, without the clock that its Python
bindings give it, which costs 0.7 us a step.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.constraints import make_constraints
from phyzctl.model.contacts import make_contact_world
from phyzctl.model.dynamics import dynamics_arrays
from tests.benchmarks.test_kinematics import least_seconds

mujoco = pytest.importorskip("mujoco")

STEPS = 500
INTEGRATORS = {0: "euler", 1: "rk4", 3: "implicitfast"}


class Times(NamedTuple):
    """Seconds a step."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


@contextlib.contextmanager
def no_clock() -> Iterator[None]:
    """MuJoCo reads no clock within a step, as in a C program."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().splitlines() if maps.is_file() else []
    library = next((line.split()[-1] for line in lines if "libmujoco" in line), None)
    if library is None:
        yield
        return
    clock = ctypes.c_void_p.in_dll(ctypes.CDLL(library), "mjcb_time")
    before, clock.value = clock.value, None
    try:
        yield
    finally:
        clock.value = before


def race(path: Path, steps: int = STEPS) -> Times:
    """What a step costs."""
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data: Any = mujoco.MjData(theirs)
    robot = read(str(path), Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    constraints = make_constraints(model, native.Dynamics(model.system, **dynamics_arrays(model)))
    simulation = native.Simulation(
        constraints,
        make_contact_world(model),
        dt=model.dt,
        integrator=INTEGRATORS[theirs.opt.integrator],
    )
    state = model.keyframes[0].state if model.keyframes else model.default_state()
    start = native.States(*(getattr(state, part)[None].copy() for part in native.States._fields))
    acting = native.Acting(state.ctrl[None, None].copy())

    def ours() -> native.Simulated:
        return simulation.run(start, acting, steps=steps, every=steps)

    def loop() -> None:
        mujoco.mj_resetData(theirs, data)
        if theirs.nkey:
            mujoco.mj_resetDataKeyframe(theirs, data, 0)
        mujoco.mj_step(theirs, data, nstep=steps)

    with no_clock():
        loop()
        made = ours()
        assert np.isfinite(made.last.v).all()
        assert made.made[0] == steps
        mine, whole = least_seconds(ours, loop)
    return Times(mine / steps, whole / steps)
