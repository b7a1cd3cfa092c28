"""Tests of the Turneringsreglement of Norsk Scrabbleforbund (no-turneringsreglement)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, outcome, rulings
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import GameId, GameSide, Result, ResultState
from tdapp.domain.round_clock import (
    LatenessConsequences,
    compute_lateness_consequences,
    find_starter_by_tile_draws,
)
from tdapp.domain.ruleset import Outcome, PenaltyUnit, RackPointsReceiver, RulingDetailForPlayers
from tdapp.domain.standings import compute_standings
from tdapp.scrabble.sheet import SanctionKind, TurnKind
from tdapp.scrabble.tiles import StartingDrawOutcome
from tdapp.scrabble.wordlist import WordListEdition, WordVerdict, combine_word_verdicts
from tests.building import get_game_at, make_event, pair_rounds
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

RULES = load_preset("no-nsf")
TILE_SET = load_tile_set("no")
WIN, LOSS, DRAW = Outcome.WIN, Outcome.LOSS, Outcome.DRAW
MINUTE = 60


@rule("NO-01", "det riktige antallet brikker og den korrekte fordelingen av bokstaver")
def test_tiles_of_the_norwegian_set() -> None:
    assert (TILE_SET.tile_count, TILE_SET.blanks) == (100, 2)
    assert sum(letter.count * letter.value for letter in TILE_SET.letters) == 202
    counts = " ".join(f"{letter.text}{letter.count}" for letter in TILE_SET.letters if letter.count)
    assert counts == ("A7 B3 C1 D5 E9 F4 G4 H3 I5 J2 K4 L5 M3 N6 O4 P2 R6 S6 T6 U3 V3 W1 Y1 Æ1 Ø2 Å2")
    assert {letter.text for letter in TILE_SET.letters if not letter.count} == set("QXZÄÖÜ")
    assert TILE_SET.parse_tile_text("qÅ") == ("q", "Å")


@rule("NO-02", "En blank brikke regnes som aller først, også før A; samme bokstav: trekker hver en brikke til")
def test_starting_draw_repeats_equal_letters() -> None:
    assert find_starter_by_tile_draws(RULES, TILE_SET, [{1: "K", 2: "K"}]) == StartingDrawOutcome(None, (1, 2))
    assert find_starter_by_tile_draws(
        RULES, TILE_SET, [{1: "K", 2: "K"}, {1: "B", 2: "Ø"}]
    ) == StartingDrawOutcome(1, ())
    assert find_starter_by_tile_draws(RULES, TILE_SET, [{1: "?", 2: "A"}]) == StartingDrawOutcome(1, ())
    assert find_starter_by_tile_draws(RULES, TILE_SET, [{1: "Å", 2: "Ø"}]) == StartingDrawOutcome(2, ())
    assert find_starter_by_tile_draws(RULES, TILE_SET, [{1: "Æ", 2: "Y"}]) == StartingDrawOutcome(2, ())
    with pytest.raises(CommandError) as refusal:  # tiles stay out until the decision, and the set has one C
        find_starter_by_tile_draws(RULES, TILE_SET, [{1: "K", 2: "K"}, {1: "C", 2: "C"}])
    assert refusal.value.code == "tile-over-used"


@rule("NO-03", "hver enkelt spiller får første trekk i omtrent halvparten av partiene")
def test_starts_are_balanced() -> None:
    """After seven rounds of a Swiss each player has started three or four times."""
    tournament = pair_rounds(make_event(10, rounds=7, rules="no-nsf"), times=7)
    index = TournamentIndex(tournament)
    starts = [row.starts for row in compute_standings(index, index.get_division(None))]
    assert set(starts) <= {3, 4}


@rule("NO-05", "spilleren som kom for sent, har bare den tiden som står på hans klokke")
def test_late_player_loses_time() -> None:
    assert compute_lateness_consequences(RULES, 7 * MINUTE + 30) == (
        LatenessConsequences(22 * MINUTE + 30, may_give_up=False, is_lost=False),
    )


@rule("NO-06", "spilleren som kom sist, får tiden på den andre klokka fratrukket tiden før den første ankom")
def test_late_players_lose_time_by_their_arrivals() -> None:
    """The first player arrives after 5 minutes, the second 4 minutes later: 25:00 and 21:00."""
    arrivals = compute_lateness_consequences(RULES, 5 * MINUTE, (5 + 4) * MINUTE)
    assert [arrival.remaining_seconds for arrival in arrivals] == [25 * MINUTE, 21 * MINUTE]


@rule("NO-07", "mindre enn 15 minutter igjen: kan velge å gi opp partiet")
@pytest.mark.parametrize(("remaining_seconds", "option"), [(15 * MINUTE, False), (14 * MINUTE + 59, True)])
def test_late_player_can_forfeit(remaining_seconds: int, option: bool) -> None:
    assert compute_lateness_consequences(RULES, 30 * MINUTE - remaining_seconds) == (
        LatenessConsequences(remaining_seconds, may_give_up=option, is_lost=False),
    )


@rule("NO-08", "ikke ankommer før etter at tenketiden har løpt ut, regnes partiet som tapt")
def test_late_player_after_the_limit_loses() -> None:
    assert (
        compute_lateness_consequences(RULES, 30 * MINUTE, 31 * MINUTE)
        == (LatenessConsequences(0, may_give_up=False, is_lost=True),) * 2
    )
    assert not compute_lateness_consequences(RULES, 30 * MINUTE - 1)[0].is_lost


@rule("NO-09", "vil partiet ikke rates, regnes som en seier for motspilleren med en margin på 50 poeng")
def test_forfeit_has_a_fixed_margin() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet([], ended="forfeit", forfeit=2))
    assert (judged_sheet.results, judged_sheet.spreads, judged_sheet.rated) == ((WIN, LOSS), (50, -50), False)
    assert judged_sheet.scores == (0, 0)
    double_forfeit = judge_sheet_document(RULES, make_sheet([], ended="forfeit", forfeit="both"))
    assert (double_forfeit.results, double_forfeit.spreads, double_forfeit.rated) == (
        (LOSS, LOSS),
        (-50, -50),
        False,
    )
    entered = outcome.score_game(RULES, Result(GameId("g"), ResultState.ENTERED, forfeit=GameSide.FIRST))
    assert (entered.second.outcome, entered.second.spread, entered.second.points, entered.is_rated) == (
        WIN,
        50,
        None,
        False,
    )
    other_rules = replace(RULES, forfeit=replace(RULES.forfeit, margin=75))
    assert judge_sheet_document(other_rules, make_sheet([], ended="forfeit", forfeit=1)).spreads == (-75, 75)


@rule("NO-10", "Så lenge det er brikker i posen, skal totalsummen noteres; når den er tom, kan det utelates")
def test_totals_are_noted_until_the_bag_is_empty() -> None:
    turns = make_opening_plays(TILE_SET, tile_count=94)
    totals = [0, 0, 0]
    for turn, judged_turn in zip(
        turns, judge_sheet_document(RULES, make_sheet(turns, ended="open")).turns, strict=True
    ):
        totals[judged_turn.player] = judged_turn.total
        if judged_turn.bag and judged_turn.number != 5:
            turn["total"] = totals[judged_turn.player]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, ended="open"))
    assert judged_sheet.turns[-1].bag == 0
    assert [issue.turn for issue in judged_sheet.issues if issue.code == "total-missing"] == [5]


@rule("NO-14", "Undersøke at det er minst sju brikker i posen")
@pytest.mark.parametrize(("bag", "expected"), [(7, []), (6, ["exchange-too-few"])])
def test_exchange_needs_seven_tiles_by_the_norwegian_book(bag: int, expected: list[str]) -> None:
    turns = make_opening_plays(TILE_SET, tile_count=100 - 14 - bag)
    player = 3 - int(str(turns[-1]["player"]))
    judged_sheet = judge_sheet_document(
        RULES, make_sheet([*turns, make_turn(player, "exchange", tiles=1)], ended="open")
    )
    assert (judged_sheet.turns[-1].bag, judged_sheet.turns[-1].score) == (bag, 0)
    assert [code for code in list_issue_codes(judged_sheet) if code.startswith("exchange")] == expected


@rule("NO-15", "Si «pass»")
def test_pass_adds_no_points() -> None:
    judged_sheet = judge_sheet_document(RULES, make_sheet([make_play(1, 20), make_turn(2, "pass")], ended="open"))
    assert (judged_sheet.turns[1].score, judged_sheet.scores, judged_sheet.issues) == (0, (20, 0), ())


@rule("NO-17", "kan rettes på et hvilket som helst tidspunkt inntil det endelige skjemaet er underskrevet")
def test_corrections_are_allowed_until_signed() -> None:
    tournament = pair_rounds(make_event(4, rules="no-nsf"), results=False)
    game = get_game_at(tournament, 1).id
    tournament = commands.enter_result(tournament, game=game, first=400, second=390)
    tournament = commands.enter_result(tournament, game=game, first=402, second=390)
    tournament = commands.certify_result(tournament, game=game)
    with pytest.raises(CommandError) as refusal:
        commands.enter_result(tournament, game=game, first=404, second=390)
    assert refusal.value.code == "result-final"
    tournament = commands.enter_result(tournament, game=game, first=404, second=390, reason="feil sum")
    assert tournament.results[game].first == 404


@rule("NO-18", "må tydelig kunngjøre og notere hvilken bokstav den blanke representerer")
def test_blanks_must_have_a_letter() -> None:
    named_blank = make_sheet([{"player": 1, "kind": "play", "at": "8G", "word": "HzS"}], ended="open")
    assert (
        judge_sheet_document(RULES, named_blank).scores[0],
        list_issue_codes(judge_sheet_document(RULES, named_blank)),
    ) == ((3 + 0 + 1) * 2, [])
    unnamed_blank = make_sheet(
        [{"player": 1, "kind": "play", "at": "8G", "word": "H?S", "score": 8}], ended="open"
    )
    assert list_issue_codes(judge_sheet_document(RULES, unnamed_blank)) == ["word-unreadable"]


@rule("NO-24", "må ta brikkene tilbake til brikkehylla si og mister turen")
def test_challenged_off_play_scores_nothing() -> None:
    turns = [
        {"player": 1, "kind": "withdrawn", "at": "8G", "word": "XYZ"},
        {"player": 2, "kind": "play", "at": "8G", "word": "HUS"},
    ]
    judged_sheet = judge_sheet_document(RULES, make_sheet(turns, ended="open"))
    assert (judged_sheet.turns[0].score, judged_sheet.scores, judged_sheet.issues) == (0, (0, (3 + 4 + 1) * 2), ())


@rule("NO-25", "Dersom trekket blir godkjent, blir spilleren som utfordret trekket, fratrukket 10 poeng")
def test_wrong_challenge_costs_ten_points() -> None:
    """212 becomes 202, once for each play. The deduction can be entered at once or at the end."""
    turns = [make_play(1, 212, total=212), make_play(2, 30, total=30), make_turn(1, "failed-challenge", words=2)]
    judged_sheet = judge_sheet_document(RULES, make_sheet([*turns, make_play(1, 20, total=222)], ended="open"))
    assert (judged_sheet.breakdown[0].challenges, judged_sheet.scores, judged_sheet.issues) == (-10, (222, 30), ())
    late_deduction = judge_sheet_document(RULES, make_sheet([*turns, make_play(1, 20, total=232)], ended="open"))
    assert (late_deduction.scores, late_deduction.issues) == ((222, 30), ())
    wrong_total = judge_sheet_document(RULES, make_sheet([*turns, make_play(1, 20, total=212)], ended="open"))
    assert list_issue_codes(wrong_total) == ["total-differs"]
    per_word = replace(RULES, challenge=replace(RULES.challenge, per=PenaltyUnit.WORD))
    assert judge_sheet_document(per_word, make_sheet(turns, ended="open")).scores[0] == 192


@rule("NO-24", "Spilleren kan utfordre ett eller flere ord i motspillerens siste trekk")
@pytest.mark.parametrize(
    ("earlier_turns", "expected"),
    [
        ([], ["challenge-before-play"]),
        ([make_turn(1, "pass")], ["challenge-before-play", "challenge-no-play"]),
        ([make_play(1, 20), make_turn(2, "pass")], ["challenge-no-play"]),
        ([make_play(1, 20), make_turn(2, "exchange", tiles=2)], ["challenge-no-play"]),
        ([make_play(2, 20), make_play(1, 30)], ["challenge-own-play"]),
        ([make_play(1, 20), make_play(2, 30), make_turn(1, "failed-challenge")], ["challenge-twice"]),
        ([make_play(1, 20), make_play(2, 30), make_turn(2, "failed-challenge")], []),
        ([make_play(1, 20), make_play(2, 30)], []),
    ],
)
def test_challenge_without_sense_costs_nothing(
    earlier_turns: list[dict[str, object]], expected: list[str]
) -> None:
    """An impossible challenge costs points only if it is confirmed."""

    def judge_with_turns(*more: dict[str, object]) -> tuple[int, list[str]]:
        first_player = int(str(earlier_turns[0]["player"])) if earlier_turns else 1
        judged_sheet = judge_sheet_document(
            RULES, make_sheet([*earlier_turns, *more], first=first_player, ended="open")
        )
        own_codes = [issue.code for issue in judged_sheet.issues if issue.turn == len(earlier_turns) + 1]
        return judged_sheet.breakdown[0].challenges, own_codes

    earlier_cost, _ = judge_with_turns()
    assert judge_with_turns(make_turn(1, "failed-challenge")) == (earlier_cost - (0 if expected else 10), expected)
    assert judge_with_turns(make_turn(1, "failed-challenge", confirmed=True)) == (earlier_cost - 10, [])


@rule("NO-26", "dersom flere ord utfordres, skal det ikke oppgis hvilke av disse ordene som ikke godkjennes")
def test_verdict_is_one_for_the_whole_play() -> None:
    class WordListOfTwo:
        edition = WordListEdition("NSF", "no")

        def judge_word(self, word: object) -> WordVerdict:
            return WordVerdict.VALID if word in {"HUS", "SOL"} else WordVerdict.INVALID

    assert (
        combine_word_verdicts([WordListOfTwo().judge_word(word) for word in ["HUS", "SOL"]]) is WordVerdict.VALID
    )
    assert (
        combine_word_verdicts([WordListOfTwo().judge_word(word) for word in ["HUS", "SOL", "QX"]])
        is WordVerdict.INVALID
    )
    assert RULES.judges.reveals is RulingDetailForPlayers.VERDICT
    assert RULES.words.binding == 7


@rule("NO-27", "Dersom den andre dommeren er enig, er avgjørelsen endelig; hvis ikke, i fellesskap")
def test_appeal_combines_the_verdicts_of_judges() -> None:
    valid, invalid = WordVerdict.VALID, WordVerdict.INVALID
    assert RULES.judges.appeal == 1
    assert rulings.combine_judge_verdicts(valid, valid) is valid
    with pytest.raises(CommandError) as refusal:
        rulings.combine_judge_verdicts(valid, invalid)
    assert refusal.value.code == "joint-verdict-needed"
    assert rulings.combine_judge_verdicts(valid, invalid, joint=invalid) is invalid
    first_turns = [make_play(1, 30), make_turn(2, rulings.find_challenge_turn_kind(valid).value)]
    last_turns = [make_turn(1, rulings.find_challenge_turn_kind(invalid).value, word="QX")]
    assert judge_sheet_document(RULES, make_sheet(first_turns, ended="open")).scores == (30, -10)
    assert judge_sheet_document(RULES, make_sheet(last_turns, ended="open")).scores == (0, 0)
    assert rulings.find_challenge_turn_kind(invalid) is TurnKind.WITHDRAWN
    with pytest.raises(CommandError) as refusal:
        rulings.find_challenge_turn_kind(WordVerdict.NOT_BINDING)
    assert refusal.value.code == "verdict-open"


@rule("NO-28", "en spiller bruker opp alle brikkene sine og det ikke er flere brikker igjen i posen")
def test_end_of_the_game_by_the_norwegian_book() -> None:
    judged_sheet = judge_sheet_document(
        RULES, make_sheet([make_play(1, 400), make_play(2, 390), make_play(1, 10)], ended="out", racks=["", "HA"])
    )
    assert (judged_sheet.scores, judged_sheet.issues) == ((414, 386), ())


@rule("NO-29", "seks trekk etter hverandre uten at det blir liggende nye brikker på brettet")
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (["pass", "exchange"] * 3, []),
        (["pass", "withdrawn", "exchange", "pass", "lost-turn", "withdrawn"], []),
        (["pass"] * 5, ["row-incomplete"]),
        (["pass", "pass", "play", "pass", "pass", "pass"], ["row-incomplete"]),
        (["pass"] * 7, ["turn-after-end"]),
    ],
)
def test_scoreless_moves_by_six_end_the_game(kinds: list[str], expected: list[str]) -> None:
    """Six turns of both players together count. A play that stays breaks the row."""
    turns = [
        make_play(1 + number % 2, 10) if kind == "play" else make_turn(1 + number % 2, kind)
        for number, kind in enumerate(kinds)
    ]
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet(turns))) == expected


@rule("NO-29", "A challenge that fails is no move: it neither counts nor breaks the row")
def test_wrong_challenge_is_no_move() -> None:
    turns = [
        make_play(1, 10),
        make_turn(2, "failed-challenge"),
        *[make_turn(2 - number % 2, "pass") for number in range(6)],
    ]
    assert list_issue_codes(judge_sheet_document(RULES, make_sheet(turns))) == []


@rule("NO-30", "Rack arithmetic is not in the book: standard Scrabble; doubled to the finisher is a setting")
def test_end_racks_are_standard_scrabble() -> None:
    turns = [make_play(1, 400), make_play(2, 390), make_play(1, 10)]
    document = make_sheet(turns, ended="out", rack_values=[0, 6])
    assert judge_sheet_document(RULES, document).scores == (416, 384)
    doubled_rules = replace(RULES, racks=replace(RULES.racks, out=RackPointsReceiver.DOUBLE))
    judged_sheet = judge_sheet_document(doubled_rules, document)
    assert (judged_sheet.scores, judged_sheet.spread) == ((422, 390), judge_sheet_document(RULES, document).spread)
    scoreless = make_sheet(
        [*turns, *[make_turn(2 - number % 2, "pass") for number in range(6)]], rack_values=[4, 6]
    )
    assert (
        judge_sheet_document(RULES, scoreless).scores
        == judge_sheet_document(doubled_rules, scoreless).scores
        == (406, 384)
    )


@rule("NO-31", "trukket 10 poeng for hvert påbegynte minutt")
@pytest.mark.parametrize(("seconds", "points"), [(0, 0), (1, 10), (60, 10), (61, 20), (300, 50)])
def test_overtime_costs_points(seconds: int, points: int) -> None:
    judged_sheet = judge_totals(RULES, 400, 390, ended="out", overtime_seconds=[0, seconds])
    assert (judged_sheet.breakdown[1].overtime, judged_sheet.scores) == (-points, (400, 390 - points))


@rule("NO-32", "mer enn fem minutter mer enn sin tilmålte tenketid, taper partiet automatisk")
def test_overtime_of_more_than_five_minutes_loses() -> None:
    assert judge_totals(RULES, 500, 300, ended="out", overtime_seconds=[300, 0]).results == (WIN, LOSS)
    lost_game = judge_totals(RULES, 500, 300, ended="overtime", overtime_seconds=[301, 0])
    assert (lost_game.results, lost_game.rated, lost_game.match_points) == (
        (LOSS, WIN),
        True,
        (Fraction(0), Fraction(1)),
    )
    assert list_issue_codes(judge_totals(RULES, 500, 300, ended="out", overtime_seconds=[301, 0])) == [
        "overtime-stops-game"
    ]


@rule("NO-33", "tidsstraffen settes til femti poeng; mindre enn 100: redusert slik at marginen blir 100")
@pytest.mark.parametrize(
    ("offender", "opponent", "scores"),
    [(400, 380, (280, 380)), (300, 420, (250, 420)), (330, 380, (280, 380)), (480, 300, (200, 300))],
)
def test_margin_after_overtime(offender: int, opponent: int, scores: tuple[int, int]) -> None:
    """Racks do not count: the score is that of the stopped game."""
    judged_sheet = judge_totals(
        RULES, offender, opponent, ended="overtime", overtime_seconds=[301, 0], rack_values=[7, 9]
    )
    assert (judged_sheet.scores, judged_sheet.results, judged_sheet.rated) == (scores, (LOSS, WIN), True)
    assert [part.racks for part in judged_sheet.breakdown] == [0, 0]
    assert judged_sheet.breakdown[0].overtime == scores[0] - offender


@rule("NO-33", "The opponent's own overtime is deducted first")
def test_overtime_of_both_players() -> None:
    judged_sheet = judge_totals(RULES, 400, 380, ended="overtime", overtime_seconds=[301, 61])
    assert judged_sheet.scores == (260, 360)


@rule("NO-34", "12 poeng eller mindre ved spillets slutt: rett til å be om omtelling")
@pytest.mark.parametrize(("difference", "is_allowed"), [(0, True), (12, True), (-12, True), (13, False)])
def test_recount_is_allowed_for_a_small_margin(difference: int, is_allowed: bool) -> None:
    assert judge_totals(RULES, 400 + difference, 400, ended="out").recount_right is is_allowed
    after_overtime = judge_totals(RULES, 400 + difference + 10, 400, ended="out", overtime_seconds=[5, 0])
    assert after_overtime.recount_right is is_allowed


@rule("NO-35", "Den vanlige tenketiden er 30 minutter per spiller per parti")
def test_clock_has_thirty_minutes() -> None:
    assert RULES.clock.minutes == 30
    assert compute_lateness_consequences(RULES, 0)[0].remaining_seconds == 30 * MINUTE


@rule("NO-36", "advarsel; redusert margin; miste et trekk, tid eller poeng; tap av partiet; utkastelse")
def test_sanctions_of_seven_kinds() -> None:
    """A sanction in margin changes the spread of the tournament, not of this game."""
    assert set(RULES.sanctions.named) == set(SanctionKind) - {SanctionKind.TEAM}

    def judge_sanction(kind: str) -> tuple[tuple[int, ...], tuple[Outcome | None, ...], list[str]]:
        sanctions = [{"player": 1, "kind": kind, "points": 20, "why": "juks"}]
        judged_sheet = judge_totals(RULES, 400, 390, ended="out", sanctions=sanctions)
        return judged_sheet.scores, judged_sheet.results, list_issue_codes(judged_sheet)

    for kind in ("warning", "time", "turn", "margin"):
        assert judge_sanction(kind) == ((400, 390), (WIN, LOSS), [])
    assert judge_sanction("points") == ((380, 390), (LOSS, WIN), [])
    assert judge_sanction("game") == judge_sanction("disqualified") == ((400, 390), (LOSS, WIN), [])
    lost_turn = judge_sheet_document(
        RULES, make_sheet([make_play(1, 20), make_turn(2, "lost-turn"), make_play(1, 5)], ended="open")
    )
    assert (lost_turn.scores, lost_turn.issues) == ((25, 0), ())


@rule("NO-41", "Premium squares, the seven-tile bonus and the higher total are standard Scrabble")
def test_unregulated_cases_are_standard_scrabble() -> None:
    judged_sheet = judge_sheet_document(
        RULES, make_sheet([{"player": 1, "kind": "play", "at": "8D", "word": "TRENDER"}], ended="open")
    )
    assert judged_sheet.scores[0] == (1 * 2 + 1 + 1 + 1 + 1 + 1 + 1) * 2 + 50
    equal_game = judge_totals(RULES, 400, 400, ended="out", knockout=True)
    assert equal_game.results == (DRAW, DRAW)


@rule("NO-24", "5.2 (c): a wrong word that nobody challenged stands, and costs nothing")
def test_phony_has_no_penalty() -> None:
    judged_sheet = judge_sheet_document(
        RULES, make_sheet([make_play(1, 45, ruling="phony"), make_play(2, 10, contested="XYZ")], ended="open")
    )
    assert judged_sheet.scores == (45, 10)
    assert list_issue_codes(judged_sheet) == ["phony-not-in-rules", "contested-not-in-rules"]
