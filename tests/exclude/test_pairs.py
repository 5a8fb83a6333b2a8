"""Pairs: which bodies count, what filters them, adjacency and the path between."""

from __future__ import annotations

import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.exclude.pairs import BodyPair, body_name, body_pairs
from phyzctl.model.model import Model
from tests.exclude.robots import ball, joint, mjcf, model_of


def found(model: Model) -> dict[tuple[str, str], BodyPair]:
    pairs = body_pairs(model)
    return {(body_name(model, each.first), body_name(model, each.second)): each for each in pairs}


def body(name: str, inside: str) -> str:
    return f'<body name="{name}">{inside}</body>'


CHAIN = body(
    "a",
    '<freejoint name="fly"/>'
    + ball()
    + body(
        "b",
        joint("j1")
        + joint("j2")
        + ball()
        + body("flange", ball() + body("c", joint("j3") + ball())),
    )
    + body("d", joint("j4") + ball()),
)


def test_every_pair_once_in_order_with_its_path() -> None:
    pairs = found(model_of(mjcf(CHAIN)))
    names = {
        pair: [model_of(mjcf(CHAIN)).joints[each].name for each in facts.joints]
        for pair, facts in pairs.items()
    }
    assert names == {
        ("a", "b"): ["j1", "j2"],
        ("a", "flange"): ["j1", "j2"],
        ("a", "c"): ["j1", "j2", "j3"],
        ("a", "d"): ["j4"],
        ("b", "flange"): [],
        ("b", "c"): ["j3"],
        ("b", "d"): ["j2", "j1", "j4"],
        ("flange", "c"): ["j3"],
        ("flange", "d"): ["j2", "j1", "j4"],
        ("c", "d"): ["j3", "j2", "j1", "j4"],
    }


def test_what_the_tree_filters() -> None:
    pairs = found(model_of(mjcf(CHAIN)))
    assert {pair: each.filtered for pair, each in pairs.items() if each.filtered} == {
        ("a", "b"): "parent and child",
        ("a", "flange"): "parent and child",
        ("a", "d"): "parent and child",
        ("b", "flange"): "welded",
        ("b", "c"): "parent and child",
        ("flange", "c"): "parent and child",
    }


def test_mujoco_does_test_the_child_of_a_fixed_parent() -> None:
    pairs = found(model_of(mjcf(body("base", ball() + body("arm", joint("j") + ball())))))
    assert pairs["base", "arm"].filtered is None
    assert pairs["base", "arm"].adjacent


def test_neighbours_are_seen_through_what_has_no_shape() -> None:
    hinge = body("cross", joint("j1", axis="1 0 0") + body("hand", joint("j2") + ball()))
    pairs = found(model_of(mjcf(body("arm", joint("j0") + ball() + hinge))))
    assert pairs["arm", "hand"].adjacent
    assert pairs["arm", "hand"].filtered is None


def test_what_hangs_side_by_side_on_the_world_are_no_neighbours() -> None:
    two = body("left", joint("l") + ball()) + body("right", joint("r") + ball())
    assert not found(model_of(mjcf(two)))["left", "right"].adjacent


def test_what_flies_is_no_neighbour() -> None:
    shapes = ball(0.2) + body("cup", '<freejoint name="f"/>' + ball())
    pair = found(model_of(mjcf(shapes)))["world", "cup"]
    assert not pair.adjacent
    assert len(pair.joints) == 1


def test_excludes_are_known_and_kept_apart_from_the_filter() -> None:
    rest = '<contact><exclude body1="c" body2="a"/></contact>'
    pair = found(model_of(mjcf(CHAIN, rest)))["a", "c"]
    assert (pair.excluded, pair.filtered, pair.free) == (True, None, False)


def test_masks_that_never_meet_make_no_pair() -> None:
    drawn = '<geom type="sphere" size="0.1" contype="0" conaffinity="0"/>'
    other = '<geom type="sphere" size="0.1" contype="2" conaffinity="2"/>'
    text = body("a", joint("j1") + ball()) + body("b", joint("j2") + drawn)
    text += body("c", joint("j3") + other)
    with_both = text + body("d", joint("j4") + ball())
    assert list(found(model_of(mjcf(with_both)))) == [("a", "d")]


def test_an_explicit_pair_overrules_the_masks() -> None:
    shape = '<geom name="g{0}" type="sphere" size="0.1" contype="0" conaffinity="0"/>'
    text = "".join(body(f"b{n}", joint(f"j{n}") + shape.format(n)) for n in range(3))
    rest = '<contact><pair geom1="g0" geom2="g2"/></contact>'
    assert list(found(model_of(mjcf(text, rest)))) == [("b0", "b2")]


def test_ground_is_left_aside_and_a_table_is_not() -> None:
    arm = body("arm", joint("j") + ball())
    floor = '<geom type="plane" size="1 1 1"/>'
    assert list(found(model_of(mjcf(floor + arm)))) == []
    assert list(found(model_of(mjcf(floor + ball() + arm)))) == [("world", "arm")]


@pytest.mark.parametrize(
    ("inside", "hint"),
    [
        ("", "no shapes at all"),
        ("<visual><geometry><sphere radius='1'/></geometry></visual>", "visual shapes only"),
    ],
)
def test_a_robot_without_collision_shapes_is_an_error(inside: str, hint: str) -> None:
    model = model_of(f'<robot name="bare"><link name="a">{inside}</link></robot>')
    with pytest.raises(PhyzctlError, match=f"'bare' has no collision geometry .*{hint}"):
        body_pairs(model)
