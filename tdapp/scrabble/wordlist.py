"""The interface of word lists, and the conversion of a listed word to tiles.

Each language defines which characters of a word become tiles, are dropped, or make the word unplayable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct, field


class WordVerdict(StrEnum):
    """The answer of a word list for one word."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_BINDING = "not-binding"  # too long for the list: the jury or judge decides


class WordListEdition(Struct, frozen=True):
    """An edition of a word list."""

    name: str
    language: str
    date: str = ""
    source_hash: str = ""  # hexadecimal hash of the imported file
    binding_max_length: int | None = None  # longest binding length in tiles; None: no limit


class WordList(Protocol):
    """A word list that can judge words."""

    @property
    def edition(self) -> WordListEdition:
        """Return the edition of this list."""

    def judge_word(self, word: Sequence[str]) -> WordVerdict:
        """Return the verdict on a word given as tiles. A blank counts as its letter."""


def combine_word_verdicts(verdicts: Collection[WordVerdict]) -> WordVerdict:
    """Return one verdict for a whole play. It is valid only if all its words are (no-turneringsreglement 3.10)."""
    for verdict in (WordVerdict.INVALID, WordVerdict.NOT_BINDING):
        if verdict in verdicts:
            return verdict
    return WordVerdict.VALID


class CharacterFolding(Struct, frozen=True):
    """The rules of a language for converting the characters of a word to tiles."""

    own_letters: frozenset[str] = frozenset()  # letters that keep their diacritics
    ignored: frozenset[str] = frozenset()  # dropped characters
    replacements: Mapping[str, str] = field(default_factory=dict)  # of characters


JOINTS = frozenset("-\u2010\u2011'\u2019\u2018\u02bc\u00b4`")  # hyphens and apostrophes, as lists write them
_NORWEGIAN = CharacterFolding(own_letters=frozenset("ÆØÅÄÖÜ"))
FOLDINGS: Mapping[str, CharacterFolding] = {
    "nl": CharacterFolding(ignored=JOINTS, replacements={"Ĳ": "IJ", "ĳ": "IJ"}),  # Taalreglement 2023
    "de": CharacterFolding(own_letters=frozenset("ÄÖÜ"), replacements={"ß": "SS", "ẞ": "SS"}),  # de-spielregeln 4g
    "nb": _NORWEGIAN,
    "nn": _NORWEGIAN,
    "no": _NORWEGIAN,
    "en": CharacterFolding(replacements={"Æ": "AE", "æ": "AE", "Œ": "OE", "œ": "OE"}),
}
_LETTERS = re.compile("[A-Z]+")


def normalise_word(word: str, language: str, *, accept_hyphens_and_apostrophes: bool = True) -> str | None:
    """Return a word of a word list in capitals, or None if tiles cannot spell it. Accept any length.

    If `accept_hyphens_and_apostrophes` is False, return None for words like "e-mail" in every language (rule book
    be-brailleliga, rule 8).
    """
    if word.isascii() and (capitals := word.strip().upper()) and _LETTERS.fullmatch(capitals):
        return capitals  # fast path for most lines
    folding = FOLDINGS.get(language, FOLDINGS["en"])
    letters = [
        _fold_character(char, folding, accept_hyphens_and_apostrophes=accept_hyphens_and_apostrophes)
        for char in unicodedata.normalize("NFC", word.strip())
    ]
    if None in letters:
        return None
    folded_word = "".join(letter or "" for letter in letters).strip()
    return folded_word if folded_word and " " not in folded_word else None


def spell_word_with_tiles(word: str, language: str, letters: Collection[str]) -> str:
    """Return a word as written with tiles, for example without accents.

    Characters in `letters`, those of the tile set, keep their diacritics. ß becomes SS.
    """
    if word.isascii() and word.isalpha():
        return word
    folding = FOLDINGS.get(language, FOLDINGS["en"])

    def convert_character_to_tiles(char: str) -> str:
        if char.upper() in letters or not (char.isalpha() or char in folding.ignored):
            return char
        folded_char = _fold_character(char, folding, accept_hyphens_and_apostrophes=True)
        if folded_char is None:
            return char
        return folded_char.lower() if char.islower() and char != "ß" else folded_char

    return "".join(map(convert_character_to_tiles, unicodedata.normalize("NFC", word)))


def _fold_character(char: str, folding: CharacterFolding, *, accept_hyphens_and_apostrophes: bool) -> str | None:
    if char.isspace():
        return " "
    if char in folding.ignored:
        return "" if accept_hyphens_and_apostrophes else None
    capital = folding.replacements.get(char) or char.upper()
    if capital in folding.own_letters or _LETTERS.fullmatch(capital):
        return capital
    base = "".join(
        part for part in unicodedata.normalize("NFD", capital) if not unicodedata.category(part).startswith("M")
    )
    return base if not base or base in folding.own_letters or _LETTERS.fullmatch(base) else None
