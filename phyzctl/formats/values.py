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
from phyzctl.issues import Code, Issues
from phyzctl.records import dataclass

Count = int | tuple[int, int] | None

_MACRO = re.compile(r"\$\{|\$\(")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]+),([0-9]+(?:[eE][+-]?[0-9]+)?)")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_NAN = re.compile(r"[+-]?nan(?:\([^)]*\))?", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*,\s*|\s+")
_SHOWN = 40
_LONGEST = 16 << 20  # characters of a list of numbers
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
    if len(text) > _LONGEST:
        message = f"has more than {_LONGEST >> 20} MiB of text, which are not read"
        place = _Value(node, name, text, issues)
        place.report(codes.NUMBER_UNREADABLE, f"{place} {message}")
        return None
    found = _parsed(text, count, allow_inf=allow_inf)
    if found is None:
        _report_numbers(_Value(node, name, text, issues), count, allow_inf=allow_inf)
    return found


def content_number(node: Node, issues: Issues) -> float | None:
    """The number that an element holds as its text (`<mechanicalReduction>50</…>`)."""
    found = _parsed(node.text, 1, allow_inf=False)
    if found is None:
        _report_numbers(_Value(node, None, node.text, issues), 1, allow_inf=False)
    return found[0] if found else None


def integer(node: Node, name: str, issues: Issues, *, required: bool = False) -> int | None:
    """One whole number; `2.0` is accepted, `2.5` is not."""
    found = integers(node, name, issues, count=1, required=required)
    return found[0] if found else None


def integers(
    node: Node, name: str, issues: Issues, *, count: Count = None, required: bool = False
) -> tuple[int, ...] | None:
    """Whole numbers between blanks; see `numbers`."""
    found = numbers(node, name, issues, count=count, required=required)
    if found is None:
        return None
    for value in found:
        if not value.is_integer():
            place = _Value(node, name, node.attributes[name], issues)
            message = (
                f"{place} is not whole: {value:g}" if len(found) > 1 else f"{place} isn't whole"
            )
            place.report(codes.NUMBER_UNREADABLE, message)
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
    place = _Value(node, name, text, issues)
    near = _nearest_word(word, allowed)
    hint = f"; did you mean {near!r}? It" if near is not None else "; it"
    message = f"{place} is unknown{hint} can be {', '.join(allowed)}"
    place.report(codes.KEYWORD_UNKNOWN, message, near)
    return None


def string(node: Node, name: str, issues: Issues, *, required: bool = False) -> str | None:
    """The text as it stands; X013 and None when a macro was left in it."""
    text = node.attributes.get(name)
    if text is None:
        _missing(node, name, issues, required=required)
        return None
    return None if _is_macro(_Value(node, name, text, issues)) else text


@dataclass
class _Value:
    """One attribute's value, or with name None an element's text, and where to report it."""

    node: Node
    name: str | None
    text: str
    issues: Issues

    def __str__(self) -> str:
        short = self.text if len(self.text) <= _SHOWN else self.text[: _SHOWN - 1] + "…"
        return f'{self.name}="{short}"' if self.name else f"<{self.node.tag}>{short}</…>"

    def report(self, code: Code, message: str, replacement: str | None = None) -> None:
        """An Issue at the value; `replacement` is offered as an unsafe fix."""
        node, fix = self.node, None
        span = node.attribute_span(self.name) if self.name else None
        if replacement is not None and span is not None:
            description = f'write {self.name}="{replacement}"'
            fix = node.document.fix(description, (*span, replacement))
        source = node.attribute_source(self.name) if self.name else node.text_source()
        self.issues.add(code, message, source=source, subject=node.subject, fix=fix)


def _missing(node: Node, name: str, issues: Issues, *, required: bool) -> None:
    if required:
        message = f"<{node.tag}> lacks the attribute {name!r}"
        issues.add(codes.REQUIRED_MISSING, message, source=node.source, subject=node.subject)


def _parsed(text: str, count: Count, *, allow_inf: bool) -> tuple[float, ...] | None:
    """The numbers, None when any of them or their count is not as it should be."""
    if not text.isascii() or "_" in text:  # Python's float() takes both
        return None
    try:
        found = tuple(map(float, text.split()))
    except ValueError:
        return None
    if not _fits(len(found), count):
        return None
    if all(map(math.isfinite, found)):
        return found
    infinite = allow_inf and not any(map(math.isnan, found)) and not _overflows(text)
    return found if infinite else None


def _fits(found: int, count: Count) -> bool:
    if count is None:
        return True
    fewest, most = (count, count) if isinstance(count, int) else count
    return fewest <= found <= most


def _overflows(text: str) -> bool:
    """True when a finite numeral is too large for a double (`1e999`)."""
    return any(_NUMBER.fullmatch(part) and math.isinf(float(part)) for part in text.split())


def has_macro(text: str) -> bool:
    """True when a macro of xacro was left in the text."""
    return "$" in text and _MACRO.search(text) is not None


def _is_macro(place: _Value) -> bool:
    if not has_macro(place.text):
        return False
    message = f"{place} holds a macro that was not expanded; run xacro first"
    place.report(codes.MACRO_UNEXPANDED, message)
    return True


def _report_numbers(place: _Value, count: Count, *, allow_inf: bool) -> None:
    """The one Issue that says why the numbers can't be read."""
    if _is_macro(place) or ("," in place.text and _report_commas(place, count)):
        return
    parts = place.text.split()
    for part in parts:
        if _NUMBER.fullmatch(part) and math.isfinite(float(part)):
            continue
        if allow_inf and _INFINITE.fullmatch(part):
            continue
        which = f"{place}: {part[:_SHOWN]!r}" if len(parts) > 1 else f"{place}"
        if any(kind.fullmatch(part) for kind in (_INFINITE, _NAN, _NUMBER)):
            place.report(codes.NUMBER_NOT_FINITE, f"{which} is not a finite number")
        else:
            place.report(codes.NUMBER_UNREADABLE, f"{which} is not a number")
        return
    message = f"{place} holds {_plural(len(parts))}, expected {_expected(count)}"
    place.report(codes.NUMBER_UNREADABLE, message)


def _report_commas(place: _Value, count: Count) -> bool:
    """Decimal commas, commas between numbers, trailing commas; False when it is none of these."""
    parts = place.text.split()
    if _fits(len(parts), count) and all(map(_number_or_comma, parts)):
        pointed = " ".join(_DECIMAL_COMMA.sub(r"\1.\2", part) for part in parts)
        message = f"{place} has a decimal comma; write a point"
        place.report(codes.DECIMAL_COMMA, message, pointed)
        return True
    apart = _SEPARATOR.split(place.text.strip().rstrip(",").rstrip())
    if _fits(len(apart), count) and all(map(_NUMBER.fullmatch, apart)):
        message = f"{place} has commas; numbers are separated by blanks only"
        if len(apart) == 1:
            message = f"{place} has a comma behind the number"
        place.report(codes.NUMBER_UNREADABLE, message, " ".join(apart))
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
        return _plural(count)
    return f"{count[0]} to {_plural(count[1])}"


def _plural(count: int) -> str:
    return f"{count or 'no'} number{'s' * (count != 1)}"
