"""Judging a robot description: the engine in `engine.py`, one module a rule in `rules/`."""
