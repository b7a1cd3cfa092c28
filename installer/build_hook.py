"""Compile the translations before a wheel is built: the .mo files are not in git."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface[Any]):
    """Write a .mo file next to each .po file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from tdapp.i18n.__main__ import compile_catalogues  # noqa: PLC0415 - needs the line above

        compile_catalogues(Path(self.root))
