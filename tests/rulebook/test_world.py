"""Tests of the rules of other federations (WESPA, NASPA, FISF, youth events), with real games.

`test_challenges` has the challenge modes. `tests/pairing` has starts after forfeits and safe leads.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, judging, outcome
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import JudgedSheet, judge_sheet
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    DivisionId,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultState,
    RoundId,
)
from tdapp.domain.round_clock import compute_lateness_consequences
from tdapp.domain.ruleset import (
    ChallengeMode,
    ChallengePointsReceiver,
    ForfeitCause,
    Outcome,
    PenaltyUnit,
    RuleSet,
    SpreadCapRule,
)
from tdapp.domain.standings import compute_standings, find_tiebreak_order
from tdapp.exchange.sheet_files import read_gcg
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.judge_screen import describe_verdict_consequence
from tdapp.i18n.rule_sentences import explain_rules
from tdapp.scrabble.gcg import GcgEventKind
from tdapp.scrabble.gcg_check import split_gcg_game_into_sheet_and_events
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, get_game_at, make_event, pair_rounds
from tests.data_events import Cell, find_data_folder, read_published_division
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
)

ENGLISH_BOOKS = ("wespa", "naspa-nwl", "naspa-collins")
WORLD_BOOKS = (*ENGLISH_BOOKS, "es-file", "fr-classique", "sv-ssf")
WIN, LOSS = Outcome.WIN, Outcome.LOSS


@pytest.fixture(params=ENGLISH_BOOKS)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return load_preset(request.param)


def score_forfeit(rules: RuleSet, cause: ForfeitCause | None = None) -> tuple[int, int]:
    """Return the spreads of a game forfeited by the first player."""
    result = Result(GameId("g"), ResultState.ENTERED, forfeit=GameSide.FIRST, cause=cause)
    first, second, rated = outcome.score_game(rules, result)
    assert not rated
    return first.spread, second.spread


def score_a_bye(rules: RuleSet, kind: ByeKind) -> tuple[Outcome, int]:
    score = outcome.score_bye(rules, Bye(ByeId("b"), RoundId("r"), PlayerId("p"), kind))
    return score.outcome, score.spread


# --- rules of all three English books


def test_ranking_compares_wins_and_spread_of_two_players(rules: RuleSet) -> None:
    """WESPA and NASPA: two players, ranked by wins and then by spread."""
    assert rules.most_players == 2
    with pytest.raises(CommandError) as refusal:
        judge_totals(rules, 1, 2, 3, ended="open")
    assert refusal.value.code == "too-many-at-table"
    assert rules.get_tiebreak_order_for_system("swiss") == ("wins", "spread")


def test_scoreless_turns_by_six_end_a_game(rules: RuleSet) -> None:
    scoreless_turns = [make_turn(player, "pass") for player in (2, 1, 2, 1, 2, 1)]
    scoreless_turns[1] = make_turn(1, "exchange", tiles=3)
    scoreless_turns[2] = make_turn(2, "withdrawn", word="QX")
    first_turns = [make_play(1, 20)]
    passes = [make_turn(player, "pass") for player in (2, 1, 2, 1)]
    assert "row-incomplete" in list_issue_codes(judge_sheet_document(rules, make_sheet([*first_turns, *passes])))
    assert "row-incomplete" in list_issue_codes(
        judge_sheet_document(rules, make_sheet([*first_turns, *scoreless_turns[:5]]))
    )
    assert "row-incomplete" not in list_issue_codes(
        judge_sheet_document(rules, make_sheet([*first_turns, *scoreless_turns]))
    )


def test_end_racks_count_twice_or_are_deducted(rules: RuleSet) -> None:
    game_with_player_out = judge_totals(rules, 300, 400, ended="out", racks=["", "QA"])
    assert [part.racks for part in game_with_player_out.breakdown] == [22, 0]
    game_with_passes = judge_totals(rules, 300, 400, ended="passes", racks=["QA", "E"])
    assert [part.racks for part in game_with_passes.breakdown] == [-11, -1]


def test_exchange_needs_seven_tiles_in_world_books(rules: RuleSet) -> None:
    tileset = load_tile_set("en")
    for bag_count, is_refused in ((7, False), (6, True)):
        turns = make_opening_plays(tileset, tile_count=tileset.tile_count - 14 - bag_count)
        player = 3 - int(str(turns[-1]["player"]))
        issue_codes = list_issue_codes(
            judge_sheet_document(rules, make_sheet([*turns, make_turn(player, "exchange", tiles=1)], ended="open"))
        )
        assert ("exchange-too-few" in issue_codes) is is_refused, (bag_count, issue_codes)


@pytest.mark.parametrize(("seconds", "points"), [(0, 0), (1, -10), (60, -10), (61, -20), (600, -100)])
def test_overtime_costs_ten_for_each_started_minute(rules: RuleSet, seconds: int, points: int) -> None:
    assert rules.clock.minutes == 25
    judged_sheet = judge_totals(rules, 400, 390, ended="out", overtime_seconds=[0, seconds])
    assert judged_sheet.breakdown[1].overtime == points
    assert judged_sheet.results == (WIN, LOSS)


def test_bye_wins_and_forfeit_loses_by_fifty(rules: RuleSet) -> None:
    assert score_a_bye(rules, ByeKind.BYE) == (WIN, 50)
    assert score_a_bye(rules, ByeKind.FORFEIT) == (LOSS, -50)
    assert score_forfeit(rules) == (-50, 50)


# --- WESPA


def test_overtime_of_more_than_ten_minutes_loses() -> None:
    """WESPA: the margin is at least that of a forfeit for lateness."""
    judged_sheet = judge_totals("wespa", 500, 300, ended="overtime", overtime_seconds=[601, 0])
    assert judged_sheet.results == (LOSS, WIN)
    margin = -load_preset("wespa").overtime.margin
    assert judged_sheet.spreads == (margin, -margin)
    assert margin <= score_forfeit(load_preset("wespa"), ForfeitCause.LATE)[0]
    assert list_issue_codes(judge_totals("wespa", 500, 300, ended="out", overtime_seconds=[601, 0])) == [
        "overtime-stops-game"
    ]


def test_wrong_challenge_costs_five_for_each_word() -> None:
    """WESPA: the challenged player gets the points. After a right challenge the turn is lost."""
    wrong_challenge = make_turn(2, "failed-challenge", words=3)
    judged_sheet = judge_sheet_document(
        "wespa", make_sheet([make_play(1, 30), wrong_challenge, make_play(2, 20), make_play(1, 10)], ended="open")
    )
    assert [part.challenges for part in judged_sheet.breakdown] == [15, 0]
    assert "turn-not-lost" not in list_issue_codes(judged_sheet)
    right_challenge = judge_sheet_document(
        "wespa", make_sheet([make_turn(1, "withdrawn", word="QX"), make_play(2, 20)], ended="open")
    )
    assert right_challenge.scores == (0, 20)


@pytest.mark.parametrize(("points", "cost"), [(10, 10), (0, 0)])
def test_wrong_challenge_has_a_price_set_by_organisers(points: int, cost: int) -> None:
    rules = load_preset("wespa")
    rules = replace(rules, challenge=replace(rules.challenge, points=points))
    judged_sheet = judge_sheet_document(
        rules, make_sheet([make_play(1, 30), make_turn(2, "failed-challenge", words=1)], ended="open")
    )
    assert judged_sheet.breakdown[0].challenges == cost


def test_wrong_challenge_price_can_come_from_the_challenger() -> None:
    rules = load_preset("wespa")
    rules = replace(rules, challenge=replace(rules.challenge, to=ChallengePointsReceiver.NOBODY))
    judged_sheet = judge_sheet_document(
        rules, make_sheet([make_play(1, 30), make_turn(2, "failed-challenge", words=2)], ended="open")
    )
    assert [part.challenges for part in judged_sheet.breakdown] == [0, -10]


@pytest.mark.parametrize(
    ("minutes", "may_forfeit", "is_lost"),
    [(10, False, False), (11, True, False), (24, True, False), (25, False, True)],
)
def test_late_player_may_or_must_forfeit(minutes: int, *, may_forfeit: bool, is_lost: bool) -> None:
    (arrival,) = compute_lateness_consequences(load_preset("wespa"), 60 * minutes)
    assert (arrival.may_give_up, arrival.is_lost) == (may_forfeit, is_lost)


def test_margins_differ_for_lateness_overtime_and_forfeit() -> None:
    """WESPA: 75 for lateness. Books without separate margins use the normal margin."""
    wespa = load_preset("wespa")
    assert score_forfeit(wespa, ForfeitCause.LATE) == (-75, 75)
    assert score_forfeit(wespa, ForfeitCause.WALK_OVER) == score_forfeit(wespa) == (-50, 50)
    rules_with_margins = replace(wespa, forfeit=replace(wespa.forfeit, late=60, walk_over=100))
    assert score_forfeit(rules_with_margins, ForfeitCause.LATE) == (-60, 60)
    assert score_forfeit(rules_with_margins, ForfeitCause.WALK_OVER) == (-100, 100)
    assert score_forfeit(rules_with_margins) == (-50, 50)
    for name in ("naspa-nwl", "no-nsf"):
        other_rules = load_preset(name)
        assert {score_forfeit(other_rules, cause) for cause in (None, *ForfeitCause)} == {
            (-other_rules.forfeit.margin, other_rules.forfeit.margin)
        }


# --- NASPA


def test_wrong_challenge_in_double_costs_the_turn() -> None:
    """NASPA, NWL: after a wrong challenge the challenger loses a turn."""
    wrong_challenge = make_turn(2, "failed-challenge", words=2)
    judged_sheet = judge_sheet_document(
        "naspa-nwl",
        make_sheet([make_play(1, 30), wrong_challenge, make_turn(2, "lost-turn"), make_play(1, 20)], ended="open"),
    )
    assert judged_sheet.scores == (50, 0)
    assert "turn-not-lost" not in list_issue_codes(judged_sheet)
    assert "turn-not-lost" in list_issue_codes(
        judge_sheet_document(
            "naspa-nwl", make_sheet([make_play(1, 30), wrong_challenge, make_play(2, 20)], ended="open")
        )
    )


@pytest.mark.parametrize("points", [5, 10])
def test_wrong_challenge_in_collins_costs_five_or_ten(points: int) -> None:
    rules = load_preset("naspa-collins")
    assert (rules.challenge.points, rules.challenge.per) == (5, PenaltyUnit.WORD)
    rules = replace(rules, challenge=replace(rules.challenge, points=points))
    judged_sheet = judge_sheet_document(
        rules, make_sheet([make_play(1, 30), make_turn(2, "failed-challenge", words=2)], ended="open")
    )
    assert sum(part.challenges for part in judged_sheet.breakdown) in {2 * points, -2 * points}


@pytest.mark.parametrize("name", ["naspa-nwl", "naspa-collins"])
def test_safe_lead_is_a_thousand_for_each_round(name: str) -> None:
    """NASPA: `tests/pairing/test_clinch_bounds.py` has its four examples."""
    assert load_preset(name).gibson.lead == 1000
    assert load_preset("wespa").gibson.lead is None


# --- modes, French, youth


def test_wrong_challenge_in_single_costs_nothing() -> None:
    """The mode is `points` with 0 points."""
    rules = load_preset("fr-classique")
    assert rules.challenge.compute_cost(3) == 0
    judged_sheet = judge_sheet_document(
        rules, make_sheet([make_play(1, 30), make_turn(2, "failed-challenge"), make_play(2, 20)], ended="open")
    )
    assert judged_sheet.scores == (30, 20)


def test_french_classic_has_two_players_and_102_tiles() -> None:
    """FISF: exchange with seven in the bag."""
    rules = load_preset("fr-classique")
    assert (rules.most_players, load_tile_set(rules.tileset).tile_count, rules.exchange.minimum) == (2, 102, 7)


def test_spread_of_a_youth_game_is_capped() -> None:
    """Malaysia: king of the hill, at most 300 of spread in a game, free challenges."""
    wespa = load_preset("wespa")
    rules = replace(wespa, spread=SpreadCapRule(300), challenge=replace(wespa.challenge, points=0))
    value = pair_rounds(
        commands.change_rules(make_event(4, system="king-of-the-hill"), ruleset=rules), results=False
    )
    for table, first, second in ((1, 700, 250), (2, 400, 399)):
        value = commands.enter_result(
            value, game=get_game_at(value, table).id, first=first, second=second, confirmed=True
        )
    rows = compute_standings(TournamentIndex(value), value.divisions[DIVISION])
    assert [game_with_passes.spread for game_with_passes in rows] == [300, 1, -1, -300]
    assert [game_with_passes.points for game_with_passes in rows] == [700, 400, 399, 250]
    assert rules.challenge.compute_cost(3) == 0


# --- rules without a checked source, and texts after a challenge


@pytest.mark.parametrize("name", WORLD_BOOKS)
def test_unseen_rules_are_marked_in_file_and_window(name: str) -> None:
    rules, catalogue = load_preset(name), Catalogue("en", RESOURCES / "locale")
    sentences = [sentence for group in explain_rules(catalogue, rules).values() for sentence in group]
    covered_paths = [
        path for path in rules.unseen if any(sentence.is_about_rule_parameter(path) for sentence in sentences)
    ]
    assert "(U)" in (RESOURCES / "rulesets" / f"{name}.toml").read_text("utf-8")
    assert len(covered_paths) > 10
    for sentence in sentences:
        assert ("not checked against the printed rule book" in sentence.source) is any(
            map(sentence.is_about_rule_parameter, rules.unseen)
        )


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        (
            "wespa",
            "The player who made the play gains 10 points.",
            "The tiles go back to the rack and the turn is lost.",
        ),
        ("naspa-nwl", "The challenger loses a turn.", "The tiles go back to the rack and the turn is lost."),
        (
            "naspa-collins",
            "The player who made the play gains 10 points.",
            "The tiles go back to the rack and the turn is lost.",
        ),
        ("es-file", "The challenge costs nothing.", "The tiles go back to the rack and the turn is lost."),
        ("fr-classique", "The challenge costs nothing.", "The tiles go back to the rack and the turn is lost."),
        ("sv-ssf", "The challenger loses 10 points.", "The tiles go back to the rack and the turn is lost."),
    ],
)
def test_describe_verdict_consequence_follows_the_challenge_mode(name: str, valid: str, invalid: str) -> None:
    catalogue, rules = Catalogue("en", RESOURCES / "locale"), load_preset(name)
    assert (
        describe_verdict_consequence(catalogue, rules, WordVerdict.VALID, word_count=2)
        == f"The play is valid. {valid}"
    )
    assert describe_verdict_consequence(catalogue, rules, WordVerdict.INVALID, word_count=2) == invalid


def test_describe_verdict_consequence_announces_a_lost_game() -> None:
    catalogue, rules = Catalogue("en", RESOURCES / "locale"), load_preset("wespa")
    rules = replace(rules, challenge=replace(rules.challenge, mode=ChallengeMode.TRIPLE))
    text = describe_verdict_consequence(catalogue, rules, WordVerdict.VALID, word_count=2)
    assert text == "The play is valid. The challenger loses the game."
    assert (
        describe_verdict_consequence(catalogue, rules, WordVerdict.INVALID, word_count=1)
        == "The player who made the play loses the game."
    )


# --- real games and events under these books

CHALLENGED = """#player1 A Ann
#player2 B Bob
>A: QI 8G QI +22 22
>B: CATS 9H CATS +10 10
>B: (challenge) +5 15
"""


def judge_annotated_game(name: str, data: bytes) -> tuple[JudgedSheet, int]:
    """Return the judged sheet of a game file, and the number of challenge events without points in the book."""
    game, _issues = read_gcg(data, "game.gcg")
    rules = load_preset(name)
    score_sheet, events = split_gcg_game_into_sheet_and_events(game, load_tile_set(rules.tileset))
    score_sheet, unused_events = judging.infer_challenged_word_counts(score_sheet, events, rules.challenge)
    return judge_sheet(score_sheet, rules, load_tile_set(rules.tileset)), len(
        [event for event in unused_events if event.kind is GcgEventKind.CHALLENGE]
    )


def test_annotated_challenge_uses_the_challenge_mode() -> None:
    judged_sheet, unused_count = judge_annotated_game("wespa", CHALLENGED.encode())
    assert ([part.challenges for part in judged_sheet.breakdown], unused_count) == ([0, 5], 0)
    judged_sheet, unused_count = judge_annotated_game("naspa-nwl", CHALLENGED.encode())
    assert ([part.challenges for part in judged_sheet.breakdown], unused_count) == ([0, 0], 1), (
        "mode double gives no points"
    )


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "scores", "overtime"),
    [("outplay_challenge_bonus", (516, 383), 2), ("success_five_point_challenge", (369, 532), 3),
     ("incomplete_after_five_point_challenge", (245, 398), 0)],
)  # fmt: skip
def test_real_games_with_challenges_match_their_files(name: str, scores: tuple[int, int], overtime: int) -> None:
    """Macondo's five-point challenge is that of WESPA. Overtime points of the files are ignored."""
    (path,) = (find_data_folder() / "gcg" / "ok").glob(f"*__{name}.gcg")
    judged_sheet, unused_count = judge_annotated_game("wespa", path.read_bytes())
    assert (judged_sheet.scores, unused_count) == (scores, 0)
    assert sum(part.challenges for part in judged_sheet.breakdown) == 5
    time_lines = [line for line in path.read_text("utf-8").splitlines() if "(time)" in line]
    assert len(time_lines) == bool(overtime)
    assert all(f"-{10 * overtime} " in line for line in time_lines)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "book"),
    [("Lake-George-NY-NWL-Main-Event_A_2.json", "naspa-nwl"),
     ("New-Year-s-Albany-NY-NWL-Early-Bird_D_67.json", "naspa-nwl"),
     ("Lake-George-NY-CSW-Main-Event_A_3.json", "naspa-collins")],
)  # fmt: skip
def test_real_event_has_its_published_ranks(name: str, book: str) -> None:
    published = read_published_division(name)
    value = commands.change_rules(published.tournament, ruleset=load_preset(book))
    index = TournamentIndex(commands.set_order(value, division=DivisionId("d"), order=()))
    division = index.get_division(None)
    assert find_tiebreak_order(index, division) == ("wins", "spread")
    computed = {
        Cell(round_row.number, game_with_passes.player.number, game_with_passes.rank)
        for round_row in index.list_published_rounds(division.id)
        for game_with_passes in compute_standings(index, division, round_row.number)
    }
    assert [cell for cell in published.ranks["rrank"] if cell not in computed] == []
    assert published.ranks["rrank"]
