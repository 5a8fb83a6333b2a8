"""What `phyzctl simulate --batch` does: many runs, a trace file each."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phyzctl import codes
from phyzctl.cli.simulating import Subject
from phyzctl.errors import PhyzctlError
from phyzctl.formats.documents import document_at
from phyzctl.issues import Finding, Issue, Issues, LoadError
from phyzctl.records import dataclass
from phyzctl.report.text import plural
from phyzctl.robot.checks import issue
from phyzctl.sim.batch import Batch, Executor, run_batch
from phyzctl.sim.randomize import Ranges, load_ranges
from phyzctl.trace.files import write_trace


@dataclass(frozen=True)
class Amount:
    """How many runs, by how many threads here, or by the Dask scheduler at an address."""

    count: int
    jobs: int | None = None
    dask: str | None = None


def ranges_in(path: str | None) -> Ranges | None:
    """The ranges in a file, None for no file. Raises LoadError with what is wrong in it."""
    if path is None:
        return None
    data = document_at(path, "file of ranges")
    issues = Issues()
    found = load_ranges(data, path, issues)
    if found is None:
        raise LoadError(issues)
    return found


def carry_out_batch(
    subject: Subject, batch: Batch, amount: Amount, out: str | None
) -> tuple[list[Issue], list[str]]:
    """Make the runs; the Issues of those that broke, and some lines on all."""
    issues, whole = [], hashlib.sha256()
    with _executor(amount) as executor:
        for number, trace in enumerate(run_batch(batch, amount.count, executor)):
            whole.update(bytes.fromhex(trace.header.digest))
            for _, words in trace.header.events:
                finding = Finding(subject.model.robot, f"run {number}: {words}")
                issues.append(issue(codes.SIMULATION_DIVERGES, finding))
            if out is not None:
                write_trace(trace, numbered(out, number))
    name = subject.model.robot.name
    lines = [
        f"{name}: {plural(amount.count, 'run')} of {plural(batch.steps, 'step')}",
        f"  broken   {len(issues)}",
        f"  digest   {whole.hexdigest()[:12]} over all runs",
    ]
    if out is not None and amount.count:
        last = numbered(out, amount.count - 1)
        lines.append(f"  traces   {numbered(out, 0)} to {last}")
    return issues, lines


def numbered(out: str, number: int) -> str:
    """The trace file of one run: `runs.npz` becomes `runs.0007.npz`."""
    path = Path(out)
    return str(path.with_name(f"{path.stem}.{number:04d}{path.suffix}"))


@contextmanager
def _executor(amount: Amount) -> Iterator[Executor]:
    if amount.dask is None:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(amount.jobs or os.cpu_count()) as threads:
            yield threads
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise PhyzctlError("--dask needs the extra: pip install 'phyzctl[distributed]'") from error
    try:
        client = Client(amount.dask, timeout=10)
    except (OSError, ValueError) as error:
        raise PhyzctlError(f"no Dask scheduler answers at {amount.dask!r}: {error}") from error
    with client:
        yield client
