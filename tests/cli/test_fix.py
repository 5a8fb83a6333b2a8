"""`phyzctl validate --fix`, `--unsafe-fixes`, `--diff`: what changes, what is said, exit codes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from phyzctl.lint.fix import Change, write
from tests.cli.conftest import BAD, Cli

FIXED = BAD.replace('lower="1" upper="-1"', 'lower="-1" upper="1"')
ROUGH = FIXED.replace("0 0 1", "0 0 2")
DIFF = """\
--- a/rough.urdf
+++ b/rough.urdf
@@ -4,7 +4,7 @@
   <joint name="elbow" type="revolute">
     <parent link="base"/>
     <child link="arm"/>
-    <axis xyz="0 0 2"/>
+    <axis xyz="0 0 1"/>
     <limit lower="-1" upper="1" effort="1" velocity="1"/>
   </joint>
 </robot>
"""


@pytest.fixture
def rough(robots: Path) -> Path:
    """A file with one warning, which has a safe fix; beside the files of `robots`."""
    path = robots / "rough.urdf"
    path.write_text(ROUGH)
    return path


def test_safe_fixes_are_made(cli: Cli, rough: Path) -> None:
    code, out, err = cli("validate", "--fix", "rough.urdf")
    assert (code, out, err) == (0, "no issues in 1 file\n", "fixed 1 issue in 1 file\n")
    assert rough.read_text() == FIXED


def test_the_exit_code_is_that_of_what_is_left(cli: Cli, rough: Path) -> None:
    code, out, err = cli("validate", "--fix", "rough.urdf", "bad.urdf")
    assert code == 1
    assert "rough.urdf" not in out
    assert "bad.urdf:8:12: error[J201]" in out
    assert err == "fixed 1 issue in 1 file; --unsafe-fixes would fix 1 more\n"
    assert rough.read_text() == FIXED
    assert (rough.parent / "bad.urdf").read_text() == BAD


def test_unsafe_fixes_are_made_when_asked_for(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", "--fix", "--unsafe-fixes", "bad.urdf")
    assert (code, out, err) == (0, "no issues in 1 file\n", "fixed 1 issue in 1 file\n")
    assert (robots / "bad.urdf").read_text() == FIXED


def test_a_diff_alone_is_a_dry_run(cli: Cli, rough: Path) -> None:
    code, out, err = cli("validate", "--diff", "rough.urdf")
    assert (code, out) == (1, DIFF)
    assert err == "would fix 1 issue in 1 file\nno issues in 1 file\n"
    assert rough.read_text() == ROUGH


def test_a_diff_shows_what_was_changed(cli: Cli, rough: Path) -> None:
    code, out, _ = cli("validate", "--fix", "--diff", "rough.urdf")
    assert (code, out) == (0, DIFF)
    assert rough.read_text() == FIXED


@pytest.mark.parametrize(("name", "code"), [("good.urdf", 0), ("bad.urdf", 1)])
def test_a_dry_run_without_a_fix_says_what_validate_says(
    cli: Cli, robots: Path, name: str, code: int
) -> None:
    done = cli("validate", "--diff", name)
    assert (done.code, done.out) == (code, "")
    assert ("error[J201]" in done.err) == bool(code)


def test_a_file_that_several_include_is_shown_once(cli: Cli, workspace: Path) -> None:
    (workspace / "arm.xml").write_text(
        '<mujoco><worldbody><body name="arm"><joint name="hinge" range="10 -10"/>'
        '<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body></worldbody></mujoco>\n'
    )
    for name in ("one", "two"):
        (workspace / f"{name}.xml").write_text('<mujoco><include file="arm.xml"/></mujoco>')
    arguments = ["validate", "--unsafe-fixes", "one.xml", "two.xml"]
    dry = cli(*arguments, "--diff")
    assert dry.out.count("--- a/arm.xml") == 1
    assert "J201" not in dry.err
    assert 'range="10 -10"' in (workspace / "arm.xml").read_text()
    assert cli(*arguments, "--fix").code == 0
    assert 'range="-10 10"' in (workspace / "arm.xml").read_text()


def test_stdin_is_shown_but_not_changed(cli: Cli, workspace: Path) -> None:
    done = cli("validate", "-", "--diff", "--stdin-filename=rough.urdf", stdin=ROUGH.encode())
    assert (done.code, done.out) == (1, DIFF)
    code, out, err = cli("validate", "-", "--fix", stdin=ROUGH.encode())
    assert (code, out) == (2, "")
    assert err.startswith("phyzctl: --fix can't change stdin")


def test_unsafe_fixes_alone_ask_for_nothing(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", "--unsafe-fixes", "bad.urdf")
    assert (code, out) == (2, "")
    assert "--unsafe-fixes goes with --fix" in err


def test_what_is_ignored_or_not_selected_is_not_fixed(cli: Cli, rough: Path) -> None:
    assert cli("validate", "--fix", "--ignore", "J210", "rough.urdf").err == "nothing fixed\n"
    assert cli("validate", "--fix", "--select", "X", "rough.urdf").err == "nothing fixed\n"
    assert rough.read_text() == ROUGH


def test_quiet(cli: Cli, rough: Path) -> None:
    assert cli("validate", "--fix", "-q", "rough.urdf") == (0, "", "")


def test_reports_tell_what_is_left(cli: Cli, rough: Path) -> None:
    done = cli("validate", "--fix", "--format=json", "--output=json=r.json", "rough.urdf")
    assert json.loads(done.out)["issues"] == []
    assert json.loads((rough.parent / "r.json").read_text())["issues"] == []


def test_a_file_that_changes_meanwhile_is_left_alone_and_the_others_go_on(
    cli: Cli, rough: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = rough.parent / "other.urdf"
    other.write_text(ROUGH)

    def write_late(changes: Sequence[Change]) -> None:
        if changes[0].path == "rough.urdf":
            rough.write_text("changed")
        write(changes)

    monkeypatch.setattr("phyzctl.lint.fix.write", write_late)
    code, out, err = cli("validate", "--fix", "rough.urdf", "other.urdf")
    assert code == 3
    assert out == "no issues in 1 file\n"
    assert "phyzctl: 'rough.urdf' changed while it was checked; it is left alone" in err
    assert rough.read_text() == "changed"
    assert other.read_text() == FIXED
