"""The helper that tells robots from other XML must not miss or invent any."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import files_with_root, robot_params, root_tag

CASES = {
    "plain": ("<robot name='a'/>", "robot"),
    "declaration": ('<?xml version="1.0"?>\n<mujoco model="a"/>', "mujoco"),
    "comment": ("<!-- <robot> is not here -->\n<mujoco/>", "mujoco"),
    "doctype": ("<!DOCTYPE robot><sdf/>", "sdf"),
    "prefix": ("<a:robot xmlns:a='b'/>", "a:robot"),
    "junk before": ("\ufeff  \n<robot/>", "robot"),
    "longer name": ("<robots/>", "robots"),
    "empty": ("", None),
    "no XML": ("a < b", None),
}


@pytest.mark.parametrize(("text", "tag"), CASES.values(), ids=CASES)
def test_root_tag(tmp_path: Path, text: str, tag: str | None) -> None:
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    assert root_tag(path) == tag


def test_files_are_found_by_root_and_sorted(tmp_path: Path) -> None:
    for name in ("b/z.urdf", "b/a.xml", "other.txt", "C.URDF"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("<robot/>")
    (tmp_path / "scene.xml").write_text("<mujoco/>")
    found = [path.relative_to(tmp_path).as_posix() for path in files_with_root(tmp_path, "robot")]
    assert found == ["C.URDF", "b/a.xml", "b/z.urdf"]
    assert [path.name for path in files_with_root(tmp_path, "mujoco")] == ["scene.xml"]


def test_an_absent_tier_is_one_visible_skip() -> None:
    (case,) = robot_params("nowhere", "robot")
    assert [mark.kwargs["reason"] for mark in case.marks] == [
        "corpus tier nowhere is absent: run tests/fetch_corpus.sh nowhere"
    ]
