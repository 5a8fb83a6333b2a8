"""The `phyzctl` command: finds the verb, imports only that, and runs it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

import phyzctl
from phyzctl.cli import streams
from phyzctl.cli.outcome import Outcome
from phyzctl.cli.verbs import VERBS
from phyzctl.errors import PhyzctlError, did_you_mean


class _Verbs(TyperGroup):
    """The group of all verbs, none of which is imported before it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in VERBS:
            return None
        command = get_command(importlib.import_module(f"phyzctl.cli.{cmd_name}").app)
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            hint = did_you_mean(name, VERBS) or f"; the verbs are {', '.join(VERBS)}"
            raise PhyzctlError(f"there is no verb {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


app = typer.Typer(
    cls=_Verbs,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    subcommand_metavar="VERB …",
    no_args_is_help=True,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        streams.write(f"phyzctl {phyzctl.__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of a failure within phyzctl.")
    ] = False,
) -> None:
    """Lint and inspect robot descriptions (URDF and MJCF)."""


def run(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit; `argv` defaults to the process's own arguments."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    streams.prepare()
    with Outcome(debug="--debug" in arguments):
        get_command(app)(_without_debug(arguments), prog_name="phyzctl")


def _without_debug(arguments: list[str]) -> list[str]:
    """`--debug` may stand behind the verb too, but not behind `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [word for index, word in enumerate(arguments) if word != "--debug" or index > end]
