"""The rule sets, tile sets and languages that a tournament's rules can be made of, with their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from tdapp.domain.rule_fields import differing
from tdapp.domain.ruleset import RuleSet
from tdapp.exchange.presets import read_presets, read_tilesets
from tdapp.i18n.catalogue import LANGUAGE_NAMES
from tdapp.i18n.rule_sentences import Names


class RuleBooks:
    """The program's presets and tile sets, read when they are first asked for; InputError where one is unsound."""

    def __init__(self, resources: Path) -> None:
        self._resources = resources

    @cached_property
    def presets(self) -> Mapping[str, RuleSet]:
        """The presets by id."""
        return read_presets(self._resources / "rulesets")

    @cached_property
    def names(self) -> Names:
        """The names of what a parameter can be, by its path and value."""
        tilesets = read_tilesets(self._resources / "tilesets")
        return {
            "id": {preset.id: preset.name for preset in self.presets.values()},
            "tileset": {tileset.id: tileset.name for tileset in tilesets.values()},
            "language": LANGUAGE_NAMES,
        }

    def preset_of(self, rules: RuleSet) -> RuleSet | None:
        """Return the preset that a tournament's rules come from; None if the program has none such."""
        return self.presets.get(rules.id)

    def changed(self, rules: RuleSet) -> tuple[str, ...]:
        """Return the paths of the parameters that differ from the preset."""
        preset = self.preset_of(rules)
        return differing(rules, preset) if preset is not None else ()
