"""T-BOOM: planted instabilities end with the right finding, at the right element, and exit 3."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from phyzctl.model.model import Model
from phyzctl.model.state import State
from phyzctl.sim.control import control_number
from phyzctl.sim.simulator import DivergedError, Simulator, simulate
from phyzctl.trace.files import read_trace
from tests.cli.conftest import Cli
from tests.sim.robots import model, sample

ARM = """\
<mujoco model="arm">
  <option timestep="{dt}"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="{upper}" contype="0"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0"/>
        {lower}
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="s" joint="shoulder" kp="50" kv="5"/>
    <position name="e" joint="elbow" {gains}/>
  </actuator>
</mujoco>
"""
TUBE = '<geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="{mass}" contype="0"/>'
LINE = 8  # of the elbow


def arm(**changes: str) -> str:
    given = {"dt": "0.002", "upper": "1", "lower": TUBE.format(mass=1), "gains": 'kp="50" kv="5"'}
    return ARM.format(**(given | changes))


BOXES = """\
<mujoco model="boxes">
  <option timestep="0.01" gravity="0 0 0"/>
  <default><geom type="box" size=".1 .1 .1" solref="-1e9 0" solimp=".99 .999 .0001"/></default>
  <worldbody>
    <body name="a"><joint name="ja" type="slide" axis="0 0 1"/><geom/></body>
    <body name="b" pos="0 0 .05">
      <joint name="jb" type="slide" axis="0 0 1"/><geom mass="1e-3"/>
    </body>
  </worldbody>
