"""The door to muscles: their curves of force by length and speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phyzctl.native import _kernel
from phyzctl.native.checks import FLOAT64, check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def muscle_forces(
    gain: NDArray[np.float64], bias: NDArray[np.float64], length: float, speed: float
) -> tuple[float, float]:
    """The active force at full activation and the passive one, by the curves of gain and bias (8,).

    Raises:
        ValueError: wrong type, shape or layout.
    """
    check("gain", gain, FLOAT64, (8,))
    check("bias", bias, FLOAT64, (8,))
    return _kernel.muscle_forces(gain, bias, float(length), float(speed))
