"""Tests of the incident and sanction reports."""

from __future__ import annotations

from datetime import datetime

import pypdfium2

from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Incident, IncidentId, IncidentKind, Sanction, SanctionId
from tdapp.domain.model import DivisionId, PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.reports import ReportContext, load_style, render_report
from tdapp.scrabble.sheet import SanctionKind
from tests.reports import sample_tournament

NOTE = "The player of table 2 knocked the board over with an elbow; both agreed on the position that was restored."


def render_text(report: str, value: Tournament, *, round_number: int | None = None) -> str:
    index = TournamentIndex(value)
    context = ReportContext(
        index=index,
        divisions=index.divisions,
        catalogue=Catalogue("en", sample_tournament.LOCALE),
        style=load_style(sample_tournament.FONTS),
        printed_at=datetime(2026, 11, 21, 14, 5),
        round=round_number,
    )
    pages = pypdfium2.PdfDocument(render_report(report, context))
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pages)


def make_tournament_with_incidents() -> Tournament:
    value = sample_tournament.make_tournament(6)
    first_time, second_time = (f"2026-11-21T1{hour}:00:00+00:00" for hour in (0, 1))
    extra = IncidentKind.EXTRA_TIME
    return value.put(
        Incident(IncidentId("i1"), DivisionId("A"), extra, first_time, 1, 2, None, 150, "", "Kim"),
        Incident(
            IncidentId("i2"),
            DivisionId("A"),
            IncidentKind.TILES,
            second_time,
            2,
            1,
            PlayerId("A3"),
            0,
            NOTE,
            "Kim",
        ),
        Sanction(SanctionId("x1"), PlayerId("A2"), 1, SanctionKind.POINTS, 20, "Talked all the time.", "Kim"),
    )


def test_incident_report_has_all_incidents() -> None:
    report_text = render_text("incidents", make_tournament_with_incidents())

    for part in ("Incidents", "extra time", "2:30", "tiles", sample_tournament.make_name(3), "Kim"):
        assert part in report_text
    assert all(word in report_text for word in NOTE.split())


def test_incident_report_until_a_round() -> None:
    report_text = render_text("incidents", make_tournament_with_incidents(), round_number=1)

    assert "extra time" in report_text
    assert "elbow" not in report_text


def test_sanction_report_lists_sanctions() -> None:
    report_text = render_text("sanctions", make_tournament_with_incidents())

    for part in ("Sanctions and rulings", sample_tournament.make_name(2), "20", "Talked all the time.", "Kim"):
        assert part in report_text


def test_log_reports_without_entries() -> None:
    value = sample_tournament.make_tournament(4)

    assert "No incidents were noted." in render_text("incidents", value)
    assert "There are no sanctions and no rulings." in render_text("sanctions", value)


def test_incident_report_of_several_pages() -> None:
    value = make_tournament_with_incidents()
    time = "2026-11-21T12:00:00+00:00"
    for number in range(200):
        row = Incident(
            IncidentId(f"m{number}"), DivisionId("A"), IncidentKind.OTHER, time, 3, 1, None, 0, f"No {number}"
        )
        value = value.put(row)

    report_text = render_text("incidents", value)
    assert "No 199" in report_text
    assert "Page 2 of" in report_text
