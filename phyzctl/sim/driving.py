"""Which control drives a run: as it is asked for, and as a header describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.records import dataclass
from phyzctl.sim.control import Constant, Control, Sine
from phyzctl.sim.controlfile import load_controls
from phyzctl.sim.engine import Engine
from phyzctl.sim.hold import hold
from phyzctl.sim.sines import sine_control
from phyzctl.sim.start import Start


@dataclass(frozen=True)
class Driving:
    """What is asked for: to `hold` the pose, a `table` file, `sines`; else what the start has."""

    hold: bool = False
    table: str | None = None
    linear: bool = False
    sines: Sequence[str] = ()

    def control(self, engine: Engine, start: Start) -> Control:
        """The control; raises PhyzctlError for what doesn't go together or isn't there."""
        if self.hold and self.table is not None:
            raise PhyzctlError("give either a table of controls or hold the pose")
        if self.table is not None:
            if self.sines:
                raise PhyzctlError("sines go on top of a pose that is held, not of a table")
            return load_controls(self.table, engine.model, start.state.ctrl, linear=self.linear)
        base = hold(engine, start.state) if self.hold else Constant(start.state.ctrl)
        return sine_control(engine.model, self.sines, base, start.origin) if self.sines else base


def described_control(engine: Engine, start: Start, words: Mapping[str, Any]) -> Control:
    """The control that described itself by these words.

    Raises PhyzctlError for one that can't be made again, such as a function.
    """
    try:
        match words["kind"]:
            case "constant":
                return Constant(_vector(engine, words["ctrl"]))
            case "hold":
                return hold(engine, start.state)
            case "sine":
                return Sine(
                    _vector(engine, words["offset"]),
                    _vector(engine, words["amplitude"]),
                    _vector(engine, words["frequency"]),
                    float(words["start"]),
                    hold(engine, start.state).feedback if words.get("hold") else None,
                )
            case "table" if "path" in words:
                return _same_table(engine, start, words)
            case kind:
                raise PhyzctlError(f"a control that is a {kind} can't be made again from the trace")
    except (KeyError, TypeError, ValueError) as error:
        raise PhyzctlError(f"the control that the trace states is damaged: {error}") from error


def _same_table(engine: Engine, start: Start, words: Mapping[str, Any]) -> Control:
    linear = words["between"] == "linear"
    table = load_controls(str(words["path"]), engine.model, start.state.ctrl, linear=linear)
    if table.describe()["sha256"] != words["sha256"]:
        raise PhyzctlError(f"the controls in {words['path']!r} are others than those of the trace")
    return table


def _vector(engine: Engine, numbers: Any) -> Any:
    found = np.array(numbers, dtype=np.float64)
    if found.shape != (engine.nctrl,):
        raise PhyzctlError(f"the trace states {found.size} controls, the robot has {engine.nctrl}")
    return found
