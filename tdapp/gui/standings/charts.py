"""Charts of the Standings page."""

from __future__ import annotations

from collections import Counter
from functools import partial

from PySide6.QtWidgets import QStackedWidget, QWidget

from tdapp.domain.model import Division
from tdapp.domain.tables import statistics
from tdapp.domain.tables.statistics import PointsDistribution, RankHistoryRow
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import C_, N_
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.standings_view import BackgroundComputedView, StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.charts import ChartBar, ChartLine, Histogram, LineChart
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.rows import TableRowsModel
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import capitalize_first, explain_shared_ranks
from tdapp.pairing.clinch_bounds import PrizeStatus
from tdapp.pairing.forecast import (
    MAX_RANK_COLUMNS,
    DivisionForecast,
    PlayerChancesRow,
    compute_forecast,
    make_forecast_table,
)
from tdapp.services.word_lists import format_number

BEST_COUNTS = (0, 3, 5, 10)  # numbers of highlighted players from the top
DEFAULT_BEST = 5
_SHARE_WIDTH = UNIT * 7
MAX_HIGHLIGHTED = 20  # maximum of selected players: each has its own dashes and colour


class RankHistoryView(BackgroundComputedView):
    """Ranks or points after each round."""

    view_id = "course"
    report_id = "standings"  # the most similar report
    choice_text = N_("Round by round")
    page_heading = N_("Standings round by round")
    ignores_round = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            tone=self._choose_row_tone,
            shown_texts={"name": lambda row: self.get_distinct_name_of_player(row.standing.player)},
        )
        self.view = TableView(self.rows, appearance=session.appearance, name=self.text("Standings round by round"))
        self.view.set_widths({"rank": UNIT * 7})
        self.chart = LineChart(session.appearance, self.text("Standings round by round"), self.text("Round"))
        self.chart.line_clicked.connect(self.toggle_highlighted_player)
        values = [
            (False, self.text(C_("values in the chart", "Places"))),
            (True, self.text(C_("values in the chart", "Wins"))),
        ]
        self.points: Choice[bool] = Choice(self.text("Values in the chart"), values, session.appearance)
        self.points.currentIndexChanged.connect(self._clear_table_and_show_rank_history)
        best = [(0, self.text("No places highlighted"))] + [
            (count, self.text(C_("highlighted players", "The top {n}"), n=count)) for count in BEST_COUNTS[1:]
        ]
        self.best: Choice[int] = Choice(
            self.text("Highlighted players"), best, session.appearance, value=DEFAULT_BEST
        )
        self.best.currentIndexChanged.connect(self._show_rank_history)
        self.search = SearchField(self.text("Highlight a player"), session.appearance)
        self.search.setToolTip(
            self.text("Type part of a name and press Enter to highlight the line, or to remove the highlight.")
        )
        self.search.returnPressed.connect(self._toggle_highlight_of_found_player)
        self.toggle_button = fields.make_button(self.text("Show as a table"), self._toggle_chart_or_table)
        self._chart_stack = _stack_chart_and_table(self.chart, self.view)
        self.highlighted: tuple[str, ...] = ()  # the players whose lines were chosen
        self._history: tuple[RankHistoryRow, ...] = ()
        controls = fields.make_row(self.points, self.best, self.search, 1, self.toggle_button)
        self.arrange_and_connect_view(controls, self._chart_stack, self.note, wide=self._chart_stack)
        self.setFocusProxy(self.search)

    def start_computing(self) -> None:
        if self.division is not None:
            call = partial(statistics.compute_rank_history, self.session.index, self.division, self.after)
            self.run_computation(
                self.session.catalogue.text("Calculating the standings after each round…"),
                call,
                self._store_and_show_rank_history,
            )

    def toggle_highlighted_player(self, key: str) -> None:
        other_keys = tuple(other_key for other_key in self.highlighted if other_key != key)
        self.highlighted = other_keys if key in self.highlighted else (*other_keys, key)[-MAX_HIGHLIGHTED:]
        self._show_rank_history()

    def _toggle_highlight_of_found_player(self) -> None:
        words = fold_text(self.search.text()).split()
        names = {
            row.key: fold_text(self.get_distinct_name_of_player(row.standing.player)) for row in self._history
        }
        matching_keys = (key for key, name in names.items() if words and all(word in name for word in words))
        key = next(matching_keys, None)
        self.search.mark_invalid(is_invalid=key is None)
        if key is not None:
            self.toggle_highlighted_player(key)
            self.search.selectAll()

    def _store_and_show_rank_history(self, rows: tuple[RankHistoryRow, ...]) -> None:
        self._history = rows
        self._show_rank_history()

    def _toggle_chart_or_table(self) -> None:
        text, table = self.session.catalogue.text, self._chart_stack.currentWidget() is self.chart
        self._chart_stack.setCurrentWidget(self.view if table else self.chart)
        self.toggle_button.setText(text("Show as a chart") if table else text("Show as a table"))
        self._fill_rank_history_table()
        (self.view if table else self.toggle_button).setFocus()

    def copy_rows(self) -> None:
        self._fill_rank_history_table(even_if_hidden=True)
        super().copy_rows()

    def _fill_rank_history_table(self, *, even_if_hidden: bool = False) -> None:
        if even_if_hidden or self._chart_stack.currentWidget() is self.view:
            rows, points = self._history, bool(self.points.value())
            self.rows.show_table(
                statistics.make_rank_history_table(rows, points=points) if rows else Table("course", (), ())
            )

    def _clear_table_and_show_rank_history(self) -> None:
        self.rows.show_table(Table("course", (), ()))
        self._show_rank_history()

    def _show_rank_history(self) -> None:
        points, best = bool(self.points.value()), self.best.value() or 0
        highlighted_keys = {row.key for row in self._history[:best]} | set(self.highlighted)
        lines = []
        for row in self._history:
            values = row.points if points else row.places
            numbers = tuple(None if value is None else float(value) for value in values)
            player_name = self.get_distinct_name_of_player(row.standing.player)
            name = f"{row.standing.rank_unless_disqualified or '–'}  {player_name}"
            lines.append(ChartLine(row.key, name, numbers, highlighted=row.key in highlighted_keys))
        self.chart.show_lines(lines, downwards=not points)
        self._fill_rank_history_table()
        message = self._describe_rank_history(is_points_chart=points)
        self.chart.set_spoken_description(message)
        self.note.setText(message)

    def _describe_rank_history(self, *, is_points_chart: bool) -> str:
        if not self._history or not self._history[0].places:
            return self.text("No round has been published yet.")
        rounds, count = len(self._history[0].places), len(self._history)
        if is_points_chart:
            message = self.session.catalogue.plural(
                "The match points of {players} players after the first round.",
                "The match points of {players} players after each of {n} rounds.",
                rounds,
                players=count,
            )
        else:
            message = self.session.catalogue.plural(
                "The places of {players} players after the first round. First place is at the top.",
                "The places of {players} players after each of {n} rounds. First place is at the top.",
                rounds,
                players=count,
            )
        return message + " " + self.text("Click a line to highlight it. “Show as a table” shows the numbers.")

    def _choose_row_tone(self, row: RankHistoryRow) -> str:
        return "accent" if row.key in self.highlighted else ""


