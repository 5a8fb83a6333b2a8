"""Context: what a rule may look at."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from phyzctl.formats.format import Reading
from phyzctl.formats.xmltree import Document, Node
from phyzctl.geometry.shapes import Plane
from phyzctl.lint.facts import Facts
from phyzctl.lint.locate import node_of
from phyzctl.lint.servos import servos
from phyzctl.lint.twins import Twins, twins_of
from phyzctl.robot.elements import Link
from phyzctl.robot.robot import WORLD_LINK, Robot

if TYPE_CHECKING:
    from phyzctl.config import Config
    from phyzctl.exclude.facts import ExcludeReport
    from phyzctl.lint.compiled import Compiled, Swing
    from phyzctl.lint.floor import Sunken
    from phyzctl.lint.freerun import FreeRun
    from phyzctl.lint.loads import Load
    from phyzctl.lint.surfaces import Surfaces
    from phyzctl.lint.sweep import Swept


class Context:
    """One description under judgement: the Robot, its documents, and the configuration.

    What is costly is made when first asked for and shared by all rules.
    """

    def __init__(
        self,
        robot: Robot,
        reading: Reading,
        config: Config,
        defaults: Mapping[str, float] | None = None,
    ) -> None:
        self.robot = robot
        self.reading = reading
        self.documents = reading.documents
        self.config = config
        self._tolerances = {**(defaults or {}), **config.tolerances}

    @property
    def dialect(self) -> str | None:
        """The format that the robot was written in, None when it was built in code."""
        return self.robot.dialect

    @cached_property
    def document(self) -> Document | None:
        """The main file; the others are what it includes."""
        source = self.robot.source
        if source is not None and source.path in self.documents:
            return self.documents[source.path]
        return next(iter(self.documents.values()), None)

    @cached_property
    def facts(self) -> Facts:
        """Masses, tensors and sizes of the robot's moving groups."""
        return Facts(self.robot, meshes=self.config.meshes)

    @cached_property
    def twins(self) -> Sequence[Twins]:
        """The links that are there on the left and on the right."""
        return tuple(twins_of(self.robot, self.facts.extents))

    @property
    def pairs(self) -> ExcludeReport | None:
        """The facts about all pairs of bodies, sampled; None where none can be compared."""
        return self._swept.report

    @property
    def pairs_refused(self) -> str:
        """Why no pairs are compared where there are too many of them, else ""."""
        return self._swept.refused

    @cached_property
    def _swept(self) -> Swept:
        found: Swept = importlib.import_module("phyzctl.lint.sweep").pairs_of(self.robot)
        return found

    @cached_property
    def surfaces(self) -> Surfaces:
        """The faces of mesh files."""
        found: Surfaces = importlib.import_module("phyzctl.lint.surfaces").Surfaces()
        return found

    @cached_property
    def free_run(self) -> FreeRun | None:
        """The robot let go for a second; None where it can't be simulated."""
        found: FreeRun | None = importlib.import_module("phyzctl.lint.freerun").free_run(self.robot)
        return found

    @cached_property
    def compiled(self) -> Compiled | None:
        """The compiled Model and what rules ask of it; None where nothing can be compiled."""
        found: Compiled | None = importlib.import_module("phyzctl.lint.compiled").compiled(
            self.robot
        )
        return found

    @cached_property
    def swings(self) -> Sequence[Swing]:
        """The joints that servos hold; nothing is compiled where there are no servos."""
        if not any(servo.kp > 0.0 for servo in servos(self.robot)):
            return ()
        return self.compiled.swings if self.compiled else ()

    def is_stable(self, swing: Swing) -> bool:
        """True when the time step doesn't make a joint's swing grow."""
        return self.compiled is None or self.compiled.is_stable(swing)

    @property
    def sunken(self) -> Sequence[Sunken]:
        """What stands in a floor at the start; nothing is compiled where there is no floor."""
        worlds = (link for link in self.robot.links if link.name == WORLD_LINK)
        if not any(isinstance(geom.shape, Plane) for link in worlds for geom in link.geoms):
            return ()
        return self.compiled.sunken if self.compiled else ()

    @property
    def loads(self) -> Sequence[Load]:
        """What gravity asks of the joints, and what their motors can give."""
        return self.compiled.loads if self.compiled else ()

    def geom_masses(self, link: Link) -> Mapping[int, float]:
        """What each geom of a link would weigh [kg], by its id; nothing where that isn't known."""
        return self.compiled.geom_masses(link) if self.compiled else {}

    def nodes(self) -> Iterator[Node]:
        """Every XML element of every document, in document order."""
        for document in self.documents.values():
            if document.root is not None:
                yield from document.root.iter()

    def node(self, element: Any) -> Node | None:
        """The XML element that an element of the Robot was read from, None when there is none."""
        return node_of(element, self.documents)

    def targets(self, among: Iterable[str]) -> list[str]:
        """Which of these consumers the robot is meant for.

        All of them where none is named: the rule was then selected for its own sake.
        """
        known = sorted(among)
        return [name for name in known if name in self.config.target] or known

    def tolerance(self, name: str) -> float:
        """A threshold by name: the configured one, else the rule's default."""
        return self._tolerances[name]
