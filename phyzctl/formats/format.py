"""What a format is: a name, a way to recognise its root element, a reader and a writer."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from phyzctl.formats.xmltree import Document
from phyzctl.issues import Issues
from phyzctl.robot.robot import Robot


@dataclass(frozen=True)
class ReadOptions:
    """How to read: `package_path` maps package names to folders, "" to folders to search."""

    package_path: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """What came out of a file: the Robot (None when there is none) and every document read.

    `documents` maps paths, as Sources name them, to XML trees: the main file and its includes.
    """

    robot: Robot | None
    documents: Mapping[str, Document] = field(default_factory=dict)


Reader = Callable[[Document, Issues, ReadOptions], Reading]
Writer = Callable[[Robot], str]


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
