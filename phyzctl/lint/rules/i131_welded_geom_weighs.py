"""A welded body that is weighed, on one whose mass is stated.

What it checks
    In MJCF a body without joints and without `<inertial>`, whose geoms state neither mass nor
    density, doesn't add more than 5 % (`welded-share`) to the moving body that it is welded to
    and that states its own.

Why it matters
    The stated inertial is that of the whole part, measured or from CAD. MuJoCo adds the geoms of
    the welded body at the density of water: a pad, a marker or a cover weighs twice.

Fix
    Write mass="0" on those geoms, or an `<inertial>` for what the welded body really weighs.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import summed
from phyzctl.robot.checks.groups import authored_mass, moving_groups
from phyzctl.robot.elements import Link

CODE = Code("I131", "welded-geom-weighs", Severity.WARNING)
FORMATS = frozenset({"mjcf"})
COST = "mesh"
TOLERANCES = {"welded-share": 0.05}  # of the mass that is stated


def check(context: Context) -> Iterator[Finding]:
    """Welded bodies that add mass nobody stated."""
    summary = "its geoms add mass at the density of water to a body that states its own"
    yield from summed(_found(context), summary)


def _found(context: Context) -> Iterator[Finding]:
    if context.robot.settings.inertia_from_geom is not None:
        return
    share = context.tolerance("welded-share")
    for group in moving_groups(context.robot):
        head, *welded = group
        stated = authored_mass(head)
        for link in welded:
            if not stated > 0.0 or not _is_weighed_as_water(link):
                continue
            added = sum(context.geom_masses(link).values())
            if added > share * stated:
                message = (
                    f"its geoms add {added:.3g} kg at the density of water to {head.name!r}, "
                    f"which states {stated:.3g} kg"
                )
                yield Finding(link, message)


def _is_weighed_as_water(link: Link) -> bool:
    geoms = [geom for geom in link.geoms if geom.mass is None and geom.density is None]
    return link.inertial is None and bool(geoms) and len(geoms) == len(link.geoms)
