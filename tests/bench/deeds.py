"""What the window's own thread works for each deed: `python -m tests.bench.deeds 24x7 300x12 1000x15`.

CPU milliseconds of that thread, from the key until everything is drawn; what other threads compute meanwhile is
waited for, not counted. The slower of two tries is told.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tdapp.domain import commands
from tdapp.domain.model import GameId
from tdapp.gui.shell import start
from tdapp.gui.shell.page_list import PLACES
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import load_fonts
from tests.gallery.data import DATA
from tests.gallery.render import Setting, opened
from tests.gallery.scenes import SCENES, settle, staged
from tests.gui.samples import RESOURCES

STEPS = 600  # in the history
TRIES = 2
_STILL = 0.05  # seconds without any work of another thread


class Stopwatch:
    """Measures deeds in one window, and keeps the slower of the tries of each."""

    def __init__(self, window: Window, wanted: str) -> None:
        self.window, self._wanted = window, wanted
        self.took: dict[str, float] = {}

    @contextmanager
    def time(self, deed: str) -> Iterator[None]:
        """Measure what is done inside."""
        quiet()
        begin = time.thread_time()
        yield
        quiet()
        self.took[deed] = max(1000 * (time.thread_time() - begin), self.took.get(deed, 0))

    def run(self, deed: str, do: Callable[[], object], back: Callable[[], object] | None = None) -> None:
        """Measure a deed; `back` makes it possible once more."""
        if self._wanted not in deed:
            return
        for _ in range(TRIES):
            with self.time(deed):
                do()
            if back is not None:
                back()

    def scenes(self) -> None:
        """Measure each page, panel and dialog from the page it opens on."""
        for scene in SCENES:
            if scene.without or self._wanted not in scene.name:
                continue
            for _ in range(TRIES):
                self.window.show_page("tournament" if scene.name == "page-history" else "history")
                if scene.place and not scene.name.startswith("page-"):
                    self.window.show_page(scene.place)
                quiet()
                begin = time.thread_time()
                with staged(self.window, scene) as shown:
                    quiet()
                    took = 1000 * (time.thread_time() - begin)
                    if shown is not None:
                        self.took[scene.name] = max(took, self.took.get(scene.name, 0))


def quiet() -> None:
    """Draw everything, until no other thread hands over anything more."""
    settle()
    until = time.monotonic() + _STILL
    while time.monotonic() < until:
        begin = time.thread_time()
        QApplication.processEvents()
        if time.thread_time() - begin > 0.001:
            until = time.monotonic() + _STILL
        time.sleep(0.005)


def _tables(watch: Stopwatch) -> None:
    """Measure finding and sorting in the large tables."""
    for place in ("players", "rounds", "standings", "history", "jury"):
        watch.window.show_page(place)
        quiet()
        for view in watch.window.page.findChildren(TableView):
            if view.isVisible() and view.rows.rowCount() > 1:
                view.filter("an")
                quiet()
                watch.run(f"{place}: filter", partial(view.filter, "an"), partial(view.filter, ""))
                watch.run(f"{place}: clear the filter", partial(view.filter, ""), partial(view.filter, "an"))
                view.filter("")
                order = partial(view.sortByColumn, 1)
                watch.run(
                    f"{place}: sort", partial(order, Qt.SortOrder.DescendingOrder), partial(view.sortByColumn, -1,
                    Qt.SortOrder.AscendingOrder),
                )  # fmt: skip
                break


def _results(watch: Stopwatch) -> None:
    """Measure a key, a result and its undoing on each page."""
    window = watch.window
    window.show_page("rounds")
    line = window.page.field.line  # type: ignore[attr-defined]
    watch.run("rounds: a key", lambda: QTest.keyClicks(line, "7"), line.clear)

    def type_result() -> None:
        item = window.session.round
        assert item is not None
        table = window.session.index.open_games(item.id)[0].table
        QTest.keyClicks(line, f"{table} 412 388")
        QTest.keyClick(line, Qt.Key.Key_Return)

    watch.run("rounds: a result typed", type_result, window.session.undo)
    last = window.session.round
    assert last is not None
    game = window.session.index.open_games(last.id)[0].id
    enter = partial(commands.enter_result, game=game, first=412, second=388)
    for place in PLACES:
        window.show_page(place)
        watch.run(f"{place}: a result comes in", partial(window.session.do, enter), window.session.undo)


def _looks(watch: Stopwatch) -> None:
    """Measure what draws everything anew."""
    session = watch.window.session
    watch.window.show_page("standings")
    for scheme in ("dark", "light"):
        watch.run("scheme", partial(session.look.choose, scheme))


def _history(window: Window) -> None:
    desk = window.session.desk
    for game in sorted(desk.tournament.results)[:STEPS]:
        command = partial(
            commands.enter_result, game=GameId(game), first=400, second=300, confirmed=True, reason="Slip"
        )
        window.session.do(command)
        QApplication.processEvents()


def measure(data: str, wanted: str) -> dict[str, float]:
    """Return CPU milliseconds by deed."""
    with opened(Setting(data=data, size=(1280, 720), inline=False), without=False) as window:
        _history(window)
        quiet()
        watch = Stopwatch(window, wanted)
        for part in (watch.scenes, partial(_tables, watch), partial(_results, watch), partial(_looks, watch)):
            part()
        return watch.took


def main(words: list[str]) -> None:
    """Print the deeds, the slowest first."""
    sizes = [word for word in words if word in DATA] or ["24x7", "300x12"]
    wanted = next((word for word in words if word not in DATA), "")
    start.make_application()
    load_fonts(RESOURCES / "fonts")
    took = [measure(size, wanted) for size in sizes]
    print(f"{'ms':40}", *(f"{size:>9}" for size in sizes))  # noqa: T201 - it is what was asked for
    for deed in sorted(took[-1], key=lambda one: -took[-1][one]):
        print(f"{deed:40}", *(f"{one.get(deed, 0):9.0f}" for one in took))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
