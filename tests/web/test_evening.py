"""The pages, overlays and exports of a club during an evening, when some members have not come."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.exchange import exports
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.forecast import compute_forecast
from tdapp.web.overlays import OVERLAYS
from tests.building import DIVISION, RESOURCES, enter_results, make_event, pair_rounds
from tests.web.running_server import Served, served

LINK = re.compile(r'href="([a-z0-9-]+\.html)"')


def ids(*numbers: int) -> tuple[PlayerId, ...]:
    return tuple(PlayerId(f"p{number}") for number in numbers)


def list_states() -> Iterator[Tournament]:
    """Yield a second evening: before it, with its first game paired and played, and with late members."""
    value = commands.edit_event(make_event(10, rounds=3), date="2026-09-01")
    value = commands.begin_evening(value, key="e1", division=DIVISION, date="2026-09-01")
    value = pair_rounds(commands.check_in(value, players=ids(1, 2, 3, 4)), times=2)
    value = commands.begin_evening(value, key="e2", division=DIVISION, date="2026-09-08")
    yield value
    value = pair_rounds(commands.check_in(value, players=ids(4, 5, 6, 7, 8)), results=False)
    yield value
    value = commands.check_in(enter_results(value), players=ids(1, 9))
    yield value
    yield pair_rounds(value, results=False)


def read_all_pages(served: Served) -> int:
    visited, waiting = set[str](), {"index.html"}
    while waiting - visited:
        page = (waiting - visited).pop()
        visited.add(page)
        answer = served.client().get(page)
        assert answer.status_code == 200, page
        waiting |= set(LINK.findall(answer.text))
    return len(visited)


@pytest.mark.slow
def test_pages_and_overlays_of_an_evening() -> None:
    assert len([*list_states()]) == 4
    for value in list_states():
        with served(value) as server:
            for kind in OVERLAYS:
                for query in ("", "?table=1", "?player=10"):
                    assert server.client().get(f"overlay/{kind}{query}").status_code == 200, kind
            assert read_all_pages(server) > 10


@pytest.mark.slow
def test_exports_of_an_evening(tmp_path: Path) -> None:
    catalogue, names = Catalogue("en", RESOURCES / "locale"), exports.EXPORTS.keys() - {"ics"}
    for value in list_states():
        for name in names:
            exports.save_export(tmp_path / name, exports.write_export(name, Index(value), "A", None, catalogue))
    assert {path.name for path in tmp_path.iterdir()} == names


def test_chances_of_an_evening_are_refused() -> None:
    assert len([*list_states()]) == 4
    for value in list_states():
        with pytest.raises(RuleViolation, match="chances-in-evening"):
            compute_forecast(Index(value), DIVISION)
