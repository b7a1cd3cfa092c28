"""The matches of a knockout by the current results: players, winners and ranks."""

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
    MatchFeed,
    MatchNode,
    SlotSource,
    build_match_graph,
    count_knockout_rounds,
    count_knockout_turns,
)
from tdapp.domain.index import Index
from tdapp.domain.model import Bye, Forfeit, Game, GameId, PlayerId, RoundState, Stage
from tdapp.domain.outcome import find_game_decision
from tdapp.domain.pairing_settings import PairingSettings
from tdapp.domain.ruleset import Worth


class SeriesVerdict(StrEnum):
    """The state of a match: open, won, tied, or lost by both."""

    OPEN = "open"
    FIRST = "first"  # won by the first player
    SECOND = "second"
    LEVEL = "level"  # all games played; an extra game decides
    NOBODY = "nobody"  # neither advances


class SeriesGame(Struct, frozen=True):
    """One game of a knockout match."""

    halves: tuple[int, int]  # half points of both players: 2 for a win, 1 for a draw
    spread: int  # of the first player
    advances: int = 0  # the winner (1 or 2) that the director entered, otherwise 0


class MatchScore(Struct, frozen=True):
    """The score of a knockout match that can have several games."""

    halves: tuple[int, int] = (0, 0)  # half points of both players
    spread: int = 0  # of the first player
    verdict: SeriesVerdict = SeriesVerdict.OPEN


NOTHING = MatchScore()


def score_series(games: Sequence[SeriesGame], length: int, *, aggregate: bool) -> MatchScore:
    """Return the score of a match of `length` games.

    A player wins when the opponent can no longer catch up. With `aggregate` all games are played, and only the
    total spread decides.
    """
    first, second = (sum(game.halves[side] for game in games) for side in (0, 1))
    spread = sum(game.spread for game in games)
    left = length - len(games)
    lead = 0 if aggregate else first - second
    if lead > 2 * left:
        verdict = SeriesVerdict.FIRST
    elif -lead > 2 * left:
        verdict = SeriesVerdict.SECOND
    elif left:
        verdict = SeriesVerdict.OPEN
    elif not first + second:
        verdict = SeriesVerdict.NOBODY
    else:
        verdict = _decide_tied_series(spread, games)
    return MatchScore((first, second), spread, verdict)


def _decide_tied_series(spread: int, games: Sequence[SeriesGame]) -> SeriesVerdict:
    said = ({1: 1, 2: -1}[game.advances] for game in reversed(games) if game.advances)
    decider = spread or next(said, 0)
    return SeriesVerdict.FIRST if decider > 0 else SeriesVerdict.SECOND if decider else SeriesVerdict.LEVEL


def find_turn_and_game(stage_round: int, series: int) -> tuple[int, int]:
    """Return the turn of the knockout and the game number within each match, both from 1.

    A turn takes `series` rounds, one for each game of a match. `stage_round` is counted from 1 within the
    stage.
    """
    turn, game = divmod(stage_round - 1, series)
    return turn + 1, game + 1


def compute_stage_round(turn: int, game: int, series: int) -> int:
    return (turn - 1) * series + game


Slots = tuple[PlayerId | None, PlayerId | None]
Rows = Sequence[Game | Bye]
_Taken = Mapping[tuple[int, bool], frozenset[PlayerId]]
_HALVES = {Worth.WIN: 2, Worth.DRAW: 1, Worth.LOSS: 0}


class Match(Struct, frozen=True):
    """A match of a knockout, between two known or still unknown players."""

    node: MatchNode
    players: Slots  # None if unknown or missing
    expected: Slots  # the players by the results of earlier matches
    winner: PlayerId | None = None  # None if not decided, or if both lost
    decided: bool = False
    bye: bool = False  # no opponent will come
    needed: bool = True  # false for a second final that need not be played
    games: tuple[GameId, ...] = ()
    score: MatchScore = NOTHING

    @property
    def game(self) -> GameId | None:
        return self.games[-1] if self.games else None

    @property
    def key(self) -> str:
        return f"{self.node.turn}/{self.node.match}"

    @property
    def loser(self) -> PlayerId | None:
        first, second = self.players
        if self.winner is None or first is None or second is None:
            return None
        return second if self.winner == first else first


