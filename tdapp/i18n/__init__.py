"""Texts of the program in four languages.

A `Catalogue` translates an English text, such as "Table {table}", or a code, such as an error code. The caller
gives the value of {table}. `python -m tdapp.i18n` maintains the translations in `resources/locale`.
"""

from tdapp.i18n.catalogue import LANGUAGES, Catalogue

__all__ = ["LANGUAGES", "Catalogue"]
