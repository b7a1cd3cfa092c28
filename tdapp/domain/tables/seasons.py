"""Tables of a season."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from operator import attrgetter

from msgspec import Struct

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import CopiedEvent, Player, PlayerId, Season
from tdapp.domain.ratings import GameRatingChange, PlayerEventRatingChange, RatingSystem
from tdapp.domain.season_ratings import (
    MemberRating,
    compute_season_rating_changes,
    list_member_ratings,
    list_players_with_old_and_new_rating,
)
from tdapp.domain.season_rule import EveningResultMeasure, SeasonRule
from tdapp.domain.season_table import SeasonCell, SeasonEvening, SeasonLine
from tdapp.domain.seasons import is_within_season, list_season_evenings
from tdapp.domain.tables.table import Column, ColumnKind, Table

MAX_EVENINGS = 12  # evenings in the column of results
_DECIMAL_VALUES = frozenset({EveningResultMeasure.FIELD, EveningResultMeasure.AVERAGE, EveningResultMeasure.TOP})


def make_season_table(
    index: TournamentIndex, season: Season, lines: tuple[SeasonLine, ...], last_date: str = ""
) -> Table[SeasonLine]:
    """Return the season's standings after the evenings up to `last_date`, "" for all."""
    rule = season.rule
    kind, evenings = choose_season_value_column_kind(rule), list_newest_season_evenings(index, season, last_date)
    columns: list[Column[SeasonLine]] = [
        Column("rank", ColumnKind.NUMBER, attrgetter("rank")),
        Column("moved", ColumnKind.SIGNED, lambda line: line.moved or None),
        Column("name", ColumnKind.NAME, attrgetter("member.name")),
        Column("number", ColumnKind.NUMBER, lambda line: index.tournament.players[PlayerId(line.key)].number),
        Column("season_total", kind, attrgetter("total")),
        Column("season_results", ColumnKind.RESULTS, partial(list_season_points_at_evenings, evenings)),
        Column("season_evenings", ColumnKind.NUMBER, attrgetter("unexpired_result_count")),
        Column("games", ColumnKind.NUMBER, lambda line: line.unexpired_games_with_points_count or None),
        Column("average", ColumnKind.AVERAGE, attrgetter("points_per_game")),
        Column(
            "spread",
            ColumnKind.SIGNED,
            lambda line: line.spread_of_unexpired_results if line.unexpired_game_count else None,
        ),
    ]
    if rule.categories:
        columns.insert(0, Column("category", ColumnKind.TEXT, attrgetter("category")))
    if rule.promoted or rule.relegated:
        columns.append(
            Column("season_shift", ColumnKind.CODE, lambda line: line.shift if line.shift.value else None)
        )
    if rule.qualification.places or rule.qualification.fill:
        columns.append(Column("qualified", ColumnKind.MARK, lambda line: bool(line.qualified)))
    return Table("season", tuple(columns), lines)


def choose_season_value_column_kind(rule: SeasonRule) -> ColumnKind:
    return ColumnKind.AVERAGE if rule.value in _DECIMAL_VALUES else ColumnKind.POINTS


ShownResult = tuple[Fraction, bool] | None


def list_newest_season_evenings(
    index: TournamentIndex, season: Season, last_date: str = ""
) -> list[SeasonEvening]:
    """Return the last evenings up to `last_date` ("": any date), at most MAX_EVENINGS."""
    return [
        evening for evening in list_season_evenings(index, season) if not last_date or evening.date <= last_date
    ][-MAX_EVENINGS:]


def list_season_points_at_evenings(evenings: list[SeasonEvening], line: SeasonLine) -> tuple[ShownResult, ...]:
    """Return a member's season points for each evening, and whether they count.

    An item is None for a missed evening.
    """
    cells = {cell.evening.key: (cell.value, cell.is_counted_in_total) for cell in line.cells}
    return tuple(cells.get(evening.key) for evening in evenings)


class MemberEveningRow(Struct, frozen=True):
    """An evening of one member."""

    key: str
    line: SeasonLine
    cell: SeasonCell


