"""Performances and new ratings of a division's players, and the rated games."""

from __future__ import annotations

from fractions import Fraction
from operator import attrgetter

from msgspec import Struct

from tdapp.domain import outcome
from tdapp.domain.index import Index
from tdapp.domain.model import Division, Game, Player, Start
from tdapp.domain.ratings import Rated, RatingSystem, is_rated_round, rate_division
from tdapp.domain.records import compute_records
from tdapp.domain.ruleset import Worth
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables.table import Column, Kind, Table, make_columns


class RatingRow(Struct, frozen=True):
    """The rating change of one player; `expected` is in games."""

    key: str
    rank: int | None  # None for a disqualified player
    rated: Rated

    @property
    def expected(self) -> Fraction | None:
        """The expected number of games won, to the hundredth."""
        found = self.rated.expected
        return None if found is None else Fraction(round(found * 100), 100)


class RatedGameRow(Struct, frozen=True):
    """A rated game.

    `starts` is 1 (the first player) or None if unknown. `winner` is 1, 2 or 0 for a draw, None if both lost.
    By clock or jury the winner may have fewer points.
    """

    key: str
    event: str
    date: str
    division: str
    round: int
    table: int
    first: Player
    second: Player
    first_score: int
    second_score: int
    starts: int | None
    winner: int | None


def rating_table(
    index: Index, division: Division, system: RatingSystem, after: int | None = None
) -> Table[RatingRow]:
    """Return performances and new ratings after a round, in the order of the standings."""
    found = {one.player.id: one for one in rate_division(index, division, system, after)}
    ranked = compute_standings(index, division, after)
    rows = tuple(RatingRow(row.key, row.listed_rank, found[row.player.id]) for row in ranked)
    return Table("ratings", _COLUMNS, rows)


def rated_games(index: Index, division: Division, after: int | None = None) -> Table[RatedGameRow]:
    """Return the rated games by round and table.

    Excludes byes, games without a result and unrated games such as, in most rule sets, forfeits.
    """
    counted = {
        entry.game
        for record in compute_records(index, division, after).values()
        for entry in record
        if is_rated_round(entry) and entry.game
    }
    rows = [
        _game_row(index, division, item.number, game)
        for item in index.published(division.id)
        for game in index.games(item.id)
        if game.id in counted
    ]
    return Table("rated_games", _GAME_COLUMNS, tuple(rows))


def _game_row(index: Index, division: Division, number: int, game: Game) -> RatedGameRow:
    tournament, result = index.tournament, index.tournament.results[game.id]
    return RatedGameRow(
        key=game.id,
        event=tournament.event.name,
        date=tournament.event.date,
        division=division.code,
        round=number,
        table=game.table,
        first=tournament.players[game.first],
        second=tournament.players[game.second],
        first_score=result.first or 0,
        second_score=result.second or 0,
        starts=None if game.start is Start.DRAW else 1,
        winner=_winner_number(outcome.score_game(tournament.rules_of(game), result)),
    )


def _winner_number(decided: outcome.Outcome) -> int | None:
    worths = [decided.first.worth, decided.second.worth]
    if Worth.WIN in worths:
        return 1 + worths.index(Worth.WIN)
    return 0 if Worth.DRAW in worths else None


_COLUMNS: tuple[Column[RatingRow], ...] = (
    Column("rank", Kind.NUMBER, attrgetter("rank")),
    Column("name", Kind.NAME, attrgetter("rated.player.name")),
    Column("rating", Kind.RATING, attrgetter("rated.player.shown_rating")),
    Column("rated_games", Kind.NUMBER, attrgetter("rated.player.rated_games"), editable=True),
    Column("games", Kind.NUMBER, attrgetter("rated.games")),
    Column("wins", Kind.POINTS, attrgetter("rated.score")),
    Column("expected", Kind.DECIMAL, attrgetter("expected")),
    Column("performance", Kind.NUMBER, attrgetter("rated.performance")),
    Column("new_rating", Kind.NUMBER, attrgetter("rated.new")),
    Column("change", Kind.SIGNED, attrgetter("rated.change")),
)
_GAME_COLUMNS: tuple[Column[RatedGameRow], ...] = (
    *make_columns(Kind.TEXT, "event", "date", "division"),
    *make_columns(Kind.NUMBER, "round", "table"),
    Column("first_name", Kind.NAME, attrgetter("first.name")),
    Column("first_member", Kind.TEXT, attrgetter("first.member")),
    Column("first_score", Kind.NUMBER, attrgetter("first_score")),
    Column("second_name", Kind.NAME, attrgetter("second.name")),
    Column("second_member", Kind.TEXT, attrgetter("second.member")),
    *make_columns(Kind.NUMBER, "second_score", "starts", "winner"),
)
