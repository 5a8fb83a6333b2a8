"""`--attach`: robots to hang on another, each with its link, prefix and pose."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from phyzctl.errors import PhyzctlError
from phyzctl.formats.attachment import Mount

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


def mounts(
    files: Sequence[str], to: Sequence[str], prefixes: Sequence[str], poses: Sequence[str]
) -> Iterator[tuple[str, Mount]]:
    """The files and where each goes, in the order in which they are stated."""
    if len(to) != len(files):
        raise PhyzctlError(f"--attach wants one --to each: {len(files)} files, {len(to)} links")
    for option, values in (("--prefix", prefixes), ("--pose", poses)):
        if len(values) not in (0, len(files)):
            raise PhyzctlError(
                f"{option} is stated {len(values)} times for {len(files)} --attach: "
                "state it once for each, or never"
            )
    for number, file in enumerate(files):
        pose = _pose(poses[number]) if poses else (0.0,) * 6
        yield file, Mount(to[number], prefixes[number] if prefixes else "", pose)


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
