"""What other programs say of a description: the kinds of complaints, as a multiset.

`PHYZCTL_PEERS` names the folders, separated as in PATH, in whose environments they are
installed (`pip install simcheck mjcf-doctor cmeel-urdfdom`). A program that isn't there is left
out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Complaints = Counter[str]

_CHUNK = 40  # files for one process
_TIMEOUT = 900.0  # [s] for one process
_REFUSED = "refused"

_MUJOCO = """
import json, sys, mujoco
for path in sys.stdin.read().splitlines():
    try:
        mujoco.MjModel.from_xml_path(path)
        print(json.dumps([path, []]), flush=True)
    except Exception as error:
        print(json.dumps([path, ["refused"]]), flush=True)
"""
_MJCF_DOCTOR = """
import json, sys, mujoco, mjcf_doctor
for path in sys.stdin.read().splitlines():
    try:
        found = mjcf_doctor.diagnose(mujoco.MjModel.from_xml_path(path), static_only=True)
        print(json.dumps([path, [str(each.code) for each in found.findings]]), flush=True)
    except Exception as error:
        print(json.dumps([path, ["refused"]]), flush=True)
"""


def peers() -> dict[str, Callable[[Sequence[str]], dict[str, Complaints]]]:
    """The programs that are here: a name, and what gives their complaints file by file."""
    found: dict[str, Callable[[Sequence[str]], dict[str, Complaints]]] = {}
    if check_urdf := _program("check_urdf"):
        found["check_urdf"] = lambda paths: {path: _check_urdf(check_urdf, path) for path in paths}
    if simcheck := _program("simcheck"):
        found["simcheck"] = lambda paths: _in_chunks(paths, lambda some: _simcheck(simcheck, some))
    for name, module, script in (
        ("mjcf-doctor", "mjcf_doctor", _MJCF_DOCTOR),
        ("MuJoCo", "mujoco", _MUJOCO),
    ):
        if python := _python_with(module):
            found[name] = _by_script(python, script)
    return found


def mirrored(path: Path, data: bytes, folder: Path) -> Path:
    """`data` in a folder of its own, with links to all that lies around `path`."""
    chain = list(path.parents)[:4]
    here = folder
    here.mkdir(parents=True)
    for outer, inner in zip(reversed(chain), [*reversed(chain[:-1]), path], strict=True):
        for entry in outer.iterdir():
            if entry != inner:
                (here / entry.name).symlink_to(entry)
        here = here / inner.name
        if inner is not path:
            here.mkdir()
    here.write_bytes(data)
    return here


def _folders() -> list[Path]:
    named = os.environ.get("PHYZCTL_PEERS", "").split(os.pathsep)
    return [*(Path(name) for name in named if name), Path(sys.executable).parent]


def _program(name: str) -> str | None:
    return next((str(each / name) for each in _folders() if (each / name).exists()), None)


def _python_with(module: str) -> str | None:
    """A Python that can import a module."""
    for folder in _folders():
        python = folder / "python"
        if python.exists() and _imports(str(python), module):
            return str(python)
    return None


def _imports(python: str, module: str) -> bool:
    done = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False)
    return done.returncode == 0


def _check_urdf(program: str, path: str) -> Complaints:
    try:
        done = subprocess.run([program, path], capture_output=True, check=False, timeout=10)
    except subprocess.TimeoutExpired:
        return Counter(["hangs"])
    said = done.stdout + done.stderr
    warnings = [line.split(b":")[0].decode() for line in said.splitlines() if line.startswith(b"W")]
    return Counter([*([_REFUSED] if done.returncode else []), *warnings])


def _by_script(python: str, script: str) -> Callable[[Sequence[str]], dict[str, Complaints]]:
    def run(paths: Sequence[str]) -> dict[str, Complaints]:
        done = _run([python, "-c", script], "\n".join(paths))
        rows = [json.loads(line) for line in done.splitlines() if line.startswith("[")]
        return {path: Counter(codes) for path, codes in rows}

    return lambda paths: _in_chunks(paths, run)


def _simcheck(program: str, paths: Sequence[str]) -> dict[str, Complaints]:
    options = ["check", "--static-only", "--no-config", "--no-cache", "-j", "1", "--format", "json"]
    said = _run([program, *options, *paths], "")
    reports = json.loads(said) if said.startswith(("[", "{")) else []
    rows = reports if isinstance(reports, list) else [reports]
    return {row["asset"]: Counter(_findings(row)) for row in rows}


def _findings(report: Mapping[str, object]) -> list[str]:
    results = report.get("results")
    assert isinstance(results, list)
    return [
        f"{result['id']} {finding['severity']}"
        for result in results
        for finding in result["findings"]
    ]


def _in_chunks(
    paths: Sequence[str], run: Callable[[Sequence[str]], dict[str, Complaints]]
) -> dict[str, Complaints]:
    """The complaints of all files; none where a process ended before it came to a file."""
    found: dict[str, Complaints] = {}
    for start in range(0, len(paths), _CHUNK):
        waiting = list(paths[start : start + _CHUNK])
        while waiting:
            said = run(waiting)
            found.update({path: said.get(path, Counter()) for path in waiting if path in said})
            left = [path for path in waiting if path not in said]
            if left:  # the first one ended the process
                found[left[0]] = Counter(["crashes"])
            waiting = left[1:]
    return found


def _run(command: Sequence[str], text: str) -> str:
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, timeout=_TIMEOUT
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode()  # bytes, whatever was asked for
    return done.stdout
