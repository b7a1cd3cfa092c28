"""The decorator of all commands, and checks of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeGuard, TypeVar

from tdapp.domain.dates import EXAMPLE_DATE, find_impossible_date, parse_date_to_iso
from tdapp.domain.errors import CommandError
from tdapp.domain.impact import find_changed_certified_result
from tdapp.domain.text_characters import iterate_characters_with_error_codes
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import Text

P = ParamSpec("P")
K = TypeVar("K", bound=str)
V = TypeVar("V")

LONGEST_TEXT = 200
LONGEST_NOTE = 5000
LAST_ROUND = 100_000
HIGHEST_TABLE = 100_000
MOST_POINTS = 9_999  # in a game, for or against
LEAST_POINTS = -999  # penalties can exceed the score


CommandFunction = Callable[Concatenate[Tournament, P], Tournament]


def command(
    sentence: Text, *, allowed_when_finished: bool = False
) -> Callable[[CommandFunction[P]], CommandFunction[P]]:
    """Return a decorator for commands. `sentence` describes the executed command in the history and for undo.

    `domain.journal` fills the placeholders of `sentence`. With `allowed_when_finished`, the command also works
    in a finished tournament.
    """

    def declare_command(function: CommandFunction[P]) -> CommandFunction[P]:
        @wraps(function)
        def run_if_unfinished(tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> Tournament:
            if tournament.event.finished and not allowed_when_finished:
                raise CommandError("tournament-finished")
            return function(tournament, *args, **kwargs)

        vars(run_if_unfinished)["sentence"] = sentence
        return run_if_unfinished

    return declare_command


def is_command(item: object) -> TypeGuard[Callable[..., Tournament]]:
    return callable(item) and "sentence" in getattr(item, "__dict__", {})


def get_history_sentence(function: Callable[..., Tournament]) -> Text:
    sentence: Text = vars(function)["sentence"]
    return sentence


def get_allowed_change_or_refuse(before: Tournament, after: Tournament, reason: str) -> Tournament:
    result = None if reason.strip() else find_changed_certified_result(before, after)
    if result is not None:
        raise CommandError("result-final", table=before.games[result.id].table)
    return after


def get_row_or_refuse(rows: Mapping[K, V], key: K, code: str) -> V:
    try:
        return rows[key]
    except KeyError:
        raise CommandError(code, id=str(key)) from None


def strip_and_check_text(value: str, field: str, *, longest: int = LONGEST_TEXT) -> str:
    """Return `value` without outer spaces. Refuse long texts and unreadable characters."""
    value = value.strip()
    if len(value) > longest:
        raise CommandError("text-too-long", field=field, length=len(value), longest=longest)
    problems = iterate_characters_with_error_codes(value)
    error_code = next((code for character, code in problems if code and character != "\n"), "")
    if error_code:
        raise CommandError(error_code, field=field)
    return value


def strip_and_check_required_text(value: str, field: str, *, longest: int = LONGEST_TEXT) -> str:
    value = strip_and_check_text(value, field, longest=longest)
    if not value:
        raise CommandError("text-missing", field=field)
    return value


def check_number_in_range(value: int, field: str, *, low: int, high: int) -> int:
    if not low <= value <= high:
        raise CommandError("number-out-of-range", field=field, value=value, low=low, high=high)
    return value


def parse_date_to_iso_or_refuse(text: str, field: str) -> str:
    """Return a typed date in ISO 8601, "" for no text."""
    text = text.strip()
    refuse_impossible_date(text, field)
    iso_date = parse_date_to_iso(text) if text else ""
    if iso_date is None:
        raise CommandError("date-unreadable", date=text, example=EXAMPLE_DATE, field=field)
    return iso_date


def refuse_impossible_date(text: str, field: str) -> None:
    """Refuse a text with a date in figures that does not exist. Any other text is allowed."""
    if impossible_date := find_impossible_date(text):
        raise CommandError("date-impossible", date=impossible_date, example=EXAMPLE_DATE, field=field)
