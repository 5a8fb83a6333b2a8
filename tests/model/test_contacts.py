"""Which geoms may touch, and by which law: MuJoCo's rules, checked against MuJoCo."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.errors import PhyzctlError
from phyzctl.formats import read, read_bytes
from phyzctl.geometry.shapes import Box, HeightfieldShape, Sphere
from phyzctl.issues import Issues
from phyzctl.model import compiler, contactpairs
from phyzctl.model.contactpairs import geom_pairs
from phyzctl.model.contacts import ContactTable, contact_table
from phyzctl.model.filter import ContactFilter
from phyzctl.model.material import ContactMaterial
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Joint, JointKind, Link, Surface
from phyzctl.robot.mechanism import ContactPair
from tests.corpus import SAMPLES
from tests.model.robots import WIDE, inertial
from tests.native.contacts import Twin

mujoco = pytest.importorskip("mujoco")

FLOOR = '<geom name="floor" type="plane" size="1 1 1" {floor}/>'
BALL = '<body pos="0 0 .05"><freejoint/><geom name="ball" size=".1" {ball}/></body>'


def scene(floor: str = "", ball: str = "", contact: str = "", head: str = "") -> str:
    """A ball that overlaps a floor by 5 cm."""
    world = FLOOR.format(floor=floor) + BALL.format(ball=ball)
    return f"<mujoco>{head}<worldbody>{world}</worldbody><contact>{contact}</contact></mujoco>"


def model_of(text: str) -> Model:
    robot = read_bytes(text.encode(), "robot.xml", Issues()).robot
    assert robot is not None
    return compiler.compile(robot)


def names(table: ContactTable, model: Model) -> list[tuple[str | None, str | None]]:
    return [(model.geoms[i].name, model.geoms[j].name) for i, j in table.pair_geoms]


STATED = 'friction=".5 .1 .2" condim="4" solref=".05 2" solimp=".5 .6 .002 .4 3"'
OVERRIDE = '<flag override="enable"/></option>'
LAWS = {
    "defaults": {},
    "the larger friction and condim": {
        "floor": STATED,
        "ball": 'friction=".6 .01 .3" condim="6"',
    },
    "mixed by solmix": {"floor": STATED, "ball": 'solmix="3" solref=".01 .5"'},
    "no weight on one side": {"floor": STATED, "ball": 'solmix="0" solref=".01 .5"'},
    "no weight at all": {"floor": STATED + ' solmix="0"', "ball": 'solmix="0"'},
    "the higher priority": {"floor": STATED + ' priority="2"', "ball": 'condim="1"'},
    "direct solref: the smaller": {"floor": 'solref="-100 -5"', "ball": 'solref=".03 .7"'},
    "margins and gaps add up": {
        "floor": 'margin=".01" gap=".02"',
        "ball": 'margin=".003" gap=".004"',
    },
    "the least friction": {"floor": 'friction="0 0 0"', "ball": 'friction="0 0 0"'},
    "an explicit pair has its own defaults": {
        "floor": STATED + ' margin=".1"',
        "contact": '<pair geom1="ball" geom2="floor"/>',
    },
    "an explicit pair": {
        "contact": '<pair geom1="floor" geom2="ball" condim="6" friction=".3 .4 .5"'
        ' solref=".1" solreffriction=".2 .5" solimp=".7" margin=".5" gap=".25"/>'
    },
    "an explicit pair against the masks": {
        "ball": 'contype="0" conaffinity="0"',
        "contact": '<pair geom1="floor" geom2="ball" margin=".01"/>',
    },
    "overridden by defaults": {"floor": STATED, "head": f"<option>{OVERRIDE}"},
    "overridden": {
        "floor": STATED + ' gap=".125"',
        "head": '<option o_margin=".3" o_friction=".4 .5" o_solref=".3" o_solimp=".3 .4">'
        + OVERRIDE,
    },
    "overridden pair": {
        "contact": '<pair geom1="floor" geom2="ball" margin=".6" gap=".5" condim="1"/>',
        "head": f'<option o_margin=".25">{OVERRIDE}',
    },
}


@pytest.mark.parametrize("parts", LAWS.values(), ids=LAWS)
def test_laws_are_mujocos(parts: dict[str, str]) -> None:
    twin = Twin.of_text(scene(**parts))
    theirs, table = twin.collide(twin.theirs.qpos0), twin.table
    assert len(theirs.dist) == 1
    assert [list(theirs.geom[0])] == table.pair_geoms.tolist()
    assert table.pair_bodies.tolist() == [[-1, 0]]
    assert theirs.dim[0] == table.law_dim[0]
    assert_allclose(theirs.friction, table.law_friction, rtol=1e-14)
    assert_allclose(theirs.solref, table.law_solref, rtol=1e-14)
    assert_allclose(theirs.solreffriction, table.law_solref_friction, rtol=1e-14)
    assert_allclose(theirs.solimp, table.law_solimp, rtol=1e-14)
    assert_allclose(theirs.includemargin, table.law_margin, atol=1e-15)
    assert table.findings == ()


def test_contacts_exist_up_to_margin_and_gap() -> None:
    twin = Twin.of_text(scene(floor='margin=".01" gap=".02"', ball='margin=".003" gap=".004"'))
    q = twin.theirs.qpos0.copy()
    for height, count in ((0.0369, 1), (0.0371, 0)):
        q[2] = 0.1 + height
        assert len(twin.collide(q).dist) == count
        assert len(twin.ours.contacts(q).pair) == count


FAMILY = """<mujoco><option>{flag}</option><worldbody>
<geom name="floor" type="plane" size="1 1 1"/><geom name="rock" size=".1"/>
<body name="base"><geom name="base" size=".2"/>
 <body name="arm"><joint/><geom name="arm" size=".2"/><geom name="shell" size=".2" {shell}/>
  <body name="welded"><geom name="welded" size=".2"/></body>
  <body name="hand"><joint/><geom name="hand" size=".2"/></body></body></body>
