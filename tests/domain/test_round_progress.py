"""Tests of the progress of a round, computed from the journal."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.featured_game import TypedTurn, enter_game_end, enter_turn
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import DivisionId, Game
from tdapp.domain.sheet_draft import SheetEnd
from tdapp.domain.tables.round_progress import RoundProgress, compute_round_progress
from tdapp.domain.tournament import Tournament
from tdapp.exchange.presets import read_tileset
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import GameEnding, Turn, TurnKind
from tdapp.storage import Store
from tests.building import DIVISION, RESOURCES, get_last_round, make_event, pair_next

B = DivisionId("b")
NO_PLAN: Mapping[int, int] = {}
NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


class TimedDesk:
    """A desk with eight tables and a test clock. Minutes count from nine o'clock."""

    def __init__(self, tournament: Tournament | None = None) -> None:
        self.minute = 0
        self.desk = Desk(
            Store.create_in_memory(tournament or make_event(16)),
            clock=lambda: self.get_time(self.minute).isoformat(),
        )

    def get_time(self, minute: int) -> datetime:
        return NINE + timedelta(minutes=minute)

    def pair_round(self, minute: int) -> None:
        self.minute = minute
        pair_next(self.desk)

    def find_game(self, table: int) -> Game:
        return self.desk.index.get_game(get_last_round(self.desk.tournament).id, table)

    def enter_results(self, minutes_by_table: dict[int, int]) -> None:
        """Enter a result of each table at a minute."""
        for table, self.minute in minutes_by_table.items():
            command = partial(commands.enter_result, game=self.find_game(table).id, first=400, second=390)
            self.desk.do(command, label="enter-result")

    def compute_progress(
        self,
        minute: int,
        clock_minute: int | None = None,
        number: int | None = None,
        planned_minutes: Mapping[int, int] = NO_PLAN,
    ) -> RoundProgress:
        item = self.desk.index.get_round(DIVISION, number) if number else get_last_round(self.desk.tournament)
        start = None if clock_minute is None else self.get_time(clock_minute)
        plan = {planned_round: self.get_time(planned) for planned_round, planned in planned_minutes.items()}
        progress = compute_round_progress(
            self.desk.index,
            item,
            self.desk.list_all_steps(),
            now=self.get_time(minute),
            clock_start=start,
            planned_starts=plan,
        )
        assert progress is not None
        return progress


@pytest.fixture
def timed_desk() -> TimedDesk:
    timed_desk = TimedDesk()
    timed_desk.pair_round(0)
    return timed_desk


def play_steady_round(timed_desk: TimedDesk, start: int) -> None:
    """Play a round with a result every five minutes, from minute 40 to 75."""
    timed_desk.enter_results({table: start + 35 + 5 * table for table in range(1, 9)})


def test_compute_round_progress_before_the_first_result(timed_desk: TimedDesk) -> None:
    progress = timed_desk.compute_progress(1)
    minutes = timed_desk.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    assert progress == RoundProgress(8, 0, None, (), timed_desk.get_time(2 * minutes + 10))
    assert timed_desk.compute_progress(1, clock_minute=6).end == timed_desk.get_time(2 * minutes + 16), (
        "the estimate ignores the later start of the round clock"
    )
    assert timed_desk.compute_progress(1, clock_minute=-50).end == progress.end, (
        "the estimate uses the clock of the previous round"
    )


def test_compute_round_progress_expects_no_end_before_half_the_clock(timed_desk: TimedDesk) -> None:
    minutes = timed_desk.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    timed_desk.enter_results(dict.fromkeys(range(1, 9), 1))
    timed_desk.pair_round(2)
    assert timed_desk.compute_progress(3).end == timed_desk.get_time(2 + minutes + 5)


def test_compute_round_progress_counts_from_the_planned_start(timed_desk: TimedDesk) -> None:
    minutes = timed_desk.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    length = 2 * minutes + 10
    planned = {1: 60, 2: 160}
    assert timed_desk.compute_progress(5, planned_minutes=planned).end == timed_desk.get_time(60 + length)
    assert timed_desk.compute_progress(5, planned_minutes={1: -30}).end == timed_desk.get_time(length)
    assert timed_desk.compute_progress(5, planned_minutes={1: 7 * 24 * 60}).end == timed_desk.get_time(length), (
        "the estimate uses a plan for another week"
    )
    assert timed_desk.compute_progress(55, 50, planned_minutes=planned).end == timed_desk.get_time(50 + length), (
        "the clock started before the planned time"
    )
    assert timed_desk.compute_progress(60 + length, planned_minutes=planned).slow == ()
    play_steady_round(timed_desk, 60)
    timed_desk.pair_round(140)
    assert timed_desk.compute_progress(141, planned_minutes=planned).end == timed_desk.get_time(160 + 75), (
        "the time between publication and start counts as playing time"
    )
    timed_desk.enter_results({1: 150})
    assert timed_desk.compute_progress(151, planned_minutes=planned).end == timed_desk.get_time(150 + 35), (
        "round 2 began before its planned start"
    )


def test_compute_round_progress_without_clocks() -> None:
    value = make_event(16)
    rules = next(iter(value.rules.values()))
    ruleset = replace(rules.ruleset, clock=replace(rules.ruleset.clock, minutes=None))
    timed_desk = TimedDesk(value.put(replace(rules, ruleset=ruleset)))
    timed_desk.pair_round(0)
    assert timed_desk.compute_progress(500) == RoundProgress(8, 0, None, (), None)


