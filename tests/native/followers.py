"""A robot in which joints follow others across branches, along chains, up and down the tree."""

from __future__ import annotations

import numpy as np

from phyzctl import native
from phyzctl.model.constraints import make_constraints
from phyzctl.model.followers import motion_basis, place_followers
from phyzctl.model.model import Model
from phyzctl.model.passes.tree import BaseChoice
from phyzctl.sim.start import initial_start
from phyzctl.spatial import Array
from tests.sim.robots import model

LINK = """<link name="{name}"><inertial><origin xyz="{com}"/><mass value="{mass}"/>
  <inertia ixx="{i}" ixy="0" ixz="0" iyy="{i}" iyz="0" izz="{i}"/></inertial></link>"""
JOINT = """<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{name}_link"/>
  <origin xyz="{xyz}" rpy=".3 .2 .1"/><axis xyz="{axis}"/>{limit}{mimic}{dynamics}</joint>"""

# Name, type, parent, whom it follows by which multiplier and offset.
JOINTS: tuple[tuple[str, str, str, tuple[str, float, float] | None], ...] = (
    ("early", "continuous", "base", ("deep", -0.7, 0.4)),  # before whom it follows
    ("lead", "continuous", "base", None),
    ("child", "continuous", "lead_link", ("lead", 0.5, 0.1)),  # carried by whom it follows
    ("deep", "revolute", "child_link", None),
    ("chain", "prismatic", "child_link", ("child", 1.5, -0.2)),
    ("sibling", "continuous", "base", ("chain", -2.0, 0.3)),
    ("free", "continuous", "sibling_link", None),
    ("held", "continuous", "free_link", ("weld", 3.0, 0.25)),  # follows what stands still
    ("weld", "fixed", "base", None),
    ("still", "continuous", "free_link", ("free", 0.0, 0.6)),
)


WIDE = 'lower="-9" upper="9" effort="99" velocity="99"'


def robot(*, dynamics: str = "", limit: str = WIDE, endless: bool = True) -> str:
    """The URDF; `dynamics` on every joint, `limit` on those that need one: all if not `endless`."""
    links = [LINK.format(name="base", com="0 0 0", mass=3, i=0.1)]
    joints = []
    for place, (name, kind, parent, mimic) in enumerate(JOINTS):
        mass, i = 1.0 + 0.3 * place, 0.01 * (1 + place)
        links.append(LINK.format(name=f"{name}_link", com=f".1 0.{place} -.2", mass=mass, i=i))
        follows = ""
        moves = "revolute" if kind == "continuous" and not endless else kind
        if mimic:
            follows = f'<mimic joint="{mimic[0]}" multiplier="{mimic[1]}" offset="{mimic[2]}"/>'
        joints.append(
            JOINT.format(
                name=name, kind=moves, parent=parent, mimic=follows, dynamics=dynamics,
                limit=f"<limit {limit}/>" if moves in ("revolute", "prismatic") else "",
                xyz=f"0.{place} .1 .2", axis=("1 0 0", "0 1 0", "1 1 1")[place % 3],
            )
        )  # fmt: skip
    return f'<robot name="followers">{"".join([*links, *joints])}</robot>'


class Followed:
    """The robot, and its equations of motion in the speeds of what follows nothing."""

    def __init__(self, subject: str | Model, base: BaseChoice = "fixed") -> None:
        self.model = model(subject, base=base) if isinstance(subject, str) else subject
        self.dynamics = self.model.dynamics
        self.constraints = make_constraints(self.model, self.dynamics)
        self.G = motion_basis(self.model)
        self.moving = np.flatnonzero(np.diag(self.G))
        self.basis = self.G[:, self.moving]

    def state(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Random q (nq,) and v (nv,) on the lines."""
        q = initial_start(self.model).state.q
        joints = [i for i, joint in enumerate(self.model.joints) if joint.nv == 1]
        for number in joints:
            q[self.model.q_offsets[number]] += rng.uniform(-1.0, 1.0)
        v = rng.normal(size=self.model.nv)
        place_followers(self.model, q, v)
        return q, v

    def solved(self, M: Array, force: Array) -> Array:
        """a = G u' of G' M G u' = G' f."""
        B = self.basis
        found: Array = B @ np.linalg.solve(B.T @ M @ B, B.T @ force)
        return found

    def mass_matrix(self, q: Array) -> Array:
        """Of all degrees of freedom."""
        found: Array = native.mass_matrix(self.dynamics, q[None])[0]
        return found
