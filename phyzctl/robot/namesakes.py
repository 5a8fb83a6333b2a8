"""Names that are taken: by an earlier element of the same file, or of another one."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.issues import Code, Related, Source


def code_of_namesake(source: Source | None, first: Source | None) -> Code:
    """M015 where the two stand in different files, N301 where in one, or in none."""
    if source is None or first is None or source.path == first.path:
        return codes.NAME_DUPLICATE
    return codes.NAME_TAKEN_BY_FILE


def relation_to_first(first: Source | None) -> tuple[Related, ...]:
    """Where the name was given first."""
    return (Related("first defined here", first),)
