"""A score sheet while a user types it, when lines may be wrong, and the storage of unfinished sheets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, field
from msgspec.structs import replace

from tdapp.domain.model import GameId
from tdapp.domain.round_clock import format_clock
from tdapp.domain.serialization import InvalidDocumentError, convert_to_builtins, make_decoder
from tdapp.scrabble import turn_line
from tdapp.scrabble.coordinates import SquareNotation
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.sheet import (
    GameEnding,
    Sheet,
    SheetSanction,
    Turn,
    TurnOnOpponentSheet,
    compute_paper_form_row_numbers,
)
from tdapp.scrabble.tiles import TileSet

_CLOCK = re.compile(r"([0-9]{1,3})[:.]([0-5][0-9])")
_MAX_RACK_VALUE = 999
DraftKey = tuple[GameId, int]  # a game and its form number, 1 or 2


class SheetDraftLine(Struct, frozen=True):
    """A line of the score sheet, as typed."""

    player: int
    text: str
    turn: Turn | None = None  # None if the text is wrong
    error: tuple[str, str] = ("", "")  # code and detail


class SheetEnd(Struct, frozen=True):
    """The typed game end, racks and overtime of a score sheet."""

    ended: GameEnding | None = None
    whose: str = ""  # the player ("1", "2" or "both") whose time ran out or who forfeited
    racks: tuple[str, str] = ("", "")
    overtime: tuple[str, str] = ("", "")


class SheetDraftError(Exception):
    """A draft cannot become a sheet, because of the line `line_index` (from 0) or the field `field_name`."""

    def __init__(self, code: str, *, line_index: int | None = None, field_name: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.line_index = line_index
        self.field_name = field_name


class SheetDraft(Struct, frozen=True):
    """The draft of a score sheet of two players. The first player starts."""

    players: tuple[str, str]
    entries: tuple[SheetDraftLine, ...] = ()
    end: SheetEnd = field(default_factory=SheetEnd)
    convention: SquareNotation = SquareNotation.NUMBERED_ROWS  # notation of squares
    sanctions: tuple[SheetSanction, ...] = ()  # this and the following fields come from an imported file
    other_form: tuple[TurnOnOpponentSheet, ...] = ()
    knockout: bool = False
    tileset: str | None = None
    finals: tuple[int | None, ...] = ()

    @property
    def has_no_input(self) -> bool:
        return not self.entries and self.end == SheetEnd()

    # --- turns

    def find_player_on_turn(self, index: int | None = None) -> int:
        """Return the player (1 or 2) whose turn is at the line `index` (None: after the last line)."""
        for entry in reversed(self.entries[:index]):
            if entry.turn is None or entry.turn.kind.is_real_turn:
                return 3 - entry.player
        return 1

    def list_paper_form_row_numbers_and_next(self, new_line_player: int = 1) -> tuple[int, ...]:
        """Return the row number on the paper form for each line, then for a new line by `new_line_player`."""
        turns = [(entry.player, entry.turn is None or entry.turn.kind.is_real_turn) for entry in self.entries]
        return compute_paper_form_row_numbers([*turns, (new_line_player, True)])

    def replace_line_text(self, index: int, text: str, new_line_player: int) -> SheetDraft:
        """Set the text of a line. After the last line, a non-empty text adds a turn of `new_line_player`."""
        if index < len(self.entries):
            old = self.entries[index]
            if old.text == text:
                return self
            if not text.strip() and index == len(self.entries) - 1:
                return replace(self, entries=self.entries[:index])
            return self._replace_line(index, self.parse_line(old.player, text))
        if not text.strip():
            return self
        return replace(self, entries=(*self.entries, self.parse_line(new_line_player, text)))

    def normalise_line(self, index: int) -> SheetDraft:
        if index >= len(self.entries) or (turn := self.entries[index].turn) is None:
            return self
        return self._replace_line(
            index, replace(self.entries[index], text=turn_line.format_turn_line(turn, self.convention))
        )

    def insert_line(self, index: int) -> SheetDraft:
        """Insert a line. If needed, swap the players of later lines, so that turns alternate."""
        player = self.find_player_on_turn(index)
        new = self.parse_line(player, "")
        later_lines = _give_first_turn_to_player(self.entries[index:], 3 - player)
        other_form = tuple(_shift_turn_number_if_later(item, index, 1) for item in self.other_form)
        return replace(self, entries=(*self.entries[:index], new, *later_lines), other_form=other_form)

    def remove_line(self, index: int) -> SheetDraft:
        """Remove a line. If needed, swap the players of later lines, so that turns alternate."""
        later_lines = _give_first_turn_to_player(self.entries[index + 1 :], self.find_player_on_turn(index))
        other_form = tuple(
            _shift_turn_number_if_later(item, index, -1) for item in self.other_form if item.turn != index + 1
        )
        return replace(self, entries=(*self.entries[:index], *later_lines), other_form=other_form)

    def give_line_to_other_player(self, index: int) -> SheetDraft:
        return self._replace_line(index, _give_line_to_other_player(self.entries[index]))

    def rename_players(self, names: Mapping[str, str]) -> SheetDraft:
        first, second = (names.get(name, name) for name in self.players)
        sanctions = tuple(replace(item, why=_replace_names_in_text(item.why, names)) for item in self.sanctions)
        return replace(self, players=(first, second), sanctions=sanctions)

    def swap_names(self) -> SheetDraft:
        return replace(self, players=(self.players[1], self.players[0]))

    def parse_line(self, player: int, text: str) -> SheetDraftLine:
        try:
            return SheetDraftLine(
                player, text, turn_line.parse_turn_line(text, player=player, convention=self.convention)
            )
        except ScrabbleError as error:
            return SheetDraftLine(player, text, error=(error.code, error.detail))

    def convert_to_square_notation(self, notation: SquareNotation) -> SheetDraft:
        """Write the squares in another notation. Wrong lines do not change."""
        entries = tuple(
            replace(entry, text=turn_line.format_turn_line(entry.turn, notation)) if entry.turn else entry
            for entry in self.entries
        )
        return replace(self, entries=entries, convention=notation)

    def _replace_line(self, index: int, entry: SheetDraftLine) -> SheetDraft:
        return replace(self, entries=(*self.entries[:index], entry, *self.entries[index + 1 :]))

    # --- the sheet

    def make_sheet_of_valid_lines(self, tileset: TileSet) -> tuple[Sheet, tuple[int, ...]]:
        """Return a sheet of the valid lines, and their indexes."""
        indexes = tuple(index for index, entry in enumerate(self.entries) if entry.turn is not None)
        sheet = self._make_sheet_without_end()
        try:
            return self._set_game_end(sheet, tileset), indexes
        except SheetDraftError:
            return sheet, indexes

    def make_sheet(self, tileset: TileSet) -> Sheet:
        """Return the sheet. Raises SheetDraftError for the first problem.

        Codes of line problems: "turn" (a wrong line), "nothing" (no lines). Codes of field problems: "end" (no
        game end), "whose" (no player chosen for the forfeit or loss on time), "rack", "overtime",
        "turns-forfeited" (the game end is a forfeit, but the draft has turns).
        """
        for index, entry in enumerate(self.entries):
            if entry.turn is None:
                raise SheetDraftError("turn", line_index=index)
        if self.end.ended is None:
            raise SheetDraftError("end", field_name="ended")
        if not self.entries and self.end.ended is not GameEnding.FORFEIT:
            raise SheetDraftError("nothing", line_index=0)
        if self.entries and self.end.ended is GameEnding.FORFEIT:
            raise SheetDraftError("turns-forfeited", field_name="ended")
        return self._set_game_end(self._make_sheet_without_end(), tileset)

    def _make_sheet_without_end(self) -> Sheet:
        return Sheet(
            players=self.players,
            turns=tuple(entry.turn for entry in self.entries if entry.turn is not None),
            tileset=self.tileset,
            knockout=self.knockout,
            other_form=self.other_form,
            sanctions=self.sanctions,
            finals=self.finals,
        )

    def _set_game_end(self, sheet: Sheet, tileset: TileSet) -> Sheet:
        end = self.end
        if end.ended in {GameEnding.FLAG, GameEnding.FORFEIT} and not end.whose:
            raise SheetDraftError("whose", field_name="whose")
        racks, values = _parse_racks_or_rack_values(end.racks, tileset)
        seconds = tuple(parse_overtime(text, f"overtime{number}") for number, text in enumerate(end.overtime, 1))
        return replace(
            sheet,
            racks=racks,
            rack_values=values,
            ended=end.ended,
            flag=int(end.whose) if end.ended is GameEnding.FLAG else None,
            overtime_seconds=seconds if any(seconds) else (),
            forfeit=None
            if end.ended is not GameEnding.FORFEIT
            else "both"
            if end.whose == "both"
            else int(end.whose),
        )


def make_sheet_draft(sheet: Sheet, players: tuple[str, str], convention: SquareNotation) -> SheetDraft:
    racks = ("", "")
    if sheet.racks is not None:
        racks = (sheet.racks[0], sheet.racks[1]) if any(sheet.racks) else ("0", "0")
    elif sheet.rack_values is not None:
        racks = (str(sheet.rack_values[0]), str(sheet.rack_values[1]))
    seconds = sheet.overtime_seconds or (0, 0)
    loser = sheet.flag if sheet.ended is GameEnding.FLAG else sheet.forfeit
    return SheetDraft(
        players=players,
        entries=tuple(
            SheetDraftLine(turn.player, turn_line.format_turn_line(turn, convention), turn) for turn in sheet.turns
        ),
        end=SheetEnd(
            ended=sheet.ended,
            whose="" if loser is None else str(loser),
            racks=racks,
            overtime=(_format_clock_time_or_empty(seconds[0]), _format_clock_time_or_empty(seconds[1])),
        ),
        convention=convention,
        sanctions=sheet.sanctions,
        other_form=sheet.other_form,
        knockout=sheet.knockout,
        tileset=sheet.tileset,
        finals=sheet.finals,
    )


def _format_clock_time_or_empty(seconds: int) -> str:
    return format_clock(seconds) if seconds else ""


def parse_overtime(text: str, field_name: str = "") -> int:
    """Convert `m:ss` to seconds. "" is 0. Raises SheetDraftError "overtime" for the field `field_name`."""
    text = text.strip()
    if text in {"", "0"}:
        return 0
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise SheetDraftError("overtime", field_name=field_name)
    return 60 * int(match[1]) + int(match[2])


def _parse_racks_or_rack_values(
    texts: tuple[str, str], tileset: TileSet
) -> tuple[tuple[str, str] | None, tuple[int, int] | None]:
    compact_texts = ["".join(text.split()) for text in texts]
    first, second = (text.upper() if text == text.lower() else text for text in compact_texts)
    if not first and not second:
        return None, None
    if not first.isdecimal() and not second.isdecimal():
        return (first, second), None
    return None, (_parse_rack_value(first, tileset, "rack1"), _parse_rack_value(second, tileset, "rack2"))


def _parse_rack_value(text: str, tileset: TileSet, field_name: str) -> int:
    try:
        value = int(text) if text.isdecimal() else tileset.sum_tile_values(tileset.parse_tile_text(text))
    except ScrabbleError as error:
        raise SheetDraftError("rack", field_name=field_name) from error
    if value > _MAX_RACK_VALUE:
        raise SheetDraftError("rack", field_name=field_name)
    return value


def _replace_names_in_text(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def _give_first_turn_to_player(entries: Sequence[SheetDraftLine], player: int) -> tuple[SheetDraftLine, ...]:
    if not entries or entries[0].player == player:
        return tuple(entries)
    return tuple(map(_give_line_to_other_player, entries))


def _give_line_to_other_player(entry: SheetDraftLine) -> SheetDraftLine:
    turn = replace(entry.turn, player=3 - entry.player) if entry.turn else None
    return replace(entry, player=3 - entry.player, turn=turn)


def _shift_turn_number_if_later(item: TurnOnOpponentSheet, index: int, shift: int) -> TurnOnOpponentSheet:
    return replace(item, turn=item.turn + shift) if item.turn > index else item


# --- as text


_decode_draft = make_decoder(tuple[DraftKey, SheetDraft])


def format_drafts_for_storage(drafts: Mapping[DraftKey, SheetDraft]) -> str:
    return json.dumps([convert_to_builtins(item) for item in drafts.items()])


def parse_stored_drafts(text: str) -> Iterator[tuple[DraftKey, SheetDraft]]:
    """Yield the stored drafts. Omit drafts of incompatible versions."""
    try:
        items = json.loads(text or "[]")
    except ValueError:
        return
    for item in items if isinstance(items, list) else ():
        with suppress(InvalidDocumentError):
            yield _decode_draft(item)
