"""Bodies: order, names, the world, and what else stands in the tree."""

from __future__ import annotations

import pytest

from phyzctl.robot.elements import GeomRole, JointKind
from tests.formats.mjcf.reading import clean, codes_of, compiled, only, read, refused


def test_order_is_depth_first_as_written() -> None:
    text = """<worldbody>
      <body name="a"><body name="b"/><body name="c"><body name="d"/></body></body>
      <body name="e"/>
    </worldbody><worldbody><body name="f"/></worldbody>"""
    names = [link.name for link in clean(text)]
    theirs = compiled(text)
    assert names == [theirs.body(index).name for index in range(theirs.nbody)]


def test_bodies_without_joints_hang_by_fixed_joints_without_stated_names() -> None:
    robot = clean('<worldbody><body name="a"><body name="b"/></body></worldbody>')
    assert [joint.kind for joint in robot.joints] == [JointKind.FIXED] * 2
    assert [joint.name_stated for joint in robot.joints] == [False, False]
    assert [(joint.parent, joint.child) for joint in robot.joints] == [("world", "a"), ("a", "b")]


def test_names_are_made_up_only_where_none_is_stated() -> None:
    text = """<worldbody><body><joint/><joint name="j"/><geom size="1"/></body>
    <body name="world:body1"/><body name="x"><joint/><geom size="1"/></body></worldbody>"""
    robot = clean(text)
    stated = {link.name: link.name_stated for link in robot}
    assert stated["x"]
    assert stated["world:body1"]
    assert list(stated.values()).count(False) == 2, "the world and the first body"
    assert len({link.name for link in robot}) == 4
    assert robot.structure.joint("j").name_stated


def test_geoms_and_sites_without_a_name_have_none() -> None:
    robot = clean('<worldbody><geom size="1"/><site/><geom size="1" name=""/></worldbody>')
    assert [geom.name for geom in robot.structure.root.geoms] == [None, None]
    assert robot.structure.root.sites[0].name is None


def test_the_world_holds_geoms_and_sites() -> None:
    text = '<worldbody><geom name="floor" size="1"/><site name="origin"/></worldbody>'
    root = clean(text).structure.root
    assert (root.name, root.name_stated) == ("world", False)
    assert [geom.name for geom in root.geoms] == ["floor"]
    assert [site.name for site in root.sites] == ["origin"]


def test_a_file_without_a_world_has_one() -> None:
    assert [link.name for link in clean("<mujoco model='empty'/>")] == ["world"]


def test_the_model_has_a_name() -> None:
    assert clean("<mujoco model='r2'/>").name == "r2"
    assert clean("<mujoco model='r2'/>").dialect == "mjcf"


@pytest.mark.parametrize(
    "inside",
    [
        "<joint/>",
        "<freejoint/>",
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>',
    ],
)
def test_the_world_neither_moves_nor_weighs(inside: str) -> None:
    text = f"<worldbody>{inside}</worldbody>"
    assert read(text)[1]
    assert any(issue.fatal for issue in read(text)[1])
    assert refused(text)


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ('<body mocap="true"><geom size="1"/></body>', True),
        ('<body mocap="true"><body><joint/><geom size="1"/></body></body>', True),
        ('<body mocap="true"><joint/><geom size="1"/></body>', False),
        ('<body><body mocap="true"><geom size="1"/></body></body>', False),
        ('<body><joint/><geom size="1"/><body mocap="false"/></body>', True),
    ],
)
def test_where_a_mocap_body_can_stand(text: str, fine: bool) -> None:
    whole = f"<worldbody>{text}</worldbody>"
    assert codes_of(whole) == ([] if fine else ["M016"])
    assert refused(whole) is not fine


@pytest.mark.parametrize(
    "second",
    [
        '<body name="a"><geom size="1"/></body>',
        '<body name="c"><joint name="j"/><geom size="1"/></body>',
        '<body name="c"><geom name="g" size="1"/></body>',
    ],
)
def test_duplicates(second: str) -> None:
    text = f"""<worldbody><body name="a"><joint name="j"/><geom name="g" size="1"/></body>
    {second}</worldbody>"""
    issue = only(text)
    assert (issue.code.id, issue.fatal) == ("N301", True)
    assert issue.related
    assert refused(text)


@pytest.mark.parametrize(
    ("first", "second", "fine"),
    [
        ('<site name="n"/>', '<site name="n"/>', False),
        ('<camera name="n"/>', '<camera name="n"/>', False),
        ('<light name="n"/>', '<light name="n"/>', False),
        ('<frame name="n"/>', '<frame name="n"/>', False),
        ('<geom size="1" name="n"/>', '<site name="n"/>', True),
        ('<body name="n"/>', '<geom size="1" name="n"/>', True),
        ('<geom size="1" name=""/>', '<geom size="1" name=""/>', True),
    ],
)
def test_names_within_a_kind(first: str, second: str, fine: bool) -> None:
    text = f"<worldbody>{first}{second}</worldbody>"
    assert codes_of(text) == ([] if fine else ["N301"])
    assert refused(text) is not fine


