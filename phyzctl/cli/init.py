"""`phyzctl init`: settings, and jobs that run phyzctl, for a repository that has none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phyzctl.cli import options, streams
from phyzctl.cli.templates import GITHUB, GITLAB, PRE_COMMIT, SETTINGS
from phyzctl.config import FILE_NAME, find_config
from phyzctl.errors import NotFoundError, PhyzctlError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def init(
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="The repository.")] = ".",
    *,
    github: Annotated[bool, typer.Option("--github", help="A workflow for GitHub, too.")] = False,
    gitlab: Annotated[bool, typer.Option("--gitlab", help="A job for GitLab, too.")] = False,
    pre_commit: Annotated[
        bool, typer.Option("--pre-commit", help="A hook for pre-commit, too.")
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Write phyzctl.toml, and jobs that run phyzctl, where there are none.

    No file that is there is changed; what would have to be added to it is printed.
    """
    root = Path(folder)
    if not root.is_dir():
        raise NotFoundError(f"there is no folder {folder!r}")
    stated = find_config(root)
    if stated is None or stated.parent != root.absolute():
        _write(root / FILE_NAME, SETTINGS, quiet=quiet)
    elif not quiet:
        streams.note(f"{stated} holds settings already, and is left as it is")
    jobs = {
        ".github/workflows/phyzctl.yml": (github, GITHUB),
        ".gitlab-ci.yml": (gitlab, GITLAB),
        ".pre-commit-config.yaml": (pre_commit, PRE_COMMIT),
    }
    for name, (wanted, text) in jobs.items():
        if wanted:
            _write(root / name, text, quiet=quiet)


def _write(path: Path, text: str, *, quiet: bool) -> None:
    """Write a file that isn't there; print what it should hold when another is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        if path.is_file() and path.read_bytes() == text.encode():
            return
        streams.note(f"{path} is there already, and is left as it is; add to it:")
        streams.write(text)
    except OSError as error:
        raise PhyzctlError(f"can't write {str(path)!r}: {error.strerror or error}") from error
    else:
        if not quiet:
            streams.note(f"wrote {path}")
