"""Public data of a tournament."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import NamesShown, PlayerId, RoundState
from tdapp.domain.publishing import make_names_distinct, make_public_view
from tdapp.domain.tables import standings
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION
from tests.domain.results import filled, same_fields, with_players, with_results

ROUNDS = ([(1, 400, 2, 380), (3, 350, 4, 410)], [(1, 390, 4, 420), (2, 500, 3, 300)])

# The fields of a player that everybody may read, and those only where the director shows details.
READ = {"id", "division", "number", "name", "team", "category", "fixed_table"}
DETAILS = {"rating", "provisional", "rated_games", "club", "country"}


@pytest.fixture
def played() -> Tournament:
    names = ["Berg, Anna", "Jan Li", "Ødegård, Åse", "Anna Bakker"]
    return with_players(with_results(*ROUNDS), name=names, member=["7"] * 4, notes=["ill"] * 4, club=["X"] * 4)


def names(value: Tournament) -> list[str]:
    return [player.name for player in Index(value).players(DIVISION)]


def test_make_public_view_full_names_without_private_data(played: Tournament) -> None:
    shown = make_public_view(played)
    assert names(shown) == names(played)
    assert {(player.member, player.notes, player.club) for player in shown.players.values()} == {("", "", "X")}


@pytest.mark.parametrize("details", [True, False])
def test_make_public_view_omits_new_fields(played: Tournament, details: bool) -> None:
    known = filled(Index(played).players(DIVISION)[0])
    shown = make_public_view(commands.set_names_shown(played.put(known), names=NamesShown.FULL, details=details))
    assert same_fields(shown.players[known.id], known) == READ | (DETAILS if details else set())


def test_make_public_view_numbers_equal_initials(played: Tournament) -> None:
    shown = make_public_view(commands.set_names_shown(played, names=NamesShown.INITIAL, details=False))
    assert names(shown) == ["Anna B. (1)", "Jan L.", "Åse Ø.", "Anna B. (4)"]
    assert {(player.rating, player.club) for player in shown.players.values()} == {(None, "")}


def test_make_names_distinct_adds_club_or_number(played: Tournament) -> None:
    one, two = Index(played).players(DIVISION)[:2]
    twins = played.put(replace(one, name="Åse, Li", club="X"), replace(two, name="li ase", club="Y"))
    assert (
        names(make_names_distinct(twins))[:2]
        == names(make_public_view(twins))[:2]
        == ["Åse, Li (X)", "li ase (Y)"]
    )
    same = twins.put(replace(two, name="li ase", club="X"))
    assert names(make_names_distinct(same))[:2] == ["Åse, Li (1)", "li ase (2)"]
    assert make_names_distinct(played) is played


def test_make_public_view_numbers_hide_names(played: Tournament) -> None:
    chosen = commands.edit_player(played, player=PlayerId("p2"), shown_as="Jantje")
    assert names(make_public_view(commands.set_names_shown(chosen, names=NamesShown.NUMBER))) == [
        "#1",
        "Jantje",
        "#3",
        "#4",
    ]


def test_make_public_view_hides_a_disputed_slip(played: Tournament) -> None:
    result = next(iter(played.results.values()))
    disputed = played.put(replace(result, disputed=(430, 388)))
    assert make_public_view(disputed).results[result.id] == result


def test_make_public_view_omits_a_draft(played: Tournament) -> None:
    last = Index(played).rounds(DIVISION)[-1]
    shown = make_public_view(played.put(replace(last, state=RoundState.DRAFT)))
    assert [item.number for item in Index(shown).rounds(DIVISION)] == [1]
    assert len(shown.games) == len(shown.results) == 2


def test_make_public_view_omits_held_rounds(played: Tournament) -> None:
    held = commands.hold_standings(played, division=DIVISION, after=1)
    shown = make_public_view(held)
    assert len(shown.games) == 4
    assert len(shown.results) == 2
    division = held.divisions[DIVISION]
    assert [row.points for row in standings.make_standings_table(Index(shown), division).rows] == [
        row.points for row in standings.make_standings_table(Index(played), division, 1).rows
    ]
    assert len(make_public_view(commands.hold_standings(held, division=DIVISION, after=None)).results) == 4
