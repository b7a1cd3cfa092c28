"""A sentence for every code that a user's trouble can carry: what is wrong, and what can be done."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import N_, Text

ERRORS: Mapping[str, Text] = MappingProxyType(
    {
        "which-division": N_("Say which division: {divisions}."),
        "no-such-division": N_("There is no division {division}."),
        "no-such-round": N_("There is no round {round} yet."),
        "no-such-player": N_("There is no player {player}."),
        "no-such-table": N_("There is no table {table} in round {round}."),
        "ruleset-invalid": N_("The rule set cannot be used: {problems}."),
    }
)
