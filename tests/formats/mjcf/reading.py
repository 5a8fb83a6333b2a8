"""Short ways to read MJCF in tests, and to ask MuJoCo about the same text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mujoco

from phyzctl import formats
from phyzctl.issues import Issue, Issues
from phyzctl.robot.elements import Geom, Joint
from phyzctl.robot.robot import Robot

PATH = "robot.xml"


def whole(text: str) -> str:
    """A document, or one around some sections."""
    started = text.lstrip().startswith(("<mujoco ", "<mujoco>", "<?xml"))
    return text if started else f"<mujoco>{text}</mujoco>"


def read(text: str, path: str = PATH) -> tuple[Robot, list[Issue]]:
    """The Robot in a document, or in sections of one, and the Issues."""
    issues = Issues()
    robot = formats.read_bytes(whole(text).encode(), path, issues).robot
    assert robot is not None
    return robot, list(issues)


def clean(text: str) -> Robot:
    """The Robot in a document that has no faults at all."""
    robot, issues = read(text)
    assert [str(issue) for issue in issues] == []
    return robot


def codes_of(text: str) -> list[str]:
    """The codes of all Issues about a document, in order."""
    return [issue.code.id for issue in read(text)[1]]


def only(text: str) -> Issue:
    """The one Issue about a document."""
    issues = read(text)[1]
    assert len(issues) == 1, [str(issue) for issue in issues]
    return issues[0]


def errors(text: str) -> list[Issue]:
    """The Issues of severity error."""
    return [issue for issue in read(text)[1] if issue.fatal]


def compiled(text: str, assets: Mapping[str, bytes] | None = None) -> Any:
    """MuJoCo's model of the same document."""
    return mujoco.MjModel.from_xml_string(whole(text), dict(assets or {}))


def refused(text: str) -> bool:
    """True when MuJoCo doesn't load the document."""
    try:
        compiled(text)
    except ValueError:
        return True
    return False


def joint(text: str, inside: str = "") -> Joint:
    """The joint that `text` writes on a body, after the sections `inside`."""
    robot = clean(f'{inside}<worldbody><body name="b">{text}<geom size=".1"/></body></worldbody>')
    return robot.structure.inbound("b")[-1]


def geom(text: str, inside: str = "") -> Geom:
    """The geom that `text` writes on the world, after the sections `inside`."""
    return clean(f"{inside}<worldbody>{text}</worldbody>").structure.root.geoms[-1]


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder; returns the path of the first one."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / next(iter(files))


def read_file(path: Path) -> tuple[Robot, list[Issue]]:
    """The Robot in a file, and the Issues."""
    issues = Issues()
    robot = formats.read(str(path), issues).robot
    assert robot is not None
    return robot, list(issues)
