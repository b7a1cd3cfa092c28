"""Result slips, and the codes with which players enter results themselves.

A code is for one player and one game. The program computes the codes from a secret that only the director's
computer knows. If the director makes new codes, old codes become invalid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b

from msgspec import Struct

from tdapp.domain import score_breakdown
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Game,
    GameId,
    GameSide,
    PlayerId,
    Result,
    ResultFromPlayer,
    ResultState,
    Seat,
    SeatId,
)
from tdapp.domain.ruleset import MAX_TABLE_SIZE, USUAL_TABLE_SIZE, OvertimeKind, RuleSet
from tdapp.domain.score_breakdown import ScoreBreakdown
from tdapp.domain.tournament import Tournament
from tdapp.scrabble.board import RACK_SIZE
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import TileSet

_MAX_OVERTIME = 24 * 3600


class ResultSlip(Struct, frozen=True):
    """The content of a result slip in addition to the points."""

    overtime: tuple[int, int] = (0, 0)  # in seconds
    racks: tuple[str | None, str | None] = (None, None)  # remaining tiles: "" for none, None if not stated
    flag: GameSide | None = None  # the player whose time ran out


def make_slip_result(
    rules: RuleSet, game: Game, slip: ResultSlip, *, points: tuple[int, int], tileset: TileSet | None
) -> Result:
    """Return the result of a slip. `points` are the points of the turns, before overtime and sanctions.

    If a player is beyond the overtime limit, remaining tiles change no score.
    """
    if any(slip.overtime) or slip.flag is not None:
        _refuse_invalid_overtime_or_flag(rules, game, slip)
    racks = (0, 0)
    if slip.racks != (None, None):
        racks = _compute_rack_points(rules, game, slip, tileset)
    accounts = (ScoreBreakdown(turns=points[0], racks=racks[0]), ScoreBreakdown(turns=points[1], racks=racks[1]))
    return Result(
        game.id,
        ResultState.ENTERED,
        accounts[0].total,
        accounts[1].total,
        flag=slip.flag,
        overtime=slip.overtime if any(slip.overtime) else None,
        accounts=accounts,
    )


def _refuse_invalid_overtime_or_flag(rules: RuleSet, game: Game, slip: ResultSlip) -> None:
    if any(not 0 <= seconds <= _MAX_OVERTIME for seconds in slip.overtime):
        raise CommandError("overtime-seconds", table=game.table, highest=_MAX_OVERTIME)
    if any(slip.overtime) and rules.overtime.kind is not OvertimeKind.MINUTES:
        raise CommandError("overtime-not-counted", table=game.table)
    if slip.flag is not None and rules.overtime.kind is not OvertimeKind.FLAG:
        raise CommandError("flag-not-counted", table=game.table)
    if (
        slip.flag is GameSide.BOTH
        or len(score_breakdown.list_players_beyond_overtime_limit(rules.overtime, slip.overtime)) > 1
    ):
        raise CommandError("one-out-of-time", table=game.table)


def _compute_rack_points(rules: RuleSet, game: Game, slip: ResultSlip, tileset: TileSet | None) -> tuple[int, int]:
    if tileset is None:
        raise ValueError("racks need a tile set")
    tiles = [_parse_rack(game, tileset, rack or "") for rack in slip.racks]
    empty_racks = [index for index, rack in enumerate(tiles) if not rack]
    if len(empty_racks) > 1:
        raise CommandError("both-out", table=game.table)
    if score_breakdown.list_players_beyond_overtime_limit(rules.overtime, slip.overtime):
        return (0, 0)
    finisher = empty_racks[0] if empty_racks and slip.flag is None else None
    first, second = score_breakdown.compute_rack_adjustments(
        rules.racks.out, [tileset.sum_tile_values(rack) for rack in tiles], finisher=finisher
    )
    return first, second


def _parse_rack(game: Game, tileset: TileSet, rack: str) -> tuple[str, ...]:
    try:
        tiles = tileset.parse_tile_text("".join(rack.split()))
    except ScrabbleError as error:
        raise CommandError("slip-rack-unreadable", table=game.table, rack=rack, tileset=tileset.id) from error
    if len(tiles) > RACK_SIZE:
        raise CommandError("slip-rack-too-long", table=game.table, rack=rack, most=RACK_SIZE)
    return tiles


CODE_CHARACTERS = "23456789BCDFGHJKMNPQRSTVWXYZ"  # hard to confuse, and without vowels
CODE_LENGTH = 8


def make_game_code(slip_code_secret: str, game: GameId | SeatId, player: PlayerId) -> str:
    return _make_code_from_key_and_text(slip_code_secret, f"{game}\n{player}")


def _make_code_from_key_and_text(key: str, text: str) -> str:
    digest = blake2b(text.encode(), key=key.encode()[:64], digest_size=16).digest()
    number = int.from_bytes(digest)
    characters = []
    for _ in range(CODE_LENGTH):
        number, position = divmod(number, len(CODE_CHARACTERS))
        characters.append(CODE_CHARACTERS[position])
    return "".join(characters)


def find_slip_code_secret(tournament: Tournament) -> str:
    """Return the key from which all codes are computed.

    It is "" on a computer that does not know the tournament's secret, or before the first series of codes.
    """
    series, secret = tournament.event.slip_key, tournament.secret
    return secret + series if secret and series else ""


def make_player_code(tournament: Tournament, player: PlayerId) -> str:
    return _make_code_from_key_and_text(tournament.secret, f"own\n{player}") if tournament.secret else ""


def map_player_codes_to_players(tournament: Tournament) -> Mapping[str, PlayerId]:
    return (
        {make_player_code(tournament, player): player for player in tournament.players}
        if tournament.secret
        else {}
    )


def map_phone_codes_to_players(tournament: Tournament) -> Mapping[str, PlayerId]:
    """Return the player for each phone code. A phone stores the code of its player after the first slip."""
    key = find_slip_code_secret(tournament)
    return (
        {_make_code_from_key_and_text(key, f"phone\n{player}"): player for player in tournament.players}
        if key
        else {}
    )


def make_tablet_code(tournament: Tournament) -> str:
    return _make_code_from_key_and_text(tournament.secret, "tablet") if tournament.secret else ""


def format_code_with_hyphen(code: str) -> str:
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def normalise_typed_code(text: str) -> str:
    return "".join(character for character in text.upper() if character in CODE_CHARACTERS)


def map_slip_codes_to_games_and_players(index: TournamentIndex) -> Mapping[str, tuple[GameId | SeatId, PlayerId]]:
    """Map each code that a player can enter to the game (or seat at a group table) and the player.

    The map is empty if players may not enter results.
    """
    key = find_slip_code_secret(index.tournament)
    if not index.tournament.event.players_enter or not key:
        return {}
    rounds = [item.id for division in index.divisions for item in index.list_published_rounds(division.id)]
    codes: list[tuple[GameId | SeatId, PlayerId]] = []
    for item in rounds:
        codes += [(game.id, player) for game in index.games(item) for player in (game.first, game.second)]
        tables = filter(can_players_enter_group_points, index.list_seats_by_table(item))
        codes += [(seat.id, seat.player) for seats in tables for seat in seats]
    return {make_game_code(key, row_id, player): (row_id, player) for row_id, player in codes}


def can_players_enter_group_points(seats: Sequence[Seat]) -> bool:
    """Return whether a table has three or four players, so that they can enter its result."""
    return USUAL_TABLE_SIZE < len(seats) <= MAX_TABLE_SIZE


class DoubtAboutAgreedResult(StrEnum):
    """A reason why the director must confirm a result that both players entered."""

    ONE_DEVICE = "slips-one-device"  # both came from the same phone
    WIDE_MARGIN = "slips-wide-margin"


class SlipEntryPair(Struct, frozen=True):
    """The entries of both players of a game."""

    first: ResultFromPlayer
    second: ResultFromPlayer

    @property
    def is_starter_consistent(self) -> bool:
        return None in {self.first.started, self.second.started} or self.first.started != self.second.started

    @property
    def has_equal_entries(self) -> bool:
        return (self.first.own, self.first.other) == (
            self.second.other,
            self.second.own,
        ) and self.is_starter_consistent

    def find_doubt_about_agreed_result(self, rules: RuleSet) -> DoubtAboutAgreedResult | None:
        if self.first.device and self.first.device == self.second.device:
            return DoubtAboutAgreedResult.ONE_DEVICE
        return (
            DoubtAboutAgreedResult.WIDE_MARGIN
            if rules.scores.is_wide_margin(self.first.own, self.first.other)
            else None
        )


def find_slips_of_both_players(index: TournamentIndex, game: Game) -> SlipEntryPair | None:
    slips = {slip.player: slip for slip in index.slips(game.id)}
    if game.first not in slips or game.second not in slips:
        return None
    return SlipEntryPair(slips[game.first], slips[game.second])


def find_agreed_group_points(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return the points of a group table that at least two of its players entered, otherwise ()."""
    counts = Counter(seat.sent for seat in seats if seat.sent)
    return next((points for points, count in counts.most_common(1) if count >= _MIN_EQUAL_ENTRIES), ())


def find_doubt_about_group_points(
    rules: RuleSet, seats: Sequence[Seat], points: Sequence[int]
) -> DoubtAboutAgreedResult | None:
    """Return why the director must confirm the agreed `points` of three or four players, or None."""
    devices = {seat.device or seat.id for seat in seats if seat.sent == points}
    if len(devices) == 1:
        return DoubtAboutAgreedResult.ONE_DEVICE
    return DoubtAboutAgreedResult.WIDE_MARGIN if rules.scores.is_wide_margin(max(points), min(points)) else None


_MIN_EQUAL_ENTRIES = 2
