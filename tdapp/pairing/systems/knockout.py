"""Pairs the next round of a knockout.

A player without an opponent advances by a bye.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.bracket import map_players_by_seed
from tdapp.domain.elimination import BracketPart, SlotSource, name_matches
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.matches import Match, SeriesVerdict, build_matches, count_rounds_needed, find_turn_and_game
from tdapp.domain.model import ByeKind, PlayerId, Round, Start
from tdapp.domain.proposal import Proposal
from tdapp.domain.translatable import N_
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    get_previous_round,
    insert_fixed_pairs,
    list_fixed_pairs,
)


def plan_pairs(situation: PairingInput) -> PairingPlan:
    """Return the games and byes of the next round. A decided match gets no further game."""
    seeds = map_players_by_seed(situation.index, situation.stage)
    matches = build_matches(situation.index, situation.stage, seeds, after=situation.field.number - 1)
    turn, game = find_turn_and_game(situation.stage_round, situation.stage.settings.series)
    _check_matches_are_decided(situation, matches)
    if not _has_more_games(situation, matches, turn, game):
        raise RuleViolation("knockout-decided", rounds=situation.stage_round - 1)
    now = [match for match in matches if match.node.turn == turn and match.is_needed]
    if game > 1:
        now = [match for match in now if not match.is_decided]
    seed_of = {player: number for number, player in seeds.items()}
    pairs = [pair for match in now for pair in _make_pairs(situation, match, game, matches, seed_of)]
    expected_players = frozenset(player for match in now for player in match.players if player is not None)
    return PairingPlan(
        insert_fixed_pairs(pairs, list_fixed_pairs(situation.field)), expected_players=expected_players
    )


def _has_more_games(situation: PairingInput, matches: Sequence[Match], turn: int, game: int) -> bool:
    index, stage = situation.index, situation.stage
    later = any(other.position > stage.position for other in index.stages(stage.division))
    coming = [match for match in matches if match.node.turn >= turn and match.is_needed]
    begun = turn if game > 1 else 0
    return later or any(  # a player who advances alone gets a bye
        not match.is_decided or (match.is_bye and match.node.turn != begun) for match in coming
    )


def _check_matches_are_decided(situation: PairingInput, matches: Sequence[Match]) -> None:
    index, undecided = situation.index, [match for match in matches if not match.is_decided]
    played = (index.tournament.games[game] for match in undecided for game in match.games)
    still_out = [game for game in played if index.result(game.id) is None]
    if still_out:
        item = index.tournament.rounds[still_out[0].round]
        tables = tuple(sorted(game.table for game in still_out if game.round == item.id))
        raise RuleViolation("results-needed", round=item.number, tables=tables, n=len(tables))
    for match in undecided:
        if match.score.verdict is SeriesVerdict.LEVEL:
            game = index.tournament.games[match.games[-1]]
            number = index.tournament.rounds[game.round].number
            raise RuleViolation("tie-undecided", table=game.table, round=number)


def _make_pairs(
    situation: PairingInput, match: Match, number: int, matches: Sequence[Match], seed_of: Mapping[PlayerId, int]
) -> list[PlannedPair]:
    positions = situation.field.map_positions()
    there = sorted(
        (player for player in match.players if player in positions), key=lambda player: seed_of.get(player, 0)
    )
    order = 0 if match.node.part is BracketPart.WINNERS else match.node.match
    if len(there) < 2:  # noqa: PLR2004
        return [PlannedPair(positions[one], None, "bracket", order=order, match=match.node.match) for one in there]
    length = situation.stage.settings.series
    code = "series" if length > 1 else "third-place" if match.node.part is BracketPart.THIRD else "bracket"
    facts = _make_match_facts(match, matches, there, seed_of)
    if length > 1:
        facts = (*facts, ("game", number), ("games", length))
    replied = _find_replier(situation, match)
    return [
        PlannedPair(
            positions[there[0]],
            positions[there[1]],
            code,
            facts,
            order=order,
            match=match.node.match,
            first=None if replied is None else positions.get(replied),
            draw=1 < length == number and length % 2 == 1,
        )
    ]


def _make_match_facts(
    match: Match, matches: Sequence[Match], players: Sequence[PlayerId], seed_of: Mapping[PlayerId, int]
) -> Facts:
    called = dict(zip((one.key for one in matches), name_matches([one.node for one in matches]), strict=True))
    feeds = dict(zip(match.expected, match.node.feeds, strict=True))
    ways = []
    for player in players:
        feed, way = feeds.get(player), "seed"
        if feed is not None and feed.via is not SlotSource.SEED:
            source = "winner" if feed.via is SlotSource.WINNER else "loser"
            way = f"{source}/{called[matches[feed.source_number].key]}"
        ways.append(f"{seed_of.get(player, 0)}/{way}")
    seeds = [seed_of.get(player, 0) for player in players]
    return (
        ("match", match.node.match),
        ("better_seed", seeds[0]),
        ("worse_seed", seeds[1]),
        ("name", called[match.key]),
        ("better_from", ways[0]),
        ("worse_from", ways[1]),
    )


def _find_replier(situation: PairingInput, match: Match) -> PlayerId | None:
    if not match.games:
        return None
    game = situation.index.tournament.games[match.games[-1]]
    return None if game.start is Start.DRAW else game.second


def restore_matches(index: Index, item: Round, proposal: Proposal) -> Proposal:
    """Assign the games of a manually changed draft to matches of the bracket.

    Unchanged pairs and byes keep their match. The others get the match of their table, otherwise a match of
    one of their players.
    """
    games, byes = index.games(item.id), index.byes(item.id)
    places = [_MatchTable(frozenset({one.first, one.second}), one.table, one.match) for one in games]
    places += [_MatchTable(frozenset({one.player}), 0, one.match) for one in byes]
    free = [place for place in places if place.match is not None]
    wanted = [(frozenset({one.first, one.second}), one.table) for one in proposal.games]
    wanted += [(frozenset({one.player}), 0) for one in proposal.byes if one.kind is ByeKind.BYE]
    found: dict[frozenset[PlayerId], int | None] = {}
    for fits in _FITS:
        for players, table in wanted:
            place = next((one for one in free if players not in found and fits(one, players, table)), None)
            if place is not None:
                found[players] = place.match
                free.remove(place)
    return replace(
        proposal,
        games=tuple(replace(one, match=found.get(frozenset({one.first, one.second}))) for one in proposal.games),
        byes=tuple(replace(one, match=found.get(frozenset({one.player}))) for one in proposal.byes),
    )


class _MatchTable(NamedTuple):
    players: frozenset[PlayerId]
    table: int
    match: int | None


# Place for a pair, best fit first: its own, that of its table, that of a player, any.
_FITS: tuple[Callable[[_MatchTable, frozenset[PlayerId], int], bool], ...] = (
    lambda place, players, _table: place.players == players,
    lambda place, _players, table: place.table == table > 0,
    lambda place, players, _table: bool(place.players & players),
    lambda _place, _players, _table: True,
)


_REASONS = {
    "bracket": N_("{name:match}: {better_from:came} against {worse_from:came}"),
    "third-place": N_("For the third place: seed {better_seed} against {worse_seed}"),
    "series": N_("{name:match}, game {game} of {games}: {better_from:came} against {worse_from:came}"),
}
KNOCKOUT = PairingMethod(
    declared.KNOCKOUT, plan_pairs, get_previous_round, (), reasons=_REASONS, count_rounds=count_rounds_needed
)
