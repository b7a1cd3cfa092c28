"""Under the board: the words of the turn at the cursor, and every doubtful word with what it would cost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from tdapp.domain.sheet_rules import facts_of
from tdapp.domain.tables.jury import Doubt, TurnRow
from tdapp.domain.tables.table import Kind, Table, columns
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.sheet_reading import MILD
from tdapp.scrabble.replay import ReplayedTurn


class WordsPanel(QWidget):
    """The words; `went` carries the number of the turn of the doubt chosen, `link`: the word list is wanted."""

    went = Signal(int)
    link = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self._turn = fields.rich()
        self._turn.setMinimumHeight(UNIT * 5)
        self._turn.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._note = fields.rich()
        links = Qt.TextInteractionFlag
        self._note.setTextInteractionFlags(links.LinksAccessibleByMouse | links.LinksAccessibleByKeyboard)
        self._note.linkActivated.connect(self.link)
        self._rows = Rows(session.catalogue, tone=_tone, shown={"state": self._state})
        self.view = TableView(self._rows, look=session.look, name=text("Words in doubt"))
        self.view.set_widths({"turn": 44, "state": self._widest_state()}, stretch=("word",))
        self.view.keep_order()
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setMinimumHeight(UNIT * 12)
        self.view.current.connect(self._go)
        self.view.clicked.connect(self._clicked)
        column = fields.column(self._turn, self._note, self.view, 1, parent=self)  # 1: where the view is hidden
        column.setStretchFactor(self.view, 100)

    def show_turn(self, row: TurnRow | None, line: ReplayedTurn | None, *, silent: bool, known: bool) -> None:
        """Show the words that a turn forms with their scores, and all that is wrong with it.

        Where there is no turn yet say that the board before it is not `known`.
        """
        catalogue, colours = self._session.catalogue, self._session.look.colours
        if row is None or line is None:
            lost = catalogue.text("The board is not known from here: a square is missing, or a play cannot stand.")
            self._turn.setText("" if known else f"<span style='color:{colours.muted}'>{escape(lost)}</span>")
            return
        doubtful = {doubt.word for doubt in row.doubts if doubt.is_open}
        parts = []
        if not silent:
            parts.append(" &nbsp; ".join(self._word(word, points, doubtful) for word, points in _formed(line)))
        for issue in row.issues:
            colour = colours.amber if issue.code in MILD else colours.red
            problem = escape(catalogue.problem(issue.code, facts_of(issue)))
            parts.append(f"<span style='color:{colour}'>⚠ {problem}</span>")
        self._turn.setText("<br>".join(filter(None, parts)))

    def show_doubts(self, doubts: Sequence[Doubt], *, state: str) -> None:
        """Show the doubtful words; `state` is ready, silent (nothing is shown about words) or none (no list)."""
        text = self._session.catalogue.text
        self._rows.show(Table("doubts", _COLUMNS, tuple(doubts) if state == "ready" else ()))
        self.view.setVisible(state == "ready")
        self.view.set_empty(text("The word list knows every word so far."))
        colour = self._session.look.colours.accent
        note = {
            "ready": "",
            "silent": escape(text("Nothing is said about words while the judge’s screen is open.")),
            "none": escape(text("No word list is chosen: words are not checked."))
            + f" <a href='list' style='color:{colour}'>{escape(text('Choose one'))}</a>",
        }[state]
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def hasHeightForWidth(self) -> bool:
        """Take the height that is left, however the words wrap."""
        return False

    @property
    def current(self) -> Doubt | None:
        """The doubt that the cursor is on."""
        found = self._rows.row(self.view.current_key())
        return found if isinstance(found, Doubt) else None

    @property
    def said(self) -> str:
        """The texts above the doubts."""
        return f"{self._turn.text()}\n{self._note.text()}"

    def _word(self, word: str, points: int, doubtful: set[str]) -> str:
        text = f"{escape(word)} <b>{points}</b>"
        amber = self._session.look.colours.amber
        return f"<span style='color:{amber}'>{text} ?</span>" if word.upper() in doubtful else text

    def _widest_state(self) -> int:
        """Return the pixels that a state in words with its cost needs."""
        widest = f"{self._session.catalogue.code('doubt-open')}  −1000"
        return self.fontMetrics().horizontalAdvance(widest) + UNIT * 3

    def _state(self, doubt: Doubt) -> str:
        """Return the state of a doubt, and what it costs or would cost."""
        catalogue = self._session.catalogue
        cost = catalogue.signed(-doubt.cost) if doubt.cost and doubt.state != "doubt-stands" else ""
        return f"{catalogue.code(doubt.state)}  {cost}".rstrip()

    def _go(self, key: str) -> None:
        found = self._rows.row(key)
        if isinstance(found, Doubt) and self.view.hasFocus():
            self.went.emit(found.turn)

    def _clicked(self, _index: object) -> None:
        self._go(self.view.current_key())


def _formed(line: ReplayedTurn) -> list[tuple[str, int]]:
    if line.play is None:
        return [(word, line.score) for word in line.words]
    return [(word.text, word.score) for word in line.play.words]


def _tone(doubt: Doubt) -> str:
    return "" if doubt.is_open else "muted"


_COLUMNS = columns(turn=Kind.NUMBER, word=Kind.TEXT, state=Kind.TEXT)
