"""How far the jury is with the forms of a round, in words: for its page, for who pairs, and for the room."""

from __future__ import annotations

from dataclasses import replace

from tdapp.domain.index import Index
from tdapp.domain.model import Round
from tdapp.domain.tables.jury import Checking, SheetRow, checking, sheets
from tdapp.i18n.catalogue import Catalogue


def checking_text(catalogue: Catalogue, found: Checking) -> str:
    """Return how far the jury is with a round."""
    said = catalogue.text("{checked} of {games} checked", checked=found.checked, games=found.games)
    parts = [said]
    if found.doubtful:
        parts.append(catalogue.plural("{n} in doubt", "{n} in doubt", found.doubtful))
    if found.games > found.entered:
        parts.append(catalogue.plural("{n} still out", "{n} still out", found.games - found.entered))
    return ", ".join(parts)


def reasons(catalogue: Catalogue, row: SheetRow, *, silent: bool = False) -> tuple[str, ...]:
    """Return why the jury has more to do with a table than to look; `silent`: nothing that words may be behind."""
    text, turns, (first, second) = catalogue.text, row.doubtful - {0}, row.disputed or (0, 0)
    found = {
        text("unfinished"): row.forms and row.state == "open",
        text("two forms differ"): row.differing is not None,
        catalogue.plural("{n} turn in doubt", "{n} turns in doubt", len(turns)): turns and not silent,
        text("the end of the sheet in doubt"): 0 in row.doubtful,
        text("sheet and result differ"): row.otherwise and not silent,
        text("another slip says {first} – {second}", first=first, second=second): row.disputed,
    }
    return tuple(said for said, applies in found.items() if applies)


def checking_shown(catalogue: Catalogue, index: Index, item: Round) -> str:
    """Return how many results of a round are checked, for the room; nothing unless the next round waits for that.

    What is in doubt is the jury's alone, and what is still out the room sees.
    """
    found = checking(sheets(index, item, doubtful=lambda _form: frozenset()).rows)
    if not index.tournament.event.check_first or not found.entered:
        return ""
    return checking_text(catalogue, replace(found, entered=found.games, doubtful=0))


def score_shown(catalogue: Catalogue, row: SheetRow) -> str:
    """Return the score of a table, or who forfeited; nothing while there is none."""
    if row.forfeit is not None:
        return catalogue.code(row.forfeit)
    if row.score1 is None or row.score2 is None:
        return ""
    return f"{catalogue.number(row.score1)} – {catalogue.number(row.score2)}"
