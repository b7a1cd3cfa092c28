"""Tests of the panels for the web server, the web pages, the overlays and the desks in a browser."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game
from tdapp.domain.roles import Role
from tdapp.domain.slip import find_slip_code_secret, make_game_code
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.screens.panels import OverlayPanel
from tdapp.gui.screens.web_pages import WebPagesPanel, WebServerPanel, list_own_ipv4_addresses
from tdapp.gui.shell import start
from tdapp.gui.shell.bottom_bar import BottomBar
from tdapp.gui.shell.problems_panel import list_open_problems
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tdapp.services.preferences import load_settings_object
from tdapp.services.publishing import MARKER_FILE, has_all_results_of_published_rounds
from tdapp.services.resources import Resources
from tdapp.storage.library import WordListLibrary
from tdapp.web.desk_access import BrowserDeskState
from tdapp.web.server import open_listening_socket
from tests.gui.samples import RESOURCES, A, make_desk, make_tournament
from tests.gui.windows import collect_messages, get_page, press_key
from tests.web.running_server import PLAIN, fetch_page, make_http_client

ENTRY_KEY = "a key"


@pytest.fixture
def round_window(empty_session: Session, qtbot: QtBot) -> Window:
    """Return a window with a published round without results."""
    tournament = make_tournament(players=4)
    tournament = commands.pair_round(
        tournament, key="r", proposal=propose_pairings(TournamentIndex(tournament), A)
    )
    window = start.make_window(empty_session)
    qtbot.addWidget(window)
    empty_session.open_tournament_of_desk(make_desk(tournament))
    window.show()
    return window


def open_web_server_panel(window: Window) -> WebServerPanel:
    window.show_page("screens")
    window.get_action("phones").trigger()
    panel = window.panel
    assert isinstance(panel, WebServerPanel)
    panel.host.choose_value("127.0.0.1")
    panel.port.setText("0")
    return panel


def get_open_game(window: Window) -> Game:
    shown_round = window.session.round
    assert shown_round is not None
    return window.session.index.list_open_games(shown_round.id)[0]


def test_web_server_panel_shows_the_address_for_browsers(round_window: Window, qtbot: QtBot) -> None:
    panel = open_web_server_panel(round_window)
    assert panel.url.text() == ""
    panel.switch_button.click()
    url = panel.url.text()
    assert url.startswith("http://127.0.0.1:")
    assert round_window.get_action("phones").text() == "Phones (switched on)…"
    assert fetch_page(url).status_code == 200
    game = get_open_game(round_window)
    round_window.session.do(partial(commands.enter_result, game=game.id, first=444, second=333))
    qtbot.waitUntil(lambda: "444 – 333" in fetch_page(f"{url}a-round.html").text)
    panel.switch_button.click()
    assert round_window.session.serving.url == ""
    assert round_window.get_action("phones").text() == "Phones…"
    with pytest.raises(httpx.ConnectError):
        fetch_page(url)


def test_web_server_panel_shows_the_certificate_fingerprint(round_window: Window) -> None:
    panel = open_web_server_panel(round_window)
    assert not panel.fingerprint.isVisibleTo(panel)
    panel.encrypted.setChecked(True)
    panel.switch_button.click()
    serving = round_window.session.serving
    assert panel.url.text().startswith("https://127.0.0.1:")
    assert serving.certificate_fingerprint in panel.fingerprint.text()
    assert panel.fingerprint.isVisibleTo(panel)
    assert httpx.get(serving.url, trust_env=False, verify=False).status_code == 200  # noqa: S501
    panel.switch_button.click()
    assert round_window.session.settings.value("room/encrypted", defaultValue=False, type=bool)


def test_web_server_stops_when_the_tournament_closes(round_window: Window) -> None:
    panel = open_web_server_panel(round_window)
    panel.start_or_stop_server()
    url = round_window.session.serving.url
    round_window.session.open_tournament_of_desk(None)
    with pytest.raises(httpx.ConnectError):
        fetch_page(url)


@pytest.mark.slow
def test_web_server_panel_focuses_a_port_in_use(round_window: Window, qtbot: QtBot) -> None:
    panel = open_web_server_panel(round_window)
    panel.start_or_stop_server()
    port = round_window.session.serving.url.rstrip("/").rpartition(":")[2]
    panel.start_or_stop_server()
    used_socket = open_listening_socket("127.0.0.1", 0)
    panel.port.setText(str(used_socket.getsockname()[1]))
    with qtbot.waitSignal(round_window.session.message_sent) as message_signal:
        panel.start_or_stop_server()
    assert str(used_socket.getsockname()[1]) in message_signal.args[0]
    used_socket.close()
    panel.port.setText("70000")
    with qtbot.waitSignal(round_window.session.message_sent) as message_signal:
        panel.start_or_stop_server()
    assert "70000" in message_signal.args[0]
    panel.port.setText(port)
    panel.start_or_stop_server()
    assert round_window.session.serving.stored_port == int(port)
    panel.start_or_stop_server()


@pytest.mark.slow
def test_web_server_panel_shows_entries_of_players(round_window: Window, qtbot: QtBot) -> None:
    panel = open_web_server_panel(round_window)
    panel.start_or_stop_server()
    panel.entry_box.click()
    key = find_slip_code_secret(round_window.session.tournament)
    game = get_open_game(round_window)
    url = round_window.session.serving.url
    first_code, second_code = (make_game_code(key, game.id, player) for player in (game.first, game.second))
    for code, own_points, opponent_points in ((first_code, 412, 388), (second_code, 387, 412)):
        post_from_phone(qtbot, url, code, own_points, opponent_points)
    qtbot.waitUntil(lambda: len(round_window.session.tournament.slips) == 2)
    panel.refresh_panel()
    assert panel._waiting_phone_results.count() == 1
    post_from_phone(qtbot, url, second_code, 388, 412)
    qtbot.waitUntil(lambda: game.id in round_window.session.tournament.results)
    assert round_window.session.tournament.results[game.id].first == 412
    panel.start_or_stop_server()


def test_rounds_page_asks_for_the_result_if_entries_differ(round_window: Window) -> None:
    session = round_window.session
    session.do(partial(commands.open_entry, key=ENTRY_KEY))
    game = get_open_game(round_window)
    for player in (game.first, game.second):
        command = partial(commands.enter_slip, game=game.id, player=player, own=412, other=388)
        session.do(partial(command, device=str(player)))
    round_window.show_page("rounds", game.id)
    text = get_page(round_window, RoundsPage).footer.text()
    assert "Where the entries differ, type the correct result" in text
    assert "Ctrl+Shift+T" not in text


@pytest.mark.slow
def test_rounds_page_accepts_or_rejects_entries_of_one_phone(round_window: Window, qtbot: QtBot) -> None:
    session = round_window.session
    session.do(partial(commands.open_entry, key=ENTRY_KEY))
    game = get_open_game(round_window)

    def enter_both_slips() -> None:
        for player, own_points, opponent_points in ((game.first, 412, 388), (game.second, 388, 412)):
            session.do(
                partial(
                    commands.enter_slip,
                    game=game.id,
                    player=player,
                    own=own_points,
                    other=opponent_points,
                    device="one",
                )
            )

    enter_both_slips()
    panel = open_web_server_panel(round_window)
    assert {button.text() for button in panel.findChildren(QPushButton)} >= {
        "Accept the entries",
        "Reject the entries",
    }
    round_window.show_page("rounds", game.id)
    page = get_page(round_window, RoundsPage)
    page.view.setFocus()
    assert "from the same phone or IP address" in page.footer.text()
    messages = collect_messages(session)
    press_key(round_window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not session.tournament.slips
    assert messages[-1].endswith("the players’ entries rejected")
    enter_both_slips()
    press_key(round_window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert session.tournament.results[game.id].first == 412
    assert "one phone" not in page.footer.text()
    round_window.get_action("undo").trigger()
    assert not session.tournament.results
    assert len(session.tournament.slips) == 2


def post_from_phone(qtbot: QtBot, url: str, code: str, own_points: int, opponent_points: int) -> None:
    """Post a result as a player's phone does. Process window events meanwhile."""
    with ThreadPoolExecutor(1) as executor:
        data = {"code": code, "own": str(own_points), "other": str(opponent_points)}
        transport = httpx.HTTPTransport(verify=PLAIN, local_address=f"127.0.1.{sum(code.encode()) % 250 + 1}")
        with make_http_client(url, transport=transport) as client:
            request = executor.submit(client.post, "enter", data=data)
            qtbot.waitUntil(request.done)
        assert request.result().status_code == 303


