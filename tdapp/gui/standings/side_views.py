"""Other views of the Standings page: base classes, teams, ratings and crosstable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, ClassVar, TypeVar, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.commands import Command
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, Division, PlayerId, PrizeId, PrizeKind
from tdapp.domain.prizes import LUCK_PRIZES, RANKED_KINDS, AwardedPrize
from tdapp.domain.publishing import map_distinctly_named_players
from tdapp.domain.ratings import DEFAULT_RATING, RatingSystem
from tdapp.domain.tables import standings
from tdapp.domain.tables.players import PlayerCardRow
from tdapp.domain.tables.standings import (
    CrosstableRow,
    PrizeRow,
    RatingChangeRow,
    ResultMatrixRow,
    TeamMatchRow,
    list_tiebreak_columns,
)
from tdapp.domain.tables.table import Column, ColumnKind, Table
from tdapp.domain.teams import has_team_matches
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_, N_
from tdapp.gui.editor.editor import EditorListDeclaration, RowEditor
from tdapp.gui.editor.fields import ChoiceControl, FormField, MoneyControl
from tdapp.gui.shell.session import Session, run_if_alive
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, Part, SearchField, parse_whole_number
from tdapp.gui.widgets.page import FocusDelegation
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.lists import describe_team_board, list_crosstable_cell_lines
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import (
    explain_disqualified_team_players,
    explain_knockout_prizes,
    make_title_after_round,
    map_results_to_letters,
)
from tdapp.reports.rankings import describe_shared_prize
from tdapp.services.worker import BackgroundTask, get_user_error_or_raise

T = TypeVar("T")


class StandingsView(FocusDelegation, QWidget):
    """A view of the Standings page with one table. `show_table` fills it with the state after round `after`."""

    current_row_changed = Signal()  # the cursor moved
    player_chosen = Signal(str)  # open the card of this player
    view_id: ClassVar[str]  # id of the view, and of its printout unless `report_id` differs
    topic: ClassVar[str] = "standings"
    choice_text: ClassVar[str]
    page_heading: ClassVar[str]
    ignores_round: ClassVar[bool] = False  # the view does not depend on the chosen round

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, self.text = session, session.catalogue.text
        self.rows: TableRowsModel
        self.view: TableView
        self.division: Division | None = None  # the shown division and round
        self.after = 0

    def arrange_and_connect_view(self, *parts: Part, wide: QWidget | None = None) -> None:
        """Arrange widgets vertically. The table, or `wide`, takes the remaining space."""
        fields.column(*parts, gap=UNIT * 2, parent=self).setStretchFactor(wide or self.view, 1)
        self.view.selection_changed.connect(self.current_row_changed)
        self.view.row_activated.connect(self._open_player_card)
        self.view.setObjectName(self.view_id)  # key of its column widths
        self.setFocusProxy(self.view)

    @property
    def report_id(self) -> str:
        return self.view_id

    @classmethod
    def is_offered(cls, index: TournamentIndex, division: Division) -> bool:
        return True

    def get_shown_date(self) -> str:
        """Return the date of the shown state, "" for the latest."""
        return ""

    def make_title(self, division: Division, after: int) -> str:
        heading, session = self.text(self.page_heading), self.session
        return (
            heading
            if self.ignores_round
            else make_title_after_round(session.catalogue, session.index, division, after, heading)
        )

    def show_division(self, division: Division, after: int) -> None:
        self.division, self.after = division, after
        self.show_table(division, after)

    def refresh_view(self) -> None:
        if self.division is not None:
            self.show_table(self.division, self.after)

    def show_table(self, division: Division, after: int) -> None:
        raise NotImplementedError

    def copy_rows(self) -> None:
        self.view.copy_rows()

    def current_player(self) -> PlayerId | None:
        key = self.view.current_key()
        return PlayerId(key) if key in self.session.tournament.players else None

    def _open_player_card(self, _key: str) -> None:
        player = self.current_player()
        if player is not None:
            self.player_chosen.emit(player)


class BackgroundComputedView(StandingsView):
    """A view computed in the background after each change of the tournament."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.note = fields.note()  # below the computed table
        self._task: BackgroundTask | None = None
        self._computed_input: tuple[object, ...] = ()  # tournament, division and round of the last computation

    def show_table(self, division: Division, after: int) -> None:
        input_data = (self.session.tournament, division.id, after)
        if input_data != self._computed_input:
            self._computed_input = input_data
            self.start_computing()

    def start_computing(self) -> None:
        raise NotImplementedError

    def show_computation_error(self, error: str) -> None:
        """Show an error. "" means that the user stopped the computation."""
        self._computed_input = ()
        if error:
            self.note.setText(error)

    def run_computation(self, label: str, call: Callable[..., T], show: Callable[[T], None]) -> None:
        self._stop_computing()
        task = self._task = BackgroundTask(label)
        self.session.run_in_background(
            partial(call, progress=task.report_progress),
            on_success=run_if_alive(self, partial(self._show_result_of_current_task, task, show)),
            label=label,
            on_error=run_if_alive(self, partial(self._show_error_of_task, task)),
            task=task,
            on_stop=run_if_alive(
                self, partial(self._show_result_of_current_task, task, self.show_computation_error, "")
            ),
        )

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._task is not None and not event.spontaneous():
            self._stop_computing()
            self._computed_input = ()

    def _stop_computing(self) -> None:
        if self._task is not None:
            self._task.cancel_work()
            self._task = None

    def _show_error_of_task(self, task: BackgroundTask, error: Exception) -> None:
        self._show_result_of_current_task(
            task, self.show_computation_error, self.session.catalogue.error(get_user_error_or_raise(error))
        )

    def _show_result_of_current_task(
        self, task: BackgroundTask, show: Callable[..., None], *results: object
    ) -> None:
        if task is self._task:
            self._task = None
            show(*results)


