"""Equalities, tendons, contact pairs and excludes."""

from __future__ import annotations

import pytest

from phyzctl.robot.mechanism import EqualityKind, TendonStep
from tests.formats.mjcf.reading import clean, codes_of, compiled, only, refused

WORLD = """<worldbody><geom name="floor" size="1"/>
<body name="a"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>
<body name="b"><joint name="k"/><geom name="h" size="1"/><site name="t"/></body></worldbody>
<tendon><fixed name="f"><joint joint="j" coef="1"/></fixed>
<fixed name="e"><joint joint="k" coef="1"/></fixed></tendon>"""


@pytest.mark.parametrize(
    ("text", "kind", "objects", "first", "second"),
    [
        ('<connect body1="a" body2="b" anchor="1 2 3"/>', "connect", "body", "a", "b"),
        ('<connect body1="a" anchor="1 2 3"/>', "connect", "body", "a", None),
        ('<connect site1="s" site2="t"/>', "connect", "site", "s", "t"),
        ('<weld body1="a" body2="b"/>', "weld", "body", "a", "b"),
        ('<weld site1="s" site2="t"/>', "weld", "site", "s", "t"),
        ('<joint joint1="j" joint2="k"/>', "joint", "joint", "j", "k"),
        ('<joint joint1="j"/>', "joint", "joint", "j", None),
        ('<tendon tendon1="f" tendon2="e"/>', "tendon", "tendon", "f", "e"),
    ],
)
def test_kinds(text: str, kind: str, objects: str, first: str, second: str | None) -> None:
    equality = clean(f"{WORLD}<equality>{text}</equality>").equalities[0]
    assert (equality.kind, equality.objects) == (EqualityKind(kind), objects)
    assert (equality.first, equality.second) == (first, second)


def test_attributes_of_equalities() -> None:
    text = f"""{WORLD}<equality>
    <weld name="w" body1="a" body2="b" anchor="1 2 3" relpose="1 2 3 1 0 0 0" torquescale="2"/>
    <joint joint1="j" joint2="k" polycoef="0.1 -1 2" active="false" solref="0.1" solimp="0.5"/>
    </equality>"""
    weld, coupling = clean(text).equalities
    assert (weld.name, weld.anchor, weld.torque_scale) == ("w", (1, 2, 3), 2.0)
    assert weld.relpose == (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)
    assert weld.active
    assert (coupling.polynomial, coupling.active) == ((0.1, -1, 2), False)
    assert (coupling.solref, coupling.solimp) == ((0.1,), (0.5,))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<connect body1="a"/>', "X006"),
        ("<connect/>", "X006"),
        ('<connect site1="s"/>', "X006"),
        ('<connect body1="a" body2="b" anchor="0 0 0" site1="s" site2="t"/>', "X005"),
        ('<connect body2="b" site1="s" site2="t"/>', "X005"),
        ("<weld/>", "X006"),
        ("<joint/>", "X006"),
        ('<joint joint1="zz"/>', "N305"),
        ('<weld body1="a" body2="zz"/>', "N305"),
        ('<tendon tendon1="zz"/>', "N305"),
        ('<joint joint1="j" polycoef="1 2 3 4 5 6"/>', "X010"),
    ],
)
def test_faults_of_equalities(text: str, code: str) -> None:
    whole = f"{WORLD}<equality>{text}</equality>"
    assert code in codes_of(whole)
    assert refused(whole)


def test_constraints_of_soft_bodies_are_said_to_be_missing() -> None:
    assert only(f'{WORLD}<equality><flexvert flex="x"/></equality>').code.id == "U001"


def test_a_fixed_tendon() -> None:
    text = """<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <tendon><fixed name="t" range="0 1" stiffness="2 3" damping="4" frictionloss="5"
    springlength="0.1" margin="0.2" armature="0.3" group="2" actuatorfrcrange="-1 1">
    <joint joint="j" coef="-0.5"/></fixed></tendon>"""
    tendon = clean(text).tendons[0]
    assert (tendon.name, tendon.spatial, tendon.group) == ("t", False, 2)
    assert tendon.path == (TendonStep("joint", "j", -0.5),)
    assert (tendon.range, tendon.spring_length) == ((0, 1), (0.1,))
    assert (tendon.stiffness, tendon.stiffness_terms, tendon.damping) == (2, (3,), 4)
    assert (tendon.friction, tendon.margin, tendon.armature) == (5, 0.2, 0.3)
    assert tendon.actuator_force_range == (-1, 1)