def test_web_server_panel_rejects_entries_of_players(round_window: Window) -> None:
    session = round_window.session
    session.do(partial(commands.open_entry, key=ENTRY_KEY))
    game = get_open_game(round_window)
    session.do(partial(commands.enter_slip, game=game.id, player=game.first, own=400, other=300))
    panel = open_web_server_panel(round_window)
    assert panel._waiting_phone_results.count() == 1
    next(button for button in panel.findChildren(QPushButton) if button.text() == "Reject the entries").click()
    panel.refresh_panel()
    assert panel._waiting_phone_results.count() == 0
    assert not session.tournament.slips


def test_list_server_addresses_includes_this_computer() -> None:
    assert list_own_ipv4_addresses()[-1] == "127.0.0.1"


# --- the web pages


def open_web_pages_panel(window: Window) -> WebPagesPanel:
    window.get_action("export-pages").trigger()
    panel = window.panel
    assert isinstance(panel, WebPagesPanel)
    return panel


def test_web_pages_panel_writes_both_folders_after_each_round(round_window: Window, tmp_path: Path) -> None:
    panel = open_web_pages_panel(round_window)
    assert not panel.write_button.isEnabled()
    assert panel._choose_buttons["first"].hasFocus(), "the button has no focus after opening"
    first_folder, second_folder = tmp_path / "www", tmp_path / "synchronised" / "www"
    panel.set_site_folder_and_write_pages("first", first_folder)
    panel.set_site_folder_and_write_pages("second", second_folder)
    for folder in (first_folder, second_folder):
        assert {"index.html", "a-round-1.html", MARKER_FILE} <= {path.name for path in folder.iterdir()}
    old_page = (first_folder / "a-round-1.html").read_bytes()
    session = round_window.session
    game = get_open_game(round_window)
    session.do(partial(commands.enter_result, game=game.id, first=444, second=333))
    assert (first_folder / "a-round-1.html").read_bytes() == old_page  # one result is missing
    session.do(partial(commands.enter_result, game=get_open_game(round_window).id, first=400, second=300))
    assert has_all_results_of_published_rounds(session.index)
    for folder in (first_folder, second_folder):
        assert "444 – 333" in (folder / "a-round-1.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_web_pages_panel_stores_the_address_of_the_site(round_window: Window, tmp_path: Path) -> None:
    panel = open_web_pages_panel(round_window)
    panel.address.setFocus()
    for typed_address, stored_address in (
        ("example.org", ""),
        ("https://example.org/open", "https://example.org/open/"),
    ):
        panel.address.setText(typed_address)
        QTest.keyClick(panel.address, Qt.Key.Key_Return)
        assert round_window.session.publishing.site_address == stored_address
        assert panel.address.text() == (stored_address or typed_address), (
            "the field does not keep an invalid address"
        )
    panel.set_site_folder_and_write_pages("first", tmp_path / "www")
    assert "https://example.org/open/index.html" in (tmp_path / "www" / "index.html").read_text(encoding="utf-8")


def test_web_pages_panel_reports_a_failure_as_an_open_problem(round_window: Window, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    panel = open_web_pages_panel(round_window)
    panel.set_site_folder_and_write_pages("first", tmp_path)
    problems = round_window.session.publishing.problems()
    assert [problem.code for problem in problems] == ["site-failed"]
    assert "was not changed" in panel.error.text()
    panel.set_site_folder_and_write_pages("first", tmp_path / "www")
    assert round_window.session.publishing.problems() == ()
    assert panel.error.text() == ""


def test_web_pages_panel_refuses_an_unreadable_folder(
    round_window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, messages = open_web_pages_panel(round_window), collect_messages(round_window.session)
    monkeypatch.setattr(Path, "iterdir", lambda _folder: (tmp_path / "none").stat())
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    panel._choose_site_folder_and_write("first")
    assert "cannot be read: No such file or directory. Choose another folder" in messages[0]
    assert round_window.session.publishing.get_target_folder("first") is None


def test_web_pages_panel_runs_upload_commands_and_shows_the_age(round_window: Window, tmp_path: Path) -> None:
    panel, bar = open_web_pages_panel(round_window), round_window.findChild(BottomBar)
    assert bar is not None
    assert not bar.page_age_label.isVisible()
    panel.commands.setPlainText("no-such-program {folder}")
    panel.write_button.click()
    assert "no-such-program" in panel.error.text()
    assert bar.page_age_label.text() == panel._age_label.text() == "Web pages have never been published"
    assert any("no-such-program" in link.accessibleName() for link in bar.findChildren(QPushButton))
    script = tmp_path / "bring.py"
    script.write_text(f"import shutil, sys; shutil.copytree(sys.argv[1], {str(tmp_path / 'there')!r})")
    panel.commands.setPlainText(f'"{sys.executable}" "{script}" {{folder}}')
    panel.write_button.click()
    assert panel.error.text() == ""
    assert (tmp_path / "there" / "index.html").exists()
    assert bar.page_age_label.text() == "Web pages published 1 minute ago"
    assert bar.page_age_label.isVisible()
    panel.commands.setPlainText("rsync 'a")
    panel.write_button.click()
    assert round_window.session.publishing.upload_commands_text.endswith("{folder}"), (
        "an unreadable command was stored"
    )


@pytest.mark.slow
def test_web_pages_panel_uses_an_empty_folder_or_a_new_subfolder(
    round_window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, publisher = open_web_pages_panel(round_window), round_window.session.publishing
    own_folder, empty_folder = tmp_path / "Documents", tmp_path / "www"
    own_folder.mkdir()
    empty_folder.mkdir()
    (own_folder / "letter.txt").write_text("mine")
    for chosen_folder, site_folder in (
        (empty_folder, empty_folder),
        (own_folder, own_folder / "site"),
        (own_folder / "site", own_folder / "site"),
    ):
        monkeypatch.setattr(
            QFileDialog, "getExistingDirectory", lambda *_, chosen_folder=chosen_folder: str(chosen_folder)
        )
        panel._choose_site_folder_and_write("first")
        assert publisher.get_target_folder("first") == site_folder
        assert (site_folder / "index.html").exists()
    assert publisher.problems() == ()
    assert (own_folder / "letter.txt").read_text() == "mine"


@pytest.mark.slow
def test_web_pages_panel_writes_pages_in_the_chosen_language(round_window: Window, tmp_path: Path) -> None:
    panel = open_web_pages_panel(round_window)
    panel.language.choose_value("de")
    panel.set_site_folder_and_write_pages("first", tmp_path / "www")
    assert b'lang="de"' in (tmp_path / "www" / "index.html").read_bytes()


def test_web_server_saves_entries_on_the_thread_of_the_desk(
    appearance: Appearance, settings: QSettings, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "event.tdapp"
    tournament = commands.open_entry(make_tournament(players=4), key=ENTRY_KEY)
    Desk.create(
        path, commands.pair_round(tournament, key="r", proposal=propose_pairings(TournamentIndex(tournament), A))
    ).close()
    catalogue = Catalogue("en", RESOURCES / "locale")
    library = WordListLibrary(tmp_path / "lexicons")
    session = Session(
        work=SessionWorker(),
        catalogue=catalogue,
        appearance=appearance,
        resources=Resources(RESOURCES),
        settings=settings,
        library=library,
    )
    with qtbot.waitSignal(session.opened):
        session.open_file(path)
    session.serving.start_server("127.0.0.1", 0)
    url = session.serving.url
    game = next(iter(session.tournament.games.values()))
    for player, own_points, opponent_points in ((game.first, 412, 388), (game.second, 388, 412)):
        post_from_phone(
            qtbot,
            url,
            make_game_code(find_slip_code_secret(session.tournament), game.id, player),
            own_points,
            opponent_points,
        )
    qtbot.waitUntil(lambda: game.id in session.tournament.results)
    assert [step.station for step in session.desk.list_all_steps()[-2:]] == ["room", "room"]
    assert session.desk.undoable_step is None  # Ctrl+Z does not undo entries of players
    session.close()
    session.work.close()
    with closing(Desk.open(path, read_only=True)) as reopened_desk:
        assert reopened_desk.tournament.results[game.id].first == 412


def open_overlay_panel(window: Window) -> OverlayPanel:
    window.show_page("screens")
    window.get_action("overlays").trigger()
    panel = window.panel
    assert isinstance(panel, OverlayPanel)
    return panel


def test_overlay_panel_assigns_slots_and_style(
    round_window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = open_overlay_panel(round_window)
    assert (panel.list_button.isEnabled(), round_window.session.serving.table_numbers_of_overlays) == (
        False,
        (0, 0, 0, 0),
    )
    panel.slots[1].setFocus()
    QTest.keyClicks(panel.slots[1], "2")
    QTest.keyClick(panel.slots[1], Qt.Key.Key_Return)
    assert round_window.session.serving.table_numbers_of_overlays == (0, 2, 0, 0)
    open_web_server_panel(round_window).switch_button.click()
    panel = open_overlay_panel(round_window)
    assert (panel.list_button.isEnabled(), panel.slots[1].text()) == (True, "2")
    overlay_url = f"{round_window.session.serving.url}overlay/"
    qtbot.waitUntil(lambda: "Table 2" in fetch_page(f"{overlay_url}slot/2").text)
    style = tmp_path / "own.css"
    style.write_text("caption { display: none }")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(style), ""))
    (choose_button,) = [button for button in panel.findChildren(QPushButton) if button.text() == "Choose a file…"]
    choose_button.click()
    qtbot.waitUntil(lambda: "caption" in fetch_page(f"{overlay_url}own.css").text)
    panel.slots[1].setFocus()
    panel.slots[1].clear()
    QTest.keyClicks(panel.slots[1], "x")
    QTest.keyClick(panel.slots[1], Qt.Key.Key_Return)
    panel.slots[0].setFocus()
    qtbot.waitUntil(lambda: "Table 2" not in fetch_page(f"{overlay_url}slot/2").text)
    panel.set_overlay_style_sheet("")
    qtbot.waitUntil(lambda: not fetch_page(f"{overlay_url}own.css").content)


# --- desks in a browser


def sign_in(url: str, pin: str, name: str) -> httpx.Client:
    """Sign in as a desk. Return the HTTP client."""
    browser = make_http_client(url, headers={"Origin": url.rstrip("/")})
    assert browser.post("desk", data={"pin": pin, "name": name}).status_code == 303
    return browser


def test_web_server_panel_shows_pins_and_signs_out_desks(round_window: Window, qtbot: QtBot) -> None:
    panel = open_web_server_panel(round_window)
    panel.host.choose_value("127.0.0.1")
    panel.port.setText("0")
    desks, serving = panel.desks, round_window.session.serving
    desks.enabled_box.click()
    qtbot.waitUntil(desks.pins[Role.JURY].isVisible)
    pin = serving.access.state.entry_pin
    assert f"{pin[:3]} {pin[3:]}" in desks.pins[Role.ENTRY].text()
    panel.switch_button.click()
    assert desks.address.text() == f"{serving.url}desk"
    with ThreadPoolExecutor(1) as thread:
        sign_in_request = thread.submit(sign_in, serving.url, pin, "Anna")
        qtbot.waitUntil(sign_in_request.done)
        browser = sign_in_request.result()

        def send(line: str, **options: str) -> httpx.Response:
            data = {"line": line, "key": line.replace(" ", "-"), **options}
            send_request = thread.submit(browser.post, "desk/enter", data=data)
            qtbot.waitUntil(send_request.done)
            return send_request.result()

        qtbot.waitUntil(lambda: desks.sessions.count() == 1)
        texts = [widget.text() for widget in desks.findChildren(QLabel)]
        assert "Anna · entry desk · connected" in texts
        assert send("1 400 380").json()["status"] == "done"
        assert round_window.session.desk.list_all_steps()[-1].station == "browser Anna"
        assert send("1 380 400", seen="0", late="1").json()["status"] == "refused"
        qtbot.waitUntil(lambda: bool(serving.problems()))
        (problem,) = list_open_problems(round_window.session)[-1:]
        assert "browser Anna: 1 380 400" in problem.facts["step"]  # type: ignore[operator]
        serving.remove_refused_line_of_problem(problem)
        assert serving.problems() == ()
        stored_state = load_settings_object(
            round_window.session.settings,
            f"tournaments/{round_window.session.tournament.event.id}/desks",
            BrowserDeskState(),
        )
        assert [session.name for session in stored_state.sessions] == ["Anna"], (
            "the stored state misses the session"
        )
        sign_out_button = next(
            widget for widget in desks.findChildren(QPushButton) if widget.accessibleName() == "Sign out Anna"
        )
        sign_out_button.click()
        assert send("2 400 380").status_code == 403
        desks.enabled_box.click()
        qtbot.waitUntil(lambda: not desks.pins[Role.JURY].isVisible())
        assert serving.access.state == BrowserDeskState()
        browser.close()
    panel.switch_button.click()
