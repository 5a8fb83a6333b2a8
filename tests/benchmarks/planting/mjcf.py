"""Mistakes in MJCF files."""

from __future__ import annotations

from collections.abc import Iterator
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


# Actuators, contact


@planter("A701")
def actuator_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in actuators(original) if n.get("joint")])
    return None if node is None else write(original, node, "joint", f"{node.get('joint')}x")


@planter("A713")
def control_range_swapped(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in actuators(original) if len(set(numbers(n, "ctrlrange"))) == 2])
    if node is None:
        return None
    low, high = (node.get("ctrlrange") or "").split()
    return write(original, node, "ctrlrange", f"{high} {low}")


@planter("A714")
def gear_of_zero(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in actuators(original) if n.get("joint")])
    return None if node is None else write(original, node, "gear", "0")


def _bodies(original: Original, rng: Random) -> list[str]:
    names = [b.get("name") or "" for b in within(original, "worldbody", "body") if b.get("name")]
    return rng.sample(names, 2) if len(names) > 1 else []


@planter("C920")
def exclude_with_a_slip(original: Original, rng: Random) -> Defect | None:
    names = _bodies(original, rng)
    if not names:
        return None
    text = f'<contact><exclude body1="{names[0]}" body2="{names[1]}x"/></contact>'
    return _section(original, text, "<exclude")


@planter("C921")
def exclude_of_a_body_with_itself(original: Original, rng: Random) -> Defect | None:
    names = _bodies(original, rng)
    if not names:
        return None
    text = f'<contact><exclude body1="{names[0]}" body2="{names[0]}"/></contact>'
    return _section(original, text, "<exclude")


def _section(original: Original, text: str, part: str) -> Defect | None:
    """Write a section behind the worldbody; the mistake is in a part of it, on the same line."""
    body = world(original)
    if body is None or body.parent is not original.root:
        return None
    whole = insert(original, body, text)
    start = whole.span[0] + text.index(part)
    return Defect(whole.data, whole.line, (start, whole.span[1]))


@planter("C922")
def friction_below_zero(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "geom"))
    return None if node is None else write(original, node, "friction", "-1 0.005 0.0001")


@planter("C923")
def contact_stiffer_than_the_step(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, within(original, "worldbody", "geom"))
    solid = node is not None and node.get("contype") != "0" and node.get("class") != "visual"
    if node is None or not solid or original.robot.option.timestep is None:
        return None
    return write(original, node, "solref", f"{original.robot.option.timestep:g} 1")


# Keyframes, settings


@planter("K701")
def keyframe_outside_the_range(original: Original, rng: Random) -> Defect | None:
    chosen = pick(rng, keys(original))
    limited = [joint for joint in original.robot.joints if joint.limit.upper is not None]
    if chosen is None or not limited or len(limited) != len(chosen[1]):
        return None
    node, qpos = chosen
    qpos[rng.randrange(len(qpos))] = 50.0
    return write(original, node, "qpos", " ".join(f"{value:g}" for value in qpos))


@planter("K702")
def keyframe_control_outside_the_range(original: Original, rng: Random) -> Defect | None:
    bounded = actuators(original)
    if not bounded or not all(len(numbers(n, "ctrlrange")) == 2 for n in bounded):
        return None
    node = pick(rng, [key for key, _ in keys(original)])
    if node is None:
        return None
    return write(original, node, "ctrl", " ".join(["1000000"] + ["0"] * (len(bounded) - 1)))


@planter("K703")
def keyframe_too_short(original: Original, rng: Random) -> Defect | None:
    chosen = pick(rng, keys(original))
    if chosen is None or len(chosen[1]) < 2:
        return None
    node, qpos = chosen
    return write(original, node, "qpos", " ".join(f"{value:g}" for value in qpos[:-1]))


@planter("M010")
def degrees_that_are_radians(original: Original, _rng: Random) -> Defect | None:
    compiler = original.root.find("compiler")
    radian = compiler is not None and compiler.get("angle") == "radian"
    ranged = [n for n in hinges(original) if n.get("type") in (None, "hinge")]
    if compiler is None or not radian or len(ranged) < 3 or original.nodes("include"):
        return None
    span = compiler.attribute_span("angle")
    assert span is not None
    at = ranged[0].attribute_span("range")
    return original.changed((*span, "degree"), node=ranged[0], at=at[0] if at else None)


@planter("M012")
def compilers_that_disagree(original: Original, _rng: Random) -> Defect | None:
    compiler = original.root.find("compiler")
    if compiler is None or compiler.get("angle") != "radian":
        return None
    return insert(original, compiler, '<compiler angle="degree"/>')


@planter("M016")
def mocap_body_that_moves(original: Original, rng: Random) -> Defect | None:
    bodies = within(original, "worldbody", "body")
    inner = [body for body in bodies if body.parent and body.parent.tag == "body"]
    node = pick(rng, inner)
    return None if node is None else write(original, node, "mocap", "true")


@planter("M017")
def step_of_zero(original: Original, _rng: Random) -> Defect | None:
    option = original.root.find("option")
    if option is None:
        return None
    return write(original, option, "timestep", "0")


@planter("N305")
def geom_of_a_mesh_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "geom") if n.get("mesh")])
    return None if node is None else write(original, node, "mesh", f"{node.get('mesh')}x")


@planter("G513")
def mesh_geom_without_a_mesh(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in within(original, "worldbody", "geom") if n.get("mesh")])
    return None if node is None else drop(original, node, "mesh")


def _servos(original: Original) -> list[Node]:
    """Position servos of joints that are named."""
    return [n for n in actuators(original) if n.tag == "position" and n.get("joint")]


@planter("A704")
def second_servo_on_a_joint(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, _servos(original))
    if node is None:
        return None
    kp, bounds = node.get("kp") or "1", node.get("ctrlrange") or "-1 1"
    text = f'<position name="again" joint="{node.get("joint")}" kp="{kp}" ctrlrange="{bounds}"/>'
    return insert(original, node, text)


@planter("A711")
def servo_target_beyond_the_range(original: Original, rng: Random) -> Defect | None:
    limited = {joint.get("name") for joint in hinges(original)}
    able = [n for n in _servos(original) if n.get("joint") in limited]
    node = pick(rng, [n for n in able if len(numbers(n, "ctrlrange")) == 2])
    if node is None:
        return None
    wide = " ".join(f"{1.5 * value:g}" for value in numbers(node, "ctrlrange"))
    return write(original, node, "ctrlrange", wide)


@planter("A715", "A711")
def servo_target_in_degrees(original: Original, rng: Random) -> Defect | None:
    limited = {joint.get("name") for joint in hinges(original)}
    able = [n for n in _servos(original) if n.get("joint") in limited and n.get("ctrlrange")]
    node = pick(rng, able)
    return None if node is None else write(original, node, "ctrlrange", "-120 120")


@planter("J230")
def range_switched_off(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in hinges(original) if n.get("limited") is None])
    if node is None:
        return None
    at = node.insertion_offset
    span = node.attribute_span("range")
    return original.changed((at, at, ' limited="false"'), node=node, at=span[0] if span else at)


@planter("J231")
def spring_beyond_the_range(original: Original, rng: Random) -> Defect | None:
    able = [n for n in hinges(original) if not n.get("stiffness") and not n.get("springref")]
    node = pick(rng, able)
    if node is None:
        return None
    at = node.insertion_offset
    edit = (at, at, ' stiffness="5" springref="1000"')
    return original.changed(edit, node=node, at=at - 1)
