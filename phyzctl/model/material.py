"""ContactMaterial: how surfaces meet, and what two of them make together."""

from __future__ import annotations

import math
from typing import Literal

from phyzctl.issues import Source
from phyzctl.records import dataclass

ContactRules = Literal["phyzctl", "mujoco"]
SolRef = tuple[float, float]
SolImp = tuple[float, float, float, float, float]

_FLOOR = 1e-5  # MuJoCo's smallest friction coefficient
_TINY = 1e-15  # and its smallest weight


@dataclass(frozen=True, kw_only=True)
class ContactMaterial:
    """Friction, restitution and softness of a surface.

    `friction` is Coulomb's coefficient of sliding; `torsional_friction` and `rolling_friction`
    [m] only act where `condim` (1, 3, 4 or 6) asks for them. `restitution` lies in [0, 1].
    `margin` [m] is the distance at which contact is detected, of which `gap` [m] stays without
    force. Each point of contact can pull with `adhesion` [N], in MJCF alone. `solref` (time
    constant [s] and damping ratio, or minus stiffness and minus damping when negative) and
    `solimp` (dmin, dmax, width [m], midpoint, power) are MuJoCo's. The higher `priority` decides
    alone; among equals `solmix` weighs.
    """

    friction: float = 0.5
    torsional_friction: float = 0.005
    rolling_friction: float = 0.0001
    restitution: float = 0.0
    margin: float = 0.001
    gap: float = 0.0
    adhesion: float = 0.0
    solref: SolRef = (0.02, 1.0)
    solimp: SolImp = (0.9, 0.95, 0.001, 0.5, 2.0)
    condim: int = 3
    priority: int = 0
    solmix: float = 1.0
    source: Source | None = None

    def combined(self, other: ContactMaterial, rules: ContactRules) -> ContactMaterial:
        """The material of a contact between surfaces of this and the other material.

        Under "phyzctl" friction, restitution and margin by the larger, the rest by geometric
        mean (arithmetic when either is not positive). Under "mujoco" as MuJoCo mixes geoms.
        """
        return _by_mujoco(self, other) if rules == "mujoco" else _by_phyzctl(self, other)


# What MJCF's geoms have when they state nothing.
MJCF_GEOM = ContactMaterial(friction=1.0, margin=0.0)


def _by_phyzctl(a: ContactMaterial, b: ContactMaterial) -> ContactMaterial:
    return ContactMaterial(
        friction=max(a.friction, b.friction),
        torsional_friction=max(a.torsional_friction, b.torsional_friction),
        rolling_friction=max(a.rolling_friction, b.rolling_friction),
        restitution=max(a.restitution, b.restitution),
        margin=max(a.margin, b.margin),
        gap=max(a.gap, b.gap),
        solref=(_mean(a.solref[0], b.solref[0]), _mean(a.solref[1], b.solref[1])),
        solimp=_each_mean(a.solimp, b.solimp),
        condim=max(a.condim, b.condim),
        priority=max(a.priority, b.priority),
        solmix=_mean(a.solmix, b.solmix),
    )


def _each_mean(a: SolImp, b: SolImp) -> SolImp:
    d0, dw, width, mid, power = (_mean(x, y) for x, y in zip(a, b, strict=True))
    return d0, dw, width, mid, power


def _mean(a: float, b: float) -> float:
    """The geometric mean; the arithmetic one where that is not defined."""
    return math.sqrt(a) * math.sqrt(b) if a > 0.0 and b > 0.0 else 0.5 * (a + b)


def _by_mujoco(a: ContactMaterial, b: ContactMaterial) -> ContactMaterial:
    margin, gap = a.margin + b.margin, a.gap + b.gap
    if a.priority != b.priority:
        chief = a if a.priority > b.priority else b
        frictions = _frictions(chief)
        solref, solimp, condim = chief.solref, chief.solimp, chief.condim
        adhesion = chief.adhesion
    else:
        frictions = [max(x, y) for x, y in zip(_frictions(a), _frictions(b), strict=True)]
        weight = _weight(a.solmix, b.solmix)
        solref = _mixed_solref(a.solref, b.solref, weight)
        d0, dw, width, mid, power = _mixed(a.solimp, b.solimp, weight)
        solimp, condim = (d0, dw, width, mid, power), max(a.condim, b.condim)
        adhesion = a.adhesion + b.adhesion
    slide, spin, roll = (max(value, _FLOOR) for value in frictions)
    return ContactMaterial(
        friction=slide,
        torsional_friction=spin,
        rolling_friction=roll,
        margin=margin,
        gap=gap,
        adhesion=adhesion,
        solref=solref,
        solimp=solimp,
        condim=condim,
        priority=max(a.priority, b.priority),
    )


def _frictions(material: ContactMaterial) -> list[float]:
    return [material.friction, material.torsional_friction, material.rolling_friction]


def _weight(a: float, b: float) -> float:
    """The share of the first of two solmix."""
    if a >= _TINY and b >= _TINY:
        return a / (a + b)
    if a < _TINY and b < _TINY:
        return 0.5
    return 0.0 if a < _TINY else 1.0


def _mixed_solref(a: SolRef, b: SolRef, weight: float) -> SolRef:
    """Weighted where both are time constants, else the smaller of each."""
    if a[0] > 0.0 and b[0] > 0.0:
        first, second = _mixed(a, b, weight)
        return first, second
    return min(a[0], b[0]), min(a[1], b[1])


def _mixed(a: tuple[float, ...], b: tuple[float, ...], weight: float) -> list[float]:
    return [weight * x + (1.0 - weight) * y for x, y in zip(a, b, strict=True)]
