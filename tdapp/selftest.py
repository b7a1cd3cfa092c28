"""Self-test: play a small tournament with every part of the program and print the failures.

Mainly for bundles: it finds a missing font, translation, library or plug-in before an event.
"""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from ssl import create_default_context
from tempfile import TemporaryDirectory
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

from pypdfium2 import PdfDocument

from tdapp import cli
from tdapp.desk import Desk
from tdapp.domain.errors import StorageError
from tdapp.domain.tournament import compute_diff
from tdapp.exchange import spreadsheets
from tdapp.exchange.presets import read_rating_systems, read_rulesets, read_tilesets
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.reports import REPORTS
from tdapp.reports.logo import convert_logo_to_base64
from tdapp.storage import Store, take_snapshot_before_migration
from tdapp.storage.address import parse_location
from tdapp.storage.migrations import MIGRATIONS
from tdapp.versions import is_bundled_program, list_bundled_software, map_software_versions
from tdapp.web.server import WebServer

PLAYERS, ROUNDS = 8, 3
NAME = "Čup Ŵỹð ½ – ß’Øž"  # letters that a missing or wrong font shows as boxes
_TIMEOUT_SECONDS = 60.0  # timeout in seconds, generous for any machine
SMALLEST_PICTURE = 20_000  # bytes; an image of an empty window is smaller
NO_SERVER = "postgresql://nobody@127.0.0.1:1/nothing"  # an address without a server


class OptionalPackageMissingError(Exception):
    """An optional part is not installed. The text explains how to install it."""


def run_selftest(resources: Path) -> int:
    """Test every part in a temporary folder. Return 0 if all work, else 1."""
    for name, version in map_software_versions().items():
        print(f"      {name} {version}")
    failure_count = 0
    with TemporaryDirectory(prefix="tdapp-") as folder:
        for name, part in PARTS.items():
            failure_count += not _run_and_report_test(name, part, resources, Path(folder))
    print("all parts work" if not failure_count else f"{failure_count} of {len(PARTS)} parts do not work")
    return 1 if failure_count else 0


def _run_and_report_test(
    name: str, test_part: Callable[[Path, Path], None], resources: Path, folder: Path
) -> bool:
    try:
        test_part(resources, folder)
    except OptionalPackageMissingError as error:
        print(f"--    {name}: not installed ({error})")
        return True
    except Exception:
        print(f"FAIL  {name}\n{traceback.format_exc()}")
        return False
    print(f"ok    {name}")
    return True


def _fail_unless(condition: object, message: str) -> None:
    if not condition:
        raise AssertionError(message)


def _run_cli(*arguments: object, code: int = 0) -> str:
    output = StringIO()
    with redirect_stdout(output):
        exit_code = cli.run_command_line(
            [str(argument) for argument in arguments[1:]], resources=Path(str(arguments[0]))
        )
    _fail_unless(exit_code == code, f"{arguments[1]} ended with {exit_code}")
    return output.getvalue()


def _test_data_files(resources: Path, _folder: Path) -> None:
    for name, values in (
        ("rule sets", read_rulesets(resources / "rulesets")),
        ("tile sets", read_tilesets(resources / "tilesets")),
        ("rating systems", read_rating_systems(resources / "ratings")),
    ):
        _fail_unless(values, f"no {name}")


def _test_translations_and_help(resources: Path, _folder: Path) -> None:
    english = Catalogue("en", resources / "locale").text("Players")
    pages = {}
    for language in LANGUAGES:
        files = (resources / "help" / language).glob("*.md")
        pages[language] = {page.name for page in files if page.stat().st_size}
        catalogue = Catalogue(language, resources / "locale")
        _fail_unless(language == "en" or catalogue.text("Players") != english, f"{language} is not translated")
        _fail_unless(catalogue.describe_step("undo", {}), f"{language} has no words for steps")
        _fail_unless(pages["en"] and pages["en"] == pages[language], f"the help in {language} is not whole")


def _test_licences(resources: Path, _folder: Path) -> None:
    names = [part.name for part in list_bundled_software(resources) if not part.licence_text]
    _fail_unless(not names, f"no text of a licence: {names}")


