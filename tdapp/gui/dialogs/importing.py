"""Import of players: what the file would bring, with all that is wrong by line, before anything is taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path

from PySide6.QtWidgets import QWidget

from tdapp.domain import commands
from tdapp.domain.entries import DivisionEntry, PlayerEntry
from tdapp.domain.errors import InputError
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId
from tdapp.domain.tables.table import Column, Kind, Table
from tdapp.exchange import player_lists, tsh
from tdapp.exchange.detect import Format, detect
from tdapp.exchange.files import read_file
from tdapp.gui import fields, rule_words
from tdapp.gui.dialogs.dialog import Dialog
from tdapp.gui.rows import Rows
from tdapp.gui.session import Session
from tdapp.gui.theme import UNIT
from tdapp.gui.view import TableView


@dataclass(frozen=True, slots=True)
class Offer:
    """What a file holds: its players, what is wrong with which line, and the whole division if it is one."""

    source: str
    entries: tuple[PlayerEntry, ...]
    wrong: tuple[tuple[int, InputError], ...] = ()
    ignored: tuple[str, ...] = ()
    division: DivisionEntry | None = None


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A player of the file; `wrong` says why he is left out."""

    key: str
    line: int
    number: int | None
    name: str
    rating: int | None
    club: str
    country: str
    wrong: str


def read(path: Path) -> Offer:
    """Return what a file of players or a division of tsh brings; raise InputError if it is neither."""
    data = read_file(path)
    if detect(data, path.name) is Format.TSH:
        entry = tsh.read(data, path.name)
        return Offer(path.name, entry.players, division=entry)
    preview = player_lists.read(data, path.name)
    wrong = tuple(
        (one.line, InputError(one.code, source="", line=None, field=one.field, **one.facts))
        for one in preview.problems
    )
    return Offer(path.name, preview.entries, wrong, preview.ignored)


class ImportDialog(Dialog):
    """Shows an Offer and takes it over on the main button."""

    topic = "players"

    def __init__(
        self, session: Session, division: DivisionId, offer: Offer, *, parent: QWidget | None = None
    ) -> None:
        text = session.catalogue.text
        code = session.tournament.divisions[division].code
        title = text("Import into division {division}", division=code)
        super().__init__(session, title, yes=text("Import"), parent=parent)
        self.resize(UNIT * 140, UNIT * 80)
        self._division = division
        self._whole = offer.division if _is_empty(session.index, division) else None
        self._offer = offer
        self._lines = self._judged()
        rows = Rows(session.catalogue, tone=_tone)
        view = TableView(rows, look=session.look, name=title)
        view.set_widths(
            {"line": 56, "number": 56, "name": 200, "rating": 72, "club": 104, "country": 72}, stretch=("wrong",)
        )
        rows.show(Table("offer", _COLUMNS, tuple(self._lines)))
        for part in self._said():
            self.body.addWidget(part)
        self.body.addWidget(view, 1)
        count = len(self._good())
        if self._whole is None:
            said = session.catalogue.plural("Import one player", "Import {n} players", count)
            self.yes.setText(said)
        self.yes.setEnabled(count > 0)

    def take(self) -> None:
        """Import what is right."""
        session, key = self.session, self.session.key()
        if self._whole is not None:
            command = partial(commands.import_division, key=key, division=self._division, entry=self._whole)
        else:
            entries = self._good()
            command = partial(commands.import_players, key=key, division=self._division, entries=entries)
        session.do(command, done=self.accept)

    def _said(self) -> list[QWidget]:
        text, plural = self.session.catalogue.text, self.session.catalogue.plural
        left_out = len(self._lines) - len(self._good())
        lines = [text("From {source}", source=self._offer.source)]
        if self._whole is not None and self._whole.rounds:
            lines.append(plural("With one round played", "With {n} rounds played", len(self._whole.rounds)))
        if self._whole is not None and self._whole.order:
            order = rule_words.ranking(self.session.catalogue, self._whole.order)
            lines.append(text("Ranking becomes: {order}", order=order))
        if self._offer.ignored:
            lines.append(text("Columns not used: {columns}", columns=", ".join(self._offer.ignored)))
        said: list[QWidget] = [fields.label(" · ".join(lines), "muted", wrap=True)]
        if left_out:
            words = plural("One line is left out; the reason stands at its right.",
                           "{n} lines are left out; the reasons stand at their right.", left_out)  # fmt: skip
            said.append(fields.label(words, "error", wrap=True))
        return said

    def _good(self) -> tuple[PlayerEntry, ...]:
        """Return the players without a fault; their numbers only where those are free."""
        index = self.session.index
        taken = {player.number for player in index.players(self._division)}
        pairs = zip(self._offer.entries, self._lines, strict=True)
        good = [entry for entry, line in pairs if not line.wrong]
        return tuple(replace(entry, number=None) if entry.number in taken else entry for entry in good)

    def _judged(self) -> list[OfferRow]:
        wrong = {line: self.session.catalogue.error(error) for line, error in reversed(self._offer.wrong)}
        known = {player.name.casefold() for player in self.session.index.players(self._division)}
        there = self.session.catalogue.text("Is in the division already")
        rows = []
        for place, entry in enumerate(self._offer.entries):
            reason = wrong.get(entry.line, "") if entry.line else ""
            if not reason and self._whole is None and entry.name.casefold() in known:
                reason = there
            rows.append(_row(place, entry, reason))
        return rows


def _row(place: int, entry: PlayerEntry, wrong: str) -> OfferRow:
    return OfferRow(
        key=str(place),
        line=entry.line,
        number=entry.number,
        name=entry.name,
        rating=entry.rating,
        club=entry.club,
        country=entry.country,
        wrong=wrong,
    )


def _tone(row: OfferRow) -> str:
    return "red" if row.wrong else ""


def _is_empty(index: Index, division: DivisionId) -> bool:
    return not index.players(division) and not index.rounds(division)


_COLUMNS: tuple[Column[OfferRow], ...] = (
    Column("line", Kind.NUMBER, attrgetter("line")),
    Column("number", Kind.NUMBER, attrgetter("number")),
    Column("name", Kind.NAME, attrgetter("name")),
    Column("rating", Kind.NUMBER, attrgetter("rating")),
    Column("club", Kind.TEXT, attrgetter("club")),
    Column("country", Kind.TEXT, attrgetter("country")),
    Column("wrong", Kind.TEXT, attrgetter("wrong")),
)
