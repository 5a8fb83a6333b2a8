"""`phyzctl validate` beside other programs that look at a URDF: CPU time of whole processes.

Peers are used where they are installed (`pip install yourdfpy simcheck`, or another environment
named by PHYZCTL_PEERS); the table that is printed (`pytest -s`) stands in the README.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.benchmarks.processes import PHYZCTL, cpu_seconds
from tests.benchmarks.test_startup import talos
from tests.corpus import SAMPLES, SHARED_CORPUS

pytestmark = pytest.mark.benchmark

ROUNDS = 5
FASTER = 5.0  # than simcheck over the whole of MuJoCo Menagerie
_LOAD = "import sys, yourdfpy; yourdfpy.URDF.load(sys.argv[1], load_meshes=False).validate()"


def peers() -> dict[str, list[str]]:
    """Name and command of each program that is here, phyzctl and the yardstick first."""
    folder = Path(os.environ.get("PHYZCTL_PEERS", Path(sys.executable).parent))
    found = {
        'python -c "import numpy"': [sys.executable, "-c", "import numpy"],
        "phyzctl validate": [*PHYZCTL, "validate", "--no-cache"],
    }
    for name in ("check_urdf", "simcheck"):
        program = shutil.which(name, path=str(folder)) or shutil.which(name)
        if program is not None:
            found[name] = [program, *(["check", "--static-only"] if name == "simcheck" else [])]
    if shutil.which("yourdfpy", path=str(folder)) is not None:
        found["yourdfpy"] = [str(folder / "python"), "-c", _LOAD]
    return found


def measured(robot: Path) -> dict[str, float]:
    """The least of several runs for each program, taken in turn."""
    commands = {
        name: command if "-c" in command and name != "yourdfpy" else [*command, str(robot)]
        for name, command in peers().items()
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(cpu_seconds(command, codes=()))
    return {name: min(runs) for name, runs in times.items()}


def test_beside_its_peers() -> None:
    robots = {"quadruped, 13 links": SAMPLES / "quadruped.urdf", "talos, 60 links": talos()}
    tables = {name: measured(path) for name, path in robots.items()}
    print("\n| CPU time of the process |", " | ".join(robots), "|\n|---|---|---|")
    for name in peers():
        print(f"| `{name}` |", " | ".join(f"{t[name]:.3f} s" for t in tables.values()), "|")
    for table in tables.values():
        assert table["phyzctl validate"] < 5 * table['python -c "import numpy"']
        for slower in ("yourdfpy", "simcheck"):
            if slower in table:
                assert table["phyzctl validate"] < table[slower]


def test_the_whole_menagerie() -> None:
    """44 robots in one go, once each: simcheck takes minutes."""
    folder, known = SHARED_CORPUS / "menagerie", peers()
    if "simcheck" not in known or not folder.is_dir():
        pytest.skip("simcheck or MuJoCo Menagerie is absent")
    others = ("--no-cache", "-j", "1", str(folder))
    ours = cpu_seconds([*known["phyzctl validate"], "--no-cache", str(folder)], codes=())
    theirs = cpu_seconds([*known["simcheck"], *others], codes=())
    print(f"\nmenagerie: {ours:.1f} s, simcheck {theirs:.1f} s, {theirs / ours:.1f} times as long")
    assert theirs >= FASTER * ours
