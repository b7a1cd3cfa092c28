"""Club evenings: stages that grow by a round at each pairing."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tournament_json
from tests.building import DIVISION, event, paired


def club(players: int = 8) -> Tournament:
    """A club before its first evening."""
    return commands.begin_evening(event(players, rounds=3), key="e1", division=DIVISION, date="2026-09-01")


def names(*numbers: int) -> tuple[PlayerId, ...]:
    return tuple(PlayerId(f"p{number}") for number in numbers)


def stages(tournament: Tournament) -> list[Stage]:
    return list(Index(tournament).stages(DIVISION))


def test_an_evening_replaces_planned_rounds() -> None:
    (evening,) = stages(club())
    assert (evening.date, evening.evening, evening.rounds, evening.carry) == ("2026-09-01", True, 0, False)


def test_an_evening_grows_with_each_pairing_and_shrinks_again() -> None:
    value = commands.check_in(club(), players=names(*range(1, 9)))
    for number in (1, 2, 3):
        value = paired(value)
        assert stages(value)[0].rounds == number
    last = Index(value).rounds(DIVISION)[-1]
    value = commands.discard_round(value, round=last.id, reason="wrong", with_results=True)
    assert stages(value)[0].rounds == 2


def test_the_next_evening_pairs_on_and_keeps_the_system() -> None:
    value = commands.check_in(club(), players=names(*range(1, 9)))
    value = commands.edit_stage(value, stage=StageId("e1"), system="swiss", name="Opening night")
    value = commands.begin_evening(paired(value, times=2), key="e2", division=DIVISION, date="2026-09-08")
    first, second = stages(value)
    assert (first.name, first.rounds, second.rounds, second.system) == ("Opening night", 2, 0, "swiss")
    assert not any(player.checked_in for player in value.players.values())
    value = paired(commands.check_in(value, players=names(*range(1, 7))))
    assert Index(value).rounds(DIVISION)[-1].stage == "e2"
    assert [stage.rounds for stage in stages(value)] == [2, 1]


def test_an_evening_without_a_round_is_replaced() -> None:
    value = commands.begin_evening(club(), key="e2", division=DIVISION, date="2026-09-08")
    assert [stage.id for stage in stages(value)] == ["e2"]


@pytest.mark.parametrize("date", ["tomorrow", "2026-13-01"])
def test_a_date_is_a_day(date: str) -> None:
    with pytest.raises(RuleViolation, match="stage-date"):
        commands.begin_evening(club(), key="e2", division=DIVISION, date=date)


def test_an_evening_survives_file_and_json(tmp_path: Path) -> None:
    with closing(Desk.create(tmp_path / "club.tdapp", club())) as desk:
        desk.do(partial(commands.begin_evening, key="e2", division=DIVISION, date="2026-09-15", name="Autumn"))
    with closing(Desk.open(tmp_path / "club.tdapp")) as desk:
        kept = desk.tournament
    (evening,) = stages(kept)
    assert evening.name == "Autumn"
    assert stages(tournament_json.read_tournament(tournament_json.write_tournament(kept))) == [evening]
