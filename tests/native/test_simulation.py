"""Simulation: steps with constraints against MuJoCo's, contacts left out; runs, and their ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from tests.native.held import Held, held, written
from tests.native.smooth import INTEGRATORS, all_scenes, quick_files
from tests.native.test_constraints import EQUALITIES, TREE, active

mujoco = pytest.importorskip("mujoco")

GATE = 1e-8
NO_CONTACT = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
BEYOND = 1e10  # where our runs stop


def simulation(pair: Held, integrator: str, **options: Any) -> native.Simulation:
    cone = "elliptic" if pair.theirs.opt.cone else "pyramidal"
    settings = {"dt": pair.theirs.opt.timestep, "tolerance": 1e-20} | options
    return native.Simulation(pair.with_cone(cone), integrator=integrator, **settings)


def at(pair: Held) -> tuple[native.States, native.Acting]:
    """The state that MuJoCo is in."""
    data = pair.data
    ctrl = data.ctrl if pair.theirs.nu else np.zeros(pair.theirs.nv)
    wanted = np.array([each.element.active for each in pair.model.equalities], np.bool_)
    rows = (data.qpos, data.qvel, data.act, data.qacc_warmstart)
    states = native.States(*(np.array(row)[None] for row in rows))
    acting = native.Acting(
        np.array(ctrl)[None, None],
        np.array(data.qfrc_applied)[None],
        np.array(data.xfrc_applied)[None, 1:],
        wanted[None] if len(wanted) == pair.with_cone("elliptic").neq else None,
    )
    return states, acting


def compare(pair: Held, states: int, integrators: tuple[str, ...], steps: int = 1) -> None:
    """One step each from random states: changes of velocity in the norm of M."""
    theirs, data = pair.theirs, pair.data
    theirs.opt.disableflags |= NO_CONTACT
    try:
        for integrator in integrators:
            ours = simulation(pair, integrator)
            theirs.opt.integrator = INTEGRATORS[integrator]
            for q, v, _ in pair.near_states(states):
                M, (start, acting) = pair.mass_matrix(), at(pair)
                for _ in range(steps):
                    mujoco.mj_step(theirs, data)
                made = ours.run(start, acting, steps=steps)
                if np.abs(data.qvel).max() > BEYOND:
                    assert native.STATUSES[made.status[0]] == "not finite"
                    continue
                error, change = made.last.v[0] - data.qvel, data.qvel - v
                allowed = GATE * math.sqrt(change @ M @ change)
                assert math.sqrt(error @ M @ error) <= allowed, integrator
                moved = np.abs(data.qpos - q).max()
                assert_allclose(made.last.q[0], data.qpos, rtol=0, atol=1e-7 * moved)
                assert_allclose(made.last.act[0], data.act, rtol=1e-12, atol=1e-15)
                assert made.status[0] == 0
    finally:
        theirs.opt.disableflags &= ~NO_CONTACT


@pytest.mark.parametrize("path", quick_files())
def test_one_step_equals_mujocos(path: Path) -> None:
    compare(held(path), 3, ("euler", "implicitfast"))


@pytest.mark.slow
@pytest.mark.parametrize("path", all_scenes())
def test_one_step_equals_mujocos_on_every_robot(path: Path) -> None:
    compare(held(path), 3, ("euler", "implicitfast", "rk4"))


@pytest.mark.parametrize("name", EQUALITIES)
def test_every_kind_of_equality(name: str, tmp_path: Path) -> None:
    pair = written(f"{TREE}<equality>{EQUALITIES[name]}</equality>", tmp_path)
    compare(pair, 3, ("euler", "implicitfast", "rk4"))
    assert len(active(pair)) == pair.theirs.neq


ARM = """
    <worldbody><body gravcomp=".3"><joint name="a" axis="0 1 0" damping=".4" stiffness="3"
        actuatorfrcrange="-8 8" frictionloss=".1"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".5 0 0"><joint name="b" axis="0 1 0" damping=".2" springref=".3" stiffness="2"
        range="-.2 .2" limited="true"/><geom size=".1" pos=".3 0 .1"/></body></body></worldbody>
    <tendon><fixed name="t" stiffness="5" damping="1" range="-.1 .1" limited="true">
      <joint joint="a" coef="1"/><joint joint="b" coef="-.7"/></fixed></tendon>"""
ACTUATORS = {
    "integrator": '<intvelocity joint="a" kp="30" kv="2" actrange="-.5 .5"/>'
    '<general joint="b" dyntype="integrator" gainprm="3"/>',
    "filter": '<general joint="a" dyntype="filter" dynprm=".05" gainprm="20" ctrlrange="-1 .2"/>'
    '<general tendon="t" dyntype="filter" dynprm=".001" gainprm="4"/>',
    "filterexact": '<position joint="a" kp="40" timeconst=".02"/>'
    '<general joint="b" dyntype="filterexact" dynprm=".1" gainprm="5" actlimited="true" '
    'actrange="-.1 .1"/>',
    "early": '<general joint="a" dyntype="filter" dynprm=".05" gainprm="20" actearly="true"/>'
    '<general joint="b" dyntype="integrator" actearly="true" gaintype="affine" gainprm="3 1 -2" '
    'biastype="affine" biasprm="1 -2 -3"/><motor joint="b" gear="3"/>',
    "clamped": '<general joint="a" dyntype="filterexact" dynprm=".1" gainprm="500" '
    'biastype="affine" biasprm="0 -500 -30" forcerange="-5 5"/><velocity joint="b" kv="200"/>',
}


@pytest.mark.parametrize("name", ACTUATORS)
def test_every_kind_of_activation(name: str, tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS[name]}</actuator>", tmp_path)
    compare(pair, 4, ("euler", "implicitfast", "rk4"))
    compare(pair, 2, ("euler", "implicitfast", "rk4"), steps=40)


FLAGS = (
    "eulerdamp", "spring", "damper", "gravity", "clampctrl", "actuation", "limit", "frictionloss",
    "equality", "constraint", "refsafe", "warmstart",
)  # fmt: skip


@pytest.mark.parametrize("flag", FLAGS)
def test_every_flag_that_can_be_disabled(flag: str, tmp_path: Path) -> None:
    text = f"""<option><flag {flag}="disable"/></option>{ARM}
      <equality><joint joint1="a" joint2="b" polycoef="0 .3" solref=".001 1"/></equality>
      <actuator><position joint="a" kp="40" kv="3" ctrlrange="-.2 .2"/>
        <general joint="b" dyntype="integrator"/></actuator>"""
    pair = written(text, tmp_path)
    compare(pair, 4, ("euler", "implicitfast", "rk4"))


def test_without_springs_and_dampers_nothing_is_passive(tmp_path: Path) -> None:
    text = f'<option><flag spring="disable" damper="disable"/></option>{ARM}'
    compare(written(text, tmp_path), 4, ("euler", "implicitfast"))


def test_forces_on_bodies(tmp_path: Path) -> None:
    pair = written(TREE, tmp_path)
    rng = np.random.default_rng(8)
    theirs, data = pair.theirs, pair.data
    theirs.opt.disableflags |= NO_CONTACT
    ours = simulation(pair, "euler")
    for _ in pair.near_states(4):
        data.xfrc_applied[1:] = rng.normal(0.0, 3.0, (theirs.nbody - 1, 6))
        start, acting = at(pair)
        mujoco.mj_step(theirs, data)
        assert_allclose(ours.run(start, acting, steps=1).last.v[0], data.qvel, rtol=1e-9)
    theirs.opt.disableflags &= ~NO_CONTACT


def several(pair: Held, count: int) -> tuple[native.States, native.Acting]:
    """Random states, each with controls of its own."""
    found = list(states_of(pair, count))
    states = native.States(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
    rng = np.random.default_rng(0)
    width = pair.ours.nctrl
    return states, native.Acting(rng.normal(0.0, 0.2, (count, 20, width)))


def states_of(pair: Held, count: int) -> Iterator[native.States]:
    for _ in pair.near_states(count):
        yield at(pair)[0]


def same_bits(a: Any, b: Any) -> bool:
    return all(
        np.asarray(x).tobytes() == np.asarray(y).tobytes() for x, y in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_threads_and_batches_change_no_bit(integrator: str, tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS['filter']}</actuator>", tmp_path)
    ours = simulation(pair, integrator)
    states, acting = several(pair, 5)
    whole = ours.run(states, acting, steps=20, every=3)
    again = ours.run(states, acting, steps=20, every=3, threads=3)
    assert same_bits(whole.states, again.states)
    assert same_bits(whole.last, again.last)
    for i in range(5):
        one = native.States(*(part[i : i + 1] for part in states))
        alone = ours.run(one, native.Acting(acting.ctrl[i : i + 1]), steps=20, every=3)
        assert same_bits(alone.last, [part[i : i + 1] for part in whole.last])


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_a_run_goes_on_from_its_last_state_bit_for_bit(integrator: str, tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS['early']}</actuator>", tmp_path)
    ours = simulation(pair, integrator, tolerance=1e-10)
    states, acting = several(pair, 2)
    whole = ours.run(states, acting, steps=20)
    first = ours.run(states, native.Acting(acting.ctrl[:, :12].copy()), steps=12)
    rest = ours.run(first.last, native.Acting(acting.ctrl[:, 12:].copy()), steps=8)
    assert same_bits(rest.last, whole.last)
    logged = native.States(*(part[:, 5].copy() for part in whole.states))
    later = ours.run(logged, native.Acting(acting.ctrl[:, 5:].copy()), steps=15)
    assert same_bits(later.last, whole.last)


def test_samples_stand_before_every_so_many_steps(tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS['filter']}</actuator>", tmp_path)
    ours = simulation(pair, "euler")
    states, acting = several(pair, 2)
    whole, thinned = (ours.run(states, acting, steps=20, every=n) for n in (1, 6))
    assert thinned.states.q.shape == (2, 4, pair.theirs.nq)
    assert same_bits([part[:, 0] for part in whole.states], states)
    assert same_bits(thinned.states, [part[:, ::6] for part in whole.states])
    assert same_bits([whole.ctrl, thinned.ctrl], [acting.ctrl, acting.ctrl[:, ::6]])
    for first in range(0, 20, 6):
        row, steps = thinned.solver[:, first // 6], whole.solver[:, first : first + 6]
        assert same_bits([row[:, :2], row[:, 2:]], [steps[:, :, :2].max(axis=1), steps[:, 0, 2:]])
    assert (whole.made == 20).all()
    assert (whole.capped == 0).all()


def test_a_run_that_breaks_stops_at_its_last_good_state(tmp_path: Path) -> None:
    pair = written(f'{ARM}<actuator><velocity joint="b" kv="-1e5"/></actuator>', tmp_path)
    ours = simulation(pair, "euler")
    state = pair.model.default_state()
    start = native.States(state.q[None], state.v[None] + 1.0, np.zeros((1, 0)), np.zeros((1, 2)))
    made = ours.run(start, native.Acting(np.zeros((1, 1, 1))), steps=200)
    (steps,), status = made.made, native.STATUSES[made.status[0]]
    assert 0 < steps < 200
    assert status == "not finite"
    assert made.element[0] in (0, 1)
    assert np.isfinite(made.last.q).all()
    assert np.abs(made.last.v).max() <= 1e10
    for rows in (*made.states, made.ctrl, made.solver):
        assert np.isnan(rows[0, steps:]).all()
        assert np.isfinite(rows[0, :steps]).all()
    again = ours.run(start, native.Acting(np.zeros((1, 1, 1))), steps=int(steps))
    assert same_bits(again.last, made.last)


def test_a_run_that_breaks_between_samples_keeps_those_before(tmp_path: Path) -> None:
    pair = written(f'{ARM}<actuator><velocity joint="b" kv="-1e5"/></actuator>', tmp_path)
    state = pair.model.default_state()
    start = native.States(state.q[None], state.v[None] + 1.0, np.zeros((1, 0)), np.zeros((1, 2)))
    made = simulation(pair, "euler").run(
        start, native.Acting(np.zeros((1, 1, 1))), steps=200, every=7
    )
    filled = -(-int(made.made[0]) // 7)
    assert np.isfinite(made.states.q[0, :filled]).all()
    assert np.isnan(made.states.q[0, filled:]).all()


def law(pair: Held, rng: np.random.Generator, controls: int) -> native.Feedback:
    """Holds both joints by all controls but the last, with gains of no symmetry."""
    picked = np.arange(2, dtype=np.int32)
    return native.Feedback(
        positions=picked,
        velocities=picked,
        controls=np.array([0, controls - 2], np.int32),
        rest=rng.normal(size=2),
        offsets=rng.normal(size=2),
        gains=rng.normal(size=(2, 2)),
        stiffness=3.0,
        damping=0.5,
    )


@pytest.mark.parametrize("integrator", native.INTEGRATORS)
def test_a_feedback_is_computed_at_every_step(integrator: str, tmp_path: Path) -> None:
    """As if controls had been given step by step, by the formula."""
    pair = written(f"{ARM}<actuator>{ACTUATORS['early']}</actuator>", tmp_path)
    ours, rng = simulation(pair, integrator), np.random.default_rng(4)
    feedback = law(pair, rng, pair.ours.nctrl)
    states, acting = several(pair, 2)
    held = ours.run(states, acting._replace(feedback=feedback), steps=20, threads=2)
    now = states
    for step in range(20):
        rows = acting.ctrl[:, step].copy()
        for i in range(2):
            q, v, added = now.q[i], now.v[i], np.zeros(pair.ours.nctrl)
            wanted = -feedback.stiffness * (q - feedback.rest) - feedback.damping * v
            np.add.at(added, feedback.controls, feedback.offsets + feedback.gains @ wanted)
            assert_allclose(held.ctrl[i, step], rows[i] + added, rtol=1e-12, atol=1e-14)
            assert same_bits([feedback.added(rows[i], q, v)], [held.ctrl[i, step]])
        now = ours.run(now, native.Acting(held.ctrl[:, step : step + 1].copy()), steps=1).last
    assert same_bits(now, held.last)


FAULTY_LAWS: dict[str, Any] = {
    "positions must be from 0 to": {"positions": np.array([0, 9], np.int32)},
    "velocities must be from 0 to": {"velocities": np.array([-1, 0], np.int32)},
    "controls must be from 0 to": {"controls": np.array([0, 7], np.int32)},
    "controls must have dtype int32": {"controls": np.array([0, 1])},
    "rest must have shape": {"rest": np.zeros(3)},
    "offsets must have shape": {"offsets": np.zeros(1)},
    "gains must have shape": {"gains": np.zeros((2, 3))},
}


@pytest.mark.parametrize(("message", "change"), FAULTY_LAWS.items())
def test_feedbacks_that_do_not_fit(message: str, change: dict[str, Any], tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS['early']}</actuator>", tmp_path)
    faulty = law(pair, np.random.default_rng(0), pair.ours.nctrl)._replace(**change)
    states, acting = several(pair, 1)
    with pytest.raises(ValueError, match=message):
        simulation(pair, "euler").run(states, acting._replace(feedback=faulty), steps=20)


def test_numbers_that_are_none_move_nothing(tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS['filter']}</actuator>", tmp_path)
    states, acting = several(pair, 1)
    acting.ctrl[0, 3] = np.nan
    for integrator in native.INTEGRATORS:
        made = simulation(pair, integrator).run(states, acting, steps=20)
        assert made.made[0] == 3 + (integrator != "rk4") * 0 or made.made[0] == 4
        assert native.STATUSES[made.status[0]] == "not finite"
        assert np.isfinite(made.last.v).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dt": math.inf}, "dt must be finite"),
        ({"integrator": "verlet"}, "integrator must be one of"),
        ({"iterations": 0}, "iterations must be at least 1"),
    ],
)
def test_impossible_simulations_are_refused(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    pair = written(ARM, tmp_path)
    given: dict[str, Any] = {"dt": 0.001} | options
    with pytest.raises(ValueError, match=message):
        native.Simulation(pair.with_cone("elliptic"), **given)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.zeros((1, 3))}, "q must have shape"),
        ({"v": np.zeros((2, 2))}, "v must have shape"),
        ({"act": np.zeros((1, 1))}, "act must have shape"),
        ({"qacc_warmstart": np.zeros((1, 1))}, "qacc_warmstart must have shape"),
        ({"ctrl": np.zeros((1, 3, 2))}, "ctrl must have 1 or 5 rows"),
        ({"ctrl": np.zeros((1, 1, 3))}, "ctrl must have shape"),
        ({"qfrc_applied": np.zeros((1, 3))}, "qfrc_applied must have shape"),
        ({"xfrc_applied": np.zeros((1, 3, 6))}, "xfrc_applied must have shape"),
        ({"eq_active": np.zeros((1, 1), np.bool_)}, "eq_active must have shape"),
        ({"steps": 0}, "steps, every and threads"),
        ({"threads": 0}, "steps, every and threads"),
    ],
)
def test_impossible_runs_are_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    pair = written(ARM, tmp_path)
    parts: dict[str, Any] = {
        "q": np.zeros((1, 2)),
        "v": np.zeros((1, 2)),
        "act": np.zeros((1, 0)),
        "qacc_warmstart": np.zeros((1, 2)),
    }
    states = native.States(**{name: change.get(name, value) for name, value in parts.items()})
    forces = {k: v for k, v in change.items() if k in native.Acting._fields}
    plan = {k: v for k, v in change.items() if k in ("steps", "threads")}
    acting = native.Acting(**{"ctrl": np.zeros((1, 1, 2))} | forces)
    with pytest.raises(ValueError, match=message):
        simulation(pair, "euler").run(states, acting, **{"steps": 5} | plan)


def test_room_is_filled_again_and_again(tmp_path: Path) -> None:
    pair = written(f"{ARM}<actuator>{ACTUATORS['filter']}</actuator>", tmp_path)
    ours = simulation(pair, "euler")
    states, acting = several(pair, 2)
    room = ours.room(2, 4)
    for each in (acting, acting._replace(ctrl=acting.ctrl + 0.1)):
        found = ours.run(states, each, steps=20, every=6, into=room)
        assert found is room
        fresh = ours.run(states, each, steps=20, every=6)
        assert same_bits([*found.states, *found.last], [*fresh.states, *fresh.last])
        assert same_bits(found[1:2] + found[3:], fresh[1:2] + fresh[3:])
    with pytest.raises(ValueError, match="into must have room for 5 samples of 2 states"):
        ours.run(states, acting, steps=20, every=4, into=room)
