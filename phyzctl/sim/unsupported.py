"""What a description asks of a simulation that the engine leaves out, told once per kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phyzctl import codes
from phyzctl.issues import Finding, Issue
from phyzctl.model.constraints import unheld
from phyzctl.model.contacts import contact_table
from phyzctl.model.dynamics import unsupported
from phyzctl.model.model import Model
from phyzctl.native import INTEGRATORS
from phyzctl.robot import mechanism
from phyzctl.robot.subject import describe

_SHOWN = 6  # names in a message


def unsupported_issues(model: Model) -> list[Issue]:
    """One Issue for each kind of thing that has no effect in a run, at the first of its places."""
    return [_issue(message, elements) for message, elements in left_out(model).items()]


def left_out(model: Model) -> dict[str, list[Any]]:
    """What has no effect in a run, by what follows from that: the elements of the Robot."""
    found: dict[str, list[Any]] = {}
    for finding in unsupported(model):
        idle = isinstance(finding.element, mechanism.Actuator)
        lack = "it pulls at nothing" if idle else "the run goes on without"
        found.setdefault(f"{finding.message}; {lack}", []).append(finding.element)
    for finding in _unheld(model):
        found.setdefault(finding.message, []).append(finding.element)
    return found


def _issue(message: str, elements: list[Any]) -> Issue:
    first = elements[0]
    others = [each.name for each in elements[1:] if getattr(each, "name", None)]
    if others:
        rest = ", …" if len(others) > _SHOWN else ""
        message += f"; so for {len(others)} more: {', '.join(others[:_SHOWN])}{rest}"
    code = codes.UNSUPPORTED
    return Issue(code, code.severity, message, getattr(first, "source", None), describe(first))


def _unheld(model: Model) -> Iterator[Finding]:
    yield from unheld(model)
    yield from contact_table(model).findings
    stated = (model.robot.option.integrator or "").lower()
    if stated and stated not in INTEGRATORS:
        message = f"the integrator {stated} is not there; implicitfast takes its place"
        yield Finding(model.robot.option, message)
