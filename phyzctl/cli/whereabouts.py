"""Where the files that a robot names are, and where those were looked for that are not found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from phyzctl import codes
from phyzctl.cli.checking import load_robot
from phyzctl.cli.choices import Choices
from phyzctl.formats.assets import AssetResolver

_PACKAGE = re.compile(r"(?:package|model)://([^/]+)")
_LOST = (codes.FILE_MISSING, codes.INCLUDE_FAILED)

Whereabouts = tuple[str, str, str]


def whereabouts(
    file: str, config: str | None, package_path: Sequence[str] | None
) -> Iterator[Whereabouts]:
    """State, name and place of the robot, its packages and its meshes; then what is lost."""
    choices = Choices(config, package_path)
    path, robot, issues = load_robot(file, choices)
    yield "ok", "robot", f"{robot.name}, {path}"
    folder = os.path.dirname(os.path.abspath(path))
    resolver = AssetResolver(folder, choices.config(path).package_path)
    named = [_PACKAGE.match(mesh.uri or "") for mesh in robot.meshes]
    for name in dict.fromkeys(match[1] for match in named if match):
        root, places = resolver.package(name)
        if root is not None:
            yield "ok", f"package {name}", root
        else:
            yield "missing", f"package {name}", f"looked in {', '.join(places)}"
    for uri, place in dict.fromkeys((mesh.uri, mesh.file) for mesh in robot.meshes):
        if uri is not None and place is not None:
            yield "ok", uri, place
    for issue in issues:
        if issue.code in _LOST:
            yield "missing", str(issue.source), issue.message
