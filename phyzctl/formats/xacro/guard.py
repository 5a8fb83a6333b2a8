"""What an expression in a xacro may be: arithmetic, words and lists, nothing that reaches further.

xacro evaluates Python. It hides the built-in functions, but leaves ways to them, and `$(eval)`
hides none. A description comes from anywhere, and looking at it must not run it.
"""

from __future__ import annotations

import ast
from typing import Any

_LONGEST = 20_000  # characters of an expression
_MOST_ITEMS = 1_000_000  # of a result
_HIGHEST_POWER = 1000
# Ways from a value to the interpreter behind it; those that begin with _ are refused anyhow.
_REFUSED = frozenset(
    {
        "cr_frame",
        "f_back",
        "f_builtins",
        "f_globals",
        "f_locals",
        "format_map",
        "gi_code",
        "gi_frame",
        "mro",
        "tb_frame",
        "tb_next",
        "type",
        "vars",
    }
)


class RefusedError(Exception):
    """An expression that does more than compute."""


_HARMLESS = {
    each.__name__: each
    for each in (abs, bool, dict, float, int, len, list, map, max, min, round, str, sum, tuple)
}


def evaluate(text: str, scope: dict[str, Any], names: Any = None) -> Any:
    """The value of a Python expression over `scope`, and before it `names`, as `eval` takes them.

    Raises `RefusedError` for an expression that isn't harmless, and what it raises itself.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise RefusedError(f"an expression has more than {_LONGEST} characters")
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        _check(node)
    scope.update(__builtins__=_HARMLESS)
    value = eval(compile(tree, "<expression>", "eval"), scope, names)
    if isinstance(value, str | list | tuple | dict) and len(value) > _MOST_ITEMS:
        raise RefusedError(f"the value of {text[:40]!r} has more than {_MOST_ITEMS} items")
    return value


def _check(node: ast.AST) -> None:
    """`__class__` and the like are refused as names, after a dot, and in texts to format."""
    name = node.attr if isinstance(node, ast.Attribute) else None
    name = node.id if isinstance(node, ast.Name) else name
    if name is not None and (name.startswith("__") or name in _REFUSED):
        raise RefusedError(f"{name!r} is not allowed in an expression")
    if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
        raise RefusedError(f"{node.attr!r} is not allowed in an expression")
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and ".__" in node.value:
        raise RefusedError("a text with .__ is not allowed in an expression")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.LShift):
        exponent = node.right
        small = isinstance(exponent, ast.Constant) and isinstance(exponent.value, int | float)
        if small and abs(exponent.value) > _HIGHEST_POWER:  # type: ignore[attr-defined]
            raise RefusedError(f"powers above {_HIGHEST_POWER} are not computed")
