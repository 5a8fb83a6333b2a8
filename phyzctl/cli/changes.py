"""Which robots a change concerns: through their own file, what they include, meshes, settings."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import field
from pathlib import Path

from phyzctl.cli.checking import read_target
from phyzctl.cli.choices import Choices
from phyzctl.cli.repository import changed_files, repository
from phyzctl.cli.targets import Target
from phyzctl.cli.variants import runs
from phyzctl.config import Config
from phyzctl.disk import watched
from phyzctl.errors import PhyzctlError, UnreadableError
from phyzctl.issues import Issues
from phyzctl.records import dataclass


@dataclass
class Changes:
    """What changed since `ref`, a commit, branch or tag of git."""

    ref: str
    choices: Choices
    _known: dict[Path, frozenset[str]] = field(default_factory=dict, init=False)

    def among(self, targets: Iterable[Target]) -> list[Target]:
        """Those targets that the changes concern."""
        return [target for target in targets if self.concern(target)]

    def concern(self, target: Target) -> bool:
        """True when reading the robot asks for a file that changed, or went; or for stdin."""
        if target.data is not None:
            return True
        changed = self._changed_around(target.path)
        config = self.choices.config(target.path)
        return any(path in changed for path in self._read_for(target, config))

    def _read_for(self, target: Target, config: Config) -> Iterator[str]:
        """Every file that judging a robot depends on, also those that aren't there."""
        yield os.path.abspath(target.path)
        layer: Config | None = config
        while layer is not None:
            yield from [os.path.abspath(layer.file)] if layer.file else []
            layer = layer.base
        for run in runs(config):
            with watched() as witness, contextlib.suppress(UnreadableError):
                read_target(target, Issues(), run)
            for question in witness.answers:
                yield from (question.path, os.path.realpath(question.path))

    def _changed_around(self, path: str) -> frozenset[str]:
        """What changed in the repository that holds the path."""
        root = repository(Path(os.path.abspath(path)).parent)
        if root is None:
            raise PhyzctlError(f"--changed-since asks git, but {path!r} lies in no repository")
        if root not in self._known:
            self._known[root] = changed_files(root, self.ref)
        return self._known[root]
