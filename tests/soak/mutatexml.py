"""Spoils XML by its structure: what comes out is well-formed, but says something else."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence

from tests.soak.mutate import ABSURD

TreeMutator = Callable[[ET.Element, random.Random], None]


def restructured(data: bytes, rng: random.Random) -> bytes | None:
    """The document after one to four mutations; None when it is not well-formed to begin with."""
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError):
        return None
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        rng.choice(TREE_MUTATORS)(root, rng)
    try:
        return written(root)
    except RecursionError:  # elements too deep for the writer
        return None


def written(root: ET.Element) -> bytes:
    """The document as bytes."""
    data: bytes = ET.tostring(root, encoding="utf-8")
    return data


def drop_attribute(root: ET.Element, rng: random.Random) -> None:
    """An attribute is missing."""
    element, name = _attribute(root, rng)
    element.attrib.pop(name, None)


def set_attribute(root: ET.Element, rng: random.Random) -> None:
    """An attribute says something absurd."""
    element, name = _attribute(root, rng)
    element.set(name, rng.choice(ABSURD))


def set_number(root: ET.Element, rng: random.Random) -> None:
    """One number of an attribute is another."""
    element, name = _attribute(root, rng)
    words = element.get(name, "").split() or [""]
    at = rng.randrange(len(words))
    try:
        words[at] = repr(float(words[at]) * rng.choice((-1.0, 0.0, 1e3, 1e-3, 1e300)))
    except ValueError:
        words[at] = rng.choice(ABSURD)
    element.set(name, " ".join(words))


def borrow(root: ET.Element, rng: random.Random) -> None:
    """An attribute has the value, or the name, of another one."""
    element, name = _attribute(root, rng)
    other, theirs = _attribute(root, rng)
    if rng.random() < 0.7:
        element.set(name, other.get(theirs, ""))
    else:
        element.set(theirs, element.get(name, ""))


def drop_element(root: ET.Element, rng: random.Random) -> None:
    """An element is missing, with all that is in it."""
    parent = rng.choice([each for each in root.iter() if len(each)] or [root])
    if len(parent):
        parent.remove(rng.choice(list(parent)))


def double_element(root: ET.Element, rng: random.Random) -> None:
    """An element stands there twice, or many times."""
    parent = rng.choice([each for each in root.iter() if len(each)] or [root])
    if len(parent):
        child = rng.choice(list(parent))
        parent.extend(_copied(child) for _ in range(rng.choice((1, 1, 2, 20))))


def move_element(root: ET.Element, rng: random.Random) -> None:
    """A copy of an element stands elsewhere too."""
    elements = list(root.iter())
    source = _copied(rng.choice(elements))
    rng.choice(elements).append(source)


def rename_element(root: ET.Element, rng: random.Random) -> None:
    """An element is another one."""
    elements = list(root.iter())
    rng.choice(elements).tag = rng.choice([rng.choice(elements).tag, "limt", "x", "include"])


def wrap_element(root: ET.Element, rng: random.Random) -> None:
    """An element lies deep within others of its kind."""
    parent = rng.choice([each for each in root.iter() if len(each)] or [root])
    if len(parent):
        child = rng.choice(list(parent))
        parent.remove(child)
        for _ in range(rng.choice((1, 2, 30, 600))):
            outer = ET.Element(child.tag, child.attrib)
            outer.append(child)
            child = outer
        parent.append(child)


def stray_text(root: ET.Element, rng: random.Random) -> None:
    """Text stands where nothing reads it."""
    rng.choice(list(root.iter())).text = rng.choice(ABSURD)


TREE_MUTATORS: Sequence[TreeMutator] = (
    *(drop_attribute, set_attribute, set_attribute, set_number, set_number, borrow, borrow),
    *(drop_element, double_element, move_element, rename_element, wrap_element, stray_text),
)


def _attribute(root: ET.Element, rng: random.Random) -> tuple[ET.Element, str]:
    elements = [each for each in root.iter() if each.attrib] or [root]
    element = rng.choice(elements)
    return element, rng.choice(sorted(element.attrib) or ["name"])


def _copied(element: ET.Element) -> ET.Element:
    """A copy with all that is inside, however deep that goes."""
    copy = ET.Element(element.tag, element.attrib)
    work = [(element, copy)]
    while work:
        source, target = work.pop()
        target.text, target.tail = source.text, source.tail
        work += [(child, ET.SubElement(target, child.tag, child.attrib)) for child in source]
    return copy
