"""The git repository around a file, and what git says of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from phyzctl.errors import PhyzctlError


@cache
def repository(folder: Path) -> Path | None:
    """The root of the repository that a folder lies in, None outside of any."""
    roots = (each for each in (folder, *folder.parents) if (each / ".git").exists())
    return next(roots, None)


def repository_path(path: str) -> str:
    """The path from the root of the git repository around it, else as it is; with slashes."""
    here = Path(os.path.abspath(path))  # keeps links as they are named
    root = repository(here.parent)
    return Path(path).as_posix() if root is None else here.relative_to(root).as_posix()


def changed_files(root: Path, ref: str) -> frozenset[str]:
    """Absolute paths of what differs from where `ref` and the present parted, deleted included.

    Files that git doesn't know yet, and doesn't ignore, differ too. Raises `PhyzctlError` when
    git can't tell.
    """
    commit = _git(
        root, ref, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
    )
    base = _git(root, ref, "merge-base", commit.strip(), "HEAD").strip()
    changed = _git(root, ref, "diff", "--name-only", "--no-renames", "-z", base, "--")
    unknown = _git(root, ref, "ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(_paths(root, changed + unknown))


def _paths(root: Path, names: str) -> Iterator[str]:
    """What a file is called, and what that name leads to through links."""
    for name in filter(None, names.split("\0")):
        yield os.path.join(root, name)
        yield os.path.realpath(os.path.join(root, name))


def _git(root: Path, ref: str, *arguments: str) -> str:
    import subprocess  # here, since few runs ask git

    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise PhyzctlError(f"--changed-since needs git: {error.strerror or error}") from error
    if done.returncode != 0:
        raise PhyzctlError(f"--changed-since {ref}: {_reason(arguments[0], done.stderr)}")
    return os.fsdecode(done.stdout)


def _reason(verb: str, complaint: bytes) -> str:
    said = os.fsdecode(complaint).strip().rpartition("\n")[2]
    if verb == "rev-parse" and not said:
        return "git knows no such commit, branch or tag; is it fetched?"
    if verb == "merge-base" and not said:
        return "has no common history with the present one, as far as it is fetched here"
    return said or f"git {verb} failed"
