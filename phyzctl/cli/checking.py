"""Read and check one file under its configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from phyzctl.cli.choices import Choices
from phyzctl.cli.judging import Judged
from phyzctl.cli.targets import Target, find_targets
from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.formats import Reading, ReadOptions, read, read_bytes
from phyzctl.formats.xmltree import Document
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.robot.robot import Robot

Check = Callable[[Target, Config], tuple[Reading, list[Issue]]]


def check(target: Target, config: Config) -> tuple[Reading, list[Issue]]:
    """What one file holds, and all that is wrong with it."""
    from phyzctl.lint.engine import lint  # not needed to read a robot only

    issues = Issues()
    reading = read_target(target, issues, config)
    return reading, lint(reading, issues, config)


def read_target(target: Target, issues: Issues, config: Config) -> Reading:
    """What one file holds; faults go to `issues`."""
    options = ReadOptions(config.package_path, config.xacro_args, target.urdf)
    if target.data is not None:
        return read_bytes(target.data, target.path, issues, options)
    return read(target.path, issues, options)


def judge(target: Target, config: Config) -> Judged:
    """What judging one file comes to."""
    return judged(*check(target, config))


def judged(reading: Reading, issues: Sequence[Issue]) -> Judged:
    """What was found in a file that was read."""
    texts = _texts(issues, reading.documents)
    return Judged(issues, tuple(reading.documents), texts, reading.robot is not None)


def _texts(issues: Iterable[Issue], documents: Mapping[str, Document]) -> dict[str, str]:
    """The texts of the documents in which something was found."""
    paths = {issue.source.path for issue in issues if issue.source}
    return {path: text_of(documents[path]) for path in paths & documents.keys()}


def text_of(document: Document) -> str:
    """The text of a document, whose lines are those that Sources count."""
    return document.data.decode(document.encoding, "replace").removeprefix("\ufeff")


def load_robot(
    argument: str, choices: Choices, stdin_name: str | None = None
) -> tuple[str, Robot, Issues]:
    """The one robot that an argument means: its path, itself, and all that reading it found.

    Raises `LoadError` with the Issues when nothing of a robot could be read, not even one link.
    """
    targets = find_targets([argument], stdin_name)
    if len(targets) > 1:
        names = ", ".join(target.path for target in targets)
        raise PhyzctlError(f"{argument!r} means several robots, choose one of: {names}")
    issues = Issues()
    robot = read_target(targets[0], issues, choices.config(targets[0].path)).robot
    if robot is None or not robot.links:
        raise LoadError(issues)
    return targets[0].path, robot, issues
