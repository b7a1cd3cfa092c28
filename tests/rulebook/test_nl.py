"""Reglement Wedstrijdscrabble en Puntenscrabble (nl-reglement): each computed rule, with the book's own examples.

The earlier edition has the same rules but for the order of ranking, so that nearly all hold for its preset too.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, standings
from tdapp.domain.index import Index
from tdapp.domain.judging import make_replay_rules
from tdapp.domain.matches import find_game_winner
from tdapp.domain.model import ByeKind, DivisionId, PlayerId, ResultState, RoundId, Seed, SeedId, StageId
from tdapp.domain.records import compute_records
from tdapp.domain.round_clock import find_starter
from tdapp.domain.ruleset import (
    AwardBy,
    MatchPoints,
    Outcome,
    PenaltyUnit,
    PointAward,
    PointsFrom,
    RevealedToPlayers,
    RuleSet,
    TotalsNotedWhen,
    find_clock_warnings,
)
from tdapp.domain.standings import explain_resistance
from tdapp.domain.tables import players as cards
from tdapp.domain.tables import rounds as rounds_table
from tdapp.domain.tables.standings import make_rated_game_table
from tdapp.pairing.field import build_field
from tdapp.scrabble.board import LAYOUT
from tdapp.scrabble.replay import replay_sheet
from tdapp.scrabble.sheet import GameEnding, SanctionKind
from tdapp.scrabble.sheet import parse_sheet as read_sheet
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict, combine_word_verdicts, normalise_word
from tests.building import get_game_at, make_event, pair_rounds
from tests.domain.tournament_lines import build_crosstable, rank_players
from tests.rulebook.books import codes, judged, opening, play, preset, rule, sheet, standing, tiles, turn

NL = tiles("nl")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
PASSES = (turn(1, "pass"), turn(2, "pass"), turn(1, "pass"))


@pytest.fixture(params=["nl-match", "nl-match-earlier", "nl-points"])
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return preset(request.param)


# --- I: ranking, words, tiles

# The scales that events use; 2-1-0 ranks as 1-1/2-0, while 1-0-0, a count of games won, can rank otherwise.
SCALES = {
    "1-1/2-0": MatchPoints(),
    "2-1-0": MatchPoints(Fraction(2), Fraction(1)),
    "1-0-0": MatchPoints(Fraction(1), Fraction(0)),
}


@rule("NL-01", "Puntenscrabble: niet het aantal overwinningen telt, maar het totaal aantal punten")
def test_ranking_compares_points_before_wins() -> None:
    """450 + 380 with two losses is above 420 + 400 with two wins; equal totals share a rank."""
    rounds = (("1-3 450:460", "2-4 420:100"), ("1-4 380:390", "2-3 400:10"))
    found = rank_players(build_crosstable(rounds, players=4, rules=preset("nl-points")))
    assert [(n, row.points) for n, row in found.items()][:2] == [(1, 830), (2, 820)]
    equal = rank_players(build_crosstable((("1-2 400:350", "3-4 400:410"),), players=4, rules=preset("nl-points")))
    assert [(n, row.rank) for n, row in equal.items()] == [(4, 1), (1, 2), (3, 2), (2, 4)]


@rule(
    "NL-01",
    "A bye and a win by forfeit bring the average of the own games before, half up; in a first round the field's",
)
def test_points_without_a_game_are_the_average() -> None:
    """The player with the bye is not last for it; the one who forfeits gets nothing."""
    rounds = (
        ("1-2 400:350", "3-4 380:381", "5 bye"),
        ("5-1 300:421", "4-2 forfeit 2", "3 bye"),
        ("3-5 200:210", "1-4 350:351", "2 bye"),
    )
    table = build_crosstable(rounds, players=5, rules=preset("nl-points"))
    after = [{n: row.points for n, row in sorted(rank_players(table, number).items())} for number in (1, 2, 3)]
    assert after[0] == {1: 400, 2: 350, 3: 380, 4: 381, 5: 378}
    assert after[1] == {1: 821, 2: 350, 3: 760, 4: 762, 5: 678}
    assert after[2] == {1: 1171, 2: 700, 3: 960, 4: 1113, 5: 888}
    index = Index(table)
    shown = [rounds_table.make_bye_table(index, item).rows for item in index.rounds(index.division(None).id)]
    assert [row.awarded for rows in shown for row in rows] == [378, 380, 350]


@rule("NL-01", "or the field's average, or a fixed number, as the rule set says")
@pytest.mark.parametrize(
    ("award", "points"),
    [(PointAward(AwardBy.FIELD), 361), (PointAward(points=300), 300), (PointAward(), 0)],
)
def test_points_without_a_game_are_a_setting(award: PointAward, points: int) -> None:
    rules = preset("nl-points")
    bye = replace(rules.byes.bye, award=award)
    rules = replace(rules, byes=replace(rules.byes, bye=bye), forfeit=replace(rules.forfeit, award=award))
    rounds = (("1-2 400:350", "3-4 380:381", "5 bye"), ("5-1 300:421", "4-2 forfeit 1", "3 bye"))
    found = rank_players(build_crosstable(rounds, players=5, rules=rules))
    assert (found[3].points, found[2].points, found[4].points) == (380 + points, 350 + points, 381)
    rounds = (rounds[0], ("5-1 300:421", "4-2 forfeit both", "3 bye"))
    found = rank_players(build_crosstable(rounds, players=5, rules=rules))
    assert (found[2].points, found[4].points) == (350, 381)


@rule("NL-01", "or for one bye or one forfeit alone; standings and the next pairing count it so")
@pytest.mark.parametrize(
    ("by", "fixed", "bye", "won"),
    [
        (AwardBy.FIXED, 410, 410, 410),
        (AwardBy.FIELD, 0, 361, 361),
        (AwardBy.OWN, 0, 380, 350),
        (None, 0, 380, 350),
    ],
)
def test_points_without_a_game_can_be_set_for_one_round(
    by: AwardBy | None, fixed: int, bye: int, won: int
) -> None:
    rounds = (("1-2 400:350", "3-4 380:381", "5 bye"), ("5-1 300:421", "4-2 forfeit 1", "3 bye"))
    table = build_crosstable(rounds, players=5, rules=preset("nl-points"))
    for number in (3, 2):
        player, second = PlayerId(f"p{number}"), RoundId("r2")
        table = commands.set_award(table, player=player, round=second, by=by, points=fixed)
    found = rank_players(table)
    assert (found[3].points, found[2].points, found[5].points) == (380 + bye, 350 + won, 678)
    index = Index(table)
    rows = {
        row.player: row for row in rounds_table.make_award_table(index, index.division(None)).rows if row.round > 1
    }
    assert [(rows[n].own, rows[n].awarded) for n in (3, 2)] == [(by is not None, bye), (by is not None, won)]
    field = build_field(index, StageId("s"), number=3, source=2)
    scores = {entrant.player: entrant.points for entrant in field.entrants}
    assert (scores[PlayerId("p3")], scores[PlayerId("p2")]) == (str(380 + bye), str(350 + won))


# A club evening of three, London rules: whoever sits out has a win (4 points) and the own average of the evening.
LONDON = (("1-2 420:380", "3 bye"), ("1-3 400:350", "2 bye"), ("2-3 390:360", "1 bye"))


@rule("NL-01", "or the average of all the player's games of the stage, also of the later ones")
def test_points_without_a_game_include_later_games_of_the_stage() -> None:
    rules = preset("nl-points")
    bye = replace(rules.byes.bye, award=PointAward(AwardBy.STAGE))
    points = MatchPoints(win=Fraction(4), draw=Fraction(2))
    rules = replace(rules, byes=replace(rules.byes, bye=bye), match_points=points)
    index = Index(build_crosstable(LONDON, players=3, rules=rules))
    found = rank_players(index.tournament)
    assert {n: row.match_points for n, row in found.items()} == {1: 12, 2: 8, 3: 4}
    assert {n: row.points for n, row in found.items()} == {1: 3 * 410, 2: 3 * 385, 3: 3 * 355}
    shown = [rounds_table.make_bye_table(index, item).rows[0].awarded for item in index.published(DivisionId("d"))]
    assert shown == [355, 385, 410]
    after_first = standings.compute_standings(index, index.division(None), 1)
    assert {row.player.number: row.points for row in after_first}[3] == 400  # no game yet: the field's average


@rule("NL-01", "games of other stages do not count for the average of a stage; without any, the field's does")
def test_points_without_a_game_leave_out_other_stages() -> None:
    table = build_crosstable(LONDON, players=3, rules=preset("nl-points"))
    other = replace(table.stages[StageId("s")], id=StageId("t"), position=2, rounds=2)
    table = table.put(replace(table.stages[StageId("s")], rounds=1), other)
    table = table.put(*(replace(table.rounds[RoundId(f"r{n}")], stage=other.id) for n in (2, 3)))
    for number, player in ((1, 3), (2, 2), (3, 1)):
        key = RoundId(f"r{number}")
        table = commands.set_award(table, player=PlayerId(f"p{player}"), round=key, by=AwardBy.STAGE)
    index = Index(table)
    rows = rounds_table.make_award_table(index, index.division(None)).rows
    assert {row.round: row.awarded for row in rows} == {1: 400, 2: 390, 3: 400}


@rule("NL-02", "Bij wedstrijdscrabble gaat het er om wedstrijden te winnen; punten zijn ondergeschikt")
@pytest.mark.parametrize("name", ["nl-match", "nl-match-earlier"])
def test_ranking_by_swiss_compares_wins_before_points(name: str) -> None:
    rounds = (("1-2 500:501", "3-4 300:299"),)
    found = rank_players(build_crosstable(rounds, players=4, rules=preset(name)))
    assert {n: row.match_points for n, row in found.items()} == {2: 1, 3: 1, 1: 0, 4: 0}
    assert preset(name).match_points == SCALES["1-1/2-0"]


@rule("NL-02", "The scale is a setting: 1-1/2-0, 2-1-0 with the same order, 1-0-0 with another")
def test_ranking_accepts_other_scales() -> None:
    rounds = (("1-2 400:400", "3-4 401:400"), ("1-3 400:400", "2-4 410:400"), ("1-4 300:301", "2-3 300:310"))

    def order(scale: str) -> list[int]:
        rules = replace(preset("nl-match-earlier"), match_points=SCALES[scale])
        return list(rank_players(build_crosstable(rounds, players=4, rules=rules)))

    assert order("2-1-0") == order("1-1/2-0")
    halves = replace(preset("nl-match-earlier"), match_points=SCALES["1-0-0"])
    assert rank_players(build_crosstable(rounds, players=4, rules=halves))[1].match_points == 0
    assert rank_players(build_crosstable(rounds, players=4, rules=preset("nl-match-earlier")))[1].match_points == 1


@rule("NL-03", "Wel telt het puntensaldo mee indien spelers hetzelfde aantal wedstrijden hebben gewonnen")
def test_spread_decides_between_equals() -> None:
    """Outside the Swiss system; 446-445 is +1 and -1. Saldo after a flag fall is that of the points kept."""
    rules = preset("nl-match")
    assert rules.get_ranking_order("round-robin") == rules.get_ranking_order("knockout") == ("wins", "spread")
    table = build_crosstable((("1-2 446:445", "3-4 450:430"),), players=4, rules=rules, order=("wins", "spread"))
    assert [(n, row.spread) for n, row in rank_players(table).items()] == [(3, 20), (1, 1), (2, -1), (4, -20)]
    flagged = standing(rules, 480, 430, ended="flag", flag=1, rack_values=[6, 9])
    assert (flagged.spread, flagged.results) == (53, (LOSS, WIN))


@rule("NL-04", "of - bij toepassing van het zogenaamde Zwitserse systeem - het aantal weerstandspunten")
def test_resistance_decides_under_the_swiss_system() -> None:
    """The sum of the opponents' match points; a bye adds 0, a forfeited game the real points of the opponent."""
    assert preset("nl-match").get_ranking_order("swiss") == ("wins", "resistance", "spread")
    rounds = (
        ("1-2 400:300", "3 bye"),
        ("1-3 400:500", "2 bye"),
        ("2-3 forfeit 2", "1 absent"),
    )
    table = build_crosstable(rounds, players=3, rules=preset("nl-match"))
    rows = rank_players(table)
    assert {n: row.match_points for n, row in rows.items()} == {2: 2, 3: 2, 1: 1}
    assert {n: row.resistance_points for n, row in rows.items()} == {1: 4, 2: 3, 3: 3}
    index = Index(table)
    parts = explain_resistance(index, index.division(None), PlayerId("p2"))
    assert [(part.round, part.units) for part in parts] == [(1, 2), (2, 0), (3, 4)]


