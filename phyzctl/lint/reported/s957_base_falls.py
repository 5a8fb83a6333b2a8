"""A floating base drops or tips over while its joints are held.

What it checks
    In `phyzctl smoke`: the base sinks by more than 5 cm, or turns by more than 20 degrees.

Why it matters
    The start pose stands above the ground, in it, or out of balance, so that every experiment
    begins with a fall.

Fix
    Start from a keyframe that stands, or set the base at the height where the feet touch.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.BASE_FALLS
REPORTED_BY = "sim"
