"""Constraints as hard as a time step allows: what `--stiff` makes of a model's own softness.

A constraint of MuJoCo's kind is a spring with a time constant (solref), which wants two steps at
least, and an impedance (solimp): the share of the acceleration that it decides. The defaults are
soft: 0.02 s and 0.9 to 0.95, on which twenty cubes don't stay on each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from phyzctl.model.contacts import ContactTable
from phyzctl.spatial import Array

_STEPS = 2.0
_IMPEDANCE = 0.99
_SOFT = ("joint_limits", "joint_friction", "tendon_limits", "tendon_friction", "equalities")


def hardened_constraints(arrays: Mapping[str, Any], dt: float) -> dict[str, Any]:
    """The arguments of `native.Constraints` with every time constant at two steps of `dt` [s].

    Critically damped, and with impedances of at least 0.99. What states its stiffness and damping
    (a negative solref) keeps them, as do shorter time constants and higher impedances.
    """
    result = dict(arrays)
    for name in _SOFT:
        rows = np.array(arrays[name])
        rows[:, -7:-5], rows[:, -5:] = _hardened(rows[:, -7:-5], rows[:, -5:], dt)
        result[name] = rows
    return result


def hardened_contacts(table: ContactTable, dt: float) -> ContactTable:
    """The same of contacts; tangents follow their normals."""
    solref, solimp = _hardened(table.law_solref, table.law_solimp, dt)
    along = np.where(table.law_solref_friction < 0.0, table.law_solref_friction, 0.0)
    return replace(table, law_solref=solref, law_solimp=solimp, law_solref_friction=along)


def _hardened(solref: Array, solimp: Array, dt: float) -> tuple[Array, Array]:
    timed = (solref > 0.0).all(axis=1, keepdims=True)
    shortest = np.minimum(solref[:, :1], _STEPS * dt)
    critical = np.hstack([shortest, np.ones_like(shortest)])
    firm = solimp.copy()
    firm[:, :2] = np.maximum(firm[:, :2].max(axis=1, keepdims=True), _IMPEDANCE)
    return np.where(timed, critical, solref), np.where(timed, firm, solimp)
