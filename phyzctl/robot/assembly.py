"""From stated links and joints to one tree: every structural fault is reported, once.

What can't stand in a tree is left out: later duplicates, what a loop or an unknown parent cuts
off (with all that hangs below), and all trees but the largest when there are several roots.
A link that is cut off is condemned: nothing that hangs on it is reported again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from phyzctl import codes
from phyzctl.errors import Suggester
from phyzctl.issues import Code, Issues, Related, Source
from phyzctl.records import dataclass
from phyzctl.robot.elements import Joint, Link
from phyzctl.robot.namesakes import code_of_namesake, relation_to_first
from phyzctl.robot.subject import describe

_Named = TypeVar("_Named", Link, Joint)
_Inbound = dict[str, list[Joint]]


@dataclass(frozen=True)
class Assembly:
    """What stands in the tree, and the names of all that was stated, standing or not."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    stated_links: frozenset[str]
    stated_joints: frozenset[str]
    stated_geoms: frozenset[str]
    stated_sites: frozenset[str]


def assemble(
    links: Sequence[Link], joints: Sequence[Joint], issues: Issues, source: Source | None = None
) -> Assembly:
    """Choose the links and joints that form one tree and report the others into `issues`.

    `source` is the place of the robot as a whole.
    """
    named_links, _ = _first_of_each_name(links, issues)
    named_joints, repeated = _first_of_each_name(joints, issues)
    inbound = _inbound_joints(named_joints.values(), issues)
    unknown = _report_unknown_links(named_joints.values(), named_links, issues)
    below = _children(inbound)
    orphaned = {joint.child for joint in repeated} - inbound.keys()
    cut = orphaned | _descendants(orphaned | unknown, below)
    roots = [name for name in named_links if name not in inbound and name not in cut]
    standing = named_links.keys() - cut
    trees = {root: ({root} | _descendants([root], below)) & standing for root in roots}
    reached = cut.union(*trees.values())
    looping = [name for name in named_links if name not in reached]
    _report_loops(looping, inbound, issues)
    main = max(trees, key=lambda root: len(trees[root]), default=None)
    orphans = [root for root in roots if root != main]
    explained = _near_misses(unknown, orphans) if "" not in unknown else orphans
    _report_roots(main, [name for name in orphans if name not in explained], named_links, issues)
    if not (named_links or unknown):
        issues.add(codes.ROOT_NOT_SINGLE, "there are no links", source=source)
    alive = trees[main] if main is not None else set()
    return Assembly(
        tuple(link for link in named_links.values() if link.name in alive),
        tuple(joint for joint in named_joints.values() if _stands(joint, alive, inbound)),
        frozenset(link.name for link in links),
        frozenset(joint.name for joint in joints),
        frozenset(geom.name for link in links for geom in link.geoms if geom.name),
        frozenset(site.name for link in links for site in link.sites if site.name),
    )


def _first_of_each_name(
    items: Iterable[_Named], issues: Issues
) -> tuple[dict[str, _Named], list[_Named]]:
    named: dict[str, _Named] = {}
    repeated: list[_Named] = []
    for item in items:
        if item.name in named:
            repeated.append(item)
            first = named[item.name].source
            message = f"the name {item.name!r} is taken; this one is left out"
            code, related = code_of_namesake(item.source, first), relation_to_first(first)
            _report(issues, code, item, message, related, attribute="name")
            continue
        named[item.name] = item
        if item.name != item.name.strip() or not item.name:
            blank = not item.name.strip()
            message = "the name is empty" if blank else f"blanks around the name {item.name!r}"
            _report(issues, codes.NAME_BLANK, item, message, attribute="name")
    return named, repeated


def _inbound_joints(joints: Iterable[Joint], issues: Issues) -> _Inbound:
    """Per child, the joints in series that move it; a second parent is refused here."""
    inbound: _Inbound = {}
    for joint in sorted(joints, key=_joins_itself):
        series = inbound.setdefault(joint.child, [])
        if not series or series[0].parent == joint.parent:
            series.append(joint)
            continue
        first = series[0]
        if _joins_itself(joint):
            _report(
                issues, codes.LOOP, joint, f"parent and child are the same link {joint.child!r}"
            )
            continue
        message = (
            f"link {joint.child!r} already hangs on {first.parent!r} by {describe(first)}; "
            "a link has one parent, loops are closed by a constraint"
        )
        related = (Related("the first parent", first.source),)
        _report(issues, codes.PARENTS_SEVERAL, joint, message, related, attribute="child@link")
    return inbound


