"""Readers and writers of robot descriptions: how a file begins decides its format."""

from __future__ import annotations

import importlib
import os
from dataclasses import replace

from phyzctl import codes, disk
from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError, did_you_mean
from phyzctl.formats import json, xacro
from phyzctl.formats.format import Format, Reading, ReadOptions, WriteOptions, Written
from phyzctl.formats.mjcf import FORMAT as MJCF
from phyzctl.formats.urdf import FORMAT as URDF
from phyzctl.formats.xmltree import MAX_BYTES, Document, parse, quick_root_tag
from phyzctl.issues import Issues, Source
from phyzctl.robot.robot import Robot

FORMATS: tuple[Format, ...] = (URDF, MJCF)

SRDF_SUFFIX = ".srdf"

WRITABLE: tuple[str, ...] = ("urdf", "mjcf", "json")

__all__ = [
    "FORMATS",
    "SRDF_SUFFIX",
    "WRITABLE",
    "Format",
    "ReadOptions",
    "Reading",
    "WriteOptions",
    "Written",
    "quick_root_tag",
    "read",
    "read_bytes",
    "write",
]


def read(path: str, issues: Issues, options: ReadOptions | None = None) -> Reading:
    """Read the robot description at `path`; faults in it go to `issues`.

    Raises `NotFoundError` when there is no such file, `UnreadableError` when it can't be read.
    """
    try:
        # One byte beyond the cap is enough for the parser to say that the file is too large.
        data = disk.read_bytes(path, MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path!r}") from None
    except OSError as error:
        raise UnreadableError(f"can't read {path!r}: {os.strerror(error.errno or 0)}") from None
    return read_bytes(data, path, issues, options)


def read_bytes(
    data: bytes, path: str, issues: Issues, options: ReadOptions | None = None
) -> Reading:
    """Read a robot description from memory; `path` names it in Sources and anchors its files."""
    if json.is_json(data):
        return json.read(data, path, issues, options or ReadOptions())
    if path.lower().endswith(SRDF_SUFFIX):
        return _read_srdf(data, path, issues, options or ReadOptions())
    document = parse(data, path, issues)
    if document.root is None:
        return Reading(None, {path: document})
    if xacro.is_xacro(document):
        return xacro.read(document, issues, options or ReadOptions(), read_document)
    return read_document(document, issues, options or ReadOptions())


def read_document(document: Document, issues: Issues, options: ReadOptions) -> Reading:
    """Read a robot description from its XML, by the root element."""
    tag = document.root.tag if document.root is not None else ""
    for candidate in FORMATS:
        if tag in candidate.root_tags:
            return candidate.read(document, issues, options)
    _report_root(document, tag, issues)
    return Reading(None, {document.path: document})


def _read_srdf(data: bytes, path: str, issues: Issues, options: ReadOptions) -> Reading:
    """An SRDF and the robot that it is about, of which it is not said here what is wrong."""
    srdf = importlib.import_module("phyzctl.formats.srdf.read").parse_srdf(data, path, issues)
    if srdf is None:
        return Reading(None)
    urdf = options.urdf
    if urdf is None:
        beside = importlib.import_module("phyzctl.formats.srdf.beside")
        urdf = beside.urdf_beside(path, srdf.name)
    robot = None if urdf is None else _sound_robot(urdf, options)
    return Reading(robot, {path: srdf.document}, srdf)


def _sound_robot(path: str, options: ReadOptions) -> Robot | None:
    """The robot of a URDF; None where links or joints had to be left out of it."""
    issues = Issues()
    robot = read(path, issues, options).robot
    return None if any(issue.code.id[0] in "NTX" for issue in issues.errors) else robot


def write(robot: Robot, name: str, options: WriteOptions | None = None) -> Written:
    """The text of a file in the format `name`, one of `WRITABLE`, and what is lost in it.

    JSON loses nothing. Raises `PhyzctlError` for another format.
    """
    options = options or WriteOptions()
    if options.fuse:
        # Imported here and by name, as readers and writers are: it takes the whole compiler.
        fused: Written = importlib.import_module("phyzctl.formats.fuse").write_fused(
            robot, lambda whole: write(whole, name, replace(options, fuse=False))
        )
        return fused
    if name == "json":
        return json.write(robot, options)
    for candidate in FORMATS:
        if candidate.name == name and candidate.write is not None:
            return candidate.write(robot, options)
    raise PhyzctlError(f"can't write the format {name!r}; there is {', '.join(WRITABLE)}")


def _report_root(document: Document, tag: str, issues: Issues) -> None:
    known = sorted(tag for candidate in FORMATS for tag in candidate.root_tags)
    choices = " or ".join(f"<{name}>" for name in known)
    message = f"the root element is <{tag}>, a robot starts with {choices}"
    source = document.root.source if document.root else Source(document.path)
    issues.add(codes.ROOT_UNKNOWN, f"{message}{did_you_mean(tag, known)}", source=source)
