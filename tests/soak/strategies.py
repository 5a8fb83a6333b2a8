"""Hypothesis strategies that write documents out of a format's grammar table.

An orderly document has the elements and attributes that the table asks for, names that are
unique and references that mean something; a disorderly one breaks all of it now and then.
Values are those that the samples and the rules' cases use for the same attribute.
"""

from __future__ import annotations

import functools
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from phyzctl.formats.grammar import FREE, ElementRule, Grammar
from tests.corpus import ROOT
from tests.soak.mutate import ABSURD
from tests.soak.mutatexml import written

FORMATS = {"urdf": "robot", "mjcf": "mujoco"}

_BUDGET = 60  # elements of a document
_MOST_COPIES = 2  # in each other: tests/hostile/test_largest_files.py has more
_DEPTH = 12
_KEPT = 60  # ways to use an element or an attribute
# Attributes that name an element of this kind, whatever the element they stand on.
_REFERENCES = {
    **dict.fromkeys(("link", "parent_link", "child_link", "tip_link", "base_link"), "link"),
    **dict.fromkeys(("joint", "joint1", "joint2", "jointinparent"), "joint"),
    **dict.fromkeys(("body", "body1", "body2", "objname", "refname"), "body"),
    **dict.fromkeys(("geom", "geom1", "geom2"), "geom"),
    **dict.fromkeys(("site", "site1", "site2", "sidesite", "refsite"), "site"),
    **{name: name for name in ("mesh", "material", "texture", "hfield", "tendon", "actuator")},
    "class": "default",
    "childclass": "default",
}
# What robots are made of: hardly ever left out, or there would be little to judge.
_BACKBONE = frozenset({"link", "joint", "inertial", "collision", "worldbody", "body", "geom"})


def documents(form: str, *, orderly: bool) -> st.SearchStrategy[bytes]:
    """Documents of the format `urdf` or `mjcf`, near-valid when `orderly`, else broken."""
    return _documents(form, orderly)


@st.composite
def _documents(draw: st.DrawFn, form: str, orderly: bool) -> bytes:
    writer = _Writer(draw, form, orderly=orderly)
    tag = FORMATS[form]
    root = writer.element(tag, writer.grammar.roots[tag], 0)
    if orderly:
        if form == "urdf":
            _connect(draw, root)
        _mend_references(draw, root)
    return written(root)


class _Writer:
    def __init__(self, draw: st.DrawFn, form: str, *, orderly: bool) -> None:
        self.draw = draw
        self.form = form
        self.grammar = Grammar.load(form)
        self.orderly = orderly
        self.elements = 0
        self.copies = 0  # how many replicates stand around
        self.counts: dict[str, int] = defaultdict(int)

    def element(self, tag: str, kind: str, depth: int) -> ET.Element:
        self.elements += 1
        element = ET.Element(tag)
        if kind == FREE:
            return element
        rule = self.grammar.rule(kind)
        self._attributes(element, rule)
        self.copies += tag == "replicate"
        for child, child_kind in self._children(rule, tag, depth):
            if child != "replicate" or self.copies < _MOST_COPIES:
                element.append(self.element(child, child_kind, depth + 1))
        self.copies -= tag == "replicate"
        if not self.orderly and self._rarely():
            element.text = self.draw(st.sampled_from(ABSURD))
        return element

    def _attributes(self, element: ET.Element, rule: ElementRule) -> None:
        tag = element.tag
        usual = _usage(self.form).attributes.get(tag)
        if usual and (self.orderly or self.draw(st.booleans())):
            stated = self.draw(st.sampled_from(usual))
        else:
            required = [name for name, words in rule.attributes.items() if words.required]
            more = st.lists(st.sampled_from(list(rule.attributes) or ["name"]), max_size=4)
            chosen = [] if self.orderly and not usual else self.draw(more)
            stated = {name: self._known_value(tag, name) for name in (*required, *chosen)}
        for name, value in stated.items():
            if self.orderly or not self._rarely():
                element.set(name, self._value(tag, name, value))
        if self._rarely():  # one thing more than usual
            name = self.draw(st.sampled_from([*rule.attributes, "nmae"]))
            element.set(name, self._value(tag, name, self._known_value(tag, name)))

    def _value(self, tag: str, name: str, usual: str) -> str:
        """`usual`, unless it names something: names have to fit this document."""
        if not self.orderly and self._rarely():
            return self.draw(st.sampled_from(ABSURD))
        if name == "name":
            self.counts[tag] += 1
            return f"{tag}{self.counts[tag] if self.orderly else self._small()}"
        if name in _REFERENCES:
            return f"{_REFERENCES[name]}{self._small()}"
        return usual

    def _known_value(self, tag: str, name: str) -> str:
        known = _usage(self.form).values
        values = known.get((tag, name)) or known.get(("", name)) or ("1",)
        return self.draw(st.sampled_from(values))

    def _children(self, rule: ElementRule, tag: str, depth: int) -> list[tuple[str, str]]:
        chosen: list[str] = [name for name, child in rule.children.items() if child.required]
        if depth < _DEPTH and self.elements < _BUDGET:
            usual = [
                name for name in _usage(self.form).children.get(tag, ()) if name in rule.children
            ]
            others = usual if self.orderly and usual and not self._rarely() else list(rule.children)
            if others and (usual or not self.orderly):
                more = st.lists(st.sampled_from(others), min_size=int(rule.single), max_size=3)
                chosen += self.draw(more)
            for name in (each for each in rule.children if each in _BACKBONE):
                chosen += [name] * self.draw(st.integers(0, 2))
        if self.orderly:
            single = {name for name, child in rule.children.items() if not child.repeatable}
            chosen = [
                name
                for at, name in enumerate(chosen)
                if name not in single or name not in chosen[:at]
            ]
            chosen = chosen[:1] if rule.single else chosen
        return [(name, rule.children[name].type) for name in chosen]

    def _rarely(self) -> bool:
        return self.draw(st.integers(0, 11)) == 11

    def _small(self) -> int:
        return self.draw(st.integers(1, 4))


