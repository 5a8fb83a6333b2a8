"""From what a robot's file writes for a mesh or a texture to a file on disk.

Nothing here makes an Issue or opens an asset: a `Resolved` says what was found, where it was
looked for and what is odd about it. The network is never touched.
"""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from phyzctl.disk import is_file, is_folder, names_in
from phyzctl.formats.packages import PackageRoots, Packages
from phyzctl.records import dataclass

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://(.*)", re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class Oddity(enum.Enum):
    """What is strange about a path, as `Resolved.note` tells in words."""

    LETTER_CASE = "letter case"
    BACKSLASH = "backslash"
    LEAVES_PACKAGE = "leaves package"
    GUESSED = "guessed"
    NOT_LOCAL = "not local"


@dataclass(frozen=True)
class Resolved:
    """What became of a path.

    * `path`: the file, absolute; None when there is none.
    * `looked_in`: the files tried, or for an unknown package the places searched.
    * `package`, `root`: the package that was named, and its folder (None: not found).
    * `note`, `oddity`: what is odd, in a sentence without a full stop, and its kind.
    * `suggestion`: what to write instead where only letter case or backslashes are wrong.
    * `absolute`: whether the path was written as an absolute one, or as file://.
    """

    path: str | None
    looked_in: tuple[str, ...] = ()
    package: str | None = None
    note: str | None = None
    root: str | None = None
    oddity: Oddity | None = None
    suggestion: str | None = None
    absolute: bool = False

    @property
    def package_missing(self) -> bool:
        """True when a package was named that was not found."""
        return self.package is not None and self.root is None


