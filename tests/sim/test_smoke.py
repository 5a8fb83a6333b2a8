"""Smoke tests: each fault is found where it is, and a healthy robot has none."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl.issues import Issue
from phyzctl.sim.control import Constant
from phyzctl.sim.energy import conservative, energies, has_known_energy
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Run
from phyzctl.sim.smoke import home_key, smoke
from phyzctl.sim.start import initial_start
from phyzctl.sim.watch import Watch
from tests.sim.robots import EXPLODING, MIXED, PENDULUM, model, sample

FRAME = '<mujoco model="m"><option timestep="0.002"/>{}</mujoco>'
FLOOR = '<geom type="plane" size="1 1 1" name="floor"/>'
ARM = """<body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0" damping="2" {joint}/>
  <geom size="0.05" pos="0.3 0 0" mass="1" {geom}/></body>"""


def arm(joint: str = "", geom: str = "", rest: str = "", floor: str = "") -> str:
    body = ARM.format(joint=joint, geom=geom)
    return FRAME.format(f"<worldbody>{floor}{body}</worldbody>{rest}")


def free(z: float, shape: str = 'type="box" size="0.1 0.1 0.1"', more: str = "") -> str:
    body = (
        f'<body name="b" pos="0 0 {z}"><freejoint name="f"/><geom {shape} mass="1"/>{more}</body>'
    )
    return FRAME.format(f"<worldbody>{FLOOR}{body}</worldbody>")


SERVO = '<actuator><position name="s" joint="j" kp="500"{}/></actuator>'
HEAVY = SERVO.format(' ctrlrange="-0.001 0.001"')
OTHER = (
    '<body name="w"><joint name="k" axis="0 1 0"/><geom size="0.05" pos="0.3 2 0" mass="1"/></body>'
)
SPUN = '<joint name="{}" axis="0 0 1" damping="5"/><geom mass="1" size="{}" pos="{} 0 0"/>'
TOUCHING = (
    f'<body name="a">{SPUN.format("j1", 0.1, 0)}<body name="b">{SPUN.format("j2", 0.02, 0.5)}'
    f'<body name="c">{SPUN.format("j3", 0.1, 0.05)}</body></body></body>'
)
TIE = '<weld name="tie" body1="b" solref="0.5 1" relpose="0 0 -0.3 1 0 0 0"/>'
WELD = f"<equality>{TIE}</equality>"
WEAK = arm(rest=SERVO.format(' forcerange="-1 1"'), joint='actuatorfrcrange="-1 1"')
UNDRIVEN = arm(rest=SERVO.format("")).replace("</worldbody>", f"{OTHER}</worldbody>")
FLUNG = UNDRIVEN.replace('name="k"', 'name="k" stiffness="100" springref="1e6"')

CASES = {
    "S952": (EXPLODING.replace('pos="0.5 0 0"', 'pos="0.5 0 0.1"'), "joint 'elbow'"),
    "S952 though finite": (FLUNG, "joint 'k'"),
    "S956": (free(50.0), "joint 'f'"),
    "S957": (free(0.4), "joint 'f'"),
    "S958": (arm('range="0 30"'), "joint 'j'"),
    "S959": (WEAK, "joint 'j'"),
    "S960": (free(0.09), None),
    "S961": (FRAME.format(f"<worldbody>{TOUCHING}</worldbody>"), "link 'c'"),
    "S962": (free(0.1).replace("</mujoco>", f"{WELD}</mujoco>"), "equality 'tie'"),
    "S964": (UNDRIVEN, "joint 'k'"),
}  # fmt: skip


def found(text: str) -> list[Issue]:
    subject = model(text)
    start = initial_start(subject, key=home_key(subject))
    return list(smoke(Engine(subject), start).issues)


@pytest.mark.parametrize(("code", "case"), CASES.items(), ids=CASES)
def test_faults_are_found_where_they_are(code: str, case: tuple[str, str | None]) -> None:
    text, subject = case
    mine = [issue for issue in found(text) if issue.code.id == code[:4]]
    assert mine, [str(issue) for issue in found(text)]
    assert mine[0].subject == subject
    assert mine[0].source is not None


HEALTHY = {
    "a servo": arm(rest=SERVO.format("")),
    "a box at rest": free(0.1),
    "a damped pendulum at the bottom": arm().replace('pos="0.3 0 0"', 'pos="0 0 -0.3"'),
}


@pytest.mark.parametrize("text", HEALTHY.values(), ids=HEALTHY)
def test_a_healthy_robot_has_no_findings(text: str) -> None:
    assert [str(issue) for issue in found(text)] == []


def test_a_run_that_breaks_says_so_and_no_more() -> None:
    subject = model(EXPLODING)
    result = smoke(Engine(subject), initial_start(subject, q={"elbow": 0.3}))
    assert result.broke
    assert result.seconds < 2.0
    codes = {issue.code.id for issue in result.issues}
    assert "S952" in codes
    assert codes.isdisjoint({"S956", "S963"})


def test_energy_that_grows_is_the_integrators() -> None:
    """Euler's method at 20 ms on a fast double pendulum gains; RK4 at 1 ms doesn't."""
    subject = sample("double_pendulum.urdf")
    start = initial_start(subject, q={"shoulder": 2.0, "elbow": 1.0})
    coarse = smoke(Engine(subject, dt=0.04, integrator="euler"), start, 0.2)
    fine = smoke(Engine(subject, dt=0.001, integrator="rk4"), start, 0.2)
    assert "S953" in {issue.code.id for issue in coarse.issues}
    assert "S953" not in {issue.code.id for issue in fine.issues}


def test_energy_is_what_textbooks_say() -> None:
    engine = Engine(model(PENDULUM))
    kinetic, potential = energies(engine, np.array([[0.5]]), np.array([[3.0]]))
    assert kinetic == pytest.approx([0.5 * 9.0])
    assert potential == pytest.approx([9.81 * (2.0 - np.sin(0.5))])


def test_energy_stays_where_nothing_takes_it() -> None:
    subject = conservative(model(MIXED))
    engine = Engine(subject, integrator="rk4", dt=0.001)
    state = subject.default_state()
    state.v[:] = np.linspace(-1.0, 1.0, subject.nv)
    moved = engine.advance(state, np.zeros((1, 2)), steps=500, every=100)
    kinetic, potential = energies(engine, moved.parts["q"], moved.parts["v"])
    total = kinetic + potential
    assert total == pytest.approx(np.full(5, total[0]), rel=1e-7)


def test_energy_is_not_judged_where_it_is_not_known() -> None:
    assert has_known_energy(model(MIXED))
    assert not has_known_energy(model(MIXED.replace('name="tip"', 'name="tip" gravcomp="1"')))


def test_where_it_starts() -> None:
    assert home_key(model(MIXED)) == "driven"
    assert home_key(model(MIXED.replace("<key ", '<key name="home"/><key '))) == "home"
    assert home_key(sample("cart_pole.urdf")) is None


SPEEDING = """\
<robot name="r"><link name="base"/>
  <link name="arm"><inertial><mass value="1"/><origin xyz="0.3 0 0"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit effort="5" velocity="2"/></joint></robot>
"""


@pytest.mark.parametrize(("steps", "count"), [(20, 0), (300, 1)])
def test_velocity_limits_are_watched(steps: int, count: int) -> None:
    subject = model(SPEEDING)
    engine = Engine(subject)
    run = Run(engine, Constant(np.zeros(1)), initial_start(subject), steps)
    watch, fastest = Watch(engine), 0.0
    for block in run.blocks():
        watch.see(block)
        fastest = max(fastest, float(np.abs(block.values["v"]).max()))
    issues = watch.issues(run)
    assert [issue.code.id for issue in issues] == ["S955"] * count
    for issue in issues:
        assert f"moves at {fastest:.3g} rad/s" in issue.message
        assert "its limit is 2" in issue.message
