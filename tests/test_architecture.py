"""The house rules that neither ruff nor import-linter knows, over the source tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import phyzctl
from tests.corpus import ROOT

FILE_LINES = 400
FUNCTION_LINES = 60
POSITIONAL_PARAMETERS = 5
# Where the package may import itself inside a function: there, start-up time is won by it.
LAZY = ("__init__.py", "__main__.py", "cli/")
# Where what is on disk decides what comes out of a description: it is asked for in disk.py alone.
ASKING = ("formats/", "geometry/", "lint/", "model/", "robot/")
DISK_CALLS = {
    *("exists", "is_dir", "is_file", "iterdir", "listdir", "open", "read_bytes", "read_text"),
    *("scandir", "stat"),
}
OWN_FILES = {
    "formats/grammar.py": "data of the package",
    "formats/mjcf/typed.py": "data of the package",
    "geometry/hull.py": "the cache of hulls",
    "geometry/foreign.py": "noted by its caller",
    "lint/baseline.py": "asked for by the command line",
    "lint/fix.py": "what is written",
}

SOURCE = sorted(
    path for path in (ROOT / "phyzctl").rglob("*") if path.suffix in {".py", ".cpp", ".hpp"}
)
TESTS = sorted(path for path in (ROOT / "tests").rglob("*") if path.suffix in {".py", ".cpp"})
CASES = sorted(
    path
    for path in (ROOT / "tests").rglob("*")
    if path.suffix in {".urdf", ".xml", ".srdf", ".toml", ".tsv"}
)
# Where the standard library's dataclass stands, which takes longer to make than phyzctl.records'.
STANDARD = {
    "model/state.py": "slots, against attributes that are misspelt",
    "scene/contact.py": "slots, against attributes that are misspelt",
    "pushing/params.py": "a constructor of its own",
    "lint/baseline.py": "an order",
    "records.py": "is made of it",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def faults(name: str, text: str) -> list[str]:
    """What is wrong with a file, `name` being its path from the project's root."""
    lines = text.count("\n")
    found = [f"{lines} lines, {FILE_LINES} at most"] if lines > FILE_LINES else []
    if name.endswith(".py"):
        tree = ast.parse(text)
        found += function_faults(tree)
        if name.startswith("phyzctl/"):
            found += package_faults(tree, name.removeprefix("phyzctl/"))
    elif "nanobind" in text and not name.rpartition("/")[2].startswith("bind"):
        found.append("nanobind outside bind*.cpp")
    return found


