"""A sentence for everything that a prize can be won by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_

AWARDS: Mapping[str, str] = MappingProxyType(
    {
        "place": N_("place {place}: {wins:points} match points, spread {spread:signed}"),
        "class-place": N_(
            "place {place} of category {category}, {rank} overall: {wins:points} match points, "
            "spread {spread:signed}"
        ),
        "high-game": N_("{points} – {against} against {opponent}, round {round}"),
        "high-loss": N_("{points} – {against} against {opponent}, round {round}"),
        "big-win": N_("{margin:signed}: {points} – {against} against {opponent}, round {round}"),
        "high-play": N_("{score} for {word} against {opponent}, round {round}"),
        "lucky-stiff": N_("{sum} = {margins}, the narrowest wins"),
        "tuff-luck": N_("{sum} = {margins}, the narrowest losses"),
        "hand": N_("given by the director"),
        "nobody": N_("Nobody yet"),
        "shared": N_("{count} share {pool}, the worth of places {first} to {last}"),
    }
)
