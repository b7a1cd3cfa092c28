"""What the matches of a bracket are called, and how a player came to one; the kinds are those of `elimination`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_

# By kind; {a}, {b} and {c} are the kind's numbers.
MATCHES: Mapping[str, str] = MappingProxyType(
    {
        "final": N_("final"),
        "semifinal": N_("semifinal {a}"),
        "quarter-final": N_("quarter-final {a}"),
        "round-of": N_("round of {a}, match {b}"),
        "winners": N_("winners’ round {a}, match {b}"),
        "winners-final": N_("final of the winners’ bracket"),
        "losers": N_("losers’ round {a}, match {b}"),
        "losers-final": N_("final of the losers’ bracket"),
        "grand-final": N_("grand final"),
        "reset": N_("deciding grand final"),
        "third-place": N_("match for third place"),
        "place": N_("match for place {a}"),
        "places": N_("places {a} to {b}, match {c}"),
        "consolation": N_("consolation, round {a}, match {b}"),
        "consolation-final": N_("final of the consolation"),
    }
)

# The same below the title of its part, which need not be said again.
WITHIN: Mapping[str, str] = MappingProxyType(
    {kind: N_("match {b}") for kind in ("winners", "losers", "consolation")} | {"places": N_("match {c}")}
)

# How a player came to a match: by seed {seed} alone, or as one of the two of match {match} as well.
WAYS: Mapping[str, str] = MappingProxyType(
    {
        "seed": N_("seed {seed}"),
        "winner": N_("seed {seed} (winner of {match})"),
        "loser": N_("seed {seed} (loser of {match})"),
    }
)

# Who will come to a slot, while that is open.
COMING: Mapping[str, str] = MappingProxyType({"winner": N_("winner of {match}"), "loser": N_("loser of {match}")})

# What a part of a bracket is called above its matches.
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "winners": N_("Winners’ bracket"),
        "losers": N_("Losers’ bracket"),
        "consolation": N_("Consolation"),
        "places": N_("Places {a} to {b}"),
        "third-place": N_("Third place"),
        "grand-final": N_("Grand final"),
        "single": N_("Bracket"),
    }
)
