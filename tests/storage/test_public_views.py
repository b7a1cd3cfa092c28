"""A display on a server reads exactly the data that `domain.publishing` makes public."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.jury_rows import Sanction, SanctionId
from tdapp.domain.model import ListedRecord, NamesShown, Photo, PlayerId, RecordKind
from tdapp.domain.publishing import make_public_view
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind
from tdapp.storage import Address, Store
from tests.building import DIVISION, pair_next, pair_rounds
from tests.storage import full_tournament
from tests.storage.postgres import Cluster
from tests.storage.samples import list_stored_rows, state

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
NAMES = (
    "Anna Maria Berg", "Berg, Anna", " Åse  Ø ", "Plato", "Berg, ", ", Anna", "Anna Bauer", "Last, First, Second",
)  # fmt: skip
PRIVATE = "nobody is to read it"


def tournament() -> Tournament:
    """Rows of every kind, a draft, names in every form, and private notes."""
    value = pair_rounds(full_tournament.beginning(), times=1)
    players = [
        replace(row, name=name, notes=PRIVATE, member=PRIVATE, club="Club", country="NO")
        for row, name in zip(value.players.values(), NAMES, strict=False)
    ]
    renamed = replace(players[2], shown_as="The Fox")
    late_sanction = Sanction(SanctionId("z"), PlayerId("p1"), 2, SanctionKind.POINTS, 5, PRIVATE, PRIVATE)
    disputed = replace(next(iter(value.results.values())), disputed=(707, 303))
    expected = (
        ListedRecord(RecordKind.STREAK, 9, PRIVATE, "2010", "Club"),
        ListedRecord(RecordKind.HIGH_GAME, 8, "é"),
    )
    value = commands.keep_records(value, records=expected).put(Photo(renamed.id, "/9j/d29ybGQ="))
    value = commands.add_division(value.put(*players, renamed, late_sanction, disputed), key="d2", code="b")
    return commands.add_player(value, key="q1", division="d2", name="Anna Bauer")  # type: ignore[arg-type]


def draft(desk: Desk) -> None:
    pair_next(desk)
    last = max(desk.tournament.rounds.values(), key=lambda item: item.number)
    assert last.number == 3
    drafted = replace(last, state=type(last.state).DRAFT)
    desk.do(lambda value: value.put(drafted), label="edit-event")


@pytest.fixture
def director(database: Address) -> Iterator[Desk]:
    with closing(Desk.create(database, tournament())) as desk:
        draft(desk)
        desk.store.server.grant_login(f"wall_{database.stem}", Role.DISPLAY, "open")
        yield desk


@pytest.mark.parametrize("names", NamesShown)
@pytest.mark.parametrize("details", [True, False])
@pytest.mark.parametrize("held", [None, 0, 1])
def test_public_views_show_a_display_the_public_data(
    director: Desk, cluster: Cluster, database: Address, names: NamesShown, details: bool, held: int | None
) -> None:
    event = replace(director.tournament.event, names_shown=names, details_shown=details, slip_key=PRIVATE)
    division = replace(director.tournament.divisions[DIVISION], held_after=held)
    director.do(lambda value: value.put(event, division), label="edit-event")
    with closing(Store.open(cluster.address(database.stem, f"wall_{database.stem}", "open"))) as display:
        assert list_stored_rows(display) == state(make_public_view(director.tournament))
        assert PRIVATE not in str(list_stored_rows(display))
        assert "707" not in str(list_stored_rows(display))
        assert display.read_journal() == []
        assert display.find_damage() == []
        assert display.load()[0].secret == ""


def test_public_views_of_public_data_change_nothing() -> None:
    for names in NamesShown:
        value = tournament()
        public = make_public_view(value.put(replace(value.event, names_shown=names)))
        assert state(make_public_view(public)) == state(public)


def test_public_views_follow_a_change(director: Desk, cluster: Cluster, database: Address) -> None:
    with closing(Desk.open(cluster.address(database.stem, f"wall_{database.stem}", "open"))) as display:
        seen_rows: list[object] = []
        display.add_listener(seen_rows.append)
        director.do(partial(commands.edit_event, name="Later"))
        display.read_store_changes()
        assert display.tournament.event.name == "Later"
        assert len(seen_rows) == 1


@pytest.mark.parametrize("role", [Role.ENTRY, Role.JURY, Role.DIRECTOR])
def test_secret_is_readable_only_by_the_owner(
    director: Desk, cluster: Cluster, database: Address, role: Role
) -> None:
    director.store.server.grant_login(f"{role}_{database.stem}", role, "open")
    with closing(Store.open(cluster.address(database.stem, f"{role}_{database.stem}", "open"))) as station:
        assert station.load()[0].secret == ""
        assert list_stored_rows(station) == list_stored_rows(director.store)
    assert len(director.tournament.secret) == 32
