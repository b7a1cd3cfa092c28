"""The effect of a change to a draft in a field with groups."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import Game
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.i18n.pairing_sentences import describe_change_effect, list_change_details
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import (
    DraftPreview,
    list_unpaired_players,
    pair_by_hand,
    preview_command,
    swap_players,
    unpair_game,
)
from tests.building import DIVISION, RESOURCES, get_last_round, make_event

ENGLISH = Catalogue("en", RESOURCES / "locale")


def drafted() -> Tournament:
    """The first round of two groups of four: tables 1 and 2 are the one, 3 and 4 the other."""
    value = make_event(8, rounds=3, system="round-robin")
    (stage,) = value.stages.values()
    value = value.put(replace(stage, settings=replace(stage.settings, groups=2)))
    return commands.propose_round(value, key="r1", proposal=propose_pairings(Index(value), DIVISION))


def swapped(value: Tournament, one: Game, other: Game) -> DraftPreview:
    item = get_last_round(value).id
    return preview_command(
        value, item, partial(swap_players, key="s", round=item, player=one.first, other=other.first)
    )


def test_judge_change_across_groups_is_never_free() -> None:
    value = drafted()
    games = Index(value).games(get_last_round(value).id)
    across = swapped(value, games[0], games[2])
    assert (across.cross_group_increase, across.comparison) == (2, 2)
    assert describe_change_effect(across, ENGLISH).startswith("worse: 2 more games between score groups")
    within = swapped(value, games[0], games[1])
    assert within.cross_group_increase == 0
    assert "between score groups" not in describe_change_effect(within, ENGLISH)


def test_judge_change_back_is_better() -> None:
    value = drafted()
    item = get_last_round(value).id
    games = Index(value).games(item)
    one, other = games[0].first, games[2].first
    mixed = swap_players(value, key="s", round=item, player=one, other=other)
    back = preview_command(mixed, item, partial(swap_players, key="b", round=item, player=one, other=other))
    assert back.cross_group_increase == -2
    assert describe_change_effect(back, ENGLISH).startswith("better: 2 games fewer between score groups")


def test_preview_command_pairing_the_bye() -> None:
    value = make_event(7)
    value = commands.propose_round(value, key="r1", proposal=propose_pairings(Index(value), DIVISION))
    index, item = Index(value), get_last_round(value)
    (bye,), game = index.byes(item.id), index.games(item.id)[0]
    meet = partial(pair_by_hand, key="m", round=item.id, player=game.first, other=bye.player)
    found = preview_command(value, item.id, meet)
    assert (found.bye, found.unpaired_players) == ((bye.player, game.second), ())
    assert f"the bye goes to {value.players[game.second].name}" in list_change_details(found, value, ENGLISH)
    after = Index(meet(value))
    assert [bye.player for bye in after.byes(item.id)] == [game.second]
    assert list_unpaired_players(after, get_last_round(after.tournament)) == ()


def test_preview_command_names_a_player_without_game_and_bye() -> None:
    value = make_event(8)
    value = commands.propose_round(value, key="r1", proposal=propose_pairings(Index(value), DIVISION))
    item = get_last_round(value)
    one, other = Index(value).games(item.id)[:2]
    value = unpair_game(value, key="u", game=one.id)
    found = preview_command(
        value, item.id, partial(pair_by_hand, key="m", round=item.id, player=one.first, other=other.first)
    )
    assert found.unpaired_players == (other.second,)
    assert (
        list_change_details(found, value, ENGLISH)[0]
        == f"{value.players[other.second].name} has no game and no bye"
    )