ALL_PLAYERS = 0  # means: all players of a team count


class TeamsView(StandingsView):
    """The teams, ranked by all their players or their best ones."""

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
        empty = text("No player is in a team.\nType teams on the Players page, where “All columns” shows them.")
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key)
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Teams"), empty=empty)
        self.view.set_widths(widths, stretch=("counting",))
        self.legend = fields.label("", "muted")
        row = fields.row(fields.label(text("Players who count for the team")), self.best, self.legend, 1)
        self.arrange_and_connect_view(row, self.view)

    def show_table(self, division: Division, after: int) -> None:
        index, best = self.session.index, self.get_counted_player_limit()
        self.legend.setText(explain_disqualified_team_players(self.session.catalogue, index, division, after))
        key = ("teams-table", division.id, after, best)
        table = self.session.desk.get_cached_value(
            key, lambda _value: standings.make_team_table(index, division, after, best=best)
        )
        self._update_player_count_choice(max((row.size for row in table.rows), default=0))
        self.rows.show_table(table)

    def get_counted_player_limit(self) -> int | None:
        """Return how many players of a team count, None for all."""
        return self.best.value() or None

    def _update_player_count_choice(self, largest_team_size: int) -> None:
        catalogue, chosen_count = self.session.catalogue, self.best.value() or ALL_PLAYERS
        best = [
            (n, catalogue.plural("The best player", "The best {n}", n))
            for n in range(1, max(largest_team_size, chosen_count + 1))
        ]
        self.best.set_choices([(ALL_PLAYERS, catalogue.text("All players")), *best], chosen_count)


