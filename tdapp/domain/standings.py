"""Standings of a division after a round, and the reasons for the ranks.

Players of the current stage rank above those who did not qualify for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import matches
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Division, Player, PlayerId, Stage, StageId
from tdapp.domain.records import (
    Number,
    UnplayedRoundRules,
    compute_fines,
    compute_records,
    fill_missing_rounds,
    is_unplayed_round,
)
from tdapp.domain.ruleset import Worth
from tdapp.domain.stages import (
    count_groups,
    find_counted_rounds,
    find_evening_players,
    find_first_counted_round,
    find_last_published_stage,
    find_players_of_begun_stage,
    list_counting_stages,
    sort_players_by_seat,
    split_in_snake_order,
)
from tdapp.domain.systems import get_system
from tdapp.domain.tiebreaks import TIEBREAKS, RankedField, TieBreak, refuse_invalid_tiebreak_order

T = TypeVar("T")
_BEHIND = 10**9  # more than any average


class Standing(NamedTuple):  # cheap to create: a large event has thousands
    """The row of one player in the standings."""

    player: Player
    rank: int  # players equal in all tie-breaks share it
    active: bool
    units: int  # this and the following fields as in Totals
    wins: int  # wins, draws and losses include byes
    draws: int
    losses: int
    spread: int
    points: int
    starts: int  # without byes and forfeits
    replies: int  # games that the opponent started
    unit: int  # number of units in a match point
    resistance: Number  # in units
    order: tuple[str, ...]  # ids of the tie-breaks
    figures: tuple[Number | None, ...]  # the tie-breaks of `order` in units; `get_value` returns points
    sort_key: tuple[Number | float, ...]  # lowest for the first rank
    stage: StageId | None = None  # the player's last stage
    group: int = 0  # in that stage; 0: none
    place: int = 0  # rank in the group or knockout, before tie-breaks; 0: none
    out: bool = False
    disqualified: bool = False  # ranks last, without a listed rank
    least_games: int = 0  # needed for averages

    @property
    def key(self) -> str:
        return self.player.id

    @property
    def values(self) -> Mapping[str, Number | None]:
        """The values of the tie-breaks in units."""
        return dict(zip(self.order, self.figures, strict=True))

    @property
    def listed_rank(self) -> int | None:
        """The rank, None for a disqualified player."""
        return None if self.disqualified else self.rank

    @property
    def listed_place(self) -> int | None:
        return None if self.disqualified else self.place or None

    @property
    def status(self) -> str:
        return "disqualified" if self.disqualified else "active" if self.active else "withdrawn"

    @property
    def games(self) -> int:
        """The number of decided rounds, including byes."""
        return self.wins + self.draws + self.losses

    @property
    def match_points(self) -> Fraction:
        return Fraction(self.units, self.unit)

    @property
    def games_lost(self) -> Fraction:
        return Fraction(2 * self.losses + self.draws, 2)

    @property
    def resistance_points(self) -> Fraction:
        return Fraction(self.resistance, self.unit)

    def format_values(self, *omitted: str) -> str:
        shown = ((name, self.get_value(name)) for name in self.values if name not in omitted)
        return " ".join(f"{name} {value}" for name, value in shown if value is not None)

    def get_value(self, tiebreak: str) -> Fraction | None:
        """Return a tie-break in points, None if it does not apply."""
        value = self.figures[self.order.index(tiebreak)] if tiebreak in self.order else None
        return TIEBREAKS[tiebreak].convert_to_fraction(value, self.unit)


class StandingRow(Struct, frozen=True):
    """A table row about one player."""

    standing: Standing

    @property
    def key(self) -> str:
        return self.standing.key


class ResistanceContribution(Struct, frozen=True):
    """The points that one round adds to a player's resistance tie-break."""

    round: int
    opponent: Player | None  # None for a bye
    bye: ByeKind | None
    forfeit: bool
    units: Number  # the contribution after all adjustments
    own: int  # match points, in units, that the player won in the round
    dummy: bool = False
    others: tuple[Player, ...] = ()


def find_tiebreak_order(index: Index, division: Division, after: int | None = None) -> tuple[str, ...]:
    if division.order:
        return division.order
    stage = find_last_published_stage(index, division.id, after)
    stages = list_counting_stages(index, stage) if stage else index.stages(division.id)
    return index.tournament.rules_of(division).get_ranking_order(stages[0].system if stages else "other")


