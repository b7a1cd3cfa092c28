"""Read events from files, to copy their public results into a season."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.commands.event_copies import list_copied_events_to_refresh
from tdapp.domain.dates import parse_date_to_iso
from tdapp.domain.entries import EventEntry
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.event_copies import EventToCopy, list_events_to_copy
from tdapp.domain.model import CopiedEvent, Season
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.seasons import is_within_season
from tdapp.domain.tournament import Tournament
from tdapp.exchange.exports import UnsupportedData
from tdapp.exchange.imports import list_import_warnings, read_file_to_import
from tdapp.exchange.text import clean_text_to_one_line, read_file
from tdapp.exchange.tournament_json import encode_tournament
from tdapp.exchange.tsh_folder import CONFIG
from tdapp.i18n.catalogue import Catalogue
from tdapp.storage import Store

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH_FIRST = re.compile(r"([A-Z][a-z]{2})[a-z]* ([0-9]{1,2})(?: ?[-–][^,]*)?, ([0-9]{4})")  # as tsh writes it
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class EventsFromFiles(Struct, frozen=True):
    """Events read from files, and descriptions of data that cannot be copied."""

    events: tuple[EventToCopy, ...]
    left_out: tuple[tuple[str, UnsupportedData], ...] = ()  # name of the file, and the data not copied

    def describe_omitted_data(self, catalogue: Catalogue) -> list[str]:
        several = len({source for source, _ in self.left_out}) > 1
        lines = [(source, catalogue.describe_problem(item.code, item.facts)) for source, item in self.left_out]
        return [f"{source}: {line}" if several else line for source, line in lines]


def read_event_files(
    paths: Sequence[Path],
    ruleset: RuleSet,
    *,
    season: Season | None = None,
    known_events: Sequence[CopiedEvent] = (),
    name: str = "",
    date: str = "",
) -> EventsFromFiles:
    """Read tournament files of this or another program. Raises InputError or StorageError for the first bad file.

    `ruleset` scores the games in files of other programs. An event gets its name from `known_events`, otherwise
    from `name`, otherwise from its file. It gets its date from `date`, otherwise from its file, otherwise from
    `known_events`. Events outside `season` get a warning.
    """
    events: list[EventToCopy] = []
    left_out: list[tuple[str, UnsupportedData]] = []
    for path in paths:
        tournament, head, missing = _read_tournament_and_version(path, ruleset)
        left_out += ((path.name, item) for item in missing)
        event_copies = list_events_to_copy(tournament, source=clean_text_to_one_line(path.name), head=head)
        if not event_copies:
            raise InputError("copy-no-results", source=path.name)
        copies = [
            replace(item, name=name or item.name, date=date or _find_date_in_text(item.date))
            for item in event_copies
        ]
        for copy, text in zip(copies, (item.date for item in event_copies), strict=True):
            older = list_copied_events_to_refresh(known_events, copy, copies)
            earlier_event = older[0] if len(older) == 1 else copy
            events.append(replace(copy, name=earlier_event.name, date=copy.date or earlier_event.date))
            left_out += (
                (path.name, item) for item in _list_warnings_about_copied_event(events[-1], text.strip(), season)
            )
    return EventsFromFiles(tuple(events), tuple(left_out))


def _list_warnings_about_copied_event(
    copy: EventToCopy, text: str, season: Season | None
) -> Iterator[UnsupportedData]:
    if not copy.date:
        yield UnsupportedData(
            "copy-date-unknown" if text else "copy-date-missing", {"event": copy.name, "date": text}
        )
    elif season is not None and not is_within_season(season, copy.date):
        yield UnsupportedData("copy-outside-season", {"event": copy.name})
    if copy.open_games:
        yield UnsupportedData("copy-games-open", {"event": copy.name, "n": copy.open_games})


def _read_tournament_and_version(
    path: Path, ruleset: RuleSet
) -> tuple[Tournament, str, tuple[UnsupportedData, ...]]:
    try:
        content = read_file_to_import(path)
    except InputError as error:
        if error.code != "file-is-tournament":
            raise
        with closing(Store.open(path, read_only=True)) as store:
            tournament = store.load_tournament_and_revision()[0]
            return tournament, str(tournament.head) or _compute_file_digest(encode_tournament(tournament)), ()
    head = _compute_file_digest(b"".join(_read_file_or_tsh_folder(path)))
    if isinstance(content, Tournament):
        return content, head, ()
    if not isinstance(content, EventEntry):
        raise InputError("referee-no-event", source=path.name)
    try:
        return (
            _make_tournament_from_event(content, clean_text_to_one_line(path.stem) or CONFIG, ruleset),
            head,
            list_import_warnings(content, path.name),
        )
    except CommandError as error:
        facts = {name: value for name, value in error.facts.items() if name not in {"line", "field"}}
        line, field = error.facts.get("line"), str(error.facts.get("field", ""))
        raise InputError(
            error.code, source=path.name, line=line if isinstance(line, int) else None, field=field, **facts
        ) from error


def _make_tournament_from_event(event: EventEntry, name: str, ruleset: RuleSet) -> Tournament:
    divisions = tuple(replace(division, code=division.code or "A") for division in event.divisions)
    value = commands.new_tournament(key="event", name=name, ruleset=ruleset)
    return commands.import_event(value, key="event", event=replace(event, divisions=divisions), file_order=True)


def _compute_file_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _read_file_or_tsh_folder(path: Path) -> Iterator[bytes]:
    if not path.is_dir() and path.name != CONFIG:
        yield read_file(path)
        return
    folder = path if path.is_dir() else path.parent
    for part in sorted((folder / CONFIG, *folder.glob("*.t"))):
        yield read_file(part)


def _find_date_in_text(text: str) -> str:
    words = [text.strip(), *_ISO_DATE.findall(text)]
    for month, day, year in _MONTH_FIRST.findall(text):
        if month in _MONTHS:
            words.append(f"{day}.{_MONTHS.index(month) + 1}.{year}")
    return next(filter(None, map(parse_date_to_iso, words)), "")
