"""Mistakes in URDFs: in the XML, in names, the tree, and joints."""

from __future__ import annotations

import math
from random import Random

from phyzctl.formats.xmltree import Node
from tests.benchmarks.planting.planter import (
    Defect,
    Original,
    Planters,
    drop,
    insert,
    name_span,
    pick,
    rename_tag,
    value_span,
    write,
)

planter = Planters("urdf")
URDF = planter.all

MOVING = ("revolute", "prismatic", "continuous")
NUMBERS = (("origin", "xyz"), ("origin", "rpy"), ("mass", "value"), ("limit", "upper"))


def joints(original: Original, *types: str) -> list[Node]:
    """The joints of these types, or all."""
    found = [node for node in original.root.children if node.tag == "joint"]
    return [
        node for node in found if node.find("parent") and (node.get("type") in types or not types)
    ]


def links(original: Original) -> list[Node]:
    return [node for node in original.root.children if node.tag == "link"]


def limits(original: Original, *types: str) -> list[Node]:
    """The limits of joints that have both bounds, and some way to go."""
    found = []
    for joint in joints(original, *(types or ("revolute", "prismatic"))):
        limit = joint.find("limit")
        if limit is not None and number(limit, "upper") > number(limit, "lower"):
            found.append(limit)
    return found


def number(node: Node, name: str) -> float:
    try:
        return float(node.get(name) or "nan")
    except ValueError:
        return math.nan


def numeric(original: Original, rng: Random) -> tuple[Node, str] | None:
    """Some attribute that holds numbers."""
    written = [
        (node, name)
        for tag, name in NUMBERS
        for node in original.nodes(tag)
        if node.get(name) and node.parent and node.parent.tag in ("joint", "inertial", "visual")
    ]
    return pick(rng, written)


def unreferenced(original: Original) -> list[Node]:
    """Joints whose name stands nowhere else."""
    return [
        node
        for node in joints(original)
        if original.data.count(f'"{node.get("name")}"'.encode()) == 1
    ]


# XML and values


@planter("X001", "X016")
def less_than_sign_in_a_value(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, joints(original))
    span = value_span(node, "name")
    if node is None or span is None:
        return None
    return original.changed((span[0], span[0], "<"), node=node, at=span[0])


@planter("X001", "X016")
def value_without_quotes(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, original.nodes("mass"))
    span = value_span(node, "value")
    if node is None or span is None:
        return None
    text = original.data[span[0] : span[1]].decode()
    return original.changed((span[0] - 1, span[1] + 1, text), node=node, at=span[0] - 1)


@planter("X003")
def tag_with_a_slip(original: Original, rng: Random) -> Defect | None:
    tags = ("visual", "collision", "inertial", "axis", "origin", "geometry")
    node = pick(rng, [node for node in original.nodes(*tags) if node.parent is not None])
    if node is None:
        return None
    cut = rng.randrange(1, len(node.tag))
    return rename_tag(original, node, node.tag[:cut] + node.tag[cut + 1 :])


@planter("X003")
def attribute_with_a_slip(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original))
    span = name_span(limit, "lower" if rng.random() < 0.5 else "effort")
    if limit is None or span is None:
        return None
    name = original.data[span[0] : span[1]].decode()
    slip = {"lower": "lowr", "effort": "efort"}[name]
    return original.changed((*span, slip), node=limit, at=span[0])


@planter("X005")
def element_written_twice(original: Original, rng: Random) -> Defect | None:
    found = [joint.find("axis") or joint.find("limit") for joint in joints(original)]
    node = pick(rng, [node for node in found if node is not None])
    return None if node is None else insert(original, node, node.raw_text())


@planter("X006")
def required_attribute_left_out(original: Original, rng: Random) -> Defect | None:
    wanted = [(node, "value") for node in original.nodes("mass")]
    wanted += [(node, "izz") for node in original.nodes("inertia")]
    wanted += [(node, "filename") for node in original.nodes("mesh")]
    chosen = pick(rng, [pair for pair in wanted if pair[0].get(pair[1])])
    return None if chosen is None else drop(original, *chosen)


@planter("X007")
def tensor_below_the_diagonal(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, original.nodes("inertia"))
    return None if node is None else write(original, node, "iyx", node.get("ixy") or "0")


@planter("X009")
def text_between_elements(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, links(original)[:-1])
    if node is None:
        return None
    edit = (node.end, node.end, "\n  wheel left\n")
    found = original.changed(edit, node=original.root)
    line = found.data[: node.end + 1].count(b"\n") + 1
    return Defect(found.data, line, found.span)


@planter("X010")
def number_with_its_unit(original: Original, rng: Random) -> Defect | None:
    chosen = numeric(original, rng)
    if chosen is None:
        return None
    node, name = chosen
    return write(original, node, name, f"{node.get(name)}m")


