"""`<geom>`, `<site>` and `<inertial>` from their elements."""

from __future__ import annotations

import numpy as np

from phyzctl import codes
from phyzctl.formats.mjcf.write_assets import Assets
from phyzctl.formats.mjcf.writing import ORIGIN, Writing
from phyzctl.formats.xmlwrite import Element
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
)
from phyzctl.robot.elements import Geom, GeomRole, Inertia, Inertial, Site, Surface
from phyzctl.spatial import inertia_matrix, pose

DRAWN_GROUP, TOUCHING_GROUP = 2, 3  # the custom of MJCF: viewers show groups 0 to 2
_Sized = tuple[str, tuple[float, ...]]
_TYPES: dict[type, str] = {
    Sphere: "sphere",
    Capsule: "capsule",
    Cylinder: "cylinder",
    Box: "box",
    Ellipsoid: "ellipsoid",
    Plane: "plane",
}


class GeomWriter:
    """Writes geoms one by one; MJCF wants their names to be unique in the whole file."""

    def __init__(self, writing: Writing, assets: Assets) -> None:
        self._writing = writing
        self._assets = assets
        self._names: set[str] = set()

    def geom(self, geom: Geom) -> Element | None:
        """The element of a geom; None for what MJCF can't say, which is told."""
        element = Element("geom").set(name=self._name(geom))
        if not self._shape(element, geom):
            return None
        self._writing.place(element, geom.xyz, geom.rpy, geom.quat)
        if geom.material is not None:
            self._assets.refer(element, geom.material)
        _touch(element, geom)
        element.set(mass=geom.mass, density=geom.density, group=_group(geom))
        element.set(
            shellinertia=geom.shell_inertia or None,
            fluidshape="ellipsoid" if geom.fluid_ellipsoid else None,
            fluidcoef=geom.fluid_coefficients,
        )
        self._writing.keep(element, geom.extensions, "geom")
        return element

    def site(self, site: Site) -> Element:
        """The element of a site."""
        element = Element("site").set(name=site.name)
        sized = _sized(site.shape)
        if sized is not None:
            element.set(type=None if sized[0] == "sphere" else sized[0], size=sized[1])
        self._writing.place(element, site.xyz, site.rpy, site.quat)
        element.set(group=site.group)
        self._writing.keep(element, site.extensions, "site")
        return element

    def inertial(self, inertial: Inertial) -> Element | None:
        """The element of an inertial; None where it says that there is no mass.

        MJCF takes a full tensor only in the axes of the body, so one in others is turned.
        """
        tensor = inertial.inertia
        if not inertial.mass and (tensor is None or not any(tensor)):
            return None
        element = Element("inertial").set(pos=inertial.xyz or ORIGIN)
        X = pose(None, inertial.rpy, inertial.quat)
        if tensor is None or not _off_diagonal(tensor):
            self._writing.place(element, None, inertial.rpy, inertial.quat)
        elif not np.array_equal(X, np.eye(4)):
            (xx, xy, xz), (_, yy, yz), (_, _, zz) = (
                X[:3, :3] @ inertia_matrix(tensor) @ X[:3, :3].T
            ).tolist()
            tensor = Inertia(xx, xy, xz, yy, yz, zz)
        element.set(mass=inertial.mass)
        if tensor is not None and _off_diagonal(tensor):
            ixx, ixy, ixz, iyy, iyz, izz = tensor
            return element.set(fullinertia=(ixx, iyy, izz, ixy, ixz, iyz))
        moments = (0.0, 0.0, 0.0) if tensor is None else (tensor.ixx, tensor.iyy, tensor.izz)
        return element.set(diaginertia=moments)

    def _name(self, geom: Geom) -> str | None:
        if not geom.name:
            return None
        if geom.name in self._names:
            message = "MJCF's geoms have different names: a second of the same name has none"
            self._writing.losses.add(codes.LOSS_OF_NAME, message, geom)
            return None
        self._names.add(geom.name)
        return geom.name

    def _shape(self, element: Element, geom: Geom) -> bool:
        shape = geom.shape
        if isinstance(shape, MeshShape):
            element.set(type="mesh", mesh=shape.mesh)
            return self._assets.has_mesh(shape.mesh, geom)
        if isinstance(shape, HeightfieldShape):
            element.set(type="hfield", hfield=shape.heightfield)
            return True
        if geom.fit_mesh is not None and shape is not None:
            scale = None if geom.fit_scale == 1.0 else geom.fit_scale
            element.set(type=_TYPES[type(shape)], mesh=geom.fit_mesh, fitscale=scale)
            return self._assets.has_mesh(geom.fit_mesh, geom)
        sized = _sized(shape)
        if sized is None:
            message = "a shape that could not be read is left out"
            self._writing.losses.add(codes.LOSS_OF_SHAPE, message, geom)
            return False
        kind, size = sized
        if self._writing.foreign and kind != "plane" and not min(size) > 0.0:
            message = "a shape without size is left out, since MuJoCo refuses it"
            self._writing.losses.add(codes.LOSS_OF_SHAPE, message, geom)
            return False
        element.set(type=None if kind == "sphere" else kind, size=size)
        return True


def _sized(shape: Shape | None) -> _Sized | None:
    """The type and MJCF's half sizes; None where a size is not known."""
    match shape:
        case Sphere(radius=radius) if radius is not None:
            return "sphere", (radius,)
        case Capsule(radius=radius, length=length) if radius is not None and length is not None:
            return "capsule", (radius, length / 2)
        case Cylinder(radius=radius, length=length) if radius is not None and length is not None:
            return "cylinder", (radius, length / 2)
        case Box(size=size) if size is not None:
            return "box", (size[0] / 2, size[1] / 2, size[2] / 2)
        case Ellipsoid(radii=radii) if radii is not None:
            return "ellipsoid", radii
        case Plane(size=drawn):
            return "plane", drawn or (0.0, 0.0, 1.0)
    return None


def _touch(element: Element, geom: Geom) -> None:
    surface = geom.surface or Surface()
    silent = 0 if geom.role is GeomRole.VISUAL else None
    element.set(
        contype=surface.contype if surface.contype is not None else silent,
        conaffinity=surface.conaffinity if surface.conaffinity is not None else silent,
        condim=surface.condim,
        priority=surface.priority,
        friction=surface.friction,
        solmix=surface.solmix,
        solref=surface.solref,
        solimp=surface.solimp,
        margin=surface.margin,
        gap=surface.gap,
        adhesion=surface.adhesion,
    )


def _group(geom: Geom) -> int | None:
    """Its own, or the one by which viewers tell what is drawn from what only collides."""
    if geom.group is not None or geom.surface is not None:
        return geom.group
    if geom.role is GeomRole.BOTH:
        return None
    return DRAWN_GROUP if geom.role is GeomRole.VISUAL else TOUCHING_GROUP


def _off_diagonal(tensor: Inertia) -> bool:
    return any((tensor.ixy, tensor.ixz, tensor.iyz))
