"""The prizes of a division: an editable list with the winners."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

from tdapp.domain import commands
from tdapp.domain.commands import Command
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Division, PlayerId, PrizeId, PrizeKind
from tdapp.domain.prizes import BY_PLACE, LUCK, Award
from tdapp.domain.publishing import list_distinct_players
from tdapp.domain.tables import standings
from tdapp.domain.tables.standings import PrizeRow
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_
from tdapp.gui.editor.editor import Editor, Listing
from tdapp.gui.editor.fields import Amount, Choose, Input
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.side_views import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.player_field import PlayerField, player_options
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.locales import folded
from tdapp.i18n.phrases import prizes_note
from tdapp.reports.rankings import share_of

HIGHEST = 10_000
USUAL_GAMES = 6
MOST_REASONS = 3  # lines below the list


class ChoosePrizeKind(Choose):
    """In the list the word or its beginning is typed."""

    def parse(self, typed: str) -> Any:
        words = {kind: self.session.catalogue.code(kind) for kind in PrizeKind}
        wanted = folded(typed)
        begun = [kind for kind, word in words.items() if wanted and folded(word).startswith(wanted)]
        if not begun:
            raise RuleViolation("prize-kind-unknown", value=typed, known=", ".join(words.values()))
        return next((kind for kind in begun if folded(words[kind]) == wanted), begun[0])


class PrizeEditor(Editor):
    """Commands fail if the prize has changed meanwhile."""

    def of_row(self, command: Command, key: str, **values: Any) -> partial[Tournament]:
        made = super().of_row(command, key, **values)
        seen = self.session.tournament.prizes.get(PrizeId(key))
        return partial(made, seen=seen) if command is commands.edit_prize else made


class PrizesView(StandingsView):
    """Prizes, a line to add one, and an explanation."""

    report = "prizes"
    topic = "prizes"
    part = N_("Prizes")
    heading = N_("Prizes")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last: tuple[PrizeKind, int] = (PrizeKind.RANK, 0)  # the prize added last
        self._make_foot()
        text, money = session.catalogue.text, session.catalogue.money
        amount = {"amount": lambda row: money(row.prize.amount) if row.prize.amount else ""}
        listing = Listing(
            name=text("Prizes"),
            table=self._table,
            widths={
                "kind": UNIT * 19, "prize_place": UNIT * 8, "category": UNIT * 12, "prize_games": UNIT * 9,
                "amount": UNIT * 12, "each": UNIT * 12, "text": 0, "winners": 0,
            },
            optional={"prize_games"},
            empty=text("No prizes yet.\nChoose above what a prize is for, type the amount and press Enter."),
            shown=amount,
            edited=amount,
            cells={
                "kind": "kind", "prize_place": "place", "category": "category", "prize_games": "games",
                "amount": "amount", "text": "text",
            },
        )  # fmt: skip
        self.editor = PrizeEditor(
            session,
            fields=self._fields(),
            listing=listing,
            command=commands.add_prize,
            edit=commands.edit_prize,
            remove=commands.remove_prize,
            to_command=self._add_command,
            blame={"": "amount", "prize-without-class": "category"},
            keep=text("Add prize"),
            begins="amount",
            parts=self._parts,
        )
        self.rows, self.view = self.editor.rows, self.editor.view
        self.view.set_keys({"Alt+Up": partial(self.move_by, -1), "Alt+Down": partial(self.move_by, 1)})
        self.view.selected.connect(self._explain)
        self.arrange(self.editor)

    # --- making it

    def _fields(self) -> list[Input]:
        text, heading, narrow = self.session.catalogue.text, self.session.catalogue.heading, ROW * 2
        return [
            Input(name="kind", label="", heard=text("Prize for"), control=ChoosePrizeKind),
            Input(name="place", label=heading("prize_place"), proposed=self._free_place, width=narrow, beside=True,
                  most=HIGHEST, shown=lambda typed: typed["kind"] is not PrizeKind.HAND),
            Input(name="games", label=heading("prize_games"), value=USUAL_GAMES, stays=True, width=narrow,
                  beside=True, most=HIGHEST, shown=lambda typed: typed["kind"] in LUCK),
            Input(name="category", label="", heard=text("Category"), hint=text("Category"), stays=True,
                  beside=True, width=UNIT * 14,
                  shown=lambda typed: typed["kind"] not in {PrizeKind.HAND, PrizeKind.RANK}),
            Input(name="amount", label="", heard=text("Amount"), hint=text("Amount"), control=Amount, beside=True,
                  width=UNIT * 12),
            Input(name="text", label="", heard=text("In kind"), hint=text("or a prize in kind"), beside=True),
        ]  # fmt: skip

    def _parts(self, editor: Editor) -> list[fields.Part]:
        line = fields.row(editor.form, editor.keep_button, wide=editor.form)
        buttons = (self.up_button, self.down_button, editor.remove_button)
        foot = fields.row(self._to_label, self.given_to, 1, *buttons)
        return [line, -1, editor.view, -1, self.follows, self.why, foot]

    def _make_foot(self) -> None:
        self.why, self.follows = fields.note(), fields.note()
        self._to_label = fields.label(self.text("Given to"))
        self.given_to = PlayerField(self.text("Given to"), self.session, placeholder=self.text("No player yet"))
        self.given_to.picked.connect(self._give)
        self.up_button = fields.button(self.text("Up"), partial(self.move_by, -1))
        self.down_button = fields.button(self.text("Down"), partial(self.move_by, 1))

    # --- showing

    def show_table(self, division: Division, after: int) -> None:
        self.editor.refresh()
        self._explain()
        note = prizes_note(self.session.catalogue, self.session.index, division, after)
        fields.say(self.follows, note and f"{note}.")

    def _table(self) -> Table[PrizeRow]:
        division, after, index = self.division, self.after, self.session.index
        if division is None:
            return Table("prizes", (), ())
        key = ("prizes-table", division.id, after)
        return self.session.desk.remember(key, lambda _value: standings.prize_table(index, division, after))

    def current_player(self) -> PlayerId | None:
        row = self._row()
        return row.award.winners[0].player.id if row and row.award.winners else None

    def _row(self) -> PrizeRow | None:
        row = self.rows.row(self.view.current_key())
        return row if isinstance(row, PrizeRow) else None

    def _explain(self) -> None:
        row, catalogue = self._row(), self.session.catalogue
        lines = []
        if row is not None and row.prize.kind is not PrizeKind.HAND:
            lines = self._reasons(row.award) or [catalogue.award("vacant" if row.award.vacant else "nobody", {})]
        fields.say(self.why, "\n".join(lines))
        by_hand = row is not None and row.prize.kind is PrizeKind.HAND
        self._to_label.setVisible(by_hand)
        self.given_to.setVisible(by_hand)
        if row is not None and by_hand:
            self.given_to.fill(player_options(self.session), row.prize.player)
        position = self.rows.position(row.key) if row else -1
        self.up_button.setEnabled(self.session.editable and position > 0)
        self.down_button.setEnabled(self.session.editable and 0 <= position < self.rows.rowCount() - 1)
        self.given_to.setEnabled(self.session.editable)

    def _reasons(self, award: Award) -> list[str]:
        catalogue, names = self.session.catalogue, dict[str, list[str]]()
        players = list_distinct_players(self.session.index)
        for winner in award.winners:
            name = players[winner.player.id].name
            names.setdefault(catalogue.award(winner.code, winner.facts), []).append(name)
        lines = [f"{'; '.join(who)}: {reason}" for reason, who in names.items()]
        more = len(lines) - MOST_REASONS
        if more > 0:
            lines[MOST_REASONS:] = [catalogue.plural("and one more", "and {n} more", more)]
        return [*lines, *filter(None, [share_of(catalogue, award)])]

    def _free_place(self) -> int:
        """Propose the next free place of this kind, the first for additional prizes."""
        kind, division = self.editor.form.value("kind"), self.division
        listed = self.session.index.prizes(division.id) if division is not None and kind in BY_PLACE else ()
        category = folded(self.editor.form.value("category"))
        taken = {one.place for one in listed if one.kind is kind and folded(one.category) == category}
        last, place = self._last
        first = place + 1 if last is kind and kind in BY_PLACE and place in taken else 1
        return next(one for one in count(first) if one not in taken)

    # --- doing

    def add(self) -> None:
        self.editor.field("kind").setFocus()

    def move_by(self, by: int) -> None:
        row = self._row()
        position = self.rows.position(row.key) + by if row else -1
        if row is not None and self.session.editable and 0 <= position < self.rows.rowCount():
            self.session.do(partial(commands.move_prize, prize=row.prize.id, position=position + 1), quiet=True)

    def _add_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        if self.division is None:
            return None
        self._last = values["kind"], values.get("place", 0)
        return partial(commands.add_prize, key=self.session.key(), division=self.division.id, **values)

    def _give(self, player: PlayerId | None) -> None:
        row = self._row()
        if row is not None and row.prize.kind is PrizeKind.HAND and not self.given_to.unclear:
            self.session.do(partial(commands.edit_prize, prize=row.prize.id, player=player))
