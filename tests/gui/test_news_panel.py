"""Tests of the news panel: items, records and the announcement."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.tables import news
from tdapp.domain.tables.news import RecordNews
from tdapp.gui.screens.panels import NewsAndRecordsPanel
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tests.gui.samples import make_desk, make_tournament
from tests.gui.windows import collect_messages, show_window
from tests.i18n.test_slides import play_rounds


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    empty_session.open_tournament_of_desk(make_desk(play_rounds(make_tournament(players=8), 2)))
    return show_window(empty_session, qtbot, "screens")


@pytest.fixture
def panel(window: Window) -> NewsAndRecordsPanel:
    window.get_action("news").trigger()
    assert isinstance(window.panel, NewsAndRecordsPanel)
    return window.panel


def test_news_panel_reads_and_removes_a_list_of_records(
    panel: NewsAndRecordsPanel, window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, before = window.session, panel.view.model().rowCount()
    assert before > 0
    assert not panel._remove_button.isEnabled()
    path = tmp_path / "records.csv"
    path.write_text("kind,value,name,date\nhigh-game,401,Old Champion,2011\nstreak,9,Old Champion,\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    panel._choose_records_file()
    qtbot.waitUntil(lambda: len(session.tournament.event.records) == 2)
    assert panel._list.text() == "The list has 2 records."
    assert panel._remove_button.isEnabled()
    panel._remove_button.click()
    qtbot.waitUntil(lambda: session.tournament.event.records == ())
    session.undo()
    qtbot.waitUntil(lambda: len(session.tournament.event.records) == 2)


@pytest.mark.slow
def test_news_panel_searches_records_in_the_background(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_threads: list[threading.Thread] = []

    def list_news_and_record_thread(index: TournamentIndex, division: Division) -> tuple[RecordNews, ...]:
        search_threads.append(threading.current_thread())
        return list_division_news(index, division)

    list_division_news = news.list_division_news
    monkeypatch.setattr(news, "list_division_news", list_news_and_record_thread)
    session = window.session
    session.work = SessionWorker()
    window.get_action("news").trigger()
    panel = window.panel
    assert isinstance(panel, NewsAndRecordsPanel)
    qtbot.waitUntil(lambda: panel.view.model().rowCount() > 0)
    assert search_threads
    assert threading.main_thread() not in search_threads
    session.work.close()
    session.work = SessionWorker(inline=True)


@pytest.mark.slow
def test_news_panel_keeps_an_import_that_ends_after_it_closes(
    panel: NewsAndRecordsPanel, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    path, session = tmp_path / "records.csv", window.session
    path.write_text("kind,value,name\nhigh-game,401,Old Champion\n")
    session.work = SessionWorker()
    panel.import_records_file(path)
    panel.closed.emit()
    qtbot.waitUntil(lambda: len(session.tournament.event.records) == 1)
    session.work.close()
    session.work = SessionWorker(inline=True)


@pytest.mark.slow
def test_news_panel_explains_an_invalid_list(
    panel: NewsAndRecordsPanel, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "records.csv"
    path.write_text("kind,value,name\nlongest,401,Old\n")
    messages = collect_messages(window.session)
    panel.import_records_file(path)
    qtbot.waitUntil(lambda: any("is not a kind of record" in text for text in messages))
    assert window.session.tournament.event.records == ()


def test_news_panel_saves_the_announcement_on_leaving(
    panel: NewsAndRecordsPanel, window: Window, qtbot: QtBot
) -> None:
    panel.announcement.setFocus()
    QTest.keyClicks(panel.announcement, "Lunch at noon.")
    panel.view.setFocus()
    qtbot.waitUntil(lambda: window.session.tournament.event.announcement == "Lunch at noon.")
    window.session.undo()
    qtbot.waitUntil(lambda: panel.announcement.toPlainText() == "")
