"""Fixed files are written whole or not at all, and their diffs are what `patch` reads."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from phyzctl.errors import UnreadableError
from phyzctl.formats.xmltree import Document
from phyzctl.lint.fix import Change, StaleFixError, write


def change_of(path: Path, text: str) -> Change:
    return Change(Document(str(path), path.read_bytes()), text.encode())


def test_a_stale_fix_is_refused_and_no_file_changes(tmp_path: Path) -> None:
    one, other = tmp_path / "a.urdf", tmp_path / "b.urdf"
    one.write_text("a")
    other.write_text("b")
    changes = [change_of(one, "A"), change_of(other, "B")]
    other.write_text("changed")
    with pytest.raises(StaleFixError, match=r"b\.urdf' changed while it was checked"):
        write(changes)
    assert (one.read_text(), other.read_text()) == ("a", "changed")
    other.unlink()
    with pytest.raises(StaleFixError):
        write(changes)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_permissions_and_links_stay(tmp_path: Path, mode: int) -> None:
    path, link = tmp_path / "a.urdf", tmp_path / "link.urdf"
    path.write_text("a")
    path.chmod(mode)
    link.symlink_to("a.urdf")
    write([change_of(link, "A")])
    assert link.is_symlink()
    assert path.read_text() == "A"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert sorted(os.listdir(tmp_path)) == ["a.urdf", "link.urdf"]


def test_a_file_that_cannot_be_replaced_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.urdf"
    path.write_text("a")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("phyzctl.lint.fix.os.replace", refuse)
    with pytest.raises(UnreadableError, match=r"can't write .*a\.urdf': Permission denied"):
        write([change_of(path, "A")])
    assert path.read_text() == "a"
    assert os.listdir(tmp_path) == ["a.urdf"]


def test_a_file_that_must_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.urdf"
    path.write_text("a")
    monkeypatch.setattr("phyzctl.lint.fix.os.access", lambda *_: False)
    with pytest.raises(UnreadableError, match="Permission denied"):
        write([change_of(path, "A")])
    assert path.read_text() == "a"


# The diff


def test_a_diff_says_when_the_last_line_has_no_end() -> None:
    assert Change(Document("x/a.urdf", b"1\n2"), b"1\n3").diff() == (
        "--- a/x/a.urdf\n+++ b/x/a.urdf\n@@ -1,2 +1,2 @@\n 1\n-2\n"
        "\\ No newline at end of file\n+3\n\\ No newline at end of file\n"
    )


def test_only_a_line_feed_ends_a_line_of_a_diff() -> None:
    diff = Change(
        Document("/a.urdf", b"1\r\n2\x0b\xe2\x80\xa8\n"), b"0\r\n2\x0b\xe2\x80\xa8\n"
    ).diff()
    assert diff == "--- /a.urdf\n+++ /a.urdf\n@@ -1,2 +1,2 @@\n-1\r\n+0\r\n 2\x0b\u2028\n"
