"""The contents of slides for projectors. A slide has only as many rows as can be read from a distance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import ceil

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain import publishing
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, Round
from tdapp.domain.tables import bracket, news, standings
from tdapp.domain.tables.bracket import BracketTreePage
from tdapp.domain.tables.featured_view import FeaturedGame
from tdapp.domain.tables.table import ColumnKind
from tdapp.domain.tournament import Tournament
from tdapp.i18n import ceremony
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.ceremony import AwardSlide, CeremonyOptions
from tdapp.i18n.lists import (
    TextColumn,
    TextTable,
    format_other_matches_in_final_round,
    list_tiebreak_column_ids,
    make_news_text_table,
    make_pairings_text_table,
    make_seats_text_table,
    make_standings_text_table,
)
from tdapp.i18n.phrases import (
    describe_checksum,
    describe_next_start,
    format_round,
    make_division_title,
)
from tdapp.i18n.sheet_reading import describe_turn
from tdapp.i18n.sheet_sentences import describe_check_progress_for_public
from tdapp.scrabble.sheet import TurnKind

MIN_LINES, MAX_LINES = 8, 12  # rows of a slide
_DASH = "–"
_MAX_ALTERNATING_SLIDES = 3  # for more, two blocks of pairings share a slide
_MAX_TIEBREAKS = 3  # in standings


class DisplayView(StrEnum):
    """Kinds of slides for the public."""

    TABLES = "tables"  # pairings by table
    NAMES = "names"  # pairings by name
    STANDINGS = "standings"
    BRACKET = "bracket"
    CLOCK = "clock"
    PRIZES = "prizes"  # the prize-giving
    NEWS = "news"  # records of the newest round
    FEATURED = "featured"  # the featured game


ALTERNATING_VIEWS = tuple(
    view for view in DisplayView if view is not DisplayView.PRIZES
)  # views that can alternate


class ColumnRole(StrEnum):
    """Role of a column: a number that identifies the row, a name, a value, or a few words."""

    SIGN = "sign"
    NAME = "name"
    FIGURE = "figure"
    WORDS = "words"


class SlideColumn(Struct, frozen=True):
    """A column of a slide."""

    heading: str
    role: ColumnRole
    widest: str = ""  # longest text of the column on all slides


class SlideTable(Struct, frozen=True):
    """A table, divided into equal blocks side by side."""

    columns: tuple[SlideColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    rows_per_block: int
    blocks: int = 1


class SentenceSlide(Struct, frozen=True):
    """A slide with one sentence, for example if no player is ranked yet."""

    text: str


class ClockSlide(Struct, frozen=True):
    """The round clock alone, in full size."""


class FeaturedSlide(Struct, frozen=True):
    """The slide of the featured game."""

    game: FeaturedGame
    last_turn: str
    doubtful_words: str
    unseen_tiles: str
    unseen_title: str


Body = SlideTable | BracketTreePage | SentenceSlide | ClockSlide | AwardSlide | FeaturedSlide


class Slide(Struct, frozen=True):
    """A slide of the public display."""

    view: DisplayView
    key: str  # id of the slide, which stays when its content changes
    title: str
    note: str
    body: Body
    page: int = 1
    pages: int = 1


class DisplayProgramme(Struct, frozen=True):
    """The content of the public display."""

    view: DisplayView | None = DisplayView.TABLES
    # views shown in turn if `view` is None
    in_turn: tuple[DisplayView, ...] = (DisplayView.TABLES, DisplayView.STANDINGS)
    division: str = ""  # id, "" for all divisions
    black: bool = True
    seconds: int = 8  # display time of each slide
    ceremony: CeremonyOptions = field(default_factory=CeremonyOptions)

    @property
    def is_ceremony(self) -> bool:
        return self.view is DisplayView.PRIZES


def make_slides(
    tournament: Tournament, programme: DisplayProgramme, catalogue: Catalogue, featured: FeaturedGame | None = None
) -> tuple[Slide, ...]:
    """Return the slides, at least one. `featured` is the public state of the featured game."""
    if programme.is_ceremony:
        return tuple(_make_ceremony_slides(tournament, programme, catalogue))
    maker = _SlideMaker(tournament, catalogue, featured)
    divisions = maker.index.divisions
    shown_divisions = [division for division in divisions if division.id == programme.division] or divisions
    views = (programme.view,) if programme.view else programme.in_turn
    slides = [slide for view in views for slide in maker.make_slides(view, shown_divisions)]
    return tuple(slides) or (maker.make_empty_slide(views[0] if views else DisplayView.TABLES),)


def _make_ceremony_slides(
    tournament: Tournament, programme: DisplayProgramme, catalogue: Catalogue
) -> Iterator[Slide]:
    options = programme.ceremony
    steps = ceremony.make_ceremony_slides(tournament, options, catalogue)
    key = f"{options.division}/{options.grouping}/{options.category}"
    for number, step in enumerate(steps.awards):
        body: Body = step if step.lines else SentenceSlide(steps.opening)
        slide_key = f"prizes/{key}/{number}"
        yield Slide(DisplayView.PRIZES, slide_key, steps.title, steps.note, body, number + 1, len(steps.awards))


class _SlideMaker:
    def __init__(self, tournament: Tournament, catalogue: Catalogue, featured: FeaturedGame | None) -> None:
        self._tournament, self._catalogue, self._game = tournament, catalogue, featured
        self.index = TournamentIndex(publishing.make_public_view(tournament))
        self._event = self.index.tournament.event
        self._slide_makers: Mapping[DisplayView, Callable[[Division], list[Slide]]] = {
            DisplayView.TABLES: self._make_pairing_slides,
            DisplayView.NAMES: self._make_seat_slides,
            DisplayView.STANDINGS: self._make_standings_slides,
            DisplayView.BRACKET: self._make_bracket_slides,
            DisplayView.NEWS: self._make_round_news_slides,
        }

    def make_slides(self, view: DisplayView, divisions: Sequence[Division]) -> list[Slide]:
        if view is DisplayView.CLOCK:
            return [self._make_clock_slide(divisions)]
        if view is DisplayView.FEATURED:
            return [self._make_featured_slide(self._game)] if self._game else []
        return [slide for division in divisions for slide in self._slide_makers[view](division)]

    def _make_clock_slide(self, divisions: Sequence[Division]) -> Slide:
        newest_rounds = [
            item for division in divisions for item in self.index.list_published_rounds(division.id)[-1:]
        ]
        names = {format_round(self._catalogue, self.index, item) for item in newest_rounds}
        title = names.pop() if len(names) == 1 else self._event.name
        event = self._event.name if title != self._event.name else ""
        note = " · ".join(filter(None, (event, self._describe_next_start(divisions))))
        return Slide(DisplayView.CLOCK, "clock", title, note, ClockSlide())

    def _make_featured_slide(self, game: FeaturedGame) -> Slide:
        catalogue = self._catalogue
        texts = (
            describe_last_turn(game, catalogue),
            describe_doubtful_words(game, catalogue),
            format_unseen_tiles(game),
        )
        body = FeaturedSlide(game, *texts, make_unseen_tiles_title(game, catalogue))
        title = catalogue.text("Table {table}", table=game.table)
        return Slide(DisplayView.FEATURED, "featured", title, self._event.name, body)

    def _describe_next_start(self, divisions: Sequence[Division]) -> str:
        starts = {describe_next_start(self._catalogue, self.index, division) for division in divisions}
        return starts.pop() if len(starts) == 1 else ""

    def make_empty_slide(self, view: DisplayView) -> Slide:
        text = self._catalogue.text
        sentence = {
            DisplayView.STANDINGS: text("The standings will be shown here."),
            DisplayView.BRACKET: text("The bracket will be shown here."),
            DisplayView.NEWS: text("The round news will be shown here."),
            DisplayView.FEATURED: text("The featured table will be shown here."),
        }.get(view, text("The pairings of the next round will be shown here."))
        note = " · ".join(filter(None, (self._event.place, self._describe_next_start(self.index.divisions))))
        return Slide(view, f"{view}/empty", self._event.name, note, SentenceSlide(sentence))

    # --- views

    def _make_pairing_slides(self, division: Division) -> list[Slide]:
        item = self._find_newest_published_round(division)
        if item is None:
            return []
        pairings = make_pairings_text_table(self._catalogue, self.index, item)
        table, first, score, second = pairings.get_columns_by_ids(("table", "first_name", "score", "second_name"))
        score_cells = (cell or _DASH * bool(number) for cell, number in zip(score.cells, table.cells, strict=True))
        score = replace(score, heading="", cells=tuple(score_cells))
        blocks = (
            2 if len(table.cells) > _MAX_ALTERNATING_SLIDES * MAX_LINES else 1
        )  # so that players need not wait a minute for their table
        other_matches = format_other_matches_in_final_round(self._catalogue, self.index, item)
        end_note = " · ".join(
            filter(None, (other_matches, describe_check_progress_for_public(self._catalogue, self.index, item)))
        )
        columns = (table, first, score, second)
        return self._split_into_slides(
            DisplayView.TABLES, division, replace(pairings, columns=columns), blocks=blocks, end_note=end_note
        )

    def _make_seat_slides(self, division: Division) -> list[Slide]:
        item = self._find_newest_published_round(division)
        if item is None:
            return []
        seat_list = make_seats_text_table(self._catalogue, self.index, item)
        name, table, opponent = seat_list.get_columns_by_ids(("name", "table", "opponent"))
        seats = tuple(number or bye for number, bye in zip(table.cells, opponent.cells, strict=True))
        columns = (name, replace(table, cells=seats))
        return self._split_into_slides(DisplayView.NAMES, division, replace(seat_list, columns=columns), blocks=2)

    def _make_standings_slides(self, division: Division) -> list[Slide]:
        after = self._find_round_of_shown_standings(division)
        if after is None:
            return []
        table = standings.make_standings_table(self.index, division, after)
        groups = sorted({row.group for row in table.rows if row.group and not row.out})
        if not groups:
            return self._make_ranking_slides(division, after)
        return [
            slide
            for group in groups
            for slide in self._make_ranking_slides(
                division, after, group, self._catalogue.text("Group {group}", group=group)
            )
        ]

    def _make_ranking_slides(self, division: Division, after: int, group: int = 0, note: str = "") -> list[Slide]:
        ranking = make_standings_text_table(self._catalogue, self.index, division, after, group=group)
        column_ids = ("rank", "name", *list_tiebreak_column_ids(self.index, division, after)[:_MAX_TIEBREAKS])
        is_round_over = after and not self.index.list_open_tables(self.index.get_round(division.id, after).id)
        end_note = describe_checksum(self._catalogue, self.index.tournament) if is_round_over else ""
        ranking = replace(ranking, columns=ranking.get_columns_by_ids(column_ids))
        return self._split_into_slides(DisplayView.STANDINGS, division, ranking, note=note, end_note=end_note)

    def _make_bracket_slides(self, division: Division) -> list[Slide]:
        branches = bracket.build_current_bracket_pages(self.index, division)
        note, slides = self._make_slide_title(division), []
        for number, branch in enumerate(branches, 1):
            title = self._catalogue.format_bracket_part(branch.title, *branch.places)
            key = f"bracket/{division.id}/{number}"
            slides.append(Slide(DisplayView.BRACKET, key, title, note, branch, number, len(branches)))
        return slides

    def _make_round_news_slides(self, division: Division) -> list[Slide]:
        after = self._find_round_of_shown_standings(division)
        if not after:
            return []
        catalogue = self._catalogue
        plays = TournamentIndex(
            publishing.add_public_sheets_and_record_holders(self.index.tournament, self._tournament)
        )
        round_news = news.list_round_news(plays, plays.tournament.divisions[division.id], after)
        name = format_round(catalogue, self.index, self.index.get_round(division.id, after))
        news_list = make_news_text_table(catalogue, self.index, round_news)
        value, player, short_title = news_list.get_columns_by_ids(("value", "player", "short"))
        title, columns = f"{news_list.title} · {name}", (value, player, short_title)
        return (
            self._split_into_slides(DisplayView.NEWS, division, replace(news_list, title=title, columns=columns))
            if round_news
            else []
        )

    # --- shared parts

    def _find_newest_published_round(self, division: Division) -> Round | None:
        return next(reversed(self.index.list_published_rounds(division.id)), None)

    def _find_round_of_shown_standings(self, division: Division) -> int | None:
        last_round = self.index.get_last_round_with_results(division.id)
        if not self.index.list_published_rounds(division.id) or not self.index.players(division.id):
            return None
        return last_round if division.held_after is None else min(last_round, division.held_after)

    def _make_slide_title(self, division: Division) -> str:
        return make_division_title(self._catalogue, self.index, division)

    def _split_into_slides(
        self,
        view: DisplayView,
        division: Division,
        text_table: TextTable,
        *,
        blocks: int = 1,
        note: str = "",
        end_note: str = "",
    ) -> list[Slide]:
        rows = text_table.list_rows()
        columns = tuple(
            SlideColumn(column.heading, _find_column_role(column), max(column.cells, key=len, default=""))
            for column in text_table.columns
        )
        lines = choose_lines_per_slide(len(rows), blocks=blocks)
        size = lines * blocks
        parts = [tuple(rows[start : start + size]) for start in range(0, len(rows), size)]
        start_text = self._describe_next_start([division])
        full_note = " · ".join(
            filter(None, (self._make_slide_title(division), note, start_text, self._event.name, end_note))
        )
        key = f"{view}/{division.id}/{note}"
        return [
            Slide(
                view,
                f"{key}/{page}",
                text_table.title,
                full_note,
                SlideTable(columns, part, lines, blocks),
                page,
                len(parts),
            )
            for page, part in enumerate(parts, 1)
        ]


def choose_lines_per_slide(row_count: int, *, blocks: int = 1) -> int:
    """Return the number of lines per slide, 8 to 12, that fills all slides about equally.

    With `blocks` 2, each line shows two rows side by side.
    """
    pages = max(ceil(row_count / (MAX_LINES * blocks)), 1)
    return max(MIN_LINES, ceil(row_count / (pages * blocks)))


def _find_column_role(column: TextColumn) -> ColumnRole:
    if column.id in {"rank", "table", "value"}:
        return ColumnRole.SIGN
    if column.kind is ColumnKind.NAME:
        return ColumnRole.NAME
    return ColumnRole.WORDS if column.id in {"score", "short"} else ColumnRole.FIGURE


def describe_slide(slide: Slide) -> str:
    body, lines = slide.body, [slide.title, slide.note]
    if isinstance(body, SlideTable):
        lines += [" ".join(filter(None, row)) for row in body.rows]
    elif isinstance(body, BracketTreePage):
        lines += [" – ".join(side.name for side in match.box.sides if side.name) for match in body.matches]
    elif isinstance(body, AwardSlide):
        lines += [f"{line.sign} {line.names}" for line in body.lines]
    elif isinstance(body, SentenceSlide):
        lines.append(body.text)
    elif isinstance(body, FeaturedSlide):
        game = body.game
        lines += [f"{name} {score}" for name, score in zip(game.names, game.scores, strict=True)]
        lines += [body.last_turn, body.doubtful_words, f"{body.unseen_title}: {body.unseen_tiles}"]
    return "\n".join(filter(None, lines))


# --- featured table, also for overlays


def describe_last_turn(game: FeaturedGame, catalogue: Catalogue) -> str:
    last = game.last
    if last is None:
        return ""
    turn_text = f"{last.square} {describe_turn(last.turn, catalogue)}".strip()
    score = f" {last.score}" if last.turn.kind is TurnKind.PLAY else ""
    return f"{game.names[last.turn.player - 1].partition(',')[0]}: {turn_text}{score}"


def describe_doubtful_words(game: FeaturedGame, catalogue: Catalogue) -> str:
    """Return the words of the last turn that the word list lacks, or ""."""
    words = game.last.doubtful if game.last else ()
    return catalogue.text("Not in the word list: {words}", words=", ".join(words)) if words else ""


def format_unseen_tiles(game: FeaturedGame) -> str:
    return "  ".join(f"{tile}{count}" if count > 1 else tile for tile, count in game.unseen)


def make_unseen_tiles_title(game: FeaturedGame, catalogue: Catalogue) -> str:
    count = sum(number for _, number in game.unseen)
    return catalogue.plural("One tile unseen", "{n} tiles unseen", count)
