"""A package that can't be found.

What it checks
    The package that a `package://` or `model://` path names lies in a folder around the file, on
    ROS_PACKAGE_PATH or AMENT_PREFIX_PATH, or where --package-path says. One finding a package.

Why it matters
    Its meshes can't be read, so nothing that depends on shapes can be judged. It says more about
    this machine than about the file: robots are seldom complete outside of their workspace.

Fix
    Say where the package is: --package-path NAME=DIR, or package_path in phyzctl.toml.

Exceptions
    An info where the meshes are found near the file all the same.
"""

from __future__ import annotations

from phyzctl import codes

CODE = codes.PACKAGE_NOT_FOUND
FORMATS = frozenset({"urdf"})
REPORTED_BY = "reader"
