"""Fuse links that a fixed joint holds into the link that carries them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from phyzctl import codes
from phyzctl.formats.format import Written
from phyzctl.formats.losses import Losses
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.robot.elements import Geom, Inertia, Inertial, Joint, JointKind, Link, Site
from phyzctl.robot.mechanism import Exclude, TransmissionKind
from phyzctl.robot.robot import WORLD_LINK, Robot
from phyzctl.spatial import Array, RigidInertia, inverse, pose, quat_from_rotation

_Posed = TypeVar("_Posed", Geom, Site, Joint)


def write_fused(robot: Robot, write: Callable[[Robot], Written]) -> Written:
    """What `write` makes of the fused robot; what is fused comes before its losses."""
    losses = Losses()
    written = write(fused(robot, losses))
    return replace(written, losses=(*losses.issues(), *written.losses))


def fused(robot: Robot, losses: Losses) -> Robot:
    """`robot` with every link on a fixed joint merged into its parent, but for the world's.

    Mass, shapes, sites and what hangs on the link move with it; excludes name the link that is
    left. A link that something else names, or that gravity compensation or mocap sets apart,
    stays; so does one on a root without mass, which is how a base that stands is marked. What is
    merged is told.
    """
    carriers = _carriers(robot)
    if not carriers:
        return robot
    model = compile_model(robot)
    X_WB = dict(zip((body.name for body in model.bodies), _poses(model), strict=True))
    loads: dict[str, list[Link]] = {}
    for name, carrier in carriers.items():
        loads.setdefault(carrier, []).append(robot.structure.link(name))
    links = []
    for link in robot.links:
        if link.name in carriers:
            message = "a link on a fixed joint is fused into the link that carries it"
            losses.add(codes.LOSS_OF_STRUCTURE, message, link)
        elif link.name in loads:
            links.append(_merged(link, loads[link.name], model, X_WB))
        else:
            links.append(link)
    joints = tuple(_rehung(robot, carriers, X_WB))
    return replace(
        robot, links=tuple(links), joints=joints, excludes=tuple(_excludes(robot, carriers))
    )


def _poses(model: Model) -> Array:
    """Every body's pose (4, 4) in the world, at the reference position."""
    placed: Array = model.kinematics(model.default_state().q).bodies
    return placed


def _carriers(robot: Robot) -> dict[str, str]:
    """Per link that goes the link that carries it, in tree order."""
    named, root = _named_elsewhere(robot), robot.structure.root
    light = root.inertial is None or not root.inertial.mass
    standing = {WORLD_LINK, root.name} if light else {WORLD_LINK}
    found: dict[str, str] = {}
    for link in robot:
        inbound = robot.structure.inbound(link.name)
        fixed = len(inbound) == 1 and inbound[0].kind is JointKind.FIXED
        if not fixed or link.name in named or inbound[0].parent in standing:
            continue
        parent = robot.structure.link(found.get(inbound[0].parent, inbound[0].parent))
        if not link.mocap and link.gravcomp == parent.gravcomp:
            found[link.name] = parent.name
    return found


def _named_elsewhere(robot: Robot) -> set[str]:
    """Links whose own frame something needs."""
    names = {
        actuator.target
        for actuator in robot.actuators
        if actuator.transmission is TransmissionKind.BODY
    }
    for equality in robot.equalities:
        if equality.objects == "body":
            names |= {equality.first, equality.second or ""}
    for sensor in robot.sensors:
        names |= {sensor.object_name or "", sensor.reference_name or ""}
    return names


def _merged(link: Link, members: list[Link], model: Model, X_WB: dict[str, Array]) -> Link:
    geoms, sites, extensions = list(link.geoms), list(link.sites), list(link.extensions)
    for member in members:
        X = inverse(X_WB[link.name]) @ X_WB[member.name]
        geoms += [_moved(geom, X) for geom in member.geoms]
        sites += [_moved(site, X) for site in member.sites]
        extensions += member.extensions
    merged = replace(link, geoms=tuple(geoms), sites=tuple(sites), extensions=tuple(extensions))
    if all(part.inertial is None for part in (link, *members)):
        return merged  # without mass, or weighed by its shapes
    return replace(merged, inertial=_inertial([link, *members], model, X_WB))


def _inertial(parts: list[Link], model: Model, X_WB: dict[str, Array]) -> Inertial:
    """Of all together, about their centre of mass, in the axes of the first."""
    X_LW = inverse(X_WB[parts[0].name])
    weighed = []
    for part in parts:
        body = model.bodies[model.body_index(part.name) or 0]
        own = RigidInertia(body.mass, body.com, body.inertia)
        weighed.append(own.transformed(X_LW @ X_WB[part.name]))
    total = RigidInertia.combined(weighed)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = total.inertia.tolist()
    x, y, z = total.com.tolist()
    source = next((part.inertial.source for part in parts if part.inertial), None)
    tensor = Inertia(xx, xy, xz, yy, yz, zz)
    return Inertial(mass=total.mass, inertia=tensor, xyz=(x, y, z), source=source)


def _rehung(robot: Robot, carriers: dict[str, str], X_WB: dict[str, Array]) -> Iterator[Joint]:
    """The joints that are left; the pose stands on the first of a series."""
    for joint in robot.joints:
        if joint.child in carriers:
            continue
        carrier = carriers.get(joint.parent)
        if carrier is None:
            yield joint
        elif robot.structure.inbound(joint.child)[0] is joint:
            X = inverse(X_WB[carrier]) @ X_WB[joint.parent]
            yield replace(_moved(joint, X), parent=carrier)
        else:
            yield replace(joint, parent=carrier)


def _excludes(robot: Robot, carriers: dict[str, str]) -> Iterator[Exclude]:
    for exclude in robot.excludes:
        first = carriers.get(exclude.first, exclude.first)
        second = carriers.get(exclude.second, exclude.second)
        if first != second:
            yield replace(exclude, first=first, second=second)


def _moved(element: _Posed, X: Array) -> _Posed:
    """The element seen from a frame in which its own stands at X."""
    if np.array_equal(X, np.eye(4)):
        return element
    placed = X @ pose(element.xyz, element.rpy, element.quat)
    x, y, z = placed[:3, 3].tolist()
    w, i, j, k = quat_from_rotation(placed[:3, :3]).tolist()
    return replace(element, xyz=(x, y, z), rpy=(0.0, 0.0, 0.0), quat=(w, i, j, k))
