"""The command's entry: answers `--version` at once and hands everything else to the CLI."""

from __future__ import annotations

import gc
import os
import sys

import phyzctl


def main() -> None:
    """Run the `phyzctl` command on `sys.argv` and exit with its code."""
    if sys.argv[1:] == ["--version"]:  # before anything heavy is imported
        sys.stdout.write(f"phyzctl {phyzctl.__version__}\n")
        return
    _tune()
    from phyzctl.cli.app import run

    try:
        run()
    finally:
        gc.freeze()  # the process ends: no use looking for cycles in all that it holds


def _tune() -> None:
    """Spare a short run what it doesn't need.

    No matrix here is large enough for BLAS to share between threads, and starting those takes a
    third of importing numpy. Looking for cycles among what is only just imported frees nothing.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)


if __name__ == "__main__":
    main()
