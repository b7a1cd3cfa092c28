"""Starts Qt, and makes the window: fonts, looks, language, and what happens when something goes wrong."""

from __future__ import annotations

import gc
import linecache
import os
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
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
from tdapp.gui.shell.crash_handling import Faults, note
from tdapp.gui.shell.qt_texts import translate_qt
from tdapp.gui.shell.session import Session, Work
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import SCHEMES, Look, load_fonts, wanted_size
from tdapp.i18n.catalogue import ALIASES, LANGUAGES, Catalogue
from tdapp.services.command_queue import STUCK
from tdapp.services.preferences import read_choice
from tdapp.services.resources import Resources
from tdapp.storage import Address, Store
from tdapp.storage.library import Library

CALM = 1_000  # ms after a tournament was opened


def run(
    file: Path | Address | None, *, resources: Path, settings_path: Path | None = None, language: str | None = None
) -> int:
    """Open the window, on `file` if given, and return the exit code when it is closed.

    `language` is for this run only; without it the chosen language applies.
    """
    settings = settings_in(settings_path)
    refuse_without_screen()
    application = make_application()
    session = make_session(application, resources, settings, work=Work(), language=language)
    window = make_window(session)
    show(window)
    linecache.clearcache()  # PySide reads the source of every module that is loaded after it, and keeps it: 8 MB
    faults = Faults(session, window, folder=data_folder())
    faults.install()
    calm = QTimer(singleShot=True, interval=CALM)
    calm.timeout.connect(spare_the_collector)
    session.opened.connect(calm.start)
    calm.start()
    if file is not None:
        session.open_location(file)
    if isinstance(application, Application):
        application.file_wanted.connect(partial(_open_wanted, window))
    code = application.exec()
    session.close()
    if not session.work.close(STUCK):
        os._exit(code)  # the disk does not answer, and who left knows what is not saved
    faults.remove()
    return code


class Application(QApplication):
    """Hears of a file that is double-clicked while the program runs: macOS sends it, also at the start."""

    file_wanted = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Tell which file is wanted."""
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        self.file_wanted.emit(event.file())
        return True


def _open_wanted(window: Window, file: str) -> None:
    window.leave(partial(window.session.open_location, Path(file)))


def refuse_without_screen() -> None:
    """Let the program end in one line where Qt finds no screen; it would abort."""
    heard: list[str] = []

    def hear(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        heard.append(message.strip())
        if kind is not QtMsgType.QtFatalMsg:
            if not (context.category or "").startswith("qt.qpa"):  # why there is none
                note(kind, context, message)
            return
        sys.stderr.write(f"tdapp: no window can be opened here ({heard[0]}). Without one: tdapp --help\n")
        sys.stderr.flush()
        os._exit(2)

    qInstallMessageHandler(hear)


def spare_the_collector() -> None:
    """Let the garbage collector, which the start goes without, look only at what comes from now on.

    To look at all of a large tournament takes longer than a result, and would be done at every third.
    """
    linecache.clearcache()  # of the modules that came with the pages
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.enable()


def show(window: Window) -> None:
    """Show the window; where the screen is no larger, or its frame has no room, as large as the screen."""
    room = window.screen().availableSize()
    if window.width() >= room.width() or window.height() >= room.height():
        window.resize(window.size().boundedTo(room))  # where no system makes it that large
        window.showMaximized()
    else:
        window.show()


def picture(file: Path, *, resources: Path, target: Path, size: tuple[int, int] = (1440, 900)) -> None:
    """Save a picture of the window on `file` as a PNG; raise StorageError if the file cannot be opened."""
    with closing(Desk.open(file, read_only=True)) as desk:
        seen = desk.tournament
    application = make_application()
    settings = QSettings(str(target.with_suffix(".ini")), QSettings.Format.IniFormat)
    told = qInstallMessageHandler(note)
    session = make_session(application, resources, settings, work=Work(inline=True))
    session.look.choose("light")
    target.parent.mkdir(parents=True, exist_ok=True)
    window = Window(session)
    try:
        session.attach(Desk(Store.memory(seen)))  # the window shows what is opened from now on
        window.pages.make_all()  # as the self-test needs it
        window.resize(*size)
        window.show()
        application.processEvents()
        window.grab().save(str(target))
    finally:  # nothing of it stays
        window.close()
        session.close()
        session.work.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    qInstallMessageHandler(told)
    settings.clear()
    settings.sync()
    target.with_suffix(".ini").unlink(missing_ok=True)


def make_application() -> QApplication:
    """Return the application, styled so that it looks the same everywhere."""
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    rounding = Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(rounding)
    QApplication.setStyle("Fusion")
    made = Application(["tdapp"])
    made.setApplicationName("tdapp")
    made.setApplicationDisplayName("tdapp")
    made.setDesktopFileName(os.environ.get("FLATPAK_ID", "tdapp"))  # Wayland finds the window's picture by it
    return made


def settings_in(path: Path | None) -> QSettings:
    """Return the user's settings, in the usual place or in `path`."""
    if path is not None:
        return QSettings(str(path), QSettings.Format.IniFormat)
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "tdapp", "tdapp")


def make_session(
    application: QApplication, resources: Path, settings: QSettings, *, work: Work, language: str | None = None
) -> Session:
    """Return a session in `language`, by default the user's, and the user's looks."""
    load_fonts(resources / "fonts")
    application.setWindowIcon(QIcon(str(resources / "pictures" / "tdapp.svg")))
    look = Look(resources, scheme=read_choice(settings, "scheme", SCHEMES, "system"), size=wanted_size(settings))
    look.apply()
    language = language or read_choice(settings, "language", LANGUAGES, own_language())
    translate_qt(application, language, resources / "locale")
    catalogue = Catalogue(language, resources / "locale")
    library = Library(Path(settings.fileName()).parent / "lexicons")
    return Session(
        work=work,
        catalogue=catalogue,
        look=look,
        resources=Resources(resources),
        settings=settings,
        library=library,
    )


def make_window(session: Session) -> Window:
    """Return the window on a session; the pages that it does not show come when there is nothing else to do."""
    window = Window(session)
    window.pages.make_piecemeal()
    return window


def own_language() -> str:
    """Return the system's language where the program speaks it, English otherwise."""
    for name in QLocale.system().uiLanguages():
        code = ALIASES.get(name[:2], name[:2])
        if code in LANGUAGES:
            return code
    return "en"


def data_folder() -> Path:
    """Return the folder in which faults are noted."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))
