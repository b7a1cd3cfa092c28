"""HTTP tests of the entry and jury desks: PINs, previews, repeated lines and refusals."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from threading import Event
from typing import Any
from uuid import uuid4

import httpx
import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ResultState
from tdapp.domain.roles import Role
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.result_preview import ResultLineReader
from tdapp.web.desk_access import DeskAccess
from tests.building import DIVISION, RESOURCES, pair_rounds
from tests.clubs import make_club
from tests.web.large_tournament import make_large_tournament
from tests.web.page_checks import iterate_elements, parse_page, read_element_text
from tests.web.running_server import RunningServer, make_unfinished_tournament, run_server
from tests.web.test_featured import OneWordList


@pytest.fixture
def desk_server() -> Iterator[RunningServer]:
    with run_server(make_unfinished_tournament(16)) as server:
        server.access.switch_on_with_new_pins()
        yield server


def get_revision(server: RunningServer) -> int:
    return server.tournament.head.revision


def send_line(desk: httpx.Client, line: str, path: str = "enter", **fields: Any) -> dict[str, Any]:
    answer = desk.post(f"desk/{path}", data={"line": line, "key": uuid4().hex, "view": "results", **fields})
    assert answer.status_code == 200, answer.text
    answer_values: dict[str, Any] = answer.json()
    return answer_values


# --- PINs


def test_sign_in_needs_the_pin_of_a_role(desk_server: RunningServer) -> None:
    state = desk_server.access.state
    assert state.entry_pin != state.jury_pin
    stranger = desk_server.make_phone()
    stranger.headers["Origin"] = desk_server.url.rstrip("/")
    answer = stranger.post("desk", data={"pin": "12", "name": "x"})
    assert answer.status_code == 403
    assert "This PIN is wrong" in answer.text
    assert desk_server.access.wrong_pins == 1
    assert stranger.post("desk/read", data={"line": "1 400 380"}).status_code == 403
    desk_server.sign_in(Role.JURY, "Kim")
    desk_server.sign_in(Role.ENTRY, "Kim")
    sessions = [(session.role, session.name) for session in desk_server.access.state.sessions]
    assert sessions == [(Role.JURY, "Kim"), (Role.ENTRY, "Kim 2")], "two desks have the same name"


def test_sign_in_delays_wrong_pins() -> None:
    clock = [0.0]
    access = DeskAccess(clock=lambda: clock[0])
    access.switch_on_with_new_pins()
    pin = access.state.entry_pin
    for _ in range(3):
        with pytest.raises(UserError, match="pin-wrong"):
            access.sign_in("x", "", "one")
    with pytest.raises(UserError, match="pin-wait"):
        access.sign_in(pin, "", "one")
    assert access.sign_in(pin, "", "two"), "another address was delayed"
    clock[0] += 2.1
    assert access.sign_in(pin, "", "one")
    for number in range(27):
        with pytest.raises(UserError, match="pin-wrong"):
            access.sign_in("x", "", f"address {number}")
    with pytest.raises(UserError, match="pin-wait"):
        access.sign_in(pin, "", "three")
    clock[0] += 61
    assert access.sign_in(pin, "", "three")


def test_desk_page_cookie_is_strict_and_hides_the_pin(desk_server: RunningServer) -> None:
    desk = desk_server.make_phone()
    desk.headers["Origin"] = desk_server.url.rstrip("/")
    answer = desk.post("desk", data={"pin": desk_server.access.state.entry_pin, "name": "Anna"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert desk_server.access.state.entry_pin not in answer.headers["location"] + cookie
    page = desk.get("desk")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert desk_server.access.state.entry_pin not in page.text
    token = desk.cookies["desk"]
    assert token not in repr(desk_server.access.state), "the token is stored in plain text"


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
def test_desk_page_refuses_forms_of_other_sites(desk_server: RunningServer, origin: str | None) -> None:
    desk = desk_server.sign_in()
    del desk.headers["Origin"]
    headers = {} if origin is None else {"Origin": origin}
    for path in ("desk", "desk/enter", "desk/undo", "desk/out", "desk/drop", "desk/read"):
        assert desk.post(path, data={"line": "1 400 380"}, headers=headers).status_code == 403, path
    assert desk_server.get_points(1) is None


def test_desk_access_ends_one_session_or_all(desk_server: RunningServer) -> None:
    first, second = desk_server.sign_in(name="one"), desk_server.sign_in(name="two")
    desk_server.access.end_session(desk_server.access.state.sessions[0].key)
    assert first.post("desk/enter", data={"line": "1 400 380"}).status_code == 403
    assert "PIN for your desk" in first.get("desk").text
    assert send_line(second, "1 400 380")["status"] == "done"
    desk_server.access.switch_off_and_sign_out_desks()
    assert second.post("desk/enter", data={"line": "2 400 380"}).status_code == 403
    assert "switched off" in second.get("desk").text


def test_renew_pin_replaces_the_old_pin(desk_server: RunningServer) -> None:
    old_pin = desk_server.access.state.entry_pin
    desk = desk_server.sign_in()
    desk_server.access.renew_pin(Role.ENTRY)
    assert send_line(desk, "1 400 380")["status"] == "done", "a new PIN ended an open session"
    with pytest.raises(UserError, match="pin-wrong"):
        desk_server.access.sign_in(old_pin, "", "one")


def test_desk_page_refuses_foreign_requests(desk_server: RunningServer) -> None:
    desk = desk_server.sign_in()
    for bad_fields in ({"state": "?"}, {"seen": "x"}, {"view": "all"}, {"line": "x" * 300}, {"more": "1"}):
        assert desk.post("desk/enter", data={"line": "1 400 380", **bad_fields}).status_code == 400, bad_fields
    assert desk_server.get_points(1) is None


# --- lines


@pytest.mark.parametrize(
    "line", ["1 400 380", "1 400", "1", "99 1 2", "1 4000 380", "1 f1", "?", "", "x 1 2", "2 30 500"]
)
def test_desk_page_preview_equals_the_window_preview(desk_server: RunningServer, line: str) -> None:
    desk_server.run_command(partial(commands.enter_result, game=desk_server.get_game(2).id, first=401, second=399))
    index = TournamentIndex(desk_server.tournament)
    reader = ResultLineReader(
        index, index.list_published_rounds(DIVISION)[-1], Catalogue("en", RESOURCES / "locale")
    )
    answer, preview = send_line(desk_server.sign_in(), line, "read"), reader.preview_line(line)
    if line:
        assert (answer["text"], answer["tone"], answer["game"]) == (preview.text, preview.tone, preview.game)
    else:
        assert answer["text"] == reader.describe_next_game(reader.rows[0])


def test_desk_line_is_a_step_that_only_its_desk_undoes(desk_server: RunningServer) -> None:
    anna, kim = desk_server.sign_in(name="Anna"), desk_server.sign_in(Role.JURY, "Kim")
    answer = send_line(anna, "1 400 380")
    assert (answer["status"], desk_server.get_points(1)) == ("done", (400, 380))
    assert desk_server.desk.list_all_steps()[-1].station == "browser Anna"
    assert desk_server.desk.undoable_step is None or desk_server.desk.undoable_step.station != "browser Anna"
    send_line(kim, "2 410 390")
    assert kim.post("desk/undo", data={"step": str(answer["undo"])}).json()["status"] == "ask"
    assert desk_server.get_points(1) == (400, 380)
    undo_answer = anna.post("desk/undo", data={"step": str(answer["undo"])}).json()
    assert (undo_answer["status"], undo_answer["undo"], desk_server.get_points(1)) == ("done", 0, None)
    assert anna.post("desk/undo", data={"step": str(answer["undo"])}).json()["status"] == "refused"
    assert desk_server.get_points(2) == (410, 390)


def test_desk_line_sent_twice_is_written_once(desk_server: RunningServer) -> None:
    desk = desk_server.sign_in(name="Anna")
    known_revision, key = get_revision(desk_server), uuid4().hex
    answers = [send_line(desk, "1 400 380", key=key, seen=known_revision) for _ in range(3)]
    assert [answer["status"] for answer in answers] == ["done"] * 3
    assert answers[0]["text"].startswith("✓ ")
    send_line(desk, "", "read")
    desk.post("desk/undo", data={"step": str(answers[0]["undo"])})
    assert send_line(desk, "1 400 380", key=key, seen=known_revision)["status"] == "done"
    assert desk_server.get_points(1) is None, "the late copy entered the undone result again"
    with run_server(desk_server.tournament) as restarted:  # after a crash the program knows only the file
        restarted.desk.do(
            partial(commands.enter_result, game=restarted.get_game(1).id, first=400, second=380), sent=key
        )
        restarted.access.switch_on_with_new_pins()
        new_desk = restarted.sign_in()
        send_line(new_desk, "1 400 380", key=key, seen=0, late="1")
        assert [step.facts.get("sent") for step in restarted.desk.list_all_steps()].count(key) == 1


def test_desk_line_replaces_no_unseen_result(desk_server: RunningServer) -> None:
    desk, known_revision = desk_server.sign_in(name="Anna"), get_revision(desk_server)
    desk_server.run_command(partial(commands.enter_result, game=desk_server.get_game(1).id, first=345, second=346))
    refusal = send_line(desk, "1 345 345", seen=known_revision)
    assert (refusal["status"], desk_server.get_points(1)) == ("refused", (345, 346))
    assert "has changed the same data in the meantime" in refusal["text"]
    assert "The current result is 345 – 346" in refusal["more"]
    question = send_line(desk, "1 345 345", seen=refusal["seen"])
    assert (question["status"], question["step"], desk_server.get_points(1)) == ("ask", "show", (345, 346))
    assert "Press Enter again" in question["more"]
    desk_server.run_command(partial(commands.enter_result, game=desk_server.get_game(1).id, first=300, second=500))
    meanwhile = send_line(desk, "1 345 345", seen=question["seen"], state="shown")
    assert (meanwhile["status"], desk_server.get_points(1)) == ("refused", (300, 500))
    last_answer = send_line(desk, "1 345 345", seen=meanwhile["seen"], state="shown")
    assert (last_answer["status"], desk_server.get_points(1)) == ("done", (345, 345))


def test_desk_line_equal_results_of_two_desks_are_no_conflict(desk_server: RunningServer) -> None:
    desk, known_revision = desk_server.sign_in(), get_revision(desk_server)
    desk_server.run_command(partial(commands.enter_result, game=desk_server.get_game(1).id, first=400, second=380))
    assert send_line(desk, "1 400 380", seen=known_revision)["status"] == "done"
    assert not desk_server.access.refused_lines


def test_desk_line_refused_after_waiting_stays_open(desk_server: RunningServer) -> None:
    desk, known_revision = desk_server.sign_in(name="Anna"), get_revision(desk_server)
    desk_server.run_command(partial(commands.enter_result, game=desk_server.get_game(1).id, first=345, second=346))
    key = uuid4().hex
    assert send_line(desk, "1 345 345", seen=known_revision, late="1", key=key)["status"] == "refused"
    assert send_line(desk, "2 400 380", seen=known_revision, late="1")["status"] == "done"
    line = desk_server.access.refused_lines[0]
    assert (line.station, line.line, line.game) == ("browser Anna", "1 345 345", desk_server.get_game(1).id)
    assert line.points == "345 345"
    other_desk = desk_server.sign_in(name="Kim")
    other_desk.post("desk/drop", data={"key": key})
    assert line in desk_server.access.refused_lines, "another desk removed the refused line"
    assert send_line(desk, "1 345 345 ?")["status"] == "done"
    assert not desk_server.access.refused_lines, "the refused line remains after the desk entered the game"
    send_line(desk, "3 1 1 1", seen=known_revision, late="1", key="k")
    desk.post("desk/drop", data={"key": "k"})
    assert desk.post("desk/keep", data={"key": "k"}).status_code == 400
    refusal = {"key": "m", "line": "4 1 1", "why": "no", "game": ""}
    assert desk.post("desk/keep", data=refusal).status_code == 200
    assert [line.station for line in desk_server.access.refused_lines] == ["browser Anna"], (
        "the line was lost after a restart"
    )
    assert 'data-kept="m"' in desk.get("desk").text
    desk.post("desk/drop", data={"key": "m"})
    assert not desk_server.access.refused_lines
    assert "k" in desk.get("desk").text.split('data-decided="')[1].split('"')[0].split()


def test_desk_line_asks_about_implausible_points(desk_server: RunningServer) -> None:
    desk = desk_server.sign_in()
    assert send_line(desk, "1 4000 380")["status"] == "ask"
    assert desk_server.get_points(1) is None
    assert send_line(desk, "1 4000 380", control="1")["status"] == "done"
    answer = send_line(desk, "2 39 388")
    assert (answer["status"], answer["step"]) == ("ask", "show")
    assert send_line(desk, "2 39 388", state="shown")["status"] == "done"


def test_desk_line_correction_shows_its_effects_first(desk_server: RunningServer) -> None:
    desk = desk_server.sign_in(name="Anna")
    old_result = desk_server.tournament.rounds[
        min(desk_server.tournament.rounds, key=lambda key: desk_server.tournament.rounds[key].number)
    ]
    assert old_result.number == 1
    question = send_line(desk, "1 300 500", round=1)
    assert (question["status"], question["step"]) == ("ask", "show effect")
    assert any(question["effects"])
    later_text = send_line(desk, "1 300 500", "later", round=1)["later"]
    assert later_text
    answer = send_line(desk, "1 300 500", round=1, state="effect shown", seen=question["seen"])
    assert answer["status"] == "done"
    game = TournamentIndex(desk_server.tournament).get_game(old_result.id, 1)
    result = TournamentIndex(desk_server.tournament).get_result(game.id)
    assert result is not None
    assert (result.first, result.second) == (300, 500)


def test_desk_line_for_a_certified_result_needs_a_reason(desk_server: RunningServer) -> None:
    desk_server.run_command(partial(commands.enter_result, game=desk_server.get_game(1).id, first=400, second=380))
    desk_server.run_command(partial(commands.certify_result, game=desk_server.get_game(1).id))
    desk = desk_server.sign_in(Role.JURY)
    question = send_line(desk, "1 380 400")
    assert (question["step"], question["reasoned"]) == ("show effect", True)
    assert send_line(desk, "1 380 400", state="effect shown", seen=question["seen"])["status"] == "refused"
    answer = send_line(desk, "1 380 400", state="effect shown", seen=question["seen"], reason="swapped")
    assert answer["status"] == "done"
    assert desk_server.desk.list_all_steps()[-1].facts["reason"] == "swapped"


def test_desk_line_rulings_need_the_jury_role(desk_server: RunningServer) -> None:
    desk, jury = desk_server.sign_in(), desk_server.sign_in(Role.JURY, "Kim")
    send_line(desk, "1 400 380")
    send_line(desk, "2 400 380")
    assert send_line(desk, "1", view="jury")["status"] == "ask", "an entry desk accepted a ruling"
    assert send_line(jury, "1", view="jury")["status"] == "done"
    checked_result = TournamentIndex(desk_server.tournament).get_result(desk_server.get_game(1).id)
    assert checked_result is not None
    assert checked_result.state is ResultState.CHECKED
    assert send_line(jury, "2 2 XQBAR 48", view="jury")["step"] == "ask author"
    answer = send_line(jury, "2 2 XQBAR 48", view="jury", author="Kim")
    assert answer["status"] == "done", answer
    first, second = desk_server.get_points(2) or (0, 0)
    assert (first, second) < (400, 380)
    assert desk_server.desk.list_all_steps()[-1].station == "browser Kim"
    corrected = send_line(jury, "2 = 410 388", view="jury", author="Kim")
    assert corrected["status"] in {"done", "ask"}


def test_desk_line_checks_in_by_number_and_name() -> None:
    with run_server(make_unfinished_tournament(8)) as server:
        server.access.switch_on_with_new_pins()
        desk = server.sign_in()
        player = next(iter(server.tournament.players.values()))
        answer = send_line(desk, str(player.number), view="check-in")
        assert answer["status"] == "done", answer
        assert server.tournament.players[player.id].checked_in
        assert server.desk.list_all_steps()[-1].label == "check-in"
        assert send_line(desk, f"{player.number} -", view="check-in")["status"] == "done"
        assert not server.tournament.players[player.id].checked_in
        assert "No player is called" in send_line(desk, "zzz", view="check-in")["text"]


@pytest.mark.parametrize(
    ("language", "status_word"), [("nl", "Uitslag"), ("en", "Result"), ("nb", "Resultat"), ("de", "Ergebnis")]
)
def test_desk_page_lists_tables_in_each_language(language: str, status_word: str) -> None:
    with run_server(make_unfinished_tournament(8), language=language) as server:
        server.access.switch_on_with_new_pins()
        desk = server.sign_in(Role.JURY, "Kim")
        for view in ("results", "jury", "check-in"):
            page = desk.get("desk", params={"view": view})
            assert page.status_code == 200
        page = desk.get("desk")
        (table,) = iterate_elements(parse_page(page.content), "table")
        lines = [row for body in iterate_elements(table, "tbody") for row in iterate_elements(body, "tr")]
        assert len(lines) == 4
        assert status_word in {
            read_element_text(element) for element in iterate_elements(parse_page(page.content), "label")
        }


def test_desk_page_escapes_names() -> None:
    value = make_unfinished_tournament(8)
    player = next(iter(value.players.values()))
    value = value.put(replace(player, name="<b>x</b><script>alert(1)</script>"))
    with run_server(value) as server:
        server.access.switch_on_with_new_pins()
        desk = server.sign_in(name="<i>me</i>")
        assert "<script>alert" not in desk.get("desk").text
        assert "<i>me" not in desk.get("desk").text
        for table in range(1, 5):
            answer = json.dumps(send_line(desk, f"{table} 400 380", "read"))
            assert "<script>" not in answer


def test_desk_line_finds_tables_in_the_right_division() -> None:
    with run_server(make_large_tournament()) as server:
        server.access.switch_on_with_new_pins()
        desk = server.sign_in()
        index = TournamentIndex(server.tournament)
        first, second = index.divisions
        tables = {
            division.id: index.games(index.list_published_rounds(division.id)[-1].id)
            for division in (first, second)
        }
        (other_game,) = (game for game in tables[second.id][-1:])
        answer = send_line(desk, f"B {other_game.table} 400 380", "read", division=first.id)
        assert answer["game"] == other_game.id
        shared_tables = {game.table for game in tables[first.id]} & {game.table for game in tables[second.id]}
        unshared_game = next((game for game in tables[first.id] if game.table not in shared_tables), None)
        assert unshared_game is not None
        assert (
            send_line(desk, f"{unshared_game.table} 400 380", "read", division=second.id)["game"]
            == unshared_game.id
        )
        assert send_line(desk, f"{unshared_game.table} 400 380", division=second.id)["status"] == "done"
        assert TournamentIndex(server.tournament).get_result(unshared_game.id) is not None
        assert "999" in send_line(desk, "999 400 380", "read", division=second.id)["text"]


def test_jury_line_looks_up_words_and_asks_about_invalid_ones() -> None:
    with run_server(
        make_unfinished_tournament(8), word_lists=lambda edition: nullcontext(OneWordList() if edition else None)
    ) as server:
        server.access.switch_on_with_new_pins()
        server.run_command(partial(commands.choose_wordlist, wordlist="few"))
        jury = server.sign_in(Role.JURY, "Kim")
        send_line(jury, "1 400 380")
        assert "in the word list" in send_line(jury, "1 TAART", "read", view="jury")["text"]
        question_about_words = send_line(jury, "1 TAART XQBAR", view="jury", author="Kim")
        assert (question_about_words["status"], question_about_words["step"], question_about_words["words"]) == (
            "ask",
            "ask words",
            ["XQBAR"],
        )
        question = {"view": "jury", "author": "Kim", "game": question_about_words["game"], "word": "XQBAR"}
        assert "XQBAR" in send_line(jury, "", "read", **question)["text"]
        assert send_line(jury, "2 48", **question)["status"] == "done"
        result = TournamentIndex(server.tournament).get_result(server.get_game(1).id)
        assert result is not None
        assert result.second is not None
        assert result.second < 380
        assert send_line(jury, "1 2 TAART 20", view="jury", author="Kim")["status"] == "ask", (
            "the word is in the list"
        )


def test_desk_line_is_saved_once_after_a_blocked_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdapp.web.desk_pages._WRITE_TIMEOUT", 0.2)
    with run_server(make_unfinished_tournament(8)) as server:
        server.access.switch_on_with_new_pins()
        desk = server.sign_in()
        disk_answers = Event()
        server.thread.submit(disk_answers.wait, 30)  # the disk blocks
        data = {"line": "1 400 380", "key": "once", "seen": str(get_revision(server))}
        assert [desk.post("desk/enter", data=data).status_code for _ in range(2)] == [503, 503]
        disk_answers.set()
        server.thread.submit(int).result()
        monkeypatch.undo()  # a busy machine needs longer than 0.2 s
        assert desk.post("desk/enter", data=data).json()["status"] == "done"
        assert [step.facts.get("sent") for step in server.desk.list_all_steps()].count("once") == 1


def test_web_server_sends_answers_without_waiting_for_acknowledgements(
    desk_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports, set_option = [], socket.socket.setsockopt

    def record_option(connection: socket.socket, *option: Any) -> None:
        if option == (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1):
            ports.append(connection.getsockname()[1])
        set_option(connection, *option)

    monkeypatch.setattr(socket.socket, "setsockopt", record_option)
    desk_server.make_client().get("")
    assert httpx.URL(desk_server.url).port in ports


def test_desk_line_enters_tables_of_three_and_break_up_games() -> None:
    with run_server(pair_rounds(make_club(3), results=False)) as server:
        server.access.switch_on_with_new_pins()
        desk = server.sign_in(name="Anna")
        item = TournamentIndex(server.tournament).list_published_rounds(DIVISION)[-1].id
        assert send_line(desk, "1 210 188 240")["status"] == "done"
        assert "starts the break-up game" in send_line(desk, "1 +", "read")["more"]
        assert send_line(desk, "1 + 41 60 35")["status"] == "done"
        assert [seat.break_up for seat in TournamentIndex(server.tournament).seats(item)] == [41, 60, 35]
        answer = send_line(desk, "1 + 41 60 36")
        assert (answer["status"], answer["step"]) == ("ask", "show")
        assert send_line(desk, "1 + 41 60 36", state="shown")["status"] == "done"
        assert [seat.break_up for seat in TournamentIndex(server.tournament).seats(item)] == [41, 60, 36]
