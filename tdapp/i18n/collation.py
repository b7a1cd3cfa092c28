"""The order of names in each language: its alphabet, accents folded, the same on every machine.

A Dutch name's prefix stands behind it for this where the rules say so: "de Beer, An" is found under B.
"""

from __future__ import annotations

import re
import unicodedata

SortKey = tuple[str, str, str]

_EVERYWHERE = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ĳ": "ij", "ŋ": "n"}
# CLDR's nb: æ ø å after z, Swedish letters and aa beside them, ü under y; the three ASCII signs sort after z.
_NORWEGIAN = {"æ": "{", "ä": "{", "ø": "|", "ö": "|", "ő": "|", "å": "}", "aa": "}", "ü": "y", "ű": "y"}
_BETWEEN = re.compile(r"(?:[^\w{|}]|_)+")
_LETTERS = {"nb": tuple(_NORWEGIAN.items())}
_PREFIX = re.compile(
    r"(?:(?:aan|bij|de|den|der|het|in|onder|op|over|te|ten|ter|tot|uit|uyt|van|voor|von|['’][st])\s+|d['’])+(?=[^\s,])",
    re.IGNORECASE,
)


def sort_key(language: str, name: str, *, past_prefix: bool = False) -> SortKey:
    """Return what `name` sorts by: its letters, then their accents, then the name itself."""
    prefix = _PREFIX.match(name) if past_prefix else None
    folded = name if prefix is None else f"{name[prefix.end() :]} {prefix.group()}"
    folded = unicodedata.normalize("NFC", folded).casefold()
    letters = folded
    for letter, replacement in _LETTERS.get(language, ()):
        letters = letters.replace(letter, replacement)
    if not letters.isascii():
        for letter, replacement in _EVERYWHERE.items():
            letters = letters.replace(letter, replacement)
        decomposed = unicodedata.normalize("NFKD", letters)
        letters = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    # one space for whatever is between words, so that Berg comes before Bergen
    return _BETWEEN.sub(" ", letters.replace("'", "").replace("’", "")).strip(), folded, name


def folded(text: str) -> str:
    """Return `text` without case, accents and signs, as searches compare it."""
    return sort_key("en", text)[0]