class AssetResolver:
    """Resolves package://, model://, file://, relative and absolute paths of one file.

    See `phyzctl.formats.packages` for where packages are looked for. Answers are remembered;
    a resolver is for one reading of one file, and `at` makes one for another file that shares
    what was learned about packages.
    """

    def __init__(
        self,
        base_dir: str | Path,
        package_path: Mapping[str, str | Path] | None = None,
        search: Sequence[str | Path] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`base_dir` is the folder of the robot's file.

        `package_path` gives packages their folders, `search` lists folders that hold packages,
        `environment` stands in for `os.environ`.
        """
        self.base = Path(os.path.abspath(base_dir))
        self.packages = Packages(package_path, search, environment)
        self._roots: dict[str, PackageRoots] = {}
        self._answers: dict[str, Resolved] = {}

    def at(self, base_dir: str | Path) -> AssetResolver:
        """A resolver for files in `base_dir` that shares the knowledge about packages."""
        other = AssetResolver(base_dir, environment={})
        other.packages = self.packages
        return other

    def package(self, name: str) -> tuple[str | None, tuple[str, ...]]:
        """The most likely folder of a package, and where it was looked for."""
        for root in self._roots_of(name):
            return str(root), (str(root),)
        return None, self.packages.places(self.base)

    def resolve(self, uri: str) -> Resolved:
        """The file that `uri` means. Faults of the text are told in the result, never raised."""
        if uri not in self._answers:
            self._answers[uri] = self._resolve(uri)
        return self._answers[uri]

    def _resolve(self, uri: str) -> Resolved:
        uri = uri.strip()
        match = _SCHEME.fullmatch(uri)
        if match is None:
            return _at_path(self.base, uri)
        scheme, rest = match.group(1).lower(), match.group(2)
        if scheme in {"package", "model"}:
            return self._in_package(scheme, rest)
        if scheme == "file":
            return _at_path(self.base, _path_of_file_uri(rest), absolute=True)
        note = f"{scheme}:// is not read from disk, and nothing is fetched from a network"
        return Resolved(None, note=note, oddity=Oddity.NOT_LOCAL)

    def _in_package(self, scheme: str, rest: str) -> Resolved:
        name, _, inside = rest.replace("\\", "/").partition("/")
        missing: Resolved | None = None
        tried: list[str] = []
        for root in self._roots_of(name):
            found = _locate(root, inside.lstrip("/"), decode=True)
            tried += found.looked_in
            if found.path is not None:
                return self._found_in_package(found, scheme, rest, root)
            if missing is None or (found.suggestion and not missing.suggestion):
                missing = _named(found, scheme, name, root)
        if missing is not None:
            return replace(missing, looked_in=tuple(dict.fromkeys(tried)))
        return self._guess(name, inside)

    def _found_in_package(self, found: Resolved, scheme: str, rest: str, root: Path) -> Resolved:
        name = rest.replace("\\", "/").partition("/")[0]
        found = _named(found, scheme, name, root)
        if "\\" in rest:
            return _backslashed(found, f"{scheme}://{rest}".replace("\\", "/"))
        if ".." in rest and not Path(found.path or "").is_relative_to(root):
            note = f"the path leads out of package {name!r}"
            return replace(found, note=note, oddity=Oddity.LEAVES_PACKAGE)
        return found

    def _guess(self, name: str, inside: str) -> Resolved:
        """For a package that is nowhere: the path within it, below the folders above the file."""
        if inside and ".." not in inside.split("/"):
            for folder in (self.base, *self.base.parents):
                path = os.path.normpath(os.path.join(folder, inside))
                if is_file(path):
                    note = f"package {name!r} was not found; its file was, in {folder}"
                    return Resolved(path, (path,), name, note, oddity=Oddity.GUESSED)
        return Resolved(None, self.packages.places(self.base), name)

    def _roots_of(self, name: str) -> PackageRoots:
        if name not in self._roots:
            self._roots[name] = self.packages.roots(name, self.base)
        return self._roots[name]


@dataclass(frozen=True)
class AssetDirs:
    """Where an MJCF model's assets lie, by the attributes of its `<compiler>`.

    `base_dir` is the folder of the main file, even for what an included file states.
    `assetdir` stands in for `meshdir` and `texturedir` where these are not written.
    """

    base_dir: str
    meshdir: str | None = None
    texturedir: str | None = None
    assetdir: str | None = None
    strippath: bool = False

    def mesh(self, file: str) -> Resolved:
        """The file of a mesh or of a height field."""
        return self._resolve(self.meshdir, file)

    def texture(self, file: str) -> Resolved:
        """The file of a texture."""
        return self._resolve(self.texturedir, file)

    def _resolve(self, folder: str | None, file: str) -> Resolved:
        if self.strippath:
            file = re.split(r"[\\/]", file)[-1]
        if folder is None:
            folder = self.assetdir or ""
        base = os.path.abspath(self.base_dir)
        return _at_path(Path(base, folder.replace("\\", "/")), file)


def _at_path(base: Path, text: str, *, absolute: bool = False) -> Resolved:
    """A relative or absolute path, from the folder `base`."""
    if _DRIVE.match(text) and os.name != "nt":
        return Resolved(None, (text,), absolute=True)
    found = _locate(base, text)
    if found.path is None and "\\" in text:
        found = _locate(base, text.replace("\\", "/"))
        if found.path is not None:
            found = _backslashed(found, text.replace("\\", "/"))
    return replace(found, absolute=absolute or Path(text).is_absolute())


def _path_of_file_uri(rest: str) -> str:
    """The path in `file://rest`: percent signs decoded, a host of this machine left out."""
    path = unquote(rest).removeprefix("localhost")
    return path[1:] if _DRIVE.match(path[1:]) else path


def _locate(root: Path, inside: str, *, decode: bool = False) -> Resolved:
    """The file at `inside` below `root`; with `decode`, %20 and the like are tried as well."""
    spellings = dict.fromkeys([inside, unquote(inside)] if decode else [inside])
    looked_in = {os.path.normpath(os.path.join(root, spelling)): spelling for spelling in spellings}
    for path in looked_in:
        if is_file(path):
            return Resolved(path, (path,))
    path, spelling = list(looked_in.items())[-1]
    actual = _ignoring_case(path)
    if actual is None:
        return Resolved(None, tuple(looked_in))
    return Resolved(
        None,
        tuple(looked_in),
        note=f"only the case of letters differs from {actual}",
        oddity=Oddity.LETTER_CASE,
        suggestion=_with_case_of(root, spelling, actual),
    )


def _ignoring_case(path: str) -> str | None:
    """A file whose path differs from `path` only in the case of letters."""
    folder, name = os.path.split(path)
    if not name:
        return None
    if not is_folder(Path(folder)):
        actual = _ignoring_case(folder) if folder != path else None
        if actual is None or not is_folder(Path(actual)):
            return None
        folder = actual
    try:
        names = names_in(folder)
    except OSError:
        return None
    wanted = name.casefold()
    found = (str(Path(folder, each)) for each in names if each.casefold() == wanted)
    # A pipe, a device, a folder or a link into nothing has the very name, but is no file.
    return next((each for each in found if each != path), None)


def _with_case_of(root: Path, written: str, actual: str) -> str | None:
    """`written` with its last names as in the path `actual`, if that leads from `root` there."""
    names, actual_names = written.split("/"), Path(actual).parts
    for back in range(1, min(len(names), len(actual_names)) + 1):
        if names[-back] in {"", ".", ".."}:
            break
        names[-back] = actual_names[-back]
    corrected = "/".join(names)
    return corrected if os.path.normpath(root / corrected) == actual else None


def _backslashed(found: Resolved, suggestion: str) -> Resolved:
    note = "the path is written with backslashes, which not every reader understands"
    return replace(found, note=note, oddity=Oddity.BACKSLASH, suggestion=suggestion)


def _named(found: Resolved, scheme: str, name: str, root: Path) -> Resolved:
    suggestion = f"{scheme}://{name}/{found.suggestion}" if found.suggestion else None
    return replace(found, package=name, root=str(root), suggestion=suggestion)
