"""The window keeps still: places and columns stay where they are, whatever comes in."""

from __future__ import annotations

from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from tdapp.domain import commands
from tdapp.gui.shell.bars import PageButton
from tdapp.gui.shell.session import Session
from tdapp.gui.shell.window import Window
from tdapp.gui.widgets.table_view import TableView
from tdapp.pairing import propose
from tests.gui.samples import A, desk_on, tournament
from tests.gui.windows import shown


def places(window: Window) -> dict[str, int]:
    """Return where each page's button is, those that are seen."""
    return {one.text(): one.y() for one in window.findChildren(PageButton) if one.isVisible()}


def widths(window: Window) -> dict[str, int]:
    """Return the widths of the columns of the first table on the page that is shown."""
    view = next(one for one in window.page.findChildren(TableView) if one.isVisible())
    return {name: view.columnWidth(place) for place, name in enumerate(view.rows.column_ids())}


def pair(session: Session, number: int) -> None:
    session.do(partial(commands.pair_round, key=f"r{number}", proposal=propose(session.index, A)))


def enter_all(session: Session, points: int = 400) -> None:
    item = session.index.rounds(A)[-1]
    for place, game in enumerate(session.index.games(item.id)):
        enter = partial(commands.enter_result, game=game.id, first=points + place, second=300)
        session.do(enter)


def test_no_page_comes_or_goes(empty: Session, qtbot: QtBot) -> None:
    empty.attach(desk_on(tournament(players=8)))
    window = shown(empty, qtbot, "rounds")
    before = places(window)
    assert len(before) == 10
    pair(empty, 1)
    assert places(window) == before
    empty.do(partial(commands.edit_stage, stage=empty.index.stages(A)[0].id, rounds=3))
    assert places(window) == before


@pytest.mark.parametrize("place", ["rounds", "standings"])
@pytest.mark.parametrize("width", [1280, 1920])
def test_columns_are_as_wide_before_the_first_result_as_after(
    empty: Session, qtbot: QtBot, place: str, width: int
) -> None:
    empty.attach(desk_on(tournament(players=8)))
    window = shown(empty, qtbot, place)
    window.resize(width, 720)
    pair(empty, 1)
    before = widths(window)
    enter_all(empty)
    assert widths(window) == before
    games = empty.index.games(empty.index.rounds(A)[-1].id)
    empty.do(partial(commands.check_results, games=tuple(one.id for one in games)))
    assert widths(window) == before
    pair(empty, 2)
    enter_all(empty, 1100)
    assert widths(window) == before
