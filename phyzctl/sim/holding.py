"""What holds a Model in one state: contacts, limits, friction, equalities, and their forces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from phyzctl import native
from phyzctl.model.contacts import ContactTable
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.spatial import Array

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Touch:
    """A contact: two geoms (indices), their distance [m], negative where they overlap."""

    geoms: tuple[int, int]
    distance: float


class Holding:
    """Constraints of a Model, looked at one state at a time."""

    def __init__(
        self,
        model: Model,
        constraints: native.Constraints,
        world: native.ContactWorld,
        table: ContactTable,
        dt: float,
    ) -> None:
        self._model, self._constraints, self._world, self._dt = model, constraints, world, dt
        self._table = table

    def touches(self, q: Array) -> list[Touch]:
        """The contacts at `q` (nq,), those that are near but apart included."""
        found = native.contacts(self._world, q[np.newaxis])
        geoms = self._table.pair_geoms[found.pair]
        return [
            Touch((int(a), int(b)), float(distance))
            for (a, b), distance in zip(geoms, found.distance, strict=True)
        ]

    def forces(self, q: Array, v: Array, ctrl: Array, active: Flags) -> Iterator[tuple[str, Array]]:
        """What each constraint does to the degrees of freedom (nv,), by a name for people.

        Contacts with elliptic cones are taken as if their rows were independent. Nothing is told
        of a Model with activations.
        """
        if self._constraints.dynamics.na:
            return  # the kernel looks at activations in steps only
        contacts = self._contact_rows(q)
        held = native.forward_held(
            self._constraints, q, v, ctrl, dt=self._dt, contacts=contacts, eq_active=active
        )
        rows = native.constraint_rows(
            self._constraints, q, v, dt=self._dt, contacts=contacts, eq_active=active
        )
        miss = np.einsum("ij,j->i", rows.J, held.qacc) - rows.aref
        push = -miss / rows.R
        one_sided = np.isin(rows.origin, [native.ORIGINS.index("contact")]) | (rows.residual < 0.0)
        push[one_sided & (push < 0.0)] = 0.0
        pairs = native.contacts(self._world, q[np.newaxis]).pair
        for origin, source in dict.fromkeys(
            zip(rows.origin.tolist(), rows.source.tolist(), strict=True)
        ):
            mine = (rows.origin == origin) & (rows.source == source)
            force = np.einsum("i,ij->j", push[mine], rows.J[mine])
            yield self._name(native.ORIGINS[origin], source, pairs), force

    def misses(self, q: Array, v: Array, active: Flags) -> Iterator[tuple[int, float, str]]:
        """By how much each equality that holds is missed, [m] or [rad], and which of these."""
        rows = native.constraint_rows(self._constraints, q, v, dt=self._dt, eq_active=active)
        mine = rows.origin == native.ORIGINS.index("equality")
        for source in dict.fromkeys(rows.source[mine].tolist()):
            miss = np.abs(rows.residual[mine & (rows.source == source)])
            yield source, float(miss.max()), "rad" if self._turns(source) else "m"

    def _turns(self, equality: int) -> bool:
        found = self._model.equalities[equality]
        if found.objects != "joint":
            return False
        return self._model.joints[found.first].type.name == "HINGE"

    def _contact_rows(self, q: Array) -> native.ContactRows:
        found, table = native.contacts(self._world, q[np.newaxis]), self._table
        pair, count = found.pair, len(found.pair)
        law = table.pair_law[pair]
        target = np.column_stack([table.law_dim[law], table.pair_bodies[pair]]).astype(np.int32)
        laws = np.column_stack(
            [
                table.law_friction[law],
                table.law_solref[law],
                table.law_solref_friction[law],
                table.law_solimp[law],
                table.law_margin[law],
                table.law_gap[law],
                table.law_adhesion[law],
            ]
        )
        places = np.column_stack([found.distance, found.position, found.frame.reshape(count, 9)])
        return native.ContactRows(*(np.ascontiguousarray(each) for each in (target, laws, places)))

    def _name(self, origin: str, source: int, pairs: NDArray[np.int32]) -> str:
        model = self._model
        match origin:
            case "contact":
                bodies = self._table.pair_bodies[pairs[source]].tolist()
                a, b = (model.bodies[i].name if i >= 0 else "world" for i in bodies)
                return f"the contact of {a!r} and {b!r}"
            case "joint":
                return f"the limit of joint {model.joints[source].name!r}"
            case "equality":
                return f"the equality {model.equalities[source].name or source}"
            case "tendon":
                return f"tendon {model.tendons[source].name!r}"
        return "dry friction"
