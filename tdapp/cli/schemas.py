"""What the verbs print with `--json`, as types, and the verb that prints the JSON Schema of each of them."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Literal, NotRequired, TypedDict

from tdapp.cli.program import Program
from tdapp.domain.account import Breakdown
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Scalar
from tdapp.domain.roles import Role
from tdapp.domain.ruleset import AwardBy, Worth
from tdapp.domain.tournament import KINDS
from tdapp.exchange.documents import (
    DATA,
    BracketJson,
    PlayerJson,
    PublicJson,
    RoundJson,
    StandingsJson,
)
from tdapp.exchange.json_text import json_text
from tdapp.exchange.schema import schema
from tdapp.exchange.wordlist import Dropped
from tdapp.scrabble.gcg import EventKind
from tdapp.scrabble.sheet import SanctionKind, TurnKind
from tdapp.services.word_lists import Comparison, EditionChanges


class FileJson(TypedDict):
    """A file that was written; the keys beside it are those of the verb."""

    file: str


class NewJson(FileJson):
    """A tournament that was made."""

    name: str
    rules: str


class PresetJson(TypedDict):
    """A rule set."""

    id: str
    name: str
    language: str
    tileset: str


class StepJson(TypedDict):
    """What was done; `seq` is the revision after it, `undoes` that of the step it takes back."""

    seq: int
    label: str
    facts: dict[str, Any]
    undoes: int | None
    text: str


class HistoryJson(StepJson):
    """A step of the history; `at` is UTC in ISO 8601."""

    at: str
    station: str
    undone: bool


class FollowsJson(StepJson):
    """What was done, and what follows from it."""

    follows: list[str]


class ErasedJson(StepJson):
    """What was erased, and where it still is."""

    snapshots_deleted: int
    snapshots_left: list[str]
    not_reached: list[str]


class FilledJson(TypedDict):
    """A division after an import, with the number of its players."""

    division: str
    players: int


class ImportedJson(TypedDict):
    """What an import has filled, and what it could not take over."""

    divisions: list[FilledJson]
    left_out: list[str]


class ExportedJson(FileJson):
    """A file or a folder of `files` that was exported, and what it has no place for."""

    format: str
    files: NotRequired[int]
    warnings: NotRequired[list[str]]


class IssueJson(TypedDict):
    """Something odd on a sheet, at the `row` of the paper form; `turn` None: the whole game."""

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
    """A turn with its worth."""

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
    """What a sheet is worth; lists have one entry for each player."""

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
    """The same, with the word list edition that was asked."""

    edition: NotRequired[str]
    edition_id: NotRequired[str]


class SheetJson(JudgedJson):
    """A sheet that was entered, with the result before and now."""

    round: int
    table: int
    form: int
    entered: list[int | None] | None
    before: list[int | None] | None
    replaced: bool
    warnings: list[str]


class SheetOfFolderJson(FileJson):
    """One of a folder of sheets that were entered."""

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
    """A result that was not checked; `reasons` are sentences in the language asked for."""

    table: int
    state: str
    doubts: int
    reasons: list[str]


class CheckedJson(TypedDict):
    """The tables that were checked, and those that were left."""

    round: int
    checked: list[int]
    left: list[LeftJson]


class SanctionJson(TypedDict):
    """A sanction; `sanction` names it, as A7/1."""

    sanction: str
    name: str
    round: int | None
    kind: SanctionKind
    points: int
    why: str
    author: str


class TeamJson(TypedDict):
    """A team with its players, of which the `counting` ones count."""

    rank: int
    team: str
    players: int
    counting: list[str]
    wins: float
    losses: float
    spread: int
    points: int


class TeamsJson(TypedDict):
    """The standings of teams."""

    division: str
    after: int | None
    best: int | None
    rows: list[TeamJson]


class WinnerJson(TypedDict):
    """Who has won a prize; `share` in hundredths."""

    player: int
    name: str
    share: int
    code: str
    facts: dict[str, Any]
    reason: str


class SharedJson(TypedDict):
    """The places between which a prize is shared, and what is shared."""

    first: int
    last: int
    pool: int


PrizeJson = TypedDict(
    "PrizeJson",
    {
        "prize": int,
        "kind": str,
        "place": int | None,
        "class": str,
        "games": int | None,
        "amount": int,
        "text": str,
        "winners": list[WinnerJson],
        "shared": SharedJson | None,
    },
)


class PayoutJson(TypedDict):
    """What a player gets, in hundredths."""

    player: int
    name: str
    amount: int


class PrizesJson(TypedDict):
    """The prizes of a division."""

    division: str
    after: int
    prizes: list[PrizeJson]
    payouts: list[PayoutJson]


class NewsJson(TypedDict):
    """What became a record in a round; `before` is what it broke, of the list `source`."""

    key: str
    round: int
    table: int | None
    kind: str
    scope: str
    player: int
    name: str
    value: int
    word: str
    before: int | None
    source: str
    what: str
    how: str


class RatingSystemJson(TypedDict):
    """A rating system."""

    id: str
    name: str
    source: str


class RatingJson(TypedDict):
    """A player's performance and new rating."""

    rank: int
    player: int
    name: str
    rating: int | None
    games: int
    score: float
    expected: float | None
    performance: int | None
    new: int | None
    change: int | None


