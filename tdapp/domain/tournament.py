"""The tournament as one immutable value. Each kind of row, such as players, is a map from ids to rows.

The caller makes the ids and never reuses one. Computed values are not stored.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import compress, groupby
from operator import attrgetter, is_not
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import fields, replace

from tdapp.domain import jury_rows, model
from tdapp.domain.errors import CommandError
from tdapp.domain.model import Scalar
from tdapp.domain.paper import Logo, LogoId, Printout, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.type_hints import map_value_types_by_field

K = TypeVar("K", bound=str)
T = TypeVar("T")


class Row(Protocol):
    """A row of a tournament, such as a player. KINDS lists all kinds."""

    __struct_fields__: ClassVar[tuple[str, ...]]

    @property
    def id(self) -> str:
        """The row's id, unique within its kind."""


class JournalChecksum(Struct, frozen=True):
    """The checksum over the journal up to a revision, as printed on reports."""

    revision: int = 0
    code: str = ""  # "" before the first step

    def __str__(self) -> str:
        return f"{self.revision} · {self.code}" if self.code else ""


def _make_empty_map() -> Mapping[Any, Any]:
    return MappingProxyType({})


class Tournament(Struct, frozen=True, eq=False):
    """The whole tournament.

    A tournament equals only itself, so that it can be a cache key.
    """

    events: Mapping[model.EventId, model.Event] = field(default_factory=_make_empty_map)
    rules: Mapping[model.RulesId, model.TournamentRules] = field(default_factory=_make_empty_map)
    divisions: Mapping[model.DivisionId, model.Division] = field(default_factory=_make_empty_map)
    stages: Mapping[model.StageId, model.Stage] = field(default_factory=_make_empty_map)
    rounds: Mapping[model.RoundId, model.Round] = field(default_factory=_make_empty_map)
    players: Mapping[model.PlayerId, model.Player] = field(default_factory=_make_empty_map)
    photos: Mapping[model.PlayerId, model.Photo] = field(default_factory=_make_empty_map)
    absences: Mapping[model.AbsenceId, model.Absence] = field(default_factory=_make_empty_map)
    constraints: Mapping[model.ConstraintId, model.Constraint] = field(default_factory=_make_empty_map)
    seeds: Mapping[model.SeedId, model.Seed] = field(default_factory=_make_empty_map)
    games: Mapping[model.GameId, model.Game] = field(default_factory=_make_empty_map)
    byes: Mapping[model.ByeId, model.Bye] = field(default_factory=_make_empty_map)
    seats: Mapping[model.SeatId, model.Seat] = field(default_factory=_make_empty_map)
    results: Mapping[model.GameId, model.Result] = field(default_factory=_make_empty_map)
    sheets: Mapping[jury_rows.SheetId, jury_rows.ScoreSheet] = field(default_factory=_make_empty_map)
    word_rulings: Mapping[jury_rows.WordRulingId, jury_rows.WordRuling] = field(default_factory=_make_empty_map)
    sanctions: Mapping[jury_rows.SanctionId, jury_rows.Sanction] = field(default_factory=_make_empty_map)
    incidents: Mapping[jury_rows.IncidentId, jury_rows.Incident] = field(default_factory=_make_empty_map)
    challenges: Mapping[model.ChallengeId, jury_rows.Challenge] = field(default_factory=_make_empty_map)
    prizes: Mapping[model.PrizeId, model.Prize] = field(default_factory=_make_empty_map)
    table_groups: Mapping[model.TableGroupId, model.TableGroup] = field(default_factory=_make_empty_map)
    fees: Mapping[model.FeeId, model.EntryFee] = field(default_factory=_make_empty_map)
    slips: Mapping[model.SlipId, model.ResultFromPlayer] = field(default_factory=_make_empty_map)
    seasons: Mapping[model.SeasonId, model.Season] = field(default_factory=_make_empty_map)
    earlier: Mapping[model.EarlierId, model.EarlierEveningResult] = field(default_factory=_make_empty_map)
    copied_events: Mapping[model.CopiedEventId, model.CopiedEvent] = field(default_factory=_make_empty_map)
    copied_results: Mapping[model.CopiedResultId, model.CopiedResult] = field(default_factory=_make_empty_map)
    person_links: Mapping[model.PersonLinkId, model.PersonLink] = field(default_factory=_make_empty_map)
    papers: Mapping[ReportChoiceId, ReportChoice] = field(default_factory=_make_empty_map)
    printouts: Mapping[PrintoutId, Printout] = field(default_factory=_make_empty_map)
    logos: Mapping[LogoId, Logo] = field(default_factory=_make_empty_map)
    # Key of the codes on slips. Not part of rows or diffs; known only to the director's computer.
    secret: str = ""
    # Checksum of the last saved revision. Not part of rows or diffs.
    head: JournalChecksum = JournalChecksum()
    # Ids by kind of the rows changed since `make_change_tracking_copy`, in order; None without tracking.
    touched: Mapping[str, tuple[str, ...]] | None = None

    def __repr__(self) -> str:
        return f"Tournament({', '.join(f'{kind}={self.rows(kind)!r}' for kind in KINDS)}, head={self.head!r})"

    @property
    def event(self) -> model.Event:
        return next(iter(self.events.values()))

    @property
    def ruleset(self) -> RuleSet:
        return next(iter(self.rules.values())).ruleset

    def get_ruleset_of_row(self, row: Row | None) -> RuleSet:
        """Return the rule set of the division to which a row belongs, or that of the tournament."""
        division = self.find_division_of_row(row)
        return self.ruleset if division is None or division.ruleset is None else division.ruleset

    def get_wordlist_id_of_row(self, row: Row | None) -> str:
        """Return the id of the word list of a row's division.

        If there is none, return the id of the tournament's list.
        """
        division = self.find_division_of_row(row)
        return self.event.wordlist if division is None or division.wordlist is None else division.wordlist

    def find_division_of_row(self, row: Row | None) -> model.Division | None:
        """Return the division to which a row refers, directly or through other rows, None if it has none."""
        while row is not None and not isinstance(row, model.Division):
            name, kind = next(iter(PARENTS.get(get_row_kind(row), {}).items()), ("", ""))
            row = self.rows(kind).get(getattr(row, name)) if kind else None
        return row

    def rows(self, row_kind: str) -> Mapping[str, Row]:
        return cast("Mapping[str, Row]", getattr(self, row_kind))

    def iterate_rows(self) -> Iterator[Row]:
        return (row for kind in KINDS for row in self.rows(kind).values())

    def put(self, *rows: Row) -> Tournament:
        return self._apply_changes({(get_row_kind(row), row.id): row for row in rows})

    def drop(self, *rows: Row) -> Tournament:
        """Remove rows, but not the rows that refer to them."""
        return self._apply_changes({(get_row_kind(row), row.id): None for row in rows})

    def drop_with_children(self, *rows: Row) -> Tournament:
        """Remove `rows` and their children: the rows that refer to them.

        Children with an optional reference stay, and their reference becomes None.
        """
        changes: dict[tuple[str, str], Row | None] = {(get_row_kind(row), row.id): None for row in rows}
        for kind, parents in PARENTS.items():
            removed_keys = {key for key, row in changes.items() if row is None and key[0] in parents.values()}
            for key, row in self.rows(kind).items() if removed_keys else ():
                broken_fields = [
                    name for name, parent in parents.items() if (parent, getattr(row, name)) in removed_keys
                ]
                if broken_fields:
                    defaults = get_field_defaults(type(row))
                    is_optional = all(defaults[name] is None for name in broken_fields)
                    changes.setdefault(
                        (kind, key),
                        replace(cast("Any", row), **dict.fromkeys(broken_fields)) if is_optional else None,
                    )
        return self._apply_changes(changes)

    def make_change_tracking_copy(self) -> Tournament:
        """Return an equal tournament that records its changed rows. Then `compute_diff` is faster."""
        return replace(self, touched=MappingProxyType({}))

    def _apply_changes(self, changes: Mapping[tuple[str, str], Row | None]) -> Tournament:
        maps: dict[str, dict[str, Row]] = {}
        for (kind, key), row in changes.items():
            if kind not in maps:
                # Faster than `dict`, which asks the view for each row.
                maps[kind] = cast("MappingProxyType[str, Row]", self.rows(kind)).copy()
            if row is None:
                maps[kind].pop(key, None)
            else:
                maps[kind][key] = row
        values = {kind: MappingProxyType(rows) for kind, rows in maps.items()}
        return replace(self, **cast("dict[str, Any]", values), touched=self._extend_touched_ids(changes))

    def _extend_touched_ids(self, changes: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]] | None:
        if self.touched is None:
            return None
        keys: dict[str, list[str]] = {}
        for kind, key in changes:
            keys.setdefault(kind, []).append(key)
        new_ids = {kind: (*self.touched.get(kind, ()), *ids) for kind, ids in keys.items()}
        return MappingProxyType({**self.touched, **new_ids})


