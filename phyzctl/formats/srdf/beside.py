"""Which URDF an SRDF is about: the one of its name that lies beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from phyzctl import disk

_FOLDERS = ("urdf", "robots", "robot", "model", "models", "description", "config")
_NAME = re.compile(rb"<robot\b[^>]*?\bname\s*=\s*[\"']([^\"']*)[\"']")
_HEAD = 1 << 16


def urdf_beside(path: str, name: str) -> str | None:
    """The URDF of the robot `name` in the folder of an SRDF, the one above, or one beside it.

    None when there is none. The one whose file is called like the SRDF wins, then the first.
    """
    stem = os.path.splitext(os.path.basename(path))[0]
    found = [urdf for urdf in _urdfs(os.path.dirname(path)) if _robot_name(urdf) == name]
    alike = [urdf for urdf in found if os.path.splitext(os.path.basename(urdf))[0] == stem]
    return next(iter([*alike, *found]), None)


def _urdfs(folder: str) -> Iterator[str]:
    above = os.path.normpath(os.path.join(folder, os.pardir))
    places = [folder, above, *(os.path.join(above, name) for name in _FOLDERS)]
    for place in dict.fromkeys(os.path.normpath(each or os.curdir) for each in places):
        if disk.is_folder(place):
            for name in _names_in(place):
                if name.lower().endswith(".urdf"):
                    yield os.path.normpath(os.path.join(place, name))


def _names_in(folder: str) -> list[str]:
    try:
        return disk.names_in(folder)
    except OSError:
        return []


def _robot_name(path: str) -> str | None:
    try:
        match = _NAME.search(disk.read_bytes(path, _HEAD))
    except OSError:
        return None
    return match[1].decode("utf-8", "replace") if match else None
