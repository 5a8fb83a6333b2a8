"""`[[variant]]` in a configuration: which files, which arguments, and what settles them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from phyzctl.config import Config, Variant, read_config
from phyzctl.errors import PhyzctlError
from tests.corpus import ROOT


def read(folder: Path, text: str, name: str = "phyzctl.toml") -> Config:
    (folder / name).write_text(text)
    return read_config(folder / name)


TEXT = """\
[[variant]]
files = ["ur.urdf.xacro"]
args = { type = ["ur5", "ur10"], gripper = [true, false], scale = 2 }
"""


def test_every_combination_in_order(tmp_path: Path) -> None:
    (variant,) = read(tmp_path, TEXT).variant
    assert variant.files == (f"{tmp_path}/**/ur.urdf.xacro",)
    assert [tuple(each.values()) for each in variant.combinations()] == [
        ("ur5", "True", "2"),
        ("ur5", "False", "2"),
        ("ur10", "True", "2"),
        ("ur10", "False", "2"),
    ]


def test_a_file_has_those_that_mean_it(tmp_path: Path) -> None:
    text = f"{TEXT}[[variant]]\nfiles = ['arms/']\n[variant.args]\nside = ['left', 'right']\n"
    config = read(tmp_path, text)
    counts = {
        name: [len(list(each.combinations())) for each in config.at(tmp_path / name).variant]
        for name in ("ur.urdf.xacro", "arms/ur.urdf.xacro", "arms/x.xacro", "x.xacro")
    }
    assert counts == {
        "ur.urdf.xacro": [4],
        "arms/ur.urdf.xacro": [4, 2],
        "arms/x.xacro": [2],
        "x.xacro": [],
    }


def test_what_a_layer_above_settles_does_not_vary(tmp_path: Path) -> None:
    config = read(tmp_path, f"xacro-args = {{ type = 'x' }}\n{TEXT}")
    (variant,) = config.variant
    assert variant.args["type"] == ("ur5", "ur10")  # in one file, variants say more
    (settled,) = config.with_layer({"xacro_args": {"type": "ur3"}}).variant
    assert list(settled.args) == ["gripper", "scale"]
    (tmp_path / "base.toml").write_text(TEXT)
    upper = read(tmp_path, "extend = 'base.toml'\nxacro-args = { gripper = true, type = 'ur5' }")
    (settled,) = upper.variant
    assert list(settled.combinations()) == [{"scale": "2"}]


def test_variants_add_up(tmp_path: Path) -> None:
    read(tmp_path, TEXT, "base.toml")
    config = read(tmp_path, f"extend = 'base.toml'\n{TEXT}")
    assert len(config.variant) == 2


WRONG = {
    "a table": (
        "[variant]\nfiles = ['a']",
        1,
        "'variant' must be tables, each below its [[variant]]",
    ),
    "no files": ("[[variant]]\nargs = {a = 1}", 1, "[[variant]] needs 'files'"),
    "no arguments": (
        "[[variant]]\nfiles = ['a']",
        1,
        "needs 'args' with 1 to 200 combinations, not 0",
    ),
    "an empty list": ("[[variant]]\nfiles = ['a']\nargs = {a = []}", 3, "combinations, not 0"),
    "too many": (
        f"[[variant]]\nfiles = ['a']\n[variant.args]\na = {list(range(15))}\nb = {list(range(14))}",
        3,
        "needs 'args' with 1 to 200 combinations, not 210",
    ),
    "a list in a list": (
        "[[variant]]\nfiles = ['a']\nargs = {a = [[1]]}",
        3,
        "must be a string or a number",
    ),
    "no table": ("[[variant]]\nfiles = ['a']\nargs = 'a=1'", 3, "'args' must be a table"),
    "unknown": (
        "[[variant]]\nfiles = ['a']\narg = {a = 1}",
        3,
        "unknown key 'arg'; did you mean 'args'?",
    ),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    with pytest.raises(PhyzctlError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'phyzctl.toml'}:{line}: ")
    assert message in str(caught.value)


def test_the_document_follows_the_schema(tmp_path: Path) -> None:
    document = read(tmp_path, TEXT).document()
    assert document["variant"] == [
        {
            "files": [f"{tmp_path}/**/ur.urdf.xacro"],
            "args": {"type": ["ur5", "ur10"], "gripper": ["True", "False"], "scale": ["2"]},
        }
    ]
    schema = json.loads((ROOT / "schemas/config.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)


def test_nothing_to_vary_is_one_run() -> None:
    assert list(Variant((), {}).combinations()) == [{}]
