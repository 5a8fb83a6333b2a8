"""What is run: a verb, its arguments and its files, one of which was spoiled or made up."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from phyzctl.trace.files import SUFFIXES
from tests.corpus import SAMPLES
from tests.soak import seeds
from tests.soak.mutate import spoiled
from tests.soak.mutatexml import restructured
from tests.soak.strategies import FORMATS, documents

_BATCH = 40  # documents that hypothesis makes at a time


@dataclass(frozen=True)
class Case:
    """A run of the command in a folder that holds `files`.

    `spoiled` is the name of the file that may be made smaller when something is found; `origin`
    says where its text came from. What lies in the folder `beside` stands beside the files too.
    `codes` are the exit codes that are right for a file like this.
    """

    verb: str
    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(repr=False)
    spoiled: str
    origin: str
    beside: Path | None = None
    codes: frozenset[int] = frozenset({0, 1, 2, 3})

    def with_content(self, data: bytes) -> Case:
        """The same case with another text in the spoiled file."""
        return replace(self, files={**self.files, self.spoiled: data})


class Cases:
    """Cases without end; the same seed makes the same ones, as long as the same files are there."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)
        self.urdfs = seeds.robots("robot")
        self.mjcfs = seeds.robots("mujoco")
        self.srdfs = (seeds.SRDF, *(path.read_bytes() for path in seeds.files(".srdf")))
        self._made: list[tuple[str, bytes, str]] = []

    def next(self) -> Case:
        """The next case."""
        return self.rng.choice(_MAKERS)(self)

    def robot(self) -> Case:
        """A verb over a spoiled robot description."""
        name, data, origin, beside = self._spoiled_robot()
        verb, argv = self._robot_verb(name)
        if beside not in {None, SAMPLES, seeds.RULE_CASES}:  # those have meshes, large ones
            argv = tuple(word for word in argv if word != "--deep")
            argv = (*argv, "--no-prove") if verb == "exclude" else argv
        files = {name: data, "other.urdf": _sample(seeds.ROBOT)}
        codes = _CODES.get(verb, frozenset({0, 1, 2, 3}))
        return Case(verb, argv, files, name, origin, beside, codes)

    def _robot_verb(self, name: str) -> tuple[str, tuple[str, ...]]:
        pick = self.rng.choice
        few = ("--samples", pick(("0", "1", "20")), "--work", "2e8", "--jobs", "1")
        form = pick(("text", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown"))
        out = pick(("out.urdf", "out.xml", "out.json"))
        fuse, base = pick(((), ("--fuse",))), pick(("auto", "fixed", "floating"))
        drive = pick(("none", "motor", "position"))
        return pick(
            (
                ("validate", ("validate", name, "--format", form)),
                ("validate", ("validate", name, "--pedantic")),
                ("validate", ("validate", name, "--deep", "--pedantic")),
                ("validate", ("validate", name, "--unsafe-fixes", "--diff")),
                ("validate", ("validate", name, "--fix", "--unsafe-fixes")),
                ("convert", ("convert", name, "-o", out, *fuse)),
                ("convert", ("convert", name, "-o", out, "--base", base, "--actuators", drive)),
                ("info", ("info", name, "--format", pick(("text", "json")))),
                ("tree", ("tree", name)),
                ("diff", ("diff", name, "other.urdf")),
                ("diff", ("diff", "other.urdf", name, "--format", "json")),
                ("exclude", ("exclude", "suggest", name, *few, "--base", base)),
                ("exclude", ("exclude", "suggest", name, *few, "--write")),
                ("check", ("check", name)),
                ("simulate", ("simulate", name, "-n", "5", "-o", "out.npz", "--base", base)),
                ("simulate", ("simulate", name, "-n", "3", "--integrator", "rk4")),
                ("smoke", ("smoke", name, "--duration", "0.01", "--base", base)),
                ("attach", ("convert", name, "-o", out, "--attach", "other.urdf", "--to", "base")),
                ("attach", ("convert", "other.urdf", "-o", out, *_ATTACHED, "--attach", name)),
                ("targets", ("validate", name, "--target", _TARGETS)),
            )
        )

    def _spoiled_robot(self) -> tuple[str, bytes, str, Path | None]:
        form = self.rng.choice(("urdf", "mjcf"))
        name = "robot.urdf" if form == "urdf" else "robot.xml"
        if self.rng.random() < 0.35:
            form, data, origin = self._generated()
            name = "robot.urdf" if form == "urdf" else "robot.xml"
            return name, data, origin, None
        path = self.rng.choice(self.urdfs if form == "urdf" else self.mjcfs)
        data, how = self._spoil_xml(path.read_bytes())
        return name, data, f"{how} of {path.name}", path.parent

    def _spoil_xml(self, data: bytes) -> tuple[bytes, str]:
        if self.rng.random() < 0.6:
            changed = restructured(data, self.rng)
            if changed is not None:
                if self.rng.random() < 0.1:
                    return spoiled(changed, self.rng), "structure and bytes"
                return changed, "structure"
        return spoiled(data, self.rng), "bytes"

    def _generated(self) -> tuple[str, bytes, str]:
        if not self._made:
            form = self.rng.choice(sorted(FORMATS))
            orderly, number = self.rng.random() < 0.5, self.rng.randrange(1 << 32)
            kind = "orderly" if orderly else "disorderly"
            origin = f"{kind} {form}, hypothesis seed {number}"
            for data in draw_documents(form, number, orderly=orderly):
                self._made.append((form, data, origin))
                changed = restructured(data, self.rng) or data
                self._made.append((form, changed, f"structure of {origin}"))
        return self._made.pop()

    def json(self) -> Case:
        """A verb over a spoiled description in JSON."""
        path = self.rng.choice((*sorted(SAMPLES.glob("*.urdf")), *sorted(SAMPLES.glob("*.xml"))))
        data = spoiled(seeds.as_json(path), self.rng)
        verb, argv = self._robot_verb("robot.json")
        files = {"robot.json": data, "other.urdf": _sample(seeds.ROBOT)}
        codes = _CODES.get(verb, frozenset({0, 1, 2, 3}))
        return Case(f"{verb} json", argv, files, "robot.json", path.name, None, codes)

    def mesh(self) -> Case:
        """A robot whose mesh is spoiled."""
        suffix = self.rng.choice(sorted(seeds.meshes()))
        content = self.rng.choice(seeds.meshes()[suffix])
        mesh, robot = f"m{suffix}", self.rng.choice(("urdf", "xml"))
        data, how = (
            self._spoil_xml(content) if suffix == ".dae" else (spoiled(content, self.rng), "")
        )
        text = (_MESH_URDF if robot == "urdf" else _MESH_MJCF).replace("FILE", mesh)
        name = f"robot.{robot}"
        few = ("--samples", "5", "--work", "2e8", "--jobs", "1")
        argv = self.rng.choice(
            (
                ("validate", name, "--deep", "--pedantic"),
                ("info", name),
                ("check", name),
                ("convert", name, "-o", "out.xml"),
                ("exclude", "suggest", name, *few),
            )
        )
        return Case("mesh " + suffix, argv, {name: text.encode(), mesh: data}, mesh, f"{how} mesh")

    def scene(self) -> Case:
        """A check whose scene is spoiled."""
        data = spoiled((SAMPLES / "scenes" / "table.toml").read_bytes(), self.rng)
        files = {"arm.urdf": _sample("six_axis_arm.urdf"), "scene.toml": data}
        argv = ("check", "arm.urdf", "--scene", "scene.toml", "--picture", "out.svg")
        return Case("check --scene", argv, files, "scene.toml", "table.toml")

    def motion(self) -> Case:
        """A check whose way is spoiled: way-points or a trace."""
        suffix = self.rng.choice((*seeds.traces(), "plain"))
        files = {seeds.ROBOT: _sample(seeds.ROBOT)}
        if suffix == "plain":
            name = "t.csv"
            files[name] = spoiled(b"time,shoulder,elbow\n0,0,0\n1,0.5,-0.5\n2,1,0\n", self.rng)
        else:
            files |= {f"t{each}": data for each, data in seeds.traces().items()}
            name = f"t{suffix}"
            files[name] = spoiled(files[name], self.rng)
        argv = ("check", seeds.ROBOT, "--trajectory", name.removesuffix(".meta.json"))
        return Case(f"check --trajectory {suffix}", argv, files, name, "trace")

    def push(self) -> Case:
        """A spoiled push scenario."""
        path = self.rng.choice(sorted((SAMPLES / "push").glob("*.toml")))
        out = self.rng.choice(("out.mcap", "out.npz", "out.csv", "out.jsonl"))
        argv = ("push", "s.toml", "-o", out, "--picture", "out.svg")
        data = spoiled(path.read_bytes(), self.rng)
        return Case("push", argv, {"s.toml": data}, "s.toml", path.name)

    def srdf(self) -> Case:
        """A spoiled SRDF beside a robot."""
        ours = self.rng.random() < 0.5
        data, how = self._spoil_xml(seeds.SRDF if ours else self.rng.choice(self.srdfs))
        files = {"arm.urdf": _sample("six_axis_arm.urdf"), "arm.srdf": data}
        few = ("--samples", "5", "--jobs", "1")
        argv = self.rng.choice(
            (
                ("exclude", "lint", "arm.urdf", "--srdf", "arm.srdf", *few),
                ("exclude", "suggest", "arm.urdf", "--srdf", "arm.srdf", *few, "--write"),
                ("check", "arm.urdf", "--srdf", "arm.srdf", "--key", "ready"),
            )
        )
        return Case("srdf", argv, files, "arm.srdf", f"{how} srdf")

    def xacro(self) -> Case:
        """A verb over a spoiled xacro, or over one that includes a spoiled library."""
        main, library = seeds.XACRO, seeds.XACRO_LIBRARY
        name = self.rng.choice(("robot.urdf.xacro", "parts.xacro"))
        data, how = self._spoil_xml(main if name.startswith("robot") else library)
        files = {"robot.urdf.xacro": main, "parts.xacro": library, name: data}
        files["other.urdf"] = _sample(seeds.ROBOT)
        verb, argv = self._robot_verb("robot.urdf.xacro")
        if verb in {"validate", "info", "tree", "convert"} and self.rng.random() < 0.3:
            argv = (*argv, "--xacro-arg", "side=right")
        codes = _CODES.get(verb, frozenset({0, 1, 2, 3}))
        return Case(f"{verb} xacro", argv, files, name, f"{how} xacro", None, codes)

    def trace(self) -> Case:
        """A verb over a spoiled trace."""
        suffix = self.rng.choice(sorted(seeds.runs()))
        files = {f"t{each}": data for each, data in seeds.runs().items()}
        name = f"t{suffix}"
        files |= {seeds.ROBOT: _sample(seeds.ROBOT), name: spoiled(files[name], self.rng)}
        read, out = name.removesuffix(".meta.json"), self.rng.choice(sorted(SUFFIXES))
        other = self.rng.choice([f"t{each}" for each in seeds.TRACES])
        argv = self.rng.choice(
            (
                ("info", read, "--format", self.rng.choice(("text", "json"))),
                ("diff", read, other),
                ("diff", other, read, "--rtol", "0.1", "--format", "json"),
                ("convert", read, "-o", f"out{out}", "--every", self.rng.choice(("1", "3"))),
                ("plot", read, "-o", "out.svg"),
                ("plot", read, "q.*"),
                ("verify", read),
            )
        )
        return Case(f"trace {argv[0]} {suffix}", ("trace", *argv), files, name, "trace")

    def folder(self) -> Case:
        """Verbs that look at the files of a folder: a configuration there, and robots."""
        files = {seeds.ROBOT: _sample(seeds.ROBOT), "phyzctl.toml": spoiled(seeds.CONFIG, self.rng)}
        argv = self.rng.choice(
            (
                ("init", "--github", "--gitlab", "--pre-commit"),
                ("init", "--quiet"),
                ("doctor",),
                ("doctor", "--format", "json"),
                ("doctor", "--config", "phyzctl.toml"),
            )
        )
        return Case(argv[0], argv, files, "phyzctl.toml", "config")

    def config(self) -> Case:
        """A spoiled configuration, named or found."""
        files = {seeds.ROBOT: _sample(seeds.ROBOT), "phyzctl.toml": spoiled(seeds.CONFIG, self.rng)}
        named = self.rng.choice(((), ("--config", "phyzctl.toml")))
        argv = self.rng.choice((("validate", seeds.ROBOT, *named), ("config", "show", seeds.ROBOT)))
        return Case("config", argv, files, "phyzctl.toml", "config")

    def baseline(self) -> Case:
        """A spoiled baseline."""
        files = {seeds.ROBOT: _sample(seeds.ROBOT), "b.json": spoiled(seeds.BASELINE, self.rng)}
        argv = ("validate", seeds.ROBOT, "--baseline", "b.json")
        return Case("baseline", argv, files, "b.json", "baseline")


_MAKERS: Sequence[Callable[[Cases], Case]] = (
    *(Cases.robot,) * 10,
    Cases.json,
    *(Cases.mesh, Cases.mesh, Cases.scene, Cases.motion, Cases.push, Cases.srdf),
    *(Cases.config, Cases.baseline, Cases.xacro, Cases.xacro, Cases.trace, Cases.trace),
    Cases.folder,
)

# Whatever a description holds, asking for these makes sense: never 2. Any file can be judged.
_CODES = {
    "validate": frozenset({0, 1}),
    "targets": frozenset({0, 1}),
    "convert": frozenset({0, 3}),
    "info": frozenset({0, 3}),
    "tree": frozenset({0, 3}),
    "diff": frozenset({0, 1, 3}),
}

_TARGETS = "ros2,mujoco,gazebo,moveit,isaac,usd,drake,pinocchio,pybullet,kdl"
_ATTACHED = ("--to", "lower_arm", "--prefix", "x_", "--pose", "0 0 1 0 0 0")

_MESH_URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
<visual><geometry><mesh filename="FILE"/></geometry></visual>
<collision><geometry><mesh filename="FILE" scale="1 1 1"/></geometry></collision></link>
<link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="j" type="floating"><parent link="a"/><child link="b"/></joint></robot>"""
_MESH_MJCF = """<mujoco><asset><mesh name="m" file="FILE"/></asset><worldbody><geom size="1"/>
<body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m"/></body>
<body><joint/><geom type="box" mesh="m"/></body></worldbody></mujoco>"""


def draw_documents(form: str, number: int, *, orderly: bool, count: int = _BATCH) -> list[bytes]:
    """What hypothesis makes of a seed."""
    made: list[bytes] = []

    @seed(number)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(documents(form, orderly=orderly))
    def collect(document: bytes) -> None:
        made.append(document)

    collect()
    return made


def _sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()
