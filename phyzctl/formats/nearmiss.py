"""Which known name an unknown one was meant to be: a slip of one or two letters, or of case."""

from __future__ import annotations

from collections.abc import Iterable

MAX_SEARCHES = 2000
_LONGEST = 40


class NearMisses:
    """Finds near names, remembering answers and giving up on files that are nothing but slips."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, frozenset[str]], str | None] = {}

    def find(self, name: str, known: Iterable[str]) -> str | None:
        """The known name that `name` looks like a slip of, None when there is none."""
        key = (name, frozenset(known))
        if key not in self._answers:
            if len(self._answers) >= MAX_SEARCHES or len(name) > _LONGEST:
                return None
            self._answers[key] = _search(*key)
        return self._answers[key]


def edit_distance(first: str, second: str, most: int) -> int:
    """Letters inserted, left out, replaced or swapped with their neighbour; `most`+1 when more.

    The restricted Damerau-Levenshtein distance.
    """
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    above = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        row = [i]
        for j, other in enumerate(second, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            swapped = i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other
            row.append(min(cost, before[j - 2] + 1) if swapped else cost)
        if min(row) > most:
            return most + 1
        before, above = above, row
    return min(above[-1], most + 1)


def _search(name: str, known: frozenset[str]) -> str | None:
    folded = _folded(name)
    for candidate in sorted(known):
        if _folded(candidate) == folded:
            return candidate
    ranked = []
    for candidate in sorted(known):
        # a third of the letters at most: short words are too near to each other
        most = min(2, min(len(name), len(candidate)) // 3)
        distance = edit_distance(name.lower(), candidate.lower(), most)
        if distance <= most:
            ranked.append((distance, candidate))
    return min(ranked)[1] if ranked else None


def _folded(name: str) -> str:
    """Without letter case, dashes and underscores: `selfCollide` is `self_collide`."""
    return name.lower().replace("_", "").replace("-", "")