def _test_sample_tournament(resources: Path, folder: Path) -> None:
    file = folder / "cup.tdapp"
    _run_cli(resources, "demo", file, "--players", PLAYERS, "--rounds", ROUNDS)
    _run_cli(resources, "do", file, "edit-event", f"name={NAME}")
    before = _run_cli(resources, "standings", file, "--json")
    _run_cli(resources, "undo", file)
    _run_cli(resources, "redo", file)
    _fail_unless(_run_cli(resources, "standings", file, "--json") == before, "undo and redo changed the standings")
    _run_cli(resources, "check", file)


def _test_simulated_chances(resources: Path, folder: Path) -> None:
    file = folder / "open.tdapp"
    _run_cli(resources, "snapshot", folder / "cup.tdapp", file)
    for _ in range(2):  # a name and the last result
        _run_cli(resources, "undo", file)
    chances = json.loads(_run_cli(resources, "chances", file, "--json"))
    _fail_unless(chances["simulations"] and chances["open_games"], "nothing was simulated")


def _test_second_process(_resources: Path, _folder: Path) -> None:
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_send_greeting, args=(sender,), daemon=True)
    child.start()
    sender.close()
    _fail_unless(receiver.poll(_TIMEOUT_SECONDS) and receiver.recv() == NAME, "it said nothing")
    child.join(_TIMEOUT_SECONDS)


def _send_greeting(connection: Connection) -> None:
    connection.send(NAME)


def _test_exported_files(resources: Path, folder: Path) -> None:
    for name in ("cup.json", "cup.csv", "cup.xlsx"):
        _run_cli(resources, "export", folder / "cup.tdapp", folder / name)
    book = str(spreadsheets.read_spreadsheet((folder / "cup.xlsx").read_bytes()))
    rows = json.loads(_run_cli(resources, "standings", folder / "cup.tdapp", "--json"))["rows"]
    names = [row["name"] for row in rows]
    _fail_unless(names and all(name in book for name in names), "players are missing in the workbook")
    copy = folder / "copy.tdapp"
    _run_cli(resources, "new", copy, "--name", "Copy", "--rules", "nl-match")
    _run_cli(resources, "import", copy, folder / "cup.json")
    original, imported = (
        _run_cli(resources, "standings", folder / name, "--json") for name in ("cup.tdapp", "copy.tdapp")
    )
    _fail_unless(original == imported, "the tournament did not come back from JSON")


def _test_file_migration(resources: Path, folder: Path) -> None:
    old = folder / "old.tdapp"
    _run_cli(resources, "snapshot", folder / "cup.tdapp", old)
    with closing(Store.open(old)) as store:
        before = store.load_tournament_and_revision()[0]
    with closing(
        Store.open(
            old,
            copy_before_migration=take_snapshot_before_migration,
            migrations=(*MIGRATIONS, lambda lines: lines),
        )
    ) as store:
        _fail_unless(
            store.location.schema_version == len(MIGRATIONS) + 2, "the file did not become one of the next version"
        )
        _fail_unless(
            compute_diff(before, store.load_tournament_and_revision()[0]) == (),
            "the next version holds something else",
        )


def _test_snapshot(resources: Path, folder: Path) -> None:
    _run_cli(resources, "snapshot", folder / "cup.tdapp", folder / "snapshot.tdapp")
    _run_cli(resources, "check", folder / "snapshot.tdapp")


def _test_word_list(resources: Path, folder: Path) -> None:
    word_file, edition = resources / "lexicons" / "nl-practice.txt", folder / "practice.lex"
    _run_cli(resources, "lexicon", "build", word_file, edition, "--language", "nl")
    lines = word_file.read_text(encoding="utf-8").splitlines()
    word = next(line.split()[0] for line in lines if line[:1].isalpha())
    _run_cli(resources, "judge", edition, word)
    _run_cli(resources, "judge", edition, "QQQQQ", code=1)


# Reports without content in the sample tournament.
_EMPTY_REPORTS = frozenset(
    {
        "bracket", "teams", "prizes", "fees", "incidents", "sanctions", "rulings", "challenges", "doubtful-words",
        "short-words", "season", "season-ratings", "season-years", "team-matches",
    }
)  # fmt: skip
_HINDI = "राहुल"  # HarfBuzz shapes it


