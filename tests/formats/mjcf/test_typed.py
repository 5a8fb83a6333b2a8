"""The grammar table against the format's own schema, and the check of names and types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from phyzctl.formats.mjcf.typed import grammar
from tests.formats.mjcf.reading import clean, codes_of, compiled, only, read, refused

TABLE: dict[str, Any] = json.loads(
    resources.files("phyzctl.formats.mjcf").joinpath("grammar.json").read_text()
)


class Schema:
    """What mjcf.schema declares: elements with their attributes, groups, enums."""

    def __init__(self, text: str) -> None:
        lines = [re.sub(r'#(?=(?:[^"]*"[^"]*")*[^"]*$).*', "", line) for line in text.splitlines()]
        block = re.compile(r"^(\w+) ([^\n]*?)\{(.*?)^\}", re.DOTALL | re.MULTILINE)
        blocks = block.findall("\n".join(lines))
        self.groups: dict[str, str] = {}
        self.elements: dict[str, tuple[str, str]] = {}
        self.enums: dict[str, list[str]] = {}
        for kind, head, body in blocks:
            name = re.split(r"[ :(]", head)[0]
            if kind == "group":
                self.groups[name] = body
            elif kind == "enum":
                self.enums[name] = re.findall(r'^\s*"?([^\s"=]+)"?\s*=', body, re.MULTILINE)
            elif kind == "element":
                tag = re.search(r"xml=(\w+)", head)
                self.elements[name] = (tag.group(1) if tag else name, body)

    def attributes(self, name: str) -> Iterator[tuple[str, str]]:
        """Each attribute of an element, with the rest of its line."""
        yield from self._attributes_in(self.elements[name][1])

    def _attributes_in(self, body: str) -> Iterator[tuple[str, str]]:
        for line in body.splitlines():
            if used := re.match(r"\s*use (\w+)", line):
                yield from self._attributes_in(self.groups[used.group(1)])
            elif found := re.match(r"\s*(\w+)\s*:\s*(.+)", line):
                yield found.group(1), found.group(2)

    def children(self, name: str) -> list[str]:
        """The declarations of an element's children."""
        return re.findall(r"^\s*child (\w+)", self.elements[name][1], re.MULTILINE)


@pytest.fixture(scope="module")
def schema(shared_corpus: Path) -> Schema:
    return Schema((shared_corpus / "mujoco" / "mjcf.schema").read_text())


def test_every_element_of_the_schema_is_in_the_table(schema: Schema) -> None:
    assert len(schema.elements) == 145
    assert set(schema.elements) <= set(TABLE["elements"])


def test_every_attribute_of_the_schema_is_in_the_table(schema: Schema) -> None:
    for name in schema.elements:
        stated = dict(schema.attributes(name))
        table = TABLE["elements"][name].get("attributes", {})
        assert set(table) == set(stated), name
        for attribute, rest in stated.items():
            assert ("!" in table[attribute]) is ("required" in rest), (name, attribute)


def test_every_child_of_the_schema_is_in_the_table(schema: Schema) -> None:
    for name in schema.elements:
        children = {schema.elements[child][0] for child in schema.children(name)}
        if name == "mujoco":  # writes the worldbody as a body
            children |= {"worldbody"}
        assert set(TABLE["elements"][name].get("children", {})) == children, name


def test_every_keyword_of_the_schema_is_in_the_table(schema: Schema) -> None:
    for name, words in TABLE["enums"].items():
        assert words == schema.enums[name], name


def test_every_type_of_the_schema_is_in_the_table(schema: Schema) -> None:
    for name in schema.elements:
        types = TABLE["values"].get(name, {})
        for attribute, rest in schema.attributes(name):
            type_ = types.get(attribute, "text")
            if re.match(r"(double|float)", rest):
                assert type_.startswith("number"), (name, attribute)
            elif rest.startswith("int"):
                assert type_.startswith("integer"), (name, attribute)
            elif rest.startswith("bool"):
                assert type_ == "boolean", (name, attribute)
            elif found := re.match(r"(enum|flags)<(\w+)>", rest):
                word = "one" if found.group(1) == "enum" else "some"
                assert type_ == f"{word} of {found.group(2)}", (name, attribute)
            else:
                assert type_ == "text", (name, attribute)


def test_a_default_can_not_state_what_belongs_to_one_element(schema: Schema) -> None:
    for name in ("geom", "joint", "mesh", "position", "site"):
        allowed = set(TABLE["elements"][f"default_{name}"]["attributes"])
        stated = dict(schema.attributes(name))
        barred = {attribute for attribute, rest in stated.items() if "nodefault" in rest}
        assert allowed == set(stated) - barred - {"name", "class"}, name


