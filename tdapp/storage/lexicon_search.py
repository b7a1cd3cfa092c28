"""Find words of a word list by their letters. For the jury only.

A word's signature is a number that all its anagrams share. A rack (a player's letters) with blanks has one
signature for each choice of letters. Different letters have the same signature with a probability of 2^-58.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import NamedTuple

from tdapp.domain.errors import CommandError
from tdapp.scrabble.wordlist import normalise_word
from tdapp.storage.lexicon import LONGEST, Lexicon
from tdapp.storage.statements import make_quoted_select_statement

MOST = 500  # words in one answer
MOST_BLANKS = 2
_NO_LIMIT = 50_000  # more than all words of three letters
_HAS_SIGNATURE = "WHERE signature IN (SELECT value FROM json_each(?))"
_FIND_ANAGRAMS = make_quoted_select_statement(
    "word", ("text",), _HAS_SIGNATURE, order="length(text) DESC, text LIMIT ?"
)
_FIND_MATCHES = make_quoted_select_statement(
    "word", ("text",), "WHERE text GLOB ?", order="length(text), text LIMIT ?"
)
LONGEST_RACK_FOR_PARTS = 9  # tiles; with two blanks, about 50,000 signatures


class WordSearchResult(NamedTuple):
    """The words found by a search."""

    words: tuple[str, ...]
    is_truncated: bool  # whether the search found more than its limit


class WordHooks(NamedTuple):
    """The letters that make a longer word when put before or after the given text."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def find_hooks(lexicon: Lexicon, word: str) -> WordHooks:
    """Return the hooks of a text, which need not be a word."""
    text = _normalise_letters(lexicon, word)
    alphabet = lexicon.metadata.alphabet
    return WordHooks(
        tuple(letter for letter in alphabet if lexicon.has_word(letter + text)),
        tuple(letter for letter in alphabet if lexicon.has_word(text + letter)),
    )


def find_anagrams(
    lexicon: Lexicon, rack: str, *, allow_fewer_tiles: bool = False, limit: int = MOST
) -> WordSearchResult:
    """Return the words that use all tiles of a rack; `?` is a blank.

    With `allow_fewer_tiles`, also return words that use only some of the tiles. The longest words come first,
    words of equal length in alphabetical order.
    """
    blanks = rack.count("?")
    letters = _normalise_letters(lexicon, rack.replace("?", "")) if rack.strip("? ") else ""
    longest = LONGEST_RACK_FOR_PARTS if allow_fewer_tiles else LONGEST
    if len(letters) + blanks > longest:
        raise CommandError("search-too-long", longest=longest)
    if blanks > MOST_BLANKS:
        raise CommandError("search-blanks", most=MOST_BLANKS)
    signatures = _compute_rack_signatures(lexicon, letters, blanks, allow_fewer_tiles=allow_fewer_tiles)
    return _make_search_result(
        lexicon.query_rows(_FIND_ANAGRAMS, json.dumps(sorted(signatures)), limit + 1), limit
    )


def _compute_rack_signatures(lexicon: Lexicon, letters: str, blanks: int, *, allow_fewer_tiles: bool) -> set[int]:
    sums = {0}
    for letter in letters:
        value = lexicon.compute_anagram_signature(letter)
        if value is not None:
            sums = {total + value for total in sums} | (sums if allow_fewer_tiles else set())
        elif not allow_fewer_tiles:
            return set()
    values = [lexicon.compute_anagram_signature(letter) or 0 for letter in lexicon.metadata.alphabet]
    blank_sums = {
        sum(blank_values)
        for blank_count in range(0 if allow_fewer_tiles else blanks, blanks + 1)
        for blank_values in combinations_with_replacement(values, blank_count)
    }
    return {total + extra for total in sums for extra in blank_sums}


def find_words_by_pattern(lexicon: Lexicon, pattern: str, *, limit: int = MOST) -> WordSearchResult:
    """Return the words that match: `?` is one letter, `*` any number of letters. The shortest words come first."""
    clean_pattern = unicodedata.normalize("NFC", pattern.strip()).upper()
    if not clean_pattern or not all(character in "?*" or character.isalpha() for character in clean_pattern):
        raise CommandError("search-letters", typed=pattern)
    while "**" in clean_pattern:
        clean_pattern = clean_pattern.replace("**", "*")
    return _make_search_result(lexicon.query_rows(_FIND_MATCHES, clean_pattern, limit + 1), limit)


def map_printable_short_words_by_length(lexicon: Lexicon) -> Mapping[int, tuple[str, ...]]:
    """Return the words of two and three letters, by length.

    Raises CommandError "letters-not-allowed" if the publisher has not allowed printing.
    """
    if not lexicon.metadata.can_words_be_printed:
        raise CommandError("letters-not-allowed", name=lexicon.metadata.edition.name)
    return {
        length: tuple(sorted(find_words_by_pattern(lexicon, "?" * length, limit=_NO_LIMIT).words))
        for length in (2, 3)
    }


def _normalise_letters(lexicon: Lexicon, letters: str) -> str:
    text = normalise_word(letters, lexicon.edition.language)
    if text is None:
        raise CommandError("search-letters", typed=letters)
    return text


def _make_search_result(rows: list[tuple[str]], limit: int) -> WordSearchResult:
    return WordSearchResult(tuple(text for (text,) in rows[:limit]), len(rows) > limit)
