"""TraceWriter: a trace file that is written while the run goes on, in constant memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from phyzctl.errors import PhyzctlError
from phyzctl.trace.files import PathLike, format_of
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Array, Digest


class TraceWriter:
    """Writes blocks of samples; a run that ends without `finish` leaves an incomplete trace."""

    def __init__(self, path: PathLike, header: TraceHeader, description: str = "") -> None:
        """Begin the file for `header.steps` samples at most.

        Raises `PhyzctlError` for an unknown suffix or a path to no file.
        """
        self._header, self._path = header, str(path)
        self._digest = Digest(header.channels)
        self._count = 0
        try:
            self._sink = format_of(Path(path)).open_sink(Path(path), header, description)
        except OSError as error:
            raise self._failed(error) from error
        self._open = True

    def add(self, times: Array, values: Mapping[str, Array]) -> None:
        """Write samples: `times` (n,) [s], and (n, columns) for every channel."""
        self._digest.add(values)
        self._count += len(times)
        try:
            self._sink.add(times, values)
        except OSError as error:
            raise self._failed(error) from error

    def finish(self, **changes: Any) -> TraceHeader:
        """Write the header, with `changes` of its fields, its length and its digest."""
        self._open = False
        header = replace(self._header, **changes)
        header = replace(header, steps=self._count, digest=self._digest.hexdigest())
        try:
            self._sink.close(header)
        except OSError as error:
            raise self._failed(error) from error
        return header

    def _failed(self, error: OSError) -> PhyzctlError:
        return PhyzctlError(f"can't write {self._path!r}: {error.strerror or error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self._open:
            self.finish(complete=False)
