"""The window: everything that is seen and typed. The only room that imports Qt.

`window` puts the pages between the bars; `session` is what pages share; `actions` is the table of all that can be
done; `rows` and `view` are the one table; `theme` and `sheet` are the looks; `work` keeps slow things off the
window's thread; `link` hears other stations and holds what cannot be written now, `sharing` brings a tournament to
a server and back. Rules of the looks: a grid of 8 px, four text sizes, one table or form in a page's middle, one
main button at its top right, details in a panel at the right, colours by meaning and never alone.
"""

from tdapp.gui.start import picture, run

__all__ = ["picture", "run"]
