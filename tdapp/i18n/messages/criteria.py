"""What a pairing can cost, in a word or two; chance costs nothing that anybody would look at."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_

CRITERIA: Mapping[str, str] = MappingProxyType(
    {
        "repeats": N_("repeats"),
        "guard": N_("starts three apart"),
        "score_difference": N_("difference of scores"),
        "bye": N_("height of the bye"),
        "floats": N_("floats"),
        "apart": N_("wished apart"),
        "avoid": N_("same club, country, team or category"),
        "starts": N_("balance of starts"),
        "style": N_("pairing style"),
    }
)
