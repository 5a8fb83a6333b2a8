"""Runs cases in a process of its own, which is watched: crashes, hangs and memory are findings.

The command itself is called, in that process, so that a case takes milliseconds.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import io
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from phyzctl.cli.app import run
from phyzctl.cli.verbs import VERBS
from phyzctl.lint.rules import all_rules
from tests.soak.cases import Case

CPU_SECONDS = 10.0  # of a case
IDLE_SECONDS = 10.0  # of a case, in which it waits for something that doesn't come
PEAK_BYTES = 1 << 30
_ADDRESS_SPACE = 6 << 30  # so that a case that takes too much is stopped before the machine is
_RECYCLED = 300  # cases of one process
_FRAME = re.compile(r'File "[^"]*?((?:phyzctl|tests)/[^"]+)", line (\d+)(?:,)? in (\S+)')
_WORDS = re.compile(r"'[^']*'|[\d.]+")  # what differs from one file to the next
_RAISED = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)


@dataclass(frozen=True)
class Limits:
    """From where on a case is a finding."""

    cpu_seconds: float = CPU_SECONDS
    idle_seconds: float = IDLE_SECONDS
    peak_bytes: int = PEAK_BYTES


@dataclass(frozen=True)
class Ending:
    """How a case ended: its exit code, or what was found.

    `seconds` are those of the clock, `peak_bytes` what it took besides what there was. `kind` is
    "" when all is well, or crash, hang, memory, silence (a failure without a word) or code (an
    exit code that is wrong for such a file).
    `where` is what tells one finding from another.
    """

    code: int | None
    seconds: float
    peak_bytes: int = 0
    kind: str = ""
    where: str = ""
    details: str = ""


class Worker:
    """A process that runs one case after the other, and is started anew when one kills it."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        """`folder` is where cases are laid out; all that is in it gets lost."""
        for verb in VERBS:  # now, or every process would have to
            importlib.import_module(f"phyzctl.cli.{verb}")
        list(all_rules().values())
        self.folder = folder
        self.limits = limits or Limits()
        self.trace = folder.with_suffix(".trace")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._count = 0

    def run(self, case: Case) -> Ending:
        """Run a case and say how it ended."""
        lay_out(case, self.folder)
        process, connection = self._ready()
        self._count += 1
        start = time.monotonic()
        watch = _Watch(process.pid, self.limits)
        try:
            connection.send(case)
            while not connection.poll(0.02):
                if watch.is_hanging():
                    return self._hung(process, time.monotonic() - start)
            ending: Ending = connection.recv()
        except (EOFError, OSError):
            return self._died(process, time.monotonic() - start)
        if not ending.kind and ending.peak_bytes > self.limits.peak_bytes:
            where = f"{case.verb}: {ending.peak_bytes >> 20} MiB"
            return Ending(ending.code, ending.seconds, ending.peak_bytes, "memory", where)
        return ending

    def stop(self) -> None:
        """End the process."""
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process = self._connection = None

    def _ready(self) -> tuple[multiprocessing.process.BaseProcess, Connection]:
        if self._count >= _RECYCLED:
            self.stop()
        if self._process is None or self._connection is None or not self._process.is_alive():
            context = multiprocessing.get_context("fork")
            self._connection, theirs = context.Pipe()
            arguments = (theirs, self.folder, self.trace)
            self._process = context.Process(target=_serve, args=arguments, daemon=True)
            with warnings.catch_warnings():  # there may be threads of numpy, which are idle
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process.start()
            theirs.close()
            self._count = 0
        return self._process, self._connection

    def _hung(self, process: multiprocessing.process.BaseProcess, seconds: float) -> Ending:
        if process.pid is not None:
            os.kill(process.pid, signal.SIGUSR1)  # it writes where it is
            time.sleep(0.3)
        stack = self.trace.read_text(errors="replace")
        self.stop()
        return Ending(None, seconds, 0, "hang", _place(stack, innermost=False), stack)

    def _died(self, process: multiprocessing.process.BaseProcess, seconds: float) -> Ending:
        process.join()
        stack = self.trace.read_text(errors="replace")
        self.stop()
        where = f"exit {process.exitcode} {_place(stack, innermost=False)}"
        return Ending(process.exitcode, seconds, 0, "crash", where, stack)


class _Watch:
    """Knows when a process hangs: it computes for too long, or waits for something.

    Time in which it could run but the machine has other things to do is not its fault.
    """

    def __init__(self, pid: int | None, limits: Limits) -> None:
        self.pid = pid
        self.limits = limits
        self.start = self.last = _activity(pid)[0]
        self.active = time.monotonic()

    def is_hanging(self) -> bool:
        used, runnable = _activity(self.pid)
        if runnable or used != self.last:
            self.last, self.active = used, time.monotonic()
        idle = time.monotonic() - self.active
        return used - self.start > self.limits.cpu_seconds or idle > self.limits.idle_seconds


def lay_out(case: Case, folder: Path) -> None:
    """Write the files of a case into `folder`, beside links to what stands beside its original."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / ".git").mkdir()  # no configuration from further up
    if case.beside is not None:
        for path in case.beside.iterdir():
            if path.name not in case.files and path.name != ".git":
                (folder / path.name).symlink_to(path.resolve())
    for name, data in case.files.items():
        (folder / name).write_bytes(data)