class DistributionChartAndTable(QWidget):
    """A distribution as bars, table and words."""

    def __init__(self, session: Session, name: str, axis_title: str) -> None:
        super().__init__()
        self._catalogue = session.catalogue
        self.chart = Histogram(session.appearance, name, axis_title)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key)
        self.view = TableView(self.rows, appearance=session.appearance, name=name)
        self.view.set_widths({"from_points": UNIT * 12, "to_points": UNIT * 12, "how_many": UNIT * 14})
        self.view.disable_sorting()
        self.description = fields.make_note_label()
        self.stack = _stack_chart_and_table(self.chart, self.view)
        fields.make_column(fields.make_label(name, "lead"), self.description, self.stack, parent=self).setStretch(
            2, 1
        )

    def show_distribution(self, distribution: PointsDistribution, text_if_empty: str = "") -> None:
        mean = None
        if distribution.mean is not None:
            words = self._catalogue.text("mean {mean}", mean=self._catalogue.format_points(distribution.mean))
            mean = (float(distribution.mean), words)
        width = distribution.bins[0].highest - distribution.bins[0].lowest + 1 if distribution.bins else 1
        self.chart.show_bars(
            [ChartBar(score_bin.lowest, score_bin.count) for score_bin in distribution.bins],
            width=width,
            mean_and_label=mean,
        )
        self.rows.show_table(statistics.make_distribution_table(distribution))
        message = self._describe_distribution(distribution) or text_if_empty
        self.chart.set_spoken_description(message)
        self.description.setText(message)

    def _describe_distribution(self, distribution: PointsDistribution) -> str:
        catalogue, fullest = self._catalogue, distribution.fullest_bin
        if fullest is None or distribution.mean is None or distribution.median is None:
            return ""
        return catalogue.text(
            "{count} values from {low} to {high}, mean {mean}, median {median}; the most common range is "
                "{from} to {to} ({n}).",
            **{
                "count": distribution.count, "low": distribution.lowest, "high": distribution.highest,
                "mean": catalogue.format_points(distribution.mean),
                "median": catalogue.format_points(distribution.median),
                "n": fullest.count, "from": fullest.lowest, "to": fullest.highest,
            },
        )  # fmt: skip


