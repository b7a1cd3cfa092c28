"""Tests of lists of club records."""

from __future__ import annotations

import pytest

from tdapp.domain.errors import InputError
from tdapp.domain.model import AchievementKind, AchievementRecord
from tdapp.exchange.player_lists import read_achievement_records


def test_read_records_accepts_any_language_and_order() -> None:
    text = "Naam;Soort;Waarde;Jaar;Club\nde Vries, Jan;hoogste partij;712;2019;Leiden\nÅse;wins in a row;14;;\n"
    assert read_achievement_records(text.encode()) == (
        AchievementRecord(AchievementKind.HIGH_GAME, 712, "de Vries, Jan", "2019", "Leiden"),
        AchievementRecord(AchievementKind.STREAK, 14, "Åse"),
    )
    records = read_achievement_records(b"kind,value,name,date\nhigh-play,302,Anna,1 May 2011\n")
    assert records == (AchievementRecord(AchievementKind.HIGH_PLAY, 302, "Anna", "1 May 2011"),)


@pytest.mark.parametrize(
    ("row", "field", "code"),
    [
        ("longest word,12,Anna", "kind", "bad-record-kind"),
        ("high-game,0,Anna", "value", "bad-number"),
        ("high-game,,Anna", "value", "number-missing"),
        ("high-game,5x,Anna", "value", "bad-number"),
        ("high-game,500,", "name", "name-missing"),
    ],
)
def test_read_records_reports_a_problem_with_its_line(row: str, field: str, code: str) -> None:
    with pytest.raises(InputError) as error_info:
        read_achievement_records(f"kind,value,name\nhigh-loss,400,Bob\n{row}\n".encode(), "list.csv")
    assert (error_info.value.code, error_info.value.line, error_info.value.field) == (code, 3, field)


def test_read_records_refuses_a_missing_column() -> None:
    with pytest.raises(InputError) as error_info:
        read_achievement_records(b"kind,name\nhigh-game,Anna\n", "list.csv")
    assert (error_info.value.code, error_info.value.field) == ("csv-column-missing", "value")
