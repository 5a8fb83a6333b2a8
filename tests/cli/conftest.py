"""The command in this process: arguments in, exit code and streams out."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from phyzctl.cachedir import VARIABLE
from phyzctl.cli.app import run


class Result(NamedTuple):
    """What a run of the command came to."""

    code: int
    out: str
    err: str


Cli = Callable[..., Result]

GOOD = """\
<robot name="good">
  <link name="base"/>
</robot>
"""

_TENSOR = 'ixx="0.012" iyy="0.013" izz="0.011" ixy="0" ixz="0" iyz="0"'

BAD = f"""\
<robot name="bad">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia {_TENSOR}/></inertial></link>
  <joint name="elbow" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 0 1"/>
    <limit lower="1" upper="-1" effort="1" velocity="1"/>
  </joint>
</robot>
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, so that it neither finds nor leaves anything elsewhere."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv(VARIABLE, str(folder))
    return folder


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """`cli(*arguments, stdin=b"")`: run the command and take what it printed."""

    def call(*arguments: str | Path, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        with pytest.raises(SystemExit) as caught:
            run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        code = caught.value.code
        return Result(code if isinstance(code, int) else 0 if code is None else -1, out, err)

    return call


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the working directory, so that no configuration is near."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def robots(workspace: Path) -> Path:
    """The workspace with `good.urdf` and `bad.urdf`; the latter has one error, J201 at 8:12."""
    (workspace / "good.urdf").write_text(GOOD)
    (workspace / "bad.urdf").write_text(BAD)
    return workspace


@pytest.fixture
def control_c() -> Iterator[None]:
    """Processes that begin here heed it, though what a shell runs in the background does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
