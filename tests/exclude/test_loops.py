"""Loops: closed configurations keep MuJoCo's equalities, move little, and stay in the limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phyzctl import formats
from phyzctl.exclude.facts import Outcome
from phyzctl.exclude.loops import CLOSED, Loops
from phyzctl.exclude.space import Space, space_of
from phyzctl.exclude.survey import Effort, survey
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model
from phyzctl.native import halton
from phyzctl.spatial import Array

# A unit square of rods, hinged at its corners; the first corner is the world's.
FOUR_BAR = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="left">
      <joint name="a" axis="0 1 0" range="-1.5 1.5"/>
      <geom type="capsule" fromto="0 0 0.2 0 0 0.8" size=".05"/>
      <body name="top" pos="0 0 1">
        <joint name="b" axis="0 1 0" range="-2 2"/>
        <geom type="capsule" fromto="0.2 0 0 0.8 0 0" size=".05"/>
        <body name="right" pos="1 0 0">
          <joint name="c" axis="0 1 0" range="-2 2"/>
          <geom type="capsule" fromto="0 0 -0.2 0 0 -0.8" size=".05"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>{equality}</equality>
</mujoco>
"""
CONNECT = '<connect body1="right" anchor="0 0 -1"/>'


def model_of(tmp_path: Path, text: str) -> Model:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    robot = formats.read(str(path), Issues()).robot
    assert robot is not None
    return compiler.compile(robot)


def drawn(space: Space, count: int) -> Array:
    return space.draw(halton(space.dimensions, range(count), seed=0))


def test_a_parallelogram_stays_one(tmp_path: Path) -> None:
    """Rods of equal length: the opposite angles are equal, or the square folds over."""
    space = space_of(model_of(tmp_path, FOUR_BAR.format(equality=CONNECT)))
    q = Loops(space).close(drawn(space, 500))
    closed = q[np.isfinite(q).all(axis=1)]
    assert len(closed) > 400
    # In the plane, the rods' directions add up to nothing: a + b + c turns each in its place.
    first, second, third = (np.cumsum(closed, axis=1)[:, i] for i in range(3))
    x = np.sin(first) + np.cos(second) - np.sin(third)
    z = np.cos(first) - np.sin(second) - np.cos(third)
    assert np.abs(x - 1.0).max() < 3 * CLOSED
    assert np.abs(z).max() < 3 * CLOSED
    assert (np.abs(closed) <= [1.5, 2.0, 2.0]).all()


def test_what_cannot_be_closed_is_no_number(tmp_path: Path) -> None:
    far = '<connect site1="there" site2="tip"/>'
    text = FOUR_BAR.format(equality=far).replace(
        "<worldbody>", '<worldbody><site name="there" pos="9 0 0"/>'
    )
    text = text.replace('range="-2 2"/>\n          <geom', 'range="-2 2"/><site name="tip"/><geom')
    model = model_of(tmp_path, text)
    space = space_of(model)
    assert np.isnan(Loops(space).close(drawn(space, 20))).all()
    report = survey(model, Effort(samples=50, prove=False))
    assert all(facts.samples == facts.hits == 0 for facts in report.pairs)


def test_a_weld_holds_the_turn_as_well(tmp_path: Path) -> None:
    """The last rod welded where it is in the reference pose: it hangs straight down."""
    space = space_of(model_of(tmp_path, FOUR_BAR.format(equality='<weld body1="right"/>')))
    q = Loops(space).close(drawn(space, 200))
    closed = q[np.isfinite(q).all(axis=1)]
    assert len(closed) > 50
    assert np.abs(closed.sum(axis=1)).max() < 1e-3


def test_what_needs_no_closing_is_not_touched(tmp_path: Path) -> None:
    space = space_of(model_of(tmp_path, FOUR_BAR.format(equality="")))
    x = drawn(space, 50)
    assert len(Loops(space)) == 0
    np.testing.assert_array_equal(space.positions(x), Loops(space).close(x))


def test_inactive_equalities_close_nothing(tmp_path: Path) -> None:
    text = FOUR_BAR.format(equality=CONNECT.replace("/>", ' active="false"/>'))
    assert len(Loops(space_of(model_of(tmp_path, text)))) == 0


def test_equalities_of_a_published_gripper_hold(shared_corpus: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    path = shared_corpus / "menagerie" / "robotiq_2f85" / "2f85.xml"
    robot = formats.read(str(path), Issues()).robot
    assert robot is not None
    space = space_of(compiler.compile(robot))
    q = Loops(space).close(drawn(space, 200))
    assert np.isfinite(q).all(axis=1).mean() > 0.9
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for row in q[np.isfinite(q).all(axis=1)]:
        data.qpos[:] = row
        mujoco.mj_fwdPosition(model, data)
        connects = data.efc_pos[: data.ne][model.eq_type[data.efc_id[: data.ne]] == 0]
        assert np.abs(connects).max() < 2 * CLOSED


def test_a_survey_shows_only_closed_loops(tmp_path: Path) -> None:
    """Open, the first rod and the last cross; closed, neither side of a folded square does."""
    effort = Effort(samples=1000, work=50_000_000)
    opened, closed = (
        survey(model_of(tmp_path, FOUR_BAR.format(equality=equality)), effort)
        for equality in ("", CONNECT)
    )
    assert not any("loops" in note for note in opened.notes)
    assert any("loops (1) are closed" in note for note in closed.notes)
    loops = Loops(space_of(closed.model))
    for facts in closed.pairs:
        witness = facts.deepest or facts.clearance
        assert witness is not None
        x = space_of(closed.model).variables(np.array(witness.q))
        np.testing.assert_allclose(loops.close(x[None])[0], witness.q, rtol=0, atol=1e-3)
        assert facts.certificate is None or facts.certificate.outcome is not Outcome.REFUTED
        assert facts.samples < 1000
    sides = next(facts for facts in opened.pairs if facts.names == ("left", "right"))
    assert sides.hits > next(f for f in closed.pairs if f.names == ("left", "right")).hits
