"""Parses a typed score sheet (draft) for display. An unreadable line does not count as a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.errors import InputError, UserError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import compute_peg_rack_holes, judge_sheet, make_issue_facts
from tdapp.domain.jury_rows import ScoreSheet, SheetId, TurnRuling
from tdapp.domain.model import Game
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import has_phonies_not_yet_deducted, list_turn_rulings
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.sheet_draft import SheetDraft, SheetDraftLine
from tdapp.domain.tables import jury
from tdapp.domain.tables.jury import DoubtfulWord, SheetEntryPreview, TurnRow
from tdapp.domain.translatable import C_
from tdapp.i18n.catalogue import Catalogue
from tdapp.scrabble import coordinates, turn_line
from tdapp.scrabble.board import Board
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import GameEnding, Sheet, Turn, TurnKind
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList

# Warnings about entries that may be correct. All other issues are errors.
MILD_ISSUES = frozenset({"total-missing", "direction-turned", "forms-differ", "pass-not-allowed", "turn-empty"})


class ParsedSheetDraft(Struct, frozen=True):
    """A typed score sheet and its turns after parsing."""

    draft: SheetDraft
    sheet: Sheet
    line_indexes: tuple[int, ...]  # of each turn: index of its draft line
    preview: SheetEntryPreview
    rows: tuple[TurnRow, ...]
    doubts: tuple[DoubtfulWord, ...]  # empty without a word list
    error: InputError | None = None  # why the end of the form cannot be checked

    @property
    def replayed_turns(self) -> tuple[ReplayedTurn, ...]:
        return self.preview.judged.turns

    @property
    def score_breakdown_by_player(self) -> tuple[ScoreBreakdown, ...]:
        return self.preview.accounts

    def find_turn_number(self, line_index: int) -> int | None:
        return self.line_indexes.index(line_index) + 1 if line_index in self.line_indexes else None

    def find_turn_row(self, line_index: int) -> TurnRow | None:
        number = self.find_turn_number(line_index)
        return self.rows[number - 1] if number else None

    def list_issues_of_game_end(self) -> tuple[SheetIssue, ...]:
        if self.sheet.ended in {None, GameEnding.OPEN}:
            return ()
        return tuple(issue for issue in self.preview.judged.issues if issue.turn is None)


def parse_sheet_draft(
    index: TournamentIndex,
    game: Game,
    draft: SheetDraft,
    *,
    form: int,
    tileset: TileSet,
    wordlist: WordList | None,
) -> ParsedSheetDraft:
    """Parse a draft for the paper form number `form`. Without a `wordlist` words are not checked."""
    tournament = index.tournament
    sheet, line_indexes = draft.make_sheet_of_valid_lines(tileset)
    error_of_end: InputError | None = None
    try:
        reading = jury.preview_sheet_entry(tournament, game.id, sheet, tileset, form=form)
    except InputError as error:
        error_of_end, sheet = error, replace(sheet, ended=GameEnding.OPEN, flag=None)
        reading = jury.preview_sheet_entry(tournament, game.id, sheet, tileset, form=form)
    doubts: tuple[DoubtfulWord, ...] = ()
    if wordlist is not None:
        rulings = [
            ruling
            for item in index.sheets(game.id)
            if item.form == form
            for ruling in _list_rulings_of_unchanged_turns(item, sheet)
        ]
        lines = reading.judged.turns
        rulings += list_turn_rulings(game, sheet, lines, index.word_rulings(game.id))
        doubts = jury.make_doubtful_word_table_of_sheet(
            sheet, lines, wordlist, tournament.get_ruleset_of_row(game), rulings
        ).rows
    rows = jury.make_turn_table(sheet, reading.judged, doubts).rows if reading.judged.turns else ()
    return ParsedSheetDraft(draft, sheet, line_indexes, reading, rows, doubts, error_of_end)


def _list_rulings_of_unchanged_turns(stored: ScoreSheet, sheet: Sheet) -> list[TurnRuling]:
    unchanged_turns = [
        stored_turn == new_turn for stored_turn, new_turn in zip(stored.sheet.turns, sheet.turns, strict=False)
    ]
    return [
        ruling
        for ruling in stored.rulings
        if ruling.turn <= len(unchanged_turns) and unchanged_turns[ruling.turn - 1]
    ]


def propose_game_end(reading: ParsedSheetDraft, tileset: TileSet | None, rules: RuleSet) -> GameEnding | None:
    ends = rules.ending.ends
    last_turn = next((line for line in reversed(reading.replayed_turns) if line.kind.is_real_turn), None)
    if tileset is None or last_turn is None:
        return None
    passes = [line.kind.value == "pass" for line in reading.replayed_turns[-2:]]
    if GameEnding.PASSES in ends and len(passes) > 1 and all(passes):
        return GameEnding.PASSES
    finished_sheet = replace(
        reading.draft, end=replace(reading.draft.end, ended=GameEnding.OUT)
    ).make_sheet_of_valid_lines(tileset)[0]
    if (
        jury.find_opponent_with_remaining_tiles(finished_sheet, reading.replayed_turns, tileset) is not None
        and GameEnding.OUT in ends
    ):
        return GameEnding.OUT
    return None


# --- cells


class TurnCell(Struct, frozen=True):
    """A turn as the score sheet shows it."""

    player: int
    row: int = 0  # row of the paper form
    square: str = ""
    word: str = ""
    score: str = ""
    total: str = ""
    note: str = ""  # first problem, and the number of further ones
    tone: str = "red"  # colour of the note
    more: str = ""  # all problems, one on each line
    is_phony: bool = False  # by ruling of the jury
    is_computed: bool = False  # the form has no score
    is_wide: bool = False  # the word may use the space of `square`


class SheetColumnHeading(Struct, frozen=True):
    """The heading of a player's column on the score sheet."""

    name: str
    total: str
    starts: bool


