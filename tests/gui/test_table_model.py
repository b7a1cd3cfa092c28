"""Tests of the table model and the table view: Qt's rules, updates, sorting, editing and column widths."""

from functools import partial
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


class Person(Struct, frozen=True):
    key: str
    name: str
    rating: int | None = None
    state: str = "open"


COLUMNS: tuple[Column[Person], ...] = (
    Column("name", ColumnKind.NAME, attrgetter("name"), editable=True),
    Column("rating", ColumnKind.NUMBER, attrgetter("rating")),
    Column("state", ColumnKind.CODE, attrgetter("state")),
)
ANNA, BJORN, CECILE, OEDE = (
    Person("a", "Anna", 1500),
    Person("b", "Björn", 900),
    Person("c", "Cécile"),
    Person("o", "Ødegård", 1500, "entered"),
)


def make_table(*people: Person) -> Table[Person]:
    return Table("people", COLUMNS, people)


@pytest.fixture
def rows() -> TableRowsModel:
    model = TableRowsModel(Catalogue("en", RESOURCES / "locale"))
    model.show_table(make_table(ANNA, BJORN, CECILE, OEDE))
    return model


def test_table_rows_model_passes_the_checks_of_qt(rows: TableRowsModel, qtmodeltester: object) -> None:
    qtmodeltester.check(rows)  # type: ignore[attr-defined]
    rows.show_table(make_table(OEDE, Person("n", "New"), ANNA))
    rows.sort(0, Qt.SortOrder.DescendingOrder)
    rows.filter_rows("n")
    qtmodeltester.check(rows)  # type: ignore[attr-defined]


