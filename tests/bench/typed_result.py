"""Count the functions and files that run for one typed result: `python -m tests.bench.typed_result`.

The script types a result of a tournament with 24 players on the Rounds page, without the main window. All work
runs on one thread. It prints the numbers of functions and files for the keys of the line and for Enter. `list`
adds each function with the number of its calls.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

import tdapp
from tdapp.domain import commands
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.shell import start
from tdapp.gui.widgets.theme import Appearance, load_fonts
from tdapp.pairing import propose_pairings
from tests.gui.samples import RESOURCES, A, make_desk, make_session, make_tournament

_PACKAGE = Path(tdapp.__file__).parent
Calls = Counter[CodeType]


@contextmanager
def record_calls() -> Iterator[Calls]:
    """Count the calls of the package's named functions on this thread."""
    calls: Calls = Counter()

    def count_call(frame: FrameType, event: str, _value: object) -> None:
        code = frame.f_code
        if event == "call" and not code.co_name.startswith("<") and code.co_filename.startswith(str(_PACKAGE)):
            calls[code] += 1

    sys.setprofile(count_call)
    yield calls
    sys.setprofile(None)


def trace_result(settings: Path) -> tuple[Calls, Calls]:
    """Return the calls for the keys of a line and for Enter, of the second result on a page."""
    application = start.make_application()
    load_fonts(RESOURCES / "fonts")
    appearance = Appearance(RESOURCES, scheme="light")
    appearance.apply_style()
    session = make_session("en", appearance, QSettings(str(settings), QSettings.Format.IniFormat))
    session.open_tournament_of_desk(make_desk(make_tournament(players=24)))
    session.do(
        partial(commands.pair_round, key=session.make_row_id(), proposal=propose_pairings(session.index, A))
    )
    page = RoundsPage(session)
    page.show()
    page.refresh_page()
    for table in (3, 7):
        application.processEvents()
        with record_calls() as key_calls:
            QTest.keyClicks(page.field.line, f"{table} 412 388")
        application.processEvents()
        with record_calls() as enter_calls:
            QTest.keyClick(page.field.line, Qt.Key.Key_Return)
        page.refresh_page()
    assert len(session.tournament.results) == 2
    page.close()
    session.close()
    return key_calls, enter_calls


def main(words: list[str]) -> None:
    """Print the figures."""
    with TemporaryDirectory() as folder:
        calls_and_files = trace_result(Path(folder) / "settings.ini")
    for name, calls in zip(("keys", "Enter"), calls_and_files, strict=True):
        functions = [(_find_path(code), code.co_qualname, count) for code, count in calls.items()]
        files = {path for path, *_ in functions}
        print(f"{name}: {len(calls)} functions in {len(files)} files, {calls.total()} calls")  # noqa: T201 - output
        for path, function, count in sorted(functions) if "list" in words else ():
            print(f"  {path}: {function} {count}")  # noqa: T201 - output


def _find_path(code: CodeType) -> str:
    return str(Path(code.co_filename).relative_to(_PACKAGE))


if __name__ == "__main__":
    main(sys.argv[1:])
