"""`phyzctl.records.dataclass` against the standard library's: the same classes, made by both."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from phyzctl import records
from phyzctl.geometry.shapes import Sphere
from phyzctl.robot.elements import Geom, GeomRole

Decorator = Callable[..., Any]


def plain(dataclass: Decorator) -> type:
    @dataclass
    class Plain:
        a: int
        b: float = 0.5

    return Plain


def frozen(dataclass: Decorator) -> type:
    @dataclass(frozen=True)
    class Frozen:
        a: int
        b: tuple[int, ...] = ()

        def double(self) -> int:
            return 2 * self.a

    return Frozen


def empty(dataclass: Decorator) -> type:
    @dataclass(frozen=True)
    class Empty:
        pass

    return Empty


def single(dataclass: Decorator) -> type:
    @dataclass(frozen=True)
    class Single:
        a: int

    return Single


def known_by_itself(dataclass: Decorator) -> type:
    @dataclass(frozen=True, eq=False)
    class Known:
        a: int = 1

    return Known


def _one() -> dict[str, int]:
    return {"one": 1}


def with_factories(dataclass: Decorator) -> type:
    @dataclass
    class WithFactories:
        a: list[int] = field(default_factory=list)
        b: dict[str, int] = field(default_factory=_one)
        c: list[int] = field(default_factory=list, init=False)

    return WithFactories


def with_hidden_fields(dataclass: Decorator) -> type:
    @dataclass(frozen=True)
    class WithHiddenFields:
        a: int
        b: int = field(default=0, compare=False)
        c: int = field(default=0, repr=False)
        d: int | None = field(default=None, init=False)

    return WithHiddenFields


def derived(dataclass: Decorator) -> type:
    @dataclass(frozen=True, kw_only=True)
    class Base:
        source: str | None = field(default=None, compare=False)
        a: int = 3

    @dataclass(frozen=True)
    class Derived(Base):
        b: int
        c: str = "c"

    return Derived


def checked(dataclass: Decorator) -> type:
    @dataclass
    class Checked:
        a: int
        twice: int = field(init=False)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("a is negative")
            self.twice = 2 * self.a

    return Checked


def with_methods_of_its_own(dataclass: Decorator) -> type:
    @dataclass(frozen=True)
    class Own:
        a: int

        def __repr__(self) -> str:
            return f"my {self.a}"

    return Own


CLASSES = [
    plain,
    frozen,
    empty,
    single,
    known_by_itself,
    with_factories,
    with_hidden_fields,
    derived,
    checked,
    with_methods_of_its_own,
]
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((1,), {}),
    ((2,), {}),
    ((1, 2), {}),
    ((1, 2, "d"), {}),
    ((1, 2, 3, 4), {}),
    ((-1,), {}),
    (([],), {}),
    (([1],), {}),
    ((), {"a": 1}),
    ((), {"a": 1, "b": 7}),
    ((), {"b": 7, "source": "here"}),
    ((), {"b": 7, "source": "there", "a": 5}),
    ((1,), {"b": 5}),
    ((1,), {"c": 5}),
    ((1,), {"d": 5}),
    ((1,), {"a": 1}),
    ((1,), {"unknown": 1}),
]


def outcome(call: Callable[..., Any], *positional: Any, **named: Any) -> Any:
    """What a call gives or, by its kind, raises."""
    try:
        return call(*positional, **named)
    except (TypeError, ValueError, FrozenInstanceError) as error:
        return type(error)


@pytest.fixture(params=CLASSES, ids=lambda make: make.__name__)
def pair(request: pytest.FixtureRequest) -> tuple[type, type]:
    """One class by ours, the same by the standard library's."""
    return request.param(records.dataclass), request.param(dataclasses.dataclass)


def instances(kind: type) -> list[Any]:
    made = [outcome(kind, *positional, **named) for positional, named in CALLS]
    return [each for each in made if not isinstance(each, type)]


def test_the_same_calls_give_instances_or_errors(pair: tuple[type, type]) -> None:
    for positional, named in CALLS:
        mine, theirs = (repr(outcome(kind, *positional, **named)) for kind in pair)
        assert mine == theirs


