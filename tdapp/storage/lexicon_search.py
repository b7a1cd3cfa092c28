"""Finds words of an edition by their letters. For the jury only.

A word's signature is a number that all its anagrams share (`lexicon`). A rack with blanks has several signatures,
one for each choice of letters. Two racks with different letters have the same signature with a probability of
2^-58.
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
from tdapp.storage.statements import make_quoted_select_statement

MOST = 500  # words in one answer
MOST_BLANKS = 2
_EVERY = 50_000  # more than all words of three letters
_AMONG = "WHERE signature IN (SELECT value FROM json_each(?))"
_FIND_ANAGRAMS = make_quoted_select_statement("word", ("text",), _AMONG, order="length(text) DESC, text LIMIT ?")
_FIND_MATCHES = make_quoted_select_statement(
    "word", ("text",), "WHERE text GLOB ?", order="length(text), text LIMIT ?"
)
LONGEST_RACK_FOR_PARTS = 9  # tiles; two blanks among them lead to some fifty thousand places


class WordSearchResult(NamedTuple):
    """The words found by a search."""

    words: tuple[str, ...]
    is_truncated: bool  # whether the search found more than its limit


class WordHooks(NamedTuple):
    """The letters that make a longer word when put before or behind the given word."""

    before: tuple[str, ...]
    behind: tuple[str, ...]


def find_hooks(lexicon: Lexicon, word: str) -> WordHooks:
    """Return the hooks of a text, which need not be a word."""
    text = _normalise_letters(lexicon, word)
    alphabet = lexicon.metadata.alphabet
    return WordHooks(
        tuple(letter for letter in alphabet if lexicon.has_word(letter + text)),
        tuple(letter for letter in alphabet if lexicon.has_word(text + letter)),
    )


def find_anagrams(lexicon: Lexicon, rack: str, *, parts: bool = False, most: int = MOST) -> WordSearchResult:
    """Return the words that use all tiles of a rack; `?` is a blank.

    With `parts`, also return words that use only some of the tiles. Longest words first, then alphabetical.
    """
    blanks = rack.count("?")
    letters = _normalise_letters(lexicon, rack.replace("?", "")) if rack.strip("? ") else ""
    longest = LONGEST_RACK_FOR_PARTS if parts else LONGEST
    if len(letters) + blanks > longest:
        raise RuleViolation("search-too-long", longest=longest)
    if blanks > MOST_BLANKS:
        raise RuleViolation("search-blanks", most=MOST_BLANKS)
    signatures = _compute_anagram_signatures(lexicon, letters, blanks, parts=parts)
    return _make_search_result(lexicon.query_rows(_FIND_ANAGRAMS, json.dumps(sorted(signatures)), most + 1), most)


def _compute_anagram_signatures(lexicon: Lexicon, letters: str, blanks: int, *, parts: bool) -> set[int]:
    sums = {0}
    for letter in letters:
        value = lexicon.compute_signature(letter)
        if value is not None:
            sums = {total + value for total in sums} | (sums if parts else set())
        elif not parts:
            return set()
    values = [lexicon.compute_signature(letter) or 0 for letter in lexicon.metadata.alphabet]
    filled = {
        sum(chosen)
        for used in range(0 if parts else blanks, blanks + 1)
        for chosen in combinations_with_replacement(values, used)
    }
    return {total + extra for total in sums for extra in filled}


def find_words_by_pattern(lexicon: Lexicon, pattern: str, *, most: int = MOST) -> WordSearchResult:
    """Return the words that match: `?` is one letter, `*` any number of letters. The shortest words come first."""
    wanted = unicodedata.normalize("NFC", pattern.strip()).upper()
    if not wanted or not all(sign in "?*" or sign.isalpha() for sign in wanted):
        raise RuleViolation("search-letters", typed=pattern)
    while "**" in wanted:
        wanted = wanted.replace("**", "*")
    return _make_search_result(lexicon.query_rows(_FIND_MATCHES, wanted, most + 1), most)


def list_two_and_three_letter_words(lexicon: Lexicon) -> Mapping[int, tuple[str, ...]]:
    """Return the words of two and three letters, by length.

    Raises RuleViolation "letters-not-allowed" if the publisher has not allowed printing.
    """
    if not lexicon.metadata.may_be_printed:
        raise RuleViolation("letters-not-allowed", name=lexicon.metadata.edition.name)
    return {
        length: tuple(sorted(find_words_by_pattern(lexicon, "?" * length, most=_EVERY).words)) for length in (2, 3)
    }


def _normalise_letters(lexicon: Lexicon, typed: str) -> str:
    text = normalise_word(typed, lexicon.edition.language)
    if text is None:
        raise RuleViolation("search-letters", typed=typed)
    return text


def _make_search_result(rows: list[tuple[str]], most: int) -> WordSearchResult:
    return WordSearchResult(tuple(text for (text,) in rows[:most]), len(rows) > most)
