"""Content of each web page of a division."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from hashlib import sha256

from msgspec import Struct

from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import Sanction
from tdapp.domain.model import Division, Player, PlayerId, Round, Season
from tdapp.domain.photos import decode_jpeg_or_empty
from tdapp.domain.seasons import find_division_season
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import news, statistics
from tdapp.domain.tables.bracket import build_bracket_trees, find_shown_knockout
from tdapp.domain.tables.news import RecordNews
from tdapp.domain.tables.players import PlayerCardRow, map_player_cards
from tdapp.domain.teams import has_team_matches
from tdapp.domain.translatable import C_
from tdapp.i18n import lists
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.lists import TextTable
from tdapp.i18n.phrases import (
    capitalize_first,
    describe_next_game,
    describe_next_start,
    format_game_statistic,
    format_round,
    format_round_in_divisions,
    make_division_title,
    make_round_times_table,
    make_standings_title,
)
from tdapp.i18n.round_times import list_round_times
from tdapp.i18n.scores import format_game_score
from tdapp.i18n.sheet_sentences import describe_check_progress_for_public
from tdapp.web.bracket_drawing import BracketDrawing, draw_bracket
from tdapp.web.site_grid import ColumnHeading, SiteCell, SiteGrid, SiteRow, make_site_grid

_DETAILS = ("rating", "club", "country", "team", "category")
_STANDINGS_LAST = ("starts", "rating")
_PODIUM = 3


class SiteLink(Struct, frozen=True):
    """A link to a page of the site."""

    text: str
    page: str
    is_current: bool = False


class SitePage(Struct, frozen=True):
    """Template values of a page."""

    template: str
    title: str
    menu_page: str  # page to highlight in the menu
    note: str = ""
    link_groups: tuple[tuple[str, tuple[SiteLink, ...]], ...] = ()  # groups of links, each with a label
    grids: tuple[SiteGrid, ...] = ()
    drawings: tuple[BracketDrawing, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()  # labels with values
    has_search: bool = False
    next_game: str = ""  # sentence about the player's next game
    photo: str = ""  # file name, or ""


def find_photo_file_name(index: TournamentIndex, player: PlayerId) -> str:
    """Return the file name of a player's photo, or "". A new photo has a new name, so that browsers load it."""
    row = index.tournament.photos.get(player)
    return "" if row is None else _make_photo_file_name(row.data)


@lru_cache(maxsize=1000)
def _make_photo_file_name(data: str) -> str:
    content = decode_jpeg_or_empty(data)
    return f"photo-{sha256(content).hexdigest()[:16]}.jpg" if content else ""


class StandingsLeader(Struct, frozen=True):
    """A player at the top of the standings."""

    rank: int
    name: str
    country: str
    figures: str  # values that decide the rank
    page: str
    photo: str = ""  # file name, or ""

    def __str__(self) -> str:
        return f"{self.rank}. {self.name} ({self.figures})"


