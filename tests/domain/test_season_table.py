"""Tests of the season table, also against a second short computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain.errors import InputError
from tdapp.domain.season_rule import (
    EveningResultMeasure,
    FinalQualificationRule,
    QualifyingPlacesByFieldSize,
    SeasonRule,
    SeasonTieBreak,
    SeasonTotalMethod,
    parse_season_rule,
)
from tdapp.domain.season_table import (
    QUALIFIED_BY_RATING,
    EveningResult,
    PromotionOrRelegation,
    SeasonCellState,
    SeasonEvening,
    SeasonLine,
    SeasonMember,
    compute_evening_result_value,
    compute_season_table,
    find_tie_break_against_next_line,
    list_results_needed_for_ranks,
)
from tdapp.exchange.presets import read_season_rules
from tests.building import RESOURCES

START = date(2026, 9, 1)


def make_rule(**fields: object) -> SeasonRule:
    return SeasonRule("own", "Own", **fields)  # type: ignore[arg-type]


def make_members(*names: str, category: str = "") -> dict[str, SeasonMember]:
    return {name: SeasonMember(name, name, category) for name in names}


def make_evening(
    week: int, values: Mapping[str, object], *, spread: Mapping[str, int] | None = None
) -> SeasonEvening:
    """Return an evening with the given values by player."""
    day = (START + timedelta(weeks=week)).isoformat()
    spreads = spread or {}
    results = (
        EveningResult(name, value=Fraction(str(value)), spread=spreads.get(name, 0), games=2)
        for name, value in values.items()
        if value is not None
    )
    return SeasonEvening(f"e{week}", day, "", tuple(results))


def rank_evening(week: int, names: str) -> SeasonEvening:
    """Return an evening. `names` has one letter per player, in rank order."""
    results = (EveningResult(name, rank, len(names), games=2) for rank, name in enumerate(names, 1))
    return SeasonEvening(f"e{week}", (START + timedelta(weeks=week)).isoformat(), "", tuple(results))


def get_fields(rows: Sequence[object], *names: str) -> list[object]:
    """Return the given fields of each row."""
    return list(map(attrgetter(*names), rows))


def find_line(lines: Sequence[SeasonLine], name: str) -> SeasonLine:
    return next(line for line in lines if line.key == name)


def test_compute_season_lines_breaks_ties_by_the_next_best_result() -> None:
    first, second = [20, 14, 18, None, 12, 16], [15, 15, 20, 18, 15, 10]
    evenings = [
        make_evening(week, {"a": a, "b": b}) for week, (a, b) in enumerate(zip(first, second, strict=True))
    ]
    rule = make_rule(best=4)
    lines = compute_season_table(rule, evenings, make_members("a", "b"))
    assert get_fields(lines, "key", "rank", "total") == [("a", 1, 68), ("b", 2, 68)]
    assert find_tie_break_against_next_line(rule, evenings, lines, lines[0]) is SeasonTieBreak.NEXT_BEST
    average = compute_season_table(make_rule(combine=SeasonTotalMethod.AVERAGE), evenings, make_members("a", "b"))
    assert get_fields(average, "key", "total") == [("a", 16), ("b", Fraction(31, 2))]


def test_compute_season_lines_with_too_few_evenings() -> None:
    evenings = [make_evening(week, {"a": 17, "b": 10 if week else None}) for week in range(3)]
    evenings.append(make_evening(3, {"b": 10}))
    lines = compute_season_table(make_rule(best=4), evenings, make_members("a", "b"))
    assert [*get_fields(lines[:1], "key", "rank", "total"), len(lines[0].counting_cells)] == [("a", 1, 51), 3]
    short = find_line(
        compute_season_table(make_rule(best=4, least_events=4), evenings, make_members("a", "b")), "a"
    )
    assert get_fields([short], "rank", "total", "events_short") == [(None, 51, 1)]


def test_compute_season_lines_ranks_players_with_too_few_games_last() -> None:
    evenings = [make_evening(0, {"a": 500, "b": 300}), make_evening(1, {"b": 310})]
    average = make_rule(value=EveningResultMeasure.AVERAGE, combine=SeasonTotalMethod.AVERAGE, least_games=3)
    lines = compute_season_table(average, evenings, make_members("a", "b"))
    assert [(line.key, line.rank, line.games_short) for line in lines] == [("b", 1, 0), ("a", None, 1)]


@pytest.mark.parametrize(
    ("rank", "shared", "field", "rank_text", "percent"),
    [(2, 2, 13, "23/2", "175/2"), (3, 1, 13, "11", "250/3"), (3, 1, 5, "3", "50"), (1, 1, 1, "1", "100")],
)
def test_compute_season_lines_of_ranks_and_percentages(
    rank: int, shared: int, field: int, rank_text: str, percent: str
) -> None:
    result = EveningResult("a", rank, field, shared)
    assert compute_evening_result_value(make_rule(), result) == Fraction(rank_text)
    assert compute_evening_result_value(make_rule(value=EveningResultMeasure.FIELD), result) == Fraction(percent)


def test_compute_season_lines_shares_listed_points() -> None:
    rule = make_rule(places=(Fraction(5), Fraction(3)))
    assert [compute_evening_result_value(rule, EveningResult("a", rank, 9, 2)) for rank in (1, 2, 3)] == [
        4,
        Fraction(3, 2),
        0,
    ]


@pytest.mark.parametrize(("players", "places"), [(15, 0), (16, 2), (47, 2), (48, 3)])
def test_liga_der_champions_qualifying_ranks(players: int, places: int) -> None:
    liga = read_season_rules(RESOURCES / "seasons")["liga-der-champions"]
    names = [f"p{number:02}" for number in range(players)]
    results = tuple(EveningResult(name, rank, players) for rank, name in enumerate(names, 1))
    evenings = [SeasonEvening("e", "2026-09-01", "", results)]
    lines = compute_season_table(liga, evenings, make_members(*names))
    assert sorted(line.key for line in lines if line.qualified == "e") == names[:places]


def test_liga_der_champions_ranks_by_qualifying_results() -> None:
    liga = read_season_rules(RESOURCES / "seasons")["liga-der-champions"]
    people = make_members(*"abcdefghijklmnopq")
    evenings = [rank_evening(0, "abcdefghijklmnop"), rank_evening(1, "qa"), rank_evening(2, "qabcdefghijklmno")]
    lines = compute_season_table(liga, evenings, people)
    assert get_fields(lines[:3], "key", "rank", "total") == [("a", 1, 2), ("q", 2, 1), ("b", 3, 1)]


def test_liga_der_champions_passes_on_places_and_fills_the_final() -> None:
    people = {**make_members("a", "b", "c", "d"), "d": SeasonMember("d", "d", rating=1800)}
    evenings = [rank_evening(0, "abcd"), rank_evening(1, "abcd")]
    terms = FinalQualificationRule((QualifyingPlacesByFieldSize(4, 1),), handed_down=True, fill=3)
    lines = compute_season_table(make_rule(qualification=terms), evenings, people)
    assert {line.key: line.qualified for line in lines} == {
        "a": "e0",
        "b": "e1",
        "c": "",
        "d": QUALIFIED_BY_RATING,
    }
    simple_lines = compute_season_table(
        make_rule(qualification=FinalQualificationRule(terms.places)), evenings, people
    )
    assert [line.key for line in simple_lines if line.qualified] == ["a"]


def test_compute_season_lines_drops_the_smaller_spread_first() -> None:
    evenings = [make_evening(week, {"a": 15}, spread={"a": spread}) for week, spread in enumerate((40, 20, 20))]
    (line,) = compute_season_table(make_rule(best=1), evenings, make_members("a"))
    assert [cell.state for cell in line.cells] == [
        SeasonCellState.COUNTS,
        SeasonCellState.SPREAD,
        SeasonCellState.SPREAD,
    ]
    tied_evenings = [make_evening(week, {"a": 15}) for week in range(2)]
    (line,) = compute_season_table(make_rule(best=1), tied_evenings, make_members("a"))
    assert [cell.state for cell in line.cells] == [SeasonCellState.EARLIER, SeasonCellState.COUNTS]


def test_compute_season_lines_drops_expired_results() -> None:
    evenings = [make_evening(0, {"a": 3}), make_evening(1, {"a": 4})]
    expiring = make_rule(expiry=14)
    days = [(START + timedelta(days=days)).isoformat() for days in (13, 14, 20)]
    assert [compute_season_table(expiring, evenings, make_members("a"), day)[0].total for day in days] == [7, 4, 4]


def test_compute_season_lines_needs_a_third_of_many_evenings() -> None:
    ntsv = read_season_rules(RESOURCES / "seasons")["ntsv"]
    assert [
        ntsv.compute_event_count_needed_for_rank(event_count) for event_count in (2, 9, 10, 11, 12, 13, 43)
    ] == [
        3,
        3,
        3,
        4,
        4,
        5,
        15,
    ]


def test_compute_season_lines_ranks_categories() -> None:
    people = {**make_members("a", "c", category="A"), **make_members("b", "d", category="B")}
    rule = make_rule(categories=("A", "B"), apart=True, promoted=1, relegated=1)
    lines = compute_season_table(rule, [rank_evening(0, "badc")], people)
    assert get_fields(lines, "key", "rank", "total", "shift") == [
        ("a", 1, 2, PromotionOrRelegation.NONE),
        ("c", 2, 1, PromotionOrRelegation.DOWN),
        ("b", 1, 2, PromotionOrRelegation.UP),
        ("d", 2, 1, PromotionOrRelegation.NONE),
    ]


def test_compute_season_lines_relegates_all_players_of_a_small_category() -> None:
    people = {**make_members("a", "c", category="A"), **make_members("b", "d", category="B")}
    rule = make_rule(categories=("A", "B"), apart=True, promoted=0, relegated=3)
    lines = compute_season_table(rule, [rank_evening(0, "badc")], people)
    assert [line.shift for line in lines if line.key in "ac"] == [
        PromotionOrRelegation.DOWN,
        PromotionOrRelegation.DOWN,
    ]


def test_compute_season_lines_shows_won_ranks() -> None:
    evenings = [rank_evening(0, "abc"), rank_evening(1, "cb")]
    lines = compute_season_table(make_rule(), evenings, make_members("a", "b", "c"))
    assert get_fields(lines, "key", "rank", "total", "moved") == [
        ("a", 1, 3, 0),
        ("b", 2, 3, 0),
        ("c", 2, 3, 1),
    ]
    early_lines = compute_season_table(make_rule(), evenings, make_members("a", "b", "c"), evenings[0].date)
    assert [(line.key, line.moved) for line in early_lines] == [("a", None), ("b", None), ("c", None)]


def test_compute_season_lines_breaks_ties_by_their_games() -> None:
    meetings = {"a": (("b", Fraction(0)), ("c", Fraction(1))), "b": (("a", Fraction(1)),)}
    results = tuple(EveningResult(name, value=Fraction(5), meetings=meetings[name]) for name in "ab")
    evenings = [SeasonEvening("e", "2026-09-01", "", results)]
    lines = compute_season_table(make_rule(ties=(SeasonTieBreak.HEAD_TO_HEAD,)), evenings, make_members("a", "b"))
    assert [line.key for line in lines] == ["b", "a"]


def test_list_results_needed_for_ranks_names_the_value_to_pass_a_player() -> None:
    evenings = [rank_evening(0, "abcde"), rank_evening(1, "baced")]
    tonights_evening = rank_evening(2, "bcde")
    needed_results = list_results_needed_for_ranks(
        make_rule(best=2), [*evenings, tonights_evening], make_members(*"abcde"), "c", tonights_evening
    )
    assert get_fields(needed_results, "rank", "rival.key", "value", "needed_rank") == [
        (2, "a", 6, 0),
        (1, "b", 6, 0),
    ]
    needed_results = list_results_needed_for_ranks(
        make_rule(), [*evenings, tonights_evening], make_members(*"abcde"), "d", tonights_evening
    )
    assert get_fields(needed_results, "rank", "rival.key", "value", "needed_rank") == [
        (4, "e", 1, 3),
        (3, "c", 6, 0),
        (2, "a", 6, 0),
        (1, "b", 10, 0),
    ]


def test_list_results_needed_for_ranks_is_exact() -> None:
    """A slightly lower value does not pass the other player. A slightly higher value does."""
    evenings = [make_evening(0, {"a": 20, "b": 11, "c": 4}), make_evening(1, {"a": 9, "b": 14, "c": 8})]
    tonights_evening = make_evening(2, {"a": 3, "c": 0})
    for rule in (
        make_rule(),
        make_rule(best=2),
        make_rule(combine=SeasonTotalMethod.AVERAGE),
        make_rule(combine=SeasonTotalMethod.AVERAGE, best=2),
    ):
        needed_results = list_results_needed_for_ranks(
            rule, evenings, make_members("a", "b", "c"), "c", tonights_evening
        )
        assert {needed_result.rival.key for needed_result in needed_results} == {"a", "b"}
        for needed_result in needed_results:
            for difference, passes in ((Fraction(-1, 100), False), (Fraction(1, 100), True)):
                after = make_evening(2, {"a": 3, "c": needed_result.value + difference})
                members = make_members(*"abc")
                ranks = {line.key: line.rank for line in compute_season_table(rule, [*evenings, after], members)}
                assert ((ranks["c"] or 0) < (ranks[needed_result.rival.key] or 0)) is passes


def test_season_rule_files_are_valid() -> None:
    rules = read_season_rules(RESOURCES / "seasons")
    assert {"hamburg", "tessenderlo", "ntsv", "liga-der-champions", "best", "average"} <= rules.keys()
    assert all(rule.source for rule in rules.values())


@pytest.mark.parametrize(
    "changes", [{"best": -1}, {"scale": 0}, {"value": "luck"}, {"ties": ["events", "events"]}]
)
def test_check_season_rule_refuses_impossible_rules(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        parse_season_rule({"id": "x", "name": "X", **changes}, source=str(Path("x.toml")))


def compute_expected_table(
    best_count: int, least_count: int, average: bool, evenings: list[dict[str, int]]
) -> list[tuple[object, ...]]:
    """Compute the table in a second way: best results first, then all results in descending order, then names."""
    table = []
    for name in sorted({name for evening in evenings for name in evening}):
        values = sorted((evening[name] for evening in evenings if name in evening), reverse=True)
        counting = values[: best_count or len(values)]
        total = Fraction(sum(counting), len(counting) if average else 1)
        table.append(
            (
                len(values) < least_count,
                -total,
                [*(-value for value in counting), 99],
                [*(-value for value in values[len(counting) :]), 99],
                name,
            )
        )
    rows: list[tuple[object, ...]] = []
    ranks: dict[str, int] = {}
    for is_short, total, counting, other_values, name in sorted(
        table, key=lambda row: (row[:4] if not row[0] else row[:2], row[4])
    ):
        rank = ranks.setdefault(str((total, counting, other_values)), len(rows) + 1)
        rows.append((None if is_short else rank, name, -total))
    return rows


@pytest.mark.slow
@given(
    best_count=st.integers(0, 4),
    least_count=st.integers(0, 3),
    average=st.booleans(),
    evenings=st.lists(
        st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 6), min_size=1), min_size=1, max_size=7
    ),
)
def test_compute_season_lines_equals_a_second_computation(
    best_count: int, least_count: int, average: bool, evenings: list[dict[str, int]]
) -> None:
    rule = make_rule(
        best=best_count,
        least_events=least_count,
        combine=SeasonTotalMethod.AVERAGE if average else SeasonTotalMethod.SUM,
    )
    lines = compute_season_table(
        rule, [make_evening(week, values) for week, values in enumerate(evenings)], make_members(*"abcdef")
    )
    rows = [(line.rank, line.key, line.total) for line in lines]
    assert rows == compute_expected_table(best_count, least_count, average, evenings)
