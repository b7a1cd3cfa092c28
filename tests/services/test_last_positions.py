"""A tournament reopens at its last page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdapp.desk import Desk
from tdapp.domain.model import EventId
from tdapp.services import sidebar_counts
from tdapp.services.preferences import MAX_POSITIONS, LastViewedPage, LastViewedPages
from tests.building import event, paired
from tests.services.headless_session import Chosen, office


def test_last_positions_are_stored_per_tournament_and_the_oldest_is_removed() -> None:
    positions = LastViewedPages(Chosen())
    for number in range(MAX_POSITIONS + 1):
        positions.set_viewed_page(EventId(f"e{number}"), LastViewedPage("rounds", f"d{number}", number))
    assert positions.find_viewed_page(EventId("e7")) == LastViewedPage("rounds", "d7", 7)
    assert positions.find_viewed_page(EventId("e0")) == LastViewedPage()


@pytest.mark.parametrize("written", ["", "no json", "[1]", '{"t.e": 3}', '{"t.e": {"place": 4, "other": "x"}}'])
def test_last_positions_ignore_unreadable_settings(written: str) -> None:
    settings = Chosen(stands=written)
    assert LastViewedPages(settings).find_viewed_page(EventId("t.e")) == LastViewedPage()


def test_restore_position_selects_an_older_round_but_not_the_newest(tmp_path: Path) -> None:
    opened, _heard = office(tmp_path, Desk.create(tmp_path / "cup.tdapp", paired(event(4), times=2)))
    positions = LastViewedPages(opened.settings)
    positions.store_viewed_page(opened, "rounds")
    assert positions.find_viewed_page(opened.tournament.event.id).round == 0
    opened.choose_round(1)
    positions.store_viewed_page(opened, "standings")
    opened.choose_round(2)
    assert positions.restore_viewed_page(opened) == "standings"
    assert opened.round_number == 1
    opened.close()


def test_sidebar_counts_count_open_work(tmp_path: Path) -> None:
    opened, _heard = office(tmp_path, paired(event(4), results=False))
    assert sidebar_counts.count_unchecked_games(opened) == 0
    assert sidebar_counts.count_missing_players(opened) == 0
