"""Which files are meant: named ones, globs, stdin, and the robots below folders."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.formats import FORMATS, SRDF_SUFFIX, quick_root_tag
from phyzctl.formats.json import is_robot as is_json_robot
from phyzctl.formats.xacro import SUFFIX as XACRO
from phyzctl.formats.xmltree import MAX_BYTES
from phyzctl.gitignore import Pattern, ignored, patterns_above, patterns_in
from phyzctl.records import dataclass

STDIN = "-"
SUFFIXES = frozenset({".urdf", ".xml", ".mjcf", ".json", ".xacro"})

_NOT_SOURCES = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".tox", ".nox"})
_ROOT_TAGS = frozenset(tag for each in FORMATS for tag in each.root_tags)
_INCLUDE = re.compile(rb"<include\s[^>]*?\bfile\s*=\s*[\"']([^\"']+)[\"']")
_XACRO_INCLUDE = re.compile(rb"<xacro:include\s[^>]*?\bfilename\s*=\s*[\"']([^\"']+)[\"']")
_VARIABLE = re.compile(r".*[)}]|(?:\.\.?/)+", re.DOTALL)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ROOT = re.compile(rb"<[A-Za-z][^<>]*>")
_NAME = re.compile(rb"\s(?:name|model)\s*=")
_HEAD = 1 << 16


@dataclass(frozen=True)
class Target:
    """One file to read; `data` is what came through stdin, None for a file on disk.

    `urdf` is the robot that an SRDF is about, where it was named.
    """

    path: str
    data: bytes | None = None
    urdf: str | None = None


def find_targets(
    arguments: Sequence[str], stdin_name: str | None = None, *, srdf: bool = False
) -> list[Target]:
    """The files that the arguments mean, each once, in order; folders give the robots below them.

    With `srdf` the SRDFs in folders, too.
    `PhyzctlError` for a path that isn't there, a glob without a match, a folder without robots.
    """
    found: dict[str, Target] = {}
    for argument in arguments:
        for target in _targets(argument, stdin_name, srdf=srdf):
            found.setdefault(os.path.normpath(target.path), target)
    return list(found.values())


def listed_targets(source: str) -> list[Target]:
    """The robots among the paths that a file lists, or stdin when it is `-`.

    One path a line, or any number with NUL behind each. What is no robot is passed over, unless
    it is called one (`.urdf`). `NotFoundError` for a path that isn't there.
    """
    found: dict[str, Target] = {}
    for path in _listed(source):
        if not os.path.lexists(path):
            raise NotFoundError(f"there is no file {path!r}, which {_called(source)} lists")
        paths = robots_below(path) if Path(path).is_dir() else [path] if _is_one(path) else []
        for each in paths:
            found.setdefault(os.path.normpath(each), Target(each))
    return list(found.values())


def _listed(source: str) -> Iterator[str]:
    try:
        data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"there is no list of files {source!r}") from None
    except OSError as error:
        raise UnreadableError(f"can't read {source!r}: {error.strerror or error}") from error
    lines = data.split(b"\0") if b"\0" in data else data.splitlines()
    return (os.fsdecode(line) for line in lines if line.strip())


def _called(source: str) -> str:
    return "stdin" if source == STDIN else repr(source)


def _is_one(path: str) -> bool:
    return Path(path).suffix.lower() == ".urdf" or _is_robot(path)


def _targets(argument: str, stdin_name: str | None, *, srdf: bool) -> Iterable[Target]:
    if argument == STDIN:
        return [Target(stdin_name or "<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1))]
    if argument and Path(argument).is_dir():
        return _robots_in(argument, srdf=srdf)
    if Path(argument).exists() or not glob.has_magic(argument):
        return [_existing(argument)]
    paths = sorted(glob.glob(argument, recursive=True))
    if not paths:
        raise NotFoundError(f"no file matches {argument!r}")
    named = [path for path in paths if not Path(path).is_dir()]
    folders = [path for path in paths if Path(path).is_dir()]
    below = [robot for path in folders for robot in robots_below(path, srdf=srdf)]
    return [Target(path) for path in [*named, *below]]


def _existing(path: str) -> Target:
    if not os.path.lexists(path):
        raise NotFoundError(f"there is no file {path!r}")
    return Target(path)


def _robots_in(folder: str, *, srdf: bool) -> list[Target]:
    paths = robots_below(folder, srdf=srdf)
    if not paths:
        tags = " or ".join(f"<{tag}>" for tag in sorted(_ROOT_TAGS))
        kinds = ", ".join(sorted(SUFFIXES))
        raise PhyzctlError(
            f"there is no robot below {folder!r}: no {kinds} that starts with {tags}"
        )
    return [Target(path) for path in paths]


def robots_below(folder: str, *, srdf: bool = False) -> list[str]:
    """The robot descriptions in a folder and those below, sorted; what git ignores is left out.

    The root element, or JSON's "schema", decides what is a robot. Files that others include are
    no robots. With `srdf` what describes robots further counts, too.
    """
    suffixes = SUFFIXES | {SRDF_SUFFIX} if srdf else SUFFIXES
    candidates = [path for path in _walk(folder, suffixes) if _is_robot(path)]
    included = {piece for path in candidates for piece in _included_by(path)}
    parts = tuple(piece for path in candidates for piece in _xacro_includes(path))
    return [
        path
        for path in candidates
        if os.path.normpath(path) not in included and not Path(path).as_posix().endswith(parts)
    ]


def _walk(top: str, suffixes: frozenset[str]) -> Iterator[str]:
    """Files with one of the suffixes, folder by folder."""
    start = Path(top).absolute()
    patterns = {str(start): [*patterns_above(start), *patterns_in(start)]}
    for folder, folders, files in os.walk(top):
        here = Path(folder).absolute()
        rules = patterns[str(here)]
        folders[:] = sorted(name for name in folders if _is_entered(here / name, rules))
        for name in folders:
            patterns[str(here / name)] = [*rules, *patterns_in(here / name)]
        for name in sorted(files):
            suited = Path(name).suffix.lower() in suffixes
            if suited and not ignored((here / name).as_posix(), rules, is_folder=False):
                yield os.path.normpath(os.path.join(folder, name))


def _is_entered(folder: Path, rules: list[Pattern]) -> bool:
    if folder.name in _NOT_SOURCES or (folder / "pyvenv.cfg").exists():
        return False
    return not ignored(folder.as_posix(), rules, is_folder=True)


def _is_robot(path: str) -> bool:
    try:
        if not Path(path).is_file():  # a pipe would be waited for
            return False
        with Path(path).open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    if path.lower().endswith(XACRO) and _is_library(head):
        return False
    return quick_root_tag(head) in _ROOT_TAGS or is_json_robot(head)


def _is_library(head: bytes) -> bool:
    """True for a xacro whose root has no name: it holds macros for others."""
    root = _ROOT.search(_COMMENT.sub(b"", head))
    return root is None or not _NAME.search(root[0])


def _included_by(path: str) -> Iterator[str]:
    """The files that a description includes, by the folder it lies in."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return
    for match in _INCLUDE.finditer(data):
        yield os.path.normpath(Path(path).parent / match.group(1).decode("utf-8", "replace"))


def _xacro_includes(path: str) -> Iterator[str]:
    """How the paths end that a xacro includes; what `$(find)` stands for is left open."""
    try:
        data = Path(path).read_bytes() if path.lower().endswith(XACRO) else b""
    except OSError:
        return
    for match in _XACRO_INCLUDE.finditer(data):
        ending = _VARIABLE.sub("", match.group(1).decode("utf-8", "replace")).lstrip("/")
        if ending:
            yield f"/{ending}"