# Row types by kind, parents before children, from the fields of Tournament.
KINDS: Mapping[str, type[Row]] = map_value_types_by_field(Tournament)
_KINDS_BY_TYPE = {row_type: kind for kind, row_type in KINDS.items()}

# By kind: the fields with the id of a parent row, and the kind of the parent.
PARENTS: Mapping[str, Mapping[str, str]] = {
    "stages": {"division": "divisions"},
    "rounds": {"stage": "stages"},
    "players": {"division": "divisions"},
    "photos": {"id": "players"},
    "absences": {"player": "players"},
    "constraints": {"player": "players", "other": "players"},
    "seeds": {"stage": "stages", "player": "players"},
    "games": {"round": "rounds", "first": "players", "second": "players"},
    "byes": {"round": "rounds", "player": "players"},
    "seats": {"round": "rounds", "player": "players"},
    "results": {"id": "games"},
    "sheets": {"game": "games"},
    "word_rulings": {"game": "games", "player": "players"},
    "sanctions": {"player": "players"},
    "incidents": {"division": "divisions", "player": "players"},
    "challenges": {"division": "divisions", "challenger": "players"},
    "prizes": {"division": "divisions", "player": "players"},
    "table_groups": {"division": "divisions"},
    "fees": {"division": "divisions"},
    "slips": {"game": "games", "player": "players"},
    "seasons": {"division": "divisions"},
    "earlier": {"season": "seasons", "player": "players"},
    "copied_events": {"season": "seasons"},
    "copied_results": {"event": "copied_events", "player": "players"},
    "person_links": {"player": "players", "other": "players"},
}