def compute_standings(index: Index, division: Division, after: int | None = None) -> tuple[Standing, ...]:
    """Return the standings. Equal players are sorted by number.

    Players who did not qualify follow in the order of their earlier stage. Raises RuleViolation for an unknown
    tie-break.
    """
    return index.cache_by_round("standings", division, after, _compute_standings)


def include_withdrawn_players(division: Division) -> Division:
    """Return the division with withdrawn players listed in the standings."""
    return division if division.list_withdrawn else replace(division, list_withdrawn=True)


def _compute_standings(index: Index, division: Division, after: int | None) -> tuple[Standing, ...]:
    return _move_disqualified_last(index, _rank_division(index, division, after), after)


def _move_disqualified_last(index: Index, rows: tuple[Standing, ...], after: int | None) -> tuple[Standing, ...]:
    penalised = {sanction.player for sanction in index.tournament.sanctions.values()}
    out = {player for player in penalised if index.is_disqualified(player, after)}
    gone = [row for row in rows if row.player.id in out] if out else []
    if not gone:
        return rows
    found = []
    for row in rows:
        if row.player.id not in out:
            in_group = sum(one.group == row.group and one.place < row.place for one in gone) if row.group else 0
            above = sum(one.rank < row.rank for one in gone)
            found.append(row._replace(rank=row.rank - above, place=row.place - in_group))
    last = len(found) + 1
    return (*found, *(row._replace(rank=last, disqualified=True) for row in gone))


def _rank_division(index: Index, division: Division, after: int | None) -> tuple[Standing, ...]:
    names = find_tiebreak_order(index, division, after)
    refuse_invalid_tiebreak_order(names)
    players = index.players(division.id)
    coming = index.get_last_published(division.id, after) + 1
    absent = {row.player for row in index.tournament.absences.values()}
    left = {player for player in absent if index.has_withdrawn_in_round(player, coming)}
    listed = [one for one in players if division.list_withdrawn or one.id not in left]
    stage = find_last_published_stage(index, division.id, after)
    if stage is not None and stage.play_off:
        rows = _list_earlier_standings(index, division, stage, listed, left)
        return _reorder_by_play_off_ranks(rows, _rank_knockout(index, stage, after))
    field = build_ranked_field(index, division, after, stage)
    ranking = _StageRanking(index, field, [TIEBREAKS[name] for name in names], stage, left)
    if stage is None:
        return ranking.rank_players(listed)
    if stage.evening:  # only the players who came
        came = find_evening_players(index, stage, after)
        return ranking.rank_players([player for player in players if player.id in came])
    inside = find_players_of_begun_stage(index, stage)
    playing = [player for player in listed if inside is None or player.id in inside]
    found = ranking.rank_stage(stage, playing, after)
    if len(playing) == len(listed):
        return found
    outside = [player for player in listed if player not in playing]
    return found + _rank_below_qualified_players(
        _list_earlier_standings(index, division, stage, outside, left), len(playing)
    )


