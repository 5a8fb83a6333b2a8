"""Reading SRDF: what each element becomes, and what a broken one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.errors import NotFoundError, UnreadableError
from phyzctl.formats.srdf import Srdf, parse_srdf, read_srdf
from phyzctl.issues import Issues

FULL = """\
<?xml version="1.0"?>
<robot name="arm">
  <group name="all"><chain base_link="base" tip_link="hand"/><link name="base"/></group>
  <group_state name="home" group="all">
    <joint name="elbow" value="0.5"/>
    <joint name="ball" value="0.1 0.2 0.3"/>
  </group_state>
  <passive_joint name="caster"/>
  <virtual_joint name="v" type="fixed" parent_frame="world" child_link="base"/>
  <end_effector name="e" group="all" parent_link="hand"/>
  <disable_default_collisions link="cover"/>
  <enable_collisions link1="cover" link2="hand"/>
  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>
  <disable_collisions link1="base" link2="hand" reason="we never go there"/>
  <disable_collisions link1="upper" link2="hand"/>
</robot>
"""


def read(text: str) -> tuple[Srdf, list[str]]:
    issues = Issues()
    srdf = parse_srdf(text.encode(), "a.srdf", issues)
    assert srdf is not None
    return srdf, [issue.code.id for issue in issues]


def test_every_element_is_read() -> None:
    srdf, codes = read(FULL)
    assert codes == []
    assert srdf.name == "arm"
    assert srdf.passive_joints == ("caster",)
    assert srdf.unpaired == ("cover",)
    assert [(pair.first, pair.second) for pair in srdf.enabled] == [("cover", "hand")]
    state = srdf.states[0]
    assert (state.name, state.group, dict(state.joints)) == (
        "home",
        "all",
        {"elbow": 0.5, "ball": 0.1},
    )


def test_reasons_that_nobody_knows_are_the_users() -> None:
    srdf, _ = read(FULL)
    assert [(pair.reason, pair.written) for pair in srdf.disabled] == [
        ("Adjacent", "Adjacent"),
        ("User", "we never go there"),
        ("User", None),
    ]
    assert [pair.source.line for pair in srdf.disabled] == [13, 14, 15]


def test_a_default_takes_a_link_out_of_every_test_but_the_enabled() -> None:
    srdf, _ = read(FULL)
    found = {pair.key for pair in srdf.excluded(("base", "upper", "hand", "cover"))}
    assert found == {
        frozenset(pair)
        for pair in [
            ("base", "upper"),
            ("base", "hand"),
            ("upper", "hand"),
            ("cover", "base"),
            ("cover", "upper"),
        ]
    }


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('<disable_collision link1="a" link2="b"/>', "X003"),
        ('<disable_collisions link1="a"/>', "X006"),
        ('<disable_collisions link1="a" link_2="b"/>', "X003"),
        ('<passive_joint name=""/>', ""),
        ("<feet/>", "X004"),
        (
            '<group_state name="s" group="g"><joint name="j" value="1,5"/></group_state>',
            "X010",
        ),
        (
            '<group_state name="s" group="g"><joint name="j" value="nan"/></group_state>',
            "X012",
        ),
    ],
)
def test_slips_are_told(line: str, code: str) -> None:
    _, codes = read(f'<robot name="r">{line}</robot>')
    assert code in codes or (not code and not codes)


def test_what_is_broken_leaves_the_rest() -> None:
    text = '<robot name="r"><disable_collisions link1="a"/>'
    srdf, _ = read(f'{text}<disable_collisions link1="a" link2="b" reason="Never"/></robot>')
    assert [pair.key for pair in srdf.disabled] == [frozenset("ab")]


@pytest.mark.parametrize("text", ["", "<robot", "<!DOCTYPE robot><robot name='a'/>"])
def test_what_is_no_xml_is_none(text: str) -> None:
    issues = Issues()
    assert parse_srdf(text.encode(), "a.srdf", issues) is None
    assert issues.errors


def test_another_root_is_no_srdf() -> None:
    issues = Issues()
    assert parse_srdf(b"<mujoco/>", "a.srdf", issues) is None
    assert [issue.code.id for issue in issues] == ["X002"]


def test_paths(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_srdf(str(tmp_path / "no.srdf"), Issues())
    with pytest.raises(UnreadableError):
        read_srdf(str(tmp_path), Issues())
    (tmp_path / "a.srdf").write_text(FULL)
    srdf = read_srdf(str(tmp_path / "a.srdf"), Issues())
    assert srdf is not None
    assert len(srdf.disabled) == 3
