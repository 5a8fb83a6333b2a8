"""`phyzctl validate` on SRDFs: alone, beside their URDF, in folders, and named with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

URDF = """<robot name="{}">
  <link name="base"/>
  <link name="arm"/>
  <joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>
</robot>
"""
SRDF = '<robot name="r">\n  <passive_joint name="k"/>\n</robot>\n'
FOUND = "error[N305] passive_joint 'k': no joint is called 'k'"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "urdf").mkdir()
    (tmp_path / "srdf").mkdir()
    (tmp_path / "urdf" / "r.urdf").write_text(URDF.format("r"))
    (tmp_path / "srdf" / "r.srdf").write_text(SRDF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_srdf_finds_its_urdf(cli: Cli, package: Path) -> None:
    code, out, _ = cli("validate", "srdf/r.srdf")
    assert code == 1
    assert out.splitlines()[0] == f"srdf/r.srdf:2:18: {FOUND}"


def test_a_folder_holds_both(cli: Cli, package: Path) -> None:
    code, out, _ = cli("validate", ".")
    assert code == 1
    assert FOUND in out
    assert out.splitlines()[-1] == "1 error in 1 of 2 files"


def test_named_together(cli: Cli, package: Path) -> None:
    (package / "urdf" / "r.urdf").write_text(URDF.format("other"))
    code, out, _ = cli("validate", "srdf/r.srdf")
    assert (code, "info[N307]" in out) == (0, True)
    code, out, _ = cli("validate", "urdf/r.urdf", "--srdf", "srdf/r.srdf")
    assert code == 1
    assert FOUND in out
    assert "warning[N306] srdf: is for robot 'r', the URDF is of 'other'" in out


def test_named_together_needs_one_robot(cli: Cli, package: Path) -> None:
    (package / "urdf" / "s.urdf").write_text(URDF.format("s"))
    code, _, err = cli("validate", "urdf", "--srdf", "srdf/r.srdf")
    assert code == 2
    assert "--srdf is about one robot" in err


def test_other_verbs_pass_over_srdfs_in_folders(cli: Cli, package: Path) -> None:
    code, out, _ = cli("info", ".")
    assert code == 0
    assert "r.urdf" in out


def test_fixes_reach_it(cli: Cli, package: Path) -> None:
    pair = '  <disable_collisions link1="base" link2="base" reason="Never"/>\n'
    path = package / "srdf" / "r.srdf"
    path.write_text(f'<robot name="r">\n{pair}</robot>\n')
    code, _, _ = cli("validate", "--fix", "srdf/r.srdf")
    assert code == 0
    assert path.read_text() == '<robot name="r">\n</robot>\n'
