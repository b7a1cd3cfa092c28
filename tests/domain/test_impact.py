"""Tests of the impact preview of a changed result."""

from __future__ import annotations

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.bracket import find_qualified_players
from tdapp.domain.impact import DivisionImpact, GameWinnerChange, RankChange, StalePrintout, assess_impact
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game, GameSide, StageId
from tdapp.domain.paper import Printout, PrintoutId
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue, impact_sentences
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, RESOURCES, get_player, make_event, pair_rounds


def find_game(tournament: Tournament, number: int, table: int) -> Game:
    index = TournamentIndex(tournament)
    return index.get_game(index.get_round(DIVISION, number).id, table)


def assess_change(old_tournament: Tournament, new_tournament: Tournament) -> DivisionImpact:
    return assess_impact(TournamentIndex(old_tournament), new_tournament, DIVISION)


def map_ranks(tournament: Tournament) -> dict[str, int]:
    rows = compute_standings(TournamentIndex(tournament), tournament.divisions[DIVISION])
    return {row.player.name: row.rank for row in rows}


def test_assess_impact_of_equal_tournaments_is_empty() -> None:
    t = pair_rounds(make_event(8), times=2)
    impact = assess_change(t, t)
    assert (impact.winners, impact.ranks, impact.stale_printouts, impact.has_new_leader) == ((), (), (), False)
    assert impact.last_round == 2


def test_assess_impact_of_a_reversed_result() -> None:
    t = pair_rounds(make_event(8), times=3)
    game = find_game(t, 2, 1)
    leader = get_player(t, 1).id
    assert leader in {game.first, game.second}
    scores = (300, 500) if game.first == leader else (500, 300)
    new_tournament = commands.enter_result(t, game=game.id, first=scores[0], second=scores[1])
    impact = assess_change(t, new_tournament)
    opponent = game.second if game.first == leader else game.first
    assert impact.winners == (GameWinnerChange(2, 1, game.id, leader, opponent),)
    assert (impact.last_round, impact.old_leaders, impact.has_new_leader) == (3, (leader,), True)
    assert impact.new_leaders == (
        get_player(t, next(n for n in range(1, 9) if map_ranks(new_tournament)[f"P{n}"] == 1)).id,
    )
    old_ranks, new_ranks = map_ranks(t), map_ranks(new_tournament)
    names = t.players
    changes = {names[rank.player].name: (rank.before, rank.after) for rank in impact.ranks}
    assert changes == {
        name: (old_ranks[name], new_ranks[name]) for name in old_ranks if old_ranks[name] != new_ranks[name]
    }
    assert [rank.before for rank in impact.ranks] == sorted(rank.before or 0 for rank in impact.ranks)
    assert impact.stale_printouts == (StalePrintout("standings", (2, 3)), StalePrintout("pairings-by-table", (2,)))


def test_assess_impact_of_points_makes_printouts_stale() -> None:
    t = pair_rounds(make_event(2), times=1)
    game = find_game(t, 1, 1)
    result = t.results[game.id]
    new_tournament = commands.enter_result(t, game=game.id, first=(result.first or 0) + 1, second=result.second)
    impact = assess_change(t, new_tournament)
    assert (impact.winners, impact.ranks) == ((), ())
    assert impact.stale_printouts == (StalePrintout("standings", (1,)), StalePrintout("pairings-by-table", (1,)))


def test_assess_impact_of_a_draw_and_an_open_game() -> None:
    t = pair_rounds(make_event(4), times=1)
    game = find_game(t, 1, 1)
    won_tournament = next(winner for winner in assess_change(commands.clear_result(t, game=game.id), t).winners)
    assert (won_tournament.before, won_tournament.after) == (None, get_player(t, 1).id)
    draw = commands.enter_result(t, game=game.id, first=400, second=400)
    assert assess_change(draw, commands.clear_result(t, game=game.id)).winners == ()


def test_assess_impact_of_checking_is_empty() -> None:
    t = pair_rounds(make_event(4), times=1)
    checked_tournament = commands.check_result(t, game=find_game(t, 1, 1).id)
    assert assess_change(t, checked_tournament).stale_printouts == ()


def test_assess_impact_of_a_fine_starts_at_its_round() -> None:
    t = pair_rounds(make_event(4), times=3)
    fined_tournament = commands.add_sanction(
        t, key="x", player=get_player(t, 1).id, kind=SanctionKind.MARGIN, points=300, why="late", round_number=2
    )
    assert assess_change(t, fined_tournament).stale_printouts == (StalePrintout("standings", (2, 3)),)


def test_assess_impact_unlisted_player_has_no_rank() -> None:
    t = commands.edit_division(pair_rounds(make_event(4), times=1), division=DIVISION, list_withdrawn=False)
    withdrawn_tournament = commands.withdraw_player(t, key="w", player=get_player(t, 1).id)
    impact = assess_change(t, withdrawn_tournament)
    assert impact.ranks[0] == RankChange(get_player(t, 1).id, 1, None)
    assert impact.has_new_leader


