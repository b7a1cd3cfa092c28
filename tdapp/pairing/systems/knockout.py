"""Pairs the next round of a knockout. A player without an opponent advances by a bye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tdapp.domain import systems as declared
from tdapp.domain.bracket import list_undecided_tied_games, map_players_by_seed
from tdapp.domain.elimination import BracketPart, MatchPlayerSourceKind, make_match_codes
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import (
    Match,
    build_matches,
    compute_bracket_round_and_game,
    count_knockout_rounds_needed,
)
from tdapp.domain.model import ByeKind, PlayerId, Round, StartDecision
from tdapp.domain.proposal import Proposal
from tdapp.domain.translatable import N_
from tdapp.pairing.system import (
    Facts,
    PairingInput,
    PairingMethod,
    PairingPlan,
    PlannedPair,
    apply_fixed_pairs,
    get_previous_round_number,
    list_fixed_pairs,
)


def plan_pairs(situation: PairingInput) -> PairingPlan:
    """Return the games and byes of the next round. A decided match gets no further game."""
    seeds = map_players_by_seed(situation.index, situation.stage)
    matches = build_matches(situation.index, situation.stage, seeds, after_round=situation.field.number - 1)
    bracket_round, game = compute_bracket_round_and_game(situation.stage_round, situation.stage.settings.series)
    _refuse_undecided_matches(situation, matches)
    if not _is_another_round_needed(situation, matches, bracket_round, game):
        raise CommandError("knockout-decided", rounds=situation.stage_round - 1)
    round_matches = [match for match in matches if match.node.bracket_round == bracket_round and match.is_needed]
    if game > 1:
        round_matches = [match for match in round_matches if not match.is_decided]
    seed_of = {player: number for number, player in seeds.items()}
    pairs = [pair for match in round_matches for pair in _make_pairs(situation, match, game, matches, seed_of)]
    expected_players = frozenset(
        player for match in round_matches for player in match.players if player is not None
    )
    return PairingPlan(
        apply_fixed_pairs(pairs, list_fixed_pairs(situation.field)), expected_players=expected_players
    )


def _is_another_round_needed(
    situation: PairingInput, matches: Sequence[Match], bracket_round: int, game: int
) -> bool:
    index, stage = situation.index, situation.stage
    has_later_stage = any(other_stage.position > stage.position for other_stage in index.stages(stage.division))
    remaining_matches = [
        match for match in matches if match.node.bracket_round >= bracket_round and match.is_needed
    ]
    started_bracket_round = bracket_round if game > 1 else 0
    return has_later_stage or any(  # a player who advances alone gets a bye
        not match.is_decided or (match.is_bye and match.node.bracket_round != started_bracket_round)
        for match in remaining_matches
    )


def _refuse_undecided_matches(situation: PairingInput, matches: Sequence[Match]) -> None:
    index, undecided_matches = situation.index, [match for match in matches if not match.is_decided]
    played_games = (index.tournament.games[game] for match in undecided_matches for game in match.games)
    open_games = [game for game in played_games if index.get_result(game.id) is None]
    if open_games:
        item = index.tournament.rounds[open_games[0].round]
        tables = tuple(sorted(game.table for game in open_games if game.round == item.id))
        raise CommandError("results-needed", round=item.number, tables=tables, n=len(tables))
    tied_games = list_undecided_tied_games(index, matches)
    if tied_games:
        number = index.tournament.rounds[tied_games[0].round].number
        raise CommandError("tie-undecided", table=tied_games[0].table, round=number)


def _make_pairs(
    situation: PairingInput, match: Match, number: int, matches: Sequence[Match], seed_of: Mapping[PlayerId, int]
) -> list[PlannedPair]:
    positions = situation.field.map_player_positions()
    present_players = sorted(
        (player for player in match.players if player in positions), key=lambda player: seed_of.get(player, 0)
    )
    order = 0 if match.node.part is BracketPart.WINNERS else match.node.match
    if len(present_players) < 2:  # noqa: PLR2004
        return [
            PlannedPair(positions[player], None, "bracket", order=order, match=match.node.match)
            for player in present_players
        ]
    length = situation.stage.settings.series
    code = "series" if length > 1 else "third-place" if match.node.part is BracketPart.THIRD else "bracket"
    facts = _make_match_facts(match, matches, present_players, seed_of)
    if length > 1:
        facts = (*facts, ("game", number), ("games", length))
    replier = _find_second_player_of_last_game(situation, match)
    return [
        PlannedPair(
            positions[present_players[0]],
            positions[present_players[1]],
            code,
            facts,
            order=order,
            match=match.node.match,
            first=None if replier is None else positions.get(replier),
            draw=1 < length == number and length % 2 == 1,
        )
    ]


def _make_match_facts(
    match: Match, matches: Sequence[Match], players: Sequence[PlayerId], seed_of: Mapping[PlayerId, int]
) -> Facts:
    names = make_match_codes([row.node for row in matches])
    match_names = {row.key: name for row, name in zip(matches, names, strict=True)}
    feed_of_player = dict(zip(match.expected, match.node.player_sources, strict=True))
    origins = []
    for player in players:
        feed, origin = feed_of_player.get(player), "seed"
        if feed is not None and feed.via is not MatchPlayerSourceKind.SEED:
            role = "winner" if feed.via is MatchPlayerSourceKind.WINNER else "loser"
            origin = f"{role}/{match_names[matches[feed.source_number].key]}"
        origins.append(f"{seed_of.get(player, 0)}/{origin}")
    seeds = [seed_of.get(player, 0) for player in players]
    return (
        ("match", match.node.match),
        ("better_seed", seeds[0]),
        ("worse_seed", seeds[1]),
        ("name", match_names[match.key]),
        ("better_from", origins[0]),
        ("worse_from", origins[1]),
    )


def _find_second_player_of_last_game(situation: PairingInput, match: Match) -> PlayerId | None:
    if not match.games:
        return None
    game = situation.index.tournament.games[match.games[-1]]
    return None if game.start is StartDecision.DRAW else game.second


def assign_bracket_matches(index: TournamentIndex, round_row: Round, proposal: Proposal) -> Proposal:
    """Assign the games of a manually changed draft to matches of the bracket.

    Unchanged pairs and byes keep their match. A changed pair gets the match of its table. If this
    match is taken, the pair gets a match of one of its players, or any free match.
    """
    games, byes = index.games(round_row.id), index.byes(round_row.id)
    old_tables = [_DraftGameOrBye(frozenset({game.first, game.second}), game.table, game.match) for game in games]
    old_tables += [_DraftGameOrBye(frozenset({bye.player}), 0, bye.match) for bye in byes]
    free_tables = [table for table in old_tables if table.match is not None]
    pairs = [(frozenset({game.first, game.second}), game.table) for game in proposal.games]
    pairs += [(frozenset({bye.player}), 0) for bye in proposal.byes if bye.kind is ByeKind.BYE]
    match_of: dict[frozenset[PlayerId], int | None] = {}
    for fits in _FITS:
        for players, number in pairs:
            table = next(
                (row for row in free_tables if players not in match_of and fits(row, players, number)), None
            )
            if table is not None:
                match_of[players] = table.match
                free_tables.remove(table)
    new_games = (replace(row, match=match_of.get(frozenset({row.first, row.second}))) for row in proposal.games)
    new_byes = (replace(row, match=match_of.get(frozenset({row.player}))) for row in proposal.byes)
    return replace(proposal, games=tuple(new_games), byes=tuple(new_byes))


class _DraftGameOrBye(NamedTuple):
    players: frozenset[PlayerId]
    table: int
    match: int | None


# Returns whether a table fits a pair with a table number. The best fit is first: the same players, the same
# number, one of the players, any table.
_FITS: tuple[Callable[[_DraftGameOrBye, frozenset[PlayerId], int], bool], ...] = (
    lambda table, players, _number: table.players == players,
    lambda table, _players, number: table.table == number > 0,
    lambda table, players, _number: bool(table.players & players),
    lambda _table, _players, _number: True,
)


_REASONS = {
    "bracket": N_("{name:match}: {better_from:came} against {worse_from:came}"),
    "third-place": N_("For third place: seed {better_seed} against {worse_seed}"),
    "series": N_("{name:match}, game {game} of {games}: {better_from:came} against {worse_from:came}"),
}
KNOCKOUT = PairingMethod(
    declared.KNOCKOUT,
    plan_pairs,
    get_previous_round_number,
    (),
    reasons=_REASONS,
    count_rounds=count_knockout_rounds_needed,
)
