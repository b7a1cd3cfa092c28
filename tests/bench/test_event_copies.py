"""Benchmarks of a federation's file with 40 copied events of 100 players: opening, and the season table."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.event_copies import CopiedPlayer, EventToCopy
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedGame, SeasonId
from tdapp.domain.persons import find_same_person_questions
from tdapp.domain.ruleset import Outcome
from tdapp.domain.season_rule import SeasonRule, SeasonTieBreak
from tdapp.domain.seasons import compute_season_lines
from tdapp.domain.tournament import Tournament
from tests.building import DIVISION, make_event

pytestmark = pytest.mark.bench

EVENTS, FIELD, PERSONS, ROUNDS = 40, 100, 600, 7
_LETTERS = "abcdefghijklmnoprstuvwyz"


def make_names(draw: Random) -> list[str]:
    def make_word(length: int) -> str:
        return "".join(draw.choice(_LETTERS) for _ in range(length)).title()

    first_names = [make_word(draw.randint(3, 7)) for _ in range(60)]
    return [f"{make_word(draw.randint(4, 10))}, {draw.choice(first_names)}" for _ in range(PERSONS)]


def make_events() -> tuple[EventToCopy, ...]:
    draw = Random(1)
    names = make_names(draw)
    events = []
    for index in range(EVENTS):
        day = (date(2026, 1, 10) + timedelta(7 * index)).isoformat()
        field = draw.sample(names, FIELD)
        entries = tuple(
            CopiedPlayer(
                rank, name, rank, ROUNDS, 2800 - rank, 300 - 6 * rank, Fraction(ROUNDS * (FIELD - rank), FIELD)
            )
            for rank, name in enumerate(field, 1)
        )
        games = tuple(
            CopiedGame(number, 2 * pair + 1, 2 * pair + 2, 400, 390, Outcome.WIN)
            for number in range(1, ROUNDS + 1)
            for pair in range(FIELD // 2)
        )
        events.append(EventToCopy(f"Event {index}", day, f"event{index}.tdapp", str(index), entries, games))
    return tuple(events)


@pytest.fixture(scope="module")
def federation_season() -> Tournament:
    rule = SeasonRule("own", "Own", best=8, ties=tuple(SeasonTieBreak))
    value = commands.add_season(make_event(0), key="season", name="Cup", rule=rule, division=DIVISION)
    return commands.add_copied_events(value, key="k", season=SeasonId("season"), events=make_events())


def test_open_40_copied_events(benchmark: BenchmarkFixture, federation_season: Tournament, tmp_path: Path) -> None:
    """Target: 500 ms."""
    path = tmp_path / "cup.tdapp"
    Desk.create(path, federation_season).close()

    def open_file() -> int:
        desk = Desk.open(path, read_only=True)
        results = len(desk.tournament.copied_results)
        desk.close()
        return results

    assert benchmark(open_file) == EVENTS * FIELD


def test_season_table_of_40_copied_events(benchmark: BenchmarkFixture, federation_season: Tournament) -> None:
    """Target: 200 ms."""

    def compute_row_count() -> int:
        index = TournamentIndex(federation_season)
        return len(compute_season_lines(index, index.listed_seasons[0]))

    assert benchmark(compute_row_count) <= PERSONS


def test_questions_about_persons_of_40_copied_events(
    benchmark: BenchmarkFixture, federation_season: Tournament
) -> None:
    """Target: 100 ms."""
    benchmark(lambda: find_same_person_questions(TournamentIndex(federation_season)))


def test_add_40_copied_events(benchmark: BenchmarkFixture, federation_season: Tournament) -> None:
    """Target: 2 s."""
    value, events = commands.remove_season(federation_season, season=SeasonId("season")), make_events()
    value = commands.add_season(value, key="n", name="Cup", rule=SeasonRule("own", "Own"), division=DIVISION)
    add = commands.add_copied_events
    added_copy = benchmark(lambda: add(value, key="again", season=SeasonId("n"), events=events))
    assert len(added_copy.copied_events) == EVENTS
