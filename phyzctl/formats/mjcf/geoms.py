"""`<geom>`, `<site>` and `<inertial>`: what stands on a body."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.mjcf.attributes import Attributes
from phyzctl.formats.mjcf.placement import Placement, read_placement
from phyzctl.formats.mjcf.settings import Settings
from phyzctl.formats.mjcf.shapes import SIZELESS, SOLIDS, TYPES, read_fromto, read_primitive
from phyzctl.geometry.shapes import HeightfieldShape, MeshShape, Shape
from phyzctl.robot.elements import (
    Geom,
    GeomRole,
    Inertia,
    Inertial,
    Material,
    Site,
    Surface,
)

_FROM_TO = ("capsule", "cylinder", "box", "ellipsoid")
_SITE_SIZE = (0.005, 0.005, 0.005)


def read_geom(attributes: Attributes, settings: Settings, frame: Placement) -> Geom:
    """A geom; `frame` encloses it in its body."""
    kind = attributes.keyword("type", TYPES) or "sphere"
    mesh = attributes.string("mesh")
    shape, placement = _shape_and_placement(attributes, settings, kind, mesh)
    placement = placement.within(frame)
    surface = _surface(attributes)
    fits = mesh is not None and kind not in ("mesh", "sdf")
    return Geom(
        shape,
        name=attributes.string("name") or None,
        role=_role(surface),
        xyz=placement.xyz,
        rpy=placement.stated_rpy,
        quat=placement.stated_quat,
        material=_material(attributes),
        surface=None if surface == Surface() else surface,
        mass=attributes.number("mass"),
        density=attributes.number("density"),
        group=attributes.integer("group"),
        fit_mesh=mesh if fits else None,
        fit_scale=_or_one(attributes.number("fitscale")),
        shell_inertia=attributes.boolean("shellinertia") or False,
        fluid_ellipsoid=attributes.keyword("fluidshape", ("none", "ellipsoid")) == "ellipsoid",
        fluid_coefficients=attributes.overlaid("fluidcoef", 5),
        extensions=attributes.extensions(),
        source=attributes.source,
    )


def _shape_and_placement(
    attributes: Attributes, settings: Settings, kind: str, mesh: str | None
) -> tuple[Shape | None, Placement]:
    placement = read_placement(attributes, settings)
    heightfield = attributes.string("hfield")
    if kind in ("mesh", "sdf"):
        attributes.overlaid("size", 3)  # has no meaning, but must be readable
        return _asset(attributes, kind, mesh, MeshShape), placement
    if kind == "hfield":
        attributes.overlaid("size", 3)
        return _asset(attributes, kind, heightfield, HeightfieldShape), placement
    if mesh is not None:
        attributes.overlaid("size", 3)
        return SIZELESS[kind], placement
    if attributes.owner("fromto") is None:
        return read_primitive(attributes, kind), placement
    if kind in _FROM_TO:
        return read_fromto(attributes, kind)
    message = f"fromto makes capsules, cylinders, boxes and ellipsoids, not a {kind}"
    attributes.report_missing(codes.GEOMETRY_MISSING, message, "fromto")
    return read_primitive(attributes, kind), placement


def _asset(
    attributes: Attributes,
    kind: str,
    name: str | None,
    make: type[MeshShape | HeightfieldShape],
) -> Shape | None:
    if name:
        return make(name)
    attribute = "hfield" if kind == "hfield" else "mesh"
    own = "type" if "type" in attributes.node.attributes else ""
    message = f"type is {kind!r} but no {attribute} is named"
    attributes.report_missing(codes.GEOMETRY_MISSING, message, own)
    return None


def _surface(attributes: Attributes) -> Surface:
    return Surface(
        contype=attributes.integer("contype"),
        conaffinity=attributes.integer("conaffinity"),
        condim=attributes.integer("condim"),
        priority=attributes.integer("priority"),
        friction=attributes.overlaid("friction", 3),
        solmix=attributes.number("solmix"),
        solref=attributes.overlaid("solref", 2),
        solimp=attributes.overlaid("solimp", 5),
        margin=attributes.number("margin"),
        gap=attributes.number("gap"),
        adhesion=attributes.number("adhesion"),
    )


def _role(surface: Surface) -> GeomRole:
    """Looks only, when neither mask has a bit; an explicit contact pair is seen to later."""
    silent = surface.contype == 0 and surface.conaffinity == 0
    return GeomRole.VISUAL if silent else GeomRole.BOTH


def _material(attributes: Attributes) -> Material | None:
    name, rgba = attributes.string("material"), attributes.four("rgba")
    if name is None and rgba is None:
        return None
    return Material(name, rgba, source=attributes.source)


def _or_one(value: float | None) -> float:
    return 1.0 if value is None else value


def read_site(attributes: Attributes, settings: Settings, frame: Placement) -> Site:
    """A site; `frame` encloses it in its body."""
    kind = attributes.keyword("type", SOLIDS) or "sphere"
    if attributes.string("type") in set(TYPES) - set(SOLIDS):
        message = f"a site can be {', '.join(SOLIDS)}, not {attributes.string('type')}"
        attributes.report(codes.KEYWORD_UNKNOWN, message, "type")
    placement = read_placement(attributes, settings)
    if attributes.owner("fromto") is not None and kind in _FROM_TO:
        shape, placement = read_fromto(attributes, kind)
    else:
        shape = read_primitive(attributes, kind, _SITE_SIZE)
    placement = placement.within(frame)
    return Site(
        name=attributes.string("name") or None,
        xyz=placement.xyz,
        rpy=placement.stated_rpy,
        quat=placement.stated_quat,
        shape=shape,
        group=attributes.integer("group"),
        extensions=attributes.extensions(),
        source=attributes.source,
    )


def read_inertial(attributes: Attributes, settings: Settings, frame: Placement) -> Inertial:
    """Mass and inertia; `frame` encloses the element in its body."""
    placement = read_placement(attributes, settings).within(frame)
    return Inertial(
        mass=attributes.number("mass"),
        inertia=_inertia(attributes),
        xyz=placement.xyz,
        rpy=placement.stated_rpy,
        quat=placement.stated_quat,
        source=attributes.source,
    )


def _inertia(attributes: Attributes) -> Inertia | None:
    full = attributes.numbers("fullinertia", 6)
    diagonal = attributes.numbers("diaginertia", 3)
    if attributes.owner("fullinertia") and attributes.owner("diaginertia"):
        attributes.report(
            codes.ELEMENT_REPEATED,
            "the inertia is stated twice: diaginertia and fullinertia",
            "fullinertia",
        )
    if full is not None:
        xx, yy, zz, xy, xz, yz = full
        return Inertia(xx, xy, xz, yy, yz, zz)
    if diagonal is not None:
        return Inertia(diagonal[0], 0.0, 0.0, diagonal[1], 0.0, diagonal[2])
    return None
