"""Tests of the Reglement Wedstrijdscrabble en Puntenscrabble (nl-reglement), with its own examples.

The earlier edition differs only in the ranking, so most tests also use its preset.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, standings
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import make_replay_rules
from tdapp.domain.matches import find_game_winner
from tdapp.domain.model import ByeKind, DivisionId, PlayerId, ResultState, RoundId, Seed, SeedId, StageId
from tdapp.domain.records import compute_records
from tdapp.domain.round_clock import find_starter_by_tile_draws
from tdapp.domain.ruleset import (
    MatchPoints,
    Outcome,
    PenaltyUnit,
    RuleSet,
    RulingDetailForPlayers,
    RunningTotalsRequirement,
    SanctionPointsSource,
    UnplayedRoundPointsRule,
    UnplayedRoundPointsSource,
    find_thinking_times_outside_recommendation,
)
from tdapp.domain.standings import list_resistance_breakdown
from tdapp.domain.tables import players as cards
from tdapp.domain.tables import rounds as rounds_table
from tdapp.domain.tables.standings import make_rated_game_table
from tdapp.pairing.field import build_pairing_field
from tdapp.scrabble.board import LAYOUT
from tdapp.scrabble.replay import replay_sheet
from tdapp.scrabble.sheet import GameEnding, SanctionKind
from tdapp.scrabble.sheet import parse_sheet as read_sheet
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict, combine_word_verdicts, normalise_word
from tests.building import get_game_at, make_event, pair_rounds
from tests.domain.tournament_lines import build_crosstable, rank_players
from tests.rulebook.books import (
    judge_sheet_document,
    judge_totals,
    list_issue_codes,
    load_preset,
    load_tile_set,
    make_opening_plays,
    make_play,
    make_sheet,
    make_turn,
    rule,
)

TILE_SET = load_tile_set("nl")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
PASSES = (make_turn(1, "pass"), make_turn(2, "pass"), make_turn(1, "pass"))


@pytest.fixture(params=["nl-match", "nl-match-earlier", "nl-points"])
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return load_preset(request.param)


# --- I: ranking, words, tiles

# Usual scales of events. 2-1-0 ranks like 1-1/2-0, but 1-0-0 counts only wins and can rank differently.
SCALES = {
    "1-1/2-0": MatchPoints(),
    "2-1-0": MatchPoints(Fraction(2), Fraction(1)),
    "1-0-0": MatchPoints(Fraction(1), Fraction(0)),
}


@rule("NL-01", "Puntenscrabble: niet het aantal overwinningen telt, maar het totaal aantal punten")
def test_ranking_compares_points_before_wins() -> None:
    """450 + 380 with two losses ranks above 420 + 400 with two wins. Equal totals share a rank."""
    rounds = (("1-3 450:460", "2-4 420:100"), ("1-4 380:390", "2-3 400:10"))
    rows = rank_players(build_crosstable(rounds, players=4, rules=load_preset("nl-points")))
    assert [(number, row.points) for number, row in rows.items()][:2] == [(1, 830), (2, 820)]
    equal_game = rank_players(
        build_crosstable((("1-2 400:350", "3-4 400:410"),), players=4, rules=load_preset("nl-points"))
    )
    assert [(number, row.rank) for number, row in equal_game.items()] == [(4, 1), (1, 2), (3, 2), (2, 4)]


@rule(
    "NL-01",
    "A bye and a win by forfeit bring the average of the own games before, half up; in a first round the field's",
)
def test_points_without_a_game_are_the_average() -> None:
    """A bye gives the average. A forfeit gives no points to the loser."""
    rounds = (
        ("1-2 400:350", "3-4 380:381", "5 bye"),
        ("5-1 300:421", "4-2 forfeit 2", "3 bye"),
        ("3-5 200:210", "1-4 350:351", "2 bye"),
    )
    table = build_crosstable(rounds, players=5, rules=load_preset("nl-points"))
    points_by_round = [
        {number: row.points for number, row in sorted(rank_players(table, number).items())} for number in (1, 2, 3)
    ]
    assert points_by_round[0] == {1: 400, 2: 350, 3: 380, 4: 381, 5: 378}
    assert points_by_round[1] == {1: 821, 2: 350, 3: 760, 4: 762, 5: 678}
    assert points_by_round[2] == {1: 1171, 2: 700, 3: 960, 4: 1113, 5: 888}
    index = TournamentIndex(table)
    byes = [rounds_table.make_bye_table(index, item).rows for item in index.rounds(index.get_division(None).id)]
    assert [row.awarded for rows in byes for row in rows] == [378, 380, 350]


@rule("NL-01", "or the field's average, or a fixed number, as the rule set says")
@pytest.mark.parametrize(
    ("award", "points"),
    [
        (UnplayedRoundPointsRule(UnplayedRoundPointsSource.FIELD), 361),
        (UnplayedRoundPointsRule(points=300), 300),
        (UnplayedRoundPointsRule(), 0),
    ],
)
def test_points_without_a_game_are_a_setting(award: UnplayedRoundPointsRule, points: int) -> None:
    rules = load_preset("nl-points")
    bye = replace(rules.byes.bye, award=award)
    rules = replace(rules, byes=replace(rules.byes, bye=bye), forfeit=replace(rules.forfeit, award=award))
    rounds = (("1-2 400:350", "3-4 380:381", "5 bye"), ("5-1 300:421", "4-2 forfeit 1", "3 bye"))
    rows = rank_players(build_crosstable(rounds, players=5, rules=rules))
    assert (rows[3].points, rows[2].points, rows[4].points) == (380 + points, 350 + points, 381)
    rounds = (rounds[0], ("5-1 300:421", "4-2 forfeit both", "3 bye"))
    rows = rank_players(build_crosstable(rounds, players=5, rules=rules))
    assert (rows[2].points, rows[4].points) == (350, 381)


@rule("NL-01", "or for one bye or one forfeit alone; standings and the next pairing count it so")
@pytest.mark.parametrize(
    ("award_by", "fixed", "bye", "forfeit_points"),
    [
        (UnplayedRoundPointsSource.FIXED, 410, 410, 410),
        (UnplayedRoundPointsSource.FIELD, 0, 361, 361),
        (UnplayedRoundPointsSource.OWN, 0, 380, 350),
        (None, 0, 380, 350),
    ],
)
def test_points_without_a_game_can_be_set_for_one_round(
    award_by: UnplayedRoundPointsSource | None, fixed: int, bye: int, forfeit_points: int
) -> None:
    rounds = (("1-2 400:350", "3-4 380:381", "5 bye"), ("5-1 300:421", "4-2 forfeit 1", "3 bye"))
    table = build_crosstable(rounds, players=5, rules=load_preset("nl-points"))
    for number in (3, 2):
        player, second = PlayerId(f"p{number}"), RoundId("r2")
        table = commands.set_award(table, player=player, round=second, by=award_by, points=fixed)
    standings_rows = rank_players(table)
    assert (standings_rows[3].points, standings_rows[2].points, standings_rows[5].points) == (
        380 + bye,
        350 + forfeit_points,
        678,
    )
    index = TournamentIndex(table)
    rows = {
        row.player: row
        for row in rounds_table.make_bye_and_forfeit_points_table(index, index.get_division(None)).rows
        if row.round > 1
    }
    assert [(rows[number].own, rows[number].awarded) for number in (3, 2)] == [
        (award_by is not None, bye),
        (award_by is not None, forfeit_points),
    ]
    field = build_pairing_field(index, StageId("s"), number=3, source=2)
    scores = {entrant.player: entrant.points for entrant in field.entrants}
    assert (scores[PlayerId("p3")], scores[PlayerId("p2")]) == (str(380 + bye), str(350 + forfeit_points))


# A club evening of three by London rules: a bye is a win (4 points) with the player's average of the evening.
LONDON = (("1-2 420:380", "3 bye"), ("1-3 400:350", "2 bye"), ("2-3 390:360", "1 bye"))


@rule("NL-01", "or the average of all the player's games of the stage, also of the later ones")
def test_points_without_a_game_include_later_games_of_the_stage() -> None:
    rules = load_preset("nl-points")
    bye = replace(rules.byes.bye, award=UnplayedRoundPointsRule(UnplayedRoundPointsSource.STAGE))
    points = MatchPoints(win=Fraction(4), draw=Fraction(2))
    rules = replace(rules, byes=replace(rules.byes, bye=bye), match_points=points)
    index = TournamentIndex(build_crosstable(LONDON, players=3, rules=rules))
    rows = rank_players(index.tournament)
    assert {number: row.match_points for number, row in rows.items()} == {1: 12, 2: 8, 3: 4}
    assert {number: row.points for number, row in rows.items()} == {1: 3 * 410, 2: 3 * 385, 3: 3 * 355}
    byes = [
        rounds_table.make_bye_table(index, item).rows[0].awarded
        for item in index.list_published_rounds(DivisionId("d"))
    ]
    assert byes == [355, 385, 410]
    after_first = standings.compute_standings(index, index.get_division(None), 1)
    assert {row.player.number: row.points for row in after_first}[
        3
    ] == 400  # without a game: the average of the field


@rule("NL-01", "games of other stages do not count for the average of a stage; without any, the field's does")
def test_points_without_a_game_ignore_other_stages() -> None:
    table = build_crosstable(LONDON, players=3, rules=load_preset("nl-points"))
    later_stage = replace(table.stages[StageId("s")], id=StageId("t"), position=2, rounds=2)
    table = table.put(replace(table.stages[StageId("s")], rounds=1), later_stage)
    table = table.put(*(replace(table.rounds[RoundId(f"r{number}")], stage=later_stage.id) for number in (2, 3)))
    for number, player in ((1, 3), (2, 2), (3, 1)):
        key = RoundId(f"r{number}")
        table = commands.set_award(
            table, player=PlayerId(f"p{player}"), round=key, by=UnplayedRoundPointsSource.STAGE
        )
    index = TournamentIndex(table)
    rows = rounds_table.make_bye_and_forfeit_points_table(index, index.get_division(None)).rows
    assert {row.round: row.awarded for row in rows} == {1: 400, 2: 390, 3: 400}


@rule("NL-02", "Bij wedstrijdscrabble gaat het er om wedstrijden te winnen; punten zijn ondergeschikt")
@pytest.mark.parametrize("name", ["nl-match", "nl-match-earlier"])
def test_ranking_by_swiss_compares_wins_before_points(name: str) -> None:
    rounds = (("1-2 500:501", "3-4 300:299"),)
    rows = rank_players(build_crosstable(rounds, players=4, rules=load_preset(name)))
    assert {number: row.match_points for number, row in rows.items()} == {2: 1, 3: 1, 1: 0, 4: 0}
    assert load_preset(name).match_points == SCALES["1-1/2-0"]


@rule("NL-02", "The scale is a setting: 1-1/2-0, 2-1-0 with the same order, 1-0-0 with another")
def test_ranking_accepts_other_scales() -> None:
    rounds = (("1-2 400:400", "3-4 401:400"), ("1-3 400:400", "2-4 410:400"), ("1-4 300:301", "2-3 300:310"))

    def list_ranked_numbers(scale: str) -> list[int]:
        rules = replace(load_preset("nl-match-earlier"), match_points=SCALES[scale])
        return list(rank_players(build_crosstable(rounds, players=4, rules=rules)))

    assert list_ranked_numbers("2-1-0") == list_ranked_numbers("1-1/2-0")
    rules_with_wins_only = replace(load_preset("nl-match-earlier"), match_points=SCALES["1-0-0"])
    assert rank_players(build_crosstable(rounds, players=4, rules=rules_with_wins_only))[1].match_points == 0
    assert (
        rank_players(build_crosstable(rounds, players=4, rules=load_preset("nl-match-earlier")))[1].match_points
        == 1
    )


@rule("NL-03", "Wel telt het puntensaldo mee indien spelers hetzelfde aantal wedstrijden hebben gewonnen")
def test_spread_decides_between_equals() -> None:
    """In other systems than Swiss, 446-445 gives +1 and -1. After a flag fall the kept points count."""
    rules = load_preset("nl-match")
    assert (
        rules.get_tiebreak_order_for_system("round-robin")
        == rules.get_tiebreak_order_for_system("knockout")
        == ("wins", "spread")
    )
    table = build_crosstable((("1-2 446:445", "3-4 450:430"),), players=4, rules=rules, order=("wins", "spread"))
    assert [(number, row.spread) for number, row in rank_players(table).items()] == [
        (3, 20),
        (1, 1),
        (2, -1),
        (4, -20),
    ]
    flagged_game = judge_totals(rules, 480, 430, ended="flag", flag=1, rack_values=[6, 9])
    assert (flagged_game.spread, flagged_game.results) == (53, (LOSS, WIN))


@rule("NL-04", "of - bij toepassing van het zogenaamde Zwitserse systeem - het aantal weerstandspunten")
def test_resistance_decides_under_the_swiss_system() -> None:
    """Resistance is the sum of the opponents' match points. A bye adds 0."""
    assert load_preset("nl-match").get_tiebreak_order_for_system("swiss") == ("wins", "resistance", "spread")
    rounds = (
        ("1-2 400:300", "3 bye"),
        ("1-3 400:500", "2 bye"),
        ("2-3 forfeit 2", "1 absent"),
    )
    table = build_crosstable(rounds, players=3, rules=load_preset("nl-match"))
    rows = rank_players(table)
    assert {number: row.match_points for number, row in rows.items()} == {2: 2, 3: 2, 1: 1}
    assert {number: row.resistance_points for number, row in rows.items()} == {1: 4, 2: 3, 3: 3}
    index = TournamentIndex(table)
    parts = list_resistance_breakdown(index, index.get_division(None), PlayerId("p2"))
    assert [(part.round, part.units) for part in parts] == [(1, 2), (2, 0), (3, 4)]


