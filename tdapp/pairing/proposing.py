"""Makes proposals for the rounds of a division: by its pairing system, or from pairs set by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from msgspec.structs import replace

from tdapp.domain.bracket import find_stage_players
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import list_unchecked_games
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    ConstraintKind,
    Division,
    DivisionId,
    GameId,
    PlayerId,
    Result,
    ResultState,
    Round,
    SeatId,
    Stage,
)
from tdapp.domain.proposal import Proposal, ProposedBye, compute_pairing_digest, find_next_round
from tdapp.domain.systems import PAIRING_SYSTEMS, get_pairing_system
from tdapp.domain.tournament import Tournament
from tdapp.pairing import systems
from tdapp.pairing.field import FixedPair, PairingField, ProgressCallback, build_pairing_field, ignore_progress
from tdapp.pairing.mixed_tables import (
    is_played_at_group_tables,
    plan_manual_group_tables,
    plan_tables_of_mixed_sizes,
)
from tdapp.pairing.system import (
    BYE_REASONS,
    COMMON_REASONS,
    PairingInput,
    PairingMethod,
    PairingPlan,
    list_fixed_pairs,
    list_positions_without_fixed_pair,
    make_pairing_proposal,
)

_PAIR = 2


def _load_pairing_methods() -> Mapping[str, PairingMethod]:
    modules = [import_module(module.name) for module in iter_modules(systems.__path__, f"{systems.__name__}.")]
    values = [value for module in modules for value in vars(module).values()]
    methods = {value.id: value for value in values if isinstance(value, PairingMethod)}
    return MappingProxyType({name: methods[name] for name in PAIRING_SYSTEMS})


SYSTEMS = _load_pairing_methods()
REASONS: Mapping[str, str] = {
    **COMMON_REASONS,
    **BYE_REASONS,
    **{code: reason for method in SYSTEMS.values() for code, reason in method.reasons.items()},
}


def propose_pairings(
    index: TournamentIndex,
    division: DivisionId,
    *,
    fixed_pairs: Sequence[FixedPair] = (),
    source_round: int | None = None,
    assumed: Collection[GameId] = (),
    with_costs: bool = True,
    progress: ProgressCallback = ignore_progress,
) -> Proposal:
    """Return a proposal for the round after the last published round.

    The proposal contains `fixed_pairs` and the pairs that the director requires. It uses the standings after
    `source_round` (None: the pairing system and settings choose a round). In these standings, the games in
    `assumed` count as draws. Without `with_costs` it is faster, but the proposal has no costs and no hash of its
    data (`based_on`).
    """
    published_rounds = index.list_published_rounds(division)
    number = published_rounds[-1].number + 1 if published_rounds else 1
    stage, system = _find_stage_and_system(index, division, number)
    assumed_index = TournamentIndex(assume_draws(index, assumed)) if assumed else index
    source = _choose_valid_standings_round(assumed_index, stage, system, number, source_round)
    has_bracket = get_pairing_system(stage).is_knockout  # a bracket ignores orders
    pairs = [*fixed_pairs]
    if not has_bracket:
        pairs += _list_pairs_required_by_constraints(index, division, number, fixed_pairs)
    field = _make_field(assumed_index, stage, system, number=number, source=source, fixed_pairs=pairs)
    tables, player_count = (
        index.tournament.get_ruleset_of_row(stage).tables,
        len(list_positions_without_fixed_pair(field)),
    )
    has_group_tables = is_played_at_group_tables(stage, tables, player_count)
    min_players = 1 if has_bracket or has_group_tables else _PAIR  # the last player in a bracket advances alone
    if len(field.entrants) < min_players:
        code = "too-few-here" if stage.evening else "too-few-players"
        raise CommandError(code, players=len(field.entrants), round=number)
    situation = PairingInput(index, stage, field, progress)
    plan = plan_tables_of_mixed_sizes(situation, tables) if has_group_tables else system.plan_pairs(situation)
    proposal = _make_full_proposal(index, division, field, plan, system, source=source, with_costs=with_costs)
    counted_rounds = [item.id for item in published_rounds if item.number <= source]
    counted_games = {game.id for round_id in counted_rounds for game in index.games(round_id)}
    counted_games |= {GameId(seat.id) for round_id in counted_rounds for seat in index.seats(round_id)}
    return replace(proposal, assumed=tuple(sorted(counted_games.intersection(assumed))))


def list_games_that_can_count_as_draws(index: TournamentIndex, division: DivisionId) -> tuple[GameId, ...]:
    """Return the published open games and group table seats that can count as draws until they have a result.

    Games of a knockout cannot, because the bracket needs their winners.
    """
    rounds = [item for item in index.list_published_rounds(division) if not _is_knockout_round(index, item)]
    games = [game.id for item in rounds for game in index.list_open_games(item.id)]
    seats = [
        seat for item in rounds for seat in index.seats(item.id) if seat.table in index.list_open_tables(item.id)
    ]
    return (*games, *(GameId(seat.id) for seat in seats))


def _is_knockout_round(index: TournamentIndex, round_row: Round) -> bool:
    return get_pairing_system(index.tournament.stages[round_row.stage]).is_knockout


def propose_given_pairs(
    index: TournamentIndex,
    division: DivisionId,
    number: int,
    pairs: Sequence[FixedPair],
    *,
    source_round: int | None = None,
    assumed: Sequence[GameId] = (),
    groups: Sequence[tuple[int, tuple[PlayerId, ...]]] = (),
) -> Proposal:
    """Return round `number` with the given pairs, and their tables, starts, reasons and costs.

    It uses the standings after `source_round`, in which the games in `assumed` count as draws. `groups` has the
    numbers and players of tables with more than two players. Raises CommandError: player-twice,
    player-not-in-round, forbidden-pair.
    """
    stage, system = _find_stage_and_system(index, division, number)
    source = (
        find_standings_round_for_pairing(index, stage, system, number) if source_round is None else source_round
    )
    assumed_index = TournamentIndex(assume_draws(index, assumed)) if assumed else index
    field = _make_field(assumed_index, stage, system, number=number, source=source, fixed_pairs=pairs)
    plan = PairingPlan(list_fixed_pairs(field))
    if groups:
        tables = index.tournament.get_ruleset_of_row(stage).tables
        plan = plan_manual_group_tables(PairingInput(assumed_index, stage, field), tables, groups)
    proposal = _make_full_proposal(index, division, field, plan, system, source=source)
    return replace(proposal, assumed=tuple(assumed))


def assume_draws(index: TournamentIndex, games: Collection[GameId]) -> Tournament:
    tournament = index.tournament
    scores = [
        points for row in tournament.results.values() for points in (row.first, row.second) if points is not None
    ]
    average_points = sum(scores) // len(scores) if scores else 0
    assumed_results = (
        Result(game, ResultState.ENTERED, average_points, average_points)
        for game in games
        if game in tournament.games
    )
    seats = (tournament.seats.get(SeatId(key)) for key in games)
    assumed_seats = (
        replace(seat, points=average_points, left=False, state=ResultState.ENTERED)
        for seat in seats
        if seat is not None
    )
    return tournament.put(*assumed_results, *assumed_seats)


def _list_pairs_required_by_constraints(
    index: TournamentIndex, division: DivisionId, number: int, fixed_pairs: Sequence[FixedPair]
) -> list[FixedPair]:
    """Return the pairs that the director requires for a round. Omit pairs with a player paired by hand.

    Raises CommandError: ordered-absent (a player is absent), ordered-elsewhere (a player is in another fixed
    pair).
    """
    names, ordered_pairs = index.tournament.players, []
    for row in sorted(index.tournament.constraints.values(), key=lambda row: row.id):
        is_relevant = (
            row.kind is ConstraintKind.TOGETHER and row.round == number and names[row.player].division == division
        )
        conflicting_pairs = [pair for pair in fixed_pairs if {row.player, row.other} & {pair.first, pair.second}]
        if not is_relevant or any(
            pair.code == "by-hand" or {pair.first, pair.second} == {row.player, row.other}
            for pair in conflicting_pairs
        ):
            continue
        facts = {"first": names[row.player].name, "second": names[row.other].name, "round": number}
        for player in (row.player, row.other):
            if index.find_absence(player, number) is not None:
                raise CommandError("ordered-absent", player=names[player].name, **facts)
        if conflicting_pairs:
            raise CommandError("ordered-elsewhere", table=conflicting_pairs[0].table, **facts)
        ordered_pairs.append(FixedPair(row.player, row.other, locked=False, code="ordered"))
    return ordered_pairs


def _find_stage_and_system(
    index: TournamentIndex, division: DivisionId, number: int
) -> tuple[Stage, PairingMethod]:
    if not index.players(division):
        raise CommandError("no-players")
    stage = index.find_stage(division, number)
    if stage is None:
        raise CommandError("all-rounds-paired", rounds=index.count_planned_rounds(division))
    if stage.system not in SYSTEMS:
        raise CommandError("no-such-system", system=stage.system)
    return stage, SYSTEMS[stage.system]


def find_standings_round_for_pairing(
    index: TournamentIndex, stage: Stage, system: PairingMethod, number: int
) -> int:
    """Return the round whose standings are used to pair round `number`.

    Example: the pairing system usually uses round 7 for round 8. If the setting `behind` is 2, return 5. If a
    stage has a cut or starts scores from zero, return at least the last round before the stage. Knockouts and
    round robins ignore `behind`.
    """
    usual_source = system.find_source(index, stage, number)
    if get_pairing_system(stage).has_seats:
        return usual_source
    round_before_stage = index.get_first_round_number(stage.id) - 1
    earliest = 0 if stage.carry and stage.cut is None else round_before_stage
    return max(usual_source - stage.settings.behind, min(usual_source, earliest))


def find_round_to_check_before_pairing(index: TournamentIndex, division: Division) -> Round | None:
    """Return the first round with unchecked results if the event requires checks before the next pairing.

    Return None if results are missing.
    """
    if not index.tournament.event.check_first or index.tournament.event.finished:
        return None
    number, source = find_next_round(index, division), None
    stage = index.find_stage(division.id, number) if number is not None else None
    if number is not None and stage is not None and stage.system in SYSTEMS:
        source = find_standings_round_for_pairing(index, stage, SYSTEMS[stage.system], number)
    if any(index.list_open_tables(item.id) for item in index.list_published_rounds(division.id, source)):
        return None
    games = list_unchecked_games(index, division.id, source)
    return index.tournament.rounds[games[0].round] if games else None


def _choose_valid_standings_round(
    index: TournamentIndex, stage: Stage, system: PairingMethod, number: int, source: int | None
) -> int:
    usual_source = system.find_source(index, stage, number)
    source = find_standings_round_for_pairing(index, stage, system, number) if source is None else source
    earliest = (
        0 if stage.cut is None else index.get_first_round_number(stage.id) - 1
    )  # the cut needs all earlier rounds
    if not min(earliest, usual_source) <= source <= usual_source:
        raise CommandError("no-such-round", round=source)
    for item in index.list_published_rounds(stage.division):
        tables = index.list_open_tables(item.id)
        expected_players = item.stage == stage.id or not stage.evening
        if item.number <= source and tables and expected_players:
            code = "results-needed" if _is_knockout_round(index, item) else "results-missing"
            raise CommandError(code, round=item.number, tables=tables, n=len(tables))
    return source


def _make_field(
    index: TournamentIndex,
    stage: Stage,
    system: PairingMethod,
    *,
    number: int,
    source: int,
    fixed_pairs: Sequence[FixedPair],
) -> PairingField:
    field = build_pairing_field(index, stage.id, number=number, source=source, fixed_pairs=fixed_pairs)
    _refuse_invalid_fixed_pairs(index, field)
    if system.style is not None:
        field = replace(field, settings=replace(field.settings, style=system.style))
    return field


def _refuse_invalid_fixed_pairs(index: TournamentIndex, field: PairingField) -> None:
    positions, names = field.map_player_positions(), index.tournament.players
    seen: set[PlayerId] = set()
    for fixed_pair in field.fixed_pairs:
        for player in (fixed_pair.first, fixed_pair.second):
            if player is None:
                continue
            if player not in names:
                raise CommandError("no-such-player", player=player)
            if player in seen:
                raise CommandError("player-twice", player=names[player].name)
            if player not in positions:
                raise CommandError("player-not-in-round", player=names[player].name, round=field.number)
            seen.add(player)
        if (
            fixed_pair.second is not None
            and frozenset({fixed_pair.first, fixed_pair.second}) in field.forbidden_pairs
        ):
            raise CommandError(
                "forbidden-pair", first=names[fixed_pair.first].name, second=names[fixed_pair.second].name
            )


def _make_full_proposal(
    index: TournamentIndex,
    division: DivisionId,
    field: PairingField,
    plan: PairingPlan,
    system: PairingMethod,
    *,
    source: int,
    with_costs: bool = True,
) -> Proposal:
    based_on = compute_pairing_digest(index, division, field.number, source) if with_costs else ""
    proposal = make_pairing_proposal(
        field, plan, system.criteria if with_costs and plan.cost is None else (), based_on=based_on
    )
    stage = index.tournament.stages[field.stage]
    expected_players = find_stage_players(index, stage) if plan.expected_players is None else plan.expected_players
    absence_byes = []
    for player in index.players(division):
        absence = index.find_absence(player.id, field.number)
        if absence is not None and absence.kind is not None and player.id in expected_players:
            absence_byes.append(ProposedBye(player.id, absence.kind))
    return replace(proposal, byes=proposal.byes + tuple(absence_byes), source=source)
