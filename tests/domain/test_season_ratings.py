"""Tests of season ratings: the list on a date, corrections, and new ratings of the players."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    DivisionId,
    Game,
    GameId,
    PlayerId,
    Round,
    RoundId,
    RoundState,
    SeasonId,
    StageId,
)
from tdapp.domain.ratings import compute_division_rating_changes
from tdapp.domain.season_ratings import (
    compute_season_rating_changes,
    list_member_ratings,
    list_players_with_old_and_new_rating,
    list_rated_events,
    select_season_rating_system,
)
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, make_desk
from tests.domain.test_event_copies import add_events, make_copy, refresh_events
from tests.domain.test_rating_events import SYSTEMS
from tests.domain.test_seasons import SEASON, add_evening, add_points_evening, make_autumn, make_season_club

ELO = SYSTEMS["elo"]
FIRST, SECOND = "2026-10-01", "2026-10-08"


def set_ratings(value: Tournament, *ratings: int | None) -> Tournament:
    return value.put(
        *(replace(player, rating=rating) for player, rating in zip(value.players.values(), ratings, strict=True))
    )


def make_pair() -> Tournament:
    """Return two members with rating 1500. A wins on 1 October, B on 8 October."""
    value = set_ratings(make_season_club("AB"), 1500, 1500)
    return add_evening(add_evening(value, FIRST, [(1, 2, 400, 300)]), SECOND, [(1, 2, 300, 400)])


def make_club_of_three() -> Tournament:
    """Return A and B with rating 1500, and C without rating, after two autumn evenings."""
    value = set_ratings(make_season_club("ABC"), 1500, 1500, None)
    value = add_evening(value, FIRST, [(1, 2, 400, 300)], [(1, 3, 400, 300)])
    return add_evening(value, SECOND, [(3, 2, 400, 300)])


def map_ratings(value: Tournament, date: str = "", season: SeasonId = SEASON) -> dict[str, int]:
    lines = list_member_ratings(TournamentIndex(value), value.seasons[season], ELO, date)
    return {value.players[line.key].name: line.rating for line in lines}


def apply_ratings(value: Tournament, date: str = "", season: SeasonId = SEASON) -> Tournament:
    return commands.apply_ratings(value, season=season, system=ELO, on=date)


def test_list_rating_lines_on_a_date() -> None:
    value = make_pair()
    assert map_ratings(value, "2026-09-30") == {"A": 1500, "B": 1500}
    assert map_ratings(value, FIRST) == map_ratings(value, "2026-10-07") == {"A": 1510, "B": 1490}
    assert map_ratings(value) == {"B": 1501, "A": 1499}


def test_list_rating_lines_after_a_changed_date() -> None:
    """With the win of B on 24 September the ratings are 1501 and 1499."""
    value = commands.edit_stage(make_pair(), stage=StageId(f"e{SECOND}"), date="2026-09-24")
    assert map_ratings(value) == {"A": 1501, "B": 1499}


def test_list_rating_lines_after_a_corrected_evening() -> None:
    """After a draw on 1 October both stay at 1500. The win of B gives 10 points."""
    open_desk = make_desk(make_pair())
    game = next(result for result in open_desk.tournament.results.values() if result.first == 400)
    open_desk.do(partial(commands.enter_result, game=game.id, first=350, second=350))
    assert map_ratings(open_desk.tournament) == {"B": 1510, "A": 1490}
    open_desk.undo()
    assert map_ratings(open_desk.tournament) == {"B": 1501, "A": 1499}


def test_list_rating_lines() -> None:
    value = make_club_of_three()
    lines = {
        value.players[rating.key].name: rating
        for rating in list_member_ratings(TournamentIndex(value), value.seasons[SEASON], ELO)
    }
    line_a, line_b, line_c = (lines[name] for name in "ABC")
    assert (line_a.start, line_a.rating, line_a.change, line_a.game_count, line_a.last_played_date) == (
        1500,
        1510,
        10,
        1,
        FIRST,
    )
    assert (line_b.start, line_b.game_count, line_b.last_played_date) == (1500, 2, SECOND)
    assert (line_c.start, line_c.change, line_c.game_count, line_c.total_game_count) == (None, None, 2, 2)
    assert [rating.rank for rating in list_member_ratings(TournamentIndex(value), value.seasons[SEASON], ELO)] == [
        1,
        2,
        3,
    ]


def test_list_rating_lines_equal_ratings_share_the_rank() -> None:
    value = set_ratings(make_season_club("ABCD"), 1500, 1600, 1500, None)
    lines = list_member_ratings(TournamentIndex(value), value.seasons[SEASON], ELO)
    assert [(value.players[line.key].name, line.rank) for line in lines] == [("B", 1), ("A", 2), ("C", 2)]


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_list_rating_lines_of_one_evening_equals_a_tournament(system: str) -> None:
    value = set_ratings(make_season_club(), 1500, 1620, 1380, 1444, 1700)
    value = add_points_evening(value, FIRST, A=(450, 450), B=(390, 390), C=(350, 350))
    index = TournamentIndex(value)
    ratings = {
        line.key: line.rating for line in list_member_ratings(index, value.seasons[SEASON], SYSTEMS[system])
    }
    expected = {
        rated_player.player.id: rated_player.new
        for rated_player in compute_division_rating_changes(index, value.divisions[DIVISION], SYSTEMS[system])
    }
    assert ratings == expected


def test_list_rated_events_omits_other_seasons_and_unrated_games() -> None:
    value = commands.edit_season(make_pair(), season=SEASON, since="2026-10-02")
    assert [event.date for event in list_rated_events(TournamentIndex(value), value.seasons[SEASON])] == [SECOND]
    assert map_ratings(value) == {"B": 1510, "A": 1490}
    value = commands.begin_evening(value, key="new", division=DIVISION, date="2026-10-15")
    assert [event.date for event in list_rated_events(TournamentIndex(value), value.seasons[SEASON])] == [SECOND]


def test_list_rated_events_counts_rounds_within_an_evening() -> None:
    events = list_rated_events(TournamentIndex(make_autumn()), make_autumn().seasons[SEASON])
    assert [sorted({game.round for game in event.games}) for event in events] == [[1, 2]] * 3


def test_list_rated_events_includes_a_stage_with_a_date() -> None:
    value = make_pair()
    stage = value.stages[StageId(f"e{SECOND}")]
    assert map_ratings(value.put(replace(stage, evening=False))) == {"B": 1501, "A": 1499}
    assert map_ratings(value.put(replace(stage, evening=False, date=""))) == {"A": 1510, "B": 1490}


# --- new ratings of the players


def test_apply_ratings_sets_ratings_and_can_be_undone() -> None:
    open_desk = make_desk(make_club_of_three())
    old_tournament = open_desk.tournament
    updates = list_players_with_old_and_new_rating(open_desk.index, old_tournament.seasons[SEASON], ELO)
    open_desk.do(partial(commands.apply_ratings, season=SEASON, system=ELO))
    assert {player.name: player.rating for player in open_desk.tournament.players.values()} == map_ratings(
        old_tournament
    )
    assert [new_tournament for _, new_tournament in updates] == [*open_desk.tournament.players.values()]
    assert [player.rated_games for player in open_desk.tournament.players.values()] == [None, None, 2]
    open_desk.undo()
    assert (open_desk.tournament.players, open_desk.tournament.seasons) == (
        old_tournament.players,
        old_tournament.seasons,
    )


def test_apply_ratings_twice_counts_evenings_once() -> None:
    value = make_club_of_three()
    assert map_ratings(apply_ratings(value)) == map_ratings(value)
    assert map_ratings(apply_ratings(value), FIRST) == map_ratings(value, FIRST)
    with pytest.raises(CommandError, match="ratings-applied-already"):
        apply_ratings(apply_ratings(value))


def test_apply_ratings_follows_a_correction_and_a_new_member() -> None:
    value = commands.add_player(apply_ratings(make_club_of_three(), FIRST), key="p4", division=DIVISION, name="D")
    value = add_evening(value, "2026-10-15", [(1, 4, 300, 400)])
    game = next(result for result in value.results.values() if result.first == 400)
    corrected_tournament = commands.enter_result(value, game=game.id, first=350, second=350)
    season = replace(corrected_tournament.seasons[SEASON], start_ratings=())
    recomputed = set_ratings(corrected_tournament.put(season), 1500, 1500, None, None)
    assert (
        map_ratings(apply_ratings(corrected_tournament))
        == map_ratings(corrected_tournament)
        == map_ratings(recomputed)
    )


def test_apply_ratings_of_an_earlier_date_restores_ratings() -> None:
    value = make_club_of_three()
    reapplied_tournament = apply_ratings(apply_ratings(value), FIRST)
    assert {player.name: player.rating for player in reapplied_tournament.players.values()} == map_ratings(
        value, FIRST
    )
    assert (
        apply_ratings(reapplied_tournament, "2026-09-01").players
        == value.put(
            *(replace(player, rated_games=player.rated_games or None) for player in value.players.values())
        ).players
    )


def test_list_rating_lines_of_the_next_season_starts_from_applied_ratings() -> None:
    value = commands.edit_season(make_pair(), season=SEASON, until="2026-12-31")
    spring = SeasonId("spring")
    rule = SeasonRule("own", "Own")
    value = commands.add_season(value, key=spring, name="Spring", rule=rule, division=DIVISION, since="2027-01-01")
    assert map_ratings(value, season=spring) == {"A": 1500, "B": 1500}
    value = apply_ratings(value)
    assert not value.seasons[spring].start_ratings
    assert map_ratings(value, season=spring) == {"B": 1501, "A": 1499}
    value = apply_ratings(add_evening(value, "2027-01-05", [(1, 2, 400, 300)]), season=spring)
    assert map_ratings(value, season=spring) == {"A": 1509, "B": 1491}
    assert map_ratings(value) == {"B": 1501, "A": 1499}


def test_list_rating_lines_of_a_season_over_the_same_evenings() -> None:
    year = SeasonId("year")
    value = commands.add_season(make_pair(), key=year, name="Year", rule=SeasonRule("own", "Own"))
    assert (
        map_ratings(apply_ratings(value), season=year) == map_ratings(value, season=year) == {"B": 1501, "A": 1499}
    )


def test_merge_players_keeps_the_start_rating() -> None:
    value = commands.add_player(apply_ratings(make_pair()), key="p3", division=DIVISION, name="Ab")
    merged_tournament = commands.merge_players(value, player=PlayerId("p3"), other=PlayerId("p1"))
    assert map_ratings(merged_tournament) == {"B": 1501, "Ab": 1499}


def test_list_rating_lines_of_a_member_of_two_divisions() -> None:
    value = make_pair()
    value = commands.add_division_with_stage(value, key="other", code="B")
    value = commands.add_player(value, key="p9", division=DivisionId("other"), name="A")
    value = commands.edit_season(value, season=SEASON, division=None)
    assert map_ratings(value) == {"B": 1501, "A": 1499}
    assert [player.rating for player in apply_ratings(value).players.values()] == [1499, 1501, 1499]


def test_rate_season_lists_each_game() -> None:
    value = make_pair()
    changes = compute_season_rating_changes(TournamentIndex(value), value.seasons[SEASON], ELO)[PlayerId("p1")]
    assert [(change.before, change.after) for change in changes] == [(1500, 1510), (1510, 1499)]
    (game,) = changes[1].games
    assert [game.opponent, game.rating, game.score] == ["p2", 1490, 0]
    assert (game.expected, game.change) == pytest.approx((0.5288, -10.575), abs=0.001)


# --- copied events of other files


def make_federation_pair() -> Tournament:
    """Return example 18: B won the evening of 8 October, A won a copied event of 1 October."""
    value = add_evening(set_ratings(make_season_club("AB"), 1500, 1500), SECOND, [(1, 2, 300, 400)])
    return add_events(value, make_copy("Away", FIRST, "A", "B"))


def test_list_rating_lines_includes_copied_events() -> None:
    value = make_federation_pair()
    assert map_ratings(value, FIRST) == {"A": 1510, "B": 1490}
    assert map_ratings(value) == {"B": 1501, "A": 1499}


def test_list_rating_lines_follows_a_later_date_of_a_copied_event() -> None:
    """The win of B now comes first."""
    value = make_federation_pair()
    (event,) = value.copied_events
    moved_tournament = commands.edit_copied_event(value, copied_event=event, date="2026-10-15")
    assert map_ratings(moved_tournament, SECOND) == {"B": 1510, "A": 1490}
    assert map_ratings(moved_tournament) == {"A": 1501, "B": 1499}


def test_list_rating_lines_follows_a_refreshed_event_after_applying() -> None:
    """B won both events: first 1490 and 1510, then 1481 and 1519."""
    value = refresh_events(apply_ratings(make_federation_pair()), make_copy("Away", FIRST, "B", "A", head="new"))
    assert map_ratings(value) == {"B": 1519, "A": 1481}
    assert {player.name: player.rating for player in apply_ratings(value).players.values()} == {
        "B": 1519,
        "A": 1481,
    }


def test_list_rating_lines_includes_persons_of_copied_events() -> None:
    value = add_events(make_federation_pair(), make_copy("Open", "2026-10-15", "C", "A"), key="l")
    assert [*map_ratings(value)] == ["C", "B", "A"]
    assert map_ratings(value)["C"] == 1690  # the performance of one win against 1499


def test_select_season_system_of_the_division_or_by_name() -> None:
    value = commands.choose_rating(make_pair(), division=DIVISION, rating="aus")
    for season in (value.seasons[SEASON], replace(value.seasons[SEASON], division=None)):
        assert select_season_rating_system(TournamentIndex(value), season, SYSTEMS).id == "aus"
        assert select_season_rating_system(TournamentIndex(value), season, SYSTEMS, "deu").id == "deu"
    assert (
        select_season_rating_system(TournamentIndex(Tournament()), replace(season, division=None), SYSTEMS).id
        == "elo"
    )


def test_list_rated_events_of_a_division_omits_other_evenings() -> None:
    value = commands.add_division_with_stage(make_pair(), key="other", code="B")
    evening = value.stages[StageId(f"e{SECOND}")]
    stage = replace(evening, id=StageId("x"), division=DivisionId("other"), position=1)
    for number in (8, 9):
        value = commands.add_player(value, key=f"p{number}", division=DivisionId("other"), name=f"Player {number}")
    value = value.put(stage, Round(RoundId("x.1"), StageId("x"), 1, RoundState.PUBLISHED))
    value = value.put(Game(GameId("x.1.1"), RoundId("x.1"), 1, PlayerId("p8"), PlayerId("p9")))
    value = commands.enter_result(value, game=GameId("x.1.1"), first=400, second=300)
    season = value.seasons[SEASON]
    assert len(list_rated_events(TournamentIndex(value), season)) == 2
    assert len(list_rated_events(TournamentIndex(value), replace(season, division=None))) == 3
