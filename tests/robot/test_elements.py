"""What elements know of themselves."""

from __future__ import annotations

import dataclasses

import pytest

from phyzctl.geometry.shapes import Sphere
from phyzctl.issues import Source
from phyzctl.robot import elements, mechanism
from phyzctl.robot.elements import Geom, GeomRole, JointKind, JointLimit, Link, Material
from phyzctl.robot.subject import describe


@pytest.mark.parametrize(
    ("limit", "stated"),
    [
        (JointLimit(), False),
        (JointLimit(lower=0.0), True),
        (JointLimit(effort=0.0), True),
        (JointLimit(jerk=0.0), True),
        (JointLimit(source=Source("r.urdf", 3)), False),
    ],
)
def test_written_as_zero_is_not_the_same_as_not_written(limit: JointLimit, stated: bool) -> None:
    assert limit.stated is stated


@pytest.mark.parametrize(
    ("limit", "kind", "resolved"),
    [
        (JointLimit(), JointKind.REVOLUTE, JointLimit(0.0, 0.0, 0.0, 0.0)),
        (JointLimit(), JointKind.PRISMATIC, JointLimit(0.0, 0.0, 0.0, 0.0)),
        (JointLimit(), JointKind.CONTINUOUS, JointLimit()),
        (JointLimit(effort=5.0), JointKind.REVOLUTE, JointLimit(0.0, 0.0, 5.0, None)),
        (JointLimit(upper=2.0), JointKind.REVOLUTE, JointLimit(0.0, 2.0, None, None)),
        (JointLimit(effort=5.0), JointKind.CONTINUOUS, JointLimit(effort=5.0)),
    ],
)
def test_urdf_defaults_of_a_limit(limit: JointLimit, kind: JointKind, resolved: JointLimit) -> None:
    assert limit.resolved(kind) == resolved


def test_kinds_know_what_moves() -> None:
    turning = {kind for kind in JointKind if kind.turns}
    assert turning == {JointKind.REVOLUTE, JointKind.CONTINUOUS}
    assert {kind for kind in JointKind if kind.has_axis} == turning | {
        JointKind.PRISMATIC,
        JointKind.PLANAR,
    }


def test_a_material_with_neither_colour_nor_texture_is_a_reference() -> None:
    assert Material("red").is_reference
    assert not Material("red", texture="red.png").is_reference
    assert not Material(None, (1.0, 0.0, 0.0, 1.0)).is_reference


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (Link("base"), "link 'base'"),
        (Geom(Sphere(1.0), "g", role=GeomRole.COLLISION), "collision 'g'"),
        (Geom(Sphere(1.0)), None),
        (mechanism.Keyframe("home"), "keyframe 'home'"),
        (mechanism.Actuator("motor", "j"), "actuator 'motor'"),
    ],
)
def test_how_elements_are_called(element: object, words: str | None) -> None:
    assert describe(element) == words


def _element_classes() -> list[type]:
    return [
        kind
        for module in (elements, mechanism)
        for kind in vars(module).values()
        if isinstance(kind, type) and dataclasses.is_dataclass(kind)
    ]


@pytest.mark.parametrize("kind", _element_classes(), ids=lambda kind: kind.__name__)
def test_elements_are_frozen_and_their_place_takes_no_part_in_comparison(kind: type) -> None:
    for item in dataclasses.fields(kind):
        if item.name in ("source", "file"):
            assert not item.compare
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(object.__new__(kind), "source", None)  # noqa: B010
    assert kind.__doc__
