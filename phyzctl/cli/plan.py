"""A run, or many, as the command line of `phyzctl simulate` asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from phyzctl import codes
from phyzctl.cli import streams
from phyzctl.cli.exits import Exit
from phyzctl.cli.simulating import (
    Subject,
    carry_out,
    engine_of,
    step_count,
    summary,
    thinning,
)
from phyzctl.cli.telling import Telling
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Issue
from phyzctl.records import dataclass
from phyzctl.report.text import printable
from phyzctl.sim.driving import Driving
from phyzctl.sim.engine import Engine
from phyzctl.sim.recording import Recording
from phyzctl.sim.run import Run
from phyzctl.sim.start import Start, initial_start, logged_start
from phyzctl.sim.unsupported import unsupported_issues
from phyzctl.trace.files import read_trace


@dataclass(frozen=True)
class Beginning:
    """Where runs start: a keyframe and joints, or a state in a trace."""

    key: str | None
    q: Mapping[str, Sequence[float]]
    resume: str | None
    at: float | None

    def start(self, subject: Subject) -> Start:
        """The Start; raises PhyzctlError for what doesn't go together or isn't there."""
        if self.resume is not None:
            if self.key is not None or self.q:
                raise PhyzctlError("--from goes without --key and --q: the trace states it all")
            return logged_start(subject.model, read_trace(self.resume), self.at)
        if self.at is not None:
            raise PhyzctlError("--at says when in the trace of --from, which is not there")
        return initial_start(subject.model, key=self.key, q=self.q)


@dataclass(frozen=True)
class Length:
    """How long runs are and how often there are samples, each in one of two ways."""

    steps: int | None
    duration: float | None
    every: int | None
    rate: float | None

    def of(self, engine: Engine) -> tuple[int, int]:
        """Steps, and steps a sample."""
        steps = step_count(engine, self.steps, self.duration)
        return steps, thinning(engine, self.every, self.rate)


@dataclass(frozen=True)
class Plan:
    """All that is asked for.

    The `method` is the time step and the integrator, if they are, and whether `--stiff` is.
    """

    subject: Subject
    beginning: Beginning
    length: Length
    driving: Driving
    method: tuple[float | None, str | None, bool]
    extras: tuple[str, ...]
    out: str | None
    telling: Telling
    allowed: bool

    def one(self) -> Exit:
        """Make a run, and tell of it."""
        subject = self.subject
        engine = engine_of(subject, *self.method)
        start = self.beginning.start(subject)
        run = Run(engine, self.driving.control(engine, start), start, *self.length.of(engine))
        options = subject.options()
        recording = Recording(run, subject.origin(), self.extras, options=options)
        outcome = carry_out(subject, recording, self.out, bar=self.telling.bar)
        lines = list(summary(subject, run, outcome, self.out))
        broken = any(each.code is codes.SIMULATION_DIVERGES for each in outcome.issues)
        return self._told(outcome.issues, lines, broken=broken)

    def many(
        self, count: int, ranges: str | None, seed: int, *, jobs: int | None, dask: str | None
    ) -> Exit:
        """Make a batch of runs, drawn from the file of `ranges`, and tell of them."""
        from phyzctl.cli.batching import Amount, carry_out_batch, ranges_in
        from phyzctl.sim.batch import Batch

        drawn, subject = ranges_in(ranges), self.subject
        if self.beginning.resume is not None or self.beginning.at is not None:
            raise PhyzctlError("a batch starts by --key and --q, not --from a trace")
        engine = engine_of(subject, *self.method)
        self.driving.control(engine, self.beginning.start(subject))  # told now, if it is misuse
        steps, every = self.length.of(engine)
        batch = Batch(
            subject.robot,
            steps,
            subject.compiled,
            every,
            *self.method,
            self.beginning.key,
            self.beginning.q,
            self.driving,
            drawn,
            seed,
            subject.origin(),
            self.extras,
            subject.options(),
        )
        issues, lines = carry_out_batch(subject, batch, Amount(count, jobs, dask), self.out)
        left_out = unsupported_issues(subject.model)
        return self._told([*left_out, *issues], lines, broken=bool(issues))

    def _told(self, issues: Sequence[Issue], lines: Sequence[str], *, broken: bool) -> Exit:
        for note in self.subject.notes:
            streams.note(f"phyzctl: {printable(note)}")
        self.telling.tell(issues, [self.subject.path], self.subject.texts, lines)
        if broken:
            return Exit.UNFINISHED
        left_out = any(each.code is codes.UNSUPPORTED for each in issues)
        return Exit.FINDINGS if left_out and not self.allowed else Exit.CLEAN
