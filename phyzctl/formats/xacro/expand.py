"""Expand a document by the xacro package: without ROS, bounded, and with places for faults."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.dom import DOMException

from phyzctl import codes, disk
from phyzctl.formats.assets import AssetResolver
from phyzctl.formats.format import Reader, Reading, ReadOptions
from phyzctl.formats.xacro.documents import WrittenDocument
from phyzctl.formats.xacro.dom import Marks, TooLargeError, to_dom, to_text
from phyzctl.formats.xacro.faults import MissingError, UnreadError, report, report_warnings
from phyzctl.formats.xacro.guard import evaluate
from phyzctl.formats.xmlnode import Document
from phyzctl.formats.xmltree import MAX_BYTES, parse
from phyzctl.issues import Issues

MAX_INCLUDES = 1000
MAX_NESTED_INCLUDES = 50

_FAILURES = (
    ArithmeticError,
    AttributeError,
    DOMException,
    LookupError,
    MissingError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TooLargeError,
    TypeError,
    UnreadError,
    ValueError,
)
_PARTS = frozenset({"link", "joint", "worldbody"})


def read(document: Document, issues: Issues, options: ReadOptions, then: Reader) -> Reading:
    """What `then` reads in the expanded document; faults go to `issues`, at their places."""
    try:
        package: Any = importlib.import_module("xacro")
    except ImportError:
        message = "this is xacro, and expanding it needs the extra: pip install 'phyzctl[xacro]'"
        source = document.root.source if document.root else None
        issues.add(codes.MACRO_UNEXPANDED, message, source=source)
        return Reading(None, {document.path: document})
    expansion = Expansion(package, document, issues, options)
    expanded = expansion.run()
    documents = {
        path: WrittenDocument(written, expanded, main=written is document)
        for path, written in expansion.written.items()
    }
    if expanded.root is None:
        return Reading(None, documents)
    if not any(child.tag in _PARTS for child in expanded.root.children):
        _report_library(document, issues)
        return Reading(None, documents)
    reading = then(expanded, issues, options)
    return Reading(reading.robot, {**reading.documents, **documents})


def _report_library(document: Document, issues: Issues) -> None:
    message = (
        "this file makes no robot by itself: it defines macros for others, "
        "or needs arguments to make one; read the file that includes it"
    )
    source = document.root.source if document.root else None
    issues.add(codes.XACRO_LIBRARY, message, source=source)


class Expansion:
    """One expansion: what xacro asks for, it gets here. `written` are the files it took."""

    def __init__(
        self, package: Any, document: Document, issues: Issues, options: ReadOptions
    ) -> None:
        self.written = {document.path: document}
        self._package = package
        self._document = document
        self._issues = issues
        self._arguments = dict(options.xacro_args)
        self._marks = Marks()
        self._found: dict[str, str] = {}
        self._included = 0
        folder = os.path.dirname(os.path.abspath(document.path))
        self._resolver = AssetResolver(folder, options.package_path)

    def run(self) -> Document:
        """The expanded document; without root when that failed, which is told."""
        disk.note_unnamed()  # packages, globs and YAML files are looked up by xacro
        made = to_dom(self._document, self._marks)
        said = io.StringIO()
        failed = Document(self._document.path, b"")
        with self._in_place_of_ros(), contextlib.redirect_stderr(said):
            try:
                self._package.init_stacks(self._document.path)
                self._package.process_doc(made, mappings=self._arguments, verbosity=1)
            except (*_FAILURES, self._package.XacroException) as error:
                report(error, self._document, self._issues)
                return failed
        report_warnings(said.getvalue(), self._document, self._issues)
        text, origins = to_text(made, self._found)
        expanded = parse(text, self._document.path, self._issues)
        expanded.editable = False
        nodes = expanded.root.iter() if expanded.root is not None else ()
        for node, origin in zip(nodes, origins, strict=False):
            node.origin = origin
        return expanded

    @contextlib.contextmanager
    def _in_place_of_ros(self) -> Iterator[None]:
        """Give xacro our ways to find packages, to read files and to judge expressions."""
        package = self._package
        arguments = importlib.import_module("xacro.substitution_args")
        with contextlib.ExitStack() as stack:
            for holder, name, ours in (
                (package, "parse", self._parse),
                (package, "open", _open_regular),
                (package, "safe_eval", evaluate),
                (arguments, "eval", evaluate),
                (arguments, "_eval_find", self._find),
                (arguments, "_eval_dirname", self._folder),
            ):
                stack.enter_context(_replaced(holder, name, ours))
            usual = dict(arguments._eval_dict)
            arguments._eval_dict["find"] = self._find
            package.substitution_args_context["filename"] = self._document.path
            package.all_includes.clear()
            try:
                yield
            finally:
                arguments._eval_dict.update(usual)
                package.substitution_args_context.clear()

    def _parse(self, _content: Any, filename: str) -> Any:
        """An included file as a DOM."""
        filename = os.path.normpath(filename)
        self._included += 1
        if len(self._package.filestack) > MAX_NESTED_INCLUDES or self._included > MAX_INCLUDES:
            raise TooLargeError(f"{filename!r} is included again and again")
        name = _package_in(filename)
        if name is not None:
            raise self._missing(name)
        if not disk.is_file(filename):
            self._package.filestack.pop()
            error = FileNotFoundError(2, "there is no file", filename)
            raise self._package.XacroException(exc=error)  # which optional="true" passes over
        issues = Issues()
        document = parse(disk.read_bytes(filename, MAX_BYTES + 1), filename, issues)
        self._issues.extend(issues)
        if document.root is None:
            raise UnreadError(filename)
        self.written.setdefault(filename, document)
        return to_dom(document, self._marks)

    def _find(self, name: str) -> str:
        """The folder of a package; for one that is nowhere a URI, which only includes can't use."""
        folder, _ = self._resolver.package(name)
        if folder is None:
            return f"package://{name}"
        self._found[folder] = name
        return folder

    def _missing(self, name: str) -> MissingError:
        _, looked = self._resolver.package(name)
        return MissingError(name, looked)

    def _folder(self, _filename: str | None) -> str:
        current: str = self._package.filestack[-1]
        return os.path.dirname(os.path.abspath(current))


def _package_in(filename: str) -> str | None:
    """The package that a path made of `package://name` stands for; slashes may have been merged."""
    _, found, rest = filename.replace("package://", "package:/").partition("package:/")
    return rest.split("/")[0] if found else None


@contextlib.contextmanager
def _replaced(holder: Any, name: str, ours: Any) -> Iterator[None]:
    """An attribute of a module, as long as we use the module."""
    had, usual = name in vars(holder), vars(holder).get(name)
    setattr(holder, name, ours)
    try:
        yield
    finally:
        if had:
            setattr(holder, name, usual)
        else:
            delattr(holder, name)


def _open_regular(path: str) -> io.StringIO:
    """A YAML file: never a device or a pipe, and bounded."""
    if not disk.is_file(path):
        raise FileNotFoundError(2, "there is no file", path)
    data = disk.read_bytes(path, MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise TooLargeError(f"{Path(path).name} has more than {MAX_BYTES >> 20} MiB")
    return io.StringIO(data.decode("utf-8", "replace"))
