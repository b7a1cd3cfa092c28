"""Pinned rounds of each pairing system, and of divisions with several stages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from tdapp.domain.bracket import (
    find_cut_ties,
    list_stage_groups,
    list_stage_players_in_pairing_order,
    select_qualifiers_by_rank_and_lot,
)
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import (
    Absence,
    AbsenceId,
    ByeKind,
    Constraint,
    ConstraintId,
    ConstraintKind,
    GameSide,
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
    EliminationKind,
    PairingSettings,
    PrizePairingSettings,
    RankingQuarterPairing,
    ScoreGroupPairing,
)
from tdapp.domain.standings import compute_standings
from tdapp.domain.tournament import Tournament
from tdapp.pairing import propose_pairings
from tdapp.pairing.proposing import SYSTEMS
from tdapp.pairing.recheck import compare_recomputed_pairings, recheck_rounds
from tests.building import load_rule_set
from tests.pairing.random_states import A, make_tournament, publish_proposal
from tests.pinned import format_outcome, format_value, read_pinned_lines

QUICK = PrizePairingSettings(simulations=1_000, control_simulations=1_000)
SETTINGS: dict[str, list[PairingSettings]] = {
    "swiss": [
        PairingSettings(style=style, avoid=("club", "country"), avoid_until=3, guard_starts=index % 2 == 0)
        for index, style in enumerate(ScoreGroupPairing)
    ],
    "king-of-the-hill": [PairingSettings(max_repeats=1, level_rounds=2), PairingSettings(repeats_from=3)],
    "factor": [PairingSettings(factor=2), PairingSettings(behind=1, style=ScoreGroupPairing.FOLD)],
    "quartiles": [PairingSettings(quarters=quarter) for quarter in RankingQuarterPairing],
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


def make_event_with_all_features(
    count: int, system: str, settings: PairingSettings, *, rounds: int, seed: int
) -> Tournament:
    """Return an event with clubs, own tables, absences, constraints, prizes and two table groups."""
    value = make_tournament(
        count, system=system, rounds=rounds, settings=settings, seed=seed, ruleset=load_rule_set("no-nsf")
    )
    players = [
        replace(
            player,
            club="XY Z"[player.number % 4].strip(),
            country=("no", "NO ", "de", "")[player.number // 2 % 4],
            team=f"T{player.number % 3}",
            category="AB"[player.number % 2],
            fixed_table=2 if player.number == 5 else None,
            needs_access=player.number == 7,
        )
        for player in value.players.values()
    ]
    absence_of_round_2 = Absence(AbsenceId("a"), PlayerId("p3"), 2, 2, ByeKind.REQUESTED)
    absence_from_round_4 = Absence(AbsenceId("b"), PlayerId("p6"), 4, None)
    constraints = [
        Constraint(ConstraintId("n"), PlayerId("p1"), PlayerId("p2")),
        Constraint(ConstraintId("k"), PlayerId("p4"), PlayerId("p5"), ConstraintKind.APART),
        Constraint(ConstraintId("t"), PlayerId("p2"), PlayerId("p5"), ConstraintKind.TOGETHER, 3),
    ]
    table_groups = [
        TableGroup(TableGroupId("r"), A, "Hall", 1, 2),
        TableGroup(TableGroupId("q"), A, "Stage", 9, 9, True),
    ]
    kinds = [(PrizeKind.RANK, 1, ""), (PrizeKind.RANK, 3, ""), (PrizeKind.CATEGORY, 2, "b")]
    kinds.append((PrizeKind.RANK, 1, "A"))
    prizes = [
        Prize(PrizeId(f"z{number}"), A, number, kind, index, category)
        for number, (kind, index, category) in enumerate(kinds, 1)
    ]
    division = replace(value.divisions[A], keep_tables=True, sessions=(4,), list_withdrawn=False)
    return value.put(
        *players, absence_of_round_2, absence_from_round_4, *constraints, *table_groups, *prizes, division
    )


def enter_random_results(value: Tournament, rng: Random) -> Tournament:
    for game in value.games.values():
        if game.id in value.results:
            continue
        first = rng.randint(300, 480)
        result = Result(game.id, ResultState.ENTERED, first, first + rng.choice([-120, -9, 0, 8, 8, 60]))
        if rng.random() < 0.08:
            result = Result(game.id, ResultState.ENTERED, forfeit=rng.choice(list(GameSide)))
        value = value.put(result)
    return value


def format_reason(reason: PairingReason | None) -> str:
    """Return a reason without its costs."""
    return f"{reason.code} {format_value(reason.facts)}" if reason else "-"


def pair_round(value: Tournament) -> tuple[Tournament, list[str]]:
    proposal = propose_pairings(TournamentIndex(value), A)
    lines = [f" round {proposal.number} {format_value(proposal.relaxed)} {proposal.source}"]
    for game in proposal.games:
        pair = f"{game.table} {game.first}-{game.second} {game.start.value} {game.locked:d}"
        lines.append(f"  {pair} {format_reason(game.reason)}")
    lines += [
        f"  bye {bye.player} {bye.kind.value} {bye.spread} {format_reason(bye.reason)}" for bye in proposal.byes
    ]
    return publish_proposal(value, proposal), lines


def play_rounds(value: Tournament, rounds: int, seed: int) -> Iterator[tuple[Tournament, list[str]]]:
    rng = Random(seed)
    for _ in range(rounds):
        results: list[tuple[Tournament, list[str]]] = []
        refused = format_outcome(
            lambda current=value, target=results: target.append(pair_round(current))  # type: ignore[misc]
        )
        if not results:
            yield value, [f" {refused}"]
            return
        value, lines = results[0]
        value = enter_random_results(value, rng)
        yield value, lines


def mark_manual_games(value: Tournament) -> Tournament:
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
        *(replace(bye, reason=PairingReason("by-hand") if number % 2 else None) for number, bye in enumerate(byes))
    )


def generate_round_lines(system: str) -> Iterator[str]:
    for number, settings in enumerate(SETTINGS[system]):
        for count in (9,) if system == "prize" or len(SETTINGS[system]) > 2 else (8, 11):
            yield f"{system} {number} of {count}"
            value = make_event_with_all_features(count, system, settings, rounds=6, seed=count + number)
            for tournament_after, lines in play_rounds(value, 6, number):
                yield from lines
                value = tournament_after
            yield f" repaired {format_value(recheck_rounds(value, A))}"
            result = next(iter(value.results.values()))
            changed = value.put(replace(result, first=result.second, second=result.first))
            yield f" would differ {format_value(compare_recomputed_pairings(value, changed, A))}"
            by_hand = mark_manual_games(value)
            changed_by_hand = by_hand.put(changed.results[result.id])
            changes = compare_recomputed_pairings(by_hand, changed_by_hand, A)
            yield f" by hand {format_value(recheck_rounds(by_hand, A))} {format_value(changes)}"


@pytest.mark.parametrize("system", SETTINGS)
def test_pinned_rounds(system: str) -> None:
    new_lines, pinned_lines = read_pinned_lines(__file__, f"rounds-{system}", generate_round_lines(system))
    assert new_lines == pinned_lines


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
        ("knockout", 3, PairingSettings(elimination=EliminationKind.CONSOLATION), None, True),
        ("round-robin", 4, PairingSettings(groups=2, double=True), None, False),
    ],
}


def generate_stage_lines(name: str) -> Iterator[str]:
    for count in (7, 10):
        value = make_event_with_all_features(count, "swiss", PairingSettings(), rounds=1, seed=count)
        value = value.drop(*value.stages.values(), value.constraints[ConstraintId("t")])
        value = value.put(
            *(
                Stage(StageId(f"s{number}"), A, number, system, rounds, settings, cut=cut, carry=carry)
                for number, (system, rounds, settings, cut, carry) in enumerate(STAGES[name], 1)
            )
        )
        yield f"{name} of {count}"
        for tournament_after, lines in play_rounds(value, 9, count):
            yield from lines
            yield from format_standings(tournament_after)


def format_standings(value: Tournament) -> Iterator[str]:
    index, division = TournamentIndex(value), value.divisions[A]
    rows = []
    for row in compute_standings(index, division):
        score = f"{row.wins}-{row.draws}-{row.losses}:{row.spread}"
        rows.append(f"{row.rank}:{row.player.id}:{score}:{row.stage}{':out' * row.out}")
    yield f"    ranks {' '.join(rows)}"
    for stage in index.stages(A):
        players, groups = list_stage_players_in_pairing_order(index, stage), list_stage_groups(index, stage)
        player_text = format_value(players) if groups != (tuple(players),) else ""
        yield f"    {stage.id} {format_value(groups)} {player_text}"
        tied = find_cut_ties(index, stage)
        if tied:
            qualifiers = select_qualifiers_by_rank_and_lot(index, stage)
            yield f"      ties {format_value(tied)} lot {format_value(qualifiers)}"


@pytest.mark.parametrize("name", STAGES)
def test_pinned_stages(name: str) -> None:
    new_lines, pinned_lines = read_pinned_lines(__file__, f"stages-{name}", generate_stage_lines(name))
    assert new_lines == pinned_lines