@rule("NL-05", "Er mogen alleen woorden worden neergelegd die in de laatste versie van de SWL staan")
def test_words_are_decided_by_the_list_only(rules: RuleSet) -> None:
    """The list decides on words of up to 13 letters, the jury on longer words. AUTO'S is AUTOS."""
    assert rules.words.binding == 13

    class WordListUpTo13:
        edition = WordListEdition("SWL", "nl", binding_max_length=rules.words.binding)

        def judge_word(self, word: object) -> WordVerdict:
            text = "".join(word)  # type: ignore[arg-type, unused-ignore]
            if len(text) > (self.edition.binding_max_length or 15):
                return WordVerdict.NOT_BINDING
            return WordVerdict.VALID if text in {"TAART", "AUTOS"} else WordVerdict.INVALID

    assert combine_word_verdicts([WordListUpTo13().judge_word(word) for word in ["TAART"]]) is WordVerdict.VALID
    assert (
        combine_word_verdicts([WordListUpTo13().judge_word(word) for word in ["TAART", "TAALTIKJE"]])
        is WordVerdict.INVALID
    )
    assert (
        combine_word_verdicts([WordListUpTo13().judge_word(word) for word in ["A" * 14]])
        is WordVerdict.NOT_BINDING
    )
    assert normalise_word("auto's", "nl") == "AUTOS"


