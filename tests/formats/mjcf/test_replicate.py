"""Replicate: copies, their names and places, and what refers to them; MuJoCo knows the order."""

from __future__ import annotations

from typing import Any

import mujoco
import pytest

from phyzctl import spatial
from tests.formats.mjcf.against_mujoco import differences
from tests.formats.mjcf.reading import clean, codes_of, compiled, only, read, refused

BODY = '<body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>'


def _names(theirs: Any, kind: mujoco.mjtObj, count: int) -> list[str | None]:
    return [mujoco.mj_id2name(theirs, kind, index) for index in range(count)]


CASES = [
    f'<worldbody><replicate count="3" offset="1 0 0">{BODY}</replicate></worldbody>',
    f'<worldbody><replicate count="12" euler="0 0 30" sep="-">{BODY}</replicate></worldbody>',
    f"""<worldbody><replicate count="5" offset="1 2 3" euler="10 20 30">{BODY}
    <geom type="box" size="1 2 3" pos="1 1 1" euler="0 0 45"/></replicate></worldbody>""",
    f"""<compiler angle="radian" eulerseq="zyx"/>
    <worldbody><replicate count="4" offset="1 2 3" euler="0.1 0.2 0.3">{BODY}</replicate>
    </worldbody>""",
    f"""<worldbody><replicate count="2" sep="-" offset="5 0 0"><replicate count="10"
    offset="0 1 0">{BODY}</replicate><body name="c"><geom size="1"/></body></replicate>
    </worldbody>""",
    f"""<worldbody><body name="p"><geom size="1"/><frame pos="0 0 1" euler="0 90 0">
    <replicate count="3" offset="1 0 0"><frame pos="1 0 0">{BODY}</frame></replicate></frame>
    </body></worldbody>""",
    """<default><default class="big"><geom size="7"/></default></default>
    <worldbody><replicate count="2" childclass="big"><body><geom/></body></replicate>
    </worldbody>""",
    f'<worldbody><replicate count="0">{BODY}</replicate></worldbody>',
    f"""<worldbody><replicate count="1">{BODY}</replicate><replicate count="2" sep="x">
    <geom name="w" size="1"/><site name="v"/></replicate></worldbody>""",
    """<worldbody><replicate count="3" offset="1 0 0"><body pos="0 0 1"><freejoint name="f"/>
    <geom size="0.1"/></body></replicate></worldbody>""",
]


@pytest.mark.parametrize("text", CASES)
def test_copies(text: str) -> None:
    robot, theirs = clean(text), compiled(text)
    assert list(differences(robot, theirs)) == []


REFERRING = f"""<worldbody><site name="w"/><body name="o"><joint name="jo"/><geom size="1"/></body>
<replicate count="2" offset="1 0 0">{BODY}<geom name="wg" size=".1"/></replicate></worldbody>
<tendon><spatial name="t"><site site="s"/><site site="w"/></spatial>
<fixed name="f"><joint joint="j" coef="1"/></fixed>
<fixed name="h"><joint joint="jo" coef="1"/></fixed></tendon>
<actuator><motor name="m0" joint="j"/><motor name="mo" joint="jo"/><motor name="mt" tendon="f"/>
</actuator>
<sensor><actuatorfrc name="sa" actuator="m0"/>
<framepos name="fp" objtype="body" objname="b" reftype="site" refname="w"/></sensor>
<contact><exclude body1="b" body2="o"/><pair geom1="g" geom2="wg"/></contact>"""


def test_what_refers_to_copies_is_copied_and_stands_last() -> None:
    robot, theirs = clean(REFERRING), compiled(REFERRING)
    kinds = mujoco.mjtObj
    tendons = _names(theirs, kinds.mjOBJ_TENDON, theirs.ntendon)
    actuators = _names(theirs, kinds.mjOBJ_ACTUATOR, theirs.nu)
    sensors = _names(theirs, kinds.mjOBJ_SENSOR, theirs.nsensor)
    assert [tendon.name for tendon in robot.tendons] == tendons == ["h", "t0", "f0", "t1", "f1"]
    assert [item.name for item in robot.actuators] == actuators
    assert actuators == ["mo", "m00", "mt0", "m01", "mt1"]
    assert [sensor.name for sensor in robot.sensors] == sensors == ["sa0", "fp0", "sa1", "fp1"]
    assert list(differences(robot, theirs)) == []
    assert [(item.first, item.second) for item in robot.excludes] == [("b0", "o"), ("b1", "o")]
    assert [(item.first, item.second) for item in robot.pairs] == [("g0", "wg0"), ("g1", "wg1")]


def test_references_follow_their_copies() -> None:
    robot = clean(REFERRING)
    paths = {tendon.name: [step.name for step in tendon.path] for tendon in robot.tendons}
    assert paths["t1"] == ["s1", "w"]
    assert robot.sensors[1].object_name == "b0"
    assert robot.sensors[1].reference_name == "w"
    assert robot.actuators[2].target == "f0"


def test_an_equality_between_a_copy_and_something_else_stays() -> None:
    text = f"""<worldbody><body name="o"><joint name="jo"/><geom size="1"/></body>
    <replicate count="2">{BODY}</replicate></worldbody>
    <equality><joint joint1="j" joint2="jo"/></equality>"""
    equalities = clean(text).equalities
    assert [(item.first, item.second) for item in equalities] == [("j0", "jo"), ("j1", "jo")]


@pytest.mark.parametrize(("content", "code"), [("<joint/>", "X005"), ("<freejoint/>", "X004")])
def test_a_joint_can_not_be_replicated_by_itself(content: str, code: str) -> None:
    text = f"""<worldbody><body><geom size="1"/><replicate count="2">{content}</replicate></body>
    </worldbody>"""
    assert only(text).code.id == code
    assert refused(text)


@pytest.mark.parametrize(
    ("attributes", "code"),
    [("", "X006"), ('count="x"', "X010"), ('count="2" offset="1"', "X010")],
)
def test_faults(attributes: str, code: str) -> None:
    text = f"<worldbody><replicate {attributes}>{BODY}</replicate></worldbody>"
    assert codes_of(text) == [code]
    assert refused(text)


def test_endless_copies_are_refused() -> None:
    text = f'<worldbody><replicate count="100000000">{BODY}</replicate></worldbody>'
    robot, issues = read(text)
    assert [issue.code.id for issue in issues] == ["X018"]
    assert len(robot.links) == 1


def test_nested_copies_multiply_and_are_refused_together() -> None:
    inner = BODY
    for _ in range(6):
        inner = f'<replicate count="100">{inner}</replicate>'
    _, issues = read(f"<worldbody>{inner}</worldbody>")
    assert {issue.code.id for issue in issues} == {"X018"}


def test_turns_add_up_without_drift() -> None:
    text = f'<worldbody><replicate count="100" euler="0 0 3.6">{BODY}</replicate></worldbody>'
    robot = clean(text)
    quat = robot.structure.inbound("b050")[0].quat
    assert quat is not None
    turned = spatial.rotation_from_quat(quat)
    assert turned[0, 0] == pytest.approx(-1.0, abs=1e-15)


def test_the_places_of_copies_are_those_of_the_original() -> None:
    robot = clean(f'<worldbody><replicate count="2">{BODY}</replicate></worldbody>')
    first, second = robot.structure.link("b0"), robot.structure.link("b1")
    assert str(first.source) == str(second.source) == "robot.xml:1:41"
