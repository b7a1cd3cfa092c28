"""Side panels of the Screens page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPlainTextEdit

from tdapp.domain import commands
from tdapp.domain.featured_game import FEATURED_SLOT, LONGEST_DELAY, WordValidityAudience
from tdapp.domain.model import AchievementRecord, Division
from tdapp.domain.slip import format_code_with_hyphen
from tdapp.domain.tables import news
from tdapp.domain.tables.news import RecordNews
from tdapp.domain.translatable import C_
from tdapp.exchange import player_lists
from tdapp.exchange.text import read_file
from tdapp.gui.screens.web_pages import QrCodeWidget
from tdapp.gui.shell.session import Session, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import ask_existing_file
from tdapp.gui.widgets.fields import Choice, FormLayout, NumberEdit
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import ROW, UNIT


class OverlayPanel(Panel):
    """Overlays for video streams: addresses, style sheet, and the playing table in each overlay."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Overlays for streams"))
        self._state = fields.make_label(wrap=True)
        self.list_button = fields.make_button(
            self.text("List of addresses"), self._open_overlay_list_page, role="primary"
        )
        slots = range(1, len(session.serving.table_numbers_of_overlays) + 1)
        self.slots = [NumberEdit(self.text("Overlay slot {n}", n=number), width=ROW * 2) for number in slots]
        self.featured = [fields.make_check_box(self.text("Featured table")) for _ in slots]
        for number, (field, box) in enumerate(zip(self.slots, self.featured, strict=True), 1):
            field.editingFinished.connect(self._save_overlay_tables)
            box.clicked.connect(self._save_overlay_tables)
            box.setAccessibleName(self.text("Overlay slot {n}: featured table", n=number))
        self.style_file = ElidedLabel()
        self.featured_button = fields.make_button(
            self.text("Featured table…"), self._open_featured_table_panel, role="link"
        )
        self._fill_panel_body()
        self.setFocusProxy(self.slots[0])

    def _fill_panel_body(self) -> None:
        text, button = self.text, fields.make_button
        form = FormLayout()
        for number, (field, box) in enumerate(zip(self.slots, self.featured, strict=True), 1):
            form.add_field(
                fields.wrap_in_widget(fields.make_row(field, box, 1)), title=text("Overlay slot {n}", n=number)
            )
        explanation = text(
            "Pages for OBS and similar programs: standings, pairings, a results ticker, both players at a "
            "table. They are transparent, update by themselves, and are empty until they have something to "
            "show."
        )
        slots = text(
            "Choose the table for each slot. An empty slot shows nothing. You do not need to change the "
            "scenes of your stream."
        )
        style_label = text("Your own style sheet (CSS), applied after the built-in one")
        style_row = fields.make_row(
            self.style_file, button(text("Choose a file…"), self._choose_style_sheet),
            button(text("Use no style sheet"), partial(self.set_overlay_style_sheet, "")),
            wide=self.style_file,
        )  # fmt: skip
        fields.add_parts_to_layout(
            self.body, fields.make_note_label(explanation), self._state,
            fields.make_row(self.list_button, self.featured_button, 1), fields.make_separator(),
            form, fields.make_note_label(slots), fields.make_separator(),
            fields.make_label(style_label, wrap=True), style_row, 1,
        )  # fmt: skip

    def refresh_panel(self) -> None:
        serving = self.session.serving
        off_note = self.text("Overlays need the web server. Switch it on under “Phones…”.")
        self._state.setText(self._make_overlay_list_url() or off_note)
        self.list_button.setEnabled(bool(serving.url))
        for field, box, table in zip(self.slots, self.featured, serving.table_numbers_of_overlays, strict=True):
            box.setChecked(table == FEATURED_SLOT)
            field.setEnabled(table != FEATURED_SLOT)
            if not field.hasFocus():
                field.setText(str(table) if table > 0 else "")
        self.style_file.set_full_text(serving.overlay_style_path or self.text(C_("no style sheet", "None")))

    def set_overlay_style_sheet(self, path: str) -> None:
        self.session.serving.set_overlays(self.session.serving.table_numbers_of_overlays, path)
        self.refresh_panel()

    def _save_overlay_tables(self) -> None:
        serving, slot_fields = self.session.serving, zip(self.slots, self.featured, strict=True)
        tables = [
            FEATURED_SLOT if box.isChecked() else field.get_number_or_none() or 0 for field, box in slot_fields
        ]
        serving.set_overlays(tables, serving.overlay_style_path)
        self.refresh_panel()

    def _choose_style_sheet(self) -> None:
        if path := ask_existing_file(self, self.session, self.text("Choose a style sheet"), "CSS (*.css)"):
            self.set_overlay_style_sheet(str(path))

    def _make_overlay_list_url(self) -> str:
        url = self.session.serving.url
        return f"{url}overlay/" if url else ""

    def _open_featured_table_panel(self) -> None:
        self.panel.emit(FeaturedTablePanel(self.session))

    def _open_overlay_list_page(self) -> None:
        QDesktopServices.openUrl(QUrl(self._make_overlay_list_url()))


