"""The page of one player: the next game and the results."""

from __future__ import annotations

from msgspec import Struct

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Player
from tdapp.domain.tables.players import NewestRoundWithoutResult, find_unfinished_round
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import (
    describe_next_start,
    describe_round_start,
    format_other_players,
    format_round_in_divisions,
)
from tdapp.web.site_grid import SiteGrid
from tdapp.web.site_views import DivisionPages, SiteLink, SitePage

_NO_GAMES = SiteGrid("", (), ())


class PlayerNextGame(Struct, frozen=True):
    """The next game, at a table of two or more players."""

    start_text: str  # time of the round, or its name
    table: str
    starts: str  # sentence about the player who starts, or ""
    opponent: str  # names of all opponents
    page: str  # page name of the opponent, "" at a table of three or more players
    games: SiteGrid  # the opponent's games, empty if `page` is ""


class PersonalPage(Struct, frozen=True):
    """Template values of a player's personal page."""

    title: str
    seat: PlayerNextGame | None  # None without a next game
    note: str  # description of the next event, "" if `seat` is set
    player_page: SitePage  # the player's public page
    links: tuple[SiteLink, ...]


def make_personal_page(
    index: TournamentIndex, pages: DivisionPages, player: Player, catalogue: Catalogue
) -> PersonalPage:
    view = pages.page_makers[pages.make_page_name("player", player.number)]()
    unfinished_round = find_unfinished_round(index, player)
    seat = None if unfinished_round is None else _make_player_next_game(index, pages, unfinished_round, catalogue)
    title = player.name
    if seat is not None:
        title = ": ".join(filter(None, (f"{catalogue.heading('table')} {seat.table}", seat.starts)))
    note = "" if seat is not None else _explain_missing_next_game(index, pages, player, catalogue)
    return PersonalPage(title, seat, note, view, pages.list_menu_links())


def _make_player_next_game(
    index: TournamentIndex, pages: DivisionPages, unfinished_round: NewestRoundWithoutResult, catalogue: Catalogue
) -> PlayerNextGame | None:
    start = describe_round_start(catalogue, index, pages.division, unfinished_round.round)
    start_text = start or format_round_in_divisions(catalogue, index, (pages.division,), unfinished_round.round)
    if unfinished_round.seat is not None:
        names = format_other_players(catalogue, unfinished_round.other_players)
        return PlayerNextGame(start_text, str(unfinished_round.seat.table), "", names, "", _NO_GAMES)
    if unfinished_round.game is None or unfinished_round.opponent is None:
        return None
    starts = {
        True: catalogue.text("You start"),
        False: catalogue.text("Your opponent starts"),
        None: catalogue.text("The tiles decide who starts"),
    }[unfinished_round.starts]
    page = pages.make_page_name("player", unfinished_round.opponent.number)
    games = pages.page_makers[page]().grids[0]
    return PlayerNextGame(
        start_text, str(unfinished_round.game.table), starts, unfinished_round.opponent.name, page, games
    )


def _explain_missing_next_game(
    index: TournamentIndex, pages: DivisionPages, player: Player, catalogue: Catalogue
) -> str:
    text, division = catalogue.text, pages.division
    if index.is_disqualified(player.id):
        return text("You have been disqualified.")
    if index.has_withdrawn(player.id):
        return text("You have withdrawn.")
    item = pages.rounds[-1] if pages.rounds else None
    bye = next((bye for bye in index.byes(item.id) if bye.player == player.id), None) if item is not None else None
    if item is not None and bye is not None and index.list_open_tables(item.id):
        name = format_round_in_divisions(catalogue, index, (division,), item.number)
        return text("{round}: you have no game ({kind}).", round=name, kind=catalogue.translate_code(bye.kind))
    if index.find_stage(division.id, index.get_last_published_round_number(division.id) + 1) is None:
        return text("You have played all your games.")
    waits = text("Your next table appears here as soon as it is known.")
    return " ".join(filter(None, (waits, _append_full_stop(describe_next_start(catalogue, index, division)))))


def _append_full_stop(text: str) -> str:
    return text and f"{text}."
