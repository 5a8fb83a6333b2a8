"""An exclude or a contact pair that names nothing.

What it checks
    The bodies of every `<exclude>` and the geoms of every `<pair>` are defined; so are the links
    of an SRDF's pairs, a warning, since what they name may be attached later.

Why it matters
    MuJoCo refuses the file. Where it is accepted, the pair collides all the same.

Fix
    Correct the name; the nearest one is offered.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl import codes
from phyzctl.issues import Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.semantics import semantics_of

CODE = codes.CONTACT_NAME_UNKNOWN
FORMATS = frozenset({"mjcf", "srdf"})


def check(context: Context) -> Iterator[Finding]:
    """Links of an SRDF's pairs, which may be attached later; the builder reports the rest."""
    semantics = semantics_of(context)
    if semantics is None:
        return
    for tag in ("disable_collisions", "enable_collisions"):
        for node in semantics.root.findall(tag):
            for attribute in ("link1", "link2"):
                yield from semantics.unknown(node, attribute, "link", Severity.WARNING)
