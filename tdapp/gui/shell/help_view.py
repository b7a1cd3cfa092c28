"""The help: a search field, results and a topic."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QKeyEvent, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QFrame, QListWidgetItem, QTextBrowser, QWidget

from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import ENTER, SearchField
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.scroll_body import TextListWidget
from tdapp.gui.widgets.theme import HEAD, LEAD, ROW, SMALL, UNIT, make_scaled_font, scale_line_height, scale_pixels
from tdapp.i18n import guidance
from tdapp.i18n.guidance import CONTENTS, HelpSection

MAX_SHOWN = 7  # visible search results; scroll for more
SIZES = {1: HEAD, 2: LEAD}


class HelpView(QWidget):
    """The help. In the search field, Down goes to the results, Enter opens the first one."""

    def __init__(self, session: Session, topic: str) -> None:
        super().__init__()
        self._session = session
        text = session.catalogue.text
        self.topics = guidance.read_topics(session.resources.folder / "help", session.catalogue.language)
        self.topic = CONTENTS
        self.search = SearchField(text("Search the help"), session.appearance)
        self.search.setMaximumWidth(fields.UNLIMITED_WIDTH)
        self.search.textChanged.connect(self._search_topics)
        self.results = TextListWidget(text("Search results"))
        self.results.itemActivated.connect(self._open_found_topic)
        self.results.itemClicked.connect(self._open_found_topic)
        no_results = text("Nothing found. Try fewer words, or part of a word.")
        self._no_results_note = fields.make_note_label(no_results)
        self.reader = QTextBrowser(openLinks=False)
        self.reader.setFrameShape(QFrame.Shape.NoFrame)
        self.reader.setAccessibleName(text("Help"))
        self.reader.anchorClicked.connect(self._open_linked_topic)
        self._contents = fields.make_button(text("All topics"), self.open_table_of_contents, role="link")
        line = fields.make_row(self.search, self._contents, wide=self.search)
        fields.make_column(line, self._no_results_note, self.results, self.reader, parent=self).setStretch(3, 1)
        self.setFocusProxy(self.search)
        session.appearance.changed.connect(self._show_topic)
        self._search_topics("")
        self.open_topic(topic)

    def open_topic(self, topic: str, anchor: str = "") -> None:
        self.topic = topic if topic in self.topics else CONTENTS
        self._show_topic()
        section = self.topics[self.topic].find_section(anchor) if anchor else None
        if section is not None:
            self._scroll_to_section(section)

    def open_table_of_contents(self) -> None:
        self.open_topic(CONTENTS)
        self.reader.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self.search.hasFocus() and key in ENTER:
            if self.results.count():
                self._open_found_topic(self.results.item(0))
        elif self.search.hasFocus() and key == Qt.Key.Key_Down:
            (self.results if self.results.count() else self.reader).setFocus()
        elif self.results.hasFocus() and key == Qt.Key.Key_Up:
            self.search.setFocus()
        else:
            super().keyPressEvent(event)

    def _search_topics(self, search_text: str) -> None:
        self.results.clear()
        for section in guidance.search_topics(self.topics, search_text):
            title = self.topics[section.topic].title
            item = QListWidgetItem(section.title if section.title == title else f"{section.title} – {title}")
            item.setSizeHint(QSize(0, scale_line_height(ROW - 4)))
            item.setToolTip(item.text())
            item.setData(Qt.ItemDataRole.UserRole, section)
            self.results.addItem(item)
        count = self.results.count()
        self.results.setCurrentRow(0)
        self.results.setFixedHeight(scale_line_height(ROW - 4) * min(count, MAX_SHOWN) + UNIT + 2)
        self.results.setVisible(bool(count))
        self._no_results_note.setVisible(bool(search_text.strip()) and not count)

    def _open_found_topic(self, item: QListWidgetItem) -> None:
        section = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(section, HelpSection):
            self.open_topic(section.topic, section.anchor)
            self.reader.setFocus()

    def _open_linked_topic(self, link: QUrl) -> None:
        self.open_topic(link.path() or self.topic, link.fragment())

    def _show_topic(self) -> None:
        document = self.reader.document()
        document.setDocumentMargin(UNIT // 2)
        document.setIndentWidth(UNIT * 2)
        self.reader.setMarkdown(self.topics[self.topic].markdown)
        block = document.begin()
        while block.isValid():
            _style_text_block(block)
            block = block.next()
        self.reader.moveCursor(QTextCursor.MoveOperation.Start)

    def _scroll_to_section(self, section: HelpSection) -> None:
        block = self.reader.document().begin()
        while block.isValid() and not (block.blockFormat().headingLevel() and block.text() == section.title):
            block = block.next()
        if block.isValid():
            self.reader.setTextCursor(QTextCursor(block))
            top = self.reader.document().documentLayout().blockBoundingRect(block).top()
            self.reader.verticalScrollBar().setValue(int(top))


def _style_text_block(block: QTextBlock) -> None:
    level = block.blockFormat().headingLevel()
    cursor = QTextCursor(block)
    block_format = QTextBlockFormat()
    block_format.setTopMargin(UNIT * 2 if level > 1 else 0)
    in_list = block.textList() is not None and block.next().textList() is not None
    block_format.setBottomMargin(UNIT // 2 if in_list else UNIT)
    cursor.mergeBlockFormat(block_format)
    if level:
        char_format = QTextCharFormat()
        char_format.setFont(make_scaled_font(SIZES.get(level, SMALL), bold=True))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(char_format)


class HelpPanel(Panel):
    """The help beside a page."""

    def __init__(self, session: Session, topic: str) -> None:
        super().__init__(session, session.catalogue.text("Help"))
        self.setMinimumWidth(scale_pixels(UNIT * 52))
        self.view = HelpView(session, topic)
        self.body.addWidget(self.view)
        self.setFocusProxy(self.view)


class HelpWindow(QDialog):
    """The help in a non-modal window."""

    def __init__(self, session: Session, topic: str, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(session.catalogue.text("Help"))
        self.resize(QSize(UNIT * 70, UNIT * 80).boundedTo(self.screen().availableSize()))
        self.view = HelpView(session, topic)
        fields.make_column(self.view, margins=(UNIT * 2,) * 4, parent=self)
        self.view.setFocus()
