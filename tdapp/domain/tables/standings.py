"""Tables of a division: standings, categories, teams, prizes, crosstables and ratings.

Teams rank by team match points, then by match points and spread of their players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division, Game, Player, PlayerId, Prize, PrizeKind, StartDecision
from tdapp.domain.outcome import GameDecision
from tdapp.domain.prizes import (
    LUCK_PRIZES,
    AwardedPrize,
    compute_awarded_prizes,
    is_eligible_for_category,
    list_categories,
)
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ratings import PlayerRatingChange, RatingSystem, compute_division_rating_changes, is_rated_round
from tdapp.domain.records import compute_records
from tdapp.domain.ruleset import DisqualifiedGamesRule, Outcome
from tdapp.domain.stages import find_stage_of_last_published_round
from tdapp.domain.standings import RankedPlayerRow, Standing, compute_standings, find_tiebreak_order
from tdapp.domain.tables.players import PlayerCardRow, map_player_cards
from tdapp.domain.tables.table import (
    Column,
    ColumnKind,
    Table,
    make_column_for_each_tuple_item,
    make_columns_from_row_attributes,
)
from tdapp.domain.teams import (
    TeamTotals,
    compute_team_scores,
    get_team_key,
    group_players_by_team,
    list_team_matches,
)
from tdapp.domain.tiebreaks import TIEBREAKS

# Tie-breaks with a column in all standings.
_STANDARD_TIEBREAKS = frozenset({"wins", "losses", "spread", "points"})


def make_standings_table(
    index: TournamentIndex, division: Division, after_round: int | None = None, *, group: int = 0
) -> Table[Standing]:
    rows = compute_standings(index, division, after_round)
    in_groups = not group and bool(rows) and rows[0].group > 0
    if group:
        rows = tuple(
            row if row.disqualified else row._replace(rank=row.place)
            for row in rows
            if row.group == group and not row.out
        )
    columns = (
        *_PLAYER_COLUMNS,
        *((_GROUP_COLUMN,) if in_groups else ()),
        *_GAME_COUNT_COLUMNS,
        *(
            _make_tiebreak_column(name)
            for name in find_tiebreak_order(index, division, after_round)
            if name not in _STANDARD_TIEBREAKS
        ),
        *_SUM_COLUMNS,
        *(() if all(row.status == "active" for row in rows) else (_STATUS_COLUMN,)),
    )
    return Table("standings", columns, rows)


def list_tiebreak_columns(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[Column[Standing], ...]:
    columns = {column.id: column for column in (*_PLAYER_COLUMNS, *_GAME_COUNT_COLUMNS, *_SUM_COLUMNS)}
    return tuple(
        columns.get(name) or _make_tiebreak_column(name)
        for name in find_tiebreak_order(index, division, after_round)
    )


def list_tiebreak_columns_for_ranked_rows(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> tuple[Column[Any], ...]:
    return tuple(
        _adapt_column_to_rows_with_standing(column)
        for column in list_tiebreak_columns(index, division, after_round)
    )


def _make_tiebreak_column(name: str) -> Column[Standing]:
    tiebreak = TIEBREAKS[name]
    return Column(name, tiebreak.kind, lambda row: row.get_tiebreak_value(name), words=tiebreak.text_id)


_PLAYER_COLUMNS: tuple[Column[Standing], ...] = (
    Column("rank", ColumnKind.NUMBER, attrgetter("rank_unless_disqualified")),
    Column("number", ColumnKind.NUMBER, attrgetter("player.number")),
    Column("name", ColumnKind.NAME, attrgetter("player.name")),
)
_GAME_COUNT_COLUMNS: tuple[Column[Standing], ...] = (  # other tie-breaks follow
    Column("games", ColumnKind.NUMBER, attrgetter("games")),
    Column("wins", ColumnKind.POINTS, attrgetter("match_points")),
    Column("losses", ColumnKind.POINTS, attrgetter("games_lost")),
)
_SUM_COLUMNS: tuple[Column[Standing], ...] = (
    Column("spread", ColumnKind.SIGNED, attrgetter("spread")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "points", "starts"),
    Column("rating", ColumnKind.RATING, attrgetter("player.rating_marked_if_provisional")),
)
_GROUP_COLUMN: Column[Standing] = Column("stage_group", ColumnKind.NUMBER, lambda row: row.group or None)
_STATUS_COLUMN: Column[Standing] = Column(
    "status", ColumnKind.CODE, lambda row: None if row.status == "active" else row.status
)


class CategoryRankRow(RankedPlayerRow, frozen=True):
    """A player's rank in a category."""

    place: int | None  # None if disqualified

    @property
    def player(self) -> Player:
        return self.standing.player

    @property
    def status(self) -> str:
        return self.standing.status


