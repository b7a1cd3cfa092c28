"""A latecomer is seated by one command, whoever is to start."""

from __future__ import annotations

from tdapp.domain import commands
from tdapp.domain.model import PlayerId
from tdapp.domain.tournament import Tournament
from tdapp.pairing.commands import PAIRING_COMMANDS, seat_latecomer
from tests.building import DIVISION, get_game_at, get_last_round, get_player, make_event, pair_rounds


def late() -> tuple[Tournament, PlayerId, PlayerId]:
    """A published round in which one player has the bye, that player, and one who has come since."""
    t = commands.add_player(pair_rounds(make_event(5), results=False), key="late", division=DIVISION, name="Late")
    return t, next(iter(t.byes.values())).player, get_player(t, 6).id


def test_seat_latecomer_starter_is_named_or_by_balance() -> None:
    t, waiting, comer = late()
    item = get_last_round(t).id
    for named in (waiting, comer):
        seated = seat_latecomer(t, key="g", round=item, player=comer, starter=named)
        assert get_game_at(seated, 3).first == named
    by_rule = get_game_at(seat_latecomer(t, key="g", round=item, player=comer), 3)
    assert {by_rule.first, by_rule.second} == {waiting, comer}


def test_seat_latecomer_is_one_command() -> None:
    every = {**commands.COMMANDS, **PAIRING_COMMANDS}
    assert [name for name in every if "late" in name] == ["seat-latecomer"]
