"""Work spread over processes, whose results come in the order of the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


def in_order(function: Callable[[A], R], work: Sequence[A], jobs: int) -> Iterator[R]:
    """`function` of each item, computed by `jobs` processes; 0 means one for each core.

    Function, items and results must be fit for pickle. What a call raises is raised here, when
    its turn comes; interrupted, or left early, nothing goes on in the background.
    """
    count = min(jobs or _cores(), len(work))
    if count <= 1:
        yield from map(function, work)
        return
    # Few runs need processes, and importing what makes them takes its time.
    import multiprocessing
    import signal
    from concurrent.futures import ProcessPoolExecutor

    before = set(multiprocessing.active_children())
    # An interrupt reaches all processes of a terminal: the workers leave it to this one.
    pool = ProcessPoolExecutor(
        count, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
    finished = False
    try:
        yield from pool.map(function, work)
        finished = True
    finally:
        if finished:
            pool.shutdown()
        else:
            with _cancelled_in_silence():
                for worker in set(multiprocessing.active_children()) - before:
                    worker.terminate()
                pool.shutdown(cancel_futures=True)


@contextmanager
def _cancelled_in_silence() -> Iterator[None]:
    """The pool's thread may tell a call of the end of its worker when the call is cancelled.

    It would print that as an exception; all others are shown as ever.
    """
    import threading
    from concurrent.futures import InvalidStateError

    shown = threading.excepthook

    def show(told: threading.ExceptHookArgs) -> None:
        if not issubclass(told.exc_type, InvalidStateError):
            shown(told)

    threading.excepthook = show
    try:
        yield
    finally:
        threading.excepthook = shown


def _cores() -> int:
    """The cores that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1
