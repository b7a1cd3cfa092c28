"""The window thread's CPU time of each user action: `python -m tests.bench.action_times 24x7 300x12 1000x15`.

CPU milliseconds of that thread, from the key until everything is drawn and all work is done. Other threads do not
count. Each action has three figures: the first time, the minimum of later times, and the
minimum of their longest pauses without reading keys. A star marks a figure above the limit for its size. Words as
arguments select actions by name; `profile` shows where the time goes.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tdapp.domain import commands
from tdapp.gui.shell import start
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.standings.charts import RankHistoryView
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import load_fonts
from tests.gallery.data import DATA
from tests.gallery.render import Setting, open_window
from tests.gallery.scenes import SCENES, Scene, close_scene, count_steps, open_scene, prepare_scene
from tests.gui.samples import RESOURCES

STEPS = 600  # in the history
TRIES = 3
ALLOWED = {"24x7": 50, "300x12": 50, "1000x15": 100}  # ms
PROFILE_LINES = 30  # functions of a profile
_STILL_TIME = 0.05  # seconds without any work


class Stopwatch:
    """Measures the user actions in a window: the CPU milliseconds of each try."""

    def __init__(self, window: Window, selected_words: Sequence[str], *, profile: bool) -> None:
        self.window, self._selected_words, self._profile = window, selected_words, profile
        self._jobs = JobCounter(window.session.work)
        self.wait_until_idle = self._jobs.wait_until_idle
        self.times: dict[str, list[tuple[float, float]]] = {}  # total and longest pause of each try

    def is_selected(self, action_name: str) -> bool:
        """Return whether an action is selected."""
        return not self._selected_words or any(word in action_name for word in self._selected_words)

    @contextmanager
    def measure_block(self, action_name: str) -> Iterator[None]:
        """Measure the body of a with statement."""
        self.wait_until_idle()
        profile = cProfile.Profile(time.thread_time)
        if self._profile:
            profile.enable()
        start_time = time.thread_time()
        yield
        self._jobs.cpu_seconds = self._jobs.longest = time.thread_time() - start_time
        self.wait_until_idle()
        times = 1000 * self._jobs.cpu_seconds, 1000 * self._jobs.longest
        self.times.setdefault(action_name, []).append(times)
        if self._profile:
            profile.disable()
            print(f"=== {action_name}: {times[0]:.0f} ms")  # noqa: T201 - the output of the script
            pstats.Stats(profile).sort_stats("cumulative").print_stats(PROFILE_LINES).sort_stats(
                "time"
            ).print_stats(PROFILE_LINES)

    def measure_action(
        self, action_name: str, action: Callable[[], object], reset: Callable[[], object] | None = None
    ) -> None:
        """Measure an action several times. `reset` restores the state for the next try."""
        if not self.is_selected(action_name):
            return
        for _ in range(TRIES):
            with self.measure_block(action_name):
                action()
            if reset is not None:
                reset()

    def measure_scenes(self) -> None:
        """Measure each page, and each panel and dialog on its page."""
        for scene in SCENES:
            if scene.without_tournament or not self.is_selected(scene.name):
                continue
            for _ in range(TRIES):
                seq = count_steps(self.window)
                if not self._measure_scene(scene):
                    del self.times[scene.name]
                    break
                close_scene(self.window, scene, seq)

    def _measure_scene(self, scene: Scene) -> bool:
        """Measure one try of a scene. Return whether the data allow it."""
        if scene.make is None and not scene.action:
            self.window.show_page("tournament" if scene.page_id == "history" else "history")
            with self.measure_block(scene.name):
                self.window.show_page(scene.page_id)
            return True
        prepare_scene(self.window, scene)
        with self.measure_block(scene.name):
            return open_scene(self.window, scene) is not None


class JobCounter:
    """Counts the started and the finished jobs on the other threads of the window."""

    def __init__(self, work: SessionWorker) -> None:
        self._started_count = self._ended_count = 0
        self.cpu_seconds = self.longest = (
            0.0  # CPU seconds since the last reset, and the longest time without reading keys
        )
        self._run, self._do = work._run_in_pool, work._run_and_deliver
        work._run_in_pool = self._run_job  # type: ignore[method-assign, assignment]
        work._run_and_deliver = self._finish_job  # type: ignore[method-assign, assignment]

    def _run_job(self, *job: Any) -> None:
        self._started_count += 1
        self._run(*job)

    def _finish_job(self, *job: Any) -> None:
        self._do(*job)
        self._ended_count += 1

    def wait_until_idle(self) -> None:
        """Draw everything until all threads are idle and closed widgets are deleted."""
        events = QAbstractEventDispatcher.instance()
        end = time.monotonic() + _STILL_TIME
        while time.monotonic() < end:
            start_time, has_open_jobs = time.thread_time(), self._started_count > self._ended_count
            has_events = events.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            seconds = time.thread_time() - start_time
            if has_events:  # polling without events does not count
                self.cpu_seconds, self.longest = self.cpu_seconds + seconds, max(self.longest, seconds)
            time.sleep(0.005)
            if has_open_jobs or has_events:
                end = time.monotonic() + _STILL_TIME


def _measure_tables(watch: Stopwatch) -> None:
    """Measure filtering and sorting in the large tables."""
    for page in ("players", "rounds", "standings", "history", "jury"):
        watch.window.show_page(page)
        watch.wait_until_idle()
        for view in watch.window.page.findChildren(TableView):
            if view.isVisible() and view.rows.rowCount() > 1:
                watch.measure_action(
                    f"{page}: filter", partial(view.filter_rows, "an"), partial(view.filter_rows, "")
                )
                view.filter_rows("an")
                watch.measure_action(
                    f"{page}: clear the filter", partial(view.filter_rows, ""), partial(view.filter_rows, "an")
                )
                view.filter_rows("")
                order = partial(view.sortByColumn, 1)
                watch.measure_action(
                    f"{page}: sort", partial(order, Qt.SortOrder.DescendingOrder), partial(view.sortByColumn, -1,
                    Qt.SortOrder.AscendingOrder),
                )  # fmt: skip
                break


def _measure_results(watch: Stopwatch) -> None:
    """Measure a typed key, a typed result, and a result of another station on each page."""
    window = watch.window
    window.show_page("rounds")
    line = window.page.field.line  # type: ignore[attr-defined]
    watch.measure_action("rounds: a key", lambda: QTest.keyClicks(line, "7"), line.clear)

    def type_result() -> None:
        item = window.session.round
        assert item is not None
        table = window.session.index.list_open_games(item.id)[0].table
        QTest.keyClicks(line, f"{table} 412 388")
        QTest.keyClick(line, Qt.Key.Key_Return)

    watch.measure_action("rounds: a result typed", type_result, window.session.undo)
    last = window.session.round
    assert last is not None
    game = window.session.index.list_open_games(last.id)[0].id
    enter = partial(commands.enter_result, game=game, first=412, second=388)
    for page in PAGES:
        window.show_page(page)
        watch.measure_action(f"{page}: a result comes in", partial(window.session.do, enter), window.session.undo)


def _measure_corrections(watch: Stopwatch) -> None:
    """Measure a correction of the first round, and moving the cursor in a draft."""
    window = watch.window
    window.show_page("rounds")
    last = window.session.round_number
    field = window.page.field  # type: ignore[attr-defined]
    window.session.choose_round(1)

    def correct_result() -> None:
        field.line.setText("1 612 188")
        QTest.keyClick(field.line, Qt.Key.Key_Return)

    def discard_correction() -> None:
        field.bar.close_bar()
        field.line.clear()

    watch.measure_action("rounds: correct round 1", correct_result, discard_correction)
    window.session.choose_round(last)
    (view,) = (view_ for view_ in window.page.findChildren(TableView) if view_.isVisible())
    watch.measure_action("rounds: cursor down", partial(QTest.keyClick, view, Qt.Key.Key_Down))
    if watch.is_selected("rounds: cursor down in a draft"):
        window.get_action("pair-assuming").trigger()
        watch.wait_until_idle()
        view.setFocus()
        watch.measure_action("rounds: cursor down in a draft", partial(QTest.keyClick, view, Qt.Key.Key_Down))
        window.session.undo()
        watch.wait_until_idle()


def _measure_chart(watch: Stopwatch) -> None:
    """Measure the chart of ranks over the rounds."""
    window = watch.window
    window.show_page("standings")
    course, table = window.get_action("course"), window.get_action("standings")
    watch.measure_action("standings: over the rounds", course.trigger, table.trigger)
    course.trigger()
    watch.wait_until_idle()
    watch.measure_action("standings: draw the lines again", window.page.update)
    first = window.session.index.players(window.session.index.divisions[0].id)[0].id
    (chart,) = window.page.findChildren(RankHistoryView)
    watch.measure_action("standings: follow a line", partial(chart.toggle_highlighted_player, first))
    table.trigger()


def _measure_printouts(watch: Stopwatch) -> None:
    """Measure the actions for printouts."""
    window = watch.window
    window.show_page("standings")
    watch.measure_action(
        "standings: print", window.get_action("print-standings").trigger, partial(_close_other_windows, window)
    )
    window.show_page("papers")
    watch.measure_action(
        "papers: print", window.get_action("print-paper").trigger, partial(window.open_panel, None)
    )


def _close_other_windows(window: Window) -> None:
    for other_window in QApplication.topLevelWidgets():
        if other_window is not window and other_window.isVisible():
            other_window.close()


def _measure_opening(watch: Stopwatch) -> None:
    """Measure closing a file and opening it again."""
    session = watch.window.session
    path = session.path
    assert path is not None
    watch.window.show_page("rounds")
    watch.measure_action("open the file", partial(session.open_file, path))


def _measure_appearance(watch: Stopwatch) -> None:
    """Measure a complete redraw."""
    session = watch.window.session
    watch.window.show_page("standings")
    watch.measure_action(
        "scheme",
        partial(session.appearance.set_colour_scheme, "dark"),
        partial(session.appearance.set_colour_scheme, "light"),
    )
    choose_language = lambda language: watch.window.get_action(f"language-{language}").trigger()  # noqa: E731 - a new command after each change
    watch.measure_action("language", partial(choose_language, "nl"), partial(choose_language, "en"))


def measure_actions(
    data: str, selected_words: Sequence[str], *, profile: bool
) -> dict[str, list[tuple[float, float]]]:
    """Return the CPU milliseconds of each try by action, and the milliseconds of its longest pause."""
    setting = Setting(data=data, size=(1280, 720), inline=False, steps=STEPS)
    with open_window(setting, without_tournament=False) as window:
        window.pages.make_all_pages()
        start.resume_garbage_collector()  # as the program does after opening a file
        watch = Stopwatch(window, selected_words, profile=profile)
        watch.measure_scenes()
        for part in (
            _measure_tables,
            _measure_results,
            _measure_corrections,
            _measure_chart,
            _measure_printouts,
            _measure_appearance,
            _measure_opening,
        ):
            part(watch)
        return watch.times


def _format_figures(times: list[tuple[float, float]], allowed: float) -> str:
    """Return the figures of an action as text. A star marks a figure above the limit."""
    if not times:
        return " " * 24
    later_tries = times[1:] or times
    figures = (times[0][0], min(total for total, _ in later_tries), min(longest for _, longest in later_tries))
    return "".join(f"{figure:7.0f}{'*' if figure > allowed else ' '}" for figure in figures)


def main(words: list[str]) -> None:
    """Print the actions, slowest first."""
    sizes = [word for word in words if word in DATA] or ["24x7", "300x12"]
    selected_words = [word for word in words if word not in DATA and word != "profile"]
    start.make_application()
    load_fonts(RESOURCES / "fonts")
    times = [measure_actions(size, selected_words, profile="profile" in words) for size in sizes]
    print(f"{'ms: the first time, then, longest':40}", *(f"{size:>24}" for size in sizes))  # noqa: T201 - asked for
    for action_name in sorted(times[-1], key=lambda name: times[-1][name][0], reverse=True):
        pairs = zip(sizes, times, strict=True)
        figures = (
            _format_figures(results.get(action_name, []), ALLOWED.get(size, 100)) for size, results in pairs
        )
        print(f"{action_name:40}", *figures)  # noqa: T201 - asked for


if __name__ == "__main__":
    main(sys.argv[1:])
