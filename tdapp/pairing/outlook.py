"""What a division plays for before a round: its contest for the prizes, who is decided, everybody's chances.

Hides where prizes, rounds left and scores come from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tdapp.domain.bracket import drawn
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, PrizeKind, Stage
from tdapp.domain.pairing_settings import Contention
from tdapp.domain.ruleset import Worth
from tdapp.domain.stages import first_counted
from tdapp.domain.standings import order_of
from tdapp.domain.systems import system_of
from tdapp.pairing import chances
from tdapp.pairing.arrays import Ints
from tdapp.pairing.chances import Chances
from tdapp.pairing.contention import Contender, Contest, Groups, Pairs, gibsonized, groups
from tdapp.pairing.field import Field
from tdapp.pairing.progress import Tick, untold

USUAL_PLACES = 3  # with a prize where none are listed: no more than a quarter of the field
_BY_SCORE = frozenset({"wins", "losses"})


@dataclass(frozen=True, slots=True)
class Outlook:
    """A contest with its chances; positions and places count from 0.

    `best` is each position's best place ever reached in a simulation; `rivals` holds for each place the lowest
    position that reaches it in the share of simulations that makes a player hopeful.
    """

    contest: Contest
    settings: Contention
    decided: frozenset[int]
    parts: Groups
    chances: Chances
    best: Ints
    rivals: Ints

    @property
    def lowest_casher(self) -> int:
        """The lowest position hopeful of a prize."""
        return int(self.rivals[min(self.contest.places, len(self.rivals)) - 1])

    def in_the_prizes(self, place: int) -> bool:
        """Tell whether a position ever reached a prize."""
        return int(self.best[place]) < self.contest.places


def outlook(contest: Contest, settings: Contention, *, seed: int, tick: Tick = untold) -> Outlook:
    """Return the contest's chances; `tick` gets how far the work is and may raise to end it."""
    decided = gibsonized(contest)
    found = chances.chances(contest, times=settings.simulations, seed=seed, tick=tick)
    return Outlook(
        contest=contest,
        settings=settings,
        decided=decided,
        parts=groups(contest, decided),
        chances=found,
        best=found.best(),
        rivals=chances.lowest(found.hopeful(hope(settings, contest.rounds_left))),
    )


def hope(settings: Contention, left: int) -> int:
    """Return the share of simulations that makes a player hopeful with `left` rounds left, per mille."""
    return _counted_back(settings.hopefulness, left)


def seed_of(field: Field, purpose: int = 0) -> int:
    """Return the seed of a round's simulations, drawn from the tournament's."""
    return drawn(field.seed, field.number, -1, purpose)


def contest_of(index: Index, stage: Stage, field: Field, *, opening: Sequence[Pairs] | None = None) -> Contest:
    """Return what a field plays for from its round on.

    `opening` are the positions of games that are paired but do not count yet, round by round; None: those of the
    rounds after the one on whose standings the field is placed.
    Without a list of prizes the first three places have one, or a quarter of a field of less than twelve.
    """
    rules, division = index.tournament.ruleset, index.tournament.divisions[stage.division]
    order = order_of(index, division, field.number - 1)
    left = rounds_left(index, stage, field.number)
    settings = stage.settings.contention
    by_points = order[0] == "points"
    opening = tuple(uncounted(index, field) if opening is None else opening)
    playing = Counter(place for pairs in opening for pair in pairs for place in pair)
    bye = rules.byes.bye
    return Contest(
        contenders=tuple(
            Contender(
                entrant.player,
                0 if by_points else int(Fraction(entrant.points) * rules.unit),
                int(2 * Fraction(entrant.points)) if by_points else entrant.spread,
                left + playing[place],
                _folded(entrant.category),
            )
            for place, entrant in enumerate(field.entrants)
        ),
        rounds_left=left,
        rounds=left + field.number - first_counted(index, stage),
        places=_places(index, stage.division, len(field.entrants)),
        win=0 if by_points else rules.units(Worth.WIN) - rules.units(Worth.LOSS),
        swing=_counted_back(settings.gibson_spread, left),
        by_spread=next((name for name in order if name not in _BY_SCORE), "") in {"spread", "points"},
        bye_spread=bye.spread,
        bare=_bare(index, stage.division),
        class_prizes=_class_prizes(index, stage.division),
        opening=opening,
    )


def uncounted(index: Index, field: Field, *, open_only: bool = False) -> tuple[Pairs, ...]:
    """Return the games of a field that its standings do not count, or those without a result, round by round."""
    places, source = field.places(), field.number - 1 if field.source is None else field.source
    found = []
    for item in index.published(index.tournament.stages[field.stage].division):
        games = index.open_games(item.id) if open_only else index.games(item.id)
        if item.number < field.number and (open_only or item.number > source):
            ends = [sorted((places.get(game.first, -1), places.get(game.second, -1))) for game in games]
            found.append(tuple(sorted((one, other) for one, other in ends if one >= 0)))
    return tuple(pairs for pairs in found if pairs)


def rounds_left(index: Index, stage: Stage, number: int) -> int:
    """Return the rounds from `number` on for the same standings: up to a cut, a knockout or a clean start."""
    left = max(0, index.first_round(stage.id) + stage.rounds - number)
    for item in index.stages(stage.division):
        if item.position <= stage.position:
            continue
        if not item.carry or item.cut is not None or item.play_off or system_of(item).bracket:
            break
        left += item.rounds
    return left


def _places(index: Index, division: DivisionId, count: int) -> int:
    return min(count, max(listed(index, division), default=max(1, min(USUAL_PLACES, count // 4))))


def listed(index: Index, division: DivisionId) -> frozenset[int]:
    """Return the places, from 1, that have a prize in the division's list."""
    return frozenset(
        prize.place for prize in index.prizes(division) if prize.kind is PrizeKind.RANK and not prize.category
    )


def _bare(index: Index, division: DivisionId) -> frozenset[int]:
    """Return the places, from 0, above the last prize that have none."""
    places = listed(index, division)
    return frozenset(range(max(places, default=0))) - {place - 1 for place in places}


def _class_prizes(index: Index, division: DivisionId) -> tuple[tuple[str, int], ...]:
    """Return how many places of each class have a prize, by class."""
    found: dict[str, int] = {}
    for prize in index.prizes(division):
        name = _folded(prize.category)
        if name and prize.kind in {PrizeKind.RANK, PrizeKind.CATEGORY}:
            found[name] = max(found.get(name, 0), prize.place)
    return tuple(sorted(found.items()))


def _folded(category: str) -> str:
    return category.strip().casefold()


def _counted_back(values: Sequence[int], left: int) -> int:
    """Return the value for so many rounds left, counted from the last round back; the last one holds before."""
    return values[min(max(left, 1), len(values)) - 1]
