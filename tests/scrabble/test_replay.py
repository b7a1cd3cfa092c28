"""The arithmetic of score sheets: turn by turn, racks, bag, other forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdapp.scrabble.replay import Replay, ReplayRules, replay_sheet
from tdapp.scrabble.sheet import parse_sheet
from tdapp.scrabble.tiles import Letter, TileSet
from tests.scrabble.tile_sets import tileset

Finding = tuple[str, int | None, int | str | None, int | None]

BRAILLELIGA = [("8D", "TAART", 12), ("E7", "TAFEL", 20), ("12C", "POST", 23), ("F10", "LATER", 22)]


def turn(
    player: int, kind: str, at: str | None = None, word: str | None = None, **more: object
) -> dict[str, object]:
    return {"player": player, "kind": kind, "at": at, "word": word} | more


def sheet(*turns: dict[str, object], **more: object) -> dict[str, Any]:
    return {"players": ["Ann", "Bo"], "turns": list(turns)} | more


def run(plain: dict[str, Any], name: str = "en", **terms: Any) -> Replay:
    return replay_sheet(parse_sheet(plain), tileset(name), ReplayRules(**terms))


def findings(plain: dict[str, Any], name: str = "en", **terms: Any) -> list[Finding]:
    return [(i.code, i.turn, i.stated, i.computed) for i in run(plain, name, **terms).issues]


def brailleliga(**changes: object) -> dict[str, Any]:
    turns = [turn(1 + n % 2, "play", at, word, score=score) for n, (at, word, score) in enumerate(BRAILLELIGA)]
    return sheet(*turns) | changes


CAT = turn(1, "play", "8G", "CAT", score=10, total=10)


def test_replay_sheet_of_the_brailleliga_example() -> None:
    result = run(brailleliga(), "nl-be-old")
    assert [line.score for line in result.lines] == [12, 20, 23, 22]
    assert [line.words for line in result.lines][2:] == [("POST", "TAFELS"), ("LATER", "EL", "LA")]
    assert (result.totals, result.issues) == ((35, 42), ())
    assert [line.bag for line in result.lines] == [88, 83, 79, 75]
    assert result.unplayed_tiles is not None
    assert len(result.unplayed_tiles) == 102 - 5 - 4 - 4 - 4


def test_replay_sheet_with_another_tile_set() -> None:
    result = run(brailleliga(), "nl")
    assert result.lines[0].score == 20
    assert ("score-differs", 1, 12, 20) in findings(brailleliga(), "nl")


def test_replay_sheet_computes_missing_scores() -> None:
    plain = brailleliga()
    for line in plain["turns"]:
        del line["score"]
    assert run(plain, "nl-be-old").totals == (35, 42)


def test_replay_sheet_without_squares_checks_sums() -> None:
    plain = sheet(
        turn(1, "play", word="ONE", score=30, total=30),
        turn(2, "play", word="TWO", score=10, total=11),
        turn(1, "play", word="THREE", score=20, total=50),
        turn(2, "play", word="FOUR", score=5, total=16),
    )
    assert findings(plain) == [("total-differs", 2, 11, 10)]
    result = run(plain)
    assert (result.totals, result.board, result.unplayed_tiles) == ((50, 15), None, None)
    assert [line.words for line in result.lines] == [("ONE",), ("TWO",), ("THREE",), ("FOUR",)]


@pytest.mark.parametrize(("end", "issues"), [(50, []), (51, [(51, 60)]), (49, [(49, 60)])])
def test_replay_sheet_accepts_later_deduction_of_a_challenge(end: int, issues: list[tuple[int, int]]) -> None:
    totals = [(30, 30), (20, 40), (10, 50), (10, end)]
    plain = sheet(*(turn(1, "play", word="ONE", score=score, total=total) for score, total in totals))
    found = replay_sheet(
        parse_sheet(plain), tileset("en"), ReplayRules(), ((-10, 0), (0, 0), (-10, 0), (0, 0))
    ).issues
    assert [(one.stated, one.computed) for one in found if one.code == "total-differs"] == issues


def test_replay_sheet_total_can_include_a_failed_challenge() -> None:
    """Replay names an earlier wrong sum once, and neither the sum nor the deduction again."""
    totals = [(30, 35), (20, 40), (10, 50)]
    plain = sheet(*(turn(1, "play", word="ONE", score=score, total=total) for score, total in totals))
    found = replay_sheet(parse_sheet(plain), tileset("en"), ReplayRules(), ((-10, 0), (0, 0), (0, 0))).issues
    assert [(one.stated, one.computed) for one in found if one.code == "total-differs"] == [(35, 30)]


@pytest.mark.parametrize(("turns", "words"), [
    (turn(1, "play", score=20), ()), (turn(1, "play", word="CAT", score=20), ("CAT",)),
    (turn(1, "play", word=".AT", score=20), ()), (turn(1, "withdrawn"), ()),
    (turn(1, "withdrawn", "8G", "C1T"), ()),
    (turn(1, "withdrawn", word="CAT"), ("CAT",)), (turn(1, "play", "8G", "C1T", score=20), ()),
])  # fmt: skip
def test_replay_sheet_keeps_a_word_off_the_board(turns: dict[str, object], words: tuple[str, ...]) -> None:
    (line,) = run(sheet(turns)).lines
    assert (line.words, line.play) == (words, None)


@pytest.mark.parametrize(("tiles", "bag", "expected"), [(None, 1, []), (None, 0, [("exchange-too-few", 2, 0, 1)])])
def test_replay_sheet_exchange_has_at_least_one_tile(tiles: int | None, bag: int, expected: list[Finding]) -> None:
    own = TileSet("own", "Own", "en", (Letter("A", bag + 13, 1), Letter("C", 1, 3), Letter("T", 1, 1)))
    result = replay_sheet(
        parse_sheet(sheet(CAT, turn(2, "exchange", tiles=tiles))), own, ReplayRules(exchange_minimum=0)
    )
    assert [(i.code, i.turn, i.stated, i.computed) for i in result.issues] == expected


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
            [CAT, turn(2, "play", "J8", "S1")],
            [("letter-unknown", 2, None, None), ("score-missing", 2, None, None)],
        ),
        ([CAT, turn(2, "play", "1A", "DOG", score=15)], [("not-connected", 2, None, None)]),
        ([turn(1, "play", "8D", "QUIZQ", score=84)], [("tile-over-used", 1, 2, 1)]),
        ([turn(1, "play", "8D", "abcSD", score=6)], [("tile-over-used", 1, 3, 2)]),
        ([CAT, turn(2, "exchange", tiles=3, score=4)], [("score-differs", 2, 4, 0)]),
        ([CAT, turn(2, "pass", total=0), turn(1, "pass", total=10)], []),
        ([CAT, turn(2, "failed-challenge"), turn(2, "pass")], []),
        ([CAT, turn(2, "lost-turn"), turn(2, "pass")], [("off-turn", 3, None, None)]),
        ([CAT, turn(2, "withdrawn", "J8", "SX"), turn(1, "play", "8G", "CATS", score=6)], []),
    ],
)
def test_replay_sheet_finds_issues_of_a_turn(turns: list[dict[str, object]], expected: list[Finding]) -> None:
    assert findings(sheet(*turns)) == expected


def test_replay_sheet_withdrawn_play_scores_nothing() -> None:
    result = run(sheet(CAT, turn(2, "withdrawn", "J8", "SX")))
    assert (result.lines[1].score, result.lines[1].words) == (0, ("SX", "CATS"))
    assert result.board is not None
    assert len(result.board.tiles) == 3


def test_replay_sheet_keeps_a_phony_on_the_board() -> None:
    """NL-27: "same deduction, word stays"; the deduction itself is the rule set's."""
    result = run(sheet(CAT | {"ruling": "phony"}, turn(2, "play", "8G", "CATS", score=6)))
    assert (result.totals, result.issues) == ((10, 6), ())


