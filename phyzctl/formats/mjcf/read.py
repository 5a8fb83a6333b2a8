"""An MJCF document into a RobotBuilder: the passes in their order."""

from __future__ import annotations

import os

from phyzctl.formats.format import Reading, ReadOptions
from phyzctl.formats.mjcf.assets import read_assets
from phyzctl.formats.mjcf.include import resolve_includes
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.tree import read_tree
from phyzctl.formats.xmlnode import Document
from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder


def read(document: Document, issues: Issues, options: ReadOptions) -> Reading:  # noqa: ARG001
    """The Robot that an MJCF document describes; faults go to `issues`, with their places."""
    if document.root is None:
        return Reading(None, {document.path: document})
    included = resolve_includes(document, document.root, issues)
    model = Model(included.root, issues)
    folder = os.path.dirname(document.path)
    scope = model.open_scope(folder, included.documents.values())
    builder = RobotBuilder(
        document.root.get("model") or "",
        dialect="mjcf",
        source=document.root.source,
        implicit_links=False,
    )
    builder.settings(scope.settings.robot)
    read_assets(model, builder)
    read_tree(model, builder)
    return Reading(builder.build(issues), included.documents)
