"""Tensors that no body can have. What is welded to the bearing part of a group weighs less."""

from __future__ import annotations

import math
from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.records import dataclass
from phyzctl.robot.checks.groups import bearing_links, from_here_on
from phyzctl.robot.elements import Inertia, Inertial, Link
from phyzctl.robot.robot import Robot
from phyzctl.tensor import symmetric_eigenvalues

_SINGULAR = 1e-12  # of the largest moment: less than this is zero
_IMPOSSIBLE = 5e-3  # of the largest moment: more than this isn't rounding
_EXACT = 1e-9  # of the largest moment: less than this is arithmetic
_NOTHING = 1e-12  # [m²] of the mass: the tensor of a point, but for arithmetic
_HEAVY = 1e-4  # [kg] a lighter part may do without a tensor
_LOST_DIGITS = (-3, -2, -1, 1, 2, 3)  # powers of ten that a slip of the decimal point makes


@dataclass(frozen=True)
class Moments:
    """The principal moments [kg m²] of one link's tensor, ascending."""

    link: Link
    tensor: Inertia
    low: float
    middle: float
    high: float
    bearing: bool

    @property
    def shortfall(self) -> float:
        """By how much the largest exceeds the sum of the other two [kg m²]."""
        return self.high - self.middle - self.low

    @property
    def is_positive(self) -> bool:
        """True when every moment is above zero, by more than arithmetic leaves."""
        return self.low > _SINGULAR * self.high


def moments(robot: Robot) -> Iterator[Moments]:
    """The tensors that count and have finite entries, not all of them next to zero."""
    if robot.settings.inertia_from_geom:
        return
    bearing = bearing_links(robot)
    for link in robot.links:
        inertial = link.inertial
        tensor = inertial.inertia if inertial else None
        if inertial is None or tensor is None or is_nothing(inertial):
            continue
        if not all(map(math.isfinite, tensor)):
            continue
        yield Moments(link, tensor, *symmetric_eigenvalues(*tensor), link.name in bearing)


def inertia_not_positive(robot: Robot) -> Iterator[Finding]:
    """I100: a tensor with a principal moment that is not above zero.

    A moment of exactly zero beside two equal ones is that of a thin rod: a warning, since only
    some refuse it. `build()` takes any moment of zero.
    """
    for found in moments(robot):
        if found.is_positive:
            continue
        negative = found.low < -_SINGULAR * max(found.high, -found.low)
        is_rod = not negative and found.shortfall <= _IMPOSSIBLE * found.high
        is_error = negative if robot.dialect is None else found.bearing and not is_rod
        reason = (
            "as in a rod without thickness, which MuJoCo refuses"
            if is_rod
            else "no solid body has such a tensor"
        )
        message = (
            f"the smallest principal moment is {'negative' if negative else 'zero'} "
            f"({found.low:.3g} kg m², the others {found.middle:.3g} and {found.high:.3g}); {reason}"
        )
        yield Finding(
            found.link,
            message,
            tensor_place(robot, found.tensor),
            severity=None if is_error else Severity.WARNING,
        )


def inertia_triangle(robot: Robot) -> Iterator[Finding]:
    """I101: one principal moment exceeds the sum of the other two by more than rounding."""
    for found in moments(robot):
        if not found.is_positive or is_rounded(found) or found.shortfall <= _EXACT * found.high:
            continue
        harmless = not found.bearing or robot.settings.balance_inertia
        share = 100.0 * found.shortfall / found.high
        message = (
            f"the largest principal moment, {found.high:.3g} kg m², is larger than the other "
            f"two together, {found.low:.3g} + {found.middle:.3g}, by {share:.3g} %"
        )
        yield Finding(
            found.link,
            message + _slip_hint(found.tensor),
            tensor_place(robot, found.tensor),
            severity=Severity.WARNING if harmless else None,
        )


