"""The check codes on printouts reveal a changed journal even if all hashes were computed again."""

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
from tdapp.domain.errors import RuleViolation
from tdapp.domain.journal import CLOCK_JUMP
from tdapp.domain.model import PlayerId
from tdapp.domain.paper import Printout, PrintoutId
from tdapp.domain.tournament import JournalHead
from tdapp.domain.verification import RoundPrintouts, make_journal_head, parse_typed_checksum
from tests.building import DIVISION, enter_results, make_event, pair_next
from tests.storage.damaged_files import recompute_checksums


def note(desk: Desk, number: int) -> JournalHead:
    """Print a report of a round and return its check code."""
    head, key = desk.tournament.head, PrintoutId(f"standings.{number}")
    row = Printout(key, "standings", DIVISION, number, "", "x", revision=head.revision, head=head.code)
    desk.do(partial(commands.note_printouts, printouts=(row,)))
    return head


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.tdapp"


@pytest.fixture
def printed_checksums(path: Path) -> list[JournalHead]:
    """Play three rounds in a file, and print something of each."""
    checksums = []
    with closing(Desk.create(path, make_event())) as desk:
        for number in (1, 2, 3):
            pair_next(desk)
            desk.do(enter_results, label="enter-results")
            checksums.append(note(desk, number))
    return checksums


@contextmanager
def forging(path: Path) -> Iterator[sqlite3.Connection]:
    """Let somebody change a file who knows how its sums are computed."""
    with closing(sqlite3.connect(path)) as db:
        yield db
        recompute_checksums(db)
        db.commit()


def forge_round(path: Path, number: int, *, notes: bool = False) -> None:
    """Change a result of a round in its row and in the journal; the heads in the notes after it too, if wished."""
    with forging(path) as db:
        query = "SELECT g.id, s.first FROM games g JOIN results s ON s.id = g.id JOIN rounds r ON r.id = g.round"
        game, first = db.execute(f"{query} WHERE r.number = ?", (number,)).fetchone()
        db.execute("UPDATE results SET first = first + 90 WHERE id = ?", (game,))
        for seq, text in db.execute("SELECT seq, changes FROM journal").fetchall():
            changes = json.loads(text)
            for kind, key, _, after in changes:
                if (kind, key) == ("results", game):
                    after["first"] = first + 90
            db.execute("UPDATE journal SET changes = ? WHERE seq = ?", (_dumped(changes), seq))
        if notes:
            _renote(db)


def _renote(db: sqlite3.Connection) -> None:
    """Put into each note of a printout the head that the forged journal has, from the first on."""
    for seq, text in db.execute("SELECT seq, changes FROM journal WHERE label = 'note-printouts'").fetchall():
        recompute_checksums(db)
        ((kind, key, before, after),) = json.loads(text)
        (digest,) = db.execute("SELECT hash FROM journal WHERE seq = ?", (after["revision"],)).fetchone()
        after["head"] = make_journal_head(after["revision"], digest).code
        db.execute("UPDATE journal SET changes = ? WHERE seq = ?", (_dumped([[kind, key, before, after]]), seq))
        db.execute("UPDATE printouts SET head = ? WHERE id = ?", (after["head"], key))


def _dumped(changes: object) -> str:
    return json.dumps(changes, ensure_ascii=False, separators=(",", ":"))


def open_read_only(path: Path) -> Desk:
    return Desk.open(path, read_only=True)


def test_verify_checksums_finds_every_printed_checksum(path: Path, printed_checksums: list[JournalHead]) -> None:
    with closing(open_read_only(path)) as desk:
        verification = desk.verify_checksums(map(str, printed_checksums))
        assert desk.find_damage() == []
    assert verification.is_confirmed
    assert (
        [head.step.seq for head in verification.heads if head.step]
        == [2, 5, 8]
        == [head.revision for head in printed_checksums]
    )
    assert [round_.agrees for round_ in verification.rounds] == [True] * 3
    assert (verification.proven, verification.broken, verification.head) == (8, None, desk.tournament.head)


def test_verify_checksums_names_rounds_with_a_result_changed_later(
    path: Path, printed_checksums: list[JournalHead]
) -> None:
    forge_round(path, 2)
    with closing(open_read_only(path)) as desk:
        assert desk.find_damage() == []
        verification = desk.verify_checksums([])
    assert not verification.is_confirmed
    assert verification.rounds == tuple(RoundPrintouts("A", number, number == 1) for number in (1, 2, 3))
    assert verification.broken == printed_checksums[1].revision


