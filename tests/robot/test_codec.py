"""Robot.to_json and back: exactly equal, whatever was stated."""

from __future__ import annotations

import enum
import json
import math
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phyzctl.geometry.shapes import Box, MeshShape, Sphere
from phyzctl.issues import Issues, Source
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.codec import CodecError
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, JointLimit, Link, Mesh
from phyzctl.robot.robot import Robot

_FINITE = st.floats(allow_nan=False)
_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    float: _FINITE,
    int: st.integers(-(2**53), 2**53),
    str: st.text(max_size=8),
    bool: st.booleans(),
    types.NoneType: st.none(),
}


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value that the annotation `kind` allows: every field of every element is tried."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _SCALARS:
        return _SCALARS[kind]
    if origin in (types.UnionType, typing.Union):
        return st.one_of([values_of(argument) for argument in arguments])
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return st.lists(values_of(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, arguments))
    if issubclass(kind, enum.Enum):
        return st.sampled_from(kind)
    if issubclass(kind, tuple):
        return st.builds(kind, *map(values_of, typing.get_type_hints(kind).values()))
    assert isinstance(kind, type)
    assert is_dataclass(kind)
    hints = typing.get_type_hints(kind)
    compared = [item for item in fields(kind) if item.compare]
    optional: dict[str, Any] = {}
    required: dict[str, Any] = {}
    for item in compared:
        has_default = item.default is not MISSING or item.default_factory is not MISSING
        (optional if has_default else required)[item.name] = values_of(hints[item.name])
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: kind(**given))


_ROBOTS = st.deferred(lambda: values_of(Robot))


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(_ROBOTS)
def test_any_robot_survives_the_way_through_json_text(robot: Robot) -> None:
    text = json.dumps(robot.to_json(), allow_nan=False)
    assert Robot.from_json(json.loads(text)) == robot


def test_places_and_resolved_files_stay_behind() -> None:
    builder = RobotBuilder("r", source=Source("r.urdf", 1))
    builder.link(Link("a", geoms=(Geom(MeshShape("m")),), source=Source("r.urdf", 2)))
    builder.mesh(Mesh("m", uri="m.stl", file="/tmp/m.stl"))
    text = json.dumps(builder.build().to_json())
    assert "urdf" not in text
    assert "/tmp" not in text


def test_defaults_are_left_out_and_the_form_is_readable() -> None:
    builder = RobotBuilder("pendulum").link(
        Link("base", Inertial(1.5, Inertia(1.0, 0.0, 0.0, 1.0, 0.0, 1.0)))
    )
    builder.collision("bob", Geom(Box((1.0, 2.0, 3.0)), name="box"))
    limit = JointLimit(-1.0, math.pi, velocity=math.inf)
    builder.joint(Joint("j", JointKind.REVOLUTE, "base", "bob", limit=limit))
    assert builder.build().to_json() == {
        "schema": "phyzctl.robot/1",
        "name": "pendulum",
        "links": [
            {"name": "base", "inertial": {"mass": 1.5, "inertia": [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]}},
            {
                "name": "bob",
                "geoms": [
                    {
                        "shape": {"type": "Box", "size": [1.0, 2.0, 3.0]},
                        "name": "box",
                        "role": "collision",
                    }
                ],
            },
        ],
        "joints": [
            {
                "name": "j",
                "kind": "revolute",
                "parent": "base",
                "child": "bob",
                "limit": {"lower": -1.0, "upper": math.pi, "velocity": "Infinity"},
            }
        ],
    }


GOOD: dict[str, Any] = {"name": "r", "links": [{"name": "a"}], "joints": []}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"links": {}}, r"\$\.links: expected a list, found dict"),
        ({"links": ["a"]}, r"\$\.links\[0\]: expected an object, found str"),
        ({"links": [{"nam": "a"}]}, r"\$\.links\[0\]: unknown key 'nam'; did you mean 'name'\?"),
        ({"links": [{}]}, r"\$\.links\[0\]: the key 'name' is missing"),
        ({"links": [{"name": 3}]}, r"\$\.links\[0\]\.name: expected str, found 3"),
        (
            {"links": [{"name": "a", "inertial": {"mass": True}}]},
            r"\$\.links\[0\]\.inertial\.mass: expected float, found True",
        ),
        (
            {"links": [{"name": "a", "inertial": {"inertia": [1, 2]}}]},
            r"\.inertia: expected 6 items, found 2",
        ),
        (
            {"links": [{"name": "a", "geoms": [{"shape": {"type": "Cube"}}]}]},
            r"\.shape: the type 'Cube' is not one of Sphere, Capsule",
        ),
        ({"joints": [{"name": "j", "kind": "hinge"}]}, r"'hinge' is not one of fixed, revolute"),
    ],
)
def test_a_wrong_document_is_one_sentence_with_the_place(
    change: dict[str, Any], sentence: str
) -> None:
    assert Robot.from_json(GOOD).links == (Link("a"),)
    with pytest.raises(CodecError, match=sentence):
        Robot.from_json(GOOD | change)


def test_numbers_without_a_json_form_come_back() -> None:
    builder = RobotBuilder("r").link(Link("a", Inertial(mass=math.inf)))
    builder.visual("a", Geom(Sphere(math.nan)))
    document = builder.build(Issues()).to_json()
    link = Robot.from_json(json.loads(json.dumps(document))).links[0]
    assert link.inertial == Inertial(mass=math.inf)
    shape = link.geoms[0].shape
    assert isinstance(shape, Sphere)
    assert shape.radius is not None
    assert math.isnan(shape.radius)
