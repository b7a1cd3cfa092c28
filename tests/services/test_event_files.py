"""Tests of `read_event_files`: reading events of other files for a season."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import InputError, StorageError
from tdapp.exchange import tournament_json
from tdapp.i18n.catalogue import Catalogue
from tdapp.services.event_files import read_event_files
from tests.building import RESOURCES, make_event, pair_rounds
from tests.data_events import find_data_folder
from tests.domain.test_seasons import add_evening, make_season_club

RULES = make_event(2).ruleset
FILES = Path(__file__).parents[1] / "files"


def test_read_event_files_reads_the_same_event_from_a_tournament_file_and_its_json(tmp_path: Path) -> None:
    value = commands.edit_event(pair_rounds(make_event(6), times=2), name="Spring", date="2026-03-01")
    tournament_file, document = tmp_path / "spring.tdapp", tmp_path / "spring.json"
    Desk.create(tournament_file, value).close()
    document.write_bytes(tournament_json.encode_tournament(value))
    (event_copy,), (json_copy,) = (read_event_files([path], RULES).events for path in (tournament_file, document))
    assert (event_copy.name, event_copy.date, event_copy.entries, event_copy.games) == (
        json_copy.name,
        json_copy.date,
        json_copy.entries,
        json_copy.games,
    )
    assert (event_copy.source, json_copy.source) == ("spring.tdapp", "spring.json")
    assert event_copy.head


def test_read_event_files_gives_files_without_steps_different_checksums(tmp_path: Path) -> None:
    for name in ("one", "two"):
        value = commands.edit_event(pair_rounds(make_event(4)), name=name, date="")
        Desk.create(tmp_path / f"{name}.tdapp", value).close()
    events_from_files = read_event_files([tmp_path / "one.tdapp", tmp_path / "two.tdapp"], RULES)
    assert len({item.head for item in events_from_files.events}) == 2


def test_read_event_files_makes_an_event_for_each_evening_of_a_club_file(tmp_path: Path) -> None:
    value = add_evening(make_season_club("AB"), "2026-09-01", [(1, 2, 420, 300)])
    value = add_evening(value, "2026-09-08", [(1, 2, 420, 300)])
    Desk.create(tmp_path / "club.tdapp", value).close()
    events_from_files = read_event_files([tmp_path / "club.tdapp"], RULES)
    assert [item.date for item in events_from_files.events] == ["2026-09-01", "2026-09-08"]


def test_read_event_files_reads_a_chess_report_and_names_the_omitted_data() -> None:
    events_from_files = read_event_files([FILES / "chess.trf"], RULES)
    (event_copy,) = events_from_files.events
    assert (event_copy.date, len(event_copy.entries)) == ("2024-12-01", 5)
    lines = events_from_files.describe_omitted_data(Catalogue("en", RESOURCES / "locale"))
    assert any("points" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-03-01", "2026-03-01"), ("2026-03-01 – 2026-03-02", "2026-03-01"), ("1.3.2026", "2026-03-01"),
        ("March 1, 2026", "2026-03-01"), ("February 14-16, 2026", "2026-02-14"),
        ("May 31 - June 1, 2026", "2026-05-31"),
        ("next week", ""), ("Foo 1, 2026", ""), ("February 30, 2026", ""), ("", ""),
    ],
)  # fmt: skip
def test_read_event_files_reads_dates_of_other_programs(tmp_path: Path, text: str, date: str) -> None:
    value = commands.edit_event(pair_rounds(make_event(2)), date=text)
    path = tmp_path / "one.tdapp"
    Desk.create(path, value).close()
    events_from_files = read_event_files([path], RULES)
    assert events_from_files.events[0].date == date
    assert [item.code for _, item in events_from_files.left_out] == (
        [] if date else ["copy-date-unknown" if text else "copy-date-missing"]
    )


def test_read_event_files_refuses_a_file_without_results(tmp_path: Path) -> None:
    path = tmp_path / "one.tdapp"
    Desk.create(path, make_event(4)).close()
    with pytest.raises(InputError, match="copy-no-results") as error_info:
        read_event_files([path], RULES)
    assert error_info.value.source == "one.tdapp"
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(StorageError):
        read_event_files([path], RULES)


def test_read_event_files_names_the_file_and_line_of_an_invalid_value(tmp_path: Path) -> None:
    path = tmp_path / "long.t"
    path.write_text(f"{'X' * 300}, Ann 1500 2; 400\nLi, Bo 1400 1; 390\n", encoding="utf-8")
    with pytest.raises(InputError, match="text-too-long") as error_info:
        read_event_files([path], RULES)
    assert error_info.value.source == "long.t"
    assert error_info.value.line == 1


def test_read_event_files_removes_undecodable_bytes_from_a_file_name(tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.t"
    try:
        path.write_text("Berg, Ann 1500 2; 400\nLi, Bo 1400 1; 390\n", encoding="utf-8")
    except (OSError, UnicodeError):
        pytest.skip("the system does not allow such a name")
    (copy,) = read_event_files([path], RULES).events
    assert (copy.source, copy.name) == ("caf.t", "caf")


def test_read_event_files_reads_the_feed_of_another_program() -> None:
    (event_copy,) = read_event_files([find_data_folder() / "feeds" / "test22-tourney.js"], RULES).events
    assert (event_copy.date, len(event_copy.entries), len(event_copy.games)) == ("2026-02-14", 12, 66)
