"""Smoke test: hold the robot for a while and see what an author should know."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phyzctl import codes
from phyzctl.issues import Code, Finding, Issue
from phyzctl.model.model import Model
from phyzctl.records import dataclass
from phyzctl.robot.checks import issue
from phyzctl.sim import smoketests
from phyzctl.sim.divergence import Divergence
from phyzctl.sim.energy import energy_findings
from phyzctl.sim.engine import Engine
from phyzctl.sim.hold import hold
from phyzctl.sim.run import Block, Run
from phyzctl.sim.start import Start
from phyzctl.sim.watch import Watch

HOME = "home"
_APART = 0.02  # rad or m between runs with the step and with half of it


@dataclass(frozen=True)
class Smoke:
    """What came of it: Issues, and how long it was held [s]."""

    issues: tuple[Issue, ...]
    seconds: float

    @property
    def broke(self) -> bool:
        """True when the run diverged, or flung the robot away."""
        return any(each.code is codes.SIMULATION_DIVERGES for each in self.issues)


def smoke(engine: Engine, start: Start, seconds: float = 2.0) -> Smoke:
    """Hold `start` for so many seconds, and judge what happens."""
    run, block = _held(engine, start, seconds)
    found = overlaps(engine, start)
    watch = Watch(engine)
    watch.see(block)
    watched = watch.issues(run)
    if run.divergence is not None:
        found.append(divergence_issue(run.divergence))
    elif any(each.code is codes.SIMULATION_DIVERGES for each in watched):
        found += watched
    else:
        found += watched
        found += _stamped(smoketests.held(engine, block, start.state))
        found += _stamped(_halved(engine, start, block, seconds))
    found += _stamped(energy_findings(engine, start))
    ordered = sorted(dict.fromkeys(found), key=Issue.sort_key)
    return Smoke(tuple(ordered), run.made * engine.dt)


def overlaps(engine: Engine, start: Start) -> list[Issue]:
    """S960: what overlaps where a run starts."""
    return _stamped(smoketests.at_start(engine, start.state))


def home_key(model: Model) -> str | None:
    """The keyframe `home`, else the first that has a name, else None."""
    names = [keyframe.name for keyframe in model.keyframes if keyframe.name]
    return HOME if HOME in names else next(iter(names), None)


def divergence_issue(broken: Divergence) -> Issue:
    """S952 at the joint that ran away."""
    finding = Finding(broken.element, broken.message())
    return issue(codes.SIMULATION_DIVERGES, finding)


def _stamped(found: Iterator[tuple[Code, Finding]]) -> list[Issue]:
    return [issue(code, finding) for code, finding in found]


def _held(engine: Engine, start: Start, seconds: float) -> tuple[Run, Block]:
    steps = max(1, round(seconds / engine.dt))
    run = Run(engine, hold(engine, start.state), start, steps)
    return run, run.whole()


def _halved(
    engine: Engine, start: Start, whole: Block, seconds: float
) -> Iterator[tuple[Code, Finding]]:
    """S963: the joint that ends furthest from where half the step leads it."""
    model = engine.model
    finer = Engine(model, dt=engine.dt / 2.0, integrator=engine.integrator, stiff=engine.stiff)
    _, half = _held(finer, start, seconds)
    columns = {
        int(model.q_offsets[index]): joint
        for index, joint in enumerate(model.joints)
        if joint.nv == 1
    }
    if not columns:
        return
    places = list(columns)
    away = np.abs(whole.values["q"][-1, places] - half.values["q"][-1, places])
    worst = int(np.argmax(away))
    if away[worst] > _APART:
        joint = columns[places[worst]]
        unit = "rad" if joint.type.name == "HINGE" else "m"
        message = (
            f"ends {away[worst]:.3g} {unit} elsewhere when the time step is {engine.dt / 2:g} s "
            f"instead of {engine.dt:g} s"
        )
        yield codes.STEP_MATTERS, Finding(joint.element, message)
