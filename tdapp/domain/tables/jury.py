"""Lists of the Jury page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import score_breakdown
from tdapp.domain.commands.sheets import enter_sheet
from tdapp.domain.errors import CommandError, UserError
from tdapp.domain.game_results import (
    find_decisive_sheet,
    find_sheet_result_if_different,
    is_result_checking_required_or_started,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.judging import JudgedSheet, judge_sheet
from tdapp.domain.jury_rows import ScoreSheet, TurnRuling
from tdapp.domain.model import DISPUTED, Division, Game, GameId, GameSide, Result, ResultState, Round
from tdapp.domain.outcome import GameDecision, find_game_decision, is_single_game_knockout
from tdapp.domain.publishing import map_players_with_distinct_names
from tdapp.domain.ruleset import RuleSet
from tdapp.domain.rulings import list_doubtful_word_issues, list_turn_rulings, match_rulings_to_turns
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tables.table import Column, ColumnKind, Table, make_columns_from_row_attributes
from tdapp.domain.tournament import Tournament
from tdapp.domain.verdicts import VerdictCostKind, VerdictWithCost, list_pending_verdicts
from tdapp.scrabble.board import RACK_SIZE, Board
from tdapp.scrabble.issue import SheetIssue
from tdapp.scrabble.replay import ReplayedTurn
from tdapp.scrabble.sheet import (
    FOOT_FIELDS,
    GameEnding,
    Ruling,
    Sheet,
    SheetDifference,
    Turn,
    TurnKind,
    compute_paper_form_row_numbers,
    find_first_sheet_difference,
)
from tdapp.scrabble.tiles import TileSet
from tdapp.scrabble.wordlist import WordList

_PREVIEW_REASON = "preview"  # allows a preview before the user enters a reason
DECISION_STATES = frozenset({DISPUTED, "doubt", "differs", "verdict"})  # needs a decision of the jury
_UNCHECKED_STATES = frozenset({"open", ResultState.ENTERED.value, DISPUTED})
_CHECKED_STATES = frozenset({ResultState.CHECKED.value, ResultState.FINAL.value})


# --- the games


class JuryGame(Struct, frozen=True):
    """A game that the jury checks."""

    key: str
    round: int
    table: int
    first_name: str
    second_name: str
    state: str
    forms: int
    differing: int | None  # first turn in which two sheets differ
    # turns with an error or an unknown word without ruling; 0: the whole game
    doubtful: frozenset[int] = frozenset()
    has_contradiction: bool = False  # the result differs from the sheet, or the sheet lacks a word ruled wrong
    rulings: int = 0
    score1: int | None = None  # None without a result
    score2: int | None = None  # None without a result
    forfeit: GameSide | None = None
    decision: GameDecision | None = None
    disputed: tuple[int, int] | None = None  # points of a contradicting slip
    # undecided verdicts of the judge screen; in a checked result, without those that only cost a turn
    verdicts: tuple[VerdictWithCost, ...] = ()

    @property
    def status(self) -> str:
        if self.forfeit is not None or self.state != ResultState.ENTERED.value:
            return self.state if self.forfeit is None else ResultState.CHECKED.value  # forfeits need no check
        if self.doubtful:
            return "doubt"
        if self.has_contradiction or self.differing:
            return "differs"
        return (
            "verdict" if any(verdict.kind is not VerdictCostKind.TURN for verdict in self.verdicts) else self.state
        )

    @property
    def is_unchecked(self) -> bool:
        return self.status not in _CHECKED_STATES


def make_jury_game_table(
    index: TournamentIndex, round_row: Round, *, find_doubts: Callable[[ScoreSheet], frozenset[int]]
) -> Table[JuryGame]:
    rows = tuple(_make_jury_game(index, round_row, game, find_doubts) for game in index.games(round_row.id))
    return Table("sheets", _GAME_COLUMNS, rows)


class ResultCheckProgress(Struct, frozen=True):
    """Numbers of games: all, with a result, checked, doubtful. Forfeits do not count."""

    games: int
    entered: int
    checked: int
    doubtful: int


def compute_result_check_progress(rows: Iterable[JuryGame]) -> ResultCheckProgress:
    states = [row.status for row in rows if row.forfeit is None]
    checked = sum(status in _CHECKED_STATES for status in states)
    entered = len(states) - states.count("open")
    return ResultCheckProgress(len(states), entered, checked, sum(map(states.count, DECISION_STATES)))


def count_games_waiting_for_jury(index: TournamentIndex, division: Division) -> int:
    """Count the games that wait for the jury: with a dispute, an unchecked sheet or an undecided verdict.

    If the results of a round are being checked, all its unchecked results count.
    """
    return index.get_cached_value_after_round("waiting", division, None, _count_games_waiting_for_jury)


def _count_games_waiting_for_jury(index: TournamentIndex, division: Division, _after: int | None) -> int:
    return sum(
        _count_games_waiting_for_jury_in_round(index, item) for item in index.list_published_rounds(division.id)
    )


def _count_games_waiting_for_jury_in_round(index: TournamentIndex, round_row: Round) -> int:
    tournament, games = index.tournament, index.games(round_row.id)

    def count_games() -> int:
        has_checked_results = is_result_checking_required_or_started(index, round_row)
        has_challenges = bool(index.challenges(index.get_division_of_round(round_row.id).id))
        counted_states = {ResultState.ENTERED.value} if has_checked_results else _UNCHECKED_STATES
        return sum(
            state == DISPUTED
            or (state in counted_states and (has_checked_results or bool(index.sheets(game.id))))
            or (has_challenges and state != "open" and bool(list_pending_verdicts(index, game)))
            for game in games
            for state in (_get_game_state(index, game.id),)
            if not _is_forfeit(index, game.id)
        )

    rulings = (tournament.challenges, tournament.word_rulings)
    inputs = (
        tournament.event,
        tournament.sheets,
        *rulings,
        games,
        *map(tournament.results.get, [game.id for game in games]),
    )
    return index.get_cached_value_or_compute(("waiting", round_row.id), inputs, count_games)


def _make_jury_game(
    index: TournamentIndex, round_row: Round, game: Game, find_doubts: Callable[[ScoreSheet], frozenset[int]]
) -> JuryGame:
    players, forms = map_players_with_distinct_names(index), index.sheets(game.id)
    difference = find_first_sheet_difference(forms[0].sheet, forms[1].sheet) if len(forms) > 1 else None
    result, rulings = index.get_result(game.id), index.word_rulings(game.id)
    state = _get_game_state(index, game.id)
    has_stray_ruling = find_decisive_sheet(forms) is not None and any(ruling.phony for ruling in rulings)
    return JuryGame(
        key=game.id,
        round=round_row.number,
        table=game.table,
        first_name=players[game.first].name,
        second_name=players[game.second].name,
        state=state,
        forms=len(forms),
        differing=difference.turn if difference else None,
        doubtful=find_doubts(forms[0]) if forms else frozenset(),
        has_contradiction=has_stray_ruling
        or (bool(forms) and find_sheet_result_if_different(index, game.id) is not None),
        rulings=len(rulings),
        score1=result.first if result else None,
        score2=result.second if result else None,
        forfeit=result.forfeit if result else None,
        decision=find_game_decision(index, game),
        disputed=result.disputed if result else None,
        verdicts=list_pending_verdicts(index, game, include_lost_turns=state not in _CHECKED_STATES),
    )


def _is_forfeit(index: TournamentIndex, game: GameId) -> bool:
    result = index.get_result(game)
    return result is not None and result.forfeit is not None


def _get_game_state(index: TournamentIndex, game: GameId) -> str:
    result = index.get_result(game)
    return result.status if result else "open"


# --- the preview of a sheet


class SheetEntryPreview(Struct, frozen=True):
    """The changes that entering a sheet would make."""

    judged: JudgedSheet
    result: Result | None  # the new result; None: an unfinished game or a second form
    accounts: tuple[ScoreBreakdown, ...]
    error: CommandError | None = None  # if the sheet cannot be entered


def preview_sheet_entry(
    tournament: Tournament, game: GameId, sheet: Sheet, tileset: TileSet, *, form: int = 1
) -> SheetEntryPreview:
    """Return what entering a score sheet would change. Raises the errors of `judge_sheet` for an invalid sheet."""
    stage = tournament.stages[tournament.rounds[tournament.games[game].round].stage]
    sheet = replace(sheet, knockout=is_single_game_knockout(stage))
    judged = judge_sheet(sheet, tournament.get_ruleset_of_row(stage), tileset)
    if sheet.ended in {None, GameEnding.OPEN}:
        return SheetEntryPreview(
            judged, None, _compute_breakdowns_with_phony_rulings(tournament, game, sheet, judged, tileset)
        )
    try:
        new_tournament = enter_sheet(
            tournament, game=game, sheet=sheet, tileset=tileset, form=form, reason=_PREVIEW_REASON
        )
    except CommandError as error:
        return SheetEntryPreview(judged, None, judged.breakdown, error)
    item = find_decisive_sheet(TournamentIndex(new_tournament).sheets(game))
    if item is None or item.form != form:
        return SheetEntryPreview(judged, None, judged.breakdown)
    result = new_tournament.results[game]
    breakdowns = (ScoreBreakdown(turns=result.first or 0), ScoreBreakdown(turns=result.second or 0))
    return SheetEntryPreview(judged, result, result.accounts or breakdowns)


def _compute_breakdowns_with_phony_rulings(
    tournament: Tournament, game: GameId, sheet: Sheet, judged: JudgedSheet, tileset: TileSet
) -> tuple[ScoreBreakdown, ...]:
    row = tournament.games[game]
    phony_rulings = [ruling for ruling in TournamentIndex(tournament).word_rulings(game) if ruling.phony]
    turns_by_ruling = match_rulings_to_turns(row, sheet, judged.turns, phony_rulings)
    if not turns_by_ruling:
        return judged.breakdown
    turns = list(sheet.turns)
    for ruling in phony_rulings:
        if ruling.id in turns_by_ruling:
            position = turns_by_ruling[ruling.id] - 1
            turns[position] = replace(turns[position], ruling=Ruling.PHONY, wrong_words=ruling.wrong_words)
    return judge_sheet(replace(sheet, turns=tuple(turns)), tournament.get_ruleset_of_row(row), tileset).breakdown


# --- turns and doubtful words


class DoubtfulWord(Struct, frozen=True):
    """A word of a turn that the word list does not confirm."""

    key: str
    turn: int
    row: int
    player: int
    word: str
    code: str
    cost: int  # points that the player loses if it is ruled wrong
    state: str  # doubt-open, doubt-jury (the list does not decide), doubt-wrong or doubt-stands (ruled valid)

    @property
    def is_undecided(self) -> bool:
        return self.state in _OPEN_STATES


_OPEN_STATES = frozenset({"doubt-open", "doubt-jury"})


def make_doubtful_word_table_of_sheet(
    sheet: Sheet,
    turns: Sequence[ReplayedTurn],
    wordlist: WordList,
    rules: RuleSet,
    rulings: Iterable[TurnRuling] = (),
) -> Table[DoubtfulWord]:
    rulings_by_turn = {ruling.turn: ruling for ruling in rulings}
    rows = compute_paper_form_row_numbers((line.player, line.kind.is_real_turn) for line in turns)
    words = [
        _make_doubtful_word(
            position,
            issue,
            turns,
            rows[issue.turn - 1],
            sheet.turns[issue.turn - 1],
            rules,
            rulings_by_turn.get(issue.turn),
        )
        for position, issue in enumerate(list_doubtful_word_issues(turns, wordlist, rules.words), 1)
        if issue.turn is not None
    ]
    return Table("doubts", _DOUBT_COLUMNS, tuple(words))


def compute_phony_cost(turn: ReplayedTurn, rules: RuleSet, *, wrong_words: int = 1) -> int:
    """Return the points lost by a play ruled wrong, 0 if the rules do not permit such a ruling."""
    return -score_breakdown.compute_phony_points(rules.phony, score=turn.score, words=wrong_words)


def _make_doubtful_word(
    position: int,
    issue: SheetIssue,
    turns: Sequence[ReplayedTurn],
    row: int,
    turn: Turn,
    rules: RuleSet,
    ruling: TurnRuling | None,
) -> DoubtfulWord:
    replayed = turns[(issue.turn or 1) - 1]
    state = "doubt-open" if issue.code == "word-not-in-list" else "doubt-jury"
    if turn.ruling is Ruling.PHONY or (ruling is not None and ruling.phony):
        state = "doubt-wrong"
    elif ruling is not None:
        state = "doubt-stands"
    return DoubtfulWord(
        key=f"{replayed.number}.{position}",
        turn=replayed.number,
        row=row,
        player=replayed.player,
        word=issue.detail,
        code=issue.code,
        cost=compute_phony_cost(replayed, rules),
        state=state,
    )


class TurnRow(Struct, frozen=True):
    """A turn of a sheet."""

    key: str
    turn: Turn
    line: ReplayedTurn
    issues: tuple[SheetIssue, ...]
    doubts: tuple[DoubtfulWord, ...]

    @property
    def is_phony(self) -> bool:
        return self.turn.ruling is Ruling.PHONY


def make_turn_table(sheet: Sheet, judged: JudgedSheet, doubts: Iterable[DoubtfulWord] = ()) -> Table[TurnRow]:
    all_doubts = tuple(doubts)
    rows = tuple(
        TurnRow(
            str(line.number),
            turn,
            line,
            issues=tuple(issue for issue in judged.issues if issue.turn == line.number),
            doubts=tuple(doubt for doubt in all_doubts if doubt.turn == line.number),
        )
        for turn, line in zip(sheet.turns, judged.turns, strict=True)
    )
    return Table("turns", _TURN_COLUMNS, rows)


# --- two forms


class SheetDifferenceRow(Struct, frozen=True):
    """A difference between a game's two sheets, in a turn or in the fields below the turns."""

    key: str
    turn: int
    differences: tuple[SheetDifference, ...]
    row: int | None = None  # row of the paper form, None below the turns
    player: int | None = None  # None below the turns
    first: Turn | None = None  # None if missing
    second: Turn | None = None  # None if missing


