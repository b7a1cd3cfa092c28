"""Charts of the Standings page: ranks over the rounds, distributions of scores, and chances."""

from __future__ import annotations

from collections import Counter
from functools import partial

from PySide6.QtWidgets import QStackedWidget, QWidget

from tdapp.domain.model import Division
from tdapp.domain.tables import statistics
from tdapp.domain.tables.statistics import Distribution, RankHistoryRow
from tdapp.domain.tables.table import Table
from tdapp.domain.translatable import C_, N_
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import BackgroundComputedView, StandingsView
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
    MOST_COLUMNS,
    DivisionForecast,
    PlayerProspect,
    compute_forecast,
    make_forecast_table,
)
from tdapp.services.word_lists import format_number

BEST = (0, 3, 5, 10)  # how many from the top are highlighted
USUAL = 5
_SHARE_WIDTH = UNIT * 7
MOST_HIGHLIGHTED = 20  # maximum of selected players: each has its own dashes and colour


class RankHistoryView(BackgroundComputedView):
    """Ranks or points after each round."""

    view_id = "course"
    report_id = "standings"  # the report nearest to it
    choice_text = N_("Round by round")
    page_heading = N_("Standings round by round")
    ignores_round = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key, tone=self._choose_row_tone)
        self.view = TableView(self.rows, look=session.look, name=self.text("Standings round by round"))
        self.view.set_widths({"rank": UNIT * 7})
        self.chart = LineChart(session.look, self.text("Standings round by round"), self.text("Round"))
        self.chart.line_clicked.connect(self.toggle_highlighted_player)
        values = [
            (False, self.text(C_("values in the chart", "Places"))),
            (True, self.text(C_("values in the chart", "Wins"))),
        ]
        self.points: Choice[bool] = Choice(self.text("Values in the chart"), values, session.look)
        self.points.currentIndexChanged.connect(self._clear_table_and_show_rank_history)
        best = [(0, self.text("No places highlighted"))] + [
            (one, self.text(C_("highlighted players", "The best {n}"), n=one)) for one in BEST[1:]
        ]
        self.best: Choice[int] = Choice(self.text("Highlighted players"), best, session.look, value=USUAL)
        self.best.currentIndexChanged.connect(self._show_rank_history)
        self.search = SearchField(self.text("Highlight a player"), session.look)
        self.search.setToolTip(
            self.text("Type part of a name and press Enter to highlight the line, or to remove the highlight.")
        )
        self.search.returnPressed.connect(self._highlight_found_player)
        self.turn = fields.button(self.text("Show as a table"), self._switch_chart_and_table)
        self._shown = _stack_chart_and_table(self.chart, self.view)
        self.highlighted: tuple[str, ...] = ()  # the players whose lines were chosen
        self._history: tuple[RankHistoryRow, ...] = ()
        above = fields.row(self.points, self.best, self.search, 1, self.turn)
        self.arrange_widgets(above, self._shown, self.note, wide=self._shown)
        self.setFocusProxy(self.search)

    def start_computing(self) -> None:
        if self.division is not None:
            call = partial(statistics.compute_rank_history, self.session.index, self.division, self.after)
            self.run_computation(
                self.session.catalogue.text("Calculating the standings of all rounds…"),
                call,
                self._store_and_show_rank_history,
            )

    def toggle_highlighted_player(self, key: str) -> None:
        others = tuple(one for one in self.highlighted if one != key)
        self.highlighted = others if key in self.highlighted else (*others, key)[-MOST_HIGHLIGHTED:]
        self._show_rank_history()

    def _highlight_found_player(self) -> None:
        words = fold_text(self.search.text()).split()
        players = (row.standing.player for row in self._history)
        found = (one.id for one in players if words and all(word in fold_text(one.name) for word in words))
        key = next(found, None)
        self.search.mark_invalid(wrong=key is None)
        if key is not None:
            self.toggle_highlighted_player(key)
            self.search.selectAll()

    def _store_and_show_rank_history(self, found: tuple[RankHistoryRow, ...]) -> None:
        self._history = found
        self._show_rank_history()

    def _switch_chart_and_table(self) -> None:
        text, table = self.session.catalogue.text, self._shown.currentWidget() is self.chart
        self._shown.setCurrentWidget(self.view if table else self.chart)
        self.turn.setText(text("Show as a chart") if table else text("Show as a table"))
        self._fill_table_if_visible()
        (self.view if table else self.turn).setFocus()

    def copy_rows(self) -> None:
        self._fill_table_if_visible(even_if_hidden=True)
        super().copy_rows()

    def _fill_table_if_visible(self, *, even_if_hidden: bool = False) -> None:
        if even_if_hidden or self._shown.currentWidget() is self.view:
            rows, points = self._history, bool(self.points.value())
            self.rows.show_table(
                statistics.make_rank_history_table(rows, points=points) if rows else Table("course", (), ())
            )

    def _clear_table_and_show_rank_history(self) -> None:
        self.rows.show_table(Table("course", (), ()))
        self._show_rank_history()

    def _show_rank_history(self) -> None:
        points, best = bool(self.points.value()), self.best.value() or 0
        out = {row.key for row in self._history[:best]} | set(self.highlighted)
        lines = []
        for row in self._history:
            values = row.points if points else row.places
            numbers = tuple(None if one is None else float(one) for one in values)
            name = f"{row.standing.listed_rank or '–'}  {row.standing.player.name}"
            lines.append(ChartLine(row.key, name, numbers, highlighted=row.key in out))
        self.chart.show_lines(lines, downwards=not points)
        self._fill_table_if_visible()
        message = self._describe_rank_history(points=points)
        self.chart.set_description(message)
        self.note.setText(message)

    def _describe_rank_history(self, *, points: bool) -> str:
        if not self._history or not self._history[0].places:
            return self.text("No round has been published yet.")
        rounds, count = len(self._history[0].places), len(self._history)
        if points:
            message = self.session.catalogue.plural(
                "The match points of {players} players after the first round.",
                "The match points of {players} players after each of {n} rounds.",
                rounds,
                players=count,
            )
        else:
            message = self.session.catalogue.plural(
                "The places of {players} players after the first round. The first place is at the top.",
                "The places of {players} players after each of {n} rounds. The first place is at the top.",
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
        self.chart = Histogram(session.look, name, axis_title)
        self.rows = TableRowsModel(session.catalogue, name_key=session.make_sort_key)
        self.view = TableView(self.rows, look=session.look, name=name)
        self.view.set_widths({"from_points": UNIT * 12, "to_points": UNIT * 12, "how_many": UNIT * 14})
        self.view.disable_sorting()
        self.said = fields.note()
        self.stack = _stack_chart_and_table(self.chart, self.view)
        fields.column(fields.label(name, "lead"), self.said, self.stack, parent=self).setStretch(2, 1)

    def show_distribution(self, found: Distribution, text_if_empty: str = "") -> None:
        mean = None
        if found.mean is not None:
            words = self._catalogue.text("mean {mean}", mean=self._catalogue.format_points(found.mean))
            mean = (float(found.mean), words)
        width = found.bins[0].high - found.bins[0].low + 1 if found.bins else 1
        self.chart.show_bars([ChartBar(one.low, one.count) for one in found.bins], width=width, mean=mean)
        self.rows.show_table(statistics.make_distribution_table(found))
        message = self._describe_distribution(found) or text_if_empty
        self.chart.set_description(message)
        self.said.setText(message)

    def _describe_distribution(self, found: Distribution) -> str:
        catalogue, fullest = self._catalogue, found.fullest
        if fullest is None or found.mean is None or found.median is None:
            return ""
        return catalogue.text(
            "{count} values from {low} to {high}, mean {mean}, median {median}; most values are from {from} "
            "to {to} ({n}).",
            **{
                "count": found.count, "low": found.low, "high": found.high, "n": fullest.count,
                "mean": catalogue.format_points(found.mean), "median": catalogue.format_points(found.median),
                "from": fullest.low, "to": fullest.high,
            },
        )  # fmt: skip


class ScoreDistributionView(StandingsView):
    """Distributions of scores and margins."""

    view_id = "distribution"
    report_id = "statistics"  # the report nearest to it
    choice_text = N_("Scores and margins")
    page_heading = N_("Scores and margins")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.scores = DistributionChartAndTable(session, text("Scores"), text("Points of a player in a game"))
        self.margins = DistributionChartAndTable(session, text("Margins"), text("Points between winner and loser"))
        self.rows, self.view = self.scores.rows, self.scores.view
        self.turn = fields.button(text("Show as a table"), self._switch_chart_and_table)
        both = fields.row(self.scores, self.margins, gap=UNIT * 2, wide=self.scores)
        both.setStretchFactor(self.margins, 1)
        fields.column(fields.row(1, self.turn), both, parent=self).setStretch(1, 1)
        self.setFocusProxy(self.turn)

    def show_table(self, division: Division, after: int) -> None:
        index, desk, known = self.session.index, self.session.desk, (division.id, after)
        scores = desk.get_cached_value(
            ("scores", *known), lambda _value: statistics.compute_score_distribution(index, division, after)
        )
        margins = desk.get_cached_value(
            ("margins", *known), lambda _value: statistics.compute_margin_distribution(index, division, after)
        )
        none = self.session.catalogue.text("No game has been played to the end yet.")
        self.scores.show_distribution(scores, none)
        self.margins.show_distribution(margins)

    def _switch_chart_and_table(self) -> None:
        table = self.scores.stack.currentIndex() == 0
        for one in (self.scores, self.margins):
            one.stack.setCurrentIndex(int(table))
        self.turn.setText(self.text("Show as a chart") if table else self.text("Show as a table"))


def _stack_chart_and_table(chart: QWidget, view: TableView) -> QStackedWidget:
    made = QStackedWidget()
    made.addWidget(chart)
    made.addWidget(view)
    return made


class ChancesView(BackgroundComputedView):
    """Each player's simulated chances of each rank."""

    view_id = "chances"
    report_id = "standings"  # which they follow from
    topic = "chances"
    choice_text = N_("Chances")
    page_heading = N_("Chances for each place")
    ignores_round = True  # of the rounds left, whatever round is chosen

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.rows = TableRowsModel(
            session.catalogue, name_key=session.make_sort_key, hidden={"spread"}, heat=_compute_chance_heat
        )
        self.view = TableView(self.rows, look=session.look, name=session.catalogue.text("Chances for each place"))
        widths = {"place": UNIT * 7, "score": UNIT * 8, "prize": UNIT * 8, "lower": UNIT * 8}
        self.view.set_widths(widths | {str(position): _SHARE_WIDTH for position in range(1, MOST_COLUMNS + 1)})
        self.certain = fields.label(wrap=True)
        self.coming = fields.label(wrap=True)
        self.coming.hide()
        self.again = fields.button(
            session.catalogue.text("Calculate the chances"), self.start_computing, role="primary"
        )
        self.again.hide()
        self.arrange_widgets(self.certain, self.coming, fields.row(self.again, 1), self.view, self.note)

    def start_computing(self) -> None:
        if self.division is None:
            return
        for one in (self.again, self.coming):
            one.hide()
        for one in (self.certain, self.note):
            one.clear()
        self.rows.show_table(Table("chances", (), ()))
        self.view.set_empty_text(self.session.catalogue.text("Simulating the remaining rounds…"))
        call = partial(compute_forecast, self.session.index, self.division.id)
        self.run_computation(
            self.session.catalogue.text("Calculating chances…"), call, self._show_computed_forecast
        )

    def show_computation_error(self, error: str) -> None:
        self.view.set_empty_text(error or self.session.catalogue.text("You stopped the calculation."))
        self.again.setVisible(not error)

    def _show_computed_forecast(self, found: DivisionForecast) -> None:
        self.rows.show_table(make_forecast_table(found))
        self.certain.setText(self._describe_certain_ranks(found))
        fields.show_text(self.coming, self._describe_coming_round(found) if found.coming else "")
        self.note.setText(self._describe_simulation(found))

    def _describe_certain_ranks(self, found: DivisionForecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        if found.cut:
            return self._describe_qualification(found)
        decided = [row for row in found.rows if row.status is PrizeStatus.DECIDED]
        parts = [text("Place {place} is decided: {player}.", place=row.place, player=row.player.name)
                 for row in decided] or [text("No place is decided yet.")]  # fmt: skip
        counts = Counter(row.status for row in found.rows)
        if n := counts[PrizeStatus.SAFE]:
            parts.append(plural("{n} player is certain of a prize.", "{n} players are certain of a prize.", n))
        if n := counts[PrizeStatus.IN_REACH]:
            parts.append(plural("{n} player can still win a prize.", "{n} players can still win a prize.", n))
        return " ".join(parts)

    def _describe_qualification(self, found: DivisionForecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        through = [row.player.name for row in found.rows if row.status in {PrizeStatus.DECIDED, PrizeStatus.SAFE}]
        if through:
            first = text(
                "Certain to be among the best {cut}: {players}.", cut=found.cut, players="; ".join(through)
            )
        else:
            first = text("No player is certain to be among the best {cut} yet.", cut=found.cut)
        n = sum(row.status is PrizeStatus.IN_REACH for row in found.rows)
        more = (
            plural(
                "{n} more player can still be among the best.", "{n} more players can still be among the best.", n
            )
            if n
            else ""
        )
        return f"{first} {more}".rstrip()

    def _describe_coming_round(self, found: DivisionForecast) -> str:
        catalogue, text = self.session.catalogue, self.session.catalogue.text
        texts = {
            "prize-last-round": text("places that meet to decide the prizes: {pairs}"),
            "prize-class": text("places that meet to decide prizes of a category: {pairs}"),
            "prize-control": text("the leader meets the player who needs that game: {pairs}"),
            "prize-factor": text("places that meet three places apart: {pairs}"),
            "prize-groups": text("players on places {groups} meet each other"),
            "prize-bye": text("the bye goes to the player on place {takers}"),
        }
        parts = [
            texts[rule.code].format(
                pairs=", ".join(f"{one}–{other}" for one, other in rule.pairs),
                groups=" | ".join(catalogue.format_numbers(group) for group in rule.groups),
                takers=", ".join(map(str, rule.bye_candidates)),
            )
            for rule in found.coming
        ]
        return text("Pairings of round {round}: {rules}.", round=found.after + 1, rules="; ".join(parts))

    def _describe_simulation(self, found: DivisionForecast) -> str:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        shared = (
            f"{capitalize_first(explain_shared_ranks(self.session.catalogue, found))}." if found.shared else ""
        )
        later = plural(
            "{n} round of a later stage follows for the best {cut}; it decides the prizes.",
            "{n} rounds of a later stage follow for the best {cut}; they decide the prizes.",
            found.later_rounds, cut=found.cut,
        ) if found.cut else ""  # fmt: skip
        if not found.rounds_left and not found.open_games and not found.cut:
            return f"{text('All rounds are played: every place is final.')} {shared}".rstrip()
        simulated = text(
            "Rounds left: {left}; simulated {times} times, with even chances in every game, places as in the "
            "standings.",
            left=found.rounds_left, times=format_number(found.times),
        )  # fmt: skip
        games = plural("{n} game without a result is simulated too.",
                       "{n} games without a result are simulated too.", found.open_games)  # fmt: skip
        prizes = plural("No prizes are listed: the first place counts as one.",
                        "No prizes are listed: the first {n} places count as prizes.", found.places)  # fmt: skip
        parts = [simulated, *([shared] if shared else [])]
        parts += [games] if found.open_games else []
        parts += [later] if found.cut else [prizes] if not found.listed else []
        return " ".join(parts)


def _compute_chance_heat(row: PlayerProspect, column_id: str) -> float:
    if column_id == "prize":
        return float(row.prize)
    return float(row.shares[int(column_id) - 1]) if column_id.isdigit() else 0
