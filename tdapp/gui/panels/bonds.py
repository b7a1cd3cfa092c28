"""What is wished or ordered for two players: never to meet, kept apart, or to meet in a round."""

from __future__ import annotations

from functools import partial
from typing import Any

from tdapp.domain import commands
from tdapp.domain.model import Bond, Player, PlayerId
from tdapp.domain.tables import bonds
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.gui import fields
from tdapp.gui.at_round import named_players
from tdapp.gui.editor.editor import Editor, EditorPanel, Listing
from tdapp.gui.editor.fields import Field, Values
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.i18n.catalogue import Catalogue

_LASTING = {Bond.NEVER: commands.forbid_pairing, Bond.APART: commands.keep_apart}


def told(row: bonds.BondRow, player: Player, words: Catalogue) -> str:
    """Return what holds for a player, and with whom."""
    other = row.other if row.player == player.name else row.player
    return words.text("{what}: {player}", what=_what(row, words), player=other)


def _what(row: bonds.BondRow, words: Catalogue) -> str:
    return words.text("Round {round}", round=row.round) if row.round else words.code(row.bond)


class BondsPanel(EditorPanel):
    """The bonds of a division beside a page, and a form for another one, which begins with `player`."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        text = session.catalogue.text
        super().__init__(session, text("Who meets whom"))
        self.want_width(UNIT * 62)
        note = text(
            "“Never” goes before everything. “Kept apart” gives way to repeats, scores and floats. Who is to meet "
            "in a round does so, whatever it costs the others."
        )
        self.body.addWidget(fields.label(note, "muted", wrap=True))
        listing = Listing(
            name=text("Who meets whom"),
            table=self._table,
            widths={"bond": 92, "player": 0, "other": 0, "why": 72},
            optional=("why",),
            empty=text("Nothing is wished or ordered for two players yet."),
            shown={"bond": partial(_what, words=session.catalogue)},
        )
        self.put(
            Editor(
                session,
                fields=self._fields(player),
                listing=listing,
                command=commands.order_pairing,
                remove=commands.remove_bond,
                to_command=self._command,
                blame={"": "other"},
                begins="other",
                parts=lambda editor: [*editor.list_parts(), *editor.form_parts()],
            )
        )
        self.editor.view.setMinimumHeight(UNIT * 16)
        self.setFocusProxy(self.field("other" if player else "player"))

    def _fields(self, player: PlayerId | None) -> list[Field]:
        text = self.session.catalogue.text
        said = [
            (Bond.NEVER, text("are never paired")),
            (Bond.APART, text("are kept apart where that costs nothing")),
            (Bond.TOGETHER, text("meet in round")),
        ]
        return [
            Field(name="player", label=text("Player"), options=self._players, value=player),
            Field(name="other", label=text("and"), heard=text("Opponent"), options=self._players),
            Field(name="bond", label="", heard=text("What holds"), options=lambda _typed: said),
            Field(
                name="round_number",
                label=text("Round"),
                proposed=self._coming,
                most=200,
                shown=lambda typed: typed["bond"] is Bond.TOGETHER,
            ),
            Field(name="why", label=text("Reason"), hint=text("Reason, for yourself")),
        ]

    def _players(self, _typed: Values) -> list[tuple[PlayerId | None, str]]:
        return [
            (None, self.session.catalogue.text("Choose a player")),
            *named_players(self.session, "{name} ({number})"),
        ]

    def _coming(self) -> int:
        division = self.session.division
        return len(self.session.index.published(division.id)) + 1 if division is not None else 1

    def _table(self) -> Table[bonds.BondRow]:
        division = self.session.division
        return bonds.bonds(self.session.index, division.id) if division else Table("bonds", (), ())

    def _command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        """Return the command of what holds; None after going to a player who is not chosen yet."""
        empty = next((name for name in ("player", "other") if values[name] is None), "")
        if empty:
            self.field(empty).setFocus()
            return None
        bond, number = values.pop("bond"), values.pop("round_number", None)
        if bond is Bond.TOGETHER:
            return partial(commands.order_pairing, key=self.session.key(), round_number=number, **values)
        return partial(_LASTING[bond], key=self.session.key(), **values)
