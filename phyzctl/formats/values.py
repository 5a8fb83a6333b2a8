"""Typed values of XML attributes. What can't be read is None and an Issue, never a default.

Every getter returns None for an attribute that isn't written; with `required=True` that is
an X006 too (leave it False where a grammar check reports what is missing).
Numbers are C-locale decimals: `.5`, `1.`, `+1`, `1e-3`, padded as one likes; no hexadecimal,
no underscores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from phyzctl import codes
from phyzctl.errors import nearest
from phyzctl.formats.xmlnode import Node
from phyzctl.issues import Code, Fix, Issues

Count = int | tuple[int, int] | None

_MACRO = re.compile(r"\$\{|\$\(")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]+),([0-9]+(?:[eE][+-]?[0-9]+)?)")
_NOT_FINITE = re.compile(r"[+-]?(?:nan(?:\([^)]*\))?|inf|infinity)", re.IGNORECASE)
_SHOWN = 40
_TRUE, _FALSE = ("true", "1"), ("false", "0")


def number(
    node: Node, name: str, issues: Issues, *, required: bool = False, allow_inf: bool = False
) -> float | None:
    """One finite number, or with `allow_inf` an infinite one."""
    found = numbers(node, name, issues, count=1, required=required, allow_inf=allow_inf)
    return found[0] if found else None


def numbers(
    node: Node,
    name: str,
    issues: Issues,
    *,
    count: Count = None,
    required: bool = False,
    allow_inf: bool = False,
) -> tuple[float, ...] | None:
    """Numbers between blanks: exactly `count`, (fewest, most), or any number of them."""
    text = node.attributes.get(name)
    if text is None:
        _missing(node, name, issues, required=required)
        return None
    if text.isascii() and "_" not in text:
        try:
            found = tuple(map(float, text.split()))
        except ValueError:
            found = None
        if found is not None and _fits(len(found), count) and all(map(math.isfinite, found)):
            return found
        if found is not None and allow_inf and _fits(len(found), count):
            if not any(map(math.isnan, found)) and not _overflows(text):
                return found
    _report_numbers(node, name, issues, count)
    return None


def integer(node: Node, name: str, issues: Issues, *, required: bool = False) -> int | None:
    """One whole number; `2.0` is accepted, `2.5` is not."""
    value = number(node, name, issues, required=required)
    if value is None:
        return None
    if not value.is_integer():
        message = f"{name}={_shown(node.attributes[name])} is not a whole number"
        _add(codes.NUMBER_UNREADABLE, node, name, issues, message)
        return None
    return int(value)


def integers(
    node: Node, name: str, issues: Issues, *, count: Count = None, required: bool = False
) -> tuple[int, ...] | None:
    """Whole numbers between blanks; see `numbers`."""
    found = numbers(node, name, issues, count=count, required=required)
    if found is None:
        return None
    if not all(value.is_integer() for value in found):
        message = f"{name}={_shown(node.attributes[name])} holds a number that is not whole"
        _add(codes.NUMBER_UNREADABLE, node, name, issues, message)
        return None
    return tuple(int(value) for value in found)


def boolean(node: Node, name: str, issues: Issues, *, required: bool = False) -> bool | None:
    """`true`, `false`, `1` or `0`."""
    word = keyword(node, name, issues, (*_TRUE, *_FALSE), required=required)
    return None if word is None else word in _TRUE


def keyword(
    node: Node, name: str, issues: Issues, allowed: Sequence[str], *, required: bool = False
) -> str | None:
    """One of the allowed words; X008 with the nearest one when it is another."""
    text = string(node, name, issues, required=required)
    if text is None:
        return None
    word = text.strip()
    if word in allowed:
        return word
    near = _nearest_word(word, allowed)
    choices = ", ".join(allowed)
    message = f"{name}={_shown(text)} is unknown; it can be {choices}"
    fix = None
    if near is not None:
        message = f"{name}={_shown(text)} is unknown; did you mean {near!r}? It can be {choices}"
        fix = _replacement(node, name, near)
    _add(codes.KEYWORD_UNKNOWN, node, name, issues, message, fix)
    return None


def string(node: Node, name: str, issues: Issues, *, required: bool = False) -> str | None:
    """The text as it stands; X013 and None when a macro was left in it."""
    text = node.attributes.get(name)
    if text is None:
        _missing(node, name, issues, required=required)
        return None
    return None if _macro(node, name, text, issues) else text


def _fits(found: int, count: Count) -> bool:
    if count is None:
        return True
    fewest, most = (count, count) if isinstance(count, int) else count
    return fewest <= found <= most


def _overflows(text: str) -> bool:
    """True when a finite numeral is too large for a double (`1e999`)."""
    return any(_NUMBER.fullmatch(part) and math.isinf(float(part)) for part in text.split())


def _missing(node: Node, name: str, issues: Issues, *, required: bool) -> None:
    if required:
        message = f"<{node.tag}> lacks the attribute {name!r}"
        issues.add(codes.REQUIRED_MISSING, message, source=node.source, subject=node.subject)


def _macro(node: Node, name: str, text: str, issues: Issues) -> bool:
    if "$" not in text or not _MACRO.search(text):
        return False
    message = f"{name}={_shown(text)} holds a macro that was not expanded; run xacro first"
    _add(codes.MACRO_UNEXPANDED, node, name, issues, message)
    return True


def _report_numbers(node: Node, name: str, issues: Issues, count: Count) -> None:
    """The one Issue that says why the numbers of an attribute can't be read."""
    text = node.attributes[name]
    if _macro(node, name, text, issues):
        return
    if "," in text and _report_commas(node, name, issues, count):
        return
    parts = text.split()
    for part in parts:
        if _NUMBER.fullmatch(part) and math.isfinite(float(part)):
            continue
        if _NOT_FINITE.fullmatch(part) or _NUMBER.fullmatch(part):
            message = f"{name}={_shown(text)} is not finite"
            _add(codes.NUMBER_NOT_FINITE, node, name, issues, message)
        else:
            inside = f" in {name}={_shown(text)}" if len(parts) > 1 else f" ({name})"
            message = f"{_shown(part)} is not a number{inside}"
            _add(codes.NUMBER_UNREADABLE, node, name, issues, message)
        return
    found = "nothing" if not parts else _plural(len(parts))
    message = f"{name}={_shown(text)} holds {found}, expected {_expected(count)}"
    _add(codes.NUMBER_UNREADABLE, node, name, issues, message)


