"""The list of prizes with winners and reasons, and the form for a prize."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

from tdapp.domain import commands
from tdapp.domain.commands import Command
from tdapp.domain.errors import CommandError
from tdapp.domain.model import Division, PlayerId, PrizeId, PrizeKind
from tdapp.domain.prizes import LUCK_PRIZES, RANKED_KINDS, AwardedPrize
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tables import standings
from tdapp.domain.tables.standings import PrizeRow
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import N_
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration
from tdapp.gui.editor.fields import ChoiceControl, FormField, MoneyControl
from tdapp.gui.shell.session import Session
from tdapp.gui.standings.standings_view import StandingsView
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.player_field import PlayerField, list_player_options
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import explain_that_knockout_decides_prizes
from tdapp.reports.rankings import describe_shared_prize

MAX_NUMBER = 10_000
DEFAULT_GAMES = 6
MAX_REASONS = 3  # lines below the list


class PrizeKindControl(ChoiceControl):
    """Chooses the kind of a prize."""

    def parse_field_text(self, text: str) -> Any:
        words = {kind: self.session.catalogue.translate_code(kind) for kind in PrizeKind}
        folded_text = fold_text(text)
        matching_kinds = [
            kind for kind, word in words.items() if folded_text and fold_text(word).startswith(folded_text)
        ]
        if not matching_kinds:
            raise CommandError("prize-kind-unknown", value=text, known=", ".join(words.values()))
        return next((kind for kind in matching_kinds if fold_text(words[kind]) == folded_text), matching_kinds[0])


class PrizeEditor(RowEditor):
    """Editor of prizes. An edit fails if the prize has changed meanwhile."""

    def bind_command_to_row(self, command: Command, key: str, **values: Any) -> partial[Tournament]:
        make_command = super().bind_command_to_row(command, key, **values)
        seen_prize = self.session.tournament.prizes.get(PrizeId(key))
        return partial(make_command, seen=seen_prize) if command is commands.edit_prize else make_command


class PrizesView(StandingsView):
    """The prizes, with a form for a new one."""

    view_id = "prizes"
    topic = "prizes"
    choice_text = N_("Prizes")
    page_heading = N_("Prizes")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._last: tuple[PrizeKind, int] = (PrizeKind.RANK, 0)  # the prize added last
        self._make_winner_field_and_move_buttons()
        text, money = session.catalogue.text, session.catalogue.format_money
        amount = {"amount": lambda row: money(row.prize.amount) if row.prize.amount else ""}
        listing = RowEditorListDeclaration(
            name=text("Prizes"),
            table=self._make_prize_table,
            widths={
                "kind": UNIT * 19, "prize_place": UNIT * 8, "category": UNIT * 12, "prize_games": UNIT * 9,
                "amount": UNIT * 12, "each": UNIT * 12, "text": 0, "winners": 0,
            },
            optional_columns={"prize_games"},
            empty_text=text("No prizes yet.\nChoose the kind of prize above, type the amount and press Enter."),
            column_texts=amount,
            edit_texts=amount,
            editable_columns={
                "kind": "kind", "prize_place": "place", "category": "category", "prize_games": "games",
                "amount": "amount", "text": "text",
            },
        )  # fmt: skip
        self.editor = PrizeEditor(
            session,
            fields=self._make_prize_form_fields(),
            listing=listing,
            command=commands.add_prize,
            edit=commands.edit_prize,
            remove=commands.remove_prize,
            to_command=self._make_add_command,
            error_fields={"": "amount", "prize-without-class": "category"},
            add_title=text("Add prize"),
            focus_when_adding="amount",
            arrange=self._list_widgets_from_top_to_bottom,
        )
        self.rows, self.view = self.editor.rows, self.editor.view
        self.view.add_keyboard_actions(
            {"Alt+Up": partial(self.move_prize, -1), "Alt+Down": partial(self.move_prize, 1)}
        )
        self.view.selection_changed.connect(self._update_prize_explanation_and_controls)
        self.arrange_and_connect_view(self.editor)

    # --- build

    def _make_prize_form_fields(self) -> list[FormField]:
        text, heading, narrow = self.session.catalogue.text, self.session.catalogue.heading, ROW * 2
        return [
            FormField(name="kind", label="", spoken_name=text("Kind of prize"), control=PrizeKindControl),
            FormField(name="place", label=heading("prize_place"), propose=self._propose_next_free_prize_rank,
                      width=narrow, same_line=True, maximum=MAX_NUMBER,
                      is_shown=lambda values: values["kind"] is not PrizeKind.HAND),
            FormField(name="games", label=heading("prize_games"), value=DEFAULT_GAMES, is_kept=True, width=narrow,
                      same_line=True, maximum=MAX_NUMBER, is_shown=lambda values: values["kind"] in LUCK_PRIZES),
            FormField(name="category", label="", spoken_name=text("Category"), hint=text("Category"), is_kept=True,
                      same_line=True, width=UNIT * 14,
                      is_shown=lambda values: values["kind"] not in {PrizeKind.HAND, PrizeKind.RANK}),
            FormField(name="amount", label="", spoken_name=text("Amount"), hint=text("Amount"),
                      control=MoneyControl, same_line=True,
                      width=UNIT * 12),
            FormField(name="text", label="", spoken_name=text("Non-cash prize"), hint=text("or a non-cash prize"),
                      same_line=True),
        ]  # fmt: skip

    def _list_widgets_from_top_to_bottom(self, editor: RowEditor) -> list[fields.Part]:
        line = fields.make_row(editor.form, editor.save_button, wide=editor.form)
        buttons = (self.up_button, self.down_button, editor.remove_button)
        footer = fields.make_row(self._to_label, self.given_to, 1, *buttons)
        return [line, -1, editor.view, -1, self.knockout_note, self.explanation, footer]

    def _make_winner_field_and_move_buttons(self) -> None:
        self.explanation, self.knockout_note = fields.make_note_label(), fields.make_note_label()
        self._to_label = fields.make_label(self.text("Prize awarded to"))
        self.given_to = PlayerField(
            self.text("Prize awarded to"), self.session, placeholder=self.text("No player yet")
        )
        self.given_to.player_chosen.connect(self._save_chosen_prize_winner)
        self.up_button = fields.make_button(self.text("Move up"), partial(self.move_prize, -1))
        self.down_button = fields.make_button(self.text("Move down"), partial(self.move_prize, 1))

    # --- display

    def show_table(self, division: Division, after: int) -> None:
        self.editor.refresh_editor()
        self._update_prize_explanation_and_controls()
        note = explain_that_knockout_decides_prizes(self.session.catalogue, self.session.index, division, after)
        fields.show_text(self.knockout_note, note and f"{note}.")

    def _make_prize_table(self) -> Table[PrizeRow]:
        division, after, index = self.division, self.after, self.session.index
        if division is None:
            return Table("prizes", (), ())
        key = ("prizes-table", division.id, after)
        return self.session.desk.get_cached_value(
            key, lambda _value: standings.make_prize_table(index, division, after)
        )

    def get_current_player_id(self) -> PlayerId | None:
        row = self._get_current_prize_row()
        return row.award.winners[0].player.id if row and row.award.winners else None

    def _get_current_prize_row(self) -> PrizeRow | None:
        row = self.rows.find_row_by_key(self.view.get_current_row_key())
        return row if isinstance(row, PrizeRow) else None

    def _update_prize_explanation_and_controls(self) -> None:
        row, catalogue = self._get_current_prize_row(), self.session.catalogue
        lines = []
        if row is not None and row.prize.kind is not PrizeKind.HAND:
            lines = self._list_award_reasons(row.award) or [
                catalogue.describe_award_reason("vacant" if row.award.vacant else "nobody", {})
            ]
        fields.show_text(self.explanation, "\n".join(lines))
        by_hand = row is not None and row.prize.kind is PrizeKind.HAND
        self._to_label.setVisible(by_hand)
        self.given_to.setVisible(by_hand)
        if row is not None and by_hand:
            self.given_to.set_options(list_player_options(self.session), row.prize.player)
        position = self.rows.find_row_position(row.key) if row else -1
        self.up_button.setEnabled(self.session.is_editable and position > 0)
        self.down_button.setEnabled(self.session.is_editable and 0 <= position < self.rows.rowCount() - 1)
        self.given_to.setEnabled(self.session.is_editable)

    def _list_award_reasons(self, award: AwardedPrize) -> list[str]:
        catalogue, names = self.session.catalogue, dict[str, list[str]]()
        players = map_players_with_distinct_names(self.session.index)
        for winner in award.winners:
            name = players[winner.player.id].name
            names.setdefault(catalogue.describe_award_reason(winner.code, winner.facts), []).append(name)
        lines = [f"{'; '.join(names_of_reason)}: {reason}" for reason, names_of_reason in names.items()]
        hidden_count = len(lines) - MAX_REASONS
        if hidden_count > 0:
            lines[MAX_REASONS:] = [catalogue.plural("and one more", "and {n} more", hidden_count)]
        return [*lines, *filter(None, [describe_shared_prize(catalogue, award)])]

    def _propose_next_free_prize_rank(self) -> int:
        kind, division = self.editor.form.get_value_if_valid("kind"), self.division
        prizes = self.session.index.prizes(division.id) if division is not None and kind in RANKED_KINDS else ()
        category = fold_text(self.editor.form.get_value_if_valid("category"))
        taken_places = {
            prize.place for prize in prizes if prize.kind is kind and fold_text(prize.category) == category
        }
        last_kind, last_place = self._last
        first = last_place + 1 if last_kind is kind and kind in RANKED_KINDS and last_place in taken_places else 1
        return next(place for place in count(first) if place not in taken_places)

    # --- handlers

    def focus_new_prize_form(self) -> None:
        self.editor.get_field_widget("kind").setFocus()

    def move_prize(self, offset: int) -> None:
        row = self._get_current_prize_row()
        position = self.rows.find_row_position(row.key) + offset if row else -1
        if row is not None and self.session.is_editable and 0 <= position < self.rows.rowCount():
            self.session.do(partial(commands.move_prize, prize=row.prize.id, position=position + 1), quiet=True)

    def _make_add_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        if self.division is None:
            return None
        self._last = values["kind"], values.get("place", 0)
        return partial(commands.add_prize, key=self.session.make_row_id(), division=self.division.id, **values)

    def _save_chosen_prize_winner(self, player: PlayerId | None) -> None:
        row = self._get_current_prize_row()
        if row is not None and row.prize.kind is PrizeKind.HAND and not self.given_to.has_text_without_player:
            self.session.do(partial(commands.edit_prize, prize=row.prize.id, player=player))
