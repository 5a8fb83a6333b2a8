"""Mistakes in URDFs: in masses and tensors, shapes, files, references, and for consumers."""

from __future__ import annotations

from random import Random

from phyzctl.formats.xmltree import Node
from tests.benchmarks.planting.planter import (
    Defect,
    Original,
    drop,
    insert,
    pick,
    remove,
    write,
)
from tests.benchmarks.planting.urdf import MOVING, joints, limits, links, number, planter

_TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def heavy(original: Original) -> list[Node]:
    """The inertials of links that a joint moves and that weigh something."""
    fixed = {child.get("link") for joint in joints(original, "fixed") for child in joint.children}
    found = []
    for link in links(original):
        inertial = link.find("inertial")
        mass = inertial.find("mass") if inertial else None
        tensor = inertial.find("inertia") if inertial else None
        if link.get("name") in fixed or inertial is None or mass is None or tensor is None:
            continue
        if number(mass, "value") > 0.05 and all(tensor.get(name) for name in _TENSOR):
            found.append(inertial)
    return found


def child(original: Original, rng: Random, tag: str) -> Node | None:
    """A child of such an inertial."""
    found = [node for inertial in heavy(original) if (node := inertial.find(tag)) is not None]
    return pick(rng, found)


# Masses and tensors


def _tensor(original: Original, tensor: Node, values: dict[str, float]) -> Defect:
    edits = []
    for name, value in values.items():
        span = tensor.attribute_span(name)
        assert span is not None
        edits.append((*span, f"{value:.6g}"))
    return original.changed(*edits, node=tensor)


@planter("I100", "I101")
def moment_with_the_wrong_sign(original: Original, rng: Random) -> Defect | None:
    tensor = child(original, rng, "inertia")
    return None if tensor is None else _tensor(original, tensor, {"ixx": -number(tensor, "ixx")})


@planter("I101", "I110")
def moment_that_lost_its_decimal_point(original: Original, rng: Random) -> Defect | None:
    tensor = child(original, rng, "inertia")
    if tensor is None:
        return None
    name = max(("ixx", "iyy", "izz"), key=lambda each: number(tensor, each))
    return _tensor(original, tensor, {name: 10.0 * number(tensor, name)})


@planter("I102")
def tensor_of_zeros(original: Original, rng: Random) -> Defect | None:
    tensor = child(original, rng, "inertia")
    return None if tensor is None else _tensor(original, tensor, dict.fromkeys(_TENSOR, 0.0))


@planter("I103")
def moving_link_without_mass(original: Original, rng: Random) -> Defect | None:
    parents = {p.get("link") for joint in joints(original) if (p := joint.find("parent"))}
    leaves = [e for e in heavy(original) if e.parent and e.parent.get("name") not in parents]
    inertial = pick(rng, leaves)
    return None if inertial is None else remove(original, inertial)


@planter("I105")
def triangle_broken_by_rounding(original: Original, rng: Random) -> Defect | None:
    tensor = child(original, rng, "inertia")
    if tensor is None:
        return None
    moment = max(number(tensor, name) for name in ("ixx", "iyy", "izz"))
    values = {**dict.fromkeys(_TENSOR, 0.0), "ixx": moment / 2, "iyy": moment / 2}
    return _tensor(original, tensor, {**values, "izz": 1.002 * moment})


@planter("I106")
def mass_that_is_next_to_nothing(original: Original, rng: Random) -> Defect | None:
    welded = {p.get("link") for j in joints(original, "fixed") if (p := j.find("parent"))}
    moved = {node.get("link") for j in joints(original, *MOVING) if (node := j.find("child"))}
    alone = [e for e in heavy(original) if e.parent and e.parent.get("name") in moved - welded]
    inertial = pick(rng, alone)
    mass = inertial.find("mass") if inertial else None
    return None if mass is None else write(original, mass, "value", "0.0000001")


@planter("I107")
def mass_below_zero(original: Original, rng: Random) -> Defect | None:
    mass = child(original, rng, "mass")
    return None if mass is None else write(original, mass, "value", f"-{mass.get('value')}")


@planter("I110")
def tensor_in_square_millimetres(original: Original, rng: Random) -> Defect | None:
    tensor = child(original, rng, "inertia")
    return (
        None
        if tensor is None
        else _tensor(original, tensor, {name: 1e6 * number(tensor, name) for name in _TENSOR})
    )


