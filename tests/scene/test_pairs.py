"""Every row of the table of pairs: what is checked, of what kind, under which integers."""

from __future__ import annotations

import pytest

from phyzctl.errors import NotFoundError
from phyzctl.geometry.shapes import Plane, Sphere
from phyzctl.model import compiler
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.elements import Geom, GeomRole, Joint, JointKind, Link, Surface
from phyzctl.robot.mechanism import Exclude
from phyzctl.scene.contact import Contact, ContactKind, RefKind, SkipReason
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.items import AttachedShape
from tests.scene.robots import UNIT, at, on, slider_rail, solid

SELF, ENVIRONMENT = ContactKind.SELF_COLLISION, ContactKind.ENVIRONMENT_COLLISION
BALL = Sphere(0.1)
RAIL = slider_rail(3)  # shapes 0, 1, 2, so that attached shapes count from 3
N = 3


def only(contacts: tuple[Contact, ...]) -> Contact:
    assert len(contacts) == 1
    return contacts[0]


def indices(contact: Contact) -> tuple[ContactKind, int, int]:
    return contact.kind, contact.link_index, contact.partner_index


def test_robot_against_robot_follows_the_robot_s_own_rule() -> None:
    # l0 and l2 may meet, since there is a link between them; l0 and l1, l1 and l2 are neighbours.
    fold = slider_rail(3, radius=1.05)
    report = CollisionEnv.EMPTY.check(fold, [0.0, 0.0])
    assert indices(only(report.contacts)) == (SELF, 0, 2)
    assert report.checked == 1
    assert report.skipped == {SkipReason.STRUCTURE: 2}


def test_robot_against_robot_follows_the_robot_s_excludes() -> None:
    builder = RobotBuilder("three")
    builder.link(solid("a", BALL))
    for parent, child in (("a", "b"), ("b", "c")):
        builder.link(solid(child, BALL))
        builder.joint(Joint(f"to {child}", JointKind.CONTINUOUS, parent, child))
    builder.exclude(Exclude("c", "a"))
    report = CollisionEnv.EMPTY.check(compiler.compile(builder.build(), base="fixed"), [0.0, 0.0])
    assert report.contacts == ()
    assert report.skipped == {SkipReason.STRUCTURE: 2, SkipReason.ROBOT_EXCLUDE: 1}


def test_robot_against_obstacle() -> None:
    env = CollisionEnv([at(BALL, 9, 9, 9), at(BALL, 0.15, 0, 1)])
    contact = only(env.check(RAIL, [0.0, 0.0]).contacts)
    assert indices(contact) == (ENVIRONMENT, 1, 1)
    assert contact.distance == pytest.approx(0.15 - 0.2, abs=1e-12)


def test_attached_against_robot_is_never_skipped_by_itself() -> None:
    # Even the link that it is mounted on.
    for link, partner in (("l0", 0), ("l1", 1), ("l2", 2)):
        env = CollisionEnv.EMPTY.with_attached([on(BALL, None, 9), on(BALL, link)])
        assert indices(only(env.check(RAIL, [0.5, 0.5]).contacts)) == (SELF, N + 1, partner)


def test_attached_against_attached_on_different_frames() -> None:
    shapes = [on(BALL, "l1", 5), on(BALL, "l2", 5, 0, -1)]
    env = CollisionEnv.EMPTY.with_attached(shapes)
    assert indices(only(env.check(RAIL, [0.0, 0.0]).contacts)) == (SELF, N, N + 1)
    assert env.check(RAIL, [0.0, 1.0]).contacts == ()


@pytest.mark.parametrize("frame", ["l1", "l0", None])
def test_attached_shapes_on_the_same_frame_are_one_body(frame: str | None) -> None:
    env = CollisionEnv.EMPTY.with_attached([on(BALL, frame, 5), on(BALL, frame, 5)])
    report = env.check(RAIL, [0.0, 0.0], show_allowed=True)
    assert report.skipped[SkipReason.SAME_FRAME] == 1
    among = [contact for contact in report.contacts if contact.b.kind is RefKind.ATTACHED]
    assert only(tuple(among)).allowed_by is SkipReason.SAME_FRAME
    assert CollisionEnv.EMPTY.with_attached(env.attached).check(RAIL, [0.0, 0.0]).contacts == ()


def test_none_is_the_base_frame() -> None:
    env = CollisionEnv.EMPTY.with_attached([on(BALL, None, 5), on(BALL, "l0", 5)])
    assert env.check(RAIL, [0.0, 0.0]).skipped[SkipReason.SAME_FRAME] == 1
    assert env.check(RAIL, [0.0, 0.0], margin=100).contacts[0].a.link == "l0"


def test_none_is_the_only_link_on_the_world() -> None:
    builder = RobotBuilder("standing").link(Link("world")).link(solid("arm", BALL))
    builder.joint(Joint("to arm", JointKind.PRISMATIC, "world", "arm", axis=(1.0, 0.0, 0.0)))
    model = compiler.compile(builder.build())
    env = CollisionEnv([at(BALL, 5.3, 0, 0)]).with_attached([on(BALL, None, 5)])
    assert env.check(model, [0.0]).contacts == ()
    assert indices(only(env.check(model, [0.15]).contacts)) == (ENVIRONMENT, 1, 0)


