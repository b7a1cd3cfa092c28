"""Tests of prize chances on the Standings page and of prize-aware stages."""

from __future__ import annotations

from functools import partial
from threading import Event

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.domain.model import Prize, PrizeId, PrizeKind
from tdapp.domain.pairing_settings import PrizePairingSettings
from tdapp.gui.shell.session import Session, SessionWorker
from tdapp.gui.shell.window import Window
from tdapp.gui.standings import charts
from tdapp.gui.standings.charts import RankChancesView
from tdapp.gui.tournament.stage import StagePanel
from tdapp.gui.widgets.table_view import MAX_HEAT_OPACITY
from tdapp.gui.widgets.theme import COLOURS, Appearance
from tdapp.i18n.catalogue import LANGUAGES
from tdapp.pairing.forecast import DivisionForecast, compute_forecast
from tests.gui.samples import A, make_desk, make_session, make_tournament
from tests.gui.test_standings_page import open_played_tournament
from tests.gui.windows import show_window


@pytest.fixture
def window(empty_session: Session, qtbot: QtBot) -> Window:
    open_played_tournament(empty_session, players=10, rounds=6, missing_results=1)
    return show_window(empty_session, qtbot, "standings")


def get_chances_view(window: Window) -> RankChancesView:
    view = window.page.findChild(RankChancesView)
    assert isinstance(view, RankChancesView)
    return view


def open_chances_view(window: Window) -> RankChancesView:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_F7, Qt.KeyboardModifier.ControlModifier)
    return get_chances_view(window)


def list_column_texts(view: RankChancesView, name: str) -> list[str]:
    rows = view.rows
    position = rows.list_column_ids().index(name)
    return [str(rows.index(row, position).data()) for row in range(rows.rowCount())]


def test_chances_view_opens_with_ctrl_f7(window: Window) -> None:
    view = open_chances_view(window)

    assert view.isVisible()
    assert view.view.hasFocus()
    window.get_action("chances").trigger()
    assert view.isVisible()
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_F7)
    assert not view.isVisible()


@pytest.mark.slow
def test_chances_view_opens_from_the_palette(window: Window) -> None:
    window.show_page("players")
    window.get_action("chances").trigger()

    assert window.page.id == "standings"
    assert get_chances_view(window).isVisible()


def test_chances_view_shows_the_forecast(window: Window) -> None:
    view = open_chances_view(window)
    forecast = compute_forecast(window.session.index, A)

    assert list_column_texts(view, "name") == [row.player.name for row in forecast.rows]
    shares = list_column_texts(view, "1")
    for share, row in zip(shares, forecast.rows, strict=True):
        assert (share == "") is (row.shares[0] == 0)
    assert "simulated 100\u202f000 times" in view.note.text()
    assert "1 game without a result is simulated too." in view.note.text()
    assert "the first 2 places count as prizes" in view.note.text()

    rows = view.rows  # a cell with a background colour shows its number
    prize = rows.list_column_ids().index("prize")
    heats = [rows.get_heat_map_intensity(rows.index(row, prize)) for row in range(rows.rowCount())]

    assert max(heats) > 0.3
    for position, heat in enumerate(heats):
        assert bool(rows.index(position, prize).data()) is (heat > 0)
    assert rows.get_heat_map_intensity(rows.index(0, 0)) == 0


def test_chances_view_updates_after_a_result(window: Window) -> None:
    view, session = open_chances_view(window), window.session
    texts_before = [list_column_texts(view, name) for name in view.rows.list_column_ids()]
    open_game = session.index.list_open_games(session.index.rounds(A)[-1].id)[0]
    session.do(partial(commands.enter_result, game=open_game.id, first=500, second=300))

    assert [list_column_texts(view, name) for name in view.rows.list_column_ids()] != texts_before
    assert "without a result" not in view.note.text()


