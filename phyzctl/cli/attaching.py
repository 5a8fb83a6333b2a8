"""`--attach`: robots to hang on another, each with its link, prefix and pose."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Annotated

import typer

from phyzctl.errors import PhyzctlError
from phyzctl.formats import Reading
from phyzctl.formats.attachment import Mount, attached
from phyzctl.formats.losses import Losses, dissolved
from phyzctl.formats.srdf import Srdf, read_srdf, with_pairs_of
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.records import dataclass
from phyzctl.report.text import plural
from phyzctl.robot.robot import Robot

Read = Callable[[str], tuple[Reading, Robot]]

_Strings = list[str] | None

Attached = Annotated[
    _Strings, typer.Option("--attach", metavar="FILE", help="Hang this robot on it; repeatable.")
]
To = Annotated[
    _Strings, typer.Option("--to", metavar="LINK", help="The link that carries it; one each.")
]
Prefix = Annotated[
    _Strings, typer.Option(metavar="TEXT", help="Before all names of it; none, or one each.")
]
Pose = Annotated[
    _Strings,
    typer.Option(
        metavar="'X Y Z R P Y'", help="Its root in that link [m, rad]; none, or one each."
    ),
]


Srdfs = Annotated[
    _Strings,
    typer.Option(
        "--srdf", metavar="FILE", help="The robot's SRDF; again, those of the attached in order."
    ),
]


@dataclass(frozen=True)
class Parts:
    """What the options say, each in the order of the robots."""

    files: Sequence[str]
    to: Sequence[str]
    prefixes: Sequence[str]
    poses: Sequence[str]
    srdfs: Sequence[str]

    def onto(self, robot: Robot, read: Read, *, whole: bool) -> tuple[Robot, list[Issue]]:
        """`robot` with its SRDF's pairs and all that is attached, and what is lost of those.

        `whole` says that the first SRDF is written too, so that nothing of it is lost.
        """
        mounts = list(self.mounts())
        first, *others = self.semantics
        losses, lost = Losses(), []
        if first is not None:
            robot = with_pairs_of(robot, first, losses, whole=whole)
        for (file, mount), srdf in zip(mounts, others, strict=True):
            reading, part = read(file)
            if srdf is not None:
                part = with_pairs_of(part, srdf, losses, whole=False)
            robot, lost_here = attached(robot, part, mount)
            lost += [*dissolved(reading.documents), *lost_here]
        return robot, [*lost, *losses.issues()]

    @cached_property
    def semantics(self) -> list[Srdf | None]:
        """The SRDF of each robot, None where none is stated. `LoadError` for a broken one."""
        robots = 1 + len(self.files)
        if len(self.srdfs) > robots:
            count = plural(robots, "robot")
            raise PhyzctlError(f"--srdf is stated {len(self.srdfs)} times for {count}")
        found = [_srdf(path) if path else None for path in self.srdfs]
        return [*found, *[None] * (robots - len(found))]

    def mounts(self) -> Iterator[tuple[str, Mount]]:
        """The files and where each goes."""
        count = len(self.files)
        if len(self.to) != count:
            raise PhyzctlError(f"--attach wants one --to each: {count} files, {len(self.to)} links")
        for option, values in (("--prefix", self.prefixes), ("--pose", self.poses)):
            if len(values) not in (0, count):
                raise PhyzctlError(
                    f"{option} is stated {len(values)} times for {count} --attach: "
                    "state it once for each, or never"
                )
        for number, file in enumerate(self.files):
            pose = _pose(self.poses[number]) if self.poses else (0.0,) * 6
            prefix = self.prefixes[number] if self.prefixes else ""
            yield file, Mount(self.to[number], prefix, pose)


def _srdf(path: str) -> Srdf:
    issues = Issues()
    srdf = read_srdf(path, issues)
    if srdf is None or issues.errors:
        raise LoadError(issues)
    return srdf


def _pose(text: str) -> tuple[float, float, float, float, float, float]:
    try:
        x, y, z, roll, pitch, yaw = (float(word) for word in text.replace(",", " ").split())
    except ValueError:
        x = math.nan
    if not math.isfinite(x) or not all(map(math.isfinite, (y, z, roll, pitch, yaw))):
        raise PhyzctlError(
            f"--pose wants six numbers, x y z [m] and roll pitch yaw [rad], not {text!r}"
        )
    return x, y, z, roll, pitch, yaw
