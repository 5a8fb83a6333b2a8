"""MoveIt's config packages: which robot and which SRDF such a package is about.

The file `.setup_assistant` in the package says so, in YAML of which two levels of `name: value`
matter here. MoveIt 1 writes its names in capitals, MoveIt 2 in small letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.formats.assets import AssetResolver
from phyzctl.formats.packages import Packages
from phyzctl.records import dataclass

SETTINGS = ".setup_assistant"
_DEFAULT_NOW = "--inorder"  # an option that xacro no longer needs


@dataclass(frozen=True)
class ConfigPackage:
    """The paths of a robot and its SRDF, and arguments of its xacro, each `NAME:=VALUE`."""

    urdf: str | None = None
    srdf: str | None = None
    xacro_args: tuple[str, ...] = ()


def config_package(named: str | None, package_path: Mapping[str, str]) -> ConfigPackage:
    """What a package is about, given by its folder or its name; nothing where none is named.

    `package_path` maps names of packages to folders, and goes before where they are looked for.
    Raises PhyzctlError when the package, its settings or the robot that they name can't be had.
    """
    if named is None:
        return ConfigPackage()
    folder = _folder(named, package_path)
    path = folder / SETTINGS
    settings = dict(_entries(_text(path)))
    urdf, srdf = (_required(settings, part, "relative_path", path) for part in ("urdf", "srdf"))
    package = settings.get(("urdf", "package"), "")
    words = settings.get(("urdf", "xacro_args"), "").split()
    return ConfigPackage(
        _in_package(package, urdf, folder, package_path) if package else str(folder / urdf),
        str(folder / srdf),
        tuple(word for word in words if word != _DEFAULT_NOW),
    )


def _folder(named: str, package_path: Mapping[str, str]) -> Path:
    if Path(named).is_dir():
        return Path(named)
    for folder in Packages(package_path).roots(named, Path.cwd()):
        return folder
    raise NotFoundError(f"--config-pkg: there is no folder or package {named!r}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise NotFoundError(
            f"--config-pkg: {str(path.parent)!r} is no MoveIt config package: it has no {SETTINGS}"
        ) from None
    except OSError as error:
        raise UnreadableError(f"can't read {str(path)!r}: {error.strerror or error}") from error


def _required(settings: Mapping[tuple[str, str], str], part: str, name: str, path: Path) -> str:
    found = settings.get((part, name), "")
    if not found:
        raise PhyzctlError(f"{path}: says no {name} of the {part.upper()}")
    return found


def _in_package(package: str, inside: str, folder: Path, package_path: Mapping[str, str]) -> str:
    found = AssetResolver(folder, package_path).resolve(f"package://{package}/{inside}")
    if found.path is None:
        hint = "; say where with --package-path" if found.package_missing else ""
        what = f"package {package!r}" if found.package_missing else f"{inside!r} in {package!r}"
        raise NotFoundError(f"{folder / SETTINGS}: there is no {what}{hint}")
    return found.path


def _entries(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Each `name: value` with the name of what it stands below, both in small letters."""
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or name.lstrip().startswith("#"):
            continue
        depth = len(name) - len(name.lstrip())
        above = [each for each in above if each[0] < depth]
        if above:
            yield (above[-1][1], name.strip().lower()), _scalar(value)
        above.append((depth, name.strip().lower()))


def _scalar(written: str) -> str:
    """A value without quotes, or without the comment behind it."""
    value = written.strip()
    if value[:1] in ("'", '"'):
        return value[1:].partition(value[0])[0]
    return "" if value.startswith("#") else value.partition(" #")[0].strip()
