"""Tests of the commands for report choices, printouts and the logo."""

from __future__ import annotations

from base64 import b64encode
from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.commands.papers import LARGEST_LOGO
from tdapp.domain.errors import CommandError
from tdapp.domain.journal import remove_facts_added_by_desk
from tdapp.domain.paper import PrintingMoment, Printout, PrintoutId, ReportChoice, ReportChoiceId
from tdapp.domain.roles import Role, is_permitted
from tests.building import make_desk

STANDINGS = Printout(PrintoutId("p"), "standings", None, 4, "2026-05-01T10:00:00+00:00", "aa")


def note_printouts(desk: Desk, *printouts: Printout) -> None:
    desk.do(partial(commands.note_printouts, printouts=printouts))


def rename_event(desk: Desk, name: str) -> None:
    desk.do(partial(commands.edit_event, name=name))


def make_report_choice(report: str, **fields: int) -> ReportChoice:
    return replace(ReportChoice(ReportChoiceId(""), PrintingMoment.END, 0, report), **fields)  # whole numbers


def test_note_printouts_keeps_the_newest_printing() -> None:
    open_desk = make_desk()
    note_printouts(open_desk, STANDINGS)
    note_printouts(open_desk, replace(STANDINGS, content="bb"))
    assert [row.content for row in open_desk.tournament.printouts.values()] == ["bb"]
    assert [remove_facts_added_by_desk(step.facts) for step in open_desk.list_all_steps()] == [
        {"count": 1, "reports": "standings"}
    ] * 2


@pytest.mark.parametrize(
    ("old_time", "part", "content", "missing"),
    [
        ((), (1, 2), "aa", ()),  # of a printed report
        ((), (1, 2), "bb", ()),  # of a changed report: the other printouts are stale
        ((1, 2), (2, 3), "aa", (2,)),
        ((1, 2), (3,), "aa", ()),
        ((1, 2), (2, 3), "bb", (2, 3)),
        ((1, 2), (), "bb", ()),
    ],
)
def test_note_printouts_adds_up_partial_prints(
    old_time: tuple[int, ...], part: tuple[int, ...], content: str, missing: tuple[int, ...]
) -> None:
    open_desk = make_desk()
    note_printouts(open_desk, replace(STANDINGS, missing=old_time))
    note_printouts(open_desk, replace(STANDINGS, missing=part, content=content))
    is_listed = not old_time and content != STANDINGS.content
    (row,) = open_desk.tournament.printouts.values()
    assert (row.missing, row.content) == (missing, STANDINGS.content if is_listed else content)


def test_note_printouts_is_skipped_by_undo_and_redo() -> None:
    open_desk = make_desk()
    rename_event(open_desk, "Open")
    note_printouts(open_desk, STANDINGS)
    assert open_desk.undo().label == "edit-event"
    assert open_desk.tournament.printouts == {"p": STANDINGS}
    note_printouts(open_desk, replace(STANDINGS, content="bb"))
    assert open_desk.redo().label == "edit-event"
    assert open_desk.tournament.event.name == "Open"


def test_waive_printouts_can_be_undone() -> None:
    open_desk = make_desk()
    note_printouts(open_desk, STANDINGS)
    for content in ("bb", ""):
        waived_printouts = ((STANDINGS.id, content), (PrintoutId("gone"), "cc"))
        open_desk.do(partial(commands.waive_printouts, printouts=waived_printouts))
        assert [row.waived for row in open_desk.tournament.printouts.values()] == [content]
    assert open_desk.undoable_step is None


def test_choose_reports_keeps_the_order_and_resets() -> None:
    open_desk = make_desk()
    first = open_desk.tournament

    def choose_reports(moment: PrintingMoment, *reports: ReportChoice) -> None:
        open_desk.do(partial(commands.choose_reports, moment=moment, papers=reports))

    choose_reports(
        PrintingMoment.ROUND, make_report_choice("slips", copies=2), make_report_choice("pairings-by-name")
    )
    choose_reports(PrintingMoment.AFTER, make_report_choice("standings", columns=2))
    choose_reports(PrintingMoment.ROUND, make_report_choice("pairings-by-name"))
    rows = open_desk.tournament.papers.values()
    assert {(row.id, row.moment, row.position, row.report) for row in rows} == {
        ("after.1", PrintingMoment.AFTER, 1, "standings"),
        ("round.1", PrintingMoment.ROUND, 1, "pairings-by-name"),
    }
    for _ in range(3):
        open_desk.undo()
    assert open_desk.tournament.papers == first.papers


@pytest.mark.parametrize(("field", "value"), [("copies", 0), ("copies", 501), ("columns", 3), ("columns", 0)])
def test_choose_reports_refuses_impossible_copies_and_columns(field: str, value: int) -> None:
    open_desk = make_desk()
    with pytest.raises(CommandError, match="number-out-of-range"):
        commands.choose_reports(
            open_desk.tournament,
            moment=PrintingMoment.END,
            papers=(make_report_choice("slips", **{field: value}),),
        )


def test_set_logo_keeps_the_data_out_of_the_history() -> None:
    open_desk = make_desk()
    data = b64encode(b"picture").decode()
    open_desk.do(partial(commands.set_logo, name="club.png", data=data))
    assert remove_facts_added_by_desk(open_desk.list_all_steps()[-1].facts) == {"name": "club.png"}
    assert [row.data for row in open_desk.tournament.logos.values()] == [data]
    open_desk.do(partial(commands.remove_logo))
    assert not open_desk.tournament.logos
    open_desk.undo()
    assert [row.name for row in open_desk.tournament.logos.values()] == ["club.png"]


@pytest.mark.parametrize(
    ("data", "code"),
    [("no base64!", "logo-unreadable"), (b64encode(bytes(LARGEST_LOGO + 1)).decode(), "logo-too-large")],
)
def test_set_logo_refuses_invalid_logos(data: str, code: str) -> None:
    with pytest.raises(CommandError, match=code):
        commands.set_logo(make_desk().tournament, name="x", data=data)


def test_unnote_printouts_restores_the_old_state() -> None:
    open_desk = make_desk()
    note_printouts(open_desk, STANDINGS)
    newer_printout = replace(STANDINGS, content="bb", at="2026-05-01T11:00:00+00:00")
    note_printouts(open_desk, newer_printout)
    unnote = partial(commands.unnote_printouts, printouts=(newer_printout,), before=(STANDINGS,))
    assert unnote(open_desk.tournament).printouts == {STANDINGS.id: STANDINGS}
    assert not commands.unnote_printouts(open_desk.tournament, printouts=(newer_printout,)).printouts
    note_printouts(open_desk, replace(newer_printout, at="2026-05-01T12:00:00+00:00"))
    assert unnote(open_desk.tournament).printouts == open_desk.tournament.printouts


def test_note_printouts_of_a_finished_tournament() -> None:
    open_desk = make_desk()
    open_desk.do(partial(commands.finish_tournament))
    note_printouts(open_desk, STANDINGS)
    assert open_desk.tournament.printouts


def test_is_permitted_entry_station_can_print() -> None:
    allowed = {role: is_permitted(role, "note-printouts") for role in Role}
    assert allowed == {Role.DIRECTOR: True, Role.ENTRY: True, Role.JURY: True, Role.DISPLAY: False}
    assert not is_permitted(Role.ENTRY, "choose-reports")
