"""Page of one player: the current table first, then the player's standing and results."""

from __future__ import annotations

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import Player
from tdapp.domain.tables.profile import NextRound, next_round
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import next_begins, round_at, round_called
from tdapp.web.site_views import DivisionPages, SitePage


class OwnSeat(Struct, frozen=True):
    """Round or start time, table, who starts, opponent."""

    when: str
    table: str
    starts: str
    opponent: str
    page: str


class OwnPage(Struct, frozen=True):
    """Without a `seat` the `note` tells what comes next. `view` is the public page."""

    title: str
    seat: OwnSeat | None
    note: str
    view: SitePage


def own_view(index: Index, pages: DivisionPages, player: Player, catalogue: Catalogue) -> OwnPage:
    view = pages.makers[pages.page("player", player.number)]()
    found = next_round(index, player)
    seat = None if found is None else _seat(index, pages, found, catalogue)
    title = f"{catalogue.heading('table')} {seat.table}: {seat.starts}" if seat is not None else player.name
    return OwnPage(
        title, seat, "" if seat is not None else _describe_next_event(index, pages, player, catalogue), view
    )


def _seat(index: Index, pages: DivisionPages, found: NextRound, catalogue: Catalogue) -> OwnSeat | None:
    if found.game is None or found.other is None:
        return None
    begins = round_at(catalogue, index, pages.division, found.round)
    when = begins or round_called(catalogue, index, (pages.division,), found.round)
    starts = {
        True: catalogue.text("You start"),
        False: catalogue.text("Your opponent starts"),
        None: catalogue.text("The tiles decide who starts"),
    }[found.starts]
    return OwnSeat(when, str(found.game.table), starts, found.other.name, pages.page("player", found.other.number))


def _describe_next_event(index: Index, pages: DivisionPages, player: Player, catalogue: Catalogue) -> str:
    """Return the next event of a player without an open game."""
    text, division = catalogue.text, pages.division
    if index.disqualified(player.id):
        return text("You are disqualified.")
    if index.withdrawn(player.id):
        return text("You have withdrawn.")
    item = pages.rounds[-1] if pages.rounds else None
    bye = next((one for one in index.byes(item.id) if one.player == player.id), None) if item is not None else None
    if item is not None and bye is not None and index.open_games(item.id):
        name = round_called(catalogue, index, (division,), item.number)
        return text("{round}: you have no game ({kind}).", round=name, kind=catalogue.code(bye.kind))
    if index.latest(division.id) >= index.planned_rounds(division.id):
        return text("All your games are played.")
    waits = text("Your next table comes up here as soon as it is known.")
    return " ".join(filter(None, (waits, _sentence(next_begins(catalogue, index, division)))))


def _sentence(text: str) -> str:
    return text and f"{text}."
