"""Attach: bodies of other models, with their own settings, classes, assets and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import pytest

from phyzctl.issues import Issue
from phyzctl.robot.robot import Robot
from tests.formats.mjcf.against_mujoco import differences
from tests.formats.mjcf.reading import read_file, write_files

KID = """<mujoco model="kid"><compiler angle="radian"/>
<default><geom size="2" material="red"/><default class="x"><geom size="3"/></default></default>
<asset><material name="red"/><material name="unused"/>
<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><site name="ws"/><geom name="floor"/><frame name="fr" pos="0 0 5">
<body name="top" pos="1 0 0" childclass="x"><joint name="j0"/><geom/>
<body name="b" pos="0 1 0" euler="1 0 0"><joint name="j" range="-1 1"/><geom name="g"/>
<geom type="mesh" mesh="m"/><site name="s"/></body></body></frame></worldbody>
<contact><exclude body1="b" body2="top"/><exclude body1="world" body2="b"/></contact>
<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed>
<fixed name="t2"><joint joint="j" coef="1"/><joint joint="j0" coef="1"/></fixed></tendon>
<actuator><motor joint="j" name="m"/><motor joint="j0"/><motor tendon="t"/></actuator>
<sensor><jointpos joint="j"/><framepos objtype="body" objname="b" reftype="body" refname="top"/>
</sensor>
<equality><weld body1="b" body2="world"/><joint joint1="j" joint2="j0"/><joint joint1="j"/>
</equality>
<keyframe><key name="k" qpos="1 2" ctrl="1 2 3"/><key name="v" time="3" qvel="4 5"/></keyframe>
</mujoco>"""
MAIN = """<mujoco><asset><model {model} file="kid.xml"/></asset>
<worldbody><body name="f" pos="1 2 3"><freejoint/><geom size="1"/></body>
<body name="r" pos="0 0 1"><joint name="jr" range="-30 30" ref="20"/><geom size="1"/>
<joint name="ball" type="ball"/>{attach}</body></worldbody>
<actuator><motor joint="jr"/></actuator>
<keyframe><key name="own" time="1"/></keyframe></mujoco>"""


def _read(folder: Path, attach: str, model: str = "", **files: str) -> tuple[Robot, list[Issue]]:
    main = MAIN.format(model=model, attach=attach).replace('<joint name="ball" type="ball"/>', "")
    path = write_files(folder, {"main.xml": main, "kid.xml": KID, **files})
    return read_file(path)


def _theirs(folder: Path) -> Any:
    return mujoco.MjModel.from_xml_path(str(folder / "main.xml"))


@pytest.mark.parametrize(
    "attach",
    [
        '<attach model="kid" body="b" prefix="p_"/>',
        '<attach model="kid" body="top" prefix="p_"/>',
        '<attach model="kid" prefix="p_"/>',
        '<frame pos="0 0 7" euler="0 90 0"><attach model="kid" body="b" prefix="p_"/></frame>',
        """<frame pos="0 0 7"><attach model="kid" body="b" prefix="p_"/></frame>
        <attach model="kid" body="b" prefix="q_"/>""",
        """<replicate count="3" offset="1 0 0"><attach model="kid" body="b" prefix="p_"/>
        </replicate>""",
    ],
)
def test_as_mujoco_does(tmp_path: Path, attach: str) -> None:
    robot, issues = _read(tmp_path, attach)
    assert issues == []
    assert list(differences(robot, _theirs(tmp_path))) == []


def test_several_attached_models_stand_in_the_order_of_the_text(tmp_path: Path) -> None:
    attach = """<attach model="kid" body="b" prefix="p_"/>
    <frame><attach model="kid" body="b" prefix="q_"/></frame>"""
    robot, _ = _read(tmp_path, attach)
    assert [item.name for item in robot.actuators] == [None, "p_m", None, "q_m", None]
    assert [key.name for key in robot.keyframes] == ["own", "p_k", "p_v", "q_k", "q_v"]
    theirs = _theirs(tmp_path)
    assert [theirs.actuator(index).name for index in range(theirs.nu)] == ["", "p_m", "", "q_m", ""]


def test_names_get_the_prefix(tmp_path: Path) -> None:
    robot, _ = _read(tmp_path, '<attach model="kid" body="b" prefix="p_"/>')
    link = robot.structure.link("p_b")
    assert [geom.name for geom in link.geoms] == ["p_g", None]
    assert [site.name for site in link.sites] == ["p_s"]
    assert robot.structure.joint("p_j").child == "p_b"
    assert {material.name for material in robot.materials} == {"p_red", "p_unused"}
    assert link.geoms[0].material is not None
    assert link.geoms[0].material.name == "p_red"
    assert [mesh.name for mesh in robot.meshes] == ["p_m"]
    assert [tendon.name for tendon in robot.tendons] == ["p_t"]


def test_what_is_not_attached_takes_what_refers_to_it_along(tmp_path: Path) -> None:
    robot, _ = _read(tmp_path, '<attach model="kid" body="b" prefix="p_"/>')
    assert [(item.first, item.second) for item in robot.excludes] == [("world", "p_b")]
    assert [(item.first, item.second) for item in robot.equalities] == [
        ("p_b", "world"),
        ("p_j", None),
    ]
    assert [item.target for item in robot.actuators] == ["jr", "p_j", "p_t"]


def test_settings_and_classes_are_those_of_the_attached_model(tmp_path: Path) -> None:
    robot, _ = _read(tmp_path, '<attach model="kid" body="b" prefix="p_"/>')
    assert robot.structure.joint("p_j").limit.upper == 1.0, "radian, as the attached model says"
    assert robot.structure.joint("jr").limit.upper == pytest.approx(0.5235987755982988)
    radii = [getattr(geom.shape, "radius", None) for geom in robot.structure.link("p_b").geoms]
    assert radii == [3.0, None], "of the class that the body above hands down"


def test_keys_are_spread_over_the_whole_robot(tmp_path: Path) -> None:
    robot, _ = _read(tmp_path, '<attach model="kid" body="b" prefix="p_"/>')
    own, first, second = robot.keyframes
    assert (own.name, first.name, second.name, second.time) == ("own", "p_k", "p_v", 3.0)
    assert first.qpos == pytest.approx((1, 2, 3, 1, 0, 0, 0, 0.3490658503988659, 2))
    assert first.ctrl == (0.0, 1.0, 3.0)
    assert second.qvel == (0.0,) * 7 + (5.0,)
    theirs = _theirs(tmp_path)
    for index, key in enumerate((own, first, second)):
        for name in ("qpos", "qvel", "ctrl"):
            stated = getattr(key, name)
            if stated is not None:
                assert list(stated) == pytest.approx(getattr(theirs, f"key_{name}")[index].tolist())


def test_a_model_has_another_name_here(tmp_path: Path) -> None:
    attach = '<attach model="other" body="b" prefix="p_"/>'
    robot, issues = _read(tmp_path, attach, model='name="other"')
    assert issues == []
    assert robot.structure.has_link("p_b")


def test_meshes_are_looked_for_beside_the_attached_model(tmp_path: Path) -> None:
    main = """<mujoco><asset><model file="parts/kid.xml"/></asset>
    <worldbody><attach model="kid" body="b" prefix="p_"/></worldbody></mujoco>"""
    kid = """<mujoco model="kid"><compiler meshdir="meshes"/><asset><mesh file="m.obj"/></asset>
    <worldbody><body name="b"><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    files = {"main.xml": main, "parts/kid.xml": kid, "parts/meshes/m.obj": mesh}
    robot, issues = read_file(write_files(tmp_path, files))
    assert issues == []
    assert (robot.meshes[0].name, robot.meshes[0].file) == (
        "p_m",
        str(tmp_path / "parts/meshes/m.obj"),
    )
    assert list(differences(robot, _theirs(tmp_path))) == []


