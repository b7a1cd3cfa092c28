"""The field: all players to pair in a round, with their scores, meetings, byes, starts and floats.

A player floats if the opponent belongs to another score group: down against a lower score, up against a higher
one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from tdapp.domain.bracket import find_stage_players, list_players_with_ranks
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    ByeKind,
    ConstraintKind,
    Division,
    Game,
    Player,
    PlayerId,
    Stage,
    StageId,
    TableGroup,
)
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.records import Record, SanctionDeductions, compute_fines, compute_records
from tdapp.domain.ruleset import Outcome, RuleSet
from tdapp.domain.stages import (
    find_first_counted_round,
    list_round_numbers_counted_in_standings,
    list_stages_up_to,
)
from tdapp.domain.standings import find_tiebreak_order
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tournament import Tournament

_Score = tuple[int, str]
DOWN, LEVEL, UP = -1, 0, 1  # directions of a float
_BYE, _WIN = ByeKind.BYE, Outcome.WIN  # cached: access to enum members is slow


class FixedPair(Struct, frozen=True):
    """A pair that the pairing must contain."""

    first: PlayerId
    second: PlayerId | None = None  # None: the first player has the bye
    table: int | None = None  # None: the program chooses it
    keep_start: bool = False  # the first player starts
    locked: bool = True
    code: str | None = "fixed"  # reason of the pair; None: the usual reason


def make_fixed_pair(game: Game, *, locked: bool = True, code: str | None = "fixed") -> FixedPair:
    return FixedPair(game.first, game.second, game.table, keep_start=True, locked=locked, code=code)


class ClubEveningOfEarlierRound(Struct, frozen=True):
    """The club evening of an earlier round."""

    evenings_ago: int  # 0: tonight
    date: str


class Entrant(Struct, frozen=True):
    """A player to pair, with the record of earlier rounds."""

    player: PlayerId
    number: int
    score: int = 0  # match points in units; if total points rank, the number of players with fewer points
    points: str = "0"
    # the rounds against each opponent
    meetings: Mapping[PlayerId, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    byes: int = 0  # byes and forfeit wins
    # by round: true for a start, false for a reply
    starts_by_round: Mapping[int, bool] = field(default_factory=lambda: MappingProxyType({}))
    floats: tuple[int, int] = (LEVEL, LEVEL)
    club: str = ""
    country: str = ""
    team: str = ""
    category: str = ""
    fixed_table: int | None = None
    last_table: int | None = None  # the table to keep
    needs_access: bool = False
    rank: int = 0  # in the standings, which include absent players
    spread: int = 0
    earlier_byes: int = 0

    @property
    def start_balance(self) -> int:
        """The number of starts minus the number of replies."""
        return 2 * sum(self.starts_by_round.values()) - len(self.starts_by_round)


class PairingField(Struct, frozen=True, dict=True):
    """All players to pair in a round, in the order of the standings."""

    stage: StageId
    number: int  # of the round
    seed: int
    entrants: tuple[Entrant, ...]
    settings: PairingSettings = field(default_factory=PairingSettings)
    forbidden_pairs: frozenset[frozenset[PlayerId]] = frozenset()
    fixed_pairs: tuple[FixedPair, ...] = ()
    first_table: int = 1
    pairs_kept_apart: frozenset[frozenset[PlayerId]] = frozenset()
    later_rounds: int = 0
    source: int | None = None  # the standings after this round are used; None: the round before
    table_groups: tuple[TableGroup, ...] = ()  # if empty, the tables start at `first_table`
    is_evening: bool = False
    evenings: Mapping[int, ClubEveningOfEarlierRound] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def cached_arrays(self) -> dict[str, Any]:
        return {}

    @property
    def limit_of_start_balance(self) -> int | None:
        """The limit for a player's games going first minus games going second. None: no limit.

        With limit 2, pairings prefer −1, 0 or +1.
        """
        if self.settings.draw_starts:
            return None
        if self.later_rounds < self.settings.level_rounds:
            return 2
        return 3 if self.settings.guard_starts else None

    def count_rounds_of_current_evening(self, rounds: Iterable[int]) -> int:
        """Return how many of the rounds belong to the current club evening.

        In a stage without club evenings, return the number of rounds.
        """
        rounds = tuple(rounds)
        return (
            sum(self.evenings[number].evenings_ago == 0 for number in rounds) if self.is_evening else len(rounds)
        )

    def map_player_positions(self) -> dict[PlayerId, int]:
        return {entrant.player: position for position, entrant in enumerate(self.entrants)}


def build_pairing_field(
    index: TournamentIndex, stage: StageId, *, number: int, source: int, fixed_pairs: Sequence[FixedPair] = ()
) -> PairingField:
    """Return the present players of a stage for round `number`, by the standings after round `source`.

    Scores and floats count from the beginning of the stage; meetings, byes and starts count from all rounds.
    """
    tournament = index.tournament
    row = tournament.stages[stage]
    return PairingField(
        stage=stage,
        number=number,
        seed=tournament.event.seed,
        entrants=tuple(_make_entrants(index, row, number=number, source=source)),
        settings=row.settings,
        forbidden_pairs=frozenset()
        if get_pairing_system(row).is_prescribed
        else _list_constrained_pairs(tournament, ConstraintKind.NEVER),
        pairs_kept_apart=_list_constrained_pairs(tournament, ConstraintKind.APART),
        source=source,
        fixed_pairs=tuple(fixed_pairs),
        first_table=tournament.divisions[row.division].first_table,
        later_rounds=max(0, index.count_planned_rounds(row.division) - number),
        table_groups=index.table_groups(row.division),
        is_evening=row.evening,
        evenings=_map_rounds_to_evenings(index, row) if row.evening else {},
    )


def _map_rounds_to_evenings(index: TournamentIndex, stage: Stage) -> Mapping[int, ClubEveningOfEarlierRound]:
    stages = list_stages_up_to(index, stage)
    evenings_by_stage = {
        evening_stage.id: ClubEveningOfEarlierRound(len(stages) - position, evening_stage.date)
        for position, evening_stage in enumerate(stages, 1)
    }
    return {
        item.number: evenings_by_stage[item.stage]
        for item in index.list_published_rounds(stage.division)
        if item.stage in evenings_by_stage
    }


def _make_entrants(index: TournamentIndex, stage: Stage, *, number: int, source: int) -> Iterator[Entrant]:
    division = index.tournament.divisions[stage.division]
    by_total = find_tiebreak_order(index, division, source)[0] == "points"
    history = compute_records(index, division, number - 1)
    counting = list_round_numbers_counted_in_standings(index, stage)
    numbers = [item.number for item in index.list_published_rounds(division.id) if item.number < number]
    counted_history = history if counting.issuperset(numbers) else _filter_records_by_round(history, counting)
    scored_history = (
        counted_history if source >= number - 1 else _filter_records_by_round(counted_history, range(source + 1))
    )
    fines = compute_fines(index, division, source, first_round=find_first_counted_round(index, stage))
    rules = index.tournament.get_ruleset_of_row(stage)
    scores = _sum_total_points(scored_history, fines) if by_total else _sum_match_points(scored_history, rules)
    running_scores = {} if by_total else _map_scores_before_each_round(scored_history, number)
    spreads = {player: sum(entry.spread for entry in record) for player, record in scored_history.items()}
    spreads |= {player: spreads[player] - fine.spread for player, fine in fines.items()}
    kept_tables = _map_players_to_table_to_keep(division, history, number)
    stage_players = find_stage_players(index, stage)
    standings_round = source if not stage.evening or source >= index.get_first_round_number(stage.id) else 0
    tonight = counting if stage.evening else range(number)
    for player, rank in list_players_with_ranks(index, division, standings_round):
        if index.find_absence(player.id, number) is None and player.id in stage_players:
            yield _make_entrant(
                player,
                scores[player.id],
                history[player.id],
                count_forfeits=rules.forfeit.booked,
                tonight=tonight,
                floats=(
                    _find_float_direction_in_round(
                        player.id, counted_history[player.id], running_scores, number=number - 1
                    ),
                    _find_float_direction_in_round(
                        player.id, counted_history[player.id], running_scores, number=number - 2
                    ),
                ),
                rank=rank,
                spread=spreads[player.id],
                last_table=kept_tables.get(player.id),
            )


def _filter_records_by_round(
    history: Mapping[PlayerId, Record], rounds: Container[int]
) -> Mapping[PlayerId, Record]:
    return {player: tuple(row for row in record if row.round in rounds) for player, record in history.items()}


def _map_players_to_table_to_keep(
    division: Division, history: Mapping[PlayerId, Record], number: int
) -> Mapping[PlayerId, int]:
    if not division.keep_tables or number in division.sessions:
        return {}
    return {
        player: entry.table
        for player, record in history.items()
        for entry in record
        if entry.round == number - 1 and entry.table is not None
    }


def _list_constrained_pairs(tournament: Tournament, kind: ConstraintKind) -> frozenset[frozenset[PlayerId]]:
    rows = tournament.constraints.values()
    return frozenset(frozenset({row.player, row.other}) for row in rows if row.kind is kind)


def _sum_match_points(history: Mapping[PlayerId, Record], rules: RuleSet) -> dict[PlayerId, _Score]:
    step = (
        gcd(*(rules.get_match_points_as_integer(outcome) for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)))
        or 1
    )
    units = {player: sum(entry.units for entry in record) for player, record in history.items()}
    scores = {
        total: (total // step, str(Fraction(total, rules.match_point_denominator)))
        for total in set(units.values())
    }
    return {player: scores[total] for player, total in units.items()}


def _sum_total_points(
    history: Mapping[PlayerId, Record], fines: Mapping[PlayerId, SanctionDeductions]
) -> dict[PlayerId, _Score]:
    totals = {
        player: sum((entry.points or 0) + entry.awarded_points for entry in record)
        for player, record in history.items()
    }
    for player, fine in fines.items():
        totals[player] -= fine.points
    ascending = sorted(totals.values())
    return {player: (bisect_left(ascending, total), str(total)) for player, total in totals.items()}


def _map_scores_before_each_round(
    history: Mapping[PlayerId, Record], number: int
) -> Mapping[PlayerId, Sequence[int]]:
    running_scores: dict[PlayerId, list[int]] = {}
    for player, record in history.items():
        gained_units = [0] * (number + 1)
        for entry in record:
            gained_units[entry.round] += entry.units
        scores_before, total = [0], 0
        for units in gained_units[:-1]:
            total += units
            scores_before.append(total)
        running_scores[player] = scores_before
    return running_scores


def _list_rounds_with_start_or_reply(history: Record, *, count_forfeits: bool) -> Iterator[tuple[int, bool]]:
    """Yield each round in which a player started or replied, and whether the player started.

    With `count_forfeits`, games forfeited in advance count alternately as start and reply.
    """
    forfeit_count = 0
    for entry in history:
        if entry.started is not None:
            yield entry.round, entry.started
        elif count_forfeits and entry.outcome is Outcome.LOSS and (entry.forfeit or entry.bye is ByeKind.FORFEIT):
            yield entry.round, forfeit_count % 2 == 0
            forfeit_count += 1


def _make_entrant(
    player: Player,
    score: _Score,
    history: Record,
    *,
    count_forfeits: bool,
    tonight: Container[int],
    **other_fields: Any,
) -> Entrant:
    unopposed = [
        entry.round for entry in history if entry.bye is _BYE or (entry.forfeit and entry.outcome is _WIN)
    ]
    byes = sum(number in tonight for number in unopposed)
    meetings: dict[PlayerId, tuple[int, ...]] = {}
    for entry in history:
        for opponent in entry.met_players:
            meetings[opponent] = (*meetings.get(opponent, ()), entry.round)
    return Entrant(
        player=player.id,
        number=player.number,
        score=score[0],
        points=score[1],
        meetings=MappingProxyType(meetings),
        byes=byes,
        earlier_byes=len(unopposed) - byes,
        starts_by_round=MappingProxyType(
            dict(_list_rounds_with_start_or_reply(history, count_forfeits=count_forfeits))
        ),
        club=player.club,
        country=player.country,
        team=player.team,
        category=player.category,
        fixed_table=player.fixed_table,
        needs_access=player.needs_access,
        **other_fields,
    )


def _find_float_direction_in_round(
    player: PlayerId, history: Record, scores: Mapping[PlayerId, Sequence[int]], *, number: int
) -> int:
    """Return a player's float direction in a round. A bye counts as DOWN."""
    for entry in history:
        if entry.round != number:
            continue
        if entry.bye is _BYE:
            return DOWN
        if entry.opponent is not None and scores:
            own_score, opponent_score = scores[player][number], scores[entry.opponent][number]
            return DOWN if own_score > opponent_score else UP if own_score < opponent_score else LEVEL
    return LEVEL


ProgressCallback = Callable[[int, int], None]  # gets done and total; an exception ends the work


def ignore_progress(_done: int, _total: int) -> None:
    """Do nothing."""
