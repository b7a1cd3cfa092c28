"""Chances of all players in a division, as a table of ranks.

Finds the next round and open games, and the value of ranks: a prize, or a place in the next stage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, Player, PlayerId, Stage
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.systems import system_of
from tdapp.domain.tables.table import Column, Kind, Table, item_columns
from tdapp.pairing.clinch_bounds import Contender, Contest, Fate, compute_fates
from tdapp.pairing.field import Field, Tick, field_of, no_tick
from tdapp.pairing.prize_race import (
    Outlook,
    compute_outlook,
    contest_of,
    ending_of,
    find_cut,
    listed_ranks,
    seed_of,
    uncounted_games,
)
from tdapp.pairing.system import free_places
from tdapp.pairing.systems.cop import GROUPS, rules_of

MOST_COLUMNS = 8  # places with a column of their own


class Prospect(Struct, frozen=True):
    """Chances of one player: `shares` of each rank from the first, `prize` of any prize rank.

    If the next stage takes only the best, `prize` and `fate` are about qualifying.
    """

    key: str
    place: int
    player: Player
    points: Fraction
    spread: int
    fate: Fate
    prize: Fraction
    shares: tuple[Fraction, ...]


class PrizeDemands(Struct, frozen=True):
    """Requirements of prize-aware pairing in the next round. All ranks count from 1.

    `code` is that of `cop.Rule`. `pairs` must meet, `groups` play among themselves, one of `takers` has the
    bye.
    """

    code: str
    pairs: tuple[tuple[int, int], ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    takers: tuple[int, ...] = ()


class Forecast(Struct, frozen=True):
    """Chances of a division after round `after`, or during it if `running`, from `times` simulations.

    `open_games` have no result yet. Rows and ranks are those of the standings; withdrawn players keep a rank
    without a row. `places` have a prize; `listed`: from the prize list. If only the best `cut` qualify,
    `places` are theirs; otherwise `cut` is 0. `later_rounds` counts rounds of later stages. `coming` is empty
    if another system pairs the next round or it cannot be paired yet. `shared`: some simulations share ranks.
    """

    after: int
    open_games: int
    rounds_left: int
    places: int
    listed: bool
    times: int
    rows: tuple[Prospect, ...]
    coming: tuple[PrizeDemands, ...] = ()
    running: bool = False
    shared: bool = False
    cut: int = 0
    later_rounds: int = 0


class Passage(StrEnum):
    """Certainty of qualifying for the next stage."""

    THROUGH = "through"
    IN_REACH = "in-reach"
    OUT = "out"


_PASSAGES = {
    Fate.DECIDED: Passage.THROUGH,
    Fate.SAFE: Passage.THROUGH,
    Fate.IN_REACH: Passage.IN_REACH,
    Fate.OUT_OF_REACH: Passage.OUT,
}


def compute_forecast(index: Index, division: DivisionId, *, tick: Tick = no_tick) -> Forecast:
    """Return all chances. Players absent from the next round are omitted.

    Open games are simulated as paired. `tick` gets the progress and may raise to stop. Raises RuleViolation
    for too-few-for-chances and chances-in-knockout.
    """
    published = index.published(division)
    after = published[-1].number if published else 0
    stage = _next_stage(index, division, after)
    if system_of(stage).bracket:
        raise RuleViolation("chances-in-knockout")
    field = field_of(index, stage.id, number=after + 1, source=after)
    if len(field.entrants) < 2:  # noqa: PLR2004
        raise RuleViolation("too-few-for-chances")
    opening = uncounted_games(index, field, open_only=True)
    contest = contest_of(index, stage, field, opening=opening)
    contest = replace(contest, ending=ending_of(index, stage, field, opening))
    following = find_cut(index, stage)
    cut = 0 if following is None or following.cut is None else min(following.cut, contest.count)
    if cut:
        contest = replace(contest, places=cut, bare=frozenset())
    found = compute_outlook(contest, stage.settings.contention, seed=seed_of(field), tick=tick)
    return Forecast(
        after=index.counted(division),
        running=bool(opening) and index.counted(division) == after,
        open_games=sum(map(len, opening.values())),
        rounds_left=contest.rounds_left,
        places=sum(place not in contest.bare for place in range(contest.places)),
        listed=bool(listed_ranks(index, division)),
        times=found.chances.times,
        rows=_make_rows(index, field, found),
        coming=() if opening else _future_demands(index, division, field, tick),
        shared=found.chances.shared,
        cut=cut,
        later_rounds=max(0, index.planned_rounds(division) - after - contest.rounds_left),
    )


def _future_demands(index: Index, division: DivisionId, field: Field, tick: Tick) -> tuple[PrizeDemands, ...]:
    stage = index.stage_for(division, field.number)
    if stage is None or stage.id != field.stage or not system_of(stage).heeds("contention"):
        return ()
    found = compute_outlook(
        contest_of(index, stage, field), stage.settings.contention, seed=seed_of(field), tick=tick
    )
    rules = rules_of(field, found, free_places(field))
    groups = tuple(tuple(place + 1 for place in sorted(group)) for group in found.parts.members)
    return tuple(
        PrizeDemands(
            rule.code,
            tuple(sorted((one + 1, other + 1) for one, other in rule.pairs)),
            groups if rule.code == GROUPS else (),
            tuple(place + 1 for place in rule.takers),
        )
        for rule in rules
    )


def forecast_table(found: Forecast) -> Table[Prospect]:
    """Return the chances as a table with a column for each of the first ranks."""
    places = max((len(row.shares) for row in found.rows), default=0)
    shown = min(places, MOST_COLUMNS)
    columns: list[Column[Prospect]] = [
        Column("place", Kind.NUMBER, lambda row: row.place),
        Column("name", Kind.NAME, lambda row: row.player.name),
        Column("score", Kind.POINTS, lambda row: row.points),
        Column("spread", Kind.SIGNED, lambda row: row.spread),
        Column("fate", Kind.CODE, lambda row: _PASSAGES[row.fate] if found.cut else row.fate),
        Column("prize", Kind.SHARE, lambda row: row.prize, words="passage" if found.cut else ""),
    ]
    columns += item_columns(Kind.SHARE, "shares", (str(place) for place in range(1, shown + 1)))
    if shown < places:
        columns.append(Column("lower", Kind.SHARE, lambda row: 1 - sum(filter(None, row.shares[:MOST_COLUMNS]))))
    return Table("chances", tuple(columns), found.rows)


def _next_stage(index: Index, division: DivisionId, after: int) -> Stage:
    stage = index.stage_for(division, max(after, 1))
    if stage is None:
        raise RuleViolation("all-rounds-paired", rounds=index.planned_rounds(division))
    return stage


def _make_rows(index: Index, field: Field, found: Outlook) -> tuple[Prospect, ...]:
    times, contest = found.chances.times, found.contest
    division = index.tournament.divisions[index.tournament.stages[field.stage].division]
    ranked = compute_standings(index, division, index.counted(division.id))
    places = {row.player.id: row.rank for row in ranked}
    certain = _certain_fates(contest, ranked)
    with_prize = [place for place in range(contest.places) if place not in contest.bare]
    counted = found.chances.counts[: contest.count].tolist()
    rows = (
        Prospect(
            key=entrant.player,
            place=places[entrant.player],
            player=index.tournament.players[entrant.player],
            points=Fraction(entrant.points),
            spread=entrant.spread,
            fate=certain[entrant.player],
            prize=Fraction(sum(counts[one] for one in with_prize), times),
            shares=tuple(Fraction(count, times) for count in counts),
        )
        for entrant, counts in zip(field.entrants, counted, strict=True)
    )
    return tuple(sorted(rows, key=attrgetter("place")))


def _certain_fates(contest: Contest, ranked: Sequence[Standing]) -> Mapping[PlayerId, Fate]:
    here = {one.player: one for one in contest.contenders}
    by_points = not contest.win
    away = {
        row.player.id: Contender(
            row.player.id, 0 if by_points else row.units, 2 * row.points if by_points else row.spread
        )
        for row in ranked
        if contest.ending is not None and row.player.id in contest.ending.groups and row.player.id not in here
    }
    ranks = {row.player.id: row.rank for row in ranked}
    contenders = sorted((*here.values(), *away.values()), key=lambda one: ranks[one.player])
    found = compute_fates(replace(contest, contenders=tuple(contenders)))
    return {one.player: fate for one, fate in zip(contenders, found, strict=True)}
