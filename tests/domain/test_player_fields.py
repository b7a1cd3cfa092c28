"""Tests that each player field is in all tables, files and forms."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import fields, replace

from tdapp.domain import commands
from tdapp.domain.commands.players import PlayerChanges
from tdapp.domain.entries import PlayerEntry, export_division, list_player_entries, map_nonempty_player_fields
from tdapp.domain.erasing import make_personal_data_eraser
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Player
from tdapp.domain.player_fields import EMPTY_VALUES, LIST_FIELDS, PLAYER_FIELDS, Audience, PlayerFieldInfo
from tdapp.domain.publishing import make_public_view
from tdapp.domain.tables.players import make_player_table
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports, imports, player_lists, rating_lists, tournament_json, trf, tsh
from tdapp.exchange.json_text import convert_to_dicts_and_lists
from tdapp.exchange.json_views import make_players_json
from tdapp.i18n.catalogue import Catalogue
from tests.building import DIVISION, RESOURCES, make_event
from tests.domain.results import fill_player

ENGLISH = Catalogue("en", RESOURCES / "locale")
EACH_FIELD = pytest.mark.parametrize("field", PLAYER_FIELDS.values(), ids=PLAYER_FIELDS)
EACH_LISTED_FIELD = pytest.mark.parametrize("field", LIST_FIELDS, ids=lambda field: field.name)
BY_COMMAND = {"checked_in", "paid"}  # changed by commands of their own
FILE_KINDS = ("json", "xlsx", "csv", "tsh", "trf")


def make_full_event() -> Tournament:
    """Return an event. The first player has a value in each field."""
    value = make_event(3)
    return value.put(fill_player(TournamentIndex(value).players(DIVISION)[0]))


def get_first_player(value: Tournament) -> Player:
    return TournamentIndex(value).players(DIVISION)[0]


def test_player_fields_describe_each_field() -> None:
    assert {"id", "division", "number", "name", *PLAYER_FIELDS} == {item.name for item in fields(Player)}


def test_player_fields_are_imported_and_editable() -> None:
    defaults = {item.name: item.default for item in fields(PlayerEntry) if not item.required}
    assert {field.name: EMPTY_VALUES[field.name] for field in LIST_FIELDS} == {
        name: empty for name, empty in defaults.items() if name not in PlayerEntry.fields_ignored_by_equality
    }
    assert {"number", "name", *PLAYER_FIELDS} - BY_COMMAND == {*PlayerChanges.__annotations__}


def test_player_field_headings_have_one_meaning() -> None:
    words = [word for field in LIST_FIELDS for word in field.headings.split()]
    assert len({*words}) == len(words)


@EACH_FIELD
def test_prepare_erasure_erases_personal_fields_only(field: PlayerFieldInfo) -> None:
    value = make_full_event()
    erased = get_first_player(
        make_personal_data_eraser(value, (), [get_first_player(value).id]).erase_data_in_tournament(value)
    )
    erased_player = EMPTY_VALUES[field.name] if field.personal else getattr(get_first_player(value), field.name)
    assert getattr(erased, field.name) == erased_player


@EACH_FIELD
@pytest.mark.parametrize("details", [True, False])
def test_make_public_view_has_public_fields_only(field: PlayerFieldInfo, details: bool) -> None:
    value = make_full_event()
    value = value.put(replace(value.event, details_shown=details))
    readers = {Audience.PUBLIC, Audience.DETAILS} if details else {Audience.PUBLIC}
    read_view = (
        getattr(get_first_player(value), field.name) if field.audience in readers else EMPTY_VALUES[field.name]
    )
    assert getattr(get_first_player(make_public_view(value)), field.name) == read_view


@EACH_FIELD
def test_player_field_has_heading_and_column(field: PlayerFieldInfo) -> None:
    columns = [
        column.id
        for column in make_player_table(
            TournamentIndex(make_full_event()), make_full_event().divisions[DIVISION]
        ).columns
    ]
    assert (field.name in columns) is field.has_column
    assert ENGLISH.heading(field.name) == ENGLISH.text(field.label)


@EACH_FIELD
def test_edit_player_checks_the_limits_of_a_field(field: PlayerFieldInfo) -> None:
    value, player = make_full_event(), get_first_player(make_full_event()).id
    if field.name in BY_COMMAND:
        return
    change: dict[str, Any] = {field.name: EMPTY_VALUES[field.name]}
    assert (
        getattr(get_first_player(commands.edit_player(value, player=player, **change)), field.name)
        == EMPTY_VALUES[field.name]
    )
    large_value = field.maximum + 1 if field.is_number else "x" * 5001
    if EMPTY_VALUES[field.name] is not False:
        with pytest.raises(CommandError):
            commands.edit_player(value, player=player, **{field.name: large_value})  # type: ignore[arg-type]


@EACH_LISTED_FIELD
@pytest.mark.parametrize("kind", FILE_KINDS)
def test_player_field_survives_a_file(field: PlayerFieldInfo, kind: str) -> None:
    value = make_full_event()
    assert getattr(read_first_player(value, kind), field.name) == getattr(get_first_player(value), field.name)


def read_first_player(value: Tournament, kind: str) -> Player | PlayerEntry:
    """Return the first player of a file of `kind`."""
    index = TournamentIndex(value)
    division = export_division(index, index.divisions[0])
    if kind == "json":
        return get_first_player(tournament_json.read_tournament(tournament_json.encode_tournament(value)))
    if kind == "xlsx":
        data = exports.make_export_content("xlsx", index, None, None, ENGLISH)
        player_tables = imports.read_bytes_to_import(data, "a.xlsx")  # type: ignore[arg-type]
        assert isinstance(player_tables, imports.PlayerListFile)
        return player_lists.read_player_grid(player_tables.sheets[0].grid).get_players_or_refuse()[0]
    if kind == "csv":
        return player_lists.read_players(
            player_lists.encode_players_csv(division.players)
        ).get_players_or_refuse()[0]
    if kind == "tsh":
        return tsh.read_division(tsh.encode_tsh_division(division)).players[0]
    data = exports.make_export_content("trf", index, None, None, ENGLISH)
    return trf.read_trf(data).divisions[0].players[0]  # type: ignore[arg-type]


@EACH_LISTED_FIELD
def test_list_imported_fields_updates_a_listed_field(field: PlayerFieldInfo) -> None:
    value = make_full_event()
    (entry, *_) = list_player_entries(TournamentIndex(value), DIVISION)
    assert field.name in map_nonempty_player_fields(entry, with_name=False)
    key = "class" if field.name == "category" else field.name
    player_json = convert_to_dicts_and_lists(
        make_players_json(TournamentIndex(value), TournamentIndex(value).divisions)[0]
    )
    assert player_json[key] == getattr(get_first_player(value), field.name)


@EACH_LISTED_FIELD
def test_read_ratings_has_the_rated_fields(field: PlayerFieldInfo) -> None:
    (entry, *_) = list_player_entries(TournamentIndex(make_full_event()), DIVISION)
    (read_view, *_) = rating_lists.read_rating_list(player_lists.encode_players_csv((entry,)), "list.csv").players
    assert getattr(read_view, field.name) == (
        getattr(entry, field.name) if field.is_in_rating_lists else EMPTY_VALUES[field.name]
    )