@rule("NL-05", "Er mogen alleen woorden worden neergelegd die in de laatste versie van de SWL staan")
def test_words_are_decided_by_the_list_only(rules: RuleSet) -> None:
    """Up to 13 letters the list decides; longer words are the jury's. Marks are left out: auto's is AUTOS."""
    assert rules.words.binding == 13

    class List:
        edition = WordListEdition("SWL", "nl", binding_max_length=rules.words.binding)

        def judge_word(self, word: object) -> WordVerdict:
            text = "".join(word)  # type: ignore[arg-type, unused-ignore]
            if len(text) > (self.edition.binding_max_length or 15):
                return WordVerdict.NOT_BINDING
            return WordVerdict.VALID if text in {"TAART", "AUTOS"} else WordVerdict.INVALID

    assert combine_word_verdicts([List().judge_word(word) for word in ["TAART"]]) is WordVerdict.VALID
    assert (
        combine_word_verdicts([List().judge_word(word) for word in ["TAART", "TAALTIKJE"]]) is WordVerdict.INVALID
    )
    assert combine_word_verdicts([List().judge_word(word) for word in ["A" * 14]]) is WordVerdict.NOT_BINDING
    assert normalise_word("auto's", "nl") == "AUTOS"


@rule("NL-06", "Elk spel bevat 102 letterblokjes")
def test_tiles_of_the_dutch_set() -> None:
    assert (NL.tile_count, NL.blanks, len(NL.list_remaining_tiles(()))) == (102, 2, 102)
    assert sum(letter.count * letter.value for letter in NL.letters) == 230
    assert " ".join(f"{letter.text}{letter.count}x{letter.value}" for letter in NL.letters) == (
        "A6x1 B2x3 C2x5 D5x2 E18x1 F2x4 G3x3 H2x4 I4x1 J2x4 K3x3 L3x3 M3x3 N10x1 O6x1 P2x3 Q1x10 R5x2 S5x2 T5x2 "
        "U3x4 V2x4 W2x5 X1x8 Y1x8 Z2x4"
    )
    assert NL.sum_values("?") == NL.sum_values("q") == 0


