"""Texts of the program in four languages.

Other packages use English texts (msgids), or codes of errors and states, with the values for their placeholders.
A `Catalogue` makes sentences from them. `python -m tdapp.i18n` maintains the translations in `resources/locale`.
"""

from tdapp.i18n.catalogue import LANGUAGES, Catalogue

__all__ = ["LANGUAGES", "Catalogue"]
