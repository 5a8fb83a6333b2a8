"""What a check has found, as Issues: at the line of the obstacle, the carried shape or the geom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from phyzctl import codes
from phyzctl.issues import Issue, Related, Source
from phyzctl.model.model import Model
from phyzctl.scene.contact import Contact, ContactKind, Ref, RefKind, Report
from phyzctl.scene.file import Scene
from phyzctl.scene.trajectory import Hit

_CODES = {
    ContactKind.SELF_COLLISION: codes.SELF_COLLISION,
    ContactKind.ENVIRONMENT_COLLISION: codes.ENVIRONMENT_COLLISION,
}


class Findings:
    """Makes Issues of contacts of one robot in one scene, None for no scene."""

    def __init__(self, model: Model, scene: Scene | None) -> None:
        self._model = model
        self._scene = scene

    def of_report(self, report: Report) -> list[Issue]:
        """An Issue for every contact that nothing allows."""
        return [self._issue(contact) for contact in report.contacts if contact.allowed_by is None]

    def of_hits(self, hits: Iterable[Hit], *, timed: bool) -> list[Issue]:
        """An Issue for every pair that meets on the way; times are told when they are `timed`."""
        return [self._issue(hit.contact, _when(hit, timed=timed)) for hit in hits]

    def _issue(self, contact: Contact, when: str = "") -> Issue:
        code = _CODES[contact.kind]
        places = [place for place in self._places(contact) if place is not None]
        related = [
            Related(f"{ref} stands here", source)
            for ref in (contact.a, contact.b)
            if (source := self._source(ref)) is not None and source not in places[:1]
        ]
        return Issue(
            code,
            code.severity,
            f"{when}{meeting(contact)} near {_point(contact)}",
            places[0] if places else None,
            related=tuple(related),
        )

    def _places(self, contact: Contact) -> Iterator[Source | None]:
        """Where to look first: in the scene rather than in the robot."""
        yield self._source(contact.b) if contact.b.kind is not RefKind.ROBOT else None
        yield self._source(contact.a)
        yield self._source(contact.b)

    def _source(self, ref: Ref) -> Source | None:
        if ref.kind is RefKind.ROBOT:
            return self._model.geoms[ref.index].source
        if self._scene is None:
            return None
        if ref.kind is RefKind.OBSTACLE:
            return self._scene.obstacle_sources[ref.index]
        return self._scene.attached_sources[ref.index]


def meeting(contact: Contact) -> str:
    """How two shapes stand: `link 'hand' overlaps obstacle 'table' by 3.2 mm`."""
    a, b, millimetres = contact.a, contact.b, 1000.0 * contact.gap
    padded = f" with {1000.0 * contact.padding:.3g} mm of padding" if contact.padding else ""
    if millimetres < -5e-4:
        return f"{a} overlaps {b} by {-millimetres:.3g} mm{padded}"
    if millimetres < 5e-4:
        return f"{a} touches {b}{padded}"
    return f"{a} is {millimetres:.3g} mm from {b}{padded}"


def _when(hit: Hit, *, timed: bool) -> str:
    place = f"way-point {hit.waypoint}"
    if hit.fraction > 0.0:
        place = f"{hit.fraction:.4g} of the way from way-point {hit.waypoint} to the next"
    return f"at {hit.time:.6g} s, {place}: " if timed else f"at {place}: "


def _point(contact: Contact) -> str:
    middle = 0.5 * contact.point_a + 0.5 * contact.point_b
    x, y, z = (round(each, 4) + 0.0 for each in middle.tolist())
    return f"({x:g}, {y:g}, {z:g})"
