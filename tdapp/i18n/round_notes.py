"""The notes around a round's table, as rich text with links: a draft's cost, who waits, which results are out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.model import Forfeit, Game, ResultState, Round
from tdapp.domain.problems import problems, slip_problems
from tdapp.domain.tables import rounds
from tdapp.domain.tables.history import newest
from tdapp.i18n import pairing_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import titled
from tdapp.pairing import unpaired

_STEPS: Mapping[ResultState, str] = {ResultState.CHECKED: "check-result", ResultState.FINAL: "certify-result"}


@dataclass(frozen=True, slots=True)
class RoundNotes:
    """Notes in one language; `colour` gives the name of a tone's colour."""

    index: Index
    catalogue: Catalogue
    colour: Callable[[str], str]

    def draft(self, item: Round, assumed: str = "") -> str:
        """Return what a draft is, what it costs, what it has `assumed` (rich text), and how it is changed."""
        catalogue, index = self.catalogue, self.index
        head = catalogue.text("Draft: nobody outside has seen it. Publish it when it is right.")
        kept = sum(game.locked for game in index.games(item.id))
        cost = " · ".join(pairing_sentences.costs(index, item, catalogue))
        lines = [_bold(head), escape(titled(cost))]
        lines += [assumed] if assumed else []
        ties = [one for one in problems(index, index.division_of(item.id)) if one.code == "tie-at-cut"]
        lines += [self._coloured("amber", escape(catalogue.problem(one.code, one.facts))) for one in ties]
        gave = pairing_sentences.relaxed(item, catalogue)
        if gave:
            said = catalogue.text("Had to give: {what}", what=", ".join(gave))
            lines.append(self._coloured("amber", escape(said)))
        if kept:
            lines.append(escape(catalogue.plural("{n} table is kept.", "{n} tables are kept.", kept)))
        hint = catalogue.text("Space picks a player; drag one player onto another to see what would change.")
        return "<br>".join((*lines, self._coloured("muted", escape(hint))))

    def reason(self, game: Game | None) -> str:
        """Return why a table was paired so, and what it costs."""
        catalogue = self.catalogue
        if game is None or game.reason is None:
            return ""
        cost = pairing_sentences.cost(game.reason.cost, catalogue)
        said = catalogue.reason(game.reason.code, dict(game.reason.facts))
        head = catalogue.text("Table {table}:", table=game.table)
        return _bold(head) + " " + escape(said) + (" · " + escape(cost) if cost else "")

    def byes(self, item: Round) -> str:
        """Return who has no game or won by forfeit, and what that is worth."""
        catalogue, players = self.catalogue, self.index.tournament.players
        said = []
        rows = rounds.byes(self.index, item).rows
        for bye, row in zip(self.index.byes(item.id), rows, strict=True):
            worth = f"{catalogue.points(row.points)}, {catalogue.signed(row.spread)}"
            if row.awarded is not None:
                worth += ", " + catalogue.plural("{n} point", "{n} points", row.awarded)
            name = _link(f"player:{bye.player}", players[bye.player].name)
            why = catalogue.reason(bye.reason.code, dict(bye.reason.facts)) if bye.reason else ""
            said.append(
                f"{name} ({escape(': '.join((catalogue.code(row.kind), worth)))}{escape(why and '; ' + why)})"
            )
        results = [self.index.result(game.id) for game in self.index.games(item.id)]
        missed = [self.index.tournament.games[one.id] for one in results if one is not None and one.forfeit]
        there = {player for game in missed for player in (game.first, game.second)}
        said += [
            f"{_link(f'player:{row.player_id}', row.name)} ({escape(catalogue.code(row.kind))}: "
            f"{escape(catalogue.plural('{n} point', '{n} points', row.awarded))})"
            for row in rounds.awards(self.index, self.index.division_of(item.id), there).rows
            if row.round == item.number and isinstance(row.kind, Forfeit) and (row.own or row.awarded)
        ]
        return _bold(catalogue.text("Without a game:")) + " " + " · ".join(said) if said else ""

    def waiting(self, item: Round) -> str:
        """Return who is here but stands in none of a draft's games and byes."""
        players = self.index.tournament.players
        names = [_link(f"player:{one}", players[one].name) for one in unpaired(self.index, item)]
        if not names:
            return ""
        head = _bold(self.catalogue.text("Waiting to be paired:"))
        return self._coloured("red", head) + " " + " · ".join(names)

    def from_phones(self, item: Round) -> str:
        """Return what players have entered that waits for the desk, and how it is taken or refused."""
        catalogue = self.catalogue
        found = [escape(catalogue.problem(one.code, one.facts)) for one in slip_problems(self.index, item)]
        if not found:
            return ""
        keys = catalogue.text(
            "Ctrl+Shift+T takes what the players of the chosen table entered, Ctrl+Shift+R refuses it."
        )
        return "<br>".join(
            (*(self._coloured("amber", one) for one in found), self._coloured("muted", escape(keys)))
        )

    def looked_over(self, game: Game | None, history: Sequence[Step]) -> str:
        """Return by whom and when the result of a game was checked or certified, if the history tells it."""
        catalogue, result = self.catalogue, self.index.result(game.id) if game else None
        if game is None or result is None or result.state not in _STEPS:
            return ""
        tournament = self.index.tournament
        first, second = (tournament.players[one].name for one in (game.first, game.second))
        facts = {"round": tournament.rounds[game.round].number, "first_name": first, "second_name": second}
        step = newest(history, _STEPS[result.state], facts)
        if step is None:
            return ""
        who, when = str(step.facts.get("author") or step.station), catalogue.instant(step.at)
        said = {
            ResultState.CHECKED: catalogue.text("checked by {who}, {when}", who=who, when=when),
            ResultState.FINAL: catalogue.text("certified by {who}, {when}", who=who, when=when),
        }[result.state]
        return _bold(catalogue.text("Table {table}:", table=game.table)) + " " + escape(said)

    def _coloured(self, tone: str, text: str) -> str:
        return f'<span style="color:{self.colour(tone)}">{text}</span>'


def _bold(text: str) -> str:
    return "<b>" + escape(text) + "</b>"


def _link(target: str, text: str) -> str:
    return f'<a href="{escape(target)}" style="text-decoration:none">{escape(text)}</a>'
