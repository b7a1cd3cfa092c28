"""Texts of the program in four languages.

Other layers use English msgids, codes and facts. A `Catalogue` translates them; `messages` has the English of all
codes. The translations are in `resources/locale`, maintained by `python -m tdapp.i18n`.
"""

from tdapp.i18n.catalogue import LANGUAGES, Catalogue

__all__ = ["LANGUAGES", "Catalogue"]
