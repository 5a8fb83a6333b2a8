"""Which factor of a unit repairs an implausible mass or tensor: grams, millimetres, tonnes."""

from __future__ import annotations

import math

from phyzctl.lint.facts import GroupFacts, Part

# Densities [kg/m³] of what robots are made of, hollow parts and heavy motors included.
_LIGHTEST, _HEAVIEST = 1.0, 25_000.0
_PLAUSIBLE = (50.0, 20_000.0)
_TOKEN = 0.01  # [m] smaller shapes only mark a place
_NEAR = 3.0  # a radius of gyration this close to the box's is plausible
_LARGE, _SMALL = 5.0, 0.01  # radius of gyration over the longest side of the box
_LONG, _SHORT = 2.0, 5e-4  # [m] the same where no box is known
_FACTORS = (1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9)
_UNITS = {1e-3: "g m²", 1e-6: "kg mm²", 1e-9: "g mm²"}


def mass_factor(group: GroupFacts) -> float | None:
    """1000 or 0.001 when the group's density is implausible and that factor repairs it."""
    density = group.density
    if density is None or group.box is None or max(group.box.sides) < _TOKEN:
        return None
    if _LIGHTEST <= density <= _HEAVIEST:
        return None
    factor = 1000.0 if density < _LIGHTEST else 0.001
    return factor if _PLAUSIBLE[0] <= density * factor <= _PLAUSIBLE[1] else None


def is_gyration_off(part: Part) -> bool:
    """True when the tensor's radius of gyration can't be that of the part's shapes."""
    if part.box is None:
        return not _SHORT <= part.gyration <= _LONG
    longest = max(part.box.sides)
    outside = part.gyration > _LONG and part.gyration > longest
    return outside or not _SMALL * longest <= part.gyration <= _LARGE * longest


def tensor_factor(part: Part) -> float | None:
    """The power of 1000 that brings the tensor to the geometry's size; None when none does."""
    if part.box is None or not all(0.0 < r < math.inf for r in (part.gyration, part.box.gyration)):
        return None

    def miss(factor: float) -> float:
        return abs(math.log(part.gyration * math.sqrt(factor) / part.box.gyration))  # type: ignore[union-attr]

    best = min(_FACTORS, key=miss)
    return best if miss(best) <= math.log(_NEAR) else None


def unit_of_factor(factor: float) -> str | None:
    """The unit that a tensor is written in when `factor` turns it into kg m²."""
    return _UNITS.get(factor)


def is_round(value: float) -> bool:
    """True for one significant digit, such as 0.01 or 2: typed in rather than measured."""
    return f"{value:.6e}"[1:8] == ".000000"


def is_placeholder(part: Part) -> bool:
    """True for three equal moments that look typed in."""
    return part.is_isotropic and (is_round(part.moments[2]) or not is_gyration_off(part))
