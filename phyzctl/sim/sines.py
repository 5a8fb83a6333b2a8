"""Sines on some controls, as a command line says them."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Sequence

import numpy as np

from phyzctl.errors import PhyzctlError
from phyzctl.model.model import Model
from phyzctl.sim.control import Constant, Sine, control_names, control_number


def sine_control(model: Model, stated: Sequence[str], base: Constant, start: float) -> Sine:
    """`NAME=AMPLITUDE,HZ`, perhaps with `,OFFSET`, for one or, with `*` in NAME, more controls.

    They swing about OFFSET, else about `base`, from the time `start` [s] on. Raises
    PhyzctlError for what is said otherwise, NotFoundError for a name that isn't there.
    """
    offset, amplitude, frequency = base.ctrl.copy(), *np.zeros((2, len(base.ctrl)))
    for option in stated:
        name, _, numbers = option.partition("=")
        values = _numbers(option, numbers)
        for index in _indices(model, name):
            amplitude[index], frequency[index] = values[:2]
            offset[index] = values[2] if len(values) > 2 else base.ctrl[index]
    return Sine(offset, amplitude, frequency, start, base.feedback)


def _indices(model: Model, pattern: str) -> list[int]:
    names = control_names(model)
    found = [i for i, name in enumerate(names) if fnmatch.fnmatchcase(name, pattern)]
    return found or [control_number(model, pattern)]


def _numbers(option: str, text: str) -> list[float]:
    try:
        values = [float(each) for each in text.split(",")]
    except ValueError:
        values = []
    if len(values) not in (2, 3) or not all(map(math.isfinite, values)):
        raise PhyzctlError(
            f"a sine is NAME=AMPLITUDE,HZ or NAME=AMPLITUDE,HZ,OFFSET, not {option!r}"
        )
    return values
