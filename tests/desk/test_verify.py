"""Tests of check codes on printouts: they reveal a forged journal with new hashes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.journal import CLOCK_JUMP
from tdapp.domain.model import PlayerId
from tdapp.domain.paper import Printout, PrintoutId
from tdapp.domain.tournament import JournalChecksum
from tdapp.domain.verification import RoundPrintoutCheck, make_journal_checksum, parse_entered_checksum
from tests.building import DIVISION, enter_results, make_event, pair_next
from tests.storage.damaged_files import recompute_checksums


def print_report(desk: Desk, number: int) -> JournalChecksum:
    """Record a printout of a round. Return its check code."""
    head, key = desk.tournament.head, PrintoutId(f"standings.{number}")
    row = Printout(key, "standings", DIVISION, number, "", "x", revision=head.revision, head=head.code)
    desk.do(partial(commands.note_printouts, printouts=(row,)))
    return head


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "event.tdapp"


@pytest.fixture
def printed_check_codes(file: Path) -> list[JournalChecksum]:
    """Play three rounds in a file, and print a report after each. Return the check codes."""
    checksums = []
    with closing(Desk.create(file, make_event())) as desk:
        for number in (1, 2, 3):
            pair_next(desk)
            desk.do(enter_results, label="enter-results")
            checksums.append(print_report(desk, number))
    return checksums


@contextmanager
def open_for_forgery(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a file for a forgery. At the end, compute its hashes again."""
    with closing(sqlite3.connect(file)) as db:
        yield db
        recompute_checksums(db)
        db.commit()


def forge_round(file: Path, number: int, *, notes: bool = False) -> None:
    """Change a result of a round in its row and in the journal.

    If `notes`, also forge the check codes in the records of printouts.
    """
    with open_for_forgery(file) as db:
        query = "SELECT g.id, s.first FROM games g JOIN results s ON s.id = g.id JOIN rounds r ON r.id = g.round"
        game, first = db.execute(f"{query} WHERE r.number = ?", (number,)).fetchone()
        db.execute("UPDATE results SET first = first + 90 WHERE id = ?", (game,))
        for seq, text in db.execute("SELECT seq, changes FROM journal").fetchall():
            changes = json.loads(text)
            for kind, key, _, after in changes:
                if (kind, key) == ("results", game):
                    after["first"] = first + 90
            db.execute("UPDATE journal SET changes = ? WHERE seq = ?", (_dump_changes(changes), seq))
        if notes:
            _forge_printout_heads(db)


def _forge_printout_heads(db: sqlite3.Connection) -> None:
    """Replace the check code of each printout record by that of the forged journal."""
    for seq, text in db.execute("SELECT seq, changes FROM journal WHERE label = 'note-printouts'").fetchall():
        recompute_checksums(db)
        ((kind, key, before, after),) = json.loads(text)
        (digest,) = db.execute("SELECT hash FROM journal WHERE seq = ?", (after["revision"],)).fetchone()
        after["head"] = make_journal_checksum(after["revision"], digest).code
        db.execute(
            "UPDATE journal SET changes = ? WHERE seq = ?", (_dump_changes([[kind, key, before, after]]), seq)
        )
        db.execute("UPDATE printouts SET head = ? WHERE id = ?", (after["head"], key))


def _dump_changes(changes: object) -> str:
    return json.dumps(changes, ensure_ascii=False, separators=(",", ":"))


def open_read_only(file: Path) -> Desk:
    return Desk.open(file, read_only=True)


def test_verify_checksums_finds_each_printed_check_code(
    file: Path, printed_check_codes: list[JournalChecksum]
) -> None:
    with closing(open_read_only(file)) as desk:
        verification = desk.verify_checksums(map(str, printed_check_codes))
        assert desk.find_damage() == []
    assert verification.is_confirmed
    assert (
        [head.step.seq for head in verification.heads if head.step]
        == [2, 5, 8]
        == [head.revision for head in printed_check_codes]
    )
    assert [round_.agrees for round_ in verification.rounds] == [True] * 3
    assert (verification.proven, verification.broken, verification.head) == (8, None, desk.tournament.head)


def test_verify_checksums_names_rounds_with_a_result_changed_later(
    file: Path, printed_check_codes: list[JournalChecksum]
) -> None:
    forge_round(file, 2)
    with closing(open_read_only(file)) as desk:
        assert desk.find_damage() == []
        verification = desk.verify_checksums([])
    assert not verification.is_confirmed
    assert verification.rounds == tuple(RoundPrintoutCheck("A", number, number == 1) for number in (1, 2, 3))
    assert verification.broken == printed_check_codes[1].revision


