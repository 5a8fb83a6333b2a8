"""What a smoke test looks for, each test a code with its findings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from phyzctl import codes
from phyzctl.issues import Code, Finding
from phyzctl.model.body import WORLD
from phyzctl.model.joint import Joint, JointType
from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.robot.mechanism import TransmissionKind
from phyzctl.sim.dofs import joint_at, unit_at
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Block
from phyzctl.spatial import Array

Found = Iterator[tuple[Code, Finding]]

_DEEP = 0.005  # [m] at the start
_STILL = 1e-3  # [rad/s or m/s]
_DROP, _TILT = 0.05, math.radians(20.0)
_PRESSED, _SATURATED = 0.5, 0.2  # shares of the time
_NEAR = 1e-3  # of a range: where its end begins
_FELL = 0.1  # [rad or m]
_LOOKS = 20  # states whose contacts are looked at
_OPEN = {"m": 1e-3, "rad": 1e-2}


def at_start(engine: Engine, state: State) -> Found:
    """S960: what overlaps deeply in the first state, the deepest of a pair of bodies."""
    model = engine.model
    seen = set()
    for touch in sorted(engine.holding.touches(state.q), key=lambda each: each.distance):
        a, b = (model.geoms[number] for number in touch.geoms)
        if touch.distance < -_DEEP and (a.body, b.body) not in seen:
            seen.add((a.body, b.body))
            message = f"overlap by {-1000 * touch.distance:.3g} mm where the run starts"
            names = " and ".join(_body(model, each.body) for each in (a, b))
            element = b.element if b.body != WORLD else a.element
            yield codes.OVERLAP_AT_START, Finding(element, f"{names} {message}", subject=None)


def held(engine: Engine, block: Block, start: State) -> Found:
    """All that is to be said of two seconds of holding."""
    model = engine.model
    yield from _unsettled(model, block)
    yield from _base(model, block)
    yield from _limits(model, block)
    yield from _saturated(engine, block)
    yield from _undriven(model, block)
    yield from _never_parted(engine, block)
    yield from _open(engine, block, start)


def _unsettled(model: Model, block: Block) -> Found:
    last = np.abs(block.values["v"][-max(1, len(block.times) // 20) :]).max(axis=0)
    dof = int(np.argmax(last))
    if last[dof] > _STILL:
        joint = joint_at(model, dof)
        message = f"still moves at {last[dof]:.3g} {unit_at(model, dof)}/s at the end"
        yield codes.NEVER_SETTLES, Finding(_written(model, joint), message)


def _base(model: Model, block: Block) -> Found:
    q = block.values["q"]
    for index, joint in enumerate(model.joints):
        if joint.type is not JointType.FREE:
            continue
        place = q[:, model.q_slice(index)]
        drop = float(place[0, 2] - place[-1, 2])
        turned = float(np.clip(abs(place[0, 3:] @ place[-1, 3:]), 0.0, 1.0))
        tilt = 2.0 * math.acos(turned)
        if drop > _DROP or tilt > _TILT:
            message = f"drops by {100 * drop:.3g} cm and turns by {math.degrees(tilt):.3g} degrees"
            yield codes.BASE_FALLS, Finding(_written(model, joint), message)


def _limits(model: Model, block: Block) -> Found:
    for index, joint in enumerate(model.joints):
        low, high = joint.range
        if joint.nv != 1 or not joint.limited or not low < high:
            continue
        q = block.values["q"][:, model.q_offsets[index]]
        slack = _NEAR * (min(high, 1e3) - max(low, -1e3))
        share = float(np.mean((q <= low + slack) | (q >= high - slack)))
        if share > _PRESSED:
            message = f"is at its limit for {share:.0%} of the time, at {q[-1]:.4g} {_unit(joint)}"
            yield codes.LIMIT_PRESSED, Finding(joint.element, message)


def _saturated(engine: Engine, block: Block) -> Found:
    model = engine.model
    for number, actuator in enumerate(model.actuators):
        low, high = actuator.ctrl_range
        ctrl = block.values["ctrl"][:, number]
        share = _share(ctrl, low, high)
        if low < high and share > _SATURATED:
            message = f"its control is at the end of its range for {share:.0%} of the time"
            yield codes.ACTUATOR_SATURATED, Finding(actuator.element, message)
    looked = _looks(block)
    pulls = engine.forces(looked, looked["ctrl"]).motors
    for index, joint in enumerate(model.joints):
        low, high = joint.force_range
        if joint.nv == 1 and low < high and max(-low, high) < np.inf:
            share = _share(pulls[:, model.v_offsets[index]], low, high)
            if share > _SATURATED:
                message = f"its motors give all they can ({high:.3g}) for {share:.0%} of the time"
                yield codes.ACTUATOR_SATURATED, Finding(joint.element, message)


def _share(values: Array, low: float, high: float) -> float:
    slack = _NEAR * (high - low) if np.isfinite(high - low) else 0.0
    return float(np.mean((values <= low + slack) | (values >= high - slack)))


def _undriven(model: Model, block: Block) -> Found:
    if not model.actuators:
        return
    held_ones = _held_joints(model)
    for index, joint in enumerate(model.joints):
        if joint.nv != 1 or index in held_ones:
            continue
        q = block.values["q"][:, model.q_offsets[index]]
        moved = float(np.abs(q - q[0]).max())
        if moved > _FELL:
            message = f"nothing drives it, and it moves by {moved:.3g} {_unit(joint)}"
            yield codes.UNDRIVEN_FALLS, Finding(joint.element, message)


def _held_joints(model: Model) -> set[int]:
    """Joints that something drives or ties."""
    on_joint = (TransmissionKind.JOINT, TransmissionKind.JOINT_IN_PARENT)
    found = {each.target for each in model.actuators if each.transmission in on_joint}
    found |= {joint for tendon in model.tendons for joint, _ in tendon.terms}
    for equality in model.equalities:
        if equality.objects == "joint":
            found |= {end for end in (equality.first, equality.second) if end is not None}
    return found | {i for i, joint in enumerate(model.joints) if joint.mimic is not None}


def _never_parted(engine: Engine, block: Block) -> Found:
    model, looked = engine.model, _looks(block)["q"]
    counts: Counter[tuple[int, int]] = Counter()
    for q in looked:
        bodies = {
            tuple(sorted(model.geoms[number].body for number in touch.geoms))
            for touch in engine.holding.touches(q)
            if touch.distance < 0.0
        }
        counts.update(pair for pair in bodies if len(pair) == 2 and WORLD not in pair)
    for (a, b), count in sorted(counts.items()):
        if count == len(looked):
            message = (
                f"touches {_body(model, a)} all the time; see what phyzctl exclude suggest says"
            )
            yield codes.PAIR_NEVER_PARTS, Finding(model.bodies[b].link, message)


def _open(engine: Engine, block: Block, start: State) -> Found:
    end = start.copy()
    end.q, end.v = block.values["q"][-1].copy(), block.values["v"][-1].copy()
    for number, miss, unit in engine.holding.misses(end.q, end.v, engine.active(end)):
        if miss > _OPEN[unit]:
            equality = engine.model.equalities[number]
            message = f"misses by {miss:.3g} {unit} at the end"
            yield codes.EQUALITY_OPEN, Finding(equality.element, message)


def _looks(block: Block) -> dict[str, Array]:
    """Some samples, evenly spread."""
    rows = np.unique(np.linspace(0, len(block.times) - 1, _LOOKS).round().astype(int))
    return {name: values[rows] for name, values in block.values.items()}


def _written(model: Model, joint: Joint) -> object:
    return joint.element or model.bodies[joint.body].link


def _unit(joint: Joint) -> str:
    return "m" if joint.type is JointType.SLIDE else "rad"


def _body(model: Model, body: int) -> str:
    return "the world" if body == WORLD else f"link {model.bodies[body].name!r}"
