"""Players and seeds of a stage, the bracket of a knockout, and ties at a cut.

A cut admits only the best players to a stage. A seed is a player's position in a stage, from 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain import matches, outcome
from tdapp.domain.elimination import count_knockout_rounds, make_bracket_round_code
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.matches import (
    KnockoutMatchState,
    Match,
    build_matches,
    compute_bracket_round_and_game,
    compute_stage_round_number,
    find_players_missing_from_matches,
)
from tdapp.domain.model import (
    Bye,
    Division,
    Game,
    GameId,
    Player,
    PlayerId,
    Result,
    Round,
    Seed,
    SeedId,
    Stage,
    StageId,
)
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.ruleset import Outcome
from tdapp.domain.stages import (
    count_groups,
    find_division_players_at_round,
    find_previous_stage_except_play_off,
    find_stage_players_or_none_if_inherited,
    split_players_in_snake_order,
)
from tdapp.domain.standings import compute_standings, make_division_that_lists_withdrawn
from tdapp.domain.systems import KNOCKOUT, get_pairing_system


def generate_random_bits(seed: int, *keys: int) -> int:
    """Return 64 pseudorandom bits. Equal arguments give equal bits."""
    text = "/".join(map(str, (seed, *keys)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def list_players_in_pairing_order(
    index: TournamentIndex, division: Division, after_round: int
) -> tuple[Player, ...]:
    """Return the players sorted by standings, then by rating, then at random.

    With `after_round` 0, only rating and chance decide.
    """
    return tuple(player for player, _ in list_players_with_ranks(index, division, after_round))


def list_players_with_ranks(
    index: TournamentIndex, division: Division, after_round: int
) -> tuple[tuple[Player, int], ...]:
    """Return the players in the order of `list_players_in_pairing_order`, each with the displayed rank.

    Before round 1 the rank is the position in this order.
    """
    seed = index.tournament.event.seed
    rows = (
        compute_standings(index, make_division_that_lists_withdrawn(division), after_round)
        if after_round > 0
        else ()
    )
    rank = dict.fromkeys((player.id for player in index.players(division.id)), len(rows) + 1 if rows else 0)
    rank |= {row.player.id: row.rank for row in rows}
    merits = {
        player.id: (rank[player.id], 1 if player.rating is None else -player.rating)
        for player in index.players(division.id)
    }
    merit_counts = Counter(merits.values())

    def sort_key(player: Player) -> tuple[int, ...]:
        merit = merits[player.id]
        return (
            merit
            if merit_counts[merit] == 1
            else (*merit, generate_random_bits(seed, player.number), player.number)
        )

    ranked_players: list[tuple[Player, int]] = []
    players_ahead = 0
    for player in sorted(index.players(division.id), key=sort_key):
        has_same_rank = ranked_players and rank[player.id] and rank[player.id] == rank[ranked_players[-1][0].id]
        ranked_players.append((player, ranked_players[-1][1] if has_same_rank else players_ahead + 1))
        players_ahead += division.list_withdrawn or not index.has_withdrawn_by_round(player.id, after_round + 1)
    return tuple(ranked_players)


def find_stage_players(index: TournamentIndex, stage: Stage) -> frozenset[PlayerId]:
    """Return the seeded players of a stage, or the players who qualify if it has no seeds.

    A club evening has all players of the division.
    """
    fixed_players = find_stage_players_or_none_if_inherited(index, stage)
    return find_qualified_players(index, stage) if fixed_players is None else fixed_players


def find_qualified_players(index: TournamentIndex, stage: Stage) -> frozenset[PlayerId]:
    """Return the players who qualify for a stage by results, regardless of its seeds.

    After a stage with groups, the same number qualifies from each group. The best of the rest also
    qualify until all places are taken.
    """
    previous_stage = find_previous_stage_except_play_off(index, stage)
    eligible_players = (
        find_stage_players(index, previous_stage)
        if previous_stage
        else frozenset(player.id for player in index.players(stage.division))
    )
    if stage.cut is None:
        return eligible_players
    first = index.get_first_round_number(stage.id)
    division = index.tournament.divisions[stage.division]
    order = list_players_in_pairing_order(index, division, _find_last_round_before_stage(index, stage))
    candidates = [
        player.id
        for player in order
        if player.id in eligible_players and not index.has_withdrawn_by_round(player.id, first)
    ]
    return frozenset(
        select_qualifiers_by_group_quota(candidates, stage.cut, map_group_numbers_in_previous_stage(index, stage))
    )


def list_stage_players_in_pairing_order(index: TournamentIndex, stage: Stage) -> tuple[PlayerId, ...]:
    stage_players = find_stage_players(index, stage)
    division = index.tournament.divisions[stage.division]
    order = list_players_in_pairing_order(index, division, _find_last_round_before_stage(index, stage))
    return tuple(player.id for player in order if player.id in stage_players)


def _find_last_round_before_stage(index: TournamentIndex, stage: Stage) -> int:
    """Return the round whose standings select and order the players of a stage.

    While they can still change, use the same round as the current standings.
    """
    last = index.get_first_round_number(stage.id) - 1
    if are_stage_players_provisional(index, stage):
        return min(last, index.get_last_round_with_results(stage.division))
    return last


def select_qualifiers_by_group_quota(
    players: Sequence[PlayerId], count: int, group_of: Mapping[PlayerId, int]
) -> tuple[PlayerId, ...]:
    """Return the `count` players who qualify, in the order of `players`: the best player first.

    `group_of` gives each player's group. If `group_of` is not empty, take the same number from each group, then
    the best of the rest.
    """
    if not group_of:
        return tuple(players[:count])
    group_quota = count // len({*group_of.values()})
    group_counts: Counter[int | None] = Counter()
    group_qualifiers = set()
    for player in players:
        group = group_of.get(player)
        group_counts[group] += 1
        if group_counts[group] <= group_quota:
            group_qualifiers.add(player)
    other_qualifiers = [player for player in players if player not in group_qualifiers][
        : count - len(group_qualifiers)
    ]
    qualifiers = group_qualifiers.union(other_qualifiers)
    return tuple(player for player in players if player in qualifiers)


def list_stage_groups(index: TournamentIndex, stage: Stage) -> tuple[tuple[PlayerId, ...], ...]:
    return split_players_in_snake_order(
        list_players_in_seed_order(index, stage.id, include_latecomers=True), count_groups(stage)
    )


def map_group_numbers_in_previous_stage(index: TournamentIndex, stage: Stage) -> Mapping[PlayerId, int]:
    previous_stage = find_previous_stage_except_play_off(index, stage)
    if previous_stage is None or count_groups(previous_stage) == 1:
        return {}
    groups = list_stage_groups(index, previous_stage)
    return {player: number for number, group in enumerate(groups, start=1) for player in group}


def list_players_in_seed_order(
    index: TournamentIndex, stage: StageId, *, include_latecomers: bool = False
) -> tuple[PlayerId, ...]:
    """Return the players of a stage in the order of their seeds.

    If the stage has no seeds, sort the players by the standings before its first round, and omit players withdrawn
    before that round. With `include_latecomers`, players who joined after that round come last.
    """
    row = index.tournament.stages[stage]
    first = index.get_first_round_number(stage)
    seeded_players = tuple(seed.player for seed in index.seeds(stage))
    seated_players = seeded_players or tuple(
        player
        for player in list_stage_players_in_pairing_order(index, row)
        if not index.has_withdrawn_by_round(player, first)
    )
    original_players = find_division_players_at_round(index, row.division, first)
    if not (include_latecomers and original_players):
        return seated_players
    stage_players = find_stage_players(index, row)
    latecomers = [
        player.id
        for player in index.players(row.division)
        if player.id in stage_players and player.id not in original_players.union(seeded_players)
    ]
    return tuple(player for player in seated_players if player not in latecomers) + tuple(latecomers)


def map_players_by_seed(index: TournamentIndex, stage: Stage) -> Mapping[int, PlayerId]:
    """Return the players of a knockout by seed number, from 1. The opponent of a missing seed has a bye."""
    rows = index.seeds(stage.id)
    if rows:
        return {row.number: row.player for row in rows}
    return dict(enumerate(list_players_in_seed_order(index, stage.id), start=1))


def list_byes_replaceable_by_latecomer(
    index: TournamentIndex, round_row: Round, player: PlayerId
) -> tuple[Bye, ...]:
    """Return the byes that a game against the late `player` can replace.

    In a knockout, return only first-round byes, weakest seed first. Return none once the second round exists.
    """
    byes = [bye for bye in index.list_byes_for_lack_of_opponent(round_row.id) if bye.player != player]
    stage = index.tournament.stages[round_row.stage]
    if not get_pairing_system(stage).is_knockout:
        return tuple(byes)
    if (
        round_row.number != index.get_first_round_number(stage.id)
        or index.rounds(stage.division)[-1].id != round_row.id
    ):
        return ()
    seeds = map_players_by_seed(index, stage)
    seed_of = {seeded_player: number for number, seeded_player in seeds.items()}
    replaceable_byes = [
        bye
        for bye in byes
        if bye.player in seed_of and _compute_first_opponent_seed(seeds, seed_of[bye.player]) not in seeds
    ]
    return tuple(sorted(replaceable_byes, key=lambda bye: -seed_of[bye.player]))


def make_latecomer_seed(index: TournamentIndex, round_row: Round, player: PlayerId, bye: Bye) -> Seed:
    seeds = map_players_by_seed(index, index.tournament.stages[round_row.stage])
    number = _compute_first_opponent_seed(
        seeds, next(number for number, seeded_player in seeds.items() if seeded_player == bye.player)
    )
    return Seed(make_seed_id(round_row, number), round_row.stage, number, player)


def make_seed_id(round_row: Round, number: int) -> SeedId:
    return SeedId(f"{round_row.id}.s{number}")


def _compute_first_opponent_seed(seeds: Mapping[int, PlayerId], number: int) -> int:
    return int(2 ** count_knockout_rounds(max(seeds))) + 1 - number


def is_match_tied_after_game(index: TournamentIndex, game: GameId) -> bool:
    """Return whether a knockout match is tied after this game and needs an extra game."""
    row, result = index.tournament.games[game], index.get_result(game)
    stage = index.tournament.stages[index.tournament.rounds[row.round].stage]
    if not get_pairing_system(stage).is_knockout or result is None:
        return False
    if stage.settings.series == 1:
        return outcome.score_game(index.tournament.get_ruleset_of_row(stage), result).first.outcome is Outcome.DRAW
    index_without_ruling = TournamentIndex(index.tournament.put(replace(result, advances=None)))
    return any(
        match.last_game == game and match.score.verdict is KnockoutMatchState.LEVEL
        for match in build_bracket(index_without_ruling, stage)
    )


def list_undecided_tied_games(index: TournamentIndex, bracket: Sequence[Match]) -> tuple[Game, ...]:
    """Return the last game of each tied match whose winner is not yet entered."""
    return tuple(
        index.tournament.games[match.last_game]
        for match in bracket
        if match.last_game is not None and match.score.verdict is KnockoutMatchState.LEVEL
    )


def find_matches_contradicting_results(
    index: TournamentIndex, stage: Stage, bracket: Sequence[Match]
) -> tuple[tuple[Match, PlayerId, int], ...]:
    """Return the matches with a pairing that contradicts earlier results.

    Each match comes with a player who should play in it but does not, and with the number of its first round.
    """
    rounds_before = index.get_first_round_number(stage.id) - 1
    contradictions = (
        (
            match,
            player,
            rounds_before + compute_stage_round_number(match.node.bracket_round, 1, stage.settings.series),
        )
        for match, player in find_players_missing_from_matches(index, bracket)
    )
    return tuple(
        (match, player, number)
        for match, player, number in contradictions
        if index.find_absence(player, number) is None
    )


def find_decider_of_drawn_match(index: TournamentIndex, stage: Stage, match: Match) -> str:
    """Return what decided a drawn match, or "" if it was not drawn.

    The values are "replier" (the second player wins by rule), "ruling" (the director entered the winner)
    and "spread" (the total spread).
    """
    if match.winner is None or match.last_game is None or (stage.settings.series > 1 and stage.settings.aggregate):
        return ""
    result = index.get_result(match.last_game)
    if result is None or not _is_match_drawn(index, stage, match, result):
        return ""
    if match.score.spread:  # a series of games
        return "spread"
    return "ruling" if result.advances is not None else "replier"


def _is_match_drawn(index: TournamentIndex, stage: Stage, match: Match, result: Result) -> bool:
    if stage.settings.series > 1:
        return match.score.halves[0] == match.score.halves[1]
    return outcome.score_game(index.tournament.get_ruleset_of_row(stage), result).first.outcome is Outcome.DRAW


def build_bracket(index: TournamentIndex, stage: Stage) -> tuple[Match, ...]:
    return build_matches(index, stage, map_players_by_seed(index, stage))


def find_round_code_and_game_number(index: TournamentIndex, stage: Stage, number: int) -> tuple[str, int]:
    """Return the code of round `number`, for example "semifinal", and a game number.

    Example: ("final", 2) is the second game of the final, if each match is a series of games. If each match is one
    game, the game number is 0. If the round has no special name, the code is "".
    """
    if stage.evening:
        return f"game/{number - index.get_first_round_number(stage.id) + 1}", 0
    settings = stage.settings
    bracket_round, game = compute_bracket_round_and_game(
        number - index.get_first_round_number(stage.id) + 1, settings.series
    )
    seeds = map_players_by_seed(index, stage) if get_pairing_system(stage).is_knockout else ()
    return make_bracket_round_code(seeds, bracket_round, settings.elimination), game if settings.series > 1 else 0


def are_knockout_matches_decided(index: TournamentIndex, stage: Stage) -> bool:
    bracket = build_bracket(index, stage)
    return bool(bracket) and all(match.is_decided or not match.is_needed for match in bracket)


def compute_worst_possible_knockout_ranks(index: TournamentIndex, stage: Stage) -> Mapping[PlayerId, int]:
    """Return for each player the worst final rank still possible.

    Players still in the same round share a rank. Disqualified players have no rank, and the players behind
    them move up.
    """
    ranks = matches.compute_current_knockout_ranks(build_bracket(index, stage))
    disqualified_ranks = [rank for player, rank in ranks.items() if index.is_disqualified(player)]
    return {
        player: rank - sum(disqualified_rank < rank for disqualified_rank in disqualified_ranks)
        for player, rank in ranks.items()
        if not index.is_disqualified(player)
    }


class CutTie(Struct, frozen=True):
    """Tied players at a cut, of whom only some qualify."""

    players: tuple[PlayerId, ...]
    places: int  # number of the tied players who qualify


def find_cut_ties(index: TournamentIndex, stage: Stage) -> tuple[CutTie, ...]:
    """Find tied players of whom only some qualify for `stage`. Return the ties sorted by rank.

    If the previous stage had groups, a tie can be inside one group or between groups.
    """
    if not _is_cut_due(index, stage):
        return ()
    qualifiers = find_stage_players(index, stage)
    group_of = map_group_numbers_in_previous_stage(index, stage)
    players_by_rank: dict[int, list[PlayerId]] = defaultdict(list)
    for player, rank in _list_eligible_players(index, stage):
        players_by_rank[rank].append(player)
    tied_groups = [
        group
        for players in players_by_rank.values()
        for group in _list_groups_split_by_cut(players, group_of, qualifiers)
    ]
    return tuple(CutTie(group, sum(player in qualifiers for player in group)) for group in tied_groups)


def find_missing_and_extra_qualifiers(
    index: TournamentIndex, stage: Stage
) -> tuple[tuple[PlayerId, ...], tuple[PlayerId, ...]]:
    """Return the qualified players missing from the stage, and its players who do not qualify by current results.

    Compare only if the stage has a cut, exactly one published round, and no seeds set by hand. Otherwise return
    two empty tuples.
    """
    rounds = [item for item in index.list_published_rounds(stage.division) if item.stage == stage.id]
    if stage.cut is None or len(rounds) != 1:
        return (), ()
    if any(row.id != make_seed_id(rounds[0], row.number) for row in index.seeds(stage.id)):
        return (), ()
    stage_players, qualified_players = find_stage_players(index, stage), find_qualified_players(index, stage)
    division = index.tournament.divisions[stage.division]
    ranks = {player.id: rank for player, rank in list_players_with_ranks(index, division, rounds[0].number - 1)}
    tied_ranks = {ranks[player] for player in stage_players - qualified_players}.intersection(
        ranks[player] for player in qualified_players - stage_players
    )
    missing_players, extra_players = (
        [player for player in players if ranks[player] not in tied_ranks]
        for players in (qualified_players - stage_players, stage_players - qualified_players)
    )
    order = [player.id for player in index.players(division.id)]
    return tuple(sorted(missing_players, key=order.index)), tuple(sorted(extra_players, key=order.index))


def _list_groups_split_by_cut(
    players: Sequence[PlayerId], group_of: Mapping[PlayerId, int], qualifiers: frozenset[PlayerId]
) -> list[tuple[PlayerId, ...]]:
    players_by_group: dict[int | None, list[PlayerId]] = defaultdict(list)
    for player in players:
        players_by_group[group_of.get(player)].append(player)
    split_groups = [tuple(group) for group in players_by_group.values() if _is_split_by_cut(group, qualifiers)]
    return split_groups or ([tuple(players)] if _is_split_by_cut(players, qualifiers) else [])


def get_first_cut_tie_or_refuse(index: TournamentIndex, stage: Stage) -> CutTie:
    ties = find_cut_ties(index, stage)
    if not ties:
        raise CommandError("no-tie-at-cut")
    return ties[0]


def select_qualifiers_by_rank_and_lot(index: TournamentIndex, stage: Stage) -> tuple[PlayerId, ...]:
    seed, players = index.tournament.event.seed, index.tournament.players
    number = index.get_first_round_number(stage.id)

    def sort_key(row: tuple[PlayerId, int]) -> tuple[int, int]:
        return row[1], generate_random_bits(seed, number, players[row[0]].number)

    order = [player for player, _ in sorted(_list_eligible_players(index, stage), key=sort_key)]
    return select_qualifiers_by_group_quota(
        order, stage.cut or len(order), map_group_numbers_in_previous_stage(index, stage)
    )


def make_play_off_stage(stage: Stage, tie: CutTie, key: StageId) -> Stage:
    """Return a knockout stage with the id `key` that decides `tie` and precedes `stage`.

    It ends when `tie.places` players remain. If no round leaves exactly this number, the knockout decides the
    rank of every tied player.
    """
    rounds = (len(tie.players) - 1).bit_length()
    remaining_counts = [2 ** (rounds - bracket_round) for bracket_round in range(1, rounds + 1)]
    settings = PairingSettings()
    if tie.places in remaining_counts:
        rounds = remaining_counts.index(tie.places) + 1
    else:
        settings = replace(settings, elimination=EliminationKind.CLASSIFICATION)
    return Stage(key, stage.division, stage.position, KNOCKOUT.id, rounds, settings, carry=True, play_off=True)


def _is_split_by_cut(players: Sequence[PlayerId], qualifiers: frozenset[PlayerId]) -> bool:
    qualifier_count = sum(player in qualifiers for player in players)
    return 0 < qualifier_count < len(players)


def are_stage_players_provisional(index: TournamentIndex, stage: Stage) -> bool:
    first = index.get_first_round_number(stage.id)
    has_begun = len(index.list_published_rounds(stage.division)) >= first
    return first > 1 and not has_begun and not index.seeds(stage.id) and not _is_cut_due(index, stage)


def _is_cut_due(index: TournamentIndex, stage: Stage) -> bool:
    published_rounds = index.list_published_rounds(stage.division)
    return len(published_rounds) == index.get_first_round_number(stage.id) - 1 and not any(
        index.list_open_tables(item.id) for item in published_rounds
    )


def _list_eligible_players(index: TournamentIndex, stage: Stage) -> list[tuple[PlayerId, int]]:
    division = index.tournament.divisions[stage.division]
    first = index.get_first_round_number(stage.id)
    eligible_players = find_stage_players(index, replace(stage, cut=None))
    return [
        (player.id, rank)
        for player, rank in list_players_with_ranks(index, division, first - 1)
        if player.id in eligible_players and not index.has_withdrawn_by_round(player.id, first)
    ]