def test_verify_checksums_with_forged_notes_names_the_last_matching_step(
    file: Path, printed_check_codes: list[JournalChecksum]
) -> None:
    forge_round(file, 2, notes=True)
    with closing(open_read_only(file)) as desk:
        assert desk.verify_checksums([]).is_confirmed
        verification = desk.verify_checksums(map(str, printed_check_codes))
        code_alone = desk.verify_checksums([printed_check_codes[2].code])
    assert [head.step is not None for head in verification.heads] == [True, False, False]
    assert (verification.proven, verification.broken) == (2, 5)
    assert [round_.agrees for round_ in verification.rounds] == [True, False, False]
    assert not code_alone.is_confirmed
    assert code_alone.heads[0].revision is None


def test_find_damage_reports_a_row_without_its_step(
    file: Path, printed_check_codes: list[JournalChecksum]
) -> None:
    with open_for_forgery(file) as db:
        db.execute("UPDATE results SET first = 999 WHERE rowid = 1")
    with closing(open_read_only(file)) as desk:
        assert [item.code for item in desk.find_damage()] == ["row-damaged"]
        assert not desk.verify_checksums([]).is_confirmed


def test_find_damage_covers_the_initial_state(file: Path, printed_check_codes: list[JournalChecksum]) -> None:
    with open_for_forgery(file) as db:
        db.execute("UPDATE players SET rating = 2222 WHERE id = 'p8'")
    with closing(open_read_only(file)) as desk:
        assert [item.code for item in desk.find_damage()] == ["beginning-differs"]
        assert not desk.verify_checksums([str(printed_check_codes[0])]).is_confirmed


def test_verify_checksums_accepts_older_printouts_after_an_erasure(
    file: Path, printed_check_codes: list[JournalChecksum]
) -> None:
    with closing(Desk.open(file)) as desk:
        desk.erase_personal_data([PlayerId("p1")])
        later_checksum = print_report(desk, 3)
        verification = desk.verify_checksums([str(printed_check_codes[0]), str(later_checksum)])
        assert desk.find_damage() == []
    assert (verification.heads[0].step, verification.heads[0].erased, verification.erased) == (None, True, 10)
    assert verification.heads[1].step is not None
    assert (verification.rounds, verification.broken) == ((RoundPrintoutCheck("A", 3, True),), None)


@given(st.integers(1, 10**6), st.integers(0, 2**128 - 1), st.data())
def test_parse_head_reads_typed_codes_and_detects_one_wrong_character(
    revision: int, number: int, data: st.DataObject
) -> None:
    head = make_journal_checksum(revision, f"{number:032x}")
    typed_text = str(head).lower().replace(" ", data.draw(st.sampled_from(["", " ", "-"])))
    assert (parse_entered_checksum(typed_text).code, parse_entered_checksum(typed_text).revision) == (
        head.code,
        revision,
    )
    assert parse_entered_checksum(head.code).revision is None
    assert parse_entered_checksum(f"Head of the history: {typed_text}").revision == revision
    position = data.draw(st.sampled_from([index for index, character in enumerate(head.code) if character != " "]))
    character = data.draw(st.sampled_from("23456789ABCDEFGHJKMNPQRSTUVWXYZ01OIL"))
    if character != head.code[position]:
        with pytest.raises(CommandError, match="head-mistyped"):
            parse_entered_checksum(head.code[:position] + character + head.code[position + 1 :])
    code = head.code.replace(" ", "")
    index = data.draw(st.integers(0, 14))
    if code[index] != code[index + 1]:
        with pytest.raises(CommandError, match="head-mistyped"):
            parse_entered_checksum(code[:index] + code[index + 1] + code[index] + code[index + 2 :])


def test_verify_checksums_reports_a_clock_jump_once(file: Path) -> None:
    times = [datetime.fromisoformat("2026-11-21T10:00:00+00:00")]
    jumps = [timedelta(minutes=5), timedelta(days=3), timedelta(hours=-2), timedelta(seconds=-3)]

    def make_time() -> str:
        return times[0].isoformat()

    with closing(Desk.create(file, make_event(), clock=make_time)) as desk:
        desk.do(partial(commands.edit_event, place="Ås"))
        times[0] += timedelta(days=9)
        pair_next(desk)
        for count, jump in enumerate(jumps):
            times[0] += jump
            desk.do(partial(commands.edit_event, place=str(count)))
        times[0] += timedelta(days=1)
        desk.undo()
        desk.undo()
        facts = [step.facts.get(CLOCK_JUMP) for step in desk.list_all_steps()]
        verification = desk.verify_checksums([])
    assert facts == [None, None, None, 3 * 86_400, -7200, None, 86_400, None]
    assert [step.seq for step in verification.clocks] == [4, 5, 7]
    assert verification.is_confirmed
