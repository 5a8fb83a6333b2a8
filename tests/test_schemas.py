"""The JSON Schemas: sound, in step with the code, and true of every document written."""

from __future__ import annotations

import enum
import json
import types
import typing
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import phyzctl
from phyzctl import Issues, LoadError, Robot
from phyzctl.cli import catalogue, summary, tree
from phyzctl.config import Config, read_config
from phyzctl.geometry.shapes import Shape
from phyzctl.lint.engine import rules
from phyzctl.report import json as report_json
from phyzctl.report.report import Report
from tests.corpus import ROOT, SAMPLES
from tests.report import cases

NAMES = sorted(path.name.removesuffix(".schema.json") for path in (ROOT / "schemas").iterdir())
URDFS = sorted(SAMPLES.rglob("*.urdf"))
SHAPES = typing.get_args(Shape)


@cache
def schema(name: str) -> dict[str, Any]:
    document = json.loads((ROOT / f"schemas/{name}.schema.json").read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def check(name: str, document: Any) -> None:
    jsonschema.Draft202012Validator(schema(name)).validate(json.loads(json.dumps(document)))


def accepts(name: str, document: Any) -> bool:
    return jsonschema.Draft202012Validator(schema(name)).is_valid(document)


# The schemas themselves


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema(name)["$id"] == f"urn:phyzctl:schema:{name}:1"
    assert {"title", "description"} <= schema(name).keys()


def objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if "properties" in node and node.get("type") == "object":
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)


@pytest.mark.parametrize("name", NAMES)
def test_no_object_takes_keys_it_does_not_know(name: str) -> None:
    for each in objects(schema(name)):
        assert each["additionalProperties"] is False
        assert set(each.get("required", ())) <= each["properties"].keys()


# The robot's schema and the dataclasses


def dataclasses_below(kind: Any, seen: dict[str, type]) -> dict[str, type]:
    """Every dataclass that a Robot may hold, by name."""
    for argument in typing.get_args(kind):
        dataclasses_below(argument, seen)
    if is_dataclass(kind) and isinstance(kind, type) and kind.__name__ not in seen:
        seen[kind.__name__] = kind
        hints = typing.get_type_hints(kind)
        for field in stored(kind):
            dataclasses_below(hints[field.name], seen)
    return seen


def stored(kind: Any) -> list[Field[Any]]:
    return [field for field in fields(kind) if field.compare]


DATACLASSES = dataclasses_below(Robot, {})


def test_the_schema_knows_every_dataclass_and_no_other() -> None:
    described = {name for name, node in schema("robot")["$defs"].items() if "properties" in node}
    assert described == DATACLASSES.keys() - {"Robot"}


@pytest.mark.parametrize("name", DATACLASSES)
def test_properties_are_the_fields(name: str) -> None:
    kind = DATACLASSES[name]
    node = schema("robot") if kind is Robot else schema("robot")["$defs"][name]
    extra = {"schema"} if kind is Robot else {"type"} if kind in SHAPES else set()
    assert list(node["properties"]) == [*extra, *(field.name for field in stored(kind))]
    needed = {
        field.name
        for field in stored(kind)
        if field.default is MISSING and field.default_factory is MISSING
    }
    assert set(node.get("required", ())) == extra | needed
    if kind in SHAPES:
        assert node["properties"]["type"] == {"const": name}


def types_of(kind: Any) -> Any:
    """A type as the schema's words put it: what a reader of the schema must be told."""
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return frozenset(types_of(argument) for argument in arguments)
    if typing.get_origin(kind) is tuple:
        if arguments[-1] is Ellipsis:
            return ("array", types_of(arguments[0]))
        return ("array", *(types_of(argument) for argument in arguments))
    if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, enum.Enum | tuple)):
        return kind.__name__
    words = {float: "real", int: "integer", str: "string", bool: "boolean", types.NoneType: "null"}
    return words[kind]


