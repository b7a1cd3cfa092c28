"""Tests of the public view of a tournament."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, PublicNameFormat, RoundState
from tdapp.domain.publishing import make_names_distinct, make_public_view
from tdapp.domain.tables import standings
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION
from tests.domain.results import fill_player, find_equal_fields, play_rounds, set_player_fields

ROUNDS = ([(1, 400, 2, 380), (3, 350, 4, 410)], [(1, 390, 4, 420), (2, 500, 3, 300)])

# The fields of a player that everybody may read, and those only where the director shows details.
READ = {"id", "division", "number", "name", "team", "category", "fixed_table"}
DETAILS = {"rating", "provisional", "rated_games", "club", "country"}


@pytest.fixture
def sample_event() -> Tournament:
    names = ["Berg, Anna", "Jan Li", "Ødegård, Åse", "Anna Bakker"]
    return set_player_fields(play_rounds(*ROUNDS), name=names, member=["7"] * 4, notes=["ill"] * 4, club=["X"] * 4)


def list_names(value: Tournament) -> list[str]:
    return [player.name for player in TournamentIndex(value).players(DIVISION)]


def test_make_public_view_full_names_without_private_data(sample_event: Tournament) -> None:
    public_view = make_public_view(sample_event)
    assert list_names(public_view) == list_names(sample_event)
    assert {(player.member, player.notes, player.club) for player in public_view.players.values()} == {
        ("", "", "X")
    }


@pytest.mark.parametrize("details", [True, False])
def test_make_public_view_omits_new_fields(sample_event: Tournament, details: bool) -> None:
    full_player = fill_player(TournamentIndex(sample_event).players(DIVISION)[0])
    public_view = make_public_view(
        commands.set_names_shown(sample_event.put(full_player), names=PublicNameFormat.FULL, details=details)
    )
    assert find_equal_fields(public_view.players[full_player.id], full_player) == READ | (
        DETAILS if details else set()
    )


def test_make_public_view_numbers_equal_initials(sample_event: Tournament) -> None:
    public_view = make_public_view(
        commands.set_names_shown(sample_event, names=PublicNameFormat.INITIAL, details=False)
    )
    assert list_names(public_view) == ["Anna B. (1)", "Jan L.", "Åse Ø.", "Anna B. (4)"]
    assert {(player.rating, player.club) for player in public_view.players.values()} == {(None, "")}


def test_make_names_distinct_adds_club_or_number(sample_event: Tournament) -> None:
    first_player, second_player = TournamentIndex(sample_event).players(DIVISION)[:2]
    namesakes = sample_event.put(
        replace(first_player, name="Åse, Li", club="X"), replace(second_player, name="li ase", club="Y")
    )
    assert (
        list_names(make_names_distinct(namesakes))[:2]
        == list_names(make_public_view(namesakes))[:2]
        == ["Åse, Li (X)", "li ase (Y)"]
    )
    same_club = namesakes.put(replace(second_player, name="li ase", club="X"))
    assert list_names(make_names_distinct(same_club))[:2] == ["Åse, Li (1)", "li ase (2)"]
    assert make_names_distinct(sample_event) is sample_event


def test_make_public_view_numbers_hide_names(sample_event: Tournament) -> None:
    with_alias = commands.edit_player(sample_event, player=PlayerId("p2"), shown_as="Jantje")
    assert list_names(make_public_view(commands.set_names_shown(with_alias, names=PublicNameFormat.NUMBER))) == [
        "#1",
        "Jantje",
        "#3",
        "#4",
    ]


def test_make_public_view_hides_a_disputed_slip(sample_event: Tournament) -> None:
    result = next(iter(sample_event.results.values()))
    disputed_tournament = sample_event.put(replace(result, disputed=(430, 388)))
    assert make_public_view(disputed_tournament).results[result.id] == result


def test_make_public_view_omits_a_draft(sample_event: Tournament) -> None:
    last = TournamentIndex(sample_event).rounds(DIVISION)[-1]
    public_view = make_public_view(sample_event.put(replace(last, state=RoundState.DRAFT)))
    assert [item.number for item in TournamentIndex(public_view).rounds(DIVISION)] == [1]
    assert len(public_view.games) == len(public_view.results) == 2


def test_make_public_view_omits_held_rounds(sample_event: Tournament) -> None:
    withheld_tournament = commands.hold_standings(sample_event, division=DIVISION, after=1)
    public_view = make_public_view(withheld_tournament)
    assert len(public_view.games) == 4
    assert len(public_view.results) == 2
    division = withheld_tournament.divisions[DIVISION]
    assert [row.points for row in standings.make_standings_table(TournamentIndex(public_view), division).rows] == [
        row.points for row in standings.make_standings_table(TournamentIndex(sample_event), division, 1).rows
    ]
    assert (
        len(make_public_view(commands.hold_standings(withheld_tournament, division=DIVISION, after=None)).results)
        == 4
    )
