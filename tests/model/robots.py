"""Small robots that the tests of the model compile, stated through the builder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from phyzctl.geometry.shapes import Box, Sphere
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import (
    Geom,
    Inertia,
    Inertial,
    Joint,
    JointKind,
    JointLimit,
    Link,
)

UNIT = Inertia(1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
WIDE = JointLimit(-3.0, 3.0)


def inertial(mass: float = 1.0) -> Inertial:
    return Inertial(mass, Inertia(*(mass * entry for entry in UNIT)))


def chain(*kinds: JointKind, dialect: str | None = None, **fields: Any) -> RobotBuilder:
    """Links l0, l1, … with 1 kg and a ball each, joint jN moves lN; each 1 m above the last."""
    builder = RobotBuilder("chain", dialect=dialect)
    for number in range(len(kinds) + 1):
        builder.link(Link(f"l{number}", inertial(), (Geom(Sphere(0.1), name=f"g{number}"),)))
    for number, kind in enumerate(kinds, start=1):
        limit = WIDE if kind in (JointKind.REVOLUTE, JointKind.PRISMATIC) else JointLimit()
        names = (f"j{number}", kind, f"l{number - 1}", f"l{number}")
        builder.joint(replace(Joint(*names, xyz=(0.0, 0.0, 1.0), limit=limit), **fields))
    return builder


def chain_model(*kinds: JointKind, **options: Any) -> Model:
    return compiler.compile(chain(*kinds).build(), **options)


def world_robot(*kinds: JointKind, dialect: str | None = None) -> RobotBuilder:
    """Links a, b, … each on the world by a joint of its own, and a floor."""
    builder = RobotBuilder("many", dialect=dialect)
    builder.link(Link("world", geoms=(Geom(Box((9.0, 9.0, 0.1)), name="floor"),)))
    for letter, kind in zip("abcdef", kinds, strict=False):
        builder.link(Link(letter, inertial(), (Geom(Sphere(0.1), name=f"ball {letter}"),)))
        builder.joint(Joint(f"to {letter}", kind, "world", letter, limit=WIDE))
    return builder


def compiled(builder: RobotBuilder) -> tuple[Model, list[str]]:
    """The Model and the codes that building and compiling report."""
    issues = Issues()
    model = compiler.compile(builder.build(issues), issues=issues)
    return model, [issue.code.id for issue in issues]
