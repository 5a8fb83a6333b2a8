"""A visual that names a material which is defined nowhere.

What it checks
    A `<material>` of a URDF visual that states neither colour nor texture names one that some
    other element of the file defines.

Why it matters
    Most viewers draw the part in grey; Drake refuses the file.

Fix
    Correct the name, or state a colour.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold
from phyzctl.robot.checks.shapes import material_undefined

CODE = codes.MATERIAL_UNDEFINED
FORMATS = frozenset({"urdf"})
RAISED = {"drake": Severity.ERROR}


def check(context: Context) -> Iterator[Finding]:
    """Materials without a definition."""
    yield from fold(material_undefined(context.robot))
