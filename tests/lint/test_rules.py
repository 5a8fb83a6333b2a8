"""The catalogue of rules is complete, well named and explained."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import phyzctl
from phyzctl import codes
from phyzctl.issues import Code
from phyzctl.lint.engine import rules
from phyzctl.lint.rule import COSTS, FORMATS, HEADINGS, Rule, parse_docs
from phyzctl.lint.rules import checked_rules

SHARED_CODES = {value.id: value for value in vars(codes).values() if isinstance(value, Code)}
_ID = re.compile(r"[A-Z][0-9]{3}")
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
REPORTERS = {
    "reader",
    "builder",
    "model",
    "engine",
    "writer",
    "exclude",
    "scene",
    "sim",
    "baseline",
}
# Words of remedies: a name says the fault.
_REMEDIES = {"should", "must", "use", "add", "fix", "avoid", "remove"}

every_rule = pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.code.id)


@every_rule
def test_a_rule_is_explained_under_the_headings(rule: Rule) -> None:
    title, sections = rule.docs.title, rule.docs.sections
    assert title.endswith(".")
    assert len(title) <= 90
    assert set(HEADINGS[:3]) <= set(sections), "What it checks, Why it matters, Fix"
    assert list(sections) == [name for name in HEADINGS if name in sections]
    assert all(sections.values()), "no section is empty"


@every_rule
def test_a_code_has_a_letter_three_digits_and_a_name_in_kebab_case(rule: Rule) -> None:
    assert _ID.fullmatch(rule.code.id)
    assert _KEBAB.fullmatch(rule.code.name)
    assert _REMEDIES.isdisjoint(rule.code.name.split("-"))


@every_rule
def test_a_module_is_called_after_its_code_and_holds_a_check_or_says_who_reports(
    rule: Rule,
) -> None:
    stem = rule.module.rpartition(".")[2]
    assert stem.startswith(f"{rule.code.id.lower()}_")
    assert (rule.check is not None) or rule.reported_by in REPORTERS
    assert rule.formats <= FORMATS
    assert rule.formats
    assert rule.cost in COSTS


@every_rule
def test_a_shared_code_is_stated_once(rule: Rule) -> None:
    assert SHARED_CODES.get(rule.code.id, rule.code) is rule.code


@pytest.mark.parametrize("code", SHARED_CODES)
def test_every_shared_code_has_a_module(code: str) -> None:
    assert code in rules()


def test_ids_names_and_tolerances_are_unique() -> None:
    found = rules().values()
    names = Counter(rule.code.name for rule in found)
    tolerances = Counter(name for rule in found for name in rule.tolerances)
    modules = {rule.module for rule in found}
    assert [name for name, count in (names + tolerances).items() if count > 1] == []
    assert len(modules) == len(found) == len(list(_module_files()))
    assert all(_KEBAB.fullmatch(name) for name in tolerances)


def _module_files() -> list[Path]:
    lint = Path(phyzctl.__file__).parent / "lint"
    files = [*(lint / "rules").glob("*.py"), *(lint / "reported").glob("*.py")]
    return [path for path in files if path.name != "__init__.py"]


def test_rules_come_in_the_order_of_their_ids() -> None:
    assert list(rules()) == sorted(rules())
    assert [rule.code.id for rule in rules().values()] == list(rules())


@every_rule
def test_the_folder_tells_who_finds_it(rule: Rule) -> None:
    folder = "rules" if rule.check is not None else "reported"
    assert rule.module.startswith(f"phyzctl.lint.{folder}.")
    assert (rule in checked_rules()) is (rule.check is not None)


def test_what_others_report_is_not_imported_to_lint() -> None:
    code = (
        "import sys; from phyzctl.lint import engine; engine.checked_rules(); 'J201' in "
        "engine.rules(); sys.exit(any(n.startswith('phyzctl.lint.reported.') for n in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_docs_are_taken_apart() -> None:
    docs = parse_docs("Title.\n\nWhat it checks\n    One.\n\n    Two.\n\nFix\n    None.\n")
    assert docs.title == "Title."
    assert docs.sections == {"What it checks": "One.\n\nTwo.", "Fix": "None."}
