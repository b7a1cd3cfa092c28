"""Proposals for a division's rounds: made by its stage's system, set by hand, or compared.

Hides which standings a system needs and what must be known before it may pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, PlayerId, Stage
from tdapp.domain.proposal import Proposal, ProposedBye, fingerprint
from tdapp.pairing.australian import AUSTRALIAN
from tdapp.pairing.factor import FACTOR
from tdapp.pairing.field import Field, Fixed, field_of
from tdapp.pairing.kingofthehill import KING_OF_THE_HILL
from tdapp.pairing.knockout import KNOCKOUT
from tdapp.pairing.lot import RANDOM
from tdapp.pairing.manual import MANUAL
from tdapp.pairing.quartiles import QUARTILES
from tdapp.pairing.roundrobin import ROUND_ROBIN
from tdapp.pairing.snakegroups import SNAKE_GROUPS
from tdapp.pairing.swiss import SWISS
from tdapp.pairing.system import Plan, Situation, System, drafted, fixed_pairs
from tdapp.pairing.teams import TEAM_ROUND_ROBIN, TEAM_SWISS

_KNOWN = (
    SWISS,
    ROUND_ROBIN,
    KING_OF_THE_HILL,
    FACTOR,
    QUARTILES,
    AUSTRALIAN,
    SNAKE_GROUPS,
    TEAM_SWISS,
    TEAM_ROUND_ROBIN,
    RANDOM,
    KNOCKOUT,
    MANUAL,
)

SYSTEMS: Mapping[str, System] = MappingProxyType({system.id: system for system in _KNOWN})


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A proposal with some pairs set, and what it costs more (or less, below 0) by criterion."""

    proposal: Proposal
    difference: tuple[tuple[str, int], ...]


def propose(
    index: Index, division: DivisionId, *, fixed: Sequence[Fixed] = (), source_round: int | None = None
) -> Proposal:
    """Return the pairings of a division's next round: the one after the last published.

    `fixed` pairs are kept. `source_round` is the round whose standings count, by default the last one. Raise
    RuleViolation where the round cannot be paired: no-players, all-rounds-paired, no-such-system, too-few-players,
    results-missing, no-pairing-possible, and those of the systems.
    """
    earlier = index.published(division)
    number = earlier[-1].number + 1 if earlier else 1
    stage, system = _system(index, division, number)
    source = _checked_source(index, stage, system, number, source_round)
    field = _field(index, division, stage, system, number=number, source=source, fixed=fixed)
    if len(field.entrants) < 2:  # noqa: PLR2004
        raise RuleViolation("too-few-players", players=len(field.entrants), round=number)
    plan = system.plan(Situation(index, stage, field))
    return _with_absences(index, division, field, plan, system)


def evaluate(
    index: Index,
    division: DivisionId,
    number: int,
    pairs: Sequence[Fixed],
    *,
    source_round: int | None = None,
) -> Proposal:
    """Return round `number` as `pairs` make it, with tables, starts, reasons and costs.

    Measured on the standings of the round that its system pairs by, complete or not. Raise RuleViolation for
    player-twice, player-not-in-round or forbidden-pair.
    """
    stage, system = _system(index, division, number)
    source = system.source(index, stage, number) if source_round is None else source_round
    field = _field(index, division, stage, system, number=number, source=source, fixed=pairs)
    return _with_absences(index, division, field, Plan(fixed_pairs(field)), system)


def what_if(
    index: Index,
    division: DivisionId,
    proposal: Proposal,
    pairs: Sequence[tuple[PlayerId, PlayerId | None]],
    *,
    source_round: int | None = None,
) -> WhatIf:
    """Return the best pairing in which `pairs` meet (None: has the bye), beside the locked tables of `proposal`.

    A locked table gives way where one of its players is in `pairs`.
    """
    wanted = [Fixed(first, second, code="by-hand") for first, second in pairs]
    moved = {player for pair in pairs for player in pair}
    kept = [
        Fixed(game.first, game.second, game.table, keep_start=True)
        for game in proposal.games
        if game.locked and not moved & {game.first, game.second}
    ]
    found = propose(index, division, fixed=[*wanted, *kept], source_round=source_round)
    return WhatIf(found, difference(proposal, found))


def difference(before: Proposal, after: Proposal) -> tuple[tuple[str, int], ...]:
    """Return by criterion what `after` costs more than `before`."""
    old = dict(before.cost)
    return tuple((name, value - old.get(name, 0)) for name, value in after.cost)


def _system(index: Index, division: DivisionId, number: int) -> tuple[Stage, System]:
    if not index.players(division):
        raise RuleViolation("no-players")
    stage = index.stage_for(division, number)
    if stage is None:
        raise RuleViolation("all-rounds-paired", rounds=index.planned_rounds(division))
    if stage.system not in SYSTEMS:
        raise RuleViolation("no-such-system", system=stage.system)
    return stage, SYSTEMS[stage.system]


def _checked_source(index: Index, stage: Stage, system: System, number: int, wanted: int | None) -> int:
    needed = system.source(index, stage, number)
    source = needed if wanted is None else wanted
    if not 0 <= source <= needed:
        raise RuleViolation("no-such-round", round=source)
    for item in index.published(stage.division):
        missing = index.open_games(item.id)
        if item.number <= source and missing:
            tables = tuple(game.table for game in missing)
            raise RuleViolation("results-missing", round=item.number, tables=tables)
    return source


def _field(
    index: Index,
    division: DivisionId,
    stage: Stage,
    system: System,
    *,
    number: int,
    source: int,
    fixed: Sequence[Fixed],
) -> Field:
    field = field_of(index, division, stage=stage.id, number=number, source=source, fixed=fixed)
    _check_fixed(index, field)
    if system.style is not None:
        field = replace(field, settings=replace(field.settings, style=system.style))
    return field


def _check_fixed(index: Index, field: Field) -> None:
    """Raise RuleViolation for fixed pairs that cannot be."""
    places, names = field.places(), index.tournament.players
    seen: set[PlayerId] = set()
    for fixed in field.fixed:
        for player in (fixed.first, fixed.second):
            if player is None:
                continue
            if player not in names:
                raise RuleViolation("no-such-player", player=player)
            if player in seen:
                raise RuleViolation("player-twice", player=names[player].name)
            if player not in places:
                raise RuleViolation("player-not-in-round", player=names[player].name, round=field.number)
            seen.add(player)
        if fixed.second is not None and frozenset({fixed.first, fixed.second}) in field.forbidden:
            raise RuleViolation("forbidden-pair", first=names[fixed.first].name, second=names[fixed.second].name)


def _with_absences(index: Index, division: DivisionId, field: Field, plan: Plan, system: System) -> Proposal:
    proposal = drafted(field, plan, system.criteria, based_on=fingerprint(index, division, field.number))
    away = []
    for player in index.players(division):
        absence = index.absence(player.id, field.number)
        concerned = plan.concerned is None or player.id in plan.concerned
        if absence is not None and absence.kind is not None and concerned:
            away.append(ProposedBye(player.id, absence.kind))
    return replace(proposal, byes=proposal.byes + tuple(away))
