"""What the macros of MJCF may make, and how long they may look for it.

A few lines of them can ask for more copies than any machine holds: each of thirty bodies that
attaches the one before it twice.
"""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.xmlnode import Node
from phyzctl.issues import Issues

MOST_MADE = 100_000
MOST_SEEN = 10_000_000  # some ten seconds
BYTES_SEEN = 4  # as many bytes take as long to read as an element takes to look at


class Allowance:
    """Elements that may still be made and looked at, in a file and in all that it attaches.

    What asks for too much is refused, with all that asks later; X018 says so once.
    """

    def __init__(self) -> None:
        self._made = 0
        self._seen = 0
        self._spent = False

    def make(self, count: int, node: Node, issues: Issues) -> bool:
        """True when `node` may make so many elements."""
        self._made += count
        return self._allows(self._made, MOST_MADE, "make", node, issues)

    def see(self, count: int, node: Node, issues: Issues) -> bool:
        """True when `node` may look at so many elements."""
        self._seen += count
        return self._allows(self._seen, MOST_SEEN, "look at", node, issues)

    def _allows(self, total: int, most: int, what: str, node: Node, issues: Issues) -> bool:
        if total > most and not self._spent:
            self._spent = True
            message = (
                f"<{node.tag}> is left out with all macros that follow: together they would {what} "
                f"more than {most} elements"
            )
            issues.add(codes.DOCUMENT_TOO_LARGE, message, source=node.source)
        return not self._spent