@rule("NL-07", "bordindeling: 8 driemaal, 17 tweemaal woordwaarde; 12 driemaal, 24 tweemaal letterwaarde")
def test_board_has_the_premiums_of_the_book() -> None:
    """The printed table is wrong in 21 squares; the true one is the same in all mirrors."""
    squares = "".join(LAYOUT)
    assert [squares.count(premium) for premium in "32cb"] == [8, 17, 12, 24]
    assert LAYOUT[7][7] == "2"
    assert tuple(reversed(LAYOUT)) == LAYOUT == tuple(row[::-1] for row in LAYOUT)
    assert tuple("".join(column) for column in zip(*LAYOUT, strict=True)) == LAYOUT


@rule("NL-08", "elke speler 20 tot 30 minuten; de speelduur varieert van 40 tot 60 minuten")
def test_clock_times_outside_the_recommendation_are_named(rules: RuleSet) -> None:
    def warned(minutes: int) -> list[tuple[str, int]]:
        clock = replace(rules.clock, minutes=minutes)
        return [(found.scope, found.minutes) for found in find_clock_warnings(clock)]

    assert warned(20) == warned(25) == warned(30) == []
    assert warned(19) == [("player", 19), ("game", 38)]
    assert warned(31) == [("player", 31), ("game", 62)]
    assert rules.most_players == 2


