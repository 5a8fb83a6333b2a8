"""Frozen dataclasses to JSON values and back, exactly.

A dataclass becomes an object without the fields that equal their default or take no part in
comparison; a shape carries its class name under "type", since a geom may hold any; enums become
their value, tuples lists; numbers that JSON lacks become "NaN", "Infinity" and "-Infinity".
"""

from __future__ import annotations

import enum
import math
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.geometry.shapes import Shape

_T = TypeVar("_T")
_SHAPES: dict[str, type] = {shape.__name__: shape for shape in typing.get_args(Shape)}
_LONGEST = 60  # characters of a value in a message
_NOT_JSON = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class CodecError(PhyzctlError):
    """A JSON document that is not of the expected form.

    `path` is the JSON path of what is wrong, `reason` says how; the message is both.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def encode(value: Any) -> Any:
    """The JSON value of a dataclass, enum, tuple, number, string, or None."""
    if is_dataclass(value) and not isinstance(value, type):
        return _encode_object(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _encode_object(value: Any) -> dict[str, Any]:
    kind = type(value)
    document = {"type": kind.__name__} if kind.__name__ in _SHAPES else {}
    for item in fields(value):
        content = getattr(value, item.name)
        if item.compare and not _is_default(item, content):
            document[item.name] = encode(content)
    return document


def _is_default(item: Field[Any], content: Any) -> bool:
    if item.default is not MISSING:
        return bool(content == item.default)
    return item.default_factory is not MISSING and bool(content == item.default_factory())


def decode(kind: type[_T], document: Any, path: str = "$") -> _T:
    """The object of type `kind` that a JSON value stands for; `CodecError` when it is another."""
    value: _T = _decode(kind, document, path)
    return value


def _decode(kind: Any, value: Any, path: str) -> Any:
    origin = typing.get_origin(kind)
    if origin is types.UnionType or origin is typing.Union:
        return _decode_union(typing.get_args(kind), value, path)
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), value, path)
    if isinstance(kind, type) and issubclass(kind, tuple):
        hints = tuple(_hints(kind).values())
        return kind(*_decode_tuple(hints, value, path))
    if is_dataclass(kind):
        return _decode_object(kind, value, path)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _decode_enum(kind, value, path)
    return _decode_scalar(kind, value, path)


def _decode_union(kinds: Sequence[Any], value: Any, path: str) -> Any:
    if value is None and types.NoneType in kinds:
        return None
    named = value.get("type") if isinstance(value, Mapping) else None
    if named in _SHAPES and _SHAPES[named] in kinds:
        return _decode(_SHAPES[named], value, path)
    rest = [kind for kind in kinds if kind is not types.NoneType]
    if len(rest) != 1:
        raise CodecError(path, f"the type {_shown(named)} is not one of {', '.join(_SHAPES)}")
    return _decode(rest[0], value, path)


def _decode_tuple(kinds: Sequence[Any], value: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise CodecError(path, f"expected a list, found {type(value).__name__}")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = [kinds[0]] * len(value)
    if len(kinds) != len(value):
        raise CodecError(path, f"expected {len(kinds)} items, found {len(value)}")
    pairs = enumerate(zip(kinds, value, strict=True))
    return tuple(_decode(kind, item, f"{path}[{index}]") for index, (kind, item) in pairs)


def _decode_object(kind: Any, value: Any, path: str) -> Any:
    if not isinstance(value, Mapping):
        raise CodecError(path, f"expected an object, found {type(value).__name__}")
    hints = _hints(kind)
    stored = {item.name: item for item in fields(kind) if item.compare}
    known = value.keys() - ({"type"} if kind.__name__ in _SHAPES else set())
    for key in sorted(known - stored.keys()):
        raise CodecError(path, f"unknown key {_shown(key)}{did_you_mean(key, stored)}")
    for name, item in stored.items():
        required = item.default is MISSING and item.default_factory is MISSING
        if required and name not in value:
            raise CodecError(path, f"the key {name!r} is missing")
    content = {key: _decode(hints[key], value[key], f"{path}.{key}") for key in sorted(known)}
    source = getattr(value, "source", None)  # a reader's objects know where they stand
    if source is not None and "source" in hints:
        content["source"] = source
    return kind(**content)


def _decode_enum(kind: type[enum.Enum], value: Any, path: str) -> enum.Enum:
    for member in kind:
        if member.value == value:
            return member
    choices = ", ".join(str(member.value) for member in kind)
    raise CodecError(path, f"{_shown(value)} is not one of {choices}")


def _decode_scalar(kind: Any, value: Any, path: str) -> Any:
    if kind is float:
        if isinstance(value, str) and value in _NOT_JSON:
            return _NOT_JSON[value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    elif kind is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    elif kind in (str, bool) and isinstance(value, kind):
        return value
    raise CodecError(path, f"expected {kind.__name__}, found {_shown(value)}")


def _shown(value: Any) -> str:
    """Files can hold megabytes where a word belongs."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)
