"""Overlays for a video stream: pages that each show one list, the round clock or the featured game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Round
from tdapp.domain.tables import rounds
from tdapp.domain.tables import standings as standings_tables
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.tables.groups import make_table_of_group_tables
from tdapp.domain.tables.news import RecordScope
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.translatable import C_, N_
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import BoardSquare, list_board_squares, list_rack_squares
from tdapp.i18n.lists import TextColumn, TextTable, make_list_columns, make_text_columns
from tdapp.i18n.phrases import format_round
from tdapp.i18n.scores import format_scores_of_both_players
from tdapp.i18n.slides import describe_doubtful_words, describe_last_turn, make_unseen_tiles_title
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList
from tdapp.web.site_grid import SiteGrid, SiteRow, make_site_grid
from tdapp.web.site_views import DivisionPages

SLOTS = 4
_DEFAULT_ROWS = 10  # without the parameter `top`
_EMPTY_GRID = SiteGrid("", (), ())


class OverlayUrlParameters(Struct, frozen=True):
    """Parameters in the URL of an overlay."""

    division: str = ""  # code, "" for the first division
    top: int = 0  # number of rows, 0 for the default
    player: int = 0  # number of the player
    table: int = 0


class OverlayRequest(Struct, frozen=True):
    """A request for an overlay, and the public data to answer it."""

    index: TournamentIndex
    all_pages: Sequence[DivisionPages]
    catalogue: Catalogue
    parameters: OverlayUrlParameters

    @property
    def row_limit(self) -> int:
        return self.parameters.top or _DEFAULT_ROWS

    @property
    def division_pages(self) -> DivisionPages | None:
        code = self.parameters.division.casefold()
        return next((pages for pages in self.all_pages if code in {"", pages.division.code.casefold()}), None)


class Overlay(Struct, frozen=True):
    """An overlay that the web server offers."""

    name: str
    note: str  # description
    make_overlay_grid: Callable[[OverlayRequest], SiteGrid] = lambda _request: _EMPTY_GRID
    query: str = ""  # parameters of the example URL
    shows_featured_table: bool = False  # instead of a list


def _make_page_grid_within_row_limit(
    request: OverlayRequest, kind: str, *, with_news_rows: bool = False
) -> SiteGrid:
    pages = request.division_pages
    make = pages.page_makers.get(pages.make_page_name(kind)) if pages else None
    if pages is None or make is None:
        return _EMPTY_GRID
    grid, player_page = make().grids[0], pages.make_page_name("player", request.parameters.player)
    news_rows = _make_latest_records_grid(pages, _DEFAULT_ROWS).rows if with_news_rows else ()
    return replace(grid, rows=(*news_rows, *_select_rows_around_player(grid.rows, player_page, request.row_limit)))


def _make_news_overlay_grid(request: OverlayRequest) -> SiteGrid:
    return (
        _make_latest_records_grid(request.division_pages, request.row_limit)
        if request.division_pages
        else _EMPTY_GRID
    )


def _make_latest_records_grid(pages: DivisionPages, limit: int) -> SiteGrid:
    records = [
        record
        for record in pages.news_about_records
        if record.scope is not RecordScope.OWN and record.achievement.round in pages.ranked_rounds[-1:]
    ]
    text_table, column_ids = pages.make_record_news_text_table(records[:limit]), ("what", "player", "how")
    return make_site_grid(text_table, _return_no_link, column_ids, heading_column="player", bold={"what"})


def _return_no_link(_number: int) -> str:
    return ""


def _select_rows_around_player(lines: Sequence[SiteRow], page: str, limit: int) -> tuple[SiteRow, ...]:
    position = next(
        (number for number, row in enumerate(lines) if any(cell.link == page for cell in row.cells)), 0
    )
    begin = max(0, min(position - limit // 2, len(lines) - limit))
    return tuple(
        replace(row, cells=tuple(replace(cell, link="") for cell in row.cells))
        for row in lines[begin : begin + limit]
    )


class _TablePlayers(NamedTuple):
    table: int
    numbers: tuple[int, ...]
    names: tuple[str, ...]
    points: tuple[str, ...]
    winner: int | None  # index of the only winner; None or -1 if no player has won alone


def _list_table_players(request: OverlayRequest, item: Round) -> Iterator[_TablePlayers]:
    for row in rounds.make_pairing_table(request.index, item).rows:
        is_decided = row.decision is not None
        scores = (
            format_scores_of_both_players(request.catalogue, (row.score1, row.score2), row.decision)
            if is_decided
            else ()
        )
        winner = row.decision.side - 1 if row.decision is not None else None
        yield _TablePlayers(row.table, (row.first, row.second), (row.first_name, row.second_name), scores, winner)
    for group in make_table_of_group_tables(request.index, item).rows:
        seats, points = (
            group.seats,
            tuple(str("–" if seat.points is None else seat.points) for seat in group.seats),
        )
        winners = [index for index, seat in enumerate(seats) if seat.place == 1]
        yield _TablePlayers(
            group.table,
            tuple(seat.player for seat in seats),
            tuple(seat.name for seat in seats),
            points if group.status != "open" else (),
            winners[0] if len(winners) == 1 and len(seats) > 1 else None,
        )


def _make_grid_of_requested_table(
    request: OverlayRequest, make_grid: Callable[[OverlayRequest, DivisionPages, _TablePlayers], SiteGrid]
) -> SiteGrid:
    for pages in request.all_pages:
        for item in pages.rounds[-1:]:
            for row in _list_table_players(request, item):
                if row.table == request.parameters.table:
                    return make_grid(request, pages, row)
    return _EMPTY_GRID


def _make_table_players_grid(request: OverlayRequest, pages: DivisionPages, row: _TablePlayers) -> SiteGrid:
    index, catalogue = request.index, request.catalogue
    after = pages.ranked_rounds[-1] if pages.ranked_rounds else 0
    table = standings_tables.make_standings_table(index, pages.division, after)
    rows_by_number = {standings_row.player.number: standings_row for standings_row in table.rows}
    if not rows_by_number.keys() >= set(row.numbers):  # at a club evening, only the players who came are listed
        after, table = 0, standings_tables.make_standings_table(index, pages.division, 0)
        rows_by_number = {standings_row.player.number: standings_row for standings_row in table.rows}
    columns = ("rank", "name", "wins", "losses", "spread", "rating") if after else ("name", "rating")
    list_columns = make_list_columns(
        catalogue, replace(table, rows=tuple(rows_by_number[number] for number in row.numbers)), columns
    )
    if row.points:
        winners = frozenset() if row.winner is None else frozenset({row.winner})
        list_columns.append(
            TextColumn(catalogue.heading("score"), ColumnKind.NUMBER, row.points, id="score", winners=winners)
        )
    title = catalogue.text("Table {table}", table=row.table)
    return make_site_grid(TextTable(title, tuple(list_columns)), _return_no_link)


def _make_earlier_meetings_grid(request: OverlayRequest, pages: DivisionPages, row: _TablePlayers) -> SiteGrid:
    rows = []
    for item in pages.rounds[:-1]:
        for players in _list_table_players(request, item):
            points = dict(zip(players.numbers, players.points, strict=False))
            if len(points.keys() & set(row.numbers)) > 1:
                name = format_round(request.catalogue, request.index, item)
                rows.append((name, *(points.get(number, "") for number in row.numbers)))
    headings = (
        (request.catalogue.heading("round"), ColumnKind.TEXT),
        *((name, ColumnKind.NUMBER) for name in row.names),
    )
    return make_site_grid(
        TextTable(" – ".join(row.names), tuple(make_text_columns(rows, headings))), _return_no_link
    )


OVERLAYS: Mapping[str, Overlay] = {
    "standings": Overlay(
        N_("Standings"),
        N_("Add to the address: ?top=5 for 5 rows, or ?player=12 for the rows around player 12."),
        partial(_make_page_grid_within_row_limit, kind="standings"),
    ),
    "pairings": Overlay(
        C_("picture over a video stream", "Pairings"),
        N_("The latest round. Add ?player=12 to the address for the tables near player 12."),
        partial(_make_page_grid_within_row_limit, kind="round"),
    ),
    "ticker": Overlay(
        C_("picture over a video stream", "Ticker"),
        N_("News and tables of the latest round scroll past. Add ?top=50 to the address for 50 tables."),
        partial(_make_page_grid_within_row_limit, kind="round", with_news_rows=True),
    ),
    "best": Overlay(
        N_("Best performances"),
        N_("High game, highest play, biggest win and high loss."),
        partial(_make_page_grid_within_row_limit, kind="statistics"),
    ),
    "news": Overlay(
        N_("News"),
        N_("Shows each new high game, highest play, streak, biggest win or record once, for twelve seconds."),
        _make_news_overlay_grid,
    ),
    "table": Overlay(
        N_("Both players at a table"),
        N_("The players with their place, record and rating, and the score."),
        partial(_make_grid_of_requested_table, make_grid=_make_table_players_grid),
        "?table=1",
    ),
    "featured": Overlay(
        N_("Featured table"),
        N_("Board, score, last play and unseen tiles of the featured table, with the delay that you set."),
        shows_featured_table=True,
    ),
    "score": Overlay(
        N_("Featured table: score"),
        N_("Both players with their scores, and the last play."),
        shows_featured_table=True,
    ),
    "board": Overlay(
        N_("Featured table: board"), N_("Only the board of the featured table."), shows_featured_table=True
    ),
    "unseen": Overlay(
        N_("Featured table: unseen tiles"),
        N_("Tiles neither on the board nor on a known rack."),
        shows_featured_table=True,
    ),
    "clock": Overlay(N_("Round clock"), N_("The time left in the round.")),  # its script updates it
    "meetings": Overlay(
        C_("picture over a video stream", "Earlier meetings"),
        N_("The earlier games between the players at a table."),
        partial(_make_grid_of_requested_table, make_grid=_make_earlier_meetings_grid),
        "?table=1",
    ),
}


def list_overlay_names_urls_and_notes(catalogue: Catalogue, address: str) -> tuple[tuple[str, str, str], ...]:
    """Return the name, URL and description of each overlay."""
    text, base = catalogue.text, f"{address}overlay/"
    slot = text("Shows the table chosen for this slot under Screens > Overlays…")
    return (
        *(
            (text(overlay.name), f"{base}{kind}{overlay.query}", text(overlay.note))
            for kind, overlay in OVERLAYS.items()
        ),
        *((text("Overlay slot {n}", n=number), f"{base}slot/{number}", slot) for number in range(1, SLOTS + 1)),
    )


OpenWordList = Callable[[str], AbstractContextManager[WordList | None]]  # opens an edition by its id


def skip_opening_word_list(_edition: str) -> AbstractContextManager[None]:
    """Ignore the edition. Return a context without a word list, so that words are not judged."""
    return nullcontext()


_PREMIUMS = {"3": "w3", "2": "w2", "c": "l3", "b": "l2"}
_WIDE_TILE_LENGTH = 2  # length from which a tile is written smaller


class StyledSquare(Struct, frozen=True):
    """A square of the board, or a tile on a rack."""

    tile: str
    value: str
    style: str  # CSS classes


class FeaturedGameView(Struct, frozen=True):
    """Template values of a featured game."""

    title: str
    # name, score, rack of each player, and whether the player is to move
    sides: tuple[tuple[str, int, tuple[StyledSquare, ...], bool], ...]
    last_turn: str  # description of the last turn
    doubt: str  # sentence about words outside the word list, or ""
    board: tuple[StyledSquare, ...]
    board_name: str
    unseen_tiles: tuple[
        tuple[str, int], ...
    ]  # tiles neither on the board nor on a known rack, each with its count
    unseen_title: str


def make_featured_game_view(game: FeaturedGame, tileset: TileSet, catalogue: Catalogue) -> FeaturedGameView:
    return FeaturedGameView(
        title=catalogue.text("Table {table}", table=game.table),
        sides=tuple(
            (name, score, tuple(map(_make_styled_square, list_rack_squares(rack, tileset))), game.turn == number)
            for number, (name, score, rack) in enumerate(zip(game.names, game.scores, game.racks, strict=True), 1)
        ),
        last_turn=describe_last_turn(game, catalogue),
        doubt=describe_doubtful_words(game, catalogue),
        board=tuple(map(_make_styled_square, list_board_squares(catalogue, game.board, game.new, tileset))),
        board_name=catalogue.text("Board"),
        unseen_tiles=game.unseen,
        unseen_title=make_unseen_tiles_title(game, catalogue),
    )


def _make_styled_square(square: BoardSquare) -> StyledSquare:
    flags = {
        "tile": True,
        "new": square.new,
        "blank": square.is_blank,
        "wide": len(square.tile) >= _WIDE_TILE_LENGTH,
    }
    if not square.tile:
        flags = {_PREMIUMS.get(square.premium, ""): True, "centre": square.is_centre}
    return StyledSquare(
        square.tile.upper(), square.value, " ".join(name for name, is_set in flags.items() if name and is_set)
    )