@rule(
    "NL-09",
    "tenzij door de organisatie anders besloten mag gebruik worden gemaakt van de 2- en 3-letterwoordenlijsten",
)
def test_short_lists_may_be_used(rules: RuleSet) -> None:
    assert rules.words.short_lists


# --- II: before the game


@rule("NL-10", "Alle scores en (sub)totalen worden op dit formulier ingevuld")
def test_form_needs_all_totals(rules: RuleSet) -> None:
    """Each player keeps a form: a total left out and a form that differs are both named with their turn."""
    assert rules.form.totals is TotalsNotedWhen.ALWAYS
    turns = [play(1, 20, total=20), play(2, 30), play(1, 10, total=30)]
    assert [(i.turn, i.code) for i in judged(rules, sheet(turns, ended="time")).issues] == [(2, "total-missing")]
    turns[1]["total"] = 30
    other = sheet(turns, ended="time", other_form=[{"turn": 3, "score": 11, "total": 31}])
    found = judged(rules, other).issues
    assert [(i.turn, i.code, i.detail, i.stated, i.other) for i in found] == [
        (3, "forms-differ", "score", 10, 11),
        (3, "forms-differ", "total", 30, 31),
    ]


@rule("NL-12", "Wie de letter heeft die het dichtst bij het begin van het alfabet ligt; blanco tellen niet mee")
@pytest.mark.parametrize(
    ("drawn", "outcome"),
    [
        (("C", "F"), StartingDrawOutcome(1, ())),
        (("D", "D"), StartingDrawOutcome(None, (1, 2))),
        (("?", "A"), StartingDrawOutcome(None, (1, 2))),
    ],
)
def test_starting_draw_lowest_letter_starts(
    rules: RuleSet, drawn: tuple[str, str], outcome: StartingDrawOutcome
) -> None:
    first = {1: drawn[0], 2: drawn[1]}
    assert find_starter(rules, NL, [first]) == outcome
    if outcome.starter is None:
        assert find_starter(rules, NL, [first, {1: "Z", 2: "B"}]) == StartingDrawOutcome(2, ())


# --- III: the turns