def get_row_kind(row: Row) -> str:
    return _KINDS_BY_TYPE[type(row)]


@cache
def get_field_defaults(row_type: type[Row]) -> Mapping[str, object]:
    """Return the default value of each field. Required fields have NODEFAULT."""
    return MappingProxyType({item.name: item.default for item in fields(cast("type[Struct]", row_type))})


class RowChange(Struct, frozen=True):
    """An added, changed or deleted row."""

    kind: str
    id: str
    before: Row | None  # None for an added row
    after: Row | None  # None for a deleted row


Diff = tuple[RowChange, ...]


def find_changed_fields(change: RowChange) -> frozenset[str]:
    """Return the names of the changed fields. For an added or deleted row, return all names."""
    rows = [row for row in (change.before, change.after) if row is not None]
    names = frozenset(name for row in rows for name in row.__struct_fields__)
    if len(rows) == 1:
        return names
    return frozenset(name for name in names if getattr(change.before, name) != getattr(change.after, name))


class DiffConflictError(Exception):
    """A diff cannot be applied, because `current_row` is not the row that `change` expected."""

    def __init__(self, change: RowChange, current_row: Row | None) -> None:
        super().__init__(f"{change.kind} {change.id}")
        self.change = change
        self.current_row = current_row


def compute_diff(old: Tournament, new: Tournament, kinds: Iterable[str] = KINDS) -> Diff:
    """Return the changes from `old` to `new`. Changed rows come after rows to which they refer."""
    changes: list[RowChange] = []
    for kind in kinds:
        before, after = old.rows(kind), new.rows(kind)
        if before is not after:
            touched = None if new.touched is None else new.touched.get(kind)
            changes.extend(_list_row_changes(kind, before, after, touched))
    return tuple(changes)