def count_rounds_needed(players: int, settings: PairingSettings | None = None) -> int:
    if settings is None:
        return count_knockout_rounds(players)
    nodes = build_match_graph(range(1, players + 1), settings.elimination, third_place=settings.third_place)
    return count_knockout_turns(nodes) * settings.series


def build_matches(
    index: Index, stage: Stage, seeds: Mapping[int, PlayerId], after: int | None = None
) -> tuple[Match, ...]:
    """Return all matches of a knockout, sorted by turn and number.

    Only results up to round `after` are used (None: all).
    """
    settings = stage.settings
    graph_ = build_match_graph(seeds.keys(), settings.elimination, third_place=settings.third_place)
    rows = _group_games_and_byes_by_match(index, stage, after)
    last = index.get_last_published(stage.division, after)
    published = last - index.first_round(stage.id) + 1
    taken = _map_players_by_feed(graph_, rows)
    found: list[Match] = []
    for node in graph_:
        played = rows.get((node.turn, node.match), ())
        met = any(isinstance(row, Game) for row in played)
        slots = [_find_player_of_slot(feed, seeds, found, {} if met else taken) for feed in node.feeds]
        expected = (slots[0][0], slots[1][0])
        settled = slots[0][1] and slots[1][1]
        over = published >= compute_stage_round(node.turn, settings.series, settings.series)
        match = Match(node, expected, expected, bye=settled and None in expected)
        found.append(_decide_match(index, stage, match, played, settled=settled, over=over, before=found))
    return tuple(found)


def _map_players_by_feed(nodes: Sequence[MatchNode], rows: Mapping[tuple[int, int], Rows]) -> _Taken:
    found = dict[tuple[int, bool], frozenset[PlayerId]]()
    for node in nodes:
        played = rows.get((node.turn, node.match), ())
        there = frozenset(player for row in played for player in _list_players_of_game_or_bye(row))
        for feed in node.feeds if there else ():
            if feed is not None and feed.via is not SlotSource.SEED:
                found[feed.at, feed.via is SlotSource.WINNER] = there
    return found


def _list_players_of_game_or_bye(row: Game | Bye) -> tuple[PlayerId, ...]:
    return (row.player,) if isinstance(row, Bye) else (row.first, row.second)


def _find_player_of_slot(
    feed: MatchFeed | None, seeds: Mapping[int, PlayerId], before: Sequence[Match], taken: _Taken
) -> tuple[PlayerId | None, bool]:
    if feed is None:
        return None, True
    if feed.via is SlotSource.SEED:
        return seeds[feed.at], True
    match, won = before[feed.at], feed.via is SlotSource.WINNER
    comes, other = (match.winner, match.loser) if won else (match.loser, match.winner)
    if comes in taken.get((feed.at, not won), ()):
        comes = other
    if feed.via is SlotSource.FIRST_LOSS and comes is not None and _have_met_before(comes, match, before):
        return None, True
    return comes, match.decided


def _have_met_before(player: PlayerId, match: Match, before: Sequence[Match]) -> bool:
    return any(player in other.players and not other.bye and other.node.turn < match.node.turn for other in before)


def _group_games_and_byes_by_match(
    index: Index, stage: Stage, after: int | None
) -> Mapping[tuple[int, int], Rows]:
    first, length = index.first_round(stage.id), stage.settings.series
    found = defaultdict[tuple[int, int], list[Game | Bye]](list)
    for item in index.rounds(stage.division):
        if after is not None and item.number > after:
            break
        turn, _ = find_turn_and_game(item.number - first + 1, length)
        byes = index.byes(item.id) if item.state is RoundState.PUBLISHED else ()
        rows: Rows = (*index.games(item.id), *byes)
        for row in rows:
            if row.match is not None:
                found[turn, row.match].append(row)
    return found


