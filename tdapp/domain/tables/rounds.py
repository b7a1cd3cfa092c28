"""Tables of a round, and the schedule of a division."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from itertools import chain
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Bye,
    ByeKind,
    Division,
    Game,
    GameId,
    GameSide,
    PairingReason,
    PlayerId,
    Result,
    Round,
    RoundId,
    Stage,
    StartDecision,
)
from tdapp.domain.outcome import DecisionReason, GameDecision, find_game_decision
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.records import (
    Record,
    RoundRecord,
    compute_points_for_unplayed_round,
    compute_records,
    find_bye_or_forfeit_win,
)
from tdapp.domain.ruleset import Outcome, RuleSet, UnplayedRoundPointsRule, UnplayedRoundPointsSource
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes

_MAX_NAMES = 4  # other players named in a line


class PairingRow(Struct, frozen=True):
    """A game of a round."""

    key: str
    table: int
    first: int  # player number; starts, unless tiles decide
    second: int
    first_name: str
    second_name: str
    score1: int | None
    score2: int | None
    spread: int | None  # of the first player, limited by the cap; None in an open game
    forfeit: GameSide | None
    status: str
    start: StartDecision
    repeat: int  # number of earlier games of this pair
    locked: bool
    reason: PairingReason | None
    decision: GameDecision | None = None  # None in an open game
    break_up: tuple[int, int] | None = None

    @property
    def winner(self) -> int | None:
        """The player number of the winner. None for an open game, a draw, or two losers."""
        return {1: self.first, 2: self.second}.get(self.decision.side) if self.decision else None

    @property
    def winner_name(self) -> str:
        return {1: self.first_name, 2: self.second_name}.get(self.decision.side, "") if self.decision else ""

    @property
    def decided_by(self) -> DecisionReason | None:
        return self.decision.reason if self.decision else None


class ByeRow(Struct, frozen=True):
    """A player without a game in a round."""

    key: str
    player: int
    name: str
    kind: str
    spread: int
    points: Fraction
    awarded: int | None = None  # game points, None if the rules award none
    reason: PairingReason | None = None


class ByeOrForfeitPointsRow(Struct, frozen=True):
    """The game points awarded to a player for a bye or a forfeit win."""

    key: str
    round: int
    round_id: RoundId
    player: int
    player_id: PlayerId
    name: str
    kind: ByeKind | GameSide  # kind of bye, or the player who forfeited
    own: bool  # the award is set for this round, not by the rule set
    award: UnplayedRoundPointsRule
    awarded: int

    @property
    def own_points_source_of_round(self) -> UnplayedRoundPointsSource | None:
        return self.award.by if self.own else None

    @property
    def points(self) -> int:
        return self.award.points if self.own else 0


class PlayerSeatingRow(Struct, frozen=True):
    """The seat of a player in a round."""

    key: str
    name: str
    player: int
    table: int | None  # None with a bye
    opponent: str
    opponent_number: int | None
    starts: bool | None  # None if unknown
    bye: str


def make_pairing_table(index: TournamentIndex, round_row: Round) -> Table[PairingRow]:
    if index.tournament.rounds.get(round_row.id) is not round_row:
        return _compute_pairing_table(index, round_row)
    return index.get_cached_value_after_round(
        "pairings",
        index.get_division_of_round(round_row.id),
        round_row.number,
        lambda *_: _compute_pairing_table(index, round_row),
    )


def list_pairings_with_distinct_names(index: TournamentIndex, round_row: Round) -> tuple[PairingRow, ...]:
    """Return the games of a round by table. Players with equal names have their club or number after the name."""
    players = map_players_with_distinct_names(index)
    games = index.tournament.games
    return tuple(
        replace(row, first_name=players[game.first].name, second_name=players[game.second].name)
        for row in make_pairing_table(index, round_row).rows
        for game in (games[GameId(row.key)],)
    )


def _compute_pairing_table(index: TournamentIndex, round_row: Round) -> Table[PairingRow]:
    meetings, rules = _count_meetings(index, round_row), index.tournament.get_ruleset_of_row(round_row)
    rows = tuple(_make_pairing_row(index, rules, game, meetings) for game in index.games(round_row.id))
    return Table("pairings", _PAIRING_COLUMNS, rows)


def make_bye_table(index: TournamentIndex, round_row: Round) -> Table[ByeRow]:
    rules, rows = index.tournament.get_ruleset_of_row(round_row), []
    for bye in index.byes(round_row.id):
        player, scored_round = index.tournament.players[bye.player], outcome.score_bye(rules, bye)
        points = rules.match_points.get_match_points(scored_round.outcome)
        values = (bye.id, player.number, player.name, bye.kind.value)
        rows.append(
            ByeRow(
                *values, scored_round.spread, points, _compute_bye_award_points(index, round_row, bye), bye.reason
            )
        )
    has_awards = any(row.awarded is not None for row in rows)
    return Table("byes", _BYE_COLUMNS if has_awards else _BYE_COLUMNS[:-1], tuple(rows))


def _compute_bye_award_points(index: TournamentIndex, round_row: Round, bye: Bye) -> int | None:
    award = outcome.find_unplayed_round_points_rule(index.tournament.get_ruleset_of_row(round_row), bye)
    if bye.award is None and award == UnplayedRoundPointsRule():
        return None
    division = index.get_division_of_round(round_row.id)
    record = compute_records(index, division, player_ids={bye.player})[bye.player]
    return compute_points_for_unplayed_round(index, division, record, round_row.number, award)


def make_bye_and_forfeit_points_table(
    index: TournamentIndex, division: Division, players: Collection[PlayerId] | None = None
) -> Table[ByeOrForfeitPointsRow]:
    records = compute_records(index, division)
    rows = [
        _make_bye_or_forfeit_points_row(index, player, entry, row)
        for player in (records if players is None else players)
        for entry in records[player]
        if entry.bye or (entry.forfeit and entry.outcome is Outcome.WIN)
        if (row := find_bye_or_forfeit_win(index, index.get_round(division.id, entry.round).id, player))
        is not None
    ]
    rows.sort(key=lambda row: (-row.round, row.player))
    return Table("awards", _AWARD_COLUMNS, tuple(rows))


def _make_bye_or_forfeit_points_row(
    index: TournamentIndex, player: PlayerId, entry: RoundRecord, row: Bye | Result
) -> ByeOrForfeitPointsRow:
    player_row = index.tournament.players[player]
    forfeit = row.forfeit if isinstance(row, Result) else None
    return ByeOrForfeitPointsRow(
        key=f"{entry.round}.{player}",
        round=entry.round,
        round_id=row.round if isinstance(row, Bye) else index.tournament.games[row.id].round,
        player=player_row.number,
        player_id=player,
        name=player_row.name,
        kind=entry.bye or forfeit or GameSide.BOTH,
        own=row.award is not None,
        award=outcome.find_unplayed_round_points_rule(index.tournament.get_ruleset_of_row(player_row), row),
        awarded=entry.awarded_points,
    )


def make_player_seating_table(index: TournamentIndex, round_row: Round) -> Table[PlayerSeatingRow]:
    players = index.tournament.players
    rows: list[PlayerSeatingRow] = []
    for game in index.games(round_row.id):
        first, second = players[game.first], players[game.second]
        for player, opponent in ((first, second), (second, first)):
            starts = None if game.start is StartDecision.DRAW else player is first
            values = (player.id, player.name, player.number)
            rows.append(PlayerSeatingRow(*values, game.table, opponent.name, opponent.number, starts, ""))
    for seats in index.list_seats_by_table(round_row.id):
        for seat in seats:
            player = players[seat.player]
            other_names = [players[other_seat.player].name for other_seat in seats if other_seat is not seat]
            opponent_text = " · ".join(other_names) if len(other_names) < _MAX_NAMES else ""
            rows.append(
                PlayerSeatingRow(
                    player.id, player.name, player.number, seat.table, opponent_text or "–", None, None, ""
                )
            )
    for bye in index.byes(round_row.id):
        player = players[bye.player]
        rows.append(PlayerSeatingRow(player.id, player.name, player.number, None, "", None, None, bye.kind.value))
    return Table("seats", _SEAT_COLUMNS, tuple(rows))


def list_games_with_assumed_draw(index: TournamentIndex, round_row: Round) -> tuple[Game, ...]:
    tournament = index.tournament
    games = [tournament.games[key] for key in round_row.assumed if key in tournament.games]
    return tuple(sorted(games, key=lambda game: (tournament.rounds[game.round].number, game.table)))


def sum_wins_losses_spread(record: Record) -> tuple[Fraction, Fraction, int]:
    """Return wins, losses and spread of a player's record. A draw counts half."""
    outcomes = Counter(entry.outcome for entry in record)
    halves = Fraction(outcomes[Outcome.DRAW], 2)
    return outcomes[Outcome.WIN] + halves, outcomes[Outcome.LOSS] + halves, sum(entry.spread for entry in record)


