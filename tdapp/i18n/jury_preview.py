"""Preview of a line typed in the jury's input field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from functools import partial
from html import escape
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands, jury_line
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.entry_line import HelpRequest, ResultLineProblem
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import find_decisive_or_first_sheet
from tdapp.domain.impact import assess_impact
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import judge_sheet
from tdapp.domain.jury_line import (
    ALL,
    VALID_ANSWERS,
    JuryIntent,
    PartialJuryLine,
    ResultCorrectionLine,
    SheetOpeningLine,
    TablesCheckedLine,
    VerdictDecisionLine,
    WordLookupLine,
    WordRulingLine,
    parse_answer_about_word,
    parse_jury_line,
)
from tdapp.domain.jury_rows import ScoreSheet
from tdapp.domain.model import GameId
from tdapp.domain.outcome import find_decision_from_result
from tdapp.domain.rulings import (
    JUDGE_SCREEN,
    WRITTEN_ON_FORM,
    format_coded_ruling_reason,
    judge_word,
    list_turn_numbers_with_word,
    make_word_list_ruling_reason,
)
from tdapp.domain.tables.jury import DECISION_STATES, JuryGame
from tdapp.domain.tables.table import rotate_rows_to_start_after_key
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_, N_
from tdapp.i18n import impact_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.impact_sentences import ResultCorrection, make_game_correction
from tdapp.i18n.locales import make_search_text
from tdapp.i18n.messages.sentences import ENTRY_PROBLEMS
from tdapp.i18n.scores import format_game_row_score
from tdapp.i18n.sheet_sentences import (
    describe_challenge_verdicts,
    explain_unapplied_verdicts,
    explain_yes_and_no_answers_to_verdicts,
    list_yes_and_no_letters,
    map_yes_and_no_letters,
)
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList, WordVerdict

_SHEET_KEYS = N_("Enter opens the sheet, Ctrl+Enter marks the result as checked anyway.")
_CHECK_ANYWAY = N_(
    "Ctrl+Enter marks the result as checked anyway. You can open sheets only in the director’s window."
)
LISTS = "lists"  # address of the link to the word lists


def get_keywords_meaning_all_tables(catalogue: Catalogue) -> frozenset[str]:
    return ALL | {catalogue.text(C_("typed for all tables", "all"))}


def get_keywords_meaning_valid(catalogue: Catalogue) -> frozenset[str]:
    return VALID_ANSWERS | {catalogue.text(C_("typed for a word that is right", "ok"))}


def is_valid_judge_name(catalogue: Catalogue, text: str) -> bool:
    return jury_line.can_be_judge_name(
        text, get_keywords_meaning_all_tables(catalogue) | get_keywords_meaning_valid(catalogue)
    )


class JuryEnterKeyAction(Enum):
    """Effect of the Enter key on a line in the jury's field."""

    SAVE = "save"
    ASK_AUTHOR = "ask author"
    CONFIRM = "confirm"  # only Ctrl+Enter saves
    OPEN_SHEET = "open sheet"
    ASK_WORDS = "ask words"  # ask for player and score of each wrong word
    NEXT_WORD = "next word"  # save nothing, and ask about the next word
    CHOOSE_LIST = "choose list"  # Ctrl+Enter opens the word lists
    CONTINUE = "continue"  # the line is incomplete
    REFUSE = "refuse"
    HELP = "help"


class JuryLinePreview(Struct, frozen=True):
    """Preview of a line typed in the jury field, and the effect of Enter."""

    text: str  # rich text
    second_line: str = ""
    tone: str = "muted"  # colour of the text
    action: JuryEnterKeyAction = JuryEnterKeyAction.REFUSE
    intent: JuryIntent | None = None
    command: partial[Tournament] | None = None
    # words outside the word list; the jury must type player and score of each
    invalid_words: tuple[str, ...] = ()

    def choose_enter_key_action(self, author: str, *, is_control_pressed: bool = False) -> JuryEnterKeyAction:
        """Return the effect of Enter, or of Ctrl+Enter if `is_control_pressed`.

        For a ruling without the name of the jury member (`author` is "") return ASK_AUTHOR.
        """
        if isinstance(self.intent, WordRulingLine) and not author:
            return JuryEnterKeyAction.ASK_AUTHOR
        return JuryEnterKeyAction.SAVE if is_control_pressed and self.command is not None else self.action

    def make_correction(self, index: TournamentIndex, catalogue: Catalogue) -> ResultCorrection | None:
        """Return the correction of a result, or None for a line that changes no result."""
        intent = self.intent
        if self.command is None or not isinstance(
            intent, (WordRulingLine, ResultCorrectionLine, VerdictDecisionLine)
        ):
            return None
        button_text = catalogue.text("Save the ruling") if isinstance(intent, WordRulingLine) else ""
        has_reason = not isinstance(intent, ResultCorrectionLine)
        game = GameId(intent.row.key)
        return make_game_correction(index, game, self.command, "", confirm_text=button_text, has_reason=has_reason)


