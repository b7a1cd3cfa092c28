"""The player card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QTabBar
from shiboken6 import isValid

from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Absence, Division, Player, PlayerId
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ratings import DEFAULT_RATING
from tdapp.domain.standings import compute_standings
from tdapp.domain.tables import players, standings
from tdapp.domain.tables.jury_log import ChallengeRow, IncidentRow, JuryDecisionRow
from tdapp.domain.tables.players import (
    DetailedPlayerCardRow,
    NewestRoundWithoutResult,
    PlayerNote,
    RoundResistanceRow,
    find_player_status,
)
from tdapp.domain.tables.standings import RatingChangeRow
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import C_
from tdapp.gui.jury import logs, rulings
from tdapp.gui.jury.logs import ChallengesPanel, IncidentsPanel
from tdapp.gui.jury.rulings import SanctionsPanel
from tdapp.gui.players.availability import (
    AvailabilityChange,
    AvailabilityPanel,
    ConstraintsPanel,
    describe_absence,
    describe_constraint,
)
from tdapp.gui.players.leaving_dialogs import can_forfeit_open_game, can_withdraw, make_rounds_page_key_for_forfeit
from tdapp.gui.players.photos import PhotoLabel, add_photo_file, find_dropped_photo
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import FormLayout
from tdapp.gui.widgets.page import Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import LEAD, UNIT, make_scaled_font
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.phrases import describe_group_seat, format_round_and_table, format_round_in_divisions
from tdapp.i18n.scores import format_card_round_or_evening, format_player_card_score
from tdapp.services.worker import BackgroundTask


def describe_player(index: TournamentIndex, player: Player, catalogue: Catalogue) -> str:
    number = len(index.list_published_rounds(player.division)) + 1
    parts = [catalogue.text(C_("player number", "No. {number}"), number=player.number)]
    if player.rating is not None:
        parts.append(catalogue.text("rating {rating}", rating=str(player.rating_marked_if_provisional)))
    parts += [part for part in (player.club, player.country, player.category, player.team) if part]
    if player.fixed_table is not None:
        parts.append(catalogue.text("always at table {table}", table=player.fixed_table))
    if player.needs_access:
        parts.append(catalogue.text("needs an accessible table"))
    state = find_player_status(index, player, number)
    if state != "active":
        parts.append(catalogue.translate_code(state))
    if player.notes:
        parts.append(player.notes)
    return " · ".join(parts)


def describe_unfinished_round(
    item: NewestRoundWithoutResult, index: TournamentIndex, division: Division, catalogue: Catalogue
) -> str:
    draft = f" ({catalogue.translate_code('draft')})" if item.is_draft else ""
    round_name = format_round_in_divisions(catalogue, index, (division,), item.round)
    if item.seat is not None:
        return describe_group_seat(catalogue, round_name, item.seat.table, item.other_players) + draft
    if item.game is None or item.opponent is None:
        kind = catalogue.translate_code(item.bye) if item.bye else ""
        return catalogue.text(C_("missed round", "{round}: {kind}"), round=round_name, kind=kind) + draft
    facts = {
        "place": format_round_and_table(catalogue, index, item.game),
        "player": map_players_with_distinct_names(index)[item.opponent.id].name,
    }
    if item.starts is None:
        return catalogue.text("{place}: against {player}", **facts) + draft
    if item.starts:
        return catalogue.text("{place}: starts against {player}", **facts) + draft
    return catalogue.text("{place}: replies against {player}", **facts) + draft


def format_score_of_detailed_row(line: DetailedPlayerCardRow, catalogue: Catalogue) -> str:
    row = line.row
    return (
        format_player_card_score(catalogue, row) if row.decided_by is not None else row.score.replace("–", " – ")
    )


def format_spread_of_detailed_row(line: DetailedPlayerCardRow, catalogue: Catalogue) -> str:
    return (
        catalogue.translate_code("open")
        if line.row.result == "open"
        else catalogue.format_signed_value(line.row.spread)
    )


def format_starting_order(line: DetailedPlayerCardRow, catalogue: Catalogue) -> str:
    if line.row.starts is None:
        return ""
    return (
        catalogue.text(C_("first or second player", "1st"))
        if line.row.starts
        else catalogue.text(C_("first or second player", "2nd"))
    )


def get_note_kind_name(note: PlayerNote, catalogue: Catalogue) -> str:
    return {
        "sanction": catalogue.text("Sanction"),
        "ruling": catalogue.text(C_("note about a player", "Ruling")),
        "incident": catalogue.text("Incident"),
        "challenge": catalogue.text("Challenge"),
        "absence": catalogue.text("Absence"),
        "constraint": catalogue.text(C_("note about a player", "Opponent")),
    }[note.kind]


def describe_player_note(note: PlayerNote, player: Player, catalogue: Catalogue, index: TournamentIndex) -> str:
    entry = note.source
    if isinstance(entry, JuryDecisionRow):
        return (
            _describe_ruling_on_word(entry, catalogue)
            if note.kind == "ruling"
            else rulings.format_sanction_without_player_name(entry, catalogue)
        )
    if isinstance(entry, IncidentRow):
        return logs.format_incident(entry, catalogue)
    if isinstance(entry, ChallengeRow):
        verdict = catalogue.translate_code(entry.final)
        return f"{entry.words} · {verdict}" if entry.words else verdict
    if isinstance(entry, Absence):
        return describe_absence(entry, catalogue, index)
    return " · ".join(filter(None, (describe_constraint(entry, player, catalogue, index), entry.why)))


def _describe_ruling_on_word(row: JuryDecisionRow, catalogue: Catalogue) -> str:
    kind = catalogue.translate_code(row.kind)
    row_text = catalogue.text("Row {row}, {word}", row=row.row, word=row.word) if row.row else row.word
    message = catalogue.text("{where}: {message}", where=row_text, message=kind)
    return " · ".join(filter(None, (message, catalogue.describe_stored_reason(row.why), row.author)))


ROUNDS, RESISTANCE, NOTES = range(3)
_ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft


class _RatingRowsCache:
    def __init__(self) -> None:
        self.task: BackgroundTask | None = None
        self.rows: tuple[RatingChangeRow, ...] | None = None
        self.show: Callable[[tuple[RatingChangeRow, ...]], None] = lambda _rows: None

    def store_and_show_rows(self, table: Table[RatingChangeRow]) -> None:
        self.rows = table.rows
        self.show(table.rows)


class PlayerCardPanel(Panel):
    """The card of a player. The back button opens the previous card."""

    follows_selected_player = True

    def __init__(self, session: Session, player: PlayerId, trail: tuple[PlayerId, ...] = ()) -> None:
        super().__init__(session, "", width=UNIT * 62)
        self.player, self._trail = player, trail  # trail: players of the earlier cards, the latest last
        self._unfinished_round: NewestRoundWithoutResult | None = None
        self._has_unplayed_rounds = False  # some opponents have rounds without a game
        catalogue = session.catalogue
        self._back_button = fields.make_button("", self._open_previous_card, role="link")
        self.description, self.photo = fields.make_note_label(), PhotoLabel(session)
        self.setAcceptDrops(True)
        self.values: dict[str, QLabel | QPushButton] = {}  # shown values by name
        self._next_game_button = fields.make_button("", self._open_next_game, role="fact")
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(catalogue.text(C_("player’s card", "Section of the card")))
        for part in (catalogue.text("Rounds"), catalogue.text("Resistance"), catalogue.text("Notes")):
            self.tabs.addTab(part)
        self.tabs.currentChanged.connect(self._show_card_tab)
        self._leaving_buttons = (
            fields.make_button(catalogue.text("Forfeit…"), self._go_to_game_to_forfeit, role="link"),
            fields.make_button(catalogue.text("Withdraw…"), self._open_withdrawal_panel, role="link"),
        )
        self._make_card_tables()
        self.unplayed_note = fields.make_note_label()
        self.links = self._make_link_buttons()
        line = fields.make_row(*self.links.values(), 1, gap=0)
        next_game_row = fields.make_row(self._next_game_button, 1, *self._leaving_buttons)
        fields.add_parts_to_layout(
            self.body, fields.make_row(self._back_button, 1),
            fields.make_row(self.description, self.photo, wide=self.description),
            self._build_player_facts(), next_game_row, self.tabs,
            self._stack,
            self.unplayed_note, line, wide=self._stack,
        )  # fmt: skip
        self._show_card_tab(ROUNDS)

    # --- interface for the window

    def refresh_panel(self) -> None:
        player = self.session.tournament.players.get(self.player)
        if player is None:
            self.closed.emit()
            return
        index, catalogue = self.session.index, self.session.catalogue
        division = index.tournament.divisions[player.division]
        self.heading.setText(map_players_with_distinct_names(index)[player.id].name)
        self.description.setText(describe_player(index, player, catalogue))
        self.photo.show_photo_or_hide(player.id)
        self._update_back_button()
        self._show_standing(index, division)
        self._show_rating(index, division)
        self._show_next_game(index, player)
        self._fill_card_tables(index, player)
        note = catalogue.text(
            "Values in brackets are for rounds without a game. Rule: {rule}.", rule=division.unplayed
        )
        self.unplayed_note.setText(note)
        self._update_link_buttons()
        for button, condition in zip(self._leaving_buttons, (can_forfeit_open_game, can_withdraw), strict=True):
            button.setVisible(condition(self.session, self.player))

    def switch_to_selected_players(self, players: Sequence[PlayerId]) -> None:
        self.player, self._trail = players[0], ()
        self.refresh_panel()

    def show_resistance_tab(self) -> None:
        self.tabs.setCurrentIndex(RESISTANCE)
        self.visible_table.setFocus()

    def _open_previous_card(self) -> None:
        if self._trail:
            self._open_panel(PlayerCardPanel(self.session, self._trail[-1], self._trail[:-1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace and self._trail:
            self._open_previous_card()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not self.session.is_read_only_or_not_director and find_dropped_photo(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = find_dropped_photo(event)
        if path is not None:
            event.acceptProposedAction()
            add_photo_file(self.session, self.player, path)

    # --- build

    def _build_player_facts(self) -> FormLayout:
        text, form = self.session.catalogue.text, FormLayout()
        texts = {
            "place": text("Rank"), "record": text("Match points, spread"),
            "starts": text(C_("numbers of games", "Starts · replies")), "resistance": text("Resistance"),
            "rating": text("Rating"), "performance": text("Performance"),
        }  # fmt: skip
        resistance = fields.make_button("", self.show_resistance_tab, role="fact")
        resistance.setFont(make_scaled_font(LEAD, bold=True))
        for index, (name, label) in enumerate(texts.items()):
            value = self.values[name] = resistance if name == "resistance" else fields.make_label("", "lead")
            value.setAccessibleDescription(label)
            row, column = divmod(index, 2)
            form.addWidget(fields.make_label(label, "muted"), row, 2 * column)
            form.addWidget(value, row, 2 * column + 1, _ALIGN_LEFT if value is resistance else Qt.AlignmentFlag(0))
        form.setColumnStretch(1, 2)
        form.setColumnStretch(3, 3)
        form.setVerticalSpacing(UNIT // 2)
        return form

    def _make_card_tables(self) -> None:
        catalogue, text = self.session.catalogue, self.session.catalogue.text
        self.rows = TableRowsModel(
            catalogue,
            shown_texts={
                "round_short": lambda line: format_card_round_or_evening(catalogue, line.row),
                "start_short": partial(format_starting_order, catalogue=catalogue),
                "opponent": lambda line: self._format_opponent_or_bye(line.opponent_id, line.row.bye),
                "score": partial(format_score_of_detailed_row, catalogue=catalogue),
                "result": partial(format_spread_of_detailed_row, catalogue=catalogue),
            },
        )
        self.parts = TableRowsModel(
            catalogue,
            shown_texts={
                "opponent": lambda line: self._format_opponent_or_bye(line.opponent_id, line.part.bye),
                "resistance": self._format_resistance,
            },
        )
        kind = partial(get_note_kind_name, catalogue=catalogue)
        self.note_rows = TableRowsModel(catalogue, shown_texts={"kind": kind, "note": self._describe_note})
        self.view = self._make_player_card_table(
            self.rows, text("Rounds"), text("No round has been published yet.")
        )
        self.view.set_widths(
            {"round": 40, "table": 40, "starts": 48, "score": 128, "result": 72, "resistance": 56}
        )
        parts = self._make_player_card_table(
            self.parts, text("Resistance points"), text("No round has been published yet.")
        )
        parts.set_widths({"round": 64, "resistance": 88, "total": 72})
        notes_table = self._make_player_card_table(
            self.note_rows, text("Notes"), text("No notes and no missed rounds.")
        )
        notes_table.set_widths({"round": 64, "kind": 104}, stretch=("note",))
        self._stack = QStackedWidget()
        self._row_handlers: dict[TableView, Callable[[str], None]] = {
            self.view: partial(self._open_opponent_card, self.rows),
            parts: partial(self._open_opponent_card, self.parts), notes_table: self._open_page_or_panel_of_note,
        }  # fmt: skip
        for view, handler in self._row_handlers.items():
            self._stack.addWidget(view)
            view.row_activated.connect(handler)
            view.current_row_changed.connect(self._update_link_buttons)

    def _make_player_card_table(self, rows: TableRowsModel, name: str, empty: str) -> TableView:
        table = TableView(rows, appearance=self.session.appearance, name=name, empty=empty)
        table.disable_sorting()
        return table

    def _make_link_buttons(self) -> dict[str, QPushButton]:
        text, link = self.session.catalogue.text, partial(fields.make_button, role="link")
        return {
            "opponent": link(text("Opponent’s card"), self._open_target_of_current_row),
            "table": link(text("Table"), partial(self._open_game_of_current_row, "rounds")),
            "sheet": link(text("Score sheet"), partial(self._open_game_of_current_row, "jury")),
            "there": link(text(C_("link", "Open this page")), self._open_target_of_current_row),
            "absences": link(text("Absences…"), partial(self._open_player_panel, AvailabilityPanel)),
            "constraints": link(text("Pairing constraints…"), partial(self._open_player_panel, ConstraintsPanel)),
            "sanctions": link(text("Sanctions…"), partial(self._open_player_panel, SanctionsPanel)),
        }

    # --- display

    def _update_back_button(self) -> None:
        players = map_players_with_distinct_names(self.session.index)
        self._trail = tuple(player for player in self._trail if player in players)
        self._back_button.setVisible(bool(self._trail))
        if self._trail:
            name = players[self._trail[-1]].name
            self._back_button.setText(self.text("← {player}", player=name))

    def _show_standing(self, index: TournamentIndex, division: Division) -> None:
        ranked_rows = compute_standings(index, division)
        own_row = next((row for row in ranked_rows if row.player.id == self.player), None)
        texts: dict[str, str] = {}
        if own_row is not None:
            catalogue = self.session.catalogue
            points = (
                f"{catalogue.format_points(own_row.match_points)}–{catalogue.format_points(own_row.games_lost)}"
            )
            texts = {
                "place": catalogue.text(C_("rank", "{rank} of {all}"), rank=own_row.rank, all=len(ranked_rows))
                if own_row.rank_unless_disqualified
                else catalogue.translate_code(own_row.status),
                "record": f"{points}   {catalogue.format_signed_value(own_row.spread)}",
                "starts": f"{own_row.starts} · {own_row.replies}",
                "resistance": catalogue.format_points(own_row.resistance_points),
            }
        for name in ("place", "record", "starts", "resistance"):
            self.values[name].setText(texts.get(name, "–"))

    def _show_rating(self, index: TournamentIndex, division: Division) -> None:
        system = self.session.resources.rating_systems.get(division.rating or DEFAULT_RATING)
        self.values["performance"].setText("–")
        rating = index.tournament.players[self.player].rating_marked_if_provisional
        self.values["rating"].setText("–" if rating is None else str(rating))
        if system is None:
            return
        key = ("card-ratings", division.id, system.id)
        cache = self.session.desk.get_cached_value(key, lambda _value: _RatingRowsCache())
        cache.show = self._show_computed_rating
        if cache.rows is not None:
            self._show_computed_rating(cache.rows)
        elif cache.task is None or cache.task.ended:  # a failed or stopped task leaves no rows
            label = self.text("Calculating ratings…")
            call = partial(
                standings.make_rating_table, index, division, system, len(index.list_published_rounds(division.id))
            )
            cache.task = self.session.run_in_background(call, on_success=cache.store_and_show_rows, label=label)

    def _show_computed_rating(self, rating_rows: tuple[RatingChangeRow, ...]) -> None:
        rated_player = next((row.rated_player for row in rating_rows if row.key == self.player), None)
        if rated_player is None or not isValid(self):
            return
        if rated_player.games and rated_player.new is not None:
            before = (
                "–"
                if rated_player.player.rating is None
                else str(rated_player.player.rating_marked_if_provisional)
            )
            self.values["rating"].setText(f"{before} → {rated_player.new}")
        if rated_player.performance is not None:
            self.values["performance"].setText(str(rated_player.performance))

    def _show_next_game(self, index: TournamentIndex, player: Player) -> None:
        catalogue = self.session.catalogue
        self._unfinished_round = players.find_unfinished_round(index, player)
        self._next_game_button.setVisible(self._unfinished_round is not None)
        if self._unfinished_round is not None:
            division = index.tournament.divisions[player.division]
            text = describe_unfinished_round(self._unfinished_round, index, division, catalogue)
            self._next_game_button.setText(catalogue.text(C_("next game", "Next: {what}"), what=text))

    def _fill_card_tables(self, index: TournamentIndex, player: Player) -> None:
        text = self.session.catalogue.text
        self.rows.show_table(players.make_detailed_player_card_table(index, player))
        parts = players.make_resistance_table(index, player)
        self._has_unplayed_rounds = any(line.part.is_dummy for line in parts.rows)
        self.parts.show_table(parts)
        notes = players.make_player_note_table(index, player, show_words=not self.session.is_judge_screen_open)
        self.note_rows.show_table(notes)
        self.tabs.setTabText(NOTES, text("Notes ({n})", n=len(notes.rows)) if notes.rows else text("Notes"))

    def _format_resistance(self, line: RoundResistanceRow) -> str:
        points = self.session.catalogue.format_points(line.resistance)
        return f"({points})" if line.part.is_dummy else points

    def _format_opponent_or_bye(self, opponent: PlayerId | None, bye: str) -> str:
        if bye:
            return self.session.catalogue.translate_code(bye)
        return map_players_with_distinct_names(self.session.index)[opponent].name if opponent else ""

    def _describe_note(self, note: PlayerNote) -> str:
        session = self.session
        player = session.tournament.players[self.player]
        return describe_player_note(note, player, session.catalogue, session.index)

    # --- links

    def _show_card_tab(self, tab: int) -> None:
        self._stack.setCurrentIndex(tab)
        self.setFocusProxy(self.visible_table)
        self._update_link_buttons()

    @property
    def visible_table(self) -> TableView:
        return next(view for view in self._row_handlers if view is self._stack.currentWidget())

    def _find_selected_round_row(self) -> DetailedPlayerCardRow | None:
        line: DetailedPlayerCardRow | None = (
            self.rows.find_row_by_key(self.view.get_current_row_key()) if self.visible_table is self.view else None
        )
        return line

    def _update_link_buttons(self, _key: str = "") -> None:
        part, line = self._stack.currentIndex(), self._find_selected_round_row()
        has_row = bool(self.visible_table.get_current_row_key())
        link_names = {ROUNDS: ("opponent", "table", "sheet"), RESISTANCE: ("opponent",),
                 NOTES: ("there", "absences", "constraints", "sanctions")}[part]  # fmt: skip
        for name, link in self.links.items():
            link.setVisible(name in link_names)
        self.links["opponent"].setEnabled(line.opponent_id is not None if line else has_row and part == RESISTANCE)
        self.links["there"].setEnabled(has_row)
        for name in ("table", "sheet"):
            self.links[name].setEnabled(line is not None and line.game is not None)
        has_sheets = line is not None and line.sheets
        self.links["sheet"].setText(self.text("Score sheet") if has_sheets else self.text("Enter a sheet"))
        self.unplayed_note.setVisible(part == RESISTANCE and self._has_unplayed_rounds)

    def _open_target_of_current_row(self) -> None:
        key = self.visible_table.get_current_row_key()
        if key:
            self._row_handlers[self.visible_table](key)

    def _open_opponent_card(self, rows: TableRowsModel, key: str) -> None:
        line: DetailedPlayerCardRow | RoundResistanceRow = rows.find_row_by_key(key)
        if line.opponent_id is not None:
            self._open_panel(PlayerCardPanel(self.session, line.opponent_id, (*self._trail, self.player)))

    def _open_game_of_current_row(self, page: str) -> None:
        line = self._find_selected_round_row()
        if line is not None and line.game is not None:
            self.page_requested.emit(page, line.game)

    def _open_next_game(self) -> None:
        if self._unfinished_round is not None:
            self.session.choose_round(self._unfinished_round.round)
            game, seat = self._unfinished_round.game, self._unfinished_round.seat
            self.page_requested.emit("rounds", game.id if game else str(seat.table) if seat else "")

    def _open_page_or_panel_of_note(self, key: str) -> None:
        row: PlayerNote = self.note_rows.find_row_by_key(key)
        match row.kind:
            case "ruling":
                self.page_requested.emit("jury", row.game or "")
            case "sanction":
                self._open_player_panel(SanctionsPanel)
            case "incident":
                self._open_panel(IncidentsPanel(self.session))
            case "challenge":
                self._open_panel(ChallengesPanel(self.session))
            case "absence":
                self._open_player_panel(AvailabilityPanel)
            case _:
                self._open_player_panel(ConstraintsPanel)

    def _go_to_game_to_forfeit(self) -> None:
        self.page_requested.emit("rounds", make_rounds_page_key_for_forfeit(self.session, self.player))

    def _open_withdrawal_panel(self) -> None:
        self._open_panel(AvailabilityPanel(self.session, self.player, AvailabilityChange.LEAVE))

    def _open_player_panel(self, make_panel: Callable[[Session, PlayerId], Panel]) -> None:
        self._open_panel(make_panel(self.session, self.player))

    def _open_panel(self, panel: Panel) -> None:
        self.panel.emit(panel)
        panel.setFocus()
