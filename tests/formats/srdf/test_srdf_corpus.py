"""Published SRDFs: all are read, and their own pairs written back change no byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phyzctl.formats.srdf import REASONS, parse_srdf, rewritten
from phyzctl.issues import Issues
from tests.corpus import corpus_dir

pytestmark = pytest.mark.corpus_m

_PAIR = re.compile(rb"<disable_collisions\s")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


def srdfs() -> list[Path]:
    return sorted(corpus_dir("m").rglob("*.srdf"))


def test_every_pair_is_read() -> None:
    for path in srdfs():
        data, issues = path.read_bytes(), Issues()
        srdf = parse_srdf(data, str(path), issues)
        assert srdf is not None, path
        assert len(srdf.disabled) == len(_PAIR.findall(_COMMENT.sub(b"", data))), path
        assert not issues.errors, [str(issue) for issue in issues.errors]


def test_their_own_pairs_change_no_byte() -> None:
    for path in srdfs():
        data = path.read_bytes()
        srdf = parse_srdf(data, str(path), Issues())
        assert srdf is not None
        own = [pair for pair in srdf.disabled if pair.reason in REASONS]
        if len({pair.key for pair in srdf.disabled}) < len(srdf.disabled):
            continue  # doubles go
        wanted = {(pair.second, pair.first): pair.reason for pair in own}
        assert rewritten(srdf, wanted) == data, path


def test_without_pairs_all_else_stays() -> None:
    for path in srdfs():
        data = path.read_bytes()
        srdf = parse_srdf(data, str(path), Issues())
        assert srdf is not None
        bare = rewritten(srdf, {})
        kept = re.sub(
            rb"\s*<disable_collisions\s[^>]*?reason=\"(?:%s)\"[^>]*?/>"
            % b"|".join(reason.encode() for reason in REASONS),
            b"",
            data,
        )
        assert bare == kept, path
