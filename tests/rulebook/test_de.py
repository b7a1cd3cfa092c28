"""Tests of the Scrabble-Spielregeln with the supplement for tournaments (de-spielregeln)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.pairing_settings import PairingSettings, ScoreGroupPairing
from tdapp.domain.round_clock import find_starter_by_tile_draws
from tdapp.domain.ruleset import (
    ChallengePointsReceiver,
    HyphenAndApostropheRule,
    Outcome,
    OvertimeKind,
    PenaltyUnit,
)
from tdapp.exchange.presets import read_rulebook_references
from tdapp.scrabble.board import Board, PlacedTile, TurnTilePlacement
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import normalise_word
from tests.building import RESOURCES, make_event, pair_rounds
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

RULES = load_preset("de-scrabble")
TILE_SET = load_tile_set("de")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW


def make_placed_play(square: str, word: str, player: int = 1, **fields: object) -> dict[str, object]:
    return {"player": player, "kind": "play", "at": square, "word": word, **fields}


@rule("DE-01", "Das Spiel umfasst 100 Buchstabensteine; alle 102 Spielsteine")
def test_tiles_of_the_german_set() -> None:
    assert (TILE_SET.tile_count, TILE_SET.blanks) == (102, 2)
    assert sum(letter.count * letter.value for letter in TILE_SET.letters) == 202
    assert " ".join(
        f"{letter.text}{letter.count}" for letter in sorted(TILE_SET.letters, key=lambda letter: letter.text)
    ) == ("A5 B2 C2 D4 E15 F2 G3 H4 I6 J1 K2 L3 M4 N9 O3 P1 Q1 R6 S7 T6 U6 V1 W1 X1 Y1 Z1 Ä1 Ö1 Ü1")


@rule("DE-02", "für jeden gewünschten Buchstaben, nicht jedoch als 'ß'; Wert null; nicht ausgewechselt")
def test_blanks_stand_for_a_letter_and_stay() -> None:
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8G", "TüR"))).scores[0] == (1 + 0 + 1) * 2
    accented_words = judge_sheet_document(
        RULES, make_sheet([make_placed_play("8D", "SPAß"), make_placed_play("9D", "CAFÉ")], ended="open")
    )
    assert [line.words[0] for line in accented_words.turns] == ["SPASS", "CAFE"]
    assert list_issue_codes(
        judge_sheet_document(RULES, make_sheet([make_placed_play("8G", "SPAЖ", score=10)], ended="open"))
    ) == ["letter-unknown"]


@rule("DE-03", "Wer einen Blankostein zieht bzw. am weitesten vorn im Alphabet; Ä, Ö, Ü direkt hinter A, O, U")
@pytest.mark.parametrize(
    ("drawn_tiles", "outcome"),
    [
        (("Ä", "B"), StartingDrawOutcome(1, ())),
        (("Ä", "A"), StartingDrawOutcome(2, ())),
        (("?", "A"), StartingDrawOutcome(1, ())),
        (("?", "?"), StartingDrawOutcome(None, (1, 2))),
        (("P", "Ö", "O"), StartingDrawOutcome(3, ())),
        (("U", "Ü", "V", "U"), StartingDrawOutcome(None, (1, 4))),
    ],
)
def test_starting_draw_nearest_to_a_starts(drawn_tiles: tuple[str, ...], outcome: StartingDrawOutcome) -> None:
    assert find_starter_by_tile_draws(RULES, TILE_SET, [dict(enumerate(drawn_tiles, 1))]) == outcome


@rule("DE-03", "Only those who matter draw again")
def test_starting_draw_repeats_ties() -> None:
    assert find_starter_by_tile_draws(
        RULES, TILE_SET, [{1: "U", 2: "V", 3: "U"}, {1: "E", 3: "D"}]
    ) == StartingDrawOutcome(3, ())
    with pytest.raises(CommandError) as refusal:
        find_starter_by_tile_draws(RULES, TILE_SET, [{1: "U", 2: "V", 3: "U"}, {1: "E", 2: "A", 3: "D"}])
    assert refusal.value.code == "draw-players"


@rule("DE-04", "mindestens zwei Buchstaben über das Sternfeld; darf auch tauschen oder passen")
def test_opening_play_covers_the_star() -> None:
    turns = [make_turn(1, "exchange", tiles=7), make_turn(2, "pass"), make_placed_play("H7", "ER")]
    assert judge_sheet_document(RULES, make_sheet(turns, ended="open")).issues == ()
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet_of_plays(("8G", "E")))) == [
        "one-tile-first",
        "centre-not-covered",
    ]
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet_of_plays(("7G", "ER")))) == [
        "centre-not-covered"
    ]


@rule("DE-05", "bei jedem Zug nur ein Wort; Kombinationen in Querrichtung müssen auch Wörter bilden")
def test_cross_words_are_listed() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(("8G", "HAND"), ("9F", "DIE")))
    assert judged_sheet.turns[1].words == ("DIE", "HI", "AE")
    distant_play = judge_sheet_document(RULES, make_sheet_of_plays(("8G", "HAND"), ("11H", "DA")))
    assert list_issue_codes(distant_play) == ["not-connected"]


@rule("DE-07", "Wert des gelegten Wortes und der neu entstandenen bzw. veränderten Wörter")
def test_letters_count_in_each_word() -> None:
    """9F-9H: G9 doubles the I in DIE and in HI."""
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(("8G", "HAND"), ("9F", "DIE")))
    assert judged_sheet.turns[1].score == (1 + 1 * 2 + 1) + (2 + 1 * 2) + (1 + 1)


@rule("DE-08", "zwei hellrote vierfach, zwei bzw. drei dunkelrote Felder neun- bzw. 27-fach")
@pytest.mark.parametrize(
    ("row", "column", "tiles_on_board", "new_tiles", "score"),
    [
        (5, 5, "", "EEEEEE", 6 * 2),
        (5, 5, " EEEEE ", "E.....E", 7 * 4),
        (1, 1, "", "EEEE", (3 + 2) * 3),
        (1, 1, " EEEEEE ", "E......E", 8 * 9),
        (1, 1, " EEEEEE EEEEEE ", "E......E......E", 15 * 27),
    ],
)
def test_premiums_multiply(row: int, column: int, tiles_on_board: str, new_tiles: str, score: int) -> None:
    """Letter premiums apply first, then the product of all new word premiums. The star doubles."""
    board = Board().place_tiles(
        [PlacedTile(row, column + offset, tile) for offset, tile in enumerate(tiles_on_board) if tile != " "]
    )
    tiles_laid = tuple(
        PlacedTile(row, column + offset, tile) for offset, tile in enumerate(new_tiles) if tile != "."
    )
    assert board.score_play(TurnTilePlacement(tiles_laid), TILE_SET).score == score
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8H", "ER"))).scores[0] == 2 * 2


@rule("DE-09", "Blankostein auf Buchstabenprämie bleibt null; die Wortprämie gilt auch für ihn")
def test_premiums_below_a_blank() -> None:
    """H8 doubles the word with the blank. D8 doubles a letter, so a blank there stays 0."""
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8G", "RaT"))).scores[0] == (1 + 0 + 1) * 2
    assert judge_sheet_document(RULES, make_sheet_of_plays(("8D", "rATEN"))).scores[0] == (0 + 1 + 1 + 1 + 1) * 2


@rule("DE-10", "in waagerechter und in senkrechter Richtung: die Prämienregelung für beide Wörter")
def test_premiums_count_in_both_directions() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(("8H", "ER"), ("9I", "EI")))
    assert judged_sheet.turns[1].score == (1 * 2 + 1) + (1 + 1 * 2)


@rule("DE-11", "Die Prämien der Prämienfelder gelten nur bei der Erstbelegung")
def test_premiums_count_once() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(("8H", "ER"), ("8H", "ERDE")))
    assert [line.score for line in judged_sheet.turns] == [4, 1 + 1 + 1 + 1]


@rule("DE-12", "all seine sieben Buchstabensteine: 50 Punkte, nicht vervielfacht")
def test_bonus_is_added_after_multiplication() -> None:
    """12 x 2 + 50 = 74."""
    assert (
        judge_sheet_document(RULES, make_sheet_of_plays(("8B", "HEIZENS"))).scores[0]
        == (2 + 1 + 1 * 2 + 3 + 1 + 1 + 1) * 2 + 50
    )
    assert RULES.bonus == 50


@rule("DE-13", "Für ein Wort, das lediglich gequert wurde, gibt es keine Punkte")
def test_crossed_words_add_nothing() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet_of_plays(("8G", "HAND"), ("H7", "LAS")))
    assert (judged_sheet.turns[1].words, judged_sheet.turns[1].score) == (("LAS",), 2 + 1 + 1)


@rule("DE-14", "Tauschen ist erlaubt, solange sich mindestens sieben Buchstabensteine im Beutel befinden")
@pytest.mark.parametrize(("bag", "expected"), [(7, []), (6, ["exchange-too-few"])])
def test_exchange_needs_seven_tiles_by_the_german_book(bag: int, expected: list[str]) -> None:
    turns = make_opening_plays(TILE_SET, tile_count=102 - 14 - bag)
    player = 3 - int(str(turns[-1]["player"]))
    judged_sheet = judge_sheet_document(
        RULES, make_sheet([*turns, make_turn(player, "exchange", tiles=7)], ended="open")
    )
    assert (judged_sheet.turns[-1].bag, judged_sheet.turns[-1].score) == (bag, 0)
    assert [code for code in list_issue_codes(judged_sheet) if code.startswith("exchange")] == expected


@rule("DE-15", "Ein Spieler, der passt, erhält keine Punkte; so oft, wie er möchte")
def test_pass_scores_nothing() -> None:
    turns = [make_turn(1, "pass"), make_play(2, 10), make_turn(1, "pass"), make_play(2, 10), make_turn(1, "pass")]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, ended="open"))
    assert (judged_sheet.scores, judged_sheet.issues) == ((0, 20), ())


@rule("DE-16", "Passen alle Spieler zweimal hintereinander, ist das Spiel beendet")
@pytest.mark.parametrize(
    ("players", "kinds", "expected"),
    [
        (2, ["pass"] * 4, []),
        (2, ["pass"] * 3, ["row-incomplete"]),
        (2, ["pass", "pass", "exchange", "pass", "pass"], ["row-incomplete"]),
        (3, ["pass"] * 6, []),
        (3, ["pass"] * 4, ["row-incomplete"]),
        (4, ["pass"] * 8, []),
    ],
)
def test_passes_in_a_row_end_the_game(players: int, kinds: list[str], expected: list[str]) -> None:
    names = [f"S{number}" for number in range(players)]
    turns = [make_turn(1 + number % players, kind) for number, kind in enumerate(kinds)]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, players=names, rack_values=[5] * players))
    assert (list_issue_codes(judged_sheet), judged_sheet.scores) == (expected, (-5,) * players)


@rule("DE-17", "'ß' durch Doppel-s; Umlaute dürfen nicht durch ae, oe oder ue ersetzt werden")
def test_sharp_s_becomes_double_s_and_umlauts_stay() -> None:
    assert normalise_word("Straße", "de") == "STRASSE"
    assert len(TILE_SET.parse_tile_text("STRASSE")) == 7
    assert normalise_word("Mär", "de") == "MÄR"
    assert normalise_word("Café", "de") == "CAFE"


@rule("DE-18", "mit Bindestrich oder Auslassungszeichen unzulässig; ein Wort darf mehrmals gelegt werden")
def test_words_have_no_hyphen_or_apostrophe() -> None:
    allows_marks = RULES.words.marked is HyphenAndApostropheRule.ALLOWED
    assert normalise_word("geht's", "de", accept_hyphens_and_apostrophes=allows_marks) is None
    assert normalise_word("E-Mail", "de", accept_hyphens_and_apostrophes=allows_marks) is None
    assert normalise_word("Haus", "de", accept_hyphens_and_apostrophes=allows_marks) == "HAUS"
    repeated_word = judge_sheet_document(RULES, make_sheet_of_plays(("8H", "ER"), ("I8", "RE"), ("9I", "ER")))
    assert repeated_word.turns[0].words[0] == repeated_word.turns[2].words[0] == "ER"
    assert repeated_word.issues == ()


@rule("DE-20", "zu Unrecht beanstandet: fünf Punkte abgezogen; das Wort verbleibt")
def test_wrong_challenge_costs_five_points() -> None:
    """100 becomes 95. Settings change the amount, the receiver and the count by words."""
    turns = [make_play(1, 100), make_play(2, 30), make_turn(1, "failed-challenge", words=2)]
    document = make_sheet(turns, ended="open")
    assert judge_sheet_document(RULES, document).scores == (95, 30)
    per_word = replace(RULES, challenge=replace(RULES.challenge, per=PenaltyUnit.WORD))
    assert judge_sheet_document(per_word, document).scores == (90, 30)
    credited_rules = replace(
        RULES, challenge=replace(RULES.challenge, points=10, to=ChallengePointsReceiver.OPPONENT)
    )
    assert judge_sheet_document(credited_rules, document).scores == (100, 40)


@rule("DE-21", "vom Spielbrett nehmen; kein weiteres Wort in dieser Runde, keine Punkte")
def test_challenged_off_play_is_scoreless_but_no_pass() -> None:
    """The turn breaks a row of passes unless the setting counts it as a pass."""
    turns = [
        make_turn(1, "pass"),
        make_turn(2, "pass"),
        make_turn(1, "withdrawn", word="XXX"),
        make_turn(2, "pass"),
    ]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns))
    assert (judged_sheet.scores, list_issue_codes(judged_sheet)) == ((0, 0), ["row-incomplete"])
    rules_counting_withdrawals = replace(RULES, challenge=replace(RULES.challenge, withdrawn_is_pass=True))
    assert list_issue_codes(judge_sheet_document(rules_counting_withdrawals, make_sheet(turns))) == []


@rule("DE-22", "bleibt bis zum Ende liegen und darf nur zu einem zulässigen Wort verlängert werden")
def test_phony_without_challenge_stays() -> None:
    """The extension is one word. The first play loses no points."""
    turns = [make_placed_play("8H", "ERX", ruling="phony"), make_placed_play("8H", "ERXE", 2)]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, ended="open"))
    assert judged_sheet.turns[1].words == ("ERXE",)
    assert (judged_sheet.breakdown[0].phonies, list_issue_codes(judged_sheet)) == (0, ["phony-not-in-rules"])


@rule("DE-23", "die Punkte ihrer restlichen Buchstaben abgezogen; die Gesamtpunktzahl dem, der beendet hat")
def test_end_racks_are_deducted_and_go_to_the_player_who_is_out() -> None:
    """Three players with racks of 0, 4 and 7 get +11, -4 and -7."""
    turns = [make_play(2, 90), make_play(3, 80), make_play(1, 100)]
    names = ["A", "B", "C"]
    judged_sheet = judge_sheet_document(
        RULES, make_sheet(turns, players=names, first=2, ended="out", rack_values=[0, 4, 7])
    )
    assert [part.racks for part in judged_sheet.breakdown] == [11, -4, -7]
    assert (judged_sheet.scores, judged_sheet.results) == ((111, 86, 73), (WIN, LOSS, LOSS))


@rule("DE-24", "passen oder keine Spielzüge mehr möglich: jeweils die Punkte der übrig gebliebenen Buchstaben")
def test_end_of_the_game_without_a_player_out() -> None:
    assert judge_totals(RULES, 100, 90, ended="blocked", rack_values=[4, 7]).scores == (96, 83)
    assert judge_totals(RULES, 100, 90, ended="blocked", rack_values=[4, 7]).issues == ()
    passes = make_sheet(
        [make_play(1, 100), make_play(2, 90), *[make_turn(1 + number % 2, "pass") for number in range(4)]],
        rack_values=[4, 7],
    )
    assert judge_sheet_document(RULES, passes).scores == (96, 83)


def seat_players(seed: int) -> dict[int, set[str]]:
    """Return the players at each table in the first round of a Swiss with random seats."""
    tournament = make_event(8, rules="de-scrabble")
    stage = replace(
        next(iter(tournament.stages.values())), settings=PairingSettings(style=ScoreGroupPairing.RANDOM)
    )
    tournament = tournament.put(stage, replace(tournament.event, seed=seed))
    return {
        game.table: {game.first, game.second} for game in pair_rounds(tournament, results=False).games.values()
    }


@rule("DE-25", "entsprechend der Auslosung durch die Turnierleitung; keine Einigung: nicht gedreht")
def test_tournaments_decide_starts_by_lot() -> None:
    """The seed of the event decides the draw. The book has no overtime."""
    assert seat_players(1) == seat_players(1)
    assert len({str(sorted(map(sorted, seat_players(seed).values()))) for seed in range(6)}) > 1
    assert not RULES.board_turned
    assert RULES.overtime.kind is OvertimeKind.NONE
    overtime_sheet = judge_totals(RULES, 100, 90, ended="blocked", overtime_seconds=[400, 0])
    assert (overtime_sheet.scores, list_issue_codes(overtime_sheet)) == ((100, 90), ["overtime-not-in-rules"])
    overtime_rules = replace(RULES.overtime, kind=OvertimeKind.MINUTES, points=10, limit=300)
    stopped_game = judge_totals(
        replace(RULES, overtime=overtime_rules), 400, 90, ended="overtime", overtime_seconds=[301, 0]
    )
    assert stopped_game.results == (LOSS, WIN)


@rule("DE-26", "Jedes neue Wort muss an ein vorhandenes anschließen")
@pytest.mark.parametrize(
    ("square", "word", "expected"),
    [
        ("8G", "HANDY", []),
        ("H8", "ALT", []),
        ("K7", "NA", []),
        ("9F", "DIE", []),
        ("10F", "DIE", ["not-connected"]),
    ],
)
def test_connection_of_tiles_is_required(square: str, word: str, expected: list[str]) -> None:
    assert (
        list_issue_codes(judge_sheet_document(RULES, make_sheet_of_plays(("8G", "HAND"), (square, word))))
        == expected
    )


@rule("DE-27", "Wer am Ende die höchste Punktzahl erreicht hat, gewinnt; zwei, drei oder vier Spieler")
def test_highest_total_wins_by_the_german_book() -> None:
    assert judge_totals(RULES, 100, 120, 110, 90, ended="blocked").results == (LOSS, WIN, LOSS, LOSS)
    assert judge_totals(RULES, 120, 120, 110, ended="blocked").results == (DRAW, DRAW, LOSS)
    assert judge_totals(RULES, 120, 120, 110, ended="blocked").spread is None
    with pytest.raises(CommandError) as refusal:
        judge_totals("nl-match", 120, 120, 110, ended="time")
    assert refusal.value.code == "too-many-at-table"


def test_short_word_lists_are_an_interpretation_of_the_book() -> None:
    """Rule 3 allows a dictionary in disputes, but does not mention lists of short words."""
    assert read_rulebook_references(RESOURCES / "rulesets")["de-scrabble"]["words.short_lists"] == "reading 3"
