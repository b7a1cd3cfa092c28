"""Rounds of every system in events in which everything happens, with costs, tables and reasons; and the parts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import (
    draw_qualifiers,
    find_awaited_players,
    find_first_tie,
    find_ties,
    list_byes_for_late,
    list_groups,
    list_in_pairing_order,
    list_seats,
    list_stage_players,
    list_with_ranks,
    map_previous_groups,
)
from tdapp.domain.index import Index
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    Constraint,
    ConstraintId,
    ConstraintKind,
    Forfeit,
    PlayerId,
    Prize,
    PrizeId,
    PrizeKind,
    Reason,
    Result,
    ResultState,
    Stage,
    StageId,
    TableGroup,
    TableGroupId,
)
from tdapp.domain.pairing_settings import Contention, Elimination, PairingSettings, PairingStyle, Quarters
from tdapp.domain.stages import (
    find_counted_rounds,
    find_first_counted_round,
    find_stage_at,
    list_counting_stages,
    split_in_snake_order,
)
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose
from tdapp.pairing.arrays import np
from tdapp.pairing.chances import chances
from tdapp.pairing.clinch_bounds import Contender, Contest, Groups, class_pairs, fates, gibsonized, groups
from tdapp.pairing.field import field_of
from tdapp.pairing.prize_race import contest_of, control, hope, outlook, rounds_left, seed_of, uncounted
from tdapp.pairing.proposing import SYSTEMS
from tdapp.pairing.recheck import repaired, would_differ
from tdapp.pairing.system import Claim, assigned, unserved
from tdapp.pairing.systems.cop import _chase, _why, rules_of, weights
from tdapp.pairing.systems.places import cut
from tdapp.pairing.systems.roundrobin import berger, turns
from tdapp.pairing.systems.snakegroups import sizes
from tests.building import ruleset
from tests.pairing.states import STAGE, A, event, published
from tests.pinned import outcome_of, pinned, told

QUICK = Contention(simulations=1_000, control_simulations=1_000)
SETTINGS: dict[str, list[PairingSettings]] = {
    "swiss": [
        PairingSettings(style=style, avoid=("club", "country"), avoid_until=3, guard_starts=place % 2 == 0)
        for place, style in enumerate(PairingStyle)
    ],
    "king-of-the-hill": [PairingSettings(max_repeats=1, level_rounds=2), PairingSettings(repeats_from=3)],
    "factor": [PairingSettings(factor=2), PairingSettings(behind=1, style=PairingStyle.FOLD)],
    "quartiles": [PairingSettings(quarters=one) for one in Quarters],
    "australian": [PairingSettings(), PairingSettings(repeats_from=3)],
    "prize": [
        PairingSettings(contention=QUICK),
        PairingSettings(contention=replace(QUICK, top_down_byes=True, repeat_byes=True), behind=1),
    ],
    "snake-groups": [PairingSettings()],
    "team-swiss": [PairingSettings(draw_starts=True)],
    "team-round-robin": [PairingSettings()],
    "random": [PairingSettings(), PairingSettings(max_repeats=2)],
    "round-robin": [PairingSettings(), PairingSettings(groups=2), PairingSettings(groups=3, double=True)],
}


def field(count: int, system: str, settings: PairingSettings, *, rounds: int, seed: int) -> Tournament:
    """Return an event of people with clubs, tables and needs, some away, some kept apart, and two rooms."""
    value = event(count, system=system, rounds=rounds, settings=settings, seed=seed, ruleset=ruleset("no-nsf"))
    people = [
        replace(
            person,
            club="XY Z"[person.number % 4].strip(),
            country=("no", "NO ", "de", "")[person.number // 2 % 4],
            team=f"T{person.number % 3}",
            category="AB"[person.number % 2],
            fixed_table=2 if person.number == 5 else None,
            needs_access=person.number == 7,
        )
        for person in value.players.values()
    ]
    away = Absence(AbsenceId("a"), PlayerId("p3"), 2, 2, ByeKind.REQUESTED)
    gone = Absence(AbsenceId("b"), PlayerId("p6"), 4, None)
    wishes = [
        Constraint(ConstraintId("n"), PlayerId("p1"), PlayerId("p2")),
        Constraint(ConstraintId("k"), PlayerId("p4"), PlayerId("p5"), ConstraintKind.APART),
        Constraint(ConstraintId("t"), PlayerId("p2"), PlayerId("p5"), ConstraintKind.TOGETHER, 3),
    ]
    rooms = [TableGroup(TableGroupId("r"), A, "Hall", 1, 2), TableGroup(TableGroupId("q"), A, "Stage", 9, 9, True)]
    kinds = [(PrizeKind.RANK, 1, ""), (PrizeKind.RANK, 3, ""), (PrizeKind.CATEGORY, 2, "b")]
    kinds.append((PrizeKind.RANK, 1, "A"))
    prizes = [
        Prize(PrizeId(f"z{at}"), A, at, kind, place, category)
        for at, (kind, place, category) in enumerate(kinds, 1)
    ]
    keep = replace(value.divisions[A], keep_tables=True, sessions=(4,), list_withdrawn=False)
    return value.put(*people, away, gone, *wishes, *rooms, *prizes, keep)


def scored(value: Tournament, rng: Random) -> Tournament:
    for game in value.games.values():
        if game.id in value.results:
            continue
        first = rng.randint(300, 480)
        result = Result(game.id, ResultState.ENTERED, first, first + rng.choice([-120, -9, 0, 8, 8, 60]))
        if rng.random() < 0.08:
            result = Result(game.id, ResultState.ENTERED, forfeit=rng.choice(list(Forfeit)))
        value = value.put(result)
    return value


def round_of(value: Tournament) -> tuple[Tournament, list[str]]:
    proposal = propose(Index(value), A)
    lines = [f" round {proposal.number} {told(proposal.cost)} {told(proposal.relaxed)} {proposal.source}"]
    for game in proposal.games:
        pair = f"{game.table} {game.first}-{game.second} {game.start.value} {game.locked:d}"
        lines.append(f"  {pair} {told(game.reason)}")
    lines += [f"  bye {bye.player} {bye.kind.value} {bye.spread} {told(bye.reason)}" for bye in proposal.byes]
    return published(value, proposal), lines


def played_out(value: Tournament, rounds: int, seed: int) -> Iterator[tuple[Tournament, list[str]]]:
    rng = Random(seed)
    for _ in range(rounds):
        found: list[tuple[Tournament, list[str]]] = []
        refused = outcome_of(lambda now=value, kept=found: kept.append(round_of(now)))  # type: ignore[misc]
        if not found:
            yield value, [f" {refused}"]
            return
        value, lines = found[0]
        value = scored(value, rng)
        yield value, lines


def touched(value: Tournament) -> Tournament:
    """Return the tournament as if the director had kept some tables, made some, and seated a latecomer."""
    for game in value.games.values():
        number, late = value.rounds[game.round].number, value.players[game.second].number
        if (number + game.table) % 4 == 0:
            value = value.put(replace(game, locked=True))
        elif (number + game.table) % 4 == 1:
            value = value.put(replace(game, reason=Reason("by-hand") if number % 2 else None))
        elif number == 4 and game.table == 2:
            value = value.put(replace(game, reason=Reason("latecomer", (("late", late),))))
    byes = [bye for bye in value.byes.values() if value.rounds[bye.round].number in {2, 3, 5}]
    return value.put(*(replace(bye, reason=Reason("by-hand") if at % 2 else None) for at, bye in enumerate(byes)))


def rounds_of(system: str) -> Iterator[str]:
    for number, settings in enumerate(SETTINGS[system]):
        for count in (9,) if system == "prize" or len(SETTINGS[system]) > 2 else (8, 11):
            yield f"{system} {number} of {count}"
            value = field(count, system, settings, rounds=6, seed=count + number)
            for last, lines in played_out(value, 6, number):
                yield from lines
                value = last
            yield f" repaired {told(repaired(value, A))}"
            one = next(iter(value.results.values()))
            turned = value.put(replace(one, first=one.second, second=one.first))
            yield f" would differ {told(would_differ(value, turned, A))}"
            by_hand = touched(value)
            other = by_hand.put(turned.results[one.id])
            yield f" by hand {told(repaired(by_hand, A))} {told(would_differ(by_hand, other, A))}"


@pytest.mark.parametrize("system", SETTINGS)
def test_the_rounds_of_an_eventful_field_are_pinned(system: str) -> None:
    made, kept = pinned(__file__, f"rounds-{system}", rounds_of(system))
    assert made == kept


def test_every_system_with_settings_of_its_own_is_here() -> None:
    assert set(SETTINGS) == SYSTEMS.keys() - {"manual", "knockout"}


# --- what is played for


def outlooks() -> Iterator[str]:
    for count, rounds in ((5, 4), (8, 6), (12, 8)):
        settings = PairingSettings(contention=QUICK)
        value = field(count, "swiss", settings, rounds=rounds, seed=count)
        stage = value.stages[STAGE]
        later = replace(stage, id=StageId("l"), position=2, rounds=2, carry=count != 8)
        value = value.put(later) if count != 5 else value.drop(*value.prizes.values())
        for now, _ in played_out(value, rounds - 1, count):
            yield from seen(now, stage)
    value = field(5, "swiss", PairingSettings(contention=QUICK), rounds=3, seed=3)
    value = value.put(replace(value.divisions[A], order=("points", "wins")))
    for now, _ in played_out(value, 2, 3):
        yield from seen(now, value.stages[STAGE])


def seen(value: Tournament, stage: Stage) -> Iterator[str]:

    index = Index(value)
    number = index.latest(A) + 1
    for source in (number - 1, number - 2):
        made = field_of(index, STAGE, number=number, source=source)
        contest = contest_of(index, stage, made)
        found = outlook(contest, QUICK, seed=seed_of(made))
        yield f"round {number} after {source} left {rounds_left(index, stage, number)} {told(contest)}"
        yield f"  uncounted {told(uncounted(index, made))} {told(uncounted(index, made, open_only=True))}"
        yield f"  fates {told(fates(contest))} decided {told(found.decided)} {told(found.parts)}"
        yield f"  best {told(found.best)} rivals {told(found.rivals)} casher {found.lowest_casher}"
        share = hope(QUICK, contest.rounds_left)
        chosen = control(contest, found.parts, found.chances, QUICK, hope=share, seed=seed_of(made, 1))
        yield f"  hope {share} control {told(chosen)}"
        free = np.arange(len(made.entrants))
        for rule in rules_of(made, found, free):
            yield f"  rule {rule.code} {told(rule.pairs)} {told(rule.facts)} {told(rule.takers)}"
        upper, lower = np.triu_indices(len(made.entrants) + 1, 1)
        for one, other in ((0, 1), (0, 2), (0, 3), (1, 2), (2, 3)):
            if other >= len(made.entrants):
                continue
            apart = frozenset({made.entrants[one].player, made.entrants[other].player})
            ruled = rules_of(replace(made, forbidden=frozenset({apart})), found, free[: len(free) - one % 2])
            yield f"  without {one}-{other} {told([(rule.code, rule.pairs, rule.takers) for rule in ruled])}"
        pairs = list(combinations(range(len(made.entrants)), 2))
        yield f"  why {told([_why(found, (), limit, *pair) for pair in pairs for limit in (0, 3)])}"
        yield f"  chase {told([_chase(found, limit, *pair)[0] for pair in pairs for limit in (0, 3)])}"
        none = np.zeros(len(made.entrants), dtype=np.int64)
        yield f"  weights {told(weights(made, found, upper, lower, none))}"
        yield f"  widened {int(weights(made, found, upper, lower, none + 2).sum())}"


@pytest.mark.slow
def test_what_a_field_plays_for_is_pinned() -> None:
    made, kept = pinned(__file__, "outlooks", outlooks())
    assert made == kept


def contests() -> Iterator[str]:
    rng = Random(9)
    for _ in range(60):
        count, left = rng.randint(1, 7), rng.randint(0, 3)
        scores = sorted((rng.randint(0, 6) for _ in range(count)), reverse=True)
        people = []
        for at, one in enumerate(scores):
            spread, more = rng.randint(-300, 300), max(0, left - rng.randint(0, 1))
            people.append(Contender(PlayerId(f"p{at}"), one, spread, more, rng.choice("ab")))
        contest = Contest(
            tuple(people), left, 4, places=rng.randint(1, 4), by_spread=rng.random() < 0.7,
            win=rng.choice([2, 2, 0]),
            bare=frozenset({1} if rng.random() < 0.3 else ()),
        )  # fmt: skip
        decided = gibsonized(contest)
        scores_ = [f"{one.score}/{one.spread}/{one.left}{one.category}" for one in people]
        found = groups(contest, decided)
        of_class = [class_pairs(contest, name, 2, range(count)) for name in "ab"]
        flags = f"{contest.by_spread:d} {contest.last_quarter:d}"
        yield f"{left} {contest.places} {contest.win} {flags} {told(scores_)}"
        yield f"  {told(decided)} {told(found)} {told(found.number_of(count))}"
        yield f"  {told(of_class)} {told(fates(contest))}"


def test_who_is_decided_is_pinned() -> None:
    made, kept = pinned(__file__, "contests", contests())
    assert made == kept


CLAIMS = (Claim(), Claim(kept=3), Claim(fixed=(2,)), Claim(access=True), Claim(last=(4, 2)), Claim(fixed=(3, 5)))
ROOMS = (
    TableGroup(TableGroupId("a"), A, "Hall", 3, 4),
    TableGroup(TableGroupId("b"), A, "Lift", 1, 2, True),
    TableGroup(TableGroupId("c"), A, "Bar", 8, 8),
)


def tables() -> Iterator[str]:
    for rooms in ((), ROOMS[:1], ROOMS):
        for number in range(25):
            claims = Random(number).choices(CLAIMS, k=number % 6 + 1)
            found = assigned(claims, 1 + number % 3, rooms)
            names = told([CLAIMS.index(one) for one in claims])
            yield f"{len(rooms)} {1 + number % 3} {names} {told(found)} {unserved(claims, found, rooms):d}"


def test_tables_are_pinned() -> None:
    made, kept = pinned(__file__, "tables", tables())
    assert made == kept


def small() -> Iterator[str]:
    for count in range(1, 20):
        yield f"{count} turns {turns(count, double=False)} {turns(count, double=True)}"
        yield f"{count} quarters {told([cut(count, one) for one in Quarters if count % 2 == 0])}"
        for rounds in (1, 2, 3, 4, 5, 7):
            found = sizes(count, rounds)
            people = [PlayerId(str(at)) for at in range(1, count + 1)]
            groups = split_in_snake_order(people, len(found), found)
            yield f"{count} groups of {rounds} rounds {told(found)} {told(groups)}"
            assert sum(found) == count
    for count in (2, 4, 6, 8):
        for turn in range(1, 2 * count):
            yield f"berger {count} {turn} {told(berger(count, turn))}"


def test_sizes_of_groups_and_berger_tables_are_pinned() -> None:
    made, kept = pinned(__file__, "berger", small())
    assert made == kept


# --- stages: groups, a cut, ties at it, a clean start, a knockout

STAGES: dict[str, list[tuple[str, int, PairingSettings, int | None, bool]]] = {
    "groups-cut": [
        ("round-robin", 3, PairingSettings(groups=3), None, True),
        ("swiss", 2, PairingSettings(), 5, True),
        ("knockout", 3, PairingSettings(third_place=True), 4, True),
    ],
    "clean": [
        ("swiss", 2, PairingSettings(), None, True),
        ("king-of-the-hill", 2, PairingSettings(), 6, False),
        ("prize", 2, PairingSettings(contention=QUICK), None, True),
    ],
    "cup-first": [
        ("knockout", 3, PairingSettings(elimination=Elimination.CONSOLATION), None, True),
        ("round-robin", 4, PairingSettings(groups=2, double=True), None, False),
    ],
}


def staged(name: str) -> Iterator[str]:
    for count in (7, 10):
        value = field(count, "swiss", PairingSettings(), rounds=1, seed=count)
        value = value.drop(*value.stages.values(), value.constraints[ConstraintId("t")])
        value = value.put(
            *(
                Stage(StageId(f"s{at}"), A, at, system, rounds, settings, cut=line, carry=carry)
                for at, (system, rounds, settings, line, carry) in enumerate(STAGES[name], 1)
            )
        )
        yield f"{name} of {count}"
        yield from described(value)
        for now, lines in played_out(value, 9, count):
            yield from lines
            yield from described(now)


def described(value: Tournament) -> Iterator[str]:
    index, division = Index(value), value.divisions[A]
    for row in compute_standings(index, division):
        where = f"{row.stage} {row.group} {row.place} {row.out:d}"
        yield f"    {row.rank} {row.player.id} {row.wins}-{row.draws}-{row.losses} {row.spread} {where}"
    yield f"    ranked {told([(one.id, rank) for one, rank in list_with_ranks(index, division, index.latest(A))])}"
    before = [one.id for one in list_in_pairing_order(index, division, 0)]
    yield f"    before {told(before)} at {told(find_stage_at(index, A, None))}"
    for stage in index.stages(A):
        run = [one.id for one in list_counting_stages(index, stage)]
        first, counted = find_first_counted_round(index, stage), find_counted_rounds(index, stage)
        yield f"    {stage.id} {told(run)} {first} {told(counted)}"
        seats = list_seats(index, stage.id, latecomers=True)
        yield f"      plays {told(list_stage_players(index, stage))} {told(seats)}"
        yield f"      groups {told(list_groups(index, stage))} before {told(map_previous_groups(index, stage))}"
        yield f"      ties {told(find_ties(index, stage))} {outcome_of(partial(find_first_tie, index, stage))}"
        yield f"      by lot {told(draw_qualifiers(index, stage))}"
    for item in index.published(A)[-1:]:
        waiting = [bye.player for bye in list_byes_for_late(index, item, PlayerId("p1"))]
        yield f"    awaited {told(find_awaited_players(index, item))} {told(waiting)}"


@pytest.mark.parametrize("name", STAGES)
def test_stages_that_follow_each_other_are_pinned(name: str) -> None:
    made, kept = pinned(__file__, f"stages-{name}", staged(name))
    assert made == kept


# --- whom the leader has to meet


def controls() -> Iterator[str]:
    everybody = tuple(range(8))
    parted = [
        Groups((everybody,)),
        Groups((everybody[1:],), (0,)),
        Groups(((0,), everybody[1:])),
        Groups(((0, 1), everybody[2:])),
        Groups((everybody[:4], everybody[4:])),
        Groups((everybody[:6], everybody[6:])),
    ]
    for leads in ((6, 4, 4, 4, 2, 2, 0, 0), (4, 2, 2, 2, 2, 2, 2, 0), (6, 6, 4, 4, 4, 2, 2, 2)):
        for left in (1, 2, 3, 5):
            people = tuple(Contender(PlayerId(f"p{at}"), one, -at, left) for at, one in enumerate(leads))
            contest = Contest(people, left, 8, places=3)
            found = chances(contest, times=400, seed=left)
            for at, parts in enumerate(parted):
                for loss, rounds in ((1, 3), (100, 5)):
                    settings = replace(QUICK, control_loss=loss, control_rounds=rounds)
                    chosen = control(contest, parts, found, settings, hope=50, seed=3)
                    if chosen is not None:
                        yield f"{leads} {left} {at} {loss}/{rounds} {told(chosen)}"


def test_whom_the_leader_meets_is_pinned() -> None:
    made, kept = pinned(__file__, "controls", controls())
    assert made == kept
