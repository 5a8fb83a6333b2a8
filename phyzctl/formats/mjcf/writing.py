"""What the parts of the writer share: the robot, where losses go, and how poses are spelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cached_property

from phyzctl import codes
from phyzctl.formats.format import WriteOptions
from phyzctl.formats.losses import Losses
from phyzctl.formats.xmlwrite import Element
from phyzctl.geometry.shapes import Vec3
from phyzctl.model import joint as model_joint
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot import elements
from phyzctl.robot.elements import Extension, Quat
from phyzctl.robot.robot import Robot

ORIGIN: Vec3 = (0.0, 0.0, 0.0)
# What is kept verbatim means something else once classes, angle units and folders are resolved.
_RESOLVED = re.compile(r"\b(class|childclass|euler|axisangle|file)\s*=")


@dataclass
class Writing:
    """One file on its way. `foreign` tells robots that don't come from MJCF."""

    robot: Robot
    model: Model
    options: WriteOptions
    losses: Losses = field(default_factory=Losses)
    uses_euler: bool = False

    @property
    def foreign(self) -> bool:
        """True for a robot whose words are URDF's or a program's."""
        return self.robot.dialect != "mjcf"

    def parts(self, joint: elements.Joint) -> Sequence[model_joint.Joint]:
        """What a joint compiles to: one joint, or three."""
        return self._parts.get(joint.name, ())

    @cached_property
    def _parts(self) -> dict[str, list[model_joint.Joint]]:
        found: dict[str, list[model_joint.Joint]] = {}
        for part in self.model.joints:
            if part.element is not None:
                found.setdefault(part.element.name, []).append(part)
        return found

    def place(
        self, element: Element, xyz: Vec3 | None, rpy: Vec3 | None, quat: Quat | None
    ) -> None:
        """Write a pose: roll, pitch and yaw as euler, whose sequence `<compiler>` will state."""
        if xyz is not None and any(xyz):
            element.set(pos=xyz)
        if quat is not None and any(quat):
            element.set(quat=quat)
        elif rpy is not None and any(rpy):
            element.set(euler=rpy)
            self.uses_euler = True

    def survives(self, extension: Extension) -> bool:
        """True for what `keep` writes: it is MJCF's, and still means the same."""
        resolved = not extension.tag.startswith("@") and _RESOLVED.search(extension.text)
        return self.robot.dialect != "urdf" and not resolved

    def keep(self, element: Element, extensions: Iterable[Extension], within: str) -> None:
        """Write what was kept verbatim, where it still means the same."""
        for extension in extensions:
            if self.robot.dialect == "urdf":
                message = f"MJCF has no <{extension.tag}> in a {within}"
                self.losses.add(codes.LOSS_OF_EXTENSION, message, extension)
            elif self.survives(extension):
                element.keep([extension])
            else:
                message = (
                    f"<{extension.tag}> is left out, since it speaks of classes, angle units or "
                    "folders that are resolved in what is written"
                )
                self.losses.add(codes.LOSS_OF_EXTENSION, message, extension)
