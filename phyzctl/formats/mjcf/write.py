"""A Robot as MJCF: the table of contents, settings, and the bodies."""

from __future__ import annotations

from phyzctl import codes
from phyzctl.formats.format import WriteOptions, Written
from phyzctl.formats.mjcf.write_actuators import actuators
from phyzctl.formats.mjcf.write_assets import Assets
from phyzctl.formats.mjcf.write_geoms import GeomWriter
from phyzctl.formats.mjcf.write_joints import joint_elements
from phyzctl.formats.mjcf.write_mechanism import contact, equalities, keyframes, sensors, tendons
from phyzctl.formats.mjcf.writing import Writing
from phyzctl.formats.xmlwrite import Element, document
from phyzctl.model.compiler import compile as compile_model
from phyzctl.robot.elements import Link
from phyzctl.robot.robot import WORLD_LINK, Robot

# Sections that hold what was kept verbatim, by tag; what isn't listed stands at top level.
_HOLDERS = {
    "texture": "asset",
    "plugin": "sensor",
    "flexvert": "equality",
    "flexstrain": "equality",
    "flex": "deformable",
    "skin": "deformable",
}


def write(robot: Robot, options: WriteOptions) -> Written:
    """The text of an MJCF that describes `robot`, and what it doesn't say of it."""
    base = "auto" if robot.structure.has_link(WORLD_LINK) else options.base
    writing = Writing(robot, compile_model(robot, base=base), options)
    assets = Assets(writing)
    world = _bodies(writing, assets)
    sections = {
        "compiler": _compiler(writing),
        "option": _option(writing),
        "asset": assets.element,
        "worldbody": world,
        "deformable": Element("deformable"),
        "contact": contact(writing),
        "equality": equalities(writing),
        "tendon": tendons(writing),
        "actuator": actuators(writing),
        "sensor": sensors(writing),
        "keyframe": keyframes(writing),
    }
    root = Element("mujoco").set(model=robot.name or None)
    _keep_the_rest(writing, root, sections)
    for section in sections.values():
        root.add(None if section.empty else section)
    losses = tuple(writing.losses.issues())
    return Written(document(root), losses, assets.mesh_files.files)


def _compiler(writing: Writing) -> Element:
    settings = writing.robot.settings
    from_geom = settings.inertia_from_geom
    if from_geom is None and writing.foreign:
        from_geom = False  # elsewhere, what states no mass has none
    return Element("compiler").set(
        angle="radian",
        eulerseq="XYZ" if writing.uses_euler else None,
        inertiafromgeom=from_geom,
        inertiagrouprange=settings.inertia_group_range,
        boundmass=settings.bound_mass,
        boundinertia=settings.bound_inertia,
        balanceinertia=settings.balance_inertia or None,
        settotalmass=settings.total_mass,
        fusestatic=settings.fuse_static or None,
        discardvisual=settings.discard_visual or None,
        fitaabb=settings.fit_aabb or None,
        alignfree=settings.align_free or None,
    )


def _option(writing: Writing) -> Element:
    option = writing.robot.option
    timestep = writing.model.dt if writing.foreign else option.timestep
    element = Element("option").set(
        timestep=timestep,
        gravity=option.gravity,
        integrator=option.integrator,
        cone=option.cone,
        impratio=option.impratio,
        solver=option.solver,
        tolerance=option.tolerance,
        iterations=option.iterations,
        noslip_iterations=option.noslip_iterations,
        noslip_tolerance=option.noslip_tolerance,
        density=option.density,
        viscosity=option.viscosity,
        wind=option.wind,
        o_margin=option.o_margin,
        o_solref=option.o_solref,
        o_solimp=option.o_solimp,
        o_friction=option.o_friction,
    )
    writing.keep(element, option.extensions, "option")
    if option.flags:
        words = {name: "enable" if on else "disable" for name, on in option.flags}
        element.new("flag", **words)
    return element


def _bodies(writing: Writing, assets: Assets) -> Element:
    """The worldbody with all bodies in it. Without recursion: robots can be deep."""
    robot, world = writing.robot, Element("worldbody")
    geoms = GeomWriter(writing, assets)
    elements: dict[str, Element] = {}
    for link in robot:
        inbound = robot.structure.inbound(link.name)
        if not inbound and link.name == WORLD_LINK:
            element = world
            if link.inertial is not None:
                message = "the world has no inertial in MJCF"
                writing.losses.add(codes.LOSS_OF_STRUCTURE, message, link, link.inertial.source)
        else:
            above = elements[inbound[0].parent] if inbound else world
            element = above.new("body", name=link.name if link.name_stated else None)
            _place(writing, element, link)
        elements[link.name] = element
        _fill(writing, geoms, element, link)
    return world


def _place(writing: Writing, element: Element, link: Link) -> None:
    """The pose, and the joints that move the body."""
    inbound = writing.robot.structure.inbound(link.name)
    if len(inbound) > 1:
        body = writing.model.bodies[writing.model.body_index(link.name) or 0]
        x, y, z = body.X_PB[:3, 3].tolist()
        w, i, j, k = body.quat.tolist()
        quat = None if (w, i, j, k) == (1.0, 0.0, 0.0, 0.0) else (w, i, j, k)
        writing.place(element, (x, y, z), None, quat)
    elif inbound:
        writing.place(element, inbound[0].xyz, inbound[0].rpy, inbound[0].quat)
    element.set(gravcomp=link.gravcomp, mocap=link.mocap or None)
    for joint in joint_elements(writing, inbound):
        element.add(joint)
    if not inbound and writing.model.base == "floating":
        element.new("freejoint")


def _fill(writing: Writing, geoms: GeomWriter, element: Element, link: Link) -> None:
    if link.inertial is not None and element.tag == "body":
        element.add(geoms.inertial(link.inertial))
    for geom in link.geoms:
        element.add(geoms.geom(geom))
    for site in link.sites:
        element.add(geoms.site(site))
    writing.keep(element, link.extensions, "link")


def _keep_the_rest(writing: Writing, root: Element, sections: dict[str, Element]) -> None:
    """What was kept verbatim goes where it stood; `<compiler>` has been written anew."""
    for extension in writing.robot.extensions:
        if writing.foreign and extension.tag.startswith("@xmlns"):
            continue  # says nothing without the elements that use it
        if extension.tag == "compiler":
            message = "what more <compiler> states is left out"
            writing.losses.add(codes.LOSS_OF_EXTENSION, message, extension)
        else:
            holder = _HOLDERS.get(extension.tag)
            writing.keep(sections[holder] if holder else root, [extension], "robot")
