"""Opening the files that people write beside a description: scenes, scenarios, ranges."""

from __future__ import annotations

from phyzctl import disk
from phyzctl.errors import NotFoundError, UnreadableError


def document_at(path: str, what: str) -> bytes:
    """The bytes of the file at `path`; `what`, such as "scene", is what errors call it.

    Raises `NotFoundError` when it isn't there, `UnreadableError` when it can't be read.
    """
    try:
        return disk.document(path)
    except FileNotFoundError:
        raise NotFoundError(f"there is no {what} {path!r}") from None
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror or error}") from error