def _held_addresses() -> int:
    """[byte] of what this process has from the one that it was forked from."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def _serve(connection: Connection, folder: Path, trace: Path) -> None:
    most = _ADDRESS_SPACE + _held_addresses()
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("error")  # a warning in the middle of a report is a fault of ours
    with trace.open("w", encoding="utf-8") as stream:
        faulthandler.enable(stream)
        faulthandler.register(signal.SIGUSR1, stream)
        while True:
            try:
                case = connection.recv()
            except EOFError:
                return
            stream.seek(0)
            stream.truncate()
            os.chdir(folder)
            connection.send(_run(case))


def _run(case: Case) -> Ending:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    held = _peak_bytes()  # by what this process was forked from, too
    start = time.monotonic()
    with _captured() as (out, err):
        try:
            run(["--debug", *case.argv])
            code: object = 0
        except SystemExit as leaving:
            code = leaving.code
    number = code if isinstance(code, int) else 0 if code is None else -1
    ending = Ending(number, time.monotonic() - start, _peak_bytes() - held)
    return _judged(case, ending, out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8"))


def _judged(case: Case, ending: Ending, out: str, err: str) -> Ending:
    if "Traceback (most recent call last)" in err:
        kind, where = "crash", f"{_raised(err)} {_place(err, innermost=True)}"
    elif not err.strip() and (ending.code == 2 or (ending.code in {1, 3} and not out)):
        kind, where = "silence", f"exit {ending.code} without a word"
    elif ending.code not in case.codes:
        kind, where = (
            "code",
            f"{case.verb}: exit {ending.code}: {_WORDS.sub('…', err)[:80].strip()}",
        )
    else:
        return ending
    return Ending(ending.code, ending.seconds, ending.peak_bytes, kind, where, err[-4000:])


@contextlib.contextmanager
def _captured() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    before = sys.stdout, sys.stderr, sys.stdin
    wrapped = [io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in (out, err)]
    sys.stdout, sys.stderr = wrapped
    sys.stdin = io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        yield out, err
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
        for stream in wrapped:
            stream.detach()


def _place(stack: str, *, innermost: bool) -> str:
    """The function of ours where it happened; innermost frames come last in a traceback."""
    frames = [match for match in _FRAME.finditer(stack) if match.group(1).startswith("phyzctl/")]
    if not frames:
        return "somewhere"
    path, _, function = frames[-1 if innermost else 0].groups()
    return f"{path}:{function}"


def _raised(text: str) -> str:
    names: list[str] = _RAISED.findall(text)
    return names[-1] if names else "?"


def _peak_bytes() -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(text.split("VmHWM:")[1].split()[0]) * 1024


def _activity(pid: int | None) -> tuple[float, bool]:
    """User and system time of a process [s], and whether it could run right now."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0, False
    fields = text.rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK"), fields[0] == "R"
