"""`phyzctl tree` in its four forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from phyzctl.cli.tree import TreeFormat
from tests.cli.conftest import Cli

ROBOT = """\
<robot name="r">
  <link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
  <joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>
  <joint name="bc" type="floating"><parent link="b"/><child link="c"/></joint>
  <joint name="bd" type="fixed"><parent link="b"/><child link="d"/></joint>
  <joint name="ae" type="planar"><parent link="a"/><child link="e"/></joint>
</robot>
"""


@pytest.fixture
def robot(workspace: Path) -> str:
    (workspace / "r.urdf").write_text(ROBOT)
    return "r.urdf"


def test_text(cli: Cli, robot: str) -> None:
    code, out, err = cli("tree", robot)
    assert (code, err) == (0, "")
    assert out == (
        "a\n"
        "├── b (ab: fixed)\n"
        "│   ├── c (bc: floating)\n"
        "│   └── d (bd: fixed)\n"
        "└── e (ae: planar)\n"
    )


def test_json(cli: Cli, robot: str) -> None:
    document = json.loads(cli("tree", robot, "-f", "json").out)
    assert (document["schema"], document["name"]) == ("phyzctl.tree/1", "r")
    assert [link["name"] for link in document["links"]] == ["a", "b", "c", "d", "e"]
    assert [link["parent"] for link in document["links"]] == [None, "a", "b", "b", "a"]
    assert document["links"][2]["joints"] == [{"name": "bc", "kind": "floating"}]


def test_dot(cli: Cli, robot: str) -> None:
    lines = cli("tree", robot, "-f", "dot").out.splitlines()
    assert lines[0] == 'digraph "r" {'
    assert lines[-1] == "}"
    assert '  "b" -> "c" [label="bc (floating)"];' in lines
    assert sum("->" in line for line in lines) == 4


def test_mermaid(cli: Cli, robot: str) -> None:
    lines = cli("tree", robot, "-f", "mermaid").out.splitlines()
    assert lines[:2] == ["flowchart TD", '  n0["a"]']
    assert '  n1 -->|"bc (floating)"| n2' in lines
    assert sum("-->" in line for line in lines) == 4


def test_names_can_not_break_out_of_their_quotes(cli: Cli, workspace: Path) -> None:
    name = "a&quot;b\\c|#&#x1b;".replace("&#x1b;", "")
    (workspace / "r.urdf").write_text(f"<robot name='r'><link name='{name}'/></robot>")
    assert '"a\\"b\\\\c|#"' in cli("tree", "r.urdf", "-f", "dot").out
    assert '["a#quot;b\\c#124;#35;"]' in cli("tree", "r.urdf", "-f", "mermaid").out


def chain(length: int) -> str:
    links = "".join(f"<link name='l{index}'/>" for index in range(length))
    joints = "".join(
        f"<joint name='j{index}' type='fixed'><parent link='l{index}'/>"
        f"<child link='l{index + 1}'/></joint>"
        for index in range(length - 1)
    )
    return f"<robot name='chain'>{links}{joints}</robot>"


@pytest.mark.parametrize("form", list(TreeFormat))
def test_a_long_chain_ends_and_stays_small(cli: Cli, workspace: Path, form: TreeFormat) -> None:
    (workspace / "r.urdf").write_text(chain(5000))
    code, out, _ = cli("tree", "r.urdf", "-f", form.value)
    assert code == 0
    assert "l4999" in out
    assert len(out) < 2_000_000


def test_links_at_every_depth_are_drawn(cli: Cli, workspace: Path) -> None:
    (workspace / "r.urdf").write_text(chain(150))
    lines = cli("tree", "r.urdf").out.splitlines()
    assert len(lines) == 150
    assert lines[149] == "[149 levels below the root] l149 (j148: fixed)"
    assert lines[1] == "└── l1 (j0: fixed)"