def make_evenings_by_member_table(rule: SeasonRule, lines: Sequence[SeasonLine]) -> Table[MemberEveningRow]:
    kind = choose_season_value_column_kind(rule)
    columns: list[Column[MemberEveningRow]] = [
        Column("name", ColumnKind.NAME, attrgetter("line.member.name")),
        Column("date", ColumnKind.TEXT, attrgetter("cell.evening.date")),
        Column("place", ColumnKind.NUMBER, lambda row: row.cell.result.rank or None),
        Column("season_field", ColumnKind.NUMBER, lambda row: row.cell.result.field or None),
        Column("games", ColumnKind.NUMBER, lambda row: row.cell.result.games or None),
        Column(
            "points", ColumnKind.NUMBER, lambda row: None if row.cell.evening.imported else row.cell.result.points
        ),
        Column(
            "spread", ColumnKind.SIGNED, lambda row: None if row.cell.evening.imported else row.cell.result.spread
        ),
        Column("season_value", kind, attrgetter("cell.value")),
        Column("season_state", ColumnKind.CODE, attrgetter("cell.state")),
    ]
    if any(cell.evening.name for line in lines for cell in line.cells):
        columns.insert(2, Column("event", ColumnKind.TEXT, attrgetter("cell.evening.name")))
    rows = tuple(
        MemberEveningRow(f"{line.key} {cell.evening.key}", line, cell) for line in lines for cell in line.cells
    )
    return Table("member_year", tuple(columns), rows)


class SeasonRow(Struct, frozen=True):
    """A season in the list of seasons."""

    key: str
    season: Season


def make_season_list_table(index: TournamentIndex) -> Table[SeasonRow]:
    columns: tuple[Column[SeasonRow], ...] = (
        Column("name", ColumnKind.TEXT, attrgetter("season.name"), editable=True),
        Column("season_rule", ColumnKind.TEXT, attrgetter("season.rule.name")),
        Column("season_since", ColumnKind.TEXT, attrgetter("season.since"), editable=True),
        Column("season_until", ColumnKind.TEXT, attrgetter("season.until"), editable=True),
    )
    return Table("seasons", columns, tuple(SeasonRow(season.id, season) for season in index.listed_seasons))


class RatingListRow(Struct, frozen=True):
    """A member in a rating list."""

    key: str
    player: Player
    line: MemberRating


def make_rating_list_table(
    index: TournamentIndex, season: Season, system: RatingSystem, rating_date: str = ""
) -> Table[RatingListRow]:
    """Return the rating list on `rating_date` ("": after the last event)."""
    lines = list_member_ratings(index, season, system, rating_date)
    return Table(
        "season_ratings",
        _LIST_COLUMNS,
        tuple(RatingListRow(line.key, index.tournament.players[line.key], line) for line in lines),
    )


_LIST_COLUMNS: tuple[Column[RatingListRow], ...] = (
    Column("rank", ColumnKind.NUMBER, attrgetter("line.rank")),
    Column("name", ColumnKind.NAME, attrgetter("player.name")),
    Column("number", ColumnKind.NUMBER, attrgetter("player.number")),
    Column("club", ColumnKind.TEXT, attrgetter("player.club")),
    Column("rating", ColumnKind.NUMBER, attrgetter("line.rating")),
    Column("change", ColumnKind.SIGNED, attrgetter("line.change")),
    Column("games", ColumnKind.NUMBER, lambda row: row.line.game_count or None),
    Column("last_played", ColumnKind.TEXT, attrgetter("line.last_played_date")),
)


class RatingGameRow(Struct, frozen=True):
    """A game of a member and how it changed the rating."""

    key: str
    player: Player
    event: PlayerEventRatingChange
    game: GameRatingChange
    opponent: Player

    @property
    def opponent_rating(self) -> int | None:
        return None if self.game.rating is None else round(self.game.rating)

    @property
    def expected(self) -> Fraction | None:
        return None if self.game.expected is None else Fraction(round(self.game.expected * 100), 100)

    @property
    def change(self) -> Fraction | None:
        return None if self.game.change is None else Fraction(round(self.game.change * 100), 100)


