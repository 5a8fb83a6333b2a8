"""`phyzctl doctor`: what is here, what isn't, and where a robot's files are."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import phyzctl
from phyzctl.cli import doctor
from tests.cli.conftest import GOOD, Cli
from tests.corpus import ROOT

MESH = "<visual><geometry><mesh filename='{}'/></geometry></visual>"


def rows(cli: Cli, *arguments: str, code: int = 0) -> dict[str, tuple[str, str]]:
    """State and detail by name; the document is held against its schema on the way."""
    result = cli("doctor", *arguments, "--format", "json")
    assert (result.code, result.err) == (code, "")
    document: dict[str, Any] = json.loads(result.out)
    schema = json.loads((ROOT / "schemas/doctor.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    return {row["name"]: (row["state"], row["detail"]) for row in document["rows"]}


def robot(*uris: str) -> str:
    return GOOD.replace("/>\n</", f">{''.join(map(MESH.format, uris))}</link>\n</")


def test_files_of_the_cache_may_vanish(
    cli: Cli, workspace: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_cache.mkdir(parents=True, exist_ok=True)
    here = own_cache / "here"
    here.write_bytes(bytes(200_000))
    monkeypatch.setattr(doctor, "kept", lambda: [here, own_cache / "gone"])
    assert rows(cli)["cache"] == ("ok", f"{own_cache}, 1 file, 0.2 MB")


def test_what_is_installed(cli: Cli, workspace: Path, own_cache: Path) -> None:
    found = rows(cli)
    assert found["Python"][1].endswith(sys.executable)
    assert found["phyzctl"][1].startswith(phyzctl.__version__)
    assert found["kernel"][0] == "ok"
    assert found["numpy"] == ("ok", metadata.version("numpy"))
    assert found["settings"] == ("ok", "defaults: no phyzctl.toml here")
    assert found["cache"] == ("ok", f"{own_cache}, 0 files, 0.0 MB")


def test_the_text_says_the_same(cli: Cli, workspace: Path) -> None:
    code, out, _ = cli("doctor")
    assert code == 0
    lines = [line.split(None, 2) for line in out.splitlines()]
    assert {name: detail for _, name, detail in lines} == {
        name: detail for name, (_, detail) in rows(cli).items()
    }


def test_what_is_missing_and_what_for(
    cli: Cli, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if name in {"trimesh", "xacro"}:
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setenv("PATH", "")
    found = rows(cli)
    assert found["pycollada"][0] == "ok"
    assert found["trimesh"] == (
        "missing",
        "for meshes in PLY, OFF, GLB, glTF and 3MF: pip install 'phyzctl[mesh]'",
    )
    assert found["xacro"] == ("missing", "for xacro files: pip install 'phyzctl[xacro]'")
    assert found["git"] == ("missing", "for --changed-since")


def test_a_broken_installation_is_three(
    cli: Cli, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "phyzctl.native", None)
    found = rows(cli, code=3)
    assert found["kernel"][0] == "broken"
    assert "install phyzctl again" in found["kernel"][1]


def test_extras_and_requirements_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    for name, (extra, _) in doctor.EXTRAS.items():
        assert any(each.startswith(name) for each in extras[extra])
    assert [re.split(r"[<>=]", each)[0] for each in project["dependencies"]] == list(doctor.NEEDED)


def test_settings_and_variables_that_hold_here(
    cli: Cli, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROS_PACKAGE_PATH", "/opt/robots")
    (workspace / "phyzctl.toml").write_text("")
    found = rows(cli)
    assert found["settings"] == ("ok", str(workspace / "phyzctl.toml"))
    assert found["$ROS_PACKAGE_PATH"] == ("ok", "/opt/robots")


# A robot's files


def test_where_a_robots_files_are(cli: Cli, workspace: Path) -> None:
    (workspace / "p/meshes").mkdir(parents=True)
    (workspace / "p/package.xml").write_text("<package><name>p</name></package>")
    (workspace / "p/meshes/a.stl").write_text("")
    (workspace / "arm.urdf").write_text(robot("package://p/meshes/a.stl", "p/meshes/a.stl"))
    found = rows(cli, "arm.urdf")
    place = str(workspace / "p/meshes/a.stl")
    assert found["robot"] == ("ok", "good, arm.urdf")
    assert found["package p"] == ("ok", str(workspace / "p"))
    assert found["package://p/meshes/a.stl"] == found["p/meshes/a.stl"] == ("ok", place)


def test_what_is_not_found_says_where_it_was_looked_for(cli: Cli, workspace: Path) -> None:
    (workspace / "arm.urdf").write_text(robot("package://p/a.stl", "b.stl"))
    found = rows(cli, "arm.urdf", code=1)
    state, detail = found["package p"]
    assert state == "missing"
    assert detail.startswith(f"looked in {workspace} and the folders above it")
    (lost,) = [each for name, each in found.items() if name.startswith("arm.urdf:")]
    assert lost[0] == "missing"
    assert str(workspace / "b.stl") in lost[1]


def test_packages_that_are_stated_are_found(cli: Cli, workspace: Path) -> None:
    (workspace / "x").mkdir()
    (workspace / "x/a.stl").write_text("")
    (workspace / "arm.urdf").write_text(robot("package://p/a.stl"))
    assert rows(cli, "arm.urdf", "--package-path", "p=x")["package p"] == (
        "ok",
        str(workspace / "x"),
    )
    (workspace / "phyzctl.toml").write_text("[package-path]\np = 'x'")
    assert rows(cli, "arm.urdf")["package p"][0] == "ok"


def test_what_an_mjcf_includes_and_can_not_find(cli: Cli, workspace: Path) -> None:
    (workspace / "a.xml").write_text("<mujoco><include file='no.xml'/></mujoco>")
    found = rows(cli, "a.xml", code=1)
    assert any("no.xml" in detail for state, detail in found.values() if state == "missing")


def test_a_robot_that_is_not_there(cli: Cli, workspace: Path) -> None:
    assert cli("doctor", "nope.urdf").code == 2
