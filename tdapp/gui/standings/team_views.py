"""The team standings and the matches of teams."""

from __future__ import annotations

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division
from tdapp.domain.tables import standings
from tdapp.domain.tables.standings import TeamMatchRow
from tdapp.domain.teams import has_team_matches
from tdapp.domain.translatable import N_
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.standings_view import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.lists import describe_team_board
from tdapp.i18n.phrases import explain_disqualified_team_players

ALL_PLAYERS = 0  # means: all players of a team count


class TeamsView(StandingsView):
    """The teams, ranked by all their players or only by their best players."""

    view_id = "teams"
    choice_text = N_("Teams")
    page_heading = N_("Teams")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.best: Choice[int] = Choice(text("Players who count for the team"), [], session.appearance)
        self.best.currentIndexChanged.connect(self.refresh_view)
        widths = {"rank": UNIT * 7, "team": UNIT * 28, "team_size": UNIT * 9, "wins": UNIT * 8, "losses": UNIT * 8,
                  "team_matches": UNIT * 10, "team_points": UNIT * 12, "board_points": UNIT * 12}  # fmt: skip
        empty = text(
            "No players are in a team.\nType the teams on the Players page. “All columns” shows the team column "
            "there."
        )
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key)
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Teams"), empty=empty)
        self.view.set_widths(widths, stretch=("counting",))
        self.legend = fields.make_label("", "muted")
        row = fields.make_row(fields.make_label(text("Players who count for the team")), self.best, self.legend, 1)
        self.arrange_and_connect_view(row, self.view)

    def show_table(self, division: Division, after: int) -> None:
        index, best = self.session.index, self.get_counted_player_limit()
        self.legend.setText(explain_disqualified_team_players(self.session.catalogue, index, division, after))
        key = ("teams-table", division.id, after, best)
        table = self.session.desk.get_cached_value(
            key, lambda _value: standings.make_team_table(index, division, after, best=best)
        )
        self._update_best_player_count_choice(max((row.size for row in table.rows), default=0))
        self.rows.show_table(table)

    def get_counted_player_limit(self) -> int | None:
        """Return how many players of a team count, None for all."""
        return self.best.value() or None

    def _update_best_player_count_choice(self, largest_team_size: int) -> None:
        catalogue, chosen_count = self.session.catalogue, self.best.value() or ALL_PLAYERS
        best = [
            (n, catalogue.plural("The best player", "The best {n}", n))
            for n in range(1, max(largest_team_size, chosen_count + 1))
        ]
        self.best.set_choices([(ALL_PLAYERS, catalogue.text("All players")), *best], chosen_count)


class TeamMatchesView(StandingsView):
    """A list of the team matches. Text below the list shows the games of the selected match."""

    view_id = "team-matches"
    choice_text = N_("Team matches")
    page_heading = N_("Team matches")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        widths = {"round": UNIT * 8, "tables": UNIT * 9, "first_boards": UNIT * 14, "second_boards": UNIT * 14,
                  "first_points": UNIT * 14, "second_points": UNIT * 14, "spread": UNIT * 9}  # fmt: skip
        empty, bye = text("There are no team matches."), session.catalogue.translate_code(ByeKind.BYE)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            shown_texts={"second_team": lambda match: match.second_team or bye},
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Team matches"), empty=empty)
        self.view.set_widths(widths, stretch=("first_team", "second_team"))
        self.view.selection_changed.connect(self._show_boards_of_current_match)
        self.boards = fields.make_note_label()
        self.arrange_and_connect_view(self.view, self.boards)

    @classmethod
    def is_available_for_division(cls, index: TournamentIndex, division: Division) -> bool:
        return has_team_matches(index, division)

    def show_table(self, division: Division, after: int) -> None:
        index = self.session.index
        self.rows.show_table(
            self.session.desk.get_cached_value(
                ("team-matches", division.id, after),
                lambda _value: standings.make_team_match_table(index, division, after),
            )
        )
        self._show_boards_of_current_match()

    def _show_boards_of_current_match(self) -> None:
        match = self.rows.find_row_by_key(self.view.get_current_row_key())
        if self.division is not None and isinstance(match, TeamMatchRow):
            boards = standings.list_boards_of_team_match(self.session.index, self.division, match)
            self.boards.setText("\n".join(describe_team_board(self.session.catalogue, board) for board in boards))
        else:
            self.boards.setText("")
