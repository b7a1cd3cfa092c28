"""A short word list."""

from __future__ import annotations

from collections.abc import Sequence

from tdapp.scrabble.wordlist import Edition, Verdict


class Words:
    """A word list of a few words. Words of more than `binding` letters are not binding."""

    def __init__(self, *words: str, binding: int | None = None) -> None:
        self.edition = Edition("few", "nl", binding_max_length=binding)
        self.words = words

    def judge_word(self, word: Sequence[str]) -> Verdict:
        text = "".join(word).upper()
        binding = self.edition.binding_max_length
        if binding and len(text) > binding:
            return Verdict.NOT_BINDING
        return Verdict.VALID if text in self.words else Verdict.INVALID
