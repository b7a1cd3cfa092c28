"""One challenge on its way over the judge screen: what has been typed, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from tdapp.domain.tables.challenges import TableSeat
from tdapp.domain.typed_words import Typed


class ChallengeStep(Enum):
    """How far a challenge has come."""

    NAME = auto()  # the judge types a name, once
    TABLE = auto()  # no challenge
    CHALLENGER = auto()
    WORDS = auto()
    CONFIRM = auto()
    DECIDE = auto()  # the list does not: the judge does
    WRITING = auto()
    VERDICT = auto()
    ERROR = auto()  # there is no verdict, or it could not be written
    CLOSED = auto()


@dataclass(frozen=True, slots=True)
class JudgedChallenge:
    """What is known of the challenge; `table` as it is typed, `seats` those of its table."""

    table: str = ""
    seats: tuple[TableSeat, ...] = ()
    challenger: TableSeat | None = None
    typed: Typed = field(default_factory=Typed)

    @property
    def one_game(self) -> bool:
        """Whether the table leaves no doubt which game it is: divisions may use the same numbers."""
        return len({seat.division for seat in self.seats}) == 1

    @property
    def seat(self) -> TableSeat | None:
        """A seat of the game, if that is known."""
        return self.challenger or (self.seats[0] if self.one_game else None)
