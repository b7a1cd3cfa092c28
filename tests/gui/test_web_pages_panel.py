"""The room's page and the web pages, switched and chosen in the window."""

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
from tdapp.domain.index import Index
from tdapp.domain.model import Game
from tdapp.domain.roles import Role
from tdapp.domain.slip import find_code_key, make_game_code
from tdapp.gui.rounds.page import RoundsPage
from tdapp.gui.screens.panels import OverlayPanel
from tdapp.gui.screens.web_pages import WebPagesPanel, WebServerPanel, list_server_addresses
from tdapp.gui.shell import start
from tdapp.gui.shell.bottom_bar import BottomBar, list_open_problems
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose_pairings
from tdapp.services.preferences import load_struct
from tdapp.services.publishing import MARKER_FILE, has_all_results
from tdapp.services.resources import Resources
from tdapp.storage.library import Library
from tdapp.web.desk_access import DeskState
from tdapp.web.server import bind_socket
from tests.gui.samples import RESOURCES, A, make_desk, make_tournament
from tests.gui.windows import get_page, press
from tests.web.running_server import PLAIN, read, visitor

KEY = "a key"


@pytest.fixture
def playing(empty_session: Session, qtbot: QtBot) -> Window:
    """A window on a tournament whose round is being played."""
    value = make_tournament(players=4)
    value = commands.pair_round(value, key="r", proposal=propose_pairings(Index(value), A))
    made = start.make_window(empty_session)
    qtbot.addWidget(made)
    empty_session.attach_desk(make_desk(value))
    made.show()
    return made


def room_panel(window: Window) -> WebServerPanel:
    window.show_page("screens")
    window.command("phones").trigger()
    panel = window.panel
    assert isinstance(panel, WebServerPanel)
    panel.host.choose("127.0.0.1")
    panel.port.setText("0")
    return panel


def open_game(window: Window) -> Game:
    item = window.session.round
    assert item is not None
    return window.session.index.open_games(item.id)[0]


def test_web_server_panel_shows_an_address_that_browsers_read(playing: Window, qtbot: QtBot) -> None:
    panel = room_panel(playing)
    assert panel.url.text() == ""
    panel.switch_button.click()
    url = panel.url.text()
    assert url.startswith("http://127.0.0.1:")
    assert playing.command("phones").text() == "Phones: on…"
    assert read(url).status_code == 200
    game = open_game(playing)
    playing.session.do(partial(commands.enter_result, game=game.id, first=444, second=333))
    qtbot.waitUntil(lambda: "444 – 333" in read(f"{url}a-round.html").text)
    panel.switch_button.click()
    assert playing.session.serving.url == ""
    assert playing.command("phones").text() == "Phones…"
    with pytest.raises(httpx.ConnectError):
        read(url)


def test_web_server_panel_shows_the_fingerprint_if_encrypted(playing: Window) -> None:
    panel = room_panel(playing)
    assert not panel.fingerprint.isVisibleTo(panel)
    panel.encrypted.setChecked(True)
    panel.switch_button.click()
    serving = playing.session.serving
    assert panel.url.text().startswith("https://127.0.0.1:")
    assert serving.fingerprint in panel.fingerprint.text()
    assert panel.fingerprint.isVisibleTo(panel)
    assert httpx.get(serving.url, trust_env=False, verify=False).status_code == 200  # noqa: S501
    panel.switch_button.click()
    assert playing.session.settings.value("room/encrypted", defaultValue=False, type=bool)


def test_web_server_stops_with_the_tournament(playing: Window) -> None:
    panel = room_panel(playing)
    panel.start_or_stop_server()
    url = playing.session.serving.url
    playing.session.attach_desk(None)
    with pytest.raises(httpx.ConnectError):
        read(url)


@pytest.mark.slow
def test_web_server_panel_focuses_a_port_in_use(playing: Window, qtbot: QtBot) -> None:
    panel = room_panel(playing)
    panel.start_or_stop_server()
    port = playing.session.serving.url.rstrip("/").rpartition(":")[2]
    panel.start_or_stop_server()
    taken = bind_socket("127.0.0.1", 0)
    panel.port.setText(str(taken.getsockname()[1]))
    with qtbot.waitSignal(playing.session.message_sent) as told:
        panel.start_or_stop_server()
    assert str(taken.getsockname()[1]) in told.args[0]
    taken.close()
    panel.port.setText("70000")
    with qtbot.waitSignal(playing.session.message_sent) as told:
        panel.start_or_stop_server()
    assert "70000" in told.args[0]
    panel.port.setText(port)
    panel.start_or_stop_server()
    assert playing.session.serving.port == int(port)
    panel.start_or_stop_server()


