"""`phyzctl tree`: links and joints as a drawing, or as data for other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.checking import load_robot
from phyzctl.cli.choices import Choices
from phyzctl.report.text import printable
from phyzctl.robot.robot import Robot

SCHEMA = "phyzctl.tree/1"
_DRAWN_LEVELS = 100

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class TreeFormat(StrEnum):
    """How the tree is written."""

    TEXT = "text"
    JSON = "json"
    DOT = "dot"
    MERMAID = "mermaid"


@app.command()
def tree(
    file: options.File,
    *,
    form: Annotated[TreeFormat, typer.Option("--format", "-f")] = TreeFormat.TEXT,
    package_path: options.PackagePath = None,
    xacro_arg: options.XacroArg = None,
    stdin_filename: options.StdinName = None,
) -> None:
    """Draw the tree of links and joints."""
    choices = Choices(package_path=package_path, xacro_arg=xacro_arg)
    _, robot, _ = load_robot(file, choices, stdin_filename)
    streams.write("".join(f"{line}\n" for line in _DRAWERS[form](robot)))


def _text(robot: Robot) -> Iterator[str]:
    """A line a link: its name, and the joints that move it."""
    structure = robot.structure
    roots = [link.name for link in structure if not structure.inbound(link.name)]
    stack = [(name, "", "", 0) for name in reversed(roots)]
    while stack:
        name, lead, below, depth = stack.pop()
        joints = ", ".join(f"{joint.name}: {joint.kind.value}" for joint in structure.inbound(name))
        yield printable(f"{lead}{name}{f' ({joints})' if joints else ''}")
        children = [child.name for child in structure.children(name)]
        if depth >= _DRAWN_LEVELS:  # a chain of thousands would be drawn mostly of blanks
            above = f"[{depth + 1} levels below the root] "
            stack.extend((child, above, "", depth + 1) for child in reversed(children))
            continue
        for index, child in reversed(list(enumerate(children))):
            last = index == len(children) - 1
            twig, trunk = ("└── ", "    ") if last else ("├── ", "│   ")
            stack.append((child, below + twig, below + trunk, depth + 1))


def _json(robot: Robot) -> Iterator[str]:
    yield json.dumps(tree_document(robot), indent=2, ensure_ascii=False)


def tree_document(robot: Robot) -> dict[str, Any]:
    """The tree as plain values: links in tree order, each with its parent and its joints."""
    structure = robot.structure
    links = []
    for link in structure:
        parent = structure.parent(link.name)
        joints = structure.inbound(link.name)
        links.append(
            {
                "name": link.name,
                "parent": parent.name if parent else None,
                "joints": [{"name": joint.name, "kind": joint.kind.value} for joint in joints],
            }
        )
    return {"schema": SCHEMA, "name": robot.name, "links": links}


def _dot(robot: Robot) -> Iterator[str]:
    yield f"digraph {_dot_string(robot.name)} {{"
    yield "  node [shape=box];"
    for link in robot:
        yield f"  {_dot_string(link.name)};"
    for parent, child, label in _edges(robot):
        yield f"  {_dot_string(parent)} -> {_dot_string(child)} [label={_dot_string(label)}];"
    yield "}"


def _mermaid(robot: Robot) -> Iterator[str]:
    numbers = {link.name: f"n{index}" for index, link in enumerate(robot)}
    yield "flowchart TD"
    for name, number in numbers.items():
        yield f'  {number}["{_mermaid_text(name)}"]'
    for parent, child, label in _edges(robot):
        yield f'  {numbers[parent]} -->|"{_mermaid_text(label)}"| {numbers[child]}'


def _edges(robot: Robot) -> Iterator[tuple[str, str, str]]:
    """Parent, child and joints of every link but the root."""
    structure = robot.structure
    for link in structure:
        joints = structure.inbound(link.name)
        if joints:
            label = ", ".join(f"{joint.name} ({joint.kind.value})" for joint in joints)
            yield joints[0].parent, link.name, label


def _dot_string(text: str) -> str:
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _mermaid_text(text: str) -> str:
    return printable(text).replace("#", "#35;").replace('"', "#quot;").replace("|", "#124;")


_DRAWERS: dict[TreeFormat, Callable[[Robot], Iterator[str]]] = {
    TreeFormat.TEXT: _text,
    TreeFormat.JSON: _json,
    TreeFormat.DOT: _dot,
    TreeFormat.MERMAID: _mermaid,
}
