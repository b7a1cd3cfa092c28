"""A program with which directors run Scrabble tournaments, on a desktop or from a command line.

To be read once before anything else.

A tournament is one immutable value (`domain.tournament`). A command (`domain.commands`) is a pure function from
one value to the next, or raises `RuleViolation`. The Desk (`desk`) is the only door to change: it runs the
command, writes the difference of the two values and a line of the journal in one transaction, and notifies its
listeners. The difference is the SQL to write, the undo step, the audit entry and the refresh message in one. What
is seen or printed is a pure function of the value (`domain.tables`). Algorithms are code in registries, found by
id; rules are data that choose and parametrise them (`resources/rulesets`, `resources/ratings`).

The rooms, each importing only from those below it (checked by import-linter):

* `__main__`, `app`: start; `app` finds the resources and hands them to the window or to the command line.
* `gui`: the window, the only importer of Qt. `cli`: the same without a window.
* `services`: what both do to an open tournament: print, back up, publish, share, serve, watch printouts.
* `web`: the page for phones and projectors on the network, off unless it is switched on, where players may enter
  results; and the same as a folder of pages for a web site.
* `desk`: do, undo, redo, listen, look back.
* `storage`: one tournament in one SQLite file, its snapshots, or in one PostgreSQL database for several stations;
  word lists; the only importer of SQL. `reports`: printouts, as PDF. `exchange`: files that come in and go out.
* `i18n`: the texts of four languages for the codes and facts of the rooms below.
* `pairing`: the pairings, as one exact matching, with their reasons; what may still become of the field.
* `domain`: the value, its rules, its commands, what follows from it; standard library only.
* `scrabble`: the game itself without any rule set: tiles, board, score sheets, annotated games; likewise.

The life of a click: a page reads the widget and gives a partial of a command to the open tournament, whose queue
calls `desk.do` on the one worker thread that owns the connection; the difference comes back as one Qt signal; the
visible page shows its table again, row by row, keeping selection and scroll.
"""

__version__ = "0.1.0"
