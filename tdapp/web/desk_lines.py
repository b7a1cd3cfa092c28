"""Parse and preview the lines that helpers type in browsers.

The parsers, commands and messages are those of the main window.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from functools import partial
from html import escape

from msgspec import Struct, convert
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import Division, DivisionId, PlayerId, Round
from tdapp.domain.tables.jury import JuryGame, make_jury_game_table
from tdapp.domain.tables.players import CheckInRow, CheckInState, find_check_in_round, make_check_in_table
from tdapp.domain.tournament import Tournament
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import ResultCorrection, needs_effect_preview
from tdapp.i18n.jury_preview import (
    JuryEnterKeyAction,
    JuryLinePreview,
    JuryLineReader,
    is_valid_judge_name,
    list_help_lines,
)
from tdapp.i18n.locales import fold_text, make_search_text
from tdapp.i18n.result_preview import (
    ResultEnterKeyAction,
    ResultLineReader,
    ResultLineState,
    describe_undecided_tie,
    split_division_code,
)
from tdapp.i18n.sheet_reading import TurnsToCheckCache
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList
from tdapp.web.overlays import OpenWordList

MAX_LINE_LENGTH = 200
_TABLE_NUMBER = re.compile(r"\s*([0-9]{1,6})(?![0-9])")
_MAX_NAMED = 5  # most players in a message


class DeskView(StrEnum):
    """A page for helpers in a browser."""

    RESULTS = "results"
    JURY = "jury"
    CHECK_IN = "check-in"


class DeskLineRequest(Struct, frozen=True):
    """A typed line as a helper's browser sends it."""

    line: str = ""
    view: DeskView = DeskView.RESULTS
    division: str = ""
    round: int = 0
    proposed: str = ""  # id of the game that the page proposed as the next one
    state: ResultLineState = ResultLineState.TYPING  # how far the user has confirmed the line
    control: bool = False  # whether Ctrl was pressed with Enter
    reason: str = ""  # for changing a result
    author: str = ""  # name of the judge
    game: str = ""  # id of the game of the question that the line answers
    word: str = ""  # word of this question
    key: str = ""  # unique id of the line, "" for a preview
    seen: int = -1  # revision of the tournament that the user saw, -1 for the current one
    late: bool = False  # whether the line waited in the browser for the server


LINE_FIELDS = frozenset(DeskLineRequest.__struct_fields__)


def parse_desk_line(fields: Mapping[str, str]) -> DeskLineRequest:
    """Make a DeskLineRequest from the fields of a posted form. Raises ValueError for a wrong value."""
    return convert(dict(fields), DeskLineRequest, strict=False)


class DeskLinePreview(Struct, frozen=True):
    """Preview of a line typed in a helper's browser."""

    text: str  # HTML
    details: str = ""  # HTML of a second text
    tone: str = "muted"
    game: str = ""
    enter_action: ResultEnterKeyAction | JuryEnterKeyAction = ResultEnterKeyAction.REFUSE
    command: partial[Tournament] | None = None  # None: Enter cannot save
    correction: ResultCorrection | None = None  # None if the line changes no result
    saved_text: str = ""  # HTML to show after saving, "" to describe the history step
    wrong_words: tuple[str, ...] = ()  # wrong words that still need a player and a score

    @property
    def typed_points(self) -> str:
        """The typed points of both players, such as "412 388", or ""."""
        arguments = self.command.keywords if self.command is not None else {}
        points = [arguments.get(name) for name in ("first", "second")]
        return " ".join(str(number) for number in points if isinstance(number, int))

    @property
    def can_be_saved(self) -> bool:
        return self.enter_action in {
            ResultEnterKeyAction.SAVE,
            ResultEnterKeyAction.CONFIRM_EFFECT,
            JuryEnterKeyAction.SAVE,
        }


class DeskTilesetsAndWordLists(Struct, frozen=True):
    """Tile sets, word lists, and cached check results of score sheets. Not thread-safe."""

    tilesets: Mapping[str, TileSet]
    word_lists: OpenWordList
    doubts: TurnsToCheckCache


class _BrowserJuryLineReader(JuryLineReader):
    opens_sheets = False


