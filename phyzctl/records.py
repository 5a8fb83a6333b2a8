"""`dataclass` as in the standard library, but quick to make: for classes that every start makes.

The standard library writes up to six methods for each class and compiles them: half a millisecond
a class, for the 150 classes of a run a quarter of its time. Here a constructor is compiled when
it is first called, and all classes share the other methods. Whoever asks sees a dataclass:
`fields`, `replace`, `asdict`, `match`, type checkers. There is no `slots` and no `order`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import MethodType
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]


def _dataclass(
    cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, kw_only: bool = False
) -> Any:
    """What `dataclass` is; the options mean what they mean there."""
    if cls is None:
        return lambda decorated: _dataclass(decorated, frozen=frozen, eq=eq, kw_only=kw_only)
    cls.__doc__ = cls.__doc__ or cls.__name__  # else it would be made of the signature, in 3 ms
    dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    methods: dict[str, object] = {"__init__": _Constructor(cls), "__repr__": _repr}
    if eq:
        methods |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if frozen:
        methods |= {"__setattr__": _setattr, "__delattr__": _delattr}
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    return cls


class _Constructor:
    """Stands in a class for its `__init__`, which takes its place when asked for."""

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __get__(self, instance: object, _: type) -> Callable[..., None]:
        made = _init_of(self._cls)
        type.__setattr__(self._cls, "__init__", made)
        return made if instance is None else MethodType(made, instance)


class _Unmade:
    """The default, in a signature, of what a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


_UNMADE = _Unmade()


def _init_of(cls: Any) -> Callable[..., None]:
    """The function `__init__(self, a, b=…, *, c=…)` that sets the fields of a class.

    It sets all of them by one call, which is compiled, and made, sooner than one for each.
    """
    scope: dict[str, Any] = {"_unmade": _UNMADE}
    positional, named, values = ["self"], list[str](), list[str]()
    for field in dataclasses.fields(cls):
        parameter, value = _parameter(field, scope)
        if field.init:
            (named if field.kw_only else positional).append(parameter)
        if value:
            values.append(f"{field.name}={value}")
    body = [f"self.__dict__.update({', '.join(values)})"]
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = [*positional, "*", *named] if named else positional
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _parameter(field: Field[Any], scope: dict[str, Any]) -> tuple[str, str]:
    """What stands for a field in the list of parameters, and its value in the body.

    Defaults and factories are put into `scope`. The value is empty where the class has it.
    """
    name = field.name
    if field.default_factory is not MISSING:
        scope[f"_make_{name}"] = field.default_factory
        made = f"_make_{name}()"
        return f"{name}=_unmade", f"{made} if {name} is _unmade else {name}" if field.init else made
    if field.default is not MISSING:
        scope[f"_default_{name}"] = field.default
        return f"{name}=_default_{name}", name if field.init else ""
    return name, name if field.init else ""


@cache
def _compared(cls: Any) -> Callable[[object], object]:
    """What is compared of an instance."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else lambda _: ()


def _eq(self: Any, other: object) -> object:
    values = _compared(self.__class__)
    if other.__class__ is not self.__class__:
        return NotImplemented
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(_compared(self.__class__)(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [field.name for field in dataclasses.fields(self) if field.repr]
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{self.__class__.__qualname__}({values})"


def _setattr(_: object, name: str, __: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
