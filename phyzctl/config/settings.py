"""Config: what to check and how to judge it; and how one layer of settings lies on another."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from phyzctl.errors import did_you_mean
from phyzctl.gitignore import Pattern, parse, speak_of
from phyzctl.issues import Severity
from phyzctl.records import dataclass

FAIL_ON = ("error", "warning", "info", "never")
# The programs whose peculiarities can be judged; the command line lists them in this order.
TARGETS = (
    "ros2",
    "mujoco",
    "gazebo",
    "moveit",
    "isaac",
    "usd",
    "drake",
    "pinocchio",
    "pybullet",
    "kdl",
)

_TABLES = ("severity", "tolerances", "package_path", "xacro_args")
_LISTS = ("extend_select", "target", "override")


@dataclass(frozen=True)
class ForFiles:
    """What is said of some files only.

    `files` are globs as in a `.gitignore`, absolute; a folder means all that is in it.
    """

    files: tuple[str, ...]

    def applies_to(self, path: str | os.PathLike[str]) -> bool:
        """True when the globs mean that file."""
        return speak_of(Path(os.path.abspath(path)), self._patterns)

    @cached_property
    def _patterns(self) -> list[Pattern]:
        return list(parse("\n".join(self.files), "/"))


@dataclass(frozen=True)
class Override(ForFiles):
    """Settings for some files only: values by the names of Config's fields."""

    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Variant(ForFiles):
    """Xacros that are judged with every combination of arguments; `args` are values by name."""

    args: Mapping[str, tuple[str, ...]]

    def combinations(self) -> Iterator[dict[str, str]]:
        """The arguments of each run."""
        for values in itertools.product(*self.args.values()):
            yield dict(zip(self.args, values, strict=True))

    def fixing(self, names: Iterable[str]) -> Variant:
        """The same without the arguments that are settled elsewhere."""
        kept = {name: values for name, values in self.args.items() if name not in set(names)}
        return replace(self, args=kept)


@dataclass(frozen=True)
class Config:
    """What to check and how to judge it.

    `select`, `extend_select`, `ignore` and the keys of `severity` name rules by code, prefix or
    name; an empty `select` means every rule that is on by default. `target` names consumers, of
    `TARGETS`. `package_path` maps package names to folders, `xacro_args` are the arguments of
    xacros by name; a `variant` judges some with several. `file` is where it was read from,
    None when it is nobody's but the default; `base` is what that file extends.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    fail_on: str = "error"
    severity: Mapping[str, Severity] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    package_path: Mapping[str, str] = field(default_factory=dict)
    xacro_args: Mapping[str, str] = field(default_factory=dict)
    deep: bool = False
    pedantic: bool = False
    meshes: bool = True
    strict_assets: bool = False
    override: tuple[Override, ...] = ()
    variant: tuple[Variant, ...] = ()
    file: str | None = field(default=None, compare=False)
    base: Config | None = field(default=None, compare=False)

    def with_layer(self, stated: Mapping[str, Any]) -> Config:
        """This, with what a layer on top of it states, by the names of the fields.

        What it ignores, selects besides or targets is added, tables are merged, all else
        replaces. What it selects is not ignored any more for having been ignored below, and
        arguments of xacros that it states don't vary any more.
        """
        wanted = {*stated.get("select", ()), *stated.get("extend_select", ())}
        values = dict(stated)
        kept = (each for each in self.ignore if each not in wanted)
        values["ignore"] = (*kept, *stated.get("ignore", ()))
        for name in _LISTS:
            values[name] = (*getattr(self, name), *stated.get(name, ()))
        settled = stated.get("xacro_args", {})
        below = (variant.fixing(settled) for variant in self.variant)
        values["variant"] = (*below, *stated.get("variant", ()))
        for name in _TABLES:
            values[name] = {**getattr(self, name), **stated.get(name, {})}
        return replace(self, **values)

    def at(self, path: str | os.PathLike[str]) -> Config:
        """What holds for one file: this, with those overrides on top that mean the file."""
        variants = tuple(each for each in self.variant if each.applies_to(path))
        config = replace(self, override=(), variant=variants)
        for override in self.override:
            if override.applies_to(path):
                config = config.with_layer(override.settings)
        return config

    def document(self) -> dict[str, Any]:
        """The keys and values as a configuration file states them, all of them."""
        return {spelt(name): _plain(getattr(self, name)) for name in SETTINGS}


SETTINGS = tuple(each.name for each in fields(Config) if each.compare)


def unknown_target(name: str) -> str:
    """What to say of a target that is none."""
    hint = did_you_mean(name, TARGETS) or f"; the targets are {', '.join(TARGETS)}"
    return f"no target is called {name!r}{hint}"


def spelt(name: str) -> str:
    """A field's name as configuration files have it."""
    return name.replace("_", "-")


def _plain(value: Any) -> Any:
    if isinstance(value, Severity):
        return value.label
    if isinstance(value, Override):
        stated = {spelt(name): _plain(each) for name, each in value.settings.items()}
        return {"files": list(value.files), **stated}
    if isinstance(value, Variant):
        return {"files": list(value.files), "args": _plain(value.args)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