class TestDirection:
    """III.5 asks only for the square of the first letter, and only preferably."""

    def test_replay_sheet_uses_the_only_legal_direction(self) -> None:
        result = run(sheet(CAT, turn(2, "play", "G8?", "(CAT)S", score=6)))
        assert (result.issues, result.lines[1].score) == ((), 6)

    def test_replay_sheet_uses_the_direction_with_the_stated_score(self) -> None:
        for score in (6, 3):
            assert findings(sheet(CAT, turn(2, "play", "I7?", "AT", score=score))) == []

    def test_replay_sheet_reports_a_single_tile_without_direction(self) -> None:
        found = findings(sheet(CAT, turn(2, "play", "I7?", "AT", score=7)))
        assert found == [("direction-missing", 2, None, None)]

    def test_replay_sheet_only_legal_direction_with_a_wrong_score(self) -> None:
        found = findings(sheet(CAT, turn(2, "play", "G8?", "(CAT)S", score=7)))
        assert found == [("score-differs", 2, 7, 6)]

    def test_replay_sheet_first_word_without_a_direction(self) -> None:
        opening, second = turn(1, "play", "G8?", "CAT", score=10), turn(2, "play", "G8?", "(CAT)S", score=6)
        assert findings(sheet(opening, second)) == []
        assert findings(sheet(opening | {"at": "H8?"})) == [("direction-missing", 1, None, None)]

    def test_replay_sheet_turns_a_wrong_direction(self) -> None:
        found = findings(sheet(CAT, turn(2, "play", "G8", "(CAT)S", score=6)))
        assert found == [("direction-turned", 2, None, None)]

    def test_replay_sheet_keeps_the_direction_with_another_score(self) -> None:
        found = findings(sheet(CAT, turn(2, "play", "G8", "(CAT)S", score=7)))
        assert "direction-turned" not in [code for code, *_ in found]
        assert len(found) >= 1


