"""Seeding, and the bracket of a knockout: who sits where, who goes on, who meets whom.

Hides where seats come from (seed rows, the standings of an earlier stage, ratings) and how winners are found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from tdapp.domain import outcome
from tdapp.domain.index import Index
from tdapp.domain.model import (
    Bye,
    ByeKind,
    Division,
    Forfeit,
    Game,
    GameId,
    Player,
    PlayerId,
    Round,
    RoundState,
    Stage,
    StageId,
    Start,
)
from tdapp.domain.ruleset import KnockoutTie, Worth
from tdapp.domain.stages import group_count, present, settled, snaked, stage_before
from tdapp.domain.standings import standings

Slots = tuple[PlayerId | None, PlayerId | None]


@dataclass(frozen=True, slots=True)
class Match:
    """One place of the bracket: `number` counts from 1 within `round`, which counts from 1 within the stage.

    A player is None where the feeding match is not decided or nobody came out of it; `bye`: no opponent will come.
    `winner` is None until the match is decided, `game` until it is drawn up. The final is match 1 of the last
    round, the match for third place number 2.
    """

    round: int
    number: int
    players: Slots
    winner: PlayerId | None = None
    game: GameId | None = None
    bye: bool = False
    third_place: bool = False

    @property
    def key(self) -> str:
        """The row's identity in a table."""
        return f"{self.round}/{self.number}"

    @property
    def loser(self) -> PlayerId | None:
        """The one of two players who did not win."""
        first, second = self.players
        if self.winner is None or first is None or second is None:
            return None
        return second if self.winner == first else first


