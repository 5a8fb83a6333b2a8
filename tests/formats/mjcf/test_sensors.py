"""Sensors, keyframes, options."""

from __future__ import annotations

import pytest

from tests.formats.mjcf.reading import clean, codes_of, compiled, read, refused

WORLD = """<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><body name="a"><joint name="j"/><joint name="k" type="slide"/>
<geom name="g" size="1"/><site name="s"/><camera name="c"/></body>
<body name="b"><joint name="l" type="ball"/><geom name="h" size="1"/><site name="t"/></body>
</worldbody><tendon><fixed name="f"><joint joint="j" coef="1"/></fixed></tendon>
<actuator><motor name="u" joint="j"/></actuator>"""


@pytest.mark.parametrize(
    ("text", "measured", "reference"),
    [
        ('<gyro site="s"/>', ("site", "s"), (None, None)),
        ('<touch site="s"/>', ("site", "s"), (None, None)),
        ('<jointpos joint="j"/>', ("joint", "j"), (None, None)),
        ('<ballquat joint="l"/>', ("joint", "l"), (None, None)),
        ('<tendonpos tendon="f"/>', ("tendon", "f"), (None, None)),
        ('<actuatorfrc actuator="u"/>', ("actuator", "u"), (None, None)),
        ('<subtreecom body="a"/>', ("body", "a"), (None, None)),
        ('<framepos objtype="body" objname="a"/>', ("body", "a"), (None, None)),
        (
            '<framequat objtype="site" objname="s" reftype="xbody" refname="b"/>',
            ("site", "s"),
            ("xbody", "b"),
        ),
        ('<distance geom1="g" geom2="h"/>', ("geom", "g"), ("geom", "h")),
        ('<distance body1="a" geom2="h"/>', ("body", "a"), ("geom", "h")),
        ('<camprojection site="t" camera="c"/>', ("site", "t"), ("camera", "c")),
        ('<rangefinder site="s"/>', ("site", "s"), (None, None)),
        ('<insidesite site="s" objtype="body" objname="b"/>', ("body", "b"), ("site", "s")),
        ("<clock/>", (None, None), (None, None)),
    ],
)
def test_kinds(
    text: str, measured: tuple[str | None, str | None], reference: tuple[str | None, str | None]
) -> None:
    sensor = clean(f"{WORLD}<sensor>{text}</sensor>").sensors[0]
    assert sensor.kind == text[1:].replace("/", " ").replace(">", " ").split(" ")[0]
    assert (sensor.object_kind, sensor.object_name) == measured
    assert (sensor.reference_kind, sensor.reference_name) == reference


def test_attributes_of_sensors() -> None:
    text = f'{WORLD}<sensor><gyro name="g" site="s" cutoff="1" noise="2" user="3"/></sensor>'
    sensor = clean(text).sensors[0]
    assert (sensor.name, sensor.cutoff, sensor.noise) == ("g", 1.0, 2.0)
    assert [(item.tag, item.text) for item in sensor.extensions] == [("@user", "3")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<gyro site="zz"/>', "N305"),
        ("<gyro/>", "X006"),
        ('<framepos objtype="body"/>', "X006"),
        ('<framepos objtype="body" objname="a" reftype="body"/>', "X006"),
        ('<framepos objtype="thing" objname="a"/>', "X008"),
        ('<distance geom1="g"/>', "X006"),
        ('<distance geom1="g" body1="a" geom2="h"/>', "X005"),
        ("<rangefinder/>", "X006"),
        ("<gyroscope site='s'/>", "X003"),
    ],
)
def test_faults_of_sensors(text: str, code: str) -> None:
    whole = f"{WORLD}<sensor>{text}</sensor>"
    assert code in codes_of(whole) or "X004" in codes_of(whole)
    assert refused(whole)


def test_a_plugin_sensor_is_kept_and_said() -> None:
    text = f'{WORLD}<sensor><plugin name="p" plugin="x"/></sensor>'
    robot, issues = read(text)
    assert [issue.code.id for issue in issues] == ["U001"]
    assert [item.tag for item in robot.extensions] == ["plugin"]


def test_keyframes() -> None:
    text = f"""{WORLD}<keyframe><key name="home" time="2" qpos="1 2 1 0 0 0" qvel="1 2 3 4 5"
    ctrl="7"/><key/></keyframe>"""
    home, empty = clean(text).keyframes
    assert (home.name, home.time, home.ctrl) == ("home", 2.0, (7.0,))
    assert (home.qpos, home.qvel) == ((1, 2, 1, 0, 0, 0), (1, 2, 3, 4, 5))
    assert (empty.name, empty.qpos, empty.act, empty.mpos) == (None, None, None, None)


def test_nkey_makes_empty_keys() -> None:
    text = f'<size nkey="3"/>{WORLD}<keyframe><key name="home" ctrl="7"/></keyframe>'
    keys = clean(text).keyframes
    assert [key.name for key in keys] == ["home", None, None]
    assert compiled(text).nkey == 3


def test_options() -> None:
    text = """<option timestep="0.01" gravity="1 2 3" integrator="implicitfast" cone="elliptic"
    impratio="10" solver="CG" tolerance="1e-9" iterations="7" density="1.2" viscosity="2e-5"
    wind="1 0 0" o_margin="0.1" o_solref="0.3" o_solimp="0.9 0.8" o_friction="1 2"
    magnetic="0 1 0"><flag gravity="disable" energy="enable"/></option>"""
    option = clean(text).option
    assert (option.timestep, option.gravity, option.integrator) == (0.01, (1, 2, 3), "implicitfast")
    assert (option.cone, option.impratio, option.solver) == ("elliptic", 10, "CG")
    assert (option.tolerance, option.iterations) == (1e-9, 7)
    assert (option.density, option.viscosity, option.wind) == (1.2, 2e-5, (1, 0, 0))
    assert (option.o_margin, option.o_solref, option.o_solimp) == (0.1, (0.3,), (0.9, 0.8))
    assert option.o_friction == (1.0, 2.0)
    assert option.flags == (("gravity", False), ("energy", True))
    assert [(item.tag, item.text) for item in option.extensions] == [("@magnetic", "0 1 0")]


def test_the_last_of_several_options_counts() -> None:
    text = """<option timestep="0.01" cone="elliptic"><flag gravity="disable"/></option>
    <option timestep="0.02"><flag gravity="enable" contact="disable"/></option>"""
    option = clean(text).option
    assert (option.timestep, option.cone) == (0.02, "elliptic")
    assert dict(option.flags) == {"gravity": True, "contact": False}
    assert compiled(text).opt.timestep == 0.02


def test_without_options_nothing_is_stated() -> None:
    option = clean("<worldbody/>").option
    assert (option.timestep, option.gravity, option.flags) == (None, None, ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<option integrator="euler"/>', "X008"),
        ('<option timestep="fast"/>', "X010"),
        ('<option gravity="0 0"/>', "X010"),
        ('<option><flag gravity="off"/></option>', "X008"),
        ('<option><flag gravitation="disable"/></option>', "X004"),
        ('<compiler coordinate="global"/>', "X008"),
        ('<compiler angle="degrees"/>', "X008"),
        ('<size memory="1M" nstack="3"/>', "X005"),
    ],
)
def test_faults_of_settings(text: str, code: str) -> None:
    assert codes_of(text) == [code]
    assert refused(text)
