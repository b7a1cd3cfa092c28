"""Tests of printout records: a printout becomes stale only after a change of its contents."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Result
from tdapp.domain.paper import Printout
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.reports import REPORTS, ReportContext
from tdapp.reports.printed import (
    PrintoutState,
    compute_report_fingerprint,
    describe_printout,
    list_printouts_with_current_fingerprint,
    make_printout_records,
)
from tests.reports import sample_tournament
from tests.reports.test_reports import make_context


def note_printed_reports(
    value: Tournament, *reports: str, round_number: int | None = None, language: str = "en"
) -> Tournament:
    """Return the tournament with recorded printouts of reports."""
    context = make_context(TournamentIndex(value), round_number=round_number, language=language)
    rows = [row for report in reports for row in make_printout_records(report, context)]
    return commands.note_printouts(value, printouts=tuple(rows))


def list_print_states(value: Tournament) -> dict[tuple[str, str | None, int | None], PrintoutState]:
    index = TournamentIndex(value)

    def make_context_of_printout(row: Printout) -> ReportContext:
        context = make_context(index, language=row.language, round_number=row.round)
        return replace(
            context,
            divisions=tuple(division for division in index.divisions if row.division in {None, division.id}),
        )

    copies = list_printouts_with_current_fingerprint(index, make_context_of_printout)
    return {(copy.printout.report, copy.printout.division, copy.printout.round): copy.state for copy in copies}


def correct_result(value: Tournament, number: int, *, division: str = "A") -> Tournament:
    """Return the tournament with 300 more points for the first player of a round."""
    index = TournamentIndex(value)
    game = index.games(index.get_round(index.get_division(division).id, number).id)[0]
    result = index.get_result(game.id)
    assert isinstance(result, Result)
    return value.put(replace(result, first=(result.first or 0) + 300))


def test_reports_have_a_purpose() -> None:
    assert all(name == report.id for name, report in REPORTS.items())
    assert all(report.purpose.endswith(".") for report in REPORTS.values())


@pytest.mark.parametrize("report", REPORTS)
def test_compute_fingerprint_depends_on_contents_only(report: str) -> None:
    index = sample_tournament.make_index(9)
    division = index.divisions[0]
    context = make_context(index)
    later = replace(make_context(index, paper="letter"), printed_at=context.printed_at + timedelta(hours=1))
    assert compute_report_fingerprint(report, context, division) == compute_report_fingerprint(
        report, later, division
    )


def test_list_watched_copies_later_printouts_are_stale() -> None:
    value = sample_tournament.make_tournament(8, divisions=("A", "B"), open_last=False)
    value = note_printed_reports(value, "standings", "pairings-by-table", "players", "wall-chart")
    assert set(list_print_states(value).values()) == {PrintoutState.PRINTED}
    states_after_correction = list_print_states(correct_result(value, 2))
    assert {key for key, state in states_after_correction.items() if state is PrintoutState.STALE} == {
        ("standings", "A", 3), ("wall-chart", "A", 3),
    }  # fmt: skip


def test_list_watched_copies_result_list_is_stale() -> None:
    value = note_printed_reports(
        sample_tournament.make_tournament(8, open_last=False), "pairings-by-table", round_number=2
    )
    value = note_printed_reports(
        value, "pairings-by-table"
    )  # the result list of the last round replaces the pairing list
    assert list_print_states(correct_result(value, 3)) == {("pairings-by-table", "A", 3): PrintoutState.STALE}
    assert list_print_states(correct_result(value, 2)) == {("pairings-by-table", "A", 3): PrintoutState.PRINTED}
    (row,) = (row for row in value.printouts.values() if row.round == 3)
    assert (
        describe_printout(row, make_context(TournamentIndex(value)).catalogue, TournamentIndex(value))
        == "Results by table, round 3"
    )


def test_list_watched_copies_keeps_results_after_next_pairings() -> None:
    value = sample_tournament.make_tournament(8)
    value = note_printed_reports(value, "pairings-by-table", round_number=2)
    value = note_printed_reports(value, "pairings-by-table")  # results of the played round 3
    index = TournamentIndex(value)
    copies = list(
        list_printouts_with_current_fingerprint(index, lambda row: make_context(index, round_number=row.round))
    )
    assert [(copy.printout.round, copy.is_stale) for copy in copies] == [(2, False), (3, False)]
    index = TournamentIndex(correct_result(value, 2))
    copies = list(
        list_printouts_with_current_fingerprint(index, lambda row: make_context(index, round_number=row.round))
    )
    assert [(copy.printout.round, copy.is_stale) for copy in copies] == [(2, True), (3, False)]


def test_list_watched_copies_new_result_keeps_pairings_current() -> None:
    value = note_printed_reports(sample_tournament.make_tournament(8), "pairings-by-table", "slips")
    index = TournamentIndex(value)
    game = index.games(index.rounds(index.divisions[0].id)[-1].id)[0]
    tournament_with_result = commands.enter_result(value, game=game.id, first=400, second=380)
    assert set(list_print_states(tournament_with_result).values()) == {PrintoutState.PRINTED}
    tournament_with_new_table = commands.set_table(value, game=game.id, table=77)
    assert set(list_print_states(tournament_with_new_table).values()) == {PrintoutState.STALE}


def test_list_watched_omits_earlier_rounds() -> None:
    value = sample_tournament.make_tournament(8, open_last=False)
    value = note_printed_reports(
        note_printed_reports(value, "standings", round_number=2), "standings", round_number=3
    )
    assert list_print_states(correct_result(value, 1)) == {("standings", "A", 3): PrintoutState.STALE}


def test_list_watched_reports_are_due_at_the_end_of_a_round() -> None:
    value = sample_tournament.make_tournament(8)
    index = TournamentIndex(value)
    games = index.games(index.rounds(index.divisions[0].id)[-1].id)
    assert list_print_states(note_printed_reports(value, "standings")) == {
        ("standings", "A", 2): PrintoutState.PRINTED
    }
    value = note_printed_reports(
        commands.enter_result(value, game=games[0].id, first=410, second=380), "standings"
    )
    assert list_print_states(value) == {}
    for game in games:
        value = commands.enter_result(value, game=game.id, first=400, second=380)
    assert list_print_states(value) == {("standings", "A", 3): PrintoutState.STALE}


def test_waive_printouts_until_the_next_change() -> None:
    value = correct_result(
        note_printed_reports(sample_tournament.make_tournament(8, open_last=False), "standings"), 2
    )
    index = TournamentIndex(value)
    context = make_context(index, round_number=3)
    row = next(iter(value.printouts.values()))
    fingerprint = compute_report_fingerprint("standings", context, index.divisions[0])
    value = commands.waive_printouts(value, printouts=((row.id, fingerprint),))
    assert set(list_print_states(value).values()) == {PrintoutState.WAIVED}
    assert set(list_print_states(correct_result(value, 1)).values()) == {PrintoutState.STALE}


def test_note_printouts_for_each_language() -> None:
    value = note_printed_reports(sample_tournament.make_tournament(8, open_last=False), "standings")
    value = note_printed_reports(correct_result(value, 1), "standings", language="nl")
    assert [row.language for row in value.printouts.values()] == ["en", "nl"]


def test_list_watched_omits_logs_and_forms() -> None:
    value = note_printed_reports(
        sample_tournament.make_tournament(8, open_last=False), "history", "check-in", "labels", "sanctions"
    )
    assert len(value.printouts) == 4
    assert list_print_states(value) == {}


def test_list_watched_omits_a_removed_round() -> None:
    value = note_printed_reports(sample_tournament.make_tournament(8), "pairings-by-name")
    tournament_without_rounds = value.drop(*value.games.values(), *value.results.values(), *value.rounds.values())
    assert list_print_states(tournament_without_rounds) == {}


def test_describe_printout_has_distinctive_facts() -> None:
    words = Catalogue("en", sample_tournament.LOCALE)
    two = sample_tournament.make_tournament(8, divisions=("A", "B"))
    rows = list(note_printed_reports(two, "standings", "players").printouts.values())
    assert [describe_printout(row, words, TournamentIndex(two)) for row in rows] == [
        "Standings, round 2, division A", "Standings, round 2, division B",
        "Players, division A", "Players, division B",
    ]  # fmt: skip
    assert (
        describe_printout(rows[0], words, TournamentIndex(sample_tournament.make_tournament(8)))
        == "Standings, round 2"
    )


def test_list_printouts_uses_utc() -> None:
    context = replace(
        make_context(sample_tournament.make_index(8)),
        printed_at=datetime.fromisoformat("2026-11-21T14:05:00+01:00"),
    )
    assert [row.at for row in make_printout_records("standings", context)] == ["2026-11-21T13:05:00+00:00"]
