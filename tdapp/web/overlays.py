"""What overlays of a stream show: one list each, of what everybody may see, chosen by the words of its address.

Hides where each list comes from. A list without rows is an empty overlay: there is nothing to show yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tdapp.domain.index import Index
from tdapp.domain.tables import rounds
from tdapp.domain.tables import standings as standings_tables
from tdapp.domain.tables.news import NewsScope
from tdapp.domain.tables.rounds import PairingRow
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.news import lines
from tdapp.i18n.phrases import round_name
from tdapp.web.site_grid import Head, SiteCell, SiteGrid, SiteRow, grid, line
from tdapp.web.site_views import DivisionPages

_PAGES: Mapping[str, str] = MappingProxyType(
    {"standings": "standings", "pairings": "round", "ticker": "round", "best": "statistics"}
)
FEATURED = ("featured", "board", "score", "unseen")  # the whole featured table, or a part of it
CLOCK = "clock"
KINDS = (*_PAGES, "news", "table", "meetings", *FEATURED, CLOCK)
SLOTS = 4
_USUAL = 10  # rows
_NOTHING = SiteGrid("", (), ())


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an address asks for: a division's code (empty: the first), how many rows, around whom, which table."""

    division: str = ""
    top: int = 0
    player: int = 0
    table: int = 0


def overlay(
    index: Index, shown: Sequence[DivisionPages], catalogue: Catalogue, kind: str, wanted: Wanted
) -> SiteGrid:
    """Return what an overlay of a kind shows; raise KeyError for no kind of ours."""
    if kind in {*FEATURED, CLOCK}:
        return _NOTHING  # nothing of it is seen yet; the clock goes by itself
    if kind in {"table", "meetings"}:
        show = _table if kind == "table" else _meetings
        played = _played(index, shown, wanted.table)
        return show(index, *played, catalogue) if played else _NOTHING
    code = wanted.division.casefold()
    pages = next((one for one in shown if code in {"", one.division.code.casefold()}), None)
    if kind == "news":
        return _news(pages, catalogue, wanted.top or _USUAL) if pages else _NOTHING
    make = pages.makers.get(pages.page(_PAGES[kind])) if pages else None
    if pages is None or make is None:
        return _NOTHING
    found, around = make().grids[0], pages.page("player", wanted.player)
    told = _news(pages, catalogue, _USUAL).lines if kind == "ticker" else ()
    return replace(found, lines=(*told, *_cut(found.lines, around, wanted.top or _USUAL)))


def _news(pages: DivisionPages, catalogue: Catalogue, most: int) -> SiteGrid:
    """Return what became a record in the newest round of which results are shown; no players' own bests."""
    told = lines(
        catalogue,
        (one for one in pages.news if one.scope is not NewsScope.OWN and one.feat.round in pages.ranked[-1:]),
    )
    rows = tuple(line((SiteCell(one.what, strong=True), SiteCell(one.name), SiteCell(one.how)), 1) for one in told)
    heads = (Head(catalogue.text("What")), Head(catalogue.heading("player")), Head(catalogue.text("How")))
    return SiteGrid(catalogue.text("News"), heads, rows[:most])


