"""Compute the table of a season from the results of its evenings. It is never stored."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.season_rule import EveningResultMeasure, SeasonRule, SeasonTieBreak, SeasonTotalMethod


class EveningResult(Struct, frozen=True):
    """The result of a player at an evening."""

    player: str  # key of the member
    rank: int = 0
    field: int = 0  # number of players who took part
    tied_count: int = 1  # number of players with the same rank
    points: int = 0
    spread: int = 0
    games: int = 0
    match_points: Fraction = Fraction(0)
    top_points: int = 0  # highest number of points of any player
    # opponents with the match points won against each; at a group table, more points count as a win
    meetings: tuple[tuple[str, Fraction], ...] = ()
    value: Fraction | None = None  # of an imported result, otherwise None
    games_without_points: int = 0  # games that do not count in averages, such as a bye without points

    @property
    def game_count_for_averages(self) -> int:
        return self.games - self.games_without_points

    @property
    def average_rank_of_tied_players(self) -> Fraction:
        return self.rank + Fraction(self.tied_count - 1, 2)


class SeasonEvening(Struct, frozen=True):
    """An evening of a season, with the results of its players."""

    key: str
    date: str  # in ISO 8601, or ""
    name: str
    results: tuple[EveningResult, ...]
    imported: bool = False  # only `EveningResult.value` is known


class SeasonMember(Struct, frozen=True):
    """A player of a season."""

    key: str
    name: str
    category: str = ""
    rating: int | None = None


class SeasonCellState(StrEnum):
    """Whether a result counts, and why not."""

    COUNTS = "counts"
    LOWER = "lower"  # lower than the results that count
    SPREAD = "spread"  # dropped because of its smaller spread
    EARLIER = "earlier"  # dropped as the earlier of equal results
    EXPIRED = "expired"


class SeasonCell(Struct, frozen=True):
    """A cell of the season table: a player's result at one evening."""

    evening: SeasonEvening
    result: EveningResult
    # the number that enters the season total, for example points or a percentage
    value: Fraction
    state: SeasonCellState = SeasonCellState.COUNTS

    @property
    def is_counted_in_total(self) -> bool:
        return self.state is SeasonCellState.COUNTS


class PromotionOrRelegation(StrEnum):
    """A change of category after the season."""

    UP = "up"
    DOWN = "down"
    NONE = ""


class SeasonLine(Struct, frozen=True):
    """A player's row of the season table."""

    member: SeasonMember
    rank: int | None  # None if evenings or games are missing
    total: Fraction
    cells: tuple[SeasonCell, ...]  # in order of date
    events_short: int = 0  # number of evenings missing for a rank
    games_short: int = 0  # number of games missing for a rank
    category: str = ""
    moved: int | None = None  # ranks gained since the last evening; None if the player had no rank
    shift: PromotionOrRelegation = PromotionOrRelegation.NONE
    qualified: str = ""  # key of the evening at which the player qualified, "rating", or ""

    @property
    def key(self) -> str:
        return self.member.key

    @property
    def counting_cells(self) -> tuple[SeasonCell, ...]:
        return tuple(cell for cell in self.cells if cell.is_counted_in_total)

    @property
    def unexpired_cells(self) -> tuple[SeasonCell, ...]:
        return tuple(cell for cell in self.cells if cell.state is not SeasonCellState.EXPIRED)

    @property
    def unexpired_result_count(self) -> int:
        return len(self.unexpired_cells)

    @property
    def unexpired_game_count(self) -> int:
        return sum(cell.result.games for cell in self.unexpired_cells)

    @property
    def game_points_of_unexpired_results(self) -> int:
        return sum(cell.result.points for cell in self.unexpired_cells)

    @property
    def spread_of_unexpired_results(self) -> int:
        return sum(cell.result.spread for cell in self.unexpired_cells)

    @property
    def unexpired_games_with_points_count(self) -> int:
        return sum(cell.result.game_count_for_averages for cell in self.unexpired_cells)

    @property
    def points_per_game(self) -> Fraction | None:
        games = self.unexpired_games_with_points_count
        return Fraction(self.game_points_of_unexpired_results, games) if games else None


