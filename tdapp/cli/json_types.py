"""JSON types for subcommands about files, history, rounds and sharing, and the subcommand `schema`."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, defstruct

from tdapp.cli.arguments import VERBS
from tdapp.cli.program import Program
from tdapp.domain.errors import CommandError
from tdapp.domain.model import Scalar
from tdapp.domain.roles import Role
from tdapp.domain.ruleset import UnplayedRoundPointsSource
from tdapp.domain.tournament import KINDS
from tdapp.domain.type_hints import list_return_types_without_none
from tdapp.exchange import json_documents
from tdapp.exchange.json_documents import DATA, PublicTournamentJson
from tdapp.exchange.json_text import format_json, make_json_schema


class WrittenFileJson(Struct):
    """A written file. Each verb can add keys."""

    file: str


class NewTournamentJson(WrittenFileJson):
    """A new tournament."""

    name: str
    rules: str


class RuleSetJson(Struct):
    """A bundled rule set."""

    id: str
    name: str
    language: str
    tileset: str


class StepJson(Struct):
    """A step of the history: one change of the tournament, which can be undone.

    The key `undoes` is the number of the step that this step undid, or null.
    """

    seq: int
    label: str
    facts: dict[str, Any]
    undoes: int | None
    text: str


class ImportedResultsJson(StepJson):
    """The history step of an import of results.

    The list `replaced` describes replaced results. The list `ignored` names unknown columns.
    """

    entered: int
    unchanged: int
    replaced: list[str]
    ignored: list[str]


class ImportedRatingsJson(StepJson):
    """The history step of a rating import, and messages about omitted lines and players."""

    left_out: list[str]


class ImportedPhotosJson(StepJson):
    """The history step of a photo import, and messages about unused files."""

    left_out: list[str]


class HistoryStepJson(Struct):
    """A step of the history. The key `at` is its time in ISO 8601, UTC."""

    seq: int
    at: str
    station: str
    label: str
    facts: dict[str, Any]
    undoes: int | None
    undone: bool
    text: str


class StepConsequencesJson(StepJson):
    """A step of the history, and sentences about its consequences."""

    follows: list[str]


class ErasedDataJson(StepJson):
    """The history step of an erasure, and the file copies that still contain the erased data."""

    snapshots_deleted: int
    snapshots_left: list[str]
    not_reached: list[str]


class ImportedDivisionJson(Struct):
    """A division after an import. The key `rounds` counts new rounds, and all other numbers count players."""

    division: str
    players: int
    added: int
    changed: int
    unchanged: int
    rounds: int


class LineProblemJson(Struct):
    """A problem in a line of a file. The key `line` is 0 if the problem is about the whole file."""

    line: int
    field: str
    code: str
    text: str


class RefusedFileProblemsJson(Struct):
    """The problems of a refused file, by line. The exit code is 2."""

    problems: list[LineProblemJson]


class ImportedFileJson(Struct):
    """The imported divisions, and messages about content that cannot be imported."""

    divisions: list[ImportedDivisionJson]
    left_out: list[str]


class ExportedFileJson(WrittenFileJson):
    """An exported file or folder. The key `files` is the number of files in a folder.

    The warnings name data that the format cannot hold.
    """

    format: str
    files: int | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET


class StageJson(Struct):
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
    name: str
    date: str
    evening: bool


class ScheduleJson(Struct):
    """A division's schedule."""

    division: str
    stages: list[StageJson]


class ChangedTableJson(Struct):
    """A table whose players change."""

    table: int
    first: int | None
    second: int | None
    repeat: int
    scores: list[float]


class DraftChangeEffectJson(Struct):
    """The effect of one change to a round's draft (unpublished pairing)."""

    text: str
    better: bool
    cost: dict[str, int]
    bye: int | None
    bye_instead: int | None
    tables: list[ChangedTableJson]


class PossibleDraftChangesJson(Struct, rename={"changes": "*"}):
    """The effects of possible changes to a round's draft (unpublished pairing), by kind of change."""

    round: int
    changes: dict[str, DraftChangeEffectJson]


class PlayerStartsAndByesJson(Struct):
    """Counts of a player's starts (games with the first turn), repeated pairings and byes."""

    rank: int | None
    number: int
    name: str
    starts: int
    replies: int
    start_balance: int
    in_a_row: int
    repeats: int
    byes: int
    absences: int


class AwardedResultJson(Struct):
    """The result awarded for a bye or a win by forfeit.

    The key `own` is true if the director set the result for this round.
    """

    round: int
    player: int
    name: str
    own: bool
    awarded: int
    by: UnplayedRoundPointsSource
    points: int


class RoundStartTimeJson(Struct):
    """The time of a round: `day` counts from 1, and `time` is local time.

    The key `at` is null if the date or the time zone is unknown.
    """

    round: int
    day: int
    time: str
    at: str | None


class RoundStartTimesJson(Struct):
    """The start times of a division's rounds. The key `times` is the plan as typed."""

    division: str
    times: str
    rounds: list[RoundStartTimeJson]


class DivisionStartsAndByesJson(Struct):
    """The counts of starts, repeated pairings and byes, for each player of a division."""

    division: str
    after: int
    rows: list[PlayerStartsAndByesJson]


class ReportsPdfJson(WrittenFileJson):
    """A PDF with reports.

    The list `left_out` names reports without content. The key `missing_letters` has, by player name, the
    letters that no font has.
    """

    report: str | None
    reports: list[str]
    left_out: list[str]
    noted: bool
    missing_letters: dict[str, str]


