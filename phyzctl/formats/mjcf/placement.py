"""Where an element stands: the many spellings of an orientation, and frames around it."""

from __future__ import annotations

import math
from collections.abc import Callable

from phyzctl import codes, spatial
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.settings import Settings
from phyzctl.geometry.shapes import Vec3
from phyzctl.records import dataclass
from phyzctl.robot.elements import Quat

ORIGIN: Vec3 = (0.0, 0.0, 0.0)
UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
_SPELLINGS = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}
_Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Placement:
    """A position [m] and a unit quaternion; a part is None where it could not be read."""

    xyz: Vec3 | None = ORIGIN
    quat: Quat | None = UPRIGHT

    def within(self, frame: Placement) -> Placement:
        """This placement, given in `frame`, as seen from where the frame stands."""
        if frame == NOWHERE_ELSE:
            return self
        return Placement(frame.point(self.xyz), frame.turned(self.quat))

    def point(self, xyz: Vec3 | None) -> Vec3 | None:
        """A point given in this frame, seen from outside."""
        turned = self.direction(xyz)
        if turned is None or self.xyz is None:
            return None
        return (turned[0] + self.xyz[0], turned[1] + self.xyz[1], turned[2] + self.xyz[2])

    def direction(self, vector: Vec3 | None) -> Vec3 | None:
        """A direction given in this frame, seen from outside."""
        if vector is None or self.quat is None:
            return None
        if self.quat == UPRIGHT:
            return vector
        x, y, z = (spatial.rotation_from_quat(self.quat) @ vector).tolist()
        return (x, y, z)

    def turned(self, quat: Quat | None) -> Quat | None:
        """An orientation given in this frame, seen from outside."""
        if quat is None or self.quat is None or self.quat == UPRIGHT:
            return quat if self.quat is not None else None
        return _as_quat(spatial.quat_multiply(self.quat, quat))

    @property
    def stated_quat(self) -> Quat | None:
        """The quaternion for an element that also has `rpy`: None for an upright frame."""
        return None if self.quat == UPRIGHT else self.quat

    @property
    def stated_rpy(self) -> Vec3 | None:
        """What such an element has beside it: zero, or None for an unknown orientation."""
        return None if self.quat is None else ORIGIN


NOWHERE_ELSE = Placement()


def read_placement(attributes: Attributes, settings: Settings) -> Placement:
    """`pos` and the orientation, in whichever spelling; angles in the unit of the file."""
    return Placement(attributes.vector("pos"), read_orientation(attributes, settings))


def read_orientation(attributes: Attributes, settings: Settings) -> Quat | None:
    """The orientation as a unit quaternion; None when unreadable or without direction.

    The nearest node that states one, in any spelling, decides.
    """
    attributes.writes(*_SPELLINGS)
    for node in attributes.layers:
        written = [name for name in _SPELLINGS if name in node.attributes]
        if written:
            numbers = attributes.reader.numbers(node, written[0], _SPELLINGS[written[0]])
            return None if numbers is None else _resolved(attributes, written[0], numbers, settings)
    return UPRIGHT


def quat_along(vector: Vec3) -> Quat | None:
    """The smallest turn that points z along `vector`; None when it has no length."""
    quat = _as_quat(spatial.quat_from_zaxis(vector))
    return quat if all(map(math.isfinite, quat)) else None


def _resolved(
    attributes: Attributes, spelling: str, numbers: _Numbers, settings: Settings
) -> Quat | None:
    quat = _TO_QUAT[spelling](numbers, settings)
    if all(map(math.isfinite, quat)):
        return quat
    message = f"{spelling} gives no orientation: it is zero, or its axes are parallel"
    attributes.report(codes.AXIS_ZERO, message, spelling)
    return None


def _from_axisangle(numbers: _Numbers, settings: Settings) -> Quat:
    angle = numbers[3] * settings.angle
    return _as_quat(spatial.quat_from_axis_angle(numbers[:3], angle))


def _from_euler(numbers: _Numbers, settings: Settings) -> Quat:
    angles = [angle * settings.angle for angle in numbers]
    return _as_quat(spatial.quat_from_euler(settings.euler_sequence, angles))


def _from_quat(numbers: _Numbers, _settings: Settings) -> Quat:
    length = math.hypot(*numbers) or math.nan
    return (numbers[0] / length, numbers[1] / length, numbers[2] / length, numbers[3] / length)


def _as_quat(array: spatial.Array) -> Quat:
    w, x, y, z = (float(value) for value in array)
    return (w, x, y, z)


_TO_QUAT: dict[str, Callable[[_Numbers, Settings], Quat]] = {
    "quat": _from_quat,
    "axisangle": _from_axisangle,
    "euler": _from_euler,
    "xyaxes": lambda numbers, _: _as_quat(spatial.quat_from_xyaxes(numbers)),
    "zaxis": lambda numbers, _: _as_quat(spatial.quat_from_zaxis(numbers)),
}