def make_sheet_difference_rows(
    first: Sheet, second: Sheet, differences: Iterable[SheetDifference]
) -> tuple[SheetDifferenceRow, ...]:
    rows = []
    for number, group in groupby(
        differences, lambda item: item.field.value if item.field in FOOT_FIELDS else item.turn
    ):
        group_differences = tuple(group)
        key, turn = str(number), group_differences[0].turn
        in_foot = group_differences[0].field in FOOT_FIELDS
        rows.append(
            SheetDifferenceRow(key, turn, group_differences)
            if in_foot
            else _make_form_difference_row(key, group_differences, first, second)
        )
    return tuple(rows)


def _make_form_difference_row(
    key: str, differences: tuple[SheetDifference, ...], first: Sheet, second: Sheet
) -> SheetDifferenceRow:
    position = differences[0].turn - 1
    longer_sheet = first if len(first.turns) > position else second
    rows = compute_paper_form_row_numbers((turn.player, turn.kind.is_real_turn) for turn in longer_sheet.turns)
    turns = (sheet.turns[position] if len(sheet.turns) > position else None for sheet in (first, second))
    return SheetDifferenceRow(
        key, position + 1, differences, rows[position], longer_sheet.turns[position].player, *turns
    )


# --- the board


def build_board_before_turn(turns: Sequence[ReplayedTurn], number: int) -> Board | None:
    """Return the board before turn `number`, None after a play with unknown position."""
    board = Board()
    for line in turns[: number - 1]:
        if line.kind is not TurnKind.PLAY:
            continue
        if line.play is None:
            return None
        board = board.place_tiles(line.play.placement.tiles)
    return board


