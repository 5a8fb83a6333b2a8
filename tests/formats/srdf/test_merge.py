"""An SRDF's pairs become excludes and come back; what it says besides is kept or told."""

from __future__ import annotations

from dataclasses import replace

from phyzctl.formats import read_bytes, write
from phyzctl.formats.format import WriteOptions
from phyzctl.formats.losses import Losses
from phyzctl.formats.srdf import Srdf, parse_srdf, srdf_of, with_pairs_of
from phyzctl.issues import Issues
from phyzctl.robot.mechanism import Exclude
from phyzctl.robot.robot import Robot

CHAIN = "".join(
    f'<joint name="{a}{b}" type="fixed"><parent link="{a}"/><child link="{b}"/></joint>'
    for a, b in ("ab", "bc", "cd")
)
TEXT = """<?xml version="1.0"?>
<robot name="r">
  <!-- the arm -->
  <group name="arm"><link name="a"/></group>
  <disable_collisions link1="a" link2="c" reason="Never"/>
  <disable_collisions link2="a" link1="d" reason="as I say"/>
  <disable_collisions link1="a" link2="gone" reason="Never"/>
  <disable_default_collisions link="b"/>
  <enable_collisions link1="b" link2="d"/>
</robot>
"""


def robot(kind: str = "fixed") -> Robot:
    shape = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
    links = "".join(f'<link name="{name}">{shape}</link>' for name in "abcd")
    text = f'<robot name="r">{links}{CHAIN.replace("fixed", kind)}</robot>'
    found = read_bytes(text.encode(), "r.urdf", Issues()).robot
    assert found is not None
    return found


def srdf(text: str = TEXT) -> Srdf:
    found = parse_srdf(text.encode(), "r.srdf", Issues())
    assert found is not None
    return found


def pairs(of: Robot) -> set[tuple[str, ...]]:
    return {tuple(sorted((each.first, each.second))) for each in of.excludes}


def test_pairs_become_excludes_and_what_has_no_place_is_told() -> None:
    losses = Losses()
    found = with_pairs_of(robot(), srdf(), losses, whole=False)
    assert pairs(found) == {("a", "c"), ("a", "d"), ("a", "b"), ("b", "c")}
    reasons = {tuple(sorted((e.first, e.second))): e.reason for e in found.excludes}
    assert reasons["a", "c"] == "Never"
    assert reasons["a", "d"] == "as I say"
    told = [(loss.code.id, loss.source.line if loss.source else None) for loss in losses.issues()]
    assert told == [("L005", 7), ("L009", 4)]


def test_what_the_file_says_itself_is_no_loss_when_it_is_written() -> None:
    losses = Losses()
    with_pairs_of(robot(), srdf(), losses, whole=True)
    assert [loss.code.id for loss in losses.issues()] == ["L005"]


def test_an_exclude_that_is_there_stays_one() -> None:
    before = replace(robot(), excludes=(Exclude("c", "a"),))
    found = with_pairs_of(before, srdf(), Losses(), whole=True)
    assert sum({each.first, each.second} == {"a", "c"} for each in found.excludes) == 1


def test_the_text_stays_and_new_pairs_are_added() -> None:
    found = with_pairs_of(robot(), srdf(), Losses(), whole=True)
    assert srdf_of(found, srdf()) == TEXT.encode()
    more = replace(found, excludes=(*found.excludes, Exclude("d", "c", reason="Adjacent")))
    text = srdf_of(more, srdf()).decode()
    new = '<disable_collisions link1="d" link2="c" reason="Adjacent"/>'
    assert text.replace(f"  {new}\n", "") == TEXT
    assert pairs(with_pairs_of(robot(), srdf(text), Losses(), whole=True)) == pairs(more)


def test_without_a_file_one_is_made() -> None:
    found = replace(robot(), excludes=(Exclude("a", "c"), Exclude("b", "d", reason="Never")))
    again = srdf(srdf_of(found, None).decode())
    assert again.name == "r"
    assert [(pair.first, pair.second, pair.written) for pair in again.disabled] == [
        ("a", "c", "User"),
        ("b", "d", "Never"),
    ]


def test_a_urdf_says_that_it_has_no_excludes_unless_an_srdf_has_them() -> None:
    welded = replace(robot(), excludes=(Exclude("a", "d"),))
    assert write(welded, "urdf").losses == ()
    moving = replace(robot("continuous"), excludes=(Exclude("a", "d"),))
    assert [loss.code.id for loss in write(moving, "urdf").losses] == ["L005"]
    assert write(moving, "urdf", WriteOptions(srdf=True)).losses == ()
