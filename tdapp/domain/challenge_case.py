"""The state of a challenge during its entry on the judge screen."""

from __future__ import annotations

import unicodedata
from enum import Enum, auto

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.commands.jury import MOST_WORDS
from tdapp.domain.jury_rows import WordCheckReason
from tdapp.domain.tables.jury_log import SeatedPlayer
from tdapp.scrabble.wordlist import normalise_word

MIN_WORD_LENGTH, MAX_WORD_LENGTH = 2, 15  # the width of the board


class TypedWords(Struct, frozen=True):
    """The words that the judge has typed, in capitals. Accents that no tile has are removed."""

    completed: tuple[str, ...] = ()
    current: str = ""  # the incomplete word

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.completed, self.current) if self.current else self.completed

    def add_letters(self, text: str, language: str) -> TypedWords:
        letters = (
            normalise_word(char, language) or ""
            for char in unicodedata.normalize("NFC", text)
            if not char.isspace()
        )
        word = self.current + "".join(letters)
        return self if len(word) > MAX_WORD_LENGTH or self.has_max_words else replace(self, current=word)

    @property
    def has_max_words(self) -> bool:
        return len(self.completed) >= MOST_WORDS

    @property
    def is_current_word_too_short(self) -> bool:
        return 0 < len(self.current) < MIN_WORD_LENGTH

    def finish_current_word(self) -> TypedWords:
        return TypedWords(self.words)

    def remove_last_letter(self) -> TypedWords:
        """Remove the last letter of the current word. If it is empty, make the previous word the current word."""
        if self.current:
            return replace(self, current=self.current[:-1])
        return TypedWords(self.completed[:-1], self.completed[-1]) if self.completed else self


class JudgeScreenStep(Enum):
    """The step of a challenge on the judge screen."""

    NAME = auto()  # the judge types a name, once for all challenges
    TABLE = auto()
    PEGS = auto()  # show where the pegs go for a score, for blind players
    CHALLENGER = auto()
    WORDS = auto()
    CONFIRM = auto()
    KIND = auto()  # protest of the opponent or check by the jury, if the rules distinguish them
    DECIDE = auto()  # the judge decides, because the word list cannot
    WRITING = auto()
    VERDICT = auto()
    ERROR = auto()  # no verdict, or saving it failed
    CLOSED = auto()


class ChallengeInProgress(Struct, frozen=True):
    """The state of a challenge on the judge screen."""

    table: str = ""  # table number; in the step PEGS, the score to show
    seats: tuple[SeatedPlayer, ...] = ()
    challenger: SeatedPlayer | None = None
    typed_words: TypedWords = field(default_factory=TypedWords)
    occasion: WordCheckReason | None = None
    may_be_jury: bool = False  # the rules let the jury check a play without a challenge

    @property
    def has_seats_of_one_game_only(self) -> bool:
        """Whether all seats at the typed table number are of one game. Divisions can share a table number."""
        return len({seat.division for seat in self.seats}) == 1

    @property
    def challenger_or_first_seat(self) -> SeatedPlayer | None:
        """The challenger. If unknown, the player on the first seat, or None if the seats are of several games."""
        return self.challenger or (self.seats[0] if self.has_seats_of_one_game_only else None)
