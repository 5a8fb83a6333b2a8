"""Which geoms of a Model can touch, by which law, and the kernel's copy of that.

In a pair the geom of the smaller type comes first, then that of the smaller index. Pairs stand by
their bodies, explicit pairs of the file before others, then by their geoms. MuJoCo reports contacts
in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from phyzctl import native
from phyzctl.issues import Finding
from phyzctl.model.arrays import Indices
from phyzctl.model.body import WORLD
from phyzctl.model.contactlaws import Law, mixed_law, overridden, stated_law
from phyzctl.model.filter import ContactFilter, Pair, masks_meet, ordered
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.hulls import GeomHulls
from phyzctl.robot.mechanism import ContactPair
from phyzctl.spatial import Array

if TYPE_CHECKING:
    from phyzctl.model.model import Model

_DIMENSIONS = (1, 3, 4, 6)
# What geoms and pairs can state, and contacts don't heed.
_UNHEEDED = {
    "@adhesion": "its adhesion is not computed: contacts push only",
    "@surfacevel": "its moving surface is not computed: it stands still",
}


@dataclass(frozen=True, eq=False)
class ContactTable:
    """The admissible pairs of geoms, one a row, and what is left out, with the consequence."""

    pair_geoms: Indices
    """(npair, 2)."""
    pair_bodies: Indices
    """(npair, 2), -1 for the world."""
    pair_dim: Indices
    """(npair,) directions of force: 1, 3, 4 or 6."""
    pair_friction: Array
    """(npair, 5) sliding (two tangents), torsional, rolling (two axes)."""
    pair_solref: Array
    """(npair, 2)."""
    pair_solref_friction: Array
    """(npair, 2) of the tangents; zeros: that of the normal."""
    pair_solimp: Array
    """(npair, 5)."""
    pair_margin: Array
    """(npair,) [m] contacts push below this distance."""
    pair_gap: Array
    """(npair,) [m] they exist below margin + gap."""
    pair_restitution: Array
    """(npair,) what hits is thrown back with so much of its speed."""
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    geoms: Pair
    law: Law


def contact_table(model: Model) -> ContactTable:
    """The pairs of geoms of `model` that can touch, with their laws.

    Empty where MJCF's flags disable contacts. `findings` names each geom whose contacts are not
    computed, and each option that is not heeded.
    """
    return _table(model, model.hulls)


def make_contact_world(model: Model, table: ContactTable | None = None) -> native.ContactWorld:
    """The kernel's copy of a table, by default the model's own; what that finds is left out."""
    hulls = model.hulls
    table = _table(model, hulls) if table is None else table
    flags = dict(model.robot.option.flags)
    return native.ContactWorld(
        model.system,
        geom_shapes(model, hulls),
        table.pair_geoms,
        dimension=table.pair_dim,
        friction=table.pair_friction,
        solref=table.pair_solref,
        solref_friction=table.pair_solref_friction,
        solimp=table.pair_solimp,
        margin=table.pair_margin,
        gap=table.pair_gap,
        restitution=table.pair_restitution,
        manifolds=flags.get("multiccd", True),
    )


def geom_shapes(model: Model, hulls: GeomHulls) -> native.Shapes:
    """All geoms as the kernel collides them; those that it can't hold their places."""
    usable = [_why_not(model, hulls, number) is None for number in range(model.ngeom)]
    types = np.where(usable, model.arrays.geom_type, GeomType.UNKNOWN).astype(np.int32)
    sizes = np.where(np.array(usable).reshape(-1, 1), model.arrays.geom_size, 0.0)
    return native.Shapes(
        types, sizes, hulls=[hull.arrays for hull in hulls.hulls], hull=hulls.index
    )


def _table(model: Model, hulls: GeomHulls) -> ContactTable:
    findings = list(_option_findings(model))
    flags = dict(model.robot.option.flags)
    rows: list[_Row] = []
    if flags.get("contact", True) and flags.get("constraint", True):
        rows = list(_computed(model, hulls, _rows(model), findings))
    return _arrays(model, rows, findings)


def _rows(model: Model) -> Iterator[_Row]:
    """All pairs that may touch, whatever their shapes."""
    rules, stated = ContactFilter.of(model), _stated_pairs(model)
    explicit = {ordered(*geoms) for pairs in stated.values() for geoms, _ in pairs}
    laws: dict[tuple[int, int, int, int], Law] = {}
    option = model.robot.option
    colliding = _colliding(model)
    bodies = sorted({*colliding, *(body for pair in stated for body in pair)})
    for place, first in enumerate(bodies):
        for second in bodies[place:]:
            for geoms, pair in stated.get((first, second), ()):
                law = stated_law(model, model.geoms[geoms[0]], model.geoms[geoms[1]], pair)
                yield _Row(_by_type(model, *geoms), overridden(law, option))
            if first == second or not rules.bodies_may_collide(first, second):
                continue
            rows = []
            for i in colliding.get(first, ()):
                for j in colliding.get(second, ()):
                    a, b = model.geoms[i], model.geoms[j]
                    if masks_meet(a, b) and ordered(i, j) not in explicit:
                        key = (first, second, id(a.material), id(b.material))
                        if key not in laws:
                            laws[key] = overridden(mixed_law(model, a, b), option)
                        rows.append(_Row(_by_type(model, i, j), laws[key]))
            yield from sorted(rows, key=lambda row: row.geoms)