</worldbody><contact>{contact}</contact></mujoco>"""


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"flag": '<flag filterparent="disable"/>'},
        {"shell": 'contype="2" conaffinity="4"'},
        {"shell": 'contype="0"'},
        {"shell": 'contype="-2" conaffinity="-1"'},
        {"contact": '<exclude body1="base" body2="hand"/>'},
        {"contact": '<pair geom1="arm" geom2="welded"/><pair geom1="hand" geom2="arm"/>'},
        {"contact": '<exclude body1="base" body2="hand"/><pair geom1="hand" geom2="base"/>'},
        {"contact": '<pair geom1="hand" geom2="rock"/><pair geom1="hand" geom2="rock"/>'},
        {"flag": '<flag contact="disable"/>'},
        {"flag": '<flag constraint="disable"/>'},
    ],
)
def test_pairs_are_mujocos_in_its_order(parts: dict[str, str]) -> None:
    """All geoms overlap all others, so that every admissible pair shows."""
    twin = Twin.of_text(FAMILY.format(**{"flag": "", "shell": "", "contact": "", **parts}))
    theirs = [(int(a), int(b)) for a, b in twin.collide(twin.theirs.qpos0).geom]
    ours = [(int(a), int(b)) for a, b in twin.table.pair_geoms]
    assert ours == theirs


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.[ux]*")), ids=lambda path: path.name)
def test_pairs_are_those_that_the_filter_lets_through(path: Path) -> None:
    """Asked one by one."""
    robot = read(str(path), Issues()).robot
    assert robot is not None
    model = compiler.compile(robot)
    rules = ContactFilter.of(model)
    allowed = {
        frozenset(pair)
        for pair in combinations(range(model.ngeom), 2)
        if rules.geoms_may_collide(*(model.geoms[i] for i in pair))
    }
    pairs = geom_pairs(model).geoms
    assert {frozenset(pair) for pair in pairs.tolist()} == allowed
    assert len(pairs) == len(allowed)


def test_equal_materials_share_a_law() -> None:
    table = contact_table(model_of(FAMILY.format(flag="", shell='friction=".3"', contact="")))
    assert len(table.pair_law) > len(table.law_dim) == 2
    assert table.law_friction[:, 0].tolist() == [1.0, 1.0]


def test_there_may_be_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(FAMILY.format(flag="", shell="", contact=""))
    assert len(geom_pairs(model).geoms) > 5
    monkeypatch.setattr(contactpairs, "MAX_PAIRS", 5)
    with pytest.raises(PhyzctlError, match="more than 5 pairs of geoms that may touch"):
        contact_table(model)


def test_a_pair_that_can_not_move_is_left_out() -> None:
    """MuJoCo lists its contact, which moves nothing."""
    pair = '<pair geom1="base" geom2="rock"/>'
    model = model_of(FAMILY.format(flag="", shell="", contact=pair))
    assert ("rock", "base") not in names(contact_table(model), model)


def robot(**surfaces: Any) -> RobotBuilder:
    """A box on the world, a ball that falls on it."""
    builder = RobotBuilder("falling")
    floor = Geom(Box((2.0, 2.0, 0.2)), name="floor", surface=surfaces.get("floor"))
    ball = Geom(Sphere(0.1), name="ball", surface=surfaces.get("ball"))
    builder.link(Link("world", geoms=(floor,)))
    builder.link(Link("thing", inertial(), (ball,)))
    builder.joint(Joint("free", JointKind.FLOATING, "world", "thing", limit=WIDE))
    return builder


def test_built_robots_keep_their_distance_without_force() -> None:
    table = contact_table(compiler.compile(robot().build()))
    default = ContactMaterial()
    assert table.law_margin.tolist() == [0.0]
    assert table.law_gap.tolist() == [default.margin]
    assert table.law_friction.tolist() == [[0.5, 0.5, 0.005, 0.0001, 0.0001]]
    assert_allclose(table.law_solref, [default.solref])
    assert table.law_dim.tolist() == [3]


def test_materials_of_bodies_override_those_of_geoms() -> None:
    model = compiler.compile(robot(ball=Surface(friction=(0.1,), condim=1)).build())
    assert contact_table(model).law_friction[0, 0] == 0.5
    assert contact_table(model).law_dim[0] == 3
    world = model.contact_world
    assert model.set_body_material("thing", ContactMaterial(friction=0.9, condim=4))
    table = contact_table(model)
    assert (table.law_friction[0, 0], table.law_dim[0]) == (0.9, 4)
    assert model.contact_world is not world


def test_pairs_of_built_robots_take_from_their_geoms() -> None:
    builder = robot(ball=Surface(friction=(0.7,), condim=6))
    builder.pair(ContactPair("ball", "floor", friction=(0.8,), margin=0.25))
    table = contact_table(compiler.compile(builder.build()))
    assert_allclose(table.law_friction, [[0.8, 0.7, 0.005, 0.0001, 0.0001]])
    assert table.law_dim.tolist() == [6]
    assert table.law_margin.tolist() == [0.25]


@pytest.mark.parametrize(("ball", "floor"), [(0.25, 0.5), (0.5, 0.25), (0.5, 0.5)])
def test_the_livelier_surface_decides_on_restitution(ball: float, floor: float) -> None:
    builder = robot()
    builder.joint(Joint("rail", JointKind.PRISMATIC, "world", "table", limit=WIDE))
    builder.link(Link("table", inertial(), (Geom(Box((1.0, 1.0, 0.1))),)))
    model = compiler.compile(builder.build())
    model.set_body_material("thing", ContactMaterial(restitution=ball))
    model.set_body_material("table", ContactMaterial(restitution=floor))
    table = contact_table(model)
    pairs = map(frozenset, table.pair_bodies.tolist())
    restitution = dict(zip(pairs, table.law_restitution[table.pair_law], strict=True))
    bodies = [model.body_index(name) for name in ("thing", "table")]
    assert restitution[frozenset(bodies)] == 0.5
    assert restitution[frozenset((-1, bodies[0]))] == ball
    assert_allclose(table.law_solref, [ContactMaterial().solref] * len(table.law_dim))
    assert model.contact_world.rebounds


def test_nothing_is_thrown_back_by_default() -> None:
    for model in (compiler.compile(robot().build()), model_of(scene())):
        assert contact_table(model).law_restitution.tolist() == [0.0]
        assert not model.contact_world.rebounds


MESH = '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>{more}</asset>'
LEFT_OUT = [
    (
        '<geom name="hills" type="hfield" hfield="h"/>',
        '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>',
        "height fields",
    ),
    (
        '<geom type="mesh" mesh="gone"/>',
        '<asset><mesh name="gone" file="gone.stl"/></asset>',
        "hull",
    ),
    ('<geom type="box" size="1 nan 1"/>', "", "could not be read"),
    ('<geom size="1" surfacevel="5"/>', "", "moving surface"),
]


@pytest.mark.parametrize(("geom", "head", "words"), LEFT_OUT)
def test_what_is_left_out_is_told_once(geom: str, head: str, words: str) -> None:
    bodies = "<body><freejoint/><geom size='.1'/></body><body><freejoint/><geom size='.1'/></body>"
    model = model_of(f"<mujoco>{head}<worldbody>{geom}{bodies}</worldbody></mujoco>")
    table = contact_table(model)
    told = [finding for finding in table.findings if words in finding.message]
    assert len(told) == 1
    assert told[0].element.source is not None
    assert len(model.contacts(model.default_state().q).pair) >= 1  # the two balls


@pytest.mark.parametrize(
    ("surface", "words"),
    [(Surface(condim=2), "condim 2"), (Surface(friction=(math.nan,)), "no number")],
)
def test_impossible_laws_are_told(surface: Surface, words: str) -> None:
    table = contact_table(compiler.compile(robot(ball=surface, floor=surface).build(Issues())))
    assert [words in finding.message for finding in table.findings] == [True, True]
    assert len(table.pair_geoms) == 0


def test_options_that_are_not_heeded() -> None:
    flags = '<option><flag nativeccd="disable" speculative="enable"/></option>'
    messages = [finding.message for finding in contact_table(model_of(scene(head=flags))).findings]
    assert len(messages) == 2
    assert "nativeccd" in messages[0]
    assert "speculative" in messages[1]


def test_what_no_geom_meets_is_not_told() -> None:
    """Two things that stand still need no contact."""
    builder = RobotBuilder("still")
    field = Geom(HeightfieldShape("hills"), name="hills")
    builder.link(Link("world", geoms=(field, Geom(Box((1.0, 1.0, 1.0)), name="rock"))))
    table = contact_table(compiler.compile(builder.build(Issues())))
    assert table.findings == ()
    assert table.pair_geoms.shape == (0, 2)


def test_a_model_without_geoms_touches_nothing() -> None:
    model = model_of("<mujoco><worldbody/></mujoco>")
    found = model.contacts(np.zeros((3, 0)))
    assert found.start.tolist() == [0, 0, 0, 0]
    assert model.contacts([]).start.tolist() == [0, 0]


def test_names_of_pairs() -> None:
    model = model_of(scene())
    assert names(contact_table(model), model) == [("floor", "ball")]