@planter("I112")
def centre_of_mass_in_millimetres(original: Original, rng: Random) -> Defect | None:
    far = []
    for inertial in heavy(original):
        origin = inertial.find("origin")
        words = (origin.get("xyz") or "").split() if origin else []
        if origin is not None and max((abs(float(word)) for word in words), default=0.0) > 0.02:
            far.append(origin)
    node = pick(rng, far)
    if node is None:
        return None
    words = (node.get("xyz") or "").split()
    return write(original, node, "xyz", " ".join(f"{1000 * float(word):g}" for word in words))


# Shapes and files


@planter("G508")
def size_below_zero(original: Original, rng: Random) -> Defect | None:
    nodes = original.nodes("box", "cylinder", "sphere", "capsule")
    shapes = [
        (node, name)
        for node in nodes
        for name in ("size", "radius")
        if node.parent and node.parent.tag == "geometry" and node.get(name)
    ]
    solid = [(n, name) for n, name in shapes if "0" not in (n.get(name) or "").split()]
    node, name = pick(rng, solid) or (None, "")
    if node is None:
        return None
    words = (node.get(name) or "").split()
    words[rng.randrange(len(words))] = rng.choice(["0", "-0.1"])
    return write(original, node, name, " ".join(words))


@planter("G500")
def mesh_in_millimetres(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, _meshes(original))
    if node is None:
        return None
    scale = [1000.0 * float(word) for word in (node.get("scale") or "1 1 1").split()]
    return write(original, node, "scale", " ".join(f"{factor:g}" for factor in scale))


@planter("G501")
def mesh_turned_inside_out(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, _meshes(original))
    if node is None:
        return None
    x, y, z = (node.get("scale") or "1 1 1").split()
    return write(original, node, "scale", f"{x} -{y.lstrip('-')} {z}")


@planter("G502")
def mesh_flattened(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, _meshes(original))
    x, y, _ = (node.get("scale") or "1 1 1").split() if node else "   "
    return None if node is None else write(original, node, "scale", f"{x} {y} 0")


def _meshes(original: Original) -> list[Node]:
    found = {mesh.uri for mesh in original.robot.meshes if mesh.file is not None}
    return [node for node in original.nodes("mesh") if node.get("filename") in found]


@planter("G510")
def fingertip_that_touches_nothing(original: Original, rng: Random) -> Defect | None:
    parents = {p.get("link") for joint in joints(original) if (p := joint.find("parent"))}
    moved = {
        node.get("link")
        for joint in joints(original, "revolute", "prismatic", "continuous")
        if (node := joint.find("child"))
    }
    ends = [link for link in links(original) if link.get("name") in moved - parents]
    bare = [e for e in ends if e.find("visual") and len(e.findall("collision")) == 1]
    link = pick(rng, bare)
    collision = link.find("collision") if link else None
    return None if collision is None else remove(original, collision)


@planter("G512")
def material_with_a_slip(original: Original, rng: Random) -> Defect | None:
    drawn = original.nodes("visual")
    used = [m for v in drawn if (m := v.find("material")) and not m.children and m.get("name")]
    node = pick(rng, used)
    return None if node is None else write(original, node, "name", f"{node.get('name')}x")


@planter("G513")
def geometry_without_a_shape(original: Original, rng: Random) -> Defect | None:
    shapes = [node.children[0] for node in original.nodes("geometry") if node.children]
    node = pick(rng, shapes)
    return None if node is None else remove(original, node)


@planter("F600")
def package_with_a_slip(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, original.nodes("mesh"))
    if node is None:
        return None
    return write(original, node, "filename", "package://robot_descripton/meshes/arm.stl")


@planter("F601")
def mesh_that_is_not_there(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, _meshes(original))
    if node is None:
        return None
    name = node.get("filename") or ""
    return write(original, node, "filename", name.rpartition(".")[0] + "_v2.stl")


@planter("F602")
def path_of_one_machine(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, _meshes(original))
    files = {mesh.uri: mesh.file for mesh in original.robot.meshes}
    file = files.get(node.get("filename")) if node else None
    return None if node is None or file is None else write(original, node, "filename", file)


@planter("F603", target=("drake",))
def stl_for_drake(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, original.nodes("mesh"))
    return (
        None
        if node is None
        else write(original, node, "filename", "package://another_robot/arm.stl")
    )


# References and limits


@planter("A701")
def transmission_with_a_slip(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original, "revolute", "prismatic", "continuous"))
    if joint is None:
        return None
    text = (
        f'<transmission name="t"><type>transmission_interface/SimpleTransmission</type>'
        f'<joint name="{joint.get("name")}x"/><actuator name="m"/></transmission>'
    )
    return insert(original, original.root.children[-1], text)


