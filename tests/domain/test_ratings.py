"""Tests of performances and new ratings: published examples, cases computed by hand, and properties."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId, GameSide, StageId
from tdapp.domain.ratings import (
    KFactorRule,
    LargeGainBonus,
    PlayerRatingChange,
    RatingSystem,
    compute_division_rating_changes,
    compute_performance,
    parse_rating_system,
    select_rating_system,
)
from tdapp.domain.ruleset import ForfeitRule
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tsh
from tdapp.exchange.presets import read_rating_systems
from tests.building import DIVISION, RESOURCES
from tests.data_events import find_data_folder, parse_published_division, read_published_division
from tests.domain.results import get_division, play_rounds, set_player_fields
from tests.domain.tournament_lines import RULES, build_crosstable

SYSTEMS: Mapping[str, RatingSystem] = read_rating_systems(RESOURCES / "ratings")
LOGISTIC = ("elo", "naspa", "wespa")
HALF = Fraction(1, 2)


def rate_players(value: Tournament, system: str, after: int | None = None) -> list[PlayerRatingChange]:
    return list(
        compute_division_rating_changes(TournamentIndex(value), get_division(value), SYSTEMS[system], after)
    )


def make_games(wins: int, losses: int, opponents: Sequence[int]) -> list[tuple[float, Fraction]]:
    scores = [Fraction(1)] * wins + [Fraction(0)] * losses
    return list(zip(map(float, opponents), scores, strict=True))


# --- published examples


def test_rate_division_australian_example() -> None:
    """1453 wins 5 of 7 games against 1393. Expected are 3.85, so the gain is 23 points (scrabble.org.au)."""
    rounds = [((1, 400, 2, 300),)] * 5 + [((1, 300, 2, 400),)] * 2
    rated_player = rate_players(set_player_fields(play_rounds(*rounds, players=2), rating=[1453, 1393]), "aus")[0]
    assert rated_player.expected == pytest.approx(3.85)
    assert (rated_player.new, rated_player.change) == (1476, 23)


@pytest.mark.parametrize(("mean", "games_played", "won", "expected"), [
    (1379.21, 91, Fraction(151, 2), 1774.82), (1413.44, 47, Fraction(36), 1732.59),
])  # fmt: skip
def test_compute_performance_of_german_players_of_2015(
    mean: float, games_played: int, won: Fraction, expected: float
) -> None:
    """Each per cent above 50 adds 12 points to the mean rating of the opponents (wort-suchen.de, 2015)."""
    game_scores = [(mean, won / games_played)] * games_played
    assert compute_performance(SYSTEMS["deu"], game_scores) == pytest.approx(expected, abs=0.02)


def test_compute_expected_score_of_north_america() -> None:
    """The weaker player expects 1 / (1 + e^(0.0031879 d)) (scrabbleplayers.org, Rating system overview)."""
    assert SYSTEMS["naspa"].compute_expected_score(-200) == pytest.approx(
        1 / (1 + 2.718281828 ** (0.0031879 * 200)), abs=1e-6
    )


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "Lake-George-NY-NWL-Main-Event_A_2.json",
        "Montrealfest-Montreal-QC-Main-Event-CSW_A_266.json",
        "Milton-ON-CSW_A_335.json",
        "Milton-ON-WOW_C_334.json",
        "National-Scrabble-Day-2025-CSW_A_200.json",
        "New-Year-s-Albany-NY-NWL-Early-Bird_D_67.json",
        "July-4-Superstars-CSW-Scrabble-Showdown_A_333.json",
    ],
)
def test_rate_division_equals_published_ratings(name: str) -> None:
    document = json.loads((find_data_folder() / "events" / name).read_bytes())
    index = TournamentIndex(parse_published_division(document).tournament)
    ratings = {
        row.player.number: row.new
        for row in compute_division_rating_changes(index, index.divisions[0], SYSTEMS["naspa"])
    }
    assert ratings == {player["id"]: player["newr"][-1] for player in document["players"]}


@pytest.mark.data
def test_rate_division_equals_published_ratings_of_23_rounds() -> None:
    """The event is rated in two parts of 12 and 11 rounds."""
    records = tsh.read_player_lines(
        (find_data_folder() / "events" / "kingston2023_a.t").read_bytes(), "kingston2023_a.t"
    )
    index = TournamentIndex(read_published_division("kingston2023_a.t").tournament)
    rows = compute_division_rating_changes(index, index.divisions[0], SYSTEMS["naspa"])
    assert [row.new for row in rows] == [int(line.keys["newr"][-1]) for line in records]


@pytest.mark.data
def test_rate_division_is_near_the_world_list() -> None:
    """Of 60 players in 2022 one differs, because TSH adds the bonus of opponents first."""
    records = tsh.read_player_lines((find_data_folder() / "events" / "mgi2022_a.t").read_bytes(), "mgi2022_a.t")
    index = TournamentIndex(read_published_division("mgi2022_a.t").tournament)
    rows = compute_division_rating_changes(index, index.divisions[0], SYSTEMS["wespa"])
    differences = [
        abs((row.new or 0) - int(line.keys["newr"][-1])) for row, line in zip(rows, records, strict=True)
    ]
    assert sorted(differences)[-2] <= 2


# --- by hand


def test_rate_division_equals_elo_by_hand() -> None:
    """With 200 points more, the expected score is 0.76. A loss costs 15 points, a draw 5."""
    loss = set_player_fields(play_rounds(((1, 300, 2, 400),), players=2), rating=[1700, 1500])
    assert [(row.new, row.change) for row in rate_players(loss, "elo")] == [(1685, -15), (1515, 15)]
    draw = set_player_fields(play_rounds(((1, 400, 2, 400),), players=2), rating=[1700, 1500])
    assert [(row.new, row.score) for row in rate_players(draw, "elo")] == [(1695, HALF), (1505, HALF)]


def test_compute_expected_score_limits_the_difference_to_400() -> None:
    fide_system = SYSTEMS["fide"]
    assert (
        fide_system.compute_expected_score(900)
        == fide_system.compute_expected_score(400)
        == pytest.approx(0.92, abs=0.005)
    )  # table 8.1.2: 0.92


def test_find_factor_by_rating_and_earlier_games() -> None:
    naspa = SYSTEMS["naspa"]
    assert [naspa.get_k_factor(rating, None) for rating in (1799, 1800, 2000)] == [20, 16, 10]
    assert [naspa.get_k_factor(rating, 49) for rating in (1799, 1800, 2000)] == [30, 24, 15]
    assert naspa.get_k_factor(1500, 50) == 20


@pytest.mark.parametrize(
    ("rating", "points", "expected"), [(1790, 400, 1800), (1796, 400, 1805), (1804, 300, 1795)]
)
def test_rate_division_across_one_factor_limit(rating: int, points: int, expected: int) -> None:
    """Half a game gives 10 points with K 20. Beyond the limit of 1800 K is 16."""
    value = set_player_fields(play_rounds(((1, points, 2, 350),), players=2), rating=[rating, rating])
    rated_player = compute_division_rating_changes(
        TournamentIndex(value), get_division(value), replace(SYSTEMS["naspa"], bonus=None)
    )[0]
    assert rated_player.new == expected


@pytest.mark.parametrize(
    ("rating", "points", "round_count", "expected"),
    [(1796, 400, 1, 1806), (1806, 300, 1, 1796), (1806, 400, 2, 1816), (1796, 300, 2, 1756), (1806, 300, 2, 1776)],
)
def test_rate_division_across_two_factor_limits(rating: int, points: int, round_count: int, expected: int) -> None:
    """Half a game across both limits uses K 40, then 20, then 10."""
    value = set_player_fields(
        play_rounds(*[((1, points, 2, 350),)] * round_count, players=2), rating=[rating, rating]
    )
    factors = (KFactorRule(40, 1800), KFactorRule(20, 1804), KFactorRule(10))
    system = replace(SYSTEMS["naspa"], bonus=None, segments=(), factors=factors)
    assert compute_division_rating_changes(TournamentIndex(value), get_division(value), system)[0].new == expected


def test_rate_division_steep_rise_has_bonus_and_feedback() -> None:
    """One of two equal players wins both games: 20 points and a bonus of 10. The opponent gets 1/20 of it."""
    value = play_rounds(((1, 400, 2, 300),), ((1, 400, 2, 300),), players=2)
    value = set_player_fields(value, rating=[1500, 1500])
    # 20 x (2 - 1) = 20; bonus 20 - 2 x 5 = 10; the opponent 2 x 10 / 20 = 1 back
    assert [row.new for row in rate_players(value, "naspa")] == [1530, 1481]


@pytest.mark.parametrize(("per_game", "expected"), [(9.5, [1511, 1490]), (10.5, [1510, 1490])])
def test_rate_division_barely_steep_rise_has_a_bonus(per_game: float, expected: list[int]) -> None:
    """A win against an equal player gives 10 points, half a point above or below the bonus limit."""
    value = set_player_fields(play_rounds(((1, 400, 2, 300),), players=2), rating=[1500, 1500])
    system = replace(SYSTEMS["naspa"], bonus=LargeGainBonus(per_game))
    assert [
        row.new for row in compute_division_rating_changes(TournamentIndex(value), get_division(value), system)
    ] == expected


def test_rate_division_bonus_depends_on_rated_games() -> None:
    """One of two games is against a newcomer. With one rated game the bonus starts at 6, with two at 12."""
    value = play_rounds(((1, 400, 2, 300), (3, 300, 4, 300)), ((1, 400, 3, 300), (2, 300, 4, 300)))
    value = set_player_fields(value, rating=[1500, 1500, None, None])
    for newcomers, expected in ((False, 1514), (True, 1518)):
        system = replace(SYSTEMS["naspa"], bonus=LargeGainBonus(6), newcomers=newcomers)
        assert (
            compute_division_rating_changes(TournamentIndex(value), get_division(value), system)[0].new == expected
        )


def test_rate_division_rates_a_long_event_in_parts() -> None:
    """Three wins are rated in parts of two and one: 20 points, then 20 x (1 - 0.5318) = 9.4."""
    value = play_rounds(*[((1, 400, 2, 300),)] * 3, players=2)
    value = value.put(replace(value.stages[StageId("s")], rounds=3))
    value = set_player_fields(value, rating=[1500, 1500])
    one_part = replace(SYSTEMS["naspa"], bonus=None, segments=())
    rows = compute_division_rating_changes(
        TournamentIndex(value), get_division(value), replace(one_part, segments=(2,))
    )
    assert [(row.new, row.games) for row in rows] == [(1529, 3), (1471, 3)]
    for segments in ((), (3,)):
        parts = replace(one_part, segments=segments)
        assert [
            row.new for row in compute_division_rating_changes(TournamentIndex(value), get_division(value), parts)
        ] == [
            1530,
            1470,
        ]


def test_rate_division_ignores_byes_forfeits_and_open_games() -> None:
    value = play_rounds(((1, 400, 2, 300),), ((1, 400, 3, 300),), ((1, 400, 2, 300),), players=3)
    forfeited = replace(value.results[GameId("r3.g1")], first=None, second=None, forfeit=GameSide.SECOND)
    value = value.put(forfeited).drop(value.results[GameId("r2.g1")])
    assert [row.games for row in rate_players(value, "elo")] == [1, 1, 0]
    third_player = rate_players(value, "elo")[2]
    assert (third_player.performance, third_player.new, third_player.change) == (None, 1980, 0)


def test_rate_division_rates_forfeits_by_the_rules() -> None:
    lines = (("1-2 forfeit 2", "3 bye"), ("1-3 400:300", "2 absent"))
    for rates, is_counted in ((False, [1, 0, 1]), (True, [2, 1, 1])):
        rules = replace(RULES, forfeit=ForfeitRule(rated=rates))
        value = build_crosstable(lines, players=3, ratings={1: 2000, 2: 1990, 3: 1980}, rules=rules)
        assert [row.games for row in rate_players(value, "elo")] == is_counted


def test_rate_division_loss_on_time_is_a_loss() -> None:
    value = play_rounds(((1, 500, 2, 300),), players=2)
    tournament_with_expired_clock = value.put(replace(value.results[GameId("r1.g1")], lost=GameSide.FIRST))
    assert [row.score for row in rate_players(tournament_with_expired_clock, "elo")] == [0, 1]


def test_rate_division_newcomer_gets_the_performance() -> None:
    value = play_rounds(((1, 400, 2, 300),), ((2, 400, 3, 300),), ((1, 400, 3, 390),), players=3)
    value = set_player_fields(value, rating=[1500, None, 1600])
    first, newcomer, third_player = rate_players(value, "elo")
    assert (newcomer.performance, newcomer.new, newcomer.change, newcomer.expected) == (1550, 1550, None, None)
    assert (first.games, third_player.games) == (1, 1)  # only against each other
    assert [row.games for row in rate_players(value, "naspa")] == [2, 2, 2]


def test_rated_change_needs_ratings_before_and_after() -> None:
    first, second = rate_players(
        set_player_fields(play_rounds(((1, 400, 2, 300),), players=2), rating=[1500, 1600]), "elo"
    )
    assert (first.change, second.change) == (13, -13)
    assert replace(first, new=None).change is None
    assert replace(first, player=replace(first.player, rating=None)).change is None


def test_rate_division_of_unrated_players() -> None:
    value = set_player_fields(play_rounds(((1, 400, 2, 300),), players=2), rating=[None, None])
    for system in ("elo", "naspa"):
        assert [(row.games, row.performance, row.new) for row in rate_players(value, system)] == [
            (0, None, None)
        ] * 2


def test_compute_performance_by_the_rule_of_400() -> None:
    assert compute_performance(SYSTEMS["elo-400"], make_games(3, 1, (1500, 1600, 1700, 1600))) == 1800
    assert compute_performance(SYSTEMS["elo-400"], make_games(0, 2, (1500, 1600))) == 1150


def test_rate_division_after_an_earlier_round() -> None:
    value = play_rounds(((1, 400, 2, 300),), ((1, 300, 2, 400),), players=2)
    assert [row.games for row in rate_players(value, "elo", 1)] == [1, 1]


# --- what must hold


@given(st.lists(st.integers(800, 2200), min_size=1, max_size=12), st.sampled_from(sorted(SYSTEMS)))
def test_compute_performance_rises_with_each_win(opponents: list[int], system: str) -> None:
    performances = [
        compute_performance(SYSTEMS[system], make_games(wins, len(opponents) - wins, opponents))
        for wins in range(len(opponents) + 1)
    ]
    assert all(performance is not None for performance in performances)
    numbers = [performance for performance in performances if performance is not None]
    assert numbers == sorted(set(numbers))


@given(st.lists(st.integers(800, 2200), min_size=2, max_size=10), st.data(), st.sampled_from(LOGISTIC))
def test_compute_performance_has_the_expected_score(
    opponents: list[int], data: st.DataObject, system: str
) -> None:
    wins = data.draw(st.integers(1, len(opponents) - 1))
    performance = compute_performance(SYSTEMS[system], make_games(wins, len(opponents) - wins, opponents))
    assert performance is not None
    assert sum(
        SYSTEMS[system].compute_expected_score(performance - opponent) for opponent in opponents
    ) == pytest.approx(wins, abs=1e-6)


@given(
    st.lists(st.integers(900, 2100), min_size=4, max_size=4),
    st.lists(st.integers(300, 303), min_size=12, max_size=12),
    st.sampled_from(["elo", "aus", "elo-400"]),
)
def test_rate_division_equal_factors_sum_to_zero(ratings: list[int], points: list[int], system: str) -> None:
    """All changes add up to zero, except for rounding of half a point per player."""
    scores = iter(points)
    pairs = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))
    rounds = [
        tuple((first, next(scores), second, next(scores)) for first, second in round_games)
        for round_games in pairs
    ]
    rows = rate_players(set_player_fields(play_rounds(*rounds), rating=ratings), system)
    assert sum(row.expected or 0 for row in rows) == pytest.approx(6)
    assert sum(row.score for row in rows) == 6
    assert abs(sum(row.change or 0 for row in rows)) <= 2


@given(st.integers(-1500, 1500), st.sampled_from(sorted(SYSTEMS)))
def test_compute_expected_score_of_two_players_sums_to_one(difference: int, system: str) -> None:
    rating_system = SYSTEMS[system]
    assert rating_system.compute_expected_score(difference) + rating_system.compute_expected_score(
        -difference
    ) == pytest.approx(1)


# --- the data


def test_rating_systems_name_their_source() -> None:
    assert next(iter(SYSTEMS)) == "elo"
    assert {"elo", "naspa", "wespa", "deu", "nor", "aus", "fide"} <= set(SYSTEMS)
    assert all(system.source and system.name for system in SYSTEMS.values())
    assert all(
        name == system.id and (RESOURCES / "ratings" / f"{name}.toml").exists() for name, system in SYSTEMS.items()
    )


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x"},
        {"id": "x", "name": "X", "source": "s", "curve": {"kind": "round", "scale": 1.0}, "factors": [{"k": 1.0}]},
        {
            "id": "x",
            "name": "X",
            "source": "s",
            "curve": {"kind": "linear", "scale": 0},
            "factors": [{"k": 1.0}],
        },
        {"id": "x", "name": "X", "source": "s", "curve": {"kind": "linear", "scale": 9.0}, "factors": []},
    ],
)
def test_parse_rating_system_refuses_invalid_systems(change: dict[str, object]) -> None:
    with pytest.raises(InputError, match="rating-unfit"):
        parse_rating_system(change, source="x.toml")


def test_choose_rating_of_a_division() -> None:
    value = commands.choose_rating(play_rounds(players=2), division=DIVISION, rating="deu")
    assert get_division(value).rating == "deu"
    assert get_division(commands.choose_rating(value, division=DIVISION, rating="")).rating == ""


def test_select_rating_system_by_id() -> None:
    assert select_rating_system(SYSTEMS, "naspa") is SYSTEMS["naspa"]
    assert select_rating_system(SYSTEMS, "") is SYSTEMS["elo"]
    with pytest.raises(CommandError) as error:
        select_rating_system({"elo": SYSTEMS["elo"], "fide": SYSTEMS["fide"]}, "glicko")
    assert (error.value.code, dict(error.value.facts)) == (
        "no-such-rating",
        {"rating": "glicko", "known": "elo, fide"},
    )


def test_rate_division_includes_rounds_beyond_the_plan() -> None:
    value = set_player_fields(play_rounds(*[((1, 400, 2, 300),)] * 3, players=2), rating=[1500, 1500])
    (row,) = value.stages.values()
    for planned in (0, 1, 3, 9):
        assert [
            rated_player.games for rated_player in rate_players(value.put(replace(row, rounds=planned)), "elo")
        ] == [3, 3]
