"""A Robot as URDF: the table of contents, and what stands at top level or nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.formats.format import WriteOptions, Written
from phyzctl.formats.losses import Losses
from phyzctl.formats.neighbours import rules_of_urdf, touching_neighbours
from phyzctl.formats.urdf.write_joints import JointWriter
from phyzctl.formats.urdf.write_links import LinkWriter
from phyzctl.formats.urdf.write_tree import Limb, is_empty_world, limbs
from phyzctl.formats.xmledits import escaped
from phyzctl.formats.xmlwrite import Element, document
from phyzctl.geometry.shapes import Capsule
from phyzctl.model.body import WORLD
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.robot.elements import Mimic, Transmission
from phyzctl.robot.mechanism import Equality, EqualityKind
from phyzctl.robot.robot import WORLD_LINK, Robot

_DT = 0.001  # what a URDF is simulated with, and MJCF's is 0.002
_EARTH = (0.0, 0.0, -9.81)


def write(robot: Robot, options: WriteOptions) -> Written:
    """The text of a URDF that describes `robot`, and what it doesn't say of it."""
    losses = Losses()
    model = compile_model(robot)
    root = Element("robot").set(name=robot.name, version=_version(robot))
    tree = {limb.link.name: limb for limb in limbs(model)}
    links = LinkWriter(model, losses, options.folder)
    for material in robot.materials:
        root.add(links.material(material))
    _write_tree(root, model, tree, links, losses)
    for transmission in robot.transmissions:
        root.add(_transmission(transmission))
    if robot.dialect in ("urdf", None):
        root.keep(robot.extensions)
    _report(robot, losses)
    _report_contact(model, losses, elsewhere=options.srdf)
    return Written(document(root), tuple(losses.issues()))


def _version(robot: Robot) -> str | None:
    """Capsules came with version 1.2."""
    if robot.dialect == "urdf":
        return robot.version
    shapes = (geom.shape for link in robot.links for geom in link.geoms)
    return "1.2" if any(isinstance(shape, Capsule) for shape in shapes) else None


def _write_tree(
    root: Element, model: Model, tree: dict[str, Limb], links: LinkWriter, losses: Losses
) -> None:
    """Links and joints in the order of the file, as URDF's siblings follow it."""
    robot = model.robot
    joints = JointWriter(robot, losses, _mimics(robot, losses))
    without = robot.links and WORLD_LINK in tree and is_empty_world(model, tree)
    for link in robot.links:
        limb = tree[link.name]
        if without and link.name == WORLD_LINK:
            continue
        root.add(links.write(limb))
        for helper in limb.helpers:
            root.new("link", name=helper)
        if limb.helpers or any(limb.shift):
            message = (
                "several joints on one body, or an anchor away from its origin, move its frame"
            )
            losses.add(codes.LOSS_OF_STRUCTURE, message, link)
    for name in dict.fromkeys(joint.child for joint in robot.joints):
        for step in tree[name].steps:
            if not (without and step.parent == WORLD_LINK):
                root.add(joints.write(step))


def _mimics(robot: Robot, losses: Losses) -> dict[str, Mimic]:
    """The linear couplings of joints, with references that are zero, as URDF's are.

    MJCF's hold from reference to reference: q1 - r1 = a0 + a1 (q2 - r2).
    """
    found: dict[str, Mimic] = {}
    stated = {joint.name: joint for joint in robot.joints}
    for equality in robot.equalities:
        a0, a1, *rest = (*(equality.polynomial or (0.0, 1.0)), 0.0, 0.0)[:5]
        first, second = stated.get(equality.first), stated.get(equality.second or "")
        linear = equality.kind is EqualityKind.JOINT and not any(rest) and equality.active
        if not linear or first is None or second is None or first.mimic or first.name in found:
            message = f"URDF has no {equality.kind.value} equality of this form"
            losses.add(codes.LOSS_OF_CONSTRAINT, message, equality)
            continue
        offset = a0 + first.ref - a1 * second.ref
        found[first.name] = Mimic(second.name, a1, offset, source=equality.source)
        _report_mimic(equality, losses)
    return found