def inertia_zero(robot: Robot) -> Iterator[Finding]:
    """I102: mass without any inertia.

    An error at the end of a chain; a warning where something with inertia hangs on it, since
    that can be solved; an info for a point mass welded to a heavier part, which is fair.
    """
    if robot.settings.inertia_from_geom:
        return
    bearing = bearing_links(robot)
    for link in robot.links:
        inertial = link.inertial
        if inertial is None or inertial.inertia is None or not is_nothing(inertial):
            continue
        if inertial.mass is None or inertial.mass <= _HEAVY:
            continue
        message, severity = (
            f"has {inertial.mass:g} kg, but all entries of its tensor are zero",
            None,
        )
        if link.name not in bearing:
            message = "is a point mass, all entries of its tensor are zero; fair for a welded part"
            severity = Severity.INFO
        elif any(_has_inertia(other) for other in from_here_on(robot, (link,))):
            message = f"{message}, only what hangs on it has inertia; MuJoCo refuses it"
            severity = Severity.WARNING
        yield Finding(link, message, tensor_place(robot, inertial.inertia), severity=severity)


def _has_inertia(link: Link) -> bool:
    inertial = link.inertial
    return inertial is not None and inertial.inertia is not None and not is_nothing(inertial)


def inertia_rounded(robot: Robot) -> Iterator[Finding]:
    """I105: the triangle inequality fails by no more than rounding explains."""
    for found in moments(robot):
        if found.is_positive and found.shortfall > _EXACT * found.high and is_rounded(found):
            message = (
                f"the largest principal moment, {found.high:.6g} kg m², is larger than the other "
                f"two together by {found.shortfall:.2g}, which looks like rounding; MuJoCo "
                "refuses it"
            )
            yield Finding(found.link, message, tensor_place(robot, found.tensor))


def is_nothing(inertial: Inertial) -> bool:
    """True for a tensor of zeros, or of what subtracting equal numbers leaves."""
    tensor = inertial.inertia or ()
    return all(abs(entry) <= _NOTHING * abs(inertial.mass or 0.0) for entry in tensor)


def is_rounded(found: Moments) -> bool:
    """True when a shortfall is small, or one unit in the last digit of a diagonal tensor.

    The moments of a thin plate add up exactly; rounded, they miss by one unit of the digits.
    """
    if found.shortfall <= _IMPOSSIBLE * found.high:
        return True
    ixx, ixy, ixz, iyy, iyz, izz = found.tensor
    if any((ixy, ixz, iyz)):
        return False
    return found.shortfall <= 1.001 * last_digit((ixx, iyy, izz))


def slip_of_the_point(tensor: Inertia) -> tuple[str, int] | None:
    """The entry and the power of ten that make the tensor possible, if there is just one such."""
    repairs = [
        (name, power)
        for name in ("ixx", "iyy", "izz")
        for power in _LOST_DIGITS
        if _is_possible(tensor._replace(**{name: getattr(tensor, name) * 10.0**power}))
    ]
    return repairs[0] if len(repairs) == 1 else None


def tensor_place(robot: Robot, tensor: Inertia) -> str:
    """Where a link's tensor is written, as a `Finding.attribute`."""
    if robot.dialect != "mjcf":
        return "inertial/inertia@"
    is_diagonal = not any((tensor.ixy, tensor.ixz, tensor.iyz))
    return "inertial@diaginertia" if is_diagonal else "inertial@fullinertia"


def _slip_hint(tensor: Inertia) -> str:
    slip = slip_of_the_point(tensor)
    if slip is None:
        return ""
    name, power = slip
    value = getattr(tensor, name)
    return f"; {name} {value:g} would fit as {value * 10.0**power:.6g}: is a decimal point lost?"


def _is_possible(tensor: Inertia) -> bool:
    low, middle, high = symmetric_eigenvalues(*tensor)
    return low > _SINGULAR * high and high <= (low + middle) * (1.0 + _EXACT)


def last_digit(values: tuple[float, ...]) -> float:
    """One unit in the last decimal place that any of the values is written with."""
    from decimal import Decimal

    exponents = [Decimal(repr(value)).as_tuple().exponent for value in values if value]
    return 10.0 ** min(int(exponent) for exponent in exponents)


CHECKS = ((codes.INERTIA_NOT_POSITIVE, inertia_not_positive),)