@rule("NL-16", "ruilen, tenzij er 6 of minder letterblokjes in het zakje zitten")
@pytest.mark.parametrize(("bag", "allowed"), [(7, True), (6, False)])
def test_exchange_needs_seven_tiles_in_the_bag(rules: RuleSet, bag: int, allowed: bool) -> None:
    """The bag holds 102 less what lies and 14 on the racks; the boundary is the book's."""
    turns = opening(NL, laid=102 - 14 - bag)
    last = turns[-1]["player"]
    found = judged(rules, sheet([*turns, turn(3 - int(str(last)), "exchange", tiles=1)], ended="time"))
    assert found.turns[-1].bag == bag
    exchange = [issue for issue in found.issues if issue.code == "exchange-too-few"]
    assert [(issue.stated, issue.computed) for issue in exchange] == ([] if allowed else [(6, 7)])


@rule("NL-17", "Het ruilen is hiermee definitief: nieuwe letters uit het zakje, de oude erin")
@pytest.mark.parametrize("count", [1, 7])
def test_exchange_scores_no_points(rules: RuleSet, count: int) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
        turn(2, "exchange", tiles=count),
        turn(1, "exchange", tiles=1),
    ]
    found = judged(rules, sheet(turns, ended="time"))
    assert (found.turns[1].score, found.scores) == (0, (20, 0))
    assert found.turns[1].bag == found.turns[2].bag == 102 - 5 - 14


@rule("NL-18", "Zodra de spelers drie keer achter elkaar hebben gepast, is het spel definitief ten einde")
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["pass", "pass", "pass"], []),
        (["pass", "exchange", "pass", "pass"], ["row-incomplete"]),
        (["pass", "pass", "pass", "pass"], ["turn-after-end"]),
        (["pass", "pass", "phony", "pass"], ["row-incomplete"]),
    ],
)
def test_passes_by_three_end_the_game(rules: RuleSet, kinds: list[str], expected: list[str]) -> None:
    """An exchange interrupts the series, and so does a play later found invalid; passes may come at any stage."""
    turns = [
        play(1 + n % 2, 20, ruling="phony") if kind == "phony" else turn(1 + n % 2, kind)
        for n, kind in enumerate(kinds)
    ]
    assert codes(judged(rules, sheet(turns))) == expected


@rule("NL-19", "twee of meer letters met één op het middelste vakje, dus met tweemaal woordwaarde")
def test_first_play_doubles_on_the_star(rules: RuleSet) -> None:
    """TAART at 8D brings (2x2+1+1+2+2)x2 = 20; the first play after passes is still the first."""

    def first(at: str, word: str) -> tuple[int, list[str]]:
        turns = [turn(1, "pass"), {"player": 2, "kind": "play", "at": at, "word": word}]
        found = judged(rules, sheet(turns, ended="time"))
        return found.scores[1], codes(found)

    assert first("8D", "TAART") == (20, [])
    assert first("H4", "TAART") == (20, [])
    assert first("8I", "TAART")[1] == ["centre-not-covered"]
    assert first("8H", "T")[1] == ["one-tile-first"]


@rule("NL-20", "noteren de score en het gelegde hoofdwoord met bij voorkeur de coördinaten van de eerste letter")
def test_coordinates_are_optional(rules: RuleSet) -> None:
    """Without coordinates only sums are checked. Without a direction the one that fits the score is used."""
    turns = [play(1, 20, "TAART", total=20), play(2, 14, "LAT", total=15)]
    found = judged(rules, sheet(turns, ended="time"))
    assert found.scores == (20, 14)
    assert [(i.turn, i.code, i.stated, i.computed) for i in found.issues] == [(2, "total-differs", 15, 14)]
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20},
        {"player": 2, "kind": "play", "at": "H8?", "word": "TEN", "score": 4},
    ]
    found = judged(rules, sheet(turns, ended="time"))
    assert (found.turns[1].score, found.issues) == (4, ())


@rule("NL-21", "steeds op één lijn; complete woorden; punten voor alle gevormde en/of gewijzigde woorden")
def test_words_of_a_play_all_score(rules: RuleSet) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
        {"player": 2, "kind": "play", "at": "I8", "word": "JE"},
    ]
    found = judged(rules, sheet(turns, ended="time"))
    assert found.turns[1].words == ("JE", "TAARTJ")
    assert found.turns[1].score == (4 + 1 * 2) + (2 + 1 + 1 + 2 + 2 + 4)
    gap = {"player": 2, "kind": "play", "at": "9A", "word": "IN"}
    assert codes(judged(rules, sheet([turns[0], gap], ended="time"))) == ["not-connected"]


