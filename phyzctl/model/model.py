"""Model: the compiled description, and all that can be asked of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from phyzctl import native
from phyzctl.errors import NotFoundError, did_you_mean
from phyzctl.issues import Issue
from phyzctl.model.body import WORLD
from phyzctl.model.checks import faults
from phyzctl.model.compiled import CompiledModel
from phyzctl.model.constraint import Keyframe
from phyzctl.model.contacts import make_contact_world
from phyzctl.model.dynamics import make_dynamics
from phyzctl.model.filter import ContactFilter, weld_groups
from phyzctl.model.forces import forces_at, forces_at_rest
from phyzctl.model.keyframes import state_of
from phyzctl.model.state import State
from phyzctl.spatial import Array


class Model(CompiledModel):
    """The static description of a robot's topology and parameters; made by `compile`."""

    _derived = (*CompiledModel._derived, "_filter", "dynamics", "contact_world")

    # Contact

    def weld_groups(self) -> list[int]:
        """A group per body, named by its first body; -1 for all that is fixed to the world."""
        return weld_groups(self)

    def may_collide(self, i: int, j: int, welds: Sequence[int] | None = None) -> bool:
        """True when contact between bodies i and j (-1: the world) would be a real event.

        `welds` are the groups of `weld_groups`, computed here when not given. Under
        `contact_rules` "mujoco", which knows only geoms, True when some pair of their geoms
        can meet.
        """
        self._check_body(i)
        self._check_body(j)
        rules = self._filter if welds is None else ContactFilter.of(self, welds)
        if self.contact_rules == "phyzctl":
            return rules.bodies_may_collide(i, j)
        first, second = self.geoms_of(i), self.geoms_of(j)
        return any(rules.geoms_may_collide(a, b) for a in first for b in second)

    @cached_property
    def _filter(self) -> ContactFilter:
        return ContactFilter.of(self)

    def _check_body(self, index: int) -> None:
        if not WORLD <= index < len(self._bodies):
            count = len(self._bodies)
            raise NotFoundError(f"no body {index}: indices go from -1 (the world) to {count - 1}")

    @cached_property
    def contact_world(self) -> native.ContactWorld:
        """The native kernel's copy of the pairs of geoms that can touch, made on first use."""
        return make_contact_world(self)

    def contacts(self, q: Sequence[float] | Array) -> native.Contacts:
        """Where geoms touch at `q`, (nq,) or (n, nq); pairs are those of `contact_table`."""
        positions = np.ascontiguousarray(q, dtype=np.float64)
        return native.contacts(
            self.contact_world, positions.reshape(math.prod(positions.shape[:-1]), self.nq)
        )

    # Forces

    @cached_property
    def dynamics(self) -> native.Dynamics:
        """The native kernel's copy of masses, springs and actuators, made on first use.

        Raises PhyzctlError when something acts on the model that the kernel doesn't compute.
        """
        return make_dynamics(self)

    def actuator_forces(self, ctrl: Sequence[float] | Array) -> Array:
        """The generalised forces (nv,) of `ctrl` (nu,), lengths and velocities taken as zero.

        A plain motor gives clamp(ctrl) · gear. Without actuators `ctrl` (nv,) passes through, up
        to what the joints' force ranges allow. Raises PhyzctlError for a wrong length.
        """
        return forces_at_rest(self, ctrl)

    def actuator_forces_at(
        self,
        ctrl: Sequence[float] | Array,
        q: Sequence[float] | Array,
        v: Sequence[float] | Array,
        *,
        act: Sequence[float] | Array | None = None,
    ) -> Array:
        """The generalised forces (nv,) of `ctrl` (nu,) at `q` (nq,) and `v` (nv,).

        Each actuator clamps u, pulls with p = gain·u + bias0 + bias1·l + bias2·l̇ on its length
        l, and clamps p; tendons scale what is pulled on them into their range; the pulls are
        summed by the lengths' derivatives; joints add gravity compensation where asked, and
        clamp their total. Behind activation dynamics u is `act` (na,), zero if not given.
        Raises PhyzctlError for a wrong length.
        """
        return forces_at(self, ctrl, q, v, act)

    # States

    @cached_property
    def keyframes(self) -> tuple[Keyframe, ...]:
        """The keyframes with their States, in the order of the file."""
        return tuple(
            Keyframe(written.name, state_of(self, written), written)
            for written in self.robot.keyframes
        )

    def keyframe_state(self, name: str) -> State:
        """A copy of the State of the keyframe of that name; NotFoundError if there is none."""
        for keyframe in self.keyframes:
            if keyframe.name == name:
                return keyframe.state.copy()
        known = [keyframe.name for keyframe in self.keyframes if keyframe.name]
        listed = ", ".join(known) or "none"
        hint = did_you_mean(name, known)
        raise NotFoundError(f"no keyframe named {name!r}; there are: {listed}{hint}")

    # Judgement

    def validate(self) -> list[Issue]:
        """What is wrong with the model and the Robot it comes from, most serious first."""
        return faults(self)

    def fatal_issues(self) -> list[Issue]:
        """Those of `validate` that are errors."""
        return [issue for issue in self.validate() if issue.fatal]
