"""The arrays that a Dynamics is made from: their names, types and shapes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from phyzctl.native.checks import FLOAT64, INT32, check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phyzctl.native import System

# Arrays of a Dynamics by name: what its rows are, and the shape of one row.
_ROWS: dict[str, tuple[str, tuple[int, ...]]] = {
    "body_mass": ("body", ()),
    "body_com": ("body", (3,)),
    "body_inertia": ("body", (3, 3)),
    "body_gravcomp": ("body", ()),
    "body_axes": ("body", (4,)),
    "joint_stiffness": ("joint", ()),
    "joint_force_range": ("joint", (2,)),
    "joint_gravcomp": ("joint", ()),
    "armature": ("dof", ()),
    "damping": ("dof", ()),
    "tendon_stiffness": ("tendon", ()),
    "tendon_damping": ("tendon", ()),
    "tendon_rest": ("tendon", (2,)),
    "tendon_force_range": ("tendon", (2,)),
    "actuator_gear": ("actuator", (6,)),
    "actuator_ctrl_range": ("actuator", (2,)),
    "actuator_force_range": ("actuator", (2,)),
    "actuator_gain": ("actuator", (3,)),
    "actuator_bias": ("actuator", (3,)),
    "actuator_times": ("actuator", (3,)),
    "actuator_act_range": ("actuator", (2,)),
    "actuator_site": ("actuator", (7,)),
    "actuator_other_site": ("actuator", (7,)),
    "actuator_rod": ("actuator", ()),
    "actuator_muscle_gain": ("actuator", (8,)),
    "actuator_muscle_bias": ("actuator", (8,)),
}

_BLOCKS = {
    "body": "bodies",
    "joint": "joints",
    "dof": "dofs",
    "tendon": "tendons",
    "actuator": "actuators",
}

# The other arrays: type and shape, lengths by what is counted.
_WHOLE: dict[str, tuple[np.dtype[Any], tuple[str | int | None, ...]]] = {
    "gravity": (FLOAT64, (3,)),
    "medium": (FLOAT64, (5,)),
    "v_offset": (INT32, ("joint",)),
    "spring_q": (FLOAT64, ("position",)),
    "tendon_start": (INT32, (None,)),
    "term_joint": (INT32, (None,)),
    "term_coefficient": (FLOAT64, ("term",)),
    "step_start": (INT32, ("division",)),
    "step_body": (INT32, (None, 3)),
    "step_frame": (FLOAT64, ("step", 11)),
    "actuator_target": (INT32, (None, 3)),
    "actuator_activation": (INT32, ("actuator", 3)),
    "follower_joint": (INT32, (None, 2)),
    "follower_line": (FLOAT64, ("follower", 2)),
    "shape_body": (INT32, (None,)),
    "shapes": (FLOAT64, ("shape", 21)),
}


def checked_counts(system: System, arrays: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    """How many there are of everything, by arrays that are all there and of the right shapes."""
    if set(arrays) != {*_ROWS, *_WHOLE}:
        names = ", ".join((*_ROWS, *_WHOLE))
        raise ValueError(f"arrays must be {names}, not {', '.join(arrays)}")
    counts = {"body": system.nbody, "joint": system.njoint, "position": system.nq}
    counts |= {"dof": len(arrays["armature"]), "tendon": len(arrays["tendon_start"]) - 1}
    counts |= {"term": len(arrays["term_joint"]), "actuator": len(arrays["actuator_target"])}
    counts |= {"follower": len(arrays["follower_joint"]), "step": len(arrays["step_body"])}
    counts |= {"division": len(arrays["tendon_start"]), "shape": len(arrays["shape_body"])}
    shapes = dict(_WHOLE)
    shapes |= {name: (FLOAT64, (part, *row)) for name, (part, row) in _ROWS.items()}
    for name, (dtype, shape) in shapes.items():
        lengths = tuple(counts[size] if isinstance(size, str) else size for size in shape)
        check(name, arrays[name], dtype, lengths)
    return counts


def kernel_arrays(
    arrays: Mapping[str, NDArray[Any]], counts: Mapping[str, int]
) -> dict[str, NDArray[Any]]:
    """The same as the kernel takes them: one row a body, joint, and so on."""
    blocks = {_BLOCKS[part]: _block(arrays, part, counts[part]) for part in _BLOCKS}
    return blocks | {name: arrays[name] for name in _WHOLE}


def _block(rows: Mapping[str, NDArray[np.float64]], part: str, count: int) -> NDArray[np.float64]:
    """The arrays of bodies, joints, … side by side, in the order of `_ROWS`."""
    mine = [(name, math.prod(row)) for name, (owner, row) in _ROWS.items() if owner == part]
    return np.concatenate([rows[name].reshape(count, width) for name, width in mine], axis=1)