</mujoco>
"""


def link(name: str, mass: float | None, inertia: float, com: float) -> str:
    if mass is None:
        return f'<link name="{name}"/>\n'
    axes = " ".join(f'{axis}="{inertia}"' for axis in ("ixx", "iyy", "izz"))
    return (
        f'<link name="{name}"><inertial><origin xyz="{com} 0 0"/><mass value="{mass}"/>'
        f'<inertia {axes} ixy="0" ixz="0" iyz="0"/></inertial></link>\n'
    )


def urdf(
    mass: float | None = 1.0,
    inertia: float = 0.01,
    com: float = 0.2,
    damping: float = 1.0,
    upper: float = 1.0,
) -> str:
    """A shoulder with a damping of 1, and an elbow with what is given; it stands in line 6."""
    joints = "".join(
        f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{x} 0 0"/><axis xyz="0 1 0"/><dynamics damping="{c}"/></joint>\n'
        for name, parent, child, x, c in (
            ("shoulder", "world", "upper", 0.0, 1.0),
            ("elbow", "upper", "lower", 0.4, damping),
        )
    )
    parts = [link("world", None, 0, 0), link("upper", upper, 0.01 * upper, 0.2)]
    return "".join(
        ['<robot name="arm">\n', *parts, link("lower", mass, inertia, com), joints, "</robot>\n"]
    )


@dataclass(frozen=True)
class Boom:
    """A robot, how it is run, and what must be said: code, line and words of the message."""

    text: str
    arguments: tuple[str, ...]
    code: str
    line: int
    words: tuple[str, ...]
    suffix: str = ".xml"
    files: dict[str, str] = field(default_factory=dict)


DRIVEN = ("'elbow'", "body 'lower'", "the actuators")
DAMPED = ("'elbow'", "body 'lower'", "springs and dampers")
COARSE = ("--integrator", "rk4", "--q", "elbow=0.1")
CASES = {
    "kp 1e6": Boom(arm(dt="0.01", gains='kp="1e6"'), ("--hold",), "S952", LINE, DRIVEN),
    "kp 1e6, few samples": Boom(
        arm(dt="0.01", gains='kp="1e6"'), ("--hold", "--every", "100"), "S952", LINE, DRIVEN
    ),
    "dt 50 ms": Boom(arm(gains='kp="2000"'), ("--hold", "--dt", "0.05"), "S952", LINE, DRIVEN),
    "dt 50 ms, urdf": Boom(
        urdf(damping=500.0), ("--dt", "0.05", *COARSE), "S952", 6, DAMPED, ".urdf"
    ),
    "no inertia": Boom(
        arm(lower='<inertial pos="0 0 0" mass="1" diaginertia="0 0 0"/>'),
        (),
        "I102",
        7,
        ("'lower'", "all entries of its tensor are zero"),
    ),
    "no mass": Boom(arm(lower=""), (), "I103", 7, ("'lower'", "neither an inertial nor a geom")),
    "no inertia, urdf": Boom(
        urdf(inertia=0.0, com=0.0), (), "I102", 4, ("'lower'", "are zero"), ".urdf"
    ),
    "no mass, urdf": Boom(urdf(mass=None), (), "I103", 4, ("'lower'", "has no mass"), ".urdf"),
    "overlap at the start": Boom(BOXES, (), "S952", 7, ("'jb'", "is flung away")),
    "mass ratio 1e6": Boom(
        arm(upper="1e3", lower=TUBE.format(mass="1e-3"), gains='kp="1e3" kv="10"'),
        (),
        "S952",
        LINE,
        DRIVEN,
    ),
    "mass ratio 1e6, urdf": Boom(
        urdf(mass=1e-3, inertia=1e-6, com=0.05, damping=50.0, upper=1e3),
        COARSE[:2],
        "S952",
        6,
        DAMPED,
        ".urdf",
    ),
    "a control that is no number": Boom(
        arm(),
        ("--ctrl", "c.csv"),
        "",
        3,
        ("'nan' is not finite",),
        files={"c.csv": "time,e\n0,0\n1,nan\n"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_planted_instabilities(cli: Cli, workspace: Path, name: str) -> None:
    boom = CASES[name]
    for file, text in {f"robot{boom.suffix}": boom.text, **boom.files}.items():
        (workspace / file).write_text(text)
    file = f"robot{boom.suffix}"
    shown = cli("simulate", file, "--steps", "2000", *boom.arguments, "-o", "t.npz")
    assert shown.code == 3
    said = [line for line in (shown.out + shown.err).splitlines() if boom.code in line]
    place = f"{file}:{boom.line}:" if boom.code else f"c.csv:{boom.line}:"
    assert [line.removeprefix("phyzctl: ").startswith(place) for line in said] == [True], said
    assert all(words in said[0] for words in boom.words), said
    if boom.code == "S952":
        trace = read_trace("t.npz")
        assert np.isfinite(trace.values["q"]).all()
        assert trace.is_intact()


def test_an_overlap_is_told_where_it_flings_a_robot(cli: Cli, workspace: Path) -> None:
    (workspace / "robot.xml").write_text(BOXES)
    shown = cli("simulate", "robot.xml", "--steps", "10")
    assert "robot.xml:7:51: warning[S960] link 'a' and link 'b' overlap by 150 mm" in shown.out


def test_an_overlap_that_only_pushes_is_a_finding_of_the_smoke_test(
    cli: Cli, workspace: Path
) -> None:
    box = '<collision><origin xyz="{} 0 0"/><geometry><box size=".2 .2 .2"/></geometry></collision>'
    text = urdf().replace(
        "</inertial></link>\n<joint", f"</inertial>{box.format(0)}</link>\n<joint"
    )
    text = text.replace('<link name="world"/>', f'<link name="world">{box.format(0.45)}</link>')
    (workspace / "robot.urdf").write_text(text)
    shown = cli("smoke", "robot.urdf")
    assert "robot.urdf:4:" in shown.out
    assert "warning[S960] the world and link 'lower' overlap by 150 mm" in shown.out


@pytest.mark.parametrize(
    ("subject", "joint"),
    [(model(arm()), "elbow"), (sample("six_axis_arm.urdf"), "elbow")],
    ids=["mjcf", "urdf"],
)
def test_a_function_that_returns_no_number(subject: Model, joint: str) -> None:
    """In its third step: the joint whose motor got it is named, and the state before it is kept."""
    place = control_number(subject, "e" if subject.actuators else joint)

    def control(time: float, state: State) -> list[float]:
        ctrl = [0.0] * (subject.nu() or subject.nv)
        ctrl[place] = float("nan") if time > 1.5 * subject.dt else 0.0
        return ctrl

    trace = simulate(subject, steps=10, control=control)
    ((_, words),) = trace.header.events
    assert "in step 2" in words
    assert f"joint {joint!r}" in words
    assert "the actuators of nan" in words
    assert not trace.header.complete
    assert len(trace) == 3
    simulator = Simulator(subject)
    with pytest.raises(DivergedError, match=f"joint {joint!r}"):
        simulator.step(control(1.0, simulator.state))


@pytest.mark.parametrize("name", ["dt 50 ms, urdf", "mass ratio 1e6, urdf"])
def test_the_default_of_urdf_takes_what_breaks_others(cli: Cli, workspace: Path, name: str) -> None:
    boom = CASES[name]
    (workspace / "robot.urdf").write_text(boom.text)
    assert cli("simulate", "robot.urdf", "--steps", "2000", "--dt", "0.05").code == 0
