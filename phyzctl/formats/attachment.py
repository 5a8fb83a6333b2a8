"""Hang one robot on a link of another, in the words of the one that carries."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phyzctl import codes
from phyzctl.errors import PhyzctlError
from phyzctl.formats.format import ReadOptions, WriteOptions
from phyzctl.formats.losses import Losses
from phyzctl.formats.renaming import renamed_extensions, renamed_materials
from phyzctl.formats.xmltree import parse
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, Link
from phyzctl.robot.mechanism import Keyframe, Option
from phyzctl.robot.robot import WORLD_LINK, Robot
from phyzctl.spatial import pose, quat_from_rotation


@dataclass(frozen=True)
class Mount:
    """Where a robot is hung: its root's pose in the frame of the link `to`, x y z [m] r p y [rad].

    Everything of it takes `prefix` before its name.
    """

    to: str
    prefix: str = ""
    pose: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def attached(robot: Robot, other: Robot, mount: Mount) -> tuple[Robot, list[Issue]]:
    """`robot` with `other` fixed to one of its links, and what of `other` is lost.

    A robot in another dialect is translated first. Raises `NotFoundError` for an unknown link,
    `PhyzctlError` when links or joints of both have one name, `LoadError` for other clashes.
    """
    robot.structure.link(mount.to)
    if not other.links:
        raise PhyzctlError("a robot without links can't be attached")
    losses = Losses()
    part, translated = _in_dialect_of(robot, other)
    part = _without_settings(part, robot, losses)
    part, joint = _grounded(part, robot, mount, losses)
    _refuse_clashes(robot, part, mount.prefix)
    if not mount.prefix:
        known = {material.name: material for material in robot.materials}
        new = (each for each in part.materials if known.get(each.name) != each)
        part = replace(part, materials=tuple(new))
    part = renamed_extensions(renamed_materials(part, mount.prefix), mount.prefix, losses)
    issues = Issues()
    whole = RobotBuilder.of(robot).attach(part, joint, prefix=mount.prefix).build(issues)
    if issues.errors:
        raise LoadError(issues)
    whole = replace(whole, keyframes=tuple(_keyframes(robot, whole)))
    return whole, [*translated, *losses.issues()]


def _refuse_clashes(robot: Robot, part: Robot, prefix: str) -> None:
    for kind, mine, theirs in (
        ("link", robot.links, part.links),
        ("joint", robot.joints, part.joints),
    ):
        both = {item.name for item in mine} & {prefix + item.name for item in theirs}
        if both:
            raise PhyzctlError(
                f"both robots have a {kind} named {min(both)!r}: choose a prefix for the attached"
            )


def _in_dialect_of(robot: Robot, other: Robot) -> tuple[Robot, list[Issue]]:
    """`other` as a reader of the carrier's format sees it: what was written there means that."""
    wanted = robot.dialect or "urdf"
    if (other.dialect or "urdf") == wanted:
        return other, []
    formats = importlib.import_module("phyzctl.formats")  # which knows all formats, this one too
    folder = str(Path.cwd())
    written = formats.write(other, wanted, WriteOptions(folder, base="fixed"))
    issues = Issues()
    document = parse(written.text.encode(), str(Path(folder, "part")), issues)
    reader = next(each.read for each in formats.FORMATS if each.name == wanted)
    read = reader(document, issues, ReadOptions()).robot
    if read is None or issues.errors:
        raise LoadError(issues)
    return _without_places(read), list(written.losses)


def _without_places(robot: Robot) -> Robot:
    """Places in a text that nobody sees would mislead."""
    files = {mesh.name: mesh.file for mesh in robot.meshes}
    bare = Robot.from_json(robot.to_json())
    meshes = tuple(replace(mesh, file=files[mesh.name]) for mesh in bare.meshes)
    return replace(bare, meshes=meshes)


