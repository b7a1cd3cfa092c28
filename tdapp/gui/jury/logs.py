"""The logs of incidents and challenges. They hide challenged words while the judge screen is open."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

from tdapp.domain import commands
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.jury_rows import Challenge, IncidentId, IncidentKind
from tdapp.domain.model import ChallengeId, Division, Game, PlayerId
from tdapp.domain.rulings import (
    ChallengedTurnOnSheet,
    compare_challenge_with_sheet,
    find_final_verdict,
    judge_words,
)
from tdapp.domain.tables.jury_log import ChallengeRow, IncidentRow, make_challenge_table, make_incident_table
from tdapp.domain.tables.table import Table
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_
from tdapp.domain.verdicts import is_verdict_cost_applied
from tdapp.gui.editor.editor import RowEditor, RowEditorListDeclaration, RowEditorPanel
from tdapp.gui.editor.fields import (
    CheckBoxControl,
    FormField,
    MinutesSecondsControl,
    PlayerControl,
    Values,
    find_published_game_at_table,
)
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.gui.widgets.theme import ROW, UNIT, scale_line_height
from tdapp.i18n import judge_screen
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.locales import fold_text
from tdapp.i18n.phrases import capitalize_first
from tdapp.i18n.sheet_sentences import describe_whether_total_includes_verdict
from tdapp.scrabble.wordlist import WordVerdict

_TIMED_KINDS = frozenset({IncidentKind.EXTRA_TIME, IncidentKind.LATE, IncidentKind.CLOCK})


def format_incident(row: IncidentRow, catalogue: Catalogue) -> str:
    kind = f"{catalogue.translate_code(row.entry.kind)} {row.time}".strip()
    author = f"({row.entry.author})" if row.entry.author else ""
    return " ".join(filter(None, (" · ".join(filter(None, (kind, row.players, row.entry.note))), author)))


class InvolvedPlayerControl(PlayerControl):
    """Offers the players of the chosen table. An empty field means both players."""

    def update_choices_or_proposed_value(self, values: Values) -> None:
        text = self.session.catalogue.text
        game = find_published_game_at_table(self.session, values["round_number"], values["table"])
        players = None if game is None else (game.first, game.second)
        self.widget.setPlaceholderText(
            text(C_("incident about", "No particular player"))
            if game is None
            else text(C_("incident about", "Both players"))
        )
        self.offer_players(players)


class IncidentsPanel(RowEditorPanel):
    """The incidents of the division."""

    def __init__(self, session: Session, game: Game | None = None, player: PlayerId | None = None) -> None:
        super().__init__(session, session.catalogue.text("Incidents"), width=UNIT * 58)
        printing = fields.make_button(self.text("Print…"), partial(self.preview_report, "incidents"))
        listing = RowEditorListDeclaration(
            name=self.text("Incidents"),
            table=self._make_incident_table,
            widths={"at": 56, "round": 56, "table": 56, "note": 0},
            empty_text=self.text("Nothing has been noted yet."),
            column_texts={"at": partial(_format_time, session.catalogue), "note": self._format_incident},
            row_text=self._format_incident,
            search_label=self.text("Search by table or word"),
            matches=self._is_search_match,
        )
        self.set_editor(
            RowEditor(
                session,
                fields=self._make_incident_fields(game, player),
                listing=listing,
                command=commands.note_incident,
                edit=commands.edit_incident,
                remove=commands.remove_incident,
                find_row=lambda key: session.tournament.incidents.get(IncidentId(key)),
                error_fields={"": "note", "extra-time-missing": "seconds"},
                focus_when_adding="kind",
                focus_when_editing="note",
                arrange=lambda editor: editor.list_form_and_table_parts(printing),
            )
        )

    def _make_incident_fields(self, game: Game | None, player: PlayerId | None) -> list[FormField]:
        session, text = self.session, self.session.catalogue.text
        number = session.tournament.rounds[game.round].number if game else session.round_number
        table, number_width, note_hint = game.table if game else None, ROW * 2, text("Incident, in a few words")
        return [
            FormField(
                name="round_number",
                label=text("Round"),
                attribute="round",
                value=number,
                is_kept=True,
                width=number_width,
            ),
            FormField(
                name="table", label=text("Table"), value=table, is_kept=True, same_line=True, width=number_width
            ),
            FormField(name="kind", label=text("Kind of incident")),
            FormField(name="player", label=text("Player concerned"), control=InvolvedPlayerControl, value=player),
            FormField(
                name="seconds",
                label=text("Time"),
                spoken_name=text("Minutes and seconds"),
                hint=text("min:sec"),
                control=MinutesSecondsControl,
                width=ROW * 3,
                is_enabled=lambda values: values["kind"] in _TIMED_KINDS or values["seconds"] != 0,
            ),
            FormField(name="note", label=text("Note"), spoken_name=text("What happened"), hint=note_hint),
            FormField(name="author", label=text("Signed by"), is_kept=True),
        ]

    def _make_incident_table(self) -> Table[IncidentRow]:
        table = self.make_table_of_selected_division(make_incident_table)
        return Table(table.id, table.columns, table.rows[::-1])

    def _is_search_match(self, row: IncidentRow, query: str) -> bool:
        text = fold_text(f"{row.name} {self._format_incident(row)}")
        return all(
            int(word) == row.entry.table if word.isdecimal() else fold_text(word) in text for word in query.split()
        )

    def _format_incident(self, row: IncidentRow) -> str:
        return format_incident(row, self.session.catalogue)


def _format_time(catalogue: Catalogue, row: IncidentRow | ChallengeRow) -> str:
    try:
        return catalogue.format_time(datetime.fromisoformat(row.entry.at).astimezone())
    except ValueError:
        return row.entry.at


class ChallengesPanel(RowEditorPanel):
    """The challenges of the division, with a form for appeals."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.catalogue.text("Challenges"), width=UNIT * 62)
        all_metadata = [
            edition.metadata for edition in session.library.list_editions() if edition.metadata is not None
        ]
        self._editions = {metadata.id: metadata.edition.name for metadata in all_metadata}
        self.description = fields.make_label(wrap=True)
        self.final = fields.make_label("", "lead", wrap=True)
        self.sheet = fields.make_note_label()
        self._ask_button = fields.make_button(
            self.text("Look the words up again"), self.fill_second_verdict_from_word_list
        )
        listing = RowEditorListDeclaration(
            name=self.text("Challenges"),
            table=self._make_challenge_table,
            widths={"at": 60, "round": 56, "table": 56, "words": 0, "occasion": 0, "final_verdict": 112},
            empty_text=self.text("No challenges yet. The verdicts from the judge screen (Shift+F10) appear here."),
            column_texts={"at": partial(_format_time, session.catalogue), "words": lambda row: row.words or "•••"},
            optional_columns=("occasion",),
            search_label=self.text("Search by table number"),
            matches=lambda row, query: query.isdecimal() and row.entry.table == int(query),
        )
        self.set_editor(
            RowEditor(
                session,
                fields=self._make_appeal_fields(),
                listing=listing,
                edit=commands.appeal_challenge,
                remove=commands.remove_challenge,
                find_row=lambda key: session.tournament.challenges.get(ChallengeId(key)),
                to_command=self._make_appeal_command,
                error_fields={"": "joint"},
                add_title=self.text("Enter the appeal"),
                edit_title=self.text("Appeal"),
                arrange=self._arrange_widgets,
            )
        )
        self.editor.view.setMinimumHeight(scale_line_height(UNIT * 16))
        self.editor.view.current_row_changed.connect(self._show_selected_challenge_details)
        self.editor.rows_shown.connect(self._show_selected_challenge_details)

    def refresh_widgets_outside_editor(self, _division: Division) -> None:
        editor = self.editor
        if not editor.view.get_current_row_key() and editor.rows.keys():
            editor.view.select_row(editor.rows.keys()[0])
        self._show_selected_challenge_details()

    def fill_second_verdict_from_word_list(self) -> None:
        challenge = self._find_selected_challenge()
        if challenge is None:
            return
        lexicon = self.session.open_word_list(challenge)
        if lexicon is None:
            self.session.show_error(CommandError("word-list-missing"))
            return
        try:
            verdict = judge_words(
                challenge.words, lexicon, self.session.tournament.get_ruleset_of_row(challenge).words
            )
        except StorageError as error:
            self.session.show_error(error)
            return
        if verdict is WordVerdict.NOT_BINDING:
            self.session.show_error(CommandError("verdict-open"), self.get_field_widget("second"))
        else:
            self.get_field_widget("second").choose_value(verdict)

    # --- appeals

    def _make_appeal_fields(self) -> list[FormField]:
        text, code = self.session.catalogue.text, self.session.catalogue.translate_code
        verdicts = [
            (None, "–"),
            *((verdict, code(verdict)) for verdict in (WordVerdict.VALID, WordVerdict.INVALID)),
        ]
        alone_label = text("No other judge is present: the same judge’s second verdict counts")
        return [
            FormField(name="judge", label=text("Second judge"), attribute="second_judge"),
            FormField(name="second", label=text(C_("appeal", "Second verdict")), options=lambda _values: verdicts),
            FormField(
                name="alone",
                label=alone_label,
                control=CheckBoxControl,
                is_shown=self._is_second_verdict_different,
            ),
            FormField(
                name="joint",
                label=text("Joint verdict of both judges"),
                note=text("The two verdicts differ, so the judges decide together."),
                options=lambda _values: verdicts,
                is_shown=lambda values: self._is_second_verdict_different(values) and not values["alone"],
            ),
        ]

    def _arrange_widgets(self, editor: RowEditor) -> list[fields.Part]:
        form = editor.list_form_and_buttons(self._ask_button)
        return [*editor.list_table_and_buttons(), self.description, self.final, self.sheet, *form]

    def _is_second_verdict_different(self, values: Values) -> bool:
        challenge = self._find_selected_challenge()
        return challenge is not None and values["second"] not in {None, challenge.verdict}

    def _make_appeal_command(self, values: dict[str, Any]) -> partial[Tournament] | None:
        second_verdict, is_alone = values["second"], values.get("alone", False)
        if second_verdict is None:
            self.session.show_error(CommandError("second-verdict-missing"), self.get_field_widget("second"))
            return None
        joint_verdict = second_verdict if is_alone else values.get("joint")
        return self.editor.bind_command_to_row(
            commands.appeal_challenge,
            self.editor.edited_key,
            second=second_verdict,
            judge=values["judge"],
            joint=joint_verdict,
        )

    # --- display

    def _make_challenge_table(self) -> Table[ChallengeRow]:
        return self.make_table_of_selected_division(
            partial(make_challenge_table, show_words=not self.session.is_judge_screen_open)
        )

    def _find_selected_challenge(self) -> Challenge | None:
        return self.session.tournament.challenges.get(ChallengeId(self.editor.view.get_current_row_key()))

    def _show_selected_challenge_details(self, key: str = "") -> None:
        editor = self.editor
        challenge = self._find_selected_challenge() if self.session.is_open else None
        if editor.edited_key and editor.edited_key != (key or editor.view.get_current_row_key()):
            editor.start_new_row()
        for part in (self.description, self.final, self.sheet, editor.edit_button, editor.remove_button):
            part.setVisible(challenge is not None)
        if challenge is None:
            return
        rules = self.session.tournament.get_ruleset_of_row(challenge)
        editor.edit_button.setVisible(rules.judges.appeal > 0)
        catalogue, final_verdict = self.session.catalogue, find_final_verdict(challenge)
        consequence = judge_screen.describe_verdict_consequence(
            catalogue, rules, final_verdict, word_count=len(challenge.words), occasion=challenge.occasion
        )
        players, challenger = self.session.tournament.players, challenge.challenger
        edition = self._editions.get(challenge.edition, challenge.edition)
        hide_words = self.session.is_judge_screen_open
        player = players.get(challenger) if challenger else None
        self.description.setText(
            "\n".join(
                judge_screen.describe_challenge(catalogue, challenge, player, edition, hide_words=hide_words)
            )
        )
        index = self.session.index
        decision = describe_whether_total_includes_verdict(catalogue, index, challenge)
        self.final.setText(
            f"{capitalize_first(catalogue.translate_code(final_verdict))}. {consequence} {decision}".rstrip()
        )
        self._show_sheet_consistency_note(
            compare_challenge_with_sheet(index, challenge)
            if is_verdict_cost_applied(index, challenge) is None
            else None
        )

    def _show_sheet_consistency_note(self, on_sheet: ChallengedTurnOnSheet | None) -> None:
        text = judge_screen.describe_sheet_consistency(self.session.catalogue, on_sheet) if on_sheet else ""
        fields.show_text(self.sheet, text)
        has_conflict = on_sheet is not None and on_sheet.is_consistent is False
        fields.set_label_style(self.sheet, "error" if has_conflict else "muted")
