"""The pairing systems and their proposals for a round.

The same tournament and seed give the same pairing on every machine.
"""

from __future__ import annotations

from tdapp.pairing.commands import PAIRING_COMMANDS, list_locked_pairs, list_unpaired_players
from tdapp.pairing.field import FixedPair
from tdapp.pairing.proposing import (
    REASONS,
    SYSTEMS,
    find_round_to_check_before_pairing,
    list_games_that_can_count_as_draws,
    propose_pairings,
)

__all__ = [
    "PAIRING_COMMANDS",
    "REASONS",
    "SYSTEMS",
    "FixedPair",
    "find_round_to_check_before_pairing",
    "list_games_that_can_count_as_draws",
    "list_locked_pairs",
    "list_unpaired_players",
    "propose_pairings",
]