def list_turn_cells(
    reading: ParsedSheetDraft, catalogue: Catalogue, *, hide_word_notes: bool = False
) -> tuple[TurnCell, ...]:
    """Return a cell for each line of the draft."""
    rows = reading.draft.list_paper_form_row_numbers_and_next()
    return tuple(
        replace(
            _make_turn_cell(reading, line_index, entry, catalogue, hide_word_notes=hide_word_notes),
            row=rows[line_index],
        )
        for line_index, entry in enumerate(reading.draft.entries)
    )


def list_sheet_column_headings(
    reading: ParsedSheetDraft, *, is_starter_known: bool
) -> tuple[SheetColumnHeading, ...]:
    return tuple(
        SheetColumnHeading(name, str(part.total), starts=number == 1 and is_starter_known)
        for number, (name, part) in enumerate(
            zip(reading.draft.players, reading.score_breakdown_by_player, strict=True), 1
        )
    )


def _make_turn_cell(
    reading: ParsedSheetDraft,
    line_index: int,
    entry: SheetDraftLine,
    catalogue: Catalogue,
    *,
    hide_word_notes: bool,
) -> TurnCell:
    row = reading.find_turn_row(line_index)
    if row is None or entry.turn is None:
        code, detail = entry.error
        note = catalogue.describe_problem(code, {"detail": detail}) if code else ""
        tone = "amber" if code in MILD_ISSUES else "red"
        return TurnCell(entry.player, word=entry.text, note=note, more=note, tone=tone)
    line = reading.replayed_turns[row.line.number - 1]
    notes = _list_turn_notes_with_tones(row, catalogue, reading.draft.convention, hide_word_notes=hide_word_notes)
    tones = {tone for _, tone in notes}
    return TurnCell(
        player=entry.player,
        square=format_turn_square(entry.turn, line, reading.draft),
        word=describe_turn(entry.turn, catalogue),
        score=_format_stated_or_computed_score(row, entry.turn),
        total=str(row.line.total),
        note=notes[0][0] + (f"  (+{len(notes) - 1})" if len(notes) > 1 else "") if notes else "",
        tone="red" if "red" in tones else "amber",
        more="\n".join(note for note, _ in notes),
        is_phony=row.is_phony and not hide_word_notes,
        is_computed=row.line.stated is None,
        is_wide=row.line.kind is not TurnKind.PLAY and not entry.turn.at,
    )


