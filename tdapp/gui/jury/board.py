"""The side column of the Jury page: the board, the words of a turn, and the doubtful words."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from itertools import groupby

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from tdapp.domain.judging import make_issue_facts
from tdapp.domain.tables.jury import DoubtfulWord
from tdapp.domain.tables.table import ColumnKind, Table, make_columns_from_row_attributes
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import ScreenReaderLabels
from tdapp.gui.widgets.board_painter import BoardPainter
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT, Appearance, make_scaled_font, scale_line_height
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import list_board_squares
from tdapp.i18n.sheet_reading import MILD_ISSUES, ParsedSheetDraft
from tdapp.scrabble.board import Board
from tdapp.scrabble.coordinates import SIZE, Direction, SquareNotation, WordStart, format_square_notation
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.tiles import TileSet

Square = tuple[int, int]
LETTERS = "ABCDEFGHIJKLMNO"
_MIN_SIDE, _MAX_SIDE = 16, 30  # pixels per square


class BoardView(QWidget):
    """A board. The tiles of the last play have a frame."""

    def __init__(self, appearance: Appearance, catalogue: Catalogue) -> None:
        super().__init__()
        self._appearance = appearance
        self._catalogue = catalogue
        self._squares = tuple(list_board_squares(catalogue, Board()))
        self._has_lettered_rows = False
        self._is_complete = True
        self.setAccessibleName(catalogue.text("Board"))
        self._screen_reader_labels = ScreenReaderLabels(self)
        self._announced_content: tuple[Board, bool, QRect] | None = None  # content for the screen reader
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        appearance.changed.connect(self.update)

    def show_board(
        self,
        board: Board,
        new_squares: Collection[Square],
        *,
        tileset: TileSet,
        notation: SquareNotation,
        is_board_complete: bool,
    ) -> None:
        """Show a board with frames on the new squares.

        `is_board_complete` is False if some earlier tiles cannot be placed.
        """
        self._squares = tuple(list_board_squares(self._catalogue, board, new_squares, tileset))
        self._is_complete = is_board_complete
        self._has_lettered_rows = notation.has_lettered_rows
        if (content := (board, self._has_lettered_rows, self.rect())) != self._announced_content:
            self._announced_content = content
            self._screen_reader_labels.set_labels(
                [(text, self.rect()) for text in list_board_texts_for_screen_reader(board, notation)]
            )
        self.update()

    def sizeHint(self) -> QSize:
        return _compute_board_size(self._compute_square_side(self.width(), 2 * self.width()))

    def minimumSizeHint(self) -> QSize:
        return _compute_board_size(_MIN_SIDE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def _compute_square_side(self, width: int, height: int) -> int:
        length = min(width - 2 * UNIT, height - 2 * UNIT - 4)
        return max(_MIN_SIDE, min(_MAX_SIDE, length // SIZE))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self._compute_square_side(self.width(), self.height())
        origin = QPointF(2 * UNIT, 2 * UNIT)
        self._paint_coordinates(painter, origin, side)
        square_colour = "surface" if self._is_complete else "window"
        BoardPainter(painter, self._appearance.get_colour, side, square_colour).paint_board(
            self._squares, origin.x(), origin.y()
        )
        painter.end()

    def _paint_coordinates(self, painter: QPainter, origin: QPointF, side: int) -> None:
        painter.setFont(make_scaled_font(10))
        painter.setPen(self._appearance.get_colour("muted"))
        numbers = [str(n) for n in range(1, SIZE + 1)]
        column_labels, row_labels = (numbers, LETTERS) if self._has_lettered_rows else (LETTERS, numbers)
        for index in range(SIZE):
            column_area = QRectF(origin.x() + index * side, 0, side, origin.y() - 2)
            row_area = QRectF(0, origin.y() + index * side, origin.x() - 3, side)
            painter.drawText(column_area, Qt.AlignmentFlag.AlignCenter, column_labels[index])
            painter.drawText(
                row_area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, row_labels[index]
            )


def list_board_texts_for_screen_reader(board: Board, convention: SquareNotation) -> list[str]:
    """Return each word with its square, then the tiles of each row."""
    numbers = range(1, SIZE + 1)
    across_starts = [[WordStart(row, column, Direction.ACROSS) for column in numbers] for row in numbers]
    down_starts = [[WordStart(row, column, Direction.DOWN) for row in numbers] for column in numbers]

    def get_tile_at(start: WordStart) -> str:
        return board.get_tile(start.row, start.column)

    runs = (
        [*run]
        for line in (*across_starts, *down_starts)
        for has_tile, run in groupby(line, lambda start: bool(get_tile_at(start)))
        if has_tile
    )
    words = [
        f"{format_square_notation(run[0], convention)} {''.join(map(get_tile_at, run))}"
        for run in runs
        if len(run) > 1
    ]
    squares = (
        [(format_square_notation(start, convention).rstrip("→"), get_tile_at(start)) for start in line]
        for line in across_starts
    )
    rows = (", ".join(" ".join(square) for square in line if square[1]) for line in squares)
    return [*words, *filter(None, rows)]


def _compute_board_size(side: int) -> QSize:
    return QSize(side * SIZE + 2 * UNIT, side * SIZE + 2 * UNIT + 4)


class TurnWordsPanel(QWidget):
    """The words of a turn, and the doubtful words of the sheet."""

    turn_requested = Signal(int)  # turn of the selected doubtful word
    word_lists_requested = Signal()  # the user wants to choose a word list

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.turn = fields.make_rich_text_label()
        self.turn.setFixedHeight(2 * self.turn.fontMetrics().lineSpacing() + 2)
        self.turn.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._note = fields.make_rich_text_label()
        self._note.setMinimumHeight(2 * self._note.fontMetrics().lineSpacing())
        self._note.linkActivated.connect(self.word_lists_requested)
        column_texts = {"state": self._describe_word_state_and_cost}
        self._rows = TableRowsModel(
            session.catalogue, tone=lambda doubt: "" if doubt.is_undecided else "muted", shown_texts=column_texts
        )
        self.view = TableView(
            self._rows, appearance=session.appearance, name=session.catalogue.text("Words in doubt")
        )
        widest = f"{session.catalogue.translate_code('doubt-open')}  −1000"
        width = self.fontMetrics().horizontalAdvance(widest) + UNIT * 3
        self.view.set_widths({"row": 44, "state": width}, stretch=("word",))
        self.view.disable_sorting()
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.horizontalHeader().hide()
        self.view.setMinimumHeight(scale_line_height(UNIT * 8))
        self.view.current_row_changed.connect(self._request_turn_of_current_doubt)
        self.view.clicked.connect(self._request_turn_of_current_doubt)
        column = fields.make_column(
            self.turn, self._note, self.view, 1, parent=self
        )  # 1: stretch if view is hidden
        column.setStretchFactor(self.view, 100)

    def show_words(
        self, parsed_sheet: ParsedSheetDraft, line_index: int, *, word_help_state: str, is_board_complete: bool
    ) -> None:
        """Show the words of a turn.

        If `is_board_complete` is False, explain why the board is missing from this turn on.
        `word_help_state` is "ready", "none" (no word list) or "silent" (hide all words).
        """
        self._show_turn_words(
            parsed_sheet, line_index, hide_words=word_help_state == "silent", is_board_complete=is_board_complete
        )
        text = self._session.catalogue.text
        self._rows.show_table(
            Table("doubts", _DOUBT_COLUMNS, tuple(parsed_sheet.doubts) if word_help_state == "ready" else ())
        )
        self.view.setVisible(word_help_state == "ready")
        self.view.set_empty_text(text("All words so far are in the word list."))
        colour = self._session.appearance.colours.accent
        note = {
            "ready": "",
            "silent": escape(text("No word help while the judge screen is open.")),
            "none": escape(text("No word list is chosen: words are not checked."))
            + f" <a href='list' style='color:{colour}'>{escape(text('Choose a word list'))}</a>",
        }[word_help_state]
        fields.show_text(self._note, note)

    def _show_turn_words(
        self, parsed_sheet: ParsedSheetDraft, line_index: int, *, hide_words: bool, is_board_complete: bool
    ) -> None:
        catalogue, colours = self._session.catalogue, self._session.appearance.colours
        row, number = parsed_sheet.find_turn_row(line_index), parsed_sheet.find_turn_number(line_index)
        if row is None or not number:
            missing_board_text = catalogue.text(
                "The board cannot be shown from this turn on: a play has no square, or is not possible."
            )
            self.turn.setText(
                ""
                if is_board_complete
                else f"<span style='color:{colours.muted}'>{escape(missing_board_text)}</span>"
            )
            return
        doubtful_words = {doubt.word for doubt in row.doubts if doubt.is_undecided}
        parts = []
        if not hide_words:
            formed_words = _list_formed_words_with_scores(parsed_sheet.replayed_turns[number - 1])
            parts.append(
                " &nbsp; ".join(self._format_word(word, points, doubtful_words) for word, points in formed_words)
            )
        for issue in row.issues:
            colour = colours.amber if issue.code in MILD_ISSUES else colours.red
            problem = escape(
                catalogue.describe_problem(issue.code, make_issue_facts(issue, parsed_sheet.draft.convention))
            )
            parts.append(f"<span style='color:{colour}'>⚠ {problem}</span>")
        self.turn.setText("<br>".join(filter(None, parts)))
        self.turn.setToolTip(self.turn.text())

    def hasHeightForWidth(self) -> bool:
        return False

    @property
    def current_doubt(self) -> DoubtfulWord | None:
        row = self._rows.find_row_by_key(self.view.get_current_row_key())
        return row if isinstance(row, DoubtfulWord) else None

    def _format_word(self, word: str, points: int, doubtful_words: set[str]) -> str:
        text = f"{escape(word)} <b>{points}</b>"
        amber = self._session.appearance.colours.amber
        return f"<span style='color:{amber}'>{text} ?</span>" if word.upper() in doubtful_words else text

    def _describe_word_state_and_cost(self, doubt: DoubtfulWord) -> str:
        catalogue = self._session.catalogue
        cost = catalogue.format_signed_value(-doubt.cost) if doubt.cost and doubt.state != "doubt-stands" else ""
        return f"{catalogue.translate_code(doubt.state)}  {cost}".rstrip()

    def _request_turn_of_current_doubt(self, _row: object) -> None:
        if self.current_doubt is not None and self.view.hasFocus():
            self.turn_requested.emit(self.current_doubt.turn)


def _list_formed_words_with_scores(turn: ReplayedTurn) -> list[tuple[str, int]]:
    if turn.play is None:
        return [(word, turn.score) for word in turn.words]
    return [(word.text, word.score) for word in turn.play.words]


_DOUBT_COLUMNS = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "row"),
    *make_columns_from_row_attributes(ColumnKind.TEXT, "word", "state"),
)
