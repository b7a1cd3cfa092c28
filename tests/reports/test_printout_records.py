"""Records of printouts: identity, and stale printouts only after a change of contents."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Result
from tdapp.domain.paper import Printout
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.reports import REPORTS, ReportContext
from tdapp.reports.printed import (
    PrintState,
    compute_report_fingerprint,
    describe_printout,
    list_watched_copies,
    make_printouts,
)
from tests.reports import sample_tournament
from tests.reports.test_reports import context


def printed(value: Tournament, *reports: str, round_number: int | None = None, language: str = "en") -> Tournament:
    """Return the tournament after printing reports."""
    made = context(Index(value), round_number=round_number, language=language)
    rows = [row for report in reports for row in make_printouts(report, made)]
    return commands.note_printouts(value, printouts=tuple(rows))


def states(value: Tournament) -> dict[tuple[str, str | None, int | None], PrintState]:
    index = Index(value)

    def of(row: Printout) -> ReportContext:
        made = context(index, language=row.language, round_number=row.round)
        return replace(
            made, divisions=tuple(division for division in index.divisions if row.division in {None, division.id})
        )

    found = list_watched_copies(index, of)
    return {(one.printout.report, one.printout.division, one.printout.round): one.state for one in found}


def corrected(value: Tournament, number: int, *, division: str = "A") -> Tournament:
    """Return the tournament with the first table of a round won by more."""
    index = Index(value)
    game = index.games(index.round(index.division(division).id, number).id)[0]
    result = index.result(game.id)
    assert isinstance(result, Result)
    return value.put(replace(result, first=(result.first or 0) + 300))


def test_reports_have_a_purpose() -> None:
    assert all(name == one.id for name, one in REPORTS.items())
    assert all(report.purpose.endswith(".") for report in REPORTS.values())


@pytest.mark.parametrize("report", REPORTS)
def test_compute_fingerprint_depends_on_contents_only(report: str) -> None:
    index = sample_tournament.index(9)
    division = index.divisions[0]
    made = context(index)
    later = replace(context(index, paper="letter"), printed_at=made.printed_at + timedelta(hours=1))
    assert compute_report_fingerprint(report, made, division) == compute_report_fingerprint(
        report, later, division
    )


def test_list_watched_copies_later_printouts_are_stale() -> None:
    value = sample_tournament.played(8, divisions=("A", "B"), open_last=False)
    value = printed(value, "standings", "pairings-by-table", "players", "wall-chart")
    assert set(states(value).values()) == {PrintState.PRINTED}
    now = states(corrected(value, 2))
    assert {key for key, state in now.items() if state is PrintState.STALE} == {
        ("standings", "A", 3), ("wall-chart", "A", 3),
    }  # fmt: skip


def test_list_watched_copies_result_list_is_stale() -> None:
    value = printed(sample_tournament.played(8, open_last=False), "pairings-by-table", round_number=2)
    value = printed(value, "pairings-by-table")  # of the last round, with results too: it replaces the other
    assert states(corrected(value, 3)) == {("pairings-by-table", "A", 3): PrintState.STALE}
    assert states(corrected(value, 2)) == {("pairings-by-table", "A", 3): PrintState.PRINTED}
    (row,) = (row for row in value.printouts.values() if row.round == 3)
    assert describe_printout(row, context(Index(value)).catalogue, Index(value)) == "Results by table, round 3"


def test_list_watched_copies_keeps_results_after_next_pairings() -> None:
    value = sample_tournament.played(8)
    value = printed(value, "pairings-by-table", round_number=2)
    value = printed(value, "pairings-by-table")  # of the played round 3
    index = Index(value)
    copies = list(list_watched_copies(index, lambda row: context(index, round_number=row.round)))
    assert [(copy.printout.round, copy.is_stale) for copy in copies] == [(2, False), (3, False)]
    index = Index(corrected(value, 2))
    copies = list(list_watched_copies(index, lambda row: context(index, round_number=row.round)))
    assert [(copy.printout.round, copy.is_stale) for copy in copies] == [(2, True), (3, False)]


def test_list_watched_copies_new_result_keeps_pairings_current() -> None:
    value = printed(sample_tournament.played(8), "pairings-by-table", "slips")
    index = Index(value)
    game = index.games(index.rounds(index.divisions[0].id)[-1].id)[0]
    played = commands.enter_result(value, game=game.id, first=400, second=380)
    assert set(states(played).values()) == {PrintState.PRINTED}
    seated = commands.set_table(value, game=game.id, table=77)
    assert set(states(seated).values()) == {PrintState.STALE}


def test_list_watched_omits_earlier_rounds() -> None:
    value = sample_tournament.played(8, open_last=False)
    value = printed(printed(value, "standings", round_number=2), "standings", round_number=3)
    assert states(corrected(value, 1)) == {("standings", "A", 3): PrintState.STALE}


def test_list_watched_reports_are_due_at_the_end_of_a_round() -> None:
    value = sample_tournament.played(8)
    index = Index(value)
    games = index.games(index.rounds(index.divisions[0].id)[-1].id)
    assert states(printed(value, "standings")) == {("standings", "A", 2): PrintState.PRINTED}
    value = printed(commands.enter_result(value, game=games[0].id, first=410, second=380), "standings")
    assert states(value) == {}
    for game in games:
        value = commands.enter_result(value, game=game.id, first=400, second=380)
    assert states(value) == {("standings", "A", 3): PrintState.STALE}


def test_waive_printouts_until_the_next_change() -> None:
    value = corrected(printed(sample_tournament.played(8, open_last=False), "standings"), 2)
    index = Index(value)
    made = context(index, round_number=3)
    row = next(iter(value.printouts.values()))
    now = compute_report_fingerprint("standings", made, index.divisions[0])
    value = commands.waive_printouts(value, printouts=((row.id, now),))
    assert set(states(value).values()) == {PrintState.WAIVED}
    assert set(states(corrected(value, 1)).values()) == {PrintState.STALE}


def test_note_printouts_for_each_language() -> None:
    value = printed(sample_tournament.played(8, open_last=False), "standings")
    value = printed(corrected(value, 1), "standings", language="nl")
    assert [row.language for row in value.printouts.values()] == ["en", "nl"]


def test_list_watched_omits_logs_and_forms() -> None:
    value = printed(sample_tournament.played(8, open_last=False), "history", "check-in", "labels", "sanctions")
    assert len(value.printouts) == 4
    assert states(value) == {}


def test_list_watched_omits_a_removed_round() -> None:
    value = printed(sample_tournament.played(8), "pairings-by-name")
    gone = value.drop(*value.games.values(), *value.results.values(), *value.rounds.values())
    assert states(gone) == {}


def test_describe_printout_has_distinctive_facts() -> None:
    words = Catalogue("en", sample_tournament.LOCALE)
    two = sample_tournament.played(8, divisions=("A", "B"))
    rows = list(printed(two, "standings", "players").printouts.values())
    assert [describe_printout(row, words, Index(two)) for row in rows] == [
        "Standings, round 2, division A", "Standings, round 2, division B",
        "Players, division A", "Players, division B",
    ]  # fmt: skip
    assert describe_printout(rows[0], words, Index(sample_tournament.played(8))) == "Standings, round 2"


def test_list_printouts_uses_utc() -> None:
    made = replace(
        context(sample_tournament.index(8)), printed_at=datetime.fromisoformat("2026-11-21T14:05:00+01:00")
    )
    assert [row.at for row in make_printouts("standings", made)] == ["2026-11-21T13:05:00+00:00"]