class FeaturedTablePanel(Panel):
    """Settings of the featured table: its number, the delay for the public, hints on words."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Featured table"))
        text = self.text
        self.table = NumberEdit(text("Table"), width=ROW * 2)
        self.table.returnPressed.connect(self.toggle_featured_table)
        self.delay = NumberEdit(text("Delay before the public sees a turn"), width=ROW * 2)
        self.delay.editingFinished.connect(self._save_featured_options)
        words = [
            (WordValidityAudience.TYPIST, text(C_("who sees the warning about words", "Helper"))),
            (WordValidityAudience.EVERYBODY, text(C_("who sees the warning about words", "Everyone"))),
            (WordValidityAudience.NOBODY, text(C_("who sees the warning about words", "No one"))),
        ]
        self.words: Choice[WordValidityAudience] = Choice(
            text("Who is warned about words not in the list"), words, session.appearance
        )
        self.words.currentIndexChanged.connect(self._save_featured_options)
        self.switch_button = fields.make_button("", self.toggle_featured_table, role="primary")
        self.address = fields.make_label(wrap=True)
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.code = QrCodeWidget(text("The address as a QR code"))
        self.state = fields.make_note_label()
        self._fill_panel_body()
        self.setFocusProxy(self.table)

    def _fill_panel_body(self) -> None:
        text = self.text
        explanation = text(
            "A helper types in the game at a table, turn by turn, on a phone. Overlays and the hall screen "
            "show it, and it becomes the score sheet for that game."
        )
        delay_note = text("0 to {most} minutes. The result of the game is delayed as well.", most=LONGEST_DELAY)
        words = fields.make_label(self.words.accessibleName(), wrap=True)
        words.setBuddy(self.words)
        fields.add_parts_to_layout(
            self.body, fields.make_note_label(explanation), FormLayout(self.table, self.delay),
            fields.make_note_label(delay_note), words, fields.make_row(self.words, 1),
            fields.make_row(self.switch_button, 1), fields.make_separator(),
            self.state, self.address, self.code, 1,
        )  # fmt: skip

    def refresh_panel(self) -> None:
        session = self.session
        choice, text = session.featuring.choice, self.text
        for field, number in ((self.table, choice.table), (self.delay, choice.delay)):
            if not field.hasFocus():
                field.setText(str(number) if number or field is self.delay else "")
        self.words.choose_value(choice.words)
        self.switch_button.setText(
            text("Stop featuring this table") if choice.table else text("Make this the featured table")
        )
        for widget in (self.table, self.delay, self.words, self.switch_button):
            widget.setEnabled(not session.is_read_only_or_not_director)
        address = (
            f"{session.serving.url}featured?code={choice.code}" if choice.table and session.serving.url else ""
        )
        code = format_code_with_hyphen(choice.code)
        instructions = text(
            "To type in the game at the featured table, open {url}featured and use the code {code}.",
            url=session.serving.url,
            code=code,
        )
        fields.show_text(self.address, instructions if address else "")
        self.code.show_qr_code(address)
        self.state.setText(self._describe_typing_progress())

    def toggle_featured_table(self) -> None:
        before = self.session.featuring.choice.table
        table = self.table.get_number_or_none() or 0
        self._save_featured_table_and_options(0 if table == before else table)

    def _save_featured_options(self) -> None:
        self._save_featured_table_and_options(self.session.featuring.choice.table)

    def _save_featured_table_and_options(self, table: int) -> None:
        delay, words = self.delay.get_number_or_none() or 0, self.words.value() or WordValidityAudience.TYPIST
        self.session.featuring.choose_featured_table(table, delay=delay, words=words)
        self.refresh_panel()

    def _describe_typing_progress(self) -> str:
        session, text = self.session, self.text
        featured = session.featuring.featured
        if not session.featuring.choice.table:
            return ""
        if featured is None:
            return text("There is no two-player game at this table at the moment.")
        if not session.serving.url:
            return text("The page for typing the turns needs the web server. Switch it on under “Phones…”.")
        sheet = featured.states[-1].sheet if featured.states else None
        if sheet is None or not sheet.turns:
            return text("Nothing has been typed yet.")
        return self.session.catalogue.plural(
            "One turn has been typed", "{n} turns have been typed", len(sheet.turns)
        )


class NewsAndRecordsPanel(Panel):
    """Shows new records. Imports a list of old records. Edits the announcements of the bulletins."""

    topic = "screens"

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("News and records"), width=UNIT * 44)
        self.rows = TableRowsModel(session.catalogue)
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("News"))
        self.view.set_widths({"round": 56, "value": 52, "kind": 132, "scope": 104})
        self.view.hide_columns_if_too_narrow(("round", "scope"))  # the newest entry is shown above
        self._search_input: tuple[object, ...] = ()  # input of the last search
        self._list = fields.make_label(wrap=True)
        self._remove_button = fields.make_button(
            self.text("Remove the list"), partial(self._save_achievement_records, ())
        )
        self.announcement = QPlainTextEdit(tabChangesFocus=True)
        self.announcement.setAccessibleName(self.text("Announcements in the bulletins"))
        self.announcement.installEventFilter(self)
        self._fill_panel_body()
        self.setFocusProxy(self.view)

    def _fill_panel_body(self) -> None:
        text = self.text
        explanation = text(
            "Import the records of your club or country from a CSV file. Columns: kind, value, "
            "name; if you wish, date and list (such as Club). Kinds: high-game, high-play, "
            "big-win, high-loss, streak."
        )
        lines = fields.wrap_in_widget(fields.make_row(self.announcement))
        lines.setFixedHeight(ROW * 3)
        read = fields.make_button(text("Import records…"), self._choose_records_file)
        fields.add_parts_to_layout(
            self.body, self.view, fields.make_separator(), self._list, fields.make_note_label(explanation),
            fields.make_row(read, self._remove_button, 1), fields.make_separator(),
            fields.make_label(text("Announcements in the bulletins")), lines, wide=self.view,
        )  # fmt: skip

    def refresh_panel(self) -> None:
        session = self.session
        if session.division is None:
            self.closed.emit()
            return
        self._start_news_search(session.division)
        event = session.tournament.event
        count, plural = len(event.records), session.catalogue.plural
        record_count = plural("The list has one record.", "The list has {n} records.", count)
        fields.show_text(self._list, record_count if count else "")
        self._remove_button.setEnabled(bool(count) and session.is_editable)
        self.announcement.setReadOnly(not session.is_editable)
        if not self.announcement.hasFocus() and self.announcement.toPlainText() != event.announcement:
            self.announcement.setPlainText(event.announcement)

    def _start_news_search(self, division: Division) -> None:
        search_input = self.session.tournament, division.id
        if search_input != self._search_input:
            self._search_input = search_input
            call = partial(news.list_division_news, self.session.index, division)
            self.session.run_in_background(
                call,
                on_success=make_callback_unless_deleted(self, partial(self._show_found_news, search_input)),
                label="",
            )

    def _show_found_news(self, search_input: object, record_news: tuple[RecordNews, ...]) -> None:
        if search_input == self._search_input:
            self.view.set_empty_text(self.text("No news yet."))
            self.rows.show_table(
                news.make_news_table(sorted(record_news, key=lambda item: -item.achievement.round))
            )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.announcement and event.type() is QEvent.Type.FocusOut and self.session.is_open:
            typed_text = self.announcement.toPlainText().strip()
            if typed_text != self.session.tournament.event.announcement:
                self.session.do(partial(commands.announce, announcement=typed_text), field=self.announcement)
        return super().eventFilter(watched, event)

    def import_records_file(self, path: Path) -> None:
        label = self.text("Reading {name}", name=path.name)
        self.session.run_in_background(
            lambda: player_lists.read_achievement_records(read_file(path), path.name),
            on_success=partial(self._save_imported_records, self.session.tournament.event.id),
            label=label,
        )

    def _choose_records_file(self) -> None:
        if path := ask_existing_file(self, self.session, self.text("Choose a list of records"), "*.csv *.txt;;*"):
            self.import_records_file(path)

    def _save_imported_records(self, event_id: str, records: tuple[AchievementRecord, ...]) -> None:
        if self.session.is_open and self.session.tournament.event.id == event_id:
            self._save_achievement_records(records)

    def _save_achievement_records(self, records: tuple[AchievementRecord, ...]) -> None:
        self.session.do(partial(commands.keep_records, records=records), field=self.view)
