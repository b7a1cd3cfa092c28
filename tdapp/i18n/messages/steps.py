"""A sentence in the past tense for every command, for the history and for undo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.i18n.mark import Text

STEPS: Mapping[str, Text] = MappingProxyType({})
