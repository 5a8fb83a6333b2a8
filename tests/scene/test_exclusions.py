"""Every row of the table of exclusions, and what a failed check leaves behind."""

from __future__ import annotations

import copy

import pytest

from phyzctl.errors import PhyzctlError
from phyzctl.geometry.shapes import Sphere
from phyzctl.scene.contact import Report, SkipReason
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.exclusions import (
    ExclusionError,
    ExclusionFaultKind,
    ObstacleId,
    SceneExclusions,
)
from phyzctl.scene.items import AttachedShape
from phyzctl.scene.planning import PlanningScene
from tests.scene.robots import at, on, slider_rail

RAIL = slider_rail(3)
HOME = [0.0, 0.0]
BALL = Sphere(0.1)


def kitchen() -> PlanningScene:
    scene = PlanningScene()
    scene.add("table", at(BALL, 0, 0, 1))
    scene.add("wall", [at(BALL, 0, 0, 2), at(BALL, 0.05, 0, 2)])
    return scene


def laden(scene: PlanningScene | None = None) -> CollisionEnv:
    """Two shapes on l1 and one on l2, in contact with nearly everything."""
    shapes = [on(BALL, "l1", name="cup"), on(BALL, "l1", name="cup"), on(BALL, "l2", name="lid")]
    return (scene or kitchen()).collision_env().with_attached([*shapes, on(BALL, "l2")])


def touching(env: CollisionEnv) -> set[tuple[str, str]]:
    contacts = env.check(RAIL, HOME).contacts
    return {(str(contact.a), str(contact.b)) for contact in contacts}


def test_robot_shapes_by_index() -> None:
    env = laden()
    before = touching(env)
    after = touching(env.with_exclusions(SceneExclusions().robot("cup", 1)))
    assert before - after == {("attached 'cup'", "link 'l1' (l1)")}


def test_robot_shapes_by_link() -> None:
    by_index = laden().with_exclusions(SceneExclusions().robot("lid", 2))
    by_name = laden().with_exclusions(SceneExclusions().robot("lid", "l2"))
    assert touching(by_index) == touching(by_name) < touching(laden())


def test_obstacles_by_id_all_parts() -> None:
    env = laden()
    excluded = env.with_exclusions(SceneExclusions().obstacle("lid", "wall"))
    assert touching(env) - touching(excluded) == {("attached 'lid'", "obstacle 'wall'")}
    assert excluded.check(RAIL, HOME).skipped[SkipReason.EXCLUDED] == 2


@pytest.mark.parametrize("pair", [("cup", "lid"), ("lid", "cup")])
def test_attached_shapes_in_either_order(pair: tuple[str, str]) -> None:
    raised = [on(BALL, "l1", 5, name="cup"), on(BALL, "l2", 5, 0, -1, name="lid")]
    env = CollisionEnv.EMPTY.with_attached(raised)
    assert touching(env) == {("attached 'cup'", "attached 'lid'")}
    assert touching(env.with_exclusions(SceneExclusions().attached(*pair))) == set()


def test_touch_links_let_the_mounting_contact_pass() -> None:
    cup = AttachedShape(BALL, "l1", touch_links=("l1",))
    env = CollisionEnv.EMPTY.with_attached([cup])
    report = env.check(RAIL, HOME, show_allowed=True)
    allowed = [contact for contact in report.contacts if contact.allowed_by]
    assert [contact.allowed_by for contact in allowed] == [SkipReason.TOUCH_LINK]
    assert env.check(RAIL, HOME).contacts == ()


