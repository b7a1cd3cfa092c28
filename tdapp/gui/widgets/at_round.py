"""Who and which game is meant by what is typed in a form beside a page."""

from __future__ import annotations

from tdapp.domain.model import Game, PlayerId, Round
from tdapp.gui.shell.session import Session


def round_of(session: Session, number: int | None) -> Round | None:
    """Return the published round `number` of the chosen division, None if there is none."""
    division = session.division
    rounds = session.index.published(division.id) if division is not None else ()
    return next((item for item in rounds if item.number == number), None)


def game_at(session: Session, number: int | None, table: int | None) -> Game | None:
    """Return the game at a table of a published round of the chosen division, None if there is none."""
    item = round_of(session, number)
    games = session.index.games(item.id) if item is not None else ()
    return next((game for game in games if game.table == table), None)


def named_players(session: Session, form: str = "{name}") -> list[tuple[PlayerId, str]]:
    """Return the players of the chosen division by name, each as `form` says it with name and number."""
    division = session.division
    players = session.index.players(division.id) if division is not None else ()
    players = tuple(sorted(players, key=lambda one: session.catalogue.sort_key(one.name)))
    return [(one.id, form.format(name=one.name, number=one.number)) for one in players]
