"""Equalities by index."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import JointKind, Site
from phyzctl.robot.mechanism import Equality, EqualityKind, Tendon, TendonStep
from tests.model.robots import world_robot


def robot() -> RobotBuilder:
    builder = world_robot(JointKind.CONTINUOUS, JointKind.CONTINUOUS, dialect="mjcf")
    builder.site("b", Site("mark"))
    return builder.tendon(Tendon("cord", False, (TendonStep("joint", "to a", 1.0),)))


@pytest.mark.parametrize(
    ("written", "objects", "first", "second"),
    [
        (Equality(EqualityKind.CONNECT, "a", "b"), "body", 0, 1),
        (Equality(EqualityKind.WELD, "b"), "body", 1, -1),
        (Equality(EqualityKind.WELD, "b", "world"), "body", 1, -1),
        (Equality(EqualityKind.CONNECT, "mark", "mark", objects="site"), "site", 0, 0),
        (Equality(EqualityKind.JOINT, "to b", "to a"), "joint", 1, 0),
        (Equality(EqualityKind.JOINT, "to b"), "joint", 1, None),
        (Equality(EqualityKind.TENDON, "cord"), "tendon", 0, None),
    ],
)
def test_ends_are_indices(written: Equality, objects: str, first: int, second: int | None) -> None:
    (equality,) = compiler.compile(robot().equality(written).build()).equalities
    assert (equality.objects, equality.first, equality.second) == (objects, first, second)
    assert equality.element is written


def test_ends_that_are_not_there_are_reported_and_left_out() -> None:
    built = robot().equality(Equality(EqualityKind.JOINT, "to a", "to b")).build()
    broken = replace(built.equalities[0], second="to c")
    issues = Issues()
    model = compiler.compile(replace(built, equalities=(broken,)), issues=issues)
    assert model.neq == 0
    assert [issue.code.id for issue in issues] == ["N305"]


def test_flexes_are_left_to_the_readers_issue() -> None:
    issues = Issues()
    flex = Equality(EqualityKind.FLEX, "cloth")
    assert compiler.compile(robot().equality(flex).build(), issues=issues).neq == 0
    assert list(issues) == []
