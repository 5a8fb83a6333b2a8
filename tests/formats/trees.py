"""Small trees of files, and resolvers that see nothing else of this machine."""

from __future__ import annotations

from pathlib import Path

from phyzctl.formats.assets import AssetResolver, Resolved

MANIFEST = (
    '<?xml version="1.0"?><package format="3"><!--<name>old</name>--><name> {} </name></package>'
)


def tree(top: Path, *paths: str) -> None:
    """Make files; `x/package.xml:name` is the manifest of package `name`."""
    for each in paths:
        place, _, package = each.partition(":")
        path = top / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(MANIFEST.format(package) if package else "mesh", encoding="utf-8")


def resolver(base: Path, **options: object) -> AssetResolver:
    """One that sees nothing of this machine's environment."""
    return AssetResolver(base, **{"environment": {}, **options})  # type: ignore[arg-type]


def found(resolved: Resolved, top: Path) -> str | None:
    """The resolved path below `top`, with slashes."""
    return resolved.path and Path(resolved.path).relative_to(top).as_posix()
