"""The table of the help page about formats: the data that each format keeps.

`python -m tests.exchange.format_table` writes the table into the help of each language.
"""

from __future__ import annotations

from pathlib import Path

from tdapp.exchange.exports import EXPORTS, PLAYER_DATA, DataKind
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tests.building import RESOURCES

FORMATS = {"json": "JSON", "t": "tsh", "trf": "TRF", "tourney": "tourney.js", "players": "CSV", "tou": "AUPAIR"}
_YES, _NO = "✓", "–"


def get_page_path(language: str) -> Path:
    """Return the path of the help page with the table."""
    return RESOURCES / "help" / language / "files.md"


def make_table(language: str) -> str:
    catalogue = Catalogue(language, RESOURCES / "locale")
    rows = [["", *FORMATS.values()], ["---"] * (1 + len(FORMATS))]
    for data in (*PLAYER_DATA, *DataKind):
        signs = [_YES if data in EXPORTS[kind].reimported_data else _NO for kind in FORMATS]
        rows.append([catalogue.translate_code(data), *signs])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main() -> None:
    for language in LANGUAGES:
        text = get_page_path(language).read_text(encoding="utf-8").partition("\n|")[0].rstrip("\n")
        get_page_path(language).write_text(f"{text}\n\n{make_table(language)}", encoding="utf-8")


if __name__ == "__main__":
    main()
