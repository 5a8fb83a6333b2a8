"""`<transmission>`: which actuator drives which joint, in ros_control's and PR2's spelling."""

from __future__ import annotations

from phyzctl.formats.urdf.parts import extension, read_name
from phyzctl.formats.values import content_number
from phyzctl.formats.xmltree import Node
from phyzctl.issues import Issues
from phyzctl.robot.elements import Transmission, TransmissionEnd


def read_transmission(node: Node, issues: Issues) -> Transmission:
    """The names that a transmission ties together; the whole element is kept verbatim too."""
    kind = node.find("type")
    return Transmission(
        node.get("name"),
        node.get("type") if kind is None else kind.text,
        joints=_read_ends(node, "joint", issues),
        actuators=_read_ends(node, "actuator", issues),
        extensions=(extension(node),),
        source=node.source,
    )


def _read_ends(node: Node, tag: str, issues: Issues) -> tuple[TransmissionEnd, ...]:
    ends = []
    for end in node.findall(tag):
        name = read_name(end, "name", issues)
        if name is not None:
            ends.append(_read_end(name, end, issues))
    return tuple(ends)


def _read_end(name: str, node: Node, issues: Issues) -> TransmissionEnd:
    reduction = node.find("mechanicalReduction")
    return TransmissionEnd(
        name,
        tuple(interface.text for interface in node.findall("hardwareInterface")),
        None if reduction is None else content_number(reduction, issues),
        source=node.source,
    )
