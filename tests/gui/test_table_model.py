"""The one table model: Qt's contract, and updates that keep selection and scroll position."""

from operator import attrgetter

import pytest
from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.gui.widgets.fields import LineEdit
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import Appearance
from tdapp.i18n.catalogue import Catalogue
from tests.gui.samples import RESOURCES

pytestmark = pytest.mark.styled


class Line(Struct, frozen=True):
    key: str
    name: str
    rating: int | None = None
    state: str = "open"


COLUMNS: tuple[Column[Line], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("name"), editable=True),
    Column("rating", ColumnKind.NUMBER, attrgetter("rating")),
    Column("state", ColumnKind.CODE, attrgetter("state")),
)
ANNA, BJORN, CECILE, OEDE = (
    Line("a", "Anna", 1500),
    Line("b", "Björn", 900),
    Line("c", "Cécile"),
    Line("o", "Ødegård", 1500, "entered"),
)


def table(*lines: Line) -> Table[Line]:
    return Table("people", COLUMNS, lines)


@pytest.fixture
def rows() -> TableRowsModel:
    made = TableRowsModel(Catalogue("en", RESOURCES / "locale"))
    made.show_table(table(ANNA, BJORN, CECILE, OEDE))
    return made


def test_rows_keep_to_the_rules_of_qt(rows: TableRowsModel, qtmodeltester: object) -> None:
    qtmodeltester.check(rows)  # type: ignore[attr-defined]
    rows.show_table(table(OEDE, Line("n", "New"), ANNA))
    rows.sort(0, Qt.SortOrder.DescendingOrder)
    rows.filter_rows("n")
    qtmodeltester.check(rows)  # type: ignore[attr-defined]


