"""F606 counts the objects of an OBJ file as its lines say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phyzctl.geometry.obj import objects_with_faces

LINES = st.sampled_from(
    ["o a", "g b", "f 1 2 3", "v 0 0 1", "# o f", "", "of a", "vn 0 0 1", "o c"]
)


def by_lines(text: str) -> int:
    """Stretches from one object or group to the next, and what stands above, that have faces."""
    counts = [0]
    for line in text.replace("\r", "\n").split("\n"):
        if line.startswith(("o ", "g ")):
            counts.append(0)
        counts[-1] += line.startswith("f ")
    return sum(count > 0 for count in counts)


@given(st.lists(LINES, max_size=30), st.sampled_from(["\n", "\r\n", "\r"]))
def test_as_many_as_the_lines_say(lines: list[str], end: str) -> None:
    text = end.join(lines) + end
    assert objects_with_faces(text.encode()) == by_lines(text)
