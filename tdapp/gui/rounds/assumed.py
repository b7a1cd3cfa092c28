"""A round that was paired while results were missing: what it was paired on, and what came of it.

Hides pairing a round again: once a result has come in that the round was paired without, the pool finds how the
round would have been paired with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from tdapp.domain.model import DivisionId, GameId, Result, Round, RoundId
from tdapp.domain.tables import rounds
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.i18n import impact_sentences
from tdapp.pairing.hindsight import RoundDifference, would_differ

_Come = tuple[RoundId, tuple[Result, ...]]


class AssumedGames:
    """The assumed games of the division's rounds; `found` is called when something is known of them."""

    def __init__(self, session: Session, found: Callable[[], None]) -> None:
        self._session = session
        self._found = found
        self._known: dict[_Come, str] = {}

    def look(self) -> None:
        """Find out what has come in since; of each change once."""
        session = self._session
        division = session.division
        for item in session.index.rounds(division.id) if division else ():
            key = self._come(item)
            if division is None or not key[1] or key in self._known:
                continue
            self._known[key] = ""
            label = session.catalogue.text("Looking at later rounds…")
            call = partial(_differences, session.tournament, item, division.id)
            session.compute(call, then=partial(self._keep, key), label=label)

    def note(self, item: Round) -> str:
        """Return what a round was paired on, as rich text; empty where nothing was assumed."""
        games, catalogue = rounds.assumed(self._session.index, item), self._session.catalogue
        if not games:
            return ""
        numbers = {key: one.number for key, one in self._session.tournament.rounds.items()}
        names = ", ".join(
            catalogue.text("table {table} of round {round}", table=game.table, round=numbers[game.round])
            for game in games
        )
        still_out = [game for game in games if self._session.index.result(game.id) is None]
        said = catalogue.plural(
            "Paired while the result of {tables} was missing: it counts as drawn here.",
            "Paired while the results of {tables} were missing: they count as drawn here.",
            len(games),
            tables=names,
        )
        tone = self._session.look.colour("amber" if still_out else "muted").name()
        rest = self._known.get(self._come(item), "")
        return f'<span style="color:{tone}">{escape(said)}</span> {escape(rest)}'

    def _come(self, item: Round) -> _Come:
        results = (self._session.index.result(game) for game in item.assumed)
        return item.id, tuple(result for result in results if result is not None)

    def _keep(self, key: _Come, found: tuple[RoundDifference, ...]) -> None:
        catalogue, players = self._session.catalogue, self._session.tournament.players
        same = catalogue.text("With what came in it would have been paired the same.")
        self._known[key] = impact_sentences.hindsight(found, players, catalogue) if found else same
        self._found()


def _differences(tournament: Tournament, item: Round, division: DivisionId) -> tuple[RoundDifference, ...]:
    """Return how round `item` would have been paired, had the results been there that came in since."""
    missing: list[GameId] = [game for game in item.assumed if game in tournament.results]
    before = tournament.drop(*(tournament.results[game] for game in missing))
    return tuple(one for one in would_differ(before, tournament, division) if one.round == item.number)
