"""Findings that say the same become one."""

from __future__ import annotations

from phyzctl.formats.xmltree import parse
from phyzctl.issues import Edit, Finding, Fix, Issues, Related, Severity, Source
from phyzctl.lint.fold import fold
from phyzctl.robot.elements import Joint

SAME = "effort is 0"


def finding(
    name: str, message: str = SAME, fix: Fix | None = None, severity: Severity | None = None
) -> Finding:
    joint = Joint(name, source=Source("a.urdf", len(name)))
    return Finding(joint, message, fix=fix, severity=severity)


def test_one_alone_stays_as_it_is() -> None:
    alone = finding("a")
    assert list(fold([alone])) == [alone]
    assert list(fold([])) == []


def test_the_first_gives_the_place_and_the_others_are_named() -> None:
    (merged,) = fold([finding("a"), finding("bb"), finding("ccc")])
    assert merged.element.name == "a"
    assert merged.message == "effort is 0; likewise 2 more: bb, ccc"
    assert merged.related == (
        Related("joint 'bb' too", Source("a.urdf", 2)),
        Related("joint 'ccc' too", Source("a.urdf", 3)),
    )


def test_a_long_list_is_cut_but_its_count_and_places_are_not() -> None:
    (merged,) = fold(finding(f"j{n}") for n in range(40))
    assert merged.message == "effort is 0; likewise 39 more: j1, j2, j3, j4, j5, j6, j7, j8, …"
    assert len(merged.related) == 39


def test_other_messages_and_severities_stay_apart_in_order_of_appearance() -> None:
    found = [
        finding("a"),
        finding("b", "velocity is 0"),
        finding("c", severity=Severity.INFO),
        finding("d"),
    ]
    merged = list(fold(found))
    assert [f.element.name for f in merged] == ["a", "b", "c"]
    assert merged[0].message.endswith("likewise 1 more: d")


def fix(start: int, *, safe: bool = True) -> Fix:
    return Fix("mend", safe, (Edit("a.urdf", start, start, "x"),))


def test_the_fix_mends_them_all() -> None:
    (merged,) = fold([finding("a", fix=fix(1)), finding("b", fix=fix(2))])
    assert merged.fix == Fix("mend", True, fix(1).edits + fix(2).edits)


def test_the_fix_is_safe_only_if_all_are() -> None:
    (unsafe,) = fold([finding("a", fix=fix(1)), finding("b", fix=fix(2, safe=False))])
    assert unsafe.fix is not None
    assert not unsafe.fix.safe
    (partial,) = fold([finding("a", fix=fix(1)), finding("b")])
    assert partial.fix is not None
    assert not partial.fix.safe
    assert len(partial.fix.edits) == 1


def test_elements_of_the_document_go_by_the_name_around_them_or_their_line() -> None:
    text = b'<robot>\n<gazebo/>\n<gazebo/>\n<link name="arm"><inertia/></link>\n</robot>'
    root = parse(text, "a.urdf", Issues()).root
    assert root is not None
    nodes = [root.children[0], root.children[1], root.children[2].children[0]]
    (merged,) = fold(Finding(node, SAME) for node in nodes)
    assert merged.message == "effort is 0; likewise 2 more: line 3, link 'arm'"
