"""Ratings over the evenings of a season: the list on a date, corrections, and new ratings for the players."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
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
from tdapp.domain.ratings import rate_division
from tdapp.domain.season_ratings import (
    list_rated_events,
    list_rating_updates,
    list_ratings,
    rate_season,
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
    """Two members at 1500. A wins on 1 October, B on 8 October."""
    value = set_ratings(make_season_club("AB"), 1500, 1500)
    return add_evening(add_evening(value, FIRST, [(1, 2, 400, 300)]), SECOND, [(1, 2, 300, 400)])


def make_club_of_three() -> Tournament:
    """A and B at 1500, C without rating. Two evenings in autumn."""
    value = set_ratings(make_season_club("ABC"), 1500, 1500, None)
    value = add_evening(value, FIRST, [(1, 2, 400, 300)], [(1, 3, 400, 300)])
    return add_evening(value, SECOND, [(3, 2, 400, 300)])


def list_by_name(value: Tournament, date: str = "", season: SeasonId = SEASON) -> dict[str, int]:
    lines = list_ratings(Index(value), value.seasons[season], ELO, date)
    return {value.players[line.key].name: line.rating for line in lines}


def apply_ratings(value: Tournament, date: str = "", season: SeasonId = SEASON) -> Tournament:
    return commands.apply_ratings(value, season=season, system=ELO, on=date)


def test_list_ratings_on_a_date() -> None:
    value = make_pair()
    assert list_by_name(value, "2026-09-30") == {"A": 1500, "B": 1500}
    assert list_by_name(value, FIRST) == list_by_name(value, "2026-10-07") == {"A": 1510, "B": 1490}
    assert list_by_name(value) == {"B": 1501, "A": 1499}


def test_list_ratings_after_a_changed_date() -> None:
    """B's win was on 24 September: 1501 and 1499."""
    value = commands.edit_stage(make_pair(), stage=StageId(f"e{SECOND}"), date="2026-09-24")
    assert list_by_name(value) == {"A": 1501, "B": 1499}


def test_list_ratings_after_a_corrected_evening() -> None:
    """A draw on 1 October: both stay at 1500, and B's win brings 10."""
    open_desk = make_desk(make_pair())
    game = next(result for result in open_desk.tournament.results.values() if result.first == 400)
    open_desk.do(partial(commands.enter_result, game=game.id, first=350, second=350))
    assert list_by_name(open_desk.tournament) == {"B": 1510, "A": 1490}
    open_desk.undo()
    assert list_by_name(open_desk.tournament) == {"B": 1501, "A": 1499}


def test_list_ratings_lines() -> None:
    value = make_club_of_three()
    lines = {
        value.players[rating.key].name: rating for rating in list_ratings(Index(value), value.seasons[SEASON], ELO)
    }
    a, b, c = (lines[name] for name in "ABC")
    assert (a.start, a.rating, a.change, a.game_count, a.last_date) == (1500, 1510, 10, 1, FIRST)
    assert (b.start, b.game_count, b.last_date) == (1500, 2, SECOND)
    assert (c.start, c.change, c.game_count, c.all_games) == (None, None, 2, 2)
    assert [rating.rank for rating in list_ratings(Index(value), value.seasons[SEASON], ELO)] == [1, 2, 3]


def test_list_ratings_equal_ratings_share_the_rank() -> None:
    value = set_ratings(make_season_club("ABCD"), 1500, 1600, 1500, None)
    lines = list_ratings(Index(value), value.seasons[SEASON], ELO)
    assert [(value.players[line.key].name, line.rank) for line in lines] == [("B", 1), ("A", 2), ("C", 2)]


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_one_evening_is_rated_as_a_tournament(system: str) -> None:
    value = set_ratings(make_season_club(), 1500, 1620, 1380, 1444, 1700)
    value = add_points_evening(value, FIRST, A=(450, 450), B=(390, 390), C=(350, 350))
    index = Index(value)
    ratings = {line.key: line.rating for line in list_ratings(index, value.seasons[SEASON], SYSTEMS[system])}
    expected = {
        rated_player.player.id: rated_player.new
        for rated_player in rate_division(index, value.divisions[DIVISION], SYSTEMS[system])
    }
    assert ratings == expected


def test_events_are_within_the_season_and_have_rated_games() -> None:
    value = commands.edit_season(make_pair(), season=SEASON, since="2026-10-02")
    assert [event.date for event in list_rated_events(Index(value), value.seasons[SEASON])] == [SECOND]
    assert list_by_name(value) == {"B": 1510, "A": 1490}
    value = commands.begin_evening(value, key="new", division=DIVISION, date="2026-10-15")
    assert [event.date for event in list_rated_events(Index(value), value.seasons[SEASON])] == [SECOND]


