"""Mistakes in MJCF files."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from phyzctl.formats.xmltree import Node
from tests.benchmarks.planting.planter import (
    Defect,
    Original,
    Planters,
    name_span,
    pick,
    rename_tag,
    value_span,
    write,
)

planter = Planters("mjcf")
MJCF = planter.all


def world(original: Original) -> Node | None:
    return original.root.find("worldbody")


def within(original: Original, section: str, *tags: str) -> list[Node]:
    """The elements of these tags in a section such as `worldbody`."""
    found = [node for part in original.root.findall(section) for node in part.iter()]
    return [node for node in found if node.tag in tags]


def hinges(original: Original) -> list[Node]:
    """Joints with a range of their own that has some width."""
    joints = within(original, "worldbody", "joint")
    return [joint for joint in joints if len(set(numbers(joint, "range"))) == 2]


def numbers(node: Node, name: str) -> list[float]:
    try:
        return [float(word) for word in (node.get(name) or "").split()]
    except ValueError:
        return []


def actuators(original: Original) -> list[Node]:
    return [node for part in original.root.findall("actuator") for node in part.children]


def keys(original: Original) -> Iterator[tuple[Node, list[float]]]:
    """Keyframes that state as many positions as there are."""
    for node in within(original, "keyframe", "key"):
        if qpos := numbers(node, "qpos"):
            yield node, qpos


# XML and values


@planter("X001", "X016")
def ampersand_in_a_name(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [body for body in within(original, "worldbody", "body") if body.get("name")])
    span = value_span(node, "name")
    if node is None or span is None:
        return None
    return original.changed((span[0], span[0], "a&b"), node=node, at=span[0])


@planter("X003")
def tag_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "geom", "joint", "site"))
    return None if node is None else rename_tag(original, node, node.tag[:-1])


@planter("X003")
def attribute_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, hinges(original))
    span = name_span(node, "range")
    return None if node is None or span is None else _renamed(original, node, span, "rnge")


def _renamed(original: Original, node: Node, span: tuple[int, int], name: str) -> Defect:
    return original.changed((*span, name), node=node, at=span[0])


@planter("X004", "X003")
def attribute_that_is_not_mjcf(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "geom"))
    return None if node is None else write(original, node, "collidable", "true")


@planter("X008")
def keyword_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "geom", "joint") if n.get("type")])
    return None if node is None else write(original, node, "type", f"{node.get('type')}s")


@planter("X010")
def number_with_its_unit(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "body", "geom") if n.get("pos")])
    return None if node is None else write(original, node, "pos", f"{node.get('pos')}m")


@planter("X010")
def number_left_out(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "body", "geom") if n.get("pos")])
    if node is None:
        return None
    return write(original, node, "pos", " ".join((node.get("pos") or "").split()[:2]))


@planter("X011")
def decimal_comma(original: Original, rng: Random) -> Defect | None:
    joints = list(within(original, "worldbody", "joint", "inertial", "geom"))
    found = [n for n in joints for name in ("mass", "damping") if "." in (n.get(name) or "")]
    node = pick(rng, found)
    name = "mass" if node and "." in (node.get("mass") or "") else "damping"
    return (
        None
        if node is None
        else write(original, node, name, (node.get(name) or "").replace(".", ","))
    )


@planter("X012")
def not_a_number(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "body", "geom") if n.get("pos")])
    return None if node is None else write(original, node, "pos", "0 nan 0")


# Names and the tree


@planter("N301")
def body_named_as_another(original: Original, rng: Random) -> Defect | None:
    named = [body for body in within(original, "worldbody", "body") if body.get("name")]
    free = [b for b in named if original.data.count(f'"{b.get("name")}"'.encode()) == 1]
    node = pick(rng, [b for b in free if b is not named[0]])
    return None if node is None else write(original, node, "name", named[0].get("name") or "")


@planter("M013")
def class_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "geom", "joint") if n.get("class")])
    return None if node is None else write(original, node, "class", f"{node.get('class')}x")


@planter("T407")
def freejoint_inside_the_tree(original: Original, rng: Random) -> Defect | None:
    bodies = within(original, "worldbody", "body")
    inner = [b for b in bodies if b.parent and b.parent.tag == "body" and not b.find("joint")]
    inner += [b for b in bodies if b.parent and b.parent.tag == "body" and b.find("joint")]
    node = pick(rng, inner)
    joint = node.find("joint") if node else None
    if joint is None or node is None or len(node.findall("joint")) != 1:
        return None
    end = original.data.find(b"/>", joint.offset)
    return original.changed((joint.offset, end, "<freejoint"), node=joint)


# Joints and masses


@planter("J201")
def range_swapped(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, hinges(original))
    if node is None:
        return None
    low, high = (node.get("range") or "").split()
    return write(original, node, "range", f"{high} {low}")


@planter("J211")
def axis_of_zeros(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "joint"))
    if node is None or node.get("type") in ("free", "ball"):
        return None
    return write(original, node, "axis", "0 0 0")


@planter("J215")
def damping_below_zero(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "joint"))
    return None if node is None else write(original, node, "damping", "-1")


@planter("I107")
def mass_below_zero(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "inertial"))
    return None if node is None else write(original, node, "mass", f"-{node.get('mass')}")


@planter("I100")
def moment_below_zero(original: Original, rng: Random) -> Defect | None:
    found = [n for n in within(original, "worldbody", "inertial") if n.get("diaginertia")]
    node = pick(rng, found)
    if node is None:
        return None
    return write(original, node, "diaginertia", f"-{node.get('diaginertia')}")


@planter("I101", "I110")
def moment_that_lost_its_decimal_point(original: Original, rng: Random) -> Defect | None:
    found = [n for n in within(original, "worldbody", "inertial") if n.get("diaginertia")]
    node = pick(rng, [n for n in found if max(numbers(n, "mass"), default=0.0) > 0.05])
    if node is None:
        return None
    moments = numbers(node, "diaginertia")
    moments[moments.index(max(moments))] *= 10.0
    return write(original, node, "diaginertia", " ".join(f"{m:g}" for m in moments))


@planter("I132")
def inertial_that_is_not_read(original: Original, rng: Random) -> Defect | None:
    compiler, inertials = original.root.find("compiler"), original.nodes("inertial")
    if compiler is None or compiler.get("inertiafromgeom") or not inertials:
        return None
    edit = (compiler.insertion_offset, compiler.insertion_offset, ' inertiafromgeom="true"')
    return original.changed(edit, node=pick(rng, inertials[:1]) or compiler)


# Shapes and files


@planter("G508")
def size_below_zero(original: Original, rng: Random) -> Defect | None:
    sized = [n for n in within(original, "worldbody", "geom") if n.get("type") != "plane"]
    node = pick(rng, [n for n in sized if n.get("size") and n.get("mesh") is None])
    if node is None:
        return None
    words = (node.get("size") or "").split()
    return write(original, node, "size", " ".join(["-0.1", *words[1:]]))


@planter("F601", "F604")
def mesh_that_is_not_there(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in original.nodes("mesh") if n.get("file")])
    if node is None:
        return None
    name = (node.get("file") or "").rpartition(".")
    return write(original, node, "file", f"{name[0]}_v2.{name[2]}")


@planter("G502")
def mesh_flattened(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "asset", "mesh") if n.get("scale")])
    if node is None:
        return None
    x, y, _ = (node.get("scale") or "").split()
    return write(original, node, "scale", f"{x} {y} 0")
