"""Hardened constraints: at two steps, critically damped, next to rigid, unless a file says more."""

from __future__ import annotations

import numpy as np
import pytest

from phyzctl import formats
from phyzctl.issues import Issues
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.constraints import constraint_arrays
from phyzctl.model.contacts import contact_table
from phyzctl.model.model import Model
from phyzctl.model.stiffness import hardened_constraints, hardened_contacts

DT = 0.003
# By what a file states, what becomes of it.
MADE = {
    "": (0.006, 1.0, 0.99, 0.99),
    "soft": (0.006, 1.0, 0.99, 0.99),
    "short": (0.001, 1.0, 0.99, 0.99),
    "springy": (0.006, 1.0, 0.99, 0.99),
    "firm": (0.006, 1.0, 0.995, 0.995),
    "direct": (-300.0, -20.0, 0.5, 0.6),
}
SAID = {
    "": ("", ""),
    "soft": (".5 1", ".1 .2"),
    "short": (".001 1", ""),
    "springy": (".02 .1", ""),
    "firm": ("", ".98 .995"),
    "direct": ("-300 -20", ".5 .6"),
}


def stated(name: str, kind: str = "") -> str:
    """The attributes of a kind of constraint."""
    solref, solimp = SAID[name]
    parts = [f'solref{kind}="{solref}"'] * bool(solref) + [f'solimp{kind}="{solimp}"'] * bool(
        solimp
    )
    return " ".join(parts)


def model(text: str) -> Model:
    robot = formats.read_bytes(text.encode(), "robot.xml", Issues()).robot
    assert robot is not None
    return compile_model(robot)


SCENE = """<mujoco><worldbody><geom type="plane" size="1 1 1" {geom}/>
<body><joint name="a" range="-1 1" limited="true" frictionloss="1" {limit} {friction}/>
<geom size=".1" {geom}/><body pos="1 0 0"><joint name="b"/><geom size=".1" {geom}/></body></body>
</worldbody><tendon><fixed name="t" range="-1 1" limited="true" frictionloss="1" {limit} {friction}>
<joint joint="a" coef="1"/></fixed></tendon>
<equality><joint joint1="a" joint2="b" {geom}/><connect body1="world" body2="world" anchor="0 0 0"/>
</equality></mujoco>"""


@pytest.mark.parametrize("name", SAID)
def test_every_kind_of_constraint(name: str) -> None:
    words = {kind: stated(name, kind) for kind in ("limit", "friction")}
    subject = model(SCENE.format(geom=stated(name), **words))
    before = constraint_arrays(subject)
    made = hardened_constraints(before, DT)
    width = 7
    for kind in (
        "joint_limits",
        "tendon_limits",
        "joint_friction",
        "tendon_friction",
        "equalities",
    ):
        rows = made[kind]
        assert np.array_equal(rows[:, :-width], before[kind][:, :-width])
        assert tuple(rows[0, -width : -width + 4]) == MADE[name]
        assert np.array_equal(rows[:, -width + 4 :], before[kind][:, -width + 4 :])
    assert made["cone"] == before["cone"]
    table = contact_table(subject)
    harder = hardened_contacts(table, DT)
    assert {tuple(row) for row in harder.law_solref} == {MADE[name][:2]}
    assert {tuple(row[:2]) for row in harder.law_solimp} == {MADE[name][2:]}
    assert np.array_equal(harder.law_friction, table.law_friction)


PAIR = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body><freejoint/><geom name="ball" size=".1"/></body></worldbody>
<contact><pair geom1="floor" geom2="ball" solreffriction="{solref}"/></contact></mujoco>"""


@pytest.mark.parametrize(
    ("solref", "kept"), [("0 0", (0, 0)), (".1 1", (0, 0)), ("-300 -20", (-300, -20))]
)
def test_tangents_follow_their_normals(solref: str, kept: tuple[float, float]) -> None:
    table = hardened_contacts(contact_table(model(PAIR.format(solref=solref))), DT)
    assert [tuple(row) for row in table.law_solref_friction] == [kept]


def test_nothing_to_harden() -> None:
    subject = model(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    made = hardened_constraints(constraint_arrays(subject), DT)
    assert made["equalities"].shape == (0, 22)
    assert hardened_contacts(contact_table(subject), DT).law_solref.shape == (0, 2)
