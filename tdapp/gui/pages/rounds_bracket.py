"""A knockout's bracket as a list: who meets whom, who goes on."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.bracket import bracket
from tdapp.domain.index import Index
from tdapp.domain.matches import Match
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui import fields
from tdapp.gui.page import Panel
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView
from tdapp.i18n.catalogue import TICK, Catalogue

_UNKNOWN = "…"


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One place of the bracket, in words; a tick stands before the winner."""

    key: str
    match: str
    player: str
    opponent: str


def matches(index: Index, stage: Stage, words: Catalogue) -> Table[MatchRow]:
    """Return the matches of a knockout by round, as far as they are known."""
    first = index.first_round(stage.id)
    rows = tuple(_row(index, match, first, words) for match in bracket(index, stage))
    return Table("bracket", _COLUMNS, rows)


def _row(index: Index, match: Match, first: int, words: Catalogue) -> MatchRow:
    def name(player: PlayerId | None, nobody: str) -> str:
        if player is None:
            return nobody
        tick = f"{TICK} " if player == match.winner else ""
        return tick + index.tournament.players[player].name

    number = words.text("3rd place") if match.third_place else str(match.number)
    return MatchRow(
        key=match.key,
        match=f"{first + match.round - 1} · {number}",
        player=name(match.players[0], _UNKNOWN),
        opponent=name(match.players[1], words.code("bye") if match.bye else _UNKNOWN),
    )


class BracketPanel(Panel):
    """The bracket beside the round's tables."""

    def __init__(self, session: Session, stage: StageId) -> None:
        super().__init__(session, session.catalogue.text("Bracket"))
        self.setMinimumWidth(UNIT * 58)
        self._stage = stage
        self.rows = Rows(session.catalogue)
        empty = session.catalogue.text("The bracket is drawn up when there are players.")
        self._view = TableView(self.rows, look=session.look, name=session.catalogue.text("Bracket"), empty=empty)
        self._view.set_widths({"match": 72}, stretch=("player", "opponent"))
        self._won = fields.label("", "lead", wrap=True)
        self.body.addWidget(self._won)
        self.body.addWidget(self._view)

    def refresh(self) -> None:
        """Show the bracket as it is now."""
        stage = self.session.tournament.stages.get(self._stage) if self.session.is_open else None
        if stage is None:
            self.closed.emit()
        else:
            self.rows.show(matches(self.session.index, stage, self.session.catalogue))
            self._won.setText(self._winner(stage))

    def _winner(self, stage: Stage) -> str:
        """Return who has won the final, as soon as that is known."""
        decided = [match for match in bracket(self.session.index, stage) if not match.third_place]
        winner = decided[-1].winner if decided else None
        if winner is None:
            return ""
        name = self.session.tournament.players[winner].name
        return self.session.catalogue.text("{player} has won the final.", player=name)


_COLUMNS: tuple[Column[MatchRow], ...] = (
    Column("match", Kind.TEXT, attrgetter("match")),
    Column("player", Kind.NAME, attrgetter("player")),
    Column("opponent", Kind.NAME, attrgetter("opponent")),
)
