"""`phyzctl simulate` from the command line to the trace."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import phyzctl
from phyzctl.trace.files import read_trace
from tests.cli.conftest import BAD, Cli
from tests.corpus import SAMPLES
from tests.sim.robots import EXPLODING, MIXED, OWN_LAWS, PENDULUM, SQUEEZED
from tests.trace.formats import HERE, every_format

ROBOTS = sorted([*SAMPLES.glob("*.urdf"), *SAMPLES.glob("*.xml")])


@pytest.fixture
def mixed(workspace: Path) -> Path:
    """The workspace with `mixed.xml`, of which everything is computed."""
    (workspace / "mixed.xml").write_text(MIXED)
    return workspace


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.name)
def test_every_sample_runs(cli: Cli, workspace: Path, path: Path) -> None:
    shutil.copy(path, workspace)
    code, out, err = cli("simulate", path.name, "--steps", "50", "-o", "t.mcap")
    assert (code, err) == (0, "")
    assert "U001" not in out
    trace = read_trace("t.mcap")
    assert trace.header.complete
    assert trace.is_intact()
    assert len(trace) == 51
    assert trace.header.origin.path == path.name
    assert f'name="{phyzctl.load(path).name}"' in trace.description


def test_the_summary(cli: Cli, mixed: Path) -> None:
    code, out, err = cli("simulate", "mixed.xml", "--steps", "100", "-o", "t.npz")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "mixed: 100 steps of 0.002 s by euler, 0.2 s"
    assert lines[1] == "  freedom  nq 9, nv 8, nu 2"
    assert lines[2].startswith("  speed    ")
    digest = read_trace("t.npz").header.digest
    assert lines[3].startswith("  trace    t.npz, 101 samples, ")
    assert lines[3].endswith(f"digest {digest[:12]}")


GROUNDS = {
    (): "; base floating, over a ground at -0.08 m",
    ("--ground", "-0.5"): "; base floating, over a ground at -0.5 m",
    ("--ground", "none"): "; base floating",
    ("--base", "fixed"): "; base fixed",
}


@pytest.mark.parametrize(("arguments", "told"), GROUNDS.items())
def test_the_ground_is_told(
    cli: Cli, workspace: Path, arguments: tuple[str, ...], told: str
) -> None:
    shutil.copy(SAMPLES / "diff_drive.urdf", workspace)
    run = ("simulate", "diff_drive.urdf", "--steps", "50", "-o", "t.npz")
    assert cli(*run, *arguments).out.splitlines()[1].endswith(told)
    base = told.split(",", maxsplit=1)[0].removeprefix("; base ")
    assert read_trace("t.npz").header.options["base"] == base
    assert cli("trace", "verify", "t.npz").code == 0


def test_a_file_with_a_world_of_its_own_says_itself_how_it_stands(cli: Cli, mixed: Path) -> None:
    code, out, _ = cli("simulate", "mixed.xml", "--steps", "5", "-o", "t.npz")
    assert code == 0
    assert "base" not in out + cli("trace", "info", "t.npz").out.replace("base,", "")
    assert "base" not in read_trace("t.npz").header.options


def test_masses_are_guessed_on_purpose_only(cli: Cli, workspace: Path) -> None:
    text = (SAMPLES / "diff_drive.urdf").read_text()
    start = text.index("<inertial>", text.index('<link name="left_wheel'))
    end = text.index("</inertial>", start) + len("</inertial>")
    (workspace / "light.urdf").write_text(text[:start] + text[end:])
    run = ("simulate", "light.urdf", "--steps", "5", "-o", "t.npz")
    assert cli(*run).code == 3
    code, _, err = cli(*run, "--infer-inertia", "1000")
    assert code == 0
    assert "guessed the masses of left_wheel" in err
    assert cli("trace", "verify", "t.npz").code == 0


@every_format
def test_traces_by_suffix(cli: Cli, mixed: Path, suffix: str) -> None:
    arguments = ("simulate", "mixed.xml", "--steps", "1200", "--key", "driven")
    assert cli(*arguments, "-o", f"t{suffix}").code == 0
    cli(*arguments, "-o", "other.npz")
    trace, other = read_trace(f"t{suffix}"), read_trace("other.npz")
    assert trace.is_intact()
    assert trace.header.digest == other.header.digest
    for name in ("q", "v", "ctrl"):
        assert np.array_equal(trace.values[name], other.values[name])
    assert trace.times == pytest.approx(0.002 * np.arange(1201), abs=1e-9)


def test_the_same_run_makes_the_same_bytes(cli: Cli, mixed: Path) -> None:
    for suffix in HERE:
        for name in ("one", "two"):
            cli("simulate", "mixed.xml", "--steps", "30", "-o", f"{name}{suffix}")
        assert Path(f"one{suffix}").read_bytes() == Path(f"two{suffix}").read_bytes()


THINNED = {
    "--every": (("--steps", "100", "--every", "30"), [0, 30, 60, 90, 100]),
    "--rate": (("--steps", "100", "--rate", "25"), [0, 20, 40, 60, 80, 100]),
    "--duration": (("--duration", "0.01"), [0, 1, 2, 3, 4, 5]),
    "--dt": (("--dt", "0.004", "--duration", "0.012"), [0, 2, 4, 6]),
    "no steps": (("--steps", "0"), [0]),
}


@pytest.mark.parametrize(("arguments", "samples"), THINNED.values(), ids=THINNED)
def test_how_long_and_how_often(
    cli: Cli, mixed: Path, arguments: tuple[str, ...], samples: list[int]
) -> None:
    cli("simulate", "mixed.xml", "-o", "t.npz", *arguments)
    assert read_trace("t.npz").times == pytest.approx(0.002 * np.array(samples))


def test_where_it_starts(cli: Cli, mixed: Path) -> None:
    moved = ("--key", "driven", "--q", "slide=0.2", "--q", "root=1,2,3,1,0,0,0")
    cli("simulate", "mixed.xml", "--steps", "1", "-o", "t.npz", *moved)
    trace = read_trace("t.npz")
    assert trace.values["q"][0].tolist() == [1, 2, 3, 1, 0, 0, 0, 0.3, 0.2]
    assert trace.values["ctrl"][0].tolist() == [0.2, 0.1]


@every_format
def test_it_goes_on_from_a_trace_to_the_same_bits(cli: Cli, mixed: Path, suffix: str) -> None:
    run = ("simulate", "mixed.xml", "--key", "driven", "-q")
    cli(*run, "--steps", "90", "-o", "whole.npz")
    cli(*run, "--steps", "30", "-o", f"half{suffix}")
    go_on = ("simulate", "mixed.xml", "-q", "--from", f"half{suffix}")
    cli(*go_on, "--steps", "60", "-o", "rest.npz")
    whole, rest = read_trace("whole.npz"), read_trace("rest.npz")
    cli(*go_on, "--at", "0.02", "--steps", "80", "-o", "more.npz")
    for part, start in ((rest, 30), (read_trace("more.npz"), 10)):
        assert part.times.tobytes() == whole.times[start:].tobytes()
        for name in ("q", "v", "ctrl"):
            assert part.values[name].tobytes() == whole.values[name][start:].tobytes()


CHANNELS = {
    ("t.npz",): ["q", "v", "qacc_warmstart", "ctrl"],
    ("t.mcap",): ["q", "v", "qacc_warmstart", "ctrl", "effort", "poses"],
    ("t.mcap", "--channels", "none"): ["q", "v", "qacc_warmstart", "ctrl"],
    ("t.csv", "--channels", "poses"): ["q", "v", "qacc_warmstart", "ctrl", "poses"],
}


@pytest.mark.parametrize(("arguments", "names"), CHANNELS.items())
def test_channels(cli: Cli, mixed: Path, arguments: tuple[str, ...], names: list[str]) -> None:
    cli("simulate", "mixed.xml", "--steps", "2", "-o", *arguments)
    assert [each.name for each in read_trace(arguments[0]).header.channels] == names


DRIVEN = {
    "hold": (("--hold",), "hold", [[0.2, 0.1], None]),
    "sine": (("--sine", "push=0.05,125"), "sine", [[0.2, 0.1], [0.2, 0.15]]),
    "table": (("--ctrl", "c.csv"), "table", [[1.0, 0.1], [1.0, 0.1]]),
    "linear": (("--ctrl", "c.csv", "--interpolation", "linear"), "table", [[1.0, 0.1], [1.5, 0.1]]),
}


@pytest.mark.parametrize(("arguments", "kind", "rows"), DRIVEN.values(), ids=DRIVEN)
def test_what_drives_it(
    cli: Cli, mixed: Path, arguments: tuple[str, ...], kind: str, rows: list[list[float] | None]
) -> None:
    Path("c.csv").write_text("time,turn\n0,1\n0.004,2\n")
    run = ("simulate", "mixed.xml", "--key", "driven", "--steps", "10", "-o", "t.npz")
    assert cli(*run, *arguments).code == 0
    trace = read_trace("t.npz")
    assert trace.header.options["control"]["kind"] == kind
    for found, expected in zip(trace.values["ctrl"][:2].tolist(), rows, strict=True):
        if expected is not None and kind != "hold":
            assert found == pytest.approx(expected)
    if kind == "hold":
        assert trace.values["ctrl"][0, 1] == pytest.approx(0.05)


def test_stiff_runs_are_told_in_their_traces(cli: Cli, workspace: Path) -> None:
    Path("two.xml").write_text(SQUEEZED.format(softness=""))
    run = ("simulate", "two.xml", "--steps", "50", "-q")
    cli(*run, "-o", "soft.npz")
    cli(*run, "--stiff", "-o", "stiff.npz")
    cli(*run, "--stiff", "--batch", "1", "-o", "batch.npz")
    soft, stiff, many = (read_trace(f"{name}.npz") for name in ("soft", "stiff", "batch.0000"))
    assert "stiff" not in soft.header.options
    assert stiff.header.options["stiff"] is many.header.options["stiff"] is True
    assert soft.header.digest != stiff.header.digest == many.header.digest
    assert cli("trace", "verify", "stiff.npz").code == 0


def test_a_batch(cli: Cli, mixed: Path) -> None:
    Path("r.toml").write_text('[mass]\n"*" = [0.9, 1.1]\n[q]\nslide = [-0.01, 0.01]\n')
    run = ("simulate", "mixed.xml", "--steps", "20", "--batch", "3", "--randomize", "r.toml")
    code, out, err = cli(*run, "--seed", "4", "-o", "t.npz")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "mixed: 3 runs of 20 steps"
    assert out.splitlines()[-1] == "  traces   t.0000.npz to t.0002.npz"
    assert cli(*run, "--seed", "4", "--jobs", "1").out.splitlines()[2] == out.splitlines()[2]
    assert cli(*run, "--seed", "5").out.splitlines()[2] != out.splitlines()[2]
    traces = [read_trace(f"t.{number:04d}.npz") for number in range(3)]
    assert len({trace.header.digest for trace in traces}) == 3
    for number in range(3):
        assert cli("trace", "verify", f"t.{number:04d}.npz").code == 0


def test_batches_that_can_not_be(cli: Cli, mixed: Path) -> None:
    run = ("simulate", "mixed.xml", "--steps", "2", "--batch", "2")
    Path("r.toml").write_text("[mass]\ntip = 1\n")
    code, _, err = cli(*run, "--randomize", "r.toml")
    assert code == 3
    assert "r.toml:2:1: error[E004]" in err
    for arguments, message in (
        (("--randomize", "none.toml"), "there is no file of ranges 'none.toml'"),
        (("--from", "t.npz"), "a batch starts by --key and --q"),
        (("--key", "drive"), "did you mean 'driven'"),
    ):
        code, _, err = cli(*run, *arguments)
        assert code == 2
        assert message in err


def test_a_run_that_diverges(cli: Cli, workspace: Path) -> None:
    (workspace / "boom.xml").write_text(EXPLODING)
    code, out, err = cli("simulate", "boom.xml", "--q", "elbow=0.1", "-n", "500", "-o", "t.npz")
    assert (code, err) == (3, "")
    first = out.splitlines()[0]
    assert first.startswith("boom.xml:5:7: error[S952] joint 'elbow': the run diverges in step ")
    assert "joint 'elbow' (dof 0, body 'arm')" in first
    assert "the actuators" in first
    trace = read_trace("t.npz")
    assert not trace.header.complete
    assert np.isfinite(trace.values["q"]).all()
    assert f"step {len(trace) - 1}," in trace.header.events[0][1]
    assert trace.is_intact()


def test_what_is_left_out_makes_the_exit_code(cli: Cli, workspace: Path) -> None:
    (workspace / "laws.xml").write_text(OWN_LAWS)
    run = ("simulate", "laws.xml", "--steps", "1")
    assert cli(*run).code == 1
    code, out, _ = cli(*run, "--allow-unsupported")
    assert code == 0
    assert "U001" in out


def test_reports(cli: Cli, workspace: Path) -> None:
    (workspace / "laws.xml").write_text(OWN_LAWS)
    run = ("simulate", "laws.xml", "--steps", "1", "--output", "sarif=r.sarif")
    document = json.loads(cli(*run, "--format", "json").out)
    assert {issue["code"] for issue in document["issues"]} == {"U001"}
    assert "U001" in Path("r.sarif").read_text()


def test_quiet_says_only_what_is_wrong(cli: Cli, mixed: Path) -> None:
    assert cli("simulate", "mixed.xml", "--steps", "5", "-q") == (0, "", "")


def test_a_faulty_robot_is_not_run(cli: Cli, robots: Path) -> None:
    code, out, err = cli("simulate", "bad.urdf", "--steps", "5", "-o", "t.npz")
    assert (code, out) == (3, "")
    assert "error[J201]" in err
    assert not Path("t.npz").exists()
    assert "nothing moves in 'good'" in cli("simulate", "good.urdf", "--steps", "5").err


def test_a_massless_link_that_moves_is_told_by_its_joint(cli: Cli, workspace: Path) -> None:
    limits = 'lower="1" upper="-1"'
    text = BAD.replace(limits, 'lower="-1" upper="1"').replace('<mass value="1"/>', "")
    (workspace / "light.urdf").write_text(
        text.replace("<inertial>", "<!--").replace("</inertial>", "-->")
    )
    code, _, err = cli("simulate", "light.urdf", "--steps", "5")
    assert code == 3
    assert "elbow" in err


def test_stdin(cli: Cli, workspace: Path) -> None:
    code, out, _ = cli("simulate", "-", "--steps", "5", "-o", "t.npz", stdin=PENDULUM.encode())
    assert (code, out.splitlines()[0]) == (0, "pendulum: 5 steps of 0.001 s by rk4, 0.005 s")


MISUSE = {
    "no file": (("none.xml", "--steps", "1"), "none.xml"),
    "how long": (("mixed.xml",), "give either --steps or --duration"),
    "too long": (("mixed.xml", "--steps", "1", "--duration", "1"), "give either --steps"),
    "negative": (("mixed.xml", "--steps", "-1"), "--steps"),
    "duration": (("mixed.xml", "--duration", "nan"), "--duration must be a time"),
    "suffix": (("none.xml", "--steps", "1", "-o", "t.txt"), "trace format of 't.txt'"),
    "folder": (("mixed.xml", "--steps", "1", "-o", "no/t.npz"), "can't write 'no/t.npz'"),
    "key": (("mixed.xml", "--steps", "1", "--key", "drive"), "did you mean 'driven'"),
    "joint": (("mixed.xml", "--steps", "1", "--q", "slid=1"), "did you mean 'slide'"),
    "value": (("mixed.xml", "--steps", "1", "--q", "slide=x"), "wants NAME=VALUE"),
    "no value": (("mixed.xml", "--steps", "1", "--q", "slide"), "wants NAME=VALUE"),
    "count": (("mixed.xml", "--steps", "1", "--q", "slide=1,2"), "takes 1 number, not 2"),
    "dt": (("mixed.xml", "--steps", "1", "--dt", "0"), "time step must be positive"),
    "integrator": (("mixed.xml", "--steps", "1", "--integrator", "rk5"), "rk5"),
    "thin": (("mixed.xml", "--steps", "1", "--every", "2", "--rate", "9"), "--every or --rate"),
    "rate": (("mixed.xml", "--steps", "1", "--rate", "0"), "--rate must be positive"),
    "ground": (("mixed.xml", "-n", "1", "--ground", "low"), "auto, none or a height"),
    "channel": (("mixed.xml", "--steps", "1", "--channels", "pose"), "did you mean 'poses'"),
    "from": (("mixed.xml", "--steps", "1", "--from", "none.npz"), "there is no trace"),
    "both": (("mixed.xml", "--steps", "1", "--from", "t.npz", "--key", "x"), "--from goes without"),
    "hold and table": (("mixed.xml", "-n", "1", "--hold", "--ctrl", "c.csv"), "give either"),
    "table": (("mixed.xml", "-n", "1", "--ctrl", "c.csv"), "no file of controls 'c.csv'"),
    "sine": (("mixed.xml", "-n", "1", "--sine", "push"), "a sine is NAME=AMPLITUDE,HZ"),
    "at": (("mixed.xml", "--steps", "1", "--at", "1"), "--from, which is not there"),
}


@pytest.mark.parametrize(("arguments", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse(cli: Cli, mixed: Path, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = cli("simulate", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_nothing_heavy_is_loaded_that_is_not_used(mixed: Path) -> None:
    code = (
        "import sys; from phyzctl.cli.app import run\n"
        "try: run(['simulate', 'mixed.xml', '--steps', '5', '-q', '-o', 't.npz'])\n"
        "except SystemExit: pass\n"
        "unwanted = {'mcap', 'scipy', 'trimesh', 'rich', 'phyzctl.exclude', 'phyzctl.scene'}\n"
        "print(sorted(unwanted & sys.modules.keys()))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(phyzctl.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment
    )
    assert done.stdout == "[]\n"