@rule("NL-06", "Elk spel bevat 102 letterblokjes")
def test_tiles_of_the_dutch_set() -> None:
    assert (TILE_SET.tile_count, TILE_SET.blanks, len(TILE_SET.list_remaining_tiles(()))) == (102, 2, 102)
    assert sum(letter.count * letter.value for letter in TILE_SET.letters) == 230
    assert " ".join(f"{letter.text}{letter.count}x{letter.value}" for letter in TILE_SET.letters) == (
        "A6x1 B2x3 C2x5 D5x2 E18x1 F2x4 G3x3 H2x4 I4x1 J2x4 K3x3 L3x3 M3x3 N10x1 O6x1 P2x3 Q1x10 R5x2 S5x2 T5x2 "
        "U3x4 V2x4 W2x5 X1x8 Y1x8 Z2x4"
    )
    assert TILE_SET.sum_tile_values("?") == TILE_SET.sum_tile_values("q") == 0


@rule("NL-07", "bordindeling: 8 driemaal, 17 tweemaal woordwaarde; 12 driemaal, 24 tweemaal letterwaarde")
def test_board_has_the_premiums_of_the_book() -> None:
    """The printed table has errors in 21 squares. The correct board is symmetrical."""
    squares = "".join(LAYOUT)
    assert [squares.count(premium) for premium in "32cb"] == [8, 17, 12, 24]
    assert LAYOUT[7][7] == "2"
    assert tuple(reversed(LAYOUT)) == LAYOUT == tuple(row[::-1] for row in LAYOUT)
    assert tuple("".join(column) for column in zip(*LAYOUT, strict=True)) == LAYOUT


