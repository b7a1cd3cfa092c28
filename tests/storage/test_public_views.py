"""Tests of public views: a display on a server reads exactly the public data of `domain.publishing`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.jury_rows import Sanction, SanctionId
from tdapp.domain.model import AchievementKind, AchievementRecord, Photo, PlayerId, PublicNameFormat
from tdapp.domain.publishing import make_public_view
from tdapp.domain.roles import Role
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.sheet import SanctionKind
from tdapp.storage import Address, Store
from tests.building import DIVISION, pair_next, pair_rounds
from tests.storage import full_tournament
from tests.storage.postgres import Cluster
from tests.storage.samples import list_stored_rows, list_tournament_rows

pytest.importorskip("psycopg", reason="the driver psycopg is not installed (extra: stations)")
NAMES = (
    "Anna Maria Berg", "Berg, Anna", " Åse  Ø ", "Plato", "Berg, ", ", Anna", "Anna Bauer", "Last, First, Second",
)  # fmt: skip
PRIVATE = "a private note"


def make_private_tournament() -> Tournament:
    """Return a tournament with rows of every kind, a draft, names in every form, and private notes."""
    value = pair_rounds(full_tournament.build_full_tournament(), times=1)
    players = [
        replace(row, name=name, notes=PRIVATE, member=PRIVATE, club="Club", country="NO")
        for row, name in zip(value.players.values(), NAMES, strict=False)
    ]
    renamed_player = replace(players[2], shown_as="The Fox")
    late_sanction = Sanction(SanctionId("z"), PlayerId("p1"), 2, SanctionKind.POINTS, 5, PRIVATE, PRIVATE)
    disputed_result = replace(next(iter(value.results.values())), disputed=(707, 303))
    records = (
        AchievementRecord(AchievementKind.STREAK, 9, PRIVATE, "2010", "Club"),
        AchievementRecord(AchievementKind.HIGH_GAME, 8, "é"),
    )
    value = commands.keep_records(value, records=records).put(Photo(renamed_player.id, "/9j/d29ybGQ="))
    value = commands.add_division(
        value.put(*players, renamed_player, late_sanction, disputed_result), key="d2", code="b"
    )
    return commands.add_player(value, key="q1", division="d2", name="Anna Bauer")  # type: ignore[arg-type]


def pair_draft_round(desk: Desk) -> None:
    pair_next(desk)
    last = max(desk.tournament.rounds.values(), key=lambda item: item.number)
    assert last.number == 3
    draft_round = replace(last, state=type(last.state).DRAFT)
    desk.do(lambda value: value.put(draft_round), label="edit-event")


@pytest.fixture
def director(database: Address) -> Iterator[Desk]:
    with closing(Desk.create(database, make_private_tournament())) as desk:
        pair_draft_round(desk)
        desk.store.server.create_login_or_change_role(f"wall_{database.stem}", Role.DISPLAY, "open")
        yield desk


@pytest.mark.parametrize("names", PublicNameFormat)
@pytest.mark.parametrize("details", [True, False])
@pytest.mark.parametrize("held_after", [None, 0, 1])
def test_public_views_show_a_display_the_public_data(
    director: Desk,
    cluster: Cluster,
    database: Address,
    names: PublicNameFormat,
    details: bool,
    held_after: int | None,
) -> None:
    event = replace(director.tournament.event, names_shown=names, details_shown=details, slip_key=PRIVATE)
    division = replace(director.tournament.divisions[DIVISION], held_after=held_after)
    director.do(lambda value: value.put(event, division), label="edit-event")
    with closing(Store.open(cluster.make_address(database.stem, f"wall_{database.stem}", "open"))) as display:
        assert list_stored_rows(display) == list_tournament_rows(make_public_view(director.tournament))
        assert PRIVATE not in str(list_stored_rows(display))
        assert "707" not in str(list_stored_rows(display))
        assert display.read_journal() == []
        assert display.find_damage() == []
        assert display.load_tournament_and_revision()[0].secret == ""


def test_make_public_view_of_public_data_changes_nothing() -> None:
    for names in PublicNameFormat:
        value = make_private_tournament()
        public = make_public_view(value.put(replace(value.event, names_shown=names)))
        assert list_tournament_rows(make_public_view(public)) == list_tournament_rows(public)


def test_public_views_follow_a_change(director: Desk, cluster: Cluster, database: Address) -> None:
    with closing(Desk.open(cluster.make_address(database.stem, f"wall_{database.stem}", "open"))) as display:
        notified_changes: list[object] = []
        display.add_listener(notified_changes.append)
        director.do(partial(commands.edit_event, name="Later"))
        display.apply_changes_of_other_computers()
        assert display.tournament.event.name == "Later"
        assert len(notified_changes) == 1


@pytest.mark.parametrize("role", [Role.ENTRY, Role.JURY, Role.DIRECTOR])
def test_load_shows_the_secret_only_to_the_owner(
    director: Desk, cluster: Cluster, database: Address, role: Role
) -> None:
    director.store.server.create_login_or_change_role(f"{role}_{database.stem}", role, "open")
    with closing(Store.open(cluster.make_address(database.stem, f"{role}_{database.stem}", "open"))) as station:
        assert station.load_tournament_and_revision()[0].secret == ""
        assert list_stored_rows(station) == list_stored_rows(director.store)
    assert len(director.tournament.secret) == 32
