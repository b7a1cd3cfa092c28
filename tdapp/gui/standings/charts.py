"""Charts beside the standings: how they came about, and how scores and margins are spread; each as a table too."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QStackedWidget, QWidget

from tdapp.domain.mark import N_
from tdapp.domain.model import Division, PlayerId
from tdapp.domain.tables import statistics
from tdapp.domain.tables.statistics import CourseRow, Distribution
from tdapp.domain.tables.table import Table
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import ComputedView, StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.charts import Bar, ChartLine, Histogram, LineChart
from tdapp.gui.widgets.fields import Choice, SearchField
from tdapp.gui.widgets.rows import Rows
from tdapp.gui.widgets.table_view import TableView
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.collation import folded

BEST = (0, 3, 5, 10)  # how many from the top are followed
USUAL = 5
FOLLOWED = 20  # players at most, besides the best: each has dashes and colours of its own


class CourseView(ComputedView):
    """Everybody's places or points after each round, as lines; the best and whom one chooses stand out."""

    report = "course"
    paper = "standings"  # the report nearest to it
    part = N_("Over the rounds")
    titles = (N_("Standings over the rounds"), N_("Standings over the rounds"))

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.rows = Rows(session.catalogue, tone=self._tone)
        self.view = TableView(self.rows, look=session.look, name=text("Standings over the rounds"))
        self.view.set_widths({"rank": UNIT * 7})
        self.chart = LineChart(session.look, text("Standings over the rounds"), text("Round"))
        self.chart.picked.connect(self.follow)
        values = [(False, text("Places")), (True, text("Match points"))]
        self.points: Choice[bool] = Choice(text("What the lines show"), values, session.look)
        self.points.currentIndexChanged.connect(self._change_values)
        best = [(0, text("Nobody by place"))] + [(one, text("The best {n}", n=one)) for one in BEST[1:]]
        self.best: Choice[int] = Choice(text("Who stands out"), best, session.look, value=USUAL)
        self.best.currentIndexChanged.connect(self._show)
        self.search = SearchField(text("Follow a player"), session.look)
        self.search.setToolTip(text("Part of a name, then Enter: the line stands out, or no longer."))
        self.search.returnPressed.connect(self._follow_found)
        self.turn = fields.button(text("As a table"), self._turn)
        self._said = fields.label("", "muted", wrap=True)
        self._shown = _stack(self.chart, self.view)
        self.followed: tuple[str, ...] = ()  # the players whose lines were chosen
        self._course: tuple[CourseRow, ...] = ()
        above = fields.row(self.points, self.best, self.search, 1, self.turn)
        self.arrange(above, self._shown, self._said, wide=self._shown)
        self.setFocusProxy(self.search)

    def begin(self) -> None:
        """Compute the course up to a round."""
        if self.division is not None:
            call = partial(statistics.course, self.session.index, self.division, self.after)
            self.compute(self.session.catalogue.text("Calculating the rounds…"), call, self._take)

    def failed(self, sentence: str) -> None:
        """Show why there is none, until it is asked for again."""
        self._said.setText(sentence)
        self.stopped()

    def stopped(self) -> None:
        """Compute it when it is asked for again."""
        self._known = ()

    def follow(self, key: str) -> None:
        """Let a player's line stand out, or no longer."""
        others = tuple(one for one in self.followed if one != key)
        self.followed = others if key in self.followed else (*others, key)[-FOLLOWED:]
        self._show()

    # --- inside

    def _follow_found(self) -> None:
        """Follow whom the typed words are in, the best placed of several."""
        words = folded(self.search.text()).split()
        players = (row.standing.player for row in self._course)
        found = (one.id for one in players if words and all(word in folded(one.name) for word in words))
        key = next(found, None)
        self.search.mark(wrong=key is None)
        if key is not None:
            self.follow(key)
            self.search.selectAll()

    def _take(self, found: tuple[CourseRow, ...]) -> None:
        self._course = found
        self._show()

    def _turn(self) -> None:
        """Show the table in place of the chart, or the chart again."""
        text, table = self.session.catalogue.text, self._shown.currentWidget() is self.chart
        self._shown.setCurrentWidget(self.view if table else self.chart)
        self.turn.setText(text("As a chart") if table else text("As a table"))
        (self.view if table else self.turn).setFocus()

    def _change_values(self) -> None:
        """Show other values of the same players: the table would keep what it has made of them."""
        self.rows.show(Table("course", (), ()))
        self._show()

    def _show(self) -> None:
        points, best = bool(self.points.value()), self.best.value() or 0
        out = {row.key for row in self._course[:best]} | set(self.followed)
        lines = []
        for row in self._course:
            values = row.points if points else row.places
            numbers = tuple(None if one is None else float(one) for one in values)
            name = f"{row.standing.rank}  {row.standing.player.name}"
            lines.append(ChartLine(row.key, name, numbers, followed=row.key in out))
        self.chart.show_lines(lines, downwards=not points)
        self.rows.show(statistics.course_table(self._course, points=points) if lines else Table("course", (), ()))
        message = self._summary(points=points)
        self.chart.say(message)
        self._said.setText(message)

    def _summary(self, *, points: bool) -> str:
        """Return what the chart shows, in words."""
        text = self.session.catalogue.text
        if not self._course or not self._course[0].places:
            return text("No round has been published yet.")
        rounds, count = len(self._course[0].places), len(self._course)
        facts = {"n": count, "rounds": rounds}
        message = text("{n} players’ places after each of {rounds} rounds, the first at the top.", **facts)
        if points:
            message = text("{n} players’ match points after each of {rounds} rounds.", **facts)
        return message + " " + text("A click on a line lets it stand out; As a table shows the numbers.")

    def _tone(self, row: CourseRow) -> str:
        return "accent" if row.key in self.followed else ""


