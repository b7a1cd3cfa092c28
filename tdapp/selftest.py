"""Self-test: play a small tournament with every part of the program and print the failures.

Mainly for bundles: it finds a missing font, translation, library or plug-in before an event.
"""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stdout
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
from tdapp.domain.tournament import diff
from tdapp.exchange import spreadsheets
from tdapp.exchange.presets import read_presets, read_ratings, read_tilesets
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.reports import REPORTS
from tdapp.reports.logo import read_logo
from tdapp.storage import Store, before_migration
from tdapp.storage.address import location_of
from tdapp.storage.migrations import MIGRATIONS
from tdapp.versions import frozen, parts, versions
from tdapp.web.server import Room

PLAYERS, ROUNDS = 8, 3
NAME = "Čup Ŵỹð ½ – ß’Øž"  # letters that a missing or wrong font shows as boxes
SLOWEST = 60.0  # timeout in seconds, generous for any machine
SMALLEST_PICTURE = 20_000  # bytes; an image of an empty window is smaller
NO_SERVER = "postgresql://nobody@127.0.0.1:1/nothing"  # an address without a server


class NotInstalledError(Exception):
    """An optional part is not installed. The text explains how to install it."""


def run(resources: Path) -> int:
    """Test every part in a temporary folder and print a line for each. Return 0 if all work, else 1."""
    for name, version in versions().items():
        print(f"      {name} {version}")
    failed = 0
    with TemporaryDirectory(prefix="tdapp-") as folder:
        for name, part in PARTS.items():
            failed += not _works(name, part, resources, Path(folder))
    print("all parts work" if not failed else f"{failed} of {len(PARTS)} parts do not work")
    return 1 if failed else 0


def _works(name: str, part: Callable[[Path, Path], None], resources: Path, folder: Path) -> bool:
    try:
        part(resources, folder)
    except NotInstalledError as left_out:
        print(f"--    {name}: not installed ({left_out})")
        return True
    except Exception:
        print(f"FAIL  {name}\n{traceback.format_exc()}")
        return False
    print(f"ok    {name}")
    return True


def _must(fact: object, what: str) -> None:
    if not fact:
        raise AssertionError(what)


def _said(*given: object, code: int = 0) -> str:
    """Run a verb of the command line and return its output. The exit code must be `code`."""
    out = StringIO()
    with redirect_stdout(out):
        ended = cli.run([str(one) for one in given[1:]], resources=Path(str(given[0])))
    _must(ended == code, f"{given[1]} ended with {ended}")
    return out.getvalue()


def _data(resources: Path, _folder: Path) -> None:
    for name, found in (
        ("rule sets", read_presets(resources / "rulesets")),
        ("tile sets", read_tilesets(resources / "tilesets")),
        ("rating systems", read_ratings(resources / "ratings")),
    ):
        _must(found, f"no {name}")


def _texts(resources: Path, _folder: Path) -> None:
    english = Catalogue("en", resources / "locale").text("Players")
    pages = {}
    for language in LANGUAGES:
        found = (resources / "help" / language).glob("*.md")
        pages[language] = {page.name for page in found if page.stat().st_size}
        catalogue = Catalogue(language, resources / "locale")
        _must(language == "en" or catalogue.text("Players") != english, f"{language} is not translated")
        _must(catalogue.step("undo", {}), f"{language} has no words for steps")
        _must(pages["en"] and pages["en"] == pages[language], f"the help in {language} is not whole")


def _licences(resources: Path, _folder: Path) -> None:
    without = [part.name for part in parts(resources) if not part.text]
    _must(not without, f"no text of a licence: {without}")


def _tournament(resources: Path, folder: Path) -> None:
    file = folder / "cup.tdapp"
    _said(resources, "demo", file, "--players", PLAYERS, "--rounds", ROUNDS)
    _said(resources, "do", file, "edit-event", f"name={NAME}")
    before = _said(resources, "standings", file, "--json")
    _said(resources, "undo", file)
    _said(resources, "redo", file)
    _must(_said(resources, "standings", file, "--json") == before, "undo and redo changed the standings")
    _said(resources, "check", file)


def _chances(resources: Path, folder: Path) -> None:
    file = folder / "open.tdapp"
    _said(resources, "snapshot", folder / "cup.tdapp", file)
    for _ in range(2):  # the name, and the last result
        _said(resources, "undo", file)
    found = json.loads(_said(resources, "chances", file, "--json"))
    _must(found["simulations"] and found["open_games"], "nothing was simulated")


def _process(_resources: Path, _folder: Path) -> None:
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_greet, args=(there,), daemon=True)
    child.start()
    there.close()
    _must(here.poll(SLOWEST) and here.recv() == NAME, "it said nothing")
    child.join(SLOWEST)


def _greet(there: Connection) -> None:
    there.send(NAME)


