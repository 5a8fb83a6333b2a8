"""Where and how a pusher pushes: faces of the square, offsets along them, speeds.

Face 0 is the one at -x, 1 at +y, 2 at +x, 3 at -y. Each has an inward normal n and a tangent t,
which is n turned by +90 degrees; on every face the offset s of a contact counts along t, so that
the contact is at -b n + s t and all faces are one face, turned.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from phyzctl.pushing.checks import ParameterError, require_finite
from phyzctl.records import dataclass

NORMALS = ((1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0))


class ContactMode(IntEnum):
    """What a contact does. Up and down are +t and -t: the way the pusher slips on the face."""

    SEPARATED = 0
    STICK = 1
    SLIDE_UP = 2
    SLIDE_DOWN = 3
    JAMMED = 4  # no motion of the slider lets both pushers move as they are told

    @property
    def label(self) -> str:
        """The name in words, such as `slide up`."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class PusherCommand:
    """A pusher on `face` 0 to 3 at the offset `contact` [m] from its middle, along its tangent.

    It moves at `push_speed` [m/s] along the inward normal and at `tangent_speed` [m/s] along the
    tangent, both in the slider's axes. `ParameterError` for what is not finite or no face.
    """

    face: int
    contact: float
    push_speed: float
    tangent_speed: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.face, bool) or self.face not in (0, 1, 2, 3):
            raise ParameterError("face", f"must be 0, 1, 2 or 3, not {self.face!r}")
        require_finite("contact", self.contact)
        require_finite("push_speed", self.push_speed)
        require_finite("tangent_speed", self.tangent_speed)

    @property
    def normal(self) -> tuple[float, float]:
        """The inward normal of the face, in the body frame."""
        return NORMALS[int(self.face)]


def legacy_faces(command: PusherCommand) -> PusherCommand:
    """The same push in the other convention of offsets, there and back.

    The rust_robotics pusher-slider counts offsets of faces 2 and 3 against the tangent. Commands
    written for it mean here what they meant there when passed through this function.
    """
    return replace(command, contact=-command.contact) if command.face >= 2 else command
