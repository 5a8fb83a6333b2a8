"""Mistakes in URDFs: in joints."""

from __future__ import annotations

import math
from random import Random

from phyzctl.formats.xmltree import Node
from tests.benchmarks.planting.planter import (
    Defect,
    Original,
    insert,
    pick,
    remove,
    value_span,
    write,
)
from tests.benchmarks.planting.urdf import MOVING, joints, limits, links, number, planter


@planter("J200")
def limit_left_out(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original))
    return None if limit is None else remove(original, limit)


@planter("J201")
def limits_swapped(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original))
    if limit is None:
        return None
    low, high = limit.attribute_span("lower"), limit.attribute_span("upper")
    assert low is not None
    assert high is not None
    edits = ((*low, limit.get("upper") or ""), (*high, limit.get("lower") or ""))
    return original.changed(*edits, node=limit, at=low[0])


@planter("J202")
def limits_equal(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original))
    return None if limit is None else write(original, limit, "upper", limit.get("lower") or "")


@planter("J203")
def effort_of_zero(original: Original, rng: Random) -> Defect | None:
    leading = [e for e in limits(original) if e.parent and not e.parent.find("mimic")]
    limit = pick(rng, [each for each in leading if number(each, "effort") > 0.0])
    if limit is None:
        return None
    return write(original, limit, rng.choice(["effort", "velocity"]), rng.choice(["0", "-1"]))


@planter("J204")
def limit_in_degrees(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, [e for e in limits(original, "revolute") if number(e, "upper") > 0.5])
    if limit is None:
        return None
    return write(original, limit, "upper", str(round(math.degrees(number(limit, "upper")))))


@planter("J206")
def angle_in_degrees(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [node for node in original.nodes("origin") if node.parent is not None])
    return None if node is None else write(original, node, "rpy", rng.choice(["0 0 90", "180 0 0"]))


@planter("J207")
def pi_rounded_up(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original, "revolute"))
    return None if limit is None else write(original, limit, "upper", "3.1416")


@planter("J208")
def soft_limit_beyond_the_hard_one(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original))
    if limit is None:
        return None
    low, high = number(limit, "lower"), number(limit, "upper") + 0.1
    text = f'<safety_controller soft_lower_limit="{low:g}" soft_upper_limit="{high:g}" '
    return insert(original, limit, text + 'k_position="20" k_velocity="10"/>')


@planter("J209")
def offset_in_millimetres(original: Original, rng: Random) -> Defect | None:
    roots = {link.get("name") for link in links(original) if not link.children}
    inner = [j for j in joints(original) if (p := j.find("parent")) and p.get("link") not in roots]
    origins = [origin for j in inner if (origin := j.find("origin")) is not None]
    far = [o for o in origins if max(map(abs, _vector(o, "xyz")), default=0.0) > 0.01]
    node = pick(rng, far)
    if node is None:
        return None
    return write(original, node, "xyz", " ".join(f"{1000 * v:g}" for v in _vector(node, "xyz")))


def _vector(node: Node, name: str) -> list[float]:
    return [float(word) for word in (node.get(name) or "").split()]


@planter("J210")
def axis_twice_as_long(original: Original, rng: Random) -> Defect | None:
    moving = joints(original, *MOVING)
    node = pick(rng, [axis for j in moving if (axis := j.find("axis")) is not None])
    if node is None:
        return None
    return write(original, node, "xyz", " ".join(f"{2 * v:g}" for v in _vector(node, "xyz")))


@planter("J211")
def axis_of_zeros(original: Original, rng: Random) -> Defect | None:
    moving = joints(original, *MOVING)
    node = pick(rng, [axis for j in moving if (axis := j.find("axis")) is not None])
    return None if node is None else write(original, node, "xyz", "0 0 0")


@planter("J212")
def axis_left_out(original: Original, rng: Random) -> Defect | None:
    moving = joints(original, *MOVING)
    node = pick(rng, [axis for j in moving if (axis := j.find("axis")) is not None])
    return None if node is None else remove(original, node)


@planter("J213")
def continuous_joint_with_bounds(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original, "revolute"))
    span = value_span(limit.parent if limit else None, "type")
    if limit is None or span is None:
        return None
    return original.changed((*span, "continuous"), node=limit)


@planter("J215")
def damping_below_zero(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, [e for e in limits(original) if not e.parent.find("dynamics")])  # type: ignore[union-attr]
    if limit is None:
        return None
    name = rng.choice(["damping", "friction"])
    return insert(original, limit, f'<dynamics {name}="-0.5"/>')


def _mimic(original: Original, rng: Random, attributes: str) -> Defect | None:
    """A mimic on some joint, of another one; {leader} and {own} are their names."""
    able = [e for e in limits(original, "revolute") if not e.parent.find("mimic")]  # type: ignore[union-attr]
    if len(able) < 2:
        return None
    leader, follower = rng.sample(able, 2)
    assert leader.parent is not None
    assert follower.parent is not None
    names = {"leader": leader.parent.get("name"), "own": follower.parent.get("name")}
    return insert(original, follower, f"<mimic {attributes.format(**names)}/>")


@planter("J220")
def mimic_of_nobody(original: Original, rng: Random) -> Defect | None:
    return _mimic(original, rng, 'joint="{leader}_x"')


@planter("J221")
def mimic_of_itself(original: Original, rng: Random) -> Defect | None:
    return _mimic(original, rng, 'joint="{own}"')


@planter("J222")
def mimic_of_a_fixed_joint(original: Original, rng: Random) -> Defect | None:
    fixed = pick(rng, joints(original, "fixed"))
    return None if fixed is None else _mimic(original, rng, f'joint="{fixed.get("name")}"')


@planter("J223")
def mimic_by_nothing(original: Original, rng: Random) -> Defect | None:
    return _mimic(original, rng, 'joint="{leader}" multiplier="0"')


@planter("J224")
def mimic_beyond_the_limits(original: Original, rng: Random) -> Defect | None:
    return _mimic(original, rng, 'joint="{leader}" multiplier="40"')
