"""Push scenarios: TOML files that say what is pushed, from where, and how.

    [slider]
    half_extent = 0.05

    [[pushes]]
    duration = 2.0
    contacts = [{ face = 0, contact = 0.03, push_speed = 0.05 }]

`schemas/push-scenario.schema.json` lists every key. Lengths are in m, times in s, angles in rad.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from phyzctl import codes
from phyzctl.formats.documents import document_at
from phyzctl.formats.tomltable import Table, parse_toml
from phyzctl.issues import Issues
from phyzctl.pushing.command import PusherCommand, legacy_faces
from phyzctl.pushing.params import PusherSliderParams, char_len_of_supports
from phyzctl.pushing.plane import SliderState
from phyzctl.pushing.rollout import Rollout, rollout
from phyzctl.records import dataclass

SCHEMA = "phyzctl.push-scenario/1"
UNIFORM = "uniform"

_MAX_SAMPLES = 50_000  # of all pushes together
_FAR, _FAST, _LONG = 1e6, 1e6, 1e6  # m, m/s, s: beyond them numbers overflow sooner or later
_CONTACTS = (1, 2)
_OFF_CENTRE = 1e-6  # of the half side


@dataclass(frozen=True)
class Push:
    """One or two pushers that keep their speeds for `duration` [s]."""

    duration: float
    commands: tuple[PusherCommand, ...]


@dataclass(frozen=True)
class Scenario:
    """A slider at its start, and the pushes that follow each other; samples every `dt` [s].

    `data` are the bytes of the file at `path`.
    """

    path: str
    name: str
    params: PusherSliderParams
    start: SliderState
    pushes: tuple[Push, ...]
    dt: float
    data: bytes


def load_scenario(path: str, issues: Issues) -> Scenario | None:
    """The Scenario in a file. Its faults go to `issues`; None when there are any.

    `NotFoundError` and `UnreadableError` when the file is not there or can't be read.
    """
    return parse_scenario(document_at(path, "scenario"), path, issues)


def roll_out(scenario: Scenario) -> tuple[Rollout, ...]:
    """What the pushes of a scenario come to, one after the other."""
    state, done = scenario.start, []
    for push in scenario.pushes:
        found = rollout(scenario.params, state, push.commands, push.duration, dt=scenario.dt)
        done.append(found)
        state = found.state
    return tuple(done)


def parse_scenario(data: bytes, path: str, issues: Issues) -> Scenario | None:
    """The Scenario in a file's bytes. Its faults go to `issues`; None when there are any."""
    faults = Issues()
    document = parse_toml(data, path, faults)
    scenario = _scenario(document, path, data, faults) if document is not None else None
    issues.extend(faults)
    return None if faults.errors else scenario


def _scenario(document: Table, path: str, data: bytes, faults: Issues) -> Scenario | None:
    stated = document.text("schema", SCHEMA)
    if stated != SCHEMA:
        document.outside("schema", f"must be {SCHEMA!r}, not {stated!r}")
    name = document.text("name", Path(path).stem)
    dt = document.number("dt", 0.01, above=0.0)
    legacy = document.flag("legacy_faces")
    params = _params(document.table("slider"))
    start = _start(document.table("start"))
    bound = params.half_extent if params is not None else None
    pushes = [_push(each, bound) for each in document.tables("pushes", required=True)]
    if dt is not None:
        _count_samples(document, pushes, dt)
    document.finish()
    if faults.errors or params is None or dt is None:
        return None
    made = tuple(_converted(each) if legacy else each for each in pushes if each is not None)
    return Scenario(path, name, params, start, made, dt, data)


def _count_samples(document: Table, pushes: Iterable[Push | None], dt: float) -> None:
    total = sum(each.duration / dt for each in pushes if each is not None)
    if total > _MAX_SAMPLES:
        message = f"make {total:.3g} samples at dt = {dt:g} s; {_MAX_SAMPLES} are the most"
        document.outside("pushes", message)


def _converted(push: Push) -> Push:
    return Push(push.duration, tuple(legacy_faces(command) for command in push.commands))