def _files(resources: Path, folder: Path) -> None:
    for name in ("cup.json", "cup.csv", "cup.xlsx"):
        _said(resources, "export", folder / "cup.tdapp", folder / name)
    book = str(spreadsheets.read((folder / "cup.xlsx").read_bytes()))
    rows = json.loads(_said(resources, "standings", folder / "cup.tdapp", "--json"))["rows"]
    names = [row["name"] for row in rows]
    _must(names and all(name in book for name in names), "players are missing in the workbook")
    copy = folder / "copy.tdapp"
    _said(resources, "new", copy, "--name", "Copy", "--rules", "nl-match")
    _said(resources, "import", copy, folder / "cup.json")
    there, back = (_said(resources, "standings", folder / name, "--json") for name in ("cup.tdapp", "copy.tdapp"))
    _must(there == back, "the tournament did not come back from JSON")


def _older_file(resources: Path, folder: Path) -> None:
    old = folder / "old.tdapp"
    _said(resources, "snapshot", folder / "cup.tdapp", old)
    with closing(Store.open(old)) as store:
        before = store.load()[0]
    with closing(Store.open(old, copy=before_migration, migrations=(*MIGRATIONS, lambda lines: lines))) as store:
        _must(store.location.version == len(MIGRATIONS) + 2, "the file did not become one of the next version")
        _must(diff(before, store.load()[0]) == (), "the next version holds something else")


def _snapshot(resources: Path, folder: Path) -> None:
    _said(resources, "snapshot", folder / "cup.tdapp", folder / "snapshot.tdapp")
    _said(resources, "check", folder / "snapshot.tdapp")


def _word_list(resources: Path, folder: Path) -> None:
    listed, edition = resources / "lexicons" / "nl-practice.txt", folder / "practice.lex"
    _said(resources, "lexicon", "build", listed, edition, "--language", "nl")
    lines = listed.read_text(encoding="utf-8").splitlines()
    word = next(line.split()[0] for line in lines if line[:1].isalpha())
    _said(resources, "judge", edition, word)
    _said(resources, "judge", edition, "QQQQQ", code=1)


def _paper(resources: Path, folder: Path) -> None:
    for language in LANGUAGES:
        paper = folder / f"standings-{language}.pdf"
        _said(resources, "print", folder / "cup.tdapp", "standings", "-o", paper, "--lang", language)
        _must(NAME in _text_of(paper), f"the paper in {language} does not name the event")
    for report in REPORTS:
        _said(resources, "print", folder / "cup.tdapp", report, "-o", folder / "report.pdf")
        _must(_text_of(folder / "report.pdf"), f"nothing to read on {report}")


def _picture(resources: Path, _folder: Path) -> None:
    picture = (resources / "pictures" / "window.png").read_bytes()  # also as JPEG, to compare
    _must(read_logo(picture, "window.png"), "an organiser's logo cannot be read")


def _site(resources: Path, folder: Path) -> None:
    _said(resources, "export", folder / "cup.tdapp", folder / "site", "--format", "html")
    _must(NAME in (folder / "site" / "index.html").read_text(encoding="utf-8"), "the site does not name the event")


def _room(resources: Path, folder: Path) -> None:
    with closing(Desk.open(folder / "cup.tdapp", read_only=True)) as desk:
        room = Room(desk.tournament, resources, language="en", certificates=folder)
    url = room.start("127.0.0.1", 0)
    trusting = HTTPSHandler(context=create_default_context(cafile=folder / "room.pem"))
    try:
        with build_opener(ProxyHandler({}), trusting).open(url, timeout=SLOWEST) as answer:
            _must(NAME in answer.read().decode(), "the room's page does not name the event")
    finally:
        room.stop()


def _stations(_resources: Path, _folder: Path) -> None:
    try:
        Store.open(location_of(NO_SERVER))
    except StorageError as error:
        if error.code == "server-driver-missing":
            _must(not frozen(), f"no driver: {error.facts}")
            raise NotInstalledError("pip install 'tdapp[stations]'") from error


def _text_of(paper: Path) -> str:
    with PdfDocument(paper) as document:
        return "".join(page.get_textpage().get_text_range() for page in document).strip()


def _window(resources: Path, folder: Path) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tdapp import gui  # noqa: PLC0415 - Qt is loaded last, so that what fails before is told without it
    from tdapp.gui.shell.about import missing  # noqa: PLC0415

    picture = folder / "window.png"
    gui.picture(folder / "cup.tdapp", resources=resources, target=picture)
    _must(picture.stat().st_size > SMALLEST_PICTURE, "the window is empty")
    absent = missing(resources)
    _must(not absent, f"the window lacks {absent}")


PARTS: Mapping[str, Callable[[Path, Path], None]] = {
    "rule sets, tile sets, rating systems": _data,
    "languages and help": _texts,
    "licences": _licences,
    "a tournament played, taken back and done again": _tournament,
    "chances simulated": _chances,
    "a process beside this one": _process,
    "files written and read": _files,
    "a snapshot": _snapshot,
    "a file brought to the next version": _older_file,
    "a word list made and asked": _word_list,
    "every report printed and read": _paper,
    "an organiser's logo": _picture,
    "the pages of a web site": _site,
    "the room's page over the network": _room,
    "the driver of PostgreSQL": _stations,
    "the window": _window,
}
