"""Preview the impact of a change of results, and decide which changes need a preview or a reason.

`tdapp.pairing.recheck` finds the effect on later pairings and byes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from tdapp.domain.bracket import find_qualified_players
from tdapp.domain.game_results import list_result_values_to_compare
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import find_game_winner
from tdapp.domain.model import DivisionId, GameId, PlayerId, Result, ResultState, Seat
from tdapp.domain.records import compute_fines, compute_records
from tdapp.domain.season_table import SeasonLine
from tdapp.domain.seasons import compute_season_lines
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament, compute_diff


class GameWinnerChange(Struct, frozen=True):
    """A game whose winner changes."""

    round: int
    table: int
    game: GameId
    before: PlayerId | None  # None: a draw, no result, or lost by both
    after: PlayerId | None  # None: as in `before`


class RankChange(Struct, frozen=True):
    """A player whose rank changes."""

    player: PlayerId
    before: int | None  # None: not in the standings
    after: int | None  # as in `before`


class QualifierChange(Struct, frozen=True):
    """Changed qualifiers of a stage."""

    places: int
    has_begun: bool  # a round of the stage is published
    removed_players: tuple[PlayerId, ...]
    added_players: tuple[PlayerId, ...]


class StalePrintout(Struct, frozen=True):
    """A report with outdated printouts."""

    report: str
    rounds: tuple[int, ...]  # rounds that the printouts show


class SeasonRankChanges(Struct, frozen=True):
    """The members of a season whose rank or total changes."""

    season: str
    moves: tuple[tuple[str, int | None, int | None], ...]  # name, old and new rank
    totals: int  # number of members whose total changes


class DivisionImpact(Struct, frozen=True):
    """The impact of a change of results on a division. Ranks are those after round `last_round`."""

    division: DivisionId
    last_round: int  # last round with results, 0 if none; at most the last of a changed club evening
    is_running: bool  # the last round has open games
    winners: tuple[GameWinnerChange, ...]
    ranks: tuple[RankChange, ...]
    old_leaders: tuple[PlayerId, ...]
    new_leaders: tuple[PlayerId, ...]
    stale_printouts: tuple[StalePrintout, ...]
    qualifiers: tuple[QualifierChange, ...] = ()
    seasons: tuple[SeasonRankChanges, ...] = ()

    @property
    def has_new_leader(self) -> bool:
        return self.old_leaders != self.new_leaders


def assess_impact(before: TournamentIndex, after: Tournament, division: DivisionId) -> DivisionImpact:
    """Return the impact of changed results on a division.

    The printed report "pairings by table" is outdated for changed rounds. Printed standings are outdated from the
    first changed round to the last round that depends on a change.
    """
    old, new = before, TournamentIndex(after, before)
    last = _find_last_round_to_compare(old, new, division)
    old_ranks, new_ranks = (_map_ranks_after_round(index, division, last) for index in (old, new))
    return DivisionImpact(
        division=division,
        last_round=last,
        is_running=any(
            new.list_open_tables(item.id) for item in new.list_published_rounds(division) if item.number == last
        ),
        winners=tuple(_find_game_winner_changes(old, new, division)),
        ranks=_find_rank_changes(old_ranks, new_ranks),
        old_leaders=_find_players_ranked_first(old_ranks),
        new_leaders=_find_players_ranked_first(new_ranks),
        stale_printouts=_find_stale_printouts(old, new, division),
        qualifiers=tuple(_find_qualifier_changes(old, new, division)),
        seasons=tuple(_find_season_rank_changes(old, new, division)),
    )


def _find_season_rank_changes(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId
) -> Iterator[SeasonRankChanges]:
    for season in new.listed_seasons:
        if season.division not in {None, division} or season.id not in old.tournament.seasons:
            continue
        season_changes = find_season_rank_changes(
            season.name, compute_season_lines(old, season), compute_season_lines(new, season)
        )
        if season_changes.moves or season_changes.totals:
            yield season_changes


def find_season_rank_changes(
    season: str, old: Iterable[SeasonLine], new: Sequence[SeasonLine]
) -> SeasonRankChanges:
    old_lines = {line.key: line for line in old}
    changed_lines = [line for line in new if line.key not in old_lines or old_lines[line.key].total != line.total]
    moves = [
        (line.member.name, old_lines[line.key].rank if line.key in old_lines else None, line.rank)
        for line in new
        if line.key not in old_lines or old_lines[line.key].rank != line.rank
    ]
    return SeasonRankChanges(season, tuple(moves), len(changed_lines))


def count_players_with_changed_score(before: Tournament, after: Tournament, division: DivisionId) -> int:
    """Count the players whose match points or spread change."""
    old_rows, new_rows = (
        {
            (row.key, row.match_points, row.spread)
            for row in compute_standings(TournamentIndex(tournament), tournament.divisions[division])
        }
        for tournament in (before, after)
    )
    return len(new_rows - old_rows)


def _find_qualifier_changes(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId
) -> Iterator[QualifierChange]:
    last = new.get_last_published_round_number(division)
    for stage in new.stages(division):
        rounds_before = new.get_first_round_number(stage.id) - 1
        is_cut_decided = rounds_before <= last and not any(
            new.list_open_tables(item.id) for item in new.list_published_rounds(division, rounds_before)
        )
        if stage.cut is None or not is_cut_decided or stage.id not in old.tournament.stages:
            continue
        old_players, new_players = find_qualified_players(old, stage), find_qualified_players(new, stage)
        if old_players != new_players:
            order = [player.id for player in new.players(division)]
            removed_players = tuple(player for player in order if player in old_players - new_players)
            added_players = tuple(player for player in order if player in new_players - old_players)
            yield QualifierChange(stage.cut, last > rounds_before, removed_players, added_players)


def _find_last_round_to_compare(old: TournamentIndex, new: TournamentIndex, division: DivisionId) -> int:
    last = new.get_last_round_with_results(division)
    first = min(_find_changed_rounds(old, new, division), default=last)
    return min(last, _find_last_affected_round(new, division, first))


def _find_last_affected_round(index: TournamentIndex, division: DivisionId, number: int) -> int:
    stage = index.find_stage(division, number)
    if stage is None or not stage.evening:
        return index.get_last_published_round_number(division)
    return index.get_first_round_number(stage.id) + stage.rounds - 1


def _map_ranks_after_round(index: TournamentIndex, division: DivisionId, last: int) -> Mapping[PlayerId, int]:
    rows = compute_standings(index, index.tournament.divisions[division], last)
    return {row.player.id: row.rank for row in rows}


def _find_rank_changes(
    old_ranks: Mapping[PlayerId, int], new_ranks: Mapping[PlayerId, int]
) -> tuple[RankChange, ...]:
    changes = (
        RankChange(player, old_ranks.get(player), new_ranks.get(player)) for player in {**old_ranks, **new_ranks}
    )
    rank_changes = [change for change in changes if change.before != change.after]
    unlisted_rank = 1 + len({**old_ranks, **new_ranks})  # sorts them last
    return tuple(
        sorted(
            rank_changes,
            key=lambda change: (change.before or unlisted_rank, change.after or unlisted_rank, change.player),
        )
    )


def _find_players_ranked_first(ranks: Mapping[PlayerId, int]) -> tuple[PlayerId, ...]:
    return tuple(player for player, rank in ranks.items() if rank == 1)


def _find_game_winner_changes(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId
) -> list[GameWinnerChange]:
    old_division, new_division = (index.tournament.divisions[division] for index in (old, new))
    same_rules = old.tournament.get_ruleset_of_row(old_division) is new.tournament.get_ruleset_of_row(new_division)
    changed_ids = new.find_changed_ids("results", old.tournament.results)
    return [
        GameWinnerChange(item.number, game.table, game.id, old_winner, new_winner)
        for item in new.list_published_rounds(division)
        for game in new.games(item.id)
        if not same_rules or game.match is not None or game.id in changed_ids
        if (old_winner := _find_winner_of_game(old, game.id)) != (new_winner := _find_winner_of_game(new, game.id))
    ]


def _find_winner_of_game(index: TournamentIndex, key: GameId) -> PlayerId | None:
    game = index.tournament.games.get(key)
    return find_game_winner(index, game) if game is not None else None


def _find_stale_printouts(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId
) -> tuple[StalePrintout, ...]:
    numbers = [item.number for item in new.list_published_rounds(division)]
    changed_rounds, fined_rounds = (
        _find_changed_rounds(old, new, division),
        _find_rounds_with_changed_fines(old, new, division, numbers),
    )
    first = min(changed_rounds | fined_rounds, default=None)
    printouts = []
    if first is not None:
        last = max(_find_last_affected_round(new, division, number) for number in changed_rounds | fined_rounds)
        printouts.append(
            StalePrintout("standings", tuple(number for number in numbers if first <= number <= last))
        )
    if changed_rounds:
        printouts.append(StalePrintout("pairings-by-table", tuple(sorted(changed_rounds))))
    return tuple(printouts)


def _find_changed_rounds(old: TournamentIndex, new: TournamentIndex, division: DivisionId) -> frozenset[int]:
    old_records, new_records = (
        compute_records(index, index.tournament.divisions[division]) for index in (old, new)
    )
    records = (
        (old_records.get(player, ()), new_records.get(player, ())) for player in {**old_records, **new_records}
    )
    changed_entries = (
        entry
        for old_record, new_record in records
        if old_record is not new_record
        for entry in {*old_record} ^ {*new_record}
    )
    return frozenset(entry.round for entry in changed_entries)


def _find_rounds_with_changed_fines(
    old: TournamentIndex, new: TournamentIndex, division: DivisionId, numbers: Iterable[int]
) -> frozenset[int]:
    old_division, new_division = (index.tournament.divisions[division] for index in (old, new))
    same_rules = old.tournament.get_ruleset_of_row(old_division) is new.tournament.get_ruleset_of_row(new_division)
    if same_rules and old.tournament.sanctions is new.tournament.sanctions:
        return frozenset()
    return frozenset(
        number
        for number in numbers
        if compute_fines(old, old_division, number) != compute_fines(new, new_division, number)
    )


def find_changed_certified_result(before: Tournament, after: Tournament) -> Result | None:
    old_results = (cast("Result | None", change.before) for change in compute_diff(before, after, ["results"]))
    return next(
        (result for result in old_results if result is not None and result.state is ResultState.FINAL), None
    )


def has_changed_certified_seat(before: Tournament, after: Tournament) -> bool:
    old_seats = (cast("Seat | None", change.before) for change in compute_diff(before, after, ["seats"]))
    return any(seat is not None and seat.state is ResultState.FINAL for seat in old_seats)


def is_impact_preview_needed(before: Tournament, after: Tournament) -> bool:
    old, new = TournamentIndex(before), TournamentIndex(after)
    return any(
        is_preview_needed_to_change_result(old, result) for result in _find_corrected_results(before, after)
    ) or any(
        _find_rounds_with_changed_fines(old, new, division, [item.number for item in old.rounds(division)][:-1])
        for division in before.divisions
    )


def is_preview_needed_to_change_result(index: TournamentIndex, result: Result) -> bool:
    item = index.tournament.rounds[index.tournament.games[result.id].round]
    last = index.rounds(index.get_division_of_round(item.id).id)[-1]
    return result.state is not ResultState.ENTERED or last.number > item.number


def _find_corrected_results(before: Tournament, after: Tournament) -> Iterator[Result]:
    for change in compute_diff(before, after, ["results"]):
        old, new = cast("Result | None", change.before), cast("Result | None", change.after)
        if old is not None and (
            new is None
            or _list_outcome_values_to_compare(new) != _list_outcome_values_to_compare(old)
            or (new.state is ResultState.ENTERED and old.state is not ResultState.ENTERED)
        ):
            yield old


def _list_outcome_values_to_compare(result: Result) -> tuple[object, ...]:
    return (*list_result_values_to_compare(result), result.advances)
