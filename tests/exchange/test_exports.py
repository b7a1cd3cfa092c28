"""Tests of exports: workbooks, plain texts, public data and lists of omitted data."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry, list_player_entries
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, GameSide
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports, imports, player_lists, spreadsheets
from tdapp.exchange.exports import DataKind
from tdapp.exchange.imports import PlayerListFile
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.pairing import propose_pairings
from tests.building import RESOURCES
from tests.data_events import RULES
from tests.exchange.archives import unpack

D = DivisionId("d")
ENTRIES = (
    PlayerEntry(1, "=HYPERLINK(1)", 1500, club="@x", notes="+1"),
    PlayerEntry(2, "Ås, Zoë", 1400, member="00417", country="NO"),
    PlayerEntry(3, "-2", club="'=y", team="-5"),
    PlayerEntry(4, "Long name of somebody who has very many letters in it", rated_games=0, fixed_table=7),
    PlayerEntry(5, "Łukasz, Ada"),
)


def make_catalogue(language: str = "en") -> Catalogue:
    return Catalogue(language, RESOURCES / "locale")


def make_played_tournament(*, rounds: int = 2) -> Tournament:
    """Return a division of five players with some played rounds."""
    value = commands.new_tournament(key="t", name="Open", ruleset=RULES)
    value = commands.add_division(value, key=D, code="A", name="Main")
    value = commands.add_stage(value, key="s", division=D, system="swiss", rounds=5)
    value = commands.import_players(value, key="p", division=D, entries=ENTRIES)
    for number in range(1, rounds + 1):
        value = commands.pair_round(value, key=f"r{number}", proposal=propose_pairings(TournamentIndex(value), D))
        for game in TournamentIndex(value).games(TournamentIndex(value).rounds(D)[-1].id):
            points = (400 + game.table, 300 + number)
            value = commands.enter_result(value, game=game.id, first=points[0], second=points[1])
    return value


@pytest.mark.parametrize("language", LANGUAGES)
def test_write_workbook_can_be_imported_in_each_language(language: str) -> None:
    index = TournamentIndex(make_played_tournament())
    data = exports.make_export_content("xlsx", index, None, None, make_catalogue(language))
    assert isinstance(data, bytes)
    lists = imports.read_bytes_to_import(data, "a.xlsx")
    assert isinstance(lists, PlayerListFile)
    assert player_lists.read_player_grid(
        lists.sheets[lists.likely_worksheet_index].grid
    ).get_players_or_refuse() == list_player_entries(index, D)


def test_write_workbook_writes_numbers_and_no_formulas() -> None:
    data = exports.make_export_content(
        "xlsx", TournamentIndex(make_played_tournament()), "A", None, make_catalogue()
    )
    assert isinstance(data, bytes)
    parts = unpack(data)
    sheets = {name: part for name, part in parts.items() if name.startswith("xl/worksheets/sheet")}
    assert len(sheets) == 7  # players, standings, crosstable, two rounds and their byes
    assert not any(b"<f>" in part or b"<f " in part or b"hyperlink" in part for part in sheets.values())
    assert b'<c r="C2"><v>1500</v></c>' in sheets["xl/worksheets/sheet1.xml"]
    assert b'state="frozen"' in sheets["xl/worksheets/sheet1.xml"]
    assert b'quotePrefix="1"' in parts["xl/styles.xml"]
    assert b"00417" in parts["xl/sharedStrings.xml"]


def test_write_workbook_is_repeatable() -> None:
    index = TournamentIndex(make_played_tournament())
    assert exports.make_export_content("xlsx", index, None, None, make_catalogue()) == exports.make_export_content(
        "xlsx", index, None, None, make_catalogue()
    )


def test_write_workbook_gives_sheets_valid_unique_names() -> None:
    value = commands.add_division(
        make_played_tournament(), key="e", code="[A]: / a very long code of a division * ?"
    )
    value = commands.import_players(value, key="q", division=DivisionId("e"), entries=ENTRIES)
    data = exports.make_export_content("xlsx", TournamentIndex(value), None, None, make_catalogue())
    assert isinstance(data, bytes)
    names = [sheet.name for sheet in spreadsheets.read_spreadsheet(data)]
    assert len(names) == len({name.casefold() for name in names})
    assert all(len(name) <= 31 and not {*name} & {*"[]:*?/\\"} for name in names)


def test_write_workbook_accepts_an_empty_tournament() -> None:
    empty = commands.new_tournament(key="t", name="Open", ruleset=RULES)
    assert exports.make_export_content("xlsx", TournamentIndex(empty), None, None, make_catalogue())


def test_plain_text_exports_results_and_standings() -> None:
    index = TournamentIndex(make_played_tournament(rounds=1))
    text = {
        kind: str(exports.make_export_content(kind, index, "A", None, make_catalogue()), "utf-8")  # type: ignore[arg-type]
        for kind in ("txt", "txt-short", "round-txt", "round-short")
    }
    lines = text["txt"].splitlines()
    assert lines[:2] == ["Open · Standings after round 1 · Ranked by Wins, Spread", ""]
    assert lines[2].split() == ["Name", "Wins", "Spread"]
    assert len({len(line) for line in lines[2:]}) == 1
    assert "Long name of somebody who has v…" in text["txt"]
    games = text["round-txt"].splitlines()
    assert games[0] == "Open · Round 1: results"
    assert games[2].split() == ["Table", "Starts", "Score", "Second"]
    assert games[-1].endswith(" bye")
    assert {line.split()[0] for line in games[3:-1]} == {"1", "7"}
    short_lines = text["round-short"].splitlines()
    assert short_lines[2].startswith("1. ")
    assert short_lines[2].endswith(" 401–301")
    assert text["txt-short"].splitlines()[2].startswith("1. ")


def test_plain_text_names_one_of_several_divisions() -> None:
    value = commands.add_division(make_played_tournament(rounds=1), key="e", code="B")
    text = exports.make_export_content("round-short", TournamentIndex(value), "A", 1, make_catalogue("nl"))
    assert isinstance(text, bytes)
    assert text.decode().startswith("Open · Klasse A · Ronde 1: uitslagen\n")


def test_plain_text_marks_a_forfeit_and_an_open_game() -> None:
    value = make_played_tournament(rounds=0)
    value = commands.pair_round(value, key="r", proposal=propose_pairings(TournamentIndex(value), D))
    games = TournamentIndex(value).games(TournamentIndex(value).rounds(D)[0].id)
    value = commands.enter_result(value, game=games[0].id, forfeit=GameSide.FIRST)
    text = exports.make_export_content("round-short", TournamentIndex(value), "A", None, make_catalogue())
    assert isinstance(text, bytes)
    first, second, *_ = text.decode().splitlines()[2:]
    assert first.endswith(" forfeited –")
    assert not second[-1].isdigit() or "–" in second
    for forfeit, points in ((GameSide.SECOND, (True, False)), (GameSide.BOTH, (True, True))):
        ruled_value = commands.enter_result(value, game=games[0].id, forfeit=forfeit, confirmed=True)
        text = exports.make_export_content("round-txt", TournamentIndex(ruled_value), "A", None, make_catalogue())
        assert isinstance(text, bytes)
        line = text.decode().splitlines()[3]
        assert ("– forfeited" in line, "forfeited –" in line) == points


@pytest.mark.parametrize("kind", ["t", "tsh", "tou"])
def test_list_unsupported_names_omissions(kind: str) -> None:
    value = make_played_tournament(rounds=1)
    games = TournamentIndex(value).games(TournamentIndex(value).rounds(D)[0].id)
    first, two_names = games[0].first, games[1].first
    value = commands.enter_result(
        commands.clear_result(value, game=games[0].id), game=games[0].id, forfeit=GameSide.BOTH
    )
    value = commands.forbid_pairing(value, key="b", player=first, other=two_names)
    value = commands.propose_round(value, key="d", proposal=propose_pairings(TournamentIndex(value), D))
    data = exports.list_unsupported_data(kind, TournamentIndex(value), "A")
    data_without_loss = [item.facts["what"] for item in data if item.code == "export-without"]
    missing_data = {kind for facts in data_without_loss for kind in facts}  # type: ignore[attr-defined]
    assert {DataKind.FORFEITS, DataKind.CONSTRAINTS, DataKind.DRAFT} <= missing_data
    assert ("rating" in missing_data) is (kind == "tou")


def test_list_unsupported_is_empty_for_plain_data() -> None:
    index = TournamentIndex(make_played_tournament())
    rows = [replace(row, name=row.name.replace("Ł", "L")) for row in index.tournament.players.values()]
    index = TournamentIndex(index.tournament.put(*rows))
    for kind in ("json", "xlsx", "players", "t", "tsh"):
        data = exports.list_unsupported_data(kind, index, None if exports.EXPORTS[kind].scope == "all" else "A")
        assert [unsupported.code for unsupported in data] == []


def test_list_unsupported_names_unknown_letters_and_fields_of_tsh() -> None:
    value = make_played_tournament()
    first = next(iter(value.players.values()))
    index = TournamentIndex(value.put(replace(first, needs_access=True, shown_as="Guest")))
    latin, data_without_loss = exports.list_unsupported_data("t", index, "A")
    assert (latin.code, latin.facts) == ("tsh-not-latin", {"players": "Łukasz, Ada"})
    assert data_without_loss.facts["what"] == (DataKind.ACCESS, DataKind.SHOWN_AS)
    (players,) = exports.list_unsupported_data("players", index, "A")
    assert players == data_without_loss


def test_list_unsupported_names_all_missing_data_in_one_sentence() -> None:
    value = make_played_tournament()
    (division,) = value.divisions.values()
    value = value.put(replace(division, order=("spread",), times="10:00 +65"))
    data = exports.list_unsupported_data("tourney", TournamentIndex(value), "A")
    data_without_loss = [item.facts["what"] for item in data if item.code == "export-without"]
    assert data_without_loss == [(DataKind.ORDER, DataKind.TIMES)]


def test_list_unsupported_counts_the_names_after_the_tenth() -> None:
    value = make_played_tournament()
    (division,) = value.divisions
    for number in range(12):
        value = commands.add_player(value, key=f"x{number}", division=division, name=f"Ω, {number}")
    facts = {
        data.code: data.facts for data in exports.list_unsupported_data("naspa", TournamentIndex(value), None)
    }
    assert facts["export-names-differ"]["players"] == (
        "Ås, Zoë; Łukasz, Ada; Ω, 0; Ω, 1; Ω, 2; Ω, 3; Ω, 4; Ω, 5; Ω, 6; Ω, 7; +4"
    )


def test_write_export_refuses_an_unknown_format() -> None:
    with pytest.raises(CommandError, match="format-unknown"):
        exports.make_export_content("doc", TournamentIndex(make_played_tournament()), None, None, make_catalogue())


def test_save_export_writes_a_folder_file_by_file(tmp_path: Path) -> None:
    content = exports.make_export_content(
        "tsh", TournamentIndex(make_played_tournament()), None, None, make_catalogue()
    )
    exports.save_export(tmp_path / "a" / "b", content)
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["a.t", "config.tsh"]


def test_make_shareable_leaves_public_data() -> None:
    value = make_played_tournament()
    players = [replace(row, shown_as=f"No. {row.number}") for row in value.players.values()]
    index = exports.make_index_of_public_view(TournamentIndex(value.put(*players)))
    write = partial(
        exports.make_export_content, index=index, code=None, after_round=None, catalogue=make_catalogue()
    )
    for kind in ("json", "xlsx", "tsh"):
        content = write(kind)
        parts = {"": content} if isinstance(content, bytes) else content
        parts = unpack(content) if kind == "xlsx" and isinstance(content, bytes) else parts
        assert not any("Zoë".encode() in part or b"00417" in part for part in parts.values())


def test_wespa_export_writes_first_names_first_for_all_divisions() -> None:
    value = commands.add_division(make_played_tournament(), key="e", code="B", name="Second")
    value = commands.import_players(value, key="q", division=DivisionId("e"), entries=(PlayerEntry(1, "Li, Bo"),))
    with pytest.raises(CommandError, match="tou-no-date"):
        exports.make_export_content("wespa", TournamentIndex(value), None, None, make_catalogue())
    value = commands.edit_event(value, date="2026-11-21")
    data = exports.make_export_content("wespa", TournamentIndex(value), None, None, make_catalogue())
    assert isinstance(data, bytes)
    text = data.decode("utf-8")
    assert text.startswith("*M 21.11.2026 Open\r\n*A\r\n")
    assert "\r\nZoë Ås  " in text
    assert "\r\n*B\r\n" in text
    assert "\r\nBo Li\r\n" in text


def test_naspa_export_writes_ascii_with_numbers() -> None:
    value = make_played_tournament()
    first, second, *_ = value.players.values()
    value = value.put(replace(second, naspa="AA000123"), replace(first, name="Li, Bo"))
    data = exports.make_export_content("naspa", TournamentIndex(value), None, None, make_catalogue())
    assert isinstance(data, bytes)
    lines = data.decode("ascii").splitlines()
    assert lines[0] == "#division A"
    assert lines[2].startswith("As, Zoe:AA000123       1400 ")
    assert all(line.count(";") == 1 for line in lines[1:])
    facts_by_code = {
        data.code: data.facts for data in exports.list_unsupported_data("naspa", TournamentIndex(value), None)
    }
    assert str(facts_by_code["naspa-without-number"]["players"]).startswith("Li, Bo; -2; Long name")
    assert facts_by_code["export-names-differ"] == {"players": "Ås, Zoë; Łukasz, Ada"}