def _joins_itself(joint: Joint) -> bool:
    return joint.parent == joint.child


def _report_unknown_links(
    joints: Iterable[Joint], links: dict[str, Link], issues: Issues
) -> set[str]:
    """One Issue per unknown name, at the first joint that names it; returns those names.

    A reader that finds no name where one belongs has reported that, and leaves it empty.
    """
    uses: dict[str, list[tuple[str, Joint]]] = {}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                uses.setdefault(name, []).append((role, joint))
    suggester = Suggester()
    for name, ((role, joint), *others) in uses.items():
        if not name and joint.source is not None:
            continue
        message = f"{role} link {name!r} is not defined{suggester.did_you_mean(name, links)}"
        related = tuple(Related(f"{other} of {describe(j)}", j.source) for other, j in others)
        _report(issues, codes.LINK_UNKNOWN, joint, message, related, attribute=f"{role}@link")
    return set(uses)


def _children(inbound: _Inbound) -> dict[str, list[str]]:
    below: dict[str, list[str]] = {}
    for child, series in inbound.items():
        below.setdefault(series[0].parent, []).append(child)
    return below


def _descendants(starts: Iterable[str], below: dict[str, list[str]]) -> set[str]:
    found: set[str] = set()
    stack = list(starts)
    while stack:
        for child in below.get(stack.pop(), ()):
            if child not in found:
                found.add(child)
                stack.append(child)
    return found


def _stands(joint: Joint, alive: set[str], inbound: _Inbound) -> bool:
    in_tree = joint.parent in alive and joint.child in alive
    return in_tree and any(joint is mover for mover in inbound[joint.child])


def _near_misses(unknown: Iterable[str], orphans: list[str]) -> set[str]:
    """The orphans that stand alone because a joint misspells them: reported there already."""
    suggester = Suggester()
    matches = (suggester.nearest(name, orphans) for name in unknown)
    return {match for match in matches if match is not None}


def _report_loops(looping: list[str], inbound: _Inbound, issues: Issues) -> None:
    """One Issue a cycle, at its first joint; what merely hangs on a cycle is not reported."""
    for cycle in _cycles(looping, inbound):
        joints = [inbound[name][0] for name in cycle]
        chain = " -> ".join([*(joint.parent for joint in joints), joints[0].parent])
        related = tuple(Related("also in the loop", joint.source) for joint in joints[1:])
        _report(issues, codes.LOOP, joints[0], f"the links form a loop: {_short(chain)}", related)


def _cycles(names: list[str], inbound: _Inbound) -> Iterator[list[str]]:
    """The cycles of a graph in which every link has one parent, each in downward order."""
    seen: set[str] = set()
    for start in names:
        path: dict[str, int] = {}
        name = start
        while name not in seen:
            seen.add(name)
            path[name] = len(path)
            name = inbound[name][0].parent
        if name in path:
            upward = list(path)[path[name] :]
            yield list(reversed(upward))


def _report_roots(
    main: str | None, orphans: list[str], links: dict[str, Link], issues: Issues
) -> None:
    """One Issue for all links that nothing joins to the largest tree."""
    if main is None or not orphans:
        return
    first, *others = (links[name] for name in orphans)
    message = (
        f"nothing joins this link to the tree of {main!r}: "
        f"a robot has one root, here are {len(orphans) + 1}"
    )
    related = (
        Related("the root of the largest tree", links[main].source),
        *(Related(f"{describe(link)} stands alone too", link.source) for link in others),
    )
    _report(issues, codes.ROOT_NOT_SINGLE, first, message, related)


def _short(chain: str, limit: int = 160) -> str:
    return chain if len(chain) <= limit else f"{chain[: limit // 2]} … {chain[-limit // 2 :]}"


def _report(
    issues: Issues,
    code: Code,
    element: Link | Joint,
    message: str,
    related: tuple[Related, ...] = (),
    *,
    attribute: str | None = None,
) -> None:
    issues.add(
        code,
        message,
        source=element.source,
        subject=describe(element),
        related=related,
        attribute=attribute,
    )