def test_replay_sheet_uses_stated_scores_after_an_unknown_play() -> None:
    plain = sheet(CAT, turn(2, "play", score=50, word="MYSTERY"), turn(1, "play", "8G", "CATS", score=99))
    result = run(plain)
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
    """NL-16: "7 yes, 6 no"; BR-08: no minimum, only as many as are in the bag."""
    own = TileSet("own", "Own", "en", (Letter("A", bag + 13, 1), Letter("C", 1, 3), Letter("T", 1, 1)))
    result = replay_sheet(
        parse_sheet(sheet(CAT, turn(2, "exchange", tiles=tiles))),
        own,
        ReplayRules(exchange_minimum=exchange_minimum),
    )
    assert result.lines[1].bag == bag
    assert [(i.code, i.turn, i.stated, i.computed) for i in result.issues] == expected


def test_replay_sheet_reports_a_pass_with_tiles_in_the_bag() -> None:
    """BR-28."""
    assert findings(sheet(CAT, turn(2, "pass")), pass_with_tiles=False) == [("pass-not-allowed", 2, 83, 0)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, []), ({"score": 10}, []), ({"total": 10}, []), ({"score": 9}, [("score", 10, 9)]),
        ({"total": 11}, [("total", 10, 11)]), ({"score": 0, "total": 0}, [("score", 10, 0), ("total", 10, 0)]),
    ],
)  # fmt: skip
def test_replay_sheet_ignores_missing_values_of_the_other_form(
    said: dict[str, int], expected: list[tuple[str, int, int]]
) -> None:
    found = run(sheet(CAT, other_form=[{"turn": 1, **said}])).issues
    assert [(one.detail, one.stated, one.other) for one in found] == expected