def find_opponent_with_remaining_tiles(
    sheet: Sheet, turns: Sequence[ReplayedTurn], tileset: TileSet
) -> tuple[int, tuple[str, ...]] | None:
    """If a player ends the game with an empty rack, return the opponent's number (1 or 2) and remaining tiles."""
    board = build_board_before_turn(turns, len(turns) + 1)
    last_play = next((line for line in reversed(turns) if line.kind is TurnKind.PLAY), None)
    if sheet.ended is not GameEnding.OUT or board is None or last_play is None or len(sheet.players) != 2:  # noqa: PLR2004
        return None
    remaining_tiles = tileset.list_remaining_tiles(board.tiles_on_board)
    return (3 - last_play.player, remaining_tiles) if len(remaining_tiles) <= RACK_SIZE else None


_GAME_COLUMNS: tuple[Column[JuryGame], ...] = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table"),
    *make_columns_from_row_attributes(ColumnKind.NAME, "first_name", "second_name"),
    Column("state", ColumnKind.CODE, attrgetter("state")),
    Column("forms", ColumnKind.NUMBER, lambda row: row.forms or None),
    Column("differing", ColumnKind.NUMBER, attrgetter("differing")),
    Column("doubtful", ColumnKind.NUMBER, lambda row: len(row.doubtful) or None),
)
_DOUBT_COLUMNS: tuple[Column[DoubtfulWord], ...] = (
    Column("row", ColumnKind.NUMBER, attrgetter("row")),
    Column("word", ColumnKind.TEXT, attrgetter("word")),
    Column("cost", ColumnKind.NUMBER, lambda row: row.cost or None),
    Column("state", ColumnKind.CODE, attrgetter("state")),
)
_TURN_COLUMNS: tuple[Column[TurnRow], ...] = (
    Column("turn", ColumnKind.NUMBER, attrgetter("line.number")),
    Column("player", ColumnKind.NUMBER, attrgetter("line.player")),
    Column("kind", ColumnKind.CODE, attrgetter("line.kind")),
    Column("square", ColumnKind.TEXT, lambda row: row.turn.at or ""),
    Column("words", ColumnKind.TEXT, lambda row: ", ".join(word.upper() for word in row.line.words)),
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "score", "total", parent="line"),
)