def _test_printouts(resources: Path, folder: Path) -> None:
    for language in LANGUAGES:
        pdf = folder / f"standings-{language}.pdf"
        _run_cli(resources, "print", folder / "cup.tdapp", "standings", "-o", pdf, "--lang", language)
        _fail_unless(NAME in _read_pdf_text(pdf), f"the paper in {language} does not name the event")
    pdf, copy = folder / "report.pdf", folder / "names.tdapp"
    for report in REPORTS:
        empty = report in _EMPTY_REPORTS
        with redirect_stderr(StringIO()):
            _run_cli(resources, "print", folder / "cup.tdapp", report, "-o", pdf, code=2 if empty else 0)
        _fail_unless(empty or _read_pdf_text(pdf), f"nothing to read on {report}")
    _run_cli(resources, "snapshot", folder / "cup.tdapp", copy)
    _run_cli(resources, "do", copy, "edit-player", "player=1", f"name={_HINDI}")
    _run_cli(resources, "print", copy, "standings", "-o", pdf)
    _fail_unless(_HINDI in _read_pdf_text(pdf), "a name in Hindi is not printed")


def _test_logo_reading(resources: Path, _folder: Path) -> None:
    picture = (resources / "pictures" / "window.png").read_bytes()
    _fail_unless(convert_logo_to_base64(picture, "window.png"), "an organiser's logo cannot be read")


def _test_exported_site(resources: Path, folder: Path) -> None:
    _run_cli(resources, "export", folder / "cup.tdapp", folder / "site", "--format", "html")
    _fail_unless(
        NAME in (folder / "site" / "index.html").read_text(encoding="utf-8"), "the site does not name the event"
    )


def _test_web_pages(resources: Path, folder: Path) -> None:
    with closing(Desk.open(folder / "cup.tdapp", read_only=True)) as desk:
        server = WebServer(desk.tournament, resources, language="en", certificates=folder)
    url = server.start("127.0.0.1", 0)
    trusting = HTTPSHandler(context=create_default_context(cafile=folder / "room.pem"))
    try:
        with build_opener(ProxyHandler({}), trusting).open(url, timeout=_TIMEOUT_SECONDS) as answer:
            _fail_unless(NAME in answer.read().decode(), "the room's page does not name the event")
    finally:
        server.stop()


def _test_database_driver(_resources: Path, _folder: Path) -> None:
    try:
        Store.open(parse_location(NO_SERVER))
    except StorageError as error:
        if error.code == "server-driver-missing":
            _fail_unless(not is_bundled_program(), f"no driver: {error.facts}")
            raise OptionalPackageMissingError("pip install 'tdapp[stations]'") from error


def _read_pdf_text(pdf: Path) -> str:
    with PdfDocument(pdf) as document:
        return "".join(page.get_textpage().get_text_range() for page in document).strip()


def _test_window(resources: Path, folder: Path) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tdapp import gui  # noqa: PLC0415 - last: the other tests need no Qt
    from tdapp.gui.shell.about import list_missing_resources  # noqa: PLC0415

    picture = folder / "window.png"
    gui.save_window_picture(folder / "cup.tdapp", resources=resources, target=picture)
    _fail_unless(picture.stat().st_size > SMALLEST_PICTURE, "the window is empty")
    absent = list_missing_resources(resources)
    _fail_unless(not absent, f"the window lacks {absent}")


PARTS: Mapping[str, Callable[[Path, Path], None]] = {
    "rule sets, tile sets, rating systems": _test_data_files,
    "languages and help": _test_translations_and_help,
    "licences": _test_licences,
    "a tournament played, taken back and done again": _test_sample_tournament,
    "chances simulated": _test_simulated_chances,
    "a process beside this one": _test_second_process,
    "files written and read": _test_exported_files,
    "a snapshot": _test_snapshot,
    "a file brought to the next version": _test_file_migration,
    "a word list made and asked": _test_word_list,
    "every report printed and read": _test_printouts,
    "an organiser's logo": _test_logo_reading,
    "the pages of a web site": _test_exported_site,
    "the room's page over the network": _test_web_pages,
    "the driver of PostgreSQL": _test_database_driver,
    "the window": _test_window,
}