def test_attached_against_obstacle() -> None:
    env = CollisionEnv([at(BALL, 9, 9, 9), at(BALL, 5, 0, 1)])
    env = env.with_attached([on(BALL, None, -5), on(BALL, "l1", 5)])
    assert indices(only(env.check(RAIL, [0.0, 0.0]).contacts)) == (ENVIRONMENT, N + 1, 1)


def test_attached_shapes_move_with_their_frame() -> None:
    env = CollisionEnv([at(BALL, 5, 0, 2)]).with_attached([on(BALL, "l2", 5)])
    distances = [env.check(RAIL, [q, 0.0], margin=9).contacts for q in (0.0, 0.5)]
    gaps = [[c.distance for c in found if c.kind is ENVIRONMENT][-1] for found in distances]
    assert gaps == pytest.approx([-0.2, 0.3])


def test_attached_indices_never_collide_with_robot_indices() -> None:
    env = CollisionEnv([at(BALL, 0)]).with_attached([on(BALL, "l1"), on(BALL, "l2")])
    contacts = env.check(RAIL, [0.0, 0.0], margin=50).contacts
    for ref in {ref for contact in contacts for ref in (contact.a, contact.b)}:
        if ref.kind is RefKind.ROBOT:
            assert ref.number == ref.index < N
        elif ref.kind is RefKind.ATTACHED:
            assert ref.number == N + ref.index >= N
        else:
            assert ref.number == ref.index


def test_partner_index_alone_is_ambiguous_and_the_reference_is_not() -> None:
    env = CollisionEnv([at(BALL, 0, 0, 1)]).with_attached([on(BALL, "l1", name="cup")])
    contacts = env.check(RAIL, [0.0, 0.0], show_allowed=True).contacts
    by_partner = {(c.kind, c.partner_index): c.b.kind for c in contacts if c.link_index == N}
    assert by_partner == {(SELF, 1): RefKind.ROBOT, (ENVIRONMENT, 0): RefKind.OBSTACLE}
    assert {c.a.id for c in contacts if c.a.kind is RefKind.ATTACHED} == {"cup"}


def test_contacts_are_sorted_by_kind_then_a_then_b() -> None:
    env = CollisionEnv([at(BALL, 0), at(BALL, 0)])
    env = env.with_attached([on(BALL, "l2"), on(BALL, "l0")])
    contacts = env.check(slider_rail(3, radius=1.05), [0.0, 0.0], show_allowed=True).contacts
    keys = [contact.sort_key() for contact in contacts]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys) > 10


def test_shapes_of_the_world_and_obstacles_stand_still() -> None:
    builder = RobotBuilder("floored", dialect="mjcf")
    builder.link(Link("world", geoms=(Geom(Plane(), name="floor"),)))
    builder.link(Link("ball", UNIT, (Geom(BALL, name="ball"),)))
    builder.joint(Joint("up", JointKind.PRISMATIC, "world", "ball"))
    model = compiler.compile(builder.build())
    env = CollisionEnv([at(BALL, 0), at(Plane(), 0, 0, -1)])
    report = env.check(model, [0.5])
    assert report.contacts == ()
    assert report.skipped == {SkipReason.WORLD: 1, SkipReason.HALF_SPACES: 1}
    assert {indices(c) for c in env.check(model, [0.05]).contacts} == {
        (SELF, 0, 1),
        (ENVIRONMENT, 1, 0),
    }


def test_bit_masks_are_those_of_the_robot() -> None:
    builder = RobotBuilder("masked", dialect="mjcf").link(Link("world"))
    for name, bits in (("a", 1), ("b", 2)):
        surface = Surface(contype=bits, conaffinity=bits)
        builder.link(Link(name, UNIT, (Geom(BALL, name=name, surface=surface),)))
        builder.joint(Joint(f"to {name}", JointKind.PRISMATIC, "world", name))
    model = compiler.compile(builder.build())
    report = CollisionEnv([at(BALL, 0)]).check(model, [0.0, 0.0])
    assert report.skipped == {SkipReason.BIT_MASKS: 1}
    assert [indices(c) for c in report.contacts] == [(ENVIRONMENT, 0, 0), (ENVIRONMENT, 1, 0)]


def test_what_is_only_drawn_meets_nothing() -> None:
    drawn = Geom(BALL, name="drawn", role=GeomRole.VISUAL)
    builder = RobotBuilder("seen").link(Link("a", UNIT, (drawn, Geom(BALL, name="hard"))))
    report = CollisionEnv([at(BALL, 0)]).check(compiler.compile(builder.build(), base="fixed"), [])
    assert report.checked == 1
    assert only(report.contacts).a.id == "hard"


def test_a_shape_attached_to_no_link() -> None:
    env = CollisionEnv.EMPTY.with_attached([AttachedShape(BALL, "l9")])
    with pytest.raises(NotFoundError, match="no link named 'l9'"):
        env.check(RAIL, [0.0, 0.0])
