"""Work in several processes: the same results in the same order, errors, interrupts."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import InvalidStateError
from pathlib import Path

import pytest

from phyzctl.cli import parallel
from phyzctl.cli.parallel import in_order
from phyzctl.errors import NotFoundError, PhyzctlError
from tests.cli.conftest import BAD, GOOD, Cli


def squared(number: int) -> int:
    time.sleep(0.02 if number == 0 else 0.0)  # the first one is the last to be done
    return number * number


def process(number: int) -> int:
    return os.getpid()


def failing(number: int) -> int:
    if number == 2:
        raise NotFoundError("there is no two")
    return number


def dying(number: int) -> int:
    if number == 1:
        os._exit(9)
    return number


@pytest.mark.parametrize("jobs", [0, 1, 2, 3])
def test_results_come_in_order(jobs: int) -> None:
    assert list(in_order(squared, range(8), jobs)) == [each * each for each in range(8)]


@pytest.mark.parametrize("jobs", [0, 2])
def test_nothing_to_do(jobs: int) -> None:
    assert list(in_order(squared, [], jobs)) == []


def test_one_job_or_one_piece_of_work_needs_no_process() -> None:
    assert set(in_order(process, range(3), 1)) == {os.getpid()}
    assert list(in_order(process, [0], 4)) == [os.getpid()]
    assert os.getpid() not in set(in_order(process, range(3), 2))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_when_its_turn_comes(jobs: int) -> None:
    results = in_order(failing, range(20), jobs)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(PhyzctlError, match="there is no two"):
        next(results)
    assert multiprocessing.active_children() == []


def test_a_process_that_dies_is_an_error_and_no_wait() -> None:
    with pytest.raises(RuntimeError):
        list(in_order(dying, range(4), 2))
    assert multiprocessing.active_children() == []


def test_who_leaves_early_leaves_nothing_behind() -> None:
    results = in_order(squared, range(50), 2)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


# validate --jobs


@pytest.fixture
def many(workspace: Path) -> Path:
    """Ten robots, some bad, one of them only a little."""
    for index in range(10):
        text = BAD if index % 3 == 0 else GOOD
        (workspace / f"r{index}.urdf").write_text(text.replace("elbow", f"elbow{index}"))
    return workspace


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
def test_reports_are_the_same_to_the_byte(cli: Cli, many: Path, form: str) -> None:
    alone = cli("validate", ".", "--no-cache", "--format", form)
    assert alone.code == 1
    for jobs in ("2", "3", "0"):
        assert cli("validate", ".", "--no-cache", "--format", form, "--jobs", jobs) == alone


def test_baselines_are_the_same(cli: Cli, many: Path) -> None:
    cli("validate", ".", "--write-baseline", "one.json")
    cli("validate", ".", "--write-baseline", "two.json", "-j2")
    assert (many / "one.json").read_text() == (many / "two.json").read_text()
    assert cli("validate", ".", "--baseline", "one.json", "-j2").code == 0


def test_what_can_not_be_read_is_told_in_the_same_way(cli: Cli, many: Path) -> None:
    (many / "r4.urdf").unlink()
    (many / "r4.urdf").symlink_to("/proc/self/mem")
    if not Path("/proc/self/mem").exists():
        pytest.skip("needs a file whose reading fails, even for root")
    names = [f"r{index}.urdf" for index in range(10)]
    alone = cli("validate", *names, "--no-cache")
    assert alone.code == 3
    assert cli("validate", *names, "--no-cache", "-j2") == alone


def test_fixes_are_made_one_after_the_other(cli: Cli, many: Path) -> None:
    rough = BAD.replace('lower="1" upper="-1"', 'lower="-1" upper="1"').replace("0 0 1", "0 0 2")
    for index in (1, 2):
        (many / f"r{index}.urdf").write_text(rough)
    assert cli("validate", ".", "--fix", "-j2").err.startswith("fixed 2 issues in 2 files")


def test_fewer_than_none_is_misuse(cli: Cli, many: Path) -> None:
    assert cli("validate", ".", "--jobs", "-1").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.usefixtures("control_c")
def test_control_c_ends_all_processes(workspace: Path) -> None:
    for index in range(4):  # fifos that nobody writes to: reading them never ends
        os.mkfifo(workspace / f"r{index}.urdf")
    names = [f"r{index}.urdf" for index in range(4)]
    command = [sys.executable, "-P", "-m", "phyzctl", "validate", "--no-cache", "-j2", *names]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_only_what_cancelling_leaves_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda seen: told.append(seen.exc_type))
    for error in (InvalidStateError("late"), ValueError("wrong")):
        with parallel._cancelled_in_silence():
            thread = threading.Thread(target=raising, args=(error,))
            thread.start()
            thread.join()
    assert told == [ValueError]


def raising(error: Exception) -> None:
    raise error
