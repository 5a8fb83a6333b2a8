"""MJCF, the description language of MuJoCo: reading."""

from __future__ import annotations

from phyzctl.formats.format import Format
from phyzctl.formats.mjcf.read import read

FORMAT = Format("mjcf", frozenset({"mujoco"}), read)
