"""Every kind of mistake. A module enters its own when it is imported."""

from __future__ import annotations

from tests.benchmarks.planting import mjcf, mjcf_acting, urdf, urdf_joints, urdf_parts

MODULES = (urdf, urdf_joints, urdf_parts, mjcf, mjcf_acting)
PLANTERS = (*urdf.URDF, *mjcf.MJCF)
