"""Preview of a line typed in the result field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import partial
from html import escape
from operator import attrgetter
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import commands, outcome, score_breakdown
from tdapp.domain.bracket import build_bracket, list_undecided_tied_games
from tdapp.domain.commands import ResultBeforeChange
from tdapp.domain.entry_line import (
    CLOCKS,
    FORFEITS,
    HelpRequest,
    ParsedLine,
    PartialResultLine,
    ResultLine,
    ResultLineProblem,
    parse_result_line,
)
from tdapp.domain.errors import CommandError
from tdapp.domain.game_results import (
    compute_points_before_rulings,
    compute_word_ruling_costs,
    list_result_values_to_compare,
    swap_players_after_tile_draw,
)
from tdapp.domain.group_line import (
    BreakUpGamePointsLine,
    GroupResultLine,
    ParsedGroupResultLine,
    parse_break_up_game_points,
    parse_group_result_line,
)
from tdapp.domain.impact import is_preview_needed_to_change_result
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import find_game_winner
from tdapp.domain.model import (
    Division,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultState,
    Round,
    SeatId,
    StartDecision,
)
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.records import (
    RoundRecord,
    SanctionDeductions,
    compute_fines,
    compute_records,
    find_spread_cap,
    limit_spread,
    list_configured_spread_caps,
)
from tdapp.domain.round_clock import format_clock
from tdapp.domain.ruleset import Outcome, OvertimeKind
from tdapp.domain.stages import find_first_counted_round
from tdapp.domain.systems import get_pairing_system
from tdapp.domain.tables import rounds
from tdapp.domain.tables.groups import GroupTableGameRow, make_table_of_group_tables
from tdapp.domain.tables.rounds import PairingRow
from tdapp.domain.tables.table import rotate_rows_to_start_after_key
from tdapp.domain.text_characters import isolate_text_direction
from tdapp.domain.tournament import Tournament
from tdapp.domain.translatable import C_, N_
from tdapp.domain.verdicts import VerdictCostKind, list_pending_verdicts, list_verdicts_with_cost
from tdapp.i18n import sheet_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.i18n.group_preview import format_table_players_as_html, preview_break_up_game_points, preview_group_line
from tdapp.i18n.impact_sentences import ResultCorrection, make_game_correction, plan_group_table_correction
from tdapp.i18n.locales import make_search_text
from tdapp.i18n.messages.sentences import ENTRY_PROBLEMS
from tdapp.i18n.scores import format_game_row_score

_DIVISION_CODE = re.compile(r"\s*(\S+?)[\s.,]+(.*)")


class ResultPreviewKind(Enum):
    """Kinds of lines typed in the result field."""

    INCOMPLETE = "incomplete"  # incomplete or wrong
    HELP = "help"
    UNCHANGED = "unchanged"  # the stored result equals the typed one
    RESULT = "result"


class InputNeededForLine(Enum):
    """A further input or confirmation that a line needs before it is saved."""

    TIME = "time"  # overtime, at the end of the line
    VERDICT = "verdict"  # whether the points include the verdicts of the judge screen, at the end of the line
    CONTROL = "control"  # Ctrl+Enter: the points are not plausible
    RARE = "rare"  # Enter again: the result is rare
    REPLACE = "replace"  # Enter again: the game has a result
    EFFECT = "effect"  # Enter again: the effects of a changed result must be shown first
    COMPARISON = "comparison"  # comparison with the first entry of the slip


class ResultLineState(Enum):
    """State of a typed result line until it is saved."""

    TYPING = "typing"
    VERDICT_ASKED = "verdict asked"  # the line waits for an answer by a single key
    SHOWN = "shown"  # the first Enter has shown what the second Enter replaces
    EFFECT_SHOWN = "effect shown"  # the effects are on screen, and Enter confirms them
    SAVING = "saving"


_CONFIRMED_INPUTS = {
    ResultLineState.VERDICT_ASKED: frozenset({InputNeededForLine.VERDICT}),
    ResultLineState.SHOWN: frozenset(
        {InputNeededForLine.VERDICT, InputNeededForLine.RARE, InputNeededForLine.REPLACE}
    ),
    ResultLineState.EFFECT_SHOWN: frozenset({InputNeededForLine.VERDICT, InputNeededForLine.RARE}),
}


class ResultEnterKeyAction(Enum):
    """Effect of the Enter key on a line in the result field."""

    SKIP = "skip"  # nothing to save
    WAIT = "wait"  # the user must continue the line
    ASK_VERDICT = "ask verdict"  # a single key answers
    REFUSE = "refuse"
    COMPARE = "compare"  # compare the line with the first entry of the slip
    CONFIRM_EFFECT = "confirm effect"
    SHOW = "show"  # show what the next Enter replaces
    SHOW_EFFECT = "show effect"
    SAVE = "save"


class ResultPreview(Struct, frozen=True):
    """Preview of an unsaved line typed in the result field."""

    text: str  # rich text
    second_line: str = ""  # plain text
    tone: str = "muted"
    game: str = ""
    kind: ResultPreviewKind = ResultPreviewKind.INCOMPLETE
    needed_inputs: frozenset[InputNeededForLine] = frozenset()
    entry: ResultLine | None = None
    command: partial[Tournament] | None = None  # what Enter runs
    old: Result | None = None  # stored result that the line would replace
    new_result: Result | None = None  # new result, with the scores in the order of the listed players
    repeat_prompt: str = ""  # text that replaces `second_line` after the first of two Enters
    saved_text: str = ""  # text after saving, "" for `text`
    player_totals: str = ""  # totals of both players after the new result
    group: GroupResultLine | None = None

    def choose_enter_key_action(
        self, state: ResultLineState, *, is_control_pressed: bool = False
    ) -> ResultEnterKeyAction:
        missing = (
            self.needed_inputs
            - _CONFIRMED_INPUTS.get(state, frozenset())
            - ({InputNeededForLine.CONTROL} if is_control_pressed else set())
        )
        steps = {
            ResultEnterKeyAction.SKIP: self.kind in {ResultPreviewKind.HELP, ResultPreviewKind.UNCHANGED},
            ResultEnterKeyAction.WAIT: InputNeededForLine.TIME in missing,
            ResultEnterKeyAction.ASK_VERDICT: InputNeededForLine.VERDICT in missing,
            ResultEnterKeyAction.REFUSE: self.kind is ResultPreviewKind.INCOMPLETE
            or InputNeededForLine.CONTROL in missing,
            ResultEnterKeyAction.COMPARE: InputNeededForLine.COMPARISON in missing,
            ResultEnterKeyAction.CONFIRM_EFFECT: state is ResultLineState.EFFECT_SHOWN,
            ResultEnterKeyAction.SHOW_EFFECT: InputNeededForLine.EFFECT in missing,
            ResultEnterKeyAction.SHOW: bool(missing),
        }
        return next((step for step, applies in steps.items() if applies), ResultEnterKeyAction.SAVE)

    def make_correction(
        self, index: TournamentIndex, catalogue: Catalogue, description: str = "", *, control: bool = False
    ) -> ResultCorrection:
        button_text = catalogue.text("Clear the result") if self.is_result_cleared else ""
        if SeatId(self.game) in index.tournament.seats:
            return plan_group_table_correction(
                index, SeatId(self.game), self.make_command(control=control), description, confirm_text=button_text
            )
        return make_game_correction(
            index, GameId(self.game), self.make_command(control=control), description, confirm_text=button_text
        )

    @property
    def is_result_cleared(self) -> bool:
        entry = self.entry or self.group
        return entry is not None and entry.clear

    def make_command(self, *, control: bool = False, reason: str = "") -> partial[Tournament]:
        if self.command is None:
            raise ValueError("the line has no command")
        confirmed = {"confirmed": True} if control and "confirmed" in self.command.keywords else {}
        return partial(self.command, **confirmed, **({"reason": reason} if reason else {}))


def describe_undecided_tie(catalogue: Catalogue, index: TournamentIndex, item: Round) -> str:
    """Return what to do about the first tied match of a knockout round, or "" without one."""
    stage = index.tournament.stages[item.stage]
    bracket = build_bracket(index, stage) if get_pairing_system(stage).is_knockout else ()
    tie = next((game for game in list_undecided_tied_games(index, bracket) if game.round == item.id), None)
    facts = {"round": item.number, "table": tie.table if tie else 0}
    return catalogue.describe_problem("tie-waits", facts) if tie else ""


class ResultLineReader:
    """Parses the result lines typed for a round. A changed tournament needs a new reader."""

    def __init__(self, index: TournamentIndex, item: Round, catalogue: Catalogue) -> None:
        self.index = index
        self.item = item
        self.rows = rounds.list_pairings_with_distinct_names(index, item)
        self.groups = make_table_of_group_tables(index, item).rows
        self.tables: tuple[PairingRow | GroupTableGameRow, ...] = tuple(
            sorted((*self.rows, *self.groups), key=attrgetter("table"))
        )
        self._catalogue = catalogue
        self._forfeit_words = map_forfeit_codes_to_sides(catalogue)
        self._time_loss_words = map_time_loss_codes_to_sides(catalogue)
        self.answers = sheet_sentences.map_yes_and_no_letters(catalogue)
        division = index.get_division_of_round(item.id)
        self._first_counted_round = find_first_counted_round(index, index.tournament.stages[item.stage])
        self._fines = compute_fines(index, division, item.number, first_round=self._first_counted_round)
        self._tables_of_other_divisions = {
            table
            for other_division in index.divisions
            if other_division != division
            for newest_round in index.list_published_rounds(other_division.id)[-1:]
            for table in index.list_tables(newest_round.id)
        }

    def preview_line(self, line: str, *, proposed_key: str = "") -> ResultPreview:
        """Preview a line. Two scores without a table number belong to the game `proposed_key`.

        If this round lacks the typed table, use the newest round of another division with that table.
        """
        preview = self._preview_line_without_division_name(line, proposed_key=proposed_key)
        table = next((row.table for row in self.tables if row.key == preview.game), None)
        return self._add_division_name(preview) if table in self._tables_of_other_divisions else preview

    def _preview_line_without_division_name(self, line: str, *, proposed_key: str = "") -> ResultPreview:
        if not line.strip():
            return ResultPreview("")
        break_up = parse_break_up_game_points(line)
        if break_up is not None:
            return self._preview_break_up_game_points(break_up)
        group = parse_group_result_line(
            line, self.groups, leaver_letters=frozenset(word[0] for word in self._forfeit_words),
            fold=make_search_text,
            proposed_row=next((row for row in self.groups if row.key == proposed_key), None),
            pair_tables=[row.table for row in self.rows],
        )  # fmt: skip
        if group is not None:
            return self._preview_group_table_result(group)
        meaning = self._parse_line(line)
        problem = meaning.code if isinstance(meaning, ResultLineProblem) else ""
        if isinstance(meaning, ResultLineProblem) and problem == "no-such-table":
            other_reader = self._make_reader_of_other_division(meaning.facts["table"])
            if other_reader is not None:
                return other_reader.preview_line_with_division_name(line)
        if problem in {"unreadable", "no-such-table"}:  # `-5 388`, `412* 388`
            meaning = self._parse_line(line, next((row for row in self.rows if row.key == proposed_key), None))
        if isinstance(meaning, ResultLine):
            return self._preview_complete_result_line(meaning)
        return self._preview_non_result_line(meaning)

    def _parse_line(self, line: str, proposed_row: PairingRow | None = None) -> ParsedLine:
        return parse_result_line(
            line, self.rows, forfeits=self._forfeit_words, clocks=self._time_loss_words, answers=self.answers,
            fold=make_search_text,
            proposed_row=proposed_row,
        )  # fmt: skip

    def _preview_break_up_game_points(self, entry: BreakUpGamePointsLine) -> ResultPreview:
        row = next((row for row in self.tables if row.table == entry.table), None)
        if row is None:
            return self._preview_non_result_line(ResultLineProblem("no-such-table", {"table": entry.table}))
        preview = preview_break_up_game_points(
            self.item, self._catalogue, row, entry, tournament=self.index.tournament
        )
        if preview.command is None and not preview.unchanged:
            return ResultPreview(preview.text, preview.second_line, preview.tone, row.key)
        repeat_prompt = (
            self._catalogue.text("Press Enter again to replace the result.") if preview.replaces else ""
        )
        return ResultPreview(
            preview.text,
            preview.second_line,
            preview.tone,
            row.key,
            ResultPreviewKind.UNCHANGED if preview.unchanged else ResultPreviewKind.RESULT,
            frozenset({InputNeededForLine.REPLACE} if preview.replaces else ()),
            command=preview.command,
            repeat_prompt=repeat_prompt,
        )

    def _preview_group_table_result(self, line: ParsedGroupResultLine) -> ResultPreview:
        preview = preview_group_line(self.index, self.item, self._catalogue, line)
        if preview.command is None and not preview.unchanged:
            return ResultPreview(preview.text, preview.second_line, preview.tone, line.row.key)
        needed_inputs = {InputNeededForLine.CONTROL} if preview.implausible else set()
        repeat_prompt, second_line = "", preview.second_line
        if preview.replaces and not preview.unchanged and self._is_group_table_effect_preview_needed(line.row):
            needed_inputs.add(InputNeededForLine.EFFECT)
            repeat_prompt = self._catalogue.text("Press Enter again to change the result. Esc cancels.")
            second_line = self._catalogue.text("Press Enter to see what the change affects.")
        elif preview.replaces and not preview.unchanged:
            needed_inputs.add(InputNeededForLine.REPLACE)
            repeat_prompt = self._catalogue.text("Press Enter again to replace the result.")
        kind = ResultPreviewKind.UNCHANGED if preview.unchanged else ResultPreviewKind.RESULT
        return ResultPreview(
            preview.text,
            second_line,
            preview.tone,
            line.row.key,
            kind,
            frozenset(needed_inputs),
            command=preview.command,
            repeat_prompt=repeat_prompt,
            group=line if isinstance(line, GroupResultLine) else None,
        )

    def make_command(self, entry: ResultLine, old: Result | None) -> partial[Tournament]:
        game, result_before = GameId(entry.row.key), ResultBeforeChange(old)
        if entry.clear:
            return partial(commands.clear_result, game=game, seen=result_before, reason="")
        if entry.disputed:
            points = {"first": entry.first or 0, "second": entry.second or 0}
            return partial(commands.dispute_result, game=game, **points, seen=result_before, confirmed=False)
        return partial(
            commands.enter_result,
            game=game,
            first=entry.first,
            second=entry.second,
            forfeit=entry.forfeit,
            started=entry.started,
            flag=entry.flag,
            overtime1=entry.overtime[0],
            overtime2=entry.overtime[1],
            seen=result_before,
            confirmed=False,
            reason="",
            verdicts=entry.verdicts,
            after_rulings=entry.after_rulings,
        )

    def find_next_row_without_result(self, after: str) -> PairingRow | GroupTableGameRow | None:
        """Return the next row without a result. After the last row continue at the top."""
        return next(filter(self.is_result_entry_needed, rotate_rows_to_start_after_key(self.tables, after)), None)

    def find_result_to_show(self, row: PairingRow) -> Result | None:
        return self.index.get_result(GameId(row.key))

    def is_result_entry_needed(self, row: PairingRow | GroupTableGameRow) -> bool:
        return row.status == "open"

    def describe_next_game(self, row: PairingRow | GroupTableGameRow) -> str:
        players = (
            _format_bold_player_names(row)
            if isinstance(row, PairingRow)
            else format_table_players_as_html(self._catalogue, row)
        )
        return self._catalogue.text("Next: table {table}, {players}", table=row.table, players=players)

    def list_help_lines(self) -> tuple[tuple[str, str], ...]:
        text, overtime = self._catalogue.text, self.index.tournament.get_ruleset_of_row(self.item).overtime.kind
        forfeit_letter = text(C_("letter that says forfeit", "f"))
        both_letter = text(C_("letter that says both players", "b"))
        time_letter = text(C_("letter that says time", "t"))
        name = text(C_("typed name in an example", "smith"))
        (apply_letter, _), (included_letter, _) = sheet_sentences.list_yes_and_no_letters(self._catalogue)
        overtime_help = text("the second player was 1:15 over time; the penalty is deducted")
        overtime_lines = [(f"7 412 388 {time_letter}2 1:15", overtime_help)]
        lines = [
            ("412 388", text("the scores of the proposed table, in the order shown")),
            ("7 412 388", text("table 7, the scores in the order shown")),
            ("7.412.388", text("table 7 on the numeric keypad, with points or commas instead of spaces")),
            ("/12 412 388", text("the table of player 12, the scores in the order shown")),
            (f"{name} 412 388", text("Smith scored 412, the opponent 388")),
            (f"{name} {forfeit_letter}", text("Smith loses by forfeit")),
            ("B 7 412 388", text("table 7 of division B, if several divisions have a table 7")),
            ("12 412 15 388", text("player 12 scored 412, player 15 scored 388")),
            ("12V15 412 388", text("the code on a result slip, scanned or typed, then the scores as on the slip")),
            (
                f"7 {forfeit_letter}1",
                text("the first player at table 7 loses by forfeit; with 2 at the end: the second player"),
            ),
            (f"7 {forfeit_letter}{both_letter}", text("both lose by forfeit")),
            (
                f"7 412 388 {time_letter}1",
                text("the first player’s time ran out, which loses the game under some rules"),
            ),
            *(overtime_lines if overtime is OvertimeKind.MINUTES else ()),
            (
                "7 430 388 ?",
                text("another slip for this game shows this result: both are saved, and the jury decides"),
            ),
            ("7 412 388 =", text("the scores already include the jury’s rulings on words")),
            (
                f"7 412 388 {apply_letter}",
                text("the program applies the verdict from the judge screen to the total"),
            ),
            (
                f"7 412 388 {included_letter}",
                text("the total already includes the verdict from the judge screen"),
            ),
            ("7 -", text("clears the result of table 7")),
            (text("Ctrl+Enter"), text("accepts an implausible score")),
            (
                "7 + 41 60",
                text(
                    "after the result of table 7: points of the break-up game (taking tiles off "
                    "the board); 7 + - clears them"
                ),
            ),
        ]
        lines[-3:-3] = self._list_group_table_help(forfeit_letter)
        if any(row.start is not StartDecision.ASSIGNED for row in self.rows):  # the drawn tiles decide who starts
            start_help = text("the player with * started; or type 1 (first score) or 2 (second score) at the end")
            lines.insert(5, ("7 412* 388", start_help))
        return tuple(lines)

    def _list_group_table_help(self, forfeit_letter: str) -> list[tuple[str, str]]:
        text = self._catalogue.text
        if any(row.has_all_players for row in self.groups):
            return [
                (
                    "12 812",
                    text("player 12 scored 812, when everyone plays at one table"),
                )
            ]
        solo = [("1 612/30", text("a player alone at table 1 scored 612 in 30 turns"))]
        if not any(len(row.seats) > 1 for row in self.groups):
            return solo if self.groups else []
        return [
            ("3 210 188 240", text("a table of three, the scores in the order shown")),
            ("mol 210 nap 188 lam 240", text("a table of three: names with scores, in any order")),
            (
                f"3 210 188 {forfeit_letter}3",
                text(
                    "the third player has left and gets no points; to let this player keep points, "
                    "type all three scores"
                ),
            ),
        ]

    # --- other lines

    def _preview_non_result_line(self, line: ParsedLine) -> ResultPreview:
        if isinstance(line, HelpRequest):
            return ResultPreview(self._catalogue.text("You can type:"), kind=ResultPreviewKind.HELP)
        if isinstance(line, ResultLineProblem):
            key = line.row.key if line.row else ""
            facts = {name: escape(str(value)) for name, value in line.facts.items()}
            return ResultPreview(self._catalogue.text(ENTRY_PROBLEMS[line.code], **facts), "", "red", key)
        if isinstance(line, PartialResultLine) and line.row is not None:
            return self._preview_incomplete_line(line.row, line)
        return ResultPreview("")

    def _make_reader_of_other_division(self, table: object) -> Self | None:
        index, current_division = self.index, self.index.get_division_of_round(self.item.id)
        for division in index.divisions:
            for item in index.list_published_rounds(division.id)[-1:] if division != current_division else ():
                if any(row.table == table for row in rounds.make_pairing_table(index, item).rows):
                    return type(self)(index, item, self._catalogue)
        return None

    def preview_line_with_division_name(self, line: str) -> ResultPreview:
        """Preview a line typed on the page of another division. The preview names the division of this reader."""
        return self._add_division_name(self.preview_line(line))

    def _add_division_name(self, preview: ResultPreview) -> ResultPreview:
        division = self.index.get_division_of_round(self.item.id)
        prefix = f"{self._catalogue.text('Division {division}', division=escape(division.code))} · "
        if preview.text.startswith(prefix):
            return preview
        saved_text = f"{prefix}{preview.saved_text}" if preview.saved_text else ""
        return replace(preview, text=f"{prefix}{preview.text}" if preview.text else "", saved_text=saved_text)

    def _preview_incomplete_line(self, row: PairingRow, meaning: PartialResultLine) -> ResultPreview:
        catalogue, first = self._catalogue, meaning.first
        if meaning.second is not None:
            first_line = self.describe_effect_of_result_line(ResultLine(row, first, meaning.second))
            facts = {"first": row.first_name, "second": row.second_name}
            second_line = catalogue.text("Whose time ran out? Type 1 for {first}, 2 for {second}.", **facts)
            return ResultPreview(first_line, second_line, "text", row.key)
        old = self.find_result_to_show(row)
        if old is not None:
            second_line = N_("The result is {state}. Press Enter twice to change it.")
            if self._is_effect_preview_needed(old):
                second_line = N_("The result is {state}. Press Enter to see what the change affects.")
            second_line = catalogue.text(second_line, state=catalogue.translate_code(old.state))
            return ResultPreview(self._describe_existing_result(row), second_line, "amber", row.key)
        if meaning.is_swapped:  # the line names the second player first
            row = replace(row, first_name=row.second_name, second_name=row.first_name)
        if first is None:
            text = catalogue.text(
                "Table {table}: {players}", table=row.table, players=_format_bold_player_names(row)
            )
            second_line = catalogue.text("{player}’s score comes first.", player=row.first_name)
            if meaning.is_forfeit:
                letter = catalogue.text(C_("letter that says forfeit", "f"))
                second_line = catalogue.text(
                    "Who loses by forfeit? Type {letter}1 for {first}, {letter}2 for {second}.",
                    letter=letter,
                    first=row.first_name,
                    second=row.second_name,
                )
            return ResultPreview(text, second_line, "text", row.key)
        text = catalogue.text("Table {table}: {first} {score} {second}", **_make_score_facts(row, f"{first} – …"))
        return ResultPreview(
            text, catalogue.text("Now type {player}’s score.", player=row.second_name), "text", row.key
        )

    # --- entries

    def _preview_complete_result_line(self, entry: ResultLine) -> ResultPreview:
        old = self.index.get_result(GameId(entry.row.key))
        needed_inputs = (
            {InputNeededForLine.EFFECT if self._is_effect_preview_needed(old) else InputNeededForLine.REPLACE}
            if old is not None
            else ()
        )
        preview = ResultPreview(
            self.describe_effect_of_result_line(entry), "", "text", entry.row.key,
            ResultPreviewKind.RESULT, frozenset(needed_inputs), entry, self.make_command(entry, old), old,
            repeat_prompt=self._make_prompt_to_confirm_change(entry, old),
        )  # fmt: skip
        final = old is not None and old.state is ResultState.FINAL
        try:
            after = preview.make_command(reason="…" if final else "")(self.index.tournament)
        except CommandError as error:
            return self._add_refusal_to_preview(preview, error)
        if entry.disputed:
            second_line = self._catalogue.text("Both results are saved, and the jury decides.")
            return replace(preview, second_line=second_line, tone="amber", needed_inputs=frozenset())
        new_result = self._find_result_in_changed_tournament(after, preview)
        if new_result is not None:
            totals = self.describe_player_totals(new_result)
            preview = replace(
                preview,
                new_result=new_result,
                text=self.describe_effect_of_result_line(entry, new_result),
                second_line=totals,
                player_totals=totals,
            )
        if old is not None:
            preview = self._add_comparison_with_old_result(preview, entry, old)
        if preview.kind is ResultPreviewKind.UNCHANGED:
            return preview
        return self._add_question_about_verdicts(
            self._add_question_about_included_rulings(self._add_question_about_rare_score(preview, entry), entry),
            entry,
        )

    def _add_question_about_included_rulings(self, preview: ResultPreview, entry: ResultLine) -> ResultPreview:
        game = self.index.tournament.games[GameId(entry.row.key)]
        costs = compute_word_ruling_costs(self.index.tournament, game)
        if entry.first is None or entry.after_rulings or not any(costs):
            return preview
        deductions = ", ".join(
            f"{name} {self._catalogue.format_signed_value(-cost)}"
            for name, cost in zip((entry.row.first_name, entry.row.second_name), costs, strict=True)
            if cost
        )
        question = self._catalogue.text("Deducted for the jury’s rulings: {taken}. Type = if the scores already "
                                        "include these deductions.",
                                     taken=deductions)  # fmt: skip
        second_line = f"{question} {preview.second_line}".rstrip()
        repeat_prompt = f"{question} {preview.repeat_prompt}".rstrip()
        return replace(preview, second_line=second_line, repeat_prompt=repeat_prompt, tone="amber")

    def _add_question_about_verdicts(self, preview: ResultPreview, entry: ResultLine) -> ResultPreview:
        game = self.index.tournament.games[GameId(entry.row.key)]
        pending_verdicts = (
            list_pending_verdicts(self.index, game) if entry.verdicts is None and entry.first is not None else ()
        )
        if not pending_verdicts:
            return preview
        names, catalogue = (entry.row.first_name, entry.row.second_name), self._catalogue
        verdict_text = sheet_sentences.describe_challenge_verdicts(catalogue, pending_verdicts, names)
        verdict_text = f"{verdict_text[:1].upper()}{verdict_text[1:]}."
        if not any(verdict.can_be_applied for verdict in pending_verdicts):
            second_line = "  ".join(
                [
                    verdict_text,
                    catalogue.text("The jury decides."),
                    *([preview.second_line] if preview.needed_inputs else []),
                ]
            )
            return replace(preview, second_line=second_line, tone="amber")
        enter_help = catalogue.text("Press Enter to let the jury decide")
        answer_help = sheet_sentences.explain_yes_and_no_answers_to_verdicts(catalogue, pending_verdicts)
        second_line = f"{verdict_text}  {answer_help} · {enter_help}"
        return replace(
            preview,
            second_line=second_line,
            tone="amber",
            needed_inputs=preview.needed_inputs | {InputNeededForLine.VERDICT},
        )

    def _add_question_about_rare_score(self, preview: ResultPreview, entry: ResultLine) -> ResultPreview:
        scores, text = self.index.tournament.get_ruleset_of_row(self.item).scores, self._catalogue.text
        if (
            entry.first is None
            or entry.second is None
            or not scores.is_rare_score_or_margin(entry.first, entry.second)
        ):
            return preview
        question = text("This is an unusual result: is it right?")
        second_line = (
            preview.second_line if preview.needed_inputs else text("Press Enter twice to keep this result.")
        )
        repeat_prompt = preview.repeat_prompt or text("Press Enter again to keep this result.")
        needed_inputs = preview.needed_inputs | {InputNeededForLine.RARE}
        return replace(
            preview,
            second_line=f"{question} {second_line}",
            repeat_prompt=f"{question} {repeat_prompt}",
            tone="amber",
            needed_inputs=needed_inputs,
        )

    def mark_preview_as_not_saved_yet(self, preview: ResultPreview, line: str) -> ResultPreview:
        if preview.tone == "red":
            return preview
        if not preview.text:
            message = self._catalogue.text(ENTRY_PROBLEMS["unreadable"], word=line.strip())
            return replace(preview, text=escape(message), tone="red")
        return replace(
            preview,
            second_line=self._catalogue.text("Nothing has been saved yet. Press Space to continue."),
            tone="red",
        )

    def _find_result_in_changed_tournament(self, after: Tournament, preview: ResultPreview) -> Result | None:
        result = after.results.get(GameId(preview.game))
        if result is None or after.games[result.id].first == self.index.tournament.games[result.id].first:
            return result
        return swap_players_after_tile_draw(after, result.id).results[result.id]

    def _add_refusal_to_preview(self, preview: ResultPreview, error: CommandError) -> ResultPreview:
        if error.code == "implausible-points":
            facts, catalogue = error.facts, self._catalogue
            text = N_("Table {table}: {points} is less than the lowest plausible score ({lowest}).")
            if int(str(facts["points"])) > int(str(facts["highest"])):
                text = N_("Table {table}: {points} is more than the highest plausible score ({highest}).")
            text, saved_text = catalogue.text(text, **facts), preview.text
            second_line = catalogue.text("Type the score again, or press Ctrl+Enter to keep this score.")
            needed_inputs = preview.needed_inputs | {InputNeededForLine.CONTROL}
            return replace(
                preview,
                text=text,
                saved_text=saved_text,
                second_line=second_line,
                tone="red",
                needed_inputs=needed_inputs,
            )
        refused_preview = replace(
            preview, kind=ResultPreviewKind.INCOMPLETE, entry=None, needed_inputs=frozenset()
        )
        overtime = self.index.tournament.get_ruleset_of_row(self.item).overtime.kind
        if error.code == "flag-not-counted" and overtime is OvertimeKind.MINUTES:
            second_line = self._catalogue.text("How much overtime? Type minutes and seconds: 1:15.")
            return replace(
                refused_preview, second_line=second_line, needed_inputs=frozenset({InputNeededForLine.TIME})
            )
        return replace(
            refused_preview, text=escape(self._catalogue.describe_error(error)), second_line="", tone="red"
        )

    def _add_comparison_with_old_result(
        self, preview: ResultPreview, entry: ResultLine, old: Result
    ) -> ResultPreview:
        catalogue = self._catalogue
        if preview.new_result is not None and is_same_result(preview.new_result, old) and not entry.started:
            second_line = catalogue.text("This result has already been entered.")
            return replace(
                preview,
                text=self._describe_existing_result(entry.row),
                second_line=second_line,
                tone="green",
                kind=ResultPreviewKind.UNCHANGED,
            )
        saved_text = ""
        if entry.clear:
            facts = self._make_facts_of_cleared_result(entry.row)
            saved_text = catalogue.text(
                "Table {table}: the result {score} is cleared, and the game {players} is open again", **facts
            )
        if InputNeededForLine.EFFECT in preview.needed_inputs:
            facts = {
                "score": format_game_row_score(self._catalogue, entry.row),
                "state": catalogue.translate_code(old.state),
            }
            second_line = catalogue.text(
                "The current result is {score} ({state}). Press Enter to see what the change affects.",
                **facts,
            )
        elif entry.clear:
            second_line = catalogue.text("Press Enter twice to clear the result.")
        else:
            second_line = catalogue.text(
                "The current result is {score}. Press Enter twice to replace it.",
                score=format_game_row_score(self._catalogue, entry.row),
            )
            second_line = f"{second_line} {_explain_dispute_key(self._catalogue, entry)}".rstrip()
        return replace(preview, second_line=second_line, tone="amber", saved_text=saved_text)

    def _is_group_table_effect_preview_needed(self, row: GroupTableGameRow) -> bool:
        last = self.index.rounds(self.index.get_division_of_round(self.item.id).id)[-1]
        seats = (seat for seat in self.index.seats(self.item.id) if seat.table == row.table)
        return last.number > self.item.number or any(seat.state is not ResultState.ENTERED for seat in seats)

    def _is_effect_preview_needed(self, old: Result | None) -> bool:
        return old is not None and is_preview_needed_to_change_result(self.index, old)

    def _make_prompt_to_confirm_change(self, entry: ResultLine, old: Result | None) -> str:
        if old is None:
            return ""
        if old.state is ResultState.FINAL:
            return self._catalogue.text("Type the reason for the change. Esc cancels.")
        if self._is_effect_preview_needed(old):
            return self._catalogue.text("Press Enter again to change the result. Esc cancels.")
        if entry.clear:
            return self._catalogue.text("Press Enter again to clear the result.")
        score = format_game_row_score(self._catalogue, entry.row)
        prompt = self._catalogue.text(
            "The current result is {score}. Press Enter again to replace it.", score=score
        )
        return f"{prompt} {_explain_dispute_key(self._catalogue, entry)}".rstrip()

    def describe_effect_of_result_line(self, entry: ResultLine, new_result: Result | None = None) -> str:
        """Describe the effect of the Enter key: first the typed points, then overtime, verdicts and sanctions."""
        row, catalogue = entry.row, self._catalogue
        if entry.clear:
            return catalogue.text(
                "Table {table}: clear the result {score} ({players})?", **self._make_facts_of_cleared_result(row)
            )
        if entry.forfeit is not None:
            return self._describe_forfeit(row, entry.forfeit)
        if entry.disputed:
            dispute_text = catalogue.text("disputed: another slip says {first} – {second}", first=entry.first,
                                  second=entry.second)  # fmt: skip
            return f"{self._describe_existing_result(row)} · {dispute_text}"
        spread = catalogue.format_signed_value((entry.first or 0) - (entry.second or 0))
        result = new_result or Result(GameId(entry.row.key), ResultState.ENTERED, entry.first, entry.second)
        wins = [outcome is Outcome.WIN for outcome in self._compute_game_outcomes(result)]
        facts = {**_make_score_facts(row, f"{entry.first} – {entry.second}"), "spread": _make_bold(spread)}
        facts |= {"first": _make_bold(row.first_name)} if wins[0] else {}
        facts |= {"second": _make_bold(row.second_name)} if wins[1] else {}
        score_text = catalogue.text("Table {table}: {first} {score} {second}  {spread}", **facts)
        parts = [
            score_text,
            *self._describe_overtime(entry, new_result),
            *self._describe_challenge_verdicts(row, new_result),
        ]
        parts += [*self._describe_sanctions(row, new_result), *self._describe_knockout_tie(new_result)]
        if new_result is not None and (new_result.first, new_result.second) != (entry.first, entry.second):
            score = f"{new_result.first} – {new_result.second}"
            spread = catalogue.format_signed_value((new_result.first or 0) - (new_result.second or 0))
            parts.append(
                catalogue.text(
                    "the game counts as {score}  {spread}", score=_make_bold(score), spread=_make_bold(spread)
                )
            )
        if new_result is not None and outcome.can_demand_recount(
            self.index.tournament.get_ruleset_of_row(self.item), new_result
        ):
            parts.append(catalogue.text("each player may ask for a recount"))
        if entry.started is not None:
            name = row.first_name if entry.started is GameSide.FIRST else row.second_name
            parts.append(catalogue.text("{player} started", player=escape(name)))
        return " · ".join(parts)

    def _compute_game_outcomes(self, result: Result) -> tuple[Outcome, Outcome]:
        tournament = self.index.tournament
        scored_game = outcome.score_game(tournament.get_ruleset_of_row(self.item), result)
        if scored_game.first.outcome is not Outcome.DRAW:
            return scored_game.first.outcome, scored_game.second.outcome
        stage, game = tournament.stages[self.item.stage], tournament.games[result.id]
        return outcome.find_outcomes_of_tied_game(tournament.get_ruleset_of_row(self.item), stage, game, result)

    def _describe_knockout_tie(self, result: Result | None) -> Iterator[str]:
        tournament, stage = self.index.tournament, self.index.tournament.stages[self.item.stage]
        if result is None or not get_pairing_system(stage).is_knockout or stage.settings.series > 1:
            return
        if outcome.score_game(tournament.get_ruleset_of_row(self.item), result).first.outcome is not Outcome.DRAW:
            return
        winner = find_game_winner(TournamentIndex(tournament.put(result)), tournament.games[result.id])
        if winner is None:
            yield _make_bold(self._catalogue.text("tie: choose the winner under Rounds > Selected table"))
        else:
            yield _make_bold(
                self._catalogue.text(
                    "{player} wins", player=map_players_with_distinct_names(self.index)[winner].name
                )
            )
            if Outcome.WIN in self._compute_game_outcomes(result):
                yield self._catalogue.text("counts as a win in the match and as a draw for ratings")

    def _describe_overtime(self, entry: ResultLine, result: Result | None) -> Iterator[str]:
        catalogue, rule = self._catalogue, self.index.tournament.get_ruleset_of_row(self.item).overtime
        players_over_limit = score_breakdown.list_players_beyond_overtime_limit(rule, entry.overtime)
        for index, (name, side) in enumerate(zip(_escape_player_names(entry.row), _SIDES, strict=True)):
            if entry.flag is side and rule.kind is OvertimeKind.FLAG:
                yield catalogue.text("{player}’s time ran out: the game is lost", player=name)
            elif entry.flag is side:
                yield catalogue.text("{player} ran out of time", player=name)
            elif entry.overtime[index]:
                points = result.accounts[index].overtime if result is not None and result.accounts else 0
                facts = {"player": name, "time": format_clock(entry.overtime[index]), "points": points}
                yield (
                    catalogue.text("{player} {time} over time: {points:signed}, the game is lost", **facts)
                    if index in players_over_limit
                    else catalogue.text("{player} went {time} over time: {points:signed}", **facts)
                )

    def _describe_sanctions(self, row: PairingRow, result: Result | None) -> Iterator[str]:
        if result is None:
            return
        game = self.index.tournament.games[result.id]
        for index, (name, player) in enumerate(
            zip(_escape_player_names(row), (game.first, game.second), strict=True)
        ):
            points = result.accounts[index].sanctions if result.accounts else 0
            if points:
                yield self._catalogue.text("{player} {points:signed} as a sanction", player=name, points=points)
            sanctions = (item for item in self.index.sanctions(player) if item.round == self.item.number)
            if any(item.kind.is_loss_of_game for item in sanctions):
                yield self._catalogue.text("{player} loses the game as a sanction", player=name)

    def _describe_challenge_verdicts(self, row: PairingRow, result: Result | None) -> Iterator[str]:
        if result is None:
            return
        for verdict in list_verdicts_with_cost(self.index, self.index.tournament.games[result.id]):
            if verdict.kind is VerdictCostKind.TURN or verdict.challenge in result.applied:
                yield sheet_sentences.describe_challenge_verdict(
                    self._catalogue, verdict, _escape_player_names(row)
                )

    def _describe_forfeit(self, row: PairingRow, forfeit: GameSide) -> str:
        text, table = self._catalogue.text, row.table
        margin = self.index.tournament.get_ruleset_of_row(self.item).forfeit.margin
        names = _make_bold(row.first_name), _make_bold(row.second_name)
        if forfeit is GameSide.BOTH:
            return text("Table {table}: {first} and {second} both lose by forfeit", table=table, first=names[0],
                        second=names[1])  # fmt: skip
        loser, winner = names if forfeit is GameSide.FIRST else names[::-1]
        return text("Table {table}: {loser} loses by forfeit, {winner} wins by {margin}", table=table, loser=loser,
                    winner=winner, margin=margin)  # fmt: skip

    def _describe_existing_result(self, row: PairingRow) -> str:
        facts = _make_score_facts(row, format_game_row_score(self._catalogue, row))
        result_text = self._catalogue.text("The result of table {table} is {first} {score} {second}", **facts)
        old = self.index.get_result(GameId(row.key))
        points = compute_points_before_rulings(old) if old is not None else None
        if old is None or points in {None, (old.first, old.second)}:
            return result_text
        return (
            result_text + " · " + self._catalogue.text("score as played: {score}", score="{} – {}".format(*points))
        )

    def _make_facts_of_cleared_result(self, row: PairingRow) -> Mapping[str, object]:
        return {
            **_make_score_facts(row, format_game_row_score(self._catalogue, row)),
            "players": _format_bold_player_names(row),
        }

    # --- records

    def describe_player_totals(self, result: Result) -> str:
        tournament = self.index.tournament
        scored_game = outcome.score_game(tournament.get_ruleset_of_row(self.item), result)
        game = tournament.games[result.id]
        outcomes = self._compute_game_outcomes(result)
        sides = (
            (game.first, scored_game.first._replace(outcome=outcomes[0])),
            (game.second, scored_game.second._replace(outcome=outcomes[1])),
        )
        return "   ·   ".join(self._describe_player_wins_and_spread(player, side) for player, side in sides)

    def _describe_player_wins_and_spread(self, player: PlayerId, side: outcome.PlayerRoundOutcome) -> str:
        division = self.index.get_division_of_round(self.item.id)
        cap = find_spread_cap(list_configured_spread_caps(self.index, division), self.item.number)
        new_record = RoundRecord(
            self.item.number, outcome=side.outcome, points=side.points, spread=limit_spread(side.spread, cap)
        )
        record = compute_records(self.index, division, self.item.number - 1)[player]
        before = [entry for entry in record if entry.round >= self._first_counted_round]
        wins, losses, total = rounds.sum_wins_losses_spread((*before, new_record))
        total -= self._fines.get(player, SanctionDeductions()).spread
        name = map_players_with_distinct_names(self.index)[player].name
        points, spread = self._catalogue.format_points, self._catalogue.format_signed_value(total)
        return f"{isolate_text_direction(name)}  {points(wins)}–{points(losses)}  {spread}"


def split_division_code(line: str, index: TournamentIndex) -> tuple[Division | None, str]:
    """Return the division whose code begins the line, and the rest of the line.

    The division is None if the line has no code or the tournament has one division.
    """
    code = _DIVISION_CODE.fullmatch(line)
    divisions = [
        division for division in index.divisions if code and division.code.casefold() == code[1].casefold()
    ]
    return (divisions[0], code[2]) if code and divisions and len(index.divisions) > 1 else (None, line)


_SIDES = (GameSide.FIRST, GameSide.SECOND)


def _escape_player_names(row: PairingRow) -> tuple[str, str]:
    return escape(row.first_name), escape(row.second_name)


def _explain_dispute_key(catalogue: Catalogue, entry: ResultLine) -> str:
    can_dispute = entry.first is not None and entry.row.forfeit is None
    return catalogue.text("Type ? at the end to save both results for the jury.") if can_dispute else ""


def _format_bold_player_names(row: PairingRow) -> str:
    return f"{_make_bold(row.first_name)} – {_make_bold(row.second_name)}"


def _make_score_facts(row: PairingRow, score: str) -> dict[str, object]:
    first, second = _escape_player_names(row)
    return {"table": row.table, "first": first, "second": second, "score": _make_bold(score)}


def is_same_result(new_result: Result, old_result: Result) -> bool:
    return (
        compute_points_before_rulings(new_result) == compute_points_before_rulings(old_result)
        and (new_result.applied, new_result.refused) == (old_result.applied, old_result.refused)
        and list_result_values_to_compare(new_result) == list_result_values_to_compare(old_result)
        and (new_result.flag, new_result.overtime) == (old_result.flag, old_result.overtime)
    )


def map_forfeit_codes_to_sides(catalogue: Catalogue) -> Mapping[str, GameSide]:
    """Map codes for forfeits to players: f1, f2, fb (both), and the codes of the language."""
    letter = catalogue.text(C_("letter that says forfeit", "f"))
    both_letter = catalogue.text(C_("letter that says both players", "b"))
    language_words = {
        f"{letter}1": GameSide.FIRST,
        f"{letter}2": GameSide.SECOND,
        f"{letter}{both_letter}": GameSide.BOTH,
    }
    return {**FORFEITS, **language_words}


def map_time_loss_codes_to_sides(catalogue: Catalogue) -> Mapping[str, GameSide]:
    """Map codes for a loss on time to players: t1, t2, and the codes of the language."""
    letter = catalogue.text(C_("letter that says time", "t"))
    return {**CLOCKS, f"{letter}1": GameSide.FIRST, f"{letter}2": GameSide.SECOND}


def _make_bold(text: str) -> str:
    return "<b>" + escape(isolate_text_direction(text)) + "</b>"
