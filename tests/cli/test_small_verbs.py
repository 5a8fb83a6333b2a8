"""`phyzctl schema`, and the streams and tables beneath the verbs."""

from __future__ import annotations

import sys
from pathlib import Path

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
