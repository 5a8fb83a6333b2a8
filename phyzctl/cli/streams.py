"""Where text goes: results to stdout, everything else to stderr, reports to files."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from phyzctl.errors import PhyzctlError

STDOUT = "-"


class Color(StrEnum):
    """When to colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def prepare() -> None:
    """Let no character of a message break a stream that can't encode it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Results. A reader that went away (`| head`) is no failure, and the exit code stays true."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        hush(sys.stdout)


def note(text: str) -> None:
    """One line beside the results."""
    note_all(f"{text}\n")


def note_all(text: str) -> None:
    """Lines beside the results, each with its end."""
    sys.stderr.write(text)


def write_file(path: str, text: str) -> None:
    """A report in a file, or on stdout when the path is `-`."""
    if path == STDOUT:
        write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise PhyzctlError(f"can't write {path!r}: {error.strerror or error}") from error


def hush(stream: TextIO) -> None:
    """Send what a stream still holds nowhere, so that closing it at exit is silent."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def coloured(choice: Color, environment: Mapping[str, str] = os.environ) -> bool:
    """True when stdout gets colours: as asked, else NO_COLOR, FORCE_COLOR, else on terminals."""
    if choice is not Color.AUTO:
        return choice is Color.ALWAYS
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and environment.get("TERM") != "dumb"