class TeamMatchesView(StandingsView):
    """The matches of the teams, and below the table the boards of the selected match."""

    view_id = "team-matches"
    choice_text = N_("Team matches")
    page_heading = N_("Team matches")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        widths = {"round": UNIT * 8, "tables": UNIT * 9, "first_boards": UNIT * 14, "second_boards": UNIT * 14,
                  "first_points": UNIT * 14, "second_points": UNIT * 14, "spread": UNIT * 9}  # fmt: skip
        empty, bye = text("The teams have no matches."), session.catalogue.code(ByeKind.BYE)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            shown_texts={"second_team": lambda match: match.second_team or bye},
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=text("Team matches"), empty=empty)
        self.view.set_widths(widths, stretch=("first_team", "second_team"))
        self.view.selection_changed.connect(self._show_boards_of_current_match)
        self.boards = fields.note()
        self.arrange_and_connect_view(self.view, self.boards)

    @classmethod
    def is_offered(cls, index: TournamentIndex, division: Division) -> bool:
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
        match = self.rows.row(self.view.current_key())
        if self.division is not None and isinstance(match, TeamMatchRow):
            boards = standings.list_match_boards(self.session.index, self.division, match)
            self.boards.setText("\n".join(describe_team_board(self.session.catalogue, board) for board in boards))
        else:
            self.boards.setText("")


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
            session.catalogue, name_key=session.make_sort_key, edit=self._save_rated_game_count
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Ratings"))
        self.view.set_widths(
            {"rank": UNIT * 7, "rating": UNIT * 9, "rated_games": UNIT * 14, "games": UNIT * 9, "wins": UNIT * 8,
             "expected": UNIT * 11, "performance": UNIT * 13, "new_rating": UNIT * 12, "change": UNIT * 10}
        )  # fmt: skip
        self.view.set_empty_text(self.text("No players yet.\nAdd them or import a list under Players (Ctrl+1)."))
        self.arrange_and_connect_view(
            fields.row(fields.label(self.text("Rating system")), self.system, 1), self.view, self.note
        )

    def show_table(self, division: Division, after: int) -> None:
        self.system.setEnabled(self.session.is_editable)
        self.rows.locked = not self.session.is_editable
        system = self.systems.get(division.rating or DEFAULT_RATING)
        if system is None:
            self.rows.show_table(Table("ratings", (), ()))
            self.note.setText(
                self.text("The program does not have the rating system {rating}.", rating=division.rating)
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
            call = partial(_compute_ratings, self.session.index, self.division, system, self.after)
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


MAX_ROUNDS_WITH_SCORES = 9  # with more rounds a cell has only a letter and the opponent's number


def _compute_ratings(
    index: TournamentIndex,
    division: Division,
    system: RatingSystem,
    after: int,
    *,
    progress: Callable[[int, int], None],
) -> Table[RatingChangeRow]:
    progress(0, 1)
    return standings.make_rating_table(index, division, system, after)


class CrosstableView(StandingsView):
    """The crosstable of the current division."""

    view_id = "crosstable"
    choice_text = N_("Crosstable")
    page_heading = N_("Crosstable")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        forms = [
            (False, self.text(C_("layout of the crosstable", "By round"))),
            (True, self.text(C_("layout of the crosstable", "Everybody against everybody"))),
        ]
        self.form: Choice[bool] = Choice(self.text("Layout of the crosstable"), forms, session.appearance)
        self.form.currentIndexChanged.connect(self.refresh_view)
        self.search = SearchField(self.text("Search players"), session.appearance)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key, lazy=str.isdigit)
        empty = self.text("No round has been published yet.")
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Crosstable"), empty=empty)
        self.view.allow_sideways_scrolling()
        self.view.disable_sorting()
        self.view.freeze_columns(3)
        self.search.textChanged.connect(self.view.filter_rows)
        self.footnote = fields.note()
        self.arrange_and_connect_view(fields.row(self.form, 1, self.search), self.view, self.footnote)

    @property
    def report_id(self) -> str:
        return "matrix" if self.form.value() else "crosstable"

    def show_table(self, division: Division, after: int) -> None:
        text, letter = self.session.catalogue.text, map_results_to_letters(self.session.catalogue)
        if self.form.value():
            self._show_player_matrix(division, after)
            note = text(
                "Columns are players’ numbers. {win} is a win, {draw} a draw, {loss} a loss of the row’s player.",
                **letter,
            )
        else:
            self._show_round_columns(division, after)
            note = text("{win}: won, {draw}: drew, {loss}: lost. The number is the opponent’s number.", **letter)
        self.footnote.setText(note)

    def _show_round_columns(self, division: Division, after: int) -> None:
        index, catalogue = self.session.index, self.session.catalogue
        key = ("crosstable", division.id, after, catalogue.language)
        count = len(standings.list_crosstable_rounds(index, division, after))
        table = self.session.desk.get_cached_value(
            key,
            lambda _value: self._format_round_columns(standings.make_crosstable(index, division, after), count),
        )
        has_decided_games = any(card is not None and card.decided_by for row in table.rows for card in row.rounds)
        round_width = UNIT * (7 if count > MAX_ROUNDS_WITH_SCORES else 25 if has_decided_games else 14)
        self.view.set_widths(
            {"rank": UNIT * 7, "number": UNIT * 6}
            | {column.id: UNIT * 9 for column in list_tiebreak_columns(index, division, after)}
            | {str(number): round_width for number in range(1, count + 1)},
            stretch=(),
        )
        self.rows.show_table(table)

    def _format_round_columns(self, table: Table[CrosstableRow], count: int) -> Table[CrosstableRow]:
        letter, scores = map_results_to_letters(self.session.catalogue), count <= MAX_ROUNDS_WITH_SCORES
        squares = {
            f"round_{round_index + 1}": Column(
                str(round_index + 1),
                ColumnKind.TEXT,
                partial(self._format_round_cell, round_index, letter, scores),
            )
            for round_index in range(count)
        }
        columns = tuple(squares.get(column.id) or column for column in table.columns)
        return Table("crosstable", columns, table.rows)

    def _format_round_cell(self, index: int, letters: Mapping[str, str], scores: bool, row: CrosstableRow) -> str:
        card = row.rounds[index]
        lines = list_crosstable_cell_lines(self.session.catalogue, letters, card)
        if card is not None and not scores:
            return "–" if card.bye else lines[0]
        return "  ".join(lines)

    def _show_player_matrix(self, division: Division, after: int) -> None:
        index, catalogue = self.session.index, self.session.catalogue
        table = self.session.desk.get_cached_value(
            ("matrix", division.id, after, catalogue.language),
            lambda _value: self._format_matrix_columns(standings.make_result_matrix_table(index, division, after)),
        )
        widths = {
            column.id: UNIT * (6 if column.kind in {ColumnKind.TEXT, ColumnKind.NUMBER} else 9)
            for column in table.columns
        }
        self.view.set_widths({name: px for name, px in widths.items() if name != "name"}, stretch=())
        self.rows.show_table(table)

    def _format_matrix_columns(self, table: Table[ResultMatrixRow]) -> Table[ResultMatrixRow]:
        letter = map_results_to_letters(self.session.catalogue)
        columns = tuple(
            Column(column.id, ColumnKind.TEXT, partial(_format_matrix_cell, column, letter))
            if column.id.isdigit()
            else column
            for column in table.columns
        )
        return Table("matrix", columns, table.rows)