class DeskLineReader:
    """Previews lines typed in helpers' browsers and lists games, for one tournament state and language."""

    def __init__(self, index: TournamentIndex, catalogue: Catalogue, tools: DeskTilesetsAndWordLists) -> None:
        self.index, self._catalogue, self._tools = index, catalogue, tools
        self._readers: dict[str, ResultLineReader] = {}

    def find_division_or_first(self, division_id: str) -> Division | None:
        divisions = self.index.divisions
        return self.index.tournament.divisions.get(DivisionId(division_id)) or next(iter(divisions), None)

    def find_round_or_newest(self, division: Division | None, number: int) -> Round | None:
        rounds = self.index.list_published_rounds(division.id) if division is not None else ()
        return next(
            (round_row for round_row in rounds if round_row.number == number), rounds[-1] if rounds else None
        )

    def preview_line(self, entry: DeskLineRequest) -> DeskLinePreview:
        if entry.view is DeskView.CHECK_IN:
            return self._preview_check_in_line(entry)
        division, line = split_division_code(entry.line, self.index)
        round_row = self.find_round_or_newest(
            division or self.find_division_or_first(entry.division), 0 if division else entry.round
        )
        round_row = self._find_round_of_table_in_line(line, round_row)
        if round_row is None:
            return DeskLinePreview(escape(self._catalogue.text("No round has been published yet.")))
        entry = replace(entry, line=line)
        return (
            self._preview_result_line(entry, round_row)
            if entry.view is DeskView.RESULTS
            else self._preview_jury_line(entry, round_row)
        )

    def get_result_reader(self, round_row: Round) -> ResultLineReader:
        if round_row.id not in self._readers:
            self._readers[round_row.id] = ResultLineReader(self.index, round_row, self._catalogue)
        return self._readers[round_row.id]

    def list_jury_games(self, round_row: Round, wordlist: WordList | None) -> tuple[JuryGame, ...]:
        return make_jury_game_table(
            self.index, round_row, find_doubts=partial(self._find_turns_to_check, wordlist)
        ).rows

    def open_word_list(self, round_row: Round) -> AbstractContextManager[WordList | None]:
        edition = self.index.tournament.get_wordlist_id_of_row(self.index.get_division_of_round(round_row.id))
        return self._tools.word_lists(edition) if edition else nullcontext()

    def list_check_in_rows(self, division: Division) -> tuple[CheckInRow, ...]:
        number = find_check_in_round(self.index, division)
        return make_check_in_table(self.index, division, number).rows if number is not None else ()

    def list_input_help(self, round_row: Round | None, view: DeskView) -> Sequence[tuple[str, str]]:
        """Return example lines for the results or jury view, each with an explanation."""
        if round_row is None or view is DeskView.CHECK_IN:
            return ()
        if view is DeskView.JURY:
            return list_help_lines(self._catalogue)
        return self.get_result_reader(round_row).list_help_lines()

    def _find_round_of_table_in_line(self, line: str, round_row: Round | None) -> Round | None:
        """Return the newest round with the typed table if only one division has this table, else `round_row`."""
        match = _TABLE_NUMBER.match(line)
        if round_row is None or match is None:
            return round_row
        newest = {division.id: self.find_round_or_newest(division, 0) for division in self.index.divisions}
        newest[self.index.get_division_of_round(round_row.id).id] = round_row
        rounds = [
            candidate
            for candidate in newest.values()
            if candidate is not None and self._has_table(candidate, int(match[1]))
        ]
        return rounds[0] if len(rounds) == 1 else round_row

    def _has_table(self, round_row: Round, table: int) -> bool:
        return table in self.index.list_tables(round_row.id)

    # --- results

    def _preview_result_line(self, entry: DeskLineRequest, round_row: Round) -> DeskLinePreview:
        reader = self.get_result_reader(round_row)
        if not entry.line.strip():
            return self._preview_empty_result_line(reader, entry)
        preview = reader.preview_line(entry.line, proposed_key=entry.proposed)
        step = preview.choose_enter_key_action(entry.state, is_control_pressed=entry.control)
        if step is ResultEnterKeyAction.REFUSE:
            preview = reader.mark_preview_as_not_saved_yet(preview, entry.line) if entry.key else preview
        is_first_enter = (
            bool(entry.key) and not entry.late and step is ResultEnterKeyAction.SHOW
        )  # the first Enter
        is_shown = is_first_enter or entry.state in {
            ResultLineState.SHOWN,
            ResultLineState.EFFECT_SHOWN,
        }
        details = preview.repeat_prompt if is_shown and preview.repeat_prompt else preview.second_line
        command = correction = None
        if preview.command is not None:
            command = preview.make_command(control=entry.control, reason=entry.reason)
            correction = preview.make_correction(self.index, self._catalogue, control=entry.control)
        saved_text = preview.saved_text or preview.text
        return DeskLinePreview(
            preview.text, escape(details), preview.tone, preview.game, step, command, correction, saved_text
        )

    def _preview_empty_result_line(self, reader: ResultLineReader, entry: DeskLineRequest) -> DeskLinePreview:
        row = next((row for row in reader.tables if row.key == entry.proposed), None)
        if row is None or not reader.is_result_entry_needed(row):
            row = reader.find_next_row_without_result(entry.proposed)
        if row is not None:
            help_text = self._catalogue.text("Type ? for help.")
            return DeskLinePreview(reader.describe_next_game(row), escape(help_text), game=row.key)
        if tie := describe_undecided_tie(self._catalogue, reader.index, reader.item):
            return DeskLinePreview(escape(tie), tone="amber")
        text = self._catalogue.text("All results for round {round} are in.", round=reader.item.number)
        return DeskLinePreview(escape(text), tone="green")

    # --- jury

    def _preview_jury_line(self, entry: DeskLineRequest, round_row: Round) -> DeskLinePreview:
        with self.open_word_list(round_row) as wordlist:
            reader = self._make_jury_reader(round_row, wordlist)
            if not entry.line.strip():
                return self._preview_empty_jury_line(reader, entry)
            author = entry.author.strip() if is_valid_judge_name(self._catalogue, entry.author) else ""
            question = (entry.game, entry.word) if entry.word else None
            preview = reader.preview_line(
                entry.line, asked_row_and_word=question, key=entry.key or "preview", author=author
            )
            return self._make_jury_line_preview(preview, entry, author)

    def _make_jury_reader(self, round_row: Round, wordlist: WordList | None) -> JuryLineReader:
        rows, rules = (
            self.list_jury_games(round_row, wordlist),
            self.index.tournament.get_ruleset_of_row(round_row),
        )
        edition = self.index.tournament.get_wordlist_id_of_row(self.index.get_division_of_round(round_row.id))
        return _BrowserJuryLineReader(
            self.index, rows, self._catalogue, tileset=self._tools.tilesets.get(rules.tileset), wordlist=wordlist,
            edition=edition if wordlist is not None else "",
        )  # fmt: skip

    def _make_jury_line_preview(
        self, preview: JuryLinePreview, entry: DeskLineRequest, author: str
    ) -> DeskLinePreview:
        step: ResultEnterKeyAction | JuryEnterKeyAction = preview.choose_enter_key_action(
            author, is_control_pressed=entry.control
        )
        correction, command = preview.make_correction(self.index, self._catalogue), preview.command
        if step is JuryEnterKeyAction.SAVE and correction is not None:
            command = correction.make_command(entry.reason)
            step = (
                ResultEnterKeyAction.CONFIRM_EFFECT
                if entry.state is ResultLineState.EFFECT_SHOWN
                else self._choose_correction_action(correction)
            )
        text, details, tone = preview.text, preview.second_line, preview.tone
        if step is JuryEnterKeyAction.ASK_AUTHOR and entry.key:
            text = escape(
                self._catalogue.text("Who is making the rulings? Type your name under “Jury today”, once a day.")
            )
            tone = "amber"
        if step is JuryEnterKeyAction.CHOOSE_LIST:
            details = ""
        row = getattr(preview.intent, "row", None)
        game = row.key if isinstance(row, JuryGame) else ""
        return DeskLinePreview(
            text, details, tone, game, step, command, correction, wrong_words=preview.invalid_words
        )

    def _choose_correction_action(self, correction: ResultCorrection) -> ResultEnterKeyAction:
        try:
            needs_preview = needs_effect_preview(correction, self.index.tournament)
        except CommandError:
            needs_preview = False
        return ResultEnterKeyAction.SHOW_EFFECT if needs_preview else ResultEnterKeyAction.SAVE

    def _preview_empty_jury_line(self, reader: JuryLineReader, entry: DeskLineRequest) -> DeskLinePreview:
        text = self._catalogue.text
        question_row = reader.find_row(entry.game) if entry.word else None
        if question_row is not None:
            answers = text(
                "Type the player (1 or 2) and the score of the turn, such as 2 48. If the word is valid, type ok "
                "instead. Esc cancels."
            )
            return DeskLinePreview(
                reader.make_question_about_player_of_word(question_row, entry.word),
                escape(answers),
                "amber",
                question_row.key,
            )
        row = reader.find_row(entry.proposed)
        if row is None or not row.is_unchecked or row.status == "open":
            row = reader.find_next_game_to_check(entry.proposed)
        details = reader.describe_tables_to_decide() or text("Type ? for help.")
        if row is None:
            return DeskLinePreview(escape(reader.explain_that_no_result_needs_checking()), escape(details))
        return DeskLinePreview(reader.describe_next_table(row), escape(details), game=row.key)

    def _find_turns_to_check(self, wordlist: WordList | None, form: ScoreSheet) -> frozenset[int]:
        rules = self.index.tournament.get_ruleset_of_row(form)
        tileset = self._tools.tilesets.get(form.sheet.tileset or rules.tileset)
        return (
            self._tools.doubts.find_turn_numbers_to_check(self.index, form, tileset, wordlist)
            if tileset is not None
            else frozenset()
        )

    # --- check-in

    def _preview_check_in_line(self, entry: DeskLineRequest) -> DeskLinePreview:
        text, own_division = self._catalogue.text, self.find_division_or_first(entry.division)
        query, present = entry.line.strip(), not entry.line.rstrip().endswith("-")
        query = query if present else query[:-1].strip()
        if not query:
            return DeskLinePreview(
                escape(text("Type the number or name of a player who is here. A “-” after it means not here."))
            )
        divisions = [
            division
            for division in (
                own_division,
                *(division for division in self.index.divisions if division != own_division),
            )
            if division is not None
        ]
        arrivals = next(
            filter(None, (list(self._find_matching_check_in_rows(division, query)) for division in divisions)), []
        )
        if len(arrivals) != 1:
            message = text("No player is called “{typed}”.", typed=query)
            if arrivals:
                names = ", ".join(f"{row.number} {row.name}" for row in arrivals[:_MAX_NAMED])
                message = text("Several players match: {players}. Type the number.", players=names)
            return DeskLinePreview(escape(message), tone="red")
        return self._preview_arrival(arrivals[0], present=present)

    def _find_matching_check_in_rows(self, division: Division, query: str) -> Iterator[CheckInRow]:
        rows = self.list_check_in_rows(division)
        if query.isdecimal():
            yield from (row for row in rows if str(row.number) == query)
            return
        words = fold_text(query).split()
        for row in rows:
            parts = make_search_text(row.name).split()
            if all(any(part.startswith(word) for part in parts) for word in words):
                yield row

    def _preview_arrival(self, row: CheckInRow, *, present: bool) -> DeskLinePreview:
        name = f"{row.number} <b>{escape(row.name)}</b>"
        state = escape(self._catalogue.translate_code(row.arrival))
        if row.checked_in == present and (row.arrival is CheckInState.PRESENT) == present:
            return DeskLinePreview(f"{name} · {state}", "", "green", row.key, ResultEnterKeyAction.SKIP)
        command = partial(commands.check_in, players=(PlayerId(row.key),), present=present)
        enter = (
            self._catalogue.text("Press Enter to mark the player as here")
            if present
            else self._catalogue.text("Press Enter to mark the player as not here")
        )
        new_state = self._catalogue.translate_code(CheckInState.PRESENT if present else CheckInState.MISSING)
        saved_text = f"{name} · {escape(new_state)}"
        return DeskLinePreview(
            f"{name} · {state}",
            escape(enter),
            "text",
            row.key,
            ResultEnterKeyAction.SAVE,
            command,
            saved_text=saved_text,
        )
