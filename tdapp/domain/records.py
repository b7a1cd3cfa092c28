"""The record of each player: one RoundRecord for each round, in order.

A setting decides how unplayed rounds count in tie-breaks: without adjustment, or by the 2009, 2024 or 2026 edition
of FIDE's Tie-Break Regulations (C.07, article 16).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Sanction
from tdapp.domain.model import (
    Bye,
    ByeId,
    ByeKind,
    Division,
    Game,
    GameId,
    GameSide,
    PlayerId,
    Result,
    Round,
    RoundId,
    Seat,
    SeatId,
    Stage,
    StartDecision,
    UnplayedRoundCounting,
)
from tdapp.domain.ruleset import (
    DisqualifiedGamesRule,
    Outcome,
    RuleSet,
    SanctionPointsSource,
    UnplayedRoundPointsRule,
    UnplayedRoundPointsSource,
)
from tdapp.domain.seat_scores import (
    SeatScore,
    find_outcome_by_ranks,
    has_result_for_every_seat,
    round_half_up,
    score_seats,
)
from tdapp.scrabble.sheet import SanctionKind

Number = int | Fraction

_new = tuple.__new__
_DRAW = StartDecision.DRAW  # cached: access to enum members is slow


class RoundRecord(NamedTuple):  # cheap to create: a large event has tens of thousands
    """One round of one player."""

    round: int
    game: GameId | None = None
    table: int | None = None
    opponent: PlayerId | None = None  # None for a bye and at a group table
    started: bool | None = None  # None for a bye or forfeit, and until the tiles are drawn
    bye: ByeKind | None = None
    outcome: Outcome | None = None  # None without a result
    units: int = 0  # match points times `match_point_denominator`
    points: int | None = None  # of the game
    opponent_points: int | None = None  # at a group table the mean of the others
    spread: int = 0  # limited by the spread cap
    forfeit: bool = False
    is_rated: bool = False
    awarded_points: int = 0  # total points for an unplayed round, or added by a group table's factor
    is_tie_decided: bool = False  # a tie that the start decided; ratings count it as a draw
    other_players: tuple[PlayerId, ...] = ()  # at a group table
    opponent_outcomes: tuple[Outcome, ...] = ()  # against each of the other players

    @property
    def is_played(self) -> bool:
        return self.outcome is not None and self.bye is None and not self.forfeit

    @property
    def met_players(self) -> tuple[PlayerId, ...]:
        return self.other_players if self.opponent is None else (self.opponent,)

    @property
    def point_difference(self) -> int:
        return (self.points or 0) - (self.opponent_points or 0)


Record = tuple[RoundRecord, ...]


def compute_records(
    index: TournamentIndex,
    division: Division,
    after_round: int | None = None,
    *,
    player_ids: Set[PlayerId] | None = None,
) -> Mapping[PlayerId, Record]:
    """Return the records of all players, or those in `player_ids`, up to `after_round` (None: the last)."""
    if player_ids is not None:
        return _compute_records(index, division, after_round, player_ids).records
    return index.get_cached_value_after_round("records", division, after_round, _compute_records_with_cache)


class _CachedRecords(NamedTuple):
    records: Mapping[PlayerId, Record]
    awarded_ids: frozenset[PlayerId]  # players whose records depend on games of others
    games: Mapping[GameId, Game]
    byes: Mapping[ByeId, Bye]
    results: Mapping[GameId, Result]
    seats: Mapping[SeatId, Seat]


def _compute_records_with_cache(
    index: TournamentIndex, division: Division, after_round: int | None
) -> Mapping[PlayerId, Record]:
    tournament, players = index.tournament, [player.id for player in index.players(division.id)]
    rounds = index.list_published_rounds(division.id, after_round)
    stages = [tournament.stages[item.stage] for item in rounds]

    def update_cached_records(cache: _CachedRecords | None) -> _CachedRecords:
        if cache is None:
            return _compute_records(index, division, after_round)
        changed_ids = cache.awarded_ids | _find_changed_players(index, cache, {item.id for item in rounds})
        update = _compute_records(index, division, after_round, changed_ids)
        return update._replace(records=MappingProxyType({**cache.records, **update.records}))

    name = "records", division.id, len(rounds) == len(index.list_published_rounds(division.id))
    inputs = [
        division,
        tournament.get_ruleset_of_row(division),
        index.list_matching_row_ids("sanctions", _is_disqualification),
        *players,
    ]
    return index.update_cached_value(name, [*inputs, *rounds, *stages], update_cached_records).records


def _is_disqualification(sanction: Sanction) -> bool:
    return sanction.kind is SanctionKind.DISQUALIFIED


def _find_changed_players(index: TournamentIndex, cache: _CachedRecords, rounds: Set[RoundId]) -> set[PlayerId]:
    games = [game for game in index.list_changed_games(cache.games, cache.results) if game.round in rounds]
    keys = map(ByeId, index.find_changed_ids("byes", cache.byes))
    byes = (bye for key in keys for bye in (cache.byes.get(key), index.tournament.byes.get(key)))
    player_ids = {bye.player for bye in byes if bye is not None and bye.round in rounds}
    for key in map(SeatId, index.find_changed_ids("seats", cache.seats)):
        for seat in (cache.seats.get(key), index.tournament.seats.get(key)):
            if seat is not None and seat.round in rounds:
                seats = (*index.seats(seat.round), seat)
                player_ids.update(neighbour.player for neighbour in seats if neighbour.table == seat.table)
    return player_ids.union(*((game.first, game.second) for game in games))


def _compute_records(
    index: TournamentIndex, division: Division, after_round: int | None, player_ids: Set[PlayerId] | None = None
) -> _CachedRecords:
    tournament, rules = index.tournament, index.tournament.get_ruleset_of_row(division)
    caps = list_configured_spread_caps(index, division)
    target_ids = [player.id for player in index.players(division.id)] if player_ids is None else player_ids
    rounds = index.list_published_rounds(division.id, after_round)
    games_rule = rules.sanctions.disqualified_games
    disqualified_ids = set[PlayerId]()
    if games_rule is DisqualifiedGamesRule.FORFEITED:
        disqualified_ids = {
            player.id for player in index.players(division.id) if index.is_disqualified(player.id, after_round)
        }
    records_of_rounds = [
        _make_records_of_round(
            index, rules, item, find_spread_cap(caps, item.number), player_ids, disqualified_ids
        )
        for item in rounds
    ]
    entries_by_player: dict[PlayerId, list[RoundRecord]] = {player: [] for player in target_ids}
    for entries, _ in records_of_rounds:
        for player, entry in entries:
            if player in entries_by_player:
                entries_by_player[player].append(entry)
    awarded_ids = set[PlayerId]()
    for item, (_, award_rows) in zip(rounds, records_of_rounds, strict=True):
        for player, row in award_rows.items():
            award = outcome.find_unplayed_round_points_rule(rules, row)
            if award != UnplayedRoundPointsRule() and player in entries_by_player:
                _set_awarded_points(index, division, entries_by_player[player], item.number, award)
                awarded_ids.add(player)
    records = MappingProxyType({player: tuple(record) for player, record in entries_by_player.items()})
    return _CachedRecords(
        records, frozenset(awarded_ids), tournament.games, tournament.byes, tournament.results, tournament.seats
    )


_RecordsOfRound = tuple[list[tuple[PlayerId, RoundRecord]], dict[PlayerId, Bye | Result]]


def _make_records_of_round(
    index: TournamentIndex,
    rules: RuleSet,
    round_row: Round,
    cap: int | None,
    player_ids: Set[PlayerId] | None,
    disqualified_ids: Set[PlayerId],
) -> _RecordsOfRound:
    tournament, games, byes = index.tournament, index.games(round_row.id), index.byes(round_row.id)
    if player_ids is not None:
        games = tuple(
            {
                game.id: game
                for player_id in player_ids
                if (game := index.find_player_game(round_row.id, player_id))
            }.values()
        )
    tables = index.list_seats_by_table(round_row.id)
    if player_ids is not None:
        tables = tuple(seats for seats in tables if any(seat.player in player_ids for seat in seats))
    stage, results = tournament.stages[round_row.stage], [tournament.results.get(game.id) for game in games]
    if disqualified_ids:
        results = [
            _apply_disqualification_to_result(disqualified_ids, game, result)
            for game, result in zip(games, results, strict=True)
        ]
        tables = tuple(
            tuple(replace(seat, left=True) if seat.player in disqualified_ids else seat for seat in seats)
            for seats in tables
        )

    def compute_round_records() -> _RecordsOfRound:
        units = index.get_cached_value_or_compute(
            ("units", rules.id),
            (rules,),
            lambda: {outcome: rules.get_match_points_as_integer(outcome) for outcome in Outcome},
        )
        records: list[tuple[PlayerId, RoundRecord]] = []
        award_rows: dict[PlayerId, Bye | Result] = {}
        for game, result in zip(games, results, strict=True):
            first, second = _make_game_records(rules, units, game, result, round_row.number, cap, stage)
            records += (game.first, first), (game.second, second)
            if result is not None and first.forfeit and first.outcome is not second.outcome:
                award_rows[game.first if first.outcome is Outcome.WIN else game.second] = result
        records += ((bye.player, _make_bye_record(rules, bye, round_row.number, cap)) for bye in byes)
        for seats in tables:
            records += _make_seat_records(rules, seats, round_row.number, cap)
        return records, award_rows | {bye.player: bye for bye in byes}

    if player_ids is not None:
        return compute_round_records()
    return index.get_cached_value_or_compute(
        ("entries", round_row.id),
        (round_row, rules, stage, cap, games, byes, *sum(tables, ()), *results),
        compute_round_records,
    )


def _apply_disqualification_to_result(
    disqualified_ids: Set[PlayerId], game: Game, result: Result | None
) -> Result | None:
    losers = {
        side
        for side, player in ((GameSide.FIRST, game.first), (GameSide.SECOND, game.second))
        if player in disqualified_ids
    }
    if result is None or not losers:
        return result
    if result.forfeit is not None:
        losers.add(result.forfeit)
    return Result(game.id, result.state, forfeit=GameSide.BOTH if len(losers) > 1 else losers.pop())


def _make_bye_record(rules: RuleSet, bye: Bye, number: int, cap: int | None) -> RoundRecord:
    scored_round = outcome.score_bye(rules, bye)
    spread, units = limit_spread(scored_round.spread, cap), rules.get_match_points_as_integer(scored_round.outcome)
    return RoundRecord(number, bye=bye.kind, outcome=scored_round.outcome, units=units, spread=spread)


def _make_seat_records(
    rules: RuleSet, seats: Sequence[Seat], number: int, cap: int | None
) -> Iterator[tuple[PlayerId, RoundRecord]]:
    players = [seat.player for seat in seats]
    scores: Sequence[SeatScore | None] = (
        score_seats(rules, seats) if has_result_for_every_seat(seats) else [None] * len(seats)
    )
    for seat, score in zip(seats, scores, strict=True):
        other_players = tuple(player for player in players if player != seat.player)
        places = [
            other_score.rank
            for other_score, player in zip(scores, players, strict=True)
            if other_score and player in other_players
        ]
        entry = RoundRecord(number, table=seat.table, other_players=other_players)
        if score is not None:
            entry = entry._replace(
                outcome=score.outcome,
                units=round_half_up(score.match_points * rules.match_point_denominator),
                points=score.points,
                opponent_points=None if score.mean is None else round_half_up(score.mean),
                spread=limit_spread(score.spread, cap),
                is_rated=rules.tables.rated,
                awarded_points=score.total - (score.points or 0),
                opponent_outcomes=tuple(find_outcome_by_ranks(score.rank, rank) for rank in places),
            )
        yield seat.player, entry


def _set_awarded_points(
    index: TournamentIndex,
    division: Division,
    record: list[RoundRecord],
    number: int,
    award: UnplayedRoundPointsRule,
) -> None:
    position = next(position for position, entry in enumerate(record) if entry.round == number)
    record[position] = record[position]._replace(
        awarded_points=compute_points_for_unplayed_round(index, division, record, number, award)
    )


def find_bye_or_forfeit_win(index: TournamentIndex, round_id: RoundId, player: PlayerId) -> Bye | Result | None:
    game = index.find_player_game(round_id, player)
    if game is None:
        return next((bye for bye in index.byes(round_id) if bye.player == player), None)
    result = index.get_result(game.id)
    loser = GameSide.SECOND if player == game.first else GameSide.FIRST
    return result if result is not None and result.forfeit is loser else None


def compute_points_for_unplayed_round(
    index: TournamentIndex,
    division: Division,
    record: Iterable[RoundRecord],
    number: int,
    award: UnplayedRoundPointsRule,
) -> int:
    """Return the game points that the rule `award` gives a player for the unplayed round `number`.

    If `award` is an average and no scores exist, return 0 (nl-reglement I.2).
    """
    if award.by is UnplayedRoundPointsSource.FIXED:
        return award.points
    item = index.get_round(division.id, number)
    rounds: Collection[int] = range(1, number)
    if award.by is UnplayedRoundPointsSource.STAGE:
        rounds = frozenset(
            round_.number for round_ in index.list_published_rounds(division.id) if round_.stage == item.stage
        )
    scores = [entry.points for entry in record if entry.points is not None and entry.round in rounds]
    if award.by is UnplayedRoundPointsSource.FIELD or not scores:
        results = map(index.get_result, [game.id for game in index.games(item.id)])
        pairs = [(result.first, result.second) for result in results if result is not None]
        scores = [points for pair in pairs for points in pair if points is not None]
    return (2 * sum(scores) + len(scores)) // (2 * len(scores)) if scores else 0


class SanctionDeductions(NamedTuple):
    """The spread and points that sanctions deduct from a player."""

    spread: int = 0
    points: int = 0


def compute_fines(
    index: TournamentIndex, division: Division, after_round: int | None = None, *, first_round: int = 1
) -> Mapping[PlayerId, SanctionDeductions]:
    """Return the fines from round `first_round` up to round `after_round` (None: the last).

    A fine without a round counts from round 1. A "margin" sanction reduces the spread. A "points" sanction reduces
    total points and spread. Points that the rule set deducts from the score of a game are not fines.
    """
    find_source = index.tournament.get_ruleset_of_row(division).sanctions.find_sanction_points_source
    punished_ids = {item.player for item in index.tournament.sanctions.values()}
    fines = {}
    for player in index.players(division.id) if punished_ids else ():
        if player.id not in punished_ids:
            continue
        sanctions = [
            item
            for item in index.sanctions(player.id)
            if (after_round is None or item.round is None or item.round <= after_round)
            and (item.round or 1) >= first_round
        ]
        points = sum(
            item.points for item in sanctions if find_source(item.kind) is SanctionPointsSource.TOURNAMENT
        )
        # no-turneringsreglement 5 b: a "margin" sanction reduces the spread
        spread = points + sum(item.points for item in sanctions if item.kind is SanctionKind.MARGIN)
        if spread:
            fines[player.id] = SanctionDeductions(spread, points)
    return MappingProxyType(fines)


def list_configured_spread_caps(index: TournamentIndex, division: Division) -> tuple[int, ...]:
    """Return the highest spread that counts in each round, by default the limit of the rule set."""
    cap = index.tournament.get_ruleset_of_row(division).spread.cap
    return division.spread_caps or (() if cap is None else (cap,))


def find_spread_cap(caps: Sequence[int], round_number: int) -> int | None:
    """Return the highest spread that counts in a round, None if unlimited.

    `caps` has one cap for each round, 0 for no limit. Later rounds use the last cap.
    """
    return (caps[min(round_number, len(caps)) - 1] or None) if caps else None


def _make_game_records(
    rules: RuleSet,
    units: Mapping[Outcome, int],
    game: Game,
    result: Result | None,
    number: int,
    cap: int | None,
    stage: Stage,
) -> tuple[RoundRecord, RoundRecord]:
    if result is None:
        return _make_record_without_result(game, game.second, number), _make_record_without_result(
            game, game.first, number
        )
    if result.forfeit is None:
        first_started, forfeit, is_rated = game.start is not _DRAW or None, False, True
        first, second = result.first, result.second
        first_spread = (first or 0) - (second or 0)
        second_spread = -first_spread
        first_outcome, second_outcome = outcome.find_outcomes_of_played_game(result, first_spread)
    else:
        (first_outcome, first, first_spread), (second_outcome, second, second_spread), is_rated = (
            outcome.score_game(rules, result)
        )
        first_started, forfeit = None, True
    is_tie_decided = False
    if first_outcome is second_outcome is Outcome.DRAW:
        first_outcome, second_outcome = outcome.find_outcomes_of_tied_game(rules, stage, game, result)
        is_tie_decided = first_outcome is not Outcome.DRAW
    if cap is not None:
        first_spread, second_spread = limit_spread(first_spread, cap), limit_spread(second_spread, cap)
    key, table, first_units, second_units = game.id, game.table, units[first_outcome], units[second_outcome]
    second_started = None if first_started is None else False
    return (
        _new(RoundRecord, (number, key, table, game.second, first_started, None,
                           first_outcome, first_units, first, second, first_spread,
                           forfeit, is_rated, 0, is_tie_decided, (), ())),
        _new(RoundRecord, (number, key, table, game.first, second_started, None,
                           second_outcome, second_units, second, first, second_spread,
                           forfeit, is_rated, 0, is_tie_decided, (), ())),
    )  # fmt: skip


def _make_record_without_result(game: Game, opponent: PlayerId, number: int) -> RoundRecord:
    started = None if game.start is _DRAW else opponent == game.second
    return RoundRecord(number, game.id, game.table, opponent, started)


def limit_spread(spread: int, cap: int | None) -> int:
    return spread if cap is None else max(-cap, min(cap, spread))


class UnplayedRoundRules(Struct, frozen=True):
    """The rules for unplayed rounds in tie-breaks."""

    mode: UnplayedRoundCounting
    unit: int  # units in one match point
    win: int  # in units
    draw: int  # in units
    rounds: int  # number of rounds that count

    @property
    def has_dummy_opponents(self) -> bool:
        """Whether an unplayed round counts as a game against an imaginary opponent, the dummy."""
        return self.mode is not UnplayedRoundCounting.PLAIN


def is_unplayed_round(entry: RoundRecord) -> bool:
    return entry.bye is not None or entry.forfeit


def is_voluntarily_unplayed(entry: RoundRecord) -> bool:
    """Return whether the player caused an unplayed round.

    Return False for byes given by the pairing, and for rounds that count as wins.
    """
    return is_unplayed_round(entry) and entry.outcome is not Outcome.WIN and entry.bye is not ByeKind.BYE


def fill_missing_rounds_with_absences(
    records: Mapping[PlayerId, Record], rounds: Iterable[int]
) -> Mapping[PlayerId, Record]:
    absences = {number: RoundRecord(number, bye=ByeKind.ABSENT, outcome=Outcome.NOTHING) for number in rounds}
    full_records = dict(records)
    for player, record in records.items():
        if len(record) < len(absences):
            entries = {entry.round: entry for entry in record}
            full_records[player] = tuple((absences | entries).values())
    return full_records


def list_resistance_points_by_round(
    rules: UnplayedRoundRules, record: Record, *, own_points: int, match_points: Mapping[PlayerId | None, int]
) -> list[Number]:
    """Return the points (times `rules.unit`) that each round of `record` adds to the resistance tie-break.

    Usually these are the opponent's `match_points`. At a group table they are the mean of the other players'
    points. In an unplayed round they are the points of an imaginary opponent (dummy).
    """
    resistance_points = []
    for entry in record:
        limit, is_capped = (
            compute_highest_dummy_opponent_points(rules, record, entry)
            if is_unplayed_round(entry)
            else (-1, False)
        )
        points = limit if limit >= 0 else compute_opponent_points(match_points, entry)
        resistance_points.append(min(own_points, points) if is_capped else points)
    return resistance_points


def compute_opponent_points(match_points: Mapping[PlayerId | None, int], entry: RoundRecord) -> Number:
    """Return the opponent's points from `match_points`, or 0 for a bye.

    At a group table, return the mean of the other players' points.
    """
    if not entry.other_players:
        return match_points[entry.opponent]
    mean = Fraction(sum(map(match_points.__getitem__, entry.other_players)), len(entry.other_players))
    return mean.numerator if mean.denominator == 1 else mean


def compute_match_points_counted_for_opponents(rules: UnplayedRoundRules, record: Record) -> int:
    """Return a player's match points (times `rules.unit`) that count for the opponents' tie-breaks.

    FIDE's rules of 2009 count every unplayed round as a draw. Later rules count absences and requested byes as
    draws, but only at the end of `record`. Example: for absence, win, absence, only the last absence is a
    draw.
    """
    if rules.mode is UnplayedRoundCounting.FIDE_2009:
        return sum(rules.draw if is_unplayed_round(entry) else entry.units for entry in record)
    total = sum(entry.units for entry in record)
    for entry in reversed(record):
        if not is_voluntarily_unplayed(entry):
            break
        if entry.bye in {ByeKind.REQUESTED, ByeKind.ABSENT}:
            total += rules.draw - entry.units
    return total


IsLimitedByOwnPoints = bool


def compute_highest_dummy_opponent_points(
    rules: UnplayedRoundRules, record: Iterable[RoundRecord], entry: RoundRecord
) -> tuple[int, IsLimitedByOwnPoints]:
    """Return the highest points of the dummy, an imaginary opponent in the unplayed round `entry`.

    If the second value is True, the player's own points also limit the dummy. By FIDE edition, return:

    - 2009: (points, False). The points are the player's points before the round, plus `rules.win` minus the
      player's points in the round, plus `rules.draw` for each later round.
    - 2024: (`sys.maxsize`, True).
    - 2026: (`rules.draw * rules.rounds`, True). For a forfeit, return (-1, True): use the real opponent's points.
    """
    if rules.mode is UnplayedRoundCounting.FIDE_2009:
        before = sum(item.units for item in record if item.round < entry.round)
        return before + rules.win - entry.units + rules.draw * (rules.rounds - entry.round), False
    if rules.mode is UnplayedRoundCounting.FIDE_2024:
        return sys.maxsize, True
    return -1 if entry.met_players else rules.draw * rules.rounds, True
