"""A transmission in a syntax that ros_control has given up.

What it checks
    A `<transmission>` of a URDF states its `<type>` as an element, states the hardware interface
    in its `<joint>`, and writes that with the package, `hardware_interface/…`.

Why it matters
    ros_control skips a transmission that it can't read, or warns at every start; the joint then
    has no controller. ROS 2 reads other elements altogether.

Fix
    Write `<hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>` in the
    joint, or the like; for ROS 2 write `<ros2_control>`.
"""

from __future__ import annotations

from collections.abc import Iterator

from phyzctl.formats.xmltree import Node
from phyzctl.issues import Code, Finding, Severity
from phyzctl.lint.context import Context
from phyzctl.lint.fold import fold

CODE = Code("A703", "transmission-outdated", Severity.INFO)
FORMATS = frozenset({"urdf"})

_INTERFACE = "hardwareInterface"


def check(context: Context) -> Iterator[Finding]:
    """Old ways to write a transmission."""
    document = context.document
    if document is not None and document.root is not None:
        yield from fold(_outdated(document.root))


def _outdated(root: Node) -> Iterator[Finding]:
    for transmission in root.findall("transmission"):
        message = _fault(transmission)
        if message is not None:
            name = transmission.get("name")
            yield Finding(transmission, message, subject=f"transmission {name!r}" if name else None)


def _fault(transmission: Node) -> str | None:
    joints = transmission.findall("joint")
    actuators = transmission.findall("actuator")
    is_read = any(part.find(_INTERFACE) for part in (*joints, *actuators))
    if transmission.find("type") is None and (is_read or transmission.get("type")):
        return "the type is an element since ROS Groovy: <type>…</type>"
    if not joints:
        return None
    if not any(joint.find(_INTERFACE) for joint in joints):
        if any(actuator.find(_INTERFACE) for actuator in actuators):
            return "the hardware interface stands in the actuator only; it belongs in the joint"
        return None
    bare = [text for joint in joints for text in _interfaces(joint) if "/" not in text]
    if bare:
        return f"the hardware interface {bare[0]!r} lacks its package, hardware_interface/"
    return None


def _interfaces(joint: Node) -> Iterator[str]:
    for node in joint.findall(_INTERFACE):
        text = (node.text or "").strip()
        if text:
            yield text
