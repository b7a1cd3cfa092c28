"""Tests of tile sets: totals of the sources, and tiles read from texts."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import Letter, OverusedTile, TileSet, TileSetError, parse_tileset
from tests.scrabble.tile_sets import FOLDER, load_tile_set

OLD_DUTCH = TileSet(
    "own", "IJ", "nl", (Letter("I", 4, 1), Letter("IJ", 2, 4), Letter("J", 4, 4), Letter("S", 5, 2))
)


def test_tile_set_has_the_data_of_its_file() -> None:
    letter = "Letter(text='S', count=5, value=2)"
    small_set = TileSet("own", "S", "nl", (Letter("S", 5, 2),))
    assert (
        repr(small_set)
        == f"TileSet(id='own', name='S', language='nl', letters=({letter},), blanks=2, lettered_rows=False)"
    )
    assert {small_set, TileSet("own", "S", "nl", (Letter("S", 5, 2),))} == {small_set}
    assert small_set != TileSet("own", "S", "nl", (Letter("S", 5, 3),))


def test_tile_sets_are_complete() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == [
        "de",
        "en",
        "es",
        "fr",
        "nl",
        "nl-be-old",
        "no",
        "sv",
    ]


@pytest.mark.parametrize(
    ("name", "tiles", "face_value"),
    [("nl", 102, 230), ("no", 100, 202), ("de", 102, 202), ("en", 100, 187), ("nl-be-old", 102, 193)],
)
def test_tile_set_has_number_and_face_value(name: str, tiles: int, face_value: int) -> None:
    """NL-06, DE-01, NO-01: 102, 102 and 100 tiles, each with two blanks."""
    tile_set = load_tile_set(name)
    assert (tile_set.id, tile_set.tile_count, tile_set.blanks) == (name, tiles, 2)
    assert sum(letter.count * letter.value for letter in tile_set.letters) == face_value


@pytest.mark.parametrize(
    ("name", "sample"),
    [
        ("nl", "A6x1 E18x1 N10x1 D5x2 U3x4 X1x8 Y1x8 Q1x10"),
        ("no", "A7x1 E9x1 Å2x4 Ø2x5 Æ1x6 W1x8 C1x10 Q0x0 Ü0x0"),
        ("de", "E15x1 M4x3 W1x3 P1x4 Ä1x6 Ü1x6 V1x6 Ö1x8 Y1x10"),
        ("nl-be-old", "A6x1 P2x3 F1x5 Z2x6 L3x2 S3x1"),
        ("en", "E12x1 S4x1 K1x5 J1x8 Z1x10"),
    ],
)
def test_tile_set_has_single_letters(name: str, sample: str) -> None:
    letters = {f"{letter.text}{letter.count}x{letter.value}" for letter in load_tile_set(name).letters}
    assert set(sample.split()) <= letters


def test_find_alphabet_position_follows_the_alphabet() -> None:
    """de-spielregeln 3: the umlauts directly after A, O and U; no-turneringsreglement 2.1: Æ, Ø, Å at the end."""
    german, norwegian = load_tile_set("de"), load_tile_set("no")
    assert "".join(sorted("ÄBAÜVUÖPO", key=german.find_alphabet_position)) == "AÄBOÖPUÜV"
    assert "".join(sorted("ÅØÆZA", key=norwegian.find_alphabet_position)) == "AZÆØÅ"


def test_tile_set_lettered_rows_in_german_and_norwegian() -> None:
    assert {name for name in ("nl", "nl-be-old", "no", "de", "en") if load_tile_set(name).lettered_rows} == {
        "no",
        "de",
    }


def test_read_tiles_blanks_are_small_letters_without_value() -> None:
    german = load_tile_set("de")
    assert german.parse_tile_text("Äq?") == ("Ä", "q", "?")
    assert german.sum_tile_values(german.parse_tile_text("ÄqQ?")) == 16


def test_read_tiles_joins_separate_marks() -> None:
    assert load_tile_set("no").parse_tile_text(unicodedata.normalize("NFD", "ÅÄ")) == ("Å", "Ä")


@pytest.mark.parametrize(
    ("name", "text"), [("de", "STRAß"), ("nl", "É"), ("en", "A1"), ("en", "[A"), ("en", "A B")]
)
def test_read_tiles_refuses_invalid_tiles(name: str, text: str) -> None:
    """DE-02: a blank may be any letter but ß."""
    with pytest.raises(ScrabbleError) as error:
        load_tile_set(name).parse_tile_text(text)
    assert error.value.code == "letter-unknown"


def test_read_tiles_reads_letters_of_two_characters() -> None:
    assert OLD_DUTCH.parse_tile_text("IJSijI") == ("IJ", "S", "ij", "I")
    assert OLD_DUTCH.parse_tile_text("[I]J[IJ]") == ("I", "J", "IJ")
    assert OLD_DUTCH.sum_tile_values(OLD_DUTCH.parse_tile_text("IJS")) == 6


@given(st.lists(st.sampled_from(["I", "J", "IJ", "ij", "i", "j", "S", "?"])))
def test_write_tiles_round_trip(tiles: list[str]) -> None:
    assert OLD_DUTCH.parse_tile_text(OLD_DUTCH.format_tiles(tiles)) == tuple(tiles)


def test_find_overused_tiles_counts_blanks_separately() -> None:
    """X-02 and NL-25: at most two blanks."""
    english = load_tile_set("en")
    assert english.find_overused_tiles("ZzqQ") == ()
    assert english.find_overused_tiles("ZZzq?") == (OverusedTile("Z", 2, 1), OverusedTile("?", 3, 2))
    assert english.find_overused_tiles("") == ()


def test_list_remaining_tiles_omits_used_tiles() -> None:
    english = load_tile_set("en")
    assert len(english.list_remaining_tiles("")) == 100
    assert len(english.list_remaining_tiles("Zz")) == 98
    assert "Z" not in english.list_remaining_tiles("Z")
    assert english.list_remaining_tiles("z").count("?") == 1


@pytest.mark.parametrize("key", ["\u1e9e", "\u212b", "\u1fbb"])
def test_parse_tileset_refuses_a_letter_with_two_spellings(key: str) -> None:
    """The capital sharp s is also SS. Å and an accented alpha have two characters each."""
    with pytest.raises(TileSetError) as error:
        parse_tileset({"id": "x", "name": "x", "language": "de", "letters": {"A": [1, 1], key: [1, 1]}})
    assert len(error.value.problems) == 1
    assert error.value.problems[0].startswith(f"letters.{key}: expected a letter with one spelling")


def test_parse_tileset_reports_all_errors_together() -> None:
    with pytest.raises(TileSetError) as error:
        parse_tileset(
            {"id": 1, "name": "x", "blanks": -1, "extra": 2, "letters": {"a": [1, 1], "B": [1], "C": [1, 100]}}
        )
    assert len(error.value.problems) == 8
    text = str(error.value)
    for part in ("id:", "language: missing", "blanks:", "extra: unknown", "letters.a", "letters.B", "letters.C"):
        assert part in text


def test_parse_tileset_needs_tiles() -> None:
    with pytest.raises(TileSetError, match="no tile at all"):
        parse_tileset({"id": "x", "name": "x", "language": "en", "letters": {"A": [0, 1]}})
    with pytest.raises(TileSetError, match="expected a table"):
        parse_tileset({"id": "x", "name": "x", "language": "en", "letters": ["A"]})


@pytest.mark.parametrize("text", ["IJS]", "[I", "[SJ", "[X]", "[]"])
def test_read_tiles_brackets_contain_one_letter(text: str) -> None:
    with pytest.raises(ScrabbleError, match="letter-unknown"):
        OLD_DUTCH.parse_tile_text(text)