def test_a_spatial_tendon() -> None:
    text = f"""{WORLD}<tendon><spatial name="r" width="0.01" rgba="1 0 0 1">
    <site site="s"/><geom geom="floor" sidesite="t"/><pulley divisor="2"/><site site="t"/>
    <site site="s"/></spatial></tendon>"""
    tendon = clean(text).tendons[-1]
    assert (tendon.spatial, tendon.width) == (True, 0.01)
    assert tendon.path == (
        TendonStep("site", "s"),
        TendonStep("geom", "floor", side_site="t"),
        TendonStep("pulley", divisor=2.0),
        TendonStep("site", "t"),
        TendonStep("site", "s"),
    )
    assert [item.tag for item in tendon.extensions] == ["@rgba"]


@pytest.mark.parametrize(
    ("attributes", "limited"),
    [
        ('range="0 1"', True),
        ('range="0 1" limited="false"', False),
        ('range="0 1" limited="true"', True),
        ('range="0 0"', False),
        ("", False),
    ],
)
def test_when_a_tendon_is_limited(attributes: str, limited: bool) -> None:
    text = f"""<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <tendon><fixed {attributes}><joint joint="j" coef="1"/></fixed></tendon>"""
    assert (clean(text).tendons[0].range is not None) is limited
    assert bool(compiled(text).tendon_limited[0]) is limited


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<fixed/>", "X006"),
        ('<fixed limited="true"><joint joint="j" coef="1"/></fixed>', "J200"),
        ('<fixed><joint joint="zz" coef="1"/></fixed>', "N305"),
        ('<spatial><site site="zz"/><site site="s"/></spatial>', "N305"),
        ('<fixed><joint coef="1"/></fixed>', "X006"),
        ("<spatial><site/></spatial>", "X006"),
    ],
)
def test_faults_of_tendons(text: str, code: str) -> None:
    whole = f"{WORLD}<tendon>{text}</tendon>"
    assert code in codes_of(whole)
    assert refused(whole)


def test_a_tendon_is_undecided_without_autolimits() -> None:
    text = f"""<compiler autolimits="false"/>{WORLD}
    <tendon><fixed range="0 1"><joint joint="j" coef="1"/></fixed></tendon>"""
    assert only(text).code.id == "X006"
    assert refused(text)


def test_pairs_and_excludes() -> None:
    text = f"""{WORLD}<contact><exclude name="x" body1="a" body2="world"/>
    <pair name="p" geom1="g" geom2="h" condim="4" friction="1 2" solref="0.1 1" margin="0.3"
    gap="0.2" solimp="0.5 0.6" solreffriction="0.4 1"/></contact>"""
    robot = clean(text)
    exclude, pair = robot.excludes[0], robot.pairs[0]
    assert (exclude.name, exclude.first, exclude.second) == ("x", "a", "world")
    assert (pair.name, pair.first, pair.second, pair.condim) == ("p", "g", "h", 4)
    assert (pair.friction, pair.solref, pair.solimp) == ((1, 2), (0.1, 1), (0.5, 0.6))
    assert (pair.margin, pair.gap, pair.solreffriction) == (0.3, 0.2, (0.4, 1.0))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<exclude body1="a" body2="zz"/>', "C920"),
        ('<exclude body1="a"/>', "X006"),
        ('<pair geom1="g" geom2="zz"/>', "C920"),
        ('<pair geom1="g"/>', "X006"),
    ],
)
def test_faults_of_contacts(text: str, code: str) -> None:
    whole = f"{WORLD}<contact>{text}</contact>"
    assert code in codes_of(whole)
    assert refused(whole)


def test_sections_can_be_repeated() -> None:
    text = f"""{WORLD}<contact><exclude body1="a" body2="b"/></contact>
    <contact><exclude body1="a" body2="world"/></contact>"""
    assert len(clean(text).excludes) == 2