def test_the_table_is_whole() -> None:
    for kind in grammar().types:
        for child in grammar().rule(kind).children.values():
            assert child.type == "free" or child.type in TABLE["elements"], (kind, child)
    assert set(TABLE["values"]) <= set(TABLE["elements"])
    assert set(TABLE["constraints"]) <= set(TABLE["elements"])
    for types in TABLE["values"].values():
        for type_ in types.values():
            if " of " in type_:
                assert type_.split(" of ")[1] in TABLE["enums"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<worldbody><Geom size='1'/></worldbody>", "X003"),
        ("<worldbody><geom szie='1'/></worldbody>", "X003"),
        ("<worldbody><thing/></worldbody>", "X004"),
        ("<worldbody><geom size='1' flavour='x'/></worldbody>", "X004"),
        ("<default><freejoint/></default>", "X004"),
        ("<default><geom name='x'/></default>", "X004"),
        ("<default><geom class='x'/></default>", "X004"),
        ("<default><mesh file='x'/></default>", "X004"),
        ("<worldbody name='x'/>", "X004"),
        ("<worldbody pos='0 0 1'/>", "X004"),
        ("<worldbody><body><inertial mass='1' diaginertia='1 1 1'/></body></worldbody>", "X006"),
        ("<worldbody><geom size='1' group='1.5'/></worldbody>", "X010"),
        ("<worldbody><geom size='1 2 3 4'/></worldbody>", "X010"),
        ("<worldbody><geom size='1' pos='1 2'/></worldbody>", "X010"),
        ("<worldbody><geom size='1' pos='1 2 3 4'/></worldbody>", "X010"),
        ("<worldbody><geom size='1' pos='1, 2, 3'/></worldbody>", "X010"),
        ("<worldbody><geom size='1' type='Sphere'/></worldbody>", "X008"),
        ("<worldbody><body mocap='True'/></worldbody>", "X008"),
        ("<worldbody><body mocap='1'/></worldbody>", "X008"),
        ("<worldbody><camera fovy='wide'/></worldbody>", "X010"),
        ("<worldbody><camera output='rgb color'/></worldbody>", "X008"),
        ("<worldbody><light diffuse='1 1'/></worldbody>", "X010"),
        ("<visual><map znear='x'/></visual>", "X010"),
        ("<statistic extent='x'/>", "X010"),
        ("<visual><global/><global/></visual>", "X005"),
        ("<custom><text name='x'/></custom>", "X006"),
    ],
)
def test_names_and_types(text: str, code: str) -> None:
    assert codes_of(text) in ([code], [code, "X006"]), text
    assert read(text)[1][0].fatal
    assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "<worldbody><geom size='.5'/></worldbody>",
        "<worldbody><geom size='1.'/></worldbody>",
        "<worldbody><geom size='+1'/></worldbody>",
        "<worldbody><geom size='1e-3'/></worldbody>",
        "<worldbody><geom size=' 1\n\t2  3 '/></worldbody>",
        "<compiler/><compiler/><option/><option/><visual/><visual/><statistic/><statistic/>",
        "<worldbody><camera output='rgb depth'/></worldbody>",
        """<worldbody><body><frame><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></frame>
        </body></worldbody>""",
    ],
)
def test_what_is_fine(text: str) -> None:
    clean(text)
    assert compiled(text) is not None


@pytest.mark.parametrize("value", ["nan 0 0", "inf 0 0", "0 -inf 0", "1e999 0 0", "0x1 0 0"])
def test_numbers_that_mujoco_takes_but_nobody_means(value: str) -> None:
    issue = only(f"<worldbody><geom size='1' pos='{value}'/></worldbody>")
    assert issue.code.id in ("X010", "X012")


def test_a_fault_is_one_issue_with_a_place_and_a_remedy() -> None:
    text = "<worldbody>\n  <geom sise='1' size='2'/>\n</worldbody>"
    issue = only(text.replace("size='2'", ""))
    assert (issue.code.id, str(issue.source)) == ("X003", "robot.xml:2:9")
    assert issue.fix is not None
    assert [edit.text for edit in issue.fix.edits] == ["size"]


def test_a_macro_that_was_left_in() -> None:
    assert codes_of("<worldbody><body pos='${x} 0 0'/></worldbody>") == ["X013"]
