"""The documents of an expanded description: texts as people wrote them, elements as they became.

A place in a xacro file is one of the text, but what stands there may exist many times, under
other names, or not at all. So Sources have the line and column of the text and the offset of the
element in the expanded document, and these documents find elements by that.
"""

from __future__ import annotations

from phyzctl.formats.xmlnode import Document, Node


class WrittenDocument(Document):
    """A file that takes part in an expansion.

    `root` is the expanded one for the main file, and None for those that it includes, so that
    nothing is looked at twice.
    """

    def __init__(self, written: Document, expanded: Document, *, main: bool) -> None:
        super().__init__(written.path, written.data, written.encoding)
        self.original = written.original
        self.comments = written.comments
        self.editable = False
        self.root = expanded.root if main else None
        self._expanded = expanded

    def node_at(self, offset: int) -> Node | None:
        """The expanded element at an offset of the expanded document."""
        return self._expanded.node_at(offset)