def _without_settings(part: Robot, robot: Robot, losses: Losses) -> Robot:
    """Options and keyframes are those of the carrier."""
    if part.option not in (Option(), robot.option):
        message = "the options of an attached robot give way to those of the one that carries it"
        losses.add(codes.LOSS_OF_SETTING, message, part.option)
    if part.settings != robot.settings:
        message = (
            "an attached robot's masses are compiled by the settings of the one that carries it"
        )
        losses.add(codes.LOSS_OF_SETTING, message, part.settings)
    for keyframe in part.keyframes:
        losses.add(codes.LOSS_OF_STATE, "the keyframes of an attached robot are left out", keyframe)
    return replace(part, keyframes=())


def _grounded(part: Robot, robot: Robot, mount: Mount, losses: Losses) -> tuple[Robot, Joint]:
    """The part without an empty world above its one root body, and the joint that carries it."""
    root, xyz, rpy = part.structure.root, mount.pose[:3], mount.pose[3:]
    joint = Joint("", JointKind.FIXED, mount.to, xyz=xyz, rpy=rpy)
    base = _only_body(part, root)
    if base is not None:
        placed = pose(xyz, rpy) @ pose(base.xyz, base.rpy, base.quat)
        x, y, z = placed[:3, 3].tolist()
        w, i, j, k = quat_from_rotation(placed[:3, :3]).tolist()
        if any(mount.pose):
            joint = replace(joint, xyz=(x, y, z), rpy=(0.0, 0.0, 0.0), quat=(w, i, j, k))
        else:
            joint = replace(joint, xyz=base.xyz, rpy=base.rpy, quat=base.quat)
        if base.kind is JointKind.FLOATING:
            message = "the free joint of an attached robot's base gives way to a fixed one"
            losses.add(codes.LOSS_OF_STRUCTURE, message, base)
        part = replace(
            part,
            links=tuple(link for link in part.links if link is not root),
            joints=tuple(each for each in part.joints if each is not base),
            excludes=tuple(each for each in part.excludes if root.name not in _ends(each)),
        )
        root = part.structure.link(base.child)
    name = f"{mount.to}_to_{mount.prefix}{root.name}"
    return part, replace(joint, name=name, name_stated=robot.dialect != "mjcf")


def _ends(exclude: object) -> tuple[str, str]:
    return getattr(exclude, "first", ""), getattr(exclude, "second", "")


def _only_body(part: Robot, root: Link) -> Joint | None:
    """The joint between an empty world and the one body on it that nothing moves, or all does."""
    empty = not (root.geoms or root.sites or root.inertial or root.extensions)
    joints = [joint for joint in part.joints if joint.parent == root.name]
    if root.name != WORLD_LINK or not empty or len(joints) != 1:
        return None
    return joints[0] if joints[0].kind in (JointKind.FIXED, JointKind.FLOATING) else None


def _keyframes(robot: Robot, whole: Robot) -> Iterator[Keyframe]:
    """The carrier's keyframes; what is new stands where it stands by itself."""
    if not robot.keyframes:
        return
    before, after = compile_model(robot), compile_model(whole)
    for keyframe in robot.keyframes:
        yield replace(
            keyframe,
            qpos=_spread(before, after, keyframe.qpos, "q"),
            qvel=_spread(before, after, keyframe.qvel, "v"),
            ctrl=_longer(keyframe.ctrl, before.nu(), after.nu()),
        )


def _spread(
    before: Model, after: Model, values: tuple[float, ...] | None, of: str
) -> tuple[float, ...] | None:
    """Values per joint, where the joints of the whole want them."""
    length = before.nq if of == "q" else before.nv
    if values is None or len(values) != length:
        return values
    start = after.default_state()
    found = (start.q if of == "q" else start.v).tolist()
    for number, joint in enumerate(before.joints):
        mine = before.q_slice(number) if of == "q" else before.v_slice(number)
        index = after.joint_index(joint.name)
        if index is not None:
            found[after.q_slice(index) if of == "q" else after.v_slice(index)] = values[mine]
    return tuple(found)


def _longer(values: tuple[float, ...] | None, old: int, new: int) -> tuple[float, ...] | None:
    return values if values is None or len(values) != old else (*values, *[0.0] * (new - old))
