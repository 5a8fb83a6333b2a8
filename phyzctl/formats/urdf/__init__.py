"""URDF 1.0, 1.1 and 1.2: reading and writing."""

from __future__ import annotations

from phyzctl.formats.format import Format, reader_in, writer_in

FORMAT = Format(
    "urdf",
    frozenset({"robot"}),
    reader_in("phyzctl.formats.urdf.read"),
    writer_in("phyzctl.formats.urdf.write"),
)
