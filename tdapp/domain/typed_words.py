"""The words of a challenge as they are being typed: letters only, capitals, up to eight words.

Hides what a language makes of a key: an accent that no tile has, a hyphen, a letter that is written as two.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from tdapp.domain.commands.challenges import MOST_WORDS
from tdapp.scrabble.wordlist import normalised

SHORTEST, LONGEST = 2, 15  # letters of a word on a board


@dataclass(frozen=True, slots=True)
class Typed:
    """Words that are complete, and the one that is being typed; as capitals without signs."""

    done: tuple[str, ...] = ()
    current: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """All words, the one that is being typed included."""
        return (*self.done, self.current) if self.current else self.done

    def add(self, text: str, language: str) -> Typed:
        """Return the words with what the letters of `text` become; what no tile can be is left out."""
        letters = (
            normalised(char, language) or "" for char in unicodedata.normalize("NFC", text) if not char.isspace()
        )
        longer = self.current + "".join(letters)
        return self if len(longer) > LONGEST or self.full else replace(self, current=longer)

    @property
    def full(self) -> bool:
        """Whether a play can have no more words."""
        return len(self.done) >= MOST_WORDS

    @property
    def short(self) -> bool:
        """Whether the word that is being typed has too few letters to be one."""
        return 0 < len(self.current) < SHORTEST

    def separate(self) -> Typed:
        """Return the words with the one that was being typed among the complete ones."""
        return Typed(self.words)

    def back(self) -> Typed:
        """Return the words without the last letter; where there is none the last word is taken up again."""
        if self.current:
            return replace(self, current=self.current[:-1])
        return Typed(self.done[:-1], self.done[-1]) if self.done else self