def test_constructors_have_the_same_parameters(pair: tuple[type, type]) -> None:
    mine, theirs = (inspect.signature(kind).parameters.values() for kind in pair)
    assert [(each.name, each.kind, repr(each.default)) for each in mine] == [
        (each.name, each.kind, repr(each.default)) for each in theirs
    ]


def test_fields_and_patterns_are_the_same(pair: tuple[Any, Any]) -> None:
    mine, theirs = ([repr(each) for each in dataclasses.fields(kind)] for kind in pair)
    assert mine == theirs
    assert pair[0].__match_args__ == pair[1].__match_args__


def test_instances_compare_and_hash_alike(pair: tuple[type, type]) -> None:
    mine, theirs = (instances(kind) for kind in pair)
    assert len(mine) == len(theirs) > 0
    for a, b in itertools.product(range(len(mine)), repeat=2):
        assert (mine[a] == mine[b]) == (theirs[a] == theirs[b])
        if mine[a] == mine[b]:
            assert outcome(hash, mine[a]) == outcome(hash, mine[b])
    for a, b in zip(mine, theirs, strict=True):
        assert a != b
        assert a.__eq__(b) is NotImplemented
        assert (outcome(hash, a) is TypeError) == (outcome(hash, b) is TypeError)


def test_equal_values_of_another_class_are_not_equal() -> None:
    assert single(records.dataclass)(1) != single(records.dataclass)(1)


@pytest.mark.parametrize("change", [lambda each, name: setattr(each, name, 1), delattr])
def test_assigning_and_deleting_as_there(
    pair: tuple[type, type], change: Callable[[Any, str], None]
) -> None:
    for mine, theirs in zip(*(instances(kind) for kind in pair), strict=True):
        for name in ("a", "b", "c", "nonsense"):
            assert complaint(change, mine, name) == complaint(change, theirs, name)
        assert list(vars(mine).items()) == list(vars(theirs).items())


def complaint(change: Callable[[Any, str], None], instance: Any, name: str) -> object:
    try:
        change(instance, name)
    except FrozenInstanceError as error:
        return str(error)
    except AttributeError as error:
        return type(error)
    return None


def test_helpers_of_the_standard_library_know_them(pair: tuple[type, type]) -> None:
    for mine, theirs in zip(*(instances(kind) for kind in pair), strict=True):
        assert dataclasses.is_dataclass(type(mine))
        assert repr(dataclasses.asdict(mine)) == repr(dataclasses.asdict(theirs))
        changed, others = (outcome(dataclasses.replace, each, a=9) for each in (mine, theirs))
        assert repr(changed) == repr(others)


def test_factories_make_a_value_for_each_instance() -> None:
    kind = with_factories(records.dataclass)
    assert kind().a is not kind().a
    assert kind().c is not kind().c


def test_nothing_is_compiled_before_the_first_instance() -> None:
    kind = plain(records.dataclass)
    assert not inspect.isfunction(vars(kind)["__init__"])
    kind(1)
    assert inspect.isfunction(vars(kind)["__init__"])


def test_a_derived_class_finds_the_constructor_of_its_base() -> None:
    class Child(single(records.dataclass)):  # type: ignore[misc]
        pass

    assert Child(1).a == 1
    assert repr(Child(1)).endswith("Child(a=1)")
    assert Child(1) == Child(1)


def test_instances_that_hold_themselves_are_shown() -> None:
    holder = with_factories(records.dataclass)()
    holder.a.append(holder)
    assert repr(holder).endswith("WithFactories(a=[...], b={'one': 1}, c=[])")


def test_elements_survive_pickling_and_patterns() -> None:
    geom = Geom(Sphere(0.1), name="ball", role=GeomRole.BOTH)
    assert pickle.loads(pickle.dumps(geom)) == geom
    match geom:
        case Geom(name=name):
            assert name == "ball"


def test_a_default_that_could_change_is_refused() -> None:
    with pytest.raises(ValueError, match="mutable default"):

        @records.dataclass
        class _Faulty:
            a: list[int] = []  # noqa: RUF012
