"""The rows of the jury: sheets, rulings, sanctions, incidents, challenges; like those of `tdapp.domain.model`."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from tdapp.domain.model import ChallengeId, DivisionId, GameId, PlayerId
from tdapp.domain.score_breakdown import Breakdown
from tdapp.scrabble.sheet import SanctionKind, Sheet
from tdapp.scrabble.wordlist import Verdict

SheetId = NewType("SheetId", str)
SanctionId = NewType("SanctionId", str)
IncidentId = NewType("IncidentId", str)
WordRulingId = NewType("WordRulingId", str)


class IncidentKind(StrEnum):
    """What happened at a table."""

    EXTRA_TIME = "extra-time"  # given to the player, or to both
    LATE = "late"  # the player, or both, came late
    CLOCK = "clock"  # something about the clock
    TILES = "tiles"  # too many or too few, seen, lost, on the floor
    CONDUCT = "conduct"
    ILLNESS = "illness"
    COMPLAINT = "complaint"
    OTHER = "other"


class TurnRuling(Struct, frozen=True):
    """What the jury found on a sheet's turn (from 1); `phony` False: it stands. `edition` of the word list."""

    turn: int
    phony: bool
    author: str
    why: str
    edition: str = ""


class ScoreSheet(Struct, frozen=True):
    """A score sheet of a game, `form` 1 or 2 of two; player 1 of `sheet` is the game's first player.

    `accounts` are what it came to, before sanctions and clocks, when it was entered or ruled on, None where it is
    unfinished or a forfeit; `making` decides whether it makes the result. When and by which step a ruling was made
    is in the history.
    """

    id: SheetId
    game: GameId
    form: int
    sheet: Sheet
    rulings: tuple[TurnRuling, ...] = ()
    accounts: tuple[Breakdown, Breakdown] | None = None


class WordRuling(Struct, frozen=True):
    """What the jury found on a word of a game's form that nobody has typed, or that no turn of a typed one has.

    `score` is what the turn brought; `cost` what the word takes from the player, as the rules had it then: nothing
    where it stands (`phony` False). A sheet typed later takes the ruling over where one of its turns has the word.
    """

    id: WordRulingId
    game: GameId
    player: PlayerId
    word: str
    score: int
    cost: int
    phony: bool = True
    wrong_words: int = 1
    author: str = ""
    why: str = ""
    edition: str = ""


class Sanction(Struct, frozen=True):
    """A player's punishment; one of a game is of the game the player has in `round`, whichever that is.

    Of kind points and margin `points` are taken from the game, or from the tournament from `round` on (None: from
    the beginning); of kind game and disqualified the game of the round is lost; the others are only noted.
    `forfeits` are the games without a result that a disqualification made forfeits.
    """

    id: SanctionId
    player: PlayerId
    round: int | None
    kind: SanctionKind
    points: int
    why: str
    author: str = ""
    forfeits: tuple[GameId, ...] = ()


class Incident(Struct, frozen=True):
    """Something that happened at a table of a division, as the jury noted it; `at` is UTC in ISO 8601.

    `player` None: both, or no player in particular. `seconds` is the extra time given or the delay, 0 for none.
    """

    id: IncidentId
    division: DivisionId
    kind: IncidentKind
    at: str
    round: int | None = None
    table: int | None = None
    player: PlayerId | None = None
    seconds: int = 0
    note: str = ""
    author: str = ""


class Occasion(StrEnum):
    """Why a play was looked at while its game went on, where that makes a difference (nl-reglement III.10)."""

    PROTEST = "protest"  # of the opponent, who says that it was wrong on purpose
    JURY = "jury"  # checked by the jury during play


class Challenge(Struct, frozen=True):
    """A ruling on a challenged play; `at` is UTC in ISO 8601, `occasion` None where that was not asked.

    `words` as the players typed them, `edition` the id of the word list that was asked. After an appeal `second`
    is another judge's verdict (or the same judge's second one) and `joint` theirs together where they differ.
    """

    id: ChallengeId
    division: DivisionId
    at: str
    words: tuple[str, ...]
    edition: str
    verdict: Verdict
    judge: str = ""
    round: int | None = None
    table: int | None = None
    challenger: PlayerId | None = None
    second: Verdict | None = None
    second_judge: str = ""
    joint: Verdict | None = None
    occasion: Occasion | None = None
