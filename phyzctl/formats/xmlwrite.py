"""XML from nothing: elements with attributes, indented, numbers as short as they can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from phyzctl.formats.xmledits import escaped
from phyzctl.records import dataclass
from phyzctl.robot.elements import Extension

_BLANKS = {ord(blank): f"&#{ord(blank)};" for blank in "\t\n\r"}

Value = str | float | Sequence[float] | None


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point."""
    text = repr(float(value)).removesuffix(".0")
    return "0" if text == "-0" else text


@dataclass
class Element:
    """An element to be written. Children that are text are written as they stand."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def set(self, **values: Value | bool) -> Element:
        """State attributes; those that are None are left out, and `class_` means `class`."""
        for name, value in values.items():
            if value is not None:
                self.attributes[name.rstrip("_")] = _text(value)
        return self

    def add(self, child: Element | str | None) -> None:
        """Append a child, if it is one."""
        if child is not None:
            self.children.append(child)

    def new(self, tag: str, **values: Value | bool) -> Element:
        """Append a child with these attributes, and return it."""
        child = Element(tag).set(**values)
        self.children.append(child)
        return child

    def keep(self, extensions: Iterable[Extension]) -> None:
        """What was kept verbatim: `@name` as an attribute, anything else as a child."""
        for extension in extensions:
            if extension.tag.startswith("@"):
                self.attributes.setdefault(extension.tag[1:], extension.text)
            else:
                self.children.append(extension.text)

    @property
    def empty(self) -> bool:
        """True when there is nothing in it."""
        return not self.attributes and not self.children


def document(root: Element) -> str:
    """The text of a file that holds `root`. Without recursion: robots can be deep."""
    return "\n".join(['<?xml version="1.0"?>', *_lines(root)]) + "\n"


def _lines(root: Element) -> Iterator[str]:
    waiting: list[tuple[Element | str, int]] = [(root, 0)]
    while waiting:
        item, depth = waiting.pop()
        indent = "  " * depth
        if isinstance(item, str):
            yield f"{indent}{item}"
            continue
        stated = "".join(f' {name}="{_quotable(text)}"' for name, text in item.attributes.items())
        if not item.children:
            yield f"{indent}<{item.tag}{stated}/>"
            continue
        yield f"{indent}<{item.tag}{stated}>"
        waiting.append((f"</{item.tag}>", depth))
        waiting.extend((child, depth + 1) for child in reversed(item.children))


def _quotable(text: str) -> str:
    """Without blanks that a parser would turn into spaces."""
    return escaped(text).translate(_BLANKS)


def _text(value: str | float | Sequence[float] | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return number_text(value)
    return " ".join(map(number_text, value))
