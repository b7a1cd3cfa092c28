"""Read the bundled rule sets, tile sets, rating systems and season rules, one TOML file each."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

from tdapp.domain.errors import InputError
from tdapp.domain.ratings import DEFAULT_RATING, RatingSystem, parse_rating_system
from tdapp.domain.ruleset import RuleSet, parse_ruleset
from tdapp.domain.season_rule import SeasonRule, parse_season_rule
from tdapp.domain.serialization import convert_to_builtins
from tdapp.scrabble.tiles import TileSet, TileSetError, parse_tileset

SOURCES = "sources"  # TOML table with the source of each parameter
_parse_toml = cache(tomllib.loads)  # cache: several windows read the same presets


def read_ruleset(path: Path) -> RuleSet:
    table = {key: value for key, value in _read_preset(path, "ruleset-unreadable").items() if key != SOURCES}
    return parse_ruleset(table, source=path.name)


def read_rulebook_references(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Return the rule-book reference of each parameter, by rule set id and parameter path."""
    tables = [_read_preset(path, "ruleset-unreadable") for path in folder.glob("*.toml")]
    return {str(table["id"]): cast("Mapping[str, str]", table.get(SOURCES, {})) for table in tables}


def read_rulesets(folder: Path) -> Mapping[str, RuleSet]:
    presets = [read_ruleset(path) for path in folder.glob("*.toml")]
    return {preset.id: preset for preset in sorted(presets, key=lambda preset: (preset.place, preset.id))}


def read_tileset(path: Path) -> TileSet:
    try:
        return parse_tileset(_read_preset(path, "tileset-unreadable"))
    except TileSetError as error:
        raise InputError("tileset-invalid", source=path.name, problems="; ".join(error.problems)) from error


def read_tilesets(folder: Path) -> Mapping[str, TileSet]:
    tilesets = [read_tileset(path) for path in sorted(folder.glob("*.toml"))]
    return {tileset.id: tileset for tileset in tilesets}


def read_rating_systems(folder: Path) -> Mapping[str, RatingSystem]:
    """Map each id to its rating system. Plain Elo is first, the others are sorted by name."""
    systems = [
        parse_rating_system(_read_preset(path, "rating-unreadable"), source=path.name)
        for path in folder.glob("*.toml")
    ]
    systems.sort(key=lambda system: (system.id != DEFAULT_RATING, system.name))
    return {system.id: system for system in systems}


def read_season_rule(path: Path) -> SeasonRule:
    return parse_season_rule(_read_preset(path, "season-rule-unreadable"), source=path.name)


def read_season_rules(folder: Path) -> Mapping[str, SeasonRule]:
    return {rule.id: rule for rule in map(read_season_rule, sorted(folder.glob("*.toml")))}


def format_season_rule(rule: SeasonRule) -> str:
    """Return a season rule as TOML without default values."""
    default = convert_to_builtins(SeasonRule(rule.id, ""))
    lines = [
        f"{name} = {_format_toml(value)}"
        for name, value in convert_to_builtins(rule).items()
        if name in {"id", "name"} or value != default[name]
    ]
    return "\n".join([*lines, ""])


def _format_toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_format_toml(item)}" for name, item in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_format_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read_preset(path: Path, error_code: str) -> Mapping[str, object]:
    try:
        return _parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(error_code, source=path.name, problem=str(error)) from error
