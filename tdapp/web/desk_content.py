"""The list on the page of a desk."""

from __future__ import annotations

from msgspec import Struct

from tdapp.domain.model import Division, Round
from tdapp.domain.tables.groups import GroupRow
from tdapp.domain.tables.jury import SheetRow, count_checked
from tdapp.domain.tables.players import ArrivalRow, CheckInState
from tdapp.domain.tables.rounds import PairingRow
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.scores import format_row_score
from tdapp.i18n.sheet_sentences import describe_checking, list_reasons
from tdapp.web.desk_lines import DeskReader, DeskView

_TONES = {"open": "", "disputed": "red", "doubt": "red", "differs": "amber", "verdict": "amber", "missing": ""}


class DeskRow(Struct, frozen=True):
    """A line of the list. `number` is the table, or the number of a player. `is_done`: no more work here."""

    key: str
    number: int
    first: str
    second: str
    score: str
    state: str
    tone: str = ""
    is_done: bool = False


class DeskContent(Struct, frozen=True):
    """Headings and lines of the list, the progress, and the open tables in words."""

    headings: tuple[str, ...] = ()
    rows: tuple[DeskRow, ...] = ()
    progress: str = ""
    missing: str = ""


def name_view(view: DeskView, catalogue: Catalogue) -> str:
    names = {
        DeskView.RESULTS: catalogue.text("Results"),
        DeskView.JURY: catalogue.text("Jury"),
        DeskView.CHECK_IN: catalogue.text("Check-in"),
    }
    return names[view]


def make_content(
    reader: DeskReader, catalogue: Catalogue, view: DeskView, division: Division | None, item: Round | None
) -> DeskContent:
    if view is DeskView.CHECK_IN:
        return _list_players(reader, catalogue, division)
    if item is None:
        return DeskContent()
    return (
        _list_results(reader, catalogue, item)
        if view is DeskView.RESULTS
        else _list_sheets(reader, catalogue, item)
    )


def _list_results(reader: DeskReader, catalogue: Catalogue, item: Round) -> DeskContent:
    rows = reader.get_result_reader(item).tables
    missing = [row.table for row in rows if row.status == "open"]
    progress = catalogue.text("{done} of {n} results", done=len(rows) - len(missing), n=len(rows))
    facts = {"round": item.number, "n": len(missing), "tables": missing}
    said = catalogue.problem("results-out", facts) if missing else ""
    columns = ("table", "first_name", "second_name", "score", "state")
    lines = tuple(
        _make_group_row(row, catalogue)
        if isinstance(row, GroupRow)
        else _make_row(row, catalogue, row.status, row.status != "open")
        for row in rows
    )
    return DeskContent(tuple(map(catalogue.heading, columns)), lines, progress, said)


def _make_group_row(row: GroupRow, catalogue: Catalogue) -> DeskRow:
    first, *others = row.seats
    names, state = " · ".join(seat.name for seat in others), catalogue.code(row.status)
    is_done, tone = row.status != "open", _TONES.get(row.status, "")
    return DeskRow(row.key, row.table, first.name, names, row.points, state, tone, is_done)


def _list_sheets(reader: DeskReader, catalogue: Catalogue, item: Round) -> DeskContent:
    with reader.open_word_list(item) as wordlist:
        rows = reader.list_sheets(item, wordlist)
    columns = ("table", "first_name", "second_name", "score", "state")
    lines = tuple(
        _make_row(
            row,
            catalogue,
            row.status,
            row.status == "open" or not row.is_waiting,
            ", ".join(list_reasons(catalogue, row)),
        )
        for row in rows
    )
    progress = describe_checking(catalogue, count_checked(rows))
    return DeskContent(tuple(map(catalogue.heading, columns)), lines, progress)


def _make_row(
    row: PairingRow | SheetRow, catalogue: Catalogue, status: str, is_done: bool, note: str = ""
) -> DeskRow:
    state = " · ".join(filter(None, (catalogue.code(status), note)))
    score = format_row_score(catalogue, row)
    return DeskRow(
        row.key, row.table, row.first_name, row.second_name, score, state, _TONES.get(status, ""), is_done
    )


def _list_players(reader: DeskReader, catalogue: Catalogue, division: Division | None) -> DeskContent:
    rows = reader.list_arrivals(division) if division is not None else ()
    here = sum(row.arrival is CheckInState.PRESENT for row in rows)
    progress = catalogue.text("{here} of {n} players are here", here=here, n=len(rows))
    columns = ("number", "name", "club", "arrival")
    lines = tuple(_make_arrival(row, catalogue) for row in rows)
    return DeskContent(tuple(map(catalogue.heading, columns)), lines, progress)


def _make_arrival(row: ArrivalRow, catalogue: Catalogue) -> DeskRow:
    is_done = row.arrival is not CheckInState.MISSING
    return DeskRow(row.key, row.number, row.name, row.club, "", catalogue.code(row.arrival), "", is_done)
