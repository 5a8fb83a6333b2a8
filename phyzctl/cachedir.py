"""Where phyzctl keeps what it would otherwise work out again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PHYZCTL_CACHE_DIR"


def cache_dir() -> Path:
    """The folder of all caches: PHYZCTL_CACHE_DIR, else below the platform's folder of caches."""
    stated = os.environ.get(VARIABLE, "")
    return Path(os.path.abspath(stated)) if stated else _of_platform() / "phyzctl"


def _of_platform() -> Path:
    stated = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(stated):
        return Path(stated)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    local = os.environ.get("LOCALAPPDATA", "")
    if sys.platform == "win32" and os.path.isabs(local):
        return Path(local)
    return Path.home() / ".cache"
