"""The laws of contact: what two geoms make together, and what explicit pairs and options state."""

from __future__ import annotations

import math
from dataclasses import replace

from phyzctl.model.compiled import CompiledModel
from phyzctl.model.geom import Geom
from phyzctl.model.material import ContactMaterial, SolImp, SolRef
from phyzctl.records import dataclass
from phyzctl.robot.mechanism import ContactPair, Option

Friction = tuple[float, float, float, float, float]

_FLOOR = 1e-5  # below this a friction coefficient counts as this, so that cones stay cones
_NO_SOLREF: SolRef = (0.0, 0.0)
# What a pair or an override states where the file is silent.
_FRICTION: Friction = (1.0, 1.0, 0.005, 0.0001, 0.0001)
_SOLREF: SolRef = (0.02, 1.0)
_SOLIMP: SolImp = (0.9, 0.95, 0.001, 0.5, 2.0)


@dataclass(frozen=True)
class Law:
    """How one pair of geoms pushes: MuJoCo's terms.

    `friction` is sliding (two tangents), torsional and rolling (two axes). `solref_friction` is
    that of the tangents, all zero for the normal's. Contacts exist up to `margin` + `gap` [m] and
    push below `margin`; as long as they exist they can pull with `adhesion` [N]. What hits is
    thrown back with `restitution` times its speed.
    """

    dimension: int
    friction: Friction
    solref: SolRef
    solref_friction: SolRef
    solimp: SolImp
    margin: float
    gap: float
    adhesion: float = 0.0
    restitution: float = 0.0

    @property
    def numbers(self) -> tuple[float, ...]:
        """All its numbers but the dimension."""
        pairs = (*self.solref, *self.solref_friction, *self.solimp)
        rest = self.margin, self.gap, self.adhesion, self.restitution
        return (*self.friction, *pairs, *rest)


_UNSTATED = Law(3, _FRICTION, _SOLREF, _NO_SOLREF, _SOLIMP, 0.0, 0.0)


def mixed_law(model: CompiledModel, first: Geom, second: Geom) -> Law:
    """The law of two geoms that no explicit pair names."""
    a, b = material_of(model, first), material_of(model, second)
    both = a.combined(b, model.contact_rules)
    slide, spin, roll = both.friction, both.torsional_friction, both.rolling_friction
    law = Law(
        both.condim,
        _floored((slide, slide, spin, roll, roll)),
        both.solref,
        _NO_SOLREF,
        both.solimp,
        both.margin,
        both.gap,
        both.adhesion,
    )
    if model.contact_rules == "mujoco":
        return law
    # A built robot's margin only detects: it adds no force.
    return replace(law, margin=0.0, gap=both.margin + both.gap, restitution=both.restitution)


def material_of(model: CompiledModel, geom: Geom) -> ContactMaterial:
    """The material that a geom meets others with: its body's before its own."""
    own = model.bodies[geom.body].material if geom.body >= 0 else None
    return own or geom.material or ContactMaterial()


def stated_law(model: CompiledModel, first: Geom, second: Geom, pair: ContactPair) -> Law:
    """What an explicit pair states.

    What it leaves open has MJCF's defaults in MJCF, where pairs take nothing from their geoms;
    elsewhere it is what the geoms would have.
    """
    law = _UNSTATED if model.contact_rules == "mujoco" else mixed_law(model, first, second)
    friction = (*(pair.friction or ()), *law.friction[len(pair.friction or ()) :])
    slide, slide2, spin, roll, roll2 = friction[:5]
    timeconst, dampratio = _completed(pair.solref, law.solref)
    tangent = _completed(pair.solreffriction, _NO_SOLREF)
    d0, dw, width, mid, power = _completed(pair.solimp, law.solimp)
    return Law(
        law.dimension if pair.condim is None else pair.condim,
        _floored((slide, slide2, spin, roll, roll2)),
        (timeconst, dampratio),
        (tangent[0], tangent[1]),
        (d0, dw, width, mid, power),
        law.margin if pair.margin is None else pair.margin,
        law.gap if pair.gap is None else pair.gap,
        law.adhesion if pair.adhesion is None else pair.adhesion,
        law.restitution,
    )


def overridden(law: Law, option: Option) -> Law:
    """The law under MJCF's flag `override`, which replaces that of every contact."""
    if not dict(option.flags).get("override", False):
        return law
    slide, slide2, spin, roll, roll2 = _completed(option.o_friction, _FRICTION)
    timeconst, dampratio = _completed(option.o_solref, _SOLREF)
    d0, dw, width, mid, power = _completed(option.o_solimp, _SOLIMP)
    return replace(
        law,
        friction=_floored((slide, slide2, spin, roll, roll2)),
        solref=(timeconst, dampratio),
        solref_friction=(timeconst, dampratio),
        solimp=(d0, dw, width, mid, power),
        margin=option.o_margin or 0.0,
    )


def _completed(stated: tuple[float, ...] | None, rest: tuple[float, ...]) -> tuple[float, ...]:
    """The stated numbers, the rest from elsewhere, as MJCF reads short lists."""
    written = (stated or ())[: len(rest)]
    return (*written, *rest[len(written) :])


def _floored(friction: Friction) -> Friction:
    slide, slide2, spin, roll, roll2 = (
        value if value > _FLOOR or math.isnan(value) else _FLOOR for value in friction
    )
    return slide, slide2, spin, roll, roll2
