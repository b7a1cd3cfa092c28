"""Tests of starting the program: options, window pictures, worker threads and invalid settings."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtGui import QIcon, QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tdapp.app import find_settings_folder, main
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import StorageError
from tdapp.gui.shell import start
from tdapp.gui.shell.page_list import PAGES
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import MODIFIER_KEYS, Window
from tdapp.services.demo import PLAYERS, open_sample_tournament
from tests.bench.test_start import START
from tests.gui.samples import RESOURCES, A, make_desk, make_tournament
from tests.gui.windows import show_window
from tests.i18n.test_slides import play_rounds

LATE_MODULES = {
    "PIL", "PySide6.QtNetwork", "PySide6.QtPrintSupport", "babel", "python_calamine", "reportlab", "sqlalchemy",
    "tdapp.exchange.imports", "tdapp.gui.jury.judge_screen", "tdapp.gui.jury.rulings",
    "tdapp.gui.jury.word_lists_panel", "tdapp.gui.players.card", "tdapp.gui.printouts.preview",
    "tdapp.gui.shell.help_view", "tdapp.gui.tournament.server_dialogs", "tdapp.reports",
    "tdapp.services.print_queue", "tdapp.services.uploading", "tdapp.services.word_lists", "uharfbuzz",
}  # fmt: skip
CLOSE_WHEN_OPEN_SCRIPT = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from tdapp import gui
from tdapp.gui.shell import start

application = start.make_application()
QTimer.singleShot(30_000, application.closeAllWindows)


def close_when_open():
    if any(" – " in window.windowTitle() for window in application.topLevelWidgets()):
        application.closeAllWindows()


timer = QTimer(interval=100)
timer.timeout.connect(close_when_open)
timer.start()
file, asked = Path(sys.argv[1]), sys.argv[4] == "asked"
if asked:
    QTimer.singleShot(0, lambda: application.postEvent(application, QFileOpenEvent(str(file))))
sys.exit(gui.run_window(None if asked else file, resources=Path(sys.argv[2]), settings_path=Path(sys.argv[3])))
"""
PRINT_LANGUAGE_SCRIPT = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from tdapp import app
from tdapp.gui.shell import start

application = start.make_application()
QTimer.singleShot(30_000, application.closeAllWindows)


def close_when_open():
    for window in application.topLevelWidgets():
        if " – " in window.windowTitle():
            print(window.session.catalogue.language, window.windowTitle())
            application.closeAllWindows()


