"""Sentences about the start of a game: drawing tiles and late arrivals."""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain import outcome
from tdapp.domain.errors import RuleViolation
from tdapp.domain.game_start import LateArrival
from tdapp.domain.model import Forfeit, Game, Player, PlayerId, Result, ResultState
from tdapp.domain.round_clock import format_clock
from tdapp.domain.ruleset import ForfeitCause, Redraw, RuleSet
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.tiles import BLANK, DrawnBlank


def draw_rules(ruleset: RuleSet, catalogue: Catalogue) -> str:
    rules, text = ruleset.draw, catalogue.text
    blank = (
        text("A blank (type {blank}) goes before A.", blank=BLANK)
        if rules.blank is DrawnBlank.FIRST
        else text("With a blank (type {blank}) in the draw all draw again.", blank=BLANK)
    )
    who = (
        text("After equal letters all draw again.")
        if rules.again is Redraw.ALL
        else text("Those with the same best letter draw again.")
    )
    back = text("The tiles go back first.") if rules.returned else text("No tile goes back before it is decided.")
    return " ".join((text("The letter nearest to A starts."), blank, who, back))


def late_rules(rules: RuleSet, catalogue: Catalogue) -> str:
    if not rules.late.known or rules.clock.minutes is None:
        unknown = catalogue.error(RuleViolation("late-not-in-rules", ruleset=rules.name))
        return unknown + " " + catalogue.text("It is the director’s decision.")
    return catalogue.text(
        "Each player has {minutes} minutes, and the absent player’s clock runs. With fewer than {least} "
        "minutes left on arrival the game may be given up; with none left it is lost.",
        minutes=rules.clock.minutes,
        least=rules.late.give_up,
    )


def late(delay: int, arrival: LateArrival | None, catalogue: Catalogue) -> str:
    """Return the effect of `delay` seconds. `arrival` None: no rule."""
    text = catalogue.text
    parts = [text("{time} late.", time=format_clock(delay))]
    if arrival is not None and arrival.lost:
        parts.append(text("The time is over: the game is lost."))
    elif arrival is not None:
        parts.append(text("{time} left on the clock.", time=format_clock(arrival.left)))
        parts += [text("The player may give the game up.")] if arrival.may_give_up else []
    return " ".join(parts)


def both_late(first: int, catalogue: Catalogue) -> str:
    """Return the effect on the clocks, the first player after `first` seconds."""
    return catalogue.text(
        "Both were away: one clock runs until the first player comes, after {time}, and is that "
        "player’s. Then the other clock runs, and these {time} are taken off it too.",
        time=format_clock(first),
    )


def forfeited(
    rules: RuleSet, players: Mapping[PlayerId, Player], game: Game, who: Forfeit, catalogue: Catalogue
) -> str:
    """Return both results if `who` forfeits by coming late."""
    decided = outcome.score_game(rules, Result(game.id, ResultState.ENTERED, forfeit=who, cause=ForfeitCause.LATE))
    parts = [
        catalogue.text(
            "{player} gets {points} and spread {spread}",
            player=players[player].name,
            points=catalogue.points(rules.units(side.worth), unit=rules.unit),
            spread=catalogue.signed(side.spread),
        )
        for player, side in ((game.first, decided.first), (game.second, decided.second))
    ]
    return catalogue.text("By forfeit: {parts}. It does not count as a start.", parts="; ".join(parts))
