"""The tournament as one immutable value, flat like database tables.

One map per kind of row, keyed by id. Ids are made outside and never reused. What can be computed (standings,
repeats, balances) is not stored. The difference of two values is what is written, undone and announced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, cast, get_args, get_type_hints

from tdapp.domain import model
from tdapp.domain.paper import Logo, LogoId, Paper, Printout, PrintoutId, ReportChoiceId
from tdapp.domain.ruleset import RuleSet


class Row(Protocol):
    """A row of any kind: one of the dataclasses of KINDS."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> str:
        """Its identity among the rows of its kind."""


def _none() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Tournament:
    """The whole tournament at one moment; compared by identity, so that results can be remembered by it."""

    events: Mapping[model.EventId, model.Event] = field(default_factory=_none)
    rules: Mapping[model.RulesId, model.Rules] = field(default_factory=_none)
    divisions: Mapping[model.DivisionId, model.Division] = field(default_factory=_none)
    stages: Mapping[model.StageId, model.Stage] = field(default_factory=_none)
    rounds: Mapping[model.RoundId, model.Round] = field(default_factory=_none)
    players: Mapping[model.PlayerId, model.Player] = field(default_factory=_none)
    absences: Mapping[model.AbsenceId, model.Absence] = field(default_factory=_none)
    constraints: Mapping[model.ConstraintId, model.Constraint] = field(default_factory=_none)
    seeds: Mapping[model.SeedId, model.Seed] = field(default_factory=_none)
    games: Mapping[model.GameId, model.Game] = field(default_factory=_none)
    byes: Mapping[model.ByeId, model.Bye] = field(default_factory=_none)
    results: Mapping[model.GameId, model.Result] = field(default_factory=_none)
    sheets: Mapping[model.SheetId, model.ScoreSheet] = field(default_factory=_none)
    sanctions: Mapping[model.SanctionId, model.Sanction] = field(default_factory=_none)
    incidents: Mapping[model.IncidentId, model.Incident] = field(default_factory=_none)
    challenges: Mapping[model.ChallengeId, model.Challenge] = field(default_factory=_none)
    prizes: Mapping[model.PrizeId, model.Prize] = field(default_factory=_none)
    table_groups: Mapping[model.TableGroupId, model.TableGroup] = field(default_factory=_none)
    slips: Mapping[model.SlipId, model.SlipEntry] = field(default_factory=_none)
    papers: Mapping[ReportChoiceId, Paper] = field(default_factory=_none)
    printouts: Mapping[PrintoutId, Printout] = field(default_factory=_none)
    logos: Mapping[LogoId, Logo] = field(default_factory=_none)

    @property
    def event(self) -> model.Event:
        """The one row of the event."""
        return next(iter(self.events.values()))

    @property
    def ruleset(self) -> RuleSet:
        """The rules this tournament is played by."""
        return next(iter(self.rules.values())).ruleset

    def rows(self, kind: str) -> Mapping[str, Row]:
        """Return the map of `kind`, one of KINDS."""
        return cast("Mapping[str, Row]", getattr(self, kind))

    def put(self, *rows: Row) -> Tournament:
        """Return the tournament with `rows` added or replaced by id."""
        return self._changed({(_KIND_OF[type(row)], row.id): row for row in rows})

    def drop(self, *rows: Row) -> Tournament:
        """Return the tournament without `rows`."""
        return self._changed({(_KIND_OF[type(row)], row.id): None for row in rows})

    def _changed(self, changes: Mapping[tuple[str, str], Row | None]) -> Tournament:
        maps: dict[str, dict[str, Row]] = {}
        for (kind, key), row in changes.items():
            target = maps.setdefault(kind, dict(self.rows(kind)))
            if row is None:
                target.pop(key, None)
            else:
                target[key] = row
        values = {kind: MappingProxyType(rows) for kind, rows in maps.items()}
        return replace(self, **cast("dict[str, Any]", values))


# Each kind with its row type, parents before children, as the fields of a tournament declare them.
KINDS: Mapping[str, type[Row]] = {kind: get_args(hint)[1] for kind, hint in get_type_hints(Tournament).items()}
_KIND_OF = {row_type: kind for kind, row_type in KINDS.items()}

# Which of a kind's fields hold the id of another row, and of which kind; None is no id.
PARENTS: Mapping[str, Mapping[str, str]] = {
    "stages": {"division": "divisions"},
    "rounds": {"stage": "stages"},
    "players": {"division": "divisions"},
    "absences": {"player": "players"},
    "constraints": {"player": "players", "other": "players"},
    "seeds": {"stage": "stages", "player": "players"},
    "games": {"round": "rounds", "first": "players", "second": "players"},
    "byes": {"round": "rounds", "player": "players"},
    "results": {"id": "games"},
    "sheets": {"game": "games"},
    "sanctions": {"player": "players"},
    "incidents": {"division": "divisions", "player": "players"},
    "challenges": {"division": "divisions", "challenger": "players"},
    "prizes": {"division": "divisions", "player": "players"},
    "table_groups": {"division": "divisions"},
    "slips": {"game": "games", "player": "players"},
}


@dataclass(frozen=True, slots=True)
class Change:
    """One row that came (`before` None), went (`after` None) or became another."""

    kind: str
    id: str
    before: Row | None
    after: Row | None


Diff = tuple[Change, ...]


def changed(change: Change) -> frozenset[str]:
    """Return the fields in which a row has become another: all of them, with its id, where it came or went."""
    rows = [row for row in (change.before, change.after) if row is not None]
    names = frozenset(item.name for row in rows for item in fields(row))
    if len(rows) == 1:
        return names
    return frozenset(name for name in names if getattr(change.before, name) != getattr(change.after, name))


class Conflict(Exception):
    """A row is no longer what the diff expects; `change` says what it expected, `found` what there is."""

    def __init__(self, change: Change, found: Row | None) -> None:
        super().__init__(f"{change.kind} {change.id}")
        self.change = change
        self.found = found


def diff(old: Tournament, new: Tournament) -> Diff:
    """Return the changes that lead from `old` to `new`, parents before children."""
    found: list[Change] = []
    for kind in KINDS:
        before, after = old.rows(kind), new.rows(kind)
        if before is not after:
            found.extend(_row_changes(kind, before, after))
    return tuple(found)


def _row_changes(kind: str, before: Mapping[str, Row], after: Mapping[str, Row]) -> list[Change]:
    changes = [Change(kind, key, row, None) for key, row in before.items() if key not in after]
    for key, row in after.items():
        old = before.get(key)
        if old is not row and old != row:
            changes.append(Change(kind, key, old, row))
    return changes


def inverse(changes: Diff) -> Diff:
    """Return the diff that takes `changes` back."""
    return tuple(Change(item.kind, item.id, item.after, item.before) for item in reversed(changes))


def apply(tournament: Tournament, changes: Diff) -> Tournament:
    """Return `tournament` with `changes` made; raise Conflict where a row is not what the diff expects."""
    for change in changes:
        found = tournament.rows(change.kind).get(change.id)
        if found != change.before:
            raise Conflict(change, found)
    gone = [item.before for item in changes if item.after is None and item.before is not None]
    there = [item.after for item in changes if item.after is not None]
    return tournament.drop(*gone).put(*there)
