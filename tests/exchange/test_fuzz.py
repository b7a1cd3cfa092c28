"""Fuzz tests: each reader returns a document or raises InputError for any bytes."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdapp.domain.errors import InputError
from tdapp.exchange import cells, player_lists, tournament_json, tsh
from tdapp.exchange.imports import detect_format
from tests.conftest import AttemptRecorder

READERS: dict[str, Callable[[bytes], object]] = {
    "players": player_lists.read_players,
    "results": cells.read_results,
    "tsh": tsh.read_division,
    "document": tournament_json.read_tournament,
    "detect": detect_format,
}
_WORDS = {
    "players": ["name", "rating", "nr", "Naam", "A", "1500", "Ås, Zoë", "=1", "x" * 600],
    "results": ["round", "table", "score1", "score2", "first", "1", "2", "-5", "400"],
    "tsh": [
        "A",
        "1500",
        "1",
        "2",
        "0",
        "00",
        "-50",
        "p12",
        "board",
        "off",
        "#rounds",
        "#absence",
        "#bye",
        "bye",
        "\\",
    ],
}
_FRAGMENTS = [
    ";",
    ",",
    "\t",
    " ",
    "  ",
    "\n",
    "\r\n",
    '"',
    "'",
    "\ufeff",
    "\u2028",
    "\xa0",
    "\x1a",
    "\x00",
    "sep=",
    "٣",
]
_KEYS = ["format", "version", "events", "rules", "players", "id", "name", "division", "number", "results", "first"]
_json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["tdapp", "a", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=12,
)


def _draw_fragments(kind: str) -> st.SearchStrategy[bytes]:
    pieces = st.lists(st.sampled_from([*_WORDS[kind], *_FRAGMENTS]), max_size=40).map("".join)
    encoding = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"])
    return st.builds(lambda text, name: text.encode(name, "replace"), pieces, encoding)


def _draw_documents() -> st.SearchStrategy[bytes]:
    rows = st.dictionaries(st.sampled_from(_KEYS), _json_values)
    documents = rows.map(lambda value: {"format": "tdapp", "version": 1} | value)
    return (documents | rows | _json_values).map(lambda value: json.dumps(value).encode())


def draw_sources(kind: str) -> st.SearchStrategy[bytes]:
    """Draw random bytes, or bytes similar to a valid file."""
    similar_data = (
        _draw_documents()
        if kind == "document"
        else _draw_fragments(kind)
        if kind in _WORDS
        else _draw_fragments("tsh")
    )
    return similar_data | st.binary(max_size=200)


def _check_reader(kind: str, examples: int) -> None:
    read = READERS[kind]

    @settings(max_examples=examples, database=None)
    @given(draw_sources(kind))
    def check_reader(data: bytes) -> None:
        assert _read_or_refuse(read, data) is not None

    check_reader()


def _read_or_refuse(read: Callable[[bytes], object], data: bytes) -> object:
    try:
        return read(data)
    except InputError as error:
        return error


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_readers_read_or_refuse_any_bytes(kind: str, record_attempts: AttemptRecorder) -> None:
    record_attempts("hostile inputs", 200)
    _check_reader(kind, 200)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", READERS)
def test_readers_read_or_refuse_a_hundred_thousand_sources(kind: str, record_attempts: AttemptRecorder) -> None:
    record_attempts("hostile inputs", 100_000)
    _check_reader(kind, 100_000)
