"""Run Scrabble tournaments, from a desktop window or from the command line.

Read this page first.

A tournament is one immutable value (`domain.tournament`). A command (`domain.commands`) is a pure function: it
takes a tournament and returns the next one, or raises `CommandError`. The Desk (`desk`) is the only entry point
for changes. It runs a command, computes the difference of the two values, and writes the difference and a journal
entry in one transaction. Then it notifies its listeners. The notification, the journal entry and undo use the
same difference.

Everything on screen or on paper is a pure function of the value (`domain.tables`). Rules are data that select
algorithms and set their parameters (`resources/rulesets`, `resources/ratings`).

Each layer imports only from the layers below it (checked by import-linter). From top to bottom:

* `__main__`, `app`: start the program. `app` finds the resources and starts the window or the command line.
* `gui`: the window, the only importer of Qt. `cli`: the command line.
* `services`: tasks of window and command line, such as print, back up, publish, share and serve.
* `web`: pages for phones and projectors on the local network, and for a web site. Off by default. Players and
  helpers can also enter results on these pages.
* `desk`: do, undo, redo, notify listeners, show earlier states.
* `storage`: one SQLite file for each tournament, or one PostgreSQL database for several stations; snapshots and
  word lists. The only importer of SQL.
* `reports` (same layer): printouts as PDF.
* `exchange` (same layer): import and export of files.
* `i18n`: texts in four languages, made from the codes and values that the layers below return.
* `pairing`: find the pairing of a round with the lowest cost, explain it, and simulate the remaining rounds.
* `domain`: the value, its rules, its commands and everything derived from it. Standard library and msgspec only.
* `scrabble`: the game itself, without a rule set: tiles, board, score sheets, annotated games. Same libraries as
  `domain`.

From a click to the disk: a page of the window reads its widgets. The page passes a command with its arguments to
the queue of the open tournament. The queue calls `desk.do` on the only worker thread, which owns the database
connection. The difference comes back as one Qt signal.
"""

__version__ = "0.1.0"
