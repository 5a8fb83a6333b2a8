"""What an ellipsoid moves of a medium: against closed forms, quadrature and MuJoCo."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from phyzctl.model.medium import added_inertia

AXES = [
    (0.1, 0.1, 0.1), (0.1, 0.2, 0.3), (0.3, 0.1, 0.2), (0.2, 0.2, 0.05), (0.05, 0.2, 0.2),
    (0.01, 0.01, 1.0), (1.0, 1e-3, 0.4), (0.1, 0.1000001, 0.1), (25e-3, 10e-3, 1e-3),
]  # fmt: skip


def factor(axes: tuple[float, float, float], i: int) -> float:
    """The integral of Tuckerman's, over u from 0 to 1: lambda = a² (1 / u² - 1)."""
    a, b, c = axes[i], axes[i - 1], axes[i - 2]

    def share(u: float) -> float:
        t = a * a * (1.0 / u**2 - 1.0)
        return 2.0 * b * c / math.sqrt((b * b + t) * (c * c + t)) if u else 0.0

    return float(quad(share, 0.0, 1.0, epsabs=0.0, epsrel=1e-13, limit=500)[0])


@pytest.mark.parametrize("axes", AXES)
def test_masses_equal_a_quadrature(axes: tuple[float, float, float]) -> None:
    volume = 4 / 3 * math.pi * math.prod(axes)
    factors = [factor(axes, i) for i in range(3)]
    assert sum(factors) == pytest.approx(2.0, rel=1e-11)  # as Poisson's equation wants it
    expected = [volume * each / (2 - each) for each in factors]
    assert_allclose(added_inertia(axes)[:3], expected, rtol=1e-9)


def test_a_ball_moves_half_its_volume() -> None:
    *masses, a, b, c = added_inertia((0.3, 0.3, 0.3))
    assert_allclose(masses, 0.5 * 4 / 3 * math.pi * 0.3**3, rtol=1e-14)
    assert (a, b, c) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("long", [0.11, 0.5, 3.0])
def test_a_prolate_spheroid(long: float) -> None:
    """Lamb's closed form, by the eccentricity."""
    short = 0.1
    e = math.sqrt(1 - (short / long) ** 2)
    along = 2 * (1 - e * e) / e**3 * (math.atanh(e) - e)
    across = (2 - along) / 2
    volume = 4 / 3 * math.pi * short * short * long
    expected = [volume * each / (2 - each) for each in (across, across, along)]
    assert_allclose(added_inertia((short, short, long))[:3], expected, rtol=1e-10)


@pytest.mark.parametrize("axes", [each for each in AXES if max(each) <= 100 * min(each)])
def test_numbers_are_mujocos_up_to_its_quadrature(axes: tuple[float, float, float]) -> None:
    mujoco = pytest.importorskip("mujoco")
    size = " ".join(map(str, axes))
    theirs = mujoco.MjModel.from_xml_string(
        '<mujoco><option density="1"/><worldbody><body><freejoint/><geom type="ellipsoid" '
        f'size="{size}" fluidshape="ellipsoid"/></body></worldbody></mujoco>'
    )
    wanted = theirs.geom_fluid[0, 6:]
    found = np.array(added_inertia(axes))
    for part in (slice(0, 3), slice(3, 6)):
        assert_allclose(found[part], wanted[part], rtol=0, atol=3e-3 * np.abs(wanted[part]).max())