class ScoreDistributionView(StandingsView):
    """Distributions of scores and margins."""

    view_id = "distribution"
    report_id = "statistics"  # the most similar report
    choice_text = N_("Scores and margins")
    page_heading = N_("Scores and margins")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.scores = DistributionChartAndTable(
            session, text("Scores"), text("Points scored by a player in a game")
        )
        self.margins = DistributionChartAndTable(session, text("Margins"), text("Winning margin in points"))
        self.rows, self.view = self.scores.rows, self.scores.view
        self.toggle_button = fields.make_button(text("Show as a table"), self._toggle_chart_or_table)
        charts = fields.make_row(self.scores, self.margins, gap=UNIT * 2, wide=self.scores)
        charts.setStretchFactor(self.margins, 1)
        fields.make_column(fields.make_row(1, self.toggle_button), charts, parent=self).setStretch(1, 1)
        self.setFocusProxy(self.toggle_button)

    def show_table(self, division: Division, after: int) -> None:
        index, desk, cache_key = self.session.index, self.session.desk, (division.id, after)
        scores = desk.get_cached_value(
            ("scores", *cache_key), lambda _value: statistics.compute_score_distribution(index, division, after)
        )
        margins = desk.get_cached_value(
            ("margins", *cache_key), lambda _value: statistics.compute_margin_distribution(index, division, after)
        )
        no_games = self.session.catalogue.text("No game has been completed yet.")
        self.scores.show_distribution(scores, no_games)
        self.margins.show_distribution(margins)

    def _toggle_chart_or_table(self) -> None:
        table = self.scores.stack.currentIndex() == 0
        for chart in (self.scores, self.margins):
            chart.stack.setCurrentIndex(int(table))
        self.toggle_button.setText(self.text("Show as a chart") if table else self.text("Show as a table"))


def _stack_chart_and_table(chart: QWidget, view: TableView) -> QStackedWidget:
    stack = QStackedWidget()
    stack.addWidget(chart)
    stack.addWidget(view)
    return stack


