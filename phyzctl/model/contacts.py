"""Which geoms of a Model can touch, by which law, and the kernel's copy of that.

In a pair the geom of the smaller type comes first, then that of the smaller index. For the order
of pairs see `contactpairs`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.distinct import distinct
from phyzctl.issues import Finding
from phyzctl.model.arrays import Indices
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.contactlaws import Law, material_of, mixed_law, overridden, stated_law
from phyzctl.model.contactpairs import GeomPairs, by_type, geom_pairs
from phyzctl.model.geom import GeomType
from phyzctl.model.hulls import GeomHulls
from phyzctl.model.material import ContactMaterial
from phyzctl.records import dataclass
from phyzctl.spatial import Array

Numbers = NDArray[np.int64]

_DIMENSIONS = (1, 3, 4, 6)
# What makes two materials one: all but where they stand.
_PROPERTIES = attrgetter(*(each.name for each in fields(ContactMaterial) if each.name != "source"))
# What geoms and pairs can state, and contacts don't heed.
_UNHEEDED = {
    "@surfacevel": "its moving surface is not computed: it stands still",
}


@dataclass(frozen=True, eq=False)
class ContactTable:
    """The admissible pairs of geoms, one a row, their laws, and what is left out."""

    pair_geoms: Indices
    """(npair, 2)."""
    pair_bodies: Indices
    """(npair, 2), -1 for the world."""
    pair_law: Indices
    """(npair,) which of the laws holds."""
    law_dim: Indices
    """(nlaw,) directions of force: 1, 3, 4 or 6."""
    law_friction: Array
    """(nlaw, 5) sliding (two tangents), torsional, rolling (two axes)."""
    law_solref: Array
    """(nlaw, 2)."""
    law_solref_friction: Array
    """(nlaw, 2) of the tangents; zeros: that of the normal."""
    law_solimp: Array
    """(nlaw, 5)."""
    law_margin: Array
    """(nlaw,) [m] contacts push below this distance."""
    law_gap: Array
    """(nlaw,) [m] they exist below margin + gap."""
    law_adhesion: Array
    """(nlaw,) [N] each can pull with so much, below margin + gap."""
    law_restitution: Array
    """(nlaw,) what hits is thrown back with so much of its speed."""
    findings: tuple[Finding, ...]
    """What is left out, with the consequence."""


def contact_table(model: CompiledModel) -> ContactTable:
    """The pairs of geoms of `model` that can touch, with their laws.

    Empty where MJCF's flags disable contacts. `findings` names each geom whose contacts are not
    computed, and each option that is not heeded. Raises PhyzctlError for more than
    `contactpairs.MAX_PAIRS`.
    """
    return _table(model, model.hulls)


def make_contact_world(
    model: CompiledModel, table: ContactTable | None = None
) -> native.ContactWorld:
    """The kernel's copy of a table, by default the model's own; what that finds is left out."""
    hulls = model.hulls
    table = _table(model, hulls) if table is None else table
    flags = dict(model.robot.option.flags)
    return native.ContactWorld(
        model.system,
        geom_shapes(model, hulls),
        table.pair_geoms,
        table.pair_law,
        dimension=table.law_dim,
        friction=table.law_friction,
        solref=table.law_solref,
        solref_friction=table.law_solref_friction,
        solimp=table.law_solimp,
        margin=table.law_margin,
        gap=table.law_gap,
        adhesion=table.law_adhesion,
        restitution=table.law_restitution,
        manifolds=flags.get("multiccd", True),
    )


def geom_shapes(model: CompiledModel, hulls: GeomHulls) -> native.Shapes:
    """All geoms as the kernel collides them; those that it can't hold their places."""
    usable = [_why_not(model, hulls, number) is None for number in range(model.ngeom)]
    types = np.where(usable, model.arrays.geom_type, GeomType.UNKNOWN).astype(np.int32)
    sizes = np.where(np.array(usable).reshape(-1, 1), model.arrays.geom_size, 0.0)
    return native.Shapes(
        types, sizes, hulls=[hull.arrays for hull in hulls.hulls], hull=hulls.index
    )


