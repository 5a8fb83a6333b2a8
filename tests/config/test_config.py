"""phyzctl.config: found upwards, checked key by key, wrong ones named with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.config import Config, find_config, load_config, read_config
from phyzctl.config.reader import key_line
from phyzctl.errors import NotFoundError, PhyzctlError, UnreadableError
from phyzctl.issues import Severity

FULL = """\
select = ["J", "I101"]
extend-select = ["X004"]
ignore = ["limit-locked"]
target = ["ros2", "usd"]
fail-on = "warning"
deep = true
pedantic = true
meshes = false
strict-assets = true

[severity]
J203 = "error"
"limit-in-degrees" = "info"

[tolerances]
axis-length = 0.01
length-plausible = 20

[package-path]
my_robot_description = "robots/mine"
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_every_key_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "phyzctl.toml", FULL)
    assert read_config(path) == Config(
        select=("J", "I101"),
        extend_select=("X004",),
        ignore=("limit-locked",),
        target=("ros2", "usd"),
        fail_on="warning",
        severity={"J203": Severity.ERROR, "limit-in-degrees": Severity.INFO},
        tolerances={"axis-length": 0.01, "length-plausible": 20.0},
        package_path={"my_robot_description": str(tmp_path / "robots/mine")},
        deep=True,
        pedantic=True,
        meshes=False,
        strict_assets=True,
    )


def test_pyproject_says_the_same_below_its_table(tmp_path: Path) -> None:
    own = write(tmp_path / "a/phyzctl.toml", FULL)
    head, _, tables = FULL.partition("\n\n")
    shared = f"[project]\nname = 'x'\n[tool.phyzctl]\n{head}\n"
    shared += tables.replace("[", "[tool.phyzctl.").replace("]\n", "]\n")
    pyproject = write(tmp_path / "a/pyproject.toml", shared)
    assert read_config(pyproject) == read_config(own)
    assert read_config(pyproject).file == str(pyproject)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    assert read_config(write(tmp_path / "phyzctl.toml", "")) == Config()


def test_the_document_reads_back_as_the_same_config(tmp_path: Path) -> None:
    config = read_config(write(tmp_path / "phyzctl.toml", FULL))
    document = config.document()
    assert document["fail-on"] == "warning"
    assert document["severity"] == {"J203": "error", "limit-in-degrees": "info"}
    assert list(document) == list(Config().document())


# Which file is found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with folders, outside of which lies a configuration that must not count."""
    write(tmp_path / "phyzctl.toml", "deep = true")
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/robots/arm").mkdir(parents=True)
    return tmp_path / "repo"


def test_nothing_outside_the_repository_counts(project: Path) -> None:
    assert find_config(project / "robots/arm") is None
    assert load_config(project / "robots/arm") == Config()


def test_without_a_repository_the_search_goes_on(tmp_path: Path) -> None:
    path = write(tmp_path / "phyzctl.toml", "")
    (tmp_path / "a/b").mkdir(parents=True)
    assert find_config(tmp_path / "a/b") == path


def test_the_nearest_wins(project: Path) -> None:
    far = write(project / "phyzctl.toml", "pedantic = true")
    assert find_config(project / "robots/arm/arm.urdf") == far
    near = write(project / "robots/phyzctl.toml", "")
    assert find_config(project / "robots/arm") == near
    assert not load_config(project / "robots/arm").pedantic


def test_of_two_in_a_folder_the_own_file_wins(project: Path) -> None:
    write(project / "pyproject.toml", "[tool.phyzctl]\ndeep = true")
    own = write(project / "phyzctl.toml", "")
    assert find_config(project) == own


@pytest.mark.parametrize("text", ["", "[tool.ruff]\n", "[project]\nname = 'x'\n"])
def test_a_pyproject_that_does_not_speak_of_us_is_passed(project: Path, text: str) -> None:
    far = write(project / "phyzctl.toml", "")
    write(project / "robots/pyproject.toml", text)
    assert find_config(project / "robots/arm") == far


# What is wrong in it

