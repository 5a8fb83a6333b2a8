"""Short ways to write a xacro and to read it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from phyzctl.formats import Reading, ReadOptions, read
from phyzctl.issues import Issue, Issues

NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'


def robot(content: str, name: str = 'name="r"') -> str:
    return f"<robot {name} {NAMESPACE}>\n{content}\n</robot>\n"


def reading(
    folder: Path, content: str, arguments: Mapping[str, str] | None = None, **packages: str
) -> tuple[Reading, list[Issue]]:
    """What a file `r.urdf.xacro` of that content holds."""
    path = folder / "r.urdf.xacro"
    path.write_text(content)
    issues = Issues()
    found = read(str(path), issues, ReadOptions(packages, arguments or {}))
    return found, list(issues)


def link_names(found: Reading) -> list[str]:
    assert found.robot is not None
    return [link.name for link in found.robot.links]


def told(issues: list[Issue]) -> list[str]:
    return [f"{issue.code} {issue.message}" for issue in issues]
