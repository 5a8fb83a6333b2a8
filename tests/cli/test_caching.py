"""The cache of `validate`: used while nothing has changed, and harmless whatever becomes of it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import phyzctl
from phyzctl.cli import caching, checking, verdicts
from phyzctl.cli.judging import Judged
from phyzctl.cli.targets import Target
from phyzctl.config import Config
from tests.cli.conftest import BAD, GOOD, Cli
from tests.corpus import SAMPLES
from tests.report import cases

MESH = "<visual><geometry><mesh filename='{}'/></geometry></visual>"
BOX = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were really judged, in order."""
    names: list[str] = []
    check = checking.check

    def counted(target: Target, config: Config) -> object:
        names.append(target.path)
        return check(target, config)

    monkeypatch.setattr(checking, "check", counted)
    return names


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("checks/*/*"))


def test_the_second_run_judges_nothing_and_says_the_same(
    cli: Cli, robots: Path, judged: list[str]
) -> None:
    first = cli("validate", ".", "--format", "sarif")
    assert judged == ["bad.urdf", "good.urdf"]
    assert cli("validate", ".", "--format", "sarif") == first
    assert judged == ["bad.urdf", "good.urdf"]


@pytest.mark.parametrize("form", ["text", "json", "junit", "gitlab", "markdown"])
def test_every_report_of_kept_results_is_the_same(cli: Cli, form: str) -> None:
    arguments = ["validate", str(SAMPLES / "broken"), "--pedantic", "--format", form]
    plain = cli(*arguments, "--no-cache")
    assert cli(*arguments) == cli(*arguments) == plain


def test_without_a_cache_nothing_is_kept_or_used(
    cli: Cli, robots: Path, judged: list[str], own_cache: Path
) -> None:
    for _ in range(2):
        cli("validate", "bad.urdf", "--no-cache")
    assert judged == ["bad.urdf"] * 2
    assert entries(own_cache) == []


def test_another_folder(cli: Cli, robots: Path, own_cache: Path) -> None:
    cli("validate", "bad.urdf", "--cache-dir", "mine")
    assert len(entries(robots / "mine")) == 1
    assert entries(own_cache) == []


def test_stdin_is_not_kept(cli: Cli, robots: Path, own_cache: Path) -> None:
    name = ["--stdin-filename", "bad.urdf"]
    assert cli("validate", "-", *name, stdin=BAD.encode()).code == 1
    assert cli("validate", "-", *name, stdin=GOOD.encode()).code == 0
    assert entries(own_cache) == []


def test_what_can_not_be_read_is_not_kept(cli: Cli, workspace: Path, own_cache: Path) -> None:
    (workspace / "a.urdf").mkdir()
    (workspace / "b.urdf").symlink_to("a.urdf")
    assert cli("validate", "b.urdf").code == 2  # a folder without robots
    assert entries(own_cache) == []


# What makes a result stale

Change = Callable[[Path], None]


def write(name: str, text: str) -> Change:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    return change


def remove(name: str) -> Change:
    return lambda folder: (folder / name).unlink()


ARM = GOOD.replace(
    "/>\n</", f">{MESH.format('parts/a.obj')}{MESH.format('parts/b.obj')}</link>\n</"
)
PACKAGED = GOOD.replace("/>\n</", f">{MESH.format('package://p/a.obj')}</link>\n</")
FILES = {
    "robots/arm.urdf": ARM,
    "robots/packaged.urdf": PACKAGED,
    "robots/parts/a.obj": BOX,
    "robots/scene.xml": "<mujoco><include file='part.xml'/><include file='more.xml'/></mujoco>",
    "robots/part.xml": "<mujoco><worldbody><body/></worldbody></mujoco>",
    "robots/other.txt": "",
}

# A change, and the files that must be judged again.
CHANGES: dict[str, tuple[Change, list[str]]] = {
    "nothing": (lambda _: None, []),
    "the file": (write("robots/arm.urdf", ARM + "\n"), ["arm.urdf"]),
    "the file written again": (write("robots/arm.urdf", ARM), []),
    "another file": (write("robots/other.txt", "x"), []),
    "a mesh": (write("robots/parts/a.obj", BOX + "v 2 2 2\n"), ["arm.urdf"]),
    "a mesh that is gone": (remove("robots/parts/a.obj"), ["arm.urdf"]),
    "a mesh that was missing": (write("robots/parts/b.obj", BOX), ["arm.urdf"]),
    "a mesh in other letter case": (write("robots/parts/B.OBJ", BOX), ["arm.urdf"]),
    "an include": (write("robots/part.xml", "<mujoco/>"), ["scene.xml"]),
    "an include that was missing": (write("robots/more.xml", "<mujoco/>"), ["scene.xml"]),
    "a package": (write("p/package.xml", "<package><name>p</name></package>"), ["packaged.urdf"]),
    "a manifest": (
        write("robots/package.xml", "<package><name>p</name></package>"),
        ["packaged.urdf"],
    ),
    "the configuration": (
        write("phyzctl.toml", "ignore = ['J201']"),
        ["arm.urdf", "packaged.urdf", "scene.xml"],
    ),
    "the configuration of one file": (
        write("phyzctl.toml", "[[override]]\nfiles = ['arm.urdf']\npedantic = true"),
        ["arm.urdf"],
    ),
    "an empty configuration": (write("phyzctl.toml", ""), []),
}


