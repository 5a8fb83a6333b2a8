"""ContactMaterial: defaults and the two ways to combine."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.model.material import ContactMaterial, ContactRules

PLAIN = ContactMaterial()
NUMBERS = st.floats(0.0, 10.0)


def material(**fields: Any) -> ContactMaterial:
    return ContactMaterial(**fields)


MATERIALS = st.builds(
    ContactMaterial,
    friction=NUMBERS,
    torsional_friction=NUMBERS,
    rolling_friction=NUMBERS,
    restitution=st.floats(0.0, 1.0),
    margin=NUMBERS,
    gap=NUMBERS,
    solref=st.tuples(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0)),
    condim=st.sampled_from([1, 3, 4, 6]),
    priority=st.integers(-1, 1),
    solmix=NUMBERS,
)


def test_the_defaults() -> None:
    assert (PLAIN.friction, PLAIN.restitution, PLAIN.margin) == (0.5, 0.0, 0.001)
    assert PLAIN.solref == (0.02, 1.0)
    assert PLAIN.solimp == (0.9, 0.95, 0.001, 0.5, 2.0)


@pytest.mark.parametrize("name", ["friction", "restitution", "margin"])
def test_built_models_take_the_larger(name: str) -> None:
    first, second = material(**{name: 0.9}), material(**{name: 0.2})
    assert getattr(first.combined(second, "phyzctl"), name) == 0.9


def test_built_models_take_the_geometric_mean_of_the_rest() -> None:
    first = material(solref=(0.01, 4.0), solimp=(0.4, 0.9, 0.001, 0.5, 1.0))
    second = material(solref=(0.04, 1.0), solimp=(0.9, 0.4, 0.004, 0.5, 4.0))
    both = first.combined(second, "phyzctl")
    assert both.solref == pytest.approx((0.02, 2.0))
    assert both.solimp == pytest.approx((0.6, 0.6, 0.002, 0.5, 2.0))


def test_the_mean_is_arithmetic_where_the_geometric_is_not_defined() -> None:
    both = material(solref=(-3.0, 0.0)).combined(material(solref=(1.0, 1.0)), "phyzctl")
    assert both.solref == (-1.0, 0.5)


def test_mujoco_takes_the_largest_friction_each_and_sums_margins() -> None:
    first = material(friction=0.9, torsional_friction=0.01, margin=0.01, gap=0.002)
    second = material(friction=0.2, torsional_friction=0.05, margin=0.03, gap=0.001)
    both = first.combined(second, "mujoco")
    assert (both.friction, both.torsional_friction) == (0.9, 0.05)
    assert (both.margin, both.gap) == (0.04, 0.003)


def test_mujoco_lets_the_higher_priority_decide() -> None:
    chief = material(priority=2, friction=0.1, condim=1, solref=(0.5, 1.0))
    other = material(priority=1, friction=0.9, condim=6, solref=(0.1, 1.0), margin=0.1)
    for both in (chief.combined(other, "mujoco"), other.combined(chief, "mujoco")):
        assert (both.friction, both.condim, both.solref) == (0.1, 1, (0.5, 1.0))
        assert both.margin == pytest.approx(0.101)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(1.0, 1.0, 0.15), (3.0, 1.0, 0.125), (0.0, 1.0, 0.2), (1.0, 0.0, 0.1), (0.0, 0.0, 0.15)],
)
def test_mujoco_weighs_by_solmix(first: float, second: float, expected: float) -> None:
    a, b = material(solref=(0.1, 1.0), solmix=first), material(solref=(0.2, 1.0), solmix=second)
    assert a.combined(b, "mujoco").solref[0] == pytest.approx(expected)


def test_mujoco_takes_the_smaller_of_direct_parameters() -> None:
    a, b = material(solref=(-100.0, -5.0)), material(solref=(0.02, 1.0))
    assert a.combined(b, "mujoco").solref == (-100.0, -5.0)


def test_mujoco_knows_no_friction_below_a_floor() -> None:
    none = material(friction=0.0, torsional_friction=0.0, rolling_friction=0.0)
    both = none.combined(none, "mujoco")
    assert (both.friction, both.torsional_friction, both.rolling_friction) == (1e-5,) * 3


@given(MATERIALS, MATERIALS, st.sampled_from(["phyzctl", "mujoco"]))
def test_the_order_of_two_materials_does_not_matter(
    first: ContactMaterial, second: ContactMaterial, rules: ContactRules
) -> None:
    there, back = first.combined(second, rules), second.combined(first, rules)
    for name in ("friction", "restitution", "margin", "gap", "condim", "solref", "solimp"):
        assert getattr(there, name) == pytest.approx(getattr(back, name), rel=1e-12)


@given(MATERIALS)
def test_a_material_with_itself_keeps_its_softness(one: ContactMaterial) -> None:
    both = one.combined(one, "phyzctl")
    assert both.solref == pytest.approx(one.solref)
    assert math.isclose(both.friction, one.friction)
