"""Tests of the replay of score sheets: turns, racks, the bag and the form of the opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble.replay import ReplayedSheet, ReplayRules, replay_sheet
from tdapp.scrabble.sheet import parse_sheet
from tdapp.scrabble.tiles import Letter, TileSet
from tests.scrabble.tile_sets import load_tile_set

Finding = tuple[str, int | None, int | str | None, int | None]

BRAILLELIGA = [("8D", "TAART", 12), ("E7", "TAFEL", 20), ("12C", "POST", 23), ("F10", "LATER", 22)]


def make_turn(
    player: int, kind: str, square: str | None = None, word: str | None = None, **fields: object
) -> dict[str, object]:
    return {"player": player, "kind": kind, "at": square, "word": word} | fields


def make_sheet(*turns: dict[str, object], **fields: object) -> dict[str, Any]:
    return {"players": ["Ann", "Bo"], "turns": list(turns)} | fields


def replay_document(document: dict[str, Any], name: str = "en", **rules: Any) -> ReplayedSheet:
    return replay_sheet(parse_sheet(document), load_tile_set(name), ReplayRules(**rules))


def list_issues(document: dict[str, Any], name: str = "en", **rules: Any) -> list[Finding]:
    return [
        (issue.code, issue.turn, issue.stated, issue.computed)
        for issue in replay_document(document, name, **rules).issues
    ]


def make_brailleliga_sheet(**changes: object) -> dict[str, Any]:
    turns = [
        make_turn(1 + n % 2, "play", square, word, score=score)
        for n, (square, word, score) in enumerate(BRAILLELIGA)
    ]
    return make_sheet(*turns) | changes


CAT = make_turn(1, "play", "8G", "CAT", score=10, total=10)


def test_replay_sheet_of_the_brailleliga_example() -> None:
    result = replay_document(make_brailleliga_sheet(), "nl-be-old")
    assert [line.score for line in result.lines] == [12, 20, 23, 22]
    assert [line.words for line in result.lines][2:] == [("POST", "TAFELS"), ("LATER", "EL", "LA")]
    assert (result.totals, result.issues) == ((35, 42), ())
    assert [line.bag for line in result.lines] == [88, 83, 79, 75]
    assert result.unplayed_tiles is not None
    assert len(result.unplayed_tiles) == 102 - 5 - 4 - 4 - 4


def test_replay_sheet_with_another_tile_set() -> None:
    result = replay_document(make_brailleliga_sheet(), "nl")
    assert result.lines[0].score == 20
    assert ("score-differs", 1, 12, 20) in list_issues(make_brailleliga_sheet(), "nl")


def test_replay_sheet_computes_missing_scores() -> None:
    document = make_brailleliga_sheet()
    for line in document["turns"]:
        del line["score"]
    assert replay_document(document, "nl-be-old").totals == (35, 42)


def test_replay_sheet_without_squares_checks_sums() -> None:
    document = make_sheet(
        make_turn(1, "play", word="ONE", score=30, total=30),
        make_turn(2, "play", word="TWO", score=10, total=11),
        make_turn(1, "play", word="THREE", score=20, total=50),
        make_turn(2, "play", word="FOUR", score=5, total=16),
    )
    assert list_issues(document) == [("total-differs", 2, 11, 10)]
    result = replay_document(document)
    assert (result.totals, result.board, result.unplayed_tiles) == ((50, 15), None, None)
    assert [line.words for line in result.lines] == [("ONE",), ("TWO",), ("THREE",), ("FOUR",)]


@pytest.mark.parametrize(("final_total", "expected"), [(50, []), (51, [(51, 60)]), (49, [(49, 60)])])
def test_replay_sheet_accepts_later_deduction_of_a_challenge(
    final_total: int, expected: list[tuple[int, int]]
) -> None:
    totals = [(30, 30), (20, 40), (10, 50), (10, final_total)]
    document = make_sheet(*(make_turn(1, "play", word="ONE", score=score, total=total) for score, total in totals))
    issues = replay_sheet(
        parse_sheet(document), load_tile_set("en"), ReplayRules(), ((-10, 0), (0, 0), (-10, 0), (0, 0))
    ).issues
    assert [(issue.stated, issue.computed) for issue in issues if issue.code == "total-differs"] == expected


def test_replay_sheet_total_can_include_a_failed_challenge() -> None:
    """An earlier wrong total is reported once. Neither the total nor the deduction is reported again."""
    totals = [(30, 35), (20, 40), (10, 50)]
    document = make_sheet(*(make_turn(1, "play", word="ONE", score=score, total=total) for score, total in totals))
    issues = replay_sheet(
        parse_sheet(document), load_tile_set("en"), ReplayRules(), ((-10, 0), (0, 0), (0, 0))
    ).issues
    assert [(issue.stated, issue.computed) for issue in issues if issue.code == "total-differs"] == [(35, 30)]


@pytest.mark.parametrize(("turns", "words"), [
    (make_turn(1, "play", score=20), ()), (make_turn(1, "play", word="CAT", score=20), ("CAT",)),
    (make_turn(1, "play", word=".AT", score=20), ()), (make_turn(1, "withdrawn"), ()),
    (make_turn(1, "withdrawn", "8G", "C1T"), ()),
    (make_turn(1, "withdrawn", word="CAT"), ("CAT",)), (make_turn(1, "play", "8G", "C1T", score=20), ()),
])  # fmt: skip
def test_replay_sheet_keeps_a_word_off_the_board(turns: dict[str, object], words: tuple[str, ...]) -> None:
    (line,) = replay_document(make_sheet(turns)).lines
    assert (line.words, line.play) == (words, None)


@pytest.mark.parametrize(("tiles", "bag", "expected"), [(None, 1, []), (None, 0, [("exchange-too-few", 2, 0, 1)])])
def test_replay_sheet_exchange_has_at_least_one_tile(tiles: int | None, bag: int, expected: list[Finding]) -> None:
    tile_set = TileSet("own", "Own", "en", (Letter("A", bag + 13, 1), Letter("C", 1, 3), Letter("T", 1, 1)))
    result = replay_sheet(
        parse_sheet(make_sheet(CAT, make_turn(2, "exchange", tiles=tiles))),
        tile_set,
        ReplayRules(exchange_minimum=0),
    )
    assert [(issue.code, issue.turn, issue.stated, issue.computed) for issue in result.issues] == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([CAT], []),
        ([CAT | {"score": 11, "total": 11}], [("score-differs", 1, 11, 10)]),
        ([CAT | {"total": 12}], [("total-differs", 1, 12, 10)]),
        ([CAT | {"score": 11, "total": 10}], [("score-differs", 1, 11, 10)]),
        ([CAT | {"player": 2}], [("off-turn", 1, None, None)]),
        ([CAT | {"at": "8A"}], [("centre-not-covered", 1, None, None), ("score-differs", 1, 10, 15)]),
        ([CAT | {"at": "Z8"}], [("coordinate-unreadable", 1, None, None)]),
        ([CAT | {"word": "C1T"}], [("letter-unknown", 1, None, None)]),
        ([CAT | {"at": "8O"}], [("off-board", 1, None, None)]),
        ([CAT | {"rack": "CATSXYZ"}], []),
        ([CAT | {"rack": "DOGSXYZ"}], [("tile-not-on-rack", 1, None, None)]),
        ([CAT | {"rack": "CASXYZE"}], [("tile-not-on-rack", 1, None, None)]),
        ([CAT | {"rack": "CASXYZ"}], []),
        ([CAT | {"rack": "CSXYZE"}], [("tile-not-on-rack", 1, None, None)]),
        ([CAT | {"rack": "C-T"}], [("rack-unreadable", 1, None, None)]),
        (
            [CAT, make_turn(2, "play", "J8", "S1")],
            [("letter-unknown", 2, None, None), ("score-missing", 2, None, None)],
        ),
        ([CAT, make_turn(2, "play", "1A", "DOG", score=15)], [("not-connected", 2, None, None)]),
        ([make_turn(1, "play", "8D", "QUIZQ", score=84)], [("tile-over-used", 1, 2, 1)]),
        ([make_turn(1, "play", "8D", "abcSD", score=6)], [("tile-over-used", 1, 3, 2)]),
        ([CAT, make_turn(2, "exchange", tiles=3, score=4)], [("score-differs", 2, 4, 0)]),
        ([CAT, make_turn(2, "pass", total=0), make_turn(1, "pass", total=10)], []),
        ([CAT, make_turn(2, "failed-challenge"), make_turn(2, "pass")], []),
        ([CAT, make_turn(2, "lost-turn"), make_turn(2, "pass")], [("off-turn", 3, None, None)]),
        ([CAT, make_turn(2, "withdrawn", "J8", "SX"), make_turn(1, "play", "8G", "CATS", score=6)], []),
    ],
)
def test_replay_sheet_finds_issues_of_a_turn(turns: list[dict[str, object]], expected: list[Finding]) -> None:
    assert list_issues(make_sheet(*turns)) == expected


def test_replay_sheet_withdrawn_play_scores_nothing() -> None:
    result = replay_document(make_sheet(CAT, make_turn(2, "withdrawn", "J8", "SX")))
    assert (result.lines[1].score, result.lines[1].words) == (0, ("SX", "CATS"))
    assert result.board is not None
    assert len(result.board.tiles_on_board) == 3


def test_replay_sheet_keeps_a_phony_on_the_board() -> None:
    """NL-27: "same deduction, word stays". The rule set makes the deduction."""
    result = replay_document(make_sheet(CAT | {"ruling": "phony"}, make_turn(2, "play", "8G", "CATS", score=6)))
    assert (result.totals, result.issues) == ((10, 6), ())


class TestDirection:
    """III.5 asks only for the square of the first letter, and the square is optional."""

    def test_replay_sheet_uses_the_only_legal_direction(self) -> None:
        result = replay_document(make_sheet(CAT, make_turn(2, "play", "G8?", "(CAT)S", score=6)))
        assert (result.issues, result.lines[1].score) == ((), 6)

    def test_replay_sheet_uses_the_direction_with_the_stated_score(self) -> None:
        for score in (6, 3):
            assert list_issues(make_sheet(CAT, make_turn(2, "play", "I7?", "AT", score=score))) == []

    def test_replay_sheet_reports_a_single_tile_without_direction(self) -> None:
        issues = list_issues(make_sheet(CAT, make_turn(2, "play", "I7?", "AT", score=7)))
        assert issues == [("direction-missing", 2, None, None)]

    def test_replay_sheet_only_legal_direction_with_a_wrong_score(self) -> None:
        issues = list_issues(make_sheet(CAT, make_turn(2, "play", "G8?", "(CAT)S", score=7)))
        assert issues == [("score-differs", 2, 7, 6)]

    def test_replay_sheet_first_word_without_a_direction(self) -> None:
        opening, second = (
            make_turn(1, "play", "G8?", "CAT", score=10),
            make_turn(2, "play", "G8?", "(CAT)S", score=6),
        )
        assert list_issues(make_sheet(opening, second)) == []
        assert list_issues(make_sheet(opening | {"at": "H8?"})) == [("direction-missing", 1, None, None)]

    def test_replay_sheet_turns_a_wrong_direction(self) -> None:
        issues = list_issues(make_sheet(CAT, make_turn(2, "play", "G8", "(CAT)S", score=6)))
        assert issues == [("direction-turned", 2, None, None)]

    def test_replay_sheet_keeps_the_direction_with_another_score(self) -> None:
        issues = list_issues(make_sheet(CAT, make_turn(2, "play", "G8", "(CAT)S", score=7)))
        assert "direction-turned" not in [code for code, *_ in issues]
        assert len(issues) >= 1


def test_replay_sheet_uses_stated_scores_after_an_unknown_play() -> None:
    document = make_sheet(
        CAT, make_turn(2, "play", score=50, word="MYSTERY"), make_turn(1, "play", "8G", "CATS", score=99)
    )
    result = replay_document(document)
    assert (result.totals, result.issues, result.lines[2].bag) == ((109, 50), (), None)
    assert result.board is None


@pytest.mark.parametrize(
    ("bag", "exchange_minimum", "tiles", "expected"),
    [
        (7, 7, 7, []),
        (6, 7, 1, [("exchange-too-few", 2, 6, 7)]),
        (6, 0, 6, []),
        (6, 0, 7, [("exchange-too-few", 2, 6, 7)]),
    ],
)
def test_replay_sheet_checks_exchanges(
    bag: int, exchange_minimum: int, tiles: int, expected: list[Finding]
) -> None:
    """NL-16: "7 yes, 6 no". BR-08: the bag must contain the exchanged number of tiles."""
    tile_set = TileSet("own", "Own", "en", (Letter("A", bag + 13, 1), Letter("C", 1, 3), Letter("T", 1, 1)))
    result = replay_sheet(
        parse_sheet(make_sheet(CAT, make_turn(2, "exchange", tiles=tiles))),
        tile_set,
        ReplayRules(exchange_minimum=exchange_minimum),
    )
    assert result.lines[1].bag == bag
    assert [(issue.code, issue.turn, issue.stated, issue.computed) for issue in result.issues] == expected


def test_replay_sheet_reports_a_pass_with_tiles_in_the_bag() -> None:
    """BR-28."""
    assert list_issues(make_sheet(CAT, make_turn(2, "pass")), pass_with_tiles=False) == [
        ("pass-not-allowed", 2, 83, 0)
    ]


@pytest.mark.parametrize(
    ("form_values", "expected"),
    [
        ({}, []), ({"score": 10}, []), ({"total": 10}, []), ({"score": 9}, [("score", 10, 9)]),
        ({"total": 11}, [("total", 10, 11)]), ({"score": 0, "total": 0}, [("score", 10, 0), ("total", 10, 0)]),
    ],
)  # fmt: skip
def test_replay_sheet_ignores_missing_values_of_the_other_form(
    form_values: dict[str, int], expected: list[tuple[str, int, int]]
) -> None:
    issues = replay_document(make_sheet(CAT, other_form=[{"turn": 1, **form_values}])).issues
    assert [(issue.detail, issue.stated, issue.other) for issue in issues] == expected


def test_replay_sheet_compares_the_other_form() -> None:
    document = make_sheet(CAT, make_turn(2, "pass", total=0), make_turn(1, "pass"))
    document["other_form"] = [{"turn": 3, "score": 2}, {"turn": 1, "score": 10, "total": 11}]
    result = replay_document(document)
    assert [(issue.code, issue.turn, issue.stated, issue.other, issue.detail) for issue in result.issues] == [
        ("forms-differ", 1, 10, 11, "total"),
        ("forms-differ", 3, None, 2, "score"),
    ]
    assert "forms-differ" not in {issue.code for issue in replay_document(make_sheet(CAT)).issues}


ALL_LETTERS = "EEEEEEEEEEEEAAAAAAAAAIIIIIIIIIOOOOOOOONNNNNNRRRRRRTTTTTTLLLLSSSSUUUUDDDDGGGBBCCMMPPFFHHVVWWYYKJXQZ"


def make_full_board_turns(letters_to_keep: str) -> list[dict[str, object]]:
    """Return a legal chain of plays with all letters except `letters_to_keep` and both blanks."""
    letters = list(ALL_LETTERS)
    for letter in letters_to_keep:
        letters.remove(letter)
    turns = []
    rows = [letters[start : start + 7] for start in range(0, len(letters), 7)]
    squares = ["8H", "9H", "10H", "11H", "12H", "13H", "14H", "15H", "7H", "6H", "5H", "4H", "3H", "2H"]
    for number, (row, square) in enumerate(zip(rows, squares, strict=True)):
        turns.append(make_turn(1 + number % 2, "play", square, "".join(row)))
    return turns


def list_issues_of_player_out(
    tiles_left: int, players: int, *, player_out: int = 1, racks: Sequence[str] | None = None
) -> list[Finding]:
    """Return the issues if a player is out and `tiles_left` tiles are not on the board."""
    tile_set = TileSet("own", "Own", "en", (Letter("A", tiles_left - 1, 1), Letter("C", 1, 3), Letter("T", 1, 1)))
    names = ["Ann", "Bo", "Cy", "Di"][:players]
    document = make_sheet(CAT | {"player": player_out}, players=names, first=player_out, ended="out", racks=racks)
    result = replay_sheet(parse_sheet(document), tile_set, ReplayRules())
    return [(issue.code, issue.turn, issue.stated, issue.computed) for issue in result.issues]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_replay_sheet_player_out_leaves_at_most_the_other_racks(players: int) -> None:
    highest_count = 7 * (players - 1)
    assert list_issues_of_player_out(highest_count, players) == []
    assert list_issues_of_player_out(highest_count + 1, players) == [
        ("out-impossible", None, highest_count + 1, highest_count)
    ]


@pytest.mark.parametrize(("players", "player_out"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_replay_sheet_player_out_has_an_empty_rack(players: int, player_out: int) -> None:
    def list_issues_with_rack_of(holder: int) -> list[Finding]:
        racks = ["AAA??" if number == holder else "" for number in range(1, players + 1)]
        return list_issues_of_player_out(5, players, player_out=player_out, racks=racks)

    assert list_issues_with_rack_of(player_out) == [("rack-not-empty", None, 3, 0)]
    other_players = {*range(1, players + 1)} - {player_out}
    assert [list_issues_with_rack_of(player) for player in other_players] == [[] for _ in other_players]


@pytest.mark.parametrize(
    ("game_ending", "has_comparison"), [("open", False), (None, False), ("passes", True), ("flag", True)]
)
def test_replay_sheet_compares_no_racks_in_an_open_game(game_ending: str | None, has_comparison: bool) -> None:
    document = make_sheet(*make_full_board_turns("QZ"), ended=game_ending, racks=["Q?", "?"])
    expected = [("rack-differs", None, 10, 20)] if has_comparison else []
    assert list_issues(document) == expected


def test_replay_sheet_uncovered_star_keeps_other_issues() -> None:
    first, distant_play = make_turn(1, "play", "1A", "DOG", score=18), make_turn(2, "play", "15M", "CAT", score=15)
    expected = [("centre-not-covered", 1, None, None), ("not-connected", 2, None, None)]
    assert [
        finding for finding in list_issues(make_sheet(first, distant_play)) if finding[0] != "score-differs"
    ] == expected
    issues = list_issues(make_sheet(first, distant_play), beside_star=True)
    assert [issue for issue in issues if issue[0] != "score-differs"] == expected[1:]


class TestEndOfGame:
    """X-04: the tiles on the board and the rack of the opponent make up the set."""

    def replay_full_board(self, **fields: object) -> ReplayedSheet:
        turns = make_full_board_turns("QZ")
        assert len(turns) == 14
        return replay_document(make_sheet(*turns, ended="out", **fields))

    def list_issues_of_full_board(self, **fields: object) -> list[Finding]:
        return [
            (issue.code, issue.turn, issue.stated, issue.computed)
            for issue in self.replay_full_board(**fields).issues
        ]

    def test_replay_sheet_derives_the_rack_of_the_opponent(self) -> None:
        result = self.replay_full_board()
        assert result.issues == ()
        assert result.unplayed_tiles == ("Q", "Z", "?", "?")
        assert result.rack_values == (20, 0)
        assert result.lines[-1].bag == 0

    def test_replay_sheet_compares_the_derived_rack(self) -> None:
        assert self.list_issues_of_full_board(racks=["QZ??", ""]) == []
        assert self.list_issues_of_full_board(racks=["QZ?", ""]) == [("rack-differs", None, 20, 20)]
        assert self.list_issues_of_full_board(racks=["Q?", ""]) == [("rack-differs", None, 10, 20)]
        assert self.list_issues_of_full_board(rack_values=[20, 0]) == []
        assert self.list_issues_of_full_board(rack_values=[19, 0]) == [("rack-differs", None, 19, 20)]
        assert self.list_issues_of_full_board(racks=["Q?", "Z?"]) == [("rack-not-empty", None, 10, 0)]

    def test_replay_sheet_prefers_the_noted_rack(self) -> None:
        assert self.replay_full_board(rack_values=[19, 0]).rack_values == (19, 0)

    def test_replay_sheet_reports_impossible_racks(self) -> None:
        assert ("tile-over-used", None, 2, 1) in [
            (issue.code, issue.turn, issue.stated, issue.computed)
            for issue in replay_document(make_sheet(CAT, ended="passes", racks=["QQ", ""])).issues
        ]
        assert list_issues(make_sheet(CAT, ended="passes", racks=["ABCDEFGH", ""])) == [
            ("rack-too-long", None, 8, 7)
        ]
        assert (
            list_issues(make_sheet(CAT, ended="passes", racks=["ABDEFGH", ""])) == []
        )  # seven tiles are a full rack
        assert list_issues(make_sheet(CAT, racks=["A1", ""])) == [("rack-unreadable", None, None, None)]

    def test_replay_sheet_player_out_needs_an_empty_bag(self) -> None:
        assert list_issues(make_sheet(CAT, ended="out")) == [("out-impossible", None, 97, 7)]

    def test_replay_sheet_checks_the_sum_of_three_racks(self) -> None:
        turns = make_full_board_turns("QZ")
        for number, line in enumerate(turns):
            line["player"] = 1 + number % 3
        document = {"players": ["A", "B", "C"], "turns": turns, "ended": "out"}
        assert replay_document(document).rack_values == (None, None, None)
        assert replay_document(document | {"racks": ["Q?", "", "Z?"]}).issues == ()
        assert replay_document(document | {"rack_values": [10, 0, 10]}).issues == ()
        assert [issue.code for issue in replay_document(document | {"rack_values": [10, 0, 9]}).issues] == [
            "rack-differs"
        ]

    def test_replay_sheet_end_by_passes_with_an_empty_bag(self) -> None:
        document = make_sheet(*make_full_board_turns("QZ"), ended="passes")
        assert replay_document(document | {"racks": ["QZ", "??"]}).issues == ()
        assert [issue.code for issue in replay_document(document | {"racks": ["QZ", "?"]}).issues] == [
            "rack-differs"
        ]


@given(st.lists(st.tuples(st.integers(0, 99), st.booleans()), max_size=20))
def test_replay_sheet_total_is_the_sum_of_the_turns(scores: list[tuple[int, bool]]) -> None:
    def replay_with_first_player(first: int) -> ReplayedSheet:
        turns = []
        for number, (score, plays) in enumerate(scores):
            player = first if number % 2 == 0 else 3 - first
            turns.append(make_turn(player, "play", word="AB", score=score) if plays else make_turn(player, "pass"))
        return replay_document(make_sheet(*turns, first=first))

    first_replay, second_replay = replay_with_first_player(1), replay_with_first_player(2)
    assert first_replay.totals == second_replay.totals[::-1]
    assert first_replay.issues == second_replay.issues == ()
    for player in (1, 2):
        assert first_replay.totals[player - 1] == sum(
            line.score for line in first_replay.lines if line.player == player
        )
