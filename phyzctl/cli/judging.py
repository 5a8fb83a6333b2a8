"""Judging files, each under its own configuration, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial

from phyzctl.cli.choices import Choices
from phyzctl.cli.parallel import in_order
from phyzctl.cli.targets import Target
from phyzctl.config import Config
from phyzctl.errors import UnreadableError
from phyzctl.issues import Issue, Severity
from phyzctl.records import dataclass

_LEAST = {severity.label: severity for severity in Severity}


@dataclass(frozen=True)
class Judged:
    """What judging one file came to: all that is wrong, and what a report needs besides.

    `documents` are the files it was read from, `texts` the contents of those in which something
    was found. `is_robot` is False when nothing of a robot could be read.
    """

    issues: Sequence[Issue]
    documents: Sequence[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    is_robot: bool = True


Judge = Callable[[Target, Config], Judged]
Sift = Callable[[Target, Config, Judged], Sequence[Issue]]


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


def check_all(
    targets: Iterable[Target],
    choices: Choices,
    judge: Judge,
    *,
    sift: Sift | None = None,
    jobs: int = 1,
) -> Checked:
    """Judge every target, in `jobs` processes; what comes out doesn't depend on their number.

    `sift` chooses the Issues that are taken. A target that can't be read is told of, and the
    others go on.
    """
    checked = Checked()
    work = [(target, choices.config(target.path)) for target in targets]
    for (target, config), found in zip(work, judge_each(work, judge, jobs), strict=True):
        if isinstance(found, UnreadableError):
            checked.unread[target.path] = str(found)
        else:
            checked.add(sift(target, config, found) if sift else found.issues, config)
            checked.texts |= found.texts
    return checked


def judge_each(
    work: Sequence[tuple[Target, Config]], judge: Judge, jobs: int
) -> Iterator[Judged | UnreadableError]:
    """What became of each file, in order."""
    return in_order(partial(_outcome, judge), work, jobs)


def _outcome(judge: Judge, work: tuple[Target, Config]) -> Judged | UnreadableError:
    try:
        return judge(*work)
    except UnreadableError as error:
        return error


def _fails(issue: Issue, config: Config) -> bool:
    least = _LEAST.get(config.fail_on)
    return least is not None and issue.severity >= least
