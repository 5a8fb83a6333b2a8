"""Constraint rows against MuJoCo's, at MuJoCo's own contacts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl import native
from tests.native.held import CONES, Held, held, written
from tests.native.smooth import all_scenes, quick_files

mujoco = pytest.importorskip("mujoco")

GATE = 1e-10


def compare(pair: Held, states: int) -> None:
    for cone in CONES:
        constraints = pair.with_cone(cone)
        for q, v, _ in pair.near_states(states):
            compare_rows(pair, native.constraint_rows(
                constraints, q, v, dt=pair.theirs.opt.timestep, contacts=pair.contacts()
            ))  # fmt: skip


def compare_rows(pair: Held, rows: native.Rows) -> None:
    data = pair.data
    assert len(rows.R) == data.nefc
    if data.nefc == 0:
        return
    J = pair.jacobian()
    assert_allclose(rows.J, J, rtol=GATE, atol=GATE * np.abs(J).max())
    assert_allclose(rows.R, data.efc_R, rtol=GATE)
    assert_allclose(rows.aref, data.efc_aref, rtol=GATE, atol=GATE * np.abs(data.efc_aref).max())
    scalar = rows.origin != native.ORIGINS.index("contact")
    residual = data.efc_pos - data.efc_margin
    assert_allclose(rows.residual[scalar], residual[scalar], rtol=GATE, atol=1e-13)


@pytest.mark.parametrize("path", quick_files())
def test_rows_equal_mujocos(path: Path) -> None:
    compare(held(path), 4)


@pytest.mark.slow
@pytest.mark.parametrize("path", all_scenes())
def test_rows_equal_mujocos_on_every_robot(path: Path) -> None:
    compare(held(path), 4)


TREE = """
    <worldbody><site name="w" pos=".1 .2 .3" euler="10 20 30"/>
      <body name="a" pos="0 0 1"><joint name="a1" axis="0 1 0" range="-.1 .1" limited="true"
        solreflimit=".05 .7" solimplimit=".8 .99 .01 .4 3" margin=".03" frictionloss=".2"
        solreffriction=".03 1" solimpfriction=".7 .9 .01"/>
        <joint name="a2" type="slide" axis="1 0 0" range="-.01 .02" limited="true" frictionloss="2"
          solreflimit="-300 -20"/>
        <geom size=".1 .2" type="capsule" pos=".1 0 0"/>
        <site name="s" pos=".3 .1 0" euler="0 40 0"/>
        <geom name="post" size=".08 .1" type="cylinder" pos=".3 0 .1" contype="0" conaffinity="0"/>
        <body name="b" pos=".5 0 0"><joint name="b1" type="ball" range="0 .2" limited="true"
          margin=".05" frictionloss=".1"/><geom size=".1 .2 .3" type="box" pos=".2 0 0"/>
          <site name="t" pos=".2 .2 .1" euler="50 0 20"/></body>
        <body name="c" pos="0 .5 0"><joint name="c1" axis="0 0 1"/><joint name="c2" axis="1 0 0"/>
          <geom size=".1" pos="0 .2 0"/></body></body>
      <body name="f" pos="1 1 1"><freejoint/><geom size=".1 .2 .3" type="box"/>
        <body pos="0 0 .4"><joint name="f1" axis="1 0 0"/><geom size=".1" pos="0 .1 .1"/>
        </body></body>
      <body name="g" pos="-1 1 1"><joint name="g" type="slide"/><geom size=".2"/></body>
    </worldbody>
    <tendon><fixed name="t1" range="-.05 .05" limited="true" margin=".02" frictionloss=".3"
        solreflimit=".04 1"><joint joint="a1" coef="1"/><joint joint="c1" coef="-.5"/></fixed>
      <fixed name="t2" frictionloss=".1"><joint joint="c2" coef="2"/><joint joint="f1" coef="1"/>
        </fixed>
      <spatial name="t3" range=".2 .4" limited="true" margin=".03" frictionloss=".2"
        solreffriction=".03 1"><site site="w"/><geom geom="post" sidesite="s"/><site site="t"/>
        <pulley divisor="2"/><site site="s"/><site site="w"/></spatial>
      <spatial name="t4" range="0 9" limited="true"><site site="s"/><site site="t"/></spatial>
      </tendon>"""
EQUALITIES = {
    "connect": '<connect body1="b" body2="c" anchor=".1 .2 .3"/>'
    '<connect body1="a" anchor="0 0 .2"/>',
    "connect across trees": '<connect body1="f" body2="c" anchor=".1 .2 .3" solref="-900 -40"/>',
    "connect sites": '<connect site1="s" site2="t"/><connect site1="t" site2="w"/>',
    "weld": '<weld body1="b" body2="c"/><weld body1="f" torquescale=".3" anchor=".1 .1 0"/>',
    "weld posed": '<weld body1="a" body2="f" relpose=".3 .2 .1 .9 .1 .2 .3" anchor=".1 .2 .1"/>',
    "weld sites": '<weld site1="s" site2="t"/><weld site1="t" site2="w" torquescale="2"/>',
    "joints": '<joint joint1="a1" joint2="c1" polycoef=".1 .5 .3 -.2 .1"/>'
    '<joint joint1="f1" polycoef=".2"/>',
    "tendons": '<tendon tendon1="t1" tendon2="t2" polycoef="0 2 1"/><tendon tendon1="t2"/>',
    "paths": '<tendon tendon1="t3" tendon2="t4" polycoef="0 2 1"/><tendon tendon1="t4"/>'
    '<tendon tendon1="t1" tendon2="t3"/>',
    "soft": '<connect body1="b" body2="c" anchor="0 0 0" solimp=".5 .95 .2 .3 1" solref=".1 .5"/>'
    '<weld body1="c" body2="f" solimp=".9 .9 .2" solref=".001 1"/>',
    "inactive": '<connect body1="b" body2="c" anchor="0 0 0" active="false"/><joint joint1="f1"/>',
}
OPTIONS = {
    "plain": "",
    "exact": '<flag diagexact="enable"/>',
    "unsafe": '<flag refsafe="disable"/>',
    "slippery": '<flag frictionloss="disable"/>',
    "unlimited": '<flag limit="disable"/>',
    "untied": '<flag equality="disable"/>',
}


SLIDE = '<joint type="slide" axis="{axis}" armature="{armature}"/>'
SLIDING = {
    "along an axis": SLIDE.format(axis="1 0 0", armature=0),
    "along two": SLIDE.format(axis="1 0 0", armature=0) + SLIDE.format(axis="0 -2 0", armature=0),
    "with a rotor": SLIDE.format(axis="0 0 1", armature=0.3),
    "askew": SLIDE.format(axis="1 1 0", armature=0),
    "and turning": SLIDE.format(axis="0 0 1", armature=0) + '<joint axis="0 0 1"/>',
}
HUNG = {
    "on the world": "<body pos='1 2 3' euler='10 20 30'>{parts}</body>",
    "on a fixed body": "<body><body euler='10 20 30'>{parts}</body></body>",
    "two bodies up": "<body><body><body>{parts}</body></body></body>",
    "on one that moves": "<body><joint/><geom size='.1'/><body>{parts}</body></body>",
    "carrying a body": "<body>{parts}<body pos='0 0 1'><geom size='.1'/></body></body>",
}
CENTRES = {"": "0 0 0", "off centre": ".1 0 0"}


@pytest.mark.parametrize("centre", CENTRES)
@pytest.mark.parametrize("hung", HUNG)
@pytest.mark.parametrize("joints", SLIDING)
def test_bodies_that_only_slide(joints: str, hung: str, centre: str, tmp_path: Path) -> None:
    """MuJoCo takes some of them by their mass, not by the mean over directions."""
    inertia = f'<inertial pos="{CENTRES[centre]}" mass=".2" diaginertia=".1 .2 .25"/>'
    site = '<site name="s" pos=".1 .2 .3"/>'
    body = HUNG[hung].format(parts=SLIDING[joints] + inertia + site)
    world = f'<worldbody><site name="w" pos="1 1 1"/>{body}</worldbody>'
    pair = written(f'{world}<equality><weld site1="s" site2="w"/></equality>', tmp_path)
    constraints = pair.with_cone("pyramidal")
    for q, v, _ in pair.near_states(2):
        compare_rows(pair, native.constraint_rows(constraints, q, v, dt=0.002))


def active(pair: Held) -> Any:
    return np.array([each.element.active for each in pair.model.equalities], np.bool_)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", EQUALITIES)
def test_every_kind_of_equality(name: str, options: str, tmp_path: Path) -> None:
    text = f"<option>{OPTIONS[options]}</option>{TREE}<equality>{EQUALITIES[name]}</equality>"
    pair = written(text, tmp_path)
    constraints = pair.with_cone("pyramidal")
    for q, v, _ in pair.near_states(6):
        asked = {} if options == "untied" else {"eq_active": active(pair)}
        rows = native.constraint_rows(constraints, q, v, dt=pair.theirs.opt.timestep, **asked)
        compare_rows(pair, rows)
        assert pair.data.nefc > 0 or options == "slippery"


HEAP = """
    <option impratio="{impratio}">{flag}</option>
    <default><geom friction=".8 .1 .02" condim="{condim}"/></default>
    <worldbody><geom type="plane" size="5 5 1" solref=".01 .8" solimp=".8 .9 .002 .4 3"/>
      <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/>
        <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="sphere" size=".1" pos="0 0 .005"/>
        </body></body>
      <body pos="0 0 .28"><freejoint/>
        <geom type="box" size=".1 .1 .1" margin=".01" gap=".002"/></body>
    </worldbody>"""


@pytest.mark.parametrize("flag", ["", '<flag diagexact="enable"/>'])
@pytest.mark.parametrize("impratio", [1, 10])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_every_dimension_of_contact(condim: int, impratio: int, flag: str, tmp_path: Path) -> None:
    pair = written(HEAP.format(condim=condim, impratio=impratio, flag=flag), tmp_path)
    seen = 0
    for cone in CONES:
        constraints = pair.with_cone(cone)
        for q, v, _ in pair.near_states(6):
            rows = native.constraint_rows(
                constraints, q, v, dt=pair.theirs.opt.timestep, contacts=pair.contacts()
            )
            compare_rows(pair, rows)
            seen += len(rows.R)
    assert seen >= 40


def test_pairs_with_friction_of_their_own(tmp_path: Path) -> None:
    text = """
      <worldbody><geom name="floor" type="plane" size="5 5 1"/><body pos="0 0 .09"><freejoint/>
        <geom name="box" type="box" size=".1 .1 .1"/></body></worldbody>
      <contact><pair geom1="floor" geom2="box" condim="4" friction=".5 .7 .02"
        solreffriction=".05 .3"/></contact>"""
    compare(written(text, tmp_path), 4)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"dof_friction": np.zeros(2)}, "dof_friction must have shape"),
    ({"joint_limits": np.zeros((1, 9))}, "joint_limits must have shape"),
    (
        {"equality_target": np.array([[4, 0, 0]], np.int32), "equalities": np.zeros((1, 22))},
        "kinds",
    ),
    (
        {"equality_target": np.array([[2, 0, 7]], np.int32), "equalities": np.zeros((1, 22))},
        "there",
    ),
    (
        {"equality_target": np.array([[0, 0, 1]], np.int32), "equalities": np.zeros((1, 22))},
        "there",
    ),
    (
        {"equality_target": np.array([[3, 0, -1]], np.int32), "equalities": np.zeros((1, 22))},
        "there",
    ),
    ({"cone": "round"}, "cone must be one of pyramidal, elliptic"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_what_points_nowhere_is_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    pair = written('<worldbody><body><joint/><geom size=".1"/></body></worldbody>', tmp_path)
    with pytest.raises(ValueError, match=message):
        native.Constraints(pair.ours, **pair.arrays | change)


def test_contacts_of_no_body_are_refused(tmp_path: Path) -> None:
    pair = written('<worldbody><body><joint/><geom size=".1"/></body></worldbody>', tmp_path)
    constraints = pair.with_cone("elliptic")
    for target, message in (([3, -1, 1], "bodies"), ([2, -1, 0], "directions")):
        contacts = native.ContactRows(
            np.array([target], np.int32), np.ones((1, 17)), np.zeros((1, 13))
        )
        with pytest.raises(ValueError, match=message):
            native.constraint_rows(
                constraints, np.zeros(1), np.zeros(1), dt=0.001, contacts=contacts
            )