def drawn(seed: int, *what: int) -> int:
    """Return 64 bits that `seed` draws for `what`: the same for the same numbers, on every machine."""
    text = "/".join(map(str, (seed, *what)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def placed(index: Index, division: Division, after: int) -> tuple[Player, ...]:
    """Return a division's players as the pairing ranks them after round `after`, 0 for before the first.

    By standings; equals by rating, then by a draw from the tournament's seed.
    """
    return tuple(player for player, _ in ranked(index, division, after))


def ranked(index: Index, division: Division, after: int) -> tuple[tuple[Player, int], ...]:
    """Return the players in the order of `placed`, each with the rank that people see, shared by equals.

    Before the first round that is the place itself. Who has left and is not listed pushes nobody down.
    """
    seed = index.tournament.event.seed
    rank = dict.fromkeys((player.id for player in index.players(division.id)), 0)
    if after > 0:
        rows = standings(index, replace(division, list_withdrawn=True), after)
        rank |= {row.player.id: row.rank for row in rows}

    def key(player: Player) -> tuple[int, int, int, int]:
        rating = -1 if player.rating is None else player.rating
        return (rank[player.id], -rating, drawn(seed, player.number), player.number)

    found: list[tuple[Player, int]] = []
    before, shown = 0, 0
    for player in sorted(index.players(division.id), key=key):
        shown = shown if found and rank[player.id] and rank[player.id] == rank[found[-1][0].id] else before + 1
        found.append((player, shown))
        before += division.list_withdrawn or not index.withdrawn(player.id)
    return tuple(found)


# Systems in which everybody has a seat, which the first published round of the stage settles.
SEATED = frozenset({"knockout", "round-robin", "snake-groups", "team-round-robin"})


def players_of(index: Index, stage: Stage) -> tuple[PlayerId, ...]:
    """Return who plays a stage, in the order of the standings before it: the one rule that everything asks.

    Seats settle it where there are any. Otherwise whoever played the stage before plays this one, or with a `cut`
    the best of them: of groups equally many of each, then the best of the next ones. Who has left before the stage
    is skipped. A play-off leaves nobody out of the stage after it.
    """
    division = index.tournament.divisions[stage.division]
    first = index.first_round(stage.id)
    order = placed(index, division, first - 1)
    known = settled(index, stage)
    if known is not None:
        return tuple(player.id for player in order if player.id in known)
    before = stage_before(index, stage)
    pool = {player.id for player in index.players(division.id)} if before is None else {*players_of(index, before)}
    if stage.cut is None:
        return tuple(player.id for player in order if player.id in pool)
    there = [one.id for one in order if one.id in pool and not index.withdrawn_before(one.id, first)]
    return _best(there, stage.cut, _groups(index, before))


def _best(players: Sequence[PlayerId], count: int, group_of: Mapping[PlayerId, int]) -> tuple[PlayerId, ...]:
    """Return the best `count`, equally many of each group, then the best of the others, in the given order."""
    each = count // max(len({*group_of.values()}), 1)
    taken: dict[int, int] = {}
    even = set()
    for player in players:
        group = group_of.get(player, 0)
        taken[group] = taken.get(group, 0) + 1
        if taken[group] <= each:
            even.add(player)
    others = [player for player in players if player not in even][: count - len(even)]
    chosen = even.union(others)
    return tuple(player for player in players if player in chosen)


def groups_of(index: Index, stage: Stage) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the groups of a stage, each in the order of its seats; one group where the stage is one field."""
    return snaked(seats(index, stage.id, latecomers=True), group_count(stage))


def _groups(index: Index, stage: Stage | None) -> Mapping[PlayerId, int]:
    """Return the number of each player's group in a stage, nothing where it is one field."""
    if stage is None or group_count(stage) == 1:
        return {}
    groups = groups_of(index, stage)
    return {player: number for number, group in enumerate(groups, start=1) for player in group}


def seats(index: Index, stage: StageId, *, latecomers: bool = False) -> tuple[PlayerId, ...]:
    """Return who has seat 1, 2, ... of a stage.

    The stage's seed rows; where there are none, those of `players_of` who have not left before it. With
    `latecomers`, who joined the division after the stage's first round sits behind them, by number.
    """
    row = index.tournament.stages[stage]
    first = index.first_round(stage)
    rows = tuple(seed.player for seed in index.seeds(stage))
    sitting = rows or tuple(one for one in players_of(index, row) if not index.withdrawn_before(one, first))
    there = present(index, row.division, first)
    if not (latecomers and there):
        return sitting
    playing = {*players_of(index, row)}
    late = [one.id for one in index.players(row.division) if one.id in playing and one.id not in there.union(rows)]
    return tuple(player for player in sitting if player not in late) + tuple(late)


def slots(size: int) -> tuple[int, ...]:
    """Return the seeds in the order of the bracket; `size` is a power of two.

    o(2) = 1, 2; o(2s) = for p in o(s): p, 2s+1-p, so that 1 and 2 can only meet in the final.
    """
    order = [1, 2]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for place in order for seed in (place, total - place)]
    return tuple(order)


def rounds_needed(players: int) -> int:
    """Return how many rounds a knockout of `players`, at least 2, takes."""
    return max(1, (players - 1).bit_length())


def bracket(index: Index, stage: Stage) -> tuple[Match, ...]:
    """Return every match of a knockout stage, by round and number, as far as it is known."""
    return draw_up(index, stage, seats(index, stage.id))


def draw_up(index: Index, stage: Stage, seeds: Sequence[PlayerId]) -> tuple[Match, ...]:
    """Return the matches of a knockout between `seeds`, the best first; fewer than two seeds make none."""
    if len(seeds) < 2:  # noqa: PLR2004
        return ()
    last = rounds_needed(len(seeds))
    order = [seeds[seed - 1] if seed <= len(seeds) else None for seed in slots(2**last)]
    first = index.first_round(stage.id)
    by_number = {item.number: item for item in index.rounds(stage.division)}
    found: list[Match] = []
    current: list[Match] = []
    for number in range(1, last + 1):
        pairs = _pairs(order)
        semifinals, current = current, []
        played = _rows(index, by_number.get(first + number - 1))
        for place, players in enumerate(pairs, start=1):
            match = Match(number, place, players, bye=number == 1 and None in players)
            current.append(_decided(index, match, played.get(place)))
        if number == last and stage.settings.third_place and semifinals:
            losers = (semifinals[0].loser, semifinals[1].loser)
            third = Match(number, 2, losers, bye=_one_loser(semifinals), third_place=True)
            current.append(_decided(index, third, played.get(2)))
        found.extend(current)
        order = [match.winner for match in current]
    return tuple(found)


def _pairs(order: Sequence[PlayerId | None]) -> list[Slots]:
    return list(zip(order[::2], order[1::2], strict=True))


def _one_loser(semifinals: Sequence[Match]) -> bool:
    return any(match.bye for match in semifinals)


def _rows(index: Index, item: Round | None) -> Mapping[int, Game | Bye]:
    """Return a round's games and won byes by their place in the bracket; a draft's games only."""
    if item is None:
        return {}
    found: dict[int, Game | Bye] = {game.match: game for game in index.games(item.id) if game.match is not None}
    if item.state is RoundState.PUBLISHED:
        byes = index.byes(item.id)
        found |= {bye.match: bye for bye in byes if bye.match is not None and bye.kind is ByeKind.BYE}
    return found


def _decided(index: Index, match: Match, row: Game | Bye | None) -> Match:
    if isinstance(row, Bye):
        return replace(match, winner=row.player, bye=True)
    if isinstance(row, Game):
        players = (row.second, row.first) if row.second == match.players[0] else (row.first, row.second)
        return replace(match, players=players, winner=winner_of(index, row), game=row.id)
    through = next((player for player in match.players if player is not None), None)
    return replace(match, winner=through) if match.bye and not match.third_place else match


def winner_of(index: Index, game: Game) -> PlayerId | None:
    """Return who goes on after a game; None while it is open, its tie undecided, or nobody does (double forfeit).

    A ruling on the result goes first; after a tie the rule set may let the player go on who did not start.
    """
    result = index.result(game.id)
    if result is None:
        return None
    rules = index.tournament.ruleset
    decided = outcome.of_game(rules, result)
    tied = decided.first.worth is Worth.DRAW
    replier = tied and rules.knockout.tie is KnockoutTie.REPLIER and game.start is not Start.DRAW
    if result.advances in {Forfeit.FIRST, Forfeit.SECOND}:
        return game.first if result.advances is Forfeit.FIRST else game.second
    if decided.first.worth is Worth.WIN:
        return game.first
    return game.second if replier or decided.second.worth is Worth.WIN else None


def places(index: Index, stage: Stage) -> Mapping[PlayerId, int]:
    """Return the best place each player of a knockout has reached so far, equal for those not parted yet."""
    matches = bracket(index, stage)
    last = max((match.round for match in matches), default=0)
    reached = dict.fromkeys(seats(index, stage.id), 1)
    for match in matches:
        if match.loser is not None:
            reached[match.loser] = 4 if match.third_place else 2 ** (last - match.round) + 1
        if match.winner is not None and match.third_place:
            reached[match.winner] = 3
    return reached
