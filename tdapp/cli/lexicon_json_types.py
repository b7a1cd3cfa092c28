"""What the verb of word lists prints with `--json`, as types."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from tdapp.exchange.wordlist import Dropped
from tdapp.services.word_lists import Comparison, EditionChanges


class EditionJson(TypedDict):
    """A word list edition; `hyphens`: words with hyphen or apostrophe were taken.

    `marked` are those that the list has only so, `names` those with a capital; `printable`: lists of its words may
    be printed.
    """

    name: str
    language: str
    date: str
    edition_id: str
    source_hash: str
    binding_max_length: int | None
    hyphens: bool
    practice: bool
    imported: str
    words: int
    marked: int
    names: int
    printable: bool


class BuiltJson(EditionJson):
    """An edition that was made, and how many lines of its list were dropped for what.

    `compounds` entries of a dictionary can be parts of words that are not in it.
    """

    encoding: str
    compounds: int
    dropped: dict[str, Dropped]
    changes: NotRequired[EditionChanges]


class SoundEditionJson(EditionJson):
    """An edition that was read."""

    sound: bool


class FoundListJson(TypedDict):
    """A practice list on this machine."""

    path: str
    language: str
    name: str


LexiconJson = BuiltJson | SoundEditionJson | Comparison | list[FoundListJson]  # by what is asked