@rule("NL-08", "elke speler 20 tot 30 minuten; de speelduur varieert van 40 tot 60 minuten")
def test_find_clock_warnings_names_unusual_times(rules: RuleSet) -> None:
    def list_warnings(minutes: int) -> list[tuple[str, int]]:
        overtime_game = replace(rules.clock, minutes=minutes)
        return [
            (warning.scope, warning.minutes)
            for warning in find_thinking_times_outside_recommendation(overtime_game)
        ]

    assert list_warnings(20) == list_warnings(25) == list_warnings(30) == []
    assert list_warnings(19) == [("player", 19), ("game", 38)]
    assert list_warnings(31) == [("player", 31), ("game", 62)]
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
    """A missing total and a difference between the two forms are reported with their turns."""
    assert rules.form.totals is RunningTotalsRequirement.ALWAYS
    turns = [make_play(1, 20, total=20), make_play(2, 30), make_play(1, 10, total=30)]
    assert [
        (issue.turn, issue.code) for issue in judge_sheet_document(rules, make_sheet(turns, ended="time")).issues
    ] == [(2, "total-missing")]
    turns[1]["total"] = 30
    sheet_with_other_form = make_sheet(turns, ended="time", other_form=[{"turn": 3, "score": 11, "total": 31}])
    issues = judge_sheet_document(rules, sheet_with_other_form).issues
    assert [(issue.turn, issue.code, issue.detail, issue.stated, issue.other) for issue in issues] == [
        (3, "forms-differ", "score", 10, 11),
        (3, "forms-differ", "total", 30, 31),
    ]


@rule("NL-12", "Wie de letter heeft die het dichtst bij het begin van het alfabet ligt; blanco tellen niet mee")
@pytest.mark.parametrize(
    ("drawn_tiles", "outcome"),
    [
        (("C", "F"), StartingDrawOutcome(1, ())),
        (("D", "D"), StartingDrawOutcome(None, (1, 2))),
        (("?", "A"), StartingDrawOutcome(None, (1, 2))),
    ],
)
def test_starting_draw_lowest_letter_starts(
    rules: RuleSet, drawn_tiles: tuple[str, str], outcome: StartingDrawOutcome
) -> None:
    first_draw = {1: drawn_tiles[0], 2: drawn_tiles[1]}
    assert find_starter_by_tile_draws(rules, TILE_SET, [first_draw]) == outcome
    if outcome.starter is None:
        assert find_starter_by_tile_draws(rules, TILE_SET, [first_draw, {1: "Z", 2: "B"}]) == StartingDrawOutcome(
            2, ()
        )