def function_faults(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{node.lineno}: {node.name} has {lines} lines, {FUNCTION_LINES} at most"


def package_faults(tree: ast.Module, name: str) -> Iterator[str]:
    if name.rpartition("/")[2] == "utils.py":
        yield "a file named utils.py says nothing of what is in it"
    for node in ast.walk(tree):
        if not name.startswith("cli/"):
            yield from below_cli_faults(node)
        if name.startswith(ASKING) and name not in OWN_FILES:
            yield from disk_faults(node)
        if name not in STANDARD:
            yield from standard_dataclasses(node)
        if isinstance(node, ast.Global):
            yield f"{node.lineno}: global"
        elif isinstance(node, Function):
            yield from parameter_faults(node)
            if not name.startswith(LAZY):
                yield from lazy_imports(node)


def below_cli_faults(node: ast.AST) -> Iterator[str]:
    """The CLI alone prints, and turns whatever happens into an exit code."""
    if isinstance(node, ast.ExceptHandler) and is_broad(node.type):
        yield f"{node.lineno}: broad except outside cli/"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
        yield f"{node.lineno}: print outside cli/"


def disk_faults(node: ast.AST) -> Iterator[str]:
    """Whoever remembers what came out of a description must know all that it was made from."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
        asker = node.func.value if isinstance(node.func, ast.Attribute) else None
        call = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        known = isinstance(asker, ast.Name) and asker.id == "disk"
        if call in DISK_CALLS and not known and not (asker is None and call != "open"):
            yield f"{node.lineno}: {call} past phyzctl.disk"


def standard_dataclasses(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.ImportFrom) or node.module != "dataclasses":
        return
    if "dataclass" in [alias.name for alias in node.names]:
        yield f"{node.lineno}: the standard library's dataclass instead of phyzctl.records'"


def is_broad(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(is_broad(each) for each in caught.elts)
    return caught is None or (
        isinstance(caught, ast.Name) and caught.id in {"Exception", "BaseException"}
    )


def parameter_faults(function: Function) -> Iterator[str]:
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    count = len(names) - (names[:1] in (["self"], ["cls"]))
    if count > POSITIONAL_PARAMETERS:
        yield f"{function.lineno}: {function.name} has {count} positional parameters"


def lazy_imports(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        if any(module.split(".")[0] == "phyzctl" for module in modules):
            yield f"{node.lineno}: {function.name} imports phyzctl's own modules"


@pytest.mark.parametrize("path", [*SOURCE, *TESTS], ids=name_of)
def test_house_rules(path: Path) -> None:
    assert faults(name_of(path), path.read_text(encoding="utf-8")) == []


BROKEN = {
    "long file": ("phyzctl/a.py", "x = 1\n" * 401, "401 lines, 400 at most"),
    "long C++ file": ("phyzctl/native/a.cpp", "\n" * 401, "401 lines, 400 at most"),
    "long function": ("tests/a.py", "def f():\n" + "  x = 1\n" * 60, "1: f has 61 lines"),
    "bare except": ("phyzctl/a.py", "try: x\nexcept: y", "2: broad except"),
    "broad except": ("phyzctl/a.py", "try: x\nexcept (E, Exception): y", "2: broad except"),
    "print": ("phyzctl/lint/a.py", "print(1)", "1: print outside cli/"),
    "global": ("phyzctl/cli/a.py", "def f():\n  global x", "2: global"),
    "six parameters": ("phyzctl/a.py", "def f(a, b, c, d, e, g): ...", "1: f has 6 positional"),
    "lazy from": ("phyzctl/a.py", "def f():\n  from phyzctl.b import c", "2: f imports phyzctl"),
    "lazy import": ("phyzctl/a.py", "async def f():\n  import phyzctl.b", "2: f imports phyzctl"),
    "reading": ("phyzctl/formats/a.py", "Path(p).read_bytes()", "1: read_bytes past phyzctl.disk"),
    "opening": ("phyzctl/lint/rules/a.py", "open(p)", "1: open past phyzctl.disk"),
    "dataclass": ("phyzctl/a.py", "from dataclasses import dataclass", "1: the standard library's"),
    "utils": ("phyzctl/sim/utils.py", "", "a file named utils.py"),
    "nanobind": ("phyzctl/native/a.hpp", "#include <nanobind/nanobind.h>", "nanobind outside"),
}


@pytest.mark.parametrize(("name", "text", "fault"), BROKEN.values(), ids=BROKEN)
def test_house_rules_are_noticed_when_broken(name: str, text: str, fault: str) -> None:
    (found,) = faults(name, text)
    assert found.startswith(fault)


ALLOWED = {
    "print in the CLI": ("phyzctl/cli/a.py", "print(1)"),
    "broad except in the CLI": ("phyzctl/cli/a.py", "try: x\nexcept Exception: y"),
    "named except": ("phyzctl/a.py", "try: x\nexcept (OSError, ValueError): y"),
    "five and self": ("phyzctl/a.py", "class A:\n  def f(self, a, b, c, d, e, *, g, h): ..."),
    "lazy in the CLI": ("phyzctl/cli/a.py", "def f():\n  from phyzctl.b import c"),
    "lazy third party": ("phyzctl/a.py", "def f():\n  import trimesh"),
    "asking the disk": ("phyzctl/formats/a.py", "disk.read_bytes(p), is_file(p)"),
    "reading elsewhere": ("phyzctl/trace/a.py", "open(p).read()"),
    "binding": ("phyzctl/native/bind.cpp", "#include <nanobind/nanobind.h>"),
    "help of dataclasses": ("phyzctl/a.py", "from dataclasses import field, replace"),
    "a part of it": ("phyzctl/native/bind_dynamics.hpp", "#include <nanobind/nanobind.h>"),
}


@pytest.mark.parametrize(("name", "text"), ALLOWED.values(), ids=ALLOWED)
def test_house_rules_allow(name: str, text: str) -> None:
    assert faults(name, text) == []


def test_tests_outweigh_the_source() -> None:
    """Cases that are data count as what they are: tests."""
    source, tests, cases = (
        sum(path.read_bytes().count(b"\n") for path in paths) for paths in (SOURCE, TESTS, CASES)
    )
    assert tests + cases >= source


def test_public_names_are_sorted_complete_and_there() -> None:
    assert phyzctl.__all__ == sorted({*phyzctl._HOMES, "__version__"})
    for name in phyzctl.__all__:
        assert getattr(phyzctl, name) is not None
        assert name in dir(phyzctl)


def test_type_checkers_are_told_the_same_homes() -> None:
    tree = ast.parse((ROOT / "phyzctl" / "__init__.py").read_text(encoding="utf-8"))
    told = {
        alias.asname or alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == phyzctl._HOMES


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'phyzctl' has no attribute 'nonsense'"):
        getattr(phyzctl, "nonsense")  # noqa: B009