timer = QTimer(interval=100)
timer.timeout.connect(close_when_open)
timer.start()
sys.exit(app.main(sys.argv[1:]))
"""


@pytest.fixture
def tournament_path(tmp_path: Path) -> Path:
    path = tmp_path / "cup.tdapp"
    Desk.create(path, make_tournament(players=6)).close()
    return path


def test_find_settings_folder_equals_the_folder_of_qt() -> None:
    assert find_settings_folder() == Path(start.open_settings(None).fileName()).parent


@pytest.mark.parametrize("arguments", [("--lang", "nl", "FILE"), ("FILE", "--lang=nl")])
def test_window_uses_the_language_option(
    tournament_path: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    command_line = [str(tournament_path) if argument == "FILE" else argument for argument in arguments]
    environment = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(tmp_path / "home"))
    result = subprocess.run(
        [sys.executable, "-c", PRINT_LANGUAGE_SCRIPT, *command_line],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("nl ")


def test_window_refuses_an_unknown_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "xx"]) == 2
    assert "'xx'" in capsys.readouterr().err


def test_save_window_picture_writes_a_png(qapp: QApplication, tournament_path: Path, tmp_path: Path) -> None:
    assert qapp is not None
    target = tmp_path / "out" / "window.png"
    start.save_window_picture(tournament_path, resources=RESOURCES, target=target, size_in_pixels=(1280, 800))
    image = QImage(str(target))
    assert (image.width(), image.height()) == (1280, 800)
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.slow
def test_save_window_picture_shows_the_tournament_of_the_file(
    qapp: QApplication, tournament_path: Path, tmp_path: Path
) -> None:
    assert qapp is not None
    larger_path = tmp_path / "larger.tdapp"
    Desk.create(larger_path, make_tournament(players=30)).close()
    pictures = []
    for file in (tournament_path, larger_path):
        start.save_window_picture(
            file, resources=RESOURCES, target=tmp_path / "window.png", size_in_pixels=(1280, 800)
        )
        pictures.append(QImage(str(tmp_path / "window.png")))
    assert pictures[0] != pictures[1]


def test_save_window_picture_refuses_a_missing_file(qapp: QApplication, tmp_path: Path) -> None:
    assert qapp is not None
    with pytest.raises(StorageError):
        start.save_window_picture(tmp_path / "none.tdapp", resources=RESOURCES, target=tmp_path / "window.png")


@pytest.mark.slow
def test_desk_saves_steps_on_a_worker_thread(
    qapp: QApplication, qtbot: QtBot, settings: QSettings, tournament_path: Path
) -> None:
    session = start.make_session(qapp, RESOURCES, settings, work=SessionWorker())
    window = Window(session)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(session.opened):
        session.open_tournament_in_background(partial(Desk.open, tournament_path))
    for number in range(20):
        session.do(partial(commands.add_player, key=f"x{number}", division=A, name=f"New {number}"))
    qtbot.waitUntil(lambda: len(session.index.players(A)) == 26)
    for _ in range(20):
        session.undo()
    qtbot.waitUntil(lambda: len(session.index.players(A)) == 6)
    window.close()
    session.close()
    session.work.close()


def test_application_has_a_window_icon(qapp: QApplication, settings: QSettings) -> None:
    qapp.setWindowIcon(QIcon())
    settings.setValue("language", "en")
    session = start.make_session(qapp, RESOURCES, settings, work=SessionWorker(inline=True))
    icon_image = qapp.windowIcon().pixmap(64).toImage()
    assert icon_image.pixelColor(32, 4).name() == "#17435f"
    session.work.close()


def list_loaded_modules(tmp_path: Path, script: str) -> set[str]:
    """Run a start script in a process. Return the names of its loaded modules."""
    file = tmp_path / "a.tdapp"
    Desk.create(file, play_rounds(make_tournament(players=8), 1)).close()
    printing_script = script.replace("os._exit(0)", "print(*sys.modules, flush=True); os._exit(0)")
    command = [sys.executable, "-c", printing_script, str(file), str(RESOURCES), str(tmp_path / "settings.ini")]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert "tdapp.gui.rounds.page" in result.stdout.split(), result.stderr
    return set(result.stdout.split())


def test_window_loads_no_late_modules_before_painting(tmp_path: Path) -> None:
    late_modules, slow_script = {*LATE_MODULES, "tdapp.gui.tournament.page"}, START
    for statement in ("session.open_tournament_of_desk(", "window.show("):
        slow_script = slow_script.replace(statement, f"from time import sleep; sleep(0.2)\n{statement}")
    assert sorted(list_loaded_modules(tmp_path, slow_script) & late_modules) == []


@pytest.mark.slow
def test_window_loads_slow_modules_when_idle(tmp_path: Path) -> None:
    wait_script = """
from time import monotonic
end = monotonic() + 60
while "tdapp.storage.tables" not in sys.modules and monotonic() < end:
    application.processEvents()
