"""Scenario files: what they mean, every fault with its place, and the schema in step."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from phyzctl.errors import NotFoundError, UnreadableError
from phyzctl.issues import Issues
from phyzctl.pushing.command import PusherCommand, legacy_faces
from phyzctl.pushing.params import UNIFORM_PRESSURE, PusherSliderParams
from phyzctl.pushing.plane import SliderState
from phyzctl.pushing.rollout import rollout
from phyzctl.pushing.scenario import SCHEMA, Scenario, load_scenario, parse_scenario, roll_out
from tests.corpus import ROOT, SAMPLES

SCENARIOS = sorted((SAMPLES / "push").glob("*.toml"))

PUSH = """\
[[pushes]]
duration = 1.0
contacts = [{ face = 0, contact = 0.03, push_speed = 0.05 }]
"""

FULL = """\
schema = "phyzctl.push-scenario/1"
name = "all keys"
dt = 0.1
legacy_faces = true

[slider]
half_extent = 0.1
char_len = 0.07
pusher_friction = 0.4
f_max = 3

[start]
x = 1
y = -2.5
theta = 0.5

[[pushes]]
duration = 2
[[pushes.contacts]]
face = 2
contact = 0.05
push_speed = 0.1
tangent_speed = -0.01
[[pushes.contacts]]
face = 0
contact = 0.05
push_speed = 0.1

