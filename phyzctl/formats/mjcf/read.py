"""An MJCF document into a RobotBuilder: the passes in their order."""

from __future__ import annotations

from phyzctl.formats.format import Reading, ReadOptions
from phyzctl.formats.mjcf.actuators import read_actuators
from phyzctl.formats.mjcf.assets import read_assets
from phyzctl.formats.mjcf.constraints import read_contacts, read_equalities, read_tendons
from phyzctl.formats.mjcf.dangling import report_dangling
from phyzctl.formats.mjcf.duplicates import report_duplicates
from phyzctl.formats.mjcf.keyframes import read_keyframes
from phyzctl.formats.mjcf.load import Loader
from phyzctl.formats.mjcf.model import Model
from phyzctl.formats.mjcf.option import read_option
from phyzctl.formats.mjcf.sensors import read_sensors
from phyzctl.formats.mjcf.tree import read_tree
from phyzctl.formats.mjcf.unsupported import kept
from phyzctl.formats.xmlnode import Document
from phyzctl.issues import Issues
from phyzctl.robot.builder import RobotBuilder

_KEPT = ("body", "extension", "custom", "statistic", "visual", "size")
_READERS = (
    read_option,
    read_assets,
    read_tree,
    read_contacts,
    read_equalities,
    read_tendons,
    read_actuators,
    read_sensors,
    read_keyframes,
)


def read(document: Document, issues: Issues, options: ReadOptions) -> Reading:  # noqa: ARG001
    """The Robot that an MJCF document describes; faults go to `issues`, with their places."""
    loader = Loader(issues)
    model = loader.load_document(document)
    if model is None or document.root is None:
        return Reading(None, loader.documents)
    report_duplicates(model)
    report_dangling(model)
    builder = RobotBuilder(
        document.root.get("model") or "",
        dialect="mjcf",
        source=document.root.source,
        implicit_links=False,
    )
    builder.settings(model.settings(model.root).robot)
    for reader in _READERS:
        reader(model, builder)
    _keep_the_rest(model, builder)
    return Reading(builder.build(issues), loader.documents)


def _keep_the_rest(model: Model, builder: RobotBuilder) -> None:
    """Whatever has no place in a Robot stays with it as text."""
    extensions = list(model.settings(model.root).kept)
    for tag in _KEPT:
        for node in model.sections(tag):
            extensions += kept(node, model.issues)
    for node in model.elements("deformable"):
        extensions += kept(node, model.issues)
    for extension in extensions:
        builder.extension(extension)
