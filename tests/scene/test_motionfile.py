"""Way-points from files: what each kind may say, and every fault with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.issues import Issues
from phyzctl.model.model import Model
from phyzctl.scene.motionfile import MotionFile, load_motion
from phyzctl.trace.files import write_trace
from phyzctl.trace.header import Channel, TraceHeader, origin_of
from phyzctl.trace.trace import make_trace
from tests.model.test_positions import led
from tests.scene.robots import slider_rail
from tests.trace.formats import every_format

RAIL = slider_rail(3)


def load(path: Path, model: Model = RAIL) -> MotionFile:
    issues = Issues()
    motion = load_motion(str(path), model, issues)
    assert [str(issue) for issue in issues] == []
    assert motion is not None
    return motion


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "w.csv"
    path.write_text(text)
    return path


def test_columns_in_any_order(tmp_path: Path) -> None:
    motion = load(table(tmp_path, "j2, time ,j1\n1,0,2\n\n3,0.5,4\n"))
    assert motion.q.tolist() == [[2, 1], [4, 3]]
    assert motion.times is not None
    assert motion.times.tolist() == [0, 0.5]


def test_joints_that_are_left_out_stand_still_or_follow(tmp_path: Path) -> None:
    assert load(table(tmp_path, "j2\n1\n")).q.tolist() == [[0, 1]]
    following = load(table(tmp_path, "a\n1\n2\n"), led()).q[:, :3]
    assert following.tolist() == [[1, 2.5, -2.5], [2, 4.5, -4.5]]
    assert load(table(tmp_path, "a,b\n1,0\n"), led()).q[0, :3].tolist() == [1, 0, 0]


def test_joints_with_several_columns(tmp_path: Path) -> None:
    path = table(tmp_path, "d.1,d.0,d.2,d.3\n1,0,0,0\n")
    assert load(path, led()).q[0, 3:].tolist() == [0, 1, 0, 0]


def test_without_names(tmp_path: Path) -> None:
    motion = load(table(tmp_path, "1,2\n3,4\n"))
    assert (motion.q.tolist(), motion.times) == ([[1, 2], [3, 4]], None)


def test_npz(tmp_path: Path) -> None:
    q = np.arange(6.0).reshape(3, 2)
    np.savez(tmp_path / "a.npz", q=q)
    np.savez(tmp_path / "b.npz", q=q, time=[0, 1, 2])
    assert (load(tmp_path / "a.npz").q == q).all()
    assert load(tmp_path / "a.npz").times is None
    times = load(tmp_path / "b.npz").times
    assert times is not None
    assert times.tolist() == [0, 1, 2]


@every_format
def test_traces(tmp_path: Path, suffix: str) -> None:
    channels = (Channel("q", ("j1", "j2"), ("m", "m"), state=True),)
    header = TraceHeader("simulate", origin_of("r.urdf", b""), 0.1, "euler", channels)
    q = np.array([[0.0, 1.0], [2.0, 3.0]])
    path = tmp_path / f"t{suffix}"
    write_trace(make_trace(header, np.array([0.0, 0.1]), {"q": q}), path)
    motion = load(path)
    assert (motion.q == q).all()
    assert motion.times is not None
    np.testing.assert_allclose(motion.times, [0.0, 0.1])


def test_a_trace_of_something_else(tmp_path: Path) -> None:
    channels = (Channel("slider", ("x",), ("m",), state=True),)
    header = TraceHeader("push", origin_of("s.toml", b""), 0.1, "exact", channels)
    path = tmp_path / "t.npz"
    write_trace(make_trace(header, np.array([0.0]), {"slider": np.zeros((1, 1))}), path)
    with pytest.raises(PhyzctlError, match="the trace has no positions q; its channels are slider"):
        load_motion(str(path), RAIL, Issues())


FAULTY = {
    "nothing": ("", "1:1: error[E012] there is no way-point"),
    "names only": ("j1,j2\n", "1:1: error[E012] there is no way-point"),
    "unknown": (
        "j1,elbow\n1,2\n",
        "1:1: error[E012] no joint 'elbow' that can move; there are time, ",
    ),
    "near": ("j1,j3\n1,2\n", "1:1: error[E012] no joint 'j3' that can move; there are time, j1"),
    "twice": ("j1,j1\n1,2\n", "1:1: error[E012] there are two columns 'j1'"),
    "short": ("j1,j2\n1,2\n1\n", "3:1: error[E012] there must be 2 numbers, not 1"),
    "long": ("1,2,3\n", "1:1: error[E012] there must be 2 numbers, not 3"),
    "word": ("j1\n1\nx\n", "3:1: error[E012] expected a finite number, not 'x'"),
    "nan": ("j1\n\nnan\n", "3:1: error[E012] expected a finite number, not 'nan'"),
    "back": ("time,j1\n0,0\n1,0\n0.5,0\n", "4:1: error[E012] the time goes back"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_tables(tmp_path: Path, name: str) -> None:
    text, said = FAULTY[name]
    issues = Issues()
    assert load_motion(str(table(tmp_path, text)), RAIL, issues) is None
    (found,) = (str(issue).replace(f"{tmp_path}/w.csv:", "") for issue in issues)
    assert found.startswith(said)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(b"PK")
    np.savez(tmp_path / "other.npz", x=[1.0])
    np.savez(tmp_path / "wide.npz", q=np.zeros((2, 3)))
    np.savez(tmp_path / "nan.npz", q=np.full((2, 2), np.nan))
    (tmp_path / "latin.csv").write_bytes(b"\xff\xfe")
    cases: list[tuple[str, type[PhyzctlError], str]] = [
        ("none.csv", NotFoundError, "there is no motion"),
        ("w.txt", PhyzctlError, "can't tell what motion"),
        ("bad.npz", UnreadableError, "this is no npz"),
        ("latin.csv", UnreadableError, "utf-8"),
        ("other.npz", PhyzctlError, "there is no array 'q'; there are: x"),
        ("wide.npz", PhyzctlError, "the robot's q has 2 columns; this is 2x3"),
        ("nan.npz", PhyzctlError, "a number of q is not finite"),
    ]
    for name, kind, message in cases:
        with pytest.raises(kind, match=message):
            load_motion(str(tmp_path / name), RAIL, Issues())