def get_category_or_refuse(index: TournamentIndex, division: Division, category: str) -> str:
    categories = list_categories(index.players(division.id))
    for name in categories:
        if name.casefold() == category.strip().casefold():
            return name
    if not categories:
        raise CommandError("no-classes", division=division.code)
    raise CommandError("no-such-class", category=category, known=", ".join(categories))


def make_category_table(
    index: TournamentIndex, division: Division, category: str, after_round: int | None = None
) -> Table[CategoryRankRow]:
    """Return the standings of a category after a round. Players with equal rank in the division share a rank."""
    table = make_standings_table(index, division, after_round)
    category_rows = [row for row in table.rows if is_eligible_for_category(row.player, category)]
    first_ranks: dict[int, int] = {}
    rows = tuple(
        CategoryRankRow(row, None if row.disqualified else first_ranks.setdefault(row.rank, position))
        for position, row in enumerate(category_rows, 1)
    )
    columns = map(_adapt_column_to_rows_with_standing, table.columns)
    rank_column: Column[CategoryRankRow] = Column("class_rank", ColumnKind.NUMBER, attrgetter("place"))
    return Table("class_standings", (rank_column, *columns), rows)


def _adapt_column_to_rows_with_standing(column: Column[Standing]) -> Column[Any]:
    return Column(column.id, column.kind, lambda row: column.value(row.standing), words=column.words)


MAX_COUNTING_PLAYERS = 10_000  # players of a team, in practice unlimited


class TeamRow(Struct, frozen=True):
    """A team with its rank."""

    key: str
    rank: int
    team: str
    size: int  # number of all players
    wins: Fraction
    losses: Fraction
    spread: int
    points: int
    players: tuple[str, ...]  # names of the counting players, the best first
    match_points: Fraction = Fraction(0)
    matches: int = 0
    penalty: int = 0

    @property
    def counted_player_names(self) -> str:
        return "; ".join(self.players)


def make_team_table(
    index: TournamentIndex, division: Division, after_round: int | None = None, *, best: int | None = None
) -> Table[TeamRow]:
    """Return the teams of a division after a round. Only the `best` players of each team count (None: all).

    A disqualified player whose games all become forfeits does not count.
    """
    if best is not None and best < 1:
        raise CommandError("bad-number", value=best, least=1, most=MAX_COUNTING_PLAYERS)
    members: dict[str, list[Standing]] = defaultdict(list)
    forfeits_games = (
        index.tournament.get_ruleset_of_row(division).sanctions.disqualified_games
        is DisqualifiedGamesRule.FORFEITED
    )
    for standing in compute_standings(index, division, after_round):
        if team := get_team_key(index, standing.player.id):
            members[team].append(standing)
    counting_rows = {
        team: [row for row in rows if not (forfeits_games and index.is_disqualified(row.player.id, after_round))][
            :best
        ]
        for team, rows in members.items()
    }
    scores = compute_team_scores(index, division, after_round)
    team_rows = [
        _make_team_row(rows, counting_rows[team], scores.get(team, TeamTotals())) for team, rows in members.items()
    ]
    team_rows.sort(key=lambda row: (-row.match_points, -row.wins, -row.spread, row.team.casefold(), row.team))
    first_ranks: dict[tuple[Fraction, Fraction, int], int] = {}
    ranks = [
        first_ranks.setdefault((row.match_points, row.wins, row.spread), position)
        for position, row in enumerate(team_rows, 1)
    ]
    columns = _MATCH_COLUMNS if scores else _TEAM_COLUMNS
    if any(row.penalty for row in team_rows):
        penalty: Column[TeamRow] = Column("team_penalty", ColumnKind.SIGNED, lambda row: -row.penalty or None)
        columns = (*columns[:5], penalty, *columns[5:])
    return Table(
        "teams",
        columns,
        tuple(replace(row, rank=rank) for row, rank in zip(team_rows, ranks, strict=True)),
    )


def _make_team_row(rows: list[Standing], counting_rows: list[Standing], score: TeamTotals) -> TeamRow:
    team = rows[0].player.team.strip()
    return TeamRow(
        key=team,
        rank=0,
        team=team,
        size=len(rows),
        wins=sum((row.match_points for row in counting_rows), start=Fraction(0)),
        losses=sum((row.games_lost for row in counting_rows), start=Fraction(0)),
        spread=sum(row.spread for row in counting_rows),
        points=sum(row.points for row in counting_rows),
        players=tuple(row.player.name for row in counting_rows),
        match_points=score.points,
        matches=score.matches,
        penalty=score.penalty,
    )


