"""Contacts as Issues: which place, which words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl.geometry.shapes import Sphere
from phyzctl.issues import Issue, Severity
from phyzctl.scene.contact import Contact, ContactKind, Ref, RefKind
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.findings import Findings, meeting
from tests.scene.robots import at, on, slider_rail
from tests.scene.scenefiles import BALL, attached, obstacle, sound

RAIL = slider_rail(2)


def contact(gap: float, padding: float = 0.0) -> Contact:
    a = Ref(RefKind.ROBOT, 0, 0, "shell", "hand")
    b = Ref(RefKind.OBSTACLE, 0, 0, "table", label="top")
    zero = np.zeros(3)
    kind = ContactKind.ENVIRONMENT_COLLISION
    return Contact(kind, a, b, gap + padding, padding, zero, zero, zero)


@pytest.mark.parametrize(
    ("gap", "padding", "said"),
    [
        (-0.0032, 0.0, "hand overlaps table by 3.2 mm"),
        (1e-8, 0.0, "hand touches table"),
        (0.25, 0.0, "hand is 250 mm from table"),
        (-0.001, 0.01, "hand overlaps table by 1 mm with 10 mm of padding"),
    ],
)
def test_words(gap: float, padding: float, said: str) -> None:
    words = said.replace("hand", "link 'hand' (shell)").replace("table", "obstacle 'table' (top)")
    assert meeting(contact(gap, padding)) == words


def test_references_without_ids() -> None:
    assert str(Ref(RefKind.ROBOT, 3, 3, None, "hand")) == "link 'hand'"
    assert str(Ref(RefKind.ATTACHED, 1, 4, None, "hand")) == "attached 1"
    assert str(Ref(RefKind.OBSTACLE, 2, 2)) == "obstacle 2"


def found(text: str, folder: Path, q: float = 0.0) -> list[Issue]:
    scene = sound(text, folder)
    report = scene.env().check(RAIL, [q], show_allowed=True)
    return Findings(RAIL, scene).of_report(report)


def test_places_are_those_of_the_scene(folder: Path) -> None:
    text = obstacle(f"{BALL}xyz = [5, 0, 1]") + attached("id = 'c'\nframe = 'l1'\nxyz = [5, 0, 0]")
    (issue,) = found(text, folder)
    assert (issue.code.id, issue.severity) == ("E021", Severity.ERROR)
    assert (issue.source.line if issue.source else None) == 1
    assert [each.source.line for each in issue.related if each.source] == [6]
    assert issue.message == "attached 'c' overlaps obstacle 'a' by 200 mm near (5, 0, 1)"


def test_carried_things_that_touch_the_robot(folder: Path) -> None:
    (issue,) = found(attached("id = 'c'\nframe = 'l1'"), folder)
    assert issue.code.id == "E020"
    assert (issue.source.line if issue.source else None) == 1
    assert found(attached("frame = 'l1'\ntouch_links = ['l1']"), folder) == []


def test_without_a_scene_file() -> None:
    env = CollisionEnv([at(Sphere(0.1), 0, 0, 1)]).with_attached([on(Sphere(0.1), "l1")])
    issues = Findings(RAIL, None).of_report(env.check(RAIL, [0.0]))
    assert [issue.source for issue in issues] == [None, None, None]
    codes = [issue.code.id for issue in issues]
    assert codes == ["E020", "E021", "E021"]


def test_hits_on_the_way() -> None:
    env = CollisionEnv([at(Sphere(0.1), 1, 0, 1)])
    hits = env.check_trajectory(RAIL, np.array([[0.0], [2.0], [1.0]]), [0.0, 4.0, 5.0]).hits
    findings = Findings(RAIL, None)
    words = "link 'l1' (l1) touches obstacle 0 near (0.9, 0, 1)"
    where = "0.4 of the way from way-point 0 to the next"
    assert findings.of_hits(hits, timed=True)[0].message == f"at 1.6 s, {where}: {words}"
    assert findings.of_hits(hits, timed=False)[0].message == f"at {where}: {words}"
    (hit,) = env.check_trajectory(RAIL, np.array([[0.8]])).hits
    (issue,) = findings.of_hits([hit], timed=False)
    assert issue.message.startswith("at way-point 0: ")
