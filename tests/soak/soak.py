"""Soaking: runs cases for a time, logs what is found, and keeps minimal reproducers."""

from __future__ import annotations

import json
import platform
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import phyzctl
from tests.soak.cases import Case, Cases
from tests.soak.reduce import reduced
from tests.soak.worker import Ending, Worker, lay_out

_SLOW = 5.0  # seconds: no finding, but worth a line

Say = Callable[[str], None]


@dataclass
class Tally:
    """What a run came to."""

    seed: int
    seconds: float = 0.0
    cases: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    peak_bytes: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "cases": self.cases.total(),
            "verbs": dict(sorted(self.cases.items())),
            "exit_codes": dict(sorted(self.codes.items())),
            "slowest_seconds": round(self.slowest, 2),
            "peak_mib": self.peak_bytes >> 20,
            "findings": dict(self.findings.most_common()),
        }


class Soak:
    """One run; `folder` gets `log.jsonl` and a folder for each finding that is a new one."""

    def __init__(self, seed: int, folder: Path, worker: Worker, say: Say) -> None:
        self.tally = Tally(seed)
        self.folder = folder
        self.worker = worker
        self.say = say
        self.log = folder / "log.jsonl"
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, seconds: float, cases: Cases | None = None, *, most: int | None = None) -> Tally:
        """Run cases until the time is up, or `most` of them are done."""
        cases = cases or Cases(self.tally.seed)
        start = told = time.monotonic()
        versions = {"phyzctl": phyzctl.__version__, "python": platform.python_version()}
        self._log({"event": "start", "seed": self.tally.seed, "versions": versions})
        try:
            while time.monotonic() - start < seconds:
                if most is not None and self.tally.cases.total() >= most:
                    break
                self.one(cases.next())
                self.tally.seconds = time.monotonic() - start
                if time.monotonic() - told > 60:
                    told = time.monotonic()
                    self.say(f"{self.tally.seconds:6.0f} s: {_in_short(self.tally)}")
        finally:
            self.worker.stop()
            self._log({"event": "end", **self.tally.to_json()})
        return self.tally

    def one(self, case: Case) -> Ending:
        """Run one case, and look into it if it is a finding."""
        number = self.tally.cases.total()
        self.tally.cases[case.verb] += 1
        ending = self.worker.run(case)
        if ending.kind == "hang":  # on a busy machine computing takes longer, too
            ending = self.worker.run(case)
        self.tally.codes[str(ending.code)] += 1
        self.tally.slowest = max(self.tally.slowest, ending.seconds)
        self.tally.peak_bytes = max(self.tally.peak_bytes, ending.peak_bytes)
        if ending.seconds > _SLOW:
            record = {"event": "slow", "case": number, "seconds": round(ending.seconds, 2)}
            self._log({**record, "argv": case.argv, "origin": case.origin})
        if ending.kind:
            what = f"{ending.kind}: {ending.where}"
            self.tally.findings[what] += 1
            if self.tally.findings[what] == 1:
                self.say(f"case {number}, {case.verb}: {what}")
                self._keep(number, case, ending)
        return ending

    def _keep(self, number: int, case: Case, ending: Ending) -> None:
        """Write a finding down, with files as small as they get."""
        slow = ending.kind in {"hang", "memory"}
        still = self._same(case, ending)
        data = reduced(case.files[case.spoiled], still, tries=5 if slow else 400)
        smaller = case.with_content(data)
        name = f"finding-{len(self.tally.findings):03}"
        lay_out(smaller, self.folder / name)
        self._log(
            {
                "event": "finding",
                "seed": self.tally.seed,
                "case": number,
                "kind": ending.kind,
                "where": ending.where,
                "argv": case.argv,
                "file": f"{name}/{case.spoiled}",
                "bytes": len(data),
                "origin": case.origin,
                "seconds": round(ending.seconds, 2),
                "details": ending.details,
            }
        )

    def _same(self, case: Case, ending: Ending) -> Callable[[bytes], bool]:
        def check(data: bytes) -> bool:
            found = self.worker.run(case.with_content(data))
            same = found.where == ending.where or ending.kind in {"hang", "memory"}
            return found.kind == ending.kind and same

        return check

    def _log(self, record: dict[str, Any]) -> None:
        with self.log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def _in_short(tally: Tally) -> str:
    return (
        f"{tally.cases.total()} cases, {len(tally.findings)} findings, slowest "
        f"{tally.slowest:.1f} s, at most {tally.peak_bytes >> 20} MiB"
    )
