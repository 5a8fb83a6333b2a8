"""Mass matrix, bias, Jacobian and forces against MuJoCo's, and against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.spatial import Array
from tests.native.mechanisms import CASES
from tests.native.smooth import Twins, all_scenes, quick_files, twins, twins_of

mujoco = pytest.importorskip("mujoco")

GATE = 1e-12
# Robots with parts of little inertia far from the centre. Against extended precision MuJoCo's mass
# matrix of the first is 3e-12 off, ours 3e-12; of the second both are up to 3e-13 off.
LOOSE = {"hello_robot_stretch_3": 2e-11, "pal_tiago": 3e-12}


def norm(x: Array, weight: Array) -> float:
    return float(np.sqrt(x @ weight @ x))


def compare(pair: Twins, gate: float = GATE) -> None:
    for q, v, ctrl in pair.states():
        M = compare_mass_matrix(pair, q, gate)
        compare_forces(pair, (q, v, ctrl), M)
        compare_jacobians(pair, q)


def compare_mass_matrix(pair: Twins, q: Array, gate: float) -> Array:
    M = pair.mass_matrix()
    scale = np.sqrt(np.diag(M))
    (ours,) = native.mass_matrix(pair.ours, q)
    assert (np.abs(ours - M) <= gate * np.outer(scale, scale)).all()
    assert (ours == ours.T).all()
    return M


def compare_forces(pair: Twins, state: tuple[Array, Array, Array], M: Array) -> None:
    q, v, ctrl = state
    data, inverse = pair.data, np.asarray(np.linalg.inv(M), np.float64)
    (bias,) = native.bias(pair.ours, q, v)
    forces = native.forward(pair.ours, q, v, ctrl)
    motors = data.qfrc_actuator if pair.theirs.nu else data.qfrc_applied
    for ours, theirs in (
        (bias, data.qfrc_bias),
        (forces.passive[0], data.qfrc_passive),
        (forces.motors[0], motors),
    ):
        assert norm(ours - theirs, inverse) <= GATE * norm(theirs, inverse) + 1e-15
    assert forces.bias[0].tobytes() == bias.tobytes()
    act = np.zeros((1, pair.ours.na))
    alone = native.motor_forces(pair.ours, q, v, ctrl, act=act, dt=0.0)
    assert alone.tobytes() == forces.motors.tobytes()
    assert norm(forces.qacc[0] - data.qacc, M) <= GATE * norm(data.qacc, M)


def compare_jacobians(pair: Twins, q: Array) -> None:
    theirs, point = pair.theirs, (0.1, -0.2, 0.3)
    linear, angular = np.zeros((3, theirs.nv)), np.zeros((3, theirs.nv))
    for body in range(0, pair.model.nbodies(), 1 + pair.model.nbodies() // 5):
        at = pair.data.xpos[body + 1] + pair.data.xmat[body + 1].reshape(3, 3) @ point
        mujoco.mj_jac(theirs, pair.data, linear, angular, at, body + 1)
        (ours,) = native.jacobian(pair.ours, q, body, point)
        assert_allclose(ours, np.vstack([linear, angular]), rtol=GATE, atol=1e-11)


@pytest.mark.parametrize("path", quick_files())
def test_equals_mujoco(path: Path) -> None:
    compare(twins(path))


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_force_equals_mujocos(name: str, tmp_path: Path) -> None:
    compare(twins_of(CASES[name], tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("path", all_scenes())
def test_equals_mujoco_on_every_robot(path: Path) -> None:
    compare(twins(path), next((loose for name, loose in LOOSE.items() if name in path.parts), GATE))


def arrays(nv: int, nbody: int, njoint: int, **changes: Any) -> dict[str, Any]:
    """Arguments of a Dynamics without springs, tendons or actuators, all masses one."""
    wide = np.tile([-np.inf, np.inf], (njoint, 1))
    return {
        "gravity": np.array([0.0, 0.0, -9.81]),
        "medium": np.zeros(5),
        "v_offset": np.arange(njoint, dtype=np.int32),
        "spring_q": np.zeros(nv),
        "body_mass": np.ones(nbody),
        "body_com": np.zeros((nbody, 3)),
        "body_inertia": np.tile(np.eye(3), (nbody, 1, 1)),
        "body_gravcomp": np.zeros(nbody),
        "body_axes": np.tile([1.0, 0.0, 0.0, 0.0], (nbody, 1)),
        "joint_stiffness": np.zeros(njoint),
        "joint_force_range": wide,
        "joint_gravcomp": np.zeros(njoint),
        "armature": np.zeros(nv),
        "damping": np.zeros(nv),
        "tendon_start": np.zeros(1, np.int32),
        "term_joint": np.zeros(0, np.int32),
        "term_coefficient": np.zeros(0),
        "step_start": np.zeros(1, np.int32),
        "step_body": np.zeros((0, 3), np.int32),
        "step_frame": np.zeros((0, 11)),
        "tendon_stiffness": np.zeros(0),
        "tendon_damping": np.zeros(0),
        "tendon_rest": np.zeros((0, 2)),
        "tendon_force_range": np.zeros((0, 2)),
        "actuator_target": np.zeros((0, 3), np.int32),
        "actuator_gear": np.zeros((0, 6)),
        "actuator_ctrl_range": np.zeros((0, 2)),
        "actuator_force_range": np.zeros((0, 2)),
        "actuator_gain": np.zeros((0, 3)),
        "actuator_bias": np.zeros((0, 3)),
        "actuator_activation": np.zeros((0, 3), np.int32),
        "actuator_times": np.zeros((0, 3)),
        "actuator_muscle_gain": np.zeros((0, 8)),
        "actuator_muscle_bias": np.zeros((0, 8)),
        "shape_body": np.zeros(0, np.int32),
        "shapes": np.zeros((0, 21)),
        "actuator_act_range": np.zeros((0, 2)),
        "actuator_site": np.zeros((0, 7)),
        "actuator_other_site": np.zeros((0, 7)),
        "actuator_rod": np.zeros(0),
        "follower_joint": np.zeros((0, 2), np.int32),
        "follower_line": np.zeros((0, 2)),
        **changes,
    }


def chain(*types: int, parents: tuple[int, ...] | None = None) -> native.System:
    """Bodies with one joint each, 1 m apart along x; hinges and slides about or along y."""
    count, sizes = len(types), [(7, 4, 1, 1, 0)[kind] for kind in types]
    return native.System(
        nq=sum(sizes),
        body_parent=np.array(parents or range(-1, count - 1), np.int32),
        body_pos=np.tile([1.0, 0.0, 0.0], (count, 1)),
        body_quat=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        joint_start=np.arange(count + 1, dtype=np.int32),
        joint_type=np.array(types, np.int32),
        joint_axis=np.tile([0.0, 1.0, 0.0], (count, 1)),
        joint_anchor=np.zeros((count, 3)),
        joint_ref=np.zeros(count),
        q_offset=np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int32),
        geom_body=np.zeros(0, np.int32),
        geom_pos=np.zeros((0, 3)),
        geom_quat=np.zeros((0, 4)),
    )


def test_mass_matrix_of_a_planar_chain_in_closed_form() -> None:
    """Two links of 1 kg at the joints: the second body's mass is 1 m off the first hinge."""
    dynamics = native.Dynamics(chain(3, 3), **arrays(2, 2, 2))
    q = np.array([[0.3, -0.7]])
    assert_allclose(native.mass_matrix(dynamics, q)[0], [[3.0, 1.0], [1.0, 1.0]], rtol=1e-14)
    weight = -9.81 * np.cos(0.3)  # turning about +y lowers what lies along +x
    assert_allclose(native.bias(dynamics, q, np.zeros((1, 2)))[0], [weight, 0.0], atol=1e-14)


