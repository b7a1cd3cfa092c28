"""Tests of the effect of a change to a draft in a field with groups."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Game
from tdapp.domain.tournament import Tournament
from tdapp.i18n import Catalogue
from tdapp.i18n.pairing_sentences import describe_draft_change_effect, list_draft_change_texts
from tdapp.pairing import propose_pairings
from tdapp.pairing.commands import (
    DraftChangePreview,
    list_unpaired_players,
    pair_by_hand,
    preview_command,
    swap_players,
    unpair_game,
)
from tests.building import DIVISION, RESOURCES, get_last_round, make_event

ENGLISH = Catalogue("en", RESOURCES / "locale")


def make_draft_of_two_groups() -> Tournament:
    """Return the first round of two groups of four: tables 1-2 and tables 3-4."""
    value = make_event(8, rounds=3, system="round-robin")
    (stage,) = value.stages.values()
    value = value.put(replace(stage, settings=replace(stage.settings, groups=2)))
    return commands.propose_round(value, key="r1", proposal=propose_pairings(TournamentIndex(value), DIVISION))


def preview_swap(value: Tournament, first_game: Game, second_game: Game) -> DraftChangePreview:
    item = get_last_round(value).id
    return preview_command(
        value, item, partial(swap_players, key="s", round=item, player=first_game.first, other=second_game.first)
    )


def test_preview_command_of_a_swap_across_groups_is_never_free() -> None:
    value = make_draft_of_two_groups()
    games = TournamentIndex(value).games(get_last_round(value).id)
    across_groups = preview_swap(value, games[0], games[2])
    assert (across_groups.cross_group_increase, across_groups.sign_of_cost_change) == (2, 2)
    assert describe_draft_change_effect(across_groups, ENGLISH).startswith(
        "worse: 2 more games between score groups"
    )
    within_group = preview_swap(value, games[0], games[1])
    assert within_group.cross_group_increase == 0
    assert "between score groups" not in describe_draft_change_effect(within_group, ENGLISH)


def test_preview_command_of_a_swap_back_is_better() -> None:
    value = make_draft_of_two_groups()
    item = get_last_round(value).id
    games = TournamentIndex(value).games(item)
    first, second = games[0].first, games[2].first
    swapped = swap_players(value, key="s", round=item, player=first, other=second)
    preview = preview_command(
        swapped, item, partial(swap_players, key="b", round=item, player=first, other=second)
    )
    assert preview.cross_group_increase == -2
    assert describe_draft_change_effect(preview, ENGLISH).startswith("better: 2 fewer games between score groups")


def test_preview_command_pairing_the_bye() -> None:
    value = make_event(7)
    value = commands.propose_round(value, key="r1", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    index, item = TournamentIndex(value), get_last_round(value)
    (bye,), game = index.byes(item.id), index.games(item.id)[0]
    pair_by_hand_command = partial(pair_by_hand, key="m", round=item.id, player=game.first, other=bye.player)
    preview = preview_command(value, item.id, pair_by_hand_command)
    assert (preview.bye, preview.unpaired_players) == ((bye.player, game.second), ())
    assert f"the bye goes to {value.players[game.second].name}" in list_draft_change_texts(preview, value, ENGLISH)
    after = TournamentIndex(pair_by_hand_command(value))
    assert [bye.player for bye in after.byes(item.id)] == [game.second]
    assert list_unpaired_players(after, get_last_round(after.tournament)) == ()


def test_preview_command_names_a_player_without_game_and_bye() -> None:
    value = make_event(8)
    value = commands.propose_round(value, key="r1", proposal=propose_pairings(TournamentIndex(value), DIVISION))
    item = get_last_round(value)
    first, second = TournamentIndex(value).games(item.id)[:2]
    value = unpair_game(value, key="u", game=first.id)
    preview = preview_command(
        value, item.id, partial(pair_by_hand, key="m", round=item.id, player=first.first, other=second.first)
    )
    assert preview.unpaired_players == (second.second,)
    assert (
        list_draft_change_texts(preview, value, ENGLISH)[0]
        == f"{value.players[second.second].name} has no game and no bye"
    )