def _list_row_changes(
    row_kind: str, before: Mapping[str, Row], after: Mapping[str, Row], touched: Iterable[str] | None
) -> list[RowChange]:
    if touched is None:
        removed_keys, changed_keys = find_removed_and_changed_keys(before, after)
    else:
        keys = tuple(reversed(dict.fromkeys(reversed(tuple(touched)))))  # ordered by the last change
        removed_keys = [key for key in keys if key in before and key not in after]
        changed_keys = [key for key in keys if key in after]
    changes = [RowChange(row_kind, key, before[key], None) for key in removed_keys]
    changes += (
        RowChange(row_kind, key, before.get(key), after[key])
        for key in changed_keys
        if before.get(key) != after[key]
    )
    return changes


def find_removed_and_changed_keys(before: Mapping[K, T], after: Mapping[K, T]) -> tuple[list[K], list[K]]:
    """Return the removed keys, and the keys of new or changed values."""
    changed_keys = list(compress(after, map(is_not, after.values(), map(before.get, after))))  # usually few
    kept_count = len(after) - sum(key not in before for key in changed_keys)
    return [] if kept_count == len(before) else [key for key in before if key not in after], changed_keys


def invert_diff(changes: Diff) -> Diff:
    return tuple(RowChange(item.kind, item.id, item.after, item.before) for item in reversed(changes))


def apply_diff(tournament: Tournament, changes: Diff) -> Tournament:
    """Apply `changes`. Raises DiffConflictError if a row differs from the expected one."""
    for change in changes:
        current_row = tournament.rows(change.kind).get(change.id)
        if current_row != change.before:
            raise DiffConflictError(change, current_row)
    removed_rows = [item.before for item in changes if item.after is None and item.before is not None]
    new_rows = [item.after for item in changes if item.after is not None]
    return tournament.drop(*removed_rows).put(*new_rows)


class InconsistentRow(Struct, frozen=True):
    """An inconsistency of a row, such as a reference to a missing row."""

    kind: str
    id: str
    code: str  # id of the message
    fact: str  # a detail in the message


def find_inconsistent_rows(tournament: Tournament, changes: Diff | None = None) -> tuple[InconsistentRow, ...]:
    """Return all inconsistencies of the rows.

    With `changes` to a consistent tournament, check only the rows that they affect.
    """
    counts = {kind: len(tournament.rows(kind)) for kind in ("events", "rules")}
    wrong_counts = (
        InconsistentRow(kind, "", "not-exactly-one", kind) for kind, count in counts.items() if count != 1
    )
    rows = (
        {kind: tournament.rows(kind) for kind in KINDS}
        if changes is None
        else _find_rows_to_check_after_changes(tournament, changes)
    )
    return (
        *wrong_counts,
        *_find_inconsistent_references_and_ids(tournament, rows),
        *_find_duplicate_rows(tournament, rows.keys()),
    )


def _find_rows_to_check_after_changes(tournament: Tournament, changes: Diff) -> dict[str, Mapping[str, Row]]:
    removed_kinds = {item.kind for item in changes if item.after is None}
    rows: dict[str, dict[str, Row]] = {}
    for item in changes:
        if item.after is not None:
            rows.setdefault(item.kind, {})[item.id] = item.after
    child_rows = {
        kind: tournament.rows(kind) for kind, parents in PARENTS.items() if removed_kinds & set(parents.values())
    }
    return {**rows, **child_rows}


def _find_inconsistent_references_and_ids(
    tournament: Tournament, rows: Mapping[str, Mapping[str, Row]]
) -> Iterator[InconsistentRow]:
    for kind in [kind for kind in PARENTS if kind in rows]:
        for name, parent in PARENTS[kind].items():
            parent_rows, get_reference = tournament.rows(parent), attrgetter(name)
            if {None, *parent_rows}.issuperset(map(get_reference, rows[kind].values())):
                continue  # the usual case, checked in a third of the time
            for key, row in rows[kind].items():
                reference = get_reference(row)
                if reference is not None and reference not in parent_rows:
                    yield InconsistentRow(kind, key, "parent-missing", name)
    for kind, kind_rows in rows.items():
        if list(kind_rows) != [row.id for row in kind_rows.values()]:
            yield from (
                InconsistentRow(kind, key, "wrong-id", row.id) for key, row in kind_rows.items() if key != row.id
            )


