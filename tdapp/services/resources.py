"""Data files of the program: rule sets, tile sets, rating systems, texts and names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tdapp.domain.errors import UserError
from tdapp.i18n.catalogue import RULE_SET_LANGUAGE_NAMES, Catalogue

if TYPE_CHECKING:
    from tdapp.domain.ratings import RatingSystem
    from tdapp.domain.ruleset import RuleSet
    from tdapp.domain.season_rule import SeasonRule
    from tdapp.exchange.wordlist import PracticeWordList
    from tdapp.scrabble.tiles import TileSet


class Resources:
    """Data files in a folder, each read when first used. Raises InputError if a file is invalid."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load_catalogue(self, language: str) -> Catalogue:
        return Catalogue(language, self.folder / "locale")

    @cached_property
    def bundled_rulesets(self) -> Mapping[str, RuleSet]:
        from tdapp.exchange.presets import read_rulesets

        return read_rulesets(self.folder / "rulesets")

    @cached_property
    def sources_of_rule_values(self) -> Mapping[str, Mapping[str, str]]:
        """The source of each value, such as a section of the rule book, by rule set id and parameter path."""
        from tdapp.exchange.presets import read_rulebook_references

        return read_rulebook_references(self.folder / "rulesets")

    def get_bundled_ruleset(self, preset_id: str) -> RuleSet:
        """Return a bundled rule set. For an unknown id, raise UserError with the known ids."""
        if preset_id not in self.bundled_rulesets:
            raise UserError("no-such-ruleset", ruleset=preset_id, known=", ".join(self.bundled_rulesets))
        return self.bundled_rulesets[preset_id]

    @cached_property
    def tilesets(self) -> Mapping[str, TileSet]:
        from tdapp.exchange.presets import read_tilesets

        return read_tilesets(self.folder / "tilesets")

    def get_tileset(self, tileset_id: str) -> TileSet:
        if tileset_id not in self.tilesets:
            raise UserError("no-such-tileset", tileset=tileset_id, known=", ".join(self.tilesets))
        return self.tilesets[tileset_id]

    @cached_property
    def rating_systems(self) -> Mapping[str, RatingSystem]:
        from tdapp.exchange.presets import read_rating_systems

        return read_rating_systems(self.folder / "ratings")

    @cached_property
    def season_rules(self) -> Mapping[str, SeasonRule]:
        from tdapp.exchange.presets import read_season_rules

        return read_season_rules(self.folder / "seasons")

    def get_season_rule(self, rule_id: str) -> SeasonRule:
        if rule_id not in self.season_rules:
            raise UserError("no-such-season-rule", rule=rule_id, known=", ".join(self.season_rules))
        return self.season_rules[rule_id]

    def load_season_rule(self, id_or_file: str) -> SeasonRule:
        """Return the season rule with an id, or read it from a file with the ending .toml."""
        from tdapp.exchange.presets import read_season_rule

        is_file = id_or_file.endswith(".toml")
        return read_season_rule(Path(id_or_file)) if is_file else self.get_season_rule(id_or_file)

    @property
    def practice_lists(self) -> tuple[PracticeWordList, ...]:
        """The practice word lists bundled with the program or installed as Debian packages."""
        from tdapp.exchange.wordlist import list_practice_word_lists

        return list_practice_word_lists(self.folder / "lexicons")

    @property
    def bundled_practice_word_lists(self) -> tuple[PracticeWordList, ...]:
        return tuple(
            practice_list
            for practice_list in self.practice_lists
            if practice_list.path.parent == self.folder / "lexicons"
        )

    @cached_property
    def names_of_parameter_values(self) -> Mapping[str, Mapping[str, str]]:
        """Display names of parameter values, by parameter path and value."""
        return {
            "id": {preset.id: f"{preset.name} ({preset.id})" for preset in self.bundled_rulesets.values()},
            "tileset": {tileset.id: tileset.name for tileset in self.tilesets.values()},
            "language": RULE_SET_LANGUAGE_NAMES,
        }

    def find_original_preset(self, rules: RuleSet) -> RuleSet | None:
        """Return the bundled rule set that `rules` come from, None if unknown."""
        return self.bundled_rulesets.get(rules.id)

    def list_changed_rule_parameters(self, rules: RuleSet) -> tuple[str, ...]:
        from tdapp.domain.rule_fields import find_rule_differences

        preset = self.find_original_preset(rules)
        return find_rule_differences(rules, preset) if preset is not None else ()