@rule("NL-22", "De spelers checken regelmatig of ze allebei dezelfde totaalscores hebben")
def test_forms_differ_first_at_a_turn(rules: RuleSet) -> None:
    """Forms with 120, 120, 121 differ at the third turn."""
    turns = [play(1, 60, total=60), play(2, 40, total=40), play(1, 60, total=120)]
    document = sheet(turns, ended="time", other_form=[{"turn": 3, "score": 61, "total": 121}])
    found = replay_sheet(read_sheet(document), NL, make_replay_rules(rules)).issues
    assert min(issue.turn for issue in found if issue.code == "forms-differ" and issue.turn) == 3


@rule("NL-23", "toevoeging van letters; een woord rechthoekig; een woord parallel")
def test_words_must_touch_earlier_ones(rules: RuleSet) -> None:
    first = {"player": 1, "kind": "play", "at": "8D", "word": "TAART"}
    for at, word, expected in (
        ("8D", "TAARTEN", []),
        ("E7", "LAT", []),
        ("9D", "AS", []),
        ("10D", "AS", ["not-connected"]),
    ):
        second = {"player": 2, "kind": "play", "at": at, "word": word}
        assert codes(judged(rules, sheet([first, second], ended="time"))) == expected


@rule("NL-24", "Indien een speler alle zeven letters bij één beurt plaatst: 50 punten extra")
def test_bonus_is_not_multiplied(rules: RuleSet) -> None:
    """Not multiplied, and only for exactly seven new tiles."""
    found = judged(rules, sheet([{"player": 1, "kind": "play", "at": "8D", "word": "PROTEST"}], ended="time"))
    assert found.scores[0] == (3 * 2 + 2 + 1 + 2 + 1 + 2 + 2) * 2 + 50
    six = judged(rules, sheet([{"player": 1, "kind": "play", "at": "8D", "word": "PROTES"}], ended="time"))
    assert six.scores[0] == (3 * 2 + 2 + 1 + 2 + 1 + 2) * 2


@rule("NL-25", "twee blanco letterblokjes; hij moet aangeven welke letter dit voorstelt")
def test_blanks_have_no_value(rules: RuleSet) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "tAaRT"},
        {"player": 2, "kind": "play", "at": "E8", "word": "Al"},
    ]
    found = judged(rules, sheet(turns[:1], ended="time"))
    assert (found.scores[0], codes(found)) == ((1 + 2 + 2) * 2, [])
    third = judged(rules, sheet(turns, ended="time"))
    assert [(i.turn, i.code, i.stated, i.computed, i.detail) for i in third.issues] == [
        (2, "tile-over-used", 3, 2, "?")
    ]


@rule("NL-26", "de totale score die in die beurt is gelegd in mindering plus 20 strafpunten: 30+15+20=65")
def test_phony_costs_its_turn_and_twenty_points(rules: RuleSet) -> None:
    """Once per turn; a setting counts each wrong word. Later turns keep their scores; totals may be negative."""
    turns = [play(1, 45, ruling="phony", wrong_words=2), play(2, 50)]
    found = judged(rules, sheet(turns, ended="time"))
    assert (found.breakdown[0].turns, found.breakdown[0].phonies, found.scores) == (45, -65, (-20, 50))
    per_word = replace(rules, phony=replace(rules.phony, per=PenaltyUnit.WORD))
    assert judged(per_word, sheet(turns, ended="time")).breakdown[0].phonies == -(45 + 2 * 20)
    flipped = [play(1, 400, ruling=None), play(2, 390), play(1, 15, ruling="phony"), play(2, 10)]
    scores = judged(rules, sheet(flipped, ended="time"))
    assert (scores.scores, scores.results) == ((380, 400), (LOSS, WIN))


@rule("NL-27", "Indien mogelijk checkt de jury ook tijdens de wedstrijd; dezelfde regels gelden")
def test_phony_ruling_leaves_the_tiles(rules: RuleSet) -> None:
    """The wrong word stays on the board, and a later play through it scores normally."""
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAARX", "ruling": "phony"},
        {"player": 2, "kind": "play", "at": "8D", "word": "TAARXEN"},
    ]
    with_ruling = judged(rules, sheet(turns, ended="time"))
    without = judged(rules, sheet([{**turns[0], "ruling": None}, turns[1]], ended="time"))
    assert with_ruling.scores[1] == without.scores[1] > 0
    assert with_ruling.scores[0] == -20
    assert codes(with_ruling) == []


@rule("NL-28", "dient de letters terug te nemen en alsnog een geldig woord te leggen; wel 20 strafpunten")
def test_contested_play_is_replaced_and_costs_twenty(rules: RuleSet) -> None:
    """A replacement of 18 is worth -2; the play taken back is not deducted again. Without one: a pass."""
    found = judged(rules, sheet([play(1, 18, contested="XYZ")], ended="time"))
    assert (found.breakdown[0].turns, found.breakdown[0].phonies, found.scores[0]) == (18, -20, -2)
    found = judged(rules, sheet([turn(1, "pass", contested="XYZ")], ended="time"))
    assert found.scores[0] == -20
    rejected = judged(rules, sheet([play(1, 18), turn(2, "failed-challenge")], ended="time"))
    assert rejected.scores == (18, 0)


