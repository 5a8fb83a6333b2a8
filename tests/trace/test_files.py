"""Trace files: every format gives back what was written, and refuses what is damaged."""

from __future__ import annotations

import contextlib
import csv
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.trace.files import format_of, read_trace, write_trace
from phyzctl.trace.header import SCHEMA, Channel, Origin, TraceHeader, origin_of, versions
from phyzctl.trace.trace import Trace, make_trace
from tests.trace.formats import every_format

CHANNELS = (
    Channel("body_pose", ("x", "y", "theta"), ("m", "m", "rad"), "world", state=True, body="body"),
    Channel("speed", ("value",), ("m/s",)),
)


def header(**changes: object) -> TraceHeader:
    values: dict[str, object] = {
        "kind": "test",
        "origin": Origin("a.toml", "00"),
        "dt": 0.1,
        "integrator": "rk4",
        "channels": CHANNELS,
        "options": {"list": [1, 2.5, None], "text": "ä"},
        "initial_state": {"x": 1.0},
        "seed": 7,
        "events": ((0.25, "bump"),),
        "versions": versions(),
    }
    return TraceHeader(**(values | changes))  # type: ignore[arg-type]


def trace(count: int = 50) -> Trace:
    rng = np.random.default_rng(5)
    poses = np.exp(rng.uniform(-30, 30, (count, 3))) * rng.choice([-1.0, 1.0], (count, 3))
    speeds = rng.normal(0, 1, (count, 1))
    speeds[::7] = math.nan
    times = np.linspace(0.0, 0.1 * (count - 1), count)
    values = {"body_pose": poses, "speed": speeds}
    return make_trace(header(), times, values, description='<robot name="r"/>\n')


@every_format
@pytest.mark.parametrize("count", [0, 1, 50])
def test_what_is_written_is_read(tmp_path: Path, suffix: str, count: int) -> None:
    written, path = trace(count), tmp_path / f"t{suffix}"
    write_trace(written, path)
    found = read_trace(path)
    assert found.header == written.header
    assert found.description == written.description
    assert found.is_intact()
    assert found.times == pytest.approx(written.times, abs=1e-9)
    for name, values in written.values.items():
        assert found.values[name].shape == values.shape
        assert np.array_equal(found.values[name], values, equal_nan=True)


@every_format
def test_the_same_trace_makes_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    write_trace(trace(), one)
    write_trace(trace(), two)
    first, second = one.read_bytes(), two.read_bytes()
    assert first == second


@every_format
def test_a_changed_value_is_noticed(tmp_path: Path, suffix: str) -> None:
    written = trace()
    written.values["body_pose"][3, 1] += 1e-9 * abs(written.values["body_pose"][3, 1])
    write_trace(written, tmp_path / f"t{suffix}")
    assert not read_trace(tmp_path / f"t{suffix}").is_intact()


