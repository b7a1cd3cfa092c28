"""The tournament as one immutable value, flat like database tables.

One map per kind of row, keyed by id. Ids are made outside and never reused. What can be computed (standings,
repeats, balances) is not stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast, get_args, get_type_hints

from tdapp.domain import model
from tdapp.domain.paper import Logo, LogoId, Paper, Printout, PrintoutId, ReportChoiceId
from tdapp.domain.ruleset import RuleSet

Row = (
    model.Event
    | model.Rules
    | model.Division
    | model.Stage
    | model.Round
    | model.Player
    | model.Absence
    | model.Constraint
    | model.Seed
    | model.Game
    | model.Bye
    | model.Result
    | model.ScoreSheet
    | model.Sanction
    | model.Incident
    | model.Challenge
    | model.Prize
    | model.TableGroup
    | model.SlipEntry
    | Paper
    | Printout
    | Logo
)


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
    # Of the codes on slips: no row, in no diff, known only where the tournament is kept.
    secret: str = field(default="", repr=False)

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
        return self._changed({(kind_of(row), row.id): row for row in rows})

    def drop(self, *rows: Row) -> Tournament:
        """Return the tournament without `rows`."""
        return self._changed({(kind_of(row), row.id): None for row in rows})

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
KINDS: Mapping[str, type[Row]] = {
    kind: get_args(hint)[1] for kind, hint in get_type_hints(Tournament).items() if get_args(hint)
}
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


def kind_of(row: Row) -> str:
    """Return the kind in whose map `row` belongs."""
    return _KIND_OF[type(row)]
