"""Tests of results entered by players: secret codes, and two equal entries."""

from __future__ import annotations

from contextlib import closing
from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ResultFromPlayer, ResultState, StartDecision
from tdapp.domain.problems import find_division_problems
from tdapp.domain.publishing import make_public_view
from tdapp.domain.roles import Role, is_permitted
from tdapp.domain.slip import (
    CODE_CHARACTERS,
    CODE_LENGTH,
    find_slip_code_secret,
    format_code_with_hyphen,
    make_game_code,
    map_slip_codes_to_games_and_players,
    normalise_typed_code,
)
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tournament_json
from tests.building import DIVISION, get_game_at, get_player, make_desk, make_event, pair_rounds

SECRET = "known to nobody"  # noqa: S105


def open_entry(rules: str = "nl-match") -> Tournament:
    value = commands.open_entry(pair_rounds(make_event(4, rules=rules), results=False), key="k1")
    return replace(value, secret=SECRET)


def enter_slip(
    value: Tournament,
    number: int,
    own_points: int,
    other_points: int,
    *,
    started: bool | None = None,
    device: str = "",
) -> Tournament:
    player_id = get_player(value, number).id
    game = next(game for game in value.games.values() if player_id in {game.first, game.second})
    return commands.enter_slip(
        value, game=game.id, player=player_id, own=own_points, other=other_points, started=started, device=device
    )


def get_player_numbers(value: Tournament, table: int = 1) -> tuple[int, int]:
    game = get_game_at(value, table)
    return value.players[game.first].number, value.players[game.second].number


def test_enter_slip_equal_entries_make_a_result() -> None:
    value = open_entry()
    first, second = get_player_numbers(value)
    waiting_tournament = enter_slip(value, second, 388, 412)
    assert not waiting_tournament.results
    assert len(waiting_tournament.slips) == 1
    tournament_with_result = enter_slip(waiting_tournament, first, 412, 388)
    result = tournament_with_result.results[get_game_at(tournament_with_result, 1).id]
    assert (result.first, result.second, result.state) == (412, 388, ResultState.ENTERED)
    assert not tournament_with_result.slips


def test_enter_slip_different_entries_are_a_problem() -> None:
    value = open_entry()
    first, second = get_player_numbers(value)
    value = enter_slip(enter_slip(value, first, 412, 388), second, 378, 412)
    assert not value.results
    difference = next(
        problem
        for problem in find_division_problems(TournamentIndex(value), value.divisions[DIVISION])
        if problem.code == "slips-differ"
    )
    assert difference.facts["first"] == f"P{first}"
    assert difference.facts["first_says"] == "412 – 388"
    assert difference.facts["second_says"] == "412 – 378"
    assert difference.key == get_game_at(value, 1).id
    corrected_tournament = enter_slip(value, second, 388, 412)
    assert corrected_tournament.results[get_game_at(corrected_tournament, 1).id].first == 412


def list_waiting_codes(value: Tournament) -> list[str]:
    codes = [problem.code for problem in find_division_problems(TournamentIndex(value), value.divisions[DIVISION])]
    return [code for code in codes if code.startswith("slips-")]


def test_take_slips_of_one_device() -> None:
    value = open_entry()
    first, second = get_player_numbers(value)
    value = enter_slip(enter_slip(value, first, 412, 388, device="a"), second, 388, 412, device="a")
    game = get_game_at(value, 1).id
    assert not value.results
    assert list_waiting_codes(value) == ["slips-one-device"]
    accepted = commands.take_slips(value, game=game)
    assert (accepted.results[game].first, accepted.results[game].second) == (412, 388)
    assert not accepted.slips
    assert not list_waiting_codes(accepted)
    second_device = enter_slip(
        value, second, 388, 412, device="b"
    )  # the opponent enters it again, from another phone
    assert second_device.results[game].first == 412


@pytest.mark.parametrize(("wide_margin", "narrow_margin"), [((651, 300), (650, 300)), ((-1, 350), (0, 350))])
def test_enter_slip_implausible_margin_waits_for_the_desk(
    wide_margin: tuple[int, int], narrow_margin: tuple[int, int]
) -> None:
    value = open_entry()
    first, second = get_player_numbers(value)
    game = get_game_at(value, 1).id
    for points, result in ((wide_margin, False), (narrow_margin, True)):
        tournament_with_result = enter_slip(
            enter_slip(value, first, *points, device="a"), second, *reversed(points), device="b"
        )
        assert (game in tournament_with_result.results) is result
        assert list_waiting_codes(tournament_with_result) == ([] if result else ["slips-wide-margin"])
    assert commands.take_slips(
        enter_slip(enter_slip(value, first, *wide_margin), second, *reversed(wide_margin)), game=game
    ).results[game].first == wide_margin[0]  # fmt: skip


def test_take_slips_needs_equal_entries_of_both() -> None:
    value = open_entry()
    first, second = get_player_numbers(value)
    game = get_game_at(value, 1).id
    for part in (
        value,
        enter_slip(value, first, 999, 1),
        enter_slip(enter_slip(value, first, 999, 1), second, 2, 999),
    ):
        with pytest.raises(CommandError, match="slips-not-equal"):
            commands.take_slips(part, game=game)
    tournament_with_result = commands.enter_result(value, game=game, first=300, second=301)
    with pytest.raises(CommandError, match="game-has-result"):
        commands.take_slips(tournament_with_result, game=game)


def test_enter_slip_can_be_corrected_before_the_result() -> None:
    value = open_entry()
    first, second = get_player_numbers(value)
    value = enter_slip(enter_slip(enter_slip(value, first, 1, 2), first, 400, 390), second, 390, 400)
    assert value.results[get_game_at(value, 1).id].first == 400
    with pytest.raises(CommandError, match="result-there"):
        enter_slip(value, first, 400, 391)