class RatingsJson(TypedDict):
    """The ratings of a division."""

    division: str
    after: int | None
    system: str
    rows: list[RatingJson]


class ComingPairsJson(TypedDict):
    """What the next round is sure to bring, by rule."""

    rule: str
    pairs: list[list[int]]
    groups: list[list[int]]
    bye: list[int]


class ChanceJson(TypedDict):
    """A player's chances: of a prize and of each place, from the first."""

    place: int
    player: int
    name: str
    wins: float
    spread: int
    state: str
    prize: float
    places: list[float]


class ChancesJson(TypedDict):
    """The chances of a division; `shared`: in some simulations a place is shared, and counts for all."""

    division: str
    after: int
    open_games: int
    rounds_left: int
    shared: bool
    prize_places: int
    simulations: int
    coming_round: list[ComingPairsJson]
    rows: list[ChanceJson]


class PlannedJson(TypedDict):
    """A stage of a plan."""

    system: str
    rounds: int
    cut: int | None


PlanJson = TypedDict("PlanJson", {"stages": list[PlannedJson], "*": float})  # figures by name


class RehearsalJson(TypedDict):
    """Plans that were played many times."""

    division: str
    plays: int
    plans: list[PlanJson]


class StageJson(TypedDict):
    """A stage of a division's schedule."""

    number: int
    first: int
    last: int
    system: str
    cut: int | None
    carry: bool
    groups: int | None
    behind: int
    play_off: bool
    made: int


class StagesJson(TypedDict):
    """A division's schedule."""

    division: str
    stages: list[StageJson]


class ChangedTableJson(TypedDict):
    """A table at which others would meet."""

    table: int
    first: int | None
    second: int | None
    repeat: int
    scores: list[float]


class ChangeJson(TypedDict):
    """What a change of a pairing would bring."""

    text: str
    better: bool
    cost: dict[str, int]
    bye: int | None
    bye_instead: int | None
    tables: list[ChangedTableJson]


WhatIfJson = TypedDict("WhatIfJson", {"round": int, "*": ChangeJson})


class BalanceRowJson(TypedDict):
    """How often a player has started, met again and waited."""

    rank: int
    number: int
    name: str
    starts: int
    replies: int
    start_balance: int
    in_a_row: int
    repeats: int
    byes: int
    absences: int


class AwardJson(TypedDict):
    """What a bye or a win by forfeit adds to a total of points; the rule set's unless it is its own."""

    round: int
    player: int
    name: str
    own: bool
    awarded: int
    by: AwardBy
    points: int


class RoundTimeJson(TypedDict):
    """When a round begins: the day from 1, the hour there, and the moment where date and zone are known."""

    round: int
    day: int
    time: str
    at: str | None


class TimesJson(TypedDict):
    """When the rounds of a division begin, and the plan that says so."""

    division: str
    times: str
    rounds: list[RoundTimeJson]


class BalanceJson(TypedDict):
    """The balance of a division."""

    division: str
    after: int
    rows: list[BalanceRowJson]


class PrintedJson(FileJson):
    """A PDF that was written."""

    report: str | None
    reports: list[str]
    noted: bool


class PairedAgainJson(TypedDict):
    """A round paired again from what was known then."""

    division: str
    round: int
    same: bool
    tables: int
    by_hand: list[int]
    otherwise: list[int]
    byes: list[int]
    byes_instead: list[int]
    error: str | None


class CheckJson(TypedDict):
    """Whether a file is sound, and what is open."""

    sound: bool
    damage: list[str]
    problems: list[str]
    rounds: list[PairedAgainJson]


class HeadJson(TypedDict):
    """A head that was sought."""

    head: str
    found: bool
    revision: int | None
    printed_at: int | None
    at: str | None
    erased: bool


class RoundPapersJson(TypedDict):
    """Whether the printouts of a round agree with the file."""

    division: str
    round: int
    agrees: bool


class ClockJson(TypedDict):
    """A step before which a clock has jumped."""

    seq: int
    at: str
    seconds: Scalar


class VerificationJson(TypedDict):
    """Whether a file continues from its printouts."""

    sound: bool
    revision: int
    head: str
    holds: bool
    heads: list[HeadJson]
    agrees_to: int | None
    differs_from: int | None
    rounds: list[RoundPapersJson]
    clocks: list[ClockJson]


class DemoJson(FileJson):
    """A sample tournament."""

    players: int
    rounds: int


class SampleEventsJson(TypedDict):
    """Events that were made, and their files or folders."""

    folder: str
    events: list[str]


class MeasuredJson(TypedDict):
    """What a round costs by criterion, and the least that it could; `error`: why that cannot be said."""

    round: int
    system: str
    cost: dict[str, int]
    optimum: dict[str, int]
    error: str | None