def _format_matrix_cell(column: Column[ResultMatrixRow], letters: Mapping[str, str], row: ResultMatrixRow) -> str:
    if column.id == str(row.standing.player.number):
        return "×"
    cards = cast("tuple[PlayerCardRow, ...]", column.value(row))
    return "".join(letters[card.result] for card in cards)


MAX_NUMBER = 10_000
DEFAULT_GAMES = 6
MAX_REASONS = 3  # lines below the list


class PrizeKindControl(ChoiceControl):
    """Chooses the kind of a prize."""

    def parse_field_text(self, text: str) -> Any:
        words = {kind: self.session.catalogue.code(kind) for kind in PrizeKind}
        folded_text = fold_text(text)
        matching_kinds = [
            kind for kind, word in words.items() if folded_text and fold_text(word).startswith(folded_text)
        ]
        if not matching_kinds:
            raise CommandError("prize-kind-unknown", value=text, known=", ".join(words.values()))
        return next((kind for kind in matching_kinds if fold_text(words[kind]) == folded_text), matching_kinds[0])


class PrizeEditor(RowEditor):
    """Editor of prizes. An edit fails if the prize has changed meanwhile."""

    def bind_command_to_row(self, command: Command, key: str, **values: Any) -> partial[Tournament]:
        make_command = super().bind_command_to_row(command, key, **values)
        seen_prize = self.session.tournament.prizes.get(PrizeId(key))
        return partial(make_command, seen=seen_prize) if command is commands.edit_prize else make_command


