"""What `phyzctl simulate` and its kin read, run and say."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Self

from phyzctl import codes
from phyzctl.cli.checking import read_target, text_of
from phyzctl.cli.choices import arguments, packages
from phyzctl.cli.targets import find_targets
from phyzctl.config import load_config
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.model.compiler import compile as compile_model
from phyzctl.model.model import Model
from phyzctl.model.positions import configuration
from phyzctl.records import dataclass
from phyzctl.report.text import plural
from phyzctl.robot.robot import WORLD_LINK, Robot
from phyzctl.sim.engine import Engine
from phyzctl.sim.ground import lowest_point, with_ground
from phyzctl.sim.inference import with_inferred_inertia
from phyzctl.sim.massless import massless_issues
from phyzctl.sim.recording import Recording, description, origin_of_model
from phyzctl.sim.run import Run
from phyzctl.sim.unsupported import unsupported_issues
from phyzctl.sim.watch import Watch
from phyzctl.trace.header import Origin, TraceHeader
from phyzctl.trace.writer import TraceWriter

# Errors with which a run still means something: of contacts, actuators, keyframes.
_SURVIVED = "ACK"


@dataclass(frozen=True)
class Preparation:
    """What becomes of a robot before it runs.

    `base` as for `compile`; `ground` is the height of a floor [m], "none", or "auto" for one under
    a URDF that floats, where it stands at `q`; `density` [kg/m³] gives masses where none are.
    """

    base: str = "auto"
    ground: float | str = "none"
    density: float | None = None
    q: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Subject:
    """A robot to run: its path and bytes, its Model, what was found on the way, and its texts.

    `base`, `ground` (None: none) and `density` are what was chosen; `notes` are about that. The
    Model is that of `robot`, compiled with the base `compiled`.
    """

    path: str
    data: bytes
    model: Model
    issues: Issues
    texts: dict[str, str] = field(repr=False)
    base: str
    robot: Robot
    compiled: str
    ground: float | None = None
    density: float | None = None
    notes: tuple[str, ...] = ()

    def options(self) -> dict[str, Any]:
        """What was chosen, for the header of a trace."""
        chosen = {"base": self.stands(), "ground": self.ground, "density": self.density}
        return {name: value for name, value in chosen.items() if value is not None}

    def stands(self) -> str | None:
        """How the root link stands in the world; None where the file has a world of its own."""
        own = self.ground is None and self.robot.structure.has_link(WORLD_LINK)
        return None if own else self.base

    def origin(self) -> Origin:
        """The file, for the header of a trace."""
        return origin_of_model(self.model, Path(self.path).as_posix(), self.data)


def subject_of(
    robot: str,
    preparation: Preparation,
    package_path: Sequence[str] = (),
    stdin_name: str | None = None,
    *,
    xacro_arg: Sequence[str] = (),
) -> Subject:
    """Read and compile a robot. Raises LoadError for one that has errors: no run would mean it."""
    targets = find_targets([robot], stdin_name)
    if len(targets) > 1:
        names = ", ".join(target.path for target in targets)
        raise PhyzctlError(f"{robot!r} means several robots, choose one of: {names}")
    issues = Issues()
    config = load_config(Path(targets[0].path).absolute().parent)
    config = replace(
        config,
        package_path={**config.package_path, **packages(package_path)},
        xacro_args={**config.xacro_args, **arguments(xacro_arg)},
    )
    reading = read_target(targets[0], issues, config)
    if reading.robot is None or issues.errors:
        raise LoadError(issues)
    found: Robot = reading.robot
    named: tuple[str, ...] = ()
    if preparation.density is not None:
        found, named = with_inferred_inertia(found, preparation.density)
    model = compile_model(found, base=preparation.base, issues=issues)  # type: ignore[arg-type]
    height = _ground(model, preparation)
    base, compiled = model.base, preparation.base
    if height is not None:
        found, compiled = with_ground(found, height), "auto"
        model = compile_model(found, issues=issues)
    fatal = [*issues.errors, *model.fatal_issues()]
    if any(issue.code.id[0] not in _SURVIVED for issue in fatal):
        raise LoadError(Issues(dict.fromkeys(fatal)))
    main = reading.documents.get(targets[0].path)
    texts = {path: text_of(document) for path, document in reading.documents.items()}
    notes = [f"guessed the masses of {', '.join(named)}"] if named else []
    if fatal:
        notes.append(f"the robot has {plural(len(set(fatal)), 'error')}; see phyzctl validate")
    return Subject(
        targets[0].path,
        main.original if main else b"",
        model,
        issues,
        texts,
        base,
        found,
        compiled,
        height,
        preparation.density,
        tuple(notes),
    )


def _ground(model: Model, preparation: Preparation) -> float | None:
    """How high the floor is, None for none."""
    if isinstance(preparation.ground, float):
        return preparation.ground
    floats = model.base == "floating" and model.robot.dialect != "mjcf"
    if preparation.ground == "none" or not floats:
        return None
    return lowest_point(model, configuration(model, preparation.q))


def engine_of(
    subject: Subject, dt: float | None, integrator: str | None, stiff: bool = False
) -> Engine:
    """The engine that moves a robot. Raises LoadError for joints that move nothing."""
    engine = Engine(subject.model, dt=dt, integrator=integrator, stiff=stiff)
    massless = massless_issues(engine)
    if massless:
        raise LoadError(Issues(massless))
    return engine


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    issues: list[Issue]
    header: TraceHeader | None
    seconds: float


def carry_out(subject: Subject, recording: Recording, out: str | None, *, bar: bool) -> Outcome:
    """Make a run, into a trace file if there is one, with a progress bar on stderr if wanted."""
    run = recording.run
    header = None
    started = time.perf_counter()
    with ExitStack() as stack:
        advance = stack.enter_context(_Progress(run)) if bar else None
        writer = None
        if out is not None:
            viewed = description(subject.model) if out.lower().endswith(".mcap") else ""
            writer = stack.enter_context(TraceWriter(out, recording.header(), viewed))
        watch = Watch(run.engine)
        for block in run.blocks():
            watch.see(block)
            if writer is not None:
                writer.add(block.times, recording.values(block))
            if advance is not None:
                advance.show()
        if writer is not None:
            header = writer.finish(**recording.ending())
    issues = _issues(subject, run, watch)
    return Outcome(issues, header, time.perf_counter() - started)


def _issues(subject: Subject, run: Run, watch: Watch) -> list[Issue]:
    found = [each for each in subject.issues if each.code is codes.UNSUPPORTED]
    found += unsupported_issues(subject.model)
    watched = watch.issues(run)
    flung = any(each.code is codes.SIMULATION_DIVERGES for each in watched)
    if flung or run.divergence is not None:
        from phyzctl.sim.smoke import divergence_issue, overlaps  # few runs break

        if run.divergence is not None:
            found.append(divergence_issue(run.divergence))
        watched += overlaps(run.engine, run.start)
    return list(dict.fromkeys(found + watched))


class _Progress:
    """A bar on stderr for a run that lasts."""

    def __init__(self, run: Run) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._run = run
        self._bar = Progress(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("simulating", total=run.steps)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self) -> None:
        """How far the run has come."""
        self._bar.update(self._task, completed=self._run.made)


def summary(subject: Subject, run: Run, outcome: Outcome, out: str | None) -> Iterator[str]:
    """Some lines on a run."""
    engine, model = run.engine, subject.model
    simulated = run.made * engine.dt
    made = "1 step" if run.made == 1 else f"{run.made} steps"
    yield f"{model.robot.name}: {made} of {engine.dt:g} s by {engine.integrator}, {simulated:.6g} s"
    base = subject.stands()
    stands = "" if base is None else f"; base {base}"
    if subject.ground is not None:
        stands += f", over a ground at {subject.ground:.6g} m"
    yield f"  freedom  nq {model.nq}, nv {model.nv}, nu {model.nu()}{stands}"
    if run.made and outcome.seconds > 0:
        each, factor = outcome.seconds / run.made * 1e6, simulated / outcome.seconds
        traced = ", trace and all" if out is not None else ""
        yield f"  speed    {each:.3g} µs a step, {factor:.3g} times real time{traced}"
    if outcome.header is not None and out is not None:
        size = _size(out)
        samples = plural(outcome.header.steps, "sample")
        yield f"  trace    {out}, {samples}, {size}, digest {outcome.header.digest[:12]}"


def _size(path: str) -> str:
    size = float(Path(path).stat().st_size)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def step_count(engine: Engine, steps: int | None, duration: float | None) -> int:
    """From --steps or --duration, of which one must be there."""
    if (steps is None) == (duration is None):
        raise PhyzctlError("how long? give either --steps or --duration")
    if steps is not None:
        return steps
    assert duration is not None
    if not (math.isfinite(duration) and duration >= 0.0):
        raise PhyzctlError(f"--duration must be a time in seconds, not {duration:g}")
    return round(duration / engine.dt)


def thinning(engine: Engine, every: int | None, rate: float | None) -> int:
    """From --every or --rate [Hz]: how many steps lie between samples."""
    if every is not None and rate is not None:
        raise PhyzctlError("give either --every or --rate")
    if rate is None:
        return every or 1
    if not rate > 0.0:
        raise PhyzctlError(f"--rate must be positive, not {rate:g} Hz")
    return max(1, round(1.0 / (rate * engine.dt)))


def parse_ground(stated: str) -> float | str:
    """`auto`, `none`, or a height."""
    if stated in ("auto", "none"):
        return stated
    try:
        height = float(stated)
    except ValueError:
        height = math.nan
    if not math.isfinite(height):
        raise PhyzctlError(f"--ground wants auto, none or a height in metres, not {stated!r}")
    return height