class DivisionPages:
    """The web pages of a division. The names of all pages begin with `slug`.

    `news_index` is `index` with score sheets added. Only the news about records uses `news_index`.
    """

    def __init__(
        self,
        index: TournamentIndex,
        division: Division,
        slug: str,
        catalogue: Catalogue,
        news_index: TournamentIndex,
    ) -> None:
        self._index, self.division, self._slug, self._catalogue = index, division, slug, catalogue
        self._news_index = news_index
        self.rounds = index.list_published_rounds(division.id)
        self.ranked_rounds = _list_rounds_with_standings(index, division)
        self._stage = find_shown_knockout(index, division.id)
        self._season = find_division_season(index, division.id)

    # --- list of pages

    @cached_property
    def page_makers(self) -> Mapping[str, Callable[[], SitePage]]:
        """Functions that make the pages, by page name. A name without a number means the newest round."""
        makers: dict[str, Callable[[], SitePage]] = {self.make_page_name("players"): self._make_players_page}
        if list_round_times(self._index, self.division):
            makers[self.make_page_name("schedule")] = self._make_schedule_page
        for item in self.rounds:
            makers[self.make_page_name("round", item.number)] = partial(self._make_pairings_by_table_page, item)
            makers[self.make_page_name("names", item.number)] = partial(self._make_pairings_by_name_page, item)
        for number in self.ranked_rounds:
            makers[self.make_page_name("standings", number)] = partial(self._make_standings_page, number)
        if self.rounds:
            makers[self.make_page_name("round")] = partial(self._make_pairings_by_table_page, self.rounds[-1])
            makers[self.make_page_name("names")] = partial(self._make_pairings_by_name_page, self.rounds[-1])
        if self.ranked_rounds:
            makers[self.make_page_name("standings")] = partial(self._make_standings_page, self.ranked_rounds[-1])
            makers[self.make_page_name("crosstable")] = self._make_crosstable_page
            makers[self.make_page_name("statistics")] = self._make_statistics_page
            makers[self.make_page_name("news")] = self._make_news_page
        if self.ranked_rounds and has_team_matches(self._index, self.division):
            makers[self.make_page_name("teams")] = self._make_teams_page
        if self._season is not None:
            makers[self.make_page_name("season")] = partial(self._make_season_page, self._season)
        if self._stage is not None:
            makers[self.make_page_name("bracket")] = self._make_bracket_page
        for player in self._index.players(self.division.id):
            makers[self.make_page_name("player", player.number)] = partial(self._make_player_page, player)
        return makers

    def make_page_name(self, kind: str, number: int | None = None) -> str:
        """Return the file name of a page, such as "a-round-5.html" for division A, kind "round" and number 5."""
        return f"{self._slug}-{kind}.html" if number is None else f"{self._slug}-{kind}-{number}.html"

    @property
    def title(self) -> str:
        return make_division_title(self._catalogue, self._index, self.division)

    def list_menu_links(self) -> tuple[SiteLink, ...]:
        text = self._catalogue.text
        kinds = {
            "round": text("Pairings"),
            "names": text("By name"),
            "standings": text("Standings"),
            "teams": text("Teams"),
            "season": text("Season"),
            "bracket": text("Bracket"),
            "crosstable": text("Crosstable"),
            "statistics": text("Statistics"),
            "news": text("News"),
            "players": text("Players"),
            "schedule": text("Schedule"),
        }
        return tuple(
            SiteLink(name, self.make_page_name(kind))
            for kind, name in kinds.items()
            if self.make_page_name(kind) in self.page_makers
        )

    @property
    def next_start_text(self) -> str:
        return describe_next_start(self._catalogue, self._index, self.division)

    @property
    def calendar_file_name(self) -> str:
        """File name of the calendar of rounds, "" if no round has a date."""
        has_dates = any(round_time.start for round_time in list_round_times(self._index, self.division))
        return f"{self._slug}.ics" if has_dates else ""

    def describe_division_state(self) -> str:
        text = self._catalogue.text
        if not self.rounds:
            return text("No round has been published yet.")
        last = self.rounds[-1]
        if self.describe_withheld_results():
            return format_round(self._catalogue, self._index, last)
        games = len(self._index.list_tables(last.id))
        name = format_round(self._catalogue, self._index, last)
        facts = {"round": name, "n": games, "done": games - len(self._index.list_open_tables(last.id))}
        return text("{round}: {done} of {n} results", **facts)

    @property
    def leaders_title(self) -> str:
        return self._make_standings_title(self.ranked_rounds[-1]) if self.ranked_rounds else ""

    def list_leaders(self, after: int, limit: int = _PODIUM) -> tuple[StandingsLeader, ...]:
        """Return the players of rank 1 to `limit` after round `after`.

        With equal ranks return at most 2 * `limit` players.
        """
        rows = [row for row in compute_standings(self._index, self.division, after) if not row.disqualified]
        return tuple(
            StandingsLeader(
                row.rank, row.player.name, row.player.country,
                self._catalogue.translate_tiebreak_values(row.join_tiebreak_values()),
                self.make_page_name("player", row.player.number),
                find_photo_file_name(self._index, row.player.id),
            )
            for row in rows[: 2 * limit]
            if row.rank <= limit
        )  # fmt: skip

    def find_page_of_same_kind(self, other_page: str) -> str:
        """Return this division's page of the same kind as `other_page`. Without one, return the first page."""
        names = [link.page for link in self.list_menu_links()]
        counterpart = f"{self._slug}-{other_page.rpartition('-')[2]}"
        return counterpart if counterpart in names else names[0]

    def list_player_search_rows(self) -> tuple[SiteRow, ...]:
        text_table = lists.make_players_text_table(self._catalogue, self._index, self.division, "name")
        return make_site_grid(text_table, self._make_player_page_name, ("name",)).rows

    # --- rounds

    def _make_schedule_page(self) -> SitePage:
        catalogue = self._catalogue
        title, table = catalogue.text("Schedule"), make_round_times_table(catalogue, self._index, self.division)
        grid = make_site_grid(
            TextTable(title, tuple(lists.make_list_columns(catalogue, table))), self._make_player_page_name
        )
        link = SiteLink(self.calendar_file_name, self.calendar_file_name)
        link_groups = ((catalogue.text("For your calendar"), (link,)),) if self.calendar_file_name else ()
        return SitePage(
            "list.html", title, self.make_page_name("schedule"), self.next_start_text, link_groups, grids=(grid,)
        )

    def _make_pairings_by_table_page(self, item: Round) -> SitePage:
        catalogue, text_table = self._catalogue, lists.make_pairings_text_table(self._catalogue, self._index, item)
        column_ids = ("table", "first_name", "second_name", "score")
        grid = make_site_grid(
            text_table, self._make_player_page_name, column_ids, heading_column="table", bold={"score"}
        )
        held_round = self.division.held_after
        later_note = (
            self.describe_withheld_results() if held_round is not None and item.number > held_round else ""
        )
        notes = (
            *text_table.notes,
            describe_check_progress_for_public(catalogue, self._index, item),
            text_table.legend,
            later_note,
        )
        return self._make_pairings_page("round", item, grid, notes)

    def _make_pairings_by_name_page(self, item: Round) -> SitePage:
        text_table = lists.make_seats_text_table(self._catalogue, self._index, item)
        column_ids = ("name", "table", "opponent", "starts")
        grid = make_site_grid(text_table, self._make_player_page_name, column_ids, bold={"table"})
        return self._make_pairings_page("names", item, grid, text_table.notes)

    def _make_pairings_page(self, kind: str, item: Round, grid: SiteGrid, notes: Iterable[str]) -> SitePage:
        text = self._catalogue.text
        order = (
            SiteLink(text("By table"), self.make_page_name("round", item.number), kind == "round"),
            SiteLink(text("By name"), self.make_page_name("names", item.number), kind == "names"),
        )
        numbers = [item.number for item in self.rounds]
        link_groups = (
            *self._list_round_links(kind, text("Round"), numbers, item.number),
            (text(C_("how a list is sorted", "Order")), order),
        )
        return SitePage(
            "list.html",
            grid.caption,
            self.make_page_name(kind),
            _join_notes(*notes),
            link_groups,
            (grid,),
            has_search=True,
        )

    def _list_round_links(
        self, kind: str, title: str, numbers: Sequence[int], current: int
    ) -> tuple[tuple[str, tuple[SiteLink, ...]], ...]:
        """Return labelled groups of links to rounds.

        A club has two groups: the evenings, and the rounds of the current evening.
        """
        index, catalogue = self._index, self._catalogue
        stages = {number: index.find_stage(self.division.id, number) for number in numbers}
        current_stage = stages[current]
        if current_stage is None or not current_stage.evening:
            links = (
                SiteLink(str(number), self.make_page_name(kind, number), number == current) for number in numbers
            )
            return ((title, tuple(links)),)
        last_rounds = {
            stage.id: (stage, number) for number, stage in stages.items() if stage is not None and stage.evening
        }
        first_number = index.get_first_round_number(current_stage.id)
        evenings = (
            SiteLink(
                stage.name or catalogue.format_short_date(stage.date),
                self.make_page_name(kind, number),
                stage == current_stage,
            )
            for stage, number in last_rounds.values()
        )
        games = (
            SiteLink(str(number - first_number + 1), self.make_page_name(kind, number), number == current)
            for number in numbers
            if stages[number] == current_stage
        )
        return ((catalogue.text("Evening"), tuple(evenings)), (catalogue.heading("evening_game"), tuple(games)))

    # --- standings

    def _make_standings_page(self, after: int) -> SitePage:
        catalogue, index = self._catalogue, self._index
        text_table = lists.make_standings_text_table(catalogue, index, self.division, after)
        order = [column.id for column in text_table.columns if column.id not in {*_STANDINGS_LAST, "number"}]
        column_ids = (*order, *_STANDINGS_LAST)
        hidden_columns = {*column_ids} - {
            "rank",
            "name",
            *lists.list_tiebreak_column_ids(index, self.division, after),
        }
        grid = make_site_grid(text_table, self._make_player_page_name, column_ids, hidden_on_phone=hidden_columns)
        link_groups = self._list_round_links("standings", catalogue.text("After round"), self.ranked_rounds, after)
        note = _join_notes(*text_table.notes, self.describe_withheld_results())
        return SitePage(
            "list.html",
            text_table.title,
            self.make_page_name("standings"),
            note,
            link_groups,
            (grid,),
            has_search=True,
        )

    def _make_teams_page(self) -> SitePage:
        facts = self._catalogue, self._index, self.division, self.ranked_rounds[-1]
        teams, matches = lists.make_teams_text_table(*facts), lists.make_team_matches_text_table(*facts)
        hidden_columns = {"team_size", "points", "losses", "counting", "tables"}
        grids = tuple(
            make_site_grid(
                text_table,
                self._make_player_page_name,
                heading_column=lead,
                bold={"team_points"},
                hidden_on_phone=hidden_columns,
            )
            for text_table, lead in ((teams, "team"), (matches, "first_team"))
        )
        note = _join_notes(teams.legend, self.describe_withheld_results())
        return SitePage("list.html", teams.title, self.make_page_name("teams"), note, grids=grids)

    def _make_season_page(self, season: Season) -> SitePage:
        text_table = lists.make_season_text_table(self._catalogue, self._index, self.division, season)
        column_ids = [column.id for column in text_table.columns if column.id != "number"]
        hidden_columns = {*column_ids} - {"rank", "name", "season_total", "category"}
        grid = make_site_grid(text_table, self._make_player_page_name, column_ids, hidden_on_phone=hidden_columns)
        return SitePage(
            "list.html",
            text_table.title,
            self.make_page_name("season"),
            text_table.legend,
            (),
            (grid,),
            has_search=True,
        )

    def describe_withheld_results(self) -> str:
        held_round = self.division.held_after
        if held_round is None or not self.rounds or self.rounds[-1].number <= held_round:
            return ""
        if not held_round:
            return self._catalogue.text("Results and standings will be announced later.")
        return self._catalogue.text("The rounds after round {round} will be announced later.", round=held_round)

    def _make_standings_title(self, after: int) -> str:
        return make_standings_title(self._catalogue, self._index, self.division, after)

    def _make_crosstable_page(self) -> SitePage:
        text_table = lists.make_crosstable_text_table(
            self._catalogue, self._index, self.division, self.ranked_rounds[-1]
        )
        note = _join_notes(*text_table.notes, text_table.legend, self.describe_withheld_results())
        grid = make_site_grid(text_table, self._make_player_page_name)
        return SitePage(
            "list.html", text_table.title, self.make_page_name("crosstable"), note, grids=(grid,), has_search=True
        )

    def _make_statistics_page(self) -> SitePage:
        catalogue, index, after = self._catalogue, self._index, self.ranked_rounds[-1]
        figures = tuple(
            (
                capitalize_first(catalogue.translate_code(statistic.key)),
                format_game_statistic(catalogue, statistic),
            )
            for statistic in statistics.list_game_statistics(index, self.division, after)
        )
        facts = (catalogue, index, self.division, after)
        best = make_site_grid(
            lists.make_best_games_text_table(*facts), self._make_player_page_name, heading_column="what"
        )
        grids = (best, make_site_grid(lists.make_averages_text_table(*facts), self._make_player_page_name))
        title = catalogue.text("Statistics")
        return SitePage(
            "list.html",
            title,
            self.make_page_name("statistics"),
            self.describe_withheld_results(),
            grids=grids,
            facts=figures,
        )

    @cached_property
    def news_about_records(self) -> tuple[RecordNews, ...]:
        records = (
            news.list_division_news(self._news_index, self.division, self.ranked_rounds[-1])
            if self.ranked_rounds
            else ()
        )
        return tuple(sorted(records, key=lambda record: -record.achievement.round))

    def make_record_news_text_table(self, records: Sequence[RecordNews]) -> lists.TextTable:
        return lists.make_news_text_table(self._catalogue, self._index, records)

    def _make_news_page(self) -> SitePage:
        text_table = self.make_record_news_text_table(self.news_about_records)
        grid = make_site_grid(
            text_table, self._make_player_page_name, ("round", "what", "player", "how"), heading_column="what"
        )
        return SitePage(
            "list.html",
            text_table.title,
            self.make_page_name("news"),
            self.describe_withheld_results(),
            grids=(grid,),
        )

    # --- players and bracket

    def _make_players_page(self) -> SitePage:
        text_table = lists.make_players_text_table(self._catalogue, self._index, self.division, "name")
        grid = make_site_grid(text_table, self._make_player_page_name, ("number", "name", *_DETAILS))
        return SitePage(
            "list.html", text_table.title, self.make_page_name("players"), grids=(grid,), has_search=True
        )

    def _make_player_page(self, player: Player) -> SitePage:
        catalogue = self._catalogue
        details = ((name, getattr(player, name)) for name in _DETAILS)
        facts = [(catalogue.explain_column("number"), str(player.number))]
        facts += [(catalogue.heading(name), str(detail)) for name, detail in details if detail]
        sanctions = sorted(self._index.sanctions(player.id), key=lambda sanction: sanction.round or 0)
        facts += [(catalogue.heading("sanctions"), self._describe_sanction(sanction)) for sanction in sanctions]
        rank = self._rank_description_by_player.get(player.id)
        rank_text = (
            f"{self._make_standings_title(self.ranked_rounds[-1])}: {rank}"
            if rank is not None and self.ranked_rounds
            else ""
        )
        rows = self._player_card_rows_by_player[player.id][::-1]  # newest round first
        # The sign of the spread shows the result, unless something other than the points decided a game.
        hidden_column = "spread" if any(row.decided_by is not None for row in rows) else "result"
        hidden_columns = ("table", "starts", hidden_column, "total", "total_spread")
        grid = make_site_grid(
            lists.make_player_card_text_table(catalogue, player, rows),
            self._make_player_page_name,
            heading_column="opponent",
            hidden_on_phone=hidden_columns,
        )
        menu_page, next_game = self.make_page_name("players"), describe_next_game(catalogue, self._index, player)
        return SitePage(
            "player.html", player.name, menu_page, rank_text, grids=(grid,), facts=tuple(facts),
            next_game=next_game, photo=find_photo_file_name(self._index, player.id),
        )  # fmt: skip

    def _describe_sanction(self, sanction: Sanction) -> str:
        points = f" −{sanction.points}" if sanction.points else ""
        number = sanction.round
        round_name = (
            format_round_in_divisions(self._catalogue, self._index, (self.division,), number)
            if number is not None
            else ""
        )
        return ", ".join(filter(None, (f"{self._catalogue.translate_code(sanction.kind)}{points}", round_name)))

    def _make_bracket_page(self) -> SitePage:
        catalogue, trees = self._catalogue, build_bracket_trees(self._index, self._stage) if self._stage else ()
        drawings = tuple(draw_bracket(tree, catalogue) for tree in trees)
        grids = tuple(self._make_bracket_match_grid(drawing) for drawing in drawings)
        title = catalogue.text("Bracket")
        note = "" if drawings else catalogue.text("There is no bracket yet.")
        return SitePage(
            "bracket.html", title, self.make_page_name("bracket"), note, grids=grids, drawings=drawings
        )

    def _make_bracket_match_grid(self, drawing: BracketDrawing) -> SiteGrid:
        catalogue = self._catalogue
        headings = map(catalogue.heading, ("match", "player", "player", "score"))
        lines = []
        for match in drawing.matches:
            sides = [SiteCell(slot.name, person=slot.known, bold=slot.won) for slot in match.slots]
            games = ", ".join(filter(None, (format_game_score(catalogue, game) for game in match.box.games)))
            label = SiteCell(match.title_and_reason, is_row_heading=True, bold=True)
            lines.append(SiteRow((label, *sides, SiteCell(games, numeric=True))))
        return SiteGrid(drawing.title, tuple(map(ColumnHeading, headings)), tuple(lines))

    # --- shared by several pages

    def _make_player_page_name(self, number: int) -> str:
        return self.make_page_name("player", number)

    @cached_property
    def _player_card_rows_by_player(self) -> Mapping[PlayerId, tuple[PlayerCardRow, ...]]:
        return map_player_cards(self._index, self.division)

    @cached_property
    def _rank_description_by_player(self) -> Mapping[PlayerId, str]:
        if not self.ranked_rounds:
            return {}
        return {
            row.player.id: self._catalogue.describe_award_reason(
                "place", {"place": row.rank, "figures": row.join_tiebreak_values()}
            )
            for row in compute_standings(self._index, self.division, self.ranked_rounds[-1])
            if not row.disqualified
        }


def _join_notes(*notes: str) -> str:
    return " · ".join(filter(None, notes))


def _list_rounds_with_standings(index: TournamentIndex, division: Division) -> tuple[int, ...]:
    rounds = index.list_published_rounds(division.id, division.held_after)
    return tuple(item.number for item in rounds if index.has_any_result_or_no_table(item.id))
