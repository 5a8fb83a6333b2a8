"""What a run leaves out is told: what, where, and what follows."""

from __future__ import annotations

import pytest

from phyzctl import codes
from phyzctl.sim.unsupported import unsupported_issues
from tests.sim.robots import MIXED, OWN_LAWS, model


def test_what_is_left_out_is_told_with_its_place() -> None:
    (issue,) = (each for each in unsupported_issues(model(OWN_LAWS)) if "user law" in each.message)
    assert issue.code is codes.UNSUPPORTED
    assert issue.subject == "actuator 'flexor'"
    assert "it pulls at nothing; so for 1 more: extensor" in issue.message
    assert issue.source is not None
    assert issue.source.line == 3


def test_nothing_is_told_of_what_is_computed() -> None:
    assert unsupported_issues(model(MIXED)) == []


def test_an_integrator_that_is_not_there() -> None:
    text = MIXED.replace('timestep="0.002"', 'timestep="0.002" integrator="implicit"')
    (issue,) = unsupported_issues(model(text))
    assert "implicitfast takes its place" in issue.message


LEFT_OUT = {
    "groups": ('<option actuatorgroupdisable="1"/>', "not disabled by group"),
    "sleep": ('<option><flag sleep="enable"/></option>', "nothing sleeps"),
    "path": ("<tendon><spatial><site site='s'/></spatial></tendon>", "path"),
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
