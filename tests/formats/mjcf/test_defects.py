"""Mistakes that importers of MJCF are known to make, each shown not to be made here.

Expected values are MuJoCo's, asked about the same text, or stand in the format's manual.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from phyzctl import spatial
from phyzctl.model.compiler import compile as compiled_model
from phyzctl.robot.elements import GeomRole, JointKind
from phyzctl.robot.mechanism import EqualityKind, Gain
from tests.formats.mjcf.reading import clean, compiled, geom, joint, only, read

DEGREE = math.pi / 180


def test_angles_are_degrees_unless_said_otherwise() -> None:
    assert joint('<joint range="-90 45"/>').limit.upper == pytest.approx(math.pi / 4, rel=1e-15)
    radian = joint('<joint range="-1.5 0.5"/>', '<compiler angle="radian"/>')
    assert (radian.limit.lower, radian.limit.upper) == (-1.5, 0.5)


def test_a_slide_is_never_in_degrees() -> None:
    slide = joint('<joint type="slide" range="-2 3" ref="1" springref="0.5"/>')
    assert (slide.limit.lower, slide.limit.upper, slide.ref) == (-2.0, 3.0, 1.0)
    assert slide.dynamics is not None
    assert slide.dynamics.springref == 0.5


def test_springref_and_ref_of_a_hinge_are_angles() -> None:
    hinge = joint('<joint ref="30" springref="60"/>')
    assert hinge.ref == pytest.approx(30 * DEGREE)
    assert hinge.dynamics is not None
    assert hinge.dynamics.springref == pytest.approx(60 * DEGREE)


@pytest.mark.parametrize("angle", ["degree", "radian"])
@pytest.mark.parametrize("kind", ["motor", "position", "velocity", "general"])
def test_control_ranges_are_never_angles(angle: str, kind: str) -> None:
    text = f"""<compiler angle="{angle}"/>
    <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><{kind} joint="j" ctrlrange="-1 1"/></actuator>"""
    assert clean(text).actuators[0].ctrl_range == (-1.0, 1.0)
    assert compiled(text).actuator_ctrlrange[0].tolist() == [-1.0, 1.0]


def test_a_class_called_main_holds_for_elements_without_a_class() -> None:
    text = '<default class="main"><geom size="0.7" contype="4"/></default>'
    shown = geom("<geom/>", text)
    assert shown.shape is not None
    assert getattr(shown.shape, "radius", None) == 0.7
    assert shown.surface is not None
    assert shown.surface.contype == 4


def test_actuator_shortcuts_share_one_default() -> None:
    text = """<default><position ctrlrange="-2 2" forcerange="-9 9" gear="3"/></default>
    <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><motor joint="j"/></actuator>"""
    motor = clean(text).actuators[0]
    assert (motor.ctrl_range, motor.force_range, motor.gear[0]) == ((-2, 2), (-9, 9), 3)
    theirs = compiled(text)
    assert theirs.actuator_gear[0][0] == 3
    assert theirs.actuator_forcerange[0].tolist() == [-9, 9]


def test_mesh_defaults_apply() -> None:
    text = """<default><mesh scale="2 3 4" inertia="exact"/></default>
    <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
    <worldbody><geom type="mesh" mesh="m"/></worldbody>"""
    mesh = clean(text).meshes[0]
    assert (mesh.scale, mesh.inertia_mode) == ((2.0, 3.0, 4.0), "exact")


def test_a_turned_body_carries_its_child_along() -> None:
    text = """<worldbody><body name="a" euler="0 0 90"><geom size=".1"/>
    <body name="b" pos="1 0 0"><geom name="g" size=".1"/></body></body></worldbody>"""
    model = compiled_model(clean(text))
    placed = model.kinematics(np.zeros(0))
    assert placed.bodies[1, :3, 3] == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)


def test_everything_on_a_body_turns_about_the_joint_and_not_about_the_origin() -> None:
    """The published figures: hinge at (.5, 0, 0), child at (1, 0, 0), turned by 90 degrees."""
    text = """<worldbody><body name="a"><joint pos="0.5 0 0"/><geom size=".1"/>
    <body name="b" pos="1 0 0"><geom size=".1"/></body></body></worldbody>"""
    placed = compiled_model(clean(text)).kinematics(np.array([math.pi / 2]))
    assert placed.bodies[0, :3, 3] == pytest.approx([0.5, -0.5, 0.0], abs=1e-15)
    assert placed.bodies[1, :3, 3] == pytest.approx([0.5, 0.5, 0.0], abs=1e-15)


def test_several_joints_on_a_body_need_no_helper_links() -> None:
    text = """<worldbody><body name="a"><geom size=".1"/><body name="b">
    <joint name="x" type="slide" axis="1 0 0"/><joint name="y" axis="0 1 0"/>
    <geom size=".1"/></body></body></worldbody>"""
    robot = clean(text)
    assert [link.name for link in robot] == ["world", "a", "b"]
    assert [joint.name for joint in robot.structure.inbound("b")] == ["x", "y"]
    assert {(j.parent, j.child) for j in robot.structure.inbound("b")} == {("a", "b")}


@pytest.mark.parametrize(
    "turn", ['euler="0 90 0"', 'axisangle="0 1 0 90"', 'xyaxes="0 0 -1 0 1 0"', 'zaxis="1 0 0"']
)
def test_an_inertial_turns_in_every_spelling(turn: str) -> None:
    text = f"""<worldbody><body name="b"><joint/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5" {turn}/></body></worldbody>"""
    inertial = clean(text).structure.link("b").inertial
    assert inertial is not None
    assert inertial.quat is not None
    assert spatial.rotation_from_quat(inertial.quat)[:, 2] == pytest.approx([1, 0, 0], abs=1e-15)


