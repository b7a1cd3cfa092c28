"""A score sheet as written: players, turns, racks, clock times and sanctions.

It is read from JSON; the module `replay` computes its scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tdapp.scrabble.reading import FieldProblem, FieldReader, UnreadableDocumentError

MAX_PLAYERS = 4
_MAX_POINTS = 9_999
_MAX_SECONDS = 24 * 3600
_MAX_TILES = 7
MAX_WORDS = 8  # a main word and seven across it


class TurnKind(StrEnum):
    """The kind of a line on a score sheet, such as a pass or a wrong challenge."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"  # noqa: S105 - a turn
    WITHDRAWN = "withdrawn"  # withdrawn, the turn is lost
    LOST_TURN = "lost-turn"  # by a sanction
    FAILED_CHALLENGE = "failed-challenge"  # wrong challenge by this player; no turn

    @property
    def is_real_turn(self) -> bool:
        """Whether the line is a turn, not a wrong challenge."""
        return self is not TurnKind.FAILED_CHALLENGE


class Ruling(StrEnum):
    """A ruling of the jury on a play."""

    PHONY = "phony"


class GameEnding(StrEnum):
    """How a game ended."""

    OUT = "out"  # a player has no tiles left
    PASSES = "passes"
    BLOCKED = "blocked"  # no player can move
    FLAG = "flag"  # a clock ran out
    TIME = "time"  # without clocks: the time was up
    OVERTIME = "overtime"  # a player exceeded the overtime limit
    FORFEIT = "forfeit"
    OPEN = "open"


class SanctionKind(StrEnum):
    """The kind of a sanction."""

    WARNING = "warning"
    POINTS = "points"
    TIME = "time"
    TURN = "turn"
    GAME = "game"
    MARGIN = "margin"
    DISQUALIFIED = "disqualified"
    TEAM = "team-points"  # deducted from the team in a league

    @property
    def is_measured_in_points(self) -> bool:
        return self in {SanctionKind.POINTS, SanctionKind.MARGIN, SanctionKind.TEAM}

    @property
    def is_loss_of_game(self) -> bool:
        return self in {SanctionKind.GAME, SanctionKind.DISQUALIFIED}


class Turn(Struct, frozen=True):
    """One line of a score sheet. None means that the value is not written."""

    player: int
    kind: TurnKind
    at: str | None = None
    word: str | None = None
    score: int | None = None
    total: int | None = None
    tiles: int | None = None  # number of exchanged tiles
    ruling: Ruling | None = None
    wrong_words: int = 1
    words: int = 1  # number of challenged words of a failed challenge
    contested: str | None = None  # the withdrawn play that this one replaces (nl-reglement III.10)
    rack: str | None = None  # before the turn
    confirmed: bool = False  # entered although the program questioned it


class TurnOnOpponentSheet(Struct, frozen=True):
    """Values of a turn on the opponent's score sheet, if the two players' sheets differ. None: no difference."""

    turn: int
    score: int | None
    total: int | None


class SheetSanction(Struct, frozen=True):
    """A sanction written on the sheet."""

    player: int
    kind: SanctionKind
    points: int
    why: str


class Sheet(Struct, frozen=True):
    """A score sheet. Tuples such as `racks` have one item for each player."""

    players: tuple[str, ...]
    turns: tuple[Turn, ...]
    first: int = 1
    tileset: str | None = None
    knockout: bool = False
    other_form: tuple[TurnOnOpponentSheet, ...] = ()
    racks: tuple[str, ...] | None = None
    rack_values: tuple[int, ...] | None = None
    ended: GameEnding | None = None
    flag: int | None = None
    overtime_seconds: tuple[int, ...] = ()
    sanctions: tuple[SheetSanction, ...] = ()
    forfeit: int | Literal["both"] | None = None
    finals: tuple[int | None, ...] = ()  # written final totals

    @property
    def has_ending(self) -> bool:
        return self.ended not in {None, GameEnding.OPEN}


class ScoreSheetError(UnreadableDocumentError):
    """Raised for a sheet that cannot be read."""


class SheetField(StrEnum):
    """The fields in which two sheets can differ."""

    PLAYER = "player"
    KIND = "kind"
    AT = "at"
    WORD = "word"
    SCORE = "score"
    TOTAL = "total"
    TILES = "tiles"
    ENDED = "ended"
    FLAG = "flag"
    FORFEIT = "forfeit"
    RACKS = "racks"
    RACK_VALUES = "rack_values"
    OVERTIME = "overtime_seconds"
    FINAL = "final"


_FIELDS = tuple(SheetField)
_TURN_FIELDS = _FIELDS[: _FIELDS.index(SheetField.ENDED)]
FOOT_FIELDS = frozenset(_FIELDS) - frozenset(_TURN_FIELDS)


