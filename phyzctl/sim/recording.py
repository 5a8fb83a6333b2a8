"""The trace of a run: its header, and its channels from what the blocks hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from phyzctl.errors import PhyzctlError, did_you_mean
from phyzctl.formats import WriteOptions, write
from phyzctl.geometry.shapes import MeshShape
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot.elements import GeomRole
from phyzctl.robot.robot import WORLD_LINK
from phyzctl.sim.channels import (
    EXTRAS,
    bodies_that_move,
    extra_channels,
    fixed_frames,
    joint_table,
    state_channels,
)
from phyzctl.sim.engine import Engine
from phyzctl.sim.run import Block, Run
from phyzctl.spatial import Array
from phyzctl.trace.header import Origin, TraceHeader, versions
from phyzctl.trace.trace import Trace, make_trace


@dataclass(frozen=True)
class Recording:
    """What is written down of a run: `extras` are channels besides state and controls."""

    run: Run
    origin: Origin
    extras: tuple[str, ...] = ()
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.extras:
            if name not in EXTRAS:
                hint = did_you_mean(name, EXTRAS) or f"; there are {', '.join(EXTRAS)}"
                raise PhyzctlError(f"there is no channel {name!r} to add{hint}")

    def header(self) -> TraceHeader:
        """The header before the run: its end and digest are not known, its length is the most."""
        run, engine, model = self.run, self.run.engine, self.run.engine.model
        moving = bodies_that_move(model)
        posed = "poses" in self.extras
        places = engine.places(run.start.state.q[np.newaxis])[0] if posed else None
        return TraceHeader(
            kind="simulate",
            origin=self.origin,
            dt=engine.dt,
            integrator=engine.integrator,
            channels=(
                *state_channels(model, engine.parts),
                *extra_channels(model, self.extras, moving),
            ),
            options={
                **_base(model),
                "gravity": model.gravity.tolist(),
                "contact_rules": model.contact_rules,
                "steps": run.steps,
                "every": run.every,
                "control": run.control.describe(),
                **({"stiff": True} if engine.stiff else {}),
                **self.options,
            },
            initial_state=run.start.to_json(),
            joints=joint_table(model),
            fixed_frames={} if places is None else fixed_frames(model, places),
            seed=self.seed,
            versions=versions(),
            steps=run.samples,
        )

    def values(self, block: Block) -> dict[str, Array]:
        """A block's numbers for every channel of the header."""
        engine, values = self.run.engine, dict(block.values)
        if "effort" in self.extras:
            values["effort"] = engine.motor_forces(values, values["ctrl"])
        if "poses" in self.extras:
            moving = bodies_that_move(engine.model)
            values["poses"] = engine.places(values["q"])[:, moving].reshape(len(block.times), -1)
        return values

    def trace(self) -> Trace:
        """Make the run, and its trace in memory."""
        header = self.header()
        block = self.run.whole()
        values = self.values(block)
        whole = TraceHeader.from_json(header.to_json() | self.ending())
        return make_trace(
            whole, block.times, {each.name: values[each.name] for each in header.channels}
        )

    def ending(self) -> dict[str, Any]:
        """What of the header is only known when the run has ended."""
        broken = self.run.divergence
        events = () if broken is None else ((broken.time, broken.message()),)
        return {"complete": self.run.made == self.run.steps, "events": events}


def _base(model: Model) -> dict[str, str]:
    """How the root stands in the world; where the file has its own world, it says so itself."""
    return {} if model.robot.structure.has_link(WORLD_LINK) else {"base": model.base}


def origin_of_model(model: Model, path: str = "", data: bytes = b"") -> Origin:
    """What was run: the file, what it means however it is written, and the meshes that matter."""
    robot = model.robot
    document = {"robot": robot.to_json(), "base": model.base}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return Origin(
        path,
        hashlib.sha256(data).hexdigest() if data else "",
        hashlib.sha256(text.encode()).hexdigest(),
        dict(sorted(_mesh_hashes(model).items())),
    )


def _mesh_hashes(model: Model) -> dict[str, str]:
    """The hashes of the mesh files that give bodies their masses and shapes."""
    geoms = [geom for link in model.robot.links for geom in link.geoms]
    used = {
        geom.shape.mesh
        for geom in geoms
        if isinstance(geom.shape, MeshShape) and geom.role is not GeomRole.VISUAL
    }
    found = {}
    for mesh in model.robot.meshes:
        if mesh.name in used and mesh.file is not None and Path(mesh.file).is_file():
            found[mesh.name] = hashlib.sha256(Path(mesh.file).read_bytes()).hexdigest()
    return found


def description(model: Model) -> str:
    """The robot as URDF, for viewers."""
    return write(model.robot, "urdf", WriteOptions()).text


def with_poses(model: Model, trace: Trace) -> Trace:
    """The trace of a run of this Model, with where its bodies are."""
    moving, engine = bodies_that_move(model), Engine(model)
    q = trace.values["q"]
    places = engine.places(q)
    channels = (*trace.header.channels, *extra_channels(model, ("poses",), moving))
    frames = fixed_frames(model, places[0]) if len(q) else {}
    header = replace(trace.header, channels=channels, fixed_frames=frames)
    values = {**trace.values, "poses": places[:, moving].reshape(len(q), 7 * len(moving))}
    return make_trace(header, trace.times, values, description=trace.description)
