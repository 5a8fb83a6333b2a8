"""What the command line does, in a line each: the layers put together for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.formats import Reading, ReadOptions, read
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.lint.engine import lint
from phyzctl.robot.robot import Robot

if TYPE_CHECKING:
    from phyzctl.model.model import Model

PathLike = str | os.PathLike[str]

_WRITERS = ("json",)


def load(
    path: PathLike, *, issues: Issues | None = None, package_path: Mapping[str, str] | None = None
) -> Robot:
    """The Robot in a file. Faults go to `issues`; without it, any error raises.

    `package_path` maps the names in `package://` URIs to folders. Raises `LoadError` with all
    Issues when there are errors and no list, or when nothing of a robot could be read;
    `NotFoundError` and `UnreadableError` when the file is not there or can't be read.
    """
    found = Issues()
    robot = read(os.fspath(path), found, ReadOptions(package_path=package_path or {})).robot
    if issues is not None:
        issues.extend(found)
    if robot is None or (issues is None and found.errors):
        raise LoadError(found)
    return robot


def validate(description: PathLike | Robot | Model, *, config: Config | None = None) -> list[Issue]:
    """All that is wrong with a file, a Robot or a Model, most serious first.

    Without `config` the defaults hold; `load_config(path)` gives that of the nearest
    `phyzctl.toml`. A Robot or Model has no file, so its Issues have no place but what the
    elements remember of theirs.
    """
    config = config or Config()
    issues = Issues()
    if isinstance(description, str | os.PathLike):
        options = ReadOptions(package_path=config.package_path)
        reading = read(os.fspath(description), issues, options)
    else:
        robot = description if isinstance(description, Robot) else description.robot
        reading = Reading(robot)
    return lint(reading, issues, config)


def save(robot: Robot, path: PathLike, *, format: str | None = None) -> list[Issue]:  # noqa: A002
    """Write a Robot to a file and say what was lost: nothing for JSON.

    `format` is taken from the file's suffix when None. Raises `PhyzctlError` for a format that
    can't be written, or when the file can't.
    """
    target = Path(path)
    chosen = format or target.suffix.lower().removeprefix(".")
    if chosen not in _WRITERS:
        raise PhyzctlError(f"can't write the format {chosen!r}; there is {', '.join(_WRITERS)}")
    text = json.dumps(robot.to_json(), indent=2, ensure_ascii=False)
    try:
        target.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise PhyzctlError(f"can't write {str(path)!r}: {error.strerror or error}") from error
    return []
