"""The public lists of a tournament as texts, for printouts, web pages, screens and command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.bracket import build_bracket
from tdapp.domain.elimination import make_match_codes
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import AchievementRecord, ByeKind, Division, Player, PlayerId, Round, Season, StartDecision
from tdapp.domain.season_table import SeasonLine
from tdapp.domain.standings import find_ranks_vacant_by_double_forfeit, find_tiebreak_order
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables import players, rounds, standings, statistics
from tdapp.domain.tables.groups import make_table_of_group_tables
from tdapp.domain.tables.news import Achievement, RecordNews, RecordScope
from tdapp.domain.tables.players import CARD_COLUMNS, PlayerCardRow, PlayerRow
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tables.seasons import make_season_table
from tdapp.domain.tables.table import NUMERIC, Column, ColumnKind, Table
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import (
    add_round_name_to_title,
    capitalize_first,
    describe_ranking,
    describe_round_start,
    describe_solo_result,
    explain_disqualified_team_players,
    format_round_in_divisions,
    format_round_number,
    format_table_numbers_by_round,
    make_find_your_table_title,
    make_round_title,
    make_seating_table_by_name,
    make_standings_title,
    map_results_to_letters,
)
from tdapp.i18n.scores import (
    format_card_round_or_evening,
    format_game_row_score,
    format_player_card_score,
    format_scores_of_both_players,
    make_game_decision_legend,
)
from tdapp.i18n.season_sentences import compute_sorted_season_lines, describe_season_rule


class NewsLine(Struct, frozen=True):
    """The texts for one news item, such as a new highest score."""

    key: str
    title: str
    name: str
    details: str
    value: int
    short_title: str  # shorter `title`


def list_news_lines(
    catalogue: Catalogue, index: TournamentIndex, news: Iterable[RecordNews]
) -> tuple[NewsLine, ...]:
    return tuple(_make_news_line(catalogue, index, item) for item in news)


def _make_news_line(catalogue: Catalogue, index: TournamentIndex, news: RecordNews) -> NewsLine:
    text = catalogue.text
    kind = catalogue.translate_code(news.achievement.kind)
    source = news.before.source if news.before else ""
    title, short_title = {
        RecordScope.LISTED: (
            text("Record ({source}): {kind}", source=source, kind=kind),
            text("Record: {kind}", kind=kind),
        ),
        RecordScope.EVENT: (capitalize_first(kind), capitalize_first(kind)),
        RecordScope.OWN_LISTED: (text("Personal best: {kind}", kind=kind), text("Personal best")),
        RecordScope.OWN: (text("Player’s best so far"), text("Player’s best so far")),
    }[news.scope]
    title = title if source or news.scope is not RecordScope.LISTED else short_title
    return NewsLine(
        news.key,
        title,
        news.achievement.player.name,
        _describe_achievement(catalogue, index, news),
        news.achievement.value,
        short_title,
    )


def _describe_achievement(catalogue: Catalogue, index: TournamentIndex, news: RecordNews) -> str:
    number = format_round_number(catalogue, index, news.achievement.player.division, news.achievement.round)
    achievement = catalogue.describe_award_reason(
        news.achievement.kind, {**_make_achievement_facts(news.achievement), "round": number}
    )
    return (
        achievement
        if news.before is None
        else f"{achievement}. {_describe_previous_record(catalogue, news.before, news.scope)}"
    )


def _describe_previous_record(catalogue: Catalogue, before: AchievementRecord, scope: RecordScope) -> str:
    is_personal = scope in {RecordScope.OWN, RecordScope.OWN_LISTED}
    holder = ", ".join(filter(None, ("" if is_personal else before.name, before.date)))
    if holder:
        return catalogue.text("Previously: {value} ({holder})", value=before.value, holder=holder)
    return catalogue.text("Previously: {value}", value=before.value)


def _make_achievement_facts(feat: Achievement) -> Mapping[str, object]:
    entry = feat.entry
    return {
        "n": feat.value,
        "score": feat.value,
        "word": feat.word,
        "points": entry.points,
        "against": entry.opponent_points if entry.opponent else None,
        "margin": entry.point_difference,
        "opponent": feat.opponent,
    }


_get_player_number: Callable[[Any], int | None] = attrgetter("player.number")
_get_ranked_player_number: Callable[[Any], int | None] = attrgetter("standing.player.number")
_NO_RANK = "–"  # rank of a disqualified player


class TextColumn(Struct, frozen=True):
    """A column of texts."""

    heading: str
    kind: ColumnKind
    cells: tuple[str, ...]
    bold: bool = False
    id: str = ""
    explanation: str = ""
    players: tuple[int | None, ...] = ()  # player number of each row if the cells are names
    winners: frozenset[int] = frozenset()  # indexes of the rows to emphasise

    @property
    def has_flexible_width(self) -> bool:
        return self.kind in {ColumnKind.TEXT, ColumnKind.WHY, ColumnKind.NAME}

    @property
    def is_numeric(self) -> bool:
        return self.kind in NUMERIC


class TextTable(Struct, frozen=True):
    """A list as texts."""

    title: str
    columns: tuple[TextColumn, ...]
    empty: str = ""  # text shown if the list has no rows
    notes: tuple[str, ...] = ()
    legend: str = ""  # meaning of the marks in cells

    def get_columns_by_ids(self, ids: Iterable[str]) -> tuple[TextColumn, ...]:
        columns = {column.id: column for column in self.columns}
        return tuple(columns[name] for name in ids if name in columns)

    def list_rows(self, *column_ids: str) -> list[tuple[str, ...]]:
        columns = self.get_columns_by_ids(column_ids) if column_ids else self.columns
        return [*zip(*(column.cells for column in columns), strict=True)]


def make_list_columns(
    catalogue: Catalogue,
    table: Table[Any],
    ids: Iterable[str] | None = None,
    player_number_getters: Mapping[str, Callable[[Any], int | None]] | None = None,
) -> list[TextColumn]:
    """Return the columns of a table, without empty columns.

    `player_number_getters` maps a column id to a function that returns the player number of a row.
    """
    columns, list_columns = {column.id: column for column in table.columns}, []
    for name in columns if ids is None else ids:
        if (column := columns.get(name)) is None:
            continue
        cells = tuple(catalogue.format_cell(column.kind, column.value(row)) for row in table.rows)
        if any(cells) or not cells:
            heading, full = catalogue.heading(column.heading_id), catalogue.explain_column(column.heading_id)
            get_number = (player_number_getters or {}).get(name)
            numbers = tuple(map(get_number, table.rows)) if get_number else ()
            list_columns.append(
                TextColumn(heading, column.kind, cells, id=name, explanation=full, players=numbers)
            )
    return list_columns


def make_text_columns(
    rows: Sequence[Sequence[str]], headings: Iterable[tuple[str, ColumnKind]]
) -> list[TextColumn]:
    return [
        TextColumn(heading, kind, tuple(line[column_index] for line in rows), id=str(column_index))
        for column_index, (heading, kind) in enumerate(headings)
    ]


def _make_column(
    catalogue: Catalogue, name: str, kind: ColumnKind, cells: Iterable[str], players: Iterable[int | None] = ()
) -> TextColumn:
    return TextColumn(catalogue.heading(name), kind, tuple(cells), id=name, players=tuple(players))


def make_pairings_text_table(
    catalogue: Catalogue,
    index: TournamentIndex,
    item: Round,
    games: Sequence[PairingRow] | None = None,
    *,
    hide_group_points: bool = False,
) -> TextTable:
    """Return all pairings of a round, or only those in `games`.

    `hide_group_points` hides points at tables with one player, or with three or more.
    """
    rows = rounds.make_pairing_table(index, item).rows if games is None else games
    byes = rounds.make_bye_table(index, item).rows
    groups = _list_rows_of_group_tables(catalogue, index, item, hide_points=hide_group_points)
    blank_cells, has_drawn_starts = [""] * len(byes), any(row.start is StartDecision.DRAW for row in rows)
    is_decided = bool(rows or groups) and all(row.decision is not None for row in rows)
    is_decided = is_decided and not index.list_open_tables(item.id)
    kinds = [
        ", ".join(
            filter(
                None,
                (catalogue.translate_code(bye.kind), _format_awarded_points(catalogue, bye) if is_decided else ""),
            )
        )
        for bye in byes
    ]
    lines = [
        _PairingListRow(row.table, (row.first, row.first_name), (row.second, row.second_name),
                     format_game_row_score(catalogue, row), catalogue.format_cell(ColumnKind.SIGNED, row.spread),
                     row.winner)
        for row in rows
    ]  # fmt: skip
    lines = sorted((*lines, *groups), key=attrgetter("table"))
    first = [line.first for line in lines] + [(bye.player, bye.name) for bye in byes]
    second = [line.second for line in lines] + [(None, kind) for kind in kinds]

    def make_name_column(name: str, players: Sequence[tuple[int | None, str]]) -> TextColumn:
        column = _make_column(
            catalogue,
            name,
            ColumnKind.NAME,
            (player_name for _, player_name in players),
            (number for number, _ in players),
        )
        winners = frozenset(
            line_index
            for line_index, line in enumerate(lines)
            if line.winner and line.winner == players[line_index][0]
        )
        return replace(column, heading=catalogue.heading("player" if has_drawn_starts else name), winners=winners)

    scores, spreads = [line.score for line in lines], [line.spread for line in lines]
    columns = (
        _make_column(catalogue, "table", ColumnKind.NUMBER, [*(str(line.table) for line in lines), *blank_cells]),
        make_name_column("first_name", first),
        _make_column(catalogue, "score", ColumnKind.NUMBER, scores + blank_cells),
        make_name_column("second_name", second),
        _make_column(catalogue, "spread", ColumnKind.SIGNED, spreads + blank_cells),
    )
    start_note = describe_round_start(catalogue, index, index.get_division_of_round(item.id), item.number)
    tile_note = catalogue.text("The tiles decide who starts.") if has_drawn_starts else ""
    return TextTable(
        make_round_title(catalogue, index, item, is_decided=is_decided),
        columns,
        catalogue.text("No games in this round."),
        (
            start_note,
            format_other_matches_in_final_round(catalogue, index, item),
            _describe_assumed_draws(catalogue, index, item),
            tile_note,
            *(() if hide_group_points else describe_points_of_break_up_games(catalogue, index, item)),
        ),
        make_game_decision_legend(catalogue, (row.decision for row in rows)),
    )


_MAX_SEATS_IN_LINE = 4


class _PairingListRow(Struct, frozen=True):
    table: int
    first: tuple[int | None, str]
    second: tuple[int | None, str]
    score: str = ""
    spread: str = ""
    winner: int | None = None


def _list_rows_of_group_tables(
    catalogue: Catalogue, index: TournamentIndex, item: Round, *, hide_points: bool
) -> list[_PairingListRow]:
    """Return one line for each table. A table with more than four players has one line for each player."""
    lines: list[_PairingListRow] = []
    for row in make_table_of_group_tables(index, item).rows:
        first, *other_seats = row.seats
        if len(row.seats) > _MAX_SEATS_IN_LINE:
            points = ["" if hide_points or seat.points is None else str(seat.points) for seat in row.seats]
            lines += (
                _PairingListRow(row.table, (seat.player, seat.name), (None, ""), seat_points)
                for seat, seat_points in zip(row.seats, points, strict=True)
            )
            continue
        winner = first.player if first.place == 1 and other_seats and not hide_points else None
        names = " · ".join(seat.name for seat in other_seats)
        if not other_seats and not hide_points:
            names = " · ".join(describe_solo_result(catalogue, first))
        score = "" if hide_points else row.points
        lines.append(_PairingListRow(row.table, (first.player, first.name), (None, names), score, winner=winner))
    return lines


def describe_points_of_break_up_games(catalogue: Catalogue, index: TournamentIndex, item: Round) -> Iterator[str]:
    """Yield a text for each break-up game of a round.

    In a break-up game, the players take the tiles of a finished game off the board.
    """
    games: list[tuple[int, tuple[str, ...], tuple[int, ...]]] = [
        (row.table, (row.first_name, row.second_name), row.break_up)
        for row in rounds.list_pairings_with_distinct_names(index, item)
        if row.break_up
    ]
    for group in make_table_of_group_tables(index, item).rows:
        seat_points = tuple(seat.break_up for seat in group.seats if seat.break_up is not None)
        games += [(group.table, tuple(seat.name for seat in group.seats), seat_points)] if seat_points else []
    for table, names, points in sorted(games):
        scores = " · ".join(f"{name} {score}" for name, score in zip(names, points, strict=True))
        yield catalogue.text("Break-up game at table {table}: {points}", table=table, points=scores)


def format_other_matches_in_final_round(catalogue: Catalogue, index: TournamentIndex, item: Round) -> str:
    """Name the other matches in the round of the final, with their tables. Without a final, return ""."""
    stage = index.tournament.stages[item.stage]
    if not get_pairing_system(stage).is_knockout:
        return ""
    matches = build_bracket(index, stage)
    named_matches = zip(matches, make_match_codes([match.node for match in matches]), strict=True)
    names = {game: name for match, name in named_matches for game in match.games}
    games = [(game.table, names.get(game.id, "")) for game in index.games(item.id)]
    if "final" not in [name for _, name in games]:
        return ""
    return " · ".join(
        catalogue.text("Table {table}: {match}", table=table, match=catalogue.format_knockout_match(name))
        for table, name in games
        if name not in {"", "final"}
    )


def _format_awarded_points(catalogue: Catalogue, row: rounds.ByeRow) -> str:
    return "" if row.awarded is None else catalogue.plural("{n} point", "{n} points", row.awarded)


def _describe_assumed_draws(catalogue: Catalogue, index: TournamentIndex, item: Round) -> str:
    games = rounds.list_games_with_assumed_draw(index, item)
    if not games:
        return ""
    tables = format_table_numbers_by_round(catalogue, index, games)
    return catalogue.plural(
        "paired while the result of {tables} was missing", "paired while the results of {tables} were missing",
        len(games), tables=tables,
    )  # fmt: skip


def make_seats_text_table(catalogue: Catalogue, index: TournamentIndex, item: Round) -> TextTable:
    table = make_seating_table_by_name(catalogue, index, item)
    rows = tuple(replace(row, opponent=row.opponent or catalogue.translate_code(row.bye)) for row in table.rows)
    numbers = {"name": attrgetter("player"), "opponent": attrgetter("opponent_number")}
    columns = [
        replace(column, explanation="")
        if column.id == "starts"
        else column  # that explanation is about the count of starts
        for column in make_list_columns(catalogue, replace(table, rows=rows), player_number_getters=numbers)
    ]
    start_note = describe_round_start(catalogue, index, index.get_division_of_round(item.id), item.number)
    empty = catalogue.text("No games in this round.")
    other_matches = format_other_matches_in_final_round(catalogue, index, item)
    notes = (start_note, other_matches, _describe_assumed_draws(catalogue, index, item))
    return TextTable(make_find_your_table_title(catalogue, index, item), tuple(columns), empty, notes)


def make_standings_text_table(
    catalogue: Catalogue,
    index: TournamentIndex,
    division: Division,
    after: int,
    *,
    category: str = "",
    group: int = 0,
) -> TextTable:
    title = make_standings_title(catalogue, index, division, after)
    table: Table[Any] = standings.make_standings_table(index, division, after, group=group)
    if category:
        table = standings.make_category_table(index, division, category, after)
        title = catalogue.text("{title}: category {category}", title=title, category=category)
    columns = [
        replace(column, cells=tuple(cell or _NO_RANK for cell in column.cells)) if column.id == "rank" else column
        for column in make_list_columns(catalogue, table, player_number_getters={"name": _get_player_number})
    ]
    empty, note = (catalogue.text("No player is ranked yet."), describe_ranking(catalogue, index, division, after))
    vacant_ranks = () if category or group else find_ranks_vacant_by_double_forfeit(table.rows)
    vacancy_note = explain_vacant_ranks(catalogue, vacant_ranks)
    return TextTable(title, tuple(columns), empty, (note, vacancy_note) if vacancy_note else (note,))


def make_season_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, season: Season, day: str = ""
) -> TextTable:
    """Return the table of a season up to the date `day`, "" for all evenings."""

    def find_player_number_in_division(line: SeasonLine) -> int | None:
        player = index.tournament.players[PlayerId(line.key)]
        return player.number if player.division == division.id else None

    table = make_season_table(index, season, compute_sorted_season_lines(catalogue, index, season, day), day)
    columns = make_list_columns(catalogue, table, player_number_getters={"name": find_player_number_in_division})
    rules, note = describe_season_rule(catalogue, season.rule), catalogue.text("Results in brackets do not count.")
    legend = f"{note} {capitalize_first(rules)}."
    title = " · ".join(filter(None, (season.name, catalogue.format_date(day))))
    return TextTable(title, tuple(columns), catalogue.text("No evenings yet."), legend=legend)


def make_teams_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int, *, best: int | None = None
) -> TextTable:
    table = standings.make_team_table(index, division, after, best=best)
    title = add_round_name_to_title(catalogue, index, division, after, catalogue.text("Teams"))
    empty = catalogue.text("No player is in a team.")
    legend = explain_disqualified_team_players(catalogue, index, division, after)
    return TextTable(title, tuple(make_list_columns(catalogue, table)), empty, legend=legend)


def make_team_matches_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int
) -> TextTable:
    """Return the matches of the teams up to round `after`, each with its games in the rows below."""
    lines: list[tuple[str, ...]] = []
    matches = []
    for match in standings.make_team_match_table(index, division, after).rows:
        matches.append(len(lines))
        lines.append(_make_team_match_line(catalogue, match))
        if match.second_team:
            boards = standings.list_boards_of_team_match(index, division, match)
            lines += [_list_team_board_cells(catalogue, board) for board in boards]
    columns = [
        replace(column, winners=frozenset(matches))
        for column in (
            _make_column(catalogue, name, kind, (line[column_index] for line in lines))
            for column_index, (name, kind) in enumerate(_TEAM_MATCH_COLUMNS)
        )
    ]
    title = add_round_name_to_title(catalogue, index, division, after, catalogue.text("Team matches"))
    return TextTable(title, tuple(columns), catalogue.text("There are no team matches."))


_TEAM_MATCH_COLUMNS = (
    ("round", ColumnKind.NUMBER), ("tables", ColumnKind.TEXT),
    ("first_team", ColumnKind.TEXT), ("second_team", ColumnKind.TEXT),
    ("board_points", ColumnKind.NUMBER), ("team_points", ColumnKind.NUMBER), ("spread", ColumnKind.SIGNED),
)  # fmt: skip


def _make_team_match_line(catalogue: Catalogue, match: standings.TeamMatchRow) -> tuple[str, ...]:
    format_number = catalogue.format_number
    format_signed = catalogue.format_signed_value
    format_points = catalogue.format_points
    if not match.second_team:
        own_points = format_points(match.first_boards), format_points(match.first_points or 0)
        return (
            format_number(match.round),
            "",
            match.first_team,
            catalogue.translate_code(ByeKind.BYE),
            *own_points,
            format_signed(match.spread),
        )
    boards = f"{format_points(match.first_boards)} – {format_points(match.second_boards)}"
    is_decided = match.first_points is not None and match.second_points is not None
    total = (
        f"{format_points(match.first_points or 0)} – {format_points(match.second_points or 0)}"
        if is_decided
        else ""
    )
    teams = match.first_team, match.second_team
    return format_number(match.round), match.table_range, *teams, boards, total, format_signed(match.spread)


def describe_team_board(catalogue: Catalogue, board: standings.TeamBoardRow) -> str:
    """Return a game of a team match, such as "Table 3: Ann – Cid · 400 – 380 · +20"."""
    _, table, first, second, score, _, spread = _list_team_board_cells(catalogue, board)
    table_prefix = catalogue.text("Table {table}", table=table) + ": " if table else ""
    return table_prefix + " · ".join(filter(None, (f"{first} – {second}", score, spread)))


def _list_team_board_cells(catalogue: Catalogue, board: standings.TeamBoardRow) -> tuple[str, ...]:
    table = "" if board.table is None else catalogue.format_number(board.table)
    score = catalogue.translate_code(board.bye) if board.bye else format_game_row_score(catalogue, board)
    spread = catalogue.format_signed_value(board.spread) if score else ""
    return "", table, board.first or "–", board.second or "–", score, "", spread


def explain_vacant_ranks(catalogue: Catalogue, ranks: Sequence[int]) -> str:
    if not ranks:
        return ""
    rank_list = catalogue.format_numbers(ranks)
    return catalogue.text(
        "Not awarded: place {ranks}. Both players forfeited the match for this place.", ranks=rank_list
    )


def list_tiebreak_column_ids(index: TournamentIndex, division: Division, after: int) -> tuple[str, ...]:
    return tuple(find_tiebreak_order(index, division, after))


def make_players_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, order: str = "number"
) -> TextTable:
    table = make_sorted_player_table(catalogue, index, division, order)
    title = catalogue.plural("{n} player", "{n} players", len(table.rows))
    columns = make_list_columns(catalogue, table, player_number_getters={"name": _get_player_number})
    return TextTable(title, tuple(columns), catalogue.text("No players yet."))


def make_sorted_player_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, order: str
) -> Table[PlayerRow]:
    table, rules = players.make_player_table(index, division), index.tournament.get_ruleset_of_row(division)

    def sort_key(row: PlayerRow) -> tuple[object, ...]:
        club = row.player.club
        first = (not club, catalogue.make_sort_key(club), row.player.country) if order == "club" else ()
        name = () if order == "number" else catalogue.make_sort_key(row.player.name, rules)
        return (*first, *name, row.player.number)

    return replace(table, rows=tuple(sorted(table.rows, key=sort_key)))


def make_player_card_text_table(catalogue: Catalogue, player: Player, cards: Iterable[PlayerCardRow]) -> TextTable:
    rows = tuple(replace(row, opponent=row.opponent or catalogue.translate_code(row.bye)) for row in cards)

    def format_score_with_mark(side: int, row: PlayerCardRow) -> str:
        return format_scores_of_both_players(catalogue, (row.points, row.opponent_points), row.decision)[side]

    sides = {"points": 0, "opponent_points": 1}
    columns = tuple(
        replace(column, value=partial(format_score_with_mark, sides[column.id])) if column.id in sides else column
        for column in CARD_COLUMNS
    )
    if any(row.game for row in rows):
        round_column = Column[PlayerCardRow](
            "round", ColumnKind.TEXT, partial(format_card_round_or_evening, catalogue), words="evening_game"
        )
        columns = tuple(round_column if column.id == "round" else column for column in columns)
    numbers = {"opponent": attrgetter("opponent_number")}
    return TextTable(
        catalogue.text("Rounds for {player}", player=player.name),
        tuple(make_list_columns(catalogue, Table("card", columns, rows), player_number_getters=numbers)),
        catalogue.text("No round has been published yet."),
        legend=make_game_decision_legend(catalogue, (row.decision for row in rows)),
    )


def make_crosstable_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int
) -> TextTable:
    table, letter = standings.make_crosstable(index, division, after), map_results_to_letters(catalogue)
    columns = {
        column.id: column
        for column in make_list_columns(
            catalogue, table, player_number_getters={"name": _get_ranked_player_number}
        )
    }
    for position, number in enumerate(standings.list_crosstable_rounds(index, division, after)):
        squares = (
            "\n".join(list_crosstable_cell_lines(catalogue, letter, row.rounds[position])) for row in table.rows
        )
        full = format_round_in_divisions(catalogue, index, (division,), number)
        name = f"round_{position + 1}"
        columns[name] = TextColumn(str(position + 1), ColumnKind.TEXT, tuple(squares), id=name, explanation=full)
    cards = chain(*(row.rounds for row in table.rows))
    return TextTable(
        add_round_name_to_title(catalogue, index, division, after, catalogue.text("Crosstable")),
        tuple(columns[column.id] for column in table.columns if column.id in columns),
        catalogue.text("No player is ranked yet."),
        (catalogue.text("W3: won against player 3."), describe_ranking(catalogue, index, division, after)),
        make_game_decision_legend(catalogue, (card.decision for card in cards if card is not None)),
    )


def list_crosstable_cell_lines(
    catalogue: Catalogue, result_letters: Mapping[str, str], card: PlayerCardRow | None
) -> tuple[str, ...]:
    """Return the lines of a crosstable cell: the result letter with the opponent's number, then the score."""
    if card is None:
        return ()
    lines = (
        f"{result_letters[card.result]}{card.opponent_number or ''}",
        format_player_card_score(catalogue, card),
    )
    if card.bye:
        lines = (
            catalogue.translate_code(card.bye),
            f"{catalogue.format_signed_value(card.spread)} {card.score}".rstrip(),
        )
    return tuple(filter(None, lines))


