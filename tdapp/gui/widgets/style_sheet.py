"""The style sheet: shapes, borders and distances of the controls, in a scheme's colours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template


def sheet(colours: Mapping[str, str], tick: Path) -> str:
    """Return the application's style sheet in a scheme's colours; `tick` is the picture in a ticked box."""
    return _SHEET.substitute(colours, tick=tick.as_posix())


_SHEET = Template("""
QMainWindow, QDialog, QWidget#page { background: $window; }
QToolTip { background: $text; color: $surface; border: 0; padding: 4px 8px; }
QLabel[kind="title"] { font-size: 28px; font-weight: bold; }
QLabel[kind="head"] { font-size: 20px; font-weight: bold; }
QLabel[kind="lead"] { font-size: 15px; font-weight: bold; }
QLabel[kind="body"] { font-size: 15px; }
QLabel[kind="muted"] { color: $muted; }
QLabel[kind="error"] { color: $red; }
QLabel[kind="changed"] { color: $amber; }

QPushButton { min-height: 30px; padding: 0 14px; border: 1px solid $edge; border-radius: 6px;
  background: $surface; color: $text; }
QPushButton:hover { background: $sunken; }
QPushButton:pressed { background: $line; }
QPushButton:focus { border: 2px solid $accent; padding: 0 13px; min-height: 28px; }
QPushButton:disabled { color: $off; border-color: $line; background: $window; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border-color: $accent;
  font-weight: bold; }
QPushButton[role="primary"]:hover { background: $accent_strong;
  border-color: $accent_strong; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $sunken; color: $muted;
  border-color: $sunken; font-weight: normal; }
