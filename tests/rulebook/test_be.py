"""Tests of the rules of the Brailleliga (be-brailleliga), with the four turns of the book's example."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.judging import compute_peg_rack_holes
from tdapp.domain.round_clock import find_starter_by_tile_draws
from tdapp.domain.ruleset import HyphenAndApostropheRule, Outcome, PassPermission
from tdapp.scrabble.board import FormedWord
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import normalise_word
from tests.rulebook.books import (
    judge_sheet_document,
    judge_totals,
    list_issue_codes,
    load_preset,
    load_tile_set,
    make_opening_plays,
    make_play,
    make_sheet,
    make_sheet_of_plays,
    make_turn,
    rule,
)

RULES = load_preset("be-brailleliga")
OLD_TILES = load_tile_set("nl-be-old")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
EXAMPLE = (("8D", "TAART"), ("E7", "TAFEL"), ("12C", "POST"), ("F10", "LATER"))


def list_formed_words(line: ReplayedTurn) -> tuple[FormedWord, ...]:
    assert line.play is not None
    return line.play.words


@rule("BR-01", "degene die een letter heeft het dichtst bij het begin van het alfabet; 2, 3 of 4 spelers")
def test_starting_draw_nearest_to_a_begins() -> None:
    """The book has no rule for blanks and ties: all players draw again."""
    assert find_starter_by_tile_draws(RULES, OLD_TILES, [{1: "F", 2: "C", 3: "Z", 4: "D"}]) == StartingDrawOutcome(
        2, ()
    )
    assert find_starter_by_tile_draws(RULES, OLD_TILES, [{1: "C", 2: "C", 3: "Z"}]) == StartingDrawOutcome(
        None, (1, 2, 3)
    )
    assert find_starter_by_tile_draws(RULES, OLD_TILES, [{1: "?", 2: "A"}]) == StartingDrawOutcome(None, (1, 2))
    assert RULES.most_players == 4
    with pytest.raises(CommandError) as refusal:
        find_starter_by_tile_draws(RULES, OLD_TILES, [{1: "C"}])
    assert refusal.value.code == "draw-missing"


@rule("BR-02", "de onderste rij voor minder dan 20 punten en de bovenste voor iedere 20 punten")
@pytest.mark.parametrize(
    ("score", "holes"), [(0, (0, 0)), (18, (0, 18)), (18 + 12, (1, 10)), (20, (1, 0)), (437, (21, 17))]
)
def test_peg_rack_holes_of_a_score(score: int, holes: tuple[int, int]) -> None:
    assert RULES.form.peg_row == 20
    assert compute_peg_rack_holes(score, RULES.form.peg_row) == holes
    with pytest.raises(ValueError, match="no holes"):
        compute_peg_rack_holes(-score - 1, RULES.form.peg_row)


@rule("BR-03", "twee of meer letters, met één der letters op het middelste vakje; diagonaal verboden")
def test_first_word_covers_the_star() -> None:
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8D", "TAART"))).scores[0] == 12
    assert judge_sheet_document(RULES, make_sheet_of_plays(("H4", "TAART"))).scores[0] == 12
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet_of_plays(("8H", "T")))) == ["one-tile-first"]
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet_of_plays(("9D", "TAART")))) == [
        "centre-not-covered"
    ]


@rule("BR-04", "steeds in één lijn; complete woorden; punten voor alle gevormde of gewijzigde woorden")
def test_words_of_a_play_all_count() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE[:3]))
    assert [(word.text, word.score) for word in list_formed_words(judged_sheet.turns[2])] == [
        ("POST", 12),
        ("TAFELS", 11),
    ]


@rule("BR-05", "toevoegen; rechthoekig, één letter bevattend of toevoegend; parallel")
@pytest.mark.parametrize(
    ("square", "word", "expected"),
    [
        ("8D", "TAARTEN", []),
        ("E7", "TAFEL", []),
        ("I8", "EN", []),
        ("9F", "EL", []),
        ("10F", "EL", ["not-connected"]),
    ],
)
def test_words_of_a_play_must_be_connected(square: str, word: str, expected: list[str]) -> None:
    assert (
        list_issue_codes(judge_sheet_document(RULES, make_sheet_of_plays(EXAMPLE[0], (square, word)))) == expected
    )


@rule("BR-07", "De twee blanco blokjes voor elke letter; van een blanco is de puntenwaarde nihil")
def test_blanks_score_nothing() -> None:
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8D", "TAArT"))).scores[0] == 10


@rule("BR-08", "één, meer of alle letters omruilen: een zelfde aantal nieuwe, dan de oude terug")
@pytest.mark.parametrize(("bag", "count", "expected"), [(3, 3, []), (3, 4, ["exchange-too-few"]), (7, 7, [])])
def test_exchange_needs_as_many_tiles_in_the_bag(bag: int, count: int, expected: list[str]) -> None:
    """The bag must contain as many tiles as the player exchanges."""
    turns = make_opening_plays(OLD_TILES, tile_count=102 - 14 - bag)
    player = 3 - int(str(turns[-1]["player"]))
    judged_sheet = judge_sheet_document(
        RULES, make_sheet([*turns, make_turn(player, "exchange", tiles=count)], ended="open")
    )
    assert (judged_sheet.turns[-1].bag, judged_sheet.turns[-1].score) == (bag, 0)
    assert [code for code in list_issue_codes(judged_sheet) if code.startswith("exchange")] == expected


@rule("BR-09", "onaanvaardbaar: blokjes terug en beurt verloren; geen afkappings- of koppelteken")
def test_disputes_over_a_word_cost_the_turn() -> None:
    turns = [
        make_play(1, 20),
        make_turn(2, "withdrawn", word="XYZ"),
        make_play(1, 10),
        make_turn(2, "failed-challenge"),
    ]
    assert judge_sheet_document(RULES, make_sheet(turns, ended="open")).scores == (30, 0)
    allows_marks = RULES.words.marked is HyphenAndApostropheRule.ALLOWED
    assert normalise_word("auto's", "nl", accept_hyphens_and_apostrophes=allows_marks) is None
    assert normalise_word("mee-eten", "nl", accept_hyphens_and_apostrophes=allows_marks) is None
    assert normalise_word("taart", "nl", accept_hyphens_and_apostrophes=allows_marks) == "TAART"


@rule("BR-10", "de pot leeg is en a) één geen letters meer heeft of b) niemand meer een woord weet")
def test_end_of_the_game_with_an_empty_bag() -> None:
    assert list_issue_codes(judge_totals(RULES, 100, 90, ended="blocked", rack_values=[4, 7])) == []
    early_end = make_sheet_of_plays(*EXAMPLE) | {"ended": "blocked"}
    assert list_issue_codes(judge_sheet_document(RULES, early_end)) == ["bag-not-empty"]
    turns = make_opening_plays(OLD_TILES, tile_count=95)
    assert "bag-not-empty" not in list_issue_codes(judge_sheet_document(RULES, make_sheet(turns, ended="blocked")))
    passes = [make_play(1, 20), *[make_turn(2 - number % 2, "pass") for number in range(8)]]
    assert "turn-after-end" not in list_issue_codes(judge_sheet_document(RULES, make_sheet(passes, ended="open")))
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet(passes))) == ["end-not-in-rules"]


@rule("BR-11", "het totaal van de letters van gevormde of gewijzigde woorden, plus de premiewaarde")
def test_score_of_a_turn_adds_its_words() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE))
    assert [sum(word.score for word in list_formed_words(line)) for line in judged_sheet.turns] == [12, 20, 23, 22]


@rule("BR-12", "Een lichtblauw hokje verdubbelt de punten van de letters; een donkerblauw verdriedubbelt")
def test_letter_premiums_double_or_triple_a_letter() -> None:
    """LATER: F10 triples the L, F14 the R."""
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE))
    assert list_formed_words(judged_sheet.turns[3])[0].score == 2 * 3 + 1 + 1 + 1 + 1 * 3
    assert (
        judge_sheet_document(RULES, make_sheet_of_plays(("8D", "TAART"))).scores[0] == (1 * 2 + 1 + 1 + 1 + 1) * 2
    )


@rule("BR-13", "eerst de letterpremie; tweemaal verdubbeld 4 maal, tweemaal verdriedubbeld 9 maal")
def test_word_premiums_double_or_triple_a_word() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE))
    assert judged_sheet.turns[1].score == (1 + 1 + 5 + 1 + 2) * 2  # E11
    assert list_formed_words(judged_sheet.turns[2])[0].score == (3 + 1 + 1 + 1) * 2  # D12
    nine_plays = make_sheet_of_plays(
        ("8H", "EE"), ("8H", "EEEE"), ("8H", "EEEEE"), ("8H", "EEEEEEEE"), ("O1", "EEEEEEEE")
    )
    assert judge_sheet_document(RULES, nine_plays).turns[3].score == 3 * (5 + 1 * 1 + 1 + 1)


@rule("BR-14", "gelden alleen voor de speler die deze hokjes voor de eerste keer bedekt")
def test_premiums_count_once() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(("8D", "TAART"), ("8D", "TAARTEN")))
    assert judged_sheet.turns[1].score == 1 * 7


@rule("BR-15", "een blanco blokje op een rood hokje: het totaal wordt verdubbeld")
def test_word_premium_counts_below_a_blank() -> None:
    """On dark red the word counts three times, by rule 13."""
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8D", "TAARt"))).scores[0] == (2 + 1 + 1 + 1 + 0) * 2
    plays_on_triple = make_sheet_of_plays(("8H", "EEEEEEE"), ("8H", "EEEEEEEe"))
    assert judge_sheet_document(RULES, plays_on_triple).turns[1].score == 7 * 3


@rule("BR-16", "De gemeenschappelijke letter wordt bij ieder woord meegerekend, met de volle premiewaarde")
def test_letter_premium_counts_in_both_words() -> None:
    """The L on a triple letter square counts 6 in LATER and 6 in EL."""
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE))
    assert [(word.text, word.score) for word in list_formed_words(judged_sheet.turns[3])] == [
        ("LATER", 12),
        ("EL", 7),
        ("LA", 3),
    ]


@rule("BR-17", "Elke speler die alle 7 letters bij één beurt plaatst, krijgt 50 punten extra")
def test_bonus_for_seven_tiles() -> None:
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8D", "TAARTEN"))).scores[0] == (1 * 2 + 6) * 2 + 50


@rule("BR-18", "verminderd met de eigen letters; wie alles verbruikt heeft, krijgt die van alle andere spelers")
def test_end_racks_of_all_count() -> None:
    turns = [make_play(2, 90), make_play(1, 100)]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, first=2, ended="out", rack_values=[0, 6]))
    assert [part.racks for part in judged_sheet.breakdown] == [6, -6]
    turns_of_four = [make_play(2, 90), make_play(3, 80), make_play(4, 70), make_play(1, 100)]
    judged_sheet = judge_sheet_document(
        RULES, make_sheet(turns_of_four, players="ABCD", first=2, ended="out", rack_values=[0, 6, 1, 2])
    )
    assert [part.racks for part in judged_sheet.breakdown] == [9, -6, -1, -2]


@rule("BR-19", "Eerste beurt 12, tweede 20, derde 23, vierde 22 punten")
def test_example_of_the_book() -> None:
    """The example uses the old Flemish values. With the modern set TAART alone scores 20."""
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE))
    assert [line.score for line in judged_sheet.turns] == [12, 20, 23, 22]
    assert [line.words for line in judged_sheet.turns] == [
        ("TAART",),
        ("TAFEL",),
        ("POST", "TAFELS"),
        ("LATER", "EL", "LA"),
    ]
    assert (judged_sheet.scores, judged_sheet.issues) == ((35, 42), ())
    assert judge_sheet_document(RULES, make_sheet_of_plays(*EXAMPLE) | {"tileset": "nl"}).turns[0].score == 20


def test_first_word_needs_a_minimum_length_in_the_variation() -> None:
    """The option requires a first word of at least five letters. Without such a word a player passes."""
    rules = replace(RULES, first_word=5)
    short_first_word = make_sheet_of_plays(("8H", "LA"), ("H8", "LATER"))
    assert list_issue_codes(judge_sheet_document(RULES, short_first_word)) == []
    assert list_issue_codes(judge_sheet_document(rules, short_first_word)) == ["first-word-short"]
    assert list_issue_codes(judge_sheet_document(rules, make_sheet_of_plays(*EXAMPLE))) == []
    sheet_with_passes = make_sheet(
        [
            make_turn(1, "pass"),
            make_turn(2, "pass"),
            {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
            make_turn(2, "pass"),
        ],
        ended="open",
    )
    assert [issue.turn for issue in judge_sheet_document(rules, sheet_with_passes).issues] == [4]
    assert [issue.turn for issue in judge_sheet_document(RULES, sheet_with_passes).issues] == [1, 2, 4]


@rule("BR-27", "De winnaar is die speler, die het hoogste aantal punten weet te verzamelen")
def test_highest_total_wins() -> None:
    assert judge_totals(RULES, 100, 120, 110, ended="blocked").results == (LOSS, WIN, LOSS)
    assert judge_totals(RULES, 120, 110, 120, 90, ended="blocked").results == (DRAW, LOSS, DRAW, LOSS)


@rule("BR-28", "Rule 7 lets a player exchange; a pass exists only in the variation on it")
def test_pass_is_refused_while_tiles_remain() -> None:
    first = {"player": 1, "kind": "play", "at": "8D", "word": "TAART"}
    turns = [first, make_turn(2, "pass"), make_turn(1, "exchange", tiles=1), make_turn(2, "pass")]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, ended="open"))
    assert [(issue.turn, issue.code) for issue in judged_sheet.issues] == [
        (2, "pass-not-allowed"),
        (4, "pass-not-allowed"),
    ]
    variant = replace(RULES, passing=PassPermission.NOT_TWICE)
    with_variant = judge_sheet_document(variant, make_sheet(turns, ended="open"))
    assert [(issue.turn, issue.code) for issue in with_variant.issues] == [(4, "pass-twice")]
    opening_plays = make_opening_plays(OLD_TILES, tile_count=95)
    player = 3 - int(str(opening_plays[-1]["player"]))
    assert "pass-not-allowed" not in list_issue_codes(
        judge_sheet_document(RULES, make_sheet([*opening_plays, make_turn(player, "pass")], ended="open"))
    )
