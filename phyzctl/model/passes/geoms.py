"""Geoms and sites: kernel sizes, poses, bit masks and surface materials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from phyzctl.geometry.primitives import half_extents
from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HeightfieldShape,
    MeshShape,
    Plane,
    Shape,
    Sphere,
    Vec3,
)
from phyzctl.model.constraint import Site
from phyzctl.model.geom import Geom, GeomType
from phyzctl.model.material import MJCF_GEOM, ContactMaterial, ContactRules, SolImp, SolRef
from phyzctl.model.passes.values import ORIGIN, number, pose_of
from phyzctl.robot import elements

_TYPES: dict[type, GeomType] = {
    Plane: GeomType.PLANE,
    HeightfieldShape: GeomType.HEIGHTFIELD,
    Sphere: GeomType.SPHERE,
    Capsule: GeomType.CAPSULE,
    Ellipsoid: GeomType.ELLIPSOID,
    Cylinder: GeomType.CYLINDER,
    Box: GeomType.BOX,
    MeshShape: GeomType.MESH,
}


def body_geoms(link: elements.Link, body: int, rules: ContactRules) -> tuple[Geom, ...]:
    """The geoms of a link, as authored, on the body of that index (-1: the world)."""
    return tuple(_geom(geom, body, rules) for geom in link.geoms)


def body_sites(links: Iterable[tuple[int, elements.Link]]) -> tuple[Site, ...]:
    """The sites of all links, given with their body indices."""
    return tuple(
        Site(site.name, body, pose_of(site), site) for body, link in links for site in link.sites
    )


def _geom(geom: elements.Geom, body: int, rules: ContactRules) -> Geom:
    size = _size(geom.shape)
    type_ = GeomType.UNKNOWN if size is None else _TYPES[type(geom.shape)]
    surface = geom.surface or elements.Surface()
    touches = 1 if geom.collides else 0
    contype = touches if surface.contype is None else surface.contype
    conaffinity = touches if surface.conaffinity is None else surface.conaffinity
    stated = rules == "mujoco" or geom.surface is not None
    return Geom(
        geom.name,
        body,
        type_,
        size or ORIGIN,
        geom.shape,
        pose_of(geom),
        contype,
        conaffinity,
        surface_material(surface, rules) if stated else None,
        geom,
    )


def _size(shape: Shape | None) -> Vec3 | None:
    """The kernel's three sizes; None when the shape or a size of it could not be read."""
    match shape:
        case Plane() | MeshShape() | HeightfieldShape():
            return ORIGIN
        case Sphere(radius=float(radius)):
            return radius, 0.0, 0.0
        case Capsule(radius=float(radius), length=float(length)):
            return radius, 0.5 * length, 0.0
        case Cylinder(radius=float(radius), length=float(length)):
            return radius, 0.5 * length, 0.0
        case Box() | Ellipsoid():
            return half_extents(shape)
        case _:
            return None


def surface_material(surface: elements.Surface, rules: ContactRules) -> ContactMaterial:
    """What a geom states about its surface, completed by the defaults of the rules."""
    basis = MJCF_GEOM if rules == "mujoco" else ContactMaterial()
    plain = (basis.friction, basis.torsional_friction, basis.rolling_friction)
    slide, spin, roll = _completed(surface.friction, plain)
    timeconst, dampratio = _completed(surface.solref, basis.solref)
    d0, dw, width, mid, power = _completed(surface.solimp, basis.solimp)
    solref: SolRef = (timeconst, dampratio)
    solimp: SolImp = (d0, dw, width, mid, power)
    return ContactMaterial(
        friction=slide,
        torsional_friction=spin,
        rolling_friction=roll,
        margin=number(surface.margin, basis.margin),
        gap=number(surface.gap, basis.gap),
        adhesion=number(surface.adhesion, basis.adhesion),
        solref=solref,
        solimp=solimp,
        condim=basis.condim if surface.condim is None else surface.condim,
        priority=basis.priority if surface.priority is None else surface.priority,
        solmix=number(surface.solmix, basis.solmix),
    )


def _completed(stated: Sequence[float] | None, defaults: Sequence[float]) -> tuple[float, ...]:
    """The stated numbers, the rest from the defaults, as MJCF reads short lists."""
    written = tuple(stated or ())[: len(defaults)]
    return (*written, *defaults[len(written) :])