class SheetDifference(NamedTuple):
    """A value that differs between two sheets of one game."""

    turn: int  # from 1; at the foot of the form, one more than the last turn
    field: SheetField
    value: str | int | None  # None if the sheet ended earlier; at the foot, one text for all players
    other_value: str | int | None  # on the other sheet


def parse_sheet(document: object) -> Sheet:
    problems: list[FieldProblem] = []
    fields = FieldReader(document, "", problems)
    fields.report_missing_keys("players")
    players = _read_texts(fields, "players")
    if fields.has_value("players") and not 1 <= len(players) <= MAX_PLAYERS:
        fields.add_problem("players", f"expected 1 to {MAX_PLAYERS} names", "misfit-players", most=MAX_PLAYERS)
    turns = tuple(_read_turn(item, len(players)) for item in fields.read_mapping_list("turns"))
    sheet = Sheet(
        players=players,
        turns=turns,
        first=fields.read_integer_with_minimum_as_default("first", 1, len(players)),
        tileset=fields.read_text("tileset"),
        knockout=fields.read_flag("knockout"),
        other_form=tuple(
            _read_turn_on_opponent_sheet(item, len(turns)) for item in fields.read_mapping_list("other_form")
        ),
        racks=_read_texts(fields, "racks") if fields.has_value("racks") else None,
        rack_values=_read_numbers(fields, "rack_values") if fields.has_value("rack_values") else None,
        ended=fields.read_choice("ended", GameEnding),
        flag=fields.read_integer("flag", 1, len(players)),
        overtime_seconds=_read_numbers(fields, "overtime_seconds"),
        sanctions=tuple(_read_sanction(item, len(players)) for item in fields.read_mapping_list("sanctions")),
        forfeit="both"
        if fields.read_value("forfeit") == "both"
        else fields.read_integer("forfeit", 1, len(players)),
        finals=_read_final_totals(fields),
    )
    _check_list_lengths_and_ending(fields, sheet)
    fields.report_unread_keys()
    if problems:
        raise ScoreSheetError(problems)
    return sheet


def _check_list_lengths_and_ending(fields: FieldReader, sheet: Sheet) -> None:
    for key in ("racks", "rack_values", "overtime_seconds", "finals"):
        can_be_empty = key in {"overtime_seconds", "finals"}
        is_missing = not fields.has_value(key) or (can_be_empty and not fields.read_list(key))
        if not is_missing and len(fields.read_list(key)) != len(sheet.players):
            fields.add_problem(key, "expected one entry for each player", "misfit-each")
    if fields.has_value("racks") and fields.has_value("rack_values"):
        fields.add_problem("rack_values", "not beside racks", "misfit-racks")
    is_forfeited = sheet.ended is GameEnding.FORFEIT
    if is_forfeited and sheet.turns:
        fields.add_problem("turns", "none in a forfeited game", "misfit-turns")
    if is_forfeited != fields.has_value("forfeit"):
        text = "missing" if is_forfeited else "the game did not end by forfeit"
        fields.add_problem("forfeit", text, "misfit-missing" if is_forfeited else "misfit-forfeit")
    if fields.has_value("flag") and sheet.ended is not GameEnding.FLAG:
        fields.add_problem("flag", "the game did not end by flag", "misfit-by-flag")


def _read_turn(fields: FieldReader, players: int) -> Turn:
    fields.report_missing_keys("player", "kind")
    kind = fields.read_choice("kind", TurnKind) or TurnKind.PASS
    turn = Turn(
        player=fields.read_integer_with_minimum_as_default("player", 1, players),
        kind=kind,
        at=fields.read_text("at") or None,
        word=fields.read_text("word") or None,
        score=fields.read_integer("score", -_MAX_POINTS, _MAX_POINTS),
        total=fields.read_integer("total", -_MAX_POINTS, _MAX_POINTS),
        tiles=fields.read_integer("tiles", 1, _MAX_TILES),
        ruling=fields.read_choice("ruling", Ruling),
        wrong_words=fields.read_integer_with_minimum_as_default("wrong_words", 1, MAX_WORDS),
        words=fields.read_integer_with_minimum_as_default("words", 1, MAX_WORDS),
        contested=fields.read_text("contested"),
        rack=fields.read_text("rack") or None,
        confirmed=fields.read_flag("confirmed"),
    )
    if kind is TurnKind.PLAY and not (turn.word or fields.has_value("score")):
        fields.add_problem("word", "missing, and no score either", "misfit-no-score")
    if turn.at and not turn.word:
        fields.add_problem("at", "without a word", "misfit-no-word")
    if turn.ruling and kind is not TurnKind.PLAY:
        fields.add_problem("ruling", "only of a play", "misfit-play")
    if turn.confirmed and kind is not TurnKind.FAILED_CHALLENGE:
        fields.add_problem("confirmed", "only of a failed challenge", "misfit-challenge")
    if turn.tiles and kind is not TurnKind.EXCHANGE:
        fields.add_problem("tiles", "only of an exchange", "misfit-exchange")
    if turn.contested is not None and kind not in {TurnKind.PLAY, TurnKind.EXCHANGE, TurnKind.PASS}:
        fields.add_problem("contested", "only of a play, an exchange or a pass", "misfit-own-turn")
    fields.report_unread_keys()
    return turn


