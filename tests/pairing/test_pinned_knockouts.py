"""Pinned knockouts with random results for each format, and properties of every bracket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import (
    are_knockout_matches_decided,
    build_bracket,
    compute_worst_possible_knockout_ranks,
    is_match_tied_after_game,
    map_players_by_seed,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import find_game_winner, find_players_missing_from_matches
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    GameSide,
    PlayerId,
    Result,
    ResultState,
    RoundState,
    Seed,
    SeedId,
    StartDecision,
)
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.ruleset import KnockoutTieResolution, KnockoutTieRule
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tests.pairing.random_states import STAGE, A, make_tournament, publish_proposal
from tests.pinned import format_value, read_pinned_lines

FORMATS = {
    **{elimination.value: PairingSettings(elimination=elimination) for elimination in EliminationKind},
    "single-third": PairingSettings(third_place=True),
    "consolation-third": PairingSettings(elimination=EliminationKind.CONSOLATION, third_place=True),
    "series": PairingSettings(series=3, third_place=True),
    "two-games": PairingSettings(series=2, elimination=EliminationKind.DOUBLE),
    "aggregate": PairingSettings(series=3, aggregate=True),
}


def enter_random_results(value: Tournament, rng: Random) -> Tournament:
    """Return the tournament with results of most games, including ties, forfeits and rulings."""
    for game in list(value.games.values()):
        if game.id in value.results and value.results[game.id].advances is None:
            continue
        if rng.random() < 0.1:
            value = value.put(replace(game, start=rng.choice(list(StartDecision))))
        lot, first = rng.random(), rng.randint(300, 500)
        result = Result(game.id, ResultState.ENTERED, first, first + rng.choice([-90, -3, 0, 2, 40, 41]))
        if lot < 0.1:
            forfeit = rng.choice([GameSide.FIRST, GameSide.SECOND, GameSide.BOTH])
            result = Result(game.id, ResultState.ENTERED, forfeit=forfeit)
        elif lot < 0.15:
            result = replace(result, lost=rng.choice(list(GameSide)))
        elif lot < 0.2:
            result = replace(result, advances=rng.choice([GameSide.FIRST, GameSide.SECOND]))
        value = value if lot > 0.97 else value.put(result)
    return value


def decide_open_games(value: Tournament, rng: Random) -> Tournament:
    """Return the tournament with all results, and a decision for each tie."""
    for game in value.games:
        if game not in value.results:
            value = value.put(Result(game, ResultState.ENTERED, 400, 390))
        if is_match_tied_after_game(TournamentIndex(value), game):
            advances = rng.choice([GameSide.FIRST, GameSide.SECOND])
            value = value.put(replace(value.results[game], advances=advances))
    return value


def show_bracket(value: Tournament) -> Iterator[str]:
    index, stage = TournamentIndex(value), value.stages[STAGE]
    bracket = build_bracket(index, stage)
    for match in bracket:
        match_facts = (match.players, match.winner, match.games, match.score)
        yield f"    {match.key} {match.node.part.value} {format_value(match_facts)}{' bye' * match.is_bye}"
    ranks = compute_worst_possible_knockout_ranks(index, stage)
    yield f"  places {format_value(ranks)} over {are_knockout_matches_decided(index, stage)}"
    misfits = [(match.key, player) for match, player in find_players_missing_from_matches(index, bracket)]
    waiting = [game for game in value.games if is_match_tied_after_game(index, game)]
    winners = [f"{game.id}:{find_game_winner(index, game)}" for game in value.games.values()]
    yield f"  winners {format_value(winners)} misfits {format_value(misfits)} waiting {format_value(waiting)}"


def pair_round(value: Tournament) -> tuple[Tournament, list[str]]:
    proposal = propose_pairings(TournamentIndex(value), A)
    lines = [f" round {proposal.number} {format_value(proposal.relaxed)}"]
    for game in proposal.games:
        seats = f"table {game.table} {game.first}-{game.second} {game.start.value}"
        lines.append(f"  {seats} match {game.match} {game.reason.code if game.reason else ''}")
    lines += [f"  bye {bye.player} {bye.kind.value} match {bye.match}" for bye in proposal.byes]
    return publish_proposal(value, proposal), lines


def make_knockout(name: str, count: int, rng: Random) -> Tournament:
    value = make_tournament(count, system="knockout", rounds=20, settings=FORMATS[name], seed=count)
    replier = KnockoutTieRule(rng.choice(list(KnockoutTieResolution)))
    rules = next(iter(value.rules.values()))
    value = value.put(replace(rules, ruleset=replace(rules.ruleset, knockout=replier)))
    if rng.random() < 0.5:
        absent_number = rng.randint(1, count)
        kind = rng.choice([None, ByeKind.ABSENT, ByeKind.BYE])
        value = value.put(Absence(AbsenceId("a"), PlayerId(f"p{absent_number}"), rng.randint(1, 3), None, kind))
    if rng.random() < 0.4:
        order = rng.sample(range(1, count + 1), count)
        seeds = [
            Seed(SeedId(f"s{seed_number}"), STAGE, seed_number, PlayerId(f"p{number}"))
            for seed_number, number in enumerate(order, 1)
        ]
        value = value.put(*seeds[: count - (count > 4)])
    return value


def generate_lines(name: str) -> Iterator[str]:
    for count in (3, 6, 9):
        rng = Random(f"{name}/{count}")
        value = make_knockout(name, count, rng)
        yield f"{count} players {format_value(map_players_by_seed(TournamentIndex(value), value.stages[STAGE]))}"
        for _ in range(12):
            try:
                value, lines = pair_round(value)
            except CommandError as refusal:
                yield f" refused {refusal.code} {format_value(refusal.facts)}"
                if refusal.code == "knockout-decided":
                    break
                value = decide_open_games(value, rng)
                continue
            yield from lines
            value = enter_random_results(value, rng)
            if rng.random() < 0.15:
                value = reverse_random_result(value, rng)
        yield from show_bracket(value)


def reverse_random_result(value: Tournament, rng: Random) -> Tournament:
    """Return the tournament with one result reversed."""
    results = [result for result in value.results.values() if result.first != result.second]
    if not results:
        return value
    result = rng.choice(results)
    return value.put(replace(result, first=result.second, second=result.first))


@pytest.mark.parametrize("name", FORMATS)
def test_pinned_knockouts(name: str) -> None:
    new_lines, pinned_lines = read_pinned_lines(__file__, f"knockouts-{name}", generate_lines(name))
    assert new_lines == pinned_lines


@pytest.mark.parametrize("name", FORMATS)
def test_knockout_pairs_each_player_once_after_corrections(name: str) -> None:
    rounds = corrected = 0
    for seed in range(12):
        rng = Random(f"corrected/{name}/{seed}")
        value = make_knockout(name, rng.randint(4, 13), rng)
        for _ in range(12):
            try:
                value = publish_proposal(value, propose_pairings(TournamentIndex(value), A))
            except CommandError as refusal:
                if refusal.code == "knockout-decided":
                    break
                value = decide_open_games(value, rng)
                continue
            rounds += 1
            index = TournamentIndex(value)
            paired_players = [
                player for game in index.games(index.rounds(A)[-1].id) for player in (game.first, game.second)
            ]
            assert len(paired_players) == len(set(paired_players)), f"{name} {seed}"
            value = enter_random_results(value, rng)
            if rng.random() < 0.5:
                corrected += 1
                value = reverse_random_result(value, rng)
    assert rounds > 30
    assert corrected > 10


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("count", [3, 4, 7, 10])
def test_knockout_won_by_better_seeds_ranks_all_players(name: str, count: int) -> None:
    value = make_tournament(count, system="knockout", rounds=30, settings=FORMATS[name])
    for _ in range(30):
        if are_knockout_matches_decided(TournamentIndex(value), value.stages[STAGE]):
            break
        value = publish_proposal(value, propose_pairings(TournamentIndex(value), A))
        for game in value.games.values():
            better = int(game.first[1:]) < int(game.second[1:])
            value = value.put(Result(game.id, ResultState.ENTERED, 400 + 9 * better, 404))
    ranks = compute_worst_possible_knockout_ranks(TournamentIndex(value), value.stages[STAGE])
    assert are_knockout_matches_decided(TournamentIndex(value), value.stages[STAGE])
    assert sorted(ranks) == sorted(value.players)
    assert (ranks[PlayerId("p1")], ranks[PlayerId("p2")]) == (1, 2)
    rank_counts = Counter(ranks.values())
    assert all(
        sum(number for better, number in rank_counts.items() if better < rank) == rank - 1 for rank in rank_counts
    )


def test_knockout_draft_decides_no_match() -> None:
    value = publish_proposal(
        make_tournament(4, system="knockout", rounds=2),
        propose_pairings(TournamentIndex(make_tournament(4, system="knockout")), A),
    )
    (item,) = value.rounds.values()
    draft = value.put(replace(item, state=RoundState.DRAFT))
    bracket = build_bracket(TournamentIndex(draft), draft.stages[STAGE])
    assert [match.games != () for match in bracket] == [True, True, False]
    assert not any(match.is_decided for match in bracket)
