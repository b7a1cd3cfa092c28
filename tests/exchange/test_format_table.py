"""Tests that the table of formats in the help matches the exports and imports."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import DivisionEntry, EventEntry, export_division, list_player_entries
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, AbsenceId, GameSide, PlayerId
from tdapp.domain.player_fields import EMPTY_VALUES
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports, imports, player_lists, tournament_json
from tdapp.exchange.exports import EXPORTS, PLAYER_DATA, DataKind, find_lost_data
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, RESOURCES
from tests.exchange.format_table import FORMATS, get_page_path, make_table
from tests.storage.full_tournament import build_full_tournament

KINDS = [kind for kind, export in EXPORTS.items() if export.reimported_data or kind == "tou"]
_TEXTS = tuple(name for name, empty in EMPTY_VALUES.items() if empty == "")


def make_full_tournament() -> Tournament:
    """Return a tournament with data of all kinds, also data that some formats omit."""
    value = commands.edit_event(build_full_tournament(), date="2026-05-01")
    division, solo = value.divisions[DIVISION], value.players[PlayerId("p8")]
    value = value.put(replace(solo, number=8))  # these formats number players by position
    value = value.put(replace(division, order=("wins", "resistance"), spread_caps=(200, 300), times="10:00 +65"))
    for index, row in enumerate(value.players.values(), 1):
        texts: dict[str, Any] = {key: f"{key} {index}" for key in _TEXTS}
        value = value.put(
            replace(
                row,
                rating=1000 + index,
                provisional=True,
                fixed_table=index,
                rated_games=index,
                needs_access=True,
                **texts,
            )
        )
    value = value.put(Absence(AbsenceId("off"), PlayerId("p3"), 3))
    last = TournamentIndex(value).games(TournamentIndex(value).rounds(DIVISION)[-1].id)[-1]
    value = commands.enter_result(commands.clear_result(value, game=last.id), game=last.id, forfeit=GameSide.BOTH)
    value = commands.propose_round(value, key="draft", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    return commands.add_stage(value, key="final", division=DIVISION, system="knockout", rounds=1)


def export_and_import(kind: str, index: TournamentIndex) -> object:
    """Export a tournament, and return the imported content."""
    code = None if EXPORTS[kind].scope == "all" else "A"
    data = exports.make_export_content(kind, index, code, None, Catalogue("en", RESOURCES / "locale"))
    return imports.read_bytes_to_import(data if isinstance(data, bytes) else data["a.t"], "x")


@pytest.mark.parametrize("kind", KINDS)
def test_list_unsupported_matches_the_declared_omissions(kind: str) -> None:
    index = TournamentIndex(make_full_tournament())
    unsupported = exports.list_unsupported_data(kind, index, None if EXPORTS[kind].scope == "all" else "A")
    lost_data: set[str] = set()
    for item in unsupported:
        if item.code == "export-without":
            lost_data |= {*_list_unsupported_data(item)}
    supported = (
        {*PLAYER_DATA, DataKind.ACCESS, DataKind.SHOWN_AS} if kind == "players" else {*PLAYER_DATA, *DataKind}
    )
    assert lost_data == supported - EXPORTS[kind].reimported_data


@pytest.mark.parametrize("kind", KINDS)
def test_exports_keep_the_declared_data(kind: str) -> None:
    index = TournamentIndex(make_full_tournament())
    division = index.get_division("A")
    read = export_and_import(kind, index)
    if isinstance(read, Tournament):
        assert tournament_json.encode_tournament(read) == tournament_json.encode_tournament(index.tournament)
        return
    if isinstance(read, imports.PlayerListFile):
        assert player_lists.read_player_grid(read.sheets[0].grid).get_players_or_refuse() == list_player_entries(
            index, division.id
        )
        return
    assert isinstance(read, EventEntry)
    exported = export_division(index, division, keep_forfeits=DataKind.FORFEITS in EXPORTS[kind].reimported_data)
    entry = replace(exported, order=find_tiebreak_order(index, division))
    lost_data = [
        data
        for item in find_lost_data(entry, _get_only_division(read))
        if item.code == "export-without"
        for data in _list_unsupported_data(item)
    ]
    assert not {*lost_data} & EXPORTS[kind].reimported_data
    assert [item.code for item in find_lost_data(entry, _get_only_division(read))] == ["export-without"] * bool(
        lost_data
    )


def _get_only_division(event: EventEntry) -> DivisionEntry:
    [division] = event.divisions
    return division


def _list_unsupported_data(item: Any) -> tuple[StrEnum, ...]:
    data: tuple[StrEnum, ...] = item.facts["what"]
    return data


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_page_has_the_table_of_formats(language: str) -> None:
    assert {*FORMATS} <= {*KINDS}
    assert get_page_path(language).read_text(encoding="utf-8").endswith(f"\n\n{make_table(language)}")