[[pushes]]
duration = 1.5
contacts = [{ face = 3, contact = 0, push_speed = -1 }]
"""


def parse(text: str) -> tuple[Scenario | None, list[str]]:
    issues = Issues()
    scenario = parse_scenario(text.encode(), "s.toml", issues)
    return scenario, [str(issue) for issue in issues]


def sound(text: str) -> Scenario:
    scenario, said = parse(text)
    assert said == []
    assert scenario is not None
    return scenario


def test_all_keys() -> None:
    scenario = sound(FULL)
    assert scenario.name == "all keys"
    assert scenario.dt == 0.1
    assert scenario.params == PusherSliderParams(0.1, 0.07, 0.4, f_max=3.0)
    assert scenario.start == SliderState(1.0, -2.5, 0.5)
    first, second = scenario.pushes
    assert (first.duration, second.duration) == (2.0, 1.5)
    assert first.commands == (
        PusherCommand(2, -0.05, 0.1, -0.01),  # the file counts faces as the original does
        PusherCommand(0, 0.05, 0.1, 0.0),
    )
    assert second.commands == (PusherCommand(3, 0.0, -1.0),)


def test_defaults() -> None:
    scenario = sound(PUSH)
    assert scenario.name == "s"
    assert scenario.dt == 0.01
    assert scenario.params == PusherSliderParams()
    assert scenario.start == SliderState()


def test_characteristic_lengths() -> None:
    uniform = sound('[slider]\nhalf_extent = 0.2\nchar_len = "uniform"\n' + PUSH)
    assert uniform.params.char_len == pytest.approx(UNIFORM_PRESSURE * 0.2)
    feet = "[[0.03, 0.04], [-0.03, 0.04], [-0.03, -0.04], [0.03, -0.04]]"
    assert sound(f"[slider]\nsupports = {feet}\n{PUSH}").params.char_len == pytest.approx(0.05)
    uneven = f"[slider]\nsupports = [[-0.01, 0], [0.04, 0]]\nsupport_weights = [4, 1]\n{PUSH}"
    assert sound(uneven).params.char_len == pytest.approx(0.8 * 0.01 + 0.2 * 0.04)


def test_pushes_go_on_where_the_last_has_ended() -> None:
    scenario = sound(FULL.replace("legacy_faces = true\n", ""))
    first, second = roll_out(scenario)
    expected = rollout(scenario.params, scenario.start, scenario.pushes[0].commands, 2.0, dt=0.1)
    assert (first.poses == expected.poses).all()
    assert (second.poses[0] == first.poses[-1]).all()
    assert second.times[0] == 0


def test_legacy_faces_are_those_of_the_original() -> None:
    scenario = sound(FULL)
    plain = sound(FULL.replace("legacy_faces = true\n", ""))
    for one, other in zip(scenario.pushes, plain.pushes, strict=True):
        assert one.commands == tuple(legacy_faces(each) for each in other.commands)


def slider(text: str) -> str:
    return f"[slider]\n{text}\n{PUSH}"


def contact(text: str) -> str:
    return f"[[pushes]]\nduration = 1\n[[pushes.contacts]]\n{text}\n"


CONTACT = "face = 0\ncontact = 0.01\npush_speed = 1"
CENTRE = "must bear the load at the slider's centre, not at (0.01, 0)"

FAULTY = {
    "schema": ('schema = "x"\n' + PUSH, f"1:1: error[E005] 'schema' must be '{SCHEMA}', not 'x'"),
    "schema number": ("schema = 1\n" + PUSH, "1:1: error[E004] 'schema' must be a string, not 1"),
    "name": ("name = 1\n" + PUSH, "1:1: error[E004] 'name' must be a string"),
    "dt": ("dt = 0\n" + PUSH, "1:1: error[E005] 'dt' must be a finite number above 0, not 0"),
    "dt text": ("dt = 'x'\n" + PUSH, "1:1: error[E004] 'dt' must be a number, not 'x'"),
    "legacy": ("legacy_faces = 1\n" + PUSH, "1:1: error[E004] 'legacy_faces' must be true or"),
    "unknown": ("nam = 'x'\n" + PUSH, "1:1: error[E002] unknown key 'nam'; did you mean 'name'?"),
    "empty": ("", "1:1: error[E003] the key 'pushes' is missing"),
    "no pushes": ("pushes = []", "1:1: error[E005] 'pushes' must not be empty"),
    "a table": ("[pushes]", "1:1: error[E004] 'pushes' must be a list of tables, not a table"),
    "no slider": ("slider = 1\n" + PUSH, "1:1: error[E004] 'slider' must be a table, not 1"),
    "half": (slider("half_extent = -1"), "2:1: error[E005] 'half_extent' must be a finite number"),
    "half text": (slider("half_extent = '1'"), "2:1: error[E004] 'half_extent' must be a number"),
    "half small": (
        slider("half_extent = 0.02"),
        "5:25: error[E005] 'contact' must be a finite number of at least -0.02 and at most 0.02",
    ),
    "length": (slider("char_len = 0"), "2:1: error[E005] 'char_len' must be a finite number above"),
    "length word": (slider("char_len = 'even'"), "2:1: error[E005] 'char_len' must be a number or"),
    "length flag": (slider("char_len = true"), "2:1: error[E004] 'char_len' must be a number"),
    "friction": (slider("pusher_friction = -1"), "2:1: error[E005] 'pusher_friction' must be"),
    "friction nan": (slider("pusher_friction = nan"), "2:1: error[E005] 'pusher_friction' must be"),
    "force": (slider("f_max = 0"), "2:1: error[E005] 'f_max' must be a finite number above 0"),
    "slider key": (slider("half = 1"), "2:1: error[E002] unknown key 'half'"),
    "supports": (
        slider("supports = [[0]]"),
        "2:13: error[E004] 'supports' must be a list of lists",
    ),
    "no supports": (slider("supports = []"), "2:1: error[E005] 'supports' must not be empty"),
    "one support": (slider("supports = [[0, 0]]"), "2:1: error[E005] 'supports' must not all lie"),
    "off centre": (
        slider("supports = [[0, 0], [0.02, 0]]"),
        f"2:1: error[E005] 'supports' {CENTRE}",
    ),
    "weights": (
        slider("supports = [[-1, 0], [1, 0]]\nsupport_weights = [1]"),
        "3:1: error[E005] 'support_weights' must be 2 numbers, one a support, not 1",
    ),
    "weightless": (
        slider("supports = [[-1, 0], [1, 0]]\nsupport_weights = [0, 0]"),
        "3:1: error[E005] 'support_weights' must not all be 0",
    ),
    "negative weight": (
        slider("supports = [[-1, 0], [1, 0]]\nsupport_weights = [1, -1]"),
        "3:23: error[E005] 'support_weights' must be a finite number of at least 0, not -1",
    ),
    "weights alone": (
        slider("support_weights = [1]"),
        "2:1: error[E003] 'support_weights' needs 'supports'",
    ),
    "both lengths": (
        slider("char_len = 0.03\nsupports = [[-1, 0], [1, 0]]"),
        "3:1: error[E006] 'char_len' and 'supports' both set the characteristic length",
    ),
    "too many": (
        PUSH.replace("1.0", "300") * 2,
        "1:1: error[E005] 'pushes' make 6e+04 samples at dt = 0.01 s; 50000 are the most",
    ),
    "far away": ("[start]\nx = -1e7\n" + PUSH, "2:1: error[E005] 'x' must be"),
    "too fast": (
        PUSH.replace("push_speed = 0.05", "push_speed = 1e308"),
        "3:41: error[E005] 'push_speed' must",
    ),
    "start": ("[start]\nx = inf\n" + PUSH, "2:1: error[E005] 'x' must be"),
    "start key": ("[start]\nz = 1\n" + PUSH, "2:1: error[E002] unknown key 'z'"),
    "start text": ("[start]\ntheta = '1'\n" + PUSH, "2:1: error[E004] 'theta' must be a number"),
    "no duration": ("[[pushes]]\ncontacts = [{face=0,contact=0,push_speed=1}]", "1:1: error[E003]"),
    "duration": (PUSH.replace("1.0", "0"), "2:1: error[E005] 'duration' must be a finite number"),
    "too long": (
        PUSH.replace("1.0", "1e5"),
        "1:1: error[E005] 'pushes' make 1e+07 samples at dt = 0.01 s; 50000 are the most",
    ),
    "push key": (PUSH + "durtion = 2", "4:1: error[E002] unknown key 'durtion'; did you mean 'dur"),
    "no contacts": ("[[pushes]]\nduration = 1", "1:1: error[E003] the key 'contacts' is missing"),
    "empty contacts": (
        "[[pushes]]\nduration = 1\ncontacts = []",
        "3:1: error[E005] 'contacts' must",
    ),
    "three contacts": (
        "[[pushes]]\nduration = 1\n" + f"[[pushes.contacts]]\n{CONTACT}\n" * 3,
        "3:1: error[E005] 'contacts' must be one or two, not 3",
    ),
    "contact number": (
        "[[pushes]]\nduration = 1\ncontacts = [\n1]",
        "4:1: error[E004] 'contacts' must be a list of tables, not 1",
    ),
    "second push": (
        PUSH + PUSH.replace("contact = 0.03", "contact = 0.06"),
        "6:25: error[E005] 'contact' must be a finite number of at least -0.05 and at most 0.05",
    ),
    "face": (
        contact(CONTACT.replace("= 0\n", "= 4\n")),
        "4:1: error[E005] 'face' must be 0, 1, 2 or 3",
    ),
    "face float": (
        contact(CONTACT.replace("= 0\n", "= 0.0\n")),
        "4:1: error[E004] 'face' must be an",
    ),
    "no face": (contact(CONTACT[9:]), "3:1: error[E003] the key 'face' is missing"),
    "no contact": (contact("face = 0\npush_speed = 1"), "3:1: error[E003] the key 'contact'"),
    "no speed": (contact("face = 0\ncontact = 0"), "3:1: error[E003] the key 'push_speed'"),
    "speed": (
        contact(CONTACT.replace("1", "nan", 2).replace("0.0nan", "0.01")),
        "6:1: error[E005]",
    ),
    "tangent": (contact(CONTACT + "\ntangent_speed = 'x'"), "7:1: error[E004] 'tangent_speed'"),
    "contact key": (contact(CONTACT + "\nspeed = 1"), "7:1: error[E002] unknown key 'speed'"),
    "no toml": ("pushes = [", "1:11: error[E001] this is not TOML"),
}


@pytest.mark.parametrize(("text", "message"), FAULTY.values(), ids=FAULTY)
def test_every_fault_gives_one_issue_with_its_place(text: str, message: str) -> None:
    scenario, said = parse(text)
    assert scenario is None
    (only,) = said
    assert only.startswith(f"s.toml:{message}")


def test_all_faults_are_told_at_once() -> None:
    text = (
        "dt = 0\n[slider]\nhalf_extent = 'x'\nnope = 1\n[[pushes]]\n[[pushes.contacts]]\nface = 9\n"
    )
    _, said = parse(text)
    places = sorted((line.split(":")[1], line.split("[")[1][:4]) for line in said)
    assert places == [
        ("1", "E005"),
        ("3", "E004"),
        ("4", "E002"),
        ("5", "E003"),
        ("6", "E003"),
        ("6", "E003"),
        ("7", "E005"),
    ]


def test_damage_never_raises_and_every_issue_has_a_place() -> None:
    rng = np.random.default_rng(61)
    pieces = [
        b"",
        b"=",
        b"[",
        b"]",
        b"{",
        b"nan",
        b"-1",
        b"'",
        b'"',
        b"\n",
        b"1e999",
        b"\xff",
        b"[[",
    ]
    refused = 0
    for _ in range(600):
        data = FULL.encode()
        for _ in range(rng.integers(1, 4)):
            start = int(rng.integers(0, len(data)))
            stop = start + int(rng.integers(0, 6))
            data = data[:start] + pieces[rng.integers(0, len(pieces))] + data[stop:]
        issues = Issues()
        scenario = parse_scenario(data, "s.toml", issues)
        assert (scenario is None) == bool(issues.errors)
        refused += scenario is None
        lines = data.count(b"\n") + 1
        for issue in issues:
            assert issue.source is not None
            assert 1 <= (issue.source.line or 0) <= lines
            assert issue.source.column
    assert refused > 300


def test_files(tmp_path: Path) -> None:
    issues = Issues()
    with pytest.raises(NotFoundError, match="there is no scenario"):
        load_scenario(str(tmp_path / "none.toml"), issues)
    with pytest.raises(UnreadableError):
        load_scenario(str(tmp_path), issues)
    path = tmp_path / "a b.toml"
    path.write_text(PUSH)
    scenario = load_scenario(str(path), issues)
    assert scenario is not None
    assert (scenario.name, scenario.path) == ("a b", str(path))


# The schema


def schema() -> dict[str, Any]:
    document = json.loads((ROOT / "schemas/push-scenario.schema.json").read_text("utf-8"))
    assert isinstance(document, dict)
    return document


VALIDATOR = jsonschema.Draft202012Validator(schema())


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_samples_are_sound_and_follow_the_schema(path: Path) -> None:
    text = path.read_text("utf-8")
    VALIDATOR.validate(tomllib.loads(text))
    scenario = sound(text)
    assert scenario.name != "s"


def test_there_are_samples_of_one_and_of_two_contacts_and_of_sliding() -> None:
    assert [path.stem for path in SCENARIOS] == ["corner", "two_fingers", "wipe"]


@pytest.mark.parametrize("text", [FULL, PUSH], ids=["full", "least"])
def test_what_is_read_follows_the_schema(text: str) -> None:
    VALIDATOR.validate(tomllib.loads(text))


# What JSON Schema has no words for: a number that is not finite, one key that bounds another.
_BEYOND_SCHEMA = {
    "friction nan",
    "start",
    "speed",
    "half small",
    "second push",
    "too long",
    "too many",
    "one support",
    "off centre",
    "weights",
    "weightless",
    "no toml",
    "face float",  # 0.0 is the integer 0 to JSON
}


@pytest.mark.parametrize("name", sorted(FAULTY.keys() - _BEYOND_SCHEMA))
def test_the_schema_refuses_what_the_reader_refuses(name: str) -> None:
    assert not VALIDATOR.is_valid(tomllib.loads(FAULTY[name][0]))


def test_defaults_in_the_schema_are_those_of_the_reader() -> None:
    stated = schema()["properties"]
    scenario = sound(PUSH)
    slider_keys = stated["slider"]["properties"]
    for key in ("half_extent", "char_len", "pusher_friction"):
        assert slider_keys[key]["default"] == getattr(scenario.params, key)
    for key, node in stated["start"]["properties"].items():
        assert node["default"] == getattr(scenario.start, key)
    assert stated["dt"]["default"] == scenario.dt
    assert stated["schema"]["const"] == SCHEMA
    tangent = schema()["$defs"]["contact"]["properties"]["tangent_speed"]
    assert tangent["default"] == scenario.pushes[0].commands[0].tangent_speed
