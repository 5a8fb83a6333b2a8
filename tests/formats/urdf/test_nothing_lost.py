"""Whatever a URDF says reaches the Robot or an Issue: no attribute can change unnoticed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phyzctl import formats
from phyzctl.formats.xmltree import Document, Node, parse
from phyzctl.issues import Issues
from tests.corpus import SAMPLES, robot_files

TIER_S_LARGEST = 40_000  # bytes: reading a file once per attribute is quadratic in its size

Outcome = tuple[object, list[str]]


def outcome(data: bytes, path: str) -> Outcome:
    """Everything that reading says: the Robot as JSON, and every Issue without its place."""
    issues = Issues()
    robot = formats.read_bytes(data, path, issues).robot
    said = sorted(f"{issue.code} {issue.subject} {issue.message}" for issue in issues)
    return (robot.to_json() if robot else None), said


def mutations(document: Document) -> Iterator[tuple[Node, str, bytes]]:
    """The file once for each attribute, with another value in it."""
    assert document.root is not None
    for node in document.root.iter():
        for name, value in node.attributes.items():
            if name.startswith("xmlns"):
                continue  # says nothing of the robot
            span = node.attribute_span(name)
            assert span is not None
            changed = another(value).encode()
            yield node, name, document.data[: span[0]] + changed + document.data[span[1] :]


def another(value: str) -> str:
    """A value of the same form: a number elsewhere, a word with a letter more."""
    first, *rest = value.split() or [""]
    try:
        return " ".join([repr(float(first) + 0.015625), *rest])
    except ValueError:
        return f"{value}x"


def lost(data: bytes, path: str) -> list[str]:
    """The attributes whose change goes unnoticed."""
    document = parse(data, path, Issues())
    before = outcome(data, path)
    return [
        f"{node.element_path}@{name}"
        for node, name, mutated in mutations(document)
        if outcome(mutated, path) == before
    ]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.urdf")), ids=lambda path: path.stem)
def test_no_attribute_of_a_sample_is_lost(path: Path) -> None:
    assert lost(path.read_bytes(), str(path)) == []


@pytest.mark.slow
def test_no_attribute_of_tier_s_is_lost() -> None:
    for path in robot_files("s", "robot"):
        data = path.read_bytes()
        if len(data) <= TIER_S_LARGEST:
            assert lost(data, str(path)) == []