def _list_turn_notes_with_tones(
    row: TurnRow, catalogue: Catalogue, convention: SquareNotation, *, hide_word_notes: bool
) -> list[tuple[str, str]]:
    mild_issues = [issue for issue in row.issues if issue.code in MILD_ISSUES]
    errors = [issue for issue in row.issues if issue.code not in MILD_ISSUES]
    notes = [
        (catalogue.describe_problem(issue.code, make_issue_facts(issue, convention)), "red") for issue in errors
    ]
    if not hide_word_notes:
        if row.is_phony:
            notes.append((catalogue.text("The jury ruled this play invalid"), "red"))
        notes += [(describe_doubt(doubt, catalogue), "amber") for doubt in row.doubts if doubt.is_undecided]
    return notes + [
        (catalogue.describe_problem(issue.code, make_issue_facts(issue, convention)), "amber")
        for issue in mild_issues
    ]


def describe_doubt(doubt: DoubtfulWord, catalogue: Catalogue) -> str:
    text, facts = catalogue.text, {"word": doubt.word, "state": doubt.state}
    if not doubt.cost:
        return text("{word}: {state:code}", **facts)
    return text("{word}: {state:code}, would cost {cost}", cost=doubt.cost, **facts)


def _format_stated_or_computed_score(row: TurnRow, turn: Turn) -> str:
    if row.line.stated is None:
        return str(row.line.score) if turn.kind is TurnKind.PLAY else ""
    return str(row.line.stated)


def format_turn_square(turn: Turn, line: ReplayedTurn, draft: SheetDraft) -> str:
    """Return the square of a turn as text, with the direction of its word even if no direction was typed."""
    if turn.at is None:
        return ""
    if line.play is not None and line.play.words and turn.at.endswith("?"):
        direction = line.play.words[0].start.direction
        square = coordinates.parse_square_notation(turn.at)._replace(direction=direction)
        return coordinates.format_square_notation(square, draft.convention)
    return turn_line.convert_square_notation(turn.at, draft.convention)


def describe_turn(turn: Turn, catalogue: Catalogue) -> str:
    match turn.kind:
        case TurnKind.PLAY:
            text = turn.word or "–"
        case TurnKind.EXCHANGE if turn.tiles:
            text = catalogue.text(C_("turn of a game, with the number of tiles", "exchange of {n}"), n=turn.tiles)
        case TurnKind.WITHDRAWN if turn.word:
            text = f"{turn.word}, {catalogue.translate_code(turn.kind)}"
        case TurnKind.FAILED_CHALLENGE if turn.words > 1:
            text = f"{catalogue.translate_code(turn.kind)} × {turn.words}"
        case _:
            text = catalogue.translate_code(turn.kind)
    if turn.contested is not None:
        text = catalogue.text("{turn}, replaces {contested}", turn=text, contested=turn.contested or "…")
    return text


