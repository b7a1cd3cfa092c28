"""Makes proposals for the rounds of a division: by its pairing system, or from pairs set by hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from msgspec.structs import replace

from tdapp.domain.bracket import find_stage_players
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import (
    ConstraintKind,
    DivisionId,
    GameId,
    PlayerId,
    Result,
    ResultState,
    Round,
    SeatId,
    Stage,
)
from tdapp.domain.proposal import Proposal, ProposedBye, compute_pairing_digest
from tdapp.domain.systems import PAIRING_SYSTEMS, get_system
from tdapp.domain.tournament import Tournament
from tdapp.pairing import systems
from tdapp.pairing.field import FixedPair, PairingField, Tick, build_field, ignore_progress
from tdapp.pairing.mixed_tables import plan_groups, plan_tables, uses_group_tables
from tdapp.pairing.system import (
    BYE_REASONS,
    COMMON_REASONS,
    PairingInput,
    PairingMethod,
    PairingPlan,
    list_fixed_pairs,
    list_free_positions,
    make_proposal,
)

_PAIR = 2


def _load_systems() -> Mapping[str, PairingMethod]:
    modules = [import_module(one.name) for one in iter_modules(systems.__path__, f"{systems.__name__}.")]
    known = {one.id: one for module in modules for one in vars(module).values() if isinstance(one, PairingMethod)}
    return MappingProxyType({name: known[name] for name in PAIRING_SYSTEMS})


SYSTEMS = _load_systems()
REASONS: Mapping[str, str] = {
    **COMMON_REASONS,
    **BYE_REASONS,
    **{code: reason for one in SYSTEMS.values() for code, reason in one.reasons.items()},
}


def propose_pairings(
    index: Index,
    division: DivisionId,
    *,
    fixed: Sequence[FixedPair] = (),
    source_round: int | None = None,
    assumed: Collection[GameId] = (),
    with_costs: bool = True,
    tick: Tick = ignore_progress,
) -> Proposal:
    """Return a proposal for the next round, which follows the last published round.

    The pairs in `fixed` and those ordered by the director stay. The standings after `source_round` are used,
    by default the last round; the games in `assumed` count as draws there. `with_costs` false is faster, but
    the proposal has no costs and no fingerprint.
    """
    earlier = index.published(division)
    number = earlier[-1].number + 1 if earlier else 1
    stage, system = _find_stage_and_system(index, division, number)
    known = Index(assume_draws(index, assumed)) if assumed else index
    source = _choose_valid_source_round(known, stage, system, number, source_round)
    seated = get_system(stage).is_knockout  # a bracket ignores orders
    pairs = tuple(fixed) if seated else (*fixed, *_list_pairs_ordered_by_director(index, division, number, fixed))
    field = _make_field(known, stage, system, number=number, source=source, fixed=pairs)
    tables, free = index.tournament.rules_of(stage).tables, len(list_free_positions(field))
    mixed = uses_group_tables(stage, tables, free)
    if len(field.entrants) < (1 if seated or mixed else _PAIR):  # the last player in a bracket advances alone
        code = "too-few-here" if stage.evening else "too-few-players"
        raise RuleViolation(code, players=len(field.entrants), round=number)
    situation = PairingInput(index, stage, field, tick)
    plan = plan_tables(situation, tables) if mixed else system.plan_pairs(situation)
    made = _make_full_proposal(index, division, field, plan, system, source=source, with_costs=with_costs)
    counted = {game.id for item in earlier if item.number <= source for game in index.games(item.id)}
    counted |= {GameId(seat.id) for item in earlier if item.number <= source for seat in index.seats(item.id)}
    return replace(made, assumed=tuple(sorted(counted.intersection(assumed))))


def list_unfinished_games(index: Index, division: DivisionId) -> tuple[GameId, ...]:
    """Return the published open games and group table seats that can count as draws until they have a result.

    Games of a knockout are left out, because the bracket needs their winners.
    """
    rounds = [item for item in index.published(division) if not _is_knockout_round(index, item)]
    games = [game.id for item in rounds for game in index.open_games(item.id)]
    seats = [seat for item in rounds for seat in index.seats(item.id) if seat.table in index.open_tables(item.id)]
    return (*games, *(GameId(seat.id) for seat in seats))


def _is_knockout_round(index: Index, item: Round) -> bool:
    return get_system(index.tournament.stages[item.stage]).is_knockout


def evaluate_round(
    index: Index,
    division: DivisionId,
    number: int,
    pairs: Sequence[FixedPair],
    *,
    source_round: int | None = None,
    assumed: Sequence[GameId] = (),
    groups: Sequence[tuple[int, tuple[PlayerId, ...]]] = (),
) -> Proposal:
    """Return round `number` with the given pairs, and their tables, starts, reasons and costs.

    `source_round` is the round whose standings are used (None: the usual one). `assumed` are games without a
    result, which count as drawn. `groups` are group tables (of three or four players) with their players.
    Raises RuleViolation: player-twice, player-not-in-round, forbidden-pair.
    """
    stage, system = _find_stage_and_system(index, division, number)
    source = find_source_round(index, stage, system, number) if source_round is None else source_round
    known = Index(assume_draws(index, assumed)) if assumed else index
    field = _make_field(known, stage, system, number=number, source=source, fixed=pairs)
    plan = PairingPlan(list_fixed_pairs(field))
    if groups:
        plan = plan_groups(PairingInput(known, stage, field), index.tournament.rules_of(stage).tables, groups)
    made = _make_full_proposal(index, division, field, plan, system, source=source)
    return replace(made, assumed=tuple(assumed))


def assume_draws(index: Index, games: Collection[GameId]) -> Tournament:
    known = index.tournament
    scores = [points for row in known.results.values() for points in (row.first, row.second) if points is not None]
    even = sum(scores) // len(scores) if scores else 0
    rows = (Result(game, ResultState.ENTERED, even, even) for game in games if game in known.games)
    seats = (known.seats.get(SeatId(key)) for key in games)
    level = (
        replace(seat, points=even, left=False, state=ResultState.ENTERED) for seat in seats if seat is not None
    )
    return known.put(*rows, *level)


def _list_pairs_ordered_by_director(
    index: Index, division: DivisionId, number: int, fixed: Sequence[FixedPair]
) -> list[FixedPair]:
    """List the pairs that the director ordered. Pairs set by hand override orders.

    Raises RuleViolation: ordered-absent, ordered-elsewhere (a fixed table conflicts).
    """
    names, found = index.tournament.players, []
    for row in sorted(index.tournament.constraints.values(), key=lambda row: row.id):
        here = (
            row.kind is ConstraintKind.TOGETHER and row.round == number and names[row.player].division == division
        )
        in_the_way = [pair for pair in fixed if {row.player, row.other} & {pair.first, pair.second}]
        if not here or any(
            pair.code == "by-hand" or {pair.first, pair.second} == {row.player, row.other} for pair in in_the_way
        ):
            continue
        facts = {"first": names[row.player].name, "second": names[row.other].name, "round": number}
        for player in (row.player, row.other):
            if index.find_absence(player, number) is not None:
                raise RuleViolation("ordered-absent", player=names[player].name, **facts)
        if in_the_way:
            raise RuleViolation("ordered-elsewhere", table=in_the_way[0].table, **facts)
        found.append(FixedPair(row.player, row.other, locked=False, code="ordered"))
    return found


def _find_stage_and_system(index: Index, division: DivisionId, number: int) -> tuple[Stage, PairingMethod]:
    if not index.players(division):
        raise RuleViolation("no-players")
    stage = index.find_stage(division, number)
    if stage is None:
        raise RuleViolation("all-rounds-paired", rounds=index.count_planned_rounds(division))
    if stage.system not in SYSTEMS:
        raise RuleViolation("no-such-system", system=stage.system)
    return stage, SYSTEMS[stage.system]


def find_source_round(index: Index, stage: Stage, system: PairingMethod, number: int) -> int:
    """Return the round whose standings are used to pair round `number`.

    The pairing system determines the round. The setting `behind` selects a round that much earlier, but not one
    before the start of a stage with new players or new scores. Systems with fixed seats ignore `behind`.
    """
    needed = system.find_source(index, stage, number)
    if get_system(stage).has_seats:
        return needed
    first = index.first_round(stage.id) - 1
    earliest = 0 if stage.carry and stage.cut is None else first
    return max(needed - stage.settings.behind, min(needed, earliest))


def _choose_valid_source_round(
    index: Index, stage: Stage, system: PairingMethod, number: int, source: int | None
) -> int:
    needed = system.find_source(index, stage, number)
    source = find_source_round(index, stage, system, number) if source is None else source
    earliest = 0 if stage.cut is None else index.first_round(stage.id) - 1  # the cut is made from what came before
    if not min(earliest, needed) <= source <= needed:
        raise RuleViolation("no-such-round", round=source)
    for item in index.published(stage.division):
        tables = index.open_tables(item.id)
        expected_players = item.stage == stage.id or not stage.evening
        if item.number <= source and tables and expected_players:
            code = "results-needed" if _is_knockout_round(index, item) else "results-missing"
            raise RuleViolation(code, round=item.number, tables=tables, n=len(tables))
    return source


def _make_field(
    index: Index, stage: Stage, system: PairingMethod, *, number: int, source: int, fixed: Sequence[FixedPair]
) -> PairingField:
    field = build_field(index, stage.id, number=number, source=source, fixed=fixed)
    _check_fixed_pairs(index, field)
    if system.style is not None:
        field = replace(field, settings=replace(field.settings, style=system.style))
    return field


def _check_fixed_pairs(index: Index, field: PairingField) -> None:
    positions, names = field.map_positions(), index.tournament.players
    seen: set[PlayerId] = set()
    for fixed in field.fixed:
        for player in (fixed.first, fixed.second):
            if player is None:
                continue
            if player not in names:
                raise RuleViolation("no-such-player", player=player)
            if player in seen:
                raise RuleViolation("player-twice", player=names[player].name)
            if player not in positions:
                raise RuleViolation("player-not-in-round", player=names[player].name, round=field.number)
            seen.add(player)
        if fixed.second is not None and frozenset({fixed.first, fixed.second}) in field.forbidden:
            raise RuleViolation("forbidden-pair", first=names[fixed.first].name, second=names[fixed.second].name)


def _make_full_proposal(
    index: Index,
    division: DivisionId,
    field: PairingField,
    plan: PairingPlan,
    system: PairingMethod,
    *,
    source: int,
    with_costs: bool = True,
) -> Proposal:
    based_on = compute_pairing_digest(index, division, field.number, source) if with_costs else ""
    proposal = make_proposal(
        field, plan, system.criteria if with_costs and plan.cost is None else (), based_on=based_on
    )
    stage = index.tournament.stages[field.stage]
    expected_players = find_stage_players(index, stage) if plan.expected_players is None else plan.expected_players
    away = []
    for player in index.players(division):
        absence = index.find_absence(player.id, field.number)
        if absence is not None and absence.kind is not None and player.id in expected_players:
            away.append(ProposedBye(player.id, absence.kind))
    return replace(proposal, byes=proposal.byes + tuple(away), source=source)
