"""Random robots with every kind of joint and shape, for properties that must hold of any."""

from __future__ import annotations

import numpy as np

from phyzctl.model.model import Model
from tests.exclude.robots import model_of

_POINTS = "0.1 0 0 -0.1 0.02 0 0 0.12 0 0 -0.08 0.03 0 0 0.15 0.02 0 -0.1"


def random_model(seed: int, *, bodies: int = 6, size: float = 1.0) -> Model:
    """A tree of bodies with hinges, slides, ball joints and followers, and all convex shapes.

    `size` stretches the shapes: at 1 some pairs overlap, at 3 most do.
    """
    random = np.random.default_rng(seed)
    children: dict[int, list[int]] = {number: [] for number in range(-1, bodies)}
    for number in range(bodies):
        children[int(random.integers(-1, number)) if number > 1 else number - 1].append(number)
    inside = "".join(_body(number, children, random, size) for number in children[-1])
    mesh = f'<asset><mesh name="m" vertex="{_POINTS}" scale="{size} {size} {size}"/></asset>'
    rest = '<equality><joint joint1="a2" joint2="a1" polycoef="0.1 -0.7 0.3"/></equality>'
    return model_of(
        f'<mujoco><compiler angle="radian"/>{mesh}<worldbody>{inside}</worldbody>{rest}</mujoco>'
    )


def _body(
    number: int, children: dict[int, list[int]], random: np.random.Generator, size: float
) -> str:
    joints = [_joint(f"a{number}", "hinge" if number in (1, 2) else _kind(random), random)]
    if number not in (1, 2) and random.random() < 0.3 and "ball" not in joints[0]:
        joints.append(_joint(f"b{number}", str(random.choice(["hinge", "slide"])), random))
    geoms = "".join(_geom(random, size) for _ in range(random.integers(1, 3)))
    below = "".join(_body(child, children, random, size) for child in children[number])
    place = f'pos="{_vector(random, 0.35)}" quat="{_vector(random, 1.0)} 0.5"'
    return f'<body name="l{number}" {place}>{"".join(joints)}{geoms}{below}</body>'


def _kind(random: np.random.Generator) -> str:
    return str(random.choice(["hinge", "hinge", "hinge", "slide", "ball"]))


def _joint(name: str, kind: str, random: np.random.Generator) -> str:
    words = f'name="{name}" type="{kind}" pos="{_vector(random, 0.1)}"'
    if kind == "ball":
        return f"<joint {words}/>"
    low, high = np.sort(random.uniform(-2.5, 2.5, 2)) * (0.1 if kind == "slide" else 1.0)
    return f'<joint {words} axis="{_vector(random, 1.0)}" range="{low:.6f} {high:.6f}"/>'


def _geom(random: np.random.Generator, size: float) -> str:
    place = f'pos="{_vector(random, 0.08)}" quat="{_vector(random, 1.0)} 0.3"'
    a, b, c = random.uniform(0.02, 0.1, 3) * size
    kind = str(random.choice(["sphere", "capsule", "box", "cylinder", "ellipsoid", "mesh"]))
    sizes = {"sphere": f"{a}", "capsule": f"{a} {b}", "cylinder": f"{a} {b}"}
    shape = 'mesh="m"' if kind == "mesh" else f'size="{sizes.get(kind, f"{a} {b} {c}")}"'
    return f'<geom type="{kind}" {place} {shape}/>'


def _vector(random: np.random.Generator, scale: float) -> str:
    return " ".join(f"{each:.6f}" for each in random.uniform(-scale, scale, 3))
