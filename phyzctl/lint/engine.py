"""Run the rules over a description and bring all Issues, readers' and rules', into order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.formats.format import Reading
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Finding, Issue
from phyzctl.lint.condemned import Condemned
from phyzctl.lint.context import Context
from phyzctl.lint.locate import Place, node_of, place_below, place_of
from phyzctl.lint.rule import Rule
from phyzctl.lint.rules import all_rules, checked_rules
from phyzctl.lint.select import Selection
from phyzctl.lint.suppress import SUPPRESSION_UNUSED, Suppressions
from phyzctl.robot.robot import Robot
from phyzctl.robot.subject import describe

if TYPE_CHECKING:
    from phyzctl.config import Config

_FIRST = "XNT"  # families of codes, in the order in which they are judged before all others


def lint(reading: Reading, issues: Iterable[Issue], config: Config) -> list[Issue]:
    """All that is wrong: the readers' `issues` and the rules' own, most serious first.

    Issues carry their final severity and place; what the configuration or a comment in the file
    suppresses is gone. Raises `PhyzctlError` for selectors and tolerances that mean nothing.
    """
    catalogue = rules()
    selection = Selection(config, catalogue)
    defaults = _tolerances(config)
    found = [_located(issue, reading) for issue in issues]
    robot = reading.robot
    if robot is None and reading.srdf is not None:
        robot = Robot(reading.srdf.name, (), ())
    if robot is not None:
        context = Context(robot, reading, config, defaults)
        condemned = Condemned(reading.documents)
        for issue in found:
            condemned.add(issue)
        for rule in sorted(checked_rules(), key=_precedence):
            if selection.runs(rule, context.dialect, srdf=reading.srdf is not None):
                found.extend(_run(rule, context, condemned))
    found = _without_consequences(found)
    chosen = [issue for issue in found if selection.takes(issue.code, issue.severity)]
    suppressions = Suppressions(reading.documents, catalogue)
    kept = [issue for issue in chosen if not suppressions.cover(issue)]
    if selection.takes(SUPPRESSION_UNUSED):
        kept.extend(suppressions.unused(selection))
    kept = [restamped(issue, selection) for issue in kept]
    return sorted(dict.fromkeys(kept), key=Issue.sort_key)


def rules() -> Mapping[str, Rule]:
    """Every rule by the id of its code."""
    return all_rules()


def _precedence(rule: Rule) -> tuple[int, str]:
    """What can't be read, named or placed comes first: it condemns what else is said of it."""
    family = rule.code.id[0]
    return (_FIRST + family).index(family), rule.code.id


def _without_consequences(issues: list[Issue]) -> list[Issue]:
    """Issues without those of the builder about a value that can't even be read."""
    places = {issue.source for issue in issues if issue.code.id.startswith("X")}
    return [
        issue
        for issue in issues
        if issue.code.id.startswith("X") or issue.source is None or issue.source not in places
    ]


def _run(rule: Rule, context: Context, condemned: Condemned) -> list[Issue]:
    """The Issues of one rule; findings on what is condemned are left out."""
    issues, errors = [], []
    for finding in rule.check(context) if rule.check else ():
        place = place_of(finding, context.documents)
        if place is not None and condemned.covers(place):
            continue
        issue = _stamped(rule, finding, place, context.robot)
        issues.append(issue)
        if issue.fatal and place is not None:
            errors.append(place)
    for place in errors:  # only now: one rule may have several things to say of one element
        condemned.add_place(place)
    return issues


def _stamped(rule: Rule, finding: Finding, place: Place | None, robot: Robot) -> Issue:
    return Issue(
        rule.code,
        rule.code.severity if finding.severity is None else finding.severity,
        finding.message,
        place.source if place else getattr(finding.element, "source", None),
        finding.subject or subject_of(finding.element, robot),
        finding.fix,
        finding.related,
    )


def subject_of(element: Any, robot: Robot) -> str | None:
    """What a message calls an element; a part without a name goes by its link's."""
    if isinstance(element, Node):
        return element.subject
    name = describe(element)
    if name is not None:
        return name
    owner = robot.structure.owner(element)
    return None if owner is None else describe(owner)


def _located(issue: Issue, reading: Reading) -> Issue:
    """The Issue at its own place, when so far only its element's, or not even that, is known."""
    if issue.source is None and reading.robot is not None:
        return replace(issue, source=reading.robot.source)
    node = node_of(issue, reading.documents) if issue.attribute else None
    if node is None:
        return issue
    return replace(issue, source=place_below(node, issue.attribute).source, attribute=None)


def restamped(issue: Issue, selection: Selection) -> Issue:
    """The Issue with the severity that the configuration gives it."""
    severity = selection.severity(issue.code, issue.severity)
    return issue if severity is issue.severity else replace(issue, severity=severity)


def _tolerances(config: Config) -> dict[str, float]:
    """The defaults of all tolerances; raises for a configured one that no rule knows."""
    defaults = {name: value for rule in checked_rules() for name, value in rule.tolerances.items()}
    for name in config.tolerances:
        if name not in defaults:
            hint = did_you_mean(name, defaults) or f"; known are {', '.join(sorted(defaults))}"
            raise PhyzctlError(f"no tolerance is called {name!r}{hint}")
    return defaults
