"""Tests of club evenings: stages with a new round at each pairing."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.problems import find_division_problems
from tdapp.domain.stages import is_evening_over
from tdapp.domain.standings import build_tiebreak_data, compute_standings, explain_rank
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tournament_json
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import list_games_that_can_count_as_draws, propose_pairings
from tdapp.pairing.commands import seat_latecomer
from tdapp.pairing.field import FixedPair
from tdapp.pairing.pairing_checker import check_division_pairings
from tdapp.pairing.recheck import recheck_rounds
from tests.building import DIVISION, RESOURCES, enter_results, get_game_at, get_last_round, make_event, pair_rounds


def make_evening_club(players: int = 8) -> Tournament:
    """Return a club before its first evening."""
    return commands.begin_evening(make_event(players, rounds=3), key="e1", division=DIVISION, date="2026-09-01")


def list_player_ids(*numbers: int) -> tuple[PlayerId, ...]:
    return tuple(PlayerId(f"p{number}") for number in numbers)


def list_stages(tournament: Tournament) -> list[Stage]:
    return list(TournamentIndex(tournament).stages(DIVISION))


def test_begin_evening_replaces_planned_rounds() -> None:
    (evening,) = list_stages(make_evening_club())
    assert (evening.date, evening.evening, evening.rounds, evening.carry) == ("2026-09-01", True, 0, False)


def test_evening_stage_grows_with_each_round_and_shrinks() -> None:
    value = commands.check_in(make_evening_club(), players=list_player_ids(*range(1, 9)))
    for number in (1, 2, 3):
        value = pair_rounds(value)
        assert list_stages(value)[0].rounds == number
    last = TournamentIndex(value).rounds(DIVISION)[-1]
    value = commands.discard_round(value, round=last.id, reason="wrong", with_results=True)
    assert list_stages(value)[0].rounds == 2


def test_begin_evening_keeps_the_system() -> None:
    value = commands.check_in(make_evening_club(), players=list_player_ids(*range(1, 9)))
    value = commands.edit_stage(value, stage=StageId("e1"), system="swiss", name="Opening night")
    value = commands.begin_evening(pair_rounds(value, times=2), key="e2", division=DIVISION, date="2026-09-08")
    first, second = list_stages(value)
    assert (first.name, first.rounds, second.rounds, second.system) == ("Opening night", 2, 0, "swiss")
    assert not any(player.checked_in for player in value.players.values())
    value = pair_rounds(commands.check_in(value, players=list_player_ids(*range(1, 7))))
    assert TournamentIndex(value).rounds(DIVISION)[-1].stage == "e2"
    assert [stage.rounds for stage in list_stages(value)] == [2, 1]


def test_begin_evening_replaces_an_evening_without_round() -> None:
    value = commands.begin_evening(make_evening_club(), key="e2", division=DIVISION, date="2026-09-08")
    assert [stage.id for stage in list_stages(value)] == ["e2"]


@pytest.mark.parametrize("date", ["2026-09-08", "8.9.2026", "8-9-2026", " 08/09/2026 "])
def test_begin_evening_accepts_usual_date_formats(date: str) -> None:
    value = commands.begin_evening(make_evening_club(), key="e2", division=DIVISION, date=date)
    assert list_stages(value)[-1].date == "2026-09-08"


@pytest.mark.parametrize(
    ("date", "code"),
    [("tomorrow", "date-unreadable"), ("2026-13-01", "date-impossible"), ("31.2.2026", "date-impossible")],
)
def test_begin_evening_refuses_an_invalid_date(date: str, code: str) -> None:
    with pytest.raises(CommandError, match=code):
        commands.begin_evening(make_evening_club(), key="e2", division=DIVISION, date=date)


def test_evening_stage_survives_file_and_json(tmp_path: Path) -> None:
    with closing(Desk.create(tmp_path / "club.tdapp", make_evening_club())) as desk:
        desk.do(partial(commands.begin_evening, key="e2", division=DIVISION, date="2026-09-15", name="Autumn"))
    with closing(Desk.open(tmp_path / "club.tdapp")) as desk:
        reopened = desk.tournament
    (evening,) = list_stages(reopened)
    assert evening.name == "Autumn"
    assert list_stages(tournament_json.read_tournament(tournament_json.encode_tournament(reopened))) == [evening]


def check_in_only(tournament: Tournament, *numbers: int) -> Tournament:
    """Check in the given members, and no others."""
    present_ids = tuple(player.id for player in tournament.players.values() if player.checked_in)
    tournament = commands.check_in(tournament, players=present_ids, present=False)
    return commands.check_in(tournament, players=list_player_ids(*numbers))


def list_seated_numbers(tournament: Tournament) -> set[int]:
    index = TournamentIndex(tournament)
    return {
        tournament.players[player].number
        for player in index.find_players_with_game_bye_or_seat(get_last_round(tournament).id)
    }


def test_evening_pairs_only_present_players() -> None:
    value = pair_rounds(check_in_only(make_evening_club(17), *range(1, 13)))
    value = pair_rounds(check_in_only(value, *range(1, 11), 13, 14))
    assert list_seated_numbers(value) == {*range(1, 11), 13, 14}
    value = pair_rounds(check_in_only(value, *range(1, 13)))
    assert list_seated_numbers(value) == set(range(1, 13))
    assert not value.byes
    assert not value.absences
    rows = compute_standings(TournamentIndex(value), value.divisions[DIVISION])
    assert {row.player.number for row in rows} == set(range(1, 15))
    assert {row.player.number: row.games for row in rows}[13] == 1


def test_check_in_returns_a_withdrawn_member() -> None:
    value = commands.withdraw_player(make_evening_club(), key="w", player=PlayerId("p3"))
    value = pair_rounds(check_in_only(value, 1, 2, 3, 4))
    assert list_seated_numbers(value) == {1, 2, 3, 4}


def test_publish_round_refuses_a_draft_with_a_departed_member() -> None:
    value = check_in_only(make_evening_club(), 1, 2, 3, 4)
    value = commands.propose_round(value, key="d", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    value = commands.check_in(value, players=list_player_ids(4), present=False)
    with pytest.raises(CommandError, match="draft-absent"):
        commands.publish_round(value, round=get_last_round(value).id)


def test_pair_round_ignores_an_open_game_of_an_earlier_evening() -> None:
    value = commands.edit_stage(
        check_in_only(make_evening_club(), 1, 2, 3, 4), stage=StageId("e1"), system="swiss"
    )
    value = pair_rounds(value, results=False)
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    assert list_seated_numbers(pair_rounds(check_in_only(value, 1, 2, 5, 6))) == {1, 2, 5, 6}


def list_meetings(tournament: Tournament, evening: str) -> list[frozenset[PlayerId]]:
    rounds = {item.id for item in tournament.rounds.values() if item.stage == evening}
    return [frozenset({game.first, game.second}) for game in tournament.games.values() if game.round in rounds]


@pytest.mark.slow
@pytest.mark.parametrize("system", ["random", "swiss"])
def test_evening_pairing_of_a_long_season_avoids_repeats(system: str) -> None:
    value, seed = make_evening_club(17), Random(3)
    value = commands.edit_stage(value, stage=StageId("e1"), system=system)
    for evening in range(1, 13):
        if evening > 1:
            value = commands.begin_evening(
                value, key=f"e{evening}", division=DIVISION, date=f"2026-10-{evening:02}"
            )
        value = pair_rounds(
            check_in_only(value, *seed.sample(range(1, 18), seed.choice((10, 11, 12, 13)))), times=4
        )
        pairs = list_meetings(value, f"e{evening}")
        assert len(pairs) == len(set(pairs))
        byes = [bye.player for bye in value.byes.values() if value.rounds[bye.round].stage == f"e{evening}"]
        assert len(byes) == len(set(byes))


def play_evening(value: Tournament, date: str, *games: tuple[int, int]) -> Tournament:
    """Play an evening with the given games."""
    players = sorted({number for game in games for number in game})
    if date != "2026-09-01":
        value = commands.begin_evening(value, key=date, division=DIVISION, date=date)
    value = check_in_only(value, *players)
    fixed_pairs = [FixedPair(PlayerId(f"p{first}"), PlayerId(f"p{second}")) for first, second in games]
    proposal = propose_pairings(TournamentIndex(value), DIVISION, fixed_pairs=fixed_pairs)
    return enter_results(commands.pair_round(value, key=f"r{date}", proposal=proposal))


def list_pairs(value: Tournament) -> set[frozenset[int]]:
    return {
        frozenset({value.players[game.first].number, value.players[game.second].number})
        for game in TournamentIndex(value).games(get_last_round(value).id)
    }


def test_evening_pairing_avoids_recent_meetings_first() -> None:
    value = play_evening(make_evening_club(4), "2026-09-01", (1, 2), (3, 4))
    value = play_evening(value, "2026-09-08", (1, 3), (2, 4))
    value = play_evening(value, "2026-09-15", (1, 4), (2, 3))
    value = commands.begin_evening(value, key="now", division=DIVISION, date="2026-09-22")
    value = pair_rounds(check_in_only(value, 1, 2, 3, 4))
    assert list_pairs(value) == {frozenset({1, 2}), frozenset({3, 4})}
    game = get_game_at(value, 1)
    assert game.reason is not None
    text = Catalogue("en", RESOURCES / "locale").explain_pairing(game.reason.code, dict(game.reason.facts))
    assert text == "Drawn by lot; met on 1 September 2026"
    value = pair_rounds(value)
    assert list_pairs(value) == {frozenset({1, 3}), frozenset({2, 4})}


def test_evening_pairing_avoids_a_repeat_in_one_evening_most() -> None:
    value = play_evening(make_evening_club(4), "2026-09-01", (1, 2), (3, 4))
    for day in range(8, 20):
        value = play_evening(value, f"2026-09-{day:02}", (1, 3), (2, 4))
    value = play_evening(value, "2026-09-22", (1, 4), (2, 3))
    value = commands.check_in(value, players=list_player_ids(1, 2, 3, 4))
    value = pair_rounds(pair_rounds(value))
    assert list_pairs(value) == {frozenset({1, 3}), frozenset({2, 4})}


def test_evening_bye_goes_to_the_player_with_fewest_byes() -> None:
    value = make_evening_club(5)
    for evening in range(1, 6):
        if evening > 1:
            value = commands.begin_evening(
                value, key=f"e{evening}", division=DIVISION, date=f"2026-10-{evening:02}"
            )
        value = pair_rounds(check_in_only(value, 1, 2, 3, 4, 5), times=3)
    counts = Counter(bye.player for bye in value.byes.values())
    assert sorted(counts.values()) == [3] * 5


def test_keep_apart_precedes_the_record_of_the_evening() -> None:
    value = commands.keep_apart(make_evening_club(4), key="x", player=PlayerId("p1"), other=PlayerId("p2"))
    value = commands.edit_stage(check_in_only(value, 1, 2, 3, 4), stage=StageId("e1"), system="king-of-the-hill")
    value = play_evening(value, "2026-09-01", (1, 4), (2, 3))
    assert list_pairs(pair_rounds(value)) == {frozenset({1, 3}), frozenset({2, 4})}


def test_recheck_rounds_of_an_evening_finds_no_difference() -> None:
    value = pair_rounds(check_in_only(make_evening_club(9), *range(1, 8)), times=2)
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    value = pair_rounds(check_in_only(value, *range(2, 10)), times=2)
    assert all(row.has_same_pairing for row in recheck_rounds(value, DIVISION))
    assert check_division_pairings(value, value.divisions[DIVISION]).findings == ()


def test_seat_latecomer_in_an_evening_replaces_the_bye() -> None:
    value = pair_rounds(check_in_only(make_evening_club(8), 1, 2, 3), results=False)
    value = seat_latecomer(value, key="l", round=get_last_round(value).id, player=PlayerId("p8"))
    assert list_seated_numbers(value) == {1, 2, 3, 8}
    assert value.players[PlayerId("p8")].checked_in


def test_begin_evening_refuses_a_knockout() -> None:
    with pytest.raises(CommandError, match="evening-system"):
        commands.begin_evening(
            make_evening_club(), key="e2", division=DIVISION, date="2026-09-08", system="knockout"
        )
    with pytest.raises(CommandError, match="evening-system"):
        commands.edit_stage(make_evening_club(), stage=StageId("e1"), system="round-robin")


def test_compute_standings_ranks_players_with_too_few_games_last() -> None:
    """Check example 7: if 3 games are required, players with two games rank last."""
    value = make_evening_club(8)
    rules = value.rules[next(iter(value.rules))]
    value = value.put(replace(rules, ruleset=replace(rules.ruleset, least_games=3)))
    value = commands.set_order(value, division=DIVISION, order=("average", "percentage"))
    for present in ((1, 2, 3, 4, 7, 8), (1, 2, 3, 4, 7, 8), (3, 4, 7, 8)):
        value = pair_rounds(check_in_only(value, *present))
    rows = compute_standings(TournamentIndex(value), value.divisions[DIVISION])
    assert [row.player.number for row in rows][-2:] == [1, 2]
    averages = [row.get_tiebreak_value("average") or 0 for row in rows]
    assert min(averages[-2:]) > max(averages[:-2])
    reason = explain_rank(rows[3], rows[4])
    text = Catalogue("en", RESOURCES / "locale").explain_rank(reason.code, reason.facts)
    assert text == f"{rows[3].player.name} is ahead of P1, who needs 1 more game for a rank"


def test_compute_standings_of_averages_and_percentages() -> None:
    value = commands.set_order(make_evening_club(4), division=DIVISION, order=("average",))
    value = check_in_only(value, 1, 2, 3)
    value = commands.pair_round(value, key="k", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    (game,) = TournamentIndex(value).games(get_last_round(value).id)
    value = commands.enter_result(value, game=game.id, first=410, second=381)
    waiting_tournament = TournamentIndex(value).list_byes_for_lack_of_opponent(get_last_round(value).id)[0].player
    field = build_tiebreak_data(TournamentIndex(value), value.divisions[DIVISION], None, list_stages(value)[0])
    averages = TIEBREAKS["average"].values(field, [game.first, game.second, waiting_tournament])
    shares = TIEBREAKS["percentage"].values(field, [game.first, game.second, waiting_tournament])
    assert averages == {game.first: 410, game.second: 381, waiting_tournament: None}
    assert shares == {game.first: 100, game.second: 0, waiting_tournament: 100}


@pytest.mark.parametrize(
    "change",
    [
        partial(commands.edit_stage, stage=StageId("e1"), rounds=5),
        partial(commands.edit_stage, stage=StageId("e1"), cut=4),
        partial(commands.edit_stage, stage=StageId("e1"), carry=True),
        partial(commands.split_stage, key="x", stage=StageId("e1"), rounds=1),
        partial(commands.schedule_stage, stage=StageId("e1"), last=7),
        partial(commands.merge_stages, stage=StageId("e1")),
    ],
)
def test_evening_refuses_changes_of_its_rounds_and_standings(change: partial[Tournament]) -> None:
    value = pair_rounds(check_in_only(make_evening_club(), 1, 2, 3, 4), times=2)
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    with pytest.raises(CommandError, match="evening-stays"):
        change(value)


def test_is_evening_over_after_all_players_left() -> None:
    value = commands.check_in(make_evening_club(4), players=list_player_ids(1, 2, 3, 4))
    assert not is_evening_over(TournamentIndex(value), list_stages(value)[0])
    value = pair_rounds(value)
    assert not is_evening_over(TournamentIndex(value), list_stages(value)[0])
    value = commands.check_in(value, players=list_player_ids(1, 2, 3, 4), present=False)
    assert is_evening_over(TournamentIndex(value), list_stages(value)[0])
    assert not is_evening_over(TournamentIndex(make_evening_club()), list_stages(make_evening_club())[0])


def test_arrive_checks_in_a_club_member() -> None:
    value = commands.open_check_in(make_evening_club(4))
    for number in (1, 2, 3, 4):
        value = commands.arrive(value, player=PlayerId(f"p{number}"))
    assert list_seated_numbers(pair_rounds(value)) == {1, 2, 3, 4}


def test_find_problems_counts_games_within_the_evening() -> None:
    value = pair_rounds(check_in_only(make_evening_club(6), 1, 2, 3, 4), times=2)
    value = pair_rounds(value, results=False)
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    value = pair_rounds(check_in_only(value, 1, 2, 3, 4, 5, 6), results=False)
    problems = find_division_problems(TournamentIndex(value), value.divisions[DIVISION])
    catalogue = Catalogue("en", RESOURCES / "locale")
    missing = [
        (catalogue.describe_problem(problem.code, problem.facts), problem.urgent)
        for problem in problems
        if problem.code == "results-out"
    ]
    assert missing == [
        ("Game 1: 3 results missing (tables 1–3)", True),
        ("1 September 2026: Game 3: 2 results missing (tables 1–2)", False),
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Game 1 was paired as if table 1 of game 1 on 8 September 2026 had been a draw"),
        ("nl", "Partij 1 is ingedeeld alsof tafel 1 van partij 1 op 8 september 2026 gelijk was geëindigd"),
        (
            "de",
            "Partie 1 ist gepaart, als hätte Tisch 1 der Partie 1 vom 8. September 2026 unentschieden gespielt",
        ),
    ],
)
def test_find_problems_counts_games_assumed_drawn_within_the_evening(language: str, sentence: str) -> None:
    value = pair_rounds(check_in_only(make_evening_club(4), 1, 2, 3, 4))
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    value = pair_rounds(check_in_only(value, 1, 2), results=False)
    value = commands.begin_evening(value, key="e3", division=DIVISION, date="2026-09-15")
    index = TournamentIndex(check_in_only(value, 1, 2))
    proposal = propose_pairings(index, DIVISION, assumed=list_games_that_can_count_as_draws(index, DIVISION))
    value = commands.pair_round(index.tournament, key="r3", proposal=proposal)
    problems = find_division_problems(TournamentIndex(value), value.divisions[DIVISION])
    catalogue = Catalogue(language, RESOURCES / "locale")
    texts = [catalogue.describe_problem(problem.code, problem.facts) for problem in problems]
    assert sentence in [text.partition(":")[0] for text in texts]


def test_propose_pairings_refuses_too_few_present_players() -> None:
    with pytest.raises(CommandError, match="too-few-here"):
        propose_pairings(TournamentIndex(make_evening_club()), DIVISION)


def test_propose_pairings_explains_a_repeat_in_one_evening() -> None:
    value = pair_rounds(check_in_only(make_evening_club(2), 1, 2), times=2)
    reason = get_game_at(value, 1).reason
    assert reason is not None
    assert (reason.code, dict(reason.facts)["meetings"]) == ("repeat", 1)
    assert "season" not in dict(reason.facts)


def test_evening_pairing_needs_no_absences() -> None:
    value = check_in_only(make_evening_club(), 1, 2, 3, 4)
    with pytest.raises(CommandError, match="evening-absence"):
        commands.set_absence(value, key="a", player=PlayerId("p3"), first_round=1)
    with pytest.raises(CommandError, match="player-absent"):
        commands.order_pairing(value, key="o", player=PlayerId("p1"), other=PlayerId("p5"), round_number=1)
    value = commands.order_pairing(value, key="o", player=PlayerId("p1"), other=PlayerId("p4"), round_number=1)
    assert frozenset({1, 4}) in list_pairs(pair_rounds(value))


def test_find_problems_counts_starts_within_the_evening() -> None:
    value = commands.check_in(make_evening_club(2), players=list_player_ids(1, 2))
    for date in ("2026-09-08", "2026-09-15"):
        value = commands.begin_evening(pair_rounds(value), key=date, division=DIVISION, date=date)
        value = commands.check_in(value, players=list_player_ids(1, 2))
    value = pair_rounds(value)
    starters = [replace(game, first=PlayerId("p1"), second=PlayerId("p2")) for game in value.games.values()]
    value = value.put(*starters)
    assert [len(TournamentIndex(value).rounds(DIVISION)), {game.first for game in starters}] == [3, {"p1"}]
    codes = [problem.code for problem in find_division_problems(TournamentIndex(value), value.divisions[DIVISION])]
    assert not [code for code in codes if code.endswith("in-a-row")]
