"""JSON types of the verbs of the jury."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tdapp.cli.json_types import StepJson, WrittenFileJson
from tdapp.domain.ruleset import Outcome
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.exchange.json_documents import Number
from tdapp.scrabble.gcg import GcgEventKind
from tdapp.scrabble.sheet import SanctionKind, TurnKind


class SheetIssueJson(Struct):
    """A mistake or doubt on a score sheet.

    The key `row` is the row of the paper form. If `turn` is null, the issue is about the whole game.
    """

    turn: int | None
    row: int | None
    player: int | None
    code: str
    stated: int | str | UnsetType = UNSET
    computed: int | UnsetType = UNSET
    other: int | str | UnsetType = UNSET
    detail: str | UnsetType = UNSET
    line: int | UnsetType = UNSET


class SheetTurnJson(Struct):
    """A turn of a score sheet with its computed score."""

    number: int
    player: int
    row: int
    kind: TurnKind
    score: int
    stated: int | None
    total: int
    words: list[str]
    issues: list[SheetIssueJson]


class JudgedSheetJson(Struct):
    """A score sheet with computed scores.

    Its lists have one entry for each player, except `turns` and `issues`.
    """

    scores: list[int]
    result: list[Outcome | None]
    match_points: list[Number | None]
    rated: bool
    spread: int | None
    spreads: list[int | None]
    breakdown: list[ScoreBreakdown]
    turns: list[SheetTurnJson]
    issues: list[SheetIssueJson]
    recount_right: bool


class JudgedSheetWithEditionJson(Struct, kw_only=True, rename={"judged": "*"}):
    """A score sheet with computed scores, and the edition of the word list."""

    rules: str
    edition: str | UnsetType = UNSET
    edition_id: str | UnsetType = UNSET
    judged: JudgedSheetJson


class EnteredSheetJson(Struct, rename={"judged": "*"}):
    """An entered score sheet, and the result of its game before and after the entry."""

    rules: str
    round: int
    table: int
    form: int
    entered: list[int | None] | None
    before: list[int | None] | None
    replaced: bool
    warnings: list[str]
    judged: JudgedSheetJson


class SheetFromFolderJson(WrittenFileJson):
    """A score sheet imported from a file in a folder."""

    table: int
    form: int
    scores: list[int]
    entered: list[int | None] | None
    warnings: list[str]
    issues: list[SheetIssueJson]


class WordRulingJson(Struct, rename={"step": "*"}):
    """A ruling on a word, with the result of the game before and after the ruling."""

    round: int
    table: int
    player: int
    word: str
    before: list[int | None] | None
    after: list[int | None] | None
    on_sheet: bool
    step: StepJson


class UncheckedResultJson(Struct):
    """A table not marked as checked. `reasons` explains why, in the requested language."""

    table: int
    state: str
    doubts: int
    reasons: list[str]


class CheckedResultsJson(Struct):
    """The tables of a round now marked as checked, and the tables whose results are still in doubt."""

    round: int
    checked: list[int]
    left: list[UncheckedResultJson]


class SanctionJson(Struct):
    """A sanction. The key `sanction` is its short name, such as A7/1: division A, player 7, first sanction."""

    sanction: str
    name: str
    round: int | None
    kind: SanctionKind
    points: int
    why: str
    author: str


class PlayVerdictJson(Struct):
    """The verdict on all words of a play together."""

    verdict: Literal["valid", "invalid", "not-binding"]
    edition: str
    edition_id: str
    practice: bool
    words: int


class GameEventJson(Struct):
    """An event of an annotated game."""

    number: int
    line: int
    player: int
    kind: GcgEventKind
    at: str | None
    word: str | None
    score: int
    stated: int | None
    total: int
    words: list[str]
    issues: list[SheetIssueJson]


class AnnotatedGameJson(Struct):
    """An annotated game with recomputed scores."""

    players: list[str]
    nicks: list[str]
    tileset: str
    scores: list[int]
    turns: list[GameEventJson]
    issues: list[SheetIssueJson]
