"""Commands on news: the announcement of the bulletins, and the list of records that could be broken."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.commands.rule import LONGEST_NOTE, command, required, text, within
from tdapp.domain.errors import RuleViolation
from tdapp.domain.mark import N_, Plural
from tdapp.domain.record_list import ListedRecord
from tdapp.domain.tournament import Tournament

MOST_RECORDS = 2_000
_HIGHEST = 9_999


@command(N_("Announcement of the bulletins changed"))
def announce(tournament: Tournament, *, announcement: str) -> Tournament:
    """Set what every bulletin says besides what happened, each line a paragraph; empty for nothing."""
    said = text(announcement, "announcement", longest=LONGEST_NOTE)
    return tournament.put(replace(tournament.event, announcement=said))


@command(Plural("List of one record kept", "List of {count} records kept", "count"))
def keep_records(tournament: Tournament, *, records: tuple[ListedRecord, ...]) -> Tournament:
    """Keep a list of records in the place of the one before; none of them for no list."""
    if len(records) > MOST_RECORDS:
        raise RuleViolation("too-many-records", most=MOST_RECORDS)
    for record in records:
        within(record.value, "value", low=1, high=_HIGHEST)
        required(record.name, "name")
        text(record.date, "date")
        text(record.source, "source")
    return tournament.put(replace(tournament.event, records=records))