def test_an_attached_model_that_attaches(tmp_path: Path) -> None:
    main = """<mujoco><asset><model file="mid.xml"/></asset>
    <worldbody><attach model="mid" body="mb" prefix="a_"/></worldbody></mujoco>"""
    mid = """<mujoco model="mid"><compiler angle="radian"/><asset><model file="kid.xml"/></asset>
    <worldbody><body name="mb"><joint name="mj" range="-1 1"/><geom size="1"/>
    <attach model="kid" body="b" prefix="c_"/></body></worldbody></mujoco>"""
    files = {"main.xml": main, "mid.xml": mid, "kid.xml": KID}
    robot, issues = read_file(write_files(tmp_path, files))
    assert issues == []
    assert [link.name for link in robot] == ["world", "a_mb", "a_c_b"]
    geom = robot.structure.link("a_c_b").geoms[0]
    assert geom.material is not None
    assert geom.material.name == "a_c_red"


def test_a_body_of_the_same_model(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body name="b"><joint name="j"/><geom size="1"/></body>
    <frame pos="0 0 3"><attach body="b" prefix="x_"/></frame></worldbody>
    <actuator><motor name="m" joint="j"/></actuator></mujoco>"""
    robot, issues = read_file(write_files(tmp_path, {"main.xml": text}))
    assert issues == []
    assert [link.name for link in robot] == ["world", "b", "x_b"]
    assert [item.name for item in robot.actuators] == ["m", "x_m"]
    assert list(differences(robot, _theirs(tmp_path))) == []


@pytest.mark.parametrize(
    ("attach", "code", "words"),
    [
        ('<attach model="kit" body="b" prefix="p_"/>', "N305", "did you mean 'kid'"),
        ('<attach model="kid" body="bb" prefix="p_"/>', "N305", "'bb'"),
        ('<attach body="zz" prefix="p_"/>', "N305", "'zz'"),
        ('<attach prefix="p_"/>', "X006", "needs a body or a frame"),
        ('<attach model="kid" body="b"/>', "X006", "'prefix'"),
        ('<attach model="kid" body="b" frame="fr" prefix="p_"/>', "X005", "body and frame"),
    ],
)
def test_faults(tmp_path: Path, attach: str, code: str, words: str) -> None:
    _, issues = _read(tmp_path, attach)
    assert code in [issue.code.id for issue in issues]
    assert any(words in issue.message for issue in issues)
    with pytest.raises(ValueError, match=r"."):
        _theirs(tmp_path)


@pytest.mark.parametrize(
    ("kid", "words"),
    [
        ("", "is empty"),
        ("<mujoco", "in the middle of a tag"),
        (
            """<mujoco model="kid"><asset><model file="kid.xml"/></asset><worldbody>
            <body name="b"><attach model="kid" body="b" prefix="q"/></body></worldbody></mujoco>""",
            "attaches itself",
        ),
    ],
)
def test_models_that_can_not_be_read(tmp_path: Path, kid: str, words: str) -> None:
    attach = '<attach model="kid" body="b" prefix="p_"/>'
    _, issues = _read(tmp_path, attach, 'name="kid"', **{"kid.xml": kid})
    assert any(issue.fatal for issue in issues)
    assert any(words in issue.message for issue in issues), [str(issue) for issue in issues]


def test_a_body_inside_of_itself(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body name="b"><geom size="1"/><attach body="b" prefix="x_"/>
    </body></worldbody></mujoco>"""
    robot, issues = read_file(write_files(tmp_path, {"main.xml": text}))
    assert [issue.code.id for issue in issues] == ["T402"]
    assert [link.name for link in robot] == ["world", "b"]


def test_a_model_that_attaches_the_main_file(tmp_path: Path) -> None:
    kid = """<mujoco model="kid"><asset><model name="back" file="main.xml"/></asset>
    <worldbody><body name="b"><attach model="back" body="r" prefix="q"/></body></worldbody>
    </mujoco>"""
    attach = '<attach model="kid" body="b" prefix="p_"/>'
    _, issues = _read(tmp_path, attach, **{"kid.xml": kid})
    assert [issue.code.id for issue in issues] == ["X019"]


def test_what_is_wrong_with_a_model_is_said_once(tmp_path: Path) -> None:
    kid = KID.replace('name="floor"', 'name="floor" flavour="x"')
    attach = "".join(f'<attach model="kid" body="b" prefix="p{i}_"/>' for i in range(3))
    _, issues = _read(tmp_path, attach, **{"kid.xml": kid})
    assert [issue.code.id for issue in issues] == ["X004"]


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    main = MAIN.format(model='name="kid"', attach='<attach model="kid" body="b" prefix="p_"/>')
    _, issues = read_file(write_files(tmp_path, {"main.xml": main}))
    assert [issue.code.id for issue in issues] == ["X019"]


def test_masses_made_in_another_way_are_said(tmp_path: Path) -> None:
    kid = KID.replace('angle="radian"', 'angle="radian" boundmass="1"')
    attach = '<attach model="kid" body="b" prefix="p_"/>'
    _, issues = _read(tmp_path, attach, **{"kid.xml": kid})
    assert [issue.code.id for issue in issues] == ["U001"]
    assert "main model hold for both" in issues[0].message