class DoubtfulWordRow(Struct, frozen=True):
    """A doubtful word with its round, table, player and sheet (1 or 2)."""

    key: str
    round: int
    table: int
    name: str
    form: int
    doubt: DoubtfulWord


def make_doubtful_word_table_of_division(
    index: TournamentIndex,
    division: Division,
    last_round: int | None = None,
    *,
    wordlist: WordList,
    tilesets: Mapping[str, TileSet],
) -> Table[DoubtfulWordRow]:
    """Return the doubtful words of published rounds up to `last_round` (None: all), by round, table and turn.

    Omit invalid sheets.
    """
    rows = (
        row
        for item in index.list_published_rounds(division.id, last_round)
        for game in index.games(item.id)
        for row in _make_doubtful_word_rows_of_game(index, item, game, wordlist, tilesets)
    )
    return Table("doubtful", _COLUMNS, tuple(rows))


def _make_doubtful_word_rows_of_game(
    index: TournamentIndex, round_row: Round, game: Game, wordlist: WordList, tilesets: Mapping[str, TileSet]
) -> Iterator[DoubtfulWordRow]:
    tournament, rules = index.tournament, index.tournament.get_ruleset_of_row(round_row)
    names = [tournament.players[player].name for player in (game.first, game.second)]
    for form in index.sheets(game.id):
        tileset = tilesets.get(form.sheet.tileset or rules.tileset)
        if tileset is None:
            continue
        try:
            judged = judge_sheet(form.sheet, rules, tileset)
        except UserError:
            continue
        turn_rulings = list_turn_rulings(game, form.sheet, judged.turns, index.word_rulings(game.id))
        for doubt in make_doubtful_word_table_of_sheet(
            form.sheet, judged.turns, wordlist, rules, (*form.rulings, *turn_rulings)
        ).rows:
            key = f"{form.id}.{doubt.key}"
            yield DoubtfulWordRow(key, round_row.number, game.table, names[doubt.player - 1], form.form, doubt)


_COLUMNS: tuple[Column[DoubtfulWordRow], ...] = (
    *make_columns_from_row_attributes(ColumnKind.NUMBER, "round", "table", "form"),
    Column("row", ColumnKind.NUMBER, attrgetter("doubt.row")),
    Column("name", ColumnKind.NAME, attrgetter("name")),
    Column("word", ColumnKind.TEXT, attrgetter("doubt.word")),
    Column("cost", ColumnKind.NUMBER, attrgetter("doubt.cost")),
    Column("state", ColumnKind.CODE, attrgetter("doubt.state")),
)
