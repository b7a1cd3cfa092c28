"""A season's rating list on the Standings page, and the update of players' ratings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QBoxLayout, QWidget

from tdapp.domain import commands
from tdapp.domain.model import Season
from tdapp.domain.ratings import RatingSystem
from tdapp.domain.season_ratings import find_rating_list_date, list_rated_events, select_season_rating_system
from tdapp.domain.seasons import find_member_key
from tdapp.domain.tables.seasons import (
    RatingGameRow,
    make_rating_game_table,
    make_rating_list_table,
    make_rating_update_table,
)
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import C_, N_
from tdapp.exchange.rating_lists import encode_season_ratings_csv, encode_season_ratings_json
from tdapp.exchange.text import write_file
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.season import SeasonViewWithDateChoice
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.dialog import Dialog, ask_file_to_write
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.season_sentences import make_rating_list_title


class SeasonRatingsView(SeasonViewWithDateChoice):
    """The rating list of a season, and the games of the selected player with their rating changes."""

    view_id = "season-ratings"
    topic = "ratings"
    choice_text = N_("Season ratings")
    page_heading = N_("Season ratings")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text, appearance = self.text, session.appearance
        day = session.catalogue.format_short_date
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            shown_texts={"last_played": lambda row: day(row.line.last_played_date, "yMMMd")},
        )
        self.view = TableView(self.rows, appearance=appearance, name=text("Rating list"), empty=self.no_season)
        self.view.set_widths(
            {"rank": UNIT * 7, "number": UNIT * 6, "club": UNIT * 18, "rating": UNIT * 9, "change": UNIT * 10,
             "games": UNIT * 8, "last_played": UNIT * 13},
        )  # fmt: skip
        self.view.hide_columns_if_too_narrow(("number", "club", "last_played", "games"))
        self.view.selection_changed.connect(self._fill_rated_games_table)
        self.game_rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            hidden={"name"},
            shown_texts={"date": lambda row: day(row.event.event.date, "yMMMd")},
        )
        self.games = TableView(
            self.game_rows,
            appearance=appearance,
            name=text("Games of the selected player"),
            empty=text("No rated games."),
        )
        self.games.disable_sorting()
        self.games.set_widths(
            {"rating": UNIT * 9, "round": UNIT * 8, "opponent_rating": UNIT * 10,
             "score": UNIT * 8, "expected": UNIT * 10, "change": UNIT * 10, "new_rating": UNIT * 10},
            stretch=("opponent",),
        )  # fmt: skip
        self.games.hide_columns_if_too_narrow(("round", "new_rating", "rating"))
        self.games.setObjectName("season-rating-games")
        self.note = fields.make_note_label()
        self.save_button = fields.make_button(text("Save the list…"), self.ask_path_and_save_rating_list)
        self.apply_button = fields.make_button(
            text("Apply these ratings to the players…"), self.open_rating_update_dialog
        )
        line = fields.make_row(self.season, self.date, 1, self.save_button, self.apply_button)
        self.arrange_and_connect_view(line, self.view, self.games, self.note)
        if isinstance(layout := self.layout(), QBoxLayout):
            layout.setStretchFactor(self.games, 1)

    def list_season_dates(self, season: Season) -> Iterable[str]:
        return (event.date for event in list_rated_events(self.session.index, season))

    def find_rating_system(self, season: Season) -> RatingSystem:
        return select_season_rating_system(self.session.index, season, self.session.resources.rating_systems)

    def show_season(self, season: Season | None, date: str) -> None:
        self.save_button.setEnabled(season is not None)
        self.apply_button.setEnabled(season is not None and self.session.is_editable)
        if season is None:
            self.rows.show_table(Table("season_ratings", (), ()))
            self.note.setText("")
        else:
            system = self.find_rating_system(season)
            self.rows.show_table(make_rating_list_table(self.session.index, season, system, date))
            self.view.set_empty_text(self.text("No member has a rating yet."))
            note = self.text(
                "{list}, {system}. A game changes the rating by the K factor times (score − expected score). "
                "The list starts from the players’ ratings before the season.",
                list=make_rating_list_title(self.session.catalogue, self.session.index, season, date),
                system=self.text(system.name),
            )
            self.note.setText(note)
        self._fill_rated_games_table()

    def _fill_rated_games_table(self) -> None:
        season, player = self.find_shown_season(), self.get_current_player_id()
        table: Table[RatingGameRow] = Table("rating_games", (), ())
        if season is not None and player is not None:
            member = find_member_key(self.session.index, season.id, player)
            system = self.find_rating_system(season)
            table = make_rating_game_table(
                self.session.index, season, system, self.get_date_of_shown_standings(), member
            )
        self.game_rows.show_table(table)

    def ask_path_and_save_rating_list(self) -> None:
        season, index = self.find_shown_season(), self.session.index
        if season is None:
            return
        date = find_rating_list_date(index, season, self.get_date_of_shown_standings())
        title = make_rating_list_title(self.session.catalogue, index, season, self.get_date_of_shown_standings())
        path = ask_file_to_write(
            self.window(), title, f"{Path(season.name).name} {date}".strip() + ".csv", "*.csv;;*.json"
        )
        if path is not None:
            system = self.find_rating_system(season)
            rows = make_rating_list_table(index, season, system, self.get_date_of_shown_standings()).rows
            content = encode_season_ratings_csv(rows, date)
            if path.suffix == ".json":
                content = encode_season_ratings_json(rows, season.name, date, system.id)
            self.session.run_in_background(
                partial(write_file, path, content),
                on_success=lambda _: self.session.show_message(self.text("Saved as {name}", name=path.name)),
                label=self.text("Writing {name}", name=path.name),
            )

    def open_rating_update_dialog(self) -> None:
        season = self.find_shown_season()
        if season is not None:
            RatingUpdateDialog(
                self.session,
                season,
                self.find_rating_system(season),
                self.get_date_of_shown_standings(),
                parent=self.window(),
            ).open()


class RatingUpdateDialog(Dialog):
    """Shows the ratings of the players before and after an update, and applies them."""

    topic = "ratings"

    def __init__(
        self, session: Session, season: Season, system: RatingSystem, date: str, *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Apply the ratings to the players"),
                         yes=text(C_("ratings of the season", "Apply")), parent=parent,
                         size=(72, 64))  # fmt: skip
        self._command = partial(commands.apply_ratings, season=season.id, system=system, on=date)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key)
        self.rows.show_table(make_rating_update_table(session.index, season, system, date))
        empty = text("The players already have these ratings.")
        self.view = TableView(self.rows, appearance=session.appearance, name=text("New ratings"), empty=empty)
        self.view.set_widths({"rating": UNIT * 9, "new_rating": UNIT * 12, "change": UNIT * 10})
        self.add_labels((make_rating_list_title(session.catalogue, session.index, season, date), "muted"))
        self.body.addWidget(self.view, 1)
        self.yes.setEnabled(bool(self.rows.rowCount()))

    def confirm_dialog(self) -> None:
        self.session.do(self._command)
        self.accept()
