"""A sentence for every reason that a pairing can give."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import Text

REASONS: Mapping[str, Text] = MappingProxyType({})
