"""Tests of pages, overlays and exports during a club evening with absent members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.forecast import compute_forecast
from tdapp.web.overlays import OVERLAYS
from tests.building import DIVISION, RESOURCES, enter_results, make_event, pair_rounds
from tests.web.running_server import RunningServer, run_server

LINK = re.compile(r'href="([a-z0-9-]+\.html)"')


def make_player_ids(*numbers: int) -> tuple[PlayerId, ...]:
    return tuple(PlayerId(f"p{number}") for number in numbers)


def make_evening_stages() -> Iterator[Tournament]:
    """Yield four stages of a second evening: before pairing, game 1 paired, late members, game 2 paired."""
    tournament = commands.edit_event(make_event(10, rounds=3), date="2026-09-01")
    tournament = commands.begin_evening(tournament, key="e1", division=DIVISION, date="2026-09-01")
    tournament = pair_rounds(commands.check_in(tournament, players=make_player_ids(1, 2, 3, 4)), times=2)
    tournament = commands.begin_evening(tournament, key="e2", division=DIVISION, date="2026-09-08")
    yield tournament
    tournament = pair_rounds(commands.check_in(tournament, players=make_player_ids(4, 5, 6, 7, 8)), results=False)
    yield tournament
    tournament = commands.check_in(enter_results(tournament), players=make_player_ids(1, 9))
    yield tournament
    yield pair_rounds(tournament, results=False)


def read_all_pages(server: RunningServer) -> int:
    visited_pages, pending_pages = set[str](), {"index.html"}
    while pending_pages - visited_pages:
        page = (pending_pages - visited_pages).pop()
        visited_pages.add(page)
        answer = server.make_client().get(page)
        assert answer.status_code == 200, page
        pending_pages |= set(LINK.findall(answer.text))
    return len(visited_pages)


@pytest.mark.slow
def test_server_pages_and_overlays_work_during_an_evening() -> None:
    assert len([*make_evening_stages()]) == 4
    for tournament in make_evening_stages():
        with run_server(tournament) as server:
            for kind in OVERLAYS:
                for query in ("", "?table=1", "?player=10"):
                    assert server.make_client().get(f"overlay/{kind}{query}").status_code == 200, kind
            assert read_all_pages(server) > 10


@pytest.mark.slow
def test_exports_work_during_an_evening(tmp_path: Path) -> None:
    catalogue, names = Catalogue("en", RESOURCES / "locale"), exports.EXPORTS.keys() - {"ics"}
    for tournament in make_evening_stages():
        for name in names:
            exports.save_export(
                tmp_path / name,
                exports.make_export_content(name, TournamentIndex(tournament), "A", None, catalogue),
            )
    assert {path.name for path in tmp_path.iterdir()} == names


def test_compute_chances_refuses_an_evening() -> None:
    assert len([*make_evening_stages()]) == 4
    for tournament in make_evening_stages():
        with pytest.raises(CommandError, match="chances-in-evening"):
            compute_forecast(TournamentIndex(tournament), DIVISION)
