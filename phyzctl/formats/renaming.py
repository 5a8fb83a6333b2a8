"""Prefixes for the names that `phyzctl.robot.prefix` can't reach: materials, and XML kept as text.

What phyzctl doesn't interpret is text. The attributes that usually hold names are renamed there
if their value is a name of the robot; names elsewhere in the text stay, which is told.
"""

from __future__ import annotations

import re
from dataclasses import replace

from phyzctl import codes
from phyzctl.formats.losses import Losses
from phyzctl.robot.elements import Extension, Geom, Link, Material
from phyzctl.robot.robot import Robot

_NAMED = re.compile(
    r"(\s(?:name|reference|link|joint|parent|child|body|body1|body2|joint1|joint2|geom|geom1|geom2"
    r"|site|tendon|actuator|material|texture|mesh|objname|refname)\s*=\s*\")([^\"]*)(\")"
)
_TEXT = re.compile(r">\s*([^<>\s][^<>]*?)\s*<")
_TEXTURE = re.compile(r"<texture\b[^>]*?\sname\s*=\s*\"([^\"]*)\"")


def renamed_materials(robot: Robot, prefix: str) -> Robot:
    """Every material, and the textures that are elements of their own, with the prefix."""
    if not prefix:
        return robot
    textures = _textures(robot)
    return replace(
        robot,
        materials=tuple(_material(each, prefix, textures) for each in robot.materials),
        links=tuple(_painted(link, prefix, textures) for link in robot.links),
    )


def _painted(link: Link, prefix: str, textures: set[str]) -> Link:
    def painted(geom: Geom) -> Geom:
        if geom.material is None:
            return geom
        return replace(geom, material=_material(geom.material, prefix, textures))

    return replace(link, geoms=tuple(painted(geom) for geom in link.geoms))


def _material(material: Material, prefix: str, textures: set[str]) -> Material:
    texture = material.texture
    return replace(
        material,
        name=prefix + material.name if material.name else material.name,
        texture=prefix + texture if texture in textures and texture else texture,
    )


def _textures(robot: Robot) -> set[str]:
    return {name for each in robot.extensions for name in _TEXTURE.findall(each.text)}


def renamed_extensions(robot: Robot, prefix: str, losses: Losses) -> Robot:
    """The text that is kept verbatim, with names of the robot's elements under their prefix."""
    if not prefix:
        return robot
    names = _names(robot)

    def renamed(extensions: tuple[Extension, ...]) -> tuple[Extension, ...]:
        return tuple(_renamed(each, prefix, names, losses) for each in extensions)

    def in_link(link: Link) -> Link:
        geoms = tuple(replace(geom, extensions=renamed(geom.extensions)) for geom in link.geoms)
        return replace(link, geoms=geoms, extensions=renamed(link.extensions))

    return replace(
        robot,
        links=tuple(in_link(link) for link in robot.links),
        joints=tuple(replace(each, extensions=renamed(each.extensions)) for each in robot.joints),
        transmissions=tuple(
            replace(each, extensions=renamed(each.extensions)) for each in robot.transmissions
        ),
        extensions=renamed(robot.extensions),
    )


def _names(robot: Robot) -> set[str]:
    """Every name that may be meant; materials have theirs already, but for what names them."""
    geoms = [geom for link in robot.links for geom in link.geoms]
    sites = [site for link in robot.links for site in link.sites]
    ends = [end for each in robot.transmissions for end in (*each.joints, *each.actuators)]
    holders: list[object] = [
        *robot.links,
        *robot.joints,
        *robot.meshes,
        *robot.actuators,
        *robot.tendons,
        *robot.sensors,
        *robot.transmissions,
        *geoms,
        *sites,
        *ends,
    ]
    found = {getattr(each, "name", None) for each in holders}
    return {name for name in found if name} | _textures(robot)


def _renamed(extension: Extension, prefix: str, names: set[str], losses: Losses) -> Extension:
    if extension.tag.startswith("@"):
        return extension

    def with_prefix(match: re.Match[str]) -> str:
        name = match[2]
        return f"{match[1]}{prefix if name in names else ''}{name}{match[3]}"

    if names & set(_TEXT.findall(extension.text)):
        message = f"names in the text of <{extension.tag}> keep no prefix"
        losses.add(codes.LOSS_OF_NAME, message, extension)
    return replace(extension, text=_NAMED.sub(with_prefix, extension.text))
