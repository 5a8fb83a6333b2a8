"""`phyzctl validate --baseline` and `--write-baseline`: known findings are silent."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import BAD, Cli


def test_what_is_written_down_is_not_reported(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", ".", "--write-baseline", "known.json")
    assert (code, out) == (0, "no issues in 2 files\n")
    assert err == "wrote 1 finding to known.json\n"
    assert cli("validate", ".", "--baseline", "known.json") == (0, "no issues in 2 files\n", "")
    assert cli("validate", ".").code == 1


def test_a_new_finding_is_reported(cli: Cli, robots: Path) -> None:
    cli("validate", ".", "--write-baseline", "known.json")
    moved = BAD.replace("<robot", "<!-- moved -->\n\n<robot").replace('lower="1"', 'lower="2"')
    (robots / "bad.urdf").write_text(moved.replace("0 0 1", "0 0 3"))
    code, out, _ = cli("validate", ".", "--baseline", "known.json")
    assert code == 0
    assert "bad.urdf:9:11: warning[J210]" in out
    assert "J201" not in out


def test_a_stale_entry_is_reported_where_it_stands(cli: Cli, robots: Path) -> None:
    cli("validate", ".", "--write-baseline", "known.json")
    (robots / "bad.urdf").write_text(BAD.replace('lower="1" upper="-1"', 'lower="0" upper="1"'))
    code, out, _ = cli("validate", ".", "--baseline", "known.json")
    assert code == 0
    assert out.startswith("known.json:4: info[X091] J201 of joint 'elbow' in 'bad.urdf'")
    arguments = ["validate", ".", "--baseline", "known.json"]
    assert cli(*arguments, "--fail-on", "info").code == 1
    assert "X091" not in cli(*arguments, "--ignore", "X091").out
    assert "X091" not in cli(*arguments, "--ignore", "J201").out
    assert "X091" not in cli("validate", "good.urdf", "--baseline", "known.json").out
    (robots / "phyzctl.toml").write_text('[severity]\nX091 = "error"')
    assert "error[X091]" in cli(*arguments).out


def test_an_entry_of_a_file_that_cannot_be_judged_is_not_stale(cli: Cli, robots: Path) -> None:
    cli("validate", ".", "--write-baseline", "known.json")
    (robots / "bad.urdf").write_text(BAD.replace("</robot>", ""))
    _, out, _ = cli("validate", "bad.urdf", "--baseline", "known.json")
    assert "X001" in out
    assert "X091" not in out
    (robots / "bad.urdf").unlink()
    assert "X091" in cli("validate", "good.urdf", "--baseline", "known.json").out


def test_what_is_known_is_not_fixed(cli: Cli, robots: Path) -> None:
    cli("validate", ".", "--write-baseline", "known.json")
    arguments = ["validate", "bad.urdf", "--fix", "--unsafe-fixes"]
    assert cli(*arguments, "--baseline", "known.json").err == "nothing fixed\n"
    assert (robots / "bad.urdf").read_text() == BAD


def test_what_is_fixed_is_not_written_down(cli: Cli, robots: Path) -> None:
    arguments = ["validate", "bad.urdf", "--write-baseline", "known.json", "--unsafe-fixes"]
    cli(*arguments, "--fix")
    assert json.loads((robots / "known.json").read_text())["findings"] == []


def test_a_dry_run_writes_no_baseline(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", "bad.urdf", "--write-baseline", "known.json", "--diff")
    assert (code, out) == (2, "")
    assert "--write-baseline" in err
    assert not (robots / "known.json").exists()


def test_misuse(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", "bad.urdf", "--baseline", "nope.json")
    assert (code, out) == (2, "")
    assert err == "phyzctl: there is no baseline 'nope.json'; --write-baseline makes one\n"
