"""A chain of an SRDF that doesn't hang together.

What it checks
    The base link of every `<chain>` lies on the way from its tip to the root.

Why it matters
    MoveIt finds no joints for the group, and no planner and no kinematics solver has anything to
    work on.

Fix
    Exchange base and tip if they are the wrong way round, or name links of one branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import semantics_of, subject_of
from phyzctl.robot.robot import Structure

CODE = Code("T410", "chain-broken", Severity.ERROR)
FORMATS = frozenset({"srdf"})


def check(context: Context) -> Iterator[Finding]:
    """Chains whose base isn't above their tip."""
    semantics, robot = semantics_of(context), context.reading.robot
    if semantics is None or robot is None:
        return
    structure = robot.structure
    for group in semantics.root.findall("group"):
        for chain in group.findall("chain"):
            base, tip = chain.get("base_link") or "", chain.get("tip_link") or ""
            if not structure.has_link(base) or not structure.has_link(tip):
                continue
            if not _is_above(structure, base, tip):
                wrong_way = _is_above(structure, tip, base)
                message = f"{base!r} is not on the way from {tip!r} to the root" + (
                    ": they are the wrong way round" if wrong_way else ""
                )
                yield Finding(chain, message, "base_link", subject=subject_of(chain))


def _is_above(structure: Structure, base: str, tip: str) -> bool:
    link = structure.link(tip)
    while link.name != base:
        above = structure.parent(link.name)
        if above is None:
            return False
        link = above
    return True
