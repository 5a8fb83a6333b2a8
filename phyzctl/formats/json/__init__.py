"""JSON, a Robot exactly as it is: reading, with places, and writing."""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import replace

from phyzctl.formats.format import Reading, ReadOptions, WriteOptions, Written
from phyzctl.formats.meshpaths import relative_path
from phyzctl.issues import Issues
from phyzctl.robot.robot import Robot

_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_SCHEMA = re.compile(rb"\"schema\"\s*:\s*\"phyzctl\.robot/")


def is_json(data: bytes) -> bool:
    """True for what begins as a JSON object does."""
    return _OPENING.match(data) is not None


def is_robot(head: bytes) -> bool:
    """True when the first bytes of a file say that it is a robot in JSON."""
    return is_json(head) and _SCHEMA.search(head) is not None


def read(data: bytes, path: str, issues: Issues, options: ReadOptions) -> Reading:
    """The Robot that a JSON file holds; faults go to `issues`, with their places."""
    # Imported when it is needed, as all readers are.
    reading: Reading = importlib.import_module("phyzctl.formats.json.decoding").read(
        data, path, issues, options
    )
    return reading


def write(robot: Robot, options: WriteOptions) -> Written:
    """The text of a JSON file; meshes are named by their path from the file's folder."""
    if options.folder is not None:
        folder = options.folder
        robot = replace(
            robot,
            meshes=tuple(replace(each, uri=relative_path(each, folder)) for each in robot.meshes),
            heightfields=tuple(
                replace(each, uri=relative_path(each, folder)) for each in robot.heightfields
            ),
        )
    return Written(json.dumps(robot.to_json(), indent=2, ensure_ascii=False) + "\n")