@pytest.mark.parametrize(
    ("section", "element"),
    [
        ("asset", '<texture name="n" builtin="flat" width="1" height="1"/>'),
        ("asset", '<material name="n"/>'),
        ("asset", '<mesh name="n" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'),
        ("tendon", '<fixed name="n"><joint joint="j" coef="1"/></fixed>'),
        ("actuator", '<motor name="n" joint="j"/>'),
        ("equality", '<joint name="n" joint1="j"/>'),
        ("sensor", '<jointpos name="n" joint="j"/>'),
        ("keyframe", '<key name="n"/>'),
        ("custom", '<text name="n" data="x"/>'),
        ("contact", '<exclude name="n" body1="b" body2="world"/>'),
    ],
)
def test_names_within_a_section(section: str, element: str) -> None:
    text = f"""<worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>
    <{section}>{element}{element}</{section}>"""
    issue = only(text)
    assert (issue.code.id, issue.fatal) == ("N301", True)
    assert refused(text)


def test_a_body_called_world() -> None:
    text = '<worldbody><body name="world"/></worldbody>'
    assert "N301" in codes_of(text)
    assert refused(text)


def test_a_silent_geom_of_a_pair_is_not_only_for_looks() -> None:
    text = """<worldbody><geom name="g" size="1" contype="0" conaffinity="0"/>
    <geom name="h" size="1" contype="0" conaffinity="0"/>
    <geom name="k" size="1" contype="0" conaffinity="0"/></worldbody>
    <contact><pair geom1="g" geom2="h"/></contact>"""
    roles = [geom.role for geom in clean(text).structure.root.geoms]
    assert roles == [GeomRole.BOTH, GeomRole.BOTH, GeomRole.VISUAL]


def test_cameras_lights_and_attributes_without_a_place_are_kept() -> None:
    text = """<worldbody><body name="b" user="1 2" sleep="never"><camera name="c" fovy="40"/>
    <light pos="0 0 1"/><geom size="1"/></body></worldbody>"""
    kept = clean(text).structure.link("b").extensions
    assert {item.tag: item.text for item in kept} == {
        "@user": "1 2",
        "@sleep": "never",
        "camera": '<camera name="c" fovy="40"/>',
        "light": '<light pos="0 0 1"/>',
    }


def test_a_plugin_is_kept_and_said() -> None:
    text = '<worldbody><body name="b"><plugin plugin="p"/></body></worldbody>'
    issue = only(text)
    assert issue.code.id == "U001"
    robot, _ = read(text)
    assert [item.tag for item in robot.structure.link("b").extensions] == ["plugin"]


def test_each_kind_that_is_not_supported_is_said_once() -> None:
    text = """<worldbody><body><composite type="cable"/></body>
    <body><composite type="cable"/></body><body><flexcomp name="f"/></body></worldbody>"""
    assert codes_of(text) == ["U001", "U001"]


def test_bodies_outside_of_the_world_are_said() -> None:
    text = '<body name="lost"><geom size="1"/></body>'
    assert only(text).code.id == "U001"
    assert not refused(text)
    assert read(text)[0].structure.root.name == "world"


def test_the_rest_is_kept_verbatim() -> None:
    text = """<visual><map znear="0.1"/></visual><statistic extent="3"/><size nuserdata="2"/>
    <custom><numeric name="n" data="1 2"/></custom>"""
    kept = {item.tag: item.text for item in clean(text).extensions}
    assert kept == {
        "visual": '<visual><map znear="0.1"/></visual>',
        "statistic": '<statistic extent="3"/>',
        "size": '<size nuserdata="2"/>',
        "custom": '<custom><numeric name="n" data="1 2"/></custom>',
    }


def test_soft_bodies_and_skins_are_kept() -> None:
    text = """<deformable><flex name="f" body="b" element="0 1 2"/><skin name="s"/></deformable>
    <worldbody><body name="b"/></worldbody>"""
    robot, issues = read(text)
    assert [issue.code.id for issue in issues] == ["U001"], "a skin is only for looks"
    assert [item.tag for item in robot.extensions] == ["flex", "skin"]


def test_settings_that_are_not_interpreted_are_kept() -> None:
    text = """<compiler angle="radian" meshdir="m"/><compiler usethread="false"/>
    <compiler angle="radian"><lengthrange tolrange="0.1"/></compiler>"""
    assert [item.text for item in clean(text).extensions] == [
        '<compiler usethread="false"/>',
        '<compiler angle="radian"><lengthrange tolrange="0.1"/></compiler>',
    ]


def test_places() -> None:
    text = """<mujoco>
  <worldbody>
    <body name="b">
      <joint name="j" range="1 2"/>
      <geom name="g" size="1"/>
    </body>
  </worldbody>
</mujoco>"""
    robot = clean(text)
    joint = robot.structure.joint("j")
    assert str(joint.source) == "robot.xml:4:7"
    assert str(joint.limit.source) == "robot.xml:4:23"
    assert str(robot.structure.link("b").geoms[0].source) == "robot.xml:5:7"


def test_deep_nesting_is_no_problem() -> None:
    depth = 480
    text = f"<worldbody>{'<body>' * depth}{'</body>' * depth}</worldbody>"
    assert len(list(clean(text))) == depth + 1
