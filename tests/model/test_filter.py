"""Weld groups and may_collide, under both sets of rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.errors import NotFoundError
from phyzctl.geometry.shapes import Sphere
from phyzctl.model import compiler
from phyzctl.model.body import WORLD
from phyzctl.model.model import Model
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, Joint, JointKind, Link, Surface
from phyzctl.robot.mechanism import ContactPair, Exclude, Option
from tests.model.robots import WIDE, chain, chain_model, inertial, world_robot

FIXED, HINGE, FREE = JointKind.FIXED, JointKind.CONTINUOUS, JointKind.FLOATING


def colliding(model: Model) -> set[tuple[int, int]]:
    """All pairs that may collide, the smaller first."""
    bodies = range(WORLD, model.nbodies())
    return {(i, j) for i in bodies for j in bodies if i < j and model.may_collide(i, j)}


def test_links_joined_by_fixed_joints_share_a_group() -> None:
    model = chain_model(FIXED, FIXED, HINGE, FIXED, base="floating")
    assert model.weld_groups() == [0, 0, 0, 3, 3]


def test_the_world_is_a_group_too() -> None:
    """Two links fixed to the world are one group, and so is what is fixed to them."""
    builder = world_robot(FIXED, FIXED, HINGE)
    builder.link(Link("deep", inertial())).joint(Joint("d", FIXED, "a", "deep"))
    model = compiler.compile(builder.build())
    names = dict(zip([body.name for body in model.bodies], model.weld_groups(), strict=True))
    assert names == {"a": WORLD, "deep": WORLD, "b": WORLD, "c": 3}
    assert not model.may_collide(0, 2)


def test_a_fixed_base_is_part_of_the_world() -> None:
    assert chain_model(FIXED, HINGE, base="fixed").weld_groups() == [WORLD, WORLD, 2]


def test_neighbours_and_the_same_group_do_not_collide() -> None:
    """0-1 hinge, 1-2 weld, 2-3 hinge, 3-4 hinge, afloat."""
    model = chain_model(HINGE, FIXED, HINGE, HINGE, base="floating")
    everything = {(i, j) for i in range(5) for j in range(i + 1, 5)}
    neighbours = {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4)}
    with_world = {(WORLD, i) for i in range(5)}
    assert colliding(model) == (everything - neighbours) | with_world


def test_a_link_on_a_welded_flange_does_not_collide_with_what_the_flange_is_on() -> None:
    model = chain_model(FIXED, HINGE, base="floating")
    assert not model.may_collide(0, 2)


def helpers(kind: JointKind, helper: Link, count: int = 2) -> Model:
    """base -> helper -> … -> end by joints of one kind."""
    builder = RobotBuilder("r").link(Link("base", inertial(), (Geom(Sphere(0.1)),)))
    last = "base"
    for number in range(count):
        link = Link(f"helper{number}", helper.inertial, helper.geoms)
        builder.link(link).joint(Joint(f"j{number}", kind, last, link.name, limit=WIDE))
        last = link.name
    builder.link(Link("end", inertial(), (Geom(Sphere(0.1)),)))
    builder.joint(Joint("j", kind, last, "end", limit=WIDE))
    return compiler.compile(builder.build(), base="floating")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_massless_helpers_without_geoms_are_looked_through(count: int) -> None:
    model = helpers(HINGE, Link("helper"), count)
    assert not model.may_collide(0, count + 1)


@pytest.mark.parametrize(
    "helper", [Link("h", inertial()), Link("h", geoms=(Geom(Sphere(0.1)),))], ids=["mass", "geom"]
)
def test_links_with_mass_or_geoms_are_not_looked_through(helper: Link) -> None:
    assert helpers(HINGE, helper, 1).may_collide(0, 2)


def test_what_floats_freely_has_no_neighbour() -> None:
    assert chain_model(FREE, base="fixed").may_collide(0, 1)
    assert compiler.compile(world_robot(FREE).build()).may_collide(WORLD, 0)


def test_what_moves_on_the_world_is_its_neighbour_outside_mjcf() -> None:
    assert not compiler.compile(world_robot(HINGE).build()).may_collide(WORLD, 0)


def test_mujoco_does_not_filter_neighbours_of_the_world() -> None:
    model = compiler.compile(world_robot(HINGE, FIXED, dialect="mjcf").build())
    assert colliding(model) == {(WORLD, 0), (0, 1)}


def test_mujoco_filters_other_neighbours_unless_told_otherwise() -> None:
    for flag, expected in ((None, False), (True, False), (False, True)):
        builder = mjcf_chain()
        if flag is not None:
            builder.option(Option(flags=(("filterparent", flag),)))
        assert compiler.compile(builder.build()).may_collide(0, 1) is expected


def mjcf_chain(*surfaces: Surface | None, kind: JointKind = HINGE) -> RobotBuilder:
    """world, then a chain of three balls that hang on one another."""
    builder = RobotBuilder("chain", dialect="mjcf").link(Link("world"))
    last = "world"
    for number, surface in enumerate(surfaces or (None, None, None)):
        geom = Geom(Sphere(0.1), name=f"g{number}", surface=surface)
        builder.link(Link(f"l{number}", inertial(), (geom,)))
        builder.joint(Joint(f"j{number}", kind, last, f"l{number}"))
        last = f"l{number}"
    return builder


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((1, 1), (1, 1), True),
        ((1, 0), (0, 1), True),
        ((1, 0), (1, 0), False),
        ((2, 2), (1, 1), False),
    ],
)
def test_mujoco_asks_the_bit_masks(
    first: tuple[int, int], second: tuple[int, int], expected: bool
) -> None:
    masks = [Surface(contype=type_, conaffinity=to) for type_, to in (first, (1, 1), second)]
    assert compiler.compile(mjcf_chain(*masks).build()).may_collide(0, 2) is expected


def test_an_explicit_pair_passes_every_filter() -> None:
    builder = mjcf_chain().pair(ContactPair("g0", "g1")).exclude(Exclude("l0", "l1"))
    model = compiler.compile(builder.build())
    assert model.contact_pairs == ((0, 1),)
    assert model.may_collide(0, 1)


@pytest.mark.parametrize("dialect", [None, "mjcf"])
def test_excludes_hold_in_either_order(dialect: str | None) -> None:
    builder = mjcf_chain() if dialect else chain(HINGE, HINGE)
    builder.exclude(Exclude("l2", "l0"))
    model = compiler.compile(builder.build(), base="auto" if dialect else "floating")
    assert model.contact_exclude == ((0, 2),)
    assert not model.may_collide(0, 2)
    assert not model.may_collide(2, 0)


def test_an_exclude_may_name_the_world() -> None:
    builder = world_robot(FREE, FREE, dialect="mjcf").exclude(Exclude("a", "world"))
    model = compiler.compile(builder.build())
    assert model.contact_exclude == ((WORLD, 0),)
    assert colliding(model) == {(0, 1), (WORLD, 1)}


def test_setting_excludes_takes_effect_at_once() -> None:
    model = chain_model(HINGE, HINGE, base="floating")
    assert model.may_collide(0, 2)
    model.contact_exclude = [(2, 0)]
    assert not model.may_collide(0, 2)
    model.contact_exclude = ()
    assert model.may_collide(0, 2)


def test_weld_groups_of_ones_own_may_be_given() -> None:
    model = chain_model(HINGE, HINGE, base="floating")
    assert not model.may_collide(0, 2, [0, 1, 0])


@pytest.mark.parametrize("index", [-2, 3])
def test_an_index_that_is_no_body_is_refused(index: int) -> None:
    with pytest.raises(NotFoundError, match="indices go from -1"):
        chain_model(HINGE, HINGE).may_collide(0, index)


@given(st.lists(st.sampled_from(list(JointKind)), min_size=1, max_size=6), st.booleans())
def test_the_filter_is_symmetric_and_no_body_meets_itself(
    kinds: list[JointKind], mjcf: bool
) -> None:
    builder = chain(*kinds, dialect="mjcf" if mjcf else None)
    model = compiler.compile(builder.build(), base="floating")
    for i in range(WORLD, model.nbodies()):
        assert not model.may_collide(i, i)
        for j in range(WORLD, model.nbodies()):
            assert model.may_collide(i, j) == model.may_collide(j, i)
