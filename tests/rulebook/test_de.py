"""Scrabble-Spielregeln with the supplement for tournaments (de-spielregeln)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.pairing_settings import PairingSettings, PairingStyle
from tdapp.domain.round_clock import find_starter
from tdapp.domain.ruleset import ChallengePointsReceiver, MarkedWordRule, Outcome, OvertimeKind, PenaltyUnit
from tdapp.exchange.presets import read_rule_sources
from tdapp.scrabble.board import Board, PlacedTile, Placement
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import normalise_word
from tests.building import RESOURCES, make_event, pair_rounds
from tests.rulebook.books import codes, judged, opening, play, preset, rule, sheet, standing, tiles, turn

RULES = preset("de-scrabble")
DE = tiles("de")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW


def laid(at: str, word: str, player: int = 1, **more: object) -> dict[str, object]:
    return {"player": player, "kind": "play", "at": at, "word": word, **more}


def alternating(*places: tuple[str, str]) -> dict[str, object]:
    turns = [laid(at, word, 1 + number % 2) for number, (at, word) in enumerate(places)]
    return sheet(turns, ended="open")


@rule("DE-01", "Das Spiel umfasst 100 Buchstabensteine; alle 102 Spielsteine")
def test_tiles_of_the_german_set() -> None:
    assert (DE.tile_count, DE.blanks) == (102, 2)
    assert sum(letter.count * letter.value for letter in DE.letters) == 202
    assert " ".join(f"{letter.text}{letter.count}" for letter in sorted(DE.letters, key=lambda one: one.text)) == (
        "A5 B2 C2 D4 E15 F2 G3 H4 I6 J1 K2 L3 M4 N9 O3 P1 Q1 R6 S7 T6 U6 V1 W1 X1 Y1 Z1 Ä1 Ö1 Ü1"
    )


@rule("DE-02", "für jeden gewünschten Buchstaben, nicht jedoch als 'ß'; Wert null; nicht ausgewechselt")
def test_blanks_stand_for_a_letter_and_stay() -> None:
    assert judged(RULES, alternating(("8G", "TüR"))).scores[0] == (1 + 0 + 1) * 2
    folded = judged(RULES, sheet([laid("8D", "SPAß"), laid("9D", "CAFÉ")], ended="open"))
    assert [line.words[0] for line in folded.turns] == ["SPASS", "CAFE"]
    assert codes(judged(RULES, sheet([laid("8G", "SPAЖ", score=10)], ended="open"))) == ["letter-unknown"]


@rule("DE-03", "Wer einen Blankostein zieht bzw. am weitesten vorn im Alphabet; Ä, Ö, Ü direkt hinter A, O, U")
@pytest.mark.parametrize(
    ("drawn", "outcome"),
    [
        (("Ä", "B"), StartingDrawOutcome(1, ())),
        (("Ä", "A"), StartingDrawOutcome(2, ())),
        (("?", "A"), StartingDrawOutcome(1, ())),
        (("?", "?"), StartingDrawOutcome(None, (1, 2))),
        (("P", "Ö", "O"), StartingDrawOutcome(3, ())),
        (("U", "Ü", "V", "U"), StartingDrawOutcome(None, (1, 4))),
    ],
)
def test_starting_draw_nearest_to_a_starts(drawn: tuple[str, ...], outcome: StartingDrawOutcome) -> None:
    assert find_starter(RULES, DE, [dict(enumerate(drawn, 1))]) == outcome


@rule("DE-03", "Only those who matter draw again")
def test_starting_draw_repeats_ties() -> None:
    assert find_starter(RULES, DE, [{1: "U", 2: "V", 3: "U"}, {1: "E", 3: "D"}]) == StartingDrawOutcome(3, ())
    with pytest.raises(RuleViolation) as caught:
        find_starter(RULES, DE, [{1: "U", 2: "V", 3: "U"}, {1: "E", 2: "A", 3: "D"}])
    assert caught.value.code == "draw-players"


@rule("DE-04", "mindestens zwei Buchstaben über das Sternfeld; darf auch tauschen oder passen")
def test_opening_play_covers_the_star() -> None:
    turns = [turn(1, "exchange", tiles=7), turn(2, "pass"), laid("H7", "ER")]
    assert judged(RULES, sheet(turns, ended="open")).issues == ()
    assert codes(judged(RULES, alternating(("8G", "E")))) == ["one-tile-first", "centre-not-covered"]
    assert codes(judged(RULES, alternating(("7G", "ER")))) == ["centre-not-covered"]


@rule("DE-05", "bei jedem Zug nur ein Wort; Kombinationen in Querrichtung müssen auch Wörter bilden")
def test_cross_words_are_listed() -> None:
    found = judged(RULES, alternating(("8G", "HAND"), ("9F", "DIE")))
    assert found.turns[1].words == ("DIE", "HI", "AE")
    apart = judged(RULES, alternating(("8G", "HAND"), ("11H", "DA")))
    assert codes(apart) == ["not-connected"]


@rule("DE-07", "Wert des gelegten Wortes und der neu entstandenen bzw. veränderten Wörter")
def test_letters_count_in_each_word() -> None:
    """9F-9H: G9 doubles the I, in DIE and in HI."""
    found = judged(RULES, alternating(("8G", "HAND"), ("9F", "DIE")))
    assert found.turns[1].score == (1 + 1 * 2 + 1) + (2 + 1 * 2) + (1 + 1)


@rule("DE-08", "zwei hellrote vierfach, zwei bzw. drei dunkelrote Felder neun- bzw. 27-fach")
@pytest.mark.parametrize(
    ("row", "column", "lying", "new", "score"),
    [
        (5, 5, "", "EEEEEE", 6 * 2),
        (5, 5, " EEEEE ", "E.....E", 7 * 4),
        (1, 1, "", "EEEE", (3 + 2) * 3),
        (1, 1, " EEEEEE ", "E......E", 8 * 9),
        (1, 1, " EEEEEE EEEEEE ", "E......E......E", 15 * 27),
    ],
)
def test_premiums_multiply(row: int, column: int, lying: str, new: str, score: int) -> None:
    """Letters first, then the product of all newly covered word premiums; the star doubles."""
    board = Board().place_tiles([PlacedTile(row, column + n, tile) for n, tile in enumerate(lying) if tile != " "])
    tiles_laid = tuple(PlacedTile(row, column + n, tile) for n, tile in enumerate(new) if tile != ".")
    assert board.score_play(Placement(tiles_laid), DE).score == score
    assert judged(RULES, alternating(("8H", "ER"))).scores[0] == 2 * 2


@rule("DE-09", "Blankostein auf Buchstabenprämie bleibt null; die Wortprämie gilt auch für ihn")
def test_premiums_below_a_blank() -> None:
    """The blank is on H8, which doubles the word; D8 doubles its letter, so a blank stays 0."""
    assert judged(RULES, alternating(("8G", "RaT"))).scores[0] == (1 + 0 + 1) * 2
    assert judged(RULES, alternating(("8D", "rATEN"))).scores[0] == (0 + 1 + 1 + 1 + 1) * 2


@rule("DE-10", "in waagerechter und in senkrechter Richtung: die Prämienregelung für beide Wörter")
def test_premiums_count_in_both_directions() -> None:
    found = judged(RULES, alternating(("8H", "ER"), ("9I", "EI")))
    assert found.turns[1].score == (1 * 2 + 1) + (1 + 1 * 2)


@rule("DE-11", "Die Prämien der Prämienfelder gelten nur bei der Erstbelegung")
def test_premiums_count_once() -> None:
    found = judged(RULES, alternating(("8H", "ER"), ("8H", "ERDE")))
    assert [line.score for line in found.turns] == [4, 1 + 1 + 1 + 1]


@rule("DE-12", "all seine sieben Buchstabensteine: 50 Punkte, nicht vervielfacht")
def test_bonus_is_added_after_multiplication() -> None:
    """12 x 2 + 50 = 74."""
    assert judged(RULES, alternating(("8B", "HEIZENS"))).scores[0] == (2 + 1 + 1 * 2 + 3 + 1 + 1 + 1) * 2 + 50
    assert RULES.bonus == 50


@rule("DE-13", "Für ein Wort, das lediglich gequert wurde, gibt es keine Punkte")
def test_crossed_words_add_nothing() -> None:
    found = judged(RULES, alternating(("8G", "HAND"), ("H7", "LAS")))
    assert (found.turns[1].words, found.turns[1].score) == (("LAS",), 2 + 1 + 1)


@rule("DE-14", "Tauschen ist erlaubt, solange sich mindestens sieben Buchstabensteine im Beutel befinden")
@pytest.mark.parametrize(("bag", "expected"), [(7, []), (6, ["exchange-too-few"])])
def test_exchange_needs_seven_tiles_by_the_german_book(bag: int, expected: list[str]) -> None:
    turns = opening(DE, laid=102 - 14 - bag)
    player = 3 - int(str(turns[-1]["player"]))
    found = judged(RULES, sheet([*turns, turn(player, "exchange", tiles=7)], ended="open"))
    assert (found.turns[-1].bag, found.turns[-1].score) == (bag, 0)
    assert [code for code in codes(found) if code.startswith("exchange")] == expected


@rule("DE-15", "Ein Spieler, der passt, erhält keine Punkte; so oft, wie er möchte")
def test_pass_scores_nothing() -> None:
    turns = [turn(1, "pass"), play(2, 10), turn(1, "pass"), play(2, 10), turn(1, "pass")]
    found = judged(RULES, sheet(turns, ended="open"))
    assert (found.scores, found.issues) == ((0, 20), ())


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
    turns = [turn(1 + number % players, kind) for number, kind in enumerate(kinds)]
    found = judged(RULES, sheet(turns, players=names, rack_values=[5] * players))
    assert (codes(found), found.scores) == (expected, (-5,) * players)


@rule("DE-17", "'ß' durch Doppel-s; Umlaute dürfen nicht durch ae, oe oder ue ersetzt werden")
def test_sharp_s_becomes_double_s_and_umlauts_stay() -> None:
    assert normalise_word("Straße", "de") == "STRASSE"
    assert len(DE.read_tiles("STRASSE")) == 7
    assert normalise_word("Mär", "de") == "MÄR"
    assert normalise_word("Café", "de") == "CAFE"


@rule("DE-18", "mit Bindestrich oder Auslassungszeichen unzulässig; ein Wort darf mehrmals gelegt werden")
def test_words_have_no_hyphen_or_apostrophe() -> None:
    joints = RULES.words.marked is MarkedWordRule.ALLOWED
    assert normalise_word("geht's", "de", joints=joints) is None
    assert normalise_word("E-Mail", "de", joints=joints) is None
    assert normalise_word("Haus", "de", joints=joints) == "HAUS"
    twice = judged(RULES, alternating(("8H", "ER"), ("I8", "RE"), ("9I", "ER")))
    assert twice.turns[0].words[0] == twice.turns[2].words[0] == "ER"
    assert twice.issues == ()


@rule("DE-20", "zu Unrecht beanstandet: fünf Punkte abgezogen; das Wort verbleibt")
def test_wrong_challenge_costs_five_points() -> None:
    """100 becomes 95; amount, direction and counting by words are settings."""
    turns = [play(1, 100), play(2, 30), turn(1, "failed-challenge", words=2)]
    document = sheet(turns, ended="open")
    assert judged(RULES, document).scores == (95, 30)
    per_word = replace(RULES, challenge=replace(RULES.challenge, per=PenaltyUnit.WORD))
    assert judged(per_word, document).scores == (90, 30)
    credited = replace(RULES, challenge=replace(RULES.challenge, points=10, to=ChallengePointsReceiver.OPPONENT))
    assert judged(credited, document).scores == (100, 40)


@rule("DE-21", "vom Spielbrett nehmen; kein weiteres Wort in dieser Runde, keine Punkte")
def test_challenged_off_play_is_scoreless_but_no_pass() -> None:
    """A scoreless turn, but no pass: it breaks a row of passes unless the setting says otherwise."""
    turns = [turn(1, "pass"), turn(2, "pass"), turn(1, "withdrawn", word="XXX"), turn(2, "pass")]
    found = judged(RULES, sheet(turns))
    assert (found.scores, codes(found)) == ((0, 0), ["row-incomplete"])
    counting = replace(RULES, challenge=replace(RULES.challenge, withdrawn_is_pass=True))
    assert codes(judged(counting, sheet(turns))) == []


@rule("DE-22", "bleibt bis zum Ende liegen und darf nur zu einem zulässigen Wort verlängert werden")
def test_phony_without_challenge_stays() -> None:
    """Its extension is one word, to be judged as a whole; nothing is deducted from the first play."""
    turns = [laid("8H", "ERX", ruling="phony"), laid("8H", "ERXE", 2)]
    found = judged(RULES, sheet(turns, ended="open"))
    assert found.turns[1].words == ("ERXE",)
    assert (found.breakdown[0].phonies, codes(found)) == (0, ["phony-not-in-rules"])


@rule("DE-23", "die Punkte ihrer restlichen Buchstaben abgezogen; die Gesamtpunktzahl dem, der beendet hat")
def test_end_racks_are_deducted_and_go_to_the_player_who_is_out() -> None:
    """Three players with racks of 4 and 7: +11, -4, -7."""
    turns = [play(2, 90), play(3, 80), play(1, 100)]
    names = ["A", "B", "C"]
    found = judged(RULES, sheet(turns, players=names, first=2, ended="out", rack_values=[0, 4, 7]))
    assert [part.racks for part in found.breakdown] == [11, -4, -7]
    assert (found.scores, found.results) == ((111, 86, 73), (WIN, LOSS, LOSS))


@rule("DE-24", "passen oder keine Spielzüge mehr möglich: jeweils die Punkte der übrig gebliebenen Buchstaben")
def test_end_of_the_game_without_a_player_out() -> None:
    assert standing(RULES, 100, 90, ended="blocked", rack_values=[4, 7]).scores == (96, 83)
    assert standing(RULES, 100, 90, ended="blocked", rack_values=[4, 7]).issues == ()
    passes = sheet([play(1, 100), play(2, 90), *[turn(1 + n % 2, "pass") for n in range(4)]], rack_values=[4, 7])
    assert judged(RULES, passes).scores == (96, 83)


def seated(seed: int) -> dict[int, set[str]]:
    """The first round of a Swiss in which seats are drawn by lot."""
    tournament = make_event(8, rules="de-scrabble")
    stage = replace(next(iter(tournament.stages.values())), settings=PairingSettings(style=PairingStyle.RANDOM))
    tournament = tournament.put(stage, replace(tournament.event, seed=seed))
    return {
        game.table: {game.first, game.second} for game in pair_rounds(tournament, results=False).games.values()
    }


@rule("DE-25", "entsprechend der Auslosung durch die Turnierleitung; keine Einigung: nicht gedreht")
def test_tournaments_decide_starts_by_lot() -> None:
    """The event's seed decides the lot, the same way each time; the book has no overtime."""
    assert seated(1) == seated(1)
    assert len({str(sorted(map(sorted, seated(seed).values()))) for seed in range(6)}) > 1
    assert not RULES.board_turned
    assert RULES.overtime.kind is OvertimeKind.NONE
    late = standing(RULES, 100, 90, ended="blocked", overtime_seconds=[400, 0])
    assert (late.scores, codes(late)) == ((100, 90), ["overtime-not-in-rules"])
    reported = replace(RULES.overtime, kind=OvertimeKind.MINUTES, points=10, limit=300)
    stopped = standing(replace(RULES, overtime=reported), 400, 90, ended="overtime", overtime_seconds=[301, 0])
    assert stopped.results == (LOSS, WIN)


