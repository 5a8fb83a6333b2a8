"""What the messages of a trace look like as .mcap: topics, types, and where the numbers stand.

Every channel is a topic of its own with a message of doubles, one a column. Viewers know other
topics: `/tf` and `/tf_static` get the poses of bodies, `/joint_states` what joints do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from phyzctl.trace.cdr import Doubles, Message
from phyzctl.trace.header import Channel, TraceHeader

DESCRIPTION, STATIC, TRANSFORMS, JOINTS = (
    "/robot_description",
    "/tf_static",
    "/tf",
    "/joint_states",
)
_RULE = "=" * 80
_STAMPED = f"""\
{_RULE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
{_RULE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
_TF = f"""\
geometry_msgs/TransformStamped[] transforms
{_RULE}
MSG: geometry_msgs/TransformStamped
std_msgs/Header header
string child_frame_id
Transform transform
{_STAMPED}{_RULE}
MSG: geometry_msgs/Transform
Vector3 translation
Quaternion rotation
{_RULE}
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
{_RULE}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
"""
_JOINT_STATE = f"""\
std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
{_STAMPED}"""
TYPES = {
    DESCRIPTION: ("std_msgs/msg/String", "string data\n"),
    STATIC: ("tf2_msgs/msg/TFMessage", _TF),
    TRANSFORMS: ("tf2_msgs/msg/TFMessage", _TF),
    JOINTS: ("sensor_msgs/msg/JointState", _JOINT_STATE),
}
_WORLD = "world"

Values = Mapping[str, Doubles]
Fill = Callable[[Values], Doubles]


@dataclass(frozen=True)
class Layout:
    """The messages of one topic: what never changes, and a filling for every slot of doubles."""

    topic: str
    message: Message
    fills: tuple[Fill, ...]


def type_of(channel: Channel) -> tuple[str, str]:
    """The name and the definition of a channel's messages."""
    name = "".join(word.capitalize() for word in channel.name.split("_"))
    pairs = zip(_fields(channel.columns), channel.units, strict=True)
    return f"phyzctl_msgs/msg/{name}", "".join(
        f"float64 {field} # {unit}\n" for field, unit in pairs
    )


def _fields(columns: Sequence[str]) -> list[str]:
    """Columns as names that ROS takes: lower case, digits and single underscores, each once."""
    fields: list[str] = []
    for column in columns:
        field = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")
        field = field if field[:1].isalpha() else f"c_{field}".rstrip("_")
        count = 2
        unique = field
        while unique in fields:
            unique, count = f"{field}_{count}", count + 1
        fields.append(unique)
    return fields


def plain(channel: Channel) -> Layout:
    """A channel's own messages."""
    message = Message().doubles_slot(len(channel.columns))
    return Layout(f"/{channel.name}", message, (lambda values: values[channel.name],))


def transforms(channels: Sequence[Channel]) -> Layout:
    """Where the bodies of some channels are."""
    count = sum(len(each.bodies) or 1 for each in channels)
    message, fills = Message().uint32(count), []
    for channel in channels:
        for number, body in enumerate(channel.bodies or (channel.body,)):
            message.time_slot().string(channel.frame).string(body).doubles_slot(7)
            fills.append(_pose(channel, number) if channel.bodies else _planar(channel))
    return Layout(TRANSFORMS, message, tuple(fills))


_FROM_WXYZ = (0, 1, 2, 4, 5, 6, 3)


def _pose(channel: Channel, number: int) -> Fill:
    columns = [7 * number + column for column in _FROM_WXYZ]
    return lambda values: values[channel.name][:, columns]


def _planar(channel: Channel) -> Fill:
    def fill(values: Values) -> Doubles:
        numbers = values[channel.name]
        poses = np.zeros((len(numbers), 7))
        poses[:, :2] = numbers[:, :2]
        half = numbers[:, 2] / 2 if numbers.shape[1] > 2 else np.zeros(len(numbers))
        poses[:, 5], poses[:, 6] = np.sin(half), np.cos(half)
        return poses

    return fill


def static_transforms(frames: Mapping[str, Sequence[float]]) -> bytes:
    """Where bodies are that never move."""
    message = Message().uint32(len(frames))
    for body, pose in frames.items():
        message.time(0).string(_WORLD).string(body)
        message.doubles([pose[column] for column in _FROM_WXYZ])
    return message.data()


def joint_states(header: TraceHeader) -> Layout:
    """What the joints of one degree of freedom do: position, velocity and, if known, effort."""
    message = Message().time_slot().string("").uint32(len(header.joints))
    for joint in header.joints:
        message.string(str(joint["name"]))
    q = [int(joint["q"]) for joint in header.joints]
    v = [int(joint["v"]) for joint in header.joints]
    fills: list[Fill] = []
    known = {channel.name for channel in header.channels}
    for name, columns in (("q", q), ("v", v), ("effort", v)):
        count = len(columns) if name in known else 0
        message.uint32(count).doubles_slot(count)
        if count:
            fills.append(_columns(name, columns))
    return Layout(JOINTS, message, tuple(fills))


def _columns(name: str, columns: Sequence[int]) -> Fill:
    chosen = list(columns)
    return lambda values: values[name][:, chosen]