class DistributionPart(QWidget):
    """How one kind of number is spread, as bars or as a table, and in words."""

    def __init__(self, session: Session, name: str, axis: str) -> None:
        super().__init__()
        self._catalogue = session.catalogue
        self.chart = Histogram(session.look, name, axis)
        self.rows = Rows(session.catalogue)
        self.view = TableView(self.rows, look=session.look, name=name)
        self.view.set_widths({"from_points": UNIT * 12, "to_points": UNIT * 12, "how_many": UNIT * 14})
        self.view.keep_order()
        self.said = fields.label("", "muted", wrap=True)
        self.stack = _stack(self.chart, self.view)
        fields.column(fields.label(name, "lead"), self.said, self.stack, parent=self).setStretch(2, 1)

    def show_distribution(self, found: Distribution, empty: str = "") -> None:
        """Show it; `empty` where there are no numbers."""
        mean = None
        if found.mean is not None:
            words = self._catalogue.text("mean {mean}", mean=self._catalogue.points(found.mean))
            mean = (float(found.mean), words)
        width = found.bins[0].high - found.bins[0].low + 1 if found.bins else 1
        self.chart.show_bars([Bar(one.low, one.count) for one in found.bins], width=width, mean=mean)
        self.rows.show(statistics.distribution_table(found))
        message = self._summary(found) or empty
        self.chart.say(message)
        self.said.setText(message)

    def _summary(self, found: Distribution) -> str:
        catalogue, fullest = self._catalogue, found.fullest
        if fullest is None or found.mean is None or found.median is None:
            return ""
        return catalogue.text(
            "{count} values from {low} to {high}, mean {mean}, median {median}; most from {from} to {to} ({n}).",
            **{
                "count": found.count, "low": found.low, "high": found.high, "n": fullest.count,
                "mean": catalogue.points(found.mean), "median": catalogue.points(found.median),
                "from": fullest.low, "to": fullest.high,
            },
        )  # fmt: skip


class DistributionView(StandingsView):
    """How scores and margins are spread, as bars."""

    report = "distribution"
    paper = "statistics"  # the report nearest to it
    part = N_("Scores and margins")
    titles = (N_("Scores and margins"), N_("Scores and margins after round {round}"))

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        text = session.catalogue.text
        self.scores = DistributionPart(session, text("Scores"), text("Points of a player in a game"))
        self.margins = DistributionPart(session, text("Margins"), text("Points between winner and loser"))
        self.rows, self.view = self.scores.rows, self.scores.view
        self.turn = fields.button(text("As a table"), self._turn)
        both = fields.row(self.scores, self.margins, gap=UNIT * 2)
        for position in range(2):
            both.setStretch(position, 1)
        fields.column(fields.row(1, self.turn), both, parent=self).setStretch(1, 1)
        self.setFocusProxy(self.turn)

    def show_table(self, division: Division, after: int) -> None:
        """Show how scores and margins are spread after a round."""
        index, desk, known = self.session.index, self.session.desk, (division.id, after)
        scores = desk.remember(("scores", *known), lambda _value: statistics.scores(index, division, after))
        margins = desk.remember(("margins", *known), lambda _value: statistics.margins(index, division, after))
        none = self.session.catalogue.text("No game has been played out yet.")
        self.scores.show_distribution(scores, none)
        self.margins.show_distribution(margins)

    def current_player(self) -> PlayerId | None:
        """Return None: a bar is no player."""
        return None

    def _turn(self) -> None:
        """Show the tables in place of the charts, or the charts again."""
        table = self.scores.stack.currentIndex() == 0
        for one in (self.scores, self.margins):
            one.stack.setCurrentIndex(int(table))
        text = self.session.catalogue.text
        self.turn.setText(text("As a chart") if table else text("As a table"))


def _stack(chart: QWidget, view: TableView) -> QStackedWidget:
    made = QStackedWidget()
    made.addWidget(chart)
    made.addWidget(view)
    return made
