"""Writing SRDF: the least change, and what reads it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.formats.srdf import Srdf, new_srdf, parse_srdf, rewritten
from phyzctl.issues import Issues

FILE = """\
<?xml version="1.0"?>
<robot name="arm">
  <!-- by hand -->
  <disable_collisions link1="a" link2="b" reason="Adjacent"/>
  <disable_collisions link1="c" link2="a" reason="Never"/> <!-- seen in 10000 -->
  <disable_collisions link1="b" link2="c" reason="User"/>

  <group name="all"/>
</robot>
"""


def parsed(text: str | bytes) -> Srdf:
    issues = Issues()
    data = text.encode() if isinstance(text, str) else text
    srdf = parse_srdf(data, "a.srdf", issues)
    assert srdf is not None
    assert not issues.errors
    return srdf


def pairs_of(text: str | bytes) -> list[tuple[str, str, str]]:
    return [(pair.first, pair.second, pair.reason) for pair in parsed(text).disabled]


def test_what_is_wanted_and_there_stays_byte_by_byte() -> None:
    wanted = {("b", "a"): "Adjacent", ("a", "c"): "Never"}
    assert rewritten(parsed(FILE), wanted) == FILE.encode()


def test_a_wrong_reason_is_corrected_in_its_place() -> None:
    text = rewritten(parsed(FILE), {("a", "b"): "Adjacent", ("a", "c"): "Default"}).decode()
    assert text == FILE.replace('"Never"', '"Default"')


def test_what_is_not_wanted_goes_without_its_comment_and_the_users() -> None:
    gone = '\n  <disable_collisions link1="c" link2="a" reason="Never"/>'
    text = rewritten(parsed(FILE), {("a", "b"): "Adjacent"}).decode()
    assert text == FILE.replace(gone, "")


def test_keep_takes_nothing_away() -> None:
    assert rewritten(parsed(FILE), {}, keep=True) == FILE.encode()


def test_new_pairs_stand_behind_the_last() -> None:
    wanted = {("a", "b"): "Adjacent", ("a", "c"): "Never", ("a", "d"): "Never"}
    line = '  <disable_collisions link1="a" link2="d" reason="Never"/>\n'
    text = rewritten(parsed(FILE), wanted).decode()
    assert text == FILE.replace('reason="User"/>\n', f'reason="User"/>\n{line}')


def test_a_users_pair_is_not_written_twice() -> None:
    wanted = {("a", "b"): "Adjacent", ("a", "c"): "Never", ("c", "b"): "Never"}
    assert rewritten(parsed(FILE), wanted) == FILE.encode()


def test_twice_the_same_pair_becomes_one() -> None:
    line = '  <disable_collisions link1="b" link2="a" reason="Adjacent"/>\n'
    twice = FILE.replace("  <!-- by hand -->\n", f"  <!-- by hand -->\n{line}")
    wanted = {("a", "b"): "Adjacent", ("a", "c"): "Never"}
    assert len(pairs_of(twice)) == 4
    assert pairs_of(rewritten(parsed(twice), wanted)) == [
        ("b", "a", "Adjacent"),
        ("c", "a", "Never"),
        ("b", "c", "User"),
    ]


@pytest.mark.parametrize("text", ['<robot name="r"/>', '<robot name="r">\n</robot>\n'])
def test_a_file_without_pairs_gets_them_at_its_end(text: str) -> None:
    changed = rewritten(parsed(text), {("a", "b"): "Never"}).decode()
    assert '\n  <disable_collisions link1="a" link2="b" reason="Never"/>\n</robot>' in changed


def test_a_new_file_reads_back() -> None:
    text = new_srdf("a<b>", {("x", 'y"z'): "Never"})
    assert parsed(text).name == "a<b>"
    assert pairs_of(text) == [("x", 'y"z', "Never")]


_links = st.sampled_from("abcde")
_wanted = st.dictionaries(
    st.tuples(_links, _links).filter(lambda pair: pair[0] < pair[1]),
    st.sampled_from(["Adjacent", "Default", "Always", "Never"]),
)


@given(_wanted, _wanted)
def test_writing_gives_what_is_wanted_and_is_stable(
    first: dict[tuple[str, str], str], second: dict[tuple[str, str], str]
) -> None:
    text = rewritten(parsed(rewritten(parsed(FILE), first)), second)
    expected = {frozenset(pair): why for pair, why in second.items()}
    expected[frozenset("bc")] = "User"
    assert {frozenset(pair): why for *pair, why in pairs_of(text)} == expected
    assert len(pairs_of(text)) == len(expected)
    assert rewritten(parsed(text), second) == text
    for kept in ("<!-- by hand -->", "<!-- seen in 10000 -->", '<group name="all"/>'):
        assert kept.encode() in text
