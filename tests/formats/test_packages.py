"""Where packages are looked for, in which order, and what bounds the search."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from phyzctl.formats import packages
from phyzctl.formats.assets import AssetResolver
from tests.formats.trees import found, resolver, tree


def test_stated_packages_come_first(tmp_path: Path) -> None:
    tree(tmp_path, "arm/package.xml:arm", "arm/a.stl", "other/a.stl")
    ours = resolver(tmp_path / "arm", package_path={"arm": str(tmp_path / "other")})
    resolved = ours.resolve("package://arm/a.stl")
    assert found(resolved, tmp_path) == "other/a.stl"
    assert (resolved.package, resolved.root) == ("arm", str(tmp_path / "other"))


@pytest.mark.parametrize("place", ["some", "some/deep", "some/deep/folder", "some/deep/arm"])
def test_folders_to_search_are_looked_through(place: str, tmp_path: Path) -> None:
    tree(tmp_path, "some/deep/folder/package.xml:arm", "some/deep/folder/a.stl", "r/x")
    tree(tmp_path, "some/deep/arm/a.stl")
    ours = resolver(tmp_path / "r", search=[tmp_path / place])
    assert ours.resolve("package://arm/a.stl").path is not None
    assert ours.resolve("package://leg/a.stl").package_missing


ENVIRONMENT = {
    "AMENT_PREFIX_PATH": "install/arm/share/arm/a.stl",
    "ROS_PACKAGE_PATH": "install/arm/x/y/a.stl",
    "GZ_SIM_RESOURCE_PATH": "install/arm/arm/a.stl",
    "GAZEBO_MODEL_PATH": "install/arm/arm/a.stl",
}


@pytest.mark.parametrize("variable", ENVIRONMENT)
def test_the_environment_is_searched_last(variable: str, tmp_path: Path) -> None:
    place = ENVIRONMENT[variable]
    tree(tmp_path, place, "robot/r", str(Path(place).parent / "package.xml:arm"))
    value = os.pathsep.join(["", "/no/such/place", str(tmp_path / "install" / "arm")])
    ours = resolver(tmp_path / "robot", environment={variable: value})
    assert found(ours.resolve("package://arm/a.stl"), tmp_path) == place
    tree(tmp_path, "arm/a.stl")
    again = resolver(tmp_path / "robot", environment={variable: value})
    assert found(again.resolve("package://arm/a.stl"), tmp_path) == "arm/a.stl"


def test_the_process_environment_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, "p/share/arm/a.stl", "r/x")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "p"))
    assert AssetResolver(tmp_path / "r").resolve("package://arm/a.stl").path is not None


def test_an_unknown_package_says_where_it_was_looked_for(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "r/x", "ros/x")
    ours = resolver(
        tmp_path / "r",
        package_path={"leg": tmp_path / "leg"},
        environment={"ROS_PACKAGE_PATH": str(tmp_path / "ros"), "GAZEBO_MODEL_PATH": "/no/such"},
    )
    resolved = ours.resolve("package://arm/a.stl")
    assert (resolved.path, resolved.package, resolved.root) == (None, "arm", None)
    assert resolved.package_missing
    assert resolved.looked_in == (
        str(tmp_path / "leg"),
        f"{tmp_path / 'r'} and the folders above it",
        f"{tmp_path}/**",
        f"$ROS_PACKAGE_PATH ({tmp_path / 'ros'})",
    )
    assert ours.package("arm") == (None, resolved.looked_in)


def test_a_missing_file_of_a_known_package_says_every_root_tried(tmp_path: Path) -> None:
    tree(tmp_path, "arm/pkg/package.xml:arm", "arm/pkg/u/r")
    resolved = resolver(tmp_path / "arm/pkg/u").resolve("package://arm/m/a.stl")
    assert (resolved.path, resolved.package, resolved.package_missing) == (None, "arm", False)
    assert resolved.root == str(tmp_path / "arm/pkg")
    assert resolved.looked_in == (str(tmp_path / "arm/pkg/m/a.stl"), str(tmp_path / "arm/m/a.stl"))


def test_the_package_alone_is_found(tmp_path: Path) -> None:
    tree(tmp_path, "x/package.xml:arm", "x/u/r")
    assert resolver(tmp_path / "x/u").package("arm")[0] == str(tmp_path / "x")


@pytest.mark.parametrize(
    "content", [b"", b"<package/>", b"<name>", b"\xff<name>\xff</name>", b"\0"]
)
def test_broken_manifests_are_survived(content: bytes, tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "a/u/r", "b/arm/package.xml:arm", "b/arm/a.stl")
    (tmp_path / "a/package.xml").write_bytes(content)
    assert resolver(tmp_path / "a/u").resolve("package://arm/a.stl").path is not None


def test_a_scan_is_bounded_in_depth_and_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = "/".join("d" * (packages.MAX_DEPTH + 1))
    tree(
        tmp_path,
        ".git/HEAD",
        f"{deep}/package.xml:arm",
        f"{deep}/a.stl",
        "zz/package.xml:leg",
        "u/r",
    )
    ours = resolver(tmp_path / "u")
    assert ours.package("arm")[0] is None
    assert ours.package("leg")[0] == str(tmp_path / "zz")
    monkeypatch.setattr(packages, "MAX_FOLDERS", 2)
    assert resolver(tmp_path / "u").package("leg")[0] is None


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "a/b/r")
    (tmp_path / "a/b/loop").symlink_to(tmp_path / "a", target_is_directory=True)
    assert resolver(tmp_path / "a/b").package("arm")[0] is None


def test_one_search_serves_all_meshes_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, ".git/HEAD", "x/package.xml:arm", "u/r", *(f"x/{n}.stl" for n in range(300)))
    listed: list[Path] = []
    listing = packages._listing

    def counted(folder: Path) -> tuple[list[str], bool]:
        listed.append(folder)
        return listing(folder)

    monkeypatch.setattr(packages, "_listing", counted)
    ours = resolver(tmp_path / "u")
    start = time.process_time()
    answers = [ours.resolve(f"package://arm/{n}.stl") for n in range(300)]
    assert time.process_time() - start < 0.3
    assert all(answer.path for answer in answers)
    assert ours.at(tmp_path).resolve("package://arm/0.stl").path == answers[0].path
    assert len(listed) == len(set(listed)) == 3
    assert ours.resolve("package://arm/0.stl") is answers[0]
