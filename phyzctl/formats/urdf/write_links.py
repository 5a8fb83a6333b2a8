"""`<link>` from a Link: inertial, visuals and collisions, and what URDF can't say of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from phyzctl import codes
from phyzctl.formats.losses import Losses
from phyzctl.formats.meshpaths import relative_path
from phyzctl.formats.urdf.write_tree import ORIGIN, Limb, minus, rpy_of
from phyzctl.formats.xmlwrite import Element
from phyzctl.geometry.shapes import (
    Box,
    Capsule,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    Vec3,
)
from phyzctl.model.model import Model
from phyzctl.robot.elements import Geom, Inertia, Inertial, Link, Material, Mesh, Rgba, Surface
from phyzctl.spatial import pose, rotation_from_quat, rpy_from_rotation

HIDDEN_GROUP = 3  # from this on MuJoCo's viewers don't draw a geom unless asked to
_DRAWN_GROUPS = (None, 0, 2, HIDDEN_GROUP)  # which the writer of MJCF gives back
_PLAIN_SURFACES = (
    None,
    Surface(),
    Surface(contype=0, conaffinity=0),
    Surface(contype=1, conaffinity=1),
)
_UPRIGHT = (1.0, 0.0, 0.0, 0.0)


class LinkWriter:
    """Writes links one by one; `folder` is where the file will lie."""

    def __init__(self, model: Model, losses: Losses, folder: str | None) -> None:
        self._model = model
        self._losses = losses
        self._folder = folder
        self._own = model.robot.dialect in ("urdf", None)
        self._meshes: Mapping[str, Mesh] = {mesh.name: mesh for mesh in model.robot.meshes}
        self._colours = {material.name: material.rgba for material in model.robot.materials}

    def write(self, limb: Limb) -> Element:
        """The element of a link."""
        link = limb.link
        element = Element("link").set(name=link.name)
        element.add(self._inertial(limb))
        for geom in self._model.geoms_of(limb.body):
            self._geom(element, geom.element, limb.shift)
        if self._own:
            element.keep(link.extensions)
        self._report(link)
        return element

    def _inertial(self, limb: Limb) -> Element | None:
        inertial = limb.link.inertial
        if limb.body < 0:
            return None
        if inertial is None or not self._as_authored:
            inertial = self._derived(limb)
        if inertial is None:
            return None
        element = Element("inertial")
        element.add(_origin(inertial, limb.shift))
        if inertial.mass is not None:
            element.new("mass", value=inertial.mass)
        tensor = inertial.inertia
        if tensor is None and self._model.robot.dialect != "urdf":
            tensor = Inertia(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # which URDF wants to be said
        if tensor is not None:
            element.new("inertia", **tensor._asdict())
        return element

    @property
    def _as_authored(self) -> bool:
        """True when masses are what was written, and nothing is made of them."""
        s = self._model.robot.settings
        changed = s.bound_mass or s.bound_inertia or s.balance_inertia or s.total_mass
        return not changed and not s.inertia_from_geom

    def _derived(self, limb: Limb) -> Inertial | None:
        """What compiling makes of geoms and settings."""
        body = self._model.bodies[limb.body]
        if not body.mass and not np.any(body.inertia):
            return None
        message = "mass and inertia follow from shapes or settings, and are written as numbers"
        self._losses.add(codes.LOSS_OF_DERIVATION, message, limb.link)
        tensor = body.inertia.tolist()
        x, y, z = body.com.tolist()
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
        return Inertial(mass=body.mass, inertia=Inertia(xx, xy, xz, yy, yz, zz), xyz=(x, y, z))

    def _geom(self, link: Element, geom: Geom, shift: Vec3) -> None:
        geometry, xyz, rpy = self._geometry(geom)
        if geometry is None:
            return
        self._report_geom(geom)
        hidden = (geom.group or 0) >= HIDDEN_GROUP
        roles = {"visual": geom.visible and not (hidden and geom.collides)}
        roles["collision"] = geom.collides
        for role in (role for role, wanted in roles.items() if wanted):
            element = link.new(role, name=geom.name)
            element.add(_origin_at(minus(xyz, shift), rpy))
            holder = element.new("geometry")
            holder.add(geometry)
            if role == "visual" and geom.material is not None:
                element.add(self.material(self._told_apart(geom.material)))
            if self._own:
                element.keep(geom.extensions)

    def _geometry(self, geom: Geom) -> tuple[Element | None, Vec3, Vec3]:
        """The shape and where it stands: a mesh's own frame is moved into its place."""
        xyz, rpy = geom.xyz or ORIGIN, rpy_of(geom)
        if not isinstance(geom.shape, MeshShape):
            element = _primitive(geom.shape)
            if element is None:
                self._losses.add(codes.LOSS_OF_SHAPE, _unsayable(geom.shape), geom)
            return element, xyz, rpy
        mesh = self._meshes.get(geom.shape.mesh)
        path = None if mesh is None else relative_path(mesh, self._folder)
        if mesh is None or path is None:
            message = "URDF only takes meshes from files: this one is left out"
            self._losses.add(codes.LOSS_OF_SHAPE, message, mesh or geom)
            return None, xyz, rpy
        scale = mesh.scale or (1.0, 1.0, 1.0)
        stated = None if scale == (1.0, 1.0, 1.0) else scale
        element = Element("mesh").set(
            filename=mesh.uri if self._own and _is_uri(mesh.uri) else path, scale=stated
        )
        return element, *self._out_of_frame(mesh, scale, geom, (xyz, rpy))

    def _out_of_frame(
        self, mesh: Mesh, scale: Vec3, geom: Geom, placed: tuple[Vec3, Vec3]
    ) -> tuple[Vec3, Vec3]:
        """Vertices are S Rᵀ (v - p) in the mesh's frame; URDF only scales them."""
        if mesh.refpos == ORIGIN and mesh.refquat == _UPRIGHT:
            return placed
        R = rotation_from_quat(mesh.refquat)
        if mesh.refquat != _UPRIGHT and len(set(scale)) > 1:
            message = "a mesh that is turned and then stretched has no form in URDF"
            self._losses.add(codes.LOSS_OF_SHAPE, message, geom)
        X_GV = np.eye(4)
        X_GV[:3, :3] = R.T
        X_GV[:3, 3] = -np.array(scale) * (R.T @ np.array(mesh.refpos))
        X = pose(geom.xyz, geom.rpy, geom.quat) @ X_GV
        x, y, z = X[:3, 3].tolist()
        roll, pitch, yaw = rpy_from_rotation(X[:3, :3]).tolist()
        return (x, y, z), (roll, pitch, yaw)

    def _told_apart(self, material: Material) -> Material:
        """A colour that overrides a material's gets a name of its own, as URDF needs."""
        if self._own or material.rgba is None:
            return material
        if material.name and material.name not in self._colours:
            return material
        return Material(_colour_name(material.rgba), material.rgba, source=material.source)

    def material(self, material: Material) -> Element:
        """The element of a material, defined or referred to."""
        element = Element("material").set(name=material.name or "")
        if material.rgba is not None:
            element.new("color", rgba=material.rgba)
        if material.texture is not None:
            if self._own:
                element.new("texture", filename=material.texture)
            else:
                message = "the texture of a material is not written"
                self._losses.add(codes.LOSS_OF_SHAPE, message, material)
        if material.extensions and not self._own:
            message = "URDF has no words for how a material shines"
            self._losses.add(codes.LOSS_OF_SHAPE, message, material)
        return element

    def _report_geom(self, geom: Geom) -> None:
        surface = geom.surface
        if surface not in _PLAIN_SURFACES:
            message = "URDF can't say how a surface touches: friction, softness, masks"
            self._losses.add(codes.LOSS_OF_CONTACT, message, geom)
        if geom.group not in _DRAWN_GROUPS:
            message = "URDF has no groups of geoms, but for drawn and not drawn"
            self._losses.add(codes.LOSS_OF_SHAPE, message, geom)
        if geom.extensions and not self._own:
            message = "what only MJCF says of a geom is left out"
            self._losses.add(codes.LOSS_OF_EXTENSION, message, geom)

    def _report(self, link: Link) -> None:
        for site in link.sites:
            self._losses.add(codes.LOSS_OF_MEASUREMENT, "URDF has no sites", site)
        if link.gravcomp:
            message = "URDF has no gravity compensation"
            self._losses.add(codes.LOSS_OF_SETTING, message, link)
        if link.mocap:
            message = "a mocap body becomes a fixed link"
            self._losses.add(codes.LOSS_OF_STRUCTURE, message, link)
        if not link.name_stated and link.name != "world":
            message = "URDF needs a name where none is written: one is made up"
            self._losses.add(codes.LOSS_OF_NAME, message, link)
        for extension in link.extensions if not self._own else ():
            message = f"URDF has no <{extension.tag}> in a link"
            self._losses.add(codes.LOSS_OF_EXTENSION, message, extension)