def _decide_match(
    index: Index, stage: Stage, match: Match, rows: Rows, *, settled: bool, over: bool, before: Sequence[Match]
) -> Match:
    games = [row for row in rows if isinstance(row, Game)]
    alone = next((row.player for row in rows if isinstance(row, Bye)), None)
    if games:
        match = replace(
            match,
            players=_list_players_in_bracket_order(match, games),
            games=tuple(game.id for game in games),
            bye=False,
        )
    elif alone is not None and alone not in match.expected:
        match = replace(match, players=(alone, None))
    if match.node.part is BracketPart.RESET and settled:
        final = next(one for one in before if one.node.part is BracketPart.FINAL)
        if final.winner is None or final.winner == final.players[0]:
            return replace(match, winner=final.winner, decided=True, needed=False)
    if match.bye and not games:
        return replace(match, winner=next((one for one in match.players if one), None), decided=True)
    if rows:
        return _decide_match_by_games_and_byes(index, stage, match, rows, over=over)
    return replace(match, decided=over and settled)  # neither came


def _list_players_in_bracket_order(match: Match, games: Sequence[Game]) -> Slots:
    game = games[-1]
    first, second = match.expected
    turned = game.second == first or game.first == second
    return (game.second, game.first) if turned else (game.first, game.second)


def _decide_match_by_games_and_byes(index: Index, stage: Stage, match: Match, rows: Rows, *, over: bool) -> Match:
    settings = stage.settings
    if settings.series == 1:
        standing_score = MatchScore(verdict=_decide_single_game(index, match, rows[-1]))
    else:
        played = [one for row in rows if (one := _make_series_game(index, match, row)) is not None]
        standing_score = score_series(played, settings.series, aggregate=settings.aggregate)
        if over and standing_score.verdict is SeriesVerdict.OPEN and len(played) == len(rows):
            standing_score = score_series(played, len(played), aggregate=settings.aggregate)
    first, second = match.players
    if isinstance(rows[-1], Bye) and not match.games:
        match = replace(match, bye=True)
    winner = {SeriesVerdict.FIRST: first, SeriesVerdict.SECOND: second}.get(standing_score.verdict)
    decided = standing_score.verdict not in {SeriesVerdict.OPEN, SeriesVerdict.LEVEL}
    return replace(match, winner=winner, decided=decided, score=standing_score)


def _decide_single_game(index: Index, match: Match, row: Game | Bye) -> SeriesVerdict:
    if isinstance(row, Bye):
        return SeriesVerdict.FIRST if row.player == match.players[0] else SeriesVerdict.SECOND
    result = index.result(row.id)
    if result is None:
        return SeriesVerdict.OPEN
    winner = find_game_winner(index, row)
    if winner is None:
        tied = outcome.score_game(index.tournament.rules_of(row), result).first.worth is Worth.DRAW
        return SeriesVerdict.LEVEL if tied else SeriesVerdict.NOBODY
    return SeriesVerdict.FIRST if winner == match.players[0] else SeriesVerdict.SECOND


def _make_series_game(index: Index, match: Match, row: Game | Bye) -> SeriesGame | None:
    rules = index.tournament.rules_of(row)
    if isinstance(row, Bye):
        side = outcome.score_bye(rules, row)
        first = row.player == match.players[0]
        return SeriesGame((2, 0) if first else (0, 2), side.spread if first else -side.spread)
    result = index.result(row.id)
    if result is None:
        return None
    decided = outcome.score_game(rules, result)
    sides = (decided.first, decided.second)
    ahead = {Forfeit.FIRST: 1, Forfeit.SECOND: 2}.get(result.advances, 0) if result.advances else 0
    if row.first != match.players[0]:
        sides, ahead = (sides[1], sides[0]), {1: 2, 2: 1}.get(ahead, 0)
    spread = 0 if result.forfeit is Forfeit.BOTH else sides[0].spread
    return SeriesGame((_HALVES[sides[0].worth], _HALVES[sides[1].worth]), spread, ahead)