def test_compute_round_progress_newest_result_not_its_correction(timed_desk: TimedDesk) -> None:
    timed_desk.enter_results({3: 31, 5: 40})
    first, second = timed_desk.find_game(3), timed_desk.find_game(5)
    timed_desk.minute = 55
    timed_desk.desk.do(partial(commands.enter_result, game=first.id, first=300, second=200))
    assert (timed_desk.compute_progress(60).done, timed_desk.compute_progress(60).last) == (
        2,
        timed_desk.get_time(40),
    )
    timed_desk.desk.do(partial(commands.clear_result, game=second.id))
    assert (timed_desk.compute_progress(60).done, timed_desk.compute_progress(60).last) == (
        1,
        timed_desk.get_time(31),
    )
    timed_desk.desk.undo()
    timed_desk.desk.undo()
    assert timed_desk.compute_progress(60).last == timed_desk.get_time(40)


def test_compute_round_progress_of_a_featured_game(timed_desk: TimedDesk) -> None:
    timed_desk.enter_results({3: 31})
    game, tiles = timed_desk.find_game(5), read_tileset(RESOURCES / "tilesets" / "nl.toml")
    timed_desk.minute = 10
    typed_turn = TypedTurn(game.first, Turn(1, TurnKind.PLAY, score=30))
    timed_desk.desk.do(
        partial(enter_turn, game=game.id, number=1, typed_turn=typed_turn, tileset=tiles), label="enter-sheet"
    )
    timed_desk.minute = 50
    end = SheetEnd(GameEnding.TIME, racks=("1", "2"))
    timed_desk.desk.do(partial(enter_game_end, game=game.id, end=end, tileset=tiles), label="enter-sheet")
    assert (timed_desk.compute_progress(60).done, timed_desk.compute_progress(60).last) == (
        2,
        timed_desk.get_time(50),
    )


def test_compute_round_progress_estimates_by_earlier_rounds(timed_desk: TimedDesk) -> None:
    play_steady_round(timed_desk, 0)
    assert timed_desk.compute_progress(80).end is None
    timed_desk.pair_round(100)
    assert timed_desk.compute_progress(101).end == timed_desk.get_time(175)
    timed_desk.enter_results({1: 150, 2: 155, 3: 160, 4: 165})
    assert timed_desk.compute_progress(166).end == timed_desk.get_time(185), (
        "the estimate ignores that half of the results are ten minutes later than in round 1"
    )
    assert timed_desk.compute_progress(200).end == timed_desk.get_time(200), "the estimate is in the past"


def test_compute_round_progress_ignores_an_early_publication(timed_desk: TimedDesk) -> None:
    play_steady_round(timed_desk, 15 * 60)
    timed_desk.pair_round(17 * 60)
    minutes = timed_desk.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    assert timed_desk.compute_progress(17 * 60).end == timed_desk.get_time(17 * 60 + 2 * minutes + 10)


def test_compute_round_progress_lists_slow_tables(timed_desk: TimedDesk) -> None:
    timed_desk.enter_results({1: 20, 2: 21, 3: 22, 4: 23})
    assert timed_desk.compute_progress(25).slow == ()
    assert timed_desk.compute_progress(28).slow == (5, 6, 7, 8), (
        "slow tables need a quarter and five minutes more than the median"
    )
    note = partial(
        commands.note_incident,
        key="i",
        division=DIVISION,
        round_number=1,
        table=6,
        at=timed_desk.get_time(10).isoformat(),
    )
    timed_desk.desk.do(partial(note, kind=IncidentKind.EXTRA_TIME, seconds=300), label="note-incident")
    assert timed_desk.compute_progress(28).slow == (5, 7, 8), "the extra time of the table is ignored"
    assert timed_desk.compute_progress(28).last == timed_desk.get_time(23), "an incident counts as a result"
    timed_desk.desk.do(partial(commands.clear_result, game=timed_desk.find_game(4).id))
    assert timed_desk.compute_progress(60).slow == (), "slow tables are listed with too few finished games"
    minutes = timed_desk.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    assert timed_desk.compute_progress(2 * minutes + 11).slow == (4, 5, 7, 8)


def test_compute_round_progress_of_each_division(timed_desk: TimedDesk) -> None:
    add_division = partial(commands.add_division, key="b", code="B")
    timed_desk.desk.do(add_division, label="add-division")
    timed_desk.desk.do(partial(commands.add_stage, key="sb", division=B, system="swiss", rounds=3))
    for number in range(4):
        add_player = partial(commands.add_player, key=f"b{number}", division=B, name=f"B{number}")
        timed_desk.desk.do(add_player, label="add-player")
    timed_desk.minute = 90
    proposal = propose_pairings(timed_desk.desk.index, B)
    timed_desk.desk.do(partial(commands.pair_round, key="rb", proposal=proposal))
    play_steady_round(timed_desk, 0)
    progress = timed_desk.compute_progress(95)
    assert (progress.done, progress.last) == (8, timed_desk.get_time(75))
    item = timed_desk.desk.index.get_round(B, 1)
    other_progress = compute_round_progress(
        timed_desk.desk.index, item, timed_desk.desk.list_all_steps(), now=timed_desk.get_time(95)
    )
    assert other_progress is not None
    assert (other_progress.tables, other_progress.done, other_progress.last) == (2, 0, None)


def test_compute_round_progress_of_a_draft_is_none(timed_desk: TimedDesk) -> None:
    play_steady_round(timed_desk, 0)
    proposal = propose_pairings(timed_desk.desk.index, DIVISION)
    timed_desk.desk.do(partial(commands.propose_round, key="d", proposal=proposal))
    item = get_last_round(timed_desk.desk.tournament)
    assert (
        compute_round_progress(
            timed_desk.desk.index, item, timed_desk.desk.list_all_steps(), now=timed_desk.get_time(90)
        )
        is None
    )
    assert (
        compute_round_progress(
            timed_desk.desk.index, timed_desk.desk.index.get_round(DIVISION, 1), (), now=timed_desk.get_time(90)
        )
        is None
    )
