"""Scrabble by the rules of the Brailleliga (be-brailleliga), with the four turns of its own example."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.judging import convert_score_to_peg_holes
from tdapp.domain.round_clock import find_starter
from tdapp.domain.ruleset import MarkedWordRule, Outcome, PassPermission
from tdapp.scrabble.board import FormedWord
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import normalise_word
from tests.rulebook.books import codes, judged, opening, play, preset, rule, sheet, standing, tiles, turn

RULES = preset("be-brailleliga")
OLD = tiles("nl-be-old")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
EXAMPLE = (("8D", "TAART"), ("E7", "TAFEL"), ("12C", "POST"), ("F10", "LATER"))


def alternating(*places: tuple[str, str]) -> dict[str, object]:
    turns = [
        {"player": 1 + number % 2, "kind": "play", "at": at, "word": word}
        for number, (at, word) in enumerate(places)
    ]
    return sheet(turns, ended="open")


def formed(line: ReplayedTurn) -> tuple[FormedWord, ...]:
    assert line.play is not None
    return line.play.words


@rule("BR-01", "degene die een letter heeft het dichtst bij het begin van het alfabet; 2, 3 of 4 spelers")
def test_starting_draw_nearest_to_a_begins() -> None:
    """Neither blanks nor ties are regulated: all draw again."""
    assert find_starter(RULES, OLD, [{1: "F", 2: "C", 3: "Z", 4: "D"}]) == StartingDrawOutcome(2, ())
    assert find_starter(RULES, OLD, [{1: "C", 2: "C", 3: "Z"}]) == StartingDrawOutcome(None, (1, 2, 3))
    assert find_starter(RULES, OLD, [{1: "?", 2: "A"}]) == StartingDrawOutcome(None, (1, 2))
    assert RULES.most_players == 4
    with pytest.raises(RuleViolation) as caught:
        find_starter(RULES, OLD, [{1: "C"}])
    assert caught.value.code == "draw-missing"


@rule("BR-02", "de onderste rij voor minder dan 20 punten en de bovenste voor iedere 20 punten")
@pytest.mark.parametrize(
    ("score", "holes"), [(0, (0, 0)), (18, (0, 18)), (18 + 12, (1, 10)), (20, (1, 0)), (437, (21, 17))]
)
def test_peg_rack_holes_of_a_score(score: int, holes: tuple[int, int]) -> None:
    assert RULES.form.peg_row == 20
    assert convert_score_to_peg_holes(score, RULES.form.peg_row) == holes
    with pytest.raises(ValueError, match="no holes"):
        convert_score_to_peg_holes(-score - 1, RULES.form.peg_row)


@rule("BR-03", "twee of meer letters, met één der letters op het middelste vakje; diagonaal verboden")
def test_first_word_covers_the_star() -> None:
    assert judged(RULES, alternating(("8D", "TAART"))).scores[0] == 12
    assert judged(RULES, alternating(("H4", "TAART"))).scores[0] == 12
    assert codes(judged(RULES, alternating(("8H", "T")))) == ["one-tile-first"]
    assert codes(judged(RULES, alternating(("9D", "TAART")))) == ["centre-not-covered"]


@rule("BR-04", "steeds in één lijn; complete woorden; punten voor alle gevormde of gewijzigde woorden")
def test_words_of_a_play_all_count() -> None:
    found = judged(RULES, alternating(*EXAMPLE[:3]))
    assert [(word.text, word.score) for word in formed(found.turns[2])] == [("POST", 12), ("TAFELS", 11)]


@rule("BR-05", "toevoegen; rechthoekig, één letter bevattend of toevoegend; parallel")
@pytest.mark.parametrize(
    ("at", "word", "expected"),
    [
        ("8D", "TAARTEN", []),
        ("E7", "TAFEL", []),
        ("I8", "EN", []),
        ("9F", "EL", []),
        ("10F", "EL", ["not-connected"]),
    ],
)
def test_words_of_a_play_must_be_connected(at: str, word: str, expected: list[str]) -> None:
    assert codes(judged(RULES, alternating(EXAMPLE[0], (at, word)))) == expected


@rule("BR-07", "De twee blanco blokjes voor elke letter; van een blanco is de puntenwaarde nihil")
def test_blanks_score_nothing() -> None:
    assert judged(RULES, alternating(("8D", "TAArT"))).scores[0] == 10


@rule("BR-08", "één, meer of alle letters omruilen: een zelfde aantal nieuwe, dan de oude terug")
@pytest.mark.parametrize(("bag", "count", "expected"), [(3, 3, []), (3, 4, ["exchange-too-few"]), (7, 7, [])])
def test_exchange_needs_as_many_tiles_in_the_bag(bag: int, count: int, expected: list[str]) -> None:
    """No least number in the bag but as many as are exchanged."""
    turns = opening(OLD, laid=102 - 14 - bag)
    player = 3 - int(str(turns[-1]["player"]))
    found = judged(RULES, sheet([*turns, turn(player, "exchange", tiles=count)], ended="open"))
    assert (found.turns[-1].bag, found.turns[-1].score) == (bag, 0)
    assert [code for code in codes(found) if code.startswith("exchange")] == expected


@rule("BR-09", "onaanvaardbaar: blokjes terug en beurt verloren; geen afkappings- of koppelteken")
def test_disputes_over_a_word_cost_the_turn() -> None:
    turns = [play(1, 20), turn(2, "withdrawn", word="XYZ"), play(1, 10), turn(2, "failed-challenge")]
    assert judged(RULES, sheet(turns, ended="open")).scores == (30, 0)
    joints = RULES.words.marked is MarkedWordRule.ALLOWED
    assert normalise_word("auto's", "nl", joints=joints) is None
    assert normalise_word("mee-eten", "nl", joints=joints) is None
    assert normalise_word("taart", "nl", joints=joints) == "TAART"


@rule("BR-10", "de pot leeg is en a) één geen letters meer heeft of b) niemand meer een woord weet")
def test_end_of_the_game_with_an_empty_bag() -> None:
    assert codes(standing(RULES, 100, 90, ended="blocked", rack_values=[4, 7])) == []
    early = alternating(*EXAMPLE) | {"ended": "blocked"}
    assert codes(judged(RULES, early)) == ["bag-not-empty"]
    turns = opening(OLD, laid=95)
    assert "bag-not-empty" not in codes(judged(RULES, sheet(turns, ended="blocked")))
    passes = [play(1, 20), *[turn(2 - number % 2, "pass") for number in range(8)]]
    assert "turn-after-end" not in codes(judged(RULES, sheet(passes, ended="open")))
    assert codes(judged(RULES, sheet(passes))) == ["end-not-in-rules"]


@rule("BR-11", "het totaal van de letters van gevormde of gewijzigde woorden, plus de premiewaarde")
def test_score_of_a_turn_adds_its_words() -> None:
    found = judged(RULES, alternating(*EXAMPLE))
    assert [sum(word.score for word in formed(line)) for line in found.turns] == [12, 20, 23, 22]


@rule("BR-12", "Een lichtblauw hokje verdubbelt de punten van de letters; een donkerblauw verdriedubbelt")
def test_letter_premiums_double_or_triple_a_letter() -> None:
    """LATER: F10 triples the L, F14 the R."""
    found = judged(RULES, alternating(*EXAMPLE))
    assert formed(found.turns[3])[0].score == 2 * 3 + 1 + 1 + 1 + 1 * 3
    assert judged(RULES, alternating(("8D", "TAART"))).scores[0] == (1 * 2 + 1 + 1 + 1 + 1) * 2


@rule("BR-13", "eerst de letterpremie; tweemaal verdubbeld 4 maal, tweemaal verdriedubbeld 9 maal")
def test_word_premiums_double_or_triple_a_word() -> None:
    found = judged(RULES, alternating(*EXAMPLE))
    assert found.turns[1].score == (1 + 1 + 5 + 1 + 2) * 2  # E11
    assert formed(found.turns[2])[0].score == (3 + 1 + 1 + 1) * 2  # D12
    nine = alternating(("8H", "EE"), ("8H", "EEEE"), ("8H", "EEEEE"), ("8H", "EEEEEEEE"), ("O1", "EEEEEEEE"))
    assert judged(RULES, nine).turns[3].score == 3 * (5 + 1 * 1 + 1 + 1)


@rule("BR-14", "gelden alleen voor de speler die deze hokjes voor de eerste keer bedekt")
def test_premiums_count_once() -> None:
    found = judged(RULES, alternating(("8D", "TAART"), ("8D", "TAARTEN")))
    assert found.turns[1].score == 1 * 7


@rule("BR-15", "een blanco blokje op een rood hokje: het totaal wordt verdubbeld")
def test_word_premium_counts_below_a_blank() -> None:
    """On dark red it is tripled, as rule 13 says."""
    assert judged(RULES, alternating(("8D", "TAARt"))).scores[0] == (2 + 1 + 1 + 1 + 0) * 2
    triple = alternating(("8H", "EEEEEEE"), ("8H", "EEEEEEEe"))
    assert judged(RULES, triple).turns[1].score == 7 * 3


@rule("BR-16", "De gemeenschappelijke letter wordt bij ieder woord meegerekend, met de volle premiewaarde")
def test_letter_premium_counts_in_both_words() -> None:
    """The L on a triple letter counts 6 in LATER and 6 in EL."""
    found = judged(RULES, alternating(*EXAMPLE))
    assert [(word.text, word.score) for word in formed(found.turns[3])] == [("LATER", 12), ("EL", 7), ("LA", 3)]


@rule("BR-17", "Elke speler die alle 7 letters bij één beurt plaatst, krijgt 50 punten extra")
def test_bonus_for_seven_tiles() -> None:
    assert judged(RULES, alternating(("8D", "TAARTEN"))).scores[0] == (1 * 2 + 6) * 2 + 50


@rule("BR-18", "verminderd met de eigen letters; wie alles verbruikt heeft, krijgt die van alle andere spelers")
def test_end_racks_of_all_count() -> None:
    turns = [play(2, 90), play(1, 100)]
    found = judged(RULES, sheet(turns, first=2, ended="out", rack_values=[0, 6]))
    assert [part.racks for part in found.breakdown] == [6, -6]
    four = [play(2, 90), play(3, 80), play(4, 70), play(1, 100)]
    found = judged(RULES, sheet(four, players="ABCD", first=2, ended="out", rack_values=[0, 6, 1, 2]))
    assert [part.racks for part in found.breakdown] == [9, -6, -1, -2]


@rule("BR-19", "Eerste beurt 12, tweede 20, derde 23, vierde 22 punten")
def test_example_of_the_book() -> None:
    """Only with the old Flemish values: with the modern set TAART alone is 20."""
    found = judged(RULES, alternating(*EXAMPLE))
    assert [line.score for line in found.turns] == [12, 20, 23, 22]
    assert [line.words for line in found.turns] == [
        ("TAART",),
        ("TAFEL",),
        ("POST", "TAFELS"),
        ("LATER", "EL", "LA"),
    ]
    assert (found.scores, found.issues) == ((35, 42), ())
    assert judged(RULES, alternating(*EXAMPLE) | {"tileset": "nl"}).turns[0].score == 20


def test_the_variation_on_rule_1_wants_a_long_first_word() -> None:
    """It is an option of the rules: at least four or five letters; a player without such a word passes."""
    rules = replace(RULES, first_word=5)
    short = alternating(("8H", "LA"), ("H8", "LATER"))
    assert codes(judged(RULES, short)) == []
    assert codes(judged(rules, short)) == ["first-word-short"]
    assert codes(judged(rules, alternating(*EXAMPLE))) == []
    waiting = sheet(
        [
            turn(1, "pass"),
            turn(2, "pass"),
            {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
            turn(2, "pass"),
        ],
        ended="open",
    )
    assert [issue.turn for issue in judged(rules, waiting).issues] == [4]
    assert [issue.turn for issue in judged(RULES, waiting).issues] == [1, 2, 4]


@rule("BR-27", "De winnaar is die speler, die het hoogste aantal punten weet te verzamelen")
def test_highest_total_wins() -> None:
    assert standing(RULES, 100, 120, 110, ended="blocked").results == (LOSS, WIN, LOSS)
    assert standing(RULES, 120, 110, 120, 90, ended="blocked").results == (DRAW, LOSS, DRAW, LOSS)


@rule("BR-28", "Rule 7 lets a player exchange; a pass exists only in the variation on it")
def test_pass_is_refused_while_tiles_remain() -> None:
    first = {"player": 1, "kind": "play", "at": "8D", "word": "TAART"}
    turns = [first, turn(2, "pass"), turn(1, "exchange", tiles=1), turn(2, "pass")]
    found = judged(RULES, sheet(turns, ended="open"))
    assert [(issue.turn, issue.code) for issue in found.issues] == [
        (2, "pass-not-allowed"),
        (4, "pass-not-allowed"),
    ]
    variant = replace(RULES, passing=PassPermission.NOT_TWICE)
    again = judged(variant, sheet(turns, ended="open"))
    assert [(issue.turn, issue.code) for issue in again.issues] == [(4, "pass-twice")]
    full = opening(OLD, laid=95)
    player = 3 - int(str(full[-1]["player"]))
    assert "pass-not-allowed" not in codes(judged(RULES, sheet([*full, turn(player, "pass")], ended="open")))
