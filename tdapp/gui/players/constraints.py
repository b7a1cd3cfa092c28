"""What is wished or ordered for two players: never to meet, kept apart, or to meet in a round."""

from __future__ import annotations

from functools import partial
from typing import Any

from tdapp.domain import commands
from tdapp.domain.model import ConstraintKind, Player, PlayerId
from tdapp.domain.tables import constraints
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Input, Values, named_players
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import UNIT
from tdapp.i18n.catalogue import Catalogue

_LASTING = {ConstraintKind.NEVER: commands.forbid_pairing, ConstraintKind.APART: commands.keep_apart}


def constraint_text(row: constraints.ConstraintRow, player: Player, catalogue: Catalogue) -> str:
    """Return what holds for a player, and with whom."""
    other = row.other if row.player == player.name else row.player
    return catalogue.text("{what}: {player}", what=_what(row, catalogue), player=other)


def _what(row: constraints.ConstraintRow, catalogue: Catalogue) -> str:
    return catalogue.text("Round {round}", round=row.round) if row.round else catalogue.code(row.kind)


class ConstraintsPanel(EditorPanel):
    """The pairing constraints of a division, and a form for another one, which begins with `player`."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Pairing constraints"))
        self.want_width(UNIT * 62)
        note = text(
            "“Never” goes before everything. “Kept apart” gives way to repeats, scores and floats. Who is to meet "
            "in a round does so, whatever it costs the others."
        )
        self.body.addWidget(fields.label(note, "muted", wrap=True))
        listing = Listing(
            name=text("Pairing constraints"),
            table=self._table,
            widths={"constraint": 92, "player": 0, "other": 0, "why": 72},
            optional=("why",),
            empty=text("Nothing is wished or ordered for two players yet."),
            shown={"constraint": partial(_what, catalogue=session.catalogue)},
        )
        self.put(
            Editor(
                session,
                fields=self._fields(player),
                listing=listing,
                command=commands.order_pairing,
                remove=commands.remove_constraint,
                to_command=self._command,
                blame={"": "other"},
                begins="other",
                parts=lambda editor: [*editor.list_parts(), *editor.form_parts()],
            )
        )
        self.editor.view.setMinimumHeight(UNIT * 16)
        self.setFocusProxy(self.field("other" if player else "player"))

    def _fields(self, player: PlayerId | None) -> list[Input]:
        text = self.session.catalogue.text
        offered = [
            (ConstraintKind.NEVER, text("are never paired")),
            (ConstraintKind.APART, text("are kept apart where that costs nothing")),
            (ConstraintKind.TOGETHER, text("meet in round")),
        ]
        return [
            Input(name="player", label=text("Player"), options=self._players, value=player),
            Input(name="other", label=text("and"), heard=text("Opponent"), options=self._players),
            Input(name="constraint", label="", heard=text("What holds"), options=lambda _typed: offered),
            Input(name="round_number", label=text("Round"), proposed=self._coming, most=200,
                  shown=lambda typed: typed["constraint"] is ConstraintKind.TOGETHER),
            Input(name="why", label=text("Reason"), hint=text("Reason, for yourself")),
        ]  # fmt: skip

    def _players(self, _typed: Values) -> list[tuple[PlayerId | None, str]]:
        none = (None, self.session.catalogue.text("Choose a player"))
        return [none, *named_players(self.session, "{name} ({number})")]

    def _coming(self) -> int:
        division = self.session.division
        return len(self.session.index.published(division.id)) + 1 if division is not None else 1

    def _table(self) -> Table[constraints.ConstraintRow]:
        division = self.session.division
        index = self.session.index
        return constraints.constraints(index, division.id) if division else Table("constraints", (), ())

    def _command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        """Return the command of what holds; None after going to a player who is not chosen yet."""
        empty = next((name for name in ("player", "other") if values[name] is None), "")
        if empty:
            self.field(empty).setFocus()
            return None
        constraint, number = values.pop("constraint"), values.pop("round_number", None)
        if constraint is ConstraintKind.TOGETHER:
            return partial(commands.order_pairing, key=self.session.key(), round_number=number, **values)
        return partial(_LASTING[constraint], key=self.session.key(), **values)
