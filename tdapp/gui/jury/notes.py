"""Notes and messages of the Jury page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from tdapp.domain import judging
from tdapp.domain.errors import InputError
from tdapp.domain.game_results import (
    find_decisive_sheet,
    find_sheet_result_if_different,
    list_unchecked_games,
)
from tdapp.domain.jury_rows import Sanction
from tdapp.domain.model import Game, Result, RoundState
from tdapp.domain.proposal import find_next_round, find_round_ready_to_pair
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.tables import jury
from tdapp.domain.tables.history import find_step_that_checked_result
from tdapp.domain.tables.jury import JuryGame, SheetDifferenceRow, compute_result_check_progress
from tdapp.domain.translatable import C_
from tdapp.gui.jury.open_sheet import OpenSheet
from tdapp.gui.shell.session import Session
from tdapp.gui.widgets import fields
from tdapp.i18n import sheet_sentences
from tdapp.i18n.phrases import format_round, make_pair_round_action_title
from tdapp.i18n.sheet_reading import ParsedSheetDraft
from tdapp.i18n.sheet_sentences import describe_result_check_progress
from tdapp.scrabble.sheet import find_differences

DISMISS, UNDO, COUNT, COMPARE, DISCARD = "dismiss", "undo", "count", "compare", "discard"
_MAX_WARNINGS = 6
Note = tuple[str, str]  # text and colour
NoteWithLink = tuple[str, str, str]  # text, link ("" for none), title of the link


class SheetNotes(QWidget):
    """Shows notes on the sheet, at least two lines high, so that the turns below rarely move."""

    link_activated = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.text = fields.make_rich_text_label(is_announced=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.text.setMinimumHeight(2 * self.text.fontMetrics().lineSpacing())
        self.text.linkActivated.connect(self.link_activated)
        fields.make_column(self.text, parent=self)
        self.hide()

    def show_notes(self, texts_and_links: Sequence[NoteWithLink]) -> None:
        colour = self._session.appearance.colours.accent
        paragraphs = [
            escape(sentence)
            + (f" &nbsp; <a href='{link}' style='color:{colour}'>{escape(name)}</a>" if link else "")
            for sentence, link, name in texts_and_links
        ]
        self.text.setText("<br>".join(paragraphs))


# --- above the turns


def make_sheet_title_and_subtitle(session: Session, sheet: OpenSheet, game: Game) -> tuple[str, str]:
    catalogue, players = session.catalogue, map_players_with_distinct_names(session.index)
    item, result = session.tournament.rounds[game.round], sheet.result
    state = catalogue.translate_code(result.state if result else "open")
    parts = [format_round(catalogue, session.index, item), state]
    if sheet.key is not None and (sheet.key[1] == 2 or len(session.index.sheets(game.id)) > 1):  # noqa: PLR2004
        parts.append(catalogue.text("form {form}", form=sheet.key[1]))
    if sheet.is_unsaved:
        parts.append(catalogue.text(C_("score sheet", "sheet typed, not saved")))
    if step := find_step_that_checked_result(session.index, game, session.desk.list_all_steps()):
        time = catalogue.format_utc_as_local_time(step.at)
        author = step.facts.get("author")
        parts.append(catalogue.text("noted by {who}, {when}", who=author, when=time) if author else time)
    names = f"{players[game.first].name} – {players[game.second].name}"
    return catalogue.text("Table {table}: {names}", table=game.table, names=names), " · ".join(parts)


def list_notes_above_turns(
    session: Session, sheet: OpenSheet, parsed_sheet: ParsedSheetDraft
) -> list[NoteWithLink]:
    catalogue = session.catalogue
    lines: list[NoteWithLink] = []
    step = session.desk.undoable_step
    if step is not None and step.seq == sheet.last_step_seq:
        lines.append((f"✓ {session.describe_step(step)}", UNDO, catalogue.text("Undo")))
    if sheet.has_same_draft_as_when_opened:
        text = catalogue.text("This sheet was typed earlier, but not saved.")
        lines.append((text, DISCARD, catalogue.text("Discard the typed text")))
    overridden_result = find_sheet_result_overridden_by_slip(sheet)
    if overridden_result is not None and not sheet.is_unsaved:
        text = sheet_sentences.format_replaced_result_warning(catalogue, sheet.result, overridden_result)
        lines.append((text, COUNT, catalogue.text("Use the scores from the sheet")))
    differences = find_form_differences(sheet, parsed_sheet)
    if differences:
        text = sheet_sentences.describe_form_difference(
            differences[0].differences[0], catalogue, parsed_sheet.draft
        )
        lines.append((text, COMPARE, catalogue.text("Compare (Ctrl+Shift+J)")))
    lines += [(warning, "", "") for warning in sheet.warnings[:_MAX_WARNINGS]]
    hidden_count = len(sheet.warnings) - _MAX_WARNINGS
    if hidden_count > 0:
        lines.append((catalogue.text("and {n} more", n=hidden_count), "", ""))
    if sheet.warnings:
        lines[-1] = (lines[-1][0], DISMISS, catalogue.text(C_("hide a note", "Dismiss")))
    return lines


def find_sheet_result_overridden_by_slip(sheet: OpenSheet) -> Result | None:
    """Return the result on the saved sheet if a later result slip shows a different result, otherwise None."""
    item = find_decisive_sheet(sheet.index.sheets(sheet.key[0])) if sheet.key else None
    if item is None or item != sheet.saved_sheet:
        return None
    return find_sheet_result_if_different(sheet.index, item.game)


def find_form_differences(sheet: OpenSheet, parsed_sheet: ParsedSheetDraft) -> tuple[SheetDifferenceRow, ...]:
    if sheet.key is None:
        return ()
    other_draft, tileset = sheet.get_draft((sheet.key[0], 3 - sheet.key[1])), sheet.tileset
    if other_draft.has_no_input or sheet.draft.has_no_input or tileset is None:
        return ()
    first_form, second_form = parsed_sheet.sheet, other_draft.make_sheet_of_valid_lines(tileset)[0]
    if sheet.key[1] == 2:  # noqa: PLR2004 - the first form comes first
        first_form, second_form = second_form, first_form
    differences = tuple(find_differences(first_form, second_form))
    if parsed_sheet.error is None:
        with suppress(InputError):  # the other form lacks the player of the overtime
            differences = judging.find_form_differences(first_form, second_form, sheet.rules, tileset)
    rows = jury.make_sheet_difference_rows(first_form, second_form, differences)
    is_unfinished = None in {sheet.draft.end.ended, other_draft.end.ended}
    return tuple(
        row for row in rows if not is_unfinished or row.row is None or None not in {row.first, row.second}
    )


# --- below the turns


def list_notes_below_turns(session: Session, sheet: OpenSheet, parsed_sheet: ParsedSheetDraft) -> list[Note]:
    catalogue = session.catalogue
    notes: list[Note] = [
        (f"⚠ {problem}", "red")
        for problem in sheet_sentences.list_problems_of_whole_sheet(catalogue, sheet.tileset, parsed_sheet)
    ]
    replacement_warning = sheet_sentences.format_replaced_result_warning(
        catalogue, sheet.result, parsed_sheet.preview.result
    )
    if replacement_warning and (sheet.is_unsaved or sheet.saved_sheet is None):
        notes.append((replacement_warning, "amber"))
    if parsed_sheet.preview.judged.recount_right:
        recount = catalogue.text("The difference is so small that either player may ask for a recount.")
        notes.append((recount, "amber"))
    flag_loser = parsed_sheet.preview.judged.flagged
    if flag_loser is not None:
        loser = sheet.draft.players[flag_loser]
        notes.append((catalogue.text("{player} has lost on time.", player=loser), "muted"))
    sanction_texts = []
    for sanction in list_sanctions_of_open_game(session, sheet):
        name = map_players_with_distinct_names(session.index)[sanction.player].name
        points = f" −{sanction.points}" if sanction.points else ""
        sanction_texts.append(f"{name}: {catalogue.translate_code(sanction.kind)}{points} ({sanction.why})")
    if sanction_texts:
        notes.append((catalogue.text("Sanctions: {given}", given="; ".join(sanction_texts)), "muted"))
    if sheet.key is not None and sheet.key[1] == 2 and sheet.find_saved_sheet((sheet.key[0], 1)) is not None:  # noqa: PLR2004
        comparison_note = catalogue.text(
            "The second form is only for comparison. The result comes from the first form."
        )
        notes.append((comparison_note, "muted"))
    return [(escape(text), tone) for text, tone in notes]


def list_sanctions_of_open_game(session: Session, sheet: OpenSheet) -> list[Sanction]:
    game = sheet.game
    if game is None:
        return []
    number = session.tournament.rounds[game.round].number
    sanctions = [*session.index.sanctions(game.first), *session.index.sanctions(game.second)]
    return [sanction for sanction in sanctions if sanction.round == number]


# --- empty page


def describe_next_step_after_jury_work(session: Session) -> str:
    catalogue, index, division = session.catalogue, session.index, session.division
    if division is None or not index.list_published_rounds(division.id):
        return ""
    number = find_round_ready_to_pair(index, division)
    if number is not None and session.is_editable:
        step = make_pair_round_action_title(catalogue, index, division, number)
        return catalogue.text("Next step: {step} (F6)", step=step)
    is_played = not any(index.list_open_tables(item.id) for item in index.rounds(division.id))
    if find_next_round(index, division) is None and is_played and not list_unchecked_games(index, division.id):
        return catalogue.text("F7 shows the final standings.")
    return ""


def explain_empty_jury_page(session: Session) -> tuple[str, str]:
    """Explain why the jury has no tables. The second text is what to do next, or ""."""
    text, division, item = session.catalogue.text, session.division, session.round
    if division is None:
        explanation = text("First add a division, under Tournament.")
    elif item is not None and item.state is RoundState.PUBLISHED:
        explanation = text("No games in this round.")
    elif item is not None and session.index.list_published_rounds(division.id):
        explanation = text(
            "Round {round} is still a draft: its score sheets appear here once it is published.\n{key} shows "
                "the previous round.", round=item.number, key="Alt+←",
        )  # fmt: skip
    else:
        explanation = text(
            "No round has been published yet.\nScore sheets appear here once a round is being played (Ctrl+2)."
        )
    explanation, _, next_step = explanation.partition("\n")
    return explanation, next_step


def describe_progress_or_missing_tileset(session: Session, sheet: OpenSheet, rows: Sequence[JuryGame]) -> str:
    catalogue = session.catalogue
    if session.is_open and sheet.key is not None:
        tileset = sheet.draft.tileset or sheet.rules.tileset
        return catalogue.text("The program does not have the tile set {tileset}, so score sheets cannot be "
                              "checked.",
                          tileset=tileset)  # fmt: skip
    return describe_result_check_progress(catalogue, compute_result_check_progress(rows)) if rows else ""
