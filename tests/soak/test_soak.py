"""Soaking itself: what it runs is sound to begin with, and what it looks for it finds."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.soak import cases as all_cases
from tests.soak import seeds, worker
from tests.soak.cases import Case, Cases
from tests.soak.soak import Soak
from tests.soak.worker import Limits, Worker

PLANTED = Case("planted", ("planted",), {"f.txt": b"one\ntwo\nthree\n"}, "f.txt", "a test")
LIMITS = Limits(cpu_seconds=2.0, idle_seconds=1.0, peak_bytes=300 << 20)


def planted(argv: Sequence[str]) -> None:
    """Stands in for the command: does what the second line of its file says, if it is there."""
    text = Path("f.txt").read_text(encoding="utf-8")
    word = next((each for each in BEHAVIOUR if each in text), "")
    BEHAVIOUR.get(word, lambda: sys.exit(0))()


def _compute() -> None:
    while True:
        pass


def _crash() -> None:
    sys.stderr.write("Traceback (most recent call last):\n")
    sys.stderr.write('  File "/x/phyzctl/formats/a.py", line 3, in read\n    x\nKeyError: 1\n')
    sys.exit(3)


def _die() -> None:
    sys.modules["os"].abort()


def _fill() -> None:
    held = bytearray(400 << 20)
    held[::4096] = bytes(len(held[::4096]))
    sys.exit(0)


BEHAVIOUR: dict[str, Callable[[], object]] = {
    "crash": _crash,
    "compute": _compute,
    "wait": lambda: time.sleep(60),
    "die": _die,
    "fill": _fill,
    "silent": lambda: sys.exit(2),
    "strange": lambda: sys.exit(7),
}
EXPECTED = {
    "crash": ("crash", "KeyError phyzctl/formats/a.py:read"),
    "compute": ("hang", "somewhere"),
    "wait": ("hang", "somewhere"),
    "die": ("crash", "exit -6 somewhere"),
    "fill": ("memory", "planted: "),
    "silent": ("silence", "exit 2 without a word"),
    "strange": ("code", "planted: exit 7"),
}


@pytest.mark.parametrize("word", BEHAVIOUR)
def test_what_goes_wrong_is_found(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "run", planted)
    runner = Worker(tmp_path / "case", LIMITS)
    ending = runner.run(PLANTED.with_content(word.encode()))
    kind, where = EXPECTED[word]
    assert ending.kind == kind
    assert ending.where.startswith(where)
    assert runner.run(PLANTED).kind == ""  # and it goes on
    runner.stop()


def test_a_finding_is_logged_once_with_a_small_reproducer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "run", planted)
    said: list[str] = []
    soak = Soak(3, tmp_path / "out", Worker(tmp_path / "case", LIMITS), said.append)
    bad = PLANTED.with_content(b"one\ntwo\ncrash here\nthree\n" * 9)
    for case in (PLANTED, bad, bad):
        soak.one(case)
    soak.worker.stop()
    records = [
        json.loads(line)
        for line in (tmp_path / "out" / "log.jsonl").read_text().split("\n")
        if line
    ]
    assert [record["event"] for record in records] == ["finding"]
    assert (records[0]["seed"], records[0]["case"]) == (3, 1)
    assert (tmp_path / "out" / records[0]["file"]).read_bytes() == b"crash"
    assert soak.tally.findings == {"crash: KeyError phyzctl/formats/a.py:read": 2}
    assert len(said) == 1


def test_a_short_run_with_the_real_command(tmp_path: Path) -> None:
    soak = Soak(11, tmp_path / "out", Worker(tmp_path / "case"), lambda _: None)
    tally = soak.run(300.0, most=25)
    assert tally.findings == {}
    assert tally.cases.total() == 25
    records = [
        json.loads(line) for line in (tmp_path / "out" / "log.jsonl").read_text().splitlines()
    ]
    assert records[0]["event"] == "start"
    assert records[-1]["event"] == "end"
    assert records[-1]["cases"] == 25


def test_a_seed_makes_the_same_cases() -> None:
    one, two = Cases(5), Cases(5)
    assert [one.next() for _ in range(40)] == [two.next() for _ in range(40)]


def test_what_is_spoiled_is_sound_to_begin_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_cases, "spoiled", lambda data, _: data)
    monkeypatch.setattr(all_cases, "restructured", lambda data, _: data)
    monkeypatch.setattr(seeds, "files", lambda *_: ())  # our own files only
    seeds.meshes.cache_clear()
    cases, runner = Cases(0), Worker(tmp_path / "case")
    makers = (Cases.mesh, Cases.scene, Cases.motion, Cases.push, Cases.srdf)
    for make in (*makers * 6, Cases.config, Cases.config, Cases.baseline, Cases.json):
        ending = runner.run(make(cases))
        assert (ending.code in {0, 1}, ending.kind) == (True, "")
    runner.stop()
    seeds.meshes.cache_clear()


@pytest.mark.soak
def test_five_minutes_find_nothing(tmp_path: Path) -> None:
    soak = Soak(int(time.time()), tmp_path / "out", Worker(tmp_path / "case"), print)
    assert soak.run(300.0).findings == {}
