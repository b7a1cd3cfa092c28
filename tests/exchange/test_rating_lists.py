"""Rating lists: tables and lines, kept and read again, one spoilt file beside good ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.domain.model import DivisionId, Player, PlayerId
from tdapp.exchange import rating_lists
from tdapp.exchange.rating_lists import RatingLibrary, RatingList
from tests.exchange.archives import FILES

LIST = RatingList("NSF", "2026-11-01", (PlayerEntry(None, "Ås, Zoë", 1500, member="7", club="X"),))


ZOE, ADA = ("Ås, Zoë", "", 1500), ("Li, Ada", "", 1400)
MEMBER = ("Ås, Zoë", "7", 1500)
KEPT = '{"format": "tdapp-ratings", "source": "", "date": "", "players": '


@pytest.mark.parametrize(
    ("text", "names", "skipped"),
    [
        ("name;member;rating\nÅs, Zoë;7;1500\nLi, Ada;;\nBad;;x\n", [MEMBER], 2),
        ("Ås, Zoë:7  1500\n# remark\nLi, Ada 1400 12 20260101\n\n???\n", [MEMBER, ADA], 1),
        ("Ås, Zoë\t1500\nLi, Ada\t1400\n", [ZOE, ADA], 0),
        ("Ås, Zoë 1500 2; 400\nLi, Ada 1400 1; 300\n", [ZOE, ADA], 0),
    ],
)
def test_read_ratings_reads_tables_and_lines(text: str, names: list[tuple[str, str, int]], skipped: int) -> None:
    found = rating_lists.read_ratings(text.encode(), "NSF 2026-11-01.txt")
    assert [(one.name, one.member, one.rating) for one in found.players] == names
    assert (found.source, found.date, found.skipped) == ("NSF 2026-11-01", "2026-11-01", skipped)


def test_read_ratings_reads_a_spreadsheet() -> None:
    found = rating_lists.read_ratings(
        (FILES / "players-libreoffice.xlsx").read_bytes(), "list 20261301 20260131.xlsx"
    )
    assert [(one.name, one.rating, one.number) for one in found.players] == [
        ("van den Berg, Cécile", 1512, None),
        ("Ødegård, Frode", 1498, None),
        ("Łukasz, Ada", 1433, None),
    ]
    assert (found.date, found.skipped) == ("2026-01-31", 2)


@pytest.mark.parametrize(
    "text", ["name;club\nA;B\n", "round,table,score1,score2\n1,1,2,3\n", "Dear director\n", "{}"]
)
def test_read_ratings_refuses_other_files(text: str) -> None:
    with pytest.raises(InputError) as caught:
        rating_lists.read_ratings(text.encode(), "a.txt")
    assert caught.value.source == "a.txt"


def test_rating_library_lists_newest_first_and_replaces_by_name(tmp_path: Path) -> None:
    library = RatingLibrary(tmp_path / "ratings")
    assert library.list_stored() == ()
    library.add_list(replace(LIST, date="2025-01-01"))
    library.add_list(replace(LIST, source="Other", date="2026-01-01"))
    path = library.add_list(LIST)
    assert [kept.list for kept in library.list_stored()] == [
        LIST,
        replace(LIST, source="Other", date="2026-01-01"),
    ]
    path.write_text("{")
    assert [kept.list is None for kept in library.list_stored()] == [False, True]
    library.remove_list(path)
    assert len(library.list_stored()) == 1
    with pytest.raises(InputError, match="file-unwritable"):
        library.remove_list(path)


@pytest.mark.parametrize(
    "text",
    ["[]", "{}", '{"format": "tdapp-ratings"}', f"{KEPT}[3]}}", KEPT + '[{"name": 3}]}', "\x00", "[" * 100_000],
)
def test_rating_library_lists_a_damaged_file_without_contents(tmp_path: Path, text: str) -> None:
    (tmp_path / f"a{rating_lists.SUFFIX}").write_text(text)
    (kept,) = RatingLibrary(tmp_path).list_stored()
    assert kept.list is None


def test_index_names_uses_the_first_of_several_lists() -> None:
    older = replace(
        LIST, date="2025-01-01", players=(replace(LIST.players[0], rating=1), PlayerEntry(None, "B", 2))
    )
    found = rating_lists.make_name_index([LIST, older])
    assert {name: (player.rating, of.date) for name, (player, of) in found.items()} == {
        "Ås, Zoë": (1500, "2026-11-01"),
        "B": (2, "2025-01-01"),
    }


def test_select_division_returns_players_of_the_tournament() -> None:
    here = Player(PlayerId("p"), DivisionId("d"), 1, "AS ZOE")
    both = replace(LIST, players=(*LIST.players, PlayerEntry(None, "Other, One", 1400)))
    lists = rating_lists.select_division(both, (here,))
    assert lists.source == "NSF (2026-11-01)"
    assert lists.sheets[0].grid.rows[1:] == ((2, ("Ås, Zoë", "1500", "7")),)
