"""The new ratings of the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.ratings import DEFAULT_RATING, RatingSystem
from tdapp.domain.tables import standings
from tdapp.domain.tables.standings import RatingChangeRow
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import N_
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.standings_view import BackgroundComputedView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, parse_whole_number
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT

MAX_RATED_GAMES = 100_000


class RatingsView(BackgroundComputedView):
    """Performance and new rating of each player."""

    view_id = "ratings"
    topic = "ratings"
    choice_text = N_("Ratings")
    page_heading = N_("Ratings")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.systems: Mapping[str, RatingSystem] = session.resources.rating_systems
        self._system_choices = [(system.id, self.text(system.name)) for system in self.systems.values()]
        self.system: Choice[str] = Choice(self.text("Rating system"), self._system_choices, session.appearance)
        self.system.currentIndexChanged.connect(self._save_rating_system)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            edit=self._save_rated_game_count,
            shown_texts={"name": lambda row: self.get_distinct_name_of_player(row.rated_player.player)},
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Ratings"))
        self.view.set_widths(
            {"rank": UNIT * 7, "rating": UNIT * 9, "rated_games": UNIT * 14, "games": UNIT * 9, "wins": UNIT * 8,
             "expected": UNIT * 11, "performance": UNIT * 13, "new_rating": UNIT * 12, "change": UNIT * 10}
        )  # fmt: skip
        self.view.set_empty_text(self.text("No players yet.\nAdd them or import a list under Players (Ctrl+1)."))
        self.arrange_and_connect_view(
            fields.make_row(fields.make_label(self.text("Rating system")), self.system, 1), self.view, self.note
        )

    def show_table(self, division: Division, after: int) -> None:
        self.system.setEnabled(self.session.is_editable)
        self.rows.locked = not self.session.is_editable
        system = self.systems.get(division.rating or DEFAULT_RATING)
        if system is None:
            self.rows.show_table(Table("ratings", (), ()))
            self.note.setText(
                self.text("The rating system {rating} is missing. Choose another one.", rating=division.rating)
            )
            return
        self.system.set_choices(self._system_choices, system.id)
        super().show_table(division, after)
        message = self.text(
            "Ratings estimated according to {source}. Byes, forfeits and unrated games do not count.",
            source=system.source,
        )
        has_rated_player = any(player.rating is not None for player in self.session.index.players(division.id))
        unrated_note = (
            ""
            if has_rated_player
            else self.text("No player has a rating yet: only games against rated players count.")
        )
        self.note.setText(" ".join(filter(None, (unrated_note, message, system.note and self.text(system.note)))))

    def start_computing(self) -> None:
        system = self.systems.get(self.system.value() or "")
        if self.division is not None and system is not None:
            call = partial(_make_rating_table_with_progress, self.session.index, self.division, system, self.after)
            self.run_computation(self.text("Calculating ratings…"), call, self.rows.show_table)

    def _save_rating_system(self) -> None:
        division, system_id = self.division, self.system.value()
        if division is not None and system_id is not None:
            self.session.do(partial(commands.choose_rating, division=division.id, rating=system_id))

    def _save_rated_game_count(self, key: str, _column: str, text: str) -> None:
        row = self.session.tournament.players.get(PlayerId(key))
        if row is None:
            return
        games = parse_whole_number(text)
        if games is None and text.strip():
            self.session.show_error(
                CommandError("bad-number", value=text, least=0, most=MAX_RATED_GAMES), self.view
            )
            return
        self.session.do(partial(commands.edit_player, player=row.id, seen=row, rated_games=games), field=self.view)


def _make_rating_table_with_progress(
    index: TournamentIndex,
    division: Division,
    system: RatingSystem,
    after: int,
    *,
    progress: Callable[[int, int], None],
) -> Table[RatingChangeRow]:
    progress(0, 1)
    return standings.make_rating_table(index, division, system, after)
