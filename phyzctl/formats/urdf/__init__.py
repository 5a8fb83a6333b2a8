"""URDF 1.0, 1.1 and 1.2: reading."""

from __future__ import annotations

from phyzctl.formats.format import Format
from phyzctl.formats.urdf.read import read

FORMAT = Format("urdf", frozenset({"robot"}), read)
