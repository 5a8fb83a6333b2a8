"""What tests of scene files share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.scenefiles import SWING, WEDGE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a mesh, a robot, and some that can't be used."""
    (tmp_path / "wedge.obj").write_text(WEDGE)
    (tmp_path / "swing.urdf").write_text(SWING)
    (tmp_path / "bad.obj").write_text("v 0 0\n")
    (tmp_path / "bad.urdf").write_text("<robot name='x'><link name='a'/><link name='a'/></robot>")
    (tmp_path / "bare.urdf").write_text("<robot name='x'><link name='a'/></robot>")
    (tmp_path / "hollow.urdf").write_text(SWING.replace("wedge.obj", "gone.obj"))
    return tmp_path
