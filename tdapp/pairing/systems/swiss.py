"""Swiss systems: the best pairing of the whole field. King of the hill pairs neighbours in the standings.

The team Swiss never pairs members of the same team. In the round robin of teams, each member of a team meets each
member of the other teams, in as many rounds as the largest team has members.

With the setting `boards`, in both team systems each round is a match of two whole teams: their players at board 1
meet each other, and so on. The team Swiss then pairs the teams like players, by the match points of the teams.
A player whose board has no opponent has a bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import lcm

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.bracket import list_players_by_seat
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import PairingStyle
from tdapp.domain.teams import (
    MIN_TEAMS,
    Teams,
    TeamScore,
    compute_team_scores,
    count_boards_of_team_match,
    count_team_rounds,
    group_players_by_team,
    list_team_line_ups,
)
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import BestPairs, find_best_pairs, make_pairing_plan
from tdapp.pairing.field import Entrant, PairingField, Tick, ignore_progress
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    get_previous_round,
    get_round_before_stage,
    insert_fixed_pairs,
    list_fixed_pairs,
    list_free_positions,
)
from tdapp.pairing.systems.roundrobin import list_berger_pairs


def plan_pairs(situation: PairingInput, code: str | None = None) -> PairingPlan:
    return pair_field(situation.field, code=code, tick=situation.tick)


def pair_field(field: PairingField, *, code: str | None = None, tick: Tick = ignore_progress) -> PairingPlan:
    free = list_free_positions(field)
    found = find_best_pairs(field, free, tick=tick)
    return make_pairing_plan(
        field, found, lambda _one, _other: (code, ()), bye_facts=_explain_bye(field, free, found)
    )


def _explain_bye(field: PairingField, free: Ints, found: BestPairs) -> Facts:
    """Return why the bye did not go to the player with the lowest score: the criterion and its extra cost.

    Return () if that player has the bye or had one before, or if none of the lowest players can have it.
    """
    bye = next((field.entrants[one] for one, other in found.pairs if other is None), None)
    entrants = [field.entrants[position] for position in free.tolist()]
    fewest = min((entrant.byes for entrant in entrants), default=0)
    lowest = min((entrant.score for entrant in entrants if entrant.byes == fewest), default=0)
    if bye is None or found.cost_sums is None or bye.byes > fewest or bye.score == lowest:
        return ()
    nodes = [node for node, one in enumerate(entrants) if (one.byes, one.score) == (fewest, lowest)]
    try:
        lower = find_best_pairs(field, free, bye_nodes=np.array(nodes))
    except RuleViolation:
        return ()
    sums = lower.cost_sums or {}
    more = {name: sums[name] - least for name, least in found.cost_sums.items() if name != "chance"}
    return next(((("criterion", name), ("more", cost)) for name, cost in more.items() if cost), ())


SWISS = PairingMethod(declared.SWISS, plan_pairs, get_previous_round, criteria.ORDER)
KING_OF_THE_HILL = PairingMethod(
    declared.KING_OF_THE_HILL,
    partial(plan_pairs, code="king-of-the-hill"),
    get_previous_round,
    criteria.ORDER,
    PairingStyle.ADJACENT,
    reasons={"king-of-the-hill": N_("Neighbours: place {better_place} against {worse_place}")},
)


def plan_team_swiss(situation: PairingInput) -> PairingPlan:
    field = situation.field
    if count_boards_of_team_match(situation.stage):
        return _plan_matches(situation, _pair_teams(situation))
    mates = group_players_by_team(situation.index, [entrant.player for entrant in field.entrants])
    apart = {frozenset(pair) for members in mates.values() for pair in combinations(members, 2)}
    return pair_field(replace(field, forbidden=field.forbidden | apart), tick=situation.tick)


def plan_team_round_robin(situation: PairingInput) -> PairingPlan:
    field, sitting = situation.field, list_players_by_seat(situation.index, situation.stage.id)
    began, boards = _find_teams(situation, sitting), count_boards_of_team_match(situation.stage)
    needed, size = count_team_rounds(began, boards), max(map(len, began.values()))
    if situation.stage_round > needed:
        raise RuleViolation("round-robin-complete", rounds=needed, players=len(sitting))
    if boards:
        teams = [*began]
        pairs_of_seats = list_berger_pairs(len(teams) + len(teams) % 2, situation.stage_round)
        return _plan_matches(
            situation, [tuple(teams[seat - 1] for seat in pair if seat <= len(teams)) for pair in pairs_of_seats]
        )
    match, game = divmod(situation.stage_round - 1, size)
    now = group_players_by_team(
        situation.index, list_players_by_seat(situation.index, situation.stage.id, include_latecomers=True)
    )
    known = [now.get(name, []) for name in began]
    even = len(known) + len(known) % 2
    positions = field.map_positions()
    pairs: list[PlannedPair] = []
    for first, second in list_berger_pairs(even, match + 1):
        home, away = (known[seat - 1] if seat <= len(known) else [] for seat in (first, second))
        for number in range(size):
            chosen = (home[number : number + 1], away[(number + game) % size :][:1])
            there = [player for members in chosen for player in members if player in positions]
            if frozenset(there) in field.forbidden or len(there) == 1:
                pairs += [PlannedPair(positions[player], None, "bye-turn") for player in there]
            elif there:
                one, other = sorted(positions[player] for player in there)
                better, worse = field.entrants[one].team, field.entrants[other].team
                facts: Facts = (("better_team", better), ("worse_team", worse), ("game", game + 1))
                pairs.append(PlannedPair(one, other, "team-match", facts))
    seated = {position for pair in pairs for position in (pair.one, pair.other)}
    pairs += [PlannedPair(position, None, "bye-turn") for position in positions.values() if position not in seated]
    return PairingPlan(insert_fixed_pairs(pairs, list_fixed_pairs(field)))


def _pair_teams(situation: PairingInput) -> list[tuple[str, ...]]:
    index, field, stage = situation.index, situation.field, situation.stage
    _find_teams(situation, [entrant.player for entrant in field.entrants])
    division = index.tournament.divisions[stage.division]
    after = field.number - 1 if field.source is None else field.source
    met = compute_team_scores(index, division, field.number - 1)
    scores = compute_team_scores(index, division, after) if after else {}
    positions = field.map_positions()
    line_ups = list_team_line_ups(index, stage, field.number).items()
    heads = {team: field.entrants[positions[players[0]]] for team, players in line_ups if players}
    known = {team: (scores.get(team, TeamScore()), met.get(team, TeamScore())) for team in heads}
    step = lcm(*(score.points.denominator for score, _ in known.values()))
    order = sorted(heads, key=lambda one: (-known[one][0].points, -known[one][0].boards, -known[one][0].spread))
    entrants = tuple(
        Entrant(
            heads[team].player,
            heads[team].number,
            int(known[team][0].points * step),
            str(known[team][0].points),
            {heads[other].player: rounds for other, rounds in known[team][1].meetings.items() if other in heads},
            known[team][1].byes,
            rank=rank,
            spread=known[team][0].spread,
        )
        for rank, team in enumerate(order, 1)
    )
    settings = replace(field.settings, avoid=())
    teams = replace(
        field, entrants=entrants, settings=settings, forbidden=frozenset(), apart=frozenset(), fixed=()
    )
    found = pair_field(teams, tick=situation.tick).pairs
    return [tuple(order[at] for at in (pair.one, pair.other) if at is not None) for pair in found]


def _plan_matches(situation: PairingInput, matches: Sequence[Sequence[str]]) -> PairingPlan:
    """Return the pairs of the team matches, at neighbouring tables. A single team has a bye at all boards."""
    field, boards = situation.field, count_boards_of_team_match(situation.stage)
    line_ups = list_team_line_ups(situation.index, situation.stage, field.number)
    positions = field.map_positions()
    pairs: list[PlannedPair] = []
    for number, teams in enumerate(matches):
        sides = [line_ups.get(team, ()) for team in teams]
        for board in range(boards):
            there = [positions[side[board]] for side in sides if board < len(side)]
            order = number * boards + board
            if len(there) < 2 or frozenset(field.entrants[one].player for one in there) in field.forbidden:  # noqa: PLR2004
                code = "bye-board" if len(teams) > 1 else "bye-turn"
                pairs += [PlannedPair(position, None, code, order=order) for position in there]
                continue
            names = [field.entrants[position].team for position in sorted(there)]
            facts: Facts = (("better_team", names[0]), ("worse_team", names[1]), ("board", board + 1))
            pairs.append(PlannedPair(there[0], there[1], "team-board", facts, order=order))
    return PairingPlan(insert_fixed_pairs(pairs, list_fixed_pairs(field)))


def _find_teams(situation: PairingInput, sitting: Sequence[PlayerId]) -> Teams:
    began = group_players_by_team(situation.index, sitting)
    if len(began) < MIN_TEAMS:
        raise RuleViolation("too-few-teams", teams=len(began))
    without = [player for player in sitting if all(player not in members for members in began.values())]
    if without:
        players = situation.index.tournament.players
        raise RuleViolation("no-team", players=tuple(players[player].number for player in without))
    return began


_REASONS = {
    "team-match": N_("{better_team} against {worse_team}, game {game}"),
    "team-board": N_("{better_team} against {worse_team}, board {board}"),  # also of a Swiss
}
TEAM_SWISS = PairingMethod(declared.TEAM_SWISS, plan_team_swiss, get_previous_round, criteria.ORDER)
TEAM_ROUND_ROBIN = PairingMethod(
    declared.TEAM_ROUND_ROBIN, plan_team_round_robin, get_round_before_stage, reasons=_REASONS
)
