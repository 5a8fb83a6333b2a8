"""`phyzctl init`: what it writes works as it stands, and what is there stays as it is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import phyzctl
from phyzctl.cli import templates
from phyzctl.config import Config, read_config
from tests.cli.conftest import BAD, GOOD, Cli

yaml = pytest.importorskip("yaml")

JOBS = {
    "--github": (".github/workflows/phyzctl.yml", templates.GITHUB),
    "--gitlab": (".gitlab-ci.yml", templates.GITLAB),
    "--pre-commit": (".pre-commit-config.yaml", templates.PRE_COMMIT),
}


def test_settings_alone(cli: Cli, workspace: Path) -> None:
    assert cli("init") == (0, "", "wrote phyzctl.toml\n")
    assert [path.name for path in workspace.iterdir() if path.name != ".git"] == ["phyzctl.toml"]
    assert read_config(workspace / "phyzctl.toml") == Config()


def test_every_example_in_the_settings_is_one(workspace: Path) -> None:
    lines = templates.SETTINGS.splitlines()
    head = next(index for index, line in enumerate(lines) if not line)
    text = "\n".join(re.sub("^# ", "", line) for line in lines[head:])
    (workspace / "base.toml").write_text("")
    (workspace / "phyzctl.toml").write_text(text.replace("../phyzctl.toml", "base.toml"))
    config = read_config(workspace / "phyzctl.toml")
    assert config.ignore == ("J207",)
    assert config.target == ("ros2", "mujoco")
    assert config.base is not None
    assert config.at(workspace / "third_party/x/a.urdf").fail_on == "never"


@pytest.mark.parametrize("option", JOBS)
def test_jobs_are_written_where_there_are_none(cli: Cli, workspace: Path, option: str) -> None:
    name, text = JOBS[option]
    code, out, err = cli("init", option)
    assert (code, out) == (0, "")
    assert err == f"wrote phyzctl.toml\nwrote {name}\n"
    assert (workspace / name).read_text() == text
    assert yaml.safe_load(text)


def test_all_at_once_elsewhere_and_in_silence(cli: Cli, workspace: Path) -> None:
    (workspace / "sub").mkdir()
    assert cli("init", "sub", *JOBS, "-q") == (0, "", "")
    assert all((workspace / "sub" / name).is_file() for name, _ in JOBS.values())


@pytest.mark.parametrize("option", JOBS)
def test_nothing_is_overwritten(cli: Cli, workspace: Path, option: str) -> None:
    name, text = JOBS[option]
    (workspace / name).parent.mkdir(parents=True, exist_ok=True)
    (workspace / name).write_text("mine")
    (workspace / "phyzctl.toml").write_text("deep = true")
    code, out, err = cli("init", option)
    assert (code, out) == (0, text)
    assert f"{name} is there already, and is left as it is; add to it:" in err
    assert "holds settings already, and is left as it is" in err
    assert (workspace / name).read_text() == "mine"
    assert (workspace / "phyzctl.toml").read_text() == "deep = true"


def test_a_second_time_changes_nothing(cli: Cli, workspace: Path) -> None:
    cli("init", *JOBS)
    code, out, err = cli("init", *JOBS)
    assert (code, out) == (0, "")
    assert err == f"{workspace / 'phyzctl.toml'} holds settings already, and is left as it is\n"


def test_settings_in_pyproject_are_settings(cli: Cli, workspace: Path) -> None:
    (workspace / "pyproject.toml").write_text("[tool.phyzctl]\n")
    assert "pyproject.toml holds settings already" in cli("init").err
    assert not (workspace / "phyzctl.toml").exists()


def test_settings_further_up_are_none_of_this_folder(cli: Cli, workspace: Path) -> None:
    (workspace / "phyzctl.toml").write_text("")
    (workspace / "sub").mkdir()
    assert cli("init", "sub").err == "wrote sub/phyzctl.toml\n"


def test_misuse(cli: Cli, workspace: Path) -> None:
    assert cli("init", "nope") == (2, "", "phyzctl: there is no folder 'nope'\n")
    (workspace / ".github").write_text("a file in the way")
    code, _, err = cli("init", "--github")
    assert code == 2
    assert "can't write '.github/workflows/phyzctl.yml'" in err


# What the jobs do


def steps(text: str) -> list[str]:
    """The commands of a job that don't install anything."""
    job: dict[str, Any] = yaml.safe_load(text)
    if "jobs" in job:
        found = [step["run"] for step in job["jobs"]["phyzctl"]["steps"] if "run" in step]
    else:
        found = job["phyzctl"]["script"]
    install, *rest = found
    assert install == f'python -m pip install "phyzctl[xacro]=={phyzctl.__version__}"'
    return rest


@pytest.mark.parametrize("text", [templates.GITHUB, templates.GITLAB], ids=["github", "gitlab"])
@pytest.mark.parametrize(("robot", "code"), [(GOOD, 0), (BAD, 1)])
def test_the_jobs_pass_and_fail(workspace: Path, text: str, robot: str, code: int) -> None:
    (workspace / "robot.urdf").write_text(robot)
    bash = shutil.which("bash") or "bash"
    function = f'phyzctl() {{ "{sys.executable}" -P -m phyzctl "$@"; }}'
    script = "\n".join([function, f'GITHUB_STEP_SUMMARY="{workspace}/summary.md"', *steps(text)])
    done = subprocess.run([bash, "-e", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr


def test_what_the_job_for_gitlab_keeps_is_what_it_writes() -> None:
    job = yaml.safe_load(templates.GITLAB)["phyzctl"]
    (command,) = steps(templates.GITLAB)
    for name in job["artifacts"]["reports"].values():
        assert f"={name}" in command
