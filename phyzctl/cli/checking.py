"""Check files one by one, each under its own configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from phyzctl.cli.choices import Choices
from phyzctl.cli.targets import Target, find_targets
from phyzctl.config import Config
from phyzctl.errors import PhyzctlError, UnreadableError
from phyzctl.formats import Reading, ReadOptions, read, read_bytes
from phyzctl.formats.xmltree import Document
from phyzctl.issues import Issue, Issues, LoadError, Severity
from phyzctl.lint.engine import lint
from phyzctl.robot.robot import Robot

Check = Callable[[Target, Config], tuple[Reading, list[Issue]]]

_LEAST = {severity.label: severity for severity in Severity}


@dataclass
class Checked:
    """What came out: Issues, which of them fail the run, texts, and why files weren't read."""

    issues: list[Issue] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    failing: set[Issue] = field(default_factory=set)
    unread: dict[str, str] = field(default_factory=dict)

    def add(self, issues: Iterable[Issue], config: Config) -> None:
        """Take Issues that were judged under `config`."""
        for issue in issues:
            self.issues.append(issue)
            if _fails(issue, config):
                self.failing.add(issue)

    def forget(self) -> None:
        """Drop all Issues, since they are written down elsewhere."""
        self.issues.clear()
        self.failing.clear()


def check_all(targets: Iterable[Target], choices: Choices, judge: Check | None = None) -> Checked:
    """Check every target, by `judge` when that is given, which may do more than `check`.

    One that can't be read is told of, and the others go on.
    """
    checked = Checked()
    judge = judge or check
    for target in targets:
        config = choices.config(target.path)
        try:
            reading, found = judge(target, config)
        except UnreadableError as error:
            checked.unread[target.path] = str(error)
            continue
        checked.add(found, config)
        checked.texts |= _texts(found, reading.documents)
    return checked


def check(target: Target, config: Config) -> tuple[Reading, list[Issue]]:
    """What one file holds, and all that is wrong with it."""
    issues = Issues()
    reading = read_target(target, issues, config)
    return reading, lint(reading, issues, config)


def read_target(target: Target, issues: Issues, config: Config) -> Reading:
    """What one file holds; faults go to `issues`."""
    options = ReadOptions(package_path=config.package_path)
    if target.data is not None:
        return read_bytes(target.data, target.path, issues, options)
    return read(target.path, issues, options)


def _fails(issue: Issue, config: Config) -> bool:
    least = _LEAST.get(config.fail_on)
    return least is not None and issue.severity >= least


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

    Raises `LoadError` with the Issues when nothing of a robot could be read.
    """
    targets = find_targets([argument], stdin_name)
    if len(targets) > 1:
        names = ", ".join(target.path for target in targets)
        raise PhyzctlError(f"{argument!r} means several robots, choose one of: {names}")
    issues = Issues()
    robot = read_target(targets[0], issues, choices.config(targets[0].path)).robot
    if robot is None:
        raise LoadError(issues)
    return targets[0].path, robot, issues