WRONG = {
    "unknown": ("deep = true\nignroe = []", 2, "unknown key 'ignroe'; did you mean 'ignore'?"),
    "underscore": ("\nfail_on = 'error'", 2, "unknown key 'fail_on'; did you mean 'fail-on'?"),
    "far off": ("xyz = 1", 1, "unknown key 'xyz'; the keys are select, extend-select, ignore"),
    "target": ("\ntarget = ['ros1']", 2, "no target is called 'ros1'; did you mean 'ros2'?"),
    "no target": ("target = ['x']", 1, "'x'; the targets are ros2, mujoco, gazebo, moveit"),
    "target alone": ("target = 'usd'", 1, "'target' must be a list of strings, not 'usd'"),
    "string": ("select = 'J'", 1, "'select' must be a list of strings, not 'J'"),
    "number in list": ("ignore = ['J', 3]", 1, "'ignore' must be a list of strings"),
    "flag": ("deep = 1", 1, "'deep' must be true or false, not 1"),
    "fail-on": ("fail-on = 'fatal'", 1, "must be one of error, warning, info, never, not 'fatal'"),
    "fail-on list": ("fail-on = ['error']", 1, "must be one of error, warning, info, never"),
    "severity": (
        "[severity]\nJ1 = 'info'\nJ2 = 'bad'",
        3,
        "of 'J2' must be error, warning or info",
    ),
    "severity value": ("severity = 'error'", 1, "'severity' must be a table, not 'error'"),
    "inline table": ("\nseverity = {J2 = 'x'}", 2, "the severity of 'J2' must be"),
    "dotted": ("meshes = true\nseverity.J2 = 2", 2, "the severity of 'J2' must be"),
    "quoted": ("[severity]\n'a-b' = 1", 2, "the severity of 'a-b' must be"),
    "tolerance": ("[tolerances]\na = 'x'", 2, "'a' must be a number of at least 0, not 'x'"),
    "negative": ("[tolerances]\na = -1", 2, "'a' must be a number of at least 0, not -1"),
    "nan": ("[tolerances]\na = nan", 2, "'a' must be a number of at least 0, not nan"),
    "infinite": ("[tolerances]\na = inf", 2, "'a' must be a number of at least 0, not inf"),
    "boolean": ("[tolerances]\na = true", 2, "'a' must be a number of at least 0, not True"),
    "folder": ("[package-path]\na = 1", 2, "the package 'a' must name a folder, not 1"),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = write(tmp_path / "phyzctl.toml", text)
    with pytest.raises(PhyzctlError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


def test_the_line_in_pyproject_is_that_of_its_own_table(tmp_path: Path) -> None:
    text = "[tool.other]\ndeep = 1\n[tool.phyzctl]\nmeshes = true\ndeep = 1\n"
    path = write(tmp_path / "pyproject.toml", text)
    with pytest.raises(PhyzctlError, match=r"pyproject\.toml:5: 'deep'"):
        read_config(path)


@pytest.mark.parametrize("content", [b"deep = ", b"deep = true\ndeep = false", b"\xff\xfe\x00"])
def test_what_is_no_toml_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "phyzctl.toml"
    path.write_bytes(content)
    with pytest.raises(PhyzctlError, match=r"phyzctl\.toml: this is not TOML"):
        read_config(path)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "phyzctl.toml"
    path.write_bytes(b"\xef\xbb\xbfdeep = true\n")
    assert read_config(path).deep


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no configuration file"):
        read_config(tmp_path / "none.toml")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        read_config(tmp_path)


def test_a_pyproject_without_our_table_can_not_be_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "pyproject.toml", "[project]\n")
    with pytest.raises(PhyzctlError, match=r"no \[tool\.phyzctl\]"):
        read_config(path)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a = 1", ("a",), 1),
        ("# a = 1\n\na=1", ("a",), 3),
        ("[t]\na = 1\n[u]\na = 2", ("u", "a"), 4),
        ("[ t . u ]\na = 1", ("t", "u", "a"), 2),
        ('["t"."u v"]\na = 1', ("t", "u v", "a"), 2),
        ("t = { a = 1 }", ("t", "a"), 1),
        ("t.a = 1", ("t", "a"), 1),
        ("[t]\nb = 1", ("t", "a"), 1),
        ("b = 1", ("a",), None),
    ],
)
def test_lines_of_keys(text: str, key: tuple[str, ...], line: int | None) -> None:
    assert key_line(text, key) == line
