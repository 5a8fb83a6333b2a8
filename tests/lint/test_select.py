"""Which Issues a configuration asks for."""

from __future__ import annotations

import pytest

from phyzctl.config import Config
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Code, Severity
from phyzctl.lint.engine import rules
from phyzctl.lint.rule import Rule
from phyzctl.lint.select import Selection, matching
from tests.lint.support import AXIS, codes_of, joint, judge

# An axis of wrong length (J210, warning), inverted limits (J201, error), a comma (X011, error).
TEXT = joint('<axis xyz="0 0 2"/><limit lower="2" upper="1" effort="1" velocity="1"/>').replace(
    "</joint>", '<origin xyz="0 0 1,5"/></joint>'
)

SELECTIONS = {
    "nothing chosen": (Config(ignore=("I",)), {"X011", "J201", "J210"}),
    "a code": (Config(select=("J201",)), {"J201"}),
    "a name": (Config(select=("limit-inverted",)), {"J201"}),
    "a family": (Config(select=("J",)), {"J201", "J210"}),
    "a prefix": (Config(select=("J21",)), {"J210"}),
    "readers' issues too": (Config(select=("X",)), {"X011"}),
    "ignore a code": (Config(ignore=("I", "J201")), {"X011", "J210"}),
    "ignore a name": (Config(ignore=("I", "axis-not-unit")), {"X011", "J201"}),
    "ignore readers' issues": (Config(ignore=("I", "X")), {"J201", "J210"}),
    "ignore within a family": (Config(select=("J",), ignore=("J21",)), {"J201"}),
    "a code within an ignored family": (Config(select=("J210",), ignore=("J",)), {"J210"}),
    "add to the default": (Config(extend_select=("X004",), ignore=("I", "X01", "J")), set()),
    "ignore what is selected": (Config(select=("J201",), ignore=("J201",)), set()),
}


@pytest.mark.parametrize(("config", "wanted"), SELECTIONS.values(), ids=SELECTIONS)
def test_selection(config: Config, wanted: set[str]) -> None:
    assert set(codes_of(TEXT, config)) == wanted


@pytest.mark.parametrize("selector", ["J2O1", "limit-inverte", "j201", "Q", "Q7", "J9", "", "201"])
def test_a_selector_that_means_no_rule_is_misuse(selector: str) -> None:
    for config in (
        Config(select=(selector,)),
        Config(ignore=(selector,)),
        Config(severity={selector: Severity.INFO}),
    ):
        with pytest.raises(PhyzctlError, match="no rule is called"):
            codes_of(TEXT, config)


def test_misuse_names_what_would_be_right() -> None:
    with pytest.raises(PhyzctlError, match="did you mean 'limit-inverted'"):
        codes_of(TEXT, Config(ignore=("limit-inverte",)))
    with pytest.raises(PhyzctlError, match="did you mean 'J201'"):
        codes_of(TEXT, Config(ignore=("j201",)))
    with pytest.raises(PhyzctlError, match=r"families are A, .*X"):
        codes_of(TEXT, Config(ignore=("?",)))


def test_severity_by_code_name_and_family_the_nearest_wins() -> None:
    severity = {"J": Severity.INFO, "axis-not-unit": Severity.ERROR, "X011": Severity.WARNING}
    found = {i.code.id: i.severity for i in judge(TEXT, Config(ignore=("I",), severity=severity))}
    assert found == {"J201": Severity.INFO, "J210": Severity.ERROR, "X011": Severity.WARNING}


UNKNOWN = joint().replace("</robot>", '<marketing slogan="strong"/></robot>')


def test_pedantic_rules_are_off_until_asked_for() -> None:
    assert codes_of(UNKNOWN, Config(ignore=("I",))) == []
    assert codes_of(UNKNOWN, Config(ignore=("I",), pedantic=True)) == ["X004"]
    assert codes_of(UNKNOWN, Config(select=("X004",))) == ["X004"]
    assert codes_of(UNKNOWN, Config(ignore=("I",), extend_select=("X0",))) == ["X004"]


def test_with_strict_assets_a_lost_package_is_an_error() -> None:
    mesh = '<visual><geometry><mesh filename="package://no_such_pkg/a.stl"/></geometry></visual>'
    text = joint().replace('<link name="arm"/>', f'<link name="arm">{mesh}</link>')
    for config, severity in (
        (Config(), Severity.WARNING),
        (Config(strict_assets=True), Severity.ERROR),
        (Config(strict_assets=True, severity={"F600": Severity.INFO}), Severity.INFO),
    ):
        assert [i.severity for i in judge(text, config) if i.code.id == "F600"] == [severity]