def compute_season_table(
    rule: SeasonRule, evenings: Sequence[SeasonEvening], members: Mapping[str, SeasonMember], on_date: str = ""
) -> tuple[SeasonLine, ...]:
    """Return the table after the evenings up to `on_date` ("": all), by category, then by rank.

    Results do not count if they have expired by `on_date` ("": by the last evening).
    """
    held_evenings = sorted(
        (evening for evening in evenings if not on_date or evening.date <= on_date), key=attrgetter("date")
    )
    on_date = on_date or (held_evenings[-1].date if held_evenings else "")
    lines = _make_ranked_season_lines(rule, held_evenings, members, on_date)
    if not held_evenings:
        return lines
    last_date = held_evenings[-1].date
    earlier_evenings = (
        [evening for evening in held_evenings if evening.date != last_date] if last_date else held_evenings[:-1]
    )
    old_ranks = {
        line.key: line.rank
        for line in _make_ranked_season_lines(
            rule, earlier_evenings, members, earlier_evenings[-1].date if earlier_evenings else ""
        )
    }
    lines = tuple(replace(line, moved=_count_ranks_gained(old_ranks.get(line.key), line.rank)) for line in lines)
    return _mark_qualified_players(rule, held_evenings, _mark_promotions_and_relegations(rule, lines))


def _count_ranks_gained(old_rank: int | None, new_rank: int | None) -> int | None:
    return None if old_rank is None or new_rank is None else old_rank - new_rank


def _make_ranked_season_lines(
    rule: SeasonRule, held_evenings: Sequence[SeasonEvening], members: Mapping[str, SeasonMember], day: str
) -> tuple[SeasonLine, ...]:
    cells_by_key: dict[str, list[SeasonCell]] = defaultdict(list)
    for evening in held_evenings:
        for cell in _make_evening_cells(rule, evening, members):
            cells_by_key[cell.result.player].append(cell)
    least_events = rule.compute_event_count_needed_for_rank(len(held_evenings))
    lines = [
        _make_season_line(rule, members[key], cells, day, least_events) for key, cells in cells_by_key.items()
    ]
    ranked_lines: list[SeasonLine] = []
    for category in (*rule.categories, "") if rule.categories else ("",):
        category_lines = [
            replace(line, category=category) for line in lines if find_category(rule, line.member) == category
        ]
        ranked_lines += _sort_and_rank_lines_of_category(rule, held_evenings, category_lines)
    return tuple(ranked_lines)


def find_category(rule: SeasonRule, member: SeasonMember) -> str:
    categories = {part.strip().casefold() for part in member.category.split(",")}
    return next((category for category in rule.categories if category.casefold() in categories), "")


def _make_evening_cells(
    rule: SeasonRule, evening: SeasonEvening, members: Mapping[str, SeasonMember]
) -> Iterable[SeasonCell]:
    results = evening.results
    if rule.apart and not evening.imported:
        groups: dict[str, list[EveningResult]] = defaultdict(list)
        for result in results:
            groups[find_category(rule, members[result.player])].append(result)
        results = tuple(result for group in groups.values() for result in rank_results_of_one_category(group))
    return (SeasonCell(evening, result, compute_evening_result_value(rule, result)) for result in results)


def rank_results_of_one_category(results: Sequence[EveningResult]) -> Iterable[EveningResult]:
    ranks = sorted(result.rank for result in results)
    top = max((result.points for result in results), default=0)
    for result in results:
        rank, tied_count = 1 + bisect_left(ranks, result.rank), ranks.count(result.rank)
        yield replace(result, rank=rank, tied_count=tied_count, field=len(results), top_points=top)


def compute_evening_result_value(rule: SeasonRule, result: EveningResult) -> Fraction:
    return result.value if result.value is not None else rule.scale * _VALUES[rule.value](rule, result)


def _compute_points_for_place(rule: SeasonRule, result: EveningResult) -> Fraction:
    if not rule.places:
        return result.field + 1 - result.average_rank_of_tied_players
    ranks = range(result.rank, result.rank + result.tied_count)
    points = [rule.places[rank - 1] for rank in ranks if rank <= len(rule.places)]
    return sum(points, Fraction(0)) / result.tied_count


def _compute_percentage_of_players_below(_rule: SeasonRule, result: EveningResult) -> Fraction:
    other_count = result.field - 1
    return (
        100 * (result.field - result.average_rank_of_tied_players) / other_count if other_count else Fraction(100)
    )


_VALUES: Mapping[EveningResultMeasure, Callable[[SeasonRule, EveningResult], Fraction]] = {
    EveningResultMeasure.PLACE: _compute_points_for_place,
    EveningResultMeasure.FIELD: _compute_percentage_of_players_below,
    EveningResultMeasure.MATCH_POINTS: lambda _, result: result.match_points,
    EveningResultMeasure.POINTS: lambda _, result: Fraction(result.points),
    EveningResultMeasure.AVERAGE: lambda _, result: Fraction(result.points, result.game_count_for_averages or 1),
    EveningResultMeasure.SPREAD: lambda _, result: Fraction(result.spread),
    EveningResultMeasure.TOP: lambda _, result: Fraction(100 * result.points, result.top_points or 1),
    EveningResultMeasure.PLACING: lambda rule, result: Fraction(
        result.rank <= rule.count_qualifying_places(result.field)
    ),
}


