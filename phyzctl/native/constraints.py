"""The door to constraints: limits, dry friction, equalities, and the rows they make at a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, INT32, check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native.dynamics import Dynamics

CONES = ("pyramidal", "elliptic")
ORIGINS = ("equality", "dof", "joint", "tendon", "contact", "actuator")
"""What a row comes from: `dof` and `tendon` of dry friction, `joint` and `tendon` of limits."""


class Constraints:
    """What holds a Dynamics: copied and checked once, never changed.

    `noslip`: at most how many passes seek friction as if it were rigid, after the soft problem; the
    last is one that gains less than so many times the trace of the mass matrix.
    """

    __slots__ = ("_handle", "dynamics", "neq")

    def __init__(
        self,
        dynamics: Dynamics,
        *,
        joint_limits: NDArray[np.float64],
        joint_friction: NDArray[np.float64],
        dof_friction: NDArray[np.float64],
        tendon_limits: NDArray[np.float64],
        tendon_friction: NDArray[np.float64],
        equality_target: NDArray[np.int32],
        equalities: NDArray[np.float64],
        q_reference: NDArray[np.float64],
        cone: str = "pyramidal",
        impratio: float = 1.0,
        refsafe: bool = True,
        diagexact: bool = False,
        noslip: tuple[int, float] = (0, 0.0),
    ) -> None:
        """Copy the arrays, in SI units, for the joints and tendons of `dynamics`.

        How soft a constraint is say MuJoCo's solref (2) and solimp (5). `joint_limits`
        (njoint, 10): range (2), infinite where there is none, margin, softness; a ball's angle
        is limited by the upper number. `joint_friction` (njoint, 7): softness; `dof_friction`
        (nv,): force, zero for none. `tendon_limits` (ntendon, 10) as for joints;
        `tendon_friction` (ntendon, 8): force, softness. `equality_target` (neq, 3): 0 connect,
        1 weld, 2 joint, 3 tendon, and two indices, of bodies (-1 is the world), joints or tendons
        (second -1: none). `equalities` (neq, 22): of connects and welds a frame on each body
        (x y z and quaternion w x y z) and the scale of turning; of the others a polynomial (5) that
        the first follows, as they move from `q_reference` (nq,); softness from the 15th on.

        Raises:
            ValueError: wrong type, shape or layout; an index that points nowhere; no such cone.
        """
        njoint, ntendon = dynamics.system.njoint, dynamics.ntendon
        self.dynamics, self.neq = dynamics, len(equality_target)
        check("joint_limits", joint_limits, FLOAT64, (njoint, 10))
        check("joint_friction", joint_friction, FLOAT64, (njoint, 7))
        check("dof_friction", dof_friction, FLOAT64, (dynamics.nv,))
        check("tendon_limits", tendon_limits, FLOAT64, (ntendon, 10))
        check("tendon_friction", tendon_friction, FLOAT64, (ntendon, 8))
        check("equality_target", equality_target, INT32, (None, 3))
        check("equalities", equalities, FLOAT64, (self.neq, 22))
        check("q_reference", q_reference, FLOAT64, (dynamics.system.nq,))
        _check_settings(cone, noslip)
        self._handle = _kernel.Constraints(
            dynamics._handle,
            joint_limits=joint_limits,
            joint_friction=joint_friction,
            dof_friction=dof_friction,
            tendon_limits=tendon_limits,
            tendon_friction=tendon_friction,
            equality_target=equality_target,
            equalities=equalities,
            q_reference=q_reference,
            cone=CONES.index(cone),
            impratio=float(impratio),
            refsafe=refsafe,
            diagexact=diagexact,
            noslip=noslip,
        )


def _check_settings(cone: str, noslip: tuple[int, float]) -> None:
    if cone not in CONES:
        raise ValueError(f"cone must be one of {', '.join(CONES)}, not {cone!r}")
    if noslip[0] < 0:
        raise ValueError(f"noslip must not be a negative number of passes ({noslip[0]})")


class ContactRows(NamedTuple):
    """Contacts that are given, not found; one row each."""

    target: NDArray[np.int32]
    """(n, 3): directions of force (1, 3, 4 or 6), and two bodies; -1 is the world."""
    laws: NDArray[np.float64]
    """(n, 17): friction (5), solref, that of friction (2 each), solimp (5), margin, gap, and what
    pulls."""
    places: NDArray[np.float64]
    """(n, 13): distance, position (3), normal and two tangents (9), in the world."""

    @classmethod
    def none(cls) -> ContactRows:
        """No contacts."""
        return cls(np.zeros((0, 3), np.int32), np.zeros((0, 17)), np.zeros((0, 13)))

    def check(self, nbody: int) -> None:
        """Refuse wrong types and shapes, and bodies that are not there."""
        check("target", self.target, INT32, (None, 3))
        check("laws", self.laws, FLOAT64, (len(self.target), 17))
        check("places", self.places, FLOAT64, (len(self.target), 13))
        bodies, dimensions = self.target[:, 1:], self.target[:, 0]
        if bodies.size and not (bodies.min() >= -1 and bodies.max() < nbody):
            raise ValueError(f"target must name bodies from -1 to {nbody - 1}")
        if not np.isin(dimensions, (1, 3, 4, 6)).all():
            raise ValueError("target must have 1, 3, 4 or 6 directions of force")


class Rows(NamedTuple):
    """The constraint rows of a state: J a is asked to be `aref`, softly.

    Equalities first, then dry friction, limits and contacts; of a pyramid each edge is a row.
    """

    J: NDArray[np.float64]
    """(n, nv)."""
    residual: NDArray[np.float64]
    """(n,) [m or rad] what is wrong with the position, the margin taken off."""
    aref: NDArray[np.float64]
    """(n,)."""
    R: NDArray[np.float64]
    """(n,) how soft the row is: by how much J a may miss `aref` for a unit of force."""
    origin: NDArray[np.int32]
    """(n,) of `ORIGINS`."""
    source: NDArray[np.int32]
    """(n,) which equality, degree of freedom, joint, tendon or contact."""


def constraint_rows(
    constraints: Constraints,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    *,
    dt: float,
    contacts: ContactRows | None = None,
    eq_active: NDArray[np.bool_] | None = None,
) -> Rows:
    """The rows at `q` (nq,), `v` (nv,); time constants are kept above two steps of `dt` [s].

    `eq_active` (neq,) says which equalities hold; all, when not given.

    Raises:
        ValueError: wrong type, shape or layout; a contact of a body that is not there.
    """
    dynamics = constraints.dynamics
    check("q", q, FLOAT64, (dynamics.system.nq,))
    check("v", v, FLOAT64, (dynamics.nv,))
    active, given = _holding(constraints, contacts, eq_active)
    made = _kernel.ConstraintRows(constraints._handle, q, v, float(dt), active, *given)
    count = len(made)
    rows = Rows(
        J=np.empty((count, dynamics.nv)),
        residual=np.empty(count),
        aref=np.empty(count),
        R=np.empty(count),
        origin=np.empty(count, np.int32),
        source=np.empty(count, np.int32),
    )
    made.write(*rows)
    return rows


class Held(NamedTuple):
    """What a state's constraints leave of its acceleration."""

    qacc: NDArray[np.float64]
    """(nv,)."""
    force: NDArray[np.float64]
    """(nv,) J'f, the generalised force of all constraints."""
    iterations: int
    gap: float
    """What the cost might still fall by, over the trace of the mass matrix [m²/s⁴ or alike]."""
    capped: bool
    """True when the iterations ran out."""


