"""What CI runs: the pre-commit hooks on a repository made for it, and the script of the action."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import BAD, GOOD
from tests.corpus import ROOT

yaml = pytest.importorskip("yaml")
BASH = shutil.which("bash") or "bash"
ROUGH = BAD.replace('lower="1" upper="-1"', 'lower="-1" upper="1"').replace("0 0 1", "0 0 2")
ARM = """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="macros.xacro"/>
  <xacro:part name="base"/>
</robot>
"""
MACROS = """\
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="part" params="name"><link name="${name}"/></xacro:macro>
</robot>
"""
MJCF = """\
<mujoco>
  <worldbody>
    <body name="arm">
      <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
      <joint name="hinge" range="10 -10"/>
    </body>
  </worldbody>
</mujoco>
"""

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
}
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())

Done = subprocess.CompletedProcess[str]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """One in which `phyzctl` is the one under test, and nobody's git settings matter."""
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "phyzctl"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m phyzctl "$@"\n')
    command.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    return {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "PRE_COMMIT_HOME": str(home),
        "PHYZCTL_CACHE_DIR": str(home / "cache"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }


@pytest.fixture
def repository(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A git repository of robots, good and bad, and of files that are no robots."""
    folder = tmp_path / "repository"
    (folder / "mjcf").mkdir(parents=True)
    (folder / "good.urdf").write_text(GOOD)
    (folder / "arm.urdf.xacro").write_text(ARM)
    (folder / "macros.xacro").write_text(MACROS)
    (folder / "package.xml").write_text("<package/>\n")
    subprocess.run(["git", "init", "-q", folder], check=True, env=environment)
    return folder


# The hooks


def test_the_hooks_say_what_they_are() -> None:
    assert list(HOOKS) == ["phyzctl-validate", "phyzctl-fix", "phyzctl-validate-all"]
    for hook in HOOKS.values():
        assert hook["entry"].startswith("phyzctl validate")
        assert hook["language"] == "python"
        assert hook["description"].endswith(".")


RunHook = Callable[[str], Done]


@pytest.fixture
def run_hook(repository: Path, environment: dict[str, str]) -> RunHook:
    """`run_hook(id)`: pre-commit with that hook over all files, without installing phyzctl."""
    pytest.importorskip("pre_commit")

    def run(name: str) -> Done:
        hook = HOOKS[name] | {"language": "system"}
        hook.pop("additional_dependencies", None)
        config = {"repos": [{"repo": "local", "hooks": [hook]}]}
        (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
        subprocess.run(["git", "add", "-A"], cwd=repository, check=True, env=environment)
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"]
        return subprocess.run(
            command, cwd=repository, env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.mark.slow
def test_pre_commit_accepts_the_manifest(environment: dict[str, str]) -> None:
    pytest.importorskip("pre_commit")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.slow
def test_a_hook_passes_what_is_clean_xacros_and_their_macros_too(run_hook: RunHook) -> None:
    done = run_hook("phyzctl-validate")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout


@pytest.mark.slow
def test_a_hook_fails_with_the_place(run_hook: RunHook, repository: Path) -> None:
    (repository / "bad.urdf").write_text(BAD)
    done = run_hook("phyzctl-validate")
    assert done.returncode == 1
    assert "bad.urdf:8:12: error[J201]" in done.stdout


@pytest.mark.slow
def test_a_hook_looks_into_xacros(run_hook: RunHook, repository: Path) -> None:
    (repository / "arm.urdf.xacro").write_text(ARM.replace('name="base"', 'name="base" nme="x"'))
    done = run_hook("phyzctl-validate")
    assert done.returncode == 1
    assert "arm.urdf.xacro" in done.stdout


@pytest.mark.slow
def test_the_fixing_hook_fails_once(run_hook: RunHook, repository: Path) -> None:
    (repository / "rough.urdf").write_text(ROUGH)
    done = run_hook("phyzctl-fix")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert (repository / "rough.urdf").read_text() == ROUGH.replace("0 0 2", "0 0 1")
    assert run_hook("phyzctl-fix").returncode == 0


@pytest.mark.slow
def test_the_hook_for_all_knows_mjcf_from_other_xml(run_hook: RunHook, repository: Path) -> None:
    assert run_hook("phyzctl-validate-all").returncode == 0
    (repository / "mjcf" / "arm.xml").write_text(MJCF)
    done = run_hook("phyzctl-validate-all")
    assert done.returncode == 1
    assert "mjcf/arm.xml:5:27: error[J201]" in done.stdout
    assert "package.xml" not in done.stdout


# The action


def test_the_action_uses_every_input_once() -> None:
    text = (ROOT / "action.yml").read_text()
    used = re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text)
    assert set(used) == ACTION["inputs"].keys()
    assert ACTION["runs"]["using"] == "composite"
    assert all(each["description"].endswith(".") for each in ACTION["inputs"].values())


def test_no_input_is_run_as_code() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert ("shell" in step) == ("run" in step)


RunAction = Callable[..., Done]


@pytest.fixture
def run_action(repository: Path, environment: dict[str, str]) -> RunAction:
    """`run_action(name=value, …)`: the last step of the action, with these inputs."""
    step = ACTION["runs"]["steps"][-1]

    def run(**stated: str) -> Done:
        inputs = {name: each["default"] for name, each in ACTION["inputs"].items()}
        inputs |= {name.replace("_", "-"): value for name, value in stated.items()}
        variables = {
            name: inputs[re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", r"\1", value)]
            for name, value in step["env"].items()
        }
        command = [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(
            command,
            cwd=repository,
            env=environment | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_action_annotates_summarises_and_writes_sarif(
    run_action: RunAction, repository: Path, environment: dict[str, str]
) -> None:
    (repository / "bad.urdf").write_text(BAD)
    done = run_action()
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=bad.urdf,line=8,col=12")
    summary = Path(environment["GITHUB_STEP_SUMMARY"]).read_text()
    assert summary.startswith("## phyzctl: 1 error in 1 of 3 files")
    log = json.loads((repository / "phyzctl.sarif").read_text())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["J201"]


@pytest.mark.slow
def test_the_actions_inputs(run_action: RunAction, repository: Path) -> None:
    (repository / "my robot.urdf").write_text(BAD)
    assert run_action(paths="good.urdf\n").returncode == 0
    assert run_action(paths="good.urdf\nmy robot.urdf\n").returncode == 1
    assert run_action(fail_on="never", sarif="other.sarif").returncode == 0
    assert (repository / "other.sarif").exists()
    assert run_action(html="page.html", fail_on="never").returncode == 0
    assert "<canvas" in (repository / "page.html").read_text("utf-8")
    assert run_action(args="--ignore J201 --no-meshes").returncode == 0
    assert run_action(args="--write-baseline known.json").returncode == 0
    assert run_action(baseline="known.json").returncode == 0
    assert run_action(paths="$(touch hacked)", args="; touch hacked").returncode == 2
    assert not (repository / "hacked").exists()


@pytest.mark.slow
def test_the_action_looks_at_what_changed(
    run_action: RunAction, repository: Path, environment: dict[str, str]
) -> None:
    (repository / "bad.urdf").write_text(BAD)
    author = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["add", "-A"], [*author, "commit", "-qm", "first"]):
        subprocess.run(["git", *command], cwd=repository, check=True, env=environment)
    (repository / "good.urdf").write_text(GOOD + "\n")
    assert run_action(changed_since="HEAD").returncode == 0
    (repository / "bad.urdf").write_text(BAD + "\n")
    assert run_action(changed_since="HEAD").returncode == 1
    assert run_action(changed_since="--output=x").returncode == 2
