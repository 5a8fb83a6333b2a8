"""`<keyframe>`: states by name, those of attached models spread over the whole robot.

The vectors of an attached model's key count its own joints and actuators. Each number goes to
where that joint or actuator ended up; all others stand at their reference.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.places import AttachedKeys, Origin, Place
from phyzctl.formats.mjcf.unsupported import report_unsupported
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.mechanism import Keyframe

_MOST_EMPTY_KEYS = 1000
_Vector = tuple[float, ...] | None


def read_keyframes(model: Model, builder: RobotBuilder) -> None:
    """State all keys, attached ones last, and as many empty ones as `nkey` asks for.

    Joints and actuators must have been read, since the vectors count them.
    """
    keys = [node for node in model.elements("keyframe") if node.tag == "key"]
    found = [_read_key(model.attributes(node)) for node in keys]
    for attached in model.attached_keys:
        found += [_read_attached(model, attached, index) for index in range(len(attached.nodes))]
    for key in found:
        builder.keyframe(key)
    sizes = Attributes(tuple(reversed(model.sections("size"))), model.reader, model.issues)
    wanted = min(sizes.integer("nkey") or 0, _MOST_EMPTY_KEYS)
    for _ in range(wanted - len(found)):
        builder.keyframe(Keyframe(source=sizes.place("nkey")))


def _read_key(attributes: Attributes) -> Keyframe:
    return Keyframe(
        attributes.string("name") or None,
        time=attributes.number("time"),
        qpos=attributes.numbers("qpos", None),
        qvel=attributes.numbers("qvel", None),
        act=attributes.numbers("act", None),
        ctrl=attributes.numbers("ctrl", None),
        mpos=attributes.numbers("mpos", None),
        mquat=attributes.numbers("mquat", None),
        source=attributes.source,
    )


def _read_attached(model: Model, attached: AttachedKeys, index: int) -> Keyframe:
    """One key of an attached model, with vectors as long as this model's."""
    attributes = model.attributes(attached.nodes[index])
    for vector in ("act", "mpos", "mquat"):
        if attributes.owner(vector) is not None:
            what = f"{vector} in a key of an attached model"
            report_unsupported(attributes.node, model.issues, what, "it is left out")
    name = attributes.string("name")
    positions = [joint.position for joint in attached.joints]
    velocities = [joint.velocity for joint in attached.joints]
    return Keyframe(
        attached.prefix + name if name else None,
        time=attributes.number("time"),
        qpos=_spread(attributes, "qpos", positions, [j.position for j in model.joint_places]),
        qvel=_spread(attributes, "qvel", velocities, [j.velocity for j in model.joint_places]),
        ctrl=_spread(attributes, "ctrl", attached.actuators, model.actuator_places),
        source=attributes.source,
    )


def _spread(
    attributes: Attributes, name: str, theirs: Sequence[Place], ours: Sequence[Place]
) -> _Vector:
    """The numbers that are written in `their` order in `our` order."""
    values = attributes.numbers(name, None)
    if values is None:
        return None
    expected = sum(len(place.rest) for place in theirs)
    if len(values) != expected:
        message = f"{name} holds {len(values)} numbers, the attached model has {expected}"
        attributes.report(codes.KEYFRAME_SIZE, message, name)
        return None
    written: dict[Origin, deque[_Vector]] = defaultdict(deque)
    start = 0
    for place in theirs:
        written[place.origin].append(values[start : start + len(place.rest)])
        start += len(place.rest)
    spread: list[float] = []
    for place in ours:
        # Copies of a joint share its origin; the first one takes the numbers.
        waiting = written.get(place.origin)
        spread += (waiting.popleft() if waiting else None) or place.rest
    return tuple(spread)
