"""What the command line does, in a line each: the layers put together for programs."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.formats import WRITABLE, Reading, ReadOptions, WriteOptions, read, write
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.lint.engine import lint
from phyzctl.robot.robot import Robot

if TYPE_CHECKING:
    from phyzctl.model.model import Model

PathLike = str | os.PathLike[str]


def load(
    path: PathLike,
    *,
    issues: Issues | None = None,
    package_path: Mapping[str, str] | None = None,
    xacro_args: Mapping[str, str] | None = None,
) -> Robot:
    """The Robot in a file. Faults go to `issues`; without it, any error raises.

    `package_path` maps the names in `package://` URIs to folders, `xacro_args` are the arguments of
    a xacro. Raises `LoadError` with all
    Issues when there are errors and no list, or when nothing of a robot could be read;
    `NotFoundError` and `UnreadableError` when the file is not there or can't be read.
    """
    found = Issues()
    options = ReadOptions(package_path or {}, xacro_args or {})
    robot = read(os.fspath(path), found, options).robot
    if issues is not None:
        issues.extend(found)
    if robot is None or (issues is None and found.errors):
        raise LoadError(found)
    return robot


def validate(description: PathLike | Robot | Model, *, config: Config | None = None) -> list[Issue]:
    """All that is wrong with a file, a Robot or a Model, most serious first.

    Without `config` the defaults hold; `load_config(path)` gives that of the nearest
    `phyzctl.toml`, whose overrides count when `description` is a path. A Robot or Model has no
    file, so its Issues have no place but what the elements remember of theirs.
    """
    config = config or Config()
    issues = Issues()
    if isinstance(description, str | os.PathLike):
        config = config.at(description)
        options = ReadOptions(config.package_path, config.xacro_args)
        reading = read(os.fspath(description), issues, options)
    else:
        robot = description if isinstance(description, Robot) else description.robot
        reading = Reading(robot)
    return lint(reading, issues, config)


def attach(
    robot: Robot,
    other: Robot,
    to: str,
    *,
    prefix: str = "",
    pose: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    issues: Issues | None = None,
) -> Robot:
    """`robot` with `other` fixed to its link `to`; every name of `other` gets `prefix`.

    `pose` is that of the other's root in the link's frame: x, y, z [m] and fixed-axis roll,
    pitch, yaw [rad]. The result has the dialect of `robot`, into which `other` is translated;
    what that loses goes to `issues`. Raises `NotFoundError` for an unknown link, `PhyzctlError`
    or `LoadError` when names clash.
    """
    # Imported by name when it is needed: it takes the compiler and all writers.
    attachment = importlib.import_module("phyzctl.formats.attachment")
    whole: Robot
    whole, lost = attachment.attached(robot, other, attachment.Mount(to, prefix, pose))
    if issues is not None:
        issues.extend(lost)
    return whole


def save(
    robot: Robot,
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    base: Literal["auto", "fixed", "floating"] = "auto",
    actuators: Literal["none", "motor", "position"] = "none",
    fuse: bool = False,
) -> list[Issue]:
    """Write a Robot to a file and say what was lost, with places: nothing for JSON.

    `format`, "urdf", "mjcf" or "json", is taken from the file's suffix when None (`.xml` is
    MJCF). Meshes are named by their path from the file's folder; those that MuJoCo can't load are
    written as OBJ to a folder `meshes` beside an MJCF. `base` and `actuators` only matter to MJCF:
    how a root link stands in the world, and what drives the joints of a robot that states no
    actuators. `fuse` merges links on fixed joints into those that carry them.
    Raises `PhyzctlError` for a format that can't be written, or when the file can't.
    """
    target = Path(path)
    chosen = format or format_of(target)
    folder = target.absolute().parent
    written = write(robot, chosen, WriteOptions(str(folder), base, actuators, fuse, meshes=True))
    written.store(target)
    return list(written.losses)


def format_of(path: PathLike) -> str:
    """The format that a file's suffix stands for; `PhyzctlError` when it stands for none."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    chosen = {"xml": "mjcf"}.get(suffix, suffix)
    if chosen not in WRITABLE:
        raise PhyzctlError(f"can't write the format {suffix!r}; there is {', '.join(WRITABLE)}")
    return chosen