def describe_total_breakdown(breakdown: ScoreBreakdown, rules: RuleSet, catalogue: Catalogue) -> str:
    """Return the parts of a score, such as `turns 491 · wrong words −50`.

    Some blind players keep the score with two pegs. If `rules.form.peg_row` is 20, append for 441 points:
    `upper peg 22 × 20 + lower peg 1`.
    """
    names = ("turns", "phonies", "challenges", "racks", "sanctions", "overtime")
    columns: Mapping[str, int] = {name: getattr(breakdown, name) for name in names}
    translate, format_value = catalogue.translate_code, catalogue.format_signed_value
    parts = [
        f"{translate(f'account-{name}')} {value if name == 'turns' else format_value(value)}"
        for name, value in columns.items()
        if value or name == "turns"
    ]
    row = rules.form.peg_row
    if row and breakdown.total >= 0:
        upper, lower = compute_peg_rack_holes(breakdown.total, row)
        parts.append(
            catalogue.text("upper peg {upper} × {row} + lower peg {lower}", upper=upper, row=row, lower=lower)
        )
    return "  ·  ".join(parts)


# --- the board


def make_board_after_turn(
    reading: ParsedSheetDraft, line_index: int
) -> tuple[Board, tuple[tuple[int, int], ...], bool]:
    """Return the board after a turn, the squares of the tiles played, and whether all plays so far are known."""
    number = next(
        (n for n, turn_line_index in enumerate(reading.line_indexes, 1) if turn_line_index >= line_index),
        len(reading.line_indexes) + 1,
    )
    turn_number = reading.find_turn_number(line_index)
    board = jury.build_board_before_turn(reading.replayed_turns, number)
    if board is None:
        return _find_last_known_board(reading.replayed_turns[: number - 1]), (), False
    play = reading.replayed_turns[turn_number - 1].play if turn_number else None
    if play is None:
        is_known = turn_number is None or reading.replayed_turns[turn_number - 1].kind is not TurnKind.PLAY
        return board, (), is_known
    new_squares = tuple((row, column) for row, column, _ in play.placement.tiles)
    return board.place_tiles(play.placement.tiles), new_squares, True


def _find_last_known_board(lines: Sequence[ReplayedTurn]) -> Board:
    for number in range(len(lines), 0, -1):
        board = jury.build_board_before_turn(lines, number)
        if board is not None:
            return board
    return Board()


class TurnsToCheckCache:
    """Cached doubtful turns of stored score sheets."""

    def __init__(self) -> None:
        self._cache: dict[SheetId, tuple[tuple[object, ...], frozenset[int]]] = {}

    def find_turn_numbers_to_check(
        self, index: TournamentIndex, form: ScoreSheet, tileset: TileSet, wordlist: WordList | None
    ) -> frozenset[int]:
        """Return the numbers of doubtful turns. The number 0 means a doubt about the whole game."""
        edition = wordlist.edition if wordlist is not None else None
        inputs = (form, edition, index.word_rulings(form.game), index.get_result(form.game) is None)
        entry = self._cache.get(form.id)
        if entry is None or entry[0] != inputs:
            entry = self._cache[form.id] = (
                inputs,
                self._compute_turn_numbers_to_check(index, form, tileset, wordlist),
            )
        return entry[1]

    @staticmethod
    def _compute_turn_numbers_to_check(
        index: TournamentIndex, form: ScoreSheet, tileset: TileSet, wordlist: WordList | None
    ) -> frozenset[int]:
        game, rules = index.tournament.games[form.game], index.tournament.get_ruleset_of_row(form)
        try:
            judged = judge_sheet(form.sheet, rules, tileset)
        except UserError:
            return frozenset({0})
        doubtful_turns = {issue.turn or 0 for issue in judged.issues if issue.code not in MILD_ISSUES}
        if index.get_result(game.id) is not None and has_phonies_not_yet_deducted(form.sheet, rules):
            doubtful_turns.add(0)
        if wordlist is not None and judged.turns:
            rulings = (
                *form.rulings,
                *list_turn_rulings(game, form.sheet, judged.turns, index.word_rulings(game.id)),
            )
            doubts = jury.make_doubtful_word_table_of_sheet(
                form.sheet, judged.turns, wordlist, rules, rulings
            ).rows
            doubtful_turns |= {doubt.turn for doubt in doubts if doubt.is_undecided}
        return frozenset(doubtful_turns)