# --- III: the turns


@rule("NL-16", "ruilen, tenzij er 6 of minder letterblokjes in het zakje zitten")
@pytest.mark.parametrize(("bag", "allowed"), [(7, True), (6, False)])
def test_exchange_needs_seven_tiles_in_the_bag(rules: RuleSet, bag: int, allowed: bool) -> None:
    """The bag contains 102 tiles minus the board and 14 tiles on racks."""
    turns = make_opening_plays(TILE_SET, tile_count=102 - 14 - bag)
    last_player = turns[-1]["player"]
    judged_sheet = judge_sheet_document(
        rules, make_sheet([*turns, make_turn(3 - int(str(last_player)), "exchange", tiles=1)], ended="time")
    )
    assert judged_sheet.turns[-1].bag == bag
    exchange_issues = [issue for issue in judged_sheet.issues if issue.code == "exchange-too-few"]
    assert [(issue.stated, issue.computed) for issue in exchange_issues] == ([] if allowed else [(6, 7)])


@rule("NL-17", "Het ruilen is hiermee definitief: nieuwe letters uit het zakje, de oude erin")
@pytest.mark.parametrize("count", [1, 7])
def test_exchange_scores_no_points(rules: RuleSet, count: int) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
        make_turn(2, "exchange", tiles=count),
        make_turn(1, "exchange", tiles=1),
    ]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    assert (judged_sheet.turns[1].score, judged_sheet.scores) == (0, (20, 0))
    assert judged_sheet.turns[1].bag == judged_sheet.turns[2].bag == 102 - 5 - 14


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
    """An exchange or a phony play interrupts the series."""
    turns = [
        make_play(1 + number % 2, 20, ruling="phony") if kind == "phony" else make_turn(1 + number % 2, kind)
        for number, kind in enumerate(kinds)
    ]
    assert list_issue_codes(judge_sheet_document(rules, make_sheet(turns))) == expected


@rule("NL-19", "twee of meer letters met één op het middelste vakje, dus met tweemaal woordwaarde")
def test_first_play_doubles_on_the_star(rules: RuleSet) -> None:
    """TAART at 8D scores (2x2+1+1+2+2)x2 = 20. The first play after passes also counts as first."""

    def judge_first_play(square: str, word: str) -> tuple[int, list[str]]:
        turns = [make_turn(1, "pass"), {"player": 2, "kind": "play", "at": square, "word": word}]
        judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="time"))
        return judged_sheet.scores[1], list_issue_codes(judged_sheet)

    assert judge_first_play("8D", "TAART") == (20, [])
    assert judge_first_play("H4", "TAART") == (20, [])
    assert judge_first_play("8I", "TAART")[1] == ["centre-not-covered"]
    assert judge_first_play("8H", "T")[1] == ["one-tile-first"]


@rule("NL-20", "noteren de score en het gelegde hoofdwoord met bij voorkeur de coördinaten van de eerste letter")
def test_coordinates_are_optional(rules: RuleSet) -> None:
    """Without squares only the sums are checked. Without a direction, the score decides it."""
    turns = [make_play(1, 20, "TAART", total=20), make_play(2, 14, "LAT", total=15)]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    assert judged_sheet.scores == (20, 14)
    assert [(issue.turn, issue.code, issue.stated, issue.computed) for issue in judged_sheet.issues] == [
        (2, "total-differs", 15, 14)
    ]
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART", "score": 20},
        {"player": 2, "kind": "play", "at": "H8?", "word": "TEN", "score": 4},
    ]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    assert (judged_sheet.turns[1].score, judged_sheet.issues) == (4, ())


@rule("NL-21", "steeds op één lijn; complete woorden; punten voor alle gevormde en/of gewijzigde woorden")
def test_words_of_a_play_all_score(rules: RuleSet) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
        {"player": 2, "kind": "play", "at": "I8", "word": "JE"},
    ]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    assert judged_sheet.turns[1].words == ("JE", "TAARTJ")
    assert judged_sheet.turns[1].score == (4 + 1 * 2) + (2 + 1 + 1 + 2 + 2 + 4)
    distant_play = {"player": 2, "kind": "play", "at": "9A", "word": "IN"}
    assert list_issue_codes(judge_sheet_document(rules, make_sheet([turns[0], distant_play], ended="time"))) == [
        "not-connected"
    ]


@rule("NL-22", "De spelers checken regelmatig of ze allebei dezelfde totaalscores hebben")
def test_forms_differ_first_at_a_turn(rules: RuleSet) -> None:
    """Totals 120, 120 and 121 differ at the third turn."""
    turns = [make_play(1, 60, total=60), make_play(2, 40, total=40), make_play(1, 60, total=120)]
    document = make_sheet(turns, ended="time", other_form=[{"turn": 3, "score": 61, "total": 121}])
    issues = replay_sheet(read_sheet(document), TILE_SET, make_replay_rules(rules)).issues
    assert min(issue.turn for issue in issues if issue.code == "forms-differ" and issue.turn) == 3


