"""Pairs that are apart are left out until they have moved as far: no contact comes later for that.

The contacts of a configuration by itself, of which nothing is known from before, are the oracle;
tests/native/test_contacts.py has MuJoCo's beside them.
"""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl import native
from phyzctl.formats import read, read_bytes
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.constraints import make_constraints
from phyzctl.model.contacts import make_contact_world
from phyzctl.model.dynamics import dynamics_arrays
from phyzctl.model.model import Model
from tests.corpus import corpus_dir

SHAPES = (
    'type="sphere" size=".06"',
    'type="capsule" size=".03 .06"',
    'type="box" size=".05 .04 .06"',
    'type="cylinder" size=".05 .04"',
    'type="ellipsoid" size=".06 .04 .05"',
)


def crowd(seed: int, margin: float, gravity: str) -> Model:
    """Loose bodies of every shape, some with a second geom on a hinge, above a tray."""
    rng, parts = np.random.default_rng(seed), []
    for number in range(15):
        place = " ".join(f"{x:.3f}" for x in rng.uniform((-0.25, -0.25, 0.15), (0.25, 0.25, 0.65)))
        turn = " ".join(f"{x:.1f}" for x in rng.uniform(-180, 180, 3))
        arm = (
            f'<body pos=".12 0 0"><joint axis="0 1 0"/><geom {SHAPES[(number + 2) % 5]}/></body>'
            if number % 3 == 0
            else ""
        )
        own = f"<freejoint/><geom {SHAPES[number % 5]}/>"
        parts.append(f'<body pos="{place}" euler="{turn}">{own}{arm}</body>')
    walls = "".join(
        f'<geom type="box" size="{a} {b} .2" pos="{x} {y} .2"/>'
        for a, b, x, y in ((0.02, 0.5, 0.5, 0), (0.02, 0.5, -0.5, 0), (0.5, 0.02, 0, 0.5))
    )
    text = (
        f'<mujoco><option gravity="{gravity}" timestep=".002"/>'
        f'<default><geom margin="{margin}"/></default>'
        f'<worldbody><geom type="plane" size="1 1 1"/>{walls}{"".join(parts)}</worldbody></mujoco>'
    )
    robot = read_bytes(text.encode(), "crowd.xml", Issues()).robot
    assert robot is not None
    return compiler.compile(robot)


def simulation(model: Model) -> native.Simulation:
    constraints = make_constraints(model, native.Dynamics(model.system, **dynamics_arrays(model)))
    return native.Simulation(constraints, make_contact_world(model), dt=model.dt)


def moving(model: Model, speed: float) -> native.States:
    state = model.default_state()
    v = speed * np.random.default_rng(7).standard_normal(model.nv)
    return native.States(state.q[None], v[None], state.act[None], np.zeros((1, model.nv)))


# Fast and slow; at 1e-6 m/s nothing meets that is not near from the start.
@pytest.mark.parametrize("speed", [3.0, 0.1, 1e-6])
@pytest.mark.parametrize("margin", [0.0, 0.01])
@pytest.mark.parametrize("gravity", ["0 0 -9.81", "0 0 0"])
def test_no_contact_is_missed(speed: float, margin: float, gravity: str) -> None:
    model = crowd(3, margin, gravity)
    run = simulation(model).run(
        moving(model, speed), native.Acting(np.zeros((1, 1, model.nv))), steps=400
    )
    assert run.made[0] == 400
    world = make_contact_world(model)
    assert world is not None
    alone = native.contacts(world, np.ascontiguousarray(run.states.q[0]))
    assert np.array_equal(np.diff(alone.start), run.solver[0, :, 2])
    assert speed < 1e-3 or len(np.unique(run.solver[0, :, 2])) > 3


@pytest.mark.parametrize("file", ["trossen_wxai", "shadow_hand", "ufactory_xarm7", "unitree_a1"])
def test_no_contact_of_meshes_is_missed(file: str) -> None:
    path = next(iter(sorted((corpus_dir("shared") / "menagerie" / file).glob("scene*.xml"))))
    robot = read(str(path), Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    rng = np.random.default_rng(11)
    ctrl = rng.uniform(-1.0, 1.0, (1, 300, len(model.actuators)))
    run = simulation(model).run(moving(model, 0.5), native.Acting(ctrl), steps=300)
    assert run.made[0] == 300
    world = make_contact_world(model)
    assert world is not None
    alone = native.contacts(world, np.ascontiguousarray(run.states.q[0]))
    assert np.array_equal(np.diff(alone.start), run.solver[0, :, 2])


def test_a_state_goes_on_alike_wherever_it_came_from() -> None:
    """A simulation that has seen other states before, and one that has seen none: the same bits."""
    model = crowd(4, 0.002, "0 0 -9.81")
    acting = native.Acting(np.zeros((1, 1, model.nv)))
    long = simulation(model)
    whole = long.run(moving(model, 1.0), acting, steps=300)
    for first in (60, 137, 240):
        middle = native.States(*(part[:, first].copy() for part in whole.states))
        for each in (long, simulation(model)):
            rest = each.run(middle, acting, steps=300 - first)
            for mine, theirs in zip(rest.last, whole.last, strict=True):
                assert mine.tobytes() == theirs.tobytes()


def test_a_body_that_is_carried_off_comes_back_at_once() -> None:
    """States of one batch are far apart: what was due for one is not for the next."""
    model = crowd(5, 0.0, "0 0 0")
    near = moving(model, 0.0)
    far = near.q.copy()
    far[0, :3] += 50.0
    states = native.States(
        np.concatenate([near.q, far, near.q]),
        *(np.concatenate([part] * 3) for part in near[1:]),
    )
    acting = native.Acting(np.zeros((3, 1, model.nv)))
    run = simulation(model).run(states, acting, steps=3, threads=1)
    assert run.states.q[0].tobytes() == run.states.q[2].tobytes()
    assert np.array_equal(run.solver[0], run.solver[2])
