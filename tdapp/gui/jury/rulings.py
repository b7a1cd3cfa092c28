"""Rulings and sanctions on the Jury page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import Any

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.impact import assess_impact
from tdapp.domain.jury_rows import SanctionId
from tdapp.domain.model import ByeKind, Division, GameId, PlayerId
from tdapp.domain.rulings import make_word_list_ruling_reason
from tdapp.domain.tables.jury import DoubtfulWord, compute_phony_cost
from tdapp.domain.tables.jury_log import JuryDecisionRow, make_sanction_table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import FormField, PlayerControl, Values
from tdapp.gui.jury.sheet_page import SheetPage
from tdapp.gui.shell.actions import Action
from tdapp.gui.shell.jury_member import get_jury_member_today
from tdapp.gui.shell.session import Session, make_callback_for_visible_widget, make_callback_unless_deleted
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.impact_bar import ImpactConfirmationBar
from tdapp.gui.widgets.theme import ROW, UNIT
from tdapp.i18n import impact_sentences, sheet_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import ResultCorrection, make_game_correction
from tdapp.scrabble.sheet import GameEnding, SanctionKind, TurnKind
from tdapp.services.worker import BackgroundTask

RunCommand = Callable[[partial[Tournament]], None]
_PLACEHOLDER = "…"  # for author and reason in a preview


class RulingActions:
    """Actions on doubtful words."""

    def __init__(self, page: SheetPage, run_correction: Callable[[ResultCorrection, RunCommand], None]) -> None:
        self._page, self._session, self._sheet = page, page.session, page.sheet
        self._run_correction = run_correction

    def list_ruling_actions(self) -> tuple[Action, ...]:
        text, menu = self._session.catalogue.text, "turns"
        rule_wrong, rule_valid = partial(self.start_ruling, phony=True), partial(self.start_ruling, phony=False)
        return (
            Action("next-doubt", text("Words in doubt"), self.focus_doubtful_words, "", "Ctrl+Shift+W", menu,
                   self._has_doubtful_words),
            Action("doubt-after", text("Next play in doubt in this round"),
                   partial(self.go_to_adjacent_turn_to_check, 1), "", "F8", menu,
                   self._has_turns_to_check_in_round),
            Action("doubt-before", text("Previous play in doubt in this round"),
                   partial(self.go_to_adjacent_turn_to_check, -1), "", "Shift+F8", menu,
                   self._has_turns_to_check_in_round),
            Action("rule-wrong", text("Rule the play invalid…"), rule_wrong, "close", "Alt+-", menu,
                   self._can_rule_on_words),
            Action("rule-stands", text("Rule the play valid…"), rule_valid, "check", ("Alt++", "Alt+="), menu,
                   self._can_rule_on_words),
        )  # fmt: skip

    def _has_doubtful_words(self) -> bool:
        return (
            self._page.has_open_sheet()
            and self._page.parsed_sheet is not None
            and bool(self._page.parsed_sheet.doubts)
        )

    def _can_rule_on_words(self) -> bool:
        has_sheet = self._sheet.saved_sheet is not None or self._sheet.is_unsaved
        return (
            self._page.isVisible()
            and self._sheet.can_edit_sheets()
            and not self._session.is_judge_screen_open
            and has_sheet
        )

    def _has_turns_to_check_in_round(self) -> bool:
        return self._page.isVisible() and any(row.status in {"doubt", "differs"} for row in self._page.rows)

    def go_to_adjacent_turn_to_check(self, step: int) -> None:
        doubts = [*self._iterate_turns_to_check()]
        if not doubts:
            return
        tables = {row.key: row.table for row in self._page.rows}
        key, parsed_sheet = self._sheet.key, self._page.parsed_sheet
        number = (parsed_sheet.find_turn_number(self._sheet.turn_index) or 0) if parsed_sheet else 0
        position = (tables[key[0]], number) if key is not None and key[0] in tables else (0, 0)
        order = doubts if step > 0 else doubts[::-1]
        next_doubts = (doubt for doubt in order if (doubt[:2] > position if step > 0 else doubt[:2] < position))
        _, turn, game = next(next_doubts, order[0])
        if key is None or key[0] != game:
            self._page.open_game(game)
        parsed_sheet = self._page.parsed_sheet
        if parsed_sheet is not None and 0 < turn <= len(parsed_sheet.line_indexes):
            self._page.move_cursor(parsed_sheet.line_indexes[turn - 1])

    def _iterate_turns_to_check(self) -> Iterator[tuple[int, int, GameId]]:
        index = self._sheet.index
        for row in self._page.rows:
            game = GameId(row.key)
            turns = {row.differing} if row.differing else set()
            for form in index.sheets(game)[:1]:
                turns |= self._page.doubts.find_turn_numbers_to_check(form)
            if row.status in {"doubt", "differs"}:
                yield from ((row.table, turn, game) for turn in sorted(turns or {0}))

    def go_to_first_turn_to_check(self) -> None:
        parsed_sheet, stored = self._page.parsed_sheet, self._sheet.saved_sheet
        if parsed_sheet is None or stored is None:
            return
        turns = sorted(self._page.doubts.find_turn_numbers_to_check(stored) - {0})
        if turns and turns[0] <= len(parsed_sheet.line_indexes):
            self._page.move_cursor(parsed_sheet.line_indexes[turns[0] - 1])

    def focus_doubtful_words(self) -> None:
        parsed_sheet, view = self._page.parsed_sheet, self._page.words.view
        doubts = (
            [doubt for doubt in parsed_sheet.doubts if doubt.is_undecided] or list(parsed_sheet.doubts)
            if parsed_sheet
            else []
        )
        if doubts and self._page.isVisible():
            self._page.unhide_column_of_widget(view)
            view.setFocus()
            view.select_row(doubts[0].key)

    def make_callback_to_focus_next_doubt(self) -> Callable[[], None]:
        """Return a function that focuses the doubtful words or, if none are left, the end of the sheet.

        The function does nothing if the user has left the current sheet.
        """
        check = self._page.make_is_still_on_sheet_function()
        return make_callback_unless_deleted(self._page, partial(self._focus_doubtful_words_or_sheet_end, check))

    def _focus_doubtful_words_or_sheet_end(self, is_still_on_sheet: Callable[[], bool]) -> None:
        if not is_still_on_sheet():
            return
        self._sheet.remember_last_history_step()
        self._page.return_to_sheet_end_panel()
        self._page.refresh_page()
        parsed_sheet = self._page.parsed_sheet
        if parsed_sheet is not None and any(doubt.is_undecided for doubt in parsed_sheet.doubts):
            self.focus_doubtful_words()
        else:
            self._page.end.focus_field("")

    def start_ruling(self, *, phony: bool) -> None:
        number, catalogue = self._find_turn_to_rule_on(), self._session.catalogue
        if number is None:
            self._session.show_message(catalogue.text("First select the play that needs a ruling."), tone="red")
        elif self._sheet.is_unsaved:
            self._session.show_message(catalogue.text("Save the sheet first (Ctrl+Enter)."), tone="red")
        elif phony and not self._sheet.rules.phony.ruled:
            self._session.show_message(catalogue.describe_problem("phony-not-in-rules", {}), tone="red")
        elif not get_jury_member_today(self._session):
            self._page.line.ask_jury_member_name(
                make_callback_unless_deleted(self._page, partial(self.start_ruling, phony=phony))
            )
        else:
            self._page.show_panel_below_turns(self._page.ruling)
            self._ask_to_confirm_ruling(number, phony=phony)

    def save_ruling(self, turn: int, phony: bool, reason: str, wrong_words: int) -> None:
        author, game = get_jury_member_today(self._session), self._sheet.game
        command = self._make_ruling_command(
            turn, phony=phony, author=author, reason=reason, wrong_words=wrong_words
        )
        if command is not None and game is not None:
            strip, index = self._page.ruling, self._sheet.index
            confirm_text = strip.confirm_button.text()
            correction = make_game_correction(
                index,
                game.id,
                command,
                escape(strip.question_label.text()),
                confirm_text=confirm_text,
                has_reason=True,
            )
            self._run_correction(correction, self._run_ruling_command)

    def _run_ruling_command(self, command: partial[Tournament]) -> None:
        self._session.do(
            command,
            on_success=self.make_callback_to_focus_next_doubt(),
            quiet=True,
            field=self._page.ruling.reason_field,
        )

    def list_ruling_effects(self, turn: int, phony: bool, wrong_words: int) -> Sequence[str]:
        before, game = self._session.tournament, self._sheet.game
        command = self._make_ruling_command(
            turn, phony=phony, author=_PLACEHOLDER, reason=_PLACEHOLDER, wrong_words=wrong_words
        )
        if command is None or game is None:
            return ()
        catalogue = self._session.catalogue
        try:
            after = command(before)
        except CommandError as error:
            return (catalogue.describe_error(error),)
        division = self._session.index.get_division_of_round(game.round).id
        impact = assess_impact(self._session.index, after, division)
        old, new, stored = before.results.get(game.id), after.results.get(game.id), self._sheet.saved_sheet
        is_finished = stored is None or stored.sheet.ended not in {None, GameEnding.OPEN}
        score_change = sheet_sentences.describe_score_change(catalogue, old, new, is_sheet_finished=is_finished)
        return (
            score_change,
            *impact_sentences.describe_impact(
                impact, self._session.index, catalogue, first_players=(game.first, game.second)
            ),
        )

    def _make_ruling_command(
        self, turn: int, *, phony: bool, author: str, reason: str, wrong_words: int
    ) -> partial[Tournament] | None:
        key, tileset = self._sheet.key, self._sheet.tileset
        wordlist = self._session.open_word_list(self._sheet.game)
        if key is None or tileset is None:
            return None
        edition = wordlist.metadata.id if wordlist is not None else ""
        return partial(
            commands.rule_on_turn, game=key[0], form=key[1], turn=turn, phony=phony, author=author, why=reason,
            tileset=tileset, wrong_words=wrong_words, edition=edition,
        )  # fmt: skip

    def _find_turn_to_rule_on(self) -> int | None:
        parsed_sheet, words = self._page.parsed_sheet, self._page.words
        if parsed_sheet is None:
            return None
        if words.view.hasFocus() and words.current_doubt is not None:
            return words.current_doubt.turn
        row = parsed_sheet.find_turn_row(self._sheet.turn_index)
        if row is not None and row.line.kind is TurnKind.PLAY:
            return row.line.number
        return next((doubt.turn for doubt in parsed_sheet.doubts if doubt.is_undecided), None)

    def _ask_to_confirm_ruling(self, turn: int, *, phony: bool) -> None:
        catalogue, parsed_sheet, rules = self._session.catalogue, self._page.parsed_sheet, self._sheet.rules
        line = parsed_sheet.replayed_turns[turn - 1] if parsed_sheet else None
        doubts = [doubt for doubt in parsed_sheet.doubts if doubt.turn == turn] if parsed_sheet else []
        count = max(1, len(doubts))
        words = _join_distinct_words(doubt.word for doubt in doubts) or ", ".join(line.words if line else ())
        turn_text = (
            sheet_sentences.describe_draft_line(self._sheet.draft, parsed_sheet.line_indexes[turn - 1], catalogue)
            if parsed_sheet
            else ""
        )
        question = catalogue.text("{where}: {message}", where=turn_text, message=words)
        if phony and line is not None:
            question += "  ·  " + catalogue.text(
                C_("ruling", "costs {cost} points"), cost=compute_phony_cost(line, rules, wrong_words=count)
            )
        reason = self._propose_ruling_reason(doubts, phony=phony)
        self._page.ruling.ask_to_confirm_ruling(
            turn, question, phony=phony, wrong_words=count, reason=reason, list_effects=self.list_ruling_effects
        )

    def _propose_ruling_reason(self, doubts: Sequence[DoubtfulWord], *, phony: bool) -> str:
        wordlist = self._session.open_word_list(self._sheet.game)
        missing = [doubt.word for doubt in doubts if doubt.code == "word-not-in-list"]
        edition = wordlist.edition.name if phony and missing and wordlist is not None else ""
        return make_word_list_ruling_reason(phony=phony, edition=edition) if doubts else ""


def _join_distinct_words(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def format_sanction_without_player_name(row: JuryDecisionRow, catalogue: Catalogue) -> str:
    kind = catalogue.translate_code(row.text_id_of_kind) + (f" −{row.points}" if row.points else "")
    return f"{kind} · {row.why}" + (f" ({row.author})" if row.author else "")


def _describe_sanction_effects(before: Tournament, after: Tournament, *facts: Any) -> str:
    return "\n".join(impact_sentences.list_sanction_effects(before, after, *facts))


class SanctionsPanel(RowEditorPanel):
    """The sanctions of the division."""

    def __init__(self, session: Session, player: PlayerId | None = None) -> None:
        super().__init__(session, session.catalogue.text("Sanctions"), width=UNIT * 58)
        self._is_form_complete = False
        self._task = BackgroundTask("")  # computes the effect
        self.effect = fields.make_label(wrap=True)
        self.bar = ImpactConfirmationBar(session)
        self.bar.cancelled.connect(self._close_preview)
        self._print_button = fields.make_button(self.text("Print…"), partial(self.preview_report, "sanctions"))
        listing = RowEditorListDeclaration(
            name=self.text("Sanctions"),
            table=partial(self.make_table_of_selected_division, make_sanction_table),
            widths={"round": 56, "name": 150, "why": 0},
            empty_text=self.text("No sanctions yet."),
            column_texts={"why": self._format_sanction_without_player_name},
            row_text=self._format_sanction_without_player_name,
        )
        self.set_editor(
            RowEditor(
                session,
                fields=self._make_sanction_fields(player),
                listing=listing,
                command=commands.add_sanction,
                remove=commands.remove_sanction,
                error_fields={"": "why"},
                add_title=self.text("Impose the sanction"),
                focus_when_adding="kind",
                run=self._ask_to_confirm_or_run,
                can_save=lambda: self._is_form_complete,
                arrange=self._arrange_widgets,
            )
        )
        self.editor.form.changed.connect(self._close_confirmation_and_show_effect)
        self.setFocusProxy(self.get_field_widget("player" if player is None else "kind"))

    def refresh_widgets_outside_editor(self, _division: Division) -> None:
        self._show_sanction_effect()
        self.bar.update_effects()

    # --- build

    def _make_sanction_fields(self, player: PlayerId | None) -> list[FormField]:
        session, text = self.session, self.session.catalogue.text
        division = session.division
        last = len(session.index.list_published_rounds(division.id)) if division else 0
        number = min(session.round_number or last, last) or None
        forfeits = [
            (ByeKind.FORFEIT, text(C_("disqualified player", "losses by forfeit"))),
            (None, text(C_("disqualified player", "nothing is recorded"))),
        ]
        return [
            FormField(name="player", label=text("Player"), control=PlayerControl, value=player),
            FormField(name="round_number", label=text("Round"), value=number, is_kept=True, width=ROW * 2),
            FormField(name="kind", label=text("Sanction"), options=self._list_sanction_kinds),
            FormField(
                name="points",
                label=text("Points"),
                is_shown=lambda values: values["kind"].is_measured_in_points,
                width=ROW * 2,
                maximum=9_999,
            ),
            FormField(
                name="remaining",
                label=text(C_("disqualified player", "Remaining rounds")),
                options=lambda _values: forfeits,
                is_shown=lambda values: values["kind"] is SanctionKind.DISQUALIFIED,
            ),
            FormField(name="why", label=text("Reason"), hint=text("Why? The reason is kept in the history.")),
            FormField(name="author", label=text("Signed by"), is_kept=True),
        ]

    def _list_sanction_kinds(self, _values: Values) -> list[tuple[SanctionKind, str]]:
        catalogue, named_kinds = self.session.catalogue, self.session.rules.sanctions.named
        other_kinds = {kind: catalogue.translate_code(kind) for kind in SanctionKind if kind not in named_kinds}
        unnamed_options = [
            (kind, catalogue.text("{kind} (not in these rules)", kind=name)) for kind, name in other_kinds.items()
        ]
        return [(kind, catalogue.translate_code(kind)) for kind in named_kinds] + unnamed_options

    def _arrange_widgets(self, editor: RowEditor) -> list[fields.Part]:
        form, buttons = editor.list_form_and_buttons()
        table = editor.list_table_and_buttons(self._print_button)
        return [form, self.effect, self.bar, buttons, fields.make_separator(), *table]

    def _format_sanction_without_player_name(self, row: JuryDecisionRow) -> str:
        return format_sanction_without_player_name(row, self.session.catalogue)

    # --- preview

    def _close_confirmation_and_show_effect(self) -> None:
        self.bar.close_bar()
        self._hide_widgets_during_preview()
        self._show_sanction_effect()

    def _show_sanction_effect(self) -> None:
        values, effect, tone, session = self.editor.form.get_values_with_none_if_invalid(), "", "", self.session
        assess: partial[str] | None = None
        self._task.cancel_work()
        is_incomplete = values["kind"].is_measured_in_points and not values["points"]
        if is_incomplete:
            effect = session.catalogue.text("Type the number of points.")
        elif values["player"] is not None:
            arguments = {name: values[name] for name in ("player", "round_number", "kind", "remaining")}
            points = values["points"] if values["kind"].is_measured_in_points else 0
            command = partial(
                commands.add_sanction, key=session.make_row_id(), points=points, why="-", **arguments
            )
            player = session.tournament.players[values["player"]]
            try:
                after = command(session.tournament)
            except CommandError as error:
                effect, tone, is_incomplete = session.catalogue.describe_error(error), "error", True
            else:
                facts = (player, values["kind"], values["round_number"], points, session.catalogue)
                effect = self.text("Calculating the effects…")
                assess = partial(_describe_sanction_effects, session.tournament, after, *facts)
        self.effect.setText(effect)
        fields.set_label_style(self.effect, tone)
        self._is_form_complete = values["player"] is not None and not is_incomplete
        self.editor.update_buttons_and_form()
        if assess is not None:
            show, clear = (
                make_callback_unless_deleted(self, self.effect.setText),
                make_callback_unless_deleted(self, self.effect.clear),
            )
            self._task = session.run_in_background(assess, on_success=show, label=effect, on_stop=clear)

    # --- commands

    def _ask_to_confirm_or_run(self, command: partial[Tournament], on_success: Callable[[], None]) -> None:
        removed_sanction = self.session.tournament.sanctions.get(command.keywords.get("sanction", SanctionId("")))
        player = self.session.tournament.players[
            removed_sanction.player if removed_sanction else command.keywords["player"]
        ]
        number = removed_sanction.round if removed_sanction else command.keywords["round_number"]
        button = self.editor.remove_button if removed_sanction else self.editor.save_button
        correction = ResultCorrection(
            command,
            self._describe_changed_games(command),
            player.division,
            (player.id,),
            number or 0,
            confirm_text=button.text(),
            has_reason=removed_sanction is None,
        )
        self.bar.ask_to_confirm_or_run(correction, partial(self._run_confirmed_command, on_success))
        self._hide_widgets_during_preview()

    def _describe_changed_games(self, command: partial[Tournament]) -> str:
        tournament = self.session.tournament
        try:
            after = command(tournament)
        except CommandError:
            return ""  # the command itself reports the error
        texts = impact_sentences.describe_game_changes(tournament, after, self.session.catalogue)
        return "<br>".join(map(escape, texts))

    def _run_confirmed_command(self, on_success: Callable[[], None], command: partial[Tournament]) -> None:
        self._hide_widgets_during_preview()
        if command.func is commands.remove_sanction:
            self.editor.view.setFocus()
        self.session.do(
            command,
            on_success=make_callback_for_visible_widget(self, on_success),
            on_refusal=self.editor.show_error_at_field_or_list,
        )

    def _hide_widgets_during_preview(self) -> None:
        correction, editor = self.bar.correction, self.editor
        is_giving, is_asking = correction is not None and correction.has_reason, correction is not None
        editor.form.setHidden(is_asking and not is_giving)
        self.effect.setHidden(is_asking)
        editor.save_button.setHidden(is_asking)
        for widget in (editor.view, self._print_button, editor.remove_button):
            widget.setHidden(is_giving)
        editor.line.setHidden(is_giving or not editor.line.text())

    def _close_preview(self) -> None:
        is_giving = self.bar.correction is not None and self.bar.correction.has_reason
        self.bar.close_bar()
        self._hide_widgets_during_preview()
        (self.get_field_widget("why") if is_giving else self.editor.view).setFocus()
