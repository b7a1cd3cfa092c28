"""Tests of words in the letters of each language, and of the verdict for a play."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble.wordlist import (
    FOLDINGS,
    WordList,
    WordListEdition,
    WordVerdict,
    combine_word_verdicts,
    normalise_word,
)


@pytest.mark.parametrize(
    ("language", "word", "letters"),
    [
        ("nl", "café", "CAFE"),
        ("nl", "mee-eten", "MEEETEN"),
        ("nl", "auto's", "AUTOS"),
        ("nl", "auto’s", "AUTOS"),
        ("nl", "reünie", "REUNIE"),
        ("nl", "ijs", "IJS"),
        ("nl", "ĳs", "IJS"),
        ("nl", "Ĳs", "IJS"),
        ("nl", "garçon", "GARCON"),
        ("nl", "señor", "SENOR"),
        ("nl", "H2O", None),
        ("nl", "ad hoc", None),
        ("nl", "straße", "STRASSE"),
        ("de", "Straße", "STRASSE"),
        ("de", "STRAẞE", "STRASSE"),
        ("de", "Mär", "MÄR"),
        ("de", "Café", "CAFE"),
        ("de", "E-Mail", None),
        ("de", "geht's", None),
        ("nb", "blå", "BLÅ"),
        ("nb", "bla\u030a", "BLÅ"),
        ("nb", "idé", "IDE"),
        ("nb", "ǿl", "ØL"),
        ("nn", "müsli", "MÜSLI"),
        ("no", "æra", "ÆRA"),
        ("nb", "e-post", None),
        ("en", "façade", "FACADE"),
        ("en", "  word \n", "WORD"),
        ("en", "œuvre", "OEUVRE"),
        ("en", "don't", None),
        ("en", "ελ", None),
        ("en", "", None),
        ("nl", "-", None),
        ("fr", "été", "ETE"),
    ],
)
def test_normalise_word_in_each_language(language: str, word: str, letters: str | None) -> None:
    """Reference C.3; Taalreglement 2023; de-spielregeln 4g."""
    assert normalise_word(word, language) == letters


def test_normalise_word_can_refuse_hyphens() -> None:
    """be-brailleliga 8: words with apostrophe or hyphen are not allowed."""
    assert normalise_word("mee-eten", "nl", accept_hyphens_and_apostrophes=False) is None
    assert normalise_word("reünie", "nl", accept_hyphens_and_apostrophes=False) == "REUNIE"


@given(st.text(), st.sampled_from(sorted(FOLDINGS)))
def test_normalise_word_twice_changes_nothing(word: str, language: str) -> None:
    letters = normalise_word(word, language)
    assert normalise_word(unicodedata.normalize("NFD", word), language) == letters
    assert letters is None or (letters and normalise_word(letters, language) == letters)


@dataclass
class SmallWordList:
    valid: frozenset[str]
    edition: WordListEdition

    def judge_word(self, word: Sequence[str]) -> WordVerdict:
        max_length = self.edition.binding_max_length
        if max_length is not None and len(word) > max_length:
            return WordVerdict.NOT_BINDING
        return WordVerdict.VALID if "".join(word).upper() in self.valid else WordVerdict.INVALID


def test_combine_word_verdicts_of_a_whole_play() -> None:
    """NO-26: acceptable only if all challenged words are valid; 2 valid + 1 invalid -> "ikke godkjent"."""
    word_list: WordList = SmallWordList(
        frozenset({"AT", "CAT"}), WordListEdition("own", "en", binding_max_length=3)
    )
    assert combine_word_verdicts([word_list.judge_word(word) for word in ["AT", "CaT"]]) is WordVerdict.VALID
    assert (
        combine_word_verdicts([word_list.judge_word(word) for word in ["AT", "CAT", "TC"]]) is WordVerdict.INVALID
    )
    assert (
        combine_word_verdicts([word_list.judge_word(word) for word in ["AT", "CATS"]]) is WordVerdict.NOT_BINDING
    )
    assert combine_word_verdicts([word_list.judge_word(word) for word in ["CATS", "TC"]]) is WordVerdict.INVALID