def _cut(lines: Sequence[SiteRow], page: str, most: int) -> tuple[SiteRow, ...]:
    """Return the first rows, or those around the player of a page, leading nowhere."""
    at = next((place for place, row in enumerate(lines) if any(cell.link == page for cell in row.cells)), 0)
    begin = max(0, min(at - most // 2, len(lines) - most))
    return tuple(
        replace(row, cells=tuple(replace(cell, link="") for cell in row.cells))
        for row in lines[begin : begin + most]
    )


def _played(index: Index, shown: Sequence[DivisionPages], table: int) -> tuple[DivisionPages, PairingRow] | None:
    """Return the game at a table in the newest round, with the pages of its division; None for no game."""
    for pages in shown:
        for item in pages.rounds[-1:]:
            for row in rounds.pairings(index, item).rows:
                if row.table == table:
                    return pages, row
    return None


def _table(index: Index, pages: DivisionPages, row: PairingRow, catalogue: Catalogue) -> SiteGrid:
    """Return both players of a game, who starts first, as they stand, with the score of the game."""
    made = standings_tables.table(index, pages.division, pages.ranked[-1] if pages.ranked else 0)
    standing = {one.player.number: one for one in made.rows}
    columns = ("rank", "name", "wins", "losses", "spread", "rating") if pages.ranked else ("name", "rating")
    two = replace(made, rows=(standing[row.first], standing[row.second]))
    title = catalogue.text("Table {table}", table=row.table)
    found = grid(two, catalogue, columns, caption=title, empty="", link=lambda _row, _column: "")
    if row.score1 is None or row.score2 is None:
        return found
    won = (row.score1 > row.score2, row.score2 > row.score1)
    scores = [
        SiteCell(str(score), numeric=True, strong=best)
        for score, best in zip((row.score1, row.score2), won, strict=True)
    ]
    lines = tuple(replace(one, cells=(*one.cells, score)) for one, score in zip(found.lines, scores, strict=True))
    return replace(found, heads=(*found.heads, Head(catalogue.heading("score"), numeric=True)), lines=lines)


def _meetings(index: Index, pages: DivisionPages, row: PairingRow, catalogue: Catalogue) -> SiteGrid:
    """Return the earlier games of the two at a table, as they sit now."""
    lines = []
    for item in pages.rounds[:-1]:
        for one in rounds.pairings(index, item).rows:
            if {one.first, one.second} == {row.first, row.second} and one.score1 is not None:
                scores = (one.score1, one.score2) if one.first == row.first else (one.score2, one.score1)
                cells = [SiteCell(f"{score}", numeric=True) for score in scores]
                lines.append(line((SiteCell(round_name(catalogue, index, item)), *cells), 0))
    heads = (
        Head(catalogue.heading("round")),
        Head(row.first_name, numeric=True),
        Head(row.second_name, numeric=True),
    )
    return SiteGrid(f"{row.first_name} – {row.second_name}", heads, tuple(lines))


def listed(catalogue: Catalogue, address: str) -> dict[str, object]:
    """Return what the page that lists the overlays shows; their addresses begin with `address`."""
    text, base = catalogue.text, f"{address}overlay/"
    slot = text("Shows the table that it is pointed at on Screens, Overlays…")
    named = {
        "standings": (text("Standings"), text("?top=5 shows so many rows, ?player=12 those around a player.")),
        "pairings": (text("Pairings"), text("The newest round; ?player=12 shows the tables around a player’s.")),
        "ticker": (
            text("Ticker"),
            text("The news and tables of the newest round run through; ?top=50 shows so many tables."),
        ),
        "best": (text("The best"), text("High game, highest play, biggest win and high loss.")),
        "news": (
            text("News"),
            text("Shown for twelve seconds, once: a new high game, high play, streak, biggest win, or a record."),
        ),
        "table?table=1": (
            text("A table"),
            text("Both players with their place, record and rating, and the score."),
        ),
        "featured": (
            text("Featured table"),
            text("Its board, score, last play and tiles unseen, as long ago as you delay it."),
        ),
        "score": (text("Featured table: score"), text("Both players with their score, the last play.")),
        "board": (text("Featured table: board"), text("The board alone.")),
        "unseen": (
            text("Featured table: tiles unseen"),
            text("What is neither on the board nor on a known rack."),
        ),
        CLOCK: (text("Round clock"), text("The time left of the round.")),
        "meetings?table=1": (text("Earlier meetings"), text("The earlier games of the two who sit at a table.")),
        **{f"slot/{one}": (text("Slot {n}", n=one), slot) for one in range(1, SLOTS + 1)},
    }
    about = (
        text("Each is an address for a browser source (OBS): transparent, alive, empty while there is nothing."),
        text(
            "After “?” it takes, joined by “&”: division=B, lang=nl, color=fff, ground=0008, accent=fc0, size=32, "
            "font=Georgia."
        ),
    )
    return {
        "language": catalogue.language,
        "title": text("Overlays for streams"),
        "about": about,
        "copy": text("Copy"),
        "sources": [(name, base + path, note) for path, (name, note) in named.items()],
    }
