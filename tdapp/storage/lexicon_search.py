"""Finds words of an edition by their letters, for the jury, never for players.

A rack with blanks becomes a list of signatures. Two racks share a signature with a chance of 2^-58. Answers are
limited.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import NamedTuple

from tdapp.domain.errors import RuleViolation
from tdapp.scrabble.wordlist import normalise_word
from tdapp.storage.lexicon import LONGEST, Lexicon

MOST = 500  # words in one answer
MOST_BLANKS = 2
_EVERY = 50_000  # more than all words of three letters
LONGEST_RACK_FOR_PARTS = 9  # tiles; two blanks among them lead to some fifty thousand places


class Found(NamedTuple):
    """`more`: the answer was cut at the limit."""

    words: tuple[str, ...]
    more: bool


class Hooks(NamedTuple):
    """Letters in front of or behind a word."""

    before: tuple[str, ...]
    behind: tuple[str, ...]


def find_hooks(lexicon: Lexicon, word: str) -> Hooks:
    """Return the hooks of any text, in the list or not."""
    text = _normalise_letters(lexicon, word)
    alphabet = lexicon.metadata.alphabet
    return Hooks(
        tuple(letter for letter in alphabet if lexicon.has(letter + text)),
        tuple(letter for letter in alphabet if lexicon.has(text + letter)),
    )


def find_anagrams(lexicon: Lexicon, rack: str, *, parts: bool = False, most: int = MOST) -> Found:
    """Use every tile of a rack; `?` is a blank. `parts` includes shorter words.

    Longest first, then alphabetically. Raises RuleViolation (search-letters, search-too-long, search-blanks).
    """
    blanks = rack.count("?")
    letters = _normalise_letters(lexicon, rack.replace("?", "")) if rack.strip("? ") else ""
    longest = LONGEST_RACK_FOR_PARTS if parts else LONGEST
    if len(letters) + blanks > longest:
        raise RuleViolation("search-too-long", longest=longest)
    if blanks > MOST_BLANKS:
        raise RuleViolation("search-blanks", most=MOST_BLANKS)
    signatures = _list_signatures(lexicon, letters, blanks, parts=parts)
    rows = lexicon.rows(
        "SELECT text FROM json_each(?) AS wanted CROSS JOIN word ON word.signature = wanted.value"
        " ORDER BY length(text) DESC, text LIMIT ?",
        json.dumps(sorted(signatures)),
        most + 1,
    )
    return _limit(rows, most)


def _list_signatures(lexicon: Lexicon, letters: str, blanks: int, *, parts: bool) -> set[int]:
    sums = {0}
    for letter in letters:
        value = lexicon.signature(letter)
        if value is not None:
            sums = {total + value for total in sums} | (sums if parts else set())
        elif not parts:
            return set()
    values = [lexicon.signature(letter) or 0 for letter in lexicon.metadata.alphabet]
    filled = {
        sum(chosen)
        for used in range(0 if parts else blanks, blanks + 1)
        for chosen in combinations_with_replacement(values, used)
    }
    return {total + extra for total in sums for extra in filled}


def find_matching(lexicon: Lexicon, pattern: str, *, most: int = MOST) -> Found:
    """Match `?` as any letter, `*` as any number of letters; shortest first.

    Raises RuleViolation (search-letters).
    """
    wanted = unicodedata.normalize("NFC", pattern.strip()).upper()
    if not wanted or not all(sign in "?*" or sign.isalpha() for sign in wanted):
        raise RuleViolation("search-letters", typed=pattern)
    while "**" in wanted:
        wanted = wanted.replace("**", "*")
    rows = lexicon.rows(
        "SELECT text FROM word WHERE text GLOB ? ORDER BY length(text), text LIMIT ?", wanted, most + 1
    )
    return _limit(rows, most)


def list_short_words(lexicon: Lexicon) -> Mapping[int, tuple[str, ...]]:
    """Return words of two and three letters by length, for printing.

    Raises RuleViolation "letters-not-allowed" for an official edition: its publisher has not allowed it.
    """
    if not lexicon.metadata.may_be_printed:
        raise RuleViolation("letters-not-allowed", name=lexicon.metadata.edition.name)
    return {length: tuple(sorted(find_matching(lexicon, "?" * length, most=_EVERY).words)) for length in (2, 3)}


def _normalise_letters(lexicon: Lexicon, typed: str) -> str:
    text = normalise_word(typed, lexicon.edition.language)
    if text is None:
        raise RuleViolation("search-letters", typed=typed)
    return text


def _limit(rows: list[tuple[str]], most: int) -> Found:
    return Found(tuple(text for (text,) in rows[:most]), len(rows) > most)
