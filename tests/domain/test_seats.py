"""Tests of group tables: scores, standings, commands and swapped players."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.erasing import make_personal_data_eraser
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, ResultState
from tdapp.domain.problems import find_division_problems
from tdapp.domain.publishing import make_public_view
from tdapp.domain.ratings import compute_division_rating_changes
from tdapp.domain.records import compute_records
from tdapp.domain.roles import Role, is_permitted
from tdapp.domain.ruleset import MatchPoints, OddPlayerRule, Outcome, PlacePointsByTableSize, PlayersPerTableRule
from tdapp.domain.season_ratings import list_rated_events
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seat_scores import compute_share_of_top_score, score_seats
from tdapp.domain.tables.players import map_player_cards
from tdapp.domain.tournament import compute_diff, find_inconsistent_rows
from tdapp.exchange.presets import read_rating_systems
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import move_to_table, pair_by_hand, swap_players
from tests.building import DIVISION, RESOURCES, get_last_round, make_desk, pair_rounds
from tests.clubs import (
    BY_PLACE,
    FACTOR,
    THREE,
    enter_points,
    list_seated_players,
    make_club,
    make_club_rules,
    make_seats,
    map_standings_by_player,
)


def test_score_seats_factor_rounds_halves_up() -> None:
    rules = make_club_rules(PlayersPerTableRule(factor=FACTOR))

    assert [seat.total for seat in score_seats(rules, make_seats(240, 210, 188))] == [360, 315, 282]
    assert score_seats(rules, make_seats(241, 210, 188))[0].total == 362
    assert score_seats(rules, make_seats(240, 210, 188))[0].points == 240


def test_score_seats_match_points_and_spread_to_the_mean() -> None:
    scores = score_seats(make_club_rules(PlayersPerTableRule(places=BY_PLACE)), make_seats(240, 210, 188))

    assert [score.match_points for score in scores] == [1, Fraction(1, 2), 0]
    assert [score.spread for score in scores] == [41, -4, -37]


def test_score_seats_equal_players_share() -> None:
    seats = make_seats(250, 250, 200, 180)
    scale = MatchPoints(Fraction(3), Fraction(3, 2), Fraction(0))
    by_place = PlayersPerTableRule(places=PlacePointsByTableSize((), tuple(map(Fraction, (3, 2, 1, 0)))))
    share, places = (
        score_seats(make_club_rules(), seats),
        score_seats(make_club_rules(by_place, match_points=scale), seats),
    )

    assert [score.match_points for score in share] == [Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0]
    assert [rank.match_points for rank in places] == [Fraction(5, 2), Fraction(5, 2), 1, 0]
    assert [score.spread for score in share] == [40, 40, -27, -53]
    assert [score.outcome for score in share] == [Outcome.DRAW, Outcome.DRAW, Outcome.LOSS, Outcome.LOSS]


def test_score_seats_departed_player_ranks_last() -> None:
    first, second, third = score_seats(
        make_club_rules(PlayersPerTableRule(places=BY_PLACE)), make_seats(240, 210, 250, resigned=(3,))
    )

    assert (first.rank, second.rank, third.rank) == (1, 2, 3)
    assert third.match_points == 0
    assert third.points == 250
    seats_of_two = score_seats(make_club_rules(), make_seats(240, 210, None, resigned=(3,)))
    assert [score.spread for score in seats_of_two] == [30, -30, -225]


def test_compute_share_of_top_in_duplicate() -> None:
    seats = make_seats(1050, 980, 875)

    shares = [compute_share_of_top_score(seat.points or 0, seats) for seat in seats]
    assert [round(float(100 * (share or 0)), 2) for share in shares] == [100, 93.33, 83.33]


def test_score_seats_whole_room_has_no_factor() -> None:
    value = enter_points(
        pair_rounds(make_club(4, PlayersPerTableRule(prefer=0)), results=False),
        {"p1": 1050, "p2": 980, "p3": 875, "p4": 1},
    )

    assert [map_standings_by_player(value)[key].points for key in ("p1", "p2", "p3")] == [1050, 980, 875]


def test_compute_records_solo_seat_has_points_without_a_win() -> None:
    value = enter_points(pair_rounds(make_club(1), results=False), {"p1": 612})

    row = map_standings_by_player(value)["p1"]
    assert row.points == 612
    assert row.games == 1
    assert row.match_points == 0
    (entry,) = compute_records(TournamentIndex(value), value.divisions[DIVISION])[PlayerId("p1")]
    assert entry.is_played
    assert entry.points == 612


def test_swap_players_between_tables_of_three() -> None:
    ann_id, bob, cid, dee, eve = ("p1", "p2", "p3", "p4", "p5")
    value = pair_rounds(make_club(5), results=False)
    item = get_last_round(value)
    draft = commands.unpublish_round(value, round=item.id, reason="as drawn")
    while sorted(map(sorted, list_seated_players(draft))) != [[ann_id, bob], [cid, dee, eve]]:
        table = next(players for players in list_seated_players(draft) if len(players) == 3)
        misplaced_player = next(player for player in (ann_id, bob) if player in table)
        replacement = next(player for player in (cid, dee, eve) if player not in table)
        draft = swap_players(
            draft, key="k", round=item.id, player=PlayerId(misplaced_player), other=PlayerId(replacement)
        )
    value = commands.publish_round(draft, round=item.id)
    value = enter_points(value, {ann_id: 310, bob: 290, cid: 200, dee: 180, eve: 160})
    assert [map_standings_by_player(value)[player].points for player in (cid, dee, eve)] == [300, 270, 240]

    value = pair_rounds(value, results=False)

    assert sorted(map(sorted, list_seated_players(value))) == [[ann_id, cid], [bob, dee, eve]]
    value = enter_points(value, {ann_id: 330, cid: 350, bob: 220, dee: 190, eve: 210})
    rows = map_standings_by_player(value)
    assert [rows[player].points for player in (cid, ann_id, bob, dee, eve)] == [650, 640, 620, 555, 555]
    assert [rows[player].rank for player in (cid, ann_id, bob, dee, eve)] == [1, 2, 3, 4, 4]


def test_build_field_three_at_a_table_have_met() -> None:
    value = make_club(3, order={"other": ("wins", "resistance", "head-to-head", "spread")})
    value = enter_points(pair_rounds(value, results=False), {"p1": 240, "p2": 210, "p3": 188})

    rows = map_standings_by_player(value)
    assert rows["p1"].resistance_points == Fraction(1, 4)  # the mean of 1/2 and 0
    assert rows["p1"].get_tiebreak_value("head-to-head") is None  # the first is not tied
    field = propose_pairings(TournamentIndex(value), DIVISION)
    assert field.seats[0].reason is not None
    assert dict(field.seats[0].reason.cost)["repeats"] == 3


def test_enter_seats_correct_clear_and_undo() -> None:
    open_desk = make_desk(pair_rounds(make_club(3), results=False))
    item = get_last_round(open_desk.tournament)
    seats = TournamentIndex(open_desk.tournament).seats(item.id)
    assert [
        problem.code
        for problem in find_division_problems(open_desk.index, open_desk.tournament.divisions[DIVISION])
    ] == ["results-out"]

    open_desk.do(
        lambda value: commands.enter_seats(value, round=item.id, table=1, points=(210, 188, 240)), label="x"
    )
    assert [seat.points for seat in open_desk.index.seats(item.id)] == [210, 188, 240]
    assert not open_desk.index.list_open_tables(item.id)
    with pytest.raises(CommandError, match="changed-meanwhile"):
        commands.enter_seats(open_desk.tournament, round=item.id, table=1, points=(1, 2, 3), seen=seats)
    open_desk.do(lambda value: commands.clear_seats(value, round=item.id, table=1), label="y")
    assert open_desk.index.list_open_tables(item.id) == (1,)
    open_desk.undo()
    open_desk.undo()
    assert open_desk.index.seats(item.id) == seats
    open_desk.close()


def test_enter_seats_refuses_invalid_points() -> None:
    value = pair_rounds(make_club(3), results=False)
    item = get_last_round(value)

    refused_entries: list[tuple[dict[str, Any], str]] = [
        ({"points": (210, 188)}, "points-missing"),
        ({"points": (210, 188, 1400)}, "implausible-points"),
        ({"points": (210, 188, 10_000)}, "number-out-of-range"),
        ({"points": (1, 2, 3), "players": ("p1", "p2", "p9")}, "not-at-table"),
        ({"points": (1, 2, 3, 4)}, "not-at-table"),
        ({"points": (1, 2, 3), "table": 7}, "no-such-table"),
    ]
    for facts, code in refused_entries:
        with pytest.raises(CommandError, match=code):
            commands.enter_seats(value, **{"round": item.id, "table": 1, **facts})
    entered = commands.enter_seats(value, round=item.id, table=1, points=(210, 188), left=(PlayerId("p3"),))
    assert [(seat.points, seat.left) for seat in TournamentIndex(entered).seats(item.id)] == [
        (210, False),
        (188, False),
        (None, True),
    ]


def test_enter_seats_certified_table_needs_a_reason() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})
    item = get_last_round(value)
    final = commands.check_seats(value, round=item.id, table=1, certified=True)

    with pytest.raises(CommandError, match="result-final"):
        commands.enter_seats(final, round=item.id, table=1, points=(1, 2, 3))
    after = commands.enter_seats(final, round=item.id, table=1, points=(241, 2, 3), reason="slip")
    assert {seat.state for seat in TournamentIndex(after).seats(item.id)} == {ResultState.ENTERED}


def test_swap_players_and_tables_with_seats_in_a_draft() -> None:
    value = pair_rounds(make_club(7), results=False)
    item = get_last_round(value)
    draft = commands.unpublish_round(value, round=item.id, reason="late")
    first_table = next(sorted(players) for players in list_seated_players(draft) if len(players) == 3)
    second_table = next(sorted(players) for players in list_seated_players(draft) if len(players) == 2)

    swapped_draft = swap_players(
        draft, key="a", round=item.id, player=PlayerId(first_table[0]), other=PlayerId(second_table[0])
    )
    assert {second_table[0], first_table[1], first_table[2]} in list_seated_players(swapped_draft)
    table = list_seated_players(draft).index(set(second_table)) + 1
    moved = move_to_table(draft, key="b", round=item.id, player=PlayerId(first_table[0]), table=table)
    assert {first_table[0], *second_table} in list_seated_players(moved)
    assert {first_table[1], first_table[2]} in list_seated_players(moved)
    is_manual = pair_by_hand(
        draft, key="c", round=item.id, player=PlayerId(first_table[0]), other=PlayerId(first_table[1])
    )
    assert {first_table[0], first_table[1]} in list_seated_players(is_manual)
    for after in (swapped_draft, moved, is_manual):
        assert not find_inconsistent_rows(after)
        assert TournamentIndex(commands.publish_round(after, round=item.id)).list_published_rounds(DIVISION)


def test_find_faults_player_with_two_seats() -> None:
    value = pair_rounds(make_club(5), results=False)
    seat = TournamentIndex(value).seats(get_last_round(value).id)[0]
    game = TournamentIndex(value).games(get_last_round(value).id)[0]

    inconsistent_rows = find_inconsistent_rows(value.put(replace(seat, player=game.first)))

    assert {(row.kind, row.code) for row in inconsistent_rows} == {
        ("games", "twice-in-round"),
        ("seats", "twice-in-round"),
    }


def test_merge_players_moves_the_seat() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})
    with pytest.raises(CommandError, match="merge-both-sat"):
        commands.merge_players(value, player=PlayerId("p1"), other=PlayerId("p2"))

    with_latecomer = commands.add_player(value, key="p9", division=DIVISION, name="P 1")
    merged_tournament = commands.merge_players(with_latecomer, player=PlayerId("p9"), other=PlayerId("p1"))
    assert map_standings_by_player(merged_tournament)["p9"].points == 360


def test_prepare_erasure_keeps_the_seat() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})
    erased_tournament = make_personal_data_eraser(value, (), [PlayerId("p1")]).erase_data_in_tournament(value)

    assert map_standings_by_player(erased_tournament)["p1"].points == 360
    assert erased_tournament.players[PlayerId("p1")].name == "Player 1"


def test_make_public_view_hides_held_points_of_seats() -> None:
    value = enter_points(pair_rounds(make_club(3), results=False), {"p1": 240, "p2": 210, "p3": 188})
    withheld_tournament = value.put(replace(value.divisions[DIVISION], held_after=0))

    seats = TournamentIndex(make_public_view(withheld_tournament)).seats(get_last_round(value).id)
    assert {(seat.points, seat.state, seat.reason) for seat in seats} == {(None, None, None)}
    assert {seat.points for seat in TournamentIndex(make_public_view(value)).seats(get_last_round(value).id)} == {
        240,
        210,
        188,
    }


def test_compute_standings_extra_player_gets_the_average() -> None:
    """Each pair of the other three players meets once. The extra player gets a win and the average points."""
    points = {("p1", "p2"): (420, 380), ("p1", "p3"): (400, 350), ("p2", "p3"): (390, 360)}
    four_players = MatchPoints(Fraction(4), Fraction(2), Fraction(0))
    value = make_club(3, PlayersPerTableRule(odd=OddPlayerRule.AVERAGE), match_points=four_players)
    for _ in range(3):
        value = pair_rounds(value, results=False)
        (game,) = TournamentIndex(value).games(get_last_round(value).id)
        first, second = sorted((game.first, game.second))
        scores = dict(zip((first, second), points[first, second], strict=True))
        value = commands.enter_result(value, game=game.id, first=scores[game.first], second=scores[game.second])

    rows = map_standings_by_player(value)
    assert [rows[player].match_points for player in ("p1", "p2", "p3")] == [12, 8, 4]
    assert [rows[player].points for player in ("p1", "p2", "p3")] == [3 * 410, 3 * 385, 3 * 355]


def test_pair_round_without_tables_of_three_gives_a_bye() -> None:
    value = pair_rounds(make_club(5, PlayersPerTableRule()), results=False)

    assert not value.seats
    assert len(TournamentIndex(value).list_byes_for_lack_of_opponent(get_last_round(value).id)) == 1
    assert THREE.has_group_tables
    assert not PlayersPerTableRule().has_group_tables


def test_is_permitted_for_stations_that_enter_results() -> None:
    before = pair_rounds(make_club(3), results=False)
    after = enter_points(before, {"p1": 240, "p2": 210, "p3": 188})
    changes = compute_diff(before, after)

    assert is_permitted(Role.ENTRY, "enter-seats", changes)
    assert not is_permitted(Role.DISPLAY, "enter-seats", changes)
    assert not is_permitted(Role.ENTRY, "move-to-table", changes)
    seat = TournamentIndex(before).seats(get_last_round(before).id)[0]
    assert not is_permitted(Role.ENTRY, "enter-seats", compute_diff(before, before.put(replace(seat, table=9))))


def test_rate_division_counts_each_pair_of_a_rated_table() -> None:
    points = {"p1": 240, "p2": 210, "p3": 188}
    rated_tournament, unrated_tournament = (
        enter_points(
            pair_rounds(make_club(3, PlayersPerTableRule(odd=OddPlayerRule.THREE, rated=is_rated)), results=False),
            points,
        )
        for is_rated in (True, False)
    )
    elo = read_rating_systems(RESOURCES / "ratings")["elo"]

    games = {
        row.player.id: row.games
        for row in compute_division_rating_changes(
            TournamentIndex(rated_tournament), rated_tournament.divisions[DIVISION], elo
        )
    }
    assert games == {"p1": 2, "p2": 2, "p3": 2}
    assert not any(
        row.games
        for row in compute_division_rating_changes(
            TournamentIndex(unrated_tournament), unrated_tournament.divisions[DIVISION], elo
        )
    )


def test_list_cards_of_a_player_alone_have_no_win() -> None:
    value = enter_points(pair_rounds(make_club(1), results=False), {"p1": 612})
    (row,) = map_player_cards(TournamentIndex(value), value.divisions[DIVISION])[PlayerId("p1")]

    assert (row.points, row.result) == (612, "nothing")


@pytest.mark.parametrize("is_rated", [True, False])
def test_list_rated_events_has_each_pair_of_a_rated_table(is_rated: bool) -> None:
    value = pair_rounds(make_club(3, PlayersPerTableRule(odd=OddPlayerRule.THREE, rated=is_rated)), results=False)
    value = enter_points(value, {"p1": 240, "p2": 210, "p3": 188})
    value = value.put(*(replace(stage, date="2026-10-01") for stage in value.stages.values()))
    value = commands.add_season(value, key="n", name="Year", rule=SeasonRule("own", "Own"))
    events = list_rated_events(TournamentIndex(value), next(iter(value.seasons.values())))
    games = {
        (game.first, game.second, game.first_score, game.second_score) for event in events for game in event.games
    }
    has_won = {("p1", "p2"), ("p1", "p3"), ("p2", "p3")}
    assert games == (
        {(*second_table, Fraction(1), Fraction(0)) for second_table in has_won} if is_rated else set()
    )
