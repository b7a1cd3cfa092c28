"""One challenge on the judge screen: the typed words and the current step.

Words are up to eight capital letters. Keys are normalised for the language: accents without a tile, hyphens, and
letters written as two.
"""

from __future__ import annotations

import unicodedata
from enum import Enum, auto

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.commands.jury import MOST_WORDS
from tdapp.domain.jury_rows import Occasion
from tdapp.domain.tables.jury_log import TableSeat
from tdapp.scrabble.wordlist import normalise_word

SHORTEST, LONGEST = 2, 15  # the width of the board


class Typed(Struct, frozen=True):
    """The completed words and the current word, as capitals without accents."""

    done: tuple[str, ...] = ()
    current: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.done, self.current) if self.current else self.done

    def add_letters(self, text: str, language: str) -> Typed:
        """Add the letters of `text` to the current word. Ignores characters that no tile has."""
        letters = (
            normalise_word(char, language) or ""
            for char in unicodedata.normalize("NFC", text)
            if not char.isspace()
        )
        longer = self.current + "".join(letters)
        return self if len(longer) > LONGEST or self.full else replace(self, current=longer)

    @property
    def full(self) -> bool:
        """Whether the maximum number of words is reached."""
        return len(self.done) >= MOST_WORDS

    @property
    def short(self) -> bool:
        """Whether the current word is too short to be valid."""
        return 0 < len(self.current) < SHORTEST

    def separate(self) -> Typed:
        """Complete the current word and start the next one."""
        return Typed(self.words)

    def back(self) -> Typed:
        """Remove the last letter. If the current word is empty, edit the previous word again."""
        if self.current:
            return replace(self, current=self.current[:-1])
        return Typed(self.done[:-1], self.done[-1]) if self.done else self


class ChallengeStep(Enum):
    """The step of a challenge on the judge screen."""

    NAME = auto()  # the judge types a name, once for all challenges
    TABLE = auto()
    PEGS = auto()  # show the peg holes of a score, for blind players
    CHALLENGER = auto()
    WORDS = auto()
    CONFIRM = auto()
    KIND = auto()  # protest of the opponent or check by the jury, if the rules distinguish them
    DECIDE = auto()  # the judge decides, because the list does not
    WRITING = auto()
    VERDICT = auto()
    ERROR = auto()  # no verdict, or saving it failed
    CLOSED = auto()


class JudgedChallenge(Struct, frozen=True):
    """The state of a challenge.

    `table` is the typed number (the score in `PEGS`); `seats` are the seats of that table.

    `occasion` None: not asked. `may_be_jury`: the rules allow the jury to check a play without a challenge.
    """

    table: str = ""
    seats: tuple[TableSeat, ...] = ()
    challenger: TableSeat | None = None
    typed: Typed = field(default_factory=Typed)
    occasion: Occasion | None = None
    may_be_jury: bool = False

    @property
    def one_game(self) -> bool:
        """Whether the table belongs to exactly one game. Divisions can share table numbers."""
        return len({seat.division for seat in self.seats}) == 1

    @property
    def seat(self) -> TableSeat | None:
        """A seat of the game, or None if the game is unknown."""
        return self.challenger or (self.seats[0] if self.one_game else None)
