"""Numbers that commands take: the lowest and the highest of each are taken, what lies beyond them is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import PlayerId, PrizeId, PrizeKind, StageId
from tdapp.domain.pairing_settings import PairingSettings, PrizePairingSettings
from tdapp.domain.ruleset import AwardBy
from tdapp.domain.tournament import Tournament, find_row_faults
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, event, game_at, last_round, paired

TILES = read_tilesets(RESOURCES / "tilesets")["nl"]
ONE, STAGE = PlayerId("p1"), StageId("s")
PLAYS = parse_sheet(
    {"players": ["", ""], "turns": [{"player": 1, "kind": "play", "word": "TAART", "score": 20}], "ended": "open"}
)
MOMENT = "2026-11-21T10:00:00+00:00"


@cache
def begun() -> Tournament:
    """Return an event whose first round is open and in which a prize is to be won."""
    value = paired(event(5), results=False)
    value = commands.enter_sheet(value, game=game_at(value, 1).id, sheet=PLAYS, tileset=TILES)
    return commands.add_prize(value, key="prize", division=DIVISION, kind=PrizeKind.RANK)


def stage(**chosen: Any) -> Tournament:
    return commands.edit_stage(event(5), stage=STAGE, **chosen)


def paired_by(**chosen: Any) -> Tournament:
    return stage(settings=PairingSettings(**chosen))


def contended(field: str, number: int) -> Tournament:
    alone = isinstance(getattr(PrizePairingSettings(), field), int)
    changed = replace(PrizePairingSettings(), **{field: number if alone else (number,)})
    return paired_by(contention=changed)


def on_turn(**told: Any) -> Tournament:
    given = {"turn": 1, "phony": True, "author": "", "why": "", "tileset": TILES, **told}
    return commands.rule_on_turn(begun(), game=game_at(begun(), 1).id, **given)


def on_word(**told: Any) -> Tournament:
    value = paired(event(5))
    game = game_at(value, 1)
    given = {"key": "w", "player": game.first, "word": "TAART", "score": 20, "tileset": TILES, **told}
    return commands.rule_on_word(value, game=game.id, **given)


def form(number: int) -> Tournament:
    return commands.enter_sheet(begun(), game=game_at(begun(), 1).id, sheet=PLAYS, tileset=TILES, form=number)


def award(by: AwardBy, points: int) -> Tournament:
    item = last_round(begun())
    bye = Index(begun()).byes(item.id)[0]
    return commands.set_award(begun(), player=bye.player, round=item.id, by=by, points=points)


def fined(**told: Any) -> Tournament:
    return commands.add_sanction(
        begun(), key="f", player=ONE, why="Late", **{"kind": SanctionKind.WARNING, **told}
    )


def challenged(words: int) -> Tournament:
    told: dict[str, Any] = {"at": MOMENT, "verdict": WordVerdict.VALID, "edition": "x", "words": ("AA",) * words}
    return commands.record_challenge(begun(), key="c", division=DIVISION, **told)


def noted(**told: Any) -> Tournament:
    given = {"kind": IncidentKind.OTHER, "at": MOMENT, "division": DIVISION, **told}
    return commands.note_incident(begun(), key="n", **given)


def prize(**told: Any) -> Tournament:
    return commands.add_prize(begun(), key="n", division=DIVISION, **{"kind": PrizeKind.RANK, **told})


def prize_at(position: int) -> Tournament:
    return commands.move_prize(begun(), prize=PrizeId("prize"), position=position)


def entrant(**told: Any) -> Tournament:
    return commands.add_player(event(0), key="n", division=DIVISION, name="N", **told)


def scores(**told: Any) -> Tournament:
    game = game_at(begun(), 2).id
    return commands.enter_result(begun(), game=game, **{"first": 0, "second": 0, "confirmed": True, **told})


def table(number: int) -> Tournament:
    value = commands.propose_round(event(5), key="k", proposal=propose_pairings(Index(event(5)), DIVISION))
    return commands.set_table(value, game=game_at(value, 1).id, table=number)


def named(make: Callable[..., Tournament], *names: str) -> dict[str, Callable[[int], Tournament]]:
    """Return for each name what makes a tournament with that one number given."""
    return {name: partial(_with, make, name) for name in names}


def _with(make: Callable[..., Tournament], name: str, number: int) -> Tournament:
    return make(**{name: number})


LIMITS: list[tuple[int, int, dict[str, Callable[[int], Tournament]]]] = [
    (0, 100_000, named(paired_by, "avoid_until", "repeats_from", "max_repeats")),
    (1, 200, named(paired_by, "factor") | named(stage, "rounds")),
    (0, 200, named(paired_by, "level_rounds", "behind")),
    (1, 15, named(paired_by, "series")),
    (1, 100, named(paired_by, "groups")),
    (2, 100_000, named(stage, "cut")),
    (1, 2_000, {"gibson_spread": partial(contended, "gibson_spread")}),
    (1, 1_000, {name: partial(contended, name) for name in ("hopefulness", "control_loss")}),
    (0, 200, {"control_rounds": partial(contended, "control_rounds")}),
    (1_000, 1_000_000, {name: partial(contended, name) for name in ("simulations", "control_simulations")}),
    (1, 4, {"rounds": lambda number: commands.split_stage(event(5), key="n", stage=STAGE, rounds=number)}),
    (1, 1, {"position": lambda number: commands.move_stage(event(5), stage=STAGE, position=number)}),
    (1, 8, named(on_turn, "wrong_words") | named(on_word, "wrong_words")),
    (0, 9_999, named(on_word, "score")),
    (1, 2, {"form": form}),
    (0, 1_000, {"points": partial(award, AwardBy.FIXED)}),
    (0, 0, {"points": partial(award, AwardBy.OWN)}),
    (1, 1, named(fined, "round_number")),
    (1, 8, {"words": challenged}),
    (1, 100_000, named(noted, "round_number", "table") | {"table of a draft": table}),
    (0, 36_000, named(noted, "seconds")),
    (1, 10_000, named(prize, "place") | {"position": prize_at}),
    (0, 1_000_000_000, named(prize, "amount")),
    (1, 200, named(prize, "games")),
    (0, 10_000, named(entrant, "rating")),
    (1, 100_000, named(entrant, "fixed_table", "number")),
    (0, 100_000, named(entrant, "rated_games")),
    (-999, 9_999, named(scores, "first", "second")),
]
EACH = [
    pytest.param(low, high, make, id=f"{name}-{high}") for low, high, made in LIMITS for name, make in made.items()
]


@pytest.mark.parametrize(("low", "high", "make"), EACH)
def test_command_limits_of_each_number(low: int, high: int, make: Callable[[int], Tournament]) -> None:
    for taken in (low, high):
        assert find_row_faults(make(taken)) == ()
    for refused in (low - 1, high + 1):
        with pytest.raises(RuleViolation, match="number-out-of-range") as caught:
            make(refused)
        assert (caught.value.facts["low"], caught.value.facts["high"]) == (low, high)


def test_add_sanction_limits_points_to_those_of_a_game() -> None:
    assert find_row_faults(fined(kind=SanctionKind.MARGIN, points=9_999)) == ()
    for points in (-1, 10_000):
        with pytest.raises(RuleViolation, match="number-out-of-range"):
            fined(kind=SanctionKind.MARGIN, points=points)
