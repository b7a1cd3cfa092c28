"""Tests of imports: detected formats, pasted tables, chosen columns and omitted columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.domain.entries import DivisionEntry, EventEntry, PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.exchange import imports, player_lists, tou, tsh, tsh_folder
from tdapp.exchange.cells import ImportedResults
from tdapp.exchange.imports import ImportFormat, PlayerListFile, detect_format
from tdapp.exchange.player_lists import PlayerColumns

DIVISION = DivisionEntry("A", (PlayerEntry(1, "One", 1500), PlayerEntry(2, "Two")))


def get_only_tables(lists: object) -> PlayerListFile:
    """Return the player tables of a source."""
    assert isinstance(lists, PlayerListFile)
    return lists


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (tou.encode_tou(DIVISION), ImportFormat.TOU),
        (b"\r\n*M 21.11.2026 X\r\n", ImportFormat.TOU),
        (tsh_folder.encode_tsh_folder(EventEntry((DIVISION,)))["config.tsh"], ImportFormat.TSH_FOLDER),
        (b"#!/usr/bin/perl\nperl 1\n  division A a.t # one\n", ImportFormat.TSH_FOLDER),
        (b'{"config": {}, "division": "A", "players": []}', ImportFormat.TSH_JSON),
        (b'{"format": "tdapp", "version": 1, "players": []}', ImportFormat.DOCUMENT),
        (b"PK\x03\x04", ImportFormat.SPREADSHEET),
        (b"Ann\t1500\nBob\t1400\n", ImportFormat.PLAYERS),
        (b"A  1500; \n", ImportFormat.TSH),
    ],
)
def test_detect_format_uses_the_content(data: bytes, expected: ImportFormat) -> None:
    assert detect_format(data, "list.csv") is expected


def test_file_formats_each_have_a_reader_and_a_name() -> None:
    assert {*imports.IMPORTS} == {*ImportFormat}
    with pytest.raises(InputError, match="tsh-folder-needed"):
        imports.read_bytes_to_import(b"division A a.t\n", "config.tsh")


def test_read_bytes_recognises_results_and_divisions() -> None:
    content = imports.read_bytes_to_import(b"round,table,score1,score2\n1,1,400,300\n", "r.csv")
    assert isinstance(content, ImportedResults)
    assert imports.read_bytes_to_import(tsh.encode_tsh_division(DIVISION), "a.t") == EventEntry(
        (tsh.read_division(tsh.encode_tsh_division(DIVISION)),)
    )


def test_read_pasted_reads_a_table_of_spreadsheets_and_pages() -> None:
    text = 'Nr\tNaam\tElo\r\n1\t"Two\nlines, Ann"\t1500\r\n2\t5" disc, Bob\t\r\n\t\t\r\n3\tLi, Ada\t1400'
    preview = player_lists.read_player_grid(imports.read_pasted_players(text, "Clipboard").sheets[0].grid)
    assert [(entry.name, entry.rating) for entry in preview.entries] == [
        ("Two lines, Ann", 1500),
        ('5" disc, Bob', None),
        ("Li, Ada", 1400),
    ]


def test_read_pasted_treats_unmatched_quotes_as_text() -> None:
    text = 'Naam\tElo\n"Quiet" Bob\t1500\n"Ann\t1400\n'
    grid = imports.read_pasted_players(text, "Clipboard").sheets[0].grid
    assert [cells[0] for _, cells in grid.rows] == ["Naam", '"Quiet" Bob', '"Ann']
    with pytest.raises(InputError, match="csv-broken"):
        imports.read_bytes_to_import(b'name;rating\n"Ann;1400\n', "a.csv")


def test_read_player_grid_uses_the_chosen_columns() -> None:
    grid = get_only_tables(imports.read_bytes_to_import(b"1500;Ann;x\n1400;Bob;y\n", "a.csv")).sheets[0].grid
    assert player_lists.guess_player_columns(grid) == PlayerColumns(("", "", ""), has_headings=False)
    names = imports.read_pasted_players("Kari Hansen\nPer Olsen\n", "").sheets[0].grid
    assert player_lists.guess_player_columns(names, single_column_is_names=True) == PlayerColumns(
        ("first_last",), has_headings=False
    )
    with pytest.raises(InputError, match="csv-no-header"):
        player_lists.read_player_grid(grid, "a.csv")
    players = player_lists.read_player_grid(
        grid, "a.csv", PlayerColumns(("rating", "name", ""), has_headings=False)
    )
    assert [(player.line, player.name, player.rating) for player in players.get_players_or_refuse()] == [
        (1, "Ann", 1500),
        (2, "Bob", 1400),
    ]
    headed = player_lists.read_player_grid(grid, "a.csv", PlayerColumns(("rating", "name", "")))
    assert (len(headed.entries), headed.ignored) == (1, ("x",))
    with pytest.raises(InputError, match="csv-column-twice"):
        player_lists.read_player_grid(grid, "a.csv", PlayerColumns(("name", "name", "")))
    with pytest.raises(InputError, match="csv-column-missing"):
        player_lists.read_player_grid(grid, "a.csv", PlayerColumns(("rating", "", "")))


def test_guess_player_columns_counts_a_repeated_heading_once() -> None:
    grid = get_only_tables(imports.read_bytes_to_import(b"name;naam;elo\nA;B;1\n", "a.csv")).sheets[0].grid
    assert player_lists.guess_player_columns(grid) == PlayerColumns(("name", "", "rating"))


def test_read_player_grid_names_a_row_with_more_cells_than_headings() -> None:
    grid = get_only_tables(imports.read_bytes_to_import(b"name;rating\nA;1;2\n", "a.csv")).sheets[0].grid
    (problem,) = player_lists.read_player_grid(grid).problems
    assert (problem.line, problem.code) == (2, "too-many-cells")


def test_make_player_table_makes_a_list_of_a_division() -> None:
    lists = imports.make_player_list_from_entries(DIVISION.players, "a.t")
    assert lists.sheets[0].grid.first_row == ("number", "name", "rating")
    assert player_lists.read_player_grid(lists.sheets[0].grid).get_players_or_refuse() == DIVISION.players


def test_read_import_refuses_a_folder_without_a_config(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error_info:
        imports.read_file_to_import(tmp_path)
    assert (error_info.value.code, error_info.value.source) == ("no-file-there", "config.tsh")
