"""Mutation tests: each reader returns a document or raises InputError for a damaged file.

A generator damages valid files. The same seed gives the same damage.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tdapp.domain.errors import InputError
from tdapp.exchange import imports, player_lists, rating_lists, spreadsheets, tou, trf, tsh_folder, tsh_json
from tdapp.exchange.player_lists import PlayerColumns
from tests.conftest import AttemptRecorder
from tests.exchange.archives import FILES, damage_archive, unpack

_FRAGMENTS = (
    ";", ",", "\t", " ", "  ", "\n", "\r\n", "\r", '"', "'", "\ufeff", "\u2028", "\xa0", "\x1a", "\x00", "sep=",
    "٣", "#", "0", "-1", "99999999999", "=1+1", "x" * 600, "\\", "Ås, Zoë", "½",
)  # fmt: skip
_ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1")


class ReaderCase(Struct, frozen=True):
    """A reader with a valid file, and keywords of its format."""

    read: Callable[[bytes], object]
    valid_text: str
    words: Sequence[str] = ()


def read_pasted_table(data: bytes) -> object:
    """Read a pasted table with columns derived from its bytes, or with guessed columns."""
    lists = imports.read_pasted_players(data.decode("utf-8", "replace"), "pasted")
    grid = lists.sheets[0].grid
    names = ("", *player_lists.FIELDS)
    columns = [names[(len(data) * 31 + index * 7) % len(names)] for index in range(grid.width)]
    unique = tuple("" if column in columns[:index] else column for index, column in enumerate(columns))
    if len(data) % 3:
        return player_lists.read_player_grid(
            grid, "pasted", PlayerColumns(unique, has_headings=len(data) % 2 == 0)
        )
    return player_lists.read_player_grid(grid, "pasted", player_lists.guess_player_columns(grid))


def read_tsh_folder(data: bytes) -> object:
    """Read a config.tsh. Each division file has two players."""
    return tsh_folder.read_tsh_folder(data, "config.tsh", lambda _name: b"One  1500 2; 400\nTwo  1400 1; 300\n")


TEXTS = {
    "pasted": ReaderCase(
        read_pasted_table,
        'nr\tNaam\trating\tclub\ttable\n1\tÅs, Zoë\t1500\tX\t4\n2\t"Li, Ada"\t-\t\t\n3\tThree "3"\t1400\tY\t\n',
        ("name", "rating", "nr", "Naam", "first name", "last", "\t\t", "1500"),
    ),
    "config": ReaderCase(
        read_tsh_folder,
        "config event_name = 'Open'\nconfig spread_cap = [200, 700]\nconfig bye_spread = 50\nconfig max_rounds = "
        "7\nconfig division_label = { A => 'Open', 'B' => \"x\" }\nconfig rating_system = 'nor'\nconfig "
        "division_label{'A'} = 'One'\ndivision A a.t\ndivision B b.t\nprize rank 1 A '$9'\nautopair A 3 5 koth\n",
        ("division ", "config ", "{", "}", "=>", "[", "]", "..", "/", "a.t", "A", "event_date", "spread_cap"),
    ),
    "tou": ReaderCase(
        tou.read_tou,
        "*M 21.11.2026 Open\r\n*A\r\n          431\r\nÅs, Zoë              2431 +2 1400  3 2050  1\r\n"
        "van den Berg, Cécile  400  1    0  2      +3\r\nLi, Ada               -50  3 1400  1       2\r\n"
        "*** END OF FILE ***\r\n",
        ("*M ", "*A", "*", "***", "+", " 2431 +2", "  400  1", "        ", "21.11.2026"),
    ),
    "trf": ReaderCase(
        trf.read_trf,
        (Path(__file__).parents[1] / "files" / "chess.trf").read_text()
        + '### tdapp division {"order": ["wins"]}\n'
        '### tdapp 1 {"points": [412, 390], "tables": [1, 0], "club": "X"}\n',
        (
            "001    1 ",
            "  0000 - U",
            "     1 w 1",
            "240 Z 004    2",
            "XXZ 1",
            "### tdapp 2 {",
            '"points": [',
            "NED    3 ",
        ),
    ),
    "ratings": ReaderCase(
        rating_lists.read_rating_list,
        "name;member;rating;club\nÅs, Zoë;77;1500;X\nLi, Ada;;1400;\n",
        ("name", "rating", "Ås:7  1500\n", "Li, Ada\t1400\t12\n", "1400+2", "last", ";"),
    ),
}
RESULTS: dict[str, Any] = {
    "config": {"event_name": "Open", "event_date": "2026-11-21", "spread_cap": [200, 700]},
    "division": "B",
    "players": [
        {
            "id": 1,
            "name": "One",
            "rating": "1500+20",
            "pairings": [2, 0, 3],
            "scores": [400, 50],
            "p12": [1, 0, 2],
        },
        {
            "id": 2,
            "name": "Two",
            "rating": 0,
            "pairings": [1, 0],
            "scores": [300, -50],
            "board": [4, 0],
            "off": [0],
        },
        {
            "id": 3,
            "name": "Three:7",
            "pairings": [0, 0, 1],
            "scores": [0, 0],
            "class": "A",
            "team": "X",
            "lifeg": 3,
        },
    ],
}
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    3,
    -1,
    10**30,
    1.5,
    "",
    "1",
    "A",
    "\ud800",
    [],
    [0],
    [2, 1],
    {},
    {"a": 1},
    "x" * 600,
)
ARCHIVES = {
    "xlsx": ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels",
             "xl/sharedStrings.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"),
    "ods": ("mimetype", "content.xml", "META-INF/manifest.xml"),
}  # fmt: skip


def damage_text(kind: ReaderCase, seed: int) -> bytes:
    """Return a valid text with a few changes, or sometimes random words or bytes."""
    random_source = random.Random(seed)
    if random_source.random() < 0.05:
        return random_source.randbytes(random_source.randrange(200))
    fragments = [*kind.words, *_FRAGMENTS]
    if random_source.random() < 0.3:
        text = "".join(random_source.choices(fragments, k=random_source.randrange(40)))
    else:
        text = kind.valid_text
        for _ in range(random_source.randint(1, 5)):
            start, end = sorted(random_source.choices(range(len(text) + 1), k=2))
            change = random_source.randrange(4)
            fragment = text[start:end] if change == 0 else "" if change == 1 else random_source.choice(fragments)
            text = text[:start] + fragment + (text[min(end, start + 10) :] if change in {1, 2} else text[start:])
    return text.encode(random_source.choice(_ENCODINGS), "replace")


def write_public_data(seed: int) -> bytes:
    """Return public data with a few changed values."""
    random_source = random.Random(seed)
    document = copy.deepcopy(RESULTS)
    for _ in range(random_source.randint(1, 4)):
        node: Any = document
        while True:
            keys = [*node] if isinstance(node, dict) else [*range(len(node))]
            if not keys:
                break
            key = random_source.choice(keys)
            if isinstance(node[key], (dict, list)) and node[key] and random_source.random() < 0.8:
                node = node[key]
                continue
            node[key] = copy.deepcopy(random_source.choice(VALUES))
            break
    data = json.dumps(document).encode()
    if random_source.random() < 0.05:
        offset = random_source.randrange(len(data))
        return data[:offset] + bytes([random_source.randrange(256)]) + data[offset + 1 :]
    return data


def _count_accepted_sources(name: str, count: int) -> int:
    """Read `count` sources. Return the number of accepted ones."""
    accepted_count = 0
    make, read = _get_source(name)
    for seed in range(count):
        data = make(seed)
        try:
            read(data)
            accepted_count += 1
        except InputError:
            continue
        except Exception as error:
            raise AssertionError(f"{name} {seed}: {data[:2000]!r}") from error
    return accepted_count


def _get_source(name: str) -> tuple[Callable[[int], bytes], Callable[[bytes], object]]:
    if name in ARCHIVES:
        good_parts = unpack((FILES / f"players-libreoffice.{name}").read_bytes())
        parts = {part: good_parts[part] for part in ARCHIVES[name]}
        return (lambda seed: damage_archive(parts, seed)), spreadsheets.read_spreadsheet
    if name == "published":
        return write_public_data, tsh_json.read_tsh_json_event
    kind = TEXTS[name]
    return (lambda seed: damage_text(kind, seed)), kind.read


NAMES = (*TEXTS, "published", *ARCHIVES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_readers_read_or_refuse_a_damaged_file(name: str, record_attempts: AttemptRecorder) -> None:
    record_attempts("damaged imports", 300)
    assert 0 < _count_accepted_sources(name, 300) < 300


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", NAMES)
def test_readers_read_or_refuse_a_hundred_thousand_damaged_files(
    name: str, record_attempts: AttemptRecorder
) -> None:
    record_attempts("damaged imports", 100_000)
    accepted_count = _count_accepted_sources(name, 100_000)
    print(f"{name}: 100000 damaged files, {accepted_count} of them could be read all the same")  # noqa: T201
    assert accepted_count > 0
