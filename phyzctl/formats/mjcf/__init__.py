"""MJCF, the description language of MuJoCo: reading."""

from __future__ import annotations

from phyzctl.formats.format import Format, reader_in

FORMAT = Format("mjcf", frozenset({"mujoco"}), reader_in("phyzctl.formats.mjcf.read"))
