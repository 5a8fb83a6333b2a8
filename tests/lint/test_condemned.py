"""What an earlier error says about later findings, place by place."""

from __future__ import annotations

import pytest

from phyzctl.formats.xmltree import Document, Node, parse
from phyzctl.issues import Code, Issue, Issues, Severity
from phyzctl.lint.condemned import Condemned
from phyzctl.lint.locate import place_below

TEXT = """<robot>
  <joint name="hinge" type="revolute">
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="1"/>
  </joint>
  <link name="arm">
    <inertial>
      <mass value="1"/>
      <inertia ixx="1" iyy="1"/>
    </inertial>
  </link>
</robot>
"""
CODE = Code("X010", "number-unreadable", Severity.ERROR)


@pytest.fixture
def document() -> Document:
    return parse(TEXT.encode(), "a.urdf", Issues())


def element(document: Document, tag: str) -> Node:
    assert document.root is not None
    found = document.root.find(tag)
    assert found is not None
    return found


# element, where the error is, where the finding is, and whether the error explains it
CASES = [
    ("joint", None, None, True),
    ("joint", None, "limit@lower", True),
    ("joint", None, "type", True),
    ("joint", "type", "limit@", True),
    ("joint", "type", None, True),
    ("joint", "name", "name", True),
    ("joint", "name", "limit@lower", False),
    ("joint", "name", None, False),
    ("joint", "limit@lower", "limit@lower", True),
    ("joint", "limit@lower", "limit@upper", True),
    ("joint", "limit@lower", "limit@", True),
    ("joint", "limit@lower", "limit@effort", True),
    ("joint", "limit@lower", "axis@xyz", False),
    ("joint", "limit@lower", None, False),
    ("joint", "limit@lower", "name", False),
    ("joint", "dynamics@", "dynamics@damping", True),
    ("joint", "dynamics@", "mimic@", False),
    ("joint", "dynamics@", "limit@lower", False),
    ("link", "inertial/inertia@ixx", "inertial@", True),
    ("link", "inertial/inertia@ixx", "inertial/inertia@", True),
    ("link", "inertial/inertia@ixx", "inertial/mass@value", False),
    ("link", "inertial@", "inertial/mass@value", True),
    ("link", "inertial/mass@value", None, False),
]


@pytest.mark.parametrize(("tag", "error", "finding", "explained"), CASES)
def test_an_error_explains(
    document: Document, tag: str, error: str | None, finding: str | None, *, explained: bool
) -> None:
    node = element(document, tag)
    condemned = Condemned({"a.urdf": document})
    condemned.add_place(place_below(node, error))
    assert condemned.covers(place_below(node, finding)) is explained


def test_only_errors_condemn(document: Document) -> None:
    joint = element(document, "joint")
    for severity in Severity:
        condemned = Condemned({"a.urdf": document})
        condemned.add(Issue(CODE, severity, "", joint.source))
        assert condemned.covers(place_below(joint, None)) is (severity is Severity.ERROR)


def test_an_error_elsewhere_says_nothing(document: Document) -> None:
    condemned = Condemned({"a.urdf": document})
    condemned.add(Issue(CODE, Severity.ERROR, "", element(document, "link").source))
    condemned.add(Issue(CODE, Severity.ERROR, ""))
    assert not condemned.covers(place_below(element(document, "joint"), "limit@lower"))


def test_nor_does_the_same_offset_of_another_file(document: Document) -> None:
    other = parse(TEXT.encode(), "b.urdf", Issues())
    condemned = Condemned({"a.urdf": document, "b.urdf": other})
    condemned.add(Issue(CODE, Severity.ERROR, "", element(other, "joint").source))
    assert not condemned.covers(place_below(element(document, "joint"), None))
