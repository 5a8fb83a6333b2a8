"""What a run leaves out is told: what, where, and what follows."""

from __future__ import annotations

import pytest

from phyzctl import codes
from phyzctl.sim.unsupported import unsupported_issues
from tests.sim.robots import MIXED, model, sample

TOLD = {
    "quadrotor.xml": ("actuator 'front_left_thrust'", "site transmission", "pulls at nothing"),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_left_out_is_told_with_its_place(name: str) -> None:
    subject, what, consequence = TOLD[name]
    (issue,) = (
        each
        for each in unsupported_issues(sample(name))
        if what in each.message and each.subject == subject
    )
    assert issue.code is codes.UNSUPPORTED
    assert consequence in issue.message
    assert issue.source is not None
    assert issue.source.path.endswith(name)


def test_the_same_of_many_is_told_once() -> None:
    (issue,) = (
        each for each in unsupported_issues(sample("quadrotor.xml")) if "site" in each.message
    )
    assert "so for 3 more: front_right_thrust, " in issue.message


def test_nothing_is_told_of_what_is_computed() -> None:
    assert unsupported_issues(model(MIXED)) == []


def test_an_integrator_that_is_not_there() -> None:
    text = MIXED.replace('timestep="0.002"', 'timestep="0.002" integrator="implicit"')
    (issue,) = unsupported_issues(model(text))
    assert "implicitfast takes its place" in issue.message


LEFT_OUT = {
    "noslip": ('<option noslip_iterations="3"/>', "noslip is not computed"),
    "groups": ('<option actuatorgroupdisable="1"/>', "not disabled by group"),
    "sleep": ('<option><flag sleep="enable"/></option>', "nothing sleeps"),
    "spatial limit": (
        (
            '<tendon><spatial range="0 1" limited="true" frictionloss="1"><site site="s"/>'
            '<site site="r"/></spatial></tendon>'
        ),
        "limits of spatial tendons",
    ),
    "spatial tie": (
        (
            '<tendon><spatial name="t"><site site="s"/><site site="r"/></spatial></tendon>'
            '<equality><tendon tendon1="t"/></equality>'
        ),
        "spatial tendons are not tied",
    ),
}


@pytest.mark.parametrize(("text", "told"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_constraints_that_are_left_out(text: str, told: str) -> None:
    found = unsupported_issues(
        model(
            f'<mujoco>{text}<worldbody><site name="r"/><body><joint name="a"/><geom size=".1"/>'
            '<site name="s" pos="1 0 0"/></body></worldbody></mujoco>'
        )
    )
    assert any(told in issue.message for issue in found)