def _origin(element: Inertial, shift: Vec3) -> Element | None:
    return _origin_at(minus(element.xyz or ORIGIN, shift), rpy_of(element))


def _origin_at(xyz: Vec3, rpy: Vec3) -> Element | None:
    """The element of a pose; none for the identity."""
    if not any(xyz) and not any(rpy):
        return None
    element = Element("origin")
    return element.set(xyz=xyz if any(xyz) else None, rpy=rpy if any(rpy) else None)


def _primitive(shape: Shape | None) -> Element | None:
    match shape:
        case Box(size=size) if size is not None:
            return Element("box").set(size=size)
        case Sphere(radius=radius) if radius is not None:
            return Element("sphere").set(radius=radius)
        case Cylinder(radius=radius, length=length) if radius is not None and length is not None:
            return Element("cylinder").set(radius=radius, length=length)
        case Capsule(radius=radius, length=length) if radius is not None and length is not None:
            return Element("capsule").set(radius=radius, length=length)
    return None


def _unsayable(shape: Shape | None) -> str:
    if shape is None:
        return "a shape that could not be read is left out"
    return f"URDF has no {type(shape).__name__.lower()}, which is left out"


def _is_uri(uri: str | None) -> bool:
    return uri is not None and "://" in uri


def _colour_name(rgba: Rgba) -> str:
    return "rgba_" + "_".join(f"{value:g}" for value in rgba)