def make_rating_game_table(
    index: TournamentIndex, season: Season, system: RatingSystem, rating_date: str = "", member: str = ""
) -> Table[RatingGameRow]:
    players = index.tournament.players
    changes = compute_season_rating_changes(index, season, system, rating_date)
    rated_players = sorted(
        (players[PlayerId(key)] for key in changes if member in {"", key}), key=attrgetter("name", "number")
    )
    rows = (
        RatingGameRow(
            f"{player.id} {change.event.key} {position}", player, change, game, players[PlayerId(game.opponent)]
        )
        for player in rated_players
        for change in changes[player.id]
        for position, game in enumerate(change.games)
    )
    return Table("rating_games", _GAME_COLUMNS, tuple(rows))


_GAME_COLUMNS: tuple[Column[RatingGameRow], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("player.name")),
    Column("date", ColumnKind.TEXT, attrgetter("event.event.date")),
    Column("rating", ColumnKind.NUMBER, attrgetter("event.before")),
    Column("round", ColumnKind.NUMBER, attrgetter("game.round")),
    Column("opponent", ColumnKind.NAME, attrgetter("opponent.name")),
    Column("opponent_rating", ColumnKind.NUMBER, attrgetter("opponent_rating")),
    Column("score", ColumnKind.POINTS, attrgetter("game.score"), words="wins"),
    Column("expected", ColumnKind.DECIMAL, attrgetter("expected")),
    Column("change", ColumnKind.SIGNED, attrgetter("change")),
    Column("new_rating", ColumnKind.NUMBER, attrgetter("event.after")),
)


class OldAndNewRatingRow(Struct, frozen=True):
    """A player's rating now and after the ratings of a season are applied."""

    key: str
    player: Player
    new_rating: int | None


def make_rating_update_table(
    index: TournamentIndex, season: Season, system: RatingSystem, rating_date: str = ""
) -> Table[OldAndNewRatingRow]:
    updates = list_players_with_old_and_new_rating(index, season, system, rating_date)
    rows = (OldAndNewRatingRow(player.id, player, after.rating) for player, after in updates)
    return Table("rating_updates", _UPDATE_COLUMNS, tuple(rows))


def _compute_rating_change(row: OldAndNewRatingRow) -> int | None:
    old_rating, new_rating = row.player.rating, row.new_rating
    return None if old_rating is None or new_rating is None else new_rating - old_rating


_UPDATE_COLUMNS: tuple[Column[OldAndNewRatingRow], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("player.name")),
    Column("rating", ColumnKind.NUMBER, attrgetter("player.rating")),
    Column("new_rating", ColumnKind.NUMBER, attrgetter("new_rating")),
    Column("change", ColumnKind.SIGNED, _compute_rating_change),
)


class CopiedEventRow(Struct, frozen=True):
    """An event copied from another file into a season."""

    key: str
    event: CopiedEvent
    players: int
    is_counted: bool  # its date is within the season


def make_copied_event_table(index: TournamentIndex, season: Season) -> Table[CopiedEventRow]:
    columns: tuple[Column[CopiedEventRow], ...] = (
        Column("name", ColumnKind.TEXT, attrgetter("event.name"), editable=True),
        Column("division", ColumnKind.TEXT, attrgetter("event.division")),
        Column("date", ColumnKind.TEXT, attrgetter("event.date"), editable=True),
        Column("season_field", ColumnKind.NUMBER, attrgetter("players")),
        Column("games", ColumnKind.NUMBER, lambda row: len(row.event.games) or None),
        Column("file", ColumnKind.TEXT, attrgetter("event.source")),
        Column("event_counted", ColumnKind.MARK, attrgetter("is_counted")),
    )
    rows = (
        CopiedEventRow(event.id, event, len(index.copied_results(event.id)), is_within_season(season, event.date))
        for event in index.copied_events(season.id)
    )
    return Table("copied_events", columns, tuple(rows))
