"""Tests of a division with its own rules and word list."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain import commands, outcome
from tdapp.domain.commands.transfers import find_move_or_merge_consequences
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.impact import assess_impact, count_players_with_changed_score
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import make_argument_facts
from tdapp.domain.model import Bye, ByeId, ByeKind, DivisionId, GameId, PlayerId, StageId
from tdapp.domain.proposal import compute_pairing_digest
from tdapp.domain.ruleset import Outcome, SpreadCapRule
from tdapp.domain.standings import compute_standings, find_tiebreak_order
from tdapp.domain.tables.rounds import make_bye_table, make_pairing_table
from tdapp.domain.tournament import Tournament
from tdapp.exchange import tournament_json
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import parse_sheet
from tests.building import RESOURCES, load_rule_set

A, B = DivisionId("a"), DivisionId("b")
WESPA, DUTCH = load_rule_set("wespa"), load_rule_set("nl-points")


def build_two_divisions() -> Tournament:
    """Return division A with WESPA rules and division B with Dutch rules, each with one round."""
    value = commands.new_tournament(key="t", name="Two", ruleset=WESPA, seed=7)
    for division in (A, B):
        value = commands.add_division(value, key=division, code=division.upper())
        value = commands.add_stage(value, key=f"s{division}", division=division, system="swiss", rounds=3)
        for number in range(1, 6):
            value = commands.add_player(
                value, key=f"{division}{number}", division=division, name=f"{division.upper()}{number}"
            )
    value = commands.change_division_rules(value, division=B, ruleset=DUTCH)
    for division in (A, B):
        value = commands.pair_round(
            value, key=f"r{division}", proposal=propose_pairings(TournamentIndex(value), division)
        )
    return value


def find_first_game(value: Tournament, division: DivisionId) -> GameId:
    return TournamentIndex(value).games(TournamentIndex(value).get_round(division, 1).id)[0].id


def test_rules_of_returns_the_rules_of_the_division() -> None:
    value = build_two_divisions()
    for division, rules in ((A, WESPA), (B, DUTCH)):
        game = value.games[find_first_game(value, division)]
        rows = (value.divisions[division], value.stages[StageId(f"s{division}")], value.rounds[game.round], game,
                value.players[game.first])  # fmt: skip
        assert {value.get_ruleset_of_row(row).id for row in rows} == {rules.id}
    assert value.get_ruleset_of_row(None) is WESPA
    assert value.get_ruleset_of_row(value.event) is WESPA


def test_change_division_rules_affects_results_byes_and_ranks() -> None:
    value = build_two_divisions()
    for division in (A, B):
        value = commands.enter_result(value, game=find_first_game(value, division), first=400, second=350)
    index = TournamentIndex(value)
    for division, rules in ((A, WESPA), (B, DUTCH)):
        item, row = index.get_round(division, 1), value.divisions[division]
        (bye,) = index.byes(item.id)
        bye_score = outcome.score_bye(rules, bye)
        assert make_bye_table(index, item).rows[0].spread == bye_score.spread
        assert find_tiebreak_order(index, row) == rules.get_tiebreak_order_for_system("swiss")
        standings = {line.player.id: line for line in compute_standings(index, row)}
        assert standings[bye.player].match_points == rules.match_points.get_match_points(bye_score.outcome)
        game_score = outcome.score_game(rules, value.results[find_first_game(value, division)])
        assert make_pairing_table(index, item).rows[0].spread == game_score.first.spread
    assert WESPA.get_tiebreak_order_for_system("swiss") != DUTCH.get_tiebreak_order_for_system("swiss")


def test_make_bye_table_follows_the_division_rules() -> None:
    generous = replace(DUTCH, byes=replace(DUTCH.byes, bye=replace(DUTCH.byes.bye, spread=0)))
    value = commands.change_division_rules(build_two_divisions(), division=B, ruleset=generous)
    index = TournamentIndex(value)

    spreads = {division: make_bye_table(index, index.get_round(division, 1)).rows[0].spread for division in (A, B)}

    assert spreads == {A: 50, B: 0}


def test_enter_result_overtime_follows_the_division_rules() -> None:
    value = build_two_divisions()
    enter_overtime = partial(commands.enter_result, first=400, second=350, overtime1=61,
                   tileset=read_tilesets(RESOURCES / "tilesets")["en"])  # fmt: skip
    after = enter_overtime(value, game=find_first_game(value, A))
    assert after.results[find_first_game(value, A)].first == 400 - 2 * WESPA.overtime.points

    with pytest.raises(CommandError) as error:
        enter_overtime(commands.change_division_rules(value, division=B, ruleset=load_rule_set("nl-match")),
             game=find_first_game(value, B))  # fmt: skip
    assert error.value.code == "overtime-not-counted"


def test_enter_sheet_follows_the_division_rules() -> None:
    value, tiles = build_two_divisions(), read_tilesets(RESOURCES / "tilesets")
    sheet = parse_sheet({
        "players": ["", ""], "ended": "passes", "rack_values": [10, 0],
        "turns": [{"player": 1, "kind": "play", "score": 20, "ruling": "phony"}, {"player": 2, "kind": "pass"}],
    })  # fmt: skip
    points = {}
    for division, name in ((A, "en"), (B, "nl")):
        game = find_first_game(value, division)
        after = commands.enter_sheet(value, game=game, sheet=sheet, tileset=tiles[name])
        points[division] = after.results[game].first

    # WESPA keeps an unchallenged word; Puntenscrabble takes the turn's 20 points and 20 more.
    assert points == {A: 20 - 10, B: -20 - 10}


def test_wordlist_of_follows_the_division() -> None:
    value = commands.choose_wordlist(build_two_divisions(), wordlist="english")
    value = commands.choose_division_wordlist(value, division=B, wordlist="dutch")
    games = [value.games[find_first_game(value, division)] for division in (A, B)]
    assert [value.get_wordlist_id_of_row(game) for game in games] == ["english", "dutch"]

    silent = commands.choose_division_wordlist(value, division=B, wordlist="")
    assert silent.get_wordlist_id_of_row(games[1]) == ""
    follows = commands.choose_division_wordlist(value, division=B, wordlist=None)
    assert follows.get_wordlist_id_of_row(games[1]) == "english"
    assert value.get_wordlist_id_of_row(None) == value.get_wordlist_id_of_row(value.event) == "english"


def test_change_rules_keeps_own_rules_of_a_division() -> None:
    before = build_two_divisions()
    for division in (A, B):
        before = commands.enter_result(before, game=find_first_game(before, division), first=400, second=350)
    points = replace(WESPA, byes=replace(WESPA.byes, bye=replace(WESPA.byes.bye, spread=75)))
    after = commands.change_rules(before, ruleset=points)

    assert [count_players_with_changed_score(before, after, division) for division in (A, B)] == [1, 0]
    assert assess_impact(TournamentIndex(before), after, B).stale_printouts == ()
    assert compute_pairing_digest(TournamentIndex(before), B, 2) == compute_pairing_digest(
        TournamentIndex(after), B, 2
    )
    assert compute_pairing_digest(TournamentIndex(before), A, 2) != compute_pairing_digest(
        TournamentIndex(after), A, 2
    )


def test_change_division_rules_survives_a_file_and_undo(tmp_path: Path) -> None:
    desk = Desk.create(
        tmp_path / "two.tdapp", commands.change_division_rules(build_two_divisions(), division=B, ruleset=None)
    )
    desk.do(partial(commands.change_division_rules, division=B, ruleset=DUTCH))
    desk.do(partial(commands.choose_division_wordlist, division=B, wordlist="dutch"))
    desk.close()

    with closing(Desk.open(tmp_path / "two.tdapp")) as reopened_desk:
        for value in (
            reopened_desk.tournament,
            tournament_json.read_tournament(
                tournament_json.encode_tournament(reopened_desk.tournament), "copy.json"
            ),
        ):
            assert (value.divisions[B].ruleset, value.divisions[B].wordlist) == (DUTCH, "dutch")
            assert (value.divisions[A].ruleset, value.divisions[A].wordlist) == (None, None)
        reopened_desk.undo()
        reopened_desk.undo()
        assert (reopened_desk.tournament.divisions[B].ruleset, reopened_desk.tournament.divisions[B].wordlist) == (
            None,
            None,
        )


def test_make_facts_names_changed_division_rules() -> None:
    before = build_two_divisions()
    own_rules = replace(DUTCH, bonus=40)
    after = commands.change_division_rules(before, division=B, ruleset=own_rules)

    facts = make_argument_facts(before, after, {"division": B, "ruleset": own_rules})
    assert facts == {"division": "B", "rules": DUTCH.name, "changed": "bonus", "whole": 0}
    assert make_argument_facts(before, before, {"division": B, "ruleset": None})["rules"] == WESPA.name


def test_read_tournament_refuses_division_rules_without_ranking() -> None:
    value = commands.change_division_rules(build_two_divisions(), division=B, ruleset=replace(DUTCH, order={}))
    with pytest.raises(InputError) as error:
        tournament_json.read_tournament(tournament_json.encode_tournament(value), "copy.json")
    assert "divisions b: ruleset.order.other missing" in str(error.value.facts)


def test_score_bye_follows_the_division_rules() -> None:
    value = build_two_divisions()
    bye = Bye(ByeId("x"), TournamentIndex(value).get_round(B, 1).id, PlayerId("b1"), ByeKind.REQUESTED)

    assert outcome.score_bye(value.get_ruleset_of_row(bye), bye).outcome is outcome.score_bye(DUTCH, bye).outcome
    assert outcome.score_bye(WESPA, bye).outcome is Outcome.LOSS


def test_assess_transfer_names_other_rules_after_a_merge() -> None:
    before = build_two_divisions()
    after = commands.merge_division(before, division=B, into=A)
    (consequence,) = (
        item for item in find_move_or_merge_consequences(before, after) if item.code == "rules-other"
    )

    assert (consequence.needs_action, dict(consequence.facts)) == (True, {"rules": WESPA.name})
    same_rules = commands.change_division_rules(before, division=B, ruleset=None)
    after = commands.merge_division(same_rules, division=B, into=A)
    assert "rules-other" not in {
        consequence.code for consequence in find_move_or_merge_consequences(same_rules, after)
    }


def test_list_spread_caps_follows_the_rules_by_default() -> None:
    value = build_two_divisions()
    for division in (A, B):
        value = commands.enter_result(value, game=find_first_game(value, division), first=500, second=200)
    after = commands.change_division_rules(value, division=B, ruleset=replace(DUTCH, spread=SpreadCapRule(120)))

    def find_largest_spread(tournament: Tournament, division: DivisionId) -> int:
        return max(
            row.spread for row in compute_standings(TournamentIndex(tournament), tournament.divisions[division])
        )

    assert [find_largest_spread(after, division) for division in (A, B)] == [300, 120]
    assert find_largest_spread(commands.set_spread_caps(after, division=B, caps=(200,)), B) == 200
    assert find_largest_spread(commands.set_spread_caps(after, division=B, caps=(0,)), B) == 300
