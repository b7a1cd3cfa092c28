"""JSON types of the verbs of the jury: sheets, rulings, annotated games."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tdapp.cli.json_types import FileJson, StepJson
from tdapp.domain.ruleset import Worth
from tdapp.domain.score_breakdown import Breakdown
from tdapp.scrabble.gcg import EventKind
from tdapp.scrabble.sheet import SanctionKind, TurnKind


class IssueJson(TypedDict):
    """An issue of a sheet at the `row` of the form; `turn` None: the whole game."""

    turn: int | None
    row: int | None
    player: int | None
    code: str
    stated: NotRequired[int | str]
    computed: NotRequired[int]
    other: NotRequired[int | str]
    detail: NotRequired[str]
    line: NotRequired[int]


class TurnJson(TypedDict):
    """A turn with its score."""

    number: int
    player: int
    row: int
    kind: TurnKind
    score: int
    stated: int | None
    total: int
    words: list[str]
    issues: list[IssueJson]


class JudgedJson(TypedDict):
    """A judged sheet; lists have one entry for each player."""

    rules: str
    scores: list[int]
    result: list[Worth | None]
    match_points: list[float | None]
    rated: bool
    spread: int | None
    spreads: list[int | None]
    breakdown: list[Breakdown]
    turns: list[TurnJson]
    issues: list[IssueJson]
    recount_right: bool


class ScoreJson(JudgedJson):
    """A judged sheet with the word list edition used."""

    edition: NotRequired[str]
    edition_id: NotRequired[str]


class SheetJson(JudgedJson):
    """An entered sheet, with the result before and after."""

    round: int
    table: int
    form: int
    entered: list[int | None] | None
    before: list[int | None] | None
    replaced: bool
    warnings: list[str]


class SheetOfFolderJson(FileJson):
    """An entered sheet of a folder."""

    table: int
    form: int
    scores: list[int]
    entered: list[int | None] | None
    issues: list[IssueJson]
    warnings: list[str]


class RuledJson(StepJson):
    """A ruling on a word, with the result before and after."""

    round: int
    table: int
    player: int
    word: str
    before: list[int | None] | None
    after: list[int | None] | None
    on_sheet: bool


class LeftJson(TypedDict):
    """An unchecked result; `reasons` are sentences in the requested language."""

    table: int
    state: str
    doubts: int
    reasons: list[str]


class CheckedJson(TypedDict):
    """The checked and the unchecked tables."""

    round: int
    checked: list[int]
    left: list[LeftJson]


class SanctionJson(TypedDict):
    """A sanction; `sanction` is its name, such as A7/1."""

    sanction: str
    name: str
    round: int | None
    kind: SanctionKind
    points: int
    why: str
    author: str


class VerdictJson(TypedDict):
    """One verdict for a whole play."""

    verdict: Literal["valid", "invalid", "not-binding"]
    edition: str
    edition_id: str
    practice: bool
    words: int


class EventJson(TypedDict):
    """An event of an annotated game."""

    number: int
    line: int
    player: int
    kind: EventKind
    at: str | None
    word: str | None
    score: int
    stated: int | None
    total: int
    words: list[str]
    issues: list[IssueJson]


class AnnotatedJson(TypedDict):
    """An annotated game, recomputed."""

    players: list[str]
    nicks: list[str]
    tileset: str
    scores: list[int]
    turns: list[EventJson]
    issues: list[IssueJson]
