"""Rules of other federations: WESPA, NASPA, FISF, youth events; and real games under them.

Modes of challenge, first plays off the star and two rows that end a game are in `test_challenges`, starts booked
at forfeits in `tests/pairing/test_starts.py`, safe leads in `tests/pairing/test_clinch_bounds.py`, rating files
without a date in `tests/exchange/test_exports.py`.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tdapp.domain import commands, judging, outcome
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.judging import JudgedSheet, judge_sheet
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    DivisionId,
    Forfeit,
    GameId,
    PlayerId,
    Result,
    ResultState,
    RoundId,
)
from tdapp.domain.round_clock import compute_late_arrivals
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
from tdapp.scrabble.gcg_check import convert_to_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, get_game_at, make_event, pair_rounds
from tests.data_events import Cell, find_data_folder, read_published_division
from tests.rulebook.books import codes, judged, opening, play, preset, sheet, standing, tiles, turn

ENGLISH = ("wespa", "naspa-nwl", "naspa-collins")
WORLD = (*ENGLISH, "es-file", "fr-classique", "sv-ssf")
WIN, LOSS = Outcome.WIN, Outcome.LOSS


@pytest.fixture(params=ENGLISH)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return preset(request.param)


def forfeited(rules: RuleSet, cause: ForfeitCause | None = None) -> tuple[int, int]:
    """Return the spreads of a game that the first player forfeited."""
    result = Result(GameId("g"), ResultState.ENTERED, forfeit=Forfeit.FIRST, cause=cause)
    first, second, rated = outcome.score_game(rules, result)
    assert not rated
    return first.spread, second.spread


def bye(rules: RuleSet, kind: ByeKind) -> tuple[Outcome, int]:
    found = outcome.score_bye(rules, Bye(ByeId("b"), RoundId("r"), PlayerId("p"), kind))
    return found.outcome, found.spread


# --- what all three English books have


def test_ranking_compares_wins_and_spread_of_two_players(rules: RuleSet) -> None:
    """WESPA, NASPA: two players; wins, then spread."""
    assert rules.most_players == 2
    with pytest.raises(RuleViolation) as refused:
        standing(rules, 1, 2, 3, ended="open")
    assert refused.value.code == "too-many-at-table"
    assert rules.get_ranking_order("swiss") == ("wins", "spread")


def test_scoreless_turns_by_six_end_a_game(rules: RuleSet) -> None:
    idle = [turn(player, "pass") for player in (2, 1, 2, 1, 2, 1)]
    idle[1] = turn(1, "exchange", tiles=3)
    idle[2] = turn(2, "withdrawn", word="QX")
    start = [play(1, 20)]
    passes = [turn(player, "pass") for player in (2, 1, 2, 1)]
    assert "row-incomplete" in codes(judged(rules, sheet([*start, *passes])))
    assert "row-incomplete" in codes(judged(rules, sheet([*start, *idle[:5]])))
    assert "row-incomplete" not in codes(judged(rules, sheet([*start, *idle])))


def test_end_racks_count_twice_or_are_deducted(rules: RuleSet) -> None:
    out = standing(rules, 300, 400, ended="out", racks=["", "QA"])
    assert [part.racks for part in out.breakdown] == [22, 0]
    row = standing(rules, 300, 400, ended="passes", racks=["QA", "E"])
    assert [part.racks for part in row.breakdown] == [-11, -1]


def test_exchange_needs_seven_tiles_in_world_books(rules: RuleSet) -> None:
    tileset = tiles("en")
    for left, said in ((7, False), (6, True)):
        turns = opening(tileset, laid=tileset.tile_count - 14 - left)
        player = 3 - int(str(turns[-1]["player"]))
        found = codes(judged(rules, sheet([*turns, turn(player, "exchange", tiles=1)], ended="open")))
        assert ("exchange-too-few" in found) is said, (left, found)


@pytest.mark.parametrize(("seconds", "points"), [(0, 0), (1, -10), (60, -10), (61, -20), (600, -100)])
def test_overtime_costs_ten_for_each_started_minute(rules: RuleSet, seconds: int, points: int) -> None:
    assert rules.clock.minutes == 25
    found = standing(rules, 400, 390, ended="out", overtime_seconds=[0, seconds])
    assert found.breakdown[1].overtime == points
    assert found.results == (WIN, LOSS)


def test_bye_wins_and_forfeit_loses_by_fifty(rules: RuleSet) -> None:
    assert bye(rules, ByeKind.BYE) == (WIN, 50)
    assert bye(rules, ByeKind.FORFEIT) == (LOSS, -50)
    assert forfeited(rules) == (-50, 50)


# --- WESPA


def test_overtime_of_more_than_ten_minutes_loses() -> None:
    """WESPA: its margin is not below that of a game forfeited for lateness."""
    found = standing("wespa", 500, 300, ended="overtime", overtime_seconds=[601, 0])
    assert found.results == (LOSS, WIN)
    margin = -preset("wespa").overtime.margin
    assert found.spreads == (margin, -margin)
    assert margin <= forfeited(preset("wespa"), ForfeitCause.LATE)[0]
    assert codes(standing("wespa", 500, 300, ended="out", overtime_seconds=[601, 0])) == ["overtime-stops-game"]


def test_wrong_challenge_costs_five_for_each_word() -> None:
    """WESPA: the challenged player gets the points; after a right challenge the play and its turn are lost."""
    wrong = turn(2, "failed-challenge", words=3)
    found = judged("wespa", sheet([play(1, 30), wrong, play(2, 20), play(1, 10)], ended="open"))
    assert [part.challenges for part in found.breakdown] == [15, 0]
    assert "turn-not-lost" not in codes(found)
    right = judged("wespa", sheet([turn(1, "withdrawn", word="QX"), play(2, 20)], ended="open"))
    assert right.scores == (0, 20)


@pytest.mark.parametrize(("points", "cost"), [(10, 10), (0, 0)])
def test_wrong_challenge_has_a_price_set_by_organisers(points: int, cost: int) -> None:
    rules = preset("wespa")
    rules = replace(rules, challenge=replace(rules.challenge, points=points))
    found = judged(rules, sheet([play(1, 30), turn(2, "failed-challenge", words=1)], ended="open"))
    assert found.breakdown[0].challenges == cost


def test_wrong_challenge_price_can_come_from_the_challenger() -> None:
    rules = preset("wespa")
    rules = replace(rules, challenge=replace(rules.challenge, to=ChallengePointsReceiver.NOBODY))
    found = judged(rules, sheet([play(1, 30), turn(2, "failed-challenge", words=2)], ended="open"))
    assert [part.challenges for part in found.breakdown] == [0, -10]


@pytest.mark.parametrize(
    ("minutes", "may", "lost"), [(10, False, False), (11, True, False), (24, True, False), (25, False, True)]
)
def test_late_player_may_or_must_forfeit(minutes: int, *, may: bool, lost: bool) -> None:
    (found,) = compute_late_arrivals(preset("wespa"), 60 * minutes)
    assert (found.may_give_up, found.is_lost) == (may, lost)


def test_margins_differ_for_lateness_overtime_and_forfeit() -> None:
    """WESPA: 75 for lateness; without separate margins in a book the normal margin applies."""
    wespa = preset("wespa")
    assert forfeited(wespa, ForfeitCause.LATE) == (-75, 75)
    assert forfeited(wespa, ForfeitCause.WALK_OVER) == forfeited(wespa) == (-50, 50)
    apart = replace(wespa, forfeit=replace(wespa.forfeit, late=60, walk_over=100))
    assert forfeited(apart, ForfeitCause.LATE) == (-60, 60)
    assert forfeited(apart, ForfeitCause.WALK_OVER) == (-100, 100)
    assert forfeited(apart) == (-50, 50)
    for name in ("naspa-nwl", "no-nsf"):
        plain = preset(name)
        assert {forfeited(plain, cause) for cause in (None, *ForfeitCause)} == {
            (-plain.forfeit.margin, plain.forfeit.margin)
        }


# --- NASPA


def test_wrong_challenge_in_double_costs_the_turn() -> None:
    """NASPA, NWL: all words valid: the challenger loses his turn; any invalid: play off, turn lost."""
    wrong = turn(2, "failed-challenge", words=2)
    lost = judged("naspa-nwl", sheet([play(1, 30), wrong, turn(2, "lost-turn"), play(1, 20)], ended="open"))
    assert lost.scores == (50, 0)
    assert "turn-not-lost" not in codes(lost)
    assert "turn-not-lost" in codes(judged("naspa-nwl", sheet([play(1, 30), wrong, play(2, 20)], ended="open")))


@pytest.mark.parametrize("points", [5, 10])
def test_wrong_challenge_in_collins_costs_five_or_ten(points: int) -> None:
    rules = preset("naspa-collins")
    assert (rules.challenge.points, rules.challenge.per) == (5, PenaltyUnit.WORD)
    rules = replace(rules, challenge=replace(rules.challenge, points=points))
    found = judged(rules, sheet([play(1, 30), turn(2, "failed-challenge", words=2)], ended="open"))
    assert sum(part.challenges for part in found.breakdown) in {2 * points, -2 * points}


@pytest.mark.parametrize("name", ["naspa-nwl", "naspa-collins"])
def test_safe_lead_is_a_thousand_for_each_round(name: str) -> None:
    """NASPA: with spread; its four examples are in `tests/pairing/test_clinch_bounds.py`."""
    assert preset(name).gibson.lead == 1000
    assert preset("wespa").gibson.lead is None


# --- modes, French, youth


def test_wrong_challenge_in_single_costs_nothing() -> None:
    """A wrong challenge costs nothing: the mode `points` with 0 points."""
    rules = preset("fr-classique")
    assert rules.challenge.compute_cost(3) == 0
    found = judged(rules, sheet([play(1, 30), turn(2, "failed-challenge"), play(2, 20)], ended="open"))
    assert found.scores == (30, 20)


def test_french_classic_has_two_players_and_102_tiles() -> None:
    """FISF: exchange with seven in the bag."""
    rules = preset("fr-classique")
    assert (rules.most_players, tiles(rules.tileset).tile_count, rules.exchange.minimum) == (2, 102, 7)


def test_spread_of_a_youth_game_is_capped() -> None:
    """Malaysia: king of the hill, at most 300 a game, free challenge: two own values in a book."""
    wespa = preset("wespa")
    rules = replace(wespa, spread=SpreadCapRule(300), challenge=replace(wespa.challenge, points=0))
    value = pair_rounds(
        commands.change_rules(make_event(4, system="king-of-the-hill"), ruleset=rules), results=False
    )
    for table, first, second in ((1, 700, 250), (2, 400, 399)):
        value = commands.enter_result(
            value, game=get_game_at(value, table).id, first=first, second=second, confirmed=True
        )
    found = compute_standings(Index(value), value.divisions[DIVISION])
    assert [row.spread for row in found] == [300, 1, -1, -300]
    assert [row.points for row in found] == [700, 400, 399, 250]
    assert rules.challenge.compute_cost(3) == 0


# --- what was not seen, and what follows at the table


@pytest.mark.parametrize("name", WORLD)
def test_unseen_rules_are_marked_in_file_and_window(name: str) -> None:
    rules, catalogue = preset(name), Catalogue("en", RESOURCES / "locale")
    sentences = [one for group in explain_rules(catalogue, rules).values() for one in group]
    told = [path for path in rules.unseen if any(sentence.covers_path(path) for sentence in sentences)]
    assert "(U)" in (RESOURCES / "rulesets" / f"{name}.toml").read_text("utf-8")
    assert len(told) > 10
    for sentence in sentences:
        assert ("not checked against the printed rule book" in sentence.source) is any(
            map(sentence.covers_path, rules.unseen)
        )


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        (
            "wespa",
            "The player who played it is credited 10 points.",
            "The tiles go back to the rack and the turn is lost.",
        ),
        ("naspa-nwl", "The challenger loses a turn.", "The tiles go back to the rack and the turn is lost."),
        (
            "naspa-collins",
            "The player who played it is credited 10 points.",
            "The tiles go back to the rack and the turn is lost.",
        ),
        ("es-file", "The challenge costs nothing.", "The tiles go back to the rack and the turn is lost."),
        ("fr-classique", "The challenge costs nothing.", "The tiles go back to the rack and the turn is lost."),
        ("sv-ssf", "The challenger loses 10 points.", "The tiles go back to the rack and the turn is lost."),
    ],
)
def test_describe_consequence_follows_the_challenge_mode(name: str, valid: str, invalid: str) -> None:
    catalogue, rules = Catalogue("en", RESOURCES / "locale"), preset(name)
    assert (
        describe_verdict_consequence(catalogue, rules, WordVerdict.VALID, words=2) == f"The play is valid. {valid}"
    )
    assert describe_verdict_consequence(catalogue, rules, WordVerdict.INVALID, words=2) == invalid


def test_describe_consequence_announces_a_lost_game() -> None:
    catalogue, rules = Catalogue("en", RESOURCES / "locale"), preset("wespa")
    rules = replace(rules, challenge=replace(rules.challenge, mode=ChallengeMode.TRIPLE))
    won = describe_verdict_consequence(catalogue, rules, WordVerdict.VALID, words=2)
    assert won == "The play is valid. The challenger has lost the game."
    assert (
        describe_verdict_consequence(catalogue, rules, WordVerdict.INVALID, words=1)
        == "The player who played it has lost the game."
    )


# --- real games and events under these books

CHALLENGED = """#player1 A Ann
#player2 B Bob
>A: QI 8G QI +22 22
>B: CATS 9H CATS +10 10
>B: (challenge) +5 15
"""


def under(name: str, data: bytes) -> tuple[JudgedSheet, int]:
    """Return what an annotated game is worth under a book, and how many of its points that book does not give."""
    game, _issues = read_gcg(data, "game.gcg")
    rules = preset(name)
    made, events = convert_to_sheet(game, tiles(rules.tileset))
    made, left = judging.infer_challenged_word_counts(made, events, rules.challenge)
    return judge_sheet(made, rules, tiles(rules.tileset)), len(
        [one for one in left if one.kind is GcgEventKind.CHALLENGE]
    )


def test_annotated_challenge_uses_the_challenge_mode() -> None:
    found, left = under("wespa", CHALLENGED.encode())
    assert ([part.challenges for part in found.breakdown], left) == ([0, 5], 0)
    found, left = under("naspa-nwl", CHALLENGED.encode())
    assert ([part.challenges for part in found.breakdown], left) == ([0, 0], 1), "double has no points"


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "scores", "overtime"),
    [("outplay_challenge_bonus", (516, 383), 2), ("success_five_point_challenge", (369, 532), 3),
     ("incomplete_after_five_point_challenge", (245, 398), 0)],
)  # fmt: skip
def test_real_games_with_challenges_match_their_files(name: str, scores: tuple[int, int], overtime: int) -> None:
    """Macondo's five-point challenge is WESPA's; time, which files say in points, is left out."""
    (path,) = (find_data_folder() / "gcg" / "ok").glob(f"*__{name}.gcg")
    found, left = under("wespa", path.read_bytes())
    assert (found.scores, left) == (scores, 0)
    assert sum(part.challenges for part in found.breakdown) == 5
    stated = [line for line in path.read_text("utf-8").splitlines() if "(time)" in line]
    assert len(stated) == bool(overtime)
    assert all(f"-{10 * overtime} " in line for line in stated)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "book"),
    [("Lake-George-NY-NWL-Main-Event_A_2.json", "naspa-nwl"),
     ("New-Year-s-Albany-NY-NWL-Early-Bird_D_67.json", "naspa-nwl"),
     ("Lake-George-NY-CSW-Main-Event_A_3.json", "naspa-collins")],
)  # fmt: skip
def test_real_event_has_its_published_ranks(name: str, book: str) -> None:
    found = read_published_division(name)
    value = commands.change_rules(found.tournament, ruleset=preset(book))
    index = Index(commands.set_order(value, division=DivisionId("d"), order=()))
    division = index.division(None)
    assert find_tiebreak_order(index, division) == ("wins", "spread")
    computed = {
        Cell(item.number, row.player.number, row.rank)
        for item in index.published(division.id)
        for row in compute_standings(index, division, item.number)
    }
    assert [cell for cell in found.ranks["rrank"] if cell not in computed] == []
    assert found.ranks["rrank"]
