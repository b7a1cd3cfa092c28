"""Knockouts of every form through days on which everything happens: each ends whole, with nothing out of place."""

from __future__ import annotations

from random import Random

import pytest

from tdapp.domain import commands
from tdapp.domain.bracket import build_bracket, rank_knockout
from tdapp.domain.commands.stages import Seeding
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.model import ByeKind, Forfeit, Player, PlayerId, Round
from tdapp.domain.pairing_settings import Elimination, PairingSettings
from tdapp.domain.problems import find_problems
from tdapp.domain.tournament import Tournament, find_row_faults
from tdapp.pairing import PAIRING_COMMANDS, propose_pairings
from tests.pairing.random_states import STAGE, A, event

ALLOWED = {"tie-waits", "bracket-too-short"}


class Day:
    """A knockout with a director who has a hard day, all drawn from a seed."""

    def __init__(self, seed: int, elimination: Elimination) -> None:
        self.rng = Random(seed)
        settings = PairingSettings(
            elimination=elimination,
            series=self.rng.choice([1, 1, 2, 3]),
            aggregate=self.rng.random() < 0.3,
            third_place=self.rng.random() < 0.5,
        )
        self.now = event(self.rng.randint(2, 20), system="knockout", rounds=60, settings=settings)
        if self.rng.random() < 0.5:
            self.now = commands.seed_stage(self.now, key="seeds", stage=STAGE, by=self.rng.choice(list(Seeding)))

    def tried(self, command: commands.Command, **arguments: object) -> None:
        """Run a command that can be refused."""
        try:
            self.now = command(self.now, **arguments)
        except RuleViolation as error:
            assert error.code in {"series-under-way", "nobody-has-bye", "already-withdrawn", "not-in-round"}  # noqa: PT017

    def play(self) -> str:
        """Play until nothing is left to pair, and return why."""
        for number in range(60):
            try:
                proposal = propose_pairings(Index(self.now), A)
            except RuleViolation as error:
                if error.code != "tie-undecided":
                    return error.code
                self.decide(dict(error.facts))
                continue
            self.now = commands.propose_round(self.now, key=f"k{number}", proposal=proposal)
            item = Index(self.now).rounds(A)[-1]
            self.exchange(item)
            self.now = commands.publish_round(self.now, round=item.id)
            self.arrive(item)
            self.score(item)
            if self.rng.random() < 0.1:
                player = self.rng.choice(sorted(self.now.players))
                self.tried(commands.withdraw_player, key=f"w{number}", player=player)
            noticed = {problem.code for problem in find_problems(Index(self.now), self.now.divisions[A])}
            assert noticed <= ALLOWED
        return "never"

    def decide(self, facts: dict[str, object]) -> None:
        index = Index(self.now)
        game = index.game(index.round(A, int(str(facts["round"]))).id, int(str(facts["table"])))
        winner = self.rng.choice([Forfeit.FIRST, Forfeit.SECOND])
        self.now = commands.decide_tie(self.now, game=game.id, winner=winner)

    def exchange(self, item: Round) -> None:
        index = Index(self.now)
        seated = [player for game in index.games(item.id) for player in (game.first, game.second)]
        seated += [bye.player for bye in index.byes(item.id) if bye.kind is ByeKind.BYE]
        if len(seated) > 3 and self.rng.random() < 0.2:
            one, other = self.rng.sample(seated, 2)
            swap = PAIRING_COMMANDS["swap-players"]
            self.tried(swap, key=f"{item.id}s", round=item.id, player=one, other=other)

    def arrive(self, item: Round) -> None:
        if item.number == 1 and self.rng.random() < 0.3:
            before = self.now
            self.now = self.now.put(Player(PlayerId("late"), A, 99, "Late"))
            seated = self.now
            seat = PAIRING_COMMANDS["seat-latecomer"]
            self.tried(seat, key="late", round=item.id, player=PlayerId("late"))
            self.now = before if self.now is seated else self.now

    def score(self, item: Round) -> None:
        for game in Index(self.now).games(item.id):
            chance = self.rng.random()
            if chance < 0.06:
                forfeit = self.rng.choice(list(Forfeit))
                self.now = commands.enter_result(self.now, game=game.id, forfeit=forfeit)
                continue
            first = self.rng.randint(300, 500)
            second = first if chance < 0.15 else self.rng.randint(300, 500)
            self.now = commands.enter_result(self.now, game=game.id, first=first, second=second)


def whole(now: Tournament) -> None:
    index, stage = Index(now), now.stages[STAGE]
    assert all(match.is_decided for match in build_bracket(index, stage))
    held = rank_knockout(index, stage)
    assert held.keys() == now.players.keys()
    assert all(1 <= place <= len(held) for place in held.values())
    assert not find_row_faults(now)


@pytest.mark.parametrize("elimination", list(Elimination))
@pytest.mark.parametrize("seed", range(4))
def test_knockout_ends_complete_after_any_events(elimination: Elimination, seed: int) -> None:
    day = Day(seed, elimination)
    assert day.play() == "knockout-decided"
    whole(day.now)
