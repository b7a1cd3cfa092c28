"""The reports by id, and how one becomes PDF."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.errors import RuleViolation
from tdapp.reports.bracket import BRACKET
from tdapp.reports.incidents import INCIDENTS
from tdapp.reports.layout import Document, draw
from tdapp.reports.pairings import BY_NAME, BY_TABLE
from tdapp.reports.players import PLAYERS
from tdapp.reports.prizes import PRIZES
from tdapp.reports.ratings import RATINGS
from tdapp.reports.report import Context, Report
from tdapp.reports.sanctions import SANCTIONS
from tdapp.reports.standings import STANDINGS
from tdapp.reports.teams import TEAMS

REPORTS: Mapping[str, Report] = MappingProxyType(
    {
        "pairings-by-table": BY_TABLE,
        "pairings-by-name": BY_NAME,
        "standings": STANDINGS,
        "bracket": BRACKET,
        "teams": TEAMS,
        "ratings": RATINGS,
        "prizes": PRIZES,
        "players": PLAYERS,
        "incidents": INCIDENTS,
        "sanctions": SANCTIONS,
    }
)


def render(report_id: str, context: Context) -> bytes:
    """Return a report as PDF; the same context gives the same bytes.

    Raises RuleViolation for an unknown report, and where a division lacks the round that is asked for.
    """
    report = REPORTS.get(report_id)
    if report is None:
        raise RuleViolation("no-such-report", report=report_id, reports=", ".join(REPORTS))
    words, event = context.words, context.index.tournament.event
    document = Document(
        title=f"{event.name} · {words.text(report.title)}",
        author=event.director or event.name,
        language=words.language,
        sections=tuple(report.section(context, division) for division in context.divisions),
        foot=context.style.printable(
            words.text("{event} · printed {moment}", event=event.name, moment=context.printed)
        ),
        page_of=words.text("Page {page} of {pages}"),
        scale=report.scale(context.style),
        columns=report.columns,
    )
    return draw(document, context.style)
