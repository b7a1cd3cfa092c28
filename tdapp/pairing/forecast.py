"""Makes the table of chances of a division: how likely each player reaches each rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Player, PlayerId, Stage
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_column_for_each_tuple_item
from tdapp.pairing.clinch_bounds import Contender, PrizeStatus, RankContest, compute_prize_statuses
from tdapp.pairing.field import PairingField, ProgressCallback, build_pairing_field, ignore_progress
from tdapp.pairing.prize_race import (
    PrizeRace,
    build_rank_contest,
    build_ranking_data,
    compute_prize_race,
    find_next_stage_with_cut,
    list_prize_ranks,
    make_simulation_seed,
    map_games_to_simulate_by_round,
)
from tdapp.pairing.system import list_positions_without_fixed_pair
from tdapp.pairing.systems.cop import GROUPS, list_prize_pairing_rules

MAX_RANK_COLUMNS = 8  # ranks with their own column


class PlayerChancesRow(Struct, frozen=True):
    """The chances of one player."""

    key: str
    place: int
    player: Player
    points: Fraction
    spread: int
    status: PrizeStatus  # about a prize, or about qualifying if only the best qualify for the next stage
    prize: Fraction  # chance of a rank with a prize, or of qualifying
    shares: tuple[Fraction, ...]  # the chance of each rank


class PairingsRequiredForPrizes(Struct, frozen=True):
    """The pairs and byes that a rule of prize-aware pairing (`cop`) requires in the next round.

    Players are numbered from 1 by rank, without absent players.
    """

    code: str  # of the rule
    pairs: tuple[tuple[int, int], ...] = ()  # they must meet
    groups: tuple[tuple[int, ...], ...] = ()  # players of different groups do not meet
    bye_candidates: tuple[int, ...] = ()  # one of them has the bye


class DivisionForecast(Struct, frozen=True):
    """The chances of all players of a division. Withdrawn players count for ranks but have no row."""

    after: int  # number of the last round in the standings
    open_games: int
    rounds_left: int
    places: int  # number of ranks with a prize, or of players who qualify
    listed: bool  # the ranks come from the prize list
    times: int  # number of simulations
    rows: tuple[PlayerChancesRow, ...]
    requirements: tuple[PairingsRequiredForPrizes, ...] = ()
    running: bool = False  # the round `after` has open games
    shared: bool = False  # some ranks were shared
    cut: int = 0  # number of players who qualify for a later stage; 0: all
    later_rounds: int = 0


class QualificationStatus(StrEnum):
    """The certainty that a player qualifies for the next stage."""

    THROUGH = "through"
    IN_REACH = "in-reach"
    OUT = "out"


_QUALIFICATION_STATUSES = {
    PrizeStatus.DECIDED: QualificationStatus.THROUGH,
    PrizeStatus.SAFE: QualificationStatus.THROUGH,
    PrizeStatus.IN_REACH: QualificationStatus.IN_REACH,
    PrizeStatus.OUT_OF_REACH: QualificationStatus.OUT,
}


def compute_forecast(
    index: TournamentIndex, division: DivisionId, *, progress: ProgressCallback = ignore_progress
) -> DivisionForecast:
    """Return each player's chance of each final rank, before the next round is paired.

    Games without a result are simulated, like the remaining rounds.
    Raises CommandError: too-few-for-chances, chances-in-knockout, chances-in-evening.
    """
    published_rounds = index.list_published_rounds(division)
    after = published_rounds[-1].number if published_rounds else 0
    stage = _find_stage_of_round(index, division, after)
    if get_pairing_system(stage).is_knockout:
        raise CommandError("chances-in-knockout")
    if stage.evening:
        raise CommandError("chances-in-evening")
    field = build_pairing_field(index, stage.id, number=after + 1, source=after)
    if len(field.entrants) < 2:  # noqa: PLR2004
        raise CommandError("too-few-for-chances")
    open_games = map_games_to_simulate_by_round(index, field, open_only=True)
    contest = build_rank_contest(index, stage, field, games_to_simulate=open_games)
    contest = replace(contest, ranking_data=build_ranking_data(index, stage, field, open_games))
    cut_stage = find_next_stage_with_cut(index, stage)
    cut = 0 if cut_stage is None or cut_stage.cut is None else min(cut_stage.cut, contest.contender_count)
    if cut:
        contest = replace(contest, places=cut, without_prize=frozenset())
    race = compute_prize_race(
        contest, stage.settings.contention, seed=make_simulation_seed(field), progress=progress
    )
    return DivisionForecast(
        after=index.get_last_round_with_results(division),
        running=bool(open_games) and index.get_last_round_with_results(division) == after,
        open_games=sum(map(len, open_games.values())),
        rounds_left=contest.rounds_left,
        places=sum(rank not in contest.without_prize for rank in range(contest.places)),
        listed=bool(list_prize_ranks(index, division)),
        times=race.chances.simulation_count,
        rows=_make_player_chances_rows(index, field, race),
        requirements=() if open_games else _list_pairings_required_for_prizes(index, division, field, progress),
        shared=race.chances.has_shared_ranks,
        cut=cut,
        later_rounds=max(0, index.count_planned_rounds(division) - after - contest.rounds_left),
    )


def _list_pairings_required_for_prizes(
    index: TournamentIndex, division: DivisionId, field: PairingField, progress: ProgressCallback
) -> tuple[PairingsRequiredForPrizes, ...]:
    stage = index.find_stage(division, field.number)
    if stage is None or stage.id != field.stage or not get_pairing_system(stage).supports_setting("contention"):
        return ()
    race = compute_prize_race(
        build_rank_contest(index, stage, field),
        stage.settings.contention,
        seed=make_simulation_seed(field),
        progress=progress,
    )
    rules = list_prize_pairing_rules(field, race, list_positions_without_fixed_pair(field))
    groups = tuple(tuple(position + 1 for position in sorted(group)) for group in race.groups.members)
    return tuple(
        PairingsRequiredForPrizes(
            rule.code,
            tuple(sorted((upper + 1, lower + 1) for upper, lower in rule.pairs)),
            groups if rule.code == GROUPS else (),
            tuple(position + 1 for position in rule.bye_candidates),
        )
        for rule in rules
    )


def make_forecast_table(forecast: DivisionForecast) -> Table[PlayerChancesRow]:
    rank_count = max((len(row.shares) for row in forecast.rows), default=0)
    column_count = min(rank_count, MAX_RANK_COLUMNS)
    columns: list[Column[PlayerChancesRow]] = [
        Column("place", ColumnKind.NUMBER, lambda row: row.place),
        Column("name", ColumnKind.NAME, lambda row: row.player.name),
        Column("score", ColumnKind.POINTS, lambda row: row.points),
        Column("spread", ColumnKind.SIGNED, lambda row: row.spread),
        Column(
            "prize_status",
            ColumnKind.CODE,
            lambda row: _QUALIFICATION_STATUSES[row.status] if forecast.cut else row.status,
        ),
        Column("prize", ColumnKind.SHARE, lambda row: row.prize, words="passage" if forecast.cut else ""),
    ]
    columns += make_column_for_each_tuple_item(ColumnKind.SHARE, "shares", map(str, range(1, column_count + 1)))
    if column_count < rank_count:
        columns.append(
            Column("lower", ColumnKind.SHARE, lambda row: 1 - sum(filter(None, row.shares[:MAX_RANK_COLUMNS])))
        )
    return Table("chances", tuple(columns), forecast.rows)


def _find_stage_of_round(index: TournamentIndex, division: DivisionId, round_number: int) -> Stage:
    stage = index.find_stage(division, max(round_number, 1))
    if stage is None:
        raise CommandError("all-rounds-paired", rounds=index.count_planned_rounds(division))
    return stage


def _make_player_chances_rows(
    index: TournamentIndex, field: PairingField, race: PrizeRace
) -> tuple[PlayerChancesRow, ...]:
    times, contest = race.chances.simulation_count, race.contest
    division = index.tournament.divisions[index.tournament.stages[field.stage].division]
    standings = compute_standings(index, division, index.get_last_round_with_results(division.id))
    ranks = {row.player.id: row.rank for row in standings}
    statuses = _map_prize_statuses_by_player(contest, standings)
    prize_ranks = [rank for rank in range(contest.places) if rank not in contest.without_prize]
    counts_by_position = race.chances.counts[: contest.contender_count].tolist()
    rows = (
        PlayerChancesRow(
            key=entrant.player,
            place=ranks[entrant.player],
            player=index.tournament.players[entrant.player],
            points=Fraction(entrant.points),
            spread=entrant.spread,
            status=statuses[entrant.player],
            prize=Fraction(sum(counts[rank] for rank in prize_ranks), times),
            shares=tuple(Fraction(count, times) for count in counts),
        )
        for entrant, counts in zip(field.entrants, counts_by_position, strict=True)
    )
    return tuple(sorted(rows, key=attrgetter("place")))


def _map_prize_statuses_by_player(
    contest: RankContest, standings: Sequence[Standing]
) -> Mapping[PlayerId, PrizeStatus]:
    present_contenders = {contender.player: contender for contender in contest.contenders}
    by_points = not contest.win
    absent_contenders = {
        row.player.id: Contender(
            row.player.id, 0 if by_points else row.units, 2 * row.points if by_points else row.spread
        )
        for row in standings
        if contest.ranking_data is not None
        and row.player.id in contest.ranking_data.groups
        and row.player.id not in present_contenders
    }
    ranks = {row.player.id: row.rank for row in standings}
    contenders = sorted(
        (*present_contenders.values(), *absent_contenders.values()), key=lambda contender: ranks[contender.player]
    )
    statuses = compute_prize_statuses(replace(contest, contenders=tuple(contenders)))
    return {contender.player: status for contender, status in zip(contenders, statuses, strict=True)}
