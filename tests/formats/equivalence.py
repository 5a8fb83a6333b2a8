"""Two Models of one robot, written in different ways, move and weigh the same.

Frames may differ where a loss says so; so everything is compared where it is in the world, at
random configurations, body by body and joint by joint, by name. `losses` are what the writer
reported: what they don't name must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

import numpy as np

from phyzctl.geometry.shapes import MeshShape
from phyzctl.issues import Issue
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.joint import Joint, JointType
from phyzctl.model.model import Model
from phyzctl.spatial import Array

TOLERANCE = 1e-9
UNLIMITED = 1e9  # how URDF writes "no limit"
_CONFIGURATIONS = 4

_SIZED = {GeomType.SPHERE: 1, GeomType.CAPSULE: 2, GeomType.CYLINDER: 2, GeomType.BOX: 3}

Differences = Iterator[str]


def differences(before: Model, after: Model, losses: Sequence[Issue]) -> list[str]:
    """What `after` has otherwise than `before`, a sentence each."""
    said = " | ".join(f"{loss.code} {loss.message}" for loss in losses)
    return [
        *_bodies(before, after, said),
        *_joints(before, after, said),
        *_couplings(before, after, said),
        *_world(before, after, said),
    ]


def _bodies(before: Model, after: Model, said: str) -> Differences:
    missing = [body.name for body in before.bodies if after.body_index(body.name) is None]
    if missing:
        yield f"no bodies {missing}"
        return
    if "L010" not in said and after.nbodies() != before.nbodies():
        yield f"{after.nbodies()} bodies, not {before.nbodies()}"
    rng = np.random.default_rng(5)
    for _ in range(_CONFIGURATIONS):
        q_before, q_after = _configuration(before, after, rng)
        first, second = before.kinematics(q_before), after.kinematics(q_after)
        for i, body in enumerate(before.bodies):
            j = after.body_index(body.name)
            assert j is not None
            other = after.bodies[j]
            X, Y = first.bodies[i], second.bodies[j]
            yield from _close(f"{body.name}: mass", body.mass, other.mass)
            if "L010" not in said:
                yield from _close(f"{body.name}: pose", X, Y)
            if body.mass:
                com = X[:3, :3] @ body.com + X[:3, 3], Y[:3, :3] @ other.com + Y[:3, 3]
                yield from _close(f"{body.name}: centre of mass", *com)
            tensor = _turned(X, body.inertia), _turned(Y, other.inertia)
            yield from _close(f"{body.name}: inertia", *tensor)
        yield from _geoms(before, after, (first.geoms, second.geoms), said)


def _configuration(before: Model, after: Model, rng: np.random.Generator) -> tuple[Array, Array]:
    """The same random positions of both; quaternions stay as they are."""
    ours, theirs = before.default_state().q, after.default_state().q
    for i, joint in enumerate(before.joints):
        j = _partner(before, after, joint)
        if j is None:
            continue
        if joint.nq == 1:
            ours[before.q_slice(i)] = theirs[after.q_slice(j)] = rng.uniform(-2.0, 2.0)
        elif joint.type is JointType.FREE:
            ours[before.q_slice(i)] = theirs[after.q_slice(j)] = [
                1.0,
                2.0,
                3.0,
                0.5,
                0.5,
                -0.5,
                0.5,
            ]
    return ours, theirs


def _partner(before: Model, after: Model, joint: Joint) -> int | None:
    """The same joint in the other Model: by name, or for a base joint by what it moves."""
    body = before.bodies[joint.body].name
    for number, other in enumerate(after.joints):
        if other.type is joint.type and other.nv:
            unnamed = joint.type is JointType.FREE and after.bodies[other.body].name == body
            if unnamed or other.name == joint.name:
                return number
    return None


def _geoms(before: Model, after: Model, poses: tuple[Array, Array], said: str) -> Differences:
    for what, wanted in (("drawn", _drawn), ("touching", _touching)):
        for body in [None, *before.bodies]:
            name = body.name if body else "world"
            ours = _described(before, poses[0], -1 if body is None else name, wanted)
            theirs = _described(after, poses[1], -1 if body is None else name, wanted)
            if "L007" in said:
                ours = [item for item in ours if _sayable(before, item[0], said)]
                theirs = [item for item in theirs if _sayable(after, item[0], said)]
            if len(ours) != len(theirs):
                yield f"{name}: {len(theirs)} geoms {what}, not {len(ours)}"
                continue
            for (a, X), (b, Y) in zip(ours, theirs, strict=True):
                if a.type is not b.type or _mesh(before, a) != _mesh(after, b):
                    yield f"{name}: {b.shape}, not {a.shape}"
                yield from _close(f"{name}: size of {a.name}", a.size, b.size)
                yield from _close(f"{name}: pose of {a.name}", X, Y)


def _described(
    model: Model, poses: Array, body: int | str, wanted: Callable[[Geom], bool]
) -> list[tuple[Geom, Array]]:
    number = model.body_index(body) if isinstance(body, str) else body
    found = [(geom, poses[i]) for i, geom in enumerate(model.geoms) if geom.body == number]
    return [(geom, X) for geom, X in found if wanted(geom)]


def _sayable(model: Model, geom: Geom, said: str) -> bool:
    """False for what a loss says is left out."""
    if isinstance(geom.shape, MeshShape) and "STL, OBJ and MSH" in said:
        mesh = next(mesh for mesh in model.robot.meshes if mesh.name == geom.shape.mesh)
        return PurePath(mesh.file or mesh.uri or "").suffix.lower() in (".stl", ".obj", ".msh")
    if "without size" in said and geom.type in _SIZED and 0.0 in geom.size[: _SIZED[geom.type]]:
        return False
    if geom.shape is None:
        return "could not be read" not in said
    return f"no {type(geom.shape).__name__.lower()}" not in said


def _drawn(geom: Geom) -> bool:
    """MuJoCo's viewers hide groups from 3 on, which is how MJCF tells what only collides."""
    hidden = (geom.element.group or 0) >= 3 and geom.element.collides
    return geom.element.visible and not hidden


