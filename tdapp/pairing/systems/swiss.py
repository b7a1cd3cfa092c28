"""Swiss systems: the best pairing of the whole field. King of the hill pairs neighbours in the standings.

The team Swiss never pairs members of the same team. In the round robin of teams, each member of a team meets each
member of the other teams. A match of two teams has as many rounds as the largest team has members.

With the setting `boards`, both team systems pair whole teams in each round: their players at board 1
meet each other, and so on. The team Swiss then pairs the teams like players, by match points. A player whose board
has no opponent has a bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import lcm

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.bracket import list_players_in_seed_order
from tdapp.domain.errors import CommandError
from tdapp.domain.model import PlayerId
from tdapp.domain.pairing_settings import ScoreGroupPairing
from tdapp.domain.teams import (
    MIN_TEAMS,
    Teams,
    TeamTotals,
    compute_team_scores,
    count_boards_of_team_match,
    count_rounds_for_all_teams_to_meet,
    group_players_by_team,
    list_team_line_ups,
)
from tdapp.domain.translatable import N_
from tdapp.pairing import criteria
from tdapp.pairing.arrays import Ints, np
from tdapp.pairing.best_pairs import BestPairs, find_best_pairs, make_pairing_plan
from tdapp.pairing.field import Entrant, PairingField, ProgressCallback, ignore_progress
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    apply_fixed_pairs,
    get_last_round_number_before_stage,
    get_previous_round_number,
    list_fixed_pairs,
    list_positions_without_fixed_pair,
)
from tdapp.pairing.systems.roundrobin import list_berger_pairs


def plan_pairs(situation: PairingInput, code: str | None = None) -> PairingPlan:
    return plan_swiss_pairs(situation.field, code=code, progress=situation.progress)


def plan_swiss_pairs(
    field: PairingField, *, code: str | None = None, progress: ProgressCallback = ignore_progress
) -> PairingPlan:
    positions = list_positions_without_fixed_pair(field)
    best_pairs = find_best_pairs(field, positions, progress=progress)
    return make_pairing_plan(
        field,
        best_pairs,
        lambda _upper, _lower: (code, ()),
        bye_facts=_explain_bye_above_lowest_score(field, positions, best_pairs),
    )


def _explain_bye_above_lowest_score(field: PairingField, positions: Ints, best_pairs: BestPairs) -> Facts:
    """Return the criterion that prevents a bye for the lowest players, and the extra cost of this bye.

    The lowest players have the lowest score among the players with the fewest byes. Return () if a lowest player
    has the bye, or if no lowest player can have the bye.
    """
    bye = next((field.entrants[upper] for upper, lower in best_pairs.pairs if lower is None), None)
    entrants = [field.entrants[position] for position in positions.tolist()]
    fewest_byes = min((entrant.byes for entrant in entrants), default=0)
    lowest_score = min((entrant.score for entrant in entrants if entrant.byes == fewest_byes), default=0)
    if bye is None or best_pairs.cost_sums is None or bye.byes > fewest_byes or bye.score == lowest_score:
        return ()
    lowest = (fewest_byes, lowest_score)
    nodes = [node for node, entrant in enumerate(entrants) if (entrant.byes, entrant.score) == lowest]
    try:
        alternative = find_best_pairs(field, positions, bye_nodes=np.array(nodes))
    except CommandError:
        return ()
    sums = alternative.cost_sums or {}
    extra_costs = {name: sums[name] - cost for name, cost in best_pairs.cost_sums.items() if name != "chance"}
    return next(((("criterion", name), ("more", cost)) for name, cost in extra_costs.items() if cost), ())


SWISS = PairingMethod(declared.SWISS, plan_pairs, get_previous_round_number, criteria.ORDER)
KING_OF_THE_HILL = PairingMethod(
    declared.KING_OF_THE_HILL,
    partial(plan_pairs, code="king-of-the-hill"),
    get_previous_round_number,
    criteria.ORDER,
    ScoreGroupPairing.ADJACENT,
    reasons={"king-of-the-hill": N_("Neighbours: place {better_place} against {worse_place}")},
)


def plan_team_swiss(situation: PairingInput) -> PairingPlan:
    field = situation.field
    if count_boards_of_team_match(situation.stage):
        return _plan_team_matches(situation, _pair_teams(situation))
    mates = group_players_by_team(situation.index, [entrant.player for entrant in field.entrants])
    team_mates = {frozenset(pair) for members in mates.values() for pair in combinations(members, 2)}
    field = replace(field, forbidden_pairs=field.forbidden_pairs | team_mates)
    return plan_swiss_pairs(field, progress=situation.progress)


def plan_team_round_robin(situation: PairingInput) -> PairingPlan:
    field, seated_players = situation.field, list_players_in_seed_order(situation.index, situation.stage.id)
    starting_teams, boards = (
        _group_players_and_check_teams(situation, seated_players),
        count_boards_of_team_match(situation.stage),
    )
    needed_rounds, size = (
        count_rounds_for_all_teams_to_meet(starting_teams, boards),
        max(map(len, starting_teams.values())),
    )
    if situation.stage_round > needed_rounds:
        raise CommandError("round-robin-complete", rounds=needed_rounds, players=len(seated_players))
    if boards:
        names = [*starting_teams]
        pairs_of_seats = list_berger_pairs(len(names) + len(names) % 2, situation.stage_round)
        matches = [tuple(names[seat - 1] for seat in pair if seat <= len(names)) for pair in pairs_of_seats]
        return _plan_team_matches(situation, matches)
    match, game = divmod(situation.stage_round - 1, size)
    current_teams = group_players_by_team(
        situation.index, list_players_in_seed_order(situation.index, situation.stage.id, include_latecomers=True)
    )
    teams = [current_teams.get(name, []) for name in starting_teams]
    positions = field.map_player_positions()
    pairs: list[PlannedPair] = []
    for first, second in list_berger_pairs(len(teams) + len(teams) % 2, match + 1):
        hosts, visitors = (teams[seat - 1] if seat <= len(teams) else [] for seat in (first, second))
        for number in range(size):
            host, visitor = hosts[number : number + 1], visitors[(number + game) % size :][:1]
            players = [player for player in (*host, *visitor) if player in positions]
            if frozenset(players) in field.forbidden_pairs or len(players) == 1:
                pairs += [PlannedPair(positions[player], None, "bye-turn") for player in players]
            elif players:
                upper, lower = sorted(positions[player] for player in players)
                better, worse = field.entrants[upper].team, field.entrants[lower].team
                facts: Facts = (("better_team", better), ("worse_team", worse), ("game", game + 1))
                pairs.append(PlannedPair(upper, lower, "team-match", facts))
    paired_positions = {position for pair in pairs for position in (pair.position, pair.opponent)}
    pairs += [
        PlannedPair(position, None, "bye-turn")
        for position in positions.values()
        if position not in paired_positions
    ]
    return PairingPlan(apply_fixed_pairs(pairs, list_fixed_pairs(field)))


def _pair_teams(situation: PairingInput) -> list[tuple[str, ...]]:
    index, field, stage = situation.index, situation.field, situation.stage
    _group_players_and_check_teams(situation, [entrant.player for entrant in field.entrants])
    division = index.tournament.divisions[stage.division]
    after = field.number - 1 if field.source is None else field.source
    all_scores = compute_team_scores(index, division, field.number - 1)
    scores = compute_team_scores(index, division, after) if after else {}
    positions = field.map_player_positions()
    line_ups = list_team_line_ups(index, stage, field.number).items()
    captains = {team: field.entrants[positions[players[0]]] for team, players in line_ups if players}
    team_scores = {team: scores.get(team, TeamTotals()) for team in captains}
    histories = {team: all_scores.get(team, TeamTotals()) for team in captains}
    step = lcm(*(score.points.denominator for score in team_scores.values()))
    standings = sorted(team_scores.items(), key=lambda row: (-row[1].points, -row[1].boards, -row[1].spread))
    order = [team for team, _ in standings]
    entrants = tuple(
        Entrant(
            captains[team].player,
            captains[team].number,
            int(score.points * step),
            str(score.points),
            {
                captains[rival].player: rounds
                for rival, rounds in histories[team].meetings.items()
                if rival in captains
            },
            histories[team].byes,
            rank=rank,
            spread=score.spread,
        )
        for rank, (team, score) in enumerate(standings, 1)
    )
    settings = replace(field.settings, avoid=())
    teams = replace(
        field,
        entrants=entrants,
        settings=settings,
        forbidden_pairs=frozenset(),
        pairs_kept_apart=frozenset(),
        fixed_pairs=(),
    )
    pairs = plan_swiss_pairs(teams, progress=situation.progress).pairs
    ends = ((pair.position, pair.opponent) for pair in pairs)
    return [tuple(order[position] for position in positions if position is not None) for positions in ends]


def _plan_team_matches(situation: PairingInput, team_names_by_match: Sequence[Sequence[str]]) -> PairingPlan:
    """Return the pairs of the team matches, at neighbouring tables. A team without an opponent has only byes."""
    field, boards = situation.field, count_boards_of_team_match(situation.stage)
    line_ups = list_team_line_ups(situation.index, situation.stage, field.number)
    positions = field.map_player_positions()
    pairs: list[PlannedPair] = []
    for number, teams in enumerate(team_names_by_match):
        sides = [line_ups.get(team, ()) for team in teams]
        for board in range(boards):
            ends = [positions[line_up[board]] for line_up in sides if board < len(line_up)]
            players = frozenset(field.entrants[position].player for position in ends)
            order = number * boards + board
            if len(ends) < 2 or players in field.forbidden_pairs:  # noqa: PLR2004
                code = "bye-board" if len(teams) > 1 else "bye-turn"
                pairs += [PlannedPair(position, None, code, order=order) for position in ends]
                continue
            names = [field.entrants[position].team for position in sorted(ends)]
            facts: Facts = (("better_team", names[0]), ("worse_team", names[1]), ("board", board + 1))
            pairs.append(PlannedPair(ends[0], ends[1], "team-board", facts, order=order))
    return PairingPlan(apply_fixed_pairs(pairs, list_fixed_pairs(field)))


def _group_players_and_check_teams(situation: PairingInput, seated_players: Sequence[PlayerId]) -> Teams:
    teams = group_players_by_team(situation.index, seated_players)
    if len(teams) < MIN_TEAMS:
        raise CommandError("too-few-teams", teams=len(teams))
    members = {player for team_members in teams.values() for player in team_members}
    teamless_players = [player for player in seated_players if player not in members]
    if teamless_players:
        players = situation.index.tournament.players
        raise CommandError("no-team", players=tuple(players[player].number for player in teamless_players))
    return teams


_REASONS = {
    "team-match": N_("{better_team} against {worse_team}, game {game}"),
    "team-board": N_("{better_team} against {worse_team}, board {board}"),  # also of a Swiss
}
TEAM_SWISS = PairingMethod(declared.TEAM_SWISS, plan_team_swiss, get_previous_round_number, criteria.ORDER)
TEAM_ROUND_ROBIN = PairingMethod(
    declared.TEAM_ROUND_ROBIN, plan_team_round_robin, get_last_round_number_before_stage, reasons=_REASONS
)