_TEAM_COLUMNS: tuple[Column[TeamRow], ...] = (
    Column("rank", ColumnKind.NUMBER, attrgetter("rank")),
    Column("team", ColumnKind.NAME, attrgetter("team")),
    Column("team_size", ColumnKind.NUMBER, attrgetter("size")),
    *make_columns_from_row_attributes(ColumnKind.POINTS, "wins", "losses"),
    Column("spread", ColumnKind.SIGNED, attrgetter("spread")),
    Column("points", ColumnKind.NUMBER, attrgetter("points")),
    Column("counting", ColumnKind.TEXT, attrgetter("counted_player_names")),
)
_MATCH_COLUMNS: tuple[Column[TeamRow], ...] = (
    *_TEAM_COLUMNS[:3],
    Column("team_matches", ColumnKind.NUMBER, attrgetter("matches")),
    Column("team_points", ColumnKind.POINTS, attrgetter("match_points")),
    Column("board_points", ColumnKind.POINTS, attrgetter("wins")),
    *_TEAM_COLUMNS[5:],
)


class TeamMatchRow(Struct, frozen=True):
    """A match of two teams, or the bye of one team."""

    key: str
    round: int
    tables: tuple[int, ...]
    first_team: str  # "" if the other team has a bye
    second_team: str  # "" if the other team has a bye
    first_boards: Fraction
    second_boards: Fraction
    first_points: Fraction | None  # None while open
    second_points: Fraction | None  # None while open
    spread: int

    @property
    def table_range(self) -> str:
        return f"{self.tables[0]}–{self.tables[-1]}" if len(self.tables) > 1 else "".join(map(str, self.tables))


class TeamBoardRow(Struct, frozen=True):
    """A board of a team match, or a team member without an opponent."""

    table: int | None
    first: str  # "" if the other player has no opponent
    second: str  # "" if the other player has no opponent
    score1: int | None
    score2: int | None
    decision: GameDecision | None
    spread: int
    bye: str = ""  # kind of bye of a player without opponent


def list_boards_of_team_match(
    index: TournamentIndex, division: Division, match: TeamMatchRow
) -> tuple[TeamBoardRow, ...]:
    """Return the boards of a team match, each with the first team's player first."""
    teams = group_players_by_team(index, (player.id for player in index.players(division.id)))
    first, second = (teams.get(name.casefold(), []) for name in (match.first_team, match.second_team))
    players = [index.tournament.players[player_id] for player_id in (*first, *second)]
    cards = map_player_cards(index, division, match.round, players=players)
    boards = []
    for player in players:
        card = next((card for card in cards[player.id] if card.round == match.round), None)
        if card is None or not (card.table in match.tables or card.bye == ByeKind.BYE):
            continue
        if player.id in first:
            boards.append(TeamBoardRow(card.table, player.name, card.opponent, card.points, card.opponent_points,
                                  card.decision, card.spread, card.bye))  # fmt: skip
        elif card.bye:
            boards.append(TeamBoardRow(None, "", player.name, None, card.points, None, -card.spread, card.bye))
    return tuple(sorted(boards, key=lambda board: (board.table is None, board.table)))