@pytest.fixture
def project(workspace: Path) -> Path:
    for name, text in FILES.items():
        write(name, text)(workspace)
    return workspace


@pytest.mark.parametrize(("change", "names"), CHANGES.values(), ids=CHANGES)
def test_what_must_be_judged_again(
    cli: Cli, project: Path, judged: list[str], change: Change, names: list[str]
) -> None:
    cli("validate", "robots")
    judged.clear()
    change(project)
    again = cli("validate", "robots")
    assert [Path(path).name for path in judged] == names
    assert cli("validate", "robots", "--no-cache") == again


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ([], 0),
        (["--format", "json"], 0),
        (["--quiet"], 0),
        (["-j2"], 0),
        (["--pedantic"], 3),
        (["--ignore", "J"], 3),
        (["--no-meshes"], 3),
        (["--target", "ros2"], 3),
        (["--package-path", "p=robots"], 3),
    ],
)
def test_options_that_change_the_result(
    cli: Cli, project: Path, judged: list[str], options: list[str], count: int
) -> None:
    cli("validate", "robots")
    judged.clear()
    cli("validate", "robots", *options)
    assert len(judged) == count


def test_the_environment_counts_where_it_was_asked(
    cli: Cli, project: Path, judged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("validate", "robots")
    judged.clear()
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(project / "elsewhere"))
    monkeypatch.setenv("SOMETHING_ELSE", "x")
    cli("validate", "robots")
    assert judged == ["robots/packaged.urdf"]


def test_paths_are_reported_as_they_are_given(
    cli: Cli, robots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("validate", "bad.urdf").out.startswith("bad.urdf:8")
    assert cli("validate", str(robots / "bad.urdf")).out.startswith(f"{robots}/bad.urdf:8")
    (robots / "sub").mkdir()
    monkeypatch.chdir(robots / "sub")
    assert cli("validate", "../bad.urdf").out.startswith("../bad.urdf:8")


def test_an_srdf_is_judged_again_for_another_robot(cli: Cli, workspace: Path) -> None:
    """Which robot it is about is no part of the file, nor of the settings."""
    srdf = "<robot name='good'><end_effector name='e' parent_link='{}' group='g'/></robot>"
    (workspace / "robot.srdf").write_text(srdf.format("base"))
    (workspace / "one.urdf").write_text(GOOD)
    (workspace / "two.urdf").write_text(GOOD.replace('"base"', '"other"'))
    for _ in range(2):
        for name in ("one.urdf", "two.urdf"):
            plain = cli("validate", name, "--srdf", "robot.srdf", "--no-cache")
            assert cli("validate", name, "--srdf", "robot.srdf") == plain
    kept = [cli("validate", name, "--srdf", "robot.srdf").out for name in ("one.urdf", "two.urdf")]
    assert "'base'" in kept[1]
    assert "'base'" not in kept[0]


def test_fixes_look_at_the_file_itself(cli: Cli, robots: Path) -> None:
    (robots / "bad.urdf").write_text(BAD.replace("0 0 1", "0 0 2"))
    cli("validate", "bad.urdf")
    cli("validate", "bad.urdf", "--fix")
    assert "0 0 1" in (robots / "bad.urdf").read_text()
    assert "J210" not in cli("validate", "bad.urdf").out


# Harm


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "a digit changed": lambda data: data.replace(b"J201", b"J202"),
    "not ASCII": lambda data: data + b"\xff",
    "another shape": lambda _: _signed(b"[]\n[]"),
    "another type": lambda _: _signed(b"[]\n[[[1]], [], {}, true]"),
    "a question that is none": lambda _: _signed(b'[[["what", "x", -1], "y"]]\n[[], [], {}, 1]'),
    "a question of another shape": lambda _: _signed(b"[[1, 2, 3]]\n[[], [], {}, 1]"),
}


def _signed(body: bytes) -> bytes:
    return caching._digest(body.decode()).encode() + b"\n" + body


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_entry_is_judged_anew_and_replaced(
    cli: Cli, robots: Path, judged: list[str], own_cache: Path, damage: Callable[[bytes], bytes]
) -> None:
    first = cli("validate", "bad.urdf")
    (entry,) = entries(own_cache)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert cli("validate", "bad.urdf") == first
    assert judged == ["bad.urdf"] * 2
    assert entry.read_bytes() == whole


