"""A step allocates nothing: rollouts of any length make the same number of allocations."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from phyzctl import native
from tests.corpus import ROOT, SAMPLES
from tests.native.followers import robot

pytestmark = pytest.mark.slow

COUNTER = """
#include <cstddef>
extern "C" {
void *__libc_malloc(std::size_t);
long allocations = 0;
void *malloc(std::size_t size) { ++allocations; return __libc_malloc(size); }
}
"""
SCRIPT = """
import ctypes, gc, sys
import numpy as np
from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler

counter = ctypes.c_long.in_dll(ctypes.CDLL(sys.argv[1]), "allocations")
dynamics = compiler.compile(read(sys.argv[2], Issues()).robot).dynamics
q = compiler.compile(read(sys.argv[2], Issues()).robot).default_state().q[None]
v, ctrl = np.zeros((1, dynamics.nv)), np.zeros((1, 1, dynamics.nctrl))
gc.disable()
for integrator in native.SMOOTH_INTEGRATORS:
    counts = []
    for steps in (1, 1, 1000):
        before = counter.value
        plan = {"steps": steps, "every": 1000, "dt": 1e-4, "integrator": integrator}
        native.rollout(dynamics, q, v, ctrl, **plan)
        counts.append(counter.value - before)
    print(integrator, *counts[1:])
"""

CONTACTS = """
import ctypes, gc, sys
import numpy as np
from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler

counter = ctypes.c_long.in_dll(ctypes.CDLL(sys.argv[1]), "allocations")
model = compiler.compile(read(sys.argv[2], Issues()).robot)
world, rest, rng = model.contact_world, model.default_state().q, np.random.default_rng(1)
folded = rest + rng.normal(0.0, 1.5, (500, len(rest)))
starts = native.contacts(world, folded).start
q = folded[np.argmax(np.diff(starts))]
gc.disable()
for count in (1, 1, 1000):
    rows = np.tile(q, (count, 1))
    before = counter.value
    found = native.contacts(world, rows)
    print(count, counter.value - before, len(found.pair))
"""


# A first run finds out how much room the contacts need.
HELD = """
import ctypes, gc, sys
import numpy as np
from phyzctl import native
from phyzctl.formats import read
from phyzctl.issues import Issues
from phyzctl.model import compiler
from phyzctl.model.constraints import make_constraints
from phyzctl.model.contacts import make_contact_world
from phyzctl.sim.start import initial_start

counter = ctypes.c_long.in_dll(ctypes.CDLL(sys.argv[1]), "allocations")
model = compiler.compile(read(sys.argv[2], Issues()).robot)
constraints, world = make_constraints(model, model.dynamics), make_contact_world(model)
state = initial_start(model).state
states = native.States(*(getattr(state, part)[None] for part in native.States._fields))
acting = native.Acting(state.ctrl[None, None])
gc.disable()
for integrator in native.INTEGRATORS:
    simulation = native.Simulation(constraints, world, dt=1e-3, integrator=integrator)
    counts = []
    for steps in (1000, 1000, 1, 1000):
        before = counter.value
        made = simulation.run(states, acting, steps=steps, every=steps)
        counts.append(counter.value - before)
    print(integrator, int(made.solver[0, 0, 2]), *counts[2:])
"""

HEAP = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
    <body pos=".3 0 0"><joint axis="0 1 0" range="-10 10" limited="true" frictionloss=".1"/>
      <geom type="capsule" size=".05 .1"/></body></body>
  <body pos="0 0 .35"><freejoint/><geom type="ellipsoid" size=".1 .1 .05"/></body>
  <body pos=".1 .1 .6"><freejoint/><geom type="cylinder" size=".1 .1"/></body></worldbody>
</mujoco>"""


def counted(tmp_path: Path, text: str, robot: Path = SAMPLES / "quadruped.xml") -> list[list[str]]:
    """The words of each line that a script prints of a robot, with allocations counted."""
    compiler = shutil.which("g++")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("counting needs g++ and glibc")
    source, library, script = (tmp_path / name for name in ("count.cpp", "count.so", "run.py"))
    source.write_text(COUNTER)
    script.write_text(text)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    paths = os.pathsep.join([*sys.path, str(ROOT)])
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": paths}
    result = subprocess.run(
        [sys.executable, script, library, robot],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line.split() for line in result.stdout.splitlines()]


def test_rollouts_allocate_the_same_for_any_number_of_steps(tmp_path: Path) -> None:
    rows = counted(tmp_path, SCRIPT)
    assert [row[0] for row in rows] == ["euler", "implicitfast", "rk4"]
    for name, one, thousand in rows:
        assert int(one) > 0
        assert abs(int(thousand) - int(one)) < 10, name  # what the interpreter does meanwhile


def test_contacts_allocate_only_what_they_return(tmp_path: Path) -> None:
    """Their arrays grow by doubling: a handful of times for a thousand configurations."""
    rows = counted(tmp_path, CONTACTS)
    one, thousand = (int(rows[at][1]) for at in (1, 2))
    assert int(rows[2][2]) == 1000 * int(rows[1][2]) > 0
    assert thousand - one < 100


NOSLIP = HEAP.replace("<worldbody>", '<option cone="elliptic" noslip_iterations="5"/><worldbody>')
FOLLOWED = robot(dynamics='<dynamics damping=".3" friction=".2"/>')


@pytest.mark.parametrize(("text", "touching"), [(HEAP, True), (NOSLIP, True), (FOLLOWED, False)])
def test_steps_that_something_holds_allocate_nothing(
    text: str, touching: bool, tmp_path: Path
) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    rows = counted(tmp_path, HELD, path)
    assert [row[0] for row in rows] == list(native.INTEGRATORS)
    for name, contacts, one, thousand in rows:
        assert (int(contacts) > 0) == touching, name
        assert abs(int(thousand) - int(one)) < 10, name  # what the interpreter does meanwhile
