"""A JSON document into a RobotBuilder, element by element: one Issue for each that is unfit."""

from __future__ import annotations

import re
import typing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from phyzctl import codes
from phyzctl.errors import Suggester
from phyzctl.formats.assets import AssetResolver, Resolved
from phyzctl.formats.format import Reading, ReadOptions
from phyzctl.formats.json.scan import JsonError, PlacedList, PlacedObject, Scanner, locate
from phyzctl.formats.xmltree import MAX_BYTES, Document
from phyzctl.issues import Issues, Source
from phyzctl.robot.builder import RobotBuilder
from phyzctl.robot.codec import CodecError, decode
from phyzctl.robot.elements import Mesh
from phyzctl.robot.mechanism import CompilerSettings, Heightfield, Option
from phyzctl.robot.robot import KINDS, SCHEMA, Robot

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_DIALECTS = ("urdf", "mjcf", None)
_WORDS = ("schema", "name", "dialect", "version")


def read(data: bytes, path: str, issues: Issues, options: ReadOptions) -> Reading:
    """The Robot in a JSON file; faults go to `issues`, with their places."""
    documents = {path: Document(path, data)}
    text = _decoded(documents[path], issues)
    if text is None:
        return Reading(None, documents)
    try:
        root = Scanner(text, path).scan()
    except JsonError as error:
        code = codes.DOCUMENT_TOO_LARGE if error.too_large else codes.JSON_MALFORMED
        issues.add(code, str(error), source=locate(text, error.position, path))
        return Reading(None, documents)
    if not isinstance(root, PlacedObject) or root.get("schema") != SCHEMA:
        _report_schema(root, path, issues)
        return Reading(None, documents)
    return Reading(_Reader(root, text, path, issues, options).robot(), documents)


def _decoded(document: Document, issues: Issues) -> str | None:
    data = document.data
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES >> 20} MiB"
        issues.add(codes.DOCUMENT_TOO_LARGE, message, source=Source(document.path, 1, 1))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        source = document.source(error.start)
        issues.add(codes.ENCODING_WRONG, "JSON is UTF-8, and this byte is not", source=source)
        return None


def _report_schema(root: Any, path: str, issues: Issues) -> None:
    stated = root.get("schema") if isinstance(root, PlacedObject) else None
    found = f"its schema is {stated!r}" if isinstance(stated, str) else "it states no schema"
    message = f'this JSON is no robot: {found}, and a robot\'s starts with "schema": "{SCHEMA}"'
    issues.add(codes.ROOT_UNKNOWN, message, source=Source(path, 1, 1))


class _Reader:
    """One document on its way into a builder."""

    def __init__(
        self, root: PlacedObject, text: str, path: str, issues: Issues, options: ReadOptions
    ) -> None:
        self._root = root
        self._text = text
        self._path = path
        self._issues = issues
        self._resolver = AssetResolver(Path(path).absolute().parent, options.package_path)

    def robot(self) -> Robot:
        """What the document says, without the elements that it says wrongly."""
        self._report_keys()
        dialect = self._word("dialect")
        if dialect not in _DIALECTS:
            self._report("$.dialect", f"{dialect!r} is not one of urdf, mjcf, null")
        builder = RobotBuilder(
            self._word("name") or "",
            dialect=dialect if dialect in _DIALECTS else None,
            version=self._word("version"),
            source=self._root.source,
            implicit_links=False,
        )
        builder.option(self._decoded(Option, "$.option", Option()))
        builder.settings(self._decoded(CompilerSettings, "$.settings", CompilerSettings()))
        for key, method in KINDS.items():
            for element in self._elements(key):
                if method == "link":
                    builder.link(element, replace_earlier=False)
                else:
                    getattr(builder, method)(element)
        return builder.build(self._issues)

    def _report_keys(self) -> None:
        known = (*_WORDS, "option", "settings", *KINDS)
        suggester = Suggester()
        for key in self._root.keys() - set(known):
            self._report(f"$.{key}", f"unknown key {key!r}{suggester.did_you_mean(key, known)}")
        for key in ("name", "links", "joints"):
            if key not in self._root:
                self._report("$", f"the key {key!r} is missing")

    def _word(self, key: str) -> str | None:
        value = self._root.get(key)
        if value is None and key != "name":
            return None
        if not isinstance(value, str) and key in self._root:
            self._report(f"$.{key}", f"expected a string, found {_shown(value)}")
        return value if isinstance(value, str) else None

    def _elements(self, key: str) -> list[Any]:
        items = self._root.get(key, [])
        if not isinstance(items, list):
            self._report(f"$.{key}", f"expected a list, found {_shown(items)}")
            return []
        kind = _kinds()[key]
        found = [self._decoded(kind, f"$.{key}[{index}]", None) for index in range(len(items))]
        return [self._resolved(element) for element in found if element is not None]

    def _decoded(self, kind: Any, path: str, otherwise: Any) -> Any:
        """The object at a JSON path; `otherwise` where nothing, or nothing fitting, stands."""
        value = self._at(path)
        if value is _NOTHING:
            return otherwise
        try:
            return decode(kind, value, path)
        except CodecError as error:
            self._report(error.path, error.reason)
            return otherwise

    def _resolved(self, element: Any) -> Any:
        """A mesh or height field with its file; F600 to F602 as other readers report them."""
        if not isinstance(element, Mesh | Heightfield) or not element.uri:
            return element
        found = self._resolver.resolve(element.uri)
        if found.absolute:
            message = f"{element.uri!r} is a path of one machine; write one relative to this file"
            self._issues.add(codes.PATH_NOT_PORTABLE, message, source=element.source)
        elif found.path is None:
            code = codes.PACKAGE_NOT_FOUND if found.package_missing else codes.FILE_MISSING
            self._issues.add(code, _missing(element.uri, found), source=element.source)
        return replace(element, file=found.path)

    def _report(self, path: str, message: str) -> None:
        source = locate(self._text, self._position(path), self._path)
        self._issues.add(codes.JSON_UNFIT, f"{path}: {message}", source=source)

    def _at(self, path: str) -> Any:
        value: Any = self._root
        for key, index in _STEP.findall(path):
            value = value[int(index)] if index else value.get(key, _NOTHING)
        return value

    def _position(self, path: str) -> int:
        """Where the value at a path starts, or the innermost around it whose place is known."""
        value: Any = self._root
        position = self._text.index("{")
        for key, index in _STEP.findall(path):
            if isinstance(value, PlacedList) and index:
                position = value.places[int(index)]
            elif isinstance(value, PlacedObject) and key in value:
                position = value.places[key]
            else:
                break
            value = value[int(index)] if index else value[key]
        return position


_NOTHING = object()


@cache
def _kinds() -> dict[str, Any]:
    """What each list of a Robot holds."""
    hints = typing.get_type_hints(Robot)
    return {key: typing.get_args(hints[key])[0] for key in KINDS}


def _missing(uri: str, found: Resolved) -> str:
    looked = ", ".join(found.looked_in)
    if found.package_missing:
        return f"package {found.package!r} of {uri!r} is not found; looked in {looked}"
    note = f"; {found.note}" if found.note else ""
    return f"there is no file {uri!r}{note}; looked at {looked}"


def _shown(value: Any) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
