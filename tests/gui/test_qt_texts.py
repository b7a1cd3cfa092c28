"""Qt's own texts in the languages of the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialogButtonBox, QFileDialog, QLabel

from tdapp.gui.shell.qt_texts import translate_qt_texts
from tests.building import RESOURCES

LOCALE = RESOURCES / "locale"
SAME_IN = {"nl": {"Help", "OK"}, "nb": {"OK"}, "de": {"OK"}}  # texts that are the same in English


@pytest.fixture
def application(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    translate_qt_texts(qapp, "en", LOCALE)


def list_texts_of_qt() -> set[str]:
    """Return the labels and buttons of Qt's file dialog, and all buttons of message boxes."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton(0x3FFFFC00))
    texts = {button.text() for button in buttons.buttons()}
    for mode in QFileDialog.AcceptMode:
        dialog = QFileDialog(options=QFileDialog.Option.DontUseNativeDialog)
        dialog.setAcceptMode(mode)
        texts.add(dialog.windowTitle())
        texts.update(label.text() for label in dialog.findChildren(QLabel))
        texts.update(button.text() or button.toolTip() for button in dialog.findChildren(QAbstractButton))
    return texts - {""}


@pytest.mark.parametrize("language", ["nl", pytest.param("nb", marks=pytest.mark.slow), "de"])
def test_qt_texts_are_translated(application: QApplication, language: str) -> None:
    translate_qt_texts(application, "en", LOCALE)
    english = list_texts_of_qt()
    assert "&Look in:" in english
    translate_qt_texts(application, language, LOCALE)
    assert list_texts_of_qt() & english == SAME_IN[language]


def test_norwegian_key_names_are_translated(application: QApplication) -> None:
    translate_qt_texts(application, "nb", LOCALE)
    keys = QKeySequence("Alt+Left")
    assert keys.toString(QKeySequence.SequenceFormat.NativeText) == "Alt+Pil venstre"