def _connect(draw: st.DrawFn, root: ET.Element) -> None:
    """Make the joints of a URDF a tree of its links, of which there are then enough."""
    joints = root.findall("joint")
    for link in root.findall("link"):
        root.remove(link) if int(link.get("name", "link0")[4:]) > len(joints) + 1 else None
    for number in range(len(root.findall("link")) + 1, len(joints) + 2):
        ET.SubElement(root, "link", name=f"link{number}")
    for number, joint in enumerate(joints, 1):
        parent, child = joint.find("parent"), joint.find("child")
        if parent is not None and child is not None:
            parent.set("link", f"link{draw(st.integers(1, number))}")
            child.set("link", f"link{number + 1}")


def _mend_references(draw: st.DrawFn, root: ET.Element) -> None:
    """Make every reference name something that is there, or leave it out."""
    names: dict[str, list[str]] = defaultdict(list)
    for element in root.iter():
        for name in ("name", "class") if element.tag == "default" else ("name",):
            names[element.tag] += [element.get(name, "")] if element.get(name) else []
    for element in root.iter():
        for name, kind in _REFERENCES.items():
            if name in element.attrib and element.get(name) not in names[kind]:
                if names[kind]:
                    element.set(name, draw(st.sampled_from(names[kind])))
                elif element.tag != "default":
                    del element.attrib[name]


class _Usage(NamedTuple):
    """How good files use a format.

    * `attributes`: by tag, the attributes of elements as they stand together.
    * `children`: by tag, the tags of what stands in it.
    * `values`: by tag and attribute, and by "" and attribute.
    """

    attributes: Mapping[str, Sequence[Mapping[str, str]]]
    children: Mapping[str, Sequence[str]]
    values: Mapping[tuple[str, str], Sequence[str]]


@functools.cache
def _usage(form: str) -> _Usage:
    sets: dict[str, dict[tuple[tuple[str, str], ...], None]] = defaultdict(dict)
    children: dict[str, dict[str, None]] = defaultdict(dict)
    values: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for root in _good_files(FORMATS[form]):
        for element in root.iter():
            sets[element.tag][tuple(element.items())] = None
            children[element.tag] |= {child.tag: None for child in element}
            for name, value in element.items():
                values[element.tag, name][value] = None
                values["", name][value] = None
    return _Usage(
        {tag: [dict(each) for each in found][:_KEPT] for tag, found in sets.items()},
        {tag: list(found) for tag, found in children.items()},
        {key: list(found)[:_KEPT] for key, found in values.items()},
    )


def _good_files(tag: str) -> Iterator[ET.Element]:
    folders = (ROOT / "sample_robots", ROOT / "tests" / "lint" / "cases")
    for path in sorted(path for folder in folders for path in folder.iterdir()):
        if path.suffix in {".urdf", ".xml"} and ".bad." not in path.name:
            root = ET.fromstring(path.read_bytes())
            if root.tag == tag:
                yield root