@pytest.mark.slow
def test_web_server_panel_shows_entries_of_players(playing: Window, qtbot: QtBot) -> None:
    panel = room_panel(playing)
    panel.start_or_stop_server()
    panel.entry_box.click()
    key = find_code_key(playing.session.tournament)
    game = open_game(playing)
    url = playing.session.serving.url
    first, second = (make_game_code(key, game.id, one) for one in (game.first, game.second))
    for code, own, other in ((first, 412, 388), (second, 387, 412)):
        _post(qtbot, url, code, own, other)
    qtbot.waitUntil(lambda: len(playing.session.tournament.slips) == 2)
    panel.refresh_panel()
    assert panel._waiting_entries.count() == 1
    _post(qtbot, url, second, 388, 412)
    qtbot.waitUntil(lambda: game.id in playing.session.tournament.results)
    assert playing.session.tournament.results[game.id].first == 412
    panel.start_or_stop_server()


@pytest.mark.slow
def test_rounds_page_accepts_or_refuses_entries_of_one_phone(playing: Window, qtbot: QtBot) -> None:
    session = playing.session
    session.do(partial(commands.open_entry, key=KEY))
    game = open_game(playing)

    def enter_both() -> None:
        for player, own, other in ((game.first, 412, 388), (game.second, 388, 412)):
            session.do(
                partial(commands.enter_slip, game=game.id, player=player, own=own, other=other, device="one")
            )

    enter_both()
    panel = room_panel(playing)
    assert {one.text() for one in panel.findChildren(QPushButton)} >= {"Accept the entries", "Reject the entries"}
    playing.show_page("rounds", game.id)
    page = get_page(playing, RoundsPage)
    page.view.setFocus()
    assert "from the same phone or address" in page.footer.text()
    press(playing, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not session.tournament.slips
    enter_both()
    press(playing, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert session.tournament.results[game.id].first == 412
    assert "one phone" not in page.footer.text()
    playing.command("undo").trigger()
    assert not session.tournament.results
    assert len(session.tournament.slips) == 2


def _post(qtbot: QtBot, url: str, code: str, own: int, other: int) -> None:
    """Send what a phone sends, while the window goes on."""
    with ThreadPoolExecutor(1) as phone:
        data = {"code": code, "own": str(own), "other": str(other)}
        own_address = httpx.HTTPTransport(verify=PLAIN, local_address=f"127.0.1.{sum(code.encode()) % 250 + 1}")
        with visitor(url, transport=own_address) as client:
            sent = phone.submit(client.post, "enter", data=data)
            qtbot.waitUntil(sent.done)
        assert sent.result().status_code == 303


def test_web_server_panel_forgets_entries_of_players(playing: Window) -> None:
    session = playing.session
    session.do(partial(commands.open_entry, key=KEY))
    game = open_game(playing)
    session.do(partial(commands.enter_slip, game=game.id, player=game.first, own=400, other=300))
    panel = room_panel(playing)
    assert panel._waiting_entries.count() == 1
    next(one for one in panel.findChildren(QPushButton) if one.text() == "Reject the entries").click()
    panel.refresh_panel()
    assert panel._waiting_entries.count() == 0
    assert not session.tournament.slips


def test_list_addresses_includes_this_computer() -> None:
    assert list_server_addresses()[-1] == "127.0.0.1"


# --- the web pages


def site_panel(window: Window) -> WebPagesPanel:
    window.command("export-pages").trigger()
    panel = window.panel
    assert isinstance(panel, WebPagesPanel)
    return panel


def test_site_panel_writes_both_folders_and_again_after_each_round(playing: Window, tmp_path: Path) -> None:
    panel = site_panel(playing)
    assert not panel.write_button.isEnabled()
    assert panel._choose_buttons["first"].hasFocus(), "also when it was opened from Ctrl+K"
    first, second = tmp_path / "www", tmp_path / "synchronised" / "www"
    panel.set_site_folder("first", first)
    panel.set_site_folder("second", second)
    for folder in (first, second):
        assert {"index.html", "a-round-1.html", MARKER_FILE} <= {path.name for path in folder.iterdir()}
    before = (first / "a-round-1.html").read_bytes()
    session = playing.session
    game = open_game(playing)
    session.do(partial(commands.enter_result, game=game.id, first=444, second=333))
    assert (first / "a-round-1.html").read_bytes() == before  # one result is still out
    session.do(partial(commands.enter_result, game=open_game(playing).id, first=400, second=300))
    assert has_all_results(session.index)
    for folder in (first, second):
        assert "444 – 333" in (folder / "a-round-1.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_site_panel_stores_the_address_of_the_pages(playing: Window, tmp_path: Path) -> None:
    panel = site_panel(playing)
    panel.address.setFocus()
    for typed, kept in (("example.org", ""), ("https://example.org/open", "https://example.org/open/")):
        panel.address.setText(typed)
        QTest.keyClick(panel.address, Qt.Key.Key_Return)
        assert playing.session.publishing.site_address == kept
        assert panel.address.text() == (kept or typed), "what cannot be used stays to be mended"
    panel.set_site_folder("first", tmp_path / "www")
    assert "https://example.org/open/index.html" in (tmp_path / "www" / "index.html").read_text(encoding="utf-8")


def test_site_panel_failure_is_an_open_problem(playing: Window, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    panel = site_panel(playing)
    panel.set_site_folder("first", tmp_path)
    found = playing.session.publishing.problems()
    assert [one.code for one in found] == ["site-failed"]
    assert "was not changed" in panel.error.text()
    panel.set_site_folder("first", tmp_path / "www")
    assert playing.session.publishing.problems() == ()
    assert panel.error.text() == ""


def test_site_panel_runs_upload_commands_and_shows_the_age(playing: Window, tmp_path: Path) -> None:
    panel, bar = site_panel(playing), playing.findChild(BottomBar)
    assert bar is not None
    assert not bar.page_age_label.isVisible()
    panel.commands.setPlainText("no-such-program {folder}")
    panel.write_button.click()
    assert "no-such-program" in panel.error.text()
    assert bar.page_age_label.text() == panel._age_label.text() == "Web pages were never published"
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
    assert playing.session.publishing.upload_commands.endswith("{folder}"), "what cannot be read is not kept"


@pytest.mark.slow
def test_site_panel_chooses_a_folder_or_a_new_subfolder(
    playing: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, publisher = site_panel(playing), playing.session.publishing
    mine, other_folder = tmp_path / "Documents", tmp_path / "www"
    mine.mkdir()
    other_folder.mkdir()
    (mine / "letter.txt").write_text("mine")
    for chosen, written in ((other_folder, other_folder), (mine, mine / "site"), (mine / "site", mine / "site")):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, chosen=chosen: str(chosen))
        panel._ask_site_folder("first")
        assert publisher.get_target_folder("first") == written
        assert (written / "index.html").exists()
    assert publisher.problems() == ()
    assert (mine / "letter.txt").read_text() == "mine"


@pytest.mark.slow
def test_site_panel_writes_pages_in_the_chosen_language(playing: Window, tmp_path: Path) -> None:
    panel = site_panel(playing)
    panel.language.choose("de")
    panel.set_site_folder("first", tmp_path / "www")
    assert b'lang="de"' in (tmp_path / "www" / "index.html").read_bytes()


def test_web_server_writes_on_the_thread_of_the_desk(
    appearance: Appearance, settings: QSettings, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "event.tdapp"
    value = commands.open_entry(make_tournament(players=4), key=KEY)
    Desk.create(path, commands.pair_round(value, key="r", proposal=propose_pairings(Index(value), A))).close()
    catalogue = Catalogue("en", RESOURCES / "locale")
    library = Library(tmp_path / "lexicons")
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
    for player, own, other in ((game.first, 412, 388), (game.second, 388, 412)):
        _post(qtbot, url, make_game_code(find_code_key(session.tournament), game.id, player), own, other)
    qtbot.waitUntil(lambda: game.id in session.tournament.results)
    assert [step.station for step in session.desk.history()[-2:]] == ["room", "room"]
    assert session.desk.undo_step is None  # what players did is not undone by Ctrl+Z
    session.close()
    session.work.close()
    with closing(Desk.open(path, read_only=True)) as again:
        assert again.tournament.results[game.id].first == 412


def overlay_panel(window: Window) -> OverlayPanel:
    window.show_page("screens")
    window.command("overlays").trigger()
    panel = window.panel
    assert isinstance(panel, OverlayPanel)
    return panel


def test_overlay_panel_assigns_slots_and_style(
    playing: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = overlay_panel(playing)
    assert (panel.list_button.isEnabled(), playing.session.serving.overlay_slots) == (False, (0, 0, 0, 0))
    panel.slots[1].setFocus()
    QTest.keyClicks(panel.slots[1], "2")
    QTest.keyClick(panel.slots[1], Qt.Key.Key_Return)
    assert playing.session.serving.overlay_slots == (0, 2, 0, 0)
    room_panel(playing).switch_button.click()
    panel = overlay_panel(playing)
    assert (panel.list_button.isEnabled(), panel.slots[1].text()) == (True, "2")
    at = f"{playing.session.serving.url}overlay/"
    qtbot.waitUntil(lambda: "Table 2" in read(f"{at}slot/2").text)
    style = tmp_path / "own.css"
    style.write_text("caption { display: none }")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(style), ""))
    (choose,) = [one for one in panel.findChildren(QPushButton) if one.text() == "Choose a file…"]
    choose.click()
    qtbot.waitUntil(lambda: "caption" in read(f"{at}own.css").text)
    panel.slots[1].setFocus()
    panel.slots[1].clear()
    QTest.keyClicks(panel.slots[1], "x")
    QTest.keyClick(panel.slots[1], Qt.Key.Key_Return)
    panel.slots[0].setFocus()
    qtbot.waitUntil(lambda: "Table 2" not in read(f"{at}slot/2").text)
    panel.set_style_sheet("")
    qtbot.waitUntil(lambda: not read(f"{at}own.css").content)


# --- desks in a browser


def sign_in(url: str, pin: str, name: str) -> httpx.Client:
    """Return a browser that is a desk."""
    browser = visitor(url, headers={"Origin": url.rstrip("/")})
    assert browser.post("desk", data={"pin": pin, "name": name}).status_code == 303
    return browser


def test_the_director_sees_the_pins_and_the_desks_and_ends_them(playing: Window, qtbot: QtBot) -> None:
    panel = room_panel(playing)
    panel.host.choose("127.0.0.1")
    panel.port.setText("0")
    desks, serving = panel.desks, playing.session.serving
    desks.enabled_box.click()
    qtbot.waitUntil(desks.pins[Role.JURY].isVisible)
    pin = serving.access.state.entry_pin
    assert f"{pin[:3]} {pin[3:]}" in desks.pins[Role.ENTRY].text()
    panel.switch_button.click()
    assert desks.address.text() == f"{serving.url}desk"
    with ThreadPoolExecutor(1) as thread:
        signing = thread.submit(sign_in, serving.url, pin, "Anna")
        qtbot.waitUntil(signing.done)
        browser = signing.result()

        def send(line: str, **more: str) -> httpx.Response:
            data = {"line": line, "key": line.replace(" ", "-"), **more}
            sending = thread.submit(browser.post, "desk/enter", data=data)
            qtbot.waitUntil(sending.done)
            return sending.result()

        qtbot.waitUntil(lambda: desks.sessions.count() == 1)
        texts = [one.text() for one in desks.findChildren(QLabel)]
        assert "Anna · entry desk · connected" in texts
        assert send("1 400 380").json()["status"] == "done"
        assert playing.session.desk.history()[-1].station == "browser Anna"
        assert send("1 380 400", seen="0", late="1").json()["status"] == "refused"
        qtbot.waitUntil(lambda: bool(serving.problems()))
        (problem,) = list_open_problems(playing.session)[-1:]
        assert "browser Anna: 1 380 400" in problem.facts["step"]  # type: ignore[operator]
        serving.drop_refused_line(problem)
        assert serving.problems() == ()
        kept = load_struct(
            playing.session.settings, f"tournaments/{playing.session.tournament.event.id}/desks", DeskState()
        )
        assert [session.name for session in kept.sessions] == ["Anna"], "a desk stays signed in after a crash"
        end = next(one for one in desks.findChildren(QPushButton) if one.accessibleName() == "Sign out Anna")
        end.click()
        assert send("2 400 380").status_code == 403
        desks.enabled_box.click()
        qtbot.waitUntil(lambda: not desks.pins[Role.JURY].isVisible())
        assert serving.access.state == DeskState()
        browser.close()
    panel.switch_button.click()