def _touching(geom: Geom) -> bool:
    return geom.element.collides


def _mesh(model: Model, geom: Geom) -> object:
    if not isinstance(geom.shape, MeshShape):
        return None
    name = geom.shape.mesh
    mesh = next(mesh for mesh in model.robot.meshes if mesh.name == name)
    return PurePath(mesh.file or mesh.uri or "").name, mesh.scale


def _joints(before: Model, after: Model, said: str) -> Differences:
    for joint in before.joints:
        if joint.type is JointType.FIXED or (joint.type is JointType.BALL and "L010" in said):
            continue
        number = _partner(before, after, joint)
        if number is None:
            yield f"no joint {joint.name}"
            continue
        other = after.joints[number]
        if not ("L006" in said and ("locked" in said or "1e+09 m" in said)):
            yield from _close(f"{joint.name}: range", joint.range, other.range)
        allowed = {
            "force_range": "the wider bound" in said or "effort of 0" in said,
            "velocity": "velocity limit" in said,
            "armature": "armature" in said,
            "stiffness": "spring" in said,
            "springref": "spring" in said,
            "damping": "spring" in said,
            "friction": False,
        }
        for name, excused in allowed.items():
            if not excused:
                mine, theirs = getattr(joint, name), getattr(other, name)
                yield from _close(f"{joint.name}: {name}", mine, theirs)


def _couplings(before: Model, after: Model, said: str) -> Differences:
    """Mimics and linear equalities of joints, which are the same thing."""
    ours, theirs = _linear(before), _linear(after)
    if "L002" in said:
        ours = {name: how for name, how in ours.items() if name in theirs}
    if ours.keys() != theirs.keys():
        yield f"joints {sorted(theirs)} follow others, not {sorted(ours)}"
        return
    for name, (leader, numbers) in ours.items():
        if leader != theirs[name][0]:
            yield f"{name} follows {theirs[name][0]}, not {leader}"
        yield from _close(f"{name} follows", numbers, theirs[name][1])


def _linear(model: Model) -> dict[str, tuple[str, tuple[float, float]]]:
    found = {}
    joints = model.joints
    for joint in joints:
        if joint.mimic is not None:
            numbers = (joint.mimic.offset, joint.mimic.multiplier)
            found[joint.name] = (joints[joint.mimic.joint].name, numbers)
    for equality in model.equalities:
        if equality.objects == "joint" and equality.second is not None:
            a0, a1 = (*(equality.element.polynomial or (0.0, 1.0)), 0.0, 0.0)[:2]
            first, second = joints[equality.first], joints[equality.second]
            found[first.name] = (second.name, (a0 + first.ref - a1 * second.ref, a1))
    return found


def _world(before: Model, after: Model, said: str) -> Differences:
    if "L008" not in said:
        yield from _close("gravity", before.gravity, after.gravity)
        yield from _close("dt", before.dt, after.dt)
    if "L005" not in said and "L007" not in said and _meeting(before) != _meeting(after):
        changed = _meeting(before) ^ _meeting(after)
        yield f"other pairs may collide: {sorted(map(sorted, changed))[:5]}"
    if "L001" not in said and before.nu() != after.nu():
        yield f"{after.nu()} actuators, not {before.nu()}"


def _meeting(model: Model) -> set[frozenset[str]]:
    """The pairs of bodies that collide with others and may collide with each other."""
    solid = [-1, *range(model.nbodies())]
    solid = [body for body in solid if any(geom.collides for geom in model.geoms_of(body))]
    welds = model.weld_groups()
    pairs = ((i, j) for n, i in enumerate(solid) for j in solid[n + 1 :])
    met = [pair for pair in pairs if model.may_collide(*pair, welds)]
    names = {-1: "world"} | {i: body.name for i, body in enumerate(model.bodies)}
    return {frozenset((names[i], names[j])) for i, j in met}


def _turned(X: Array, inertia: Array) -> Array:
    R = X[:3, :3]
    rotated: Array = R @ inertia @ R.T
    return rotated


def _close(what: str, mine: object, theirs: object) -> Differences:
    a, b = _unlimited(mine), _unlimited(theirs)
    if not np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True):
        yield f"{what} is {np.round(b, 9).tolist()}, not {np.round(a, 9).tolist()}"


def _unlimited(values: object) -> Array:
    array = np.array(values, dtype=np.float64)
    array[np.abs(array) >= UNLIMITED] *= np.inf
    return array
