"""How exact and how fast simulation is, robot by robot: what docs/simulation_figures.md shows.

`python -m tests.figures.simulation accuracy` and `… speed` measure all scenes, or those whose names
contain one of the words that follow, and keep the figures in simulation.json; speed should be
measured on a machine that does nothing else. `python -m tests.figures.simulation` prints the page.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl import native
from tests.benchmarks.race import INTEGRATORS, race
from tests.corpus import SAMPLES, SHARED_CORPUS, files_with_root
from tests.native.held import held
from tests.native.smooth import Twins, scenes, twins
from tests.native.test_dynamics import norm
from tests.native.test_solver import solved
from tests.native.test_trajectories import APART, compare

KEPT = Path(__file__).with_suffix(".json")
STATES = 6
Figures = dict[str, dict[str, Any]]

GATES = {"M": 1e-12, "bias": 1e-12, "step": 1e-12, "qacc": 1e-8}
# Arms, alone or on a base, and quadrupeds: of these a step is to take half of MuJoCo's time.
HALF = (
    "agilex_piper", "aloha", "anybotics", "arx_l5", "barkour", "dynamixel", "franka",
    "google_robot", "i2rt_yam", "kinova", "kuka", "low_cost", "tidybot/scene.xml", "trossen",
    "trs_so", "ufactory", "unitree_a1", "unitree_go", "unitree_z1", "universal_robots",
    "arm_gripper", "quadruped", "six_axis_arm",
)  # fmt: skip
FAR = "M: parts of little inertia far from the robot's middle: rounding, MuJoCo's as much as ours"
ROLLING = (
    "noslip on cones of six directions, for which MuJoCo stops short of what costs least where "
    "next to nothing resists rolling"
)
EVEN = (
    "ratio: from 1.9 to 2.0 from run to run; nothing in its step stands out, and kinematics, "
    "masses and forces are a third of it"
)
# Of figures beyond their gates, and why.
REASONS = {
    "hello_robot_stretch_3/scene.xml": f"{FAR}; qacc: {ROLLING}; "
    f"1 s: {APART['hello_robot_stretch_3/scene.xml']}",
    "pal_tiago/scene_motor.xml": FAR,
    "pal_tiago/scene_position.xml": FAR,
    "pal_tiago/scene_velocity.xml": FAR,
    "google_barkour_vb/scene.xml": "ratio: a dozen contacts push at a time, and to solve for them "
    "is two fifths of the step",
    "anybotics_anymal_c/scene_mjx.xml": EVEN,
}
HEAD = """# Simulation, robot by robot: how exact, how fast

Every scene of MuJoCo Menagerie and every MJCF sample that is simulated in full, beside MuJoCo 4.0.1
with its tolerances at zero. Of {states} random states the largest error: of the mass matrix, by the
diagonal; of the bias force, in the norm of M⁻¹; of the change of velocity in one smooth step by the
scene's own integrator, and of the acceleration under constraints at MuJoCo's contacts, in the norm
of M. Then how far positions are apart at most in a second from the first keyframe, and how far
noise of 1e-13 drives MuJoCo from itself. Gates: 1e-12 for the first three, 1e-8 for the fourth; a
second 1e-6 (1e-3 where hulls touch), or a thousand times what noise makes if that is more.

Speed: CPU time of a step, one thread, {steps} steps from the first keyframe with the file's own
settings, and how many times as long MuJoCo's own step takes in the same run, without what Python
adds. Gates: 2 for arms and quadrupeds, 1.2 elsewhere.

`python -m tests.figures.simulation accuracy`, then `speed`, measures anew; without a word it prints
this page.

