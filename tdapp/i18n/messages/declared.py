"""Words by the kind of thing and its id: `tiebreak.spread`, `ConstraintKind.never`. Most are in declarations.

Two things of different kinds may have one id, and never share its words unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp import pairing
from tdapp.domain.systems import PAIRING_SYSTEMS
from tdapp.domain.tiebreaks import TIEBREAKS
from tdapp.i18n.messages import codes

SHORT: Mapping[str, str] = MappingProxyType({one.key: one.short for one in TIEBREAKS.values()})
IN_FULL: Mapping[str, str] = MappingProxyType({one.key: one.name for one in TIEBREAKS.values()})
REASONS: Mapping[str, str] = MappingProxyType(
    {code: reason.text for code, reason in pairing.REASONS.items()} | {**pairing.BYE_REASONS}
)
CODES: Mapping[str, str] = MappingProxyType(
    {**codes.CODES, **{one.key: one.name for one in PAIRING_SYSTEMS.values()}}
)
KINDS = frozenset(key.partition(".")[0] for key in CODES)


def _plain() -> Mapping[str, str]:
    """Return the words for a value alone: of the first of the plain kinds that knows it."""
    found: dict[str, str] = {}
    for kind in codes.PLAIN:
        for key, text in CODES.items():
            if key.startswith(f"{kind}."):
                found.setdefault(key.partition(".")[2], text)
    return MappingProxyType(found)


PLAIN = _plain()
