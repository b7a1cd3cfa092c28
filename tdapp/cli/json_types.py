"""What the verbs about files, steps, rounds and sharing print with `--json`, as types."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from tdapp.domain.model import Scalar
from tdapp.domain.roles import Role
from tdapp.domain.ruleset import AwardBy


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
    """A PDF that was written; `left_out` are reports of the moment that would only say that there is nothing."""

    report: str | None
    reports: list[str]
    left_out: list[str]
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
