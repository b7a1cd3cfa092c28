"""Tests of rating lists: reading, the rating library, and lists of season ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Player, PlayerId
from tdapp.domain.player_fields import EMPTY_VALUES, LIST_FIELDS
from tdapp.domain.tables.seasons import RatingListRow, make_rating_list_table
from tdapp.exchange import player_lists, rating_lists
from tdapp.exchange.rating_lists import (
    RatingLibrary,
    RatingList,
    encode_season_ratings_csv,
    encode_season_ratings_json,
)
from tests.building import DIVISION, make_event
from tests.domain.test_season_ratings import ELO, make_club_of_three
from tests.domain.test_seasons import SEASON
from tests.exchange.archives import FILES

LIST = RatingList("NSF", "2026-11-01", (PlayerEntry(None, "Ås, Zoë", 1500, member="7", club="X"),))


ZOE, ADA = ("Ås, Zoë", "", 1500), ("Li, Ada", "", 1400)
MEMBER = ("Ås, Zoë", "7", 1500)
STORED_START = '{"format": "tdapp-ratings", "source": "", "date": "", "players": '


@pytest.mark.parametrize(
    ("text", "names", "skipped_lines"),
    [
        ("name;member;rating\nÅs, Zoë;7;1500\nLi, Ada;;\nBad;;x\n", [MEMBER], 2),
        ("Ås, Zoë:7  1500\n# remark\nLi, Ada 1400 12 20260101\n\n???\n", [MEMBER, ADA], 1),
        ("Ås, Zoë\t1500\nLi, Ada\t1400\n", [ZOE, ADA], 0),
        ("Ås, Zoë 1500 2; 400\nLi, Ada 1400 1; 300\n", [ZOE, ADA], 0),
    ],
)
def test_read_ratings_reads_tables_and_lines(
    text: str, names: list[tuple[str, str, int]], skipped_lines: int
) -> None:
    rating_list = rating_lists.read_rating_list(text.encode(), "NSF 2026-11-01.txt")
    assert [(player.name, player.member, player.rating) for player in rating_list.players] == names
    assert (rating_list.source, rating_list.date, rating_list.invalid_line_count) == (
        "NSF 2026-11-01",
        "2026-11-01",
        skipped_lines,
    )


def test_read_ratings_reads_a_spreadsheet() -> None:
    rating_list = rating_lists.read_rating_list(
        (FILES / "players-libreoffice.xlsx").read_bytes(), "list 20261301 20260131.xlsx"
    )
    assert [(player.name, player.rating, player.number) for player in rating_list.players] == [
        ("van den Berg, Cécile", 1512, None),
        ("Ødegård, Frode", 1498, None),
        ("Łukasz, Ada", 1433, None),
    ]
    assert (rating_list.date, rating_list.invalid_line_count) == ("2026-01-31", 2)


@pytest.mark.parametrize(
    "text", ["name;club\nA;B\n", "round,table,score1,score2\n1,1,2,3\n", "Dear director\n", "{}"]
)
def test_read_ratings_refuses_other_files(text: str) -> None:
    with pytest.raises(InputError) as error_info:
        rating_lists.read_rating_list(text.encode(), "a.txt")
    assert error_info.value.source == "a.txt"


def test_rating_library_lists_newest_first_and_replaces_by_name(tmp_path: Path) -> None:
    library = RatingLibrary(tmp_path / "ratings")
    assert library.list_stored_rating_lists() == ()
    library.add_rating_list(replace(LIST, date="2025-01-01"))
    library.add_rating_list(replace(LIST, source="Other", date="2026-01-01"))
    path = library.add_rating_list(LIST)
    assert [stored_lists.rating_list for stored_lists in library.list_stored_rating_lists()] == [
        LIST,
        replace(LIST, source="Other", date="2026-01-01"),
    ]
    path.write_text("{")
    assert [stored_lists.rating_list is None for stored_lists in library.list_stored_rating_lists()] == [
        False,
        True,
    ]
    library.remove_rating_list(path)
    assert len(library.list_stored_rating_lists()) == 1
    with pytest.raises(InputError, match="file-unwritable"):
        library.remove_rating_list(path)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"format": "tdapp-ratings"}',
        f"{STORED_START}[3]}}",
        STORED_START + '[{"name": 3}]}',
        "\x00",
        "[" * 100_000,
    ],
)
def test_rating_library_lists_a_damaged_file_without_contents(tmp_path: Path, text: str) -> None:
    (tmp_path / f"a{rating_lists.SUFFIX}").write_text(text)
    (stored_lists,) = RatingLibrary(tmp_path).list_stored_rating_lists()
    assert stored_lists.rating_list is None


def test_index_names_uses_the_first_of_several_lists() -> None:
    older_list = replace(
        LIST, date="2025-01-01", players=(replace(LIST.players[0], rating=1), PlayerEntry(None, "B", 2))
    )
    players = rating_lists.map_players_by_name([LIST, older_list])
    assert {name: (player.rating, rating_list.date) for name, (player, rating_list) in players.items()} == {
        "Ås, Zoë": (1500, "2026-11-01"),
        "B": (2, "2025-01-01"),
    }


def test_select_division_returns_players_of_the_tournament() -> None:
    player_ = Player(PlayerId("p"), DivisionId("d"), 1, "AS ZOE")
    two_players = replace(LIST, players=(*LIST.players, PlayerEntry(None, "Other, One", 1400)))
    lists = rating_lists.make_player_list_with_ratings(two_players, (player_,))
    assert lists.source == "NSF (2026-11-01)"
    assert lists.sheets[0].grid.rows[1:] == ((2, ("Ås, Zoë", "1500", "7")),)


def make_rating_list_rows() -> tuple[RatingListRow, ...]:
    """Return the rating list of two evenings, with a value in each field."""
    value = make_club_of_three()
    fields: dict[str, Any] = {
        name: {int: 48, bool: True}.get(type(EMPTY_VALUES[name]), f"{name} É-1")
        for field_ in LIST_FIELDS
        if field_.is_in_rating_lists and (name := field_.name) not in {"rating", "rated_games"}
    }
    first = replace(value.players[PlayerId("p1")], **fields, rated_games=48)
    value = value.put(first, replace(value.players[PlayerId("p2")], rated_games=0))
    return make_rating_list_table(TournamentIndex(value), value.seasons[SEASON], ELO).rows


def get_rating_list_fields(player: PlayerEntry | Player) -> dict[str, object]:
    return {"name": player.name} | {
        field.name: getattr(player, field.name) for field in LIST_FIELDS if field.is_in_rating_lists
    }


@pytest.mark.parametrize("as_json", [False, True])
def test_season_rating_list_round_trip(as_json: bool) -> None:
    rows = make_rating_list_rows()
    csv, document = (
        encode_season_ratings_csv(rows, "2026-10-08"),
        encode_season_ratings_json(rows, "Autumn", "2026-10-08", "elo"),
    )
    rating_list = rating_lists.read_rating_list(document if as_json else csv, "list-2026-10-08.csv")
    assert (rating_list.date, rating_list.invalid_line_count) == ("2026-10-08", 0)
    expected = [
        get_rating_list_fields(replace(row.player, rating=row.line.rating, rated_games=row.line.total_game_count))
        for row in rows
    ]
    assert [get_rating_list_fields(player) for player in rating_list.players] == expected
    assert expected[0]["rated_games"] == 49


def test_season_rating_list_imports_players_into_a_new_tournament() -> None:
    rows = make_rating_list_rows()
    entries = player_lists.read_players(
        encode_season_ratings_csv(rows, "2026-10-08"), "list.csv"
    ).get_players_or_refuse()
    value = commands.import_players(make_event(0), key="k", division=DIVISION, entries=entries)
    expected = [replace(row.player, rating=row.line.rating, rated_games=row.line.total_game_count) for row in rows]
    players = value.players.values()
    assert [get_rating_list_fields(player) for player in players] == [
        get_rating_list_fields(player) for player in expected
    ]
    assert [player.number for player in players] == [player.number for player in expected]


def test_season_rating_list_has_rank_games_change_and_date() -> None:
    """B loses 10 points, then 14.8 points against C. The first rating of C is 1309."""
    lines = encode_season_ratings_csv(make_rating_list_rows(), "2026-10-08").decode("utf-8-sig").splitlines()
    cells = [dict(zip(lines[0].split(";"), line.split(";"), strict=True)) for line in lines[1:]]
    names = ("rank", "name", "rating", "games", "change", "last_played", "date")
    assert [tuple(cell[name] for name in names) for cell in cells] == [
        ("1", "A", "1510", "1", "10", "2026-10-01", "2026-10-08"),
        ("2", "B", "1475", "2", "-25", "2026-10-08", "2026-10-08"),
        ("3", "C", "1324", "2", "", "2026-10-08", "2026-10-08"),
    ]
