"""What a change to a draft would bring, where the field plays in groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Game
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.i18n.pairing_sentences import verdict
from tdapp.pairing import propose
from tdapp.pairing.commands import Trial, swap_players, trial
from tests.building import DIVISION, RESOURCES, event, last_round

ENGLISH = Catalogue("en", RESOURCES / "locale")


def drafted() -> Tournament:
    """The first round of two groups of four: tables 1 and 2 are the one, 3 and 4 the other."""
    value = event(8, rounds=3, system="round-robin")
    (stage,) = value.stages.values()
    value = value.put(replace(stage, settings=replace(stage.settings, groups=2)))
    return commands.propose_round(value, key="r1", proposal=propose(Index(value), DIVISION))


def swapped(value: Tournament, one: Game, other: Game) -> Trial:
    item = last_round(value).id
    return trial(value, item, partial(swap_players, key="s", round=item, player=one.first, other=other.first))


def test_a_change_across_groups_is_never_free() -> None:
    value = drafted()
    games = Index(value).games(last_round(value).id)
    across = swapped(value, games[0], games[2])
    assert (across.across, across.worth) == (2, 2)
    assert verdict(across, ENGLISH).startswith("worse: 2 tables more across groups")
    within = swapped(value, games[0], games[1])
    assert within.across == 0
    assert "across groups" not in verdict(within, ENGLISH)


def test_a_change_back_is_better() -> None:
    value = drafted()
    item = last_round(value).id
    games = Index(value).games(item)
    one, other = games[0].first, games[2].first
    mixed = swap_players(value, key="s", round=item, player=one, other=other)
    back = trial(mixed, item, partial(swap_players, key="b", round=item, player=one, other=other))
    assert back.across == -2
    assert verdict(back, ENGLISH).startswith("better: 2 tables fewer across groups")
