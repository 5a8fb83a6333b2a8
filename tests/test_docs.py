"""What README.md and docs/ show is true: commands run as shown, pages that are made stay made."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from phyzctl.cli import templates
from phyzctl.config import load_config
from tests.conftest import Command
from tests.corpus import ROOT

README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md")), ROOT / "sample_robots" / "README.md"]


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a page that state that language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)


def console_examples() -> list[list[tuple[str, str]]]:
    """The `$ command`s of each block of all pages, with the output shown behind each."""
    found = []
    for page in PAGES:
        for block in blocks(page, "console"):
            lines = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
            parts = [line.replace("\\\n", "").partition("\n") for line in lines]
            found.append([(command, output) for command, _, output in parts])
    return found


@pytest.mark.parametrize("block", console_examples(), ids=lambda block: block[0][0])
def test_console_examples_print_what_is_shown(
    block: list[tuple[str, str]], run_phyzctl: Command, tmp_path: Path
) -> None:
    """The commands of a block run one after the other in the same folder."""
    for name in ("sample_robots", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    for command, output in block:
        program, *arguments = shlex.split(command)
        assert program == "phyzctl"
        done = run_phyzctl(*arguments, cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        if output:
            assert done.stdout == output


@pytest.mark.parametrize(
    "code", [*blocks(README, "python"), *blocks(ROOT / "docs" / "simulate.md", "python")]
)
def test_python_examples_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, str(README), "exec"), {})


def test_the_configuration_shown_is_valid(tmp_path: Path) -> None:
    (text,) = blocks(README, "toml")
    (tmp_path / "phyzctl.toml").write_text(text)
    config = load_config(tmp_path)
    assert config.ignore == tuple(tomllib.loads(text)["ignore"])


CI = ROOT / "docs" / "ci.md"


def test_the_settings_shown_for_ci_are_valid(tmp_path: Path) -> None:
    (text,) = blocks(CI, "toml")
    (tmp_path / "phyzctl.toml").write_text(text)
    config = load_config(tmp_path)
    assert config.at(tmp_path / "third_party/arm.urdf").fail_on == "never"
    assert config.at(tmp_path / "third_party/ours.urdf").fail_on == "error"


def test_the_jobs_shown_are_those_that_init_writes() -> None:
    written = [templates.GITHUB, templates.GITLAB, templates.PRE_COMMIT]
    assert blocks(CI, "yaml") == written


def test_the_comment_for_ci_silences_what_the_page_is_about(
    run_phyzctl: Command, tmp_path: Path
) -> None:
    (comment,) = blocks(CI, "xml")
    text = (ROOT / "sample_robots" / "broken" / "J201_limits_swapped.urdf").read_text()
    (tmp_path / "robot.urdf").write_text(text.replace("<limit", f"{comment}<limit"))
    done = run_phyzctl("validate", "--select", "J201,X090", "robot.urdf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "no issues in 1 file\n")


def test_the_comment_shown_silences_a_finding(run_phyzctl: Command, tmp_path: Path) -> None:
    (comment,) = blocks(README, "xml")
    text = (ROOT / "sample_robots" / "broken" / "I113_tensor_placeholder.urdf").read_text()
    marked = re.sub(
        r"^(\s*)(<inertia .*<!-- expect: I113 -->)", rf"\1{comment}\1\2", text, flags=re.MULTILINE
    )
    assert marked != text
    (tmp_path / "robot.urdf").write_text(marked)
    done = run_phyzctl("validate", "--fail-on", "info", "robot.urdf", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "no issues in 1 file\n")


def test_the_page_of_rules_is_what_the_command_prints(run_phyzctl: Command) -> None:
    printed = run_phyzctl("rules", "--format", "markdown").stdout
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.slow
def test_the_first_command_sets_up_and_validates(tmp_path: Path) -> None:
    """In a clone, as a newcomer would; the second command is what `.ci/run` does."""
    first, second = (block.strip() for block in blocks(README, "sh"))
    assert second.endswith("&& .venv/bin/pytest")
    clone = tmp_path / "phyzctl"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".git", ".corpus", ".venv", "*.so"))
    done = subprocess.run(
        first, shell=True, cwd=clone, capture_output=True, text=True, check=False, timeout=1800
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("no issues in 1 file\n")
