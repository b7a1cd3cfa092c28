"""Options of several verbs, and the parsers of their values, loaded on demand."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from datetime import date
from importlib import import_module
from pathlib import Path

Option = tuple[tuple[str, ...], dict[str, object]]


def option(*names: str, **how: object) -> Option:
    return names, how


def read_place(text: str) -> object:
    from tdapp.storage.address import parse_location

    return parse_location(text)


def page_url(text: str) -> str:
    """Add a slash at the end. Raises ArgumentTypeError."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+/?", text):
        raise ArgumentTypeError(f"“{text}” is not an address such as http://192.168.1.5:8089/")
    return text.removesuffix("/") + "/"


def read_day(text: str) -> str:
    """Read ISO 8601. Raises ValueError."""
    return date.fromisoformat(text).isoformat()


def read_bounds(text: str) -> tuple[int, int]:
    """Read a range such as 20-300, or one number. Raises ArgumentTypeError."""
    found = re.fullmatch("([0-9]{1,3})(?:-([0-9]{1,3}))?", text)
    if found is None:
        raise ArgumentTypeError(f"“{text}” is not a number or two such as 20-300")
    return int(found[1]), int(found[2] or found[1])


def load_choices(module: str, name: str) -> Callable[[], Iterable[str]]:
    return lambda: getattr(import_module(module), name)


def export_formats() -> Iterable[str]:
    from tdapp.exchange.exports import EXPORTS
    from tdapp.web.site_folder import FORMAT

    return (*EXPORTS, FORMAT)


def worth_names() -> Iterable[str]:
    """Return the named values for the points of a round without a game."""
    from tdapp.domain.ruleset import AwardBy

    return (*(one.value for one in AwardBy if one is not AwardBy.FIXED), "rules")


FILE = option("file", type=read_place, metavar="FILE")
DIVISION = option("--division", metavar="D", help="the division's code")
ROUND = option("--round", type=int, metavar="N", help="default: the last published round")
OPTIONAL_FILE = option("file", type=read_place, nargs="?", metavar="FILE")
ADDRESS = option("address", type=read_place, metavar="URL")
NUMBER = option("player", type=int, metavar="number")
FROM_ROUND = option("--from-round", "--round", type=int, metavar="N", help="default: the next one")
TABLE = option("--table", type=int, required=True, metavar="T")
RULES = option("--rules", required=True, metavar="ID", help="a rule set, see rulesets")
AFTER = option("--after", "--round", type=int, metavar="N", help="after round N; default: the last")
THEN = option(
    "--then",
    action="append",
    default=[],
    metavar="COMMAND",
    help="run it once the pages are written, {folder} is their folder: rsync, scp, git; may be repeated",
)
READ_AT = option(
    "--address", default="", metavar="URL", help="where the pages will be read, such as https://example.org/open/"
)
GAME = (FILE, ROUND, TABLE, DIVISION)
RANKED = (FILE, DIVISION, AFTER)
LEAVER = (FILE, NUMBER, FROM_ROUND, DIVISION)

COMMON: tuple[Option, ...] = (
    option("--lang", choices=load_choices("tdapp.i18n.catalogue", "LANGUAGES"), help="the language of texts"),
    option("--json", action="store_true", help="print one JSON document"),
    option("--quiet", action="store_true", help="print nothing but what is wrong, and JSON"),
    option("--log", type=Path, metavar="FILE", help="note there what was run and how it ended"),
)
NOTES = """
A file named - is standard input or output. The language is that of LC_ALL, LC_MESSAGES or LANG, or of --lang.
FILE is a tournament's file, or the address of a shared one: postgresql://NAME@HOST/DATABASE.
The password is better not typed there: PGPASSWORD in the environment or ~/.pgpass has it."""
