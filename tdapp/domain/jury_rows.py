"""Stored rows of the jury. `tdapp.domain.model` has all other rows."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from tdapp.domain.model import ChallengeId, DivisionId, GameId, PlayerId
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.scrabble.sheet import SanctionKind, Sheet
from tdapp.scrabble.wordlist import WordVerdict

SheetId = NewType("SheetId", str)
SanctionId = NewType("SanctionId", str)
IncidentId = NewType("IncidentId", str)
WordRulingId = NewType("WordRulingId", str)


class IncidentKind(StrEnum):
    """The kind of an incident."""

    EXTRA_TIME = "extra-time"  # for the player or both
    LATE = "late"  # late arrival of the player or both
    CLOCK = "clock"  # clock problem
    TILES = "tiles"  # too many or too few tiles, or tiles seen, lost or on the floor
    CONDUCT = "conduct"
    ILLNESS = "illness"
    COMPLAINT = "complaint"
    OTHER = "other"


class TurnRuling(Struct, frozen=True):
    """A jury ruling on a turn of a score sheet."""

    turn: int  # number of the turn, from 1
    phony: bool
    author: str
    why: str
    edition: str = ""  # id of the word list


class ScoreSheet(Struct, frozen=True):
    """A score sheet of a game, written by one player: form 1 or 2."""

    id: SheetId
    game: GameId
    form: int
    sheet: Sheet  # its player 1 is the game's first player
    rulings: tuple[TurnRuling, ...] = ()
    # score of each player without sanctions; None: unfinished or forfeited
    accounts: tuple[ScoreBreakdown, ScoreBreakdown] | None = None


class WordRuling(Struct, frozen=True):
    """A jury ruling on a word whose turn is not on a finished score sheet."""

    id: WordRulingId
    game: GameId
    player: PlayerId
    word: str
    score: int  # score of the turn
    cost: int  # points lost by the rules of that time, 0 if the word is valid
    phony: bool = True
    wrong_words: int = 1
    author: str = ""
    why: str = ""
    edition: str = ""


class Sanction(Struct, frozen=True):
    """A sanction of a player.

    A sanction for a game applies to the player's game in `round`, even if the round is paired again. The kinds
    "game" and "disqualified" make the player lose this game. A sanction on the total changes the standings from
    `round` on (None: from the start).
    """

    id: SanctionId
    player: PlayerId
    round: int | None
    kind: SanctionKind
    points: int  # deducted by the kinds "points" and "margin"
    why: str
    author: str = ""
    forfeits: tuple[GameId, ...] = ()  # open games that a disqualification turned into forfeits


class Incident(Struct, frozen=True):
    """An incident at a table."""

    id: IncidentId
    division: DivisionId
    kind: IncidentKind
    at: str  # UTC in ISO 8601
    round: int | None = None
    table: int | None = None
    player: PlayerId | None = None  # None: both players, or none in particular
    seconds: int = 0
    note: str = ""
    author: str = ""


class WordCheckReason(StrEnum):
    """Why the words of a play were checked during the game. Some rules need the reason (nl-reglement III.10)."""

    PROTEST = "protest"  # the opponent contests the play as a deliberate phony
    JURY = "jury"  # checked by the jury during play


class Challenge(Struct, frozen=True):
    """A ruling on a challenged play."""

    id: ChallengeId
    division: DivisionId
    at: str  # UTC in ISO 8601
    words: tuple[str, ...]
    edition: str
    verdict: WordVerdict
    judge: str = ""
    round: int | None = None
    table: int | None = None
    challenger: PlayerId | None = None
    second: WordVerdict | None = None  # verdict after an appeal
    second_judge: str = ""
    joint: WordVerdict | None = None  # verdict on which both judges agree, if the first two differ
    occasion: WordCheckReason | None = None  # None: the rules do not distinguish it