@rule("NL-23", "toevoeging van letters; een woord rechthoekig; een woord parallel")
def test_words_must_touch_earlier_ones(rules: RuleSet) -> None:
    first_play = {"player": 1, "kind": "play", "at": "8D", "word": "TAART"}
    for square, word, expected in (
        ("8D", "TAARTEN", []),
        ("E7", "LAT", []),
        ("9D", "AS", []),
        ("10D", "AS", ["not-connected"]),
    ):
        second_play = {"player": 2, "kind": "play", "at": square, "word": word}
        assert (
            list_issue_codes(judge_sheet_document(rules, make_sheet([first_play, second_play], ended="time")))
            == expected
        )


@rule("NL-24", "Indien een speler alle zeven letters bij één beurt plaatst: 50 punten extra")
def test_bonus_is_not_multiplied(rules: RuleSet) -> None:
    """The bonus is for exactly seven new tiles and is not multiplied."""
    judged_sheet = judge_sheet_document(
        rules, make_sheet([{"player": 1, "kind": "play", "at": "8D", "word": "PROTEST"}], ended="time")
    )
    assert judged_sheet.scores[0] == (3 * 2 + 2 + 1 + 2 + 1 + 2 + 2) * 2 + 50
    six_tiles = judge_sheet_document(
        rules, make_sheet([{"player": 1, "kind": "play", "at": "8D", "word": "PROTES"}], ended="time")
    )
    assert six_tiles.scores[0] == (3 * 2 + 2 + 1 + 2 + 1 + 2) * 2


@rule("NL-25", "twee blanco letterblokjes; hij moet aangeven welke letter dit voorstelt")
def test_blanks_have_no_value(rules: RuleSet) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "tAaRT"},
        {"player": 2, "kind": "play", "at": "E8", "word": "Al"},
    ]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns[:1], ended="time"))
    assert (judged_sheet.scores[0], list_issue_codes(judged_sheet)) == ((1 + 2 + 2) * 2, [])
    three_blanks = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    assert [
        (issue.turn, issue.code, issue.stated, issue.computed, issue.detail) for issue in three_blanks.issues
    ] == [(2, "tile-over-used", 3, 2, "?")]


@rule("NL-26", "de totale score die in die beurt is gelegd in mindering plus 20 strafpunten: 30+15+20=65")
def test_phony_costs_its_turn_and_twenty_points(rules: RuleSet) -> None:
    """The penalty counts once in a turn, or once for each word. Totals can be negative."""
    turns = [make_play(1, 45, ruling="phony", wrong_words=2), make_play(2, 50)]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    assert (judged_sheet.breakdown[0].turns, judged_sheet.breakdown[0].phonies, judged_sheet.scores) == (
        45,
        -65,
        (-20, 50),
    )
    per_word = replace(rules, phony=replace(rules.phony, per=PenaltyUnit.WORD))
    assert judge_sheet_document(per_word, make_sheet(turns, ended="time")).breakdown[0].phonies == -(45 + 2 * 20)
    turns_with_phony = [
        make_play(1, 400, ruling=None),
        make_play(2, 390),
        make_play(1, 15, ruling="phony"),
        make_play(2, 10),
    ]
    scores = judge_sheet_document(rules, make_sheet(turns_with_phony, ended="time"))
    assert (scores.scores, scores.results) == ((380, 400), (LOSS, WIN))


@rule("NL-27", "Indien mogelijk checkt de jury ook tijdens de wedstrijd; dezelfde regels gelden")
def test_phony_ruling_leaves_the_tiles(rules: RuleSet) -> None:
    """The wrong word stays on the board, and a later play through it scores normally."""
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAARX", "ruling": "phony"},
        {"player": 2, "kind": "play", "at": "8D", "word": "TAARXEN"},
    ]
    with_ruling = judge_sheet_document(rules, make_sheet(turns, ended="time"))
    without_ruling = judge_sheet_document(
        rules, make_sheet([{**turns[0], "ruling": None}, turns[1]], ended="time")
    )
    assert with_ruling.scores[1] == without_ruling.scores[1] > 0
    assert with_ruling.scores[0] == -20
    assert list_issue_codes(with_ruling) == []


@rule("NL-28", "dient de letters terug te nemen en alsnog een geldig woord te leggen; wel 20 strafpunten")
def test_contested_play_is_replaced_and_costs_twenty(rules: RuleSet) -> None:
    """A replacement of 18 points counts -2. Without a replacement the turn is a pass."""
    judged_sheet = judge_sheet_document(rules, make_sheet([make_play(1, 18, contested="XYZ")], ended="time"))
    assert (judged_sheet.breakdown[0].turns, judged_sheet.breakdown[0].phonies, judged_sheet.scores[0]) == (
        18,
        -20,
        -2,
    )
    judged_sheet = judge_sheet_document(rules, make_sheet([make_turn(1, "pass", contested="XYZ")], ended="time"))
    assert judged_sheet.scores[0] == -20
    rejected_challenge = judge_sheet_document(
        rules, make_sheet([make_play(1, 18), make_turn(2, "failed-challenge")], ended="time")
    )
    assert rejected_challenge.scores == (18, 0)


