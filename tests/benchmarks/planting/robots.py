"""The clean robots that mistakes are planted in: the samples, and those of tier S."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from phyzctl.config import Config
from phyzctl.formats import read_bytes
from phyzctl.issues import Issue, Issues, Severity
from phyzctl.lint.engine import lint
from tests.benchmarks.planting.planter import Original
from tests.corpus import SAMPLES, corpus_dir, files_with_root

# Files of tier S with an error of their own, which docs/corpus_errors.md defends, and parts that
# are no robots.
LEFT_OUT = (
    "trifinger_stage",
    "trifingeredu_stage",
    "with_stage",
    "finger_macro",
    "eoa_wrist",
    "docking_station",
    "/stage.urdf",
    "panda/panda.xml",
    "world_body_transform.xml",
)
_FEW = 2  # joints; smaller files offer little to plant in
_FORMATS = {"robot": "urdf", "mujoco": "mjcf"}


def judge(data: bytes, path: str, config: Config | None = None) -> list[Issue]:
    """All Issues of a description."""
    issues = Issues()
    return lint(read_bytes(data, path, issues), issues, config or Config())


def originals() -> Iterator[Original]:
    """The robots, in a fixed order; skips the test where tier S is absent."""
    for folder in (SAMPLES, corpus_dir("s")):
        for tag, format_name in _FORMATS.items():
            for path in files_with_root(folder, tag):
                if _counts(path):
                    original = Original(str(path), path.read_bytes(), format_name)
                    if len(original.robot.joints) >= _FEW:
                        yield original


def errors(original: Original) -> list[str]:
    """What is called an error in a robot that is meant to be clean."""
    found = judge(original.data, original.path)
    return [str(issue) for issue in found if issue.severity is Severity.ERROR]


def _counts(path: Path) -> bool:
    name = path.as_posix()
    return "/broken/" not in name and not any(part in name for part in LEFT_OUT)