def types_in(node: dict[str, Any]) -> Any:
    if "anyOf" in node:
        return frozenset(types_in(each) for each in node["anyOf"])
    if "$ref" in node:
        return node["$ref"].removeprefix("#/$defs/")
    if node["type"] != "array":
        return node["type"]
    if "prefixItems" in node:
        return ("array", *(types_in(each) for each in node["prefixItems"]))
    items = types_in(node["items"])
    return ("array", *[items] * node.get("maxItems", 1))


@pytest.mark.parametrize("name", DATACLASSES)
def test_types_are_those_of_the_fields(name: str) -> None:
    kind = DATACLASSES[name]
    node = schema("robot") if kind is Robot else schema("robot")["$defs"][name]
    hints = typing.get_type_hints(kind)
    for field in stored(kind):
        assert types_in(node["properties"][field.name]) == types_of(hints[field.name]), field.name


def test_enumerations_are_complete() -> None:
    found = 0
    for name, kind in enumerations():
        assert schema("robot")["$defs"][name]["enum"] == [member.value for member in kind]
        found += 1
    assert found >= 6


def enumerations() -> Iterator[tuple[str, type[enum.Enum]]]:
    for kind in DATACLASSES.values():
        for hint in typing.get_type_hints(kind).values():
            for part in (hint, *typing.get_args(hint)):
                if isinstance(part, type) and issubclass(part, enum.Enum):
                    yield part.__name__, part


@pytest.mark.parametrize("path", URDFS, ids=lambda path: path.name)
def test_every_sample_as_json(path: Path) -> None:
    try:
        robot = phyzctl.load(path, issues=Issues())
    except LoadError:
        pytest.skip("nothing of this one can be read")
    check("robot", robot.to_json())


def test_numbers_that_json_lacks_are_strings() -> None:
    robot = phyzctl.load(URDFS[0], issues=Issues())
    document = robot.to_json()
    document["option"] = {"timestep": "NaN", "gravity": [0.0, "-Infinity", 1]}
    assert accepts("robot", document)
    document["option"] = {"timestep": "nan"}
    assert not accepts("robot", document)


@pytest.mark.parametrize(
    "change",
    [{"schema": "phyzctl.robot/2"}, {"name": None}, {"links": {}}, {"nope": 1}, {"joints": [{}]}],
)
def test_wrong_robots_are_refused(change: dict[str, Any]) -> None:
    document = phyzctl.load(SAMPLES / "cart_pole.urdf").to_json()
    assert accepts("robot", document)
    assert not accepts("robot", document | change)


# Reports and the rest


@pytest.mark.parametrize("path", URDFS, ids=lambda path: path.name)
def test_reports(path: Path) -> None:
    report = Report(phyzctl.validate(path), [str(path)], version="1")
    check("report", report_json.document(report))


def test_reports_of_every_kind_of_issue() -> None:
    check("report", report_json.document(cases.REPORT))
    document = report_json.document(cases.REPORT)
    document["issues"][0]["severity"] = "fatal"
    assert not accepts("report", document)


def test_a_configuration(tmp_path: Path) -> None:
    check("config", Config().document())
    path = tmp_path / "phyzctl.toml"
    path.write_text(
        'select = ["J"]\n[severity]\nJ = "info"\n[tolerances]\na = 1\n[package-path]\np = "x"'
    )
    check("config", read_config(path).document())


def test_defaults_of_the_configuration_are_those_stated() -> None:
    stated = schema("config")
    for key, value in Config().document().items():
        node = stated["properties"][key]
        if "$ref" in node:
            node = stated["$defs"][node["$ref"].rpartition("/")[2]]
        assert node["default"] == value, key


def test_keys_of_the_configuration() -> None:
    assert schema("config")["properties"].keys() == {*Config().document(), "extend"}
    for wrong in ({"nope": 1}, {"deep": 1}, {"fail-on": "x"}, {"severity": {"J": "bad"}}):
        assert not accepts("config", wrong)


def test_rules() -> None:
    check("rules", catalogue.rules_document(rules().values()))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.urdf")), ids=lambda path: path.name)
def test_info_and_tree(path: Path) -> None:
    robot = phyzctl.load(path)
    check("info", summary.summarise(str(path), phyzctl.compile(robot), []))
    check("tree", tree.tree_document(robot))
