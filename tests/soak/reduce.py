"""Makes a file smaller as long as it still does what it did."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from collections.abc import Callable

from tests.soak.mutatexml import written

Check = Callable[[bytes], bool]


def reduced(data: bytes, still: Check, *, seconds: float = 30.0, tries: int = 400) -> bytes:
    """The smallest file found for which `still` holds, as it does for `data`.

    Elements and attributes go first where it is XML, then lines, then bytes.
    """
    budget = _Budget(still, time.monotonic() + seconds, tries)
    data = _without_elements(data, budget)
    data = b"\n".join(_without_pieces(data.split(b"\n"), b"\n", budget))
    if len(data) <= 4000:
        data = b"".join(_without_pieces([bytes([each]) for each in data], b"", budget))
    return data


class _Budget:
    def __init__(self, still: Check, deadline: float, tries: int) -> None:
        self.still = still
        self.deadline = deadline
        self.tries = tries

    @property
    def spent(self) -> bool:
        return self.tries <= 0 or time.monotonic() > self.deadline

    def holds(self, data: bytes) -> bool:
        self.tries -= 1
        return not self.spent and self.still(data)


def _without_elements(data: bytes, budget: _Budget) -> bytes:
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError):
        return data
    if not budget.holds(written(root)):
        return data
    _prune(root, root, budget)
    for element in root.iter():
        for name in list(element.attrib):
            value = element.attrib.pop(name)
            if not budget.holds(written(root)):
                element.set(name, value)
    return written(root)


def _prune(root: ET.Element, parent: ET.Element, budget: _Budget) -> None:
    """Take children out of `parent`, from the last on, and out of those that have to stay."""
    waiting = [parent]
    while waiting and not budget.spent:
        element = waiting.pop()
        for index in range(len(element) - 1, -1, -1):
            child = element[index]
            element.remove(child)
            if not budget.holds(written(root)):
                element.insert(index, child)
                waiting.append(child)


def _without_pieces(pieces: list[bytes], joint: bytes, budget: _Budget) -> list[bytes]:
    """Take out ever smaller runs of pieces."""
    size = len(pieces) // 2
    while size and not budget.spent:
        at = 0
        while at < len(pieces) and not budget.spent:
            shorter = pieces[:at] + pieces[at + size :]
            if budget.holds(joint.join(shorter)):
                pieces = shorter
            else:
                at += size
        size //= 2
    return pieces
