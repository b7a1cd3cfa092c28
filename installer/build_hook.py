"""Compiles the translations before a wheel is built, as git does not keep the .mo files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface[Any]):
    """Writes a .mo file beside each .po file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the translations in the build folder."""
        sys.path.insert(0, self.root)
        from tdapp.i18n.__main__ import compile_catalogues  # noqa: PLC0415 - found only now

        compile_catalogues(Path(self.root))