def _make_season_line(
    rule: SeasonRule, member: SeasonMember, cells: Sequence[SeasonCell], day: str, least_events: int
) -> SeasonLine:
    cells = [
        replace(cell, state=SeasonCellState.EXPIRED) if _has_expired(rule, cell, day) else cell for cell in cells
    ]
    cells = _mark_cells_not_among_best(rule, cells)
    line = SeasonLine(
        member,
        None,
        compute_total_of_counted_cells(rule, [cell for cell in cells if cell.is_counted_in_total]),
        tuple(cells),
    )
    return replace(
        line,
        events_short=max(0, least_events - line.unexpired_result_count),
        games_short=max(0, rule.least_games - line.unexpired_game_count),
    )


def _has_expired(rule: SeasonRule, cell: SeasonCell, day: str) -> bool:
    if not (rule.expiry and day and cell.evening.date):
        return False
    return (date.fromisoformat(day) - date.fromisoformat(cell.evening.date)).days >= rule.expiry


def _mark_cells_not_among_best(rule: SeasonRule, cells: Sequence[SeasonCell]) -> list[SeasonCell]:
    counting_indexes = [index for index, cell in enumerate(cells) if cell.is_counted_in_total]
    if not rule.best or len(counting_indexes) <= rule.best:
        return list(cells)
    sorted_indexes = sorted(
        counting_indexes, key=lambda index: (cells[index].value, cells[index].result.spread, index), reverse=True
    )
    last_cell = cells[sorted_indexes[rule.best - 1]]
    new_cells = list(cells)
    for index in sorted_indexes[rule.best :]:
        cell = cells[index]
        if cell.value < last_cell.value:
            state = SeasonCellState.LOWER
        else:
            state = (
                SeasonCellState.SPREAD if cell.result.spread < last_cell.result.spread else SeasonCellState.EARLIER
            )
        new_cells[index] = replace(cell, state=state)
    return new_cells


def compute_total_of_counted_cells(rule: SeasonRule, counting_cells: Sequence[SeasonCell]) -> Fraction:
    """Return a member's total: the sum or average of the results that count.

    In an average per game, an imported result counts as one game.
    """
    total = sum((cell.value for cell in counting_cells), Fraction(0))
    if rule.combine is SeasonTotalMethod.SUM or not counting_cells:
        return total
    if rule.value is EveningResultMeasure.AVERAGE:
        games = [cell.result.game_count_for_averages or 1 for cell in counting_cells]
        weighted = sum((cell.value * n for cell, n in zip(counting_cells, games, strict=True)), Fraction(0))
        return weighted / sum(games)
    return total / len(counting_cells)


_Key = Callable[[SeasonLine], object]
_TOTAL = attrgetter("total")


def _sort_and_rank_lines_of_category(
    rule: SeasonRule, held_evenings: Sequence[SeasonEvening], lines: Sequence[SeasonLine]
) -> list[SeasonLine]:
    sorted_lines: list[SeasonLine] = []
    ranked_lines = [
        line for line in lines if line.unexpired_result_count and not (line.events_short or line.games_short)
    ]
    for group in _group_lines_by_descending_key(ranked_lines, lambda _group: _TOTAL):
        for part in _break_ties(rule.ties, held_evenings, group):
            rank = len(sorted_lines) + 1
            sorted_lines += [replace(line, rank=rank) for line in sorted(part, key=_make_name_sort_key)]
    unranked_lines = [line for line in lines if line not in ranked_lines]
    return sorted_lines + sorted(unranked_lines, key=lambda line: (-line.total, *_make_name_sort_key(line)))


def _make_name_sort_key(line: SeasonLine) -> tuple[str, str]:
    return line.member.name.casefold(), line.key


def _group_lines_by_descending_key(
    lines: Sequence[SeasonLine], make_key: Callable[..., _Key]
) -> list[list[SeasonLine]]:
    key: Callable[[SeasonLine], object] = make_key(lines)
    ordered = sorted(lines, key=key, reverse=True)  # type: ignore[arg-type]
    return [list(group) for _, group in groupby(ordered, key=key)]