FAULTS = {
    "unassigned": (
        SceneExclusions().robot(None, 0),
        ExclusionFaultKind.UNASSIGNED_ID,
        "attached shape without id and robot shape 0: an id is not assigned",
    ),
    "unassigned, empty": (
        SceneExclusions().robot("", 0),
        ExclusionFaultKind.UNASSIGNED_ID,
        "attached shape without id and robot shape 0: an id is not assigned",
    ),
    "unassigned partner": (
        SceneExclusions().attached("cup", None),
        ExclusionFaultKind.UNASSIGNED_ID,
        "attached shape 'cup' and attached shape without id: an id is not assigned",
    ),
    "unassigned obstacle": (
        SceneExclusions().obstacle("cup", None),
        ExclusionFaultKind.UNASSIGNED_ID,
        "attached shape 'cup' and obstacle without id: an id is not assigned",
    ),
    "absent": (
        SceneExclusions().robot("cap", 0),
        ExclusionFaultKind.UNKNOWN_ID,
        (
            "attached shape 'cap' and robot shape 0: there is no attached shape 'cap'; "
            "did you mean 'cup'?"
        ),
    ),
    "absent partner": (
        SceneExclusions().attached("cup", "zzz"),
        ExclusionFaultKind.UNKNOWN_ID,
        (
            "attached shape 'cup' and attached shape 'zzz': there is no attached shape 'zzz'; "
            "there are: cup, lid"
        ),
    ),
    "absent obstacle": (
        SceneExclusions().obstacle("cup", "walk"),
        ExclusionFaultKind.UNKNOWN_ID,
        (
            "attached shape 'cup' and obstacle 'walk': there is no obstacle 'walk'; "
            "did you mean 'wall'?"
        ),
    ),
    "itself": (
        SceneExclusions().attached("cup", "cup"),
        ExclusionFaultKind.SELF_REFERENCE,
        "attached shape 'cup' is excluded against itself",
    ),
    "index too large": (
        SceneExclusions().robot("cup", 3),
        ExclusionFaultKind.ROBOT_INDEX_OUT_OF_RANGE,
        "attached shape 'cup' and robot shape 3: the robot has the shapes 0 to 2",
    ),
    "index negative": (
        SceneExclusions().robot("cup", -1),
        ExclusionFaultKind.ROBOT_INDEX_OUT_OF_RANGE,
        "attached shape 'cup' and robot shape -1: the robot has the shapes 0 to 2",
    ),
    "no such link": (
        SceneExclusions().robot("cup", "l11"),
        ExclusionFaultKind.UNKNOWN_LINK,
        "attached shape 'cup' and link 'l11': the robot has no link 'l11'; did you mean 'l1'?",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault(name: str) -> None:
    exclusions, kind, message = FAULTS[name]
    with pytest.raises(ExclusionError) as caught:
        laden().with_exclusions(exclusions).check(RAIL, HOME)
    (fault,) = caught.value.faults
    assert fault.kind is kind
    assert fault.pair == exclusions.pairs[0]
    assert fault.message == str(caught.value) == message


def test_all_offending_pairs_are_named() -> None:
    sound = SceneExclusions().robot("cup", 1).obstacle("lid", "wall")
    offending = [exclusions.pairs[0] for exclusions, _, _ in FAULTS.values()]
    mixed = SceneExclusions((sound.pairs[0], *offending, sound.pairs[1]))
    with pytest.raises(ExclusionError) as caught:
        laden().with_exclusions(mixed).check(RAIL, HOME)
    assert [fault.pair for fault in caught.value.faults] == offending
    for _, _, message in FAULTS.values():
        assert message in str(caught.value)


def test_a_pair_that_is_wrong_on_both_sides() -> None:
    with pytest.raises(ExclusionError) as caught:
        laden().with_exclusions(SceneExclusions().robot("nobody", 9)).check(RAIL, HOME)
    kinds = [fault.kind for fault in caught.value.faults]
    assert kinds == [ExclusionFaultKind.UNKNOWN_ID, ExclusionFaultKind.ROBOT_INDEX_OUT_OF_RANGE]


def test_unknown_touch_links_are_named_too() -> None:
    cup = AttachedShape(BALL, "l1", id="cup", touch_links=("l1", "hand", "l7"))
    with pytest.raises(ExclusionError) as caught:
        CollisionEnv.EMPTY.with_attached([cup]).check(RAIL, HOME)
    assert [str(fault.pair.partner) for fault in caught.value.faults] == [
        "link 'hand'",
        "link 'l7'",
    ]


@pytest.mark.parametrize("name", FAULTS)
def test_a_failed_check_leaves_the_report_as_it_was(name: str) -> None:
    report = laden().check(RAIL, HOME, Report(capacity=4))
    before = copy.copy(report)
    assert before.truncated
    with pytest.raises(ExclusionError):
        laden().with_exclusions(FAULTS[name][0]).check(RAIL, [0.1, 0.2], report)
    for field in Report.__slots__:
        assert getattr(report, field) is getattr(before, field)


def test_so_does_one_that_fails_for_another_reason() -> None:
    report = laden().check(RAIL, HOME)
    before = copy.copy(report)
    for q, margin in (([float("nan"), 0.0], 0.0), ([0.0], 0.0), (HOME, -1.0)):
        with pytest.raises(PhyzctlError):
            laden().check(RAIL, q, report, margin=margin)
    for field in Report.__slots__:
        assert getattr(report, field) is getattr(before, field)


def test_exclusions_of_anonymous_obstacles_cannot_resolve() -> None:
    scene = kitchen()
    anonymous = CollisionEnv(scene.obstacles).with_attached([on(BALL, "l1", name="cup")])
    exclusions = SceneExclusions().obstacle("cup", "table")
    with pytest.raises(ExclusionError, match="no obstacle 'table'; there are none with an id"):
        anonymous.with_exclusions(exclusions).check(RAIL, HOME)
    with_ids = scene.collision_env().with_attached(anonymous.attached)
    assert ObstacleId("table") == exclusions.pairs[0].partner
    with_ids.with_exclusions(exclusions).check(RAIL, HOME)


def test_an_obstacle_that_is_taken_out_makes_its_exclusion_an_error() -> None:
    scene = kitchen()
    env = laden(scene).with_exclusions(SceneExclusions().obstacle("cup", "table"))
    env.check(RAIL, HOME)
    scene.remove("table")
    with pytest.raises(ExclusionError, match="there is no obstacle 'table'"):
        env.check(RAIL, HOME)
    scene.add("table", at(BALL, 9))
    env.check(RAIL, HOME)
