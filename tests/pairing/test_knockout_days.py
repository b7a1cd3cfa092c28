"""Simulated knockouts of every form with random changes: each ends complete and consistent."""

from __future__ import annotations

from random import Random

import pytest

from tdapp.domain import commands
from tdapp.domain.bracket import build_bracket, compute_worst_possible_knockout_ranks
from tdapp.domain.commands.stages import Seeding
from tdapp.domain.errors import CommandError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import ByeKind, GameSide, Player, PlayerId, Round
from tdapp.domain.pairing_settings import EliminationKind, PairingSettings
from tdapp.domain.problems import find_division_problems
from tdapp.domain.tournament import Tournament, find_inconsistent_rows
from tdapp.pairing import PAIRING_COMMANDS, propose_pairings
from tests.pairing.random_states import STAGE, A, make_tournament

ALLOWED = {"tie-waits", "bracket-too-short"}


class SimulatedKnockout:
    """A knockout with random results, withdrawals, exchanges and latecomers, all drawn from a seed."""

    def __init__(self, seed: int, elimination: EliminationKind) -> None:
        self.rng = Random(seed)
        settings = PairingSettings(
            elimination=elimination,
            series=self.rng.choice([1, 1, 2, 3]),
            aggregate=self.rng.random() < 0.3,
            third_place=self.rng.random() < 0.5,
        )
        self.tournament = make_tournament(self.rng.randint(2, 20), system="knockout", rounds=60, settings=settings)
        if self.rng.random() < 0.5:
            self.tournament = commands.seed_stage(
                self.tournament, key="seeds", stage=STAGE, by=self.rng.choice(list(Seeding))
            )

    def try_command(self, command: commands.Command, **arguments: object) -> None:
        """Run a command that can be refused."""
        try:
            self.tournament = command(self.tournament, **arguments)
        except CommandError as error:
            assert error.code in {"series-under-way", "nobody-has-bye", "already-withdrawn", "not-in-round"}  # noqa: PT017

    def play_to_the_end(self) -> str:
        """Play until no round can be paired, and return the refusal code."""
        for number in range(60):
            try:
                proposal = propose_pairings(TournamentIndex(self.tournament), A)
            except CommandError as error:
                if error.code != "tie-undecided":
                    return error.code
                self.decide_tie(dict(error.facts))
                continue
            self.tournament = commands.propose_round(self.tournament, key=f"k{number}", proposal=proposal)
            item = TournamentIndex(self.tournament).rounds(A)[-1]
            self.swap_random_players(item)
            self.tournament = commands.publish_round(self.tournament, round=item.id)
            self.seat_latecomer(item)
            self.enter_results(item)
            if self.rng.random() < 0.1:
                player = self.rng.choice(sorted(self.tournament.players))
                self.try_command(commands.withdraw_player, key=f"w{number}", player=player)
            problem_codes = {
                problem.code
                for problem in find_division_problems(
                    TournamentIndex(self.tournament), self.tournament.divisions[A]
                )
            }
            assert problem_codes <= ALLOWED
        return "never"

    def decide_tie(self, facts: dict[str, object]) -> None:
        index = TournamentIndex(self.tournament)
        game = index.get_game(index.get_round(A, int(str(facts["round"]))).id, int(str(facts["table"])))
        winner = self.rng.choice([GameSide.FIRST, GameSide.SECOND])
        self.tournament = commands.decide_tie(self.tournament, game=game.id, winner=winner)

    def swap_random_players(self, item: Round) -> None:
        index = TournamentIndex(self.tournament)
        players = [player for game in index.games(item.id) for player in (game.first, game.second)]
        players += [bye.player for bye in index.byes(item.id) if bye.kind is ByeKind.BYE]
        if len(players) > 3 and self.rng.random() < 0.2:
            first, second = self.rng.sample(players, 2)
            swap_command = PAIRING_COMMANDS["swap-players"]
            self.try_command(swap_command, key=f"{item.id}s", round=item.id, player=first, other=second)

    def seat_latecomer(self, item: Round) -> None:
        if item.number == 1 and self.rng.random() < 0.3:
            tournament_before = self.tournament
            self.tournament = self.tournament.put(Player(PlayerId("late"), A, 99, "Late"))
            tournament_with_player = self.tournament
            seat_command = PAIRING_COMMANDS["seat-latecomer"]
            self.try_command(seat_command, key="late", round=item.id, player=PlayerId("late"))
            self.tournament = tournament_before if self.tournament is tournament_with_player else self.tournament

    def enter_results(self, item: Round) -> None:
        for game in TournamentIndex(self.tournament).games(item.id):
            chance = self.rng.random()
            if chance < 0.06:
                forfeit = self.rng.choice(list(GameSide))
                self.tournament = commands.enter_result(self.tournament, game=game.id, forfeit=forfeit)
                continue
            first = self.rng.randint(300, 500)
            second = first if chance < 0.15 else self.rng.randint(300, 500)
            self.tournament = commands.enter_result(self.tournament, game=game.id, first=first, second=second)


def check_consistency(tournament: Tournament) -> None:
    index, stage = TournamentIndex(tournament), tournament.stages[STAGE]
    assert all(match.is_decided for match in build_bracket(index, stage))
    ranks = compute_worst_possible_knockout_ranks(index, stage)
    assert ranks.keys() == tournament.players.keys()
    assert all(1 <= rank <= len(ranks) for rank in ranks.values())
    assert not find_inconsistent_rows(tournament)


@pytest.mark.parametrize("elimination", list(EliminationKind))
@pytest.mark.parametrize("seed", range(4))
def test_knockout_ends_complete_after_random_changes(elimination: EliminationKind, seed: int) -> None:
    knockout = SimulatedKnockout(seed, elimination)
    assert knockout.play_to_the_end() == "knockout-decided"
    check_consistency(knockout.tournament)
