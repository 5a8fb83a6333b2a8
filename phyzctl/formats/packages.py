"""Where ROS packages and Gazebo models lie on this machine, found without ROS.

The places, in this order:

1. stated: `package_path` (name to folder), then the folders in `search`, looked through for
   package.xml files and for a folder of the name;
2. upwards from the robot's file: a package.xml that says the name, then a folder of the name;
3. the file's git repository, and the folder `src` of its workspace, looked through;
4. the environment: AMENT_PREFIX_PATH (below share), ROS_PACKAGE_PATH, GZ_SIM_RESOURCE_PATH,
   IGN_GAZEBO_RESOURCE_PATH, GAZEBO_MODEL_PATH.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from phyzctl import disk
from phyzctl.disk import is_file, is_folder
from phyzctl.records import dataclass

MAX_DEPTH = 6
MAX_FOLDERS = 4000

_NAME = re.compile(rb"<name\b[^>]*>\s*([^<>]*?)\s*</name\s*>")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})
_NO_NAMES = frozenset({"", ".", ".."})
_MODEL_VARIABLES = ("GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH")


@dataclass
class PackageRoots:
    """The folders a package may be, most likely first, found one by one as they are asked for.

    A search goes on only if the file was in none of the folders found so far, and what it
    found is kept: three hundred meshes of one package cost one search.
    """

    search: Iterator[Path]
    found: list[Path] = field(default_factory=list)

    def __iter__(self) -> Iterator[Path]:
        """Every folder once: first those known, then what further search brings up."""
        position = 0
        while position < len(self.found) or self._look_further():
            yield self.found[position]
            position += 1

    def _look_further(self) -> bool:
        for folder in self.search:
            if folder not in self.found:
                self.found.append(folder)
                return True
        return False


class Packages:
    """Looks packages up by name; remembers what it saw of the disk."""

    def __init__(
        self,
        package_path: Mapping[str, str | Path] | None = None,
        search: Sequence[str | Path] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`environment` is `os.environ` when None; an empty mapping shuts it out."""
        self._stated = {name: _absolute(path) for name, path in (package_path or {}).items()}
        self._search = tuple(_absolute(path) for path in search)
        self._environment = environment
        self._names: dict[Path, str | None] = {}
        self._scans: dict[Path, dict[str, list[Path]]] = {}

    def roots(self, name: str, base: Path) -> PackageRoots:
        """The folders that package `name` may be, for a file in the folder `base`."""
        return PackageRoots(iter(()) if name in _NO_NAMES else self._candidates(name, base))

    def places(self, base: Path) -> tuple[str, ...]:
        """Where `roots` looks, in words for a message; paths that don't exist are left out."""
        stated = [str(path) for path in (*self._stated.values(), *self._search)]
        scanned = [f"{path}/**" for path in _workspaces(base)]
        variables = ("AMENT_PREFIX_PATH", "ROS_PACKAGE_PATH", *_MODEL_VARIABLES)
        from_environment = [
            f"${variable} ({path})"
            for variable in variables
            for path in self._listed(variable)
            if is_folder(path)
        ]
        return (*stated, f"{base} and the folders above it", *scanned, *from_environment)

    def _candidates(self, name: str, base: Path) -> Iterator[Path]:
        if name in self._stated:
            yield self._stated[name]
        for folder in self._search:
            yield from self._below(folder, name)
        upwards = [base, *base.parents]
        yield from (folder for folder in upwards if self._package_name(folder) == name)
        for folder in upwards:
            if folder.name == name:
                yield folder
            if is_folder(folder / name):
                yield folder / name
        for folder in _workspaces(base):
            yield from self._scan(folder).get(name, ())
        yield from self._in_environment(name)

    def _in_environment(self, name: str) -> Iterator[Path]:
        for prefix in self._listed("AMENT_PREFIX_PATH"):
            if is_folder(prefix / "share" / name):
                yield prefix / "share" / name
        for folder in self._listed("ROS_PACKAGE_PATH"):
            yield from self._below(folder, name)
        for variable in _MODEL_VARIABLES:
            for folder in self._listed(variable):
                if is_folder(folder / name):
                    yield folder / name

    def _below(self, folder: Path, name: str) -> Iterator[Path]:
        """The package in `folder`: the folder itself, one of that name, or one that says so."""
        if folder.name == name or self._package_name(folder) == name:
            yield folder
        if is_folder(folder / name):
            yield folder / name
        yield from self._scan(folder).get(name, ())

    def _listed(self, variable: str) -> list[Path]:
        known = self._environment
        value = disk.variable(variable) if known is None else known.get(variable, "")
        entries = value.split(os.pathsep)
        return [_absolute(entry) for entry in entries if entry]

    def _package_name(self, folder: Path) -> str | None:
        """The name in the folder's package.xml, None when it has none."""
        if folder not in self._names:
            self._names[folder] = _name_in(folder / "package.xml")
        return self._names[folder]

    def _scan(self, top: Path) -> dict[str, list[Path]]:
        """The packages below `top` by name, the shallowest first; bounded in depth and number."""
        if top in self._scans:
            return self._scans[top]
        packages: dict[str, list[Path]] = {}
        waiting = deque([(top, 0)])
        for _ in range(MAX_FOLDERS):
            if not waiting:
                break
            folder, depth = waiting.popleft()
            folders, has_manifest = _listing(folder)
            name = self._package_name(folder) if has_manifest else None
            if name is not None:
                packages.setdefault(name, []).append(folder)
            elif depth < MAX_DEPTH:
                waiting.extend((folder / each, depth + 1) for each in folders)
        self._scans[top] = packages
        return packages


def _workspaces(base: Path) -> list[Path]:
    """What is worth looking through: the enclosing git repository and the workspace's `src`."""
    upwards = [base, *base.parents]
    repositories = [folder for folder in upwards if disk.kind(folder / ".git") != "nothing"][:1]
    sources = [folder for folder in upwards if folder.name == "src"][-1:]
    return list(dict.fromkeys([*repositories, *sources]))


def _listing(folder: Path) -> tuple[list[str], bool]:
    """The names of the folders to look into, sorted, and whether there is a package.xml."""
    try:
        seen = disk.folders_in(folder)
    except OSError:
        return [], False
    folders = [name for name in seen if not name.startswith(".") and name not in _SKIPPED]
    return folders, is_file(folder / "package.xml")


def _name_in(manifest: Path) -> str | None:
    try:
        content = disk.read_bytes(manifest, 1 << 16)
    except OSError:
        return None
    match = _NAME.search(_COMMENT.sub(b"", content))
    return match.group(1).decode("utf-8", "replace") if match else None


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))
