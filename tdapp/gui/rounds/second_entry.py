"""The second entry of result slips, to find typing errors.

If two entries differ, the first counts until the user chooses one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

from tdapp.domain import commands
from tdapp.domain.entry_line import ResultLine
from tdapp.domain.game_results import compute_points_before_rulings
from tdapp.domain.model import GameId, Result, ResultState
from tdapp.domain.tables.groups import GroupTableGameRow
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tournament import Tournament
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.access import announce_text, strip_markup
from tdapp.gui.widgets.theme import LEAD, UNIT, make_scaled_font
from tdapp.i18n.impact_sentences import ResultCorrection, make_game_correction
from tdapp.i18n.result_preview import (
    InputNeededForLine,
    ResultLineReader,
    ResultPreview,
    ResultPreviewKind,
    is_same_result,
)


class SecondEntryReader(ResultLineReader):
    """Parses lines typed for the second entry, and hides results of the first entry from the user."""

    def is_result_entry_needed(self, row: PairingRow | GroupTableGameRow) -> bool:
        return isinstance(row, PairingRow) and row.status == ResultState.ENTERED and row.forfeit is None

    def preview_line(self, line: str, *, proposed_key: str = "") -> ResultPreview:
        preview = super().preview_line(line, proposed_key=proposed_key)
        entry = preview.entry
        games = self.index.tournament.games
        if preview.game in games and preview.tone != "red" and self.index.get_result(GameId(preview.game)) is None:
            first = self._catalogue.text("This table has no result yet: this entry counts as the first.")
            return replace(preview, second_line=f"{first} {preview.second_line}".strip(), tone="amber")
        if preview.old is None or entry is None or entry.disputed:
            return preview
        if preview.old.disputed is not None:
            disputed = self._catalogue.text("Table {table} is disputed: the jury decides.", table=entry.row.table)
            return ResultPreview(disputed, tone="red", game=preview.game)
        if entry.clear:
            refusal = self._catalogue.text("Results cannot be cleared during the second entry.")
            return ResultPreview(refusal, tone="red", game=preview.game)
        if InputNeededForLine.CONTROL in preview.needed_inputs:
            new_result = self._find_result_in_changed_tournament(
                preview.make_command(control=True, reason="…")(self.index.tournament), preview
            )
            needed_inputs = frozenset({InputNeededForLine.CONTROL, InputNeededForLine.COMPARISON})
            return replace(
                preview,
                new_result=new_result,
                needed_inputs=needed_inputs,
                repeat_prompt="",
                saved_text=self.describe_effect_of_result_line(entry, new_result),
            )
        details = self.describe_player_totals(preview.new_result) if preview.new_result is not None else ""
        text, needed_inputs = (
            self.describe_effect_of_result_line(entry, preview.new_result),
            frozenset({InputNeededForLine.COMPARISON}),
        )
        return replace(
            preview,
            text=text,
            second_line=details,
            tone="text",
            kind=ResultPreviewKind.RESULT,
            needed_inputs=needed_inputs,
            repeat_prompt="",
        )

    def is_same_result(self, preview: ResultPreview) -> bool:
        new_result, old, entry, before = preview.new_result, preview.old, preview.entry, self.index.tournament
        if new_result is None or old is None or entry is None or not is_same_result(new_result, old):
            return False
        started = preview.make_command(reason="…")(before) if entry.started is not None else before
        game = GameId(preview.game)
        return started.games[game].first == before.games[game].first

    def make_preview_of_first_entry(self, preview: ResultPreview) -> ResultPreview:
        old = preview.old
        if old is None or preview.entry is None:
            return replace(preview, new_result=old, entry=None)
        (first, second), overtime = compute_points_before_rulings(old) or (None, None), old.overtime or (0, 0)
        entry = ResultLine(preview.entry.row, first, second, old.forfeit, flag=old.flag, overtime=overtime)
        return replace(
            preview, new_result=old, entry=entry, saved_text=self.describe_effect_of_result_line(entry, old)
        )

    def format_result(self, result: Result | None) -> str:
        if result is None:
            return ""
        points = compute_points_before_rulings(result)
        return self._catalogue.translate_code(result.forfeit) if points is None else f"{points[0]} – {points[1]}"

    def find_result_to_show(self, row: PairingRow) -> Result | None:
        return None


class _SecondEntryDifference(Struct, frozen=True):
    reader: SecondEntryReader
    preview: ResultPreview
    is_control_pressed: bool  # the user confirmed the second entry with Ctrl+Enter


class SecondEntryFrame(QFrame):
    """Asks which of two different entries of a result is right.

    Keys 1 and 2 choose an entry. Key 3 leaves the decision to the jury.
    """

    retype = Signal()

    def __init__(
        self,
        session: Session,
        *,
        # gets the command to run, or None if nothing needs to be saved
        settle: Callable[[partial[Tournament] | None, ResultPreview], None],
        # gets a correction that may have effects on other data
        offer: Callable[[ResultCorrection, ResultPreview], None],
    ) -> None:
        super().__init__()
        self.setObjectName("card")
        self._session, self._settle, self._offer = session, settle, offer
        self._difference: _SecondEntryDifference | None = None
        self.is_active = False
        self._question = fields.make_label(wrap=True)
        self._question.setFont(make_scaled_font(LEAD, bold=True))
        self.first_button = fields.make_button("", self._keep_first_entry)
        self.second_button = fields.make_button("", self._replace_first_by_second_entry)
        self.disputed_button = fields.make_button(
            session.catalogue.text("3  Disputed: the jury decides"), self._mark_result_disputed
        )
        self._retype_button = fields.make_button(
            session.catalogue.text("Type it again (Esc)"), self._hide_difference_and_request_retyping
        )
        buttons = fields.WrappingRow(
            self.first_button, self.second_button, self.disputed_button, self._retype_button
        )
        fields.make_column(self._question, buttons, margins=(UNIT * 2, UNIT) * 2, parent=self)
        self.hide()

    def set_second_entry_active(self, *, is_active: bool) -> None:
        self.is_active = is_active
        self.hide_entry_difference()

    def accept_equal_entries_or_ask(
        self, reader: SecondEntryReader, preview: ResultPreview, *, is_control_pressed: bool
    ) -> None:
        if reader.is_same_result(preview):
            self._settle(self._make_check_result_command(preview), preview)
            return
        self._difference = _SecondEntryDifference(reader, preview, is_control_pressed)
        text, table = self._session.catalogue.text, preview.entry.row.table if preview.entry else 0
        self._question.setText(text("Table {table}: the two entries differ. Which is right?", table=table))
        self.first_button.setText(text("1  The first entry: {score}", score=reader.format_result(preview.old)))
        self.second_button.setText(
            text("2  The second entry: {score}", score=reader.format_result(preview.new_result))
        )
        self.disputed_button.setVisible(self._can_mark_as_disputed(preview))
        self.show()
        self._retype_button.setFocus()  # an extra Enter must not choose an entry
        disputable = [self.disputed_button.text()] * self._can_mark_as_disputed(preview)
        announce_text(
            self._question,
            ". ".join([self._question.text(), self.first_button.text(), self.second_button.text(), *disputable]),
        )

    def close_difference_if_result_changed(self) -> None:
        difference = self._difference
        if (
            difference is not None
            and self._session.index.get_result(GameId(difference.preview.game)) != difference.preview.old
        ):
            self._hide_difference_and_request_retyping()

    def hide_entry_difference(self) -> None:
        self._difference = None
        self.hide()

    def preview_empty_second_entry_line(
        self, reader: ResultLineReader, invitation: str, last_preview: ResultPreview
    ) -> ResultPreview:
        catalogue, index = self._session.catalogue, reader.index
        text = catalogue.text
        results = [index.get_result(game.id) for game in index.games(reader.item.id)]
        # a forfeit has no slip
        states = [result and result.status for result in results if result is None or result.forfeit is None]
        slip_count, missing_count = len(states), states.count(None)
        checked_slips = slip_count - missing_count - states.count(ResultState.ENTERED)
        escape_hint = text("Press Esc to stop the second entry.")
        hints = " · ".join(filter(None, (strip_markup(last_preview.text), escape_hint)))
        if slip_count == missing_count:
            return ResultPreview(
                text("No result has been entered yet, so there is nothing to type a second time."), escape_hint
            )
        if not invitation and missing_count:
            missing_text = catalogue.plural("One result is missing.", "{n} results are missing.", missing_count)
            return ResultPreview(
                text(
                    "Second entry, {done} of {all}. {next}", done=checked_slips, all=slip_count, next=missing_text
                ),
                hints,
            )
        if not invitation:
            number = reader.item.number
            complete = text(
                "All {all} slips for round {round} have been typed twice.", all=slip_count, round=number
            )
            return ResultPreview("✓ " + complete, hints, "green")
        invitation_text = text(
            "Second entry, {done} of {all}. {next}", done=checked_slips, all=slip_count, next=invitation
        )
        return ResultPreview(invitation_text, hints)

    def _make_check_result_command(self, preview: ResultPreview) -> partial[Tournament] | None:
        if preview.old is None or preview.old.state is not ResultState.ENTERED:
            return None
        return partial(commands.check_result, game=GameId(preview.game))

    def _keep_first_entry(self) -> None:
        difference = self._difference
        if difference is not None:
            self._hide_difference_and_request_retyping()
            self._settle(
                self._make_check_result_command(difference.preview),
                difference.reader.make_preview_of_first_entry(difference.preview),
            )

    def _replace_first_by_second_entry(self) -> None:
        difference = self._difference
        if difference is not None:
            self._hide_difference_and_request_retyping()
            correction = difference.preview.make_command(control=difference.is_control_pressed)
            command = partial(commands.second_result, **correction.keywords)
            game = GameId(difference.preview.game)
            self._offer(
                make_game_correction(difference.reader.index, game, command, difference.preview.text),
                difference.preview,
            )

    def _can_mark_as_disputed(self, preview: ResultPreview) -> bool:
        old, entry = preview.old, preview.entry
        is_open = old is not None and old.state is ResultState.ENTERED and old.forfeit is None
        return is_open and entry is not None and entry.first is not None

    def _mark_result_disputed(self) -> None:
        difference = self._difference
        if (
            difference is not None
            and difference.preview.entry is not None
            and self._can_mark_as_disputed(difference.preview)
        ):
            self._hide_difference_and_request_retyping()
            entry = replace(difference.preview.entry, disputed=True)
            command = difference.reader.make_command(entry, difference.preview.old)
            preview = replace(
                difference.preview,
                entry=entry,
                command=command,
                saved_text=difference.reader.describe_effect_of_result_line(entry),
            )
            self._settle(preview.make_command(control=difference.is_control_pressed), preview)

    def _hide_difference_and_request_retyping(self) -> None:
        self.hide_entry_difference()
        self.retype.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {
            Qt.Key.Key_1: self._keep_first_entry,
            Qt.Key.Key_2: self._replace_first_by_second_entry,
            Qt.Key.Key_3: self._mark_result_disputed,
            Qt.Key.Key_Escape: self._hide_difference_and_request_retyping,
        }
        run = keys.get(Qt.Key(event.key()))
        if run is not None:
            run()
        else:
            super().keyPressEvent(event)
