"""Who meets whom: pairing systems, found by id, and the proposals they make.

Everything is exact and repeatable: the same tournament and seed give the same pairing on every machine.
"""

from __future__ import annotations

from tdapp.pairing.commands import PAIRING_COMMANDS, locked, unpaired
from tdapp.pairing.field import Fixed
from tdapp.pairing.proposing import REASONS, SYSTEMS, evaluate, propose, unfinished
from tdapp.pairing.system import BYE_REASONS, System

__all__ = [
    "BYE_REASONS",
    "PAIRING_COMMANDS",
    "REASONS",
    "SYSTEMS",
    "Fixed",
    "System",
    "evaluate",
    "locked",
    "propose",
    "unfinished",
    "unpaired",
]
