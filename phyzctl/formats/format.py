"""What a format is: a name, a way to recognise its root element, a reader and a writer."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from phyzctl.errors import PhyzctlError
from phyzctl.formats.xmltree import Document
from phyzctl.issues import Issue, Issues
from phyzctl.records import dataclass
from phyzctl.robot.robot import Robot

if TYPE_CHECKING:
    from phyzctl.formats.srdf.semantics import Srdf


@dataclass(frozen=True)
class ReadOptions:
    """How to read: `package_path` maps package names to folders, "" to folders to search.

    `xacro_args` are the arguments of a xacro by name. `urdf` is the robot that an SRDF is about;
    without it, the one beside it.
    """

    package_path: Mapping[str, str] = field(default_factory=dict)
    xacro_args: Mapping[str, str] = field(default_factory=dict)
    urdf: str | None = None


@dataclass(frozen=True)
class Reading:
    """What came out of a file: the Robot (None when there is none) and every document read.

    `documents` maps paths, as Sources name them, to XML trees: the main file and its includes.
    With an `srdf` that is the document, and the Robot the one that it is about, if it was found.
    """

    robot: Robot | None
    documents: Mapping[str, Document] = field(default_factory=dict)
    srdf: Srdf | None = None


@dataclass(frozen=True)
class WriteOptions:
    """How to write: `folder` is where the file will lie, from which meshes are named.

    `base` chooses whether the root link is fixed to the world or free (see `compile`).
    `actuators` says what drives the joints of a robot that states no actuators, in a format that
    has them: "none", a "motor" for each joint, or a "position" servo. `fuse` merges links on
    fixed joints into those that carry them. `meshes` lets a writer convert mesh files that the
    readers of its format can't load, which then go with the text. With `srdf`, an SRDF that is
    written beside says which links are excluded from contact, and the file need not.
    """

    folder: str | None = None
    base: Literal["auto", "fixed", "floating"] = "auto"
    actuators: Literal["none", "motor", "position"] = "none"
    fuse: bool = False
    meshes: bool = False
    srdf: bool = False


@dataclass(frozen=True)
class Written:
    """The text of a file, what of the Robot it doesn't say, and files by their path beside it."""

    text: str
    losses: tuple[Issue, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)

    def store(self, path: str | os.PathLike[str]) -> None:
        """Write the text to `path` and the files beside it; `PhyzctlError` when that fails."""
        target = Path(path)
        try:
            for name, data in self.files.items():
                (target.parent / name).parent.mkdir(exist_ok=True)
                (target.parent / name).write_bytes(data)
            target.write_text(self.text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise PhyzctlError(f"can't write {str(path)!r}: {error.strerror or error}") from error


Reader = Callable[[Document, Issues, ReadOptions], Reading]
Writer = Callable[[Robot, WriteOptions], Written]


@dataclass(frozen=True)
class Format:
    """One format: `root_tags` are the root elements by which a file is recognised."""

    name: str
    root_tags: frozenset[str]
    read: Reader
    write: Writer | None = None


def reader_in(module: str) -> Reader:
    """The function `read` of a module that is imported when it is needed.

    A command that reads one URDF shouldn't wait for all that MJCF takes.
    """

    def read(document: Document, issues: Issues, options: ReadOptions) -> Reading:
        reader: Reader = importlib.import_module(module).read
        return reader(document, issues, options)

    return read


def writer_in(module: str) -> Writer:
    """The function `write` of a module that is imported when it is needed."""

    def write(robot: Robot, options: WriteOptions) -> Written:
        writer: Writer = importlib.import_module(module).write
        return writer(robot, options)

    return write
