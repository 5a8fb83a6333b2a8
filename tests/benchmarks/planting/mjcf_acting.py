"""Mistakes in MJCF files: in actuators, contacts, keyframes and the compiler."""

from __future__ import annotations

from random import Random

from phyzctl.formats.xmltree import Node
from tests.benchmarks.planting.mjcf import actuators, hinges, keys, numbers, planter, within, world
from tests.benchmarks.planting.planter import (
    Defect,
    Original,
    drop,
    insert,
    pick,
    write,
)


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