@rule("DE-26", "Jedes neue Wort muss an ein vorhandenes anschließen")
@pytest.mark.parametrize(
    ("at", "word", "expected"),
    [
        ("8G", "HANDY", []),
        ("H8", "ALT", []),
        ("K7", "NA", []),
        ("9F", "DIE", []),
        ("10F", "DIE", ["not-connected"]),
    ],
)
def test_connection_of_tiles_is_required(at: str, word: str, expected: list[str]) -> None:
    assert codes(judged(RULES, alternating(("8G", "HAND"), (at, word)))) == expected


@rule("DE-27", "Wer am Ende die höchste Punktzahl erreicht hat, gewinnt; zwei, drei oder vier Spieler")
def test_highest_total_wins_by_the_german_book() -> None:
    assert standing(RULES, 100, 120, 110, 90, ended="blocked").results == (LOSS, WIN, LOSS, LOSS)
    assert standing(RULES, 120, 120, 110, ended="blocked").results == (DRAW, DRAW, LOSS)
    assert standing(RULES, 120, 120, 110, ended="blocked").spread is None
    with pytest.raises(RuleViolation) as caught:
        standing("nl-match", 120, 120, 110, ended="time")
    assert caught.value.code == "too-many-at-table"


def test_lists_at_the_table_are_a_reading() -> None:
    """3: a dictionary may be consulted in disputes; the book does not mention lists of short words."""
    assert read_rule_sources(RESOURCES / "rulesets")["de-scrabble"]["words.short_lists"] == "reading 3"
