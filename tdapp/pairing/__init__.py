"""Pairing systems by id, and their proposals.

All results are exact and repeatable: the same tournament and seed give the same pairing on every machine.
"""

from __future__ import annotations

from tdapp.pairing.commands import PAIRING_COMMANDS, locked_tables, unpaired_players
from tdapp.pairing.field import Fixed
from tdapp.pairing.proposing import REASONS, SYSTEMS, propose_pairings, unfinished_games

__all__ = [
    "PAIRING_COMMANDS",
    "REASONS",
    "SYSTEMS",
    "Fixed",
    "locked_tables",
    "propose_pairings",
    "unfinished_games",
    "unpaired_players",
]
