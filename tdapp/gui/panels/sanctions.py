"""Sanctions: one is given with its reason, after it has been said what it does; the list takes them back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.impact import impact
from tdapp.domain.model import ByeKind, Forfeit, Player, PlayerId, Result, SanctionId
from tdapp.domain.ruleset import PointsFrom
from tdapp.domain.tables.sanctions import GameChange, SanctionRow, changed_games, new_absences, sanctions
from tdapp.domain.tournament import Tournament
from tdapp.gui import fields
from tdapp.gui.fields import Choice, Form, LineEdit, NumberEdit
from tdapp.gui.impact_bar import Correction, ImpactBar
from tdapp.gui.later import if_seen
from tdapp.gui.panels.typing import TypingPanel, whole
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import ROW, UNIT
from tdapp.i18n import impact_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble.sheet import SanctionKind

_IN_POINTS = frozenset({SanctionKind.POINTS, SanctionKind.MARGIN})
_SHOWN = frozenset({"round", "name", "why"})


def told(row: SanctionRow, words: Catalogue) -> str:
    """Return a sanction in one line: what, why, by whom."""
    kind = words.code(row.kind) + (f" −{row.points}" if row.points else "")
    return f"{kind} · {row.why}" + (f" ({row.author})" if row.author else "")


class SanctionsPanel(TypingPanel):
    """The sanctions of the chosen division beside a page, with a form above them."""

    writes = "add-sanction"

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        super().__init__(session, session.catalogue.text("Sanctions"))
        self.want_width(UNIT * 58)
        self._make_fields(player)
        self._make_list()
        self._arrange()
        self.setFocusProxy(self.who if player is None else self.kind)

    def refresh(self) -> None:
        """Show the list and what the form would do now; what is typed stays."""
        division = self.session.division
        if division is None:
            self.closed.emit()
            return
        self.rows.show(sanctions(self.session.index, division))
        self._remove_button.setEnabled(self.may_change() and self.rows.rowCount() > 0)
        self._show_effect()
        self.bar.weigh()

    def unsaved(self) -> bool:
        """Tell whether a reason is typed."""
        return bool(self.why.text())

    # --- making it

    def _make_fields(self, player: PlayerId | None) -> None:
        session, text = self.session, self.session.catalogue.text
        division = session.division
        players = list(session.index.players(division.id)) if division else []
        players.sort(key=lambda one: session.catalogue.sort_key(one.name))
        offered = [(one.id, f"{one.name}  {one.number}") for one in players]
        self.who: Choice[PlayerId] = Choice(text("Player"), offered, session.look, value=player)
        last = len(session.index.published(division.id)) if division else 0
        number = min(session.round_number or last, last) or None
        self.number = NumberEdit(text("Round"), value=number, width=ROW * 2)
        self.kind: Choice[SanctionKind] = Choice(text("Sanction"), self._kinds(), session.look)
        self.points = NumberEdit(text("Points"), width=ROW * 2)
        forfeits = text("losses by forfeit"), text("nothing is recorded")
        self.remaining: Choice[ByeKind | None] = Choice(
            text("Rounds to come"),
            [(ByeKind.FORFEIT, forfeits[0]), (None, forfeits[1])],
            session.look,
            value=ByeKind.FORFEIT,
        )
        self.why = LineEdit(text("Why"), placeholder=text("Why? It is kept in the history."))
        self.author = self.author_field()
        for chosen in (self.who, self.kind, self.remaining):
            chosen.currentIndexChanged.connect(self._edited)
        for line in (self.number, self.points, self.why):
            line.textChanged.connect(self._edited)
        for line in (self.number, self.points, self.why, self.author):
            line.returnPressed.connect(self._give)

    def _kinds(self) -> list[tuple[SanctionKind, str]]:
        """Return the sanctions that the rules name, then the others."""
        words, named = self.session.catalogue, self.session.tournament.ruleset.sanctions.named
        others = [kind for kind in SanctionKind if kind not in named]
        return [(kind, words.code(kind)) for kind in named] + [
            (kind, words.text("{kind} (not in these rules)", kind=words.code(kind))) for kind in others
        ]

    def _make_list(self) -> None:
        words = self.session.catalogue
        shown: dict[str, Callable[[SanctionRow], str]] = {"why": lambda row: told(row, words)}
        columns = ("round", "table", "number", "name", "kind", "penalty", "turn", "word", "why", "author")
        self.rows = Rows(words, shown=shown, hidden=[one for one in columns if one not in _SHOWN])
        empty = words.text("No sanctions yet.")
        widths = {"round": 56, "name": 150}
        self.view = self.list_view(self.rows, words.text("Sanctions"), widths=widths, stretch="why", empty=empty)
        self.whole_row = self.under_cursor(
            self.view, self.rows, lambda row: told(row, words) if isinstance(row, SanctionRow) else ""
        )

    def _arrange(self) -> None:
        text, form = self.session.catalogue.text, Form()
        form.add(text("Player"), self.who)
        form.add(text("Round"), self.number)
        form.add(text("Sanction"), self.kind)
        form.add(text("Points"), self.points)
        form.add(text("Rounds to come"), self.remaining)
        form.add(text("Why"), self.why)
        form.add(text("By"), self.author)
        self._form = form
        self._form_box = fields.boxed(form)
        self.effect = fields.label("", wrap=True)
        self.bar = ImpactBar(self.session)
        self.bar.left.connect(self._leave)
        self.give_button = fields.button(text("Give the sanction"), self._give, role="primary")
        self._print_button = fields.button(text("Print…"), self.print)
        self._remove_button = fields.button(text("Take back"), self._remove)
        fields.fill(
            self.body,
            [self._form_box, self.effect, self.bar, fields.row(1, self.give_button), fields.rule(), self.view,
             self.whole_row, fields.row(self._print_button, 1, self._remove_button)],
        )  # fmt: skip
        self.body.setStretchFactor(self.view, 1)

    # --- what it would do

    def _command(self, *, why: str) -> partial[Tournament] | None:
        player, kind = self.who.value(), self.kind.value()
        if player is None or kind is None:
            return None
        return partial(
            commands.add_sanction,
            key=self.session.key(),
            player=player,
            kind=kind,
            round_number=whole(self.number),
            points=(whole(self.points) or 0) if kind in _IN_POINTS else 0,
            why=why,
            author=self.author.text(),
            remaining=self.remaining.value(),
        )

    def _edited(self) -> None:
        """Look at what is typed anew; what was weighed is another sanction."""
        self.bar.drop()
        self._make_room()
        self._show_effect()

    def _show_effect(self) -> None:
        """Say what the sanction does before it is given."""
        kind = self.kind.value()
        self._show_field(self.points, shown=kind in _IN_POINTS)
        self._show_field(self.remaining, shown=kind is SanctionKind.DISQUALIFIED)
        command, said, tone = self._command(why="-"), "", ""
        waits = kind in _IN_POINTS and not whole(self.points)
        if waits:
            said = self.session.catalogue.text("Say how many points.")
        elif command is not None:
            try:
                after = command(self.session.tournament)
                said = "\n".join(self._effects(after))
            except RuleViolation as error:
                said, tone, waits = self.session.catalogue.error(error), "error", True
        self.effect.setText(said)
        fields.set_kind(self.effect, tone)
        self.give_button.setEnabled(self.may_change() and command is not None and not waits)

    def _show_field(self, field: NumberEdit | Choice[ByeKind | None], *, shown: bool) -> None:
        place = self._form.indexOf(field)
        row = self._form.getItemPosition(place)[0]  # type: ignore[index]
        name = self._form.itemAtPosition(row, 0)
        field.setVisible(shown)
        label = name.widget() if name is not None else None
        if label is not None:
            label.setVisible(shown)

    def _effects(self, after: Tournament) -> Iterator[str]:
        before, words = self.session.tournament, self.session.catalogue
        player, kind = before.players.get(self.who.value() or PlayerId("")), self.kind.value()
        if player is None or kind is None:
            return
        changes = changed_games(before, after)
        yield from (self._changed(change, after) for change in changes)
        yield from self._taken(player, kind)
        for item in new_absences(before, after):
            counts = words.code(item.kind) if item.kind else words.text("nothing")
            yield words.text("From round {round} on: {kind}.", round=item.first_round, kind=counts)
        if not changes and kind in {SanctionKind.GAME, SanctionKind.POINTS} and self._counts_in_game(kind):
            yield self._waits(player)
        found = impact(before, after, player.division)
        if found.papers:
            yield from impact_sentences.impact(found, after.players, words, first={player.id})
        if kind in {SanctionKind.WARNING, SanctionKind.TIME, SanctionKind.TURN}:
            yield words.text("It is noted; no result changes.")

    def _counts_in_game(self, kind: SanctionKind) -> bool:
        from_game = self.session.tournament.ruleset.sanctions.points_from is PointsFrom.GAME
        return kind is SanctionKind.GAME or from_game

    def _waits(self, player: Player) -> str:
        """Return why no result changes: there is none yet, or there are no points in it."""
        words, index = self.session.catalogue, self.session.index
        item = self.round_of(whole(self.number) or len(index.published(player.division)))
        games = index.games(item.id) if item else ()
        game = next((one for one in games if player.id in {one.first, one.second}), None)
        result = index.result(game.id) if game else None
        if result is None:
            return words.text("It counts as soon as the result is entered.")
        if result.forfeit is not None:
            return words.text("The game was lost by forfeit: its result stays.")
        return words.text("The result stays as it is.")

    def _taken(self, player: Player, kind: SanctionKind) -> Iterator[str]:
        """Yield what is taken from the tournament, outside of every game."""
        words, points = self.session.catalogue, whole(self.points) or 0
        if kind is SanctionKind.MARGIN:
            yield words.text("{player}’s spread is lowered by {points}.", player=player.name, points=points)
        elif kind is SanctionKind.POINTS and not self._counts_in_game(kind):
            yield words.text("{player}’s points and spread are lowered by {points}.", player=player.name,
                             points=points)  # fmt: skip

    def _changed(self, change: GameChange, after: Tournament) -> str:
        words, game = self.session.catalogue, after.games[change.game]
        first, second = (after.players[one].name for one in (game.first, game.second))
        where = words.text("Round {round}, table {table}:", round=change.round, table=change.table)
        was = words.text("not played") if change.before is None else _score(change.before, words)
        now = _score(change.after, words)
        said = f"{where} {first} – {second} {now if was == now else f'{was} → {now}'}"
        lost = change.after.lost
        if lost is None or (change.before is not None and change.before.lost == lost):
            return said
        names = {Forfeit.FIRST: first, Forfeit.SECOND: second}
        if lost is Forfeit.BOTH:
            return said + "; " + words.text("both have lost")
        return said + "; " + words.text("{player} has lost", player=names[lost])

    # --- doing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the sanction under the cursor back on Delete."""
        if isinstance(event, QKeyEvent) and (event.type(), event.key()) == (
            QEvent.Type.KeyPress,
            Qt.Key.Key_Delete,
        ):
            self._remove()
            return True
        return super().eventFilter(watched, event)

    def print(self) -> None:
        """Open the preview on all sanctions and rulings."""
        self.preview("sanctions")

    def _give(self) -> None:
        if not self.give_button.isEnabled() or not self.are_numbers(self.number, self.points, most=9_999):
            return
        command = self._command(why=self.why.text())
        player = self.session.tournament.players.get(self.who.value() or PlayerId(""))
        if command is not None and player is not None:
            self.remember(self.author.text().strip())
            correction = self._correction(
                command, player, whole(self.number), self.give_button.text(), reasoned=True
            )
            self.bar.offer(correction, partial(self.session.do, field=self.why, done=if_seen(self, self._given)))
            self._make_room()

    def _correction(
        self, command: partial[Tournament], player: Player, number: int | None, yes: str, *, reasoned: bool = False
    ) -> Correction:
        return Correction(command, "", player.division, (player.id,), number or 0, yes=yes, reasoned=reasoned)

    def _given(self) -> None:
        self._make_room()
        self.why.clear()
        self.points.clear()
        self.view.choose(list(self.session.tournament.sanctions)[-1])
        self.kind.setFocus()

    def _remove(self) -> None:
        given = self.session.tournament.sanctions.get(SanctionId(self.view.current_key()))
        if given is not None and self.may_change():
            player = self.session.tournament.players[given.player]
            command = partial(commands.remove_sanction, sanction=given.id)
            correction = self._correction(command, player, given.round, self._remove_button.text())
            self.bar.offer(correction, self._take_back)
            self._make_room()

    def _make_room(self) -> None:
        """Show beside what is weighed only what it is about: the form, or the list."""
        weighed = self.bar.correction
        giving, asked = weighed is not None and weighed.reasoned, weighed is not None
        self._form_box.setHidden(asked and not giving)
        self.effect.setHidden(asked)
        self.give_button.setHidden(asked)
        self.view.setHidden(giving)
        self.whole_row.setHidden(giving or not self.whole_row.text())
        self._print_button.setHidden(giving)
        self._remove_button.setHidden(giving)

    def _take_back(self, command: partial[Tournament]) -> None:
        self._make_room()
        self.view.setFocus()
        self.session.do(command, field=self.view)

    def _leave(self) -> None:
        """Leave the sanctions as they are, and what was typed too."""
        giving = self.bar.correction is not None and self.bar.correction.reasoned
        self.bar.drop()
        self._make_room()
        (self.why if giving else self.view).setFocus()


def _score(result: Result, words: Catalogue) -> str:
    if result.forfeit is not None:
        return words.code(result.forfeit)
    return f"{words.number(result.first or 0)} – {words.number(result.second or 0)}"