def test_branches_share_no_entries() -> None:
    dynamics = native.Dynamics(chain(3, 3, 3, parents=(-1, 0, 0)), **arrays(3, 3, 3))
    (M,) = native.mass_matrix(dynamics, np.array([[0.1, 0.2, 0.3]]))
    assert M[1, 2] == 0.0
    assert M[0, 1] != 0.0


def test_a_batch_gives_the_bits_that_each_state_gives_alone() -> None:
    dynamics = native.Dynamics(chain(3, 2, 3), **arrays(3, 3, 3))
    rng = np.random.default_rng(1)
    q, v, ctrl = (rng.normal(size=(5, 3)) for _ in range(3))
    together = native.forward(dynamics, q, v, ctrl)
    for row in range(5):
        one = slice(row, row + 1)
        alone = native.forward(dynamics, q[one], v[one], ctrl[one])
        for ours, theirs in zip(together, alone, strict=True):
            assert ours[one].tobytes() == theirs.tobytes()


def test_nothing_at_all_has_dynamics_too() -> None:
    dynamics = native.Dynamics(chain(), **arrays(0, 0, 0))
    nothing = np.zeros((2, 0))
    assert native.mass_matrix(dynamics, nothing).shape == (2, 0, 0)
    assert native.forward(dynamics, nothing, nothing, nothing).qacc.shape == (2, 0)