def forward_held(
    constraints: Constraints,
    q: NDArray[np.float64],
    v: NDArray[np.float64],
    ctrl: NDArray[np.float64],
    *,
    dt: float,
    contacts: ContactRows | None = None,
    eq_active: NDArray[np.bool_] | None = None,
    applied: NDArray[np.float64] | None = None,
    warmstart: NDArray[np.float64] | None = None,
    iterations: int = 100,
    tolerance: float = 1e-12,
) -> Held:
    """The acceleration at `q` (nq,), `v` (nv,) under `ctrl` (nctrl,) and constraints.

    `applied`, `warmstart` (nv,) are zero when not given; the rest as for `constraint_rows`.

    Raises:
        ValueError: wrong type, shape or layout; a contact of a body that is not there.
    """
    dynamics = constraints.dynamics
    check("q", q, FLOAT64, (dynamics.system.nq,))
    check("v", v, FLOAT64, (dynamics.nv,))
    check("ctrl", ctrl, FLOAT64, (dynamics.nctrl,))
    applied = np.zeros(dynamics.nv) if applied is None else applied
    warmstart = np.zeros(dynamics.nv) if warmstart is None else warmstart
    check("applied", applied, FLOAT64, (dynamics.nv,))
    check("warmstart", warmstart, FLOAT64, (dynamics.nv,))
    active, given = _holding(constraints, contacts, eq_active)
    qacc, force, report = np.empty(dynamics.nv), np.empty(dynamics.nv), np.empty(3)
    _kernel.accelerate_held(
        constraints._handle,
        q,
        v,
        ctrl,
        applied,
        warmstart,
        float(dt),
        iterations,
        float(tolerance),
        active,
        *given,
        qacc,
        force,
        report,
    )
    return Held(qacc, force, int(report[0]), float(report[1]), bool(report[2]))


def _holding(
    constraints: Constraints,
    contacts: ContactRows | None,
    eq_active: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.uint8], ContactRows]:
    """Which equalities hold, and the contacts, checked."""
    contacts = ContactRows.none() if contacts is None else contacts
    contacts.check(constraints.dynamics.system.nbody)
    active = np.ones(constraints.neq, np.bool_) if eq_active is None else eq_active
    check("eq_active", active, np.dtype(np.bool_), (constraints.neq,))
    return active.view(np.uint8), contacts