def _report_commas(node: Node, name: str, issues: Issues, count: Count) -> bool:
    """Decimal commas, commas between numbers, trailing commas; False when it is none of these."""
    text = node.attributes[name]
    parts = text.split()
    apart = re.split(r"\s*,\s*|\s+", text.strip().rstrip(",").rstrip())
    if _fits(len(parts), count) and all(map(_number_or_comma, parts)):
        pointed = _DECIMAL_COMMA.sub(r"\1.\2", " ".join(parts))
        message = f"{name}={_shown(text)} has a decimal comma; write a point"
        _add(codes.DECIMAL_COMMA, node, name, issues, message, _replacement(node, name, pointed))
        return True
    if _fits(len(apart), count) and all(map(_NUMBER.fullmatch, apart)):
        message = f"{name}={_shown(text)} has commas; numbers are separated by blanks only"
        spaced = " ".join(apart)
        _add(codes.NUMBER_UNREADABLE, node, name, issues, message, _replacement(node, name, spaced))
        return True
    return False


def _number_or_comma(part: str) -> bool:
    return bool(_NUMBER.fullmatch(part) or _DECIMAL_COMMA.fullmatch(part))


def _nearest_word(word: str, allowed: Sequence[str]) -> str | None:
    lowered = {known.lower(): known for known in allowed}
    match = nearest(word.lower(), lowered)
    return lowered[match] if match is not None else None


def _expected(count: Count) -> str:
    if count is None:
        return "numbers"
    if isinstance(count, int):
        return "one number" if count == 1 else f"{count}"
    return f"{count[0]} to {count[1]} numbers"


def _plural(count: int) -> str:
    return f"{count} number{'s' * (count != 1)}"


def _shown(text: str) -> str:
    short = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return f'"{short}"'


def _replacement(node: Node, name: str, text: str) -> Fix | None:
    span = node.attribute_span(name)
    if span is None:
        return None
    return node.document.fix(f"write {name}={_shown(text)}", (*span, text))


def _add(
    code: Code, node: Node, name: str, issues: Issues, message: str, fix: Fix | None = None
) -> None:
    issues.add(code, message, source=node.attribute_source(name), subject=node.subject, fix=fix)
