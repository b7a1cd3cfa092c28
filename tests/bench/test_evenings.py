"""Benchmarks of a club's file with 43 evenings: opening, a result, a check-in, season and rating tables."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId
from tdapp.domain.ratings import select_rating_system
from tdapp.domain.season_rule import SeasonRule
from tdapp.domain.seasons import compute_season_lines
from tdapp.domain.stages import find_running_evening
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.evenings import make_member_table
from tdapp.domain.tables.seasons import make_rating_list_table
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_rating_systems
from tests.building import DIVISION, RESOURCES, make_event, pair_rounds

pytestmark = pytest.mark.bench

GAMES, MEMBERS = 4, 26


@pytest.fixture(scope="module")
def evening_count(request: pytest.FixtureRequest) -> int:
    """The evenings of a year, or only eight without --benchmark-enable."""
    return 43 if request.config.getoption("--benchmark-enable") else 8


def play_season(evening_count: int, members: int = MEMBERS) -> Tournament:
    value, draw = make_event(members, rounds=1), Random(1)
    for evening in range(evening_count):
        day = (date(2026, 1, 6) + timedelta(7 * evening)).isoformat()
        value = commands.begin_evening(value, key=f"e{evening}", division=DIVISION, date=day)
        present = draw.sample([*value.players], members * draw.choice((15, 16, 17, 18)) // MEMBERS)
        value = pair_rounds(commands.check_in(value, players=tuple(present)), times=GAMES)
    return value


@pytest.fixture(scope="module")
def club_file(tmp_path_factory: pytest.TempPathFactory, evening_count: int) -> Path:
    club_file = tmp_path_factory.mktemp("club") / "club.tdapp"
    Desk.create(club_file, play_season(evening_count)).close()
    return club_file


@pytest.fixture
def desk(club_file: Path) -> Iterator[Desk]:
    desk = Desk.open(club_file)
    yield desk
    desk.close()


def test_open_43_evenings(benchmark: BenchmarkFixture, club_file: Path, evening_count: int) -> None:
    """Target: 500 ms."""

    def open_page() -> int:
        desk = Desk.open(club_file, read_only=True)
        games = len(desk.tournament.games)
        desk.close()
        return games

    assert benchmark(open_page) > evening_count * GAMES * 7


def test_enter_a_result_after_43_evenings(benchmark: BenchmarkFixture, desk: Desk) -> None:
    """Target: 5 ms."""
    index, scores = desk.index, count(350)
    game = index.games(index.rounds(DIVISION)[-1].id)[0].id

    def enter_result() -> None:
        score = 350 + next(scores) % 100
        desk.do(partial(commands.enter_result, game=game, first=score, second=350))

    benchmark(enter_result)


def test_standings_after_a_result_in_43_evenings(benchmark: BenchmarkFixture, evening_count: int) -> None:
    value, scores = play_season(evening_count), count()
    index = TournamentIndex(value)
    game = index.games(index.rounds(DIVISION)[-1].id)[0].id

    def update_standings() -> None:
        nonlocal value, index
        value = commands.enter_result(value, game=game, first=350 + next(scores) % 100, second=340)
        index = TournamentIndex(value, index)
        compute_standings(index, value.divisions[DIVISION])

    benchmark(update_standings)


def test_check_in_a_member_after_43_evenings(benchmark: BenchmarkFixture, evening_count: int) -> None:
    value, turns = play_season(evening_count), count()
    index = TournamentIndex(value)

    def toggle_presence() -> None:
        nonlocal value, index
        value = commands.check_in(value, players=(PlayerId("p1"),), present=bool(next(turns) % 2))
        index = TournamentIndex(value, index)
        make_member_table(index, DIVISION, find_running_evening(index, DIVISION))

    benchmark(toggle_presence)


def test_season_table_of_43_evenings(benchmark: BenchmarkFixture, evening_count: int) -> None:
    """Target: 200 ms."""
    value = play_season(evening_count)
    value = commands.add_season(value, key="n", name="Year", rule=SeasonRule("own", "Own", best=20))

    def compute_row_count() -> int:
        index = TournamentIndex(value)
        return len(compute_season_lines(index, index.listed_seasons[0]))

    assert benchmark(compute_row_count) == MEMBERS


def test_season_table_after_a_result_in_43_evenings(benchmark: BenchmarkFixture, evening_count: int) -> None:
    """Target: 200 ms."""
    value, scores = play_season(evening_count), count()
    value = commands.add_season(value, key="n", name="Year", rule=SeasonRule("own", "Own", best=20))
    index = TournamentIndex(value)
    game = index.games(index.rounds(DIVISION)[-1].id)[0].id

    def update_season_table() -> None:
        nonlocal value, index
        value = commands.enter_result(value, game=game, first=350 + next(scores) % 100, second=340)
        index = TournamentIndex(value, index)
        compute_season_lines(index, index.listed_seasons[0])

    benchmark(update_season_table)


@pytest.mark.parametrize("members", [23, 60])
def test_rating_list_of_43_evenings(benchmark: BenchmarkFixture, members: int, evening_count: int) -> None:
    """Target: 200 ms."""
    value = play_season(evening_count, members)
    system = select_rating_system(read_rating_systems(RESOURCES / "ratings"), "naspa")
    value = commands.add_season(value, key="n", name="Year", rule=SeasonRule("own", "Own"))

    def compute_row_count() -> int:
        index = TournamentIndex(value)
        return len(make_rating_list_table(index, index.listed_seasons[0], system).rows)

    assert benchmark(compute_row_count) == members
