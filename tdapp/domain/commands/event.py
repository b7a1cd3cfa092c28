"""Commands on the tournament and its divisions."""

from __future__ import annotations

from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from tdapp.domain.commands.rule import (
    HIGHEST_TABLE,
    LAST_ROUND,
    LONGEST_NOTE,
    check_number_in_range,
    command,
    get_row_or_refuse,
    refuse_impossible_date,
    strip_and_check_required_text,
    strip_and_check_text,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    AchievementRecord,
    Division,
    DivisionId,
    Event,
    EventId,
    PublicNameFormat,
    RulesId,
    TableGroup,
    TableGroupId,
    TournamentRules,
    UnplayedRoundCounting,
)
from tdapp.domain.round_clock import find_time_zone, format_timetable, parse_timetable
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.seating import find_table_numbers_of_division
from tdapp.domain.tiebreaks import refuse_invalid_tiebreak_order
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_, Plural

_DIVISION_TABLE_STEP = 100  # first tables of two divisions differ by this


def new_tournament(*, key: str, name: str, ruleset: RuleSet, seed: int = 1) -> Tournament:
    event = Event(EventId(f"{key}.e"), strip_and_check_required_text(name, "name"), seed=seed)
    return Tournament().put(event, TournamentRules(RulesId(f"{key}.r"), ruleset))


class EventChanges(TypedDict, total=False):
    """Editable data of the tournament."""

    name: str
    place: str
    date: str
    director: str
    zone: str  # IANA name of a time zone, or ""
    currency: str


@command(N_("Tournament details changed"))
def edit_event(tournament: Tournament, **changes: Unpack[EventChanges]) -> Tournament:
    checked_changes: dict[str, Any] = {
        field: strip_and_check_text(str(value), field) for field, value in changes.items()
    }
    if "name" in checked_changes:
        strip_and_check_required_text(checked_changes["name"], "name")
    refuse_impossible_date(checked_changes.get("date", ""), "date")
    if checked_changes.get("zone") and find_time_zone(checked_changes["zone"]) is None:
        raise CommandError("unknown-zone", zone=checked_changes["zone"])
    return tournament.put(replace(tournament.event, **checked_changes))


@command(
    Plural(
        "Rounds are paired only when all results are checked",
        "Rounds may be paired before all results are checked",
        number_fact="check_first",
    )
)
def set_check_first(tournament: Tournament, *, check_first: bool) -> Tournament:
    """Set whether a round can be paired only after all earlier results are checked."""
    return tournament.put(replace(tournament.event, check_first=check_first))


@command(N_("Word list for the jury chosen"))
def choose_wordlist(tournament: Tournament, *, wordlist: str, title: str = "") -> Tournament:
    """Choose a word list by id, "" for none."""
    return tournament.put(replace(tournament.event, wordlist=strip_and_check_text(wordlist, "wordlist")))


@command(Plural("Rules changed to {rules}", "Rules changed: {changed:rules}", number_fact="whole"))
def change_rules(tournament: Tournament, *, ruleset: RuleSet, check_first: bool | None = None) -> Tournament:
    """Set the rule set of the tournament. Divisions with their own rule set keep it."""
    if check_first is not None:
        tournament = set_check_first(tournament, check_first=check_first)
    return tournament.put(replace(next(iter(tournament.rules.values())), ruleset=ruleset))


@command(N_("Division {division}: word list for the jury chosen"))
def choose_division_wordlist(
    tournament: Tournament,
    *,
    division: DivisionId,
    wordlist: str | None,
    title: str = "",
) -> Tournament:
    """Choose the word list of a division by id. "" means no list, None the list of the tournament."""
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    return tournament.put(
        replace(row, wordlist=None if wordlist is None else strip_and_check_text(wordlist, "wordlist"))
    )


@command(
    Plural(
        "Division {division}: rules changed to {rules}", "Division {division}: rules changed: {changed:rules}",
        number_fact="whole",
    )
)  # fmt: skip
def change_division_rules(tournament: Tournament, *, division: DivisionId, ruleset: RuleSet | None) -> Tournament:
    """Set the rule set of a division. None restores the rule set of the tournament."""
    return tournament.put(
        replace(get_row_or_refuse(tournament.divisions, division, "no-such-division"), ruleset=ruleset)
    )


