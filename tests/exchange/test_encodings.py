"""Tests of the detection of text encodings: Windows, DOS, Mac and mixed files."""

from __future__ import annotations

import pytest

from tdapp.domain.errors import InputError
from tdapp.exchange import imports, player_lists
from tdapp.exchange.text import DetectedEncoding, decode_text, detect_encoding

GERMAN = "Name;Rating\nMüller, Jörg;1500\nGroß, Uwe;1400\nSchäfer, Änne;1300\n"
NORWEGIAN = "Navn;Rating\nBjørnsen, Åse;1500\nSæther, Kåre;1200\n"
DUTCH = "Naam;Rating\nDaniëls, Cécile;1500\nCoëlho, René;1100\n"
FRENCH = "Name;Rating\nLefèvre, Françoise;1500\nBenoît, Désirée;1200\n"


@pytest.mark.parametrize("text", [GERMAN, NORWEGIAN, DUTCH, FRENCH])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1", "cp850", "mac_roman"])
def test_decode_text_finds_the_encoding_of_a_list_of_names(text: str, encoding: str) -> None:
    assert decode_text(text.encode(encoding), "") == text


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac_roman"])
def test_decode_text_finds_the_encoding_of_a_single_name(encoding: str) -> None:
    assert decode_text("Name\nMüller, Jörg\nJansen, Piet\n".encode(encoding), "").split()[1] == "Müller,"


MIXED = "Name;Club\nMüller, Jörg;Köln\nØdegård, Pål;Tromsø\nGroß, Änne;Weiß\nPérez, Íñigo;Liège\n"
TOWNS = "Name;Club\nMüller, Jörg;Köln\nSchäfer, Jürgen;Düsseldorf\nGroß, Uwe;Berlin\n"


@pytest.mark.parametrize("text", [MIXED, TOWNS])
@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac_roman"])
def test_decode_text_counts_the_odd_signs_of_each_encoding(text: str, encoding: str) -> None:
    assert decode_text(text.encode(encoding), "") == text


def test_decode_text_reads_a_latin_line_in_a_utf8_list() -> None:
    data = "Name\nMüller, Jörg\n".encode() + "Schäfer, Änne\n".encode("latin-1") + "Åse Sæther\n".encode()
    assert decode_text(data, "") == "Name\nMüller, Jörg\nSchäfer, Änne\nÅse Sæther\n"
    assert detect_encoding(data) == DetectedEncoding("utf-8", "cp1252", (3,))


def test_read_player_grid_reports_a_byte_without_a_letter() -> None:
    data = b"Name;Rating\nM\xfcller, J\xf6rg;1500\nJan\x9dsen, Piet;1400\nD\x92Arcy, Ren\xe9;1300\n"
    lists = imports.read_bytes_to_import(data, "a.csv")
    assert isinstance(lists, imports.PlayerListFile)
    preview = player_lists.read_player_grid(lists.sheets[0].grid, "a.csv")
    assert [entry.name for entry in preview.get_players_or_refuse()] == [
        "Müller, Jörg",
        "Jansen, Piet",
        "D’Arcy, René",
    ]
    assert [
        (warning.line, warning.field, warning.code, warning.facts["sign"]) for warning in preview.warnings
    ] == [(3, "name", "control-left-out", "U+009D")]


def test_read_text_list_uses_the_chosen_encoding() -> None:
    lists = imports.read_player_list_text("Name\nMüller, Jörg\n".encode("cp850"), "a.csv", "mac_roman")
    assert lists.encoding == DetectedEncoding("mac_roman")
    assert lists.accented_cell_samples == ("MÅller, Jîrg",)
    with pytest.raises(InputError, match="file-encoding"):
        imports.read_player_list_text("Name\nMüller, Jörg\n".encode("cp850"), "a.csv", "utf-8")
