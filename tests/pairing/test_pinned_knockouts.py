"""Knockouts played out by lot, of every size and format: graphs, matches, places and reasons, pinned; and laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import build_bracket, is_knockout_over, map_seeds, needs_decision, rank_knockout
from tdapp.domain.elimination import build_graph, count_turns, name_matches
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.matches import Played, count_rounds_needed, find_misfits, find_winner, score_series
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    Forfeit,
    PlayerId,
    Result,
    ResultState,
    RoundState,
    Seed,
    SeedId,
    Start,
)
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.ruleset import KnockoutRule, KnockoutTie
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose
from tests.pairing.states import STAGE, A, event, published
from tests.pinned import pinned, told

SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17)
FORMATS = {
    **{one.value: PairingSettings(elimination=one) for one in Elimination},
    "single-third": PairingSettings(third_place=True),
    "consolation-third": PairingSettings(elimination=Elimination.CONSOLATION, third_place=True),
    "series": PairingSettings(series=3, third_place=True),
    "two-games": PairingSettings(series=2, elimination=Elimination.DOUBLE),
    "aggregate": PairingSettings(series=3, aggregate=True),
}


def graphs(name: str) -> Iterator[str]:
    settings = FORMATS[name]
    for count in (1, *SIZES):
        nodes = build_graph(range(1, count + 1), settings.elimination, third_place=settings.third_place)
        yield f"{count} players, {count_turns(nodes)} turns, {count_rounds_needed(max(count, 2), settings)} rounds"
        for at, (node, called) in enumerate(zip(nodes, name_matches(nodes), strict=True)):
            feeds = [f"{feed.via.value} {feed.at}" if feed else "-" for feed in node.feeds]
            place = f"{node.turn}/{node.match} {node.part.value} {node.round}/{node.number} {node.top}+{node.left}"
            yield f"  {at} {called}: {place} {feeds[0]} v {feeds[1]} => {node.wins} {node.loses}"


@pytest.mark.parametrize("name", list(FORMATS)[:6])
def test_the_graphs_are_as_pinned(name: str) -> None:
    made, kept = pinned(__file__, f"graphs-{name}", graphs(name))
    assert made == kept


def scored(value: Tournament, rng: Random) -> Tournament:
    """Return the tournament with a result of nearly every game: ties, forfeits of one or both, rulings."""
    for game in list(value.games.values()):
        if game.id in value.results and value.results[game.id].advances is None:
            continue
        if rng.random() < 0.1:
            value = value.put(replace(game, start=rng.choice(list(Start))))
        lot, first = rng.random(), rng.randint(300, 500)
        result = Result(game.id, ResultState.ENTERED, first, first + rng.choice([-90, -3, 0, 2, 40, 41]))
        if lot < 0.1:
            forfeit = rng.choice([Forfeit.FIRST, Forfeit.SECOND, Forfeit.BOTH])
            result = Result(game.id, ResultState.ENTERED, forfeit=forfeit)
        elif lot < 0.15:
            result = replace(result, lost=rng.choice(list(Forfeit)))
        elif lot < 0.2:
            result = replace(result, advances=rng.choice([Forfeit.FIRST, Forfeit.SECOND]))
        value = value if lot > 0.97 else value.put(result)
    return value


def decided(value: Tournament, rng: Random) -> Tournament:
    """Return the tournament with what it waits for: results that are missing, and who goes on after a tie."""
    for game in value.games:
        if game not in value.results:
            value = value.put(Result(game, ResultState.ENTERED, 400, 390))
        if needs_decision(Index(value), game):
            advances = rng.choice([Forfeit.FIRST, Forfeit.SECOND])
            value = value.put(replace(value.results[game], advances=advances))
    return value


def shown(value: Tournament) -> Iterator[str]:
    index, stage = Index(value), value.stages[STAGE]
    found = build_bracket(index, stage)
    for match in found:
        what = (match.players, match.expected, match.winner, match.loser, match.games, match.score)
        flags = f"{match.decided:d}{match.bye:d}{match.needed:d}"
        yield f"    {match.key} {match.node.part.value} {flags} {told(what)}"
    yield f"  places {told(rank_knockout(index, stage))} over {is_knockout_over(index, stage)}"
    yield f"  misfits {told([(match.key, player) for match, player in find_misfits(index, found)])}"
    waiting = [game.id for game in value.games.values() if needs_decision(index, game.id)]
    winners = [f"{game.id}:{find_winner(index, game)}" for game in value.games.values()]
    yield f"  winners {told(winners)} waiting {told(waiting)}"


def proposed(value: Tournament) -> tuple[Tournament, Iterator[str]]:
    proposal = propose(Index(value), A)
    lines = [
        f"  table {game.table} {game.first}-{game.second} {game.start.value} {game.match} {told(game.reason)}"
        for game in proposal.games
    ]
    lines += [f"  bye {bye.player} {bye.kind.value} {bye.match} {told(bye.reason)}" for bye in proposal.byes]
    return published(value, proposal), iter([f" round {proposal.number} {told(proposal.relaxed)}", *lines])


def cup(name: str, count: int, rng: Random) -> Tournament:
    value = event(count, system="knockout", rounds=20, settings=FORMATS[name], seed=count)
    replier = KnockoutRule(rng.choice(list(KnockoutTie)))
    rules = next(iter(value.rules.values()))
    value = value.put(replace(rules, ruleset=replace(rules.ruleset, knockout=replier)))
    if rng.random() < 0.5:
        away = rng.randint(1, count)
        kind = rng.choice([None, ByeKind.ABSENT, ByeKind.BYE])
        value = value.put(Absence(AbsenceId("a"), PlayerId(f"p{away}"), rng.randint(1, 3), None, kind))
    if rng.random() < 0.4:
        order = rng.sample(range(1, count + 1), count)
        seeds = [Seed(SeedId(f"s{at}"), STAGE, at, PlayerId(f"p{one}")) for at, one in enumerate(order, 1)]
        value = value.put(*seeds[: count - (count > 4)])
    return value


def events(name: str) -> Iterator[str]:
    for count in (2, 3, 5, 6, 8, 9):
        rng = Random(f"{name}/{count}")
        value = cup(name, count, rng)
        yield f"{count} players {told(map_seeds(Index(value), value.stages[STAGE]))}"
        for number in range(12):
            try:
                value, lines = proposed(value)
            except RuleViolation as refused:
                yield f" refused {refused.code} {told(refused.facts)}"
                if refused.code == "knockout-decided":
                    break
                value = decided(value, rng)
                continue
            yield from lines
            value = scored(value, rng)
            if number % 3 == 1:
                yield from shown(value)
            if rng.random() < 0.15:
                value = changed(value, rng)
        yield from shown(value)


def changed(value: Tournament, rng: Random) -> Tournament:
    """Return the tournament with the result of a game turned: what was drawn up on it fits no more."""
    results = [one for one in value.results.values() if one.first != one.second]
    if not results:
        return value
    one = rng.choice(results)
    return value.put(replace(one, first=one.second, second=one.first))


@pytest.mark.parametrize("name", FORMATS)
def test_knockouts_by_lot_come_out_as_pinned(name: str) -> None:
    made, kept = pinned(__file__, f"knockouts-{name}", events(name))
    assert made == kept


@pytest.mark.parametrize("name", FORMATS)
def test_nobody_comes_to_a_turn_twice_whatever_was_corrected(name: str) -> None:
    """Results turned after the next round was drawn up bring a player to one match of a turn, never to two."""
    rounds = corrected = 0
    for seed in range(12):
        rng = Random(f"corrected/{name}/{seed}")
        value = cup(name, rng.randint(4, 13), rng)
        for _ in range(12):
            try:
                value = published(value, propose(Index(value), A))
            except RuleViolation as refused:
                if refused.code == "knockout-decided":
                    break
                value = decided(value, rng)
                continue
            rounds += 1
            index = Index(value)
            drawn = [
                player for game in index.games(index.rounds(A)[-1].id) for player in (game.first, game.second)
            ]
            assert len(drawn) == len(set(drawn)), f"{name} {seed}"
            value = scored(value, rng)
            if rng.random() < 0.5:
                corrected += 1
                value = changed(value, rng)
    assert rounds > 30
    assert corrected > 10


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("count", [3, 4, 7, 10])
def test_a_bracket_played_out_gives_everybody_a_place_of_the_better_seed(name: str, count: int) -> None:
    """Where the better seed always wins nobody is placed before a better one, and the first is first."""
    value = event(count, system="knockout", rounds=30, settings=FORMATS[name])
    for _ in range(30):
        if is_knockout_over(Index(value), value.stages[STAGE]):
            break
        value = published(value, propose(Index(value), A))
        for game in value.games.values():
            better = int(game.first[1:]) < int(game.second[1:])
            value = value.put(Result(game.id, ResultState.ENTERED, 400 + 9 * better, 404))
    found = rank_knockout(Index(value), value.stages[STAGE])
    assert is_knockout_over(Index(value), value.stages[STAGE])
    assert sorted(found) == sorted(value.players)
    assert (found[PlayerId("p1")], found[PlayerId("p2")]) == (1, 2)
    taken = Counter(found.values())
    assert all(sum(number for better, number in taken.items() if better < place) == place - 1 for place in taken)


def test_a_draft_counts_for_nothing_yet() -> None:
    value = published(event(4, system="knockout", rounds=2), propose(Index(event(4, system="knockout")), A))
    (item,) = value.rounds.values()
    draft = value.put(replace(item, state=RoundState.DRAFT))
    found = build_bracket(Index(draft), draft.stages[STAGE])
    assert [match.games != () for match in found] == [True, True, False]
    assert not any(match.decided for match in found)


GAMES = (Played((2, 0), 30), Played((0, 2), -50), Played((1, 1), 0), Played((0, 0), 0, 2), Played((1, 1), 0, 1))


def scores() -> Iterator[str]:
    """Every series of up to three of these games, of every length."""
    series: list[tuple[Played, ...]] = [()]
    for _ in range(3):
        series += [(*one, game) for one in series for game in GAMES if len(one) < 3]
        series = list(dict.fromkeys(series))
    for games in series:
        for length in range(max(1, len(games)), 4):
            found = [score_series(games, length, aggregate=both) for both in (False, True)]
            shown_ = [f"{one.halves} {one.spread} {one.verdict.value}" for one in found]
            yield f"{''.join(str(GAMES.index(game)) for game in games)}/{length} {' | '.join(shown_)}"


def test_how_a_series_stands_is_pinned() -> None:
    made, kept = pinned(__file__, "series", scores())
    assert made == kept
