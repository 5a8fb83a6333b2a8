"""Xacros judged with every combination of arguments that the configuration lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from phyzctl.cli.judging import Judge, Judged
from phyzctl.cli.targets import Target
from phyzctl.config import Config
from phyzctl.issues import Issue
from phyzctl.records import dataclass

_SHOWN = 2

Args = Mapping[str, str]


@dataclass(frozen=True)
class WithVariants:
    """Judges a file once for each combination that its configuration lists; else once."""

    judge: Judge

    def __call__(self, target: Target, config: Config) -> Judged:
        """All that is wrong in any combination; what is not wrong in all of them says so."""
        named = dict(_combinations(config))
        if not named:
            return self.judge(target, config)
        found = {name: self.judge(target, each) for name, each in named.items()}
        return merged(found)


def runs(config: Config) -> list[Config]:
    """The configuration of each run: one for each combination, or just the one."""
    return [each for _, each in _combinations(config)] or [config]


def _combinations(config: Config) -> Iterator[tuple[str, Config]]:
    """What each combination is called, and the configuration with its arguments alone."""
    for variant in config.variant:
        for args in variant.combinations():
            stated = {**config.xacro_args, **args}
            yield _called(args), replace(config, xacro_args=stated, variant=())


def merged(found: Mapping[str, Judged]) -> Judged:
    """The results of all runs as one."""
    names: dict[Issue, list[str]] = {}
    for name, judged in found.items():
        for issue in dict.fromkeys(judged.issues):
            names.setdefault(issue, []).append(name)
    issues = [_told(issue, where, len(found)) for issue, where in names.items()]
    texts: dict[str, str] = {}
    for judged in found.values():
        texts |= judged.texts
    documents = dict.fromkeys(path for judged in found.values() for path in judged.documents)
    is_robot = all(judged.is_robot for judged in found.values())
    return Judged(sorted(issues, key=Issue.sort_key), tuple(documents), texts, is_robot)


def _told(issue: Issue, where: Sequence[str], count: int) -> Issue:
    """The Issue with the combinations in which it comes up, when these are not all."""
    if len(where) == count:
        return issue
    more = f" and {len(where) - _SHOWN} more" if len(where) > _SHOWN else ""
    return replace(issue, message=f"{issue.message} (with {', '.join(where[:_SHOWN])}{more})")


def _called(args: Args) -> str:
    return " ".join(f"{name}={value}" for name, value in args.items()) or "its defaults"
