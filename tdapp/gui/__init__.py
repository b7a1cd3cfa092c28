"""The window. Only this package imports Qt.

`shell` is the frame: `window` arranges the pages, `page_list` names and creates them. `session` has the open
tournament and its services, `actions` is the table of commands. Each other folder is a page of the sidebar.

Design rules
------------
* Grid: units of 8 px (`theme.UNIT`). A row is 32 px (`ROW`). Margins: 24 px around a page, 16 px between its
  parts, 8 px between fields.
* Text: Noto Sans, as on paper, with figures of equal width. Sizes: 28 px for page titles, 20 px for panels and
  dialogs, 15 px for key sentences, 13 px for other text. Bold marks headings and selected names only.
* Every colour comes with a word, every state also with a shape (`table_view.STATE_SHAPES`). The accent colour
  marks the next step and the focus, amber a warning, red an error, green success. Contrast is at least 4.5:1 for
  text and 3:1 for the focus ring.
* Icons: lines 1.75 wide on a grid of 24, round ends, `currentColor`. Every control with an icon also has a name.
* A page has one table or form, one main button at the top right, and at most three secondary buttons left of
  it. Details open in a panel at the right. Dialogs are for actions that cannot be undone, and for wizards.
  Empty fields and empty pages say what to enter or do next.
* Keys: Tab follows the reading order and reaches everything. Esc closes, and asks before typed text is lost.
  Background results and changes from other computers never move the cursor.
"""

import builtins
from importlib import import_module

_import = builtins.__import__
import_module("PySide6.QtCore")
builtins.__import__ = _import  # PySide's own function reads the source of each imported module

from tdapp.gui.shell.start import run_window, save_window_picture  # noqa: E402 - Qt is loaded first

__all__ = ["run_window", "save_window_picture"]