def _break_ties(
    ties: Sequence[SeasonTieBreak], held_evenings: Sequence[SeasonEvening], group: Sequence[SeasonLine]
) -> list[list[SeasonLine]]:
    if len(group) == 1 or not ties:
        return [list(group)]
    subgroups = _group_lines_by_descending_key(
        group, lambda lines: make_tie_break_key_function(ties[0], held_evenings, lines)
    )
    return [tied_lines for subgroup in subgroups for tied_lines in _break_ties(ties[1:], held_evenings, subgroup)]


def make_tie_break_key_function(
    tie: SeasonTieBreak, held_evenings: Sequence[SeasonEvening], group: Sequence[SeasonLine]
) -> _Key:
    """Return the sort key function of a tie-break among equal players. The highest key ranks first."""
    keys = {line.key for line in group}
    evening_keys = [evening.key for evening in reversed(held_evenings)]

    def count_results_by_rank(line: SeasonLine) -> tuple[int, ...]:
        ranks = [cell.result.rank for cell in line.unexpired_cells if cell.value > 0]
        return tuple(
            ranks.count(rank)
            for rank in range(1, 1 + max((result.field for result in _list_all_results(held_evenings)), default=0))
        )

    def sum_match_points_against_tied(line: SeasonLine) -> Fraction:
        meetings = (meeting for cell in line.unexpired_cells for meeting in cell.result.meetings)
        return sum((points for opponent, points in meetings if opponent in keys), Fraction(0))

    def list_results_newest_first(line: SeasonLine) -> tuple[tuple[bool, Fraction], ...]:
        values = {cell.evening.key: cell.value for cell in line.unexpired_cells}
        return tuple((key in values, values.get(key, Fraction(0))) for key in evening_keys)

    sort_keys: Mapping[SeasonTieBreak, _Key] = {
        SeasonTieBreak.NEXT_BEST: lambda line: (
            sorted((cell.value for cell in line.counting_cells), reverse=True),
            sorted((cell.value for cell in line.unexpired_cells if not cell.is_counted_in_total), reverse=True),
        ),
        SeasonTieBreak.EVENTS: attrgetter("unexpired_result_count"),
        SeasonTieBreak.SPREAD: attrgetter("spread_of_unexpired_results"),
        SeasonTieBreak.HEAD_TO_HEAD: sum_match_points_against_tied,
        SeasonTieBreak.LATEST: list_results_newest_first,
        SeasonTieBreak.PLACES: count_results_by_rank,
        SeasonTieBreak.AVERAGE: lambda line: line.points_per_game or Fraction(0),
    }
    return sort_keys[tie]


def _list_all_results(held_evenings: Iterable[SeasonEvening]) -> Iterable[EveningResult]:
    return (result for evening in held_evenings for result in evening.results)


def find_tie_break_against_next_line(
    rule: SeasonRule, evenings: Sequence[SeasonEvening], lines: Sequence[SeasonLine], line: SeasonLine
) -> SeasonTieBreak | None:
    tied_lines = [
        candidate
        for candidate in lines
        if candidate.rank and (candidate.total, candidate.category) == (line.total, line.category)
    ]
    next_line = next((candidate for candidate in tied_lines if (candidate.rank or 0) > (line.rank or 0)), None)
    if line.rank is None or next_line is None:
        return None
    held_evenings = sorted(evenings, key=attrgetter("date"))
    for tie in rule.ties:
        key = make_tie_break_key_function(tie, held_evenings, tied_lines)
        if key(line) != key(next_line):
            return tie
        tied_lines = [candidate for candidate in tied_lines if key(candidate) == key(line)]
    return None


def _mark_promotions_and_relegations(rule: SeasonRule, lines: Sequence[SeasonLine]) -> tuple[SeasonLine, ...]:
    new_lines = list(lines)
    for category in rule.categories:
        ranked_indexes = [
            index for index, line in enumerate(lines) if line.category == category and line.rank is not None
        ]
        promoted = ranked_indexes[: rule.promoted] if category != rule.categories[0] else []
        last_kept_rank = max(0, len(ranked_indexes) - rule.relegated)
        relegated = ranked_indexes[last_kept_rank:] if category != rule.categories[-1] else []
        for index in (*promoted, *(index for index in relegated if index not in promoted)):
            new_lines[index] = replace(
                new_lines[index],
                shift=PromotionOrRelegation.UP if index in promoted else PromotionOrRelegation.DOWN,
            )
    return tuple(new_lines)


QUALIFIED_BY_RATING = "rating"


