"""Robot descriptions read, judged, compiled and simulated: the public names of phyzctl.

Each name is loaded on first use, so that importing the package, and answering
`phyzctl --version`, costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phyzctl.api import attach, load, save, validate
    from phyzctl.config import Config, load_config
    from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
    from phyzctl.exclude.facts import ExcludeReport
    from phyzctl.exclude.survey import suggest_excludes
    from phyzctl.geometry.shapes import (
        Box,
        Capsule,
        Cylinder,
        Ellipsoid,
        HeightfieldShape,
        MeshShape,
        Plane,
        Sphere,
    )
    from phyzctl.issues import (
        BuildError,
        Code,
        Edit,
        Fix,
        Issue,
        Issues,
        LoadError,
        Related,
        Severity,
        Source,
    )
    from phyzctl.model.body import Body
    from phyzctl.model.compiler import compile  # noqa: A004
    from phyzctl.model.material import ContactMaterial
    from phyzctl.model.model import Model
    from phyzctl.model.state import State
    from phyzctl.pushing.command import ContactMode, PusherCommand
    from phyzctl.pushing.params import PusherSliderParams
    from phyzctl.pushing.plane import SliderState
    from phyzctl.robot.builder import RobotBuilder
    from phyzctl.robot.elements import (
        Calibration,
        Dynamics,
        Extension,
        Geom,
        GeomRole,
        Inertia,
        Inertial,
        Joint,
        JointKind,
        JointLimit,
        Link,
        Material,
        Mesh,
        Mimic,
        Safety,
        Site,
        Surface,
        Transmission,
    )
    from phyzctl.robot.mechanism import (
        Actuator,
        ContactPair,
        Equality,
        EqualityKind,
        Exclude,
        Keyframe,
        Option,
        Sensor,
        Tendon,
        TransmissionKind,
    )
    from phyzctl.robot.robot import Robot, Structure
    from phyzctl.scene.environment import CollisionEnv, check
    from phyzctl.scene.exclusions import SceneExclusions
    from phyzctl.scene.items import AttachedShape, Obstacle
    from phyzctl.scene.planning import PlanningScene
    from phyzctl.sim.simulator import DivergedError, Simulator, simulate
    from phyzctl.trace.files import read_trace
    from phyzctl.trace.trace import Trace

__version__ = "0.1.0"

__all__ = [
    "Actuator",
    "AttachedShape",
    "Body",
    "Box",
    "BuildError",
    "Calibration",
    "Capsule",
    "Code",
    "CollisionEnv",
    "Config",
    "ContactMaterial",
    "ContactMode",
    "ContactPair",
    "Cylinder",
    "DivergedError",
    "Dynamics",
    "Edit",
    "Ellipsoid",
    "Equality",
    "EqualityKind",
    "Exclude",
    "ExcludeReport",
    "Extension",
    "Fix",
    "Geom",
    "GeomRole",
    "HeightfieldShape",
    "Inertia",
    "Inertial",
    "Issue",
    "Issues",
    "Joint",
    "JointKind",
    "JointLimit",
    "Keyframe",
    "Link",
    "LoadError",
    "Material",
    "Mesh",
    "MeshShape",
    "Mimic",
    "Model",
    "NotFoundError",
    "Obstacle",
    "Option",
    "PhyzctlError",
    "Plane",
    "PlanningScene",
    "PusherCommand",
    "PusherSliderParams",
    "Related",
    "Robot",
    "RobotBuilder",
    "Safety",
    "SceneExclusions",
    "Sensor",
    "Severity",
    "Simulator",
    "Site",
    "SliderState",
    "Source",
    "Sphere",
    "State",
    "Structure",
    "Surface",
    "Tendon",
    "Trace",
    "Transmission",
    "TransmissionKind",
    "UnreadableError",
    "__version__",
    "attach",
    "check",
    "compile",
    "load",
    "load_config",
    "read_trace",
    "save",
    "simulate",
    "suggest_excludes",
    "validate",
]

# The names that each module is the home of. The imports above, for type checkers, say the same.
_MODULES = {
    "phyzctl.api": ("attach", "load", "save", "validate"),
    "phyzctl.config": ("Config", "load_config"),
    "phyzctl.errors": ("NotFoundError", "PhyzctlError", "UnreadableError"),
    "phyzctl.exclude.facts": ("ExcludeReport",),
    "phyzctl.exclude.survey": ("suggest_excludes",),
    "phyzctl.geometry.shapes": (
        "Box",
        "Capsule",
        "Cylinder",
        "Ellipsoid",
        "HeightfieldShape",
        "MeshShape",
        "Plane",
        "Sphere",
    ),
    "phyzctl.issues": (
        "BuildError",
        "Code",
        "Edit",
        "Fix",
        "Issue",
        "Issues",
        "LoadError",
        "Related",
        "Severity",
        "Source",
    ),
    "phyzctl.model.body": ("Body",),
    "phyzctl.model.compiler": ("compile",),
    "phyzctl.model.material": ("ContactMaterial",),
    "phyzctl.model.model": ("Model",),
    "phyzctl.model.state": ("State",),
    "phyzctl.pushing.command": ("ContactMode", "PusherCommand"),
    "phyzctl.pushing.params": ("PusherSliderParams",),
    "phyzctl.pushing.plane": ("SliderState",),
    "phyzctl.robot.builder": ("RobotBuilder",),
    "phyzctl.robot.elements": (
        "Calibration",
        "Dynamics",
        "Extension",
        "Geom",
        "GeomRole",
        "Inertia",
        "Inertial",
        "Joint",
        "JointKind",
        "JointLimit",
        "Link",
        "Material",
        "Mesh",
        "Mimic",
        "Safety",
        "Site",
        "Surface",
        "Transmission",
    ),
    "phyzctl.robot.mechanism": (
        "Actuator",
        "ContactPair",
        "Equality",
        "EqualityKind",
        "Exclude",
        "Keyframe",
        "Option",
        "Sensor",
        "Tendon",
        "TransmissionKind",
    ),
    "phyzctl.robot.robot": ("Robot", "Structure"),
    "phyzctl.scene.environment": ("CollisionEnv", "check"),
    "phyzctl.scene.exclusions": ("SceneExclusions",),
    "phyzctl.scene.items": ("AttachedShape", "Obstacle"),
    "phyzctl.scene.planning": ("PlanningScene",),
    "phyzctl.sim.simulator": ("DivergedError", "Simulator", "simulate"),
    "phyzctl.trace.files": ("read_trace",),
    "phyzctl.trace.trace": ("Trace",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name from its home and keep it."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'phyzctl' has no attribute {name!r}")
    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
