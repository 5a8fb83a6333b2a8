"""Actuators and fixed tendons of a Model, resolved to indices and numbers."""

from __future__ import annotations

from phyzctl.issues import Source
from phyzctl.model.joint import UNBOUNDED, Bounds
from phyzctl.model.muscle import NO_MUSCLE, MuscleCurve
from phyzctl.records import dataclass
from phyzctl.robot import mechanism
from phyzctl.robot.mechanism import Activation, Gain, TransmissionKind

Affine = tuple[float, float, float]
_AFFINE = (Gain.NONE, Gain.FIXED, Gain.AFFINE)


@dataclass(frozen=True)
class Tendon:
    """A tendon. A fixed one has `terms`: joint indices with their coefficients, l = Σ c q.

    A spatial tendon has none: its path is that of its element. `force_range` [N] bounds the sum
    of its actuators' forces.
    """

    name: str
    terms: tuple[tuple[int, float], ...]
    force_range: Bounds
    element: mechanism.Tendon

    @property
    def source(self) -> Source | None:
        """Where the tendon stands in a file."""
        return self.element.source


@dataclass(frozen=True)
class Actuator:
    """The law p = gain·u + bias0 + bias1·l + bias2·l̇ on a transmission of length l.

    `target` is the index of a joint, tendon, site or body, as `transmission` says. `gear` (6)
    scales the transmission. `gain` is affine too: gain0 + gain1·l + gain2·l̇. `dynamics` other
    than NONE puts an activation between control and u. Muscles add their curves to gain and bias;
    they need the range of `lengths` that the transmission can have.
    """

    name: str
    transmission: TransmissionKind
    target: int
    gear: tuple[float, ...]
    ctrl_range: Bounds = UNBOUNDED
    force_range: Bounds = UNBOUNDED
    act_range: Bounds = UNBOUNDED
    gain: Affine = (1.0, 0.0, 0.0)
    bias: Affine = (0.0, 0.0, 0.0)
    dynamics: Activation = Activation.NONE
    dynamics_parameters: tuple[float, ...] = ()
    lengths: Bounds | None = None
    muscle_gain: MuscleCurve = NO_MUSCLE
    muscle_bias: MuscleCurve = NO_MUSCLE
    element: mechanism.Actuator | None = None

    @property
    def laws(self) -> tuple[Gain, Gain]:
        """What gain and bias follow."""
        written = self.element
        return (Gain.AFFINE, Gain.AFFINE) if written is None else (written.gain, written.bias)

    @property
    def affine(self) -> bool:
        """True when the affine law says all about the force; muscles and user laws have another."""
        return all(law in _AFFINE for law in self.laws)

    @property
    def fault(self) -> str | None:
        """Why the law is not computed, if it isn't."""
        if any(law not in (*_AFFINE, Gain.MUSCLE) for law in self.laws):
            return "its user law is not computed"
        if Gain.MUSCLE in self.laws and self.lengths is None:
            return "its muscle has no lengthrange, and its lengths don't settle in a search"
        return None

    @property
    def na(self) -> int:
        """Number of activations."""
        if self.dynamics is Activation.NONE:
            return 0
        stated = self.element.activation_dim if self.element else None
        return 1 if stated is None or stated < 0 else stated

    @property
    def source(self) -> Source | None:
        """Where the actuator stands in a file."""
        return self.element.source if self.element else None
