"""JSON types of the verb for word lists."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from tdapp.exchange.wordlist import Dropped
from tdapp.services.word_lists import EditionChanges


class EditionJson(Struct):
    """`hyphens`: words with hyphen or apostrophe are included. `printable`: lists may be printed.

    `marked` are words only listed with accents, `names` those with a capital.
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
    """A new edition, and dropped lines by reason.

    `compounds` are entries allowed as parts of other words.
    """

    encoding: str
    compounds: int
    dropped: dict[str, Dropped]
    changes: EditionChanges | UnsetType = UNSET


class SoundEditionJson(EditionJson):
    """An edition that was read."""

    sound: bool


class FoundListJson(Struct):
    """A practice list on this computer."""

    path: str
    language: str
    name: str