def test_replay_sheet_compares_the_other_form() -> None:
    plain = sheet(CAT, turn(2, "pass", total=0), turn(1, "pass"))
    plain["other_form"] = [{"turn": 3, "score": 2}, {"turn": 1, "score": 10, "total": 11}]
    result = run(plain)
    assert [(i.code, i.turn, i.stated, i.other, i.detail) for i in result.issues] == [
        ("forms-differ", 1, 10, 11, "total"),
        ("forms-differ", 3, None, 2, "score"),
    ]
    assert "forms-differ" not in {issue.code for issue in run(sheet(CAT)).issues}


ALL = "EEEEEEEEEEEEAAAAAAAAAIIIIIIIIIOOOOOOOONNNNNNRRRRRRTTTTTTLLLLSSSSUUUUDDDDGGGBBCCMMPPFFHHVVWWYYKJXQZ"


def full_board(keep: str) -> list[dict[str, object]]:
    """Lay all letters but `keep` and both blanks, row below row: no real words, but a legal chain of plays."""
    letters = list(ALL)
    for letter in keep:
        letters.remove(letter)
    turns = []
    rows = [letters[start : start + 7] for start in range(0, len(letters), 7)]
    places = ["8H", "9H", "10H", "11H", "12H", "13H", "14H", "15H", "7H", "6H", "5H", "4H", "3H", "2H"]
    for number, (row, at) in enumerate(zip(rows, places, strict=True)):
        turns.append(turn(1 + number % 2, "play", at, "".join(row)))
    return turns


def ended(left: int, players: int, *, out: int = 1, racks: Sequence[str] | None = None) -> list[Finding]:
    """Return the issues if a player is out and so many tiles, A or blank, are not on the board."""
    own = TileSet("own", "Own", "en", (Letter("A", left - 1, 1), Letter("C", 1, 3), Letter("T", 1, 1)))
    names = ["Ann", "Bo", "Cy", "Di"][:players]
    plain = sheet(CAT | {"player": out}, players=names, first=out, ended="out", racks=racks)
    result = replay_sheet(parse_sheet(plain), own, ReplayRules())
    return [(i.code, i.turn, i.stated, i.computed) for i in result.issues]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_replay_sheet_player_out_leaves_at_most_the_other_racks(players: int) -> None:
    most = 7 * (players - 1)
    assert ended(most, players) == []
    assert ended(most + 1, players) == [("out-impossible", None, most + 1, most)]


