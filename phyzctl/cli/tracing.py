"""What `phyzctl trace` reads, makes again and says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from phyzctl.cli.simulating import Preparation, Subject, subject_of
from phyzctl.cli.tables import columns
from phyzctl.errors import NotFoundError, PhyzctlError
from phyzctl.issues import Issues, LoadError
from phyzctl.model.compiler import compile as compile_model
from phyzctl.report.text import plural
from phyzctl.sim.randomize import varied
from phyzctl.sim.recording import description, with_poses
from phyzctl.sim.replay import replay
from phyzctl.trace.compare import Comparison
from phyzctl.trace.header import TraceHeader
from phyzctl.trace.trace import Trace, make_trace

_SHOWN = 20  # columns that differ


def document_of(trace: Trace) -> dict[str, Any]:
    """The header, and whether the values are those of its digest."""
    return trace.header.to_json() | {"intact": trace.is_intact()}


def described(path: str, trace: Trace) -> Iterator[str]:
    """Some lines on a trace."""
    header = trace.header
    yield f"{Path(path).name}: {header.kind} of {header.origin.path or 'a model built in code'}"
    span = f"{trace.times[0]:g} to {trace.times[-1]:g} s" if len(trace) else "empty"
    yield f"  samples   {len(trace)}, {span}, in steps of {header.dt:g} s by {header.integrator}"
    yield f"  made by   {', '.join(f'{name} {v}' for name, v in header.versions.items())}"
    for name in ("control", "base"):
        if name in header.options:
            yield f"  {name:<9} {_brief(header.options[name])}"
    if header.origin.sha256:
        yield f"  file      sha256 {header.origin.sha256}"
    if header.origin.canonical_sha256:
        yield f"  meaning   sha256 {header.origin.canonical_sha256}"
    if header.origin.meshes:
        yield f"  meshes    {len(header.origin.meshes)}"
    state = "intact" if trace.is_intact() else "NOT what the values give"
    yield f"  digest    {header.digest}, {state}"
    if not header.complete:
        yield "  complete  no: the run was stopped"
    for time, words in header.events:
        yield f"  at {time:.6g} s  {words}"
    yield ""
    rows = [["channel", "columns", "units", "names"]]
    for each in header.channels:
        units = ", ".join(dict.fromkeys(each.units))
        names = ", ".join(each.columns[:6]) + (", …" if len(each.columns) > 6 else "")
        mark = " (state)" if each.state else ""
        rows.append([f"{each.name}{mark}", str(len(each.columns)), units, names])
    yield from (f"  {line}" for line in columns(rows, right=frozenset({1})).splitlines())


def _brief(value: Any) -> str:
    return str(value["kind"]) if isinstance(value, dict) else str(value)


def comparison_document(found: Comparison) -> dict[str, Any]:
    """A comparison as plain JSON values."""
    partings = [asdict(each) for each in found.partings]
    return {"same": found.same, "structure": list(found.structure), "partings": partings}


def compared(found: Comparison) -> Iterator[str]:
    """Some lines on a comparison."""
    yield from found.structure
    if found.partings:
        first = found.partings[0]
        a, b = first.values
        yield (
            f"part at sample {first.sample}, {first.time:.9g} s, in "
            f"{first.channel}.{first.column}: {a!r} and {b!r} {first.unit}"
        )
        rows = [["column", "first at", "at most", "unit"]]
        for each in found.partings[:_SHOWN]:
            name = f"{each.channel}.{each.column}"
            rows.append([name, f"{each.time:.9g} s", f"{each.largest:.3g}", each.unit])
        yield from (f"  {line}" for line in columns(rows, right=frozenset({1, 2})).splitlines())
        if len(found.partings) > _SHOWN:
            yield f"  and {plural(len(found.partings) - _SHOWN, 'more column')}"
    if found.same:
        yield "no difference"


def thinned(trace: Trace, every: int) -> Trace:
    """Every so many samples, and the last."""
    kept = sorted({*range(0, len(trace), every), *([len(trace) - 1] if len(trace) else [])})
    values = {name: each[kept] for name, each in trace.values.items()}
    options = dict(trace.header.options)
    if "every" in options:
        options["every"] = options["every"] * every
    header = replace(trace.header, options=options)
    return make_trace(header, trace.times[kept], values, description=trace.description)


def for_viewers(trace: Trace) -> tuple[Trace, str]:
    """The trace with the poses and the robot that viewers want, if the robot is still there."""
    header = trace.header
    if header.kind != "simulate" or any(each.bodies for each in header.channels):
        return trace, ""
    try:
        subject, notes = _subject(header, None, ())
    except (PhyzctlError, LoadError) as error:
        return trace, f"without the robot and its poses: {error}"
    if notes:
        return trace, f"without the robot and its poses: {notes[0]}"
    posed = with_poses(subject.model, trace)
    return replace(posed, description=description(subject.model)), ""


def rerun(
    trace: Trace, robot: str | None, package_path: Sequence[str], xacro_arg: Sequence[str] = ()
) -> tuple[Trace, list[str]]:
    """What comes out when a trace's header is run again, and what has changed since."""
    header = trace.header
    if header.kind == "push":
        return _pushed(header, robot)
    subject, notes = _subject(header, robot, package_path, xacro_arg)
    recording = replay(subject.model, header)
    return recording.trace(), notes


def _subject(
    header: TraceHeader,
    robot: str | None,
    package_path: Sequence[str],
    xacro_arg: Sequence[str] = (),
) -> tuple[Subject, list[str]]:
    """The robot that was run, and how it differs now."""
    path = robot or header.origin.path
    if not path or not Path(path).exists():
        raise NotFoundError(f"there is no robot {path!r}, from which the trace was made")
    options = header.options
    preparation = Preparation(
        options.get("base", "auto"), options.get("ground", "none"), options.get("density")
    )
    subject = subject_of(path, preparation, package_path, xacro_arg=xacro_arg)
    notes: list[str] = []
    now = subject.origin()
    if now.canonical_sha256 != header.origin.canonical_sha256:
        notes.append(f"{path} has changed since: it describes another robot")
    changed = [
        name for name, digest in header.origin.meshes.items() if now.meshes.get(name) != digest
    ]
    if changed:
        notes.append(f"meshes have changed since: {', '.join(changed)}")
    drawn = options.get("drawn")
    if drawn:  # by a batch, which states the origin of what it draws from
        robot_drawn = varied(subject.robot, drawn)
        model = compile_model(robot_drawn, base=subject.compiled)  # type: ignore[arg-type]
        subject = replace(subject, model=model)
    return subject, notes


def _pushed(header: TraceHeader, scenario: str | None) -> tuple[Trace, list[str]]:
    from phyzctl.pushing.record import record
    from phyzctl.pushing.scenario import load_scenario, roll_out

    issues = Issues()
    path = scenario or header.origin.path
    found = load_scenario(path, issues)
    if found is None:
        raise LoadError(issues)
    again = record(found, roll_out(found))
    changed = again.header.origin.sha256 != header.origin.sha256
    return again, [f"{path} has changed since"] if changed else []