def _mark_qualified_players(
    rule: SeasonRule, held_evenings: Sequence[SeasonEvening], lines: Sequence[SeasonLine]
) -> tuple[SeasonLine, ...]:
    qualification, reasons = rule.qualification, dict[str, str]()
    for evening in held_evenings:
        ranked_results = sorted((result for result in evening.results if result.rank), key=attrgetter("rank"))
        used_places = 0
        places = rule.count_qualifying_places(len(evening.results))
        for _, group in groupby(ranked_results, key=attrgetter("rank")):
            if used_places >= places:
                break
            group_results = list(group)
            new_results = [result for result in group_results if result.player not in reasons]
            used_places += len(new_results if qualification.handed_down else group_results)
            reasons.update({result.player: evening.key for result in new_results})
    rated_lines = [line for line in lines if line.key not in reasons and line.member.rating is not None]
    rated_lines.sort(key=lambda line: (-(line.member.rating or 0), *_make_name_sort_key(line)))
    reasons.update(
        {line.key: QUALIFIED_BY_RATING for line in rated_lines[: max(0, qualification.fill - len(reasons))]}
    )
    return tuple(replace(line, qualified=reasons.get(line.key, "")) for line in lines)


class ResultNeededForRank(Struct, frozen=True):
    """The result that a player needs at the current evening to get a better rank."""

    rank: int  # the rank that the player would get
    rival: SeasonMember  # the player to pass
    value: Fraction  # the result must be higher
    # the worst sufficient rank at the evening, 0 if none; None if `value` does not depend on ranks
    needed_rank: int | None = None


def list_results_needed_for_ranks(
    rule: SeasonRule,
    evenings: Sequence[SeasonEvening],
    members: Mapping[str, SeasonMember],
    player: str,
    current_evening: SeasonEvening,
    expected: tuple[int, int] = (1, 1),
) -> tuple[ResultNeededForRank, ...]:
    """Return the result that a player needs at `current_evening` for each better rank, the best rank last.

    Assume that rivals keep their present results. Ignore the player's own result of this evening.
    `expected` is (players, games per player) for the whole evening, for example (16, 3).
    Return () if the player will have too few evenings for a rank.
    """
    other_results = tuple(result for result in current_evening.results if result.player != player)
    other_evenings = [evening for evening in evenings if evening.key != current_evening.key]
    lines = compute_season_table(
        rule, [*other_evenings, replace(current_evening, results=other_results)], members, current_evening.date
    )
    empty_line = SeasonLine(members[player], None, Fraction(0), ())
    own_line = next((line for line in lines if line.key == player), empty_line)
    if rule.compute_event_count_needed_for_rank(len(other_evenings) + 1) > own_line.unexpired_result_count + 1:
        return ()
    category = find_category(rule, own_line.member)
    ranked_lines = [line for line in lines if line.rank and line.key != player and line.category == category]
    targets: dict[int, SeasonLine] = {}
    for line in ranked_lines:
        if own_line.rank is None or (line.rank or 0) < own_line.rank:
            targets.setdefault(line.rank or 0, line)
    field = max(len(other_results) + 1, expected[0])
    # if rivals have played games this evening, their number of games replaces the expected number
    games = max((result.games for result in other_results), default=0) or expected[1]
    return tuple(
        ResultNeededForRank(rank, line.member, value, _find_worst_rank_reaching_value(rule, field, value))
        for rank, line in sorted(targets.items(), reverse=True)
        for value in (_compute_result_value_for_target_total(rule, own_line, line.total, games),)
    )


def _compute_result_value_for_target_total(
    rule: SeasonRule, line: SeasonLine, target: Fraction, games: int
) -> Fraction:
    cells = sorted(line.counting_cells, key=attrgetter("value"))
    kept_cells = cells[1:] if rule.best and len(cells) >= rule.best else cells
    if rule.combine is SeasonTotalMethod.SUM:
        return target - sum((cell.value for cell in kept_cells), Fraction(0))
    weights = [
        (cell.result.game_count_for_averages or 1) if rule.value is EveningResultMeasure.AVERAGE else 1
        for cell in kept_cells
    ]
    weight = games if rule.value is EveningResultMeasure.AVERAGE else 1
    total = sum((cell.value * n for cell, n in zip(kept_cells, weights, strict=True)), Fraction(0))
    return (target * (sum(weights) + weight) - total) / weight


_RANK_VALUES = frozenset({EveningResultMeasure.PLACE, EveningResultMeasure.FIELD, EveningResultMeasure.PLACING})


def _find_worst_rank_reaching_value(rule: SeasonRule, field: int, value: Fraction) -> int | None:
    if rule.value not in _RANK_VALUES:
        return None
    values = (
        compute_evening_result_value(rule, EveningResult("", rank=rank, field=field))
        for rank in range(1, field + 1)
    )
    return sum(place_value > value for place_value in values)