def test_assess_impact_of_a_decided_knockout_match() -> None:
    t = pair_rounds(make_event(4, rounds=2, system="knockout"), times=1)
    game = find_game(t, 1, 1)
    tie = commands.enter_result(t, game=game.id, first=400, second=400)
    decisions = [
        commands.decide_tie(tie, game=game.id, winner=winner) for winner in (GameSide.FIRST, GameSide.SECOND)
    ]
    assert assess_change(*decisions).winners == (GameWinnerChange(1, 1, game.id, game.first, game.second),)


def change_qualifier(t: Tournament) -> tuple[Tournament, DivisionImpact]:
    """Correct a result of round 2, so another player qualifies for the knockout. Return the impact too."""
    index = TournamentIndex(t)
    for game in index.games(index.get_round(DIVISION, 2).id):
        for first, second in ((100, 900), (900, 100)):
            new_tournament = commands.enter_result(t, game=game.id, first=first, second=second)
            impact = assess_change(t, new_tournament)
            if impact.qualifiers:
                return new_tournament, impact
    raise AssertionError("no result decides who qualifies")


def test_assess_impact_names_a_changed_qualification() -> None:
    t = commands.add_stage(make_event(8, rounds=2), key="k", division=DIVISION, system="knockout", rounds=2, cut=4)
    t = pair_rounds(t, times=2)
    for has_begun, text in (
        (False, "is now in the top 4 instead of "),
        (True, "would have been in the top 4 instead of "),
    ):
        new_tournament, impact = change_qualifier(t)
        (change,) = impact.qualifiers
        stage = t.stages[StageId("k")]
        old_qualifiers, new_qualifiers = (
            find_qualified_players(TournamentIndex(tournament), stage) for tournament in (t, new_tournament)
        )
        assert (frozenset(change.removed_players), frozenset(change.added_players)) == (
            old_qualifiers - new_qualifiers,
            new_qualifiers - old_qualifiers,
        )
        assert (change.places, change.has_begun, len(change.removed_players)) == (4, has_begun, 1)
        removed_name, added_name = (
            t.players[player_id].name for player_id in (*change.removed_players, *change.added_players)
        )
        line = impact_sentences.describe_impact(impact, TournamentIndex(t), Catalogue("en", RESOURCES / "locale"))[
            0
        ]
        assert f"{added_name} {text}{removed_name}" in line
        t = t if has_begun else pair_rounds(t, results=False)


def test_assess_impact_has_no_qualifiers_before_the_knockout() -> None:
    t = commands.add_stage(make_event(8, rounds=3), key="k", division=DIVISION, system="knockout", rounds=2, cut=4)
    t = pair_rounds(t, times=2)
    game = find_game(t, 2, 1)
    assert assess_change(t, commands.enter_result(t, game=game.id, first=300, second=500)).qualifiers == ()


def test_describe_impact_tells_namesakes_apart() -> None:
    t = pair_rounds(make_event(8), times=1)
    game = find_game(t, 1, 1)
    for player in (game.first, game.second):
        t = commands.edit_player(t, player=player, name="Twin, Tom", club="")
    after = commands.enter_result(t, game=game.id, first=300, second=500, reason="swapped")
    catalogue = Catalogue("en", RESOURCES / "locale")
    lines = impact_sentences.describe_impact(
        assess_change(t, after), TournamentIndex(t), catalogue, first_players={game.second}
    )
    numbers = [t.players[player].number for player in (game.second, game.first)]
    assert "Twin, Tom ({}) wins, not Twin, Tom ({})".format(*numbers) in lines[0]
    assert f"Twin, Tom ({numbers[0]}):" in lines[1]


def test_describe_impact_names_only_printed_reports() -> None:
    t = pair_rounds(make_event(8), times=2)
    game = find_game(t, 1, 1)
    impact = assess_change(t, commands.enter_result(t, game=game.id, first=300, second=500))
    catalogue = Catalogue("en", RESOURCES / "locale")
    assert [paper.rounds for paper in impact.stale_printouts] == [(1, 2), (1,)]

    def describe(*printouts: Printout) -> str:
        return " ".join(impact_sentences.describe_impact(impact, TournamentIndex(t.put(*printouts)), catalogue))

    standings = Printout(PrintoutId("a"), "standings", DIVISION, round=2, at="", content="")
    pairings = Printout(PrintoutId("b"), "pairings-by-table", DIVISION, round=1, at="", content="")
    assert "Printouts" not in describe()
    assert "Printouts" not in describe(pairings)
    assert describe(standings, pairings).endswith("Printouts that become out of date: Standings, round 2")
    results = replace(pairings, results=True)
    assert describe(standings, results).endswith(": Standings, round 2; Results by table, round 1")
