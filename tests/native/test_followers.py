"""What follows others is eliminated exactly: against dense algebra, Pinocchio, closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from phyzctl.model import compiler
from phyzctl.model.constraints import constraint_arrays
from phyzctl.model.followers import place_followers
from phyzctl.model.passes.tree import BaseChoice
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Inertia, Inertial, Joint, JointKind, Link, Mimic
from phyzctl.robot.mechanism import Actuator, Gain
from phyzctl.sim.start import initial_start
from phyzctl.spatial import Array
from tests.native.followers import JOINTS, Followed, robot
from tests.native.test_dynamics import arrays, chain

SPRUNG = robot(dynamics='<dynamics damping=".3"/>')
BASES: tuple[BaseChoice, ...] = ("fixed", "floating")


def drifted(subject: Followed, states: native.States) -> float:
    """By how much followers are off their lines, at most."""
    worst = 0.0
    for q, v in zip(
        states.q.reshape(-1, subject.model.nq), states.v.reshape(-1, subject.model.nv), strict=True
    ):
        placed_q, placed_v = q.copy(), v.copy()
        place_followers(subject.model, placed_q, placed_v)
        worst = max(worst, np.abs(placed_q - q).max(), np.abs(placed_v - v).max())
    return worst


def moved(
    subject: Followed, q: Array, v: Array, *, dt: float, steps: int, integrator: str, **options: Any
) -> native.Simulated:
    ours = native.Simulation(subject.constraints, dt=dt, integrator=integrator)
    nv = subject.model.nv
    start = native.States(q[None], v[None], np.zeros((1, 0)), np.zeros((1, nv)))
    ctrl = options.pop("ctrl", np.zeros(nv))
    acting = native.Acting(ctrl[None, None], **options)
    return ours.run(start, acting, steps=steps)


@pytest.mark.parametrize("base", BASES)
def test_accelerations_are_those_of_reduced_coordinates(base: BaseChoice) -> None:
    subject, rng = Followed(robot(), base), np.random.default_rng(1)
    for _ in range(20):
        q, v = subject.state(rng)
        ctrl = rng.normal(size=subject.model.nv)
        forces = native.forward(subject.dynamics, q[None], v[None], ctrl[None])
        total = ctrl - native.bias(subject.dynamics, q[None], v[None])[0]
        expected = subject.solved(subject.mass_matrix(q), total)
        assert_allclose(forces.qacc[0], expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("base", BASES)
def test_accelerations_are_those_of_pinocchio(base: BaseChoice) -> None:
    """By its mass matrix and bias, with multipliers that keep every follower to its line."""
    pin = pytest.importorskip("pinocchio")
    root = [pin.JointModelFreeFlyer()] if base == "floating" else []
    theirs = pin.buildModelFromXML(robot(endless=False), *root)
    data, subject = theirs.createData(), Followed(robot(), base)
    names = [name for name in theirs.names[1:] if name != "root_joint"]
    order = [subject.model.v_slice(name).start for name in names]
    rng, free = np.random.default_rng(2), 6 * len(root)
    q, v = subject.state(rng)
    if free:
        q[:7], v[:6] = [0, 0, 0, 1, 0, 0, 0], 0.0
    at, rate = pin.neutral(theirs), np.zeros(theirs.nv)
    at[free and 7 :], rate[free:] = q[[d + bool(free) for d in order]], v[order]
    M, nle = pin.crba(theirs, data, at), pin.nonLinearEffects(theirs, data, at, rate)
    M = np.triu(M) + np.triu(M, 1).T
    columns = [*range(free), *order]
    follow = (np.eye(subject.model.nv) - subject.G)[np.ix_(range(subject.model.nv), columns)]
    J = follow[np.abs(follow).sum(axis=1) > 0]
    zero = np.zeros((len(J), len(J)))
    solution = np.linalg.solve(np.block([[M, J.T], [J, zero]]), [*-nle, *np.zeros(len(J))])
    ours = native.forward(subject.dynamics, q[None], v[None], np.zeros((1, subject.model.nv)))
    assert_allclose(ours.qacc[0, columns], solution[: len(columns)], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("integrator", ["euler", "implicitfast"])
def test_a_damped_step_is_that_of_reduced_coordinates(integrator: str, base: BaseChoice) -> None:
    subject, rng, h = Followed(SPRUNG, base), np.random.default_rng(3), 0.01
    B = np.diag([joint.damping for joint in subject.model.joints for _ in range(joint.nv)])
    for _ in range(10):
        q, v = subject.state(rng)
        end = moved(subject, q, v, dt=h, steps=1, integrator=integrator).last
        total = -B @ v - native.bias(subject.dynamics, q[None], v[None])[0]
        expected = v + h * subject.solved(subject.mass_matrix(q) + h * B, total)
        assert_allclose(end.v[0], expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
@pytest.mark.parametrize("base", BASES)
def test_followers_never_leave_their_lines(base: BaseChoice, integrator: str) -> None:
    subject = Followed(SPRUNG, base)
    q, v = subject.state(np.random.default_rng(4))
    made = moved(subject, q, v, dt=0.002, steps=5000, integrator=integrator)
    assert made.made[0] == 5000
    assert drifted(subject, made.states) <= 1e-14
    assert np.ptp(made.states.q[0], axis=0).max() > 0.5


def energy(subject: Followed, states: native.States) -> Array:
    """Kinetic, and of heights, of every state."""
    q, v = states.q[0], states.v[0]
    M = native.mass_matrix(subject.dynamics, q)
    kinetic = 0.5 * np.einsum("ni,nij,nj->n", v, M, v)
    heights = np.zeros(len(q))
    X_WB = native.kinematics(subject.model.system, q).bodies
    for number, body in enumerate(subject.model.bodies):
        w, axis = X_WB[:, number, 3:4], X_WB[:, number, 4:]
        com = np.broadcast_to(body.com, axis.shape)
        twice = 2.0 * np.cross(axis, com)
        place = X_WB[:, number, :3] + com + w * twice + np.cross(axis, twice)
        heights += 9.81 * body.mass * place[:, 2]
    total: Array = kinetic + heights
    return total


@pytest.mark.parametrize(("integrator", "allowed"), [("rk4", 1e-9), ("best", 1e-4)])
def test_what_nothing_damps_keeps_its_energy(integrator: str, allowed: float) -> None:
    subject = Followed(robot(), "fixed")
    q, v = subject.state(np.random.default_rng(5))
    made = moved(subject, q, v, dt=0.0005, steps=2000, integrator=integrator)
    found = energy(subject, made.states)
    assert np.abs(found - found[0]).max() <= allowed * np.abs(found).max()


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_a_gear_reflects_inertia_by_its_ratio_squared(integrator: str) -> None:
    """Two wheels, I and J, the second n times as fast: tau = (I + n² J) a."""
    text = """<robot name="gear"><link name="world"/>
      <link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
        izz=".5"/></inertial></link>
      <link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
        izz=".02"/></inertial></link>
      <joint name="motor" type="continuous"><parent link="world"/><child link="a"/>
        <axis xyz="0 0 1"/></joint>
      <joint name="gear" type="continuous"><parent link="world"/><child link="b"/>
        <axis xyz="0 0 1"/><mimic joint="motor" multiplier="-7"/></joint></robot>"""
    subject, torque = Followed(text), 3.0
    end = moved(
        subject, np.zeros(2), np.zeros(2), dt=0.01, steps=100, integrator=integrator,
        ctrl=np.array([torque, 0.0]),
    ).last  # fmt: skip
    speed = torque / (0.5 + 49 * 0.02)
    assert_allclose(end.v[0], [speed, -7 * speed], rtol=1e-12)
    by_follower = moved(
        subject, np.zeros(2), np.zeros(2), dt=0.01, steps=100, integrator=integrator,
        ctrl=np.array([0.0, torque]),
    ).last  # fmt: skip
    assert_allclose(by_follower.v[0, 0], -7 * speed, rtol=1e-12)


def touching(rng: np.random.Generator, bodies: int) -> native.ContactRows:
    """Frictionless contacts of random bodies with each other and the world."""
    count = 4
    pairs = np.array([rng.choice(bodies + 1, 2, replace=False) - 1 for _ in range(count)])
    frames = [np.linalg.qr(rng.normal(size=(3, 3)))[0].ravel() for _ in range(count)]
    law = [1, 1, 1, 1, 1, 0.02, 1, 0, 0, 0.9, 0.95, 0.001, 0.5, 2, 0, 0, 0]
    return native.ContactRows(
        np.column_stack([np.ones(count), pairs]).astype(np.int32),
        np.tile(np.array(law, dtype=np.float64), (count, 1)),
        np.column_stack([np.full(count, -1e-3), rng.normal(size=(count, 3)), frames]),
    )


def test_what_holds_a_follower_holds_its_leader() -> None:
    """At the minimum, what the rows push balances G' (M a - f); rows are soft as MuJoCo's."""
    narrow = 'lower="-.1" upper=".1" effort="9" velocity="9"'
    subject = Followed(robot(dynamics='<dynamics friction=".2"/>', limit=narrow), "floating")
    rng, pushed = np.random.default_rng(6), 0
    for _ in range(20):
        q, v = subject.state(rng)
        ctrl, contacts = rng.normal(size=subject.model.nv), touching(rng, len(JOINTS))
        held = native.forward_held(subject.constraints, q, v, ctrl, dt=0.001, contacts=contacts)
        rows = native.constraint_rows(subject.constraints, q, v, dt=0.001, contacts=contacts)
        push = (rows.aref - rows.J @ held.qacc) / rows.R
        friction = rows.origin == native.ORIGINS.index("dof")
        push[~friction] = np.maximum(push[~friction], 0.0)
        push[friction] = np.clip(push[friction], -0.2, 0.2)
        total = ctrl - native.bias(subject.dynamics, q[None], v[None])[0]
        balance = subject.mass_matrix(q) @ held.qacc - total - rows.J.T @ push
        assert np.abs(subject.basis.T @ balance).max() <= 1e-8 * np.abs(total).max()
        assert_allclose(subject.G @ held.qacc, held.qacc, rtol=1e-12, atol=1e-12)
        chained = (rows.origin == native.ORIGINS.index("joint")) & (
            rows.source == subject.model.joint_index("chain")
        )
        pushed += int((push[chained] > 0.0).any())
    assert pushed > 5


def test_softness_is_that_of_what_moves_together() -> None:
    """With exact diagonals R = (1 - d) / d J G (G' M G)^-1 G' J'; d is .9 at a miss of 0."""
    subject = Followed(robot(dynamics='<dynamics friction=".2"/>'))
    exact = native.Constraints(
        subject.dynamics, **constraint_arrays(subject.model) | {"diagexact": True}
    )
    q, v = subject.state(np.random.default_rng(8))
    B, M = subject.basis, subject.mass_matrix(q)
    inverse = B @ np.linalg.inv(B.T @ M @ B) @ B.T
    rows = native.constraint_rows(exact, q, v, dt=0.001)
    mobile = np.einsum("ij,jk,ik->i", rows.J, inverse, rows.J)
    moving = mobile > 1e-12
    assert moving.sum() == len(JOINTS) - 3  # one is fixed, one held, one led by nothing
    assert_allclose(rows.R[moving], mobile[moving] / 9.0, rtol=1e-9)


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_a_run_goes_on_to_the_same_bits(integrator: str) -> None:
    subject = Followed(robot(dynamics='<dynamics damping=".1" friction=".2"/>'), "floating")
    q, v = subject.state(np.random.default_rng(7))
    ours = native.Simulation(subject.constraints, dt=0.002, integrator=integrator)
    nv = subject.model.nv
    acting = native.Acting(np.zeros((1, 1, nv)))
    start = native.States(q[None], v[None], np.zeros((1, 0)), np.zeros((1, nv)))
    whole = ours.run(start, acting, steps=100).last
    half = ours.run(ours.run(start, acting, steps=50).last, acting, steps=50).last
    assert all(a.tobytes() == b.tobytes() for a, b in zip(whole, half, strict=True))


@pytest.mark.parametrize(
    "pairs",
    [
        [[0, 3]], [[3, 0]], [[-1, 0]],  # of three joints none is the fourth
        [[0, 1], [0, 2]], [[0, 1], [1, 2]], [[0, 0]], [[0, -2]],
    ],
)  # fmt: skip
def test_impossible_followers_are_refused(pairs: list[list[int]]) -> None:
    given = arrays(3, 3, 3) | {
        "follower_joint": np.array(pairs, np.int32),
        "follower_line": np.ones((len(pairs), 2)),
    }
    with pytest.raises(ValueError, match="follower_joint"):
        native.Dynamics(chain(3, 3, 3), **given)


def test_the_robot_has_every_kind_of_follower() -> None:
    names = [name for name, *_ in JOINTS]
    assert any(names.index(mimic[0]) > names.index(name) for name, _, _, mimic in JOINTS if mimic)
    assert math.isclose(Followed(robot()).basis.shape[1], 3)


def geared(*actuators: Actuator) -> Followed:
    """A pendulum that another one follows, and what pulls on them."""
    builder = RobotBuilder("geared").link(Link("world"))
    for name, mimic in (("lead", None), ("follow", Mimic("lead", -2.5, 0.3))):
        inertial = Inertial(1.0, Inertia(0.1, 0.0, 0.0, 0.2, 0.0, 0.3), xyz=(0.2, 0.0, 0.0))
        builder.link(Link(f"{name} arm", inertial))
        builder.joint(
            Joint(
                name,
                JointKind.CONTINUOUS,
                "world",
                f"{name} arm",
                axis=(0.0, 1.0, 0.0),
                mimic=mimic,
            )
        )
    for actuator in actuators:
        builder.actuator(actuator)
    return Followed(compiler.compile(builder.build()))


def servo(target: str, gear: float, offset: float, force: float | None) -> Actuator:
    limits = None if force is None else (-force, force)
    return Actuator(
        "servo", target, gear=(gear,), gain_parameters=(80.0,), bias=Gain.AFFINE,
        bias_parameters=(-80.0 * offset, -80.0, -2.0), force_range=limits,
    )  # fmt: skip


@pytest.mark.parametrize("force", [None, 4.0])
@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_a_servo_on_a_follower_is_one_on_its_leader_through_a_gear(
    integrator: str, force: float | None
) -> None:
    """Its length is -2.5 q + 0.3: a gear of -2.5, and the offset in its law."""
    ends = []
    for actuator in (servo("follow", 1.0, 0.0, force), servo("lead", -2.5, 0.3, force)):
        subject = geared(actuator)
        q = initial_start(subject.model).state.q
        made = moved(
            subject, q, np.zeros(2), dt=0.005, steps=400, integrator=integrator,
            ctrl=np.array([0.7]),
        )  # fmt: skip
        assert made.made[0] == 400
        ends.append(made.states.q[0])
    assert_allclose(ends[0], ends[1], rtol=1e-9, atol=1e-9)
    assert np.ptp(ends[0]) > 0.1