# --- IV: the end


@rule("NL-30", "één van beide spelers geen letters meer heeft (er is dus geen nabeurt)")
def test_end_of_the_game_when_a_player_is_out(rules: RuleSet) -> None:
    turns = [make_play(1, 400), make_play(2, 390), make_play(1, 10)]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, ended="out", rack_values=[0, 5]))
    assert (judged_sheet.scores, list_issue_codes(judged_sheet)) == ((415, 385), [])
    both_racks_full = judge_sheet_document(rules, make_sheet(turns, ended="out", rack_values=[3, 5]))
    assert list_issue_codes(both_racks_full) == ["nobody-out"]


@rule("NL-31", "automatisch verloren, nul wedstrijdpunten; beide behouden hun score zoals in ad a")
def test_flag_loses_the_game(rules: RuleSet) -> None:
    judged_sheet = judge_totals(rules, 480, 430, ended="flag", flag=1, rack_values=[6, 9])
    assert (judged_sheet.scores, judged_sheet.results, judged_sheet.match_points) == (
        (474, 421),
        (LOSS, WIN),
        (Fraction(0), Fraction(1)),
    )
    assert judged_sheet.spread == 53
    assert judged_sheet.breakdown[0].overtime == 0
    overtime_game = judge_totals(rules, 480, 430, ended="flag", overtime_seconds=[0, 3], rack_values=[6, 9])
    assert (overtime_game.results, overtime_game.breakdown[1].overtime) == ((WIN, LOSS), 0)


@rule("NL-32", "indien zonder klok de totale speeltijd is verstreken: als ad a")
def test_time_up_counts_scores_as_at_a_flag(rules: RuleSet) -> None:
    assert judge_totals(rules, 300, 310, ended="time", rack_values=[6, 20]).scores == (294, 290)
    player_out = judge_totals(rules, 300, 310, ended="time", racks=["", "AE"])
    assert player_out.scores == (302, 308)


@rule("NL-33", "450-4 = 446 en 460-15 = 445: speler 1 heeft gewonnen")
def test_end_racks_are_deducted_from_both(rules: RuleSet) -> None:
    judged_sheet = judge_sheet_document(
        rules, make_sheet([make_play(1, 450), make_play(2, 460), *PASSES], rack_values=[4, 15])
    )
    assert (judged_sheet.scores, judged_sheet.results) == ((446, 445), (WIN, LOSS))
    blank_racks = judge_sheet_document(
        rules, make_sheet([make_play(1, 450), make_play(2, 460), *PASSES], racks=["?", "?B"])
    )
    assert blank_racks.scores == (450, 457)


@rule("NL-34", "Overgebleven letters in het zakje tellen niet mee")
def test_bag_does_not_count_at_the_end(rules: RuleSet) -> None:
    turns = [
        {"player": 1, "kind": "play", "at": "8D", "word": "TAART"},
        make_turn(2, "pass"),
        make_turn(1, "pass"),
    ]
    judged_sheet = judge_sheet_document(rules, make_sheet([*turns, make_turn(2, "pass")], rack_values=[0, 0]))
    assert judged_sheet.turns[-1].bag == 83
    assert judged_sheet.scores == (20, 0)


@rule("NL-35", "510+6 = 516 en 520-6 = 514: speler 1 heeft gewonnen")
def test_end_racks_go_to_the_player_who_is_out(rules: RuleSet) -> None:
    judged_sheet = judge_sheet_document(
        rules, make_sheet([make_play(2, 520), make_play(1, 510)], first=2, ended="out", rack_values=[0, 6])
    )
    assert (judged_sheet.scores, judged_sheet.results) == ((516, 514), (WIN, LOSS))


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
    checked = judge_sheet_document(
        "nl-match",
        make_sheet([make_play(1, 385), make_play(2, 390), make_play(1, 15, ruling="phony")], ended="time"),
    )
    assert (checked.scores, checked.results) == ((365, 390), (LOSS, WIN))


@rule("NL-37", "Degene met de hoogste totaalscore is winnaar van het spel")
def test_highest_total_wins_by_the_dutch_book(rules: RuleSet) -> None:
    assert judge_totals(rules, 400, 390, ended="time").results == (WIN, LOSS)
    equal_game = judge_totals(rules, 400, 400, ended="time")
    assert (equal_game.results, equal_game.match_points) == ((DRAW, DRAW), (Fraction(1, 2), Fraction(1, 2)))


