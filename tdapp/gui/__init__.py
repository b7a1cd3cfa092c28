"""The window: everything that is seen and typed. The only room that imports Qt.

`shell` is the frame: `window` puts the pages between the bars; `page_list` names them and makes them when they are
shown; `session` is what is open with the services that look after it and the worker for slow things, which the
pages share, and lets answers through only while the asker is there; `actions` is the table of what can be done;
`faults` catches what nobody expected; `guide` is the tour of the sample. In `widgets`, `rows`, `columns` and
`table_view` are the one table, `theme` has the looks, `page` keeps Tab in order. `editor` makes a form with a list
from its declaration. Each other folder is a page of the side bar with its panels, dialogs and actions.

The window's language
---------------------
* Grid: everything is set on units of 8 px (`theme.UNIT`); a row is 32 px (`ROW`). A page has 24 px around it,
  16 px between its parts, 8 px between fields.
* Text: one family, Noto Sans, the one on paper, with figures of equal width. Four sizes: 28 px the page's title,
  20 px what a panel or a dialog is about, 15 px what leads, 13 px everything else. Bold means a heading or a name
  that is meant, nothing else. All sizes are those of the usual text: `theme.scaled` has letters and widths in a
  larger one, `theme.tall` the height of what holds a line.
* Colour means something and never stands alone: accent is the next step and where the keys are, amber asks for
  attention, red refuses, green is done; each comes with a word, and a state with a shape
  (`table_view.SHAPES`). Soft tones are grounds for text of their name. Light, dark and high contrast have the
  same names (`theme.Colours`); text has at least 4.5:1 on every ground below it, the ring around what has the keys
  at least 3:1.
* Icons: one stroke of 1.75 on a grid of 24, round ends, `currentColor`, tinted from the palette, never the only
  name of anything: every control has a word for those who hear.
* A page has one table or one form in its middle, one main button at its top right, at most three lesser ones left
  of it. Details open as a panel at the right; a dialog is for what cannot be undone and for assistants. A field
  that is left blank says in itself what belongs there; a page without anything says what comes next.
* Keys: Tab goes as one reads, from the header into the body, and reaches everything; Esc leaves, and never loses
  what is typed without asking. What is done a moment later never takes the cursor from who has gone on.
"""

from tdapp.gui.shell.start import picture, run

__all__ = ["picture", "run"]
