"""An SRDF without its URDF.

What it checks
    Beside an SRDF, in the folder above or in `urdf`, `robots` or the like there, lies a URDF whose
    robot has the same name, and that can be read as a whole.

Why it matters
    Nothing can be said of the links and joints that the SRDF names: any of them may be misspelt.

Fix
    Validate the two together: `phyzctl validate robot.urdf --srdf robot.srdf`.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import semantics_of

CODE = Code("N307", "srdf-alone", Severity.INFO)
FORMATS = frozenset({"srdf"})


def check(context: Context) -> Iterator[Finding]:
    """SRDFs whose robot isn't there."""
    semantics = semantics_of(context)
    if semantics is not None and context.reading.robot is None:
        name = semantics.root.get("name")
        message = f"no sound URDF of robot {name!r} lies beside it, so names are not checked"
        yield Finding(semantics.root, message, subject="srdf")
