"""Round times as a calendar (RFC 5545): in UTC if the time zone is known, else in local time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division
from tdapp.domain.round_clock import DEFAULT_LENGTH, compute_usual_round_seconds
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import format_round_in_divisions, make_division_title
from tdapp.i18n.round_times import find_first_date, list_round_times

_LINE_LENGTH = 75  # octets of a line (3.1)
_TIME_FORMAT = "%Y%m%dT%H%M%S"


def encode_calendar(index: TournamentIndex, divisions: Iterable[Division], catalogue: Catalogue) -> bytes:
    event, divisions = index.tournament.event, tuple(divisions)
    if not any(list_round_times(index, division) for division in divisions):
        raise CommandError("calendar-no-times", divisions=", ".join(division.code for division in divisions))
    if find_first_date(event.date) is None:
        raise CommandError("calendar-unclear-date" if event.date else "calendar-no-date", date=event.date)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//tdapp//tdapp//EN"]
    lines += [line for division in divisions for line in _format_event_lines(index, division, catalogue)]
    return "".join(f"{_fold_line(line)}\r\n" for line in (*lines, "END:VCALENDAR")).encode()


def _format_event_lines(index: TournamentIndex, division: Division, catalogue: Catalogue) -> Iterator[str]:
    event, title = index.tournament.event, make_division_title(catalogue, index, division)
    duration = timedelta(
        seconds=compute_usual_round_seconds(index.tournament.get_ruleset_of_row(division).clock) or DEFAULT_LENGTH
    )
    for round_time in list_round_times(index, division):
        if round_time.start is None:
            continue
        name = format_round_in_divisions(catalogue, index, (division,), round_time.round)
        yield "BEGIN:VEVENT"
        unique_text = f"{event.id} {event.name} {division.id} {round_time.round}"
        yield f"UID:{blake2b(unique_text.encode(), digest_size=16).hexdigest()}@tdapp"
        yield f"DTSTAMP:{_format_utc_time(round_time.start)}"  # from the plan, not from a clock
        yield f"SEQUENCE:{index.tournament.head.revision}"
        yield f"DTSTART:{_format_event_time(round_time.start)}"
        yield f"DTEND:{_format_event_time(round_time.start + duration)}"
        yield f"SUMMARY:{_escape_text(' · '.join(filter(None, (event.name, title, name))))}"
        if event.place:
            yield f"LOCATION:{_escape_text(event.place)}"
        yield "END:VEVENT"


def _format_event_time(moment: datetime) -> str:
    return moment.strftime(_TIME_FORMAT) if moment.tzinfo is None else _format_utc_time(moment)


def _format_utc_time(moment: datetime) -> str:
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC).strftime(_TIME_FORMAT) + "Z"


def _escape_text(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\r", "").replace("\n", "\\n").replace("\t", " ")


def _fold_line(line: str) -> str:
    parts, size = [""], 0
    for character in line:
        octets = len(character.encode())
        if size + octets > _LINE_LENGTH:
            parts, size = [*parts, " "], 1
        parts[-1] += character
        size += octets
    return "\r\n".join(parts)
