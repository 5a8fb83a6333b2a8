"""Equality constraints, by index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from phyzctl.model.constraint import Equality
from phyzctl.model.passes.names import Names
from phyzctl.robot import mechanism
from phyzctl.robot.mechanism import EqualityKind


def compile_equalities(
    equalities: Iterable[mechanism.Equality], names: Names
) -> tuple[Equality, ...]:
    """Every equality whose ends exist, in order. Those of flexes are left to the reader's Issue."""
    return tuple(_equalities(equalities, names))


def _equalities(equalities: Iterable[mechanism.Equality], names: Names) -> Iterator[Equality]:
    for written in equalities:
        if written.kind is EqualityKind.FLEX:
            continue
        by_objects = written.kind in (EqualityKind.CONNECT, EqualityKind.WELD)
        objects = written.objects if by_objects else written.kind.value
        first = names.find(objects, written.first, written)
        second = _second(written, objects, names)
        if first is not None and (second is not None or written.second is None):
            yield Equality(written.name, written.kind, objects, first, second, written)


def _second(written: mechanism.Equality, objects: str, names: Names) -> int | None:
    if written.second is not None:
        return names.find(objects, written.second, written)
    return -1 if objects == "body" else None