REFUSED = [
    ({"v_offset": np.array([1, 1], np.int32)}, r"v_offset\[0\]"),
    ({"v_offset": np.array([0, 2], np.int32)}, r"v_offset\[1\]"),
    ({"armature": np.zeros(3), "damping": np.zeros(3)}, r"v_offset\[2\]"),
    ({"gravity": np.zeros(2)}, "gravity"),
    ({"body_com": np.zeros((2, 2))}, "body_com"),
    ({"body_inertia": np.zeros((2, 3, 3), np.float32)}, "body_inertia"),
    ({"damping": np.zeros(1)}, "damping"),
    ({"tendon_start": np.array([1], np.int32)}, r"tendon_start\[0\]"),
    (
        {"term_joint": np.array([2], np.int32), "term_coefficient": np.ones(1)}
        | {"tendon_start": np.array([0, 1], np.int32)},
        r"term_joint\[0\]",
    ),
    ({"actuator_target": np.array([[8, 0, -1]], np.int32)}, r"actuator_transmission\[0\]"),
    ({"actuator_target": np.array([[0, 2, -1]], np.int32)}, r"actuator_target\[0\]"),
    ({"actuator_target": np.array([[2, 0, -1]], np.int32)}, r"actuator_target\[0\]"),
    ({"actuator_target": np.array([[3, 2, -1]], np.int32)}, r"actuator_target\[0\]"),
    ({"actuator_target": np.array([[5, 0, 2]], np.int32)}, r"actuator_target\[0\]"),
    ({"actuator_target": np.array([[6, -2, 0]], np.int32)}, r"actuator_target\[0\]"),
    ({"actuator_target": np.array([[7, -1, -1]], np.int32)}, r"actuator_target\[0\]"),
    ({"joint_damping": np.zeros(2)}, "arrays must be"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_wrong_arrays_are_refused(changes: dict[str, Any], message: str) -> None:
    given = arrays(2, 2, 2) | changes
    for name, part in (("tendon", len(given["tendon_start"]) - 1), ("actuator", None)):
        count = len(given["actuator_target"]) if part is None else part
        for key, value in given.items():
            if key.startswith(f"{name}_") and key not in ("tendon_start", "actuator_target"):
                given[key] = np.zeros((count, *value.shape[1:]), value.dtype)
    given["step_start"] = np.zeros_like(given["tendon_start"])
    with pytest.raises(ValueError, match=message):
        native.Dynamics(chain(3, 3), **given)


def test_a_free_joint_stands_on_the_world_alone() -> None:
    given = arrays(7, 2, 2, v_offset=np.array([0, 1], np.int32), spring_q=np.zeros(8))
    with pytest.raises(ValueError, match=r"joint\[1\] is free"):
        native.Dynamics(chain(3, 0), **given)


def test_states_of_the_wrong_shape_are_refused() -> None:
    dynamics, good = native.Dynamics(chain(3, 3), **arrays(2, 2, 2)), np.zeros((1, 2))
    bad = np.zeros((1, 3))
    for arguments in ((bad, good, good), (good, bad, good), (good, good, bad)):
        with pytest.raises(ValueError, match="shape"):
            native.forward(dynamics, *arguments)
    with pytest.raises(ValueError, match="applied"):
        native.forward(dynamics, good, good, good, applied=bad)
    for body in (-1, 2):
        with pytest.raises(ValueError, match="body must be from 0 to 1"):
            native.jacobian(dynamics, good, body)
