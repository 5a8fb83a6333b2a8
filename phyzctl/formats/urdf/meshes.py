"""The mesh files that a URDF names: one asset per file and scale, one Issue per cause."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from phyzctl import codes
from phyzctl.formats.assets import AssetResolver, Resolved
from phyzctl.formats.format import ReadOptions
from phyzctl.formats.urdf.parts import read_vector
from phyzctl.formats.values import has_macro
from phyzctl.formats.xmledits import set_attribute
from phyzctl.formats.xmltree import Document, Node
from phyzctl.geometry.shapes import Vec3
from phyzctl.issues import Fix, Issues, Related, Severity
from phyzctl.robot.elements import Mesh

_NO_SCALE: Vec3 = (1.0, 1.0, 1.0)
_SHOWN_RELATED = 20


class MeshTable:
    """Collects `<mesh>` elements while a document is read, and what could not be found."""

    def __init__(self, document: Document, issues: Issues, options: ReadOptions) -> None:
        folder = str(Path(document.path).absolute().parent)
        self._resolver = AssetResolver(folder, options.package_path)
        self._issues = issues
        self._assets: dict[tuple[str, Vec3 | None], Mesh] = {}
        self._names: set[str] = set()
        self._resolved: dict[str, Resolved] = {}
        self._uses: dict[str, list[Node]] = {}
        self._unexpanded: list[Node] = []

    @property
    def assets(self) -> tuple[Mesh, ...]:
        """The assets so far, in the order of first use."""
        return tuple(self._assets.values())

    def add(self, node: Node) -> str | None:
        """The name of the asset that a `<mesh>` refers to; None when it names no file."""
        uri = node.get("filename")
        if uri is None:
            return None
        if has_macro(uri):
            self._unexpanded.append(node)
            return None
        self._uses.setdefault(uri, []).append(node)
        scale = read_vector(node, "scale", self._issues, _NO_SCALE)
        asset = self._assets.get((uri, scale))
        if asset is None:
            asset = Mesh(
                self._unused_name(uri),
                uri=uri,
                scale=scale,
                name_stated=False,
                file=self._resolve(uri).path,
                source=node.source,
            )
            self._assets[uri, scale] = asset
        return asset.name

    def report_missing(self) -> None:
        """One Issue per package that isn't found, per file that is missing, per absolute path.

        And one for all macros in file names: the robot is whole but for its meshes.
        """
        if self._unexpanded:
            self._report_macros(self._unexpanded)
        missing_packages: dict[str, list[str]] = {}
        for uri, resolved in self._resolved.items():
            if resolved.absolute:
                self._report_absolute(uri)
            elif resolved.package is not None and resolved.root is None:
                missing_packages.setdefault(resolved.package, []).append(uri)
            elif resolved.path is None:
                self._report_file(uri, resolved)
        for package, uris in missing_packages.items():
            self._report_package(package, uris)

    def _resolve(self, uri: str) -> Resolved:
        if uri not in self._resolved:
            self._resolved[uri] = self._resolver.resolve(uri)
        return self._resolved[uri]

    def _unused_name(self, uri: str) -> str:
        stem = PurePosixPath(uri.replace("\\", "/")).stem or "mesh"
        name, count = stem, 1
        while name in self._names:
            count += 1
            name = f"{stem}_{count}"
        self._names.add(name)
        return name

    def _report_macros(self, nodes: list[Node]) -> None:
        self._issues.add(
            codes.MACRO_UNEXPANDED,
            f"filename={nodes[0].get('filename')!r} holds a macro that was not expanded, "
            f"so {_counted(len(nodes), 'mesh')} can't be found; run xacro first",
            source=nodes[0].attribute_source("filename"),
            subject=nodes[0].subject,
            severity=Severity.WARNING,
            related=self._related(nodes[1:]),
        )

    def _report_absolute(self, uri: str) -> None:
        node = self._uses[uri][0]
        message = (
            f"{uri!r} is a path of one machine; write package://NAME/… or a path relative "
            "to this file"
        )
        source = node.attribute_source("filename")
        self._issues.add(codes.PATH_NOT_PORTABLE, message, source=source, subject=node.subject)

    def _report_file(self, uri: str, resolved: Resolved) -> None:
        node = self._uses[uri][0]
        note = f"; {resolved.note}" if resolved.note else ""
        self._issues.add(
            codes.FILE_MISSING,
            f"there is no file {uri!r}{note}; looked at {_listed(resolved.looked_in)}",
            source=node.attribute_source("filename"),
            subject=node.subject,
            fix=_rename(self._uses[uri], resolved.suggestion),
            related=self._related(self._uses[uri][1:]),
        )

    def _report_package(self, package: str, uris: list[str]) -> None:
        nodes = [node for uri in uris for node in self._uses[uri]]
        lost = [uri for uri in uris if self._resolved[uri].path is None]
        first = self._resolved[lost[0] if lost else uris[0]]
        if lost:
            outcome = f"so {_counted(len(lost), 'mesh file')} can't be read"
            looked = f"; looked in {_listed(first.looked_in)}"
        else:
            outcome, looked = f"but {_counted(len(uris), 'mesh file')} of it lie near this file", ""
        self._issues.add(
            codes.PACKAGE_NOT_FOUND,
            f"package {package!r} is not found, {outcome}{looked}; "
            f"say where it is with --package-path {package}=DIR",
            source=nodes[0].attribute_source("filename"),
            severity=None if lost else Severity.INFO,
            related=self._related(nodes[1:]),
        )

    def _related(self, nodes: list[Node]) -> tuple[Related, ...]:
        return tuple(Related("used here too", node.source) for node in nodes[:_SHOWN_RELATED])


def _rename(nodes: list[Node], suggestion: str | None) -> Fix | None:
    """Write the file's real spelling wherever the wrong one stands."""
    if suggestion is None:
        return None
    edits = [set_attribute(node, "filename", suggestion) for node in nodes]
    return nodes[0].document.fix(f"write {suggestion!r}", *edits, safe=True)


def _listed(places: tuple[str, ...], most: int = 6) -> str:
    shown = ", ".join(places[:most])
    rest = f" and {len(places) - most} more places" if len(places) > most else ""
    return f"{shown}{rest}" if places else "no place"


def _counted(count: int, noun: str) -> str:
    plural = "es" if noun.endswith("sh") else "s"
    return f"{count} {noun}{'' if count == 1 else plural}"
