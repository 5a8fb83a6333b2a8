"""The page in a real browser: a headless Chromium loads it, and a script acts as a reader would."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from phyzctl.issues import Issue, Severity, Source
from phyzctl.report.html import render
from phyzctl.report.report import Report
from tests.report import cases
from tests.report.test_html import SCENE

pytestmark = pytest.mark.browser

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

# Appended to the page; what it puts into `seen` comes back to the test.
HELPERS = """
const seen = {};
function pixel(test) {  // how many pixels of the view pass a test of r, g, b, a
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (test(data[i], data[i + 1], data[i + 2], data[i + 3])) count += 1;
  }
  return count;
}
const painted = () => pixel((r, g, b, a) => a > 0);
const orange = () => pixel((r, g, b, a) => a > 250 && r > 1.8 * g && b < 20);
const visible = () => findings.filter((item) => !item.hidden).map((item) => item.dataset.code);
function pointer(kind, x, y, more = {}) {
  const box = canvas.getBoundingClientRect(), factor = box.width / canvas.width;
  const at = { clientX: box.left + x * factor, clientY: box.top + y * factor, pointerId: 1 };
  canvas.setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent(kind, { bubbles: true, ...at, ...more }));
}
function change(element, value) {
  element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
}
"""


def issue(code: str, subject: str, severity: Severity) -> Issue:
    kind = {"J201": cases.LIMIT, "X003": cases.NAME, "J207": cases.ROUNDED}[code]
    return Issue(kind, severity, f"about {subject}", Source("robots/arm.urdf", 1, 1), subject)


REPORT = Report(
    [
        issue("J201", "joint 'elbow'", Severity.ERROR),
        issue("X003", "link 'base'", Severity.WARNING),
        issue("J207", "actuator 'm'", Severity.INFO),
    ],
    ("robots/arm.urdf",),
    scenes={"robots/arm.urdf": SCENE},
)


def seen(script: str, folder: Path, report: Report = REPORT) -> dict[str, Any]:
    """What a script on the page sees."""
    if CHROMIUM is None:
        pytest.skip("needs a Chromium")
    result = 'document.body.innerHTML = "<output></output>";'
    result += (
        'document.querySelector("output").textContent = "seen:" + JSON.stringify(seen) + ":end";'
    )
    added = f"<script>try {{ {HELPERS} {script} {result} }} catch (error) "
    added += "{ document.title = 'failed: ' + error.stack; }</script></body>"
    page = folder / "page.html"
    page.write_text(render(report).replace("</body>", added), "utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    match = re.search(r"seen:(.*?):end", done.stdout, re.DOTALL)
    assert match is not None, re.findall(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    found = json.loads(match[1])
    assert isinstance(found, dict)
    return found


def test_filters(tmp_path: Path) -> None:
    script = """
    seen.all = visible();
    const [error] = filters.querySelectorAll("input[value=error]");
    error.checked = false;
    error.dispatchEvent(new Event("input", { bubbles: true }));
    seen.noErrors = visible();
    error.checked = true;
    change(filters.elements.code, "J207");
    seen.code = visible();
    change(filters.elements.code, "");
    change(filters.elements.text, "ABOUT base");
    seen.text = visible();
    change(filters.elements.text, "nothing of this");
    seen.none = visible();
    """
    assert seen(script, tmp_path) == {
        "all": ["J201", "X003", "J207"],
        "noErrors": ["X003", "J207"],
        "code": ["J207"],
        "text": ["X003"],
        "none": [],
    }


def test_a_click_on_a_finding_shows_what_it_is_about(tmp_path: Path) -> None:
    script = """
    seen.before = orange();
    findings[0].click();
    seen.joint = [orange(), view.joints, [...view.parts], findings[0].className];
    findings[1].click();
    seen.link = [orange(), [...view.parts], findings[0].className, findings[1].className];
    findings[2].click();
    seen.nothing = orange();
    """
    found = seen(script, tmp_path)
    assert found["before"] == found["nothing"] == 0
    count, joints, parts, name = found["joint"]
    assert count > 500
    assert (joints, parts, name) == (["elbow"], [1], "error chosen")
    count, parts, first, second = found["link"]
    assert count > 500
    assert (parts, first, second) == ([0], "error", "warning chosen")


def test_the_robot_turns_moves_and_grows(tmp_path: Path) -> None:
    script = """
    const plain = () => canvas.toDataURL();
    seen.painted = painted();
    const first = plain();
    pointer("pointerdown", 300, 300);
    pointer("pointermove", 380, 330);
    pointer("pointerup", 380, 330);
    seen.turned = [view.turn - start.turn, view.tilt - start.tilt, plain() !== first];
    document.getElementById("reset").click();
    seen.reset = plain() === first;
    pointer("pointerdown", 300, 300);
    pointer("pointermove", 340, 320, { shiftKey: true });
    pointer("pointerup", 340, 320);
    seen.moved = view.shift;
    document.getElementById("reset").click();
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 400, cancelable: true }));
    seen.smaller = painted();
    document.getElementById("reset").click();
    """
    found = seen(script, tmp_path)
    assert found["painted"] > 5000
    assert found["turned"] == [pytest.approx(-0.64), pytest.approx(0.24), True]
    assert found["reset"] is True
    assert found["moved"] == [pytest.approx(40.0, abs=1.0), pytest.approx(20.0, abs=1.0)]
    factor = 2.718281828 ** (-0.6 * 2)
    assert found["smaller"] == pytest.approx(factor * found["painted"], rel=0.15)


def test_a_click_on_a_part_shows_its_finding(tmp_path: Path) -> None:
    script = """
    const at = owners.findIndex((owner) => owner === 0);
    const [x, y] = [at % canvas.width, Math.floor(at / canvas.width)];
    pointer("pointerdown", x, y);
    pointer("pointerup", x, y);
    seen.chosen = findings.findIndex((item) => item.classList.contains("chosen"));
    seen.caption = document.getElementById("caption").textContent;
    pointer("pointerdown", 1, 1);
    pointer("pointerup", 1, 1);
    seen.after = findings.findIndex((item) => item.classList.contains("chosen"));
    """
    assert seen(script, tmp_path) == {
        "chosen": 1,
        "caption": "link 'base': 1 finding",
        "after": -1,
    }


def test_what_is_seen_and_what_is_hit(tmp_path: Path) -> None:
    script = """
    const shownParts = () => [...new Set(owners)].filter((owner) => owner >= 0);
    seen.visual = shownParts();
    change(document.getElementById("role"), "collision");
    seen.collision = shownParts();
    """
    assert seen(script, tmp_path) == {"visual": [0], "collision": [1]}


def test_a_page_without_findings_or_robots_runs_too(tmp_path: Path) -> None:
    assert seen("seen.ok = findings.length;", tmp_path, cases.EMPTY) == {"ok": 0}
