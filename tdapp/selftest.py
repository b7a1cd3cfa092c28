"""Does this copy of the program work? Plays a small tournament with all that it brings, and says what failed.

For bundles above all: a font, a translation, a library or a plug-in that was left out shows here, not at an event.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from pypdfium2 import PdfDocument

from tdapp import cli
from tdapp.exchange.presets import read_presets, read_ratings, read_tilesets
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.reports import REPORTS
from tdapp.versions import versions

PLAYERS, ROUNDS = 8, 3
SMALLEST_PICTURE = 20_000  # bytes; an empty window has fewer


def run(resources: Path) -> int:
    """Try every part in a folder of its own, print a line for each, and return 0 if all work, else 1."""
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
    except Exception:
        print(f"FAIL  {name}\n{traceback.format_exc()}")
        return False
    print(f"ok    {name}")
    return True


def _must(fact: object, what: str) -> None:
    if not fact:
        raise AssertionError(what)


def _said(*given: object, code: int = 0) -> str:
    """Run a verb of the command line and return what it prints; its exit code must be `code`."""
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
    for language in LANGUAGES:
        words = Catalogue(language, resources / "locale")
        _must(language == "en" or words.text("Players") != english, f"{language} is not translated")
        _must(words.step("undo", {}), f"{language} has no words for steps")
        _must(any((resources / "help" / language).glob("*.md")), f"{language} has no help")


def _tournament(resources: Path, folder: Path) -> None:
    file = folder / "cup.tdapp"
    _said(resources, "demo", file, "--players", PLAYERS, "--rounds", ROUNDS)
    before = _said(resources, "standings", file, "--json")
    _said(resources, "undo", file)
    _said(resources, "redo", file)
    _must(_said(resources, "standings", file, "--json") == before, "undo and redo changed the standings")
    _said(resources, "check", file)


def _files(resources: Path, folder: Path) -> None:
    for name in ("cup.json", "cup.csv"):
        _said(resources, "export", folder / "cup.tdapp", folder / name)
    copy = folder / "copy.tdapp"
    _said(resources, "new", copy, "--name", "Copy", "--rules", "nl-match")
    _said(resources, "import", copy, folder / "cup.json")
    there, back = (_said(resources, "standings", folder / name, "--json") for name in ("cup.tdapp", "copy.tdapp"))
    _must(there == back, "the tournament did not come back from JSON")


def _snapshot(resources: Path, folder: Path) -> None:
    _said(resources, "snapshot", folder / "cup.tdapp", folder / "snapshot.tdapp")
    _said(resources, "check", folder / "snapshot.tdapp")


def _word_list(resources: Path, folder: Path) -> None:
    words, edition = resources / "lexicons" / "nl-practice.txt", folder / "practice.lex"
    _said(resources, "lexicon", "build", words, edition, "--language", "nl")
    word = next(line.split()[0] for line in words.read_text(encoding="utf-8").splitlines() if line[:1].isalpha())
    _said(resources, "judge", edition, word)
    _said(resources, "judge", edition, "QQQQQ", code=1)


def _paper(resources: Path, folder: Path) -> None:
    for language in LANGUAGES:
        paper = folder / f"standings-{language}.pdf"
        _said(resources, "print", folder / "cup.tdapp", "standings", "-o", paper, "--lang", language)
        _must(_text_of(paper), f"nothing to read on the paper in {language}")
    for report in REPORTS:
        _said(resources, "print", folder / "cup.tdapp", report, "-o", folder / "report.pdf")
        _must(_text_of(folder / "report.pdf"), f"nothing to read on {report}")


def _text_of(paper: Path) -> str:
    with PdfDocument(paper) as document:
        return "".join(page.get_textpage().get_text_range() for page in document).strip()


def _window(resources: Path, folder: Path) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tdapp import gui  # noqa: PLC0415 - Qt is loaded last, so that what fails before is told without it

    picture = folder / "window.png"
    gui.picture(folder / "cup.tdapp", resources=resources, target=picture)
    _must(picture.stat().st_size > SMALLEST_PICTURE, "the window is empty")


PARTS: Mapping[str, Callable[[Path, Path], None]] = MappingProxyType(
    {
        "rule sets, tile sets, rating systems": _data,
        "languages and help": _texts,
        "a tournament played, taken back and done again": _tournament,
        "files written and read": _files,
        "a snapshot": _snapshot,
        "a word list made and asked": _word_list,
        "every report printed and read": _paper,
        "the window": _window,
    }
)