class RoundPairingComparisonJson(Struct):
    """A comparison of a round's pairing with a new pairing made from the same data."""

    division: str
    round: int
    same: bool
    tables: int
    by_hand: list[int]
    otherwise: list[int]
    byes: list[int]
    byes_instead: list[int]
    error: str | None


class TournamentCheckJson(Struct):
    """The damage and open problems of a tournament file.

    `rounds` compares each round with a newly computed pairing.
    """

    sound: bool
    damage: list[str]
    problems: list[str]
    rounds: list[RoundPairingComparisonJson]


class PrintedChecksumJson(Struct):
    """A checksum from a printout, and the history step to which it belongs."""

    head: str
    found: bool
    revision: int | None
    printed_at: int | None
    at: str | None
    erased: bool


class RoundPrintoutCheckJson(Struct):
    """A round, and whether its printouts match the tournament file."""

    division: str
    round: int
    agrees: bool


class ClockJumpJson(Struct):
    """A jump of the computer's clock by `seconds` before history step `seq`."""

    seq: int
    at: str
    seconds: Scalar


class PrintoutVerificationJson(Struct):
    """Whether a tournament file matches its printouts."""

    sound: bool
    revision: int
    head: str
    holds: bool
    heads: list[PrintedChecksumJson]
    agrees_to: int | None
    differs_from: int | None
    rounds: list[RoundPrintoutCheckJson]
    clocks: list[ClockJumpJson]


class SampleTournamentJson(WrittenFileJson):
    """A sample tournament."""

    players: int
    rounds: int


class SampleEventsJson(Struct):
    """A folder of generated events, and the names of their files."""

    folder: str
    events: list[str]


class RoundPairingCostsJson(Struct):
    """The costs (disadvantages) of a round's pairing by criterion, and the lowest possible costs.

    If the lowest costs are unknown, `error` is the reason.
    """

    round: int
    system: str
    cost: dict[str, int]
    optimum: dict[str, int]
    error: str | None


class PairingErrorJson(Struct):
    """An error in a pairing. The key `facts` has details, which depend on the key `code`."""

    code: str
    round: int
    facts: dict[str, Scalar]
    text: str


class EventPairingsCheckJson(Struct):
    """The check of the pairings of an event.

    The key `most_uneven` is the greatest difference between one player's starts and replies. The key
    `most_in_a_row` is the most starts in a row of one player.
    """

    file: str
    division: str
    findings: list[PairingErrorJson]
    rounds: list[RoundPairingCostsJson]
    most_uneven: int
    most_in_a_row: int


class SharedTournamentJson(WrittenFileJson):
    """A tournament file, and the address of the same tournament on a database server."""

    address: str


class UnsharedTournamentJson(SharedTournamentJson):
    """A file to which a shared tournament was moved back from the server.

    The key `left` is true if some data are still on the server.
    """

    snapshots: str | None
    left: bool


class AdmittedStationJson(Struct):
    """The access of another computer to a shared tournament. Only a new login has the key `password`."""

    address: str
    role: Role
    password: str | UnsetType = UNSET


class RepairedTournamentJson(Struct):
    """A repaired shared tournament."""

    address: str
    copy: str | None
    revision: int
    lost: int
    certain: bool


class SalvagedFileJson(WrittenFileJson):
    """A new file with the readable data of a damaged one."""

    missing: list[str]
    revision: int
    rows: int
    certain: bool


class ServerUrlsJson(Struct):
    """The URLs of the web server.

    The key `fingerprint` is the SHA-256 fingerprint of the server's certificate. The key `featured` is the page
    for typing a game that spectators follow.
    """

    url: str
    entry: bool
    fingerprint: str | UnsetType = UNSET
    featured: str | UnsetType = UNSET
    entry_pin: str | UnsetType = UNSET
    jury_pin: str | UnsetType = UNSET


class CommandAndStepJson(Struct):
    """The id of a command, and the text of its step in the history."""

    command: str
    text: str


EXPORT = "export.json"  # written by `export`
LIST_PROBLEMS = "refused"  # printed by each verb that refuses a list
_TEXTS = {"completion", "man"}  # verbs that print no JSON


def make_verb_schema(name: str, *, forbids_unknown_keys: bool = False) -> dict[str, Any]:
    """Return the JSON schema for the JSON output of the subcommand `name`."""
    rows = [(kind, list[row] | UnsetType, UNSET) for kind, row in KINDS.items()]  # type: ignore[valid-type]
    tournament_type = defstruct("Tournament", [("format", Literal["tdapp"]), ("version", Literal[1]), *rows])
    document_types = {DATA: PublicTournamentJson, EXPORT: tournament_type, LIST_PROBLEMS: RefusedFileProblemsJson}
    if name not in _list_schema_names():
        raise CommandError("unknown-schema", name=name, known=", ".join(_list_schema_names()))
    types = (document_types[name],) if name in document_types else _list_json_types_of_verb(name)
    return make_json_schema(name, *types, forbids_unknown_keys=forbids_unknown_keys or name == EXPORT)


def _list_schema_names() -> list[str]:
    return [DATA, EXPORT, LIST_PROBLEMS, *sorted(VERBS.keys() - _TEXTS)]


def _list_json_types_of_verb(verb: str) -> tuple[Any, ...]:
    if verb == "serve":
        return (ServerUrlsJson,)  # printed while it runs
    return list_return_types_without_none(VERBS[verb].load_function(), vars(json_documents))


def print_schema(_program: Program, options: Namespace) -> list[str] | None:
    if options.name is None:
        names = _list_schema_names()
        if not options.json:
            print(*names, sep="\n")
        return names
    print(format_json(make_verb_schema(options.name)))
    return None
