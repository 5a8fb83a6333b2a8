"""URDF and MJCF twins of a sample compile to equal Models, within 1e-9."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from phyzctl import api
from phyzctl.model.compiler import compile as compiled
from phyzctl.model.model import Model
from tests.corpus import SAMPLES

NAMES = sorted(path.stem for path in SAMPLES.glob("*.urdf"))
# What MJCF can't say, or URDF can't: README.md of the samples.
ONE_SIDED = {"name", "velocity", "mimic", "element"}


def near(one: Any, other: Any, what: str | None = "") -> None:
    """Equal within 1e-9, relative or absolute."""
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=str(what))


@pytest.fixture(scope="module", params=NAMES)
def twins(request: pytest.FixtureRequest) -> tuple[Model, Model]:
    """The Models of one sample's URDF and MJCF."""
    first, second = (
        compiled(api.load(SAMPLES / f"{request.param}{suffix}")) for suffix in (".urdf", ".xml")
    )
    return first, second


def test_every_sample_has_a_twin() -> None:
    assert sorted(path.stem for path in SAMPLES.glob("*.xml")) == NAMES
    assert len(NAMES) == 10


def test_topology(twins: tuple[Model, Model]) -> None:
    first, second = twins
    assert [body.name for body in first.bodies] == [body.name for body in second.bodies]
    assert [body.parent for body in first.bodies] == [body.parent for body in second.bodies]
    assert (first.nq, first.nv) == (second.nq, second.nv)
    assert [joint.type for joint in first.joints] == [joint.type for joint in second.joints]
    assert [j.name for j in first.joints if stated(j)] == [
        j.name for j in second.joints if stated(j)
    ]


def stated(joint: Any) -> bool:
    """True for a joint whose name stands in both files: not of a base, nor of a fixed link."""
    return bool(joint.nv == 1)


def test_bodies(twins: tuple[Model, Model]) -> None:
    for first, second in zip(twins[0].bodies, twins[1].bodies, strict=True):
        near(first.X_PB, second.X_PB, first.name)
        near(first.mass, second.mass, first.name)
        near(first.inertia, second.inertia, first.name)
        if first.mass:
            near(first.com, second.com, first.name)


def test_joints(twins: tuple[Model, Model]) -> None:
    for first, second in zip(twins[0].joints, twins[1].joints, strict=True):
        for name, one, other in numbers(first, second):
            if first.nv == 1 or name not in ("axis", "anchor"):
                near(one, other, f"{first.name}: {name}")


def numbers(first: Any, second: Any) -> list[tuple[str, Any, Any]]:
    """The fields of two joints that are numbers, or tuples of them."""
    names = [item.name for item in fields(first) if item.name not in ONE_SIDED]
    pairs = [(name, getattr(first, name), getattr(second, name)) for name in names]
    return [pair for pair in pairs if not isinstance(pair[1], bool)]


def test_followers(twins: tuple[Model, Model]) -> None:
    """A mimic joint in URDF is a joint equality in MJCF."""
    urdf, mjcf = twins
    followers = {
        joint.name: (
            urdf.joints[joint.mimic.joint].name,
            joint.mimic.offset,
            joint.mimic.multiplier,
        )
        for joint in urdf.joints
        if joint.mimic is not None
    }
    equalities = {
        equality.first: (equality.second, *(equality.polynomial or ())[:2])
        for equality in mjcf.robot.equalities
    }
    assert followers == equalities


def test_geoms(twins: tuple[Model, Model]) -> None:
    for one, other in zip(twins[0].bodies, twins[1].bodies, strict=True):
        assert [geom.name for geom in one.geoms] == [geom.name for geom in other.geoms]
        for first, second in zip(one.geoms, other.geoms, strict=True):
            assert first.type == second.type
            near(first.size, second.size)
            near(first.X_BG, second.X_BG)


def test_places_at_random_configurations(twins: tuple[Model, Model]) -> None:
    random = np.random.default_rng(3)
    q = np.stack([twins[0].default_state().q] * 20)
    for index, joint in enumerate(twins[0].joints):
        if joint.nv == 1:
            q[:, twins[0].q_slice(index)] = random.uniform(-3.0, 3.0, (20, 1))
    first, second = (model.kinematics(q) for model in twins)
    near(first.bodies, second.bodies)
    near(first.geoms, second.geoms)