def _read_turn_on_opponent_sheet(fields: FieldReader, turns: int) -> TurnOnOpponentSheet:
    fields.report_missing_keys("turn")
    values = TurnOnOpponentSheet(
        fields.read_integer_with_minimum_as_default("turn", 1, turns),
        fields.read_integer("score", -_MAX_POINTS, _MAX_POINTS),
        fields.read_integer("total", -_MAX_POINTS, _MAX_POINTS),
    )
    fields.report_unread_keys()
    return values


def _read_sanction(fields: FieldReader, players: int) -> SheetSanction:
    fields.report_missing_keys("player", "kind")
    sanction = SheetSanction(
        fields.read_integer_with_minimum_as_default("player", 1, players),
        fields.read_choice("kind", SanctionKind) or SanctionKind.WARNING,
        fields.read_integer_with_minimum_as_default("points", 0, _MAX_POINTS),
        fields.read_text("why") or "",
    )
    if sanction.kind is SanctionKind.POINTS:
        fields.report_missing_keys("points")
    fields.report_unread_keys()
    return sanction


def _read_texts(fields: FieldReader, key: str) -> tuple[str, ...]:
    items = fields.read_list(key)
    if not all(isinstance(item, str) for item in items):
        fields.add_problem(key, "expected texts", "misfit-texts")
    return tuple(item for item in items if isinstance(item, str))


def _read_numbers(fields: FieldReader, key: str) -> tuple[int, ...]:
    items = fields.read_list(key)
    numbers = tuple(item for item in items if isinstance(item, int) and not isinstance(item, bool))
    if len(numbers) < len(items) or any(not 0 <= number <= _MAX_SECONDS for number in numbers):
        text = f"expected whole numbers from 0 to {_MAX_SECONDS}"
        fields.add_problem(key, text, "misfit-numbers", low=0, high=_MAX_SECONDS)
    return numbers


def _read_final_totals(fields: FieldReader) -> tuple[int | None, ...]:
    items = fields.read_list("finals")
    finals = tuple(item for item in items if item is None or type(item) is int)
    if len(finals) < len(items) or any(final is not None and abs(final) > _MAX_POINTS for final in finals):
        text = f"expected whole numbers up to {_MAX_POINTS}, or null"
        fields.add_problem("finals", text, "misfit-numbers", low=-_MAX_POINTS, high=_MAX_POINTS)
    return finals


def find_first_sheet_difference(sheet: Sheet, other_sheet: Sheet) -> SheetDifference | None:
    return next(find_differences(sheet, other_sheet), None)


def find_differences(sheet: Sheet, other_sheet: Sheet) -> Iterator[SheetDifference]:
    """Yield the differences between two sheets of the same game.

    Compare turns until the sheets disagree on the player or kind of a turn. If both sheets say how the game ended,
    compare the values below the turns, such as final racks. A missing value is no difference.
    """
    total_differences: dict[int, int] = {}
    for number, (turn, other_turn) in enumerate(zip(sheet.turns, other_sheet.turns, strict=False), 1):
        for field in _TURN_FIELDS:
            values = getattr(turn, field), getattr(other_turn, field)
            if None in values or _normalise_spacing_and_case(values[0]) == _normalise_spacing_and_case(values[1]):
                continue
            if field is SheetField.TOTAL:
                old_difference, new_difference = total_differences.get(turn.player, 0), values[0] - values[1]
                total_differences[turn.player] = new_difference
                if old_difference == new_difference:
                    continue
            yield SheetDifference(number, field, *values)
        if (turn.player, turn.kind) != (other_turn.player, other_turn.kind):
            break
    else:
        if len(sheet.turns) != len(other_sheet.turns):
            number = min(len(sheet.turns), len(other_sheet.turns)) + 1
            turns = (sheet.turns, other_sheet.turns)
            kinds = [rows[number - 1].kind if len(rows) >= number else None for rows in turns]
            yield SheetDifference(number, SheetField.KIND, *kinds)
    if sheet.has_ending and other_sheet.has_ending:
        yield from _find_differences_in_fields_below_turns(sheet, other_sheet)


def _find_differences_in_fields_below_turns(sheet: Sheet, other_sheet: Sheet) -> Iterator[SheetDifference]:
    foot_number = max(len(sheet.turns), len(other_sheet.turns)) + 1
    for field in _FIELDS[len(_TURN_FIELDS) :]:
        values = [_format_field_below_turns(side, field) for side in (sheet, other_sheet)]
        if None not in values and values[0] != values[1]:
            yield SheetDifference(foot_number, field, *values)


