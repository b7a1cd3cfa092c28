"""Tests of player photos: commands, file matching and the public view."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import PlayerId, PublicNameFormat
from tdapp.domain.photos import decode_jpeg_or_empty, match_photo_files
from tdapp.domain.publishing import make_public_view
from tdapp.domain.tournament import Tournament, compute_diff, find_inconsistent_rows
from tests.building import DIVISION, make_desk, make_event, pair_rounds

PHOTO, OTHER_PHOTO = "/9j/aGVsbG8=", "/9j/d29ybGQ="
FIRST_ID, SECOND_ID = PlayerId("p1"), PlayerId("p2")


def add_photos(value: Tournament, *players: PlayerId) -> Tournament:
    return commands.set_photos(value, photos=tuple((player, PHOTO) for player in players))


def test_set_photos_changes_only_its_own_rows() -> None:
    value = add_photos(make_event(4), FIRST_ID, SECOND_ID)
    assert [decode_jpeg_or_empty(row.data) for row in value.photos.values()] == [b"\xff\xd8\xffhello"] * 2
    edited_tournament = commands.edit_player(value, player=FIRST_ID, club="C")
    assert [item.kind for item in compute_diff(value, edited_tournament)] == ["players"]
    assert set(commands.remove_photos(value, players=(FIRST_ID, PlayerId("p3"))).photos) == {SECOND_ID}


@pytest.mark.parametrize(
    ("data", "code"),
    [("hello", "photo-unreadable"), ("aGVsbG8=", "photo-unreadable"), ("/9j/" * 5000, "photo-too-large")],
)
def test_set_photos_refuses_other_content(data: str, code: str) -> None:
    with pytest.raises(CommandError, match=code):
        commands.set_photos(make_event(4), photos=((FIRST_ID, data),))


def test_set_photos_step_names_players_and_can_be_undone() -> None:
    open_desk = make_desk(make_event(4))
    open_desk.do(partial(commands.set_photos, photos=((FIRST_ID, PHOTO),)))
    open_desk.do(partial(commands.set_photos, photos=((FIRST_ID, OTHER_PHOTO), (SECOND_ID, OTHER_PHOTO))))
    assert open_desk.undoable_step is not None
    assert open_desk.undoable_step.facts == {"count": 2, "player": "P1; P2"}
    open_desk.undo()
    assert {key: row.data for key, row in open_desk.tournament.photos.items()} == {FIRST_ID: PHOTO}


def test_move_players_keeps_photos() -> None:
    value = add_photos(pair_rounds(make_event(4)), FIRST_ID)
    assert not commands.remove_player(add_photos(make_event(4), FIRST_ID), player=FIRST_ID).photos
    two_divisions = commands.add_division(value, key="e", code="B")
    moved_tournament = commands.move_players(two_divisions, key="m", players=(FIRST_ID,), division="e")  # type: ignore[arg-type]
    assert set(moved_tournament.photos) == {FIRST_ID, "m.1"}


@pytest.mark.parametrize("has_own_photo", [(SECOND_ID,), (FIRST_ID, SECOND_ID)])
def test_merge_players_keeps_one_photo(has_own_photo: tuple[PlayerId, ...]) -> None:
    value = commands.set_photos(
        make_event(4),
        photos=tuple((player, PHOTO if player == FIRST_ID else OTHER_PHOTO) for player in has_own_photo),
    )
    merged_tournament = commands.merge_players(value, player=FIRST_ID, other=SECOND_ID)
    assert {key: row.data for key, row in merged_tournament.photos.items()} == {
        FIRST_ID: PHOTO if FIRST_ID in has_own_photo else OTHER_PHOTO
    }
    assert not list(find_inconsistent_rows(merged_tournament))


def test_match_photo_files_by_number_member_number_or_name() -> None:
    value = commands.add_division(make_event(4), key="e", code="B")
    value = commands.add_player(value, key="q", division="e", name="Berg, Åse", member="NOR-77")  # type: ignore[arg-type]
    value = commands.edit_player(value, player=FIRST_ID, name="Li, Jan", member="4711")
    value = commands.edit_player(value, player=SECOND_ID, name="Jan Li")
    match = match_photo_files(
        TournamentIndex(value),
        DIVISION,
        ["003.jpg", "4711.png", "B1.jpg", "ase berg.jpg", "jan_li.jpg", "x.jpg", "nor 77.jpg"],
    )
    assert match.players == {"003.jpg": "p3", "4711.png": "p1", "B1.jpg": "q"}
    assert match.unknown == ("x.jpg",)
    assert match.ambiguous == ("jan_li.jpg",)
    assert match.duplicates == ("ase berg.jpg", "nor 77.jpg")


@pytest.mark.parametrize(
    ("changes", "expected_count"),
    [
        ({}, {FIRST_ID}),
        ({"details_shown": False}, set()),
        ({"names_shown": PublicNameFormat.INITIAL}, set()),
        ({"names_shown": PublicNameFormat.NUMBER}, set()),
    ],
)
def test_make_public_view_has_photos_with_names_and_details(
    changes: dict[str, object], expected_count: set[PlayerId]
) -> None:
    value = commands.edit_player(
        add_photos(make_event(4), FIRST_ID, SECOND_ID), player=SECOND_ID, shown_as="The Fox"
    )
    value = value.put(replace(value.event, **changes))
    assert set(make_public_view(value).photos) == expected_count