def _params(table: Table) -> PusherSliderParams | None:
    """The slider; None when it can't be made, which has been reported then."""
    default = PusherSliderParams()
    half = table.number("half_extent", default.half_extent, above=0.0, most=_FAR)
    friction = table.number("pusher_friction", default.pusher_friction, least=0.0)
    f_max = table.number("f_max", above=0.0)
    supports = table.rows("supports", 2)
    weights = table.numbers("support_weights", least=0.0)
    length = _char_len(table, default.char_len)
    if supports is not None and half is not None:
        length = _supported(table, half, supports, weights) or length
    elif weights is not None:
        table.fault(codes.KEY_MISSING, "'support_weights' needs 'supports'", "support_weights")
    if table.states("supports") and table.states("char_len"):
        message = "'char_len' and 'supports' both set the characteristic length"
        table.fault(codes.KEYS_CLASH, message, "supports")
    table.finish()
    if half is None or friction is None:
        return None
    return PusherSliderParams(half, length, friction, f_max=f_max)


def _char_len(table: Table, default: float) -> float | None:
    """The characteristic length as stated; None for that of evenly spread pressure."""
    if table.values.get("char_len") == UNIFORM:
        table.text("char_len")
        return None
    if isinstance(table.values.get("char_len"), str):
        table.outside(
            "char_len", f"must be a number or {UNIFORM!r}, not {table.text('char_len')!r}"
        )
        return default
    return table.number("char_len", default, above=0.0)


def _supported(
    table: Table,
    half: float,
    supports: list[tuple[float, ...]],
    weights: list[float] | None,
) -> float | None:
    """The characteristic length of a slider on points, which must be centred under it."""
    loads = weights if weights is not None else [1.0] * len(supports)
    if len(loads) != len(supports):
        message = f"must be {len(supports)} numbers, one a support, not {len(loads)}"
        table.outside("support_weights", message)
        return None
    total = math.fsum(loads)
    if total <= 0.0:
        table.outside("support_weights", "must not all be 0")
        return None
    x, y = (
        math.fsum(load * point[axis] for load, point in zip(loads, supports, strict=True)) / total
        for axis in (0, 1)
    )
    if math.hypot(x, y) > _OFF_CENTRE * half:
        message = f"must bear the load at the slider's centre, not at ({x:.6g}, {y:.6g})"
        table.outside("supports", message)
        return None
    length = char_len_of_supports([(point[0], point[1]) for point in supports], loads)
    if length <= 0.0:
        table.outside(
            "supports", "must not all lie in the centre, about which it would spin freely"
        )
        return None
    return length


def _start(table: Table) -> SliderState:
    x, y, theta = (
        table.number(key, 0.0, least=-_FAR, most=_FAR) or 0.0 for key in ("x", "y", "theta")
    )
    table.finish()
    return SliderState(x, y, theta)


def _push(table: Table, bound: float | None) -> Push | None:
    duration = table.number("duration", required=True, above=0.0, most=_LONG)
    commands = list(_commands(table, bound))
    stated = table.values.get("contacts")
    if isinstance(stated, list) and len(stated) > max(_CONTACTS):
        table.outside("contacts", f"must be one or two, not {len(stated)}")
    table.finish()
    sound = duration is not None and None not in commands and len(commands) in _CONTACTS
    made = tuple(each for each in commands if each is not None)
    return Push(duration, made) if sound and duration is not None else None


def _commands(table: Table, bound: float | None) -> Iterator[PusherCommand | None]:
    reach = math.inf if bound is None else bound
    for each in table.tables("contacts", required=True):
        face = each.integer("face", (0, 1, 2, 3), required=True)
        contact = each.number("contact", required=True, least=-reach, most=reach)
        push_speed = each.number("push_speed", required=True, least=-_FAST, most=_FAST)
        tangent_speed = each.number("tangent_speed", 0.0, least=-_FAST, most=_FAST)
        each.finish()
        if face is None or contact is None or push_speed is None or tangent_speed is None:
            yield None
        else:
            yield PusherCommand(face, contact, push_speed, tangent_speed)
