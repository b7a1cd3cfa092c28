"""Numbers, dates, times and name order of a language."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING

from tdapp.domain.names import DUTCH

if TYPE_CHECKING:
    from collections.abc import Callable

    from babel import Locale

# British dates and the 24-hour clock for English: the program is used in Europe.
LOCALES = {"en": "en_GB", "nl": "nl_NL", "nb": "nb_NO", "de": "de_DE"}
MINUS = "−"
Number = int | float | Fraction
SortKey = tuple[str, str, str]

_COMMON_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij", "ŋ": "n"}
# CLDR's nb: æ ø å after z, Swedish letters and aa beside them, ü under y; the three ASCII signs sort after z.
_NORWEGIAN = {"æ": "{", "ä": "{", "ø": "|", "ö": "|", "ő": "|", "å": "}", "aa": "}", "ü": "y", "ű": "y"}
_UMLAUT_SPELLINGS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
)  # for keyboards without these letters
_WORD_SEPARATOR = re.compile(r"(?:[^\w{|}]|_)+")
_LANGUAGE_LETTERS = {"nb": tuple(_NORWEGIAN.items())}
_SURNAME_PREFIX = re.compile(rf"(?:(?:{'|'.join(DUTCH)})\s+|d['’])+(?=[^\s,])", re.IGNORECASE)


class LocaleFormats:
    """Formats of numbers and dates in one language. Base class of `Catalogue`."""

    def __init__(self, language: str) -> None:
        self.language = language

    @cached_property
    def _locale(self) -> Locale:
        from babel import Locale

        return Locale.parse(LOCALES[self.language])

    @cached_property
    def decimal_mark(self) -> str:
        from babel import numbers

        return numbers.get_decimal_symbol(self._locale)

    @cached_property
    def _percent_formatter(self) -> Callable[[int], str]:
        from babel import numbers

        return cache(lambda count: numbers.format_percent(Decimal(count) / 100, locale=self._locale))

    def format_number(self, value: Number) -> str:
        """Format a number without grouping, with the minus sign − and at most two decimals."""
        if not isinstance(value, float):  # most numbers are whole
            integer, denominator = value.as_integer_ratio()
            if denominator == 1:
                return str(integer) if integer >= 0 else f"{MINUS}{-integer}"
        hundredths = round(Fraction(value).limit_denominator(10**9) * 100)
        integer, decimals = divmod(abs(hundredths), 100)
        text = f"{integer}{self.decimal_mark}{decimals:02}".rstrip("0") if decimals else str(integer)
        return MINUS + text if hundredths < 0 else text

    def format_one_decimal(self, value: Number) -> str:
        """Format a number with one decimal."""
        tenths = round(Fraction(value) * 10)
        integer, decimal = divmod(abs(tenths), 10)
        return f"{MINUS if tenths < 0 else ''}{integer}{self.decimal_mark}{decimal}"

    def format_money(self, hundredths: int) -> str:
        integer, decimals = divmod(abs(hundredths), 100)
        return f"{MINUS if hundredths < 0 else ''}{integer}{self.decimal_mark}{decimals:02}"

    def format_percentage(self, value: Number) -> str:
        """Format a share (0 to 1) as whole per cent: "<1%" for almost 0, ">99%" for almost 1, "" for 0."""
        if not value:  # the most frequent case
            return ""
        percent = round(100 * value)
        if percent == 0:
            return "<" + self._percent_formatter(1)
        if percent == 100 and value < 1:  # noqa: PLR2004 - per cent
            return ">" + self._percent_formatter(99)
        return self._percent_formatter(percent)

    def format_signed_value(self, value: Number) -> str:
        """Return a number with its sign. Zero has no sign."""
        return "+" + self.format_number(value) if value > 0 else self.format_number(value)

    def format_date(self, value: date | str) -> str:
        """Return a date such as 21 November 2026. Free text is unchanged."""
        try:
            day = date.fromisoformat(value) if isinstance(value, str) else value
        except ValueError:
            return str(value)
        from babel import dates

        return dates.format_date(day, "long", locale=self._locale)

    def format_short_date(self, value: str, parts: str = "MMMd") -> str:
        """Return a date such as 21 Nov. `parts` "Md" gives 21/11, "yMMMd" 21 Nov 2026. Free text is unchanged."""
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return value
        from babel import dates

        return dates.format_skeleton(parts, day, locale=self._locale)

    def format_time(self, value: datetime | time, *, with_seconds: bool = False) -> str:
        """Return the 24-hour time. The caller chooses the time zone."""
        from babel import dates

        form = "HH:mm:ss" if with_seconds else "HH:mm"
        return dates.format_time(value.replace(tzinfo=None), form, locale=self._locale)

    def format_time_ago(self, age: timedelta) -> str:
        from babel import dates

        shown_age = max(age, timedelta(minutes=1))
        return dates.format_timedelta(-shown_age, add_direction=True, granularity="minute", locale=self._locale)

    def format_date_and_time(self, value: datetime, *, with_seconds: bool = False) -> str:
        """Return date and time, such as 21 Nov 2026, 14:05."""
        from babel import dates

        day = dates.format_date(value.date(), "medium", locale=self._locale)
        return f"{day}, {self.format_time(value, with_seconds=with_seconds)}"


def make_sort_key(language: str, name: str, *, ignore_surname_prefix: bool = False) -> SortKey:
    """Return a key that sorts by letters, then accents, then the whole name.

    With `ignore_surname_prefix`, "de Beer, An" is under B.
    """
    prefix = _SURNAME_PREFIX.match(name) if ignore_surname_prefix else None
    folded_name = name if prefix is None else f"{name[prefix.end() :]} {prefix.group()}"
    folded_name = unicodedata.normalize("NFC", folded_name).casefold()
    letters = folded_name
    for letter, replacement in _LANGUAGE_LETTERS.get(language, ()):
        letters = letters.replace(letter, replacement)
    if not letters.isascii():
        for letter, replacement in _COMMON_LETTERS.items():
            letters = letters.replace(letter, replacement)
        decomposed = unicodedata.normalize("NFKD", letters)
        letters = "".join(character for character in decomposed if not unicodedata.combining(character))
    # one space between words, so that Berg comes before Bergen
    return _WORD_SEPARATOR.sub(" ", letters.replace("'", "").replace("’", "")).strip(), folded_name, name


def fold_text(text: str) -> str:
    """Return a text without case, accents and punctuation, for searches."""
    return make_sort_key("en", text)[0]


def make_search_text(text: str) -> str:
    """Return a search text in lower case without accents. If `text` has umlauts, add a second spelling.

    The result for Schäfer is "schafer schaefer".
    """
    lower_text = unicodedata.normalize("NFC", text).casefold()
    respelled = lower_text.translate(_UMLAUT_SPELLINGS)
    return fold_text(text) if respelled == lower_text else f"{fold_text(text)} {fold_text(respelled)}"
