"""CollisionEnv: a view of obstacles, attached shapes and exclusions that a robot is checked in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.model.model import Model
from phyzctl.scene.batch import BatchReport, batch
from phyzctl.scene.contact import Contact, Report
from phyzctl.scene.exclusions import (
    ExclusionError,
    ExclusionFault,
    SceneExclusions,
    View,
    faults_of,
    touch_link_faults,
)
from phyzctl.scene.items import AttachedShape, Obstacle
from phyzctl.scene.prepared import WORLD_NAME, Prepared, Surroundings, prepare
from phyzctl.scene.trajectory import TrajectoryReport, trajectory, way_times
from phyzctl.spatial import Array, Numbers


class CollisionEnv:
    """What a robot can hit: obstacles in the world, shapes that it carries, what may touch.

    A view: nothing is copied, and what is added to or taken out of the sequences that it was made
    of shows. `CollisionEnv(obstacles)` has anonymous obstacles; those of
    `PlanningScene.collision_env()` have ids, which exclusions can name. `CollisionEnv.EMPTY`, and
    `CollisionEnv()`, have nothing: the robot is checked against itself.
    """

    EMPTY: ClassVar[CollisionEnv]

    def __init__(self, obstacles: Sequence[Obstacle] = ()) -> None:
        self._obstacles = obstacles
        self._ids: Sequence[str | None] = ()
        self._attached: Sequence[AttachedShape] = ()
        self._exclusions = SceneExclusions()
        self._prepared: tuple[tuple[object, ...], Prepared] | None = None

    @classmethod
    def viewing(cls, obstacles: Sequence[Obstacle], ids: Sequence[str | None]) -> CollisionEnv:
        """A view of obstacles with their ids, one each."""
        made = cls(obstacles)
        made._ids = ids
        return made

    @property
    def obstacles(self) -> Sequence[Obstacle]:
        """The obstacles, world frame."""
        return self._obstacles

    @property
    def attached(self) -> Sequence[AttachedShape]:
        """The shapes that the robot carries."""
        return self._attached

    @property
    def exclusions(self) -> SceneExclusions:
        """The pairs that may touch."""
        return self._exclusions

    def obstacle_id(self, index: int) -> str | None:
        """The id of an obstacle, None for an anonymous one."""
        return self._ids[index] if index < len(self._ids) else None

    def _obstacle_ids(self) -> tuple[str | None, ...]:
        return tuple(self.obstacle_id(index) for index in range(len(self._obstacles)))

    def with_attached(self, shapes: Sequence[AttachedShape]) -> CollisionEnv:
        """A view with these attached shapes instead."""
        return self._changed(shapes, self._exclusions)

    def with_exclusions(self, exclusions: SceneExclusions) -> CollisionEnv:
        """A view with these exclusions instead."""
        return self._changed(self._attached, exclusions)

    def _changed(
        self, attached: Sequence[AttachedShape], exclusions: SceneExclusions
    ) -> CollisionEnv:
        made = CollisionEnv.viewing(self._obstacles, self._ids)
        made._attached, made._exclusions = attached, exclusions
        return made

    # Checks

    def faults(self, model: Model) -> list[ExclusionFault]:
        """All that is wrong with the exclusions and touch links, for the robot of `model`."""
        links = [body.name for body in model.bodies]
        if model.world_geoms:
            links.append(WORLD_NAME)
        carried = [shape.id for shape in self._attached]
        view = View(carried, self._obstacle_ids(), links, model.ngeom)
        return [*faults_of(self._exclusions, view), *touch_link_faults(self._attached, view)]

    def prepare(self, model: Model) -> Prepared:
        """The view and `model` as the kernel takes them; kept until something changes.

        Raises:
            ExclusionError: with every exclusion that doesn't fit this view and robot.
            NotFoundError: a shape is attached to a link that isn't there.
            PhyzctlError: the robot has numbers that are not finite.
        """
        faults = self.faults(model)
        if faults:
            raise ExclusionError(faults)
        key = (model, model.contact_exclude, self._exclusions, *self._attached, *self._obstacles)
        key = (*key, *self._ids)
        if self._prepared is None or not _same(self._prepared[0], key):
            around = Surroundings(
                tuple(self._obstacles),
                self._obstacle_ids(),
                tuple(self._attached),
                self._exclusions,
            )
            prepared = prepare(model, around)
            prepared.place(model.arrays.q_reference)  # refuses robots with numbers that are none
            self._prepared = (key, prepared)
        return self._prepared[1]

    def check(
        self,
        model: Model,
        q: Numbers,
        report: Report | None = None,
        *,
        margin: float = 0.0,
        show_allowed: bool = False,
    ) -> Report:
        """What touches, or comes within `margin` [m], in the configuration `q` (nq,).

        The answer is written into `report`, when one is given, and returned. With `show_allowed`
        the contacts that a rule lets pass are listed as well, with `allowed_by`.

        Raises:
            ExclusionError: with every exclusion that doesn't fit; `report` is left as it was.
            NotFoundError: a shape is attached to a link that isn't there.
            PhyzctlError: `q` has another shape or is not finite; a margin below zero.
        """
        prepared = self.prepare(model)
        positions = configurations(model, q, 1)
        require_margin(margin)
        poses = prepared.place(positions[0])
        found, nearest = prepared.near(prepared.pairs, poses, margin)
        if show_allowed:
            measurable = [p for p in prepared.passed if p.skip is None or p.skip.measurable]
            found = found + prepared.near(measurable, poses, margin)[0]
        report = Report() if report is None else report
        kept = sorted(found, key=lambda contact: contact.gap)[: report.capacity]
        report.contacts = tuple(sorted(kept, key=Contact.sort_key))
        report.truncated = len(kept) < len(found)
        report.checked = len(prepared.pairs)
        report.skipped = dict(prepared.skipped)
        report.nearest = nearest
        report.missing = prepared.missing
        return report

    def check_batch(
        self, model: Model, q: Array, *, margin: float = 0.0, distances: bool = False
    ) -> BatchReport:
        """Which of the configurations `q` (n, nq) touch anything, within `margin` [m].

        Much faster than one by one. `distances` asks for the least distance too.

        Raises:
            ExclusionError, NotFoundError, PhyzctlError: as `check`.
        """
        prepared = self.prepare(model)
        require_margin(margin)
        return batch(prepared, configurations(model, q, 2), margin, distances=distances)

    def check_trajectory(
        self,
        model: Model,
        q: Array,
        times: Sequence[float] | Array | None = None,
        *,
        margin: float = 0.0,
    ) -> TrajectoryReport:
        """When things first come within `margin` [m] on the way through `q` (n, nq).

        Between way-points nothing is sampled: joints move at a constant rate, hinges as far as
        they are told to, ball and free joints turning the shorter way round, and no contact is
        missed. What comes within 1e-7 m of the margin counts. Every pair is followed up to its
        first contact. `times` (n,) [s] belong to the way-points; without, they are counted.

        Raises:
            ExclusionError, NotFoundError, PhyzctlError: as `check`; no way-points; times that go
                back.
        """
        prepared = self.prepare(model)
        positions = configurations(model, q, 2)
        require_margin(margin)
        if len(positions) == 0:
            raise PhyzctlError("a trajectory has at least one way-point")
        return trajectory(prepared, positions, way_times(times, len(positions)), margin)


CollisionEnv.EMPTY = CollisionEnv()


def check(
    model: Model,
    q: Numbers,
    env: CollisionEnv = CollisionEnv.EMPTY,
    *,
    margin: float = 0.0,
    report: Report | None = None,
) -> Report:
    """What touches in the configuration `q` (nq,); see `CollisionEnv.check`."""
    return env.check(model, q, report, margin=margin)


def configurations(model: Model, q: Numbers, dimensions: int) -> Array:
    """`q` as rows (n, nq); `dimensions` 1 takes (nq,), 2 takes (n, nq). Raises PhyzctlError."""
    positions = np.ascontiguousarray(q, dtype=np.float64)
    if positions.ndim != dimensions or positions.shape[-1] != model.nq:
        wanted = f"({model.nq},)" if dimensions == 1 else f"(n, {model.nq})"
        raise PhyzctlError(f"q must have shape {wanted}, not {positions.shape}")
    if not np.isfinite(positions).all():
        raise PhyzctlError("q must be finite")
    return positions.reshape(1, model.nq) if dimensions == 1 else positions


def require_margin(margin: float) -> None:
    """Raises PhyzctlError for a margin that is negative or not finite."""
    if not 0.0 <= margin < math.inf:
        raise PhyzctlError(f"the margin must be finite and not negative, not {margin}")


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))
