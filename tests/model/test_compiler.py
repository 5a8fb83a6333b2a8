"""compile: what it reports, and that no value of a Robot stops it."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phyzctl.geometry.shapes import Box, Capsule, MeshShape, Sphere
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Dynamics,
    Geom,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
    Mesh,
    Mimic,
    Surface,
)
from phyzctl.robot.mechanism import (
    Actuator,
    CompilerSettings,
    Exclude,
    Gain,
    Keyframe,
    Option,
    Tendon,
    TendonStep,
)
from phyzctl.robot.robot import Robot
from tests.model.robots import UNIT, chain, compiled


@pytest.mark.parametrize(
    ("settings_", "word"),
    [
        (CompilerSettings(fuse_static=True), "fusestatic"),
        (CompilerSettings(discard_visual=True), "discardvisual"),
        (CompilerSettings(align_free=True), "alignfree"),
    ],
)
def test_what_mjcf_asks_of_a_compiler_and_is_not_done_is_reported(
    settings_: CompilerSettings, word: str
) -> None:
    issues = Issues()
    robot = chain(JointKind.CONTINUOUS, dialect="mjcf").settings(settings_).build()
    compiler.compile(robot, issues=issues)
    assert [(issue.code.id, word in issue.message) for issue in issues] == [("U001", True)]


def test_a_plain_robot_reports_nothing() -> None:
    assert compiled(chain(JointKind.CONTINUOUS, dialect="mjcf"))[1] == []


def test_a_mesh_that_cannot_be_read_is_reported_once() -> None:
    builder = RobotBuilder("r", dialect="mjcf").link(Link("world"))
    builder.mesh(Mesh("gone", file="/nowhere/gone.stl"))
    for name in ("a", "b"):
        builder.link(Link(name, geoms=(Geom(MeshShape("gone")),)))
        builder.joint(Joint(f"to {name}", JointKind.CONTINUOUS, "world", name))
    model, codes = compiled(builder)
    assert codes == ["F604"]
    assert model.bodies[0].mass == 0.0


def test_meshes_are_not_read_where_no_mass_depends_on_them() -> None:
    builder = RobotBuilder("r", dialect="urdf").link(Link("base", Inertial(1.0, UNIT)))
    builder.mesh(Mesh("gone", file="/nowhere/gone.stl")).visual("base", Geom(MeshShape("gone")))
    assert compiled(builder)[1] == []


def rich_robot() -> Robot:
    """One of everything, for values to be broken in."""
    limit = JointLimit(-1.0, 1.0, 5.0, 2.0)
    builder = RobotBuilder("rich", dialect="mjcf").link(Link("world"))
    geoms = (
        Geom(Sphere(0.1), "ball", surface=Surface(friction=(1.0, 0.1), solref=(0.02, 1.0))),
        Geom(Box((0.1, 0.2, 0.3)), "box", mass=1.0),
        Geom(Capsule(0.1, 0.2), "rod", density=10.0),
    )
    passive = Dynamics(0.1, 0.2, 0.3, 0.4, 0.5, spring_damper=(0.1, 1.0))
    for parent, child, kind in (
        ("world", "a", JointKind.REVOLUTE),
        ("a", "b", JointKind.SPHERICAL),
        ("b", "c", JointKind.PLANAR),
        ("world", "d", JointKind.FLOATING),
    ):
        named = tuple(replace(geom, name=f"{geom.name} {child}") for geom in geoms)
        mass = Inertial(1.0, UNIT) if child != "b" else None
        builder.link(Link(child, mass, named, gravcomp=1.0))
        joint = Joint(f"j{child}", kind, parent, child, limit=limit, dynamics=passive)
        builder.joint(replace(joint, actuator_gravcomp=True))
    mimic = Mimic("ja", 2.0, 0.1)
    builder.joint(Joint("je", JointKind.PRISMATIC, "a", "e", limit=limit, mimic=mimic))
    path = (TendonStep("joint", "ja", 1.0), TendonStep("joint", "je", 2.0))
    builder.tendon(Tendon("cord", False, path, actuator_force_range=(-1.0, 1.0)))
    law: dict[str, Any] = {"bias": Gain.AFFINE, "bias_parameters": (0.0, -1.0, 0.0)}
    builder.actuator(Actuator("servo", "ja", damping_ratio=1.0, inherit_range=1.0, **law))
    builder.exclude(Exclude("a", "d")).keyframe(Keyframe("home", 0.0, (0.1, 0.2), (0.3,)))
    builder.option(Option(timestep=0.002, gravity=(0.0, 0.0, -9.81)))
    return builder.settings(CompilerSettings(bound_mass=0.1, balance_inertia=True)).build(Issues())


def broken(value: Any, draw: Any) -> Any:
    """The value with some numbers replaced by NaN, infinity, zero or huge ones."""
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            item.name: broken(getattr(value, item.name), draw)
            for item in fields(value)
            if item.name not in KEPT
        }
        return replace(value, **changed)
    if isinstance(value, Inertia):
        return Inertia(*(broken(entry, draw) for entry in value))
    if isinstance(value, tuple):
        return tuple(broken(entry, draw) for entry in value)
    if isinstance(value, float) and draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -1.0, 1e300, 1e-300]))
    return value


KEPT = frozenset({"source", "name", "parent", "child", "kind", "version", "dialect"})


@settings(max_examples=60)
@given(st.data())
def test_no_number_stops_the_compiler_or_what_comes_after(data: st.DataObject) -> None:
    robot = broken(rich_robot(), data.draw)
    with np.errstate(all="ignore"):
        model = compiler.compile(robot, issues=Issues())
        model.validate()
        state = model.default_state()
        model.kinematics(state.q)
        model.keyframe_state("home")
        model.actuator_forces_at(state.ctrl, state.q, state.v)
    assert model.nq == 1 + 4 + 3 + 7 + 1


@pytest.mark.parametrize("name", ["xyz", "rpy", "axis"])
def test_a_joint_may_lack_what_could_not_be_read(name: str) -> None:
    robot = rich_robot()
    joints = tuple(replace(joint, **{name: None}) for joint in robot.joints)  # type: ignore[arg-type]
    model = compiler.compile(replace(robot, joints=joints))
    assert np.isfinite(model.kinematics(model.default_state().q).bodies).all()


@pytest.mark.parametrize("name", ["shape", "xyz", "rpy", "surface", "mass", "density"])
def test_a_geom_may_lack_what_could_not_be_read(name: str) -> None:
    robot = rich_robot()
    links = tuple(
        replace(link, geoms=tuple(replace(geom, **{name: None}) for geom in link.geoms))  # type: ignore[arg-type]
        for link in robot.links
    )
    model = compiler.compile(replace(robot, links=links))
    assert model.ngeom == 12


def test_compiling_twice_gives_the_same_numbers() -> None:
    robot = rich_robot()
    first, second = compiler.compile(robot).arrays, compiler.compile(robot).arrays
    for item in fields(first):
        name = item.name
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes(), name