class JuryLineReader:
    """Parses the lines that the jury types for a round. A changed tournament needs a new reader."""

    opens_sheets = True  # False for browser desks

    def __init__(
        self,
        index: TournamentIndex,
        rows: Sequence[JuryGame],
        catalogue: Catalogue,
        *,
        tileset: TileSet | None,
        wordlist: WordList | None,
        edition: str = "",
        hide_words: bool = False,
        list_unsaved_games: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        """Prepare the reader. If `wordlist` is None, do not look up words.

        With `hide_words` the previews omit notes about words. `list_unsaved_games` returns the ids of games with
        unsaved score sheets.
        """
        self._edition, self._list_unsaved_games = edition, list_unsaved_games
        self.index, self.rows = index, tuple(rows)
        self._catalogue, self._tileset, self._wordlist, self._hide_words = catalogue, tileset, wordlist, hide_words
        self._rules = index.tournament.get_ruleset_of_row(
            index.tournament.games[GameId(rows[0].key)] if rows else None
        )
        self._words_for_all = get_keywords_meaning_all_tables(catalogue)
        self._words_for_valid = get_keywords_meaning_valid(catalogue)
        self._answers = map_yes_and_no_letters(catalogue)

    def preview_line(
        self, line: str, *, asked_row_and_word: tuple[str, str] | None = None, key: str = "", author: str = ""
    ) -> JuryLinePreview:
        """Preview a line. If it answers a question, `asked_row_and_word` is the row and word in that question.

        `key` is the id for a new ruling, `author` the name of the jury member.
        """
        row = self.find_row(asked_row_and_word[0]) if asked_row_and_word else None
        if row is not None and asked_row_and_word is not None:
            intent = parse_answer_about_word(line, row, asked_row_and_word[1], valid=self._words_for_valid)
        else:
            intent = parse_jury_line(
                line,
                self.rows,
                all_words=self._words_for_all,
                valid=self._words_for_valid,
                answers=self._answers,
                fold=make_search_text,
            )
        match intent:
            case TablesCheckedLine():
                return self._preview_result_checks(intent, author)
            case WordRulingLine():
                return self._preview_ruling(intent, key, author)
            case WordLookupLine():
                return self._preview_word_lookup(intent, key, author)
            case ResultCorrectionLine():
                return self._preview_result_correction(intent, author)
            case VerdictDecisionLine():
                return self._preview_applying_verdicts(intent)
            case _:
                return self._preview_opening_help_or_problem(intent)

    def find_row(self, key: str) -> JuryGame | None:
        return next((row for row in self.rows if row.key == key), None)

    def find_next_game_to_check(self, after: str, *, excluded_keys: Sequence[str] = ()) -> JuryGame | None:
        """Return the next row to check after the row `after`. Skip `excluded_keys`.

        After the last row continue at the top.
        """
        unchecked_statuses, rows = {"entered", *DECISION_STATES}, rotate_rows_to_start_after_key(self.rows, after)
        return next(
            (row for row in rows if row.status in unchecked_statuses and row.key not in excluded_keys), None
        )

    def explain_that_no_result_needs_checking(self) -> str:
        catalogue, tables = self._catalogue, [row.table for row in self.rows if row.status == "open"]
        if not tables:
            return catalogue.text("No table in this round is waiting for the jury.")
        return catalogue.plural(
            "No result is waiting for the jury. The result of table {tables} is missing.",
            "No result is waiting for the jury. The results of tables {tables} are missing.",
            len(tables),
            tables=catalogue.format_numbers(tables),
        )

    def has_unsaved_sheet(self, row: JuryGame) -> bool:
        return row.status == "entered" and row.key in self._list_unsaved_games()

    def format_game_as_html(self, row: JuryGame) -> str:
        players = f"{escape(row.first_name)} <b>{format_game_row_score(self._catalogue, row) or '–'}</b>"
        return self._catalogue.text(
            "Table {table}: {players}", table=row.table, players=f"{players} {escape(row.second_name)}"
        )

    def describe_next_table(self, row: JuryGame) -> str:
        text = self._catalogue.text
        table = self.describe_verdicts_and_answer_keys(row)[0] if row.verdicts else self.format_game_as_html(row)
        if self.has_unsaved_sheet(row):
            return text("Next: {table}  ·  sheet typed, not saved: Enter opens it", table=table)
        if row.status == "entered":
            return text("Next: {table}  ·  Enter: mark as checked", table=table)
        if not self.opens_sheets:
            return text("Next: {table}  ·  result in doubt", table=table)
        return text("Next: {table}  ·  result in doubt: Enter opens the sheet", table=table)

    def make_question_about_player_of_word(self, row: JuryGame, word: str) -> str:
        """Return a question that asks which player played a word, and for how many points."""
        return self._catalogue.text(
            "Table {table}: who played {word}, and for how many points? 1 = {first}, 2 = {second}",
            table=row.table, word=f"<b>{word}</b>", first=escape(row.first_name), second=escape(row.second_name),
        )  # fmt: skip

    def describe_tables_to_decide(self) -> str:
        tables = [row.table for row in self.rows if row.status in DECISION_STATES]
        if not tables or self._hide_words:
            return ""
        catalogue = self._catalogue
        return catalogue.plural(
            "In doubt: table {tables}",
            "In doubt: tables {tables}",
            len(tables),
            tables=catalogue.format_numbers(tables),
        )

    # --- intents

    def _preview_result_checks(self, intent: TablesCheckedLine, author: str) -> JuryLinePreview:
        text = self._catalogue.text
        if not intent.all_tables and len(intent.rows) == 1:
            return self._preview_marking_result_as_checked(intent.rows[0], intent, author)
        waiting_game_ids, requested_rows = (
            self._list_unsaved_games(),
            self.rows if intent.all_tables else intent.rows,
        )
        checkable_rows = [
            row for row in intent.rows if row.status == "entered" and row.key not in waiting_game_ids
        ]
        remaining_rows = [
            row
            for row in requested_rows
            if row.status in {"open", *DECISION_STATES} or row.key in waiting_game_ids
        ]
        first_line = self._catalogue.plural(
            "Enter marks one result not in doubt as checked",
            "Enter marks {n} results not in doubt as checked",
            len(checkable_rows),
        )
        tables = self._catalogue.format_numbers([row.table for row in remaining_rows])
        count = len(remaining_rows)
        unchanged = self._catalogue.plural(
            "Not changed: table {tables}", "Not changed: tables {tables}", count, tables=tables
        )
        second_line = unchanged if remaining_rows else ""
        if not checkable_rows:
            return JuryLinePreview(text("No result at these tables needs to be checked."), second_line, "red")
        games = tuple(GameId(row.key) for row in checkable_rows)
        command = partial(commands.check_results, games=games, author=author)
        has_unchecked_words = (
            self._wordlist is None and not self._hide_words and any(row.forms for row in checkable_rows)
        )
        if has_unchecked_words:
            hint = text("Press Ctrl+Enter to mark the results as checked anyway.")
            second_line = "  ·  ".join(
                filter(None, [*self._explain_missing_word_list_with_link(), hint, second_line])
            )
        tone = "amber" if has_unchecked_words else "text"
        action = JuryEnterKeyAction.CONFIRM if has_unchecked_words else JuryEnterKeyAction.SAVE
        return JuryLinePreview(
            first_line, second_line, tone, action, replace(intent, rows=tuple(checkable_rows)), command
        )

    def _explain_missing_word_list_with_link(self) -> tuple[str, str]:
        text = self._catalogue.text
        reason = escape(text("No word list is chosen: words are not checked."))
        return reason, f"<a href='{LISTS}'>{text('Word lists')}</a>"

    def _preview_marking_result_as_checked(
        self, row: JuryGame, intent: TablesCheckedLine, author: str
    ) -> JuryLinePreview:
        text, table_text = self._catalogue.text, self.format_game_as_html(row)
        command = partial(commands.check_result, game=GameId(row.key), author=author)
        if self.has_unsaved_sheet(row):
            first_line = f"{table_text}  ·  {text(C_('score sheet', 'sheet typed, not saved'))}"
            second_line = self._explain_sheet_shortcuts()
            return JuryLinePreview(
                first_line, second_line, "amber", JuryEnterKeyAction.OPEN_SHEET, SheetOpeningLine(row), command
            )
        if row.status == "entered":
            first_line, second_line = (
                self.describe_verdicts_and_answer_keys(row) if row.verdicts else (table_text, "")
            )
            first_line = f"{first_line}  ·  {text('no mistakes: press Enter to mark the result as checked')}"
            return JuryLinePreview(first_line, second_line, "text", JuryEnterKeyAction.SAVE, intent, command)
        if row.disputed is not None:
            return self._preview_disputed_result(row, command)
        if row.status == "verdict":
            return JuryLinePreview(
                *self.describe_verdicts_and_answer_keys(row), "amber", JuryEnterKeyAction.CONFIRM, intent, command
            )
        if row.status in DECISION_STATES:
            first_line = f"{table_text}  ·  {self._catalogue.translate_code(row.status)}"
            return JuryLinePreview(
                first_line,
                self._explain_sheet_shortcuts(),
                "amber",
                JuryEnterKeyAction.OPEN_SHEET,
                SheetOpeningLine(row, 0),
                command,
            )
        return JuryLinePreview(
            f"{table_text}  ·  {self._catalogue.translate_code(row.status)}",
            "",
            "green",
            JuryEnterKeyAction.NEXT_WORD,
        )

    def _explain_sheet_shortcuts(self) -> str:
        return self._catalogue.text(_SHEET_KEYS if self.opens_sheets else _CHECK_ANYWAY)

    def describe_verdicts_and_answer_keys(self, row: JuryGame) -> tuple[str, str]:
        """Return the challenge verdicts of a game, and the keys to type, such as "y: change the total"."""
        verdict_text = describe_challenge_verdicts(
            self._catalogue, row.verdicts, (row.first_name, row.second_name)
        )
        answer_help = explain_yes_and_no_answers_to_verdicts(self._catalogue, row.verdicts)
        return f"{self.format_game_as_html(row)}  ·  {escape(verdict_text)}", escape(answer_help)

    def _preview_applying_verdicts(self, intent: VerdictDecisionLine) -> JuryLinePreview:
        row, game = intent.row, GameId(intent.row.key)
        command = partial(
            commands.decide_verdicts, game=game, apply=intent.apply,
            seen=ResultBeforeChange(self.index.get_result(game)), reason=format_coded_ruling_reason(JUDGE_SCREEN),
        )  # fmt: skip
        try:
            after = command(self.index.tournament)
        except CommandError as error:
            return JuryLinePreview(escape(self._catalogue.describe_error(error)), tone="red")
        result = after.results[game]
        decision = find_decision_from_result(TournamentIndex(after), after.games[game], result)
        new_row = replace(row, score1=result.first, score2=result.second, decision=decision)
        first_line = (
            f"{self.format_game_as_html(row)}  ·  {explain_unapplied_verdicts(self._catalogue, row.verdicts)}"
        )
        old_score, new_score = (format_game_row_score(self._catalogue, game_row) for game_row in (row, new_row))
        if intent.apply and new_score == old_score:
            first_line = self.describe_verdicts_and_answer_keys(row)[0]
        elif intent.apply:
            first_line = f"{self.format_game_as_html(row)} → <b>{new_score}</b>"
        return JuryLinePreview(
            first_line,
            self._describe_spread_and_impact(row, after),
            "text",
            JuryEnterKeyAction.SAVE,
            intent,
            command,
        )

    def _preview_disputed_result(self, row: JuryGame, command: partial[Tournament]) -> JuryLinePreview:
        facts = {"table": row.table, "score": format_game_row_score(self._catalogue, row)}
        first, second = row.disputed or (None, None)
        first_line = self._catalogue.text(
            "disputed: another slip says {first} – {second}", first=first, second=second
        )
        offer = N_("Ctrl+Enter keeps {score}; type “{table} = {first} {second}” for the other score.")
        if self.opens_sheets:
            offer = N_(
                "Ctrl+Enter keeps {score}; type “{table} = {first} {second}” for the other "
                "score; Enter opens the sheet."
            )
        second_line = self._catalogue.text(offer, **facts, first=first, second=second)
        first_line = f"{self.format_game_as_html(row)}  ·  {first_line}"
        return JuryLinePreview(
            first_line, second_line, "amber", JuryEnterKeyAction.OPEN_SHEET, SheetOpeningLine(row, 0), command
        )

    def _preview_ruling(self, intent: WordRulingLine, key: str, author: str) -> JuryLinePreview:
        row, catalogue, text = intent.row, self._catalogue, self._catalogue.text
        game = self.index.tournament.games[GameId(row.key)]
        if self._tileset is None:
            return JuryLinePreview(
                catalogue.text("The program does not have the tile set for these rules."), tone="red"
            )
        words, edition = " ".join(intent.words), self._wordlist.edition.name if self._wordlist is not None else ""
        valid_words = [word for word in intent.words if self.look_up_word(word) is WordVerdict.VALID]
        reason = make_word_list_ruling_reason(phony=not intent.valid, edition="" if valid_words else edition)
        command = partial(
            commands.rule_on_word, key=key, game=game.id, player=(game.first, game.second)[intent.player - 1],
            word=words, score=intent.score, wrong_words=len(intent.words), phony=not intent.valid, author=author,
            why=reason, tileset=self._tileset, edition=self._edition, replaces=intent.replaces,
        )  # fmt: skip
        try:
            after = command(self.index.tournament)
        except CommandError as error:
            return self._preview_refused_ruling(intent, command, error)
        if self._is_ruling_already_stored(intent, after):
            return self._preview_stored_ruling(intent)
        second_line = self._describe_spread_and_impact(row, after)
        if valid_words and not intent.valid:
            message = catalogue.text("{words} is in {edition}. Press Ctrl+Enter to rule it invalid anyway.",
                                  words=" ".join(valid_words), edition=edition)  # fmt: skip
            return JuryLinePreview(
                escape(message), second_line, "amber", JuryEnterKeyAction.CONFIRM, intent, command
            )
        if (
            warning := self._make_word_not_on_sheet_warning(intent)
            or self._make_earlier_ruling_warning(intent)
            or self._make_excessive_score_warning(intent)
        ):
            hint = text("Press Ctrl+Enter to save the ruling anyway.")
            second_line = "  ·  ".join(filter(None, [warning, hint, second_line]))
        tone, action = ("amber", JuryEnterKeyAction.CONFIRM) if warning else ("text", JuryEnterKeyAction.SAVE)
        return JuryLinePreview(self._describe_ruling(intent, after), second_line, tone, action, intent, command)

    def _preview_refused_ruling(
        self, intent: WordRulingLine, command: partial[Tournament], error: CommandError
    ) -> JuryLinePreview:
        if error.code == "result-final":
            return JuryLinePreview(
                self.format_game_as_html(intent.row), "", "text", JuryEnterKeyAction.SAVE, intent, command
            )
        if error.code == "ruled-already":
            return self._preview_repeated_ruling(intent, command, error)
        if error.code == "words-not-ruled":
            return self._explain_why_words_are_not_ruled(intent.row)
        return JuryLinePreview(escape(self._catalogue.describe_error(error)), tone="red")

    def _explain_why_words_are_not_ruled(self, row: JuryGame) -> JuryLinePreview:
        text = self._catalogue.text
        reason = self._catalogue.describe_error(CommandError("words-not-ruled"))
        parts = [escape(text("To correct the result, type “{table} =” and both totals.", table=row.table))]
        if self._wordlist is None and not self._hide_words:
            parts.append(self._explain_missing_word_list_with_link()[1])
        return JuryLinePreview(escape(reason), "  ·  ".join(parts), "red")

    def _preview_repeated_ruling(
        self, intent: WordRulingLine, command: partial[Tournament], error: CommandError
    ) -> JuryLinePreview:
        text, scores = self._catalogue.text, cast("list[str]", error.facts["scores"])
        another_command = partial(command, another=True)
        after = another_command(self.index.tournament)
        facts = {"words": " ".join(intent.words), "scores": ", ".join(scores), "score": intent.score}
        sentences = [text("Already ruled invalid: {words} (score of the turn: {scores}).", **facts)]
        sentences.append(text("Press Ctrl+Enter if this ruling is for another turn."))
        is_new_score = str(intent.score) not in scores
        if is_new_score and len(scores) == 1:
            sentences.append(
                text("To correct the score of that turn from {scores} to {score}, add “=” at the end.", **facts)
            )
        elif is_new_score:
            sentences.append(
                text(
                    "To change the turn of {old} points to {score} points, add “= {old}” at the end.",
                    old=scores[0],
                    **facts,
                )
            )
        second_line = "  ·  ".join(
            filter(None, [escape(" ".join(sentences)), self._describe_spread_and_impact(intent.row, after)])
        )
        return JuryLinePreview(
            self._describe_ruling(intent, after),
            second_line,
            "amber",
            JuryEnterKeyAction.CONFIRM,
            intent,
            another_command,
        )

    def _is_ruling_already_stored(self, intent: WordRulingLine, after: Tournament) -> bool:
        before, game = self.index.tournament, GameId(intent.row.key)
        has_same_rulings = _collect_rulings_to_compare(self.index, game) == _collect_rulings_to_compare(
            TournamentIndex(after), game
        )
        return has_same_rulings and before.results.get(game) == after.results.get(game)

    def _preview_stored_ruling(self, intent: WordRulingLine) -> JuryLinePreview:
        text, facts = self._catalogue.text, self._make_ruling_facts(intent)
        first_line = (
            text("Table {table}, {player}: already ruled valid: {words}", **facts)
            if intent.valid
            else text("Table {table}, {player}: already ruled invalid: {words}", **facts)
        )
        return JuryLinePreview(first_line, "", "green", JuryEnterKeyAction.NEXT_WORD)

    def _make_earlier_ruling_warning(self, intent: WordRulingLine) -> str:
        game = self.index.tournament.games[GameId(intent.row.key)]
        player, word = (game.first, game.second)[intent.player - 1], " ".join(intent.words)
        other_words = {
            ruling.word
            for ruling in self.index.word_rulings(game.id)
            if ruling.player == player and ruling.score == intent.score and ruling.phony
        } - {word}
        if intent.valid or not other_words:
            return ""
        warning = self._catalogue.text(
            "Already ruled invalid for the same player: {words} (score of the turn: {score}).",
            words=", ".join(sorted(other_words)), score=intent.score,
        )  # fmt: skip
        return escape(warning)

    def _make_excessive_score_warning(self, intent: WordRulingLine) -> str:
        row = intent.row
        total = (row.score1, row.score2)[intent.player - 1]
        if intent.valid or total is None or intent.score <= max(total, 0):
            return ""
        name = self._make_ruling_facts(intent)["player"]
        return self._catalogue.text(
            "{player} scored only {score} in the whole game. Check the turn’s score.", player=name, score=total
        )

    def _find_sheet(self, row: JuryGame) -> ScoreSheet | None:
        return find_decisive_or_first_sheet(self.index.sheets(GameId(row.key)))

    def _list_player_numbers_and_turn_scores(self, row: JuryGame, words: Sequence[str]) -> list[tuple[int, int]]:
        item = self._find_sheet(row)
        if item is None or self._tileset is None:
            return []
        lines = judge_sheet(item.sheet, self._rules, self._tileset).turns
        return [
            (player, lines[number - 1].score)
            for player in (1, 2)
            for number in sorted(
                {
                    play_number
                    for word in words
                    for play_number in list_turn_numbers_with_word(item.sheet, lines, player=player, word=word)
                }
            )
        ]

    def _make_word_not_on_sheet_warning(self, intent: WordRulingLine) -> str:
        row, turns = intent.row, self._list_player_numbers_and_turn_scores(intent.row, intent.words)
        if intent.valid or self._find_sheet(row) is None or (intent.player, intent.score) in turns:
            return ""
        words = " ".join(intent.words)
        if not turns:
            return escape(self._catalogue.text("{words} is not on the sheet.", words=words))
        player, score = turns[0]
        name = (row.first_name, row.second_name)[player - 1]
        warning = self._catalogue.text(
            "On the sheet {player} has {words} for {score}.", player=name, words=words, score=score
        )
        return escape(warning)

    @staticmethod
    def _make_ruling_facts(intent: WordRulingLine) -> dict[str, object]:
        row, words = intent.row, " ".join(intent.words)
        name = (row.first_name, row.second_name)[intent.player - 1]
        return {"table": row.table, "player": escape(name), "words": f"<b>{words}</b>"}

    def _describe_ruling(self, intent: WordRulingLine, after: Tournament) -> str:
        catalogue, row, facts = self._catalogue, intent.row, self._make_ruling_facts(intent)
        plural, n = catalogue.plural, len(intent.words)
        if intent.valid:
            first_line = plural("Table {table}, {player}: {words} is valid",
                          "Table {table}, {player}: {words} are valid",
                          n, **facts)  # fmt: skip
        else:
            first_line = plural("Table {table}, {player}: {words} is invalid",
                          "Table {table}, {player}: {words} are invalid", n, **facts)  # fmt: skip
        result = after.results.get(GameId(row.key))
        old = (row.score1, row.score2)[intent.player - 1]
        new = (result.first, result.second)[intent.player - 1] if result is not None else None
        if old is None or new is None:
            return first_line
        format_signed, penalty = catalogue.format_signed_value, old - new - intent.score
        parts = (
            f" ({format_signed(-intent.score)} {format_signed(-penalty)})" if intent.score and penalty > 0 else ""
        )
        return f"{first_line}  ·  {catalogue.format_number(old)} → <b>{catalogue.format_number(new)}</b>{parts}"

    def _describe_spread_and_impact(self, row: JuryGame, after: Tournament) -> str:
        game = self.index.tournament.games[GameId(row.key)]
        impact = assess_impact(self.index, after, self.index.get_division_of_round(game.round).id)
        lines = impact_sentences.describe_impact(
            impact, self.index, self._catalogue, first_players=(game.first, game.second)
        )
        result = after.results.get(game.id)
        parts = [line for line in lines[:2] if line]
        if result is not None and result.first is not None and result.second is not None:
            spread = self._catalogue.format_signed_value(result.first - result.second)
            parts.insert(0, f"{self._catalogue.text('Spread')} {spread}")
        return escape("   ·   ".join(parts))

    def look_up_word(self, word: str) -> WordVerdict | None:
        if self._wordlist is None or self._hide_words:
            return None
        return judge_word(word.lower(), self._wordlist, self._rules.words)

    def _preview_refusal_of_word_lookup(self, intent: WordLookupLine) -> JuryLinePreview:
        text = self._catalogue.text
        if intent.player is not None and not self._rules.phony.ruled:
            return self._explain_why_words_are_not_ruled(intent.row)
        reason = (
            text("No word help while the judge screen is open.")
            if self._hide_words
            else text("No word list is chosen: words are not checked.")
        )
        link_text = "" if self._hide_words else text("Choose a word list (Ctrl+Enter)")
        second_line = link_text and f"<a href='{LISTS}'>{link_text}</a>"
        action = JuryEnterKeyAction.REFUSE if self._hide_words else JuryEnterKeyAction.CHOOSE_LIST
        if intent.player is not None:
            reason += " " + text("To rule on the word, type the score of the turn too.")
        return JuryLinePreview(escape(reason), second_line, "red", action)

    def _preview_word_lookup(self, intent: WordLookupLine, key: str, author: str) -> JuryLinePreview:
        text = self._catalogue.text
        if not intent.words:
            return JuryLinePreview(text("The word is valid."), "", "text", JuryEnterKeyAction.NEXT_WORD, intent)
        verdicts = {word: self.look_up_word(word) for word in intent.words}
        if None in verdicts.values():
            return self._preview_refusal_of_word_lookup(intent)
        invalid_words = tuple(word for word, verdict in verdicts.items() if verdict is not WordVerdict.VALID)
        if not invalid_words:
            first_line = self._catalogue.plural(
                "The word is in the word list", "All {n} words are in the word list", len(intent.words)
            )
            return JuryLinePreview(first_line, "", "green", JuryEnterKeyAction.ASK_WORDS, intent)
        if not self._rules.phony.ruled:
            reason = self._catalogue.describe_error(CommandError("words-not-ruled"))
            return JuryLinePreview(
                self._format_word_verdicts(invalid_words, verdicts),
                escape(reason),
                "amber",
                JuryEnterKeyAction.ASK_WORDS,
                intent,
            )
        if (
            len(invalid_words) == 1
            and len(turns := self._list_player_numbers_and_turn_scores(intent.row, invalid_words)) == 1
        ):
            player, score = turns[0]
            if intent.player in {None, player}:
                return self._preview_ruling(WordRulingLine(intent.row, player, invalid_words, score), key, author)
        second_line, action = (
            text("Press Enter: the program then asks who played the word."),
            JuryEnterKeyAction.ASK_WORDS,
        )
        if intent.player is not None:
            second_line, action = text("Type the score of the turn."), JuryEnterKeyAction.CONTINUE
        return JuryLinePreview(
            self._format_word_verdicts(invalid_words, verdicts),
            second_line,
            "amber",
            action,
            intent,
            invalid_words=invalid_words,
        )

    def _format_word_verdicts(self, words: Sequence[str], verdicts: Mapping[str, WordVerdict | None]) -> str:
        code = self._catalogue.translate_code
        return ", ".join(f"<b>{word}</b> {escape(code(verdicts[word] or WordVerdict.INVALID))}" for word in words)

    def _preview_result_correction(self, intent: ResultCorrectionLine, author: str) -> JuryLinePreview:
        row, catalogue = intent.row, self._catalogue
        game = GameId(row.key)
        command = partial(
            commands.enter_result, game=game, first=intent.first, second=intent.second,
            seen=ResultBeforeChange(self.index.get_result(game)),
            reason=format_coded_ruling_reason(WRITTEN_ON_FORM), author=author, after_rulings=intent.after_rulings,
        )  # fmt: skip
        try:
            after = command(self.index.tournament)
        except CommandError as error:
            first_line = escape(catalogue.describe_error(error))
            if error.code != "implausible-points":
                return JuryLinePreview(first_line, tone="red")
            second_line = catalogue.text("Type the score again, or press Ctrl+Enter to keep this score.")
            return JuryLinePreview(
                first_line,
                second_line,
                "red",
                JuryEnterKeyAction.CONFIRM,
                intent,
                partial(command, confirmed=True),
            )
        result = after.results[game]
        if row.disputed is None and (result.first, result.second) == (row.score1, row.score2):
            first_line = catalogue.text("this result has already been entered")
            return JuryLinePreview(
                f"{self.format_game_as_html(row)}  ·  {first_line}", "", "green", JuryEnterKeyAction.NEXT_WORD
            )
        decision = find_decision_from_result(self.index, self.index.tournament.games[game], result)
        new_row = replace(row, score1=result.first, score2=result.second, forfeit=None, decision=decision)
        first_line = f"{self.format_game_as_html(row)} → <b>{format_game_row_score(catalogue, new_row)}</b>"
        second_line = self._describe_spread_and_impact(row, after)
        if (result.first, result.second) != (intent.first, intent.second):
            first_line = f"{first_line}  ·  {catalogue.text('including the rulings on this game')}"
            hint = catalogue.text("If the totals already include the rulings, put = at the end of the line.")
            second_line = "  ·  ".join(filter(None, [escape(hint), second_line]))
        return JuryLinePreview(first_line, second_line, "text", JuryEnterKeyAction.SAVE, intent, command)

    def _preview_opening_help_or_problem(self, intent: JuryIntent) -> JuryLinePreview:
        if isinstance(intent, SheetOpeningLine) and not self.opens_sheets:
            return JuryLinePreview(
                self._catalogue.text("You can open sheets only in the director’s window."), tone="red"
            )
        if isinstance(intent, SheetOpeningLine):
            first_line = self._catalogue.text("Enter opens the sheet for table {table}", table=intent.row.table)
            return JuryLinePreview(first_line, action=JuryEnterKeyAction.OPEN_SHEET, intent=intent)
        if isinstance(intent, HelpRequest):
            return JuryLinePreview(self._catalogue.text("You can type:"), action=JuryEnterKeyAction.HELP)
        if isinstance(intent, ResultLineProblem):
            facts = {name: escape(str(value)) for name, value in intent.facts.items()}
            return JuryLinePreview(self._catalogue.text(ENTRY_PROBLEMS[intent.code], **facts), tone="red")
        if isinstance(intent, PartialJuryLine) and intent.row is not None:
            return self._preview_incomplete_line(intent, intent.row)
        return JuryLinePreview("")

    def _preview_incomplete_line(self, intent: PartialJuryLine, row: JuryGame) -> JuryLinePreview:
        first_line, text = self.format_game_as_html(row), self._catalogue.text
        if row.status == "open" and not self.opens_sheets:
            return JuryLinePreview(first_line, text("No result yet."), "text")
        if row.status == "open":
            second_line = text("No result yet. Enter opens the sheet.")
            return JuryLinePreview(
                first_line, second_line, "text", JuryEnterKeyAction.OPEN_SHEET, SheetOpeningLine(row)
            )
        prompts = {
            "word": text("Now type the word, then the score of the turn."),
            "totals": text("Now type both totals, in the order shown."),
        }
        action = JuryEnterKeyAction.CONTINUE if intent.missing_part else JuryEnterKeyAction.NEXT_WORD
        return JuryLinePreview(first_line, prompts.get(intent.missing_part, ""), "text", action)


def _collect_rulings_to_compare(index: TournamentIndex, game: GameId) -> frozenset[object]:
    words = {
        (ruling.player, ruling.word, ruling.score, ruling.phony, ruling.wrong_words)
        for ruling in index.word_rulings(game)
    }
    turns = {
        (item.form, ruling.turn, ruling.phony, item.sheet.turns[ruling.turn - 1])
        for item in index.sheets(game)
        for ruling in item.rulings
    }
    return frozenset(words | turns)


def list_help_lines(catalogue: Catalogue) -> tuple[tuple[str, str], ...]:
    text = catalogue.text
    return (
        ("12", text("marks table 12 as checked: its score sheets have no mistakes")),
        ("12-20", text("marks these tables as checked, except tables in doubt")),
        (text(C_("typed for all tables", "all")), text("marks all results as checked, except results in doubt")),
        (
            "12 2 XQBAR 48",
            text(
                "Dutch rules: the second player at table 12 played XQBAR, an invalid word, in a turn of 48 points"
            ),
        ),
        ("12 2 XQBAR 30 =", text("corrects the ruling on XQBAR: the turn scored 30 points")),
        (
            f"12 2 XQBAR {text(C_('typed for a word that is right', 'ok'))}",
            text("rules that the word is valid after all"),
        ),
        (
            f"12 {text(C_('typed words in an example', 'FIELD BIRD'))}",
            text("looks up these words, and asks for the player and the score of each invalid word"),
        ),
        ("12 = 412 388", text("enters the totals from the score sheet, if they differ from the result")),
        ("12 = 347 388 =", text("enters the totals from the score sheet; the rulings are already in them")),
        (
            f"12 {list_yes_and_no_letters(catalogue)[0][0]}",
            text("the program applies the verdict from the judge screen to the total"),
        ),
        (
            f"12 {list_yes_and_no_letters(catalogue)[1][0]}",
            text("the total already includes the verdict from the judge screen"),
        ),
        ("12 #", text("opens the sheet for table 12; #6 opens it at row 6")),
        (
            f"{text(C_('typed name in an example', 'smith'))} 2 XQBAR 48",
            text("finds the table by the first letters of a player’s name"),
        ),
        (
            text(C_("key", "Space")),
            text("fills in the proposed table; Enter alone marks it as checked"),
        ),
    )