def _colliding(model: Model) -> dict[int, list[int]]:
    """Per body (-1: the world) the geoms that can meet anything by their masks."""
    found: dict[int, list[int]] = {}
    for number, geom in enumerate(model.geoms):
        if geom.collides:
            found.setdefault(geom.body, []).append(number)
    return found


def _stated_pairs(model: Model) -> dict[Pair, list[tuple[Pair, ContactPair]]]:
    """The file's explicit pairs of geoms by their bodies; not those of which neither can move."""
    index = {geom.name: number for number, geom in enumerate(model.geoms) if geom.name}
    welds = model.weld_groups()
    found: dict[Pair, list[tuple[Pair, ContactPair]]] = {}
    for pair in model.robot.pairs:
        if pair.first in index and pair.second in index:
            geoms = index[pair.first], index[pair.second]
            bodies = ordered(*(model.geoms[number].body for number in geoms))
            if any(body != WORLD and welds[body] != WORLD for body in bodies):
                found.setdefault(bodies, []).append((geoms, pair))
    return found


def _by_type(model: Model, first: int, second: int) -> Pair:
    """The geom of the smaller type first, then the one of the smaller index."""
    i, j = sorted((first, second), key=lambda number: (model.geoms[number].type, number))
    return i, j


def _computed(
    model: Model, hulls: GeomHulls, rows: Iterable[_Row], findings: list[Finding]
) -> Iterator[_Row]:
    """The rows that the kernel computes; what keeps the others out goes into `findings`."""
    told: set[int] = set()
    for row in rows:
        if all(model.geoms[i].type in (GeomType.PLANE, GeomType.HEIGHTFIELD) for i in row.geoms):
            continue  # neither moves
        faulty = False
        for number in row.geoms:
            why = _why_not(model, hulls, number) or _wrong_law(row.law)
            faulty = faulty or why is not None
            if number not in told:
                told.add(number)
                findings.extend(_geom_findings(model.geoms[number], why))
        if not faulty:
            yield row


def _geom_findings(geom: Geom, why: str | None) -> Iterator[Finding]:
    if why is not None:
        yield Finding(geom.element, f"{why}: nothing touches it")
    for extension in geom.element.extensions:
        if extension.tag in _UNHEEDED:
            yield Finding(geom.element, _UNHEEDED[extension.tag])


def _why_not(model: Model, hulls: GeomHulls, number: int) -> str | None:
    """Why the kernel can't collide a geom; None when it can."""
    geom = model.geoms[number]
    if geom.type is GeomType.HEIGHTFIELD:
        return "contacts with height fields are not computed"
    if number in hulls.missing:
        return f"its mesh has no hull ({hulls.missing[number]})"
    if geom.type is GeomType.MESH and hulls.index[number] < 0:
        return "its mesh has no hull"
    placed = bool(np.isfinite(geom.X_BG).all())
    if geom.type is GeomType.UNKNOWN or not placed or not all(0 <= s < math.inf for s in geom.size):
        return "its shape, size or pose could not be read"
    return None


def _wrong_law(law: Law) -> str | None:
    if law.dimension not in _DIMENSIONS:
        return f"condim {law.dimension} is none of 1, 3, 4 and 6"
    if any(math.isnan(number) for number in law.numbers):
        return "a parameter of its contacts is no number"
    return None


def _option_findings(model: Model) -> Iterator[Finding]:
    option = model.robot.option
    flags = dict(option.flags)
    if not flags.get("nativeccd", True):
        message = "contacts of convex shapes are not those of the older collision (nativeccd off)"
        yield Finding(option, message, "nativeccd")
    if flags.get("speculative", False):
        yield Finding(option, "contacts ahead of time (speculative) are not computed")
    for pair in model.robot.pairs:
        for extension in pair.extensions:
            if extension.tag in _UNHEEDED:
                yield Finding(pair, _UNHEEDED[extension.tag])


def _arrays(model: Model, rows: Sequence[_Row], findings: Sequence[Finding]) -> ContactTable:
    geoms = np.array([row.geoms for row in rows], dtype=np.int32).reshape(-1, 2)
    laws = [row.law for row in rows]

    def numbers(values: Iterable[object], *shape: int) -> Array:
        return np.array(list(values), dtype=np.float64).reshape(len(rows), *shape)

    return ContactTable(
        geoms,
        np.ascontiguousarray(model.arrays.geom_body[geoms]).astype(np.int32).reshape(-1, 2),
        np.array([law.dimension for law in laws], dtype=np.int32),
        numbers((law.friction for law in laws), 5),
        numbers((law.solref for law in laws), 2),
        numbers((law.solref_friction for law in laws), 2),
        numbers((law.solimp for law in laws), 5),
        numbers(law.margin for law in laws),
        numbers(law.gap for law in laws),
        numbers(law.restitution for law in laws),
        tuple(findings),
    )