class PrizesView(StandingsView):
    """The prizes, with a form for a new one."""

    view_id = "prizes"
    topic = "prizes"
    choice_text = N_("Prizes")
    page_heading = N_("Prizes")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last: tuple[PrizeKind, int] = (PrizeKind.RANK, 0)  # the prize added last
        self._make_winner_and_order_fields()
        text, money = session.catalogue.text, session.catalogue.format_money
        amount = {"amount": lambda row: money(row.prize.amount) if row.prize.amount else ""}
        listing = EditorListDeclaration(
            name=text("Prizes"),
            table=self._make_prize_table,
            widths={
                "kind": UNIT * 19, "prize_place": UNIT * 8, "category": UNIT * 12, "prize_games": UNIT * 9,
                "amount": UNIT * 12, "each": UNIT * 12, "text": 0, "winners": 0,
            },
            optional_columns={"prize_games"},
            empty_text=text("No prizes yet.\nChoose above what a prize is for, type the amount and press Enter."),
            column_texts=amount,
            edit_texts=amount,
            editable_columns={
                "kind": "kind", "prize_place": "place", "category": "category", "prize_games": "games",
                "amount": "amount", "text": "text",
            },
        )  # fmt: skip
        self.editor = PrizeEditor(
            session,
            fields=self._make_prize_form_fields(),
            listing=listing,
            command=commands.add_prize,
            edit=commands.edit_prize,
            remove=commands.remove_prize,
            to_command=self._make_add_command,
            error_fields={"": "amount", "prize-without-class": "category"},
            add_title=text("Add prize"),
            focus_when_adding="amount",
            arrange=self._list_editor_layout_parts,
        )
        self.rows, self.view = self.editor.rows, self.editor.view
        self.view.bind_keys({"Alt+Up": partial(self.move_prize, -1), "Alt+Down": partial(self.move_prize, 1)})
        self.view.selection_changed.connect(self._update_prize_details)
        self.arrange_and_connect_view(self.editor)

    # --- making it

    def _make_prize_form_fields(self) -> list[FormField]:
        text, heading, narrow = self.session.catalogue.text, self.session.catalogue.heading, ROW * 2
        return [
            FormField(name="kind", label="", spoken_name=text("What the prize is for"), control=PrizeKindControl),
            FormField(name="place", label=heading("prize_place"), propose=self._propose_prize_place, width=narrow,
                same_line=True,
                  maximum=MAX_NUMBER, is_shown=lambda values: values["kind"] is not PrizeKind.HAND),
            FormField(name="games", label=heading("prize_games"), value=DEFAULT_GAMES, is_kept=True, width=narrow,
                  same_line=True, maximum=MAX_NUMBER, is_shown=lambda values: values["kind"] in LUCK_PRIZES),
            FormField(name="category", label="", spoken_name=text("Category"), hint=text("Category"), is_kept=True,
                  same_line=True, width=UNIT * 14,
                  is_shown=lambda values: values["kind"] not in {PrizeKind.HAND, PrizeKind.RANK}),
            FormField(name="amount", label="", spoken_name=text("Amount"), hint=text("Amount"),
                control=MoneyControl, same_line=True,
                  width=UNIT * 12),
            FormField(name="text", label="", spoken_name=text("Prize in kind"), hint=text("or a prize in kind"),
                same_line=True),
        ]  # fmt: skip

    def _list_editor_layout_parts(self, editor: RowEditor) -> list[fields.Part]:
        line = fields.row(editor.form, editor.save_button, wide=editor.form)
        buttons = (self.up_button, self.down_button, editor.remove_button)
        footer = fields.row(self._to_label, self.given_to, 1, *buttons)
        return [line, -1, editor.view, -1, self.knockout_note, self.explanation, footer]

    def _make_winner_and_order_fields(self) -> None:
        self.explanation, self.knockout_note = fields.note(), fields.note()
        self._to_label = fields.label(self.text("Prize given to"))
        self.given_to = PlayerField(
            self.text("Prize given to"), self.session, placeholder=self.text("No player yet")
        )
        self.given_to.player_chosen.connect(self._save_hand_prize_winner)
        self.up_button = fields.button(self.text("Move up"), partial(self.move_prize, -1))
        self.down_button = fields.button(self.text("Move down"), partial(self.move_prize, 1))

    # --- showing

    def show_table(self, division: Division, after: int) -> None:
        self.editor.refresh_editor()
        self._update_prize_details()
        note = explain_knockout_prizes(self.session.catalogue, self.session.index, division, after)
        fields.show_text(self.knockout_note, note and f"{note}.")

    def _make_prize_table(self) -> Table[PrizeRow]:
        division, after, index = self.division, self.after, self.session.index
        if division is None:
            return Table("prizes", (), ())
        key = ("prizes-table", division.id, after)
        return self.session.desk.get_cached_value(
            key, lambda _value: standings.make_prize_table(index, division, after)
        )

    def current_player(self) -> PlayerId | None:
        row = self._get_current_prize_row()
        return row.award.winners[0].player.id if row and row.award.winners else None

    def _get_current_prize_row(self) -> PrizeRow | None:
        row = self.rows.row(self.view.current_key())
        return row if isinstance(row, PrizeRow) else None

    def _update_prize_details(self) -> None:
        row, catalogue = self._get_current_prize_row(), self.session.catalogue
        lines = []
        if row is not None and row.prize.kind is not PrizeKind.HAND:
            lines = self._list_award_reasons(row.award) or [
                catalogue.describe_award("vacant" if row.award.vacant else "nobody", {})
            ]
        fields.show_text(self.explanation, "\n".join(lines))
        by_hand = row is not None and row.prize.kind is PrizeKind.HAND
        self._to_label.setVisible(by_hand)
        self.given_to.setVisible(by_hand)
        if row is not None and by_hand:
            self.given_to.set_options(list_player_options(self.session), row.prize.player)
        position = self.rows.find_row_position(row.key) if row else -1
        self.up_button.setEnabled(self.session.is_editable and position > 0)
        self.down_button.setEnabled(self.session.is_editable and 0 <= position < self.rows.rowCount() - 1)
        self.given_to.setEnabled(self.session.is_editable)

    def _list_award_reasons(self, award: AwardedPrize) -> list[str]:
        catalogue, names = self.session.catalogue, dict[str, list[str]]()
        players = map_distinctly_named_players(self.session.index)
        for winner in award.winners:
            name = players[winner.player.id].name
            names.setdefault(catalogue.describe_award(winner.code, winner.facts), []).append(name)
        lines = [f"{'; '.join(names_of_reason)}: {reason}" for reason, names_of_reason in names.items()]
        hidden_count = len(lines) - MAX_REASONS
        if hidden_count > 0:
            lines[MAX_REASONS:] = [catalogue.plural("and one more", "and {n} more", hidden_count)]
        return [*lines, *filter(None, [describe_shared_prize(catalogue, award)])]

    def _propose_prize_place(self) -> int:
        kind, division = self.editor.form.get_value_if_valid("kind"), self.division
        prizes = self.session.index.prizes(division.id) if division is not None and kind in RANKED_KINDS else ()
        category = fold_text(self.editor.form.get_value_if_valid("category"))
        taken_places = {
            prize.place for prize in prizes if prize.kind is kind and fold_text(prize.category) == category
        }
        last_kind, last_place = self._last
        first = last_place + 1 if last_kind is kind and kind in RANKED_KINDS and last_place in taken_places else 1
        return next(place for place in count(first) if place not in taken_places)

    # --- doing

    def focus_new_prize_form(self) -> None:
        self.editor.get_field_widget("kind").setFocus()

    def move_prize(self, offset: int) -> None:
        row = self._get_current_prize_row()
        position = self.rows.find_row_position(row.key) + offset if row else -1
        if row is not None and self.session.is_editable and 0 <= position < self.rows.rowCount():
            self.session.do(partial(commands.move_prize, prize=row.prize.id, position=position + 1), quiet=True)

    def _make_add_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        if self.division is None:
            return None
        self._last = values["kind"], values.get("place", 0)
        return partial(commands.add_prize, key=self.session.make_row_id(), division=self.division.id, **values)

    def _save_hand_prize_winner(self, player: PlayerId | None) -> None:
        row = self._get_current_prize_row()
        if row is not None and row.prize.kind is PrizeKind.HAND and not self.given_to.has_text_without_player:
            self.session.do(partial(commands.edit_prize, prize=row.prize.id, player=player))
