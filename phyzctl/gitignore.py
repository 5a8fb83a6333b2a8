"""Which files the globs of a `.gitignore` mean, as git reads them; works without git."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from phyzctl.records import dataclass


@dataclass(frozen=True)
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


def speak_of(path: Path, patterns: list[Pattern]) -> bool:
    """True when the last pattern that means the file, or a folder around it, is not negated."""
    folders = [folder.as_posix() for folder in path.parents]
    for pattern in reversed(patterns):
        if pattern.matches(path.as_posix(), is_folder=False) or any(
            pattern.matches(folder, is_folder=True) for folder in folders
        ):
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


_TOKEN = re.compile(
    r"""^\*\*/ | /\*\*/ | /\*\*$      # any folders
    | \*+ | \?                        # within a part of the path
    | \[[!^]?\]?(?:\\.|[^\]\\])*\]    # a set, in which a leading ] is a member
    | \\. | [^*?\[\\/]+ | .""",
    re.DOTALL | re.VERBOSE,
)
_MEMBER = re.compile(r"(\\?.)(?:-(\\?[^\]]))?", re.DOTALL)
_WILD = {"**/": "(?:.*/)?", "/**/": "/(?:.*/)?", "/**": "/.+", "?": "[^/]"}


def _translate(glob: str, *, anchored: bool) -> re.Pattern[str] | None:
    """The pattern as a regular expression; None for an unclosed set, which matches nothing."""
    tokens = [match.group() for match in _TOKEN.finditer(glob)]
    if "[" in tokens:
        return None
    start = "" if anchored else "(?:.*/)?"
    return re.compile(start + "".join(map(_translate_token, tokens)), re.DOTALL)


def _translate_token(token: str) -> str:
    if token in _WILD:
        return _WILD[token]
    if token.startswith("*"):
        return "[^/]*"
    if token.startswith("["):
        negated = token[1] in "!^"
        members = "".join(map(_translate_member, _MEMBER.finditer(token[1 + negated : -1])))
        return f"(?!/)[{'^' if negated else ''}{members}]"
    return re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)


def _translate_member(match: re.Match[str]) -> str:
    """One character or a range of a set; a range the wrong way is its first character."""
    first, last = (
        group and re.escape(group.removeprefix("\\") or "\\") for group in match.groups()
    )
    ends = (match.group(1)[-1:], (match.group(2) or "")[-1:])
    return f"{first}-{last}" if last and ends[0] <= ends[1] else f"{first}"
