"""The reach of chains whose links have known lengths; a bound that no configuration breaks."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phyzctl import api
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.model.reach import reach
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Joint, JointKind, JointLimit, Link
from tests.corpus import SAMPLES


def chain(*joints: dict[str, Any]) -> Model:
    """Links in a row on a fixed base, one joint each."""
    builder = RobotBuilder("chain", dialect="mjcf").link(Link("link_0"))
    for index, changes in enumerate(joints):
        ends = {"parent": f"link_{index}", "child": f"link_{index + 1}"}
        builder.joint(Joint(f"joint_{index}", **{"kind": JointKind.CONTINUOUS, **ends, **changes}))
    return compile_model(builder.build(), base="fixed")


def slide(lower: float | None, upper: float | None, **more: Any) -> dict[str, Any]:
    return {"kind": JointKind.PRISMATIC, "limit": JointLimit(lower, upper), **more}


@pytest.mark.parametrize(
    ("joints", "expected"),
    [
        ([], 0.0),
        ([{"xyz": (0.3, 0.4, 0.0)}], 0.5),
        ([{"xyz": (0.3, 0.4, 0.0)}, {"xyz": (0.0, 0.0, 2.0)}], 2.5),
        ([{"xyz": (1.0, 0.0, 0.0), "rpy": (1.0, 2.0, 3.0)}, {"xyz": (0.0, 1.0, 0.0)}], 2.0),
        ([slide(-0.5, 0.25, xyz=(1.0, 0.0, 0.0))], 1.5),
        ([slide(0.5, 0.75, ref=0.5)], 0.25),
        ([slide(None, None)], math.inf),
        ([{"xyz": (1.0, 0.0, 0.0), "anchor": (-0.25, 0.0, 0.0)}], 1.0),
        ([{"xyz": (1.0, 0.0, 0.0), "anchor": (0.5, 0.0, 0.0)}], 2.0),
    ],
)
def test_lengths_add_up(joints: list[dict[str, Any]], expected: float) -> None:
    assert reach(chain(*joints)) == pytest.approx(expected, rel=1e-15)


def test_a_robot_of_branches_reaches_as_far_as_its_longest() -> None:
    builder = RobotBuilder("branches").link(Link("root"))
    builder.joint(Joint("a", JointKind.CONTINUOUS, "root", "left", (0.0, 1.0, 0.0)))
    builder.joint(Joint("b", JointKind.CONTINUOUS, "root", "right", (0.0, -3.0, 0.0)))
    assert reach(compile_model(builder.build(), base="fixed")) == 3.0


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.urdf")), ids=lambda path: path.stem)
def test_no_configuration_of_a_sample_goes_farther(path: Path) -> None:
    model = compile_model(api.load(path), base="fixed")
    bound = reach(model)
    if not math.isfinite(bound):
        pytest.skip("a slide without bounds")
    random = np.random.default_rng(7)
    q = random.uniform(-math.pi, math.pi, (200, model.nq))
    for index, joint in enumerate(model.joints):
        lower, upper = (np.clip(bound, -math.pi, math.pi) for bound in joint.range)
        q[:, model.q_slice(index)] = random.uniform(lower, upper, (200, joint.nq))
    origins = model.kinematics(q).bodies[:, :, :3, 3]
    farthest = np.linalg.norm(origins - origins[:, :1], axis=2).max()
    assert farthest <= bound * (1 + 1e-12)
