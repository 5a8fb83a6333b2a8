"""`phyzctl info`: what it counts and sums, by the samples' own numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Cli
from tests.corpus import ROOT, SAMPLES

SCHEMA = json.loads((ROOT / "schemas/info.schema.json").read_text("utf-8"))

# A cart that slides and carries a wheel that turns without end and a hook that follows the cart.
TENSOR = 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"'
CART = f"""\
<robot name="cart" version="1.1">
  <link name="world"/>
  <link name="cart">
    <inertial><mass value="2.5"/><inertia {TENSOR}/></inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <visual><geometry><box size="1 1 1"/></geometry></visual>
    <visual><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <link name="wheel">
    <inertial><mass value="0.5"/><inertia {TENSOR}/></inertial>
  </link>
  <link name="hook"/>
  <joint name="slide" type="prismatic">
    <parent link="world"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="3" effort="40" velocity="5"/>
  </joint>
  <joint name="turn" type="continuous">
    <parent link="cart"/><child link="wheel"/><axis xyz="0 0 1"/>
    <dynamics damping="0.1"/>
  </joint>
  <joint name="lift" type="prismatic">
    <parent link="cart"/><child link="hook"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/>
    <mimic joint="slide" multiplier="-0.5" offset="0.25"/>
  </joint>
  <gazebo reference="cart"/>
</robot>
"""


def info(cli: Cli, *arguments: str | Path) -> dict[str, Any]:
    code, out, _ = cli("info", *arguments, "--format", "json")
    assert code == 0
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert isinstance(document, dict)
    return document


@pytest.fixture
def cart(workspace: Path) -> Path:
    (workspace / "cart.urdf").write_text(CART)
    return workspace / "cart.urdf"


def test_the_head(cli: Cli, cart: Path) -> None:
    document = info(cli, "cart.urdf")
    assert document["path"] == "cart.urdf"
    assert (document["name"], document["format"], document["version"]) == ("cart", "urdf", "1.1")
    assert document["mass"] == 3.0
    assert (document["base"], document["root"]) == ("fixed", "world")
    assert (document["nq"], document["nv"], document["nu"]) == (3, 3, 0)
    assert document["gravity"] == [0.0, 0.0, -9.81]
    assert document["dt"] == 0.001
    assert document["contact_rules"] == "phyzctl"
    counts = document["counts"]
    assert (counts["links"], counts["bodies"], counts["joints"], counts["geoms"]) == (4, 3, 3, 3)


def test_the_table_of_freedom(cli: Cli, cart: Path) -> None:
    slide, turn, lift = info(cli, "cart.urdf")["dofs"]
    assert slide == {
        "joint": "slide",
        "type": "slide",
        "body": "cart",
        "q": [0, 1],
        "v": [0, 1],
        "unit": "m",
        "lower": -2.0,
        "upper": 3.0,
        "effort": 40.0,
        "velocity": 5.0,
        "mimic": None,
    }
    assert (turn["type"], turn["unit"], turn["q"]) == ("hinge", "rad", [1, 2])
    assert [turn[key] for key in ("lower", "upper", "effort", "velocity")] == [None] * 4
    assert lift["mimic"] == {"joint": "slide", "multiplier": -0.5, "offset": 0.25}


def test_features(cli: Cli, cart: Path) -> None:
    assert info(cli, "cart.urdf")["features"] == {
        "<gazebo> kept as written": 1,
        "collision box": 1,
        "continuous joint": 1,
        "dynamics": 1,
        "mimic": 1,
        "prismatic joint": 2,
        "visual box": 1,
        "visual sphere": 1,
    }


@pytest.mark.parametrize(
    ("base", "nq", "nv"), [("auto", 19, 18), ("floating", 19, 18), ("fixed", 12, 12)]
)
def test_the_base_can_be_chosen(cli: Cli, base: str, nq: int, nv: int) -> None:
    document = info(cli, SAMPLES / "quadruped.urdf", "--base", base)
    assert (document["nq"], document["nv"]) == (nq, nv)


def test_a_free_base_has_seven_coordinates_and_six_freedoms(cli: Cli) -> None:
    free = info(cli, SAMPLES / "quadruped.urdf")["dofs"][0]
    assert (free["type"], free["q"], free["v"], free["unit"]) == ("free", [0, 7], [0, 6], None)


def test_text(cli: Cli, cart: Path) -> None:
    code, out, err = cli("info", "cart.urdf")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "cart (urdf 1.1), cart.urdf"
    assert "  mass     3 kg" in lines
    assert "  base     fixed, at world" in lines
    assert "  freedom  nq 3, nv 3, nu 0" in lines
    (lift,) = [line for line in lines if " lift " in line]
    assert " ".join(lift.split()) == "2 lift slide hook 0 1 m 1 1 -0.5 of slide"
    assert "visual box (1)" in lines[-1]


def test_stdin(cli: Cli, workspace: Path) -> None:
    code, out, _ = cli("info", "-", stdin=CART.encode())
    assert code == 0
    assert out.startswith("cart (urdf 1.1), <stdin>\n")


def test_what_is_wrong_is_mentioned(cli: Cli, workspace: Path) -> None:
    (workspace / "a.urdf").write_text(CART.replace('link="world"', 'link="wrld"'))
    code, out, err = cli("info", "a.urdf")
    assert code == 0
    assert out.startswith("cart")
    assert err == "phyzctl: reading found 1 error; see phyzctl validate\n"


def test_a_mass_that_is_no_number(cli: Cli, workspace: Path) -> None:
    (workspace / "a.urdf").write_text(CART.replace('value="2.5"', 'value="nan"'))
    assert info(cli, "a.urdf")["mass"] in (None, 0.5)
    assert cli("info", "a.urdf").code == 0


@pytest.mark.parametrize("verb", ["info", "tree"])
def test_nothing_to_read_is_three_with_the_reason(cli: Cli, verb: str) -> None:
    code, out, err = cli(verb, SAMPLES / "broken/X001_tag_not_closed.urdf")
    assert (code, out) == (3, "")
    assert "error[X001]" in err


@pytest.mark.parametrize("verb", ["info", "tree"])
def test_one_robot_at_a_time(cli: Cli, robots: Path, verb: str) -> None:
    code, _, err = cli(verb, ".")
    assert code == 2
    assert "'.' means several robots, choose one of: bad.urdf, good.urdf" in err
    (robots / "bad.urdf").unlink()
    assert cli(verb, ".").code == 0
    assert cli(verb, "nope.urdf").code == 2
