"""Which robots of tier S are not compared when they are converted, and why: no others.

The comparisons themselves stand with the writers: every other file of the tier goes there and
back (URDF, MJCF, URDF and MJCF, URDF, MJCF), and MuJoCo and Pinocchio find in what is written the
masses, inertias, ranges and poses of our Model.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import phyzctl
from phyzctl.formats import read
from phyzctl.issues import Issues
from tests.corpus import corpus_dir, robot_files

# Reading finds errors, so that convert writes nothing: fragments that others include, which name
# links that they don't have, and a free joint where MuJoCo takes none.
NOT_CONVERTED = {
    "finger_macro.urdf": {"T401", "X006"},
    "trifinger_stage.urdf": {"T404"},
    "trifingeredu_stage.urdf": {"T404"},
    "world_body_transform.xml": {"T407"},
}
# Their package has no such mesh.
NOT_LOADED = {
    "trifinger_with_stage.urdf": "meshes are missing",
    "trifingeredu_with_stage.urdf": "meshes are missing",
    "trifingerpro_with_stage.urdf": "meshes are missing",
}


# Fragments of which no link stands in a tree: there is nothing that could be compared.
EMPTY = {"finger_macro.urdf", "trifinger_stage.urdf", "trifingeredu_stage.urdf"}


def faults_of(path: Path) -> set[str]:
    """The errors that stop convert; files that are missing don't stop the comparisons."""
    issues = Issues()
    robot = read(str(path), issues).robot
    assert robot is not None or issues.errors
    return {issue.code.id for issue in issues.errors if issue.code.id[0] != "F"}


def links_of(path: Path) -> int:
    robot = read(str(path), Issues()).robot
    return 0 if robot is None else len(robot.links)


def unloadable(path: Path) -> str | None:
    """Why MuJoCo is not asked to load what is written of a URDF."""
    robot = phyzctl.load(path, issues=Issues())
    if any(mesh.uri and mesh.file is None for mesh in robot.meshes):
        return "meshes are missing"
    fatal = {issue.code.id for issue in phyzctl.validate(robot) if issue.fatal}
    return f"errors: {', '.join(sorted(fatal))}" if fatal else None


@pytest.mark.slow
def test_every_file_of_tier_s_is_converted_but_those_with_errors() -> None:
    files = [*robot_files("s", "robot"), *robot_files("s", "mujoco")]
    found = {path.name: faults for path in files if (faults := faults_of(path))}
    for name, faults in found.items():
        print(f"{name}: not converted, reading finds {', '.join(sorted(faults))}")
    print(f"{len(files) - len(found)} of {len(files)} are converted")
    assert found == NOT_CONVERTED
    assert {path.name for path in files if not links_of(path)} == EMPTY


@pytest.mark.slow
def test_mujoco_loads_what_is_written_of_every_urdf_that_is_whole_and_sound() -> None:
    folder = corpus_dir("s")
    whole = [path for path in robot_files("s", "robot") if not faults_of(path)]
    reasons = {path: why for path in whole if (why := unloadable(path))}
    for path, why in reasons.items():
        print(f"{path.relative_to(folder)}: not loaded by MuJoCo, {why}")
    print(f"{len(whole) - len(reasons)} of {len(whole)} are loaded")
    assert {path.name: why for path, why in reasons.items()} == NOT_LOADED
