"""Names to indices, for the passes that resolve references."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from phyzctl import codes
from phyzctl.issues import Issues
from phyzctl.records import dataclass
from phyzctl.robot.subject import describe


@dataclass(frozen=True)
class Names:
    """Per kind of thing ("body", "joint", …) the index of each name, the first where repeated."""

    kinds: dict[str, dict[str, int]]
    issues: Issues

    def find(self, kind: str, name: str | None, element: Any) -> int | None:
        """The index of what `element` names; None and an Issue if nothing is called that.

        A Robot from a builder has no dangling names: this is for one put together by hand.
        """
        index = self.kinds.get(kind, {}).get(name or "")
        if index is None and name is not None:
            message = f"{kind} {name!r} is not defined, so this is left out"
            source = getattr(element, "source", None)
            subject = describe(element)
            self.issues.add(codes.REFERENCE_UNKNOWN, message, source=source, subject=subject)
        return index


def index_of(names: Iterable[str | None]) -> dict[str, int]:
    """Per name its first index; what has no name is left out."""
    found: dict[str, int] = {}
    for number, name in enumerate(names):
        if name:
            found.setdefault(name, number)
    return found
