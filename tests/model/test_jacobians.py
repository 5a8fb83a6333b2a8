"""Jacobians against differences of kinematics, and the mass matrix against energy."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from phyzctl.model import compiler
from phyzctl.model.jacobians import Motion
from phyzctl.model.joint import JointType
from phyzctl.model.model import Model
from phyzctl.robot.elements import Dynamics, JointKind
from phyzctl.spatial import Array, quat_from_axis_angle, quat_multiply
from tests.model.robots import chain

STEP = 1e-6
KINDS = st.lists(st.sampled_from(list(JointKind)), min_size=1, max_size=4)
SEEDS = st.integers(0, 2**32 - 1)


def build(kinds: list[JointKind]) -> Model:
    builder = chain(
        *kinds,
        axis=(1.0, 2.0, -0.5),
        anchor=(0.1, -0.2, 0.3),
        rpy=(0.4, 0.1, -0.3),
        dynamics=Dynamics(armature=0.05),
    )
    return compiler.compile(builder.build(), base="floating")


def advanced(model: Model, q: Array, v: Array) -> Array:
    """q after a short time at v, in the conventions of State."""
    q = q.copy()
    for number, joint in enumerate(model.joints):
        place, rate = model.q_slice(number), v[model.v_slice(number)]
        if joint.type is JointType.FREE:
            q[place][:3] += rate[:3]
        if joint.type in (JointType.FREE, JointType.BALL):
            turn = rate[-3:]
            angle = float(np.linalg.norm(turn))
            if angle:
                q[place][-4:] = quat_multiply(q[place][-4:], quat_from_axis_angle(turn, angle))
        else:
            q[place] += rate
    return q


def random_state(model: Model, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    rest = model.default_state().q
    return advanced(model, rest, rng.normal(size=model.nv)), rng.normal(size=model.nv)


@settings(max_examples=40)
@given(KINDS, SEEDS)
def test_jacobians_are_what_differences_of_poses_say(kinds: list[JointKind], seed: int) -> None:
    model = build(kinds)
    q, v = random_state(model, seed)
    motion = Motion(model, q)
    after = model.kinematics(advanced(model, q, STEP * v)).bodies
    before = model.kinematics(advanced(model, q, -STEP * v)).bodies
    for body in range(model.nbodies()):
        X_WB = motion.X_WB[body]
        offset = np.array([0.3, -0.1, 0.2, 1.0])
        linear, angular = motion.jacobians(body, (X_WB @ offset)[:3])
        velocity = ((after[body] - before[body]) @ offset)[:3] / (2 * STEP)
        spin = (after[body] - before[body])[:3, :3] @ X_WB[:3, :3].T / (2 * STEP)
        assert_allclose(linear @ v, velocity, atol=1e-7)
        assert_allclose(angular @ v, [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-7)


@settings(max_examples=40)
@given(KINDS, SEEDS)
def test_the_mass_matrix_gives_the_kinetic_energy(kinds: list[JointKind], seed: int) -> None:
    model = build(kinds)
    q, v = random_state(model, seed)
    motion = Motion(model, q)
    M = motion.mass_matrix()
    energy = 0.5 * float(model.armature() @ (v * v))
    for number, body in enumerate(model.bodies):
        linear, angular = motion.jacobians(number, motion.com(number))
        R = motion.X_WB[number, :3, :3]
        spin = R.T @ angular @ v
        speed = linear @ v
        energy += 0.5 * float(body.mass * speed @ speed + spin @ body.inertia @ spin)
    assert_allclose(0.5 * v @ M @ v, energy, rtol=1e-10)
    assert_allclose(M, M.T, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(KINDS, SEEDS)
def test_the_diagonal_is_that_of_the_mass_matrix(kinds: list[JointKind], seed: int) -> None:
    model = build(kinds)
    motion = Motion(model, random_state(model, seed)[0])
    assert_allclose(motion.diagonal(), np.diag(motion.mass_matrix()), rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(KINDS, SEEDS)
def test_powers_are_those_of_each_bodys_weight(kinds: list[JointKind], seed: int) -> None:
    model = build(kinds)
    motion = Motion(model, random_state(model, seed)[0])
    rng = np.random.default_rng(seed)
    masses, acceleration = rng.uniform(0.0, 2.0, len(model.bodies)), rng.normal(size=3)
    each = [
        motion.jacobians(body, motion.com(body))[0].T @ (mass * acceleration)
        for body, mass in enumerate(masses)
    ]
    assert_allclose(motion.powers(masses, acceleration), sum(each), rtol=1e-9, atol=1e-9)
