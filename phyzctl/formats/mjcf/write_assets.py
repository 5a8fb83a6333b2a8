"""`<asset>`: meshes by relative path, height fields, and materials."""

from __future__ import annotations

import re

from phyzctl import codes
from phyzctl.formats.meshpaths import relative_path
from phyzctl.formats.mjcf.references import file_stem
from phyzctl.formats.mjcf.write_meshes import MeshFiles, loads
from phyzctl.formats.mjcf.writing import Writing
from phyzctl.formats.xmlwrite import Element
from phyzctl.robot.elements import Geom, Material, Mesh
from phyzctl.robot.mechanism import Heightfield

_NAME = re.compile(r'\bname\s*=\s*"([^"]*)"')
_ONES = (1.0, 1.0, 1.0)


class Assets:
    """The assets of a file, and whether what refers to them finds them."""

    def __init__(self, writing: Writing) -> None:
        self.element = Element("asset")
        self._writing = writing
        self.mesh_files = MeshFiles(writing.losses)
        self._meshes: set[str] = set()
        self._textures: set[str] = set()
        self._materials: dict[str, Material] = {}
        robot = writing.robot
        for extension in robot.extensions:
            name = _NAME.search(extension.text) if extension.tag == "texture" else None
            if name is not None and writing.survives(extension):
                self._textures.add(name[1])
        self._define(robot.materials)
        inline = (geom.material for link in robot.links for geom in link.geoms)
        if writing.foreign:
            self._define(tuple(material for material in inline if material is not None))
        for mesh in robot.meshes:
            self._mesh(mesh)
        for heightfield in robot.heightfields:
            self._heightfield(heightfield)

    def has_mesh(self, name: str, geom: Geom) -> bool:
        """False, and told, for a mesh that MuJoCo can't load."""
        if name not in self._meshes:
            message = "MuJoCo loads STL, OBJ and MSH: geoms of other meshes are left out"
            self._writing.losses.add(codes.LOSS_OF_SHAPE, message, geom)
        return name in self._meshes

    def refer(self, element: Element, material: Material) -> None:
        """State how a geom looks: by the material of that name, and a colour that differs."""
        known = self._materials.get(material.name or "")
        if known is not None:
            element.set(material=known.name)
        elif material.name and material.is_reference:
            message = "a material that is defined nowhere is left out"
            self._writing.losses.add(codes.LOSS_OF_SHAPE, message, material)
        if material.rgba is not None and (known is None or known.rgba != material.rgba):
            element.set(rgba=material.rgba)

    def _define(self, materials: tuple[Material, ...]) -> None:
        """The first definition of each name; later ones are colours of their geoms."""
        for material in materials:
            name = material.name
            defined = not material.is_reference or not self._writing.foreign
            if not name or name in self._materials or not defined:
                continue
            self._materials[name] = material
            element = self.element.new("material", name=name, rgba=material.rgba)
            self._writing.keep(element, material.extensions, "material")
            if material.texture in self._textures:
                element.set(texture=material.texture)
            elif material.texture is not None:
                message = "the texture of a material is not written"
                self._writing.losses.add(codes.LOSS_OF_SHAPE, message, material)

    def _mesh(self, mesh: Mesh) -> None:
        path = relative_path(mesh, self._writing.options.folder)
        if self._writing.foreign and not loads(mesh, path):
            path = self.mesh_files.converted(mesh) if self._writing.options.meshes else None
            if path is None:
                return
        if mesh.file is None and path is not None:
            message = "the file of a mesh was not found, so its path stands as it was"
            self._writing.losses.add(codes.LOSS_OF_SHAPE, message, mesh)
        self._meshes.add(mesh.name)
        default = path is not None and file_stem(path) == mesh.name and not mesh.name_stated
        element = self.element.new("mesh", name=None if default else mesh.name, file=path)
        element.set(
            scale=None if mesh.scale == _ONES else mesh.scale,
            refpos=mesh.refpos if any(mesh.refpos) else None,
            refquat=None if mesh.refquat == (1.0, 0.0, 0.0, 0.0) else mesh.refquat,
            inertia=mesh.inertia_mode,
            vertex=_flat(mesh.vertices),
            face=_flat(mesh.faces),
        )
        self._writing.keep(element, mesh.extensions, "mesh")

    def _heightfield(self, field: Heightfield) -> None:
        path = relative_path(field, self._writing.options.folder)
        default = path is not None and file_stem(path) == field.name and not field.name_stated
        self.element.new(
            "hfield",
            name=None if default else field.name,
            file=path,
            size=field.size,
            nrow=field.rows,
            ncol=field.columns,
            elevation=field.elevation,
        )


def _flat(rows: tuple[tuple[float, ...], ...] | None) -> tuple[float, ...] | None:
    return None if rows is None else tuple(number for row in rows for number in row)
