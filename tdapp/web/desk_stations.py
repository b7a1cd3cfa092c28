"""Save the lines that helpers type in browsers. The history names each browser as a separate station.

This code runs on the thread of the open tournament (`Desk`).

Each line has an id, which the history stores with the change. So a line that a browser sends twice is saved once,
even after a crash. A line never replaces a result that its author did not see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

from msgspec import Struct
from msgspec.structs import replace

from tdapp.desk import Desk
from tdapp.domain.errors import CommandError, StorageError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.journal import LINE_ID, Step
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import assess_correction_effects
from tdapp.i18n.result_preview import ResultEnterKeyAction
from tdapp.web.desk_access import DeskAccess, DeskSession, RefusedQueuedLine
from tdapp.web.desk_lines import DeskLinePreview, DeskLineReader, DeskLineRequest, DeskTilesetsAndWordLists
from tdapp.web.result_entry import WebPageCommandRunner

DONE_STATUS, QUESTION_STATUS, REFUSED_STATUS = "done", "ask", "refused"


class DeskLineAnswer(Struct, frozen=True):
    """The answer to a line that a helper typed in a browser."""

    status: str  # "done", "ask" or "refused"
    text: str
    more: str = ""
    tone: str = "green"
    step: str = ""
    game: str = ""
    undo: int = 0  # number of the newest history step that this desk can undo, 0 for none
    seen: int = 0  # revision of the tournament in the text
    effects: tuple[str, ...] = ()  # sentences about a changed result
    later: str = ""
    reasoned: bool = False  # whether the user must type a reason
    words: tuple[str, ...] = ()


class DeskStations:
    """The signed-in browsers of helpers, each as a station.

    All stations write to the store of the director's `desk`.
    """

    def __init__(
        self, desk: Desk, access: DeskAccess, tools: DeskTilesetsAndWordLists, catalogues: Mapping[str, Catalogue]
    ) -> None:
        self._desk, self._access, self._tools, self._catalogues = desk, access, tools, catalogues
        self._stations: dict[str, WebPageCommandRunner] = {}

    def enter_line(self, session: DeskSession, entry: DeskLineRequest, language: str) -> DeskLineAnswer:
        """Save a line typed in a helper's browser. If it cannot be saved yet, return a question or a refusal.

        Raises StorageError if the store cannot save now.
        """
        catalogue, station = self._catalogues[language], self._get_or_make_station(session)
        own_desk = station.get_updated_station_desk()
        if entry.key and (saved_step := _find_step_that_saved_line(own_desk, entry.key)) is not None:
            return _make_success_answer(own_desk, catalogue, saved_step, "")
        seen_tournament = _rebuild_tournament_seen_by_helper(own_desk, entry.seen)
        reading = DeskLineReader(TournamentIndex(seen_tournament), catalogue, self._tools).preview_line(entry)
        if not reading.can_be_saved or reading.command is None:
            question = replace(
                ask_to_confirm_line(reading, own_desk.index, catalogue), seen=seen_tournament.head.revision
            )
            return self._store_delayed_line_if_refused(session, entry, reading, question)
        try:
            changes = own_desk.do(reading.command, **({LINE_ID: entry.key} if entry.key else {}))
        except CommandError as error:
            return self._make_answer_to_refused_command(session, entry, error, own_desk, catalogue)
        station.update_main_desk_and_get_tournament()
        self._access.remove_refused_lines_of_game(session.station_name, reading.game)
        return _make_success_answer(
            own_desk, catalogue, own_desk.undoable_step if changes else None, reading.saved_text, reading.details
        )

    def undo_step(self, session: DeskSession, wanted_step: int, language: str) -> DeskLineAnswer:
        """Undo the newest step of this browser if it is number `wanted_step`.

        Otherwise, only describe the newest step.
        """
        catalogue, station = self._catalogues[language], self._get_or_make_station(session)
        own_desk = station.get_updated_station_desk()
        newest = own_desk.undoable_step
        if newest is None:
            error = CommandError("nothing-to-undo")
            return DeskLineAnswer(REFUSED_STATUS, escape(catalogue.describe_error(error)), tone="amber")
        if newest.seq != wanted_step:
            question = catalogue.text(
                "The next undo reverses this: {step}", step=_describe_step(catalogue, newest)
            )
            return DeskLineAnswer(QUESTION_STATUS, escape(question), tone="amber", undo=newest.seq)
        try:
            step = own_desk.undo()
        except CommandError as error:
            return DeskLineAnswer(
                REFUSED_STATUS, escape(catalogue.describe_error(error)), tone="red", undo=newest.seq
            )
        station.update_main_desk_and_get_tournament()
        text = catalogue.text("Undone: {step}", step=_describe_step(catalogue, step))
        return DeskLineAnswer(DONE_STATUS, escape(text), undo=_get_step_number(own_desk.undoable_step))

    def _get_or_make_station(self, session: DeskSession) -> WebPageCommandRunner:
        if session.key not in self._stations:
            self._stations[session.key] = WebPageCommandRunner(self._desk, session.station_name, session.role)
        return self._stations[session.key]

    def _make_answer_to_refused_command(
        self,
        session: DeskSession,
        entry: DeskLineRequest,
        error: CommandError,
        own_desk: Desk,
        catalogue: Catalogue,
    ) -> DeskLineAnswer:
        current_preview = DeskLineReader(own_desk.index, catalogue, self._tools).preview_line(
            replace(entry, late=True)
        )
        has_changed = error.code == "changed-meanwhile"
        # Another desk has already entered these values.
        if has_changed and current_preview.enter_action is ResultEnterKeyAction.SKIP:
            return DeskLineAnswer(
                DONE_STATUS,
                current_preview.text,
                current_preview.details,
                current_preview.tone,
                game=current_preview.game,
                undo=_get_step_number(own_desk.undoable_step),
            )
        details = current_preview.details if has_changed else ""
        answer = DeskLineAnswer(
            REFUSED_STATUS,
            escape(catalogue.describe_error(error)),
            details,
            "red",
            game=current_preview.game,
            seen=own_desk.tournament.head.revision,
        )
        return self._store_delayed_line_if_refused(session, entry, current_preview, answer)

    def _store_delayed_line_if_refused(
        self, session: DeskSession, entry: DeskLineRequest, preview: DeskLinePreview, answer: DeskLineAnswer
    ) -> DeskLineAnswer:
        if entry.late and entry.key and answer.status != DONE_STATUS:
            self._access.store_refused_line(
                RefusedQueuedLine(
                    entry.key,
                    session.station_name,
                    entry.line,
                    strip_markup(answer.text),
                    answer.game,
                    preview.typed_points,
                )
            )
        return answer


def ask_to_confirm_line(preview: DeskLinePreview, index: TournamentIndex, catalogue: Catalogue) -> DeskLineAnswer:
    """Return an answer that asks the author of a line to confirm it, or to type why a result changes."""
    step = preview.enter_action.value
    if preview.enter_action is not ResultEnterKeyAction.SHOW_EFFECT or preview.correction is None:
        return DeskLineAnswer(
            QUESTION_STATUS,
            preview.text,
            preview.details,
            preview.tone,
            step,
            preview.game,
            words=preview.wrong_words,
        )
    effects = assess_correction_effects(preview.correction, index, catalogue)
    prompt = catalogue.text("Press Enter again to change the result. Esc cancels.")
    if effects.needs_reason:
        prompt = catalogue.text("Type the reason for the change. Esc cancels.")
    return DeskLineAnswer(
        QUESTION_STATUS, preview.text, escape(prompt), "amber", step, preview.game, effects=effects.changes,
        later=effects.later_rounds_text, reasoned=effects.needs_reason,
    )  # fmt: skip


def strip_markup(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


def _find_step_that_saved_line(own_desk: Desk, key: str) -> Step | None:
    return next((step for step in reversed(own_desk.list_all_steps()) if step.facts.get(LINE_ID) == key), None)


def _rebuild_tournament_seen_by_helper(own_desk: Desk, revision: int) -> Tournament:
    current_revision = own_desk.tournament.head.revision
    if not 0 <= revision < current_revision:
        return own_desk.tournament
    try:
        return own_desk.rebuild_tournament_at(revision)
    except StorageError:  # personal data were erased since
        return own_desk.tournament


def _make_success_answer(
    own_desk: Desk, catalogue: Catalogue, step: Step | None, text: str, details: str = ""
) -> DeskLineAnswer:
    description = text or (escape(_describe_step(catalogue, step)) if step is not None else "")
    return DeskLineAnswer(DONE_STATUS, f"✓ {description}", details, undo=_get_step_number(own_desk.undoable_step))


def _describe_step(catalogue: Catalogue, step: Step) -> str:
    return catalogue.describe_step(step.label, step.facts)


def _get_step_number(step: Step | None) -> int:
    return step.seq if step is not None else 0