def _report_mimic(equality: Equality, losses: Losses) -> None:
    if equality.solref is not None or equality.solimp is not None:
        message = "URDF's mimic is rigid: the softness of a coupling is left out"
        losses.add(codes.LOSS_OF_JOINT_VALUE, message, equality)
    if equality.name:
        losses.add(codes.LOSS_OF_NAME, "URDF's mimic has no name", equality)


def _transmission(transmission: Transmission) -> Element | str:
    """Verbatim where it was read from a file."""
    for kept in transmission.extensions:
        if kept.tag == "transmission":
            return kept.text
    element = Element("transmission").set(name=transmission.name or "")
    if transmission.kind is not None:
        element.new("type").add(escaped(transmission.kind))
    for tag, ends in (("joint", transmission.joints), ("actuator", transmission.actuators)):
        for end in ends:
            child = element.new(tag, name=end.name)
            for interface in end.hardware_interfaces:
                child.new("hardwareInterface").add(escaped(interface))
            if end.mechanical_reduction is not None:
                child.new("mechanicalReduction").add(repr(end.mechanical_reduction))
    return element


def _report(robot: Robot, losses: Losses) -> None:
    """What no element of URDF is for."""
    lost = (
        (codes.LOSS_OF_ACTUATOR, "URDF has no actuators", robot.actuators),
        (codes.LOSS_OF_CONSTRAINT, "URDF has no tendons", robot.tendons),
        (codes.LOSS_OF_MEASUREMENT, "URDF has no sensors of this kind", robot.sensors),
        (codes.LOSS_OF_STATE, "URDF has no keyframes", robot.keyframes),
        (codes.LOSS_OF_CONTACT, "URDF has no pairs of geoms", robot.pairs),
    )
    for code, message, elements in lost:
        for element in elements:
            losses.add(code, message, element)
    for message in _lost_settings(robot):
        losses.add(codes.LOSS_OF_SETTING, message, robot.option)
    for extension in robot.extensions if robot.dialect == "mjcf" else ():
        message = f"URDF has no <{extension.tag}>"
        losses.add(codes.LOSS_OF_EXTENSION, message, extension)


def _report_contact(model: Model, losses: Losses, *, elsewhere: bool) -> None:
    """Excludes, but for neighbours, which need none; and neighbours that collided."""
    if model.robot.dialect == "urdf" and not model.robot.excludes:
        return
    rules = rules_of_urdf(model)
    for exclude in () if elsewhere else model.robot.excludes:
        ends = [
            WORLD if name == WORLD_LINK else model.body_index(name)
            for name in (exclude.first, exclude.second)
        ]
        if None in ends or not rules.are_neighbours(*(end for end in ends if end is not None)):
            losses.add(codes.LOSS_OF_CONTACT, "URDF excludes no pairs: SRDF does", exclude)
    if model.contact_rules == "mujoco":
        for first, second in touching_neighbours(rules):
            if model.may_collide(first, second):
                message = "MuJoCo lets a body touch the standing one that it moves on, URDF doesn't"
                losses.add(codes.LOSS_OF_CONTACT, message, model.bodies[second].link)


def _lost_settings(robot: Robot) -> Iterator[str]:
    option = robot.option
    timestep = option.timestep
    if timestep is None and robot.dialect == "mjcf":
        timestep = 0.002
    if timestep not in (None, _DT):
        yield f"URDF has no time step, and {_DT:g} s is what phyzctl takes for it"
    if option.gravity not in (None, _EARTH):
        yield "URDF has no gravity"
    others = {
        "integrator": option.integrator,
        "cone": option.cone,
        "impratio": option.impratio,
        "solver": option.solver,
        "tolerance": option.tolerance,
        "iterations": option.iterations,
        "noslip_iterations": option.noslip_iterations,
        "noslip_tolerance": option.noslip_tolerance,
        "density": option.density,
        "viscosity": option.viscosity,
        "wind": option.wind,
        "o_margin": option.o_margin,
        "o_solref": option.o_solref,
        "o_solimp": option.o_solimp,
        "o_friction": option.o_friction,
        "flag": option.flags or None,
        "more": option.extensions or None,
    }
    stated = [name for name, value in others.items() if value is not None]
    if stated:
        yield f"URDF has no options of the simulation ({', '.join(stated)})"
