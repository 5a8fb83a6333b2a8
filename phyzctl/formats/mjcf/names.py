"""Names for what a file leaves unnamed: links and joints need one, geoms and sites don't."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count


class Names:
    """Makes names that no element of the file has, so that nothing can refer to them."""

    def __init__(self, stated: Iterable[str]) -> None:
        self._taken = set(stated)

    def make(self, wanted: str) -> str:
        """`wanted`, or with a number behind it when that is taken."""
        name = wanted
        for number in count(2):
            if name not in self._taken:
                break
            name = f"{wanted}{number}"
        self._taken.add(name)
        return name
