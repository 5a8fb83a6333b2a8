"""Settings on top of settings: what a file extends, and what it overrides for some files."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import phyzctl
from phyzctl.config import Config, load_config, read_config
from phyzctl.config.reader import absolute_glob
from phyzctl.errors import PhyzctlError
from phyzctl.issues import Severity
from phyzctl.lint.engine import rules
from phyzctl.lint.select import Selection
from tests.cli.conftest import BAD
from tests.corpus import ROOT


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


BASE = """\
select = ["J", "I"]
extend-select = ["X004"]
ignore = ["J207", "I113"]
target = ["ros2"]
fail-on = "warning"
deep = true

[severity]
J203 = "error"
J201 = "info"

[tolerances]
axis-length = 0.01

[package-path]
parts = "parts"
"""

# What the upper file states, and what must differ from BASE then.
LAYERS = {
    "nothing": ("", {}),
    "select replaces": ("select = ['T']", {"select": ("T",)}),
    "extend-select adds": ("extend-select = ['C9']", {"extend_select": ("X004", "C9")}),
    "ignore adds": ("ignore = ['T401']", {"ignore": ("J207", "I113", "T401")}),
    "what is selected anew is not ignored": (
        "extend-select = ['J207']",
        {"extend_select": ("X004", "J207"), "ignore": ("I113",)},
    ),
    "select lifts an ignore, too": (
        "select = ['I113']",
        {"select": ("I113",), "ignore": ("J207",)},
    ),
    "ignored and selected in one file": (
        "extend-select = ['J207']\nignore = ['J207']",
        {"extend_select": ("X004", "J207"), "ignore": ("I113", "J207")},
    ),
    "targets add": ("target = ['usd']", {"target": ("ros2", "usd")}),
    "a value replaces": ("fail-on = 'never'", {"fail_on": "never"}),
    "a switch is turned off": ("deep = false", {"deep": False}),
    "tables merge": (
        "[severity]\nJ201 = 'error'\nT = 'info'",
        {"severity": {"J203": Severity.ERROR, "J201": Severity.ERROR, "T": Severity.INFO}},
    ),
    "tolerances merge": (
        "[tolerances]\nlength-plausible = 20",
        {"tolerances": {"axis-length": 0.01, "length-plausible": 20.0}},
    ),
}


@pytest.mark.parametrize(("text", "changed"), LAYERS.values(), ids=LAYERS)
def test_a_file_lies_on_top_of_what_it_extends(
    tmp_path: Path, text: str, changed: dict[str, object]
) -> None:
    base = read_config(write(tmp_path / "base.toml", BASE))
    upper = write(tmp_path / "phyzctl.toml", f"extend = 'base.toml'\n{text}")
    expected = {name: getattr(base, name) for name in vars(base)} | changed
    assert read_config(upper) == Config(**expected)


@pytest.mark.parametrize(("text", "changed"), LAYERS.values(), ids=LAYERS)
def test_an_override_lies_on_top_in_the_same_way(
    tmp_path: Path, text: str, changed: dict[str, object]
) -> None:
    base = read_config(write(tmp_path / "base.toml", BASE))
    stated = text.replace("[severity]", "[override.severity]")
    stated = stated.replace("[tolerances]", "[override.tolerances]")
    full = f"{BASE}\n[[override]]\nfiles = ['old/']\n{stated}"
    config = read_config(write(tmp_path / "phyzctl.toml", full))
    expected = {name: getattr(base, name) for name in vars(base)} | changed
    assert config.at(tmp_path / "old/arm.urdf") == Config(**expected)
    assert config.at(tmp_path / "new/arm.urdf") == base


# extend


def test_paths_are_relative_to_the_file_that_states_them(tmp_path: Path) -> None:
    write(tmp_path / "shared/config/lint.toml", "extend = '../more.toml'\n" + BASE)
    write(tmp_path / "shared/more.toml", "pedantic = true")
    path = write(tmp_path / "robots/phyzctl.toml", "extend = '../shared/config/lint.toml'")
    config = read_config(path)
    assert config.package_path == {"parts": str(tmp_path / "shared/config/parts")}
    assert config.pedantic
    assert config.file == str(path)
    assert config.base is not None
    assert config.base.file == str(tmp_path / "shared/config/lint.toml")
    assert config.base.base is not None
    assert config.base.base.file == str(tmp_path / "shared/more.toml")


def test_a_pyproject_extends_and_is_extended(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.phyzctl]\nextend = 'a.toml'\nignore = ['J']")
    write(tmp_path / "a.toml", "ignore = ['I']")
    path = write(tmp_path / "robots/phyzctl.toml", "extend = '../pyproject.toml'")
    assert read_config(path).ignore == ("I", "J")


def test_home_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    write(tmp_path / "mine.toml", "deep = true")
    assert read_config(write(tmp_path / "a/phyzctl.toml", "extend = '~/mine.toml'")).deep


WRONG = {
    "no text": ("deep = true\nextend = 1", ":2: 'extend' must name a file, not 1"),
    "nowhere": ("\nextend = 'no.toml'", ":2: 'extend' names '{folder}/no.toml', which is no file"),
    "a folder": ("extend = '.'", ":1: 'extend' names '{folder}', which is no file"),
    "itself": (
        "extend = 'phyzctl.toml'",
        ":1: 'extend' leads in a circle: {folder}/phyzctl.toml -> {folder}/phyzctl.toml",
    ),
    "no table": ("extend = 'pyproject.toml'", "pyproject.toml: there is no [tool.phyzctl]"),
    "a fault beyond": ("extend = 'faulty.toml'", "faulty.toml:2: unknown key 'ignroe'"),
    "misspelt": ("extends = 'a'", ":1: unknown key 'extends'; did you mean 'extend'?"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_what_can_not_be_extended(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    write(tmp_path / "faulty.toml", "deep = true\nignroe = []\n")
    path = write(tmp_path / "phyzctl.toml", text)
    with pytest.raises(PhyzctlError) as caught:
        read_config(path)
    assert message.format(folder=tmp_path) in str(caught.value)


def test_a_circle_is_told_where_it_closes(tmp_path: Path) -> None:
    a = write(tmp_path / "a.toml", "extend = 'b.toml'")
    b = write(tmp_path / "b.toml", "\nextend = 'link.toml'")
    link = tmp_path / "link.toml"
    link.symlink_to(a)
    outside = write(tmp_path / "phyzctl.toml", "extend = 'a.toml'")
    with pytest.raises(PhyzctlError) as caught:
        read_config(outside)
    assert str(caught.value) == f"{b}:2: 'extend' leads in a circle: {a} -> {b} -> {link}"


# Which files an override means: globs from the folder of its file, then paths with the answer.

GLOBS: dict[str, tuple[list[str], dict[str, bool]]] = {
    "a name, anywhere": (["x.urdf"], {"x.urdf": True, "a/b/x.urdf": True, "y.urdf": False}),
    "a suffix": (["*.xml"], {"x.xml": True, "a/x.xml": True, "x.urdf": False}),
    "a folder": (["old/"], {"old/x.urdf": True, "a/old/b/x.urdf": True, "old": False}),
    "a folder without a slash": (["old"], {"old/a/x.urdf": True, "older/x.urdf": False}),
    "a folder at one place": (["a/old"], {"a/old/x.urdf": True, "b/a/old/x.urdf": False}),
    "below a folder": (["old/**"], {"old/a/x.urdf": True, "a/old/x.urdf": False}),
    "in a folder": (["old/*.urdf"], {"old/x.urdf": True, "old/a/x.urdf": False}),
    "here": (["./x.urdf"], {"x.urdf": True, "a/x.urdf": False}),
    "several": (["x.urdf", "y.*"], {"x.urdf": True, "y.xml": True, "z.xml": False}),
    "all but one": (["old/", "!old/x.urdf"], {"old/y.urdf": True, "old/x.urdf": False}),
    "a folder of it again": (["old/", "!new/"], {"old/new/x.urdf": False, "old/x.urdf": True}),
    "beside": (["../other/*.urdf"], {"../other/x.urdf": True, "other/x.urdf": False}),
    "outside": (["*"], {"x.urdf": True, "../x.urdf": False}),
    "nothing but exceptions": (["!x.urdf"], {"x.urdf": False, "y.urdf": False}),
}


@pytest.mark.parametrize("folder", ["robots", "a [b]*c"])
@pytest.mark.parametrize(("globs", "paths"), GLOBS.values(), ids=GLOBS)
def test_globs(
    tmp_path: Path,
    folder: str,
    globs: list[str],
    paths: dict[str, bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = f"[[override]]\nfiles = {json.dumps(globs)}\ndeep = true"
    config = read_config(write(tmp_path / folder / "phyzctl.toml", text))
    found = {path: config.at(tmp_path / folder / path).deep for path in paths}
    assert found == paths
    monkeypatch.chdir(tmp_path / folder)
    assert {path: config.at(path).deep for path in paths} == paths


def test_an_absolute_glob_means_one_place(tmp_path: Path) -> None:
    text = f"[[override]]\nfiles = ['{tmp_path}/a/*.urdf']\ndeep = true"
    config = read_config(write(tmp_path / "robots/phyzctl.toml", text))
    assert config.at(tmp_path / "a/x.urdf").deep
    assert not config.at(tmp_path / "robots/a/x.urdf").deep


@pytest.mark.parametrize(
    ("glob", "expected"),
    [
        ("x", "/r/**/x"),
        ("x/", "/r/**/x/"),
        ("a/x", "/r/a/x"),
        ("./x", "/r/x"),
        ("!x", "!/r/**/x"),
        ("../x", "/x"),
        ("/x", "/x"),
    ],
)
def test_globs_are_made_absolute(glob: str, expected: str) -> None:
    assert absolute_glob(glob, "/r") == expected


def test_of_several_overrides_the_last_counts_most(tmp_path: Path) -> None:
    text = (
        "[[override]]\nfiles = ['*.urdf']\nfail-on = 'info'\nignore = ['J']\n"
        "[[override]]\nfiles = ['x.*']\nfail-on = 'never'\nignore = ['I']\n"
    )
    config = read_config(write(tmp_path / "phyzctl.toml", text))
    held = config.at(tmp_path / "x.urdf")
    assert (held.fail_on, held.ignore, held.override) == ("never", ("J", "I"), ())
    assert config.at(tmp_path / "y.urdf").fail_on == "info"
    assert config.at(tmp_path / "x.xml").ignore == ("I",)


def test_overrides_of_what_is_extended_mean_files_from_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "phyzctl.toml", "[[override]]\nfiles = ['a/old/*']\ndeep = true")
    text = "extend = '../phyzctl.toml'\n[[override]]\nfiles = ['old/*']\npedantic = true"
    config = read_config(write(tmp_path / "a/phyzctl.toml", text))
    held = config.at(tmp_path / "a/old/x.urdf")
    assert (held.deep, held.pedantic) == (True, True)
    assert not config.at(tmp_path / "a/a/old/x.urdf").deep


WRONG_OVERRIDES = {
    "no array": ("override = 1", 1, "'override' must be tables, each below its [[override]]"),
    "a table": ("[override]\nfiles = ['a']", 1, "each below its [[override]]"),
    "no files": ("\n[[override]]\ndeep = true", 2, "[[override]] needs 'files', a list of globs"),
    "empty files": ("[[override]]\nfiles = []", 1, "[[override]] needs 'files'"),
    "an empty glob": ("[[override]]\nfiles = ['']", 1, "[[override]] needs 'files'"),
    "files is a text": ("[[override]]\nfiles = 'a'", 2, "'files' must be a list of strings"),
    "unknown": (
        "[[override]]\nfiles = ['a']\n[[override]]\nfiles = ['b']\nignroe = []",
        5,
        "unknown key 'ignroe'; did you mean 'ignore'?",
    ),
    "not to be overridden": (
        "[[override]]\nfiles = ['a']\npackage-path = {}",
        3,
        "unknown key 'package-path'; the keys are files, select, extend-select",
    ),
    "value": ("[[override]]\nfiles = ['a']\n[override.severity]\nJ = 'x'", 4, "severity of 'J'"),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG_OVERRIDES.values(), ids=WRONG_OVERRIDES)
def test_what_is_wrong_in_overrides_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    path = write(tmp_path / "phyzctl.toml", text)
    with pytest.raises(PhyzctlError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)


# The document


def test_the_document_follows_the_schema_and_reads_back(tmp_path: Path) -> None:
    text = (
        "[[override]]\nfiles = ['old/**', '!x']\nstrict-assets = true\n"
        "[override.severity]\nJ = 'info'\n[override.tolerances]\naxis-length = 1\n"
    )
    config = read_config(write(tmp_path / "phyzctl.toml", text))
    document = config.document()
    assert document["override"] == [
        {
            "files": [f"{tmp_path}/old/**", f"!{tmp_path}/**/x"],
            "strict-assets": True,
            "severity": {"J": "info"},
            "tolerances": {"axis-length": 1.0},
        }
    ]
    schema = json.loads((ROOT / "schemas/config.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)


# What it does


def test_the_api_takes_overrides_for_paths(tmp_path: Path) -> None:
    path = write(tmp_path / "old/bad.urdf", BAD)
    write(tmp_path / "phyzctl.toml", "[[override]]\nfiles = ['old/']\nignore = ['J201']")
    assert any(issue.fatal for issue in phyzctl.validate(path))
    assert not any(issue.fatal for issue in phyzctl.validate(path, config=load_config(tmp_path)))


def test_what_is_selected_above_an_ignore_is_taken() -> None:
    code = rules()["J207"].code
    config = Config(ignore=("J207",)).with_layer({"extend_select": ("J207",)})
    assert Selection(config, rules()).takes(code)
    assert not Selection(config.with_layer({"ignore": ("J207",)}), rules()).takes(code)
