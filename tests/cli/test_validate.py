"""`phyzctl validate` as users run it: files in, reports and exit codes out."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from phyzctl.cli.options import ReportFormat
from phyzctl.errors import UnreadableError
from phyzctl.formats import Reading, ReadOptions, read
from phyzctl.issues import Issues
from tests.cli.conftest import BAD, GOOD, Cli
from tests.corpus import ROOT

J201 = "bad.urdf:8:12: error[J201] joint 'elbow': lower limit 1 is above upper limit -1"


def test_clean(cli: Cli, robots: Path) -> None:
    assert cli("validate", "good.urdf") == (0, "no issues in 1 file\n", "")


def test_findings(cli: Cli, robots: Path) -> None:
    code, out, err = cli("validate", "bad.urdf", "good.urdf")
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == J201
    assert out.splitlines()[-1] == "1 error in 1 of 2 files"


def test_a_folder(cli: Cli, robots: Path) -> None:
    code, out, _ = cli("validate", ".")
    assert code == 1
    assert J201 in out


def test_quiet(cli: Cli, robots: Path) -> None:
    assert cli("validate", "-q", "good.urdf") == (0, "", "")
    assert cli("validate", "-q", "bad.urdf").out.splitlines()[-1] != "1 error in 1 file"


def test_the_line_meant_is_shown_when_asked(cli: Cli, robots: Path) -> None:
    _, out, _ = cli("validate", "bad.urdf", "--show-source")
    assert '    8 |     <limit lower="1" upper="-1" effort="1" velocity="1"/>' in out
    assert "      |            ^~~~~~~~~" in out


def test_colours(cli: Cli, robots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert "\x1b" not in cli("validate", "bad.urdf").out
    assert "\x1b" in cli("validate", "bad.urdf", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in cli("validate", "bad.urdf").out
    assert "\x1b" not in cli("validate", "bad.urdf", "--color=never").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in cli("validate", "bad.urdf").out


# stdin


def test_stdin(cli: Cli, workspace: Path) -> None:
    code, out, _ = cli("validate", "-", stdin=BAD.encode())
    assert code == 1
    assert out.startswith("<stdin>:8:12: error[J201]")


def test_stdin_has_a_name(cli: Cli, workspace: Path) -> None:
    _, out, _ = cli("validate", "-", "--stdin-filename", "x/bad.urdf", stdin=BAD.encode())
    assert out.startswith("x/bad.urdf:8:12: error[J201]")


def test_stdin_lies_where_its_name_says(cli: Cli, workspace: Path) -> None:
    (workspace / "x").mkdir()
    (workspace / "x/phyzctl.toml").write_text('ignore = ["J201"]')
    code, out, _ = cli("validate", "-", "--stdin-filename=x/bad.urdf", stdin=BAD.encode())
    assert (code, out) == (0, "no issues in 1 file\n")


# What is no robot


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"<package/>", "X002"), (b"hello", "X001"), (b"", "X001"), (b"<robot", "X001")],
)
def test_a_named_file_that_is_no_robot(
    cli: Cli, workspace: Path, content: bytes, code: str
) -> None:
    (workspace / "a.urdf").write_bytes(content)
    exit_code, out, _ = cli("validate", "a.urdf")
    assert exit_code == 1
    assert f"error[{code}]" in out


def test_a_robot_without_links_is_placed_in_its_file(cli: Cli, workspace: Path) -> None:
    (workspace / "a.urdf").write_text("<robot name='r'/>")
    assert cli("validate", "a.urdf").out.startswith("a.urdf:")


MISUSE = {
    "no such file": (["nope.urdf"], "there is no file 'nope.urdf'"),
    "no match": (["*.urdff"], "no file matches '*.urdff'"),
    "empty folder": (["empty"], "there is no robot below 'empty'"),
    "unknown rule": (["good.urdf", "--select", "J999"], "no rule is called 'J999'"),
    "near rule": (["good.urdf", "--ignore", "limit-invertd"], "did you mean 'limit-inverted'?"),
    "no format": (["good.urdf", "--output", "x.json"], "--output wants FORMAT=FILE, not 'x.json'"),
    "wrong format": (
        ["good.urdf", "--output", "jsn=x"],
        "report format 'jsn'; did you mean 'json'?",
    ),
    "far format": (
        ["good.urdf", "--output", "pdf=x"],
        "there are text, json, jsonl, sarif, github, gitlab, junit, markdown, html",
    ),
    "no package": (["good.urdf", "--package-path", "a"], "--package-path wants NAME=DIR, not 'a'"),
    "no folder": (["good.urdf", "--package-path", "a=b"], "a: there is no folder 'b'"),
    "no target": (
        ["good.urdf", "--target", "usd,ros1"],
        "no target is called 'ros1'; did you mean",
    ),
    "no config": (["good.urdf", "--config", "no.toml"], "there is no configuration file 'no.toml'"),
    "unwritable": (["good.urdf", "--output", "json=no/x"], "can't write 'no/x': No such file"),
}


@pytest.mark.parametrize(("arguments", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse_is_two(cli: Cli, robots: Path, arguments: list[str], message: str) -> None:
    (robots / "empty").mkdir()
    code, out, err = cli("validate", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("phyzctl: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["good.urdf", "--format", "pdf"], ["--nope"], ["x", "--fail-on", "bad"]]
)
def test_usage_is_two(cli: Cli, robots: Path, arguments: list[str]) -> None:
    code, out, err = cli("validate", *arguments)
    assert (code, out) == (2, "")
    assert "Usage: phyzctl validate" in err


# What can't be read


def test_unreadable_is_three_and_the_others_go_on(
    cli: Cli, robots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_or_read(path: str, issues: Issues, options: ReadOptions) -> Reading:
        if path == "good.urdf":
            raise UnreadableError("can't read 'good.urdf': Permission denied")
        return read(path, issues, options)

    monkeypatch.setattr("phyzctl.cli.checking.read", fail_or_read)
    code, out, err = cli("validate", "good.urdf", "bad.urdf")
    assert code == 3
    assert J201 in out
    assert "1 error in 1 file" in out
    assert err == "phyzctl: can't read 'good.urdf': Permission denied\n"


# Choice of rules


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--select", "J201"], True),
        (["--select", "limit-inverted"], True),
        (["--select", "J"], True),
        (["--select", "X,J2"], True),
        (["--select", "X", "--select", "J2"], True),
        (["--select", "X"], False),
        (["--ignore", "J201"], False),
        (["--ignore", "X001,J"], False),
        (["--select", "J", "--ignore", "J201"], False),
        (["--select", "X", "--extend-select", "J201"], True),
    ],
)
def test_selection(cli: Cli, robots: Path, arguments: list[str], found: bool) -> None:
    code, out, _ = cli("validate", "bad.urdf", *arguments)
    assert ("error[J201]" in out) == found
    assert code == int(found)


LOCKED = """<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize(
    ("arguments", "config", "severity"),
    [
        ([], "", "info"),
        (["--target", "usd"], "", "info"),
        (["--target", "usd,mujoco"], "", "warning"),
        (["--target", "usd", "--target", "mujoco"], "", "warning"),
        ([], 'target = ["mujoco"]', "warning"),
        (["--target", "usd"], 'target = ["mujoco"]', "warning"),
    ],
)
def test_targets_from_both_sides_count(
    cli: Cli, workspace: Path, arguments: list[str], config: str, severity: str
) -> None:
    (workspace / "locked.urdf").write_text(LOCKED)
    (workspace / "phyzctl.toml").write_text(config)
    assert f"{severity}[J202]" in cli("validate", "locked.urdf", *arguments).out


