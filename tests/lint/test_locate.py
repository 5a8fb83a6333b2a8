"""From attribute paths to places."""

from __future__ import annotations

import pytest

from phyzctl.formats.xmltree import Document, Node, parse
from phyzctl.issues import Finding, Issues, Source
from phyzctl.lint.locate import node_of, place_below, place_of, split_path
from phyzctl.robot.elements import Link

TEXT = """<robot>
  <link name="arm">
    <inertial>
      <mass value="1"/>
    </inertial>
    <child ref="elbow"/>
  </link>
</robot>
"""


@pytest.fixture
def document() -> Document:
    return parse(TEXT.encode(), "a.urdf", Issues())


@pytest.fixture
def link(document: Document) -> Node:
    assert document.root is not None
    return document.root.children[0]


PATHS = {
    # path: tag of the innermost element, what is missing, line, column
    None: ("link", (), 2, 3),
    "name": ("link", (), 2, 9),
    "inertial@": ("inertial", (), 3, 5),
    "inertial/mass@": ("mass", (), 4, 7),
    "inertial/mass@value": ("mass", (), 4, 13),
    "inertial/mass@unit": ("mass", ("@unit",), 4, 7),
    "inertial/inertia@ixx": ("inertial", ("inertia",), 3, 5),
    "visual/geometry@": ("link", ("visual", "geometry"), 2, 3),
    "colour": ("link", ("@colour",), 2, 3),
    "=elbow": ("child", (), 6, 12),
    "=arm": ("link", (), 2, 9),
    "=nowhere": ("link", (), 2, 3),
}


@pytest.mark.parametrize("path", PATHS)
def test_place_below(link: Node, path: str | None) -> None:
    tag, missing, line, column = PATHS[path]
    place = place_below(link, path)
    assert (place.node.tag, place.missing) == (tag, missing)
    assert (place.source.line, place.source.column) == (line, column)
    assert place.chain[0] is link


def test_split_path() -> None:
    assert split_path(None) == ([], None)
    assert split_path("lower") == ([], "lower")
    assert split_path("limit@") == (["limit"], None)
    assert split_path("inertial/mass@value") == (["inertial", "mass"], "value")


def test_an_element_of_the_robot_is_found_by_its_source(document: Document, link: Node) -> None:
    documents = {"a.urdf": document}
    assert node_of(Link("arm", source=link.source), documents) is link
    assert node_of(link, documents) is link
    for source in (
        None,
        Source("a.urdf"),
        Source("b.urdf", offset=3),
        Source("a.urdf", offset=999),
    ):
        assert node_of(Link("arm", source=source), documents) is None


def test_a_finding_on_what_was_built_in_code_has_no_place(document: Document) -> None:
    assert place_of(Finding(Link("arm"), "", "name"), {"a.urdf": document}) is None
