"""Texts of the program in four languages.

Other layers use English texts (msgids), or codes of errors and states with the values in their sentences. A
`Catalogue` makes sentences of them. The translations are in
`resources/locale`, maintained by `python -m tdapp.i18n`.
"""

from tdapp.i18n.catalogue import LANGUAGES, Catalogue

__all__ = ["LANGUAGES", "Catalogue"]
