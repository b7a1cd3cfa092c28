"""The season table from plain results, checked by a second, short computation."""

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
    PlacesByFieldSize,
    Qualification,
    SeasonRule,
    SeasonTieBreak,
    SeasonTotalMethod,
    SeasonValue,
    parse_season_rule,
)
from tdapp.domain.season_table import (
    QUALIFIED_BY_RATING,
    CategoryShift,
    CellState,
    EveningResult,
    SeasonEvening,
    SeasonLine,
    SeasonMember,
    compute_result_value,
    compute_season_table,
    find_deciding_tie_break,
    list_needed_results,
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
    """An evening whose values are given."""
    day = (START + timedelta(weeks=week)).isoformat()
    spreads = spread or {}
    results = (
        EveningResult(name, value=Fraction(str(value)), spread=spreads.get(name, 0), games=2)
        for name, value in values.items()
        if value is not None
    )
    return SeasonEvening(f"e{week}", day, "", tuple(results))


def rank_evening(week: int, names: str) -> SeasonEvening:
    """An evening whose players are given in order of rank, one letter each."""
    results = (EveningResult(name, rank, len(names), games=2) for rank, name in enumerate(names, 1))
    return SeasonEvening(f"e{week}", (START + timedelta(weeks=week)).isoformat(), "", tuple(results))


def take_fields(rows: Sequence[object], *names: str) -> list[object]:
    """The fields of each row."""
    return list(map(attrgetter(*names), rows))


def find_line(lines: Sequence[SeasonLine], name: str) -> SeasonLine:
    return next(line for line in lines if line.key == name)


def test_equal_sums_of_the_best_four_are_decided_by_the_next_best_result() -> None:
    first, second = [20, 14, 18, None, 12, 16], [15, 15, 20, 18, 15, 10]
    evenings = [
        make_evening(week, {"a": a, "b": b}) for week, (a, b) in enumerate(zip(first, second, strict=True))
    ]
    best = make_rule(best=4)
    lines = compute_season_table(best, evenings, make_members("a", "b"))
    assert take_fields(lines, "key", "rank", "total") == [("a", 1, 68), ("b", 2, 68)]
    assert find_deciding_tie_break(best, evenings, lines, lines[0]) is SeasonTieBreak.NEXT_BEST
    average = compute_season_table(make_rule(combine=SeasonTotalMethod.AVERAGE), evenings, make_members("a", "b"))
    assert take_fields(average, "key", "total") == [("a", 16), ("b", Fraction(31, 2))]


def test_too_few_evenings_count_or_have_no_rank() -> None:
    evenings = [make_evening(week, {"a": 17, "b": 10 if week else None}) for week in range(3)]
    evenings.append(make_evening(3, {"b": 10}))
    lines = compute_season_table(make_rule(best=4), evenings, make_members("a", "b"))
    assert [*take_fields(lines[:1], "key", "rank", "total"), len(lines[0].counting_cells)] == [("a", 1, 51), 3]
    short = find_line(
        compute_season_table(make_rule(best=4, least_events=4), evenings, make_members("a", "b")), "a"
    )
    assert take_fields([short], "rank", "total", "events_short") == [(None, 51, 1)]


def test_players_short_of_games_rank_behind() -> None:
    evenings = [make_evening(0, {"a": 500, "b": 300}), make_evening(1, {"b": 310})]
    average = make_rule(value=SeasonValue.AVERAGE, combine=SeasonTotalMethod.AVERAGE, least_games=3)
    lines = compute_season_table(average, evenings, make_members("a", "b"))
    assert [(line.key, line.rank, line.games_short) for line in lines] == [("b", 1, 0), ("a", None, 1)]


@pytest.mark.parametrize(
    ("rank", "shared", "field", "place", "percent"),
    [(2, 2, 13, "23/2", "175/2"), (3, 1, 13, "11", "250/3"), (3, 1, 5, "3", "50"), (1, 1, 1, "1", "100")],
)
def test_places_and_percentages_of_the_field(rank: int, shared: int, field: int, place: str, percent: str) -> None:
    result = EveningResult("a", rank, field, shared)
    assert compute_result_value(make_rule(), result) == Fraction(place)
    assert compute_result_value(make_rule(value=SeasonValue.FIELD), result) == Fraction(percent)


def test_equal_players_share_listed_points() -> None:
    rule = make_rule(places=(Fraction(5), Fraction(3)))
    assert [compute_result_value(rule, EveningResult("a", rank, 9, 2)) for rank in (1, 2, 3)] == [
        4,
        Fraction(3, 2),
        0,
    ]


@pytest.mark.parametrize(("players", "places"), [(15, 0), (16, 2), (47, 2), (48, 3)])
def test_places_that_qualify_for_the_liga_der_champions(players: int, places: int) -> None:
    liga = read_season_rules(RESOURCES / "seasons")["liga-der-champions"]
    names = [f"p{number:02}" for number in range(players)]
    results = tuple(EveningResult(name, rank, players) for rank, name in enumerate(names, 1))
    evenings = [SeasonEvening("e", "2026-09-01", "", results)]
    lines = compute_season_table(liga, evenings, make_members(*names))
    assert sorted(line.key for line in lines if line.qualified == "e") == names[:places]


def test_only_qualifying_places_decide_in_the_liga_der_champions() -> None:
    liga = read_season_rules(RESOURCES / "seasons")["liga-der-champions"]
    people = make_members(*"abcdefghijklmnopq")
    evenings = [rank_evening(0, "abcdefghijklmnop"), rank_evening(1, "qa"), rank_evening(2, "qabcdefghijklmno")]
    lines = compute_season_table(liga, evenings, people)
    assert take_fields(lines[:3], "key", "rank", "total") == [("a", 1, 2), ("q", 2, 1), ("b", 3, 1)]


def test_a_place_is_handed_down_and_ratings_fill_the_final() -> None:
    people = {**make_members("a", "b", "c", "d"), "d": SeasonMember("d", "d", rating=1800)}
    evenings = [rank_evening(0, "abcd"), rank_evening(1, "abcd")]
    terms = Qualification((PlacesByFieldSize(4, 1),), handed_down=True, fill=3)
    lines = compute_season_table(make_rule(qualification=terms), evenings, people)
    assert {line.key: line.qualified for line in lines} == {
        "a": "e0",
        "b": "e1",
        "c": "",
        "d": QUALIFIED_BY_RATING,
    }
    simple_lines = compute_season_table(make_rule(qualification=Qualification(terms.places)), evenings, people)
    assert [line.key for line in simple_lines if line.qualified] == ["a"]


def test_the_smaller_spread_is_dropped_then_the_earlier_evening() -> None:
    evenings = [make_evening(week, {"a": 15}, spread={"a": spread}) for week, spread in enumerate((40, 20, 20))]
    (line,) = compute_season_table(make_rule(best=1), evenings, make_members("a"))
    assert [cell.state for cell in line.cells] == [CellState.COUNTS, CellState.SPREAD, CellState.SPREAD]
    level = [make_evening(week, {"a": 15}) for week in range(2)]
    (line,) = compute_season_table(make_rule(best=1), level, make_members("a"))
    assert [cell.state for cell in line.cells] == [CellState.EARLIER, CellState.COUNTS]


def test_a_result_expires_after_its_days() -> None:
    evenings = [make_evening(0, {"a": 3}), make_evening(1, {"a": 4})]
    expiring = make_rule(expiry=14)
    days = [(START + timedelta(days=days)).isoformat() for days in (13, 14, 20)]
    assert [compute_season_table(expiring, evenings, make_members("a"), day)[0].total for day in days] == [7, 4, 4]


def test_a_third_of_many_evenings_is_needed() -> None:
    ntsv = read_season_rules(RESOURCES / "seasons")["ntsv"]
    assert [ntsv.compute_least_event_count(event_count) for event_count in (2, 9, 10, 11, 12, 13, 43)] == [
        3,
        3,
        3,
        4,
        4,
        5,
        15,
    ]


def test_categories_have_their_own_places_and_change_players() -> None:
    people = {**make_members("a", "c", category="A"), **make_members("b", "d", category="B")}
    rule = make_rule(categories=("A", "B"), apart=True, promoted=1, relegated=1)
    lines = compute_season_table(rule, [rank_evening(0, "badc")], people)
    assert take_fields(lines, "key", "rank", "total", "shift") == [
        ("a", 1, 2, CategoryShift.NONE),
        ("c", 2, 1, CategoryShift.DOWN),
        ("b", 1, 2, CategoryShift.UP),
        ("d", 2, 1, CategoryShift.NONE),
    ]


def test_ranks_won_since_the_last_evening_and_on_any_date() -> None:
    evenings = [rank_evening(0, "abc"), rank_evening(1, "cb")]
    lines = compute_season_table(make_rule(), evenings, make_members("a", "b", "c"))
    assert take_fields(lines, "key", "rank", "total", "moved") == [
        ("a", 1, 3, 0),
        ("b", 2, 3, 0),
        ("c", 2, 3, 1),
    ]
    early = compute_season_table(make_rule(), evenings, make_members("a", "b", "c"), evenings[0].date)
    assert [(line.key, line.moved) for line in early] == [("a", None), ("b", None), ("c", None)]


def test_games_between_equal_players_decide() -> None:
    meetings = {"a": (("b", Fraction(0)), ("c", Fraction(1))), "b": (("a", Fraction(1)),)}
    results = tuple(EveningResult(name, value=Fraction(5), meetings=meetings[name]) for name in "ab")
    evenings = [SeasonEvening("e", "2026-09-01", "", results)]
    lines = compute_season_table(make_rule(ties=(SeasonTieBreak.HEAD_TO_HEAD,)), evenings, make_members("a", "b"))
    assert [line.key for line in lines] == ["b", "a"]


def test_the_value_that_passes_another_player() -> None:
    evenings = [rank_evening(0, "abcde"), rank_evening(1, "baced")]
    tonight = rank_evening(2, "bcde")
    needed_results = list_needed_results(
        make_rule(best=2), [*evenings, tonight], make_members(*"abcde"), "c", tonight
    )
    assert take_fields(needed_results, "rank", "rival.key", "value", "needed_rank") == [
        (2, "a", 6, 0),
        (1, "b", 6, 0),
    ]
    needed_results = list_needed_results(make_rule(), [*evenings, tonight], make_members(*"abcde"), "d", tonight)
    assert take_fields(needed_results, "rank", "rival.key", "value", "needed_rank") == [
        (4, "e", 1, 3),
        (3, "c", 6, 0),
        (2, "a", 6, 0),
        (1, "b", 10, 0),
    ]


def test_the_needed_value_is_exact() -> None:
    """A little less does not pass the other player, and a little more does."""
    evenings = [make_evening(0, {"a": 20, "b": 11, "c": 4}), make_evening(1, {"a": 9, "b": 14, "c": 8})]
    tonight = make_evening(2, {"a": 3, "c": 0})
    for rule in (
        make_rule(),
        make_rule(best=2),
        make_rule(combine=SeasonTotalMethod.AVERAGE),
        make_rule(combine=SeasonTotalMethod.AVERAGE, best=2),
    ):
        needed_results = list_needed_results(rule, evenings, make_members("a", "b", "c"), "c", tonight)
        assert {needed_result.rival.key for needed_result in needed_results} == {"a", "b"}
        for needed_result in needed_results:
            for difference, passes in ((Fraction(-1, 100), False), (Fraction(1, 100), True)):
                after = make_evening(2, {"a": 3, "c": needed_result.value + difference})
                members = make_members(*"abc")
                ranks = {line.key: line.rank for line in compute_season_table(rule, [*evenings, after], members)}
                assert ((ranks["c"] or 0) < (ranks[needed_result.rival.key] or 0)) is passes


def test_all_shipped_rules_can_be_read() -> None:
    rules = read_season_rules(RESOURCES / "seasons")
    assert {"hamburg", "tessenderlo", "ntsv", "liga-der-champions", "best", "average"} <= rules.keys()
    assert all(rule.source for rule in rules.values())


@pytest.mark.parametrize(
    "changed", [{"best": -1}, {"scale": 0}, {"value": "luck"}, {"ties": ["events", "events"]}]
)
def test_impossible_rules_are_refused(changed: dict[str, object]) -> None:
    with pytest.raises(InputError):
        parse_season_rule({"id": "x", "name": "X", **changed}, source=str(Path("x.toml")))


def compute_again(
    best: int, least: int, average: bool, evenings: list[dict[str, int]]
) -> list[tuple[object, ...]]:
    """Compute the same table: best n, then all results in descending order, then name."""
    table = []
    for name in sorted({name for evening in evenings for name in evening}):
        values = sorted((evening[name] for evening in evenings if name in evening), reverse=True)
        counting = values[: best or len(values)]
        total = Fraction(sum(counting), len(counting) if average else 1)
        table.append(
            (
                len(values) < least,
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
    best=st.integers(0, 4),
    least=st.integers(0, 3),
    average=st.booleans(),
    evenings=st.lists(
        st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 6), min_size=1), min_size=1, max_size=7
    ),
)
def test_a_second_program_computes_the_same_table(
    best: int, least: int, average: bool, evenings: list[dict[str, int]]
) -> None:
    rule = make_rule(
        best=best, least_events=least, combine=SeasonTotalMethod.AVERAGE if average else SeasonTotalMethod.SUM
    )
    lines = compute_season_table(
        rule, [make_evening(week, values) for week, values in enumerate(evenings)], make_members(*"abcdef")
    )
    rows = [(line.rank, line.key, line.total) for line in lines]
    assert rows == compute_again(best, least, average, evenings)