def test_a_missing_mass_is_never_one() -> None:
    text = (
        '<worldbody><body name="b"><inertial pos="0 0 0" diaginertia="1 1 1"/></body></worldbody>'
    )
    robot, issues = read(text)
    assert [issue.code.id for issue in issues] == ["X006"]
    inertial = robot.structure.link("b").inertial
    assert inertial is not None
    assert inertial.mass is None


def test_the_floor_stays() -> None:
    floor = geom('<geom name="floor" type="plane" size="1 2 .1"/>')
    assert floor.name == "floor"


@pytest.mark.parametrize("kind", ["ellipsoid", "sphere", "capsule", "cylinder", "box"])
def test_no_kind_of_geom_is_dropped(kind: str) -> None:
    assert geom(f'<geom type="{kind}" size=".1 .2 .3"/>').shape is not None


def test_bit_masks_beyond_one_stay() -> None:
    surface = geom('<geom size="1" contype="6" conaffinity="9"/>').surface
    assert surface is not None
    assert (surface.contype, surface.conaffinity) == (6, 9)
    assert geom('<geom size="1" contype="0" conaffinity="0"/>').role is GeomRole.VISUAL


def test_contact_parameters_stay_on_their_geom() -> None:
    text = '<geom size="1" condim="4" priority="2" solmix="3" gap="0.1" margin="0.2" group="3"/>'
    shown = geom(text)
    surface = shown.surface
    assert surface is not None
    assert (surface.condim, surface.priority, surface.solmix) == (4, 2, 3.0)
    assert (surface.gap, surface.margin, shown.group) == (0.1, 0.2, 3)


def test_excludes_pairs_and_keyframes_stay() -> None:
    text = """<worldbody><body name="a"><joint name="j"/><geom name="g" size="1"/></body>
    <body name="b"><geom name="h" size="1"/></body></worldbody>
    <contact><exclude body1="a" body2="b"/><pair geom1="g" geom2="h"/></contact>
    <keyframe><key name="home" qpos="1"/></keyframe>"""
    robot = clean(text)
    assert (robot.excludes[0].first, robot.excludes[0].second) == ("a", "b")
    assert (robot.pairs[0].first, robot.pairs[0].second) == ("g", "h")
    assert robot.keyframes[0].qpos == (1.0,)


def test_frames_and_replicas_stay() -> None:
    text = """<worldbody><frame pos="1 0 0"><body name="f"><geom size="1"/></body></frame>
    <replicate count="2" offset="0 1 0"><body name="r"><geom size="1"/></body></replicate>
    </worldbody>"""
    robot = clean(text)
    assert [link.name for link in robot] == ["world", "f", "r0", "r1"]
    assert robot.structure.inbound("f")[0].xyz == (1.0, 0.0, 0.0)
    assert robot.structure.inbound("r1")[0].xyz == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("tag", ["composite", "flexcomp"])
def test_what_is_not_supported_is_said(tag: str) -> None:
    attributes = {"composite": 'type="cable"', "flexcomp": 'name="f"'}[tag]
    issue = only(f'<worldbody><body name="b"><{tag} {attributes}/></body></worldbody>')
    assert issue.code.id == "U001"
    assert issue.source is not None
    assert issue.source.line == 1


def test_equality_tendon_and_height_field_are_read() -> None:
    text = """<asset><hfield name="h" size="1 1 1 1" nrow="2" ncol="2"/></asset>
    <worldbody><geom type="hfield" hfield="h"/>
    <body name="a"><joint name="j"/><geom size="1"/></body></worldbody>
    <equality><weld body1="a"/></equality>
    <tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>"""
    robot = clean(text)
    assert robot.equalities[0].kind is EqualityKind.WELD
    assert robot.tendons[0].path[0].coefficient == 2.0
    assert robot.heightfields[0].rows == 2