@planter("A701")
def ros2_control_with_a_slip(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original, "revolute", "prismatic", "continuous"))
    if joint is None:
        return None
    text = (
        '<ros2_control name="r" type="system"><hardware><plugin>mock/System</plugin></hardware>'
        f'<joint name="{joint.get("name")}x"><command_interface name="position"/></joint>'
        "</ros2_control>"
    )
    return insert(original, original.root.children[-1], text)


@planter("K705")
def zero_outside_the_limits(original: Original, rng: Random) -> Defect | None:
    around = [e for e in limits(original, "revolute") if number(e, "lower") <= 0.0]
    limit = pick(rng, [e for e in around if number(e, "upper") > 0.2])
    return None if limit is None else write(original, limit, "lower", "0.1")


# Consumers


@planter("P801", target=("usd",))
def name_with_a_hyphen(original: Original, rng: Random) -> Defect | None:
    names = [node.get("name") for node in joints(original)]
    once = [n for n in joints(original) if names.count(n.get("name")) == 1]
    node = pick(rng, [n for n in once if original.data.count(f'"{n.get("name")}"'.encode()) == 1])
    return None if node is None else write(original, node, "name", f"{node.get('name')}-1")


@planter("P802", target=("ros2",))
def comment_with_a_colon(original: Original, _rng: Random) -> Defect | None:
    if b": " in original.data or b"\t" in original.data or b":\n" in original.data:
        return None
    return insert(original, original.root.children[0], "<!-- mass: weigh it -->")


@planter("P803", target=("moveit",))
def path_with_a_doubled_slash(original: Original, rng: Random) -> Defect | None:
    node = pick(rng, [n for n in _meshes(original) if "/" in (n.get("filename") or "")])
    if node is None:
        return None
    head, _, tail = (node.get("filename") or "").rpartition("/")
    return write(original, node, "filename", f"{head}//{tail}")


@planter("P807", target=("ros2",))
def feature_of_a_newer_urdf(original: Original, rng: Random) -> Defect | None:
    limit = pick(rng, limits(original))
    if limit is None or original.root.get("version") is not None:
        return None
    return write(original, limit, "jerk", "100")


@planter("P812", target=("pybullet",))
def mimic_for_pybullet(original: Original, rng: Random) -> Defect | None:
    able = [e for e in limits(original, "revolute") if e.parent and not e.parent.find("mimic")]
    if len(able) < 2:
        return None
    leader, follower = rng.sample(able, 2)
    name = leader.parent.get("name") if leader.parent else ""
    return insert(original, follower, f'<mimic joint="{name}"/>')


@planter("X006")
def joint_without_a_child(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original, "fixed"))
    found = joint.find("child") if joint else None
    return None if found is None else drop(original, found, "link")


@planter("A703")
def transmission_without_a_type(original: Original, rng: Random) -> Defect | None:
    joint = pick(rng, joints(original, *MOVING))
    if joint is None or original.nodes("transmission"):
        return None
    text = (
        f'<transmission name="t"><joint name="{joint.get("name")}"><hardwareInterface>'
        "hardware_interface/EffortJointInterface</hardwareInterface></joint>"
        '<actuator name="m"/></transmission>'
    )
    return insert(original, original.root.children[-1], text)


@planter("J205")
def velocity_in_degrees(original: Original, rng: Random) -> Defect | None:
    leading = [e for e in limits(original, "revolute") if e.parent and not e.parent.find("mimic")]
    limit = pick(rng, leading)
    return None if limit is None else write(original, limit, "velocity", "180")


def _right(original: Original, rng: Random, tag: str) -> Node | None:
    """A child of the inertial of a right link that has a left twin."""
    names = {link.get("name") for link in links(original)}
    right = [
        node
        for inertial in heavy(original)
        if inertial.parent and (name := inertial.parent.get("name") or "").startswith("right")
        if name.replace("right", "left", 1) in names and (node := inertial.find(tag)) is not None
    ]
    return pick(rng, right)


@planter("I120")
def twin_of_another_tensor(original: Original, rng: Random) -> Defect | None:
    tensor = _right(original, rng, "inertia")
    if tensor is None:
        return None
    return _tensor(original, tensor, {name: 0.8 * number(tensor, name) for name in _TENSOR})


@planter("I122")
def twin_of_another_mass(original: Original, rng: Random) -> Defect | None:
    mass = _right(original, rng, "mass")
    if mass is None:
        return None
    return write(original, mass, "value", f"{1.5 * number(mass, 'value'):g}")
