"""What the door refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

FLOAT64 = np.dtype(np.float64)
INT32 = np.dtype(np.int32)


def check(name: str, array: object, dtype: np.dtype[Any], shape: tuple[int | None, ...]) -> None:
    """Refuse what is not a C-contiguous array of `dtype` and `shape`; None is any length."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = getattr(array, "dtype", type(array).__name__)
        raise ValueError(f"{name} must have dtype {dtype}, not {kind}")
    found = array.shape
    if found != shape and not _fits(found, shape):  # the first is the quicker question
        wanted = ", ".join("n" if want is None else str(want) for want in shape)
        wanted = f"({wanted},)" if len(shape) == 1 else f"({wanted})"
        raise ValueError(f"{name} must have shape {wanted}, not {found}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous; see numpy.ascontiguousarray")


def _fits(found: tuple[int, ...], shape: tuple[int | None, ...]) -> bool:
    if len(found) != len(shape):
        return False
    return all(want in (None, size) for want, size in zip(shape, found, strict=True))
