"""A run made again from the header of its trace."""

from __future__ import annotations

from phyzctl.errors import PhyzctlError
from phyzctl.model.model import Model
from phyzctl.sim.channels import EXTRAS
from phyzctl.sim.driving import described_control
from phyzctl.sim.engine import Engine
from phyzctl.sim.recording import Recording
from phyzctl.sim.run import Run
from phyzctl.sim.start import start_from_json
from phyzctl.trace.header import TraceHeader


def replay(model: Model, header: TraceHeader) -> Recording:
    """The run that a header describes, ready to be made, of a Model that was compiled alike.

    Raises PhyzctlError when the header doesn't say enough, or of another model.
    """
    if header.kind != "simulate":
        raise PhyzctlError(f"the trace is of a {header.kind}, not of a simulation")
    stiff = header.options.get("stiff") is True
    engine = Engine(model, dt=header.dt, integrator=header.integrator, stiff=stiff)
    start = start_from_json(model, header.initial_state)
    try:
        steps, every = int(header.options["steps"]), int(header.options["every"])
        words = header.options["control"]
    except (KeyError, TypeError, ValueError) as error:
        raise PhyzctlError(f"the header of the trace is damaged: {error}") from error
    control = described_control(engine, start, words)
    extras = tuple(each.name for each in header.channels if each.name in EXTRAS)
    return Recording(Run(engine, control, start, steps, every), header.origin, extras, header.seed)
