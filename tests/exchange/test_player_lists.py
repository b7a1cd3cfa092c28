"""Tests of player lists: headings, delimiters, encodings, and problems with their lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.domain.entries import PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.exchange import player_lists
from tdapp.exchange.cells import parse_cell_grid
from tdapp.exchange.player_lists import read_players
from tests.exchange.random_divisions import draw_player


def list_problems(text: str) -> list[tuple[int, str, str]]:
    """Return line, field and code of each problem in a list."""
    return [(item.line, item.field, item.code) for item in player_lists.read_players(text.encode()).problems]


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("Name;Rating;Club;Country;Nr", "Ås, Zoë;1500;Bølgen;NO;3"),
        ("nr,rating,naam,vereniging,land", '3,1500,"Ås, Zoë",Bølgen,NO'),
        ("Nr.\tRatingtall\tKlubb\tLand\tNavn", "3\t1500\tBølgen\tNO\tÅs, Zoë"),
        ("#;Verein;Land;Wertungszahl;Nachname;Vorname", "3;Bølgen;NO;1500;Ås;Zoë"),
        ("first name,last_name,no,elo,club,nation", "Zoë,Ås,3,1500,Bølgen,NO"),
        ("sep=;\nnaam;nr;elo;club;land", "Ås, Zoë;3;1500;Bølgen;NO"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_read_players_accepts_columns_in_any_order_language_and_encoding(
    heading: str, row: str, encoding: str, ending: str
) -> None:
    data = f"{heading}\n{row}\n".replace("\n", ending).encode(encoding)
    entry = PlayerEntry(3, "Ås, Zoë", 1500, "Bølgen", "NO")
    assert player_lists.read_players(data).get_players_or_refuse() == (entry,)


def test_read_players_reads_every_column() -> None:
    text = "name;class;team;member id;notes;table;number;shoe size\nA;B;C;D;E;7;2;44\n"
    preview = player_lists.read_players(text.encode())
    assert preview.get_players_or_refuse() == (
        PlayerEntry(2, "A", category="B", team="C", member="D", notes="E", fixed_table=7),
    )
    assert preview.ignored == ("shoe size",)


def test_read_players_reorders_first_names_and_last_names() -> None:
    player_list = player_lists.read_players(b"Voornaam Achternaam;Elo\nJan de Vries;1500\nVos, Ruben;\n")
    assert [entry.name for entry in player_list.get_players_or_refuse()] == ["de Vries, Jan", "Vos, Ruben"]
    cells = parse_cell_grid("Naam\nGriet Van Damme\nAna Garcia Lopez\n", player_lists.COLUMNS_BY_HEADING, "")
    plain_list = player_lists.read_player_grid(cells)
    assert [entry.name for entry in plain_list.entries] == ["Griet Van Damme", "Ana Garcia Lopez"]
    split_list = player_lists.read_player_grid(cells, is_first_name_first=True, country="België")
    assert [entry.name for entry in split_list.get_players_or_refuse()] == [
        "Van Damme, Griet",
        "Lopez, Ana Garcia",
    ]
    assert [(warning.line, warning.field, warning.code) for warning in split_list.warnings] == [
        (3, "name", "name-split-unsure")
    ]


@pytest.mark.parametrize("cell", ["vijftienhonderd", "15oo", "15000", "-5", "1,5000"])
def test_read_players_warns_about_an_unreadable_rating(cell: str) -> None:
    player_list = player_lists.read_players(f"Naam;Rating\nAn;unrated\nBo;{cell}\nCy;-\n".encode())
    assert [entry.rating for entry in player_list.get_players_or_refuse()] == [None, None, None]
    (warning,) = player_list.warnings
    assert (warning.line, warning.field, warning.facts["value"]) == (3, "rating", cell)


def test_read_players_puts_a_prefix_before_the_last_name() -> None:
    (entry,) = player_lists.read_players(b"voornaam;tussenvoegsel;achternaam\nJan;van den;Berg\n").entries
    assert entry.name == "van den Berg, Jan"


def test_read_players_counts_lines_through_quotes_and_blank_lines() -> None:
    preview = player_lists.read_players(b'\nname;notes\n"A";"two\nlines"\n\n;x\nB;\n')
    assert [(entry.line, entry.name, entry.notes) for entry in preview.entries] == [
        (3, "A", "two lines"),
        (6, "", "x"),
        (7, "B", ""),
    ]
    assert [(item.line, item.code) for item in preview.problems] == [(6, "name-missing")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name\nA\nB\na\n", [(4, "name", "duplicate-name")]),
        ("name;nr\nA;1\nB;1\n", [(3, "number", "duplicate-number")]),
        ("name;nr\nA;0\nB;12345\nC;x\n", [(n, "number", "bad-number") for n in (2, 3, 4)]),
        ("name;table\nA;door\n", [(2, "fixed_table", "bad-number")]),
        ("name;rating\nA;1;2\nB;1;;\n", [(2, "", "too-many-cells")]),
        (f"name;notes\n{'x' * 501};{'y' * 501}\n", [(2, "name", "too-long"), (2, "notes", "too-long")]),
        (f"name;club;notes\nA;{'x' * 201};{'y' * 201}\n", [(2, "club", "too-long")]),
        (f"last;first\n{'x' * 150};{'y' * 150}\n", [(2, "name", "too-long")]),
    ],
)
def test_read_players_reports_every_problem_with_its_line(text: str, expected: list[tuple[int, str, str]]) -> None:
    assert list_problems(text) == expected


@pytest.mark.parametrize(
    "heading", ["Rtg", "Elo", "Wertung", "speelsterkte", "Spielstärke", "Styrketall", "Rating"]
)
@pytest.mark.parametrize(("cell", "rating"), [("1500", 1500), ("?", None), ("unrated", None), ("–", None)])
def test_read_players_reads_a_rating_with_any_heading_or_no_rating(
    heading: str, cell: str, rating: int | None
) -> None:
    (entry,) = player_lists.read_players(f"Name;{heading}\nA;{cell}\n".encode()).get_players_or_refuse()
    assert entry.rating == rating


def test_read_players_rounds_ratings_with_decimals() -> None:
    entries = player_lists.read_players(b"name;rating\nA;1500,5\nB;1499.51\nC;999.4\nD;1.500\n").entries
    assert [entry.rating for entry in entries] == [1501, 1500, 999, 1500]


def test_list_accepted_refuses_a_list_with_problems() -> None:
    preview = player_lists.read_players(b"name;table\nA;1x\nB;1\nB;2\n", "list.csv")
    with pytest.raises(InputError) as error_info:
        preview.get_players_or_refuse()
    error = error_info.value
    assert (error.code, error.source, error.line, error.field) == ("bad-number", "list.csv", 2, "fixed_table")
    assert error.facts["others"] == 1
    assert error.facts["problems"] == preview.problems


def test_read_players_frees_the_name_of_a_refused_line() -> None:
    preview = player_lists.read_players(b"name;table\nA;1x\nA;1\n", "list.csv")
    assert [(problem.line, problem.code) for problem in preview.problems] == [(2, "bad-number")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b"\xef\xbb\xbf \r\n", "file-empty"),
        (b"name\x00;rating\n", "file-binary"),
        ("na".encode("utf-16"), "csv-no-header"),
        (b"\xff\xfen\x00a", "file-binary"),
        (b"Jansen, Jan;1500\nBakker, Wim;1400\n", "csv-no-header"),
        (b"rating;club\n1500;A\n", "csv-column-missing"),
        (b"first name;club\nA;B\n", "csv-column-missing"),
        (b"name;naam\nA;B\n", "csv-column-twice"),
        (b"name;rating\n", "csv-no-rows"),
        (b'name;rating\n"A;1500\n', "csv-broken"),
        (b'name;rating\n"A;1500\n"B";1500\n', "csv-broken"),
        (b'name,rating\n"A, B" 1500\n', "csv-no-delimiter"),
        (b"name;rating\n" + b"A;1\n" * 100_000, "too-many-rows"),
        (b"name;" * 1_000_001, "file-too-large"),
        (b"name" + b";x" * 256 + b"\nA\n", "spreadsheet-columns"),
        (b"name\nA" + b";" * 300 + b"x\n", "spreadsheet-columns"),
    ],
)
def test_read_players_refuses_other_files(data: bytes, code: str) -> None:
    with pytest.raises(InputError) as error_info:
        player_lists.read_players(data, "list.csv")
    assert (error_info.value.code, error_info.value.source) == (code, "list.csv")


def test_read_players_ignores_empty_columns_beyond_the_limit() -> None:
    assert (
        len(player_lists.read_players(b"name;rating" + b";" * 300 + b"\nA;1500" + b";" * 300 + b"\n").entries) == 1
    )


def test_read_players_names_the_missing_columns() -> None:
    with pytest.raises(InputError) as error_info:
        player_lists.read_players(b"Jansen, Jan;1500\n")
    assert error_info.value.facts["needed"] == ("name",)
    columns = error_info.value.facts["columns"]
    assert isinstance(columns, tuple)
    assert {"rating", "club", "country", "number"} <= {*columns}


@pytest.mark.slow
def test_read_players_accepts_ten_thousand_players() -> None:
    data = "name\n" + "".join(f"P{number}\n" for number in range(10_000))
    assert len(player_lists.read_players(data.encode()).get_players_or_refuse()) == 10_000


def test_read_player_grid_warns_about_a_repeated_member_number() -> None:
    data = b"Name;WESPA;Rating\nBerg, Anna;17;1500\nTal, Bert;17;1400\nSee, Carl;;1300\nAu, Dora;;1200\n"
    preview = player_lists.read_player_grid(
        parse_cell_grid(data.decode(), player_lists.COLUMNS_BY_HEADING, "a.csv"), "a.csv"
    )
    assert len(preview.get_players_or_refuse()) == 4
    assert [
        (warning.line, warning.field, warning.code, warning.facts["first"]) for warning in preview.warnings
    ] == [(3, "wespa", "duplicate-member", 2)]


def test_write_players_never_writes_a_formula() -> None:
    entries = tuple(
        PlayerEntry(n, name) for n, name in enumerate(["=1+1", "@x", "-5", "'t Hart", "'=y", "\uff1dz"], 1)
    )
    cells = [
        line.split(";")[1]
        for line in player_lists.encode_players_csv(entries).decode("utf-8-sig").splitlines()[1:]
    ]
    assert cells == ["'=1+1", "'@x", "-5", "'t Hart", "''=y", "'\uff1dz"]
    assert player_lists.read_players(player_lists.encode_players_csv(entries)).get_players_or_refuse() == entries


@given(st.data(), st.integers(1, 4))
def test_write_players_round_trip(data: st.DataObject, size: int) -> None:
    entries = tuple(data.draw(draw_player(number)) for number in range(1, size + 1))
    assert player_lists.read_players(player_lists.encode_players_csv(entries)).entries == entries


def test_write_players_round_trip_of_rated_games() -> None:
    entries = player_lists.read_players(b"name;rating;lifeg\nOne;1500;0\nTwo;1400;\n").get_players_or_refuse()
    assert [entry.rated_games for entry in entries] == [0, None]
    same_players = player_lists.read_players(player_lists.encode_players_csv(entries)).get_players_or_refuse()
    assert [entry.rated_games for entry in same_players] == [0, None]


@pytest.mark.parametrize(
    ("heading", "cells", "field"),
    [
        ("Klasse", ("A", "B"), "division"),
        ("klasse", ("Klasse A", "b-klassen"), "division"),
        ("Klasse", ("1", "2"), "division"),
        ("Klasse", ("A", ""), "category"),  # a player without a category has an empty cell
        ("Klasse", ("junior", "veteran"), "category"),
        ("Divisjon;Klasse", ("A;1", "B;2"), "division"),
        ("Division", ("A", "Juniors"), "division"),
        ("Poule", ("Poule 1", "Poule 2"), "division"),
        ("class", ("A", "B"), "category"),
    ],
)
def test_read_players_reads_a_column_of_divisions(heading: str, cells: tuple[str, str], field: str) -> None:
    data = f"Name;{heading}\nX;{cells[0]}\nY;{cells[1]}\n".encode()
    players = player_lists.read_players(data).get_players_or_refuse()
    assert [bool(entry.division) for entry in players] == [field == "division"] * 2
    assert (
        field
        in player_lists.guess_player_columns(
            parse_cell_grid(data.decode(), player_lists.COLUMNS_BY_HEADING, "")
        ).columns
    )


def test_guess_player_columns_recognises_codes_of_known_divisions() -> None:
    grid = parse_cell_grid("Name;Klasse\nX;A\nY;A\nZ;\n", player_lists.COLUMNS_BY_HEADING, "")
    assert player_lists.guess_player_columns(grid).columns == ("name", "category")
    assert player_lists.guess_player_columns(grid, division_names=["A", ""]).columns == ("name", "division")


def test_read_players_removes_the_word_division_from_a_code() -> None:
    players = player_lists.read_players(
        b"Name;Klasse;Nr\nX;Klasse A;1\nY;B-klassen;1\nZ;a;2\n"
    ).get_players_or_refuse()
    assert [entry.division for entry in players] == ["A", "B", "a"]  # each division has its own numbers


@pytest.mark.parametrize("cell", ["1500?", "1500P", "1500 p", "1500*", "~1500", "(1500)", "1500/5", "1500 prov."])
def test_provisional_rating_keeps_its_mark_in_each_list(cell: str) -> None:
    preview = read_players(f"Name;Rating\nBos, Ann;{cell}\nDam, Bo;1400\n".encode())
    ann, bo = preview.get_players_or_refuse()
    assert (ann.rating, ann.provisional, bo.provisional) == (1500, True, False)
    assert [str(ann.rating_marked_if_provisional), str(bo.rating_marked_if_provisional)] == ["1500?", "1400"]
    assert ann.rated_games == (5 if "/5" in cell else None)
    assert [(warning.code, warning.facts["value"]) for warning in preview.warnings] == [
        ("rating-provisional", cell)
    ]
    same_list = read_players(player_lists.encode_players_csv((ann, bo)))
    assert [(player.rating, player.provisional) for player in same_list.get_players_or_refuse()] == [
        (1500, True),
        (1400, False),
    ]
    assert not same_list.warnings


def test_provisional_rating_column_takes_yes_and_no() -> None:
    text = "Name;Rating;Voorlopig\nAnn;1500;ja\nBo;1400;nee\nCy;;x\nDi;1300;\n"
    preview = read_players(text.encode())
    assert [entry.provisional for entry in preview.get_players_or_refuse()] == [True, False, False, False]
    assert preview.warnings == ()
    assert list_problems("Name;Provisional\nAnn;maybe\n") == [(2, "provisional", "bad-mark")]


@pytest.mark.parametrize("cell", ["1.500", "1 500", "1'500"])
def test_read_players_reports_a_thousands_separator_in_a_rating(cell: str) -> None:
    preview = read_players(f"Name;Rating\nBos, Ann;{cell}\n".encode())
    assert [entry.rating for entry in preview.get_players_or_refuse()] == [1500]
    assert [warning.code for warning in preview.warnings] == ["rating-grouped"]


def test_read_players_reports_a_rating_of_zero_once() -> None:
    preview = read_players(b"Name;Rating\nBos, Ann;0\nDam, Bo;0\nEek, Cis;1400\n")
    assert [entry.rating for entry in preview.get_players_or_refuse()] == [None, None, 1400]
    assert [(warning.line, warning.code, warning.facts["count"]) for warning in preview.warnings] == [
        (2, "rating-zero", 2)
    ]


def test_read_players_warns_of_each_name_without_comma() -> None:
    preview = read_players(b"Name\nBos, Ann\nBo Dam\nEek, Cis\nDi Fos\nGus\n")
    assert [(warning.line, warning.code, warning.facts) for warning in preview.warnings] == [
        (3, "names-mixed", {"value": "Bo Dam"}),
        (5, "names-mixed", {"value": "Di Fos"}),
    ]
    assert read_players(b"Name\nBo Dam\nDi Fos\n").warnings == ()


def test_read_players_recognises_a_list_of_rated_games() -> None:
    with pytest.raises(InputError) as error:
        read_players(b"round;table;first_name;first_score;second_name;second_score\n1;1;Ann;400;Bo;300\n")
    assert error.value.code == "list-of-games"


def test_read_players_does_not_read_a_rank_as_rating() -> None:
    preview = read_players(b"Rank;Name\n1;Bos, Ann\n")
    assert [entry.rating for entry in preview.get_players_or_refuse()] == [None]
    assert preview.ignored == ("Rank",)
