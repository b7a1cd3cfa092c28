"""The progress of a round from the journal, by the clock of the test."""

from __future__ import annotations

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
from tests.building import DIVISION, RESOURCES, event, last_round, pair_next

B = DivisionId("b")
NINE = datetime(2026, 11, 21, 9, tzinfo=UTC)


class Hall:
    """Eight tables and a clock; its minutes count from nine o'clock."""

    def __init__(self, tournament: Tournament | None = None) -> None:
        self.minute = 0
        self.desk = Desk(
            Store.create_in_memory(tournament or event(16)), clock=lambda: self.at(self.minute).isoformat()
        )

    def at(self, minute: int) -> datetime:
        return NINE + timedelta(minutes=minute)

    def pair(self, minute: int) -> None:
        self.minute = minute
        pair_next(self.desk)

    def game(self, table: int) -> Game:
        return self.desk.index.game(last_round(self.desk.tournament).id, table)

    def results(self, came: dict[int, int]) -> None:
        """Enter a result of each table at a minute."""
        for table, self.minute in came.items():
            command = partial(commands.enter_result, game=self.game(table).id, first=400, second=390)
            self.desk.do(command, label="enter-result")

    def pulse(self, minute: int, begun: int | None = None, number: int | None = None) -> RoundProgress:
        item = self.desk.index.round(DIVISION, number) if number else last_round(self.desk.tournament)
        start = None if begun is None else self.at(begun)
        found = compute_round_progress(
            self.desk.index, item, self.desk.history(), now=self.at(minute), clock_start=start
        )
        assert found is not None
        return found


@pytest.fixture
def hall() -> Hall:
    made = Hall()
    made.pair(0)
    return made


def steady(hall: Hall, start: int) -> None:
    """Play a round of which a result comes every five minutes from the fortieth to the seventy-fifth."""
    hall.results({table: start + 35 + 5 * table for table in range(1, 9)})


def test_compute_round_progress_before_the_first_result(hall: Hall) -> None:
    found = hall.pulse(1)
    minutes = hall.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    assert found == RoundProgress(8, 0, None, (), hall.at(2 * minutes + 10))
    assert hall.pulse(1, begun=6).end == hall.at(2 * minutes + 16), "the round clock was started later"
    assert hall.pulse(1, begun=-50).end == found.end, "it still ran from the round before"


def test_compute_round_progress_without_clocks() -> None:
    value = event(16)
    rules = next(iter(value.rules.values()))
    ruleset = replace(rules.ruleset, clock=replace(rules.ruleset.clock, minutes=None))
    hall = Hall(value.put(replace(rules, ruleset=ruleset)))
    hall.pair(0)
    assert hall.pulse(500) == RoundProgress(8, 0, None, (), None)


def test_compute_round_progress_newest_result_not_its_correction(hall: Hall) -> None:
    hall.results({3: 31, 5: 40})
    first, second = hall.game(3), hall.game(5)
    hall.minute = 55
    hall.desk.do(partial(commands.enter_result, game=first.id, first=300, second=200))
    assert (hall.pulse(60).done, hall.pulse(60).last) == (2, hall.at(40))
    hall.desk.do(partial(commands.clear_result, game=second.id))
    assert (hall.pulse(60).done, hall.pulse(60).last) == (1, hall.at(31))
    hall.desk.undo()
    hall.desk.undo()
    assert hall.pulse(60).last == hall.at(40)


def test_compute_round_progress_of_a_featured_game(hall: Hall) -> None:
    hall.results({3: 31})
    game, tiles = hall.game(5), read_tileset(RESOURCES / "tilesets" / "nl.toml")
    hall.minute = 10
    typed = TypedTurn(game.first, Turn(1, TurnKind.PLAY, score=30))
    hall.desk.do(partial(enter_turn, game=game.id, number=1, typed_turn=typed, tileset=tiles), label="enter-sheet")
    hall.minute = 50
    end = SheetEnd(GameEnding.TIME, racks=("1", "2"))
    hall.desk.do(partial(enter_game_end, game=game.id, end=end, tileset=tiles), label="enter-sheet")
    assert (hall.pulse(60).done, hall.pulse(60).last) == (2, hall.at(50))


def test_compute_round_progress_estimates_by_earlier_rounds(hall: Hall) -> None:
    steady(hall, 0)
    assert hall.pulse(80).end is None
    hall.pair(100)
    assert hall.pulse(101).end == hall.at(175)
    hall.results({1: 150, 2: 155, 3: 160, 4: 165})
    assert hall.pulse(166).end == hall.at(185), "half of it came ten minutes later than the half of round 1"
    assert hall.pulse(200).end == hall.at(200), "never in the past"


def test_compute_round_progress_ignores_an_early_publication(hall: Hall) -> None:
    steady(hall, 15 * 60)
    hall.pair(17 * 60)
    minutes = hall.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    assert hall.pulse(17 * 60).end == hall.at(17 * 60 + 2 * minutes + 10)


def test_compute_round_progress_lists_slow_tables(hall: Hall) -> None:
    hall.results({1: 20, 2: 21, 3: 22, 4: 23})
    assert hall.pulse(25).slow == ()
    assert hall.pulse(28).slow == (5, 6, 7, 8), "a quarter and five minutes later than half of those that are done"
    given = partial(
        commands.note_incident, key="i", division=DIVISION, round_number=1, table=6, at=hall.at(10).isoformat()
    )
    hall.desk.do(partial(given, kind=IncidentKind.EXTRA_TIME, seconds=300), label="note-incident")
    assert hall.pulse(28).slow == (5, 7, 8), "its clock was given five minutes"
    assert hall.pulse(28).last == hall.at(23), "an incident is no result"
    hall.desk.do(partial(commands.clear_result, game=hall.game(4).id))
    assert hall.pulse(60).slow == (), "too few are done to tell"
    minutes = hall.desk.tournament.ruleset.clock.minutes
    assert minutes is not None
    assert hall.pulse(2 * minutes + 11).slow == (4, 5, 7, 8)


def test_compute_round_progress_of_each_division(hall: Hall) -> None:
    other = partial(commands.add_division, key="b", code="B")
    hall.desk.do(other, label="add-division")
    hall.desk.do(partial(commands.add_stage, key="sb", division=B, system="swiss", rounds=3))
    for number in range(4):
        add = partial(commands.add_player, key=f"b{number}", division=B, name=f"B{number}")
        hall.desk.do(add, label="add-player")
    hall.minute = 90
    proposal = propose_pairings(hall.desk.index, B)
    hall.desk.do(partial(commands.pair_round, key="rb", proposal=proposal))
    steady(hall, 0)
    found = hall.pulse(95)
    assert (found.done, found.last) == (8, hall.at(75))
    item = hall.desk.index.round(B, 1)
    told = compute_round_progress(hall.desk.index, item, hall.desk.history(), now=hall.at(95))
    assert told is not None
    assert (told.tables, told.done, told.last) == (2, 0, None)


def test_compute_round_progress_of_a_draft_is_none(hall: Hall) -> None:
    steady(hall, 0)
    proposal = propose_pairings(hall.desk.index, DIVISION)
    hall.desk.do(partial(commands.propose_round, key="d", proposal=proposal))
    item = last_round(hall.desk.tournament)
    assert compute_round_progress(hall.desk.index, item, hall.desk.history(), now=hall.at(90)) is None
    assert compute_round_progress(hall.desk.index, hall.desk.index.round(DIVISION, 1), (), now=hall.at(90)) is None