def test_an_error_needs_no_pedantry() -> None:
    text = '<mujoco><worldbody><body name="b" zebra="1"/></worldbody></mujoco>'
    assert codes_of(text, Config(select=("X",))) == ["X004"]
    assert "X004" in codes_of(text, Config())
    assert "X004" not in codes_of(text, Config(ignore=("X004",)))


@pytest.mark.parametrize(
    ("cost", "config", "runs"),
    [
        ("static", Config(), True),
        ("mesh", Config(), True),
        ("mesh", Config(meshes=False), False),
        ("sweep", Config(), False),
        ("sweep", Config(deep=True), True),
        ("run", Config(deep=True, meshes=False), True),
    ],
)
def test_costly_rules_run_when_asked_for(cost: str, config: Config, *, runs: bool) -> None:
    rule = Rule(
        Code("G999", "costly", Severity.INFO), __name__, cost=cost, check=lambda _: iter(())
    )
    assert Selection(config, {"G999": rule}).runs(rule, "urdf") is runs


@pytest.mark.parametrize(("dialect", "runs"), [("urdf", True), ("mjcf", False), (None, True)])
def test_a_rule_runs_on_the_formats_it_names(dialect: str | None, *, runs: bool) -> None:
    rule = rules()["J212"]
    assert Selection(Config(), rules()).runs(rule, dialect) is runs


ABOUT_USD = Code("P999", "usd-name", Severity.WARNING)


@pytest.mark.parametrize(
    ("config", "wanted"),
    [
        (Config(), False),
        (Config(pedantic=True), False),
        (Config(target=("kdl", "ros2")), False),
        (Config(target=("kdl", "usd")), True),
        (Config(target=("usd",), ignore=("P",)), False),
        (Config(select=("P999",)), True),
    ],
)
def test_a_rule_about_a_consumer_is_on_for_it_or_when_selected(
    config: Config, *, wanted: bool
) -> None:
    rule = Rule(ABOUT_USD, __name__, targets=frozenset({"usd"}), default_on=False)
    assert Selection(config, {"P999": rule}).takes(ABOUT_USD) is wanted


def test_a_target_raises_severities_and_lowers_none() -> None:
    raised = {"usd": Severity.WARNING, "kdl": Severity.ERROR}
    rule = Rule(ABOUT_USD, __name__, raised=raised)
    for target, given, severity in (
        ((), Severity.INFO, Severity.INFO),
        (("ros2",), Severity.INFO, Severity.INFO),
        (("usd",), Severity.INFO, Severity.WARNING),
        (("usd",), Severity.ERROR, Severity.ERROR),
        (("usd", "kdl"), Severity.INFO, Severity.ERROR),
    ):
        assert (
            Selection(Config(target=target), {"P999": rule}).severity(ABOUT_USD, given) is severity
        )
    chosen = Config(target=("usd",), severity={"P999": Severity.INFO})
    assert Selection(chosen, {"P999": rule}).severity(ABOUT_USD, Severity.INFO) is Severity.INFO


LOCKED = joint('<axis xyz="0 0 1"/><limit lower="1" upper="1" effort="1" velocity="1"/>')


def test_mujoco_ignores_a_limit_that_others_take_for_a_lock() -> None:
    for config, severity in (
        (Config(select=("J202",)), Severity.INFO),
        (Config(select=("J202",), target=("mujoco",)), Severity.WARNING),
    ):
        assert [issue.severity for issue in judge(LOCKED, config)] == [severity]


def test_a_target_that_is_none_is_misuse() -> None:
    with pytest.raises(PhyzctlError, match="no target is called 'mujoko'; did you mean 'mujoco'"):
        codes_of(TEXT, Config(target=("mujoko",)))


def test_a_prefix_means_all_that_begin_with_it() -> None:
    assert matching("T40", rules()) == [f"T40{digit}" for digit in range(1, 10)]
    assert matching("J201", rules()) == matching("limit-inverted", rules()) == ["J201"]
    assert matching("limit", rules()) == []


def test_an_issue_that_is_not_wanted_still_counts_as_the_cause() -> None:
    text = joint(AXIS + '<limit lower="90" upper="-90" effort="1" velocity="1"/>')
    assert codes_of(text, Config(ignore=("I",), severity={"J201": Severity.INFO})) == ["J201"]
