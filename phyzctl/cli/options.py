"""Options that verbs share, as typer takes them."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from phyzctl.cachedir import VARIABLE
from phyzctl.cli.streams import Color


class FailOn(StrEnum):
    """The least severity that makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


class Base(StrEnum):
    """How the root link stands in the world."""

    AUTO = "auto"
    FIXED = "fixed"
    FLOATING = "floating"


class ReportFormat(StrEnum):
    """How issues are reported."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    HTML = "html"


class PlainFormat(StrEnum):
    """For people or for programs."""

    TEXT = "text"
    JSON = "json"


_Strings = list[str] | None
_RULES = "RULE,…"

Files = Annotated[
    _Strings,
    typer.Argument(
        metavar="FILES...", help="Files, folders searched for robots, globs, - for stdin."
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help="A robot description, or - for stdin.")]
Report = Annotated[ReportFormat, typer.Option("--format", "-f", help="How stdout reports.")]
Plain = Annotated[PlainFormat, typer.Option("--format", "-f", help="For people or for programs.")]
Output = Annotated[
    _Strings, typer.Option(metavar="FORMAT=FILE", help="Write a report to a file too; repeatable.")
]
Select = Annotated[
    _Strings, typer.Option(metavar=_RULES, help="Only rules of these codes, prefixes or names.")
]
ExtendSelect = Annotated[
    _Strings, typer.Option(metavar=_RULES, help="Besides the default rules, these.")
]
Ignore = Annotated[_Strings, typer.Option(metavar=_RULES, help="Not these rules.")]
Target = Annotated[
    _Strings,
    typer.Option(
        metavar="NAME,…",
        help="Also what these programs reject, ignore or silently change: ros2, mujoco, gazebo, "
        "moveit, isaac, usd, drake, pinocchio, pybullet, kdl.",
    ),
]
FailFrom = Annotated[
    FailOn | None, typer.Option(help="Exit 1 from this severity on; error by default.")
]
Deep = Annotated[
    bool,
    typer.Option(
        "--deep", help="Also look at all faces of meshes, sample configurations and simulate."
    ),
]
Pedantic = Annotated[bool, typer.Option("--pedantic", help="Also rules that are off by default.")]
NoMeshes = Annotated[bool, typer.Option("--no-meshes", help="Open no mesh file.")]
StrictAssets = Annotated[
    bool, typer.Option("--strict-assets", help="Files that can't be found are errors.")
]
PackagePath = Annotated[
    _Strings, typer.Option(metavar="NAME=DIR", help="Where a package lies; repeatable.")
]
Key = Annotated[str | None, typer.Option(metavar="NAME", help="Start from this keyframe.")]
Positions = Annotated[
    _Strings, typer.Option("--q", metavar="NAME=VALUE", help="Where a joint is; repeatable.")
]
InWorld = Annotated[Base, typer.Option(help="How the root link stands in the world.")]
XacroArg = Annotated[
    _Strings, typer.Option(metavar="NAME=VALUE", help="An argument of a xacro; repeatable.")
]
ConfigFile = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="Use this instead of the nearest phyzctl.toml."),
]
StdinName = Annotated[
    str | None,
    typer.Option("--stdin-filename", metavar="NAME", help="What stdin is called and lies beside."),
]
KnownFile = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="Report no finding that is written there."),
]
WriteKnown = Annotated[
    str | None,
    typer.Option(
        "--write-baseline", metavar="FILE", help="Write down all findings, for --baseline."
    ),
]
Semantics = Annotated[
    str | None, typer.Option("--srdf", metavar="FILE", help="The SRDF of the one robot named.")
]
Fix = Annotated[bool, typer.Option("--fix", help="Make the fixes that change no meaning.")]
UnsafeFixes = Annotated[
    bool, typer.Option("--unsafe-fixes", help="With --fix or --diff: also the other fixes.")
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Print what fixes change, the report goes to stderr; without --fix none is made.",
    ),
]
FilesFrom = Annotated[
    str | None,
    typer.Option(
        "--files-from",
        metavar="FILE",
        help="Also the robots among the paths listed there, or in -.",
    ),
]
ChangedSince = Annotated[
    str | None,
    typer.Option(
        "--changed-since",
        metavar="REF",
        help="Only robots that changed since then, in git, or whose includes or meshes did.",
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0: one for each core.")
]


def _use_cache_dir(folder: str | None) -> str | None:
    """Whatever looks for the cache from here on, in any process, finds it there."""
    if folder is not None:
        os.environ[VARIABLE] = os.path.abspath(folder)
    return folder


CacheFolder = Annotated[
    str | None,
    typer.Option(
        "--cache-dir",
        metavar="DIR",
        callback=_use_cache_dir,
        help="Where results are kept between runs.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Keep no results, use no kept ones.")]
ShowSource = Annotated[
    bool | None,
    typer.Option(
        "--show-source/--no-source", help="Show the lines meant; on terminals by default."
    ),
]
When = Annotated[Color, typer.Option("--color", help="When to colour.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No summary, no notes.")]
