"""The rule sets that come with the program, one TOML file each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from tdapp.domain.errors import InputError
from tdapp.domain.ruleset import RuleSet, parse


def read_ruleset(path: Path) -> RuleSet:
    """Return the rule set in a TOML file; raise InputError naming every error in it."""
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError("ruleset-unreadable", source=path.name, problem=str(error)) from error
    return parse(plain, source=path.name)


def read_presets(folder: Path) -> Mapping[str, RuleSet]:
    """Return the rule sets of a folder by id, in the order of their ids."""
    presets = [read_ruleset(path) for path in sorted(folder.glob("*.toml"))]
    return {preset.id: preset for preset in presets}
