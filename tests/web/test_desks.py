"""Entry and jury desks in a browser, without a browser: PINs, previews, lines that are sent twice, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from threading import Event
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import Index
from tdapp.domain.model import ResultState
from tdapp.domain.roles import Role
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.result_preview import ResultLineReader
from tdapp.web.desk_access import DeskAccess
from tests.building import DIVISION, RESOURCES, pair_rounds
from tests.clubs import make_club
from tests.web.large_hall import large_hall
from tests.web.page_checks import iterate_elements, parsed, text_of
from tests.web.running_server import Served, playing, served
from tests.web.test_featured import FewWords


@pytest.fixture
def hall() -> Iterator[Served]:
    with served(playing(16)) as server:
        server.access.switch_on()
        yield server


def revision(served: Served) -> int:
    return served.value.head.revision


def send(desk: httpx.Client, line: str, path: str = "enter", **fields: Any) -> dict[str, Any]:
    answer = desk.post(f"desk/{path}", data={"line": line, "key": uuid4().hex, "view": "results", **fields})
    assert answer.status_code == 200, answer.text
    answer_values: dict[str, Any] = answer.json()
    return answer_values


def points(served: Served, table: int) -> tuple[int | None, int | None] | None:
    result = Index(served.value).result(served.game(table).id)
    return (result.first, result.second) if result is not None else None


# --- PINs


def test_sign_in_needs_the_pin_of_a_role(hall: Served) -> None:
    state = hall.access.state
    assert state.entry_pin != state.jury_pin
    stranger = hall.phone()
    stranger.headers["Origin"] = hall.url.rstrip("/")
    answer = stranger.post("desk", data={"pin": "12", "name": "x"})
    assert answer.status_code == 403
    assert "This PIN is wrong" in answer.text
    assert hall.access.wrong_pins == 1
    assert stranger.post("desk/read", data={"line": "1 400 380"}).status_code == 403
    hall.sign_in(Role.JURY, "Kim")
    hall.sign_in(Role.ENTRY, "Kim")
    sessions = [(session.role, session.name) for session in hall.access.state.sessions]
    assert sessions == [(Role.JURY, "Kim"), (Role.ENTRY, "Kim 2")], "each desk undoes only its own steps"


def test_sign_in_slows_wrong_pins() -> None:
    clock = [0.0]
    access = DeskAccess(clock=lambda: clock[0])
    access.switch_on()
    pin = access.state.entry_pin
    for _ in range(3):
        with pytest.raises(UserError, match="pin-wrong"):
            access.sign_in("x", "", "one")
    with pytest.raises(UserError, match="pin-wait"):
        access.sign_in(pin, "", "one")
    assert access.sign_in(pin, "", "two"), "another address need not wait"
    clock[0] += 2.1
    assert access.sign_in(pin, "", "one")
    for number in range(27):
        with pytest.raises(UserError, match="pin-wrong"):
            access.sign_in("x", "", f"address {number}")
    with pytest.raises(UserError, match="pin-wait"):
        access.sign_in(pin, "", "three")
    clock[0] += 61
    assert access.sign_in(pin, "", "three")


def test_desk_page_cookie_is_strict_and_hides_the_pin(hall: Served) -> None:
    desk = hall.phone()
    desk.headers["Origin"] = hall.url.rstrip("/")
    answer = desk.post("desk", data={"pin": hall.access.state.entry_pin, "name": "Anna"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert hall.access.state.entry_pin not in answer.headers["location"] + cookie
    page = desk.get("desk")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert hall.access.state.entry_pin not in page.text
    token = desk.cookies["desk"]
    assert token not in repr(hall.access.state), "only a hash is stored"


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
def test_desk_page_refuses_forms_of_other_sites(hall: Served, origin: str | None) -> None:
    desk = hall.sign_in()
    del desk.headers["Origin"]
    headers = {} if origin is None else {"Origin": origin}
    for path in ("desk", "desk/enter", "desk/undo", "desk/out", "desk/drop", "desk/read"):
        assert desk.post(path, data={"line": "1 400 380"}, headers=headers).status_code == 403, path
    assert points(hall, 1) is None


def test_desk_access_ends_one_or_all_sessions(hall: Served) -> None:
    first, second = hall.sign_in(name="one"), hall.sign_in(name="two")
    hall.access.end_session(hall.access.state.sessions[0].key)
    assert first.post("desk/enter", data={"line": "1 400 380"}).status_code == 403
    assert "PIN of your desk" in first.get("desk").text
    assert send(second, "1 400 380")["status"] == "done"
    hall.access.switch_off()
    assert second.post("desk/enter", data={"line": "2 400 380"}).status_code == 403
    assert "switched off" in second.get("desk").text


def test_renew_pin_replaces_the_old_one(hall: Served) -> None:
    old = hall.access.state.entry_pin
    desk = hall.sign_in()
    hall.access.renew_pin(Role.ENTRY)
    assert send(desk, "1 400 380")["status"] == "done", "who is in stays in"
    with pytest.raises(UserError, match="pin-wrong"):
        hall.access.sign_in(old, "", "one")


def test_desk_page_refuses_foreign_requests(hall: Served) -> None:
    desk = hall.sign_in()
    for bad_fields in ({"state": "?"}, {"seen": "x"}, {"view": "all"}, {"line": "x" * 300}, {"more": "1"}):
        assert desk.post("desk/enter", data={"line": "1 400 380", **bad_fields}).status_code == 400, bad_fields
    assert points(hall, 1) is None


# --- lines


@pytest.mark.parametrize(
    "line", ["1 400 380", "1 400", "1", "99 1 2", "1 4000 380", "1 f1", "?", "", "x 1 2", "2 30 500"]
)
def test_desk_page_preview_equals_the_window(hall: Served, line: str) -> None:
    hall.do(partial(commands.enter_result, game=hall.game(2).id, first=401, second=399))
    index = Index(hall.value)
    reader = ResultLineReader(index, index.published(DIVISION)[-1], Catalogue("en", RESOURCES / "locale"))
    answer, preview = send(hall.sign_in(), line, "read"), reader.preview_line(line)
    if line:
        assert (answer["text"], answer["tone"], answer["game"]) == (preview.text, preview.tone, preview.game)
    else:
        assert answer["text"] == reader.describe_next_game(reader.rows[0])


def test_desk_line_is_a_step_that_only_its_desk_undoes(hall: Served) -> None:
    anna, kim = hall.sign_in(name="Anna"), hall.sign_in(Role.JURY, "Kim")
    answer = send(anna, "1 400 380")
    assert (answer["status"], points(hall, 1)) == ("done", (400, 380))
    assert hall.desk.history()[-1].station == "browser Anna"
    assert hall.desk.undo_step is None or hall.desk.undo_step.station != "browser Anna"
    send(kim, "2 410 390")
    assert kim.post("desk/undo", data={"step": str(answer["undo"])}).json()["status"] == "ask"
    assert points(hall, 1) == (400, 380)
    undo_answer = anna.post("desk/undo", data={"step": str(answer["undo"])}).json()
    assert (undo_answer["status"], undo_answer["undo"], points(hall, 1)) == ("done", 0, None)
    assert anna.post("desk/undo", data={"step": str(answer["undo"])}).json()["status"] == "refused"
    assert points(hall, 2) == (410, 390)


def test_desk_line_sent_again_is_written_once(hall: Served) -> None:
    desk = hall.sign_in(name="Anna")
    seen_revision, key = revision(hall), uuid4().hex
    answers = [send(desk, "1 400 380", key=key, seen=seen_revision) for _ in range(3)]
    assert [answer["status"] for answer in answers] == ["done"] * 3
    assert answers[0]["text"].startswith("✓ ")
    send(desk, "", "read")
    desk.post("desk/undo", data={"step": str(answers[0]["undo"])})
    assert send(desk, "1 400 380", key=key, seen=seen_revision)["status"] == "done"
    assert points(hall, 1) is None, "it was taken back, and the late copy does not bring it back"
    with served(hall.value) as restarted:  # the program was killed: nothing is known but the file
        restarted.desk.do(
            partial(commands.enter_result, game=restarted.game(1).id, first=400, second=380), sent=key
        )
        restarted.access.switch_on()
        new_desk = restarted.sign_in()
        send(new_desk, "1 400 380", key=key, seen=0, late="1")
        assert [step.facts.get("sent") for step in restarted.desk.history()].count(key) == 1


def test_desk_line_replaces_no_unseen_result(hall: Served) -> None:
    desk, seen_revision = hall.sign_in(name="Anna"), revision(hall)
    hall.do(partial(commands.enter_result, game=hall.game(1).id, first=345, second=346))
    refusal = send(desk, "1 345 345", seen=seen_revision)
    assert (refusal["status"], points(hall, 1)) == ("refused", (345, 346))
    assert "has changed the same data in the meantime" in refusal["text"]
    assert "The result of the table is 345 – 346" in refusal["more"]
    question = send(desk, "1 345 345", seen=refusal["seen"])
    assert (question["status"], question["step"], points(hall, 1)) == ("ask", "show", (345, 346))
    assert "Press Enter again" in question["more"]
    hall.do(partial(commands.enter_result, game=hall.game(1).id, first=300, second=500))
    meanwhile = send(desk, "1 345 345", seen=question["seen"], state="shown")
    assert (meanwhile["status"], points(hall, 1)) == ("refused", (300, 500))
    last_answer = send(desk, "1 345 345", seen=meanwhile["seen"], state="shown")
    assert (last_answer["status"], points(hall, 1)) == ("done", (345, 345))


def test_desk_line_equal_results_of_two_desks_are_no_conflict(hall: Served) -> None:
    desk, seen_revision = hall.sign_in(), revision(hall)
    hall.do(partial(commands.enter_result, game=hall.game(1).id, first=400, second=380))
    assert send(desk, "1 400 380", seen=seen_revision)["status"] == "done"
    assert not hall.access.refused_lines


def test_desk_line_refused_after_waiting_stays_open(hall: Served) -> None:
    desk, seen_revision = hall.sign_in(name="Anna"), revision(hall)
    hall.do(partial(commands.enter_result, game=hall.game(1).id, first=345, second=346))
    key = uuid4().hex
    assert send(desk, "1 345 345", seen=seen_revision, late="1", key=key)["status"] == "refused"
    assert send(desk, "2 400 380", seen=seen_revision, late="1")["status"] == "done"
    line = hall.access.refused_lines[0]
    assert (line.station, line.line, line.game) == ("browser Anna", "1 345 345", hall.game(1).id)
    assert line.points == "345 345"
    other_desk = hall.sign_in(name="Kim")
    other_desk.post("desk/drop", data={"key": key})
    assert line in hall.access.refused_lines, "only its own desk, or the director"
    assert send(desk, "1 345 345 ?")["status"] == "done"
    assert not hall.access.refused_lines, "the desk has entered this game now"
    send(desk, "3 1 1 1", seen=seen_revision, late="1", key="k")
    desk.post("desk/drop", data={"key": "k"})
    assert desk.post("desk/keep", data={"key": "k"}).status_code == 400
    refusal = {"key": "m", "line": "4 1 1", "why": "no", "game": ""}
    assert desk.post("desk/keep", data=refusal).status_code == 200
    assert [line.station for line in hall.access.refused_lines] == ["browser Anna"], (
        "the program was started again"
    )
    assert 'data-kept="m"' in desk.get("desk").text
    desk.post("desk/drop", data={"key": "m"})
    assert not hall.access.refused_lines
    assert "k" in desk.get("desk").text.split('data-decided="')[1].split('"')[0].split()


def test_desk_line_asks_about_implausible_points(hall: Served) -> None:
    desk = hall.sign_in()
    assert send(desk, "1 4000 380")["status"] == "ask"
    assert points(hall, 1) is None
    assert send(desk, "1 4000 380", control="1")["status"] == "done"
    rare = send(desk, "2 39 388")
    assert (rare["status"], rare["step"]) == ("ask", "show")
    assert send(desk, "2 39 388", state="shown")["status"] == "done"


def test_desk_line_correction_shows_its_effects_first(hall: Served) -> None:
    desk = hall.sign_in(name="Anna")
    before = hall.value.rounds[min(hall.value.rounds, key=lambda key: hall.value.rounds[key].number)]
    assert before.number == 1
    question = send(desk, "1 300 500", round=1)
    assert (question["status"], question["step"]) == ("ask", "show effect")
    assert any(question["effects"])
    later_text = send(desk, "1 300 500", "later", round=1)["later"]
    assert later_text
    answer = send(desk, "1 300 500", round=1, state="effect shown", seen=question["seen"])
    assert answer["status"] == "done"
    game = Index(hall.value).game(before.id, 1)
    result = Index(hall.value).result(game.id)
    assert result is not None
    assert (result.first, result.second) == (300, 500)


def test_desk_line_for_a_certified_result_needs_a_reason(hall: Served) -> None:
    hall.do(partial(commands.enter_result, game=hall.game(1).id, first=400, second=380))
    hall.do(partial(commands.certify_result, game=hall.game(1).id))
    desk = hall.sign_in(Role.JURY)
    question = send(desk, "1 380 400")
    assert (question["step"], question["reasoned"]) == ("show effect", True)
    assert send(desk, "1 380 400", state="effect shown", seen=question["seen"])["status"] == "refused"
    answer = send(desk, "1 380 400", state="effect shown", seen=question["seen"], reason="swapped")
    assert answer["status"] == "done"
    assert hall.desk.history()[-1].facts["reason"] == "swapped"


def test_desk_line_rulings_need_the_jury_role(hall: Served) -> None:
    desk, jury = hall.sign_in(), hall.sign_in(Role.JURY, "Kim")
    send(desk, "1 400 380")
    send(desk, "2 400 380")
    assert send(desk, "1", view="jury")["status"] == "ask", "read as a result line"
    assert send(jury, "1", view="jury")["status"] == "done"
    assert Index(hall.value).result(hall.game(1).id).state is ResultState.CHECKED  # type: ignore[union-attr]
    assert send(jury, "2 2 XQBAR 48", view="jury")["step"] == "ask author"
    answer = send(jury, "2 2 XQBAR 48", view="jury", author="Kim")
    assert answer["status"] == "done", answer
    first, second = points(hall, 2) or (0, 0)
    assert (first, second) < (400, 380)
    assert hall.desk.history()[-1].station == "browser Kim"
    corrected = send(jury, "2 = 410 388", view="jury", author="Kim")
    assert corrected["status"] in {"done", "ask"}


def test_desk_line_checks_in_by_number_and_name() -> None:
    with served(playing(8)) as server:
        server.access.switch_on()
        desk = server.sign_in()
        player = next(iter(server.value.players.values()))
        answer = send(desk, str(player.number), view="check-in")
        assert answer["status"] == "done", answer
        assert server.value.players[player.id].checked_in
        assert server.desk.history()[-1].label == "check-in"
        assert send(desk, f"{player.number} -", view="check-in")["status"] == "done"
        assert not server.value.players[player.id].checked_in
        assert "No player is called" in send(desk, "zzz", view="check-in")["text"]


@pytest.mark.parametrize(
    ("language", "word"), [("nl", "Uitslag"), ("en", "Result"), ("nb", "Resultat"), ("de", "Ergebnis")]
)
def test_desk_page_lists_tables_in_each_language(language: str, word: str) -> None:
    with served(playing(8), language=language) as server:
        server.access.switch_on()
        desk = server.sign_in(Role.JURY, "Kim")
        for view in ("results", "jury", "check-in"):
            page = desk.get("desk", params={"view": view})
            assert page.status_code == 200
        page = desk.get("desk")
        (table,) = iterate_elements(parsed(page.content), "table")
        lines = [row for body in iterate_elements(table, "tbody") for row in iterate_elements(body, "tr")]
        assert len(lines) == 4
        assert word in {text_of(element) for element in iterate_elements(parsed(page.content), "label")}


def test_desk_page_escapes_names() -> None:
    value = playing(8)
    player = next(iter(value.players.values()))
    value = value.put(replace(player, name="<b>x</b><script>alert(1)</script>"))
    with served(value) as server:
        server.access.switch_on()
        desk = server.sign_in(name="<i>me</i>")
        assert "<script>alert" not in desk.get("desk").text
        assert "<i>me" not in desk.get("desk").text
        for table in range(1, 5):
            answer = json.dumps(send(desk, f"{table} 400 380", "read"))
            assert "<script>" not in answer


def test_a_table_is_found_in_its_division() -> None:
    with served(large_hall()) as server:
        server.access.switch_on()
        desk = server.sign_in()
        index = Index(server.value)
        first, second = index.divisions
        tables = {division.id: index.games(index.published(division.id)[-1].id) for division in (first, second)}
        (other_game,) = (game for game in tables[second.id][-1:])
        answer = send(desk, f"B {other_game.table} 400 380", "read", division=first.id)
        assert answer["game"] == other_game.id
        shared_tables = {game.table for game in tables[first.id]} & {game.table for game in tables[second.id]}
        unshared_game = next((game for game in tables[first.id] if game.table not in shared_tables), None)
        assert unshared_game is not None
        assert send(desk, f"{unshared_game.table} 400 380", "read", division=second.id)["game"] == unshared_game.id
        assert send(desk, f"{unshared_game.table} 400 380", division=second.id)["status"] == "done"
        assert Index(server.value).result(unshared_game.id) is not None
        assert "999" in send(desk, "999 400 380", "read", division=second.id)["text"]


def test_words_are_looked_up_and_wrong_ones_ask_for_player_and_score() -> None:
    with served(playing(8), word_lists=lambda edition: nullcontext(FewWords() if edition else None)) as server:
        server.access.switch_on()
        server.do(partial(commands.choose_wordlist, wordlist="few"))
        jury = server.sign_in(Role.JURY, "Kim")
        send(jury, "1 400 380")
        assert "in the word list" in send(jury, "1 TAART", "read", view="jury")["text"]
        words_question = send(jury, "1 TAART XQBAR", view="jury", author="Kim")
        assert (words_question["status"], words_question["step"], words_question["words"]) == (
            "ask",
            "ask words",
            ["XQBAR"],
        )
        question = {"view": "jury", "author": "Kim", "game": words_question["game"], "word": "XQBAR"}
        assert "XQBAR" in send(jury, "", "read", **question)["text"]
        assert send(jury, "2 48", **question)["status"] == "done"
        result = Index(server.value).result(server.game(1).id)
        assert result is not None
        assert result.second is not None
        assert result.second < 380
        assert send(jury, "1 2 TAART 20", view="jury", author="Kim")["status"] == "ask", "it is in the list"


def test_a_desk_that_cannot_save_keeps_its_line_and_writes_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdapp.web.desk_pages._WRITE_TIMEOUT", 0.2)
    with served(playing(8)) as server:
        server.access.switch_on()
        desk = server.sign_in()
        disk_answers = Event()
        server.thread.submit(disk_answers.wait, 30)  # the disk hangs
        data = {"line": "1 400 380", "key": "once", "seen": str(revision(server))}
        assert [desk.post("desk/enter", data=data).status_code for _ in range(2)] == [503, 503]
        disk_answers.set()
        server.thread.submit(int).result()
        assert desk.post("desk/enter", data=data).json()["status"] == "done"
        assert [step.facts.get("sent") for step in server.desk.history()].count("once") == 1


def test_a_preview_comes_while_the_key_is_pressed(hall: Served) -> None:
    desk, durations = hall.sign_in(), []
    for number in range(12):
        start = perf_counter()
        send(desk, f"1 {400 + number} 380", "read")
        durations.append(perf_counter() - start)
    assert min(durations) < 0.03, "an answer does not wait for the acknowledgement of its head"


def test_desk_line_enters_tables_of_three_and_break_up_games() -> None:
    with served(pair_rounds(make_club(3), results=False)) as server:
        server.access.switch_on()
        desk = server.sign_in(name="Anna")
        item = Index(server.value).published(DIVISION)[-1].id
        assert send(desk, "1 210 188 240")["status"] == "done"
        assert "begins, as the winner" in send(desk, "1 +", "read")["more"]
        assert send(desk, "1 + 41 60 35")["status"] == "done"
        assert [seat.break_up for seat in Index(server.value).seats(item)] == [41, 60, 35]
        answer = send(desk, "1 + 41 60 36")
        assert (answer["status"], answer["step"]) == ("ask", "show")
        assert send(desk, "1 + 41 60 36", state="shown")["status"] == "done"
        assert [seat.break_up for seat in Index(server.value).seats(item)] == [41, 60, 36]