session.close()"""
    assert "tdapp.storage.tables" in list_loaded_modules(tmp_path, START.replace("\nsession.close()", wait_script))


def test_open_demo_opens_the_sample_tournament(empty_session: Session) -> None:
    open_sample_tournament(empty_session)
    assert empty_session.division is not None
    assert len(empty_session.index.players(empty_session.division.id)) == PLAYERS
    assert empty_session.path is None
    assert empty_session.round is not None
    assert empty_session.index.list_open_games(empty_session.round.id)


@pytest.mark.slow
@pytest.mark.parametrize("opening_way", ["typed", "asked"])  # macOS asks for the file by an event
def test_run_window_opens_a_file_and_closes(tournament_path: Path, tmp_path: Path, opening_way: str) -> None:
    command = [
        sys.executable,
        "-c",
        CLOSE_WHEN_OPEN_SCRIPT,
        str(tournament_path),
        str(RESOURCES),
        str(tmp_path / "settings.ini"),
        opening_way,
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    assert str(tournament_path) in str(settings.value("recent"))


def test_show_window_fits_the_screen(empty_session: Session, qtbot: QtBot) -> None:
    window = start.make_window(empty_session)
    qtbot.addWidget(window)
    screen_size = window.screen().availableSize()
    window.resize(screen_size.width() + 1, screen_size.height() + 1)
    start.show_window_fitted_to_screen(window)
    assert window.isMaximized()
    assert window.normalGeometry().size() == screen_size
    window.showNormal()
    window.hide()
    window.setMinimumSize(1, 1)
    window.resize(screen_size / 2)
    start.show_window_fitted_to_screen(window)
    assert not window.isMaximized()


class ShownWindowRecorder(QObject):
    """Records the class names of top-level windows when they appear."""

    def __init__(self) -> None:
        super().__init__()
        self.class_names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's own name
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.class_names.append(type(watched).__name__)
        return False


def test_window_shows_no_other_window_at_first(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=4)))
    recorder, application = ShownWindowRecorder(), QApplication.instance()
    assert application is not None
    application.installEventFilter(recorder)
    show_window(empty_session, qtbot, "players")
    application.removeEventFilter(recorder)
    assert recorder.class_names == ["Window"]


@pytest.mark.slow
def test_window_makes_only_the_visible_page_at_first(empty_session: Session, qtbot: QtBot) -> None:
    window = start.make_window(empty_session)
    qtbot.addWidget(window)
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=24)))
    assert list(window.pages.pages_by_id) == ["players"]

    qtbot.waitUntil(lambda: len(window.pages.pages_by_id) == len(PAGES))
    assert list(window.pages.pages_by_id) == list(PAGES)
    assert window.page.id == "players"
    assert window.get_action("add-player") in window._menus["players"].actions()
    assert window.get_action("standings") in window._menus["standings"].actions()


@pytest.mark.slow
def test_window_runs_actions_of_pages_not_made_yet(empty_session: Session, qtbot: QtBot) -> None:
    window = start.make_window(empty_session)
    qtbot.addWidget(window)
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=24)))
    window.get_action("standings").trigger()
    assert window.page.id == "standings"


@pytest.mark.parametrize("key", sorted(MODIFIER_KEYS))
def test_window_makes_no_page_for_modifier_keys(empty_session: Session, qtbot: QtBot, key: Qt.Key) -> None:
    window = start.make_window(empty_session)
    qtbot.addWidget(window)
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=0)))
    page_ids = list(window.pages.pages_by_id)
    QApplication.sendEvent(window, QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.ControlModifier))
    assert list(window.pages.pages_by_id) == page_ids


class NonsenseSettings(QSettings):
    """Settings that return the same value for every key."""

    nonsense: object = ""

    def value(self, _key: str, _default: object = None, **options: object) -> Any:  # type: ignore[override]
        return bool(self.nonsense) if options.get("type") is bool else self.nonsense


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", ["purple", "-1", "9" * 30, "[1, 2]", '{"view": {}}', ["a", "b"], "\u0663", 7])
def test_window_opens_with_invalid_settings(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, nonsense: object
) -> None:
    settings = NonsenseSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.nonsense = nonsense
    session = start.make_session(qapp, RESOURCES, settings, work=SessionWorker(inline=True))
    session.open_tournament_of_desk(make_desk(make_tournament(players=6)))
    window = Window(session)
    qtbot.addWidget(window)
    window.pages.make_all_pages()
    for page_id in window.pages.pages_by_id:
        window.show_page(page_id)
    window.close()
    session.close()
    session.work.close()


@pytest.mark.slow
def test_main_without_a_screen_prints_one_line(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    environment |= {"QT_QPA_PLATFORM": "nonsense", "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tdapp"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert result.returncode == 2
    assert result.stderr.startswith("tdapp: no window can be opened here (")
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("argument", "message"), [("rezult", "there is no “rezult”"), ("no.tdapp/", "no window")])
def test_main_reports_a_mistyped_verb_in_one_line(tmp_path: Path, argument: str, message: str) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "nonsense", "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tdapp", argument]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert (result.returncode, result.stderr.count("\n"), message in result.stderr) == (2, 1, True), result.stderr
