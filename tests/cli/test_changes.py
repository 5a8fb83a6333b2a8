"""`validate --changed-since`: the robots that a change concerns, asked of a real git."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from phyzctl.cli.changes import Changes
from phyzctl.cli.choices import Choices
from phyzctl.cli.targets import Target, find_targets
from tests.cli.conftest import BAD, GOOD, Cli

MESH = "<visual><geometry><mesh filename='{}'/></geometry></visual>"
FILES = {
    "arm/arm.urdf": GOOD.replace("/>\n</", f">{MESH.format('meshes/a.stl')}</link>\n</"),
    "arm/meshes/a.stl": "solid a\nendsolid a\n",
    "hand/hand.urdf": GOOD,
    "scene/scene.xml": "<mujoco><include file='parts/part.xml'/></mujoco>",
    "scene/parts/part.xml": "<mujoco><worldbody><body/></worldbody></mujoco>",
    "scene/other.xml": "<mujoco/>",
    "readme.txt": "",
}
ROBOTS = ["arm/arm.urdf", "hand/hand.urdf", "scene/other.xml", "scene/scene.xml"]

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """`git(*arguments)` in the repository, with nobody's settings."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "x")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "x@example.org")

    def run(*arguments: str) -> str:
        command = ["git", "-C", str(tmp_path / "repository"), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, which is the branch `start`."""
    folder = tmp_path / "repository"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    git("branch", "start")
    monkeypatch.chdir(folder)
    return folder


def concerned(*arguments: str, ref: str = "start", choices: Choices | None = None) -> list[str]:
    changes = Changes(ref, choices or Choices())
    return [target.path for target in changes.among(find_targets(arguments or ["."]))]


Change = Callable[[Path], object]


def write(name: str, text: str) -> Change:
    return lambda folder: (folder / name).write_text(text)


# A change, and the robots that it concerns.
CHANGES: dict[str, tuple[Change, list[str]]] = {
    "nothing": (lambda _: None, []),
    "a robot": (write("hand/hand.urdf", BAD), ["hand/hand.urdf"]),
    "what is no robot": (write("readme.txt", "x"), []),
    "a mesh": (write("arm/meshes/a.stl", "x"), ["arm/arm.urdf"]),
    "a mesh that is gone": (lambda at: (at / "arm/meshes/a.stl").unlink(), ["arm/arm.urdf"]),
    "an include": (write("scene/parts/part.xml", "<mujoco/>"), ["scene/scene.xml"]),
    "a moved include": (
        lambda at: (at / "scene/parts/part.xml").rename(at / "scene/parts/new.xml"),
        ["scene/scene.xml", "scene/parts/new.xml"],  # which nobody includes now
    ),
    "a new robot": (write("hand/new.urdf", GOOD), ["hand/new.urdf"]),
    "a new configuration": (write("phyzctl.toml", ""), ROBOTS),
    "a configuration for some": (write("scene/phyzctl.toml", ""), ROBOTS[2:]),
    "the same content": (write("hand/hand.urdf", GOOD), []),
}


@pytest.mark.parametrize("commit", [False, True], ids=["in the tree", "committed"])
@pytest.mark.parametrize(("change", "names"), CHANGES.values(), ids=CHANGES)
def test_robots_that_a_change_concerns(
    repository: Path, git: Git, change: Change, names: list[str], commit: bool
) -> None:
    change(repository)
    if commit:
        git("add", "-A")
        git("commit", "-qm", "second", "--allow-empty")
    assert concerned() == names


def test_what_is_ignored_is_not_new(repository: Path) -> None:
    (repository / ".gitignore").write_text("made.stl")
    (repository / "arm/meshes/made.stl").write_text("")
    (repository / "arm/arm.urdf").write_text(FILES["arm/arm.urdf"])
    assert concerned() == []


def test_a_base_of_the_configuration_counts(repository: Path, git: Git) -> None:
    (repository / "hand/phyzctl.toml").write_text("extend = '../base.toml'")
    (repository / "base.toml").write_text("")
    git("add", "-A")
    git("commit", "-qm", "settings")
    assert concerned(ref="HEAD") == []
    (repository / "base.toml").write_text("deep = false")
    assert concerned(ref="HEAD") == ["hand/hand.urdf"]


def test_changes_since_the_branches_parted(repository: Path, git: Git) -> None:
    """What happened on the other branch in the meantime is nobody's business here."""
    git("checkout", "-qb", "feature")
    (repository / "hand/hand.urdf").write_text(BAD)
    git("commit", "-qam", "here")
    git("checkout", "-q", "start")
    (repository / "arm/arm.urdf").write_text(GOOD)
    git("commit", "-qam", "there")
    git("checkout", "-q", "feature")
    assert concerned(ref="start") == ["hand/hand.urdf"]


def test_links_are_followed(repository: Path, git: Git) -> None:
    (repository / "shared").mkdir()
    (repository / "shared/a.stl").write_text("")
    (repository / "arm/meshes/a.stl").unlink()
    (repository / "arm/meshes/a.stl").symlink_to("../../shared/a.stl")
    git("add", "-A")
    git("commit", "-qm", "link")
    assert concerned(ref="HEAD") == []
    (repository / "shared/a.stl").write_text("x")
    assert concerned(ref="HEAD") == ["arm/arm.urdf"]


def test_names_that_need_care(repository: Path, git: Git) -> None:
    name = "hand/ä b\t'c'.urdf"
    (repository / name).write_text(GOOD)
    assert concerned() == [name]
    git("add", "-A")
    git("commit", "-qm", "odd")
    (repository / name).write_text(BAD)
    assert concerned(ref="HEAD") == [name]


def test_from_a_folder_inside(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "arm/meshes/a.stl").write_text("x")
    monkeypatch.chdir(repository / "arm")
    assert concerned("..") == ["../arm/arm.urdf"]


def test_stdin_always_counts(repository: Path) -> None:
    changes = Changes("start", Choices())
    assert changes.concern(Target("hand/hand.urdf", b""))


def test_packages_on_the_command_line_lead_to_meshes(repository: Path, git: Git) -> None:
    text = GOOD.replace("/>\n</", f">{MESH.format('package://p/a.stl')}</link>\n</")
    (repository / "hand/hand.urdf").write_text(text)
    git("commit", "-qam", "package")
    (repository / "arm/meshes/a.stl").write_text("x")
    assert concerned(ref="HEAD") == ["arm/arm.urdf"]
    choices = Choices(package_path=["p=arm/meshes"])
    assert concerned(ref="HEAD", choices=choices) == ["arm/arm.urdf", "hand/hand.urdf"]


# The command


def test_only_those_are_reported(cli: Cli, repository: Path) -> None:
    (repository / "hand/hand.urdf").write_text(BAD)
    code, out, err = cli("validate", ".", "--changed-since", "start")
    assert (code, err) == (1, "")
    assert out.splitlines()[-1].endswith("in 1 file")


def test_nothing_changed(cli: Cli, repository: Path) -> None:
    result = cli("validate", ".", "--changed-since", "HEAD")
    assert result == (0, "no issues in 0 files\n", "")


MISUSE = {
    "no such commit": ("nope", "--changed-since nope: git knows no such commit, branch or tag"),
    "an option": ("--output=x", "--changed-since --output=x: git knows no such commit"),
    "a blob": ("HEAD:readme.txt", "--changed-since HEAD:readme.txt: "),
}


@pytest.mark.parametrize(("ref", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse(cli: Cli, repository: Path, ref: str, message: str) -> None:
    code, out, err = cli("validate", ".", f"--changed-since={ref}")
    assert (code, out) == (2, "")
    assert message in err
    assert not (repository / "x").exists()


def test_no_common_history(cli: Cli, repository: Path, git: Git) -> None:
    git("checkout", "-q", "--orphan", "other")
    git("commit", "-qm", "alone")
    code, _, err = cli("validate", ".", "--changed-since", "start")
    assert code == 2
    assert "no common history with the present one, as far as it is fetched here" in err


def test_no_repository(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.urdf").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    code, _, err = cli("validate", "a.urdf", "--changed-since", "HEAD")
    assert code == 2
    assert "--changed-since asks git, but 'a.urdf' lies in no repository" in err


def test_no_git(cli: Cli, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    code, _, err = cli("validate", ".", "--changed-since", "HEAD")
    assert code == 2
    assert "--changed-since needs git: No such file" in err


def test_files_of_every_variant_count(repository: Path, git: Git) -> None:
    pytest.importorskip("xacro")
    name = "xmlns:xacro='http://www.ros.org/wiki/xacro'"
    include = "<xacro:include filename='$(arg side).xacro'/>"
    side = "<xacro:arg name='side' default='left'/>"
    (repository / "hand/hand.urdf.xacro").write_text(
        f"<robot name='r' {name}>{side}{include}<link name='a'/></robot>"
    )
    for each in ("left", "right"):
        (repository / f"hand/{each}.xacro").write_text(
            f"<robot {name}><material name='m'/></robot>"
        )
    git("add", "-A")
    git("commit", "-qm", "xacro")
    (repository / "hand/right.xacro").write_text(f"<robot {name}/>")
    assert concerned("hand/hand.urdf.xacro", ref="HEAD") == []
    (repository / "phyzctl.toml").write_text(
        "[[variant]]\nfiles = ['*.xacro']\nargs = { side = ['left', 'right'] }"
    )
    git("add", "phyzctl.toml")
    git("commit", "-qm", "settings", "--", "phyzctl.toml")
    assert concerned("hand/hand.urdf.xacro", ref="HEAD") == ["hand/hand.urdf.xacro"]