# --- IV: the end


@rule("NL-30", "één van beide spelers geen letters meer heeft (er is dus geen nabeurt)")
def test_end_of_the_game_when_a_player_is_out(rules: RuleSet) -> None:
    turns = [play(1, 400), play(2, 390), play(1, 10)]
    found = judged(rules, sheet(turns, ended="out", rack_values=[0, 5]))
    assert (found.scores, codes(found)) == ((415, 385), [])
    full = judged(rules, sheet(turns, ended="out", rack_values=[3, 5]))
    assert codes(full) == ["nobody-out"]


@rule("NL-31", "automatisch verloren, nul wedstrijdpunten; beide behouden hun score zoals in ad a")
def test_flag_loses_the_game(rules: RuleSet) -> None:
    found = standing(rules, 480, 430, ended="flag", flag=1, rack_values=[6, 9])
    assert (found.scores, found.results, found.match_points) == (
        (474, 421),
        (LOSS, WIN),
        (Fraction(0), Fraction(1)),
    )
    assert found.spread == 53
    assert found.breakdown[0].overtime == 0
    clock = standing(rules, 480, 430, ended="flag", overtime_seconds=[0, 3], rack_values=[6, 9])
    assert (clock.results, clock.breakdown[1].overtime) == ((WIN, LOSS), 0)


@rule("NL-32", "indien zonder klok de totale speeltijd is verstreken: als ad a")
def test_time_up_counts_scores_as_at_a_flag(rules: RuleSet) -> None:
    assert standing(rules, 300, 310, ended="time", rack_values=[6, 20]).scores == (294, 290)
    out = standing(rules, 300, 310, ended="time", racks=["", "AE"])
    assert out.scores == (302, 308)


@rule("NL-33", "450-4 = 446 en 460-15 = 445: speler 1 heeft gewonnen")
def test_end_racks_are_deducted_from_both(rules: RuleSet) -> None:
    found = judged(rules, sheet([play(1, 450), play(2, 460), *PASSES], rack_values=[4, 15]))
    assert (found.scores, found.results) == ((446, 445), (WIN, LOSS))
    blank = judged(rules, sheet([play(1, 450), play(2, 460), *PASSES], racks=["?", "?B"]))
    assert blank.scores == (450, 457)


@rule("NL-34", "Overgebleven letters in het zakje tellen niet mee")
def test_bag_does_not_count_at_the_end(rules: RuleSet) -> None:
    turns = [{"player": 1, "kind": "play", "at": "8D", "word": "TAART"}, turn(2, "pass"), turn(1, "pass")]
    found = judged(rules, sheet([*turns, turn(2, "pass")], rack_values=[0, 0]))
    assert found.turns[-1].bag == 83
    assert found.scores == (20, 0)


@rule("NL-35", "510+6 = 516 en 520-6 = 514: speler 1 heeft gewonnen")
def test_end_racks_go_to_the_player_who_is_out(rules: RuleSet) -> None:
    found = judged(rules, sheet([play(2, 520), play(1, 510)], first=2, ended="out", rack_values=[0, 6]))
    assert (found.scores, found.results) == ((516, 514), (WIN, LOSS))


@rule("NL-36", "wachten totdat de jury alles heeft gecheckt; de jury noteert de definitieve eindscores")
def test_result_is_final_after_the_jury() -> None:
    tournament = pair_rounds(make_event(4), results=False)
    game = get_game_at(tournament, 1).id
    states = []
    tournament = commands.enter_result(tournament, game=game, first=400, second=390)
    for step in (commands.check_result, commands.certify_result):
        states.append(tournament.results[game].state)
        tournament = step(tournament, game=game)
    assert [*states, tournament.results[game].state] == list(ResultState)
    checked = judged("nl-match", sheet([play(1, 385), play(2, 390), play(1, 15, ruling="phony")], ended="time"))
    assert (checked.scores, checked.results) == ((365, 390), (LOSS, WIN))


@rule("NL-37", "Degene met de hoogste totaalscore is winnaar van het spel")
def test_highest_total_wins_by_the_dutch_book(rules: RuleSet) -> None:
    assert standing(rules, 400, 390, ended="time").results == (WIN, LOSS)
    equal = standing(rules, 400, 400, ended="time")
    assert (equal.results, equal.match_points) == ((DRAW, DRAW), (Fraction(1, 2), Fraction(1, 2)))


