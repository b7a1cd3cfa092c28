"""Rows of the jury: sheets, rulings, sanctions, incidents and challenges.

`tdapp.domain.model` has all other rows.
"""

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

    EXTRA_TIME = "extra-time"  # extra time for the player or both
    LATE = "late"  # late arrival of the player or both
    CLOCK = "clock"  # clock problem
    TILES = "tiles"  # too many or too few tiles, seen, lost, on the floor
    CONDUCT = "conduct"
    ILLNESS = "illness"
    COMPLAINT = "complaint"
    OTHER = "other"


class TurnRuling(Struct, frozen=True):
    """A jury ruling on the turn with the number `turn` (from 1) of a sheet.

    `edition` is the id of the word list.
    """

    turn: int
    phony: bool
    author: str
    why: str
    edition: str = ""


class ScoreSheet(Struct, frozen=True):
    """A score sheet of a game. Its two players write one form each: `form` is 1 or 2.

    Player 1 of `sheet` is the game's first player. `accounts` are the score breakdowns when the sheet was
    entered or ruled on, before sanctions and clocks; None if the game is unfinished or forfeited.
    """

    id: SheetId
    game: GameId
    form: int
    sheet: Sheet
    rulings: tuple[TurnRuling, ...] = ()
    accounts: tuple[ScoreBreakdown, ScoreBreakdown] | None = None


class WordRuling(Struct, frozen=True):
    """A jury ruling on a word that no typed turn of the form contains.

    `score` is the score of the turn. `cost` is what the player lost by the rules of that time, 0 if the word
    is valid.
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
    """A sanction of a player.

    A sanction of a game belongs to the player's game in `round`, even if the round is paired again. The kinds
    "points" and "margin" deduct `points` from that game, or from the tournament total from `round` on (None:
    from the start). The kinds "game" and "disqualified" lose the game of the round. `forfeits` are the open
    games that a disqualification turned into forfeits.
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
    """An incident at a table. `at` is UTC in ISO 8601.

    `player` is None if it concerns both players or none in particular.
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
    """Why a play was checked during the game. Some rules distinguish these cases (nl-reglement III.10)."""

    PROTEST = "protest"  # the opponent contests the play as a deliberate phony
    JURY = "jury"  # checked by the jury during play


class Challenge(Struct, frozen=True):
    """A ruling on a challenged play.

    `at` is UTC in ISO 8601. `occasion` is None if the rules do not distinguish it. After an appeal `second` is
    the second verdict. If it differs from `verdict`, `joint` is the verdict on which both judges agree.
    """

    id: ChallengeId
    division: DivisionId
    at: str
    words: tuple[str, ...]
    edition: str
    verdict: WordVerdict
    judge: str = ""
    round: int | None = None
    table: int | None = None
    challenger: PlayerId | None = None
    second: WordVerdict | None = None
    second_judge: str = ""
    joint: WordVerdict | None = None
    occasion: Occasion | None = None
