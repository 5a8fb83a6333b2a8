"""One contact under the ellipsoidal limit surface, in its own frame of normal and tangent.

A force f = (fn, ft) at p = (-b, s) has the moment m = -b ft - s fn and moves the slider with the
twist (fn, ft, m / c^2), forces being counted in m/s. With beta = b/c and sigma = s/c the contact
moves at M f, M = [[1 + sigma^2, beta sigma], [beta sigma, 1 + beta^2]] (Lynch, Maekawa and
Tanie 1992; Goyal, Ruina and Papadopoulos 1991 for the limit surface).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from phyzctl.pushing.command import NORMALS, ContactMode
from phyzctl.pushing.plane import Twist


class Surface(NamedTuple):
    """What the contact law needs: `half_extent` b [m], `char_len` c [m], `friction` mu."""

    half_extent: float
    char_len: float
    friction: float


def contact_force(
    surface: Surface, offset: float, push_speed: float, tangent_speed: float
) -> tuple[float, float, ContactMode]:
    """Normal and tangential force [m/s] at a pusher that moves so, and what its contact does.

    The force that would make it stick decides: within the friction cone it sticks, outside it
    slides on the edge that the force is nearer to, also where that force pulls. For a push speed
    above 0 the answer exists and is the only one; at 0 or below the pusher is SEPARATED.
    """
    if push_speed <= 0.0:
        return 0.0, 0.0, ContactMode.SEPARATED
    beta, sigma = surface.half_extent / surface.char_len, offset / surface.char_len
    m_nn, m_nt, m_tt = 1.0 + sigma * sigma, beta * sigma, 1.0 + beta * beta
    determinant = m_nn + beta * beta
    normal = (m_tt * push_speed - m_nt * tangent_speed) / determinant
    tangential = (m_nn * tangent_speed - m_nt * push_speed) / determinant
    if abs(tangential) <= surface.friction * normal:
        return normal, tangential, ContactMode.STICK
    slope = math.copysign(surface.friction, tangential)
    normal = push_speed / (m_nn + slope * m_nt)
    mode = ContactMode.SLIDE_UP if tangential > 0.0 else ContactMode.SLIDE_DOWN
    return normal, slope * normal, mode


def twist_of_force(
    surface: Surface, face: int, offset: float, normal: float, tangential: float
) -> Twist:
    """The body twist that a force [m/s] at an offset [m] on a face gives the slider."""
    nx, ny = NORMALS[face]
    length = surface.char_len
    beta, sigma = surface.half_extent / length, offset / length
    return Twist(
        nx * normal - ny * tangential,
        ny * normal + nx * tangential,
        -(beta * tangential + sigma * normal) / length + 0.0,  # never -0
    )


def motion_cone(surface: Surface, offset: float) -> tuple[float, float]:
    """The least and greatest tangent speed over push speed at which a pusher there sticks.

    Infinite on a side where it sticks however fast it moves sideways, which takes a friction of
    2 c/b at least (Hogan and Rodriguez 2016 for the closed form).
    """
    beta, sigma = surface.half_extent / surface.char_len, offset / surface.char_len
    m_nn, m_nt, m_tt = 1.0 + sigma * sigma, beta * sigma, 1.0 + beta * beta
    low, high = m_nn - surface.friction * m_nt, m_nn + surface.friction * m_nt
    return (
        (m_nt - surface.friction * m_tt) / low if low > 0.0 else -math.inf,
        (m_nt + surface.friction * m_tt) / high if high > 0.0 else math.inf,
    )
