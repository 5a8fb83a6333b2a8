"""What gets installed: data, types, the kernel, the command, and how fast it starts."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.resources
import json
import resource
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import phyzctl
from phyzctl.native import _kernel  # noqa: TID251 - is it the compiled one?
from tests.conftest import Command
from tests.corpus import ROOT

HEAVY = (
    "typer",
    "click",
    "rich",
    "numpy",
    "lxml",
    "re",
    "json",
    "dataclasses",
    "importlib.metadata",
)


def test_version_is_stated_once() -> None:
    assert importlib.metadata.version("phyzctl") == phyzctl.__version__


def test_every_schema_is_readable_as_a_resource() -> None:
    shipped = importlib.resources.files("phyzctl") / "schemas"
    stated = sorted(path.name for path in (ROOT / "schemas").glob("*.json"))
    assert stated, "no schemas to ship"
    for name in stated:
        text = (shipped / name).read_text(encoding="utf-8")
        assert json.loads(text) == json.loads((ROOT / "schemas" / name).read_bytes())


def test_types_and_kernel_are_installed() -> None:
    package = importlib.resources.files("phyzctl")
    assert (package / "py.typed").is_file()
    assert (package / "native" / "_kernel.pyi").is_file()
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    assert str(_kernel.__file__).endswith(f"_kernel{suffix}")


def test_the_stub_and_the_kernel_offer_the_same_names() -> None:
    stub = ast.parse((ROOT / "phyzctl" / "native" / "_kernel.pyi").read_text(encoding="utf-8"))
    stated = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert stated == {name for name in dir(_kernel) if not name.startswith("_")}


def test_licence_is_in_the_metadata() -> None:
    metadata = importlib.metadata.metadata("phyzctl")
    assert metadata["License-Expression"] == "Apache-2.0"
    files = importlib.metadata.files("phyzctl") or []
    (licence,) = [file for file in files if file.name == "LICENSE"]
    assert licence.read_text() == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_version_from_the_module_and_from_the_script(run_phyzctl: Command) -> None:
    script = Path(sysconfig.get_path("scripts")) / "phyzctl"
    by_script = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    by_module = run_phyzctl("--version")
    assert by_script.stdout == by_module.stdout == f"phyzctl {phyzctl.__version__}\n"
    assert by_module.returncode == 0


def test_version_imports_nothing_heavy() -> None:
    program = (
        "import sys; before = set(sys.modules); sys.argv = ['phyzctl', '--version']\n"
        "from phyzctl.__main__ import main; main()\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )
    loaded = done.stderr.split()
    assert "phyzctl" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def cpu_seconds(*arguments: str) -> float:
    """Least user and system time of a Python process, out of five."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-P", *arguments], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(times)


def test_version_costs_no_more_than_importing_numpy() -> None:
    assert cpu_seconds("-m", "phyzctl", "--version") <= cpu_seconds("-c", "import numpy")


@pytest.mark.parametrize("name", ["README.md", "LICENSE", "pyproject.toml"])
def test_project_files_are_there(name: str) -> None:
    assert (ROOT / name).is_file()