class _StageRanking(Struct, frozen=True):
    index: Index
    field: RankedField
    order: Sequence[TieBreak]
    stage: Stage | None
    left: Set[PlayerId]

    def rank_stage(self, stage: Stage, playing: Sequence[Player], after: int | None) -> tuple[Standing, ...]:
        if get_system(stage).is_knockout:
            return self._rank_by_bracket(playing, _rank_knockout(self.index, stage, after))
        if count_groups(stage) > 1:
            return self._rank_by_group(stage, playing)
        return self.rank_players(playing)

    def _rank_by_bracket(self, playing: Sequence[Player], reached: Mapping[PlayerId, int]) -> tuple[Standing, ...]:
        """Rank the players of a knockout. A rank is vacant if both players forfeited the match for it."""
        unlisted = reached.keys() - {player.id for player in playing}
        parts: dict[int, list[Player]] = {}
        for player in playing:
            parts.setdefault(reached.get(player.id, len(playing)), []).append(player)
        found: list[Standing] = []
        for place in sorted(parts):
            above = sum(reached[player] < place for player in unlisted)
            rank = max(len(found) + 1, min(place, len(playing)) - above)
            rows = {row.player.id: row for row in self.rank_players(parts[place])}
            found += (rows[one.id]._replace(rank=rank, place=place) for one in parts[place])
        return tuple(found)

    def _rank_by_group(self, stage: Stage, playing: Sequence[Player]) -> tuple[Standing, ...]:
        parts: dict[int, list[Player]] = {}
        group_of: dict[PlayerId, int] = {}
        for number, seats in enumerate(
            split_in_snake_order(sort_players_by_seat(self.index, stage.id), count_groups(stage)), start=1
        ):
            for row in self.rank_players([player for player in playing if player.id in seats]):
                group_of[row.player.id] = number
                parts.setdefault(row.rank, []).append(row.player)
        found: list[Standing] = []
        for place in sorted(parts):
            above = len(found)
            for row in self.rank_players(sorted(parts[place], key=lambda player: player.number)):
                group = group_of[row.player.id]
                found.append(row._replace(rank=above + row.rank, group=group, place=place))
        return tuple(found)

    def rank_players(self, listed: Sequence[Player]) -> tuple[Standing, ...]:
        players = [player.id for player in listed]
        columns: list[list[Number | None]] = []
        keys: list[list[Number | float]] = []
        for tiebreak in self.order:
            found: dict[PlayerId, Number | None] = {}
            for group in (
                _group_equal_players(_map_columns_to_players(players, keys)) if tiebreak.among_tied else [players]
            ):
                found.update(tiebreak.values(self.field, group))
            columns.append([found[player] for player in players])
            keys.append(
                self._lower_keys_of_players_with_few_games(
                    tiebreak, players, tiebreak.compute_sort_keys(columns[-1])
                )
            )
        names = tuple(tiebreak.id for tiebreak in self.order)
        figures, lines = _map_columns_to_players(players, columns), _map_columns_to_players(players, keys)
        field, stage = self.field, self.stage.id if self.stage else None
        rows: list[Standing] = []
        for group in _group_equal_players(lines):
            rank = len(rows) + 1
            for player in group:
                row = (field.players[player], rank, player not in self.left, *field.totals[player],
                       field.terms.unit, field.resistance[player], names, figures[player], lines[player],
                       stage, 0, 0, False, False, field.least_games)  # fmt: skip
                rows.append(tuple.__new__(Standing, row))
        return tuple(rows)

    def _lower_keys_of_players_with_few_games(
        self, tiebreak: TieBreak, players: Sequence[PlayerId], keys: list[Number | float]
    ) -> list[Number | float]:
        field = self.field
        if not tiebreak.needs_games or not field.least_games:
            return keys
        pairs = zip(players, keys, strict=True)
        return [key + _BEHIND * (field.count_games(player) < field.least_games) for player, key in pairs]


def _map_columns_to_players(
    players: Sequence[PlayerId], columns: Sequence[Sequence[T]]
) -> dict[PlayerId, tuple[T, ...]]:
    lines = list(zip(*columns, strict=True)) or [()] * len(players)
    return dict(zip(players, lines, strict=True))


def _group_equal_players(keys: Mapping[PlayerId, tuple[Number | float, ...]]) -> list[list[PlayerId]]:
    ascending = sorted(keys, key=keys.__getitem__)  # stable: equal players stay sorted by number
    return [list(part) for _, part in groupby(ascending, key=keys.__getitem__)]


def _list_earlier_standings(
    index: Index, division: Division, stage: Stage, listed: Iterable[Player], left: Set[PlayerId]
) -> tuple[Standing, ...]:
    wanted = {player.id for player in listed}
    before = compute_standings(index, include_withdrawn_players(division), index.first_round(stage.id) - 1)
    return tuple(row._replace(active=row.player.id not in left) for row in before if row.player.id in wanted)


def _rank_below_qualified_players(earlier: Sequence[Standing], qualified_count: int) -> tuple[Standing, ...]:
    ranks = [row.rank for row in earlier]  # ascending
    return tuple(
        row._replace(rank=qualified_count + 1 + bisect_left(ranks, row.rank), out=True) for row in earlier
    )


def _reorder_by_play_off_ranks(
    earlier: Sequence[Standing], play_off_ranks: Mapping[PlayerId, int]
) -> tuple[Standing, ...]:
    keys = {row.key: (row.rank, play_off_ranks.get(row.player.id, len(earlier))) for row in earlier}
    ascending = sorted(keys.values())
    rows = [row._replace(rank=1 + bisect_left(ascending, keys[row.key])) for row in earlier]
    return tuple(sorted(rows, key=lambda row: row.rank))


def _rank_knockout(index: Index, stage: Stage, after: int | None) -> Mapping[PlayerId, int]:
    seeds = {seed.number: seed.player for seed in index.seeds(stage.id)}
    return matches.rank_knockout_players(matches.build_matches(index, stage, seeds, after))


