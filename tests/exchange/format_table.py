"""The table of the help that says what each format keeps, made from what the exports declare.

python -m tests.exchange.format_table     # writes it into the help of every language
"""

from __future__ import annotations

from pathlib import Path

from tdapp.exchange.exports import EXPORTS, PLAYER_DATA, DataKind
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tests.building import RESOURCES

FORMATS = {"json": "JSON", "t": "tsh", "trf": "TRF", "tourney": "tourney.js", "players": "CSV", "tou": "AUPAIR"}
_YES_SIGN, _NO = "✓", "–"


def page(language: str) -> Path:
    """Return the help page with the table."""
    return RESOURCES / "help" / language / "files.md"


def table(language: str) -> str:
    catalogue = Catalogue(language, RESOURCES / "locale")
    rows = [["", *FORMATS.values()], ["---"] * (1 + len(FORMATS))]
    for data in (*PLAYER_DATA, *DataKind):
        signs = [_YES_SIGN if data in EXPORTS[kind].reimported_data else _NO for kind in FORMATS]
        rows.append([catalogue.code(data), *signs])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main() -> None:
    for language in LANGUAGES:
        text = page(language).read_text(encoding="utf-8").partition("\n|")[0].rstrip("\n")
        page(language).write_text(f"{text}\n\n{table(language)}", encoding="utf-8")


if __name__ == "__main__":
    main()
