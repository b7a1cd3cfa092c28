"""What reports, pages for the web and windows show alike of a tournament, put together from several texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tdapp.domain.index import Index
from tdapp.domain.mark import C_
from tdapp.domain.model import Division, Prize, PrizeKind
from tdapp.domain.prizes import BY_PLACE, LUCK
from tdapp.domain.stages import group_count, stage_at
from tdapp.domain.standings import order_of
from tdapp.domain.systems import system_of
from tdapp.domain.tables.bracket import MatchBox
from tdapp.domain.tables.profile import NextRound
from tdapp.domain.tables.statistics import Figure
from tdapp.domain.tables.table import Kind
from tdapp.i18n.catalogue import Catalogue

if TYPE_CHECKING:
    from tdapp.pairing.forecast import Forecast

# Of results in a crosstable, the number of the opponent behind them.
_LETTERS = {"win": C_("letter for a win", "W"), "draw": C_("letter for a draw", "D"),
            "loss": C_("letter for a loss", "L"), "nothing": "–", "open": ""}  # fmt: skip


def titled(text: str) -> str:
    """Return a word or a sentence with a capital."""
    return text[:1].upper() + text[1:]


def letters(catalogue: Catalogue) -> Mapping[str, str]:
    """Return the letters for results in a crosstable."""
    return {result: catalogue.text(letter) for result, letter in _LETTERS.items()}


def division_title(catalogue: Catalogue, index: Index, division: Division) -> str:
    """Return what a division is called, nothing where it is the only one and has no name."""
    if division.name and division.name.casefold() != division.code.casefold():
        return division.name
    return catalogue.text("Division {division}", division=division.code) if len(index.divisions) > 1 else ""


def standings_title(catalogue: Catalogue, index: Index, division: Division, after: int) -> str:
    """Return what standings after a round are called: while games are open they are those during it."""
    if after == 0:
        return catalogue.text("Standings before the first round")
    if index.open_games(index.round(division.id, after).id):
        return catalogue.text("Standings during round {round}", round=after)
    return catalogue.text("Standings after round {round}", round=after)


def chances_title(catalogue: Catalogue, found: Forecast) -> str:
    """Return what chances are called: those during a round while it is played, as its standings are."""
    if found.running:
        return catalogue.text("Chances during round {round}", round=found.after)
    return catalogue.text("Chances after round {round}", round=found.after)


def ranked_by(
    catalogue: Catalogue, index: Index, division: Division, after: int | None = None, *, within: bool = False
) -> str:
    """Return what decides the ranking of a division after a round, or `within` a group, as columns are headed."""
    stage = stage_at(index, division.id, after)
    order = catalogue.headings(order_of(index, division, after))
    if stage is not None and stage.play_off:
        order = f"{order}, {catalogue.text('the play-off')}"
    elif stage is not None and system_of(stage).bracket:
        order = catalogue.text("place in the knockout")
    elif stage is not None and group_count(stage) > 1 and not within:
        order = f"{catalogue.text('place in the group')}, {order}"
    return catalogue.text("Ranked by {order}", order=order)


def round_title(catalogue: Catalogue, number: int, *, decided: bool) -> str:
    """Return what the games of a round are called, its results once all are in."""
    if decided:
        return catalogue.text("Round {round}: results", round=number)
    return catalogue.text("Round {round}: pairings", round=number)


def match_title(catalogue: Catalogue, box: MatchBox) -> str:
    """Return what is above a match in its bracket: its name and when it is played."""
    first, last = box.rounds
    when = catalogue.text("round {round}", round=first)
    if first != last:
        when = catalogue.text("rounds {first}–{last}", first=first, last=last)
    return f"{catalogue.match(box.name, within=True)} · {when}"


def match_score(catalogue: Catalogue, box: MatchBox, place: int) -> str:
    """Return the games that a side of a match has won of a series, or its points of a single game."""
    score = box.sides[place].score
    if not box.games:
        return ""
    if score is not None:
        return catalogue.points(score)
    points = box.games[-1].points[place]
    return "" if points is None else str(points)


def figure_text(catalogue: Catalogue, figure: Figure) -> str:
    """Return a figure with decimals: an average of 412½ points would stand beside one of 412.3."""
    if figure.value is None:
        return ""
    return (
        catalogue.cell(Kind.SHARE, figure.value) if figure.key == "starts-won" else catalogue.number(figure.value)
    )


def prize_named(catalogue: Catalogue, prize: Prize) -> str:
    """Return what a prize is for in a few words: place 1; B: place 2; high game."""
    text = catalogue.code(PrizeKind.RANK if prize.kind in BY_PLACE else prize.kind)
    if prize.kind in BY_PLACE or (prize.place > 1 and prize.kind is not PrizeKind.HAND):
        text = f"{text} {prize.place}"
    if prize.kind in LUCK:
        text = f"{text} ({prize.games})"
    return f"{prize.category}: {text}" if prize.category else text


def coming_text(found: NextRound, catalogue: Catalogue) -> str:
    """Return what somebody plays next, as that player reads it."""
    if found.game is None or found.other is None:
        kind = catalogue.code(found.bye) if found.bye else ""
        return catalogue.text("Round {round}: {kind}", round=found.round, kind=kind)
    facts = {"round": found.round, "table": found.game.table, "player": found.other.name}
    if found.starts is None:
        return catalogue.text(
            "Round {round}: table {table}, against {player}; the tiles decide who starts", **facts
        )
    if found.starts:
        return catalogue.text("Round {round}: table {table}, you start against {player}", **facts)
    return catalogue.text("Round {round}: table {table}, {player} starts against you", **facts)
