"""The command as a whole: help, versions, verbs, exit codes, streams."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import phyzctl
from phyzctl.cli import schema as schema_verb
from phyzctl.cli.verbs import VERBS
from phyzctl.errors import UnreadableError
from tests.cli.conftest import BAD, Cli
from tests.conftest import Command


def test_help_lists_every_verb(cli: Cli) -> None:
    code, out, _ = cli("--help")
    assert code == 0
    for verb, help_ in VERBS.items():
        assert verb in out
        assert help_ in out
    assert cli("-h").out == out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(cli: Cli, verb: str) -> None:
    code, out, _ = cli(verb, "--help")
    assert code == 0
    assert f"Usage: phyzctl {verb}" in out


def test_no_arguments_show_the_help(cli: Cli) -> None:
    code, out, err = cli()
    assert code in {0, 2}  # as the versions of click have it
    assert "validate" in out + err


def test_version(cli: Cli, run_phyzctl: Command) -> None:
    expected = f"phyzctl {phyzctl.__version__}\n"
    assert cli("--version") == (0, expected, "")
    assert run_phyzctl("--version").stdout == expected


@pytest.mark.parametrize(
    ("verb", "hint"),
    [("valdate", "did you mean 'validate'?"), ("xyz", "the verbs are validate, explain, rules")],
)
def test_an_unknown_verb(cli: Cli, verb: str, hint: str) -> None:
    code, _, err = cli(verb)
    assert code == 2
    assert err.startswith(f"phyzctl: there is no verb {verb!r}; ")
    assert hint in err


def test_an_unknown_option(cli: Cli) -> None:
    code, _, err = cli("--nope")
    assert code == 2
    assert "No such option" in err


# Our own bugs


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    def fail() -> None:
        raise ZeroDivisionError("of\nus")

    monkeypatch.setattr(schema_verb, "_folder", fail)
    return monkeypatch


def test_a_bug_of_ours_is_three_and_one_sentence(cli: Cli, broken: pytest.MonkeyPatch) -> None:
    assert cli("schema") == (
        3,
        "",
        "phyzctl: this is a bug in phyzctl: ZeroDivisionError: of us (--debug shows where)\n",
    )


@pytest.mark.parametrize("arguments", [["--debug", "schema"], ["schema", "--debug"]])
def test_debug_shows_the_traceback(
    cli: Cli, broken: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    code, _, err = cli(*arguments)
    assert code == 3
    assert err.startswith("Traceback (most recent call last):")
    assert err.endswith("ZeroDivisionError: of\nus\n")


def test_debug_behind_two_dashes_is_a_file(cli: Cli, workspace: Path) -> None:
    assert "there is no file '--debug'" in cli("validate", "--", "--debug").err


def test_input_that_can_not_be_read_is_three(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise UnreadableError("can't")

    monkeypatch.setattr(schema_verb, "_folder", fail)
    assert cli("schema") == (3, "", "phyzctl: can't\n")


def test_interrupted(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(schema_verb, "_folder", fail)
    assert cli("schema").code == 130


# In a process of its own


def start(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "phyzctl", *arguments],
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.usefixtures("control_c")
def test_control_c(workspace: Path) -> None:
    with start("validate", "-", cwd=workspace) as process:
        assert process.stdin is not None
        process.stdin.write(b"<robot>")
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)  # it waits for the end of stdin
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--help"], 0), (["rules"], 0), (["validate", "--help"], 0), (["validate", "bad.urdf"], 1)],
)
def test_a_reader_that_goes_away_is_no_failure(
    robots: Path, arguments: list[str], code: int
) -> None:
    with start(*arguments, cwd=robots) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        assert (process.wait(20), err) == (code, b"")


def test_a_file_that_is_there_but_can_not_be_read(run_phyzctl: Command) -> None:
    memory = Path("/proc/self/mem")
    if not memory.exists():
        pytest.skip("needs a file whose reading fails, even for root")
    result = run_phyzctl("validate", str(memory))
    assert (result.returncode, result.stdout) == (3, "no issues in 0 files\n")
    assert "can't read '/proc/self/mem'" in result.stderr


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "cp1252"])
def test_no_encoding_of_stdout_breaks_a_report(
    robots: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (robots / "grün.urdf").write_text(BAD.replace("elbow", "手"), encoding="utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    with start("validate", "grün.urdf", cwd=robots) as process:
        out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (1, b"")
    assert b".urdf:8:12: error[J201] joint '" in out


def test_stdout_is_not_wrapped(robots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    with start("validate", "bad.urdf", cwd=robots) as process:
        out, _ = process.communicate(timeout=20)
    assert len(out.splitlines()[0]) > 60


# What is imported


def imported(*arguments: str, cwd: Path) -> set[str]:
    """The modules that a run of the command has loaded when it exits."""
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))\n"
        f"sys.argv = ['phyzctl', *{list(arguments)!r}]\n"
        "from phyzctl.__main__ import main\n"
        "main()"
    )
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return set(done.stderr.split())


HEAVY = {"numpy", "lxml", "rich", "trimesh", "scipy", "pydantic", "jsonschema"}


def test_the_version_loads_nothing(workspace: Path) -> None:
    loaded = imported("--version", cwd=workspace)
    assert not loaded & (HEAVY | {"typer"})
    assert {name for name in loaded if name.startswith("phyzctl")} == {
        "phyzctl",
        "phyzctl.__main__",
    }


def test_help_loads_no_verb(workspace: Path) -> None:
    loaded = imported("--help", cwd=workspace)
    assert "typer" in loaded
    assert not loaded & HEAVY
    assert not loaded & {f"phyzctl.cli.{verb}" for verb in VERBS}
    assert not any(name.startswith("phyzctl.lint") for name in loaded)


def test_one_verb_loads_no_other(workspace: Path) -> None:
    loaded = imported("schema", "report", cwd=workspace)
    assert {f"phyzctl.cli.{verb}" for verb in VERBS} & loaded == {"phyzctl.cli.schema"}
    assert not loaded & HEAVY


def test_validating_a_robot_without_meshes_loads_nothing_heavy(robots: Path) -> None:
    assert not imported("validate", "bad.urdf", cwd=robots) & (HEAVY - {"numpy"})