def test_chances_view_lists_certain_prizes(empty_session: Session, qtbot: QtBot) -> None:
    open_played_tournament(empty_session, players=10, rounds=7, missing_results=0)
    empty_session.open_tournament_of_desk(
        make_desk(empty_session.tournament.put(Prize(PrizeId("one"), A, 1, PrizeKind.RANK, 1)))
    )
    view = open_chances_view(show_window(empty_session, qtbot, "standings"))

    assert view.certain_ranks.text().startswith("Place 1 is decided: ")
    assert view.note.text() == "All rounds have been played: every place is final."
    assert list_column_texts(view, "prize_status") == ["place decided", *["no prize"] * 9]


def test_chances_view_shows_chances_to_qualify(empty_session: Session, qtbot: QtBot) -> None:
    open_played_tournament(empty_session, players=10, rounds=7, missing_results=0)
    empty_session.do(partial(commands.add_stage, key="k", division=A, system="knockout", rounds=2, cut=4))
    view = open_chances_view(show_window(empty_session, qtbot, "standings"))

    assert view.certain_ranks.text().startswith("Certain to finish in the top 4: ")
    assert "2 rounds of a later stage follow for the top 4; they decide the prizes." in view.note.text()
    assert list_column_texts(view, "prize_status") == ["qualified"] * 4 + ["eliminated"] * 6


def test_chances_view_explains_a_prize_aware_stage(empty_session: Session, qtbot: QtBot) -> None:
    open_played_tournament(empty_session, players=10, rounds=6, missing_results=0)
    stage = empty_session.index.stages(A)[0]
    view = open_chances_view(show_window(empty_session, qtbot, "standings"))
    assert not view.coming_round.isVisible()
    empty_session.do(partial(commands.edit_stage, stage=stage.id, system="prize"))

    assert view.coming_round.isVisible()
    assert view.coming_round.text().startswith(
        "Pairings for round 7: players in these places play each other for the prizes: 1–2"
    )


@pytest.mark.slow
def test_chances_view_opens_the_card_by_enter(window: Window) -> None:
    view = open_chances_view(window)
    view.view.select_row(view.rows.keys()[2])
    QTest.keyClick(view.view, Qt.Key.Key_Return)

    assert window.panel is not None
    assert window.page.get_current_player_id() == view.rows.keys()[2]


def test_chances_view_explains_missing_players(empty_session: Session, qtbot: QtBot) -> None:
    empty_session.open_tournament_of_desk(make_desk(make_tournament(players=1)))
    window = show_window(empty_session, qtbot, "standings")
    view = open_chances_view(window)

    assert view.rows.rowCount() == 0
    assert "at least two players" in view.view.accessibleDescription()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_chances_view_works_in_every_language(
    language: str, appearance: Appearance, settings: QSettings, qtbot: QtBot
) -> None:
    session = make_session(language, appearance, settings)
    open_played_tournament(session, players=6, rounds=2)
    view = open_chances_view(show_window(session, qtbot, "standings"))

    assert view.rows.rowCount() == 6
    assert view.note.text()
    session.close()