@rule("NL-38", "knock-out: bij een gelijke score is de speler die niet is begonnen de winnaar")
@pytest.mark.parametrize(("first_player", "results"), [(1, (LOSS, WIN)), (2, (WIN, LOSS))])
def test_tie_in_a_knockout_is_won_by_the_replier(
    rules: RuleSet, first_player: int, results: tuple[Outcome, Outcome]
) -> None:
    turns = [make_play(first_player, 400), make_play(3 - first_player, 400)]
    judged_sheet = judge_sheet_document(rules, make_sheet(turns, first=first_player, ended="time", knockout=True))
    assert (judged_sheet.results, judged_sheet.scores, judged_sheet.spread) == (results, (400, 400), 0)


@rule("NL-38", "The stage says so: a win in bracket, card and standings; level in points, and drawn for ratings")
def test_tie_in_a_knockout_stage_is_a_win_for_the_replier(rules: RuleSet) -> None:
    tournament = build_crosstable(
        (("1-2 400:400", "3-4 410:400"),), players=4, rules=rules, ratings=dict.fromkeys(range(1, 5), 1500)
    )
    (stage,) = tournament.stages.values()
    games = [replace(game, match=number) for number, game in enumerate(tournament.games.values(), 1)]
    row_before_knockout = rank_players(tournament)[1]
    assert (row_before_knockout.draws, row_before_knockout.match_points) == (1, Fraction(1, 2))
    seeds = [
        Seed(SeedId(f"x{number}"), stage.id, number, PlayerId(f"p{player}"))
        for number, player in enumerate((1, 3, 4, 2), 1)
    ]
    tournament = tournament.put(replace(stage, system="knockout"), *games, *seeds)
    index = TournamentIndex(tournament)
    division = index.get_division(None)
    records = {
        number: (row.wins, row.draws, row.losses, row.spread) for number, row in rank_players(tournament).items()
    }
    assert (records[2], records[1]) == ((1, 0, 0, 0), (0, 0, 1, 0))
    assert [
        row.result for row in cards.make_player_card_table(index, tournament.players[PlayerId("p2")]).rows
    ] == ["win"]
    entries = {player: entry for player, (entry,) in compute_records(index, division).items()}
    assert [entries[PlayerId(f"p{number}")].is_tie_decided for number in (1, 2, 3)] == [True, True, False]
    assert find_game_winner(index, games[0]) == "p2"
    assert [row.winner for row in make_rated_game_table(index, division).rows] == [0, 1]


# --- V: fair play


@rule("NL-39", "sancties, variërend van een waarschuwing tot puntenaftrek en zelfs diskwalificatie")
def test_sanctions_change_the_result(rules: RuleSet) -> None:
    sanctions = [
        {"player": 1, "kind": "warning", "why": "telefoon"},
        {"player": 1, "kind": "points", "points": 30, "why": "telefoon"},
    ]
    judged_sheet = judge_totals(rules, 400, 390, ended="time", sanctions=sanctions)
    assert (judged_sheet.scores, judged_sheet.breakdown[0].sanctions, judged_sheet.results) == (
        (370, 390),
        -30,
        (LOSS, WIN),
    )
    assert list_issue_codes(judged_sheet) == []
    rules_of_tournament = replace(
        rules, sanctions=replace(rules.sanctions, points_from=SanctionPointsSource.TOURNAMENT)
    )
    assert judge_totals(rules_of_tournament, 400, 390, ended="time", sanctions=sanctions).scores == (400, 390)
    assert rules.sanctions.named == (SanctionKind.WARNING, SanctionKind.POINTS, SanctionKind.DISQUALIFIED)


@rule("NL-40", "hulpmiddelen: overtreding leidt tot onmiddellijke diskwalificatie")
def test_disqualification_loses_the_game(rules: RuleSet) -> None:
    """The disqualified player loses this game with the points unchanged. Later rounds can be forfeits."""
    judged_sheet = judge_totals(rules, 400, 390, ended="time", sanctions=[{"player": 1, "kind": "disqualified"}])
    assert (judged_sheet.results, judged_sheet.scores, judged_sheet.match_points) == (
        (LOSS, WIN),
        (400, 390),
        (Fraction(0), Fraction(1)),
    )
    tournament = pair_rounds(make_event(4))
    player = PlayerId("p1")
    tournament = commands.withdraw_player(tournament, key="x", player=player, kind=ByeKind.FORFEIT)
    tournament = pair_rounds(tournament)
    index = TournamentIndex(tournament)
    entry = compute_records(index, index.get_division(None))[player][-1]
    assert (entry.bye, entry.outcome, entry.spread) == (ByeKind.FORFEIT, LOSS, -50)


def test_jury_rules_on_each_word(rules: RuleSet) -> None:
    assert (rules.judges.reveals, rules.judges.appeal) == (RulingDetailForPlayers.WORDS, 0)
    assert rules.ending.ends == (GameEnding.OUT, GameEnding.PASSES, GameEnding.FLAG, GameEnding.TIME)
