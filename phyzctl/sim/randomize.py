"""Ranges from which a batch draws, per run: parameters of the robot, and where it starts.

A file of ranges is TOML, a table for each quantity, a range [low, high] for each name; a name may
be a pattern such as `*_knee`. `mass` (links), `damping`, `friction`, `armature` (joints) and `gain`
(actuators, their bias too) multiply what the description states; `q` and `v` (joints of one degree
of freedom) are added to where the run starts.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from phyzctl.errors import NotFoundError, did_you_mean
from phyzctl.formats.tomltable import Table, parse_toml
from phyzctl.issues import Issues
from phyzctl.model.followers import place_followers
from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.records import dataclass
from phyzctl.robot.elements import Dynamics, Geom, Inertia, Joint, Link
from phyzctl.robot.mechanism import Actuator
from phyzctl.robot.robot import Robot

Range = tuple[float, float]
Drawn = Mapping[str, Mapping[str, float]]

_FACTORS = ("mass", "damping", "friction", "armature", "gain")
_STATES = ("q", "v")
_WATER = 1000.0  # [kg/m³] what geoms weigh that don't say


@dataclass(frozen=True)
class Ranges:
    """What is drawn: per quantity, ranges by name or pattern."""

    mass: Mapping[str, Range]
    damping: Mapping[str, Range]
    friction: Mapping[str, Range]
    armature: Mapping[str, Range]
    gain: Mapping[str, Range]
    q: Mapping[str, Range]
    v: Mapping[str, Range]

    def draw(self, model: Model, seed: int, run: int) -> dict[str, dict[str, float]]:
        """The numbers of one run by quantity and name, the same wherever they are drawn.

        Raises NotFoundError for a name that is not there.
        """
        rng = np.random.Generator(np.random.PCG64([seed, run]))
        found: dict[str, dict[str, float]] = {}
        for quantity in (*_FACTORS, *_STATES):
            known = sorted(_names(model, quantity))
            for pattern, (low, high) in sorted(getattr(self, quantity).items()):
                meant = fnmatch.filter(known, pattern)
                if not meant:
                    hint = did_you_mean(pattern, known) or f"; there are {', '.join(known)}"
                    raise NotFoundError(f"{quantity}: nothing is called {pattern!r}{hint}")
                for name in meant:
                    found.setdefault(quantity, {})[name] = float(rng.uniform(low, high))
        return found


def _names(model: Model, quantity: str) -> Iterator[str]:
    if quantity == "mass":
        return (link.name for link in model.robot.links)
    if quantity == "gain":
        return (actuator.name for actuator in model.actuators)
    if quantity in _STATES:
        return (joint.name for joint in model.joints if joint.nv == 1 and joint.mimic is None)
    return (joint.name for joint in model.joints if joint.nv and joint.element is not None)


def load_ranges(data: bytes, path: str, issues: Issues) -> Ranges | None:
    """The ranges in a file's bytes; faults go to `issues`, with which it is None."""
    table = parse_toml(data, path, issues)
    if table is None:
        return None
    found = {item.name: _ranges(table, item.name) for item in fields(Ranges)}
    table.finish()
    return None if issues.errors else Ranges(**found)


def _ranges(table: Table, quantity: str) -> dict[str, Range]:
    part = table.table(quantity)
    found: dict[str, Range] = {}
    for name in list(part.values):
        numbers = part.vector(name, 2)
        if numbers is None:
            continue
        low, high = numbers
        if low > high:
            part.outside(name, f"must be a range, not {low:g} to {high:g}")
        else:
            found[name] = (low, high)
    return found


def varied(robot: Robot, drawn: Drawn) -> Robot:
    """The robot with what was drawn for its parameters."""
    mass, gain = drawn.get("mass", {}), drawn.get("gain", {})
    return replace(
        robot,
        links=tuple(_heavier(link, mass.get(link.name)) for link in robot.links),
        joints=tuple(_otherwise(joint, drawn) for joint in robot.joints),
        actuators=tuple(_stronger(each, gain.get(each.name or "")) for each in robot.actuators),
    )


def displaced(model: Model, state: State, drawn: Drawn) -> State:
    """A copy of the state with what was drawn for positions and velocities added."""
    moved = state.copy()
    for name, value in drawn.get("q", {}).items():
        moved.q[model.q_slice(name)] += value
    for name, value in drawn.get("v", {}).items():
        moved.v[model.v_slice(name)] += value
    place_followers(model, moved.q, moved.v)
    return moved


def _heavier(link: Link, factor: float | None) -> Link:
    if factor is None:
        return link
    if link.inertial is None:
        return replace(link, geoms=tuple(_denser(geom, factor) for geom in link.geoms))
    written = link.inertial
    tensor = written.inertia
    return replace(
        link,
        inertial=replace(
            written,
            mass=None if written.mass is None else factor * written.mass,
            inertia=None if tensor is None else Inertia(*(factor * each for each in tensor)),
        ),
    )


def _denser(geom: Geom, factor: float) -> Geom:
    if geom.mass is not None:
        return replace(geom, mass=factor * geom.mass)
    return replace(geom, density=factor * (_WATER if geom.density is None else geom.density))


def _otherwise(joint: Joint, drawn: Drawn) -> Joint:
    factors = {name: drawn.get(name, {}).get(joint.name) for name in _FACTORS[1:4]}
    stated = {name: factor for name, factor in factors.items() if factor is not None}
    if not stated or joint.dynamics is None:
        return joint
    passive: Dynamics = joint.dynamics
    changes = {
        name: factor * getattr(passive, name)
        for name, factor in stated.items()
        if getattr(passive, name) is not None
    }
    return replace(joint, dynamics=replace(passive, **changes))


def _stronger(actuator: Actuator, factor: float | None) -> Actuator:
    if factor is None:
        return actuator
    return replace(
        actuator,
        gain_parameters=_scaled(actuator.gain_parameters, factor),
        bias_parameters=_scaled(actuator.bias_parameters, factor),
    )


def _scaled(numbers: Sequence[Any], factor: float) -> tuple[float, ...]:
    return tuple(factor * each for each in numbers)