@rule("NL-38", "knock-out: bij een gelijke score is de speler die niet is begonnen de winnaar")
@pytest.mark.parametrize(("first", "results"), [(1, (LOSS, WIN)), (2, (WIN, LOSS))])
def test_tie_in_a_knockout_is_won_by_the_replier(
    rules: RuleSet, first: int, results: tuple[Outcome, Outcome]
) -> None:
    turns = [play(first, 400), play(3 - first, 400)]
    found = judged(rules, sheet(turns, first=first, ended="time", knockout=True))
    assert (found.results, found.scores, found.spread) == (results, (400, 400), 0)


@rule("NL-38", "The stage says so: a win in bracket, card and standings; level in points, and drawn for ratings")
def test_tie_in_a_knockout_stage_is_a_win_for_the_replier(rules: RuleSet) -> None:
    tournament = build_crosstable(
        (("1-2 400:400", "3-4 410:400"),), players=4, rules=rules, ratings=dict.fromkeys(range(1, 5), 1500)
    )
    (stage,) = tournament.stages.values()
    games = [replace(game, match=number) for number, game in enumerate(tournament.games.values(), 1)]
    drawn = rank_players(tournament)[1]
    assert (drawn.draws, drawn.match_points) == (1, Fraction(1, 2))
    seeds = [Seed(SeedId(f"x{n}"), stage.id, n, PlayerId(f"p{p}")) for n, p in enumerate((1, 3, 4, 2), 1)]
    tournament = tournament.put(replace(stage, system="knockout"), *games, *seeds)
    index = Index(tournament)
    division = index.division(None)
    found = {n: (row.wins, row.draws, row.losses, row.spread) for n, row in rank_players(tournament).items()}
    assert (found[2], found[1]) == ((1, 0, 0, 0), (0, 0, 1, 0))
    assert [
        row.result for row in cards.make_player_card_table(index, tournament.players[PlayerId("p2")]).rows
    ] == ["win"]
    entries = {player: entry for player, (entry,) in compute_records(index, division).items()}
    assert [entries[PlayerId(f"p{n}")].is_tie_decided for n in (1, 2, 3)] == [True, True, False]
    assert find_game_winner(index, games[0]) == "p2"
    assert [row.winner for row in make_rated_game_table(index, division).rows] == [0, 1]


# --- V: fair play


@rule("NL-39", "sancties, variërend van een waarschuwing tot puntenaftrek en zelfs diskwalificatie")
def test_sanctions_change_the_result(rules: RuleSet) -> None:
    sanctions = [
        {"player": 1, "kind": "warning", "why": "telefoon"},
        {"player": 1, "kind": "points", "points": 30, "why": "telefoon"},
    ]
    found = standing(rules, 400, 390, ended="time", sanctions=sanctions)
    assert (found.scores, found.breakdown[0].sanctions, found.results) == ((370, 390), -30, (LOSS, WIN))
    assert codes(found) == []
    elsewhere = replace(rules, sanctions=replace(rules.sanctions, points_from=PointsFrom.TOURNAMENT))
    assert standing(elsewhere, 400, 390, ended="time", sanctions=sanctions).scores == (400, 390)
    assert rules.sanctions.named == (SanctionKind.WARNING, SanctionKind.POINTS, SanctionKind.DISQUALIFIED)


@rule("NL-40", "hulpmiddelen: overtreding leidt tot onmiddellijke diskwalificatie")
def test_disqualification_loses_the_game(rules: RuleSet) -> None:
    """This game is lost with the points as they are; for later rounds the director may let forfeits be noted."""
    found = standing(rules, 400, 390, ended="time", sanctions=[{"player": 1, "kind": "disqualified"}])
    assert (found.results, found.scores, found.match_points) == (
        (LOSS, WIN),
        (400, 390),
        (Fraction(0), Fraction(1)),
    )
    tournament = pair_rounds(make_event(4))
    player = PlayerId("p1")
    tournament = commands.withdraw_player(tournament, key="x", player=player, kind=ByeKind.FORFEIT)
    tournament = pair_rounds(tournament)
    index = Index(tournament)
    entry = compute_records(index, index.division(None))[player][-1]
    assert (entry.bye, entry.outcome, entry.spread) == (ByeKind.FORFEIT, LOSS, -50)


def test_jury_rules_on_each_word(rules: RuleSet) -> None:
    assert (rules.judges.reveals, rules.judges.appeal) == (RevealedToPlayers.WORDS, 0)
    assert rules.ending.ends == (GameEnding.OUT, GameEnding.PASSES, GameEnding.FLAG, GameEnding.TIME)
