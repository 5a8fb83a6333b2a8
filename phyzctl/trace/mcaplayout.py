"""What the messages of a trace look like as .mcap: topics, types, and where the numbers stand.

Every channel is a topic of its own with a message of doubles, one a column. Viewers know other
topics: `/tf` and `/tf_static` get the poses of bodies, `/joint_states` what joints do.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

import numpy as np

from phyzctl.records import dataclass
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


@dataclass(frozen=True)
class Layout:
    """The messages of one topic: what never changes, and the columns of a `Table` for each slot."""

    topic: str
    message: Message
    columns: tuple[tuple[int, ...], ...]


class Table:
    """All numbers of a sample side by side: the channels' own, then poses made of planar ones."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        """Places in the order of the channels."""
        self._names = [each.name for each in channels]
        self._planar = [each.name for each in channels if each.body]
        ends = list(itertools.accumulate((len(each.columns) for each in channels), initial=0))
        self.first = dict(zip(self._names, ends[:-1], strict=True))
        self.first_of_pose = {name: ends[-1] + 7 * i for i, name in enumerate(self._planar)}
        self.width = ends[-1] + 7 * len(self._planar)

    def of(self, values: Mapping[str, Doubles]) -> Doubles:
        """The numbers (n, width)."""
        parts = [values[name] for name in self._names]
        parts += [_in_space(values[name]) for name in self._planar]
        return np.concatenate(parts, axis=1, dtype=np.float64)


def _in_space(planar: Doubles) -> Doubles:
    """x, y and perhaps theta as x, y, z and a quaternion x, y, z, w."""
    poses = np.zeros((len(planar), 7))
    poses[:, :2] = planar[:, :2]
    half = planar[:, 2] / 2 if planar.shape[1] > 2 else np.zeros(len(planar))
    poses[:, 5], poses[:, 6] = np.sin(half), np.cos(half)
    return poses


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


def plain(channel: Channel, table: Table) -> Layout:
    """A channel's own messages."""
    first, count = table.first[channel.name], len(channel.columns)
    message = Message().doubles_slot(count)
    return Layout(f"/{channel.name}", message, (tuple(range(first, first + count)),))


_FROM_WXYZ = (0, 1, 2, 4, 5, 6, 3)


def transforms(channels: Sequence[Channel], table: Table) -> Layout:
    """Where the bodies of some channels are."""
    count = sum(len(each.bodies) or 1 for each in channels)
    message, columns = Message().uint32(count), []
    for channel in channels:
        for number, body in enumerate(channel.bodies or (channel.body,)):
            message.time_slot().string(channel.frame).string(body).doubles_slot(7)
            if channel.bodies:
                first = table.first[channel.name] + 7 * number
                columns.append(tuple(first + each for each in _FROM_WXYZ))
            else:
                first = table.first_of_pose[channel.name]
                columns.append(tuple(range(first, first + 7)))
    return Layout(TRANSFORMS, message, tuple(columns))


def static_transforms(frames: Mapping[str, Sequence[float]]) -> bytes:
    """Where bodies are that never move."""
    message = Message().uint32(len(frames))
    for body, pose in frames.items():
        message.time(0).string(_WORLD).string(body)
        message.doubles([pose[column] for column in _FROM_WXYZ])
    return message.data()


def joint_states(header: TraceHeader, table: Table) -> Layout:
    """What the joints of one degree of freedom do: position, velocity and, if known, effort."""
    message = Message().time_slot().string("").uint32(len(header.joints))
    for joint in header.joints:
        message.string(str(joint["name"]))
    columns = []
    for name, place in (("q", "q"), ("v", "v"), ("effort", "v")):
        first = table.first.get(name)
        taken = () if first is None else tuple(first + int(each[place]) for each in header.joints)
        message.uint32(len(taken)).doubles_slot(len(taken))
        columns.append(taken)
    return Layout(JOINTS, message, tuple(columns))
