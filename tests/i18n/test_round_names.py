"""Names of rounds known only by number: future rounds, and rounds of several divisions."""

from __future__ import annotations

from pathlib import Path

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Absence, AbsenceId, ByeKind, DivisionId, PlayerId
from tdapp.gui.players.availability import describe_absence
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import name_round_number, name_table
from tests import building


def test_name_round_number_names_a_knockout_round_before_its_pairing() -> None:
    value, words = building.event(8, rounds=3, system="knockout"), Catalogue("en", Path("nowhere"))
    index = Index(value)

    assert [name_round_number(words, index, index.divisions, number) for number in (1, 2, 3)] == [
        "Quarter-finals",
        "Semifinals",
        "Final",
    ]
    absence = Absence(AbsenceId("a"), PlayerId("p8"), 2, 2, ByeKind.ABSENT)
    assert describe_absence(absence, words, index) == "Semifinals: absent"
    game = building.game_at(building.paired(value), 2)
    assert name_table(words, Index(building.paired(value)), game) == "Quarter-finals, table 2"


def test_name_round_number_returns_the_number_if_divisions_differ() -> None:
    value, words = building.event(8, rounds=3, system="knockout"), Catalogue("en", Path("nowhere"))
    value = commands.add_division(value, key=DivisionId("b"), code="B")
    value = commands.add_stage(value, key="s2", division=DivisionId("b"), system="swiss", rounds=3)
    index = Index(value)

    assert name_round_number(words, index, index.divisions, 2) == "Round 2"
    assert name_round_number(words, index, index.divisions[:1], 2) == "Semifinals"


def test_describe_step_names_a_knockout_round() -> None:
    at, words = building.desk(building.event(4, rounds=2, system="knockout")), Catalogue("en", Path("nowhere"))
    building.pair_next(at)
    assert words.describe_step(at.history()[0].label, at.history()[0].facts) == "Semifinals paired and published"
    swiss = building.desk(building.event(4))
    building.pair_next(swiss)
    assert (
        words.describe_step(swiss.history()[0].label, swiss.history()[0].facts) == "Round 1 paired and published"
    )