def test_table_view_shows_its_empty_text_when_the_columns_disappear(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people", empty="No people yet.")
    qtbot.addWidget(view)
    rows.show_table(Table("people", (), ()))
    assert view.accessibleDescription() == "No people yet."


def test_list_selected_keys_does_not_read_cells(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.selectAll()
    asked_indexes: list[QModelIndex] = []

    def flags(_rows: TableRowsModel, index: QModelIndex) -> Qt.ItemFlag:
        asked_indexes.append(index)
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled

    monkeypatch.setattr(TableRowsModel, "flags", flags)

    assert view.list_selected_keys() == rows.keys()
    assert not asked_indexes


@pytest.mark.parametrize(
    "new_people",
    [
        (ANNA, Person("b", "Björn", 950), CECILE, OEDE),
        (BJORN, OEDE),
        (OEDE, CECILE, BJORN, ANNA),
        (Person("x", "X"), OEDE, Person("y", "Y"), BJORN, Person("z", "Z")),
    ],
)
def test_table_view_selection_follows_its_row(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot, new_people: tuple[Person, ...]
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.select_row("b")

    rows.show_table(make_table(*new_people))

    assert view.get_current_row_key() == "b"
    assert view.list_selected_keys() == ("b",)
    assert rows.keys() == tuple(person.key for person in new_people)
    assert rows.find_row_by_key("b") in new_people


def test_table_rows_model_announces_only_changed_rows(rows: TableRowsModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(rows.dataChanged) as changed_signal:
        rows.show_table(make_table(ANNA, BJORN, Person("c", "Cécile", 7), OEDE))

    assert changed_signal.args is not None
    assert [index.row() for index in changed_signal.args[:2]] == [2, 2]


def test_cell_painter_accepts_one_enter_per_editor(appearance: Appearance, qtbot: QtBot) -> None:
    edits: list[tuple[str, str, str]] = []
    rows = TableRowsModel(Catalogue("en", RESOURCES / "locale"), edit=lambda *edit: edits.append(edit))
    rows.show_table(make_table(ANNA, BJORN))
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.show()
    for key, name in (("a", "Ann"), ("b", "Bo")):
        view.select_row(key)
        view.edit(view.currentIndex())
        editor = view.viewport().findChild(LineEdit)
        assert editor is not None
        editor.setText(name)
        for _ in range(2):  # before the program handles the first one
            enter = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
            QCoreApplication.sendEvent(editor, enter)
        qtbot.waitUntil(lambda: view.viewport().findChild(LineEdit) is None)

    assert edits == [("a", "name", "Ann"), ("b", "name", "Bo")]


def test_table_view_editor_stays_open_when_rows_change(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    edits: list[tuple[str, str, str]] = []
    rows._edit = lambda *edit: edits.append(edit)
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.show()
    view.select_row("b")
    view.edit(view.currentIndex())
    editor = view.findChild(LineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Berta")

    rows.show_table(make_table(Person("n", "New"), ANNA, Person("b", "Björn", 1000), CECILE, OEDE))
    QTest.keyClick(editor, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: edits == [("b", "name", "Berta")])


def test_fitted_table_shows_a_long_name_if_space_is_left(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.set_widths({"rating": 160, "state": 160})
    view.resize(500, 300)
    view.show()
    assert [view.columnWidth(column) for column in (1, 2)] == [160, 160]

    rows.show_table(make_table(Person("a", "van den Berg-Jansen, Annelies"), BJORN, CECILE, OEDE))

    assert view.columnWidth(0) >= view.sizeHintForColumn(0)
    assert all(view.columnWidth(column) >= view.sizeHintForColumn(column) for column in (1, 2))


def test_fitted_table_widens_a_column_for_a_long_state(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    view.allow_sideways_scrolling()
    view.set_widths({"rating": 80, "state": 80})
    before = view.columnWidth(2)

    rows.show_table(make_table(Person("a", "Anna", 1200, "withdrawn-after-round"), BJORN, CECILE, OEDE))

    assert view.columnWidth(2) >= view.sizeHintForColumn(2) > before


def test_fitted_table_gives_a_cut_column_the_spare_width_of_a_pair(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    """Two name columns are equally wide unless this cuts a text that fits otherwise."""
    view = TableView(rows, appearance=appearance, name="pairs")
    qtbot.addWidget(view)
    view.set_widths({}, stretch=("first_name", "second_name", "reason"))
    view.show()
    texts = {
        "first_name": "Lüdenscheidt-von der Heide, Anna-Katharina",
        "second_name": "Li, Bo",
        "reason": "x " * 40,
    }

    def get_text(name: str, _person: Person) -> str:
        return texts[name]

    columns: list[Column[Person]] = [Column(name, ColumnKind.TEXT, partial(get_text, name)) for name in texts]
    rows.show_table(Table("pairs", tuple(columns), (ANNA,)))
    needed_widths = [max(view.sizeHintForColumn(column), 144) for column in range(3)]

    view.resize(sum(needed_widths) + 40, 300)
    assert all(view.columnWidth(column) >= needed_widths[column] for column in range(3))

    view.resize(3 * max(needed_widths) + 40, 300)
    assert view.columnWidth(0) == view.columnWidth(1)


def test_fitted_table_shows_a_long_text_if_names_need_less(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.set_widths({"rating": 80, "state": 80, "club": 80})
    view.resize(700, 300)
    view.show()
    club: Column[Person] = Column(
        "club", ColumnKind.TEXT, lambda person: "Scrabble Club Noordoostpolder" if person == ANNA else ""
    )

    rows.show_table(Table("people", (*COLUMNS, club), (ANNA, BJORN)))
    assert view.columnWidth(3) >= view.sizeHintForColumn(3) > 80

    view.resize(420, 300)
    assert view.columnWidth(0) >= view.sizeHintForColumn(0)


def test_full_text_note_shows_a_shortened_text_of_the_current_row(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="people")
    view.set_widths({}, stretch=("name",))
    qtbot.addWidget(view)
    note = view.make_label_for_cut_off_text("name")
    view.resize(400, 200)
    view.show()
    view.select_row("a")
    assert not note.isVisible()
    long_name = "Leutheusser-Schnarrenberger, Sabine, from a club with a long name"
    rows.show_table(make_table(Person("a", long_name), BJORN))
    assert note.isVisible()
    assert note.text() == long_name


def test_filter_rows_ignores_case_and_accents(rows: TableRowsModel) -> None:
    rows.filter_rows("odegard")
    assert rows.keys() == ("o",)
    rows.filter_rows("CECILE")
    assert rows.keys() == ("c",)
    rows.filter_rows("")
    assert rows.keys() == ("a", "b", "c", "o")


def test_table_rows_model_sorts_empty_cells_last(rows: TableRowsModel) -> None:
    rows.sort(1, Qt.SortOrder.AscendingOrder)
    assert rows.keys() == ("b", "a", "o", "c")
    rows.sort(1, Qt.SortOrder.DescendingOrder)
    assert rows.keys()[-1] == "c"
    rows.sort(-1)
    assert rows.keys() == ("a", "b", "c", "o")


def test_table_rows_model_moves_a_changed_row_in_sorted_order(rows: TableRowsModel) -> None:
    rows.sort(1, Qt.SortOrder.AscendingOrder)
    rows.show_table(make_table(ANNA, Person("b", "Björn", 1600), CECILE, OEDE))
    assert rows.keys() == ("a", "o", "b", "c")


def test_table_rows_model_aligns_numbers_and_translates_states(rows: TableRowsModel) -> None:
    alignment = rows.data(rows.index(0, 1), Qt.ItemDataRole.TextAlignmentRole)
    assert isinstance(alignment, Qt.AlignmentFlag)
    assert alignment & Qt.AlignmentFlag.AlignRight
    assert rows.data(rows.index(3, 2)) == "entered"


def test_fitted_table_shows_an_optional_column_when_filled(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    rows.show_table(make_table(CECILE))
    view = TableView(rows, appearance=appearance, name="people")
    qtbot.addWidget(view)
    view.hide_columns_if_empty({"rating"})
    assert view.isColumnHidden(1)
    rows.show_table(make_table(Person("c", "Cécile", 7)))
    assert not view.isColumnHidden(1)
    rows.show_table(make_table(CECILE))
    assert view.isColumnHidden(1)
    view.set_empty_columns_visible(show=True)
    assert not view.isColumnHidden(1)


def test_table_view_home_and_end_move_and_select(
    rows: TableRowsModel, appearance: Appearance, qtbot: QtBot
) -> None:
    view = TableView(rows, appearance=appearance, name="People")
    qtbot.addWidget(view)
    view.select_row("b")
    QTest.keySequence(view, QKeySequence("End"))
    assert (view.get_current_row_key(), view.list_selected_keys()) == ("o", ("o",))
    QTest.keySequence(view, QKeySequence("Home"))
    assert (view.get_current_row_key(), view.list_selected_keys()) == ("a", ("a",))
    for key_sequence in ("Shift+End", "Ctrl+Shift+End"):
        view.select_row("b")
        QTest.keySequence(view, QKeySequence(key_sequence))
        assert view.list_selected_keys() == ("b", "c", "o"), key_sequence


def test_cell_painter_scales_the_state_icon(rows: TableRowsModel, appearance: Appearance, qtbot: QtBot) -> None:
    sign_heights = []
    for size in (100, 200):
        appearance.set_text_size(size)
        view = TableView(rows, appearance=appearance, name="People")
        qtbot.addWidget(view)
        view.resize(900, 300)
        view.show()
        cell = view.visualRect(rows.index(0, 2))
        picture = view.viewport().grab(cell.adjusted(0, 1, 0, -1)).toImage()
        sign_width = size // 6  # only the icon, no letter of the text
        background = picture.pixel(1, 1)
        sign_heights.append(
            sum(any(picture.pixel(x, y) != background for x in range(sign_width)) for y in range(picture.height()))
        )
    appearance.set_text_size(100)
    assert sign_heights[1] >= 2 * sign_heights[0] - 2
