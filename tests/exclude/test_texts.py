"""Words, tables, Markdown, HTML and MJCF: what they say, and that names can't break them."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import Any

import pytest

from phyzctl.exclude.facts import Certificate, ExcludeReport, Outcome, PairFacts, Witness
from phyzctl.exclude.html import colour, html_text
from phyzctl.exclude.mjcf import is_own, mjcf_text, rewritten_mjcf
from phyzctl.exclude.pairs import BodyPair
from phyzctl.exclude.table import csv_text, markdown_text, rows
from phyzctl.exclude.verdict import Policy, suggestions
from phyzctl.exclude.wording import certified, evidence, length, percent
from phyzctl.formats.xmltree import parse
from phyzctl.issues import Issues
from tests.exclude.robots import ball, mjcf, model_of

NASTY = 'a|<b>&"--'


def facts(first: str = "base", second: str = "arm", **changes: Any) -> PairFacts:
    given = {"filtered": None, "excluded": False, "adjacent": False}
    given |= {key: changes.pop(key) for key in list(changes) if key in given}
    pair = BodyPair(0, 1, ((0, 1),), (0,), **given)  # type: ignore[arg-type]
    plain: dict[str, Any] = {"samples": 1000, "hits": 1000, "deepest": Witness(-0.0123, (0.5,))}
    return PairFacts(pair, first, second, ("turn",), **plain | changes)


def report(*pairs: PairFacts, notes: tuple[str, ...] = ()) -> ExcludeReport:
    model = model_of(mjcf(f'<body name="a">{ball()}</body>'))
    return ExcludeReport(model, pairs, 1000, 7, notes=notes)


def test_all_that_is_known_is_said() -> None:
    known = facts(
        default_depth=0.01,
        keyframes={"home": 0.002},
        artefact=0.5,
        certificate=Certificate(Outcome.ALWAYS, 1.0, 9),
    )
    assert evidence(known) == (
        "overlap by 10 mm in the reference pose; overlap by 2 mm in 'home'; 1000 of 1000 samples "
        "(99.6% to 100%); deepest 12.3 mm; artefact score 0.50; proved always to overlap"
    )


def test_a_pair_that_never_touches() -> None:
    apart = facts(hits=0, deepest=None, clearance=Witness(0.05, (0.0,)), filtered="welded")
    assert evidence(apart) == (
        "welded, not tested; 0 of 1000 samples (below 0.3%); at least 50 mm apart where seen"
    )


@pytest.mark.parametrize(
    ("certificate", "words"),
    [
        (Certificate(Outcome.NEVER), "proved never to touch"),
        (Certificate(Outcome.REFUTED, witness=Witness(-0.004, ())), "found an overlap of 4 mm"),
        (Certificate(Outcome.REFUTED, witness=Witness(0.004, ())), "found them apart"),
        (Certificate(Outcome.GRAZES, witness=Witness(1e-6, ())), "found them touching"),
        (Certificate(Outcome.UNDECIDED, 0.25), "undecided, 25% of the range proved"),
        (Certificate(Outcome.IMPOSSIBLE), "a joint between them has no bounds"),
    ],
)
def test_what_a_proof_came_to(certificate: Certificate, words: str) -> None:
    assert words in certified(certificate)


def test_figures() -> None:
    assert [length(each) for each in (0.0, 1.0, 0.00012345)] == ["0 mm", "1e+03 mm", "0.123 mm"]
    assert [percent(each) for each in (0.0, 1.0, 0.12345)] == ["0%", "100%", "12.3%"]


def test_rows_say_what_is_suggested() -> None:
    found = report(facts(), facts(excluded=True), facts(hits=0, deepest=None))
    assert [row[2:4] for row in rows(found, Policy())] == [
        ["Always", "exclude"],
        ["Always", "excluded"],
        ["Never", "-"],
    ]


def test_csv_quotes_names() -> None:
    found = list(csv.DictReader(io.StringIO(csv_text(report(facts(NASTY)), Policy()))))
    assert found[0]["body1"] == NASTY
    assert found[0]["deepest"] == "0.0123"
    assert found[0]["clearance"] == ""


def test_markdown_escapes_bars() -> None:
    lines = markdown_text(report(facts(NASTY), notes=("a loop",)), Policy()).splitlines()
    assert lines[4].startswith('| a\\|<b>&"-- | arm | Always | exclude | ')
    assert lines[-1] == "* a loop"


class _Balanced(HTMLParser):
    """Fails when an end tag doesn't close the last open one."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            assert not (name in {"src", "href"} and value), "nothing from outside"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed_whatever_names_are() -> None:
    page = _Balanced()
    page.feed(html_text(report(facts(NASTY), facts("arm", "hand", hits=3)), Policy()))
    assert page.open == []
    assert page.seen.count("rect") == 4
    assert "b" not in page.seen
    assert "script" not in page.seen


def test_colours_tell_the_kinds_apart() -> None:
    kinds = [
        facts(filtered="welded"),
        facts(hits=0, deepest=None),
        facts(hits=0, deepest=None, certificate=Certificate(Outcome.NEVER)),
        facts(hits=5),
        facts(hits=50),
        facts(hits=500),
        facts(),
    ]
    assert len({colour(each) for each in kinds}) == len(kinds)


def test_mjcf_can_be_included() -> None:
    text = mjcf_text(list(suggestions(report(facts(NASTY)), Policy())))
    exclude = ET.fromstring(text).find("contact/exclude")
    assert exclude is not None
    assert exclude.attrib == {"body1": NASTY, "body2": "arm"}
    assert "<!-- Always: 1000 of 1000 samples" in text


FILE = """\
<mujoco>
  <contact>
    <!-- by hand -->
    <exclude body1="x" body2="y"/>
    <exclude name="phyzctl:a:b" body1="a" body2="b"/> <!-- old -->
    <pair geom1="g" geom2="h"/>
  </contact>
</mujoco>
"""


def changed(text: str, *pairs: tuple[str, str]) -> str:
    return rewritten_mjcf(parse(text.encode(), "a.xml", Issues()), pairs).decode()


def test_only_lines_of_our_own_change() -> None:
    line = '\n    <exclude name="phyzctl:a:b" body1="a" body2="b"/>'
    new = '\n    <exclude name="phyzctl:c:d" body1="c" body2="d"/>'
    assert changed(FILE, ("b", "a")) == FILE
    assert changed(FILE) == FILE.replace(line, "")
    assert changed(FILE, ("a", "b"), ("c", "d")) == FILE.replace(line, line + new)
    assert changed(FILE, ("c", "d")) == FILE.replace(line, new)


@pytest.mark.parametrize(
    "text",
    [
        "<mujoco>\n</mujoco>",
        "<mujoco/>",
        "<mujoco>\n  <contact/>\n</mujoco>",
        '<mujoco>\n  <contact>\n    <pair geom1="g" geom2="h"/>\n  </contact>\n</mujoco>',
    ],
)
def test_a_file_without_excludes_gets_a_place_for_them(text: str) -> None:
    once = changed(text, ("a", "b"))
    elements = ET.fromstring(once).findall("contact/exclude")
    assert [(each.get("body1"), each.get("body2")) for each in elements] == [("a", "b")]
    assert changed(once, ("a", "b")) == once


def test_names_of_our_own() -> None:
    assert is_own("phyzctl:a:b")
    assert not is_own("mine")
    assert not is_own(None)
