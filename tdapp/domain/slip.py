"""What a slip says besides points, the clocks and the racks at the end, reckoned by a rule set."""

from __future__ import annotations

from dataclasses import dataclass

from tdapp.domain import account
from tdapp.domain.account import Breakdown
from tdapp.domain.errors import RuleViolation
from tdapp.domain.model import Forfeit, Game, Result, ResultState
from tdapp.domain.ruleset import OvertimeKind, RuleSet
from tdapp.scrabble.board import RACK_SIZE
from tdapp.scrabble.issue import ScrabbleError
from tdapp.scrabble.tiles import TileSet

_LONGEST = 24 * 3600


@dataclass(frozen=True, slots=True)
class Slip:
    """Seconds beyond the clocks, tiles left (empty: is out; None: nothing said), whose clock ran out."""

    overtime: tuple[int, int] = (0, 0)
    racks: tuple[str | None, str | None] = (None, None)
    flag: Forfeit | None = None


def slip_result(
    rules: RuleSet, game: Game, slip: Slip, *, points: tuple[int, int], tileset: TileSet | None
) -> Result:
    """Return the result of a slip with the points of the turns, before overtime and sanctions are settled.

    The racks are not asked when a player is beyond the limit of overtime. Raises RuleViolation for a clock that
    the rules do not have, or that has beaten both, and for racks that cannot be.
    """
    _check_clocks(rules, game, slip)
    racks = (0, 0)
    if slip.racks != (None, None):
        racks = _racks(rules, game, slip, tileset)
    accounts = (Breakdown(turns=points[0], racks=racks[0]), Breakdown(turns=points[1], racks=racks[1]))
    return Result(
        game.id,
        ResultState.ENTERED,
        accounts[0].total,
        accounts[1].total,
        flag=slip.flag,
        overtime=slip.overtime if any(slip.overtime) else None,
        accounts=accounts,
    )


def _check_clocks(rules: RuleSet, game: Game, slip: Slip) -> None:
    if any(not 0 <= seconds <= _LONGEST for seconds in slip.overtime):
        raise RuleViolation("overtime-seconds", table=game.table, highest=_LONGEST)
    if any(slip.overtime) and rules.overtime.kind is not OvertimeKind.MINUTES:
        raise RuleViolation("overtime-not-counted", table=game.table)
    if slip.flag is not None and rules.overtime.kind is not OvertimeKind.FLAG:
        raise RuleViolation("flag-not-counted", table=game.table)
    if slip.flag is Forfeit.BOTH or len(account.beyond(rules.overtime, slip.overtime)) > 1:
        raise RuleViolation("one-out-of-time", table=game.table)


def _racks(rules: RuleSet, game: Game, slip: Slip, tileset: TileSet | None) -> tuple[int, int]:
    if tileset is None:
        raise ValueError("racks need a tile set")
    tiles = [_tiles(game, tileset, rack or "") for rack in slip.racks]
    empty = [place for place, rack in enumerate(tiles) if not rack]
    if len(empty) > 1:
        raise RuleViolation("both-out", table=game.table)
    if account.beyond(rules.overtime, slip.overtime):
        return (0, 0)
    out = empty[0] if empty and slip.flag is None else None
    first, second = account.racks(rules.racks.out, [tileset.value(rack) for rack in tiles], out=out)
    return first, second


def _tiles(game: Game, tileset: TileSet, rack: str) -> tuple[str, ...]:
    try:
        tiles = tileset.read("".join(rack.split()))
    except ScrabbleError as error:
        raise RuleViolation("slip-rack-unreadable", table=game.table, rack=rack, tileset=tileset.id) from error
    if len(tiles) > RACK_SIZE:
        raise RuleViolation("slip-rack-too-long", table=game.table, rack=rack, most=RACK_SIZE)
    return tiles
