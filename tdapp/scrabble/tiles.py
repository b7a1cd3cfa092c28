"""Tile sets (presets in `resources/tilesets`), conversion of text to tiles, and the draw to decide who starts."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.reading import FieldProblem, FieldReader, UnreadableDocumentError

BLANK = "?"
_MAX_COUNT, _MAX_VALUE, _MAX_CHARACTERS = 99, 99, 4


class Letter(Struct, frozen=True):
    """A letter of a tile set."""

    text: str
    count: int  # 0: only a blank can be this letter
    value: int


class OverusedTile(NamedTuple):
    """A tile used more often than the set contains it."""

    tile: str  # `?` is a blank
    used: int
    available: int


class TileSetError(UnreadableDocumentError):
    """Raised for an invalid description of a tile set."""


class TileSet(Struct, frozen=True, dict=True):
    """The tiles of one edition of the game."""

    id: str
    name: str
    language: str
    letters: tuple[Letter, ...]
    blanks: int = 2
    lettered_rows: bool = False  # players name rows by letters

    @cached_property
    def _values_by_tile(self) -> Mapping[str, int]:
        values = {letter.text: letter.value for letter in self.letters}
        return values | dict.fromkeys([letter.text.lower() for letter in self.letters], 0) | {BLANK: 0}

    @cached_property
    def _longest_tile_length(self) -> int:
        return max(len(letter.text) for letter in self.letters)

    @property
    def tile_count(self) -> int:
        return self.blanks + sum(letter.count for letter in self.letters)

    @property
    def tile_counts(self) -> Counter[str]:
        return Counter({letter.text: letter.count for letter in self.letters} | {BLANK: self.blanks})

    def find_alphabet_position(self, tile: str) -> int:
        for position, letter in enumerate(self.letters):
            if letter.text == tile.upper():
                return position
        raise ScrabbleError("letter-unknown", tile)

    def sum_tile_values(self, tiles: Iterable[str]) -> int:
        return sum(map(self._values_by_tile.__getitem__, tiles))

    def parse_tile_text(self, text: str) -> tuple[str, ...]:
        """Return the tiles of a text: `a` is a blank played as A, `?` an unplayed blank, `[IJ]` one tile."""
        text = unicodedata.normalize("NFC", text)
        tiles: list[str] = []
        start = 0
        while start < len(text):
            tile, start = self.read_tile(text, start)
            tiles.append(tile)
        return tuple(tiles)

    def read_tile(self, text: str, start: int) -> tuple[str, int]:
        if (
            text[start] == "["
            and (end := text.find("]", start)) > 0
            and text[start + 1 : end] in self._values_by_tile
        ):
            return text[start + 1 : end], end + 1
        for length in range(self._longest_tile_length, 0, -1):
            tile = text[start : start + length]
            if len(tile) == length and tile in self._values_by_tile:
                return tile, start + length
        raise ScrabbleError("letter-unknown", text[start])

    def format_tiles(self, tiles: Sequence[str]) -> str:
        text = "".join(tiles)
        if self._longest_tile_length == 1 or self.parse_tile_text(text) == tuple(tiles):
            return text
        return "".join(f"[{tile}]" for tile in tiles)

    def find_overused_tiles(self, tiles: Iterable[str]) -> tuple[OverusedTile, ...]:
        counts = Counter(tiles)  # called at every key: look up each kind of tile only once
        used = Counter[str]()
        for tile, times in counts.items():
            used[replace_lower_case_tile_with_blank(tile)] += times
        available = self.tile_counts.items()
        return tuple(OverusedTile(tile, used[tile], count) for tile, count in available if used[tile] > count)

    def list_remaining_tiles(self, tiles: Iterable[str]) -> tuple[str, ...]:
        remaining = self.tile_counts
        remaining.subtract(replace_lower_case_tile_with_blank(tile) for tile in tiles)
        return tuple(remaining.elements())


def replace_lower_case_tile_with_blank(tile: str) -> str:
    """Return a tile as it was in the bag: `?` for a played blank."""
    return BLANK if tile.islower() else tile


def parse_tileset(document: Mapping[str, object]) -> TileSet:
    """Return the tile set that a document describes. Raises TileSetError with all problems.

    Keys: `id`, `name`, `language`, `blanks` (default 2), `lettered_rows` (default false), and `letters`, a
    table from letter to [count, value] in alphabetical order.
    """
    problems: list[FieldProblem] = []
    fields = FieldReader(document, "", problems)
    fields.report_missing_keys("id", "name", "language", "letters")
    texts = {key: fields.read_text(key) or "" for key in ("id", "name", "language")}
    blanks = fields.read_integer("blanks", 0, _MAX_COUNT)
    has_lettered_rows = fields.read_flag("lettered_rows")
    letters = [_read_letter(fields, key, value) for key, value in fields.read_mapping("letters").items()]
    if fields.has_value("letters") and not any(letter and letter.count for letter in letters):
        fields.add_problem("letters", "no tile at all")
    fields.report_unread_keys()
    if problems:
        raise TileSetError(problems)
    return TileSet(
        **texts,
        letters=tuple(filter(None, letters)),
        blanks=2 if blanks is None else blanks,
        lettered_rows=has_lettered_rows,
    )


def _read_letter(fields: FieldReader, key: str, value: object) -> Letter | None:
    path = f"letters.{key}"
    if not (key.isalpha() and key == key.upper() != key.lower() and len(key) <= _MAX_CHARACTERS):
        fields.add_problem(path, f"expected one to {_MAX_CHARACTERS} capital letters")
        return None
    if unicodedata.normalize("NFC", key) != key or key.lower().upper() != key:
        fields.add_problem(path, "expected a letter with one spelling in capitals and one in small letters")
        return None
    numbers = value if isinstance(value, (list, tuple)) else ()
    if [type(item) for item in numbers] != [int, int]:
        fields.add_problem(path, f"expected [count, value], found {value!r}")
        return None
    count, points = numbers
    if not (0 <= count <= _MAX_COUNT and 0 <= points <= _MAX_VALUE):
        fields.add_problem(path, f"count and value go from 0 to {_MAX_COUNT}, found {value!r}")
        return None
    return Letter(key, count, points)


class StartingDrawBlankRule(StrEnum):
    """The meaning of a blank in the tile draw that decides who starts."""

    FIRST = "first"  # it comes before A (no-turneringsreglement 2.1, de-spielregeln 3)
    REDRAWN = "redrawn"  # it does not count: draw again (nl-reglement II.4)


class StartingDrawOutcome(NamedTuple):
    """The result of drawing tiles to decide who starts."""

    starter: int | None  # None if some must draw again
    redrawing_players: tuple[int, ...]  # the players who must draw again


def compute_starting_draw_outcome(
    draws: Sequence[Mapping[int, str]],
    tileset: TileSet,
    *,
    blank: StartingDrawBlankRule,
    all_draw_again: bool,
    returns_tiles: bool,
) -> StartingDrawOutcome:
    """Return the result of drawing tiles, once or more often, to decide who starts.

    Each item of `draws` maps player numbers to the drawn tiles. After a tie, all players draw again if
    `all_draw_again`, otherwise only the tied players. If `returns_tiles`, the drawn tiles go back into the bag
    before the next draw.
    """
    if not draws or len(draws[0]) < 2:  # noqa: PLR2004
        raise ScrabbleError("draw-missing")
    _refuse_impossible_tile_draws(draws, tileset, returns_tiles=returns_tiles)
    outcome = StartingDrawOutcome(None, tuple(sorted(draws[0])))
    for draw in draws:
        if outcome.starter is not None:
            raise ScrabbleError("draw-superfluous")
        if tuple(sorted(draw)) != outcome.redrawing_players:
            raise ScrabbleError("draw-players", ", ".join(map(str, outcome.redrawing_players)))
        outcome = _judge_drawn_tiles(draw, tileset, blank=blank, all_draw_again=all_draw_again)
    return outcome


def _judge_drawn_tiles(
    draw: Mapping[int, str], tileset: TileSet, *, blank: StartingDrawBlankRule, all_draw_again: bool
) -> StartingDrawOutcome:
    players = tuple(sorted(draw))
    if blank is StartingDrawBlankRule.REDRAWN and BLANK in draw.values():
        return StartingDrawOutcome(None, players)
    alphabet = (BLANK, *(letter.text for letter in tileset.letters))
    alphabet_positions = {player: alphabet.index(tile.upper()) for player, tile in draw.items()}
    first_position = min(alphabet_positions.values())
    first_players = tuple(player for player in players if alphabet_positions[player] == first_position)
    if len(first_players) == 1:
        return StartingDrawOutcome(first_players[0], ())
    return StartingDrawOutcome(None, players if all_draw_again else first_players)


def _refuse_impossible_tile_draws(
    draws: Sequence[Mapping[int, str]], tileset: TileSet, *, returns_tiles: bool
) -> None:
    drawn_tiles: list[str] = []
    for draw in draws:
        tiles = list(draw.values())
        for tile in tiles:
            if tile != BLANK:
                tileset.find_alphabet_position(tile)
        drawn_tiles = tiles if returns_tiles else drawn_tiles + tiles
        if overused_tiles := tileset.find_overused_tiles([tile.upper() for tile in drawn_tiles]):
            raise ScrabbleError("tile-over-used", overused_tiles[0].tile)