def test_verify_checksums_with_forged_notes_names_the_last_matching_step(
    path: Path, printed_checksums: list[JournalHead]
) -> None:
    forge_round(path, 2, notes=True)
    with closing(open_read_only(path)) as desk:
        assert desk.verify_checksums([]).is_confirmed
        verification = desk.verify_checksums(map(str, printed_checksums))
        code_alone = desk.verify_checksums([printed_checksums[2].code])
    assert [head.step is not None for head in verification.heads] == [True, False, False]
    assert (verification.proven, verification.broken) == (2, 5)
    assert [round_.agrees for round_ in verification.rounds] == [True, False, False]
    assert not code_alone.is_confirmed
    assert code_alone.heads[0].revision is None


def test_find_damage_reports_a_row_without_its_step(path: Path, printed_checksums: list[JournalHead]) -> None:
    with forging(path) as db:
        db.execute("UPDATE results SET first = 999 WHERE rowid = 1")
    with closing(open_read_only(path)) as desk:
        assert [item.code for item in desk.find_damage()] == ["row-damaged"]
        assert not desk.verify_checksums([]).is_confirmed


def test_find_damage_covers_the_initial_state(path: Path, printed_checksums: list[JournalHead]) -> None:
    with forging(path) as db:
        db.execute("UPDATE players SET rating = 2222 WHERE id = 'p8'")
    with closing(open_read_only(path)) as desk:
        assert [item.code for item in desk.find_damage()] == ["beginning-differs"]
        assert not desk.verify_checksums([str(printed_checksums[0])]).is_confirmed


def test_verify_checksums_accepts_older_printouts_after_an_erasure(
    path: Path, printed_checksums: list[JournalHead]
) -> None:
    with closing(Desk.open(path)) as desk:
        desk.erase_personal_data([PlayerId("p1")])
        later_checksum = note(desk, 3)
        verification = desk.verify_checksums([str(printed_checksums[0]), str(later_checksum)])
        assert desk.find_damage() == []
    assert (verification.heads[0].step, verification.heads[0].erased, verification.erased) == (None, True, 10)
    assert verification.heads[1].step is not None
    assert (verification.rounds, verification.broken) == ((RoundPrintouts("A", 3, True),), None)


@given(st.integers(1, 10**6), st.integers(0, 2**128 - 1), st.data())
def test_parse_head_reads_typed_checksums_and_notices_one_wrong_character(
    revision: int, number: int, data: st.DataObject
) -> None:
    head = make_journal_head(revision, f"{number:032x}")
    typed_text = str(head).lower().replace(" ", data.draw(st.sampled_from(["", " ", "-"])))
    assert (parse_typed_checksum(typed_text).code, parse_typed_checksum(typed_text).revision) == (
        head.code,
        revision,
    )
    assert parse_typed_checksum(head.code).revision is None
    assert parse_typed_checksum(f"Head of the history: {typed_text}").revision == revision
    position = data.draw(st.sampled_from([index for index, sign in enumerate(head.code) if sign != " "]))
    character = data.draw(st.sampled_from("23456789ABCDEFGHJKMNPQRSTUVWXYZ01OIL"))
    if character != head.code[position]:
        with pytest.raises(RuleViolation, match="head-mistyped"):
            parse_typed_checksum(head.code[:position] + character + head.code[position + 1 :])
    code = head.code.replace(" ", "")
    index = data.draw(st.integers(0, 14))
    if code[index] != code[index + 1]:
        with pytest.raises(RuleViolation, match="head-mistyped"):
            parse_typed_checksum(code[:index] + code[index + 1] + code[index] + code[index + 2 :])


def test_verify_checksums_reports_a_clock_jump_once(path: Path) -> None:
    times = [datetime.fromisoformat("2026-11-21T10:00:00+00:00")]
    jumps = [timedelta(minutes=5), timedelta(days=3), timedelta(hours=-2), timedelta(seconds=-3)]

    def clock() -> str:
        return times[0].isoformat()

    with closing(Desk.create(path, make_event(), clock=clock)) as desk:
        desk.do(partial(commands.edit_event, place="Ås"))
        times[0] += timedelta(days=9)
        pair_next(desk)
        for count, jump in enumerate(jumps):
            times[0] += jump
            desk.do(partial(commands.edit_event, place=str(count)))
        times[0] += timedelta(days=1)
        desk.undo()
        desk.undo()
        facts = [step.facts.get(CLOCK_JUMP) for step in desk.history()]
        verification = desk.verify_checksums([])
    assert facts == [None, None, None, 3 * 86_400, -7200, None, 86_400, None]
    assert [step.seq for step in verification.clocks] == [4, 5, 7]
    assert verification.is_confirmed
