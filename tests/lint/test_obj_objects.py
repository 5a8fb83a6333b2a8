"""F606 counts the objects of an OBJ file as its lines say, and takes little more than the file."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phyzctl.lint.rules.f606_obj_of_several_objects import objects_with_faces

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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(LINES, max_size=30), st.sampled_from(["\n", "\r\n", "\r"]))
def test_as_many_as_the_lines_say(tmp_path: Path, lines: list[str], end: str) -> None:
    text = end.join(lines) + end
    path = tmp_path / "m.obj"
    path.write_bytes(text.encode())
    assert objects_with_faces(str(path)) == by_lines(text)


def test_a_large_file_is_searched_and_not_split(tmp_path: Path) -> None:
    path = tmp_path / "m.obj"
    piece = "o part\n" + "v 0.1 0.2 0.3\n" * 500 + "f 1 2 3\n" * 1000
    path.write_text(piece * 200, encoding="utf-8")
    size = path.stat().st_size
    tracemalloc.start()
    assert objects_with_faces(str(path)) == 200
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.5 * size  # a list of its lines is five times the file