def make_best_games_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int
) -> TextTable:
    feats = [
        (
            capitalize_first(catalogue.translate_code(award.prize.kind)),
            winner.player,
            catalogue.describe_award_reason(
                winner.code, _replace_round_number_in_facts(catalogue, index, division, winner.facts)
            ),
        )
        for award in statistics.list_best_games(index, division, after)
        for winner in award.winners
    ]
    columns = _make_achievement_columns(catalogue, feats)
    return TextTable(catalogue.text("Best performances"), columns, catalogue.text("No player is ranked yet."))


def _replace_round_number_in_facts(
    catalogue: Catalogue, index: TournamentIndex, division: Division, facts: Mapping[str, object]
) -> Mapping[str, object]:
    number = facts.get("round")
    if not isinstance(number, int):
        return facts
    return {**facts, "round": format_round_number(catalogue, index, division.id, number)}


def _make_achievement_columns(
    catalogue: Catalogue, feats: Sequence[tuple[str, Player, str]]
) -> tuple[TextColumn, ...]:
    titles, winners, details = zip(*feats, strict=True) if feats else ((), (), ())
    return (
        TextColumn(catalogue.text("Achievement"), ColumnKind.TEXT, titles, id="what"),
        _make_column(
            catalogue,
            "player",
            ColumnKind.NAME,
            (winner.name for winner in winners),
            (winner.number for winner in winners),
        ),
        TextColumn(catalogue.text("Details"), ColumnKind.TEXT, details, id="how"),
    )


