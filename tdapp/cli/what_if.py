"""What would change in a round if two players met: tried on the value, nothing is kept."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tdapp.cli.program import Program
from tdapp.domain import commands
from tdapp.domain.index import Index
from tdapp.domain.model import DivisionId, PlayerId, RoundId, RoundState
from tdapp.domain.tournament import Tournament
from tdapp.i18n import pairing_sentences
from tdapp.i18n.catalogue import Catalogue
from tdapp.pairing import propose
from tdapp.pairing.commands import Trial, pair_around, pair_by_hand, swap_players, trial


def what_if(program: Program, options: Namespace) -> object:
    """Print what would change in the draft, or in the next round, if a player met another, or had the bye."""
    catalogue = program.catalogue
    with program.desk(options.file, read_only=True) as desk:
        division = desk.index.division(options.division)
        drafted = _drafted(desk.index, division.id)
    index = Index(drafted)
    numbers = [number for number in (options.player, options.other) if number is not None]
    players = [index.player(division.id, number).id for number in numbers]
    item = index.rounds(division.id)[-1]
    found = {name: trial(drafted, item.id, change) for name, change in _changes(item.id, players).items()}
    if not options.json:
        for name, one in found.items():
            print(f"{name}: {pairing_sentences.verdict(one, catalogue)}")
            for line in pairing_sentences.details(one, drafted, catalogue):
                print(f"  {line}")
    return {"round": item.number} | {name: _json(one, drafted, catalogue) for name, one in found.items()}


def _drafted(index: Index, division: DivisionId) -> Tournament:
    """Return the tournament with a draft: the one there is, or the next round paired."""
    if any(item.state is RoundState.DRAFT for item in index.rounds(division)):
        return index.tournament
    return commands.propose_round(index.tournament, key="what-if", proposal=propose(index, division))


def _changes(round_id: RoundId, players: Sequence[PlayerId]) -> Mapping[str, partial[Tournament]]:
    facts: dict[str, Any] = {"key": "changed", "round": round_id, "player": players[0]}
    if len(players) == 1:
        return {"bye": partial(pair_by_hand, **facts), "bye_anew": partial(pair_around, **facts)}
    facts["other"] = players[1]
    return {
        "swap": partial(swap_players, **facts),
        "meet": partial(pair_by_hand, **facts),
        "meet_anew": partial(pair_around, **facts),
    }


def _json(one: Trial, tournament: Tournament, catalogue: Catalogue) -> dict[str, Any]:
    players = tournament.players

    def number(player: PlayerId | None) -> int | None:
        return None if player is None else players[player].number

    return {
        "text": pairing_sentences.verdict(one, catalogue),
        "better": one.worth < 0,
        "cost": dict(one.cost),
        "bye": number(one.bye[0]),
        "bye_instead": number(one.bye[1]),
        "tables": [
            {
                "table": game.table,
                "first": number(game.first),
                "second": number(game.second),
                "repeat": game.meetings,
                "scores": [game.better_score, game.worse_score],
            }
            for game in one.tables
        ],
    }
