"""Prints docs/anchors.md, every figure measured anew: `python -m tests.anchors.page`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.anchors import (
    test_consistency,
    test_contacts,
    test_friction,
    test_machines,
    test_pendulums,
    test_restitution,
    test_simbenchmark,
    test_spinning,
)
from tests.anchors.beside import Line

INTRODUCTION = """\
# Anchors: what is known exactly, what others published, and what a run gives

A simulator is trusted for figures that can be checked. These are held against formulas, papers and
MuJoCo 4.0.1, which runs the same scene beside; the tests in `tests/anchors` keep them.

A figure is an error, relative where it has no unit, unless the second column shows what it should
be. Where no integrator is named, MuJoCo's is its default, Euler, and ours `best`. `euler`,
`implicitfast` and `rk4` are MuJoCo's own formulas: what they get wrong, both get wrong alike.
`python -m tests.anchors.page` prints this page anew.
"""

SPINNING = """\
At 4 ms a tumbling box loses a twentieth of its momentum by default integrators, and a fast top
ends in infinity."""
CONSISTENCY = """\
In the manner of Erez, Tassa and Todorov (2015): what is conserved, and how far a coarse step leads
from a fine one. Where bodies collide all the time, no integrator is of high order."""
FRICTION = """\
Elliptic cones give way at the same pull in every direction; pyramids, MJCF's default, at 71 % of it
between their edges."""
RESTITUTION = """\
Of URDFs and built robots (`ContactMaterial(restitution=…)`); MJCF has springs instead."""
SIMBENCHMARK = """\
The scenes of Kang and Hwangbo (2018): means over time of squared errors, and what RaiSim, ODE and
MuJoCo 1.5 got there. MuJoCo's elastic balls are springs (`solref` -20000 0)."""

THEMES: Sequence[tuple[str, str, Sequence[Line]]] = (
    ("Pendulums", "", test_pendulums.LINES),
    ("Bodies that spin", SPINNING, test_spinning.LINES),
    ("Chains, heaps, a humanoid", CONSISTENCY, test_consistency.LINES),
    ("Friction", FRICTION, test_friction.LINES),
    ("Contacts and stacks", "", test_contacts.LINES),
    ("Restitution", RESTITUTION, test_restitution.LINES),
    ("Machines, servos, a grasp", "", test_machines.LINES),
    ("SimBenchmark", SIMBENCHMARK, test_simbenchmark.LINES),
)


def page() -> Iterator[str]:
    """The page, line by line."""
    yield INTRODUCTION
    for title, words, lines in THEMES:
        yield f"## {title}\n"
        if words:
            yield f"{words}\n"
        yield "| | exact or published | MuJoCo | phyzctl |"
        yield "|---|---|---|---|"
        for line in lines:
            yield line.markdown()
        yield ""


if __name__ == "__main__":
    print("\n".join(page()).rstrip())
