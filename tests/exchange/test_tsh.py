"""Tests of TSH division files: all fields, round trips and refused files."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tdapp.domain.commands.event import add_division, new_tournament
from tdapp.domain.commands.imports import import_division
from tdapp.domain.entries import (
    AbsenceEntry,
    ByeEntry,
    DivisionEntry,
    EventEntry,
    GameEntry,
    PlayerEntry,
    RoundEntry,
    export_division,
)
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, DivisionId, GameSide, StartDecision
from tdapp.exchange import imports, tsh
from tests.data_events import RULES, find_data_folder
from tests.exchange.random_divisions import draw_division

# Four players and three rounds with scores, an open game, a bye, a forfeit, a withdrawal and a drawn start.
SMALL = """\
# made for this test
#spread_cap 200 700
Ås, Zoë:NL123          1739 2 3 4; 400 412 00; board 7 0 2; class A; p12 1 3 1; rrank 1 1 1; team Airpop Alpha
Speler 002             1500+20 1 4 0; 350 390 50; board 7; p12 2 1 0

Bakker, Wim               0 4 1 0; 301 388 -50; board 5 0; off 0; p12 2 4
Zijlstra, Els          900 3 2 1; 299 390; board 5 3 2; p12 1 2 2; club De\\;Toren
"""


def get_refusal(text: str) -> InputError:
    """Return the error of a refused text."""
    with pytest.raises(InputError) as error_info:
        tsh.read_division(text.encode(), "a.t")
    assert error_info.value.source == "a.t"
    return error_info.value


def test_read_division_reads_every_part_of_a_line() -> None:
    entry = tsh.read_division(SMALL.encode(), "a.t")
    assert entry.players == (
        PlayerEntry(1, "Ås, Zoë", 1739, category="A", team="Airpop Alpha", member="NL123"),
        PlayerEntry(2, "Speler 002", 1500),
        PlayerEntry(3, "Bakker, Wim", None),
        PlayerEntry(4, "Zijlstra, Els", 900, club="De;Toren"),
    )
    assert [player.line for player in entry.players] == [3, 4, 6, 7]
    assert entry.rounds == (
        RoundEntry(1, (GameEntry(5, 4, 3, scores=(299, 301)), GameEntry(7, 1, 2, scores=(400, 350)))),
        RoundEntry(2, (GameEntry(1, 1, 3, StartDecision.DRAW, (412, 388)), GameEntry(3, 2, 4, scores=(390, 390)))),
        RoundEntry(3, (GameEntry(2, 1, 4),), (ByeEntry(2, ByeKind.BYE, 50), ByeEntry(3, ByeKind.FORFEIT, -50))),
    )
    assert entry.absences == (AbsenceEntry(3, 4, None, ByeKind.ABSENT),)
    assert (entry.order, entry.usual) == ((), ("wins", "losses", "spread"))
    assert entry.spread_caps == (200, 700)
    assert entry.dropped == ("rating", "rrank")


def test_read_records_of_tsh_keeps_keys_without_a_field() -> None:
    assert tsh.read_player_lines(SMALL.encode())[0].keys["rrank"] == ("1", "1", "1")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_read_division_accepts_any_encoding_and_line_end(encoding: str, ending: str) -> None:
    assert tsh.read_division(SMALL.replace("\n", ending).encode(encoding)) == tsh.read_division(SMALL.encode())


def test_read_division_starts_an_absence_after_the_last_other_round() -> None:
    entry = tsh.read_division(b"A 1 2 0 0 0; 9 50 0 0; off 0\nB 1 1 3 3 3; 8 1 1\nC 1 00 2 2 2; 00 2 2\n")
    assert entry.absences == (AbsenceEntry(1, 3, None, ByeKind.ABSENT),)


def test_read_division_reads_rounds_without_games_as_absences() -> None:
    entry = tsh.read_division(b"A 1 2 0 0; 9 0 0; off 0\nB 1 1 00 0; 8 00 0\n")
    assert [item.number for item in entry.rounds] == [1]
    assert entry.absences == (AbsenceEntry(1, 2, None, ByeKind.ABSENT), AbsenceEntry(2, 3, 3, ByeKind.ABSENT))


def test_read_division_assigns_the_lowest_free_table() -> None:
    entry = tsh.read_division(
        b"A 1 2;1;board 2\nB 1 1;2;board 2\nC 1 4;1\nD 1 3;2\nE 1 6;1;board 2\nF 1 5;2;board 2\n"
    )
    assert [(game.table, game.first) for game in entry.rounds[0].games] == [(1, 3), (2, 1), (3, 5)]


def test_read_division_uses_a_start_known_from_one_line() -> None:
    entry = tsh.read_division(b"A 1 2;400;p12 2\nB 1 1;300\n")
    assert entry.rounds[0].games == (GameEntry(1, 2, 1, scores=(300, 400)),)


@pytest.mark.parametrize(
    ("text", "code", "line", "facts"),
    [
        ("A 1 2; 400\nB 1 3; 300\nC 1 2; 1\n", "tsh-asymmetric", 1, {"player": "A", "round": 1, "opponent": 2}),
        ("A 1 2; 400\nB 1 0; 50\n", "tsh-asymmetric", 1, {"found": 0}),
        ("#\nA 1 2; 400\nB 1;\n", "tsh-asymmetric", 2, {"found": None}),
        ("A 1 1; 400\n", "tsh-against-self", 1, {"round": 1}),
        ("A 1 9; 400\n", "tsh-no-such-player", 1, {"opponent": 9}),
        ("A 1 2; 400\nB 1 1;\n", "tsh-score-missing", 2, {"player": "B", "round": 1}),
        ("A 1 2; 400 1\nB 1 1; 300\n", "tsh-score-without-opponent", 1, {"round": 2}),
        ("A 1 00 2; 400 1\nB 1 00 1; 00 2\n", "tsh-score-without-opponent", 1, {"round": 1}),
        ("A 1 2; 400; board 1\nB 1 1; 300; board 2\n", "tsh-boards-differ", 1, {"opponent": "B"}),
        ("A 1 2; 400; p12 1\nB 1 1; 300; p12 1\n", "tsh-starts-differ", 1, {"opponent": "B"}),
        ("A 1 2; 400; p12 x\nB 1 1; 300; p12 1\n", "tsh-starts-differ", 1, {}),
        ("A 1 2; 400; board x\nB 1 1; 300\n", "tsh-number-invalid", 1, {"value": "x"}),
        ("A 1 2; 4x0\n", "tsh-number-invalid", 1, {"value": "4x0"}),
        ("A 1 2.5; 400\n", "tsh-number-invalid", 1, {"value": "2.5"}),
        ("A; 400\n", "tsh-rating-missing", 1, {}),
        ("1500 2; 400\n", "name-missing", 1, {}),
        ("A 1500;;\n" + "B 1 " + "0 " * 101, "tsh-too-many-rounds", 2, {"most": 100}),
        ("A 1500;;\n" * 10_001, "too-many-rows", 10_001, {"most": 10_000}),
        ("A 1500;; class " + "x" * 501, "too-long", 1, {"most": 500}),
        ("x" * 501 + " 1500;;", "too-long", 1, {"most": 500}),
        ("A 1500;;\nB" + "\\" * 4_900_000, "too-long", 2, {"most": 50_000}),
        ("#bye 1\nA 1500;;\n", "tsh-comment-invalid", 1, {}),
        ("#absence 2 1\nA 1500;;\n", "tsh-comment-invalid", 1, {}),
        ("#bye 1 1 holiday\nA 1500 0;50;\n", "tsh-comment-invalid", 1, {}),
        ("#spread_cap many\nA 1500;;\n", "tsh-comment-invalid", 1, {}),
    ],
)
def test_read_division_names_line_player_and_round_of_an_error(
    text: str, code: str, line: int, facts: dict[str, object]
) -> None:
    error = get_refusal(text)
    assert (error.code, error.line) == (code, line)
    assert facts.items() <= error.facts.items()


def test_read_division_refuses_a_file_of_comments() -> None:
    assert get_refusal("# nobody\n").code == "tsh-no-players"


def test_write_division_equals_the_output_of_tsh() -> None:
    entry = DivisionEntry(
        "B",
        (PlayerEntry(3, "Ås, Zoë", 900, team="Noord"), PlayerEntry(8, "Bakker, Wim", member="77")),
        (RoundEntry(1, (GameEntry(4, 8, 3, scores=(401, 399)),)), RoundEntry(2, (), (ByeEntry(8, ByeKind.BYE),))),
    )
    assert tsh.encode_tsh_division(entry).decode("latin-1").splitlines() == [
        "#division B",
        "#rounds 2",
        "Ås, Zoë                 900 2; 399; board 4; p12 2; team Noord",
        "Bakker, Wim:77            0 1 0; 401; board 4 0; p12 1 0",
    ]


def test_write_division_uses_utf8_for_letters_outside_latin_1() -> None:
    assert "Řezník" in tsh.encode_tsh_division(DivisionEntry("", (PlayerEntry(1, "Řezník"),))).decode()


def test_write_division_keeps_the_longest_note() -> None:
    entry = DivisionEntry("", (PlayerEntry(1, "A", notes="x" * 5000),), order=tsh.ORDER)
    assert tsh.read_division(tsh.encode_tsh_division(entry)) == entry


@pytest.mark.slow
@given(draw_division())
def test_tsh_round_trip_of_a_division(entry: DivisionEntry) -> None:
    assert tsh.read_division(tsh.encode_tsh_division(entry)) == entry


_LINES = st.sampled_from(
    [
        "A 1500 2; 400; p12 1",
        "B 1400 1; 380; p12 2",
        "C 1 0; -50; off",
        "D 0 00 0; 00; x y",
        "#rounds 1",
        "E 12 13  14",
    ]
)


@given(st.lists(_LINES, min_size=2, max_size=6))
def test_tsh_round_trip_of_a_file(lines: list[str]) -> None:
    try:
        entry = tsh.read_division("\n".join(lines).encode())
    except InputError:
        return
    assert tsh.read_division(tsh.encode_tsh_division(entry)) == entry


def test_tsh_round_trip_of_a_tournament() -> None:
    empty = add_division(new_tournament(key="t", name="T", ruleset=RULES), key="d", code="A")
    entry = replace(tsh.read_division(SMALL.encode()), code="A")
    index = TournamentIndex(import_division(empty, key="i", division=DivisionId("d"), entry=entry))
    assert export_division(index, index.get_division("A")) == entry


def test_import_division_keeps_two_players_with_one_name() -> None:
    empty = add_division(new_tournament(key="t", name="T", ruleset=RULES), key="d", code="A")
    lines = "Berg, Anna 1500 2 3; 400 350\nTal, Bert 1400 1 4; 350 380\n"
    lines += "Berg, Anna 1300 4 1; 333 380\nSee, Carl 1200 3 2; 300 401\n"
    entry = replace(tsh.read_division(lines.encode()), code="A")
    index = TournamentIndex(import_division(empty, key="i", division=DivisionId("d"), entry=entry))
    assert [player.name for player in index.players(DivisionId("d"))].count("Berg, Anna") == 2
    assert export_division(index, index.get_division("A")) == entry


def test_import_division_refuses_impossible_points() -> None:
    empty = add_division(new_tournament(key="t", name="T", ruleset=RULES), key="d", code="A")
    games = (GameEntry(1, 1, 2, scores=(10_000, 300)),)
    entry = DivisionEntry("A", (PlayerEntry(1, "One"), PlayerEntry(2, "Two")), (RoundEntry(1, games),))
    with pytest.raises(CommandError, match="number-out-of-range"):
        import_division(empty, key="i", division=DivisionId("d"), entry=entry)


def test_export_division_writes_a_forfeited_game_as_bye_and_forfeit() -> None:
    empty = add_division(new_tournament(key="t", name="T", ruleset=RULES), key="d", code="A")
    tournament = import_division(empty, key="i", division=DivisionId("d"), entry=tsh.read_division(SMALL.encode()))
    game = next(game for game in tournament.games.values() if game.table == 7)
    for forfeit, kinds in {
        GameSide.FIRST: (ByeKind.FORFEIT, ByeKind.BYE),
        GameSide.SECOND: (ByeKind.BYE, ByeKind.FORFEIT),
        GameSide.BOTH: (ByeKind.FORFEIT, ByeKind.FORFEIT),
    }.items():
        index = TournamentIndex(
            tournament.put(replace(tournament.results[game.id], forfeit=forfeit, first=None, second=None))
        )
        round_ = export_division(index, index.get_division("A")).rounds[0]
        assert tuple(bye.kind for bye in round_.byes) == kinds
        assert {abs(bye.spread or 0) for bye in round_.byes} == {RULES.forfeit.margin}
        assert [game.table for game in round_.games] == [5]


@pytest.mark.data
@pytest.mark.parametrize("name", ["e4c5_tournament1_a.t", "kingston2023_a.t", "mgi2022_a.t"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_tsh_round_trip_of_a_real_file(name: str, encoding: str) -> None:
    text = (find_data_folder() / "events" / name).read_text("utf-8")
    data = text.encode(encoding, "replace")
    entry = tsh.read_division(data, name)
    content = tsh.encode_tsh_division(entry)
    assert tsh.read_division(content) == entry
    for old, new in zip(tsh.read_player_lines(data), tsh.read_player_lines(content), strict=True):
        assert (new.name, new.member, new.rating) == (old.name, old.member, old.rating)
        assert (new.opponents, new.scores) == (old.opponents, old.scores)
        for key in ("class", "team"):
            assert new.keys.get(key) == old.keys.get(key)
        assert ("off" in new.keys) == ("off" in old.keys)
        for key in ("board", "p12"):
            values = old.keys.get(key, ())
            games = [index for index, opponent in enumerate(old.opponents) if opponent and index < len(values)]
            assert [new.keys[key][index] for index in games] == [values[index] for index in games]


@pytest.mark.data
def test_tsh_round_trip_of_a_real_file_through_a_tournament() -> None:
    paths = sorted((find_data_folder() / "events").glob("*.t"))
    assert paths
    for path in paths:
        entry = replace(tsh.read_division(path.read_bytes()), code="A")
        empty = add_division(new_tournament(key="t", name="T", ruleset=RULES), key="d", code="A")
        index = TournamentIndex(import_division(empty, key="i", division=DivisionId("d"), entry=entry))
        assert export_division(index, index.get_division("A")) == entry


@pytest.mark.data
def test_read_division_names_a_broken_pairing_in_a_real_file() -> None:
    text = (find_data_folder() / "events" / "mgi2022_a.t").read_text("utf-8")
    error = get_refusal(re.sub(r"(?m)^(Hansen, Niels +1739 31 )36 ", r"\g<1>37 ", text))
    assert (error.code, error.line) == ("tsh-asymmetric", 1)
    assert {"player": "Hansen, Niels", "round": 2, "opponent": 37, "found": 2}.items() <= error.facts.items()


def test_tsh_round_trip_of_rated_games() -> None:
    lines = b"One 1500 2; 400; lifeg 49\nTwo 1400 1; 300; lifeg -1\n"
    entry = tsh.read_division(lines)
    assert [player.rated_games for player in entry.players] == [49, None]
    assert "lifeg" not in entry.dropped
    assert tsh.read_division(tsh.encode_tsh_division(entry)).players[0].rated_games == 49


def test_is_roster_recognises_a_file_before_the_first_round() -> None:
    roster = b"# Division A\nVera Castle          1717\nO'Neil, John         1500\nVan der Berg, Piet   0\n"
    event = imports.read_bytes_to_import(roster, "a.t")
    assert isinstance(event, EventEntry)
    assert [(player.name, player.rating) for player in event.divisions[0].players] == [
        ("Vera Castle", 1717), ("O'Neil, John", 1500), ("Van der Berg, Piet", None),
    ]  # fmt: skip


def test_is_roster_refuses_a_list_with_commas() -> None:
    assert isinstance(imports.read_bytes_to_import(b"Ann, 1500\nBob, 1400\n", "a.csv"), imports.PlayerListFile)


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1, Ann", "@sum", "-cmd", "'=1", "'quoted"])
def test_write_division_protects_a_name_that_looks_like_a_formula(name: str) -> None:
    players = (PlayerEntry(number=1, name=name), PlayerEntry(number=2, name="Bee, Bob"))
    content = tsh.encode_tsh_division(DivisionEntry(code="A", players=players))
    first = next(line for line in content.decode().splitlines() if not line.startswith("#"))
    assert first[0] not in "=+-@"
    assert tsh.read_division(content, "a.t").players[0].name == name


def test_list_omitted_data_names_unread_parts_of_a_file() -> None:
    text = "# by the director\n#note late\nOne, Ann  1500 2; 400; team X; team Y; off 1 2\nTwo, Bob  1400 1; 380\n"
    event = tsh.read_tsh_file(text.encode())
    assert event.divisions[0].dropped == ("off", "team")
    assert event.dropped == ((1, "#by the director"), (2, "#note late"))
    assert [data.code for data in imports.list_import_warnings(event, "a.t")] == ["line-left-out"] * 2 + [
        "keys-left-out"
    ]


def test_read_division_reads_exported_comments() -> None:
    entry = DivisionEntry("B", (PlayerEntry(1, "One, Ann"), PlayerEntry(2, "Two, Bob")), order=("wins",))
    assert tsh.read_tsh_file(tsh.encode_tsh_division(entry)).dropped == ()
