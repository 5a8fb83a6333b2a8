"""Eigenvalues of a symmetric 3 by 3 tensor in plain Python, for checks that must start at once.

Everything else about inertias is in `phyzctl.spatial`, which needs numpy.
"""

from __future__ import annotations

import math

_SWEEPS = 12  # a 3 by 3 matrix is diagonal to the last bit after four or five


def symmetric_eigenvalues(
    *entries: *tuple[float, float, float, float, float, float],
) -> tuple[float, float, float]:
    """The eigenvalues of [[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]], ascending.

    `entries` are ixx, ixy, ixz, iyy, iyz, izz.
    Jacobi's method: exact to a few units in the last place of the largest entry, whatever the
    magnitude of the entries. Three NaN when any entry is NaN or infinite.
    """
    ixx, ixy, ixz, iyy, iyz, izz = entries
    scale = max(abs(entry) for entry in entries)
    if not all(math.isfinite(entry) for entry in entries):
        return math.nan, math.nan, math.nan
    if scale == 0.0:
        return 0.0, 0.0, 0.0
    a = [[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]
    a = [[entry / scale for entry in row] for row in a]
    for _ in range(_SWEEPS):
        if a[0][1] == a[0][2] == a[1][2] == 0.0:
            break
        for p, q, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            _rotate_away(a, p, q, other)
    low, middle, high = sorted((a[0][0], a[1][1], a[2][2]))
    return low * scale, middle * scale, high * scale


def _rotate_away(a: list[list[float]], p: int, q: int, other: int) -> None:
    """Turn the symmetric `a` in the plane of axes p and q so that a[p][q] becomes zero."""
    off = a[p][q]
    if abs(off) < 1e-300:
        a[p][q] = a[q][p] = 0.0
        return
    theta = (a[q][q] - a[p][p]) / (2.0 * off)
    tangent = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    cosine = 1.0 / math.hypot(tangent, 1.0)
    sine = tangent * cosine
    a[p][p] -= tangent * off
    a[q][q] += tangent * off
    a[p][q] = a[q][p] = 0.0
    to_p, to_q = a[p][other], a[q][other]
    a[p][other] = a[other][p] = cosine * to_p - sine * to_q
    a[q][other] = a[other][q] = sine * to_p + cosine * to_q
