"""Robot descriptions read, judged, compiled and simulated: the public names of phyzctl.

Each name is loaded on first use, so that importing the package, and answering
`phyzctl --version`, costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
    from phyzctl.issues import (
        BuildError,
        Code,
        Edit,
        Fix,
        Issue,
        Issues,
        LoadError,
        Related,
        Severity,
        Source,
    )

__version__ = "0.1.0"

__all__ = [
    "BuildError",
    "Code",
    "Edit",
    "Fix",
    "Issue",
    "Issues",
    "LoadError",
    "NotFoundError",
    "PhyzctlError",
    "Related",
    "Severity",
    "Source",
    "UnreadableError",
    "__version__",
]

# The module that each name is loaded from. The imports above, for type checkers, say the same.
_HOMES = {
    "BuildError": "phyzctl.issues",
    "Code": "phyzctl.issues",
    "Edit": "phyzctl.issues",
    "Fix": "phyzctl.issues",
    "Issue": "phyzctl.issues",
    "Issues": "phyzctl.issues",
    "LoadError": "phyzctl.issues",
    "NotFoundError": "phyzctl.errors",
    "PhyzctlError": "phyzctl.errors",
    "Related": "phyzctl.issues",
    "Severity": "phyzctl.issues",
    "Source": "phyzctl.issues",
    "UnreadableError": "phyzctl.errors",
}


def __getattr__(name: str) -> object:
    """Load a public name from its home and keep it."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'phyzctl' has no attribute {name!r}")
    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
