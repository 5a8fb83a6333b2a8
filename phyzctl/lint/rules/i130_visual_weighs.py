"""A visual geom that is weighed beside the collision geoms.

What it checks
    Where MuJoCo weighs the geoms of a moving body, those that only show make up no more than 30 %
    of the mass (`visual-share`), unless they state their mass or density, or no collision geom
    has any. A geom only shows when both its masks are 0 and it is in another group than all that
    collide.

Why it matters
    The part weighs twice: once for what it looks like and once for what it collides as, at the
    density of water.

Fix
    Write mass="0" on the visual geoms, best in their default class; or state `<inertial>`.

Exceptions
    A body that is welded to one that states its mass, which is I131's.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import summed
from phyzctl.robot.checks.contact import masks
from phyzctl.robot.checks.groups import moving_groups, states_mass
from phyzctl.robot.elements import Geom, Link

CODE = Code("I130", "visual-weighs", Severity.WARNING)
FORMATS = frozenset({"mjcf"})
COST = "mesh"
TOLERANCES = {"visual-share": 0.3}  # of the body's mass


def check(context: Context) -> Iterator[Finding]:
    """Bodies whose looks weigh."""
    yield from summed(_found(context), "visual geoms are weighed beside its collision geoms")


def _found(context: Context) -> Iterator[Finding]:
    most = context.tolerance("visual-share")
    for group in moving_groups(context.robot):
        for link in group:
            if not _is_suspect(context, link) or (link is not group[0] and states_mass(group[0])):
                continue
            weights = context.geom_masses(link)
            shown = sum(weights.get(id(geom), 0.0) for geom in _visuals(link))
            whole = sum(weights.values())
            if shown < whole and shown > most * whole:
                message = (
                    f"visual geoms make up {100.0 * shown / whole:.0f} % of its {whole:.3g} kg, "
                    "beside its collision geoms"
                )
                yield Finding(link, message)


def _is_suspect(context: Context, link: Link) -> bool:
    """True when geoms of both kinds are there to be weighed."""
    weighed = context.robot.settings.inertia_from_geom
    if weighed is False or (weighed is None and link.inertial is not None):
        return False
    return any(map(_is_weighed_as_water, _visuals(link)))


def _visuals(link: Link) -> list[Geom]:
    """The geoms that only show: they meet nothing, and no geom of their group does.

    Geoms of one group, some of which don't collide, are all parts of the body.
    """
    touching = {geom.group or 0 for geom in link.geoms if masks(geom) != (0, 0)}
    if not touching:
        return []
    return [
        geom for geom in link.geoms if masks(geom) == (0, 0) and (geom.group or 0) not in touching
    ]


def _is_weighed_as_water(geom: Geom) -> bool:
    return geom.mass is None and geom.density is None
