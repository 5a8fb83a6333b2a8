"""Small robots for the tests of exclude, as text."""

from __future__ import annotations

from phyzctl import formats
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.model import Model


def model_of(text: str, *, base: str = "auto") -> Model:
    """The Model of a URDF or MJCF text, which must have no errors."""
    issues = Issues()
    robot = formats.read_bytes(text.encode(), "robot.xml", issues).robot
    assert robot is not None
    assert not issues.errors, [str(issue) for issue in issues.errors]
    return compiler.compile(robot, base=base)  # type: ignore[arg-type]


def mjcf(body: str, rest: str = "", compiler_: str = 'angle="radian"') -> str:
    """An MJCF document around the content of its worldbody."""
    return f"<mujoco><compiler {compiler_}/><worldbody>{body}</worldbody>{rest}</mujoco>"


def joint(name: str, kind: str = "hinge", **attributes: str) -> str:
    """A joint of an MJCF body."""
    words = {"axis": "0 0 1", **attributes}
    inside = " ".join(f'{key}="{value}"' for key, value in words.items())
    return f'<joint name="{name}" type="{kind}" {inside}/>'


def ball(radius: float = 0.1, pos: str = "0 0 0") -> str:
    """A spherical geom of an MJCF body."""
    return f'<geom type="sphere" size="{radius}" pos="{pos}"/>'
