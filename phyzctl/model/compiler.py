"""compile: from a Robot to a Model, one pass after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phyzctl import codes
from phyzctl.geometry.shapes import MeshShape
from phyzctl.issues import Issues
from phyzctl.model.body import WORLD, Body
from phyzctl.model.constraint import Site
from phyzctl.model.material import ContactRules
from phyzctl.model.model import Model
from phyzctl.model.parts import Parts
from phyzctl.model.passes.actuators import compile_actuators, compile_tendons
from phyzctl.model.passes.constraints import compile_equalities
from phyzctl.model.passes.contact import excluded_pairs, explicit_pairs
from phyzctl.model.passes.fitting import with_fitted_geoms
from phyzctl.model.passes.geoms import body_geoms, body_sites
from phyzctl.model.passes.masses import body_masses
from phyzctl.model.passes.meshes import MeshInertias
from phyzctl.model.passes.names import Names, index_of
from phyzctl.model.passes.tree import BaseChoice, Tree, build_tree
from phyzctl.model.passes.tuning import tuned, wants_tuning
from phyzctl.model.passes.values import constant, frozen
from phyzctl.robot.elements import Link
from phyzctl.robot.robot import Robot

_EARTH = (0.0, 0.0, -9.81)
_TIMESTEP = {"phyzctl": 0.001, "mujoco": 0.002}


def compile(  # noqa: A001 - the verb of the field
    robot: Robot, *, base: BaseChoice = "auto", issues: Issues | None = None
) -> Model:
    """The Model of `robot`.

    `base` ties the root link to the world ("fixed") or sets it free ("floating"). "auto" fixes
    it when the root is called `world` or has no mass, which is how authors mark a base that
    stands; `Model.base` tells the choice. What can't be compiled is reported into `issues`.
    Raises PhyzctlError for another base, or for a floating world.
    """
    found = Issues() if issues is None else issues
    rules: ContactRules = "mujoco" if robot.dialect == "mjcf" else "phyzctl"
    _report_unsupported(robot, found)
    meshes = MeshInertias(robot, found)
    sized = with_fitted_geoms(robot, meshes, found)
    tree = build_tree(sized, base, found)
    bodies = _bodies(sized, tree, rules, meshes)
    world_geoms = body_geoms(tree.world, WORLD, rules) if tree.world else ()
    geoms = [*world_geoms, *(geom for body in bodies for geom in body.geoms)]
    placed: list[tuple[int, Link]] = [(WORLD, tree.world)] if tree.world else []
    placed += [(index, limb.link) for index, limb in enumerate(tree.limbs)]
    sites = body_sites(placed)
    names = _names(tree, sites, robot, found)
    tendons = compile_tendons(robot.tendons, names)
    option = robot.option
    parts = Parts(
        robot=robot,
        base=tree.base,
        contact_rules=rules,
        bodies=bodies,
        joints=tree.joints,
        world_geoms=world_geoms,
        sites=sites,
        tendons=tendons,
        actuators=compile_actuators(robot.actuators, tree.joints, tendons, names),
        equalities=compile_equalities(robot.equalities, names),
        contact_exclude=excluded_pairs(robot, tree.bodies),
        contact_pairs=explicit_pairs(robot, (geom.name for geom in geoms)),
        gravity=constant(option.gravity if option.gravity is not None else _EARTH),
        dt=_TIMESTEP[rules] if option.timestep is None else option.timestep,
    )
    if not wants_tuning(parts.actuators, parts.joints):
        return Model(parts)
    actuators, joints = tuned(Model(parts), found)
    return Model(replace(parts, actuators=actuators, joints=joints))


def _report_unsupported(robot: Robot, issues: Issues) -> None:
    """What MJCF can ask of a compiler, and this one doesn't do."""
    settings = robot.settings
    asked = {
        "fusestatic: bodies without joints stay bodies": settings.fuse_static,
        "discardvisual: visual geoms stay": settings.discard_visual,
        "alignfree: bodies keep the frames that were written": settings.align_free
        or any(joint.align == "true" for joint in robot.joints),
        "shellinertia: primitives are weighed as solids": any(
            geom.shell_inertia and not isinstance(geom.shape, MeshShape)
            for link in robot.links
            for geom in link.geoms
        ),
    }
    if robot.dialect == "mjcf":
        for what in (what for what, wanted in asked.items() if wanted):
            message = f"not supported here: {what}"
            issues.add(codes.UNSUPPORTED, message, source=settings.source, subject="compiler")


def _names(tree: Tree, sites: Sequence[Site], robot: Robot, issues: Issues) -> Names:
    kinds = {
        "body": tree.bodies,
        "joint": index_of(joint.name for joint in tree.joints),
        "site": index_of(site.name for site in sites),
        "tendon": index_of(tendon.name for tendon in robot.tendons),
    }
    return Names(kinds, issues)


def _bodies(
    robot: Robot, tree: Tree, rules: ContactRules, meshes: MeshInertias
) -> tuple[Body, ...]:
    links = [limb.link for limb in tree.limbs]
    masses = body_masses(robot, links, meshes)
    return tuple(
        Body(
            limb.link.name,
            limb.parent,
            limb.joints,
            limb.X_PB,
            limb.quat,
            mass.mass,
            frozen(mass.com),
            frozen(mass.inertia),
            body_geoms(limb.link, index, rules),
            None,
            limb.link,
        )
        for index, (limb, mass) in enumerate(zip(tree.limbs, masses, strict=True))
    )
