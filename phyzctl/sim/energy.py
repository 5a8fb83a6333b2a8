"""Energy of a moving Model: what moves, its weight, its springs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from phyzctl import codes, native
from phyzctl.issues import Code, Finding
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.sim.engine import Engine
from phyzctl.sim.start import Start
from phyzctl.spatial import Array

_RISE = 0.1  # of the greatest kinetic energy
_SECONDS, _SAMPLES = 1.0, 50
_SILENT = ("constraint", "actuation", "damper")
_SPRUNG = (JointType.HINGE, JointType.SLIDE)


def conservative(model: Model) -> Model:
    """The Model without all that takes energy away or brings it in."""
    option = model.robot.option
    flags = {**dict(option.flags), **dict.fromkeys(_SILENT, False)}
    quiet = replace(model.robot, option=replace(option, flags=tuple(flags.items())))
    return compile_model(quiet, base=model.base)


def has_known_energy(model: Model) -> bool:
    """False where springs act whose energy is not summed here, or weight is carried off."""
    springs = any(tendon.element.stiffness for tendon in model.tendons) or any(
        joint.stiffness for joint in model.joints if joint.type not in _SPRUNG
    )
    return not springs and not any(body.link.gravcomp for body in model.bodies)


def energies(engine: Engine, q: Array, v: Array) -> tuple[Array, Array]:
    """Kinetic and potential energy (n,) [J] in states `q` (n, nq), `v` (n, nv)."""
    model = engine.model
    M = np.stack([engine.mass_matrix(row) for row in q])
    kinetic = 0.5 * np.einsum("ni,nij,nj->n", v, M, v)
    places = engine.places(q)
    turns = native.pose_matrices(np.ascontiguousarray(places.reshape(-1, 7)))
    turns = turns.reshape(*places.shape[:2], 4, 4)
    com = np.stack([body.com for body in model.bodies])
    centres = places[:, :, :3] + np.einsum("nbij,bj->nbi", turns[:, :, :3, :3], com)
    masses = np.array([body.mass for body in model.bodies])
    potential = -np.einsum("b,nbi,i->n", masses, centres, np.asarray(model.gravity))
    for number, joint in enumerate(model.joints):
        if joint.type in _SPRUNG and joint.stiffness:
            away = q[:, model.q_offsets[number]] - joint.springref
            potential += 0.5 * joint.stiffness * away**2
    return kinetic, potential


def energy_findings(engine: Engine, start: Start) -> Iterator[tuple[Code, Finding]]:
    """S953: energy that comes from the integrator, in a second of free motion."""
    if not has_known_energy(engine.model):
        return
    free = Engine(conservative(engine.model), dt=engine.dt, integrator=engine.integrator)
    state = start.state.copy()
    state.ctrl = np.zeros(free.nctrl)
    steps = max(1, round(_SECONDS / engine.dt))
    every = max(1, steps // _SAMPLES)
    moved = free.advance(state, state.ctrl[np.newaxis], steps=steps, every=every)
    if not moved.made:
        return
    kinetic, potential = energies(free, moved.parts["q"], moved.parts["v"])
    total = kinetic + potential
    rise, most = float(total.max() - total[0]), float(kinetic.max())
    if rise > _RISE * most > 0.0:
        message = (
            f"energy grows by {rise:.3g} J in {_SECONDS:g} s of free motion, "
            f"{rise / most:.0%} of what moves, in steps of {engine.dt:g} s by {engine.integrator}"
        )
        yield codes.ENERGY_GROWS, Finding(engine.model.robot, message)
