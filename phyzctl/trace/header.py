"""TraceHeader: all that it takes to run a trace again and to tell whether it came out the same."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from typing import Any

import numpy as np

import phyzctl
from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass

SCHEMA = "phyzctl.trace/1"


@dataclass(frozen=True)
class Channel:
    """One array of a trace, (n, len(columns)): what its columns are called and measured in.

    `frame` is the frame in which a vector is expressed, "" where there is none. The digest is
    over the channels that are `state`. `body` names what this is the place of in `frame`: planar
    poses x, y, theta or points x, y; it is "" for other channels. `bodies` names those whose
    places in `frame` stand here side by side, each as x, y, z and a quaternion w, x, y, z.
    """

    name: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    frame: str = ""
    state: bool = False
    body: str = ""
    bodies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Origin:
    """The file that was run: its path as given, and the SHA-256 of its bytes.

    `canonical_sha256` is that of what the file means, however it is written; `meshes` are the
    SHA-256 of other files that the run depends on.
    """

    path: str
    sha256: str
    canonical_sha256: str = ""
    meshes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TraceHeader:
    """What was run, how, with what, and what the samples are.

    `kind` is the verb; `options` and `initial_state` are what that verb needs to run again, as
    JSON values. `joints` are those of one degree of freedom: `name`, `type`, `unit`, limits, and
    their columns `q` and `v` in the channels of these names. `fixed_frames` are bodies that never
    move, with their places in the world as in `Channel.bodies`. `events` are (time [s], text).
    `complete` is False when the run was stopped; `steps` counts samples.
    There is no date in it: the same run makes the same header.
    """

    kind: str
    origin: Origin
    dt: float
    integrator: str
    channels: tuple[Channel, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    initial_state: Mapping[str, Any] = field(default_factory=dict)
    joints: tuple[Mapping[str, Any], ...] = ()
    fixed_frames: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    seed: int | None = None
    events: tuple[tuple[float, str], ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    complete: bool = True
    steps: int = 0
    digest: str = ""

    def to_json(self) -> dict[str, Any]:
        """The header as plain JSON values."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        values["origin"] = vars(self.origin)
        values["channels"] = [dict(vars(each)) for each in self.channels]
        document = {"schema": SCHEMA, **values}
        plain: dict[str, Any] = json.loads(json.dumps(document))
        return plain

    @classmethod
    def from_json(cls, document: Any) -> TraceHeader:
        """The header in plain JSON values; `PhyzctlError` when they are no header of ours."""
        if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
            raise PhyzctlError(f"this is no trace with the schema {SCHEMA}")
        values = {item.name: document[item.name] for item in fields(cls) if item.name in document}
        try:
            values["origin"] = Origin(**values["origin"])
            values["channels"] = tuple(_channel(each) for each in values["channels"])
            values["joints"] = tuple(values.get("joints", ()))
            _check_joints(values["joints"], values["channels"])
            values["fixed_frames"] = {
                name: _pose(name, pose) for name, pose in values.get("fixed_frames", {}).items()
            }
            values["events"] = tuple((time, text) for time, text in values.get("events", ()))
            return cls(**values)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise PhyzctlError(f"the header of this trace is damaged: {error}") from error


def _channel(document: Mapping[str, Any]) -> Channel:
    values = dict(document)
    values["columns"] = tuple(values["columns"])
    values["units"] = tuple(values["units"])
    values["bodies"] = tuple(values.get("bodies", ()))
    if len(values["units"]) != len(values["columns"]):
        raise ValueError(f"channel {values['name']!r} has not as many units as columns")
    if values["bodies"] and len(values["columns"]) != 7 * len(values["bodies"]):
        raise ValueError(f"channel {values['name']!r} has not seven columns a body")
    return Channel(**values)


def _check_joints(joints: Sequence[Mapping[str, Any]], channels: Sequence[Channel]) -> None:
    """Their columns are there, in the channels that tell of joints."""
    widths = {each.name: len(each.columns) for each in channels}
    for joint in joints:
        for place, names in (("q", ("q",)), ("v", ("v", "effort"))):
            column = joint[place]
            most = min((widths[name] for name in names if name in widths), default=math.inf)
            if type(column) is not int or not 0 <= column < most:
                raise ValueError(f"joint {joint['name']!r} has no column {column!r} of {place}")


def _pose(name: str, pose: Sequence[float]) -> tuple[float, ...]:
    numbers = tuple(float(number) for number in pose)
    if len(numbers) != 7:
        raise ValueError(f"the fixed frame {name!r} has not seven numbers")
    return numbers


def origin_of(path: str, data: bytes) -> Origin:
    """The Origin of a file, by its path and bytes."""
    return Origin(path, hashlib.sha256(data).hexdigest())


def versions() -> dict[str, str]:
    """The versions of what computes."""
    return {
        "phyzctl": phyzctl.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
