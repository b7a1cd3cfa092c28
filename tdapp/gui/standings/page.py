"""The Standings page: ranks and tie-breaks after a round, and other views."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TypeVar, cast

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from tdapp.domain.model import Division, PlayerId, Season
from tdapp.domain.prizes import list_categories
from tdapp.domain.records import list_configured_spread_caps
from tdapp.domain.seasons import find_division_season
from tdapp.domain.stages import find_first_counted_round, find_stage_of_last_published_round
from tdapp.domain.standings import Standing, explain_rank, find_tiebreak_order
from tdapp.domain.tables import standings, statistics
from tdapp.domain.tables.standings import CategoryRankRow
from tdapp.domain.tables.table import Table
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.domain.translatable import C_
from tdapp.gui.players.card import PlayerCardPanel
from tdapp.gui.printouts.preview import PrintPreview
from tdapp.gui.shell.actions import Action, is_always_enabled
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.charts import RankChancesView, RankHistoryView, ScoreDistributionView
from tdapp.gui.standings.crosstable_view import CrosstableView
from tdapp.gui.standings.prizes_view import PrizesView
from tdapp.gui.standings.ratings_view import RatingsView
from tdapp.gui.standings.season import MemberSeasonPanel, SeasonsPanel, SeasonView, SeasonViewWithDateChoice
from tdapp.gui.standings.season_events import SeasonEventsPanel
from tdapp.gui.standings.season_ratings import SeasonRatingsView
from tdapp.gui.standings.season_rules import SeasonRuleDrafts, SeasonRulesPanel
from tdapp.gui.standings.standings_view import StandingsView
from tdapp.gui.standings.team_views import TeamMatchesView, TeamsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.page import FocusDelegation, Page, Panel
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.scroll_body import StackWithFastRestyling
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.texts import ElidedLabel
from tdapp.gui.widgets.theme import UNIT, scale_pixels
from tdapp.i18n.phrases import (
    describe_checked_games,
    describe_ranking,
    format_round,
    format_round_in_divisions,
    make_standings_title,
)

AFTER_LAST_ROUND = 0  # means: after all published rounds
RANKING, GROUP = "ranking", "group"  # kinds of choices; other kinds are ids of views
ALL_PLAYERS = (RANKING, "")
CHARTS = RankHistoryView, ScoreDistributionView
SIDE_VIEWS: Sequence[type[StandingsView]] = (
    SeasonView, SeasonRatingsView, CrosstableView, *CHARTS, TeamsView, TeamMatchesView, RatingsView, PrizesView,
    RankChancesView,
)  # fmt: skip
V = TypeVar("V", bound=StandingsView)


class StandingsViewStack(FocusDelegation, StackWithFastRestyling):
    """The views of the page, one visible at a time."""

    def minimumSizeHint(self) -> QSize:
        view = self.currentWidget()
        return view.minimumSizeHint() if view is not None else QSize()


class StandingsPage(Page):
    """Standings of the current division."""

    id = "standings"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key, tone=_choose_row_tone)
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Standings"))
        self.view.set_widths(
            {"rank": 56, "number": 48, "games": 64, "wins": 64, "losses": 64, "spread": 72, "points": 72}
        )
        self.view.hide_columns_if_too_narrow(("games", "points", "starts", "rating", "number"))
        self.view.row_activated.connect(self._open_player_card)
        self.view.clicked.connect(self._open_current_player_card)
        self.view.selection_changed.connect(self.cursor_moved)
        self.view.selection_changed.connect(self._explain_selected_rank)
        self.rows.rows_changed.connect(self._select_row_if_none_is_selected)
        self._ranked_players: Sequence[Standing] = ()  # the shown players
        self.after: Choice[int] = Choice(self.text("After round"), [], session.appearance)
        self.after.currentIndexChanged.connect(self.refresh_page)
        self.search = SearchField(self.text("Search players"), session.appearance)
        self.search.textChanged.connect(self.view.filter_rows)
        self.order = ElidedLabel("muted")
        self.order.setMinimumWidth(scale_pixels(UNIT))
        self.order.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.explanation = fields.make_label("", "muted", wrap=True, is_announced=True)
        self._ranking = QWidget()
        fields.make_column(self.view, self.explanation, gap=UNIT * 2, parent=self._ranking).setStretch(0, 1)
        self.part: Choice[tuple[str, str]] = Choice(self.text("Show"), [], session.appearance)
        self.part.currentIndexChanged.connect(self._show_chosen_view)
        self._season_drafts: SeasonRuleDrafts = {}
        self._player_filter = ALL_PLAYERS  # whose standings are shown: of all players, a category or a group
        self._view_stack = StandingsViewStack()
        session.appearance.changing.connect(self._view_stack.detach_hidden_widgets_before_restyling)
        self._views: dict[type[StandingsView], StandingsView] = {}
        self._view_stack.addWidget(self._ranking)
        self._build_layout()

    def _build_layout(self) -> None:
        for choice in (self.part, self.after):
            choice.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        line = fields.make_row(fields.WrappingRow(self.part, self.after), self.order, self.search, wide=self.order)
        fields.add_parts_to_layout(self.body, line, self._view_stack, wide=self._view_stack)
        self.setFocusProxy(self._view_stack)
        self._view_stack.setFocusProxy(self.view)

    def get_or_make_view(self, kind: type[V]) -> V:
        if kind not in self._views:
            view = self._views[kind] = kind(self.session)
            view.player_chosen.connect(self._open_player_card)
            view.current_row_changed.connect(self.cursor_moved)
            self._view_stack.addWidget(view)
            self.layout_grown.emit()
        return cast("V", self._views[kind])

    def get_help_topic(self) -> str:
        part = self._view_stack.currentWidget()
        return part.topic if isinstance(part, StandingsView) else self.id

    def list_page_actions(self) -> tuple[Action, ...]:
        session, text = self.session, self.session.catalogue.text
        row = partial(Action, menu="standings", enabled=lambda: session.division is not None)
        view_classes = (RatingsView, TeamsView, TeamMatchesView, CrosstableView, *CHARTS)
        return (
            row("standings", text("Standings"), self._show_standings_of_all_players, "standings", "F7",
                enabled=is_always_enabled),
            row("season", text("Season"), partial(self._show_and_focus_view, SeasonView), shortcut="Shift+F7"),
            row("seasons", text("Seasons…"), lambda: self.show_panel(SeasonsPanel(session, self._season_drafts))),
            row("season-rules", text("Season rules"), self._open_season_rules,
                enabled=lambda: bool(session.is_open and session.index.listed_seasons)),
            row("season-ratings", text("Season ratings"),
                partial(self._show_and_focus_view, SeasonRatingsView)),
            row("season-events", text("Events from other files…"), self._open_season_events,
                shortcut="Ctrl+Shift+F7", enabled=lambda: bool(session.is_open and session.index.listed_seasons)),
            row("season-member", text("Evenings of the selected player"), self._open_member_evenings_panel,
                enabled=lambda: bool(session.is_open and session.index.listed_seasons)),
            row("chances", text("Chances"), partial(self._show_and_focus_view, RankChancesView), "chances",
                "Ctrl+F7", header=True),
            row("prizes", text("Prizes"), self._show_prizes, "prize"),
            *(row(view_class.view_id, text(view_class.page_heading),
                  partial(self._show_and_focus_view, view_class),
                  menu="statistics" if view_class in CHARTS else "standings") for view_class in view_classes),
            row("balance", text("Balance of starts, repeats and byes"),
                lambda: self.show_panel(StartsRepeatsAndByesPanel(session)), shortcut="Ctrl+Shift+E",
                menu="statistics"),
            row("copy-standings", text("Copy"), self._copy_rows, "copy", menu="copies-standings", header=True,
                enabled=is_always_enabled),
            row("copy-season", text("Copy the season as text"), self._copy_season_as_chat_message,
                menu="copies-standings", enabled=lambda: bool(session.is_open and session.index.listed_seasons)),
            row("print-standings", text("Print…"), self.open_print_preview, "print", "F8", menu="copies-standings",
                header=True),
        )  # fmt: skip

    def refresh_page(self) -> None:
        session, text = self.session, self.session.catalogue.text
        division = session.division
        if division is None:
            self._view_stack.setCurrentWidget(self._ranking)
            self.set_title(text("Standings"))
            self.rows.show_table(Table("standings", (), ()))
            self._ranked_players = ()
            self._explain_selected_rank()
            self.view.set_empty_text(text("First add a division, under Tournament."))
            return
        part = self._view_stack.currentWidget()
        self._update_round_choice(division)
        self._update_view_choice(division)
        if isinstance(part, StandingsView):
            number = self._get_shown_round_number() or 0
            self.set_title(part.make_title(division, number), self._make_note_for_page_title(division))
            part.show_division(division, number)
        else:
            self._refresh_ranking(division)

    def _refresh_ranking(self, division: Division) -> None:
        session, text = self.session, self.session.catalogue.text
        after, (kind, word) = self._get_shown_round_number(), self._player_filter
        if kind == RANKING and word:
            category_table = standings.make_category_table(session.index, division, word, after)
            self.rows.show_table(category_table)
            self._ranked_players = tuple(row.standing for row in category_table.rows)
        else:
            table = self._make_standings_table(division, int(word or 0))
            self.rows.show_table(table)
            self._ranked_players = table.rows
        self._explain_selected_rank()
        self.view.set_empty_text(text("No players yet.\nAdd them or import a list under Players (Ctrl+1)."))
        self.set_title(self._make_ranking_title(division), self._make_note_for_page_title(division))
        order = find_tiebreak_order(session.index, division, after)
        parts = [describe_ranking(session.catalogue, session.index, division, after, in_group=kind == GROUP)]
        caps = list_configured_spread_caps(session.index, division)
        if any(caps):
            caps_text = ", ".join(str(cap) if cap else text(C_("spread cap of a round", "none")) for cap in caps)
            parts.append(text("spread cap by round: {caps}", caps=caps_text))
        self.order.set_full_text(" · ".join(parts))
        explanations = (session.catalogue.explain_column(TIEBREAKS[tiebreak].text_id) for tiebreak in order)
        self.order.setToolTip("\n".join([*parts, *explanations]))

    def _make_standings_table(self, division: Division, group: int = 0) -> Table[Standing]:
        index, after = self.session.index, self._get_shown_round_number()
        return self.session.desk.get_cached_value(
            ("standings-table", division.id, after, group),
            lambda _value: standings.make_standings_table(index, division, after, group=group),
        )

    def get_current_player_id(self) -> PlayerId | None:
        part = self._view_stack.currentWidget()
        if isinstance(part, StandingsView):
            return part.get_current_player_id()
        return PlayerId(self.view.get_current_row_key()) or None

    def reveal_row(self, key: str) -> None:
        self._show_standings_of_all_players()
        self.search.clear()
        self.view.select_row(key)

    def get_view_to_restore(self) -> object:
        part = self._view_stack.currentWidget()
        return (type(part) if isinstance(part, StandingsView) else None), self._player_filter

    def restore_view_choice(self, view: object) -> None:
        kind, self._player_filter = cast("tuple[type[StandingsView] | None, tuple[str, str]]", view)
        self._show_and_focus_view(kind)

    def choose_first_view(self) -> None:
        self._player_filter = ALL_PLAYERS
        self._set_visible_view(None)

    def _show_standings_of_all_players(self) -> None:
        self._player_filter = ALL_PLAYERS
        self._show_and_focus_view()

    def _show_prizes(self) -> None:
        self._show_and_focus_view(PrizesView)
        prizes = self.get_or_make_view(PrizesView)
        if self.session.is_editable and not prizes.rows.rowCount():
            prizes.focus_new_prize_form()

    def _update_view_choice(self, division: Division) -> None:
        text, part = self.session.catalogue.text, self._view_stack.currentWidget()
        groups = sorted(
            {row.group for row in self._make_standings_table(division).rows if row.group and not row.out}
        )
        categories = list_categories(self.session.index.players(division.id))
        choices = [(ALL_PLAYERS, text("Everyone"))]
        choices += [((GROUP, str(group)), text("Group {group}", group=group)) for group in groups]
        choices += [
            ((RANKING, category), text("Category {category}", category=category)) for category in categories
        ]
        if self._player_filter not in dict(choices):
            self._player_filter = ALL_PLAYERS
        choices += [
            ((view_class.view_id, ""), text(view_class.choice_text))
            for view_class in SIDE_VIEWS
            if view_class.is_available_for_division(self.session.index, division) or isinstance(part, view_class)
        ]
        self.part.set_choices(
            choices, (part.view_id, "") if isinstance(part, StandingsView) else self._player_filter
        )
        self.after.setVisible(not isinstance(part, (RankChancesView, SeasonViewWithDateChoice)))
        if part is not self._ranking:
            self.order.set_full_text("")  # an empty text keeps the size of the choices
        self.search.setVisible(part is self._ranking)

    def _show_chosen_view(self, _index: int) -> None:
        choice = self.part.value() or ALL_PLAYERS
        kind = next((view_class for view_class in SIDE_VIEWS if view_class.view_id == choice[0]), None)
        self._player_filter = ALL_PLAYERS if kind else choice
        self._set_visible_view(kind)
        self.refresh_page()
        self.cursor_moved.emit()

    def _set_visible_view(self, kind: type[StandingsView] | None) -> None:
        part = self.get_or_make_view(kind) if kind else self._ranking
        self._view_stack.setCurrentWidget(part)
        self._view_stack.setFocusProxy(self.view if part is self._ranking else part)

    def _show_and_focus_view(self, kind: type[StandingsView] | None = None) -> None:
        self._set_visible_view(kind)
        if self.session.is_open:
            self.refresh_page()
        self._view_stack.setFocus()
        self.cursor_moved.emit()

    def _copy_rows(self) -> None:
        part = self._view_stack.currentWidget()
        (part if isinstance(part, StandingsView) else self.view).copy_rows()

    def _find_current_season(self) -> Season | None:
        division, shown_season = self.session.division, self.get_or_make_view(SeasonView).find_shown_season()
        return shown_season or (
            find_division_season(self.session.index, division.id) if division is not None else None
        )

    def _open_season_rules(self) -> None:
        season = self._find_current_season()
        if season is not None:
            self.show_panel(SeasonRulesPanel(self.session, self._season_drafts, season))

    def _open_season_events(self) -> None:
        season = self._find_current_season()
        if season is not None:
            self.show_panel(SeasonEventsPanel(self.session, season))

    def _open_member_evenings_panel(self) -> None:
        player, season = self.get_current_player_id(), self._find_current_season()
        if player is not None and season is not None:
            self.show_panel(MemberSeasonPanel(self.session, season.id, player))

    def _copy_season_as_chat_message(self) -> None:
        self._show_and_focus_view(SeasonView)
        QGuiApplication.clipboard().setText(self.get_or_make_view(SeasonView).format_season_as_chat_message())

    def open_print_preview(self) -> None:
        part, (kind, word) = self._view_stack.currentWidget(), self._player_filter
        teams, season = self._views.get(TeamsView), None
        if isinstance(part, SeasonViewWithDateChoice):
            season = part.find_shown_season()
        PrintPreview(
            self.session,
            part.report_id if isinstance(part, StandingsView) else "standings",
            round=self._get_shown_round_number(),
            date=part.get_date_of_shown_standings() if isinstance(part, StandingsView) else "",
            category=season.name if season is not None else word if kind == RANKING else "",
            best=teams.get_counted_player_limit() if isinstance(teams, TeamsView) else None,
            parent=self.window(),
        ).open()

    def _select_row_if_none_is_selected(self) -> None:
        if self.rows.keys() and not self.view.list_selected_keys():
            self.view.select_row(self.view.get_current_row_key() or self.rows.keys()[0])

    def _explain_selected_rank(self) -> None:
        key = self.view.get_current_row_key()
        reason = next(
            (explain_rank(row, next_row) for row, next_row in pairwise(self._ranked_players) if row.key == key),
            None,
        )
        self.explanation.setText(self.session.catalogue.explain_rank(reason.code, reason.facts) if reason else "")

    def _get_shown_round_number(self) -> int | None:
        division = self.session.division
        return self.after.value() or (
            self.session.index.get_last_round_with_results(division.id) if division else None
        )

    def _update_round_choice(self, division: Division) -> None:
        text, chosen_round = self.session.catalogue.text, self.after.value() or AFTER_LAST_ROUND
        numbers = [item.number for item in self.session.index.list_published_rounds(division.id)]
        choices = [(AFTER_LAST_ROUND, text("After the last round"))]
        choices += [
            (number, self._describe_standings_after_round(division, number)) for number in reversed(numbers[:-1])
        ]
        self.after.set_choices(choices, chosen_round if chosen_round in numbers[:-1] else AFTER_LAST_ROUND)

    def _describe_standings_after_round(self, division: Division, number: int) -> str:
        session, text = self.session, self.session.catalogue.text
        stage, next_stage = (
            session.index.find_stage(division.id, round_number) for round_number in (number, number + 1)
        )
        if stage is not None and stage.evening:
            return format_round_in_divisions(session.catalogue, session.index, (division,), number)
        if stage is None or next_stage is None or stage.id == next_stage.id:
            return text("After round {round}", round=number)
        return text(
            "After round {round}: {system}", round=number, system=session.catalogue.translate_code(stage.system)
        )

    def _make_ranking_title(self, division: Division) -> str:
        text, index, (kind, word) = self.session.catalogue.text, self.session.index, self._player_filter
        message = make_standings_title(
            self.session.catalogue, index, division, self._get_shown_round_number() or 0
        )
        if kind == GROUP:
            return text("{title}: group {group}", title=message, group=word)
        return text("{title}: category {category}", title=message, category=word) if word else message

    def _make_note_for_page_title(self, division: Division) -> str:
        number, index, plural = (
            self._get_shown_round_number() or 0,
            self.session.index,
            self.session.catalogue.plural,
        )
        stage = find_stage_of_last_published_round(index, division.id, number)
        first_round = index.get_first_round_number(stage.id) if stage is not None and stage.evening else 1
        parts = [
            plural(
                "{round}: {n} result is missing",
                "{round}: {n} results are missing",
                n,
                round=format_round(self.session.catalogue, index, item),
            )
            for item in index.list_published_rounds(division.id)
            if first_round <= item.number <= number and (n := len(index.list_open_tables(item.id)))
        ]
        parts.append(describe_checked_games(self.session.catalogue, index, division, number))
        parts += self._list_stage_notes(division, number)
        return " · ".join(filter(None, parts))

    def _list_stage_notes(self, division: Division, number: int) -> list[str]:
        index, text = self.session.index, self.session.catalogue.text
        stage, next_stage = (
            find_stage_of_last_published_round(index, division.id, number),
            index.find_stage(division.id, number + 1),
        )
        if stage is None:
            return []
        parts = []
        if find_first_counted_round(index, stage) > 1 and not stage.evening:
            parts.append(
                text("Results count only from round {first} on", first=find_first_counted_round(index, stage))
            )
        if next_stage is not None and next_stage.id != stage.id and next_stage.cut is not None:
            facts = {"n": next_stage.cut, "system": self.session.catalogue.translate_code(next_stage.system)}
            parts.append(text("Next stage, top {n}: {system}", **facts))
        return parts

    def _open_current_player_card(self, _index: object) -> None:
        self._open_player_card(self.view.get_current_row_key())

    def _open_player_card(self, key: str) -> None:
        if key:
            self.panel.emit(PlayerCardPanel(self.session, PlayerId(key)))


class StartsRepeatsAndByesPanel(Panel):
    """Shows a table about each player's starts, repeated pairings and byes in the published rounds."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Balance of starts, repeats and byes"), width=UNIT * 74)
        self._summary = fields.make_note_label()
        hidden = {"number", "starts", "replies", "absences"}
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            hidden=hidden,
            heat=statistics.compute_imbalance_in_column,
        )
        empty = self.text("No round has been published yet.")
        self.view = TableView(
            self.rows,
            appearance=session.appearance,
            name=self.text("Balance of starts, repeats and byes"),
            empty=empty,
        )
        widths = {"rank": 52, "start_balance": 76, "in_a_row": 80, "repeats": 80, "byes": 60}
        self.view.set_widths(widths, stretch=("name",))
        fields.add_parts_to_layout(self.body, self._summary, self.view, wide=self.view)
        self.setFocusProxy(self.view)

    def refresh_panel(self) -> None:
        session = self.session
        division = session.division
        if division is None:
            self.closed.emit()
            return
        index = session.index
        table = session.desk.get_cached_value(
            ("balance", division.id), lambda _value: statistics.make_starts_and_byes_table(index, division)
        )
        self.rows.show_table(table)
        uneven_count = sum(abs(row.balance) > 1 for row in table.rows)
        repeats = sum(row.repeats for row in table.rows) // 2
        plural = session.catalogue.plural
        parts = [
            plural("after one round", "after {n} rounds", len(index.list_published_rounds(division.id))),
            plural(
                "{n} player whose starts and replies differ by two or more",
                "{n} players whose starts and replies differ by two or more",
                uneven_count,
            ),
            plural("{n} repeat pairing", "{n} repeat pairings", repeats),
        ]
        self._summary.setText(" · ".join(parts))


def _choose_row_tone(row: Standing | CategoryRankRow) -> str:
    return "" if row.status == "active" else "muted"