@every_format
def test_garbage_is_no_trace(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(b"garbage\n")
    with pytest.raises(PhyzctlError, match=str(path.name)):
        read_trace(path)
    path.write_bytes(b"")
    with pytest.raises(PhyzctlError):
        read_trace(path)


@every_format
def test_half_a_file_is_no_trace(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    write_trace(trace(), path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2 - 3])
    with contextlib.suppress(PhyzctlError):
        assert not read_trace(path).is_intact()


@every_format
def test_damage_is_noticed_and_never_a_crash(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(6)
    path = tmp_path / f"t{suffix}"
    write_trace(trace(20), path)
    sound = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in range(150):
        damaged = sound.copy()
        places = rng.integers(0, len(sound), rng.choice([1, 3, 20]))
        damaged[places] = rng.integers(0, 256, len(places))
        path.write_bytes(damaged.tobytes())
        with contextlib.suppress(PhyzctlError):
            assert read_trace(path).header.kind is not None


def test_files_that_can_not_be(tmp_path: Path) -> None:
    with pytest.raises(PhyzctlError, match=r"trace format of 't\.txt'; the suffixes are \.mcap, "):
        write_trace(trace(), tmp_path / "t.txt")
    with pytest.raises(PhyzctlError, match="can't write"):
        write_trace(trace(), tmp_path / "none" / "t.npz")
    with pytest.raises(NotFoundError, match="there is no trace"):
        read_trace(tmp_path / "t.npz")
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(UnreadableError):
        read_trace(tmp_path / "folder.npz")


def test_suffixes_in_capitals() -> None:
    assert format_of(Path("T.CSV")) is format_of(Path("t.csv"))


# CSV


def test_csv_is_a_plain_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_trace(trace(), path)
    with path.open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["time", "body_pose.x", "body_pose.y", "body_pose.theta", "speed.value"]
    assert len(rows) == 51
    assert rows[1][4] == ""
    assert float(rows[4][0]) == pytest.approx(0.3)
    document = json.loads((tmp_path / "t.csv.meta.json").read_text())
    assert document["schema"] == SCHEMA


def test_csv_needs_its_header_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_trace(trace(), path)
    meta = tmp_path / "t.csv.meta.json"
    text = meta.read_text()
    for damaged in ("", "[]", "{}", text.replace('"theta"', '"theta", "phi"')):
        meta.write_text(damaged)
        with pytest.raises(PhyzctlError, match=r"t\.csv"):
            read_trace(path)
    meta.unlink()
    with pytest.raises(PhyzctlError, match=r"'t\.csv\.meta\.json' is not beside it"):
        read_trace(path)


# JSON lines


def test_jsonl_is_one_document_a_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write_trace(trace(), path)
    first, *rest = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    assert first["schema"] == SCHEMA
    assert first["steps"] == len(rest) == 50
    assert rest[0]["speed"] == [None]
    assert rest[2].keys() == {"time", "body_pose", "speed"}


# NPZ


def test_npz_opens_without_us(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    write_trace(trace(), path)
    with np.load(path) as arrays:
        assert set(arrays) == {"time", "body_pose", "speed", "header", "description"}
        assert json.loads(str(arrays["header"]))["kind"] == "test"
        assert arrays["body_pose"].shape == (50, 3)


# Parquet


def test_parquet_opens_without_us(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    write_trace(trace(), path)
    table = parquet.read_table(path)
    assert table.column_names == trace().column_names()
    assert table.column("body_pose.x").to_pylist() == trace().values["body_pose"][:, 0].tolist()
    metadata = parquet.ParquetFile(path).metadata.metadata
    assert json.loads(metadata[b"phyzctl.run"]) == trace().header.to_json()


def test_a_parquet_of_somebody_else(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"x": [1.0]}), tmp_path / "t.parquet")
    with pytest.raises(PhyzctlError, match=r"t\.parquet: this is no trace"):
        read_trace(tmp_path / "t.parquet")
    (tmp_path / "t.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(PhyzctlError, match=r"t\.parquet"):
        read_trace(tmp_path / "t.parquet")


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "phyzctl.trace.parquet", raising=False)
    with pytest.raises(PhyzctlError, match=r"pip install 'phyzctl\[parquet\]'"):
        format_of(Path("t.parquet"))


# Header and digest


def test_the_header_is_json_and_back() -> None:
    before = make_trace(
        header(), np.zeros(0), {"body_pose": np.zeros((0, 3)), "speed": np.zeros((0, 1))}
    )
    document = json.loads(json.dumps(before.header.to_json()))
    assert TraceHeader.from_json(document) == before.header
    assert document["channels"][0]["units"] == ["m", "m", "rad"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "this is no trace"),
        ([], "this is no trace"),
        ({}, "this is no trace"),
        ({"schema": "phyzctl.trace/2"}, f"the schema {SCHEMA}"),
        ({"schema": SCHEMA}, "damaged: 'origin'"),
        ({"schema": SCHEMA, "origin": {"path": "x"}}, "damaged"),
        (header().to_json() | {"channels": [{"name": 1}]}, "damaged"),
        (header().to_json() | {"channels": 3}, "damaged"),
        (
            header().to_json() | {"channels": [{"name": "q", "columns": ["a"], "units": []}]},
            "channel 'q' has not as many units as columns",
        ),
        (
            header().to_json()
            | {"channels": [{"name": "p", "columns": ["a"], "units": ["m"], "bodies": ["b"]}]},
            "channel 'p' has not seven columns a body",
        ),
        (
            header().to_json() | {"joints": [{"name": "j", "q": math.inf, "v": 0}]},
            "joint 'j' has no column inf of q",
        ),
        (
            header().to_json()
            | {
                "channels": [{"name": "effort", "columns": ["j"], "units": ["N"]}],
                "joints": [{"name": "j", "q": 9, "v": 1}],
            },
            "joint 'j' has no column 1 of v",
        ),
        (
            header().to_json() | {"fixed_frames": {"base": [0, 0, 1]}},
            "the fixed frame 'base' has not seven numbers",
        ),
        (header().to_json() | {"events": [1]}, "damaged"),
    ],
)
def test_headers_that_are_none(document: object, message: str) -> None:
    with pytest.raises(PhyzctlError, match=message):
        TraceHeader.from_json(document)


def test_the_digest_is_of_the_state_alone() -> None:
    one, two = trace(), trace()
    two.values["speed"][1] = 5
    assert one.digest() == two.digest()
    two.values["body_pose"][1, 1] += 1
    assert one.digest() != two.digest()
    assert one.digest() == make_digest(one)


def make_digest(found: Trace) -> str:
    """As the format's description has it."""
    import hashlib
    import struct

    numbers = found.values["body_pose"].ravel().tolist()
    return hashlib.sha256(struct.pack(f"<{len(numbers)}d", *numbers)).hexdigest()


def test_shapes_must_be_those_of_the_channels() -> None:
    values = {"body_pose": np.zeros((5, 3)), "speed": np.zeros((5, 1))}
    make_trace(header(), np.zeros(5), values)
    for name, wrong in (("speed", np.zeros(5)), ("body_pose", np.zeros((4, 3)))):
        with pytest.raises(PhyzctlError, match=f"channel '{name}' must have the shape"):
            make_trace(header(), np.zeros(5), values | {name: wrong})
    with pytest.raises(PhyzctlError, match=r"'speed' must have the shape .* not None"):
        make_trace(header(), np.zeros(5), {"body_pose": np.zeros((5, 3))})


def test_origins_and_versions() -> None:
    assert origin_of("p", b"abc").sha256.startswith("ba7816bf")
    assert set(versions()) == {"phyzctl", "python", "numpy"}
