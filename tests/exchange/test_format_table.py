"""The table of formats in the help agrees with the exports and imports."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import DivisionEntry, EventEntry, export_division, export_players
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, Forfeit, PlayerId
from tdapp.domain.player_fields import EMPTY_VALUES
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports, imports, player_lists, tournament_json
from tdapp.exchange.exports import EXPORTS, PLAYER_DATA, DataKind, find_lost_data
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.pairing import propose_pairings
from tests.building import DIVISION, RESOURCES
from tests.exchange.format_table import FORMATS, page, table
from tests.storage.full_tournament import beginning

KINDS = [kind for kind, export in EXPORTS.items() if export.reimported_data or kind == "tou"]
_TEXTS = tuple(name for name, empty in EMPTY_VALUES.items() if empty == "")


def everything() -> Tournament:
    """Return a tournament with all that a file may have no place for."""
    value = commands.edit_event(beginning(), date="2026-05-01")
    here, solo = value.divisions[DIVISION], value.players[PlayerId("p8")]
    value = value.put(replace(solo, number=8))  # these formats number players by position
    value = value.put(replace(here, order=("wins", "resistance"), spread_caps=(200, 300), times="10:00 +65"))
    for at, row in enumerate(value.players.values(), 1):
        texts: dict[str, Any] = {key: f"{key} {at}" for key in _TEXTS}
        value = value.put(
            replace(
                row, rating=1000 + at, provisional=True, fixed_table=at, rated_games=at, needs_access=True, **texts
            )
        )
    value = value.put(Absence(AbsenceId("off"), PlayerId("p3"), 3))
    last = Index(value).games(Index(value).rounds(DIVISION)[-1].id)[-1]
    value = commands.enter_result(commands.clear_result(value, game=last.id), game=last.id, forfeit=Forfeit.BOTH)
    value = commands.propose_round(value, key="draft", proposal=propose_pairings(Index(value), DIVISION))
    return commands.add_stage(value, key="final", division=DIVISION, system="knockout", rounds=1)


def again(kind: str, index: Index) -> object:
    """Return the contents of a file, or of the division in a folder."""
    code = None if EXPORTS[kind].scope == "all" else "A"
    data = exports.write_export(kind, index, code, None, Catalogue("en", RESOURCES / "locale"))
    return imports.read_import_bytes(data if isinstance(data, bytes) else data["a.t"], "x")


@pytest.mark.parametrize("kind", KINDS)
def test_list_unsupported_matches_the_declared_omissions(kind: str) -> None:
    index = Index(everything())
    told = exports.list_unsupported_data(kind, index, None if EXPORTS[kind].scope == "all" else "A")
    lost: set[str] = set()
    for one in told:
        if one.code == "export-without":
            lost |= {*_what(one)}
    known = {*PLAYER_DATA, DataKind.ACCESS, DataKind.SHOWN_AS} if kind == "players" else {*PLAYER_DATA, *DataKind}
    assert lost == known - EXPORTS[kind].reimported_data


@pytest.mark.parametrize("kind", KINDS)
def test_exports_keep_the_declared_data(kind: str) -> None:
    index = Index(everything())
    division = index.division("A")
    read = again(kind, index)
    if isinstance(read, Tournament):
        assert tournament_json.write_tournament(read) == tournament_json.write_tournament(index.tournament)
        return
    if isinstance(read, imports.PlayerTables):
        assert player_lists.read_player_grid(read.sheets[0].grid).list_accepted_players() == export_players(
            index, division.id
        )
        return
    assert isinstance(read, EventEntry)
    exported = export_division(index, division, keep_forfeits=DataKind.FORFEITS in EXPORTS[kind].reimported_data)
    entry = replace(exported, order=find_tiebreak_order(index, division))
    lost = [
        held for one in find_lost_data(entry, _only(read)) if one.code == "export-without" for held in _what(one)
    ]
    assert not {*lost} & EXPORTS[kind].reimported_data
    assert [one.code for one in find_lost_data(entry, _only(read))] == ["export-without"] * bool(lost)


def _only(event: EventEntry) -> DivisionEntry:
    [division] = event.divisions
    return division


def _what(one: Any) -> tuple[StrEnum, ...]:
    found: tuple[StrEnum, ...] = one.facts["what"]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_page_has_the_table_of_formats(language: str) -> None:
    assert {*FORMATS} <= {*KINDS}
    assert page(language).read_text(encoding="utf-8").endswith(f"\n\n{table(language)}")
