"""`phyzctl schema`, `phyzctl config show`, and the streams and tables beneath."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from phyzctl.cli import streams
from phyzctl.cli.streams import Color, coloured
from phyzctl.cli.tables import columns
from tests.cli.conftest import Cli
from tests.corpus import ROOT

SCHEMAS = {path.name.removesuffix(".schema.json"): path for path in (ROOT / "schemas").iterdir()}


def test_schemas_are_listed(cli: Cli) -> None:
    assert cli("schema") == (0, "".join(f"{name}\n" for name in sorted(SCHEMAS)), "")


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_each_schema_is_printed_as_it_stands(cli: Cli, name: str) -> None:
    assert cli("schema", name) == (0, SCHEMAS[name].read_text("utf-8"), "")


def test_an_unknown_schema(cli: Cli) -> None:
    code, _, err = cli("schema", "reprot")
    assert (code, err) == (2, "phyzctl: there is no schema 'reprot'; did you mean 'report'?\n")
    assert "there are baseline, config, diff, " in cli("schema", "xyz").err


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
    schema = json.loads(SCHEMAS["config"].read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(first))


def test_config_alone_shows_its_help(cli: Cli) -> None:
    code, out, err = cli("config")
    assert code in {0, 2}  # as the versions of click have it
    assert "show" in out + err


# Colours


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "expected"),
    [
        (Color.ALWAYS, {"NO_COLOR": "1"}, False, True),
        (Color.NEVER, {"FORCE_COLOR": "1"}, True, False),
        (Color.AUTO, {}, True, True),
        (Color.AUTO, {}, False, False),
        (Color.AUTO, {"NO_COLOR": "1"}, True, False),
        (Color.AUTO, {"NO_COLOR": ""}, True, True),
        (Color.AUTO, {"FORCE_COLOR": "1"}, False, True),
        (Color.AUTO, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        (Color.AUTO, {"TERM": "dumb"}, True, False),
        (Color.AUTO, {"TERM": "xterm"}, True, True),
    ],
)
def test_when_there_is_colour(
    choice: Color,
    environment: dict[str, str],
    terminal: bool,
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert coloured(choice, environment) is expected


# Files and tables


def test_reports_are_written_with_plain_line_ends(tmp_path: Path) -> None:
    streams.write_file(str(tmp_path / "x"), "a\nü\udc80\n")
    assert (tmp_path / "x").read_bytes() == "a\nü\\udc80\n".encode()


def test_a_dash_is_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    streams.write_file("-", "a\n")
    assert capsys.readouterr().out == "a\n"


def test_columns() -> None:
    assert columns([["a", "1", "x"], ["bbb", "22", ""]], right=frozenset({1})) == (
        "a     1  x\nbbb  22\n"
    )
    assert columns([]) == ""
