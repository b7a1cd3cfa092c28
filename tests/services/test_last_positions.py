"""Tests of the last viewed page of each tournament, and of the counts in the sidebar."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain.model import EventId
from tdapp.services import sidebar_counts
from tdapp.services.preferences import MAX_POSITIONS, LastViewedPage, LastViewedPages
from tests.building import make_event, pair_rounds
from tests.services.headless_session import SettingsInMemory, make_session


def test_last_positions_are_stored_per_tournament_and_the_oldest_is_removed() -> None:
    positions = LastViewedPages(SettingsInMemory())
    for number in range(MAX_POSITIONS + 1):
        positions.set_viewed_page(EventId(f"e{number}"), LastViewedPage("rounds", f"d{number}", number))
    assert positions.find_viewed_page(EventId("e7")) == LastViewedPage("rounds", "d7", 7)
    assert positions.find_viewed_page(EventId("e0")) == LastViewedPage()


@pytest.mark.parametrize(
    "stored_text", ["", "no json", "[1]", '{"t.e": 3}', '{"t.e": {"place": 4, "other": "x"}}']
)
def test_last_positions_ignore_unreadable_settings(stored_text: str) -> None:
    settings = SettingsInMemory(stands=stored_text)
    assert LastViewedPages(settings).find_viewed_page(EventId("t.e")) == LastViewedPage()


def test_restore_position_selects_an_older_round_but_not_the_newest(tmp_path: Path) -> None:
    session, _notifications = make_session(
        tmp_path, Desk.create(tmp_path / "cup.tdapp", pair_rounds(make_event(4), times=2))
    )
    positions = LastViewedPages(session.settings)
    positions.store_viewed_page(session, "rounds")
    assert positions.find_viewed_page(session.tournament.event.id).round == 0
    session.choose_round(1)
    positions.store_viewed_page(session, "standings")
    session.choose_round(2)
    assert positions.select_last_viewed_round_and_get_page(session) == "standings"
    assert session.round_number == 1
    session.close()


def test_sidebar_counts_count_open_work(tmp_path: Path) -> None:
    session, _notifications = make_session(tmp_path, pair_rounds(make_event(4), results=False))
    assert sidebar_counts.count_division_games_waiting_for_jury(session) == 0
    assert sidebar_counts.count_missing_players(session) == 0
