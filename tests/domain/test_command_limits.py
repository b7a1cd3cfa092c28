"""Tests of number limits in commands: both limits are accepted, numbers beyond them are refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.jury_rows import IncidentKind
from tdapp.domain.model import PlayerId, PrizeId, PrizeKind, StageId
from tdapp.domain.pairing_settings import PairingSettings, PrizePairingSettings
from tdapp.domain.ruleset import UnplayedRoundPointsSource
from tdapp.domain.tournament import Tournament, find_inconsistent_rows
from tdapp.exchange.presets import read_tilesets
from tdapp.pairing import propose_pairings
from tdapp.scrabble.sheet import SanctionKind, parse_sheet
from tdapp.scrabble.wordlist import WordVerdict
from tests.building import DIVISION, RESOURCES, get_game_at, get_last_round, make_event, pair_rounds

TILES = read_tilesets(RESOURCES / "tilesets")["nl"]
PLAYER_ID, STAGE = PlayerId("p1"), StageId("s")
PLAYS = parse_sheet(
    {"players": ["", ""], "turns": [{"player": 1, "kind": "play", "word": "TAART", "score": 20}], "ended": "open"}
)
MOMENT = "2026-11-21T10:00:00+00:00"


@cache
def build_open_event() -> Tournament:
    """Return an event with an open first round, a sheet and a prize."""
    value = pair_rounds(make_event(5), results=False)
    value = commands.enter_sheet(value, game=get_game_at(value, 1).id, sheet=PLAYS, tileset=TILES)
    return commands.add_prize(value, key="prize", division=DIVISION, kind=PrizeKind.RANK)


def edit_stage(**fields: Any) -> Tournament:
    return commands.edit_stage(make_event(5), stage=STAGE, **fields)


def edit_settings(**fields: Any) -> Tournament:
    return edit_stage(settings=PairingSettings(**fields))


def edit_contention(field: str, number: int) -> Tournament:
    is_number = isinstance(getattr(PrizePairingSettings(), field), int)
    contention = replace(PrizePairingSettings(), **{field: number if is_number else (number,)})
    return edit_settings(contention=contention)


def rule_on_turn(**changes: Any) -> Tournament:
    arguments = {"turn": 1, "phony": True, "author": "", "why": "", "tileset": TILES, **changes}
    return commands.rule_on_turn(build_open_event(), game=get_game_at(build_open_event(), 1).id, **arguments)


def rule_on_word(**changes: Any) -> Tournament:
    value = pair_rounds(make_event(5))
    game = get_game_at(value, 1)
    arguments = {"key": "w", "player": game.first, "word": "TAART", "score": 20, "tileset": TILES, **changes}
    return commands.rule_on_word(value, game=game.id, **arguments)


def enter_form(number: int) -> Tournament:
    return commands.enter_sheet(
        build_open_event(), game=get_game_at(build_open_event(), 1).id, sheet=PLAYS, tileset=TILES, form=number
    )


def set_award(award_by: UnplayedRoundPointsSource, points: int) -> Tournament:
    item = get_last_round(build_open_event())
    bye = TournamentIndex(build_open_event()).byes(item.id)[0]
    return commands.set_award(build_open_event(), player=bye.player, round=item.id, by=award_by, points=points)


def fine_player(**changes: Any) -> Tournament:
    return commands.add_sanction(
        build_open_event(), key="f", player=PLAYER_ID, why="Late", **{"kind": SanctionKind.WARNING, **changes}
    )


def record_challenge(words: int) -> Tournament:
    arguments: dict[str, Any] = {
        "at": MOMENT,
        "verdict": WordVerdict.VALID,
        "edition": "x",
        "words": ("AA",) * words,
    }
    return commands.record_challenge(build_open_event(), key="c", division=DIVISION, **arguments)


def note_incident(**changes: Any) -> Tournament:
    arguments = {"kind": IncidentKind.OTHER, "at": MOMENT, "division": DIVISION, **changes}
    return commands.note_incident(build_open_event(), key="n", **arguments)


def add_prize(**changes: Any) -> Tournament:
    return commands.add_prize(
        build_open_event(), key="n", division=DIVISION, **{"kind": PrizeKind.RANK, **changes}
    )


def move_prize(position: int) -> Tournament:
    return commands.move_prize(build_open_event(), prize=PrizeId("prize"), position=position)


def add_player(**fields: Any) -> Tournament:
    return commands.add_player(make_event(0), key="n", division=DIVISION, name="N", **fields)


def enter_scores(**changes: Any) -> Tournament:
    game = get_game_at(build_open_event(), 2).id
    return commands.enter_result(
        build_open_event(), game=game, **{"first": 0, "second": 0, "confirmed": True, **changes}
    )


def set_table(number: int) -> Tournament:
    value = commands.propose_round(
        make_event(5), key="k", proposal=propose_pairings(TournamentIndex(make_event(5)), DIVISION)
    )
    return commands.set_table(value, game=get_game_at(value, 1).id, table=number)


def bind_names(make_tournament: Callable[..., Tournament], *names: str) -> dict[str, Callable[[int], Tournament]]:
    """Return a function for each argument name. It calls `make` with a number."""
    return {name: partial(call_with_number, make_tournament, name) for name in names}


def call_with_number(make_tournament: Callable[..., Tournament], name: str, number: int) -> Tournament:
    return make_tournament(**{name: number})


LIMITS: list[tuple[int, int, dict[str, Callable[[int], Tournament]]]] = [
    (0, 100_000, bind_names(edit_settings, "avoid_until", "repeats_from", "max_repeats")),
    (1, 200, bind_names(edit_settings, "factor") | bind_names(edit_stage, "rounds")),
    (0, 200, bind_names(edit_settings, "level_rounds", "behind")),
    (1, 15, bind_names(edit_settings, "series")),
    (1, 100, bind_names(edit_settings, "groups")),
    (2, 100_000, bind_names(edit_stage, "cut")),
    (1, 2_000, {"gibson_spread": partial(edit_contention, "gibson_spread")}),
    (1, 1_000, {name: partial(edit_contention, name) for name in ("hopefulness", "control_loss")}),
    (0, 200, {"control_rounds": partial(edit_contention, "control_rounds")}),
    (1_000, 1_000_000, {name: partial(edit_contention, name) for name in ("simulations", "control_simulations")}),
    (1, 4, {"rounds": lambda number: commands.split_stage(make_event(5), key="n", stage=STAGE, rounds=number)}),
    (1, 1, {"position": lambda number: commands.move_stage(make_event(5), stage=STAGE, position=number)}),
    (1, 8, bind_names(rule_on_turn, "wrong_words") | bind_names(rule_on_word, "wrong_words")),
    (0, 9_999, bind_names(rule_on_word, "score")),
    (1, 2, {"form": enter_form}),
    (0, 1_000, {"points": partial(set_award, UnplayedRoundPointsSource.FIXED)}),
    (0, 0, {"points": partial(set_award, UnplayedRoundPointsSource.OWN)}),
    (1, 1, bind_names(fine_player, "round_number")),
    (1, 8, {"words": record_challenge}),
    (1, 100_000, bind_names(note_incident, "round_number", "table") | {"table of a draft": set_table}),
    (0, 36_000, bind_names(note_incident, "seconds")),
    (1, 10_000, bind_names(add_prize, "place") | {"position": move_prize}),
    (0, 1_000_000_000, bind_names(add_prize, "amount")),
    (1, 200, bind_names(add_prize, "games")),
    (0, 10_000, bind_names(add_player, "rating")),
    (1, 100_000, bind_names(add_player, "fixed_table", "number")),
    (0, 100_000, bind_names(add_player, "rated_games")),
    (-999, 9_999, bind_names(enter_scores, "first", "second")),
]
LIMIT_CASES = [
    pytest.param(lowest, highest, make_tournament, id=f"{name}-{highest}")
    for lowest, highest, makers in LIMITS
    for name, make_tournament in makers.items()
]


@pytest.mark.parametrize(("lowest_number", "highest_number", "make_tournament"), LIMIT_CASES)
def test_command_limits_of_each_number(
    lowest_number: int, highest_number: int, make_tournament: Callable[[int], Tournament]
) -> None:
    for accepted_number in (lowest_number, highest_number):
        assert find_inconsistent_rows(make_tournament(accepted_number)) == ()
    for refused_number in (lowest_number - 1, highest_number + 1):
        with pytest.raises(CommandError, match="number-out-of-range") as error:
            make_tournament(refused_number)
        assert (error.value.facts["low"], error.value.facts["high"]) == (lowest_number, highest_number)


def test_add_sanction_limits_points_to_those_of_a_game() -> None:
    assert find_inconsistent_rows(fine_player(kind=SanctionKind.MARGIN, points=9_999)) == ()
    for points in (-1, 10_000):
        with pytest.raises(CommandError, match="number-out-of-range"):
            fine_player(kind=SanctionKind.MARGIN, points=points)
