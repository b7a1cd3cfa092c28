"""Content of each page of a division: lists, links and drawings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.index import Index
from tdapp.domain.model import Division, Player, PlayerId, Round, Start
from tdapp.domain.standings import Standing, compute_standings
from tdapp.domain.tables import crosstable, news, rounds, statistics
from tdapp.domain.tables import standings as standings_tables
from tdapp.domain.tables.bracket import bracket_trees, knockout_of
from tdapp.domain.tables.news import RecordNews
from tdapp.domain.tables.players import CARD_COLUMNS, CardRow, list_cards
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.domain.timetable import list_round_times
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.news import lines as news_lines
from tdapp.i18n.phrases import (
    coming_text,
    division_title,
    figure_text,
    letters,
    next_begins,
    ranked_by,
    round_at,
    round_called,
    round_name,
    round_title,
    seats_by_name,
    seats_title,
    standings_title,
    times_table,
    titled,
)
from tdapp.i18n.scores import card_score, legend, score_said
from tdapp.i18n.sheet_sentences import checking_shown
from tdapp.web.site_grid import (
    Drawing,
    Head,
    SiteCell,
    SiteGrid,
    SiteRow,
    draw_tree,
    make_grid,
    make_head,
    make_row,
    make_search_key,
)

_DETAILS = ("rating", "club", "country", "team", "category")
_LEAD = 2  # index of the name column in a crosstable
_STANDINGS_LAST = ("starts", "rating")


class Way(Struct, frozen=True):
    """A link with its text. `here`: it links to the current page."""

    text: str
    page: str
    here: bool = False


class SitePage(Struct, frozen=True):
    """A page: template, heading, note, links to neighbours, and content.

    `about` is its page in the menu, `coming` the next game of a player.
    """

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


class DivisionPages:
    """The pages of one division. Each name begins with `slug`. `plays` includes the score sheets, for the news."""

    def __init__(self, index: Index, division: Division, slug: str, catalogue: Catalogue, plays: Index) -> None:
        self._index, self.division, self._slug, self._catalogue = index, division, slug, catalogue
        self._plays = plays
        self.rounds = index.published(division.id)
        self.ranked = _list_ranked_rounds(index, division)
        self._stage = knockout_of(index, division.id)
        self._letters = letters(catalogue)

    # --- list of pages

    @cached_property
    def makers(self) -> Mapping[str, Callable[[], SitePage]]:
        """Functions that make the pages, by name. Names without a number are for the newest round."""
        made: dict[str, Callable[[], SitePage]] = {self.page("players"): self._players}
        if list_round_times(self._index, self.division):
            made[self.page("schedule")] = self._schedule
        for item in self.rounds:
            made[self.page("round", item.number)] = partial(self._by_table, item)
            made[self.page("names", item.number)] = partial(self._by_name, item)
        for number in self.ranked:
            made[self.page("standings", number)] = partial(self._standings, number)
        if self.rounds:
            made[self.page("round")] = partial(self._by_table, self.rounds[-1])
            made[self.page("names")] = partial(self._by_name, self.rounds[-1])
        if self.ranked:
            made[self.page("standings")] = partial(self._standings, self.ranked[-1])
            made[self.page("crosstable")] = self._crosstable
            made[self.page("statistics")] = self._statistics
            made[self.page("news")] = self._news
        if self._stage is not None:
            made[self.page("bracket")] = self._bracket
        for player in self._index.players(self.division.id):
            made[self.page("player", player.number)] = partial(self._player, player)
        return made

    def page(self, kind: str, number: int | None = None) -> str:
        return f"{self._slug}-{kind}.html" if number is None else f"{self._slug}-{kind}-{number}.html"

    @property
    def title(self) -> str:
        return division_title(self._catalogue, self._index, self.division)

    def menu(self) -> tuple[Way, ...]:
        """Return links to the pages of the division, the newest of each kind."""
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
        return tuple(Way(name, self.page(kind)) for kind, name in kinds.items() if self.page(kind) in self.makers)

    @property
    def begins(self) -> str:
        """Start time of the next round, or ""."""
        return next_begins(self._catalogue, self._index, self.division)

    @property
    def calendar(self) -> str:
        """Name of the calendar file, "" if no time is known."""
        return f"{self._slug}.ics" if self.page("schedule") in self.makers else ""

    def state(self) -> str:
        """Return the progress of the division in one sentence."""
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

    def people(self) -> tuple[SiteRow, ...]:
        """Return a row for each player, in alphabetical order of the language."""
        return tuple(
            SiteRow((self._person(one),), key=make_search_key((one.name,))) for one in self._alphabetical()
        )

    def _alphabetical(self) -> list[Player]:
        key, rules = self._catalogue.sort_key, self._index.tournament.rules_of(self.division)
        return sorted(self._index.players(self.division.id), key=lambda one: (*key(one.name, rules), one.number))

    # --- rounds

    def _schedule(self) -> SitePage:
        catalogue = self._catalogue
        table = times_table(catalogue, self._index, self.division)
        title, wanted = catalogue.text("Schedule"), [column.id for column in table.columns]
        made = make_grid(table, catalogue, wanted, caption=title, empty="", link=lambda _row, _column: "")
        ways = ((catalogue.text("For your calendar"), (Way(self.calendar, self.calendar),)),)
        return SitePage("list.html", title, self.page("schedule"), self.begins, ways, grids=(made,))

    def _by_table(self, item: Round) -> SitePage:
        catalogue, table = self._catalogue, rounds.pairing_table(self._index, item)
        drawn = any(row.start is Start.DRAW for row in table.rows)
        names = ("player", "player") if drawn else ("first_name", "second_name")
        heads = (
            Head(catalogue.heading("table"), numeric=True),
            *(Head(catalogue.heading(name)) for name in names),
            Head(catalogue.heading("score"), numeric=True),
        )
        resting = rounds.bye_table(self._index, item).rows
        lines = [self._game(row) for row in table.rows]
        lines += [self._bye(row.player, row.name, catalogue.code(row.kind)) for row in resting]
        decided = bool(table.rows) and all(row.status != "open" for row in table.rows)
        title = round_title(catalogue, self._index, item, decided=decided)
        empty = catalogue.text("No games in this round.")
        held = self.division.held_after
        later = self.held() if held is not None and item.number > held else ""
        starts = catalogue.text("The tiles decide who starts.") if drawn else ""
        marks = legend(catalogue, (row.decision for row in table.rows))
        notes = (self._begins(item), checking_shown(catalogue, self._index, item), starts, marks, later)
        note = " · ".join(filter(None, notes))
        return self._round_view("round", item, title, SiteGrid(title, heads, tuple(lines), empty), note)

    def _game(self, row: PairingRow) -> SiteRow:
        players = ((row.first_name, row.first), (row.second_name, row.second))
        first, second = (
            SiteCell(name, self.page("player", number), person=True, strong=row.winner == number)
            for name, number in players
        )
        score = SiteCell(score_said(self._catalogue, row), numeric=True, strong=True)
        return make_row((SiteCell(str(row.table), numeric=True), first, second, score), 0)

    def _bye(self, number: int, name: str, kind: str) -> SiteRow:
        person = SiteCell(name, self.page("player", number), person=True)
        return make_row((SiteCell("", numeric=True), person, SiteCell(kind), SiteCell("", numeric=True)), 1)

    def _by_name(self, item: Round) -> SitePage:
        catalogue = self._catalogue
        rows = seats_by_name(catalogue, self._index, item).rows
        title = seats_title(catalogue, self._index, item)
        columns = ("name", "table", "opponent", "starts")
        heads = tuple(Head(catalogue.heading(name), numeric=name == "table") for name in columns)
        made = SiteGrid(title, heads, tuple(map(self._seat, rows)), catalogue.text("No games in this round."))
        return self._round_view("names", item, title, made, self._begins(item))

    def _begins(self, item: Round) -> str:
        return round_at(self._catalogue, self._index, self.division, item.number)

    def _seat(self, row: rounds.SeatRow) -> SiteRow:
        catalogue = self._catalogue
        opponent = SiteCell(catalogue.code(row.bye))
        if row.opponent_number is not None:
            opponent = SiteCell(row.opponent, self.page("player", row.opponent_number), person=True)
        table = SiteCell("" if row.table is None else str(row.table), numeric=True, strong=True)
        starts = SiteCell({True: catalogue.text("starts"), False: catalogue.text("replies"), None: ""}[row.starts])
        name = SiteCell(row.name, self.page("player", row.player), person=True, strong=True)
        return SiteRow((name, table, opponent, starts), 0, make_search_key((row.name,)))

    def _round_view(self, kind: str, item: Round, title: str, made: SiteGrid, note: str) -> SitePage:
        text = self._catalogue.text
        numbers = tuple(
            Way(str(one.number), self.page(kind, one.number), one.number == item.number) for one in self.rounds
        )
        order = (
            Way(text("By table"), self.page("round", item.number), kind == "round"),
            Way(text("By name"), self.page("names", item.number), kind == "names"),
        )
        ways = ((text("Round"), numbers), (text("Order"), order))
        return SitePage("list.html", title, self.page(kind), note, ways, (made,), find=True)

    # --- standings

    def _standings(self, after: int) -> SitePage:
        catalogue, index = self._catalogue, self._index
        table = standings_tables.standings_table(index, self.division, after)
        order = [column.id for column in table.columns if column.id not in {*_STANDINGS_LAST, "number"}]
        title = self._after(after)
        empty, wanted = catalogue.text("No player is ranked yet."), (*order, *_STANDINGS_LAST)
        ranking = {
            "rank",
            "name",
            *(column.id for column in standings_tables.deciding_standings_columns(index, self.division, after)),
        }
        made = make_grid(
            table, catalogue, wanted, caption=title, empty=empty, link=self._link, spare={*wanted} - ranking
        )
        numbers = tuple(Way(str(one), self.page("standings", one), one == after) for one in self.ranked)
        ways = ((catalogue.text("After round"), numbers),)
        note = " · ".join(filter(None, (ranked_by(catalogue, index, self.division, after), self.held())))
        return SitePage("list.html", title, self.page("standings"), note, ways, (made,), find=True)

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
        catalogue, after = self._catalogue, self.ranked[-1]
        table = crosstable.crosstable(self._index, self.division, after)
        heads = tuple(
            Head(number, round_called(catalogue, self._index, (self.division,), int(number)))
            if number
            else make_head(catalogue, column)
            for column, number in ((one, _round_of(one)) for one in table.columns)
        )
        lines = tuple(make_row([self._cross(row, one) for one in table.columns], _LEAD) for row in table.rows)
        title = catalogue.text("Crosstable: {title}", title=self._after(after))
        order, squares = (
            ranked_by(catalogue, self._index, self.division, after),
            (row.rounds for row in table.rows),
        )
        marks = legend(catalogue, (card.decision for card in chain(*squares) if card is not None))
        note = " · ".join(filter(None, (catalogue.text("W3: won against player 3."), order, marks, self.held())))
        made = SiteGrid(title, heads, lines, catalogue.text("No player is ranked yet."))
        return SitePage("list.html", title, self.page("crosstable"), note, grids=(made,), find=True)

    def _cross(self, row: crosstable.CrossRow, column: Column[crosstable.CrossRow]) -> SiteCell:
        number = _round_of(column)
        if number:
            square = self._square(row.rounds[int(number) - 1], row.opponents[int(number) - 1])
            return SiteCell(square, square=True)
        if column.kind is Kind.NAME:
            return self._person(row.standing.player)
        return SiteCell(self._catalogue.cell(column.kind, column.value(row)), numeric=True)

    def _square(self, card: CardRow | None, met: int | None) -> str:
        catalogue = self._catalogue
        if card is None:
            return ""
        if card.bye:
            return f"{catalogue.code(card.bye)}\n{catalogue.signed(card.spread)} {card.score}".rstrip()
        return f"{self._letters[card.result]}{met or ''}\n{card_score(catalogue, card)}".strip()

    def _statistics(self) -> SitePage:
        catalogue, index, after = self._catalogue, self._index, self.ranked[-1]
        figures = tuple(
            (titled(catalogue.code(one.key)), figure_text(catalogue, one))
            for one in statistics.list_figures(index, self.division, after)
        )
        heads = (catalogue.text("What"), catalogue.heading("player"), catalogue.text("How"))
        best = tuple(
            make_row(
                (
                    SiteCell(titled(catalogue.code(award.prize.kind))),
                    self._person(winner.player),
                    SiteCell(catalogue.award(winner.code, winner.facts)),
                ),
                0,
            )
            for award in statistics.best_games(index, self.division, after)
            for winner in award.winners
        )
        nobody = catalogue.text("No player is ranked yet.")
        averages = make_grid(
            statistics.average_table(index, self.division, after), catalogue,
            ("rank", "name", "games", "average", "average_against", "average_spread", "highest"),
            caption=catalogue.text("Averages"), empty=nobody, link=self._link,
        )  # fmt: skip
        records = SiteGrid(catalogue.text("The best"), tuple(map(Head, heads)), best, nobody)
        grids = (records, averages)
        title = catalogue.text("Statistics")
        return SitePage("list.html", title, self.page("statistics"), self.held(), grids=grids, facts=figures)

    @cached_property
    def news(self) -> tuple[RecordNews, ...]:
        """Records in the shown rounds, newest round first."""
        found = news.division_news(self._plays, self.division, self.ranked[-1]) if self.ranked else ()
        return tuple(sorted(found, key=lambda one: -one.feat.round))

    def _news(self) -> SitePage:
        catalogue = self._catalogue
        heads = (
            Head(catalogue.heading("round"), numeric=True),
            Head(catalogue.text("What")),
            Head(catalogue.heading("player")),
            Head(catalogue.text("How")),
        )
        made = zip(self.news, news_lines(catalogue, self.news), strict=True)
        rows = (
            (
                SiteCell(str(one.feat.round), numeric=True),
                SiteCell(said.what),
                self._person(one.feat.player),
                SiteCell(said.how),
            )
            for one, said in made
        )
        title = catalogue.text("News")
        listed = SiteGrid(
            title, heads, tuple(make_row(cells, 1) for cells in rows), catalogue.text("No news yet.")
        )
        return SitePage("list.html", title, self.page("news"), self.held(), grids=(listed,))

    # --- players and bracket

    def _players(self) -> SitePage:
        catalogue, people = self._catalogue, self._alphabetical()
        shown = [name for name in _DETAILS if any(getattr(one, name) for one in people)]
        heads = (
            Head(catalogue.heading("number"), catalogue.explanation("number"), numeric=True),
            *(Head(catalogue.heading(name), numeric=name == "rating") for name in ("name", *shown)),
        )
        lines = tuple(
            make_row(
                (
                    SiteCell(str(one.number), numeric=True),
                    self._person(one),
                    *(SiteCell(str(getattr(one, name) or ""), numeric=name == "rating") for name in shown),
                ),
                1,
            )
            for one in people
        )
        made = SiteGrid(catalogue.text("Players"), heads, lines, catalogue.text("No players yet."))
        return SitePage("list.html", catalogue.text("Players"), self.page("players"), grids=(made,), find=True)

    def _player(self, player: Player) -> SitePage:
        catalogue = self._catalogue
        details = ((name, getattr(player, name)) for name in _DETAILS)
        facts = [(catalogue.explanation("number"), str(player.number))]
        facts += [(catalogue.heading(name), str(detail)) for name, detail in details if detail]
        own = self._places.get(player.id)
        ranked = f"{self._after(self.ranked[-1])}: {own}" if own is not None and self.ranked else ""
        own_cards = reversed(self._cards[player.id])  # newest round first
        rows = tuple(replace(row, opponent=row.opponent or catalogue.code(row.bye)) for row in own_cards)
        title = catalogue.text("Rounds of {player}", player=player.name)
        empty = catalogue.text("No round is published yet.")
        table, wanted = Table("card", CARD_COLUMNS, rows), [column.id for column in CARD_COLUMNS]
        # The sign of a spread tells the result, unless something else decided a game.
        spare = "spread" if any(row.decided_by is not None for row in rows) else "result"
        beside = ("table", "starts", spare, "total", "total_spread")
        made = make_grid(table, catalogue, wanted, caption=title, empty=empty, link=self._card_link, spare=beside)
        about, plays = self.page("players"), coming_text(catalogue, self._index, player)
        return SitePage("player.html", player.name, about, ranked, grids=(made,), facts=tuple(facts), coming=plays)

    def _card_link(self, row: CardRow, column: str) -> str:
        return self.page("player", row.opponent_number) if column == "opponent" and row.opponent_number else ""

    def _bracket(self) -> SitePage:
        catalogue, found = self._catalogue, bracket_trees(self._index, self._stage) if self._stage else ()
        drawings = tuple(draw_tree(tree, catalogue) for tree in found)
        grids = tuple(self._matches(one) for one in drawings)
        title = catalogue.text("Bracket")
        note = "" if drawings else catalogue.text("There is no bracket yet.")
        return SitePage("bracket.html", title, self.page("bracket"), note, grids=grids, drawings=drawings)

    def _matches(self, one: Drawing) -> SiteGrid:
        catalogue = self._catalogue
        heads = map(catalogue.heading, ("match", "player", "player", "score"))
        lines = []
        for match in one.matches:
            sides = [SiteCell(side.name, person=side.known, strong=side.won) for side in match.sides]
            label, games = SiteCell(match.label, strong=True), SiteCell(match.games, numeric=True)
            lines.append(SiteRow((label, *sides, games)))
        return SiteGrid(one.title, tuple(map(Head, heads)), tuple(lines))

    # --- what several pages need

    def _person(self, player: Player) -> SiteCell:
        return SiteCell(player.name, self.page("player", player.number), person=True)

    def _link(self, row: Standing | statistics.AverageRow, column: str) -> str:
        standing = row.standing if isinstance(row, statistics.AverageRow) else row
        return self.page("player", standing.player.number) if column == "name" else ""

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


def _round_of(column: Column[crosstable.CrossRow]) -> str:
    return column.id.removeprefix("round_") if column.id.startswith("round_") else ""


def _list_ranked_rounds(index: Index, division: Division) -> tuple[int, ...]:
    shown = index.published(division.id, division.held_after)
    return tuple(item.number for item in shown if index.begun(item.id))
