"""The impact of a change of results before it happens."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.bracket import find_qualified_players
from tdapp.domain.impact import DivisionImpact, RankChange, StalePrintout, WinnerChange, assess_impact
from tdapp.domain.index import Index
from tdapp.domain.model import Forfeit, Game, StageId
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue, impact_sentences
from tdapp.scrabble.sheet import SanctionKind
from tests.building import DIVISION, RESOURCES, event, paired, player


def game_in(tournament: Tournament, number: int, table: int) -> Game:
    index = Index(tournament)
    return index.game(index.round(DIVISION, number).id, table)


def of(before: Tournament, after: Tournament) -> DivisionImpact:
    return assess_impact(Index(before), after, DIVISION)


def ranks(tournament: Tournament) -> dict[str, int]:
    rows = compute_standings(Index(tournament), tournament.divisions[DIVISION])
    return {row.player.name: row.rank for row in rows}


def test_assess_impact_of_equal_tournaments_is_empty() -> None:
    t = paired(event(8), times=2)
    found = of(t, t)
    assert (found.winners, found.ranks, found.stale_printouts, found.has_new_leader) == ((), (), (), False)
    assert found.last_round == 2


def test_assess_impact_of_a_reversed_result() -> None:
    t = paired(event(8), times=3)
    game = game_in(t, 2, 1)
    leader = player(t, 1).id
    assert leader in {game.first, game.second}
    scores = (300, 500) if game.first == leader else (500, 300)
    after = commands.enter_result(t, game=game.id, first=scores[0], second=scores[1])
    found = of(t, after)
    other = game.second if game.first == leader else game.first
    assert found.winners == (WinnerChange(2, 1, game.id, leader, other),)
    assert (found.last_round, found.old_leaders, found.has_new_leader) == (3, (leader,), True)
    assert found.new_leaders == (player(t, next(n for n in range(1, 9) if ranks(after)[f"P{n}"] == 1)).id,)
    was, now = ranks(t), ranks(after)
    names = t.players
    told = {names[rank.player].name: (rank.before, rank.after) for rank in found.ranks}
    assert told == {name: (was[name], now[name]) for name in was if was[name] != now[name]}
    assert [one.before for one in found.ranks] == sorted(one.before or 0 for one in found.ranks)
    assert found.stale_printouts == (StalePrintout("standings", (2, 3)), StalePrintout("pairings-by-table", (2,)))


def test_assess_impact_of_points_makes_printouts_stale() -> None:
    t = paired(event(2), times=1)
    game = game_in(t, 1, 1)
    result = t.results[game.id]
    more = commands.enter_result(t, game=game.id, first=(result.first or 0) + 1, second=result.second)
    found = of(t, more)
    assert (found.winners, found.ranks) == ((), ())
    assert found.stale_printouts == (StalePrintout("standings", (1,)), StalePrintout("pairings-by-table", (1,)))


def test_assess_impact_of_a_draw_and_an_open_game() -> None:
    t = paired(event(4), times=1)
    game = game_in(t, 1, 1)
    won = next(winner for winner in of(commands.clear_result(t, game=game.id), t).winners)
    assert (won.before, won.after) == (None, player(t, 1).id)
    drawn = commands.enter_result(t, game=game.id, first=400, second=400)
    assert of(drawn, commands.clear_result(t, game=game.id)).winners == ()


def test_assess_impact_of_checking_is_empty() -> None:
    t = paired(event(4), times=1)
    checked = commands.check_result(t, game=game_in(t, 1, 1).id)
    assert of(t, checked).stale_printouts == ()


def test_assess_impact_of_a_fine_starts_at_its_round() -> None:
    t = paired(event(4), times=3)
    fined = commands.add_sanction(
        t, key="x", player=player(t, 1).id, kind=SanctionKind.MARGIN, points=300, why="late", round_number=2
    )
    assert of(t, fined).stale_printouts == (StalePrintout("standings", (2, 3)),)


def test_assess_impact_unlisted_player_has_no_rank() -> None:
    t = commands.edit_division(paired(event(4), times=1), division=DIVISION, list_withdrawn=False)
    gone = commands.withdraw_player(t, key="w", player=player(t, 1).id)
    found = of(t, gone)
    assert found.ranks[0] == RankChange(player(t, 1).id, 1, None)
    assert found.has_new_leader


def test_assess_impact_of_a_decided_knockout_match() -> None:
    t = paired(event(4, rounds=2, system="knockout"), times=1)
    game = game_in(t, 1, 1)
    tied = commands.enter_result(t, game=game.id, first=400, second=400)
    decided = [commands.decide_tie(tied, game=game.id, winner=who) for who in (Forfeit.FIRST, Forfeit.SECOND)]
    assert of(*decided).winners == (WinnerChange(1, 1, game.id, game.first, game.second),)


def with_another_qualifier(t: Tournament) -> tuple[Tournament, DivisionImpact]:
    """A result of the second round corrected so that another player qualifies for the knockout."""
    index = Index(t)
    for game in index.games(index.round(DIVISION, 2).id):
        for first, second in ((100, 900), (900, 100)):
            after = commands.enter_result(t, game=game.id, first=first, second=second)
            found = of(t, after)
            if found.qualifiers:
                return after, found
    raise AssertionError("no result decides who qualifies")


def test_assess_impact_names_a_changed_qualification() -> None:
    t = commands.add_stage(event(8, rounds=2), key="k", division=DIVISION, system="knockout", rounds=2, cut=4)
    t = paired(t, times=2)
    for begun, said in (
        (False, "is now among the best 4 instead of "),
        (True, "would have been among the best 4 instead of "),
    ):
        after, found = with_another_qualifier(t)
        (change,) = found.qualifiers
        stage = t.stages[StageId("k")]
        was, now = (find_qualified_players(Index(one), stage) for one in (t, after))
        assert (frozenset(change.removed_players), frozenset(change.added_players)) == (was - now, now - was)
        assert (change.places, change.has_begun, len(change.removed_players)) == (4, begun, 1)
        out, instead = (t.players[one].name for one in (*change.removed_players, *change.added_players))
        line = impact_sentences.describe_impact(found, Index(t), Catalogue("en", RESOURCES / "locale"))[0]
        assert f"{instead} {said}{out}" in line
        t = t if begun else paired(t, results=False)


def test_assess_impact_has_no_qualifiers_before_the_knockout() -> None:
    t = commands.add_stage(event(8, rounds=3), key="k", division=DIVISION, system="knockout", rounds=2, cut=4)
    t = paired(t, times=2)
    game = game_in(t, 2, 1)
    assert of(t, commands.enter_result(t, game=game.id, first=300, second=500)).qualifiers == ()
