"""Tests that incremental updates equal a full computation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from tdapp.domain.game_results import is_result_checking_required_or_started
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    GameSide,
    PlayerId,
    Result,
    ResultFromPlayer,
    ResultState,
    RoundId,
    RoundState,
    SlipId,
    StageId,
    UnplayedRoundCounting,
)
from tdapp.domain.problems import find_division_problems
from tdapp.domain.records import compute_records
from tdapp.domain.ruleset import UnplayedRoundPointsRule, UnplayedRoundPointsSource
from tdapp.domain.seating import find_table_numbers_of_division
from tdapp.domain.standings import compute_standings
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, make_event, pair_rounds
from tests.domain.random_tournaments import (
    PLAYERS,
    ROUNDS,
    build_eventful_tournament,
    choose_points,
    make_random_sanction,
)
from tests.domain.results import read_whole_index
from tests.domain.tournament_lines import make_round_rows

Step = Callable[[Tournament, Random], Tournament]


def _change_result(value: Tournament, rng: Random) -> Tournament:
    game = rng.choice(sorted(value.games))
    first, _, second = choose_points(rng).partition(":")
    result = Result(game, rng.choice(list(ResultState)), int(first), int(second))
    if rng.random() < 0.3:
        award = rng.choice([None, UnplayedRoundPointsRule(rng.choice(list(UnplayedRoundPointsSource)), 30)])
        result = Result(game, ResultState.ENTERED, forfeit=rng.choice(list(GameSide)), award=award)
    elif rng.random() < 0.2:
        result = replace(result, disputed=(1, 2))
    return value.put(result)


def _remove_results(value: Tournament, rng: Random) -> Tournament:
    return value.drop(*rng.sample(list(value.results.values()), k=min(8, len(value.results))))


def _change_bye(value: Tournament, rng: Random) -> Tournament:
    bye = rng.choice(list(value.byes.values()))
    award = UnplayedRoundPointsRule(rng.choice(list(UnplayedRoundPointsSource)), 40)
    return value.put(replace(bye, kind=rng.choice(list(ByeKind)), award=rng.choice([None, award])))


def _swap_numbers(value: Tournament, rng: Random) -> Tournament:
    first_player, second_player = rng.sample(list(value.players.values()), k=2)
    return value.put(
        replace(first_player, number=second_player.number, name=f"{first_player.name}'"),
        replace(second_player, number=first_player.number),
    )


def _toggle_newcomer(value: Tournament, _rng: Random) -> Tournament:
    """Add a player without games, or remove this player."""
    newcomer = value.players.get(PlayerId("new"))
    if newcomer is not None:
        return value.drop(newcomer)
    return value.put(replace(value.players[PlayerId("p1")], id=PlayerId("new"), number=PLAYERS + 1))


def _toggle_absence(value: Tournament, rng: Random) -> Tournament:
    player = PlayerId(f"p{rng.randint(1, PLAYERS)}")
    absence = Absence(AbsenceId(f"a{rng.randint(1, 3)}"), player, 4, rng.choice([None, 5]), ByeKind.ABSENT)
    return value.put(absence) if absence.id not in value.absences else value.drop(value.absences[absence.id])


def _swap_seats(value: Tournament, rng: Random) -> Tournament:
    game = rng.choice(list(value.games.values()))
    return value.put(replace(game, first=game.second, second=game.first, table=game.table + rng.choice([0, 20])))


def _remove_game(value: Tournament, rng: Random) -> Tournament:
    game = rng.choice(list(value.games.values()))
    result = [value.results[game.id]] if game.id in value.results else []
    jury_rows = [row for kind in (value.sheets, value.slips) for row in kind.values() if row.game == game.id]
    return value.drop(*jury_rows, *result, game)


def _toggle_last_round(value: Tournament, rng: Random) -> Tournament:
    """Remove the last round, or add a new one."""
    key = RoundId(f"r{ROUNDS}")
    games = [game for game in value.games.values() if game.round == key]
    results = [value.results[game.id] for game in games if game.id in value.results]
    jury_rows = [
        row for kind in (value.sheets, value.slips) for row in kind.values() if value.games[row.game] in games
    ]
    if games:
        byes = [bye for bye in value.byes.values() if bye.round == key]
        return value.drop(*jury_rows, *results, *games, *byes, value.rounds[key])
    players = rng.sample(range(1, PLAYERS + 1), k=PLAYERS)
    lines = [f"{first}-{second}" for first, second in zip(players[::2], players[1::2], strict=False)]
    item, *rows = make_round_rows(StageId("s"), ROUNDS, [*lines, f"{players[-1]} bye"])
    return value.put(replace(cast("Any", item), state=rng.choice(list(RoundState))), *rows)


def _add_slips(value: Tournament, rng: Random) -> Tournament:
    game = rng.choice(list(value.games.values()))
    return value.put(
        *(
            ResultFromPlayer(SlipId(f"{game.id}{player_id}"), game.id, player_id, 1, 1)
            for player_id in (game.first, game.second)
        )
    )


def _add_sanction(value: Tournament, rng: Random) -> Tournament:
    new_sanction = make_random_sanction(value, rng, rng.choice(list(value.games.values())))
    return value.put(replace(new_sanction, id=rng.choice([new_sanction.id, *value.sanctions])))


def _change_division(value: Tournament, rng: Random) -> Tournament:
    order = rng.sample(list(TIEBREAKS), k=4)
    return value.put(
        replace(
            value.divisions[DIVISION],
            order=tuple(order),
            unplayed=rng.choice(list(UnplayedRoundCounting)),
            spread_caps=rng.choice([(), (20, 0)]),
        )
    )


def _change_rules(value: Tournament, rng: Random) -> Tournament:
    (rules,) = value.rules.values()
    match_points = replace(rules.ruleset.match_points, win=Fraction(rng.choice([1, 2, 3])))
    return value.put(replace(rules, ruleset=replace(rules.ruleset, match_points=match_points)))


RESULT_STEPS: list[Step] = [_change_result, _change_result, _change_result, _remove_results]
OTHER_STEPS: list[Step] = [
    _change_bye, _swap_numbers, _toggle_newcomer, _toggle_absence, _swap_seats, _remove_game, _toggle_last_round,
    _add_slips, _add_sanction, _change_division, _change_rules,
]  # fmt: skip


def _read_all_values(index: TournamentIndex) -> dict[str, object]:
    """Return all incrementally updated values."""
    value = index.tournament
    division = value.divisions[DIVISION]
    return {
        "rows": read_whole_index(index),
        "open": {key: index.list_open_games(key) for key in value.rounds},
        "seats": {
            (key, player): index.find_player_game(key, player) for key in value.rounds for player in value.players
        },
        "seated": {key: index.find_players_with_game_bye_or_seat(key) for key in value.rounds},
        "left": [index.has_withdrawn(player) for player in value.players],
        "looked over": [
            is_result_checking_required_or_started(index, item) for item in (None, *value.rounds.values())
        ],
        "records": [
            (new_tournament, list(compute_records(index, division, new_tournament).items()))
            for new_tournament in (None, 2, ROUNDS - 1)
        ],
        "standings": [compute_standings(index, division, new_tournament) for new_tournament in (None, 2)],
        "problems": find_division_problems(index, division),
        "tables": find_table_numbers_of_division(index, division),
    }


@pytest.mark.parametrize("rules", ["no-nsf", "nl-points"])
@pytest.mark.parametrize("seed", [1, 2])
def test_index_updates_equal_a_full_computation(seed: int, rules: str) -> None:
    rng, value = Random(seed), build_eventful_tournament(seed, rules)
    index, past_tournaments = TournamentIndex(value), [value]
    for _ in range(60):
        value = rng.choice(RESULT_STEPS if rng.random() < 0.6 else OTHER_STEPS)(value, rng)
        if rng.random() < 0.1:
            value = rng.choice(past_tournaments)  # like an undo
        past_tournaments.append(value)
        index = TournamentIndex(value, index)
        updated, computed = _read_all_values(index), _read_all_values(TournamentIndex(value))
        assert {name: updated[name] == computed[name] for name in computed} == dict.fromkeys(computed, True)


def test_compute_records_keeps_unchanged_records() -> None:
    value = build_eventful_tournament(1)
    old_tournament, division = TournamentIndex(value), value.divisions[DIVISION]
    old_records = compute_records(old_tournament, division)
    game = value.games[min(value.results)]
    new_tournament = compute_records(
        TournamentIndex(value.put(replace(value.results[game.id], first=1, second=999)), old_tournament), division
    )
    assert {player for player in value.players if new_tournament[player] is not old_records[player]} == {
        game.first,
        game.second,
    }


def test_compute_records_of_a_late_player() -> None:
    value = pair_rounds(make_event(4))
    old_tournament = TournamentIndex(value)
    compute_records(old_tournament, value.divisions[DIVISION])
    value = value.put(replace(value.players[PlayerId("p1")], id=PlayerId("new"), number=5))
    assert (
        compute_records(TournamentIndex(value, old_tournament), value.divisions[DIVISION])[PlayerId("new")] == ()
    )


def test_find_problems_uses_current_names_after_an_update() -> None:
    value = pair_rounds(make_event(4), times=3)
    first = [replace(game, first=min(game.first, game.second), second=max(game.first, game.second))
             for game in value.games.values()]  # fmt: skip
    value = value.put(*first)
    old_tournament = TournamentIndex(value)
    keys = {
        problem.key
        for problem in find_division_problems(old_tournament, value.divisions[DIVISION])
        if problem.code == "starts-in-a-row"
    }
    assert PlayerId("p1") in keys
    value = value.put(replace(value.players[PlayerId("p1")], name="Now"))
    new_tournament = TournamentIndex(value, old_tournament)
    assert "Now" in {
        problem.facts.get("player")
        for problem in find_division_problems(new_tournament, value.divisions[DIVISION])
    }


def test_find_tables_of_division_follows_departures_and_arrivals() -> None:
    value, division, absence_id = make_event(6), make_event(6).divisions[DIVISION], AbsenceId("gone")
    steps = [value.put(Absence(absence_id, PlayerId("p1"), 1)), value]
    steps.append(value.drop(*value.players.values()).put(*list(value.players.values())[:2]))
    index, tables = TournamentIndex(value), [find_table_numbers_of_division(TournamentIndex(value), division)]
    for step in steps:
        index = TournamentIndex(step, index)
        tables.append(find_table_numbers_of_division(index, division))
    assert tables == [{1, 2, 3}, {1, 2}, {1, 2, 3}, {1}]