def _count_meetings(index: TournamentIndex, round_row: Round) -> Counter[frozenset[PlayerId]]:
    division = index.get_division_of_round(round_row.id)
    games = [
        index.games(earlier_round.id)
        for earlier_round in index.list_published_rounds(division.id, round_row.number - 1)
    ]
    pairs = (frozenset({game.first, game.second}) for game in chain.from_iterable(games))
    return index.get_cached_value_or_compute(("met", round_row.id), games, lambda: Counter(pairs))


def _make_pairing_row(
    index: TournamentIndex, rules: RuleSet, game: Game, meetings: Counter[frozenset[PlayerId]]
) -> PairingRow:
    players = index.tournament.players
    first, second = players[game.first], players[game.second]
    result = index.get_result(game.id)
    return PairingRow(
        key=game.id,
        table=game.table,
        first=first.number,
        second=second.number,
        first_name=first.name,
        second_name=second.name,
        score1=result.first if result else None,
        score2=result.second if result else None,
        spread=outcome.score_game(rules, result).first.spread if result else None,
        forfeit=result.forfeit if result else None,
        status=result.status if result else "open",
        start=game.start,
        repeat=meetings[frozenset({game.first, game.second})],
        locked=game.locked,
        reason=game.reason,
        decision=find_game_decision(index, game),
        break_up=result.break_up if result else None,
    )


