"""One challenge on its way over the judge screen: what has been typed, and how far it has come.

Words are letters only, in capitals, up to eight. Hides what a language makes of a key: an accent that no tile has,
a hyphen, a letter that is written as two.
"""

from __future__ import annotations

import unicodedata
from enum import Enum, auto

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.commands.jury import MOST_WORDS
from tdapp.domain.jury_rows import Occasion
from tdapp.domain.tables.jury_log import TableSeat
from tdapp.scrabble.wordlist import normalised

SHORTEST, LONGEST = 2, 15  # letters of a word on a board


class Typed(Struct, frozen=True):
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


class ChallengeStep(Enum):
    """How far a challenge has come."""

    NAME = auto()  # the judge types a name, once
    TABLE = auto()  # no challenge
    PEGS = auto()  # a score, whose holes in the racks of blind players are shown
    CHALLENGER = auto()
    WORDS = auto()
    CONFIRM = auto()
    KIND = auto()  # whether the opponent protests, or the jury checks; only where that makes a difference
    DECIDE = auto()  # the list does not: the judge does
    WRITING = auto()
    VERDICT = auto()
    ERROR = auto()  # there is no verdict, or it could not be written
    CLOSED = auto()


class JudgedChallenge(Struct, frozen=True):
    """What is known of the challenge; `table` as it is typed (in `PEGS` the score), `seats` those of its table.

    `occasion` None: not asked. `may_be_jury`: the rules know a play at which the jury looks, without a challenger.
    """

    table: str = ""
    seats: tuple[TableSeat, ...] = ()
    challenger: TableSeat | None = None
    typed: Typed = field(default_factory=Typed)
    occasion: Occasion | None = None
    may_be_jury: bool = False

    @property
    def one_game(self) -> bool:
        """Whether the table leaves no doubt which game it is: divisions may use the same numbers."""
        return len({seat.division for seat in self.seats}) == 1

    @property
    def seat(self) -> TableSeat | None:
        """A seat of the game, if that is known."""
        return self.challenger or (self.seats[0] if self.one_game else None)
