"""Benchmarks of the window with 300 players after 25 rounds. Targets: 100 ms for a page, 8 ms for a scroll step.

The time of a result is from Enter until the window shows everything, including other threads. A separate process
opens every page and measures its memory. Target: 200 MB.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell import start
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import load_fonts
from tests.gallery.data import MANY
from tests.gallery.render import Setting, open_window
from tests.gui.samples import RESOURCES

LARGE = Setting(data="large")
MEMORY = """
import resource, sys
import tdapp.app  # first, as at the start of the program
from PySide6.QtCore import qInstallMessageHandler
from tdapp.gui.shell import start
from tdapp.gui.shell.crash_handling import log_qt_message
from tdapp.gui.shell.page_list import PAGES
from tests.gallery.render import Setting, open_window, process_events
qInstallMessageHandler(log_qt_message)
start.make_application()
with open_window(Setting(data="large"), without_tournament=False) as window:
    for place in PAGES:
        window.show_page(place)
        process_events()
sys.stdout.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024))
"""


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    start.make_application()
    load_fonts(RESOURCES / "fonts")
    with open_window(LARGE, without_tournament=False) as opened_window:
        assert len(opened_window.session.tournament.players) == MANY
        yield opened_window


@pytest.mark.bench
@pytest.mark.parametrize("page", [page for page in PAGES if page != "evening"])
def test_window_opens_a_page(benchmark: BenchmarkFixture, window: Window, page: str) -> None:
    """The time includes layout and painting, starting from another page."""
    other_page = "history" if page != "history" else "bracket"

    def leave_page() -> None:
        window.show_page(other_page)
        QApplication.processEvents()

    def open_page() -> None:
        window.show_page(page)
        QApplication.processEvents()

    benchmark.pedantic(open_page, setup=leave_page, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert window.page.id == page


@pytest.mark.bench
@pytest.mark.parametrize("page", ["players", "rounds", "standings"])
def test_window_scrolls_a_step(benchmark: BenchmarkFixture, window: Window, page: str) -> None:
    window.show_page(page)
    QApplication.processEvents()
    view = next(table_view for table_view in window.page.findChildren(TableView) if table_view.isVisible())
    bar = view.verticalScrollBar()

    def scroll_step() -> None:
        bar.setValue((bar.value() + 3) % bar.maximum())
        view.viewport().repaint()

    benchmark(scroll_step)
    assert bar.maximum() > 0


@pytest.mark.bench
def test_window_enters_a_typed_result(benchmark: BenchmarkFixture, window: Window) -> None:
    """The time from Enter until the window shows everything."""
    window.show_page("rounds")
    page = window.page
    assert isinstance(page, RoundsPage)
    item = window.session.round
    assert item is not None

    def type_line() -> None:
        page.field.focus_line()
        page.field.line.clear()
        table = window.session.index.list_open_games(item.id)[0].table
        QTest.keyClicks(page.field.line, f"{table} 412 388")

    def press_enter() -> None:
        QTest.keyClick(page.field.line, Qt.Key.Key_Return)
        QApplication.processEvents()

    before = len(window.session.index.list_open_games(item.id))
    benchmark.pedantic(press_enter, setup=type_line, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert len(window.session.index.list_open_games(item.id)) < before


@pytest.mark.bench
def test_window_shows_a_typed_key(benchmark: BenchmarkFixture, window: Window) -> None:
    window.show_page("rounds")
    page = window.page
    assert isinstance(page, RoundsPage)
    page.field.focus_line()

    def press_key() -> None:
        QTest.keyClicks(page.field.line, "7")
        QApplication.processEvents()

    benchmark.pedantic(press_key, setup=page.field.line.clear, rounds=20, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert page.field.line.text() == "7"
    page.field.line.clear()


@pytest.mark.bench
def test_window_memory(benchmark: BenchmarkFixture) -> None:
    """The megabytes are in extra_info."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", MEMORY]
    root = Path(__file__).parents[2]

    def measure_process() -> int:
        result = subprocess.run(command, env=environment, cwd=root, capture_output=True, check=True, timeout=120)
        return int(result.stdout)

    megabytes = benchmark.pedantic(measure_process, rounds=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["megabytes"] = megabytes
    assert megabytes > 0
