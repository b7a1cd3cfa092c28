"""Headings of columns and tie-breaks: short for the table, in full for tool tips and legends."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import C_, N_

HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        "table": N_("Table"),
        "rank": N_("Rank"),
        "number": N_("No."),
        "name": N_("Name"),
        "player": N_("Player"),
        "first": N_("Starts"),
        "second": N_("Replies"),
        "opponent": N_("Opponent"),
        "score": N_("Score"),
        "spread": N_("Spread"),
        "state": N_("State"),
        "games": N_("Games"),
        "wins": N_("Wins"),
        "losses": N_("Losses"),
        "points": N_("Points"),
        "resistance": C_("short", "Resist."),
        "starts": C_("count", "Starts"),
        "rating": N_("Rating"),
        "club": N_("Club"),
        "country": N_("Country"),
        "team": N_("Team"),
        "category": N_("Class"),
    }
)

EXPLANATIONS: Mapping[str, str] = MappingProxyType(
    {
        "wins": N_("match points"),
        "spread": N_("sum of the spreads"),
        "points": N_("total points"),
        "resistance": N_("resistance points: the sum of the opponents’ match points"),
        "starts": N_("games started"),
    }
)
