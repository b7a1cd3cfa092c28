"""Benchmarks of the web pages of a large tournament: all pages for a folder, and one page after a change."""

from __future__ import annotations

from functools import partial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing.sample_events import play_tournament
from tdapp.storage import Store
from tdapp.web.site import Site, Templates
from tests.building import RESOURCES, load_rule_set

pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def large_tournament() -> Tournament:
    value = commands.new_tournament(key="b", name="Large", ruleset=load_rule_set())
    desk = Desk(Store.create_in_memory(value))
    play_tournament(desk.do, lambda: desk.index, players=300, rounds=12, key=desk.make_row_id)
    value = desk.tournament
    desk.close()
    return value


def write_pages(value: Tournament) -> int:
    return sum(1 for _ in make_site(value).make_all_files())


def make_site(value: Tournament) -> Site:
    return Site(value, Catalogue("en", RESOURCES / "locale"), Templates(RESOURCES / "site"))


def make_page(value: Tournament, name: str) -> bytes:
    return make_site(value).make_file_content(name)


def test_site_pages_of_300_players_and_12_rounds(
    benchmark: BenchmarkFixture, large_tournament: Tournament
) -> None:
    assert benchmark(write_pages, large_tournament) > 340


@pytest.mark.parametrize("page", ["a-round.html", "a-standings.html"])
def test_site_page_after_a_change(benchmark: BenchmarkFixture, large_tournament: Tournament, page: str) -> None:
    assert benchmark(partial(make_page, large_tournament, page))
