"""The papers of the jury: the log of incidents, and sanctions with rulings."""

from __future__ import annotations

from datetime import datetime

import pypdfium2

from tdapp.domain.index import Index
from tdapp.domain.jury_rows import Incident, IncidentId, IncidentKind, Sanction, SanctionId
from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.scrabble.sheet import SanctionKind
from tests.reports import sample_tournament

NOTE = "The player of table 2 knocked the board over with an elbow; both agreed on the position that was restored."


def text_of(report: str, value: Tournament, *, round_number: int | None = None) -> str:
    index = Index(value)
    made = ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue("en", sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS),
        printed_at=datetime(2026, 11, 21, 14, 5),
        round=round_number,
    )
    pages = pypdfium2.PdfDocument(render_report(report, made))
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pages)


def logged() -> Tournament:
    value = sample_tournament.played(6)
    one, two = (f"2026-11-21T1{hour}:00:00+00:00" for hour in (0, 1))
    extra = IncidentKind.EXTRA_TIME
    return value.put(
        Incident(IncidentId("i1"), DivisionId("A"), extra, one, 1, 2, None, 150, "", "Kim"),
        Incident(IncidentId("i2"), DivisionId("A"), IncidentKind.TILES, two, 2, 1, PlayerId("A3"), 0, NOTE, "Kim"),
        Sanction(SanctionId("x1"), PlayerId("A2"), 1, SanctionKind.POINTS, 20, "Talked all the time.", "Kim"),
    )


def test_incident_report_has_all_incidents() -> None:
    said = text_of("incidents", logged())

    for part in ("Incidents", "extra time", "2:30", "tiles", sample_tournament.name(3), "Kim"):
        assert part in said
    assert all(word in said for word in NOTE.split())


def test_incident_report_until_a_round() -> None:
    said = text_of("incidents", logged(), round_number=1)

    assert "extra time" in said
    assert "elbow" not in said


def test_sanction_report_lists_sanctions() -> None:
    said = text_of("sanctions", logged())

    for part in ("Sanctions and rulings", sample_tournament.name(2), "20", "Talked all the time.", "Kim"):
        assert part in said


def test_log_reports_without_entries() -> None:
    value = sample_tournament.played(4)

    assert "No incidents were noted." in text_of("incidents", value)
    assert "There are no sanctions and no rulings." in text_of("sanctions", value)


def test_incident_report_of_several_pages() -> None:
    value = logged()
    at = "2026-11-21T12:00:00+00:00"
    for number in range(200):
        row = Incident(
            IncidentId(f"m{number}"), DivisionId("A"), IncidentKind.OTHER, at, 3, 1, None, 0, f"No {number}"
        )
        value = value.put(row)

    said = text_of("incidents", value)
    assert "No 199" in said
    assert "Page 2 of" in said