class RankChancesView(BackgroundComputedView):
    """Each player's chances for each rank, from simulations."""

    view_id = "chances"
    report_id = "standings"  # the chances follow from the standings
    topic = "chances"
    choice_text = N_("Chances")
    page_heading = N_("Chances for each place")
    ignores_round = True  # the chances are of the remaining rounds

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(
            session.catalogue,
            name_key=session.make_sort_key,
            hidden={"spread"},
            heat=_get_chance_in_column,
            shown_texts={"name": lambda row: self.get_distinct_name_of_player(row.player)},
        )
        self.view = TableView(
            self.rows, appearance=session.appearance, name=session.catalogue.text("Chances for each place")
        )
        widths = {"place": UNIT * 7, "score": UNIT * 8, "prize": UNIT * 8, "lower": UNIT * 8}
        self.view.set_widths(widths | {str(position): _SHARE_WIDTH for position in range(1, MAX_RANK_COLUMNS + 1)})
        self.certain_ranks = fields.make_label(wrap=True)
        self.coming_round = fields.make_label(wrap=True)
        self.coming_round.hide()
        self.compute_button = fields.make_button(
            session.catalogue.text("Calculate the chances"), self.start_computing, role="primary"
        )
        self.compute_button.hide()
        self.arrange_and_connect_view(
            self.certain_ranks, self.coming_round, fields.make_row(self.compute_button, 1), self.view, self.note
        )

    def start_computing(self) -> None:
        if self.division is None:
            return
        for label in (self.compute_button, self.coming_round):
            label.hide()
        for label in (self.certain_ranks, self.note):
            label.clear()
        self.rows.show_table(Table("chances", (), ()))
        self.view.set_empty_text(self.session.catalogue.text("Simulating the remaining rounds…"))
        call = partial(compute_forecast, self.session.index, self.division.id)
        self.run_computation(
            self.session.catalogue.text("Calculating chances…"), call, self._show_computed_forecast
        )

    def show_computation_error(self, error: str) -> None:
        self.view.set_empty_text(error or self.session.catalogue.text("You stopped the calculation."))
        self.compute_button.setVisible(not error)

    def _show_computed_forecast(self, forecast: DivisionForecast) -> None:
        self.rows.show_table(make_forecast_table(forecast))
        self.certain_ranks.setText(self._describe_certain_ranks(forecast))
        fields.show_text(
            self.coming_round, self._describe_required_pairings(forecast) if forecast.requirements else ""
        )
        self.note.setText(self._describe_simulation(forecast))

    def _describe_certain_ranks(self, forecast: DivisionForecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        if forecast.cut:
            return self._describe_qualification(forecast)
        decided_rows = [row for row in forecast.rows if row.status is PrizeStatus.DECIDED]
        get_name = self.get_distinct_name_of_player
        parts = [text("Place {place} is decided: {player}.", place=row.place, player=get_name(row.player))
                 for row in decided_rows] or [text("No place is decided yet.")]  # fmt: skip
        counts = Counter(row.status for row in forecast.rows)
        if n := counts[PrizeStatus.SAFE]:
            parts.append(plural("{n} player is certain of a prize.", "{n} players are certain of a prize.", n))
        if n := counts[PrizeStatus.IN_REACH]:
            parts.append(plural("{n} player can still win a prize.", "{n} players can still win a prize.", n))
        return " ".join(parts)

    def _describe_qualification(self, forecast: DivisionForecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        qualified_names = [
            self.get_distinct_name_of_player(row.player)
            for row in forecast.rows
            if row.status in {PrizeStatus.DECIDED, PrizeStatus.SAFE}
        ]
        if qualified_names:
            first = text(
                "Certain to finish in the top {cut}: {players}.",
                cut=forecast.cut,
                players="; ".join(qualified_names),
            )
        else:
            first = text("No player is certain to finish in the top {cut} yet.", cut=forecast.cut)
        n = sum(row.status is PrizeStatus.IN_REACH for row in forecast.rows)
        contenders_text = (
            plural("Still possible for {n} player.", "Still possible for {n} players.", n) if n else ""
        )
        return f"{first} {contenders_text}".rstrip()

    def _describe_required_pairings(self, forecast: DivisionForecast) -> str:
        catalogue, text = self.session.catalogue, self.session.catalogue.text
        texts = {
            "prize-last-round": text("players in these places play each other for the prizes: {pairs}"),
            "prize-class": text("players in these places play each other for category prizes: {pairs}"),
            "prize-control": text("the leader meets a player who needs this game to win the tournament: {pairs}"),
            "prize-factor": text("players three places apart meet: {pairs}"),
            "prize-groups": text("players meet only within these groups of places: {groups}"),
            "prize-bye": text("the bye goes to the player in place {takers}"),
        }
        parts = [
            texts[rule.code].format(
                pairs=", ".join(f"{rank}–{opponent_rank}" for rank, opponent_rank in rule.pairs),
                groups=" | ".join(catalogue.format_numbers(group) for group in rule.groups),
                takers=", ".join(map(str, rule.bye_candidates)),
            )
            for rule in forecast.requirements
        ]
        return text("Pairings for round {round}: {rules}.", round=forecast.after + 1, rules="; ".join(parts))

    def _describe_simulation(self, forecast: DivisionForecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        shared_note = (
            f"{capitalize_first(explain_shared_ranks(self.session.catalogue, forecast))}."
            if forecast.shared
            else ""
        )
        later_rounds_note = plural(
            "{n} round of a later stage follows for the top {cut}; it decides the prizes.",
            "{n} rounds of a later stage follow for the top {cut}; they decide the prizes.",
            forecast.later_rounds, cut=forecast.cut,
        ) if forecast.cut else ""  # fmt: skip
        if not forecast.rounds_left and not forecast.open_games and not forecast.cut:
            return f"{text('All rounds have been played: every place is final.')} {shared_note}".rstrip()
        simulation_note = text(
            "Rounds left: {left}; simulated {times} times, with even chances in every "
            "game. The simulations rank players as the standings do.",
            left=forecast.rounds_left, times=format_number(forecast.times),
        )  # fmt: skip
        open_games_note = plural("{n} game without a result is simulated too.",
                       "{n} games without a result are simulated too.", forecast.open_games)  # fmt: skip
        prizes_note = plural("No prizes are listed, so first place counts as a prize.",
                             "No prizes are listed, so the first {n} places count as prizes.",
                             forecast.places)  # fmt: skip
        parts = [simulation_note, *([shared_note] if shared_note else [])]
        parts += [open_games_note] if forecast.open_games else []
        parts += [later_rounds_note] if forecast.cut else [prizes_note] if not forecast.listed else []
        return " ".join(parts)


def _get_chance_in_column(row: PlayerChancesRow, column_id: str) -> float:
    if column_id == "prize":
        return float(row.prize)
    return float(row.shares[int(column_id) - 1]) if column_id.isdigit() else 0