def test_table_view_lists_chosen_keys_without_asking_cells(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.selectAll()
    asked: list[QModelIndex] = []

    def flags(_rows: TableRowsModel, index: QModelIndex) -> Qt.ItemFlag:
        asked.append(index)
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled

    monkeypatch.setattr(TableRowsModel, "flags", flags)

    assert view.list_selected_keys() == rows.keys()
    assert not asked


@pytest.mark.parametrize(
    "after",
    [
        (ANNA, Line("b", "Björn", 950), CECILE, OEDE),
        (BJORN, OEDE),
        (OEDE, CECILE, BJORN, ANNA),
        (Line("x", "X"), OEDE, Line("y", "Y"), BJORN, Line("z", "Z")),
    ],
)
def test_table_view_selection_stays_with_its_row(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot, after: tuple[Line, ...]
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.choose("b")

    rows.show_table(table(*after))

    assert view.current_key() == "b"
    assert view.list_selected_keys() == ("b",)
    assert rows.keys() == tuple(line.key for line in after)
    assert rows.row("b") in after


def test_rows_announce_only_changed_rows(rows: TableRowsModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(rows.dataChanged) as told:
        rows.show_table(table(ANNA, BJORN, Line("c", "Cécile", 7), OEDE))

    assert told.args is not None
    assert [one.row() for one in told.args[:2]] == [2, 2]


def test_cell_painter_accepts_one_enter_per_editor(appearance: Appearance, qtbot: QtBot) -> None:
    edits: list[tuple[str, str, str]] = []
    rows = TableRowsModel(Catalogue("en", RESOURCES / "locale"), edit=lambda *edit: edits.append(edit))
    rows.show_table(table(ANNA, BJORN))
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.show()
    for key, name in (("a", "Ann"), ("b", "Bo")):
        view.choose(key)
        view.edit(view.currentIndex())
        editor = view.viewport().findChild(LineEdit)
        assert editor is not None
        editor.setText(name)
        for _ in range(2):  # before the program comes to take the first one
            enter = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
            QCoreApplication.sendEvent(editor, enter)
        qtbot.waitUntil(lambda: view.viewport().findChild(LineEdit) is None)

    assert edits == [("a", "name", "Ann"), ("b", "name", "Bo")]


def test_table_view_editor_survives_a_new_version(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    typed: list[tuple[str, str, str]] = []
    rows._edit = lambda *what: typed.append(what)
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.show()
    view.choose("b")
    view.edit(view.currentIndex())
    editor = view.findChild(LineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Berta")

    rows.show_table(table(Line("n", "New"), ANNA, Line("b", "Björn", 1000), CECILE, OEDE))
    QTest.keyClick(editor, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: typed == [("b", "name", "Berta")])


def test_fitted_table_shows_a_long_name_if_others_have_space(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.set_widths({"rating": 160, "state": 160})
    view.resize(500, 300)
    view.show()
    assert [view.columnWidth(place) for place in (1, 2)] == [160, 160]

    rows.show_table(table(Line("a", "van den Berg-Jansen, Annelies"), BJORN, CECILE, OEDE))

    assert view.columnWidth(0) >= view.sizeHintForColumn(0)
    assert all(view.columnWidth(place) >= view.sizeHintForColumn(place) for place in (1, 2))


def test_fitted_table_shows_our_own_words_whole(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    view.allow_sideways_scrolling()
    view.set_widths({"rating": 80, "state": 80})
    before = view.columnWidth(2)

    rows.show_table(table(Line("a", "Anna", 1200, "withdrawn-after-round"), BJORN, CECILE, OEDE))

    assert view.columnWidth(2) >= view.sizeHintForColumn(2) > before


def test_fitted_table_shows_a_long_text_if_names_need_less(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.set_widths({"rating": 80, "state": 80, "club": 80})
    view.resize(700, 300)
    view.show()
    club: Column[Line] = Column(
        "club", ColumnKind.TEXT, lambda line: "Scrabble Club Noordoostpolder" if line == ANNA else ""
    )

    rows.show_table(Table("people", (*COLUMNS, club), (ANNA, BJORN)))
    assert view.columnWidth(3) >= view.sizeHintForColumn(3) > 80

    view.resize(420, 300)
    assert view.columnWidth(0) >= view.sizeHintForColumn(0)


def test_filter_rows_ignores_case_and_accents(rows: TableRowsModel) -> None:
    rows.filter_rows("odegard")
    assert rows.keys() == ("o",)
    rows.filter_rows("CECILE")
    assert rows.keys() == ("c",)
    rows.filter_rows("")
    assert rows.keys() == ("a", "b", "c", "o")


def test_rows_sort_empty_cells_last_and_restore_by_a_third_click(rows: TableRowsModel) -> None:
    rows.sort(1, Qt.SortOrder.AscendingOrder)
    assert rows.keys() == ("b", "a", "o", "c")
    rows.sort(1, Qt.SortOrder.DescendingOrder)
    assert rows.keys()[-1] == "c"
    rows.sort(-1)
    assert rows.keys() == ("a", "b", "c", "o")


def test_rows_move_a_changed_row_in_sorted_order(rows: TableRowsModel) -> None:
    rows.sort(1, Qt.SortOrder.AscendingOrder)
    rows.show_table(table(ANNA, Line("b", "Björn", 1600), CECILE, OEDE))
    assert rows.keys() == ("a", "o", "b", "c")


def test_rows_align_numbers_right_and_give_states_a_word(rows: TableRowsModel) -> None:
    alignment = rows.data(rows.index(0, 1), Qt.ItemDataRole.TextAlignmentRole)
    assert isinstance(alignment, Qt.AlignmentFlag)
    assert alignment & Qt.AlignmentFlag.AlignRight
    assert rows.data(rows.index(3, 2)) == "entered"


def test_fitted_table_shows_an_optional_column_when_filled(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    rows.show_table(table(CECILE))
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.hide_columns_if_empty({"rating"})
    assert view.isColumnHidden(1)
    rows.show_table(table(Line("c", "Cécile", 7)))
    assert not view.isColumnHidden(1)
    rows.show_table(table(CECILE))
    assert view.isColumnHidden(1)
    view.show_all_columns(show=True)
    assert not view.isColumnHidden(1)


def test_table_view_home_and_end_move_and_select(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="People")
    qtbot.addWidget(view)
    view.choose("b")
    QTest.keySequence(view, QKeySequence("End"))
    assert (view.current_key(), view.list_selected_keys()) == ("o", ("o",))
    QTest.keySequence(view, QKeySequence("Home"))
    assert (view.current_key(), view.list_selected_keys()) == ("a", ("a",))
    for keys in ("Shift+End", "Ctrl+Shift+End"):
        view.choose("b")
        QTest.keySequence(view, QKeySequence(keys))
        assert view.list_selected_keys() == ("b", "c", "o"), keys


def test_cell_painter_scales_the_sign_of_a_state(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    tall = []
    for size in (100, 200):
        appearance.set_text_size(size)
        view = TableView(rows, appearance=appearance, name="People")
        qtbot.addWidget(view)
        view.resize(900, 300)
        view.show()
        cell = view.visualRect(rows.index(0, 2))
        picture = view.viewport().grab(cell.adjusted(0, 1, 0, -1)).toImage()
        wide = size // 6  # no letter yet
        plain = picture.pixel(1, 1)
        tall.append(sum(any(picture.pixel(x, y) != plain for x in range(wide)) for y in range(picture.height())))
    appearance.set_text_size(100)
    assert tall[1] >= 2 * tall[0] - 2