def find_game_winner(index: Index, game: Game) -> PlayerId | None:
    """Return the winner of a game, after a tie in a knockout the player who advances.

    Return None for an open game, a draw, and a loss of both.
    """
    decision = find_game_decision(index, game)
    return {1: game.first, 2: game.second}.get(decision.side) if decision is not None else None


def find_inconsistent_matches(index: Index, matches: Sequence[Match]) -> tuple[tuple[Match, PlayerId], ...]:
    """Return the paired matches that contradict earlier results, each with a player who should play in it.

    It is no contradiction if the director only swapped players between matches of the same turn.
    """
    playing: dict[int, set[PlayerId | None]] = defaultdict(set)
    for match in matches:
        playing[match.node.turn].update(match.players if match.games or match.bye else ())
    missing = (
        (match, player)
        for match in matches
        if match.games or match.players != match.expected or (match.decided and match.winner is None)
        for player in match.expected
        if player is not None and (player not in playing[match.node.turn] or not match.needed)
    )
    return tuple(dict.fromkeys((*missing, *_find_displaced_players(index, matches))))


def _find_displaced_players(index: Index, matches: Sequence[Match]) -> Iterator[tuple[Match, PlayerId]]:
    for match in matches:
        for feed in () if _is_paired_by_hand(index, match) else match.node.feeds:
            before = matches[feed.at] if feed is not None and feed.via is SlotSource.WINNER else None
            if before is None or before.winner is None or before.winner in match.players:
                continue
            if before.loser is not None and before.loser in match.players:
                yield match, before.winner


def _is_paired_by_hand(index: Index, match: Match) -> bool:
    reasons = (index.tournament.games[game].reason for game in match.games)
    return any(reason is not None and reason.code == "by-hand" for reason in reasons)


def rank_knockout_players(matches: Sequence[Match]) -> Mapping[PlayerId, int]:
    """Return for each player the worst rank that is still possible.

    The losers of the semifinals have rank 3 unless they play for third place, those of the quarter-finals 5.
    The consolation bracket gives no ranks. Players still in the knockout rank directly behind those who have
    advanced farther.
    """
    standing: dict[
        PlayerId, tuple[int, bool]
    ] = {}  # the rank after losing all further matches; whether it is final
    for match, floor in zip(matches, _compute_secured_ranks(matches), strict=True):
        if match.node.part is BracketPart.CONSOLATION:
            continue
        for player in match.players:
            if player is None:
                continue
            won = match.decided and player == match.winner
            decides = match.node.wins if won else match.node.loses
            final = match.decided and (match.winner is None or decides is not None)
            standing[player] = ((match.node.wins or floor) if won else floor, final)
    keys = sorted(standing.values())
    return MappingProxyType(
        {
            player: place if final else 1 + sum(key < (place, False) for key in keys)
            for player, (place, final) in standing.items()
        }
    )


def _compute_secured_ranks(matches: Sequence[Match]) -> Sequence[int]:
    ways: dict[int, int] = {}
    for at, match in enumerate(matches):
        for feed in match.node.feeds:
            if feed is None or feed.via is SlotSource.SEED:
                continue
            if feed.via is (SlotSource.WINNER if matches[feed.at].node.has_bye else SlotSource.LOSER):
                ways[feed.at] = at
    floors = [match.node.loses or 0 for match in matches]
    for at in reversed(range(len(matches))):
        if not floors[at] and at in ways:
            floors[at] = floors[ways[at]]
    return floors
