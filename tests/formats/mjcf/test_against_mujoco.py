"""Real robots: what is read equals what MuJoCo reads, and compiles to what MuJoCo compiles.

A file that MuJoCo refuses must have an Issue of severity error. Where we differ on purpose, or
MuJoCo depends on more than the file, it stands in `EXCEPTIONS` with the reason, which is printed
(`pytest -rP`); a file that has come to agree must be taken out of the table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import pytest
from _pytest.mark.structures import ParameterSet

from phyzctl import formats
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compiled_model
from tests.corpus import SAMPLES, files_with_root, robot_params
from tests.formats.mjcf import against_mujoco, compiled

_FRAGMENT = "keys for another file to include: without joints of its own none is too long"
_MUSCLE = "MuJoCo 4 fails to find a muscle's length range by simulation; 3.17 finds it"
_NO_MASS = "bodies that only boundmass makes heavy: MuJoCo puts their centre beside them"
_POLYGONS = "faces of up to 216 corners: MuJoCo cuts off ears, we make fans, volumes differ"

# Ends of paths, and why MuJoCo's answer is not ours.
EXCEPTIONS = {
    "aloha/keyframe_ctrl.xml": _FRAGMENT,
    "aloha/keyframe_no_act.xml": _FRAGMENT,
    "shadow_hand/keyframes.xml": _FRAGMENT,
    "tendon_arm/arm26.xml": _MUSCLE,
    "hello_robot_stretch_3/stretch.xml": _POLYGONS,
    "hello_robot_stretch_3/scene.xml": _POLYGONS,
    "elbow/myoelbow_1dof6muscles.xml": _NO_MASS,
    "elbow/myoelbow_1dof6muscles_1dofexo.xml": _NO_MASS,
    "elbow/myoelbow_2dof6muscles.xml": _NO_MASS,
}
# Of the menagerie, what a run that is not slow looks at: every idiom that it has.
_QUICK = (
    "agility_cassie/cassie.xml",
    "bitcraze_crazyflie_2/cf2.xml",
    "dynamixel_2r/scene.xml",
    "flybody/fruitfly.xml",
    "franka_emika_panda/scene.xml",
    "google_barkour_vb/scene_hfield_mjx.xml",
    "iit_softfoot/scene.xml",
    "robotiq_2f85_v4/mjx_2f85.xml",
    "shadow_dexee/shadow_dexee.xml",
    "tetheria_aero_hand_open/scene_right.xml",
    "toddlerbot_2xc/scene_mjx.xml",
    "unitree_go2/go2_mjx.xml",
)
# Thousands of geoms, compared one by one.
_LARGE = ("humanoid/100_humanoids.xml", "replicate/particle.xml", "replicate/leaves.xml")


def _shared() -> list[ParameterSet]:
    """The shared robots: examples of MuJoCo and a choice of the menagerie, the others slow."""
    params = robot_params("shared", "mujoco")
    return [
        param if _is_quick(str(param.id)) else _slow(param)
        for param in params
        if not str(param.id).startswith("lint_cases/")
    ]


def _samples() -> list[ParameterSet]:
    """The samples, broken ones apart, which have one defect each."""
    files = (path for path in files_with_root(SAMPLES, "mujoco") if "broken" not in path.parts)
    return [pytest.param(path, id=path.name) for path in files]


def _is_quick(name: str) -> bool:
    return name.endswith(_QUICK) or (name.startswith("mujoco/") and not name.endswith(_LARGE))


def _slow(param: ParameterSet) -> ParameterSet:
    return pytest.param(*param.values, id=param.id, marks=(*param.marks, pytest.mark.slow))


@pytest.mark.parametrize("path", _shared())
def test_shared(path: Path) -> None:
    _expect_agreement(path)


@pytest.mark.parametrize("path", _samples())
def test_samples(path: Path) -> None:
    _expect_agreement(path)


@pytest.mark.parametrize("path", robot_params("s", "mujoco"))
def test_tier_s(path: Path) -> None:
    _expect_agreement(path)


@pytest.mark.corpus_m
@pytest.mark.parametrize("path", robot_params("m", "mujoco"))
def test_tier_m(path: Path) -> None:
    _expect_agreement(path)


def _expect_agreement(path: Path) -> None:
    found = _disagreements(path)
    for end, reason in EXCEPTIONS.items():
        if path.as_posix().endswith(end):
            print(f"{end}: {reason}")
            assert found, "agrees by now: take it out of EXCEPTIONS"
            return
    assert found == []


def _disagreements(path: Path) -> list[str]:
    """What is different, or refused by only one of both."""
    issues = Issues()
    robot = formats.read(str(path), issues).robot
    assert robot is not None
    theirs = _compiled_by_mujoco(path)
    if isinstance(theirs, str):
        model = compiled_model(robot, issues=issues)
        faults = [*issues.errors, *model.fatal_issues()]
        return [] if faults else [f"MuJoCo refuses it: {theirs}"]
    model = compiled_model(robot)
    return [
        *(str(issue) for issue in issues.errors),
        *against_mujoco.differences(robot, theirs),
        *compiled.differences(model, theirs),
    ]


def _compiled_by_mujoco(path: Path) -> Any:
    """MuJoCo's model, or why there is none."""
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        return str(error)
