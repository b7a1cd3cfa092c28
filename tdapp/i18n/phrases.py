"""What papers, pages for the web and windows say alike of a tournament, put together from several texts."""

from __future__ import annotations

from collections.abc import Mapping

from tdapp.domain.index import Index
from tdapp.domain.mark import C_
from tdapp.domain.model import Division, Prize, PrizeKind
from tdapp.domain.prizes import BY_PLACE, LUCK
from tdapp.domain.tables.bracket import MatchBox
from tdapp.i18n.catalogue import Catalogue

# Of results in a crosstable, the rank of the opponent behind them.
_LETTERS = {"win": C_("letter for a win", "W"), "draw": C_("letter for a draw", "D"),
            "loss": C_("letter for a loss", "L"), "nothing": "–", "open": ""}  # fmt: skip


def titled(said: str) -> str:
    """Return a word or a sentence with a capital."""
    return said[:1].upper() + said[1:]


def letters(words: Catalogue) -> Mapping[str, str]:
    """Return the letters for results in a crosstable."""
    return {result: words.text(letter) for result, letter in _LETTERS.items()}


def division_title(words: Catalogue, index: Index, division: Division) -> str:
    """Return what a division is called, nothing where it is the only one and has no name."""
    if division.name and division.name.casefold() != division.code.casefold():
        return division.name
    return words.text("Division {division}", division=division.code) if len(index.divisions) > 1 else ""


def standings_title(words: Catalogue, index: Index, division: Division, after: int) -> str:
    """Return what standings after a round are called: while games are open they are those during it."""
    if after == 0:
        return words.text("Before the first round")
    if index.open_games(index.round(division.id, after).id):
        return words.text("Standings during round {round}", round=after)
    return words.text("Standings after round {round}", round=after)


def match_title(words: Catalogue, box: MatchBox) -> str:
    """Return what stands above a match in its bracket: its name and when it is played."""
    first, last = box.rounds
    when = words.text("round {round}", round=first)
    if first != last:
        when = words.text("rounds {first}–{last}", first=first, last=last)
    return f"{words.match(box.name, within=True)} · {when}"


def match_score(words: Catalogue, box: MatchBox, place: int) -> str:
    """Return the games that a side of a match has won of a series, or its points of a single game."""
    score = box.sides[place].score
    if not box.games:
        return ""
    if score is not None:
        return words.points(score)
    points = box.games[-1].points[place]
    return "" if points is None else str(points)


def prize_named(words: Catalogue, prize: Prize) -> str:
    """Return what a prize is for in a few words: place 1; B: place 2; high game."""
    said = words.code(PrizeKind.RANK if prize.kind in BY_PLACE else prize.kind)
    if prize.kind in BY_PLACE or (prize.place > 1 and prize.kind is not PrizeKind.HAND):
        said = f"{said} {prize.place}"
    if prize.kind in LUCK:
        said = f"{said} ({prize.games})"
    return f"{prize.category}: {said}" if prize.category else said