def test_a_folder_that_can_not_be_made_does_no_harm(cli: Cli, robots: Path) -> None:
    (robots / "file").write_text("in the way")
    plain = cli("validate", "bad.urdf", "--no-cache")
    assert cli("validate", "bad.urdf", "--cache-dir", "file") == plain


def test_a_full_disk_leaves_nothing_half_written(
    cli: Cli, robots: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert cli("validate", "bad.urdf").code == 1
    assert entries(own_cache) == []


# The program


def test_another_program_has_a_folder_of_its_own(
    cli: Cli, robots: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("validate", "bad.urdf")
    monkeypatch.setattr(phyzctl, "__version__", "9.9.9")
    cli("validate", "bad.urdf")
    assert len(entries(own_cache)) == 2
    assert len({entry.parent for entry in entries(own_cache)}) == 2


def test_only_a_few_programs_are_remembered(cli: Cli, robots: Path, own_cache: Path) -> None:
    for index in range(9):
        folder = own_cache / f"checks/{index}"
        folder.mkdir(parents=True)
        (folder / "x.json").write_text("")
        os.utime(folder, (time.time() - index * 100,) * 2)
    cli("validate", "bad.urdf")
    names = {entry.parent.name for entry in entries(own_cache)}
    assert {"0", "1", "2"} < names
    assert not names & {"5", "6", "7", "8"}
    assert len(names) == caching.PROGRAMS


def test_the_program_is_known_by_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an installer leaves it: the folder of the package, and beside it a list with digests."""
    package = tmp_path / "phyzctl"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.setattr(phyzctl, "__file__", str(package / "__init__.py"))
    found = [caching.program()]
    info = tmp_path / f"phyzctl-{phyzctl.__version__}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("phyzctl/__init__.py,sha256=abc,0\n../bin/phyzctl,sha256=1,2\n")
    found.append(caching.program())
    (package / "__init__.py").write_text("# of no account: nobody edits what is installed\n")
    (info / "RECORD").write_text("phyzctl/__init__.py,sha256=abc,0\n../bin/phyzctl,sha256=3,4\n")
    assert caching.program() == found[1]
    (info / "RECORD").write_text("phyzctl/__init__.py,sha256=def,0\n")
    found.append(caching.program())
    assert len(set(found)) == 3


# Results as text


def test_results_read_back_exactly() -> None:
    result = Judged(tuple(cases.REPORT.issues), ("a", "b\udcff"), {"a": "é\n\u2028\udc80"}, False)
    text = verdicts.to_json(result)
    assert "\n" not in text
    assert text.isascii()
    back = verdicts.from_json(text)
    assert tuple(back.issues) == tuple(result.issues)
    assert (back.documents, back.texts, back.is_robot) == (("a", "b\udcff"), result.texts, False)
    assert [type(issue.severity) for issue in back.issues] == [
        type(issue.severity) for issue in result.issues
    ]


def test_results_of_every_sample_read_back_exactly() -> None:
    for path in sorted((SAMPLES / "broken").glob("*.urdf")):
        issues = phyzctl.validate(path)
        back = verdicts.from_json(verdicts.to_json(Judged(issues)))
        assert list(back.issues) == issues
        assert all(hash(a) == hash(b) for a, b in zip(back.issues, issues, strict=True))


# The verb


def test_the_folder_is_printed(cli: Cli, own_cache: Path) -> None:
    assert cli("cache", "dir") == (0, f"{own_cache}\n", "")
    assert cli("cache", "dir", "--cache-dir", "/x").out == "/x\n"


def test_the_cache_is_cleared_and_nothing_else(
    cli: Cli, robots: Path, judged: list[str], own_cache: Path
) -> None:
    cli("validate", ".")
    (own_cache / "hulls").mkdir()
    (own_cache / "hulls/a.npz").write_text("")
    (own_cache / "mine.txt").write_text("not of phyzctl")
    assert cli("cache", "clear") == (0, "", f"3 files removed from {own_cache}\n")
    assert [path.name for path in own_cache.iterdir()] == ["mine.txt"]
    assert cli("cache", "clear", "-q") == (0, "", "")
    judged.clear()
    cli("validate", ".")
    assert len(judged) == 2


def test_the_lists_in_an_entry_are_json(cli: Cli, robots: Path, own_cache: Path) -> None:
    cli("validate", "bad.urdf")
    (entry,) = entries(own_cache)
    _, asked, found = entry.read_text("ascii").split("\n")
    assert [question[1] for question, _ in json.loads(asked)] == [str(robots / "bad.urdf")]
    assert json.loads(found)[0][0][0][0] == "J201"