| scene | M | bias | step | qacc | 1 s | noise | µs a step | ratio |
|---|---|---|---|---|---|---|---|---|
"""


def all_scenes() -> dict[str, Path]:
    """Those of the menagerie and the samples, by name; height fields are not computed."""
    folder = SHARED_CORPUS / "menagerie"
    found = [scene for robot in sorted(folder.iterdir()) for scene in scenes(robot)]
    found += [path for path in files_with_root(SAMPLES, "mujoco") if path.parent == SAMPLES]
    names = {f"{path.parent.name}/{path.name}": path for path in found}
    return {name: path for name, path in names.items() if "hfield" not in name}


def smooth_errors(pair: Twins, integrator: str) -> Iterator[dict[str, float]]:
    """Of random states without constraints."""
    for q, v, ctrl in pair.states(STATES):
        M = pair.mass_matrix()
        scale = np.sqrt(np.diag(M))
        (mine,) = native.mass_matrix(pair.ours, q)
        inverse = np.asarray(np.linalg.inv(M), np.float64)
        (bias,) = native.bias(pair.ours, q, v)
        theirs = pair.data.qfrc_bias.copy()
        _, v_next = pair.step(integrator)
        made = native.rollout(
            pair.ours, q, v, ctrl[:, None], steps=1, dt=pair.theirs.opt.timestep,
            integrator=integrator,
        )  # fmt: skip
        yield {
            "M": float((np.abs(mine - M) / np.outer(scale, scale)).max()),
            "bias": norm(bias - theirs, inverse) / max(norm(theirs, inverse), 1e-300),
            "step": norm(made.v[0, 0] - v_next, M) / max(norm(v_next - v[0], M), 1e-300),
        }


def accuracy(path: Path) -> dict[str, float]:
    """All errors of a scene; skips what is not covered."""
    pair = held(path)
    integrator = INTEGRATORS[pair.theirs.opt.integrator]
    cone = "elliptic" if pair.theirs.opt.cone else "pyramidal"
    found = compare(pair)._asdict()
    rows = list(smooth_errors(twins(path), integrator))
    result = {name: max(row[name] for row in rows) for name in ("M", "bias", "step")}
    errors = []
    pair.with_cone(cone)
    for state in pair.near_states(STATES):
        M, theirs = pair.mass_matrix(), pair.data.qacc.copy()
        ours = solved(pair, cone, state, tolerance=1e-18).qacc
        errors.append(norm(ours - theirs, M) / max(norm(theirs, M), 1e-300))
    result["qacc"] = max(errors)
    return result | {name: found[name] for name in ("apart", "noise", "gate")}


def speed(path: Path) -> dict[str, float]:
    """What a step costs, and the ratio."""
    times = race(path)
    return {"us": 1e6 * times.ours, "ratio": times.ratio}


def measure(what: str, words: list[str]) -> None:
    """Adds to what is kept; scenes that are not covered are left out."""
    figures: Figures = json.loads(KEPT.read_text()) if KEPT.is_file() else {}
    for name, path in all_scenes().items():
        asked = not words or any(word in name for word in words)
        if not asked or (what == "speed" and name not in figures):
            continue
        try:
            found = accuracy(path) if what == "accuracy" else speed(path)
        except (pytest.skip.Exception, KeyError) as reason:
            print(f"{name}: {reason}", file=sys.stderr)
            continue
        print(name, found, file=sys.stderr)
        figures.setdefault(name, {}).update(found)
        KEPT.write_text(json.dumps(dict(sorted(figures.items())), indent=1) + "\n")


def beyond(name: str, row: dict[str, Any]) -> list[str]:
    """Which gates a scene's figures miss."""
    missed = [key for key, gate in GATES.items() if row[key] > gate]
    missed += ["1 s"] if not row["apart"] <= row["gate"] else []
    least = 2.0 if any(part in name for part in HALF) else 1.2
    return missed + (["ratio"] if not row["ratio"] >= least else [])


def cell(value: float) -> str:
    """A power of ten says enough."""
    return f"{value:.0e}" if math.isfinite(value) else "—"


def line(name: str, row: dict[str, Any]) -> str:
    keys = {**dict.fromkeys(GATES), "apart": "1 s", "noise": None}
    missed = beyond(name, row)
    errors = " | ".join(
        cell(row[key]) + (" ¹" if (key if shown is None else shown) in missed else "")
        for key, shown in keys.items()
    )
    mark = " ¹" if "ratio" in missed else ""
    return f"| {name} | {errors} | {row['us']:.1f} | {row['ratio']:.2f}{mark} |\n"


def page() -> str:
    figures: Figures = json.loads(KEPT.read_text())
    text = HEAD.format(states=STATES, steps=500)
    text += "".join(line(name, row) for name, row in figures.items())
    text += "\n¹ Beyond its gate:\n\n| scene | why |\n|---|---|\n"
    missing = [name for name, row in figures.items() if beyond(name, row)]
    return text + "".join(f"| {name} | {REASONS[name]}. |\n" for name in missing)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1], sys.argv[2:])
    else:
        print(page(), end="")
