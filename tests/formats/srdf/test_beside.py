"""Which URDF an SRDF is about: by the robot's name, in the folders where people put them."""

from __future__ import annotations

from pathlib import Path

import pytest

from phyzctl.formats import ReadOptions, read
from phyzctl.formats.srdf.beside import urdf_beside
from phyzctl.issues import Issues

URDF = '<?xml version="1.0"?>\n<!-- {0} -->\n<robot name="{0}"><link name="base"/></robot>'
SRDF = '<robot name="arm"><passive_joint name="x"/></robot>'
PLACES = {
    "pkg/srdf/arm.urdf": True,
    "pkg/arm.urdf": True,
    "pkg/urdf/arm.urdf": True,
    "pkg/robots/arm.urdf": True,
    "pkg/description/other.URDF": True,
    "pkg/urdf/deeper/arm.urdf": False,
    "arm.urdf": False,
    "pkg/urdf/arm.xml": False,
}


def made(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("place", PLACES)
def test_where_it_may_lie(tmp_path: Path, place: str) -> None:
    made(tmp_path, **{place: URDF.format("arm"), "pkg/srdf/arm.srdf": SRDF})
    found = urdf_beside(str(tmp_path / "pkg/srdf/arm.srdf"), "arm")
    assert found == (str(tmp_path / place) if PLACES[place] else None)


def test_the_name_decides(tmp_path: Path) -> None:
    made(tmp_path, **{"arm.urdf": URDF.format("leg"), "x.urdf": URDF.format("arm")})
    made(tmp_path, **{"broken.urdf": "<robot>", "arm.srdf": SRDF})
    assert urdf_beside(str(tmp_path / "arm.srdf"), "arm") == str(tmp_path / "x.urdf")
    assert urdf_beside(str(tmp_path / "arm.srdf"), "hand") is None


def test_the_file_of_the_same_name_is_preferred(tmp_path: Path) -> None:
    names = ("a.urdf", "b.urdf", "urdf/arm.urdf")
    made(tmp_path, **{f"p/{name}": URDF.format("arm") for name in names})
    for stem, urdf in (("arm", "a.urdf"), ("b", "b.urdf"), ("other", "a.urdf")):
        assert urdf_beside(str(tmp_path / f"p/{stem}.srdf"), "arm") == str(tmp_path / f"p/{urdf}")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert urdf_beside(str(tmp_path / "none" / "arm.srdf"), "arm") is None


def test_reading_brings_the_robot_along(tmp_path: Path) -> None:
    made(tmp_path, **{"arm.srdf": SRDF, "arm.urdf": URDF.format("arm")})
    issues = Issues()
    reading = read(str(tmp_path / "arm.srdf"), issues)
    assert reading.srdf is not None
    assert reading.robot is not None
    assert [link.name for link in reading.robot.links] == ["base"]
    assert list(reading.documents) == [str(tmp_path / "arm.srdf")]
    assert list(issues) == []


def test_a_robot_that_is_named_wins(tmp_path: Path) -> None:
    made(tmp_path, **{"arm.srdf": SRDF, "arm.urdf": URDF.format("arm")})
    made(tmp_path, **{"far/leg.urdf": URDF.format("leg")})
    chosen = ReadOptions(urdf=str(tmp_path / "far/leg.urdf"))
    reading = read(str(tmp_path / "arm.srdf"), Issues(), chosen)
    assert reading.robot is not None
    assert reading.robot.name == "leg"


def test_a_robot_that_lacks_parts_is_none(tmp_path: Path) -> None:
    twice = '<robot name="arm"><link name="a"/><link name="a"/></robot>'
    made(tmp_path, **{"arm.srdf": SRDF, "arm.urdf": twice})
    reading = read(str(tmp_path / "arm.srdf"), Issues())
    assert reading.robot is None
    assert reading.srdf is not None


def test_what_is_no_srdf(tmp_path: Path) -> None:
    made(tmp_path, **{"arm.srdf": "<mujoco/>"})
    issues = Issues()
    assert read(str(tmp_path / "arm.srdf"), issues).srdf is None
    assert [issue.code.id for issue in issues] == ["X002"]