@pytest.mark.parametrize(
    ("severity", "fail_on", "code"),
    [
        ("error", "error", 1),
        ("error", "never", 0),
        ("warning", "error", 0),
        ("warning", "warning", 1),
        ("info", "warning", 0),
        ("info", "info", 1),
    ],
)
def test_fail_on(cli: Cli, robots: Path, severity: str, fail_on: str, code: int) -> None:
    (robots / "phyzctl.toml").write_text(f'select = ["J201"]\n[severity]\nJ201 = "{severity}"')
    result = cli("validate", "bad.urdf", "--fail-on", fail_on)
    assert result.code == code
    assert f"{severity}[J201]" in result.out


# Configuration


def test_the_nearest_configuration_holds_for_each_file(cli: Cli, robots: Path) -> None:
    (robots / "old").mkdir()
    (robots / "old/bad.urdf").write_text(BAD)
    (robots / "old/phyzctl.toml").write_text('ignore = ["J201"]')
    code, out, _ = cli("validate", ".")
    assert code == 1
    assert "old/bad.urdf" not in out
    assert J201 in out


def test_fail_on_is_that_of_the_file(cli: Cli, robots: Path) -> None:
    (robots / "phyzctl.toml").write_text("fail-on = 'never'")
    assert cli("validate", "bad.urdf").code == 0
    assert cli("validate", "bad.urdf", "--fail-on", "error").code == 1


