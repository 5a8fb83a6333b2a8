"""What judging files came to, kept between runs and taken again while nothing has changed.

An entry belongs to a path, a configuration and a program: it lists everything that was asked of
the disk when the file was judged, with the answers (see `phyzctl.disk`), and holds as long as
they are the same. Contents count, not times, so that a cache may move from machine to machine.
Whatever is wrong with the cache, the file is judged as if there were none.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
from dataclasses import field, fields
from pathlib import Path
from typing import Any

import phyzctl
from phyzctl.cachedir import cache_dir
from phyzctl.cli import verdicts
from phyzctl.cli.judging import Judge, Judged
from phyzctl.cli.targets import Target
from phyzctl.config import Config
from phyzctl.disk import Question, Witness, answer, watched
from phyzctl.records import dataclass

PROGRAMS = 4  # whose entries are kept, such as several versions: the last that added any
_EXTRAS = ("collada", "trimesh", "xacro")


@dataclass
class Cache:
    """Judges by `judge`, and remembers in `folder`, which belongs to this very program."""

    judge: Judge
    folder: Path
    _answers: dict[Question, str] = field(default_factory=dict, init=False)

    def __call__(self, target: Target, config: Config) -> Judged:
        """What judging the file comes to, from the cache if that knows; stdin is not kept."""
        if target.data is not None or target.urdf is not None:
            return self.judge(target, config)
        entry = self.folder / f"{_key(target, config)}.json"
        known = self._known(entry)
        if known is not None:
            return known
        with watched() as witness:
            judged = self.judge(target, config)
        if not witness.blind:
            _keep(entry, witness, judged)
        return judged

    def _known(self, entry: Path) -> Judged | None:
        """What an entry says, None when there is none, it doesn't hold any more, or is damaged."""
        try:
            digest, asked, judged = entry.read_text("ascii").split("\n")
            if digest != _digest(f"{asked}\n{judged}"):
                return None
            if all(
                self._answer(Question(*question)) == told for question, told in json.loads(asked)
            ):
                return verdicts.from_json(judged)
        except (OSError, ValueError, TypeError, LookupError):
            pass
        return None

    def _answer(self, question: Question) -> str:
        """Robots share meshes and packages: what was asked once in a run is not asked again."""
        if question not in self._answers:
            self._answers[question] = answer(question)
        return self._answers[question]


def cached(judge: Judge) -> Judge:
    """The judge with a memory."""
    return Cache(judge, cache_dir() / "checks" / program())


def program() -> str:
    """A digest of all that decides, besides its input, what this program says."""
    parts = [phyzctl.__version__, sys.version, sys.platform, *_sources()]
    parts += [name for name in _EXTRAS if importlib.util.find_spec(name)]
    return _digest("\n".join(parts))


def _sources() -> list[str]:
    """The package's files: what its installer wrote of their contents, else sizes and times."""
    package = Path(phyzctl.__file__).parent
    record = package.parent / f"phyzctl-{phyzctl.__version__}.dist-info" / "RECORD"
    try:
        lines = record.read_text("utf-8").splitlines()
        return [line for line in lines if line.startswith("phyzctl/") and "sha256=" in line]
    except (OSError, UnicodeDecodeError):
        return [
            f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}"
            for path in sorted(package.rglob("*"))
            if path.suffix in {".py", ".so", ".pyd", ".json"}
        ]


def _key(target: Target, config: Config) -> str:
    """What an entry is called: texts of messages hold the path as it was given."""
    settings: dict[str, Any] = config.document()
    # Every field of a target decides what it means.
    stated = [getattr(target, each.name) for each in fields(target) if each.name != "data"]
    return _digest(json.dumps([stated, os.path.abspath(target.path), settings]))


def _keep(entry: Path, witness: Witness, judged: Judged) -> None:
    """Write an entry in one step, so that nobody reads half of it; or don't, if that fails."""
    asked = json.dumps(list(witness.answers.items()))
    body = f"{asked}\n{verdicts.to_json(judged)}"
    with contextlib.suppress(OSError):
        if not entry.parent.is_dir():
            entry.parent.mkdir(parents=True)
            _forget_others(entry.parent)
        part = entry.with_suffix(f".{os.getpid()}.part")
        try:
            part.write_text(f"{_digest(body)}\n{body}", "ascii")
            os.replace(part, entry)
        except OSError:
            part.unlink(missing_ok=True)


def _forget_others(folder: Path) -> None:
    """Remove what those programs kept that haven't added anything for longest."""
    import shutil  # here, since this happens once for each program

    others = sorted(folder.parent.iterdir(), key=lambda other: -other.stat().st_mtime)
    for other in [other for other in others if other != folder][PROGRAMS - 1 :]:
        shutil.rmtree(other, ignore_errors=True)


def _digest(text: str) -> str:
    import hashlib  # here, since it loads a library of cryptography, and not all runs need it

    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
