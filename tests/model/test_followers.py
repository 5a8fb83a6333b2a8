"""Which joints follow which, on which lines, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from phyzctl.errors import PhyzctlError
from phyzctl.model.followers import (
    check_followers,
    followers,
    motion_basis,
    place_followers,
    unfollowed,
)
from phyzctl.model.model import Model
from tests.native.followers import JOINTS, robot
from tests.sim.robots import model


@pytest.fixture(scope="module")
def subject() -> Model:
    return model(robot(), "fixed")


def test_lines_of_lines_are_one(subject: Model) -> None:
    found = {subject.joints[each.joint].name: each for each in followers(subject)}
    assert found.keys() == {name for name, _, _, mimic in JOINTS if mimic}
    lead, deep, free = (subject.joint_index(name) for name in ("lead", "deep", "free"))
    lines = {name: (each.leader, each.ratio, each.offset) for name, each in found.items()}
    assert lines["early"] == (deep, -0.7, 0.4)
    assert lines["child"] == (lead, 0.5, 0.1)
    assert lines["chain"] == pytest.approx((lead, 0.75, 1.5 * 0.1 - 0.2))
    assert lines["sibling"] == pytest.approx((lead, -1.5, -2.0 * (1.5 * 0.1 - 0.2) + 0.3))
    assert lines["held"] == (-1, 0.0, 0.25)
    assert lines["still"] == (free, 0.0, 0.6)


def test_placed_they_are_on_their_lines_and_the_basis_moves_them_so(subject: Model) -> None:
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=subject.nq), rng.normal(size=subject.nv)
    place_followers(subject, q, v)
    for name, _, _, mimic in JOINTS:
        if mimic and mimic[0] != "weld":
            leader = q[subject.q_slice(mimic[0])]
            assert_allclose(q[subject.q_slice(name)], mimic[1] * leader + mimic[2], rtol=1e-14)
    check_followers(subject, followers(subject), q, v)
    G = motion_basis(subject)
    assert_allclose(G @ v, v, rtol=1e-15)
    assert_allclose(G @ G, G)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("q", "the joint 'child' follows 'lead': it must be at 0.1, not 0.3"),
        ("v", "the joint 'child' follows 'lead': it must move at 0, not 0.2"),
    ],
)
def test_what_is_off_its_line_is_refused_by_name(subject: Model, at: str, message: str) -> None:
    state = {"q": np.zeros(subject.nq), "v": np.zeros(subject.nv)}
    place_followers(subject, state["q"], state["v"])
    place = subject.q_slice("child") if at == "q" else subject.v_slice("child")
    state[at][place] += 0.2
    with pytest.raises(PhyzctlError, match=message):
        check_followers(subject, followers(subject), state["q"], state["v"])


def test_what_goes_round_in_a_circle_is_told_and_left_free() -> None:
    text = robot().replace(
        '<axis xyz="0 1 0"/></joint>', '<axis xyz="0 1 0"/><mimic joint="chain"/></joint>', 1
    )
    circled = model(text, "fixed")
    names = {getattr(finding.element, "name", None) for finding in unfollowed(circled)}
    assert names == {"lead", "child", "chain", "sibling"}
    assert {circled.joints[each.joint].name for each in followers(circled)} == {
        "early", "held", "still",
    }  # fmt: skip


def test_nothing_follows_in_a_robot_without_mimic() -> None:
    plain = model("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    assert followers(plain) == ()
    assert motion_basis(plain).tolist() == [[1.0]]