@pytest.mark.parametrize("wrong", ["1 2", "1 2 3 4", "1 2 x", "1,2,3"])
def test_a_wrong_vector_is_never_zero(wrong: str) -> None:
    text = f'<worldbody><body name="b" pos="{wrong}"><geom size="1"/></body></worldbody>'
    robot, issues = read(text)
    assert [issue.code.id for issue in issues] == ["X010"]
    assert robot.structure.inbound("b")[0].xyz is None


def test_gear_stays_apart_from_the_servo() -> None:
    """The published example: gear 3, kp 10, kv 2, u = 1, q = .5, v = .25, force range +-5."""
    text = """<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><position joint="j" gear="3" kp="10" kv="2" forcerange="-5 5"/></actuator>"""
    robot = clean(text)
    servo = robot.actuators[0]
    assert (servo.gear[0], servo.gain_parameters) == (3, (10,))
    assert servo.bias_parameters == (0.0, -10.0, -2.0)
    forces = compiled_model(robot).actuator_forces_at([1.0], [0.5], [0.25])
    assert forces.tolist() == [-15.0]


def test_a_velocity_gain_below_one_stays() -> None:
    text = """<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><velocity joint="j" kv="0.25"/></actuator>"""
    velocity = clean(text).actuators[0]
    assert velocity.gain_parameters == (0.25,)
    assert velocity.bias_parameters == (0.0, 0.0, -0.25)


def test_types_of_gain_bias_and_dynamics_count() -> None:
    text = """<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><general joint="j" gaintype="affine" gainprm="1 2 3" biastype="affine"
    biasprm="4 5 6" dyntype="filter" dynprm="0.1"/></actuator>"""
    general = clean(text).actuators[0]
    assert {general.gain, general.bias} == {Gain.AFFINE}
    assert general.dynamics.value == "filter"
    assert general.gain_parameters == (1.0, 2.0, 3.0)
    assert general.bias_parameters == (4.0, 5.0, 6.0)
    assert general.dynamics_parameters == (0.1,)


def test_gravcomp_mocap_and_the_other_forgotten_attributes() -> None:
    text = """<worldbody><body name="m" mocap="true"><geom size="1"/></body>
    <body name="b" gravcomp="0.5"><joint name="j" frictionloss="2" armature="3" margin="0.01"
    solreflimit="0.1 1" actuatorfrcrange="-4 4" actuatorgravcomp="true"/><geom size="1"/></body>
    </worldbody>"""
    robot = clean(text)
    assert robot.structure.link("m").mocap
    assert robot.structure.link("b").gravcomp == 0.5
    joint_ = robot.structure.joint("j")
    assert joint_.dynamics is not None
    assert (joint_.dynamics.friction, joint_.dynamics.armature) == (2.0, 3.0)
    assert joint_.solver is not None
    assert (joint_.solver.margin, joint_.solver.solref_limit) == (0.01, (0.1, 1.0))
    assert joint_.actuator_force_range == (-4.0, 4.0)
    assert joint_.actuator_gravcomp


def test_compiler_settings_that_change_masses_stay() -> None:
    text = """<compiler boundmass="0.1" boundinertia="0.2" balanceinertia="true"
    settotalmass="5" inertiafromgeom="true" inertiagrouprange="1 2" discardvisual="true"/>"""
    settings = clean(text).settings
    assert (settings.bound_mass, settings.bound_inertia, settings.total_mass) == (0.1, 0.2, 5.0)
    assert settings.balance_inertia
    assert settings.discard_visual
    assert (settings.inertia_from_geom, settings.inertia_group_range) == (True, (1, 2))


def test_a_box_between_two_points_is_square() -> None:
    shape = geom('<geom type="box" size=".1" fromto="0 0 0 0 0 2"/>').shape
    assert getattr(shape, "size", None) == (0.2, 0.2, 2.0)


def test_a_body_without_mass_gets_none() -> None:
    assert clean('<worldbody><body name="b"/></worldbody>').structure.link("b").inertial is None


def test_kinds_of_joint() -> None:
    kinds = {
        '<joint type="ball"/>': JointKind.SPHERICAL,
        '<joint type="slide"/>': JointKind.PRISMATIC,
        '<joint type="hinge"/>': JointKind.CONTINUOUS,
        '<joint type="hinge" range="-1 1"/>': JointKind.REVOLUTE,
        "<joint/>": JointKind.CONTINUOUS,
        '<joint type="free"/>': JointKind.FLOATING,
        "<freejoint/>": JointKind.FLOATING,
    }
    for text, kind in kinds.items():
        assert joint(text).kind is kind, text
