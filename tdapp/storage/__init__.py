"""Where tournaments are kept: one SQLite file each, written one whole step at a time.

`store` is the door; `snapshots` keeps copies of a file; `tables` describes the columns, `rows` and `lines` turn
rows and journal lines to and from them, `opening` lets only sound files of ours in, `checks` says what is wrong
with one. Word lists are files of another kind: `lexicon` reads them, `lexicon_build` makes them, `lexicon_search`
finds words by their letters.
"""

from tdapp.storage.snapshots import Snapshot, Snapshots, Why
from tdapp.storage.store import Stale, Store

__all__ = ["Snapshot", "Snapshots", "Stale", "Store", "Why"]
