"""Teams of a stage, their line-ups and their matches.

If a stage has the setting `boards`, each team meets one other team in a round. Players at boards with the same
number play each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from tdapp.domain.bracket import find_stage_players, list_players_in_seed_order, list_stage_groups
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division, Game, PlayerId, Round, Stage
from tdapp.domain.records import RoundRecord, compute_records
from tdapp.domain.ruleset import Outcome, RuleSet
from tdapp.domain.stages import (
    count_groups,
    find_first_counted_round,
    find_stage_of_last_published_round,
    list_round_numbers_counted_in_standings,
)
from tdapp.domain.systems import get_pairing_system
from tdapp.scrabble.sheet import SanctionKind

MIN_TEAMS = 2
Teams = Mapping[str, Sequence[PlayerId]]


def get_team_key(index: TournamentIndex, player: PlayerId) -> str:
    """Return the case-folded team name without outer spaces, "" without a team."""
    return index.tournament.players[player].team.strip().casefold()


def group_players_by_team(index: TournamentIndex, players: Iterable[PlayerId]) -> dict[str, list[PlayerId]]:
    teams: dict[str, list[PlayerId]] = defaultdict(list)
    for player in players:
        if name := get_team_key(index, player):
            teams[name].append(player)
    return dict(teams)


def list_stage_teams(index: TournamentIndex, stage: Stage) -> Teams:
    return group_players_by_team(index, list_players_in_seed_order(index, stage.id))


def count_boards_of_team_match(stage: Stage) -> int:
    """Return the number of boards of a team match, 0 without team matches."""
    return stage.settings.boards if get_pairing_system(stage).supports_setting("boards") else 0


def has_teams(index: TournamentIndex, division: Division) -> bool:
    return any(get_team_key(index, player.id) for player in index.players(division.id))


def has_team_matches(index: TournamentIndex, division: Division) -> bool:
    return any(count_boards_of_team_match(stage) for stage in index.stages(division.id))


def count_rounds_for_all_teams_to_meet(teams: Teams, boards: int) -> int:
    """Return the number of rounds in which all teams can meet.

    If `boards` is 0, teams have no matches, and each player meets all players of the other teams.
    """
    if len(teams) < MIN_TEAMS:
        return 0
    return (len(teams) + len(teams) % 2 - 1) * (1 if boards else max(map(len, teams.values())))


def list_team_line_ups(index: TournamentIndex, stage: Stage, number: int) -> Teams:
    """Return, for each team, its present players at the boards in round `number`."""
    teams = group_players_by_team(index, list_players_in_seed_order(index, stage.id, include_latecomers=True))
    return {
        team: [player for player in members if index.find_absence(player, number) is None][
            : count_boards_of_team_match(stage)
        ]
        for team, members in teams.items()
    }


def find_players_needing_game_or_bye(index: TournamentIndex, round_row: Round) -> frozenset[PlayerId]:
    """Return the players who must get a game or a bye in a round.

    The result can include absent players. It is empty for knockouts.
    """
    stage = index.tournament.stages[round_row.stage]
    if get_pairing_system(stage).is_knockout:
        return frozenset()
    if count_boards_of_team_match(stage):
        return frozenset(
            player for team in list_team_line_ups(index, stage, round_row.number).values() for player in team
        )
    if count_groups(stage) == 1:
        return find_stage_players(index, stage)
    turn = round_row.number - index.get_first_round_number(stage.id) + 1
    cycles = 2 if stage.settings.double else 1
    groups = list_stage_groups(index, stage)
    return frozenset(
        player for group in groups if turn <= cycles * (len(group) + len(group) % 2 - 1) for player in group
    )


class TeamMatch(Struct, frozen=True):
    """A match of two teams in a round, or the bye of one team."""

    round: int
    first: str
    second: str  # "": the first team has a bye
    tables: tuple[int, ...]
    boards: tuple[Fraction, Fraction]  # sums of the players' match points, including forfeited boards
    spreads: tuple[int, int]
    outcomes: tuple[Outcome, Outcome] | None  # None while a game is open


def list_team_matches(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[TeamMatch, ...]:
    stage = find_stage_of_last_published_round(index, division.id, after_round)
    counting_rounds = list_round_numbers_counted_in_standings(index, stage) if stage is not None else frozenset()
    rounds = [
        item
        for item in index.list_published_rounds(division.id, after_round)
        if item.number in counting_rounds and count_boards_of_team_match(index.tournament.stages[item.stage])
    ]
    if not rounds:
        return ()
    records = compute_records(index, division, after_round)
    return tuple(match for item in rounds for match in _list_team_matches_of_round(index, division, item, records))


def _list_team_matches_of_round(
    index: TournamentIndex, division: Division, round_row: Round, records: Mapping[PlayerId, Sequence[RoundRecord]]
) -> Iterator[TeamMatch]:
    rules, number = index.tournament.get_ruleset_of_row(division), round_row.number
    entries = {player: entry for player, record in records.items() for entry in record if entry.round == number}
    seats: dict[str, list[RoundRecord]] = defaultdict(list)
    for bye in index.byes(round_row.id):
        if bye.kind is ByeKind.BYE and bye.player in entries:
            seats[get_team_key(index, bye.player)].append(entries[bye.player])
    groups: dict[tuple[str, str], list[Game]] = defaultdict(list)
    for game in index.games(round_row.id):
        first, second = (get_team_key(index, player) for player in (game.first, game.second))
        if first and second and first != second:
            groups[(second, first) if (second, first) in groups else (first, second)].append(game)
    for (first, second), games in groups.items():
        sides = {first: seats.pop(first, []), second: seats.pop(second, [])}
        for player in (player for game in games for player in (game.first, game.second)):
            sides[get_team_key(index, player)].append(entries[player])
        tables = tuple(game.table for game in games)
        yield _make_team_match(rules, number, (first, second), tables, (sides[first], sides[second]))
    for team, rows in seats.items():
        if team:
            bye_value = rules.byes.bye.counts_as
            match = _make_team_match(rules, number, (team, ""), (), (rows, []))
            yield TeamMatch(match.round, team, "", (), match.boards, match.spreads, (bye_value, Outcome.NOTHING))


def _make_team_match(
    rules: RuleSet,
    number: int,
    teams: tuple[str, str],
    tables: tuple[int, ...],
    sides: tuple[Sequence[RoundRecord], Sequence[RoundRecord]],
) -> TeamMatch:
    first_points, second_points = (
        Fraction(sum(entry.units for entry in rows), rules.match_point_denominator) for rows in sides
    )
    outcomes = (Outcome.WIN, Outcome.LOSS) if first_points > second_points else (Outcome.LOSS, Outcome.WIN)
    if first_points == second_points:
        outcomes = Outcome.DRAW, Outcome.DRAW
    is_open = any(entry.outcome is None for rows in sides for entry in rows)
    spreads = sum(entry.spread for entry in sides[0]), sum(entry.spread for entry in sides[1])
    return TeamMatch(number, *teams, tables, (first_points, second_points), spreads, None if is_open else outcomes)


class TeamTotals(Struct):
    """The sums over all matches of a team."""

    points: Fraction = Fraction(0)  # after deduction of `penalty`
    penalty: int = 0  # number of deducted team points
    matches: int = 0
    byes: int = 0
    boards: Fraction = Fraction(0)
    spread: int = 0
    meetings: dict[str, tuple[int, ...]] = {}


def compute_team_scores(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> Mapping[str, TeamTotals]:
    """Return the team scores. Open matches give no match points. "team-points" sanctions deduct match points."""
    rules, scores = index.tournament.get_ruleset_of_row(division), defaultdict[str, TeamTotals](TeamTotals)
    for match in list_team_matches(index, division, after_round):
        for side, (name, opponent) in enumerate(((match.first, match.second), (match.second, match.first))):
            if not name:
                continue
            score = scores[name]
            score.boards += match.boards[side]
            score.spread += match.spreads[side]
            if match.outcomes is not None:
                score.points += rules.team_match.get_match_points(match.outcomes[side])
            if opponent:
                score.matches += match.outcomes is not None
                score.meetings[opponent] = (*score.meetings.get(opponent, ()), match.round)
            else:
                score.byes += 1
    for player in index.players(division.id) if scores else ():
        if (team := get_team_key(index, player.id)) in scores:
            penalty = _sum_team_penalties_of_player(index, division, player.id, after_round)
            scores[team].points -= penalty
            scores[team].penalty += penalty
    return scores


def _sum_team_penalties_of_player(
    index: TournamentIndex, division: Division, player: PlayerId, after_round: int | None
) -> int:
    stage = find_stage_of_last_published_round(index, division.id, after_round)
    first_round = find_first_counted_round(index, stage) if stage is not None else 1
    last_round = index.get_last_published_round_number(division.id, after_round)
    sanctions = index.sanctions(player)
    return sum(
        sanction.points
        for sanction in sanctions
        if sanction.kind is SanctionKind.TEAM and first_round <= (sanction.round or 1) <= last_round
    )
