"""The configuration of a run: the nearest file's, with what the command line says on top."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from phyzctl.config import TARGETS, Config, load_config, read_config, unknown_target
from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass


@dataclass(frozen=True)
class Rules:
    """Rules, and consumers to judge for, that the command line names; None for none."""

    select: Sequence[str] | None = None
    extend_select: Sequence[str] | None = None
    ignore: Sequence[str] | None = None
    target: Sequence[str] | None = None


@dataclass(frozen=True)
class Switches:
    """What the command line turns on."""

    deep: bool = False
    pedantic: bool = False
    no_meshes: bool = False
    strict_assets: bool = False


@dataclass
class Choices:
    """What the command line says; None where it says nothing."""

    file: str | None = None
    package_path: Sequence[str] | None = None
    fail_on: str | None = None
    rules: Rules = Rules()
    switches: Switches = Switches()
    xacro_arg: Sequence[str] | None = None
    _known: dict[str, Config] = field(default_factory=dict, init=False)

    def config(self, path: str) -> Config:
        """The Config for a file: `--config`'s or the nearest one's, then the command line's."""
        folder = os.path.dirname(os.path.abspath(path))
        if folder not in self._known:
            base = read_config(self.file) if self.file is not None else load_config(folder)
            _check_names(base)
            self._known[folder] = base
        return self._on_top_of(self._known[folder].at(path))

    def _on_top_of(self, base: Config) -> Config:
        """The command line is one more layer, but its switches only ever ask for more."""
        stated: dict[str, Any] = {
            "extend_select": _split(self.rules.extend_select),
            "ignore": _split(self.rules.ignore),
            "target": _targets(self.rules.target),
            "package_path": packages(self.package_path or ()),
            "xacro_args": arguments(self.xacro_arg or ()),
            "deep": self.switches.deep or base.deep,
            "pedantic": self.switches.pedantic or base.pedantic,
            "meshes": base.meshes and not self.switches.no_meshes,
            "strict_assets": self.switches.strict_assets or base.strict_assets,
        }
        if self.rules.select:
            stated["select"] = _split(self.rules.select)
        if self.fail_on is not None:
            stated["fail_on"] = self.fail_on
        return base.with_layer(stated)


def arguments(stated: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` options, or `NAME:=VALUE` as xacro has them, as a mapping."""
    found = {}
    for item in stated:
        name, equals, value = item.partition("=")
        if not equals or not name.removesuffix(":"):
            raise PhyzctlError(f"--xacro-arg wants NAME=VALUE, not {item!r}")
        found[name.removesuffix(":")] = value
    return found


def _check_names(config: Config) -> None:
    """Names of rules and tolerances that a file states wrongly are that file's fault: say so.

    Where no file states anything the rules, two hundred modules, need not be imported.
    """
    if config.file is None:
        return
    from phyzctl.formats import Reading
    from phyzctl.lint.engine import lint

    if config.base is not None:
        _check_names(config.base)
    try:
        for layer in ({}, *(override.settings for override in config.override)):
            lint(Reading(None), (), config.with_layer(layer))
    except PhyzctlError as error:
        raise PhyzctlError(f"{config.file}: {error}") from error


def packages(stated: Iterable[str]) -> dict[str, str]:
    """`NAME=DIR` options as a mapping; each folder must be there."""
    found = {}
    for item in stated:
        name, equals, folder = item.partition("=")
        if not equals or not name:
            raise PhyzctlError(f"--package-path wants NAME=DIR, not {item!r}")
        if not Path(folder).is_dir():
            raise PhyzctlError(f"--package-path {name}: there is no folder {folder!r}")
        found[name] = str(Path(folder).absolute())
    return found


def positions(stated: Iterable[str]) -> dict[str, list[float]]:
    """`NAME=VALUE` options, of one number or several, as a mapping."""
    found = {}
    for item in stated:
        name, equals, numbers = item.partition("=")
        try:
            found[name] = [float(each) for each in numbers.split(",")]
        except ValueError:
            equals = ""
        if not equals:
            raise PhyzctlError(f"--q wants NAME=VALUE, a number or several, not {item!r}")
    return found


def _targets(values: Iterable[str] | None) -> tuple[str, ...]:
    names = _split(values)
    for name in names:
        if name not in TARGETS:
            raise PhyzctlError(f"--target: {unknown_target(name)}")
    return names


def _split(values: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(
        item.strip() for value in values or () for item in value.split(",") if item.strip()
    )
