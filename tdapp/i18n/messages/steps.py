"""A sentence in the past tense for every step, for the history and for undo; commands declare theirs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.commands import COMMANDS
from tdapp.domain.commands.rule import said_of
from tdapp.domain.mark import N_, Plural, Text
from tdapp.pairing import PAIRING_COMMANDS

STEPS: Mapping[str, Text] = MappingProxyType(
    {
        "new-tournament": N_("Tournament made"),
        "erase-players": Plural(
            "Personal data erased: {player}", "Personal data of {count} players erased: {player}", "count"
        ),
        **{name: said_of(one) for name, one in {**COMMANDS, **PAIRING_COMMANDS}.items()},
    }
)
