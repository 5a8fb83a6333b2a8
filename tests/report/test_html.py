"""HTML: one file without anything from elsewhere, whose text is only ever text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from phyzctl.issues import Issue, Severity, Source
from phyzctl.report.html import render
from phyzctl.report.report import Part, Report, Scene
from tests.report import cases

VOID = {"meta", "input", "br"}
SCENE = Scene(
    documents=("robots/arm.urdf", "robots/part.xml"),
    parts=(
        Part("base", "visual", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2)]),
        Part(
            "arm", "collision", [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1 / 3, 1.0)], [(0, 1, 2)]
        ),
    ),
    joints={"elbow": ((0.0, 0.0, 1.0), (0.0, 0.0, 2.0))},
    subjects={
        "link 'base'": ([0], []),
        "link 'arm'": ([1], []),
        "joint 'elbow'": ([1], ["elbow"]),
    },
)


class Page(HTMLParser):
    """Elements of a page: tag, attributes, text inside; fails where tags don't match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.open: list[tuple[str, list[str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text: list[str] = []
        self.found.append((tag, dict(attrs), text))
        if tag not in VOID:
            self.open.append((tag, text))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, text in self.open:
            text.append(data)

    def all(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attrs, "".join(text)) for name, attrs, text in self.found if name == tag]


def findings(report: Report) -> list[tuple[dict[str, str | None], str]]:
    return Page(render(report)).all("li")


def scenes(report: Report) -> list[dict[str, Any]]:
    (text,) = [
        text for attrs, text in Page(render(report)).all("script") if attrs.get("id") == "scenes"
    ]
    found = json.loads(text)
    assert isinstance(found, list)
    return found


def test_every_finding_is_there_with_its_place_line_and_remedy() -> None:
    items = findings(cases.REPORT)
    assert [attrs["data-code"] for attrs, _ in items] == ["J201", "X003", "J207", "J207"]
    attrs, text = items[0]
    assert attrs["data-severity"] == "error"
    for piece in ("robots/arm.urdf:3:9", "joint 'elbow'", "lower limit 1 is above", "swap the two"):
        assert piece in text
    assert "first used here robots/other.urdf:7:1" in items[1][1]
    assert "Limits the wrong way round." in text


def test_what_is_meant_is_marked_in_its_line() -> None:
    marks = [text for _, text in Page(render(cases.REPORT)).all("mark")]
    assert marks[0] == 'lower="1"'


def test_paths_are_those_of_the_repository() -> None:
    report = replace(cases.REPORT, uris={"robots/arm.urdf": "sub/robots/arm.urdf"})
    assert "sub/robots/arm.urdf:3:9" in findings(report)[0][1]


def test_filters_are_those_of_what_was_found() -> None:
    page = Page(render(cases.REPORT))
    values = [attrs["value"] for attrs, _ in page.all("input") if attrs["type"] == "checkbox"]
    assert values == ["error", "warning", "info"]
    codes = [attrs["value"] for attrs, _ in page.all("option")]
    assert codes == ["", "J201", "J207", "X003"]


def test_many_notes_are_folded_away() -> None:
    note = cases.NAME_ISSUE.related[0]
    for count, folded in ((3, False), (4, True)):
        found = replace(cases.NAME_ISSUE, related=(note,) * count)
        page = Page(render(Report([found], ("robots/arm.urdf",))))
        assert page.all("li")[0][1].count("first used here") == count
        assert any("4 more places" in text for _, text in page.all("summary")) == folded


def test_nothing_found() -> None:
    page = Page(render(cases.EMPTY))
    assert page.all("li") == page.all("form") == page.all("canvas") == []
    assert page.all("h1")[0][1] == "phyzctl: no issues in 3 files"


def test_nothing_comes_from_elsewhere() -> None:
    text = render(replace(cases.REPORT, scenes={"robots/arm.urdf": SCENE}))
    assert not re.search(r"https?:|//[a-z]|url\(|@import|\bsrc=|\bhref=|fetch\(|XMLHttp", text)
    policy = {attrs.get("http-equiv"): attrs.get("content") for attrs, _ in Page(text).all("meta")}[
        "Content-Security-Policy"
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'")


EVIL = "</script><script>alert(1)</script><img onerror=x>\"'&\x1b[31m"


def test_text_of_a_file_is_only_text() -> None:
    """Names, messages and lines come from files that anybody may have sent."""
    source = Source(f"{EVIL}.urdf", 1, 1)
    issue = Issue(cases.LIMIT, Severity.ERROR, EVIL, source, f"link {EVIL!r}")
    part = replace(SCENE.parts[0], link=EVIL)
    scene = replace(SCENE, parts=(part,), joints={EVIL: ((0.0, 0.0, 0.0), None)})
    plain = Report((), (source.path,))
    nasty = Report([issue], (source.path,), texts={source.path: EVIL}, scenes={source.path: scene})
    page = Page(render(nasty))
    assert len(page.all("script")) == len(Page(render(plain)).all("script"))
    assert page.all("img") == []
    assert EVIL.replace("\x1b", "\\x1b") in findings(nasty)[0][1]
    assert scenes(nasty)[0]["parts"][0]["link"] == EVIL


# Drawings


def test_a_scene_is_numbers_in_a_row() -> None:
    (scene,) = scenes(replace(cases.REPORT, scenes={"robots/arm.urdf": SCENE}))
    assert scene["path"] == "robots/arm.urdf"
    assert scene["parts"][1] == {
        "link": "arm",
        "role": "collision",
        "vertices": [0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.33333, 1.0],
        "faces": [0, 1, 2],
    }
    assert scene["joints"] == {"elbow": [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]}


def issue(subject: str | None, path: str, element: str | None = None) -> Issue:
    return Issue(cases.LIMIT, Severity.ERROR, "wrong", Source(path, 1, 1, element), subject)


MEANT = {
    "a joint": (issue("joint 'elbow'", "robots/arm.urdf"), "0", [1], ["elbow"]),
    "a link": (issue("link 'base'", "robots/arm.urdf"), "0", [0], []),
    "in an included file": (issue("link 'arm'", "robots/part.xml"), "0", [1], []),
    "by the element around it": (
        issue(None, "robots/arm.urdf", "/robot/link[@name='arm']/visual/geometry"),
        "0",
        [1],
        [],
    ),
    "the innermost": (
        issue("geom 'x'", "robots/arm.urdf", "/mujoco/body[@name='base']/body[@name='arm']/geom"),
        "0",
        [1],
        [],
    ),
    "nothing known": (issue("motor 'm'", "robots/arm.urdf", "/robot/motor"), "0", [], []),
    "another file": (issue("link 'arm'", "robots/other.urdf"), "", [], []),
}


@pytest.mark.parametrize(("found", "scene", "parts", "joints"), MEANT.values(), ids=MEANT)
def test_what_a_finding_is_about(
    found: Issue, scene: str, parts: list[int], joints: list[str]
) -> None:
    report = Report([found], ("robots/arm.urdf",), scenes={"robots/arm.urdf": SCENE})
    ((attrs, _),) = findings(report)
    assert attrs["data-scene"] == scene
    assert json.loads(attrs["data-parts"] or "") == parts
    assert json.loads(attrs["data-joints"] or "") == joints
