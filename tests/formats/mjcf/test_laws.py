"""Actuators: every shortcut, over every kind of default, comes to MuJoCo's law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phyzctl.robot.mechanism import Activation, Actuator, Gain, TransmissionKind
from tests.formats.mjcf.reading import clean, codes_of, compiled, only, refused

WORLD = """<worldbody><body name="a"><joint name="j" range="-30 60"/><geom size="1"/>
<site name="s"/></body><body name="b"><joint name="k"/><geom size="1"/><site name="t"/></body>
</worldbody><tendon><fixed name="f"><joint joint="j" coef="1"/></fixed></tendon>"""

# A default, and the actuator that is written: what the one leaves of the other.
CASES = [
    ("", '<motor joint="j"/>'),
    (
        '<general gainprm="5 6 7" biasprm="1 2 3" dyntype="filter" dynprm="3 4"/>',
        '<motor joint="j"/>',
    ),
    ('<position kp="5" kv="3"/>', '<motor joint="j"/>'),
    ('<position kp="5" kv="3"/>', '<velocity joint="j"/>'),
    ('<position kp="5" kv="3"/>', '<general joint="j"/>'),
    ('<position kp="5" kv="3"/>', '<general joint="j" gainprm="7"/>'),
    ('<position kp="5" kv="3"/>', '<position joint="j"/>'),
    ('<position kp="5" kv="3"/>', '<position joint="j" kp="2"/>'),
    ('<position kp="5" timeconst="0.2"/>', '<position joint="j"/>'),
    ('<position kp="5"/>', '<intvelocity joint="j" actrange="-1 1"/>'),
    ('<velocity kv="3"/>', '<position joint="j"/>'),
    ('<velocity kv="3"/>', '<velocity joint="j"/>'),
    ('<general gainprm="5 6 7" biasprm="1 2 -3" biastype="affine"/>', '<position joint="j"/>'),
    (
        '<general gainprm="5 6 7" biasprm="1 2 -3" biastype="affine"/>',
        '<position joint="j" kp="9"/>',
    ),
    ('<general gainprm="5 6 7" biasprm="1 2 3"/>', '<velocity joint="j"/>'),
    ('<general gainprm="5 6 -7" gaintype="affine"/>', '<damper joint="j" ctrlrange="0 1"/>'),
    ('<general dyntype="integrator"/>', '<general joint="j" gainprm="2"/>'),
    ("<motor/>", '<position joint="j"/>'),
    ("<muscle/>", '<position joint="j"/>'),
    ("<muscle/>", '<motor joint="j"/>'),
    ("<muscle/>", '<cylinder joint="j"/>'),
    ('<muscle scale="300" force="5"/>', '<muscle joint="j" lmin="0.4" lengthrange="0 1"/>'),
    ('<position kp="5"/><default class="c"><motor/></default>', '<position class="c" joint="j"/>'),
    ('<position kp="5"/><motor/>', '<position joint="j"/>'),
    (
        '<general gainprm="1 2 3"/><default class="c"><general gainprm="9"/></default>',
        '<general class="c" joint="j" gaintype="affine"/>',
    ),
    ("", '<position joint="j" kp="7" kv="2"/>'),
    ("", '<position joint="j" timeconst="0.1"/>'),
    ("", '<position joint="j" timeconst="0"/>'),
    ("", '<position joint="j" kp="-3"/>'),
    ("", '<intvelocity joint="j" kp="3" kv="2" actrange="-1 1"/>'),
    ("", '<intvelocity joint="j" kp="3"/>'),
    ("", '<damper joint="j" kv="3" ctrlrange="0 1"/>'),
    ("", '<cylinder joint="j" diameter="3" bias="1 2 3" timeconst="2"/>'),
    ("", '<cylinder joint="j" area="3"/>'),
    ('<cylinder diameter="3"/>', '<cylinder joint="j" area="1"/>'),
    ('<cylinder diameter="3" bias="1 2 3"/>', '<cylinder joint="j"/>'),
    ("", '<muscle joint="j" force="3" lengthrange="0 1"/>'),
    ("", '<muscle joint="j" force="3" timeconst="0.1 0.2" tausmooth="0.3" lengthrange="0 1"/>'),
    ('<position kp="5"/>', '<muscle joint="j" range="0.8 1.1" force="2" lengthrange="0 1"/>'),
    ("", '<adhesion body="a" gain="3" ctrlrange="0 1"/>'),
    ("", '<motor joint="j" ctrlrange="-1 1" forcerange="-2 3" gear="4"/>'),
    ("", '<motor joint="j" ctrllimited="false" ctrlrange="-1 1"/>'),
    ("", '<motor joint="j" ctrllimited="true" ctrlrange="-1 1"/>'),
    ("", '<motor joint="j" ctrlrange="0 0"/>'),
    ("", '<motor joint="j" forcelimited="true" forcerange="-1 2"/>'),
    ("", '<general joint="j" dyntype="integrator" actrange="-1 1"/>'),
    ("", '<general joint="j" gear="1 2 3"/>'),
    ("", '<general joint="j" biastype="affine" biasprm="1 2 3"/>'),
    ("", '<general joint="j" gainprm="1 2 3" biasprm="4 5 6"/>'),
    ('<general ctrlrange="-1 1" gear="2 3"/>', '<motor joint="j" gear="5"/>'),
]

_GAINS = {Gain.NONE: 0, Gain.FIXED: 0, Gain.AFFINE: 1, Gain.MUSCLE: 2}
_DYNAMICS = [
    Activation.NONE,
    Activation.INTEGRATOR,
    Activation.FILTER,
    Activation.FILTER_EXACT,
    Activation.MUSCLE,
]


def _text(default: str, actuator: str) -> str:
    return f"<default>{default}</default>{WORLD}<actuator>{actuator}</actuator>"


def _padded(values: tuple[float, ...]) -> list[float]:
    return [*values, *[0.0] * (10 - len(values))]


def _expect_law(mine: Actuator, theirs: Any) -> None:
    assert _GAINS[mine.gain] == theirs.actuator_gaintype[0]
    assert _padded(mine.gain_parameters) == pytest.approx(theirs.actuator_gainprm[0].tolist())
    assert {Gain.NONE: 0, Gain.AFFINE: 1, Gain.MUSCLE: 2}[mine.bias] == theirs.actuator_biastype[0]
    assert _padded(mine.bias_parameters) == pytest.approx(theirs.actuator_biasprm[0].tolist())
    assert _DYNAMICS.index(mine.dynamics) == theirs.actuator_dyntype[0]
    if mine.dynamics is not Activation.NONE:
        assert _padded(mine.dynamics_parameters) == pytest.approx(
            theirs.actuator_dynprm[0].tolist()
        )
    assert list(mine.gear) == theirs.actuator_gear[0].tolist()


@pytest.mark.parametrize(("default", "actuator"), CASES)
def test_the_law(default: str, actuator: str) -> None:
    text = _text(default, actuator)
    mine, theirs = clean(text).actuators[0], compiled(text)
    _expect_law(mine, theirs)
    for name, bounds in (
        ("ctrl", mine.ctrl_range),
        ("force", mine.force_range),
        ("act", mine.act_range),
    ):
        limited = bool(getattr(theirs, f"actuator_{name}limited")[0])
        assert (bounds is not None) is limited, name
        if bounds is not None:
            assert list(bounds) == getattr(theirs, f"actuator_{name}range")[0].tolist()


@pytest.mark.parametrize(
    ("default", "actuator", "ratio", "damping"),
    [
        ("", '<position joint="j" kp="4" dampratio="0.7"/>', 0.7, 0.0),
        ('<position dampratio="3"/>', '<position joint="j"/>', 3.0, 0.0),
        ('<position dampratio="3"/>', '<position joint="j" kv="2"/>', None, -2.0),
        ('<position kv="3"/>', '<position joint="j" dampratio="2"/>', 2.0, 0.0),
        ('<position dampratio="3"/>', '<general joint="j"/>', 3.0, 0.0),
        ("", '<general joint="j" gainprm="5" biasprm="0 -5 2" biastype="affine"/>', 2.0, 0.0),
        ("", '<general joint="j" gainprm="5" biasprm="0 -4 2" biastype="affine"/>', None, 2.0),
        ('<general gainprm="5" biasprm="1 2 3"/>', '<position joint="j"/>', 3.0, 0.0),
        ("", '<position joint="j" dampratio="0"/>', None, 0.0),
    ],
)
def test_a_damping_ratio_is_told_apart(
    default: str, actuator: str, ratio: float | None, damping: float
) -> None:
    text = _text(default, actuator)
    mine, theirs = clean(text).actuators[0], compiled(text)
    assert mine.damping_ratio == ratio
    assert _padded(mine.bias_parameters)[2] == damping
    if ratio is None:
        _expect_law(mine, theirs)
    else:  # MuJoCo has worked out the damping: 2 ratio sqrt(kp m) at the joint
        mass = theirs.dof_M0[0] if hasattr(theirs, "dof_M0") else None
        wanted = theirs.actuator_biasprm[0][2]
        assert wanted < 0
        if mass is not None:
            expected = -2 * ratio * np.sqrt(mine.gain_parameters[0] * mass)
            assert wanted == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ('<motor joint="j"/>', TransmissionKind.JOINT, "j"),
        ('<motor jointinparent="j"/>', TransmissionKind.JOINT_IN_PARENT, "j"),
        ('<motor tendon="f"/>', TransmissionKind.TENDON, "f"),
        ('<motor site="s"/>', TransmissionKind.SITE, "s"),
        ('<motor site="s" refsite="t"/>', TransmissionKind.SITE, "s"),
        ('<adhesion body="a" ctrlrange="0 1"/>', TransmissionKind.BODY, "a"),
        (
            '<motor cranksite="s" slidersite="t" cranklength="0.1"/>',
            TransmissionKind.SLIDER_CRANK,
            "s",
        ),
        ('<motor joint="j" site="s"/>', TransmissionKind.SITE, "s"),
    ],
)
def test_targets(text: str, kind: TransmissionKind, target: str) -> None:
    whole = f"{WORLD}<actuator>{text}</actuator>"
    actuator = clean(whole).actuators[0]
    assert (actuator.transmission, actuator.target) == (kind, target)
    order = ["joint", "jointinparent", "slidercrank", "tendon", "site", "body"]
    assert compiled(whole).actuator_trntype[0] == order.index(kind.value)


def test_parts_of_a_slider_crank() -> None:
    text = '<motor cranksite="s" slidersite="t" cranklength="0.1"/>'
    actuator = clean(f"{WORLD}<actuator>{text}</actuator>").actuators[0]
    assert (actuator.slider_site, actuator.crank_length) == ("t", 0.1)


@pytest.mark.parametrize(
    ("default", "actuator", "code"),
    [
        ("", "<motor/>", "X006"),
        ("", '<motor joint="zz"/>', "A701"),
        ("", '<motor joint="j" ctrllimited="true"/>', "X006"),
        ("", '<motor joint="j" forcelimited="true"/>', "X006"),
        ("", '<position joint="j" kv="-3"/>', "A714"),
        ("", '<position joint="j" dampratio="-3"/>', "A714"),
        ("", '<position joint="j" timeconst="-3"/>', "A714"),
        ("", '<damper joint="j" kv="-3" ctrlrange="0 1"/>', "A714"),
        ("", '<damper joint="j" kv="3"/>', "X006"),
        ("", '<adhesion body="a" gain="-1" ctrlrange="0 1"/>', "A714"),
        ("", '<position joint="j" kv="1" dampratio="1"/>', "X005"),
        ("", '<motor joint="j" gear="x"/>', "X010"),
        ("", '<general joint="j" gaintype="afine"/>', "X008"),
    ],
)
def test_faults(default: str, actuator: str, code: str) -> None:
    text = _text(default, actuator)
    issue = only(text)
    assert (issue.code.id, issue.fatal) == (code, True), issue
    assert refused(text)


@pytest.mark.parametrize(
    ("actuator", "dynamics"),
    [
        ('<position joint="j" kp="3" inheritrange="0.5"/>', Activation.NONE),
        ('<intvelocity joint="j" kp="3" inheritrange="1"/>', Activation.INTEGRATOR),
    ],
)
def test_an_inherited_range_waits_for_the_joint(actuator: str, dynamics: Activation) -> None:
    mine = clean(_text("", actuator)).actuators[0]
    assert mine.inherit_range in (0.5, 1.0)
    assert mine.dynamics is dynamics
    assert (mine.ctrl_range, mine.act_range) == (None, None)


def test_a_reversed_range_stays_for_the_rules_to_judge() -> None:
    text = f'{WORLD}<actuator><motor joint="j" ctrlrange="1 -1"/></actuator>'
    assert clean(text).actuators[0].ctrl_range == (1.0, -1.0)


@pytest.mark.parametrize(
    "actuator",
    ['<pid joint="j" kp="1"/>', '<dcmotor joint="j" motorconst="1" resistance="1"/>'],
)
def test_what_is_not_supported_keeps_its_place_among_the_controls(actuator: str) -> None:
    text = f'{WORLD}<actuator>{actuator}<motor name="m" joint="k"/></actuator>'
    assert codes_of(text) == ["U001"]
    assert not refused(text)


def test_other_attributes() -> None:
    text = f"""{WORLD}<actuator><general name="g" joint="j" group="2" actdim="1" actearly="true"
    dyntype="filter" lengthrange="1 2" user="7"/></actuator>"""
    actuator = clean(text).actuators[0]
    assert (actuator.name, actuator.group, actuator.activation_dim) == ("g", 2, 1)
    assert actuator.act_early
    assert actuator.length_range == (1.0, 2.0)
    assert [(item.tag, item.text) for item in actuator.extensions] == [("@user", "7")]