def test_rounds_of_an_evening_start_at_one() -> None:
    events = list_rated_events(Index(make_autumn()), make_autumn().seasons[SEASON])
    assert [sorted({game.round for game in event.games}) for event in events] == [[1, 2]] * 3


def test_a_stage_with_a_date_is_an_event() -> None:
    value = make_pair()
    stage = value.stages[StageId(f"e{SECOND}")]
    assert list_by_name(value.put(replace(stage, evening=False))) == {"B": 1501, "A": 1499}
    assert list_by_name(value.put(replace(stage, evening=False, date=""))) == {"A": 1510, "B": 1490}


# --- new ratings of the players


def test_apply_ratings_gives_the_players_the_list_and_undo_takes_it_back() -> None:
    open_desk = make_desk(make_club_of_three())
    before = open_desk.tournament
    updates = list_rating_updates(open_desk.index, before.seasons[SEASON], ELO)
    open_desk.do(partial(commands.apply_ratings, season=SEASON, system=ELO))
    assert {player.name: player.rating for player in open_desk.tournament.players.values()} == list_by_name(before)
    assert [after for _, after in updates] == [*open_desk.tournament.players.values()]
    assert [player.rated_games for player in open_desk.tournament.players.values()] == [None, None, 2]
    open_desk.undo()
    assert (open_desk.tournament.players, open_desk.tournament.seasons) == (before.players, before.seasons)


def test_apply_ratings_does_not_count_the_evenings_twice() -> None:
    value = make_club_of_three()
    assert list_by_name(apply_ratings(value)) == list_by_name(value)
    assert list_by_name(apply_ratings(value), FIRST) == list_by_name(value, FIRST)
    with pytest.raises(RuleViolation, match="ratings-applied-already"):
        apply_ratings(apply_ratings(value))


def test_apply_ratings_again_after_a_correction_and_a_new_member() -> None:
    value = commands.add_player(apply_ratings(make_club_of_three(), FIRST), key="p4", division=DIVISION, name="D")
    value = add_evening(value, "2026-10-15", [(1, 4, 300, 400)])
    game = next(result for result in value.results.values() if result.first == 400)
    corrected = commands.enter_result(value, game=game.id, first=350, second=350)
    season = replace(corrected.seasons[SEASON], start_ratings=())
    recomputed = set_ratings(corrected.put(season), 1500, 1500, None, None)
    assert list_by_name(apply_ratings(corrected)) == list_by_name(corrected) == list_by_name(recomputed)


def test_apply_ratings_of_an_earlier_date_goes_back() -> None:
    value = make_club_of_three()
    reapplied = apply_ratings(apply_ratings(value), FIRST)
    assert {player.name: player.rating for player in reapplied.players.values()} == list_by_name(value, FIRST)
    assert (
        apply_ratings(reapplied, "2026-09-01").players
        == value.put(
            *(replace(player, rated_games=player.rated_games or None) for player in value.players.values())
        ).players
    )


def test_the_next_season_starts_from_the_applied_ratings() -> None:
    value = commands.edit_season(make_pair(), season=SEASON, until="2026-12-31")
    spring = SeasonId("spring")
    rule = SeasonRule("own", "Own")
    value = commands.add_season(value, key=spring, name="Spring", rule=rule, division=DIVISION, since="2027-01-01")
    assert list_by_name(value, season=spring) == {"A": 1500, "B": 1500}
    value = apply_ratings(value)
    assert not value.seasons[spring].start_ratings
    assert list_by_name(value, season=spring) == {"B": 1501, "A": 1499}
    value = apply_ratings(add_evening(value, "2027-01-05", [(1, 2, 400, 300)]), season=spring)
    assert list_by_name(value, season=spring) == {"A": 1509, "B": 1491}
    assert list_by_name(value) == {"B": 1501, "A": 1499}


def test_a_season_over_the_same_evenings_keeps_its_list() -> None:
    year = SeasonId("year")
    value = commands.add_season(make_pair(), key=year, name="Year", rule=SeasonRule("own", "Own"))
    assert (
        list_by_name(apply_ratings(value), season=year)
        == list_by_name(value, season=year)
        == {"B": 1501, "A": 1499}
    )


