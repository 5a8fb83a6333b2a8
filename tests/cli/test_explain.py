"""`phyzctl explain` and `phyzctl rules`."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from phyzctl.lint.engine import rules
from tests.cli.conftest import Cli
from tests.corpus import ROOT

SCHEMA = json.loads((ROOT / "schemas/rules.schema.json").read_text("utf-8"))
CODES = sorted(rules())


def parsed(text: str) -> list[dict[str, Any]]:
    document = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    found = document["rules"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("code", CODES)
def test_every_rule_is_explained(cli: Cli, code: str) -> None:
    exit_code, out, err = cli("explain", code)
    assert (exit_code, err) == (0, "")
    rule = rules()[code].code
    assert out.startswith(f"{code} {rule.name} ({rule.severity.label})\n")
    for heading in ("What it checks", "Why it matters", "Fix"):
        assert f"\n\n{heading}\n  " in out


@pytest.mark.parametrize("selector", ["J201", "j201", "limit-inverted"])
def test_a_rule_goes_by_code_and_name(cli: Cli, selector: str) -> None:
    assert cli("explain", selector).out.startswith("J201 limit-inverted (error)\n")


def test_a_prefix_means_several(cli: Cli) -> None:
    found = parsed(cli("explain", "J21", "--format", "json").out)
    expected = [code for code in CODES if code.startswith("J21")]
    assert [rule["code"] for rule in found] == expected
    assert len(expected) > 1
    headlines = [line for line in cli("explain", "J21").out.splitlines() if line[:3] == "J21"]
    assert [line[:4] for line in headlines] == expected


@pytest.mark.parametrize(
    ("selector", "hint"),
    [
        ("limit-invertd", "did you mean 'limit-inverted'?"),
        ("J2O1", "did you mean 'J2"),
        ("what", "`phyzctl rules` lists all"),
    ],
)
def test_an_unknown_rule(cli: Cli, selector: str, hint: str) -> None:
    code, out, err = cli("explain", selector)
    assert (code, out) == (2, "")
    assert err.startswith(f"phyzctl: there is no rule {selector!r}; ")
    assert hint in err


def test_what_can_be_configured_is_said(cli: Cli) -> None:
    rule = next(rule for rule in rules().values() if rule.tolerances)
    name, value = next(iter(rule.tolerances.items()))
    assert f"{name} = {value:g}" in cli("explain", rule.code.id).out


def test_a_rule_that_is_off_says_so(cli: Cli) -> None:
    rule = next(rule for rule in rules().values() if not rule.default_on and not rule.targets)
    assert "off by default" in cli("explain", rule.code.id).out


def test_what_a_target_does_is_said(cli: Cli) -> None:
    assert "By --target: warning with mujoco." in cli("explain", "J202").out


def test_rules_a_line_each(cli: Cli) -> None:
    code, out, _ = cli("rules")
    lines = out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == CODES
    starts = {line.index(rules()[line[:4]].docs.title) for line in lines}
    assert len(starts) == 1  # the columns are straight


def test_rules_for_programs(cli: Cli) -> None:
    found = parsed(cli("rules", "--format", "json").out)
    assert [rule["code"] for rule in found] == CODES
    (rule,) = [rule for rule in found if rule["code"] == "J201"]
    assert (rule["name"], rule["severity"], rule["cost"]) == ("limit-inverted", "error", "static")
    assert list(rule["sections"])[:3] == ["What it checks", "Why it matters", "Fix"]
