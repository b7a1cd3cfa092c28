"""The notes around a round's table, as rich text with links: a draft's cost, who waits, which results are missing.

Hides pairing a round again: once a result has come in that the round was paired without, the pool finds how the
round would have been paired with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from types import MappingProxyType

from tdapp.domain.model import DivisionId, Game, GameId, Result, ResultState, Round, RoundId
from tdapp.domain.problems import problems
from tdapp.domain.tables import rounds
from tdapp.domain.tables.history import newest
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.i18n import impact_sentences, pairing_sentences
from tdapp.i18n.phrases import titled
from tdapp.pairing import unpaired
from tdapp.pairing.hindsight import RoundDifference, would_differ

_STEPS: Mapping[ResultState, str] = MappingProxyType(
    {ResultState.CHECKED: "check-result", ResultState.FINAL: "certify-result"}
)
MOST_OUT = 60  # tables named in the list of those still out


def draft(session: Session, item: Round, assumed: str = "") -> str:
    """Return what a draft is, what it costs, what it has `assumed` (rich text), and how it is changed."""
    words, index = session.catalogue, session.index
    head = words.text("Draft: nobody outside has seen it. Publish it when it is right.")
    kept = sum(game.locked for game in index.games(item.id))
    cost = " · ".join(pairing_sentences.costs(index, item, words))
    lines = [_bold(head), escape(titled(cost))]
    lines += [assumed] if assumed else []
    lines += [_coloured(session, "amber", escape(said)) for said in _ties(session, item)]
    gave = pairing_sentences.relaxed(item, words)
    if gave:
        said = words.text("Had to give: {what}", what=", ".join(gave))
        lines.append(_coloured(session, "amber", escape(said)))
    if kept:
        lines.append(escape(words.plural("{n} table is kept.", "{n} tables are kept.", kept)))
    hint = words.text("Space picks a player; drag one player onto another to see what would change.")
    return "<br>".join((*lines, _coloured(session, "muted", escape(hint))))


def _ties(session: Session, item: Round) -> list[str]:
    """Return what is still to be settled about who plays the stage that a draft begins."""
    words, index = session.catalogue, session.index
    found = problems(index, index.division_of(item.id))
    return [words.problem(one.code, one.facts) for one in found if one.code == "tie-at-cut"]


def reason(session: Session, game: Game | None) -> str:
    """Return why a table was paired so, and what it costs."""
    words = session.catalogue
    if game is None or game.reason is None:
        return ""
    cost = pairing_sentences.cost(game.reason.cost, words)
    said = words.reason(game.reason.code, dict(game.reason.facts))
    head = words.text("Table {table}:", table=game.table)
    return _bold(head) + " " + escape(said) + (" · " + escape(cost) if cost else "")


def byes(session: Session, item: Round) -> str:
    """Return who has no game, and what that is worth."""
    words, players = session.catalogue, session.tournament.players
    said = []
    rows = rounds.byes(session.index, item).rows
    for bye, row in zip(session.index.byes(item.id), rows, strict=True):
        worth = f"{words.points(row.points)}, {words.signed(row.spread)}"
        name = _link(f"player:{bye.player}", players[bye.player].name)
        why = words.reason(bye.reason.code, dict(bye.reason.facts)) if bye.reason else ""
        said.append(f"{name} ({escape(': '.join((words.code(row.kind), worth)))}{escape(why and '; ' + why)})")
    return _bold(words.text("Without a game:")) + " " + " · ".join(said) if said else ""


def waiting(session: Session, item: Round) -> str:
    """Return who is here but stands in none of a draft's games and byes."""
    players = session.tournament.players
    names = [_link(f"player:{one}", players[one].name) for one in unpaired(session.index, item)]
    if not names:
        return ""
    head = _bold(session.catalogue.text("Waiting to be paired:"))
    return _coloured(session, "red", head) + " " + " · ".join(names)


def still_out(session: Session, item: Round) -> str:
    """Return the tables whose result is missing."""
    out, words = rounds.missing(session.index, item), session.catalogue
    if not out:
        return ""
    links = " ".join(_link(f"table:{table}", str(table)) for table in out[:MOST_OUT])
    more = words.text("and {n} more", n=len(out) - MOST_OUT) if len(out) > MOST_OUT else ""
    return _bold(words.text("Still out:")) + " " + links + " " + escape(more)


def looked_over(session: Session, game: Game | None) -> str:
    """Return by whom and when the result of a game was checked or certified, if the history tells it."""
    words, result = session.catalogue, session.index.result(game.id) if game else None
    if game is None or result is None or result.state not in _STEPS:
        return ""
    facts = {"round": session.tournament.rounds[game.round].number, **_names(session, game)}
    step = newest(session.desk.history(), _STEPS[result.state], facts)
    if step is None:
        return ""
    who, when = str(step.facts.get("author") or step.station), words.instant(step.at)
    said = {
        ResultState.CHECKED: words.text("checked by {who}, {when}", who=who, when=when),
        ResultState.FINAL: words.text("certified by {who}, {when}", who=who, when=when),
    }[result.state]
    return _bold(words.text("Table {table}:", table=game.table)) + " " + escape(said)


def _names(session: Session, game: Game) -> dict[str, object]:
    players = session.tournament.players
    return {"first_name": players[game.first].name, "second_name": players[game.second].name}


def _bold(text: str) -> str:
    return "<b>" + escape(text) + "</b>"


def _coloured(session: Session, tone: str, text: str) -> str:
    return f'<span style="color:{session.look.colour(tone).name()}">{text}</span>'


def _link(target: str, text: str) -> str:
    return f'<a href="{escape(target)}" style="text-decoration:none">{escape(text)}</a>'


_Come = tuple[RoundId, tuple[Result, ...]]


class AssumedGames:
    """The assumed games of the division's rounds; `found` is told when something is known of them."""

    def __init__(self, session: Session, found: Callable[[], None]) -> None:
        self._session = session
        self._told = found
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
        games, words = rounds.assumed(self._session.index, item), self._session.catalogue
        if not games:
            return ""
        names = ", ".join(
            words.text("table {table} of round {round}", table=game.table, round=self._number(game.round))
            for game in games
        )
        still_out = [game for game in games if self._session.index.result(game.id) is None]
        said = words.plural(
            "Paired while the result of {tables} was missing: it counts as drawn here.",
            "Paired while the results of {tables} were missing: they count as drawn here.",
            len(games),
            tables=names,
        )
        tone = self._session.look.colour("amber" if still_out else "muted").name()
        rest = self._known.get(self._come(item), "")
        return f'<span style="color:{tone}">{escape(said)}</span> {escape(rest)}'

    # --- inside

    def _come(self, item: Round) -> _Come:
        results = (self._session.index.result(game) for game in item.assumed)
        return item.id, tuple(result for result in results if result is not None)

    def _number(self, round_id: RoundId) -> int:
        return self._session.tournament.rounds[round_id].number

    def _keep(self, key: _Come, found: tuple[RoundDifference, ...]) -> None:
        words, players = self._session.catalogue, self._session.tournament.players
        same = words.text("With what came in it would have been paired the same.")
        self._known[key] = impact_sentences.hindsight(found, players, words) if found else same
        self._told()


def _differences(tournament: Tournament, item: Round, division: DivisionId) -> tuple[RoundDifference, ...]:
    """Return how round `item` would have been paired, had the results been there that came in since."""
    missing: list[GameId] = [game for game in item.assumed if game in tournament.results]
    before = tournament.drop(*(tournament.results[game] for game in missing))
    return tuple(one for one in would_differ(before, tournament, division) if one.round == item.number)
