"""Content of each page of a division and of each player; lists with links, and brackets as drawings in pixels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial

from msgspec import Struct

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, PlayerId, Round
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import news, statistics
from tdapp.domain.tables.bracket import Tree, Twig, bracket_trees, knockout_of
from tdapp.domain.tables.news import RecordNews
from tdapp.domain.tables.players import CardRow, NextRound, list_cards, next_round
from tdapp.domain.tables.table import Kind
from tdapp.i18n import lists
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.layouts import BracketScale, PlacedMatch, lay_out, slot_text
from tdapp.i18n.lists import ListColumn, TextList
from tdapp.i18n.locales import sort_key
from tdapp.i18n.phrases import (
    coming_text,
    division_title,
    figure_text,
    next_begins,
    round_at,
    round_called,
    round_name,
    standings_title,
    times_table,
    titled,
)
from tdapp.i18n.round_times import list_round_times
from tdapp.i18n.scores import game_score
from tdapp.i18n.sheet_sentences import checking_shown

_STYLES = {(False, False): "", (True, False): "number", (False, True): "strong", (True, True): "number strong"}


class SiteCell(Struct, frozen=True):
    """`link` is a page name. A `person` is not translated. `spare`: hidden on a phone.

    `square` cells of a crosstable keep their lines.
    """

    text: str
    link: str = ""
    numeric: bool = False
    person: bool = False
    strong: bool = False
    spare: bool = False
    square: bool = False

    @property
    def style(self) -> str:
        score = self.numeric and " – " in self.text
        flags = {"spare": self.spare, "name": self.person, "square": self.square, "score": score}
        return " ".join(filter(None, (_STYLES[self.numeric, self.strong], *(one for one in flags if flags[one]))))


class Head(Struct, frozen=True):
    """`title` is its full text. `spare`: hidden on a phone."""

    text: str
    title: str = ""
    numeric: bool = False
    spare: bool = False

    @property
    def style(self) -> str:
        return " ".join(filter(None, (_STYLES[self.numeric, False], "spare" if self.spare else "")))


class SiteRow(Struct, frozen=True):
    """`lead` is the index of the name cell, `key` the search text."""

    cells: tuple[SiteCell, ...]
    lead: int = 0
    key: str = ""


class SiteGrid(Struct, frozen=True):
    """`empty` is the text without rows."""

    caption: str
    heads: tuple[Head, ...]
    lines: tuple[SiteRow, ...]
    empty: str = ""


def make_grid(
    listed: TextList,
    page: Callable[[int], str],
    wanted: Iterable[str] | None = None,
    *,
    lead: str = "name",
    bold: Collection[str] = (),
    spare: Collection[str] = (),
) -> SiteGrid:
    """Return the wanted columns (None: all). The column `lead` names the rows.

    A search finds a row by that name, or by each person in it.
    """
    columns = listed.columns if wanted is None else listed.choose_columns(wanted)
    at = next((place for place, column in enumerate(columns) if column.id == lead), 0)
    heads = tuple(
        Head(one.heading, "" if one.explanation == one.heading else one.explanation, one.numeric, one.id in spare)
        for one in columns
    )
    lines = []
    for row in range(len(columns[0].cells) if columns else 0):
        first = at if columns[at].cells[row] else at + 1  # a bye has no table
        cells = tuple(
            _make_cell(one, row, page, strong=place == first or one.id in bold, spare=one.id in spare)
            for place, one in enumerate(columns)
        )
        names = (cells[at],) if cells[at].person else cells
        lines.append(SiteRow(cells, first, make_search_key(cell.text for cell in names if cell.person)))
    return SiteGrid(listed.title, heads, tuple(lines), listed.empty)


def _make_cell(column: ListColumn, row: int, page: Callable[[int], str], *, strong: bool, spare: bool) -> SiteCell:
    number = column.players[row] if column.players else None
    return SiteCell(
        column.cells[row],
        "" if number is None else page(number),
        column.numeric,
        person=column.kind is Kind.NAME and (number is not None or not column.players),
        strong=strong or row in column.winners,
        spare=spare,
        square=column.id.startswith("round_"),
    )


def make_search_key(names: Iterable[str]) -> str:
    """Return lower case without accents, the same in each language."""
    return " ".join(sort_key("en", name)[0] for name in names)


_LABEL, _LINE, _GAP, _AIR = 16, 24, 28, 18
_LETTER = 7.6  # average width of a letter
_NARROWEST, _WIDEST = 150, 280
_BESIDE = 78  # seed and points


class Drawing(Struct, frozen=True):
    """Size, matches, and lines as SVG paths."""

    title: str
    width: int
    height: int
    box: int
    matches: tuple[PlacedMatch, ...]
    paths: tuple[str, ...]


def draw_tree(tree: Tree, catalogue: Catalogue) -> Drawing:
    twigs = [Twig(box, box.column, box.row) for box in tree.boxes if box.needed]
    names = (slot_text(catalogue, twig.box, place).name for twig in twigs for place in (0, 1))
    wide = round(min(max(max(map(len, names), default=0) * _LETTER + _BESIDE, _NARROWEST), _WIDEST))
    pitch = _LABEL + 2 * _LINE + _AIR
    matches = tuple(lay_out(catalogue, twigs, BracketScale(wide, _GAP, pitch, top=_LABEL + _LINE - pitch / 2)))
    return Drawing(
        title=catalogue.part(tree.title, *tree.places),
        width=round(max((one.left for one in matches), default=0)) + wide,
        height=round(max((one.middle for one in matches), default=0)) - _LABEL - _LINE + pitch,
        box=wide,
        matches=matches,
        paths=tuple("M" + "L".join(f"{x:g} {y:g}" for x, y in one.join) for one in matches if one.join),
    )


_DETAILS = ("rating", "club", "country", "team", "category")
_STANDINGS_LAST = ("starts", "rating")
_PODIUM = 3


class Way(Struct, frozen=True):
    """`here`: it links to the current page."""

    text: str
    page: str
    here: bool = False


class SitePage(Struct, frozen=True):
    """`about` is its page in the menu, `coming` a player's next game."""

    template: str
    title: str
    about: str
    note: str = ""
    ways: tuple[tuple[str, tuple[Way, ...]], ...] = ()
    grids: tuple[SiteGrid, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    find: bool = False
    coming: str = ""


class Leader(Struct, frozen=True):
    """A player of the standings, with the figures that decide the rank."""

    rank: int
    name: str
    country: str
    figures: str
    page: str

    def __str__(self) -> str:
        return f"{self.rank}. {self.name} ({self.figures})"


class DivisionPages:
    """Each name begins with `slug`. `plays` includes the score sheets, for the news."""

    def __init__(self, index: Index, division: Division, slug: str, catalogue: Catalogue, plays: Index) -> None:
        self._index, self.division, self._slug, self._catalogue = index, division, slug, catalogue
        self._plays = plays
        self.rounds = index.published(division.id)
        self.ranked = _list_ranked_rounds(index, division)
        self._stage = knockout_of(index, division.id)

    # --- list of pages

    @cached_property
    def makers(self) -> Mapping[str, Callable[[], SitePage]]:
        """By name. Names without a number are for the newest round."""
        made: dict[str, Callable[[], SitePage]] = {self.page_name("players"): self._players}
        if list_round_times(self._index, self.division):
            made[self.page_name("schedule")] = self._schedule
        for item in self.rounds:
            made[self.page_name("round", item.number)] = partial(self._by_table, item)
            made[self.page_name("names", item.number)] = partial(self._by_name, item)
        for number in self.ranked:
            made[self.page_name("standings", number)] = partial(self._standings, number)
        if self.rounds:
            made[self.page_name("round")] = partial(self._by_table, self.rounds[-1])
            made[self.page_name("names")] = partial(self._by_name, self.rounds[-1])
        if self.ranked:
            made[self.page_name("standings")] = partial(self._standings, self.ranked[-1])
            made[self.page_name("crosstable")] = self._crosstable
            made[self.page_name("statistics")] = self._statistics
            made[self.page_name("news")] = self._news
        if self._stage is not None:
            made[self.page_name("bracket")] = self._bracket
        for player in self._index.players(self.division.id):
            made[self.page_name("player", player.number)] = partial(self._player, player)
        return made

    def page_name(self, kind: str, number: int | None = None) -> str:
        return f"{self._slug}-{kind}.html" if number is None else f"{self._slug}-{kind}-{number}.html"

    @property
    def title(self) -> str:
        return division_title(self._catalogue, self._index, self.division)

    def menu(self) -> tuple[Way, ...]:
        """Return the newest page of each kind."""
        text = self._catalogue.text
        kinds = {
            "round": text("Pairings"),
            "names": text("By name"),
            "standings": text("Standings"),
            "bracket": text("Bracket"),
            "crosstable": text("Crosstable"),
            "statistics": text("Statistics"),
            "news": text("News"),
            "players": text("Players"),
            "schedule": text("Schedule"),
        }
        return tuple(
            Way(name, self.page_name(kind)) for kind, name in kinds.items() if self.page_name(kind) in self.makers
        )

    @property
    def begins(self) -> str:
        """Start time of the next round, or ""."""
        return next_begins(self._catalogue, self._index, self.division)

    @property
    def calendar(self) -> str:
        """Name of the calendar file, "" without dates and times."""
        dated = any(one.at for one in list_round_times(self._index, self.division))
        return f"{self._slug}.ics" if dated else ""

    def state(self) -> str:
        text = self._catalogue.text
        if not self.rounds:
            return text("No round is published yet.")
        last = self.rounds[-1]
        if self.held():
            return round_name(self._catalogue, self._index, last)
        games = len(self._index.games(last.id))
        name = round_name(self._catalogue, self._index, last)
        facts = {"round": name, "n": games, "done": games - len(self._index.open_games(last.id))}
        return text("{round}: {done} of {n} results", **facts)

    @property
    def leaders_title(self) -> str:
        return self._after(self.ranked[-1]) if self.ranked else ""

    def list_leaders(self, after: int, most: int = _PODIUM) -> tuple[Leader, ...]:
        """Return the first of the standings, and the players who share the last rank."""
        rows = [row for row in compute_standings(self._index, self.division, after) if not row.disqualified]
        return tuple(
            Leader(
                row.rank, row.player.name, row.player.country, self._catalogue.figures(row.figures()),
                self.page_name("player", row.player.number),
            )
            for row in rows[: 2 * most]
            if row.rank <= most
        )  # fmt: skip

    def find_same(self, page: str) -> str:
        """Return the page of this division like a page of another one, or the first."""
        names = [way.page for way in self.menu()]
        like = f"{self._slug}-{page.rpartition('-')[2]}"
        return like if like in names else names[0]

    def people(self) -> tuple[SiteRow, ...]:
        """Return the players in the language's alphabetical order."""
        listed = lists.player_list(self._catalogue, self._index, self.division, "name")
        return make_grid(listed, self._player_page, ("name",)).lines

    # --- rounds

    def _schedule(self) -> SitePage:
        catalogue = self._catalogue
        title, table = catalogue.text("Schedule"), times_table(catalogue, self._index, self.division)
        made = make_grid(TextList(title, tuple(lists.list_columns(catalogue, table))), self._player_page)
        ways = ((catalogue.text("For your calendar"), (Way(self.calendar, self.calendar),)),)
        return SitePage("list.html", title, self.page_name("schedule"), self.begins, ways, grids=(made,))

    def _by_table(self, item: Round) -> SitePage:
        catalogue, listed = self._catalogue, lists.pairing_list(self._catalogue, self._index, item)
        wanted = ("table", "first_name", "second_name", "score")
        made = make_grid(listed, self._player_page, wanted, lead="table", bold={"score"})
        held = self.division.held_after
        later = self.held() if held is not None and item.number > held else ""
        notes = (*listed.notes, checking_shown(catalogue, self._index, item), listed.legend, later)
        return self._round_view("round", item, made, notes)

    def _by_name(self, item: Round) -> SitePage:
        listed = lists.seat_list(self._catalogue, self._index, item)
        wanted = ("name", "table", "opponent", "starts")
        made = make_grid(listed, self._player_page, wanted, bold={"table"})
        return self._round_view("names", item, made, listed.notes)

    def _round_view(self, kind: str, item: Round, made: SiteGrid, notes: Iterable[str]) -> SitePage:
        text = self._catalogue.text
        numbers = tuple(
            Way(str(one.number), self.page_name(kind, one.number), one.number == item.number)
            for one in self.rounds
        )
        order = (
            Way(text("By table"), self.page_name("round", item.number), kind == "round"),
            Way(text("By name"), self.page_name("names", item.number), kind == "names"),
        )
        ways = ((text("Round"), numbers), (text("Order"), order))
        return SitePage("list.html", made.caption, self.page_name(kind), _join(*notes), ways, (made,), find=True)

    # --- standings

    def _standings(self, after: int) -> SitePage:
        catalogue, index = self._catalogue, self._index
        listed = lists.standings_list(catalogue, index, self.division, after)
        order = [column.id for column in listed.columns if column.id not in {*_STANDINGS_LAST, "number"}]
        wanted = (*order, *_STANDINGS_LAST)
        spare = {*wanted} - {"rank", "name", *lists.deciding_ids(index, self.division, after)}
        made = make_grid(listed, self._player_page, wanted, spare=spare)
        numbers = tuple(Way(str(one), self.page_name("standings", one), one == after) for one in self.ranked)
        ways = ((catalogue.text("After round"), numbers),)
        note = _join(*listed.notes, self.held())
        return SitePage("list.html", listed.title, self.page_name("standings"), note, ways, (made,), find=True)

    def held(self) -> str:
        """Return a notice if the newest results are delayed, else ""."""
        held = self.division.held_after
        if held is None or not self.rounds or self.rounds[-1].number <= held:
            return ""
        if not held:
            return self._catalogue.text("Results and standings are announced later.")
        return self._catalogue.text("The rounds after round {round} are announced later.", round=held)

    def _after(self, after: int) -> str:
        return standings_title(self._catalogue, self._index, self.division, after)

    def _crosstable(self) -> SitePage:
        listed = lists.crosstable_list(self._catalogue, self._index, self.division, self.ranked[-1])
        note = _join(*listed.notes, listed.legend, self.held())
        made = make_grid(listed, self._player_page)
        return SitePage("list.html", listed.title, self.page_name("crosstable"), note, grids=(made,), find=True)

    def _statistics(self) -> SitePage:
        catalogue, index, after = self._catalogue, self._index, self.ranked[-1]
        figures = tuple(
            (titled(catalogue.code(one.key)), figure_text(catalogue, one))
            for one in statistics.list_figures(index, self.division, after)
        )
        facts = (catalogue, index, self.division, after)
        best = make_grid(lists.best_list(*facts), self._player_page, lead="what")
        grids = (best, make_grid(lists.average_list(*facts), self._player_page))
        title = catalogue.text("Statistics")
        return SitePage("list.html", title, self.page_name("statistics"), self.held(), grids=grids, facts=figures)

    @cached_property
    def news(self) -> tuple[RecordNews, ...]:
        """Newest round first."""
        found = news.division_news(self._plays, self.division, self.ranked[-1]) if self.ranked else ()
        return tuple(sorted(found, key=lambda one: -one.feat.round))

    def _news(self) -> SitePage:
        listed = lists.news_list(self._catalogue, self.news)
        made = make_grid(listed, self._player_page, ("round", "what", "player", "how"), lead="what")
        return SitePage("list.html", listed.title, self.page_name("news"), self.held(), grids=(made,))

    # --- players and bracket

    def _players(self) -> SitePage:
        listed = lists.player_list(self._catalogue, self._index, self.division, "name")
        made = make_grid(listed, self._player_page, ("number", "name", *_DETAILS))
        return SitePage("list.html", listed.title, self.page_name("players"), grids=(made,), find=True)

    def _player(self, player: Player) -> SitePage:
        catalogue = self._catalogue
        details = ((name, getattr(player, name)) for name in _DETAILS)
        facts = [(catalogue.explanation("number"), str(player.number))]
        facts += [(catalogue.heading(name), str(detail)) for name, detail in details if detail]
        own = self._places.get(player.id)
        ranked = f"{self._after(self.ranked[-1])}: {own}" if own is not None and self.ranked else ""
        rows = self._cards[player.id][::-1]  # newest round first
        # The sign of a spread tells the result, unless something else decided a game.
        spare = "spread" if any(row.decided_by is not None for row in rows) else "result"
        beside = ("table", "starts", spare, "total", "total_spread")
        made = make_grid(
            lists.card_list(catalogue, player, rows), self._player_page, lead="opponent", spare=beside
        )
        about, plays = self.page_name("players"), coming_text(catalogue, self._index, player)
        return SitePage("player.html", player.name, about, ranked, grids=(made,), facts=tuple(facts), coming=plays)

    def _bracket(self) -> SitePage:
        catalogue, found = self._catalogue, bracket_trees(self._index, self._stage) if self._stage else ()
        drawings = tuple(draw_tree(tree, catalogue) for tree in found)
        grids = tuple(self._matches(one) for one in drawings)
        title = catalogue.text("Bracket")
        note = "" if drawings else catalogue.text("There is no bracket yet.")
        return SitePage("bracket.html", title, self.page_name("bracket"), note, grids=grids, drawings=drawings)

    def _matches(self, one: Drawing) -> SiteGrid:
        catalogue = self._catalogue
        heads = map(catalogue.heading, ("match", "player", "player", "score"))
        lines = []
        for match in one.matches:
            sides = [SiteCell(slot.name, person=slot.known, strong=slot.won) for slot in match.slots]
            games = ", ".join(filter(None, (game_score(catalogue, game) for game in match.box.games)))
            label = SiteCell(match.label, strong=True)
            lines.append(SiteRow((label, *sides, SiteCell(games, numeric=True))))
        return SiteGrid(one.title, tuple(map(Head, heads)), tuple(lines))

    # --- what several pages need

    def _player_page(self, number: int) -> str:
        return self.page_name("player", number)

    @cached_property
    def _cards(self) -> Mapping[PlayerId, tuple[CardRow, ...]]:
        return list_cards(self._index, self.division)

    @cached_property
    def _places(self) -> Mapping[PlayerId, str]:
        if not self.ranked:
            return {}
        return {
            row.player.id: self._catalogue.award("place", {"place": row.rank, "figures": row.figures()})
            for row in compute_standings(self._index, self.division, self.ranked[-1])
            if not row.disqualified
        }


def _join(*notes: str) -> str:
    return " · ".join(filter(None, notes))


def _list_ranked_rounds(index: Index, division: Division) -> tuple[int, ...]:
    shown = index.published(division.id, division.held_after)
    return tuple(item.number for item in shown if index.begun(item.id))


class OwnSeat(Struct, frozen=True):
    """Round or start time, table, who starts, opponent."""

    when: str
    table: str
    starts: str
    opponent: str
    page: str


class OwnPage(Struct, frozen=True):
    """Without a `seat` the `note` tells what comes next. `view` is the public page."""

    title: str
    seat: OwnSeat | None
    note: str
    view: SitePage


def own_view(index: Index, pages: DivisionPages, player: Player, catalogue: Catalogue) -> OwnPage:
    view = pages.makers[pages.page_name("player", player.number)]()
    found = next_round(index, player)
    seat = None if found is None else _seat(index, pages, found, catalogue)
    title = f"{catalogue.heading('table')} {seat.table}: {seat.starts}" if seat is not None else player.name
    return OwnPage(
        title, seat, "" if seat is not None else _describe_next_event(index, pages, player, catalogue), view
    )


def _seat(index: Index, pages: DivisionPages, found: NextRound, catalogue: Catalogue) -> OwnSeat | None:
    if found.game is None or found.other is None:
        return None
    begins = round_at(catalogue, index, pages.division, found.round)
    when = begins or round_called(catalogue, index, (pages.division,), found.round)
    starts = {
        True: catalogue.text("You start"),
        False: catalogue.text("Your opponent starts"),
        None: catalogue.text("The tiles decide who starts"),
    }[found.starts]
    return OwnSeat(
        when, str(found.game.table), starts, found.other.name, pages.page_name("player", found.other.number)
    )


def _describe_next_event(index: Index, pages: DivisionPages, player: Player, catalogue: Catalogue) -> str:
    """Return the next event of a player without an open game."""
    text, division = catalogue.text, pages.division
    if index.disqualified(player.id):
        return text("You are disqualified.")
    if index.withdrawn(player.id):
        return text("You have withdrawn.")
    item = pages.rounds[-1] if pages.rounds else None
    bye = next((one for one in index.byes(item.id) if one.player == player.id), None) if item is not None else None
    if item is not None and bye is not None and index.open_games(item.id):
        name = round_called(catalogue, index, (division,), item.number)
        return text("{round}: you have no game ({kind}).", round=name, kind=catalogue.code(bye.kind))
    if index.latest(division.id) >= index.planned_rounds(division.id):
        return text("All your games are played.")
    waits = text("Your next table comes up here as soon as it is known.")
    return " ".join(filter(None, (waits, _sentence(next_begins(catalogue, index, division)))))


def _sentence(text: str) -> str:
    return text and f"{text}."