@command(N_("Tournament finished"), allowed_when_finished=True)
def finish_tournament(tournament: Tournament) -> Tournament:
    """Finish the tournament, so that it cannot be changed. Refused if results are missing."""
    if tournament.event.finished:
        raise CommandError("tournament-finished")
    index = TournamentIndex(tournament)
    for division in index.divisions:
        for item in index.list_published_rounds(division.id):
            tables = index.list_open_tables(item.id)
            if tables:
                raise CommandError("results-needed", round=item.number, tables=tables, n=len(tables))
    return tournament.put(replace(tournament.event, finished=True))


@command(N_("Tournament reopened"), allowed_when_finished=True)
def reopen_tournament(tournament: Tournament) -> Tournament:
    if not tournament.event.finished:
        raise CommandError("tournament-not-finished")
    return tournament.put(replace(tournament.event, finished=False))


@command(N_("Division {code} added"))
def add_division(
    tournament: Tournament, *, key: str, code: str, name: str = "", first_table: int | None = None
) -> Tournament:
    """Add a division.

    Without `first_table`, its tables start at the first free number of 1, 101, 201 and so on.
    """
    _refuse_used_division_code(tournament, code)
    if first_table is None:
        index = TournamentIndex(tournament)
        highest = max(
            (max(find_table_numbers_of_division(index, other_division)) for other_division in index.divisions),
            default=0,
        )
        first_table = -(-highest // _DIVISION_TABLE_STEP) * _DIVISION_TABLE_STEP + 1
    first_table = check_number_in_range(first_table, "first_table", low=1, high=HIGHEST_TABLE)
    division = Division(
        DivisionId(key),
        strip_and_check_required_text(code, "code"),
        strip_and_check_text(name, "name"),
        first_table,
    )
    return tournament.put(division)


class DivisionChanges(TypedDict, total=False):
    """Editable fields of a division."""

    code: str
    name: str
    first_table: int
    list_withdrawn: bool


@command(N_("Division {division} changed"))
def edit_division(
    tournament: Tournament, *, division: DivisionId, **changes: Unpack[DivisionChanges]
) -> Tournament:
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    new_row = replace(row, **changes)
    if new_row.code != row.code:
        _refuse_used_division_code(tournament, new_row.code)
    if "first_table" in changes:
        check_number_in_range(new_row.first_table, "first_table", low=1, high=HIGHEST_TABLE)
    return tournament.put(
        replace(
            new_row,
            code=strip_and_check_required_text(new_row.code, "code"),
            name=strip_and_check_text(new_row.name, "name"),
        )
    )


@command(N_("Division {division}: ranking order changed"))
def set_order(
    tournament: Tournament,
    *,
    division: DivisionId,
    order: tuple[str, ...],
    unplayed: UnplayedRoundCounting | None = None,
) -> Tournament:
    """Set the order of a division's tie-breaks, and the rule for `unplayed` rounds (None: unchanged).

    An empty `order` restores the rule set's order.
    """
    refuse_invalid_tiebreak_order(order)
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    return tournament.put(replace(row, order=order, unplayed=unplayed or row.unplayed))


@command(N_("Division {division}: spread caps changed"))
def set_spread_caps(tournament: Tournament, *, division: DivisionId, caps: tuple[int, ...]) -> Tournament:
    """Set the highest spread that counts in each round of a division. The last cap is for later rounds too.

    A cap of 0 means no limit. Empty `caps` restore those of the rule set.
    """
    for cap in caps:
        check_number_in_range(cap, "spread_caps", low=0, high=10_000)
    return tournament.put(
        replace(get_row_or_refuse(tournament.divisions, division, "no-such-division"), spread_caps=caps)
    )


@command(N_("Division {division}: round times changed"))
def set_times(tournament: Tournament, *, division: DivisionId, times: str) -> Tournament:
    """Set the start times of the rounds.

    `10:00 +65, 4: 13:30` means every 65 minutes from 10:00, but round 4 at 13:30.
    """
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    return tournament.put(
        replace(
            row,
            times=format_timetable(parse_timetable(strip_and_check_text(times, "times", longest=LONGEST_NOTE))),
        )
    )


@command(N_("Division {division} removed"))
def remove_division(tournament: Tournament, *, division: DivisionId) -> Tournament:
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    index = TournamentIndex(tournament)
    if index.players(division) or index.rounds(division):
        raise CommandError("division-not-empty", division=row.code)
    return tournament.drop_with_children(row)


def _refuse_used_division_code(tournament: Tournament, code: str) -> None:
    if any(division.code.casefold() == code.strip().casefold() for division in tournament.divisions.values()):
        raise CommandError("division-exists", division=code)


@command(N_("Division {division}: session settings changed"))
def set_sessions(
    tournament: Tournament, *, division: DivisionId, keep_tables: bool, sessions: tuple[int, ...] = ()
) -> Tournament:
    """Set the first round of the second session and of each later session.

    With `keep_tables`, players stay at their tables during a session.
    """
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    for number in sessions:
        check_number_in_range(number, "sessions", low=2, high=LAST_ROUND)
    return tournament.put(replace(row, keep_tables=keep_tables, sessions=tuple(sorted(set(sessions)))))


@command(N_("Tables {first}–{last} named {name}"))
def add_table_group(
    tournament: Tournament,
    *,
    key: str,
    division: DivisionId,
    name: str,
    first: int,
    last: int,
    accessible: bool = False,
) -> Tournament:
    get_row_or_refuse(tournament.divisions, division, "no-such-division")
    group = TableGroup(TableGroupId(key), division, name, first, last, accessible)
    return tournament.put(_validate_table_group(tournament, group))


class TableGroupChanges(TypedDict, total=False):
    """Editable fields of a table group."""

    name: str
    first: int
    last: int
    accessible: bool


@command(N_("Group of tables changed: {group}"))
def edit_table_group(
    tournament: Tournament, *, group: TableGroupId, **changes: Unpack[TableGroupChanges]
) -> Tournament:
    row = get_row_or_refuse(tournament.table_groups, group, "no-such-table-group")
    return tournament.put(_validate_table_group(tournament, replace(row, **changes)))


@command(N_("Group of tables removed: {group}"))
def remove_table_group(tournament: Tournament, *, group: TableGroupId) -> Tournament:
    return tournament.drop(get_row_or_refuse(tournament.table_groups, group, "no-such-table-group"))


def _validate_table_group(tournament: Tournament, row: TableGroup) -> TableGroup:
    check_number_in_range(row.first, "first", low=1, high=HIGHEST_TABLE)
    check_number_in_range(row.last, "last", low=row.first, high=HIGHEST_TABLE)
    for other_group in tournament.table_groups.values():
        if other_group.id != row.id and other_group.first <= row.last and row.first <= other_group.last:
            raise CommandError(
                "tables-taken", name=other_group.name, first=other_group.first, last=other_group.last
            )
    return replace(row, name=strip_and_check_required_text(row.name, "name"))


class PublicDataSettings(TypedDict, total=False):
    """Editable settings of public pages."""

    names: PublicNameFormat
    details: bool  # show club, country and rating


@command(N_("Settings for public player details changed"))
def set_names_shown(tournament: Tournament, **changes: Unpack[PublicDataSettings]) -> Tournament:
    """Set how public pages show names, and whether they show player details."""
    event = tournament.event
    names, details = changes.get("names", event.names_shown), changes.get("details", event.details_shown)
    return tournament.put(replace(event, names_shown=names, details_shown=details))


@command(N_("Division {division}: hidden rounds changed"))
def hold_standings(tournament: Tournament, *, division: DivisionId, after: int | None) -> Tournament:
    """Hide the results after round `after` from the public. 0 hides all results, None hides none."""
    row = get_row_or_refuse(tournament.divisions, division, "no-such-division")
    if after is not None:
        check_number_in_range(after, "round", low=0, high=LAST_ROUND)
    return tournament.put(replace(row, held_after=after))


MOST_RECORDS = 2_000
_HIGHEST_RECORD = 9_999


@command(N_("Announcements in the bulletins changed"))
def announce(tournament: Tournament, *, announcement: str) -> Tournament:
    """Set the announcement on all bulletins. Each line is a paragraph."""
    text = strip_and_check_text(announcement, "announcement", longest=LONGEST_NOTE)
    return tournament.put(replace(tournament.event, announcement=text))


@command(
    Plural(
        "List of Scrabble records saved: one record", "List of Scrabble records saved: {count} records", "count"
    )
)
def keep_records(tournament: Tournament, *, records: tuple[AchievementRecord, ...]) -> Tournament:
    """Replace the list of records from before the tournament, such as the highest game score."""
    if len(records) > MOST_RECORDS:
        raise CommandError("too-many-records", most=MOST_RECORDS)
    for record in records:
        check_number_in_range(record.value, "value", low=1, high=_HIGHEST_RECORD)
        strip_and_check_required_text(record.name, "name")
        strip_and_check_text(record.date, "date")
        strip_and_check_text(record.source, "source")
    return tournament.put(replace(tournament.event, records=records))