@planter("X010")
def number_left_out(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [node for node in original.nodes("origin", "axis") if node.get("xyz")])
    if node is None:
        return None
    return write(original, node, "xyz", " ".join((node.get("xyz") or "").split()[:2]))


@planter("X011")
def decimal_comma(original: Original, rng: Random) -> Defect | None:
    masses = [node for node in original.nodes("mass") if "." in (node.get("value") or "")]
    node = pick(rng, masses)
    if node is None:
        return None
    return write(original, node, "value", (node.get("value") or "").replace(".", ","))


@planter("X012")
def not_a_number(original: Original, rng: Random) -> Defect | None:
    chosen = numeric(original, rng)
    if chosen is None:
        return None
    node, name = chosen
    words = (node.get(name) or "").split()
    words[rng.randrange(len(words))] = rng.choice(["nan", "inf", "-inf"])
    return write(original, node, name, " ".join(words))


@planter("X013", "X014")
def macro_left_over(original: Original, rng: Random) -> Defect | None:
    chosen = numeric(original, rng)
    return None if chosen is None else write(original, *chosen, "${length / 2}")


@planter("X020")
def version_of_the_project(original: Original, _rng: Random) -> Defect | None:
    return write(original, original.root, "version", "2.3")


# Names and the tree


@planter("N301")
def link_defined_twice(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, links(original))
    return None if node is None else insert(original, node, f'<link name="{node.get("name")}"/>')


@planter("N301")
def joint_named_as_another(original: Original, rng: Random) -> Defect | None:
    named = unreferenced(original)
    if len(named) < 2:
        return None
    first, second = sorted(rng.sample(range(len(named)), 2))
    return write(original, named[second], "name", named[first].get("name") or "")


@planter("N302")
def joint_named_as_a_link(original: Original, rng: Random) -> Defect | None:
    joint, link = pick(rng, unreferenced(original)), pick(rng, links(original))
    if joint is None or link is None:
        return None
    return write(original, joint, "name", link.get("name") or "")


@planter("N303")
def name_with_a_blank_behind_it(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, unreferenced(original))
    return None if node is None else write(original, node, "name", f"{node.get('name')} ")


@planter("N304")
def joint_named_as_another_but_for_the_case(original: Original, rng: Random) -> Defect | None:
    named = unreferenced(original)
    if len(named) < 2:
        return None
    first, second = sorted(rng.sample(range(len(named)), 2))
    return write(original, named[second], "name", (named[first].get("name") or "").swapcase())


@planter("N305")
def gazebo_reference_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, links(original))
    if node is None:
        return None
    text = f'<gazebo reference="{node.get("name")}x"><mu1>0.9</mu1></gazebo>'
    return insert(original, original.root.children[-1], text)


@planter("T401")
def link_that_hangs_on_nothing(original: Original, _rng: Random) -> Defect | None:
    return insert(original, original.root.children[-1], '<link name="orphan"/>')


@planter("T402")
def joint_whose_parent_is_its_child(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original))
    parent, child = (joint.find("parent"), joint.find("child")) if joint else (None, None)
    if joint is None or parent is None or child is None:
        return None
    span = parent.attribute_span("link")
    assert span is not None
    return original.changed((*span, child.get("link") or ""), node=joint, at=joint.offset)


@planter("T403")
def link_with_two_parents(original: Original, rng: Random) -> Defect | None:
    edges = [(j.find("parent"), j.find("child")) for j in joints(original)]
    if len(edges) < 3:
        return None
    parent, child = edges[0][0], edges[rng.randrange(1, len(edges))][1]
    assert parent is not None
    assert child is not None
    text = (
        f'<joint name="second" type="fixed"><parent link="{parent.get("link")}"/>'
        f'<child link="{child.get("link")}"/></joint>'
    )
    return insert(original, original.root.children[-1], text)


@planter("T404")
def parent_with_a_slip(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original))
    parent = joint.find("parent") if joint else None
    return None if parent is None else write(original, parent, "link", f"{parent.get('link')}x")


@planter("T405")
def joint_type_with_a_slip(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original))
    if joint is None:
        return None
    kind = joint.get("type") or ""
    return write(original, joint, "type", rng.choice([kind[:-1], kind.capitalize()]))


@planter("T406")
def floating_joint_inside_the_tree(original: Original, rng: Random) -> Defect | None:
    moved = {node.get("link") for j in joints(original, *MOVING) if (node := j.find("child"))}
    inner = [j for j in joints(original) if (p := j.find("parent")) and p.get("link") in moved]
    joint = pick(rng, inner)
    return None if joint is None else write(original, joint, "type", "floating")
