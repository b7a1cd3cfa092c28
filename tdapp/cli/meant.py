"""What the options of a verb mean; whatever is not there raises RuleViolation."""

from __future__ import annotations

from argparse import Namespace

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Game, Player


def divisions(index: Index, options: Namespace) -> tuple[Division, ...]:
    """Return the division that is named, or all."""
    return index.divisions if options.division is None else (index.division(options.division),)


def division_after(index: Index, options: Namespace) -> Division:
    """Return the division, which has the round `after` where one is given."""
    division = index.division(options.division)
    if options.after:
        index.round(division.id, options.after)
    return division


def game(index: Index, options: Namespace) -> Game:
    """Return the game at a table of a round."""
    item = index.round(index.division(options.division).id, options.round)
    return index.game(item.id, options.table)


def player(index: Index, options: Namespace, number: int) -> Player:
    """Return the player with a number."""
    return index.player(index.division(options.division).id, number)
