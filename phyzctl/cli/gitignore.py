"""Which files git ignores, by the `.gitignore` files around them; works without git."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a `.gitignore`: what it matches, below which folder, and which way it decides."""

    regex: re.Pattern[str]
    folder: str
    negated: bool
    folders_only: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """True when the line speaks of that absolute path."""
        inside = path.removeprefix(self.folder)
        speaks = is_folder or not self.folders_only
        return speaks and inside != path and self.regex.fullmatch(inside) is not None


def ignored(path: str, patterns: list[Pattern], *, is_folder: bool) -> bool:
    """True when the last pattern that matches is not negated. Folders above are not looked at."""
    for pattern in reversed(patterns):
        if pattern.matches(path, is_folder=is_folder):
            return not pattern.negated
    return False


def patterns_above(folder: Path) -> list[Pattern]:
    """The patterns of the folders above, from the repository's root down; [] outside of one."""
    above: list[Path] = []
    for parent in folder.parents if not (folder / ".git").exists() else ():
        above.append(parent)
        if (parent / ".git").exists():
            return [pattern for place in reversed(above) for pattern in patterns_in(place)]
    return []


def patterns_in(folder: Path) -> list[Pattern]:
    """The patterns of a folder's own `.gitignore`, in order; none when it can't be read."""
    try:
        text = (folder / ".gitignore").read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError:
        return []
    return list(parse(text, folder.as_posix()))


def parse(text: str, folder: str) -> Iterator[Pattern]:
    """The patterns in the text of a `.gitignore` that lies in `folder`."""
    for line in text.splitlines():
        stated = _without_trailing_blanks(line)
        negated = stated.startswith("!")
        stated = stated[1:] if negated else stated
        if not stated or line.startswith("#"):
            continue
        folders_only = stated.endswith("/")
        stated = stated.rstrip("/") if folders_only else stated
        anchored = "/" in stated
        if regex := _translate(stated.removeprefix("/"), anchored=anchored):
            yield Pattern(regex, f"{folder.rstrip('/')}/", negated, folders_only)


def _without_trailing_blanks(line: str) -> str:
    stripped = line.rstrip(" ")
    escaped = (len(stripped) - len(stripped.rstrip("\\"))) % 2 == 1
    return f"{stripped} " if escaped and len(stripped) < len(line) else stripped


_TOKEN = re.compile(r"^\*\*/|/\*\*/|/\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|[^*?\[\\/]+|.", re.DOTALL)


def _translate(glob: str, *, anchored: bool) -> re.Pattern[str] | None:
    parts = [] if anchored else ["(?:.*/)?"]
    parts += [_translate_token(match.group()) for match in _TOKEN.finditer(glob)]
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error:  # such as the range [z-a], which git never matches
        return None


def _translate_token(token: str) -> str:
    wild = {"**/": "(?:.*/)?", "/**/": "/(?:.*/)?", "/**": "/.+", "?": "[^/]"}
    if token in wild:
        return wild[token]
    if token.startswith("*"):
        return "[^/]*"
    if token.startswith("[") and len(token) > 2:
        negated = token[1] in "!^"
        members = token[2 if negated else 1 : -1].replace("\\", "\\\\").replace("[", "\\[")
        return f"(?!/)[{'^' if negated else ''}{members}]"
    return re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)