def make_team_match_table(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> Table[TeamMatchRow]:
    names: dict[str, str] = {"": ""}
    for player in index.players(division.id):
        names.setdefault(get_team_key(index, player.id), player.team.strip())
    get_points = index.tournament.get_ruleset_of_row(division).team_match.get_match_points
    rows = []
    for match in list_team_matches(index, division, after_round):
        first, second = (None, None) if match.outcomes is None else map(get_points, match.outcomes)
        rows.append(
            TeamMatchRow(
                f"{match.round}.{match.first}", match.round, match.tables, names[match.first],
                names[match.second], *match.boards, first, second, match.spreads[0],
            )
        )  # fmt: skip
    return Table("team_matches", _MATCH_ROW_COLUMNS, tuple(rows))


_MATCH_ROW_COLUMNS: tuple[Column[TeamMatchRow], ...] = (
    Column("round", ColumnKind.NUMBER, attrgetter("round")),
    Column("tables", ColumnKind.TEXT, attrgetter("table_range")),
    Column("first_team", ColumnKind.NAME, attrgetter("first_team")),
    Column("second_team", ColumnKind.NAME, attrgetter("second_team")),
    *make_columns_from_row_attributes(
        ColumnKind.POINTS, "first_boards", "second_boards", "first_points", "second_points"
    ),
    Column("spread", ColumnKind.SIGNED, attrgetter("spread")),
)


class PrizeRow(Struct, frozen=True):
    """One prize with its winners."""

    key: str
    number: int
    prize: Prize
    award: AwardedPrize
    place: int | None  # None if the kind does not use it
    games: int | None  # None if the kind does not use it
    winners: str  # names
    each: int | None  # amount of the first winner; others get the same or one cent less


def make_prize_table(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> Table[PrizeRow]:
    names = map_players_with_distinct_names(index)
    awards = compute_awarded_prizes(index, division, after_round)
    rows = tuple(_make_prize_row(number, award, names) for number, award in enumerate(awards, 1))
    return Table("prizes", _PRIZE_COLUMNS, rows)


def _make_prize_row(number: int, award: AwardedPrize, names: Mapping[PlayerId, Player]) -> PrizeRow:
    prize, winners = award.prize, award.winners
    return PrizeRow(
        key=prize.id,
        number=number,
        prize=prize,
        award=award,
        place=None if prize.kind is PrizeKind.HAND else prize.place,
        games=prize.games if prize.kind in LUCK_PRIZES else None,
        winners="; ".join(names[winner.player.id].name for winner in winners),
        each=winners[0].share if winners and prize.amount else None,
    )


_PRIZE_COLUMNS: tuple[Column[PrizeRow], ...] = (
    Column("kind", ColumnKind.CODE, attrgetter("prize.kind"), editable=True),
    Column("prize_place", ColumnKind.NUMBER, attrgetter("place"), editable=True),
    Column("category", ColumnKind.TEXT, attrgetter("prize.category"), editable=True),
    Column("prize_games", ColumnKind.NUMBER, attrgetter("games"), editable=True),
    Column("amount", ColumnKind.MONEY, attrgetter("prize.amount"), editable=True),
    Column("text", ColumnKind.TEXT, attrgetter("prize.text"), editable=True),
    Column("winners", ColumnKind.NAME, attrgetter("winners")),
    Column("each", ColumnKind.MONEY, attrgetter("each")),
)


class CrosstableRow(RankedPlayerRow, frozen=True):
    """A player's results of all rounds, None for rounds without a result."""

    rounds: tuple[PlayerCardRow | None, ...]
    opponents: tuple[int | None, ...]  # player numbers


class ResultMatrixRow(RankedPlayerRow, frozen=True):
    """A player's games against all opponents, in the order of the columns."""

    meetings: tuple[tuple[PlayerCardRow, ...], ...]


def make_result_matrix_table(
    index: TournamentIndex, division: Division, after_round: int
) -> Table[ResultMatrixRow]:
    """Return the results of all players against all others after a round. Column ids are player numbers."""
    standings = compute_standings(index, division, after_round)
    positions = {row.player.number: position for position, row in enumerate(standings)}
    cards = map_player_cards(index, division, after_round)
    rows = []
    for row in standings:
        meetings: list[tuple[PlayerCardRow, ...]] = [()] * len(standings)
        for card in cards[row.player.id]:
            position = positions.get(card.opponent_number or 0)
            if position is not None:
                meetings[position] = (*meetings[position], card)
        rows.append(ResultMatrixRow(row, tuple(meetings)))
    opponent_columns = make_column_for_each_tuple_item(
        ColumnKind.TEXT, "meetings", (str(row.player.number) for row in standings)
    )
    tiebreak_columns = list_tiebreak_columns_for_ranked_rows(index, division, after_round)
    return Table("matrix", (*_CROSSTABLE_COLUMNS, *opponent_columns, *tiebreak_columns), tuple(rows))


def list_crosstable_rounds(index: TournamentIndex, division: Division, after_round: int) -> range:
    stage = find_stage_of_last_published_round(index, division.id, after_round)
    return range(
        index.get_first_round_number(stage.id) if stage is not None and stage.evening else 1, after_round + 1
    )


def make_crosstable(
    index: TournamentIndex, division: Division, after_round: int, *, by_number: bool = False
) -> Table[CrosstableRow]:
    standings = compute_standings(index, division, after_round)
    cards, numbers = (
        map_player_cards(index, division, after_round),
        list_crosstable_rounds(index, division, after_round),
    )
    rows = []
    for row in standings:
        cards_by_round = {card.round: card for card in cards[row.player.id]}
        rounds = tuple(map(cards_by_round.get, numbers))
        opponents = tuple(card.opponent_number if card else None for card in rounds)
        rows.append(CrosstableRow(row, rounds, opponents))
    if by_number:
        rows.sort(key=lambda row: row.standing.player.number)
    round_columns = make_column_for_each_tuple_item(
        ColumnKind.NUMBER, "opponents", (f"round_{number}" for number in range(1, len(numbers) + 1))
    )
    return Table(
        "crosstable",
        (
            *_CROSSTABLE_COLUMNS,
            *round_columns,
            *list_tiebreak_columns_for_ranked_rows(index, division, after_round),
        ),
        tuple(rows),
    )


_CROSSTABLE_COLUMNS: tuple[Column[Any], ...] = (
    Column("rank", ColumnKind.NUMBER, attrgetter("standing.rank_unless_disqualified")),
    Column("number", ColumnKind.NUMBER, attrgetter("standing.player.number")),
    Column("name", ColumnKind.NAME, attrgetter("standing.player.name")),
)


class RatingChangeRow(Struct, frozen=True):
    """The rating change of one player."""

    key: str
    rank: int | None  # None for a disqualified player
    rated_player: PlayerRatingChange

    @property
    def expected(self) -> Fraction | None:
        expected = self.rated_player.expected
        return None if expected is None else Fraction(round(expected * 100), 100)


class RatedGameRow(Struct, frozen=True):
    """A rated game."""

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
    starts: int | None  # 1 if the first player starts, None if unknown
    winner: int | None  # 1 or 2, 0 for a draw, None if both lost


def make_rating_table(
    index: TournamentIndex, division: Division, system: RatingSystem, after_round: int | None = None
) -> Table[RatingChangeRow]:
    rated_players = {
        rated_player.player.id: rated_player
        for rated_player in compute_division_rating_changes(index, division, system, after_round)
    }
    standings = compute_standings(index, division, after_round)
    rows = tuple(
        RatingChangeRow(row.key, row.rank_unless_disqualified, rated_players[row.player.id]) for row in standings
    )
    return Table("ratings", _COLUMNS, rows)


def make_rated_game_table(
    index: TournamentIndex, division: Division, after_round: int | None = None
) -> Table[RatedGameRow]:
    """Return the rated games by round and table. Byes, open games and most forfeits are not rated."""
    rated_games = {
        entry.game
        for record in compute_records(index, division, after_round).values()
        for entry in record
        if is_rated_round(entry) and entry.game
    }
    rows = [
        _make_rated_game_row(index, division, item.number, game)
        for item in index.list_published_rounds(division.id)
        for game in index.games(item.id)
        if game.id in rated_games
    ]
    return Table("rated_games", _GAME_COLUMNS, tuple(rows))


def _make_rated_game_row(index: TournamentIndex, division: Division, number: int, game: Game) -> RatedGameRow:
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
        starts=None if game.start is StartDecision.DRAW else 1,
        winner=_find_winning_side_number(outcome.score_game(tournament.get_ruleset_of_row(game), result)),
    )


def _find_winning_side_number(scored_game: outcome.OutcomesOfBothPlayers) -> int | None:
    outcomes = [scored_game.first.outcome, scored_game.second.outcome]
    if Outcome.WIN in outcomes:
        return 1 + outcomes.index(Outcome.WIN)
    return 0 if Outcome.DRAW in outcomes else None


_COLUMNS: tuple[Column[RatingChangeRow], ...] = (
    Column("rank", ColumnKind.NUMBER, attrgetter("rank")),
    Column("name", ColumnKind.NAME, attrgetter("rated_player.player.name")),
    Column("rating", ColumnKind.RATING, attrgetter("rated_player.player.rating_marked_if_provisional")),
    Column("rated_games", ColumnKind.NUMBER, attrgetter("rated_player.player.rated_games"), editable=True),
    Column("games", ColumnKind.NUMBER, attrgetter("rated_player.games")),
    Column("wins", ColumnKind.POINTS, attrgetter("rated_player.score")),
    Column("expected", ColumnKind.DECIMAL, attrgetter("expected")),
    Column("performance", ColumnKind.NUMBER, attrgetter("rated_player.performance")),
    Column("new_rating", ColumnKind.NUMBER, attrgetter("rated_player.new")),
    Column("change", ColumnKind.SIGNED, attrgetter("rated_player.change")),
)
_GAME_COLUMNS: tuple[Column[RatedGameRow], ...] = (
    *make_columns_from_row_attributes(ColumnKind.TEXT, "event", "date", "division"),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table"),
    Column("first_name", ColumnKind.NAME, attrgetter("first.name")),
    Column("first_member", ColumnKind.TEXT, attrgetter("first.member")),
    Column("first_score", ColumnKind.NUMBER, attrgetter("first_score")),
    Column("second_name", ColumnKind.NAME, attrgetter("second.name")),
    Column("second_member", ColumnKind.TEXT, attrgetter("second.member")),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "second_score", "starts", "winner"),
)