def _table(model: CompiledModel, hulls: GeomHulls) -> ContactTable:
    findings = list(_option_findings(model))
    flags = dict(model.robot.option.flags)
    if not (flags.get("contact", True) and flags.get("constraint", True)):
        nothing = np.empty((0, 2), dtype=np.int32)
        return _arrays(model, nothing, np.empty(0, dtype=np.int64), [], findings)
    pairs = geom_pairs(model)
    which, laws = _laws(model, pairs)
    geoms = by_type(model, pairs.geoms)
    moving = (model.arrays.geom_type[geoms] > GeomType.HEIGHTFIELD).any(axis=1)
    geoms, which = geoms[moving], which[moving]
    reasons = {i: _why_not(model, hulls, i) for i in distinct(geoms)[0].tolist()}
    wrong = [_wrong_law(law) for law in laws]
    findings += _geom_findings(model, geoms, which, reasons, wrong)
    usable = np.ones(model.ngeom, dtype=np.bool_)
    usable[[i for i, why in reasons.items() if why]] = False
    lawful = np.array([why is None for why in wrong], dtype=np.bool_)
    kept = usable[geoms].all(axis=1) & lawful[which]
    used, _, which = distinct(which[kept])
    return _arrays(model, geoms[kept], which, [laws[i] for i in used.tolist()], findings)


def _laws(model: CompiledModel, pairs: GeomPairs) -> tuple[Numbers, list[Law]]:
    """Per pair which law holds, and the laws: one for each explicit pair and mix of materials."""
    stated, robot = pairs.stated, model.robot
    material = _materials(model)[pairs.geoms]
    mixes = material[:, 0] * model.ngeom + material[:, 1] + len(robot.pairs)
    _, first, which = distinct(np.where(stated >= 0, stated, mixes))
    laws = []
    for row in first.tolist():
        a, b = (model.geoms[i] for i in pairs.geoms[row])
        pair = robot.pairs[stated[row]] if stated[row] >= 0 else None
        law = mixed_law(model, a, b) if pair is None else stated_law(model, a, b, pair)
        laws.append(overridden(law, robot.option))
    return which, laws


def _materials(model: CompiledModel) -> Numbers:
    """Per geom the number of its material; equal ones have the same."""
    seen: dict[object, int] = {}
    keys = (_PROPERTIES(material_of(model, geom)) for geom in model.geoms)
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)


def _geom_findings(
    model: CompiledModel,
    geoms: Indices,
    which: Numbers,
    reasons: Mapping[int, str | None],
    wrong: Sequence[str | None],
) -> Iterator[Finding]:
    """Why geoms touch nothing, or not all: their own fault, or that of the law of a pair."""
    unlawful = np.array([why is not None for why in wrong], dtype=np.bool_)[which]
    faulty, rows, _ = distinct(geoms[unlawful])
    laws = dict(zip(faulty.tolist(), np.repeat(which[unlawful], 2)[rows].tolist(), strict=True))
    for number, why in reasons.items():
        element = model.geoms[number].element
        fault = why or (wrong[laws[number]] if number in laws else None)
        if fault is not None:
            yield Finding(element, f"{fault}: nothing touches it")
        for extension in element.extensions:
            if extension.tag in _UNHEEDED:
                yield Finding(element, _UNHEEDED[extension.tag])


def _why_not(model: CompiledModel, hulls: GeomHulls, number: int) -> str | None:
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


def _option_findings(model: CompiledModel) -> Iterator[Finding]:
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


def _arrays(
    model: CompiledModel,
    geoms: Indices,
    which: Numbers,
    laws: Sequence[Law],
    findings: Sequence[Finding],
) -> ContactTable:
    numbers = np.array([law.numbers for law in laws], dtype=np.float64).reshape(len(laws), 18)
    parts = np.split(numbers, [5, 7, 9, 14], axis=1)
    friction, solref, tangent, solimp, rest = (np.ascontiguousarray(part) for part in parts)
    margin, gap, adhesion, restitution = np.ascontiguousarray(rest.T)
    return ContactTable(
        np.ascontiguousarray(geoms),
        model.arrays.geom_body[geoms],
        which.astype(np.int32),
        np.array([law.dimension for law in laws], dtype=np.int32),
        friction,
        solref,
        tangent,
        solimp,
        margin,
        gap,
        adhesion,
        restitution,
        tuple(findings),
    )
