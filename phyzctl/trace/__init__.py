"""Traces: what came out of a run, with a header from which anybody can run it again.

`trace` holds the values, `header` what is known about them; `files` finds the format by the
file's suffix: `mcap`, `npz`, `csv` and `jsonl` are one module each with `open_sink` and `read`.
`writer` writes a file while the run goes on.
"""
