"""Tests of seasons over the evenings of a file."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from operator import attrgetter

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import EarlierResultEntry
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    DivisionId,
    Game,
    GameId,
    PlayerId,
    Round,
    RoundId,
    RoundState,
    SeasonId,
    Stage,
    StageId,
)
from tdapp.domain.ruleset import UnplayedRoundPointsRule, UnplayedRoundPointsSource
from tdapp.domain.season_rule import SeasonRule, SeasonTieBreak
from tdapp.domain.season_table import SeasonLine
from tdapp.domain.seasons import compute_season_lines, list_season_evenings
from tdapp.domain.tables.seasons import make_season_table
from tdapp.domain.tournament import Tournament, compute_diff
from tdapp.exchange import tournament_json
from tdapp.exchange.presets import read_season_rules
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import assess_correction_effects, make_game_correction, needs_effect_preview
from tests.building import DIVISION, RESOURCES, get_last_round, make_desk, make_event, pair_rounds
from tests.clubs import enter_points, make_club

SEASON = SeasonId("season")
RULES = read_season_rules(RESOURCES / "seasons")
Meeting = tuple[int, int, int, int]  # two players by number, and their points


def make_season_club(names: str = "ABCDE", rule: SeasonRule | None = None, **fields: str) -> Tournament:
    """Return a club with members A, B, ... and a season."""
    value = make_event(len(names), rounds=1)
    for player, name in zip(value.players, names, strict=True):
        value = commands.edit_player(value, player=player, name=name)
    value = value.drop(*value.stages.values())
    division = None if fields.pop("everywhere", "") else DIVISION
    season_rule = rule or SeasonRule("own", "Own")
    return commands.add_season(value, key=SEASON, name="Autumn", rule=season_rule, division=division, **fields)


def add_evening(
    value: Tournament, date: str, *rounds: list[Meeting], byes: dict[int, int] | None = None
) -> Tournament:
    """Add an evening with its results. `byes` are the points of players with byes."""
    number = len(value.rounds)
    stage = Stage(
        StageId(f"e{date}"),
        DIVISION,
        len(value.stages) + 1,
        "random",
        len(rounds),
        carry=False,
        date=date,
        evening=True,
    )
    value = value.put(stage)
    for round_index, meetings in enumerate(rounds, 1):
        item = Round(RoundId(f"{date}.{round_index}"), stage.id, number + round_index, RoundState.PUBLISHED)
        value = value.put(item)
        for table, (first_number, second_number, first, second) in enumerate(meetings, 1):
            key = GameId(f"{item.id}.{table}")
            value = value.put(
                Game(key, item.id, table, PlayerId(f"p{first_number}"), PlayerId(f"p{second_number}"))
            )
            value = commands.enter_result(value, game=key, first=first, second=second)
        if byes:
            award = UnplayedRoundPointsRule(UnplayedRoundPointsSource.STAGE)
            value = value.put(
                Bye(ByeId(f"{item.id}b"), item.id, PlayerId(f"p{byes[round_index]}"), ByeKind.BYE, award=award)
            )
    return value


def list_lines(value: Tournament, date: str = "") -> tuple[SeasonLine, ...]:
    index = TournamentIndex(value)
    return compute_season_lines(index, index.listed_seasons[0], date)


def get_fields(rows: Sequence[object], *names: str) -> list[object]:
    return list(map(attrgetter(*names), rows))


def list_totals(value: Tournament, date: str = "") -> list[tuple[str, int | None, Fraction | int]]:
    return [(line.member.name, line.rank, line.total) for line in list_lines(value, date)]


def add_points_evening(value: Tournament, date: str, **points: tuple[int, int]) -> Tournament:
    """Add an evening: A, B and C have two games, D and E have one."""
    (a, first_pair), (b, second_pair), (c, third_pair) = (points[name] for name in "ABC")
    return add_evening(
        value, date, [(1, 2, a, b), (3, 4, c, 300)], [(1, 3, first_pair, third_pair), (2, 5, second_pair, 200)]
    )


def make_autumn() -> Tournament:
    """Return a club after three evenings: A has 13 points, B 12, C 11."""
    value = commands.set_order(make_season_club(), division=DIVISION, order=("points",))
    value = add_points_evening(value, "2026-09-01", A=(450, 450), B=(390, 390), C=(350, 350))
    value = add_points_evening(value, "2026-09-08", A=(450, 450), B=(390, 390), C=(388, 390))
    return add_points_evening(value, "2026-09-15", A=(350, 350), B=(390, 390), C=(450, 450))


def test_compute_season_lines_follows_a_correction_and_its_undo() -> None:
    open_desk = make_desk(make_autumn())
    assert list_totals(open_desk.tournament)[:3] == [("A", 1, 13), ("B", 2, 12), ("C", 3, 11)]
    game = next(result for result in open_desk.tournament.results.values() if result.first == 388)
    open_desk.do(partial(commands.enter_result, game=game.id, first=400, second=300))
    assert list_totals(open_desk.tournament)[:3] == [("A", 1, 13), ("C", 2, 12), ("B", 3, 11)]
    open_desk.undo()
    assert list_totals(open_desk.tournament)[:3] == [("A", 1, 13), ("B", 2, 12), ("C", 3, 11)]


def test_assess_impact_shows_changed_season_ranks() -> None:
    value, catalogue = make_autumn(), Catalogue("en", RESOURCES / "locale")
    game = next(result for result in value.results.values() if result.first == 388)
    correct = partial(commands.enter_result, game=game.id, first=400, second=300)
    correction = make_game_correction(TournamentIndex(value), game.id, correct, "")
    assert needs_effect_preview(correction, value)
    effects = assess_correction_effects(correction, TournamentIndex(value), catalogue)
    assert "New ranks in Autumn: C: 2 instead of 3 · B: 3 instead of 2" in effects.changes
    unchanged = partial(commands.enter_result, game=game.id, first=389, second=300)
    effects = assess_correction_effects(
        make_game_correction(TournamentIndex(value), game.id, unchanged, ""), TournamentIndex(value), catalogue
    )
    assert not any("Autumn" in line for line in effects.changes)


def test_compute_season_lines_ignores_evenings_outside_the_season() -> None:
    value = commands.edit_season(make_autumn(), season=SEASON, since="2026-09-02", until="2026-09-14")
    (evening,) = list_season_evenings(TournamentIndex(value), TournamentIndex(value).listed_seasons[0])
    assert evening.date == "2026-09-08"
    assert len(list_lines(make_autumn(), "2026-09-08")[0].cells) == 2


def test_list_season_evenings_omits_absent_members() -> None:
    value = make_autumn()
    assert {line.member.name: line.unexpired_result_count for line in list_lines(value)} == {
        "A": 3,
        "B": 3,
        "C": 3,
        "D": 3,
        "E": 3,
    }
    next_evening = add_evening(value, "2026-09-22", [(1, 2, 400, 390)])
    assert {line.member.name: line.unexpired_result_count for line in list_lines(next_evening)} == {
        "A": 4,
        "B": 4,
        "C": 3,
        "D": 3,
        "E": 3,
    }
    evening = list_season_evenings(TournamentIndex(next_evening), TournamentIndex(next_evening).listed_seasons[0])[
        -1
    ]
    assert [(result.player, result.rank, result.field) for result in evening.results] == [
        ("p1", 1, 2),
        ("p2", 2, 2),
    ]


def test_compute_season_lines_of_the_london_rules() -> None:
    value = add_evening(
        make_season_club("ABC", RULES["london"]),
        "2026-09-01",
        [(1, 2, 420, 380)],
        [(1, 3, 400, 350)],
        [(2, 3, 390, 360)],
        byes={1: 3, 2: 2, 3: 1},
    )
    lines = list_lines(value)
    assert get_fields(lines, "member.name", "total", "points_per_game") == [
        ("A", 12, 410),
        ("B", 8, 385),
        ("C", 4, 355),
    ]


def test_compute_season_lines_average_ignores_byes_without_points() -> None:
    value = add_evening(
        make_season_club("ABC", RULES["average"]), "2026-09-01", [(1, 2, 420, 380)], [(1, 3, 400, 350)]
    )
    value = value.put(Bye(ByeId("b"), RoundId("2026-09-01.1"), PlayerId("p3"), ByeKind.BYE))
    lines, index = list_lines(value), TournamentIndex(value)
    rows = get_fields(lines, "member.name", "points_per_game", "unexpired_game_count")
    assert sorted(map(str, rows)) == [
        "('A', Fraction(410, 1), 2)",
        "('B', Fraction(380, 1), 1)",
        "('C', Fraction(350, 1), 2)",
    ]
    table = make_season_table(index, index.listed_seasons[0], lines)
    (game_column,) = (column for column in table.columns if column.id == "games")
    assert {line.member.name: game_column.value(line) for line in table.rows} == {"A": 2, "B": 1, "C": 1}


def test_merge_players_keeps_season_results_of_both_names() -> None:
    value = make_season_club("ABCDE")
    value = add_evening(value, "2026-09-01", [(1, 2, 420, 300)])
    value = add_evening(value, "2026-09-08", [(3, 2, 420, 300)])
    value = add_evening(value, "2026-09-15", [(1, 2, 420, 300)])
    merged_tournament = commands.merge_players(value, player=PlayerId("p1"), other=PlayerId("p3"))
    merged_lines = get_fields(list_lines(merged_tournament), "member.name", "total", "unexpired_result_count")
    assert merged_lines[0] == ("A", 6, 3)
    same_evening = add_evening(value, "2026-09-22", [(1, 3, 400, 390)])
    with pytest.raises(CommandError, match="merge-both-sat"):
        commands.merge_players(same_evening, player=PlayerId("p1"), other=PlayerId("p3"))


def test_import_earlier_results_precedes_the_evenings() -> None:
    entries = tuple(
        EarlierResultEntry(*fields)
        for fields in (("a", "2026-06-02", Fraction(7)), ("C", "2026-06-02", Fraction(9)))
    )
    value = commands.import_earlier_results(make_autumn(), key="k", season=SEASON, entries=entries)
    first, second = list_totals(make_autumn()), {name: total for name, _, total in list_totals(value)}
    assert second == {**{name: total for name, _, total in first}, "A": second["A"], "C": second["C"]}
    assert second["A"] - {name: total for name, _, total in first}["A"] == 7
    imported_again = commands.import_earlier_results(value, key="k2", season=SEASON, entries=entries)
    assert imported_again.earlier == value.earlier
    assert not commands.remove_earlier_results(value, season=SEASON).earlier
    assert not commands.remove_season(value, season=SEASON).earlier


def test_merge_players_refuses_earlier_results_of_one_date() -> None:
    entries = tuple(EarlierResultEntry(name, "2026-06-02", Fraction(7)) for name in "AB")
    value = commands.import_earlier_results(make_season_club(), key="k", season=SEASON, entries=entries)
    with pytest.raises(CommandError, match="merge-both-earlier"):
        commands.merge_players(value, player=PlayerId("p1"), other=PlayerId("p2"))
    merged_tournament = commands.merge_players(value, player=PlayerId("p3"), other=PlayerId("p2"))
    assert list_totals(merged_tournament) == [("A", 1, 7), ("C", 1, 7)]


def test_import_earlier_results_refuses_or_adds_unknown_names() -> None:
    entries = tuple(
        EarlierResultEntry(name, date, Fraction(7), line=line)
        for name, line in (("New, Nora", 4), ("Other, Olaf", 6))
        for date in ("2026-06-02", "2026-06-09")
    )
    with pytest.raises(CommandError, match="earlier-unknown") as error:
        commands.import_earlier_results(make_season_club(), key="k", season=SEASON, entries=entries)
    assert error.value.facts["players"] == ("New, Nora (4)", "Other, Olaf (6)")
    value = commands.import_earlier_results(make_season_club(), key="k", season=SEASON, entries=entries, add=True)
    assert list_totals(value) == [("New, Nora", 1, 14), ("Other, Olaf", 1, 14)]


def test_add_season_accepts_dates_with_the_day_first() -> None:
    (season,) = make_season_club(since="1-9-2026", until=" 31.12.2026").seasons.values()
    assert (season.since, season.until) == ("2026-09-01", "2026-12-31")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"since": "2026-9-1"}, "date-unreadable"),
        ({"until": "31.9.2026"}, "date-impossible"),
        ({"since": "2026-09-02", "until": "2026-09-01"}, "season-ends-early"),
        ({"name": " "}, "text-missing"),
        ({"rule": SeasonRule("x", "X", best=-1)}, "season-rule-unfit"),
        ({"division": DivisionId("none")}, "no-such-division"),
    ],
)
def test_add_season_refuses_impossible_fields(fields: dict[str, object], code: str) -> None:
    with pytest.raises(CommandError, match=code):
        commands.edit_season(make_season_club(), season=SEASON, **fields)  # type: ignore[arg-type]


def test_season_over_all_divisions_joins_equal_names() -> None:
    value = commands.edit_season(make_autumn(), season=SEASON, division=None)
    value = commands.add_division(value, key="b", code="B")
    value = commands.add_player(value, key="q", division=DivisionId("b"), name="A")
    assert [line.key for line in list_lines(value)] == [line.key for line in list_lines(make_autumn())]


def test_tournament_json_keeps_seasons() -> None:
    entries = (EarlierResultEntry("A", "2026-06-02", Fraction(15, 2)),)
    value = commands.import_earlier_results(make_autumn(), key="k", season=SEASON, entries=entries)
    value = commands.edit_season(value, season=SEASON, rule=RULES["liga-der-champions"])
    round_trip = tournament_json.read_tournament(tournament_json.encode_tournament(value))
    assert not compute_diff(replace(value, secret=""), replace(round_trip, secret=""))


def test_map_season_meetings_counts_tables_of_three() -> None:
    """Each pair of players counts as a game. A departed player loses."""
    value = make_club(4)
    value = commands.add_season(value, key=SEASON, name="Autumn", division=DIVISION, rule=SeasonRule("own", "Own"))
    value = commands.begin_evening(value, key="e1", division=DIVISION, date="2026-09-01")
    value = commands.check_in(value, players=tuple(PlayerId(f"p{number}") for number in (1, 2, 3)), present=True)
    value = pair_rounds(value, results=False)
    value = enter_points(value, {"p1": 200, "p2": 240, "p3": 200})
    (evening,) = list_season_evenings(TournamentIndex(value), value.seasons[SEASON])

    meetings = {result.player: dict(result.meetings) for result in evening.results}
    assert meetings == {
        "p1": {"p2": 0, "p3": Fraction(1, 2)},
        "p2": {"p1": 1, "p3": 1},
        "p3": {"p1": Fraction(1, 2), "p2": 0},
    }
    item = get_last_round(value).id
    value = commands.enter_seats(value, round=item, table=1, points=(200, 240, 210), left=(PlayerId("p2"),))
    (evening,) = list_season_evenings(TournamentIndex(value), value.seasons[SEASON])
    assert {result.player: dict(result.meetings) for result in evening.results}["p2"] == {"p1": 0, "p3": 0}


def test_compute_season_lines_breaks_ties_by_a_table_of_three() -> None:
    rule = SeasonRule(
        "own", "Own", places=(Fraction(1), Fraction(1), Fraction(1)), ties=(SeasonTieBreak.HEAD_TO_HEAD,)
    )
    value = make_club(3)
    value = commands.add_season(value, key=SEASON, name="Autumn", division=DIVISION, rule=rule)
    value = commands.begin_evening(value, key="e1", division=DIVISION, date="2026-09-01")
    value = commands.check_in(value, players=tuple(value.players), present=True)
    value = enter_points(pair_rounds(value, results=False), {"p1": 200, "p2": 240, "p3": 220})

    lines = compute_season_lines(TournamentIndex(value), value.seasons[SEASON])
    assert {line.total for line in lines} == {Fraction(1)}
    assert [line.key for line in lines] == ["p2", "p3", "p1"]


@pytest.mark.parametrize("is_duel_entered", [False, True])
def test_list_season_evenings_ranks_only_players_with_results(*, is_duel_entered: bool) -> None:
    value = make_club(5)
    value = value.put(replace(value.divisions[DIVISION], order=("wins", "spread")))
    value = commands.add_season(value, key=SEASON, name="Autumn", division=DIVISION, rule=SeasonRule("own", "Own"))
    value = commands.begin_evening(value, key="e1", division=DIVISION, date="2026-09-01")
    value = pair_rounds(commands.check_in(value, players=tuple(value.players), present=True), results=False)
    item = get_last_round(value).id
    (seats,) = TournamentIndex(value).list_seats_by_table(item)
    value = commands.enter_seats(value, round=item, table=seats[0].table, points=(240, 210, 188))
    if is_duel_entered:
        (game,) = TournamentIndex(value).games(item)
        value = commands.enter_result(value, game=game.id, first=100, second=90)

    (evening,) = list_season_evenings(TournamentIndex(value), value.seasons[SEASON])
    field = len(evening.results)
    assert sorted(result.rank for result in evening.results) == [*range(1, field + 1)]
    assert {result.field for result in evening.results} == {field}
    assert [total for _, _, total in list_totals(value)] == [*range(field, 0, -1)]
