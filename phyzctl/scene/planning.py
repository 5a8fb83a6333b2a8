"""PlanningScene: obstacles by id, from which collision environments are taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from phyzctl.errors import NotFoundError, did_you_mean
from phyzctl.scene.environment import CollisionEnv
from phyzctl.scene.items import Obstacle, SceneError


class PlanningScene:
    """Obstacles with stable ids. One id may stand for several obstacles: the parts of one thing."""

    def __init__(self) -> None:
        self._obstacles: list[Obstacle] = []
        self._ids: list[str] = []

    @property
    def obstacles(self) -> Sequence[Obstacle]:
        """The obstacles, in the order in which they were added."""
        return self._obstacles

    @property
    def obstacle_ids(self) -> Sequence[str]:
        """Per obstacle the id that it was added under."""
        return self._ids

    def add(self, id: str, obstacles: Obstacle | Iterable[Obstacle]) -> None:  # noqa: A002
        """Add a thing, in one part or several. Raises `SceneError` for an id that is taken."""
        if not id:
            raise SceneError("an obstacle's id must not be empty")
        if id in self._ids:
            raise SceneError(f"there is an obstacle {id!r} already")
        parts = [obstacles] if isinstance(obstacles, Obstacle) else list(obstacles)
        if not parts:
            raise SceneError(f"the obstacle {id!r} has no shape")
        self._obstacles += parts
        self._ids += [id] * len(parts)

    def remove(self, id: str) -> None:  # noqa: A002
        """Take a thing out, all parts of it. Raises `NotFoundError` when it is not there."""
        if id not in self._ids:
            listed = ", ".join(dict.fromkeys(self._ids)) or "none"
            hint = did_you_mean(id, self._ids)
            raise NotFoundError(f"no obstacle {id!r}; there are: {listed}{hint}")
        kept = [index for index, each in enumerate(self._ids) if each != id]
        self._obstacles[:] = [self._obstacles[index] for index in kept]
        self._ids[:] = [self._ids[index] for index in kept]

    def collision_env(self) -> CollisionEnv:
        """A view of this scene, which shows what is added and removed later on."""
        return CollisionEnv.viewing(self._obstacles, self._ids)
