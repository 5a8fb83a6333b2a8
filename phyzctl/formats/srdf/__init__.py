"""SRDF: which links of a URDF never need testing against each other, and how joints are used.

An SRDF adds to a robot instead of being one, so it has no `Format` and no place among those
that `formats.read` recognises; `read_srdf` reads it, `rewritten` changes its pairs in place.
"""

from __future__ import annotations

from phyzctl.formats.srdf.merge import srdf_of, with_pairs_of
from phyzctl.formats.srdf.read import parse_srdf, read_srdf
from phyzctl.formats.srdf.semantics import REASONS, DisabledPair, GroupState, LinkPair, Srdf
from phyzctl.formats.srdf.write import new_srdf, rewritten

__all__ = [
    "REASONS",
    "DisabledPair",
    "GroupState",
    "LinkPair",
    "Srdf",
    "new_srdf",
    "parse_srdf",
    "read_srdf",
    "rewritten",
    "srdf_of",
    "with_pairs_of",
]
