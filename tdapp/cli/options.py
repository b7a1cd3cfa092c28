"""Options that several verbs have, and the parsers of their values."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from datetime import date
from importlib import import_module
from pathlib import Path

Option = tuple[tuple[str, ...], dict[str, object]]


def make_option(*names: str, **settings: object) -> Option:
    return names, settings


def parse_path_or_address(text: str) -> object:
    """Return the path of a file, or the address of a shared tournament."""
    from tdapp.storage.address import parse_location

    return parse_location(text)


def parse_page_url(text: str) -> str:
    """Return the URL with a slash at the end. Raises ArgumentTypeError."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+/?", text):
        raise ArgumentTypeError(f"“{text}” is not an address such as http://192.168.1.5:8089/")
    return text.removesuffix("/") + "/"


def parse_iso_date(text: str) -> str:
    """Return a date in ISO 8601. Raises ArgumentTypeError for other text."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ArgumentTypeError(f"“{text}” is not a date such as 2026-11-28") from None


def parse_number_range(text: str) -> tuple[int, int]:
    """Return the bounds of a range such as 20-300. One number is both bounds. Raises ArgumentTypeError."""
    match = re.fullmatch("([0-9]{1,3})(?:-([0-9]{1,3}))?", text)
    if match is None:
        raise ArgumentTypeError(f"“{text}” is not a number or two such as 20-300")
    return int(match[1]), int(match[2] or match[1])


def make_choices_loader(module: str, name: str) -> Callable[[], Iterable[str]]:
    return lambda: getattr(import_module(module), name)


def list_export_formats() -> Iterable[str]:
    from tdapp.exchange.exports import EXPORTS
    from tdapp.exchange.rating_lists import EXPORT_FORMATS
    from tdapp.services.publishing import FORMAT

    return (*EXPORTS, *EXPORT_FORMATS, FORMAT)


def list_point_award_methods() -> Iterable[str]:
    """Return the names of the ways to award points for a round without a game, such as `field-average`."""
    from tdapp.domain.ruleset import UnplayedRoundPointsSource

    return (
        *(method.value for method in UnplayedRoundPointsSource if method is not UnplayedRoundPointsSource.FIXED),
        "rules",
    )


FILE = make_option("file", type=parse_path_or_address, metavar="FILE")
DIVISION = make_option("--division", metavar="D", help="code of the division")
ROUND = make_option(
    "--round", type=int, metavar="N", help="number of the round; default: the last published round"
)
OPTIONAL_FILE = make_option("file", type=parse_path_or_address, nargs="?", metavar="FILE")
ADDRESS = make_option("address", type=parse_path_or_address, metavar="URL")
PLAYER = make_option("player", metavar="PLAYER", help="number or part of the name")
FROM_ROUND = make_option(
    "--from-round", "--round", type=int, metavar="N", help="first round; default: the next round"
)
TABLE = make_option("--table", type=int, required=True, metavar="T", help="number of the table")
RULES = make_option("--rules", required=True, metavar="ID", help="id of a rule set; “tdapp rulesets” lists them")
AFTER = make_option("--after", "--round", type=int, metavar="N", help="after round N; default: the last round")
UPLOAD_COMMANDS = make_option(
    "--then",
    action="append",
    default=[],
    metavar="COMMAND",
    help=(
        "command to run after the pages are written, such as rsync or git; {folder} is replaced by their "
        "folder; may be repeated"
    ),
)
PAGES_ADDRESS = make_option(
    "--address", default="", metavar="URL", help="public address of the pages, such as https://example.org/open/"
)
GAME_OPTIONS = (FILE, ROUND, TABLE, DIVISION)
STANDINGS_OPTIONS = (FILE, DIVISION, AFTER)
WITHDRAWAL_OPTIONS = (FILE, PLAYER, FROM_ROUND, DIVISION)

COMMON: tuple[Option, ...] = (
    make_option(
        "--lang", choices=make_choices_loader("tdapp.i18n.catalogue", "LANGUAGES"), help="language of the texts"
    ),
    make_option("--json", action="store_true", help="print one JSON document"),
    make_option("--quiet", action="store_true", help="print only errors and JSON"),
    make_option("--log", type=Path, metavar="FILE", help="write to this file what was run and how it ended"),
)
NOTES = """
A file named - is standard input or output.
--lang sets the language. Default: the language of LC_ALL, LC_MESSAGES or LANG.
FILE is the file of a tournament, or the address of a shared one: postgresql://NAME@HOST/DATABASE.
Do not type a password in the address: set PGPASSWORD in the environment or use ~/.pgpass."""
