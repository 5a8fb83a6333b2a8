"""The command's entry: answers `--version` at once and hands everything else to the CLI."""

from __future__ import annotations

import sys

import phyzctl


def main() -> None:
    """Run the `phyzctl` command on `sys.argv` and exit with its code."""
    if sys.argv[1:] == ["--version"]:  # before anything heavy is imported
        sys.stdout.write(f"phyzctl {phyzctl.__version__}\n")
        return
    from phyzctl.cli.app import run

    run()


if __name__ == "__main__":
    main()
