"""Report a fault of the program without personal data.

A message keeps only words from the code, ids and numbers.
"""

from __future__ import annotations

import builtins
import re
import traceback
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath, PurePosixPath, PureWindowsPath

from msgspec import Struct, field

from tdapp import __version__
from tdapp.domain.errors import UserError
from tdapp.domain.tournament import KINDS, Row, Tournament
from tdapp.versions import map_software_versions

PERSONAL = ("events", "divisions", "players")  # kinds of rows with names of people, clubs and places
SETTINGS = ("language", "scheme", "snapshot-minutes", "paper")  # settings that a report contains
MOST_STEPS = 12
_QUOTED_TEXT = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_PATH = re.compile(r"(?:[A-Za-z]:)?[\\/][^\s'\",;:]+")
_FILE_LINE = re.compile(r'File "([^"]*)"')
_PYTHON_NAMES = frozenset((*dir(builtins), *dir(types)))


class ChainedException(Struct, frozen=True):
    """A caught exception or one of its causes. Its message can contain names of people."""

    frames: tuple[str, ...]  # the lines of the call stack
    kind: str  # type of the exception
    message: str


class CaughtFault(Struct, frozen=True):
    """A caught exception with the exceptions that caused it."""

    causes: tuple[ChainedException, ...]  # the exceptions, oldest first
    code: frozenset[str] = frozenset()  # names of variables and functions, which the report may show

    @property
    def error_type_and_line(self) -> tuple[str, str]:
        """Type and last line of code of the caught exception. Equal for the same fault."""
        last = self.causes[-1]
        return last.kind, last.frames[-1] if last.frames else ""


class FaultReportFacts(Struct, frozen=True):
    """Data about the computer and the program for a fault report."""

    qt: str  # version of Qt
    screens: Sequence[str] = ()  # size and scale of each
    steps: Sequence[str] = ()  # ids of all commands, oldest first
    settings: Mapping[str, str] = field(default_factory=dict)
    saved_at: str = ""  # time of the last save, "" if never


def make_exception_fault(error: BaseException) -> CaughtFault:
    chain: list[BaseException] = []
    code: set[str] = set()
    current_error: BaseException | None = error
    while current_error is not None and current_error not in chain:
        chain.insert(0, current_error)
        code |= _list_identifiers_in_code(current_error)
        current_error = current_error.__cause__ or (
            None if current_error.__suppress_context__ else current_error.__context__
        )
    return CaughtFault(tuple(map(_make_chained_exception, chain)), frozenset(code))


def make_fault_from_message(kind: str, message: str) -> CaughtFault:
    frames = tuple(_format_traceback_frame(frame) for frame in traceback.extract_stack()[:-2])
    return CaughtFault((ChainedException(frames, kind, message),))


def format_fault_report(
    fault: CaughtFault, computer: FaultReportFacts, *, count: int, tournament: Tournament | None, file: str = ""
) -> str:
    """Return the report in English. The fault occurred `count` times. The report omits the path `file`."""
    private, known_words = _list_private_words(tournament) | _list_words_of_text(file), _list_row_ids(tournament)
    lines = [f"tdapp {__version__}: a fault, seen {count} times" if count > 1 else f"tdapp {__version__}: a fault"]
    lines += _describe_computer(computer)
    if tournament is not None:
        sizes = (f"{len(tournament.rows(kind))} {kind}" for kind in ("divisions", "players", "rounds"))
        lines.append("Tournament: " + ", ".join(sizes))
        lines.append(f"Last saved: {computer.saved_at or 'never'}")
        lines.append("Last steps: " + (", ".join(computer.steps[-MOST_STEPS:]) or "none"))
    for cause in fault.causes:
        message = remove_private_names(cause.message, private=private, known_words=known_words | fault.code)
        lines += ["", *cause.frames, f"{cause.kind}: {message}".removesuffix(": ")]
    return "\n".join(lines) + "\n"


def format_crash_report(call_stack: str, computer: FaultReportFacts) -> str:
    """Return the report of a crash. `call_stack` is the output of the crashed process."""
    shortened = _FILE_LINE.sub(lambda match: f'File "{remove_folders_above_package(match[1])}"', call_stack)
    return "\n".join(
        [f"tdapp {__version__}: the program ended suddenly", *_describe_computer(computer), "", shortened]
    )


def remove_folders_above_package(path: str) -> str:
    """Return a path without the folders above the package. They may contain the user's name."""
    pure: PurePath = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    parts = pure.parts
    for root in ("site-packages", "tdapp"):
        if root in parts[:-1]:
            start = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[start + (root == "site-packages") :])
    return pure.name


def remove_private_names(message: str, *, private: frozenset[str], known_words: frozenset[str]) -> str:
    """Remove paths, quoted texts and the words in `private`. Keep `known_words`, also in quotes."""

    def replace_quoted_text(match: re.Match[str]) -> str:
        text = match[1] or match[2] or ""
        is_code = text in known_words or text in _PYTHON_NAMES or message[match.end() :].startswith(" object")
        return match[0] if is_code or not text else "'<text>'"

    def replace_word(match: re.Match[str]) -> str:
        return "<name>" if match[0].casefold() in private and match[0] not in known_words else match[0]

    return re.sub(
        r"[^\W\d_]{2,}", replace_word, _PATH.sub("<path>", _QUOTED_TEXT.sub(replace_quoted_text, message))
    )


def _describe_computer(computer: FaultReportFacts) -> list[str]:
    return [
        ", ".join(f"{name} {version}" for name, version in map_software_versions().items() if name != "tdapp"),
        f"Qt {computer.qt}",
        f"Screens: {', '.join(computer.screens) or 'none'}",
        "Settings: " + (", ".join(f"{key}={value}" for key, value in computer.settings.items()) or "none"),
    ]


def _make_chained_exception(error: BaseException) -> ChainedException:
    frames = tuple(_format_traceback_frame(frame) for frame in traceback.extract_tb(error.__traceback__))
    message = " ".join((error.code, *error.facts)) if isinstance(error, UserError) else str(error)
    return ChainedException(frames, type(error).__name__, message)


def _format_traceback_frame(frame: traceback.FrameSummary) -> str:
    path = remove_folders_above_package(frame.filename)
    return f"  {path}:{frame.lineno} in {frame.name}: {frame.line or ''}".rstrip(": ")


def _list_identifiers_in_code(error: BaseException) -> set[str]:
    words: set[str] = set()
    for frame, _line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        words.update(code.co_names, code.co_varnames, (code.co_name,))
    if isinstance(error, UserError):
        words.update((error.code, *error.facts))
    return words


def _list_row_ids(tournament: Tournament | None) -> frozenset[str]:
    if tournament is None:
        return frozenset()
    return frozenset(key for kind in KINDS for key in tournament.rows(kind))


def _list_private_words(tournament: Tournament | None) -> frozenset[str]:
    if tournament is None:
        return frozenset()
    texts = (text for name in PERSONAL for text in _list_row_texts(tournament.rows(name)))
    return frozenset().union(*map(_list_words_of_text, texts))


def _list_words_of_text(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text))


def _list_row_texts(rows: Mapping[str, Row]) -> Iterator[str]:
    for row in rows.values():
        for name in row.__struct_fields__:
            value = getattr(row, name)
            if type(value) is str and name not in {"id", "division"}:
                yield value
