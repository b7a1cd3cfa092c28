"""Pinned texts: the rounds of every pairing system, and divisions of several stages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import (
    draw_qualifiers,
    find_cut_ties,
    list_stage_groups,
    list_stage_players,
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
    PairingReason,
    PlayerId,
    Prize,
    PrizeId,
    PrizeKind,
    Result,
    ResultState,
    Stage,
    StageId,
    TableGroup,
    TableGroupId,
)
from tdapp.domain.pairing_settings import (
    Elimination,
    PairingSettings,
    PairingStyle,
    PrizePairingSettings,
    Quarters,
)
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.proposing import SYSTEMS
from tdapp.pairing.recheck import find_pairing_changes, recheck_rounds
from tests.building import load_rule_set
from tests.pairing.random_states import A, event, published
from tests.pinned import format_outcome, read_pinned_lines, show

QUICK = PrizePairingSettings(simulations=1_000, control_simulations=1_000)
SETTINGS: dict[str, list[PairingSettings]] = {
    "swiss": [
        PairingSettings(style=style, avoid=("club", "country"), avoid_until=3, guard_starts=place % 2 == 0)
        for place, style in enumerate(PairingStyle)
    ],
    "king-of-the-hill": [PairingSettings(max_repeats=1, level_rounds=2), PairingSettings(repeats_from=3)],
    "factor": [PairingSettings(factor=2), PairingSettings(behind=1, style=PairingStyle.FOLD)],
    "quartiles": [PairingSettings(quarters=quarter) for quarter in Quarters],
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
    """Return an event with clubs, own tables, absences, constraints, prizes and two table groups."""
    value = event(
        count, system=system, rounds=rounds, settings=settings, seed=seed, ruleset=load_rule_set("no-nsf")
    )
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


def show_reason(reason: PairingReason | None) -> str:
    """Return a reason without its costs."""
    return f"{reason.code} {show(reason.facts)}" if reason else "-"


def round_of(value: Tournament) -> tuple[Tournament, list[str]]:
    proposal = propose_pairings(Index(value), A)
    lines = [f" round {proposal.number} {show(proposal.relaxed)} {proposal.source}"]
    for game in proposal.games:
        pair = f"{game.table} {game.first}-{game.second} {game.start.value} {game.locked:d}"
        lines.append(f"  {pair} {show_reason(game.reason)}")
    lines += [
        f"  bye {bye.player} {bye.kind.value} {bye.spread} {show_reason(bye.reason)}" for bye in proposal.byes
    ]
    return published(value, proposal), lines


def played_out(value: Tournament, rounds: int, seed: int) -> Iterator[tuple[Tournament, list[str]]]:
    rng = Random(seed)
    for _ in range(rounds):
        found: list[tuple[Tournament, list[str]]] = []
        refused = format_outcome(lambda now=value, kept=found: kept.append(round_of(now)))  # type: ignore[misc]
        if not found:
            yield value, [f" {refused}"]
            return
        value, lines = found[0]
        value = scored(value, rng)
        yield value, lines


def touched(value: Tournament) -> Tournament:
    """Return the tournament with locked games, games paired by hand and a latecomer."""
    for game in value.games.values():
        number, late = value.rounds[game.round].number, value.players[game.second].number
        if (number + game.table) % 4 == 0:
            value = value.put(replace(game, locked=True))
        elif (number + game.table) % 4 == 1:
            value = value.put(replace(game, reason=PairingReason("by-hand") if number % 2 else None))
        elif number == 4 and game.table == 2:
            value = value.put(replace(game, reason=PairingReason("latecomer", (("late", late),))))
    byes = [bye for bye in value.byes.values() if value.rounds[bye.round].number in {2, 3, 5}]
    return value.put(
        *(replace(bye, reason=PairingReason("by-hand") if at % 2 else None) for at, bye in enumerate(byes))
    )


def rounds_of(system: str) -> Iterator[str]:
    for number, settings in enumerate(SETTINGS[system]):
        for count in (9,) if system == "prize" or len(SETTINGS[system]) > 2 else (8, 11):
            yield f"{system} {number} of {count}"
            value = field(count, system, settings, rounds=6, seed=count + number)
            for last, lines in played_out(value, 6, number):
                yield from lines
                value = last
            yield f" repaired {show(recheck_rounds(value, A))}"
            one = next(iter(value.results.values()))
            turned = value.put(replace(one, first=one.second, second=one.first))
            yield f" would differ {show(find_pairing_changes(value, turned, A))}"
            by_hand = touched(value)
            other = by_hand.put(turned.results[one.id])
            yield f" by hand {show(recheck_rounds(by_hand, A))} {show(find_pairing_changes(by_hand, other, A))}"


@pytest.mark.parametrize("system", SETTINGS)
def test_pinned_rounds(system: str) -> None:
    made, kept = read_pinned_lines(__file__, f"rounds-{system}", rounds_of(system))
    assert made == kept


def test_pinned_rounds_cover_every_system() -> None:
    assert set(SETTINGS) == SYSTEMS.keys() - {"manual", "knockout"}


# --- stages: groups, a cut with ties, a new start, a knockout

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
        for now, lines in played_out(value, 9, count):
            yield from lines
            yield from show_standings(now)


def show_standings(value: Tournament) -> Iterator[str]:
    index, division = Index(value), value.divisions[A]
    rows = []
    for row in compute_standings(index, division):
        score = f"{row.wins}-{row.draws}-{row.losses}:{row.spread}"
        rows.append(f"{row.rank}:{row.player.id}:{score}:{row.stage}{':out' * row.out}")
    yield f"    ranks {' '.join(rows)}"
    for stage in index.stages(A):
        players, groups = list_stage_players(index, stage), list_stage_groups(index, stage)
        yield f"    {stage.id} {show(groups)} {show(players) if groups != (tuple(players),) else ''}"
        tied = find_cut_ties(index, stage)
        if tied:
            yield f"      ties {show(tied)} lot {show(draw_qualifiers(index, stage))}"


@pytest.mark.parametrize("name", STAGES)
def test_pinned_stages(name: str) -> None:
    made, kept = read_pinned_lines(__file__, f"stages-{name}", staged(name))
    assert made == kept
