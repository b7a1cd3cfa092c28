"""The matches of a knockout by the current results.

A bracket round is a level of the knockout, such as the semifinals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import outcome
from tdapp.domain.elimination import (
    BracketPart,
    MatchNode,
    MatchPlayerSource,
    MatchPlayerSourceKind,
    build_match_graph,
    count_bracket_rounds,
    count_knockout_rounds,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import Bye, Game, GameId, GameSide, PlayerId, RoundState, Stage
from tdapp.domain.outcome import find_game_decision
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import Outcome


class KnockoutMatchState(StrEnum):
    """The state of a match."""

    OPEN = "open"
    FIRST = "first"  # winner
    SECOND = "second"
    LEVEL = "level"  # tied after all games; an extra game decides
    NOBODY = "nobody"  # neither player advances


class MatchGameScore(Struct, frozen=True):
    """One game of a knockout match."""

    halves: tuple[int, int]  # half points of both players: 2 for a win, 1 for a draw
    spread: int  # of the first player
    advances: int = 0  # winner of a tie (1 or 2) that the director entered, otherwise 0


class MatchScore(Struct, frozen=True):
    """The score of a knockout match that can have several games."""

    halves: tuple[int, int] = (0, 0)  # half points of both players
    spread: int = 0  # of the first player
    verdict: KnockoutMatchState = KnockoutMatchState.OPEN


EMPTY_SCORE = MatchScore()


def compute_match_score(games: Sequence[MatchGameScore], length: int, *, aggregate: bool) -> MatchScore:
    """Return the score of a match of `length` games.

    A player wins when the opponent can no longer catch up. With `aggregate` all games are played, and only the
    total spread decides.
    """
    first, second = (sum(game.halves[side] for game in games) for side in (0, 1))
    spread = sum(game.spread for game in games)
    remaining_games = length - len(games)
    lead = 0 if aggregate else first - second
    if lead > 2 * remaining_games:
        verdict = KnockoutMatchState.FIRST
    elif -lead > 2 * remaining_games:
        verdict = KnockoutMatchState.SECOND
    elif remaining_games:
        verdict = KnockoutMatchState.OPEN
    elif not first + second:
        verdict = KnockoutMatchState.NOBODY
    else:
        verdict = _decide_tied_series(spread, games)
    return MatchScore((first, second), spread, verdict)


def _decide_tied_series(spread: int, games: Sequence[MatchGameScore]) -> KnockoutMatchState:
    entered_winners = ({1: 1, 2: -1}[game.advances] for game in reversed(games) if game.advances)
    decider = spread or next(entered_winners, 0)
    return (
        KnockoutMatchState.FIRST
        if decider > 0
        else KnockoutMatchState.SECOND
        if decider
        else KnockoutMatchState.LEVEL
    )


def compute_bracket_round_and_game(stage_round: int, series: int) -> tuple[int, int]:
    """Return the bracket round, and the game number within a match. Both count from 1.

    A match has `series` games, one per round. `stage_round` counts from 1 within the stage.
    """
    bracket_round, game = divmod(stage_round - 1, series)
    return bracket_round + 1, game + 1


def compute_stage_round_number(bracket_round: int, game: int, series: int) -> int:
    return (bracket_round - 1) * series + game


Slots = tuple[PlayerId | None, PlayerId | None]
Rows = Sequence[Game | Bye]
_PlayersBySource = Mapping[tuple[int, bool], frozenset[PlayerId]]
_HALVES = {Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 0}


class Match(Struct, frozen=True):
    """A match of a knockout, between two known or still unknown players."""

    node: MatchNode
    players: Slots  # None if unknown or missing
    expected: Slots  # the players by the results of earlier matches
    winner: PlayerId | None = None  # None if not decided, or if both lost
    is_decided: bool = False
    is_bye: bool = False  # no opponent will come
    is_needed: bool = True  # false for a second final that need not be played
    games: tuple[GameId, ...] = ()
    score: MatchScore = EMPTY_SCORE

    @property
    def last_game(self) -> GameId | None:
        """The last game of the match, None before the first."""
        return self.games[-1] if self.games else None

    @property
    def key(self) -> str:
        """The match as text: "2/1" is match 1 of bracket round 2."""
        return f"{self.node.bracket_round}/{self.node.match}"

    @property
    def loser(self) -> PlayerId | None:
        first, second = self.players
        if self.winner is None or first is None or second is None:
            return None
        return second if self.winner == first else first


def count_knockout_rounds_needed(players: int, settings: PairingSettings | None = None) -> int:
    if settings is None:
        return count_knockout_rounds(players)
    nodes = build_match_graph(range(1, players + 1), settings.elimination, third_place=settings.third_place)
    return count_bracket_rounds(nodes) * settings.series


def build_matches(
    index: TournamentIndex, stage: Stage, seeds: Mapping[int, PlayerId], after_round: int | None = None
) -> tuple[Match, ...]:
    """Return all matches of a knockout, sorted by bracket round and number.

    Use only results up to round `after_round` (None: all).
    """
    settings = stage.settings
    nodes = build_match_graph(seeds.keys(), settings.elimination, third_place=settings.third_place)
    rows = _group_games_and_byes_by_match(index, stage, after_round)
    last = index.get_last_published_round_number(stage.division, after_round)
    published_count = last - index.get_first_round_number(stage.id) + 1
    players_by_source = _map_players_by_source(nodes, rows)
    matches: list[Match] = []
    for node in nodes:
        match_rows = rows.get((node.bracket_round, node.match), ())
        has_game = any(isinstance(row, Game) for row in match_rows)
        slots = [
            _find_player_of_slot(source, seeds, matches, {} if has_game else players_by_source)
            for source in node.player_sources
        ]
        expected = (slots[0][0], slots[1][0])
        are_players_known = slots[0][1] and slots[1][1]
        is_over = published_count >= compute_stage_round_number(
            node.bracket_round, settings.series, settings.series
        )
        match = Match(node, expected, expected, is_bye=are_players_known and None in expected)
        matches.append(
            _decide_match(
                index,
                stage,
                match,
                match_rows,
                are_players_known=are_players_known,
                is_over=is_over,
                earlier_matches=matches,
            )
        )
    return tuple(matches)


def _map_players_by_source(nodes: Sequence[MatchNode], rows: Mapping[tuple[int, int], Rows]) -> _PlayersBySource:
    players_by_source = dict[tuple[int, bool], frozenset[PlayerId]]()
    for node in nodes:
        match_rows = rows.get((node.bracket_round, node.match), ())
        players = frozenset(player for row in match_rows for player in _list_players_of_game_or_bye(row))
        for source in node.player_sources if players else ():
            if source is not None and source.via is not MatchPlayerSourceKind.SEED:
                players_by_source[source.source_number, source.via is MatchPlayerSourceKind.WINNER] = players
    return players_by_source


def _list_players_of_game_or_bye(row: Game | Bye) -> tuple[PlayerId, ...]:
    return (row.player,) if isinstance(row, Bye) else (row.first, row.second)


def _find_player_of_slot(
    player_source: MatchPlayerSource | None,
    seeds: Mapping[int, PlayerId],
    earlier_matches: Sequence[Match],
    players_by_source: _PlayersBySource,
) -> tuple[PlayerId | None, bool]:
    if player_source is None:
        return None, True
    if player_source.via is MatchPlayerSourceKind.SEED:
        return seeds[player_source.source_number], True
    match, is_winner = (
        earlier_matches[player_source.source_number],
        player_source.via is MatchPlayerSourceKind.WINNER,
    )
    player, opponent = (match.winner, match.loser) if is_winner else (match.loser, match.winner)
    if player in players_by_source.get((player_source.source_number, not is_winner), ()):
        player = opponent
    if (
        player_source.via is MatchPlayerSourceKind.FIRST_LOSS
        and player is not None
        and _has_played_before_match(player, match, earlier_matches)
    ):
        return None, True
    return player, match.is_decided


def _has_played_before_match(player: PlayerId, match: Match, earlier_matches: Sequence[Match]) -> bool:
    return any(
        player in earlier_match.players
        and not earlier_match.is_bye
        and earlier_match.node.bracket_round < match.node.bracket_round
        for earlier_match in earlier_matches
    )


def _group_games_and_byes_by_match(
    index: TournamentIndex, stage: Stage, after_round: int | None
) -> Mapping[tuple[int, int], Rows]:
    first, length = index.get_first_round_number(stage.id), stage.settings.series
    rows_by_match = defaultdict[tuple[int, int], list[Game | Bye]](list)
    for item in index.rounds(stage.division):
        if after_round is not None and item.number > after_round:
            break
        bracket_round, _ = compute_bracket_round_and_game(item.number - first + 1, length)
        byes = index.byes(item.id) if item.state is RoundState.PUBLISHED else ()
        rows: Rows = (*index.games(item.id), *byes)
        for row in rows:
            if row.match is not None:
                rows_by_match[bracket_round, row.match].append(row)
    return rows_by_match


def _decide_match(
    index: TournamentIndex,
    stage: Stage,
    match: Match,
    rows: Rows,
    *,
    are_players_known: bool,
    is_over: bool,
    earlier_matches: Sequence[Match],
) -> Match:
    games = [row for row in rows if isinstance(row, Game)]
    bye_player = next((row.player for row in rows if isinstance(row, Bye)), None)
    if games:
        match = replace(
            match,
            players=_list_players_in_bracket_order(match, games),
            games=tuple(game.id for game in games),
            is_bye=False,
        )
    elif bye_player is not None and bye_player not in match.expected:
        match = replace(match, players=(bye_player, None))
    if match.node.part is BracketPart.RESET and are_players_known:
        final = next(
            earlier_match for earlier_match in earlier_matches if earlier_match.node.part is BracketPart.FINAL
        )
        if final.winner is None or final.winner == final.players[0]:
            return replace(match, winner=final.winner, is_decided=True, is_needed=False)
    if match.is_bye and not games:
        return replace(match, winner=next((player for player in match.players if player), None), is_decided=True)
    if rows:
        return _decide_match_by_games_and_byes(index, stage, match, rows, is_over=is_over)
    return replace(match, is_decided=is_over and are_players_known)  # neither player came


def _list_players_in_bracket_order(match: Match, games: Sequence[Game]) -> Slots:
    game = games[-1]
    first, second = match.expected
    is_swapped = game.second == first or game.first == second
    return (game.second, game.first) if is_swapped else (game.first, game.second)


def _decide_match_by_games_and_byes(
    index: TournamentIndex, stage: Stage, match: Match, rows: Rows, *, is_over: bool
) -> Match:
    settings = stage.settings
    if settings.series == 1:
        score = MatchScore(verdict=_compute_single_game_match_state(index, match, rows[-1]))
    else:
        series_games = [game for row in rows if (game := _make_match_game_score(index, match, row)) is not None]
        score = compute_match_score(series_games, settings.series, aggregate=settings.aggregate)
        if is_over and score.verdict is KnockoutMatchState.OPEN and len(series_games) == len(rows):
            score = compute_match_score(series_games, len(series_games), aggregate=settings.aggregate)
    first, second = match.players
    if isinstance(rows[-1], Bye) and not match.games:
        match = replace(match, is_bye=True)
    winner = {KnockoutMatchState.FIRST: first, KnockoutMatchState.SECOND: second}.get(score.verdict)
    is_decided = score.verdict not in {KnockoutMatchState.OPEN, KnockoutMatchState.LEVEL}
    return replace(match, winner=winner, is_decided=is_decided, score=score)


def _compute_single_game_match_state(index: TournamentIndex, match: Match, row: Game | Bye) -> KnockoutMatchState:
    if isinstance(row, Bye):
        return KnockoutMatchState.FIRST if row.player == match.players[0] else KnockoutMatchState.SECOND
    result = index.get_result(row.id)
    if result is None:
        return KnockoutMatchState.OPEN
    winner = find_game_winner(index, row)
    if winner is None:
        is_tied = (
            outcome.score_game(index.tournament.get_ruleset_of_row(row), result).first.outcome is Outcome.DRAW
        )
        return KnockoutMatchState.LEVEL if is_tied else KnockoutMatchState.NOBODY
    return KnockoutMatchState.FIRST if winner == match.players[0] else KnockoutMatchState.SECOND


def _make_match_game_score(index: TournamentIndex, match: Match, row: Game | Bye) -> MatchGameScore | None:
    rules = index.tournament.get_ruleset_of_row(row)
    if isinstance(row, Bye):
        side = outcome.score_bye(rules, row)
        first = row.player == match.players[0]
        return MatchGameScore((2, 0) if first else (0, 2), side.spread if first else -side.spread)
    result = index.get_result(row.id)
    if result is None:
        return None
    scored_game = outcome.score_game(rules, result)
    outcomes = (scored_game.first, scored_game.second)
    advancing_player = {GameSide.FIRST: 1, GameSide.SECOND: 2}.get(result.advances, 0) if result.advances else 0
    if row.first != match.players[0]:
        outcomes, advancing_player = (outcomes[1], outcomes[0]), {1: 2, 2: 1}.get(advancing_player, 0)
    spread = 0 if result.forfeit is GameSide.BOTH else outcomes[0].spread
    return MatchGameScore((_HALVES[outcomes[0].outcome], _HALVES[outcomes[1].outcome]), spread, advancing_player)


def find_game_winner(index: TournamentIndex, game: Game) -> PlayerId | None:
    """Return the winner of a game. After a tie in a knockout, return the player who advances.

    Return None for an open game, a draw, and a loss of both.
    """
    decision = find_game_decision(index, game)
    return {1: game.first, 2: game.second}.get(decision.side) if decision is not None else None


def find_players_missing_from_matches(
    index: TournamentIndex, matches: Sequence[Match]
) -> tuple[tuple[Match, PlayerId], ...]:
    """Return matches with pairings that contradict earlier results, each with a player who should play there.

    Players that the director swapped between matches of the same bracket round are no contradiction.
    """
    players_by_bracket_round: dict[int, set[PlayerId | None]] = defaultdict(set)
    for match in matches:
        players_by_bracket_round[match.node.bracket_round].update(
            match.players if match.games or match.is_bye else ()
        )
    missing_players = (
        (match, player)
        for match in matches
        if match.games or match.players != match.expected or (match.is_decided and match.winner is None)
        for player in match.expected
        if player is not None
        and (player not in players_by_bracket_round[match.node.bracket_round] or not match.is_needed)
    )
    return tuple(dict.fromkeys((*missing_players, *_find_winners_replaced_in_next_match(index, matches))))


def _find_winners_replaced_in_next_match(
    index: TournamentIndex, matches: Sequence[Match]
) -> Iterator[tuple[Match, PlayerId]]:
    for match in matches:
        for source in () if _is_paired_by_hand(index, match) else match.node.player_sources:
            earlier_match = (
                matches[source.source_number]
                if source is not None and source.via is MatchPlayerSourceKind.WINNER
                else None
            )
            if earlier_match is None or earlier_match.winner is None or earlier_match.winner in match.players:
                continue
            if earlier_match.loser is not None and earlier_match.loser in match.players:
                yield match, earlier_match.winner


def _is_paired_by_hand(index: TournamentIndex, match: Match) -> bool:
    reasons = (index.tournament.games[game].reason for game in match.games)
    return any(reason is not None and reason.code == "by-hand" for reason in reasons)


def compute_current_knockout_ranks(matches: Sequence[Match]) -> Mapping[PlayerId, int]:
    """Return each player's current rank in a knockout. The consolation bracket gives no ranks.

    Example without a match for third place: one semifinal is decided. The winner has rank 1 and the loser rank 3.
    The two players of the open semifinal share rank 2.
    """
    ranks: dict[PlayerId, tuple[int, bool]] = {}  # the rank after losing all further matches; whether it is final
    for match, secured_rank in zip(matches, _compute_secured_ranks_by_match(matches), strict=True):
        if match.node.part is BracketPart.CONSOLATION:
            continue
        for player in match.players:
            if player is None:
                continue
            is_winner = match.is_decided and player == match.winner
            final_rank = match.node.winner_rank if is_winner else match.node.loser_rank
            is_final = match.is_decided and (match.winner is None or final_rank is not None)
            ranks[player] = ((match.node.winner_rank or secured_rank) if is_winner else secured_rank, is_final)
    keys = sorted(ranks.values())
    return MappingProxyType(
        {
            player: rank if is_final else 1 + sum(key < (rank, False) for key in keys)
            for player, (rank, is_final) in ranks.items()
        }
    )


def _compute_secured_ranks_by_match(matches: Sequence[Match]) -> Sequence[int]:
    next_matches: dict[int, int] = {}
    for index, match in enumerate(matches):
        for source in match.node.player_sources:
            if source is None or source.via is MatchPlayerSourceKind.SEED:
                continue
            if source.via is (
                MatchPlayerSourceKind.WINNER
                if matches[source.source_number].node.has_bye
                else MatchPlayerSourceKind.LOSER
            ):
                next_matches[source.source_number] = index
    ranks = [match.node.loser_rank or 0 for match in matches]
    for index in reversed(range(len(matches))):
        if not ranks[index] and index in next_matches:
            ranks[index] = ranks[next_matches[index]]
    return ranks
