"""The featured table in words: the last turn, the tiles unseen."""

from __future__ import annotations

from tdapp.domain.tables.featured import FeaturedGame
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.sheet_reading import said
from tdapp.scrabble.sheet import TurnKind


def last_said(game: FeaturedGame, catalogue: Catalogue) -> str:
    """Return who played what last, and what it brought; nothing before the first turn."""
    last = game.last
    if last is None:
        return ""
    what = f"{last.square} {said(last.turn, catalogue)}".strip()
    score = f" {last.score}" if last.turn.kind is TurnKind.PLAY else ""
    return f"{game.names[last.turn.player - 1].partition(',')[0]}: {what}{score}"


def doubt_said(game: FeaturedGame, catalogue: Catalogue) -> str:
    """Return which words of the last turn the word list does not vouch for, nothing for none."""
    words = game.last.doubtful if game.last else ()
    return catalogue.text("Not in the word list: {words}", words=", ".join(words)) if words else ""


def unseen_said(game: FeaturedGame) -> str:
    """Return the tiles unseen, each letter with how many there are of it."""
    return "  ".join(f"{tile}{count}" if count > 1 else tile for tile, count in game.unseen)


def unseen_title(game: FeaturedGame, catalogue: Catalogue) -> str:
    """Return how many tiles are unseen."""
    count = sum(number for _, number in game.unseen)
    return catalogue.plural("One tile unseen", "{n} tiles unseen", count)
