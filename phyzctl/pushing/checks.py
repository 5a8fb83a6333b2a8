"""What a parameter must be, and the error that says which one isn't."""

from __future__ import annotations

import math
from typing import Any

from phyzctl.errors import PhyzctlError


class ParameterError(PhyzctlError, ValueError):
    """A parameter that makes no sense; `field` is its name."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(f"{field} {message}")


def require_finite(field: str, value: float) -> None:
    """Refuse what is not a finite number."""
    if not _is_finite(value):
        raise ParameterError(field, f"must be a finite number, not {value!r}")


def require_positive(field: str, value: float) -> None:
    """Refuse what is not a finite number above 0."""
    if not _is_finite(value) or value <= 0:
        raise ParameterError(field, f"must be a finite number above 0, not {value!r}")


def require_not_negative(field: str, value: float) -> None:
    """Refuse what is not a finite number of at least 0."""
    if not _is_finite(value) or value < 0:
        raise ParameterError(field, f"must be a finite number of at least 0, not {value!r}")


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except TypeError:
        return False