def explain_resistance(
    index: Index, division: Division, player: PlayerId, after: int | None = None
) -> tuple[ResistanceContribution, ...]:
    field = index.cache_by_round("field", division, after, _build_field_after_round)
    rounds = zip(field.decided[player].entries, field.list_resistance_contributions(player), strict=True)
    return tuple(
        ResistanceContribution(
            round=entry.round,
            opponent=field.players[entry.opponent] if entry.opponent else None,
            bye=entry.bye,
            forfeit=entry.forfeit,
            units=contribution,
            own=entry.units,
            dummy=field.terms.uses_dummies and is_unplayed_round(entry),
            others=tuple(field.players[one] for one in entry.others),
        )
        for entry, contribution in rounds
    )


def _build_field_after_round(index: Index, division: Division, after: int | None) -> RankedField:
    return build_ranked_field(index, division, after, find_last_published_stage(index, division.id, after))


def build_ranked_field(index: Index, division: Division, after: int | None, stage: Stage | None) -> RankedField:
    """Return the data for the tie-breaks after a round, with the results that count in `stage` (None: all).

    If FIDE's rules for unplayed rounds apply, a round for which a player has no record counts as an absence.
    """
    rules = index.tournament.rules_of(division)
    known = compute_records(index, division, after)
    rounds = [item.number for item in index.published(division.id, after)]
    counting = find_counted_rounds(index, stage) if stage else frozenset(rounds)
    if not counting.issuperset(rounds):
        rounds = [number for number in rounds if number in counting]
        known = {player: tuple(row for row in record if row.round in counting) for player, record in known.items()}
    terms = UnplayedRoundRules(
        division.unplayed,
        rules.unit,
        rules.convert_to_units(Worth.WIN),
        rules.convert_to_units(Worth.DRAW),
        len(rounds),
    )
    if terms.uses_dummies:
        known = fill_missing_rounds(known, rounds)
    fined = compute_fines(index, division, after, since=find_first_counted_round(index, stage) if stage else 1)
    players = index.players(division.id)
    return index.update_cache(
        ("field", division.id, after in {None, index.get_last_published(division.id)}),
        (),
        lambda earlier: RankedField(players, known, fined, terms, rules.least_games, earlier),
    )


class RankReason(Struct, frozen=True):
    """Why a player ranks above another, as a code with facts."""

    code: str  # id of the tie-break that decides, or another reason
    facts: Mapping[str, str | int | Fraction]


def find_vacant_ranks(rows: Sequence[Standing]) -> tuple[int, ...]:
    """Return the ranks whose match both players forfeited."""
    ranks = [row.listed_rank for row in rows if row.listed_rank is not None]
    places = range(1, len(ranks) + 1)
    return tuple(place for place in places if place not in ranks and sum(one < place for one in ranks) < place)


def explain_rank(player: Standing, other: Standing) -> RankReason:
    facts: dict[str, str | int | Fraction] = {"player": player.player.name, "other": other.player.name}
    staged = _find_stage_reason(player, other)
    if staged:
        return RankReason(staged, MappingProxyType({**facts, "place": player.place, "other_place": other.place}))
    for (tiebreak, _), key, lower in zip(player.values.items(), player.sort_key, other.sort_key, strict=True):
        if key == lower:
            continue
        value, worse = player.get_value(tiebreak), other.get_value(tiebreak)
        facts["tiebreak"] = tiebreak
        if TIEBREAKS[tiebreak].needs_games and other.games < other.least_games <= player.games:
            facts["n"] = other.least_games - other.games
            return RankReason("games-short", MappingProxyType(facts))
        if value is None or worse is None:
            return RankReason("no-value", MappingProxyType(facts))
        return RankReason(tiebreak, MappingProxyType({**facts, "value": value, "other_value": worse}))
    if player.rank != other.rank:
        return RankReason("play-off", MappingProxyType(facts))
    numbers = {"number": player.player.number, "other_number": other.player.number}
    return RankReason("equal", MappingProxyType({**facts, **numbers}))


def _find_stage_reason(player: Standing, other: Standing) -> str:
    if other.disqualified and not player.disqualified:
        return "other-disqualified"
    if player.stage != other.stage:
        return "stage-played"
    if player.place != other.place:
        return "group-place" if player.group else "bracket-place"
    return "equal-in-bracket" if player.place and not player.group else ""


def explain_ranks(rows: Sequence[Standing]) -> Mapping[str, RankReason]:
    return MappingProxyType({row.key: explain_rank(row, below) for row, below in pairwise(rows)})
