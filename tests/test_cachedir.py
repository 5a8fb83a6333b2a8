"""Where caches lie, by the environment and the platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from phyzctl.cachedir import cache_dir

HOME = Path.home()
CASES = [
    ("linux", {}, HOME / ".cache/phyzctl"),
    ("linux", {"XDG_CACHE_HOME": "/x"}, Path("/x/phyzctl")),
    ("linux", {"XDG_CACHE_HOME": "relative"}, HOME / ".cache/phyzctl"),
    ("linux", {"LOCALAPPDATA": "/local"}, HOME / ".cache/phyzctl"),
    ("darwin", {}, HOME / "Library/Caches/phyzctl"),
    ("darwin", {"XDG_CACHE_HOME": "/x"}, Path("/x/phyzctl")),
    ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/phyzctl")),
    ("win32", {}, HOME / ".cache/phyzctl"),
    ("linux", {"PHYZCTL_CACHE_DIR": "/own", "XDG_CACHE_HOME": "/x"}, Path("/own")),
    ("linux", {"PHYZCTL_CACHE_DIR": "own"}, Path.cwd() / "own"),
    ("linux", {"PHYZCTL_CACHE_DIR": ""}, HOME / ".cache/phyzctl"),
]


@pytest.mark.parametrize(("platform", "environment", "expected"), CASES)
def test_where_caches_lie(
    platform: str, environment: dict[str, str], expected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PHYZCTL_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_dir() == expected