def test_chances_view_can_be_stopped_and_restarted(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The calculation runs until it is cancelled."""
    session = make_session("en", appearance, settings)
    open_played_tournament(session, players=6, rounds=2)
    window = show_window(session, qtbot, "standings")
    session.work = SessionWorker()
    has_started = Event()

    def compute_slowly(index: object, division: object, *, progress: object) -> DivisionForecast:
        has_started.set()
        while True:
            progress(1, 2)  # type: ignore[operator]

    monkeypatch.setattr(charts, "compute_forecast", compute_slowly)
    view = open_chances_view(window)
    assert view._task is not None
    assert has_started.wait(10)
    view._task.cancel_work()
    qtbot.waitUntil(view.compute_button.isVisible)
    assert "You stopped the calculation" in view.view.accessibleDescription()

    monkeypatch.setattr(charts, "compute_forecast", compute_forecast)
    view.compute_button.click()
    qtbot.waitUntil(lambda: view.rows.rowCount() == 6)
    assert not view.compute_button.isVisible()
    session.work.close()
    session.work = SessionWorker(inline=True)
    session.close()


@pytest.mark.slow
def test_chances_view_cancels_when_another_page_opens(
    appearance: Appearance, settings: QSettings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make_session("en", appearance, settings)
    open_played_tournament(session, players=6, rounds=2)
    window = show_window(session, qtbot, "standings")
    session.work = SessionWorker()
    has_ended = Event()

    def compute_slowly(index: object, division: object, *, progress: object) -> DivisionForecast:
        try:
            while True:
                progress(1, 2)  # type: ignore[operator]
        finally:
            has_ended.set()

    monkeypatch.setattr(charts, "compute_forecast", compute_slowly)
    open_chances_view(window)
    window.show_page("players")
    assert has_ended.wait(10)
    session.work.close()
    session.work = SessionWorker(inline=True)
    session.close()


@pytest.mark.parametrize("scheme", COLOURS)
def test_heat_colours_keep_a_contrast_of_4_5(scheme: str) -> None:
    """Source: WCAG 2.2, 1.4.3."""
    colours = COLOURS[scheme]
    warmest_colour = [
        MAX_HEAT_OPACITY * accent + (1 - MAX_HEAT_OPACITY) * surface
        for accent, surface in zip(list_channels(colours.accent), list_channels(colours.surface), strict=True)
    ]
    darker, lighter = sorted((compute_luminance(warmest_colour), compute_luminance(list_channels(colours.text))))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def list_channels(colour: str) -> list[float]:
    return [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]


def compute_luminance(channels: list[float]) -> float:
    linear = [
        channel / 12.92 if channel <= 0.03928 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# --- stage panel


@pytest.fixture
def stage_panel(window: Window) -> StagePanel:
    """Return the open panel of a prize-aware stage."""
    session = window.session
    stage = session.index.stages(A)[0]
    session.do(partial(commands.edit_stage, stage=stage.id, system="prize"))
    window.show_page("tournament")
    panel = StagePanel(session, stage.id)
    window.open_panel(panel)
    return panel


def get_saved_settings(stage_panel: StagePanel) -> PrizePairingSettings:
    return stage_panel.session.index.stages(A)[0].settings.contention


def test_stage_panel_asks_for_prize_aware_settings(stage_panel: StagePanel) -> None:
    hopefulness_field, spread_field = (
        stage_panel.get_field_widget("hopefulness"),
        stage_panel.get_field_widget("gibson_spread"),
    )
    assert hopefulness_field.isVisibleTo(stage_panel)
    assert hopefulness_field.text() == "10 10 5 2 1"
    hopefulness_field.selectAll()
    QTest.keyClicks(hopefulness_field, "12,5 5")
    spread_field.selectAll()
    QTest.keyClicks(spread_field, "300")
    stage_panel.get_field_widget("top_down_byes").setChecked(True)
    stage_panel.save_stage()

    assert get_saved_settings(stage_panel) == replace(
        PrizePairingSettings(), hopefulness=(125, 50), gibson_spread=(300,), top_down_byes=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("share", ["", "x", "0", "101", "1/0"])
def test_stage_panel_refuses_an_invalid_share(stage_panel: StagePanel, share: str) -> None:
    stage_panel.get_field_widget("hopefulness").setText(share)
    stage_panel.save_stage()

    assert get_saved_settings(stage_panel) == PrizePairingSettings()
    assert stage_panel.get_field_widget("hopefulness").hasFocus()


@pytest.mark.slow
def test_chances_view_has_its_own_help_topic(window: Window) -> None:
    open_chances_view(window)

    assert window.page.get_help_topic() == "chances"


@pytest.mark.slow
def test_chances_view_tells_namesakes_apart(window: Window) -> None:
    session = window.session
    players = session.index.players(A)[:2]
    for player in players:
        session.do(partial(commands.edit_player, player=player.id, name="Twin, Tom", club=""))
    names = list_column_texts(open_chances_view(window), "name")
    assert {f"Twin, Tom ({player.number})" for player in players} <= {*names}
