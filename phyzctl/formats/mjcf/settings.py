"""What `<compiler>` says: how the rest of the file is to be read, and how masses are made."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import field

from phyzctl import codes
from phyzctl.formats.assets import AssetDirs
from phyzctl.formats.mjcf.attributes import Attributes, ValueReader
from phyzctl.formats.xmlnode import Node
from phyzctl.issues import Issues
from phyzctl.records import dataclass
from phyzctl.robot.elements import Extension
from phyzctl.robot.mechanism import CompilerSettings, LengthSearch

_SEQUENCE = re.compile(r"[xyzXYZ]{3}")
_DEGREE = math.pi / 180.0


@dataclass(frozen=True)
class Settings:
    """How to read one model: `angle` [rad] is the unit that its angles are written in."""

    angle: float = _DEGREE
    euler_sequence: str = "xyz"
    assets: AssetDirs = field(default_factory=lambda: AssetDirs(""))
    auto_limits: bool = True
    kept: tuple[Extension, ...] = ()
    robot: CompilerSettings = field(default_factory=CompilerSettings)


def read_settings(
    sections: Sequence[Node], folder: str, reader: ValueReader, issues: Issues
) -> Settings:
    """Merge the `<compiler>` elements of a file and its includes: the last writer wins.

    `folder` is that of the main file.
    """
    if not sections:
        return Settings(assets=AssetDirs(folder))
    written = Attributes(tuple(reversed(sections)), reader, issues)
    unit = written.keyword("angle", ("degree", "radian"))
    _refuse_global_coordinates(written)
    found = [child for node in sections for child in node.children if child.tag == "lengthrange"]
    search = _length_search(Attributes(tuple(reversed(found)), reader, issues)) if found else None
    robot = _compiler_settings(written, search)
    written.mark_read("meshdir", "texturedir", "assetdir")
    return Settings(
        angle=1.0 if unit == "radian" else _DEGREE,
        euler_sequence=_euler_sequence(written),
        assets=_asset_dirs(sections, folder, strip=written.boolean("strippath") or False),
        auto_limits=written.boolean("autolimits") is not False,
        kept=_kept(sections, written),
        robot=robot,
    )


def _kept(sections: Sequence[Node], written: Attributes) -> tuple[Extension, ...]:
    """The elements that say anything beyond what is interpreted here."""
    others = {extension.tag.removeprefix("@") for extension in written.extensions()}
    return tuple(
        Extension(node.tag, node.raw_text(), source=node.source)
        for node in sections
        if node.children or not others.isdisjoint(node.attributes)
    )


def _euler_sequence(written: Attributes) -> str:
    sequence = written.string("eulerseq")
    if sequence is None or _SEQUENCE.fullmatch(sequence):
        return sequence or "xyz"
    message = f'eulerseq="{sequence}" is not three letters out of x, y, z, X, Y, Z'
    written.report(codes.KEYWORD_UNKNOWN, message, "eulerseq")
    return "xyz"


def _refuse_global_coordinates(written: Attributes) -> None:
    if written.keyword("coordinate", ("local", "global")) == "global":
        message = (
            "global coordinates were removed from MJCF in 2023; poses are read as local, which "
            "is not what this file means"
        )
        written.report(codes.KEYWORD_UNKNOWN, message, "coordinate")


def _asset_dirs(sections: Sequence[Node], folder: str, *, strip: bool) -> AssetDirs:
    """The folders of assets: `assetdir` sets all of them, what comes after it overrides it."""
    mesh = texture = asset = None
    for node in sections:
        if (written := node.get("assetdir")) is not None:
            mesh = texture = asset = written
        mesh = node.attributes.get("meshdir", mesh)
        texture = node.attributes.get("texturedir", texture)
    return AssetDirs(folder, mesh, texture, asset, strip)


def _compiler_settings(written: Attributes, search: LengthSearch | None) -> CompilerSettings:
    from_geom = written.keyword("inertiafromgeom", ("true", "false", "auto"))
    groups = written.integers("inertiagrouprange", 2)
    total = written.number("settotalmass")
    return CompilerSettings(
        inertia_from_geom=None if from_geom in (None, "auto") else from_geom == "true",
        inertia_group_range=(groups[0], groups[1]) if groups else None,
        bound_mass=written.number("boundmass"),
        bound_inertia=written.number("boundinertia"),
        balance_inertia=written.boolean("balanceinertia") or False,
        total_mass=total if total is not None and total > 0 else None,
        fuse_static=written.boolean("fusestatic") or False,
        discard_visual=written.boolean("discardvisual") or False,
        fit_aabb=written.boolean("fitaabb") or False,
        align_free=written.boolean("alignfree") or False,
        length_search=search,
        source=written.source,
    )


def _length_search(written: Attributes) -> LengthSearch:
    numbers = {
        field: written.number(name)
        for name, field in (
            ("accel", "acceleration"),
            ("maxforce", "max_force"),
            ("timeconst", "time_constant"),
            ("timestep", "timestep"),
            ("inttotal", "total"),
            ("interval", "interval"),
            ("tolrange", "tolerance"),
        )
    }
    return LengthSearch(
        mode=written.keyword("mode", ("none", "muscle", "muscleuser", "all")) or "muscle",
        use_existing=written.boolean("useexisting") is not False,
        use_limit=written.boolean("uselimit") or False,
        **{field: value for field, value in numbers.items() if value is not None},
        source=written.source,
    )
