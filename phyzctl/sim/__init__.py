"""Simulation: what moves a Model through time, and what a run leaves behind.

`engine` is the one door to the kernel's steps; `run` leads it through a run, block by block, with
a `control`, from a `start`; `divergence` says why a run broke; `recording` makes the trace.
"""
