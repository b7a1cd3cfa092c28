"""A knockout's bracket as a list: who meets whom, who goes on."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from tdapp.domain.bracket import Match, bracket
from tdapp.domain.index import Index
from tdapp.domain.model import PlayerId, Stage, StageId
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.gui.page import Panel
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.view import TableView
from tdapp.i18n.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One place of the bracket, in words; `round` counts through the division."""

    key: str
    round: int
    match: str
    player: str
    opponent: str
    winner: str


def matches(index: Index, stage: Stage, words: Catalogue) -> Table[MatchRow]:
    """Return the matches of a knockout by round, as far as they are known."""
    first = index.first_round(stage.id)
    rows = tuple(_row(index, match, first, words) for match in bracket(index, stage))
    return Table("bracket", _COLUMNS, rows)


def _row(index: Index, match: Match, first: int, words: Catalogue) -> MatchRow:
    def name(player: PlayerId | None) -> str:
        return index.tournament.players[player].name if player else "…"

    one, other = match.players
    missing = words.code("bye") if match.bye else "…"
    number = words.text("3rd place") if match.third_place else str(match.number)
    return MatchRow(
        key=match.key,
        round=first + match.round - 1,
        match=number,
        player=name(one),
        opponent=name(other) if other else missing,
        winner=name(match.winner) if match.winner else "",
    )


class BracketPanel(Panel):
    """The bracket beside the round's tables."""

    def __init__(self, session: Session, stage: StageId) -> None:
        super().__init__(session, session.catalogue.text("Bracket"))
        self._stage = stage
        self.rows = Rows(session.catalogue)
        empty = session.catalogue.text("The bracket is drawn up when there are players.")
        self._view = TableView(self.rows, look=session.look, name=session.catalogue.text("Bracket"), empty=empty)
        self._view.set_widths({"round": 56, "match": 72}, stretch=("player", "opponent", "winner"))
        self.body.addWidget(self._view)

    def refresh(self) -> None:
        """Show the bracket as it is now."""
        stage = self.session.tournament.stages.get(self._stage) if self.session.is_open else None
        if stage is None:
            self.closed.emit()
        else:
            self.rows.show(matches(self.session.index, stage, self.session.catalogue))


_COLUMNS: tuple[Column[MatchRow], ...] = (
    Column("round", Kind.NUMBER, attrgetter("round")),
    Column("match", Kind.TEXT, attrgetter("match")),
    Column("player", Kind.NAME, attrgetter("player")),
    Column("opponent", Kind.NAME, attrgetter("opponent")),
    Column("winner", Kind.NAME, attrgetter("winner")),
)
