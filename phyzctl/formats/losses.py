"""What a writer has to leave out or say in another way, told once per kind, with all places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from phyzctl import codes
from phyzctl.formats.xmlnode import Document
from phyzctl.issues import Code, Issue, Related, Source
from phyzctl.robot.subject import describe

_SHOWN_NAMES = 6
_SHOWN_PLACES = 20


class Losses:
    """Collects what is lost. Losses of one code with one message become one Issue."""

    def __init__(self) -> None:
        self._found: dict[tuple[Code, str], list[tuple[Any, Source | None]]] = {}

    def add(self, code: Code, message: str, element: Any, source: Source | None = None) -> None:
        """`message` says what is lost, without names; `source` overrides the element's place."""
        place = source or getattr(element, "source", None)
        self._found.setdefault((code, message), []).append((element, place))

    def issues(self) -> list[Issue]:
        """One Issue per kind of loss, in the order of their codes, at the first place of each."""
        found = [_issue(code, text, lost) for (code, text), lost in self._found.items()]
        return sorted(found, key=lambda issue: issue.code.id)


def _issue(code: Code, message: str, lost: list[tuple[Any, Source | None]]) -> Issue:
    element, source = lost[0]
    names = list(dict.fromkeys(name for item, _ in lost if (name := describe(item))))
    if len(lost) > 1:
        shown = ", ".join(names[:_SHOWN_NAMES])
        rest = ", …" if len(names) > _SHOWN_NAMES else ""
        message += f" ({len(lost)} times{': ' if shown else ''}{shown}{rest})"
    others = (place for _, place in lost[1:] if place is not None)
    related = tuple(Related("and here", place) for place in others)[:_SHOWN_PLACES]
    subject = describe(element)
    return Issue(code, code.severity, message, source, subject, related=related)


def dissolved(documents: Mapping[str, Document]) -> list[Issue]:
    """What reading has already dissolved, so that no writer can restore it.

    MJCF's default classes, includes, frames and macros are resolved into the elements that they
    stand for, and comments are read past.
    """
    losses = Losses()
    for document in documents.values():
        for comment in document.comments:
            source = document.source(comment.offset)
            losses.add(codes.LOSS_OF_COMMENT, "a comment is left out", None, source)
        for node in document.root.iter() if document.root else ():
            if node.tag in _DISSOLVED and document.root and document.root.tag == "mujoco":
                message = f"<{node.tag}> is resolved into the elements that it acts on"
                losses.add(codes.LOSS_OF_SHORTHAND, message, None, node.source)
    return losses.issues()


_DISSOLVED: Iterable[str] = frozenset({"default", "include", "frame", "replicate", "attach"})