class FindingJson(TypedDict):
    """Something that is wrong; its facts follow from the code."""

    code: str
    round: int
    facts: dict[str, Scalar]
    text: str


class ExaminationJson(TypedDict):
    """A division of a file; `most_uneven`: starts beyond replies, `most_in_a_row`: starts running."""

    file: str
    division: str
    findings: list[FindingJson]
    rounds: list[MeasuredJson]
    most_uneven: int
    most_in_a_row: int


class EditionJson(TypedDict):
    """A word list edition; `hyphens`: words with hyphen or apostrophe were taken."""

    name: str
    language: str
    date: str
    edition_id: str
    source_hash: str
    binding_max_length: int | None
    hyphens: bool
    practice: bool
    imported: str
    words: int


class BuiltJson(EditionJson):
    """An edition that was made, and how many lines of its list were dropped for what."""

    encoding: str
    dropped: dict[str, Dropped]
    changes: NotRequired[EditionChanges]


class SoundEditionJson(EditionJson):
    """An edition that was read."""

    sound: bool


class FoundListJson(TypedDict):
    """A practice list on this machine."""

    path: str
    language: str
    name: str


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


class SharedFileJson(FileJson):
    """A file and the address at which its tournament is shared."""

    address: str


class UnsharedJson(SharedFileJson):
    """A tournament that came back; `left`: something of it is still on the server."""

    snapshots: str | None
    left: bool


class AdmittedJson(TypedDict):
    """A station that may take part; a new login has a password."""

    address: str
    role: Role
    password: NotRequired[str]


class RepairedJson(TypedDict):
    """A shared tournament that was repaired."""

    address: str
    copy: str | None
    revision: int
    lost: int
    certain: bool


class SavedJson(FileJson):
    """A new file of what could be read of a damaged one."""

    missing: list[str]
    revision: int
    rows: int
    certain: bool


class ServedJson(TypedDict):
    """Where a tournament is shown; `fingerprint` is that of the certificate, `featured` where a table is typed."""

    url: str
    entry: bool
    fingerprint: NotRequired[str]
    featured: NotRequired[str]


class RanJson(TypedDict):
    """A command that was run."""

    command: str
    text: str


DOCUMENTS: dict[str, Any] = {
    "admit": AdmittedJson,
    "balance": BalanceJson,
    "bracket": BracketJson,
    "bye": list[AwardJson],
    "chances": ChancesJson,
    "check": CheckJson,
    "checked": CheckedJson,
    "demo": DemoJson,
    "do": RanJson | dict[str, dict[str, str]],
    "erase": ErasedJson,
    "export": ExportedJson,
    "fetch": SharedFileJson,
    "gcg": AnnotatedJson,
    "history": list[HistoryJson],
    "import": ImportedJson | StepJson,
    "judge": VerdictJson,
    "lexicon": BuiltJson | SoundEditionJson | Comparison | list[FoundListJson],
    "merge": FollowsJson,
    "move": FollowsJson,
    "new": NewJson,
    "news": list[NewsJson],
    "pair": RoundJson,
    "pairings": RoundJson,
    "players": list[PlayerJson],
    "print": PrintedJson | dict[str, str],
    "prizes": PrizesJson,
    "ratings": RatingsJson | list[RatingSystemJson],
    "redo": StepJson,
    "referee": SampleEventsJson | list[ExaminationJson],
    "rehearse": RehearsalJson,
    "repair": RepairedJson | SavedJson,
    "result": StepJson,
    "results": StepJson,
    "return": StepJson,
    "rule": RuledJson,
    "rulesets": list[PresetJson],
    "sanction": StepJson | list[SanctionJson],
    "schema": list[str],
    "score": ScoreJson,
    "serve": ServedJson,
    "share": SharedFileJson,
    "sheet": SheetJson | list[SheetOfFolderJson],
    "snapshot": FileJson,
    "stages": StagesJson,
    "standings": StandingsJson,
    "teams": TeamsJson,
    "times": TimesJson,
    "undo": StepJson,
    "unshare": UnsharedJson,
    "verify": VerificationJson,
    "what-if": WhatIfJson,
    "withdraw": StepJson,
}  # by verb
EXPORT = "export.json"  # what `export` writes


def schema_of(name: str, *, closed: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of what a verb prints, or of a file; raise RuleViolation for no such name."""
    rows = {kind: NotRequired[list[row]] for kind, row in KINDS.items()}  # type: ignore[valid-type]
    whole = TypedDict("Tournament", {"format": Literal["tdapp"], "version": Literal[1], **rows})  # type: ignore[misc]
    known = {DATA: PublicJson, EXPORT: whole, **DOCUMENTS}
    if name not in known:
        raise RuleViolation("unknown-schema", name=name, known=", ".join(known))
    return schema(name, known[name], closed=closed or name == EXPORT)


def print_schema(_program: Program, options: Namespace) -> object:
    """Print the schema of a document, or name them all."""
    names = [DATA, EXPORT, *DOCUMENTS]
    if options.name is None:
        if not options.json:
            print(*names, sep="\n")
        return names
    print(json_text(schema_of(options.name)))
    return None
