"""References to nothing: each one that MuJoCo refuses is one error, with a suggestion."""

from __future__ import annotations

import pytest

from tests.formats.mjcf.reading import clean, codes_of, only, read, refused

WORLD = """<asset><material name="steel"/><texture name="tiles" builtin="flat" width="1" height="1"
type="2d"/><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><camera name="eye"/><body name="arm"><joint name="j"/><geom name="g" size="1"/>
<site name="s"/></body><site name="t"/>{}</worldbody>{}"""


@pytest.mark.parametrize(
    ("world", "sections"),
    [
        ('<site material="steal"/>', ""),
        ('<geom size="1" material="steal"/>', ""),
        ('<geom type="mesh" mesh="mm"/>', ""),
        ('<geom type="box" mesh="mm"/>', ""),
        ('<geom type="hfield" hfield="hh"/>', ""),
        ('<light target="arn"/>', ""),
        ('<camera target="arn"/>', ""),
        ('<light texture="tile"/>', ""),
        ("", '<asset><material name="x" texture="tile"/></asset>'),
        ("", '<asset><material name="x"><layer role="rgb" texture="tile"/></material></asset>'),
        ("", '<sensor><rangefinder camera="eie"/></sensor>'),
        ("", '<sensor><camprojection camera="eie" site="s"/></sensor>'),
        (
            "",
            '<tendon><spatial material="steal"><site site="s"/><site site="t"/></spatial></tendon>',
        ),
        ("", '<sensor><gyro site="ss"/></sensor>'),
        ("", '<actuator><motor joint="jj"/></actuator>'),
        ("", '<actuator><motor site="s" refsite="ss"/></actuator>'),
        ("", '<contact><exclude body1="arm" body2="arn"/></contact>'),
    ],
)
def test_each_is_one_error(world: str, sections: str) -> None:
    text = WORLD.format(world, sections)
    issue = only(text)
    assert issue.fatal
    assert issue.code.id in ("N305", "A701", "C920")
    assert refused(text)


def test_the_nearest_name_is_suggested() -> None:
    assert "did you mean 'steel'?" in only(WORLD.format('<site material="steal"/>', "")).message


def test_a_material_of_a_class_counts_where_it_is_used() -> None:
    default = '<default><geom material="zz"/></default>'
    assert codes_of(default) == []
    text = f'{default}<worldbody><geom size="1"/></worldbody>'
    assert codes_of(text) == ["N305"]
    assert refused(text)


def test_a_geom_with_an_unknown_material_keeps_its_colour() -> None:
    robot, _ = read('<worldbody><geom size="1" material="zz" rgba="1 0 0 1"/></worldbody>')
    material = robot.structure.root.geoms[0].material
    assert material is not None
    assert (material.name, material.rgba) == (None, (1.0, 0.0, 0.0, 1.0))


def test_what_is_there_is_found() -> None:
    world = '<geom size="1" material="steel"/><light target="arm"/><camera target="world"/>'
    clean(WORLD.format(world, '<asset><material name="x" texture="tiles"/></asset>'))


def test_a_material_needs_a_name() -> None:
    assert only("<asset><material/></asset>").code.id == "X006"
    assert refused("<asset><material/></asset>")
