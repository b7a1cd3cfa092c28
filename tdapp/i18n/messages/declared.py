"""Words that stand in the declarations of things, by the kind of thing and its id: `tiebreak.spread`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp import pairing
from tdapp.domain.tiebreaks import TIEBREAKS

SHORT: Mapping[str, str] = MappingProxyType({one.key: one.short for one in TIEBREAKS.values()})
IN_FULL: Mapping[str, str] = MappingProxyType({one.key: one.name for one in TIEBREAKS.values()})
REASONS: Mapping[str, str] = MappingProxyType(
    {code: reason.text for code, reason in pairing.REASONS.items()} | {**pairing.BYE_REASONS}
)
