"""Where the real robots are that tests read, and which of their files is a robot.

`robot_files` and `corpus_dir` are called inside a test and skip it where a tier was not
fetched; `robot_params` gives `pytest.mark.parametrize` one case a file.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "sample_robots"
SHARED_CORPUS = ROOT.parent / "shared" / "corpus"

_SUFFIXES = {".urdf", ".xml", ".mjcf"}
_PROLOGUE = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!.*?>", re.DOTALL)
_TAG = re.compile(rb"<([A-Za-z_][\w.:-]*)")


def root_tag(path: Path) -> str | None:
    """The tag of an XML file's root, looked for in its first 64 KiB; None when there is none."""
    with path.open("rb") as stream:
        head = stream.read(1 << 16)
    match = _TAG.search(_PROLOGUE.sub(b"", head))
    return match.group(1).decode() if match else None


@functools.cache
def files_with_root(folder: Path, tag: str) -> tuple[Path, ...]:
    """Every XML file below `folder` whose root is `<tag>`, sorted."""
    files = (path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
    return tuple(sorted(path for path in files if path.is_file() and root_tag(path) == tag))


def corpus_dir(tier: str) -> Path:
    """The folder of tier `s`, `m`, `l` or `shared`; skips the test where it is absent."""
    folder = _folder(tier)
    if not folder.is_dir():
        pytest.skip(_absence(tier))
    return folder


def robot_files(tier: str, tag: str) -> tuple[Path, ...]:
    """A tier's files with the root `robot` or `mujoco`; skips the test where it is absent."""
    return files_with_root(corpus_dir(tier), tag)


def robot_params(tier: str, tag: str) -> list[ParameterSet]:
    """One parameter a file, named by its path; a single skipped one where the tier is absent."""
    folder = _folder(tier)
    if not folder.is_dir():
        return [pytest.param(None, id=tier, marks=pytest.mark.skip(reason=_absence(tier)))]
    files = files_with_root(folder, tag)
    return [pytest.param(path, id=path.relative_to(folder).as_posix()) for path in files]


def _folder(tier: str) -> Path:
    return SHARED_CORPUS if tier == "shared" else ROOT / ".corpus" / tier


def _absence(tier: str) -> str:
    if tier == "shared":
        return f"the shared corpus is absent: no folder {SHARED_CORPUS}"
    return f"corpus tier {tier} is absent: run tests/fetch_corpus.sh {tier}"
