"""Start Qt and make the window."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import (
    QBuffer,
    QCoreApplication,
    QEvent,
    QLocale,
    QMessageLogContext,
    QSettings,
    QStandardPaths,
    Qt,
    QTimer,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from tdapp.desk import Desk
from tdapp.exchange.text import write_file
from tdapp.gui.shell.crash_handling import FaultHandler, log_qt_message
from tdapp.gui.shell.qt_texts import translate_qt_texts
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import SCHEMES, Appearance, get_stored_or_system_text_size, load_fonts
from tdapp.i18n.catalogue import ALIASES, LANGUAGES, Catalogue
from tdapp.services.command_queue import STUCK_SECONDS
from tdapp.services.preferences import read_choice
from tdapp.services.resources import Resources
from tdapp.storage import Address, Store
from tdapp.storage.library import WordListLibrary

GARBAGE_DELAY = 1_000  # ms after opening a tournament
LEAVING_PATIENCE = 5.0  # seconds in which a discarded step can still be saved and undone


def run_window(
    file: Path | Address | None, *, resources: Path, settings_path: Path | None = None, language: str | None = None
) -> int:
    """Show the window until it closes. Return the exit code. `language` is for this run only."""
    settings = open_settings(settings_path)
    install_exit_handler_for_missing_display()
    application = make_application()
    session = make_session(application, resources, settings, work=SessionWorker(), language=language)
    window = make_window(session)
    show_window_fitted_to_screen(window)
    faults = FaultHandler(session, window, folder=get_data_folder())
    faults.install_hooks_and_report_crash()
    garbage_timer = QTimer(singleShot=True, interval=GARBAGE_DELAY)
    garbage_timer.timeout.connect(resume_garbage_collector)
    session.opened.connect(garbage_timer.start)
    garbage_timer.start()
    if file is not None:
        session.open_location(file)
    if isinstance(application, Application):
        application.file_wanted.connect(partial(_open_requested_file, window))
    code = application.exec()
    is_discarded_step_running = session.queue.is_discarded_step_running
    session.close()
    if not session.work.close(LEAVING_PATIENCE if is_discarded_step_running else STUCK_SECONDS):
        os._exit(code)  # the user agreed to lose the unsaved steps: a disk that answers again must not save them
    faults.remove_hooks()
    return code


class Application(QApplication):
    """The Qt application. Opens files that the macOS Finder sends."""

    file_wanted = Signal(str)

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        self.file_wanted.emit(event.file())
        return True


def _open_requested_file(window: Window, file: str) -> None:
    window.leave_after_unsaved_input_check(partial(window.session.open_location, Path(file)))


def install_exit_handler_for_missing_display() -> None:
    """Exit with a one-line error if the computer has no display. Qt itself would abort."""
    qt_messages: list[str] = []

    def handle_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        qt_messages.append(message.strip())
        if kind is not QtMsgType.QtFatalMsg:
            if not (context.category or "").startswith("qt.qpa"):  # reasons why Qt found no screen
                log_qt_message(kind, context, message)
            return
        sys.stderr.write(f"tdapp: no window can be opened here ({qt_messages[0]}). Without one: tdapp --help\n")
        sys.stderr.flush()
        os._exit(2)

    qInstallMessageHandler(handle_qt_message)


def resume_garbage_collector() -> None:
    """Collect garbage once, exclude all remaining objects from later collections, and enable collection.

    Without this exclusion every third saved result would start a slow full collection.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.enable()


def show_window_fitted_to_screen(window: Window) -> None:
    available_size = window.screen().availableSize()
    if window.width() >= available_size.width() or window.height() >= available_size.height():
        window.resize(window.size().boundedTo(available_size))  # some systems do not limit the window size
        window.showMaximized()
    else:
        window.show()


def save_window_picture(
    file: Path, *, resources: Path, target: Path, size_in_pixels: tuple[int, int] = (1440, 900)
) -> None:
    """Save a PNG picture of the window with a tournament.

    Raises StorageError if the file cannot be opened, InputError if `target` cannot be written.
    """
    with closing(Desk.open(file, read_only=True)) as desk:
        tournament = desk.tournament
    application = make_application()
    settings_folder = TemporaryDirectory()
    settings = QSettings(str(Path(settings_folder.name, "settings.ini")), QSettings.Format.IniFormat)
    old_handler = qInstallMessageHandler(log_qt_message)
    session = make_session(application, resources, settings, work=SessionWorker(inline=True))
    session.appearance.set_colour_scheme("light")
    window = Window(session)
    picture = QBuffer()
    try:
        # the window shows the tournaments opened from now on
        session.open_tournament_of_desk(Desk(Store.create_in_memory(tournament)))
        window.pages.make_all_pages()  # the self-test needs all pages
        window.resize(*size_in_pixels)
        window.show()
        application.processEvents()
        window.grab().save(picture, "PNG")
    finally:
        window.close()
        session.close()
        session.work.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
        settings_folder.cleanup()
        qInstallMessageHandler(old_handler)
    write_file(target, bytes(picture.data().data()))


def make_application() -> QApplication:
    application = QApplication.instance()
    if isinstance(application, QApplication):
        return application
    rounding = Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(rounding)
    QApplication.setStyle("Fusion")
    new_application = Application(["tdapp"])
    new_application.setApplicationName("tdapp")
    new_application.setApplicationDisplayName("tdapp")
    # Wayland uses it to find the window icon
    new_application.setDesktopFileName(os.environ.get("FLATPAK_ID", "tdapp"))
    return new_application


def open_settings(path: Path | None) -> QSettings:
    if path is not None:
        return QSettings(str(path), QSettings.Format.IniFormat)
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "tdapp", "tdapp")


def make_session(
    application: QApplication,
    resources: Path,
    settings: QSettings,
    *,
    work: SessionWorker,
    language: str | None = None,
) -> Session:
    load_fonts(resources / "fonts")
    application.setWindowIcon(QIcon(str(resources / "pictures" / "tdapp.svg")))
    appearance = Appearance(
        resources,
        scheme=read_choice(settings, "scheme", SCHEMES, "system"),
        size=get_stored_or_system_text_size(settings),
    )
    appearance.apply_style()
    language = language or read_choice(settings, "language", LANGUAGES, get_supported_system_language())
    translate_qt_texts(application, language, resources / "locale")
    catalogue = Catalogue(language, resources / "locale")
    library = WordListLibrary(Path(settings.fileName()).parent / "lexicons")
    return Session(
        work=work,
        catalogue=catalogue,
        appearance=appearance,
        resources=Resources(resources),
        settings=settings,
        library=library,
    )


def make_window(session: Session) -> Window:
    window = Window(session)
    window.pages.make_pages_when_idle()
    return window


def get_supported_system_language() -> str:
    for name in QLocale.system().uiLanguages():
        code = ALIASES.get(name[:2], name[:2])
        if code in LANGUAGES:
            return code
    return "en"


def get_data_folder() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))
