"""A short word list."""

from __future__ import annotations

from collections.abc import Sequence

from tdapp.scrabble.wordlist import WordListEdition, WordVerdict


class Words:
    """A word list with a few words. Words with more than `binding` letters are not binding."""

    def __init__(self, *words: str, binding: int | None = None) -> None:
        self.edition = WordListEdition("few", "nl", binding_max_length=binding)
        self.words = words

    def judge_word(self, word: Sequence[str]) -> WordVerdict:
        text = "".join(word).upper()
        binding = self.edition.binding_max_length
        if binding and len(text) > binding:
            return WordVerdict.NOT_BINDING
        return WordVerdict.VALID if text in self.words else WordVerdict.INVALID