def _find_duplicate_rows(tournament: Tournament, kinds: Set[str]) -> Iterator[InconsistentRow]:
    for code, (affected_kinds, list_value_getters) in _UNIQUENESS_RULES.items():
        if not kinds.isdisjoint(affected_kinds):
            value_getters, values_by_group = list_value_getters(tournament), defaultdict[object, set[object]](set)
            for kind, get_group, get_value in value_getters:
                for name, rows in groupby(tournament.rows(kind).values(), get_group):  # usually adjacent
                    values_by_group[name].update(map(get_value, rows))
            if sum(map(len, values_by_group.values())) < sum(
                len(tournament.rows(kind)) for kind, _, _ in value_getters
            ):
                yield from _list_rows_with_duplicate_values(tournament, code, value_getters)


def _list_rows_with_duplicate_values(
    tournament: Tournament, code: str, value_getters: _UniqueValueGetters
) -> Iterator[InconsistentRow]:
    entries = [
        (kind, key, None if get_group is type else get_group(row), get_value(row))
        for kind, get_group, get_value in value_getters
        for key, row in tournament.rows(kind).items()
    ]
    counts = Counter((group, value) for _, _, group, value in entries)
    for kind, key, group, value in entries:
        if counts[group, value] > 1:
            yield InconsistentRow(kind, key, code, str(value))


# Uniqueness rules: kind, group of rows (`type`: all rows), and the unique value in the group.
_UniqueValueGetters = Sequence[tuple[str, Callable[[Any], object], Callable[[Any], object]]]


def _make_getter_of_unique_values(
    *kind_group_and_value_names: tuple[str, str, str],
) -> Callable[[Tournament], _UniqueValueGetters]:
    value_getters = tuple(
        (kind, attrgetter(group_name), attrgetter(value_name))
        for kind, group_name, value_name in kind_group_and_value_names
    )
    return lambda _tournament: value_getters


def _list_getters_of_unique_division_codes(_tournament: Tournament) -> _UniqueValueGetters:
    return (("divisions", type, lambda row: row.code.casefold()),)


def _list_getters_of_unique_round_numbers(tournament: Tournament) -> _UniqueValueGetters:
    divisions = {stage.id: stage.division for stage in tournament.stages.values()}
    return (("rounds", lambda row: divisions.get(row.stage, ""), attrgetter("number")),)


_PLAYER_FIELDS_OF_ROUND = (
    ("games", "round", "first"),
    ("games", "round", "second"),
    ("byes", "round", "player"),
    ("seats", "round", "player"),
)

# Uniqueness rules by error code, with the kinds that can violate them.
_UNIQUENESS_RULES: Mapping[str, tuple[frozenset[str], Callable[[Tournament], _UniqueValueGetters]]] = {
    "twice-in-round": (
        frozenset({"games", "byes", "seats"}),
        _make_getter_of_unique_values(*_PLAYER_FIELDS_OF_ROUND),
    ),
    "table-twice": (frozenset({"games"}), _make_getter_of_unique_values(("games", "round", "table"))),
    "number-taken": (
        frozenset({"players"}),
        _make_getter_of_unique_values(("players", "division", "number")),
    ),
    "division-exists": (frozenset({"divisions"}), _list_getters_of_unique_division_codes),
    "round-twice": (frozenset({"rounds", "stages"}), _list_getters_of_unique_round_numbers),
    "sheet-twice": (frozenset({"sheets"}), _make_getter_of_unique_values(("sheets", "game", "form"))),
}


# Control characters except tab and line ends, and lone surrogates.
_INVALID_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def refuse_invalid_characters(changes: Diff, facts: Mapping[str, Scalar]) -> None:
    for change in changes:
        if change.after is not None:
            for name in change.after.__struct_fields__:
                _refuse_invalid_characters_in_value(getattr(change.after, name), name)
    for name, value in facts.items():
        _refuse_invalid_characters_in_value(value, name)


def _refuse_invalid_characters_in_value(value: object, field: str) -> None:
    if isinstance(value, str):
        if _INVALID_CHARACTERS.search(value):
            raise CommandError("text-not-printable", field=field)
    elif isinstance(value, (tuple, Mapping)):
        for item in value.items() if isinstance(value, Mapping) else value:
            _refuse_invalid_characters_in_value(item, field)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            _refuse_invalid_characters_in_value(getattr(value, name), field)