@pytest.mark.parametrize(("players", "out"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
def test_replay_sheet_player_out_has_an_empty_rack(players: int, out: int) -> None:
    def held_by(holder: int) -> list[Finding]:
        racks = ["AAA??" if number == holder else "" for number in range(1, players + 1)]
        return ended(5, players, out=out, racks=racks)

    assert held_by(out) == [("rack-not-empty", None, 3, 0)]
    others = {*range(1, players + 1)} - {out}
    assert [held_by(other) for other in others] == [[] for _ in others]


@pytest.mark.parametrize(("how", "compared"), [("open", False), (None, False), ("passes", True), ("flag", True)])
def test_replay_sheet_compares_no_racks_in_an_open_game(how: str | None, compared: bool) -> None:
    plain = sheet(*full_board("QZ"), ended=how, racks=["Q?", "?"])
    expected = [("rack-differs", None, 10, 20)] if compared else []
    assert findings(plain) == expected


def test_replay_sheet_uncovered_star_keeps_other_issues() -> None:
    first, apart = turn(1, "play", "1A", "DOG", score=18), turn(2, "play", "15M", "CAT", score=15)
    both = [("centre-not-covered", 1, None, None), ("not-connected", 2, None, None)]
    assert [finding for finding in findings(sheet(first, apart)) if finding[0] != "score-differs"] == both
    found = findings(sheet(first, apart), beside_star=True)
    assert [one for one in found if one[0] != "score-differs"] == both[1:]


class TestTheEnd:
    """X-04: on-board tiles and the opponent's rack are the set."""

    def end(self, **more: object) -> Replay:
        turns = full_board("QZ")
        assert len(turns) == 14
        return run(sheet(*turns, ended="out", **more))

    def codes(self, **more: object) -> list[Finding]:
        return [(i.code, i.turn, i.stated, i.computed) for i in self.end(**more).issues]

    def test_replay_sheet_derives_the_rack_of_the_opponent(self) -> None:
        result = self.end()
        assert result.issues == ()
        assert result.unplayed_tiles == ("Q", "Z", "?", "?")
        assert result.rack_values == (20, 0)
        assert result.lines[-1].bag == 0

    def test_replay_sheet_compares_the_derived_rack(self) -> None:
        assert self.codes(racks=["QZ??", ""]) == []
        assert self.codes(racks=["QZ?", ""]) == [("rack-differs", None, 20, 20)]
        assert self.codes(racks=["Q?", ""]) == [("rack-differs", None, 10, 20)]
        assert self.codes(rack_values=[20, 0]) == []
        assert self.codes(rack_values=[19, 0]) == [("rack-differs", None, 19, 20)]
        assert self.codes(racks=["Q?", "Z?"]) == [("rack-not-empty", None, 10, 0)]

    def test_replay_sheet_prefers_the_noted_rack(self) -> None:
        assert self.end(rack_values=[19, 0]).rack_values == (19, 0)

    def test_replay_sheet_reports_impossible_racks(self) -> None:
        assert ("tile-over-used", None, 2, 1) in [
            (i.code, i.turn, i.stated, i.computed)
            for i in run(sheet(CAT, ended="passes", racks=["QQ", ""])).issues
        ]
        assert findings(sheet(CAT, ended="passes", racks=["ABCDEFGH", ""])) == [("rack-too-long", None, 8, 7)]
        assert findings(sheet(CAT, ended="passes", racks=["ABDEFGH", ""])) == []  # seven are a full rack
        assert findings(sheet(CAT, racks=["A1", ""])) == [("rack-unreadable", None, None, None)]

    def test_replay_sheet_player_out_needs_an_empty_bag(self) -> None:
        assert findings(sheet(CAT, ended="out")) == [("out-impossible", None, 97, 7)]

    def test_replay_sheet_checks_the_sum_of_three_racks(self) -> None:
        turns = full_board("QZ")
        for number, line in enumerate(turns):
            line["player"] = 1 + number % 3
        plain = {"players": ["A", "B", "C"], "turns": turns, "ended": "out"}
        assert run(plain).rack_values == (None, None, None)
        assert run(plain | {"racks": ["Q?", "", "Z?"]}).issues == ()
        assert run(plain | {"rack_values": [10, 0, 10]}).issues == ()
        assert [i.code for i in run(plain | {"rack_values": [10, 0, 9]}).issues] == ["rack-differs"]

    def test_replay_sheet_end_by_passes_with_an_empty_bag(self) -> None:
        plain = sheet(*full_board("QZ"), ended="passes")
        assert run(plain | {"racks": ["QZ", "??"]}).issues == ()
        assert [i.code for i in run(plain | {"racks": ["QZ", "?"]}).issues] == ["rack-differs"]


@given(st.lists(st.tuples(st.integers(0, 99), st.booleans()), max_size=20))
def test_replay_sheet_total_is_the_sum_of_the_turns(scores: list[tuple[int, bool]]) -> None:
    def played(first: int) -> Replay:
        turns = []
        for number, (score, plays) in enumerate(scores):
            player = first if number % 2 == 0 else 3 - first
            turns.append(turn(player, "play", word="AB", score=score) if plays else turn(player, "pass"))
        return run(sheet(*turns, first=first))

    one, two = played(1), played(2)
    assert one.totals == two.totals[::-1]
    assert one.issues == two.issues == ()
    for player in (1, 2):
        assert one.totals[player - 1] == sum(line.score for line in one.lines if line.player == player)