QPushButton[role="link"] { border: 0; background: transparent; color: $accent; padding: 0 8px; min-height: 24px; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { border: 2px solid $accent; padding: 0 6px; min-height: 20px; }
QPushButton[role="fact"] { border: 0; background: transparent; color: $accent; padding: 0; min-height: 24px;
  text-align: left; }
QPushButton[role="fact"]:hover { text-decoration: underline; }
QPushButton[role="fact"]:focus { border: 2px solid $accent; min-height: 20px; }
QPushButton[role="problem"] { border: 0; background: transparent; padding: 0 8px; min-height: 26px; }
QPushButton[role="problem"]:hover { background: $sunken; }
QPushButton[role="problem"]:focus { border: 2px solid $accent; padding: 0 6px; min-height: 22px; }
QPushButton[role="fold"] { border: 0; background: transparent; text-align: left; font-weight: bold; padding: 0 4px;
  min-height: 28px; }
QPushButton[role="fold"]:hover { background: $sunken; }
QPushButton[role="fold"]:focus { border: 2px solid $accent; padding: 0 2px; min-height: 24px; }
QPushButton[role="view"] { border: 0; background: transparent; text-align: left; padding: 0 10px; }
QPushButton[role="view"]:hover { background: $sunken; }
QPushButton[role="view"]:checked { background: $accent_soft; font-weight: bold; }
QPushButton[role="view"]:focus { border: 2px solid $accent; padding: 0 8px; }
QPushButton[role="quiet"], QToolButton { border: 0; background: transparent; border-radius: 6px;
  padding: 4px 8px; }
QPushButton[role="quiet"]:hover, QToolButton:hover { background: $sunken; }
QToolButton:focus { border: 2px solid $accent; padding: 2px 6px; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QComboBox, QPlainTextEdit { min-height: 30px; padding: 0 9px; border: 1px solid $edge;
  border-radius: 6px; background: $surface; color: $text; placeholder-text-color: $muted;
  selection-background-color: $accent;
  selection-color: $on_accent; }
QPlainTextEdit { padding: 6px 5px; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus { border: 2px solid $accent; padding: 0 8px;
  min-height: 28px; }
QPlainTextEdit:focus { padding: 5px 4px; }
QLineEdit[wrong="true"] { border: 2px solid $red; padding: 0 8px; min-height: 28px; }
QLineEdit:disabled, QComboBox:disabled, QLineEdit:read-only { background: $window; color: $muted;
  border-color: $line; }
QComboBox::drop-down { border: 0; width: 28px; }
QComboBox::down-arrow { image: none; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $edge; padding: 4px; outline: 0; }
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; border-radius: 4px; color: $text; }
QComboBox QAbstractItemView::item:selected { background: $accent_soft; color: $text; }
QLineEdit[search="true"] { padding-left: 2px; }
QCheckBox { spacing: 8px; min-height: 24px; }
QCheckBox:focus { color: $accent; }
QCheckBox::indicator, QListView::indicator { width: 16px; height: 16px; border: 1px solid $edge;
  border-radius: 4px; background: $surface; }
QCheckBox::indicator:focus { border: 2px solid $accent; width: 14px; height: 14px; }
QCheckBox::indicator:checked, QListView::indicator:checked { background: $accent; border-color: $accent;
  image: url("$tick"); }
QCheckBox::indicator:checked:focus { border-color: $text; }
QCheckBox::indicator:disabled { border-color: $line; }

QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $edge; border-radius: 8px;
  background: $surface; }
QRadioButton::indicator:focus { border: 2px solid $accent; width: 12px; height: 12px; }
QRadioButton::indicator:checked { border: 5px solid $accent; width: 6px; height: 6px; background: $on_accent; }
QRadioButton::indicator:checked:focus { border-color: $text; }

QTableView { background: $surface; color: $text; border: 1px solid $line; border-radius: 8px; outline: 0;
  selection-background-color: $accent_soft; selection-color: $text; }
QTableView#frozen { border: 0; border-right: 1px solid $edge; border-radius: 0; }
QTableView:focus { border: 1px solid $accent; }
QTableView QLineEdit { min-height: 0; padding: 0 7px; border: 2px solid $accent; border-radius: 4px; }
QHeaderView { background: $surface; border: 0; border-top-left-radius: 8px; border-top-right-radius: 8px; }
QHeaderView::section { background: transparent; color: $muted; border: 0; border-bottom: 1px solid $line;
  padding: 0 10px; height: 34px; }
QHeaderView::section:hover { color: $text; }
QListView { background: $surface; color: $text; border: 1px solid $line; border-radius: 8px; outline: 0;
  padding: 4px; }
QListView::item { padding: 0 8px; border-radius: 4px; color: $text; }
QListView::item:selected { background: $accent_soft; color: $text; }

QTextBrowser { background: $surface; color: $text; border: 0; selection-background-color: $accent;
  selection-color: $on_accent; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QScrollArea { border: 0; background: transparent; }
QScrollArea > QWidget > QWidget#canvas { background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 2px; }
QScrollBar::handle { background: $edge; border-radius: 4px; min-height: 32px; min-width: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { width: 0; height: 0;
  background: transparent; }

QMenuBar { background: $surface; color: $text; padding: 2px 8px; border-bottom: 1px solid $line; }
QMenuBar::item { padding: 5px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $sunken; }
QMenu { background: $surface; color: $text; border: 1px solid $edge; padding: 4px; menu-scrollable: 1; }
QMenu::item { padding: 6px 28px 6px 12px; border-radius: 4px; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 8px; border-radius: 7px; }
QMenu::indicator:checked { background: $accent; image: url("$tick"); }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $off; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }

QFrame#card { background: $surface; border: 1px solid $line; border-radius: 8px; }
QFrame#panel { background: $surface; border: 0; border-left: 1px solid $line; }
QFrame#guide { background: $accent_soft; border-bottom: 1px solid $line; }
QFrame#topbar { background: $surface; border: 0; border-bottom: 1px solid $line; }
QFrame#bottombar { background: $surface; border: 0; border-top: 1px solid $line; }
QFrame#places { background: $surface; border: 0; border-right: 1px solid $line; }
QFrame#rule { background: $line; border: 0; max-height: 1px; min-height: 1px; }
QFrame#toast { background: $text; border-radius: 8px; }
QFrame#toast QLabel { color: $surface; }
QFrame#toast QPushButton { color: $surface; background: transparent; border: 1px solid $surface;
  min-height: 24px; }
QFrame#toast[tone="red"] { background: $red_soft; border: 2px solid $red; }
QFrame#toast[tone="red"] QLabel { color: $text; }
QFrame#toast[tone="red"] QPushButton { color: $text; border-color: $red; }
QLabel#badge { background: $amber_soft; color: $amber; border-radius: 9px; padding: 0 6px; min-height: 18px;
  max-height: 18px; font-weight: bold; }
QProgressBar { background: $sunken; border: 0; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSplitter::handle { background: transparent; }
QTabBar::tab { padding: 8px 14px; border: 0; border-bottom: 2px solid transparent; color: $muted; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:selected:focus { background: $accent_soft; }
QTabBar::tear { width: 0; }
QTabBar::scroller { width: 24px; }
QTabBar QToolButton { padding: 0; background: $window; }
""")