def test_a_merged_player_keeps_the_start_rating() -> None:
    value = commands.add_player(apply_ratings(make_pair()), key="p3", division=DIVISION, name="Ab")
    merged = commands.merge_players(value, player=PlayerId("p3"), other=PlayerId("p1"))
    assert list_by_name(merged) == {"B": 1501, "Ab": 1499}


def test_a_member_of_two_divisions_has_one_rating() -> None:
    value = make_pair()
    value = commands.add_division_with_stage(value, key="other", code="B")
    value = commands.add_player(value, key="p9", division=DivisionId("other"), name="A")
    value = commands.edit_season(value, season=SEASON, division=None)
    assert list_by_name(value) == {"B": 1501, "A": 1499}
    assert [player.rating for player in apply_ratings(value).players.values()] == [1499, 1501, 1499]


def test_rate_season_lists_each_game() -> None:
    value = make_pair()
    changes = rate_season(Index(value), value.seasons[SEASON], ELO)[PlayerId("p1")]
    assert [(change.before, change.after) for change in changes] == [(1500, 1510), (1510, 1499)]
    (game,) = changes[1].games
    assert [game.opponent, game.rating, game.score] == ["p2", 1490, 0]
    assert (game.expected, game.change) == pytest.approx((0.5288, -10.575), abs=0.001)


# --- copied events of other files


def make_federation_pair() -> Tournament:
    """Example 18: B won the own evening of 8 October, A a copied event of 1 October."""
    value = add_evening(set_ratings(make_season_club("AB"), 1500, 1500), SECOND, [(1, 2, 300, 400)])
    return add_events(value, make_copy("Away", FIRST, "A", "B"))


def test_ratings_over_evenings_and_copied_events() -> None:
    value = make_federation_pair()
    assert list_by_name(value, FIRST) == {"A": 1510, "B": 1490}
    assert list_by_name(value) == {"B": 1501, "A": 1499}


def test_a_later_date_of_a_copied_event_moves_the_list() -> None:
    """B's win comes first: 1510 and 1490, then A wins: 1499 and 1501."""
    value = make_federation_pair()
    (event,) = value.copied_events
    moved = commands.edit_copied_event(value, copied_event=event, date="2026-10-15")
    assert list_by_name(moved, SECOND) == {"B": 1510, "A": 1490}
    assert list_by_name(moved) == {"A": 1501, "B": 1499}


def test_a_refreshed_event_moves_the_list_also_after_applying() -> None:
    """B won the copied event: 1490 and 1510. With the win of 8 October B has 1519 and A 1481."""
    value = refresh_events(apply_ratings(make_federation_pair()), make_copy("Away", FIRST, "B", "A", head="new"))
    assert list_by_name(value) == {"B": 1519, "A": 1481}
    assert {player.name: player.rating for player in apply_ratings(value).players.values()} == {
        "B": 1519,
        "A": 1481,
    }


def test_a_person_of_a_copied_event_is_in_the_list() -> None:
    value = add_events(make_federation_pair(), make_copy("Open", "2026-10-15", "C", "A"), key="l")
    assert [*list_by_name(value)] == ["C", "B", "A"]
    assert list_by_name(value)["C"] == 1690  # the performance of one win against 1499


def test_select_season_system_of_the_division_or_by_name() -> None:
    value = commands.choose_rating(make_pair(), division=DIVISION, rating="aus")
    for season in (value.seasons[SEASON], replace(value.seasons[SEASON], division=None)):
        assert select_season_rating_system(Index(value), season, SYSTEMS).id == "aus"
        assert select_season_rating_system(Index(value), season, SYSTEMS, "deu").id == "deu"
    assert select_season_rating_system(Index(Tournament()), replace(season, division=None), SYSTEMS).id == "elo"


def test_a_season_of_a_division_has_only_its_evenings() -> None:
    value = commands.add_division_with_stage(make_pair(), key="other", code="B")
    evening = value.stages[StageId(f"e{SECOND}")]
    stage = replace(evening, id=StageId("x"), division=DivisionId("other"), position=1)
    for number in (8, 9):
        value = commands.add_player(value, key=f"p{number}", division=DivisionId("other"), name=f"Player {number}")
    value = value.put(stage, Round(RoundId("x.1"), StageId("x"), 1, RoundState.PUBLISHED))
    value = value.put(Game(GameId("x.1.1"), RoundId("x.1"), 1, PlayerId("p8"), PlayerId("p9")))
    value = commands.enter_result(value, game=GameId("x.1.1"), first=400, second=300)
    season = value.seasons[SEASON]
    assert len(list_rated_events(Index(value), season)) == 2
    assert len(list_rated_events(Index(value), replace(season, division=None))) == 3