def test_the_command_line_adds_to_the_configuration(cli: Cli, robots: Path) -> None:
    (robots / "phyzctl.toml").write_text('select = ["X"]')
    assert cli("validate", "bad.urdf").code == 0
    assert cli("validate", "bad.urdf", "--extend-select", "J").code == 1
    assert cli("validate", "bad.urdf", "--select", "J").code == 1


def test_a_stated_configuration_replaces_the_nearest(cli: Cli, robots: Path) -> None:
    (robots / "phyzctl.toml").write_text('ignore = ["J201"]')
    (robots / "other.toml").write_text("")
    assert cli("validate", "bad.urdf", "--config", "other.toml").code == 1


def test_a_wrong_configuration_is_two(cli: Cli, robots: Path) -> None:
    (robots / "phyzctl.toml").write_text("deep = true\nignroe = []")
    code, out, err = cli("validate", "bad.urdf")
    assert (code, out) == (2, "")
    assert err.endswith("phyzctl.toml:2: unknown key 'ignroe'; did you mean 'ignore'?\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ignore = ['limit-invertd']", "no rule is called 'limit-invertd'; did you mean"),
        ("[severity]\nJ999 = 'info'", "no rule is called 'J999'"),
        ("[tolerances]\naxis-lenght = 1", "no tolerance is called 'axis-lenght'; did you mean"),
    ],
)
def test_a_name_that_a_configuration_gets_wrong_is_that_files_fault(
    cli: Cli, robots: Path, text: str, message: str
) -> None:
    (robots / "phyzctl.toml").write_text(text)
    code, out, err = cli("validate", "bad.urdf")
    assert (code, out) == (2, "")
    assert err.startswith(f"phyzctl: {robots / 'phyzctl.toml'}: {message}")


def test_packages_are_found_where_the_command_line_says(cli: Cli, workspace: Path) -> None:
    text = GOOD.replace("/>", "><visual><geometry><mesh filename='package://p/a.stl'/></geometry>")
    (workspace / "a.urdf").write_text(text.replace("\n</robot", "</visual></link>\n</robot"))
    (workspace / "elsewhere").mkdir()
    assert "F600" in cli("validate", "a.urdf").out
    assert "F600" not in cli("validate", "a.urdf", "--package-path", "p=elsewhere").out


# Formats


def test_json_follows_its_schema(cli: Cli, robots: Path) -> None:
    code, out, _ = cli("validate", ".", "--format", "json")
    document = json.loads(out)
    schema = json.loads((ROOT / "schemas/report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert code == 1
    assert document["files"] == ["bad.urdf", "good.urdf"]
    (issue,) = [issue for issue in document["issues"] if issue["code"] == "J201"]
    assert (issue["path"], issue["line"], issue["column"], issue["end_column"]) == (
        "bad.urdf",
        8,
        12,
        21,
    )
    assert issue["element"] == "/robot/joint[@name='elbow']/limit"


def test_jsonl(cli: Cli, robots: Path) -> None:
    lines = cli("validate", "bad.urdf", "-f", "jsonl").out.splitlines()
    assert json.loads(lines[0])["code"] == "J201"


def test_github(cli: Cli, robots: Path) -> None:
    assert cli("validate", "bad.urdf", "-f", "github").out.startswith(
        "::error file=bad.urdf,line=8"
    )


def test_sarif_paths_start_at_the_repository(
    cli: Cli, robots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (robots / "sub").mkdir()
    monkeypatch.chdir(robots / "sub")
    log = json.loads(cli("validate", "../bad.urdf", "-f", "sarif").out)
    (result, *_) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad.urdf"
    assert "primaryLocationLineHash" in result["partialFingerprints"]
    assert "What it checks" in log["runs"][0]["tool"]["driver"]["rules"][0]["help"]["markdown"]


FORMS = [form.value for form in ReportFormat]


def test_what_fails_the_run_fails_in_junit(cli: Cli, robots: Path) -> None:
    assert "<failure" in cli("validate", "bad.urdf", "-f", "junit").out
    assert "<failure" not in cli("validate", "bad.urdf", "-f", "junit", "--fail-on=never").out


def test_reports_go_to_files_too(cli: Cli, robots: Path) -> None:
    code, out, _ = cli("validate", "bad.urdf", *(f"--output={form}=out.{form}" for form in FORMS))
    assert code == 1
    assert (robots / "out.text").read_text() == out
    for form in FORMS:
        printed = cli("validate", "bad.urdf", "--format", form).out
        assert (robots / f"out.{form}").read_text() == printed
