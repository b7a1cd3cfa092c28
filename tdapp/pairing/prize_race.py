"""The contest for prizes before a round: decided ranks, chances, and opponents that the leader must meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from tdapp.domain.bracket import draw_random_bits
from tdapp.domain.index import Index
from tdapp.domain.model import Division, DivisionId, PrizeKind, Stage
from tdapp.domain.pairing_settings import PrizePairingSettings
from tdapp.domain.proposal import choose_standings_round
from tdapp.domain.records import compute_records, find_spread_cap, list_spread_caps
from tdapp.domain.ruleset import AwardBy, Worth
from tdapp.domain.stages import count_groups, find_first_counted_round, sort_players_by_seat, split_in_snake_order
from tdapp.domain.standings import build_ranked_field, find_tiebreak_order
from tdapp.domain.systems import get_system
from tdapp.pairing import chances
from tdapp.pairing.arrays import Ints
from tdapp.pairing.chances import (
    AlwaysWinningPlayer,
    RankChances,
    choose_simulation_count,
    count_tournament_wins,
    find_lowest_positions,
    make_factor_round,
    make_simulated_rounds,
    simulate_ranks,
)
from tdapp.pairing.clinch_bounds import (
    Contender,
    Contest,
    GibsonGroups,
    Pairs,
    find_gibsonized_positions,
    split_into_gibson_groups,
)
from tdapp.pairing.ending import RankingData, RoundValue
from tdapp.pairing.field import Entrant, PairingField, Tick, ignore_progress

USUAL_PLACES = 3  # default number of prizes: at most a quarter of the field
_BY_SCORE = frozenset({"wins", "losses"})
_LOSSES = {Worth.LOSS: 2, Worth.DRAW: 1, Worth.WIN: 0}  # in halves
_USUAL_POINTS = 380  # average points of a player before the first game


class PrizeRace(Struct, frozen=True):
    """The contest for prizes with its simulated chances. Positions and ranks count from 0."""

    contest: Contest
    settings: PrizePairingSettings
    decided: frozenset[int]  # positions
    groups: GibsonGroups
    chances: RankChances
    best_ranks: Ints  # for each position the best rank it can reach
    lowest_rivals: Ints  # for each rank the lowest position with a fair chance of this rank

    @property
    def lowest_prize_contender(self) -> int:
        return int(self.lowest_rivals[min(self.contest.places, len(self.lowest_rivals)) - 1])

    def can_win_prize(self, position: int) -> bool:
        return int(self.best_ranks[position]) < self.contest.places


def compute_prize_race(
    contest: Contest, settings: PrizePairingSettings, *, seed: int, tick: Tick = ignore_progress
) -> PrizeRace:
    decided = find_gibsonized_positions(contest)
    found = chances.compute_chances(contest, times=settings.simulations, seed=seed, tick=tick)
    return PrizeRace(
        contest=contest,
        settings=settings,
        decided=decided,
        groups=split_into_gibson_groups(contest, decided),
        chances=found,
        best_ranks=found.find_best_ranks(),
        lowest_rivals=chances.find_lowest_positions(
            found.find_likely_ranks(get_fair_chance(settings, contest.rounds_left))
        ),
    )


def get_fair_chance(settings: PrizePairingSettings, rounds_left: int) -> int:
    return _get_value_for_round(settings.hopefulness, rounds_left)


def make_simulation_seed(field: PairingField, purpose: int = 0) -> int:
    return draw_random_bits(field.seed, field.number, -1, purpose)


def build_contest(
    index: Index, stage: Stage, field: PairingField, *, opening: Mapping[int, Pairs] | None = None
) -> Contest:
    """Return the contest for ranks and prizes, as it is before the round of `field`.

    `opening` contains the games of earlier rounds whose results are not in the standings of `field`. By default
    they are found: all games after these standings. Without a prize list, a quarter of the players get a prize,
    at most three and at least one.
    """
    rules, division = index.tournament.rules_of(stage), index.tournament.divisions[stage.division]
    order = find_tiebreak_order(index, division, field.number - 1)
    left = count_rounds_left(index, stage, field.number)
    settings = stage.settings.contention
    by_points = order[0] == "points"
    opening = list_uncounted_games(index, field) if opening is None else opening
    playing = Counter(position for pairs in opening.values() for pair in pairs for position in pair)
    usual_points = _compute_average_points(index, division, field.number - 1)
    with_prize = list_prize_ranks(index, stage.division)
    usual = max(1, min(USUAL_PLACES, len(field.entrants) // 4))
    return Contest(
        contenders=tuple(
            _make_contender(
                entrant,
                rules.unit,
                left + playing[position],
                usual_points * playing[position] if by_points else None,
            )
            for position, entrant in enumerate(field.entrants)
        ),
        rounds_left=left,
        rounds=left + field.number - find_first_counted_round(index, stage),
        places=min(len(field.entrants), max(with_prize, default=usual)),
        win=0 if by_points else rules.convert_to_units(Worth.WIN) - rules.convert_to_units(Worth.LOSS),
        swing=_get_value_for_round(settings.gibson_spread, left),
        by_spread=next((name for name in order if name not in _BY_SCORE), "") in {"spread", "points"},
        safe_lead=rules.gibson.lead,
        bye_spread=0 if by_points else rules.byes.bye.spread,
        without_prize=frozenset(range(max(with_prize, default=0))) - {rank - 1 for rank in with_prize},
        class_prizes=_count_category_prizes(index, stage.division),
        uncounted_rounds=tuple(opening.values()),
    )


def _make_contender(entrant: Entrant, unit: int, rounds_left: int, open_game_points: int | None) -> Contender:
    points = Fraction(entrant.points)
    score, spread = (
        (int(points * unit), entrant.spread)
        if open_game_points is None
        else (0, 2 * (int(points) + open_game_points))
    )
    return Contender(entrant.player, score, spread, rounds_left, entrant.category.strip().casefold())


def _compute_average_points(index: Index, division: Division, after: int) -> int:
    made = [
        e.points
        for record in compute_records(index, division, after).values()
        for e in record
        if e.points is not None
    ]
    return sum(made) // len(made) if made else _USUAL_POINTS


def build_ranking_data(index: Index, stage: Stage, field: PairingField, opening: Iterable[int]) -> RankingData:
    division = index.tournament.divisions[stage.division]
    rules, caps = index.tournament.rules_of(division), list_spread_caps(index, division)
    source, left = (
        choose_standings_round(field.number, field.source),
        count_rounds_left(index, stage, field.number),
    )
    numbers = (*opening, *range(field.number, field.number + left))
    past, usual = (
        build_ranked_field(index, division, source, stage),
        _compute_average_points(index, division, source),
    )
    seats = split_in_snake_order(sort_players_by_seat(index, stage.id), count_groups(stage))
    listed = {
        one.id for one in past.players.values() if division.list_withdrawn or not index.has_withdrawn(one.id)
    }
    bye = rules.byes.bye
    points = bye.award.points if bye.award.by is AwardBy.FIXED else usual
    loss, draw, win = (
        RoundValue(rules.convert_to_units(worth), losses, 0, usual) for worth, losses in _LOSSES.items()
    )
    return RankingData(
        order=find_tiebreak_order(index, division, source),
        earlier_results=past,
        players=tuple(entrant.player for entrant in field.entrants),
        groups={player: number for number, group in enumerate(seats) for player in group if player in listed},
        round_values=(
            loss,
            draw,
            win,
            RoundValue(rules.convert_to_units(bye.counts_as), _LOSSES.get(bye.counts_as, 0), bye.spread, points),
        ),
        remaining_rounds=numbers,
        remaining_spread_caps=tuple(find_spread_cap(caps, number) for number in numbers),
        rounds_left=left,
        unplayed_rules=replace(
            past.unplayed_rules, rounds=past.unplayed_rules.rounds + sum(number > source for number in numbers)
        ),
    )


def list_uncounted_games(index: Index, field: PairingField, *, open_only: bool = False) -> Mapping[int, Pairs]:
    positions, source = field.map_positions(), choose_standings_round(field.number, field.source)
    found = {}
    for item in index.published(index.tournament.stages[field.stage].division):
        games = index.open_games(item.id) if open_only else index.games(item.id)
        if item.number < field.number and (open_only or item.number > source):
            ends = [sorted((positions.get(game.first, -1), positions.get(game.second, -1))) for game in games]
            found[item.number] = tuple(sorted((one, other) for one, other in ends if one >= 0))
    return {number: pairs for number, pairs in found.items() if pairs}


def count_rounds_left(index: Index, stage: Stage, number: int) -> int:
    left = max(0, index.first_round(stage.id) + stage.rounds - number)
    for item in index.stages(stage.division):
        if item.position <= stage.position:
            continue
        if not item.carry or item.cut is not None or item.play_off or get_system(item).is_knockout:
            break
        left += item.rounds
    return left


def find_cut_stage(index: Index, stage: Stage) -> Stage | None:
    later = [item for item in index.stages(stage.division) if item.position > stage.position and not item.play_off]
    return next((item for item in later if item.cut is not None), None)


def list_prize_ranks(index: Index, division: DivisionId) -> frozenset[int]:
    return frozenset(
        prize.place for prize in index.prizes(division) if prize.kind is PrizeKind.RANK and not prize.category
    )


def _count_category_prizes(index: Index, division: DivisionId) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for prize in index.prizes(division):
        name = prize.category.strip().casefold()
        if name and prize.kind in {PrizeKind.RANK, PrizeKind.CATEGORY}:
            found[name] = max(found.get(name, prize.place), prize.place)
    return tuple(sorted(found.items()))


def _get_value_for_round(values: Sequence[int], rounds_left: int) -> int:
    return values[min(max(rounds_left, 1), len(values)) - 1]


Rounds = tuple[Pairs, ...]

_LEAST = 1_000  # simulations of one player, however large the field
_TOP = 6  # players who meet by factor three with two rounds left
_SURE_ABOVE = 4  # remaining rounds in which only a certain winner meets the leader


class ControlRule(Struct, frozen=True):
    """A rule for the leader's opponent in the next round.

    Without the rule, the player at `place` can win all games and still lose the tournament.
    """

    place: int = 0
    places: tuple[int, ...] = ()  # positions, one of which must be the opponent
    share: int = 0  # how much more often the player at `place` wins by meeting the leader, in ‰ of the simulations
    factor: bool = False  # another rule applies instead: each of the first three meets one of the next three


class TournamentWinCounter:
    """Counts how often a player who wins all games wins the tournament."""

    def __init__(self, contest: Contest, settings: PrizePairingSettings, seed: int, group: int) -> None:
        self._contest = contest
        self._group = group
        self._seed = seed
        self.times = max(_LEAST, choose_simulation_count(contest, 10 * settings.control_simulations) // 10)
        self.threshold = settings.control_loss
        self.count = cache(self._count_wins)

    def _count_wins(self, rounds: Rounds, position: int, meets_leader: bool) -> int:
        favoured = AlwaysWinningPlayer(position, meets_leader, self._group)
        return count_tournament_wins(self._contest, rounds, favoured, times=self.times, seed=self._seed)


def find_control_rule(
    contest: Contest,
    groups: GibsonGroups,
    found: RankChances,
    settings: PrizePairingSettings,
    *,
    fair_chance: int,
    seed: int,
) -> ControlRule | None:
    """Return the rule for the leader's opponent. `fair_chance` is in ‰.

    Return None if no rule is needed, if the leader's rank is decided, or in the last round.

    With two rounds left, players 1, 2 and 3 meet players 4, 5 and 6, if each of the lower three has a fair
    chance to reach the opponent's rank. But if player 2 or 3 could then too often win both games and still lose
    the tournament, that player must meet the leader.
    """
    left, leaders = contest.rounds_left, groups.members[0]
    if left < 2 or 0 in groups.gibsonized_in_last_group:  # noqa: PLR2004
        return None
    wins = TournamentWinCounter(contest, settings, seed, len(leaders))
    if left == 2 and leaders[:_TOP] == tuple(range(_TOP)):  # noqa: PLR2004
        by_factor = choose_factor_rule(contest, groups, wins, fair_chance, seed)
        if by_factor is not None:
            return by_factor
    if left > settings.control_rounds:
        return None
    rounds = make_simulated_rounds(contest, groups, found.factor)
    last = min(int(find_lowest_positions(found.find_likely_ranks(fair_chance))[0]), leaders[-1])
    return find_control_loser(wins, rounds, last, left, first=left == settings.control_rounds)


def choose_factor_rule(
    contest: Contest, groups: GibsonGroups, wins: TournamentWinCounter, fair_chance: int, seed: int
) -> ControlRule | None:
    count = contest.count
    rounds = (make_factor_round(groups, 3, 3, count), make_factor_round(groups, 1, 1, count))
    reached = simulate_ranks(contest, rounds, times=wins.times, seed=seed).cumsum(axis=1)
    if any(1000 * int(reached[position + 3, position]) < fair_chance * wins.times for position in range(3)):
        return None
    for position in (1, 2):
        lost = wins.count(rounds, position, True) - wins.count(rounds, position, False)
        if 1000 * lost >= wins.threshold * wins.times:
            return ControlRule(position, (position,), 1000 * lost // wins.times)
    return ControlRule(factor=True)


def find_control_loser(
    wins: TournamentWinCounter, rounds: Rounds, last: int, rounds_left: int, *, first: bool
) -> ControlRule | None:
    """Return the opponents that the leader may meet, so that a pursuer who wins all games wins the tournament.

    In simulations a pursuer wins all games, once with and once without a game against the leader. The function
    finds the highest pursuer who wins the tournament much less often without that game. The leader must meet
    this pursuer. With more than four rounds left, the leader may instead meet the player one rank above the
    pursuer, except with `first` (the first round in which such a rule applies). Return None if every pursuer
    wins often enough without meeting the leader.
    """

    def count_lost_wins(position: int) -> int:
        return wins.count(rounds, position, True) - wins.count(rounds, position, False)

    def loses_control(position: int) -> bool:
        sure = rounds_left <= _SURE_ABOVE or wins.count(rounds, position, True) == wins.times
        return sure and 1000 * count_lost_wins(position) >= wins.threshold * wins.times

    child, low, high = _find_loser_one_by_one(wins, rounds, last) if rounds_left == 2 else None, 1, last  # noqa: PLR2004
    while child is None and low <= high:
        middle = (low + high) // 2
        low, high = (low, middle - 1) if loses_control(middle) else (middle + 1, high)
    if child is None and low <= last:
        child = low
    if child is None:
        return None
    above = (child - 1,) if rounds_left > _SURE_ABOVE and not first and child > 1 else ()
    return ControlRule(child, (*above, child), 1000 * count_lost_wins(child) // wins.times)


def _find_loser_one_by_one(wins: TournamentWinCounter, rounds: Rounds, last: int) -> int | None:
    for position in range(1, last + 1):
        meeting, avoiding = (wins.count(rounds, position, meets) for meets in (True, False))
        if avoiding < wins.times or meeting < wins.times:
            return position if meeting > avoiding else None
    return None
