"""Rows of bytes and lines of text made of samples."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phyzctl.native import Holes, LineFormatter, RowEncoder

WORDS = ("nan", "inf", "-inf")
NUMBERS = st.floats(width=64)


def lines(samples: Any, words: tuple[str, str, str] = WORDS) -> str:
    table = np.array(samples, np.float64)
    texts = ["", *[","] * (table.shape[1] - 1), "\n"]
    return bytes(LineFormatter(texts, words).format(table)).decode()


def test_rows_are_alike_but_for_their_holes() -> None:
    row = bytes(range(64))
    holes = Holes(numbers=[(0, 2, 1), (33, 0, 2)], stamps=[8], times=[17], counters=[26])
    samples = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    stamps = np.array([5, 3_000_000_007], np.int64)
    found = np.empty((2, 64), np.uint8)
    RowEncoder(row, holes, 3).encode(samples, stamps, 2**32 - 1, found)
    for index, (stamp, count) in enumerate([((0, 5), 2**32 - 1), ((3, 7), 0)]):
        a, b, c = samples[index]
        expected = bytearray(row)
        struct.pack_into("<d", expected, 0, c)
        struct.pack_into("<q", expected, 8, stamp[0] * 10**9 + stamp[1])
        struct.pack_into("<iI", expected, 17, *stamp)
        struct.pack_into("<I", expected, 26, count)
        struct.pack_into("<2d", expected, 33, a, b)
        assert found[index].tobytes() == bytes(expected)


@pytest.mark.parametrize(
    "holes",
    [
        Holes(numbers=[(9, 0, 1)]),
        Holes(numbers=[(-1, 0, 1)]),
        Holes(stamps=[9]),
        Holes(times=[-1]),
        Holes(counters=[13]),
    ],
    ids=str,
)
def test_holes_must_be_in_the_row(holes: Holes) -> None:
    with pytest.raises(ValueError, match="not in the row of 16 bytes"):
        RowEncoder(bytes(16), holes, 2)


@pytest.mark.parametrize("columns", [(0, 3), (-1, 1), (2, 1), (1, -1)])
def test_holes_ask_for_columns_that_are_there(columns: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"none of the 2 of a sample|not in the row"):
        RowEncoder(bytes(64), Holes(numbers=[(16, *columns)]), 2)


def test_arrays_of_the_wrong_kind_are_refused() -> None:
    encode: Any = RowEncoder(bytes(16), Holes(), 2).encode
    good: list[Any] = [np.zeros((3, 2)), np.zeros(3, np.int64), 0, np.zeros((3, 16), np.uint8)]
    for index, bad, message in (
        (0, np.zeros((3, 1)), "samples must have shape"),
        (1, np.zeros(3), "stamps must have dtype"),
        (3, np.zeros((2, 16), np.uint8), "into must have shape"),
    ):
        with pytest.raises(ValueError, match=message):
            encode(*good[:index], bad, *good[index + 1 :])
    with pytest.raises(ValueError, match="samples must have shape"):
        LineFormatter(["", ",", "\n"], WORDS).format(np.zeros((1, 3)))


@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_numbers_read_back_exactly_and_are_no_longer_than_pythons(numbers: list[float]) -> None:
    words = lines([numbers]).rstrip("\n").split(",")
    for word, number in zip(words, numbers, strict=True):
        assert struct.pack("<d", float(word)) == struct.pack("<d", number) or number != number  # noqa: PLR0124
        assert len(word) <= len(repr(number))


def test_extremes_and_what_is_no_number() -> None:
    longest = [-2.2250738585072014e-308, 1.7976931348623157e308, 5e-324, -0.0, 0.0, 1e22]
    assert lines([longest]) == (
        "-2.2250738585072014e-308,1.7976931348623157e+308,5e-324,-0.0,0,1e+22\n"
    )
    assert lines([[np.nan, np.inf, -np.inf]], ("", "Infinity", "-Infinity")) == (
        ",Infinity,-Infinity\n"
    )


def test_texts_stand_around_the_numbers() -> None:
    formatter = LineFormatter(['{"é":[', "; ", "]}\n"], WORDS)
    assert bytes(formatter.format(np.array([[1.5, 2.0], [3.0, -4.0]]))).decode() == (
        '{"é":[1.5; 2]}\n{"é":[3; -4]}\n'
    )
    assert bytes(formatter.format(np.empty((0, 2)))) == b""
