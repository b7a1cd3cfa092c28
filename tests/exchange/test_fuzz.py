"""Whatever bytes come, a reader returns a document or says what is wrong; nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tdapp.domain.errors import InputError
from tdapp.exchange import (
    document,
    incoming,
    player_lists,
    rating_lists,
    results_csv,
    spreadsheets,
    tou,
    tsh,
    tsh_folder,
    tsh_json,
)
from tdapp.exchange.detect import detect
from tdapp.exchange.player_lists import Columns
from tests.exchange.archives import FILES, mutated, unpacked

XLSX, ODS = (unpacked((FILES / f"players-libreoffice.{end}").read_bytes()) for end in ("xlsx", "ods"))


def mapped(data: bytes) -> object:
    """Read a pasted table under columns that are chosen from its own bytes."""
    lists = incoming.pasted(data.decode("latin-1"), "pasted")
    found = lists.sheets[0].grid
    names = ("", *player_lists.FIELDS)
    columns = [names[(len(data) * 31 + at * 7) % len(names)] for at in range(found.width)]
    once = tuple("" if column in columns[:at] else column for at, column in enumerate(columns))
    return player_lists.of_grid(found, "pasted", Columns(once, headed=len(data) % 2 == 0))


def folder(data: bytes) -> object:
    """Read a folder of tsh in which every division has the same players."""
    return tsh_folder.read(data, "config.tsh", lambda name: b"One  1500 2; 400\nTwo  1400 1; 300\n")


READERS: dict[str, Callable[[bytes], object]] = {
    "pasted": mapped,
    "tou": tou.read,
    "config": folder,
    "published": tsh_json.read,
    "ratings": rating_lists.read,
    "xlsx": spreadsheets.read,
    "ods": spreadsheets.read,
    "players": player_lists.read,
    "results": results_csv.read,
    "tsh": tsh.read,
    "document": document.read,
    "detect": detect,
}
_WORDS = {
    "pasted": ["name", "rating", "nr", "Naam", "A", "1500", "Ås, Zoë", "=1", "x" * 600, "\t", "\t", "\n"],
    "ratings": ["name", "rating", "A, B", "1500", "A:77", "1400+2", "x" * 600, "\t", "\n", "\n"],
    "config": [
        "division ",
        "A a.t\n",
        "B b.t\n",
        "a.t",
        "../x",
        "config ",
        "event_name",
        "spread_cap",
        "bye_spread",
        "max_rounds",
        "division_label",
        "rating_system",
        "{",
        "}",
        "{'A'}",
        " = ",
        "=>",
        "[",
        "]",
        "200",
        "-5",
        "99999999",
        "'",
        '"',
        "#",
        "nor",
    ],
    "tou": [
        "*M 21.11.2026 X\r\n",
        "*M 99.99.9999\r\n",
        "*A\r\n",
        "*",
        "   400\r\n",
        "One                 ",
        "Two                 ",
        " 2431 +2",
        "  400  1",
        " 1400 +2",
        " 2050  1",
        "      +2",
        "        ",
        "+",
        "-50",
        "*** END OF FILE ***",
    ],
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
_MARKS = [
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
_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["tdapp", "a", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=12,
)


def _pieces(kind: str) -> st.SearchStrategy[bytes]:
    pieces = st.lists(st.sampled_from([*_WORDS[kind], *_MARKS]), max_size=40).map("".join)
    encoding = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"])
    return st.builds(lambda text, name: text.encode(name, "replace"), pieces, encoding)


def _documents() -> st.SearchStrategy[bytes]:
    rows = st.dictionaries(st.sampled_from(_KEYS), _plain)
    marked = rows.map(lambda plain: {"format": "tdapp", "version": 1} | plain)
    return (marked | rows | _plain).map(lambda plain: json.dumps(plain).encode())


def _published() -> st.SearchStrategy[bytes]:
    numbers = st.integers(-2, 3) | st.none() | st.integers() | st.just("1")
    lists = st.lists(numbers, max_size=3)
    values = _plain | lists | st.sampled_from(["A", "1500+2", 1500, True])
    keys = ["p12", "board", "class", "off", "lifeg", "newr"]
    player = st.fixed_dictionaries(
        {"name": st.sampled_from(["A", "B:7", ""]), "pairings": lists, "scores": lists},
        optional=dict.fromkeys(keys, values) | {"id": st.integers(1, 2), "rating": values},
    )
    config = st.dictionaries(st.sampled_from(["spread_cap", "event_name", "event_date"]), values)
    event = st.fixed_dictionaries(
        {"division": values, "players": st.lists(player, max_size=3) | values},
        optional={"config": config | values},
    )
    return event.map(lambda plain: json.dumps(plain).encode())


def sources(kind: str) -> st.SearchStrategy[bytes]:
    """Return any bytes, and such as come close to what the reader wants."""
    if kind in {"xlsx", "ods"}:
        parts = XLSX if kind == "xlsx" else ODS
        return st.integers(0, 2**63).map(lambda seed: mutated(parts, seed))
    special = {"document": _documents, "published": _published}
    near = special[kind]() if kind in special else _pieces(kind if kind in _WORDS else "tsh")
    return near | st.binary(max_size=200)


def _fuzz(kind: str, examples: int) -> None:
    read = READERS[kind]

    @settings(max_examples=examples, database=None, deadline=None)
    @given(sources(kind))
    def run(data: bytes) -> None:
        assert _answer(read, data) is not None

    run()


def _answer(read: Callable[[bytes], object], data: bytes) -> object:
    try:
        return read(data)
    except InputError as error:
        return error


@pytest.mark.parametrize("kind", READERS)
def test_any_bytes_are_read_or_refused(kind: str) -> None:
    _fuzz(kind, 200)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", READERS)
def test_a_hundred_thousand_sources_are_read_or_refused(kind: str) -> None:
    _fuzz(kind, 100_000)
