"""What the compiler makes of a Robot, and what kinematics makes of a Model."""

from __future__ import annotations

from phyzctl.model.actuator import Actuator, Tendon
from phyzctl.model.body import Body, Pair
from phyzctl.model.constraint import Equality, Site
from phyzctl.model.geom import Geom
from phyzctl.model.joint import Joint
from phyzctl.model.material import ContactRules
from phyzctl.model.passes.tree import Base
from phyzctl.records import dataclass
from phyzctl.robot.robot import Robot
from phyzctl.spatial import Array


@dataclass(frozen=True, eq=False)
class Parts:
    """What the compiler's passes made of a Robot."""

    robot: Robot
    base: Base
    contact_rules: ContactRules
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    world_geoms: tuple[Geom, ...]
    sites: tuple[Site, ...]
    tendons: tuple[Tendon, ...]
    actuators: tuple[Actuator, ...]
    equalities: tuple[Equality, ...]
    contact_exclude: tuple[Pair, ...]
    contact_pairs: tuple[Pair, ...]
    gravity: Array
    dt: float


@dataclass(frozen=True, eq=False)
class Placements:
    """Poses in the world: `bodies` X_WB (..., nbody, 4, 4), `geoms` X_WG (..., ngeom, 4, 4)."""

    bodies: Array
    geoms: Array