def _format_field_below_turns(sheet: Sheet, field: SheetField) -> str | None:
    value = getattr(sheet, field, None)
    if field is SheetField.OVERTIME:
        value = value or (0,) * len(sheet.players)
    if field is SheetField.RACKS and value is not None:
        value = ["".join(sorted("".join(rack.upper().split()))) for rack in value]
    return join_with_slashes(value) if isinstance(value, (tuple, list)) else None if value is None else str(value)


def join_with_slashes(values: Iterable[object]) -> str:
    return " / ".join(str(value) if value != "" else "–" for value in values)


def copy_difference_from_source(sheet: Sheet, source: Sheet, turn: int, field: SheetField) -> Sheet:
    """Return `sheet` with a difference in `field` settled by copying from `source`.

    For a field in a turn, all values of the turn are copied. Later totals that contain the same
    error are corrected.
    """
    if field is SheetField.FINAL:
        turns = (*map(_copy_ruling_if_same_word, source.turns, sheet.turns), *source.turns[len(sheet.turns) :])
        return replace(source, players=sheet.players, turns=turns, sanctions=sheet.sanctions)
    if field in FOOT_FIELDS:
        return replace(sheet, **{field.value: getattr(source, field)})
    index, form_values = turn - 1, tuple(item for item in sheet.other_form if item.turn < turn)
    players = [row.player for row in sheet.turns[index:]]
    if players != [row.player for row in source.turns[index:]]:
        return replace(sheet, turns=(*sheet.turns[:index], *source.turns[index:]), other_form=form_values)
    old, new = sheet.turns[index], _merge_source_values_into_turn(sheet.turns[index], source.turns[index])
    later_turns = _correct_later_totals(sheet.turns[turn:], source.turns[turn:], old, new)
    form_values += tuple(item for item in sheet.other_form if item.turn > turn)
    return replace(sheet, turns=(*sheet.turns[:index], new, *later_turns), other_form=form_values)


def _merge_source_values_into_turn(turn: Turn, source: Turn) -> Turn:
    if turn.kind is not source.kind:
        return source
    values = {field.value: getattr(source, field) for field in _TURN_FIELDS}
    written_values = {name: value for name, value in values.items() if value is not None}
    return _copy_ruling_if_same_word(replace(turn, **written_values), turn)


def _copy_ruling_if_same_word(turn: Turn, source: Turn) -> Turn:
    source_word = _normalise_spacing_and_case(source.word)
    if turn.word is not None and _normalise_spacing_and_case(turn.word) != source_word:
        return replace(turn, ruling=None)
    return replace(turn, ruling=source.ruling, wrong_words=source.wrong_words)


def _correct_later_totals(turns: Sequence[Turn], source: Sequence[Turn], old: Turn, new: Turn) -> Iterator[Turn]:
    total_error = None if old.total is None or new.total is None else old.total - new.total
    for turn, source_turn in zip(turns, source, strict=True):
        if turn.player == old.player and turn.total is not None and source_turn.total is not None:
            total_error = total_error if turn.total - source_turn.total == total_error else None
            turn = replace(turn, total=source_turn.total) if total_error else turn  # noqa: PLW2901
        yield turn


def swap_players(sheet: Sheet) -> Sheet:
    return replace(
        sheet,
        players=sheet.players[::-1],
        turns=tuple(replace(turn, player=3 - turn.player) for turn in sheet.turns),
        first=3 - sheet.first,
        racks=None if sheet.racks is None else sheet.racks[::-1],
        rack_values=None if sheet.rack_values is None else sheet.rack_values[::-1],
        flag=None if sheet.flag is None else 3 - sheet.flag,
        overtime_seconds=sheet.overtime_seconds[::-1],
        sanctions=tuple(replace(item, player=3 - item.player) for item in sheet.sanctions),
        forfeit=3 - sheet.forfeit if isinstance(sheet.forfeit, int) else sheet.forfeit,
        finals=sheet.finals[::-1],
    )


def _normalise_spacing_and_case(value: object) -> object:
    return "".join(value.split()).casefold() if isinstance(value, str) else value


def compute_paper_form_row_numbers(turns: Iterable[tuple[int, bool]]) -> tuple[int, ...]:
    """Return, for each line of a sheet, its row (from 1) on a paper form.

    `turns` contains the player of each line, and whether the line is a turn. A challenge is no turn: it is in the
    row of the player's previous turn.
    """
    counts: dict[int, int] = {}
    rows = []
    for player, is_turn in turns:
        counts[player] = counts.get(player, 0) + is_turn
        rows.append(max(1, counts[player]))
    return tuple(rows)
