"""MJCF, the description language of MuJoCo: reading and writing."""

from __future__ import annotations

from phyzctl.formats.format import Format, reader_in, writer_in

FORMAT = Format(
    "mjcf",
    frozenset({"mujoco"}),
    reader_in("phyzctl.formats.mjcf.read"),
    writer_in("phyzctl.formats.mjcf.write"),
)
