"""Losses: one Issue a kind, with every place; and what reading has dissolved already."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl import codes
from phyzctl.formats import WRITABLE, WriteOptions, read, read_bytes, write
from phyzctl.formats.losses import Losses, dissolved
from phyzctl.issues import Issues, Severity, Source
from phyzctl.robot.elements import Joint
from tests.corpus import SAMPLES, files_with_root


def joint(name: str, line: int) -> Joint:
    return Joint(name, source=Source("r.urdf", line))


def test_one_kind_is_one_issue_at_its_first_place() -> None:
    losses = Losses()
    losses.add(codes.LOSS_OF_JOINT_VALUE, "no velocity limit", joint("a", 3))
    losses.add(codes.LOSS_OF_ACTUATOR, "no actuators", joint("m", 9))
    losses.add(codes.LOSS_OF_JOINT_VALUE, "no velocity limit", joint("b", 5))
    actuator, velocity = losses.issues()
    assert (actuator.code.id, actuator.message) == ("L001", "no actuators")
    assert velocity.message == "no velocity limit (2 times: joint 'a', joint 'b')"
    assert velocity.source == Source("r.urdf", 3)
    assert [place.source for place in velocity.related] == [Source("r.urdf", 5)]
    assert (velocity.severity, velocity.subject) == (Severity.WARNING, "joint 'a'")


def test_many_are_counted_and_some_named() -> None:
    losses = Losses()
    for number in range(100):
        losses.add(codes.LOSS_OF_NAME, "no name", joint(f"j{number}", number))
    (loss,) = losses.issues()
    assert loss.message.startswith("no name (100 times: joint 'j0', ")
    assert loss.message.endswith("joint 'j5', …)")
    assert len(loss.related) < 100


def test_an_element_without_a_place_or_a_name() -> None:
    losses = Losses()
    losses.add(codes.LOSS_OF_NAME, "no name", None)
    (loss,) = losses.issues()
    assert (loss.source, loss.subject, loss.message) == (None, None, "no name")


def test_shorthands_are_resolved_by_reading() -> None:
    text = (
        '<mujoco>\n<default><default class="a"/></default>\n<worldbody>\n'
        '<frame pos="0 0 1"><geom size="1"/></frame>\n</worldbody></mujoco>'
    )
    reading = read_bytes(text.encode(), "r.xml", Issues())
    found = [
        (loss.code.id, loss.source.line if loss.source else None)
        for loss in dissolved(reading.documents)
    ]
    assert found == [("L013", 2), ("L013", 4)]
    urdf = read_bytes(b'<robot name="r"><link name="a"/></robot>', "r.urdf", Issues())
    assert dissolved(urdf.documents) == []


_ALL = [*files_with_root(SAMPLES, "robot"), *files_with_root(SAMPLES, "mujoco")]


@pytest.mark.parametrize("path", [p for p in _ALL if "broken" in p.parts], ids=lambda p: p.name)
def test_whatever_is_wrong_with_a_robot_it_can_be_written(path: Path) -> None:
    robot = read(str(path), Issues()).robot
    for name in WRITABLE if robot is not None else ():
        assert robot is not None
        written = write(robot, name, WriteOptions(str(path.parent)))
        assert written.text
        assert all(loss.code.id[0] == "L" for loss in written.losses)


def test_comments_are_counted_once_a_conversion() -> None:
    text = "<!-- a --><robot name='r'><!-- b -->\n<link name='l'><!-- c --></link></robot>"
    (loss,) = dissolved(read_bytes(text.encode(), "r.urdf", Issues()).documents)
    assert (loss.code.id, loss.severity) == ("L015", Severity.INFO)
    assert loss.message == "a comment is left out (3 times)"
    assert loss.source is not None
    assert (loss.source.line, loss.source.column) == (1, 1)


def test_namespaces_stay_with_what_uses_them() -> None:
    text = (
        '<robot name="r" xmlns:drake="http://drake.mit.edu" xmlns="u"><link name="l"/>'
        '<drake:thing a="1"/></robot>'
    )
    robot = read_bytes(text.encode(), "r.urdf", Issues()).robot
    assert robot is not None
    written = write(robot, "urdf")
    assert written.losses == ()
    assert 'xmlns:drake="http://drake.mit.edu" xmlns="u">' in written.text
    assert read_bytes(written.text.encode(), "r.urdf", Issues()).robot == robot
    lost = write(robot, "mjcf").losses
    assert [loss.message for loss in lost] == ["MJCF has no <drake:thing> in a robot"]
