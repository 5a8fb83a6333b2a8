"""Fixes made: the fault is gone, nothing else of the robot or of the file is touched."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from phyzctl.config import Config
from phyzctl.formats import Reading, read, read_bytes
from phyzctl.formats.xmltree import Document
from phyzctl.issues import Code, Edit, Fix, Issue, Issues, Severity, Source
from phyzctl.lint.engine import lint
from phyzctl.lint.fix import Check, Repaired, repair, usable, withheld, write
from phyzctl.robot.codec import encode
from tests.corpus import SAMPLES
from tests.lint.support import AXIS, applied, joint
from tests.lint.test_cases import cases

EVERYTHING = Config(pedantic=True)
BROKEN = sorted(path for path in (SAMPLES / "broken").rglob("*.*") if path.suffix != ".md")


def check_of(path: Path, config: Config = EVERYTHING) -> Check:
    def check(data: bytes | None) -> tuple[Reading, list[Issue]]:
        issues = Issues()
        name = str(path)
        reading = read(name, issues) if data is None else read_bytes(data, name, issues)
        return reading, lint(reading, issues, config)

    return check


def repaired(path: Path, config: Config = EVERYTHING, *, unsafe: bool = True) -> Repaired:
    return repair(check_of(path, config), str(path), unsafe=unsafe)


def fixable() -> list[Path]:
    """Every broken sample of which an Issue says what bytes to change."""
    found = []
    for path in BROKEN:
        reading, issues = check_of(path)(None)
        if any(usable(issue, reading.documents) for issue in issues):
            found.append(path)
    return found


FIXABLE = fixable()
every_fixable = pytest.mark.parametrize("path", FIXABLE, ids=lambda path: path.name)


def test_the_samples_show_fixes_of_many_kinds() -> None:
    assert len(FIXABLE) >= 20


# Over all broken samples


@every_fixable
def test_a_fixed_file_is_clean_of_that_code_and_shows_nothing_new(path: Path) -> None:
    _, before = check_of(path)(None)
    result = repaired(path)
    mended = {issue.code.id for issue in before if issue.fix and issue.fix.edits}
    assert result.fixed == 1
    assert mended.isdisjoint(issue.code.id for issue in result.issues)
    assert {issue.code.id for issue in result.issues} <= {issue.code.id for issue in before}


@every_fixable
def test_fixing_twice_is_fixing_once(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    write(repaired(copy).changes)
    again = repaired(copy)
    assert (again.fixed, again.changes) == (0, ())


# sample: what of the Robot differs afterwards; the sentence that the sample stands for says no more
DIFFERS = {
    "A701_ros2_control_joint_unknown.urdf": r"/extensions/0/text",
    "A713_ctrlrange_swapped.xml": r"/actuators/drive/ctrl_range/.",
    "C921_exclude_twice.xml": r"/excludes/1/.*",
    "I105_triangle_rounded.urdf": r"/links/arm/inertial/inertia/.",
    "I110_tensor_in_kg_mm2.urdf": r"/links/arm/inertial/inertia/.",
    "J201_limits_swapped.urdf": r"/joints/elbow/limit/(lower|upper)",
    "J201_range_swapped.xml": r"/joints/elbow/limit/(lower|upper)",
    "J204_limits_in_degrees.urdf": r"/joints/elbow/limit/(lower|upper)",
    "J206_rpy_in_degrees.urdf": r"/joints/elbow/rpy/2",
    "J207_limit_rounded_past_pi.urdf": r"/joints/elbow/limit/upper",
    "J209_travel_in_millimetres.urdf": r"/joints/elbow/limit/upper",
    "J210_axis_not_unit.urdf": r"/joints/elbow/axis/.",
    "J212_axis_missing.urdf": r"",  # what is written is the default
    "J213_continuous_with_bounds.urdf": r"/joints/elbow/limit/(lower|upper)",
    "M010_range_in_radians.xml": r"/joints/elbow/limit/(lower|upper)",
    "M011_euler_in_radians.xml": r"/joints/elbow/quat/.",
    "N305_gazebo_reference_unknown.urdf": r"/extensions/0/text",
    "X003_attribute_misspelt.urdf": r"/joints/elbow/limit/upper",
    "X003_attribute_misspelt.xml": r"/joints/elbow/(extensions/0|dynamics/damping).*",
    "X003_element_misspelt.urdf": r"/links/arm/(extensions|geoms)/0/.*",
    "X007_tensor_entry_twice.urdf": r"",  # it repeats what is said
    "X011_decimal_comma.urdf": r"/links/arm/inertial/mass",
    "X016_blank_between_attributes_missing.urdf": r"",  # readers repair it the same way
}


def leaves(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{at}/{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            name = item.get("name", index) if isinstance(item, dict) else index
            yield from leaves(item, f"{at}/{name}")
    else:
        yield at, value


@every_fixable
def test_the_robot_is_otherwise_the_same(path: Path) -> None:
    before = dict(leaves(encode(check_of(path)(None)[0].robot)))
    after = dict(leaves(encode(repaired(path).reading.robot)))
    differing = {at for at in before.keys() | after.keys() if before.get(at) != after.get(at)}
    allowed = re.compile(DIFFERS.get(path.name, "$."))
    assert {at for at in differing if not allowed.fullmatch(at)} == set()
    assert bool(differing) == bool(DIFFERS.get(path.name))


@every_fixable
def test_the_file_has_the_edits_of_the_fix_and_no_other(path: Path) -> None:
    reading, issues = check_of(path)(None)
    (fix,) = [fix for issue in issues if (fix := usable(issue, reading.documents))]
    (change,) = repaired(path).changes
    assert change.after.decode() == applied(path.read_text("utf-8"), fix.edits)


@every_fixable
def test_git_applies_the_diff(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copy = Path(path.name)
    copy.write_bytes(path.read_bytes())
    (change,) = repaired(copy).changes
    done = subprocess.run(
        ["git", "apply", "-"], input=change.diff().encode(), check=False, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert copy.read_bytes() == change.after


CASES = [path for path in cases("bad") if not path.name.startswith("E")]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_every_bad_case_settles_and_shows_nothing_new(path: Path) -> None:
    _, before = check_of(path)(None)
    result = repaired(path)
    assert {issue.code.id for issue in result.issues} <= {issue.code.id for issue in before}
    assert not any(usable(issue, result.reading.documents) for issue in result.issues)


# Which fixes


def test_only_safe_fixes_are_made_unasked() -> None:
    path = SAMPLES / "broken" / "J201_limits_swapped.urdf"
    result = repaired(path, unsafe=False)
    assert (result.fixed, result.changes) == (0, ())
    assert [issue.code.id for issue in withheld(result.issues, result.reading.documents)] == [
        "J201"
    ]
    assert not list(withheld(*_judged(SAMPLES / "broken" / "J210_axis_not_unit.urdf")))


def _judged(path: Path) -> tuple[list[Issue], Any]:
    reading, issues = check_of(path)(None)
    return issues, reading.documents


def test_fixes_on_the_same_bytes_are_made_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    limit = '<limit lower="180" upper="-90" effort="1" velocity="1"/>'
    path.write_text(joint(AXIS + limit))
    found = {issue.code.id for issue in check_of(path)(None)[1]}
    result = repaired(path)
    write(result.changes)
    assert "J201" in found
    assert result.fixed == 2
    assert 'lower="-1.5707963267948966" upper="3.141592653589793"' in path.read_text()


def test_the_text_is_repaired_before_all_else(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text(
        joint('<axis xyz="0 0 2"/><limit lower="-1"upper="1" effort="1" velocity="1"/>')
    )
    result = repaired(path, unsafe=False)
    (change,) = result.changes
    wanted = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
    assert change.after.decode() == joint(wanted)
    assert result.fixed == 2


def test_what_the_configuration_ignores_is_not_fixed() -> None:
    path = SAMPLES / "broken" / "J210_axis_not_unit.urdf"
    assert repaired(path, Config(ignore=("J210",))).changes == ()


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", "<!-- Ä€ -->\r\n".encode()])
def test_bytes_before_and_line_ends_stay(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "a.urdf"
    text = start + joint('<axis xyz="0 0 2"/>', "continuous").replace("\n", "\r\n").encode()
    path.write_bytes(text)
    (change,) = repaired(path, unsafe=False).changes
    assert change.after == text.replace(b'"0 0 2"', b'"0 0 1"')


def test_utf16_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_bytes(joint('<axis xyz="0 0 2"/>', "continuous").encode("utf-16"))
    result = repaired(path)
    assert "J210" in {issue.code.id for issue in result.issues}
    assert result.changes == ()


def test_a_file_is_named_as_xml_can_say_it(tmp_path: Path) -> None:
    (tmp_path / "A&B.stl").write_text("solid\nendsolid\n")
    path = tmp_path / "a.urdf"
    visual = '<visual><geometry><mesh filename="a&amp;b.stl"/></geometry></visual>'
    path.write_text(f'<robot name="r"><link name="a">{visual}</link></robot>')
    (change,) = repaired(path, Config(select=("F",)), unsafe=False).changes
    assert b'filename="A&amp;B.stl"' in change.after


def test_a_file_that_is_included_is_fixed_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(
        '<mujoco><worldbody><body name="arm"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>'
        '<joint name="hinge" range="10 -10"/></body></worldbody></mujoco>'
    )
    path = tmp_path / "robot.xml"
    path.write_text('<mujoco><include file="arm.xml"/></mujoco>')
    result = repaired(path)
    (change,) = result.changes
    assert change.path == str(tmp_path / "arm.xml")
    assert b'range="-10 10"' in change.after
    assert "J201" not in {issue.code.id for issue in result.issues}


# Edits made for the test

CODE = Code("J299", "made-up", Severity.WARNING)
TEXT = b'<robot name="r"><link name="a"/></robot>'


def issue_with(*edits: tuple[int, int, str], message: str = "m") -> Issue:
    made = tuple(Edit("a.urdf", start, end, text) for start, end, text in edits)
    return Issue(CODE, Severity.WARNING, message, Source("a.urdf"), fix=Fix("f", True, made))


def scripted(*passes: list[Issue]) -> Check:
    """A check that finds what is stated, pass by pass, and nothing afterwards."""
    waiting = list(passes)

    def check(data: bytes | None) -> tuple[Reading, list[Issue]]:
        reading = read_bytes(TEXT if data is None else data, "a.urdf", Issues())
        return reading, waiting.pop(0) if waiting else []

    return check


def after(*issues: Issue) -> bytes:
    result = repair(scripted(list(issues)), "a.urdf")
    return result.changes[0].after if result.changes else TEXT


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ([[(13, 14, "x")], [(28, 29, "b")]], b'<robot name="x"><link name="b"/></robot>'),
        ([[(28, 29, "b")], [(13, 14, "x")]], b'<robot name="x"><link name="b"/></robot>'),
        ([[(13, 14, "x")], [(13, 14, "y")]], b'<robot name="x"><link name="a"/></robot>'),
        ([[(13, 14, "x")], [(14, 14, "y")]], b'<robot name="x"><link name="a"/></robot>'),
        ([[(14, 14, "x")], [(14, 14, "y")]], b'<robot name="rx"><link name="a"/></robot>'),
        ([[(16, 32, "")], [(28, 29, "b")]], b'<robot name="r"></robot>'),
        (
            [[(13, 14, "x"), (28, 29, "b")], [(28, 29, "c")]],
            b'<robot name="x"><link name="b"/></robot>',
        ),
        ([[(13, 14, "x"), (13, 14, "x")]], b'<robot name="x"><link name="a"/></robot>'),
        ([[(12, 15, "'x'"), (13, 14, "y")]], TEXT),
        ([[]], TEXT),
    ],
    ids=["two", "order", "same", "edge", "insert", "inside", "first", "twice", "itself", "none"],
)
def test_the_first_of_two_that_meet_is_made(
    edits: list[list[tuple[int, int, str]]], wanted: bytes
) -> None:
    assert after(*(issue_with(*each) for each in edits)) == wanted


def test_a_fix_that_does_not_help_comes_to_an_end() -> None:
    def check(data: bytes | None) -> tuple[Reading, list[Issue]]:
        return read_bytes(TEXT if data is None else data, "a.urdf", Issues()), [
            issue_with((14, 14, "x"))
        ]

    with pytest.raises(RuntimeError, match=r"the fixes of J299 in 'a\.urdf' come to no end"):
        repair(check, "a.urdf")


def test_a_fix_that_breaks_the_file_is_our_bug() -> None:
    with pytest.raises(RuntimeError, match="the fixes of J299 break"):
        after(issue_with((0, 1, "")))


def test_a_fix_of_an_unknown_file_or_without_edits_is_none() -> None:
    document = read_bytes(TEXT, "a.urdf", Issues()).documents
    assert usable(issue_with((0, 0, "")), document) is not None
    assert usable(issue_with((0, 0, "")), {}) is None
    assert usable(issue_with(), document) is None


def test_text_that_the_encoding_lacks_is_not_written() -> None:
    document = Document("a.urdf", TEXT, "latin-1")
    assert usable(issue_with((0, 0, "€")), {"a.urdf": document}) is None
