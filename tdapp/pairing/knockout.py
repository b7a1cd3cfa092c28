"""Single elimination: the next round of the bracket.

The bracket itself, seeds and winners are in `tdapp.domain.bracket`; here its open matches become pairs, and
whoever has no opponent left goes on by a bye.
"""

from __future__ import annotations

from tdapp.domain.bracket import Match, draw_up, seats
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId
from tdapp.pairing.system import Facts, Pair, Plan, Situation, System, fixed_pairs, last_round, with_fixed


def plan(situation: Situation) -> Plan:
    """Return the matches of the stage's next round; raise RuleViolation for tie-undecided or knockout-decided."""
    seeds = seats(situation.index, situation.stage.id)
    matches = draw_up(situation.index, situation.stage, seeds)
    _check_decided(situation, matches)
    now = [match for match in matches if match.round == situation.turn]
    if not now:
        raise RuleViolation("knockout-decided", rounds=situation.turn - 1)
    seed_of = {player: number for number, player in enumerate(seeds, start=1)}
    places = situation.field.places()
    pairs = [pair for match in now for pair in _pairs(match, places, seed_of)]
    concerned = frozenset(player for match in now for player in match.players if player is not None)
    return Plan(with_fixed(pairs, fixed_pairs(situation.field)), concerned=concerned)


def _check_decided(situation: Situation, matches: tuple[Match, ...]) -> None:
    index = situation.index
    for match in matches:
        if match.round == situation.turn - 1 and match.game is not None and match.winner is None:
            game = index.tournament.games[match.game]
            result = index.result(game.id)
            number = situation.field.number - 1
            if result is None:  # paired on the standings of an earlier round
                raise RuleViolation("results-missing", round=number, tables=(game.table,))
            if result.forfeit is None:
                raise RuleViolation("tie-undecided", table=game.table, round=number)


def _pairs(match: Match, places: dict[PlayerId, int], seed_of: dict[PlayerId, int]) -> list[Pair]:
    """Return a match as a pair, a bye, or nothing where nobody is there."""
    there = sorted(
        (player for player in match.players if player in places), key=lambda player: seed_of.get(player, 0)
    )
    if not there or (match.third_place and None in match.players):
        return []
    seeds = [seed_of.get(player, 0) for player in there]
    order = 2 * (match.number if match.third_place else 0)
    if len(there) == 1:
        return [Pair(places[there[0]], None, "bracket", order=order, match=match.number)]
    facts: Facts = (("better_seed", seeds[0]), ("worse_seed", seeds[1]))
    code = "third-place" if match.third_place else "bracket"
    if code == "bracket":
        facts = (("match", match.number), *facts)
    one, other = places[there[0]], places[there[1]]
    return [Pair(one, other, code, facts, order=order, match=match.number)]


KNOCKOUT = System("knockout", plan, last_round, ("repeats",))
