"""What reading a description asks of the machine, noted for whoever wants to know.

Everything on disk, and in the environment, that decides what comes out of a description is asked
for here: files that are read, and those that are looked for in vain. While somebody watches, a
`Witness` notes each question with its answer, so that the outcome holds for as long as they do.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple, TypeVar

PathLike = str | Path
T = TypeVar("T")

MOST = 16 << 20  # bytes of a document that people write

_UNREADABLE = "unreadable"


class Question(NamedTuple):
    """What was asked of an absolute path: kind, size, names, folders, or bytes (`most` of them).

    Or of a "variable", whose name then stands for the path.
    """

    what: str
    path: str
    most: int = -1


class Witness:
    """Questions and their answers; `blind` when something was read that nobody could name."""

    def __init__(self) -> None:
        self.answers: dict[Question, str] = {}
        self.blind = False


_WITNESS: ContextVar[Witness | None] = ContextVar("witness", default=None)


@contextmanager
def watched() -> Iterator[Witness]:
    """Note what is asked of the disk in here."""
    witness = Witness()
    token = _WITNESS.set(witness)
    try:
        yield witness
    finally:
        _WITNESS.reset(token)


def answer(question: Question) -> str:
    """The answer to a question as a Witness notes it, asked anew."""
    with watched() as witness, suppress(OSError, ValueError):
        if question.what == "bytes":
            read_bytes(question.path, question.most)
        else:
            _ASKED[question.what](question.path)
    return witness.answers[question]


def kind(path: PathLike) -> str:
    """What is there: "file", "folder" or "nothing", also for what may not be looked at."""
    return _noted(Question("kind", str(path)), lambda: _kind(path), str)


def is_file(path: PathLike) -> bool:
    """True for a file; False too for what may not be looked at or has an impossible name."""
    return kind(path) == "file"


def is_folder(path: PathLike) -> bool:
    """True for a folder, with the same latitude."""
    return kind(path) == "folder"


def size(path: PathLike) -> int:
    """The size of a file [bytes]. Raises OSError, and ValueError for an impossible name."""
    return _noted(Question("size", str(path)), lambda: Path(path).stat().st_size, str)


def names_in(folder: PathLike) -> list[str]:
    """The names of all that lies in a folder, sorted. Raises OSError."""
    return _noted(Question("names", str(folder)), lambda: _names(folder), _digest_of_names)


def folders_in(folder: PathLike) -> list[str]:
    """The names of the folders in a folder, sorted, without links to some. Raises OSError."""
    return _noted(Question("folders", str(folder)), lambda: _folders(folder), _digest_of_names)


def read_bytes(path: PathLike, most: int = -1) -> bytes:
    """The bytes of a file, `most` of them when that is not negative. Raises OSError."""
    return _noted(Question("bytes", str(path), most), lambda: _bytes(path, most), _digest)


def variable(name: str) -> str:
    """The value of an environment variable, "" when it isn't set."""
    value = os.environ.get(name, "")
    witness = _WITNESS.get()
    if witness is not None:
        witness.answers[Question("variable", name)] = value
    return value


def document(path: PathLike, most: int = MOST) -> bytes:
    """The bytes of a file that people write, such as a configuration, of at most `most` bytes.

    Nobody is told of it. Raises OSError, also for a file that is larger or never ends.
    """
    data = _bytes(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most >> 20} MiB")
    return data


def note(path: PathLike) -> None:
    """Tell whoever watches of a file that code of others is going to read."""
    if _WITNESS.get() is not None:
        read_bytes(path)


def note_unnamed() -> None:
    """Tell whoever watches that code of others is going to read files that only it knows."""
    witness = _WITNESS.get()
    if witness is not None:
        witness.blind = True


_ASKED: dict[str, Callable[[str], object]] = {
    "kind": kind,
    "size": size,
    "names": names_in,
    "folders": folders_in,
    "variable": variable,
}


def _noted(question: Question, ask: Callable[[], T], shortened: Callable[[T], str]) -> T:
    """The answer of `ask`, noted in a shortened form; a failure is an answer, too."""
    witness = _WITNESS.get()
    if witness is None:
        return ask()
    question = question._replace(path=os.path.abspath(question.path))
    witness.answers[question] = _UNREADABLE
    found = ask()
    witness.answers[question] = shortened(found)
    return found


def _kind(path: PathLike) -> str:
    return "file" if os.path.isfile(path) else "folder" if os.path.isdir(path) else "nothing"


def _names(folder: PathLike) -> list[str]:
    return sorted(os.listdir(folder))


def _folders(folder: PathLike) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(each.name for each in entries if each.is_dir(follow_symlinks=False))


def _bytes(path: PathLike, most: int) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(most)


def _digest_of_names(names: list[str]) -> str:
    return _digest(repr(names).encode("utf-8", "surrogateescape"))


def _digest(data: bytes) -> str:
    import hashlib  # here, since it loads a library of cryptography, and not all runs are watched

    return hashlib.blake2b(data, digest_size=16).hexdigest()