def make_news_text_table(catalogue: Catalogue, index: TournamentIndex, news: Sequence[RecordNews]) -> TextTable:
    news_lines = list_news_lines(catalogue, index, news)
    numbers = (
        format_round_number(catalogue, index, item.achievement.player.division, item.achievement.round)
        for item in news
    )
    lines = [
        (line.title, item.achievement.player, line.details) for item, line in zip(news, news_lines, strict=True)
    ]
    columns = (
        _make_column(catalogue, "round", ColumnKind.NUMBER, numbers),
        *_make_achievement_columns(catalogue, lines),
        TextColumn("", ColumnKind.NUMBER, tuple(str(line.value) for line in news_lines), id="value"),
        TextColumn("", ColumnKind.TEXT, tuple(line.short_title for line in news_lines), id="short"),
    )
    return TextTable(catalogue.text("News"), columns, catalogue.text("No news yet."))


def make_averages_text_table(
    catalogue: Catalogue, index: TournamentIndex, division: Division, after: int
) -> TextTable:
    table = statistics.make_player_averages_table(index, division, after)
    columns = make_list_columns(catalogue, table, player_number_getters={"name": _get_ranked_player_number})
    return TextTable(catalogue.text("Averages"), tuple(columns), catalogue.text("No player is ranked yet."))
