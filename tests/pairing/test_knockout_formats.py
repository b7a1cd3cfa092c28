"""Whole knockouts of every format, played through: drops, series, places, walkovers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import build_bracket, rank_knockout
from tdapp.domain.elimination import BracketPart
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.matches import Match, count_rounds_needed
from tdapp.domain.model import Absence, AbsenceId, ByeKind, Forfeit, PlayerId, Result, ResultState, Start
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.ruleset import KnockoutRule, KnockoutTie, RuleSet
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tests.pairing.random_states import STAGE, A, event, published


def cup(count: int, *, tie: KnockoutTie = KnockoutTie.EXTRA_GAME, **chosen: object) -> Tournament:
    order = MappingProxyType({"other": ("wins", "spread")})
    rules = RuleSet("r", "R", "en", "en", order, knockout=KnockoutRule(tie))
    settings = PairingSettings(**chosen)  # type: ignore[arg-type]
    rounds = count_rounds_needed(count, settings)
    return event(count, system="knockout", rounds=rounds, settings=settings, ruleset=rules)


def drawn_up(tournament: Tournament) -> tuple[Match, ...]:
    return build_bracket(Index(tournament), tournament.stages[STAGE])


def held(tournament: Tournament) -> Mapping[str, int]:
    found = rank_knockout(Index(tournament), tournament.stages[STAGE])
    return {str(player): place for player, place in found.items()}


def paired(tournament: Tournament) -> Tournament:
    return published(tournament, propose_pairings(Index(tournament), A))


def scored(tournament: Tournament, rng: Random | None = None, *, tied: bool = False) -> Tournament:
    """Return the tournament with every open game won by the lower number, or by lot."""
    results = []
    for game in tournament.games.values():
        if game.id not in tournament.results:
            ahead = int(game.first[1:]) < int(game.second[1:]) if rng is None else rng.random() < 0.5
            margin = 10 if rng is None else rng.randint(1, 99)
            first = 400 if tied else 400 + (margin if ahead else -margin)
            results.append(Result(game.id, ResultState.ENTERED, first, 400))
    return tournament.put(*results)


def refused(tournament: Tournament) -> str:
    """Return why no further round can be paired, empty if one can."""
    try:
        propose_pairings(Index(tournament), A)
    except RuleViolation as error:
        return error.code
    return ""


def played_out(tournament: Tournament, rng: Random | None = None) -> Tournament:
    while not refused(tournament):
        tournament = scored(paired(tournament), rng)
    assert refused(tournament) in {"knockout-decided", "all-rounds-paired"}
    return tournament


def decided(tournament: Tournament, one: int, **result: object) -> Tournament:
    """Return the tournament with a result for the open game of a player, points in his order."""
    player = PlayerId(f"p{one}")
    games = [game for game in tournament.games.values() if game.id not in tournament.results]
    game = next(game for game in games if player in {game.first, game.second})
    if game.second == player and "first" in result:
        result["first"], result["second"] = result["second"], result["first"]
    return tournament.put(Result(game.id, ResultState.ENTERED, **result))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [3, 4, 5, 7, 8, 11, 16, 24])
@pytest.mark.parametrize("rng", [None, 1, 2])
def test_double_elimination_ends_with_one_player_beaten_once_at_most(count: int, rng: int | None) -> None:
    tournament = played_out(
        cup(count, elimination=Elimination.DOUBLE), None if rng is None else Random(rng * 100 + count)
    )
    lost = Counter(match.loser for match in drawn_up(tournament) if match.is_needed and match.loser)
    assert sum(lost.values()) == len(tournament.games) in {2 * count - 2, 2 * count - 1}
    found = held(tournament)
    champion = next(player for player, place in found.items() if place == 1)
    assert all(lost[PlayerId(player)] == 2 for player in found if player != champion)
    assert lost[PlayerId(champion)] == len(tournament.games) - (2 * count - 2)
    assert sorted(found.values())[:4] == [1, 2, 3, 4][:count]
    assert all(
        sum(other < place for other in found.values()) == place - 1 for place in found.values()
    )  # no player shares a place with a gap


def test_double_elimination_repeats_the_grand_final() -> None:
    tournament = cup(4, elimination=Elimination.DOUBLE)
    for _ in range(3):
        tournament = scored(paired(tournament))
    tournament = paired(tournament)
    tournament = decided(tournament, 1, first=300, second=400)
    again = propose_pairings(Index(tournament), A)
    assert [{game.first, game.second} for game in again.games] == [{"p1", "p2"}]
    assert drawn_up(tournament)[-1].node.part is BracketPart.RESET
    assert held(tournament)["p1"] == held(tournament)["p2"] == 1
    tournament = decided(published(tournament, again), 1, first=400, second=300)
    assert [held(tournament)[player] for player in ("p1", "p2", "p3", "p4")] == [1, 2, 3, 4]


def test_double_elimination_is_decided_without_a_reset() -> None:
    tournament = cup(4, elimination=Elimination.DOUBLE)
    for _ in range(4):
        tournament = scored(paired(tournament))
    assert not drawn_up(tournament)[-1].is_needed
    with pytest.raises(RuleViolation, match="knockout-decided"):
        propose_pairings(Index(tournament), A)
    assert held(tournament)["p1"] == 1


@pytest.mark.parametrize("count", [2, 3, 5, 8, 12, 13])
@pytest.mark.parametrize("rng", [None, 4])
def test_classification_gives_each_player_a_rank(count: int, rng: int | None) -> None:
    tournament = played_out(
        cup(count, elimination=Elimination.CLASSIFICATION), None if rng is None else Random(rng)
    )
    assert sorted(held(tournament).values()) == list(range(1, count + 1))


@pytest.mark.parametrize("count", [5, 6, 8, 12, 13, 16])
def test_consolation_changes_no_ranks(count: int) -> None:
    rng = Random(count)
    tournament = played_out(cup(count, elimination=Elimination.CONSOLATION), rng)
    matches = drawn_up(tournament)
    assert all(match.is_decided for match in matches if match.is_needed)
    for match in matches:
        if match.node.part is BracketPart.WINNERS and match.loser and match.node.round_size > 2:
            assert held(tournament)[match.loser] == match.node.round_size // 2 + 1


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("count", range(5, 18))
@pytest.mark.parametrize("seed", [1, 2])
def test_consolation_has_losers_of_the_first_match(count: int, seed: int, third_place: bool) -> None:
    """Counted from the games alone: in round 1, or in round 2 by who had a bye before; no finalist ever joins."""
    drawn = cup(count, elimination=Elimination.CONSOLATION, third_place=third_place)
    tournament = played_out(drawn, Random(1000 * seed + count))
    matches = [match for match in drawn_up(tournament) if match.games]
    beaten: dict[PlayerId, int] = {}
    seen: set[PlayerId] = set()
    for match in matches:
        loser = match.loser
        if match.node.part is BracketPart.WINNERS and loser is not None and loser not in seen:
            beaten[loser] = match.node.turn
        if match.node.part is BracketPart.WINNERS:
            seen |= {player for player in match.players if player is not None}
    last = (count - 1).bit_length() - (2 if third_place else 1)  # the losers of later rounds play elsewhere
    joining = {player for player, turn in beaten.items() if turn <= min(2, last)}
    games = [match for match in matches if match.node.part is BracketPart.CONSOLATION]
    assert len(joining) > 0
    assert len(games) == len(joining) - 1
    lost = Counter(match.loser for match in games)
    assert set(lost.values()) <= {1}
    assert {player for match in games for player in match.players} == (joining if games else set())
    assert len(joining - lost.keys()) == 1


@pytest.mark.parametrize("elimination", [Elimination.SINGLE, Elimination.CONSOLATION])
@pytest.mark.parametrize("count", [3, 6, 8, 11, 16])
def test_rank_knockout_losers_have_ranks_after_each_round(elimination: Elimination, count: int) -> None:
    """The loser to the last of n remaining players is n-th; all others share the next free place."""
    rng, tournament = Random(count), cup(count, elimination=elimination)
    still = {f"p{number}" for number in range(1, count + 1)}
    wanted: dict[str, int] = {}
    while len(still) > 1:
        tournament = scored(paired(tournament), rng)
        turn = max(match.node.turn for match in drawn_up(tournament) if match.games)
        lost = {
            str(match.loser)
            for match in drawn_up(tournament)
            if match.node.turn == turn and match.node.part is BracketPart.WINNERS and match.loser is not None
        }
        still -= lost
        wanted |= dict.fromkeys(lost, len(still) + 1)
        found = held(tournament)
        assert found == wanted | dict.fromkeys(still, 1)
    assert len(wanted) == count - 1


@pytest.mark.parametrize("count", [3, 4, 6, 8, 13, 16])
@pytest.mark.parametrize("seed", [1, 2])
def test_rank_knockout_players_beaten_twice_have_ranks(count: int, seed: int) -> None:
    """An eliminated player takes the first place behind all remaining and all later eliminated players."""
    rng, tournament = Random(100 * seed + count), cup(count, elimination=Elimination.DOUBLE)
    while not refused(tournament):
        tournament = scored(paired(tournament), rng)
        matches, found = drawn_up(tournament), held(tournament)
        lost = Counter(match.loser for match in matches if match.is_needed and match.loser)
        gone = {  # the round of the losers' bracket, the grand final behind them all
            str(match.loser): match.node.round if match.node.part is BracketPart.LOSERS else 99
            for match in matches
            if match.loser is not None and lost[match.loser] == 2 and match.node.part is not BracketPart.WINNERS
        }
        assert len(gone) == sum(times == 2 for times in lost.values())
        wanted = {one: count - sum(other <= last for other in gone.values()) + 1 for one, last in gone.items()}
        waiting = {
            match.node.round for match in matches if match.node.part is BracketPart.LOSERS and not match.is_decided
        }
        whole = {one for one, last in gone.items() if last not in waiting}
        assert {one: found[one] for one in whole} == {one: wanted[one] for one in whole}
        assert min(found.values()) == 1
    assert len(gone) == count - 1


def test_rank_knockout_during_a_single_elimination() -> None:
    tournament = cup(8)
    assert set(held(tournament).values()) == {1}
    tournament = scored(paired(tournament))
    assert Counter(held(tournament).values()) == {1: 4, 5: 4}
    tournament = decided(paired(tournament), 1, first=400, second=300)
    found = held(tournament)
    assert (found["p1"], found["p4"], found["p2"], found["p3"]) == (1, 3, 2, 2)
    tournament = scored(paired(scored(tournament)))
    assert [held(tournament)[f"p{number}"] for number in range(1, 9)] == [1, 2, 3, 3, 5, 5, 5, 5]


def test_rank_knockout_with_a_third_place_match() -> None:
    tournament = played_out(cup(6, third_place=True))
    assert [held(tournament)[f"p{number}"] for number in range(1, 7)] == [1, 2, 3, 4, 5, 5]


# --- series


def test_knockout_series_stops_after_a_decided_match() -> None:
    tournament = cup(4, series=3)
    tournament = scored(paired(tournament))
    tournament = decided(decided(paired(tournament), 1, first=400, second=300), 2, first=300, second=400)
    proposal = propose_pairings(Index(tournament), A)
    assert [{game.first, game.second} for game in proposal.games] == [{"p2", "p3"}]
    assert proposal.games[0].start is Start.DRAW
    assert not proposal.byes
    assert proposal.games[0].match == 2
    reason = proposal.games[0].reason
    assert reason is not None
    assert reason.code == "series"
    assert dict(reason.facts)["game"] == 3
    tournament = decided(published(tournament, proposal), 3, first=400, second=300)
    final = propose_pairings(Index(tournament), A)
    assert [{game.first, game.second} for game in final.games] == [{"p1", "p3"}]


def test_knockout_series_has_one_bye() -> None:
    tournament = cup(3, series=3)
    first = propose_pairings(Index(tournament), A)
    assert [bye.player for bye in first.byes] == ["p1"]
    second = propose_pairings(Index(scored(published(tournament, first))), A)
    assert not second.byes
    assert [{game.first, game.second} for game in second.games] == [{"p2", "p3"}]


def test_knockout_series_alternates_starts() -> None:
    tournament = cup(2, series=4)
    starters = []
    for _ in range(3):
        tournament = paired(tournament)
        game = list(tournament.games.values())[-1]
        starters.append(game.first)
        tournament = decided(tournament, 1, first=400, second=400)
    assert starters[0] == starters[2] != starters[1]
    assert all(game.start is Start.ASSIGNED for game in tournament.games.values())


def test_knockout_series_can_have_an_empty_round() -> None:
    tournament = cup(4, series=3)
    tournament = scored(paired(scored(paired(tournament))))
    empty = propose_pairings(Index(tournament), A)
    assert (empty.games, empty.byes) == ((), ())
    final = propose_pairings(Index(published(tournament, empty)), A)
    assert [{game.first, game.second} for game in final.games] == [{"p1", "p2"}]


def test_knockout_level_series_waits_for_the_director() -> None:
    tournament = cup(2, series=2)
    tournament = decided(paired(tournament), 1, first=450, second=400)
    tournament = decided(paired(tournament), 1, first=400, second=450)
    match = drawn_up(tournament)[0]
    assert (match.winner, match.score.halves, match.score.spread) == (None, (2, 2), 0)
    last = tournament.games[match.games[-1]]
    ahead = Forfeit.FIRST if last.first == "p2" else Forfeit.SECOND
    old = tournament.results[last.id]
    tournament = tournament.put(
        Result(last.id, ResultState.ENTERED, first=old.first, second=old.second, advances=ahead)
    )
    assert drawn_up(tournament)[0].winner == "p2"


def test_knockout_level_series_stops_the_next_round() -> None:
    tournament = cup(4, series=2)
    tournament = scored(paired(scored(paired(tournament), tied=True)), tied=True)
    with pytest.raises(RuleViolation, match="tie-undecided") as caught:
        propose_pairings(Index(tournament), A)
    assert caught.value.facts == {"table": 1, "round": 2}


def test_knockout_aggregate_series_is_decided_by_spread() -> None:
    tournament = cup(2, series=3, aggregate=True)
    for first in (410, 410, 300):
        tournament = decided(paired(tournament), 1, first=first, second=400)
    match = drawn_up(tournament)[0]
    assert (match.winner, match.score.halves, match.score.spread) == ("p2", (4, 2), -80)


def test_knockout_tie_rule_is_for_single_games_only() -> None:
    tournament = cup(2, series=3, tie=KnockoutTie.REPLIER)
    tournament = decided(paired(tournament), 1, first=400, second=400)
    assert drawn_up(tournament)[0].score.halves == (1, 1)
    tournament = decided(paired(tournament), 1, first=410, second=400)
    tournament = decided(paired(tournament), 1, first=400, second=400)
    assert drawn_up(tournament)[0].winner == "p1"


def test_knockout_series_is_won_by_the_last_player() -> None:
    tournament = cup(4, series=3)
    tournament = scored(paired(tournament))
    tournament = tournament.put(Absence(AbsenceId("1"), PlayerId("p1"), 2, None, ByeKind.FORFEIT))
    tournament = scored(paired(tournament))
    tournament = scored(paired(tournament))
    assert drawn_up(tournament)[0].winner == "p4"
    final = propose_pairings(Index(tournament), A)
    assert [{game.first, game.second} for game in final.games] == [{"p2", "p4"}]


# --- what the day does to a bracket


@pytest.mark.parametrize("elimination", list(Elimination))
def test_knockout_formats_accept_withdrawals_and_forfeits(elimination: Elimination) -> None:
    for trial in range(6):
        rng = Random(trial)
        tournament = cup(11, elimination=elimination, third_place=True)
        for number in range(1, 12):
            if rng.random() < 0.3:
                absence = Absence(AbsenceId(f"a{number}"), PlayerId(f"p{number}"), rng.randint(2, 5), None)
                tournament = tournament.put(absence)
        while not refused(tournament):
            tournament = paired(tournament)
            for game in tournament.games.values():
                if game.id not in tournament.results and rng.random() < 0.2:
                    forfeit = rng.choice(list(Forfeit))
                    tournament = tournament.put(Result(game.id, ResultState.ENTERED, forfeit=forfeit))
            tournament = scored(tournament, rng)
        assert refused(tournament) in {"knockout-decided", "all-rounds-paired"}
        assert all(match.is_decided for match in drawn_up(tournament))
        assert held(tournament).keys() == tournament.players.keys()


def test_knockout_last_player_wins_alone() -> None:
    tournament = scored(paired(cup(4)))
    gone = (Absence(AbsenceId(f"a{number}"), PlayerId(f"p{number}"), 2, None) for number in (2, 3, 4))
    tournament = paired(tournament.put(*gone))
    assert held(tournament)["p1"] == 1
    assert all(match.is_decided for match in drawn_up(tournament))


def test_knockout_unopposed_final_is_won_immediately() -> None:
    tournament = cup(2, series=3)
    tournament = tournament.put(Absence(AbsenceId("a"), PlayerId("p2"), 2, None))
    tournament = scored(paired(tournament))
    tournament = paired(tournament)
    assert held(tournament)["p1"] == 1
    assert refused(tournament) == "knockout-decided"


def test_knockout_double_forfeit_drops_no_player() -> None:
    tournament = paired(cup(4, elimination=Elimination.DOUBLE))
    tournament = decided(tournament, 1, forfeit=Forfeit.BOTH)
    tournament = scored(tournament)
    proposal = propose_pairings(Index(tournament), A)
    assert not proposal.games
    assert {bye.player for bye in proposal.byes} == {"p2", "p3"}
    tournament = published(tournament, proposal)
    final = scored(paired(tournament))
    assert {game.first for game in final.games.values()} | {game.second for game in final.games.values()} >= {
        "p2",
        "p3",
    }
    assert held(played_out(final))["p2"] == 1


def test_double_elimination_double_forfeit_in_the_grand_final() -> None:
    tournament = cup(4, elimination=Elimination.DOUBLE)
    for _ in range(3):
        tournament = scored(paired(tournament))
    tournament = decided(paired(tournament), 1, forfeit=Forfeit.BOTH)
    final, again = drawn_up(tournament)[-2:]
    assert (final.node.part, final.winner, final.is_decided) == (BracketPart.FINAL, None, True)
    assert (again.node.part, again.winner, again.is_decided, again.is_needed) == (
        BracketPart.RESET,
        None,
        True,
        False,
    )
    assert refused(tournament) == "knockout-decided"


@pytest.mark.parametrize("series", [1, 3])
def test_knockout_final_without_an_opponent_is_a_bye(series: int) -> None:
    """The other semifinal has no winner, so the finalist gets the bye, once."""
    tournament = cup(4, series=series)
    while {match.is_decided for match in drawn_up(tournament)[:2]} != {True} or len(tournament.rounds) < series:
        tournament = paired(tournament)
        for game in tournament.games.values():
            if game.id not in tournament.results and {game.first, game.second} == {"p2", "p3"}:
                tournament = tournament.put(Result(game.id, ResultState.ENTERED, forfeit=Forfeit.BOTH))
        tournament = scored(tournament)
    assert drawn_up(tournament)[2].is_bye
    proposal = propose_pairings(Index(tournament), A)
    assert (proposal.games, [bye.player for bye in proposal.byes]) == ((), ["p1"])
    tournament = published(tournament, proposal)
    assert refused(tournament) in {"knockout-decided", "all-rounds-paired"}
    assert held(tournament)["p1"] == 1


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("one", "other", "players"),
    [
        ("p1", "p3", ("p1", "p3")),  # 3 for 4
        ("p2", "p4", ("p2", "p4")),  # 2 for 1
        ("p1", "p4", ("p1", "p4")),
    ],
)
def test_knockout_replacement_takes_the_slot(one: str, other: str, players: tuple[str, str], turned: bool) -> None:
    """The slots keep their order for any starter: the bracket continues from the slot."""
    tournament = paired(cup(4))
    game = next(game for game in tournament.games.values() if {game.first, game.second} == {"p1", "p4"})
    first, second = (other, one) if turned else (one, other)
    changed = replace(game, first=PlayerId(first), second=PlayerId(second))
    tournament = tournament.put(changed, Result(game.id, ResultState.ENTERED, 400, 300))
    match = drawn_up(tournament)[0]
    assert match.players == players
    assert (match.expected, match.winner) == (("p1", "p4"), first)