_PAIRING_COLUMNS: tuple[Column[PairingRow], ...] = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "table", "first"),
    Column("first_name", ColumnKind.NAME, attrgetter("first_name")),
    Column("second", ColumnKind.NUMBER, attrgetter("second")),
    Column("second_name", ColumnKind.NAME, attrgetter("second_name")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "score1", "score2", editable=True),
    Column("spread", ColumnKind.SIGNED, attrgetter("spread")),
    Column("winner", ColumnKind.NAME, attrgetter("winner_name")),
    *make_columns_from_row_attributes(ColumnKind.CODE, "decided_by", "forfeit", "status"),
    Column("repeat", ColumnKind.NUMBER, lambda row: row.repeat or None),
)
_BYE_COLUMNS: tuple[Column[ByeRow], ...] = (
    Column("number", ColumnKind.NUMBER, attrgetter("player")),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("kind", ColumnKind.CODE, attrgetter("kind")),
    Column("points", ColumnKind.POINTS, attrgetter("points")),
    Column("spread", ColumnKind.SIGNED, attrgetter("spread")),
    Column("awarded", ColumnKind.NUMBER, attrgetter("awarded")),
)
_AWARD_COLUMNS: tuple[Column[ByeOrForfeitPointsRow], ...] = (
    Column("round", ColumnKind.NUMBER, attrgetter("round")),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("kind", ColumnKind.CODE, attrgetter("kind")),
    Column("award_by", ColumnKind.CODE, attrgetter("award.by")),
    Column("awarded", ColumnKind.NUMBER, attrgetter("awarded")),
)
_SEAT_COLUMNS: tuple[Column[PlayerSeatingRow], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("table", ColumnKind.NUMBER, attrgetter("table")),
    Column("starts", ColumnKind.MARK, attrgetter("starts")),
    Column("opponent", ColumnKind.NAME, attrgetter("opponent")),
)


class ScheduleStageRow(Struct, frozen=True):
    """A stage with the rounds `first` to `last`."""

    key: str
    stage: Stage
    number: int
    first: int
    last: int
    groups: int | None
    made: int  # number of paired rounds

    @property
    def rounds(self) -> str:
        if self.first >= self.last:  # an evening can have no round yet
            return str(self.first) if self.first == self.last else ""
        return f"{self.first}–{self.last}"

    @property
    def score_carryover(self) -> str:
        """How the standings of the stage start.

        `carried-on`: from the earlier results. `anew`: from zero. `play-off-only`: only the play-off counts.
        """
        return "play-off-only" if self.stage.play_off else "carried-on" if self.stage.carry else "anew"


def make_schedule_table(index: TournamentIndex, division: Division) -> Table[ScheduleStageRow]:
    rows = []
    for number, stage in enumerate(index.stages(division.id), start=1):
        first = index.get_first_round_number(stage.id)
        rows.append(
            ScheduleStageRow(
                key=stage.id,
                stage=stage,
                number=number,
                first=first,
                last=first + stage.rounds - 1,
                groups=stage.settings.groups if get_pairing_system(stage).supports_setting("groups") else None,
                made=sum(item.stage == stage.id for item in index.rounds(division.id)),
            )
        )
    return Table("schedule", _COLUMNS, tuple(rows))


_COLUMNS: tuple[Column[ScheduleStageRow], ...] = (
    Column("rounds", ColumnKind.TEXT, attrgetter("rounds"), editable=True),
    Column("system", ColumnKind.CODE, attrgetter("stage.system"), editable=True),
    Column("cut", ColumnKind.NUMBER, attrgetter("stage.cut"), editable=True),
    Column("groups", ColumnKind.NUMBER, attrgetter("groups"), editable=True),
    Column("counted", ColumnKind.CODE, attrgetter("score_carryover"), editable=True),
    Column("behind", ColumnKind.NUMBER, attrgetter("stage.settings.behind"), editable=True),
)


class TableRangeRow(Struct, frozen=True):
    """A named range of tables."""

    key: str
    group: str
    from_table: int
    to_table: int
    accessible: bool


def make_table_of_table_groups(index: TournamentIndex, division: Division) -> Table[TableRangeRow]:
    rows = tuple(
        TableRangeRow(row.id, row.name, row.first, row.last, row.accessible)
        for row in index.table_groups(division.id)
    )
    return Table("seating", _GROUP_COLUMNS, rows)


_GROUP_COLUMNS: tuple[Column[TableRangeRow], ...] = (
    Column("group", ColumnKind.TEXT, attrgetter("group"), editable=True),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "from_table", "to_table", editable=True),
    Column("accessible", ColumnKind.MARK, attrgetter("accessible")),
)
