"""How a file that is written names the meshes of a Robot."""

from __future__ import annotations

import os

from phyzctl.robot.elements import Mesh
from phyzctl.robot.mechanism import Heightfield


def relative_path(asset: Mesh | Heightfield, folder: str | None) -> str | None:
    """Where the asset lies as seen from `folder`, with `/`; its URI when that isn't known."""
    if asset.file is None or folder is None:
        return asset.uri
    try:
        return os.path.relpath(asset.file, folder).replace(os.sep, "/")
    except ValueError:  # on another drive
        return asset.file
