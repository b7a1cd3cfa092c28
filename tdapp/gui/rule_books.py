"""The rule sets, tile sets and languages that a tournament's rules can be made of, with their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tdapp.domain.rule_fields import differing
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_presets, read_tilesets
from tdapp.gui.rule_words import Names
from tdapp.i18n.catalogue import LANGUAGE_NAMES


@dataclass(frozen=True, slots=True)
class RuleBooks:
    """The presets by id; `names` of what a parameter can be, by its path and value."""

    presets: Mapping[str, RuleSet]
    names: Names

    def preset_of(self, rules: RuleSet) -> RuleSet | None:
        """Return the preset that a tournament's rules come from; None if the program has none such."""
        return self.presets.get(rules.id)

    def changed(self, rules: RuleSet) -> tuple[str, ...]:
        """Return the paths of the parameters that differ from the preset."""
        preset = self.preset_of(rules)
        return differing(rules, preset) if preset is not None else ()


def read_books(resources: Path) -> RuleBooks:
    """Read the program's presets and tile sets; raise InputError for one that cannot be read."""
    presets = read_presets(resources / "rulesets")
    tilesets = read_tilesets(resources / "tilesets")
    names = {
        "id": {preset.id: preset.name for preset in presets.values()},
        "tileset": {tileset.id: tileset.name for tileset in tilesets.values()},
        "language": LANGUAGE_NAMES,
    }
    return RuleBooks(presets, names)
