"""What a compiler says for a file and its includes, and the fix that lets it say radian."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from phyzctl.config import Config
from phyzctl.formats import read
from phyzctl.issues import Issue, Issues
from phyzctl.lint.compilers import compilers, reads_degrees
from phyzctl.lint.context import Context
from phyzctl.lint.engine import lint
from tests.lint.support import applied

BODY = '<body name="{name}"><joint name="{name}_j" range="-1.5 1.5"/><geom size="0.1"/></body>'
DEGREES = '<compiler angle="degree"/>'
RADIANS = '<compiler angle="radian"/>'


def write(folder: Path, **files: str) -> str:
    """Files of those names; the path of `main`."""
    for name, content in files.items():
        (folder / f"{name}.xml").write_text(f"<mujoco>{content}</mujoco>", encoding="utf-8")
    return str(folder / "main.xml")


def world(name: str) -> str:
    return f"<worldbody>{BODY.format(name=name)}</worldbody>"


def context(path: str) -> Context:
    reading = read(path, Issues())
    assert reading.robot is not None
    return Context(reading.robot, reading, Config())


def judge(path: str, code: str) -> list[Issue]:
    issues = Issues()
    return lint(read(path, issues), issues, Config(select=(code,)))


@pytest.mark.parametrize(
    ("stated", "degrees"),
    [
        ("", True),
        ("<compiler/>", True),
        (DEGREES, True),
        (RADIANS, False),
        (RADIANS + DEGREES, True),
        (DEGREES + "<compiler/>" + RADIANS, False),
    ],
)
def test_the_last_compiler_that_states_a_unit_counts(
    tmp_path: Path, stated: str, degrees: bool
) -> None:
    path = write(tmp_path, main=stated + world("arm"))
    assert reads_degrees(context(path)) is degrees
    model = mujoco.MjModel.from_xml_path(path)
    assert bool(model.jnt_range[0, 1] < 0.1) is degrees


def test_compilers_of_includes_come_where_they_are_included(tmp_path: Path) -> None:
    path = write(tmp_path, main=f'{DEGREES}<include file="part.xml"/>', part=RADIANS + world("a"))
    found = context(path)
    assert [node.get("angle") for node in compilers(found)] == ["degree", "radian"]
    assert not reads_degrees(found)
    (issue,) = judge(path, "M012")
    assert issue.source is not None
    assert issue.source.path.endswith("part.xml")
    assert [related.message for related in issue.related] == ["overridden here"]


def test_an_attached_model_has_a_compiler_of_its_own(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        main=f"""{RADIANS}<asset><model name="m" file="part.xml"/></asset>
          <worldbody><frame><attach model="m" body="b" prefix="p_"/></frame></worldbody>""",
        part=DEGREES + world("b"),
    )
    assert [node.get("angle") for node in compilers(context(path))] == ["radian"]
    assert judge(path, "M012") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DEGREES, RADIANS),
        ("<compiler/>", RADIANS),
        ("", RADIANS + "\n  "),
        (RADIANS + DEGREES, RADIANS + RADIANS),
    ],
)
def test_the_fix_makes_the_file_read_radians(tmp_path: Path, before: str, after: str) -> None:
    path = write(tmp_path, main=before + world("arm"))
    (issue,) = judge(path, "M010")
    assert issue.fix is not None
    assert not issue.fix.safe
    text = applied(Path(path).read_text(encoding="utf-8"), issue.fix.edits)
    assert text == f"<mujoco>{after}{world('arm')}</mujoco>"
    assert mujoco.MjModel.from_xml_string(text).jnt_range[0, 1] == pytest.approx(1.5)


def hinges(*ranges: str) -> str:
    bodies = (
        f'<body><joint name="j{i}" range="{r}"/><geom size="0.1"/></body>'
        for i, r in enumerate(ranges)
    )
    return f"<worldbody>{''.join(bodies)}</worldbody>"


@pytest.mark.parametrize(
    ("ranges", "count"),
    [
        (("-1.5 1.5", "-1.5 1.5", "-90 90"), 1),
        (("-1.5 1.5", "-90 90"), 0),  # half isn't most
        (("-3.2 3.2",), 0),  # wider than a turn in radians: it isn't one
        (("-3.1416 3.1416",), 1),
        (("0 6.2832",), 1),
        (("0 6.4",), 0),
        (("0 0",), 0),
    ],
)
def test_most_hinges_must_be_small(tmp_path: Path, ranges: tuple[str, ...], count: int) -> None:
    assert len(judge(write(tmp_path, main=hinges(*ranges)), "M010")) == count


def test_ranges_in_a_class_point_at_the_class(tmp_path: Path) -> None:
    content = """<default><default class="c"><joint range="-1.5 1.5"/></default></default>
      <worldbody><body><joint class="c"/><geom size="0.1"/></body></worldbody>"""
    (issue,) = judge(write(tmp_path, main=content), "M010")
    assert issue.source is not None
    assert issue.source.line in (1, 2)


@pytest.mark.parametrize(
    ("euler", "count"),
    [
        ("0 0 1.57", 1),
        ("1.5708 0 -3.14159", 1),
        ("0 0 90", 0),
        ("0 0 0", 0),
        ("0 0 1.5", 0),
        ("1.57 0 10", 0),
        ("zero 0 1.57", 0),
    ],
)
def test_euler_of_quarter_turns(tmp_path: Path, euler: str, count: int) -> None:
    content = f'<worldbody><body euler="{euler}"><geom size="0.1"/></body></worldbody>'
    found = judge(write(tmp_path, main=content), "M011")
    assert len(found) == count
    radians = judge(write(tmp_path, main=RADIANS + content), "M011")
    assert radians == []


def test_one_euler_is_fixed_and_several_are_listed(tmp_path: Path) -> None:
    body = '<body euler="0 0 {angle}"><geom size="0.1"/></body>'
    one = f"<worldbody>{body.format(angle='-1.5708')}</worldbody>"
    (issue,) = judge(write(tmp_path, main=one), "M011")
    assert issue.fix is not None
    assert [edit.text for edit in issue.fix.edits] == ["0 0 -90"]
    two = f"<worldbody>{body.format(angle='1.57')}{body.format(angle='3.14')}</worldbody>"
    (issue,) = judge(write(tmp_path, main=two), "M011")
    assert issue.fix is None
    assert len(issue.related) == 1
