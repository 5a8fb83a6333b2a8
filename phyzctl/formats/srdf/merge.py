"""An SRDF's pairs as excludes of the robot, and back into an SRDF beside a file."""

from __future__ import annotations

from dataclasses import replace

from phyzctl import codes
from phyzctl.formats.losses import Losses
from phyzctl.formats.srdf.semantics import USER, Srdf
from phyzctl.formats.srdf.write import new_srdf, rewritten
from phyzctl.robot.mechanism import Exclude
from phyzctl.robot.robot import Robot

_PAIRS = frozenset({"disable_collisions", "enable_collisions", "disable_default_collisions"})


def with_pairs_of(robot: Robot, srdf: Srdf, losses: Losses, *, whole: bool) -> Robot:
    """`robot` with an exclude for each pair that the SRDF switches off, and that it has none for.

    Pairs of unknown links are told as lost, and so is all else of the SRDF unless `whole` says
    that the file itself is written too.
    """
    links = tuple(link.name for link in robot.links)
    known = {frozenset((each.first, each.second)) for each in robot.excludes}
    stated = {pair.key: pair for pair in srdf.disabled}
    added = []
    for pair in srdf.excluded(links):
        written = stated.get(pair.key)
        source = written.source if written else None
        if not {pair.first, pair.second} <= set(links):
            message = "an SRDF's pair of a link that the robot doesn't have is left out"
            losses.add(codes.LOSS_OF_CONTACT, message, None, source)
        elif pair.key not in known:
            reason = written.written if written else USER
            added.append(Exclude(pair.first, pair.second, reason=reason, source=source))
    root = srdf.document.root
    for node in root.children if root is not None and not whole else ():
        if node.tag not in _PAIRS:
            message = f"an SRDF's <{node.tag}> has no place in what is written"
            losses.add(codes.LOSS_OF_EXTENSION, message, None, node.source)
    return replace(robot, excludes=(*robot.excludes, *added))


def srdf_of(robot: Robot, srdf: Srdf | None) -> bytes:
    """An SRDF of all excludes of a robot: `srdf` with what it lacks, or a new one.

    The lines that `srdf` has stay as they are.
    """
    links = tuple(link.name for link in robot.links)
    known = {pair.key for pair in srdf.excluded(links)} if srdf is not None else set()
    pairs = {
        (each.first, each.second): each.reason or USER
        for each in robot.excludes
        if frozenset((each.first, each.second)) not in known
    }
    if srdf is None:
        return new_srdf(robot.name, pairs).encode()
    return rewritten(srdf, pairs, keep=True)
