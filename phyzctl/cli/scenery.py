"""What `phyzctl check` reads, does and says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

import numpy as np

from phyzctl.cli.choices import Choices
from phyzctl.cli.excluding import Subject, subject_of
from phyzctl.cli.options import Base
from phyzctl.errors import NotFoundError, PhyzctlError, did_you_mean
from phyzctl.exclude.semantics import postures
from phyzctl.issues import Issue, Issues, LoadError
from phyzctl.model.positions import Stated, configuration
from phyzctl.records import dataclass
from phyzctl.report.text import plural
from phyzctl.scene.contact import Contact, Report
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.file import Scene, load_scene
from phyzctl.scene.findings import Findings, meeting
from phyzctl.scene.motionfile import MotionFile, load_motion
from phyzctl.scene.picture import Subject as Picture
from phyzctl.scene.picture import draw
from phyzctl.scene.trajectory import TrajectoryReport
from phyzctl.spatial import Array

_GHOSTS = 12  # poses of a way that a picture shows


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    robot: str
    scene: str | None = None
    q: Stated = field(default_factory=dict)
    key: str | None = None
    trajectory: str | None = None
    margin: float | None = None
    base: Base = Base.AUTO
    srdf: str | None = None
    package_path: Sequence[str] = ()
    xacro_arg: Sequence[str] = ()
    stdin_name: str | None = None


@dataclass(frozen=True)
class Outcome:
    """Issues of all contacts, the files looked at, sentences about the whole, and a picture."""

    issues: list[Issue]
    files: list[str]
    texts: dict[str, str]
    lines: list[str]
    notes: list[str]
    picture: str = field(repr=False)


def run(request: Request) -> Outcome:
    """Check a robot. Raises LoadError for a scene or motion that is faulty."""
    choices = Choices(package_path=request.package_path, xacro_arg=request.xacro_arg)
    subject = subject_of(request.robot, request.srdf, request.base, choices, request.stdin_name)
    scene = _scene(request, subject)
    return _Check(request, subject, scene).outcome()


def _scene(request: Request, subject: Subject) -> Scene | None:
    if request.scene is None:
        return None
    issues = Issues()
    scene = load_scene(request.scene, issues)
    if scene is None or not scene.fit(subject.model, issues):
        raise LoadError(issues)
    return scene


class _Check:
    def __init__(self, request: Request, subject: Subject, scene: Scene | None) -> None:
        self.request = request
        self.model = subject.model
        self.subject = subject
        self.scene = scene
        self.env = CollisionEnv.EMPTY if scene is None else scene.env()
        stated = scene.margin if scene is not None else 0.0
        self.margin = stated if request.margin is None else request.margin
        self.findings = Findings(self.model, scene)
        self.prepared = self.env.prepare(self.model)
        if not self.prepared.pairs:
            raise PhyzctlError("there is nothing to check: no two shapes that could meet")

    def outcome(self) -> Outcome:
        if self.request.trajectory is None:
            return self._at_rest()
        if self.request.q or self.request.key is not None:
            raise PhyzctlError("--trajectory goes without --q and --key: it states the whole way")
        issues = Issues()
        motion = load_motion(self.request.trajectory, self.model, issues)
        if motion is None:
            raise LoadError(issues)
        return self._on_the_way(motion)

    def _at_rest(self) -> Outcome:
        q = self._configuration()
        report = self.env.check(self.model, q, margin=self.margin)
        lines = [_checked(report), f"nearest: {_nearest(report.nearest)}"]
        picture = self._picture(q, report.contacts)
        return self._outcome(self.findings.of_report(report), lines, picture)

    def _on_the_way(self, motion: MotionFile) -> Outcome:
        report = self.env.check_trajectory(self.model, motion.q, motion.times, margin=self.margin)
        issues = self.findings.of_hits(report.hits, timed=motion.times is not None)
        lines = [_followed(report), f"nearest at a way-point: {_nearest(report.nearest)}"]
        shown = report.hits[0].q if report.hits else motion.q[-1]
        contacts = [hit.contact for hit in report.hits if np.array_equal(hit.q, shown)]
        chosen = np.linspace(0, len(motion.q) - 1, min(len(motion.q), _GHOSTS)).round().astype(int)
        return self._outcome(issues, lines, self._picture(shown, contacts, motion.q[chosen]))

    def _outcome(self, issues: list[Issue], lines: list[str], picture: str) -> Outcome:
        files = [self.subject.path, *([self.scene.path] if self.scene is not None else [])]
        places = {issue.source.path for issue in issues if issue.source is not None}
        texts = {path: _text(path) for path in places}
        notes = [f"{ref} could not be checked: {why}" for ref, why in self.prepared.missing]
        return Outcome(issues, files, texts, lines, notes, picture)

    def _picture(self, q: Array, contacts: Sequence[Contact], way: Sequence[Array] = ()) -> str:
        title = self.model.robot.name if self.scene is None else self.scene.name
        ghosts = [self.prepared.place(each) for each in way]
        return draw(Picture(title, self.prepared, self.prepared.place(q), contacts, ghosts))

    def _configuration(self) -> Array:
        """That of --key with the joints of --q."""
        start = None if self.request.key is None else self._key(self.request.key)
        return configuration(self.model, self.request.q, start)

    def _key(self, name: str) -> Array:
        """A keyframe of the robot, or a group state of its SRDF."""
        known = {each.name: each.state.q for each in self.model.keyframes if each.name is not None}
        if self.subject.srdf is not None:
            for state, q in postures(self.model, self.subject.srdf):
                known |= {state: q, state.split(" ", 1)[-1]: q}
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are: {', '.join(known) or 'none'}"
            raise NotFoundError(f"no keyframe named {name!r}{hint}")
        return known[name]


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return ""


def _checked(report: Report) -> str:
    skipped = [f"{count} {reason}" for reason, count in sorted(report.skipped.items())]
    return f"{plural(report.checked, 'pair')} checked; skipped: {', '.join(skipped) or 'none'}"


def _followed(report: TrajectoryReport) -> str:
    return f"{plural(report.checked, 'pair')} followed through {report.waypoints} way-points"


def _nearest(contact: Contact | None) -> str:
    return "nothing is near" if contact is None else meeting(contact)