def test_enter_result_at_the_desk_removes_waiting_slips() -> None:
    value = open_entry()
    first, _ = get_player_numbers(value)
    value = enter_slip(value, first, 412, 388)
    value = commands.enter_result(value, game=get_game_at(value, 1).id, first=300, second=301)
    assert not value.slips
    assert not [
        problem
        for problem in find_division_problems(TournamentIndex(value), value.divisions[DIVISION])
        if problem.code == "slips-differ"
    ]


def test_enter_slip_needs_open_entry() -> None:
    value = pair_rounds(make_event(4), results=False)
    with pytest.raises(CommandError, match="entry-closed"):
        enter_slip(value, 1, 400, 300)
    with pytest.raises(CommandError, match="entry-closed"):
        enter_slip(commands.close_entry(open_entry()), 1, 400, 300)


def test_enter_slip_refuses_other_players() -> None:
    value = open_entry()
    other_number = next(n for n in range(1, 5) if n not in get_player_numbers(value))
    with pytest.raises(CommandError, match="slip-of-another"):
        commands.enter_slip(
            value, game=get_game_at(value, 1).id, player=get_player(value, other_number).id, own=1, other=2
        )
    with pytest.raises(CommandError, match="implausible-points"):
        enter_slip(value, 1, 5000, 300)


def test_enter_slip_names_the_starter_if_tiles_decide() -> None:
    value = open_entry("no-nsf")
    game = get_game_at(value, 1)
    if game.start is not StartDecision.DRAW:
        value = value.put(replace(game, start=StartDecision.DRAW))
    first, second = get_player_numbers(value)
    with pytest.raises(CommandError, match="starter-missing"):
        enter_slip(value, first, 412, 388)
    different_entries = enter_slip(
        enter_slip(value, first, 412, 388, started=True), second, 388, 412, started=True
    )
    assert not different_entries.results
    tournament_with_result = enter_slip(different_entries, first, 412, 388, started=False)
    game = get_game_at(tournament_with_result, 1)
    assert game.start is StartDecision.DRAWN
    assert tournament_with_result.players[game.first].number == second
    assert (tournament_with_result.results[game.id].first, tournament_with_result.results[game.id].second) == (
        388,
        412,
    )


def test_drop_slips_and_discard_round() -> None:
    value = enter_slip(open_entry(), 1, 412, 388)
    game = next(iter(value.slips.values())).game
    assert not commands.drop_slips(value, game=game).slips
    with pytest.raises(CommandError, match="no-slips"):
        commands.drop_slips(commands.drop_slips(value, game=game), game=game)
    discarded = commands.discard_round(value, round=next(iter(value.rounds)), reason="anew")
    assert not discarded.slips


def test_map_game_codes_one_for_each_player_and_game() -> None:
    value = open_entry()
    codes = map_slip_codes_to_games_and_players(TournamentIndex(value))
    assert len(codes) == 4
    assert all(len(code) == CODE_LENGTH and set(code) <= set(CODE_CHARACTERS) for code in codes)
    assert not map_slip_codes_to_games_and_players(TournamentIndex(commands.close_entry(value)))
    reopened = commands.open_entry(commands.close_entry(value), key="k2")
    assert map_slip_codes_to_games_and_players(TournamentIndex(reopened)) == codes
    assert (
        not codes.keys()
        & map_slip_codes_to_games_and_players(TournamentIndex(commands.renew_codes(value, key="k2"))).keys()
    )


def test_normalise_code_accepts_typed_variants() -> None:
    value = open_entry()
    game = get_game_at(value, 1)
    code = make_game_code(find_slip_code_secret(value), game.id, game.first)
    assert normalise_typed_code(format_code_with_hyphen(code).lower()) == code
    assert normalise_typed_code(f" {code[:3]} {code[3:]} ") == code


def test_find_slip_code_secret_stays_in_the_tournament() -> None:
    value = open_entry()
    assert SECRET not in repr(value)
    assert (make_public_view(value).secret, make_public_view(value).event.slip_key) == ("", "")
    assert not map_slip_codes_to_games_and_players(TournamentIndex(replace(value, secret="")))
    assert not make_public_view(enter_slip(value, 1, 400, 300)).slips
    round_trip = tournament_json.read_tournament(tournament_json.encode_tournament(value))
    assert (round_trip.event.players_enter, round_trip.event.slip_key, round_trip.secret) == (False, "", "")
    with closing(make_desk(pair_rounds(make_event(4), results=False))) as open_desk:
        open_desk.do(partial(commands.open_entry, key="secret-key"))
        assert "secret-key" not in str([step.facts for step in open_desk.list_all_steps()])


def test_enter_slip_survives_and_can_be_undone() -> None:
    open_desk = make_desk(open_entry())
    game = get_game_at(open_desk.tournament, 1)
    open_desk.do(partial(commands.enter_slip, game=game.id, player=game.first, own=400, other=390))
    assert open_desk.store.load_tournament_and_revision()[0].slips == open_desk.tournament.slips
    assert isinstance(next(iter(open_desk.tournament.slips.values())), ResultFromPlayer)
    open_desk.undo()
    assert not open_desk.tournament.slips
    open_desk.close()


def test_is_permitted_entry_station_enters_slips() -> None:
    value = open_entry()
    open_desk = make_desk(value)
    game = get_game_at(value, 1)
    changes = open_desk.do(partial(commands.enter_slip, game=game.id, player=game.first, own=1, other=2))
    assert is_permitted(Role.ENTRY, "enter-slip", changes)
    assert not is_permitted(Role.DISPLAY, "enter-slip", changes)
    assert not is_permitted(Role.ENTRY, "open-entry")
    open_desk.close()
