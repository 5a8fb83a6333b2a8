"""`phyzctl config show`, and configurations of several layers at work in `validate`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import BAD, Cli
from tests.corpus import ROOT

TOML = 'select = ["J", "I"]\ndeep = true\n[severity]\n"J2" = "info"\n[package-path]\np = "x"\n'


def test_config_shows_the_defaults(cli: Cli, workspace: Path) -> None:
    code, out, _ = cli("config", "show")
    assert code == 0
    assert out.startswith("# defaults: no phyzctl.toml, no [tool.phyzctl]\n")
    assert tomllib.loads(out)["fail-on"] == "error"


def test_config_shows_what_holds_and_from_where(cli: Cli, workspace: Path) -> None:
    (workspace / "phyzctl.toml").write_text(TOML)
    (workspace / "a/b").mkdir(parents=True)
    _, out, _ = cli("config", "show", "a/b/robot.urdf")
    assert out.startswith(f"# from {workspace / 'phyzctl.toml'}\n")
    document = tomllib.loads(out)
    assert document["select"] == ["J", "I"]
    assert document["severity"] == {"J2": "info"}
    assert document["package-path"] == {"p": str(workspace / "x")}


def test_what_config_shows_is_itself_a_configuration(cli: Cli, workspace: Path) -> None:
    (workspace / "phyzctl.toml").write_text(TOML)
    first = cli("config", "show", "--format", "json").out
    (workspace / "shown.toml").write_text(cli("config", "show").out)
    assert cli("config", "show", "--config", "shown.toml", "--format", "json").out == first
    schema = json.loads((ROOT / "schemas/config.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(first))


def test_config_alone_shows_its_help(cli: Cli) -> None:
    code, out, err = cli("config")
    assert code in {0, 2}  # as the versions of click have it
    assert "show" in out + err


LAYERED = """\
extend = "shared/base.toml"
ignore = ["X004"]

[[override]]
files = ["old/"]
ignore = ["J201"]
[override.severity]
J2 = "info"
"""


@pytest.fixture
def layered(robots: Path) -> Path:
    """The robots again in `old/`, and a configuration of two layers that overrides that folder."""
    for name in ("old", "shared"):
        (robots / name).mkdir()
    (robots / "old/bad.urdf").write_text(BAD)
    (robots / "shared/base.toml").write_text('fail-on = "warning"\nignore = ["I1"]\n')
    (robots / "phyzctl.toml").write_text(LAYERED)
    return robots


def test_what_is_extended_is_told(cli: Cli, layered: Path) -> None:
    lines = cli("config", "show").out.splitlines()
    assert lines[:2] == [
        f"# from {layered / 'phyzctl.toml'}",
        f"# which extends {layered / 'shared/base.toml'}",
    ]
    document = tomllib.loads("\n".join(lines))
    assert (document["fail-on"], document["ignore"]) == ("warning", ["I1", "X004"])


def test_of_a_folder_the_overrides_are_listed_and_of_a_file_in_place(
    cli: Cli, layered: Path
) -> None:
    (override,) = tomllib.loads(cli("config", "show", ".").out)["override"]
    assert override == {
        "files": [f"{layered}/**/old/"],
        "ignore": ["J201"],
        "severity": {"J2": "info"},
    }
    old, new = (tomllib.loads(cli("config", "show", f"{name}/x.urdf").out) for name in ("old", "."))
    assert (old["ignore"], old["severity"]) == (["I1", "X004", "J201"], {"J2": "info"})
    assert (new["ignore"], new["severity"]) == (["I1", "X004"], {})
    assert old["override"] == new["override"] == []


def test_what_is_shown_of_layers_is_itself_a_configuration(cli: Cli, layered: Path) -> None:
    first = cli("config", "show", "--format", "json").out
    shown = layered / "elsewhere.toml"
    shown.write_text(cli("config", "show").out)
    assert cli("config", "show", "--config", str(shown), "--format", "json").out == first


def test_overrides_count_for_their_files(cli: Cli, layered: Path) -> None:
    assert cli("validate", "old/bad.urdf").code == 0
    assert cli("validate", "bad.urdf").code == 1
    assert "old/" not in cli("validate", ".").out


def test_the_command_line_stands_on_top_of_overrides(cli: Cli, layered: Path) -> None:
    assert "info[J201]" in cli("validate", "old/bad.urdf", "--extend-select", "J201").out
    assert cli("validate", "bad.urdf", "--ignore", "J201").code == 0


def test_an_override_that_names_no_rule_is_its_files_fault(cli: Cli, layered: Path) -> None:
    (layered / "phyzctl.toml").write_text("[[override]]\nfiles = ['x']\nignore = ['J999']")
    code, out, err = cli("validate", "bad.urdf")
    assert (code, out) == (2, "")
    assert err.startswith(f"phyzctl: {layered / 'phyzctl.toml'}: no rule is called 'J999'")


def test_a_base_that_names_no_rule_is_the_bases_fault(cli: Cli, layered: Path) -> None:
    (layered / "shared/base.toml").write_text("ignore = ['J999']")
    code, _, err = cli("validate", "bad.urdf")
    assert code == 2
    assert err.startswith(f"phyzctl: {layered / 'shared/base.toml'}: no rule is called 'J999'")


def test_the_configuration_of_a_path_with_dots_is_that_of_its_own_folder(
    cli: Cli, layered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(layered / "old")
    (layered / "old/phyzctl.toml").write_text("ignore = ['J201']")
    assert cli("validate", "../bad.urdf").code == 1
    assert cli("config", "show", "../bad.urdf").out.startswith(f"# from {layered}/phyzctl.toml\n")
