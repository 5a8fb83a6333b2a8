"""Fixes of tensors: the numbers as written, changed in no more digits than the fix is about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal, InvalidOperation

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Fix
from phyzctl.lint.context import Context
from phyzctl.lint.edits import set_attribute
from phyzctl.robot.checks.inertia import slip_of_the_point
from phyzctl.robot.elements import Inertia, Link
from phyzctl.tensor import symmetric_eigenvalues

_DIAGONAL = ("ixx", "iyy", "izz")
# In which order MJCF's two attributes write the entries.
_LISTS = {"diaginertia": _DIAGONAL, "fullinertia": (*_DIAGONAL, "ixy", "ixz", "iyz")}
_TRIES = 4  # units of the last digit, until the moments fit


def slip_fix(context: Context, link: Link) -> Fix | None:
    """Put back the decimal point that an impossible tensor lost; None when that isn't clear."""
    tensor = link.inertial.inertia if link.inertial else None
    slip = slip_of_the_point(tensor) if tensor is not None else None
    written = _entries(context, link)
    if slip is None or not written:
        return None
    name, power = slip
    text = _plain(written[name].scaleb(power))
    return _rewritten(context, link, {name: text}, f"write {name} as {text}", safe=False)


def rounding_fix(context: Context, link: Link) -> Fix | None:
    """Raise moments in their last digit until the triangle inequality holds."""
    written = _entries(context, link)
    if not written:
        return None
    unit = Decimal(1).scaleb(min(int(value.as_tuple().exponent) for value in written.values()))
    is_diagonal = not any(written[name] for name in ("ixy", "ixz", "iyz"))
    largest = max(_DIAGONAL, key=lambda name: written[name])
    raised = [name for name in _DIAGONAL if name != largest or not is_diagonal]
    share = 2 if is_diagonal else 1
    amount = (_shortfall(written) / share).quantize(unit, ROUND_CEILING)
    for _ in range(_TRIES):
        changed = written | {name: written[name] + amount for name in raised}
        if _shortfall(changed) <= 0:
            new = {name: _plain(changed[name]) for name in raised}
            return _rewritten(
                context, link, new, "raise the moments in their last digit", safe=True
            )
        amount += unit
    return None


def scale_fix(context: Context, link: Link, factor: float) -> Fix | None:
    """Multiply the tensor by a power of ten."""
    written = _entries(context, link)
    if not written:
        return None
    power = round(math.log10(factor))
    new = {name: _plain(value.scaleb(power)) for name, value in written.items() if value}
    description = f"multiply the tensor by 1e{power}"
    return _rewritten(context, link, new, description, safe=False)


def _entries(context: Context, link: Link) -> dict[str, Decimal]:
    """The six entries as written; empty where they are not written in this file, or not so."""
    try:
        return {name: Decimal(text) for name, text in _texts(_owner(context, link)).items()}
    except InvalidOperation:
        return {}


def _owner(context: Context, link: Link) -> Node | None:
    """The XML element whose attributes hold the tensor."""
    inertial = context.node(link.inertial) if link.inertial else None
    return inertial.find("inertia") if inertial and context.dialect == "urdf" else inertial


def _texts(node: Node | None) -> dict[str, str]:
    if node is None:
        return {}
    for attribute, names in _LISTS.items():
        words = (node.get(attribute) or "").split()
        if len(words) == len(names):
            return dict.fromkeys(_LISTS["fullinertia"], "0") | dict(zip(names, words, strict=True))
    names = _LISTS["fullinertia"]
    return {name: node.attributes[name] for name in names if name in node.attributes}


def _rewritten(
    context: Context, link: Link, new: Mapping[str, str], description: str, *, safe: bool
) -> Fix | None:
    node = _owner(context, link)
    if node is None:
        return None
    for attribute, names in _LISTS.items():
        words = (node.get(attribute) or "").split()
        if len(words) == len(names):
            text = " ".join(new.get(name, word) for name, word in zip(names, words, strict=True))
            edit = set_attribute(node, attribute, text)
            return node.document.fix(description, edit, safe=safe)
    edits = [set_attribute(node, name, text) for name, text in new.items()]
    return node.document.fix(description, *edits, safe=safe)


def _shortfall(entries: Mapping[str, Decimal]) -> Decimal:
    """By how much the largest principal moment exceeds the other two, 0 for not at all."""
    order = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    tensor = Inertia(*(float(entries[name]) for name in order))
    low, middle, high = symmetric_eigenvalues(*tensor)
    shortfall = high - middle - low
    return Decimal(shortfall) if shortfall > 1e-12 * high else Decimal(0)


def _plain(value: Decimal) -> str:
    """Without needless zeros, and with an exponent only for what begins with many."""
    fixed, short = f"{value.normalize():f}", str(value.normalize())
    return short.lower() if abs(value) < 1 and len(short) < len(fixed) else fixed
