"""`<contact>`, `<equality>`, `<tendon>`, `<sensor>` and `<keyframe>`."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.mjcf.writing import Writing
from phyzctl.formats.neighbours import (
    mujoco_lets_touch,
    name_of,
    rules_of_urdf,
    touching_neighbours,
)
from phyzctl.formats.xmlwrite import Element
from phyzctl.model.joint import JointType
from phyzctl.robot.elements import Joint, Mimic
from phyzctl.robot.mechanism import Equality, EqualityKind, Sensor, Tendon

_SCALAR = (JointType.HINGE, JointType.SLIDE)
_BETWEEN = ("distance", "normal", "fromto", "contact")
_NUMBERED = {"geom": "geom", "body": "body", "xbody": "subtree"}


def contact(writing: Writing) -> Element:
    """Pairs and excludes, also of neighbours that only MuJoCo lets collide."""
    section = Element("contact")
    for pair in writing.robot.pairs:
        element = section.new("pair", name=pair.name, geom1=pair.first, geom2=pair.second)
        element.set(
            condim=pair.condim,
            friction=pair.friction,
            solref=pair.solref,
            solreffriction=pair.solreffriction,
            solimp=pair.solimp,
            margin=pair.margin,
            gap=pair.gap,
            adhesion=pair.adhesion,
        )
        writing.keep(element, pair.extensions, "pair")
    for exclude in writing.robot.excludes:
        section.new("exclude", name=exclude.name, body1=exclude.first, body2=exclude.second)
    if writing.foreign:
        _exclude_neighbours(writing, section)
    return section


def _exclude_neighbours(writing: Writing, section: Element) -> None:
    model, rules = writing.model, rules_of_urdf(writing.model)
    for pair in touching_neighbours(rules):
        if mujoco_lets_touch(rules, pair) and pair not in model.excluded_pairs:
            first, second = (name_of(model, body) for body in pair)
            section.new("exclude", body1=first, body2=second)


def equalities(writing: Writing) -> Element:
    """Equalities as they are, and what mimics come to."""
    section = Element("equality")
    for equality in writing.robot.equalities:
        section.add(_equality(equality))
    for joint in writing.robot.joints:
        if joint.mimic is not None:
            section.add(_mimic(writing, joint, joint.mimic))
    return section


def _equality(equality: Equality) -> Element | None:
    if equality.kind is EqualityKind.FLEX:
        return None
    by_objects = equality.kind in (EqualityKind.CONNECT, EqualityKind.WELD)
    objects = equality.objects if by_objects else equality.kind.value
    element = Element(equality.kind.value).set(name=equality.name)
    ends = {f"{objects}1": equality.first, f"{objects}2": equality.second}
    element.set(**ends).set(
        anchor=equality.anchor,
        relpose=equality.relpose,
        torquescale=equality.torque_scale,
        polycoef=equality.polynomial,
        active=None if equality.active else False,
        solref=equality.solref,
        solimp=equality.solimp,
    )
    return element


def _mimic(writing: Writing, joint: Joint, mimic: Mimic) -> Element | None:
    """MJCF's holds from reference to reference: q1 - r1 = a0 + a1 (q2 - r2)."""
    model = writing.model
    ends = [model.joint_index(name) for name in (joint.name, mimic.joint)]
    kinds = [model.joints[end].type for end in ends if end is not None]
    if len(kinds) < 2 or not all(kind in _SCALAR for kind in kinds):
        message = "only a hinge or a slide can follow another in MJCF"
        writing.losses.add(codes.LOSS_OF_CONSTRAINT, message, joint, mimic.source)
        return None
    polynomial = mimic.polynomial
    if polynomial is None:
        a1 = 1.0 if mimic.multiplier is None else mimic.multiplier
        leader = writing.robot.structure.joint(mimic.joint)
        polynomial = ((mimic.offset or 0.0) - joint.ref + a1 * leader.ref, a1)
    return Element("joint").set(joint1=joint.name, joint2=mimic.joint, polycoef=polynomial)


def tendons(writing: Writing) -> Element:
    """Fixed and spatial tendons with their paths."""
    section = Element("tendon")
    for tendon in writing.robot.tendons:
        element = section.new("spatial" if tendon.spatial else "fixed", name=tendon.name)
        _set_tendon(element, tendon)
        looks = () if tendon.spatial else ("@material", "@rgba")  # a class may state them for all
        kept = [item for item in tendon.extensions if item.tag not in looks]
        writing.keep(element, kept, "tendon")
        for step in tendon.path:
            child = element.new(step.kind, coef=step.coefficient, divisor=step.divisor)
            child.set(sidesite=step.side_site)
            if step.name is not None:
                child.set(**{step.kind: step.name})
    return section


def _set_tendon(element: Element, tendon: Tendon) -> None:
    element.set(
        range=tendon.range,
        limited=None if tendon.range is None else True,
        actuatorfrcrange=tendon.actuator_force_range,
        springlength=tendon.spring_length,
        stiffness=None if tendon.stiffness is None else (tendon.stiffness, *tendon.stiffness_terms),
        damping=None if tendon.damping is None else (tendon.damping, *tendon.damping_terms),
        armature=tendon.armature,
        frictionloss=tendon.friction,
        margin=tendon.margin,
        solreflimit=tendon.solref_limit,
        solimplimit=tendon.solimp_limit,
        solreffriction=tendon.solref_friction,
        solimpfriction=tendon.solimp_friction,
        width=tendon.width if tendon.spatial else None,
        group=tendon.group,
    )


def sensors(writing: Writing) -> Element:
    """Sensors, each naming its object in the way of its kind."""
    section = Element("sensor")
    for sensor in writing.robot.sensors:
        element = section.new(sensor.kind, name=sensor.name, **_object(sensor))
        element.set(cutoff=sensor.cutoff, noise=sensor.noise)
        writing.keep(element, sensor.extensions, "sensor")
    return section


def _object(sensor: Sensor) -> dict[str, str | None]:
    kind, reference = sensor.object_kind, sensor.reference_kind
    found: dict[str, str | None] = {}
    if sensor.kind.startswith("frame") or sensor.kind in ("user", "insidesite"):
        found |= {"objtype": kind, "objname": sensor.object_name}
    elif sensor.kind in _BETWEEN and kind in _NUMBERED:
        found[f"{_NUMBERED[kind]}1"] = sensor.object_name
    elif kind is not None:
        found[kind] = sensor.object_name
    if sensor.kind.startswith("frame"):
        found |= {"reftype": reference, "refname": sensor.reference_name}
    elif sensor.kind in _BETWEEN and reference in _NUMBERED:
        found[f"{_NUMBERED[reference]}2"] = sensor.reference_name
    elif reference is not None:
        found[reference] = sensor.reference_name
    return found


def keyframes(writing: Writing) -> Element:
    """Every key with the vectors that it states."""
    section = Element("keyframe")
    for key in writing.robot.keyframes:
        section.new(
            "key",
            name=key.name,
            time=key.time,
            qpos=key.qpos,
            qvel=key.qvel,
            act=key.act,
            ctrl=key.ctrl,
            mpos=key.mpos,
            mquat=key.mquat,
        )
    return section
